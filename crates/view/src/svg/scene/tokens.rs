//! Tokens: every shape in every colour, on a field of 64 by 64. The page draws the same paths (`web/tokens.js`).

use super::pen::{Anchor, Pen, Rect, n};
use crate::scene::{Form, Looks, Tint, Token};
use std::fmt::Write;
use yomikiri_core::{Lang, Text, text};

/// Height of a card over its width.
pub const TALL: f64 = 1.4;

const DISC: &str = "M32 5a27 27 0 1 0 .01 0z";
const TILE: &str = "M13 6H51a7 7 0 0 1 7 7V51a7 7 0 0 1 -7 7H13a7 7 0 0 1 -7 -7V13a7 7 0 0 1 7 -7z";
const POINTED: &str = "M32 3 52 13 58 60H6L12 13z";
const RING: &str = "M32 5a27 27 0 1 0 .01 0zM32 19a13 13 0 1 1 -.01 0z";
const CROSS: &str = "M15 7 32 24 49 7 57 15 40 32 57 49 49 57 32 40 15 57 7 49 24 32 7 15z";
const BAR: &str = "M11 28H53a4 4 0 0 1 0 8H11a4 4 0 0 1 0 -8z";
const POST: &str = "M28 11a4 4 0 0 1 8 0V53a4 4 0 0 1 -8 0z";
/// A ghost looking up.
const GHOST: &str = "M32 3.5C43 3.5 48.5 12 50 25L56 55.5C56.6 59.5 53 61 50.8 58 47.5 54 43 54 40.3 58.3 38.3 61.5 34.9 61.3 33.9 58.3 33.1 55.9 30.9 55.9 30.1 58.3 29.1 61.3 25.7 61.5 23.7 58.3 21 54 16.5 54 13.2 58 11 61 7.4 59.5 8 55.5L14 25C15.5 12 21 3.5 32 3.5Z";

/// The outline of a shape that has one on the field.
pub fn body(token: &Token) -> Option<&'static str> {
    match token.shape {
        Form::Disc => Some(DISC),
        Form::Tile if token.looks.is_some() => Some(POINTED),
        Form::Tile => Some(TILE),
        Form::Ring => Some(RING),
        Form::Cross => Some(CROSS),
        Form::Bar => Some(BAR),
        Form::Post => Some(POST),
        Form::Ghost => Some(GHOST),
        Form::Card | Form::None | Form::Other(_) => None,
    }
}

/// Where the text of a shape stands: its middle, its largest size, and how wide it may be.
fn room(token: &Token) -> (f64, f64, f64) {
    let (small, down) = (!token.small.is_empty(), token.looks == Some(Looks::Down));
    match token.shape {
        Form::Disc if small => (26.0, 24.0, 40.0),
        Form::Tile if small => (26.0, 26.0, 44.0),
        Form::Tile if token.looks.is_some() => (if down { 28.0 } else { 36.0 }, 30.0, 38.0),
        Form::Disc => (32.0, 30.0, 42.0),
        Form::Ghost => (if down { 23.0 } else { 41.0 }, 14.0, 24.0),
        Form::Ring => (32.0, 18.0, 22.0),
        Form::Cross => (32.0, 14.0, 16.0),
        Form::Bar => (32.0, 8.0, 40.0),
        Form::Post => (32.0, 8.0, 8.0),
        Form::None if small => (25.0, 40.0, 60.0),
        Form::None => (32.0, 50.0, 60.0),
        Form::Tile | Form::Card | Form::Other(_) => (32.0, 32.0, 46.0),
    }
}

/// How wide a text is in its own size, about, and at least a letter.
fn ems(text: &str) -> f64 {
    text.chars().map(|c| if c as u32 >= 0x2E80 { 1.0 } else { 0.62 }).sum::<f64>().max(0.62)
}

/// The class that gives the colours of a token to all that is drawn of it.
pub fn class(tint: Tint) -> &'static str {
    match tint {
        Tint::None => "y-k-none",
        Tint::Black => "y-k-black",
        Tint::White => "y-k-white",
        Tint::Grey => "y-k-grey",
        Tint::Blue => "y-k-blue",
        Tint::Red => "y-k-red",
        Tint::Purple => "y-k-purple",
        Tint::Green => "y-k-green",
        Tint::Yellow => "y-k-yellow",
    }
}

/// Draws a token in its box: cards fill it, all else fills a square in its middle.
pub fn draw(pen: &mut Pen, token: &Token, r: Rect) {
    let _ = write!(pen.out, r#"<g class="{}">"#, class(token.colour));
    match &token.shape {
        Form::Card => card(pen, token, r),
        Form::Other(name) => {
            pen.rect("y-gone", r.grown(-0.75), r.w * 0.1);
            let (x, y) = r.middle();
            let size = (r.w * 0.9 / ems(name)).min(12.0);
            pen.sized("", Some(size), x, y + size * 0.36, Anchor::Middle, name);
        }
        _ => field(pen, token, r),
    }
    pen.close();
}

/// A rectangle of the proportions of a card in the middle of a box.
pub fn upright(r: Rect) -> Rect {
    let w = r.w.min(r.h / TALL);
    let (x, y) = r.middle();
    Rect { x: x - w / 2.0, y: y - w * TALL / 2.0, w, h: w * TALL }
}

fn field(pen: &mut Pen, token: &Token, r: Rect) {
    let size = r.w.min(r.h);
    let (x, y) = r.middle();
    pen.open_at(x - size / 2.0, y - size / 2.0, size / 64.0);
    if token.looks == Some(Looks::Down) {
        pen.out.push_str(r#"<g transform="rotate(180 32 32)">"#);
    } else {
        pen.out.push_str("<g>");
    }
    if let Some(body) = body(token) {
        pen.path("y-body", body);
    }
    if token.secret {
        let inner = match token.shape {
            Form::Ghost => r#"<g transform="translate(32 33) scale(.86) translate(-32 -33)">"#,
            _ => r#"<g transform="translate(32 32) scale(.84) translate(-32 -32)">"#,
        };
        pen.out.push_str(inner);
        // What has no room for a line inside gets one around it.
        match token.shape {
            Form::None | Form::Cross => pen.path("y-secret", TILE),
            Form::Ring => pen.path("y-secret", DISC),
            _ => pen.path("y-secret", body(token).unwrap_or(TILE)),
        }
        pen.close();
    }
    if token.shape == Form::Ghost {
        for eye in [25.0, 39.0] {
            pen.circle("y-eye", eye, 20.5, 4.7);
            pen.circle("y-pupil", eye, 18.6, 2.3);
        }
    }
    // Words and signs stay upright whichever way the token looks.
    pen.close();
    let (text, small) = (pen.say(&token.text).to_owned(), pen.say(&token.small).to_owned());
    // Words in a hole stand on the board.
    let class = match token.shape {
        Form::None => "y-on y-alone",
        Form::Ring => "y-on y-hole",
        _ => "y-on",
    };
    if !text.is_empty() {
        let (at, most, wide) = room(token);
        sign(pen, &text, at, most.min(wide / ems(&text)), class);
    }
    if !small.is_empty() && token.shape.has_foot() {
        let size = 12f64.min(36.0 / ems(&small));
        let at = if token.shape == Form::None { 56.0 } else { 47.0 };
        pen.sized(class, Some(size), 32.0, at + size * 0.36, Anchor::Middle, &small);
    }
    pen.close();
}

/// A text on the field, its middle at a height; some signs are paths of our own.
fn sign(pen: &mut Pen, text: &str, at: f64, size: f64, class: &str) {
    let strokes = match text {
        "○" => "M0 -4.5a4.5 4.5 0 1 0 .01 0z",
        "×" => "M-4.5 -4.5l9 9m0 -9l-9 9",
        "?" => "M-4.5 -3.5c0 -6 9 -6 9 -.6 0 3.6 -4.5 3.4 -4.5 6.6M0 7v.01",
        _ => {
            pen.sized(class, Some(size), 32.0, at + size * 0.36, Anchor::Middle, text);
            return;
        }
    };
    pen.open_at(32.0, at, size / 14.0);
    match class {
        "y-on y-alone" => {
            pen.path("y-sign y-under", strokes);
            pen.path("y-sign y-over", strokes);
        }
        "y-on y-hole" => pen.path("y-sign y-hole", strokes),
        _ => pen.path("y-sign", strokes),
    }
    pen.close();
}

fn card(pen: &mut Pen, token: &Token, r: Rect) {
    let r = upright(r);
    let w = r.w;
    pen.rect("y-paper", r.grown(-0.5), w * 0.1);
    if token.secret {
        pen.rect("y-secret", r.grown(-w * 0.07), w * 0.06);
    }
    let (text, small) = (pen.say(&token.text).to_owned(), pen.say(&token.small).to_owned());
    let size = w * 0.46 * (1.24 / ems(&text).max(1.24));
    if !text.is_empty() {
        pen.sized("y-rank y-on", Some(size), r.x + w * 0.1, r.y + w * 0.48, Anchor::Start, &text);
    }
    if !small.is_empty() {
        let (top, round) = (r.y + r.h - w * 0.36, w * 0.1);
        let d = format!(
            "M{} {}h{}v{}a{round} {round} 0 0 1 -{round} {round}h-{}a{round} {round} 0 0 1 -{round} -{round}z",
            n(r.x),
            n(top),
            n(w),
            n(w * 0.36 - round),
            n(w - 2.0 * round),
            round = n(round)
        );
        pen.path("y-foot", &d);
        let size = w * 0.26 * (2.48 / ems(&small).max(2.48));
        pen.sized("y-band", Some(size), r.x + w / 2.0, top + w * 0.18 + size * 0.36, Anchor::Middle, &small);
    }
}

/// What a token is called: its own name, or its colour, shape and texts.
pub fn spoken(token: &Token, lang: Lang) -> String {
    if !token.name.is_empty() {
        return token.name.get(lang).to_owned();
    }
    let colour = match token.colour {
        Tint::None => Text::default(),
        Tint::Black => text("black", "黒"),
        Tint::White => text("white", "白"),
        Tint::Grey => text("grey", "灰色"),
        Tint::Blue => text("blue", "青"),
        Tint::Red => text("red", "赤"),
        Tint::Purple => text("purple", "紫"),
        Tint::Green => text("green", "緑"),
        Tint::Yellow => text("yellow", "黄"),
    };
    let shape = match &token.shape {
        Form::Disc => text("disc", "丸駒"),
        Form::Tile => text("tile", "角駒"),
        Form::Ring => text("ring", "輪"),
        Form::Cross => text("cross", "十字"),
        Form::Bar => text("line", "横線"),
        Form::Post => text("upright line", "縦線"),
        Form::Ghost => text("ghost", "ゴースト"),
        Form::Card => text("card", "札"),
        Form::None => Text::default(),
        Form::Other(name) => Text::same(name.as_str()),
    };
    let join = |parts: [&Text; 2], between: &str| {
        let parts: Vec<&str> = parts.iter().map(|t| t.get(lang)).filter(|t| !t.is_empty()).collect();
        parts.join(between)
    };
    let look = join([&colour, &shape], if lang == Lang::En { " " } else { "の" });
    let words = join([&token.text, &token.small], ", ");
    // Letters that stand for themselves need no colour in words.
    match (look.is_empty() || token.shape == Form::None, words.is_empty()) {
        (true, false) => words,
        (_, true) => look,
        _ if lang == Lang::En => format!("{look}, {words}"),
        _ => format!("{look}（{words}）"),
    }
}
