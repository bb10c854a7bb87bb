//! A running game as the faces see it: one move at a time, with undo, hints and an honest record of mistakes.

use crate::about::Primer;
use crate::strength::{PERFECT, Strength};
use serde_json::{Value, json};
use std::cell::RefCell;
use yomikiri_core::{Error, Refusal, Run, Text};
use yomikiri_view::scene::{Scene, Viewer};

/// A value as people read it.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The text.
    pub text: Text,
    /// For comparing and for measuring what a mistake costs; none where nobody knows it.
    pub value: Option<f64>,
    /// Whether that is exact, and no bound or estimate.
    pub exact: bool,
}

/// What stands for a move of the machine in a list of moves; a strength that is not its best follows.
pub const MACHINE: &str = "*";

/// A legal move with its name and value for the player to move.
#[derive(Clone, Debug)]
pub struct Move {
    /// What to type.
    pub input: String,
    /// What it is.
    pub label: Text,
    /// What else its value has to say; it may tell which move is best.
    pub note: Text,
    /// Its place in the game's own order, from 0.
    pub order: u32,
    /// What it is worth.
    pub value: Shown,
    /// Whether it is as good as any.
    pub best: bool,
}

/// A move of the person that lost value.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// The number of the person's decision, from 1.
    pub decision: usize,
    /// The moves made before it, by all seats.
    pub at: usize,
    /// What was played.
    pub played: Text,
    /// What would have been best.
    pub best: Text,
    /// The value lost, in the values people read.
    pub lost: f64,
}

/// The last move, as far as a viewer knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// What would be typed for it; none if the viewer may not know.
    pub input: Option<String>,
    /// Where it began, as a place of the scenes before and after it.
    pub from: Option<String>,
    /// Where it ended.
    pub to: Option<String>,
}

/// A running game of a person against the optimal player, or alone, as the faces see it.
pub trait Play: Send {
    /// How it is played: settings may ask for a game with rules of its own.
    fn rules(&self) -> &'static Primer;
    /// How many players there are.
    fn players(&self) -> usize {
        2
    }
    /// Where a person may sit; `None` is at every seat.
    fn seats(&self) -> Vec<Option<u8>> {
        match self.players() {
            1 => vec![None],
            players => std::iter::once(None).chain((0..players as u8).map(Some)).collect(),
        }
    }
    /// Says where the person sits, before the first move; games that are the same for all need not care.
    fn sit(&mut self, _seat: u8) {}
    /// The table as lines of text.
    fn table(&self) -> Text;
    /// The table as a viewer sees it, with the moves of the seat to move in the game's order and without values:
    /// nothing is solved for it. `None` plays every seat and sees what the seat to move sees. Seats of the
    /// scene are seats of the game. At the end `say` is the result and there are no moves.
    fn board(&self, viewer: Viewer) -> Scene;
    /// The same with the value of every move; without its values it is [`Play::board`].
    ///
    /// # Errors
    /// What the computation of the values fails with.
    fn scene(&self, viewer: Viewer, run: &Run<'_>) -> Result<Scene, Error>;
    /// The last move as a viewer knows it; none before the first.
    fn made(&self, viewer: Viewer) -> Option<Made>;
    /// The table as everybody saw it for a moment at the end of the last turn, before things were covered again; none if
    /// nothing was.
    fn moment(&self, viewer: Viewer) -> Option<Scene> {
        let _ = viewer;
        None
    }
    /// Who is to act: 0, 1, or nobody when the game is over.
    fn turn(&self) -> Option<u8>;
    /// What the player to move is asked for.
    fn prompt(&self) -> Text;
    /// The moves of the player to move with their values, as far as those are known; of moves that are alike only one
    /// is listed.
    ///
    /// # Errors
    /// What the computation of the values fails with.
    fn moves(&self, run: &Run<'_>) -> Result<Vec<Move>, Error>;
    /// Plays what a person typed; says what happened.
    ///
    /// # Errors
    /// What is no move here is refused, with what is.
    fn input(&mut self, text: &str) -> Result<Text, Refusal>;
    /// Plays the best move; says what happened.
    ///
    /// # Errors
    /// What the computation of the move fails with.
    fn best(&mut self, run: &Run<'_>) -> Result<Text, Error> {
        self.answer(PERFECT, run)
    }
    /// How well the machine can play, its best first; none where it plays in one way only.
    fn strengths(&self) -> Vec<Strength> {
        Vec::new()
    }
    /// Plays as well as a strength says; says what happened.
    ///
    /// # Errors
    /// A strength that there is none of is refused; what the computation of the move fails with.
    fn answer(&mut self, strength: &str, run: &Run<'_>) -> Result<Text, Error>;
    /// Takes back everything since this seat's last decision; false if there is none.
    fn undo(&mut self, seat: u8) -> bool;
    /// The mistakes of a seat, judged when they are asked for and remembered.
    ///
    /// # Errors
    /// What the computation of the values fails with.
    fn mistakes(&self, seat: u8, run: &Run<'_>) -> Result<Vec<Mistake>, Error>;
    /// What is said of a record without mistakes.
    fn flawless(&self) -> Text {
        yomikiri_core::text("none: every move was best", "なし：すべて最善手")
    }
    /// The result in words, when the game is over.
    fn result(&self) -> Option<Text>;
    /// The result for a seat as a number, in the values people read.
    fn score(&self, seat: u8) -> Option<f64>;
    /// Lets go of everything that can be computed again, for a game that is put aside.
    fn rest(&mut self) {}
    /// Bytes a game that is put aside takes, roughly.
    fn bytes(&self) -> usize {
        1 << 12
    }
    /// The whole game for programs.
    ///
    /// # Errors
    /// As [`Play::mistakes`].
    fn record(&self, run: &Run<'_>) -> Result<Value, Error>;
}

/// The mistakes of all seats as JSON.
///
/// # Errors
/// As [`Play::mistakes`].
pub fn mistakes_json(play: &dyn Play, run: &Run<'_>) -> Result<Vec<Value>, Error> {
    let mut all = Vec::new();
    for seat in 0..play.players() as u8 {
        all.extend(play.mistakes(seat, run)?.into_iter().map(|m| (m.at, seat, m)));
    }
    all.sort_by_key(|m| m.0);
    let object = |(_, seat, m): (usize, u8, Mistake)| json!({"seat": seat, "decision": m.decision, "played": m.played.en, "best": m.best.en, "lost": m.lost});
    Ok(all.into_iter().map(object).collect())
}

/// Judgements of past moves, each made once: what was found of the move after so many others, if it has been
/// looked at.
#[derive(Default)]
pub struct Judged(RefCell<Vec<Option<Option<Mistake>>>>);

impl Judged {
    /// The judgement of the move after `at` others.
    ///
    /// # Errors
    /// What judging fails with; nothing is remembered then.
    pub fn of(
        &self,
        at: usize,
        judge: impl FnOnce() -> Result<Option<Mistake>, Error>,
    ) -> Result<Option<Mistake>, Error> {
        if let Some(Some(known)) = self.0.borrow().get(at) {
            return Ok(known.clone());
        }
        let found = judge()?;
        let mut all = self.0.borrow_mut();
        if all.len() <= at {
            all.resize(at + 1, None);
        }
        all[at] = Some(found.clone());
        Ok(found)
    }

    /// Forgets all after so many moves.
    pub fn truncate(&mut self, moves: usize) {
        self.0.get_mut().truncate(moves);
    }
}
