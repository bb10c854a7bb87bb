//! Memory for two to five players, with other rules for passes and other aims: one game with its solver for every number
//! of players.

pub mod advice;
pub mod answer;
pub mod asked;
mod describe;
pub mod kernel;
pub mod notation;
pub mod on_disk;
mod opened;
pub mod outside;
pub mod rules;
pub mod scores;
pub mod seats;
mod stored;
mod summary;
pub mod table;
pub mod worth;

use super::PARAMS;
use crate::about::{About, Claim, Evaluator, Primer};
use crate::analyse::Analyse;
use crate::approach::Approach;
use crate::describe::Describe;
use crate::entry::Entry;
use crate::erased::Erased;
use crate::family::{Family, heading};
use crate::params::{Param, Settings};
use advice::{Solved, conventions, measured};
use seats::{Seated, Seats};
use yomikiri_core::{Error, Game, Refusal, Run, Text, text};
use yomikiri_view::report::{Certainty, Outcome};

/// Memory for `K` players.
pub struct Players<const K: usize>;

static TWO: Erased<Players<2>> = Erased(&Players);
static THREE: Erased<Players<3>> = Erased(&Players);
static FOUR: Erased<Players<4>> = Erased(&Players);
static FIVE: Erased<Players<5>> = Erased(&Players);

/// The game for so many players, as the faces see it.
pub fn entry(players: i64) -> &'static dyn Entry {
    match players {
        2 => &TWO,
        3 => &THREE,
        4 => &FOUR,
        _ => &FIVE,
    }
}

static ABOUTS: [About; 4] = [about(2), about(3), about(4), about(5)];

const fn about(players: u8) -> About {
    About {
        id: "memory",
        name: text("Memory", "神経衰弱"),
        summary: text(
            "two to five players with perfect memory: the values of all of them, by vector induction",
            "完全記憶の2～5人：全員の値をベクトルの後ろ向き帰納で求める",
        ),
        rules: Primer {
            goal: text("Take more pairs than the others.", "他の誰より多くのペアを取る。"),
            play: text(
                "All cards lie face down, and all players remember every card they have seen. A move turns one card, then a second one. Two cards of equal rank leave as a pair, and the same player goes on; otherwise both lie face down again and the next is to move. Showing two known cards that do not match is a pass.",
                "札はすべて伏せてあり、全員が見た札を全部覚えている。1枚めくり、続けてもう1枚めくる。同じランクならペアとして取り、続けて打つ。違えば両方伏せて次の人の番。既知の合わない2枚を見せるのはパス。",
            ),
            end: text(
                "The game is over when all cards are taken, or, where that is agreed, when everybody has passed in a row. Most pairs win; equals share the win.",
                "すべて取ると終わり。取り決めによっては、全員が続けてパスしても終わる。ペアの最も多い人が勝ち、同数なら勝ちを等分する。",
            ),
            values: text(
                "A value is what the player to move gets on average if everybody plays for themselves: a share of the win, pairs, or pairs more than the mean of the others. Every other player has a value too. Which of equally good moves somebody makes changes what the others get, so the rule for that belongs to the value.",
                "値は、全員が自分のために最善を尽くすときの手番側の期待値：勝ちの分け前、ペア数、または他の平均とのペア差。他のプレイヤーにもそれぞれ値がある。同じ値の手のどれを選ぶかで他の人の値が変わるので、その規則も値の一部。",
            ),
        },
        notation: notation::NOTATION,
        example: "4x20,02",
        eval: text(
            "counts (ranks by pattern), players, pass, tie, scores (in order of play), passes, copies, objective; or position and parameters",
            "counts（パターンごとのランク数）、players、pass、tie、scores（手番順）、passes、copies、objective。または position とパラメータ",
        ),
        question: r#"{"counts":[2,0,0,0,0,0,0,0,0],"players":3,"scores":[0,0,0]}"#,
        players,
    }
}

impl<const K: usize> Family for Players<K> {
    type Game = Seats<K>;

    fn about(&self) -> &'static About {
        &ABOUTS[K - 2]
    }

    fn params(&self) -> &'static [Param] {
        &PARAMS
    }

    fn game(&self, settings: &Settings, _: u64) -> Result<Seats<K>, Refusal> {
        asked::game(settings)
    }

    fn position(
        &self,
        settings: &Settings,
        position: Option<&str>,
        _: &Run<'_>,
    ) -> Result<(Seats<K>, Seated), Error> {
        Ok(asked::position(settings, position)?)
    }

    fn approach(&self) -> Option<&'static dyn Approach<Seats<K>>> {
        None
    }

    fn solver(
        &self,
        _: &Settings,
        game: &Seats<K>,
        s: &Seated,
        run: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Seats<K>>>, Error> {
        Ok(Box::new(Solved::new(game, s, false, run)?))
    }

    /// Whoever plays asks about everything that can follow.
    fn hints(
        &self,
        _: &Settings,
        game: &Seats<K>,
        s: &Seated,
        run: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Seats<K>>>, Error> {
        Ok(Box::new(Solved::new(game, s, true, run)?))
    }

    fn variant(&self, _: &Settings, game: &Seats<K>) -> Text {
        let (cards, terms) = (game.party().cards(), game.party().terms());
        let (values, agreed) = (measured(terms.aim), conventions(terms));
        Text::of(
            format!(
                "{K} players, {} ranks × {} cards, {}; {}",
                cards.ranks(),
                cards.copies(),
                values.en,
                agreed.en
            ),
            format!("{K}人、{}ランク×{}枚、{}。{}", cards.ranks(), cards.copies(), values.ja, agreed.ja),
        )
    }

    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
        let game = self.game(settings, run.seed)?;
        let heading = heading(&self.title(settings, &game));
        summary::solve(settings, game.party(), &game.players(), heading, run)
    }

    fn headline(&self, run: &Run<'_>) -> Result<Claim, Error> {
        let given = [("players", K.to_string()), ("ranks", "4".to_owned())];
        let settings = Settings::new(&PARAMS, given.iter().map(|(name, value)| (*name, value.as_str())))?;
        let game = self.game(&settings, run.seed)?;
        let start = game.start();
        let analysis = self.solver(&settings, &game, &start, run)?.analyse(&game, &start, None, run)?;
        Ok(Claim {
            big: analysis.known()?.text.clone(),
            text: text("of the win for whoever moves first.", "：最初の人の勝ちの分け前。"),
            cert: Certainty::Exact,
            settings,
            position: None,
        })
    }

    fn requests(&self, exact: bool) -> Option<Box<dyn Evaluator>> {
        Some(Box::new(answer::Requests::new(exact)))
    }
}
