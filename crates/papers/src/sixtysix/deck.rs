//! Sections 2 and 3 before the referee: who can draw a card of the deck, by playing everything out, against the
//! paper's algorithm as printed, repaired step by step, and as it must be; lemmas 1 to 4; theorem 1.

use super::referee::Wording::{self, Corrected, Other, Paper};
use super::referee::{Finding, ORDER, Reading};
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Run, Text, Turn, text};
use yomikiri_games::sixtysix::closed::reach;
use yomikiri_games::sixtysix::rules::{Deal, Objective, Sixtysix, State, shuffled};
use yomikiri_solve::layers::Layers;
use yomikiri_solve::minimax::Minimax;

/// Whether A can force, from a position, that A (or else B) draws card `g` of the deck, counted from 1: by
/// playing everything out.
pub fn forces(game: &Sixtysix, s: &State, g: usize, a_draws: bool) -> bool {
    if usize::from(s.drawn) >= g {
        let card = game.deal().deck[g - 1] as u8;
        // It has just been drawn and is in a hand.
        let with_a = s.hands[0] & yomikiri_games::sixtysix::rules::bit(card) != 0;
        return with_a == a_draws;
    }
    let Turn::Player(mover) = game.turn(s) else { return false };
    let mut cards = Vec::new();
    game.actions(s, &mut cards);
    let mut after = cards.into_iter().map(|card| forces(game, &game.apply(s, card), g, a_draws));
    if mover == 0 { after.any(|x| x) } else { after.all(|x| x) }
}

/// The paper's algorithm and the repairs it needs.
#[derive(Clone, Copy)]
struct Algorithm {
    /// Step 2 goes to 3 and 4, not to 2 and 3.
    jumps: bool,
    /// Steps 3 and 4 look at cards before TARGET, not before g.
    ranges: bool,
    /// Step 4's exits are swapped.
    exits: bool,
}

impl Algorithm {
    /// Whether A can draw D(g); `None` if it does not come to an end.
    fn run(self, deal: &Deal, g: usize) -> Option<bool> {
        let mut target = g;
        // Longer than any chain that never visits a card twice.
        for _ in 0..=deal.deck.len() {
            let odd = target % 2 == 1;
            if !self.jumps && odd {
                return None;
            }
            // With the jumps as printed, even targets look for the strongest card.
            let strongest = odd || !self.jumps;
            let base = if self.ranges { target } else { g };
            let seen = base.saturating_sub(if strongest { 1 } else { 2 }).min(deal.deck.len());
            let mut best: Option<(u32, Option<usize>, u8)> = None;
            let cards = deal.hands[0].iter().map(|&c| (c, None, 0));
            let cards = cards.chain(deal.hands[1].iter().map(|&c| (c, None, 1)));
            for found in cards.chain((1..=seen).map(|e| (deal.deck[e - 1], Some(e), 2))) {
                if best.is_none_or(|b| if strongest { found.0 > b.0 } else { found.0 < b.0 }) {
                    best = Some(found);
                }
            }
            match best? {
                (_, Some(e), _) => target = e,
                (_, None, holder) => {
                    let swap = !strongest && !self.exits;
                    return Some((holder == 0) != swap);
                }
            }
        }
        None
    }
}

/// Every deal of hands of `hand` cards and a deck of `deck`, in order.
///
/// # Errors
/// What `visit` fails with; if the run is cancelled.
pub fn every_deal(
    hand: usize,
    deck: usize,
    run: &Run<'_>,
    mut visit: impl FnMut(Deal) -> Result<(), Error>,
) -> Result<(), Error> {
    fn subsets(from: &[u32], size: usize) -> Vec<(Vec<u32>, Vec<u32>)> {
        if size == 0 {
            return vec![(Vec::new(), from.to_vec())];
        }
        let Some((first, rest)) = from.split_first() else { return Vec::new() };
        let mut all: Vec<_> = subsets(rest, size - 1)
            .into_iter()
            .map(|(mut chosen, left)| {
                chosen.insert(0, *first);
                (chosen, left)
            })
            .collect();
        all.extend(subsets(rest, size).into_iter().map(|(chosen, mut left)| {
            left.insert(0, *first);
            (chosen, left)
        }));
        all
    }
    fn orders(
        left: &mut Vec<u32>,
        order: &mut Vec<u32>,
        visit: &mut dyn FnMut(&[u32]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if left.is_empty() {
            return visit(order);
        }
        for i in 0..left.len() {
            let card = left.remove(i);
            order.push(card);
            orders(left, order, visit)?;
            order.pop();
            left.insert(i, card);
        }
        Ok(())
    }
    let cards: Vec<u32> = (1..=(2 * hand + deck) as u32).collect();
    for (a, rest) in subsets(&cards, hand) {
        for (b, mut left) in subsets(&rest, hand) {
            orders(&mut left, &mut Vec::new(), &mut |order| {
                run.check()?;
                for leader in 0..2 {
                    visit(Deal { hands: [a.clone(), b.clone()], deck: order.to_vec(), leader })?;
                }
                Ok(())
            })?;
        }
    }
    Ok(())
}

fn list(cards: &[u32]) -> String {
    cards.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// A deal in words, with the card of the deck it is about.
pub(super) fn told(deal: &Deal, g: Option<usize>) -> String {
    let who = if deal.leader == 0 { "A" } else { "B" };
    let g = g.map(|g| format!(" g={g}")).unwrap_or_default();
    let deck = if deal.deck.is_empty() { String::new() } else { format!(" D={}", list(&deal.deck)) };
    format!("A={} B={}{deck}{g} ({who})", list(&deal.hands[0]), list(&deal.hands[1]))
}

/// The readings of section 3 but for those of the algorithm, in the order of [`Section3`].
static READINGS: [Reading; 9] = [
    (
        "lemma 1",
        Paper,
        text(
            "g odd: who holds the strongest card at trick f can draw D(g)",
            "g が奇数：fトリック目に最も強い札を持つ側は D(g) を引ける",
        ),
    ),
    (
        "lemma 2",
        Paper,
        text(
            "g even: who holds the weakest card at trick f can draw D(g)",
            "g が偶数：fトリック目に最も弱い札を持つ側は D(g) を引ける",
        ),
    ),
    (
        "deck algorithm",
        Corrected,
        text("as this program answers `g`, any h: acquire", "本プログラムの g の答え、任意の h：取得"),
    ),
    (
        "avoiding a card",
        Other,
        text(
            "A can avoid D(g) just where A cannot acquire it, h ≥ 2",
            "取得できないとき、かつそのときに限り回避できる、h ≥ 2",
        ),
    ),
    (
        "avoiding a card",
        Corrected,
        text(
            "win and lose turned round at the first level, any h",
            "最初の段だけ勝ち負けを入れ替える、任意の h",
        ),
    ),
    (
        "lemma 3",
        Paper,
        text(
            "q stronger than both hands and D(1..2f+2): who draws q wins",
            "q が両手札と D(1..2f+2) より強ければ、引いた側の勝ち",
        ),
    ),
    (
        "lemma 3",
        Corrected,
        text("stronger than both hands and D(1..2f) is enough", "両手札と D(1..2f) より強ければ十分"),
    ),
    (
        "lemma 4",
        Paper,
        text("q weaker than all cards: who draws q loses", "q が全てのカードより弱ければ、引いた側の負け"),
    ),
    ("lemma 4", Other, text("weaker than both hands and D(1..2f) only", "両手札と D(1..2f) より弱いだけ")),
];

/// The readings of the deck algorithm: whose words, what is repaired (jumps, ranges, exits), and whether it is about
/// hands of one card.
static ALGORITHMS: [(Wording, Text, [bool; 3], bool); 6] = [
    (
        Paper,
        text("as printed: step 2 jumps to 2 and 3, h ≥ 2", "印刷どおり（ステップ2から2・3へ）、h ≥ 2"),
        [false, false, false],
        false,
    ),
    (Other, text("jumps repaired, h ≥ 2", "飛び先だけ直す、h ≥ 2"), [true, false, false], false),
    (
        Other,
        text("jumps and ranges repaired, h ≥ 2", "飛び先と範囲を直す、h ≥ 2"),
        [true, true, false],
        false,
    ),
    (Other, text("jumps and exits repaired, h ≥ 2", "飛び先と出口を直す、h ≥ 2"), [true, false, true], false),
    (Corrected, text("all three repaired, h ≥ 2", "3箇所全て直す、h ≥ 2"), [true, true, true], false),
    (Other, text("all three repaired, h = 1", "3箇所全て直す、h = 1"), [true, true, true], true),
];

/// What is found of section 3.
struct Section3 {
    lemmas: [Finding; 2],
    algorithms: [(Finding, Algorithm, bool); 6],
    /// Of acquiring and of avoiding a card.
    reach: [Finding; 3],
    /// Of lemmas 3 and 4.
    drawn: [Finding; 4],
}

impl Section3 {
    fn new() -> Section3 {
        let [a, b, c, d, e, f, g, h, i] = READINGS.clone().map(Finding::new);
        Section3 {
            lemmas: [a, b],
            algorithms: ALGORITHMS.clone().map(|(wording, reading, [jumps, ranges, exits], one)| {
                (Finding::new(("deck algorithm", wording, reading)), Algorithm { jumps, ranges, exits }, one)
            }),
            reach: [c, d, e],
            drawn: [f, g, h, i],
        }
    }

    fn deal(&mut self, deal: &Deal, run: &Run<'_>) -> Result<(), Error> {
        let h = deal.hand();
        let game = Sixtysix::new(deal.clone(), &[], Objective::Difference)?;
        let start = game.start();
        let mut hands = [(deal.hands[0][0], 0u8), (deal.hands[0][0], 0)];
        for (player, hand) in (0..).zip(&deal.hands) {
            for &card in hand {
                hands[0] = hands[0].max((card, player));
                hands[1] = hands[1].min((card, player));
            }
        }
        for (i, (lemma, &(_, holder))) in self.lemmas.iter_mut().zip(&hands).enumerate() {
            // Nobody but one of them draws it: that B can is that A cannot.
            let a_can = forces(&game, &start, i + 1, true);
            lemma.cases.case(a_can == (holder == 0), || told(deal, Some(i + 1)));
        }
        for g in 1..=deal.deck.len() {
            let acquire = forces(&game, &start, g, true);
            let avoid = forces(&game, &start, g, false);
            for (finding, algorithm, one) in &mut self.algorithms {
                if *one == (h == 1) {
                    finding.cases.case(algorithm.run(deal, g) == Some(acquire), || told(deal, Some(g)));
                }
            }
            let ours = reach(deal, g);
            self.reach[0].cases.case(ours.acquire == acquire, || told(deal, Some(g)));
            if h >= 2 {
                self.reach[1].cases.case(avoid != acquire, || told(deal, Some(g)));
            }
            self.reach[2].cases.case(ours.avoid == avoid, || told(deal, Some(g)));
            self.drawn(deal, g, run)?;
        }
        Ok(())
    }

    /// Lemmas 3 and 4 wherever card `g` may have come.
    fn drawn(&mut self, deal: &Deal, g: usize, run: &Run<'_>) -> Result<(), Error> {
        let q = deal.deck[g - 1];
        let f = g.div_ceil(2);
        let beside = |most: usize| {
            let deck = deal.deck[..most.min(deal.deck.len())].iter();
            deal.hands.iter().flatten().chain(deck).copied().filter(move |&c| c != q).collect::<Vec<u32>>()
        };
        let strongest = |most: usize| beside(most).iter().all(|&c| c < q);
        let weakest = |most: usize| beside(most).iter().all(|&c| c > q);
        let applies = [strongest(2 * f + 2), strongest(2 * f), weakest(deal.deck.len()), weakest(2 * f)];
        if !applies.iter().any(|x| *x) {
            return Ok(());
        }
        let mut points = vec![0; q as usize];
        points[q as usize - 1] = 1;
        let game = Sixtysix::new(deal.clone(), &points, Objective::Difference)?;
        let mut table = Minimax::new(&game, run);
        let mut states = vec![game.start()];
        for _ in 0..2 * f {
            let mut next = Vec::new();
            for s in &states {
                let mut cards = Vec::new();
                game.actions(s, &mut cards);
                next.extend(cards.into_iter().map(|card| game.apply(s, card)));
            }
            next.sort_unstable();
            next.dedup();
            states = next;
        }
        for s in states {
            let holder = usize::from(s.hands[0] & yomikiri_games::sixtysix::rules::bit(q as u8) == 0);
            let a_takes = table.value(&s, run)? > 0;
            let wins = a_takes == (holder == 0);
            let wanted = applies.into_iter().zip([true, true, false, false]);
            for (finding, (applies, wanted)) in self.drawn.iter_mut().zip(wanted) {
                if applies {
                    finding.cases.case(wins == wanted, || told(deal, Some(g)));
                }
            }
        }
        Ok(())
    }
}

/// Cards of a hand and of the deck that are gone through whole.
pub(super) const SMALL: [(usize, usize); 5] = [(1, 2), (2, 2), (1, 4), (2, 4), (3, 2)];

/// Checks section 3 on every deal of small shapes.
pub(super) fn section_3(thorough: bool, run: &Run<'_>) -> Result<Vec<Finding>, Error> {
    let mut shapes = SMALL.to_vec();
    if thorough {
        shapes.extend([(1, 6), (4, 2)]);
    }
    let mut section = Section3::new();
    run.observer.begin(&text("decks", "山札"), shapes.len() as u64);
    for (i, &(hand, deck)) in shapes.iter().enumerate() {
        every_deal(hand, deck, run, |deal| section.deal(&deal, run))?;
        run.observer.done(i as u64 + 1);
    }
    run.observer.end();
    let scope: Vec<String> = shapes.iter().map(|(h, d)| format!("{h}+{h}+{d}")).collect();
    let scope = Text::of(
        format!("all deals of {} cards", scope.join(", ")),
        format!("{}枚の全配札", scope.join("、")),
    );
    let mut findings: Vec<Finding> = section.lemmas.into();
    findings.extend(section.algorithms.into_iter().map(|a| a.0));
    findings.extend(section.reach);
    findings.extend(section.drawn);
    findings.iter_mut().for_each(|f| f.scope = scope.clone());
    findings.sort_by_key(|f| ORDER.iter().position(|s| *s == f.statement));
    Ok(findings)
}

/// Theorem 1: the number of positions stays below the paper's bound; and its remark that somebody wins.
pub(super) fn theorem_1(run: &Run<'_>) -> Result<Vec<Finding>, Error> {
    let reading = text("at most 2n · n^h · n^h positions", "局面は高々 2n·n^h·n^h");
    let mut bound = Finding::new(("theorem 1: positions", Paper, reading));
    bound.scope = text(
        "random deals, h = 2, 3, n ≤ 10; positions between tricks, both leaders",
        "ランダムな配札、h = 2, 3、n ≤ 10（トリック間の局面、先手を区別）",
    );
    for hand in 2..=3usize {
        for n in hand..=10 {
            let deal =
                shuffled(hand, 2 * (n - hand), 0, &mut Random::stream(run.seed, (hand * 100 + n) as u64));
            let game = Sixtysix::new(deal.clone(), &[], Objective::Difference)?;
            let positions = Layers::expand(&game, &game.start(), run)?.positions();
            bound
                .cases
                .case(positions <= 2 * (n as u64) * (n as u64).pow(2 * hand as u32), || told(&deal, None));
        }
    }
    let reading = text("the game ends with a win of A or B", "ゲームは最終的に A か B の勝利で終わる");
    let mut somebody = Finding::new(("theorem 1: somebody wins", Paper, reading));
    somebody.scope = text(
        "all deals, h ≤ 3, no deck, every card a point, TP = h",
        "全配札、h ≤ 3、山札なし、全カード1点、TP = h",
    );
    for hand in 1..=3usize {
        every_deal(hand, 0, run, |deal| {
            let limit = [hand as i32; 2];
            let game = Sixtysix::new(deal.clone(), &vec![1; 2 * hand], Objective::Race(limit))?;
            let value = Minimax::new(&game, run).value(&game.start(), run)?;
            somebody.cases.case(value != 0, || told(&deal, None));
            Ok(())
        })?;
    }
    Ok(vec![bound, somebody])
}
