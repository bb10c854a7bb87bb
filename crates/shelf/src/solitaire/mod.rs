//! Solitaire Memory (一人神経衰弱): cards of equal rank face down, a perfect memory, as few moves as possible. The cards
//! change by the rules of Memory for two; there is no other player, and moves are counted.

mod misses;

pub use misses::{Misses, Tally};

use std::sync::Arc;
use yomikiri_core::text::counted;
use yomikiri_core::{Error, Game, Refusal, Run, Text, Turn, text};
use yomikiri_games::about::{About, Primer};
use yomikiri_games::analyse::{Analyse, Valued};
use yomikiri_games::approach::{AllSeen, Approach};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::memory::notation::{label, read, word};
use yomikiri_games::memory::rules::{Action, Counts, MAX_PATTERNS, Memory, Objective, Phase, State};
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Item, Move, Shape, Show, Viewer, Zone};

/// The rules with the cards.
pub struct Solitaire {
    cards: Memory,
}

/// The ranks by pattern, the moves begun, and where in a move one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    counts: Counts,
    moves: u8,
    phase: Phase,
}

impl Solitaire {
    /// The game with so many ranks of 2 or 4 cards.
    ///
    /// # Errors
    /// Other numbers are refused by the name of the field.
    pub fn new(ranks: usize, copies: usize) -> Result<Solitaire, Refusal> {
        Ok(Solitaire { cards: Memory::new(ranks, copies, Objective::Cards)? })
    }

    /// The cards, and what turning and taking does to them.
    pub fn cards(&self) -> &Memory {
        &self.cards
    }

    /// The same cards between two, whose rules say what a move does to them.
    fn between_two(s: &Table) -> State {
        State { counts: s.counts, diff: 0, passed: false, mover: 0, phase: s.phase }
    }

    /// Moves that cannot be exceeded: every card turned one by one, and every pair taken.
    fn most(&self) -> usize {
        3 * self.cards.total_pairs()
    }

    /// A position between two moves, if there can be such a one.
    fn table(&self, counts: Counts, moves: usize) -> Option<Table> {
        let gone = self.cards.total_pairs() - self.cards.remaining(&counts);
        let fits = (gone..=self.most()).contains(&moves);
        fits.then_some(Table { counts, moves: u8::try_from(moves).ok()?, phase: Phase::First })
    }

    /// Ranks by pattern, those that are gone filled in.
    fn whole(&self, mut counts: Counts) -> Option<Counts> {
        let listed: usize = counts.iter().map(|n| usize::from(*n)).sum();
        counts[self.cards.patterns().len() - 1] +=
            u8::try_from(self.cards.ranks().checked_sub(listed)?).ok()?;
        Some(counts)
    }

    fn reads(&self, given: &str) -> Option<Table> {
        let tokens = given.split([',', ' ']).filter(|token| !token.is_empty());
        let (moves, ranks): (Vec<&str>, Vec<&str>) = tokens.partition(|token| token.starts_with('m'));
        let counts = match ranks.is_empty() {
            true if moves.is_empty() => return None,
            true => [0; MAX_PATTERNS],
            false => {
                let written = read(&ranks.join(","), self.cards.patterns()).ok()?;
                (written.diff == 0 && !written.passed).then_some(written.counts)?
            }
        };
        let counts = self.whole(counts)?;
        let moves = match moves.as_slice() {
            // Not told: as few as it can have been.
            [] => self.cards.total_pairs() - self.cards.remaining(&counts),
            [moves] => moves[1..].parse().ok()?,
            _ => return None,
        };
        self.table(counts, moves)
    }
}

impl Game for Solitaire {
    type State = Table;
    type Action = Action;
    const PLAYERS: usize = 1;

    fn start(&self) -> Table {
        Table { counts: self.cards.start().counts, moves: 0, phase: Phase::First }
    }
    fn turn(&self, s: &Table) -> Turn {
        self.cards.turn(&Self::between_two(s))
    }
    fn actions(&self, s: &Table, out: &mut Vec<Action>) {
        let from = out.len();
        self.cards.actions(&Self::between_two(s), out);
        // Two known cards that do not match show nothing and take nothing.
        if out[from..].last() == Some(&Action::Pass) {
            out.pop();
        }
    }
    fn chance(&self, s: &Table, out: &mut Vec<(Action, u32)>) {
        self.cards.chance(&Self::between_two(s), out);
    }
    fn apply(&self, s: &Table, a: Action) -> Table {
        let after = self.cards.apply(&Self::between_two(s), a);
        let moves = s.moves + u8::from(s.phase == Phase::First);
        Table { counts: after.counts, moves, phase: after.phase }
    }
    fn utility(&self, s: &Table, _: u8) -> i32 {
        -i32::from(s.moves)
    }
}

impl Describe for Solitaire {
    fn parse(&self, given: &str) -> Result<Table, Refusal> {
        self.reads(given).ok_or_else(|| {
            let (ranks, most) = (self.cards.ranks(), self.most());
            let known: Vec<String> = self.cards.patterns().iter().map(|p| format!("{}{}", p.unknown, p.known)).collect();
            let known = known[..known.len() - 1].join(" ");
            let accepts = Text::of(
                format!("at most {ranks} ranks by unknown and known cards ({known}) with their number, and the moves made (at least the pairs that are gone, at most {most}): e.g. {}", ABOUT.example),
                format!("未知・既知枚数（{known}）ごとのランク数（合計{ranks}以下）と手数（取ったペア数以上{most}以下）：例 {}", ABOUT.example),
            );
            Refusal::new("position", format!("\"{given}\""), accepts)
        })
    }
    fn print(&self, s: &Table) -> Option<String> {
        let cards = self.cards.print(&Self::between_two(s))?;
        let moves = format!("m{}", s.moves);
        // Without a rank on the table Memory writes the difference, which is nobody's here.
        Some(if self.cards.remaining(&s.counts) == 0 { moves } else { format!("{cards},{moves}") })
    }
    fn action(&self, _: &Table, a: Action) -> Move {
        let name = match a {
            Action::Different => text("a known card that does not match", "合わない既知の札"),
            _ => label(&self.cards, a),
        };
        Move::new(word(&self.cards, a), name)
    }
    fn board(&self, s: &Table, _: &Past<Solitaire>, _: Viewer) -> Board {
        let turned = match s.phase {
            Phase::Second(i) | Phase::Pair(i) => Some(usize::from(i)),
            _ => None,
        };
        let (mut up, mut known, mut down, mut rank) = (Vec::new(), Vec::new(), 0, 0u8);
        for (i, (p, n)) in self.cards.patterns().iter().zip(s.counts).enumerate() {
            for nth in 0..n {
                rank += u8::from(p.pairs() > 0);
                let face = rank.to_string();
                let shown = nth == 0 && turned == Some(i);
                up.extend(shown.then(|| Show::Up(face.clone())));
                known.extend((0..p.known).map(|_| Show::Known(face.clone())));
                down += usize::from(p.unknown) - usize::from(shown);
            }
        }
        let cards = up.into_iter().chain(known).chain((0..down).map(|_| Show::Down));
        let items = (0..).zip(cards).map(|(at, card): (u16, _)| Item::card(format!("c{at}"), card)).collect();
        let label = Text::of(format!("move {}", s.moves), format!("{}手", s.moves));
        Board::new(vec![Zone::new("table", Shape::Grid { cols: 10, narrow: 6 }, label, items)])
    }
    fn measure(&self) -> Measure {
        Measure::Points { name: text("moves", "手数（負の数）") }
    }
    fn result(&self, s: &Table) -> Text {
        let moves = counted(s.moves.into(), "move", "moves");
        Text::of(format!("all pairs taken in {moves}"), format!("{}手で全部取った", s.moves))
    }
    fn edits(&self, s: &Table) -> Vec<Move> {
        let mut all = Vec::new();
        for (from, p) in self.cards.patterns().iter().enumerate().filter(|(i, _)| s.counts[*i] > 0) {
            let (u, k) = (p.unknown, p.known);
            let fresh = u8::try_from(self.cards.copies()).unwrap_or(u8::MAX);
            let patterns = [
                (u > 0).then(|| (u - 1, k + 1)),
                (k > 1).then(|| (u, k - 2)),
                (k > 0).then(|| (u + 1, k - 1)),
                (u + k == 0).then_some((fresh, 0)),
            ];
            for (u, k) in patterns.into_iter().flatten() {
                let mut counts = s.counts;
                counts[from] -= 1;
                counts[usize::from(self.cards.place(u, k))] += 1;
                let gone = self.cards.total_pairs() - self.cards.remaining(&counts);
                let after = self.table(counts, usize::from(s.moves).max(gone)).and_then(|s| self.print(&s));
                all.extend(after.map(|id| Move::new(id.clone(), Text::same(id))));
            }
        }
        all
    }
}

/// The registered game.
pub struct Alone;

static ABOUT: About = About {
    id: "memory-solitaire",
    name: text("Solitaire Memory", "一人神経衰弱"),
    summary: text(
        "take all pairs with a perfect memory in as few moves as possible",
        "完全記憶で全ペアを最少の手数で取る",
    ),
    rules: Primer {
        goal: text("Take all pairs in as few moves as possible.", "できるだけ少ない手数で全ペアを取る。"),
        play: text(
            "Two or four cards of every rank lie face down. A move turns one card, then a second one; if they are equal they are taken, otherwise both lie face down again. Everything seen is remembered. A move that could show nothing new and take nothing is left out, and so is a known card turned first and an unknown one second, which is never better than the other way round.",
            "各ランク2枚または4枚の札が伏せてある。1手で1枚、続けてもう1枚めくり、同じなら取り、違えば両方伏せる。見た札はすべて覚えている。何も分からず何も取らない手と、既知の札を先・知らない札を後にめくる手（順番を逆にした方が悪くならない）は省く。",
        ),
        end: text("The game is over when all pairs are taken.", "すべて取れば終わり。"),
        values: text(
            "A value is the number of moves that the whole game takes on average, as a negative number: closer to zero is better.",
            "値は、全部取るまでの手数の期待値に負号を付けたもの。0に近いほどよい。",
        ),
    },
    notation: text(
        "ranks by unknown and known cards with their number, and m with the moves made; ranks not listed are gone",
        "（未知枚数・既知枚数）ごとのランク数、m と手数。書かれないランクは取得済み",
    ),
    example: "2x20,11,m1",
    eval: text("position (the table), ranks, copies", "position（場）、ranks、copies"),
    question: r#"{"position":"2x20,11,m1"}"#,
    players: 1,
};

/// Most ranks there can be.
const MOST: usize = 40;

/// Ranks of two cards by the name they had before there were ranks of four.
fn pairs(given: &str) -> Result<usize, Refusal> {
    let pairs = given.trim().parse().ok().filter(|pairs| (1..=MOST).contains(pairs));
    pairs.ok_or_else(|| Refusal::new("pairs", format!("\"{given}\""), PAIRS))
}

const PAIRS: Text = text("a whole number from 1 to 40", "1～40の整数");

static PARAMS: [Param; 3] = [
    Param::int("ranks", 1, MOST as i64, "4", text("how many ranks there are", "ランクの数")),
    Param {
        name: "copies",
        domain: Domain::Choice(&[
            ("2", text("two cards a rank", "同ランク2枚")),
            ("4", text("four cards a rank", "同ランク4枚")),
        ]),
        default: "2",
        help: text("cards of each rank", "同じランクの枚数"),
    },
    Param {
        name: "pairs",
        domain: Domain::Text { accepts: PAIRS, check: |given| pairs(given).map(drop) },
        default: "",
        help: text("the older name of ranks, for two cards a rank", "ranks の旧名（同ランク2枚のとき）"),
    },
];

impl Family for Alone {
    type Game = Solitaire;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Solitaire, Refusal> {
        let copies = settings.word("copies").parse().unwrap_or(2);
        let ranks = match settings.text("pairs") {
            "" => settings.int("ranks") as usize,
            given if copies == 2 => pairs(given)?,
            given => {
                return Err(Refusal::new(
                    "pairs",
                    given,
                    text("ranks, where copies is 4", "copies が4のときは ranks"),
                ));
            }
        };
        Solitaire::new(ranks, copies)
    }
    fn advanced(&self) -> &'static [&'static str] {
        &["pairs"]
    }
    /// What is to come depends on the cards alone; another method, where one is asked for, looks at the moves made as well.
    fn solver(
        &self,
        settings: &Settings,
        game: &Solitaire,
        s: &Table,
        run: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Solitaire>>, Error> {
        if run.method.is_some() {
            return AllSeen.solver(&self.named(settings), game, s, run);
        }
        let name = format!("memory-solitaire {}x{}", game.cards.ranks(), game.cards.copies());
        let solved: Arc<Misses> = run.cached(&name, || {
            let solved = Misses::solve(&game.cards, run)?;
            let bytes = solved.bytes();
            Ok((solved, bytes))
        })?;
        Ok(Box::new(Valued(solved)))
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("4 pairs", "4ペア"), settings: &[] },
            Variant { name: text("10 pairs", "10ペア"), settings: &[("ranks", "10")] },
            Variant {
                name: text("6 ranks of four cards", "4枚ずつ6ランク"),
                settings: &[("ranks", "6"), ("copies", "4")],
            },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[("ranks", "3")], position: None },
            Sample { settings: &[], position: Some("2x20,11,m1") },
            Sample { settings: &[("ranks", "2"), ("copies", "4")], position: None },
            Sample { settings: &[("ranks", "3"), ("copies", "4")], position: Some("22,31,11,m2") },
        ]
    }
}
