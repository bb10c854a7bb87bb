//! The header of a `.npy` file, version 1.0 of the format: what numpy and others need to read the array behind it.
//!
//! Written as numpy writes it. Read strictly: what has another form is refused with the reason, because a table is
//! used without a look at what it means.

use yomikiri_core::{Text, text};
use yomikiri_games::tables::Number;

/// How every such file begins.
const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// Magic, version and length of the header.
const FIXED: usize = 10;
/// Headers are padded so that the numbers begin at a multiple of this.
const ALIGN: usize = 64;
/// The longest header that is looked at; ours have 128 bytes.
pub const LONGEST: usize = 4096;

/// What the header of an array of numbers in a row says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// What the numbers are.
    pub number: Number,
    /// How many there are.
    pub count: u64,
    /// Where they begin.
    pub begin: usize,
}

impl Header {
    /// The length of the whole file; `None` beyond what a file can have.
    pub fn length(&self) -> Option<u64> {
        self.count.checked_mul(self.number.bytes())?.checked_add(self.begin as u64)
    }
}

/// The header of an array in a row.
pub fn write(number: Number, count: u64) -> Vec<u8> {
    let dict = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({count},), }}", number.descr());
    // The dictionary, padding, and the end of the line.
    let length = (FIXED + dict.len() + 1).next_multiple_of(ALIGN) - FIXED;
    let mut bytes = Vec::with_capacity(FIXED + length);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&[1, 0]);
    bytes.extend_from_slice(&(length as u16).to_le_bytes());
    bytes.extend_from_slice(dict.as_bytes());
    bytes.resize(FIXED + length - 1, b' ');
    bytes.push(b'\n');
    bytes
}

/// Reads the header at the beginning of a file.
pub fn read(bytes: &[u8]) -> Result<Header, Text> {
    let fixed = bytes.get(..FIXED).ok_or_else(short)?;
    if !fixed.starts_with(MAGIC) {
        return Err(text("it is not an .npy file", ".npy ファイルではありません"));
    }
    if fixed[6..8] != [1, 0] {
        let version = format!("{}.{}", fixed[6], fixed[7]);
        return Err(Text::of(
            format!("it is of version {version} of the .npy format, not 1.0"),
            format!(".npy 形式の版が 1.0 ではなく {version} です"),
        ));
    }
    let length = usize::from(u16::from_le_bytes([fixed[8], fixed[9]]));
    if length > LONGEST {
        return Err(text("its header is too long", "ヘッダが長すぎます"));
    }
    let dict = bytes.get(FIXED..FIXED + length).ok_or_else(short)?;
    let begin = FIXED + length;
    if !begin.is_multiple_of(ALIGN) || dict.last() != Some(&b'\n') {
        return Err(text("its header is not padded as it should be", "ヘッダの詰め物が正しくありません"));
    }
    let (number, count) = Parser { left: &dict[..length - 1] }.dictionary()?;
    Ok(Header { number, count, begin })
}

fn short() -> Text {
    text("it is too short for its header", "ヘッダより短いファイルです")
}

fn malformed() -> Text {
    text("its header cannot be read", "ヘッダが読めません")
}

/// Reads the literal of a Python dictionary with the three keys that there are.
struct Parser<'a> {
    left: &'a [u8],
}

impl<'a> Parser<'a> {
    fn spaces(&mut self) {
        while let [b' ', rest @ ..] = self.left {
            self.left = rest;
        }
    }

    /// Takes a byte, spaces before it aside, if it is the next one.
    fn takes(&mut self, byte: u8) -> bool {
        self.spaces();
        match self.left {
            [first, rest @ ..] if *first == byte => {
                self.left = rest;
                true
            }
            _ => false,
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), Text> {
        if self.takes(byte) { Ok(()) } else { Err(malformed()) }
    }

    /// A string in single quotes without anything special in it.
    fn string(&mut self) -> Result<&'a str, Text> {
        self.expect(b'\'')?;
        let end = self.left.iter().position(|b| *b == b'\'').ok_or_else(malformed)?;
        let (string, rest) = self.left.split_at(end);
        self.left = &rest[1..];
        if string.contains(&b'\\') {
            return Err(malformed());
        }
        std::str::from_utf8(string).map_err(|_| malformed())
    }

    fn word(&mut self, word: &str) -> bool {
        self.spaces();
        match self.left.strip_prefix(word.as_bytes()) {
            Some(rest) => {
                self.left = rest;
                true
            }
            None => false,
        }
    }

    fn number(&mut self) -> Result<u64, Text> {
        self.spaces();
        let digits = self.left.iter().take_while(|b| b.is_ascii_digit()).count();
        let (number, rest) = self.left.split_at(digits);
        self.left = rest;
        let leading = number.len() > 1 && number[0] == b'0';
        let number = std::str::from_utf8(number).ok().filter(|_| !leading);
        number.and_then(|n| n.parse().ok()).ok_or_else(malformed)
    }

    fn dictionary(mut self) -> Result<(Number, u64), Text> {
        let (mut number, mut order, mut shape) = (None, None, None);
        self.expect(b'{')?;
        while !self.takes(b'}') {
            let key = self.string()?;
            self.expect(b':')?;
            let twice = match key {
                "descr" => {
                    let descr = self.string()?;
                    let known = Number::ALL.into_iter().find(|n| n.descr() == descr);
                    number
                        .replace(known.ok_or_else(|| {
                            Text::of(
                                format!("its numbers are {descr:?}, not <f8 or <u2"),
                                format!("数値の型が <f8 や <u2 ではなく {descr:?} です"),
                            )
                        })?)
                        .is_some()
                }
                "fortran_order" => {
                    let fortran = self.word("True");
                    if !fortran && !self.word("False") {
                        return Err(malformed());
                    }
                    order.replace(fortran).is_some()
                }
                "shape" => {
                    self.expect(b'(')?;
                    let count = self.number()?;
                    self.expect(b',')?;
                    if !self.takes(b')') {
                        return Err(text("it is not an array in a row", "1次元の配列ではありません"));
                    }
                    shape.replace(count).is_some()
                }
                _ => return Err(malformed()),
            };
            if twice {
                return Err(malformed());
            }
            if !self.takes(b',') {
                self.expect(b'}')?;
                break;
            }
        }
        self.spaces();
        if !self.left.is_empty() {
            return Err(malformed());
        }
        match (number, order, shape) {
            // In a row both orders are the same, but numpy never writes the other one.
            (Some(number), Some(false), Some(count)) => Ok((number, count)),
            _ => Err(malformed()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn golden_the_header_is_the_one_numpy_writes() {
        // numpy.save of arange(12.0): the first 128 bytes of the file.
        let mut numpy =
            b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (12,), }".to_vec();
        numpy.resize(127, b' ');
        numpy.push(b'\n');
        assert_eq!(write(Number::Double, 12), numpy);
        assert_eq!(read(&numpy), Ok(Header { number: Number::Double, count: 12, begin: 128 }));
    }

    #[test]
    fn law_what_is_written_is_read() {
        for number in Number::ALL {
            for count in [0, 1, 9, 10, 99, 151_813_750, u64::MAX] {
                let mut bytes = write(number, count);
                let header = Header { number, count, begin: bytes.len() };
                assert_eq!(bytes.len() % 64, 0);
                assert_eq!(read(&bytes), Ok(header));
                bytes.extend_from_slice(b"and the numbers");
                assert_eq!(read(&bytes), Ok(header));
            }
        }
        assert_eq!(read(&write(Number::Double, 1 << 61)).unwrap().length(), None);
        assert_eq!(read(&write(Number::Short, 3)).unwrap().length(), Some(134));
    }

    /// A header around a dictionary.
    fn around(dict: &str) -> Vec<u8> {
        let length = (FIXED + dict.len() + 1).next_multiple_of(ALIGN) - FIXED;
        let mut bytes = [MAGIC.as_slice(), &[1, 0], &(length as u16).to_le_bytes(), dict.as_bytes()].concat();
        bytes.resize(FIXED + length - 1, b' ');
        bytes.push(b'\n');
        bytes
    }

    #[test]
    fn law_other_writers_may_order_and_space_as_they_like() {
        for dict in [
            "{'descr': '<u2', 'fortran_order': False, 'shape': (7,), }",
            "{'shape': (7,), 'fortran_order': False, 'descr': '<u2'}",
            "{  'shape'  : ( 7 , ) ,'fortran_order':False,'descr':'<u2',}",
        ] {
            let header = read(&around(dict)).unwrap();
            assert_eq!((header.number, header.count), (Number::Short, 7), "{dict}");
        }
    }

    #[test]
    fn law_every_broken_header_is_refused_with_a_reason() {
        let good = "{'descr': '<u2', 'fortran_order': False, 'shape': (7,), }";
        let broken = [
            good.replace("<u2", ">u2"),
            good.replace("<u2", "|O"),
            good.replace("<u2", "<f4"),
            good.replace("'<u2'", "[('a', '<u2')]"),
            good.replace("<u2", "<u2\\"),
            good.replace("False", "True"),
            good.replace("False", "0"),
            good.replace("(7,)", "(7)"),
            good.replace("(7,)", "7"),
            good.replace("(7,)", "()"),
            good.replace("(7,)", "(7, 1)"),
            good.replace("(7,)", "(-7,)"),
            good.replace("(7,)", "(07,)"),
            good.replace("(7,)", "(7L,)"),
            good.replace("(7,)", "(18446744073709551616,)"),
            good.replace("'shape': (7,), ", ""),
            good.replace("'descr': '<u2', ", ""),
            good.replace("'fortran_order': False, ", ""),
            good.replace("'shape'", "'shapes'"),
            good.replace("'shape': (7,), ", "'shape': (7,), 'shape': (7,), "),
            good.replace("'shape': (7,), ", "'shape': (7,), 'more': 1, "),
            good.replace(", 'fortran", " 'fortran"),
            good.replace('}', ""),
            good.replace('{', ""),
            format!("{good} x"),
            format!("{good}\n"),
            String::new(),
        ];
        for dict in broken {
            let refused = read(&around(&dict)).unwrap_err();
            assert!(!refused.en.is_empty() && !refused.ja.is_empty(), "{dict}");
        }
        let whole = around(good);
        for cut in 0..whole.len() {
            assert!(read(&whole[..cut]).is_err(), "cut at {cut}");
        }
        for (at, byte) in [(0, b'N'), (5, b'X'), (6, 2), (7, 1), (8, 0), (9, 0xff), (whole.len() - 1, b' ')] {
            let mut bytes = whole.clone();
            bytes[at] = byte;
            assert!(read(&bytes).is_err(), "byte {at} is {byte}");
        }
    }

    proptest! {
        #[test]
        fn law_no_bytes_make_the_reader_fail(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = read(&bytes);
        }

        #[test]
        fn law_a_changed_header_is_refused_or_means_what_it_says(
            at in 0usize..128, byte in any::<u8>(), count in any::<u64>(),
        ) {
            let mut bytes = write(Number::Double, count);
            bytes[at] = byte;
            if let Ok(header) = read(&bytes) {
                // What is accepted is what it would be written as, spaces and a last comma aside.
                let plain = |bytes: &[u8]| -> Vec<u8> {
                    bytes.iter().copied().filter(|b| !b" ,".contains(b)).collect()
                };
                prop_assert_eq!(plain(&bytes), plain(&write(header.number, header.count)));
            }
        }
    }
}
