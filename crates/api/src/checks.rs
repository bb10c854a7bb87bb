//! What the checkers of certificates and of proofs are given by whoever runs them: the lines of a file, and a way to say
//! how it goes on and to be stopped.

use yomikiri_check::input::{self, Next};
use yomikiri_check::{Stage, Watch};
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_proof::{Fault, LONGEST, Lines};

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
