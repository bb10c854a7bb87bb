//! The paper's method: greedy play until R cards remain, then everything is looked at. And the question whether a
//! row can be won at all: the fast engine first, the exact one if that finds nothing.

use super::rules::{Row, Rules, Step};
use super::sliced::{Machine, Sliced};
use yomikiri_core::{Error, Run, Text};
use yomikiri_solve::search::{Exact, Fast, Limit, Limits, Restarts, Solvability};

/// Rows the fast engine generates before the exact one is asked.
const FAST_BUDGET: u64 = 20_000_000;

/// What greedy play followed by looking ahead came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookAhead {
    /// Whether it succeeds; `None` if a limit was hit first.
    pub success: Option<bool>,
    /// Rows counted: 1 for the row looking ahead starts from (or where greedy play was stuck), and every new one.
    pub states: u64,
    /// The limit that was hit.
    pub limit: Option<Limit>,
    /// Whether greedy play was stuck before R cards were left.
    pub stuck: bool,
}

/// Greedy play from a row until `until` cards remain, then an exact search of what is left.
///
/// # Errors
/// What the computation fails with: cancelled, does not fit.
pub fn lookahead(
    machine: &Machine,
    exact: &mut Exact<Machine>,
    row: &Sliced,
    until: usize,
    run: &Run<'_>,
) -> Result<LookAhead, Error> {
    let root = machine.greedy(row, until);
    if root.len() > until {
        return Ok(LookAhead { success: Some(false), states: 1, limit: None, stuck: true });
    }
    let found = exact.solve(machine, &root, run)?;
    let (success, limit) = match found.solvability {
        Solvability::Solved(_) => (Some(true), None),
        Solvability::Unsolvable => (Some(false), None),
        Solvability::Stopped(limit) => (None, Some(limit)),
    };
    Ok(LookAhead { success, states: found.states, limit, stuck: false })
}

/// The cards left when greedy play can go no further.
pub fn greedy_end(machine: &Machine, row: &Sliced) -> usize {
    machine.greedy(row, 1).len()
}

/// Whether a row can be won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Winnable {
    /// By these moves, which were replayed by the plain rules.
    Yes(Vec<Step>),
    /// Not: every row that can be reached was looked at.
    No,
    /// Nobody knows: this limit was hit.
    Unknown(Limit),
}

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// By promise, with restarts.
    Fast,
    /// Through everything.
    Exact,
}

impl Engine {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Engine::Fast => "fast",
            Engine::Exact => "exact",
        }
    }
}

/// The answer to whether a row can be won, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The answer.
    pub winnable: Winnable,
    /// The engine that gave it.
    pub engine: Engine,
    /// Rows that engine generated.
    pub states: u64,
    /// Tries of the fast engine.
    pub tries: u32,
}

/// Both engines with their memory, to be used again from row to row.
pub struct Engines {
    rules: Rules,
    machine: Machine,
    fast: Fast<Machine>,
    exact: Option<Exact<Machine>>,
    plan: Restarts,
}

impl Engines {
    /// Engines for some rules. The fast one has a budget of rows before the exact one is asked.
    pub fn new(rules: &Rules) -> Engines {
        let plan = Restarts { budget: FAST_BUDGET, ..Restarts::default() };
        Engines {
            rules: rules.clone(),
            machine: Machine::new(rules),
            fast: Fast::default(),
            exact: None,
            plan,
        }
    }

    /// The same with another plan for the fast engine.
    pub fn with_plan(self, plan: Restarts) -> Engines {
        Engines { plan, ..self }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The rules as the engines use them.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The exact engine with as many bytes as the run may use.
    ///
    /// # Errors
    /// The memory of the run does not hold the smallest table.
    pub fn exact(&mut self, run: &Run<'_>) -> Result<&mut Exact<Machine>, Error> {
        let limits = Limits::memory(run.memory);
        if self.exact.as_ref().is_none_or(|e| e.limits() != limits) {
            self.exact = Some(Exact::new(limits)?);
        }
        self.exact.as_mut().ok_or(Error::Memory { need: run.memory, limit: run.memory })
    }

    /// Whether a row can be won: fast first, exact if that does not tell. The seed is the run's.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit.
    pub fn solve(&mut self, row: &Row, run: &Run<'_>) -> Result<Answer, Error> {
        let start = Sliced::of(row);
        let tried = self.fast.solve(&self.machine, &start, &self.plan, run.seed, run)?;
        if let Some(steps) = tried.moves {
            self.replayed(row, &steps);
            let winnable = Winnable::Yes(steps);
            return Ok(Answer { winnable, engine: Engine::Fast, states: tried.states, tries: tried.tries });
        }
        if !tried.exhausted {
            let rows = yomikiri_view::report::grouped(tried.states);
            run.observer.note(&Text::of(
                format!("the fast engine found no way in {rows} rows; the exact one goes through everything"),
                format!("fast は{rows}状態で手順を見つけられず、exact で全探索する"),
            ));
        }
        let machine = self.machine.clone();
        let found = self.exact(run)?.solve(&machine, &start, run)?;
        let winnable = match found.solvability {
            Solvability::Solved(steps) => {
                self.replayed(row, &steps);
                Winnable::Yes(steps)
            }
            Solvability::Unsolvable => Winnable::No,
            Solvability::Stopped(limit) => Winnable::Unknown(limit),
        };
        Ok(Answer { winnable, engine: Engine::Exact, states: found.states, tries: tried.tries })
    }

    /// The distinct rows that can be reached from a row, itself among them, unless memory ends first.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit.
    pub fn reachable(&mut self, row: &Row, run: &Run<'_>) -> Result<Result<u64, Limit>, Error> {
        let machine = self.machine.clone();
        self.exact(run)?.reachable(&machine, &Sliced::of(row), run)
    }

    /// # Panics
    /// If an engine's solution is none: a fault of the program that must not be shown as an answer.
    fn replayed(&self, row: &Row, steps: &[Step]) {
        assert!(self.rules.wins(row, steps), "the solution of {row:?} does not replay: {steps:?}");
    }
}
