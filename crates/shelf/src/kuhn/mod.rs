//! Kuhn poker (クーンポーカー): one card each, one bet. The smallest game in which one has to bluff.

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

/// The rules for so many players: cards 1 to `cards`, and what a bet costs beyond the stake of 1.
pub struct Kuhn<const PLAYERS: usize> {
    cards: u8,
    bet: u8,
}

/// What was done so far. The first bet is answered once by everybody else.
type Done = [Option<Act>; 5];

/// The cards of the players, 0 before they are dealt, and what was done so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hand<const PLAYERS: usize> {
    cards: [u8; PLAYERS],
    done: Done,
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

impl<const PLAYERS: usize> Hand<PLAYERS> {
    /// How many cards are dealt.
    fn dealt(&self) -> usize {
        self.cards.iter().filter(|card| **card != 0).count()
    }
    fn length(&self) -> usize {
        self.done.iter().flatten().count()
    }
    /// When the first bet was made.
    fn bet(&self) -> Option<usize> {
        self.done.iter().position(|act| *act == Some(Bet))
    }
    /// Whether a player has bet or called; nobody has to if nobody bets.
    fn stays(&self, player: usize) -> bool {
        let turn = |bet: usize| bet + (player + PLAYERS - bet % PLAYERS) % PLAYERS;
        self.bet().is_none_or(|bet| self.done[turn(bet)] == Some(Bet))
    }
    /// The player with the highest card of those who stay, and how many stay.
    fn winner(&self) -> (usize, usize) {
        let all: Vec<usize> = (0..PLAYERS).filter(|&player| self.stays(player)).collect();
        (all.iter().copied().max_by_key(|&player| self.cards[player]).unwrap_or(0), all.len())
    }
}

impl<const PLAYERS: usize> Kuhn<PLAYERS> {
    /// Whether the cards have to be compared.
    fn showdown(&self, s: &Hand<PLAYERS>) -> bool {
        self.turn(s) == Turn::Terminal && s.winner().1 > 1
    }
    /// What a player has in the pot.
    fn put(&self, s: &Hand<PLAYERS>, player: usize) -> i32 {
        1 + if s.bet().is_some() && s.stays(player) { self.bet.into() } else { 0 }
    }
}

impl<const PLAYERS: usize> Game for Kuhn<PLAYERS> {
    type State = Hand<PLAYERS>;
    type Action = Act;
    const PLAYERS: usize = PLAYERS;

    fn start(&self) -> Hand<PLAYERS> {
        Hand { cards: [0; PLAYERS], done: [None; 5] }
    }
    fn turn(&self, s: &Hand<PLAYERS>) -> Turn {
        match (s.cards.contains(&0), s.length()) {
            (true, _) => Turn::Chance,
            (_, acts) if acts == s.bet().unwrap_or(0) + PLAYERS => Turn::Terminal,
            (_, acts) => Turn::Player((acts % PLAYERS) as u8),
        }
    }
    fn actions(&self, _: &Hand<PLAYERS>, out: &mut Vec<Act>) {
        out.extend([Pass, Bet]);
    }
    fn chance(&self, s: &Hand<PLAYERS>, out: &mut Vec<(Act, u32)>) {
        out.extend((1..=self.cards).filter(|c| !s.cards.contains(c)).map(|c| (Deal(c), 1)));
    }
    fn apply(&self, s: &Hand<PLAYERS>, a: Act) -> Hand<PLAYERS> {
        let mut next = *s;
        match a {
            Deal(card) => next.cards[s.dealt()] = card,
            _ => next.done[s.length()] = Some(a),
        }
        next
    }
    fn utility(&self, s: &Hand<PLAYERS>, player: u8) -> i32 {
        let pot: i32 = (0..PLAYERS).map(|player| self.put(s, player)).sum();
        let won = if s.winner().0 == usize::from(player) { pot } else { 0 };
        won - self.put(s, player.into())
    }
}

impl<const PLAYERS: usize> Hidden for Kuhn<PLAYERS> {
    type Info = (u8, Done);
    fn info(&self, s: &Hand<PLAYERS>, player: u8) -> Self::Info {
        (s.cards[usize::from(player)], s.done)
    }
}

impl<const PLAYERS: usize> Line for Kuhn<PLAYERS> {
    fn line(&self, s: &Hand<PLAYERS>) -> Vec<Act> {
        let cards = s.cards.iter().filter(|card| **card != 0).map(|card| Deal(*card));
        cards.chain(s.done.into_iter().flatten()).collect()
    }
    fn sees(&self, s: &Hand<PLAYERS>, before: &Hand<PLAYERS>, a: Act, viewer: Viewer) -> bool {
        !matches!(a, Deal(_)) || self.showdown(s) || viewer == Some(before.dealt() as u8)
    }
}

impl<const PLAYERS: usize> Describe for Kuhn<PLAYERS> {
    by_line!(about(PLAYERS).notation);
    fn action(&self, s: &Hand<PLAYERS>, a: Act) -> Move {
        let (id, label) = match (a, s.bet().is_some()) {
            (Deal(card), _) => return line::dealt(card),
            (Pass, false) => ("c", text("check", "チェック")),
            (Pass, true) => ("f", text("fold", "降りる")),
            (Bet, false) => ("b", text("bet", "ベット")),
            (Bet, true) => ("k", text("call", "コール")),
        };
        Move::new(id, label)
    }
    fn board(&self, s: &Hand<PLAYERS>, _: &Past<Self>, viewer: Viewer) -> Board {
        let (names, viewer, over) = (self.players(), line::eyes(self, s, viewer), self.showdown(s));
        let hand = |player: usize| {
            let (card, seen) = (s.cards[player], over || viewer.map(usize::from) == Some(player));
            let card = (card != 0).then(|| line::shown(card, seen, over));
            line::place(&format!("p{player}"), names[player].clone(), card, line::in_pot(self.put(s, player)))
        };
        Board::row((0..PLAYERS).map(hand).collect())
    }
    fn measure(&self) -> Measure {
        Measure::Points { name: text("chips", "チップ") }
    }
    fn happened(&self, before: &Hand<PLAYERS>, a: Act, _: &Hand<PLAYERS>) -> Text {
        // A deal is seen by whoever gets the card.
        if matches!(a, Deal(_)) { Text::default() } else { self.words(before, a) }
    }
    fn why(&self, s: &Hand<PLAYERS>) -> Text {
        match (self.showdown(s), PLAYERS) {
            (true, _) => text("the highest card", "最も高い札"),
            (false, 2) => text("the other player has folded", "相手が降りた"),
            (false, _) => text("all others have folded", "ほかの全員が降りた"),
        }
    }
}

/// The registered game for so many players.
pub struct OneCard<const PLAYERS: usize>;

fn about(players: usize) -> &'static About {
    if players == 2 { &TWO } else { &THREE }
}

static TWO: About = About {
    id: "kuhn",
    name: text("Kuhn poker", "クーンポーカー"),
    summary: text(
        "one card each and one bet: the smallest game with a bluff",
        "札1枚とベット1回。ブラフのある最小のゲーム",
    ),
    rules: Primer {
        goal: text(
            "Win the pot: with the higher card, or by a bet that the other does not call.",
            "ポットを取る。高い札で、または相手が降りるベットで。",
        ),
        play: text(
            "Each player puts a chip into the pot and is dealt a card. The first checks or bets; after a check the second may do the same. Whoever faces a bet folds, and loses what is in the pot, or calls.",
            "各自1枚をポットに置き、札が1枚ずつ配られる。先手はチェックかベット。チェックなら後手も同じ選択をする。ベットされたら降りてポットを失うか、コールする。",
        ),
        end: text(
            "After a fold the other takes the pot. Otherwise the cards are shown, and the higher one wins.",
            "降りれば相手がポットを取る。そうでなければ札を比べ、高い方の勝ち。",
        ),
        values: text(
            "A value is the chips that the player to move wins on average, if both play by the strategies found here; bluffs included. Beside a move stands how often the strategy makes it.",
            "値は、双方がここで求めた戦略どおりに打つときの、手番側が得るチップの期待値（ブラフも含む）。手の横に、戦略がその手を選ぶ割合を示す。",
        ),
    },
    notation: text(
        "both cards and what was done, joined by dots, e.g. 2.3.c.b (c check, b bet, f fold, k call); ? for a card that is not known; start before the deal",
        "両者の札と行動をドットで区切る。例：2.3.c.b（c チェック、b ベット、f 降りる、k コール）。知らない札は ?。配る前は start",
    ),
    example: "2.?.c.b",
    eval: text("position (cards and acts), cards, bet", "position（札と行動）、cards、bet"),
    question: r#"{"position":"2.?.c.b"}"#,
    players: 2,
};

static THREE: About = About {
    id: "kuhn3",
    name: text("Kuhn poker for three", "3人クーンポーカー"),
    summary: text(
        "one card each, one bet, three players: a game that has equilibria instead of a value",
        "札1枚とベット1回を3人で。1つの値はなく、均衡がある",
    ),
    rules: Primer {
        goal: text(
            "Win the pot: with the highest card, or by a bet that nobody calls.",
            "ポットを取る。最も高い札で、または誰もコールしないベットで。",
        ),
        play: text(
            "Each player puts a chip into the pot and is dealt a card. They check or bet in turn; when one has bet the others, in turn, fold or call.",
            "各自1枚をポットに置き、札が1枚ずつ配られる。順にチェックかベットを選び、誰かがベットしたら残りの2人は順に降りるかコールする。",
        ),
        end: text(
            "The highest card of those who are left wins the pot.",
            "残った者の中で最も高い札がポットを取る。",
        ),
        values: text(
            "A value is the chips that the player to move wins on average, if all play by the strategies found here; bluffs included. Beside a move stands how often the strategy makes it.",
            "値は、全員がここで求めた戦略どおりに打つときの、手番側が得るチップの期待値（ブラフも含む）。手の横に、戦略がその手を選ぶ割合を示す。",
        ),
    },
    notation: text(
        "all cards and what was done, joined by dots, e.g. 2.3.1.c.b (c check, b bet, f fold, k call); ? for a card that is not known; start before the deal",
        "全員の札と行動をドットで区切る。例：2.3.1.c.b（c チェック、b ベット、f 降りる、k コール）。知らない札は ?。配る前は start",
    ),
    example: "?.?.2.c.b",
    eval: text("position (cards and acts), cards, bet", "position（札と行動）、cards、bet"),
    question: r#"{"position":"?.?.2.c.b"}"#,
    players: 3,
};

const BET: Param = Param::int("bet", 1, 100, "1", text("chips a bet costs", "ベットの額"));
static PARAMS: [[Param; 2]; 2] = [
    [Param::int("cards", 2, 60, "3", text("cards in the deck", "札の枚数")), BET],
    [Param::int("cards", 3, 13, "4", text("cards in the deck", "札の枚数")), BET],
];

impl<const PLAYERS: usize> Family for OneCard<PLAYERS> {
    type Game = Kuhn<PLAYERS>;

    fn about(&self) -> &'static About {
        about(PLAYERS)
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS[usize::from(PLAYERS > 2)]
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Kuhn<PLAYERS>, Refusal> {
        Ok(Kuhn { cards: settings.int("cards") as u8, bet: settings.int("bet") as u8 })
    }
    fn approach(&self) -> Option<&'static dyn Approach<Kuhn<PLAYERS>>> {
        Some(&PartSeen)
    }
    fn variants(&self) -> &'static [Variant] {
        const TWO: &[Variant] = &[
            Variant { name: text("Three cards", "3枚"), settings: &[] },
            Variant { name: text("13 cards", "13枚"), settings: &[("cards", "13")] },
            Variant { name: text("A bet of 2", "ベット2"), settings: &[("bet", "2")] },
        ];
        const THREE: &[Variant] = &[Variant { name: text("Four cards", "4枚"), settings: &[] }];
        if PLAYERS == 2 { TWO } else { THREE }
    }
    fn samples(&self) -> &'static [Sample] {
        const WHOLE: Sample = Sample { settings: &[], position: None };
        match PLAYERS {
            2 => &[WHOLE, Sample { settings: &[("cards", "4"), ("bet", "2")], position: Some("2.?.c.b") }],
            _ => &[WHOLE, Sample { settings: &[("bet", "2")], position: Some("?.?.2.c.b") }],
        }
    }
}
