//! What a table of cards is worth to every player.

use super::super::notation::{label, word};
use super::super::rules::{Action, Pattern};
use super::super::table::Act;
use super::asked::table_for;
use super::opened;
use super::rules::{Aim, State, Terms};
use super::seats::{Seated, Seats};
use super::table::Table;
use super::worth::{Look, Moves, TOLERANCE, Twin, Worth, made};
use crate::analyse::{self, Analyse};
use crate::describe::Describe;
use crate::told::{self, Told, keyed};
use serde_json::{Value, json};
use std::sync::Arc;
use yomikiri_core::{Error, Game, Number, Rational, Run, Text, Turn, text};
use yomikiri_view::analysis::{Analysis, Score, ranked};
use yomikiri_view::report::{Block, Cell};
use yomikiri_view::scene::{Scale, Viewer, signed};

/// Positions up to which fractions are computed beside the decimals without being asked for.
const QUICK: u64 = 1500;

/// The table that answers for a position and its moves, and for all that follow if it fits.
pub struct Solved<const K: usize> {
    table: Arc<Table<K>>,
}

/// A value as people read it.
pub fn score(aim: Aim, x: f64) -> Score {
    let digits = |n: usize| match aim {
        Aim::Win | Aim::Pairs => format!("{x:.n$}"),
        Aim::Margin => signed(format!("{x:.n$}")),
    };
    Score { long: Text::same(digits(12)), ..Score::new(x, Text::same(digits(5))) }
}

/// What values are, in words.
pub fn measured(aim: Aim) -> Text {
    match aim {
        Aim::Win => text("share of the win", "勝ちの分け前"),
        Aim::Pairs => text("expected pairs", "ペア数の期待値"),
        Aim::Margin => text("expected pairs more than the mean of the others", "他の平均とのペア差の期待値"),
    }
}

/// The rules of passes and ties in words.
pub fn conventions(terms: Terms) -> Text {
    let tie = terms.tie.told();
    let passes = match terms.passes {
        super::rules::Passes::End => text("everybody passing ends the game", "全員が続けてパスすると終局"),
        super::rules::Passes::Must => text("the last who could pass must move", "最後の1人はパスできない"),
        super::rules::Passes::Never => text("no passes", "パスなし"),
    };
    Text::of(format!("{}; {}", passes.en, tie.en), format!("{}。{}", passes.ja, tie.ja))
}

/// Numbers for programs: adding 0 drops the sign of −0.
fn plain(values: &[f64]) -> Value {
    values.iter().map(|x| Value::from(x + 0.0)).collect()
}

/// The decisions on the second card for each pattern the first can turn out to have, with its weight.
pub type Seconds<N> = Vec<(Pattern, u32, Moves<N>)>;

/// The second cards of a position whose first card is turned.
pub fn seconds<const K: usize, N: Number>(
    game: &super::rules::Party<K>,
    look: &mut impl Look<K, N>,
    s: &State<K>,
) -> Option<Seconds<N>> {
    let mut actions = Vec::new();
    game.actions(s, &mut actions);
    if !actions.contains(&Action::Flip) {
        return Some(Vec::new());
    }
    let (flip, mut outcomes) = (game.apply(s, Action::Flip), Vec::new());
    game.chance(&flip, &mut outcomes);
    let second = |(turned, weight): (Action, u32)| {
        let Action::Turned(i) = turned else { return None };
        let moves = look.moves(game, &game.apply(&flip, turned))?;
        Some((game.cards().patterns()[usize::from(i)], weight, moves))
    };
    outcomes.into_iter().map(second).collect()
}

impl<const K: usize> Solved<K> {
    /// The table for a position; with `all`, also for everything that can follow.
    ///
    /// # Errors
    /// If it cannot be had.
    pub fn new(game: &Seats<K>, s: &Seated, all: bool, run: &Run<'_>) -> Result<Solved<K>, Error> {
        Ok(Solved { table: table_for(game.party(), &game.position(s), all, run)? })
    }

    fn worth(&self, game: &Seats<K>, s: &Seated) -> Result<Worth<f64>, Error> {
        (&*self.table).worth(game.party(), &game.position(s)).ok_or_else(|| self.table.missing())
    }

    /// The moves with what they are worth, the one that is made first.
    fn moves(&self, game: &Seats<K>, s: &Seated) -> Result<Vec<(Act, Worth<f64>)>, Error> {
        let Turn::Player(player) = game.turn(s) else { return Ok(Vec::new()) };
        let position = game.position(s);
        let moves = (&*self.table).moves(game.party(), &position).ok_or_else(|| self.table.missing())?;
        let made = made(game.party(), &moves, player).first().map(|at| moves[*at].0);
        let acts = game.on_cards(s, moves).into_iter();
        let (mut first, others): (Vec<_>, Vec<_>) = acts.partition(|m| game.counted(s, m.0) == made);
        first.extend(others);
        Ok(first)
    }

    fn scores(&self, game: &Seats<K>, s: &Seated) -> Result<Vec<(Act, Score)>, Error> {
        let (aim, mover) = (game.party().terms().aim, usize::from(s.layout.mover));
        Ok(self.moves(game, s)?.into_iter().map(|(a, w)| (a, score(aim, w.of(aim, mover)))).collect())
    }
}

/// Writes the fractions of a twin beside the values of an analysis.
fn add_fractions<const K: usize>(
    game: &Seats<K>,
    s: &Seated,
    analysis: &mut Analysis<Act>,
) -> Result<(), Error> {
    let missing = || Error::Bug("the twin does not reach the position".into());
    let (party, position) = (game.party(), game.position(s));
    let (aim, mover) = (party.terms().aim, s.layout.mover);
    let mut twin: Twin<K, Rational> = if party.terms().wins() { Twin::new() } else { Twin::for_pairs() };
    let worth = twin.worth(party, &position).ok_or_else(missing)?;
    let of = |worth: &Worth<Rational>| worth.of(aim, mover.into());
    analysis.value = analysis.value.take().map(|value| value.fraction(of(&worth)));
    if let Turn::Player(_) = game.turn(s) {
        let moves = twin.moves(party, &position).ok_or_else(missing)?;
        for (a, worth) in game.on_cards(s, moves) {
            if let Some(m) = analysis.moves.iter_mut().find(|m| m.action == a) {
                m.score = m.score.clone().fraction(of(&worth));
            }
        }
    }
    let all: Value = worth.values(aim, mover).iter().map(|x| Value::from(x.to_string())).collect();
    analysis.json.insert("fractions".into(), all);
    Ok(())
}

/// The decisions on the second card in a table for each pattern that the first can turn out to have.
fn second_cards<const K: usize>(game: &Seats<K>, mover: usize, seconds: &Seconds<f64>) -> Vec<Block> {
    let (cards, aim) = (game.party().cards(), game.party().terms().aim);
    let total: u32 = seconds.iter().map(|c| c.1).sum();
    let table = |(pattern, weight, moves): &(Pattern, u32, Moves<f64>)| {
        let scores = moves.iter().map(|(a, w)| (*a, score(aim, w.of(aim, mover)))).collect();
        let moves = ranked(scores, TOLERANCE);
        let (unknown, known) = (pattern.unknown, pattern.known);
        let title = Text::of(
            format!("second card if a ({unknown},{known}) rank turns up, chance {weight}/{total}"),
            format!("({unknown},{known})が出たとき（確率{weight}/{total}）の2枚目"),
        );
        let told: Vec<_> =
            moves.iter().map(|m| Told::new(m, word(cards, m.action), label(cards, m.action))).collect();
        told::ranking(title, &told)
    };
    seconds.iter().filter_map(table).collect()
}

impl<const K: usize> Analyse<Seats<K>> for Solved<K> {
    fn analyse(&self, game: &Seats<K>, s: &Seated, _: Viewer, _: &Run<'_>) -> Result<Analysis<Act>, Error> {
        let (terms, mover) = (game.party().terms(), s.layout.mover);
        let values = self.worth(game, s)?.values(terms.aim, mover);
        let moves = self.moves(game, s)?;
        let by_move =
            keyed(moves.iter().map(|(a, w)| (game.action(s, *a).id, plain(&w.values(terms.aim, mover)))));
        let scored =
            moves.iter().map(|(a, w)| (*a, score(terms.aim, w.of(terms.aim, mover.into())))).collect();
        let measure = game.measure();
        let mut analysis =
            Analysis::new(&measure, values.first().map(|x| score(terms.aim, *x)), scored, TOLERANCE);
        if terms.aim == Aim::Win {
            let all = analysis.moves.iter().map(|m| m.score.x).collect::<Vec<_>>();
            analysis.scale = Scale::around(all, 1.0 / K as f64, measure.name());
        }
        analysis.of = match terms.aim {
            Aim::Win => text("The player to move wins with", "手番側の勝ちの分け前"),
            Aim::Pairs => text("Pairs of the player to move", "手番側のペア数"),
            Aim::Margin => text(
                "Pairs more than the mean of the others, for the player to move",
                "手番側の、他の平均とのペア差",
            ),
        };
        analysis.note = match terms.aim {
            Aim::Win => text("a win is shared among equals", "同数なら勝ちを等分"),
            _ => text("on average", "期待値"),
        };
        let names = game.players();
        for (p, x) in values.iter().enumerate() {
            let name = names[(usize::from(mover) + p) % K].clone();
            let scores = s.layout.pairs((mover + p as u8) % K as u8);
            let cell = Text::of(
                format!("{} ({scores} pairs now)", score(terms.aim, *x).text.en),
                format!("{}（現在{scores}ペア）", score(terms.aim, *x).text.ja),
            );
            analysis.facts.push((name, Cell::from(cell)));
        }
        let left = game.party().cards().remaining(&game.position(s).counts);
        analysis.facts.push((text("pairs left", "残りペア"), Cell::from(left.to_string())));
        analysis.facts.push((text("rules", "取り決め"), conventions(terms).into()));
        analysis.json.insert("values".into(), plain(&values));
        analysis.json.insert("by_move".into(), Value::Object(by_move));
        analysis.json.insert("players".into(), K.into());
        analysis.trust = text(
            "Exact: backward induction for every player, ties by the rule that is named.",
            "厳密：全プレイヤーの値を後ろ向き帰納で求めた（同値の手は示した規則による）。",
        );
        Ok(analysis)
    }

    fn detail(
        &self,
        game: &Seats<K>,
        s: &Seated,
        analysis: &mut Analysis<Act>,
        exact: bool,
        run: &Run<'_>,
    ) -> Result<(), Error> {
        let position = game.position(s);
        let mover = usize::from(s.layout.mover);
        let turns =
            seconds(game.party(), &mut &*self.table, &position).ok_or_else(|| self.table.missing())?;
        let aim = game.party().terms().aim;
        let told: Value = turns
            .iter()
            .map(|(p, weight, moves)| {
                let words = |(a, w): &(_, Worth<f64>)| {
                    (word(game.party().cards(), *a), plain(&w.values(aim, s.layout.mover)))
                };
                let values = keyed(moves.iter().map(words));
                json!({"pattern": [p.unknown, p.known], "weight": weight, "values": values})
            })
            .collect();
        analysis.json.insert("second".into(), told);
        analysis.details = second_cards(game, mover, &turns);
        // A table on disk has doubles, and beside one that stands alone nothing is solved.
        if exact {
            opened::doubles_only(run)?;
        }
        if exact || self.table.outside.is_none() && self.table.tally.positions <= QUICK {
            add_fractions(game, s, analysis)?;
        }
        // How it goes on is known where everything that follows is in the table.
        let line = analyse::followed(game, s, |now| self.best(game, now, run));
        analysis.line = line.unwrap_or_default();
        analysis.cut = analysis.line.len() == analyse::LINE;
        Ok(())
    }

    fn best(&self, game: &Seats<K>, s: &Seated, _: &Run<'_>) -> Result<Option<Act>, Error> {
        Ok(self.moves(game, s)?.first().map(|m| m.0))
    }

    fn good(&self, game: &Seats<K>, s: &Seated, a: Act, _: &Run<'_>) -> Result<bool, Error> {
        let alike = game.alike(s, a);
        let moves = ranked(self.scores(game, s)?, TOLERANCE);
        Ok(moves.iter().any(|m| m.action == alike && m.rank == 1))
    }

    fn positions(&self) -> Option<u64> {
        Some(self.table.positions())
    }
}
