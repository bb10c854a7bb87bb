//! The laws of the analysis and of the verifier, on random graphs.

use super::*;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use yomikiri_core::run::Store;
use yomikiri_core::{Game, Observer};

/// A walk on a random graph: even places belong to player 0, and edges go between even and odd ones.
pub(super) struct Walk {
    next: Vec<Vec<u64>>,
    before: Vec<Vec<u64>>,
    /// Where the walk ends, and for whom.
    end: Vec<Option<i32>>,
}

impl Walk {
    pub(super) fn new(places: u64, seed: u64) -> Walk {
        let mut random = Random::new(seed);
        let mut walk = Walk {
            next: vec![Vec::new(); places as usize],
            before: vec![Vec::new(); places as usize],
            end: vec![None; places as usize],
        };
        for from in 0..places {
            if random.below(8) == 0 {
                walk.end[from as usize] = Some(random.below(3) as i32 - 1);
                continue;
            }
            for _ in 0..random.below(4) {
                let to = random.below(places / 2) * 2 + 1 - from % 2;
                if to < places && !walk.next[from as usize].contains(&to) {
                    walk.next[from as usize].push(to);
                    walk.before[to as usize].push(from);
                }
            }
            walk.next[from as usize].sort_unstable();
        }
        walk
    }
}

impl Game for Walk {
    type State = u64;
    type Action = u64;
    fn start(&self) -> u64 {
        0
    }
    fn turn(&self, s: &u64) -> Turn {
        let over = self.end[*s as usize].is_some() || self.next[*s as usize].is_empty();
        if over { Turn::Terminal } else { Turn::Player((s % 2) as u8) }
    }
    fn actions(&self, s: &u64, out: &mut Vec<u64>) {
        out.extend(&self.next[*s as usize]);
    }
    fn apply(&self, _: &u64, a: u64) -> u64 {
        a
    }
    fn utility(&self, s: &u64, player: u8) -> i32 {
        let first = self.end[*s as usize].unwrap_or(0);
        if player == 0 { first } else { -first }
    }
}

impl Retro for Walk {
    fn places(&self) -> u64 {
        self.next.len() as u64
    }
    fn place(&self, s: &u64) -> u64 {
        *s
    }
    fn at(&self, place: u64) -> Option<u64> {
        (place < self.places()).then_some(place)
    }
    fn mover(&self, s: &u64) -> u8 {
        (s % 2) as u8
    }
    fn degree(&self, s: &u64) -> u32 {
        self.next[*s as usize].len() as u32
    }
    fn predecessors(&self, _: u64, s: &u64, out: &mut Vec<u64>) {
        out.extend(&self.before[*s as usize]);
    }
}

/// The definition, distance by distance, looking at every position each time.
fn plain(game: &Walk) -> Vec<GameValue> {
    let mut all: Vec<GameValue> = (0..game.places())
        .map(|s| match game.end[s as usize] {
            Some(won) if won != 0 => GameValue::Won { by: u8::from(won < 0), plies: 0 },
            _ => GameValue::Drawn,
        })
        .collect();
    for plies in 1..=game.places() as u16 {
        let before = all.clone();
        let won = |s: u64, by: u8| matches!(before[s as usize], GameValue::Won { by: b, .. } if b == by);
        for s in 0..game.places() {
            let Turn::Player(me) = game.turn(&s) else { continue };
            let next = &game.next[s as usize];
            if before[s as usize] != GameValue::Drawn {
                continue;
            }
            if next.iter().any(|t| won(*t, me)) {
                all[s as usize] = GameValue::Won { by: me, plies };
            } else if next.iter().all(|t| won(*t, 1 - me)) {
                all[s as usize] = GameValue::Won { by: 1 - me, plies };
            }
        }
    }
    all
}

#[test]
fn law_the_analysis_is_the_definition() {
    let (mut wins, mut draws, mut longest) = (0, 0, 0);
    for seed in 0..60 {
        let walk = Walk::new(2 + 7 * seed, seed);
        let table = solve(&walk, "walk", &Run::default()).unwrap();
        for (place, expected) in plain(&walk).into_iter().enumerate() {
            assert_eq!(table.get(place as u64), expected, "seed {seed}, place {place}");
            match expected {
                GameValue::Won { plies, .. } => (wins, longest) = (wins + 1, plies.max(longest)),
                GameValue::Drawn => draws += 1,
            }
        }
    }
    assert!(wins > 1000 && draws > 1000 && longest > 5, "{wins} {draws} {longest}");
}

#[test]
fn law_threads_do_not_matter() {
    let walk = Walk::new(300_000, 7);
    let one = solve(&walk, "walk", &Run::default()).unwrap();
    for threads in [2, 3, 8] {
        assert!(one == solve(&walk, "walk", &Run { threads, ..Run::default() }).unwrap());
    }
}

#[test]
fn law_every_wrong_value_is_found_and_named() {
    let walk = Walk::new(500, 3);
    let run = Run { threads: 2, ..Run::default() };
    let table = solve(&walk, "walk", &run).unwrap();
    assert_eq!(verify(&walk, &table, &run).unwrap(), None);
    for place in 0..walk.places() {
        let right = table.get(place);
        let wrong = [
            GameValue::Drawn,
            GameValue::Won { by: 0, plies: 3 },
            GameValue::Won { by: 1, plies: 300 },
            right.before(),
        ];
        for wrong in wrong.into_iter().filter(|w| *w != right) {
            let altered = table.clone().altered(place, wrong);
            let found = verify(&walk, &altered, &run).unwrap().expect("it is wrong");
            // A position that relies on the altered one may come before it.
            assert!(found.place <= place);
            assert_eq!(found.table, altered.get(found.place));
            assert_ne!(found.table, found.rules);
        }
    }
}

/// Keeps things in memory, and stops the run when so many steps have been told.
#[derive(Default)]
pub(super) struct Desk {
    pub(super) kept: Mutex<HashMap<String, Vec<u8>>>,
    pub(super) left: AtomicU64,
    pub(super) cancel: AtomicBool,
}

impl Store for Desk {
    fn load(&self, name: &str) -> Option<Box<dyn Read>> {
        Some(Box::new(io::Cursor::new(self.kept.lock().unwrap().get(name)?.clone())))
    }
    fn save(&self, name: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        self.kept.lock().unwrap().insert(name.to_owned(), bytes);
        Ok(())
    }
    fn remove(&self, name: &str) {
        self.kept.lock().unwrap().remove(name);
    }
}

impl Observer for Desk {
    fn begin(&self, _: &Text, _: u64) {}
    fn done(&self, _: u64) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 0 {
            self.cancel.store(true, Ordering::Relaxed);
        }
    }
    fn end(&self) {}
    fn note(&self, _: &Text) {}
}

#[test]
fn law_an_interrupted_analysis_goes_on_to_the_same_table() {
    let walk = Walk::new(20_000, 11);
    let whole = solve(&walk, "walk", &Run::default()).unwrap();
    let calm = Desk::default();
    calm.left.store(u64::MAX, Ordering::Relaxed);
    solve(&walk, "walk", &Run { observer: &calm, ..Run::default() }).unwrap();
    let told = u64::MAX - calm.left.load(Ordering::Relaxed);
    for patience in (told / 2..told - 1).step_by(3) {
        let desk = Desk::default();
        let mut stops = 0;
        let table = loop {
            // Patience grows, so that the first look at all positions ends some day.
            desk.left.store(patience + 3 * stops, Ordering::Relaxed);
            desk.cancel.store(false, Ordering::Relaxed);
            let run =
                Run { observer: &desk, store: &desk, cancel: &desk.cancel, threads: 2, ..Run::default() };
            match solve_keeping(&walk, "walk", &run, 0) {
                Ok(table) => break table,
                Err(Error::Cancelled) => stops += 1,
                Err(e) => panic!("{e}"),
            }
        };
        assert!(table == whole, "patience {patience}, {stops} stops");
        assert!(stops > 0);
        // What is kept now is the finished table.
        desk.left.store(u64::MAX, Ordering::Relaxed);
        let run = Run { observer: &desk, store: &desk, ..Run::default() };
        assert!(solve_keeping(&walk, "walk", &run, 0).unwrap() == whole);
        // Another game's table is not taken for this one's.
        let other = Walk::new(10_000, 11);
        assert_eq!(solve_keeping(&other, "walk", &run, 0).unwrap().places(), 10_000);
    }
}

#[test]
fn law_what_does_not_fit_is_said_first() {
    let walk = Walk::new(1000, 1);
    let run = Run { memory: 2999, ..Run::default() };
    assert!(matches!(solve(&walk, "walk", &run), Err(Error::Memory { need: 3000, limit: 2999 })));
}
