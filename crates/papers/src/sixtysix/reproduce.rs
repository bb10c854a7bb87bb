//! The referee's table, figure 1, and the studies.

use super::deck::{section_3, theorem_1};
use super::open_ends;
use super::referee::{Finding, View, Wording, endings};
use crate::golden::Erratum;
use crate::golden::{Computed, Golden, Published, compare};
use crate::paper::Study;
use crate::reproduction::{Effort, Lazy, Part, Piece, Question};
use serde_json::{Value, json};
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::params::{Kind, Param, Settings};
use yomikiri_view::report::{Badge, Bars, Block, Cell, Certainty, Outcome, Table, Tone, Verdict, grouped};

/// Hands up to which the endings are gone through in a quick and in a full reproduction.
const QUICK_HAND: usize = 7;
const FULL_HAND: usize = 12;
/// Hands from which section 3 is checked on larger deals as well.
const THOROUGH_HAND: usize = 9;

/// The published statements: each claims that it has no exception.
pub static GOLDEN: [Golden; 1] = [Golden { id: "statements", data: include_str!("golden/statements.toml") }];

/// All findings for hands up to a size, in the paper's order.
pub fn findings(max_hand: usize, run: &Run<'_>) -> Result<Vec<Finding>, Error> {
    let mut all = theorem_1(run)?;
    all.extend(section_3(max_hand >= THOROUGH_HAND, run)?);
    all.extend(endings(max_hand, run)?);
    Ok(all)
}

/// What a finding says of its statement: whether it is as a reader should expect.
fn verdict(f: &Finding) -> Cell {
    match (f.wording, f.failures) {
        (Wording::Paper, 0) => Verdict::Match.into(),
        (Wording::Paper, _) => Verdict::Erratum.into(),
        (Wording::Corrected, 0) => Cell::from(text("holds", "成立")).tone(Tone::Good),
        (Wording::Corrected, _) => {
            let fails = Cell::from(text("FAILS", "不成立")).tone(Tone::Bad);
            Cell { badge: Some(Badge::Verdict(Verdict::Differs)), ..fails }
        }
        (Wording::Other, 0) => text("holds too", "これも成立").into(),
        (Wording::Other, _) => Cell::from(text("fails", "不成立")).tone(Tone::Dim),
    }
}

/// What a statement is called.
fn name(published: &Published, statement: &str) -> Text {
    match statement {
        // Not statements of the paper.
        "avoiding a card" => text("avoiding a card", "カードの回避"),
        "classifier" => text("classifier", "判定器"),
        other => {
            published.cells.iter().find(|c| c.cell == other).map_or_else(|| Text::same(other), |c| c.name())
        }
    }
}

fn referee_table(findings: &[Finding]) -> Table {
    let mut table = Table::new(
        text(
            "the referee's table: every statement, as printed and corrected, against brute force",
            "査読表：論文の全ての主張（原文と訂正）を全探索と照合",
        ),
        &[
            text("statement", "主張"),
            text("wording", "文言"),
            text("reading", "読み"),
            text("checked on", "範囲"),
            text("instances>", "事例数>"),
            text("failures>", "反例数>"),
            text("smallest counterexample", "最小の反例"),
            text("verdict", "判定"),
        ],
    );
    let published = GOLDEN[0].read();
    for f in findings {
        table.row([
            name(&published, f.statement).into(),
            f.wording.word().into(),
            f.reading.clone().into(),
            Cell::from(f.scope.clone()).tone(Tone::Dim),
            grouped(f.instances).into(),
            grouped(f.failures).into(),
            f.smallest.clone().unwrap_or_else(|| "–".into()).into(),
            verdict(f),
        ]);
    }
    table
}

fn findings_json(findings: &[Finding]) -> Vec<Value> {
    let one = |f: &Finding| {
        json!({"statement": f.statement, "wording": f.wording.word().en, "reading": f.reading.en,
            "scope": f.scope.en, "instances": f.instances, "failures": f.failures,
            "smallest": f.smallest, "verdict": verdict(f).text.en, "kind": "exact"})
    };
    findings.iter().map(one).collect()
}

/// What golden cells are compared with: the failures of the paper's wording.
fn computed(findings: &[Finding]) -> Vec<Computed> {
    let paper = findings.iter().filter(|f| f.wording == Wording::Paper);
    paper.map(|f| Computed::count(f.statement, f.failures)).collect()
}

/// A corrected reading that fails is a fault of ours.
fn broken(findings: &[Finding]) -> usize {
    findings.iter().filter(|f| f.wording == Wording::Corrected && f.failures > 0).count()
}

/// Figure 1 is a picture that the text does not spell out: a position of its kind with all quantities of section 4.
fn figure_1() -> [Block; 2] {
    let deal = "ABABQBAB";
    let owners = deal.bytes().enumerate().fold(0u32, |set, (k, c)| set | u32::from(c != b'B') << k);
    let view = View::new(owners, 4, 4);
    let mut table = Table::new(
        text(
            "Figure 1, a position of its kind: weakest card first, Q the scoring card of A",
            "図1に相当する盤面の例：弱い順、QはAの得点札",
        ),
        &[
            text("k>", "k>"),
            text("holder", "持ち主"),
            text("v(k)>", "v(k)>"),
            text("v(k) + w_b>", "v(k) + w_b>"),
            text("", ""),
        ],
    );
    for (k, holder) in deal.chars().enumerate() {
        let marks = [(view.j, "j"), (view.l, "l"), (Some(view.q), "i")];
        let marks: Vec<&str> = marks.iter().filter(|m| m.0 == Some(k)).map(|m| m.1).collect();
        let above = k > view.q;
        table.row([
            (k + 1).to_string().into(),
            holder.to_string().into(),
            view.v[k].to_string().into(),
            if above { (view.v[k] + view.w_b).to_string() } else { "–".into() }.into(),
            marks.join(" ").into(),
        ]);
    }
    [super::figures::block(deal, &view), Block::Table(table)]
}

/// How often the statements that fail do.
fn failing(findings: &[Finding]) -> Bars {
    let published = GOLDEN[0].read();
    let wrong = findings.iter().filter(|f| f.wording == Wording::Paper && f.failures > 0);
    Bars {
        title: text("The statements that fail as printed", "原文のままでは成り立たない主張"),
        note: text(
            "Exact shares of the cases each statement speaks about, in per cent.",
            "各主張の対象となる事例に対する反例の割合（%、厳密）。",
        ),
        x: text("statement", "主張"),
        y: text("counterexamples, %", "反例（%）"),
        series: vec![text("as printed", "原文")],
        bars: wrong
            .map(|f| {
                let share = 100.0 * f.failures as f64 / f.instances.max(1) as f64;
                (name(&published, f.statement), vec![share])
            })
            .collect(),
    }
}

/// The statements that fail as printed, each with its smallest counterexample and the reading that holds.
fn errata(findings: &[Finding]) -> Vec<Erratum> {
    let published = GOLDEN[0].read();
    let wrong = findings.iter().filter(|f| f.wording == Wording::Paper && f.failures > 0);
    wrong
        .map(|f| {
            let right = findings
                .iter()
                .find(|c| c.statement == f.statement && c.wording == Wording::Corrected && c.failures == 0);
            let note = published.cells.iter().find(|c| c.cell == f.statement).map(|c| c.why());
            Erratum {
                place: name(&published, f.statement),
                statement: f.reading.clone(),
                counterexample: Text::of(
                    format!(
                        "{} ({} of {} cases; {})",
                        f.smallest.as_deref().unwrap_or("–"),
                        grouped(f.failures),
                        grouped(f.instances),
                        f.scope.en
                    ),
                    format!(
                        "{}（{}件中{}件、{}）",
                        f.smallest.as_deref().unwrap_or("–"),
                        grouped(f.instances),
                        grouped(f.failures),
                        f.scope.ja
                    ),
                ),
                corrected: match (right, note) {
                    (Some(right), Some(note)) if !note.en.is_empty() => Text::of(
                        format!("{}. It holds as: {}", note.en, right.reading.en),
                        format!("{}。成立する形：{}", note.ja, right.reading.ja),
                    ),
                    (Some(right), _) => right.reading.clone(),
                    (None, note) => note.unwrap_or(text("", "")),
                },
            }
        })
        .collect()
}

/// What the parts share: the findings.
pub struct Results {
    effort: Effort,
    findings: Lazy<Vec<Finding>>,
}

impl Results {
    /// Nothing found yet.
    pub fn new(effort: Effort) -> Results {
        Results { effort, findings: Lazy::default() }
    }

    fn findings(&self, run: &Run<'_>) -> Result<&[Finding], Error> {
        let max_hand = if self.effort == Effort::Quick { QUICK_HAND } else { FULL_HAND };
        self.findings.get(|| findings(max_hand, run)).map(Vec::as_slice)
    }
}

/// The parts.
pub static PARTS: [Part<Results>; 3] = [
    Part {
        id: "statements",
        title: text("Sections 2 to 4: every statement as printed", "2～4節：原文どおりの主張"),
        run: |shared, run| {
            let findings = shared.findings(run)?;
            let mut piece = Piece::from(compare(&GOLDEN[0], &computed(findings)));
            piece.errata = errata(findings);
            Ok(piece)
        },
    },
    Part {
        id: "referee",
        title: text("The referee's table", "査読表"),
        run: |shared, run| {
            let findings = shared.findings(run)?;
            let mut piece = Piece { faults: broken(findings), ..Piece::default() };
            piece.block(Block::Bars(failing(findings)));
            piece.block(Block::Table(referee_table(findings)));
            piece.data("referee", findings_json(findings));
            Ok(piece)
        },
    },
    Part {
        id: "figure-1",
        title: text("Figure 1: the quantities of section 4", "図1：4節の諸量"),
        run: |_, _| {
            let mut piece = Piece::default();
            piece.blocks.extend(figure_1());
            Ok(piece)
        },
    },
];

/// The questions the paper leaves open.
pub static QUESTIONS: [Question; 3] = [
    Question {
        asked: text("What if several cards score?", "得点札が複数の場合はどうか。"),
        known: text(
            "The answers for single cards do not add up: for two cards of one point their sum is right in 94 % of positions with hands of 2, 87 % with 3, 82 % with 4 (study sixtysix several; exact).",
            "1枚ずつの答えの和は正しくない：1点札2枚で、手札2枚なら 94 %、3枚 87 %、4枚 82 % の局面で正しい（study sixtysix several。厳密）。",
        ),
    },
    Question {
        asked: text("What if there is a deck and one scoring card?", "山札があり得点札が1枚の場合はどうか。"),
        known: text(
            "Hands alone cannot decide: with hands of 2 and four cards to come the order of the deck matters in 26 % of cases (study sixtysix deck; exact).",
            "手札だけでは決まらない：手札2枚、山札4枚で 26 % の場合に山札の順序が効く（study sixtysix deck。厳密）。",
        ),
    },
    Question {
        asked: text(
            "What if one card costs points, as in Hearts?",
            "ハーツのように失点札がある場合はどうか。",
        ),
        known: text(
            "Exact shares for hands up to 12, and four simple rules that hold throughout; no closed form is known (study sixtysix hearts).",
            "手札12枚までの厳密な割合と、常に成り立つ4つの規則を得た。閉じた式は未知（study sixtysix hearts）。",
        ),
    },
];

const fn max_hand(min: i64, max: i64, default: &'static str) -> Param {
    Param {
        name: "max-hand",
        kind: Kind::Int { min, max },
        default,
        help: text("the largest hand", "手札の枚数の上限"),
    }
}

static THEOREMS_PARAMS: [Param; 1] = [max_hand(1, 12, "9")];
static GROWTH_PARAMS: [Param; 2] = [
    max_hand(2, 6, "5"),
    Param {
        name: "positions",
        kind: Kind::Int { min: 1000, max: 50_000_000 },
        default: "300000",
        help: text("go on while there are fewer positions than this", "局面数がこれを超えたら止める"),
    },
];
static SEVERAL_PARAMS: [Param; 1] = [max_hand(1, 5, "4")];
static HEARTS_PARAMS: [Param; 1] = [max_hand(1, 12, "9")];
static DECK_PARAMS: [Param; 1] = [Param {
    name: "size",
    kind: Kind::Choice(&[
        ("small", text("hands and decks that take seconds", "数秒で終わる大きさ")),
        ("large", text("larger ones, minutes", "より大きいもの（数分）")),
    ]),
    default: "small",
    help: text("which deals are gone through", "調べる配札の大きさ"),
}];

/// The studies.
pub static STUDIES: [Study; 5] = [
    Study {
        name: "theorems",
        summary: text(
            "every theorem, lemma, fact and strategy of the paper against brute force: the referee's report",
            "論文の全ての定理・補題・事実・ストラテジーを全探索と照合する査読報告",
        ),
        params: &THEOREMS_PARAMS,
        rows: &[],
        run: theorems,
    },
    Study {
        name: "growth",
        summary: text(
            "theorem 1: positions and time for h = 2..5 against n, with the fitted exponent",
            "定理1：h = 2..5 の局面数と時間を n に対して測り、指数を求める",
        ),
        params: &GROWTH_PARAMS,
        rows: &[],
        run: open_ends::growth,
    },
    Study {
        name: "several",
        summary: text(
            "open end: several scoring cards, and how often single answers add up",
            "未解決：得点札が複数のとき、1枚ずつの答えの和が正しい割合",
        ),
        params: &SEVERAL_PARAMS,
        rows: &[],
        run: open_ends::several,
    },
    Study {
        name: "deck",
        summary: text(
            "open end: one scoring card with a deck, and how often the closed forms are wrong",
            "未解決：山札のある得点札1枚で、閉じた式が誤る割合",
        ),
        params: &DECK_PARAMS,
        rows: &[],
        run: open_ends::with_deck,
    },
    Study {
        name: "hearts",
        summary: text("open end: one card that costs points", "未解決：失点札1枚（ハーツ）"),
        params: &HEARTS_PARAMS,
        rows: &[],
        run: open_ends::hearts,
    },
];

fn theorems(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let findings = findings(settings.int("max-hand") as usize, run)?;
    let broken = broken(&findings);
    let certainty = Certainty::Exact.word();
    Ok(Outcome {
        blocks: vec![
            Block::Table(referee_table(&findings)),
            Block::Paragraph(Text::of(
                format!(
                    "All counts are {}. Deals are written weakest card first, Q the scoring card, held by A; the letter in brackets leads. Corrected readings that fail: {broken}.",
                    certainty.en
                ),
                format!(
                    "全て{}な数。配札は弱い順、QはAの持つ得点札、括弧内は先手。成立しない訂正：{broken}個。",
                    certainty.ja
                ),
            )),
        ],
        json: json!({"game": "sixtysix", "study": "theorems", "findings": findings_json(&findings), "broken": broken}),
        good: broken == 0,
    })
}
