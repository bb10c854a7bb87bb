//! `check`: whether a certificate proves what it claims, by a checker that shares nothing with the solvers.

use super::Session;
use super::claim::{ANY, Claim, verdict};
use super::proofs;
use crate::fail::Failure;
use clap::ArgMatches;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use yomikiri_api::Watcher;
use yomikiri_check::input::Lines;
use yomikiri_check::{Error, Limits, Proved, Rejection, Side, Words, decimal};
use yomikiri_core::{Run, Text, text};
use yomikiri_proof::Header;
use yomikiri_view::report::{Block, Cell, Outcome, Tone, grouped};

/// Memory of a check where nobody says how much: some sixty times what the program takes to check the upper bound of
/// `certify geister --first two`, 1.9 MB of text (17 MB resident, measured).
const MEMORY: u64 = 1 << 30;

/// Checks a file, and whether what it proves implies a claim.
pub fn check(session: &Session<'_>, matches: &ArgMatches, out: &mut dyn Write) -> Result<u8, Failure> {
    let claim = Claim::read(session, matches)?;
    let standard = || session.pick("standard input", "標準入力").to_owned();
    let path = matches.get_one::<PathBuf>("file").filter(|path| path.as_path() != Path::new("-"));
    let (name, input): (String, Box<dyn Read + Send>) = match path {
        None => (standard(), Box::new(io::stdin())),
        Some(path) => {
            let name = path.display().to_string();
            let file = File::open(path).map_err(|e| Failure::Read(name.clone(), e))?;
            (name, Box::new(file))
        }
    };
    let Run { memory, threads, .. } = session.run;
    let memory = if session.globals.memory_given { memory } else { memory.min(MEMORY) };
    let limits = Limits { memory, threads, ..Limits::default() };
    let stopped = || session.run.check().is_err();
    let mut lines = Lines::new(input, limits.text);
    // What cannot be read is told by whoever reads it in earnest.
    if let Some(header) = lines.peek(&stopped).ok().flatten().and_then(Header::read) {
        return proofs::check(session, &name, &header, lines, &claim, out);
    }
    let outcome = match yomikiri_check::check_lines(lines, &limits, &Watcher(&session.run)) {
        Ok(proved) => claim.judge(&name, &proved),
        Err(Error::Rejected(rejection)) => rejected(&name, &rejection),
        Err(Error::Stopped) => return Err(Failure::Interrupted),
        Err(error @ Error::Memory { .. }) => {
            let said = Text::of(
                format!("{}; --memory sets the limit", error.en()),
                format!("{}（上限は --memory で変えられます）", error.ja()),
            );
            return Err(Failure::Unreadable(name, said));
        }
        Err(error) => return Err(Failure::Unreadable(name, Text::of(error.en(), error.ja()))),
    };
    session.show(&outcome, out)
}

impl Claim {
    /// What is claimed and not proved.
    fn unproved(&self, proved: &Proved) -> Option<Text> {
        if !proved.start && self.about.as_deref() != Some(ANY) {
            return Some(text(
                "nothing is proved on the start: entry 0 is another position (--about any accepts that)",
                "項目 0 が別の局面なので、初期局面については何も証明されていません（--about any なら受け付けます）",
            ));
        }
        if let Some(about) = self.about.as_ref().filter(|about| *about != ANY && *about != proved.subject()) {
            let (is, Words { en, ja }) = (proved.subject(), proved.position());
            return Some(Text::of(
                format!("the claim is about {about}, and the certificate is about {is}: {en}"),
                format!("主張は {about} についてのものですが、証明書は {is}（{ja}）についてのものです"),
            ));
        }
        let bound = self.bound.as_ref().filter(|bound| !proved.implies(bound))?;
        let (sign, said) = (sign(proved.side), &proved.bound);
        Some(Text::of(
            format!("the claim {sign} {bound} does not follow from {sign} {said}"),
            format!("{sign} {said} から主張 {sign} {bound} は導けません"),
        ))
    }

    fn judge(&self, file: &str, proved: &Proved) -> Outcome {
        let unproved = self.unproved(proved);
        let good = unproved.is_none();
        let (sign, bound) = (sign(proved.side), &proved.bound);
        let mut facts = vec![(text("file", "ファイル"), Cell::from(crate::fail::printable(file)))];
        facts.push((text("verdict", "判定"), verdict(good)));
        if let Some(why) = &unproved {
            facts.push((text("reason", "理由"), why.clone().into()));
        }
        let both = |words: Words| text(words.en, words.ja);
        facts.push((text("position", "局面"), both(proved.position()).into()));
        facts.push((text("about", "対象"), proved.subject().into()));
        let value = format!("{sign} {bound} ({sign} {})", decimal(bound, proved.side));
        facts.push((both(proved.quantity()), Cell::from(value).tone(Tone::Strong)));
        facts.push((text("entries", "項目"), grouped(proved.entries).into()));
        facts.push((text("uses", "使用"), grouped(proved.uses).into()));
        let mut blocks = vec![Block::Facts(facts)];
        if !proved.start {
            blocks.push(Block::Paragraph(text(
                "Every entry is right, but entry 0 is not the start: nothing is proved on the start.",
                "どの項目も正しいのですが、項目 0 が初期局面ではないので、初期局面については何も証明されていません。",
            )));
        }
        let json = json!({
            "file": file,
            "accepted": good,
            "reason": unproved.map_or(Value::Null, |why| json!({"code": "claim", "en": why.en, "ja": why.ja})),
            "line": null,
            "entry": null,
            "proved": {
                "side": match proved.side { Side::Upper => "upper", Side::Lower => "lower" },
                "about": proved.subject(),
                "bound": bound.to_string(),
                "start": proved.start,
                "entries": proved.entries,
                "uses": proved.uses,
            },
            "claim": {
                "bound": self.bound.as_ref().map(ToString::to_string),
                "about": self.about,
            },
        });
        Outcome { blocks, json, good }
    }
}

fn rejected(file: &str, rejection: &Rejection) -> Outcome {
    let why = Text::of(rejection.en(), rejection.ja());
    let facts = vec![
        (text("file", "ファイル"), Cell::from(crate::fail::printable(file))),
        (text("verdict", "判定"), verdict(false)),
        (text("reason", "理由"), why.into()),
    ];
    let reason = &rejection.reason;
    let json = json!({
        "file": file,
        "accepted": false,
        "reason": {"code": reason.code(), "en": reason.en(), "ja": reason.ja()},
        "line": rejection.line,
        "entry": rejection.entry,
        "proved": null,
    });
    Outcome { blocks: vec![Block::Facts(facts)], json, good: false }
}

fn sign(side: Side) -> &'static str {
    match side {
        Side::Upper => "≤",
        Side::Lower => "≥",
    }
}
