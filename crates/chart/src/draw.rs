//! Plots, heat maps and bars as SVG, by the crate kuva.

use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::scatter::MarkerShape;
use kuva::plot::{BandPlot, BarPlot, Heatmap, LinePlot, ScatterPlot};
use kuva::prelude::{ColorMap, LegendPosition, Plot as Drawn, TickFormat};
use kuva::render::annotations::{ReferenceLine, TextAnnotation};
use kuva::render::layout::Layout;
use kuva::render::theme::Theme;
use std::sync::Arc;
use yomikiri_core::Lang;
use yomikiri_view::report::{Bars, Draw, Heat, Plot, Point, Scale, Series};
use yomikiri_view::svg::escaped;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 380.0;
/// Fonts by family, as on the page.
const FONTS: &str = "system-ui, 'Segoe UI', 'Noto Sans', 'Hiragino Sans', 'Noto Sans CJK JP', 'Noto Sans JP', Meiryo, sans-serif";
/// Colours of series that are not published; what is published is always `--minus`.
const COLORS: [&str; 6] = ["var(--c1)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c5)", "var(--c6)"];
const PUBLISHED: &str = "var(--minus)";

fn theme() -> Theme {
    Theme {
        background: "none".into(),
        axis_color: "var(--edge)".into(),
        grid_color: "var(--rule)".into(),
        tick_color: "var(--edge)".into(),
        text_color: "var(--ink-2)".into(),
        legend_bg: "none".into(),
        legend_border: "none".into(),
        font_family: Some(FONTS.into()),
        ..Theme::light()
    }
}

fn styled(layout: Layout, x: &str, y: &str) -> Layout {
    layout
        .with_theme(theme())
        .with_font_family(FONTS)
        .with_x_label(literal(x))
        .with_y_label(literal(y))
        .with_label_size(13)
        .with_tick_size(12)
        .with_body_size(12)
        .with_legend_box(false)
        .with_legend_position(LegendPosition::OutsideBottomColumns)
        .with_axis_line_width(1.0)
        .with_grid_line_width(1.0)
}

/// A dollar sign is a dollar sign, not the beginning of a formula.
fn literal(text: &str) -> String {
    text.replace('$', "\\$")
}

/// What kuva has drawn as a part of a page: it scales, has a name, and its marks are its own on the page.
fn finished(svg: String, class: &str, id: &str, title: &str) -> String {
    let Some((head, rest)) = svg.split_once('>') else { return svg };
    let size = |name: &str| {
        let from = head.find(&format!(" {name}=\""))? + name.len() + 3;
        head[from..].split('"').next()?.parse::<f64>().ok()
    };
    let (width, height) = (size("width").unwrap_or(WIDTH), size("height").unwrap_or(HEIGHT));
    // The room kuva keeps for a key is larger than the key: the picture ends below its lowest text.
    let lowest = rest.split("<text ").skip(1).filter_map(|text| {
        let from = text.find(" y=\"")? + 4;
        text[from..].split('"').next()?.parse::<f64>().ok()
    });
    let height = lowest.reduce(f64::max).map_or(height, |lowest| (lowest + 14.0).ceil().min(height));
    let rest = rest
        .replace("kuva-clip-", &format!("{id}-clip-"))
        // What is published is hollow, so that what is computed shows; kuva fills its diamonds.
        .replace(
            &format!("stroke=\"{PUBLISHED}\" stroke-width=\"0.5\" fill=\"{PUBLISHED}\""),
            &format!("class=\"published\" stroke=\"{PUBLISHED}\" stroke-width=\"1.6\" fill=\"var(--sheet)\""),
        );
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{class}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{}\" font-family=\"{FONTS}\" fill=\"var(--ink-2)\">{rest}",
        escaped(title)
    )
}

/// The least and the greatest number an axis must hold.
fn range(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let mut ends: Option<(f64, f64)> = None;
    for n in numbers.filter(|n| n.is_finite()) {
        let (low, high) = ends.unwrap_or((n, n));
        ends = Some((low.min(n), high.max(n)));
    }
    ends
}

/// A plot; `id` sets its marks apart from those of other pictures on the page.
pub fn plot(plot: &Plot, lang: Lang, id: &str) -> String {
    // What has no place on a logarithmic axis is left out.
    let fits = |p: &&Point| {
        (plot.x.scale == Scale::Linear || p.x > 0.0)
            && (plot.y.scale == Scale::Linear
                || (p.y > 0.0 && p.interval.is_none_or(|(low, high)| low > 0.0 && high > 0.0)))
    };
    let mut drawn: Vec<Drawn> = Vec::new();
    let (mut color, mut seen, mut key) = (0, Vec::new(), Vec::new());
    for series in &plot.series {
        let points: Vec<Point> = series.points.iter().filter(fits).copied().collect();
        if points.is_empty() {
            continue;
        }
        let ours = match series.draw {
            Draw::Diamonds => PUBLISHED,
            Draw::Band => "var(--minus)",
            Draw::Line | Draw::Dots => {
                color += 1;
                COLORS[(color - 1) % COLORS.len()]
            }
        };
        draw(series, &points, ours, &mut drawn);
        seen.extend(points);
        key.push(LegendEntry {
            label: literal(series.name.get(lang)),
            color: match series.draw {
                Draw::Band => "color-mix(in srgb, var(--minus) 20%, var(--sheet))".into(),
                _ => ours.into(),
            },
            shape: match series.draw {
                Draw::Line => LegendShape::Line,
                Draw::Dots => LegendShape::Circle,
                Draw::Diamonds => LegendShape::Marker(MarkerShape::Diamond),
                Draw::Band => LegendShape::Rect,
            },
            dasharray: None,
        });
    }
    let heights = seen.iter().flat_map(|p| {
        let (low, high) = p.interval.unwrap_or((p.y, p.y));
        [p.y, low, high]
    });
    let ys = range(heights.chain(plot.reference));
    let xs = range(seen.iter().map(|p| p.x));
    let mut layout = styled(Layout::auto_from_plots(&drawn), plot.x.name.get(lang), plot.y.name.get(lang))
        .with_width(WIDTH)
        .with_height(HEIGHT);
    // One series is named by the title.
    if key.len() > 1 {
        layout = layout.with_legend_entries(key);
    } else {
        layout.show_legend = false;
    }
    if plot.x.scale == Scale::Log {
        layout = layout.with_log_x();
    }
    if plot.y.scale == Scale::Log {
        layout = layout.with_log_y().with_y_tick_format(TickFormat::Custom(Arc::new(power)));
    } else if let Some((low, high)) = ys.filter(|(low, high)| low < high) {
        // Some room above and below, so that no mark lies on the frame.
        let room = (high - low) * 0.06;
        layout = layout.with_y_axis_min(low - room).with_y_axis_max(high + room);
        layout = layout.with_y_tick_format(TickFormat::Custom(Arc::new(move |n| number(n, high - low))));
    }
    if let Some((low, high)) = xs.filter(|(low, high)| low < high && plot.x.scale == Scale::Linear) {
        let room = (high - low) * 0.02;
        layout = layout.with_x_axis_min(low - room).with_x_axis_max(high + room);
        if plot.x.names.is_empty() {
            layout = layout.with_x_tick_format(TickFormat::Custom(Arc::new(move |n| number(n, high - low))));
        } else {
            let names: Vec<(f64, String)> =
                plot.x.names.iter().map(|(x, name)| (*x, name.get(lang).to_owned())).collect();
            let label = move |n: f64| {
                names
                    .iter()
                    .find(|(x, _)| (x - n).abs() < 1e-6)
                    .map_or(String::new(), |(_, name)| name.clone())
            };
            layout = layout
                .with_x_axis_min(low.floor() - 1.0)
                .with_x_axis_max(high.ceil())
                .with_x_tick_step(1.0)
                .with_x_tick_format(TickFormat::Custom(Arc::new(label)));
        }
    }
    if let Some(reference) = plot.reference {
        let line = ReferenceLine::horizontal(reference).with_color("var(--ink-3)").with_dasharray("5 4");
        layout = layout.with_reference_line(line);
    }
    finished(kuva::render_to_svg(drawn, layout), "chart", id, plot.title.get(lang))
}

fn draw(series: &Series, points: &[Point], color: &str, drawn: &mut Vec<Drawn>) {
    let at: Vec<(f64, f64)> = points.iter().map(|p| (p.x, p.y)).collect();
    let errors = || -> Option<Vec<(f64, f64)>> {
        let ends: Vec<(f64, f64)> = points
            .iter()
            .map(|p| p.interval.map_or((0.0, 0.0), |(low, high)| (p.y - low, high - p.y)))
            .collect();
        points.iter().any(|p| p.interval.is_some()).then_some(ends)
    };
    match series.draw {
        Draw::Line => {
            for piece in unbroken(&at) {
                let line = LinePlot::new().with_data(piece).with_color(color).with_stroke_width(2.0);
                drawn.push(line.into());
            }
            let mut dots = ScatterPlot::new().with_data(at).with_color(color).with_size(2.6);
            if let Some(errors) = errors() {
                dots = dots.with_y_err_asymmetric(errors);
            }
            drawn.push(dots.into());
        }
        Draw::Dots => {
            let mut dots = ScatterPlot::new().with_data(at).with_color(color).with_size(3.5);
            if let Some(errors) = errors() {
                dots = dots.with_y_err_asymmetric(errors);
            }
            drawn.push(dots.into());
        }
        Draw::Diamonds => {
            let mut dots = ScatterPlot::new()
                .with_data(at)
                .with_color(color)
                .with_size(3.6)
                .with_marker(MarkerShape::Diamond);
            if let Some(errors) = errors() {
                dots = dots.with_y_err_asymmetric(errors);
            }
            drawn.push(dots.into());
        }
        Draw::Band => {
            let ends = |pick: fn((f64, f64)) -> f64| {
                points.iter().map(move |p| pick(p.interval.unwrap_or((p.y, p.y)))).collect::<Vec<f64>>()
            };
            let xs: Vec<f64> = points.iter().map(|p| p.x).collect();
            let band = BandPlot::new(xs, ends(|e| e.0), ends(|e| e.1));
            drawn.push(band.with_color(color).with_opacity(0.14).into());
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

/// A tick's number with as many digits as the range needs, grouped, with a real minus.
fn number(n: f64, range: f64) -> String {
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
fn power(n: f64) -> String {
    if (1.0..1e7).contains(&n) {
        return yomikiri_view::report::grouped(n.round() as u64);
    }
    let exponent = n.log10().round() as i32;
    let digits = exponent.unsigned_abs().to_string();
    let raised: String =
        digits.chars().filter_map(|c| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(c.to_digit(10)? as usize)).collect();
    format!("10{}{raised}", if exponent < 0 { "⁻" } else { "" })
}

/// A heat map with its numbers printed in the cells.
pub fn heat(heat: &Heat, lang: Lang, id: &str) -> String {
    let (rows, columns) = (heat.rows.len(), heat.columns.len());
    let numbers = || heat.cells.iter().flatten().flatten().map(|c| c.0);
    let (low, high) = range(numbers()).unwrap_or((0.0, 1.0));
    // The first row is on top, as in a table; kuva counts from below.
    let data: Vec<Vec<f64>> = heat
        .cells
        .iter()
        .rev()
        .map(|row| row.iter().map(|c| c.as_ref().map_or(f64::NAN, |c| c.0)).collect())
        .collect();
    let middle = heat.middle;
    let color = move |t: f64| {
        if t.is_nan() {
            return "none".to_owned();
        }
        let value = low + t * (high - low);
        let (tint, share) = match middle {
            None => ("--plus", t),
            Some(middle) => {
                let most = (high - middle).abs().max((middle - low).abs()).max(f64::MIN_POSITIVE);
                (if value < middle { "--minus" } else { "--plus" }, (value - middle).abs() / most)
            }
        };
        // Never so strong that the number in it cannot be read.
        let percent = (6.0 + 52.0 * share.clamp(0.0, 1.0)).round();
        format!("color-mix(in srgb, var({tint}) {percent}%, var(--sheet))")
    };
    let map = Heatmap::new().with_data(data).with_color_map(ColorMap::Custom(Arc::new(color)));
    let drawn: Vec<Drawn> = vec![map.into()];
    let name = |texts: &[yomikiri_core::Text]| -> Vec<String> {
        texts.iter().map(|t| t.get(lang).replace('-', "−")).collect()
    };
    let mut names = name(&heat.rows);
    names.reverse();
    let mut layout = styled(Layout::auto_from_plots(&drawn), heat.x.get(lang), heat.y.get(lang))
        .with_width((130 + 54 * columns).max(360) as f64)
        .with_height((96 + 26 * rows) as f64)
        .with_x_categories(name(&heat.columns))
        .with_y_categories(names)
        .with_tick_size(11)
        .with_show_grid(false);
    layout.show_colorbar = false;
    layout.show_legend = false;
    for (i, row) in heat.cells.iter().enumerate() {
        for (j, cell) in row.iter().enumerate() {
            if let Some((_, text)) = cell {
                let (x, y) = (j as f64 + 1.0, (rows - i) as f64);
                let printed = TextAnnotation::new(literal(text.get(lang)), x, y - 0.39);
                layout = layout.with_annotation(printed.with_color("var(--ink)").with_font_size(12));
            }
        }
    }
    finished(kuva::render_to_svg(drawn, layout), "chart heat", id, heat.title.get(lang))
}

/// Bars, those of one name side by side.
pub fn bars(bars: &Bars, lang: Lang, id: &str) -> String {
    // Long names would run into each other under upright bars.
    let lying = bars.bars.iter().any(|(name, _)| name.get(lang).chars().count() > 6);
    let mut all: Vec<_> = bars.bars.iter().collect();
    if lying {
        // The first is on top; kuva counts from below.
        all.reverse();
    }
    let mut plot = BarPlot::new();
    for (name, lengths) in all {
        let lengths = lengths.iter().enumerate().map(|(i, &n)| (n, COLORS[i % COLORS.len()]));
        plot = plot.with_group(literal(name.get(lang)), lengths);
    }
    if bars.series.len() > 1 {
        plot = plot.with_legend(bars.series.iter().map(|s| s.get(lang)).collect());
    }
    let drawn: Vec<Drawn> = vec![plot.with_horizontal(lying).into()];
    let ticks = TickFormat::Custom(Arc::new(|n| number(n, 1e6)));
    let (x, y) = (bars.x.get(lang), bars.y.get(lang));
    let layout = if lying {
        let height = 90.0 + 30.0 * bars.bars.len() as f64;
        styled(Layout::auto_from_plots(&drawn), y, x).with_height(height).with_x_tick_format(ticks)
    } else {
        styled(Layout::auto_from_plots(&drawn), x, y).with_height(320.0).with_y_tick_format(ticks)
    };
    let layout = layout.with_width(WIDTH);
    finished(kuva::render_to_svg(drawn, layout), "chart", id, bars.title.get(lang))
}

#[cfg(test)]
mod tests {
    use super::*;
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
            let svg = plot(&sample(scale), Lang::En, "a-1");
            checked(&svg, &["line one", "dots", "band", "published", "n & m", "rate, $"]);
            checked(&plot(&sample(scale), Lang::Ja, "a-1"), &["線一", "論文", "率"]);
            for color in ["var(--c1)", "var(--c2)", "var(--minus)"] {
                assert!(svg.contains(color), "{color}");
            }
            // Two published points and the one in the key.
            assert_eq!(svg.matches("class=\"published\"").count(), 3, "{svg}");
            assert!(!svg.contains("kuva-clip"));
        }
    }

    #[test]
    fn law_what_has_no_logarithm_is_left_out() {
        let mut plot_ = sample(Scale::Log);
        plot_.series =
            vec![Series::new(text("s", "s"), Draw::Line, [(1.0, 0.0), (2.0, -1.0), (3.0, 5.0), (4.0, 6.0)])];
        plot_.reference = None;
        checked(&plot(&plot_, Lang::En, "a"), &["rate, $"]);
    }

    #[test]
    fn law_odd_data_is_drawn_without_a_panic() {
        for points in
            [vec![], vec![(1.0, 1.0)], vec![(0.0, 0.0), (1.0, 0.0)], vec![(1e12, 1e-12), (2e12, 1e9)]]
        {
            let mut odd = sample(Scale::Linear);
            odd.series = vec![Series::new(text("s", "s"), Draw::Line, points)];
            odd.reference = None;
            let svg = plot(&odd, Lang::En, "a");
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
        let svg = heat(&map, Lang::En, "h");
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
        checked(&bars(&all, Lang::Ja, "b"), &["手数", "配置数", "甲", "乙", "5", "20,000"]);
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
        checked(&plot(&named, Lang::En, "a"), &["low", "high"]);
    }
}
