//! `eval` for more than two players, and for the other rules of passes: requests by counts and scores.

use super::super::answer::read_counts;
use super::super::notation::word;
use super::advice::{Seconds, seconds};
use super::asked::{table, terms};
use super::opened;
use super::rules::{PLAYERS, Party, Passes, State, Terms};
use super::table::{Extent, Table};
use super::worth::{Look, Moves, TOLERANCE, Twin, Worth};
use crate::about::Evaluator;
use crate::told::keyed;
use serde_json::{Map, Value, json};
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};
use yomikiri_core::{Error, Game, Number, Rational, Refusal, Run, Text, Turn, text};
use yomikiri_view::analysis::compare;

/// The fields of a request.
const FIELDS: [&str; 10] =
    ["counts", "players", "pass", "tie", "scores", "passes", "prev_pass", "diff", "copies", "objective"];

/// Whether a request asks for what the solver for two players does not know.
pub fn asks(request: &Map<String, Value>) -> bool {
    let word = |field: &str| request.get(field).and_then(Value::as_str);
    ["players", "pass", "tie", "scores", "passes"].iter().any(|field| request.contains_key(*field))
        || matches!(word("objective"), Some("pairs" | "margin"))
}

/// A request, read as far as it is the same for any number of players.
struct Asked {
    players: usize,
    terms: Terms,
    copies: usize,
}

fn read(request: &Map<String, Value>) -> Result<Asked, Refusal> {
    if let Some(field) = request.keys().find(|k| *k != "id" && !FIELDS.contains(&k.as_str())) {
        let accepts = Text::same(format!("id, {}", FIELDS.join(", ")));
        return Err(Refusal::of(field.as_str(), text("an unknown field", "未知のフィールド"), accepts));
    }
    let word = |field: &'static str, or: &'static str, accepts: &'static str| match request.get(field) {
        None => Ok(or),
        Some(value) => value.as_str().ok_or_else(|| Refusal::new(field, value, text(accepts, accepts))),
    };
    let players = match request.get("players") {
        None => 2,
        Some(value) => {
            let n = value.as_u64().filter(|n| (PLAYERS.0 as u64..=PLAYERS.1 as u64).contains(n));
            let accepts = || Text::same(format!("{}–{}", PLAYERS.0, PLAYERS.1));
            n.ok_or_else(|| Refusal::new("players", value, accepts()))? as usize
        }
    };
    let copies = match request.get("copies") {
        None => 4,
        Some(value) => match value.as_u64() {
            Some(n @ (2 | 4 | 6)) => n as usize,
            _ => return Err(Refusal::new("copies", value, Text::same("2, 4, 6"))),
        },
    };
    let objective = word("objective", "win", "win, pairs, margin, cards")?;
    let pass = word("pass", "end", "end, must, none")?;
    let tie = word("tie", "lex", "lex, order, last, friendly, hostile, mix")?;
    Ok(Asked { players, terms: terms(objective, pass, tie)?, copies })
}

/// The game and the position of a request.
fn position<const K: usize>(
    request: &Map<String, Value>,
    asked: &Asked,
) -> Result<(Party<K>, State<K>), Refusal> {
    let (counts, ranks) = read_counts(request.get("counts"), asked.copies)?;
    let game = Party::<K>::new(ranks, asked.copies, asked.terms)?;
    let accepts = Text::of(
        format!("{K} whole numbers from 0, pairs in order of play, the player to move first"),
        format!("手番順のペア数、0以上の整数{K}個（手番が先頭）"),
    );
    let mut scores = [0u16; K];
    if let Some(value) = request.get("scores") {
        let refuse = || Refusal::new("scores", value, accepts.clone());
        let list = value.as_array().filter(|list| list.len() == K).ok_or_else(refuse)?;
        for (to, n) in scores.iter_mut().zip(list) {
            *to = n.as_u64().and_then(|n| u16::try_from(n).ok()).ok_or_else(refuse)?;
        }
    }
    if let Some(value) = request.get("diff") {
        let allowed = K == 2 && !request.contains_key("scores");
        let accepts = text("scores instead, with more than two players", "3人以上では scores");
        let diff = value.as_i64().filter(|_| allowed).ok_or_else(|| Refusal::new("diff", value, accepts))?;
        game.cards().legal(counts, diff, false)?;
        let gone = (game.cards().total_pairs() - game.cards().remaining(&counts)) as i64;
        (scores[0], scores[1]) = (((gone + diff) / 2) as u16, ((gone - diff) / 2) as u16);
    }
    let passes = match (request.get("passes"), request.get("prev_pass")) {
        (Some(value), _) => {
            let most = if asked.terms.passes == Passes::Never { 0 } else { K - 1 };
            let accepts = Text::same(format!("0–{most}"));
            value.as_u64().ok_or_else(|| Refusal::new("passes", value, accepts))? as usize
        }
        (None, Some(value)) => {
            let passed = value.as_bool();
            usize::from(passed.ok_or_else(|| Refusal::new("prev_pass", value, Text::same("true, false")))?)
        }
        (None, None) => 0,
    };
    let s = game.legal(counts, scores, passes)?;
    Ok((game, s))
}

/// A number for programs.
fn number<N: Number>(x: &N) -> Value {
    x.exact().map_or_else(|| Value::from(x.approx() + 0.0), |exact| Value::from(exact.to_string()))
}

fn all<N: Number>(worth: &Worth<N>, terms: Terms) -> Value {
    worth.values(terms.aim, 0).iter().map(number).collect()
}

/// The best moves, as many as are equally good for their player, and what all of them are worth to everybody.
fn told<const K: usize, N: Number>(game: &Party<K>, moves: &Moves<N>) -> (Value, Value, Value) {
    let aim = game.terms().aim;
    let own = |m: &(_, Worth<N>)| m.1.of(aim, 0);
    let top = moves.iter().map(own).reduce(|a, b| if b.compare(&a).is_gt() { b } else { a });
    let best =
        moves.iter().filter(|m| top.as_ref().is_some_and(|top| compare(&own(m), top, TOLERANCE).is_ge()));
    let best: Value = best.map(|m| Value::from(word(game.cards(), m.0))).collect();
    let values = keyed(moves.iter().map(|m| (word(game.cards(), m.0), number(&own(m)))));
    let everybody = keyed(moves.iter().map(|m| (word(game.cards(), m.0), all(&m.1, game.terms()))));
    (best, Value::Object(values), Value::Object(everybody))
}

fn answered<const K: usize, N: Number>(
    game: &Party<K>,
    s: &State<K>,
    look: &mut impl Look<K, N>,
) -> Option<String> {
    let worth = look.worth(game, s)?;
    let (mut moves, mut second): (Moves<N>, Seconds<N>) = (Vec::new(), Vec::new());
    if let Turn::Player(_) = game.turn(s) {
        moves = look.moves(game, s)?;
        second = seconds(game, look, s)?;
    }
    let (best, values, everybody) = told(game, &moves);
    let second: Value = second
        .iter()
        .map(|(p, weight, moves)| {
            let (best, values, everybody) = told(game, moves);
            json!({
                "pattern": [p.unknown, p.known], "weight": weight,
                "best": best, "values": values, "by_move": everybody,
            })
        })
        .collect();
    Some(
        json!({
            "value": number(&worth.of(game.terms().aim, 0)), "values": all(&worth, game.terms()),
            "best": best, "moves": values, "by_move": everybody, "second": second,
        })
        .to_string(),
    )
}

/// Tables by what is played, and by what is left of the total when the players share it.
type Tables = RwLock<BTreeMap<(usize, Terms, usize, usize), (Extent, Arc<dyn Any + Send + Sync>)>>;

/// Answers requests from tables that grow as needed.
pub struct Requests {
    tables: Tables,
    exact: bool,
}

impl Requests {
    /// Answers in doubles or in fractions.
    pub fn new(exact: bool) -> Requests {
        Requests { tables: Tables::default(), exact }
    }

    /// Looks at a request of `K` players: what kind of table it needs, and how large.
    fn need<const K: usize>(
        request: &Map<String, Value>,
        asked: &Asked,
    ) -> Option<((usize, Terms, usize, usize), Extent)> {
        let (game, s) = position::<K>(request, asked).ok()?;
        let extent = Extent::of(&game, &s);
        Some(((K, asked.terms, asked.copies, extent.total % K), extent))
    }

    fn grow<const K: usize>(
        &self,
        slot: (usize, Terms, usize, usize),
        extent: Extent,
        run: &Run<'_>,
    ) -> Result<(), Error> {
        let there = self.tables.read().ok().and_then(|tables| tables.get(&slot).map(|t| t.0));
        let wanted = there.map_or(extent, |there| there.and(extent));
        if there == Some(wanted) {
            return Ok(());
        }
        let game = Party::<K>::new(wanted.ranks, slot.2, slot.1)?;
        let solved = table(&game, wanted, true, run)?;
        if let Ok(mut tables) = self.tables.write() {
            tables.insert(slot, (wanted, solved));
        }
        Ok(())
    }

    fn reply<const K: usize>(
        &self,
        request: &Map<String, Value>,
        asked: &Asked,
        run: &Run<'_>,
    ) -> Result<String, Error> {
        let (game, s) = position::<K>(request, asked)?;
        let missing = || Error::Bug("the table does not reach the position".into());
        if self.exact {
            opened::doubles_only(run)?;
            let mut twin: Twin<K, Rational> =
                if game.terms().wins() { Twin::new() } else { Twin::for_pairs() };
            return answered(&game, &s, &mut twin).ok_or_else(missing);
        }
        let slot = Self::need::<K>(request, asked)
            .map(|(slot, extent)| self.grow::<K>(slot, extent, run).map(|()| slot));
        let slot = slot.ok_or_else(missing)??;
        let found = self.tables.read().ok().and_then(|tables| tables.get(&slot).map(|t| t.1.clone()));
        let table: Arc<Table<K>> = found.and_then(|t| t.downcast().ok()).ok_or_else(missing)?;
        answered(&game, &s, &mut &*table).ok_or_else(|| table.missing())
    }
}

/// Calls a function for the number of players that is asked for.
macro_rules! for_players {
    ($players:expr, $of:ident => $call:expr) => {
        match $players {
            2 => {
                const $of: usize = 2;
                $call
            }
            3 => {
                const $of: usize = 3;
                $call
            }
            4 => {
                const $of: usize = 4;
                $call
            }
            _ => {
                const $of: usize = 5;
                $call
            }
        }
    };
}

impl Evaluator for Requests {
    fn prepare(&self, requests: &[Map<String, Value>], run: &Run<'_>) -> Result<(), Error> {
        if self.exact {
            return Ok(());
        }
        let mut needed: BTreeMap<_, Extent> = BTreeMap::new();
        for request in requests {
            let Ok(asked) = read(request) else { continue };
            if let Some((slot, extent)) = for_players!(asked.players, K => Self::need::<K>(request, &asked)) {
                needed.entry(slot).and_modify(|all| *all = all.and(extent)).or_insert(extent);
            }
        }
        for (slot, extent) in needed {
            for_players!(slot.0, K => self.grow::<K>(slot, extent, run))?;
        }
        Ok(())
    }

    fn answer(&self, request: &Map<String, Value>, run: &Run<'_>) -> Result<String, Error> {
        let asked = read(request)?;
        for_players!(asked.players, K => self.reply::<K>(request, &asked, run))
    }
}

/// Requests of both kinds: what the solver for two players knows is asked there.
pub struct Either {
    two: Box<dyn Evaluator>,
    many: Requests,
}

impl Either {
    /// With the evaluator for two players.
    pub fn new(two: Box<dyn Evaluator>, exact: bool) -> Either {
        Either { two, many: Requests::new(exact) }
    }
}

impl Evaluator for Either {
    fn prepare(&self, requests: &[Map<String, Value>], run: &Run<'_>) -> Result<(), Error> {
        if !requests.iter().any(asks) {
            return self.two.prepare(requests, run);
        }
        let (many, two): (Vec<_>, Vec<_>) = requests.iter().cloned().partition(asks);
        self.two.prepare(&two, run)?;
        self.many.prepare(&many, run)
    }

    fn answer(&self, request: &Map<String, Value>, run: &Run<'_>) -> Result<String, Error> {
        if asks(request) { self.many.answer(request, run) } else { self.two.answer(request, run) }
    }
}
