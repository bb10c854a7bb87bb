//! The game at the table: how a row looks, what moves are called, and whether the rest can still be won.

use super::method::{Answer, Engines, Winnable};
use super::notation::{lines, name};
use super::rules::{Accordion, Row, Rules, Step};
use crate::play::{Adviser, Past, Shown, Tabletop};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use yomikiri_core::{Error, Game, Number, Run, Text, Turn, text};
use yomikiri_solve::search::Restarts;
use yomikiri_view::scene::{Scene, Viewer};

/// Rows the fast engine generates for a hint before the exact one is asked.
const BUDGET: u64 = 3_000_000;
/// Bytes the exact engine may use for a hint, so that nobody waits long: some ten million rows.
const MEMORY: u64 = 1 << 28;
/// The value of a row of which neither is known.
const UNKNOWN: f64 = 0.5;

impl Tabletop for Accordion {
    fn draw(&self, s: &Row) -> Text {
        let mut more = Text::same("");
        if self.rules().grace() {
            more = if s.grace {
                text("\nsaving grace: not used yet", "\nセービンググレース：未使用")
            } else {
                text("\nsaving grace: used", "\nセービンググレース：使用済み")
            };
        }
        let (row, cards) = (lines(&s.cards), s.cards.len());
        Text::of(format!("{row}\n{cards} cards{}", more.en), format!("{row}\n{cards}枚{}", more.ja))
    }

    fn ask(&self, _: &Row) -> Text {
        text("a move such as S4>S7 (S4 goes onto S7)", "手を入力（例：S4>S7 は S4 を S7 に重ねる）")
    }

    fn name(&self, s: &Row, a: Step) -> (String, Text) {
        let input = name(s, a);
        let (far, by_grace) = (a.x - a.y, self.rules().by_grace(s, a));
        let (x, y) = input.split_once('>').unwrap_or((&input, ""));
        let how = match far {
            _ if by_grace => text("the first pile, by grace", "先頭の山、セービンググレース"),
            1 => text("the next card", "左隣"),
            3 => text("the third card", "2枚おいて左"),
            _ => Text::of(format!("{far} to the left"), format!("{far}つ左")),
        };
        let label = Text::of(format!("{x} onto {y}, {}", how.en), format!("{x} を {y} に（{}）", how.ja));
        (input, label)
    }

    fn happened(&self, before: &Row, a: Step, after: &Row) -> Text {
        let (input, left) = (name(before, a), after.cards.len());
        Text::of(format!("{input}, {left} left"), format!("{input}、残り{left}枚"))
    }

    fn outcome(&self, s: &Row) -> Text {
        let left = s.cards.len();
        if self.rules().won(s) {
            text("success", "成功")
        } else {
            Text::of(format!("stuck with {left} cards"), format!("{left}枚を残して手詰まり"))
        }
    }

    fn shown<N: Number>(&self, value: &N) -> Shown {
        let value = value.approx();
        let words = if value > UNKNOWN {
            text("still winnable: yes", "成功可能：はい")
        } else if value < UNKNOWN {
            text("still winnable: no", "成功可能：いいえ")
        } else {
            text("still winnable: not known", "成功可能：不明")
        };
        Shown { text: words, value }
    }

    fn understand(&self, s: &Row, typed: &str) -> Option<Step> {
        // Other ways to write a ten, or to put the two cards.
        let cards = super::notation::cards(&typed.replace('>', " ")).ok()?;
        let mut actions = Vec::new();
        self.actions(s, &mut actions);
        let place = |i: usize| s.cards.iter().position(|c| Some(c) == cards.get(i));
        match cards.len() {
            2 => {
                let (x, y) = (place(0)? as u8, place(1)? as u8);
                actions.into_iter().find(|a| *a == Step { x, y })
            }
            // A card that can go to one place only.
            1 => {
                let x = place(0)? as u8;
                let mut fits = actions.into_iter().filter(|a| a.x == x);
                fits.next().filter(|_| fits.next().is_none())
            }
            _ => None,
        }
    }
}

/// How much work one question may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// So much that nobody at the table waits long.
    Hint,
    /// All the run has.
    All,
}

/// Rows whose answers are remembered, and the bytes one takes at most.
const REMEMBERED: (usize, u64) = (20_000, 400);

/// Whether rows can be won, worked out when asked and remembered for everybody who plays by the same rules
/// under the same seed.
pub struct Rows {
    known: Arc<Mutex<HashMap<Row, Answer>>>,
    engines: Mutex<Engines>,
    memory: u64,
}

impl Rows {
    /// For some rules.
    pub fn new(rules: &Rules, means: Means, run: &Run<'_>) -> Result<Rows, Error> {
        let (memory, engines) = match means {
            Means::Hint => {
                let plan = Restarts { budget: BUDGET, ..Restarts::default() };
                (run.memory.min(MEMORY), Engines::new(rules).with_plan(plan))
            }
            Means::All => (run.memory, Engines::new(rules)),
        };
        let name = format!("accordion/rows-{means:?}-{memory}-{}-{rules:?}", run.seed);
        let known = run.cached(&name, || Ok((Mutex::default(), REMEMBERED.0 as u64 * REMEMBERED.1)))?;
        Ok(Rows { known, engines: Mutex::new(engines), memory })
    }

    /// Whether a row can be won.
    pub fn answer(&self, row: &Row, run: &Run<'_>) -> Result<Answer, Error> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = known().get(row) {
            return Ok(answer.clone());
        }
        let run = Run { memory: self.memory, ..*run };
        let answer = self.engines.lock().unwrap_or_else(PoisonError::into_inner).solve(row, &run)?;
        let mut known = known();
        // Beginning anew is simple, and what is needed soon comes back.
        if known.len() >= REMEMBERED.0 {
            known.clear();
        }
        known.insert(row.clone(), answer.clone());
        Ok(answer)
    }
}

/// Whether rows can still be won, as a value.
pub struct Advice {
    rows: Rows,
}

impl Advice {
    /// Advice for a game.
    pub fn new(game: &Accordion, run: &Run<'_>) -> Result<Advice, Error> {
        Ok(Advice { rows: Rows::new(game.rules(), Means::Hint, run)? })
    }

    /// What a row is worth: 1 if it can be won, 0 if not.
    fn value(&self, game: &Accordion, row: &Row, run: &Run<'_>) -> Result<f64, Error> {
        if game.turn(row) == Turn::Terminal {
            return Ok(f64::from(game.utility(row, 0)));
        }
        Ok(match self.rows.answer(row, run)?.winnable {
            Winnable::Yes(_) => 1.0,
            Winnable::No => 0.0,
            Winnable::Unknown(_) => UNKNOWN,
        })
    }
}

impl Adviser<Accordion> for Advice {
    type Number = f64;

    /// One question instead of one for every move, some of which can only be answered by going through everything.
    fn best(&self, game: &Accordion, s: &Row, run: &Run<'_>) -> Result<Option<Step>, Error> {
        Ok(match self.rows.answer(s, run)?.winnable {
            Winnable::Yes(line) => line.first().copied(),
            Winnable::No => game.rules().steps(s).into_iter().min(),
            Winnable::Unknown(_) => None,
        })
    }

    fn good(&self, game: &Accordion, s: &Row, a: Step, run: &Run<'_>) -> Result<bool, Error> {
        let lost = |row: &Row| Ok::<_, Error>(self.rows.answer(row, run)?.winnable == Winnable::No);
        Ok(self.value(game, &game.apply(s, a), run)? == 1.0 || lost(s)?)
    }

    fn values(&self, game: &Accordion, s: &Row, run: &Run<'_>) -> Result<Vec<(Step, Option<f64>)>, Error> {
        let steps = game.rules().steps(s).into_iter();
        steps.map(|step| Ok((step, Some(self.value(game, &game.apply(s, step), run)?)))).collect()
    }

    fn board(&self, game: &Accordion, s: &Row, past: &Past<Accordion>, _: Viewer) -> Scene {
        super::scene::board(game, s, past)
    }

    fn scene(&self, game: &Accordion, s: &Row, board: Scene, run: &Run<'_>) -> Result<Scene, Error> {
        super::scene::rated(game, s, board, &mut |row| self.rows.answer(row, run), run)
    }

    fn ends(&self, _: &Accordion, s: &Row, a: Step) -> (Option<String>, Option<String>) {
        let name = |place: u8| s.cards.get(usize::from(place)).map(ToString::to_string);
        (name(a.x), name(a.y))
    }
}
