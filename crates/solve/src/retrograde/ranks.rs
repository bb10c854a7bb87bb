//! The same analysis by several ranks: processes on one machine or many, each with a part of the table and nothing else of
//! it. What they do together are a few collective functions ([`Ranks`]); who carries the words is no business of this module.
//!
//! Places are dealt out in blocks, in turn. Of the positions at a distance each rank takes its own, takes their moves back,
//! and sends every update to the rank that has the place: four bytes each, in batches of bounded size. Updates of one distance
//! commute, so neither their order nor the number of ranks shows in the table.

use super::{Cut, DRAWN, Dealt, FARTHEST, GameValue, OPEN, code, read, too_far, value, write};
use std::cell::Cell;
use std::io::{self, Read, Write};
use std::iter::from_fn;
use std::sync::mpsc::{Receiver, Sender, channel};
use yomikiri_core::{Error, Retro, Run, Text, text};

/// What several ranks do together. Every rank calls the same functions in the same order.
pub trait Ranks {
    /// Which one this is, from 0.
    fn rank(&self) -> usize;
    /// How many there are.
    fn size(&self) -> usize;
    /// Sends `out[r]` to every other rank `r` and empties it, and takes in what they have sent. What is left in `out` of this
    /// rank itself stays. All flags of all ranks, together.
    fn exchange(&self, out: &mut [Vec<u32>], flags: u32, incoming: &mut Incoming) -> u32;

    /// The sum of a number over all ranks.
    fn sum(&self, n: u64) -> u64 {
        self.all(n).into_iter().fold(0, u64::wrapping_add)
    }

    /// The number that every rank has.
    fn all(&self, n: u64) -> Vec<u64> {
        let mut out = vec![vec![n as u32, (n >> 32) as u32]; self.size()];
        let mut incoming = Incoming::default();
        self.exchange(&mut out, 0, &mut incoming);
        let number = |words: &[u32]| match words {
            [low, high] => u64::from(*low) | u64::from(*high) << 32,
            _ => 0,
        };
        (0..self.size()).map(|r| if r == self.rank() { n } else { number(incoming.of(r)) }).collect()
    }
}

/// Words that came from other ranks.
#[derive(Default)]
pub struct Incoming {
    /// All of them, by who sent them.
    pub words: Vec<u32>,
    /// Where those of each rank begin, and where the last ones end.
    pub begin: Vec<usize>,
}

impl Incoming {
    /// What a rank has sent.
    pub fn of(&self, rank: usize) -> &[u32] {
        &self.words[self.begin[rank]..self.begin[rank + 1]]
    }
}

/// A rank that is a thread of this process.
pub struct ThreadRank {
    rank: usize,
    to: Vec<Sender<(u32, Vec<u32>)>>,
    from: Vec<Receiver<(u32, Vec<u32>)>>,
}

impl ThreadRank {
    /// So many ranks, one for each thread.
    pub fn several(size: usize) -> Vec<ThreadRank> {
        let mut ranks: Vec<ThreadRank> =
            (0..size).map(|rank| ThreadRank { rank, to: Vec::new(), from: Vec::new() }).collect();
        for from in 0..size {
            for to in 0..size {
                let (send, receive) = channel();
                // In the order of the loops: the lists are by rank.
                ranks[from].to.push(send);
                ranks[to].from.push(receive);
            }
        }
        ranks
    }
}

impl Ranks for ThreadRank {
    fn rank(&self) -> usize {
        self.rank
    }
    fn size(&self) -> usize {
        self.to.len()
    }
    fn exchange(&self, out: &mut [Vec<u32>], flags: u32, incoming: &mut Incoming) -> u32 {
        for (r, words) in out.iter_mut().enumerate().filter(|(r, _)| *r != self.rank) {
            // Whoever is gone has panicked; so shall we, below.
            let _ = self.to[r].send((flags, std::mem::take(words)));
        }
        incoming.words.clear();
        incoming.begin.clear();
        incoming.begin.push(0);
        let mut all = flags;
        for (r, from) in self.from.iter().enumerate() {
            if r != self.rank {
                let (flags, words) = from.recv().expect("a rank that is still there");
                all |= flags;
                incoming.words.extend(words);
            }
            incoming.begin.push(incoming.words.len());
        }
        all
    }
}

/// Somebody has words that did not fit this exchange.
const LEFT: u32 = 1;
/// Somebody has positions of this distance that are not worked through.
const MORE: u32 = 2;
/// It is time to keep the state.
const KEEP: u32 = 4;
/// Somebody is asked to stop.
const STOP: u32 = 8;
/// Somebody has failed.
const FAILED: u32 = 16;

/// Words that a rank sends or receives at once: 8 MiB.
const BATCH: usize = 1 << 21;
/// Bytes beside the table and its lists: what is found, sent, received and dealt out.
const BESIDE: u64 = 64 << 20;
/// Places of a rank that an update can name: two of its bits say what happened.
const WINDOW: u32 = 30;

/// Bytes that a rank needs at most for so many places in all.
pub fn memory(places: u64, ranks: usize) -> u64 {
    3 * places.div_ceil(ranks.max(1) as u64) + BESIDE
}

/// How places are dealt out, and how much is sent at once.
#[derive(Clone, Copy)]
struct Deal {
    places: u64,
    rank: u64,
    size: u64,
    /// Places of a block are neighbours: so many bits.
    block: u32,
    /// Bits of a place of this rank that go into an update.
    window: u32,
    batch: usize,
}

impl Deal {
    fn new(places: u64, ranks: &dyn Ranks) -> Deal {
        let (rank, size) = (ranks.rank() as u64, ranks.size() as u64);
        // Many blocks a rank, so that all have as many places and as much to do.
        let block = (places / (256 * size)).max(1).ilog2().min(14);
        Deal { places, rank, size, block, window: WINDOW, batch: BATCH }
    }

    /// How many places a rank has; the last block may be short.
    fn count(&self, rank: u64) -> u64 {
        let (blocks, rest) = (self.places >> self.block, self.places & ((1 << self.block) - 1));
        let own = blocks / self.size + u64::from(rank < blocks % self.size);
        (own << self.block) + if blocks % self.size == rank { rest } else { 0 }
    }

    /// The place that has a number at this rank.
    #[inline]
    fn place(&self, local: u64) -> u64 {
        let (block, within) = (local >> self.block, local & ((1 << self.block) - 1));
        ((block * self.size + self.rank) << self.block) | within
    }

    /// Which rank has a place, and as which number.
    #[inline]
    fn owner(&self, place: u64) -> (usize, u64) {
        let (block, within) = (place >> self.block, place & ((1 << self.block) - 1));
        // Blocks are fewer than 2³² in any table that fits a cluster, and narrow divisions are quick.
        let (own, rank) = match u32::try_from(block) {
            Ok(block) => (u64::from(block / self.size as u32), u64::from(block % self.size as u32)),
            Err(_) => (block / self.size, block % self.size),
        };
        (rank as usize, own << self.block | within)
    }

    fn windows(&self) -> usize {
        // The first rank has the most.
        ((self.count(0).max(1) - 1) >> self.window) as usize + 1
    }
}

/// The part of a table that a rank has.
pub struct Part {
    deal: Deal,
    slots: Vec<u16>,
    /// Words sent to other ranks.
    pub sent: u64,
    /// Exchanges.
    pub rounds: u64,
    /// The largest distance.
    pub farthest: u16,
}

/// What all ranks together have found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Places that player 0 wins, and player 1.
    pub won: [u64; 2],
    /// All other places: drawn, and the gaps of the index.
    pub rest: u64,
    /// The longest distance.
    pub farthest: u16,
    /// Bytes that were sent from one rank to another, in this run.
    pub sent: u64,
    /// Exchanges, in this run.
    pub rounds: u64,
}

/// Solves a game together with the other ranks. The state is kept under `name` in the store of each rank, every
/// [`Run::checkpoint`], so that the same number of ranks goes on where all of them were.
///
/// # Errors
/// [`Error::Memory`] before it starts; [`Error::Cancelled`] if any rank is asked to stop; [`Error::Store`] if any cannot keep
/// its part; [`Error::Refused`] if a position is too far from the end.
pub fn solve<G: Retro>(game: &G, name: &str, ranks: &dyn Ranks, run: &Run<'_>) -> Result<Part, Error> {
    solve_dealt(game, name, ranks, run, Deal::new(game.places(), ranks))
}

fn solve_dealt<G: Retro>(
    game: &G,
    name: &str,
    ranks: &dyn Ranks,
    run: &Run<'_>,
    deal: Deal,
) -> Result<Part, Error> {
    let fits = run.fits(memory(game.places(), ranks.size()));
    agree(ranks, fits)?;
    let mut analysis =
        Analysis { game, name, ranks, deal, state: State::default(), slots: Vec::new(), sent: 0, rounds: 0 };
    if analysis.load(run) {
        let distance = analysis.state.distance;
        run.observer
            .note(&Text::of(format!("resumed at distance {distance}"), format!("距離 {distance} から再開")));
    } else {
        let begun = analysis.begin(run);
        agree(ranks, begun)?;
    }
    analysis.finish(run)?;
    let Analysis { slots, sent, rounds, state, .. } = analysis;
    Ok(Part { deal, slots, sent, rounds, farthest: state.distance })
}

/// Fails where another rank has failed: with the own error, or with one that says so.
fn agree<T>(ranks: &dyn Ranks, done: Result<T, Error>) -> Result<T, Error> {
    let (failed, stopped) = (done.is_err(), matches!(done, Err(Error::Cancelled)));
    let all = ranks.all(u64::from(failed) | u64::from(stopped) << 1);
    let done = done?;
    if all.iter().any(|n| n & 2 != 0) {
        return Err(Error::Cancelled);
    }
    if all.iter().any(|n| n & 1 != 0) { Err(gone().into()) } else { Ok(done) }
}

/// What a rank fails with that only hears of another's failure.
fn gone() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionAborted, "another rank has failed")
}

/// Whether an error is only that of another rank, which says it itself.
pub fn elsewhere(error: &Error) -> bool {
    matches!(error, Error::Store(why) if why.kind() == io::ErrorKind::ConnectionAborted)
}

/// The positions of a distance.
enum Frontier {
    /// To be looked for in the table: cheaper than a list where there are many.
    Everywhere,
    /// Listed, ascending.
    Listed(Vec<u64>),
}

/// The places of what was listed part by part, each of them in order.
fn in_order(cut: Cut, fresh: &[Vec<u32>]) -> Vec<u64> {
    let parts = fresh.iter().enumerate();
    parts
        .flat_map(|(part, list)| list.iter().map(move |i| ((part as u64) << cut.shift) + u64::from(*i)))
        .collect()
}

/// What there is to know beside the slots. Between two rounds, positions of this rank at `distance` below `next` have been
/// worked through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct State {
    generation: u64,
    distance: u16,
    next: u64,
    /// Positions of this rank at distances up to the current one, and found at the next.
    decided: u64,
    found: u64,
}

struct Analysis<'a, G: Retro> {
    game: &'a G,
    name: &'a str,
    ranks: &'a dyn Ranks,
    deal: Deal,
    state: State,
    slots: Vec<u16>,
    sent: u64,
    rounds: u64,
}

impl<G: Retro> Analysis<'_, G> {
    /// Looks at every position of this rank once: who has won, and how many moves there are.
    fn begin(&mut self, run: &Run<'_>) -> Result<(), Error> {
        let count = self.deal.count(self.deal.rank);
        run.observer.begin(&text("looking at every position", "全局面の初期化"), count);
        self.state = State { generation: self.state.generation, ..State::default() };
        self.slots.clear();
        self.slots.reserve_exact(count as usize);
        let mut walk = self.game.walk();
        for local in 0..count {
            if local % (1 << 16) == 0 {
                run.check()?;
                run.observer.done(local);
            }
            let slot = super::first(self.game, walk(self.deal.place(local)));
            self.state.decided += u64::from(slot & OPEN == 0);
            self.slots.push(slot);
        }
        run.observer.end();
        Ok(())
    }

    /// Goes on to the end, all ranks distance by distance and round by round.
    fn finish(&mut self, run: &Run<'_>) -> Result<(), Error> {
        run.observer.begin(&text("taking moves back", "後退解析"), self.slots.len() as u64);
        let deal = self.deal;
        let windows = deal.windows();
        let cut = Cut::of(self.slots.len() as u64);
        let parts = self.slots.len().div_ceil(cut.len());
        let mut out: Vec<Vec<Vec<u32>>> = vec![vec![Vec::new(); self.ranks.size()]; windows];
        let mut dealt = Dealt::default();
        let mut incoming = Incoming::default();
        let mut frontier = Frontier::Everywhere;
        // A distance that is resumed in the middle does not list what was found before.
        let mut complete = self.state.next == 0;
        let mut checkpoints = run.checkpoints();
        loop {
            let mut fresh: Vec<Vec<u32>> = vec![Vec::new(); parts];
            let mut at = 0;
            loop {
                self.expand(&frontier, &mut at, &mut out);
                let mut wish = if self.state.next < self.slots.len() as u64 { MORE } else { 0 };
                // The clock of one rank is everybody's.
                if self.ranks.rank() == 0 && checkpoints.due() {
                    wish |= KEEP;
                }
                if run.check().is_err() {
                    wish |= STOP;
                }
                let all = self.deliver(&mut out, wish, &mut incoming, &mut dealt, cut, &mut fresh);
                run.observer.done(self.state.decided + self.state.found);
                if all & (KEEP | STOP) != 0 {
                    checkpoints.keep(|| self.save(run))?;
                }
                if all & STOP != 0 {
                    return Err(Error::Cancelled);
                }
                if all & MORE == 0 {
                    break;
                }
            }
            if self.ranks.sum(self.state.found) == 0 {
                break;
            }
            if self.state.distance == FARTHEST {
                return Err(too_far());
            }
            let listed: u64 = fresh.iter().map(|part| part.len() as u64).sum();
            frontier = if complete && listed == self.state.found {
                fresh.iter_mut().for_each(|part| part.sort_unstable());
                Frontier::Listed(in_order(cut, &fresh))
            } else {
                Frontier::Everywhere
            };
            complete = true;
            self.state.distance += 1;
            self.state.decided += self.state.found;
            (self.state.next, self.state.found) = (0, 0);
        }
        self.slots.iter_mut().filter(|slot| **slot & OPEN != 0).for_each(|slot| *slot = DRAWN);
        run.observer.end();
        Ok(())
    }

    /// Takes back the moves to the next positions of this distance, until there is enough to send or no position left.
    fn expand(&mut self, frontier: &Frontier, at: &mut usize, out: &mut [Vec<Vec<u32>>]) {
        let deal = self.deal;
        let end = self.slots.len() as u64;
        // What is dealt evenly then fits one exchange.
        let enough = deal.batch / 4 * 3;
        let wanted = code(1, self.state.distance);
        let within = (1u64 << deal.window) - 1;
        let Analysis { game, slots, state, .. } = self;
        let count = Cell::new(0);
        let won = from_fn(|| {
            while count.get() < enough && state.next < end {
                let local = match frontier {
                    Frontier::Everywhere => {
                        let from = state.next as usize;
                        // The two codes of a distance differ in their last bit.
                        match slots[from..].iter().position(|slot| slot | 1 == wanted) {
                            Some(i) => (from + i) as u64,
                            None => end,
                        }
                    }
                    Frontier::Listed(all) => {
                        let local = all.get(*at).copied().unwrap_or(end);
                        *at += 1;
                        local
                    }
                };
                state.next = end.min(local + 1);
                let slot = slots.get(local as usize).copied().unwrap_or(DRAWN);
                if let GameValue::Won { by, .. } = value(slot) {
                    return Some((deal.place(local), by));
                }
            }
            None
        });
        // The players take turns: whoever is not to move made the move.
        game.backward(won, |by, mover, before| {
            count.set(count.get() + 1);
            let (rank, local) = deal.owner(before);
            let bits = u32::from(by) << 1 | u32::from(by != mover);
            out[(local >> deal.window) as usize][rank].push(((local & within) as u32) << 2 | bits);
        });
    }

    /// Sends what was found to whom it belongs, in as many exchanges as it takes, and applies what belongs here.
    fn deliver(
        &mut self,
        out: &mut [Vec<Vec<u32>>],
        wish: u32,
        incoming: &mut Incoming,
        dealt: &mut Dealt,
        cut: Cut,
        fresh: &mut [Vec<u32>],
    ) -> u32 {
        let (me, most) = (self.ranks.rank(), (self.deal.batch / self.ranks.size()).max(1));
        let mut all = 0;
        for (window, out) in out.iter_mut().enumerate() {
            let base = (window as u64) << self.deal.window;
            let own = std::mem::take(&mut out[me]);
            self.apply(&own, base, dealt, cut, fresh);
            // Its room is used again.
            out[me] = own;
            out[me].clear();
            if self.ranks.size() == 1 {
                all |= wish;
                continue;
            }
            loop {
                let rest: Vec<Vec<u32>> = out
                    .iter_mut()
                    .map(|words| if words.len() > most { words.split_off(most) } else { Vec::new() })
                    .collect();
                let left = if rest.iter().any(|words| !words.is_empty()) { LEFT } else { 0 };
                self.sent += out.iter().map(|words| words.len() as u64).sum::<u64>();
                self.rounds += 1;
                let flags = self.ranks.exchange(out, wish | left, incoming);
                self.apply(&incoming.words, base, dealt, cut, fresh);
                all |= flags & !LEFT;
                for (words, rest) in out.iter_mut().zip(rest) {
                    if !rest.is_empty() {
                        *words = rest;
                    }
                }
                if flags & LEFT == 0 {
                    break;
                }
            }
        }
        all
    }

    /// Applies updates, part by part of the table so that memory is met in order; what is decided by it is listed as long as
    /// there is little of it.
    fn apply(&mut self, words: &[u32], base: u64, dealt: &mut Dealt, cut: Cut, fresh: &mut [Vec<u32>]) {
        if words.is_empty() {
            return;
        }
        let most = cut.len() / 64;
        let next = self.state.distance + 1;
        dealt.clear();
        words.iter().for_each(|word| dealt.add(cut, u64::from(word >> 2) + base, word & 3));
        dealt.deal(fresh.len());
        for (part, (slots, fresh)) in self.slots.chunks_mut(cut.len()).zip(fresh).enumerate() {
            let updates = dealt.of(part);
            self.state.found += updates
                .map(|u| {
                    super::update(slots, u, next, |at| {
                        if fresh.len() <= most {
                            fresh.push(at);
                        }
                    })
                })
                .sum::<u64>();
        }
    }

    fn place_of(&self, generation: u64) -> String {
        let (rank, size) = (self.ranks.rank(), self.ranks.size());
        format!("{}-rank{rank}of{size}-{}", self.name, generation % 2)
    }

    /// Keeps the state of this rank, in turn in two places: what all have kept before stays until all have kept this.
    fn save(&mut self, run: &Run<'_>) -> Result<(), Error> {
        self.state.generation += 1;
        let State { generation, distance, next, decided, found } = self.state;
        let head = [
            self.deal.places,
            u64::from(self.deal.block),
            generation,
            u64::from(distance),
            next,
            decided,
            found,
        ];
        let saved = run.store.save(&self.place_of(generation), &mut |out: &mut dyn Write| {
            head.iter().try_for_each(|n| out.write_all(&n.to_le_bytes()))?;
            write(&self.slots, out)
        });
        agree(self.ranks, saved.map_err(Error::from))
    }

    /// Takes over the last state that every rank has kept; false if there is none.
    fn load(&mut self, run: &Run<'_>) -> bool {
        let heads: Vec<State> =
            (0..2).filter_map(|g| self.head(&self.place_of(g), run)).map(|h| h.0).collect();
        let newest = heads.iter().map(|state| state.generation).max().unwrap_or(0);
        let all = self.ranks.all(newest);
        // Nobody has kept the one after next before all had kept this.
        let agreed = all.iter().copied().min().unwrap_or(0);
        // Beyond whatever is there, should it have to start over.
        self.state.generation = all.iter().copied().max().unwrap_or(0) + 1;
        let there = heads.iter().any(|state| state.generation == agreed);
        let loaded = if agreed > 0 && there { self.head(&self.place_of(agreed), run) } else { None };
        let loaded = loaded.filter(|(state, _)| state.generation == agreed).and_then(|(state, mut from)| {
            let count = self.deal.count(self.deal.rank);
            Some((state, read(count, &mut from)?))
        });
        // All of them or none.
        if self.ranks.sum(u64::from(loaded.is_none())) > 0 {
            return false;
        }
        if let Some((state, slots)) = loaded {
            (self.state, self.slots) = (state, slots);
        }
        true
    }

    fn head(&self, name: &str, run: &Run<'_>) -> Option<(State, Box<dyn Read>)> {
        let mut from = run.store.load(name)?;
        let mut head = [0u64; 7];
        for n in &mut head {
            let mut bytes = [0; 8];
            from.read_exact(&mut bytes).ok()?;
            *n = u64::from_le_bytes(bytes);
        }
        let [places, block, generation, distance, next, decided, found] = head;
        if (places, block) != (self.deal.places, u64::from(self.deal.block)) {
            return None;
        }
        let distance = u16::try_from(distance).ok().filter(|distance| *distance <= FARTHEST)?;
        Some((State { generation, distance, next, decided, found }, from))
    }
}

impl Part {
    /// What all ranks together have found.
    pub fn tally(&self, ranks: &dyn Ranks) -> Tally {
        let mut own = [0; 3];
        for slot in &self.slots {
            own[if *slot == DRAWN { 2 } else { usize::from(slot & 1) }] += 1;
        }
        let farthest = ranks.all(u64::from(self.farthest)).into_iter().max().unwrap_or(0) as u16;
        let [first, second, rest] = own.map(|n| ranks.sum(n));
        let (sent, rounds) = (4 * ranks.sum(self.sent), self.rounds);
        Tally { won: [first, second], rest, farthest, sent, rounds }
    }

    /// The value at a place, which every rank asks for.
    pub fn get(&self, place: u64, ranks: &dyn Ranks) -> GameValue {
        let (owner, local) = self.deal.owner(place);
        let own = owner == ranks.rank();
        value(ranks.sum(if own { u64::from(self.slots[local as usize]) } else { 0 }) as u16)
    }

    /// Brings the codes of all places to rank 0, which writes them to `out` in their order, in little-endian bytes; the others
    /// have none.
    ///
    /// # Errors
    /// What `out` fails with, at rank 0; that another rank has failed, at the others.
    pub fn collect(&self, ranks: &dyn Ranks, mut out: Option<&mut dyn Write>) -> io::Result<()> {
        let deal = self.deal;
        // So many blocks of each rank at once.
        let blocks = ((deal.batch / ranks.size()) >> deal.block).max(1) as u64;
        let step = blocks << deal.block;
        let mut to = vec![Vec::new(); ranks.size()];
        let mut incoming = Incoming::default();
        let mut failed = None;
        for from in (0..deal.count(0)).step_by(step as usize) {
            let slots = &self.slots
                [self.slots.len().min(from as usize)..self.slots.len().min((from + step) as usize)];
            if ranks.rank() != 0 {
                to[0] = slots
                    .chunks(2)
                    .map(|pair| u32::from(pair[0]) | u32::from(*pair.get(1).unwrap_or(&0)) << 16)
                    .collect();
            }
            let flags = ranks.exchange(&mut to, if failed.is_some() { FAILED } else { 0 }, &mut incoming);
            if flags & FAILED != 0 {
                break;
            }
            if let Some(out) = out.as_deref_mut() {
                let of = |rank: usize| -> Vec<u16> {
                    match rank {
                        0 => slots.to_vec(),
                        _ => incoming
                            .of(rank)
                            .iter()
                            .flat_map(|word| [*word as u16, (word >> 16) as u16])
                            .collect(),
                    }
                };
                let all: Vec<Vec<u16>> = (0..ranks.size()).map(of).collect();
                failed = deal.weave(from, &all, out).err();
            }
        }
        // A failure in the last step is not known yet.
        if ranks.sum(u64::from(failed.is_some())) == 0 {
            return Ok(());
        }
        Err(failed.unwrap_or_else(gone))
    }
}

impl Deal {
    /// Writes blocks of all ranks, from a number on, in the order of their places.
    fn weave(&self, from: u64, all: &[Vec<u16>], out: &mut dyn Write) -> io::Result<()> {
        let length = 1usize << self.block;
        let longest = all.iter().map(Vec::len).max().unwrap_or(0);
        for begin in (0..longest).step_by(length) {
            for (rank, slots) in all.iter().enumerate() {
                // An odd number of codes came with one more that is none.
                let count =
                    self.count(rank as u64).saturating_sub(from + begin as u64).min(length as u64) as usize;
                write(&slots[begin.min(slots.len())..(begin + count).min(slots.len())], out)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
