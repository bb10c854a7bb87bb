//! The questions the paper left open, each a study with its interval: opponents who are not random, how to be second
//! entering the last round, what the hand is worth, whether collusion pays; and the last turn, or turns, as a game.

pub mod collusion;
pub mod hands;
pub mod last_round;
pub mod last_turn;
pub mod last_turns;
pub mod opponents;
pub mod second;

use crate::stats::Z;
use serde_json::{Value, json};
use yomikiri_games::saichugen::player::House;
use yomikiri_games::saichugen::rules::Table;
use yomikiri_games::saichugen::seats::{Lineup, Party};

/// A mean of a sample and its error, added up in order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    n: u64,
    mean: f64,
    squares: f64,
}

impl Mean {
    /// Adds a number (Welford).
    pub fn add(&mut self, x: f64) {
        self.n += 1;
        let off = x - self.mean;
        self.mean += off / self.n as f64;
        self.squares += off * (x - self.mean);
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The standard error of the mean; infinite for fewer than two.
    pub fn error(&self) -> f64 {
        if self.n < 2 {
            return f64::INFINITY;
        }
        (self.squares / (self.n - 1) as f64 / self.n as f64).sqrt()
    }

    /// The mean of as many numbers that are so many times as large.
    #[must_use]
    pub fn times(&self, factor: f64) -> Mean {
        Mean { n: self.n, mean: self.mean * factor, squares: self.squares * factor * factor }
    }

    /// For people: the mean and half its interval.
    pub fn shown(&self) -> String {
        match self.n {
            0 => "–".into(),
            1 => format!("{:+.3}", self.mean),
            _ => format!("{:+.3} ± {:.3}", self.mean, Z * self.error()),
        }
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let half = Z * self.error();
        json!({"n": self.n, "mean": self.mean, "error": self.error(),
            "interval_95": [self.mean - half, self.mean + half]})
    }
}

/// Three players at a table.
fn party(names: &str, house: House) -> Party {
    Party::new(Lineup::parse(names).expect("known players"), house)
}

/// Three of the paper's players at a table.
pub(super) fn searchers(house: House) -> Party {
    party("search,search,search", house)
}

/// The table when a turn of a game begins: rounds 1 to 4 at random, then the paper's players.
fn table_at(searchers: &mut Party, turn: u8, seed: u64, game: u64) -> Table {
    searchers.until(turn, seed, game).table
}
