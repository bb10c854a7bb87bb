//! A game at the table, one move at a time, with undo, hints and an honest record of mistakes. Written
//! once for every game: a game says how its table looks and what its moves are called.

use serde_json::{Value, json};
use yomikiri_core::random::Random;
use yomikiri_core::{Game, Number, Refusal, Text, Turn};
use yomikiri_solve::look::{Solution, first_best};

/// A value as people read it.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The text.
    pub text: String,
    /// For comparing and for measuring what a mistake costs.
    pub value: f64,
}

/// A legal move with its name and value for the player to move.
#[derive(Clone, Debug)]
pub struct Move {
    /// What to type.
    pub input: String,
    /// What it is.
    pub label: Text,
    /// What it is worth.
    pub value: Shown,
    /// Whether it is as good as any.
    pub best: bool,
}

/// A move of the person that lost value.
#[derive(Clone, Debug)]
pub struct Mistake {
    /// The number of the person's decision, from 1.
    pub decision: usize,
    /// What was played.
    pub played: Text,
    /// What would have been best.
    pub best: Text,
    /// The value lost.
    pub lost: f64,
}

/// A running game between a person (seat 0 or 1) and the optimal player, as the faces see it.
pub trait Play {
    /// The table as lines of text.
    fn table(&self) -> Text;
    /// Who is to act: 0, 1, or nobody when the game is over.
    fn turn(&self) -> Option<u8>;
    /// What the player to move is asked for.
    fn prompt(&self) -> Text;
    /// The moves of the player to move, in the game's order, with their values.
    fn moves(&self) -> Vec<Move>;
    /// Plays what a person typed; says what happened.
    fn input(&mut self, text: &str) -> Result<Text, Refusal>;
    /// Plays the best move; says what happened.
    fn best(&mut self) -> Text;
    /// Takes back everything since this seat's last decision; false if there is none.
    fn undo(&mut self, seat: u8) -> bool;
    /// The mistakes of a seat.
    fn mistakes(&self, seat: u8) -> Vec<Mistake>;
    /// The result in words, when the game is over.
    fn result(&self) -> Option<Text>;
    /// The result for a seat as a number.
    fn score(&self, seat: u8) -> Option<f64>;
    /// The whole game for programs.
    fn record(&self) -> Value;
}

/// What a game adds to its rules to be played by people.
pub trait Tabletop: Game {
    /// The state as lines of text.
    fn draw(&self, s: &Self::State) -> Text;
    /// What the player to move is asked for.
    fn ask(&self, s: &Self::State) -> Text;
    /// What to type for an action, and what it is.
    fn name(&self, s: &Self::State, a: Self::Action) -> (String, Text);
    /// What happened when an action was applied, hidden things now shown included.
    fn happened(&self, before: &Self::State, a: Self::Action, after: &Self::State) -> Text;
    /// The final result in words.
    fn outcome(&self, s: &Self::State) -> Text;
    /// A value as people read it.
    fn shown<N: Number>(&self, value: &N) -> Shown;
    /// Actions that typed text may stand for besides their names.
    fn understand(&self, s: &Self::State, text: &str) -> Option<Self::Action>;
}

/// A running game of any [`Tabletop`] with a solution.
pub struct Match<G: Tabletop, S> {
    game: G,
    solution: S,
    random: Random,
    tolerance: f64,
    /// Every state so far with the action that led on from it; the last has none.
    past: Vec<(G::State, G::Action)>,
    now: G::State,
    mistakes: Vec<(usize, u8, Mistake)>,
}

impl<G: Tabletop, S: Solution<G>> Match<G, S> {
    /// A game from a state; chance follows the seed.
    pub fn new(game: G, solution: S, start: G::State, seed: u64, tolerance: f64) -> Match<G, S> {
        let mut play = Match {
            game,
            solution,
            random: Random::new(seed),
            tolerance,
            past: Vec::new(),
            now: start,
            mistakes: Vec::new(),
        };
        play.chance();
        play
    }

    fn step(&mut self, a: G::Action) -> Text {
        let next = self.game.apply(&self.now, a);
        let text = self.game.happened(&self.now, a, &next);
        let before = std::mem::replace(&mut self.now, next);
        self.past.push((before, a));
        text
    }

    /// Lets chance act until a player is to move.
    fn chance(&mut self) -> Vec<Text> {
        let mut said = Vec::new();
        while self.game.turn(&self.now) == Turn::Chance {
            let mut outcomes = Vec::new();
            self.game.chance(&self.now, &mut outcomes);
            let Some(a) = self.random.draw(&outcomes) else { break };
            said.push(self.step(a));
        }
        said
    }

    fn perform(&mut self, a: G::Action) -> Text {
        let (seat, decision) = (self.turn().unwrap_or(0), self.past.len());
        let values = self.solution.moves(&self.game, &self.now);
        let value = |wanted: G::Action| {
            values.iter().find(|m| m.0 == wanted).and_then(|m| m.1.as_ref()).map(|v| self.game.shown(v).value)
        };
        if let Some(best) = first_best(&values, self.tolerance)
            && let (Some(top), Some(got)) = (value(best), value(a))
            && top - got > self.tolerance
        {
            let mistake = Mistake {
                decision: 1 + self.decisions(seat),
                played: self.game.name(&self.now, a).1,
                best: self.game.name(&self.now, best).1,
                lost: top - got,
            };
            self.mistakes.push((decision, seat, mistake));
        }
        let mut said = vec![self.step(a)];
        said.extend(self.chance());
        Text::of(
            said.iter().map(|t| t.en.as_ref()).filter(|t| !t.is_empty()).collect::<Vec<_>>().join(" "),
            said.iter().map(|t| t.ja.as_ref()).filter(|t| !t.is_empty()).collect::<Vec<_>>().join(""),
        )
    }

    fn decisions(&self, seat: u8) -> usize {
        self.past.iter().filter(|(s, _)| self.game.turn(s) == Turn::Player(seat)).count()
    }
}

impl<G: Tabletop, S: Solution<G>> Play for Match<G, S> {
    fn table(&self) -> Text {
        self.game.draw(&self.now)
    }

    fn turn(&self) -> Option<u8> {
        match self.game.turn(&self.now) {
            Turn::Player(p) => Some(p),
            _ => None,
        }
    }

    fn prompt(&self) -> Text {
        self.game.ask(&self.now)
    }

    fn moves(&self) -> Vec<Move> {
        let values = self.solution.moves(&self.game, &self.now);
        let top = values
            .iter()
            .filter_map(|m| m.1.as_ref())
            .map(|v| self.game.shown(v).value)
            .fold(f64::NEG_INFINITY, f64::max);
        values
            .iter()
            .filter_map(|(a, value)| {
                let value = self.game.shown(value.as_ref()?);
                let (input, label) = self.game.name(&self.now, *a);
                Some(Move { input, label, best: value.value >= top - self.tolerance, value })
            })
            .collect()
    }

    fn input(&mut self, text: &str) -> Result<Text, Refusal> {
        let mut actions = Vec::new();
        self.game.actions(&self.now, &mut actions);
        let text = text.trim();
        let named =
            actions.iter().copied().find(|&a| self.game.name(&self.now, a).0.eq_ignore_ascii_case(text));
        let action = named.or_else(|| self.game.understand(&self.now, text).filter(|a| actions.contains(a)));
        match action {
            Some(a) => Ok(self.perform(a)),
            None => {
                let names: Vec<String> = actions.iter().map(|&a| self.game.name(&self.now, a).0).collect();
                Err(Refusal::new("move", format!("\"{text}\""), Text::same(names.join(", "))))
            }
        }
    }

    fn best(&mut self) -> Text {
        let moves = self.solution.moves(&self.game, &self.now);
        match first_best(&moves, self.tolerance) {
            Some(a) => self.perform(a),
            None => Text::same(""),
        }
    }

    fn undo(&mut self, seat: u8) -> bool {
        let Some(at) = self.past.iter().rposition(|(s, _)| self.game.turn(s) == Turn::Player(seat)) else {
            return false;
        };
        self.now = self.past[at].0.clone();
        self.past.truncate(at);
        self.mistakes.retain(|m| m.0 < at);
        true
    }

    fn mistakes(&self, seat: u8) -> Vec<Mistake> {
        self.mistakes.iter().filter(|m| m.1 == seat).map(|m| m.2.clone()).collect()
    }

    fn result(&self) -> Option<Text> {
        (self.game.turn(&self.now) == Turn::Terminal).then(|| self.game.outcome(&self.now))
    }

    fn score(&self, seat: u8) -> Option<f64> {
        (self.game.turn(&self.now) == Turn::Terminal).then(|| f64::from(self.game.utility(&self.now, seat)))
    }

    fn record(&self) -> Value {
        let moves: Vec<Value> = self
            .past
            .iter()
            .map(|(s, a)| {
                let seat = if let Turn::Player(p) = self.game.turn(s) { Some(p) } else { None };
                json!({"seat": seat, "move": self.game.name(s, *a).0})
            })
            .collect();
        let mistakes: Vec<Value> = self
            .mistakes
            .iter()
            .map(|(_, seat, m)| {
                json!({"seat": seat, "decision": m.decision, "played": m.played.en, "best": m.best.en, "lost": m.lost})
            })
            .collect();
        json!({"moves": moves, "mistakes": mistakes, "score": self.score(0), "result": self.result().map(|t| t.en)})
    }
}
