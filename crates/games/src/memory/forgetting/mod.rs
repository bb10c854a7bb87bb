//! Two players who do not remember everything: what they remember is a model, and forgetting is left to chance.

pub mod advice;
pub mod alone;
pub mod cards;
pub mod classes;
mod describe;
pub mod model;
pub mod rules;
pub mod summary;

use super::rules::Objective;
use super::{PARAMS, asked};
use crate::about::{About, Primer};
use crate::analyse::Analyse;
use crate::approach::Approach;
use crate::entry::Entry;
use crate::erased::Erased;
use crate::family::{Family, heading};
use crate::params::{Param, Settings};
use advice::Solved;
use cards::{Cards, Lying};
use model::Model;
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_view::report::Outcome;

/// Memory between two players who forget.
pub struct Forgetters;

static ENTRY: Erased<Forgetters> = Erased(&Forgetters);

/// The game as the faces see it.
pub fn entry() -> &'static dyn Entry {
    &ENTRY
}

static ABOUT: About = About {
    id: "memory",
    name: super::NAME,
    notation: super::NOTATION,
    example: "40,2x20,d-2",
    eval: text("position and parameters", "position とパラメータ"),
    question: r#"{"position":"2x40","ranks":2,"memory-model":"forget:0.1"}"#,
    players: 2,
    summary: text(
        "two players who forget: the value of every position, enclosed from below and from above",
        "忘れる2人：全局面の値を下と上から挟んで求める",
    ),
    rules: Primer {
        goal: text("Take more pairs than the other player.", "相手より多くのペアを取る。"),
        play: text(
            "All cards lie face down. A move turns one card, then a second one. Two cards of equal rank leave as a pair, and the same player goes on; otherwise both lie face down again and the other is to move. Showing two known cards that do not match is a pass. When the turn changes, known cards are forgotten as the model of memory says; a forgotten card is as if nobody had seen it. Whoever remembers nothing turns two cards at random.",
            "札はすべて伏せてある。1枚めくり、続けてもう1枚めくる。同じランクならペアとして取り、続けて打つ。違えば両方伏せて相手の番。既知の合わない2枚を見せるのはパス。番が替わるとき、記憶のモデルに従って既知の札を忘れる。忘れた札は誰も見ていない札と同じ。何も覚えない側は2枚を無作為にめくる。",
        ),
        end: text(
            "The game is over when all cards are taken, or after two passes in a row. Most pairs win.",
            "すべて取るか、続けて2回パスすると終わり。ペアの多い方が勝ち。",
        ),
        values: text(
            "A value is the chance of the player to move to win, a draw counting half, on average over what is forgotten. If pairs are played for, it is the pairs ahead.",
            "値は手番側の勝率（引き分けは½）。何を忘れるかについての平均。ペア数を争う設定では、ペア差。",
        ),
    },
};

impl Family for Forgetters {
    type Game = Cards;

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn params(&self) -> &'static [Param] {
        &PARAMS
    }

    fn game(&self, settings: &Settings, _: u64) -> Result<Cards, Refusal> {
        Ok(Cards::new(asked::game(settings)?, Model::read(settings.text("memory-model"))?))
    }

    fn position(
        &self,
        settings: &Settings,
        position: Option<&str>,
        _: &Run<'_>,
    ) -> Result<(Cards, Lying), Error> {
        let model = Model::read(settings.text("memory-model"))?;
        let (memory, s) = asked::position(settings, position)?;
        let game = Cards::new(memory, model);
        game.accept(&s)?;
        let lying = game.deal(&s);
        Ok((game, lying))
    }

    fn approach(&self) -> Option<&'static dyn Approach<Cards>> {
        None
    }

    fn solver(
        &self,
        _: &Settings,
        game: &Cards,
        s: &Lying,
        run: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Cards>>, Error> {
        Ok(Box::new(Solved::new(game, s, run)?))
    }

    fn variant(&self, _: &Settings, game: &Cards) -> Text {
        let (memory, model) = (game.memory(), game.model());
        let objective = match memory.objective() {
            Objective::Win => Text::default(),
            Objective::Cards => text(", for pairs", "、ペア数の差"),
        };
        Text::of(
            format!("{} ranks × {} cards, memory {model}{}", memory.ranks(), memory.copies(), objective.en),
            format!("{}ランク×{}枚、記憶 {model}{}", memory.ranks(), memory.copies(), objective.ja),
        )
    }

    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
        let game = self.game(settings, run.seed)?;
        let heading = heading(&self.title(settings, &game));
        summary::solve(game.memory(), game.model(), heading, run)
    }
}
