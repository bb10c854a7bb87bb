//! A game at the table, one move at a time, with undo, hints and an honest record of mistakes. Written
//! once for every game: a game says how its table looks and what its moves are called.

use serde_json::{Value, json};
use yomikiri_core::random::Random;
use yomikiri_core::{Game, Number, Refusal, Text, Turn};
use yomikiri_solve::look::Solution;

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
    /// The value lost, in the values people read.
    pub lost: f64,
}

/// A running game of a person (seat 0 or 1) against the optimal player, or alone, as the faces see it.
pub trait Play {
    /// How many players there are.
    fn players(&self) -> usize {
        2
    }
    /// Says where the person sits, before the first move; games that are the same for all need not care.
    fn sit(&mut self, _seat: u8) {}
    /// The table as lines of text.
    fn table(&self) -> Text;
    /// Who is to act: 0, 1, or nobody when the game is over.
    fn turn(&self) -> Option<u8>;
    /// What the player to move is asked for.
    fn prompt(&self) -> Text;
    /// The moves of the player to move, in the game's order, with their values; of moves that are alike
    /// only one is listed.
    fn moves(&self) -> Vec<Move>;
    /// Plays what a person typed; says what happened.
    fn input(&mut self, text: &str) -> Result<Text, Refusal>;
    /// Plays the best move; says what happened.
    fn best(&mut self) -> Text;
    /// Takes back everything since this seat's last decision; false if there is none.
    fn undo(&mut self, seat: u8) -> bool;
    /// The mistakes of a seat.
    fn mistakes(&self, seat: u8) -> Vec<Mistake>;
    /// What is said of a record without mistakes.
    fn flawless(&self) -> Text {
        yomikiri_core::text("none: every move was best", "なし：すべて最善手")
    }
    /// The result in words, when the game is over.
    fn result(&self) -> Option<Text>;
    /// The result for a seat as a number, in the values people read.
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

/// A running game of any [`Tabletop`] with a solution.
pub struct Match<G: Tabletop, S> {
    game: G,
    solution: S,
    seed: u64,
    /// Values of the solution this close to the best count as best.
    tolerance: f64,
    /// Every state so far with the action that led on from it; the last has none.
    past: Vec<(G::State, G::Action)>,
    now: G::State,
    /// With the number of steps before it and the seat.
    mistakes: Vec<(usize, u8, Mistake)>,
}

/// An action that stands for those alike, with its value.
struct Valued<A> {
    action: A,
    value: Shown,
    best: bool,
}

impl<G: Tabletop, S: Solution<G>> Match<G, S> {
    /// A game from a state; chance follows the seed. Values of the solution within `tolerance` of the best
    /// are as good as the best.
    pub fn new(game: G, solution: S, start: G::State, seed: u64, tolerance: f64) -> Match<G, S> {
        let mut play =
            Match { game, solution, seed, tolerance, past: Vec::new(), now: start, mistakes: Vec::new() };
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

    /// The moves that have a value, one for all that are alike.
    fn valued(&self) -> Vec<Valued<G::Action>> {
        let values = self.solution.moves(&self.game, &self.now);
        let top =
            values.iter().filter_map(|m| m.1.as_ref()).map(Number::approx).fold(f64::NEG_INFINITY, f64::max);
        values
            .iter()
            .filter(|(a, _)| self.game.alike(&self.now, *a) == *a)
            .filter_map(|(action, value)| {
                let value = value.as_ref()?;
                let best = value.approx() >= top - self.tolerance;
                Some(Valued { action: *action, value: self.game.shown(value), best })
            })
            .collect()
    }

    /// The mistake that playing an action would be, if it would be one.
    fn mistake(&self, a: G::Action, seat: u8) -> Option<Mistake> {
        let moves = self.valued();
        let alike = self.game.alike(&self.now, a);
        let played = moves.iter().find(|m| m.action == alike).filter(|m| !m.best)?;
        let best = moves.iter().find(|m| m.best)?;
        Some(Mistake {
            decision: 1 + self.decisions(seat),
            played: self.game.name(&self.now, a).1,
            best: self.game.name(&self.now, best.action).1,
            lost: best.value.value - played.value.value,
        })
    }

    fn perform(&mut self, a: G::Action) -> Text {
        let seat = self.turn().unwrap_or(0);
        if let Some(mistake) = self.mistake(a, seat) {
            self.mistakes.push((self.past.len(), seat, mistake));
        }
        let mut said = vec![self.step(a)];
        said.extend(self.chance());
        said.retain(|t| !t.en.is_empty());
        Text::of(
            said.iter().map(|t| t.en.as_ref()).collect::<Vec<_>>().join("; "),
            said.iter().map(|t| t.ja.as_ref()).collect::<Vec<_>>().join("、"),
        )
    }

    fn decisions(&self, seat: u8) -> usize {
        self.past.iter().filter(|(s, _)| self.game.turn(s) == Turn::Player(seat)).count()
    }
}

impl<G: Tabletop, S: Solution<G>> Play for Match<G, S> {
    fn players(&self) -> usize {
        G::PLAYERS
    }

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
        let moves = self.valued().into_iter().map(|Valued { action, value, best }| {
            let (input, label) = self.game.name(&self.now, action);
            Move { input, label, value, best }
        });
        moves.collect()
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

    fn best(&mut self) -> Text {
        match self.valued().into_iter().find(|m| m.best) {
            Some(m) => self.perform(m.action),
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
        (self.game.turn(&self.now) == Turn::Terminal).then(|| {
            let utility = f64::from(self.game.utility(&self.now, seat));
            self.game.shown(&utility).value
        })
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
        json!({"seed": self.seed, "moves": moves, "mistakes": mistakes, "score": self.score(0), "result": self.result().map(|t| t.en)})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_core::{Canonical, Run, text};
    use yomikiri_solve::Solver;
    use yomikiri_solve::memo::{Memo, Memoised};

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

    fn heap(seed: u64) -> Match<Heap, Memoised<u8, f64>> {
        let solution = Solver::solve(&Memo::<f64>::new(), &Heap, &Run::default()).unwrap();
        Match::new(Heap, solution, Heap.start(), seed, 1e-12)
    }

    /// Everything a face can see.
    fn seen(play: &dyn Play) -> String {
        let mistakes = [play.mistakes(0), play.mistakes(1)];
        format!("{:?} {:?} {:?} {mistakes:?} {}", play.table(), play.turn(), play.moves(), play.record())
    }

    fn typed(random: &mut Random, play: &dyn Play) -> String {
        let moves = play.moves();
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
            play.record()
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
                let before = play.mistakes(seat).len();
                if random.below(2) == 0 {
                    play.best();
                    assert_eq!(play.mistakes(seat).len(), before);
                    continue;
                }
                let (moves, input) = (play.moves(), typed(&mut random, &play));
                let top = moves.iter().map(|m| m.value.value).fold(0.0, f64::max);
                let chosen = moves.iter().find(|m| input.ends_with(&m.input)).unwrap();
                play.input(&input).unwrap();
                let after = play.mistakes(seat);
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
    fn law_moves_that_are_alike_are_listed_once() {
        let play = heap(1);
        let inputs: Vec<String> = play.moves().into_iter().map(|m| m.input).collect();
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
            play.best();
        }
        let before = seen(&play);
        assert!(play.input("1").is_err_and(|r| r.accepts.en.contains("over")));
        assert!(play.best().en.is_empty() && play.moves().is_empty());
        assert_eq!(seen(&play), before);
        assert!(play.result().is_some());
        // In the values people read.
        assert_eq!(play.score(0).unwrap() + play.score(1).unwrap(), 100.0);
    }
}
