//! Cards, number cards and ghosts, and how they stand out.

use super::pen::{Anchor, Pen, Rect, lattice, n, rank};
use crate::scene::{Mark, Piece, Show, Tint};
use std::fmt::Write;
use yomikiri_core::Lang;

/// Height of a card over its width.
pub const TALL: f64 = 1.4;

/// Pips on a field of 100 by 100.
fn pip(suit: char) -> &'static str {
    match suit {
        'S' => {
            "M50 6C66 30 92 44 92 66c0 15-11 23-22 23-7 0-12-3-16-8 1 8 4 12 10 15H36c6-3 9-7 10-15-4 5-9 8-16 8C19 89 8 81 8 66 8 44 34 30 50 6z"
        }
        'H' => {
            "M50 94C20 66 6 52 6 32 6 18 16 8 29 8c9 0 17 6 21 15C54 14 62 8 71 8c13 0 23 10 23 24 0 20-14 34-44 62z"
        }
        'D' => "M50 4 88 50 50 96 12 50z",
        _ => {
            "M50 5c13 0 23 10 23 22 0 7-3 12-7 16 3-1 6-2 9-2 12 0 21 10 21 22s-9 22-21 22c-8 0-15-4-19-11 1 9 4 14 10 18H34c6-4 9-9 10-18-4 7-11 11-19 11C13 85 4 75 4 63s9-22 21-22c3 0 6 1 9 2-4-4-7-9-7-16C27 15 37 5 50 5z"
        }
    }
}

/// A ghost looking up, on a field of 64 by 64.
const BODY: &str = "M32 3.5C43 3.5 48.5 12 50 25L56 55.5C56.6 59.5 53 61 50.8 58 47.5 54 43 54 40.3 58.3 38.3 61.5 34.9 61.3 33.9 58.3 33.1 55.9 30.9 55.9 30.1 58.3 29.1 61.3 25.7 61.5 23.7 58.3 21 54 16.5 54 13.2 58 11 61 7.4 59.5 8 55.5L14 25C15.5 12 21 3.5 32 3.5Z";

/// The suit and the rank of a face; a rank alone has no suit.
pub fn parts(face: &str) -> (Option<char>, &str) {
    match face.chars().next().filter(|c| "SHDC".contains(*c)) {
        Some(suit) if face.len() > 1 => (Some(suit), rank(&face[1..])),
        _ => (None, face),
    }
}

/// Draws a piece in its box: cards fill it, ghosts have some room around them.
pub fn draw(pen: &mut Pen, piece: &Piece, r: Rect) {
    match piece {
        Piece::Card(show) => card(pen, show, r),
        Piece::Num { n, pts } => number(pen, *n, pts.as_deref(), r),
        Piece::Ghost { side, col, secret, .. } => ghost(pen, *side, *col, *secret, r),
    }
}

fn card(pen: &mut Pen, show: &Show, r: Rect) {
    let w = r.w;
    let inner = r.grown(-w * 0.09);
    let step = (w * 0.17).clamp(2.6, 9.0);
    match show {
        Show::Gone => pen.rect("y-gone", r.grown(-0.75), w * 0.1),
        Show::Down => {
            pen.rect("y-down", r, w * 0.1);
            pen.rect("y-down2", inner, w * 0.05);
            pen.path("y-down2", &lattice(inner, step, true));
        }
        Show::Up(face) => {
            pen.rect("y-face", r.grown(-0.5), w * 0.1);
            print(pen, face, r);
        }
        Show::Known(face) => {
            pen.rect("y-known", r.grown(-0.75), w * 0.1);
            pen.path("y-known2", &lattice(inner, step, true));
            print(pen, face, r);
        }
    }
}

/// Rank at the top left, one pip at the bottom right.
fn print(pen: &mut Pen, face: &str, r: Rect) {
    let (suit, rank) = parts(face);
    let class = suit.unwrap_or('N');
    // Three letters and more get smaller, so that they stay on the card.
    let size = r.w * 0.46 * (2.0 / rank.chars().count().max(2) as f64);
    pen.sized(
        &format!("y-rank y-{class}"),
        Some(size),
        r.x + r.w * 0.1,
        r.y + r.w * 0.48,
        Anchor::Start,
        rank,
    );
    if let Some(suit) = suit {
        let side = r.w * 0.42;
        pen.open_at(r.x + r.w * 0.9 - side, r.y + r.h - r.w * 0.11 - side, side / 100.0);
        pen.path(&format!("y-{suit}"), pip(suit));
        pen.close();
    }
}

fn number(pen: &mut Pen, number: u32, pts: Option<&str>, r: Rect) {
    let w = r.w;
    pen.rect("y-face", r.grown(-0.5), w * 0.1);
    let text = number.to_string();
    let size = w * 0.46 * (2.0 / text.len().max(2) as f64);
    pen.sized("y-rank y-N", Some(size), r.x + w * 0.1, r.y + w * 0.48, Anchor::Start, &text);
    if let Some(pts) = pts {
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
        pen.path("y-N", &d);
        let size = w * 0.26 * (4.0 / pts.chars().count().max(4) as f64);
        pen.sized("y-band", Some(size), r.x + w / 2.0, top + w * 0.18 + size * 0.36, Anchor::Middle, pts);
    }
}

fn ghost(pen: &mut Pen, side: u8, col: Tint, secret: bool, r: Rect) {
    let size = r.w.min(r.h) * 0.82;
    let (x, y) = r.middle();
    let (class, sign) = match col {
        Tint::Blue => ("y-blue", r#"<circle class="y-sign" cx="32" cy="41" r="4.5"/>"#),
        Tint::Red => ("y-red", r#"<path class="y-sign" d="M27.5 36.5l9 9m0-9l-9 9"/>"#),
        Tint::Purple => (
            "y-purple",
            r#"<path class="y-sign" d="M27.5 37.5c0-6 9-6 9-.6 0 3.6-4.5 3.4-4.5 6.6"/><circle class="y-eye" cx="32" cy="48" r="2.3"/>"#,
        ),
    };
    pen.open_at(x - size / 2.0, y - size / 2.0, size / 64.0);
    let (turn, back) = if side == 1 {
        ("<g>", "<g>")
    } else {
        (r#"<g transform="rotate(180 32 32)">"#, r#"<g transform="rotate(180 32 41.5)">"#)
    };
    pen.out.push_str(turn);
    pen.path(&format!("y-body {class}"), BODY);
    if secret {
        pen.out.push_str(r#"<g transform="translate(32 33) scale(.86) translate(-32 -33)">"#);
        pen.path("y-secret", BODY);
        pen.close();
    }
    for eye in [25.0, 39.0] {
        pen.circle("y-eye", eye, 20.5, 4.7);
        pen.circle("y-pupil", eye, 18.6, 2.3);
    }
    // The sign stays upright whichever way the ghost looks.
    let _ = write!(pen.out, "{back}{sign}</g></g>");
    pen.close();
}

/// The sign that an item stands out.
pub fn mark(pen: &mut Pen, mark: Mark, r: Rect, round: f64) {
    match mark {
        Mark::Best => pen.rect("y-best", r.grown(3.5), round + 3.5),
        Mark::To => pen.rect("y-to", r.grown(3.5), round + 3.5),
        Mark::Any => {
            let bar = Rect { x: r.x + r.w * 0.12, y: r.y + r.h + 4.0, w: r.w * 0.76, h: 3.0 };
            pen.rect("y-any", bar, 1.5);
        }
        Mark::Last => {
            let Rect { x, y, w, h } = r.grown(4.0);
            let (a, x2, y2) = (n((w * 0.2).min(10.0)), x + w, y + h);
            let corner = |x: f64, y: f64, sx: &str, sy: &str| {
                format!("M{} {}v{sy}{a}M{} {}h{sx}{a}", n(x), n(y), n(x), n(y))
            };
            let d = [
                corner(x, y, "", ""),
                corner(x2, y, "-", ""),
                corner(x, y2, "", "-"),
                corner(x2, y2, "-", "-"),
            ];
            pen.path("y-last", &d.concat());
        }
    }
}

/// What an item is, for people who do not see it.
pub fn spoken(piece: &Piece, lang: Lang) -> String {
    let pick = |en: &'static str, ja: &'static str| if lang == Lang::En { en } else { ja };
    let name = |face: &str| match parts(face) {
        (None, rank) => rank.to_owned(),
        (Some(suit), rank) => match (lang, suit) {
            (Lang::En, 'S') => format!("{rank} of spades"),
            (Lang::En, 'H') => format!("{rank} of hearts"),
            (Lang::En, 'D') => format!("{rank} of diamonds"),
            (Lang::En, _) => format!("{rank} of clubs"),
            (Lang::Ja, 'S') => format!("スペードの{rank}"),
            (Lang::Ja, 'H') => format!("ハートの{rank}"),
            (Lang::Ja, 'D') => format!("ダイヤの{rank}"),
            (Lang::Ja, _) => format!("クラブの{rank}"),
        },
    };
    match piece {
        Piece::Card(Show::Up(face)) => name(face),
        Piece::Card(Show::Known(face)) => format!("{}{}", name(face), pick(", known", "（既知）")),
        Piece::Card(Show::Down) => pick("unknown card", "未知のカード").to_owned(),
        Piece::Card(Show::Gone) => pick("empty place", "空き").to_owned(),
        Piece::Num { n, pts: None } => n.to_string(),
        Piece::Num { n, pts: Some(pts) } => match lang {
            Lang::En => format!("{n}, {pts} points"),
            Lang::Ja => format!("{n}（{pts}点）"),
        },
        Piece::Ghost { side, col, at, .. } => {
            let colour = match col {
                Tint::Blue => pick("blue", "青"),
                Tint::Red => pick("red", "赤"),
                Tint::Purple => pick("unknown", "紫"),
            };
            match lang {
                Lang::En => format!("{at} {colour} piece of player {side}"),
                Lang::Ja => format!("{at} プレイヤー{side}の{colour}駒"),
            }
        }
    }
}
