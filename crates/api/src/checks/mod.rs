//! Certificates and proofs, checked by code that shares nothing with the solvers: what the checkers are given by whoever
//! runs them (the lines of a file, a way to say how it goes on and to be stopped), and what they find.

mod certificate;
mod proof;

use crate::answer::Content;
use crate::job::Title;
use crate::{Api, Reply, Request, report};
use serde_json::json;
use std::io::{Cursor, Read};
use std::sync::Arc;
use yomikiri_check::input::{self, Next};
use yomikiri_check::{BigRational, Limits, Stage, Watch};
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_games::Entry;
use yomikiri_proof::{Fault, Header, LONGEST, Lines};
use yomikiri_view::report::{Cell, Outcome, Tone};

/// The word for a claim about whatever position a certificate is about.
pub const ANY: &str = "any";

/// What is said to be proved.
#[derive(Clone, Debug, Default)]
pub struct Claim {
    /// The bound or value.
    pub bound: Option<BigRational>,
    /// The word for what it is about.
    pub about: Option<String>,
}

/// Why there is no verdict.
pub enum Unchecked {
    /// It cannot be read, or is no certificate and no proof.
    Unreadable(Text),
    /// It takes more memory than it may.
    Memory(Text),
    /// The rules of the game it is about could not be asked.
    Failed(&'static dyn Entry, Error),
    /// Somebody stopped it.
    Stopped,
}

/// Checks a certificate or a proof, and whether what it shows implies a claim.
///
/// # Errors
/// Why there is no verdict.
pub fn check(
    games: &[&'static dyn Entry],
    input: impl Read + Send + 'static,
    limits: &Limits,
    claim: &Claim,
    run: &Run<'_>,
) -> Result<Outcome, Unchecked> {
    use yomikiri_check::Error;
    let stopped = || run.check().is_err();
    let mut lines = input::Lines::new(input, limits.text);
    // What cannot be read is told by whoever reads it in earnest.
    if let Some(header) = lines.peek(&stopped).ok().flatten().and_then(Header::read) {
        return proof::check(games, &header, lines, claim, run);
    }
    match yomikiri_check::check_lines(lines, limits, &Watcher(run)) {
        Ok(proved) => Ok(claim.judge(&proved)),
        Err(Error::Rejected(rejection)) => Ok(certificate::rejected(&rejection)),
        Err(Error::Stopped) => Err(Unchecked::Stopped),
        Err(error @ Error::Memory { .. }) => Err(Unchecked::Memory(Text::of(error.en(), error.ja()))),
        Err(error) => Err(Unchecked::Unreadable(Text::of(error.en(), error.ja()))),
    }
}

/// Whether it was accepted, in a word.
fn verdict(good: bool) -> Cell {
    if good {
        Cell::from(text("accepted", "合格")).tone(Tone::Good)
    } else {
        Cell::from(text("rejected", "不合格")).tone(Tone::Bad)
    }
}

/// `POST /api/check`
pub fn route(api: &Arc<Api>, ask: Request) -> Result<Reply, crate::Fault> {
    ask.only(&[])?;
    let title = Title {
        kind: "request",
        game: "",
        title: text("a proof", "証明"),
        command: "yomikiri check FILE".to_owned(),
        seed: api.config.seed,
    };
    api.compute(title, ask, |api, ask, run| {
        // A file that came as a body is in memory already.
        let input = Cursor::new(ask.body.clone());
        let limits = Limits { memory: run.memory, threads: run.threads, ..Limits::default() };
        let outcome = check(api.config.games, input, &limits, &Claim::default(), run).map_err(fault)?;
        let (blocks, _) = report::blocks("", 0, &outcome.blocks);
        Ok(Content::json(&json!({"good": outcome.good, "blocks": blocks, "json": outcome.json})))
    })
}

fn fault(unchecked: Unchecked) -> crate::Fault {
    match unchecked {
        Unchecked::Unreadable(why) => {
            let accepts =
                text("a certificate or a proof, plain, xz or zstd", "証明書または証明（そのまま、xz、zstd）");
            let refusal = Refusal::of("file", why.clone(), accepts);
            crate::Fault { refusal: Some(refusal), ..crate::Fault::new(400, "refused", why) }
        }
        Unchecked::Memory(why) => crate::Fault::new(422, "memory", why),
        Unchecked::Failed(game, error) => crate::Fault::of(game.about().id, error),
        Unchecked::Stopped => crate::Fault::cancelled(),
    }
}

/// The lines of a proof after its header.
pub struct ProofLines<'a> {
    lines: input::Lines,
    run: &'a Run<'a>,
}

impl<'a> ProofLines<'a> {
    /// Leaves out the header, which has been looked at.
    ///
    /// # Errors
    /// What reading fails with.
    pub fn after_header(lines: input::Lines, run: &'a Run<'a>) -> Result<ProofLines<'a>, Fault> {
        let mut after = ProofLines { lines: lines.longest(LONGEST), run };
        after.next()?;
        Ok(after)
    }
}

impl Lines for ProofLines<'_> {
    fn next(&mut self) -> Result<Option<&[u8]>, Fault> {
        let stopped = || self.run.check().is_err();
        match self.lines.next(&stopped) {
            Ok(Next::Line(line)) => Ok(Some(line)),
            Ok(Next::End) => Ok(None),
            Ok(Next::TooLong) => {
                let reason = Text::of(
                    format!("a line is longer than {LONGEST} bytes"),
                    format!("{LONGEST} バイトを超える行があります"),
                );
                Err(Fault::Rejected { line: 0, reason })
            }
            Err(yomikiri_check::Error::Stopped) => Err(Error::Cancelled.into()),
            Err(error) => Err(Fault::Rejected { line: 0, reason: Text::of(error.en(), error.ja()) }),
        }
    }
}

/// A run that is told how a check of a certificate goes on, and can stop it.
pub struct Watcher<'a>(pub &'a Run<'a>);

impl Watch for Watcher<'_> {
    fn begin(&self, stage: Stage, entries: u64) {
        let what = match stage {
            Stage::Reading => text("reading entries", "項目を読む"),
            Stage::Checking => text("checking entries", "項目を検査する"),
            Stage::Circles => text("looking for circles", "循環を探す"),
        };
        self.0.observer.begin(&what, entries);
    }
    fn done(&self, entries: u64) {
        self.0.observer.done(entries);
    }
    fn end(&self) {
        self.0.observer.end();
    }
    fn stopped(&self) -> bool {
        self.0.check().is_err()
    }
}
