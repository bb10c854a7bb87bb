//! The checkers of certificates and of proofs.

use crate::run::{Options, work};
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::fs::File;
use std::path::PathBuf;
use yomikiri_api::{ProofLines, Watcher};
use yomikiri_check::input::Lines;
use yomikiri_check::{Limits, Side};
use yomikiri_core::{Error, Run};
use yomikiri_games::params::Settings;
use yomikiri_proof::{Fault, Header, Shows};
use yomikiri_shelf::find;

/// What a check can end with: a verdict, or something that keeps it from one.
enum Ended {
    Verdict(Value),
    Stopped,
    Unreadable(String),
    Memory(String),
}

/// Checks a file; whether it is accepted, why not, and what it proves, as JSON.
#[pyfunction]
pub fn check(py: Python<'_>, path: PathBuf, options: Options) -> PyResult<String> {
    let name = path.display().to_string();
    let file = File::open(&path).map_err(|e| PyOSError::new_err(format!("{name}: {e}")))?;
    let ended = work(py, &options, move |run| {
        let limits = Limits { memory: run.memory, threads: run.threads, ..Limits::default() };
        let mut lines = Lines::new(Box::new(file), limits.text);
        let stopped = || run.check().is_err();
        let header = lines.peek(&stopped).ok().flatten().and_then(Header::read);
        match header {
            Some(header) => by_rules(&header, lines, run),
            None => Ok(certificate(lines, &limits, run)),
        }
    })?;
    match ended {
        Ended::Verdict(verdict) => Ok(verdict.to_string()),
        Ended::Stopped => Err(PyKeyboardInterrupt::new_err(())),
        Ended::Unreadable(why) => Err(PyValueError::new_err(format!("{name}: {why}"))),
        Ended::Memory(why) => Err(PyMemoryError::new_err(format!("{name}: {why}"))),
    }
}

fn by_rules(header: &Header, lines: Lines, run: &Run<'_>) -> Result<Ended, Error> {
    let Some(game) = find(&header.game) else {
        return Ok(Ended::Unreadable(format!("it is about \"{}\", and there is no such game", header.game)));
    };
    if header.version != 1 {
        return Ok(Ended::Unreadable(format!("it has version {}; accepted: 1", header.version)));
    }
    let given = header.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let settings = Settings::new(game.params(), given)?;
    let after = ProofLines::after_header(lines, run);
    match after.and_then(|mut lines| game.check(&settings, &header.kind, &mut lines, run)) {
        Ok(proved) => {
            let bounds: Vec<Value> =
                proved.bounds.iter().map(|(low, high)| json!([low.to_string(), high.to_string()])).collect();
            Ok(Ended::Verdict(json!({
                "accepted": true, "reason": null, "line": null,
                "proved": {"kind": header.kind, "game": header.game, "bounds": bounds, "exact": proved.exact(),
                    "shows": if proved.shows == Shows::Profile { "profile" } else { "value" },
                    "positions": proved.positions},
            })))
        }
        Err(Fault::Rejected { line, reason }) => Ok(Ended::Verdict(
            json!({"accepted": false, "reason": reason.en, "line": line + 1, "proved": null}),
        )),
        Err(Fault::Failed(error)) => Err(error),
    }
}

fn certificate(lines: Lines, limits: &Limits, run: &Run<'_>) -> Ended {
    match yomikiri_check::check_lines(lines, limits, &Watcher(run)) {
        Ok(proved) => Ended::Verdict(json!({
            "accepted": proved.start,
            "reason": if proved.start { None } else { Some("nothing is proved on the start: entry 0 is another position") },
            "line": null,
            "proved": {"kind": "certificate", "game": "geister", "about": proved.subject(), "start": proved.start,
                "side": if proved.side == Side::Upper { "upper" } else { "lower" },
                "bound": proved.bound.to_string(), "entries": proved.entries, "uses": proved.uses},
        })),
        Err(yomikiri_check::Error::Rejected(rejection)) => Ended::Verdict(json!({
            "accepted": false, "reason": rejection.reason.en(), "line": rejection.line, "proved": null,
        })),
        Err(yomikiri_check::Error::Stopped) => Ended::Stopped,
        Err(error @ yomikiri_check::Error::Memory { .. }) => Ended::Memory(error.en()),
        Err(error) => Ended::Unreadable(error.en()),
    }
}
