//! A pen that writes SVG: numbers, text, and how wide text will be.

use crate::svg::escaped;
use std::fmt::Write;
use yomikiri_core::Lang;
use yomikiri_core::Text;

/// A box on the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

impl Rect {
    /// The middle.
    pub fn middle(&self) -> (f64, f64) {
        (self.x + self.w / 2.0, self.y + self.h / 2.0)
    }
    /// Grown by so much on all sides.
    pub fn grown(&self, by: f64) -> Rect {
        Rect { x: self.x - by, y: self.y - by, w: self.w + 2.0 * by, h: self.h + 2.0 * by }
    }
}

/// A number in as few letters as two decimals need.
pub fn n(x: f64) -> String {
    let x = (x * 100.0).round() / 100.0 + 0.0;
    let text = format!("{x:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn wide(c: char) -> bool {
    matches!(c as u32, 0x2E80..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0xFE30..=0xFE4F | 0xFF00..=0xFF60 | 0xFFE0..=0xFFE6)
}

/// How wide a text will be, about: fonts differ, so callers leave some room.
pub fn width(text: &str, size: f64, bold: bool) -> f64 {
    let em: f64 = text
        .chars()
        .map(|c| match c {
            c if wide(c) => 1.0,
            ' ' => 0.27,
            'i' | 'l' | 'j' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | '(' | ')' | '/' => 0.31,
            't' | 'f' | 'r' | '-' | '–' => 0.40,
            'm' | 'w' | 'M' | 'W' => 0.88,
            '♠' | '♥' | '♦' | '♣' | '→' | '▲' | '▼' => 1.04,
            c if c.is_ascii_uppercase() => 0.65,
            _ => 0.575,
        })
        .sum();
    em * size * if bold { 1.06 } else { 1.0 }
}

/// A piece of a text: plain words, or a card by its suit.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    text: String,
    suit: Option<char>,
}

/// The pieces of a text in which `{S7}` is a card.
fn spans(text: &str) -> Vec<Span> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        let Some(close) = from.find('}') else { break };
        let inside = &from[1..close];
        let suit = inside.chars().next().filter(|c| "SHDC".contains(*c));
        if !before.is_empty() {
            all.push(Span { text: before.to_owned(), suit: None });
        }
        match suit {
            Some(suit) => {
                all.push(Span { text: format!("{}{}", rank(&inside[1..]), glyph(suit)), suit: Some(suit) })
            }
            None => all.push(Span { text: inside.to_owned(), suit: None }),
        }
        rest = &from[close + 1..];
    }
    if !rest.is_empty() {
        all.push(Span { text: rest.to_owned(), suit: None });
    }
    all
}

/// A rank as people read it.
pub fn rank(rank: &str) -> &str {
    if matches!(rank, "0" | "T") { "10" } else { rank }
}

/// The sign of a suit.
pub fn glyph(suit: char) -> char {
    match suit {
        'S' => '♠',
        'H' => '♥',
        'D' => '♦',
        _ => '♣',
    }
}

/// A text without the braces around cards.
pub fn plain(text: &str) -> String {
    spans(text).into_iter().map(|s| s.text).collect()
}

/// Breaks a text into lines that fit a width. Japanese breaks anywhere but before closing signs.
pub fn wrap(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut atoms: Vec<String> = Vec::new();
    let mut open = false;
    for c in text.chars() {
        let glued = matches!(
            c,
            '、' | '。' | '）' | '」' | '：' | 'ー' | '，' | '・' | ']' | ')' | ',' | '.' | ':' | ';'
        );
        let fresh = match atoms.last().and_then(|a| a.chars().last()) {
            None => true,
            Some(_) if open => false,
            Some(' ' | '　') => c != ' ',
            Some(before) => !glued && !matches!(before, '（' | '「') && (wide(c) || wide(before)) && c != ' ',
        };
        if fresh {
            atoms.push(String::new());
        }
        open = (open || c == '{') && c != '}';
        if let Some(last) = atoms.last_mut() {
            last.push(c);
        }
    }
    let mut lines: Vec<String> = vec![String::new()];
    for atom in atoms {
        let last = lines.len() - 1;
        let longer = format!("{}{atom}", lines[last]);
        if !lines[last].is_empty() && width(plain(longer.trim_end()).as_str(), size, false) > most {
            lines.push(atom);
        } else {
            lines[last] = longer;
        }
    }
    lines.into_iter().map(|l| l.trim_end().to_owned()).collect()
}

/// Where a text stands to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// It is centred there.
    Middle,
    /// It ends there.
    End,
}

/// A picture being written.
pub struct Pen {
    /// What is written so far.
    pub out: String,
    /// The language of its texts.
    pub lang: Lang,
}

impl Pen {
    /// An empty picture.
    pub fn new(lang: Lang) -> Pen {
        Pen { out: String::new(), lang }
    }

    /// A text in the language of the picture.
    pub fn say<'a>(&self, text: &'a Text) -> &'a str {
        text.get(self.lang)
    }

    /// A rectangle.
    pub fn rect(&mut self, class: &str, r: Rect, round: f64) {
        let _ = write!(
            self.out,
            r#"<rect class="{class}" x="{}" y="{}" width="{}" height="{}""#,
            n(r.x),
            n(r.y),
            n(r.w),
            n(r.h)
        );
        if round > 0.0 {
            let _ = write!(self.out, r#" rx="{}""#, n(round));
        }
        self.out.push_str("/>");
    }

    /// A path.
    pub fn path(&mut self, class: &str, d: &str) {
        let _ = write!(self.out, r#"<path class="{class}" d="{d}"/>"#);
    }

    /// A path with a line of its own width.
    pub fn stroke(&mut self, class: &str, d: &str, thick: f64) {
        let _ = write!(self.out, r#"<path class="{class}" style="stroke-width:{}" d="{d}"/>"#, n(thick));
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, x1: f64, y1: f64, x2: f64, y2: f64) {
        let _ = write!(
            self.out,
            r#"<line class="{class}" x1="{}" y1="{}" x2="{}" y2="{}"/>"#,
            n(x1),
            n(y1),
            n(x2),
            n(y2)
        );
    }

    /// A circle.
    pub fn circle(&mut self, class: &str, x: f64, y: f64, r: f64) {
        let _ = write!(self.out, r#"<circle class="{class}" cx="{}" cy="{}" r="{}"/>"#, n(x), n(y), n(r));
    }

    /// Text with its baseline at a point; cards in it get the colours of their suits.
    pub fn text(&mut self, class: &str, x: f64, y: f64, anchor: Anchor, text: &str) {
        self.sized(class, None, x, y, anchor, text);
    }

    /// The same in a size of its own.
    pub fn sized(&mut self, class: &str, size: Option<f64>, x: f64, y: f64, anchor: Anchor, text: &str) {
        let _ = write!(self.out, r#"<text class="{class}" x="{}" y="{}""#, n(x), n(y));
        match anchor {
            Anchor::Start => {}
            Anchor::Middle => self.out.push_str(r#" text-anchor="middle""#),
            Anchor::End => self.out.push_str(r#" text-anchor="end""#),
        }
        if let Some(size) = size {
            let _ = write!(self.out, r#" style="font-size:{}px""#, n(size));
        }
        self.out.push('>');
        for span in spans(text) {
            let words = escaped(&span.text);
            let _ = match span.suit {
                Some(suit) => write!(self.out, r#"<tspan class="y-t{suit}">{words}</tspan>"#),
                None => write!(self.out, "{words}"),
            };
        }
        self.out.push_str("</text>");
    }

    /// Opens a group with what it is for people who do not see it.
    pub fn open(&mut self, title: &str) {
        let _ = write!(self.out, "<g><title>{}</title>", escaped(title));
    }

    /// Opens a group that is moved and stretched.
    pub fn open_at(&mut self, x: f64, y: f64, scale: f64) {
        let _ = write!(self.out, r#"<g transform="translate({} {}) scale({:.4})">"#, n(x), n(y), scale);
    }

    /// Closes a group.
    pub fn close(&mut self) {
        self.out.push_str("</g>");
    }
}

/// Lines at 45 degrees through a rectangle, one way or both.
pub fn lattice(r: Rect, step: f64, both: bool) -> String {
    let mut d = String::new();
    let mut c = step / 2.0;
    while c < r.w + r.h {
        let (x1, x2) = ((c - r.h).max(0.0), c.min(r.w));
        let (y1, y2) = (c - x1, c - x2);
        let _ = write!(d, "M{} {}L{} {}", n(r.x + x1), n(r.y + y1), n(r.x + x2), n(r.y + y2));
        if both {
            let _ = write!(d, "M{} {}L{} {}", n(r.x + r.w - x1), n(r.y + y1), n(r.x + r.w - x2), n(r.y + y2));
        }
        c += step;
    }
    d
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_numbers_are_short_and_never_minus_zero() {
        for (x, s) in
            [(1.0, "1"), (1.5, "1.5"), (0.126, "0.13"), (-0.001, "0"), (120.0, "120"), (-3.25, "-3.25")]
        {
            assert_eq!(n(x), s);
        }
    }

    #[test]
    fn law_cards_in_texts_are_read() {
        assert_eq!(plain("Take {S7} {D0}, {x} {"), "Take 7♠ 10♦, x {");
    }

    #[test]
    fn law_lines_fit_and_nothing_is_lost() {
        let japanese = "双方紫駒2個：脱出、または相手の駒を全て取れる形で平均利得0（{S7} を含む）。";
        let english =
            "two hidden pieces each: payoff 0 by leaving, or by being able to take each enemy piece";
        for text in [japanese, english] {
            for most in [90.0, 200.0, 4000.0] {
                let lines = wrap(text, 12.0, most);
                let squeezed = |s: &str| s.chars().filter(|c| *c != ' ').collect::<String>();
                assert_eq!(squeezed(&lines.concat()), squeezed(text));
                assert!(lines.iter().all(|l| width(&plain(l), 12.0, false) <= most), "{lines:?}");
                assert!(lines.iter().all(|l| !l.starts_with(['、', '。', '）'])), "{lines:?}");
            }
        }
    }
}
