//! What a game says of itself, and what it hands out to be asked.

use crate::params::Settings;
use serde_json::{Map, Value};
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_view::report::Certainty;
use yomikiri_view::scene::Scene;

/// What a game is called, and how it is asked, for help texts and pages.
pub struct About {
    /// The word it is called by in commands, files and URLs.
    pub id: &'static str,
    /// Its name.
    pub name: Text,
    /// One line on what is computed.
    pub summary: Text,
    /// How it is played.
    pub rules: Primer,
    /// How positions are written, for help texts.
    pub notation: Text,
    /// A position written so, for help texts.
    pub example: &'static str,
    /// The fields of an `eval` line, for help texts.
    pub eval: Text,
    /// Such a line.
    pub question: &'static str,
    /// How many play at most.
    pub players: u8,
}

/// The rules in a few sentences, for people who do not know the game. What a game does not say is empty.
#[derive(Clone, Debug)]
pub struct Primer {
    /// What the players want.
    pub goal: Text,
    /// How moves are made.
    pub play: Text,
    /// How it ends, and what counts then.
    pub end: Text,
    /// How its values are read.
    pub values: Text,
}

impl Primer {
    /// Rules in one piece.
    pub const fn brief(play: Text) -> Primer {
        Primer { goal: text("", ""), play, end: text("", ""), values: text("", "") }
    }

    /// Its parts in the order in which they are read: a word for programs, a heading, what is said.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, Text, &Text)> {
        let all = [
            ("goal", text("Goal", "目的"), &self.goal),
            ("play", text("Moves", "手"), &self.play),
            ("end", text("End", "終わり"), &self.end),
            ("values", text("Values", "値の読み方"), &self.values),
        ];
        all.into_iter().filter(|part| !part.2.is_empty())
    }

    /// All of it in one text.
    pub fn whole(&self) -> Text {
        let join = |pick: fn(&Text) -> &str, gap: &str| {
            self.parts().map(|part| pick(part.2)).collect::<Vec<_>>().join(gap)
        };
        Text::of(join(|t| &t.en, " "), join(|t| &t.ja, ""))
    }
}

/// How values are read in games that are won, drawn or lost.
pub const RESULT: Text = text(
    "A move says win, draw or loss for whoever makes it, if both play their best from there. Beside it stands in how many moves, where that is known: a quick win is better than a slow one.",
    "手の値は、以後双方が最善を尽くしたときの、その手を指した側の勝ち・引き分け・負け。分かるときは手数を添える。早い勝ちほどよい。",
);

/// The same where nothing is drawn.
pub const DECIDED: Text = text(
    "A move says win or loss for whoever makes it, if both play their best from there. Beside it stands in how many moves, where that is known: a quick win is better than a slow one.",
    "手の値は、以後双方が最善を尽くしたときの、その手を指した側の勝ち・負け。分かるときは手数を添える。早い勝ちほどよい。",
);

/// The same with chance.
pub const WIN_RATE: Text = text(
    "A value is the share of games that the player to move wins, if both play their best: 0.5 is even.",
    "値は、双方最善のときの手番側の勝率。0.5 で互角。",
);

/// Parameters with their values, as they are written.
pub type Given = &'static [(&'static str, &'static str)];

/// A variant with a name.
pub struct Variant {
    /// What it is called.
    pub name: Text,
    /// The parameters that are not as always.
    pub settings: Given,
}

/// What is claimed of a game where all games are shown: one number, computed now, and the board that shows it too.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The number, or a word.
    pub big: Text,
    /// What it is.
    pub text: Text,
    /// What kind of number it is.
    pub cert: Certainty,
    /// The variant it belongs to.
    pub settings: Settings,
    /// The position it belongs to; the start if there is none.
    pub position: Option<String>,
}

/// A claim with a small picture: exactly what is seen where its board is opened.
#[derive(Clone, Debug, PartialEq)]
pub struct Headline {
    /// What is claimed, and where.
    pub claim: Claim,
    /// The board.
    pub scene: Scene,
}

/// Answers one JSON object after another.
pub trait Evaluator: Send + Sync {
    /// Looks at the requests to come and solves what they share, if they share anything. Requests that
    /// cannot be answered are left to [`Evaluator::answer`], which says why.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit.
    fn prepare(&self, _: &[Map<String, Value>], _: &Run<'_>) -> Result<(), Error> {
        Ok(())
    }
    /// The answer to a request, `id` aside, as the text of a JSON object. Requests are answered side by
    /// side, so the run has one thread and its share of the memory.
    ///
    /// # Errors
    /// What is not accepted is refused by the name of the field; otherwise what the computation fails with.
    fn answer(&self, request: &Map<String, Value>, run: &Run<'_>) -> Result<String, Error>;
}
