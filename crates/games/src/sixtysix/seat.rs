//! A match in which the machine plays the paper's strategies instead of the best move. Hints and the record of
//! mistakes stay honest: they come from the solution.

use super::strategies::Strategy;
use super::table::{Advice, Table};
use crate::play::{Match, Mistake, Move, Play};
use serde_json::Value;
use yomikiri_core::{Refusal, Text};

/// A match with the strategy on the machine's side.
pub struct Seated {
    /// The match.
    pub play: Match<Table, Advice>,
    /// What the machine plays by.
    pub strategy: Strategy,
}

impl Play for Seated {
    fn table(&self) -> Text {
        self.play.table()
    }
    fn turn(&self) -> Option<u8> {
        self.play.turn()
    }
    fn prompt(&self) -> Text {
        self.play.prompt()
    }
    fn moves(&self) -> Vec<Move> {
        self.play.moves()
    }
    fn input(&mut self, text: &str) -> Result<Text, Refusal> {
        self.play.input(text)
    }
    /// Plays by the strategy; once the scoring card is gone, anything.
    fn best(&mut self) -> Text {
        let card = self.strategy.card(self.play.game().game(), self.play.state());
        match card.map(|card| self.play.input(&card.to_string())) {
            Some(Ok(said)) => said,
            _ => self.play.best(),
        }
    }
    fn undo(&mut self, seat: u8) -> bool {
        self.play.undo(seat)
    }
    fn mistakes(&self, seat: u8) -> Vec<Mistake> {
        self.play.mistakes(seat)
    }
    fn result(&self) -> Option<Text> {
        self.play.result()
    }
    fn score(&self, seat: u8) -> Option<f64> {
        self.play.score(seat)
    }
    fn record(&self) -> Value {
        self.play.record()
    }
}
