//! What can go wrong, said so that a person knows what to do next.

use crate::text::{Lang, Text, grouped};
use std::fmt;

/// Input that was not accepted: the field, what it was given and what it takes.
///
/// ```
/// use yomikiri_core::{Lang, Refusal, text};
///
/// let refusal = Refusal::new("stones", 12, text("1 to 9", "1～9"));
/// assert_eq!(refusal.say(Lang::En), "stones: got 12; accepted: 1 to 9");
/// assert_eq!(refusal.say(Lang::Ja), "stones：12 は受け付けられません。受け付けるもの：1～9");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The field, parameter or part of a notation at fault.
    pub field: String,
    /// What was given, shortened if long.
    pub got: Text,
    /// What would have been accepted.
    pub accepts: Text,
}

impl Refusal {
    /// A refusal of what was typed or sent; it is cut to a length that fits a line.
    pub fn new(field: impl Into<String>, got: impl fmt::Display, accepts: Text) -> Refusal {
        Refusal::of(field, Text::same(shortened(got.to_string(), REPEATED)), accepts)
    }

    /// A refusal of something described in words, such as "an unknown field".
    pub fn of(field: impl Into<String>, got: Text, accepts: Text) -> Refusal {
        // A field may be a name that was sent: of any length, or none.
        let field = match shortened(field.into(), REPEATED) {
            field if field.is_empty() => "\"\"".to_owned(),
            field => field,
        };
        Refusal { field, got, accepts }
    }

    /// The sentence in one language.
    pub fn say(&self, lang: Lang) -> String {
        match lang {
            Lang::En => format!("{}: got {}; accepted: {}", self.field, self.got.en, self.accepts.en),
            Lang::Ja => {
                format!(
                    "{}：{} は受け付けられません。受け付けるもの：{}",
                    self.field, self.got.ja, self.accepts.ja
                )
            }
        }
    }
}

/// Characters of what was typed or sent that a message repeats.
const REPEATED: usize = 80;

/// Text cut to so many characters.
fn shortened(mut text: String, most: usize) -> String {
    if let Some((at, _)) = text.char_indices().nth(most) {
        text.truncate(at);
        text.push('…');
    }
    text
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.say(Lang::En))
    }
}

impl std::error::Error for Refusal {}

/// Why a computation gave no result.
///
/// ```
/// use yomikiri_core::{Error, Lang};
///
/// let error = Error::Memory { need: 3 << 30, limit: 1 << 30 };
/// assert_eq!(error.to_string(), "this needs about 3.0 GiB of memory, and the limit is 1.0 GiB");
/// assert_eq!(error.say(Lang::Ja), "約 3.0 GiB のメモリが必要ですが、上限は 1.0 GiB です");
/// ```
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input was not accepted.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The cancel flag was raised; what was done is kept if the run has a store.
    #[error("interrupted")]
    Cancelled,
    /// The run would need more memory than it may use; found out before it started.
    #[error("this needs about {} of memory, and the limit is {}", bytes(*need), bytes(*limit))]
    Memory {
        /// Estimated bytes.
        need: u64,
        /// Allowed bytes.
        limit: u64,
    },
    /// Expanding a game used up the memory before all its states were found.
    #[error(
        "the game has more than {} states: so many were found before the memory limit of {} was reached",
        grouped(*found), bytes(*limit)
    )]
    TooManyStates {
        /// States found so far.
        found: u64,
        /// Allowed bytes.
        limit: u64,
    },
    /// A game breaks the contract of [`Game`](crate::Game).
    #[error("the rules of the game are broken: {}; the state is {state}", wrong.en)]
    Rules {
        /// The state that shows it, as its `Debug` writes it, cut to a readable length.
        state: String,
        /// What is wrong there.
        wrong: Text,
    },
    /// There is no exact solver for a game of this kind.
    #[error("no solver here is exact for {}; {}", game.en, instead.en)]
    NoSolver {
        /// The kind of game, in words that can stand after "for".
        game: Text,
        /// What can be done instead.
        instead: Text,
    },
    /// The store could not be read or written.
    #[error("the store failed: {0}")]
    Store(#[from] std::io::Error),
    /// A table of a solved game is not as its manifest says.
    #[error("the table is damaged: {0}")]
    Table(String),
    /// The system gave no threads.
    #[error("threads cannot be started: {0}")]
    Threads(String),
    /// A proof that was just made does not hold.
    #[error("the proof does not hold: {0}")]
    Proof(String),
    /// Something that cannot happen if the program is right.
    #[error("a fault of this program: {0}")]
    Bug(String),
    /// A file the user asked for cannot be written.
    #[error("{file} cannot be written: {why}{}", if *.kept > 0 { format!("; {kept} rows are kept: run the same command again to go on") } else { String::new() })]
    Output {
        /// The file as the user named it.
        file: String,
        /// What the system says.
        why: std::io::Error,
        /// Rows that are finished and kept all the same.
        kept: u64,
    },
}

impl Error {
    /// A game that breaks its contract in a state.
    pub fn rules(state: &impl fmt::Debug, wrong: Text) -> Error {
        Error::Rules { state: shortened(format!("{state:?}"), 300), wrong }
    }

    /// The sentence in one language.
    pub fn say(&self, lang: Lang) -> String {
        match (lang, self) {
            (_, Error::Refused(refusal)) => refusal.say(lang),
            (Lang::En, other) => other.to_string(),
            (Lang::Ja, Error::Cancelled) => "中断しました".into(),
            (Lang::Ja, Error::Memory { need, limit }) => {
                format!("約 {} のメモリが必要ですが、上限は {} です", bytes(*need), bytes(*limit))
            }
            (Lang::Ja, Error::TooManyStates { found, limit }) => format!(
                "状態が {} 個を超えます（そこまで列挙したところでメモリの上限 {} に達しました）",
                grouped(*found),
                bytes(*limit)
            ),
            (Lang::Ja, Error::Rules { state, wrong }) => {
                format!("ゲームの規則に誤りがあります：{}。その状態：{state}", wrong.ja)
            }
            (Lang::Ja, Error::NoSolver { game, instead }) => {
                format!("{}を厳密に解くソルバーはまだありません。{}", game.ja, instead.ja)
            }
            (Lang::Ja, Error::Store(e)) => format!("保存領域のエラー：{e}"),
            (Lang::Ja, Error::Table(why)) => format!("表が壊れています：{why}"),
            (Lang::Ja, Error::Threads(why)) => format!("スレッドを開始できません：{why}"),
            (Lang::Ja, Error::Proof(why)) => format!("証明が成り立ちません：{why}"),
            (Lang::Ja, Error::Bug(why)) => format!("プログラムの誤りです：{why}"),
            (Lang::Ja, Error::Output { file, why, kept: 0 }) => format!("{file} に書けません：{why}"),
            (Lang::Ja, Error::Output { file, why, kept }) => {
                format!(
                    "{file} に書けません：{why}。{kept} 行は保存済みです。続けるには同じコマンドをもう一度実行してください"
                )
            }
        }
    }
}

/// A number of bytes as people read it.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{n} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}
