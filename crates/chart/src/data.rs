//! The data behind the blocks of a report: a chart as SVG, and CSV for programs. The report and the page give out the
//! same.

use crate::draw as chart;
use yomikiri_core::Lang;
use yomikiri_view::report::{Align, Block, Draw, Plot, Table};

/// Whether a block has data beside it.
pub fn has_data(block: &Block) -> bool {
    matches!(block, Block::Table(_) | Block::Plot(_) | Block::Heat(_) | Block::Bars(_) | Block::Scene { .. })
}

/// A picture of a block, if it has one that is a chart.
pub fn picture(block: &Block, lang: Lang) -> Option<String> {
    match block {
        Block::Plot(plot) => Some(chart::plot(plot, lang)),
        Block::Heat(heat) => Some(chart::heat(heat, lang)),
        Block::Bars(bars) => Some(chart::bars(bars, lang)),
        _ => None,
    }
}

/// The numbers of a block as CSV, if it has any: heads in English, numbers plain and whole.
pub fn csv(block: &Block) -> Option<Vec<u8>> {
    match block {
        Block::Table(table) => Some(table_csv(table)),
        Block::Plot(plot) => Some(plot_csv(plot)),
        Block::Heat(heat) => Some(table_csv(&heat.table())),
        Block::Bars(bars) => Some(table_csv(&bars.table())),
        _ => None,
    }
}

/// A number as people write it, read back; none if it is anything else.
fn number(text: &str) -> Option<f64> {
    let plain = text.replace(',', "").replace('−', "-");
    let plain = plain.strip_prefix('+').unwrap_or(&plain);
    let digits = plain.chars().all(|c| c.is_ascii_digit() || ".-".contains(c));
    if digits { plain.parse().ok().filter(|n: &f64| n.is_finite()) } else { None }
}

fn records(rows: impl IntoIterator<Item = Vec<String>>) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for row in rows {
        // Writing to memory does not fail.
        let _ = writer.write_record(&row);
    }
    writer.into_inner().unwrap_or_default()
}

fn table_csv(table: &Table) -> Vec<u8> {
    let mut rows = vec![table.columns.iter().map(|c| c.head.en.to_string()).collect::<Vec<_>>()];
    for row in &table.rows {
        let cells = row.iter().zip(&table.columns).map(|(cell, column)| {
            let numeric = column.align == Align::Right;
            match cell.value.or_else(|| number(&cell.text.en).filter(|_| numeric)) {
                Some(value) => value.to_string(),
                None if cell.text.en == "–" => String::new(),
                None => cell.text.en.to_string(),
            }
        });
        rows.push(cells.collect());
    }
    records(rows)
}

fn plot_csv(plot: &Plot) -> Vec<u8> {
    let mut rows = vec![["series", "drawn", "x", "y", "low", "high"].map(str::to_owned).to_vec()];
    for series in &plot.series {
        let kind = match series.draw {
            Draw::Line => "line",
            Draw::Dots => "dots",
            Draw::Diamonds => "published",
            Draw::Band => "band",
        };
        for p in &series.points {
            let end = |pick: fn((f64, f64)) -> f64| p.interval.map_or(String::new(), |e| pick(e).to_string());
            rows.push(vec![
                series.name.en.to_string(),
                kind.to_owned(),
                p.x.to_string(),
                p.y.to_string(),
                end(|e| e.0),
                end(|e| e.1),
            ]);
        }
    }
    records(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_core::text;
    use yomikiri_view::report::Cell;

    #[test]
    fn law_numbers_in_data_files_are_whole_and_plain() {
        let mut table = Table::new(text("t", "t"), &[text("name", "名"), text("n>", "n>")]);
        table.row(["a, b".into(), "1,234".into()]);
        table.row(["1,000".into(), "−0.50".into()]);
        table.row(["c".into(), "–".into()]);
        table.row(["d".into(), Cell::from("0.333").value(1.0 / 3.0)]);
        table.row(["e".into(), "0.5 ± 0.1".into()]);
        assert_eq!(
            String::from_utf8(table_csv(&table)).unwrap(),
            "name,n\n\"a, b\",1234\n\"1,000\",-0.5\nc,\nd,0.3333333333333333\ne,0.5 ± 0.1\n"
        );
    }
}
