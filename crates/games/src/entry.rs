//! The face every game shows to the command line, the page and the files: none of them knows which game
//! it shows.

use crate::contract::Contract;
use crate::params::{Param, Settings};
use crate::play::Play;
use crate::tables::Tables;
use serde_json::{Map, Value};
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_view::report::{Certainty, Outcome};
use yomikiri_view::scene::{Scene, Viewer};

/// Who a game is.
pub struct About {
    /// The word it is called by in commands, files and URLs.
    pub id: &'static str,
    /// Its name.
    pub name: Text,
    /// One line on what is computed.
    pub summary: Text,
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
    fn prepare(&self, _: &[Map<String, Value>], _: &Run<'_>) -> Result<(), Error> {
        Ok(())
    }
    /// The answer to a request, `id` aside, as the text of a JSON object. Requests are answered side by
    /// side, so the run has one thread and its share of the memory.
    fn answer(&self, request: &Map<String, Value>, run: &Run<'_>) -> Result<String, Error>;
}

/// A registered game.
pub trait Entry: Sync {
    /// Who it is.
    fn about(&self) -> &'static About;
    /// Its parameters.
    fn params(&self) -> &'static [Param];
    /// Solves it and says what came out.
    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error>;
    /// The value of a position and of every move in it; of the start if none is given.
    fn show(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Outcome, Error>;
    /// The picture of a position as a viewer sees it, with every move and its value; of the start if none is
    /// given. What the viewer may not know is not in it.
    fn scene(
        &self,
        settings: &Settings,
        position: Option<&str>,
        viewer: Viewer,
        run: &Run<'_>,
    ) -> Result<Scene, Error>;
    /// A position in edit mode: its moves are changes by hand, each with the notation of the position after it as
    /// its id. Every change leads to a legal position; of the start if none is given.
    fn edits(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Scene, Error> {
        let mut scene = self.scene(settings, position, None, run)?;
        scene.without_values();
        scene.moves.clear();
        Ok(scene)
    }
    /// What is shown of it where all games are shown, within a second.
    fn headline(&self, run: &Run<'_>) -> Result<Headline, Error> {
        let settings = Settings::new(self.params(), [])?;
        let scene = self.scene(&settings, None, None, run)?;
        let (big, text) = scene.value.as_ref().map(|v| (v.text.clone(), v.of.clone())).unwrap_or_default();
        Ok(Headline { big, text, cert: Certainty::Exact, scene })
    }
    /// Something that answers JSON requests, in exact fractions if asked.
    fn evaluator(&self, exact: bool) -> Box<dyn Evaluator>;
    /// A game to be played, from a position if one is given.
    fn play(
        &self,
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<Box<dyn Play>, Error>;
    /// What keeps its solution as a table on disk, or why there is no such table.
    fn tables(&self) -> Result<&'static dyn Tables, Text> {
        Err(text("it has no table of all positions", "全局面の表はありません"))
    }
    /// Puts the game through the tests every game must pass.
    fn contract(&self, contract: &mut Contract);
}
