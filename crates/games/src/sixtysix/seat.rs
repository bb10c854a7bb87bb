//! A match in which the machine plays the paper's strategies instead of the best move. Hints and the record of
//! mistakes stay honest: they come from the solution.

use super::strategies::Strategy;
use super::table::{Advice, Table};
use crate::play::{Made, Match, Mistake, Move, Play};
use serde_json::Value;
use yomikiri_core::{Error, Refusal, Run, Text};
use yomikiri_view::scene::{Scene, Viewer};

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
    fn board(&self, viewer: Viewer) -> Scene {
        self.play.board(viewer)
    }
    fn scene(&self, viewer: Viewer, run: &Run<'_>) -> Result<Scene, Error> {
        self.play.scene(viewer, run)
    }
    fn made(&self, viewer: Viewer) -> Option<Made> {
        self.play.made(viewer)
    }
    fn moves(&self, run: &Run<'_>) -> Result<Vec<Move>, Error> {
        self.play.moves(run)
    }
    fn input(&mut self, text: &str) -> Result<Text, Refusal> {
        self.play.input(text)
    }
    /// Plays by the strategy; once the scoring card is gone, anything.
    fn best(&mut self, run: &Run<'_>) -> Result<Text, Error> {
        let card = self.strategy.card(self.play.game().game(), self.play.state());
        match card.map(|card| self.play.input(&card.to_string())) {
            Some(Ok(said)) => Ok(said),
            _ => self.play.best(run),
        }
    }
    fn undo(&mut self, seat: u8) -> bool {
        self.play.undo(seat)
    }
    fn mistakes(&self, seat: u8, run: &Run<'_>) -> Result<Vec<Mistake>, Error> {
        self.play.mistakes(seat, run)
    }
    fn result(&self) -> Option<Text> {
        self.play.result()
    }
    fn score(&self, seat: u8) -> Option<f64> {
        self.play.score(seat)
    }
    fn record(&self, run: &Run<'_>) -> Result<Value, Error> {
        self.play.record(run)
    }
}
