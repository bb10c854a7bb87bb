//! The rules of Memory for two players with perfect memory, on what matters of a position: for each
//! rank, how many of its cards are unknown and how many are known.

use std::sync::OnceLock;
use yomikiri_core::combin::Fillings;
use yomikiri_core::{Canonical, Game, Indexed, Refusal, Text, Turn, text};

/// Most ranks a game may have.
pub const MAX_RANKS: usize = 200;
/// Most cards a rank may have.
const MAX_COPIES: usize = 6;
/// Most patterns a rank can be in: those of six cards.
pub const MAX_PATTERNS: usize = 16;

/// What the players want.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Objective {
    /// To have more pairs in the end; a draw is half a win.
    Win,
    /// As many pairs more than the other as possible.
    Cards,
}

/// How many cards of a rank on the table are unknown and known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Cards nobody has seen.
    pub unknown: u8,
    /// Cards both players have seen.
    pub known: u8,
}

impl Pattern {
    /// Pairs the rank still has.
    pub fn pairs(self) -> usize {
        usize::from(self.unknown + self.known) / 2
    }

    /// Whether a known pair can be taken without giving anything up: what is left known still matches
    /// every unknown card.
    pub fn free_pair(self) -> bool {
        self.known >= self.unknown + 2
    }
}

/// Ranks by pattern, in the order of [`Memory::patterns`]; unused places are 0.
pub type Counts = [u8; MAX_PATTERNS];

/// The game with its parameters.
#[derive(Clone, Debug)]
pub struct Memory {
    ranks: usize,
    copies: usize,
    objective: Objective,
    /// Kept in place, so that a game costs nothing to make: every request of `eval` makes one.
    patterns: [Pattern; MAX_PATTERNS],
    kinds: usize,
    /// `place[unknown][known]` is the number of the pattern.
    place: [[u8; MAX_COPIES + 1]; MAX_COPIES + 1],
    /// The patterns with a known pair in the order moves are listed: most cards first, then most known.
    takes: [u8; MAX_PATTERNS],
    take_kinds: usize,
    fillings: OnceLock<Fillings>,
}

/// A position, possibly in the middle of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Ranks by pattern.
    pub counts: Counts,
    /// Pairs of the player to move minus pairs of the other.
    pub diff: i16,
    /// Whether the other player has just passed.
    pub passed: bool,
    /// The player to move.
    pub mover: u8,
    /// Where in the turn we are.
    pub phase: Phase,
}

/// The part of a turn. Patterns are those before the turned card is counted as known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The first card is to be chosen.
    First,
    /// An unknown card is being turned.
    Flip,
    /// It was of a rank in this pattern; the second card is to be chosen.
    Second(u8),
    /// A second unknown card is being turned.
    Pair(u8),
    /// Both players have passed.
    Over,
}

/// What a player or chance does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Takes a known pair of a rank in a pattern: a place in the list of takes.
    Take(u8),
    /// Turns an unknown card.
    Flip,
    /// Shows two known cards of different ranks.
    Pass,
    /// Second card: the known card of the same rank; the pair is taken.
    Same,
    /// Second card: a known card of another rank; nothing new is shown.
    Different,
    /// Second card: another unknown card.
    Unknown,
    /// Chance: the unknown card is of a rank in this pattern.
    Turned(u8),
    /// Chance: the second unknown card has the rank of the first.
    Match,
}

impl Memory {
    /// The game with so many ranks (1 to [`MAX_RANKS`]) of `copies` cards (2, 4 or 6).
    ///
    /// # Errors
    /// Other numbers are refused by the name of the field.
    pub fn new(ranks: usize, copies: usize, objective: Objective) -> Result<Memory, Refusal> {
        if !(1..=MAX_RANKS).contains(&ranks) {
            return Err(Refusal::new("ranks", ranks, Text::same(format!("1–{MAX_RANKS}"))));
        }
        if ![2, 4, 6].contains(&copies) {
            return Err(Refusal::new("copies", copies, Text::same("2, 4, 6")));
        }
        let mut patterns = [Pattern { unknown: 0, known: 0 }; MAX_PATTERNS];
        let mut takes = [0; MAX_PATTERNS];
        let mut place = [[0; MAX_COPIES + 1]; MAX_COPIES + 1];
        let (mut kinds, mut take_kinds) = (0, 0);
        for cards in (0..=copies).rev().step_by(2) {
            for known in 0..=cards {
                place[cards - known][known] = kinds as u8;
                patterns[kinds] = Pattern { unknown: (cards - known) as u8, known: known as u8 };
                kinds += 1;
            }
            for known in (2..=cards).rev() {
                takes[take_kinds] = place[cards - known][known];
                take_kinds += 1;
            }
        }
        let fillings = OnceLock::new();
        Ok(Memory { ranks, copies, objective, patterns, kinds, place, takes, take_kinds, fillings })
    }

    /// Ranks in the game.
    pub fn ranks(&self) -> usize {
        self.ranks
    }
    /// Cards a rank.
    pub fn copies(&self) -> usize {
        self.copies
    }
    /// What the players want.
    pub fn objective(&self) -> Objective {
        self.objective
    }
    /// The patterns a rank can be in: most cards first, then most unknown ones; the last is (0, 0).
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns[..self.kinds]
    }
    /// The number of a pattern; it must be one of this game.
    pub fn place(&self, unknown: u8, known: u8) -> u8 {
        self.place[usize::from(unknown)][usize::from(known)]
    }
    /// The numbers of the patterns with a known pair, in the order moves are listed.
    pub(super) fn takes(&self) -> impl Iterator<Item = u8> + '_ {
        self.takes[..self.take_kinds].iter().copied()
    }
    /// The pattern a take takes from.
    pub fn taken(&self, take: u8) -> Pattern {
        self.patterns[usize::from(self.takes[usize::from(take)])]
    }
    /// Pairs in the whole game.
    pub fn total_pairs(&self) -> usize {
        self.ranks * self.copies / 2
    }
    /// Unknown cards on the table.
    pub fn unknown(&self, counts: &Counts) -> usize {
        self.sum(counts, |p| usize::from(p.unknown))
    }
    /// Pairs on the table.
    pub fn remaining(&self, counts: &Counts) -> usize {
        self.sum(counts, Pattern::pairs)
    }
    /// Ranks with at least one known card.
    pub fn known_ranks(&self, counts: &Counts) -> usize {
        self.sum(counts, |p| usize::from(p.known > 0))
    }
    fn sum(&self, counts: &Counts, of: impl Fn(Pattern) -> usize) -> usize {
        self.patterns().iter().zip(counts).map(|(&p, &n)| of(p) * usize::from(n)).sum()
    }

    /// The counts with one rank moved from a pattern to another.
    fn moved(&self, counts: &Counts, from: u8, unknown: u8, known: u8) -> Counts {
        let mut counts = *counts;
        counts[usize::from(from)] -= 1;
        counts[usize::from(self.place(unknown, known))] += 1;
        counts
    }

    /// The start of a turn at these counts.
    pub fn position(&self, counts: Counts, diff: i16, passed: bool) -> State {
        State { counts, diff, passed, mover: 0, phase: Phase::First }
    }

    /// A position anyone may ask about, or what is wrong with it. The counts must add up to the ranks.
    ///
    /// # Errors
    /// What is wrong with it, by the name of the field.
    pub fn legal(&self, counts: Counts, diff: i64, passed: bool) -> Result<State, Refusal> {
        let ranks: usize = counts.iter().map(|&n| usize::from(n)).sum();
        if ranks != self.ranks {
            return Err(Refusal::new(
                "counts",
                ranks,
                Text::of(
                    format!("counts that add up to {} ranks", self.ranks),
                    format!("合計が{}ランク", self.ranks),
                ),
            ));
        }
        let gone = (self.total_pairs() - self.remaining(&counts)) as i64;
        if diff.unsigned_abs() > gone as u64 || (diff - gone) % 2 != 0 {
            let parity = if gone % 2 == 0 { ("even", "偶数") } else { ("odd", "奇数") };
            return Err(Refusal::new(
                "diff",
                diff,
                Text::of(
                    format!("{} numbers from {} to {gone}: {gone} pairs are gone", parity.0, -gone),
                    format!("{}～{gone}の{}（取られたペアは{gone}組）", -gone, parity.1),
                ),
            ));
        }
        if passed && self.known_ranks(&counts) < 2 {
            return Err(Refusal::new(
                "prev_pass",
                "true",
                text(
                    "true only where two ranks have known cards, because a pass shows two",
                    "trueは既知カードのあるランクが2つ以上のときだけ（パスは2枚を見せる）",
                ),
            ));
        }
        Ok(self.position(counts, diff as i16, passed))
    }

    /// Whether nothing that can still happen changes the result.
    fn decided(&self, s: &State) -> bool {
        let left = self.remaining(&s.counts);
        left == 0 || (self.objective == Objective::Win && usize::from(s.diff.unsigned_abs()) > left)
    }

    /// The turn goes to the other player.
    fn hand_over(&self, s: &State, counts: Counts, passed: bool) -> State {
        State { counts, diff: -s.diff, passed, mover: 1 - s.mover, phase: Phase::First }
    }

    /// The same player goes on, a pair richer.
    fn go_on(&self, s: &State, counts: Counts) -> State {
        State { counts, diff: s.diff + 1, passed: false, mover: s.mover, phase: Phase::First }
    }

    /// The largest difference a position with so many remaining pairs can have while it is undecided;
    /// every second one down to its negative can occur too. It is −1 if there is none.
    pub fn widest(&self, remaining: usize) -> i64 {
        let gone = (self.total_pairs() - remaining) as i64;
        let remaining = remaining as i64;
        match self.objective {
            Objective::Win if gone <= remaining => gone,
            // The difference has the parity of the pairs that are gone.
            Objective::Win => remaining - (gone - remaining) % 2,
            Objective::Cards => gone,
        }
    }

    fn fillings(&self) -> &Fillings {
        self.fillings.get_or_init(|| {
            let weights: Vec<(usize, usize)> = self.patterns[..self.kinds - 1]
                .iter()
                .map(|p| (usize::from(p.unknown), usize::from(p.known)))
                .collect();
            let most = self.ranks * self.copies;
            Fillings::new(&weights, (most, most), self.ranks)
        })
    }
}

impl Game for Memory {
    type State = State;
    type Action = Action;
    const PLAYERS: usize = 2;

    fn start(&self) -> State {
        let mut counts = [0; MAX_PATTERNS];
        counts[0] = self.ranks as u8;
        self.position(counts, 0, false)
    }

    fn turn(&self, s: &State) -> Turn {
        match s.phase {
            Phase::Over => Turn::Terminal,
            Phase::First if self.decided(s) => Turn::Terminal,
            Phase::First | Phase::Second(_) => Turn::Player(s.mover),
            Phase::Flip | Phase::Pair(_) => Turn::Chance,
        }
    }

    fn actions(&self, s: &State, out: &mut Vec<Action>) {
        match s.phase {
            Phase::First if !self.decided(s) => {
                for (take, &i) in self.takes[..self.take_kinds].iter().enumerate() {
                    if s.counts[usize::from(i)] > 0 {
                        out.push(Action::Take(take as u8));
                    }
                }
                if self.unknown(&s.counts) > 0 {
                    out.push(Action::Flip);
                }
                if self.known_ranks(&s.counts) >= 2 {
                    out.push(Action::Pass);
                }
            }
            Phase::Second(i) => {
                let known = self.patterns[usize::from(i)].known > 0;
                if known {
                    out.push(Action::Same);
                }
                if self.known_ranks(&s.counts) > usize::from(known) {
                    out.push(Action::Different);
                }
                if self.unknown(&s.counts) > 1 {
                    out.push(Action::Unknown);
                }
            }
            _ => {}
        }
    }

    fn chance(&self, s: &State, out: &mut Vec<(Action, u32)>) {
        let first = match s.phase {
            Phase::Flip => None,
            Phase::Pair(i) => Some(i),
            _ => return,
        };
        for (j, p) in self.patterns().iter().enumerate() {
            let ranks = u32::from(s.counts[j]) - u32::from(first == Some(j as u8));
            if ranks > 0 && p.unknown > 0 {
                out.push((Action::Turned(j as u8), ranks * u32::from(p.unknown)));
            }
        }
        if let Some(i) = first {
            let others = u32::from(self.patterns[usize::from(i)].unknown) - 1;
            if others > 0 {
                out.push((Action::Match, others));
            }
        }
    }

    fn apply(&self, s: &State, a: Action) -> State {
        let within = |phase| State { phase, ..s.clone() };
        let pattern = |i: u8| self.patterns[usize::from(i)];
        let shown = |counts: &Counts, i: u8| {
            let p = pattern(i);
            self.moved(counts, i, p.unknown - 1, p.known + 1)
        };
        match (s.phase, a) {
            (Phase::First, Action::Take(take)) => {
                let i = self.takes[usize::from(take)];
                let p = pattern(i);
                self.go_on(s, self.moved(&s.counts, i, p.unknown, p.known - 2))
            }
            (Phase::First, Action::Flip) => within(Phase::Flip),
            (Phase::First, Action::Pass) if s.passed => within(Phase::Over),
            (Phase::First, Action::Pass) => self.hand_over(s, s.counts, true),
            (Phase::Flip, Action::Turned(i)) => within(Phase::Second(i)),
            (Phase::Second(i), Action::Same) => {
                let p = pattern(i);
                self.go_on(s, self.moved(&s.counts, i, p.unknown - 1, p.known - 1))
            }
            (Phase::Second(i), Action::Different) => self.hand_over(s, shown(&s.counts, i), false),
            (Phase::Second(i), Action::Unknown) => within(Phase::Pair(i)),
            (Phase::Pair(i), Action::Match) => {
                let p = pattern(i);
                self.go_on(s, self.moved(&s.counts, i, p.unknown - 2, p.known))
            }
            (Phase::Pair(i), Action::Turned(j)) => self.hand_over(s, shown(&shown(&s.counts, i), j), false),
            // Not an action of this state: it stays as it is.
            _ => s.clone(),
        }
    }

    fn utility(&self, s: &State, player: u8) -> i32 {
        let diff = match self.objective {
            Objective::Win => i32::from(s.diff.signum()),
            Objective::Cards => i32::from(s.diff),
        };
        if player == s.mover { diff } else { -diff }
    }
}

/// What identifies a position for whoever is to move: counts, difference, pass flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    counts: u128,
    rest: i16,
}

impl Key {
    /// Bytes a key is stored in.
    pub const BYTES: usize = 18;

    /// As bytes, for the store.
    pub fn to_bytes(self) -> [u8; Key::BYTES] {
        let mut bytes = [0; Key::BYTES];
        bytes[..16].copy_from_slice(&self.counts.to_le_bytes());
        bytes[16..].copy_from_slice(&self.rest.to_le_bytes());
        bytes
    }

    /// From bytes that [`Key::to_bytes`] made.
    pub fn from_bytes(bytes: [u8; Key::BYTES]) -> Key {
        let (mut counts, mut rest) = ([0; 16], [0; 2]);
        counts.copy_from_slice(&bytes[..16]);
        rest.copy_from_slice(&bytes[16..]);
        Key { counts: u128::from_le_bytes(counts), rest: i16::from_le_bytes(rest) }
    }

    /// Whether it can be one of a game: all ranks are there, and nobody is ahead by more pairs than there are.
    pub fn belongs(self, game: &Memory) -> bool {
        let counts = self.counts.to_le_bytes();
        let ranks: usize = counts[..game.kinds].iter().map(|&n| usize::from(n)).sum();
        let most = game.total_pairs() as i32;
        ranks == game.ranks
            && counts[game.kinds..].iter().all(|&n| n == 0)
            && (-most..=most).contains(&i32::from(self.rest >> 1))
    }

    /// The position, with player 0 to move.
    pub fn state(self, game: &Memory) -> State {
        game.position(self.counts.to_le_bytes(), self.rest >> 1, self.rest & 1 == 1)
    }
}

impl Canonical for Memory {
    type Key = Key;

    fn key(&self, s: &State) -> Option<Key> {
        (s.phase == Phase::First)
            .then(|| Key { counts: u128::from_le_bytes(s.counts), rest: s.diff * 2 + i16::from(s.passed) })
    }

    /// The players are alike.
    fn symmetric(&self, s: &State, out: &mut Vec<State>) {
        out.push(State { mover: 1 - s.mover, ..s.clone() });
    }
}

/// Tiers by unknown cards, then by known cards: turning a card lowers the first, taking a known pair the
/// second. Positions after a pass are looked through.
impl Indexed for Memory {
    fn tiers(&self) -> u32 {
        let side = self.ranks * self.copies + 1;
        (side * side) as u32
    }

    fn len(&self, tier: u32) -> u64 {
        let side = self.ranks * self.copies + 1;
        let (unknown, known) = (tier as usize / side, tier as usize % side);
        let cards = unknown + known;
        if cards == 0 || cards >= side || !cards.is_multiple_of(2) {
            return 0;
        }
        self.fillings().len((unknown, known)) * (self.widest(cards / 2) + 1) as u64
    }

    fn index(&self, s: &State) -> Option<(u32, u64)> {
        if s.phase != Phase::First || s.passed || self.decided(s) {
            return None;
        }
        let unknown = self.unknown(&s.counts);
        let remaining = self.remaining(&s.counts);
        let tier = unknown * (self.ranks * self.copies + 1) + (2 * remaining - unknown);
        let mut counts = [0; MAX_PATTERNS];
        let kinds = self.kinds - 1;
        for (to, &from) in counts[..kinds].iter_mut().zip(&s.counts) {
            *to = usize::from(from);
        }
        let widest = self.widest(remaining);
        let row = ((i64::from(s.diff) + widest) / 2) as u64;
        Some((tier as u32, self.fillings().rank(&counts[..kinds]) * (widest + 1) as u64 + row))
    }

    fn state(&self, at: (u32, u64)) -> Option<State> {
        if at.1 >= self.len(at.0) {
            return None;
        }
        let side = self.ranks * self.copies + 1;
        let (unknown, known) = (at.0 as usize / side, at.0 as usize % side);
        let widest = self.widest((unknown + known) / 2);
        let rows = (widest + 1) as u64;
        let filled = self.fillings().unrank((unknown, known), at.1 / rows)?;
        let mut counts = [0; MAX_PATTERNS];
        for (to, from) in counts.iter_mut().zip(&filled) {
            *to = *from as u8;
        }
        counts[self.kinds - 1] = (self.ranks - filled.iter().sum::<usize>()) as u8;
        Some(self.position(counts, 2 * (at.1 % rows) as i16 - widest as i16, false))
    }
}
