//! Leduc hold'em (レデュックポーカー): a card each, a card for both, and two rounds of bets.

use crate::line::{self, Line, by_line};
use yomikiri_core::{Game, Hidden, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer};
use yomikiri_games::approach::Approach;
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::hidden::PartSeen;
use yomikiri_games::params::{Param, Settings};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Move, Viewer};

/// The rules with the deck and the bets. Suits never matter, so that cards are ranks.
pub struct Leduc {
    ranks: u8,
    suits: u8,
    /// What a bet costs in each round.
    bets: [u8; 2],
    /// Bets and raises in a round, at most.
    most: u8,
}

/// The cards of both players and the one on the table, 0 before they are dealt, and what was done in each round.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    cards: [u8; 3],
    rounds: [Vec<Act>; 2],
}

/// What a player does; a deal is an act of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// Chance deals a rank.
    Deal(u8),
    /// To give up against a bet.
    Fold,
    /// To wait.
    Check,
    /// To pay what the other has bet.
    Call,
    /// To bet, or to raise a bet.
    Raise,
}
use Act::{Call, Check, Deal, Fold, Raise};

/// Whether a round is over and the game goes on.
fn closed(round: &[Act]) -> bool {
    matches!(round, [.., Call] | [Check, Check])
}

impl Table {
    /// The round that is played.
    fn round(&self) -> &Vec<Act> {
        &self.rounds[usize::from(self.cards[2] != 0)]
    }
    /// Whether the cards have to be compared.
    fn showdown(&self) -> bool {
        closed(&self.rounds[1])
    }
}

impl Leduc {
    /// What both players have in the pot.
    fn pot(&self, s: &Table) -> [i32; 2] {
        let mut pot = [1; 2];
        for (round, bet) in s.rounds.iter().zip(self.bets) {
            for (at, act) in round.iter().enumerate() {
                let most = pot[0].max(pot[1]);
                match act {
                    Raise => pot[at % 2] = most + i32::from(bet),
                    Call => pot[at % 2] = most,
                    _ => {}
                }
            }
        }
        pot
    }
}

impl Game for Leduc {
    type State = Table;
    type Action = Act;

    fn start(&self) -> Table {
        Table { cards: [0; 3], rounds: [vec![], vec![]] }
    }
    fn turn(&self, s: &Table) -> Turn {
        let round = s.round();
        match s.cards {
            [_, 0, _] => Turn::Chance,
            _ if round.last() == Some(&Fold) || s.showdown() => Turn::Terminal,
            _ if closed(round) => Turn::Chance,
            _ => Turn::Player(round.len() as u8 % 2),
        }
    }
    fn actions(&self, s: &Table, out: &mut Vec<Act>) {
        let round = s.round();
        match round.last() {
            Some(Raise) => out.extend([Fold, Call]),
            _ => out.push(Check),
        }
        if round.iter().filter(|act| **act == Raise).count() < usize::from(self.most) {
            out.push(Raise);
        }
    }
    fn chance(&self, s: &Table, out: &mut Vec<(Act, u32)>) {
        let left = |rank: u8| self.suits - s.cards.iter().filter(|card| **card == rank).count() as u8;
        out.extend((1..=self.ranks).filter(|r| left(*r) > 0).map(|r| (Deal(r), left(r).into())));
    }
    fn apply(&self, s: &Table, a: Act) -> Table {
        let mut next = s.clone();
        match a {
            Deal(card) => {
                let at = s.cards.iter().position(|card| *card == 0).unwrap_or(2);
                next.cards[at] = card;
            }
            _ => next.rounds[usize::from(s.cards[2] != 0)].push(a),
        }
        next
    }
    fn utility(&self, s: &Table, player: u8) -> i32 {
        let (pot, [a, b, shared]) = (self.pot(s), s.cards);
        let first = match s.showdown() {
            // Whoever would be to move has not folded.
            false if s.round().len().is_multiple_of(2) => pot[1],
            false => -pot[0],
            true => pot[0] * (a == shared, a).cmp(&(b == shared, b)) as i32,
        };
        if player == 0 { first } else { -first }
    }
}

impl Hidden for Leduc {
    type Info = (u8, u8, [Vec<Act>; 2]);
    fn info(&self, s: &Table, player: u8) -> Self::Info {
        (s.cards[usize::from(player)], s.cards[2], s.rounds.clone())
    }
}

impl Line for Leduc {
    fn line(&self, s: &Table) -> Vec<Act> {
        let dealt = |cards: &[u8]| cards.iter().filter(|card| **card != 0).map(|card| Deal(*card)).collect();
        let parts: [Vec<Act>; 4] =
            [dealt(&s.cards[..2]), s.rounds[0].clone(), dealt(&s.cards[2..]), s.rounds[1].clone()];
        parts.concat()
    }
    fn sees(&self, s: &Table, before: &Table, a: Act, viewer: Viewer) -> bool {
        let owner = before.cards.iter().position(|card| *card == 0).unwrap_or(2);
        !matches!(a, Deal(_)) || owner == 2 || s.showdown() || viewer.map(usize::from) == Some(owner)
    }
}

impl Describe for Leduc {
    by_line!(ABOUT.notation);
    fn action(&self, s: &Table, a: Act) -> Move {
        let (id, label) = match a {
            Deal(card) => return line::dealt(card),
            Fold => ("f", text("fold", "降りる")),
            Check => ("c", text("check", "チェック")),
            Call => ("k", text("call", "コール")),
            Raise if s.round().contains(&Raise) => ("r", text("raise", "レイズ")),
            Raise => ("b", text("bet", "ベット")),
        };
        Move::new(id, label)
    }
    fn board(&self, s: &Table, _: &Past<Leduc>, viewer: Viewer) -> Board {
        let (names, pot, viewer) = (self.players(), self.pot(s), line::eyes(self, s, viewer));
        let hand = |player: usize| {
            let (card, seen) = (s.cards[player], s.showdown() || viewer.map(usize::from) == Some(player));
            let card = (card != 0).then(|| line::shown(card, seen, s.showdown()));
            line::place(&format!("p{player}"), names[player].clone(), card, line::in_pot(pot[player]))
        };
        let shared = (s.cards[2] != 0).then(|| line::shown(s.cards[2], true, true));
        let shared = line::place("shared", text("On the table", "場札"), shared, Text::default());
        Board::row(vec![hand(0), shared, hand(1)])
    }
    fn measure(&self) -> Measure {
        Measure::Points { name: text("chips", "チップ") }
    }
    fn happened(&self, before: &Table, a: Act, _: &Table) -> Text {
        // Who is dealt a card sees it; the one on the table is for all.
        let secret = matches!(a, Deal(_)) && before.cards[1] == 0;
        if secret { Text::default() } else { self.words(before, a) }
    }
    fn why(&self, s: &Table) -> Text {
        let [a, b, shared] = s.cards;
        match s.showdown() {
            false => text("the other player has folded", "相手が降りた"),
            true if a == b => text("equal cards", "同じ札"),
            true if a == shared || b == shared => {
                text("a pair with the card on the table", "場の札とペアになった")
            }
            true => text("the higher card", "札が高い"),
        }
    }
}

/// The registered game.
pub struct TwoRounds;

static ABOUT: About = About {
    id: "leduc",
    name: text("Leduc hold'em", "レデュックポーカー"),
    summary: text("one card each, one for both, two rounds of bets", "手札1枚と場札1枚、ベット2回戦"),
    rules: Primer {
        goal: text(
            "Win the pot: with a pair, with the higher card, or by a bet that the other does not call.",
            "ポットを取る。ペアか高い札で、または相手が降りるベットで。",
        ),
        play: text(
            "Each player puts a chip into the pot and is dealt a card. In a round of bets the first player begins: one checks or bets; whoever faces a bet folds and loses what is in the pot, calls, or raises, as long as bets and raises are not used up. A round ends with two checks or a call. Then a card is laid open for both, and a second round with larger bets follows.",
            "各自1枚をポットに置き、札が1枚ずつ配られる。ベットは先手から。チェックかベットを選び、ベットされたら、降りてポットを失うか、コールするか、回数が残っていればレイズする。双方チェックかコールで終わり。次に場札が1枚開かれ、額の大きい2回戦を行う。",
        ),
        end: text(
            "Whoever has a pair with the open card wins, otherwise the higher rank; equal ranks share.",
            "場札とペアなら勝ち、なければ高い札の勝ち、同じなら分ける。",
        ),
        values: text(
            "A value is the chips that the player to move wins on average, if both play by the strategies found here; bluffs included. Beside a move stands how often the strategy makes it.",
            "値は、双方がここで求めた戦略どおりに打つときの、手番側が得るチップの期待値（ブラフも含む）。手の横に、戦略がその手を選ぶ割合を示す。",
        ),
    },
    notation: text(
        "the cards and what was done, joined by dots, e.g. 3.2.c.b.k.1.c (c check, b bet, r raise, f fold, k call, the card on the table after the first round); ? for a card that is not known; start before the deal",
        "札と行動をドットで区切る。例：3.2.c.b.k.1.c（c チェック、b ベット、r レイズ、f 降りる、k コール。1回戦の後に場札）。知らない札は ?。配る前は start",
    ),
    example: "3.?.c.b",
    eval: text(
        "position (cards and acts), ranks, suits, small, big, raises",
        "position（札と行動）、ranks、suits、small、big、raises",
    ),
    question: r#"{"position":"3.?.c.b"}"#,
    players: 2,
};

static PARAMS: [Param; 5] = [
    Param::int("ranks", 2, 13, "3", text("ranks of the deck", "札の種類")),
    Param::int("suits", 2, 8, "2", text("cards of each rank", "各種類の枚数")),
    Param::int("small", 1, 100, "2", text("chips a bet costs in the first round", "1回戦のベットの額")),
    Param::int("big", 1, 100, "4", text("chips a bet costs in the second round", "2回戦のベットの額")),
    Param::int(
        "raises",
        1,
        8,
        "2",
        text("bets and raises in a round, at most", "各回戦のベットとレイズの上限"),
    ),
];

impl Family for TwoRounds {
    type Game = Leduc;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Leduc, Refusal> {
        let of = |name| settings.int(name) as u8;
        let bets = [of("small"), of("big")];
        Ok(Leduc { ranks: of("ranks"), suits: of("suits"), bets, most: of("raises") })
    }
    fn approach(&self) -> Option<&'static dyn Approach<Leduc>> {
        Some(&PartSeen)
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("Three ranks", "3種類"), settings: &[] },
            Variant { name: text("Two ranks", "2種類"), settings: &[("ranks", "2")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[("ranks", "2")], position: None },
            Sample { settings: &[("ranks", "2"), ("raises", "1")], position: Some("2.?.c.c.1") },
        ]
    }
}
