//! Finished tables, each built once and shared by the analyses that need it.

use super::analysis::{Kind, Needs, Rules, Solved};
use super::board::Board;
use super::kind::table_name;
use super::on_disk;
use super::space::{self, Material};
use std::sync::{Arc, Mutex, PoisonError};
use yomikiri_core::{Error, Run};
use yomikiri_solve::retrograde;

/// The tables of a board.
pub struct Tables {
    board: Board,
    mirror: bool,
    built: Mutex<Vec<Arc<Solved>>>,
}

impl Tables {
    /// No tables yet.
    pub fn new(board: Board, mirror: bool) -> Tables {
        Tables { board, mirror, built: Mutex::new(Vec::new()) }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// What is built so far.
    pub fn built(&self) -> Vec<Arc<Solved>> {
        self.built.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The rules of an analysis, with the tables it needs built.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    pub fn rules(&self, kind: Kind, materials: &[Material], run: &Run<'_>) -> Result<Rules, Error> {
        let needs = Needs::new(kind, |of, materials| self.get(of, materials, run))?;
        Ok(Rules::new(kind, &self.board, materials, self.mirror, needs))
    }

    /// The table of an analysis with all its materials.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    pub fn solve(&self, kind: Kind, run: &Run<'_>) -> Result<Arc<Solved>, Error> {
        self.get(kind, &kind.materials(), run)
    }

    /// A table that has been built, of an analysis with these materials or more.
    pub fn find(&self, kind: Kind, materials: &[Material]) -> Option<Arc<Solved>> {
        let fits = |solved: &Arc<Solved>| {
            let has: Vec<Material> = solved.rules.space.materials().collect();
            solved.rules.kind == kind && materials.iter().all(|m| has.contains(m))
        };
        self.built().into_iter().find(fits)
    }

    /// A table of an analysis with these materials or more.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    pub fn get(&self, kind: Kind, materials: &[Material], run: &Run<'_>) -> Result<Arc<Solved>, Error> {
        if let Some(solved) = self.find(kind, materials) {
            return Ok(solved);
        }
        if let Some(solved) = on_disk::find(&self.board, kind, materials, run)? {
            return Ok(solved);
        }
        let solved = run.cached(&table_name(kind, &self.board, materials, self.mirror), || {
            let rules = self.rules(kind, materials, run)?;
            let materials: Vec<Material> = rules.space.materials().collect();
            let name = table_name(kind, &self.board, &materials, self.mirror);
            let table = retrograde::solve(&rules, &name, run)?;
            if let Err(error) = run.tables.sound(super::ABOUT.id) {
                // It looked into something that could not be read.
                run.store.remove(&name);
                return Err(error);
            }
            let solved = Solved::new(rules, table);
            let bytes = self.takes(&solved);
            Ok((solved, bytes))
        })?;
        self.built.lock().unwrap_or_else(PoisonError::into_inner).push(solved.clone());
        Ok(solved)
    }

    /// Bytes that solving an analysis takes at most, the tables it needs included.
    pub fn memory(&self, kind: Kind, materials: &[Material]) -> u64 {
        let places = |materials: &[Material]| -> u64 {
            materials.iter().map(|m| Rules::positions(&self.board, m)).sum()
        };
        let mut need = retrograde::memory(places(materials)) + 2 * places(&kind.guessed());
        if kind.needs_extended() {
            need += 2 * (places(&Kind::Extended.materials()) + places(&Kind::Extended.guessed()));
        }
        let mut lists = self.lists(materials).saturating_add(self.lists(&kind.guessed()));
        if kind.needs_extended() {
            let extended = [Kind::Extended.materials(), Kind::Extended.guessed()].concat();
            lists = lists.saturating_add(self.lists(&extended));
        }
        // On odd boards a piece on the middle file is its own image.
        let need = match (self.mirror, self.board.width % 2) {
            (false, _) => need,
            (true, 0) => need / 20 * 11,
            (true, _) => need / 10 * 7,
        };
        need.saturating_add(lists)
    }

    /// Bytes that all tables take which have been built.
    pub fn held(&self) -> u64 {
        self.built().iter().map(|solved| self.takes(solved)).sum()
    }

    fn takes(&self, solved: &Solved) -> u64 {
        let materials: Vec<Material> = solved.rules.space.materials().collect();
        2 * solved.table.places() + self.lists(&materials)
    }

    /// Bytes beside the tables: what is known of rows of places, where mirror images have places of their own.
    fn lists(&self, materials: &[Material]) -> u64 {
        let of = |material: &Material| if self.mirror { 0 } else { space::memory(&self.board, material) };
        materials.iter().map(of).fold(0, u64::saturating_add)
    }
}

impl Rules {
    /// How many positions a material has: 2·C(n, …)·….
    pub fn positions(board: &Board, material: &Material) -> u64 {
        let mut left = board.squares() as u64;
        let mut all = 2u64;
        for count in material.0.iter().flatten().map(|c| u64::from(*c)) {
            all = all.saturating_mul(yomikiri_core::combin::binomial(left, count));
            left = left.saturating_sub(count);
        }
        all
    }

    /// How many positions it has, mirror images counted apart.
    pub fn all_positions(&self) -> u64 {
        self.space.materials().map(|m| Rules::positions(&self.board, &m)).sum()
    }
}

/// Checks every table that has been built; the first position that is wrong, if any.
///
/// # Errors
/// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
pub fn verify(tables: &Tables, run: &Run<'_>) -> Result<Option<(Kind, retrograde::Wrong)>, Error> {
    for solved in tables.built() {
        if let Some(wrong) = retrograde::verify(&solved.rules, &solved.table, run)? {
            return Ok(Some((solved.rules.kind, wrong)));
        }
    }
    Ok(None)
}
