//! Goofspiel (グーフスピール): bids for prizes from a hand of cards, each card once, both at the same time.

use crate::line::{self, Line, by_line};
use std::cmp::Ordering;
use yomikiri_core::{Game, Hidden, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer};
use yomikiri_games::approach::Approach;
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::hidden::PartSeen;
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Item, Move, Shape, Viewer, Zone};

/// The rules: both hands, ascending, the order of the prizes, what is told of bids, what counts.
pub struct Goofspiel {
    hands: [Vec<u8>; 2],
    /// How the next prize compares with the others; none if it is drawn.
    order: Option<Ordering>,
    open: bool,
    win: bool,
}

/// The prizes so far and what was bid for them. The second bids after the first, without seeing the bid.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Auction {
    prizes: Vec<u8>,
    bids: [Vec<u8>; 2],
}

/// The bid of a player, or the prize that is shown.
type Card = u8;

impl Auction {
    /// How the first player's bid compares with the second's, for every prize that both have bid for.
    fn rounds(&self) -> impl Iterator<Item = Ordering> {
        self.bids[0].iter().zip(&self.bids[1]).map(|(a, b)| a.cmp(b))
    }
}

impl Goofspiel {
    fn left(&self, s: &Auction, player: usize) -> impl Iterator<Item = u8> {
        self.hands[player].iter().copied().filter(move |card| !s.bids[player].contains(card))
    }
}

impl Game for Goofspiel {
    type State = Auction;
    type Action = Card;

    fn start(&self) -> Auction {
        Auction { prizes: vec![], bids: [vec![], vec![]] }
    }
    fn turn(&self, s: &Auction) -> Turn {
        let [first, second] = [0, 1].map(|p: usize| s.bids[p].len());
        match s.prizes.len() {
            shown if first < shown => Turn::Player(0),
            shown if second < shown => Turn::Player(1),
            shown if shown == self.hands[0].len() => Turn::Terminal,
            _ => Turn::Chance,
        }
    }
    fn actions(&self, s: &Auction, out: &mut Vec<Card>) {
        out.extend(self.left(s, usize::from(s.bids[0].len() > s.bids[1].len())));
    }
    fn chance(&self, s: &Auction, out: &mut Vec<(Card, u32)>) {
        let left = (1..=self.hands[0].len() as u8).filter(|prize| !s.prizes.contains(prize));
        match self.order {
            None => out.extend(left.map(|prize| (prize, 1))),
            Some(Ordering::Greater) => out.extend(left.max().map(|prize| (prize, 1))),
            Some(_) => out.extend(left.min().map(|prize| (prize, 1))),
        }
    }
    fn apply(&self, s: &Auction, card: Card) -> Auction {
        let mut next = s.clone();
        match self.turn(s) {
            Turn::Player(p) => next.bids[usize::from(p)].push(card),
            _ => next.prizes.push(card),
        }
        next
    }
    fn utility(&self, s: &Auction, player: u8) -> i32 {
        let ahead: i32 =
            s.prizes.iter().zip(s.rounds()).map(|(prize, won)| i32::from(*prize) * won as i32).sum();
        let first = if self.win { ahead.signum() } else { ahead };
        if player == 0 { first } else { -first }
    }
}

impl Hidden for Goofspiel {
    /// The prizes, the player's own bids, and what is told of the other's.
    type Info = (Vec<u8>, Vec<u8>, Vec<i8>);
    fn info(&self, s: &Auction, player: u8) -> Self::Info {
        let told = match self.open {
            true => s.bids[1 - usize::from(player)][..s.bids[1].len()].iter().map(|bid| *bid as i8).collect(),
            false => s.rounds().map(|won| won as i8).collect(),
        };
        (s.prizes.clone(), s.bids[usize::from(player)].clone(), told)
    }
}

impl Line for Goofspiel {
    fn line(&self, s: &Auction) -> Vec<Card> {
        let round = |at: usize| [Some(&s.prizes[at]), s.bids[0].get(at), s.bids[1].get(at)];
        (0..s.prizes.len()).flat_map(round).flatten().copied().collect()
    }
    fn sees(&self, s: &Auction, before: &Auction, _: Card, viewer: Viewer) -> bool {
        let Turn::Player(p) = self.turn(before) else { return true };
        let told = self.open && before.prizes.len() <= s.bids[1].len();
        told || viewer == Some(p) || self.turn(s) == Turn::Terminal
    }
    fn word(&self, before: &Auction, card: Card, seen: bool) -> String {
        let bid = if seen { card.to_string() } else { "?".to_owned() };
        // Who wins is told of every bid that is not.
        let won =
            (!self.open && self.turn(before) == Turn::Player(1)).then(|| before.bids[0].last()).flatten();
        bid + won.map_or("", |first| ["l", "t", "w"][(first.cmp(&card) as i8 + 1) as usize])
    }
}

impl Describe for Goofspiel {
    by_line!(ABOUT.notation);
    fn action(&self, s: &Auction, card: Card) -> Move {
        match self.turn(s) {
            Turn::Player(p) => {
                let label = Text::of(format!("bid {card}"), format!("{card}を出す"));
                Move { on: vec![format!("h{p}-{card}")], ..Move::new(card.to_string(), label) }
            }
            _ => {
                Move::new(card.to_string(), Text::of(format!("the prize is {card}"), format!("賞品は{card}")))
            }
        }
    }
    fn board(&self, s: &Auction, _: &Past<Goofspiel>, viewer: Viewer) -> Board {
        let (names, viewer) = (self.players(), line::eyes(self, s, viewer));
        let over = self.turn(s) == Turn::Terminal;
        let own = |p: usize| viewer.map(usize::from) == Some(p);
        let hand = |p: usize| {
            let card = |(at, card): (usize, u8)| match own(p) {
                true => Item::card(format!("h{p}-{card}"), line::shown(card, true, false)),
                false => Item::card(format!("h{p}-hidden{at}"), line::shown(card, false, false)),
            };
            Zone::new(
                format!("h{p}"),
                Shape::Hand,
                names[p].clone(),
                self.left(s, p).enumerate().map(card).collect(),
            )
        };
        let bids = |p: usize| {
            let card = |(at, card): (usize, &u8)| {
                let all = over || self.open && at < s.bids[1].len();
                Item::card(format!("b{p}-{at}"), line::shown(card, all || own(p), all))
            };
            let label = text("Bids", "出した札");
            Zone::new(format!("b{p}"), Shape::Hand, label, s.bids[p].iter().enumerate().map(card).collect())
        };
        let won = [text("second", "後手"), text("nobody", "なし"), text("first", "先手")];
        let tags: Vec<Text> = s.rounds().map(|round| won[(round as i8 + 1) as usize].clone()).collect();
        let prize = |(at, prize): (usize, &u8)| {
            let tag = tags.get(at).cloned().unwrap_or_default();
            Item::card(format!("prize{at}"), line::shown(prize, true, true)).tag(tag)
        };
        let prizes = s.prizes.iter().enumerate().map(prize).collect();
        let prizes = Zone::new("prizes", Shape::Hand, text("Prizes", "賞品"), prizes);
        Board::new(vec![hand(1), bids(1), prizes, bids(0), hand(0)])
    }
    fn measure(&self) -> Measure {
        let name = if self.win { text("wins less losses", "勝ち−負け") } else { text("points", "点") };
        Measure::Points { name }
    }
    fn happened(&self, before: &Auction, card: Card, _: &Auction) -> Text {
        match self.turn(before) {
            Turn::Player(_) => text("a card is laid down", "札が伏せられた"),
            _ => self.words(before, card),
        }
    }
    fn conceals(&self, before: &Auction, _: Card, viewer: Viewer) -> bool {
        matches!(self.turn(before), Turn::Player(p) if viewer != Some(p))
    }
    fn why(&self, s: &Auction) -> Text {
        let won = |by: Ordering| -> u32 {
            let prizes = s.prizes.iter().zip(s.rounds()).filter(|(_, won)| *won == by);
            prizes.map(|(prize, _)| u32::from(*prize)).sum()
        };
        let [first, second] = [Ordering::Greater, Ordering::Less].map(won);
        Text::of(format!("prizes of {first} points to {second}"), format!("賞品は{first}点対{second}点"))
    }
}

/// The registered game.
pub struct Prizes;

static ABOUT: About = About {
    id: "goofspiel",
    name: text("Goofspiel", "グーフスピール"),
    summary: text("bid for prizes, each of your cards once", "手札を1度ずつ使って賞品を競る"),
    rules: Primer {
        goal: text(
            "Win prizes with your cards, each of which is used once: more points than the other, or simply to be ahead, as agreed.",
            "手札を1度ずつ使って賞品を取る。点の差、または取り決めにより勝敗を争う。",
        ),
        play: text(
            "Each round a prize is shown, and both players lay down a card of their hand at the same time. The higher card takes the prize; with equal cards nobody does. Then both cards are shown, or, with hidden bids, only who took the prize is told.",
            "毎回、賞品が1枚開かれ、両者が同時に手札を1枚出す。高い方が賞品を取り、同じなら誰も取らない。出した札は開かれるか、hidden では勝者だけが告げられる。",
        ),
        end: text(
            "The game is over when all cards are used. The points of the prizes count, or only who has more.",
            "手札を使い切れば終わり。賞品の点の差、または多い方が勝ち。",
        ),
        values: text(
            "A value is the points that the player to move is ahead on average in the end, or wins less losses, if both play by the strategies found here. Beside a move stands how often the strategy makes it.",
            "値は、双方がここで求めた戦略どおりに打つときの、手番側の最後の点差の期待値（勝敗を争う設定では勝ち−負け）。手の横に、戦略がその手を選ぶ割合を示す。",
        ),
    },
    notation: text(
        "for every round the prize and both bids, joined by dots, e.g. 3.1.2.1.? ; ? for a bid that is not known; with hidden bids, l, t or w after the second bid tells that the first player lost, tied or won; start before the first prize",
        "各回の賞品と両者の札をドットで区切る。例：3.1.2.1.?。知らない札は ?。hidden では後手の札の後に先手の負け l、引き分け t、勝ち w を付ける。始まる前は start",
    ),
    example: "3.1.2.1.?",
    eval: text(
        "position (prizes and bids), cards, first, second, order, bids, goal",
        "position（賞品と札）、cards、first、second、order、bids、goal",
    ),
    question: r#"{"position":"3.1.2.1.?"}"#,
    players: 2,
};

const HAND: Text = text(
    "different numbers from 0 to 99 joined by commas, 1 to 8 of them; the same number of cards in both hands, and as many as there are prizes",
    "0～99の異なる数1～8個をカンマ区切りで。両者同数で、賞品の数と同じ",
);

fn hand(given: &str) -> Result<Vec<u8>, Refusal> {
    let read: Option<Vec<u8>> =
        given.split(',').map(|n| n.trim().parse().ok().filter(|n| *n < 100)).collect();
    let mut cards = read.unwrap_or_default();
    let typed = cards.len();
    cards.sort_unstable();
    cards.dedup();
    let good = cards.len() == typed && (1..=8).contains(&typed);
    if good { Ok(cards) } else { Err(Refusal::new("hand", format!("\"{given}\""), HAND)) }
}

const fn cards(name: &'static str, help: Text) -> Param {
    Param {
        name,
        domain: Domain::Text { accepts: HAND, check: |given| hand(given).map(drop) },
        default: "",
        help,
    }
}
const fn choice(name: &'static str, words: Domain, default: &'static str, help: Text) -> Param {
    Param { name, domain: words, default, help }
}

const ORDERS: Domain = Domain::Choice(&[
    ("random", text("drawn", "無作為")),
    ("descending", text("highest first", "高い順")),
    ("ascending", text("lowest first", "低い順")),
]);
const TOLD: Domain = Domain::Choice(&[
    ("open", text("shown after each round", "毎回開く")),
    ("hidden", text("only the winner is told", "勝者だけ告げる")),
]);
const GOALS: Domain =
    Domain::Choice(&[("difference", text("points ahead", "点の差")), ("win", text("to be ahead", "勝敗"))]);

static PARAMS: [Param; 6] = [
    Param::int("cards", 1, 8, "3", text("prizes, and cards of a hand that is not given", "賞品と手札の数")),
    cards("first", text("hand of the first player, e.g. 1,2,3", "先手の手札。例：1,2,3")),
    cards("second", text("hand of the second player, e.g. 2,3,4", "後手の手札。例：2,3,4")),
    choice("order", ORDERS, "random", text("the order of the prizes", "賞品の順")),
    choice("bids", TOLD, "open", text("what is told of the bids", "出した札の公開")),
    choice("goal", GOALS, "difference", text("what counts in the end", "争うもの")),
];

impl Family for Prizes {
    type Game = Goofspiel;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Goofspiel, Refusal> {
        let given = |name| Some(settings.text(name)).filter(|text| !text.is_empty()).map(hand).transpose();
        let (first, second) = (given("first")?, given("second")?);
        let most = settings.int("cards") as usize;
        let cards = first.as_ref().or(second.as_ref()).map_or(most, Vec::len);
        let other = [&first, &second].into_iter().flatten().any(|hand| hand.len() != cards);
        if other || settings.given("cards") && cards != most {
            let field = if other { "second" } else { "cards" };
            return Err(Refusal::of(field, text("another number of cards", "異なる枚数"), HAND));
        }
        let full = || (1..=cards as u8).collect();
        let order = match settings.word("order") {
            "descending" => Some(Ordering::Greater),
            "ascending" => Some(Ordering::Less),
            _ => None,
        };
        let (open, win) = (settings.word("bids") == "open", settings.word("goal") == "win");
        Ok(Goofspiel { hands: [first.unwrap_or_else(full), second.unwrap_or_else(full)], order, open, win })
    }
    fn approach(&self) -> Option<&'static dyn Approach<Goofspiel>> {
        Some(&PartSeen)
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("Three cards", "3枚"), settings: &[] },
            Variant {
                name: text("Highest prize first", "賞品は高い順"),
                settings: &[("order", "descending")],
            },
            Variant { name: text("Hidden bids", "札は非公開"), settings: &[("bids", "hidden")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample {
                settings: &[("first", "1,2,3"), ("second", "2,3,4"), ("order", "descending")],
                position: None,
            },
            Sample { settings: &[("bids", "hidden"), ("goal", "win")], position: Some("2.1.?l.3") },
        ]
    }
}
