//! The whole game as it is played: three hands that nobody else sees, cards put down face down one after another and
//! turned up together, fifteen times.

use super::notation::{print, read};
use super::player::House;
use super::rules::{
    Card, Cards, LAST_ROUND, ROUND, SEATS, TURNS, Table, explain_game, explain_round, explain_turn, scored,
};
use super::scene::{Sight, face, framed, measure, names, played, words};
use super::seats::{Lineup, deal};
use super::view::View;
use crate::describe::{Describe, Past};
use yomikiri_core::random::Random;
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Item, Mark, Move, Shape, Show, Viewer, Zone};

/// Random numbers of games that are played, apart from those of deals.
pub const STREAM: u64 = 1 << 63;

/// A deal of the whole game, and who plays it.
pub struct Saichugen {
    start: Table,
    /// The players of the seats that no person takes.
    pub lineup: Lineup,
    /// What they have agreed on.
    pub house: House,
    /// What all random numbers of the game come from.
    pub seed: u64,
}

/// A table in the middle of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Midturn {
    /// The table before the turn.
    pub table: Table,
    /// The cards put down in it, by the first seats.
    pub down: Vec<Card>,
}

impl Midturn {
    /// The seat to move.
    pub fn seat(&self) -> usize {
        self.down.len()
    }

    /// The seat that somebody sees the table from: without one, that of the player to move.
    fn seat_of(&self, viewer: Viewer) -> usize {
        viewer.map_or(self.seat(), usize::from).min(SEATS - 1)
    }

    /// The round and the turn in it, both from 1.
    fn number(&self) -> (u8, u8) {
        let turn = self.table.turn.min(TURNS) - 1;
        (turn / ROUND + 1, turn % ROUND + 1)
    }

    /// The cards of the turn, if this is the last of them.
    fn completed(&self, card: Card) -> Option<[Card; SEATS]> {
        let [first, second] = self.down[..] else { return None };
        Some([first, second, card])
    }
}

impl Saichugen {
    /// A deal under a seed.
    pub fn new(lineup: Lineup, house: House, seed: u64, number: u64) -> Saichugen {
        Saichugen { start: deal(seed, number).0, lineup, house, seed }
    }

    /// A table in the last round with the cards that seat 1 has not seen dealt at random.
    fn dealt(&self, view: &View) -> Table {
        let mut unknown: Vec<Card> = view.unknown.iter().collect();
        Random::stream(self.seed, STREAM - 1).shuffle(&mut unknown);
        let size = view.hand.len();
        let others = [0, 1].map(|n| unknown[n * size..][..size].iter().copied().collect::<Cards>());
        Table {
            turn: view.turn,
            hands: [view.hand, others[0], others[1]],
            scores: view.scores,
            round: view.round,
            gone: Cards::ALL.minus(view.hand).minus(view.unknown),
            history: Vec::new(),
        }
    }
}

impl Game for Saichugen {
    type State = Midturn;
    type Action = Card;
    const PLAYERS: usize = SEATS;

    fn start(&self) -> Midturn {
        Midturn { table: self.start.clone(), down: Vec::new() }
    }

    fn turn(&self, s: &Midturn) -> Turn {
        if s.table.over() { Turn::Terminal } else { Turn::Player(s.seat() as u8) }
    }

    fn actions(&self, s: &Midturn, out: &mut Vec<Card>) {
        if !s.table.over() {
            out.extend(s.table.hands[s.seat()].iter());
        }
    }

    fn apply(&self, s: &Midturn, card: Card) -> Midturn {
        let mut next = s.clone();
        match s.completed(card) {
            Some(played) => {
                next.table.play(played);
                next.down.clear();
            }
            None => next.down.push(card),
        }
        next
    }

    fn utility(&self, s: &Midturn, player: u8) -> i32 {
        s.table.payoffs().get(usize::from(player)).map_or(0, |paid| i32::from(*paid))
    }
}

/// What everybody sees of the cards on the table: those of this turn face down, or the last turn.
fn on_table(s: &Midturn, viewer: usize, names: &[Text; SEATS]) -> Option<Zone> {
    // The cards of the others lie on their side.
    let order = [(viewer + 1) % SEATS, viewer, (viewer + 2) % SEATS];
    let (id, label, items): (_, _, Vec<Item>) = if s.down.is_empty() {
        let last = s.table.history.last()?;
        let card = |seat: usize| {
            let face = face(last[seat]);
            Item::card(format!("last{face}"), Show::Up(face)).mark(Mark::Last).tag(names[seat].clone())
        };
        ("last", text("The last turn", "直前のターン"), order.map(card).into())
    } else {
        let card = |seat: usize| {
            let show = match s.down.get(seat)? {
                card if seat == viewer => Show::Known(face(*card)),
                _ => Show::Down,
            };
            let item = Item::card(format!("down{}", seat + 1), show).tag(names[seat].clone());
            Some(if seat + 1 == s.down.len() { item.mark(Mark::Last) } else { item })
        };
        ("down", text("Put down face down", "伏せたカード"), order.into_iter().filter_map(card).collect())
    };
    Some(Zone::new(id, Shape::Hand, label, items).wide(52))
}

impl Describe for Saichugen {
    fn parse(&self, given: &str) -> Result<Midturn, Refusal> {
        Ok(Midturn { table: self.dealt(&read(given)?), down: Vec::new() })
    }

    /// What seat 1 sees before the first card of a turn.
    fn print(&self, s: &Midturn) -> Option<String> {
        Some(self.written(s, Some(0))).filter(|text| !text.is_empty())
    }

    /// What the viewer knows in the last round before putting a card down.
    fn written(&self, s: &Midturn, viewer: Viewer) -> String {
        let seat = s.seat_of(viewer);
        let choosing = (LAST_ROUND..=TURNS).contains(&s.table.turn) && s.down.len() <= seat;
        if choosing { print(&View::of(&s.table, seat)) } else { String::new() }
    }

    fn action(&self, _: &Midturn, card: Card) -> Move {
        played(card)
    }

    fn words(&self, _: &Midturn, card: Card) -> Text {
        words(card)
    }

    fn understand(&self, _: &Midturn, typed: &str) -> Option<Card> {
        Card::parse(typed).ok()
    }

    fn open(&self) -> bool {
        false
    }

    fn conceals(&self, before: &Midturn, card: Card, viewer: Viewer) -> bool {
        // When all have put one down, everybody sees them.
        before.completed(card).is_none() && viewer != Some(before.seat() as u8)
    }

    fn players(&self) -> Vec<Text> {
        names(None).into()
    }

    fn board(&self, s: &Midturn, _: &Past<Saichugen>, viewer: Viewer) -> Board {
        let (table, seat, names) = (&s.table, s.seat_of(viewer), names(None));
        let around: [usize; SEATS] = std::array::from_fn(|far| (seat + far) % SEATS);
        let hand = s.down.get(seat).map_or(table.hands[seat], |card| table.hands[seat].without(*card));
        let name = &names[seat];
        let sight = Sight {
            holders: around.map(|seat| &names[seat]),
            held: around.map(|seat| table.hands[seat].len() - usize::from(seat < s.down.len())),
            hand: Some((hand, Text::of(format!("{}: hand", name.en), format!("{}の手札", name.ja)))),
            unseen: table.unknown(seat),
            table: on_table(s, seat, &names),
            names: &names,
            scores: table.scores,
            round: table.round,
        };
        let (round, turn) = s.number();
        Board {
            variant: Text::of(
                format!("round {round} of 5, turn {turn} of 3"),
                format!("第{round}ラウンド（全5）、ターン{turn}/3"),
            ),
            ..sight.board()
        }
    }

    fn draw(&self, s: &Midturn, viewer: Viewer) -> Text {
        let (table, seat, names) = (&s.table, s.seat_of(viewer), names(None));
        let lines = |pick: fn(&Text) -> &str, you: &str, heads: [&str; 2]| {
            let each = (0..SEATS).map(|i| {
                let (mark, who) = if i == seat { ("▸", you) } else { (" ", self.lineup.0[i].name) };
                let (kept, won) = (table.scores[i], table.round[i]);
                format!("{mark} {} ({who}): {} {kept}, {} {won}\n", pick(&names[i]), heads[0], heads[1])
            });
            each.collect::<String>()
        };
        let ((round, turn), hand) = (s.number(), framed(table.hands[seat]));
        let (en, ja) = (
            lines(|t| &t.en, "you", ["kept", "this round"]),
            lines(|t| &t.ja, "あなた", ["点数", "このラウンド"]),
        );
        Text::of(
            format!("round {round} of 5, turn {turn} of 3\n{en}{hand}"),
            format!("第{round}ラウンド（全5）　ターン{turn}/3\n{ja}{hand}"),
        )
    }

    fn measure(&self) -> Measure {
        measure()
    }

    fn prompt(&self, _: &Midturn) -> Text {
        text("a card of your hand, e.g. S7", "手札のカード、例：S7")
    }

    /// Nothing but that a card lies there; what the turn and the round gave, when all have put one down.
    fn happened(&self, before: &Midturn, card: Card, _: &Midturn) -> Text {
        let names = names(None);
        let Some(played) = before.completed(card) else {
            let name = &names[before.seat()];
            return Text::of(format!("{} puts a card face down", name.en), format!("{}が1枚伏せた", name.ja));
        };
        let turn = explain_turn(names.each_ref(), played);
        if !before.table.turn.is_multiple_of(ROUND) {
            return turn;
        }
        let round = explain_round(names.each_ref(), scored(before.table.round, played));
        Text::of(format!("{}; {}", turn.en, round.en), format!("{}。{}", turn.ja, round.ja))
    }

    fn result(&self, s: &Midturn) -> Text {
        explain_game(names(None).each_ref(), s.table.scores)
    }

    fn flawless(&self) -> Text {
        text(
            "none in the last round; rounds 1 to 4 are not judged",
            "最終ラウンドではなし（1～4ラウンドは判定しない）",
        )
    }
}
