//! What a player is: what it knows when a card is to be chosen, and what is agreed on before a game.

use super::rules::{Card, Cards, SEATS};
use super::view::View;
use crate::params::{Domain, Param};
use yomikiri_core::random::Random;
use yomikiri_core::{Text, text};

/// Which of several equally good cards is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The lowest: the strict `>` of the paper's figure 3.
    #[default]
    Lowest,
    /// The highest.
    Highest,
    /// Any, all equally likely.
    Random,
}

/// How cards are chosen in rounds 1 to 4 by those who leave it open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// Everybody draws a card of the own hand.
    #[default]
    Independent,
    /// All draw the same place in their hands, sorted from the lowest card, as if they shared a random seed.
    SameIndex,
}

/// What is agreed on before a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct House {
    /// Which of equally good cards is played.
    pub ties: Ties,
    /// How rounds 1 to 4 are played by those who leave it open.
    pub model: Model,
}

impl House {
    /// What the words of [`TIES`] and [`MODEL`] say.
    pub fn of(ties: &str, model: &str) -> House {
        House {
            ties: match ties {
                "highest" => Ties::Highest,
                "random" => Ties::Random,
                _ => Ties::Lowest,
            },
            model: if model == "same-index" { Model::SameIndex } else { Model::Independent },
        }
    }

    /// What is agreed on, in words.
    pub fn words(self) -> Text {
        let (model, model_ja) = match self.model {
            Model::Independent => ("independent", "独立"),
            Model::SameIndex => ("same index", "同じ位置"),
        };
        let (ties, ties_ja) = match self.ties {
            Ties::Lowest => ("lowest card", "最小のカード"),
            Ties::Highest => ("highest card", "最大のカード"),
            Ties::Random => ("random tie", "同点は無作為"),
        };
        Text::of(format!("{model}, {ties}"), format!("{model_ja}・{ties_ja}"))
    }
}

/// The parameter for the tie rule.
pub const TIES: Param = Param {
    name: "ties",
    domain: Domain::Choice(&[
        ("lowest", text("the lowest card (the paper's figure 3)", "最小のカード（論文の図3）")),
        ("highest", text("the highest card", "最大のカード")),
        ("random", text("any of them", "無作為")),
    ]),
    default: "lowest",
    help: text("which of several equally good cards is played", "同じ期待値のカードの選び方"),
};

/// The parameter for the model of rounds 1 to 4.
pub const MODEL: Param = Param {
    name: "model",
    domain: Domain::Choice(&[
        ("independent", text("everybody draws a card of the own hand", "各自が手札から独立に無作為に選ぶ")),
        (
            "same-index",
            text(
                "all draw the same place in their sorted hands",
                "昇順の手札の同じ位置を3人とも選ぶ（乱数を共有したかのように）",
            ),
        ),
    ]),
    default: "independent",
    help: text("random play in rounds 1 to 4", "1～4ラウンド目のランダムプレイのモデル"),
};

/// What a player knows when a card is to be chosen.
#[derive(Clone, Copy, Debug)]
pub struct Knowledge<'a> {
    /// The seat, 0 to 2.
    pub seat: usize,
    /// The own hand, the cards not seen, and the totals.
    pub view: View,
    /// The cards of the turns before, by seat from 0.
    pub history: &'a [[Card; SEATS]],
    /// The hands the player may look at, by seat from 0: the own, and a partner's.
    pub open: [Option<Cards>; SEATS],
    /// What is agreed on.
    pub house: House,
}

/// Somebody who plays. A player may keep tables from one decision to the next, but nothing that shows: what is
/// played follows from the seat and the random numbers.
pub trait Player: Send {
    /// The card to play; `None` in rounds 1 to 4 leaves it to the model.
    fn choose(&mut self, known: &Knowledge<'_>, random: &mut Random) -> Option<Card>;
}

/// A kind of player.
pub struct SeatKind {
    /// The word it is called by.
    pub name: &'static str,
    /// What it does.
    pub help: Text,
    /// Whether those of this kind see each other's hands.
    pub team: bool,
    /// Makes one.
    pub make: fn() -> Box<dyn Player>,
}

/// Of equally good cards those that may be played, all equally likely.
pub fn taken(ties: Ties, best: Cards) -> Cards {
    match ties {
        Ties::Lowest => best.iter().take(1).collect(),
        Ties::Highest => best.iter().last().into_iter().collect(),
        Ties::Random => best,
    }
}

/// One of equally good cards by the tie rule.
pub fn choose(best: Cards, ties: Ties, random: &mut Random) -> Option<Card> {
    let taken = taken(ties, best);
    taken.nth(random.below(taken.len().max(1) as u64) as usize)
}
