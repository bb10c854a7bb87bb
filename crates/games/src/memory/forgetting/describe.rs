//! How Memory between players who forget is written, named and seen: as between those who remember, and what is forgotten.

use super::super::board;
use super::super::table::{self, Card, Layout};
use super::cards::{Act, Cards, Lying};
use super::model::Model;
use crate::describe::{Describe, Past};
use yomikiri_core::text::counted;
use yomikiri_core::{Game, Refusal, Text, text};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Move, Viewer};

impl Cards {
    /// The turns of a running game, without what was forgotten between them.
    fn turns(&self, past: &Past<Self>) -> Vec<(Layout, table::Act)> {
        let plain = |(s, a): &(Lying, Act)| {
            let a = match *a {
                Act::Plain(a) => a,
                Act::Shows(..) => table::Act::Pass,
                Act::Draws(place) => match s.layout.cards.get(usize::from(place))? {
                    Card::Unknown => return None,
                    Card::Known(rank) if Some(*rank) == s.layout.face_up() => table::Act::Same(place),
                    _ if s.layout.stage.face_up().is_some() => table::Act::Different(place),
                    _ => return None,
                },
                Act::Forgets(_) | Act::Keeps(_) => return None,
            };
            Some((s.layout.clone(), a))
        };
        past.iter().filter_map(plain).collect()
    }

    /// The name of the card at a place.
    fn card(&self, s: &Lying, place: u16) -> String {
        match s.layout.cards.get(usize::from(place)) {
            Some(Card::Known(rank)) => self.table().label(*rank),
            _ => "?".into(),
        }
    }

    fn on(place: u16) -> Vec<String> {
        vec![board::item(place)]
    }
}

impl Describe for Cards {
    fn parse(&self, text: &str) -> Result<Lying, Refusal> {
        let position = self.memory().parse(text)?;
        self.accept(&position)?;
        Ok(self.deal(&position))
    }

    fn print(&self, s: &Lying) -> Option<String> {
        let at = self.position(s)?;
        // Whoever turns cards at random is in the middle of what the other has begun.
        let whole = self.model() != Model::Asymmetric || s.layout.mover == 0;
        self.memory().print(at.plain()).filter(|_| whole)
    }

    fn action(&self, s: &Lying, a: Act) -> Move {
        let named = |place: u16, id: String, en: String, ja: String| Move {
            on: Cards::on(place),
            ..Move::new(id, Text::of(en, ja))
        };
        match a {
            Act::Plain(a) => self.table().action(&s.layout, a),
            Act::Shows(first, second) => {
                let m = self.table().action(&s.layout, table::Act::Pass);
                Move { on: [Cards::on(first), Cards::on(second)].concat(), ..m }
            }
            Act::Draws(place) => {
                let n = place + 1;
                named(place, format!("draw {n}"), format!("card {n} is drawn"), format!("{n}番を引く"))
            }
            Act::Forgets(place) => {
                let (n, card) = (place + 1, self.card(s, place));
                let (en, ja) =
                    (format!("card {n}, {card}, is forgotten"), format!("{n}番（{card}）を忘れる"));
                named(place, format!("forget {n}"), en, ja)
            }
            Act::Keeps(place) => {
                let (n, card) = (place + 1, self.card(s, place));
                let (en, ja) =
                    (format!("card {n}, {card}, is remembered"), format!("{n}番（{card}）を覚えている"));
                named(place, format!("keep {n}"), en, ja)
            }
        }
    }

    fn board(&self, s: &Lying, past: &Past<Self>, viewer: Viewer) -> Board {
        self.table().board(&s.layout, &self.turns(past), viewer)
    }

    fn edit_board(&self, s: &Lying) -> Board {
        self.table().edit_board(&s.layout)
    }

    fn draw(&self, s: &Lying, viewer: Viewer) -> Text {
        self.table().draw(&s.layout, viewer)
    }

    fn measure(&self) -> Measure {
        self.table().measure()
    }

    fn seats(&self) -> Vec<Option<u8>> {
        match self.model() {
            // The other does nothing of their own will.
            Model::Asymmetric => vec![None, Some(0)],
            _ => vec![None, Some(0), Some(1)],
        }
    }

    fn prompt(&self, s: &Lying) -> Text {
        self.table().prompt(&s.layout)
    }

    fn accepts(&self, s: &Lying) -> Text {
        self.table().accepts(&s.layout)
    }

    fn understand(&self, s: &Lying, typed: &str) -> Option<Act> {
        match self.table().understand(&s.layout, typed)? {
            table::Act::Pass if self.model() == Model::LastTurn => {
                let mut actions = Vec::new();
                self.actions(s, &mut actions);
                actions.into_iter().find(|a| matches!(a, Act::Shows(..)))
            }
            a => Some(Act::Plain(a)),
        }
    }

    fn alike(&self, s: &Lying, a: Act) -> Act {
        match a {
            // Which known card one shows is a choice here: those of ranks with as many unknown cards are alike.
            Act::Plain(table::Act::Different(place)) if self.model() == Model::LastTurn => {
                let patterns = self.table().patterns(&s.layout);
                let up = s.layout.face_up();
                let pattern = |place: u16| match s.layout.cards[usize::from(place)] {
                    Card::Known(rank) if Some(rank) != up => Some(patterns[usize::from(rank)]),
                    _ => None,
                };
                let same = |other: &u16| pattern(*other) == pattern(place);
                let first = Cards::known(&s.layout).into_iter().find(same).unwrap_or(place);
                Act::Plain(table::Act::Different(first))
            }
            Act::Plain(a) => Act::Plain(self.table().alike(&s.layout, a)),
            other => other,
        }
    }

    fn happened(&self, before: &Lying, a: Act, after: &Lying) -> Text {
        match a {
            Act::Plain(a) => self.table().happened(&before.layout, a, &after.layout),
            Act::Shows(..) => self.table().happened(&before.layout, table::Act::Pass, &after.layout),
            Act::Draws(place) => match self.card(before, place) {
                // What matters comes with the rank.
                card if card == "?" => Text::default(),
                card => Text::of(
                    format!("turns card {}, the known {card}", place + 1),
                    format!("既知の{}番（{card}）をめくる", place + 1),
                ),
            },
            Act::Forgets(_) => self.words(before, a),
            Act::Keeps(_) => Text::default(),
        }
    }

    fn result(&self, s: &Lying) -> Text {
        self.table().result(&s.layout)
    }

    fn why(&self, s: &Lying) -> Text {
        self.table().why(&s.layout)
    }

    fn moment(&self, past: &Past<Self>, viewer: Viewer) -> Option<Board> {
        self.table().moment(&self.turns(past), viewer)
    }

    fn scores(&self, s: &Lying) -> Option<Vec<i64>> {
        self.table().scores(&s.layout)
    }

    fn rescored(&self, s: &Lying, scores: &[i64]) -> Option<String> {
        self.table().rescored(&s.layout, scores)
    }

    fn edits(&self, s: &Lying) -> Vec<Move> {
        let edits = self.table().edits(&s.layout).into_iter();
        edits.filter(|edit| self.parse(&edit.id).is_ok()).collect()
    }
}

impl Cards {
    /// Refuses a position that nobody can remember so much of.
    ///
    /// # Errors
    /// The refusal, with what can be remembered.
    pub(super) fn accept(&self, position: &super::super::rules::State) -> Result<(), Refusal> {
        let got = || self.memory().print(position).unwrap_or_default();
        if !self.model().fits(self.memory().patterns(), &position.counts) {
            let accepts = match self.model() {
                Model::Slots(most) => Text::of(
                    format!(
                        "{} at most, by memory-model slots:{most}",
                        counted(most as u64, "known card", "known cards")
                    ),
                    format!("既知カードは{most}枚まで（memory-model slots:{most}）"),
                ),
                _ => text(
                    "two known cards at most, of two ranks, by memory-model last-turn",
                    "既知カードは異なるランクの2枚まで（memory-model last-turn）",
                ),
            };
            return Err(Refusal::new("position", got(), accepts));
        }
        if position.passed && self.model() == Model::Asymmetric {
            let accepts = text(
                "no pass: whoever remembers nothing never passes",
                "passなし（記憶しない側はパスしない）",
            );
            return Err(Refusal::new("position", got(), accepts));
        }
        Ok(())
    }
}
