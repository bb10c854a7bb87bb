//! What a position is worth: the answer of the quickest method where a game begins; in a running game, and for the line of
//! play, a search that remembers what it has seen.

use super::answer::{Answer, shared, to_json};
use super::rules::{Objective, Sixtysix, State, bit};
use super::solver::{NODES, named, within_reach};
use super::strategies::Strategy;
use super::table::{Table, player};
use crate::analyse::Analyse;
use crate::describe::Describe;
use serde_json::{Map, Value};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Number, Rational, Run, Text, Turn, text};
use yomikiri_solve::minimax::{NullWindow, bytes};
use yomikiri_view::analysis::{Analysis, Measure, Played, Rated, Score, ranked};
use yomikiri_view::report::{Cell, grouped};
use yomikiri_view::scene::{Line, LineStep, Scale, Tick, Viewer};

/// Cards left up to which it is told how a game goes on, which costs a search where another method has answered.
const LINE_CARDS: u32 = 20;

/// Analyses the positions of one game.
#[derive(Default)]
pub struct Analyst {
    /// What the machine plays by instead of the best card.
    strategy: Option<Strategy>,
    /// Whether all values come from the search, as in a running game, where what it remembers serves the next question.
    running: bool,
    /// The answer for the first position, once it is asked for.
    first: OnceLock<Arc<Answer>>,
    /// What values of other positions come from.
    search: OnceLock<Arc<Search>>,
}

/// A search that several may ask, one after the other.
type Search = Mutex<NullWindow<Sixtysix>>;

/// Bytes that a search takes.
fn weight(search: &NullWindow<Sixtysix>) -> u64 {
    search.places() * bytes::<Sixtysix>()
}

/// What the search of a game is kept under.
fn name(table: &Table) -> String {
    format!("sixtysix/search-{}", table.notation(&table.start()).unwrap_or_default())
}

impl Analyst {
    /// Of a running game in which the machine plays by a strategy, or the best card.
    pub fn running(strategy: Option<Strategy>) -> Analyst {
        Analyst { strategy, running: true, ..Analyst::default() }
    }

    /// The answer for a position, if that is the first and the search is not to be asked.
    fn first(&self, table: &Table, s: &State, run: &Run<'_>) -> Result<Option<&Answer>, Error> {
        if self.running || *s != table.start() {
            return Ok(None);
        }
        kept(&self.first, || shared(table, run)).map(|answer| Some(answer.as_ref()))
    }

    /// The search, from the cache or new; the first position is solved with it.
    fn search(&self, table: &Table, run: &Run<'_>) -> Result<&Search, Error> {
        let (game, start) = (table.game(), table.start());
        let make = || {
            run.cached(&name(table), || {
                within_reach(game, &start, run)?;
                let mut search = NullWindow::new(NODES, run);
                search.value(game, &start, run).map_err(|e| named(game, run, e))?;
                let bytes = weight(&search);
                Ok((Mutex::new(search), bytes))
            })
        };
        kept(&self.search, make).map(AsRef::as_ref)
    }

    /// What a position is worth to A by the search: the difference in the end without what was held, or the winner.
    fn value(&self, table: &Table, s: &State, run: &Run<'_>) -> Result<i32, Error> {
        let game = table.game();
        if game.turn(s) == Turn::Terminal {
            return Ok(game.utility(s, 0));
        }
        let mut search = self.search(table, run)?.lock().unwrap_or_else(PoisonError::into_inner);
        search.allow(NODES);
        let before = search.places();
        let value = search.value(game, s, run).map_err(|e| named(game, run, e))?;
        if search.places() != before {
            run.weigh::<Search>(&name(table), weight(&search));
        }
        // The search counts A's points.
        let rest = s.hands[0] | s.hands[1] | s.led.map_or(0, bit) | game.undrawn(s.drawn);
        Ok(match game.objective() {
            Objective::Difference => 2 * value - s.won[0] - s.won[1] - game.worth(rest),
            Objective::Race(_) => value,
        })
    }

    /// The cards that may be played, with what they are worth to who plays them.
    fn scores(&self, table: &Table, s: &State, run: &Run<'_>) -> Result<Vec<(u8, Score)>, Error> {
        run.check()?;
        let mover = mover(table, s);
        let race = table.target().is_some();
        let mut moves: Vec<(u8, Score)> = Vec::new();
        if let Some(Answer { race: won, difference, .. }) = self.first(table, s, run)? {
            let leads = difference.as_ref().map(|d| d.1.as_slice()).unwrap_or_default();
            match won {
                None => moves.extend(leads.iter().map(|(card, d)| (*card as u8, points(mover, d)))),
                Some((_, winners)) => moves.extend(winners.iter().map(|(card, value)| {
                    let sub =
                        leads.iter().find(|lead| lead.0 == *card).map(|lead| points(mover, &lead.1).text);
                    (*card as u8, Score { sub: sub.unwrap_or_default(), ..winner(mover, *value) })
                })),
            }
            return Ok(moves);
        }
        let mut actions = Vec::new();
        table.actions(s, &mut actions);
        for card in actions {
            let value = self.value(table, &table.apply(s, card), run)?;
            let to_come = || table.points().real(value - (s.won[0] - s.won[1]));
            moves.push((card, if race { winner(mover, value) } else { points(mover, &to_come()) }));
        }
        Ok(moves)
    }

    /// The first of the best cards.
    fn card(&self, table: &Table, s: &State, run: &Run<'_>) -> Result<Option<u8>, Error> {
        Ok(ranked(self.scores(table, s, run)?, 0.0).first().map(|m| m.action))
    }

    /// Says of every lead what it is best answered with.
    fn answers(&self, table: &Table, s: &State, moves: &mut [Rated<u8>], run: &Run<'_>) -> Result<(), Error> {
        for m in moves.iter_mut().filter(|_| s.led.is_none()) {
            let who = player(1 - s.leader);
            if let Some(card) = self.card(table, &table.apply(s, m.action), run)? {
                m.note = Text::of(format!("{who} answers {card}"), format!("{who}の応手 {card}"));
            }
        }
        Ok(())
    }

    /// How it goes on with best play, card by card and trick by trick.
    fn onward(&self, table: &Table, from: &State, run: &Run<'_>) -> Result<(Vec<Played>, Line), Error> {
        let (mut line, mut steps, mut s) = (Vec::new(), Vec::new(), *from);
        while let Some(card) = self.card(table, &s, run)? {
            let (who, next) = (mover(table, &s), table.apply(&s, card));
            if let Some(led) = s.led {
                let gained = |p: usize| table.score(&next, p) - table.score(&s, p);
                steps.push(LineStep {
                    text: Text::same(format!("{}{led}×{card}", player(1 - who))),
                    sub: points(0, &(gained(0) - gained(1))).text,
                    seat: Some(1 - who),
                });
            }
            line.push(Played {
                id: card.to_string(),
                label: table.happened(&s, card, &next),
                player: Some(who),
                chance: None,
                before: table.notation(&s).unwrap_or_default(),
            });
            s = next;
        }
        let tricks = Line {
            title: text("Best play", "最善手順"),
            note: text("lead × answer, points to A", "リード×応手、Aの得点"),
            list: false,
            steps,
        };
        Ok((line, tricks))
    }

    /// What is said of a position beyond the values of the moves.
    fn follow(
        &self,
        table: &Table,
        s: &State,
        analysis: &mut Analysis<u8>,
        run: &Run<'_>,
    ) -> Result<(), Error> {
        let left = (s.hands[0] | s.hands[1] | table.game().undrawn(s.drawn)).count_ones();
        if left <= LINE_CARDS || self.running {
            self.answers(table, s, &mut analysis.moves, run)?;
        }
        if left <= LINE_CARDS {
            let (line, tricks) = self.onward(table, s, run)?;
            (analysis.line, analysis.aside) = (line, Some(tricks).filter(|tricks| !tricks.steps.is_empty()));
        }
        Ok(())
    }
}

/// What a place holds, made the first time.
fn kept<T>(place: &OnceLock<T>, make: impl FnOnce() -> Result<T, Error>) -> Result<&T, Error> {
    if place.get().is_none() {
        let _ = place.set(make()?);
    }
    place.get().ok_or_else(|| Error::Bug("what was kept is gone".into()))
}

/// Who is to move; A after the end.
fn mover(table: &Table, s: &State) -> u8 {
    if let Turn::Player(p) = table.turn(s) { p } else { 0 }
}

/// So many points more for A, as a player reads them.
fn points(player: u8, difference: &Rational) -> Score {
    let own = if player == 0 { difference.clone() } else { -difference };
    Measure::Points { name: Text::default() }.score(&own, None)
}

/// The winner of a race, 1 if it is A and −1 if it is B, as a player reads it.
fn winner(player: u8, value: i32) -> Score {
    let own = if player == 0 { value.signum() } else { -value.signum() };
    let (text, short) = match value.signum() {
        1 => (text("A wins", "Aの勝ち"), "A"),
        -1 => (text("B wins", "Bの勝ち"), "B"),
        _ => (text("nobody gets there", "勝者なし"), "–"),
    };
    let mark = match own {
        1 => Some(Tick::Ok),
        -1 => Some(Tick::No),
        _ => None,
    };
    Score { text, short: Text::same(short), mark, ..Measure::Result.score(&Rational::from_int(own), None) }
}

/// The ruler of a race.
fn winners(mover: u8) -> Scale {
    let ticks = [(-1.0, player(1 - mover)), (0.0, "–"), (1.0, player(mover))];
    let ticks = ticks.map(|(x, name)| (x, Text::same(name))).into();
    Scale { min: -1.0, mid: 0.0, max: 1.0, name: text("Winner", "勝者"), ticks }
}

/// Points still to come, from a player's side.
fn to_come(mover: u8) -> Text {
    let (own, other) = (player(mover), player(1 - mover));
    Text::of(format!("Points still to come, {own} − {other}"), format!("今後の得点差（{own} − {other}）"))
}

/// What an answer says beyond values: for people, and for programs.
fn report(answer: &Answer, mover: u8, analysis: &mut Analysis<u8>) {
    if let (Some(_), Some((difference, _))) = (&answer.race, &answer.difference) {
        let (of, score) = (to_come(mover), points(mover, difference));
        analysis.note =
            Text::of(format!("{}: {}", of.en, score.text.en), format!("{}：{}", of.ja, score.text.ja));
        analysis.facts.push((of, score.text.into()));
    }
    let method = answer.method.map_or("–", |m| m.word());
    analysis.facts.push((text("method", "方法"), method.into()));
    let positions = grouped(answer.positions);
    analysis.trust = Text::of(
        format!("Exact: {positions} positions looked at."),
        format!("厳密：{positions}局面を調べた。"),
    );
    analysis.facts.push((text("positions looked at", "調べた局面数"), Cell::from(positions)));
    let fields = |exact: bool| -> Map<String, Value> {
        let mut fields: Map<String, Value> =
            serde_json::from_str(&to_json(answer, exact)).unwrap_or_default();
        // The values of moves are those of the player to move; these are A's, and of points.
        if let Some(moves) = fields.remove("moves") {
            fields.insert("differences".into(), moves);
        }
        fields
    };
    analysis.json = fields(false);
    analysis.json.insert("exact".into(), fields(true).into());
    analysis.json.insert("positions".into(), answer.positions.into());
}

impl Analyse<Table> for Analyst {
    fn analyse(&self, table: &Table, s: &State, _: Viewer, run: &Run<'_>) -> Result<Analysis<u8>, Error> {
        let (mover, race) = (mover(table, s), table.target().is_some());
        let moves = self.scores(table, s, run)?;
        let first = self.first(table, s, run)?;
        let value = first.and_then(|answer| match (&answer.race, &answer.difference) {
            (Some((value, _)), _) => Some(winner(mover, *value)),
            (None, difference) => difference.as_ref().map(|d| points(mover, &d.0)),
        });
        let mut analysis = Analysis::new(&table.measure(), value, moves, 0.0);
        if race {
            (analysis.of, analysis.scale) = (text("With best play", "最善を尽くすと"), winners(mover));
        } else {
            analysis.of = to_come(mover);
            analysis.scale.name = Text::same(format!("{} − {}", player(mover), player(1 - mover)));
        }
        match first {
            Some(answer) => report(answer, mover, &mut analysis),
            None => {
                analysis.trust = text(
                    "Exact: found by a search that proves every value.",
                    "厳密：値を証明する探索による。",
                );
            }
        }
        match self.follow(table, s, &mut analysis, run) {
            // Values without a line are better than none.
            Ok(()) | Err(Error::Refused(_)) => Ok(analysis),
            Err(other) => Err(other),
        }
    }

    fn best(&self, table: &Table, s: &State, run: &Run<'_>) -> Result<Option<u8>, Error> {
        self.card(table, s, run)
    }

    /// Plays by the strategy if there is one; once the scoring card is gone, anything.
    fn machine(&self, table: &Table, s: &State, _: &mut Random, run: &Run<'_>) -> Result<Option<u8>, Error> {
        let strategy = self.strategy.as_ref().and_then(|strategy| strategy.card(table.game(), s));
        strategy.map_or_else(|| self.card(table, s, run), |card| Ok(Some(card)))
    }

    fn good(&self, table: &Table, s: &State, a: u8, run: &Run<'_>) -> Result<bool, Error> {
        let moves = ranked(self.scores(table, s, run)?, 0.0);
        Ok(moves.iter().any(|m| m.action == a && m.rank == 1))
    }
}
