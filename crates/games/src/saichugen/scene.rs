//! Pictures of the table as one seat sees it, and what cards are called: shared by the decisions of the last round and the
//! game as it is played.

use super::rules::{Card, Cards, SEATS, joined};
use yomikiri_core::text::counted;
use yomikiri_core::{Text, text};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Item, Legend, Move, Piece, Seat, Shape, Show, Viewer, Zone};

/// Cards of a hand that are drawn large, side by side.
const LARGE: usize = 5;
/// Cards not seen that lie in one line.
const LINE: usize = 16;

/// A card as scenes write it: ten is `0`.
pub fn face(card: Card) -> String {
    card.to_string().replace('T', "0")
}

/// The names of the seats, for the one who looks.
pub fn names(viewer: Viewer) -> [Text; SEATS] {
    match viewer {
        Some(0) => [text("You", "あなた"), text("Opponent 1", "相手1"), text("Opponent 2", "相手2")],
        _ => [text("Seat 1", "席1"), text("Seat 2", "席2"), text("Seat 3", "席3")],
    }
}

/// What values of the game are.
pub fn measure() -> Measure {
    Measure::Points { name: text("Payoff", "利得") }
}

/// A card that may be played.
pub fn played(card: Card) -> Move {
    let face = face(card);
    let label = Text::of(format!("Play {{{face}}}"), format!("{{{face}}} を出す"));
    Move { on: vec![face], ..Move::new(card.to_string(), label) }
}

/// A card in words, with its points.
pub fn words(card: Card) -> Text {
    let points = card.points();
    Text::of(format!("{} ({points})", card.drawn()), format!("{}（{points}点）", card.drawn()))
}

/// Cards as they are drawn, in one frame.
pub fn framed(cards: Cards) -> String {
    if cards.is_empty() {
        return String::new();
    }
    let line = |left: &str, between: &str, right: &str, cell: &dyn Fn(String) -> String| {
        let cells: Vec<String> = cards.iter().map(|card| cell(card.drawn())).collect();
        format!("{left}{}{right}", cells.join(between))
    };
    let bar = |_: String| "───".to_owned();
    [line("╭", "┬", "╮", &bar), line("│", "│", "│", &|name| format!("{name:<3}")), line("╰", "┴", "╯", &bar)]
        .join("\n")
}

/// What one seat sees. Hands are its own, that of the seat after it, and that of the third.
pub struct Sight<'a> {
    /// Who holds the hands.
    pub holders: [&'a Text; SEATS],
    /// How many cards they hold.
    pub held: [usize; SEATS],
    /// The own hand and what it is called, if it is seen.
    pub hand: Option<(Cards, Text)>,
    /// The cards that have not been played and are not in a hand that is seen.
    pub unseen: Cards,
    /// What lies on the table.
    pub table: Option<Zone>,
    /// The names of the seats, in their order.
    pub names: &'a [Text; SEATS],
    /// What the seats have kept.
    pub scores: [u8; SEATS],
    /// What they have won in this round.
    pub round: [u8; SEATS],
}

impl Sight<'_> {
    /// The picture.
    pub fn board(self) -> Board {
        let hidden = |id: &str, label: Text, count: usize| {
            let backs = (1..=count).map(|i| Item::card(format!("{id}{i}"), Show::Down)).collect();
            Zone::new(id, Shape::Hand, label, backs).wide(44)
        };
        let backs = |id: &str, n: usize| {
            let (name, count) = (self.holders[n], self.held[n]);
            let label = Text::of(
                format!("{}: {}", name.en, counted(count as u64, "card", "cards")),
                format!("{}：{count}枚", name.ja),
            );
            hidden(id, label, count)
        };
        let mut zones = vec![backs("left", 1), hidden("aside", text("Aside", "除外"), 1), backs("right", 2)];
        let mut layout: Vec<Vec<String>> = vec![zones.iter().map(|zone| zone.id.clone()).collect()];
        let mine = match &self.hand {
            None => backs("mine", 0),
            Some((hand, label)) => {
                let (shape, w) = match hand.len() > LARGE {
                    true => (Shape::Row { per: 17, narrow: 6 }, 60),
                    false => (Shape::Hand, 72),
                };
                Zone::new("mine", shape, label.clone(), faces("", *hand, Show::Up)).wide(w)
            }
        };
        for zone in self.table.clone().into_iter().chain([self.unseen_zone(), mine]) {
            layout.push(vec![zone.id.clone()]);
            zones.push(zone);
        }
        let seats = self
            .names
            .iter()
            .zip(self.scores)
            .map(|(name, kept)| Seat::scoring(name.clone(), kept, text("kept", "点")));
        let won = joined(self.round);
        Board {
            seats: seats.collect(),
            zones,
            layout,
            legend: legend(),
            say: Text::of(format!("Won in this round: {won}"), format!("このラウンドの得点：{won}")),
            ..Board::default()
        }
    }

    fn unseen_zone(&self) -> Zone {
        let count = self.unseen.len();
        let label = match self.hand {
            Some(_) => Text::of(
                format!("Unseen: these {count} are in the two hands and the card set aside"),
                format!("未見：この{count}枚は2人の手札と除かれた1枚"),
            ),
            None => Text::of(
                format!("Not played yet: these {count} are in the hands and the card set aside"),
                format!("未使用：この{count}枚は3人の手札と除かれた1枚"),
            ),
        };
        let (shape, w) = match count > LINE {
            true => (Shape::Row { per: 18, narrow: 9 }, 38),
            false => (Shape::Row { per: LINE as u16, narrow: 8 }, 44),
        };
        Zone::new("unseen", shape, label, faces("u", self.unseen, Show::Known)).wide(w)
    }
}

fn faces(prefix: &str, cards: Cards, show: fn(String) -> Show) -> Vec<Item> {
    cards.iter().map(|card| Item::card(format!("{prefix}{}", face(card)), show(face(card)))).collect()
}

fn legend() -> Vec<Legend> {
    vec![
        Legend { item: Some(Piece::Card(Show::Down)), text: text("not known", "不明") },
        Legend {
            item: Some(Piece::Card(Show::Known("S7".into()))),
            text: text("in somebody's hand or aside", "誰かの手札か除外"),
        },
    ]
}
