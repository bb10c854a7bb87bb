//! The sheet beside the board: what the position is worth, the moves as one chart, a line of play.

use super::pen::{Anchor, Pen, Rect, lattice, n, plain, width, wrap};
use crate::report::Certainty;
use crate::scene::{Line, Move, Scale, Scene, Tone, Value, Worth};
use yomikiri_core::{Text, text};

const PAD: f64 = 18.0;
static MOVES: Text = text("Moves, best first", "候補手（最善順）");
static LEGAL: Text = text("Legal moves", "合法手");

/// Draws the sheet into a width; the height it takes.
pub fn draw(pen: &mut Pen, scene: &Scene, (left, top): (f64, f64), wide: f64) -> f64 {
    let mut y = top;
    if let Some(value) = &scene.value {
        y = worth(pen, value, left, y, wide);
    }
    if !scene.moves.is_empty() {
        y = moves(pen, scene, left, y, wide);
    }
    if let Some(line) = &scene.line {
        y = self::line(pen, line, left, y, wide);
    }
    let trust = pen.say(&scene.trust).to_owned();
    if !trust.is_empty() || !scene.notation.is_empty() {
        pen.line("y-rule", left, y, left + wide, y);
        y += 20.0;
        for row in wrap(&trust, 12.0, wide - 2.0 * PAD).into_iter().filter(|row| !row.is_empty()) {
            pen.text("y-ink2", left + PAD, y, Anchor::Start, &row);
            y += 17.0;
        }
        for row in notation(&scene.notation, wide - 2.0 * PAD) {
            pen.text("y-mono y-ink", left + PAD, y + 1.0, Anchor::Start, &row);
            y += 16.0;
        }
    }
    y - top
}

/// A notation in lines of one width: letters of a fixed font are equally wide.
fn notation(given: &str, most: f64) -> Vec<String> {
    let fits = ((most / 6.9) as usize).max(8);
    let letters: Vec<char> = given.chars().collect();
    letters.chunks(fits).map(|line| line.iter().collect()).collect()
}

fn worth(pen: &mut Pen, v: &Worth, left: f64, top: f64, wide: f64) -> f64 {
    let (of, said, note) =
        (pen.say(&v.of).to_owned(), pen.say(&v.text).to_owned(), pen.say(&v.note).to_owned());
    let stamp_wide = stamp(pen, v.cert, left + wide - PAD, top + 14.0);
    let mut y = top + 28.0;
    for (i, row) in wrap(&of, 13.0, wide - 2.0 * PAD - stamp_wide - 10.0).into_iter().enumerate() {
        if i > 0 {
            y += 17.0;
        }
        pen.text("y-s13 y-ink2", left + PAD, y, Anchor::Start, &row);
    }
    y += 38.0;
    pen.text("y-s30 y-b y-ink", left + PAD, y, Anchor::Start, &said);
    let beside = PAD + width(&plain(&said), 30.0, true) + 10.0;
    let room = wide - beside - PAD;
    let rows = wrap(&note, 13.0, room.max(150.0));
    if room >= 150.0 && rows.len() <= 2 {
        let mut at = y - 10.0 * (rows.len() - 1) as f64;
        for row in rows {
            pen.text("y-s13 y-ink2", left + beside, at, Anchor::Start, &row);
            at += 17.0;
        }
    } else {
        for row in wrap(&note, 13.0, wide - 2.0 * PAD) {
            y += 19.0;
            pen.text("y-s13 y-ink2", left + PAD, y, Anchor::Start, &row);
        }
    }
    y += 16.0;
    pen.line("y-rule", left, y, left + wide, y);
    y
}

/// The kind of a number, at the right of a point; the width it takes.
fn stamp(pen: &mut Pen, cert: Certainty, right: f64, top: f64) -> f64 {
    let word = cert.word();
    let word = pen.say(&word).to_owned();
    let icon = if cert == Certainty::Bound { 0.0 } else { 14.0 };
    let w = width(&word, 12.0, true) + 16.0 + icon;
    let r = Rect { x: right - w, y: top, w, h: 20.0 };
    let (class, ink) = match cert {
        Certainty::Exact => ("y-stamp y-exact", "y-b y-exact"),
        Certainty::Bound => ("y-stamp", "y-b y-ink"),
        Certainty::Sampled => ("y-stamp y-sampled", "y-b y-ink"),
    };
    pen.rect(class, r, 4.0);
    match cert {
        Certainty::Exact => pen.rect("y-inv", Rect { x: r.x + 8.0, y: top + 6.5, w: 7.0, h: 7.0 }, 0.0),
        Certainty::Sampled => pen.circle("y-ring", r.x + 11.5, top + 10.0, 3.5),
        Certainty::Bound => {
            for x in [r.x + 1.0, r.x + w - 1.0] {
                pen.stroke("y-ring", &format!("M{} {}v20", n(x), n(top)), 3.0);
            }
        }
    }
    pen.text(ink, r.x + 8.0 + icon, top + 14.5, Anchor::Start, &word);
    w
}

/// The columns of the list.
struct Columns {
    left: f64,
    wide: f64,
    label: (f64, f64),
    rail: (f64, f64),
}

impl Columns {
    fn right(&self) -> f64 {
        self.left + self.wide - PAD
    }
    fn x(&self, scale: &Scale, value: f64) -> f64 {
        let part = (value.clamp(scale.min, scale.max) - scale.min) / (scale.max - scale.min);
        // Where there is no room for a rail, at least not outside.
        (self.rail.0 + part * self.rail.1).max(self.left)
    }
}

fn moves(pen: &mut Pen, scene: &Scene, left: f64, top: f64, wide: f64) -> f64 {
    let valued = scene.moves.iter().any(|m| m.value.is_some());
    let longest = |of: &dyn Fn(&Value) -> &Text, size: f64, bold: bool| {
        let words = scene
            .moves
            .iter()
            .filter_map(|m| m.value.as_ref())
            .map(|v| width(&plain(pen.say(of(v))), size, bold));
        words.fold(0.0, f64::max)
    };
    let name = scene.scale.as_ref().map_or(0.0, |s| width(pen.say(&s.name), 12.0, false));
    let values = longest(&|v| &v.text, 14.0, true).max(longest(&|v| &v.sub, 12.0, false)).max(name) + 2.0;
    let rail = if wide > 520.0 { wide * 0.34 } else { 104.0 };
    let label = left + PAD + 26.0;
    let label_wide =
        if valued { wide - 2.0 * PAD - 26.0 - rail - values - 30.0 } else { wide - 2.0 * PAD - 26.0 };
    let columns = Columns {
        left,
        wide,
        label: (label, label_wide.max(60.0)),
        rail: (left + wide - PAD - values - 14.0 - rail, rail),
    };
    let mut y = top + 26.0;
    let head = pen.say(if valued { &MOVES } else { &LEGAL }).to_owned();
    pen.text("y-ink2", columns.label.0, y, Anchor::Start, &head);
    if let Some(scale) = &scene.scale {
        for (x, label) in &scale.ticks {
            let label = pen.say(label).to_owned();
            pen.text("y-s11 y-ink2", columns.x(scale, *x), y, Anchor::Middle, &label);
        }
        let name = pen.say(&scale.name).to_owned();
        pen.text("y-ink2", columns.right(), y, Anchor::End, &name);
    }
    y += 8.0;
    for (i, m) in scene.moves.iter().enumerate() {
        y = row(pen, scene, &columns, m, i + 1, y);
    }
    pen.line("y-rule", left, y, left + wide, y);
    y
}

/// Whether a row is one of the best, where there is anything to choose.
fn tinted(scene: &Scene, m: &Move) -> bool {
    m.rank == Some(1) && scene.moves.iter().any(|m| m.pick)
}

fn row(pen: &mut Pen, scene: &Scene, columns: &Columns, m: &Move, number: usize, top: f64) -> f64 {
    let label = wrap(pen.say(&m.label), 14.0, columns.label.1);
    let note = wrap(pen.say(&m.note), 12.0, columns.label.1);
    let notes = if m.note.is_empty() { 0 } else { note.len() };
    let sub = m.value.as_ref().is_some_and(|v| !v.sub.is_empty());
    let said = 17.0 * label.len() as f64 + 15.0 * notes as f64;
    let tall = said.max(if sub { 33.0 } else { 17.0 }) + 11.0;
    if tinted(scene, m) {
        pen.rect("y-row", Rect { x: columns.left, y: top, w: columns.wide, h: tall }, 0.0);
        pen.line("y-rowedge", columns.left, top, columns.left + columns.wide, top);
        pen.line("y-rowedge", columns.left, top + tall, columns.left + columns.wide, top + tall);
    } else if number > 1 && !tinted(scene, &scene.moves[number - 2]) {
        pen.line("y-rule", columns.left + PAD, top, columns.left + columns.wide - PAD, top);
    }
    let middle = top + tall / 2.0;
    pen.text("y-ink2", columns.label.0 - 9.0, middle + 4.5, Anchor::End, &number.to_string());
    let mut y = middle - said / 2.0 + 13.5;
    for line in &label {
        pen.text("y-s14 y-ink", columns.label.0, y, Anchor::Start, line);
        y += 17.0;
    }
    for line in note.iter().take(notes) {
        pen.text("y-ink2", columns.label.0, y - 2.0, Anchor::Start, line);
        y += 15.0;
    }
    if let (Some(value), Some(scale)) = (&m.value, &scene.scale) {
        for (x, _) in &scale.ticks {
            let x = columns.x(scale, *x);
            pen.line("y-rule", x, top, x, top + tall);
        }
        let mid = columns.x(scale, scale.mid);
        pen.line("y-mid", mid, top, mid, top + tall);
        bar(pen, columns, scale, value, middle);
        let (said, below) = (pen.say(&value.text).to_owned(), pen.say(&value.sub).to_owned());
        let up = if sub { 8.0 } else { 0.0 };
        pen.text("y-s14 y-b y-ink", columns.right(), middle + 5.0 - up, Anchor::End, &said);
        if sub {
            pen.text("y-ink2", columns.right(), middle + 13.0, Anchor::End, &below);
        }
    }
    top + tall
}

/// The bar of a value: solid to the right, hatched to the left, a square for the middle; a dot with its interval
/// where it is not exact.
fn bar(pen: &mut Pen, columns: &Columns, scale: &Scale, value: &Value, y: f64) {
    let (x, mid) = (columns.x(scale, value.x), columns.x(scale, scale.mid));
    if let Some((low, high)) = value.interval {
        let (a, b) = (columns.x(scale, low), columns.x(scale, high));
        pen.line("y-whisker", a, y, b, y);
        if value.cert == Certainty::Sampled {
            pen.circle("y-dot", x, y, 4.0);
        } else {
            for end in [a, b] {
                pen.rect("y-dot", Rect { x: end - 1.5, y: y - 7.0, w: 3.0, h: 14.0 }, 0.0);
            }
        }
        return;
    }
    let r = Rect { x: x.min(mid), y: y - 6.0, w: (x - mid).abs().max(1.5), h: 12.0 };
    match value.tone {
        Tone::Zero => pen.rect("y-zero", Rect { x: mid - 4.5, y: y - 4.5, w: 9.0, h: 9.0 }, 0.0),
        Tone::Plus => pen.rect("y-bar", r, 0.0),
        Tone::Minus => {
            pen.path("y-out", &lattice(r, 5.0, false));
            pen.rect("y-out", r, 0.0);
        }
    }
}

fn line(pen: &mut Pen, line: &Line, left: f64, top: f64, wide: f64) -> f64 {
    let (title, note) = (pen.say(&line.title).to_owned(), pen.say(&line.note).to_owned());
    let (x0, right) = (left + PAD, left + wide - PAD);
    let mut y = top + 24.0;
    pen.text("y-b y-ink2", x0, y, Anchor::Start, &title);
    pen.text("y-ink2", right, y, Anchor::End, &note);
    y += 22.0;
    if line.list {
        for step in &line.steps {
            let (said, sub) = (pen.say(&step.text).to_owned(), pen.say(&step.sub).to_owned());
            pen.text("y-s14 y-ink", x0, y, Anchor::Start, &said);
            pen.text("y-s14 y-ink", right, y, Anchor::End, &sub);
            y += 23.0;
        }
        return y;
    }
    let mut x = x0;
    for (i, step) in line.steps.iter().enumerate() {
        let (said, sub) = (pen.say(&step.text).to_owned(), pen.say(&step.sub).to_owned());
        let number = (i + 1).to_string();
        let lead = width(&number, 12.0, false).max(13.0) + 4.0;
        let wide = width(&plain(&said), 14.0, false);
        let after = if sub.is_empty() { 0.0 } else { width(&sub, 12.0, false) + 4.0 };
        if x > x0 && x + lead + wide + after > right {
            (x, y) = (x0, y + 22.0);
        }
        pen.text("y-ink3", x + lead - 4.0, y, Anchor::End, &number);
        let ink = if step.seat == Some(1) { "y-s14 y-ink2" } else { "y-s14 y-ink" };
        pen.text(ink, x + lead, y, Anchor::Start, &said);
        if !sub.is_empty() {
            pen.text("y-ink2", x + lead + wide + 4.0, y, Anchor::Start, &sub);
        }
        x += lead + wide + after + 10.0;
    }
    y + 18.0
}
