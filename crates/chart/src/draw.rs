//! Plots, heat maps and bars as SVG.

use crate::frame::{
    Anchor, Area, COLORS, Canvas, Entry, LABEL, PUBLISHED, Ruler, WIDTH, depth, key, level, names, upright,
    wide,
};
use yomikiri_core::{Lang, Text};
use yomikiri_view::report::{Bars, Draw, Heat, Plot, Point, Scale, Series};

const HEIGHT: f64 = 300.0;

/// The least and the greatest number an axis must hold.
fn range(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let mut ends: Option<(f64, f64)> = None;
    for n in numbers.filter(|n| n.is_finite()) {
        let (low, high) = ends.unwrap_or((n, n));
        ends = Some((low.min(n), high.max(n)));
    }
    ends
}

/// A plot.
pub fn plot(plot: &Plot, lang: Lang) -> String {
    // What has no place on a logarithmic axis is left out.
    let fits = |p: &&Point| {
        (plot.x.scale == Scale::Linear || p.x > 0.0)
            && (plot.y.scale == Scale::Linear
                || (p.y > 0.0 && p.interval.is_none_or(|(low, high)| low > 0.0 && high > 0.0)))
    };
    let mut color = 0;
    let mut shown: Vec<(&Series, Vec<Point>, &'static str)> = Vec::new();
    for series in &plot.series {
        let points: Vec<Point> = series.points.iter().filter(fits).copied().collect();
        if points.is_empty() {
            continue;
        }
        let ours = match series.draw {
            Draw::Diamonds | Draw::Band => PUBLISHED,
            Draw::Line | Draw::Dots => {
                color += 1;
                COLORS[(color - 1) % COLORS.len()]
            }
        };
        shown.push((series, points, ours));
    }
    let seen = || shown.iter().flat_map(|s| &s.1);
    let heights = seen().flat_map(|p| {
        let (low, high) = p.interval.unwrap_or((p.y, p.y));
        [p.y, low, high]
    });
    let reference = plot.reference.filter(|y| plot.y.scale == Scale::Linear || *y > 0.0);
    // Some room above and below, so that no mark lies on the frame.
    let y = Ruler::new(&plot.y, range(heights.chain(reference)), 0.06, lang);
    let x = Ruler::new(&plot.x, range(seen().map(|p| p.x)), 0.02, lang);
    let left = 34.0 + y.widest();
    let area = Area { left, right: WIDTH - 16.0, top: 10.0, bottom: HEIGHT };
    let (below, slanted) = depth(&x, area.right - area.left);
    let mut canvas = Canvas::default();
    upright(&mut canvas, area, &y);
    level(&mut canvas, area, &x, slanted);
    if let Some(reference) = reference {
        let height = area.y(&y, reference);
        let style = "stroke=\"var(--ink-3)\" stroke-dasharray=\"5 4\"";
        canvas.line((area.left, height), (area.right, height), style);
    }
    for (series, points, color) in &shown {
        draw(series.draw, points, color, |p| (area.x(&x, p.0), area.y(&y, p.1)), &mut canvas);
    }
    let mut end = area.bottom + below + 20.0;
    names(&mut canvas, area, end, plot.x.name.get(lang), plot.y.name.get(lang));
    // One series is named by the title.
    if shown.len() > 1 {
        let entry = |(series, _, color): &(&Series, Vec<Point>, &'static str)| {
            let color = match series.draw {
                Draw::Band => "color-mix(in srgb, var(--minus) 20%, var(--sheet))",
                _ => color,
            };
            Entry { name: series.name.get(lang).to_owned(), color, draw: series.draw }
        };
        let entries: Vec<Entry> = shown.iter().map(entry).collect();
        end = key(&mut canvas, &entries, end + 6.0);
    }
    canvas.finished((WIDTH, end + 10.0), "chart", plot.title.get(lang))
}

fn draw(
    kind: Draw,
    points: &[Point],
    color: &str,
    place: impl Fn((f64, f64)) -> (f64, f64),
    canvas: &mut Canvas,
) {
    if kind == Draw::Band {
        let ends = |p: &Point| p.interval.unwrap_or((p.y, p.y));
        let there = points.iter().map(|p| place((p.x, ends(p).1)));
        let back = points.iter().rev().map(|p| place((p.x, ends(p).0)));
        canvas.path(there.chain(back), &format!("fill=\"{color}\" fill-opacity=\"0.14\""));
        return;
    }
    if kind == Draw::Line {
        let at: Vec<(f64, f64)> = points.iter().map(|p| (p.x, p.y)).collect();
        for piece in unbroken(&at) {
            let style = format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"");
            canvas.path(piece.into_iter().map(&place), &style);
        }
    }
    let stroke = format!("stroke=\"{color}\"");
    for p in points {
        let at = place((p.x, p.y));
        if let Some((low, high)) = p.interval {
            let (low, high) = (place((p.x, low)), place((p.x, high)));
            canvas.line(low, high, &stroke);
            for end in [low, high] {
                canvas.line((end.0 - 3.0, end.1), (end.0 + 3.0, end.1), &stroke);
            }
        }
        match kind {
            Draw::Diamonds => canvas.diamond(at),
            Draw::Dots => canvas.circle(at, 3.5, color),
            Draw::Line | Draw::Band => canvas.circle(at, 2.6, color),
        }
    }
}

/// The pieces of a line: it breaks where points are missing that its spacing would have.
fn unbroken(points: &[(f64, f64)]) -> Vec<Vec<(f64, f64)>> {
    let gaps = points.windows(2).map(|pair| (pair[1].0 - pair[0].0).abs());
    let least = gaps.filter(|gap| *gap > 0.0).fold(f64::INFINITY, f64::min);
    let mut pieces: Vec<Vec<(f64, f64)>> = Vec::new();
    for &point in points {
        match pieces.last_mut() {
            Some(piece) if piece.last().is_some_and(|last| (point.0 - last.0).abs() <= 6.0 * least) => {
                piece.push(point);
            }
            _ => pieces.push(vec![point]),
        }
    }
    pieces
}

/// A heat map with its numbers printed in the cells.
pub fn heat(heat: &Heat, lang: Lang) -> String {
    const CELL: (f64, f64) = (54.0, 26.0);
    const SIZE: f64 = 11.0;
    let (low, high) = range(heat.cells.iter().flatten().flatten().map(|c| c.0)).unwrap_or((0.0, 1.0));
    let color = |value: f64| {
        let (tint, share) = match heat.middle {
            None => ("--plus", (value - low) / (high - low).max(f64::MIN_POSITIVE)),
            Some(middle) => {
                let most = (high - middle).abs().max((middle - low).abs()).max(f64::MIN_POSITIVE);
                (if value < middle { "--minus" } else { "--plus" }, (value - middle).abs() / most)
            }
        };
        // Never so strong that the number in it cannot be read.
        let percent = (6.0 + 52.0 * share.clamp(0.0, 1.0)).round();
        format!("color-mix(in srgb, var({tint}) {percent}%, var(--sheet))")
    };
    let named =
        |texts: &[Text]| -> Vec<String> { texts.iter().map(|t| t.get(lang).replace('-', "−")).collect() };
    let (rows, columns) = (named(&heat.rows), named(&heat.columns));
    let widest = |names: &[String]| names.iter().map(|name| wide(name, SIZE)).fold(0.0, f64::max);
    // The name on the left stands upright, and has to fit as well.
    let tall = wide(heat.y.get(lang), LABEL) / rows.len().max(1) as f64;
    let cell = (CELL.0.max(widest(&columns) + 6.0), CELL.1.max(tall));
    let left = 36.0 + widest(&rows);
    let area = Area {
        left,
        right: left + cell.0 * columns.len() as f64,
        top: 8.0,
        bottom: 8.0 + cell.1 * rows.len() as f64,
    };
    let mut canvas = Canvas::default();
    for (i, (name, cells)) in rows.iter().zip(&heat.cells).enumerate() {
        let top = area.top + cell.1 * i as f64;
        canvas.text((area.left - 6.0, top + cell.1 / 2.0 + 4.0), Anchor::End, SIZE, "", name);
        for (j, there) in cells.iter().enumerate() {
            let Some((value, text)) = there else { continue };
            let corner = (area.left + cell.0 * j as f64, top);
            canvas.rect(corner, cell, &format!("fill=\"{}\"", color(*value)));
            let middle = (corner.0 + cell.0 / 2.0, top + cell.1 / 2.0 + 4.0);
            canvas.text(middle, Anchor::Middle, 12.0, "fill=\"var(--ink)\"", text.get(lang));
        }
    }
    for (j, name) in columns.iter().enumerate() {
        let middle = area.left + cell.0 * (j as f64 + 0.5);
        canvas.text((middle, area.bottom + 15.0), Anchor::Middle, SIZE, "", name);
    }
    names(&mut canvas, area, area.bottom + 34.0, heat.x.get(lang), heat.y.get(lang));
    let width = (area.right + 12.0).max(area.left + wide(heat.x.get(lang), LABEL));
    canvas.finished((width, area.bottom + 44.0), "chart heat", heat.title.get(lang))
}

/// Bars, those of one name side by side.
pub fn bars(bars: &Bars, lang: Lang) -> String {
    // Long names would run into each other under upright bars.
    let lying = bars.bars.iter().any(|(name, _)| name.get(lang).chars().count() > 6);
    let lengths = bars.bars.iter().flat_map(|b| b.1.iter().copied());
    let (low, high) = range(lengths.chain([0.0])).filter(|(low, high)| low < high).unwrap_or((0.0, 1.0));
    let ruler = Ruler::plain(low * 1.05, high * 1.05);
    let widest = bars.bars.iter().map(|(name, _)| wide(name.get(lang), 12.0)).fold(0.0, f64::max);
    let (left, tall) = match lying {
        true => (34.0 + widest, (30.0 * bars.bars.len() as f64).max(wide(bars.x.get(lang), LABEL))),
        false => (34.0 + ruler.widest(), 240.0),
    };
    let area = Area { left, right: WIDTH - 16.0, top: 10.0, bottom: 10.0 + tall };
    let long = if lying { area.bottom - area.top } else { area.right - area.left };
    let room = long / bars.bars.len().max(1) as f64;
    let thick = room * 0.76 / bars.series.len().max(1) as f64;
    let mut canvas = Canvas::default();
    if lying {
        level(&mut canvas, area, &ruler, false);
    } else {
        upright(&mut canvas, area, &ruler);
    }
    for (i, (name, lengths)) in bars.bars.iter().enumerate() {
        let from = room * (i as f64 + 0.12);
        for (k, &length) in lengths.iter().enumerate().filter(|(_, length)| length.is_finite()) {
            let side = from + thick * k as f64;
            let style = format!("fill=\"{}\"", COLORS[k % COLORS.len()]);
            if lying {
                let (a, b) = (area.x(&ruler, length.min(0.0)), area.x(&ruler, length.max(0.0)));
                canvas.rect((a, area.top + side), (b - a, thick), &style);
            } else {
                let (a, b) = (area.y(&ruler, length.max(0.0)), area.y(&ruler, length.min(0.0)));
                canvas.rect((area.left + side, a), (thick, b - a), &style);
            }
        }
        let middle = room * (i as f64 + 0.5);
        if lying {
            let place = (area.left - 6.0, area.top + middle + 4.0);
            canvas.text(place, Anchor::End, 12.0, "", name.get(lang));
        } else {
            let place = (area.left + middle, area.bottom + 16.0);
            canvas.text(place, Anchor::Middle, 12.0, "", name.get(lang));
        }
    }
    let edge = "stroke=\"var(--edge)\"";
    canvas.line((area.left, area.top), (area.left, area.bottom), edge);
    canvas.line((area.left, area.bottom), (area.right, area.bottom), edge);
    let mut end = area.bottom + 38.0;
    let (x, y) = (bars.x.get(lang), bars.y.get(lang));
    let (below, beside) = if lying { (y, x) } else { (x, y) };
    names(&mut canvas, area, end, below, beside);
    if bars.series.len() > 1 {
        let entry = |(name, color): (&Text, &&'static str)| Entry {
            name: name.get(lang).to_owned(),
            color,
            draw: Draw::Band,
        };
        let entries: Vec<Entry> = bars.series.iter().zip(COLORS.iter().cycle()).map(entry).collect();
        end = key(&mut canvas, &entries, end + 6.0);
    }
    canvas.finished((WIDTH, end + 10.0), "chart", bars.title.get(lang))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{number, power};
    use yomikiri_core::{Text, text};
    use yomikiri_view::report::Axis;

    fn sample(scale: Scale) -> Plot {
        let mut plot = Plot::new(text("Win <rate>", "勝率"), text("n & m", "n"), text("rate, $", "率"));
        plot.y.scale = scale;
        let points = |k: f64| (1..=20).map(move |n| (f64::from(n), k * f64::from(n).powi(2)));
        plot.series = vec![
            Series::new(text("line one", "線一"), Draw::Line, points(1.0)),
            Series::with_intervals(
                text("dots", "点"),
                Draw::Dots,
                points(2.0).map(|(x, y)| (x, y, (0.9 * y, 1.2 * y))),
            ),
            Series::with_intervals(
                text("band", "帯"),
                Draw::Band,
                points(3.0).map(|(x, y)| (x, y, (y, 1.1 * y))),
            ),
            Series::new(text("published", "論文"), Draw::Diamonds, [(3.0, 9.0), (4.0, 17.0)]),
        ];
        plot.reference = Some(50.0);
        plot
    }

    /// Every picture is well-formed, has no number that is none, and has its texts as text.
    fn checked(svg: &str, texts: &[&str]) {
        let tree = roxmltree::Document::parse(svg).unwrap_or_else(|e| panic!("{e}: {svg}"));
        assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
        let words: Vec<String> = tree
            .descendants()
            .filter(|n| n.has_tag_name("text"))
            .map(|n| n.descendants().filter_map(|d| d.text()).collect())
            .collect();
        for text in texts {
            assert!(words.iter().any(|w| w.contains(text)), "{text}: {words:?}");
        }
        let root = tree.root_element();
        assert!(root.attribute("viewBox").is_some() && root.attribute("aria-label").is_some());
        // Only variables: a fixed colour would stay on a dark page.
        assert!(!svg.contains("fill=\"#") && !svg.contains("stroke=\"#"), "{svg}");
    }

    #[test]
    fn law_every_series_is_drawn_and_named_in_both_languages() {
        for scale in [Scale::Linear, Scale::Log] {
            let svg = plot(&sample(scale), Lang::En);
            checked(&svg, &["line one", "dots", "band", "published", "n & m", "rate, $"]);
            checked(&plot(&sample(scale), Lang::Ja), &["線一", "論文", "率"]);
            for color in ["var(--c1)", "var(--c2)", "var(--minus)"] {
                assert!(svg.contains(color), "{color}");
            }
            // Two published points and the one in the key.
            assert_eq!(svg.matches("class=\"published\"").count(), 3, "{svg}");
        }
    }

    #[test]
    fn law_what_has_no_logarithm_is_left_out() {
        let mut plot_ = sample(Scale::Log);
        plot_.series =
            vec![Series::new(text("s", "s"), Draw::Line, [(1.0, 0.0), (2.0, -1.0), (3.0, 5.0), (4.0, 6.0)])];
        plot_.reference = None;
        checked(&plot(&plot_, Lang::En), &["rate, $"]);
    }

    #[test]
    fn law_odd_data_is_drawn_without_a_panic() {
        for points in
            [vec![], vec![(1.0, 1.0)], vec![(0.0, 0.0), (1.0, 0.0)], vec![(1e12, 1e-12), (2e12, 1e9)]]
        {
            let mut odd = sample(Scale::Linear);
            odd.series = vec![Series::new(text("s", "s"), Draw::Line, points)];
            odd.reference = None;
            let svg = plot(&odd, Lang::En);
            assert!(!svg.contains("NaN"), "{svg}");
        }
    }

    #[test]
    fn law_a_line_breaks_where_points_are_missing() {
        let far = [(1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (52.0, 1.0)];
        assert_eq!(unbroken(&far).iter().map(Vec::len).collect::<Vec<_>>(), [3, 1]);
        assert_eq!(unbroken(&[(1.0, 0.0), (50.0, 1.0)]).len(), 1);
        assert!(unbroken(&[]).is_empty());
    }

    #[test]
    fn law_heat_maps_print_every_number() {
        let cell = |n: f64| Some((n, Text::same(format!("<{n}>"))));
        let map = Heat {
            title: text("t", "t"),
            note: text("", ""),
            x: text("across", "横"),
            y: text("down", "縦"),
            columns: vec![text("c1", "列1"), text("c2", "列2")],
            rows: vec![text("r1", "行1"), text("r2", "行2"), text("r3", "行3")],
            cells: vec![vec![cell(1.0), cell(-2.0)], vec![None, cell(3.0)], vec![cell(0.0), None]],
            middle: Some(0.0),
        };
        let svg = heat(&map, Lang::En);
        checked(&svg, &["<1>", "<-2>", "<3>", "<0>", "c1", "r3", "across", "down"]);
        assert!(svg.contains("color-mix(in srgb, var(--minus)") && svg.contains("var(--plus)"));
        let above = |text: &str| {
            let tree = roxmltree::Document::parse(&svg).unwrap();
            let node = tree.descendants().find(|n| n.has_tag_name("text") && n.text() == Some(text)).unwrap();
            node.attribute("y").unwrap().parse::<f64>().unwrap()
        };
        assert!(above("<1>") < above("<0>"), "the first row is on top");
    }

    #[test]
    fn law_bars_are_drawn_and_named() {
        let all = Bars {
            title: text("t", "t"),
            note: text("", ""),
            x: text("moves", "手数"),
            y: text("positions", "配置数"),
            series: vec![text("a", "甲"), text("b", "乙")],
            bars: (1..=5).map(|n| (Text::same(n.to_string()), vec![f64::from(n), 20_000.0])).collect(),
        };
        checked(&bars(&all, Lang::Ja), &["手数", "配置数", "甲", "乙", "5", "20,000"]);
    }

    #[test]
    fn law_ticks_are_as_people_write_them() {
        assert_eq!([number(-0.5, 3.0), number(0.0, 3.0), number(12.0, 50.0)], ["−0.5", "0", "12"]);
        assert_eq!(number(20_000.0, 1e5), "20,000");
        assert_eq!([power(1000.0), power(1e8), power(0.01)], ["1,000", "10⁸", "10⁻²"]);
    }

    #[test]
    fn law_names_take_the_place_of_numbers() {
        let mut named = sample(Scale::Linear);
        named.x = Axis { names: vec![(2.0, text("low", "低")), (9.0, text("high", "高"))], ..named.x };
        checked(&plot(&named, Lang::En), &["low", "high"]);
    }
}
