//! The data behind tables and figures: CSV and JSON for programs, SVG for slides.

use super::Paper;
use serde_json::{Map, Value, json};
use yomikiri_core::Lang;
use yomikiri_figure::scene::{self, Look};
use yomikiri_figure::{chart, standalone};
use yomikiri_games::report::{Align, Block, Draw, Plot, Table};

/// The place of a part's JSON.
pub fn json_place(game: &str, part: &str) -> String {
    format!("data/{game}/{part}.json")
}

/// The place of the data of a part's block: the n-th of those that have data, from 1.
pub fn place(game: &str, part: &str, n: usize, ending: &str) -> String {
    format!("data/{game}/{part}-{n}.{ending}")
}

/// Whether a block has data beside it.
pub fn has_data(block: &Block) -> bool {
    matches!(block, Block::Table(_) | Block::Plot(_) | Block::Heat(_) | Block::Bars(_) | Block::Scene { .. })
}

/// A picture of a block, if it has one that is a chart.
pub fn picture(block: &Block, lang: Lang, id: &str) -> Option<String> {
    match block {
        Block::Plot(plot) => Some(chart::plot(plot, lang, id)),
        Block::Heat(heat) => Some(chart::heat(heat, lang, id)),
        Block::Bars(bars) => Some(chart::bars(bars, lang, id)),
        _ => None,
    }
}

/// The data files of a paper.
pub fn files(paper: &Paper) -> Vec<(String, Vec<u8>)> {
    let game = paper.game.about().id;
    let mut files = Vec::new();
    for part in &paper.parts {
        let id = part.label.id;
        let mut shown = Vec::new();
        for (n, block) in part.piece.blocks.iter().filter(|b| has_data(b)).enumerate() {
            let csv = match block {
                Block::Table(table) => Some(table_csv(table)),
                Block::Plot(plot) => Some(plot_csv(plot)),
                Block::Heat(heat) => Some(table_csv(&heat.table())),
                Block::Bars(bars) => Some(table_csv(&bars.table())),
                _ => None,
            };
            files.extend(csv.map(|csv| (place(game, id, n + 1, "csv"), csv)));
            for (lang, ending) in [(Lang::En, "svg"), (Lang::Ja, "ja.svg")] {
                if let Some(svg) = picture(block, lang, "figure") {
                    files.push((place(game, id, n + 1, ending), standalone(&svg, lang).into_bytes()));
                }
            }
            if let Block::Scene { scenes, .. } = block {
                for (lang, ending) in [(Lang::En, "svg"), (Lang::Ja, "ja.svg")] {
                    for (i, scene) in scenes.iter().enumerate() {
                        let svg = scene::svg(scene, &Look { lang, ..Look::default() });
                        let ending = format!("{}.{ending}", i + 1);
                        files.push((place(game, id, n + 1, &ending), svg.into_bytes()));
                    }
                }
            }
            shown.push(serde_json::to_value(block).unwrap_or_default());
        }
        let mut json: Map<String, Value> = part.piece.json.clone();
        json.insert("game".into(), game.into());
        json.insert("part".into(), id.into());
        json.insert("title".into(), json!(part.label.title));
        json.insert("shown".into(), shown.into());
        let text = format!("{:#}\n", Value::Object(json));
        files.push((json_place(game, id), text.into_bytes()));
    }
    files
}

/// A number as people write it, read back; none if it is anything else.
fn number(text: &str) -> Option<f64> {
    let plain = text.replace(',', "").replace('−', "-");
    let plain = plain.strip_prefix('+').unwrap_or(&plain);
    let digits = plain.chars().all(|c| c.is_ascii_digit() || ".-".contains(c));
    if digits { plain.parse().ok().filter(|n: &f64| n.is_finite()) } else { None }
}

fn csv(rows: impl IntoIterator<Item = Vec<String>>) -> Vec<u8> {
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
    csv(rows)
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
    csv(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_core::text;
    use yomikiri_games::report::Cell;

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
