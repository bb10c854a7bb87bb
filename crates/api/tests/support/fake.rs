//! A game for tests: take one or two stones, the last one wins. Its parameter `mood` makes it slow, greedy for memory
//! or faulty on demand.

use serde_json::{Map, Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use yomikiri_core::random::Random;
use yomikiri_core::rows::{self, Column};
use yomikiri_core::run::Estimate;
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_games::play::{Made, Mistake, Move, Play, Shown};
use yomikiri_games::{About, Entry, Evaluator, Primer};
use yomikiri_papers::reproduction::{Part, Parts, Piece};
use yomikiri_papers::sweep::{Sweep, sweep_live};
use yomikiri_papers::{Paper, Papers, Study};
use yomikiri_view::report::{Bars, Block, Cell, Outcome, Plot, Series, Table};
use yomikiri_view::scene::{self, Item, Scene, Seat, Shape, Viewer, Zone};

/// Slow computations that are running now.
pub static SLOW: AtomicUsize = AtomicUsize::new(0);
/// Moves made by anybody, to see what is played again.
pub static MADE: AtomicUsize = AtomicUsize::new(0);

/// The game.
pub struct Stones;

/// The game as a server is given it.
pub static GAMES: &[&dyn Entry] = &[&Stones];

thread_local! {
    /// How often games were put aside by this thread.
    pub static RESTS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The paper on it.
static PAPER: Paper = Paper {
    subject: yomikiri_papers::paper::Subject::Game(&Stones),
    key: "none",
    citation: text("none", "なし"),
    golden: &[],
    reproduction: |_| Box::new(Parts { shared: (), parts: &PARTS }),
    cost: 1,
    questions: &[],
    studies: &STUDIES,
    certifier: None,
};

/// The papers as a server is given them.
pub static PAPERS: Papers = Papers(&[&PAPER]);

static ABOUT: About = About {
    id: "stones",
    name: text("Stones", "石取り"),
    summary: text("take stones", "石を取る"),
    rules: Primer::brief(text("take stones", "石を取る")),
    notation: text("a number of stones", "石の数"),
    example: "7",
    eval: text("n, a number", "n：数"),
    question: r#"{"n":3}"#,
    players: 2,
};

static PARAMS: [Param; 2] = [
    Param {
        name: "size",
        domain: Domain::Int { min: 1, max: 99 },
        default: "9",
        help: text("stones", "石の数"),
    },
    Param {
        name: "mood",
        domain: Domain::Choice(&[
            ("plain", text("as it is", "普通")),
            ("slow", text("until it is stopped", "止められるまで")),
            ("brief", text("half a second", "半秒")),
            ("panic", text("a mistake", "誤り")),
            ("huge", text("too much", "多すぎ")),
        ]),
        default: "plain",
        help: text("how it feels", "気分"),
    },
];

static STUDIES: [Study; 2] = [
    Study { name: "plain", summary: text("counts", "数える"), params: &PARAMS, rows: &[], run: plain },
    Study { name: "draws", summary: text("draws", "引く"), params: &DRAWS, rows: &COLUMNS, run: draws },
];

static DRAWS: [Param; 2] = [
    Param {
        name: "items",
        domain: Domain::Int { min: 1, max: 100_000 },
        default: "40",
        help: text("rows", "行"),
    },
    Param {
        name: "pause",
        domain: Domain::Int { min: 0, max: 1000 },
        default: "0",
        help: text("milliseconds an item", "1行のミリ秒"),
    },
];

static COLUMNS: [Column; 2] = [
    Column { name: "item", kind: rows::CellType::Int, help: text("its number", "番号") },
    Column { name: "drawn", kind: rows::CellType::Int, help: text("what was drawn", "引いたもの") },
];

static PARTS: [Part<()>; 2] = [
    Part {
        id: "one",
        title: text("One", "一"),
        run: |(), run| {
            run.check()?;
            let mut piece = Piece::default();
            piece.block(Block::Table(numbers()));
            Ok(piece)
        },
    },
    Part {
        id: "slow",
        title: text("Slow", "遅い"),
        run: |(), run| {
            slow(run, Duration::from_secs(600))?;
            Ok(Piece::default())
        },
    },
];

fn numbers() -> Table {
    let mut table = Table::new(text("Numbers", "数"), &[text("name", "名"), text("n>", "n>")]);
    table.row([Cell::from("a, b"), Cell::from("1,234")]);
    table
}

/// Works until it is stopped, or for a time.
fn slow(run: &Run<'_>, most: Duration) -> Result<(), Error> {
    struct Running;
    impl Drop for Running {
        fn drop(&mut self) {
            SLOW.fetch_sub(1, Ordering::SeqCst);
        }
    }
    SLOW.fetch_add(1, Ordering::SeqCst);
    let _running = Running;
    run.observer.begin(&text("waiting", "待つ"), 1000);
    let begun = std::time::Instant::now();
    let mut steps = 0;
    while begun.elapsed() < most {
        run.check()?;
        std::thread::sleep(Duration::from_millis(2));
        steps += 1;
        run.observer.done(steps);
    }
    run.observer.end();
    Ok(())
}

fn feel(settings: &Settings, run: &Run<'_>) -> Result<(), Error> {
    match settings.word("mood") {
        "slow" => slow(run, Duration::from_secs(600)),
        "brief" => slow(run, Duration::from_millis(500)),
        "panic" => panic!("on demand"),
        "huge" => run.fits(u64::MAX),
        _ => run.check(),
    }
}

fn plain(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    feel(settings, run)?;
    let mut plot = Plot::new(text("Points", "点"), text("x", "x"), text("y", "y"));
    let points = [(0.0, 1.0), (1.0, 3.0), (2.0, 2.0)];
    plot.series.push(Series::new(text("line", "線"), yomikiri_view::report::Draw::Line, points));
    let bars = Bars {
        title: text("Bars", "棒"),
        note: text("", ""),
        x: text("x", "x"),
        y: text("y", "y"),
        series: vec![text("s", "系列")],
        bars: vec![(text("a", "あ"), vec![1.0]), (text("b", "い"), vec![2.0])],
    };
    let blocks = vec![
        Block::Heading(text("Stones", "石")),
        Block::Facts(vec![(text("size", "数"), Cell::from("9"))]),
        Block::Table(numbers()),
        Block::Plot(plot),
        Block::Bars(bars),
        Block::Scene {
            caption: text("The start", "初期局面"),
            scenes: vec![picture(9, 0)],
            plain: text("", ""),
        },
        Block::Drawing(Text::same("ooo")),
    ];
    Ok(Outcome { blocks, json: json!({"size": settings.int("size")}), good: true })
}

fn draws(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let items = settings.int("items") as u64;
    let pause = Duration::from_millis(settings.int("pause") as u64);
    let sheet = Sweep { what: text("draws", "引く"), columns: &COLUMNS, items, block: 5 };
    let (sum, count) = (std::cell::Cell::new(0), std::cell::Cell::new(0u32));
    let item = |_: &mut (), i: u64| {
        std::thread::sleep(pause);
        Ok(vec![i.into(), Random::stream(run.seed, i).below(100).into()])
    };
    let fold = |_: u64, row: &[rows::Cell]| {
        sum.set(sum.get() + row[1].int());
        count.set(count.get() + 1);
    };
    let live = || {
        let value = sum.get() as f64 / f64::from(count.get().max(1));
        let (name, text) = (text("mean", "平均"), Text::same(format!("{value:.2}")));
        vec![Estimate { name, value, low: value - 5.0, high: value + 5.0, text, published: Some(49.5) }]
    };
    sweep_live(run, &sheet, || (), item, fold, live)?;
    let blocks = vec![Block::Paragraph(Text::same(sum.get().to_string())), Block::Table(numbers())];
    Ok(Outcome { blocks, json: json!({"sum": sum.get()}), good: true })
}

fn stones(settings: &Settings, position: Option<&str>) -> Result<u32, Error> {
    let accepts = text("a number of stones from 0 to 99", "0～99の石の数");
    match position {
        None => Ok(settings.int("size") as u32),
        Some(given) => match given.parse() {
            Ok(n @ 0..=99) => Ok(n),
            _ => Err(Refusal::new("position", format!("\"{given}\""), accepts).into()),
        },
    }
}

fn picture(stones: u32, turn: u8) -> Scene {
    let items = (0..stones).map(|n| Item::num(format!("s{n}"), n, None)).collect();
    Scene {
        v: scene::VERSION,
        game: "stones".into(),
        title: ABOUT.name.clone(),
        variant: text("plain", "普通"),
        seats: vec![Seat::named(text("A", "A")), Seat::named(text("B", "B"))],
        turn: (stones > 0).then_some(turn),
        zones: vec![Zone::new("heap", Shape::Hand, text("", ""), items)],
        layout: vec![vec!["heap".into()]],
        moves: (1..=stones.min(2))
            .map(|n| scene::Move::new(n.to_string(), Text::same(n.to_string())))
            .collect(),
        notation: stones.to_string(),
        ..Scene::default()
    }
}

fn valued(stones: u32, turn: u8) -> Scene {
    let mut scene = picture(stones, turn);
    scene.scale = Some(scene::Scale::around([-1.0, 1.0], 0.0, text("wins", "勝ち")));
    let moves = std::mem::take(&mut scene.moves).into_iter().zip(1..).map(|(mut m, n)| {
        let x = worth(stones, n);
        m.value = Some(scene::Value {
            x,
            text: Text::same(scene::signed(x)),
            sub: Text::default(),
            tone: scene::Tone::of(x, 0.0),
            cert: yomikiri_view::report::Certainty::Exact,
            interval: None,
            mark: None,
        });
        (m, x)
    });
    let top = (1..=stones.min(2)).map(|n| worth(stones, n)).fold(-1.0, f64::max);
    scene.moves = scene::ranked(moves.collect(), |x| *x, |x| *x >= top);
    scene
}

fn worth(stones: u32, taken: u32) -> f64 {
    if (stones - taken).is_multiple_of(3) { 1.0 } else { -1.0 }
}

impl Entry for Stones {
    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
        plain(settings, run)
    }
    fn show(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Outcome, Error> {
        let stones = stones(settings, position)?;
        feel(settings, run)?;
        Ok(Outcome { blocks: Vec::new(), json: json!({"stones": stones}), good: true })
    }
    fn scene(
        &self,
        settings: &Settings,
        position: Option<&str>,
        _: Viewer,
        run: &Run<'_>,
    ) -> Result<Scene, Error> {
        let stones = stones(settings, position)?;
        feel(settings, run)?;
        Ok(valued(stones, 0))
    }
    fn evaluator(&self, _: bool) -> Box<dyn Evaluator> {
        Box::new(Squares)
    }
    fn play(
        &self,
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<Box<dyn Play>, Error> {
        feel(settings, run)?;
        Ok(Box::new(Nim { stones: stones(settings, position)?, past: Vec::new(), turn: 0 }))
    }
}

struct Squares;

impl Evaluator for Squares {
    fn answer(&self, request: &Map<String, Value>, _: &Run<'_>) -> Result<String, Error> {
        match request.get("n").and_then(Value::as_u64) {
            Some(n) if n < 1 << 31 => Ok(format!("{{\"square\":{}}}", n * n)),
            _ => {
                let got = request.get("n").map_or("nothing".to_owned(), Value::to_string);
                Err(Refusal::new("n", got, text("a number below 2^31", "2^31未満の数")).into())
            }
        }
    }
}

struct Nim {
    stones: u32,
    past: Vec<(u32, u8, u32)>,
    turn: u8,
}

impl Nim {
    fn best_of(stones: u32) -> u32 {
        (1..=stones.min(2)).find(|&n| worth(stones, n) > 0.0).unwrap_or(1)
    }
    fn take(&mut self, n: u32) -> Text {
        MADE.fetch_add(1, Ordering::SeqCst);
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
        Text::same(self.stones.to_string())
    }
    fn board(&self, _: Viewer) -> Scene {
        picture(self.stones, self.turn)
    }
    fn scene(&self, _: Viewer, _: &Run<'_>) -> Result<Scene, Error> {
        Ok(valued(self.stones, self.turn))
    }
    fn made(&self, _: Viewer) -> Option<Made> {
        let input = Some(self.past.last()?.2.to_string());
        Some(Made { input, ..Made::default() })
    }
    fn turn(&self) -> Option<u8> {
        (self.stones > 0).then_some(self.turn)
    }
    fn prompt(&self) -> Text {
        text("how many?", "いくつ？")
    }
    fn rest(&mut self) {
        RESTS.set(RESTS.get() + 1);
    }
    fn moves(&self, _: &Run<'_>) -> Result<Vec<Move>, Error> {
        let moves = (1..=self.stones.min(2)).map(|n| {
            let value = worth(self.stones, n);
            let shown = Shown { text: Text::same(value.to_string()), value: Some(value), exact: true };
            Move {
                input: n.to_string(),
                note: Text::default(),
                order: 0,
                label: Text::same(n.to_string()),
                value: shown,
                best: value > 0.0,
            }
        });
        Ok(moves.collect())
    }
    fn input(&mut self, typed: &str) -> Result<Text, Refusal> {
        match (1..=self.stones.min(2)).find(|n| n.to_string() == typed) {
            Some(n) => Ok(self.take(n)),
            None => Err(Refusal::new("move", format!("\"{typed}\""), Text::same("1, 2"))),
        }
    }
    fn answer(&mut self, _: &str, _: &Run<'_>) -> Result<Text, Error> {
        Ok(self.take(Nim::best_of(self.stones)))
    }
    fn undo(&mut self, _: u8) -> bool {
        false
    }
    fn mistakes(&self, seat: u8, _: &Run<'_>) -> Result<Vec<Mistake>, Error> {
        let mut mistakes = Vec::new();
        let own = self.past.iter().enumerate().filter(|(_, p)| p.1 == seat);
        for (before, (at, &(stones, _, n))) in own.enumerate() {
            let best = Nim::best_of(stones);
            let lost = worth(stones, best) - worth(stones, n);
            if lost > 0.0 {
                let name = |n: u32| Text::same(n.to_string());
                let decision = before + 1;
                mistakes.push(Mistake { decision, at, played: name(n), best: name(best), lost });
            }
        }
        Ok(mistakes)
    }
    fn result(&self) -> Option<Text> {
        (self.stones == 0)
            .then(|| Text::of(format!("seat {} wins", 2 - self.turn), format!("席{}の勝ち", 2 - self.turn)))
    }
    fn score(&self, seat: u8) -> Option<f64> {
        (self.stones == 0).then(|| if self.turn == seat { -1.0 } else { 1.0 })
    }
    fn record(&self, _: &Run<'_>) -> Result<Value, Error> {
        Ok(json!({"moves": self.past.len()}))
    }
}
