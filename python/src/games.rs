//! The registered games: what the command line can do with them, as functions.

use crate::run::{Options, raise, with, work};
use crate::solved::turn_code;
use pyo3::exceptions::{PyKeyError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use yomikiri_core::{Error, Lang, OpenTables, Refusal, Run, Text};
use yomikiri_games::Entry;
use yomikiri_games::eval::{Answers, BATCH};
use yomikiri_games::params::{Param, Settings};
use yomikiri_games::play::Play;
use yomikiri_games::puzzle as puzzles;
use yomikiri_games::rules::{AnyState, Rules as AnyRules};
use yomikiri_papers::PAPERS;
use yomikiri_shelf::{GAMES, find};
use yomikiri_solve::on_threads;
use yomikiri_tables::{Fault, Opened};
use yomikiri_view::svg;

/// Parameters with their values, as they would be typed.
pub type Given = Vec<(String, String)>;

/// The game called by a word.
pub fn game(id: &str) -> PyResult<&'static dyn Entry> {
    find(id).ok_or_else(|| {
        let ids: Vec<&str> = GAMES.iter().map(|game| game.about().id).collect();
        PyKeyError::new_err(format!("game: got \"{id}\"; accepted: {}", ids.join(", ")))
    })
}

/// Checked parameters.
pub fn settings(params: &[Param], given: &Given) -> PyResult<Settings> {
    let given = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Settings::new(params, given).map_err(|refusal| raise(refusal.into()))
}

fn params(params: &[Param]) -> Value {
    let one = |p: &Param| json!({"name": p.name, "default": p.default, "accepts": p.accepts().en, "help": p.help.en});
    params.iter().map(one).collect()
}

fn both(text: &Text) -> Value {
    json!({"en": text.en, "ja": text.ja})
}

/// All games, as JSON.
#[pyfunction]
pub fn games() -> String {
    let one = |game: &&dyn Entry| {
        let about = game.about();
        let studies: Vec<Value> = PAPERS
            .studies(about.id)
            .iter()
            .map(|s| json!({"name": s.name, "summary": s.summary.en, "parameters": params(s.params)}))
            .collect();
        json!({
            "id": about.id, "name": both(&about.name), "summary": both(&about.summary), "rules": both(&about.rules.whole()),
            "notation": about.notation.en, "example": about.example, "players": about.players,
            "parameters": params(game.params()), "studies": studies, "provable": game.provable(),
            "table": game.tables().is_ok(),
        })
    };
    GAMES.iter().map(one).collect::<Value>().to_string()
}

/// Refuses parameters that the game does not have, with those it has.
#[pyfunction]
pub fn accept(id: &str, given: Given) -> PyResult<Vec<(&'static str, String)>> {
    Ok(settings(game(id)?.params(), &given)?.pairs().collect())
}

/// Solves a game; what `solve --json` says.
#[pyfunction]
pub fn solve(py: Python<'_>, id: &str, given: Given, options: Options) -> PyResult<String> {
    let game = game(id)?;
    let settings = settings(game.params(), &given)?;
    work(py, &options, move |run| Ok(game.solve(&settings, run)?.json.to_string()))
}

fn fault(fault: Fault) -> PyErr {
    match fault {
        Fault::NotATable { path, why } => PyOSError::new_err(format!("{path}: {}", why.en)),
        Fault::Refused(refusal) => raise(refusal.into()),
        Fault::Output { path, why } => PyOSError::new_err(format!("{path} cannot be written: {why}")),
        Fault::Game(error) => raise(error),
    }
}

/// Opens tables.
fn opened(folders: Vec<PathBuf>, game: &'static dyn Entry) -> PyResult<OpenTables> {
    let mut tables = match folders.is_empty() {
        true => OpenTables::beside(),
        false => OpenTables::alone(),
    };
    for folder in folders {
        let opened = Opened::new(&folder, GAMES, &Run::default()).map_err(fault)?;
        let (is, id) = (opened.game.about().id, game.about().id);
        if is != id {
            return Err(PyValueError::new_err(format!(
                "table: got {}, a table of {is}; accepted: a table of {id}",
                folder.display()
            )));
        }
        let table = opened.table().map_err(fault)?;
        tables.add(table).map_err(|refusal| raise(refusal.into()))?;
    }
    Ok(tables)
}

/// The value of a position and of every move; what `show --json` says, with the labels of the moves and the picture.
#[pyfunction]
#[pyo3(signature = (id, given, position, tables, picture, lang, options))]
#[allow(clippy::too_many_arguments)]
pub fn show(
    py: Python<'_>,
    id: &str,
    given: Given,
    position: Option<String>,
    tables: Vec<PathBuf>,
    picture: bool,
    lang: &str,
    options: Options,
) -> PyResult<(String, String, String)> {
    let game = game(id)?;
    let settings = settings(game.params(), &given)?;
    let tables = opened(tables, game)?;
    let lang = if lang == "ja" { Lang::Ja } else { Lang::En };
    with(py, &options, &tables, &yomikiri_core::rows::Unkept, move |run| {
        let position = position.as_deref();
        let shown = game.show(&settings, position, run)?.json.to_string();
        if !picture {
            return Ok((shown, String::new(), String::new()));
        }
        let scene = game.scene(&settings, position, None, run)?;
        let drawn = svg::scene::svg(&scene, &svg::scene::Look { lang, ..svg::scene::Look::default() });
        let told = serde_json::to_string(&scene).map_err(|e| Error::Bug(e.to_string()))?;
        Ok((shown, told, svg::standalone(&drawn, lang)))
    })
}

/// Answers a list of JSON objects, in the same order, a line each.
#[pyfunction]
pub fn evaluate<'py>(
    py: Python<'py>,
    id: &str,
    requests: &[u8],
    exact: bool,
    tables: Vec<PathBuf>,
    options: Options,
) -> PyResult<Bound<'py, PyBytes>> {
    let game = game(id)?;
    let tables = opened(tables, game)?;
    let requests: Vec<&RawValue> = serde_json::from_slice(requests)
        .map_err(|e| PyValueError::new_err(format!("requests: {e}; accepted: a list of objects")))?;
    let answers = with(py, &options, &tables, &yomikiri_core::rows::Unkept, move |run| {
        let evaluator = game.evaluator(exact);
        let answers = Answers { game: game.about().id, evaluator: &*evaluator, run: *run, lang: Lang::En };
        let all: Vec<Option<&[u8]>> = requests.iter().map(|one| Some(one.get().as_bytes())).collect();
        on_threads(run, || {
            let mut out = String::new();
            for (at, batch) in all.chunks(BATCH).enumerate() {
                run.check()?;
                run.observer.done((at * BATCH) as u64);
                answers.batch(batch)?.0.iter().for_each(|part| out.push_str(part));
            }
            Ok(out)
        })?
    })?;
    Ok(PyBytes::new(py, answers.as_bytes()))
}

/// The lines of a proof of what a game is worth.
#[pyfunction]
pub fn certify<'py>(
    py: Python<'py>,
    id: &str,
    given: Given,
    options: Options,
) -> PyResult<Bound<'py, PyBytes>> {
    let game = game(id)?;
    let settings = settings(game.params(), &given)?;
    let proof = work(py, &options, move |run| game.proof(&settings, run))?;
    Ok(PyBytes::new(py, &proof))
}

/// A running game.
#[pyclass(frozen)]
pub struct Match {
    play: Mutex<Box<dyn Play>>,
}

impl Match {
    fn play(&self) -> MutexGuard<'_, Box<dyn Play>> {
        self.play.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// A game to be played.
#[pyfunction]
pub fn play(
    py: Python<'_>,
    id: &str,
    given: Given,
    position: Option<String>,
    options: Options,
) -> PyResult<Match> {
    let game = game(id)?;
    let settings = settings(game.params(), &given)?;
    let play = work(py, &options, move |run| game.play(&settings, position.as_deref(), run))?;
    Ok(Match { play: Mutex::new(play) })
}

/// A puzzle with a number: everything about it as JSON, and the game in which it is asked. Without settings it is one of
/// those that everybody gets.
#[pyfunction]
pub fn puzzle(
    py: Python<'_>,
    id: &str,
    given: Given,
    number: u64,
    options: Options,
) -> PyResult<(String, Match)> {
    let game = game(id)?;
    let settings = match given.is_empty() {
        true => puzzles::settings(game).map_err(|refusal| raise(refusal.into()))?,
        false => settings(game.params(), &given)?,
    };
    let (json, play) = work(py, &options, move |run| {
        let found = puzzles::puzzle(game, &settings, number, run)?;
        Ok((found.json(game, &settings, number).to_string(), found.begin(game, &settings, run)?))
    })?;
    Ok((json, Match { play: Mutex::new(play) }))
}

/// A move: what to type, its label, its value in words and as a number, and whether it is best.
type Listed = (String, String, String, Option<f64>, bool);

#[pymethods]
impl Match {
    fn turn(&self) -> Option<u8> {
        self.play().turn()
    }
    fn players(&self) -> usize {
        self.play().players()
    }
    fn prompt(&self) -> String {
        self.play().prompt().en.into_owned()
    }
    fn table(&self) -> String {
        self.play().table().en.into_owned()
    }
    fn svg(&self, viewer: Option<u8>) -> String {
        let scene = self.play().board(viewer);
        let drawn = svg::scene::svg(&scene, &svg::scene::Look::default());
        svg::standalone(&drawn, Lang::En)
    }
    /// What can be typed now, without values.
    fn accepts(&self) -> Vec<(String, String)> {
        let scene = self.play().board(None);
        scene.moves.iter().map(|m| (m.id.clone(), m.label.en.to_string())).collect()
    }
    fn moves(&self, py: Python<'_>, options: Options) -> PyResult<Vec<Listed>> {
        let moves = work(py, &options, |run| self.play().moves(run))?;
        let one = |m: yomikiri_games::play::Move| {
            (m.input, m.label.en.into_owned(), m.value.text.en.into_owned(), m.value.value, m.best)
        };
        Ok(moves.into_iter().map(one).collect())
    }
    fn apply(&self, typed: &str) -> PyResult<String> {
        let said = self.play().input(typed).map_err(|refusal: Refusal| raise(refusal.into()))?;
        Ok(said.en.into_owned())
    }
    /// How well the machine can play: the word for it, its name, and what it does.
    fn strengths(&self) -> Vec<(String, String, String)> {
        let strengths = self.play().strengths().into_iter();
        strengths.map(|s| (s.id.to_owned(), s.name.en.into_owned(), s.note.en.into_owned())).collect()
    }
    fn answer(&self, py: Python<'_>, strength: &str, options: Options) -> PyResult<String> {
        Ok(work(py, &options, |run| self.play().answer(strength, run))?.en.into_owned())
    }
    fn undo(&self, seat: u8) -> bool {
        self.play().undo(seat)
    }
    fn result(&self) -> Option<String> {
        Some(self.play().result()?.en.into_owned())
    }
    fn score(&self, seat: u8) -> Option<f64> {
        self.play().score(seat)
    }
    fn record(&self, py: Python<'_>, options: Options) -> PyResult<String> {
        work(py, &options, |run| Ok(self.play().record(run)?.to_string()))
    }
}

/// The rules of a registered game.
#[pyclass(frozen)]
pub struct Rules {
    rules: Arc<dyn AnyRules>,
}

/// A state of a registered game: hashable, and equal to others by what the rules see in it.
#[pyclass(frozen)]
pub struct State {
    place: AnyState,
    rules: Arc<dyn AnyRules>,
    key: String,
}

#[pymethods]
impl State {
    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.key.hash(&mut hasher);
        hasher.finish()
    }
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<State>().is_ok_and(|other| other.get().key == self.key)
    }
    fn __repr__(&self) -> String {
        format!("State({})", self.rules.notation(&self.place).unwrap_or_else(|| self.key.clone()))
    }
    fn __str__(&self) -> String {
        self.rules.text(&self.place).map_or_else(|| self.key.clone(), |text| text.en.into_owned())
    }
    /// As it is written for `show`, if it can be.
    #[getter]
    fn notation(&self) -> Option<String> {
        self.rules.notation(&self.place)
    }
}

/// The rules of a game of some parameters.
#[pyfunction]
pub fn rules(py: Python<'_>, id: &str, given: Given, options: Options) -> PyResult<Rules> {
    let game = game(id)?;
    let settings = settings(game.params(), &given)?;
    let rules = work(py, &options, move |run| game.rules(&settings, run))?;
    Ok(Rules { rules: rules.into() })
}

impl Rules {
    fn state(&self, place: AnyState) -> State {
        let key = self.rules.key(&place).unwrap_or_default();
        State { place, rules: Arc::clone(&self.rules), key }
    }
}

fn strange() -> PyErr {
    PyValueError::new_err(
        "state: got one of another game; accepted: what start() and apply() of this one give",
    )
}

#[pymethods]
impl Rules {
    #[getter]
    fn players(&self) -> usize {
        self.rules.players()
    }
    #[getter]
    fn zero_sum(&self) -> bool {
        self.rules.zero_sum()
    }
    #[getter]
    fn hidden(&self) -> bool {
        self.rules.hidden()
    }
    fn start(&self) -> State {
        self.state(self.rules.start())
    }
    fn turn(&self, state: &State) -> PyResult<i64> {
        self.rules.turn(&state.place).map(turn_code).ok_or_else(strange)
    }
    /// What can be done: what would be typed for it, and its weight.
    fn choices(&self, state: &State) -> PyResult<Vec<(String, u32)>> {
        let all = self.rules.choices(&state.place).ok_or_else(strange)?;
        Ok(all.into_iter().map(|choice| (choice.id, choice.weight)).collect())
    }
    fn labels(&self, state: &State) -> PyResult<Vec<String>> {
        let all = self.rules.choices(&state.place).ok_or_else(strange)?;
        Ok(all.into_iter().map(|choice| choice.label.en.into_owned()).collect())
    }
    fn apply(&self, state: &State, action: &str) -> PyResult<State> {
        let all = self.rules.choices(&state.place).ok_or_else(strange)?;
        let at = all.iter().position(|choice| choice.id == action).ok_or_else(|| {
            let ids: Vec<&str> = all.iter().map(|choice| choice.id.as_str()).collect();
            PyValueError::new_err(format!("action: got {action:?}; accepted: {}", ids.join(", ")))
        })?;
        self.rules.apply(&state.place, at).map(|place| self.state(place)).ok_or_else(strange)
    }
    fn utility(&self, state: &State) -> PyResult<Vec<i32>> {
        self.rules.utility(&state.place).ok_or_else(|| {
            PyValueError::new_err(
                "state: got one in which the game goes on; accepted: one in which it is over",
            )
        })
    }
    fn info(&self, state: &State, player: u8) -> Option<String> {
        self.rules.info(&state.place, player)
    }
}
