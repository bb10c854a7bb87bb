//! `eval`: JSON Lines in, JSON Lines out, in the same order. Lines are answered in batches on all
//! threads; whatever is there when no more input waits is answered at once, so that a program can ask
//! one question at a time.

use super::Session;
use super::table::Named;
use crate::fail::{ERROR, Failure, YES};
use crate::lines::{Chunk, Lines, Next};
use clap::ArgMatches;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use yomikiri_core::{Error, Text};
use yomikiri_games::Entry;
use yomikiri_games::eval::{Answers, BATCH};

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
    let tables = Named::open(session, game, matches)?;
    let run = tables.run(session);
    let evaluator = game.evaluator(matches.get_flag("exact"));
    let evaluator = evaluator.as_ref();
    let answers = Answers { game: game.about().id, evaluator, run, lang: session.look.lang };
    let tally = Lasting(answers).all(BufReader::with_capacity(1 << 20, input), out);
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

/// Answers lines as they come.
struct Lasting<'a>(Answers<'a>);

impl Lasting<'_> {
    fn all(&self, input: impl BufRead + Send + 'static, out: &mut dyn Write) -> Result<Tally, Failure> {
        let Answers { game, run, .. } = self.0;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(run.threads)
            .build()
            .map_err(|e| Failure::Game(game, Error::Threads(e.to_string())))?;
        let mut lines = Lines::new(input);
        let mut tally = Tally::default();
        let mut first = true;
        loop {
            let mut chunks: Vec<Chunk> = Vec::new();
            match lines.wait(run.cancel).map_err(|e| Failure::Read(String::new(), e))? {
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
                tally.refused += pool
                    .install(|| self.0.batch(batch))
                    .map_err(|e| Failure::Game(game, e))
                    .and_then(|(texts, refused)| {
                        for text in texts {
                            out.write_all(text.as_bytes())?;
                        }
                        Ok(refused)
                    })?;
                run.check().map_err(|_| Failure::Interrupted)?;
            }
            out.flush()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::Squares;
    use serde_json::Value;
    use std::io::Cursor;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use yomikiri_core::{Lang, Run};
    use yomikiri_games::eval::LONGEST;

    fn answers(run: Run<'_>) -> Lasting<'_> {
        Lasting(Answers { game: "fake", evaluator: &Squares, run, lang: Lang::En })
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
