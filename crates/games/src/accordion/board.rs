//! The names of the game: how a row is written and looks, what moves are called, how rows are changed by hand.

use super::notation::{lines, name, row, written};
use super::rules::{Accordion, Row, Step};
use crate::describe::{Describe, Past};
use yomikiri_core::cards::Card;
use yomikiri_core::text::counted;
use yomikiri_core::{Game, Refusal, Text, text};
use yomikiri_view::scene::{Board, Item, Legend, Mark, Move, Seat, Shape, Show, Viewer, Zone};

/// Cards in a line of the row, and where there is little room.
const PER: (u16, u16) = (13, 7);

/// A card in a text.
pub fn braced(card: Card) -> String {
    format!("{{{card}}}")
}

impl Describe for Accordion {
    fn parse(&self, given: &str) -> Result<Row, Refusal> {
        row(self.rules(), given)
    }

    fn print(&self, s: &Row) -> Option<String> {
        Some(written(self.rules(), s))
    }

    fn action(&self, s: &Row, a: Step) -> Move {
        let (x, y) = (s.cards[usize::from(a.x)], s.cards[usize::from(a.y)]);
        let how = match a.x - a.y {
            _ if self.rules().by_grace(s, a) => {
                text("the first pile, by grace", "先頭の山、セービンググレース")
            }
            1 => text("the next card", "左隣"),
            3 => text("the third card", "2枚おいて左"),
            far => Text::of(format!("{far} to the left"), format!("{far}つ左")),
        };
        let label = Text::of(
            format!("{} onto {}, {}", braced(x), braced(y), how.en),
            format!("{} を {} に（{}）", braced(x), braced(y), how.ja),
        );
        Move { from: Some(x.to_string()), to: Some(y.to_string()), ..Move::new(name(s, a), label) }
    }

    fn board(&self, s: &Row, past: &Past<Accordion>, _: Viewer) -> Board {
        let moved = past.last().and_then(|(before, last)| before.cards.get(usize::from(last.x)));
        let item = |card: &Card| {
            let item = Item::card(card.to_string(), Show::Up(card.to_string()));
            if moved == Some(card) { item.mark(Mark::Last) } else { item }
        };
        let (left, dealt) = (s.cards.len(), self.start().cards.len());
        let count = |n: usize, of: usize, name: Text| {
            Seat::scoring(name, n, Text::of(format!("of {of}"), format!("／{of}")))
        };
        // Lines of about the same length.
        let per = left.div_ceil(left.div_ceil(usize::from(PER.0)).max(1)).max(1) as u16;
        let shape = Shape::Row { per, narrow: per.min(PER.1) };
        let zone = Zone::new("row", shape, Text::default(), s.cards.iter().map(item).collect());
        let moves = self.rules().steps(s).len();
        let legend = Legend {
            item: None,
            text: text(
                "With hints, under a card: how far left it may jump, and whether the game can still be won.",
                "ヒント表示中、カードの下：左へ跳ぶ距離と、その後も成功可能かどうか。",
            ),
        };
        Board {
            seats: vec![
                count(left, dealt, text("Cards left", "残り")),
                count(dealt.saturating_sub(left), dealt - 1, text("Moves", "手数")),
            ],
            legend: if moves > 0 { vec![legend] } else { Vec::new() },
            say: Text::of(
                format!("{moves} legal {}", if moves == 1 { "move" } else { "moves" }),
                format!("合法手{moves}個"),
            ),
            ..Board::new(vec![zone.wide(60)])
        }
    }

    fn draw(&self, s: &Row, _: Viewer) -> Text {
        let grace = match (self.rules().grace(), s.grace) {
            (false, _) => Text::default(),
            (true, true) => text("\nsaving grace: not used yet", "\nセービンググレース：未使用"),
            (true, false) => text("\nsaving grace: used", "\nセービンググレース：使用済み"),
        };
        let (row, cards) = (lines(&s.cards), s.cards.len());
        let counted = counted(cards as u64, "card", "cards");
        Text::of(format!("{row}\n{counted}{}", grace.en), format!("{row}\n{cards}枚{}", grace.ja))
    }

    fn prompt(&self, _: &Row) -> Text {
        text("a move such as S4>S7 (S4 goes onto S7)", "手を入力（例：S4>S7 は S4 を S7 に重ねる）")
    }

    fn happened(&self, before: &Row, a: Step, after: &Row) -> Text {
        let (typed, left) = (name(before, a), after.cards.len());
        Text::of(format!("{typed}, {left} left"), format!("{typed}、残り{left}枚"))
    }

    fn result(&self, s: &Row) -> Text {
        if self.rules().won(s) { text("success", "成功") } else { text("stuck", "手詰まり") }
    }

    fn why(&self, s: &Row) -> Text {
        let left = s.cards.len();
        match left {
            1 => text("one pile is left", "山が1つになった"),
            _ if self.rules().won(s) => {
                Text::of(format!("{left} piles are left"), format!("山が{left}つになった"))
            }
            _ => Text::of(
                format!("{left} cards are left, and none of them can be moved"),
                format!("{left}枚が残り、動かせる札がない"),
            ),
        }
    }

    fn understand(&self, s: &Row, typed: &str) -> Option<Step> {
        // Other ways to write a ten, or to put the two cards.
        let cards = super::notation::cards(&typed.replace('>', " ")).ok()?;
        let steps = self.rules().steps(s);
        let place = |i: usize| s.cards.iter().position(|c| Some(c) == cards.get(i)).map(|at| at as u8);
        match cards.len() {
            2 => {
                let step = Step { x: place(0)?, y: place(1)? };
                steps.contains(&step).then_some(step)
            }
            // A card that can go to one place only.
            1 => {
                let x = place(0)?;
                let mut fits = steps.into_iter().filter(|a| a.x == x);
                fits.next().filter(|_| fits.next().is_none())
            }
            _ => None,
        }
    }

    /// Two cards change places, or one goes.
    fn edits(&self, s: &Row) -> Vec<Move> {
        let mut changes = Vec::new();
        let print = |cards: Vec<Card>| written(self.rules(), &Row { cards, ..s.clone() });
        for (i, x) in s.cards.iter().enumerate() {
            for (j, y) in s.cards.iter().enumerate().skip(i + 1) {
                let mut cards = s.cards.clone();
                cards.swap(i, j);
                let label = Text::of(
                    format!("{} and {} change places", braced(*x), braced(*y)),
                    format!("{} と {} を入れ替える", braced(*x), braced(*y)),
                );
                let (from, to) = (Some(x.to_string()), Some(y.to_string()));
                changes.push(Move { from, to, ..Move::new(print(cards), label) });
            }
        }
        for (i, x) in s.cards.iter().enumerate().filter(|_| s.cards.len() > 1) {
            let mut cards = s.cards.clone();
            cards.remove(i);
            let label = Text::of(format!("{} goes", braced(*x)), format!("{} を除く", braced(*x)));
            changes.push(Move { on: vec![x.to_string()], ..Move::new(print(cards), label) });
        }
        changes
    }
}
