//! The referee's report: every theorem, lemma, fact and strategy of sections 3 and 4, in the paper's wording and in
//! the corrected reading, held against brute force.
//!
//! In section 4 the deck is empty, one card scores and A holds it. A deal is written weakest card first, Q the
//! scoring card: `ABABQB`.

use super::endings::{Owners, Size, Wish, deals, in_parts, larger, nothing, spelled, without};
use Wording::{Corrected, Other, Paper};
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::sixtysix::strategies::{self, Reply};

/// Hands up to which the facts are checked at every play, and lemmas and strategies along every line.
const FACTS_HAND: usize = 8;
const LINES_HAND: usize = 10;

/// Whose words a reading is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// The paper's.
    Paper,
    /// Ours, where the paper's fails or can be said better.
    Corrected,
    /// Another way to read the paper, to show why it is not the right one.
    Other,
}

impl Wording {
    /// The word for it.
    pub fn word(self) -> Text {
        match self {
            Wording::Paper => text("paper", "論文"),
            Wording::Corrected => text("corrected", "訂正"),
            Wording::Other => text("other reading", "別の読み"),
        }
    }
}

/// Cases that were looked at.
#[derive(Clone, Debug, Default)]
pub struct Cases {
    /// All of them.
    pub instances: u64,
    /// Those in which what is claimed is wrong.
    pub failures: u64,
    /// The first of these, smallest deals first.
    pub smallest: Option<String>,
}

impl Cases {
    /// Counts a case.
    pub fn case(&mut self, holds: bool, told: impl FnOnce() -> String) {
        self.instances += 1;
        if !holds {
            self.failures += 1;
            self.smallest.get_or_insert_with(told);
        }
    }

    /// Adds cases that come after ours.
    fn absorb(&mut self, later: Cases) {
        self.instances += later.instances;
        self.failures += later.failures;
        self.smallest = self.smallest.take().or(later.smallest);
    }
}

/// A statement, as golden tables name it, whose words it is in, and what it then says.
pub(super) type Reading = (&'static str, Wording, Text);

/// What came out for one reading of one statement.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The statement, as golden tables name it.
    pub statement: &'static str,
    /// Whose words.
    pub wording: Wording,
    /// The reading in words.
    pub reading: Text,
    /// What was gone through.
    pub scope: Text,
    /// The cases the statement speaks about.
    pub cases: Cases,
}

impl Finding {
    /// A reading of which nothing has been checked yet.
    pub(super) fn new((statement, wording, reading): Reading) -> Finding {
        Finding { statement, wording, reading, scope: Text::default(), cases: Cases::default() }
    }

    /// Readings of which nothing has been checked yet.
    pub(super) fn all(readings: &[Reading]) -> Vec<Finding> {
        readings.iter().cloned().map(Finding::new).collect()
    }

    /// Whether no case speaks against it.
    pub fn holds(&self) -> bool {
        self.cases.failures == 0
    }
}

/// Adds what threads have counted, finding by finding.
fn absorb(findings: &mut [Finding], parts: Vec<Vec<Cases>>) {
    for part in parts {
        findings.iter_mut().zip(part).for_each(|(finding, later)| finding.cases.absorb(later));
    }
}

/// A deal with the quantities of section 4. Strengths count from 0 here, from 1 in the paper.
#[derive(Default)]
pub(super) struct View {
    /// The deal.
    pub owners: Owners,
    /// Cards in a hand.
    pub hand: usize,
    /// The scoring card: the paper's i.
    pub q: usize,
    /// a(k) − b(k), q not counted.
    pub v: Vec<i32>,
    /// B's cards weaker than q.
    pub w_b: i32,
    /// B's second strongest card weaker than q.
    pub j: Option<usize>,
    /// B's second strongest card.
    pub l: Option<usize>,
    /// B's strongest card.
    pub top: usize,
    /// A's cards up to the first of them where v is 1.
    pub r: Option<i32>,
}

impl View {
    /// The quantities of a deal.
    pub fn new(owners: Owners, hand: usize, q: usize) -> View {
        let mut view = View { owners, hand, q, v: Vec::with_capacity(2 * hand), ..View::default() };
        let (mut a, mut b) = (0, 0);
        let mut below: [Option<usize>; 2] = [None; 2];
        let mut all: [Option<usize>; 2] = [None; 2];
        for k in 0..2 * hand {
            let is_a = owners >> k & 1 == 1;
            if is_a && k != q {
                a += 1;
            } else if !is_a {
                b += 1;
                if k < q {
                    below = [below[1], Some(k)];
                    view.w_b += 1;
                }
                all = [all[1], Some(k)];
            }
            view.v.push(a - b);
            if is_a && k != q && a - b == 1 && view.r.is_none() {
                view.r = Some(a);
            }
        }
        view.j = below[0];
        view.l = all[0];
        view.top = all[1].unwrap_or(0);
        view
    }

    /// Whether theorem 2 decides the deal.
    fn one_sided(&self) -> bool {
        self.w_b == 0 || self.w_b == self.hand as i32
    }

    /// B's cards stronger than q.
    fn stronger(&self) -> i32 {
        self.hand as i32 - self.w_b
    }

    /// The least v(k) + w_b with i < k ≤ `last`; nothing if there is no such k.
    fn least(&self, last: Option<usize>) -> Option<i32> {
        self.v.get(self.q + 1..=last?)?.iter().map(|v| v + self.w_b).min()
    }

    /// Whether v(k) > 0 for a k from `first` (counted from 1) and below j.
    fn rises(&self, first: usize) -> bool {
        self.j.and_then(|j| self.v.get(first - 1..j)).is_some_and(|range| range.iter().any(|&v| v > 0))
    }

    /// Condition 1: v(k) + w_b ≥ 0 for all l ≥ k ≥ i + 1.
    fn condition_1(&self, last: Option<usize>) -> bool {
        self.least(last).is_none_or(|least| least >= 0)
    }

    /// The condition of theorem 4, k from `first`.
    fn condition_4(&self, first: usize) -> bool {
        self.rises(first) && self.r.is_some_and(|r| self.least(self.l).is_none_or(|least| least >= r))
    }

    /// The condition of theorem 5, k from `first`.
    fn condition_5(&self, first: usize) -> bool {
        !self.rises(first) || self.r.is_some_and(|r| self.least(self.l).is_some_and(|least| least < r))
    }

    /// Whether A takes the card by theorems 2 to 6, k from `first` in theorem 4.
    fn holder_takes(&self, leader: u8, first: usize) -> bool {
        match leader {
            _ if self.one_sided() => self.w_b > 0,
            1 => self.condition_1(self.l),
            _ => self.condition_4(first),
        }
    }

    fn told(&self, leader: u8) -> String {
        let who = if leader == 0 { "A" } else { "B" };
        format!("{} ({who})", spelled(self.owners, self.hand, Some(self.q)))
    }
}

/// A claim about one position: `None` where it says nothing, else whether the claimed winner is A.
type Claim = fn(&View, u8) -> Option<bool>;

/// The claims about positions, each with its statement, whose words it is in, and the reading; the identity, which is
/// about cards, comes last.
static CLAIMS: [(&str, Wording, Text, Claim); 18] = [
    (
        "theorem 2",
        Paper,
        text(
            "all of B's cards above q: B wins; all below: A wins",
            "Bの札が全て q より強ければB、全て弱ければAの勝ち",
        ),
        |v, _| v.one_sided().then_some(v.w_b > 0),
    ),
    (
        "lemma 5",
        Paper,
        text("B leads, one card of B above q: A wins", "B先手、Bの q より強い札が1枚ならAの勝ち"),
        |v, leader| (leader == 1 && !v.one_sided() && v.stronger() == 1).then_some(true),
    ),
    (
        "lemma 6",
        Paper,
        text("A leads, one card of B below q: B wins", "A先手、Bの q より弱い札が1枚ならBの勝ち"),
        |v, leader| (leader == 0 && !v.one_sided() && v.w_b == 1).then_some(false),
    ),
    (
        "theorem 3",
        Paper,
        text("B leads, v(k) + w_b ≥ 0 for i < k ≤ l: A wins", "B先手、i < k ≤ l で v(k)+w_b ≥ 0 ならAの勝ち"),
        |v, leader| (leader == 1 && !v.one_sided() && v.condition_1(v.l)).then_some(true),
    ),
    (
        "theorem 3",
        Other,
        text("l left out of the range: k < l", "範囲から l を除く（k < l）"),
        |v, leader| {
            let last = v.l.and_then(|l| l.checked_sub(1));
            (leader == 1 && !v.one_sided() && v.condition_1(last)).then_some(true)
        },
    ),
    (
        "theorem 4",
        Paper,
        text(
            "A leads, v(k) > 0 for some 1 < k < j, and least v(k) + w_b ≥ r: A wins",
            "A先手、ある 1 < k < j で v(k) > 0、v(k)+w_b の最小値 ≥ r ならAの勝ち",
        ),
        |v, leader| (leader == 0 && v.condition_4(2)).then_some(true),
    ),
    (
        "theorem 4",
        Corrected,
        text("1 ≤ k < j: it then covers every position A wins", "1 ≤ k < j（Aの勝つ局面を全て覆う）"),
        |v, leader| (leader == 0 && v.condition_4(1)).then_some(true),
    ),
    (
        "theorem 5",
        Paper,
        text(
            "A leads, v(k) ≤ 0 for all 1 < k < j, or some v(k) + w_b < r: B wins",
            "A先手、全ての 1 < k < j で v(k) ≤ 0、またはある v(k)+w_b < r ならBの勝ち",
        ),
        |v, leader| (leader == 0 && v.condition_5(2)).then_some(false),
    ),
    (
        "theorem 5",
        Other,
        text("1 ≤ k < j, theorem 2 not ruled out", "1 ≤ k < j、定理2の場合を除かない"),
        |v, leader| (leader == 0 && v.condition_5(1)).then_some(false),
    ),
    (
        "theorem 5",
        Other,
        text("1 < k < j, theorem 2 ruled out", "1 < k < j、定理2の場合を除く"),
        |v, leader| (leader == 0 && !v.one_sided() && v.condition_5(2)).then_some(false),
    ),
    (
        "theorem 5",
        Corrected,
        text("1 ≤ k < j, where theorem 2 does not apply", "1 ≤ k < j、定理2の場合を除く"),
        |v, leader| (leader == 0 && !v.one_sided() && v.condition_5(1)).then_some(false),
    ),
    (
        "theorem 6",
        Paper,
        text(
            "B leads, v(k) + w_b < 0 for some i < k ≤ l: B wins",
            "B先手、ある i < k ≤ l で v(k)+w_b < 0 ならBの勝ち",
        ),
        |v, leader| (leader == 1 && !v.condition_1(v.l)).then_some(false),
    ),
    (
        "theorem 6",
        Other,
        text("l the strongest card of B", "l をBの最も強い札とする"),
        |v, leader| (leader == 1 && !v.condition_1(Some(v.top))).then_some(false),
    ),
    (
        "theorems 2–6",
        Paper,
        text("together they name the winner of every position", "合わせて全局面の勝者を定める"),
        |v, leader| Some(v.holder_takes(leader, 2)),
    ),
    (
        "theorems 2–6",
        Corrected,
        text("the same with 1 ≤ k < j", "1 ≤ k < j として同じ"),
        |v, leader| Some(v.holder_takes(leader, 1)),
    ),
    (
        "classifier",
        Corrected,
        text("the one-pass classifier of this program", "本プログラムの1パス判定器"),
        |v, leader| {
            let owners: Vec<u8> = (0..2 * v.hand).map(|k| u8::from(v.owners >> k & 1 == 0)).collect();
            Some(yomikiri_games::sixtysix::closed::holder_takes(&owners, v.q, leader))
        },
    ),
    ("a(k) − (b(k) + w_b) = v(k) + w_b", Paper, text("as printed", "印刷どおり"), |_, _| None),
    (
        "a(k) − (b(k) + w_b) = v(k) + w_b",
        Corrected,
        text("a(k) − (b(k) − w_b) = v(k) + w_b", "a(k) − (b(k) − w_b) = v(k) + w_b"),
        |_, _| None,
    ),
];

/// Checks the claims, facts, lemmas and strategies of section 4 for all hands up to a size.
pub(super) fn endings(max_hand: usize, run: &Run<'_>) -> Result<Vec<Finding>, Error> {
    let claims = CLAIMS.each_ref().map(|claim| claim.3);
    let mut findings: Vec<Finding> =
        CLAIMS.iter().cloned().map(|(s, w, r, _)| Finding::new((s, w, r))).collect();
    let scope = |hand: usize| {
        Text::of(
            format!("all deals, h ≤ {}", hand.min(max_hand)),
            format!("全配札、h ≤ {}", hand.min(max_hand)),
        )
    };
    findings.iter_mut().for_each(|f| f.scope = scope(max_hand));
    let identity = findings.len() - 2;
    let mut facts = Finding::all(&FACTS);
    facts.iter_mut().for_each(|f| f.scope = scope(FACTS_HAND));
    let mut lines = Lines::new();
    lines.findings.iter_mut().for_each(|f| f.scope = scope(LINES_HAND));
    let mut size = nothing(Wish::Take);
    for hand in 1..=max_hand {
        size = larger(&size, run)?;
        run.check()?;
        let all: Vec<Owners> = deals(hand).collect();
        let check = |part: &[Owners]| check_claims(part, hand, &claims, &size, identity);
        absorb(&mut findings, in_parts(&all, 1 << 12, run, check)?);
        if hand <= FACTS_HAND {
            let check = |part: &[Owners]| check_facts(part, hand, facts.len());
            let parts = in_parts(&all, 1 << 8, run, check)?;
            absorb(&mut facts, parts);
        }
        if hand <= LINES_HAND {
            lines.next(hand, &all, &size, run)?;
        }
    }
    facts.append(&mut findings);
    facts.append(&mut lines.findings);
    facts.sort_by_key(|f| ORDER.iter().position(|s| *s == f.statement));
    Ok(facts)
}

/// The order of the paper.
pub(super) const ORDER: [&str; 29] = [
    "theorem 1: positions",
    "theorem 1: somebody wins",
    "lemma 1",
    "lemma 2",
    "deck algorithm",
    "avoiding a card",
    "lemma 3",
    "lemma 4",
    "a(k) − (b(k) + w_b) = v(k) + w_b",
    "fact 1",
    "fact 2, first half",
    "fact 2, second half",
    "fact 3",
    "fact 4",
    "strategy of A",
    "strategy of A: leading",
    "strategy of B",
    "theorem 2",
    "lemma 5",
    "lemma 6",
    "theorem 3",
    "theorem 4",
    "lemma 7",
    "lemma 8",
    "theorem 5",
    "theorem 6",
    "theorems 2–6",
    "classifier",
    "",
];

fn check_claims(part: &[Owners], hand: usize, claims: &[Claim], size: &Size, identity: usize) -> Vec<Cases> {
    let mut tallies = vec![Cases::default(); claims.len()];
    for &owners in part {
        for q in (0..2 * hand).filter(|q| owners >> q & 1 == 1) {
            let view = View::new(owners, hand, q);
            for leader in 0..2 {
                let truth = size.holder_gets(owners, q, leader);
                for (claim, tally) in claims.iter().zip(&mut tallies) {
                    if let Some(claimed) = claim(&view, leader) {
                        tally.case(claimed == truth, || view.told(leader));
                    }
                }
            }
            let (mut a, mut b) = (0, 0);
            for k in (0..2 * hand).filter(|&k| k != q) {
                if owners >> k & 1 == 1 {
                    a += 1
                } else {
                    b += 1
                }
                let told = || format!("{}, k = {}", spelled(owners, hand, Some(q)), k + 1);
                tallies[identity].case(a - (b + view.w_b) == view.v[k] + view.w_b, told);
                tallies[identity + 1].case(a - (b - view.w_b) == view.v[k] + view.w_b, told);
            }
        }
    }
    tallies
}

static FACTS: [Reading; 6] = [
    (
        "fact 1",
        Paper,
        text(
            "v(k) of cards between the two played: +1 if A wins the trick, −1 if not",
            "出された2枚の間の v(k)：Aが勝てば+1、負ければ−1",
        ),
    ),
    (
        "fact 2, first half",
        Paper,
        text(
            "A above q, B below: v(k) + w_b falls by 1 exactly above A's card",
            "Aが q より強く、Bが弱い：Aの札より強い札だけ v(k)+w_b が1減る",
        ),
    ),
    (
        "fact 2, second half",
        Paper,
        text(
            "B above q, A below: it falls by 1 exactly above q and below A's card",
            "Bが q より強く、Aが弱い：q より強くAの札より弱い札だけ1減る",
        ),
    ),
    (
        "fact 2, second half",
        Corrected,
        text("… above q and below B's card", "q より強くBの札より弱い札だけ1減る"),
    ),
    (
        "fact 3",
        Paper,
        text(
            "both below q: it falls by 1 at every card above q",
            "ともに q より弱い：q より強い全ての札で1減る",
        ),
    ),
    (
        "fact 4",
        Paper,
        text(
            "both above q: −1 exactly between the two if B wins, +1 if A does",
            "ともに q より強い：間の札だけ、Bが勝てば1減り、Aが勝てば1増える",
        ),
    ),
];

fn check_facts(part: &[Owners], hand: usize, findings: usize) -> Vec<Cases> {
    let mut tallies = vec![Cases::default(); findings];
    for &owners in part {
        let has_a = |k: usize| owners >> k & 1 == 1;
        for q in (0..2 * hand).filter(|&q| has_a(q)) {
            let before = View::new(owners, hand, q);
            for a in (0..2 * hand).filter(|&k| has_a(k) && k != q) {
                for b in (0..2 * hand).filter(|&k| !has_a(k)) {
                    let (low, high) = (a.min(b), a.max(b));
                    let rest = without(owners, low as u32, high as u32);
                    let shift = |k: usize| k - usize::from(k > low) - usize::from(k > high);
                    let after = View::new(rest, hand - 1, shift(q));
                    let left = || (0..2 * hand).filter(move |&k| k != a && k != b && k != q);
                    let up = |k: usize| after.v[shift(k)] - before.v[k];
                    let both = |k: usize| up(k) + after.w_b - before.w_b;
                    // Whether exactly the cards of a range, of those above q, change by so much.
                    let exactly = |range: &dyn Fn(usize) -> bool, by: i32| {
                        left().filter(|&k| k > q).all(|k| both(k) == if range(k) { by } else { 0 })
                    };
                    let told = || format!("{}, A {}, B {}", spelled(owners, hand, Some(q)), a + 1, b + 1);
                    let sign = if a > b { 1 } else { -1 };
                    tallies[0].case(left().filter(|&k| low < k && k < high).all(|k| up(k) == sign), told);
                    match (a > q, b > q) {
                        (true, false) => tallies[1].case(exactly(&|k| k > a, -1), told),
                        (false, true) => {
                            tallies[2].case(exactly(&|k| k < a, -1), told);
                            tallies[3].case(exactly(&|k| k < b, -1), told);
                        }
                        (false, false) => tallies[4].case(exactly(&|_| true, -1), told),
                        (true, true) => tallies[5].case(exactly(&|k| low < k && k < high, sign), told),
                    }
                }
            }
        }
    }
    tallies
}

/// What is followed along lines of play: the strategies, and lemmas 7 and 8. One word a deal, one bit a place of q.
struct Lines {
    findings: Vec<Finding>,
    /// By finding, the deals of the size below for A and for B leading: whether what is claimed holds from there.
    lower: Vec<Vec<[u32; 2]>>,
}

/// What [`Lines`] follows, in the order of the constants.
static FOLLOWED: [Reading; LINES] = [
    (
        "strategy of A",
        Paper,
        text(
            "reply *stronger than* the card of largest v(k): wins wherever A can",
            "v(k) 最大の札「より強い」札で応じる：勝てる局面で必ず勝つ",
        ),
    ),
    (
        "strategy of A",
        Corrected,
        text(
            "*at least as strong*; below q, q itself",
            "「以上の強さの」札で応じる（q より弱いリードには q）",
        ),
    ),
    (
        "strategy of A: leading",
        Paper,
        text(
            "A leading weakest first keeps every won position won",
            "Aが弱い順にリードしても勝ちの局面は勝ちのまま",
        ),
    ),
    ("strategy of B", Paper, text("wins wherever B can", "Bの勝てる局面で必ず勝つ")),
    ("lemma 7", Paper, text("k from 2; theorem 2 not ruled out", "k は2から、定理2の場合を除かない")),
    ("lemma 7", Corrected, text("k from 1, where theorem 2 does not apply", "k は1から、定理2の場合を除く")),
    (
        "lemma 8",
        Paper,
        text(
            "when the lead passes to A: v(k) ≤ 0 for 1 < k < j, or some v(k) + w_b < r",
            "Aに先手が移ると 1 < k < j で v(k) ≤ 0、またはある v(k)+w_b < r",
        ),
    ),
    ("lemma 8", Corrected, text("the same with 1 ≤ k < j", "1 ≤ k < j として同じ")),
];

const A_PRINTED: usize = 0;
const A_CORRECTED: usize = 1;
const A_LEADING: usize = 2;
const B_PRINTED: usize = 3;
const LEMMA_7: usize = 4;
const LEMMA_7_CORRECTED: usize = 5;
const LEMMA_8: usize = 6;
const LEMMA_8_CORRECTED: usize = 7;
const LINES: usize = 8;

impl Lines {
    fn new() -> Lines {
        Lines { findings: Finding::all(&FOLLOWED), lower: vec![vec![[0; 2]]; LINES] }
    }

    fn next(&mut self, hand: usize, all: &[Owners], size: &Size, run: &Run<'_>) -> Result<(), Error> {
        let lower = &self.lower;
        let parts = in_parts(all, 1 << 10, run, |part| {
            let mut cases = vec![Cases::default(); LINES];
            let words: Vec<[[u32; 2]; LINES]> =
                part.iter().map(|&owners| follow(owners, hand, size, lower, &mut cases)).collect();
            (words, cases)
        })?;
        let (words, cases): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        absorb(&mut self.findings, cases);
        let mut table = vec![vec![[0; 2]; 1 << (2 * hand)]; LINES];
        for (&owners, words) in all.iter().zip(words.into_iter().flatten()) {
            for (line, word) in table.iter_mut().zip(words) {
                line[owners as usize] = word;
            }
        }
        self.lower = table;
        Ok(())
    }
}

/// Follows one trick from every position of a deal.
fn follow(
    owners: Owners,
    hand: usize,
    size: &Size,
    lower: &[Vec<[u32; 2]>],
    tallies: &mut [Cases],
) -> [[u32; 2]; LINES] {
    let cards = 2 * hand as u32;
    let a_cards: Vec<u32> = (0..cards).filter(|k| owners >> k & 1 == 1).collect();
    let b_cards: Vec<u32> = (0..cards).filter(|k| owners >> k & 1 == 0).collect();
    let (own_a, own_b) = (u128::from(owners), u128::from(!owners & ((1u64 << cards) - 1) as u32));
    let mut words = [[0u32; 2]; LINES];
    for &q in &a_cards {
        let view = View::new(owners, hand, q as usize);
        let after = |a: u32, b: u32| {
            let (low, high) = (a.min(b), a.max(b));
            (without(owners, low, high), q - u32::from(q > low) - u32::from(q > high), u8::from(b > a))
        };
        // Whether a line holds after a trick; with q played, whether A took it.
        let holds = |line: usize, a: u32, b: u32| {
            if a == q {
                return a > b;
            }
            let (rest, q, leader) = after(a, b);
            lower[line][rest as usize][usize::from(leader)] >> q & 1 == 1
        };
        let card_a = |led: Option<u32>, reply: Reply| {
            let others = led.map_or(own_b, |led| own_b & !(1 << led));
            u32::from(strategies::holder(own_a, others, q as u8 + 1, led.map(|l| l as u8 + 1), reply)) - 1
        };
        let card_b =
            |led: Option<u32>| u32::from(strategies::other(own_b, q as u8 + 1, led.map(|l| l as u8 + 1))) - 1;
        for leader in [0u8, 1] {
            let side = usize::from(leader);
            let truth = size.holder_gets(owners, q as usize, leader);
            // A by the strategy against everything B can do.
            for (line, reply) in
                [(A_PRINTED, Reply::Printed), (A_CORRECTED, Reply::Corrected), (A_LEADING, Reply::Corrected)]
            {
                let wins = if leader == 0 {
                    let a = card_a(None, reply);
                    b_cards.iter().all(|&b| holds(line, a, b))
                } else if line == A_LEADING {
                    // Leading by the strategy, replying as well as possible.
                    b_cards.iter().all(|&b| a_cards.iter().any(|&a| holds(line, a, b)))
                } else {
                    b_cards.iter().all(|&b| holds(line, card_a(Some(b), reply), b))
                };
                words[line][side] |= u32::from(wins) << q;
                if truth {
                    tallies[line].case(wins, || view.told(leader));
                }
            }
            // B by the strategy: the bit says that A takes q against it.
            let a_takes = if leader == 0 {
                a_cards.iter().any(|&a| holds(B_PRINTED, a, card_b(Some(a))))
            } else {
                let b = card_b(None);
                a_cards.iter().any(|&a| holds(B_PRINTED, a, b))
            };
            words[B_PRINTED][side] |= u32::from(a_takes) << q;
            if !truth {
                tallies[B_PRINTED].case(!a_takes, || view.told(leader));
            }
            // The lemmas: B plays the strategy and keeps the lead where it is, until it passes.
            for line in [LEMMA_7, LEMMA_7_CORRECTED, LEMMA_8, LEMMA_8_CORRECTED] {
                let from_a = line == LEMMA_7 || line == LEMMA_7_CORRECTED;
                let first = if line == LEMMA_7 || line == LEMMA_8 { 2 } else { 1 };
                if from_a != (leader == 0) {
                    continue;
                }
                let b_leads = card_b(None);
                let holds = a_cards.iter().filter(|&&a| a != q).all(|&a| {
                    let b = if from_a { card_b(Some(a)) } else { b_leads };
                    let (rest, q, next) = after(a, b);
                    if next == leader {
                        return lower[line][rest as usize][side] >> q & 1 == 1;
                    }
                    let then = View::new(rest, hand - 1, q as usize);
                    if from_a { then.w_b == 0 || !then.condition_1(then.l) } else { then.condition_5(first) }
                });
                words[line][side] |= u32::from(holds) << q;
                let applies = match line {
                    LEMMA_7 => view.condition_5(2),
                    LEMMA_7_CORRECTED => view.condition_5(1) && !view.one_sided(),
                    _ => !view.condition_1(view.l),
                };
                if applies {
                    tallies[line].case(holds, || view.told(leader));
                }
            }
        }
    }
    words
}
