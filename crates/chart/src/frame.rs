//! What charts are made of: a canvas that becomes SVG, axes with ticks, a key.
//!
//! Colours are those of the page, by their variables, so that a picture is right on light and on dark paper. Nobody knows here
//! how wide a text will be; it is estimated from its letters, a little too wide.

use std::fmt::Write;
use yomikiri_core::Lang;
use yomikiri_view::report::{Axis, Draw, Scale};
use yomikiri_view::svg::escaped;

pub const WIDTH: f64 = 640.0;
/// Fonts by family, as on the page.
const FONTS: &str = "system-ui, 'Segoe UI', 'Noto Sans', 'Hiragino Sans', 'Noto Sans CJK JP', 'Noto Sans JP', Meiryo, sans-serif";
/// Colours of series that are not published; what is published is always `--minus`.
pub const COLORS: [&str; 6] = ["var(--c1)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c5)", "var(--c6)"];
pub const PUBLISHED: &str = "var(--minus)";
const TICK: f64 = 12.0;
pub const LABEL: f64 = 13.0;

/// How wide a text is, about.
pub fn wide(text: &str, size: f64) -> f64 {
    text.chars().map(|c| if c < '\u{2e80}' { 0.6 } else { 1.0 }).sum::<f64>() * size
}

/// A coordinate with as many digits as a screen shows.
fn n(x: f64) -> String {
    let text = format!("{x:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Where a text begins, relative to its place.
#[derive(Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn word(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// A picture that is being drawn.
#[derive(Default)]
pub struct Canvas(String);

impl Canvas {
    /// Writing to memory does not fail.
    fn put(&mut self, words: std::fmt::Arguments<'_>) {
        let _ = self.0.write_fmt(words);
    }

    pub fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), style: &str) {
        let (x1, y1, x2, y2) = (n(x1), n(y1), n(x2), n(y2));
        self.put(format_args!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {style}/>"));
    }

    pub fn rect(&mut self, (x, y): (f64, f64), (w, h): (f64, f64), style: &str) {
        let (x, y, w, h) = (n(x), n(y), n(w.max(0.0)), n(h.max(0.0)));
        self.put(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" {style}/>"));
    }

    pub fn circle(&mut self, (x, y): (f64, f64), r: f64, fill: &str) {
        self.put(format_args!("<circle cx=\"{}\" cy=\"{}\" r=\"{r}\" fill=\"{fill}\"/>", n(x), n(y)));
    }

    /// What is published: hollow, so that what is computed shows.
    pub fn diamond(&mut self, (x, y): (f64, f64)) {
        self.put(format_args!(
            "<path class=\"published\" d=\"M{} {}l4.4 4.4 -4.4 4.4 -4.4 -4.4z\" stroke=\"{PUBLISHED}\" stroke-width=\"1.6\" fill=\"var(--sheet)\"/>",
            n(x),
            n(y - 4.4)
        ));
    }

    /// A line through points, or the area that they go round.
    pub fn path(&mut self, points: impl Iterator<Item = (f64, f64)>, style: &str) {
        let mut d = String::new();
        for (x, y) in points {
            let _ = write!(d, "{}{} {}", if d.is_empty() { 'M' } else { 'L' }, n(x), n(y));
        }
        self.put(format_args!("<path d=\"{d}\" {style}/>"));
    }

    pub fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, size: f64, style: &str, text: &str) {
        let (x, y, anchor, text) = (n(x), n(y), anchor.word(), escaped(text));
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" font-size=\"{size}\" {style}>{text}</text>"
        ));
    }

    /// The picture as a part of a page: it scales, and has a name.
    pub fn finished(self, (width, height): (f64, f64), class: &str, title: &str) -> String {
        let (width, height) = (n(width), n(height.ceil()));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{class}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{}\" font-family=\"{FONTS}\" fill=\"var(--ink-2)\">{}</svg>",
            escaped(title),
            self.0
        )
    }
}

/// Numbers along an axis, and the ticks that are labelled.
pub struct Ruler {
    log: bool,
    low: f64,
    high: f64,
    pub ticks: Vec<(f64, String)>,
}

impl Ruler {
    /// An axis that holds what there is, with a share of room at both ends.
    pub fn new(axis: &Axis, ends: Option<(f64, f64)>, room: f64, lang: Lang) -> Ruler {
        let log = axis.scale == Scale::Log;
        let (low, high) = ends.unwrap_or((1.0, 2.0));
        if log {
            let (from, to) = (low.log10(), high.log10());
            let room = ((to - from) * room).max(0.05);
            let (from, to) = (from - room, to + room);
            let tick = |x: f64| (x, power(x));
            let mut ticks: Vec<(f64, String)> =
                (from.ceil() as i32..=to.floor() as i32).map(|e| tick(10f64.powi(e))).collect();
            if ticks.len() > 9 {
                ticks = ticks.into_iter().step_by(2).collect();
            } else if ticks.len() < 2 {
                let all = (from.floor() as i32..=to.floor() as i32)
                    .flat_map(|e| [1.0, 2.0, 5.0].map(|k| k * 10f64.powi(e)));
                ticks = all.filter(|x| (from..=to).contains(&x.log10())).map(tick).collect();
            }
            return Ruler { log, low: from, high: to, ticks };
        }
        let even = if low < high { (high - low) * room } else { low.abs().max(1.0) * 0.5 };
        let (from, to) = (low - even, high + even);
        if !axis.names.is_empty() {
            let ticks = axis.names.iter().map(|(x, name)| (*x, name.get(lang).to_owned())).collect();
            let ends = axis.names.iter().fold((from, to), |(a, b), (x, _)| (a.min(x - 0.5), b.max(x + 0.5)));
            return Ruler { log, low: ends.0, high: ends.1, ticks };
        }
        Ruler::plain(from, to)
    }

    /// A linear axis between two numbers.
    pub fn plain(low: f64, high: f64) -> Ruler {
        let range = high - low;
        let rough = range / 8.0;
        let power = 10f64.powf(rough.log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|step| *step >= rough).unwrap_or(range);
        let first = (low / step).ceil();
        let ticks = (0..32).map(|k| (first + f64::from(k)) * step).take_while(|x| *x <= high + step * 1e-9);
        let ticks = ticks.map(|x| (x, number(x, range))).collect();
        Ruler { log: false, low, high, ticks }
    }

    /// Where a number is, from 0 to 1.
    pub fn place(&self, x: f64) -> f64 {
        let x = if self.log { x.log10() } else { x };
        ((x - self.low) / (self.high - self.low)).clamp(-0.5, 1.5)
    }

    /// The width of its widest label.
    pub fn widest(&self) -> f64 {
        self.ticks.iter().map(|t| wide(&t.1, TICK)).fold(0.0, f64::max)
    }
}

/// A tick's number with as many digits as the range needs, grouped, with a real minus.
pub fn number(n: f64, range: f64) -> String {
    let decimals = (1.0 - range.log10().floor()).clamp(0.0, 6.0) as usize;
    let mut digits = format!("{:.decimals$}", n.abs());
    if digits.contains('.') {
        digits.truncate(digits.trim_end_matches('0').trim_end_matches('.').len());
    }
    if decimals == 0 && n.abs() >= 10_000.0 {
        digits = yomikiri_view::report::grouped(n.abs().round() as u64);
    }
    let zero = digits.chars().all(|c| "0.".contains(c));
    if n < 0.0 && !zero { format!("−{digits}") } else { digits }
}

/// A tick of a logarithmic axis as people write it.
pub fn power(n: f64) -> String {
    if (1.0..1e7).contains(&n) {
        return yomikiri_view::report::grouped(n.round() as u64);
    }
    let exponent = n.log10().round() as i32;
    let digits = exponent.unsigned_abs().to_string();
    let raised: String =
        digits.chars().filter_map(|c| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(c.to_digit(10)? as usize)).collect();
    format!("10{}{raised}", if exponent < 0 { "⁻" } else { "" })
}

/// The area that something is drawn in.
#[derive(Clone, Copy)]
pub struct Area {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Area {
    pub fn x(&self, ruler: &Ruler, x: f64) -> f64 {
        self.left + ruler.place(x) * (self.right - self.left)
    }

    pub fn y(&self, ruler: &Ruler, y: f64) -> f64 {
        self.bottom - ruler.place(y) * (self.bottom - self.top)
    }
}

/// Names of the axes: below, and upright on the left.
pub fn names(canvas: &mut Canvas, area: Area, below: f64, x: &str, y: &str) {
    canvas.text(((area.left + area.right) / 2.0, below), Anchor::Middle, LABEL, "", x);
    let (left, middle) = (14.0, (area.top + area.bottom) / 2.0);
    let turned = format!("transform=\"rotate(-90 {left} {})\"", n(middle));
    canvas.text((left, middle), Anchor::Middle, LABEL, &turned, y);
}

/// Lines and labels of the upright axis.
pub fn upright(canvas: &mut Canvas, area: Area, ruler: &Ruler) {
    for (at, label) in &ruler.ticks {
        let y = area.y(ruler, *at);
        canvas.line((area.left, y), (area.right, y), "stroke=\"var(--rule)\"");
        canvas.text((area.left - 6.0, y + 4.0), Anchor::End, TICK, "", label);
    }
    canvas.line((area.left, area.top), (area.left, area.bottom), "stroke=\"var(--edge)\"");
}

/// How far down labels of the level axis reach, and whether they have to be slanted.
pub fn depth(ruler: &Ruler, width: f64) -> (f64, bool) {
    let room = width / ruler.ticks.len().max(1) as f64;
    let slanted = ruler.widest() + 4.0 > room;
    (if slanted { 14.0 + ruler.widest() * 0.6 } else { 18.0 }, slanted)
}

/// Lines and labels of the level axis.
pub fn level(canvas: &mut Canvas, area: Area, ruler: &Ruler, slanted: bool) {
    for (at, label) in &ruler.ticks {
        let x = area.x(ruler, *at);
        canvas.line((x, area.top), (x, area.bottom), "stroke=\"var(--rule)\"");
        let y = area.bottom + if slanted { 12.0 } else { 16.0 };
        if slanted {
            let turned = format!("transform=\"rotate(-35 {} {})\"", n(x), n(y));
            canvas.text((x, y), Anchor::End, TICK, &turned, label);
        } else {
            canvas.text((x, y), Anchor::Middle, TICK, "", label);
        }
    }
    canvas.line((area.left, area.bottom), (area.right, area.bottom), "stroke=\"var(--edge)\"");
}

/// A line of a key: how a series is drawn, and what it is called.
pub struct Entry {
    pub name: String,
    pub color: &'static str,
    pub draw: Draw,
}

/// A key of several series, centred, in as many rows as it needs; how far down it reaches.
pub fn key(canvas: &mut Canvas, entries: &[Entry], top: f64) -> f64 {
    const ROW: f64 = 20.0;
    let mut rows: Vec<(f64, Vec<&Entry>)> = Vec::new();
    for entry in entries {
        let width = 34.0 + wide(&entry.name, TICK);
        match rows.last_mut() {
            Some((used, row)) if *used + width <= WIDTH - 20.0 => {
                *used += width;
                row.push(entry);
            }
            _ => rows.push((width, vec![entry])),
        }
    }
    let mut y = top;
    for (used, row) in rows {
        y += ROW;
        let mut x = ((WIDTH - used) / 2.0).max(6.0);
        for Entry { name, color, draw } in row {
            let middle = (x + 9.0, y - 4.0);
            match draw {
                Draw::Line => {
                    canvas.line(
                        (x, y - 4.0),
                        (x + 18.0, y - 4.0),
                        &format!("stroke=\"{color}\" stroke-width=\"2\""),
                    );
                }
                Draw::Dots => canvas.circle(middle, 3.5, color),
                Draw::Diamonds => canvas.diamond(middle),
                Draw::Band => canvas.rect((x + 2.0, y - 11.0), (14.0, 12.0), &format!("fill=\"{color}\"")),
            }
            canvas.text((x + 23.0, y), Anchor::Start, TICK, "", name);
            x += 34.0 + wide(name, TICK);
        }
    }
    y
}
