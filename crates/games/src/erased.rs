//! Every registered game behind one face: what the command line, the page and the files can do with a game is written
//! here once, from its rules and names.

use crate::about::{About, Evaluator, Headline};
use crate::describe::Describe;
use crate::entry::{Entry, no_scores, unproved};
use crate::family::{Family, Given, Variant, heading};
use crate::outside::Of;
use crate::params::{Param, Settings};
use crate::picture;
use crate::play::Play;
use crate::rules::Rules;
use crate::running::Match;
use crate::tables::Tables;
use crate::told;
use serde_json::{Map, Value, json};
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_proof::{Fault, Lines, Proved};
use yomikiri_view::report::Outcome;
use yomikiri_view::scene::{Scene, Viewer};

/// A family as the faces see it.
pub struct Erased<F: Family>(pub &'static F);

/// Refuses a method that is asked for where the game has one of its own.
fn method<F: Family>(family: &F, run: &Run<'_>) -> Result<(), Refusal> {
    match run.method.filter(|_| family.approach().is_none()) {
        None => Ok(()),
        Some(asked) => {
            let accepts = text("none: this game has a solver of its own", "なし（専用のソルバーがあります）");
            Err(Refusal::new("method", asked, accepts))
        }
    }
}

impl<F: Family> Entry for Erased<F> {
    fn about(&self) -> &'static About {
        self.0.about()
    }

    fn params(&self) -> &'static [Param] {
        self.0.params()
    }

    fn variants(&self) -> &'static [Variant] {
        self.0.variants()
    }

    fn advanced(&self) -> &'static [&'static str] {
        self.0.advanced()
    }

    fn puzzles(&self) -> Option<Given> {
        self.0.puzzles()
    }

    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
        if let Some(other) = self.0.instead(settings, None)? {
            return other.solve(settings, run);
        }
        method(self.0, run)?;
        let outcome = self.0.solve(settings, run)?;
        run.tables.sound(self.about().id)?;
        Ok(outcome)
    }

    fn show(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Outcome, Error> {
        if let Some(other) = self.0.instead(settings, position)? {
            return other.show(settings, position, run);
        }
        method(self.0, run)?;
        let (game, s) = self.0.position(settings, position, run)?;
        let solver = self.0.solver(settings, &game, &s, run)?;
        let mut analysis = solver.analyse(&game, &s, None, run)?;
        solver.detail(&game, &s, &mut analysis, false, run)?;
        run.tables.sound(self.about().id)?;
        Ok(told::outcome(&game, &s, heading(&self.0.title(settings, &game)), self.about().id, &analysis))
    }

    fn told(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Value, Error> {
        if let Some(other) = self.0.instead(settings, position)? {
            return other.told(settings, position, run);
        }
        method(self.0, run)?;
        let (game, s) = self.0.position(settings, position, run)?;
        let analysis = self.0.solver(settings, &game, &s, run)?.told(&game, &s, run)?;
        run.tables.sound(self.about().id)?;
        Ok(told::shown(&game, &s, self.about().id, &analysis))
    }

    fn scene(
        &self,
        settings: &Settings,
        position: Option<&str>,
        viewer: Viewer,
        run: &Run<'_>,
    ) -> Result<Scene, Error> {
        if let Some(other) = self.0.instead(settings, position)? {
            return other.scene(settings, position, viewer, run);
        }
        let (game, s) = self.0.position(settings, position, run)?;
        let viewer = viewer.or_else(|| game.looks_on(&s));
        let board = picture::sight(self.0.title(settings, &game), &game, &s, &[], viewer);
        if !picture::told_to(&game, &s, viewer) {
            return Ok(board);
        }
        let analysis = self.0.solver(settings, &game, &s, run)?.analyse(&game, &s, viewer, run)?;
        run.tables.sound(self.about().id)?;
        Ok(picture::rated(&game, &s, board, &analysis))
    }

    fn draw(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Text, Error> {
        if let Some(other) = self.0.instead(settings, position)? {
            return other.draw(settings, position, run);
        }
        let (game, s) = self.0.position(settings, position, run)?;
        Ok(game.draw(&s, game.looks_on(&s)))
    }

    fn edits(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Scene, Error> {
        if let Some(other) = self.0.instead(settings, position)? {
            return other.edits(settings, position, run);
        }
        let (first, start) = self.0.position(settings, None, run)?;
        let start = first.print(&start).unwrap_or_default();
        let (game, s) = self.0.position(settings, position, run)?;
        let mut board = picture::edit_board(self.0.title(settings, &game), &game, &s);
        let typed = game.scores(&s).is_some();
        board.seats.iter_mut().for_each(|seat| seat.typed = typed);
        Ok(board.editing(&start, game.edits(&s)))
    }

    fn rescored(
        &self,
        settings: &Settings,
        position: Option<&str>,
        scores: &[i64],
        run: &Run<'_>,
    ) -> Result<String, Error> {
        if let Some(other) = self.0.instead(settings, position)? {
            return other.rescored(settings, position, scores, run);
        }
        let (game, s) = self.0.position(settings, position, run)?;
        game.rescored(&s, scores).ok_or_else(|| no_scores(scores))
    }

    fn headline(&self, run: &Run<'_>) -> Result<Headline, Error> {
        let claim = self.0.headline(run)?;
        run.tables.sound(self.about().id)?;
        let play = self.play(&claim.settings, claim.position.as_deref(), run)?;
        let viewer = play.seats().first().copied().flatten();
        Ok(Headline { scene: play.board(viewer).small(), claim })
    }

    fn evaluator(&self, exact: bool) -> Box<dyn Evaluator> {
        Box::new(Positions { family: self.0, exact, others: self.0.requests(exact) })
    }

    fn play(
        &self,
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<Box<dyn Play>, Error> {
        if let Some(other) = self.0.instead(settings, position)?.or_else(|| self.0.table(settings)) {
            return other.play(settings, position, run);
        }
        method(self.0, run)?;
        let (game, s) = self.0.position(settings, position, run)?;
        self.0.playable(settings, &game, &s, run)?;
        Ok(Box::new(Match::new(self.0, settings.clone(), game, s, run.seed)))
    }

    fn rules(&self, settings: &Settings, run: &Run<'_>) -> Result<Box<dyn Rules>, Error> {
        if let Some(other) = self.0.instead(settings, None)? {
            return other.rules(settings, run);
        }
        let (game, start) = self.0.position(settings, None, run)?;
        Ok(Box::new(Of { family: self.0, game, start }))
    }

    fn provable(&self) -> bool {
        self.0.approach().is_some()
    }

    fn proof(&self, settings: &Settings, run: &Run<'_>) -> Result<Vec<u8>, Error> {
        let id = self.about().id;
        let approach = self.0.approach().ok_or_else(|| unproved(id))?;
        let game = self.0.game(settings, run.seed)?;
        let mut out = header(approach.kind(), id, settings);
        out.append(&mut approach.proof(&self.0.named(settings), &game, run)?);
        Ok(out)
    }

    fn check(
        &self,
        settings: &Settings,
        kind: &str,
        lines: &mut dyn Lines,
        run: &Run<'_>,
    ) -> Result<Proved, Fault> {
        let approach = self.0.approach().filter(|approach| approach.kind() == kind);
        let approach = approach.ok_or_else(|| unproved(self.about().id))?;
        let game = self.0.game(settings, run.seed).map_err(Error::from)?;
        approach.check(&game, lines, run)
    }

    fn tables(&self) -> Result<&'static dyn Tables, Text> {
        self.0.tables()
    }
}

/// The first line of a proof.
fn header(kind: &str, id: &str, settings: &Settings) -> Vec<u8> {
    let words: Map<String, Value> =
        settings.pairs().map(|(name, value)| (name.to_owned(), value.to_string().into())).collect();
    let header = json!({"proof": kind, "version": 1, "game": id, "settings": words});
    format!("{header}\n").into_bytes()
}

/// Answers `eval` requests: those with a `position` for every game, others as the game says.
struct Positions<F: Family> {
    family: &'static F,
    exact: bool,
    others: Option<Box<dyn Evaluator>>,
}

/// The field that a request of any game may have, beside the parameters.
const POSITION: &str = "position";

impl<F: Family> Positions<F> {
    /// The evaluator for requests of the game's own, unless this is one with a position.
    fn other(&self, request: &Map<String, Value>) -> Option<&dyn Evaluator> {
        self.others.as_deref().filter(|_| !request.contains_key(POSITION))
    }
}

/// The settings and the position of a request.
fn read(
    request: &Map<String, Value>,
    params: &'static [Param],
    about: &About,
) -> Result<(Settings, String), Refusal> {
    let names = || {
        let names = params.iter().map(|p| p.name);
        Text::same(["id", POSITION].into_iter().chain(names).collect::<Vec<_>>().join(", "))
    };
    let mut given: Vec<(&str, String)> = Vec::new();
    for (field, value) in request.iter().filter(|(field, _)| *field != "id" && *field != POSITION) {
        let Some(param) = params.iter().find(|p| p.name == field) else {
            let got = text("an unknown field", "未知のフィールド");
            return Err(Refusal::of(field.as_str(), got, names()));
        };
        let value = match value {
            Value::String(word) => word.clone(),
            Value::Number(number) => number.to_string(),
            other => return Err(Refusal::new(param.name, other, param.accepts())),
        };
        given.push((param.name, value));
    }
    let notation = || about.notation.clone();
    let position = match request.get(POSITION) {
        Some(Value::String(position)) => position.clone(),
        Some(other) => return Err(Refusal::new(POSITION, other, notation())),
        None => return Err(Refusal::of(POSITION, text("nothing", "なし"), notation())),
    };
    let settings = Settings::new(params, given.iter().map(|(name, value)| (*name, value.as_str())))?;
    Ok((settings, position))
}

impl<F: Family> Evaluator for Positions<F> {
    fn prepare(&self, requests: &[Map<String, Value>], run: &Run<'_>) -> Result<(), Error> {
        let Some(others) = &self.others else { return Ok(()) };
        if requests.iter().all(|request| !request.contains_key(POSITION)) {
            return others.prepare(requests, run);
        }
        let own: Vec<_> =
            requests.iter().filter(|request| !request.contains_key(POSITION)).cloned().collect();
        others.prepare(&own, run)
    }

    fn answer(&self, request: &Map<String, Value>, run: &Run<'_>) -> Result<String, Error> {
        if let Some(other) = self.other(request) {
            method(self.family, run)?;
            let answer = other.answer(request, run)?;
            run.tables.sound(self.family.about().id)?;
            return Ok(answer);
        }
        method(self.family, run)?;
        let (settings, position) = read(request, self.family.params(), self.family.about())?;
        if let Some(other) = self.family.instead(&settings, Some(&position))? {
            return other.evaluator(self.exact).answer(request, run);
        }
        let (game, s) = self.family.position(&settings, Some(&position), run)?;
        let solver = self.family.solver(&settings, &game, &s, run)?;
        let mut analysis = solver.analyse(&game, &s, None, run)?;
        if self.exact {
            solver.detail(&game, &s, &mut analysis, true, run)?;
        }
        run.tables.sound(self.family.about().id)?;
        Ok(Value::Object(told::json(&game, &s, &analysis, self.exact)).to_string())
    }
}
