//! What goes wrong, as an answer: a status, a word for programs, and the command line's message in both languages.

use crate::Answer;
use serde_json::{Map, Value};
use yomikiri_core::{Error, Lang, Refusal, Text, text};

/// The words for programs that come back from elsewhere.
const CODES: [&str; 15] = [
    "refused",
    "unknown",
    "nothing",
    "size",
    "type",
    "memory",
    "solver",
    "rules",
    "store",
    "table",
    "threads",
    "bug",
    "cancelled",
    "busy",
    "panic",
];

/// Why a request is not answered.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The status, by the numbers of HTTP.
    pub status: u16,
    /// A word for programs.
    pub code: &'static str,
    /// The field at fault, what it was given and what it takes.
    pub refusal: Option<Refusal>,
    /// What is said to people.
    pub message: Text,
    /// Seconds after which asking again may help.
    pub retry: Option<u64>,
    /// The methods there are, if the one that was used is not among them.
    pub methods: Vec<&'static str>,
    /// What to type where a machine with more of everything is at hand.
    pub command: Option<Box<str>>,
}

impl Fault {
    /// A fault with nothing to correct.
    pub fn new(status: u16, code: &'static str, message: Text) -> Fault {
        Fault { status, code, refusal: None, message, retry: None, methods: Vec::new(), command: None }
    }

    /// What a game refused or could not do, as the command line says it.
    pub(crate) fn of(game: &str, error: Error) -> Fault {
        let say = |lang| format!("{game}: {}", error.say(lang));
        let message = Text::of(say(Lang::En), say(Lang::Ja));
        match error {
            Error::Refused(refusal) => {
                Fault { refusal: Some(refusal), ..Fault::new(400, "refused", message) }
            }
            Error::Cancelled => Fault { message, ..Fault::cancelled() },
            Error::Memory { .. } | Error::TooManyStates { .. } => Fault::new(422, "memory", message),
            Error::NoSolver { .. } => Fault::new(422, "solver", message),
            Error::Rules { .. } => Fault::new(500, "rules", message),
            Error::Store(_) | Error::Output { .. } => Fault::new(500, "store", message),
            Error::Table(_) => Fault::new(500, "table", message),
            Error::Threads(_) => Fault::new(500, "threads", message),
            Error::Proof(_) | Error::Bug(_) => Fault::new(500, "bug", message),
        }
    }

    /// A game or job that is not there.
    pub(crate) fn unknown(refusal: Refusal) -> Fault {
        Fault { status: 404, code: "unknown", ..Fault::from(refusal) }
    }

    /// Nothing is there.
    pub fn nothing() -> Fault {
        Fault::new(404, "nothing", text("there is nothing here", "ここには何もありません"))
    }

    /// An address that takes these methods, and was asked with another.
    pub fn method(methods: Vec<&'static str>) -> Fault {
        let words = text("this address does not take that method", "このアドレスではその方法は使えません");
        Fault { methods, ..Fault::new(405, "method", words) }
    }

    /// A body that is larger than so many bytes.
    pub fn size(most: usize) -> Fault {
        let message = Text::of(
            format!("the body is larger than {most} bytes"),
            format!("本文が {most} バイトを超えています"),
        );
        Fault::new(413, "size", message)
    }

    /// Too much to do at the moment.
    pub(crate) fn busy(retry: u64) -> Fault {
        let message = text(
            "the server has too much to do; try again a little later",
            "サーバが混み合っています。少し待ってからもう一度お試しください",
        );
        Fault { retry: Some(retry), ..Fault::new(429, "busy", message) }
    }

    /// Somebody stopped it.
    pub(crate) fn cancelled() -> Fault {
        let message = text("interrupted", "中断しました");
        Fault { retry: Some(1), ..Fault::new(503, "cancelled", message) }
    }

    /// A mistake of ours.
    pub fn panic() -> Fault {
        Fault::new(
            500,
            "panic",
            text(
                "a mistake in the program ended this request; others are not affected",
                "プログラムの誤りによりこの要求は中断しました。他の要求に影響はありません",
            ),
        )
    }

    /// Its JSON: the object under `error`.
    pub(crate) fn to_json(&self) -> Value {
        let mut error = Map::new();
        error.insert("code".into(), self.code.into());
        if let Some(refusal) = &self.refusal {
            error.insert("field".into(), refusal.field.clone().into());
            error.insert("got".into(), text_json(&refusal.got));
            error.insert("accepts".into(), text_json(&refusal.accepts));
        }
        error.insert("message".into(), text_json(&self.message));
        if let Some(command) = &self.command {
            error.insert("command".into(), (&**command).into());
        }
        Value::Object(error)
    }

    /// What was said elsewhere, under `error`.
    pub(crate) fn read(status: u16, retry: Option<u64>, error: &Value) -> Fault {
        let code = CODES.into_iter().find(|code| error["code"] == *code);
        let (Some(code), Some(message)) = (code, text_of(&error["message"])) else { return Fault::panic() };
        let (got, accepts) = (text_of(&error["got"]), text_of(&error["accepts"]));
        let field = error["field"].as_str().map(str::to_owned);
        let refusal = match (field, got, accepts) {
            (Some(field), Some(got), Some(accepts)) => Some(Refusal { field, got, accepts }),
            _ => None,
        };
        let command = error["command"].as_str().map(Into::into);
        Fault { refusal, retry, command, ..Fault::new(status, code, message) }
    }

    /// The answer that says it.
    pub fn answer(&self) -> Answer {
        let mut answer = Answer::json(self.status, &serde_json::json!({"error": self.to_json()}));
        if let Some(seconds) = self.retry {
            answer = answer.with("retry-after", seconds.to_string());
        }
        if !self.methods.is_empty() {
            answer = answer.with("allow", self.methods.join(", "));
        }
        answer
    }
}

/// A text as JSON.
pub(crate) fn text_json(text: &Text) -> Value {
    // Two strings cannot fail to be written.
    serde_json::to_value(text).unwrap_or_default()
}

/// A text from JSON.
pub(crate) fn text_of(value: &Value) -> Option<Text> {
    match value {
        Value::String(both) => Some(Text::same(both.as_str())),
        Value::Object(_) => Some(Text::of(value["en"].as_str()?, value["ja"].as_str()?)),
        _ => None,
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Fault {
        let message = Text::of(refusal.say(Lang::En), refusal.say(Lang::Ja));
        Fault { refusal: Some(refusal), ..Fault::new(400, "refused", message) }
    }
}
