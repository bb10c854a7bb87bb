//! The papers: their experiments as columns of numbers, and what they published beside what is computed.

use crate::games::{Given, game, settings};
use crate::run::{Options, with, work};
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use std::sync::{Mutex, MutexGuard};
use yomikiri_core::rows::{Block, Cell, CellType, Column, Journal, Keeper};
use yomikiri_core::{Error, OpenTables};
use yomikiri_papers::reproduction::{accepted, to_json};
use yomikiri_papers::{Effort, PAPERS};

/// Rows kept until the study is over.
#[derive(Default)]
struct Held(Mutex<Vec<Block>>);

impl Held {
    fn blocks(&self) -> MutexGuard<'_, Vec<Block>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Keeper for Held {
    fn open(&self, _: &'static [Column], _: u64) -> Result<Box<dyn Journal + '_>, Error> {
        Ok(Box::new(Writing(self)))
    }
}

struct Writing<'a>(&'a Held);

impl Journal for Writing<'_> {
    fn next(&mut self) -> Result<Option<Block>, Error> {
        Ok(None)
    }
    fn append(&mut self, block: &Block) -> Result<(), Error> {
        self.0.blocks().push(block.clone());
        Ok(())
    }
}

/// A column: its name, what it means, the type of its cells (`<i8`, `<f8` or none for words) and the cells.
type Cells<'py> = (&'static str, String, Option<&'static str>, Bound<'py, PyAny>);

/// Runs a study; what `study --json` says, and its rows by columns.
#[pyfunction]
pub fn study<'py>(
    py: Python<'py>,
    id: &str,
    name: &str,
    given: Given,
    options: Options,
) -> PyResult<(String, Vec<Cells<'py>>)> {
    let studies = PAPERS.studies(game(id)?.about().id);
    let study = studies.iter().find(|study| study.name == name).ok_or_else(|| {
        let names: Vec<&str> = studies.iter().map(|study| study.name).collect();
        let names = if names.is_empty() { "none: this game has no studies".into() } else { names.join(", ") };
        PyKeyError::new_err(format!("study: got \"{name}\"; accepted: {names}"))
    })?;
    let settings = settings(study.params, &given)?;
    let held = Held::default();
    let outcome = with(py, &options, &OpenTables::beside(), &held, |run| {
        Ok((study.run)(&settings, run)?.json.to_string())
    })?;
    Ok((outcome, columns(py, study.rows, &held)?))
}

fn columns<'py>(py: Python<'py>, columns: &'static [Column], held: &Held) -> PyResult<Vec<Cells<'py>>> {
    let mut bytes: Vec<Vec<u8>> = vec![Vec::new(); columns.len()];
    let mut words: Vec<Vec<String>> = vec![Vec::new(); columns.len()];
    for block in held.blocks().drain(..) {
        let rows = block.unpack(columns).ok_or_else(|| PyRuntimeError::new_err("rows that are not rows"))?;
        for row in rows {
            for (at, cell) in row.into_iter().enumerate() {
                match cell {
                    Cell::Int(n) => bytes[at].extend(n.to_le_bytes()),
                    Cell::Float(x) => bytes[at].extend(x.to_le_bytes()),
                    Cell::Text(text) => words[at].push(text),
                }
            }
        }
    }
    let mut all = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        let (kind, cells) = match column.kind {
            CellType::Int => (Some("<i8"), PyBytes::new(py, &bytes[at]).into_any()),
            CellType::Float => (Some("<f8"), PyBytes::new(py, &bytes[at]).into_any()),
            CellType::Text => (None, PyList::new(py, &words[at])?.into_any()),
        };
        all.push((column.name, column.help.en.to_string(), kind, cells));
    }
    Ok(all)
}

/// The papers, or rather the words for what they are on.
#[pyfunction]
pub fn papers() -> Vec<&'static str> {
    PAPERS.0.iter().map(|paper| paper.about().id).collect()
}

/// Computes a paper again, or some parts of it; what `reproduce --json` says.
#[pyfunction]
pub fn reproduce(
    py: Python<'_>,
    id: &str,
    only: Option<Vec<String>>,
    full: bool,
    options: Options,
) -> PyResult<String> {
    let paper = PAPERS.of(id).ok_or_else(|| {
        PyKeyError::new_err(format!("paper: got \"{id}\"; accepted: {}", papers().join(", ")))
    })?;
    let effort = if full { Effort::Full } else { Effort::Quick };
    let parts = (paper.reproduction)(effort).parts();
    for word in only.iter().flatten() {
        if !parts.iter().any(|label| label.id == word) {
            let accepted = accepted(&parts).en;
            return Err(PyValueError::new_err(format!("only: got \"{word}\"; accepted: {accepted}")));
        }
    }
    work(py, &options, move |run| {
        let all = (paper.reproduction)(effort);
        let mut pieces = Vec::new();
        for (at, label) in all.parts().into_iter().enumerate() {
            if only.as_ref().is_none_or(|only| only.iter().any(|word| word == label.id)) {
                pieces.push((label, all.run(at, run)?));
            }
        }
        Ok(to_json(id, paper.key, effort, run.seed, &pieces).to_string())
    })
}
