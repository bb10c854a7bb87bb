//! Published figures as data, and their comparison with what we compute.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use yomikiri_core::{Text, text};
use yomikiri_view::report::{Cell, Certainty, Table, Tone, Verdict, grouped};

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
    /// Whether the figures are another program's and stand in no publication.
    #[serde(default)]
    pub program: bool,
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
    /// The same as a fraction, where it was published as one: then a computed figure must be that fraction.
    #[serde(default)]
    pub exact: String,
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

/// A text of a data file; without a Japanese one the English stands for both.
fn both(en: &str, ja: &str) -> Text {
    Text::of(en, if ja.is_empty() { en } else { ja })
}

impl PublishedCell {
    /// Its name in both languages.
    pub fn name(&self) -> Text {
        both(&self.cell, &self.cell_ja)
    }

    /// Why we hold what we hold of it.
    pub fn why(&self) -> Text {
        both(&self.note, &self.note_ja)
    }

    /// The figure with the digits it is printed with.
    fn printed(&self) -> String {
        if !self.exact.is_empty() {
            return self.exact.replace('-', "−");
        }
        let decimals = (-self.precision.log10().floor()).clamp(0.0, 12.0) as usize;
        let sign = if self.published < 0.0 { "−" } else { "" };
        if decimals == 0 {
            format!("{sign}{}", grouped(self.published.abs() as u64))
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

/// The figures of several published tables, by table and cell.
pub struct PublishedCells(BTreeMap<(&'static str, String), PublishedCell>);

impl PublishedCells {
    /// Reads the data files.
    pub fn read(tables: &'static [Golden]) -> PublishedCells {
        let cells = tables.iter().flat_map(|golden| golden.read().cells.into_iter().map(|c| (golden.id, c)));
        PublishedCells(cells.map(|(table, cell)| ((table, cell.cell.clone()), cell)).collect())
    }

    /// A cell of a table.
    pub fn get(&self, table: &'static str, cell: &str) -> Option<&PublishedCell> {
        self.0.get(&(table, cell.to_owned()))
    }
}

/// A figure that the paper sampled, beside ours, which is sampled as well: equal they never are.
#[derive(Clone, Debug)]
pub struct Beside {
    /// The paper's figure.
    pub paper: f64,
    /// What is held of it.
    pub status: Status,
    /// How likely it is that figures of the same kind differ as much; none where that cannot be told.
    pub p: Option<f64>,
    /// Whether that likelihood holds for any distribution. For means it may not: one item in 10,000 may weigh as
    /// much as all others.
    pub firm: bool,
    /// From the least to the largest figure that could be printed here and would not be told from ours: what lies outside
    /// would be said to differ. None where our sample is too small to tell anything on some side.
    pub accepted: Option<(f64, f64)>,
}

/// The ends of what would not be told from ours, of figures from `least` to `most`, when `p` says how likely samples of the
/// same kind are to differ as much as ours and such a figure. None where even an extreme figure would not be told apart; if
/// the paper's figure is that extreme itself, there is no end on that side.
pub fn accepted(
    paper: f64,
    ours: f64,
    (least, most): (f64, f64),
    p: impl Fn(f64) -> f64,
) -> Option<(f64, f64)> {
    let end = |extreme: f64, beyond: f64| {
        if p(extreme) >= Beside::DIFFERS {
            return (paper == extreme).then_some(beyond);
        }
        // `p` falls from ours outwards.
        let (mut inside, mut outside) = (ours, extreme);
        for _ in 0..60 {
            let middle = inside.midpoint(outside);
            if p(middle) >= Beside::DIFFERS { inside = middle } else { outside = middle }
        }
        Some(inside)
    };
    Some((end(least, f64::NEG_INFINITY)?, end(most, f64::INFINITY)?))
}

impl Beside {
    /// A figure differs from ours if agreement as poor would be rarer than this: papers have hundreds of figures, so a
    /// few are off by what is 1 in 100.
    pub const DIFFERS: f64 = 0.001;

    /// Whether the two cannot well be of the same kind.
    pub fn differs(&self) -> bool {
        self.firm && self.p.is_some_and(|p| p < Beside::DIFFERS)
    }

    /// What the paper's figure comes to.
    pub fn verdict(&self) -> Verdict {
        match self.status {
            Status::Erratum => Verdict::Erratum,
            Status::Open => Verdict::Open,
            Status::Match if self.differs() => Verdict::Differs,
            Status::Match if self.firm && self.p.is_some() && self.accepted.is_some() => Verdict::Consistent,
            Status::Match => Verdict::Untested,
        }
    }

    /// The figures that would be said to differ, so many times as large and with so many decimals, in a table.
    pub fn would_differ(&self, times: f64, decimals: usize) -> Cell {
        let number = |sign: &str, x: f64| {
            let size = (times * x).abs();
            let digits =
                if decimals == 0 { grouped(size.round() as u64) } else { format!("{size:.decimals$}") };
            let minus = if x < 0.0 && digits.contains(|c| ('1'..='9').contains(&c)) { "−" } else { "" };
            x.is_finite().then(|| format!("{sign} {minus}{digits}"))
        };
        match self.accepted {
            Some((low, high)) if self.status == Status::Match && self.firm => {
                let ends: Vec<String> = [number("<", low), number(">", high)].into_iter().flatten().collect();
                Cell::from(ends.join(", ")).tone(Tone::Dim)
            }
            _ => "".into(),
        }
    }

    /// The likelihood in a table; what is held to be wrong needs none.
    pub fn likelihood(&self) -> Cell {
        match (self.status, self.p) {
            (Status::Erratum, _) => Cell::from(text("slip", "誤記")).tone(Tone::Warn),
            (_, None) => "".into(),
            (_, Some(p)) if self.differs() => Cell::from(format!("{p:.0e} !")).tone(Tone::Bad),
            (_, Some(p)) => Cell::from(format!("{p:.3}")).tone(Tone::Dim),
        }
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
        Computed::exact(cell, n as f64, grouped(n))
    }
}

/// How published figures came out beside ours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Those that agree as printed.
    pub matches: usize,
    /// Those that a sample of ours could have told from ours, and did not.
    pub consistent: usize,
    /// Those that no sample of ours could have told from ours.
    pub untested: usize,
    /// Those that are wrong.
    pub errata: usize,
    /// Those nobody can tell of.
    pub open: usize,
    /// Those that differ and should not.
    pub differing: usize,
    /// How many of those compared are other programs' and stand in no publication.
    pub programs: usize,
}

impl Tally {
    /// Counts a verdict.
    pub fn take(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Match => self.matches += 1,
            Verdict::Consistent => self.consistent += 1,
            Verdict::Untested => self.untested += 1,
            Verdict::Erratum => self.errata += 1,
            Verdict::Open => self.open += 1,
            Verdict::Differs => self.differing += 1,
        }
    }

    /// Adds another tally.
    pub fn add(&mut self, other: &Tally) {
        self.matches += other.matches;
        self.consistent += other.consistent;
        self.untested += other.untested;
        self.errata += other.errata;
        self.open += other.open;
        self.differing += other.differing;
        self.programs += other.programs;
    }

    /// All figures compared: those that were not tested are none of them.
    pub fn compared(&self) -> usize {
        self.matches + self.consistent + self.errata + self.open + self.differing
    }

    /// What was compared, with whose figures they are.
    pub fn figures(&self) -> Text {
        let (programs, all) = (self.programs, self.compared());
        match all.saturating_sub(programs) {
            published if programs == 0 => {
                Text::of(format!("{published} published figures"), format!("公表値{published}個"))
            }
            0 => Text::of(
                format!("{programs} figures of other programs"),
                format!("他のプログラムの値{programs}個"),
            ),
            published => Text::of(
                format!("{published} published figures and {programs} of other programs"),
                format!("公表値{published}個と他のプログラムの値{programs}個"),
            ),
        }
    }

    /// The counts by verdict, for programs; `faults` are what else is not as it should be.
    pub fn json(&self, faults: usize) -> Value {
        json!({"match": self.matches, "consistent": self.consistent, "not_tested": self.untested,
            "erratum": self.errata, "open": self.open, "differing": self.differing + faults})
    }

    /// The counts by verdict, in the order in which they are told.
    pub fn verdicts(&self, faults: usize) -> [(Verdict, usize); 6] {
        [
            (Verdict::Match, self.matches),
            (Verdict::Consistent, self.consistent),
            (Verdict::Erratum, self.errata),
            (Verdict::Open, self.open),
            (Verdict::Differs, self.differing + faults),
            (Verdict::Untested, self.untested),
        ]
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
        let or = |given: Text, other: Text| if given.en.is_empty() { other } else { given };
        let (name, printed) = (cell.name(), cell.printed());
        Erratum {
            place: place.clone(),
            statement: Text::of(format!("{}: {printed}", name.en), format!("{}：{printed}", name.ja)),
            counterexample: or(both(&cell.counterexample, &cell.counterexample_ja), cell.why()),
            corrected: or(both(&cell.corrected, &cell.corrected_ja), Text::same(computed)),
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

/// What a published figure comes to, given what is held of it and whether ours, which is not sampled, equals it.
fn verdict(status: Status, equal: bool) -> Verdict {
    match (status, equal) {
        (Status::Match, true) => Verdict::Match,
        (Status::Erratum, false) => Verdict::Erratum,
        (Status::Open, _) => Verdict::Open,
        // A slip that does not show is a slip of ours.
        (Status::Match, false) | (Status::Erratum, true) => Verdict::Differs,
    }
}

/// How far a computed figure is from the published one, to the digits that can tell.
fn difference(computed: f64, published: f64, precision: f64) -> String {
    let gap = computed - published;
    let decimals = (1.0 - precision.log10().floor()).clamp(0.0, 12.0) as usize;
    let decimals = if precision >= 1.0 && gap.fract() == 0.0 { 0 } else { decimals };
    let digits =
        if decimals == 0 { grouped(gap.abs().round() as u64) } else { format!("{:.decimals$}", gap.abs()) };
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
    let place = both(&published.place, &published.place_ja);
    let mut table = Table::new(
        Text::of(
            format!("{}: {}", place.en, published.title),
            format!("{}：{}", place.ja, published.title_ja),
        ),
        &[
            text("cell", "項目"),
            if published.program {
                text("other program>", "他のプログラム>")
            } else {
                text("published>", "論文>")
            },
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
        let close = (ours.value - cell.published).abs() <= slack;
        let equal = close && (cell.exact.is_empty() || ours.shown.replace('−', "-") == cell.exact);
        let verdict = match (verdict(cell.status, equal), ours.certainty) {
            // What it could have shown is known by its error alone.
            (Verdict::Match, Certainty::Sampled) if ours.error > 0.0 => Verdict::Consistent,
            (Verdict::Match, Certainty::Sampled) => Verdict::Untested,
            (verdict, _) => verdict,
        };
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
    if published.program {
        tally.programs = tally.compared();
    }
    let json = json!({"id": golden.id, "paper": published.paper, "place": published.place,
        "section": published.section, "title": published.title, "cells": cells});
    Comparison { table, json, tally, errata }
}
