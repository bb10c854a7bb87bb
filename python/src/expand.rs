//! Rules written in Python, walked through once from the start: every state that can be reached gets a number, and what
//! the rules say of it goes into arrays. A mistake in the rules is told by the method, what it returned, and the state.

use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::sync::Arc;
use std::time::Instant;
use yomikiri_games::given::{Arrays, CHANCE, OVER};

/// How often signals are looked for, in states.
const BEAT: usize = 1 << 10;
/// What `turn` returns for chance, and where the game is over.
pub const TURN_CHANCE: i64 = -1;
pub const TURN_END: i64 = -2;
/// Bytes that a state, an action or what is known is taken to hold in the interpreter, measured with tuples of three numbers
/// and the solution beside them: 600 a state.
const HELD: u64 = 600;

/// The methods of a game, each looked up once.
struct Methods<'py> {
    game: Bound<'py, PyAny>,
    turn: Bound<'py, PyAny>,
    actions: Bound<'py, PyAny>,
    chance: Bound<'py, PyAny>,
    apply: Bound<'py, PyAny>,
    utility: Bound<'py, PyAny>,
    info: Option<Bound<'py, PyAny>>,
    key: Option<Bound<'py, PyAny>>,
}

/// A value as it is shown in a message.
fn shown(value: &Bound<'_, PyAny>) -> String {
    let mut text = value.repr().map_or_else(|_| "something without a repr".to_owned(), |r| r.to_string());
    if let Some((at, _)) = text.char_indices().nth(300) {
        text.truncate(at);
        text.push('…');
    }
    text
}

impl<'py> Methods<'py> {
    /// A mistake of the rules: the method, its arguments, what it returned and what it should.
    fn wrong(
        &self,
        method: &str,
        arguments: &[&Bound<'py, PyAny>],
        got: &Bound<'py, PyAny>,
        accepts: &str,
    ) -> PyErr {
        let class = self.game.get_type().name().map_or_else(|_| "Game".to_owned(), |name| name.to_string());
        let arguments: Vec<String> = arguments.iter().map(|a| shown(a)).collect();
        PyValueError::new_err(format!(
            "{class}.{method}({}) returned {}; accepted: {accepts}",
            arguments.join(", "),
            shown(got)
        ))
    }

    /// An exception of the user's own, with the call that raised it.
    fn raised(&self, error: PyErr, method: &str, arguments: &[&Bound<'py, PyAny>]) -> PyErr {
        let class = self.game.get_type().name().map_or_else(|_| "Game".to_owned(), |name| name.to_string());
        let arguments: Vec<String> = arguments.iter().map(|a| shown(a)).collect();
        let note = format!("in {class}.{method}({})", arguments.join(", "));
        // Python 3.10 has no notes.
        let _ = error.value(self.game.py()).call_method1("add_note", (note,));
        error
    }
}

/// A game that was walked through.
#[pyclass(frozen)]
pub struct Expanded {
    pub arrays: Arc<Arrays>,
    #[pyo3(get)]
    players: usize,
    #[pyo3(get)]
    hidden: bool,
    /// The states by their numbers.
    #[pyo3(get)]
    states: Py<PyList>,
    /// The number of every state, by its key.
    #[pyo3(get)]
    index: Py<PyDict>,
    /// The actions by their numbers.
    #[pyo3(get)]
    actions: Py<PyList>,
    /// Pairs of a player and what it knows, by their numbers.
    #[pyo3(get)]
    infos: Py<PyList>,
    /// The numbers of those pairs.
    #[pyo3(get)]
    known: Py<PyDict>,
    /// Rows of payoffs as the rules gave them.
    #[pyo3(get)]
    rows: Py<PyList>,
    /// How long it took.
    #[pyo3(get)]
    seconds: f64,
}

impl Expanded {
    pub fn players(&self) -> usize {
        self.players
    }
    pub fn is_hidden(&self) -> bool {
        self.hidden
    }
    /// A state's number, if there is such a state.
    fn there(&self, state: u32) -> PyResult<usize> {
        let states = self.arrays.turns.len();
        Some(state as usize).filter(|at| *at < states).ok_or_else(|| {
            PyValueError::new_err(format!("state: got {state}; accepted: a number below {states}"))
        })
    }
}

#[pymethods]
impl Expanded {
    fn __len__(&self) -> usize {
        self.arrays.turns.len()
    }
    /// How many edges there are.
    #[getter]
    fn edges(&self) -> usize {
        self.arrays.targets.len()
    }
    /// Bytes that the arrays take.
    #[getter]
    fn bytes(&self) -> u64 {
        self.arrays.bytes()
    }
    /// Who acts in a state.
    fn turn(&self, state: u32) -> PyResult<i64> {
        Ok(match self.arrays.turns[self.there(state)?] {
            CHANCE => TURN_CHANCE,
            OVER => TURN_END,
            player => player.into(),
        })
    }
    /// The edges of a state: the number of the action, where it leads, and its weight.
    fn edges_of(&self, state: u32) -> PyResult<Vec<(u32, u32, u32)>> {
        self.there(state)?;
        let edges = self.arrays.edges(state);
        Ok(edges.map(|e| (self.arrays.actions[e], self.arrays.targets[e], self.arrays.weights[e])).collect())
    }
    /// The number of what is known in a state, or of its row of payoffs.
    fn detail(&self, state: u32) -> PyResult<u32> {
        Ok(self.arrays.details[self.there(state)?])
    }
}

/// Walks through a game.
#[pyfunction]
#[pyo3(signature = (game, players, hidden, keyed, memory, progress=None))]
pub fn expand<'py>(
    py: Python<'py>,
    game: Bound<'py, PyAny>,
    players: usize,
    hidden: bool,
    keyed: bool,
    memory: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<Expanded> {
    let method = |name: &str| game.getattr(name);
    let methods = Methods {
        turn: method("turn")?,
        actions: method("actions")?,
        chance: method("chance")?,
        apply: method("apply")?,
        utility: method("utility")?,
        info: if hidden { Some(method("info")?) } else { None },
        key: if keyed { Some(method("key")?) } else { None },
        game,
    };
    let mut walk = Walk {
        py,
        players,
        arrays: Arrays::default(),
        states: PyList::empty(py),
        index: PyDict::new(py),
        actions: Pool::new(py),
        infos: Pool::new(py),
        rows: Pool::new(py),
        sorted: Vec::new(),
        methods,
    };
    let begun = Instant::now();
    let start = walk.methods.game.call_method0("start")?;
    walk.number(start, "start", &[])?;
    let mut at = 0;
    while at < walk.states.len() {
        if at % BEAT == 0 {
            py.check_signals()?;
            let held = (walk.states.len() + walk.actions.list.len() + walk.infos.list.len()) as u64 * HELD;
            if walk.arrays.bytes() + held > memory {
                return Err(PyMemoryError::new_err(format!(
                    "the game has more than {} states: so many were found before the memory limit of {memory} bytes was reached",
                    walk.states.len()
                )));
            }
            if let Some(progress) = progress.as_ref().filter(|_| at % (16 * BEAT) == 0) {
                progress.call1(py, ("finding positions", at, 0))?;
            }
        }
        let state = walk.states.get_item(at)?;
        walk.look(&state)?;
        at += 1;
    }
    Ok(Expanded {
        arrays: Arc::new(walk.arrays),
        players,
        hidden,
        states: walk.states.unbind(),
        index: walk.index.unbind(),
        actions: walk.actions.list.unbind(),
        infos: walk.infos.list.unbind(),
        known: walk.infos.index.unbind(),
        rows: walk.rows.list.unbind(),
        seconds: begun.elapsed().as_secs_f64(),
    })
}

/// Things that were met, each once.
struct Pool<'py> {
    index: Bound<'py, PyDict>,
    list: Bound<'py, PyList>,
}

impl<'py> Pool<'py> {
    fn new(py: Python<'py>) -> Pool<'py> {
        Pool { index: PyDict::new(py), list: PyList::empty(py) }
    }

    /// The number of a thing; fails if it cannot be told from others.
    fn number(&self, thing: &Bound<'py, PyAny>) -> PyResult<u32> {
        if let Some(known) = self.index.get_item(thing)? {
            return known.extract();
        }
        let number = self.list.len();
        self.index.set_item(thing, number)?;
        self.list.append(thing)?;
        Ok(number as u32)
    }
}

struct Walk<'py> {
    py: Python<'py>,
    players: usize,
    methods: Methods<'py>,
    arrays: Arrays,
    states: Bound<'py, PyList>,
    index: Bound<'py, PyDict>,
    actions: Pool<'py>,
    infos: Pool<'py>,
    rows: Pool<'py>,
    sorted: Vec<(u32, u32)>,
}

impl<'py> Walk<'py> {
    /// The number of a state that a method has returned.
    fn number(
        &mut self,
        state: Bound<'py, PyAny>,
        method: &str,
        arguments: &[&Bound<'py, PyAny>],
    ) -> PyResult<u32> {
        let key = match &self.methods.key {
            Some(key) => key.call1((&state,)).map_err(|e| self.methods.raised(e, "key", &[&state]))?,
            None => state.clone(),
        };
        let known = self.index.get_item(&key);
        let known = known.map_err(|e| match e.is_instance_of::<PyTypeError>(self.py) {
            true if self.methods.key.is_some() => {
                self.methods.wrong("key", &[&state], &key, "something hashable, as a tuple")
            }
            true => self.methods.wrong(method, arguments, &state, "a hashable state, as a tuple"),
            false => e,
        })?;
        if let Some(known) = known {
            return known.extract();
        }
        let number = self.states.len();
        if number >= u32::MAX as usize / 2 {
            return Err(PyMemoryError::new_err("the game has more states than can be numbered"));
        }
        self.index.set_item(key, number)?;
        self.states.append(state)?;
        Ok(number as u32)
    }

    /// The number of an action.
    fn action(&self, action: &Bound<'py, PyAny>, method: &str, state: &Bound<'py, PyAny>) -> PyResult<u32> {
        self.actions.number(action).map_err(|e| match e.is_instance_of::<PyTypeError>(self.py) {
            true => self.methods.wrong(method, &[state], action, "hashable actions, as strings or tuples"),
            false => e,
        })
    }

    /// Writes down what the rules say of the next state.
    fn look(&mut self, state: &Bound<'py, PyAny>) -> PyResult<()> {
        const TURNS: &str = "a player's number from 0 on, yomikiri.CHANCE or yomikiri.END";
        let turn = self.methods.turn.call1((state,));
        let turn = turn.map_err(|e| self.methods.raised(e, "turn", &[state]))?;
        let wrong = || self.methods.wrong("turn", &[state], &turn, TURNS);
        let (code, detail) = match turn.extract::<i64>().map_err(|_| wrong())? {
            TURN_END => (OVER, self.payoffs(state)?),
            TURN_CHANCE => {
                self.outcomes(state)?;
                (CHANCE, u32::MAX)
            }
            player if (0..self.players as i64).contains(&player) => {
                self.choices(state)?;
                (player as u8, self.knowledge(state, &turn)?)
            }
            _ => return Err(wrong()),
        };
        self.arrays.turns.push(code);
        self.arrays.details.push(detail);
        self.arrays.ends.push(self.arrays.targets.len() as u64);
        Ok(())
    }

    fn payoffs(&mut self, state: &Bound<'py, PyAny>) -> PyResult<u32> {
        let got = self.methods.utility.call1((state,));
        let got = got.map_err(|e| self.methods.raised(e, "utility", &[state]))?;
        let players = self.players;
        let wrong = || {
            let accepts = format!("{players} payoffs, one a player: int or Fraction");
            self.methods.wrong("utility", &[state], &got, &accepts)
        };
        let row = match (got.cast::<PyTuple>(), players) {
            (Ok(row), _) => row.clone(),
            // One player needs no brackets.
            (Err(_), 1) if got.try_iter().is_err() => PyTuple::new(self.py, [&got])?,
            _ => {
                let items = got.try_iter().map_err(|_| wrong())?;
                PyTuple::new(self.py, items.collect::<PyResult<Vec<_>>>()?)?
            }
        };
        if row.len() != players {
            return Err(wrong());
        }
        self.rows.number(&row).map_err(|_| wrong())
    }

    fn outcomes(&mut self, state: &Bound<'py, PyAny>) -> PyResult<()> {
        let got = self.methods.chance.call1((state,));
        let got = got.map_err(|e| self.methods.raised(e, "chance", &[state]))?;
        let wrong = |methods: &Methods<'py>| {
            let accepts = "pairs of an outcome and a weight, a whole number from 1 to 4294967295";
            methods.wrong("chance", &[state], &got, accepts)
        };
        let from = self.arrays.targets.len();
        for pair in got.try_iter().map_err(|_| wrong(&self.methods))? {
            let pair = pair?;
            let (action, weight): (Bound<'_, PyAny>, u32) =
                pair.extract().map_err(|_| wrong(&self.methods))?;
            if weight == 0 {
                return Err(wrong(&self.methods));
            }
            self.edge(state, action, weight, "chance")?;
        }
        self.finished(from, "chance", state, &got)
    }

    fn choices(&mut self, state: &Bound<'py, PyAny>) -> PyResult<()> {
        let got = self.methods.actions.call1((state,));
        let got = got.map_err(|e| self.methods.raised(e, "actions", &[state]))?;
        let from = self.arrays.targets.len();
        if let Ok(list) = got.cast::<PyList>() {
            for action in list {
                self.edge(state, action, 1, "actions")?;
            }
        } else {
            let all = got.try_iter();
            let all = all.map_err(|_| self.methods.wrong("actions", &[state], &got, "a list of actions"))?;
            for action in all {
                self.edge(state, action?, 1, "actions")?;
            }
        }
        self.finished(from, "actions", state, &got)
    }

    fn edge(
        &mut self,
        state: &Bound<'py, PyAny>,
        action: Bound<'py, PyAny>,
        weight: u32,
        method: &str,
    ) -> PyResult<()> {
        let number = self.action(&action, method, state)?;
        let next = self.methods.apply.call1((state, &action));
        let next = next.map_err(|e| self.methods.raised(e, "apply", &[state, &action]))?;
        let target = self.number(next, "apply", &[state, &action])?;
        self.arrays.actions.push(number);
        self.arrays.targets.push(target);
        self.arrays.weights.push(weight);
        Ok(())
    }

    /// Sees to it that a state has edges, each of another action, in an order that does not depend on the state.
    fn finished(
        &mut self,
        from: usize,
        method: &str,
        state: &Bound<'py, PyAny>,
        got: &Bound<'py, PyAny>,
    ) -> PyResult<()> {
        let arrays = &mut self.arrays;
        self.sorted.clear();
        self.sorted
            .extend(arrays.actions[from..].iter().copied().zip(arrays.targets[from..].iter().copied()));
        self.sorted.sort_unstable();
        if self.sorted.is_empty() {
            return Err(self.methods.wrong(
                method,
                &[state],
                got,
                "at least one, where the game is not over",
            ));
        }
        if self.sorted.windows(2).any(|two| two[0].0 == two[1].0) {
            return Err(self.methods.wrong(method, &[state], got, "every action once"));
        }
        if self.methods.info.is_some() && method == "actions" {
            for (at, &(action, target)) in self.sorted.iter().enumerate() {
                (arrays.actions[from + at], arrays.targets[from + at]) = (action, target);
            }
        }
        Ok(())
    }

    /// The number of what the player to move knows.
    fn knowledge(&mut self, state: &Bound<'py, PyAny>, player: &Bound<'py, PyAny>) -> PyResult<u32> {
        let Some(info) = &self.methods.info else { return Ok(u32::MAX) };
        let got = info.call1((state, player));
        let got = got.map_err(|e| self.methods.raised(e, "info", &[state, player]))?;
        let pair = PyTuple::new(self.py, [player, &got])?;
        self.infos.number(&pair).map_err(|e| match e.is_instance_of::<PyTypeError>(self.py) {
            true => self.methods.wrong("info", &[state, player], &got, "something hashable, as a tuple"),
            false => e,
        })
    }
}
