//! The referee's table, figure 1, and the studies.

use super::deck::{section_3, theorem_1};
use super::open_ends;
use super::referee::{Cases, Finding, View, Wording, endings};
use crate::golden::{Computed, Erratum, Golden, Published, compare};
use crate::paper::Study;
use crate::reproduction::{Effort, Evidence, Lazy, Part, Piece, Question, Standing};
use serde_json::json;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::report::{
    Badge, Bars, Block, Cell, Certainty, List, Outcome, Record, Tone, Verdict, grouped,
};

/// Hands up to which the endings are gone through in a quick and in a full reproduction.
const QUICK_HAND: usize = 7;
const FULL_HAND: usize = 12;
/// Hands from which section 3 is checked on larger deals as well.
const THOROUGH_HAND: usize = 9;

/// The published statements: each claims that it has no exception.
pub(super) static GOLDEN: [Golden; 1] =
    [Golden { id: "statements", data: include_str!("golden/statements.toml") }];

/// All findings for hands up to a size, in the paper's order.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn findings(max_hand: usize, run: &Run<'_>) -> Result<Vec<Finding>, Error> {
    let mut all = theorem_1(run)?;
    all.extend(section_3(max_hand >= THOROUGH_HAND, run)?);
    all.extend(endings(max_hand, run)?);
    Ok(all)
}

/// What a finding says of its statement: whether it is as a reader should expect.
fn verdict(f: &Finding) -> Cell {
    match (f.wording, f.holds()) {
        (Wording::Paper, true) => Verdict::Match.into(),
        (Wording::Paper, false) => Verdict::Erratum.into(),
        (Wording::Corrected, true) => Cell::from(text("holds", "成立")).tone(Tone::Good),
        (Wording::Corrected, false) => {
            let fails = Cell::from(text("FAILS", "不成立")).tone(Tone::Bad);
            Cell { badge: Some(Badge::Verdict(Verdict::Differs)), ..fails }
        }
        (Wording::Other, true) => text("holds too", "これも成立").into(),
        (Wording::Other, false) => Cell::from(text("fails", "不成立")).tone(Tone::Dim),
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

fn referee_list(findings: &[Finding]) -> List {
    let mut list = List::new(text(
        "the referee's table: every statement, as printed and corrected, against brute force",
        "査読表：論文の全ての主張（原文と訂正）を全探索と照合",
    ));
    let published = GOLDEN[0].read();
    for f in findings {
        let Cases { instances, failures, smallest } = f.cases.clone();
        let (verdict, scope) = (verdict(f), Cell::from(f.scope.clone()).tone(Tone::Dim));
        let said = verdict.text.en.to_string();
        list.push(
            Record::new()
                .field("statement", text("statement", "主張"), name(&published, f.statement), f.statement)
                .words("wording", text("wording", "文言"), f.wording.word())
                .words("reading", text("reading", "読み"), f.reading.clone())
                .field("scope", text("checked on", "範囲"), scope, f.scope.en.as_ref())
                .count("instances", text("instances>", "事例数>"), instances)
                .count("failures", text("failures>", "反例数>"), failures)
                .show(text("smallest counterexample", "最小の反例"), smallest.as_deref().unwrap_or("–"))
                .data("smallest", smallest)
                .field("verdict", text("verdict", "判定"), verdict, said)
                .data("kind", "exact"),
        );
    }
    list
}

/// The statements in the paper's wording.
fn printed(findings: &[Finding]) -> impl Iterator<Item = &Finding> {
    findings.iter().filter(|f| f.wording == Wording::Paper)
}

/// A corrected reading that fails is a fault of ours.
fn broken(findings: &[Finding]) -> usize {
    findings.iter().filter(|f| f.wording == Wording::Corrected && !f.holds()).count()
}

/// Figure 1 is a picture that the text does not spell out: a position of its kind with all quantities of section 4.
fn figure_1() -> [Block; 2] {
    let deal = "ABABQBAB";
    let owners = deal.bytes().enumerate().fold(0u32, |set, (k, c)| set | u32::from(c != b'B') << k);
    let view = View::new(owners, 4, 4);
    let mut list = List::new(text(
        "Figure 1, a position of its kind: weakest card first, Q the scoring card of A",
        "図1に相当する盤面の例：弱い順、QはAの得点札",
    ));
    for (k, holder) in deal.chars().enumerate() {
        let marks = [(view.j, "j"), (view.l, "l"), (Some(view.q), "i")];
        let marks: Vec<&str> = marks.iter().filter(|m| m.0 == Some(k)).map(|m| m.1).collect();
        let sum = if k > view.q { (view.v[k] + view.w_b).to_string() } else { "–".into() };
        list.push(
            Record::new()
                .show(text("k>", "k>"), (k + 1).to_string())
                .show(text("holder", "持ち主"), holder.to_string())
                .show(text("v(k)>", "v(k)>"), view.v[k].to_string())
                .show(text("v(k) + w_b>", "v(k) + w_b>"), sum)
                .show(text("", ""), marks.join(" ")),
        );
    }
    [super::figures::block(deal, &view), Block::Table(list.table)]
}

/// How often the statements that fail do.
fn failing(findings: &[Finding]) -> Bars {
    let published = GOLDEN[0].read();
    let share = |f: &Finding| 100.0 * f.cases.failures as f64 / f.cases.instances.max(1) as f64;
    let wrong = printed(findings).filter(|f| !f.holds());
    Bars {
        title: text("The statements that fail as printed", "原文のままでは成り立たない主張"),
        note: text(
            "Exact shares of the cases each statement speaks about, in per cent.",
            "各主張の対象となる事例に対する反例の割合（%、厳密）。",
        ),
        x: text("statement", "主張"),
        y: text("counterexamples, %", "反例（%）"),
        series: vec![text("as printed", "原文")],
        bars: wrong.map(|f| (name(&published, f.statement), vec![share(f)])).collect(),
    }
}

/// The statements that fail as printed, each with its smallest counterexample and the reading that holds.
fn errata(findings: &[Finding]) -> Vec<Erratum> {
    let published = GOLDEN[0].read();
    let erratum = |f: &Finding| {
        let corrected = |c: &&Finding| c.statement == f.statement && c.wording == Wording::Corrected;
        let right = findings.iter().filter(corrected).find(|c| c.holds());
        let note = published.cells.iter().find(|c| c.cell == f.statement).map(|c| c.why());
        let smallest = f.cases.smallest.as_deref().unwrap_or("–");
        let (wrong, all) = (grouped(f.cases.failures), grouped(f.cases.instances));
        Erratum {
            place: name(&published, f.statement),
            statement: f.reading.clone(),
            counterexample: Text::of(
                format!("{smallest} ({wrong} of {all} cases; {})", f.scope.en),
                format!("{smallest}（{all}件中{wrong}件、{}）", f.scope.ja),
            ),
            corrected: match (right, note) {
                (Some(right), Some(note)) if !note.en.is_empty() => Text::of(
                    format!("{}. It holds as: {}", note.en, right.reading.en),
                    format!("{}。成立する形：{}", note.ja, right.reading.ja),
                ),
                (Some(right), _) => right.reading.clone(),
                (None, note) => note.unwrap_or_default(),
            },
        }
    };
    printed(findings).filter(|f| !f.holds()).map(erratum).collect()
}

/// What the parts share: the findings.
pub(super) struct Results {
    effort: Effort,
    findings: Lazy<Vec<Finding>>,
}

impl Results {
    pub fn new(effort: Effort) -> Results {
        Results { effort, findings: Lazy::default() }
    }

    fn findings(&self, run: &Run<'_>) -> Result<&[Finding], Error> {
        let max_hand = if self.effort == Effort::Quick { QUICK_HAND } else { FULL_HAND };
        self.findings.get(|| findings(max_hand, run)).map(Vec::as_slice)
    }
}

pub(super) static PARTS: [Part<Results>; 4] = [
    Part {
        id: "statements",
        title: text("Sections 2 to 4: every statement as printed", "2～4節：原文どおりの主張"),
        run: |shared, run| {
            let findings = shared.findings(run)?;
            let failures = |f: &Finding| Computed::count(f.statement, f.cases.failures);
            let computed: Vec<Computed> = printed(findings).map(failures).collect();
            Ok(Piece { errata: errata(findings), ..compare(&GOLDEN[0], &computed).into() })
        },
    },
    Part {
        id: "referee",
        title: text("The referee's table", "査読表"),
        run: |shared, run| {
            let findings = shared.findings(run)?;
            let list = referee_list(findings);
            let piece = Piece::of([Block::Bars(failing(findings)), Block::Table(list.table)]);
            Ok(Piece { faults: broken(findings), ..piece.with("referee", list.json) })
        },
    },
    Part {
        id: "figure-1",
        title: text("Figure 1: the quantities of section 4", "図1：4節の諸量"),
        run: |_, _| Ok(Piece::of(figure_1())),
    },
    Part {
        id: "deck",
        title: text(
            "Beyond the paper: one scoring card with a deck",
            "論文の先：山札があり得点札が1枚の場合",
        ),
        run: |shared, run| {
            let extent = if shared.effort == Effort::Quick { open_ends::BRIEF } else { open_ends::SECONDS };
            let mut json = Vec::new();
            let (blocks, good) = open_ends::climbed(&extent, &mut json, run)?;
            Ok(Piece { faults: usize::from(!good), ..Piece::of(blocks).with("rows", json) })
        },
    },
];

pub(super) static QUESTIONS: [Question; 3] = [
    Question {
        asked: text("What if several cards score?", "得点札が複数の場合はどうか。"),
        known: text(
            "The answers for single cards do not add up: for two cards of one point their sum is right in 94 % of positions with hands of 2, 87 % with 3, 82 % with 4 (study sixtysix several; exact).",
            "1枚ずつの答えの和は正しくない：1点札2枚で、手札2枚なら 94 %、3枚 87 %、4枚 82 % の局面で正しい（study sixtysix several。厳密）。",
        ),
        standing: Standing::Partly,
        evidence: Evidence::Study("several"),
    },
    Question {
        asked: text("What if there is a deck and one scoring card?", "山札があり得点札が1枚の場合はどうか。"),
        known: text(
            "The last draw (deck of two) is decided by looking at five answers to every lead, then the closed form: right in every position with hands up to 6. With more cards to come no rule in the hands' order, in who can draw which card and in the places of the deck's cards among the hands is right: two neighbouring cards of the deck exchanged can turn the winner (study sixtysix deck; exact).",
            "最後の引き（山札2枚）は、各リードへの応手5通りと閉じた式で決まる（手札6枚までの全局面で正しい）。それ以上では、両手札の順、どの札をだれが引けるか、山札の各札の手札の中での位置だけの規則は正しくない。隣り合う山札2枚を入れ替えるだけで勝者が変わる（study sixtysix deck。厳密）。",
        ),
        standing: Standing::Partly,
        evidence: Evidence::Study("deck"),
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
        standing: Standing::Partly,
        evidence: Evidence::Study("hearts"),
    },
];

const fn max_hand(min: i64, max: i64, default: &'static str) -> Param {
    Param::int("max-hand", min, max, default, text("the largest hand", "手札の枚数の上限"))
}

pub(super) static STUDIES: [Study; 5] = [
    Study {
        name: "theorems",
        summary: text(
            "every theorem, lemma, fact and strategy of the paper against brute force: the referee's report",
            "論文の全ての定理・補題・事実・ストラテジーを全探索と照合する査読報告",
        ),
        params: &[max_hand(1, 12, "9")],
        rows: &[],
        run: theorems,
    },
    Study {
        name: "growth",
        summary: text(
            "theorem 1: positions and time for h = 2..5 against n, with the fitted exponent",
            "定理1：h = 2..5 の局面数と時間を n に対して測り、指数を求める",
        ),
        params: &[
            max_hand(2, 6, "5"),
            Param::int(
                "positions",
                1000,
                50_000_000,
                "300000",
                text("go on while there are fewer positions than this", "局面数がこれを超えたら止める"),
            ),
        ],
        rows: &[],
        run: open_ends::growth,
    },
    Study {
        name: "several",
        summary: text(
            "open end: several scoring cards, and how often single answers add up",
            "未解決：得点札が複数のとき、1枚ずつの答えの和が正しい割合",
        ),
        params: &[max_hand(1, 5, "4")],
        rows: &[],
        run: open_ends::several,
    },
    Study {
        name: "deck",
        summary: text(
            "one scoring card with a deck: the last draw by five answers, how often other rules are wrong, and what no rule can tell",
            "山札のある得点札1枚：応手5通りによる最後の引き、他の規則が誤る割合、どの規則にも分からないもの",
        ),
        params: &[Param {
            name: "size",
            domain: Domain::Choice(&[
                ("small", text("hands and decks that take seconds", "数秒で終わる大きさ")),
                ("large", text("larger ones, minutes", "より大きいもの（数分）")),
            ]),
            default: "small",
            help: text("which deals are gone through", "調べる配札の大きさ"),
        }],
        rows: &[],
        run: open_ends::with_deck,
    },
    Study {
        name: "hearts",
        summary: text("open end: one card that costs points", "未解決：失点札1枚（ハーツ）"),
        params: &[max_hand(1, 12, "9")],
        rows: &[],
        run: open_ends::hearts,
    },
];

fn theorems(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let findings = findings(settings.int("max-hand") as usize, run)?;
    let broken = broken(&findings);
    let Text { en, ja } = Certainty::Exact.word();
    let list = referee_list(&findings);
    let note = Text::of(
        format!(
            "All counts are {en}. Deals are written weakest card first, Q the scoring card, held by A; the letter in brackets leads. Corrected readings that fail: {broken}."
        ),
        format!("全て{ja}な数。配札は弱い順、QはAの持つ得点札、括弧内は先手。成立しない訂正：{broken}個。"),
    );
    let json = json!({"game": "sixtysix", "study": "theorems", "findings": list.json, "broken": broken});
    Ok(Outcome { blocks: vec![Block::Table(list.table), Block::Paragraph(note)], json, good: broken == 0 })
}
