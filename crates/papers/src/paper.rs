//! A paper on a game: what it published, how that is computed again, what it leaves open, and the experiments that
//! belong to it.

use crate::golden::Golden;
use crate::reproduction::{Effort, Question, Reproduction, conclusion, to_json};
use std::io::{self, Write};
use yomikiri_core::rows::Column;
use yomikiri_core::{Error, Run, Text};
use yomikiri_games::Entry;
use yomikiri_games::params::{Param, Settings};
use yomikiri_view::report::{Block, Outcome};

/// What a paper is on.
pub enum Subject {
    /// A registered game.
    Game(&'static dyn Entry),
    /// Several games at once, under a name that no game has.
    Several(Heading),
}

/// What the subject of a paper is called.
#[derive(Clone, Debug)]
pub struct Heading {
    /// The word it is called by.
    pub id: &'static str,
    /// Its name.
    pub name: Text,
    /// One line on it.
    pub summary: Text,
}

/// A paper on a game. Everything in it is data or a plain function, so that a paper is one `static`.
pub struct Paper {
    /// What it is on.
    pub subject: Subject,
    /// The key that golden tables refer to.
    pub key: &'static str,
    /// How it is cited.
    pub citation: Text,
    /// The published tables.
    pub golden: &'static [Golden],
    /// The paper to be computed again, part by part.
    pub reproduction: fn(Effort) -> Box<dyn Reproduction>,
    /// Tenths of a second of processor time that the quick reproduction takes, about: where papers are computed side by
    /// side, the longest is begun first.
    pub cost: u32,
    /// The questions it leaves open, with what we know now.
    pub questions: &'static [Question],
    /// The experiments.
    pub studies: &'static [Study],
    /// What makes certificates, if there are any.
    pub certifier: Option<&'static Certifier>,
}

impl Paper {
    /// What its subject is called.
    pub fn about(&self) -> Heading {
        match &self.subject {
            Subject::Game(game) => {
                let about = game.about();
                Heading { id: about.id, name: about.name.clone(), summary: about.summary.clone() }
            }
            Subject::Several(heading) => heading.clone(),
        }
    }

    /// Recomputes everything published, published beside computed.
    ///
    /// # Errors
    /// If a part fails or the run is cancelled.
    pub fn reproduce(&self, effort: Effort, run: &Run<'_>) -> Result<Outcome, Error> {
        let (about, all) = (self.about(), (self.reproduction)(effort));
        let mut pieces = Vec::new();
        for (at, label) in all.parts().into_iter().enumerate() {
            pieces.push((label, all.run(at, run)?));
        }
        let json = to_json(about.id, self.key, effort, run.seed, &pieces);
        let good = pieces.iter().all(|(_, piece)| piece.good());
        let last = Block::Paragraph(conclusion(&about.name, &pieces));
        let heading = Block::Heading(Text::of(
            format!("{}: {}", about.name.en, self.citation.en),
            format!("{}：{}", about.name.ja, self.citation.ja),
        ));
        let parts = pieces.into_iter().flat_map(|(_, piece)| piece.blocks);
        Ok(Outcome { blocks: std::iter::once(heading).chain(parts).chain([last]).collect(), json, good })
    }
}

/// A named experiment on a game.
pub struct Study {
    /// The word it is called by.
    pub name: &'static str,
    /// One line on what it does.
    pub summary: Text,
    /// Its parameters.
    pub params: &'static [Param],
    /// The columns of the rows it makes, if it is one sweep that makes rows: they can be had as a file.
    pub rows: &'static [Column],
    /// Runs it.
    pub run: fn(&Settings, &Run<'_>) -> Result<Outcome, Error>,
}

/// Writes a named file, all of it or nothing, and says what it is called in the end.
pub type Save<'a> =
    dyn FnMut(&str, &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> Result<String, Error> + 'a;

/// Makes proofs that others can check without trusting us.
pub struct Certifier {
    /// One line on what is proved.
    pub summary: Text,
    /// Its parameters.
    pub params: &'static [Param],
    /// The names of the files it will write, so that those in the way are met before the work.
    pub files: fn(&Settings) -> Vec<String>,
    /// Finds the proofs and writes them.
    pub run: fn(&Settings, &Run<'_>, &mut Save<'_>) -> Result<Outcome, Error>,
}

/// A list of papers, at most one a subject. A game need not have one.
#[derive(Clone, Copy)]
pub struct Papers(pub &'static [&'static Paper]);

impl Papers {
    /// The paper on the subject called by a word, if there is one.
    pub fn of(self, id: &str) -> Option<&'static Paper> {
        self.0.iter().copied().find(|paper| paper.about().id == id)
    }

    /// The experiments on a game; none where it has no paper.
    pub fn studies(self, game: &str) -> &'static [Study] {
        self.of(game).map_or(&[], |paper| paper.studies)
    }
}
