//! A game at the table, one move at a time, with undo, hints and an honest record of mistakes. Written
//! once for every game: a game says how its table looks and what its moves are called.

use serde_json::{Value, json};
use std::cell::RefCell;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Number, Refusal, Run, Text, Turn};
use yomikiri_view::scene::{Scene, Viewer};

/// A value as people read it.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The text.
    pub text: Text,
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
    fn scene(&self, viewer: Viewer, run: &Run<'_>) -> Result<Scene, Error>;
    /// The last move as a viewer knows it; none before the first.
    fn made(&self, viewer: Viewer) -> Option<Made>;
    /// Who is to act: 0, 1, or nobody when the game is over.
    fn turn(&self) -> Option<u8>;
    /// What the player to move is asked for.
    fn prompt(&self) -> Text;
    /// The moves of the player to move, in the game's order, with their values; of moves that are alike
    /// only one is listed.
    fn moves(&self, run: &Run<'_>) -> Result<Vec<Move>, Error>;
    /// Plays what a person typed; says what happened.
    fn input(&mut self, text: &str) -> Result<Text, Refusal>;
    /// Plays the best move; says what happened.
    fn best(&mut self, run: &Run<'_>) -> Result<Text, Error>;
    /// Takes back everything since this seat's last decision; false if there is none.
    fn undo(&mut self, seat: u8) -> bool;
    /// The mistakes of a seat, judged when they are asked for and remembered.
    fn mistakes(&self, seat: u8, run: &Run<'_>) -> Result<Vec<Mistake>, Error>;
    /// What is said of a record without mistakes.
    fn flawless(&self) -> Text {
        yomikiri_core::text("none: every move was best", "なし：すべて最善手")
    }
    /// The result in words, when the game is over.
    fn result(&self) -> Option<Text>;
    /// The result for a seat as a number, in the values people read.
    fn score(&self, seat: u8) -> Option<f64>;
    /// The whole game for programs.
    fn record(&self, run: &Run<'_>) -> Result<Value, Error>;
}

/// The mistakes of all seats as JSON.
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

/// What a game adds to its rules to be played by people.
pub trait Tabletop: Game {
    /// The state as lines of text.
    fn draw(&self, s: &Self::State) -> Text;
    /// What the player to move is asked for.
    fn ask(&self, s: &Self::State) -> Text;
    /// What would be accepted from the player to move, short enough for a message.
    fn accepts(&self, s: &Self::State) -> Text {
        let mut actions = Vec::new();
        self.actions(s, &mut actions);
        let listed = actions.into_iter().filter(|&a| self.alike(s, a) == a);
        Text::same(listed.map(|a| self.name(s, a).0).collect::<Vec<_>>().join(", "))
    }
    /// The action that stands for all that are alike: those that differ only in ways that cannot matter,
    /// and so have the same value. It is alike to itself, and a solution must give its value.
    fn alike(&self, _: &Self::State, a: Self::Action) -> Self::Action {
        a
    }
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

/// Actions, with their values where these are known.
pub type Rated<G, N> = Vec<(<G as Game>::Action, Option<N>)>;

/// Where a match gets its values and pictures from.
pub trait Adviser<G: Game>: Send {
    /// What its values are.
    type Number: Number;
    /// Legal actions with their values for the player to move, in the game's order; of actions that are alike at
    /// least the one that stands for all.
    fn values(&self, game: &G, s: &G::State, run: &Run<'_>) -> Result<Rated<G, Self::Number>, Error>;
    /// A best action, where it is quicker to tell than all values.
    fn best(&self, _: &G, _: &G::State, _: &Run<'_>) -> Result<Option<G::Action>, Error> {
        Ok(None)
    }
    /// Whether an action is surely as good as any, where that is quicker to tell than all values.
    fn good(&self, _: &G, _: &G::State, _: G::Action, _: &Run<'_>) -> Result<bool, Error> {
        Ok(false)
    }
    /// The picture of a state with every move; what was done before marks the last one, and the viewer sits nearest.
    fn board(&self, game: &G, s: &G::State, past: &Past<G>, viewer: Viewer) -> Scene;
    /// The picture with every move's value.
    fn scene(&self, game: &G, s: &G::State, board: Scene, run: &Run<'_>) -> Result<Scene, Error>;
    /// Where an action began and ended, as places of the scene.
    fn ends(&self, _: &G, _: &G::State, _: G::Action) -> (Option<String>, Option<String>) {
        (None, None)
    }
}

/// Every state of a game so far with the action that led on from it, of a player or of chance.
pub type Past<G> = [(<G as Game>::State, <G as Game>::Action)];

/// A running game of any [`Tabletop`] with an adviser. Everybody sees everything.
pub struct Match<G: Tabletop, A> {
    game: G,
    adviser: A,
    seed: u64,
    /// Values of the adviser this close to the best count as best.
    tolerance: f64,
    past: Vec<(G::State, G::Action)>,
    now: G::State,
    /// By the number of steps before.
    judged: Judged,
}

/// An action that stands for those alike, with its value.
struct Valued<A> {
    action: A,
    value: Shown,
    best: bool,
}

impl<G: Tabletop, A: Adviser<G>> Match<G, A> {
    /// A game from a state; chance follows the seed. Values of the adviser within `tolerance` of the best
    /// are as good as the best.
    pub fn new(game: G, adviser: A, start: G::State, seed: u64, tolerance: f64) -> Match<G, A> {
        let mut play =
            Match { game, adviser, seed, tolerance, past: Vec::new(), now: start, judged: Judged::default() };
        play.chance();
        play
    }

    /// The rules that are played.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The state the game is in.
    pub fn state(&self) -> &G::State {
        &self.now
    }

    fn step(&mut self, a: G::Action) -> Text {
        let next = self.game.apply(&self.now, a);
        let text = self.game.happened(&self.now, a, &next);
        let before = std::mem::replace(&mut self.now, next);
        self.past.push((before, a));
        text
    }

    /// Lets chance act until a player is to move. What it does depends on the seed and the number of steps
    /// so far, so that taking a move back and playing it again shows the same.
    fn chance(&mut self) -> Vec<Text> {
        let mut said = Vec::new();
        while self.game.turn(&self.now) == Turn::Chance {
            let mut outcomes = Vec::new();
            self.game.chance(&self.now, &mut outcomes);
            let mut random = Random::stream(self.seed, self.past.len() as u64);
            let Some(a) = random.draw(&outcomes) else { break };
            said.push(self.step(a));
        }
        said
    }

    /// The moves of a state that have a value, one for all that are alike.
    fn valued(&self, s: &G::State, run: &Run<'_>) -> Result<Vec<Valued<G::Action>>, Error> {
        let values = self.adviser.values(&self.game, s, run)?;
        let top =
            values.iter().filter_map(|m| m.1.as_ref()).map(Number::approx).fold(f64::NEG_INFINITY, f64::max);
        let listed = values.iter().filter(|(a, _)| self.game.alike(s, *a) == *a);
        let listed = listed.filter_map(|(action, value)| {
            let value = value.as_ref()?;
            let best = value.approx() >= top - self.tolerance;
            Some(Valued { action: *action, value: self.game.shown(value), best })
        });
        Ok(listed.collect())
    }

    /// The mistake that a past step was, if it was one; `decision` is its number for its seat.
    fn judge(&self, step: usize, decision: usize, run: &Run<'_>) -> Result<Option<Mistake>, Error> {
        run.check()?;
        let (s, a) = &self.past[step];
        if self.adviser.good(&self.game, s, *a, run)? {
            return Ok(None);
        }
        let moves = self.valued(s, run)?;
        let alike = self.game.alike(s, *a);
        let played = moves.iter().find(|m| m.action == alike).filter(|m| !m.best);
        Ok(played.zip(moves.iter().find(|m| m.best)).map(|(played, best)| Mistake {
            decision,
            at: self.past[..step].iter().filter(|(s, _)| self.player(s).is_some()).count(),
            played: self.game.name(s, *a).1,
            best: self.game.name(s, best.action).1,
            lost: best.value.value - played.value.value,
        }))
    }

    fn perform(&mut self, a: G::Action) -> Text {
        let mut said = vec![self.step(a)];
        said.extend(self.chance());
        said.retain(|t| !t.en.is_empty());
        Text::of(
            said.iter().map(|t| t.en.as_ref()).collect::<Vec<_>>().join("; "),
            said.iter().map(|t| t.ja.as_ref()).collect::<Vec<_>>().join("、"),
        )
    }

    /// The player to move in a state.
    fn player(&self, s: &G::State) -> Option<u8> {
        match self.game.turn(s) {
            Turn::Player(p) => Some(p),
            _ => None,
        }
    }
}

impl<G: Tabletop, A: Adviser<G>> Play for Match<G, A> {
    fn players(&self) -> usize {
        G::PLAYERS
    }

    fn table(&self) -> Text {
        self.game.draw(&self.now)
    }

    fn board(&self, viewer: Viewer) -> Scene {
        let mut scene = self.adviser.board(&self.game, &self.now, &self.past, viewer);
        if let Some(result) = self.result() {
            scene.end(result);
        }
        scene
    }

    fn scene(&self, viewer: Viewer, run: &Run<'_>) -> Result<Scene, Error> {
        let board = self.board(viewer);
        match self.turn() {
            Some(_) => self.adviser.scene(&self.game, &self.now, board, run),
            None => Ok(board),
        }
    }

    fn made(&self, _: Viewer) -> Option<Made> {
        let (s, a) = self.past.iter().rev().find(|(s, _)| self.player(s).is_some())?;
        let (from, to) = self.adviser.ends(&self.game, s, *a);
        Some(Made { input: Some(self.game.name(s, *a).0), from, to })
    }

    fn turn(&self) -> Option<u8> {
        self.player(&self.now)
    }

    fn prompt(&self) -> Text {
        self.game.ask(&self.now)
    }

    fn moves(&self, run: &Run<'_>) -> Result<Vec<Move>, Error> {
        let moves = self.valued(&self.now, run)?.into_iter().map(|Valued { action, value, best }| {
            let (input, label) = self.game.name(&self.now, action);
            Move { input, label, order: 0, value, best }
        });
        Ok(moves.collect())
    }

    fn input(&mut self, text: &str) -> Result<Text, Refusal> {
        let typed = text.trim();
        let mut actions = Vec::new();
        self.game.actions(&self.now, &mut actions);
        let named =
            actions.iter().copied().find(|&a| self.game.name(&self.now, a).0.eq_ignore_ascii_case(typed));
        let action = named.or_else(|| self.game.understand(&self.now, typed).filter(|a| actions.contains(a)));
        action.map(|a| self.perform(a)).ok_or_else(|| {
            let accepts = match self.turn() {
                Some(_) => self.game.accepts(&self.now),
                None => yomikiri_core::text("nothing, the game is over", "なし（終局しています）"),
            };
            Refusal::new("move", format!("\"{typed}\""), accepts)
        })
    }

    fn best(&mut self, run: &Run<'_>) -> Result<Text, Error> {
        let quick = self.adviser.best(&self.game, &self.now, run)?;
        let best = match quick {
            Some(a) => Some(a),
            None => self.valued(&self.now, run)?.into_iter().find(|m| m.best).map(|m| m.action),
        };
        Ok(best.map_or_else(|| Text::same(""), |a| self.perform(a)))
    }

    fn undo(&mut self, seat: u8) -> bool {
        let Some(at) = self.past.iter().rposition(|(s, _)| self.player(s) == Some(seat)) else {
            return false;
        };
        self.now = self.past[at].0.clone();
        self.past.truncate(at);
        self.judged.truncate(at);
        true
    }

    fn mistakes(&self, seat: u8, run: &Run<'_>) -> Result<Vec<Mistake>, Error> {
        let own = (0..self.past.len()).filter(|&i| self.player(&self.past[i].0) == Some(seat));
        let mut mistakes = Vec::new();
        for (decided, step) in own.enumerate() {
            mistakes.extend(self.judged.of(step, || self.judge(step, decided + 1, run))?);
        }
        Ok(mistakes)
    }

    fn result(&self) -> Option<Text> {
        (self.game.turn(&self.now) == Turn::Terminal).then(|| self.game.outcome(&self.now))
    }

    fn score(&self, seat: u8) -> Option<f64> {
        (self.game.turn(&self.now) == Turn::Terminal).then(|| {
            let utility = f64::from(self.game.utility(&self.now, seat));
            self.game.shown(&utility).value
        })
    }

    fn record(&self, run: &Run<'_>) -> Result<Value, Error> {
        let moves: Vec<Value> = self
            .past
            .iter()
            .map(|(s, a)| json!({"seat": self.player(s), "move": self.game.name(s, *a).0}))
            .collect();
        let mistakes = mistakes_json(self, run)?;
        Ok(
            json!({"seed": self.seed, "moves": moves, "mistakes": mistakes, "score": self.score(0), "result": self.result().map(|t| t.en)}),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use yomikiri_core::{Canonical, text};
    use yomikiri_solve::Solver;
    use yomikiri_solve::memo::{Memo, Memoised};
    use yomikiri_solve::solution::Solution;

    /// Players take one to three stones from a heap, with the left or the right hand; then a die takes none,
    /// one or two from a heap of more than four. Whoever takes the last stone wins.
    struct Heap;

    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Stones {
        left: u8,
        mover: u8,
        die: bool,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    enum Hand {
        Left(u8),
        Right(u8),
        Rolled(u8),
    }

    impl Game for Heap {
        type State = Stones;
        type Action = Hand;
        const PLAYERS: usize = 2;
        fn start(&self) -> Stones {
            Stones { left: 20, mover: 0, die: false }
        }
        fn turn(&self, s: &Stones) -> Turn {
            match (s.left, s.die) {
                (0, _) => Turn::Terminal,
                (_, true) => Turn::Chance,
                _ => Turn::Player(s.mover),
            }
        }
        fn actions(&self, s: &Stones, out: &mut Vec<Hand>) {
            if matches!(self.turn(s), Turn::Player(_)) {
                let most = s.left.min(3);
                out.extend((1..=most).map(Hand::Left));
                out.extend((1..=most).map(Hand::Right));
            }
        }
        fn chance(&self, s: &Stones, out: &mut Vec<(Hand, u32)>) {
            if s.die {
                out.extend((0..3).map(|n| (Hand::Rolled(n), 1)));
            }
        }
        fn apply(&self, s: &Stones, a: Hand) -> Stones {
            match a {
                Hand::Left(n) | Hand::Right(n) => {
                    let left = s.left - n;
                    Stones { left, mover: 1 - s.mover, die: left > 4 }
                }
                Hand::Rolled(n) => Stones { left: s.left - n, mover: s.mover, die: false },
            }
        }
        fn utility(&self, s: &Stones, player: u8) -> i32 {
            if player == s.mover { -1 } else { 1 }
        }
    }

    impl Canonical for Heap {
        type Key = u8;
        fn key(&self, s: &Stones) -> Option<u8> {
            (!s.die).then_some(s.left)
        }
        fn symmetric(&self, s: &Stones, out: &mut Vec<Stones>) {
            out.push(Stones { mover: 1 - s.mover, ..s.clone() });
        }
    }

    impl Tabletop for Heap {
        fn draw(&self, s: &Stones) -> Text {
            Text::same("o".repeat(usize::from(s.left)))
        }
        fn ask(&self, _: &Stones) -> Text {
            text("how many?", "いくつ？")
        }
        fn alike(&self, _: &Stones, a: Hand) -> Hand {
            if let Hand::Right(n) = a { Hand::Left(n) } else { a }
        }
        fn name(&self, _: &Stones, a: Hand) -> (String, Text) {
            match a {
                Hand::Left(n) => (n.to_string(), text("take", "取る")),
                Hand::Right(n) => (format!("right {n}"), text("take with the right hand", "右手で取る")),
                Hand::Rolled(n) => (format!("-{n}"), text("roll", "さいころ")),
            }
        }
        fn happened(&self, _: &Stones, a: Hand, after: &Stones) -> Text {
            match a {
                Hand::Rolled(0) => Text::same(""),
                _ => Text::same(format!("{} left", after.left)),
            }
        }
        fn outcome(&self, s: &Stones) -> Text {
            Text::same(format!("player {} wins", 2 - s.mover))
        }
        fn shown<N: Number>(&self, value: &N) -> Shown {
            // Not the solution's own scale.
            let value = 50.0 * (1.0 + value.approx());
            Shown { text: Text::same(format!("{value:.5} %")), value }
        }
        fn understand(&self, _: &Stones, text: &str) -> Option<Hand> {
            match text {
                "one" => Some(Hand::Left(1)),
                "nine" => Some(Hand::Left(9)),
                _ => None,
            }
        }
    }

    /// The values of a solution, and how often they were asked for.
    struct Known(Memoised<u8, f64>, AtomicUsize);

    impl Adviser<Heap> for Known {
        type Number = f64;
        fn values(&self, game: &Heap, s: &Stones, _: &Run<'_>) -> Result<Vec<(Hand, Option<f64>)>, Error> {
            self.1.fetch_add(1, Ordering::Relaxed);
            Ok(self.0.moves(game, s))
        }
        fn board(&self, _: &Heap, s: &Stones, past: &Past<Heap>, _: Viewer) -> Scene {
            Scene { say: Text::same(format!("{} after {}", s.left, past.len())), ..Scene::default() }
        }
        fn scene(&self, _: &Heap, _: &Stones, board: Scene, _: &Run<'_>) -> Result<Scene, Error> {
            Ok(board)
        }
    }

    fn heap(seed: u64) -> Match<Heap, Known> {
        let solution = Solver::solve(&Memo::<f64>::new(), &Heap, &Run::default()).unwrap();
        Match::new(Heap, Known(solution, AtomicUsize::new(0)), Heap.start(), seed, 1e-12)
    }

    /// Everything a face can see.
    fn seen(play: &dyn Play) -> String {
        let run = Run::default();
        let mistakes = [play.mistakes(0, &run).unwrap(), play.mistakes(1, &run).unwrap()];
        format!(
            "{:?} {:?} {:?} {mistakes:?} {}",
            play.table(),
            play.turn(),
            play.moves(&run).unwrap(),
            play.record(&run).unwrap()
        )
    }

    fn typed(random: &mut Random, play: &dyn Play) -> String {
        let moves = play.moves(&Run::default()).unwrap();
        let input = &moves[random.below(moves.len() as u64) as usize].input;
        if random.below(2) == 0 { input.clone() } else { format!("right {input}") }
    }

    #[test]
    fn law_undo_and_the_same_again_changes_nothing() {
        for seed in 0..50 {
            let mut random = Random::new(seed);
            let mut play = heap(seed);
            while let Some(seat) = play.turn() {
                let before = seen(&play);
                let input = typed(&mut random, &play);
                let said = play.input(&input).unwrap();
                let after = seen(&play);
                assert!(play.undo(seat));
                assert_eq!(seen(&play), before);
                assert_eq!(play.input(&input), Ok(said));
                assert_eq!(seen(&play), after);
            }
            // All the way back for one seat, mistakes included.
            while play.undo(0) {}
            assert_eq!(seen(&play), seen(&heap(seed)));
        }
    }

    #[test]
    fn law_the_same_seed_gives_the_same_record() {
        let record = |seed| {
            let mut play = heap(seed);
            while play.turn().is_some() {
                play.input("1").unwrap();
            }
            play.record(&Run::default()).unwrap()
        };
        assert_eq!(record(7), record(7));
        let moves: std::collections::HashSet<String> =
            (0..20).map(|seed| record(seed)["moves"].to_string()).collect();
        assert!(moves.len() > 10, "{} different games", moves.len());
    }

    #[test]
    fn law_chance_is_fair_over_the_seeds_at_every_step() {
        let mut counts = [[0u32; 3]; 3];
        for seed in 0..3000 {
            let mut play = heap(seed);
            for step in &mut counts {
                play.input("1").unwrap();
                let Some((_, Hand::Rolled(n))) = play.past.last() else { panic!("the die was not rolled") };
                step[usize::from(*n)] += 1;
            }
        }
        // 1000 expected with standard deviation 26.
        assert!(counts.as_flattened().iter().all(|n| n.abs_diff(1000) < 130), "{counts:?}");
    }

    #[test]
    fn law_the_best_move_is_never_a_mistake_and_a_worse_one_always() {
        let mut mistakes = 0;
        for seed in 0..100 {
            let mut random = Random::new(seed);
            let mut play = heap(seed);
            while let Some(seat) = play.turn() {
                let before = play.mistakes(seat, &Run::default()).unwrap().len();
                if random.below(2) == 0 {
                    play.best(&Run::default()).unwrap();
                    assert_eq!(play.mistakes(seat, &Run::default()).unwrap().len(), before);
                    continue;
                }
                let (moves, input) = (play.moves(&Run::default()).unwrap(), typed(&mut random, &play));
                let top = moves.iter().map(|m| m.value.value).fold(0.0, f64::max);
                let chosen = moves.iter().find(|m| input.ends_with(&m.input)).unwrap();
                play.input(&input).unwrap();
                let after = play.mistakes(seat, &Run::default()).unwrap();
                assert_eq!(after.len() - before, usize::from(!chosen.best));
                if !chosen.best {
                    assert!((after[before].lost - (top - chosen.value.value)).abs() < 1e-9);
                    assert_eq!(after[before].played.en.contains("right"), input.contains("right"));
                    mistakes += 1;
                }
            }
        }
        assert!(mistakes > 50, "{mistakes}");
    }

    #[test]
    fn law_mistakes_are_judged_when_asked_for_and_only_once() {
        let mut play = heap(4);
        while play.turn().is_some() {
            play.input("1").unwrap();
        }
        assert_eq!(play.adviser.1.load(Ordering::Relaxed), 0, "playing asks for no value");
        let once = play.mistakes(0, &Run::default()).unwrap();
        let asked = play.adviser.1.load(Ordering::Relaxed);
        assert!(asked > 0 && !once.is_empty());
        // Known judgements are told even if there is no time left.
        let late = AtomicBool::new(true);
        let late = Run { cancel: &late, ..Run::default() };
        assert_eq!(play.mistakes(0, &late).unwrap(), once);
        assert_eq!(play.adviser.1.load(Ordering::Relaxed), asked);
        assert!(matches!(play.mistakes(1, &late), Err(Error::Cancelled)));
        for m in &once {
            assert_eq!(2 * (m.decision - 1), m.at, "the players take turns");
        }
    }

    #[test]
    fn law_the_last_move_is_that_of_a_player() {
        let mut play = heap(2);
        assert_eq!(play.made(None), None);
        play.input("right 2").unwrap();
        assert_eq!(play.made(Some(0)).unwrap().input.as_deref(), Some("right 2"), "and not the die");
        assert_eq!(play.board(None).say.en, format!("{} after {}", play.now.left, play.past.len()));
        while play.turn().is_some() {
            play.best(&Run::default()).unwrap();
        }
        assert_eq!(play.scene(None, &Run::default()).unwrap().say, play.result().unwrap());
    }

    #[test]
    fn law_moves_that_are_alike_are_listed_once() {
        let play = heap(1);
        let inputs: Vec<String> = play.moves(&Run::default()).unwrap().into_iter().map(|m| m.input).collect();
        assert_eq!(inputs, ["1", "2", "3"]);
    }

    #[test]
    fn law_other_input_is_refused_with_what_is_accepted_and_changes_nothing() {
        let mut play = heap(3);
        let before = seen(&play);
        for bad in ["", "0", "4", "nine", "-0", "左", "1 2"] {
            let refusal = play.input(bad).unwrap_err();
            assert_eq!(refusal.field, "move");
            assert_eq!(refusal.got.en, format!("\"{bad}\""));
            assert_eq!(refusal.accepts, Text::same("1, 2, 3"));
            assert_eq!(seen(&play), before);
        }
        assert!(play.input(" one ").is_ok() && play.input("RIGHT 2").is_ok());
    }

    #[test]
    fn law_nothing_is_accepted_after_the_end() {
        let mut play = heap(3);
        assert_eq!((play.result(), play.score(0)), (None, None));
        while play.turn().is_some() {
            play.best(&Run::default()).unwrap();
        }
        let before = seen(&play);
        assert!(play.input("1").is_err_and(|r| r.accepts.en.contains("over")));
        assert!(
            play.best(&Run::default()).unwrap().en.is_empty()
                && play.moves(&Run::default()).unwrap().is_empty()
        );
        assert_eq!(seen(&play), before);
        assert!(play.result().is_some());
        // In the values people read.
        assert_eq!(play.score(0).unwrap() + play.score(1).unwrap(), 100.0);
    }
}
