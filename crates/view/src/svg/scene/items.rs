//! Playing cards, what any item is called, and how items stand out.

use super::pen::{Anchor, Pen, Rect, lattice, n, rank};
use super::tokens;
use crate::scene::{Form, Item, Mark, Piece, Show};
use yomikiri_core::Lang;

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

/// The suit and the rank of a face; a rank alone has no suit.
pub fn parts(face: &str) -> (Option<char>, &str) {
    match face.chars().next().filter(|c| "SHDC".contains(*c)) {
        Some(suit) if face.len() > 1 => (Some(suit), rank(&face[1..])),
        _ => (None, face),
    }
}

/// Draws a piece in its box.
pub fn draw(pen: &mut Pen, piece: &Piece, r: Rect) {
    match piece {
        Piece::Card(show) => card(pen, show, tokens::upright(r)),
        Piece::Token(token) => tokens::draw(pen, token, r),
    }
}

/// Whether a piece is higher than it is wide.
pub fn is_tall(piece: &Piece) -> bool {
    match piece {
        Piece::Card(_) => true,
        Piece::Token(token) => token.shape == Form::Card,
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
        Piece::Token(token) => tokens::spoken(token, lang),
    }
}

/// What an item is and where it stands.
pub fn placed(item: &Item, lang: Lang) -> String {
    let name = spoken(&item.piece, lang);
    if item.at.is_empty() { name } else { format!("{} {name}", item.at) }
}
