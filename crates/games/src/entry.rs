//! The face every game shows to the command line, the page and the files: none of them knows which game
//! it shows.

use crate::about::{About, Claim, Evaluator, Given, Headline, Variant};
use crate::params::{Param, Settings};
use crate::play::Play;
use crate::rules::Rules;
use crate::tables::Tables;
use serde_json::Value;
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_proof::{Fault, Lines, Proved};
use yomikiri_view::report::{Certainty, Outcome};
use yomikiri_view::scene::{Scene, Viewer};

/// A registered game.
pub trait Entry: Sync {
    /// What it is called, and how it is asked.
    fn about(&self) -> &'static About;
    /// Its parameters.
    fn params(&self) -> &'static [Param];
    /// Variants of it that have names; the first is for beginners.
    fn variants(&self) -> &'static [Variant] {
        &[]
    }
    /// The parameters that only say how it is computed or modelled.
    fn advanced(&self) -> &'static [&'static str] {
        &[]
    }
    /// The settings that its puzzles are made with where nobody says; none if it has no puzzles.
    fn puzzles(&self) -> Option<Given> {
        Some(&[])
    }
    /// Solves it and says what came out.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit. Settings that go with no game are refused.
    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error>;
    /// The value of a position and of every move in it; of the start if none is given.
    ///
    /// # Errors
    /// What is not accepted is refused by the name of the field; otherwise what the computation fails with.
    fn show(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Outcome, Error>;
    /// What [`Entry::show`] says for programs, without what only people read.
    ///
    /// # Errors
    /// As [`Entry::show`].
    fn told(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Value, Error> {
        Ok(self.show(settings, position, run)?.json)
    }
    /// The picture of a position as a viewer sees it, with every move and its value; of the start if none is
    /// given. What the viewer may not know is not in it.
    ///
    /// # Errors
    /// As [`Entry::show`].
    fn scene(
        &self,
        settings: &Settings,
        position: Option<&str>,
        viewer: Viewer,
        run: &Run<'_>,
    ) -> Result<Scene, Error>;
    /// A position in lines of text, for terminals; of the start if none is given. Nothing is solved for it, and it is
    /// empty for a game that cannot be drawn so.
    ///
    /// # Errors
    /// What is not accepted is refused by the name of the field.
    fn draw(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Text, Error> {
        let _ = (settings, position, run);
        Ok(Text::default())
    }
    /// A position in edit mode: its moves are changes by hand, each with the notation of the position after it as
    /// its id. Every change leads to a legal position; of the start if none is given.
    ///
    /// # Errors
    /// As [`Entry::show`].
    fn edits(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Scene, Error> {
        let mut scene = self.scene(settings, position, None, run)?;
        scene.without_values();
        scene.moves.clear();
        Ok(scene)
    }
    /// The notation of a position with other scores, one a seat; of the start if none is given.
    ///
    /// # Errors
    /// Scores that go with no position are refused.
    fn rescored(
        &self,
        settings: &Settings,
        position: Option<&str>,
        scores: &[i64],
        run: &Run<'_>,
    ) -> Result<String, Error> {
        let _ = (settings, position, run);
        Err(no_scores(scores))
    }
    /// What is shown of it where all games are shown, within a second.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit.
    fn headline(&self, run: &Run<'_>) -> Result<Headline, Error> {
        let settings = Settings::new(self.params(), [])?;
        let scene = self.scene(&settings, None, None, run)?;
        let (big, text) = scene.value.as_ref().map(|v| (v.text.clone(), v.of.clone())).unwrap_or_default();
        Ok(Headline { claim: Claim { big, text, cert: Certainty::Exact, settings, position: None }, scene })
    }
    /// Something that answers JSON requests, in exact fractions if asked.
    fn evaluator(&self, exact: bool) -> Box<dyn Evaluator>;
    /// A game to be played, from a position if one is given.
    ///
    /// # Errors
    /// Settings and positions that cannot be played are refused by the name of the field.
    fn play(
        &self,
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<Box<dyn Play>, Error>;
    /// Its rules, to be asked one state at a time.
    ///
    /// # Errors
    /// Settings that go with no game are refused; what must be computed first may fail.
    fn rules(&self, settings: &Settings, run: &Run<'_>) -> Result<Box<dyn Rules>, Error> {
        let _ = (settings, run);
        let accepts = text("a game whose rules can be asked", "規則を直接たずねられるゲーム");
        Err(Refusal::new("game", self.about().id, accepts).into())
    }
    /// Whether what it is worth can be proved to whoever has the rules.
    fn provable(&self) -> bool {
        false
    }
    /// A proof of what it is worth, as a file has it.
    ///
    /// # Errors
    /// What the solver fails with; a game without proofs is refused.
    fn proof(&self, settings: &Settings, run: &Run<'_>) -> Result<Vec<u8>, Error> {
        let _ = (settings, run);
        Err(unproved(self.about().id))
    }
    /// Checks the lines of a proof after its header, by the rules alone.
    ///
    /// # Errors
    /// Why it is not accepted.
    fn check(
        &self,
        settings: &Settings,
        kind: &str,
        lines: &mut dyn Lines,
        run: &Run<'_>,
    ) -> Result<Proved, Fault> {
        let _ = (settings, kind, lines, run);
        Err(unproved(self.about().id).into())
    }
    /// What keeps its solution as a table on disk, or why there is no such table.
    ///
    /// # Errors
    /// The reason, in words.
    fn tables(&self) -> Result<&'static dyn Tables, Text> {
        Err(text("it has no table of all positions", "全局面の表はありません"))
    }
}

/// The refusal of scores that go with no position.
pub fn no_scores(scores: &[i64]) -> Error {
    let written = scores.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    let accepts = text(
        "scores that play can lead to with this on the table, one a seat",
        "この盤面で実際にありうる得点（席の順に1つずつ）",
    );
    Refusal::new("scores", written, accepts).into()
}

/// The refusal of a game that has no proofs of this kind.
pub fn unproved(id: &str) -> Error {
    Refusal::new("game", id, text("a game with proofs from its rules", "規則からの証明があるゲーム")).into()
}
