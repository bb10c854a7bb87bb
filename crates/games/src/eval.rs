//! `eval` for every face: lines of JSON in, lines of JSON out, in the same order. Where the lines come from and
//! where the answers go is the face's business.

use crate::about::Evaluator;
use rayon::prelude::*;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::fmt;
use yomikiri_core::run::Silent;
use yomikiri_core::{Error, Lang, Refusal, Run, Text, text};

/// The longest line that is read, in bytes.
pub const LONGEST: usize = 1 << 20;
/// Lines answered together.
pub const BATCH: usize = 4096;
/// Lines a thread answers in one go.
const SHARE: usize = 64;

/// A line, read.
struct Question {
    /// As it was written.
    id: Option<String>,
    /// Its place among the requests of the batch, or what is wrong with it.
    request: Result<usize, String>,
}

/// Answers lines.
pub struct Answers<'a> {
    /// The word the game is called by, for messages.
    pub game: &'static str,
    /// What answers.
    pub evaluator: &'a dyn Evaluator,
    /// The means for all lines of a batch together.
    pub run: Run<'a>,
    /// The language of messages.
    pub lang: Lang,
}

impl Answers<'_> {
    /// The answers to some lines, each with its end, in pieces of text, and how many were refused; `None` is a line
    /// longer than [`LONGEST`]. Lines are answered side by side, on the threads of the pool this is called in.
    ///
    /// # Errors
    /// Only if the run is cancelled: a line that cannot be answered is answered with why.
    pub fn batch(&self, lines: &[Option<&[u8]>]) -> Result<(Vec<String>, u64), Error> {
        let read: Vec<Parsed> = lines.par_iter().with_min_len(SHARE).map(|line| question(*line)).collect();
        let mut requests = Vec::with_capacity(read.len());
        let mut questions = Vec::with_capacity(read.len());
        for (id, request) in read {
            let request = request.map_err(|refusal| refusal.say(self.lang)).map(|map| {
                requests.push(map);
                requests.len() - 1
            });
            questions.push(Question { id, request });
        }
        let threads = self.run.threads.max(1);
        let one = Run { threads: 1, memory: self.run.memory / threads as u64, observer: &Silent, ..self.run };
        let answer = |question: &Question, alone: bool, text: &mut String| -> Result<u64, Error> {
            let answer = match &question.request {
                Err(refused) => Err(refused.clone()),
                Ok(at) => {
                    let request = &requests[*at];
                    let prepared = if alone {
                        self.evaluator.prepare(std::slice::from_ref(request), &self.run)
                    } else {
                        Ok(())
                    };
                    match prepared.and_then(|()| self.evaluator.answer(request, &one)) {
                        Err(Error::Cancelled) => return Err(Error::Cancelled),
                        Err(e) => Err(format!("{}: {}", self.game, e.say(self.lang))),
                        Ok(answer) => Ok(answer),
                    }
                }
            };
            Ok(write(text, question.id.as_deref(), &answer))
        };
        match self.evaluator.prepare(&requests, &self.run) {
            Ok(()) => {
                let shares: Result<Vec<(String, u64)>, Error> = questions
                    // A few lines may each take long: then every thread gets some.
                    .par_chunks((questions.len() / (4 * threads)).clamp(1, SHARE))
                    .map(|share| {
                        let mut text = String::with_capacity(share.len() * 256);
                        let mut refused = 0;
                        for question in share {
                            refused += answer(question, false, &mut text)?;
                        }
                        Ok((text, refused))
                    })
                    .collect();
                let shares = shares?;
                let refused = shares.iter().map(|share| share.1).sum();
                Ok((shares.into_iter().map(|share| share.0).collect(), refused))
            }
            Err(Error::Cancelled) => Err(Error::Cancelled),
            // Together they ask for too much: one at a time, only those that do on their own are refused.
            Err(_) => {
                let mut text = String::new();
                let mut refused = 0;
                for question in &questions {
                    refused += answer(question, true, &mut text)?;
                }
                Ok((vec![text], refused))
            }
        }
    }
}

/// A line, read: its id as it was written, and the rest of it or what is wrong.
pub type Parsed = (Option<String>, Result<Map<String, Value>, Refusal>);

/// Reads a line; `None` is one longer than [`LONGEST`].
pub fn question(line: Option<&[u8]>) -> Parsed {
    let refuse = |got: Text| Err(Refusal::of("line", got, text("a JSON object", "JSON オブジェクト")));
    let Some(line) = line else {
        let got = Text::of(format!("more than {LONGEST} bytes"), format!("{LONGEST} バイトを超える行"));
        return (None, refuse(got));
    };
    let Ok(line) = std::str::from_utf8(line) else {
        return (None, refuse(text("bytes that are not UTF-8", "UTF-8 でないバイト列")));
    };
    let line = line.trim();
    if line.is_empty() {
        return (None, refuse(text("an empty line", "空行")));
    }
    if !line.starts_with('{') {
        return (None, Err(Refusal::new("line", line, text("a JSON object", "JSON オブジェクト"))));
    }
    let mut id = None;
    let mut reader = serde_json::Deserializer::from_str(line);
    let request = Request { id: &mut id }.deserialize(&mut reader).and_then(|map| {
        reader.end()?;
        Ok(map)
    });
    let request = request.or_else(|e| {
        refuse(Text::of(format!("text that is not JSON ({e})"), format!("JSON でない文字列（{e}）")))
    });
    if id.as_ref().is_some_and(|id| halved(id.get())) {
        let got = text("half of a character", "文字の半分");
        return (None, Err(Refusal::of("id", got, text("whole characters", "完全な文字"))));
    }
    (id.map(one_line), request)
}

/// Whether an id has half of a character in it, which is a text for JSON's grammar and for no reader of JSON.
fn halved(id: &str) -> bool {
    id.contains("\\u") && serde_json::from_str::<Value>(id).is_err()
}

/// Appends `{"id":…,` and the answer or the error as a line; 1 if it is an error.
pub fn write(text: &mut String, id: Option<&str>, answer: &Result<String, String>) -> u64 {
    text.push('{');
    match answer {
        Ok(answer) => {
            let fields = answer.strip_prefix('{').unwrap_or(answer);
            if let Some(id) = id {
                text.push_str("\"id\":");
                text.push_str(id);
                if fields != "}" {
                    text.push(',');
                }
            }
            text.push_str(fields);
        }
        Err(error) => {
            text.push_str("\"id\":");
            text.push_str(id.unwrap_or("null"));
            text.push_str(",\"error\":");
            text.push_str(&Value::from(error.as_str()).to_string());
            text.push('}');
        }
    }
    text.push('\n');
    u64::from(answer.is_err())
}

/// An id as it was written, unless that would break the line it is set in.
fn one_line(id: Box<RawValue>) -> String {
    if !id.get().contains(char::is_control) {
        return Box::<str>::from(id).into_string();
    }
    serde_json::from_str::<Value>(id.get()).map_or_else(|_| "null".to_owned(), |value| value.to_string())
}

/// Reads an object, its `id` aside; the id is kept even if what follows it is broken.
struct Request<'a> {
    id: &'a mut Option<Box<RawValue>>,
}

impl<'de> DeserializeSeed<'de> for Request<'_> {
    type Value = Map<String, Value>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Request<'_> {
    type Value = Map<String, Value>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = object.next_key::<String>()? {
            if key == "id" {
                *self.id = Some(object.next_value()?);
            } else {
                map.insert(key, object.next_value()?);
            }
        }
        Ok(map)
    }
}
