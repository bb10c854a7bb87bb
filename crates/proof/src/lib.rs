//! Proofs of what a game is worth, checked from its rules alone.
//!
//! A proof is a list of lines in the order in which a walk through the game comes to things, so that it needs no names
//! for them. There are two kinds: [`values`] of all positions of a game in which everybody sees everything, and
//! [`strategies`] of the players of a game that hides something. This crate expands the rules itself, compares, and
//! computes in fractions; it knows the rules by their trait and shares no code with the solvers.

pub mod strategies;
pub mod values;

use num_bigint::BigInt;
use num_traits::Signed;
use serde_json::Value;
use yomikiri_core::{Error, Rational, Text};

/// What an accepted proof shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// What each player gets at least and at most from the start, if all play their best; the same number where the
    /// proof leaves nothing open. Where it is [`Shows::Profile`], what each player gets by the strategies, and what it could
    /// get by leaving its own.
    pub bounds: Vec<(Rational, Rational)>,
    /// What the bounds are bounds of.
    pub shows: Shows,
    /// Positions that were looked at.
    pub positions: u64,
}

/// What a proof is a proof of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// The value of the game.
    Value,
    /// How good strategies are in a game that has no one value: of more than two players, or not zero-sum.
    Profile,
}

impl Proved {
    /// Whether the value is proved and not only bounded; of strategies, whether they are a Nash equilibrium.
    pub fn exact(&self) -> bool {
        self.bounds.iter().all(|(low, high)| low == high)
    }
}

/// Why a proof was not accepted.
#[derive(Debug)]
pub enum Fault {
    /// A line says what does not follow.
    Rejected {
        /// The line, counted from the first after the header.
        line: u64,
        /// What is wrong.
        reason: Text,
    },
    /// It could not be looked at: the rules are broken, memory does not suffice, it was stopped.
    Failed(Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Failed(error)
    }
}

/// Bytes of a line at most: a strategy with fractions of thousands of digits fits.
pub const LONGEST: usize = 1 << 22;

/// What a proof says of itself in its first line.
pub struct Header {
    /// The word for what it is made of.
    pub kind: String,
    /// The version of the format.
    pub version: u64,
    /// The word for the game.
    pub game: String,
    /// The game's parameters.
    pub settings: Vec<(String, String)>,
}

impl Header {
    /// Reads a first line; nothing if it is not that of a proof.
    pub fn read(line: &[u8]) -> Option<Header> {
        let Value::Object(mut fields) = serde_json::from_slice(line).ok()? else { return None };
        let kind = fields.remove("proof")?.as_str()?.to_owned();
        let settings = match fields.remove("settings") {
            Some(Value::Object(settings)) => {
                let word = |(name, value): (String, Value)| Some((name, value.as_str()?.to_owned()));
                settings.into_iter().map(word).collect::<Option<_>>()?
            }
            _ => return None,
        };
        let version = fields.remove("version")?.as_u64()?;
        Some(Header { kind, version, game: fields.remove("game")?.as_str()?.to_owned(), settings })
    }
}

/// The lines of a proof after its header.
pub trait Lines {
    /// The next line, or nothing at the end.
    ///
    /// # Errors
    /// What reading fails with.
    fn next(&mut self) -> Result<Option<&[u8]>, Fault>;
}

impl Lines for std::slice::Iter<'_, Vec<u8>> {
    fn next(&mut self) -> Result<Option<&[u8]>, Fault> {
        Ok(Iterator::next(self).map(Vec::as_slice))
    }
}

/// Refuses a line.
fn rejected(line: u64, en: impl Into<String>, ja: impl Into<String>) -> Fault {
    Fault::Rejected { line, reason: Text::of(en.into(), ja.into()) }
}

/// Digits of a number at most.
const DIGITS: usize = 60_000;

/// A line that is a list.
fn list(line: u64, text: &[u8]) -> Result<Vec<Value>, Fault> {
    match serde_json::from_slice(text) {
        Ok(Value::Array(list)) => Ok(list),
        _ => Err(rejected(line, "it is not a list as JSON writes one", "JSON のリストではありません")),
    }
}

/// A whole number as it stands in a line: a number, or its digits as text where it is long.
fn whole(line: u64, value: &Value) -> Result<BigInt, Fault> {
    let read = match value {
        Value::Number(n) => n.as_i64().map(BigInt::from),
        Value::String(digits) => {
            let bare = digits.strip_prefix('-').unwrap_or(digits);
            let plain = !bare.is_empty() && bare.len() <= DIGITS && bare.bytes().all(|b| b.is_ascii_digit());
            digits.parse().ok().filter(|_| plain)
        }
        _ => None,
    };
    read.ok_or_else(|| {
        rejected(line, format!("{value} is not a whole number"), format!("{value} は整数ではありません"))
    })
}

/// A fraction as it stands in a line: a whole number, or "p/q".
fn fraction(line: u64, value: &Value) -> Result<Rational, Fault> {
    let Value::String(text) = value else { return whole(line, value).map(Rational::from_integer) };
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let (above, below) = (whole(line, &above.into())?, whole(line, &below.into())?);
    if !below.is_positive() {
        return Err(rejected(
            line,
            format!("{value} is not a fraction"),
            format!("{value} は分数ではありません"),
        ));
    }
    Ok(Rational::new(above, below))
}

/// Nothing may stand after the last line.
fn end(lines: &mut dyn Lines, line: u64) -> Result<(), Fault> {
    match lines.next()? {
        None => Ok(()),
        Some(_) => Err(rejected(line, "there are more lines than the game needs", "行が多すぎます")),
    }
}

/// A line that has to be there.
fn line(lines: &mut dyn Lines, line: u64) -> Result<&[u8], Fault> {
    lines
        .next()?
        .ok_or_else(|| rejected(line, "the proof ends before the game does", "証明が途中で終わっています"))
}
