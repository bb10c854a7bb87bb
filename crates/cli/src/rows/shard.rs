//! A share of a long run, for one of several machines: a file that `merge` puts together with the others.
//!
//! It is a journal like that of any run, whose description says which share it is, closed by its own digest when everything
//! is there. Until then it is called `FILE.part`.

use super::log::Log;
use super::{PART, begin, beside, put, unwritable, vacant};
use crate::fail::refuse;
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use yomikiri_core::rows::{Block, Column, Journal, Keeper};
use yomikiri_core::{Error, Observer, Refusal, Text, text};
use yomikiri_view::report::grouped;

/// More machines than anyone has; each is named where one is missing.
const MOST: u64 = 1_000_000;

/// A share: one of so many, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// Which, from 0.
    pub number: u64,
    /// Of how many.
    pub of: u64,
}

impl Shard {
    /// What a person types: `3/7`.
    pub fn read(given: &str) -> Result<Shard, Refusal> {
        let numbers = given.trim().split_once('/').and_then(|(number, of)| {
            let digits = |s: &str| if s.bytes().all(|b| b.is_ascii_digit()) { s.parse().ok() } else { None };
            Some(Shard { number: digits(number)?, of: digits(of)? })
        });
        numbers.filter(|shard| shard.number < shard.of && shard.of <= MOST).ok_or_else(|| {
            let accepts = Text::of(
                format!("i/n with i from 0 to n-1 and n up to {MOST}, such as 0/4 or 3/4"),
                format!("i/n（i は 0～n-1、n は {MOST} まで）、例：0/4、3/4"),
            );
            refuse("--shard", given, accepts)
        })
    }

    /// The items of it, of so many in all.
    pub fn range(self, items: u64) -> Range<u64> {
        let at = |i: u64| (u128::from(i) * u128::from(items) / u128::from(self.of)) as u64;
        at(self.number)..at(self.number + 1)
    }

    /// What a run of this share is, given what the whole is.
    pub fn describe(self, what: &str) -> String {
        format!("{what}shard={self}\n")
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// The file of a share.
pub struct ShardFile {
    path: PathBuf,
    log: Log,
    /// Whether it was there already, whole.
    finished: bool,
}

impl ShardFile {
    /// Looks at what is there and begins the file, or goes on with it. `what` describes the share.
    pub fn open(path: &Path, what: &str, fresh: bool, force: bool) -> Result<ShardFile, Error> {
        if path.extension().is_none_or(|ending| ending != "shard") {
            let accepts = text(
                "with --shard, a file whose name ends in .shard",
                "--shard では名前が .shard で終わるファイル",
            );
            return Err(refuse("--out", &path.to_string_lossy(), accepts).into());
        }
        // Whoever gives out shares again because one is missing need not know which.
        if !(fresh && force)
            && let Ok(Some(mut log)) = Log::read(path, what)
            && sealed(&mut log).is_ok_and(|sealed| sealed)
        {
            log.rewind().map_err(|why| unwritable(path, why, 0))?;
            return Ok(ShardFile { path: path.to_owned(), log, finished: true });
        }
        vacant(path, force, || false)?;
        let log = begin(&beside(path, PART), what, fresh)?;
        Ok(ShardFile { path: path.to_owned(), log, finished: false })
    }

    /// The next block that is there.
    pub fn block(&mut self) -> Result<Option<Block>, Error> {
        self.log.next().map_err(|why| unwritable(self.log.path(), why, self.log.rows()))
    }

    /// Adds a block.
    pub fn append(&mut self, block: &Block) -> Result<(), Error> {
        self.log.append(block).map_err(|why| unwritable(self.log.path(), why, self.log.rows()))
    }

    /// Closes it and gives it its name; says how many rows it has, and whether it was whole before.
    pub fn finish(&mut self) -> Result<(u64, bool), Error> {
        let rows = self.log.rows();
        if !self.finished {
            let digest = self.log.digest();
            let done = self.log.finish(digest).and_then(|()| put(self.log.path(), &self.path));
            done.map_err(|why| unwritable(&self.path, why, rows))?;
        }
        Ok((rows, self.finished))
    }
}

/// Reads a journal to its end: whether it is closed by its own digest, as a whole share is.
pub fn sealed(log: &mut Log) -> io::Result<bool> {
    while log.next()?.is_some() {}
    Ok(log.seal() == Some(log.digest()))
}

/// Keeps the rows of a share of a study.
pub struct Sharded<'a> {
    observer: &'a dyn Observer,
    columns: &'static [Column],
    shard: Shard,
    state: Mutex<State>,
}

struct State {
    file: ShardFile,
    /// The items of the whole sweep; known when it begins.
    items: Option<u64>,
}

/// A share that is whole.
pub struct Share {
    /// Its items.
    pub items: Range<u64>,
    /// Of so many in all.
    pub of: u64,
    /// Whether an earlier run has made it.
    pub earlier: bool,
}

impl<'a> Sharded<'a> {
    /// In a file.
    pub fn new(
        file: ShardFile,
        shard: Shard,
        columns: &'static [Column],
        observer: &'a dyn Observer,
    ) -> Sharded<'a> {
        Sharded { observer, columns, shard, state: Mutex::new(State { file, items: None }) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// How many rows are kept so far and where, in words, if any are.
    pub fn kept(&self) -> Option<Text> {
        let state = self.state();
        let range = self.shard.range(state.items?);
        super::kept_in(&state.file.log, range.end - range.start)
    }

    /// Puts the file into its place if all rows are there; none if they are not.
    pub fn finish(&self) -> Result<Option<Share>, Error> {
        let mut state = self.state();
        let Some(of) = state.items else { return Ok(None) };
        let items = self.shard.range(of);
        if state.file.log.rows() != items.end - items.start {
            return Ok(None);
        }
        let (_, earlier) = state.file.finish()?;
        Ok(Some(Share { items, of, earlier }))
    }
}

impl Keeper for Sharded<'_> {
    fn open(&self, columns: &'static [Column], rows: u64) -> Result<Box<dyn Journal + '_>, Error> {
        super::same_columns(columns, self.columns);
        self.state().items = Some(rows);
        Ok(Box::new(Open { keeper: self }))
    }

    fn share(&self, items: u64) -> Option<Range<u64>> {
        Some(self.shard.range(items))
    }
}

/// The file as a sweep sees it.
struct Open<'a> {
    keeper: &'a Sharded<'a>,
}

impl Journal for Open<'_> {
    fn next(&mut self) -> Result<Option<Block>, Error> {
        let mut state = self.keeper.state();
        let block = state.file.block()?;
        if block.is_none() {
            super::tell_damage(&state.file.log, self.keeper.observer);
        }
        Ok(block)
    }

    fn append(&mut self, block: &Block) -> Result<(), Error> {
        self.keeper.state().file.append(block)
    }
}

/// The items of a share, in words: `items 12–17 of 100`.
pub fn span(items: &Range<u64>, of: u64) -> Text {
    let (from, to, of) = (grouped(items.start), grouped(items.end.saturating_sub(1)), grouped(of));
    match items.is_empty() {
        true => Text::of(format!("none of {of}"), format!("{of} 件中なし")),
        false => Text::of(format!("{from} to {to} of {of}"), format!("{of} 件中 {from}～{to}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_shares_cover_everything_once_and_in_order() {
        for items in [0, 1, 2, 6, 7, 1000, u64::MAX] {
            for of in [1, 2, 3, 7, 64, MOST] {
                let mut next = 0;
                for number in 0..of.min(70) {
                    let range = Shard { number, of }.range(items);
                    assert_eq!(range.start, next);
                    assert!(range.end - range.start <= items.div_ceil(of));
                    next = range.end;
                }
                assert_eq!(Shard { number: of - 1, of }.range(items).end, items);
            }
        }
    }

    #[test]
    fn law_shares_are_read_as_they_are_written_and_nothing_else() {
        for shard in
            [Shard { number: 0, of: 1 }, Shard { number: 6, of: 7 }, Shard { number: 999_999, of: MOST }]
        {
            assert_eq!(Shard::read(&shard.to_string()).unwrap(), shard);
        }
        for given in [
            "",
            "1",
            "1/1",
            "7/7",
            "0/0",
            "-1/3",
            "+0/3",
            "0/+3",
            "1/2/3",
            "a/b",
            "0 / 3",
            "/",
            "0/1000001",
            "0.5/2",
        ] {
            let refusal = Shard::read(given).unwrap_err();
            assert_eq!(
                (refusal.field.as_str(), refusal.got.en.as_ref()),
                ("--shard", format!("\"{given}\"").as_str())
            );
        }
    }
}
