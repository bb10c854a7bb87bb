//! A proof checker for bounds on the value of Mini-Geister, blue-blue-red against blue-red.
//!
//! A certificate is a finite list of entries. This crate accepts it only if every entry follows from the entries
//! it uses, and then says what entry 0 proves. It shares no code with the solvers: the moves ([`board`]), the
//! arithmetic ([`number`]) and the conditions ([`upper`], [`lower`], [`lottery`], [`cycle`]) are written from the
//! rules and can be read in one sitting. `docs/certificates.md` has the format and the conditions in full.
//!
//! # Why accepted means proved
//! P1 has three pieces (two, once one is taken), P2 two; a type says which piece is red. An *upper* entry
//! (position, q, β) claims: **P2 has a strategy such that, its type drawn from q, type i of P1 gets at most β_i on
//! average, whatever P1 does.** P2 plays as follows. It keeps a current entry, at first the one claimed. With P2 to
//! move, the entry has a lottery over moves and next entries; with P1 to move, one for each of P1's quiet moves.
//! The lottery's weights are w_u and its beliefs average to q, so P2, being of type j, may go to u with probability
//! w_u·q_u(j)/q(j): these add up to 1. Then u comes up with probability w_u on average over j, and given u (and
//! all of the past) P2's type has law q_u, by Bayes' rule. P1's own doings cannot change that, since P1 does not
//! know j. So for a fixed type i and any strategy of P1, β_i of the current entry, replaced by the payoff once the
//! game has ended, does not rise on average: the lottery gives at most β, and P1's takes and exits, which end the
//! game, were compared with β directly. It is bounded, so it converges and its limit is at most β_i on average.
//!
//! *Endless play* is worth 0, and the limit has to be at least that. Entries with a negative component form no
//! circle along the uses, so an endless play comes to entries without any again and again, where β_i ≥ 0. Hence
//! the limit is at least 0. Without this condition shuffling for ever would "prove" −1. All entries are checked,
//! used or not, and so are circles that entry 0 does not reach.
//!
//! A *lower* entry (position, p, α) claims the same for P1, with p over P1's types and α_j against type j of P2;
//! all inequalities and signs turn round. The one difference: P2 may take one of three pieces. With probability
//! p_k it was red and P1 has won; otherwise the play goes on with p conditioned on "not k".
//!
//! # What entry 0 proves
//! Each side chooses the law of its own colours. In an upper file q is P2's choice, so P2 may as well choose it:
//! then P1, whatever its type and so whatever its law, gets at most the largest β_i. **The value is at most
//! max β_i.** In a lower file p is P1's choice, P2's type is P2's: **the value is at least min α_j.** It speaks of
//! the start only if entry 0 is the start, see [`Proved::start`].
//!
//! # Mirror images
//! Left and right may change places: exits, steps and payoffs do not care. So a child may be the mirror image of the
//! position after the move; its components are permuted as the pieces are. A child that is its own mirror image
//! can be read both ways, and both readings are true; a lottery is accepted if it holds with all such children as
//! they stand or with all of them mirrored.

pub mod board;
pub mod cycle;
pub mod input;
pub mod lottery;
pub mod lower;
pub mod number;
pub mod parse;
pub mod reason;
pub mod upper;

use board::{Place, Player};
use input::{Lines, Next};
use lottery::Stop;
use num_bigint::BigInt;
pub use num_rational::BigRational;
use num_traits::Signed;
use parse::{Certificate, Header};
pub use reason::{Error, Reason, Rejection, Unreadable};
use std::io::Read;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What kind of bound a file proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The value is at most the bound.
    Upper,
    /// The value is at least the bound.
    Lower,
}

/// Who moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// The side with two pieces, P2.
    Two,
    /// The side with three pieces, P1 (even where it has only two left).
    Three,
}

impl First {
    /// All there are.
    pub const ALL: [First; 2] = [First::Two, First::Three];

    /// The word for what is proved if this side moves first.
    pub fn id(self) -> &'static str {
        match self {
            First::Two => "two-first",
            First::Three => "three-first",
        }
    }
}

/// A text in both languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// In English.
    pub en: &'static str,
    /// In Japanese.
    pub ja: &'static str,
}

/// The words for everything a certificate can be about.
pub fn subjects() -> impl Iterator<Item = &'static str> {
    First::ALL.into_iter().map(First::id)
}

/// What an accepted file proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// Whether the bound is from above or below.
    pub side: Side,
    /// Who is to move in entry 0.
    pub first: First,
    /// The bound on the value for P1, the side with three pieces.
    pub bound: BigRational,
    /// How many entries were checked.
    pub entries: u64,
    /// How many uses they have.
    pub uses: u64,
    /// Whether entry 0 is the start position; if not, nothing is proved on the start.
    pub start: bool,
}

impl Proved {
    /// The word for what it is about, one of [`subjects`].
    pub fn subject(&self) -> &'static str {
        self.first.id()
    }

    /// The position of entry 0.
    pub fn position(&self) -> Words {
        let (en, ja) = match (self.start, self.first) {
            (true, First::Two) => {
                ("three pieces against two, the side with two pieces first", "3駒対2駒、2駒側が先手")
            }
            (true, First::Three) => {
                ("three pieces against two, the side with three pieces first", "3駒対2駒、3駒側が先手")
            }
            (false, First::Two) => (
                "another position than the start, the side with two pieces to move",
                "初期局面ではない局面、2駒側の手番",
            ),
            (false, First::Three) => (
                "another position than the start, the side with three pieces to move",
                "初期局面ではない局面、3駒側の手番",
            ),
        };
        Words { en, ja }
    }

    /// What is bounded.
    pub fn quantity(&self) -> Words {
        Words { en: "value for the three", ja: "3駒側の値" }
    }

    /// Whether the bound implies another one of its kind.
    pub fn implies(&self, claim: &BigRational) -> bool {
        match self.side {
            Side::Upper => self.bound <= *claim,
            Side::Lower => self.bound >= *claim,
        }
    }
}

/// What a check may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of memory, roughly, beside what the decompressors take (at most 256 MiB).
    pub memory: u64,
    /// Bytes of text after decompression.
    pub text: u64,
    /// Threads for the entries.
    pub threads: usize,
}

impl Default for Limits {
    /// A hundred times what the largest certificates known take, on one thread.
    fn default() -> Limits {
        Limits { memory: 4 << 30, text: 4 << 30, threads: 1 }
    }
}

/// What a check is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading lines.
    Reading,
    /// Checking entries.
    Checking,
    /// Looking for circles.
    Circles,
}

/// Someone who watches a check and may stop it.
pub trait Watch: Sync {
    /// A stage of so many entries begins.
    fn begin(&self, stage: Stage, entries: u64);
    /// So many entries of the stage are done.
    fn done(&self, entries: u64);
    /// The stage is over.
    fn end(&self);
    /// Whether to stop.
    fn stopped(&self) -> bool;
}

/// Nobody watches.
pub struct Unwatched;

impl Watch for Unwatched {
    fn begin(&self, _: Stage, _: u64) {}
    fn done(&self, _: u64) {}
    fn end(&self) {}
    fn stopped(&self) -> bool {
        false
    }
}

/// Entries between two looks at the watch.
const NOTICE: usize = 4096;

/// Checks a file. The result does not depend on the number of threads.
pub fn check(input: impl Read + Send + 'static, limits: &Limits, watch: &dyn Watch) -> Result<Proved, Error> {
    check_lines(Lines::new(input, limits.text), limits, watch)
}

/// Checks the lines of a file.
pub fn check_lines(lines: Lines, limits: &Limits, watch: &dyn Watch) -> Result<Proved, Error> {
    let certificate = read(lines, limits, watch)?;
    watch.begin(Stage::Checking, certificate.entries.len() as u64);
    let checked = entries(&certificate, limits.threads, watch);
    watch.end();
    checked?;
    watch.begin(Stage::Circles, certificate.entries.len() as u64);
    let circle = cycle::circle(&certificate, |entry| {
        if entry % NOTICE == 0 {
            watch.done(entry as u64);
        }
        entry % NOTICE == 0 && watch.stopped()
    });
    watch.end();
    match circle {
        Ok(None) => {}
        Ok(Some(circle)) => {
            return Err(rejected(circle.entry, Reason::Cycle { length: circle.length as u64 }));
        }
        Err(cycle::Stopped) => return Err(Error::Stopped),
    }
    proved(&certificate).ok_or(Error::Rejected(Rejection { line: 1, entry: None, reason: Reason::Empty }))
}

/// Reads all lines; each has to be of the right form.
fn read(mut lines: Lines, limits: &Limits, watch: &dyn Watch) -> Result<Certificate, Error> {
    let stopped = || watch.stopped();
    let unreadable = |beginning: &[u8]| Error::Unreadable(Unreadable::Header(parse::beginning(beginning)));
    let header = match lines.next(&stopped)? {
        Next::Line(line) => Header::read(line).ok_or_else(|| unreadable(line))?,
        Next::TooLong | Next::End => return Err(unreadable(b"")),
    };
    let at = |line: u64, reason| Error::Rejected(Rejection { line, entry: line.checked_sub(2), reason });
    if let Some(reason) = header.fault() {
        return Err(at(1, reason));
    }
    let promised = header.entries.big();
    watch.begin(Stage::Reading, u64::try_from(&promised).unwrap_or(0));
    let mut certificate = Certificate::new(header);
    let ended = loop {
        let found = certificate.entries.len() as u64;
        if found.is_multiple_of(NOTICE as u64) {
            watch.done(found);
        }
        let line = found + 2;
        match lines.next(&stopped) {
            Err(e) => break Err(e),
            Ok(Next::End) => break Ok(found),
            Ok(Next::TooLong) => break Err(at(line, Reason::LongLine { limit: input::LINE })),
            Ok(Next::Line(_)) if BigInt::from(found) >= promised => break Ok(found + 1),
            Ok(Next::Line(text)) => {
                if let Err(reason) = certificate.add(text) {
                    break Err(at(line, reason));
                }
            }
        }
        if certificate.bytes() > limits.memory {
            break Err(Error::Memory { limit: limits.memory });
        }
    };
    watch.end();
    let found = ended?;
    if BigInt::from(found) != promised {
        let reason = Reason::Count { promised: promised.to_string(), found };
        return Err(Error::Rejected(Rejection { line: 1, entry: None, reason }));
    }
    Ok(certificate)
}

/// Checks all entries; of several that are wrong the first is told.
fn entries(certificate: &Certificate, threads: usize, watch: &dyn Watch) -> Result<(), Error> {
    let count = certificate.entries.len();
    let next = AtomicU64::new(0);
    let done = AtomicU64::new(0);
    let failed = AtomicBool::new(false);
    // Threads take blocks in order, so whatever fails first in the file is among what was taken.
    let work = || -> Option<(usize, Reason)> {
        loop {
            let begun = next.fetch_add(NOTICE as u64, Ordering::Relaxed) as usize;
            if begun >= count || failed.load(Ordering::Relaxed) || watch.stopped() {
                return None;
            }
            let block = begun..count.min(begun + NOTICE);
            for number in block.clone() {
                if let Some(reason) = fault(certificate, number) {
                    failed.store(true, Ordering::Relaxed);
                    return Some((number, reason));
                }
            }
            watch.done(done.fetch_add(block.len() as u64, Ordering::Relaxed) + block.len() as u64);
        }
    };
    let threads = threads.clamp(1, count.div_ceil(NOTICE).max(1));
    let first = if threads == 1 {
        work()
    } else {
        std::thread::scope(|scope| {
            let others: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let found = others.into_iter().filter_map(|thread| match thread.join() {
                Ok(found) => found,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            found.min_by_key(|(number, _)| *number)
        })
    };
    match first {
        Some((number, reason)) => Err(rejected(number, reason)),
        // Nothing is accepted that was not looked at.
        None if done.load(Ordering::Relaxed) < count as u64 => Err(Error::Stopped),
        None => Ok(()),
    }
}

/// What is wrong with an entry.
fn fault(certificate: &Certificate, number: usize) -> Option<Reason> {
    let entry = &certificate.entries[number];
    let (fast, exact) = match certificate.header.side {
        Side::Upper => (upper::entry::<i128> as fn(&_, &_) -> _, upper::entry::<BigInt> as fn(&_, &_) -> _),
        Side::Lower => (lower::entry::<i128> as fn(&_, &_) -> _, lower::entry::<BigInt> as fn(&_, &_) -> _),
    };
    let checked: Result<(), Stop> = match fast(certificate, entry) {
        Err(Stop::Overflow) => exact(certificate, entry),
        other => other,
    };
    match checked {
        Ok(()) => None,
        Err(Stop::Wrong(reason)) => Some(reason),
        // Big numbers never overflow.
        Err(Stop::Overflow) => Some(Reason::Digits { limit: lottery::BITS }),
    }
}

fn rejected(entry: usize, reason: Reason) -> Error {
    Error::Rejected(Rejection { line: entry as u64 + 2, entry: Some(entry as u64), reason })
}

/// What entry 0 says.
fn proved(certificate: &Certificate) -> Option<Proved> {
    let entry = certificate.entries.first()?;
    let side = certificate.header.side;
    let parts = match side {
        Side::Upper => &entry.vector[..entry.place.count()],
        Side::Lower => &entry.vector[..2],
    };
    let parts = parts.iter().map(number::Whole::big);
    let bound = match side {
        Side::Upper => parts.max()?,
        Side::Lower => parts.min()?,
    };
    Some(Proved {
        side,
        first: match entry.place.turn {
            Player::One => First::Three,
            Player::Two => First::Two,
        },
        bound: BigRational::new(bound, certificate.header.unit.big()),
        entries: certificate.entries.len() as u64,
        uses: certificate.uses.len() as u64,
        start: is_start(&entry.place),
    })
}

/// A fraction as people write it: 1/3, −2/5, 1. Nothing if it is none.
pub fn fraction(text: &str) -> Option<BigRational> {
    let text = text.trim();
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let whole = |text: &str| -> Option<BigInt> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let plain = !digits.is_empty()
            && digits.len() <= reason::DIGITS
            && digits.bytes().all(|b| b.is_ascii_digit());
        if plain { text.parse().ok() } else { None }
    };
    let (above, below) = (whole(above)?, whole(below)?);
    below.is_positive().then(|| BigRational::new(above, below))
}

/// A bound in six decimals, rounded to the weaker side so that it is still one.
pub fn decimal(bound: &BigRational, side: Side) -> String {
    let scaled = bound * BigInt::from(1_000_000);
    let millionths = match side {
        Side::Upper => scaled.ceil(),
        Side::Lower => scaled.floor(),
    };
    let millionths = millionths.to_integer();
    let sign = if millionths.is_negative() { "-" } else { "" };
    let (size, million) = (millionths.abs(), BigInt::from(1_000_000));
    format!("{sign}{}.{:0>6}", &size / &million, (&size % &million).to_string())
}

/// P1 on b2, b1, c1 and P2 on b4, c4, whoever moves first.
fn is_start(place: &Place) -> bool {
    place.a == [9, 13, 14] && place.b == [1, 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_fractions_are_read_as_people_write_them() {
        for (text, said) in [("1/3", "1/3"), (" 2/6 ", "1/3"), ("-2/5", "-2/5"), ("1", "1"), ("0/7", "0")] {
            assert_eq!(fraction(text).unwrap().to_string(), said);
        }
        for text in ["", "/", "1/", "/3", "1/0", "1/-3", "0.5", "1/3/4", "+1", "--1", "1e3", "x", "１/3"] {
            assert_eq!(fraction(text), None, "{text}");
        }
        assert_eq!(fraction(&"9".repeat(100_000)), None);
    }

    #[test]
    fn law_decimals_of_bounds_are_bounds() {
        for (text, upper, lower) in [
            ("1/3", "0.333334", "0.333333"),
            ("-1/3", "-0.333333", "-0.333334"),
            ("173/420", "0.411905", "0.411904"),
            ("1", "1.000000", "1.000000"),
            ("-1/10000000", "0.000000", "-0.000001"),
        ] {
            let bound = fraction(text).unwrap();
            assert_eq!(decimal(&bound, Side::Upper), upper);
            assert_eq!(decimal(&bound, Side::Lower), lower);
        }
    }
}
