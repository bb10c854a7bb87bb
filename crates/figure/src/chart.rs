//! Plots, heat maps and bars as SVG, by the crate kuva.

use crate::escaped;
use kuva::plot::scatter::MarkerShape;
use kuva::plot::{BandPlot, BarPlot, Heatmap, LinePlot, ScatterPlot};
use kuva::prelude::{ColorMap, LegendPosition, Plot as Drawn, TickFormat};
use kuva::render::annotations::{ReferenceLine, TextAnnotation};
use kuva::render::layout::Layout;
use kuva::render::theme::Theme;
use std::sync::Arc;
use yomikiri_core::Lang;
use yomikiri_games::report::{Bars, Draw, Heat, Plot, Point, Scale, Series};

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
fn finished(svg: String, id: &str, title: &str) -> String {
    let Some((head, rest)) = svg.split_once('>') else { return svg };
    let size = |name: &str| {
        let from = head.find(&format!(" {name}=\""))? + name.len() + 3;
        head[from..].split('"').next()?.parse::<f64>().ok()
    };
    let (width, height) = (size("width").unwrap_or(WIDTH), size("height").unwrap_or(HEIGHT));
    let rest = rest.replace("kuva-clip-", &format!("{id}-clip-"));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{}\" font-family=\"{FONTS}\" fill=\"var(--ink-2)\">{rest}",
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
    let (mut color, mut seen) = (0, Vec::new());
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
        draw(series, &points, ours, lang, &mut drawn);
        seen.extend(points);
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
    finished(kuva::render_to_svg(drawn, layout), id, plot.title.get(lang))
}

fn draw(series: &Series, points: &[Point], color: &str, lang: Lang, drawn: &mut Vec<Drawn>) {
    let name = literal(series.name.get(lang));
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
            let mut line = LinePlot::new().with_data(at.clone()).with_color(color).with_stroke_width(2.0);
            line = line.with_legend(name);
            drawn.push(line.into());
            let mut dots = ScatterPlot::new().with_data(at).with_color(color).with_size(2.6);
            if let Some(errors) = errors() {
                dots = dots.with_y_err_asymmetric(errors);
            }
            drawn.push(dots.into());
        }
        Draw::Dots => {
            let mut dots =
                ScatterPlot::new().with_data(at).with_color(color).with_size(3.5).with_legend(name);
            if let Some(errors) = errors() {
                dots = dots.with_y_err_asymmetric(errors);
            }
            drawn.push(dots.into());
        }
        Draw::Diamonds => {
            let mut dots = ScatterPlot::new()
                .with_data(at)
                .with_color(color)
                .with_size(5.0)
                .with_marker(MarkerShape::Diamond)
                // Hollow, so that what is computed shows through.
                .with_marker_opacity(0.0)
                .with_marker_stroke_width(1.6)
                .with_legend(name);
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
            drawn.push(band.with_color(color).with_opacity(0.14).with_legend(name).into());
        }
    }
}

/// A tick's number with as many digits as the range needs, grouped, with a real minus.
fn number(n: f64, range: f64) -> String {
    let decimals = (1.0 - range.log10().floor()).clamp(0.0, 6.0) as usize;
    let mut digits = format!("{:.decimals$}", n.abs());
    if digits.contains('.') {
        digits.truncate(digits.trim_end_matches('0').trim_end_matches('.').len());
    }
    if decimals == 0 && n.abs() >= 10_000.0 {
        digits = yomikiri_games::report::grouped(n.abs().round() as u64);
    }
    let zero = digits.chars().all(|c| "0.".contains(c));
    if n < 0.0 && !zero { format!("−{digits}") } else { digits }
}

/// A tick of a logarithmic axis as people write it.
fn power(n: f64) -> String {
    if (1.0..1e7).contains(&n) {
        return yomikiri_games::report::grouped(n.round() as u64);
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
        .with_width((120 + 46 * columns).max(360) as f64)
        .with_height((96 + 26 * rows) as f64)
        .with_x_categories(name(&heat.columns))
        .with_y_categories(names)
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
    finished(kuva::render_to_svg(drawn, layout), id, heat.title.get(lang))
}

/// Bars, those of one name side by side.
pub fn bars(bars: &Bars, lang: Lang, id: &str) -> String {
    let mut plot = BarPlot::new();
    for (name, lengths) in &bars.bars {
        let lengths = lengths.iter().enumerate().map(|(i, &n)| (n, COLORS[i % COLORS.len()]));
        plot = plot.with_group(literal(name.get(lang)), lengths);
    }
    if bars.series.len() > 1 {
        plot = plot.with_legend(bars.series.iter().map(|s| s.get(lang)).collect());
    }
    let drawn: Vec<Drawn> = vec![plot.into()];
    let layout = styled(Layout::auto_from_plots(&drawn), bars.x.get(lang), bars.y.get(lang))
        .with_width(WIDTH)
        .with_height(320.0)
        .with_y_tick_format(TickFormat::Custom(Arc::new(|n| number(n, 1e6))));
    finished(kuva::render_to_svg(drawn, layout), id, bars.title.get(lang))
}
