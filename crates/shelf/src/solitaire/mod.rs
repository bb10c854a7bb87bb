//! Solitaire Memory (一人神経衰弱): pairs of cards face down, a perfect memory, as few moves as possible.

use yomikiri_core::text::counted;
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::params::{Param, Settings};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Item, Move, Shape, Show, Viewer, Zone};

/// The rules with the number of pairs.
pub struct Solitaire {
    pairs: u8,
}

/// Pairs by how many of their cards have been seen; moves begun; and where in a move one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    /// Pairs of which nothing, one card, and both cards have been seen. A card that has just been turned counts as seen.
    seen: [u8; 3],
    moves: u8,
    stage: Stage,
}

/// Where in a move one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    /// Before the first card.
    First,
    /// An unknown card is being turned, as the first or as the second after what the first was.
    Turning(Option<Partner>),
    /// Before the second card.
    Second(Partner),
}

/// What is known of the partner of the first card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Partner {
    /// Where it is: the pair can be taken.
    Known,
    /// Nothing.
    Unknown,
}

/// What the player does, and what an unknown card turns out to be.
const TAKE: u8 = 0;
const TURN: u8 = 1;
const SHOW: u8 = 2;
const NEW: u8 = 0;
const OLD: u8 = 1;
const MATCH: u8 = 2;

impl Solitaire {
    fn name(s: &Table, a: u8) -> (&'static str, Text) {
        match (s.stage, a) {
            (Stage::Turning(_), NEW) => ("new", text("a card of a new pair", "新しいペアの札")),
            (Stage::Turning(_), OLD) => ("old", text("the partner of a seen card", "前に見た札の相方")),
            (Stage::Turning(_), _) => ("match", text("the first card's partner", "1枚目の相方")),
            (Stage::First, TAKE) => ("take", text("take a known pair", "既知のペアを取る")),
            (Stage::Second(_), TAKE) => ("take", text("take its partner", "相方を取る")),
            (_, TURN) => ("turn", text("turn an unknown card", "知らない札をめくる")),
            (_, _) => ("show", text("turn a known card that does not match", "合わない既知の札をめくる")),
        }
    }
}

impl Game for Solitaire {
    type State = Table;
    /// Take, turn or show; for chance, what an unknown card turns out to be.
    type Action = u8;
    const PLAYERS: usize = 1;

    fn start(&self) -> Table {
        Table { seen: [self.pairs, 0, 0], moves: 0, stage: Stage::First }
    }
    fn turn(&self, s: &Table) -> Turn {
        match s.stage {
            Stage::First if s.seen == [0, 0, 0] => Turn::Terminal,
            Stage::Turning(_) => Turn::Chance,
            _ => Turn::Player(0),
        }
    }
    fn actions(&self, s: &Table, out: &mut Vec<u8>) {
        let [none, one, both] = s.seen;
        let unknown = 2 * none + one > 0;
        match s.stage {
            Stage::First => {
                out.extend((both > 0).then_some(TAKE));
                out.extend(unknown.then_some(TURN));
            }
            Stage::Second(partner) => {
                let others = one + both - 1;
                out.extend((partner == Partner::Known).then_some(TAKE));
                out.extend(unknown.then_some(TURN));
                out.extend((others > 0).then_some(SHOW));
            }
            Stage::Turning(_) => {}
        }
    }
    fn chance(&self, s: &Table, out: &mut Vec<(u8, u32)>) {
        let [none, one, _] = s.seen.map(u32::from);
        let matching = u32::from(s.stage == Stage::Turning(Some(Partner::Unknown)));
        let all = [(NEW, 2 * none), (OLD, one - matching), (MATCH, matching)];
        out.extend(all.into_iter().filter(|(_, weight)| *weight > 0));
    }
    fn apply(&self, s: &Table, a: u8) -> Table {
        let ([none, one, both], moves) = (s.seen, s.moves);
        let end = |seen| Table { seen, moves, stage: Stage::First };
        match (s.stage, a) {
            (Stage::First, TAKE) => {
                Table { seen: [none, one, both - 1], moves: moves + 1, stage: Stage::First }
            }
            (Stage::First, _) => Table { moves: moves + 1, stage: Stage::Turning(None), ..*s },
            (Stage::Second(_), TAKE) => end([none, one, both - 1]),
            (Stage::Second(_), SHOW) => end(s.seen),
            (Stage::Second(partner), _) => Table { stage: Stage::Turning(Some(partner)), ..*s },
            (Stage::Turning(_), MATCH) => end([none, one - 1, both]),
            (Stage::Turning(before), _) => {
                let (seen, partner) = match a {
                    NEW => ([none - 1, one + 1, both], Partner::Unknown),
                    _ => ([none, one - 1, both + 1], Partner::Known),
                };
                Table {
                    seen,
                    moves,
                    stage: if before.is_none() { Stage::Second(partner) } else { Stage::First },
                }
            }
        }
    }
    fn utility(&self, s: &Table, _: u8) -> i32 {
        -i32::from(s.moves)
    }
}

impl Describe for Solitaire {
    fn parse(&self, given: &str) -> Result<Table, Refusal> {
        let read: Option<Vec<u8>> = given.split(',').map(|n| n.trim().parse().ok()).collect();
        let fits = |&[none, one, both, moves]: &[u8; 4]| {
            let left = [none, one, both].iter().map(|n| u16::from(*n)).sum::<u16>();
            left <= self.pairs.into()
                && u16::from(moves) <= 3 * u16::from(self.pairs)
                && u16::from(moves) + left >= self.pairs.into()
        };
        let read = read.and_then(|read| <[u8; 4]>::try_from(read).ok()).filter(fits);
        let [none, one, both, moves] = read.ok_or_else(|| {
            let (pairs, most) = (self.pairs, 3 * self.pairs);
            let accepts = Text::of(
                format!("four numbers joined by commas: at most {pairs} pairs, and moves for all pairs that are gone, at most {most}"),
                format!("カンマ区切りの4つの数：ペアは合計{pairs}以下、手数は取ったペア数以上{most}以下"),
            );
            Refusal::new("table", format!("\"{given}\""), accepts)
        })?;
        Ok(Table { seen: [none, one, both], moves, stage: Stage::First })
    }
    fn print(&self, s: &Table) -> Option<String> {
        let [none, one, both] = s.seen;
        (s.stage == Stage::First).then(|| format!("{none},{one},{both},{}", s.moves))
    }
    fn action(&self, s: &Table, a: u8) -> Move {
        let (id, label) = Solitaire::name(s, a);
        Move::new(id, label)
    }
    fn board(&self, s: &Table, _: &Past<Solitaire>, _: Viewer) -> Board {
        let [none, one, both] = s.seen;
        let face = |n: u8| (n + 1).to_string();
        let known =
            (0..one).flat_map(|n| [Some(n), None]).chain((one..one + both).flat_map(|n| [Some(n), Some(n)]));
        let cards = known.chain((0..2 * none).map(|_| None));
        let show = |n: Option<u8>| n.map_or(Show::Down, |n| Show::Known(face(n)));
        let items =
            (0..).zip(cards).map(|(at, card): (u16, _)| Item::card(format!("c{at}"), show(card))).collect();
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
        let [none, one, both] = s.seen;
        let seen = [
            [none.wrapping_sub(1), one + 1, both],
            [none, one.wrapping_sub(1), both + 1],
            [none, one, both.wrapping_sub(1)],
            [none, one + 1, both],
            [none + 1, one, both],
        ];
        let after = |seen: [u8; 3]| {
            let moves =
                s.moves.max(self.pairs.saturating_sub(seen.iter().fold(0, |n, m| n.saturating_add(*m))));
            let id = self.print(&Table { seen, moves, stage: Stage::First })?;
            self.parse(&id).is_ok().then(|| Move::new(id.clone(), Text::same(id)))
        };
        seen.into_iter().filter_map(after).collect()
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
            "Pairs of equal cards lie face down. A move turns one card, then a second one; if they are equal they are taken, otherwise both lie face down again. Everything seen is remembered. A move that could show nothing new and take nothing is left out, and so is a known card turned first and an unknown one second, which is never better than the other way round.",
            "同じ札のペアが伏せてある。1手で1枚、続けてもう1枚めくり、同じなら取り、違えば両方伏せる。見た札はすべて覚えている。何も分からず何も取らない手と、既知の札を先・知らない札を後にめくる手（順番を逆にした方が悪くならない）は省く。",
        ),
        end: text("The game is over when all pairs are taken.", "すべて取れば終わり。"),
        values: text(
            "A value is the number of moves that the whole game takes on average, as a negative number: closer to zero is better.",
            "値は、全部取るまでの手数の期待値に負号を付けたもの。0に近いほどよい。",
        ),
    },
    notation: text(
        "pairs of which nothing, one card and both cards have been seen, and the moves made, joined by commas",
        "まだ見ていないペア、1枚見たペア、2枚とも見たペアの数と手数をカンマ区切り",
    ),
    example: "2,1,0,1",
    eval: text("position (the table), pairs", "position（場）、pairs"),
    question: r#"{"position":"2,1,0,1"}"#,
    players: 1,
};

static PARAMS: [Param; 1] = [Param::int("pairs", 1, 40, "4", text("pairs of cards", "ペアの数"))];

impl Family for Alone {
    type Game = Solitaire;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Solitaire, Refusal> {
        Ok(Solitaire { pairs: settings.int("pairs") as u8 })
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("4 pairs", "4ペア"), settings: &[] },
            Variant { name: text("10 pairs", "10ペア"), settings: &[("pairs", "10")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[("pairs", "3")], position: None },
            Sample { settings: &[], position: Some("2,1,0,1") },
        ]
    }
}
