//! Writing a proof in the format that independent checkers read: JSON Lines, squares counted from the top
//! left corner, one entry a line.

use std::io::{self, Write};
use yomikiri_games::geister::belief::rules::{Hidden, Public};
use yomikiri_games::geister::board::{Set, squares};
use yomikiri_solve::belief::{Guarantee, Leads, Proof, PublicGraph};

/// A proof about the 4x4 board and what it needs to be written.
pub struct Certificate<'a> {
    /// The rules.
    pub rules: &'a Hidden,
    /// The positions the proof speaks of.
    pub graph: &'a PublicGraph<Public>,
    /// The proof.
    pub proof: &'a Proof,
    /// Who holds: 0 proves a lower bound, 1 an upper bound.
    pub holder: usize,
    /// Guarantees are over this.
    pub lattice: i32,
}

/// The pieces of a side as the file counts squares, ascending, each with its number as we count.
fn listed(rules: &Hidden, set: Set) -> Vec<(u32, usize)> {
    let mut all: Vec<(u32, usize)> =
        squares(set).enumerate().map(|(number, square)| (turned(rules, square), number)).collect();
    all.sort_unstable();
    all
}

/// A square as the file counts: from the top left.
fn turned(rules: &Hidden, square: u32) -> u32 {
    let (width, height) = (u32::from(rules.board.width), u32::from(rules.board.height));
    (height - 1 - square / width) * width + square % width
}

impl Certificate<'_> {
    /// Writes the file.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let sums = self.proof.entries.iter().map(|e| e.belief.iter().sum());
        // Only an upper bound's file has one sum for all; a lower bound's entries have their own.
        let sum = if self.holder == 1 { sums.fold(1, |a: i64, b| a / gcd(a, b) * b) } else { 0 };
        let entries = self.proof.entries.len();
        if self.holder == 0 {
            writeln!(out, "{{\"aden\":{},\"entries\":{entries}}}", self.lattice)?;
        } else {
            writeln!(out, "{{\"qden\":{sum},\"bden\":{},\"entries\":{entries}}}", self.lattice)?;
        }
        for entry in &self.proof.entries {
            self.line(entry, sum, out)?;
        }
        Ok(())
    }

    fn line(&self, entry: &Guarantee, sum: i64, out: &mut dyn Write) -> io::Result<()> {
        let p = self.graph.positions[entry.at as usize];
        let [a, b] = p.sides.map(|s| listed(self.rules, s));
        let of = |list: &[(u32, usize)]| list.iter().map(|x| x.0.to_string()).collect::<Vec<_>>().join(",");
        write!(out, "[{},[{}],[{}],", p.turn, of(&a), of(&b))?;
        let (own, other) = if self.holder == 0 { (&a, &b) } else { (&b, &a) };
        // Our numbers of pieces run by other squares than the file's.
        let weight = |at: usize| entry.belief[own[at].1] * (sum / entry.belief.iter().sum::<i64>());
        let sign = if self.holder == 0 { 1 } else { -1 };
        let vector: Vec<String> = other.iter().map(|x| (sign * entry.vector[x.1]).to_string()).collect();
        if self.holder == 0 {
            let weights: Vec<String> = own.iter().map(|x| entry.belief[x.1].to_string()).collect();
            write!(out, "[{}],", weights.join(","))?;
        } else {
            write!(out, "{},", weight(0))?;
        }
        write!(out, "[{}],[", vector.join(","))?;
        let steps = self.rules.steps(&p);
        for (i, u) in entry.uses.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            let (num, den) = u.weight;
            let square = |s: u32| i64::from(turned(self.rules, s));
            let step = |number: u32| {
                let (from, to) = steps[number as usize];
                (square(from), to.map_or(-2, square))
            };
            // The number of a piece of the holder as the file counts.
            let piece = |kind: u8| own.iter().position(|x| x.1 == usize::from(kind)).unwrap_or(0);
            // The red piece for a lower bound, the belief for an upper one.
            let sixth = |kind: u8| {
                let at = piece(kind) as i64;
                if self.holder == 0 { at } else { (1 - at) * sum }
            };
            match u.leads {
                Leads::Entry { number, entry } => {
                    let (from, to) = step(number);
                    write!(out, "{comma}[{from},{to},{num},{den},{entry}]")?;
                }
                Leads::End { number, own } | Leads::Least { number: Some(number), own } => {
                    let (from, to) = step(number);
                    write!(out, "{comma}[{from},{to},{num},{den},-1,{}]", sixth(own))?;
                }
                Leads::Least { number: None, own } => {
                    write!(out, "{comma}[-1,-1,{num},{den},-1,{}]", sixth(own))?;
                }
            }
        }
        writeln!(out, "]]")
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
