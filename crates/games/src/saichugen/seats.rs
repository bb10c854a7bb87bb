//! Players to seat against each other, and how a game between three of them goes. A new player is a line in
//! [`KINDS`].

use super::kernel::Kernel;
use super::player::{House, Knowledge, Model, Player, SeatKind, Ties, choose};
use super::rules::{Card, LAST_ROUND, SEATS, Table};
use super::view::View;
use super::{respond, sample, team};
use crate::params::{Domain, Param};
use yomikiri_core::random::Random;
use yomikiri_core::{Refusal, Text, text};

/// All kinds of players.
pub static KINDS: &[SeatKind] = &[
    SeatKind {
        name: "random",
        help: text("plays any card of the hand", "手札から無作為に出す"),
        team: false,
        make: || Box::new(RandomPlayer),
    },
    SeatKind {
        name: "search",
        help: text(
            "the paper's: at random in rounds 1 to 4, then the card with the highest exact expectation against players who play at random",
            "論文のプレイヤー：1～4ラウンドは無作為、5ラウンドは相手が無作為と仮定した厳密な期待値が最大のカード",
        ),
        team: false,
        make: || Box::new(Searcher(Kernel::new())),
    },
    respond::KIND,
    sample::KIND,
    team::KIND,
    team::LATE,
];

struct RandomPlayer;

impl Player for RandomPlayer {
    fn choose(&mut self, known: &Knowledge<'_>, random: &mut Random) -> Option<Card> {
        if known.view.turn < LAST_ROUND {
            return None;
        }
        choose(known.view.hand, Ties::Random, random)
    }
}

struct Searcher(Kernel);

impl Player for Searcher {
    fn choose(&mut self, known: &Knowledge<'_>, random: &mut Random) -> Option<Card> {
        if known.view.turn < LAST_ROUND {
            return None;
        }
        choose(self.0.values(&known.view).best_cards().collect(), known.house.ties, random)
    }
}

/// What a list of seats looks like.
const LINEUP: Text = text(
    "three players joined by commas, e.g. search,search,random",
    "コンマ区切りの3人、例：search,search,random",
);

/// Three kinds of players.
#[derive(Clone, Copy)]
pub struct Lineup(pub [&'static SeatKind; SEATS]);

impl Lineup {
    /// Reads `search,search,random`.
    ///
    /// # Errors
    /// Other numbers of players, unknown ones and a partner alone are refused.
    pub fn parse(given: &str) -> Result<Lineup, Refusal> {
        let names = KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ");
        let accepts = Text::of(format!("{}: {names}", LINEUP.en), format!("{}：{names}", LINEUP.ja));
        let refuse = || Refusal::new("seats", format!("\"{given}\""), accepts.clone());
        let named = |word: &str| KINDS.iter().find(|kind| kind.name == word.trim());
        let kinds: Option<Vec<_>> = given.split(',').map(named).collect();
        let kinds: [_; SEATS] = kinds.ok_or_else(refuse)?.try_into().map_err(|_| refuse())?;
        if kinds.iter().filter(|kind| kind.team).count() == 1 {
            let accepts =
                text("partners in twos, e.g. team,team,search", "組む席は2つ、例：team,team,search");
            return Err(Refusal::new("seats", format!("\"{given}\""), accepts));
        }
        Ok(Lineup(kinds))
    }

    /// Whether a text is a list of seats.
    ///
    /// # Errors
    /// As [`Lineup::parse`].
    pub fn check(given: &str) -> Result<(), Refusal> {
        Lineup::parse(given).map(drop)
    }

    /// The names, joined by commas.
    pub fn name(&self) -> String {
        self.0.map(|kind| kind.name).join(",")
    }
}

/// The parameter for the seats.
pub const SEATING: Param = Param {
    name: "seats",
    domain: Domain::Text { accepts: LINEUP, check: Lineup::check },
    default: "search,search,search",
    help: text("who sits at the table, in order", "3つの席のプレイヤー（順に）"),
};

/// Random numbers of a game: one stream for the deal and the model, one for every seat.
const STREAMS: u64 = 1 + SEATS as u64;

/// The deal of a game under a seed.
pub fn deal(seed: u64, game: u64) -> (Table, Random) {
    let mut random = Random::stream(seed, game.wrapping_mul(STREAMS));
    let mut deck: [Card; 52] = std::array::from_fn(|i| Card::new(i as u8).expect("one of 52"));
    random.shuffle(&mut deck);
    (Table::deal(&deck), random)
}

/// The cards the model plays in a turn of rounds 1 to 4. As many random numbers are drawn whoever plays, so that games
/// of one number are alike for all seats.
pub fn drawn(model: Model, table: &Table, random: &mut Random) -> [Card; SEATS] {
    let mut place = |seat: usize| random.below(table.hands[seat].len() as u64) as usize;
    let places = match model {
        Model::Independent => [place(0), place(1), place(2)],
        Model::SameIndex => [place(0); SEATS],
    };
    std::array::from_fn(|seat| table.hands[seat].nth(places[seat]).expect("a place in the hand"))
}

/// What a seat knows at a table.
fn seat_at<'a>(table: &'a Table, seat: usize, lineup: &Lineup, house: House) -> Knowledge<'a> {
    let partner = |other: usize| lineup.0[seat].team && lineup.0[other].team;
    Knowledge {
        seat,
        view: View::of(table, seat),
        history: &table.history,
        open: std::array::from_fn(|other| (other == seat || partner(other)).then(|| table.hands[other])),
        house,
    }
}

/// Three players at a table.
pub struct Party {
    lineup: Lineup,
    house: House,
    players: [Box<dyn Player>; SEATS],
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playthrough {
    /// What everybody had kept when the last round began.
    pub entering: [u8; SEATS],
    /// The table at the end.
    pub table: Table,
}

impl Party {
    /// Seats players.
    pub fn new(lineup: Lineup, house: House) -> Party {
        Party { lineup, house, players: lineup.0.map(|kind| (kind.make)()) }
    }

    /// The same with another player in a seat; who sees whose hand stays as it is.
    #[must_use]
    pub fn with(mut self, seat: usize, player: Box<dyn Player>) -> Party {
        self.players[seat] = player;
        self
    }

    /// What one seat plays, if the player decides.
    pub fn choice(&mut self, table: &Table, seat: usize, random: &mut Random) -> Option<Card> {
        let card = self.players[seat].choose(&seat_at(table, seat, &self.lineup, self.house), random);
        card.filter(|&card| table.hands[seat].has(card))
    }

    /// Plays a game of a seed up to a turn.
    pub fn until(&mut self, turn: u8, seed: u64, game: u64) -> Playthrough {
        let (mut table, mut random) = deal(seed, game);
        let mut own: [Random; SEATS] = std::array::from_fn(|seat| {
            Random::stream(seed, game.wrapping_mul(STREAMS).wrapping_add(1 + seat as u64))
        });
        let mut entering = [0; SEATS];
        while !table.over() && table.turn < turn {
            if table.turn == LAST_ROUND {
                entering = table.scores;
            }
            let open = (table.turn < LAST_ROUND).then(|| drawn(self.house.model, &table, &mut random));
            let cards = std::array::from_fn(|seat| {
                let chosen = self.choice(&table, seat, &mut own[seat]);
                // Whoever decides nothing in the last round plays the lowest card.
                chosen.or(open.map(|cards| cards[seat])).or(table.hands[seat].nth(0)).expect("a card is held")
            });
            table.play(cards);
        }
        if table.turn <= LAST_ROUND {
            entering = table.scores;
        }
        Playthrough { entering, table }
    }

    /// Plays a game of a seed to its end.
    pub fn game(&mut self, seed: u64, game: u64) -> Playthrough {
        self.until(u8::MAX, seed, game)
    }
}

/// Ranks by totals, 1 for the highest; equals share the better rank.
pub fn ranks(totals: [u8; SEATS]) -> [usize; SEATS] {
    totals.map(|total| 1 + totals.iter().filter(|&&other| other > total).count())
}
