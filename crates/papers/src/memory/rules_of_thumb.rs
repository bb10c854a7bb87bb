//! Rules of thumb: a short decision list that a person can keep in mind, derived from the solved table,
//! with the exact number of positions it gets right and what playing by it costs.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use yomikiri_core::{Canonical, Error, Game, Indexed, Run, Text, Turn, text};
use yomikiri_games::memory::answer::{Answer, answer, best};
use yomikiri_games::memory::levels::{Doubles, Levels, TOLERANCE};
use yomikiri_games::memory::rules::{Action, Key, Memory, Pattern, Phase, State};
use yomikiri_solve::on_threads;
use yomikiri_solve::restrict::Policy;
use yomikiri_view::report::{Certainty, Record};

/// What a player can see at a glance: names and how they are counted from a position.
pub const FEATURES: usize = 10;

/// What each feature is.
pub fn feature_name(feature: usize) -> Text {
    [
        text("unknown cards", "未知カードの枚数"),
        text("known cards", "既知カードの枚数"),
        text("pairs left", "残りペア数"),
        text("ranks not seen yet", "一度も見ていないランク数"),
        text("ranks with one known card", "既知1枚のランク数"),
        text("your lead", "自分のリード"),
        text("known minus unseen ranks", "既知ランク数−未見ランク数"),
        text("pairs left plus known cards", "残りペア数＋既知カード枚数"),
        text("cards left of the turned rank", "めくったランクの残り枚数"),
        text("ranks with a known pair", "既知ペアのあるランク数"),
    ][feature]
        .clone()
}

fn features(game: &Memory, s: &State) -> [i16; FEATURES] {
    let count = |of: &dyn Fn(Pattern) -> bool| -> i16 {
        game.patterns().iter().zip(s.counts).filter(|(p, _)| of(**p)).map(|(_, n)| i16::from(n)).sum()
    };
    let unknown = game.unknown(&s.counts) as i16;
    let pairs = game.remaining(&s.counts) as i16;
    let unseen = count(&|p| p.known == 0 && p.unknown > 0);
    let known_ranks = game.known_ranks(&s.counts) as i16;
    [
        unknown,
        2 * pairs - unknown,
        pairs,
        unseen,
        count(&|p| p.known == 1),
        s.diff,
        known_ranks - unseen,
        3 * pairs - unknown,
        match s.phase {
            Phase::Second(i) => 2 * game.patterns()[usize::from(i)].pairs() as i16,
            _ => 0,
        },
        count(&|p| p.known >= 2),
    ]
}

/// A condition on one feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// At least so much.
    AtLeast(usize, i16),
    /// At most so much.
    AtMost(usize, i16),
    /// Exactly so much.
    Exactly(usize, i16),
    /// Even.
    Even(usize),
    /// Odd.
    Odd(usize),
}

impl Condition {
    /// The feature it is on.
    fn feature(self) -> usize {
        match self {
            Condition::AtLeast(f, _)
            | Condition::AtMost(f, _)
            | Condition::Exactly(f, _)
            | Condition::Even(f)
            | Condition::Odd(f) => f,
        }
    }

    /// Whether it holds for a value of its feature.
    fn holds_for(self, value: i16) -> bool {
        match self {
            Condition::AtLeast(_, n) => value >= n,
            Condition::AtMost(_, n) => value <= n,
            Condition::Exactly(_, n) => value == n,
            Condition::Even(_) => value % 2 == 0,
            Condition::Odd(_) => value % 2 != 0,
        }
    }

    fn holds(self, features: &[i16; FEATURES]) -> bool {
        self.holds_for(features[self.feature()])
    }

    /// In words.
    pub fn text(self) -> Text {
        let words = |f: usize, en: &str, ja: &str| {
            let name = feature_name(f);
            Text::of(format!("{} {en}", name.en), format!("{}が{ja}", name.ja))
        };
        match self {
            Condition::AtLeast(f, n) => words(f, &format!("≥ {n}"), &format!("{n}以上")),
            Condition::AtMost(f, n) => words(f, &format!("≤ {n}"), &format!("{n}以下")),
            Condition::Exactly(f, n) => words(f, &format!("= {n}"), &n.to_string()),
            Condition::Even(f) => words(f, "even", "偶数"),
            Condition::Odd(f) => words(f, "odd", "奇数"),
        }
    }
}

/// If all conditions hold, do this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The conditions; none for the last rule of a list.
    pub when: Vec<Condition>,
    /// The option: a place in the list of options of its decision.
    pub option: usize,
}

impl Rule {
    fn holds(&self, features: &[i16; FEATURES]) -> bool {
        self.when.iter().all(|condition| condition.holds(features))
    }

    /// Its conditions in words.
    pub fn condition(&self) -> Text {
        if self.when.is_empty() {
            return text("otherwise", "それ以外");
        }
        let texts: Vec<Text> = self.when.iter().map(|condition| condition.text()).collect();
        let join = |of: fn(&Text) -> &str, by: &str| texts.iter().map(of).collect::<Vec<_>>().join(by);
        Text::of(join(|t| &t.en, " and "), join(|t| &t.ja, "かつ"))
    }
}

/// Rules in order: the first whose conditions hold decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionList {
    /// The rules; the last has no conditions.
    pub rules: Vec<Rule>,
    /// Cases with a choice.
    pub cases: u64,
    /// Cases in which the list chooses a best option.
    pub right: u64,
}

impl DecisionList {
    fn decide(&self, features: &[i16; FEATURES]) -> usize {
        self.rules.iter().find(|rule| rule.holds(features)).map_or(0, |rule| rule.option)
    }
}

/// One case to learn from.
struct Case {
    features: [i16; FEATURES],
    /// How often it comes up.
    weight: f64,
    /// For each option what it loses against the best; `None` if it is not legal.
    loss: [Option<f64>; 3],
}

impl Case {
    fn good(&self, option: usize) -> bool {
        self.loss[option].is_some_and(|loss| loss <= TOLERANCE)
    }
}

/// Conditions of a rule at most.
const CONDITIONS: usize = 3;
/// What choosing an option that is not there counts as: more than any real loss.
const ILLEGAL: f64 = 1.0;

/// Learns a list by putting in front of it, again and again, the rule of up to three conditions that
/// saves most of the value still lost, summed over all cases by how often they come up.
fn learn(cases: &[Case], options: usize, length: usize, run: &Run<'_>) -> Result<DecisionList, Error> {
    let loss = |case: &Case, option: usize| case.weight * case.loss[option].unwrap_or(ILLEGAL);
    let mut ranges = [(i16::MAX, i16::MIN); FEATURES];
    for case in cases {
        for (range, &x) in ranges.iter_mut().zip(&case.features) {
            *range = (range.0.min(x), range.1.max(x));
        }
    }
    let total = |option: usize| cases.iter().map(|c| loss(c, option)).sum::<f64>();
    let default = (0..options).min_by(|&a, &b| total(a).total_cmp(&total(b))).unwrap_or(0);
    let mut rules = vec![Rule { when: Vec::new(), option: default }];
    // What is read again and again, side by side.
    let seen: Vec<[i16; FEATURES]> = cases.iter().map(|case| case.features).collect();
    let mut chosen = vec![default; cases.len()];
    let singles: Vec<Condition> = (0..FEATURES).flat_map(|f| conditions(f, ranges[f])).collect();
    while rules.len() < length && !cases.is_empty() {
        run.check()?;
        // The gain of each case if it were decided by each option.
        let gains: Vec<Vec<f64>> = (0..options)
            .map(|o| cases.iter().zip(&chosen).map(|(c, &now)| loss(c, now) - loss(c, o)).collect())
            .collect();
        let work: Vec<(Condition, usize)> =
            singles.iter().flat_map(|&first| (0..options).map(move |o| (first, o))).collect();
        // What each first condition gains alone, and the most that any further ones can make of it. Those that cannot
        // come up to the best of the former are not looked at again. Conditions on a feature are sums over its values.
        let by_value: Vec<_> = gains.iter().map(|gains| reaches(&seen, gains, &ranges)).collect();
        let reach: Vec<(f64, f64)> = work
            .iter()
            .map(|&(first, option)| {
                let feature = first.feature();
                let inside = (ranges[feature].0..).zip(&by_value[option][feature]);
                let inside = inside.filter(|(value, _)| first.holds_for(*value)).map(|(_, sums)| sums);
                inside.fold((0.0, 0.0), |(alone, most), sums| (alone + sums.0, most + sums.1))
            })
            .collect();
        let least = reach.iter().map(|r| r.0).fold(f64::NEG_INFINITY, f64::max);
        // Sums in another order may differ in their last digits.
        let all: f64 = gains.iter().flatten().map(|gain| gain.abs()).sum();
        let least = least - all * 1e-12;
        let grown =
            |&(first, option): &(Condition, usize)| grow(&seen, &gains[option], first, option, &ranges);
        let top = on_threads(run, || {
            let promising = reach.par_iter().zip(&work).filter(|(r, _)| r.1 * (1.0 + 1e-9) >= least);
            promising.map(|(_, one)| run.check().map(|()| grown(one))).collect::<Result<Vec<_>, Error>>()
        })??;
        let top = top.into_iter().reduce(|a, b| if b.0 > a.0 { b } else { a });
        let Some((gain, rule)) = top else { break };
        if gain <= 1e-12 {
            break;
        }
        for (case, now) in cases.iter().zip(&mut chosen) {
            if rule.holds(&case.features) {
                *now = rule.option;
            }
        }
        rules.insert(0, rule);
    }
    let right = cases.iter().zip(&chosen).filter(|(c, now)| c.good(**now)).count() as u64;
    Ok(DecisionList { rules, cases: cases.len() as u64, right })
}

/// By feature and its value: what the cases gain, and what those of them that gain anything do.
type Reaches = [Vec<(f64, f64)>; FEATURES];

fn reaches(seen: &[[i16; FEATURES]], gains: &[f64], ranges: &[(i16, i16); FEATURES]) -> Reaches {
    let mut sums = ranges.map(|(low, high)| vec![(0.0, 0.0); (high - low + 1).max(0) as usize]);
    for (features, gain) in seen.iter().zip(gains) {
        for ((sums, x), range) in sums.iter_mut().zip(features).zip(ranges) {
            let sum = &mut sums[(x - range.0) as usize];
            *sum = (sum.0 + gain, sum.1 + gain.max(0.0));
        }
    }
    sums
}

/// The rule beginning with a condition that gains most, and what it gains: conditions are added one by
/// one, each the best at its place.
fn grow(
    seen: &[[i16; FEATURES]],
    gain: &[f64],
    first: Condition,
    option: usize,
    ranges: &[(i16, i16); FEATURES],
) -> (f64, Rule) {
    let mut inside: Vec<usize> = (0..seen.len()).filter(|&i| first.holds(&seen[i])).collect();
    let mut when = vec![first];
    let mut best = (inside.iter().map(|&i| gain[i]).sum::<f64>(), Rule { when: when.clone(), option });
    while when.len() < CONDITIONS {
        // The gain by value of a feature gives that of every condition on it by partial sums. All features are
        // summed in one pass: cases are many, and to read them is most of the work.
        let mut by_value = ranges.map(|(low, high)| vec![0.0; (high - low + 1).max(0) as usize]);
        for &i in &inside {
            for ((by_value, x), range) in by_value.iter_mut().zip(seen[i]).zip(ranges) {
                by_value[(x - range.0) as usize] += gain[i];
            }
        }
        let mut next: Option<(f64, Condition)> = None;
        for (f, &range) in ranges.iter().enumerate() {
            for condition in conditions(f, range) {
                let mut sum = 0.0;
                for (value, gain) in (range.0..).zip(&by_value[f]) {
                    if condition.holds_for(value) {
                        sum += gain;
                    }
                }
                if next.is_none_or(|n| sum > n.0) {
                    next = Some((sum, condition));
                }
            }
        }
        let Some((sum, condition)) = next else { break };
        inside.retain(|&i| condition.holds(&seen[i]));
        when.push(condition);
        // A further condition must earn its keep.
        if sum > best.0 + 1e-12 {
            best = (sum, Rule { when: when.clone(), option });
        }
    }
    best
}

/// All conditions on a feature with values in a range that are neither always nor never true.
fn conditions(f: usize, (low, high): (i16, i16)) -> Vec<Condition> {
    if low >= high {
        return Vec::new();
    }
    let mut list = vec![Condition::Even(f), Condition::Odd(f)];
    for n in low + 1..=high {
        list.push(Condition::AtMost(f, n - 1));
        list.push(Condition::AtLeast(f, n));
        // At the ends it is one of those.
        if n < high {
            list.push(Condition::Exactly(f, n));
        }
    }
    list
}

/// The three decisions of a turn that are not obvious, each with its list.
pub struct RulesOfThumb {
    /// First card where no known pair can be taken: turn, pass.
    pub quiet: DecisionList,
    /// First card where a known pair can be taken that is not free: take, turn, pass.
    pub pair: DecisionList,
    /// Second card where no match is known: a known card of another rank, another unknown card.
    pub second: DecisionList,
    /// Second cards where a match is known, and how often taking it is best.
    pub same: (u64, u64),
}

/// The options of the decisions, in the order rules refer to them.
pub(super) const QUIET: [Action; 2] = [Action::Flip, Action::Pass];
/// Options where a pair can be taken.
pub(super) const PAIR: [Action; 3] = [Action::Take(0), Action::Flip, Action::Pass];
/// Options for the second card.
pub(super) const SECOND: [Action; 2] = [Action::Different, Action::Unknown];

fn alike(a: Action, b: Action) -> bool {
    a == b || matches!((a, b), (Action::Take(_), Action::Take(_)))
}

fn case(features: [i16; FEATURES], weight: f64, options: &[Action], values: &[(Action, f64)]) -> Case {
    let top = values.iter().map(|v| v.1).fold(f64::NEG_INFINITY, f64::max);
    let mut loss = [None; 3];
    for (loss, &option) in loss.iter_mut().zip(options) {
        let value = values.iter().filter(|v| alike(v.0, option)).map(|v| v.1).reduce(f64::max);
        *loss = value.map(|value| top - value);
    }
    Case { features, weight, loss }
}

/// Whether a position has a known pair that costs nothing: those are always taken.
fn has_free_pair(game: &Memory, s: &State) -> bool {
    game.patterns().iter().zip(s.counts).any(|(p, n)| n > 0 && p.free_pair())
}

impl RulesOfThumb {
    /// Derives the lists from all positions of a solved game without free pairs.
    ///
    /// # Errors
    /// If the memory of the run is too small, or it is cancelled.
    pub fn learn(
        game: &Memory,
        table: &Levels<Doubles>,
        length: usize,
        run: &Run<'_>,
    ) -> Result<RulesOfThumb, Error> {
        // A position is a case or two, and has a place in the map of how often it comes up, which has room to grow.
        let each = 2 * size_of::<Case>() + 2 * size_of::<(Key, f64)>();
        let positions: u64 = (0..game.tiers()).map(|tier| game.len(tier)).sum();
        run.fits(positions * each as u64)?;
        let (mut quiet, mut pair, mut second, mut same) = (Vec::new(), Vec::new(), Vec::new(), (0, 0));
        let often = occurrence(game, run)?;
        for tier in 0..game.tiers() {
            run.check()?;
            for at in 0..game.len(tier) {
                let Some(s) = game.state((tier, at)) else { continue };
                if has_free_pair(game, &s) {
                    continue;
                }
                let weight = game.key(&s).and_then(|key| often.get(&key)).copied().unwrap_or(0.0);
                let Some(Answer { moves, second: seconds, .. }) = answer(game, table, &s) else { continue };
                let features = features(game, &s);
                if matches!(moves[0].0, Action::Take(_)) {
                    pair.push(case(features, weight, &PAIR, &moves));
                } else if moves.len() > 1 {
                    quiet.push(case(features, weight, &QUIET, &moves));
                }
                if !best(&moves).contains(&Action::Flip) {
                    continue;
                }
                for (pattern, _, values) in &seconds {
                    let turned = game.place(pattern.unknown, pattern.known);
                    let features = self::features(game, &State { phase: Phase::Second(turned), ..s.clone() });
                    if pattern.known > 0 {
                        same.0 += 1;
                        same.1 += u64::from(best(values)[0] == Action::Same);
                    } else if values.len() > 1 {
                        second.push(case(features, weight, &SECOND, values));
                    }
                }
            }
        }
        Ok(RulesOfThumb {
            quiet: learn(&quiet, 2, length, run)?,
            pair: learn(&pair, 3, length, run)?,
            second: learn(&second, 2, length, run)?,
            same,
        })
    }
}

/// How often each position comes up when both players try things out: free pairs and known matches are
/// taken, nobody passes, and everything else is chosen with equal chances.
fn occurrence(game: &Memory, run: &Run<'_>) -> Result<FxHashMap<Key, f64>, Error> {
    let mut open: BTreeMap<(usize, usize), BTreeMap<Key, f64>> = BTreeMap::new();
    let mut all = FxHashMap::default();
    let place = |s: &State| (game.unknown(&s.counts), game.remaining(&s.counts));
    let start = game.start();
    if let Some(key) = game.key(&start) {
        open.entry(place(&start)).or_default().insert(key, 1.0);
    }
    while let Some((_, positions)) = open.pop_last() {
        run.check()?;
        for (key, weight) in positions {
            all.insert(key, weight);
            let mut ahead = vec![(key.state(game), weight)];
            while let Some((s, weight)) = ahead.pop() {
                let next: Vec<(Action, f64)> = match game.turn(&s) {
                    Turn::Terminal => Vec::new(),
                    Turn::Chance => {
                        let mut outcomes = Vec::new();
                        game.chance(&s, &mut outcomes);
                        let total: u32 = outcomes.iter().map(|o| o.1).sum();
                        outcomes.iter().map(|o| (o.0, f64::from(o.1) / f64::from(total))).collect()
                    }
                    Turn::Player(_) => {
                        let mut actions = Vec::new();
                        game.actions(&s, &mut actions);
                        let sure = |a: &Action| {
                            *a == Action::Same || matches!(a, Action::Take(t) if game.taken(*t).free_pair())
                        };
                        match actions.iter().copied().find(sure) {
                            Some(a) => vec![(a, 1.0)],
                            None => {
                                actions.retain(|&a| a != Action::Pass);
                                let share = 1.0 / actions.len() as f64;
                                actions.into_iter().map(|a| (a, share)).collect()
                            }
                        }
                    }
                };
                for (a, share) in next {
                    let t = game.apply(&s, a);
                    match game.key(&t) {
                        Some(key) if !has_free_pair(game, &t) && game.turn(&t) != Turn::Terminal => {
                            *open.entry(place(&t)).or_default().entry(key).or_default() += weight * share;
                        }
                        _ => ahead.push((t, weight * share)),
                    }
                }
            }
        }
    }
    Ok(all)
}

/// Plays by the lists.
impl Policy<Memory> for RulesOfThumb {
    fn restrict(&self, game: &Memory, s: &State, actions: &mut Vec<Action>) {
        let wanted = match s.phase {
            Phase::Second(_) if actions[0] == Action::Same => Action::Same,
            Phase::Second(_) => SECOND[self.second.decide(&features(game, s))],
            _ if matches!(actions[0], Action::Take(t) if game.taken(t).free_pair()) => actions[0],
            _ if has_free_pair(game, s) => {
                let free = |a: &Action| matches!(a, Action::Take(t) if game.taken(*t).free_pair());
                actions.iter().copied().find(free).unwrap_or(actions[0])
            }
            // Having passed back and forth, the game is over: a lead is enough.
            _ if s.passed && s.diff > 0 => Action::Pass,
            _ if matches!(actions[0], Action::Take(_)) => PAIR[self.pair.decide(&features(game, s))],
            _ => QUIET[self.quiet.decide(&features(game, s))],
        };
        let chosen = actions.iter().copied().find(|&a| alike(a, wanted)).unwrap_or(actions[0]);
        actions.clear();
        actions.push(chosen);
    }
}

/// What an option is called.
pub(super) fn option_name(game: &Memory, option: Action) -> Text {
    match option {
        Action::Take(_) => text("take the pair", "ペアを取る"),
        other => yomikiri_games::memory::notation::label(game, other),
    }
}

/// A row of a table of ways to play: what each wins against the best opponent, first and second, and what that costs against
/// optimal play, which wins `best`.
pub fn costs(best: f64, id: &'static str, name: Text, (first, second): (f64, f64)) -> Record {
    let rate = |row: Record, key: &str, head, x: f64| row.field(key, head, format!("{x:.6}"), x);
    let row = Record::new().field("plays", text("plays", "打ち方"), name, id);
    let row = rate(row, "first", text("first>", "先手>"), first);
    let row = rate(row, "cost_first", text("cost>", "損>"), best - first);
    let row = rate(row, "second", text("second>", "後手>"), second);
    let row = rate(row, "cost_second", text("cost>", "損>"), 1.0 - best - second);
    row.certainty(Certainty::Exact)
}

/// The rate at which a way of playing wins against the best possible opponent, moving first and second.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn against_best(game: &Memory, policy: &dyn Policy<Memory>, run: &Run<'_>) -> Result<(f64, f64), Error> {
    let free = yomikiri_solve::restrict::Free;
    Ok((
        super::experiments::rate(game, policy, &free, run)?,
        1.0 - super::experiments::rate(game, &free, policy, run)?,
    ))
}
