//! What people need to read a game: how positions are written, what moves are called, what is seen of a position.

use serde_json::{Map, Value};
use yomikiri_core::random::Random;
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Move, Viewer, unbraced};

/// Every state of a running game so far with the action that led on from it, of a player or of chance.
pub type Past<G> = [(<G as Game>::State, <G as Game>::Action)];

/// Rules with names. Three methods must be written; the others say more than the rules can, where that helps.
pub trait Describe: Game {
    /// Reads a position as people type it and URLs carry it.
    ///
    /// # Errors
    /// Anything that is not a legal position is refused with the part at fault.
    fn parse(&self, text: &str) -> Result<Self::State, Refusal>;

    /// Writes a position so that [`Describe::parse`] gives it back; `None` in the middle of a move.
    fn print(&self, s: &Self::State) -> Option<String>;

    /// What an action is called: what to type for it, its words, and where on the board it is made.
    fn action(&self, s: &Self::State, a: Self::Action) -> Move;

    /// An action in words for terminals and records, with cards by their letters.
    fn words(&self, s: &Self::State, a: Self::Action) -> Text {
        unbraced(&self.action(s, a).label)
    }

    /// What a viewer sees of a position; nothing the viewer may not know is in it. `past` is how it came about, for
    /// games that show that.
    fn board(&self, s: &Self::State, past: &Past<Self>, viewer: Viewer) -> Board {
        let _ = (past, viewer);
        Board::written(self.print(s).unwrap_or_default())
    }

    /// The board on which a position is changed by hand, where that has to show more.
    fn edit_board(&self, s: &Self::State) -> Board {
        self.board(s, &[], None)
    }

    /// The position in lines of text, for terminals.
    fn draw(&self, s: &Self::State, viewer: Viewer) -> Text {
        self.board(s, &[], viewer).plain()
    }

    /// Whether everybody sees everything; where that is not so, only the player to move sees the moves and their values.
    fn open(&self) -> bool {
        true
    }

    /// Through whose eyes a position is shown where nobody says: the player to move, where not everybody sees everything.
    fn looks_on(&self, s: &Self::State) -> Viewer {
        match self.turn(s) {
            Turn::Player(p) if !self.open() => Some(p),
            _ => None,
        }
    }

    /// The position as a viewer may write it down; games with secrets leave them out.
    fn written(&self, s: &Self::State, viewer: Viewer) -> String {
        let _ = viewer;
        self.print(s).unwrap_or_default()
    }

    /// What the players are called, in their order.
    fn players(&self) -> Vec<Text> {
        match Self::PLAYERS {
            1 => vec![text("You", "あなた")],
            2 => vec![text("First player", "先手"), text("Second player", "後手")],
            n => (1..=n).map(|n| Text::of(format!("Player {n}"), format!("プレイヤー{n}"))).collect(),
        }
    }

    /// Where a person may sit; `None` is at every seat.
    fn seats(&self) -> Vec<Option<u8>> {
        match Self::PLAYERS {
            1 => vec![None],
            n => std::iter::once(None).chain((0..n as u8).map(Some)).collect(),
        }
    }

    /// Where a game begins once it is known at which seat a person sits, for games that deal by that.
    fn sit(&self, start: &Self::State, seat: u8, random: &mut Random) -> Self::State {
        let _ = (seat, random);
        start.clone()
    }

    /// Whether only the machine can move here, by a strategy that tells nobody what it thinks.
    fn machine_moves(&self, s: &Self::State) -> bool {
        let _ = s;
        false
    }

    /// What the values of the game measure.
    fn measure(&self) -> Measure {
        Measure::Result
    }

    /// What is to be done, for the player to move.
    fn prompt(&self, s: &Self::State) -> Text {
        match self.turn(s) {
            Turn::Player(p) if Self::PLAYERS > 1 => {
                let name = self.players().get(usize::from(p)).cloned().unwrap_or_default();
                Text::of(format!("{} to move", name.en), format!("{}の番です", name.ja))
            }
            Turn::Player(_) => text("Your move", "手を選んでください"),
            Turn::Chance | Turn::Terminal => Text::default(),
        }
    }

    /// What would be accepted from the player to move, short enough for a message.
    fn accepts(&self, s: &Self::State) -> Text {
        let mut actions = Vec::new();
        self.actions(s, &mut actions);
        let ids = actions.into_iter().filter(|&a| self.alike(s, a) == a).map(|a| self.action(s, a).id);
        Text::same(ids.collect::<Vec<_>>().join(", "))
    }

    /// An action that typed text may mean besides its own id.
    fn understand(&self, s: &Self::State, typed: &str) -> Option<Self::Action> {
        let _ = (s, typed);
        None
    }

    /// The action that stands for all that are alike: those that differ only in ways that cannot matter, and so have
    /// the same value. It is alike to itself.
    fn alike(&self, s: &Self::State, a: Self::Action) -> Self::Action {
        let _ = s;
        a
    }

    /// What happened when an action was made, things now shown included; empty if there is nothing to say.
    fn happened(&self, before: &Self::State, a: Self::Action, after: &Self::State) -> Text {
        let _ = after;
        self.words(before, a)
    }

    /// Whether a viewer does not learn which action was made: a card that lies face down until all have played.
    fn conceals(&self, before: &Self::State, a: Self::Action, viewer: Viewer) -> bool {
        let _ = (before, a, viewer);
        false
    }

    /// How often a position may come before a running game is a draw; `None` if games always end by themselves.
    fn repetitions(&self) -> Option<usize> {
        None
    }

    /// The result in words.
    fn result(&self, s: &Self::State) -> Text {
        let won: Vec<i32> = (0..Self::PLAYERS).map(|p| self.utility(s, p as u8)).collect();
        ended(&self.measure(), &self.players(), &won)
    }

    /// Why a game that is over has ended so, in words; empty where the result says it already.
    fn why(&self, s: &Self::State) -> Text {
        let _ = s;
        Text::default()
    }

    /// What everybody saw for a moment at the end of the last turn, before it was covered again; none if nothing was.
    /// `past` is how the present came about.
    fn moment(&self, past: &Past<Self>, viewer: Viewer) -> Option<Board> {
        let _ = (past, viewer);
        None
    }

    /// The scores of a position, one a player, where others may be typed in their place.
    fn scores(&self, s: &Self::State) -> Option<Vec<i64>> {
        let _ = s;
        None
    }

    /// The notation of a position with other scores; none where they cannot be these.
    fn rescored(&self, s: &Self::State, scores: &[i64]) -> Option<String> {
        let _ = (s, scores);
        None
    }

    /// What a finished game brought a player, in the values people read.
    fn payoff(&self, s: &Self::State, player: u8) -> f64 {
        self.measure().score(&f64::from(self.utility(s, player)), None).x
    }

    /// What is said of a record without mistakes.
    fn flawless(&self) -> Text {
        text("none: every move was best", "なし：すべて最善手")
    }

    /// What the record of a game says beyond its moves, for programs, by what a viewer knows.
    fn record(&self, first: &Self::State, now: &Self::State, viewer: Viewer) -> Map<String, Value> {
        let _ = (first, now, viewer);
        Map::new()
    }

    /// Whether the details of an analysis draw the line of play, so that no table of it is needed.
    fn draws_lines(&self) -> bool {
        false
    }

    /// Changes by hand that lead from a position to others, each with the notation of the position after it as its id.
    /// Without any of its own, a game lets the moves be made for either side, and for chance.
    fn edits(&self, s: &Self::State) -> Vec<Move> {
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        match self.turn(s) {
            Turn::Player(_) => self.actions(s, &mut actions),
            Turn::Chance => self.chance(s, &mut outcomes),
            Turn::Terminal => {}
        }
        actions.extend(outcomes.into_iter().map(|outcome| outcome.0));
        let after = |a: Self::Action| {
            let id = self.print(&self.apply(s, a))?;
            Some(Move { id, each: Vec::new(), ..self.action(s, a) })
        };
        actions.into_iter().filter_map(after).collect()
    }
}

/// How a game has ended, from what its players get.
fn ended(measure: &Measure, names: &[Text], won: &[i32]) -> Text {
    match (measure, won) {
        (Measure::Points { name }, [won]) => {
            Text::of(format!("{won} {}", name.en), format!("{won}{}", name.ja))
        }
        (_, [won]) if *won > 0 => text("won", "成功"),
        (_, [_]) => text("lost", "失敗"),
        _ => {
            let top = won.iter().copied().max().unwrap_or(0);
            let winners: Vec<usize> = (0..won.len()).filter(|&p| won[p] == top).collect();
            let (&[winner], Some(name)) = (winners.as_slice(), winners.first().and_then(|w| names.get(*w)))
            else {
                return text("a draw", "引き分け");
            };
            match measure {
                Measure::Points { .. } if won.len() == 2 => Text::of(
                    format!("{} wins by {}", name.en, won[winner]),
                    format!("{}の勝ち（{}差）", name.ja, won[winner]),
                ),
                _ => Text::of(format!("{} wins", name.en), format!("{}の勝ち", name.ja)),
            }
        }
    }
}
