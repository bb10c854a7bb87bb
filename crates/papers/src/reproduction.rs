//! A paper computed again, part by part: each table, figure or claim runs alone, and what several need is
//! computed once.

use crate::golden::{Comparison, Erratum, Tally};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::cell::OnceCell;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_view::report::Block;

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
    /// How far that answers it.
    pub standing: Standing,
    /// What shows it.
    pub evidence: Evidence,
}

/// How far a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// As far as it was asked.
    Answered,
    /// Some of it.
    Partly,
}

impl Standing {
    /// The word for it, for programs.
    pub fn id(self) -> &'static str {
        match self {
            Standing::Answered => "answered",
            Standing::Partly => "partly",
        }
    }

    /// The words for it.
    pub fn word(self) -> Text {
        match self {
            Standing::Answered => text("answered", "解決"),
            Standing::Partly => text("answered in part", "一部解決"),
        }
    }
}

/// Where an answer can be seen and computed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A study of the game, by its name.
    Study(&'static str),
    /// A part of the reproduction, by its word.
    Part(&'static str),
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
    /// A part that shows something.
    pub fn of(blocks: impl IntoIterator<Item = Block>) -> Piece {
        Piece { blocks: blocks.into_iter().collect(), ..Piece::default() }
    }

    /// The same with something for programs.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Piece {
        self.data(name, value);
        self
    }

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
    ///
    /// # Errors
    /// If the part fails or the run is cancelled.
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
    /// What was computed, or is now.
    ///
    /// # Errors
    /// What `make` fails with; it is not kept.
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

/// How the figures of some parts came out, and what differs of them and of our own claims.
fn tally(pieces: &[(Label, Piece)]) -> (Tally, usize) {
    let mut tally = Tally::default();
    pieces.iter().for_each(|(_, piece)| tally.add(&piece.tally));
    (tally, tally.differing + pieces.iter().map(|(_, piece)| piece.faults).sum::<usize>())
}

/// The JSON of some parts of a game: the same for the same seed, whatever the threads and the machine.
pub fn to_json(game: &str, paper: &str, effort: Effort, seed: u64, pieces: &[(Label, Piece)]) -> Value {
    let mut parts = Vec::new();
    for (label, piece) in pieces {
        let mut part = Map::new();
        part.insert("part".into(), label.id.into());
        part.insert("title".into(), label.title.en.as_ref().into());
        part.extend(piece.json.clone());
        part.insert("compared".into(), piece.tally.compared().into());
        part.insert("differing".into(), (piece.tally.differing + piece.faults).into());
        parts.push(Value::Object(part));
    }
    let (tally, differing) = tally(pieces);
    json!({"game": game, "paper": paper, "effort": if effort == Effort::Full { "full" } else { "quick" },
        "seed": seed, "parts": parts, "compared": tally.compared(), "match": tally.matches,
        "consistent": tally.consistent, "not_tested": tally.untested, "erratum": tally.errata, "open": tally.open,
        "differing": differing, "of_other_programs": tally.programs})
}

/// A line that says how a game came out.
pub fn conclusion(name: &Text, pieces: &[(Label, Piece)]) -> Text {
    let (all, differing) = tally(pieces);
    let (compared, Tally { matches, consistent, untested, errata, open, .. }) = (all.figures(), all);
    // Sampled figures, where there are any.
    let (mut sampled, mut too_small) = (Text::default(), Text::default());
    if consistent > 0 {
        sampled = Text::of(format!(", {consistent} consistent"), format!("、矛盾なし{consistent}"));
    }
    if untested > 0 {
        too_small = Text::of(
            format!(" Not tested, because no sample of ours could tell: {untested}."),
            format!("標本では判定できない公表値：{untested}個。"),
        );
    }
    Text::of(
        format!(
            "{}: {} compared, {differing} differ ({matches} match{}, {errata} errata, {open} open).{}",
            name.en, compared.en, sampled.en, too_small.en
        ),
        format!(
            "{}：{}を比較、不一致{differing}個（一致{matches}{}、訂正{errata}、未解決{open}）。{}",
            name.ja, compared.ja, sampled.ja, too_small.ja
        ),
    )
}

/// What is accepted where parts are named.
pub fn accepted(parts: &[Label]) -> Text {
    Text::same(parts.iter().map(|p| p.id).collect::<Vec<_>>().join(", "))
}
