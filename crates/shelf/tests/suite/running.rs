//! A running game of any family, on a small game with chance and with moves that are alike: what is played, taken back,
//! hinted and judged.

use crate::watched::Watched;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use yomikiri_core::cache::NoCache;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Refusal, Run, Text, Turn, text};
use yomikiri_games::about::{About, Primer};
use yomikiri_games::analyse::{Analyse, Valued};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::Family;
use yomikiri_games::params::Settings;
use yomikiri_games::play::Play;
use yomikiri_games::running::Match;
use yomikiri_solve::auto::Auto;
use yomikiri_view::analysis::{Analysis, Measure};
use yomikiri_view::scene::{Board, Move, Viewer};

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

impl Describe for Heap {
    fn parse(&self, given: &str) -> Result<Stones, Refusal> {
        let left = given.parse().ok().filter(|n| *n <= 20);
        let left = left.ok_or_else(|| Refusal::new("stones", given, Text::same("0–20")))?;
        Ok(Stones { left, mover: 0, die: false })
    }
    fn print(&self, s: &Stones) -> Option<String> {
        (!s.die).then(|| s.left.to_string())
    }
    fn action(&self, _: &Stones, a: Hand) -> Move {
        match a {
            Hand::Left(n) => Move::new(n.to_string(), text("take", "取る")),
            Hand::Right(n) => Move::new(format!("right {n}"), text("take with the right hand", "右手で取る")),
            Hand::Rolled(n) => Move::new(format!("-{n}"), text("roll", "さいころ")),
        }
    }
    fn board(&self, s: &Stones, past: &Past<Heap>, _: Viewer) -> Board {
        Board::written(format!("{} after {}", s.left, past.len()))
    }
    fn alike(&self, _: &Stones, a: Hand) -> Hand {
        if let Hand::Right(n) = a { Hand::Left(n) } else { a }
    }
    fn happened(&self, _: &Stones, a: Hand, after: &Stones) -> Text {
        match a {
            Hand::Rolled(0) => Text::same(""),
            _ => Text::same(format!("{} left", after.left)),
        }
    }
    fn measure(&self) -> Measure {
        Measure::WinRate
    }
    fn understand(&self, _: &Stones, typed: &str) -> Option<Hand> {
        match typed {
            "one" => Some(Hand::Left(1)),
            "nine" => Some(Hand::Left(9)),
            _ => None,
        }
    }
}

/// A solution that counts how often it is asked.
struct Known(Valued<Auto<Heap>>, Arc<AtomicUsize>);

impl Analyse<Heap> for Known {
    fn analyse(
        &self,
        game: &Heap,
        s: &Stones,
        viewer: Viewer,
        run: &Run<'_>,
    ) -> Result<Analysis<Hand>, Error> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.analyse(game, s, viewer, run)
    }
}

/// The game as it is registered, and how often its values were asked for.
struct Counted(Arc<AtomicUsize>);

static ABOUT: About = About {
    id: "heap",
    name: text("Heap", "山"),
    summary: text("a heap and a die", "山とさいころ"),
    rules: Primer::brief(text("take stones", "石を取る")),
    notation: text("stones", "石の数"),
    example: "5",
    eval: text("position", "position"),
    question: r#"{"position":"5"}"#,
    players: 2,
};

impl Family for Counted {
    type Game = Heap;
    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn game(&self, _: &Settings, _: u64) -> Result<Heap, Refusal> {
        Ok(Heap)
    }
    fn solver(
        &self,
        _: &Settings,
        game: &Heap,
        s: &Stones,
        run: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Heap>>, Error> {
        Ok(Box::new(Known(Valued(Auto::solve_from(game, s, run)?), self.0.clone())))
    }
}

fn counted(seed: u64) -> (Match<Counted>, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    // A family lives as long as the program.
    let family: &'static Counted = Box::leak(Box::new(Counted(asked.clone())));
    let settings = Settings::new(&[], []).unwrap();
    (Match::new(family, settings, Heap, Heap.start(), seed), asked)
}

fn heap(seed: u64) -> Match<Counted> {
    counted(seed).0
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
            let before: u32 = play.board(None).notation.parse().unwrap();
            play.input("1").unwrap();
            // What is gone besides the stone that was taken was rolled.
            let after: u32 = play.board(None).notation.parse().unwrap();
            step[(before - 1 - after) as usize] += 1;
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
            let top = moves.iter().map(|m| m.value.value.unwrap()).fold(0.0, f64::max);
            let chosen = moves.iter().find(|m| input.ends_with(&m.input)).unwrap();
            play.input(&input).unwrap();
            let after = play.mistakes(seat, &Run::default()).unwrap();
            assert_eq!(after.len() - before, usize::from(!chosen.best));
            if !chosen.best {
                assert!((after[before].lost - (top - chosen.value.value.unwrap())).abs() < 1e-9);
                assert_eq!(after[before].played.en.contains("right"), input.contains("right"));
                mistakes += 1;
            }
        }
    }
    assert!(mistakes > 50, "{mistakes}");
}

#[test]
fn law_mistakes_are_judged_when_asked_for_and_only_once() {
    let (mut play, count) = counted(4);
    while play.turn().is_some() {
        play.input("1").unwrap();
    }
    assert_eq!(count.load(Ordering::Relaxed), 0, "playing asks for no value");
    let once = play.mistakes(0, &Run::default()).unwrap();
    let asked = count.load(Ordering::Relaxed);
    assert!(asked > 0 && !once.is_empty());
    // Known judgements are told even if there is no time left.
    let late = AtomicBool::new(true);
    let late = Run { cancel: &late, ..Run::default() };
    assert_eq!(play.mistakes(0, &late).unwrap(), once);
    assert_eq!(count.load(Ordering::Relaxed), asked);
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
    // The move and the die.
    let board = play.board(None);
    assert_eq!(board.say.en, format!("{} after 2", board.notation));
    while play.turn().is_some() {
        play.best(&Run::default()).unwrap();
    }
    assert_eq!(play.scene(None, &Run::default()).unwrap().say, play.result().unwrap());
}

#[test]
fn law_moves_that_are_alike_are_listed_once() {
    let play = heap(1);
    let mut moves = play.moves(&Run::default()).unwrap();
    assert!(moves.is_sorted_by(|a, b| a.value.value >= b.value.value), "best first");
    moves.sort_by_key(|m| m.order);
    assert_eq!(moves.iter().map(|m| m.input.as_str()).collect::<Vec<_>>(), ["1", "2", "3"]);
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
        play.best(&Run::default()).unwrap().en.is_empty() && play.moves(&Run::default()).unwrap().is_empty()
    );
    assert_eq!(seen(&play), before);
    assert!(play.result().is_some());
    // In the values people read.
    assert_eq!(play.score(0).unwrap() + play.score(1).unwrap(), 1.0);
}

#[test]
fn law_a_game_that_is_put_aside_holds_nothing_that_was_solved() {
    for (game, given) in [
        ("memory", &[("ranks", "4")][..]),
        ("geister", &[]),
        ("sixtysix", &[("hand", "6"), ("deck", "4")]),
        ("accordion", &[]),
        ("nim", &[]),
    ] {
        let game = yomikiri_shelf::find(game).unwrap();
        let id = game.about().id;
        let settings = Settings::new(game.params(), given.iter().copied()).unwrap();
        let cache = Watched::new(NoCache);
        let run = Run { cache: &cache, ..Run::default() };
        let mut play = game.play(&settings, None, &run).unwrap();
        let before = cache.alive();
        // Twice: a game that was put aside is taken up again.
        for _ in 0..2 {
            play.best(&run).unwrap();
            play.scene(Some(0), &run).unwrap();
            play.moves(&run).unwrap();
            play.mistakes(0, &run).unwrap();
            assert!(cache.alive() > before, "{id}: nothing was solved through the cache");
            play.rest();
            assert_eq!(cache.alive(), before, "{id}: it holds what it has solved");
        }
    }
}
