//! `rules`: how a game is played.

use super::{Session, of};
use crate::fail::Failure;
use serde_json::{Map, Value, json};
use std::io::Write;
use yomikiri_core::{Text, text};
use yomikiri_games::params::Settings;
use yomikiri_games::{Entry, Primer};
use yomikiri_view::report::{Block, Cell, Outcome, Tone};

/// The rules as lines with their headings.
pub fn told(rules: &Primer) -> Block {
    let line = |(_, head, words): (&str, Text, &Text)| (head, Cell::from(words.clone()));
    Block::Facts(rules.parts().map(line).collect())
}

/// Says how a game is played, and draws its start and an example.
pub fn rules(session: &Session<'_>, game: &'static dyn Entry, out: &mut dyn Write) -> Result<u8, Failure> {
    let about = game.about();
    let settings = Settings::new(game.params(), [])?;
    let example = Text::of(format!("Example: {}", about.example), format!("例：{}", about.example));
    let mut blocks = vec![Block::Heading(about.name.clone()), told(&about.rules)];
    for (head, position) in [(text("The start", "初期局面"), None), (example, Some(about.example))] {
        let drawn = game.draw(&settings, position, &session.run).map_err(of(game))?;
        if !drawn.is_empty() {
            blocks.extend([Block::Heading(head), Block::Drawing(drawn)]);
        }
    }
    let command = Cell::from(format!("yomikiri play {}", about.id)).tone(Tone::Strong);
    blocks.push(Block::Facts(vec![
        (text("Positions", "局面の書き方"), about.notation.clone().into()),
        (text("Play", "対局"), command),
    ]));
    let parts: Map<String, Value> =
        about.rules.parts().map(|(word, _, words)| (word.to_owned(), json!(words))).collect();
    let json = json!({"game": about.id, "name": about.name, "rules": parts,
        "notation": about.notation, "example": about.example});
    session.show(&Outcome { blocks, json, good: true }, out)
}
