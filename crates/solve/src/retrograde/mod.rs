//! Retrograde analysis: win, loss or draw with distance for every position of a game with cycles.
//!
//! A position is two bytes from beginning to end. While it is undecided they count the moves that are not
//! yet known to be bad; once decided they hold the winner and the distance. The analysis goes through the
//! positions at distance 0, 1, 2, … and takes their moves back: who can move to a position won for them
//! wins, and who has no other move left loses. Every move is taken back once, so the time is proportional
//! to the number of moves.
//!
//! Updates are not applied where they are found: they are dealt into parts of the table that fit a cache,
//! and each part is then worked through by one thread. That needs no locks, keeps memory accesses
//! close together, and makes the result independent of the number of threads.

mod analysis;
pub mod ranks;

use crate::on_threads;
use analysis::Analysis;
use rayon::prelude::*;
use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use yomikiri_core::random::Random;
use yomikiri_core::{ByteSource, Error, Look, Refusal, Retro, Run, Text, Turn, text};

/// Set in the two bytes of an undecided position; the rest counts moves.
const OPEN: u16 = 0x8000;
/// A position nobody can win, in a finished table.
const DRAWN: u16 = 0;
/// The longest distance two bytes can hold.
const FARTHEST: u16 = 0x3ffe;
/// Tables of so many positions are worth keeping and resuming.
const LARGE: u64 = 1 << 24;
/// Positions looked at or checked at a time.
const BLOCK: u64 = 1 << 12;
/// Of these, so many are compared at once.
const CHUNK: usize = 32;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameValue {
    /// This player wins.
    Won {
        /// 0 or 1.
        by: u8,
        /// Moves to the end, the winner hurrying and the loser delaying.
        plies: u16,
    },
    /// Neither player can force a win.
    Drawn,
}

impl GameValue {
    /// What a position is worth whose successor has this value: one move more.
    pub fn before(self) -> GameValue {
        match self {
            GameValue::Won { by, plies } => GameValue::Won { by, plies: plies + 1 },
            GameValue::Drawn => GameValue::Drawn,
        }
    }

    /// How a player likes it: higher is better, winning soon and losing late.
    pub fn rank(self, player: u8) -> i32 {
        match self {
            GameValue::Won { by, plies } if by == player => 0x10000 - i32::from(plies),
            GameValue::Won { plies, .. } => i32::from(plies) - 0x10000,
            GameValue::Drawn => 0,
        }
    }
}

fn code(by: u8, plies: u16) -> u16 {
    (plies + 1) << 1 | u16::from(by)
}

fn value(code: u16) -> GameValue {
    match code {
        // 1 is the code of nothing: whoever finds it in a file must not stumble over it.
        DRAWN | 1 => GameValue::Drawn,
        _ => GameValue::Won { by: (code & 1) as u8, plies: (code >> 1) - 1 },
    }
}

/// Codes in little-endian bytes somewhere outside, such as in a file.
pub type Bytes = Arc<dyn ByteSource>;

/// A solved game, two bytes a position: 0 if drawn, else twice the distance plus one, plus who wins.
#[derive(Clone)]
pub struct ValueTable {
    slots: Slots,
}

#[derive(Clone)]
enum Slots {
    Here(Vec<u16>),
    Outside(Bytes),
}

impl ValueTable {
    fn here(slots: Vec<u16>) -> ValueTable {
        ValueTable { slots: Slots::Here(slots) }
    }

    /// The table that [`ValueTable::write`] has written. Bytes that no table has are drawn positions; [`verify`] finds them.
    /// So are those that cannot be read, of which the bytes tell ([`ByteSource::sound`]).
    pub fn outside(bytes: Bytes) -> ValueTable {
        ValueTable { slots: Slots::Outside(bytes) }
    }

    #[inline]
    fn code(&self, place: u64) -> u16 {
        match &self.slots {
            Slots::Here(slots) => slots[place as usize],
            Slots::Outside(bytes) => {
                let mut raw = [0; 2];
                bytes.read(2 * place, &mut raw);
                u16::from_le_bytes(raw)
            }
        }
    }

    /// The value at a place.
    #[inline]
    pub fn get(&self, place: u64) -> GameValue {
        value(self.code(place))
    }

    /// The number of places.
    pub fn places(&self) -> u64 {
        match &self.slots {
            Slots::Here(slots) => slots.len() as u64,
            Slots::Outside(bytes) => bytes.len() / 2,
        }
    }

    /// Fails if some of its bytes could not be read.
    ///
    /// # Errors
    /// As [`ByteSource::sound`].
    pub fn sound(&self) -> Result<(), Error> {
        match &self.slots {
            Slots::Here(_) => Ok(()),
            Slots::Outside(bytes) => bytes.sound(),
        }
    }

    /// Writes the codes of all places, in little-endian bytes.
    ///
    /// # Errors
    /// What `out` fails with.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.slots {
            Slots::Here(slots) => write(slots, out),
            Slots::Outside(_) => {
                for first in (0..self.places()).step_by(1 << 12) {
                    let codes = first..self.places().min(first + (1 << 12));
                    write(&codes.map(|place| self.code(place)).collect::<Vec<u16>>(), out)?;
                }
                Ok(())
            }
        }
    }

    /// The same table with another value at a place: tests of those who check tables, in other crates, need wrong
    /// ones.
    #[doc(hidden)]
    pub fn altered(self, place: u64, value: GameValue) -> ValueTable {
        let mut slots = match self.slots {
            Slots::Here(slots) => slots,
            Slots::Outside(_) => (0..self.places()).map(|place| self.code(place)).collect(),
        };
        slots[place as usize] = match value {
            GameValue::Drawn => DRAWN,
            GameValue::Won { by, plies } => code(by, plies),
        };
        ValueTable::here(slots)
    }
}

impl PartialEq for ValueTable {
    fn eq(&self, other: &ValueTable) -> bool {
        match (&self.slots, &other.slots) {
            (Slots::Here(a), Slots::Here(b)) => a == b,
            _ => {
                self.places() == other.places()
                    && (0..self.places()).all(|place| self.code(place) == other.code(place))
            }
        }
    }
}

impl Eq for ValueTable {}

impl fmt::Debug for ValueTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueTable").field("places", &self.places()).finish_non_exhaustive()
    }
}

/// Bytes an analysis of so many places takes at most, beside a few mebibytes a thread.
pub fn memory(places: u64) -> u64 {
    3 * places
}

/// Solves a game. A large one is kept under `name` while it goes on and when it is done, so that the next
/// run resumes or finds it.
///
/// ```
/// use yomikiri_core::{Game, Retro, Run, Turn};
/// use yomikiri_solve::retrograde::{GameValue, solve};
///
/// /// On a ring of six places players move one step either way, in turn; who reaches place 0 wins, and place 3 is
/// /// closed. A state is a place and who is to move.
/// struct Ring;
///
/// impl Ring {
///     fn steps(at: u64) -> impl Iterator<Item = u64> {
///         [(at + 1) % 6, (at + 5) % 6].into_iter().filter(|&to| to != 3)
///     }
/// }
///
/// impl Game for Ring {
///     type State = (u64, u8);
///     type Action = u64;
///     fn start(&self) -> (u64, u8) { (2, 0) }
///     fn turn(&self, s: &(u64, u8)) -> Turn { if s.0 == 0 { Turn::Terminal } else { Turn::Player(s.1) } }
///     fn actions(&self, s: &(u64, u8), out: &mut Vec<u64>) { out.extend(Ring::steps(s.0)) }
///     fn apply(&self, s: &(u64, u8), a: u64) -> (u64, u8) { (a, 1 - s.1) }
///     fn utility(&self, s: &(u64, u8), player: u8) -> i32 { if player == s.1 { -1 } else { 1 } }
/// }
///
/// impl Retro for Ring {
///     fn places(&self) -> u64 { 12 }
///     fn place(&self, s: &(u64, u8)) -> u64 { s.0 * 2 + u64::from(s.1) }
///     fn at(&self, place: u64) -> Option<(u64, u8)> { (place / 2 != 3).then_some((place / 2, place as u8 % 2)) }
///     fn mover(&self, s: &(u64, u8)) -> u8 { s.1 }
///     fn degree(&self, s: &(u64, u8)) -> u32 { Ring::steps(s.0).count() as u32 }
///     fn predecessors(&self, _: u64, s: &(u64, u8), out: &mut Vec<u64>) {
///         out.extend(Ring::steps(s.0).map(|from| self.place(&(from, 1 - s.1))));
///     }
/// }
///
/// let table = solve(&Ring, "ring", &Run::default())?;
/// assert_eq!(table.get(Ring.place(&(1, 0))), GameValue::Won { by: 0, plies: 1 });
/// assert_eq!(table.get(Ring.place(&(2, 0))), GameValue::Won { by: 1, plies: 2 });
/// # Ok::<(), yomikiri_core::Error>(())
/// ```
///
/// # Errors
/// [`Error::Memory`] before it starts, [`Error::Cancelled`], [`Error::Store`] if it cannot be kept, and
/// [`Error::Refused`] if a position is farther from the end than two bytes can say.
pub fn solve<G: Retro>(game: &G, name: &str, run: &Run<'_>) -> Result<ValueTable, Error> {
    solve_keeping(game, name, run, LARGE)
}

/// The same, keeping analyses of at least so many places.
fn solve_keeping<G: Retro>(game: &G, name: &str, run: &Run<'_>, large: u64) -> Result<ValueTable, Error> {
    run.fits(memory(game.places()))?;
    on_threads(run, || {
        let keep = game.places() >= large;
        let kept = if keep { Analysis::load(game, name, run) } else { None };
        let mut analysis = match kept {
            Some(analysis) if analysis.finished => return Ok(ValueTable::here(analysis.slots)),
            Some(analysis) => {
                let note = Text::of(
                    format!("resumed at distance {}", analysis.distance),
                    format!("距離 {} から再開", analysis.distance),
                );
                run.observer.note(&note);
                analysis
            }
            None => Analysis::begin(game, run)?,
        };
        let done = analysis.finish(run, if keep { Some(name) } else { None });
        if keep && matches!(done, Ok(()) | Err(Error::Cancelled)) {
            analysis.save(name, run)?;
        }
        done.map(|()| ValueTable::here(analysis.slots))
    })?
}

/// How the table is cut up: parts whose length is a power of two.
#[derive(Clone, Copy)]
struct Cut {
    shift: u32,
}

impl Cut {
    fn of(places: u64) -> Cut {
        // About 64 parts so that threads share evenly, each at most half a mebibyte so that it fits a
        // cache, but no more than 1,024: each is a place that updates are written to in turn.
        let even = places.div_ceil(64).next_power_of_two().trailing_zeros().clamp(8, 18);
        let few = places.div_ceil(1024).next_power_of_two().trailing_zeros();
        Cut { shift: even.max(few) }
    }
    fn len(self) -> usize {
        1 << self.shift
    }
    /// The length of the blocks in which positions of a distance are counted: a part is one or several of them.
    fn block(self) -> usize {
        1 << self.shift.min(10)
    }
}

/// The updates one task found: each an offset in a part of the table with two bits, who wins and whether it is the mover
/// there.
#[derive(Clone, Default)]
struct Dealt {
    /// As they were found.
    found: Vec<u32>,
    /// The part of the last one.
    part: u32,
    /// Neighbours of one part: the part and where they begin.
    runs: Vec<(u32, u32)>,
    /// The runs of each part, one part after the other: where they begin and end.
    dealt: Vec<(u32, u32)>,
    /// Where the runs of each part begin, and where the last ones end.
    begin: Vec<u32>,
}

impl Dealt {
    /// Makes room for others.
    fn clear(&mut self) {
        self.found.clear();
        self.runs.clear();
    }

    /// One more update.
    #[inline]
    fn add(&mut self, cut: Cut, place: u64, bits: u32) {
        let part = (place >> cut.shift) as u32;
        if part != self.part || self.runs.is_empty() {
            self.part = part;
            self.runs.push((part, self.found.len() as u32));
        }
        self.found.push(((place & ((1 << cut.shift) - 1)) as u32) << 2 | bits);
    }

    /// Deals them out to the parts. What was found together is dealt together: neighbours mostly come from neighbours, so that
    /// there are far fewer runs than updates.
    fn deal(&mut self, parts: usize) {
        self.begin.clear();
        self.begin.resize(parts + 2, 0);
        // Counted two further on, so that filling leaves each beginning where it belongs.
        self.runs.iter().for_each(|run| self.begin[run.0 as usize + 2] += 1);
        (2..parts + 2).for_each(|i| self.begin[i] += self.begin[i - 1]);
        self.dealt.clear();
        self.dealt.resize(self.runs.len(), (0, 0));
        let mut end = self.found.len() as u32;
        // Backwards each end is known; the order within a part does not matter.
        for &(part, begin) in self.runs.iter().rev() {
            let next = &mut self.begin[part as usize + 1];
            self.dealt[*next as usize] = (begin, end);
            *next += 1;
            end = begin;
        }
    }

    /// The updates of a part.
    fn of(&self, part: usize) -> impl Iterator<Item = &[u32]> {
        let runs = &self.dealt[self.begin[part] as usize..self.begin[part + 1] as usize];
        runs.iter().map(|&(begin, end)| &self.found[begin as usize..end as usize])
    }
}

/// What is known of what is at a place before any move is taken back: who has won, or how many moves there are.
#[inline]
fn first<G: Retro>(game: &G, at: Option<G::State>) -> u16 {
    match at {
        // A gap: nothing leads there.
        None => OPEN,
        Some(s) => match game.look(&s) {
            Look::Over(0) => OPEN,
            Look::Over(won) => code(u8::from(won < 0), 0),
            Look::Open(moves) => OPEN | moves as u16,
        },
    }
}

/// Applies the updates of a part of the table; how many positions are decided by it, at distance `next`. Each of them is told.
#[inline]
fn update(slots: &mut [u16], updates: &[u32], next: u16, mut decided: impl FnMut(u32)) -> u64 {
    let mut found = 0;
    for &update in updates {
        let slot = &mut slots[(update >> 2) as usize];
        let open = *slot >> 15;
        // A bad move is one fewer. Only what decides a position is worth a branch: the others come as they like.
        let left = *slot - (open & !(update as u16) & 1);
        *slot = left;
        if open & u16::from(update & 1 != 0 || left == OPEN) != 0 {
            *slot = code((update >> 1 & 1) as u8, next);
            found += 1;
            decided(update >> 2);
        }
    }
    found
}

fn too_far() -> Error {
    let got = text("a position farther from the end", "それより遠い局面");
    let accepts = Text::of(format!("distances up to {FARTHEST}"), format!("{FARTHEST}までの距離"));
    Refusal::of("distance", got, accepts).into()
}

fn write(slots: &[u16], out: &mut dyn Write) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(1 << 16);
    for chunk in slots.chunks(1 << 15) {
        bytes.clear();
        bytes.extend(chunk.iter().flat_map(|slot| slot.to_le_bytes()));
        out.write_all(&bytes)?;
    }
    Ok(())
}

fn read(places: u64, from: &mut dyn Read) -> Option<Vec<u16>> {
    let mut slots = vec![0; places as usize];
    let mut bytes = vec![0; 1 << 16];
    for chunk in slots.chunks_mut(1 << 15) {
        let bytes = &mut bytes[..2 * chunk.len()];
        from.read_exact(bytes).ok()?;
        for (slot, pair) in chunk.iter_mut().zip(bytes.chunks_exact(2)) {
            *slot = u16::from_le_bytes([pair[0], pair[1]]);
        }
    }
    Some(slots)
}

/// A position whose value does not follow from the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The place in the table.
    pub place: u64,
    /// What the table says.
    pub table: GameValue,
    /// What follows from the rules and from what the table says of its successors.
    pub rules: GameValue,
}

/// Checks a finished table position by position with the forward rules alone; the first that is wrong, if
/// any. A table in which every value follows from those of the successors is right everywhere: by
/// induction over the true distance every win is there with its distance, and what is left is drawn.
///
/// # Errors
/// [`Error::Cancelled`], [`Error::Threads`].
pub fn verify<G: Retro>(game: &G, table: &ValueTable, run: &Run<'_>) -> Result<Option<Wrong>, Error> {
    verify_at(game, table, table.places(), &|i| i, run)
}

/// Checks so many places drawn by the seed of the run, in the same way; the first in the order of the draws.
///
/// # Errors
/// The same as [`verify`].
pub fn verify_some<G: Retro>(
    game: &G,
    table: &ValueTable,
    draws: u64,
    run: &Run<'_>,
) -> Result<Option<Wrong>, Error> {
    let places = table.places();
    let draws = if places == 0 { 0 } else { draws };
    verify_at(game, table, draws, &|i| Random::stream(run.seed, i).below(places), run)
}

fn verify_at<G: Retro>(
    game: &G,
    table: &ValueTable,
    count: u64,
    nth: &(dyn Fn(u64) -> u64 + Sync),
    run: &Run<'_>,
) -> Result<Option<Wrong>, Error> {
    run.observer.begin(&text("checking every position", "全局面の検証"), count);
    let done = AtomicU64::new(0);
    let blocks = count.div_ceil(BLOCK);
    let wrong = on_threads(run, || {
        // The first of all, whatever the number of threads: later blocks are not looked at once one is found.
        let first = AtomicU64::new(u64::MAX);
        let found: Result<Vec<Option<Wrong>>, Error> = (0..blocks)
            .into_par_iter()
            .map(|block| {
                run.check()?;
                if block > first.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let (from, to) = (block * BLOCK, count.min((block + 1) * BLOCK));
                let mut walk = game.walk();
                let wrong = (from..to).find_map(|i| {
                    let place = nth(i);
                    wrong_at(game, table, place, walk(place))
                });
                if wrong.is_some() {
                    first.fetch_min(block, Ordering::Relaxed);
                }
                run.observer.done(done.fetch_add(to - from, Ordering::Relaxed) + to - from);
                Ok(wrong)
            })
            .collect();
        found.map(|found| found.into_iter().flatten().next())
    })??;
    run.observer.end();
    Ok(wrong)
}

fn wrong_at<G: Retro>(game: &G, table: &ValueTable, place: u64, at: Option<G::State>) -> Option<Wrong> {
    let rules = match at {
        None => GameValue::Drawn,
        Some(s) => by_rules(game, &s, |place| table.get(place)),
    };
    let right = match rules {
        GameValue::Drawn => table.code(place) == DRAWN,
        GameValue::Won { by, plies } => plies <= FARTHEST && table.code(place) == code(by, plies),
    };
    (!right).then(|| Wrong { place, table: table.get(place), rules })
}

/// What follows for a state from the values of its successors.
fn by_rules<G: Retro>(game: &G, s: &G::State, of: impl Fn(u64) -> GameValue) -> GameValue {
    match game.turn(s) {
        Turn::Player(mover) => {
            let after =
                crate::solution::actions(game, s).into_iter().map(|a| of(game.place(&game.apply(s, a))));
            after.map(GameValue::before).max_by_key(|v| v.rank(mover)).unwrap_or(GameValue::Drawn)
        }
        _ => match game.utility(s, 0) {
            0 => GameValue::Drawn,
            won => GameValue::Won { by: u8::from(won < 0), plies: 0 },
        },
    }
}

#[cfg(test)]
mod tests;
