//! What a table of cards is worth between players who forget: the enclosed values of the classes, or those of the one
//! player who remembers, said of cards.

use super::super::opened;
use super::super::rules::{Memory, Objective, Phase};
use super::super::table::Stage;
use super::alone::Alone;
use super::cards::{Act, Cards, Lying};
use super::classes::Forgetful;
use super::model::Model;
use super::rules::Forgetting;
use crate::analyse::{self, Analyse, Valued};
use crate::describe::Describe;
use std::sync::{Arc, Mutex};
use yomikiri_core::{Error, Game, Refusal, Run, Text, Turn, text};
use yomikiri_solve::solution::{Solution, Stored};
use yomikiri_view::analysis::Analysis;
use yomikiri_view::report::Cell;
use yomikiri_view::scene::Viewer;

/// Values closer than this are equal.
const TOLERANCE: f64 = 1e-11;

/// Where values come from.
enum Source {
    /// Both forget: the classes, and the game of counts that they are of.
    Both(Arc<Forgetful>, Box<Forgetting>),
    /// One remembers everything. What was not asked for yet is found when it is.
    One(Arc<Mutex<Alone<'static, f64>>>),
}

/// A solved game of players who forget.
pub struct Values(Source);

impl Values {
    /// Solves the smallest game that a position is in.
    ///
    /// # Errors
    /// What solving fails with.
    pub fn new(game: &Cards, s: &Lying, run: &Run<'_>) -> Result<Values, Error> {
        opened::nothing_but_tables(run, || Text::same(format!("memory-model={}", game.model())))?;
        let cards = game.memory();
        let counts = game.table().position(&s.layout).counts;
        let (objective, copies) = (cards.objective(), cards.copies());
        if game.model() == Model::Asymmetric {
            let lead = s.layout.pairs(0) as i16 - s.layout.pairs(1) as i16;
            let name =
                format!("memory of one alone {copies}x{} {objective:?} {counts:?} {lead}", cards.ranks());
            let solved = run.cached(&name, || {
                let mut alone = Alone::<f64>::within(cards, run)?;
                alone.value(&counts, lead);
                alone.waiting(&counts, lead);
                run.check()?;
                let alone = alone.settled();
                let bytes = alone.bytes();
                Ok((Mutex::new(alone), bytes))
            })?;
            return Ok(Values(Source::One(solved)));
        }
        let gone = usize::from(counts[cards.patterns().len() - 1]);
        let ranks = (cards.ranks() - gone).max(1);
        // Pairs that are gone decide which leads there can be.
        let odd = (cards.total_pairs() - ranks * copies / 2) % 2;
        let name = format!("memory that forgets {copies}x{ranks} {objective:?} {} {odd}", game.model());
        let solved = run.cached(&name, || {
            let solved = Forgetful::with_handicap(ranks, copies, objective, game.model(), odd, run)?;
            let bytes = solved.bytes();
            Ok((solved, bytes))
        })?;
        let counted = Forgetting::new(Memory::new(cards.ranks(), copies, objective)?, game.model());
        Ok(Values(Source::Both(solved, Box::new(counted))))
    }

    /// What a state is worth to the first player.
    fn worth(&self, game: &Cards, s: &Lying) -> Option<f64> {
        if game.turn(s) == Turn::Terminal {
            return Some(game.utility(s, 0).into());
        }
        match &self.0 {
            Source::Both(solved, counted) => match game.position(s) {
                Some(at) => solved.worth(counted, &at, 0),
                None => {
                    let to_first = if s.layout.mover == 0 { 1.0 } else { -1.0 };
                    let diff = game.table().position(&s.layout).diff;
                    let one = |(chance, counts)| {
                        Some(chance * solved.lookup(&counts, diff, s.layout.passed)?.middle())
                    };
                    game.left(s).into_iter().map(one).sum::<Option<f64>>().map(|sum| to_first * sum)
                }
            },
            Source::One(alone) => {
                let position = game.table().position(&s.layout);
                match (s.layout.mover, s.layout.stage) {
                    (0, _) => {
                        let plain = super::super::rules::State { diff: 0, ..position.clone() };
                        Some(alone.lock().ok()?.after(&plain, position.diff))
                    }
                    (_, Stage::First) => Some(alone.lock().ok()?.waiting(&position.counts, -position.diff)),
                    // In the middle of a turn at random.
                    _ => {
                        let mut outcomes = Vec::new();
                        game.chance(s, &mut outcomes);
                        let total: f64 = outcomes.iter().map(|o| f64::from(o.1)).sum();
                        let one = |&(a, weight): &(Act, u32)| {
                            Some(f64::from(weight) * self.worth(game, &game.apply(s, a))?)
                        };
                        outcomes.iter().map(one).sum::<Option<f64>>().map(|sum| sum / total)
                    }
                }
            }
        }
    }
}

impl Solution<Cards> for Values {
    type Number = f64;

    fn stored(&self, game: &Cards, s: &Lying) -> Stored<f64> {
        self.value(game, s).map_or(Stored::Missing, Stored::Value)
    }

    fn width(&self) -> f64 {
        match &self.0 {
            Source::Both(solved, _) => solved.width(),
            Source::One(_) => 0.0,
        }
    }

    fn tolerance(&self) -> f64 {
        TOLERANCE
    }

    fn positions(&self) -> Option<u64> {
        match &self.0 {
            Source::Both(solved, _) => Some(solved.positions),
            Source::One(alone) => alone.lock().ok().map(|alone| alone.positions()),
        }
    }

    fn value(&self, game: &Cards, s: &Lying) -> Option<f64> {
        let value = self.worth(game, s)?;
        Some(if game.turn(s) == Turn::Player(1) { -value } else { value })
    }

    /// One act for all that are alike with its value, in the game's order.
    fn moves(&self, game: &Cards, s: &Lying) -> Vec<(Act, Option<f64>)> {
        let Turn::Player(player) = game.turn(s) else { return Vec::new() };
        let to_mover = if player == 0 { 1.0 } else { -1.0 };
        let mut actions = Vec::new();
        game.actions(s, &mut actions);
        actions.retain(|a| game.alike(s, *a) == *a);
        let value = |a| self.worth(game, &game.apply(s, a)).map(|value| to_mover * value);
        actions.into_iter().map(|a| (a, value(a))).collect()
    }
}

/// The values with what there is to say of them.
pub struct Solved(Valued<Values>);

impl Solved {
    /// Solves the smallest game that a position is in.
    ///
    /// # Errors
    /// What solving fails with.
    pub fn new(game: &Cards, s: &Lying, run: &Run<'_>) -> Result<Solved, Error> {
        Ok(Solved(Valued(Values::new(game, s, run)?)))
    }
}

impl Analyse<Cards> for Solved {
    fn analyse(
        &self,
        game: &Cards,
        s: &Lying,
        viewer: Viewer,
        run: &Run<'_>,
    ) -> Result<Analysis<Act>, Error> {
        let mut analysis = self.0.analyse(game, s, viewer, run)?;
        let (memory, position) = (game.memory(), game.table().position(&s.layout));
        if memory.objective() == Objective::Cards {
            analysis.note = text("on average", "期待値");
        }
        let model = game.model().to_string();
        let known = Cards::known(&s.layout).len();
        analysis.facts.extend([
            (text("memory", "記憶"), Cell::from(game.model().told())),
            (text("known cards", "既知カード"), Cell::from(known.to_string())),
            (
                text("pairs left / difference", "残りペア／差"),
                Cell::from(format!("{} / {:+}", memory.remaining(&position.counts), position.diff)),
            ),
        ]);
        if position.passed && position.phase == Phase::First {
            let passed = text("just passed", "直前にパスした");
            analysis.facts.push((text("the other has", "相手は"), passed.into()));
        }
        analysis.json.insert("memory_model".into(), model.into());
        analysis.json.insert("known".into(), known.into());
        analysis.trust = match game.model() {
            Model::Asymmetric => text(
                "Exact: every position that can follow was looked at, the one that comes back by itself.",
                "厳密：後に続く全局面を調べた（戻ってくる局面は一つだけで、直接解ける）。",
            ),
            _ => text(
                "Enclosed: positions come back, and were iterated from below and from above until both met.",
                "区間：局面が戻ってくるため、下と上から反復し、両端が一致するまで求めた。",
            ),
        };
        Ok(analysis)
    }

    fn detail(
        &self,
        game: &Cards,
        s: &Lying,
        analysis: &mut Analysis<Act>,
        exact: bool,
        _: &Run<'_>,
    ) -> Result<(), Error> {
        if exact {
            let accepts = text(
                "no fractions of players who forget: their values are enclosed in doubles",
                "忘れるプレイヤーの値は倍精度の区間のみ（分数なし）",
            );
            return Err(Refusal::new("exact", "true", accepts).into());
        }
        analysis.line = analyse::line(game, &self.0.0, s);
        analysis.cut = analysis.line.len() == analyse::LINE;
        Ok(())
    }

    fn positions(&self) -> Option<u64> {
        self.0.positions()
    }
}
