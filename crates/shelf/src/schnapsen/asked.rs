//! What acts are worth where a hand is hidden. A strategy need not be good where best play never comes; so that every act
//! has its true value, each is made and what then remains is solved as a game of its own.

use super::rules::Act;
use super::{Schnapsen, State};
use std::sync::Arc;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Number, Rational, Run, Text, Turn};
use yomikiri_games::analyse::Analyse;
use yomikiri_games::approach::Approach;
use yomikiri_games::describe::Describe;
use yomikiri_games::hidden::{PartSeen, Strategies};
use yomikiri_view::analysis::{Analysis, Score};
use yomikiri_view::report::Certainty;
use yomikiri_view::scene::Viewer;

/// Deals with a hidden hand, kept under a name.
pub struct Asked {
    /// The name.
    pub name: String,
}

impl Schnapsen {
    /// The same deal in which whoever sees one hand only begins with some acts.
    fn beginning(&self, forced: Vec<Act>) -> Schnapsen {
        Schnapsen { forced, ..*self }
    }

    /// What whoever sees one hand only did before the other did anything.
    pub(super) fn begun(&self, s: &State) -> Vec<Act> {
        let owner = u8::from(self.hidden[1]);
        let mut now = self.start();
        let mut begun = Vec::new();
        for (at, act) in s.line.iter().enumerate() {
            if at > 0 {
                if now.table.mover() == owner {
                    break;
                }
                begun.push(*act);
            }
            now = self.apply(&now, *act);
        }
        begun
    }
}

impl Asked {
    fn name(&self, game: &Schnapsen) -> String {
        format!("{} {:?}", self.name, game.forced)
    }

    fn solver(
        &self,
        game: &Schnapsen,
        s: &State,
        run: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Schnapsen>>, Error> {
        PartSeen.solver(&self.name(game), game, s, run)
    }

    /// What a deal that begins with some acts is worth to a player.
    fn worth(&self, game: &Schnapsen, player: u8, run: &Run<'_>) -> Result<Score, Error> {
        let solved: Arc<Strategies<Schnapsen>> = run.cached(&self.name(game), || {
            let solved = Strategies::solve(game, run)?;
            let bytes = solved.bytes();
            Ok((solved, bytes))
        })?;
        let (low, high) = solved.bounds();
        let (low, high) = if player == 0 { (low, high) } else { (-high, -low) };
        let measure = game.measure();
        if low == high {
            return Ok(measure.score(&low, None));
        }
        let middle = (&low + &high) / Rational::from_int(2);
        let interval = Some((low.approx(), high.approx()));
        Ok(Score {
            certainty: Certainty::Bound,
            interval,
            exact: None,
            ..measure.score(&middle.approx(), None)
        })
    }
}

impl Analyse<Schnapsen> for Asked {
    fn analyse(
        &self,
        game: &Schnapsen,
        s: &State,
        viewer: Viewer,
        run: &Run<'_>,
    ) -> Result<Analysis<Act>, Error> {
        let begun = game.begun(s);
        let after = game.beginning(begun.clone());
        let mut analysis = self.solver(&after, s, run)?.analyse(&after, s, viewer, run)?;
        let Turn::Player(player) = game.turn(s) else { return Ok(analysis) };
        if begun.len() + 1 != s.line.len() || game.hidden[usize::from(player)] {
            return Ok(analysis);
        }
        let (mut acts, mut moves) = (Vec::new(), Vec::new());
        game.actions(s, &mut acts);
        for act in acts {
            let forced = begun.iter().copied().chain([act]).collect();
            moves.push((act, self.worth(&game.beginning(forced), player, run)?));
        }
        let notes: Vec<(Act, Text)> = analysis.moves.drain(..).map(|m| (m.action, m.note)).collect();
        let ranked = Analysis::new(&game.measure(), None, moves, 0.0);
        (analysis.value, analysis.moves, analysis.scale) = (ranked.value, ranked.moves, ranked.scale);
        for rated in &mut analysis.moves {
            rated.note = notes
                .iter()
                .find(|note| note.0 == rated.action)
                .map(|note| note.1.clone())
                .unwrap_or_default();
        }
        Ok(analysis)
    }

    fn detail(
        &self,
        game: &Schnapsen,
        s: &State,
        analysis: &mut Analysis<Act>,
        exact: bool,
        run: &Run<'_>,
    ) -> Result<(), Error> {
        self.solver(game, s, run)?.detail(game, s, analysis, exact, run)
    }

    fn machine(
        &self,
        game: &Schnapsen,
        s: &State,
        random: &mut Random,
        run: &Run<'_>,
    ) -> Result<Option<Act>, Error> {
        let after = game.beginning(game.begun(s));
        self.solver(&after, s, run)?.machine(&after, s, random, run)
    }
}
