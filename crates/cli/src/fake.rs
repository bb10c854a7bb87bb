//! A game small enough to know by heart, for tests of the faces: take one or two stones, whoever takes
//! the last wins.

use serde_json::{Map, Value, json};
use yomikiri_core::random::Random;
use yomikiri_core::rows::{self, Column};
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_games::play::{Made, Mistake, Move, Play, Shown};
use yomikiri_games::{About, Entry, Evaluator, Primer};
use yomikiri_papers::reproduction::{Part, Parts, Piece};
use yomikiri_papers::sweep::{Sweep, sweep};
use yomikiri_papers::{Effort, Paper, Papers, Study};
use yomikiri_view::report::{Block, Outcome};
use yomikiri_view::scene::{Scene, Viewer};

/// The game as the faces see it.
pub static FAKE: Fake = Fake;

/// A list of games that has no other.
pub static ONLY: &[&dyn Entry] = &[&FAKE];

/// The paper on it.
pub static PAPER: Paper = Paper {
    subject: yomikiri_papers::paper::Subject::Game(&FAKE),
    key: "none",
    citation: text("none", "なし"),
    golden: &[],
    reproduction: |effort| Box::new(Parts { shared: effort, parts: &PARTS }),
    cost: 1,
    questions: &[],
    studies: &STUDIES,
    certifier: None,
};

/// A list of papers that has no other.
pub static PAPERS: Papers = Papers(&[&PAPER]);

/// See [`FAKE`].
pub struct Fake;

static ABOUT: About = About {
    id: "fake",
    name: text("Fake", "にせもの"),
    summary: text("stones", "石取り"),
    rules: Primer::brief(text("take stones", "石を取る")),
    notation: text("a number of stones", "石の数"),
    example: "5",
    eval: text("n, a number", "n：数"),
    question: r#"{"n":3}"#,
    players: 2,
};

static PARAMS: [Param; 2] = [
    Param {
        name: "size",
        domain: Domain::Int { min: 1, max: 9 },
        default: "5",
        help: text("stones", "石の数"),
    },
    Param {
        name: "kind",
        domain: Domain::Choice(&[("plain", text("as it is", "普通")), ("odd", text("otherwise", "変則"))]),
        default: "plain",
        help: text("rules", "ルール"),
    },
];

static STUDIES: [Study; 2] = [
    Study { name: "count", summary: text("counts", "数える"), params: &PARAMS, rows: &[], run: count },
    Study { name: "draws", summary: text("draws", "引く"), params: &PARAMS, rows: &COLUMNS, run: draws },
];

static COLUMNS: [Column; 2] = [
    Column { name: "item", kind: rows::CellType::Int, help: text("its number", "番号") },
    Column { name: "drawn", kind: rows::CellType::Text, help: text("what was drawn", "引いたもの") },
];

/// Two parts; the second finds fault in a full run.
static PARTS: [Part<Effort>; 2] = [
    Part {
        id: "one",
        title: text("One", "一"),
        run: |_, run| {
            let mut piece = Piece::default();
            piece.block(Block::Paragraph(Text::same("first")));
            piece.data("seed", run.seed);
            Ok(piece)
        },
    },
    Part {
        id: "two",
        title: text("Two", "二"),
        run: |effort, _| Ok(Piece { faults: usize::from(*effort == Effort::Full), ..Piece::default() }),
    },
];

/// A hundred rows for each stone; says the sum of what was drawn.
fn draws(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let items = 100 * settings.int("size") as u64;
    let sheet = Sweep { what: text("draws", "引く"), columns: &COLUMNS, items, block: 7 };
    let mut sum = 0;
    let item = |_: &mut (), i: u64| {
        let drawn = Random::stream(run.seed, i).below(100);
        Ok(vec![i.into(), drawn.to_string().into()])
    };
    sweep(run, &sheet, || (), item, |_, row| sum += row[1].text().parse::<u64>().unwrap_or(0))?;
    Ok(Outcome { blocks: vec![Block::Paragraph(Text::same(sum.to_string()))], json: json!(sum), good: true })
}

fn count(settings: &Settings, _: &Run<'_>) -> Result<Outcome, Error> {
    let size = settings.int("size");
    let blocks = vec![Block::Paragraph(Text::same(size.to_string()))];
    Ok(Outcome { blocks, json: json!({"size": size}), good: size != 4 })
}

impl Entry for Fake {
    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
        run.check()?;
        count(settings, run)
    }
    fn show(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Outcome, Error> {
        match position {
            None => count(settings, run),
            Some(other) => Err(Refusal::new("position", other, text("none", "なし")).into()),
        }
    }
    fn scene(&self, _: &Settings, position: Option<&str>, _: Viewer, _: &Run<'_>) -> Result<Scene, Error> {
        Err(Refusal::new("position", position.unwrap_or(""), text("none", "なし")).into())
    }
    fn evaluator(&self, _: bool) -> Box<dyn Evaluator> {
        Box::new(Squares)
    }
    fn play(&self, settings: &Settings, _: Option<&str>, _: &Run<'_>) -> Result<Box<dyn Play>, Error> {
        Ok(Box::new(Nim::new(settings.int("size") as u32)))
    }
}

/// Squares numbers; a batch needs as many bytes as its largest number says.
pub struct Squares;

impl Evaluator for Squares {
    fn prepare(&self, requests: &[Map<String, Value>], run: &Run<'_>) -> Result<(), Error> {
        let largest = requests.iter().filter_map(|r| r.get("n")?.as_u64()).max();
        run.fits(largest.unwrap_or(0))
    }
    fn answer(&self, request: &Map<String, Value>, _: &Run<'_>) -> Result<String, Error> {
        match request.get("n").and_then(Value::as_u64) {
            Some(0) => Ok("{}".to_owned()),
            Some(n) => Ok(format!("{{\"square\":{}}}", n * n)),
            None => Err(Refusal::new("n", "nothing", text("a number", "数")).into()),
        }
    }
}

/// A running game.
pub struct Nim {
    stones: u32,
    past: Vec<(u32, u8, u32)>,
    turn: u8,
}

impl Nim {
    /// A game with so many stones.
    pub fn new(stones: u32) -> Nim {
        Nim { stones, past: Vec::new(), turn: 0 }
    }
    fn value(stones: u32, taken: u32) -> f64 {
        if (stones - taken).is_multiple_of(3) { 1.0 } else { -1.0 }
    }
    fn choices(stones: u32) -> impl Iterator<Item = u32> {
        1..=stones.min(2)
    }
    fn best_of(stones: u32) -> u32 {
        Nim::choices(stones).find(|&n| Nim::value(stones, n) > 0.0).unwrap_or(1)
    }
    fn take(&mut self, n: u32) -> Text {
        self.past.push((self.stones, self.turn, n));
        self.stones -= n;
        self.turn = 1 - self.turn;
        Text::of(format!("took {n}"), format!("{n}個取った"))
    }
}

impl Play for Nim {
    fn rules(&self) -> &'static Primer {
        &ABOUT.rules
    }
    fn table(&self) -> Text {
        Text::of(format!("stones: {}", self.stones), format!("石：{}", self.stones))
    }
    fn turn(&self) -> Option<u8> {
        (self.stones > 0).then_some(self.turn)
    }
    fn prompt(&self) -> Text {
        text("how many?", "いくつ？")
    }
    fn board(&self, _: Viewer) -> Scene {
        Scene::default()
    }
    fn scene(&self, viewer: Viewer, _: &Run<'_>) -> Result<Scene, Error> {
        Ok(self.board(viewer))
    }
    fn made(&self, _: Viewer) -> Option<Made> {
        let input = Some(self.past.last()?.2.to_string());
        Some(Made { input, ..Made::default() })
    }
    fn moves(&self, _: &Run<'_>) -> Result<Vec<Move>, Error> {
        let top = Nim::value(self.stones, Nim::best_of(self.stones));
        let moves = Nim::choices(self.stones)
            .map(|n| {
                let value = Nim::value(self.stones, n);
                let shown = Shown { text: Text::same(format!("{value}")), value: Some(value), exact: true };
                let label = Text::of(format!("take {n}"), format!("{n}個取る"));
                Move {
                    input: n.to_string(),
                    label,
                    note: Text::default(),
                    order: 0,
                    value: shown,
                    best: value >= top,
                }
            })
            .collect();
        Ok(moves)
    }
    fn input(&mut self, typed: &str) -> Result<Text, Refusal> {
        match Nim::choices(self.stones).find(|n| n.to_string() == typed) {
            Some(n) => Ok(self.take(n)),
            None => Err(Refusal::new("move", format!("\"{typed}\""), Text::same("1, 2"))),
        }
    }
    fn answer(&mut self, _: &str, _: &Run<'_>) -> Result<Text, Error> {
        Ok(self.take(Nim::best_of(self.stones)))
    }
    fn undo(&mut self, seat: u8) -> bool {
        let Some(at) = self.past.iter().rposition(|p| p.1 == seat) else { return false };
        (self.stones, self.turn) = (self.past[at].0, seat);
        self.past.truncate(at);
        true
    }
    fn mistakes(&self, seat: u8, _: &Run<'_>) -> Result<Vec<Mistake>, Error> {
        let mut mistakes = Vec::new();
        let own = self.past.iter().enumerate().filter(|(_, p)| p.1 == seat);
        for (decision, (at, &(stones, _, n))) in (1..).zip(own) {
            let best = Nim::best_of(stones);
            let lost = Nim::value(stones, best) - Nim::value(stones, n);
            let name = |n: u32| Text::of(format!("take {n}"), format!("{n}個取る"));
            if lost > 0.0 {
                mistakes.push(Mistake { decision, at, played: name(n), best: name(best), lost });
            }
        }
        Ok(mistakes)
    }
    fn result(&self) -> Option<Text> {
        let last = self.past.last().filter(|_| self.stones == 0)?;
        Some(Text::of(
            format!("seat {} took the last stone", last.1 + 1),
            format!("{}番が最後の石を取った", last.1 + 1),
        ))
    }
    fn score(&self, seat: u8) -> Option<f64> {
        let last = self.past.last().filter(|_| self.stones == 0)?;
        Some(if last.1 == seat { 1.0 } else { -1.0 })
    }
    fn record(&self, _: &Run<'_>) -> Result<Value, Error> {
        Ok(json!({"moves": self.past.iter().map(|p| p.2).collect::<Vec<_>>()}))
    }
}
