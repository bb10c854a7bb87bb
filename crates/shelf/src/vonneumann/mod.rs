//! Von Neumann poker (フォン・ノイマンのポーカー): only the first player may bet, and the second answers.

use crate::line::{self, Line, by_line};
use yomikiri_core::{Game, Hidden, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer};
use yomikiri_games::approach::Approach;
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::hidden::PartSeen;
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Move, Viewer};

/// The rules: cards 1 to `cards`, what a bet costs beyond the stake of 1, and whether both cards come from one deck.
pub struct VonNeumann {
    cards: u8,
    bet: u8,
    one_deck: bool,
}

/// The cards of both players, 0 before they are dealt, and what each has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hands {
    cards: [u8; 2],
    done: [Option<Act>; 2],
}

/// What a player does; a deal is an act of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// Chance deals a card.
    Deal(u8),
    /// To check, or to fold against a bet.
    Pass,
    /// To bet, or to call a bet.
    Bet,
}
use Act::{Bet, Deal, Pass};

impl Hands {
    /// Whether the cards have to be compared.
    fn showdown(&self) -> bool {
        matches!(self.done, [Some(Pass), _] | [_, Some(Bet)])
    }
}

impl Game for VonNeumann {
    type State = Hands;
    type Action = Act;

    fn start(&self) -> Hands {
        Hands { cards: [0; 2], done: [None; 2] }
    }
    fn turn(&self, s: &Hands) -> Turn {
        match (s.cards, s.done) {
            ([_, 0], _) => Turn::Chance,
            (_, [None, _]) => Turn::Player(0),
            (_, [Some(Bet), None]) => Turn::Player(1),
            _ => Turn::Terminal,
        }
    }
    fn actions(&self, _: &Hands, out: &mut Vec<Act>) {
        out.extend([Pass, Bet]);
    }
    fn chance(&self, s: &Hands, out: &mut Vec<(Act, u32)>) {
        let there = |card: &u8| !self.one_deck || *card != s.cards[0];
        out.extend((1..=self.cards).filter(there).map(|card| (Deal(card), 1)));
    }
    fn apply(&self, s: &Hands, a: Act) -> Hands {
        let mut next = *s;
        match a {
            Deal(card) => next.cards[usize::from(s.cards[0] != 0)] = card,
            _ => next.done[usize::from(s.done[0].is_some())] = Some(a),
        }
        next
    }
    fn utility(&self, s: &Hands, player: u8) -> i32 {
        let higher = s.cards[0].cmp(&s.cards[1]) as i32;
        let first = match s.done {
            [_, Some(Bet)] => higher * (1 + i32::from(self.bet)),
            [Some(Bet), _] => 1,
            _ => higher,
        };
        if player == 0 { first } else { -first }
    }
}

impl Hidden for VonNeumann {
    type Info = u8;
    fn info(&self, s: &Hands, player: u8) -> u8 {
        s.cards[usize::from(player)]
    }
}

impl Line for VonNeumann {
    fn line(&self, s: &Hands) -> Vec<Act> {
        let cards = s.cards.iter().filter(|card| **card != 0).map(|card| Deal(*card));
        cards.chain(s.done.into_iter().flatten()).collect()
    }
    fn sees(&self, s: &Hands, before: &Hands, a: Act, viewer: Viewer) -> bool {
        !matches!(a, Deal(_)) || s.showdown() || viewer == Some(u8::from(before.cards[0] != 0))
    }
}

impl Describe for VonNeumann {
    by_line!(ABOUT.notation);
    fn action(&self, s: &Hands, a: Act) -> Move {
        let (id, label) = match (a, s.done[0]) {
            (Deal(card), _) => return line::dealt(card),
            (Pass, None) => ("c", text("check", "チェック")),
            (Pass, _) => ("f", text("fold", "降りる")),
            (Bet, None) => ("b", text("bet", "ベット")),
            (Bet, _) => ("k", text("call", "コール")),
        };
        Move::new(id, label)
    }
    fn board(&self, s: &Hands, _: &Past<VonNeumann>, viewer: Viewer) -> Board {
        let (names, viewer) = (self.players(), line::eyes(self, s, viewer));
        let hand = |player: usize| {
            let (card, seen) = (s.cards[player], s.showdown() || viewer.map(usize::from) == Some(player));
            let card = (card != 0).then(|| line::shown(card, seen, s.showdown()));
            let chips = 1 + if s.done[player] == Some(Bet) { self.bet.into() } else { 0 };
            line::place(&format!("p{player}"), names[player].clone(), card, line::in_pot(chips))
        };
        Board::row(vec![hand(0), hand(1)])
    }
    fn measure(&self) -> Measure {
        Measure::Points { name: text("chips", "チップ") }
    }
    fn happened(&self, before: &Hands, a: Act, _: &Hands) -> Text {
        if matches!(a, Deal(_)) { Text::default() } else { self.words(before, a) }
    }
    fn why(&self, s: &Hands) -> Text {
        match s.showdown() {
            false => text("the other player has folded", "相手が降りた"),
            true if s.cards[0] == s.cards[1] => text("equal cards", "同じ札"),
            true => text("the higher card", "札が高い"),
        }
    }
}

/// The registered game.
pub struct OneBet;

static ABOUT: About = About {
    id: "vonneumann",
    name: text("Von Neumann poker", "フォン・ノイマンのポーカー"),
    summary: text("one bet, by the first player only", "先手だけがベットできるポーカー"),
    rules: Primer {
        goal: text(
            "Win the pot: with the higher card, or by a bet that the other does not call.",
            "ポットを取る。高い札で、または相手が降りるベットで。",
        ),
        play: text(
            "Each player puts a chip into the pot and is dealt a card. The first checks, and the cards are compared, or bets. Against a bet the second folds, and loses what is in the pot, or calls.",
            "各自1枚をポットに置き、札が1枚ずつ配られる。先手はチェックして札を比べるか、ベットする。ベットされた後手は、降りてポットを失うか、コールする。",
        ),
        end: text(
            "The higher card wins the pot. Equal cards, which only independent deals have, share.",
            "高い札がポットを取る。独立に配る場合に同じ札なら分ける。",
        ),
        values: text(
            "A value is the chips that the player to move wins on average, if both play by the strategies found here; bluffs included. Beside a move stands how often the strategy makes it.",
            "値は、双方がここで求めた戦略どおりに打つときの、手番側が得るチップの期待値（ブラフも含む）。手の横に、戦略がその手を選ぶ割合を示す。",
        ),
    },
    notation: text(
        "both cards and what was done, joined by dots, e.g. 2.3.b (c check, b bet, f fold, k call); ? for a card that is not known; start before the deal",
        "両者の札と行動をドットで区切る。例：2.3.b（c チェック、b ベット、f 降りる、k コール）。知らない札は ?。配る前は start",
    ),
    example: "?.3.b",
    eval: text("position (cards and acts), cards, bet, deck", "position（札と行動）、cards、bet、deck"),
    question: r#"{"position":"?.3.b"}"#,
    players: 2,
};

static PARAMS: [Param; 3] = [
    Param::int("cards", 2, 100, "10", text("cards from 1 to this", "札の種類")),
    Param::int("bet", 1, 100, "1", text("chips a bet costs", "ベットの額")),
    Param {
        name: "deck",
        domain: Domain::Choice(&[
            ("independent", text("each card is drawn from a full deck", "別々の山札から引く")),
            ("one", text("both cards are drawn from one deck", "同じ山札から引く")),
        ]),
        default: "independent",
        help: text("where the cards come from", "札の配り方"),
    },
];

impl Family for OneBet {
    type Game = VonNeumann;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<VonNeumann, Refusal> {
        let of = |name| settings.int(name) as u8;
        Ok(VonNeumann { cards: of("cards"), bet: of("bet"), one_deck: settings.word("deck") == "one" })
    }
    fn approach(&self) -> Option<&'static dyn Approach<VonNeumann>> {
        Some(&PartSeen)
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("10 cards", "10種類"), settings: &[] },
            Variant {
                name: text("10 cards from one deck", "同じ山札から10枚"),
                settings: &[("deck", "one")],
            },
            Variant { name: text("A bet of 2", "ベット2"), settings: &[("bet", "2")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[("cards", "3")], position: None },
            Sample { settings: &[("cards", "5"), ("bet", "2"), ("deck", "one")], position: Some("?.4.b") },
        ]
    }
}
