//! `study`: the named experiments of a game.

use super::{Session, of};
use crate::args::settings;
use crate::fail::Failure;
use clap::ArgMatches;
use serde_json::{Value, json};
use std::io::Write;
use yomikiri_core::text;
use yomikiri_games::Entry;
use yomikiri_games::report::{Block, Cell, Outcome, Table, Tone};

/// Runs a study, or lists them if none is named.
pub fn study(
    session: &Session<'_>,
    game: &'static dyn Entry,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let named = matches.subcommand();
    let found = named.and_then(|(name, m)| Some((game.studies().iter().find(|s| s.name == name)?, m)));
    let Some((study, matches)) = found else { return session.show(&list(game), out) };
    let settings = settings(game.about().id, study.params, matches)?;
    let outcome = (study.run)(&settings, &session.run).map_err(of(game))?;
    session.show(&outcome, out)
}

fn list(game: &dyn Entry) -> Outcome {
    let heads = [text("study", "実験"), text("parameters", "パラメータ"), text("summary", "内容")];
    let mut table = Table::new(text("", ""), &heads);
    let mut all = Vec::new();
    for study in game.studies() {
        let params: Vec<&str> = study.params.iter().map(|p| p.name).collect();
        table.row([
            Cell::from(study.name).tone(Tone::Strong),
            params.iter().map(|p| format!("--{p}")).collect::<Vec<_>>().join(" ").into(),
            study.summary.clone().into(),
        ]);
        all.push(json!({"name": study.name, "summary": study.summary, "params": params}));
    }
    let block = if all.is_empty() {
        Block::Paragraph(text("This game has no studies.", "このゲームに実験はありません。"))
    } else {
        Block::Table(table)
    };
    Outcome { blocks: vec![block], json: Value::Array(all), good: true }
}
