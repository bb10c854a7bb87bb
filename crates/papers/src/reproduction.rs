//! A paper computed again, part by part: each table, figure or claim runs alone, and what several need is
//! computed once.

use crate::golden::{Comparison, Erratum, Tally};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::cell::OnceCell;
use yomikiri_core::{Error, Run, Text};
use yomikiri_view::report::{Block, Outcome};

/// How much of a reproduction to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Everything that takes seconds.
    Quick,
    /// The papers' own sizes and beyond.
    Full,
}

/// A question that a paper leaves open.
pub struct Question {
    /// What is asked.
    pub asked: Text,
    /// What we know now.
    pub known: Text,
}

/// What a part came to.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Piece {
    /// For people.
    pub blocks: Vec<Block>,
    /// For programs.
    pub json: Map<String, Value>,
    /// How its published figures came out.
    pub tally: Tally,
    /// The slips it found.
    pub errata: Vec<Erratum>,
    /// What else is not as it should be: a claim of ours that fails.
    pub faults: usize,
}

impl Piece {
    /// Whether everything is as it should be.
    pub fn good(&self) -> bool {
        self.tally.differing == 0 && self.faults == 0
    }

    /// Takes a comparison in: its table, its counts and its errata.
    pub fn compared(&mut self, found: Comparison) {
        self.blocks.push(Block::Table(found.table));
        self.tally.add(&found.tally);
        self.errata.extend(found.errata);
        match self.json.entry("tables").or_insert_with(|| json!([])) {
            Value::Array(tables) => tables.push(found.json),
            other => *other = json!([found.json]),
        }
    }

    /// Adds a block.
    pub fn block(&mut self, block: Block) {
        self.blocks.push(block);
    }

    /// Adds something for programs.
    pub fn data(&mut self, name: &str, value: impl Into<Value>) {
        self.json.insert(name.to_owned(), value.into());
    }
}

impl From<Comparison> for Piece {
    fn from(found: Comparison) -> Piece {
        let mut piece = Piece::default();
        piece.compared(found);
        piece
    }
}

/// What a part is called.
#[derive(Clone, Debug)]
pub struct Label {
    /// The word it is called by.
    pub id: &'static str,
    /// What it is.
    pub title: Text,
}

/// A part of a reproduction; `C` holds what the parts of a game share.
pub struct Part<C: 'static> {
    /// The word it is called by: `table-2`, `figure-5`.
    pub id: &'static str,
    /// What it is.
    pub title: Text,
    /// Runs it.
    pub run: fn(&C, &Run<'_>) -> Result<Piece, Error>,
}

/// A paper to be computed again. What one part has computed, others find done.
pub trait Reproduction {
    /// The parts, in the order of the paper.
    fn parts(&self) -> Vec<Label>;
    /// Runs the part at a place in the list.
    fn run(&self, at: usize, run: &Run<'_>) -> Result<Piece, Error>;
}

/// Parts with what they share.
pub struct Parts<C: 'static> {
    /// What they share.
    pub shared: C,
    /// The parts.
    pub parts: &'static [Part<C>],
}

impl<C> Reproduction for Parts<C> {
    fn parts(&self) -> Vec<Label> {
        self.parts.iter().map(|part| Label { id: part.id, title: part.title.clone() }).collect()
    }

    fn run(&self, at: usize, run: &Run<'_>) -> Result<Piece, Error> {
        run.check()?;
        (self.parts[at].run)(&self.shared, run)
    }
}

/// Something computed when it is first asked for.
pub struct Lazy<T>(OnceCell<T>);

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Lazy(OnceCell::new())
    }
}

impl<T> Lazy<T> {
    /// What was computed, or is now; a failure is not kept.
    pub fn get(&self, make: impl FnOnce() -> Result<T, Error>) -> Result<&T, Error> {
        match self.0.get() {
            Some(made) => Ok(made),
            None => {
                let made = make()?;
                Ok(self.0.get_or_init(|| made))
            }
        }
    }
}

/// The JSON of some parts of a game: the same for the same seed, whatever the threads and the machine.
pub fn to_json(game: &str, paper: &str, effort: Effort, seed: u64, pieces: &[(Label, Piece)]) -> Value {
    let mut tally = Tally::default();
    let mut parts = Vec::new();
    for (label, piece) in pieces {
        tally.add(&piece.tally);
        let mut part = Map::new();
        part.insert("part".into(), label.id.into());
        part.insert("title".into(), label.title.en.as_ref().into());
        part.extend(piece.json.clone());
        part.insert("compared".into(), piece.tally.compared().into());
        part.insert("differing".into(), (piece.tally.differing + piece.faults).into());
        parts.push(Value::Object(part));
    }
    let faults: usize = pieces.iter().map(|(_, piece)| piece.faults).sum();
    json!({"game": game, "paper": paper, "effort": if effort == Effort::Full { "full" } else { "quick" },
        "seed": seed, "parts": parts, "compared": tally.compared(), "match": tally.matches,
        "erratum": tally.errata, "open": tally.open, "differing": tally.differing + faults})
}

/// A line that says how a game came out.
pub fn conclusion(name: &Text, pieces: &[(Label, Piece)]) -> Text {
    let mut tally = Tally::default();
    pieces.iter().for_each(|(_, piece)| tally.add(&piece.tally));
    let faults: usize = pieces.iter().map(|(_, piece)| piece.faults).sum();
    let (compared, differing) = (tally.compared(), tally.differing + faults);
    Text::of(
        format!(
            "{}: {compared} published figures compared, {differing} differ ({} match, {} errata, {} open).",
            name.en, tally.matches, tally.errata, tally.open
        ),
        format!(
            "{}：公表値{compared}個を比較、不一致{differing}個（一致{}、訂正{}、未解決{}）。",
            name.ja, tally.matches, tally.errata, tally.open
        ),
    )
}

/// Everything, as one outcome.
pub fn outcome(name: &Text, citation: &Text, json: Value, pieces: Vec<(Label, Piece)>) -> Outcome {
    let good = pieces.iter().all(|(_, piece)| piece.good());
    let last = conclusion(name, &pieces);
    let mut blocks = vec![Block::Heading(Text::of(
        format!("{}: {}", name.en, citation.en),
        format!("{}：{}", name.ja, citation.ja),
    ))];
    blocks.extend(pieces.into_iter().flat_map(|(_, piece)| piece.blocks));
    blocks.push(Block::Paragraph(last));
    Outcome { blocks, json, good }
}

/// The command that recomputes one part alone.
pub fn command(game: &str, part: &str, effort: Effort, seed: u64) -> String {
    let full = if effort == Effort::Full { " --full" } else { "" };
    // The seed is left out where it is the default.
    let seed = if seed == 1 { String::new() } else { format!(" --seed {seed}") };
    format!("yomikiri reproduce {game} --only {part}{full}{seed}")
}

/// What is accepted where parts are named.
pub fn accepted(parts: &[Label]) -> Text {
    let ids = parts.iter().map(|p| p.id).collect::<Vec<_>>().join(", ");
    Text::same(ids)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use yomikiri_core::text;

    struct Context {
        made: Lazy<u32>,
        times: Cell<u32>,
    }

    impl Context {
        fn number(&self) -> Result<u32, Error> {
            self.made
                .get(|| {
                    self.times.set(self.times.get() + 1);
                    Ok(7)
                })
                .copied()
        }
    }

    static PARTS: [Part<Context>; 2] = [
        Part {
            id: "one",
            title: text("One", "一"),
            run: |c, _| {
                let mut piece = Piece::default();
                piece.data("n", c.number()?);
                Ok(piece)
            },
        },
        Part {
            id: "two",
            title: text("Two", "二"),
            run: |c, _| {
                let mut piece = Piece { faults: 1, ..Piece::default() };
                piece.data("n", 2 * c.number()?);
                Ok(piece)
            },
        },
    ];

    #[test]
    fn law_what_parts_share_is_computed_once_and_only_when_needed() {
        let parts = Parts { shared: Context { made: Lazy::default(), times: Cell::new(0) }, parts: &PARTS };
        assert_eq!(parts.parts().iter().map(|l| l.id).collect::<Vec<_>>(), ["one", "two"]);
        assert_eq!(parts.shared.times.get(), 0);
        let run = Run::default();
        let pieces: Vec<(Label, Piece)> =
            parts.parts().into_iter().enumerate().map(|(i, l)| (l, parts.run(i, &run).unwrap())).collect();
        assert_eq!(parts.shared.times.get(), 1);
        let json = to_json("g", "p", Effort::Quick, 1, &pieces);
        assert_eq!((&json["parts"][1]["n"], &json["differing"]), (&json!(14), &json!(1)));
        assert!(pieces[0].1.good() && !pieces[1].1.good());
    }

    #[test]
    fn law_a_piece_is_read_back_as_it_was_written() {
        let mut piece = Piece::default();
        piece.data("x", 0.1 + 0.2);
        piece.block(Block::Paragraph(text("a", "あ")));
        let text = serde_json::to_string(&piece).unwrap();
        let back: Piece = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&back).unwrap(), text);
    }
}
