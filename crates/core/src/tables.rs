//! Solved games that were opened from somewhere, handed to a run so that they are asked instead of solving.

use crate::error::{Error, Refusal};
use crate::text::Text;
use std::any::Any;
use std::sync::Arc;

/// Bytes that lie outside of the program's memory, such as in a file, and are read in parts.
pub trait ByteSource: Send + Sync {
    /// How many there are.
    fn len(&self) -> u64;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `part` with the bytes from a place on. False if they cannot be read, or end before: then it is zeros, and
    /// [`ByteSource::sound`] says from then on what was wrong. Whoever hands on what was made of such bytes asks it first.
    fn read(&self, from: u64, part: &mut [u8]) -> bool;

    /// Fails if something could not be read.
    ///
    /// # Errors
    /// What was wrong, by the name of the file.
    fn sound(&self) -> Result<(), Error>;
}

/// A question whether everything that was read so far could be read.
pub type Sound = Arc<dyn Fn() -> Result<(), Error> + Send + Sync>;

/// A table that was opened.
#[derive(Clone)]
pub struct OpenTable {
    /// The word of the game it is of.
    pub game: &'static str,
    /// Which variant of the game: the parameters it was built with.
    pub variant: String,
    /// What people know it by.
    pub name: String,
    /// What the game made of it, of a type that the game knows.
    pub solution: Arc<dyn Any + Send + Sync>,
    /// Fails if a part of it that was asked for could not be read.
    pub sound: Sound,
}

/// The tables of a run, at most one a variant of a game.
#[derive(Clone, Default)]
pub struct OpenTables {
    alone: bool,
    all: Vec<OpenTable>,
}

impl OpenTables {
    /// None yet; what those to come do not hold is solved.
    pub const fn beside() -> OpenTables {
        OpenTables { alone: false, all: Vec::new() }
    }

    /// None yet; of the games of those to come nothing is solved: what they do not hold is refused.
    pub const fn alone() -> OpenTables {
        OpenTables { alone: true, all: Vec::new() }
    }

    /// Adds a table.
    ///
    /// # Errors
    /// Refused, with the names of both, if there is one of the same variant already.
    pub fn add(&mut self, table: OpenTable) -> Result<(), Refusal> {
        let same = |other: &&OpenTable| (other.game, &other.variant) == (table.game, &table.variant);
        if let Some(other) = self.all.iter().find(same) {
            let OpenTable { game, variant, name, .. } = &table;
            let got = Text::of(
                format!("{name}, a table of {game} with {variant}, as {} is", other.name),
                format!("{name}（{} と同じ {game} {variant} の表）", other.name),
            );
            let accepts = Text::of("one table for each variant of a game", "ゲームの変種ごとに1つの表");
            return Err(Refusal::of("table", got, accepts));
        }
        self.all.push(table);
        Ok(())
    }

    /// The tables whose solutions are of a type, in the order they were added.
    pub fn of<T: Any>(&self) -> impl Iterator<Item = (&OpenTable, &T)> {
        self.all.iter().filter_map(|table| Some((table, table.solution.downcast_ref()?)))
    }

    /// Whether there are tables whose solutions are of a type, and what they do not hold is refused.
    pub fn only<T: Any>(&self) -> bool {
        self.alone && self.of::<T>().next().is_some()
    }

    /// Fails if a part of a table of this game could not be read when it was asked for: a file that was cut while it is
    /// in use. What was made of it is not to be handed on.
    ///
    /// # Errors
    /// What was wrong, by the name of the file.
    pub fn sound(&self, game: &str) -> Result<(), Error> {
        self.all.iter().filter(|table| table.game == game).try_for_each(|table| (table.sound)())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(game: &'static str, variant: &str, name: &str, solution: u32) -> OpenTable {
        let (variant, name) = (variant.to_owned(), name.to_owned());
        let sound: Sound = Arc::new(move || match solution {
            0 => Err(Refusal::new("file", "a cut one", Text::same("a whole one")).into()),
            _ => Ok(()),
        });
        OpenTable { game, variant, name, solution: Arc::new(solution), sound }
    }

    #[test]
    fn law_one_table_a_variant_and_the_second_is_refused_by_name() {
        let mut tables = OpenTables::beside();
        tables.add(table("memory", "ranks=13", "a", 1)).unwrap();
        tables.add(table("memory", "ranks=20", "b", 2)).unwrap();
        tables.add(table("geister", "ranks=13", "c", 3)).unwrap();
        let refused = tables.add(table("memory", "ranks=20", "d", 4)).unwrap_err();
        assert_eq!(refused.field, "table");
        for word in ["b", "d", "memory", "ranks=20"] {
            assert!(refused.got.en.contains(word) && refused.got.ja.contains(word), "{refused}");
        }
        let found: Vec<(&str, u32)> = tables.of::<u32>().map(|(t, n)| (t.name.as_str(), *n)).collect();
        assert_eq!(found, [("a", 1), ("b", 2), ("c", 3)]);
    }

    #[test]
    fn law_a_table_that_cannot_be_read_speaks_for_its_game_alone() {
        let mut tables = OpenTables::beside();
        for (game, solution) in [("memory", 1), ("geister", 0)] {
            tables.add(table(game, "", game, solution)).unwrap();
        }
        assert!(tables.sound("memory").is_ok() && tables.sound("nim").is_ok());
        assert!(matches!(tables.sound("geister"), Err(Error::Refused(refusal)) if refusal.field == "file"));
    }

    #[test]
    fn law_tables_are_found_by_their_type_and_asking_changes_nothing() {
        let mut tables = OpenTables::alone();
        assert!(!tables.only::<u32>() && tables.is_empty());
        tables.add(table("memory", "", "a", 1)).unwrap();
        assert!(tables.only::<u32>() && !tables.only::<u64>());
        assert_eq!((tables.of::<u64>().count(), tables.of::<u32>().count()), (0, 1));
        let mut beside = OpenTables::beside();
        beside.add(table("memory", "", "a", 1)).unwrap();
        assert!(!beside.only::<u32>());
    }
}
