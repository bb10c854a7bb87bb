//! `games`: what there is.

use super::Session;
use crate::fail::Failure;
use serde_json::{Value, json};
use std::io::Write;
use yomikiri_core::text;
use yomikiri_view::report::{Block, Cell, Outcome, Table, Tone};

/// Lists the games.
pub fn games(session: &Session<'_>, out: &mut dyn Write) -> Result<u8, Failure> {
    let heads = [text("id", "ID"), text("name", "名前"), text("summary", "内容"), text("paper", "論文")];
    let mut table = Table::new(text("", ""), &heads);
    let mut list = Vec::new();
    for game in session.games {
        let about = game.about();
        let paper = session.papers.of(about.id);
        table.row([
            Cell::from(about.id).tone(Tone::Strong),
            about.name.clone().into(),
            about.summary.clone().into(),
            Cell::from(paper.map(|p| p.citation.clone()).unwrap_or_default()).tone(Tone::Dim),
        ]);
        let params: Vec<Value> = game
            .params()
            .iter()
            .map(|p| json!({"name": p.name, "default": p.default, "accepts": p.accepts(), "help": p.help}))
            .collect();
        let studies = session.papers.studies(about.id).iter();
        let studies: Vec<Value> = studies.map(|s| json!({"name": s.name, "summary": s.summary})).collect();
        list.push(json!({"id": about.id, "name": about.name, "summary": about.summary,
            "paper": paper.map(|p| json!({"key": p.key, "citation": p.citation})),
            "rules": about.rules.whole(), "notation": about.notation, "example": about.example, "params": params, "studies": studies}));
    }
    session.show(&Outcome { blocks: vec![Block::Table(table)], json: Value::Array(list), good: true }, out)
}
