//! The value of a position and of every decision in it, and the `eval` interface.

use super::levels::{Arithmetic, Doubles, Factorials, Keep, Levels, TOLERANCE, store_name};
use super::notation::{push_word, word};
use super::opened;
use super::rules::{Action, Counts, MAX_PATTERNS, MAX_RANKS, Memory, Objective, Pattern, Phase, State};
use crate::about::Evaluator;
use crate::told::keyed;
use rayon::prelude::*;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, RwLock};
use yomikiri_core::{Error, Game, Number, Rational, Refusal, Run, Text, Turn, text};
use yomikiri_solve::solution::{Solution, value_for};
use yomikiri_view::analysis::compare;

/// Decisions with their values as shown: win rates, or pair differences.
pub type Valued<N> = Vec<(Action, N)>;

/// Everything there is to know of a position. In the middle of a turn the moves are those of the second card.
#[derive(Clone, Debug)]
pub struct Answer<N> {
    /// The value for the player whose turn it is.
    pub value: N,
    /// Every legal move; none if the position is decided.
    pub moves: Valued<N>,
    /// For each pattern the first card can turn out to have: its weight, and the second-card decisions.
    pub second: Vec<(Pattern, u32, Valued<N>)>,
}

/// A value as people read it: the win rate with draws half, or the pair difference.
pub fn shown<N: Number>(objective: Objective, value: &N) -> N {
    let mut value = value.clone();
    if objective == Objective::Win {
        value.add_weighted(1, &N::from_int(1));
        value.divide(2);
    }
    value
}

/// The best of some values.
pub fn top<N: Number>(values: &[(Action, N)]) -> Option<&N> {
    values.iter().map(|v| &v.1).reduce(|a, b| if b.compare(a).is_gt() { b } else { a })
}

/// The decisions as good as the best, in order.
pub fn best<N: Number>(values: &[(Action, N)]) -> Vec<Action> {
    let Some(top) = top(values) else { return Vec::new() };
    values.iter().filter(|v| compare(&v.1, top, TOLERANCE).is_ge()).map(|v| v.0).collect()
}

/// The second-card decisions for each pattern the card being turned in `flip` can have.
#[allow(clippy::type_complexity)]
fn second_cards<S: Solution<Memory>>(
    game: &Memory,
    solution: &S,
    flip: &State,
    me: u8,
) -> Option<Vec<(Pattern, u32, Valued<S::Number>)>> {
    let show = |value: &S::Number| shown(game.objective(), value);
    // Two unknown cards that do not match leave the same position in either order.
    let mut both: [[Option<S::Number>; MAX_PATTERNS]; MAX_PATTERNS] = Default::default();
    let (mut turned, mut outcomes, mut actions) = (Vec::new(), Vec::new(), Vec::new());
    game.chance(flip, &mut turned);
    let mut all = Vec::with_capacity(turned.len());
    for &(card, weight) in &turned {
        let Action::Turned(i) = card else { continue };
        let choice = game.apply(flip, card);
        let mut values = Vec::with_capacity(3);
        actions.clear();
        game.actions(&choice, &mut actions);
        for &a in &actions {
            let next = game.apply(&choice, a);
            if a != Action::Unknown {
                values.push((a, show(&value_for(game, solution, &next, me)?)));
                continue;
            }
            outcomes.clear();
            game.chance(&next, &mut outcomes);
            let mut sum = S::Number::from_int(0);
            for &(card, weight) in &outcomes {
                let after = || value_for(game, solution, &game.apply(&next, card), me);
                let value = match card {
                    Action::Turned(j) => {
                        let known = &mut both[usize::from(i.min(j))][usize::from(i.max(j))];
                        if known.is_none() {
                            *known = Some(after()?);
                        }
                        known.clone()?
                    }
                    _ => after()?,
                };
                sum.add_weighted(weight, &value);
            }
            sum.divide(outcomes.iter().map(|o| u64::from(o.1)).sum());
            values.push((a, show(&sum)));
        }
        all.push((game.patterns()[usize::from(i)], weight, values));
    }
    Some(all)
}

/// Works out a position; `None` if the solution does not cover it.
pub fn answer<S: Solution<Memory>>(game: &Memory, solution: &S, s: &State) -> Option<Answer<S::Number>> {
    let show = |value: &S::Number| shown(game.objective(), value);
    let Turn::Player(me) = game.turn(s) else {
        let value = show(&value_for(game, solution, s, s.mover)?);
        return Some(Answer { value, moves: Vec::new(), second: Vec::new() });
    };
    let mut actions = Vec::new();
    game.actions(s, &mut actions);
    let mut moves = Vec::with_capacity(actions.len());
    let mut second = Vec::new();
    for a in actions {
        let next = game.apply(s, a);
        if a == Action::Flip {
            second = second_cards(game, solution, &next, me)?;
            let mut flip = S::Number::from_int(0);
            for (_, weight, values) in &second {
                flip.add_weighted(*weight, top(values)?);
            }
            flip.divide(second.iter().map(|c| u64::from(c.1)).sum());
            moves.push((a, flip));
        } else {
            moves.push((a, show(&value_for(game, solution, &next, me)?)));
        }
    }
    let value = top(&moves)?.clone();
    Some(Answer { value, moves, second })
}

/// Writes a value into JSON: a number, or a fraction as a string.
trait Json {
    fn json(&self, out: &mut String);
    /// The same as a value.
    fn told(&self) -> Value;
}

impl Json for f64 {
    fn json(&self, out: &mut String) {
        // Shortest text that reads back as the same double; never NaN or infinite. Adding 0 drops the
        // sign of −0.
        out.push_str(zmij::Buffer::new().format(*self + 0.0));
    }

    fn told(&self) -> Value {
        (*self + 0.0).into()
    }
}

impl Json for Rational {
    fn json(&self, out: &mut String) {
        let _ = write!(out, "\"{self}\"");
    }

    fn told(&self) -> Value {
        self.to_string().into()
    }
}

fn words(game: &Memory, actions: &[Action], out: &mut String) {
    out.push('[');
    for (i, &a) in actions.iter().enumerate() {
        out.push_str(if i > 0 { ",\"" } else { "\"" });
        push_word(game, a, out);
        out.push('"');
    }
    out.push(']');
}

fn object<N: Number + Json>(game: &Memory, values: &[(Action, N)], out: &mut String) {
    out.push('{');
    for (i, (a, value)) in values.iter().enumerate() {
        out.push_str(if i > 0 { ",\"" } else { "\"" });
        push_word(game, *a, out);
        out.push_str("\":");
        value.json(out);
    }
    out.push('}');
}

/// The answer as the text of a JSON object.
#[allow(private_bounds)]
pub fn to_json<N: Number + Json>(game: &Memory, answer: &Answer<N>) -> String {
    let mut out = String::with_capacity(512);
    out.push_str("{\"value\":");
    answer.value.json(&mut out);
    out.push_str(",\"best\":");
    words(game, &best(&answer.moves), &mut out);
    out.push_str(",\"moves\":");
    object(game, &answer.moves, &mut out);
    out.push_str(",\"second\":[");
    for (i, (pattern, _, values)) in answer.second.iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(out, "{comma}{{\"pattern\":[{},{}],\"best\":", pattern.unknown, pattern.known);
        words(game, &best(values), &mut out);
        out.push_str(",\"values\":");
        object(game, values, &mut out);
        out.push('}');
    }
    out.push_str("]}");
    out
}

/// What [`to_json`] writes, as a value.
#[allow(private_bounds)]
pub fn told<N: Number + Json>(game: &Memory, answer: &Answer<N>) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("value".into(), answer.value.told());
    out.insert("best".into(), told_words(game, &best(&answer.moves)));
    out.insert("moves".into(), told_values(game, &answer.moves));
    out.insert("second".into(), told_second(game, answer));
    out
}

/// Its second cards alone.
#[allow(private_bounds)]
pub fn told_second<N: Number + Json>(game: &Memory, answer: &Answer<N>) -> Value {
    let one = |(pattern, _, values): &(Pattern, u32, Valued<N>)| {
        let mut out = Map::new();
        out.insert("pattern".into(), [pattern.unknown, pattern.known].as_slice().into());
        out.insert("best".into(), told_words(game, &best(values)));
        out.insert("values".into(), told_values(game, values));
        Value::Object(out)
    };
    answer.second.iter().map(one).collect()
}

fn told_words(game: &Memory, actions: &[Action]) -> Value {
    actions.iter().map(|&a| word(game, a)).collect()
}

fn told_values<N: Json>(game: &Memory, values: &[(Action, N)]) -> Value {
    Value::Object(keyed(values.iter().map(|(a, value)| (word(game, *a), value.told()))))
}

/// How many ranks a table must have to answer for a position: those on the table, and enough for the
/// difference. Ranks that are gone do not matter, so late positions of large games are cheap.
pub fn ranks_needed(game: &Memory, s: &State) -> usize {
    let gone = usize::from(s.counts[game.patterns().len() - 1]);
    let on_table = game.ranks() - gone;
    let pairs = game.remaining(&s.counts) + usize::from(s.diff.unsigned_abs());
    let needed = match game.objective() {
        Objective::Win => on_table.max((2 * pairs).div_ceil(game.copies())),
        Objective::Cards => on_table,
    };
    // With an odd number of pairs a rank, differences have the parity of the number of ranks.
    let odd = (game.copies() / 2) % 2 == 1 && (game.ranks() - needed.min(game.ranks())) % 2 == 1;
    (needed + usize::from(odd)).clamp(1, game.ranks())
}

/// A table that answers for a position: opened before, from the cache or the store, or solved now.
///
/// # Errors
/// What solving fails with, or the tables of the run do not hold the position and nothing else is to be asked.
pub fn table_for<A: Arithmetic + 'static>(
    game: &Memory,
    s: &State,
    arithmetic: impl Fn(usize) -> A,
    run: &Run<'_>,
) -> Result<Arc<Levels<A>>, Error> {
    let ranks = ranks_needed(game, s);
    if let Some(levels) = opened::find(game, ranks, run)? {
        return Ok(levels);
    }
    let smaller = Memory::new(ranks, game.copies(), game.objective())?;
    run.cached(&store_name(&smaller, A::NAME, "table"), || {
        let levels = Levels::solve(&smaller, arithmetic(ranks * game.copies()), Keep::All, run)?;
        let bytes = levels.bytes();
        Ok((levels, bytes))
    })
}

/// Tables by game, each the largest needed so far: copies, objective, and the parity of the ranks where
/// that matters.
type Tables<A> = RwLock<BTreeMap<(usize, bool, usize), (usize, Arc<Levels<A>>)>>;

/// Answers requests from tables that grow as needed.
pub struct Requests<A: Arithmetic> {
    tables: Tables<A>,
    arithmetic: fn(usize) -> A,
}

impl Requests<Doubles> {
    /// Answers in doubles.
    pub fn doubles() -> Self {
        Requests { tables: Tables::default(), arithmetic: |_| Doubles }
    }
}

impl Requests<Factorials> {
    /// Answers in fractions.
    pub fn exact() -> Self {
        Requests { tables: Tables::default(), arithmetic: Factorials::new }
    }
}

impl<A: Arithmetic> Requests<A> {
    fn slot(game: &Memory) -> (usize, bool, usize) {
        let odd = (game.copies() / 2) % 2 == 1;
        (game.copies(), game.objective() == Objective::Win, if odd { game.ranks() % 2 } else { 0 })
    }
}

impl<A: Arithmetic + 'static> Evaluator for Requests<A>
where
    A::Shown: Json,
{
    fn prepare(&self, requests: &[Map<String, Value>], run: &Run<'_>) -> Result<(), Error> {
        let read: Vec<_> = requests
            .par_iter()
            .map(|request| {
                let (game, s) = read_request(request).ok()?;
                (game.turn(&s) != Turn::Terminal).then(|| (Self::slot(&game), ranks_needed(&game, &s)))
            })
            .collect();
        let mut needed = BTreeMap::new();
        for ((slot, ranks), request) in read.into_iter().zip(requests).filter_map(|(r, q)| Some((r?, q))) {
            let largest = needed.entry(slot).or_insert((ranks, request));
            if largest.0 < ranks {
                *largest = (ranks, request);
            }
        }
        for (slot, (ranks, request)) in needed {
            let (game, s) = read_request(request)?;
            let there = self.tables.read().is_ok_and(|t| t.get(&slot).is_some_and(|t| t.0 >= ranks));
            if !there {
                let table = table_for(&game, &s, self.arithmetic, run)?;
                if let Ok(mut tables) = self.tables.write() {
                    tables.insert(slot, (ranks, table));
                }
            }
        }
        Ok(())
    }

    fn answer(&self, request: &Map<String, Value>, _: &Run<'_>) -> Result<String, Error> {
        let (game, s) = read_request(request)?;
        let table = self.tables.read().ok().and_then(|t| t.get(&Self::slot(&game)).cloned());
        let found = match &table {
            _ if game.turn(&s) == Turn::Terminal => {
                answer(&game, &Nothing::<A::Shown>(std::marker::PhantomData), &s)
            }
            Some(table) => answer(&game, &table.1, &s),
            None => None,
        };
        match found {
            Some(answer) => Ok(to_json(&game, &answer)),
            None => table.map_or(Ok(()), |table| table.1.sound()).and(Err(Refusal::of(
                "counts",
                text("a position that was not prepared", "準備されていない局面"),
                text("a position of a batch that was prepared", "準備された局面"),
            )
            .into())),
        }
    }
}

/// A solution that knows nothing: enough for decided positions.
struct Nothing<N>(std::marker::PhantomData<N>);

impl<N: Number> Solution<Memory> for Nothing<N> {
    type Number = N;
    fn stored(&self, _: &Memory, s: &State) -> yomikiri_solve::solution::Stored<N> {
        debug_assert!(s.phase == Phase::First);
        yomikiri_solve::solution::Stored::Missing
    }
}

const FIELDS: [&str; 5] = ["counts", "diff", "prev_pass", "copies", "objective"];

/// Reads a request: the game and the position it asks about.
fn read_request(request: &Map<String, Value>) -> Result<(Memory, State), Refusal> {
    if let Some(field) = request.keys().find(|k| *k != "id" && !FIELDS.contains(&k.as_str())) {
        return Err(Refusal::of(
            field.as_str(),
            text("an unknown field", "未知のフィールド"),
            Text::same(format!("id, {}", FIELDS.join(", "))),
        ));
    }
    let copies = match request.get("copies") {
        None => 4,
        Some(value) => match value.as_u64() {
            Some(n @ (2 | 4 | 6)) => n as usize,
            _ => return Err(Refusal::new("copies", value, Text::same("2, 4, 6"))),
        },
    };
    let objective = match request.get("objective") {
        None => Objective::Win,
        Some(value) => match value.as_str() {
            Some("win") => Objective::Win,
            Some("cards") => Objective::Cards,
            _ => return Err(Refusal::new("objective", value, Text::same("\"win\", \"cards\""))),
        },
    };
    let (counts, ranks) = read_counts(request.get("counts"), copies)?;
    let diff = match request.get("diff") {
        None => 0,
        Some(value) => {
            value.as_i64().ok_or_else(|| Refusal::new("diff", value, text("a whole number", "整数")))?
        }
    };
    let passed = match request.get("prev_pass") {
        None => false,
        Some(value) => {
            value.as_bool().ok_or_else(|| Refusal::new("prev_pass", value, Text::same("true, false")))?
        }
    };
    let game = Memory::new(ranks, copies, objective)?;
    let s = game.legal(counts, diff, passed)?;
    Ok((game, s))
}

/// Reads the counts. For two copies the nine places of four copies are accepted as well, the first five
/// being 0.
pub(super) fn read_counts(value: Option<&Value>, copies: usize) -> Result<(Counts, usize), Refusal> {
    let places = (copies / 2 + 1).pow(2);
    let accepts = || {
        Text::of(
            format!("{places} whole numbers from 0, ranks by pattern, that add up to 1–{MAX_RANKS}"),
            format!("パターン順のランク数、0以上の整数{places}個、合計1～{MAX_RANKS}"),
        )
    };
    let refuse = |got: &Value| Refusal::new("counts", got, accepts());
    let value = value.ok_or_else(|| Refusal::of("counts", text("nothing", "なし"), accepts()))?;
    let list = value.as_array().ok_or_else(|| refuse(value))?;
    let mut numbers = Vec::with_capacity(places.max(9));
    let mut ranks = 0u64;
    for n in list.iter().take(MAX_PATTERNS + 1) {
        let n = n.as_u64().filter(|&n| n <= MAX_RANKS as u64).ok_or_else(|| refuse(value))?;
        ranks += n;
        numbers.push(n as u8);
    }
    let numbers = match numbers.as_slice() {
        all if all.len() == places => all,
        [0, 0, 0, 0, 0, rest @ ..] if copies == 2 && rest.len() == places => rest,
        _ => return Err(refuse(value)),
    };
    if !(1..=MAX_RANKS as u64).contains(&ranks) {
        return Err(refuse(value));
    }
    let mut counts = [0; MAX_PATTERNS];
    counts[..places].copy_from_slice(numbers);
    Ok((counts, ranks as usize))
}
