//! Scenes as SVG: the mat with its zones and, if wanted, the sheet with the values of the moves beside it.

mod items;
mod pen;
mod sheet;
mod style;
mod tokens;
mod zones;

pub use style::RULES;

use crate::scene::Scene;
use crate::svg::{TOKENS, escaped};
use pen::{Anchor, Pen, Rect, n, plain, width, wrap};
use std::fmt::Write;
use yomikiri_core::Lang;

/// How a scene is to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The language.
    pub lang: Lang,
    /// The width in pixels; the height follows.
    pub width: f64,
    /// Whether the value, the moves and the line of play are written beside the board, or below it where there is
    /// little room.
    pub sheet: bool,
    /// Whether the picture brings its own colours and rules. Pictures inside a page that has [`TOKENS`] and
    /// [`RULES`] need none.
    pub alone: bool,
}

impl Default for Look {
    fn default() -> Look {
        Look { lang: Lang::En, width: 760.0, sheet: false, alone: true }
    }
}

/// The narrowest picture.
const NARROWEST: f64 = 240.0;
/// From this width on the sheet is beside the board.
const BESIDE: f64 = 820.0;
const PAD: f64 = 16.0;

/// The picture of a scene.
pub fn svg(scene: &Scene, look: &Look) -> String {
    let whole = look.width.max(NARROWEST);
    let sheet = look.sheet && (scene.value.is_some() || !scene.moves.is_empty() || scene.line.is_some());
    let beside = sheet && whole >= BESIDE;
    let sheet_wide = if beside { (whole * 0.42).min(456.0) } else { whole };
    let mat_wide = if beside { whole - sheet_wide } else { whole };

    let mut head = Pen::new(look.lang);
    let top = bar(&mut head, scene, mat_wide);
    let mut stage = Pen::new(look.lang);
    let (placed, stage_tall) = zones::place(scene, look.lang, (PAD, top), mat_wide - 2.0 * PAD);
    let mut spots = zones::Spots::new();
    for zone in &placed {
        zones::draw(&mut stage, scene, zone, &mut spots);
    }
    zones::moves(&mut stage, scene, &spots);
    let mut legend = Pen::new(look.lang);
    let legend_tall = zones::legend(&mut legend, scene, (PAD, 0.0), mat_wide - 2.0 * PAD) + 4.0;
    let mat_tall = top + stage_tall + 14.0 + legend_tall;

    let mut page = Pen::new(look.lang);
    let sheet_tall = if sheet {
        let corner = if beside { (mat_wide, 0.0) } else { (0.0, mat_tall) };
        sheet::draw(&mut page, scene, corner, sheet_wide) + 6.0
    } else {
        0.0
    };
    let tall = if beside { mat_tall.max(sheet_tall) } else { mat_tall + sheet_tall }.ceil();
    let mat_end = if beside { tall } else { mat_tall };

    let mut out = Pen::new(look.lang);
    let _ = write!(
        out.out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="y-scene" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" aria-label="{label}" lang="{lang}">"#,
        w = n(whole),
        h = n(tall),
        label = escaped(&spoken(scene, look.lang)),
        lang = if look.lang == Lang::En { "en" } else { "ja" },
    );
    let _ = write!(out.out, "<title>{}</title>", escaped(&plain(scene.title.get(look.lang))));
    if look.alone {
        let _ = write!(out.out, "<style>{TOKENS}{RULES}</style>");
    }
    out.rect("y-sheet", Rect { x: 0.0, y: 0.0, w: whole, h: tall }, 10.0);
    // The mat is round only where the whole is.
    match (sheet, beside) {
        (false, _) => out.rect("y-mat", Rect { x: 0.0, y: 0.0, w: whole, h: tall }, 10.0),
        (true, true) => {
            let d = "H10a10 10 0 0 1 -10 -10V10a10 10 0 0 1 10 -10z";
            out.path("y-mat", &format!("M{} 0V{}{d}", n(mat_wide), n(tall)));
        }
        (true, false) => {
            let (w, h) = (n(whole - 10.0), n(mat_tall));
            out.path("y-mat", &format!("M0 {h}V10a10 10 0 0 1 10 -10H{w}a10 10 0 0 1 10 10V{h}z"));
        }
    }
    // Beside a longer sheet the board stands in the middle, the words at the top and the legend at the bottom.
    out.out.push_str(&head.out);
    let down = (mat_end - mat_tall).max(0.0) / 2.0;
    let _ = write!(out.out, r#"<g transform="translate(0 {})">{}</g>"#, n(down), stage.out);
    let below = mat_end - legend_tall;
    let _ = write!(out.out, r#"<g transform="translate(0 {})">{}</g>"#, n(below), legend.out);
    if sheet {
        if beside {
            out.line("y-mid", mat_wide, 0.0, mat_wide, tall);
        } else {
            out.line("y-mid", 0.0, mat_tall, whole, mat_tall);
        }
    }
    out.out.push_str(&page.out);
    out.rect("y-frame", Rect { x: 0.5, y: 0.5, w: whole - 1.0, h: tall - 1.0 }, 9.5);
    out.out.push_str("</svg>");
    out.out
}

/// Who plays and what is to be done, over the board; the height it takes.
fn bar(pen: &mut Pen, scene: &Scene, wide: f64) -> f64 {
    let (mut x, mut y) = (PAD, 28.0);
    for (i, seat) in scene.seats.iter().enumerate() {
        let (name, score, unit) =
            (pen.say(&seat.name).to_owned(), pen.say(&seat.score).to_owned(), pen.say(&seat.unit).to_owned());
        let part = |text: &str, size: f64, bold: bool| {
            if text.is_empty() { 0.0 } else { width(text, size, bold) + 8.0 }
        };
        let on = scene.turn == Some(i as u8);
        let all = 17.0 + part(&name, 14.0, true) + part(&score, 17.0, true) + part(&unit, 12.0, false);
        if x > PAD && x + all > wide - PAD {
            (x, y) = (PAD, y + 24.0);
        }
        if on {
            pen.path("y-tri", &format!("M{} {}v12l9 -6z", n(x), n(y - 11.0)));
        }
        if on || scene.turn.is_some() {
            x += 17.0;
        }
        pen.text("y-s14 y-b", x, y, Anchor::Start, &name);
        x += part(&name, 14.0, true);
        pen.text("y-s17 y-b", x, y, Anchor::Start, &score);
        x += part(&score, 17.0, true);
        pen.text("", x, y, Anchor::Start, &unit);
        x += part(&unit, 12.0, false) + 12.0;
    }
    let say = pen.say(&scene.say).to_owned();
    if !say.is_empty() {
        let one = width(&plain(&say), 14.0, false);
        if x + one <= wide - PAD {
            // Alone it reads like a line of text.
            let (x, anchor) =
                if scene.seats.is_empty() { (PAD, Anchor::Start) } else { (wide - PAD, Anchor::End) };
            pen.text("y-s14", x, y, anchor, &say);
        } else {
            if x > PAD {
                y += 23.0;
            }
            for (i, line) in wrap(&say, 14.0, wide - 2.0 * PAD).iter().enumerate() {
                if i > 0 {
                    y += 20.0;
                }
                pen.text("y-s14", PAD, y, Anchor::Start, line);
            }
        }
    }
    if scene.seats.is_empty() && say.is_empty() { 18.0 } else { y + 20.0 }
}

/// The scene in words.
fn spoken(scene: &Scene, lang: Lang) -> String {
    let mut parts: Vec<String> = [&scene.title, &scene.variant, &scene.say]
        .into_iter()
        .filter(|t| !t.is_empty())
        .map(|t| plain(t.get(lang)))
        .collect();
    for zone in &scene.zones {
        let items: Vec<String> = zone.items.iter().map(|item| items::placed(item, lang)).collect();
        let label = plain(zone.label.get(lang));
        let list = items.join(if lang == Lang::En { "; " } else { "、" });
        parts.push(if label.is_empty() { list } else { format!("{label}: {list}") });
    }
    parts.join(if lang == Lang::En { ". " } else { "。" })
}
