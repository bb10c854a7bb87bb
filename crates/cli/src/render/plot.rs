//! Plots as text: lines of braille dots over axes with round tick labels. Series are told apart by
//! letters set on them, and by colour where there is any.

use super::width::width;
use super::{Look, Tone};
use crate::lang::pick;
use yomikiri_view::report::{self, Draw, Plot, Scale};

const COLUMNS: usize = 60;
const ROWS: usize = 16;
/// Dots in a braille letter.
const DOTS: (usize, usize) = (2, 4);
const MARKS: [char; 6] = ['o', 'x', '+', '*', '#', '@'];
const COLORS: [&str; 6] = ["36", "33", "35", "32", "34", "31"];
/// Marks set on a series, so that it can be told from the others.
const MARKS_A_SERIES: usize = 12;

/// What a letter of the canvas shows.
#[derive(Clone, Copy, Default)]
struct Spot {
    dots: u8,
    owner: Option<usize>,
    marked: bool,
}

impl Spot {
    fn letter(&self) -> char {
        match self.owner {
            Some(at) if self.marked => MARKS[at % MARKS.len()],
            _ if self.dots == 0 => ' ',
            _ => char::from_u32(0x2800 + u32::from(self.dots)).unwrap_or(' '),
        }
    }
}

/// An axis: its range and its ticks.
struct Axis {
    low: f64,
    high: f64,
    ticks: Vec<f64>,
    step: f64,
}

impl Axis {
    /// An axis over some numbers with about so many ticks, all inside its range; `round` widens the
    /// range to ticks at both ends.
    fn new(numbers: impl Iterator<Item = f64>, about: f64, round: bool) -> Option<Axis> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for n in numbers {
            (low, high) = (low.min(n), high.max(n));
        }
        if !(low.is_finite() && high.is_finite() && (high - low).is_finite()) {
            return None;
        }
        if high - low <= f64::EPSILON * low.abs().max(high.abs()) {
            let half = if low == 0.0 { 1.0 } else { low.abs() / 2.0 };
            (low, high) = (low - half, high + half);
        }
        let step = nice((high - low) / about);
        if round {
            (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        }
        // Counted, not added up, so that the ticks stay round.
        let first = (low / step - 1e-9).ceil();
        let count = (high / step + 1e-9).floor() - first;
        let ticks = (0..=count.clamp(0.0, 50.0) as u32).map(|i| (first + f64::from(i)) * step).collect();
        Some(Axis { low, high, ticks, step })
    }

    /// An axis over logarithms, whose ticks are whole.
    fn powers(logarithms: impl Iterator<Item = f64>) -> Option<Axis> {
        let mut axis = Axis::new(logarithms, 5.0, false)?;
        (axis.low, axis.high) = (axis.low.floor(), axis.high.ceil().max(axis.low.floor() + 1.0));
        axis.step = ((axis.high - axis.low) / 10.0).ceil();
        let count = ((axis.high - axis.low) / axis.step) as u32;
        axis.ticks = (0..=count).map(|i| axis.low + f64::from(i) * axis.step).collect();
        Some(axis)
    }

    /// Where a number falls on so many places.
    fn place(&self, n: f64, places: usize) -> usize {
        let part = (n - self.low) / (self.high - self.low);
        (part * (places - 1) as f64).round().clamp(0.0, (places - 1) as f64) as usize
    }

    fn label(&self, n: f64) -> String {
        let largest = self.low.abs().max(self.high.abs());
        if largest >= 1e7 || self.step < 1e-5 {
            return format!("{n:.1e}");
        }
        let decimals = (-self.step.log10().floor()).clamp(0.0, 6.0) as usize;
        let label = format!("{n:.decimals$}");
        // A tick at zero may be a rounding error below it.
        if label.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
            label.trim_start_matches('-').to_owned()
        } else {
            label
        }
    }
}

/// A power of ten as people write it: in digits while they can be counted.
fn power(exponent: f64) -> String {
    match exponent as i32 {
        e @ 0..=6 => 10u32.pow(e as u32).to_string(),
        e @ -4..0 => format!("{:.*}", e.unsigned_abs() as usize, 10f64.powi(e)),
        e => format!("1e{e}"),
    }
}

/// The round number (1, 2 or 5 times a power of ten) at or above a step.
fn nice(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let factor = step / power;
    let round = [1.0, 2.0, 5.0].into_iter().find(|r| factor <= r + 1e-9).unwrap_or(10.0);
    round * power
}

/// A plot with its title, axes and legend.
pub fn plot(plot: &Plot, look: &Look, out: &mut String) {
    let title = plot.title.get(look.lang);
    if !title.is_empty() {
        out.push_str(&look.paint(title, Tone::Strong));
        out.push('\n');
    }
    let finite = |p: &(f64, f64)| p.0.is_finite() && p.1.is_finite();
    // Everything is drawn by where it is, logarithms included; only the labels speak of the numbers.
    let along = |axis: &report::Axis, n: f64| match axis.scale {
        Scale::Linear => n,
        Scale::Log => n.log10(),
    };
    let height = |y: f64| along(&plot.y, y);
    // There is no room for intervals; a band is the line in its middle.
    let lines: Vec<Vec<(f64, f64)>> = plot
        .series
        .iter()
        .map(|s| s.points.iter().map(|p| (along(&plot.x, p.x), height(p.y))).filter(finite).collect())
        .collect();
    let points = || lines.iter().flatten();
    let xs = match plot.x.scale {
        Scale::Linear => Axis::new(points().map(|p| p.0), 6.0, false),
        Scale::Log => Axis::powers(points().map(|p| p.0)),
    };
    let reference = plot.reference.filter(|r| height(*r).is_finite());
    let heights = points().map(|p| p.1).chain(reference.map(height));
    let ys = match plot.y.scale {
        Scale::Linear => Axis::new(heights, 5.0, true),
        Scale::Log => Axis::powers(heights),
    };
    let (Some(xs), Some(ys)) = (xs, ys) else {
        out.push_str(pick(look.lang, "(nothing to plot)\n", "（描く点がありません）\n"));
        return;
    };

    let mut canvas = [[Spot::default(); COLUMNS]; ROWS];
    let across = |x: f64| xs.place(x, COLUMNS * DOTS.0);
    let down = |y: f64| ROWS * DOTS.1 - 1 - ys.place(y, ROWS * DOTS.1);
    if let Some(r) = reference {
        for x in (0..COLUMNS * DOTS.0).step_by(3) {
            dot(&mut canvas, x, down(height(r)), None);
        }
    }
    for (at, line) in lines.iter().enumerate() {
        let line: Vec<(usize, usize)> = line.iter().map(|p| (across(p.0), down(p.1))).collect();
        let joined = matches!(plot.series[at].draw, Draw::Line | Draw::Band);
        for pair in line.windows(2).filter(|_| joined) {
            stroke(&mut canvas, pair[0], pair[1], at);
        }
        let every = if joined { line.len().div_ceil(MARKS_A_SERIES).max(1) } else { 1 };
        // Begun at different points, so that series that run together all show.
        for p in line.iter().skip(at % every).step_by(every) {
            let spot = &mut canvas[p.1 / DOTS.1][p.0 / DOTS.0];
            (spot.owner, spot.marked) = (Some(at), true);
        }
    }

    let label = |tick: f64| match plot.y.scale {
        Scale::Linear => ys.label(tick),
        Scale::Log => power(tick),
    };
    let labels: Vec<(usize, String)> = ys.ticks.iter().map(|&t| (down(t) / DOTS.1, label(t))).collect();
    let margin = labels.iter().map(|l| l.1.len()).max().unwrap_or(0);
    let name = plot.y.name.get(look.lang);
    if !name.is_empty() {
        out.push_str(&format!("{}{name}\n", " ".repeat((margin + 1).saturating_sub(width(name) / 2))));
    }
    for (row, spots) in canvas.iter().enumerate() {
        let label = labels.iter().find(|l| l.0 == row).map(|l| l.1.as_str());
        let edge = if label.is_some() { '┤' } else { '│' };
        out.push_str(&format!(
            "{:>margin$} {}",
            label.unwrap_or(""),
            look.paint(&edge.to_string(), Tone::Dim)
        ));
        let end = spots.iter().rposition(|s| s.dots != 0 || s.marked).map_or(0, |at| at + 1);
        for run in spots[..end].chunk_by(|a, b| a.owner == b.owner) {
            let letters: String = run.iter().map(Spot::letter).collect();
            match run[0].owner {
                Some(at) => out.push_str(&look.ansi(&letters, COLORS[at % COLORS.len()])),
                None => out.push_str(&look.paint(&letters, Tone::Dim)),
            }
        }
        out.push('\n');
    }

    let mut rule: Vec<char> = vec!['─'; COLUMNS];
    let mut under = String::new();
    let ticks: Vec<(f64, String)> = if plot.x.names.is_empty() {
        let label = |tick: f64| match plot.x.scale {
            Scale::Linear => xs.label(tick),
            Scale::Log => power(tick),
        };
        xs.ticks.iter().map(|&tick| (tick, label(tick))).collect()
    } else {
        let names = plot.x.names.iter().map(|(x, name)| (along(&plot.x, *x), name.get(look.lang).to_owned()));
        names.filter(|(x, _)| (xs.low..=xs.high).contains(x)).collect()
    };
    for (tick, label) in ticks {
        let at = across(tick) / DOTS.0;
        rule[at] = '┬';
        let start = (margin + 2 + at).saturating_sub(width(&label) / 2);
        if under.is_empty() || start > width(&under) + 1 {
            under.extend(std::iter::repeat_n(' ', start.saturating_sub(width(&under))));
            under.push_str(&label);
        }
    }
    let rule: String = std::iter::once('└').chain(rule).collect();
    out.push_str(&format!("{} {}\n{under}", " ".repeat(margin), look.paint(&rule, Tone::Dim)));
    let name = plot.x.name.get(look.lang);
    if !name.is_empty() {
        out.push_str(&format!("  {name}"));
    }
    out.push('\n');

    let mut legend: Vec<String> = plot
        .series
        .iter()
        .enumerate()
        .map(|(at, series)| {
            let mark = look.ansi(&MARKS[at % MARKS.len()].to_string(), COLORS[at % COLORS.len()]);
            format!("{mark} {}", series.name.get(look.lang))
        })
        .collect();
    if let Some(r) = reference {
        legend.push(format!("{} {r}", look.paint("⠂⠄⠂", Tone::Dim)));
    }
    out.push_str(&format!("{}{}\n", " ".repeat(margin + 2), legend.join("   ")));
}

fn dot(canvas: &mut [[Spot; COLUMNS]; ROWS], x: usize, y: usize, owner: Option<usize>) {
    const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
    let spot = &mut canvas[y / DOTS.1][x / DOTS.0];
    spot.dots |= BITS[x % DOTS.0][y % DOTS.1];
    spot.owner = owner.or(spot.owner);
}

/// A line of dots, by steps along its longer side.
fn stroke(canvas: &mut [[Spot; COLUMNS]; ROWS], from: (usize, usize), to: (usize, usize), owner: usize) {
    let steps = from.0.abs_diff(to.0).max(from.1.abs_diff(to.1)).max(1);
    let between = |a: usize, b: usize, i: usize| {
        let (a, b, part) = (a as f64, b as f64, i as f64 / steps as f64);
        (a + (b - a) * part).round() as usize
    };
    for i in 0..=steps {
        dot(canvas, between(from.0, to.0, i), between(from.1, to.1, i), Some(owner));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::plain;
    use super::*;
    use yomikiri_core::{Lang, text};
    use yomikiri_view::report::{Point, Series};

    fn waves() -> Plot {
        let points = |phase: f64| {
            (1..=50).map(move |n| (f64::from(n), 0.5 + (f64::from(n) / 8.0 + phase).sin() * 0.1))
        };
        let mut plot = Plot::new(
            text("Win rate by ranks", "ランク数と勝率"),
            text("ranks", "ランク数"),
            text("win rate", "勝率"),
        );
        plot.series = vec![
            Series::new(text("even", "偶数"), Draw::Line, points(0.0)),
            Series::new(text("odd", "奇数"), Draw::Line, points(2.0)),
        ];
        plot.reference = Some(0.5);
        plot
    }

    fn drawn(shown: &Plot, lang: Lang) -> String {
        let mut out = String::new();
        plot(shown, &plain(lang), &mut out);
        out
    }

    #[test]
    fn law_a_plot_has_axes_marks_and_a_legend() {
        let out = drawn(&waves(), Lang::En);
        for part in
            ["Win rate by ranks", "win rate", "0.40", "0.60", "50  ranks", "o even   x odd", "0.5\n", "└"]
        {
            assert!(out.contains(part), "{part}: {out}");
        }
        assert!(out.lines().all(|line| width(line) <= 80 && !line.ends_with(' ')), "{out}");
        assert_eq!(out.lines().filter(|l| l.contains('│') || l.contains('┤')).count(), ROWS);
        assert!(drawn(&waves(), Lang::Ja).contains("o 偶数   x 奇数"));
    }

    #[test]
    fn law_odd_data_is_drawn_or_named() {
        let with = |points: Vec<(f64, f64)>| Plot {
            series: vec![Series {
                points: points.into_iter().map(|(x, y)| Point { x, y, interval: None }).collect(),
                ..Series::new(text("s", "s"), Draw::Line, [])
            }],
            reference: None,
            ..waves()
        };
        assert!(drawn(&with(vec![]), Lang::En).contains("nothing to plot"));
        assert!(drawn(&with(vec![(f64::NAN, 1.0)]), Lang::En).contains("nothing to plot"));
        assert!(drawn(&with(vec![(f64::MAX, 1.0), (f64::MIN, 1.0)]), Lang::En).contains("nothing to plot"));
        for point in [(0.0, 0.0), (3.0, -7.0), (1e12, 1e-12), (-1e300, 1e300)] {
            assert!(drawn(&with(vec![point]), Lang::En).contains('o'), "{point:?}");
        }
    }

    #[test]
    fn law_powers_of_ten_are_equally_far_apart_on_a_logarithmic_scale() {
        let growing: Vec<(f64, f64)> = (0..=7).map(|n| (f64::from(n), 10f64.powi(n))).collect();
        let log = |points: Vec<(f64, f64)>| {
            let mut plot = waves();
            plot.y.scale = Scale::Log;
            plot.series = vec![Series::new(text("s", "s"), Draw::Line, points)];
            plot.reference = None;
            plot
        };
        let out = drawn(&log(growing), Lang::En);
        let at = |label: &str| {
            out.lines()
                .position(|l| l.trim_start().starts_with(&format!("{label} ┤")))
                .unwrap_or_else(|| panic!("{label}: {out}"))
        };
        // Below the title and the name of the axis.
        assert_eq!((at("1e7"), at("1")), (2, ROWS + 1));
        assert!((at("1000") - at("10000")).abs_diff(at("10") - at("100")) <= 1, "{out}");
        // What has no logarithm is left out.
        assert!(drawn(&log(vec![(1.0, 0.0), (2.0, -1.0)]), Lang::En).contains("nothing to plot"));
        for points in [vec![(1.0, 5.0)], vec![(1.0, 1.0)], vec![(1.0, 1e-300), (2.0, 1e300), (3.0, 0.0)]] {
            assert!(drawn(&log(points), Lang::En).contains('o'));
        }
        assert_eq!([power(-2.0), power(0.0), power(6.0), power(7.0)], ["0.01", "1", "1000000", "1e7"]);
    }

    #[test]
    fn law_ticks_are_round() {
        assert_eq!([nice(0.03), nice(1.0), nice(2.1), nice(70.0)], [0.05, 1.0, 5.0, 100.0]);
        let axis = Axis::new([0.41, 0.59].into_iter(), 5.0, true).unwrap();
        let labels: Vec<String> = axis.ticks.iter().map(|&t| axis.label(t)).collect();
        assert_eq!(labels, ["0.40", "0.45", "0.50", "0.55", "0.60"]);
        let axis = Axis::new([-1.0, 1.0].into_iter(), 5.0, true).unwrap();
        assert_eq!(axis.label(-1e-17), "0.0");
    }
}
