//! Published figures as data, and their comparison with what we compute.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use yomikiri_core::{Text, text};
use yomikiri_view::report::{Cell, Certainty, Table, Tone, Verdict};

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
    /// For an erratum: the smallest counterexample, or what shows it.
    #[serde(default)]
    pub counterexample: String,
    /// The same in Japanese; as `counterexample` if empty.
    #[serde(default)]
    pub counterexample_ja: String,
    /// For an erratum: what it should say.
    #[serde(default)]
    pub corrected: String,
    /// The same in Japanese; as `corrected` if empty.
    #[serde(default)]
    pub corrected_ja: String,
}

impl PublishedCell {
    /// Its name in both languages.
    pub fn name(&self) -> Text {
        Text::of(self.cell.as_str(), or(&self.cell_ja, &self.cell))
    }

    /// Why we hold what we hold of it.
    pub fn why(&self) -> Text {
        Text::of(self.note.as_str(), or(&self.note_ja, &self.note))
    }

    /// The figure with the digits it is printed with.
    pub fn printed(&self) -> String {
        let decimals = (-self.precision.log10().floor()).clamp(0.0, 12.0) as usize;
        let sign = if self.published < 0.0 { "−" } else { "" };
        if decimals == 0 {
            format!("{sign}{}", yomikiri_view::report::grouped(self.published.abs() as u64))
        } else {
            format!("{sign}{:.decimals$}", self.published.abs())
        }
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
        Computed::exact(cell, n as f64, yomikiri_view::report::grouped(n))
    }
}

/// How published figures came out beside ours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Those that agree.
    pub matches: usize,
    /// Those that are wrong.
    pub errata: usize,
    /// Those nobody can tell of.
    pub open: usize,
    /// Those that differ and should not.
    pub differing: usize,
}

impl Tally {
    /// Counts a verdict.
    pub fn take(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Match => self.matches += 1,
            Verdict::Erratum => self.errata += 1,
            Verdict::Open => self.open += 1,
            Verdict::Differs => self.differing += 1,
        }
    }

    /// Adds another tally.
    pub fn add(&mut self, other: &Tally) {
        self.matches += other.matches;
        self.errata += other.errata;
        self.open += other.open;
        self.differing += other.differing;
    }

    /// All figures compared.
    pub fn compared(&self) -> usize {
        self.matches + self.errata + self.open + self.differing
    }
}

/// A slip of a paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Erratum {
    /// Where it stands.
    pub place: Text,
    /// What the paper says.
    pub statement: Text,
    /// The smallest counterexample, or what else shows that it is wrong.
    pub counterexample: Text,
    /// What it should say.
    pub corrected: Text,
}

impl Erratum {
    /// The erratum of a golden cell, beside what we computed.
    pub fn of(cell: &PublishedCell, place: &Text, computed: &str) -> Erratum {
        let or =
            |given: &str, other: &str| if given.is_empty() { other.to_owned() } else { given.to_owned() };
        let why = cell.why();
        Erratum {
            place: place.clone(),
            statement: Text::of(
                format!("{}: {}", cell.name().en, cell.printed()),
                format!("{}：{}", cell.name().ja, cell.printed()),
            ),
            counterexample: Text::of(
                or(&cell.counterexample, &why.en),
                or(&or(&cell.counterexample_ja, &cell.counterexample), &why.ja),
            ),
            corrected: Text::of(
                or(&cell.corrected, computed),
                or(&or(&cell.corrected_ja, &cell.corrected), computed),
            ),
        }
    }
}

/// The outcome of a comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// For people.
    pub table: Table,
    /// For programs.
    pub json: Value,
    /// How the cells that were compared came out.
    pub tally: Tally,
    /// The errata among them.
    pub errata: Vec<Erratum>,
}

/// A text, or another if it is empty.
fn or<'a>(text: &'a str, other: &'a str) -> &'a str {
    if text.is_empty() { other } else { text }
}

/// What a published figure comes to, given what is held of it and whether ours equals it.
pub fn verdict(status: Status, equal: bool) -> Verdict {
    match (status, equal) {
        (Status::Match, true) => Verdict::Match,
        (Status::Erratum, false) => Verdict::Erratum,
        (Status::Open, _) => Verdict::Open,
        // A slip that does not show is a slip of ours.
        (Status::Match, false) | (Status::Erratum, true) => Verdict::Differs,
    }
}

/// How far a computed figure is from the published one, to the digits that can tell.
pub fn difference(computed: f64, published: f64, precision: f64) -> String {
    let gap = computed - published;
    let decimals = (1.0 - precision.log10().floor()).clamp(0.0, 12.0) as usize;
    let decimals = if precision >= 1.0 && gap.fract() == 0.0 { 0 } else { decimals };
    let digits = if decimals == 0 {
        yomikiri_view::report::grouped(gap.abs().round() as u64)
    } else {
        format!("{:.decimals$}", gap.abs())
    };
    let zero = digits.chars().all(|c| c == '0' || c == '.');
    let sign = match gap {
        _ if zero => "",
        gap if gap < 0.0 => "−",
        _ => "+",
    };
    format!("{sign}{digits}")
}

/// Sets computed figures beside published ones. Published cells that were not computed in this run are
/// listed as such; computed cells that are not published are listed without a verdict.
pub fn compare(golden: &Golden, computed: &[Computed]) -> Comparison {
    let published = golden.read();
    let place = Text::of(published.place.as_str(), or(&published.place_ja, &published.place));
    let mut table = Table::new(
        Text::of(
            format!("{}: {}", place.en, published.title),
            format!("{}：{}", place.ja, published.title_ja),
        ),
        &[
            text("cell", "項目"),
            text("published>", "論文>"),
            text("computed>", "計算>"),
            text("difference>", "差>"),
            text("kind", "種別"),
            text("verdict", "判定"),
            text("note", "備考"),
        ],
    );
    let (mut tally, mut errata, mut cells) = (Tally::default(), Vec::new(), Vec::new());
    for cell in &published.cells {
        let name = Cell::from(cell.name());
        let figure = Cell::from(cell.printed()).value(cell.published);
        let Some(ours) = computed.iter().find(|c| c.cell == cell.cell) else {
            table.row([
                name,
                figure,
                "–".into(),
                "".into(),
                "".into(),
                Cell::from(text("not in this run", "今回は未計算")).tone(Tone::Dim),
                cell.why().into(),
            ]);
            cells.push(json!({"cell": cell.cell, "published": cell.published, "computed": null,
                "status": cell.status.word().en, "verdict": "not computed"}));
            continue;
        };
        // A rounded figure may be off by half a unit; the last bits of the doubles do not count.
        let slack = cell.precision / 2.0 * (1.0 + 1e-9) + 4.0 * ours.error;
        let equal = (ours.value - cell.published).abs() <= slack;
        let verdict = verdict(cell.status, equal);
        tally.take(verdict);
        if verdict == Verdict::Erratum {
            errata.push(Erratum::of(cell, &place, &ours.shown));
        }
        let said = match (cell.status, verdict) {
            (Status::Erratum, Verdict::Differs) => {
                Cell { text: text("erratum, yet equal", "訂正だが一致"), ..verdict.into() }
            }
            _ => Cell::from(verdict),
        };
        cells.push(json!({"cell": cell.cell, "published": cell.published, "precision": cell.precision,
            "computed": ours.value, "shown": ours.shown, "kind": ours.certainty.word().en,
            "standard_error": ours.error, "status": cell.status.word().en, "verdict": said.text.en, "note": cell.note}));
        table.row([
            name,
            figure,
            Cell::from(ours.shown.clone()).value(ours.value),
            Cell::from(difference(ours.value, cell.published, cell.precision))
                .value(ours.value - cell.published),
            ours.certainty.into(),
            said,
            cell.why().into(),
        ]);
    }
    for ours in computed.iter().filter(|c| published.cells.iter().all(|p| p.cell != c.cell)) {
        table.row([
            ours.label.clone().into(),
            "–".into(),
            Cell::from(ours.shown.clone()).value(ours.value),
            "".into(),
            ours.certainty.into(),
            "".into(),
            "".into(),
        ]);
        cells.push(json!({"cell": ours.cell, "published": null, "computed": ours.value, "shown": ours.shown,
            "kind": ours.certainty.word().en, "standard_error": ours.error}));
    }
    // A column without a word is no column.
    if table.rows.iter().all(|row| row.last().is_none_or(|note| note.text.en.is_empty())) {
        table.columns.pop();
        table.rows.iter_mut().for_each(|row| drop(row.pop()));
    }
    let json = json!({"id": golden.id, "paper": published.paper, "place": published.place,
        "section": published.section, "title": published.title, "cells": cells});
    Comparison { table, json, tally, errata }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &str = r#"
        paper = "p"
        place = "Table 1"
        section = "1"
        title = "counts"
        title_ja = "数"
        [[cell]]
        cell = "right"
        published = 12.5
        precision = 0.1
        status = "match"
        [[cell]]
        cell = "wrong"
        published = -1100.0
        precision = 1.0
        status = "erratum"
        note = "misprinted"
        counterexample = "A B"
        corrected = "1,000"
        [[cell]]
        cell = "unknown"
        published = 3.0
        precision = 1.0
        status = "open"
    "#;

    fn verdicts(data: &'static str) -> (Vec<String>, Comparison) {
        let computed = [
            Computed::exact("right", 12.53, "12.53"),
            Computed::exact("wrong", -1000.0, "−1,000"),
            Computed::exact("unknown", 4.0, "4"),
        ];
        let found = compare(&Golden { id: "t", data }, &computed);
        (found.table.rows.iter().map(|row| row[5].text.en.to_string()).collect(), found)
    }

    #[test]
    fn law_a_changed_golden_value_changes_the_verdict() {
        let (said, found) = verdicts(DATA);
        assert_eq!(said, ["match", "erratum", "open"]);
        assert_eq!(found.tally, Tally { matches: 1, errata: 1, open: 1, differing: 0 });
        let changed: &'static str = DATA.replace("12.5", "12.6").leak();
        assert_eq!(verdicts(changed).0, ["DIFFERS", "erratum", "open"]);
        assert_eq!(verdicts(changed).1.tally.differing, 1);
        let mended: &'static str = DATA.replace("-1100", "-1000").leak();
        assert_eq!(verdicts(mended).0, ["match", "erratum, yet equal", "open"]);
        assert_eq!(verdicts(mended).1.tally.differing, 1);
    }

    #[test]
    fn law_an_erratum_says_what_shows_it_and_what_is_right() {
        let (_, found) = verdicts(DATA);
        let [erratum] = &found.errata[..] else { panic!("{:?}", found.errata) };
        assert_eq!((erratum.counterexample.en.as_ref(), erratum.corrected.en.as_ref()), ("A B", "1,000"));
        assert!(erratum.statement.en.contains("wrong") && erratum.statement.en.contains("−1,100"));
    }

    #[test]
    fn law_differences_have_the_digits_that_can_tell() {
        assert_eq!(difference(12.53, 12.5, 0.1), "+0.03");
        assert_eq!(difference(7.0, 12_007.0, 1.0), "−12,000");
        assert_eq!(difference(4.999, 5.0, 1.0), "0.0");
        assert_eq!(difference(5.0, 5.0, 0.01), "0.000");
    }
}
