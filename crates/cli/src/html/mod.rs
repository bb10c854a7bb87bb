//! The report as pages: an index and one page a paper, in both languages, with the data behind every table and figure
//! beside them. No scripts, nothing from elsewhere.

mod data;
mod folder;
mod page;

pub use folder::Folder;

use serde_json::{Value, json};
use std::time::Duration;
use yomikiri_core::Lang;
use yomikiri_papers::golden::Tally;
use yomikiri_papers::paper::Heading;
use yomikiri_papers::reproduction::{Label, Piece, to_json};
use yomikiri_papers::{Effort, Paper};

/// A part that has run.
pub struct Done {
    /// What it is called.
    pub label: Label,
    /// What it came to.
    pub piece: Piece,
    /// How long it took, work shared with later parts included.
    pub seconds: f64,
}

/// A paper that has been computed again.
pub struct Recomputed {
    /// The paper.
    pub paper: &'static Paper,
    /// The parts that were asked for.
    pub parts: Vec<Done>,
}

impl Recomputed {
    /// What it is on.
    pub fn about(&self) -> Heading {
        self.paper.about()
    }

    /// How its published figures came out.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        self.parts.iter().for_each(|part| tally.add(&part.piece.tally));
        tally
    }

    /// What is not as it should be besides published figures.
    pub fn faults(&self) -> usize {
        self.parts.iter().map(|part| part.piece.faults).sum()
    }

    /// The time it took.
    pub fn time(&self) -> Duration {
        Duration::from_secs_f64(self.parts.iter().map(|part| part.seconds).sum())
    }
}

/// A report: everything that its pages say.
pub struct Report {
    /// The papers.
    pub papers: Vec<Recomputed>,
    /// How much was done.
    pub effort: Effort,
    /// The seed.
    pub seed: u64,
    /// Threads that were used.
    pub threads: usize,
}

impl Report {
    /// The results, the same for the same seed on every machine, for any number of threads.
    pub fn results(&self) -> Value {
        let papers = self.papers.iter().map(|paper| {
            let pieces: Vec<(Label, Piece)> =
                paper.parts.iter().map(|p| (p.label.clone(), p.piece.clone())).collect();
            to_json(paper.about().id, paper.paper.key, self.effort, self.seed, &pieces)
        });
        papers.collect()
    }

    /// The digest of the results: equal digests, equal results.
    pub fn digest(&self) -> String {
        blake3::hash(self.results().to_string().as_bytes()).to_hex().to_string()
    }

    /// All files of the report, by their places in its folder.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let digest = self.digest();
        let mut files = Vec::new();
        for paper in &self.papers {
            files.extend(data::files(paper));
        }
        files.push(("results.json".into(), format!("{:#}\n", self.results()).into_bytes()));
        for lang in [Lang::En, Lang::Ja] {
            let look = page::Look { report: self, lang, digest: &digest };
            for (at, paper) in self.papers.iter().enumerate() {
                files.push((page::address(paper.about().id, lang), look.paper(at).into_bytes()));
            }
            files.push((page::address("index", lang), look.index().into_bytes()));
        }
        files
    }

    /// What programs are told of it.
    pub fn summary(&self, index: &str) -> Value {
        let mut all = Tally::default();
        self.papers.iter().for_each(|paper| all.add(&paper.tally()));
        let faults: usize = self.papers.iter().map(Recomputed::faults).sum();
        let mut summary =
            json!({"report": index, "digest": self.digest(), "seed": self.seed, "compared": all.compared()});
        if let (Value::Object(summary), Value::Object(counts)) = (&mut summary, all.json(faults)) {
            summary.extend(counts);
        }
        summary
    }
}
