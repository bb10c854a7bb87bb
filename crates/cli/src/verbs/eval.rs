//! `eval`: JSON Lines in, JSON Lines out, in the same order. Lines are answered in batches on all
//! threads; whatever is there when no more input waits is answered at once, so that a program can ask
//! one question at a time.

use super::Session;
use super::table::with_table;
use crate::fail::{ERROR, Failure, YES};
use crate::lang::pick;
use crate::lines::{Chunk, LONGEST, Lines, Next};
use clap::ArgMatches;
use rayon::prelude::*;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use yomikiri_core::run::Silent;
use yomikiri_core::shelf::Shared;
use yomikiri_core::{Error, Lang, Refusal, Run, Text, text};
use yomikiri_games::{Entry, Evaluator};

/// Lines answered together.
const BATCH: usize = 4096;
/// Lines a thread answers in one go.
const SHARE: usize = 64;

/// Answers the lines of a file or of standard input.
pub fn eval(
    session: &Session<'_>,
    game: &'static dyn Entry,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let file = matches.get_one::<PathBuf>("file").filter(|path| path.as_path() != Path::new("-"));
    let (name, input): (String, Box<dyn Read + Send>) = match file {
        None => (session.pick("standard input", "標準入力").to_owned(), Box::new(io::stdin())),
        Some(path) => {
            let name = path.display().to_string();
            let file = File::open(path).map_err(|e| Failure::Read(name.clone(), e))?;
            (name, Box::new(file))
        }
    };
    let shelf = Shared::new(session.run.memory);
    let (run, _) = with_table(session, game, matches, &shelf, false)?;
    let answers = Answers {
        game: game.about().id,
        evaluator: game.evaluator(matches.get_flag("exact")),
        run,
        lang: session.look.lang,
    };
    let tally = answers.all(BufReader::with_capacity(1 << 20, input), out);
    let tally = tally.map_err(|failure| match failure {
        Failure::Read(_, e) => Failure::Read(name, e),
        other => other,
    })?;
    if tally.refused > 0 {
        let Tally { lines, refused } = tally;
        session.run.observer.note(&Text::of(
            format!("{refused} of {lines} lines were not accepted"),
            format!("{lines} 行のうち {refused} 行は受け付けられませんでした"),
        ));
    }
    Ok(if tally.refused > 0 { ERROR } else { YES })
}

/// How it went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    lines: u64,
    refused: u64,
}

/// A line, read.
struct Question {
    /// As it was written.
    id: Option<String>,
    /// Its place among the requests of the batch, or what is wrong with it.
    request: Result<usize, String>,
}

struct Answers<'a> {
    game: &'static str,
    evaluator: Box<dyn Evaluator>,
    run: Run<'a>,
    lang: Lang,
}

impl Answers<'_> {
    fn all(&self, input: impl BufRead + Send + 'static, out: &mut dyn Write) -> Result<Tally, Failure> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.run.threads)
            .build()
            .map_err(|e| Failure::Game(self.game, Error::Store(io::Error::other(e))))?;
        let mut lines = Lines::new(input);
        let mut tally = Tally::default();
        let mut first = true;
        loop {
            let mut chunks: Vec<Chunk> = Vec::new();
            match lines.wait(self.run.cancel).map_err(|e| Failure::Read(String::new(), e))? {
                Next::Lines(chunk) => chunks.push(chunk),
                Next::End => return Ok(tally),
                Next::Interrupted => return Err(Failure::Interrupted),
            }
            let mut held: usize = chunks[0].lines().count();
            while held < BATCH
                && let Some(chunk) = lines.ready()
            {
                held += chunk.lines().count();
                chunks.push(chunk);
            }
            let mut all: Vec<Option<&[u8]>> = chunks.iter().flat_map(Chunk::lines).collect();
            if std::mem::take(&mut first)
                && let Some(Some(line)) = all.first_mut()
            {
                // Some editors begin files with a byte order mark.
                *line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
            }
            for batch in all.chunks(BATCH) {
                tally.lines += batch.len() as u64;
                tally.refused += pool.install(|| self.batch(batch)).and_then(|(texts, refused)| {
                    for text in texts {
                        out.write_all(text.as_bytes())?;
                    }
                    Ok(refused)
                })?;
                self.run.check().map_err(|_| Failure::Interrupted)?;
            }
            out.flush()?;
        }
    }

    /// The answers to some lines as text, and how many were refused.
    fn batch(&self, lines: &[Option<&[u8]>]) -> Result<(Vec<String>, u64), Failure> {
        type Parsed = (Option<String>, Result<Map<String, Value>, String>);
        let read: Vec<Parsed> =
            lines.par_iter().with_min_len(SHARE).map(|line| self.question(*line)).collect();
        let mut requests = Vec::with_capacity(read.len());
        let mut questions = Vec::with_capacity(read.len());
        for (id, request) in read {
            let request = request.map(|map| {
                requests.push(map);
                requests.len() - 1
            });
            questions.push(Question { id, request });
        }
        let threads = self.run.threads.max(1);
        let one = Run { threads: 1, memory: self.run.memory / threads as u64, observer: &Silent, ..self.run };
        let answer = |question: &Question, alone: bool, text: &mut String| -> Result<u64, Failure> {
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
                        Err(Error::Cancelled) => return Err(Failure::Game(self.game, Error::Cancelled)),
                        Err(e) => Err(format!("{}: {}", self.game, e.say(self.lang))),
                        Ok(answer) => Ok(answer),
                    }
                }
            };
            Ok(write(text, question.id.as_deref(), &answer))
        };
        match self.evaluator.prepare(&requests, &self.run) {
            Ok(()) => {
                let shares: Result<Vec<(String, u64)>, Failure> = questions
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
            Err(Error::Cancelled) => Err(Failure::Game(self.game, Error::Cancelled)),
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

    /// Reads a line: its id as it was written, and the rest of it or what is wrong.
    fn question(&self, line: Option<&[u8]>) -> (Option<String>, Result<Map<String, Value>, String>) {
        let refuse = |got: String| {
            let refusal = Refusal::new("line", got, text("a JSON object", "JSON オブジェクト"));
            Err(refusal.say(self.lang))
        };
        let Some(line) = line else {
            let got = match self.lang {
                Lang::En => format!("more than {LONGEST} bytes"),
                Lang::Ja => format!("{LONGEST} バイトを超える行"),
            };
            return (None, refuse(got));
        };
        let Ok(line) = std::str::from_utf8(line) else {
            return (
                None,
                refuse(pick(self.lang, "bytes that are not UTF-8", "UTF-8 でないバイト列").into()),
            );
        };
        let line = line.trim();
        if line.is_empty() {
            return (None, refuse(pick(self.lang, "an empty line", "空行").into()));
        }
        if !line.starts_with('{') {
            return (None, refuse(line.to_owned()));
        }
        let mut id = None;
        let mut reader = serde_json::Deserializer::from_str(line);
        let request = Request { id: &mut id }.deserialize(&mut reader).and_then(|map| {
            reader.end()?;
            Ok(map)
        });
        let request = request.or_else(|e| {
            refuse(match self.lang {
                Lang::En => format!("text that is not JSON ({e})"),
                Lang::Ja => format!("JSON でない文字列（{e}）"),
            })
        });
        (id.map(one_line), request)
    }
}

/// Appends `{"id":…,` and the answer or the error as a line; 1 if it is an error.
fn write(text: &mut String, id: Option<&str>, answer: &Result<String, String>) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::FAKE;
    use std::io::Cursor;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    fn answers(run: Run<'_>) -> Answers<'_> {
        Answers { game: "fake", evaluator: FAKE.evaluator(false), run, lang: Lang::En }
    }

    fn ask(input: impl AsRef<[u8]>) -> (Vec<String>, Tally) {
        let mut out = Vec::new();
        let run = Run { threads: 4, ..Run::default() };
        let tally = answers(run).all(Cursor::new(input.as_ref().to_vec()), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        (text.lines().map(str::to_owned).collect(), tally)
    }

    #[test]
    fn law_ids_are_handed_back_as_written() {
        for id in
            ["7", "\"a\\u0041\"", "null", "[1, {\"b\":2,\"a\":1}]", "123456789012345678901234567890", "1.50"]
        {
            let (lines, tally) = ask(format!("{{\"n\":3,\"id\":{id}}}\n"));
            assert_eq!(lines, [format!("{{\"id\":{id},\"square\":9}}")]);
            assert_eq!(tally, Tally { lines: 1, refused: 0 });
        }
        assert_eq!(ask("{\"n\":3}").0, ["{\"square\":9}"]);
        assert_eq!(ask("{\"n\":0,\"id\":1}").0, ["{\"id\":1}"], "an answer may be empty");
        assert_eq!(ask("{\"id\":[1,\r2],\"n\":3}").0, ["{\"id\":[1,2],\"square\":9}"]);
    }

    #[test]
    fn law_answers_come_in_the_order_of_the_questions() {
        let count = 3 * BATCH + 17;
        let input: String = (0..count).map(|n| format!("{{\"id\":{n},\"n\":{n}}}\n")).collect();
        let (lines, tally) = ask(input);
        assert_eq!(tally, Tally { lines: count as u64, refused: 0 });
        for (n, line) in lines.iter().enumerate().skip(1) {
            assert_eq!(*line, format!("{{\"id\":{n},\"square\":{}}}", n * n));
        }
    }

    #[test]
    fn law_bad_lines_are_told_and_the_rest_answered() {
        let mut input = Vec::new();
        input.extend_from_slice(
            b"\xef\xbb\xbf{\"id\":1,\"n\":2}\r\n\n  \t\nnonsense\n[1]\n{\"id\":2,\n{\"id\":3}\n",
        );
        input.extend_from_slice(b"{\"id\":4,\"n\":\"\xff\"}\n{\"id\":5,\"n\":1} x\n{\"id\":6,\"n\":");
        input.extend_from_slice(&vec![b' '; LONGEST]);
        input.extend_from_slice(b"1}\n{\"id\":7,\"n\":7}");
        let (lines, tally) = ask(input);
        let empty = r#"{"id":null,"error":"line: got an empty line; accepted: a JSON object"}"#;
        assert_eq!(lines[0], r#"{"id":1,"square":4}"#);
        assert_eq!(lines[1], empty);
        assert_eq!(lines[2], empty);
        assert_eq!(lines[3], r#"{"id":null,"error":"line: got nonsense; accepted: a JSON object"}"#);
        assert_eq!(lines[4], r#"{"id":null,"error":"line: got [1]; accepted: a JSON object"}"#);
        assert!(
            lines[5].starts_with(r#"{"id":2,"error":"line: got text that is not JSON ("#),
            "{}",
            lines[5]
        );
        assert_eq!(lines[6], r#"{"id":3,"error":"fake: n: got nothing; accepted: a number"}"#);
        assert_eq!(
            lines[7],
            r#"{"id":null,"error":"line: got bytes that are not UTF-8; accepted: a JSON object"}"#
        );
        assert!(lines[8].starts_with(r#"{"id":5,"error":"line: got text that is not JSON"#), "{}", lines[8]);
        assert_eq!(
            lines[9],
            r#"{"id":null,"error":"line: got more than 1048576 bytes; accepted: a JSON object"}"#
        );
        assert_eq!(lines[10], r#"{"id":7,"square":49}"#);
        assert_eq!(tally, Tally { lines: 11, refused: 9 });
        for line in &lines {
            serde_json::from_str::<Value>(line).unwrap();
        }
    }

    #[test]
    fn law_only_what_does_not_fit_is_refused() {
        // The fake game asks for as many bytes as the largest number of a batch says.
        let mut out = Vec::new();
        let run = Run { memory: 100, ..Run::default() };
        let input = "{\"id\":1,\"n\":5}\n{\"id\":2,\"n\":101}\n{\"id\":3,\"n\":6}\n";
        let tally = answers(run).all(Cursor::new(input), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], r#"{"id":1,"square":25}"#);
        assert!(lines[1].starts_with(r#"{"id":2,"error":"fake: this needs about 101 B of memory"#));
        assert_eq!(lines[2], r#"{"id":3,"square":36}"#);
        assert_eq!(tally, Tally { lines: 3, refused: 1 });
    }

    #[test]
    fn law_an_interruption_ends_it() {
        let cancel = AtomicBool::new(true);
        let run = Run { cancel: &cancel, ..Run::default() };
        let ended = answers(run).all(Cursor::new("{}\n"), &mut Vec::new());
        assert!(matches!(ended, Err(Failure::Interrupted)));
    }

    #[test]
    fn law_output_that_fails_ends_it() {
        struct Closed(AtomicUsize);
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                self.0.fetch_add(1, Ordering::Relaxed);
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut closed = Closed(AtomicUsize::new(0));
        let ended = answers(Run::default()).all(Cursor::new("{\"n\":1}\n".repeat(10_000)), &mut closed);
        assert!(matches!(&ended, Err(failure) if failure.code() == YES), "{ended:?}");
        assert_eq!(closed.0.load(Ordering::Relaxed), 1);
    }
}
