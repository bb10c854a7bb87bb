//! Kuhn poker (クーンポーカー): one card each, one bet. The smallest game in which one has to bluff.

use crate::line::{self, Line, by_line};
use yomikiri_core::{Game, Hidden, Refusal, Text, Turn, text};
use yomikiri_games::about::About;
use yomikiri_games::approach::Approach;
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample};
use yomikiri_games::hidden::PartSeen;
use yomikiri_games::params::{Param, Settings};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Move, Viewer};

/// The rules: cards 1 to `cards`, and what a bet costs beyond the stake of 1.
pub struct Kuhn {
    cards: u8,
    bet: u8,
}

/// The cards of both players, 0 before they are dealt, and what was done so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hand {
    cards: [u8; 2],
    done: [Option<Act>; 3],
}

/// What a player does; a deal is an act of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// Chance deals a card.
    Deal(u8),
    /// To wait, or to give up against a bet.
    Pass,
    /// To bet, or to call a bet.
    Bet,
}
use Act::{Bet, Deal, Pass};

impl Hand {
    fn length(&self) -> usize {
        self.done.iter().flatten().count()
    }

    /// Whether the other player has bet.
    fn pressed(&self) -> bool {
        self.length() > 0 && self.done[self.length() - 1] == Some(Bet)
    }
}

impl Kuhn {
    /// Whether the cards have to be compared.
    fn showdown(&self, s: &Hand) -> bool {
        let folded = [Some(Bet), Some(Pass)];
        self.turn(s) == Turn::Terminal && s.done[..2] != folded && s.done[1..] != folded
    }
    /// What a player has in the pot.
    fn put(&self, s: &Hand, player: usize) -> i32 {
        let bet = s.done.iter().enumerate().any(|(at, act)| at % 2 == player && *act == Some(Bet));
        1 + if bet { self.bet.into() } else { 0 }
    }
}

impl Game for Kuhn {
    type State = Hand;
    type Action = Act;

    fn start(&self) -> Hand {
        Hand { cards: [0, 0], done: [None; 3] }
    }
    fn turn(&self, s: &Hand) -> Turn {
        match (s.cards, s.done) {
            ([_, 0], _) => Turn::Chance,
            (_, [Some(Pass), Some(Pass), _] | [Some(Bet), Some(_), _] | [_, _, Some(_)]) => Turn::Terminal,
            _ => Turn::Player(s.length() as u8 % 2),
        }
    }
    fn actions(&self, _: &Hand, out: &mut Vec<Act>) {
        out.extend([Pass, Bet]);
    }
    fn chance(&self, s: &Hand, out: &mut Vec<(Act, u32)>) {
        out.extend((1..=self.cards).filter(|c| *c != s.cards[0]).map(|c| (Deal(c), 1)));
    }
    fn apply(&self, s: &Hand, a: Act) -> Hand {
        let mut next = *s;
        match a {
            Deal(card) => next.cards[usize::from(s.cards[0] != 0)] = card,
            _ => next.done[s.length()] = Some(a),
        }
        next
    }
    fn utility(&self, s: &Hand, player: u8) -> i32 {
        let higher = if s.cards[0] > s.cards[1] { 1 } else { -1 };
        let first = match s.done {
            [Some(Bet), Some(Pass), _] => 1,
            [_, Some(Bet), Some(Pass)] => -1,
            [_, Some(Bet), _] => higher * (1 + i32::from(self.bet)),
            _ => higher,
        };
        if player == 0 { first } else { -first }
    }
}

impl Hidden for Kuhn {
    type Info = (u8, [Option<Act>; 3]);
    fn info(&self, s: &Hand, player: u8) -> Self::Info {
        (s.cards[usize::from(player)], s.done)
    }
}

impl Line for Kuhn {
    fn line(&self, s: &Hand) -> Vec<Act> {
        let cards = s.cards.iter().filter(|card| **card != 0).map(|card| Deal(*card));
        cards.chain(s.done.into_iter().flatten()).collect()
    }
    fn sees(&self, s: &Hand, before: &Hand, a: Act, viewer: Viewer) -> bool {
        !matches!(a, Deal(_)) || self.showdown(s) || viewer == Some(u8::from(before.cards[0] != 0))
    }
}

impl Describe for Kuhn {
    by_line!(ABOUT.notation);
    fn action(&self, s: &Hand, a: Act) -> Move {
        let (id, label) = match (a, s.pressed()) {
            (Deal(card), _) => return line::dealt(card),
            (Pass, false) => ("c", text("check", "チェック")),
            (Pass, true) => ("f", text("fold", "降りる")),
            (Bet, false) => ("b", text("bet", "ベット")),
            (Bet, true) => ("k", text("call", "コール")),
        };
        Move::new(id, label)
    }
    fn board(&self, s: &Hand, _: &Past<Kuhn>, viewer: Viewer) -> Board {
        let (names, viewer, over) = (self.players(), line::eyes(self, s, viewer), self.showdown(s));
        let hand = |player: usize| {
            let (card, seen) = (s.cards[player], over || viewer.map(usize::from) == Some(player));
            let card = (card != 0).then(|| line::shown(card, seen, over));
            line::place(&format!("p{player}"), names[player].clone(), card, line::in_pot(self.put(s, player)))
        };
        Board::row(vec![hand(0), hand(1)])
    }
    fn measure(&self) -> Measure {
        Measure::Points { name: text("chips", "チップ") }
    }
    fn happened(&self, before: &Hand, a: Act, _: &Hand) -> Text {
        // A deal is seen by whoever gets the card.
        if matches!(a, Deal(_)) { Text::default() } else { self.words(before, a) }
    }
}

/// The registered game.
pub struct OneCard;

static ABOUT: About = About {
    id: "kuhn",
    name: text("Kuhn poker", "クーンポーカー"),
    summary: text(
        "one card each and one bet: the smallest game with a bluff",
        "札1枚とベット1回。ブラフのある最小のゲーム",
    ),
    rules: text(
        "Each player puts a chip into the pot and is dealt a card. The first checks or bets; after a check the second \
         may do the same. Whoever faces a bet folds, and loses what is in the pot, or calls. The higher card wins.",
        "各自1枚をポットに置き、札が1枚ずつ配られる。先手はチェックかベット。チェックなら後手も同じ選択をする。\
         ベットされたら降りてポットを失うか、コールする。高い札の勝ち。",
    ),
    notation: text(
        "both cards and what was done, joined by dots, e.g. 2.3.c.b (c check, b bet, f fold, k call); ? for a card that is not known; start before the deal",
        "両者の札と行動をドットで区切る。例：2.3.c.b（c チェック、b ベット、f 降りる、k コール）。知らない札は ?。配る前は start",
    ),
    example: "2.?.c.b",
    eval: text("position (cards and acts), cards, bet", "position（札と行動）、cards、bet"),
    question: r#"{"position":"2.?.c.b"}"#,
    players: 2,
};

static PARAMS: [Param; 2] = [
    Param::int("cards", 2, 60, "3", text("cards in the deck", "札の枚数")),
    Param::int("bet", 1, 100, "1", text("chips a bet costs", "ベットの額")),
];

impl Family for OneCard {
    type Game = Kuhn;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Kuhn, Refusal> {
        Ok(Kuhn { cards: settings.int("cards") as u8, bet: settings.int("bet") as u8 })
    }
    fn approach(&self) -> Option<&'static dyn Approach<Kuhn>> {
        Some(&PartSeen)
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[], position: None },
            Sample { settings: &[("cards", "4"), ("bet", "2")], position: Some("2.?.c.b") },
        ]
    }
}
