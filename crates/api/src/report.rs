//! Reports as JSON: blocks that the page draws, charts as SVG, and the CSV behind each.

use crate::fault::text_json;
use serde_json::{Value, json};
use yomikiri_chart::{csv, picture};
use yomikiri_core::Lang;
use yomikiri_view::report::{Align, Badge, Block, Cell, Certainty, Table, Tone, Verdict};

/// Blocks as JSON, charts drawn, with the tables behind them as CSV. Those are addressed by the job's id and their number, which goes
/// on behind `before`.
pub fn blocks(job: &str, before: usize, blocks: &[Block]) -> (Vec<Value>, Vec<Vec<u8>>) {
    let (mut out, mut tables) = (Vec::with_capacity(blocks.len()), Vec::new());
    for block in blocks {
        let mut value = match block {
            Block::Heading(words) => json!({"type": "text", "text": text_json(words), "heading": true}),
            Block::Paragraph(words) => json!({"type": "text", "text": text_json(words)}),
            Block::Facts(rows) => {
                let rows: Vec<Value> =
                    rows.iter().map(|(name, c)| json!([text_json(name), cell(c)])).collect();
                json!({"type": "facts", "rows": rows})
            }
            Block::Table(table) => self::table(table),
            Block::Plot(plot) => {
                json!({"type": "chart", "title": text_json(&plot.title), "note": text_json(&plot.note)})
            }
            Block::Heat(heat) => {
                json!({"type": "chart", "title": text_json(&heat.title), "note": text_json(&heat.note)})
            }
            Block::Bars(bars) => {
                json!({"type": "chart", "title": text_json(&bars.title), "note": text_json(&bars.note)})
            }
            Block::Scene { caption, scenes, .. } => {
                json!({"type": "scenes", "caption": text_json(caption), "scenes": scenes})
            }
            Block::Drawing(words) => json!({"type": "drawing", "text": text_json(words)}),
        };
        if let (Some(csv), Value::Object(fields)) = (csv(block), &mut value) {
            tables.push(csv);
            let number = before + tables.len();
            fields.insert("csv".into(), format!("/api/jobs/{job}/tables/{number}.csv").into());
            let svg = |lang| picture(block, lang);
            if let (Some(en), Some(ja)) = (svg(Lang::En), svg(Lang::Ja)) {
                fields.insert("svg".into(), json!({"en": en, "ja": ja}));
            }
        }
        out.push(value);
    }
    (out, tables)
}

fn table(table: &Table) -> Value {
    let columns: Vec<Value> = table
        .columns
        .iter()
        .map(|c| {
            let align = if c.align == Align::Right { "right" } else { "left" };
            json!({"head": text_json(&c.head), "align": align})
        })
        .collect();
    let rows: Vec<Vec<Value>> = table.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    json!({"type": "table", "title": text_json(&table.title), "columns": columns, "rows": rows})
}

fn cell(cell: &Cell) -> Value {
    let tone = match cell.tone {
        Tone::Plain => "plain",
        Tone::Strong => "strong",
        Tone::Good => "good",
        Tone::Warn => "warn",
        Tone::Bad => "bad",
        Tone::Dim => "dim",
    };
    let badge = cell.badge.map(|badge| match badge {
        Badge::Verdict(Verdict::Match) => "match",
        Badge::Verdict(Verdict::Consistent) => "consistent",
        Badge::Verdict(Verdict::Untested) => "not_tested",
        Badge::Verdict(Verdict::Erratum) => "erratum",
        Badge::Verdict(Verdict::Open) => "open",
        Badge::Verdict(Verdict::Differs) => "differs",
        Badge::Certainty(Certainty::Exact) => "exact",
        Badge::Certainty(Certainty::Bound) => "bound",
        Badge::Certainty(Certainty::Sampled) => "sampled",
    });
    match badge {
        None => json!({"text": text_json(&cell.text), "tone": tone}),
        Some(badge) => json!({"text": text_json(&cell.text), "tone": tone, "badge": badge}),
    }
}
