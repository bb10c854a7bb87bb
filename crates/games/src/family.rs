//! A registered game: who it is, its parameters, how to make it. Everything else follows from its rules and names.

use crate::about::{About, Claim, Evaluator};
pub use crate::about::{Given, Variant};
use crate::analyse::Analyse;
use crate::approach::{AllSeen, Approach};
use crate::describe::Describe;
use crate::entry::Entry;
use crate::params::{Param, Settings};
use crate::picture::Title;
use crate::strength::{Strength, strengths};
use crate::tables::Tables;
use crate::told;
use yomikiri_core::{Error, Game, Refusal, Run, Text, text};
use yomikiri_view::analysis::Score;
use yomikiri_view::report::{Block, Cell, Outcome, Tone};

/// A game of some parameters, and how it is solved. Two methods must be written: `about`, and `game` or `position`.
pub trait Family: Sync + Sized + 'static {
    /// The game with its parameters fixed.
    type Game: Describe + 'static;

    /// What it is called, and how it is asked.
    fn about(&self) -> &'static About;

    /// The game that some settings ask for; cards are dealt by the seed. A family whose rules look into tables, which
    /// takes a run, has [`Family::position`] instead.
    ///
    /// # Errors
    /// Settings that go together with no game are refused by the name of one of them.
    fn game(&self, settings: &Settings, seed: u64) -> Result<Self::Game, Refusal> {
        let _ = (settings, seed);
        Err(Refusal::of("position", text("nothing", "なし"), self.about().notation.clone()))
    }

    /// Its parameters.
    fn params(&self) -> &'static [Param] {
        &[]
    }

    /// The game and the position that settings and a written position ask for; the start if none is given.
    ///
    /// # Errors
    /// What is not accepted is refused by the name of the field; what must be computed first may fail.
    fn position(
        &self,
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<(Self::Game, <Self::Game as Game>::State), Error> {
        let game = self.game(settings, run.seed)?;
        let s = match position {
            Some(position) => game.parse(position)?,
            None => game.start(),
        };
        Ok((game, s))
    }

    /// Another family that answers instead, of the same parameters: for a game one of whose parameters chooses between
    /// questions of different kinds.
    ///
    /// # Errors
    /// What is not accepted is refused by the name of the field.
    fn instead(
        &self,
        settings: &Settings,
        position: Option<&str>,
    ) -> Result<Option<&'static dyn Entry>, Refusal> {
        let _ = (settings, position);
        Ok(None)
    }

    /// The family that is played, of the same parameters, where it is not this one: what is solved may be the game as
    /// one player sees it, and what is played the whole table.
    fn table(&self, settings: &Settings) -> Option<&'static dyn Entry> {
        let _ = settings;
        None
    }

    /// Solves the game as far as a position needs it. Without a solver of its own it is that of [`Family::approach`].
    ///
    /// # Errors
    /// What the solver fails with; rules that break their own laws are refused with the state that shows it.
    fn solver(
        &self,
        settings: &Settings,
        game: &Self::Game,
        s: &<Self::Game as Game>::State,
        run: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Self::Game>>, Error> {
        match self.approach() {
            Some(approach) => approach.solver(&self.named(settings), game, s, run),
            None => Err(Error::Bug(format!("{} has neither an approach nor a solver", self.about().id))),
        }
    }

    /// How it is solved and proved; none for a family with a solver of its own whose values are not proved this way.
    fn approach(&self) -> Option<&'static dyn Approach<Self::Game>> {
        Some(&AllSeen)
    }

    /// What a running game takes its values from, where nobody should wait as long as [`Family::solver`] may take.
    ///
    /// # Errors
    /// As [`Family::solver`].
    fn hints(
        &self,
        settings: &Settings,
        game: &Self::Game,
        s: &<Self::Game as Game>::State,
        run: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Self::Game>>, Error> {
        self.solver(settings, game, s, run)
    }

    /// Refuses positions that cannot be played: where the machine would not know what to do. It is told before the
    /// first move, so it must not take long.
    ///
    /// # Errors
    /// What is not accepted is refused by the name of the field.
    fn playable(
        &self,
        settings: &Settings,
        game: &Self::Game,
        s: &<Self::Game as Game>::State,
        run: &Run<'_>,
    ) -> Result<(), Error> {
        let _ = (settings, game, s, run);
        Ok(())
    }

    /// The name under which what was solved is kept for others who ask.
    fn named(&self, settings: &Settings) -> String {
        settings.named(self.about().id)
    }

    /// The parameters in words, over pictures.
    fn variant(&self, settings: &Settings, game: &Self::Game) -> Text {
        let _ = game;
        settings.words().map_or_else(|| self.about().name.clone(), Text::same)
    }

    /// What stands over its pictures.
    fn title(&self, settings: &Settings, game: &Self::Game) -> Title {
        let about = self.about();
        Title { id: about.id, name: about.name.clone(), variant: self.variant(settings, game) }
    }

    /// What `solve` says, where the game has more to say than its value.
    ///
    /// # Errors
    /// As [`Family::solver`].
    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
        solve(self, settings, run)
    }

    /// What is claimed of it where all games are shown: what the board of these settings and this position says too.
    ///
    /// # Errors
    /// As [`Family::solver`].
    fn headline(&self, run: &Run<'_>) -> Result<Claim, Error> {
        headline(self, run)
    }

    /// What answers `eval` requests that do not name a `position`; such requests are answered for every game.
    fn requests(&self, exact: bool) -> Option<Box<dyn Evaluator>> {
        let _ = exact;
        None
    }

    /// What keeps its solution as a table on disk, or why there is no such table.
    ///
    /// # Errors
    /// The reason, in words.
    fn tables(&self) -> Result<&'static dyn Tables, Text> {
        Err(text("it has no table of all positions", "全局面の表はありません"))
    }

    /// Variants with names, for people who do not want to think in parameters. The first is what people play who have
    /// never played before; a game without any has its defaults alone.
    fn variants(&self) -> &'static [Variant] {
        &[]
    }

    /// The parameters that only say how it is computed or modelled; forms put them last.
    fn advanced(&self) -> &'static [&'static str] {
        &[]
    }

    /// How well the machine can play, its best first; a game may add ways of its own ([`Analyse::plays`]), and has none where
    /// the machine plays in one way only.
    fn strengths(&self, game: &Self::Game) -> Vec<Strength> {
        strengths(game.open())
    }

    /// The settings that puzzles are made with where nobody says: those of its variant for beginners, which is solved soon.
    /// None where hardly any positions come up in which one move alone is best.
    fn puzzles(&self) -> Option<Given> {
        Some(self.variants().first().map_or(&[], |variant| variant.settings))
    }

    /// Small variants and positions of them that tests play through.
    fn samples(&self) -> &'static [Sample] {
        &[Sample { settings: &[], position: None }]
    }
}

/// A variant small enough for tests to play through, and where to begin.
pub struct Sample {
    /// Parameters with their values.
    pub settings: &'static [(&'static str, &'static str)],
    /// A position; the start if there is none.
    pub position: Option<&'static str>,
}

/// Goes through all registered games with their types.
pub trait Visit {
    /// Looks at one game.
    fn game<F: Family>(&mut self, family: &'static F);
}

/// What `solve` says of a game that has nothing more to say: the value of the start, how it was found, every move.
///
/// # Errors
/// As [`Family::position`] and [`Family::solver`].
pub fn solve<F: Family>(family: &F, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let (game, s) = family.position(settings, None, run)?;
    let solver = family.solver(settings, &game, &s, run)?;
    let mut analysis = solver.analyse(&game, &s, None, run)?;
    solver.detail(&game, &s, &mut analysis, false, run)?;
    let outcome =
        told::outcome(&game, &s, heading(&family.title(settings, &game)), family.about().id, &analysis);
    let outcome = explained(outcome, solver.how(), solver.method());
    Ok(counted(outcome, solver.positions(), solver.plies(&game, &s)))
}

/// What `show` says, with how it was found.
fn explained(mut outcome: Outcome, how: Text, method: Option<&str>) -> Outcome {
    if let (false, Some(Block::Facts(facts))) =
        (how.is_empty(), outcome.blocks.iter_mut().find(|block| matches!(block, Block::Facts(_))))
    {
        facts.push((text("how", "方法"), Cell::from(how.clone()).tone(Tone::Dim)));
        outcome.json["how"] = how.en.into();
    }
    if let Some(method) = method {
        outcome.json["method"] = method.into();
    }
    outcome
}

fn counted(mut outcome: Outcome, positions: Option<u64>, plies: Option<u32>) -> Outcome {
    if let Some(positions) = positions {
        outcome.json["positions"] = positions.into();
    }
    if let Some(plies) = plies {
        outcome.json["plies"] = plies.into();
    }
    outcome
}

/// What is claimed of a game that says nothing itself: the value of the start.
fn headline<F: Family>(family: &F, run: &Run<'_>) -> Result<Claim, Error> {
    let settings = Settings::new(family.params(), [])?;
    let (game, s) = family.position(&settings, None, run)?;
    let analysis = family.solver(&settings, &game, &s, run)?.analyse(&game, &s, None, run)?;
    let variant = family.variant(&settings, &game);
    let only = variant == family.about().name;
    Ok(headlined(analysis.known()?, settings, &variant, only))
}

fn headlined(value: &Score, settings: Settings, variant: &Text, only: bool) -> Claim {
    let beside = |t: &Text, sub: &Text| match sub.is_empty() {
        true => t.clone(),
        false => Text::of(format!("{} {}", t.en, sub.en), format!("{} {}", t.ja, sub.ja)),
    };
    Claim {
        big: beside(&value.text, &value.sub),
        text: match only {
            true => {
                text("for whoever moves first, if both play their best.", "：双方最善の場合の先手の結果。")
            }
            false => Text::of(
                format!("for whoever moves first, if both play their best ({}).", variant.en),
                format!("：双方最善の場合の先手の結果（{}）。", variant.ja),
            ),
        },
        cert: value.certainty,
        settings,
        position: None,
    }
}

/// The game and its parameters in a line.
pub fn heading(title: &Title) -> Text {
    let Title { name, variant, .. } = title;
    if variant == name {
        return variant.clone();
    }
    Text::of(format!("{}, {}", name.en, variant.en), format!("{}　{}", name.ja, variant.ja))
}
