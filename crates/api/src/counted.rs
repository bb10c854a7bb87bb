//! Rows on their way to where they are kept, counted for whoever watches.

use crate::job::Job;
use yomikiri_core::Error;
use yomikiri_core::rows::{Block, Column, Journal, Keeper};

/// Counts the rows that go by and tells the job.
pub struct Counted<'a> {
    /// Where they go.
    pub keeper: &'a dyn Keeper,
    /// Who is told.
    pub job: &'a Job,
}

impl Keeper for Counted<'_> {
    fn open(&self, columns: &'static [Column], rows: u64) -> Result<Box<dyn Journal + '_>, Error> {
        let journal = self.keeper.open(columns, rows)?;
        self.job.rows(Some(0));
        Ok(Box::new(Counter { journal, job: self.job, rows: 0 }))
    }
}

struct Counter<'a> {
    journal: Box<dyn Journal + 'a>,
    job: &'a Job,
    rows: u64,
}

impl Counter<'_> {
    fn count(&mut self, block: &Block) {
        self.rows += u64::from(block.rows);
        self.job.rows(Some(self.rows));
    }
}

impl Journal for Counter<'_> {
    fn next(&mut self) -> Result<Option<Block>, Error> {
        let block = self.journal.next()?;
        block.iter().for_each(|block| self.count(block));
        Ok(block)
    }
    fn append(&mut self, block: &Block) -> Result<(), Error> {
        self.journal.append(block)?;
        self.count(block);
        Ok(())
    }
}
