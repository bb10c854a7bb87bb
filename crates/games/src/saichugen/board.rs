//! Saichugen at the table: a person in one seat, players of choice in the others. Cards are put down face down one
//! after another and turned up together; from turn 13 on hints are exact expectations against random play.

use super::kernel::{Kernel, Values, fraction};
use super::notation::read;
use super::player::House;
use super::rules::{
    Card, Cards, LAST_ROUND, Names, ROUND, SEATS, TURNS, Table, explain_game, explain_round, explain_turn,
};
use super::scene::{Seen, UNVALUED, names, rated};
use super::seats::{Lineup, Party, deal, drawn};
use super::summary::framed;
use super::view::View;
use crate::params::Settings;
use crate::play::{Judged, Made, Mistake, Move, Play, Shown, mistakes_json};
use serde_json::{Value, json};
use std::cell::RefCell;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_view::scene::{Scene, Viewer};

/// Streams of random numbers for the table, apart from those of deals.
const STREAM: u64 = 1 << 63;

#[derive(Clone)]
struct State {
    table: Table,
    /// Cards put down in this turn, by the first seats.
    down: Vec<Card>,
}

/// A running game.
pub struct Board {
    names: [Text; SEATS],
    kinds: [&'static str; SEATS],
    party: Party,
    house: House,
    seed: u64,
    now: State,
    /// Every decision: the state before it, who decided, and the card.
    past: Vec<(State, Card)>,
    judged: Judged,
    kernel: RefCell<Kernel>,
}

/// A table in the last round with the cards not seen by seat 1 dealt at random.
fn table_of(view: &View, seed: u64) -> Table {
    let mut unknown: Vec<Card> = view.unknown.iter().collect();
    Random::stream(seed, STREAM - 1).shuffle(&mut unknown);
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

impl Board {
    /// A game of the settings: a deal of the seed, or a view as seat 1 sees it with the rest dealt at random.
    pub fn new(settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Board, Refusal> {
        let lineup = Lineup::parse(settings.text("seats"))?;
        let house = House::of(settings.word("ties"), settings.word("model"));
        let table = match position {
            Some(given) => table_of(&read(given)?, run.seed),
            None => deal(run.seed, settings.int("deal") as u64).0,
        };
        let name = |seat: usize| Text::of(format!("seat {}", seat + 1), format!("席{}", seat + 1));
        Ok(Board {
            names: [name(0), name(1), name(2)],
            kinds: lineup.0.map(|kind| kind.name),
            party: Party::new(lineup, house),
            house,
            seed: run.seed,
            now: State { table, down: Vec::new() },
            past: Vec::new(),
            judged: Judged::default(),
            kernel: RefCell::new(Kernel::new()),
        })
    }

    fn names(&self) -> Names<'_> {
        self.names.each_ref()
    }

    fn seat(&self) -> usize {
        self.now.down.len()
    }

    /// The exact expectations of the seat to move, in the last round.
    fn values(&self, state: &State) -> Option<Values> {
        let last = (LAST_ROUND..=TURNS).contains(&state.table.turn);
        last.then(|| self.kernel.borrow_mut().values(&View::of(&state.table, state.down.len())))
    }

    /// Puts a card down; when all have, the turn is scored.
    fn put(&mut self, card: Card) -> Text {
        let seat = self.seat();
        self.past.push((self.now.clone(), card));
        self.now.down.push(card);
        let name = &self.names[seat];
        let down = Text::of(format!("{} puts a card face down", name.en), format!("{}が1枚伏せた", name.ja));
        let Ok(played) = <[Card; SEATS]>::try_from(self.now.down.clone()) else { return down };
        let mut said = vec![explain_turn(self.names(), played)];
        let table = &mut self.now.table;
        let round = {
            let mut after = table.round;
            let winner = super::rules::turn_winner(played);
            after[winner] += played[winner].points();
            after
        };
        let ends = table.turn.is_multiple_of(ROUND);
        table.play(played);
        self.now.down.clear();
        if ends {
            said.push(explain_round(self.names(), round));
        }
        Text::of(
            said.iter().map(|t| t.en.as_ref()).collect::<Vec<_>>().join("; "),
            said.iter().map(|t| t.ja.as_ref()).collect::<Vec<_>>().join("。"),
        )
    }

    /// The mistake that a past decision was, if it was one.
    fn judge(&self, at: usize, decision: usize) -> Option<Mistake> {
        let (state, card) = &self.past[at];
        let values = self.values(state)?;
        let (_, played) = values.cards().find(|c| c.0 == *card)?;
        let lost = f64::from(values.best() - played) / f64::from(values.denominator());
        (lost > 0.0).then(|| Mistake {
            decision,
            at,
            played: label(*card),
            best: values.best_cards().next().map_or(text("", ""), label),
            lost,
        })
    }
}

fn label(card: Card) -> Text {
    let points = card.points();
    Text::of(format!("{} ({points})", card.drawn()), format!("{}（{points}点）", card.drawn()))
}

impl Play for Board {
    fn players(&self) -> usize {
        SEATS
    }

    fn table(&self) -> Text {
        let (table, seat) = (&self.now.table, self.seat());
        let (round, turn) = ((table.turn + 2) / ROUND, (table.turn + 2) % ROUND + 1);
        let line = |names: [&str; SEATS], you: &str, heads: [&str; 2]| {
            let each = (0..SEATS).map(|i| {
                let (mark, who) = if i == seat { ("▸", you) } else { (" ", self.kinds[i]) };
                let (kept, won) = (table.scores[i], table.round[i]);
                format!("{mark} {} ({who}): {} {kept}, {} {won}", names[i], heads[0], heads[1])
            });
            each.collect::<Vec<_>>().join("\n")
        };
        let hand = framed(table.hands[seat]);
        let en = self.names.each_ref().map(|n| n.en.as_ref());
        let ja = self.names.each_ref().map(|n| n.ja.as_ref());
        Text::of(
            format!(
                "round {round} of 5, turn {turn} of 3\n{}\n{hand}",
                line(en, "you", ["kept", "this round"])
            ),
            format!(
                "第{round}ラウンド（全5）　ターン{turn}/3\n{}\n{hand}",
                line(ja, "あなた", ["点数", "このラウンド"])
            ),
        )
    }

    fn turn(&self) -> Option<u8> {
        (!self.now.table.over()).then(|| self.seat() as u8)
    }

    fn prompt(&self) -> Text {
        text("a card of your hand, e.g. S7", "手札のカード、例：S7")
    }

    fn board(&self, viewer: Viewer) -> Scene {
        let viewer = viewer.map_or(self.seat(), usize::from).min(SEATS - 1);
        let State { table, down } = &self.now;
        let names = names(None);
        let mut scene = Seen { table, down, viewer, names: names.each_ref() }.picture();
        if let Some(result) = self.result() {
            scene.end(result);
        }
        scene
    }

    fn scene(&self, viewer: Viewer, _: &Run<'_>) -> Result<Scene, Error> {
        let mut scene = self.board(viewer);
        if scene.moves.is_empty() {
            return Ok(scene);
        }
        Ok(match self.values(&self.now) {
            Some(values) => rated(scene, &values),
            None => {
                scene.trust = UNVALUED;
                scene
            }
        })
    }

    fn made(&self, viewer: Viewer) -> Option<Made> {
        let (before, card) = self.past.last()?;
        // When all have put one down, everybody sees them.
        let known = self.now.down.is_empty() || viewer == Some(before.down.len() as u8);
        let input = known.then(|| card.to_string());
        Some(Made { input, ..Made::default() })
    }

    fn moves(&self, _: &Run<'_>) -> Result<Vec<Move>, Error> {
        if self.now.table.over() {
            return Ok(Vec::new());
        }
        let values = self.values(&self.now);
        let hand = self.now.table.hands[self.seat()];
        let cards = hand.iter().map(|card| {
            let known = values.as_ref().and_then(|values| {
                let (_, n) = values.cards().find(|c| c.0 == card)?;
                Some((n, values.denominator(), n == values.best()))
            });
            let (value, best) = match known {
                Some((n, d, best)) => {
                    let value = f64::from(n) / f64::from(d);
                    (
                        Shown {
                            text: Text::same(format!("{value:+.4} = {}", fraction(n, d))),
                            value: Some(value),
                        },
                        best,
                    )
                }
                // Expectations are exact from turn 13 on; before, nothing is claimed.
                None => (Shown { text: Text::same("–"), value: None }, false),
            };
            Move { input: card.to_string(), label: label(card), order: 0, value, best }
        });
        Ok(cards.collect())
    }

    fn input(&mut self, typed: &str) -> Result<Text, Refusal> {
        let typed = typed.trim();
        if self.now.table.over() {
            let accepts = text("nothing, the game is over", "なし（終局しています）");
            return Err(Refusal::new("move", format!("\"{typed}\""), accepts));
        }
        let hand = self.now.table.hands[self.seat()];
        let card = Card::parse(typed).ok().filter(|&card| hand.has(card));
        let card =
            card.ok_or_else(|| Refusal::new("move", format!("\"{typed}\""), Text::same(hand.to_string())))?;
        Ok(self.put(card))
    }

    /// Plays what the player of the seat chooses.
    fn best(&mut self, _: &Run<'_>) -> Result<Text, Error> {
        if self.now.table.over() {
            return Ok(text("", ""));
        }
        let seat = self.seat();
        let step = STREAM + 4 * u64::from(self.now.table.turn);
        // What the model draws in a turn is the same for all seats, and after taking back.
        let open = drawn(self.house.model, &self.now.table, &mut Random::stream(self.seed, step))[seat];
        let mut own = Random::stream(self.seed, step + 1 + seat as u64);
        let card = self.party.choice(&self.now.table, seat, &mut own).unwrap_or(open);
        Ok(self.put(card))
    }

    fn undo(&mut self, seat: u8) -> bool {
        let Some(at) = self.past.iter().rposition(|(s, _)| s.down.len() == usize::from(seat)) else {
            return false;
        };
        self.now = self.past[at].0.clone();
        self.past.truncate(at);
        self.judged.truncate(at);
        true
    }

    fn mistakes(&self, seat: u8, run: &Run<'_>) -> Result<Vec<Mistake>, Error> {
        let own = (0..self.past.len()).filter(|&at| self.past[at].0.down.len() == usize::from(seat));
        let mut mistakes = Vec::new();
        for (decided, at) in own.enumerate() {
            mistakes.extend(self.judged.of(at, || {
                run.check()?;
                Ok(self.judge(at, decided + 1))
            })?);
        }
        Ok(mistakes)
    }

    fn flawless(&self) -> Text {
        text(
            "none in the last round; rounds 1 to 4 are not judged",
            "最終ラウンドではなし（1～4ラウンドは判定しない）",
        )
    }

    fn result(&self) -> Option<Text> {
        let table = &self.now.table;
        table.over().then(|| explain_game(self.names(), table.scores))
    }

    fn score(&self, seat: u8) -> Option<f64> {
        let table = &self.now.table;
        table.over().then(|| f64::from(table.payoffs()[usize::from(seat).min(SEATS - 1)]))
    }

    fn record(&self, run: &Run<'_>) -> Result<Value, Error> {
        let moves: Vec<Value> = self
            .past
            .iter()
            .map(|(s, card)| json!({"turn": s.table.turn, "seat": s.down.len(), "move": card.to_string()}))
            .collect();
        let mistakes = mistakes_json(self, run)?;
        let table = &self.now.table;
        let payoffs = table.over().then(|| table.payoffs());
        Ok(json!({"seed": self.seed, "moves": moves, "mistakes": mistakes, "scores": table.scores,
            "payoffs": payoffs, "result": self.result().map(|t| t.en)}))
    }
}
