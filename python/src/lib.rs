//! The native half of the Python package: solvers, games and checkers behind plain functions. What people see is in
//! `yomikiri/*.py`.

mod checked;
mod expand;
mod games;
mod papers;
mod run;
mod served;
mod solved;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::checked::check;
    #[pymodule_export]
    use crate::expand::{Expanded, expand};
    #[pymodule_export]
    use crate::games::{
        Match, Rules, State, accept, certify, evaluate, games, play, puzzle, rules, show, solve,
    };
    #[pymodule_export]
    use crate::papers::{papers, reproduce, study};
    #[pymodule_export]
    use crate::served::serve;
    #[pymodule_export]
    use crate::solved::{Solved, cycles, respond, solve_expanded};

    use super::PyResult;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
        module.add("MOST_PLAYERS", crate::solved::MOST)
    }
}
