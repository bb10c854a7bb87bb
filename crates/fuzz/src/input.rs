//! Bytes read as choices and as text. Whatever the bytes are, something can be made of them; and a change of one byte is
//! a small change of what is made.

use serde_json::{Map, Value};
use yomikiri_games::params::{Domain, Param, Settings};

/// Bytes that have not been read yet. Behind the end there are zeros.
pub struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    /// Whether nothing is left.
    pub fn ended(&self) -> bool {
        self.0.is_empty()
    }

    /// One of some things, of which there must be one.
    pub fn pick<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        &things[usize::from(self.byte()) % things.len()]
    }

    /// The bytes up to the next zero, without it.
    pub fn piece(&mut self) -> &'a [u8] {
        let end = self.0.iter().position(|b| *b == 0).unwrap_or(self.0.len());
        let (piece, rest) = self.0.split_at(end);
        self.0 = rest.get(1..).unwrap_or(&[]);
        piece
    }

    /// Values for some parameters: most as they are by default.
    pub fn settings(&mut self, params: &'static [Param]) -> Vec<(&'static str, String)> {
        let mut given = Vec::new();
        for _ in 0..self.byte() % 4 {
            if params.is_empty() {
                break;
            }
            let param = self.pick(params);
            let value = self.value(param);
            given.push((param.name, value));
        }
        given
    }

    /// A value for a parameter, one that it takes more often than not.
    fn value(&mut self, param: &Param) -> String {
        let how = self.byte();
        match &param.domain {
            Domain::Int { min, max } => match how {
                0..=199 => (min + i64::from(how % 8)).min(*max).to_string(),
                200..=219 => max.to_string(),
                220..=229 => (max + 1).to_string(),
                230..=239 => (min - 1).to_string(),
                _ => text(self.piece(), &ODD),
            },
            Domain::Choice(words) => match how {
                0..=239 => words[usize::from(how) % words.len()].0.to_owned(),
                _ => text(self.piece(), &ODD),
            },
            Domain::Text { .. } => match how {
                0..=63 => param.default.to_owned(),
                _ => text(self.piece(), &ODD),
            },
        }
    }
}

/// Some values as settings, if they are accepted.
pub fn settled(params: &[Param], given: &[(&'static str, String)]) -> Option<Settings> {
    match Settings::new(params, given.iter().map(|(name, value)| (*name, value.as_str()))) {
        Ok(settings) => Some(settings),
        Err(refusal) => {
            refused(&refusal);
            None
        }
    }
}

/// The same as JSON.
pub fn object(given: &[(&'static str, String)]) -> Value {
    Value::Object(
        given.iter().map(|(name, value)| ((*name).to_owned(), value.clone().into())).collect::<Map<_, _>>(),
    )
}

/// A refusal names its field and says what is wrong in both languages.
pub fn refused(refusal: &yomikiri_core::Refusal) {
    assert!(!refusal.field.is_empty(), "{refusal:?}");
    for words in [&refusal.got, &refusal.accepts] {
        assert!(!words.en.is_empty() && !words.ja.is_empty(), "{refusal:?}");
    }
}

/// What goes wrong is said; mistakes of the program are never the answer.
pub fn failed(error: &yomikiri_core::Error) {
    use yomikiri_core::Error;
    match error {
        Error::Refused(refusal) => refused(refusal),
        Error::Bug(_) | Error::Rules { .. } | Error::Proof(_) => panic!("{error}"),
        _ => {}
    }
}

/// Bytes as text: those of ASCII are themselves, each of the others is a word of a list.
pub fn text(bytes: &[u8], words: &[&str]) -> String {
    let mut text = String::new();
    for byte in bytes {
        match byte {
            0..=127 => text.push(char::from(*byte)),
            _ => text.push_str(words[usize::from(byte - 128) % words.len()]),
        }
    }
    text
}

/// What mistakes are made of.
pub const ODD: [&str; 24] = [
    "1",
    "0",
    "-1",
    "2",
    "99999999999999999999999",
    "1/2",
    "1/0",
    "1e9",
    "NaN",
    "−1",
    " ",
    "\t",
    "\n",
    "\"",
    "'",
    "\\",
    "神",
    "🂡",
    "\u{301}",
    "\u{1b}[2J",
    "..",
    "_",
    ",",
    "=",
];
