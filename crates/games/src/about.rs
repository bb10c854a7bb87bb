//! What a game says of itself, and what it hands out to be asked.

use serde_json::{Map, Value};
use yomikiri_core::{Error, Run, Text};
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
    /// How it is played, in a few sentences.
    pub rules: Text,
    /// How positions are written, for help texts.
    pub notation: Text,
    /// A position written so, for help texts.
    pub example: &'static str,
    /// The fields of an `eval` line, for help texts.
    pub eval: Text,
    /// Such a line.
    pub question: &'static str,
    /// How many play.
    pub players: u8,
}

/// What is shown of a game where all games are shown: one number, computed now, and a small picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Headline {
    /// The number, or a word.
    pub big: Text,
    /// What it is.
    pub text: Text,
    /// What kind of number it is.
    pub cert: Certainty,
    /// The position it belongs to.
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
