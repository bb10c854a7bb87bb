//! Published figures as data, and their comparison with what we compute.

use crate::report::{Cell, Certainty, Table, Tone};
use serde::Deserialize;
use serde_json::{Value, json};
use yomikiri_core::{Text, text};

/// A published table, as the text of its data file.
pub struct Golden {
    /// What results are matched with it by.
    pub id: &'static str,
    /// The data file.
    pub data: &'static str,
}

/// What we hold of a published figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It is right: a computed figure that differs is a fault.
    Match,
    /// It is wrong, and we can show why.
    Erratum,
    /// We cannot tell.
    Open,
}

impl Status {
    /// The word for it.
    pub fn word(self) -> Text {
        match self {
            Status::Match => text("match", "一致"),
            Status::Erratum => text("erratum", "訂正"),
            Status::Open => text("open", "未解決"),
        }
    }
}

/// A data file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Key of the paper.
    pub paper: String,
    /// Where in the paper: table, figure or section.
    pub place: String,
    /// The same in Japanese; as `place` if empty.
    #[serde(default)]
    pub place_ja: String,
    /// The section the figures stand in.
    pub section: String,
    /// What the table shows, in English.
    pub title: String,
    /// What the table shows, in Japanese.
    pub title_ja: String,
    /// The figures.
    #[serde(rename = "cell")]
    pub cells: Vec<PublishedCell>,
}

/// A published figure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedCell {
    /// Its name in the table.
    pub cell: String,
    /// The same in Japanese; as `cell` if empty.
    #[serde(default)]
    pub cell_ja: String,
    /// The figure as a number.
    pub published: f64,
    /// One unit of its last printed digit; a computed figure matches within half of it.
    pub precision: f64,
    /// What we hold of it.
    pub status: Status,
    /// Why, in English.
    #[serde(default)]
    pub note: String,
    /// Why, in Japanese.
    #[serde(default)]
    pub note_ja: String,
}

impl PublishedCell {
    /// Its name in both languages.
    pub fn name(&self) -> Text {
        Text::of(self.cell.as_str(), or(&self.cell_ja, &self.cell))
    }
}

impl Golden {
    /// Reads the data file.
    ///
    /// # Panics
    /// If the file, which is part of the program, is malformed; a test reads them all.
    pub fn read(&self) -> Published {
        toml::from_str(self.data).unwrap_or_else(|e| panic!("golden table {}: {e}", self.id))
    }
}

/// A figure we computed.
#[derive(Clone, Debug)]
pub struct Computed {
    /// Its cell in the golden table.
    pub cell: String,
    /// What it is called where the golden table does not have it.
    pub label: Text,
    /// Its value.
    pub value: f64,
    /// As shown.
    pub shown: String,
    /// What kind of number it is.
    pub certainty: Certainty,
    /// Standard error, for sampled figures.
    pub error: f64,
}

impl Computed {
    /// An exact figure.
    pub fn exact(cell: impl Into<String>, value: f64, shown: impl Into<String>) -> Computed {
        let cell = cell.into();
        let (label, shown) = (Text::same(cell.as_str()), shown.into());
        Computed { cell, label, value, shown, certainty: Certainty::Exact, error: 0.0 }
    }

    /// The same figure called something else.
    pub fn labelled(mut self, label: Text) -> Computed {
        self.label = label;
        self
    }

    /// An exact count.
    pub fn count(cell: impl Into<String>, n: u64) -> Computed {
        Computed::exact(cell, n as f64, crate::report::grouped(n))
    }
}

/// The outcome of a comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// For people.
    pub table: Table,
    /// For programs.
    pub json: Value,
    /// Cells marked `match` that were computed and differ, and those marked `erratum` that do not.
    pub differing: usize,
    /// Cells compared.
    pub compared: usize,
}

/// A text, or another if it is empty.
fn or<'a>(text: &'a str, other: &'a str) -> &'a str {
    if text.is_empty() { other } else { text }
}

/// Sets computed figures beside published ones. Published cells that were not computed in this run are
/// listed as such; computed cells that are not published are listed without a verdict.
pub fn compare(golden: &Golden, computed: &[Computed]) -> Comparison {
    let published = golden.read();
    let mut table = Table::new(
        Text::of(
            format!("{}: {}", published.place, published.title),
            format!("{}：{}", or(&published.place_ja, &published.place), published.title_ja),
        ),
        &[
            text("cell", "項目"),
            text("published>", "論文>"),
            text("computed>", "計算>"),
            text("kind", "種別"),
            text("verdict", "判定"),
            text("note", "備考"),
        ],
    );
    let (mut differing, mut compared, mut cells) = (0, 0, Vec::new());
    for cell in &published.cells {
        let decimals = (-cell.precision.log10().floor()).clamp(0.0, 12.0) as usize;
        let figure = if decimals == 0 {
            let sign = if cell.published < 0.0 { "−" } else { "" };
            format!("{sign}{}", crate::report::grouped(cell.published.abs() as u64))
        } else {
            format!("{:.decimals$}", cell.published)
        };
        let name = Cell::from(cell.name());
        let note = Text::of(cell.note.as_str(), or(&cell.note_ja, &cell.note));
        let Some(ours) = computed.iter().find(|c| c.cell == cell.cell) else {
            table.row([
                name,
                figure.into(),
                "–".into(),
                "".into(),
                Cell::from(text("not in this run", "今回は未計算")).tone(Tone::Dim),
                note.into(),
            ]);
            cells.push(json!({"cell": cell.cell, "published": cell.published, "computed": null,
                "status": cell.status.word().en, "verdict": "not computed"}));
            continue;
        };
        compared += 1;
        // A rounded figure may be off by half a unit; the last bits of the doubles do not count.
        let slack = cell.precision / 2.0 * (1.0 + 1e-9) + 4.0 * ours.error;
        let equal = (ours.value - cell.published).abs() <= slack;
        let (verdict, tone) = match (cell.status, equal) {
            (Status::Match, true) => (Status::Match.word(), Tone::Good),
            (Status::Match, false) => {
                differing += 1;
                (text("DIFFERS", "不一致"), Tone::Bad)
            }
            (Status::Erratum, false) => (Status::Erratum.word(), Tone::Warn),
            // A slip that does not show is a slip of ours.
            (Status::Erratum, true) => {
                differing += 1;
                (text("erratum, yet equal", "訂正だが一致"), Tone::Bad)
            }
            (Status::Open, _) => (Status::Open.word(), Tone::Warn),
        };
        cells.push(json!({"cell": cell.cell, "published": cell.published, "precision": cell.precision,
            "computed": ours.value, "shown": ours.shown, "kind": ours.certainty.word().en,
            "standard_error": ours.error, "status": cell.status.word().en, "verdict": verdict.en, "note": cell.note}));
        table.row([
            name,
            figure.into(),
            ours.shown.clone().into(),
            Cell::from(ours.certainty.word()).tone(Tone::Dim),
            Cell::from(verdict).tone(tone),
            note.into(),
        ]);
    }
    for ours in computed.iter().filter(|c| published.cells.iter().all(|p| p.cell != c.cell)) {
        table.row([
            ours.label.clone().into(),
            "–".into(),
            ours.shown.clone().into(),
            Cell::from(ours.certainty.word()).tone(Tone::Dim),
            "".into(),
            "".into(),
        ]);
        cells.push(json!({"cell": ours.cell, "published": null, "computed": ours.value, "shown": ours.shown,
            "kind": ours.certainty.word().en, "standard_error": ours.error}));
    }
    let json = json!({"id": golden.id, "paper": published.paper, "place": published.place,
        "section": published.section, "title": published.title, "cells": cells});
    Comparison { table, json, differing, compared }
}
