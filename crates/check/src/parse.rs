//! The file as data: the header, the entries and what they use. Everything that can be said of a line alone is
//! required here; what an entry has to prove comes later.

use crate::board::{GONE, Place, Player, Square};
use crate::number::Whole;
use crate::reason::{DIGITS, Reason, Wanted};
use crate::{Side, input};
use num_bigint::BigInt;
use std::ops::Range;

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// What kind of bound it is.
    pub side: Side,
    /// The denominator of beliefs, of an upper file only.
    pub qden: Whole,
    /// The denominator of vectors.
    pub unit: Whole,
    /// How many entries there are to be.
    pub entries: Whole,
}

/// A claim: whoever keeps the belief can hold the game to the vector from here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The position.
    pub place: Place,
    /// Weights of the types of the side that keeps the belief; 0 beyond the last type.
    pub law: [Whole; 3],
    /// What the weights add up to, above 0.
    pub total: Whole,
    /// One number for each type of the other side, over the unit; 0 beyond the last type.
    pub vector: [Whole; 3],
    /// Where its uses are.
    pub uses: Range<usize>,
}

/// A piece of a lottery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The square a move starts from, or −1.
    pub from: i8,
    /// The square it goes to, or −2.
    pub to: i8,
    /// Its weight, a fraction above 0.
    pub numerator: Whole,
    /// Its weight, a fraction above 0.
    pub denominator: Whole,
    /// What follows.
    pub then: Then,
}

/// What follows a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Then {
    /// Another entry.
    Entry(usize),
    /// No entry: the game has ended or the trivial vector is used, with this posterior.
    Posterior(Whole),
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Its first line.
    pub header: Header,
    /// Its other lines.
    pub entries: Vec<Entry>,
    /// What the entries use, one after another.
    pub uses: Vec<Use>,
    /// Bytes of numbers that do not fit into their place.
    spilled: usize,
}

impl Certificate {
    /// A file without entries yet.
    pub fn new(header: Header) -> Certificate {
        Certificate { header, entries: Vec::new(), uses: Vec::new(), spilled: 0 }
    }

    /// About how many bytes it takes in memory. Lists that grow are there twice while they are copied.
    pub fn bytes(&self) -> u64 {
        let entries = self.entries.len() * size_of::<Entry>();
        let uses = self.uses.len() * size_of::<Use>();
        3 * (entries + uses + self.spilled) as u64
    }

    /// The uses of an entry.
    pub fn uses(&self, entry: &Entry) -> &[Use] {
        &self.uses[entry.uses.clone()]
    }

    /// Adds an entry: `[turn, a, b, q, beta, uses]` or `[turn, a, b, p, alpha, uses]`.
    pub fn add(&mut self, line: &[u8]) -> Result<(), Reason> {
        let mut scan = Scan { line, at: 0, spilled: 0 };
        scan.take(b'[')?;
        let turn = match scan.whole()? {
            Whole::Small(0) => Player::One,
            Whole::Small(1) => Player::Two,
            _ => return Err(Reason::Turn),
        };
        scan.take(b',')?;
        let a = scan.squares('a')?;
        scan.take(b',')?;
        let b = scan.squares('b')?;
        if b[2] != GONE {
            return Err(Reason::Squares { list: 'b' });
        }
        let place = Place { turn, a, b: [b[0], b[1]] };
        if let Some(square) = place.b.iter().find(|square| a.contains(square)) {
            return Err(Reason::Overlap { square: *square });
        }
        scan.take(b',')?;
        let (law, total) = self.law(&mut scan, &place)?;
        scan.take(b',')?;
        let types = match self.header.side {
            Side::Upper => place.count(),
            Side::Lower => 2,
        };
        let (vector, length) = scan.wholes()?;
        if length != types {
            return Err(Reason::Length { types });
        }
        if let Some(component) = vector.iter().position(|part| !part.within(&self.header.unit)) {
            return Err(Reason::Component { component });
        }
        scan.take(b',')?;
        scan.take(b'[')?;
        let begun = self.uses.len();
        if scan.found(b']') {
            scan.at += 1;
        } else {
            loop {
                let number = self.uses.len() - begun + 1;
                let item = self.item(&mut scan, number, &place)?;
                self.uses.push(item);
                if scan.last()? {
                    break;
                }
            }
        }
        scan.take(b']')?;
        scan.end()?;
        self.spilled += scan.spilled;
        let [x, y, z, _] = vector;
        self.entries.push(Entry { place, law, total, vector: [x, y, z], uses: begun..self.uses.len() });
        Ok(())
    }

    /// The belief of an entry as weights and what they add up to.
    fn law(&self, scan: &mut Scan<'_>, place: &Place) -> Result<([Whole; 3], Whole), Reason> {
        match self.header.side {
            Side::Upper => {
                let q = scan.whole()?;
                let law = self.posterior(q).ok_or(Reason::Belief)?;
                Ok((law, self.header.qden.clone()))
            }
            Side::Lower => {
                let (law, length) = scan.wholes()?;
                let total = law.iter().fold(Whole::Small(0), |sum, weight| sum.plus(weight));
                if length != place.count() || law.iter().any(Whole::is_negative) || !total.is_positive() {
                    return Err(Reason::Belief);
                }
                let [x, y, z, _] = law;
                Ok(([x, y, z], total))
            }
        }
    }

    /// P2's law for q, if it is one: the weights of its first and of its second piece being red.
    pub fn posterior(&self, q: Whole) -> Option<[Whole; 3]> {
        let rest = self.header.qden.minus(&q);
        (!q.is_negative() && !rest.is_negative()).then_some([q, rest, Whole::Small(0)])
    }

    /// A use: `[from, to, num, den, child]`, with the posterior as sixth field if the child is −1.
    fn item(&self, scan: &mut Scan<'_>, item: usize, place: &Place) -> Result<Use, Reason> {
        scan.take(b'[')?;
        let field = |name| move |()| Reason::Field { item, name };
        let from = between(&scan.whole()?, -1..16).map_err(field("from"))?;
        scan.take(b',')?;
        let to = between(&scan.whole()?, -2..16).map_err(field("to"))?;
        scan.take(b',')?;
        let numerator = scan.whole()?;
        scan.take(b',')?;
        let denominator = scan.whole()?;
        if !numerator.is_positive() || !denominator.is_positive() {
            return Err(Reason::Weight { item });
        }
        scan.take(b',')?;
        let child = match scan.whole()? {
            Whole::Small(-1) => None,
            Whole::Small(child) => {
                Some(usize::try_from(child).map_err(|_| Reason::Field { item, name: "child" })?)
            }
            Whole::Big(_) => return Err(Reason::Field { item, name: "child" }),
        };
        let then = match (child, scan.last()?) {
            (Some(child), true) => Then::Entry(child),
            (None, false) => {
                let posterior = scan.whole()?;
                let known = match self.header.side {
                    Side::Upper => self.posterior(posterior.clone()).is_some(),
                    Side::Lower => {
                        matches!(posterior, Whole::Small(n) if (0..place.count() as i64).contains(&n))
                    }
                };
                if !known {
                    return Err(Reason::PosteriorRange { item });
                }
                scan.take(b']')?;
                Then::Posterior(posterior)
            }
            _ => return Err(Reason::Posterior { item }),
        };
        Ok(Use { from, to, numerator, denominator, then })
    }
}

impl Header {
    /// The header in a line, or nothing if it is not one.
    pub fn read(line: &[u8]) -> Option<Header> {
        let mut scan = Scan { line, at: 0, spilled: 0 };
        let names: [&[u8]; 4] = [b"qden", b"bden", b"aden", b"entries"];
        let mut found: [Option<Whole>; 4] = [None, None, None, None];
        scan.take(b'{').ok()?;
        loop {
            let name = scan.name()?;
            let place = names.iter().position(|known| *known == name)?;
            scan.take(b':').ok()?;
            if found[place].replace(scan.whole().ok()?).is_some() {
                return None;
            }
            if !scan.found(b',') {
                break;
            }
            scan.at += 1;
        }
        scan.take(b'}').ok()?;
        scan.end().ok()?;
        match found {
            [Some(qden), Some(unit), None, Some(entries)] => {
                Some(Header { side: Side::Upper, qden, unit, entries })
            }
            [None, None, Some(unit), Some(entries)] => {
                Some(Header { side: Side::Lower, qden: Whole::Small(1), unit, entries })
            }
            _ => None,
        }
    }

    /// What is wrong with the numbers of a header.
    pub fn fault(&self) -> Option<Reason> {
        let unit = match self.side {
            Side::Upper => "bden",
            Side::Lower => "aden",
        };
        let faulty = [("qden", &self.qden), (unit, &self.unit)].into_iter().find(|(_, n)| !n.is_positive());
        faulty.map(|(name, _)| Reason::Denominator { name })
    }
}

fn between(whole: &Whole, range: Range<i8>) -> Result<i8, ()> {
    match whole {
        Whole::Small(n) => i8::try_from(*n).ok().filter(|n| range.contains(n)).ok_or(()),
        Whole::Big(_) => Err(()),
    }
}

/// Reads the little JSON that certificates are made of: lists of whole numbers.
struct Scan<'a> {
    line: &'a [u8],
    at: usize,
    spilled: usize,
}

impl<'a> Scan<'a> {
    fn wrong(&self, wanted: Wanted) -> Reason {
        Reason::Syntax { column: self.at + 1, wanted }
    }

    /// The next byte that is no space.
    fn peek(&mut self) -> Option<u8> {
        loop {
            match self.line.get(self.at) {
                Some(b' ' | b'\t' | b'\r') => self.at += 1,
                other => return other.copied(),
            }
        }
    }

    fn found(&mut self, byte: u8) -> bool {
        self.peek() == Some(byte)
    }

    fn take(&mut self, byte: u8) -> Result<(), Reason> {
        if self.found(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.wrong(Wanted::Char(char::from(byte))))
        }
    }

    /// Whether a list ends here; if not, another item follows.
    fn last(&mut self) -> Result<bool, Reason> {
        let last = match self.peek() {
            Some(b']') => true,
            Some(b',') => false,
            _ => return Err(self.wrong(Wanted::CommaOrEnd)),
        };
        self.at += 1;
        Ok(last)
    }

    fn end(&mut self) -> Result<(), Reason> {
        if self.peek().is_none() { Ok(()) } else { Err(self.wrong(Wanted::End)) }
    }

    /// A whole number as JSON writes it.
    fn whole(&mut self) -> Result<Whole, Reason> {
        self.peek();
        let begun = self.at;
        let negative = self.line.get(begun) == Some(&b'-');
        let first = begun + usize::from(negative);
        let mut small: i64 = 0;
        let mut end = first;
        while let Some(digit) = self.line.get(end).filter(|byte| byte.is_ascii_digit()) {
            // Of no use, but also of no harm, beyond eighteen digits.
            small = small.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
            end += 1;
        }
        let digits = end - first;
        let goes_on = matches!(self.line.get(end), Some(b'.' | b'e' | b'E'));
        if digits == 0 || (digits > 1 && self.line[first] == b'0') || goes_on {
            return Err(self.wrong(Wanted::Whole));
        }
        if digits > DIGITS {
            return Err(self.wrong(Wanted::Shorter));
        }
        if digits <= 18 {
            self.at = end;
            return Ok(Whole::Small(if negative { -small } else { small }));
        }
        let big = BigInt::parse_bytes(&self.line[begun..end], 10).ok_or_else(|| self.wrong(Wanted::Whole))?;
        self.at = end;
        self.spilled += size_of::<BigInt>() + digits;
        Ok(Whole::new(big))
    }

    /// A list of at most four whole numbers; 0 where there are fewer.
    fn wholes(&mut self) -> Result<([Whole; 4], usize), Reason> {
        let mut list = [const { Whole::Small(0) }; 4];
        self.take(b'[')?;
        if self.found(b']') {
            self.at += 1;
            return Ok((list, 0));
        }
        for place in 0..list.len() {
            list[place] = self.whole()?;
            if self.last()? {
                return Ok((list, place + 1));
            }
        }
        Err(self.wrong(Wanted::Fewer))
    }

    /// Two or three ascending squares; the third is [`GONE`] if there are two.
    fn squares(&mut self, list: char) -> Result<[Square; 3], Reason> {
        let (wholes, length) = self.wholes()?;
        let mut squares = [GONE; 3];
        if !(2..=3).contains(&length) {
            return Err(Reason::Squares { list });
        }
        for (square, whole) in squares.iter_mut().zip(&wholes[..length]) {
            *square = between(whole, 0..16).map_err(|()| Reason::Squares { list })? as Square;
        }
        if squares[..length].is_sorted_by(|x, y| x < y) { Ok(squares) } else { Err(Reason::Squares { list }) }
    }

    /// A quoted name without escapes.
    fn name(&mut self) -> Option<&'a [u8]> {
        self.take(b'"').ok()?;
        let rest = &self.line[self.at..];
        let length = rest.iter().position(|byte| *byte == b'"')?;
        self.at += length + 1;
        Some(&rest[..length])
    }
}

/// How a file begins, for a message about what is no certificate.
pub fn beginning(line: &[u8]) -> String {
    let cut = &line[..line.len().min(input::LINE).min(40)];
    String::from_utf8_lossy(cut).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Result<Whole, Reason> {
        Scan { line: text.as_bytes(), at: 0, spilled: 0 }.whole()
    }

    #[test]
    fn law_only_whole_numbers_are_numbers() {
        for (text, n) in
            [("0", 0), ("-0", 0), ("17", 17), ("-5", -5), ("999999999999999999", 999_999_999_999_999_999)]
        {
            assert_eq!(number(text), Ok(Whole::Small(n)), "{text}");
        }
        assert_eq!(number("1000000000000000000"), Ok(Whole::Small(1_000_000_000_000_000_000)));
        assert_eq!(number("-9223372036854775808"), Ok(Whole::Small(i64::MIN)));
        let big = number("123456789012345678901234567890").unwrap();
        assert_eq!(big.to_string(), "123456789012345678901234567890");
        for text in
            ["", "-", "+1", "01", "-01", "true", "null", "x", ".5", "1.0", "1e0", "1E5", "\"1\"", "１"]
        {
            assert!(matches!(number(text), Err(Reason::Syntax { wanted: Wanted::Whole, .. })), "{text}");
        }
        assert!(number(&"9".repeat(DIGITS)).is_ok());
        let long = number(&"9".repeat(DIGITS + 1));
        assert!(matches!(long, Err(Reason::Syntax { wanted: Wanted::Shorter, .. })));
    }

    #[test]
    fn law_headers_are_told_apart_and_nothing_else_is_one() {
        let upper = Header::read(br#"{"qden":2,"bden":6,"entries":10}"#).unwrap();
        assert_eq!((upper.side, upper.fault()), (Side::Upper, None));
        let lower = Header::read(br#" { "entries" : 10, "aden" : 6 } "#).unwrap();
        assert_eq!((lower.side, lower.unit, lower.entries), (Side::Lower, Whole::Small(6), Whole::Small(10)));
        for text in [
            "",
            "{}",
            "[]",
            "{\"aden\":6}",
            "{\"entries\":6}",
            "{\"qden\":1,\"entries\":6}",
            "{\"bden\":1,\"entries\":6}",
            "{\"qden\":1,\"bden\":1,\"aden\":1,\"entries\":6}",
            "{\"aden\":6,\"aden\":6,\"entries\":1}",
            "{\"aden\":6,\"entries\":1,\"more\":1}",
            "{\"aden\":6.0,\"entries\":1}",
            "{\"aden\":6,\"entries\":true}",
            "{\"aden\":6,\"entries\":1}}",
            "{\"aden\":6,\"entries\":1,}",
            "{aden:6,entries:1}",
            "{\"aden",
        ] {
            assert_eq!(Header::read(text.as_bytes()), None, "{text}");
        }
        let zero = Header::read(br#"{"qden":0,"bden":6,"entries":10}"#).unwrap();
        assert_eq!(zero.fault(), Some(Reason::Denominator { name: "qden" }));
        let below = Header::read(br#"{"aden":-6,"entries":10}"#).unwrap();
        assert_eq!(below.fault(), Some(Reason::Denominator { name: "aden" }));
    }
}
