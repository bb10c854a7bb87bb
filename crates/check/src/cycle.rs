//! No circles where endless play would be worth less (upper) or more (lower) than claimed.

use crate::Side;
use crate::parse::{Certificate, Entry, Then};

/// An entry on a circle of entries that matter, and how many are on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circle {
    /// The smallest number of an entry on it.
    pub entry: usize,
    /// How many entries it has.
    pub length: usize,
}

/// Whether an entry may not be on a circle: some component is below 0 (upper) or above 0 (lower).
fn matters(certificate: &Certificate, entry: &Entry) -> bool {
    match certificate.header.side {
        Side::Upper => entry.vector.iter().any(|part| part.is_negative()),
        Side::Lower => entry.vector.iter().any(|part| part.is_positive()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// Not met yet.
    New,
    /// On the way from where the search began to where it is.
    Open,
    /// No circle goes through it; those that do not matter are so from the beginning.
    Done,
}

/// The search was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Finds a circle by depth-first search with a stack of its own, for graphs may be deep. `stopped` is asked at
/// every entry. Children must have been found to be entries.
pub fn circle(certificate: &Certificate, stopped: impl Fn(usize) -> bool) -> Result<Option<Circle>, Stopped> {
    let entries = &certificate.entries;
    let mut marks: Vec<Mark> = entries
        .iter()
        .map(|entry| if matters(certificate, entry) { Mark::New } else { Mark::Done })
        .collect();
    // Entries on the way, each with the next of its uses to follow.
    let mut path: Vec<(usize, usize)> = Vec::new();
    for root in 0..entries.len() {
        if stopped(root) {
            return Err(Stopped);
        }
        if marks[root] != Mark::New {
            continue;
        }
        marks[root] = Mark::Open;
        path.push((root, entries[root].uses.start));
        while let Some((entry, next)) = path.last_mut() {
            if *next == entries[*entry].uses.end {
                marks[*entry] = Mark::Done;
                path.pop();
                continue;
            }
            let Then::Entry(child) = certificate.uses[*next].then else {
                *next += 1;
                continue;
            };
            *next += 1;
            match marks[child] {
                Mark::Done => {}
                Mark::New => {
                    marks[child] = Mark::Open;
                    path.push((child, entries[child].uses.start));
                }
                Mark::Open => {
                    let begun = path.iter().position(|(entry, _)| *entry == child).unwrap_or(0);
                    let entry = path[begun..].iter().map(|(entry, _)| *entry).min().unwrap_or(child);
                    return Ok(Some(Circle { entry, length: path.len() - begun }));
                }
            }
        }
    }
    Ok(None)
}
