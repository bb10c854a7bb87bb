//! The paper's means beside ours. Means of states hang on few deals: one deal of 10,000 may weigh as much as all others. So
//! each is compared twice, as it is printed and without the largest deal, which tables 2 and 3 print as well.

use super::experiment::{ENOUGH, Line, PaperLine, Side};
use crate::stats::{Sample, Z};
use serde_json::Value;
use yomikiri_core::{Text, text};
use yomikiri_view::report::{Block, Cell, Certainty, List, Record, Tone, grouped};

/// A mean of the paper beside ours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Means {
    /// The paper's.
    pub paper: f64,
    /// Ours.
    pub ours: f64,
    /// Where a mean of as many deals as the paper's lies in 95 of 100 cases, by the normal law, if both samples are of one kind.
    pub expected: (f64, f64),
    /// How likely two such samples are to differ as much.
    pub p: f64,
}

impl Means {
    fn new(paper: f64, half: f64, n: u64, ours: &Sample) -> Means {
        let error = ours.mean_error() * (1.0 + ours.len() as f64 / n as f64).sqrt();
        let mean = ours.mean();
        // The paper rounds: of what its figure may stand for, the nearest to ours counts.
        let p = ours.same_mean(mean.clamp(paper - half, paper + half), n);
        Means { paper, ours: mean, expected: (mean - Z * error, mean + Z * error), p }
    }

    /// Whether it lies where 95 of 100 lie.
    pub fn inside(&self) -> bool {
        self.p >= 0.05
    }
}

/// The means of one R and one side, as printed and without the largest deal; none where either sample is small, a deal was
/// given up or the paper has no figure.
pub fn compared(side: Side, both: &(Line, PaperLine)) -> Option<[Means; 2]> {
    let (_, ours, paper) = side.of(both);
    let n = side.published(&both.1)?;
    let (mean, largest) = (paper[2].as_ref()?, paper[3].as_ref()?);
    if n.min(ours.len()) < ENOUGH || both.0.stopped > 0 || ours.mean_error() == 0.0 {
        return None;
    }
    let rest = (n as f64 * mean.paper - largest.paper) / (n - 1) as f64;
    let half = 0.5 * n as f64 / (n - 1) as f64;
    Some([Means::new(mean.paper, 0.5, n, ours), Means::new(rest, half, n - 1, &ours.without_largest())])
}

/// What a pair of comparisons comes to, in words.
fn verdict([printed, rest]: &[Means; 2]) -> Cell {
    match (printed.inside(), rest.inside()) {
        (true, true) => Cell::from(text("inside", "区間内")).tone(Tone::Good),
        (true, false) => {
            Cell::from(text("inside; outside without it", "区間内（最大を除くと外）")).tone(Tone::Warn)
        }
        (false, true) => {
            Cell::from(text("outside, by its largest deal", "区間外（最大の1配列による）")).tone(Tone::Warn)
        }
        (false, false) => Cell::from(text("outside", "区間外")).tone(Tone::Bad),
    }
}

/// All means that can be compared: for people, and for programs.
pub(super) fn table(both: &[(Line, PaperLine)]) -> (Vec<Block>, Vec<Value>) {
    let mut list = List::new(text(
        "Means of tables 2 and 3: where a second sample of 10,000 deals has them in 95 of 100 cases",
        "表2・表3の平均：同種の1万配列の平均が 95 % で入る区間",
    ));
    let (mut all, mut outside, mut by_one) = (0, 0, 0);
    for side in [Side::Success, Side::Failure] {
        for line in both {
            let Some(pair) = compared(side, line) else { continue };
            all += 1;
            outside += u32::from(!pair[0].inside());
            by_one += u32::from(!pair[0].inside() && pair[1].inside());
            let number = |x: f64| grouped(x.max(0.0).round() as u64);
            let span = |m: &Means| format!("{}–{}", number(m.expected.0), number(m.expected.1));
            let row = Record::new().words("side", text("deals that", "配列"), side.word()).count(
                "r",
                text("R>", "R>"),
                line.0.r as u64,
            );
            let names = [
                [
                    text("mean: paper>", "平均：論文>"),
                    text("ours>", "計算>"),
                    text("expected (95 %)>", "区間（95 %）>"),
                ],
                [
                    text("without the largest: paper>", "最大を除く：論文>"),
                    text("ours>", "計算>"),
                    text("expected (95 %)>", "区間（95 %）>"),
                ],
            ];
            let row = pair.iter().zip(names).fold(row, |row, (m, [paper, ours, expected])| {
                row.show(paper, number(m.paper))
                    .show(ours, number(m.ours))
                    .show(expected, span(m))
                    .show(text("p>", "p>"), Cell::from(format!("{:.3}", m.p)).tone(Tone::Dim))
            });
            let of = |m: &Means| {
                serde_json::json!({"paper": m.paper, "ours": m.ours,
                "expected_95": [m.expected.0, m.expected.1], "p": m.p, "inside": m.inside()})
            };
            list.push(
                row.show(text("verdict", "判定"), verdict(&pair))
                    .certainty(Certainty::Sampled)
                    .data("printed", of(&pair[0]))
                    .data("without_largest", of(&pair[1])),
            );
        }
    }
    if all == 0 {
        return (Vec::new(), Vec::new());
    }
    let note = Text::of(
        format!(
            "{outside} of {all} means lie outside; without the largest deal of either sample {by_one} of them lie inside. One in \
             twenty would by chance; the normal law is a rule of thumb here, as states have heavy tails. Not compared: fewer than {ENOUGH} \
             deals on a side, and R with deals that were given up."
        ),
        format!(
            "平均 {all} 個のうち {outside} 個が区間外、そのうち {by_one} 個は両標本の最大の配列を除けば区間内。偶然でも20個に1個は外れる。状態数の分布は裾が重く、正規近似は目安。{ENOUGH} 配列未満、および打ち切りのある R は比べない。"
        ),
    );
    (vec![Block::Table(list.table), Block::Paragraph(note)], list.json)
}
