//! How a command ends: the exit codes, and failures said in the user's language.

use crate::lang::pick;
use std::io;
use yomikiri_core::{Error, Lang, Refusal, Text};

/// Done, or the answer is yes.
pub const YES: u8 = 0;
/// The answer is no, or a figure differs.
pub const NO: u8 = 1;
/// Something was not accepted or did not work.
pub const ERROR: u8 = 2;
/// Stopped by a signal.
pub const INTERRUPTED: u8 = 130;

/// Why a command did not do what it was asked to.
#[derive(Debug)]
pub enum Failure {
    /// An argument that belongs to no game was not accepted.
    Usage(Refusal),
    /// A game refused or could not finish.
    Game(&'static str, Error),
    /// Stopped by a signal where there is nothing to resume.
    Interrupted,
    /// Stopped by a signal, with something that `--resume` goes on with.
    Resumable,
    /// Input could not be read.
    Read(String, io::Error),
    /// A file is not what it should be.
    Unreadable(String, Text),
    /// Output could not be written.
    Write(io::Error),
    /// A file or folder could not be written.
    Save(String, io::Error),
    /// An address could not be listened on.
    Listen(String, io::Error),
}

impl Failure {
    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Interrupted | Failure::Resumable | Failure::Game(_, Error::Cancelled) => INTERRUPTED,
            // Whoever reads us has had enough: nothing went wrong.
            Failure::Write(e) if e.kind() == io::ErrorKind::BrokenPipe => YES,
            _ => ERROR,
        }
    }

    /// What to tell the user; nothing if the reader went away.
    pub fn say(&self, lang: Lang) -> Option<String> {
        Some(match self {
            Failure::Usage(refusal) => refusal.say(lang),
            Failure::Game(_, Error::Cancelled) => pick(
                lang,
                "interrupted; to go on, run the same command again: it resumes from the last checkpoint, if one was kept",
                "中断しました。続けるには同じコマンドをもう一度実行してください（チェックポイントがあればそこから再開します）",
            )
            .to_owned(),
            Failure::Game(game, error @ (Error::Memory { .. } | Error::TooManyStates { .. })) => {
                let raise = pick(lang, "; --memory sets the limit", "（上限は --memory で変えられます）");
                format!("{game}: {}{raise}", error.say(lang))
            }
            // Only who named a table is refused for what it does not hold.
            Failure::Game(game, Error::Refused(refusal)) if refusal.field == "table" => {
                let refusal = Refusal { field: "--table".into(), ..refusal.clone() };
                let solve =
                    pick(lang, "; without --table it is solved", "。--table を外せば解いて答えます");
                format!("{game}: {}{solve}", refusal.say(lang))
            }
            Failure::Game(game, error) => format!("{game}: {}", error.say(lang)),
            Failure::Interrupted => pick(
                lang,
                "interrupted; to start again, run the same command again",
                "中断しました。もう一度始めるには同じコマンドを実行してください",
            )
            .to_owned(),
            Failure::Resumable => pick(
                lang,
                "interrupted; to go on, run the same command with --resume",
                "中断しました。続けるには同じコマンドに --resume を付けて実行してください",
            )
            .to_owned(),
            Failure::Read(what, e) => match lang {
                Lang::En => format!("{what}: cannot be read: {e}"),
                Lang::Ja => format!("{what}：読めません：{e}"),
            },
            Failure::Save(what, e) => match lang {
                Lang::En => format!("{what}: cannot be written: {e}"),
                Lang::Ja => format!("{what}：書けません：{e}"),
            },
            Failure::Listen(address, e) => match lang {
                Lang::En => format!("{address}: cannot listen here: {e}; --port 0 picks a free port"),
                Lang::Ja => format!("{address}：待ち受けできません：{e}。--port 0 で空きポートを選びます"),
            },
            Failure::Unreadable(what, why) => match lang {
                Lang::En => format!("{what}: {}", why.en),
                Lang::Ja => format!("{what}：{}", why.ja),
            },
            Failure::Write(e) if e.kind() == io::ErrorKind::BrokenPipe => return None,
            Failure::Write(e) => match lang {
                Lang::En => format!("standard output cannot be written: {e}"),
                Lang::Ja => format!("標準出力に書けません：{e}"),
            },
        })
    }
}

impl From<io::Error> for Failure {
    /// Errors of plain `?` are those of our output; input is read in few places, which say what they read.
    fn from(error: io::Error) -> Failure {
        Failure::Write(error)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Usage(refusal)
    }
}

/// A refusal of a typed value, which is quoted.
pub fn refuse(field: &str, got: &str, accepts: Text) -> Refusal {
    Refusal::new(field, format!("\"{got}\""), accepts)
}

/// Text from outside made safe for a terminal: control characters are shown, not obeyed.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && c != '\n' {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_a_broken_pipe_is_no_error() {
        let gone = Failure::Write(io::ErrorKind::BrokenPipe.into());
        assert_eq!((gone.code(), gone.say(Lang::En)), (YES, None));
        let full = Failure::Write(io::ErrorKind::StorageFull.into());
        assert_eq!(full.code(), ERROR);
    }

    #[test]
    fn law_an_interrupted_run_says_how_to_go_on() {
        let failure = Failure::Game("memory", Error::Cancelled);
        assert_eq!(failure.code(), INTERRUPTED);
        assert!(failure.say(Lang::En).unwrap().contains("run the same command again"));
        assert!(failure.say(Lang::Ja).unwrap().contains("再開"));
    }

    #[test]
    fn law_control_characters_are_shown() {
        assert_eq!(printable("a\u{1b}[31mb"), "a\\u{1b}[31mb");
    }
}
