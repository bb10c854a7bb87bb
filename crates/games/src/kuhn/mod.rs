//! Kuhn poker (クーンポーカー): one card each, one bet. The smallest game in which one has to bluff.

use crate::about::About;
use crate::approach::Approach;
use crate::describe::{Describe, Past};
use crate::family::{Family, Sample};
use crate::hidden::PartSeen;
use crate::line;
use crate::params::{Param, Settings};
use yomikiri_core::{Game, Hidden, Refusal, Text, Turn, text};
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

impl Describe for Kuhn {
    fn parse(&self, given: &str) -> Result<Hand, Refusal> {
        let refused = || Refusal::new("position", format!("\"{given}\""), NOTATION);
        if given.trim() == "deal" {
            return Ok(self.start());
        }
        let (cards, done) = given.trim().split_once(':').unwrap_or((given.trim(), ""));
        let (first, second) = cards.split_once(',').ok_or_else(refused)?;
        // A card that is not known may be any: what is worth what depends on what the player to move knows.
        let read = |card: &str| match card.trim() {
            "?" => Some(None),
            card => card.parse().ok().filter(|c| (1..=self.cards).contains(c)).map(Some),
        };
        let (first, second) = (read(first).ok_or_else(refused)?, read(second).ok_or_else(refused)?);
        let any = |other: Option<u8>| if other == Some(1) { 2 } else { 1 };
        let cards = [first.unwrap_or_else(|| any(second)), second.unwrap_or_else(|| any(first.or(Some(1))))];
        let mut s = Hand { cards, ..self.start() };
        for letter in done.chars() {
            let act = match (letter, s.pressed()) {
                ('c', false) | ('f', true) => Pass,
                ('b', false) | ('k', true) => Bet,
                _ => return Err(refused()),
            };
            if self.turn(&s) == Turn::Terminal {
                return Err(refused());
            }
            s = self.apply(&s, act);
        }
        if cards[0] == cards[1] { Err(refused()) } else { Ok(s) }
    }
    fn print(&self, s: &Hand) -> Option<String> {
        Some(self.notation(s, |_| true))
    }
    fn written(&self, s: &Hand, viewer: Viewer) -> String {
        self.notation(s, |player| self.sees(s, player, viewer))
    }
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
        let (names, over) = (self.players(), self.turn(s) == Turn::Terminal);
        let hand = |player: usize| {
            let (card, seen) = (s.cards[player], self.sees(s, player, viewer));
            let card = (card != 0).then(|| line::shown(card, seen, over));
            line::place(&format!("p{player}"), names[player].clone(), card, self.put(s, player))
        };
        Board::row(vec![hand(0), hand(1)])
    }
    fn open(&self) -> bool {
        false
    }
    fn measure(&self) -> Measure {
        Measure::Points { name: text("chips", "チップ") }
    }
    fn happened(&self, before: &Hand, a: Act, _: &Hand) -> Text {
        // A deal is seen by whoever gets the card.
        if matches!(a, Deal(_)) { Text::default() } else { self.words(before, a) }
    }
}

impl Kuhn {
    /// Whether a viewer may see a player's card; who looks on without a seat sees what everybody does.
    fn sees(&self, s: &Hand, player: usize, viewer: Viewer) -> bool {
        let folded = [Some(Bet), Some(Pass)];
        let shown = self.turn(s) == Turn::Terminal && s.done[..2] != folded && s.done[1..] != folded;
        shown || viewer.is_some_and(|viewer| usize::from(viewer) == player)
    }

    fn notation(&self, s: &Hand, seen: impl Fn(usize) -> bool) -> String {
        if s.cards[1] == 0 {
            return "deal".to_owned();
        }
        let card = |player: usize| if seen(player) { s.cards[player].to_string() } else { "?".to_owned() };
        let mut out = format!("{},{}", card(0), card(1));
        let mut so_far = Hand { cards: s.cards, done: [None; 3] };
        for act in s.done.into_iter().flatten() {
            out.push_str(if so_far.length() == 0 { ":" } else { "" });
            out.push_str(&self.action(&so_far, act).id);
            so_far = self.apply(&so_far, act);
        }
        out
    }

    /// What a player has in the pot.
    fn put(&self, s: &Hand, player: usize) -> Text {
        let bet = s.done.iter().enumerate().any(|(at, act)| at % 2 == player && *act == Some(Bet));
        line::in_pot(1 + if bet { self.bet.into() } else { 0 })
    }
}

const NOTATION: Text = text(
    "both cards and what was done, e.g. 2,3:cb (c check, b bet, f fold, k call); ? for a card that is not known; or deal",
    "両者の札と行動、例：2,3:cb（c チェック、b ベット、f 降りる、k コール）。知らない札は ?。配る前は deal",
);

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
    notation: NOTATION,
    example: "1,3",
    eval: text("position (cards and acts), cards, bet", "position（札と行動）、cards、bet"),
    question: r#"{"position":"1,3"}"#,
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
            Sample { settings: &[("cards", "4"), ("bet", "2")], position: Some("2,4:cb") },
        ]
    }
}
