//! Parts of a paper: what they share, and what they leave.

use serde_json::json;
use std::cell::Cell;
use yomikiri_core::text;
use yomikiri_core::{Error, Run};
use yomikiri_papers::reproduction::{Evidence, Label, Lazy, Part, Parts, Piece, Reproduction, to_json};
use yomikiri_papers::{Effort, PAPERS};
use yomikiri_view::report::Block;

struct Context {
    made: Lazy<u32>,
    times: Cell<u32>,
}

impl Context {
    fn number(&self) -> Result<u32, Error> {
        self.made
            .get(|| {
                self.times.set(self.times.get() + 1);
                Ok(7)
            })
            .copied()
    }
}

static PARTS: [Part<Context>; 2] = [
    Part {
        id: "one",
        title: text("One", "一"),
        run: |c, _| {
            let mut piece = Piece::default();
            piece.data("n", c.number()?);
            Ok(piece)
        },
    },
    Part {
        id: "two",
        title: text("Two", "二"),
        run: |c, _| {
            let mut piece = Piece { faults: 1, ..Piece::default() };
            piece.data("n", 2 * c.number()?);
            Ok(piece)
        },
    },
];

#[test]
fn law_what_parts_share_is_computed_once_and_only_when_needed() {
    let parts = Parts { shared: Context { made: Lazy::default(), times: Cell::new(0) }, parts: &PARTS };
    assert_eq!(parts.parts().iter().map(|l| l.id).collect::<Vec<_>>(), ["one", "two"]);
    assert_eq!(parts.shared.times.get(), 0);
    let run = Run::default();
    let pieces: Vec<(Label, Piece)> =
        parts.parts().into_iter().enumerate().map(|(i, l)| (l, parts.run(i, &run).unwrap())).collect();
    assert_eq!(parts.shared.times.get(), 1);
    let json = to_json("g", "p", Effort::Quick, 1, &pieces);
    assert_eq!((&json["parts"][1]["n"], &json["differing"]), (&json!(14), &json!(1)));
    assert!(pieces[0].1.good() && !pieces[1].1.good());
}

#[test]
fn law_a_piece_is_read_back_as_it_was_written() {
    let mut piece = Piece::default();
    piece.data("x", 0.1 + 0.2);
    piece.block(Block::Paragraph(text("a", "あ")));
    let text = serde_json::to_string(&piece).unwrap();
    let back: Piece = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
}

#[test]
fn law_every_answer_names_a_study_or_part_that_there_is() {
    for paper in PAPERS.0 {
        let parts = (paper.reproduction)(Effort::Quick).parts();
        for question in paper.questions {
            let there = match question.evidence {
                Evidence::Study(name) => paper.studies.iter().any(|study| study.name == name),
                Evidence::Part(id) => parts.iter().any(|part| part.id == id),
            };
            assert!(there, "{:?}: {}", question.evidence, question.asked.en);
            for words in [&question.asked, &question.known] {
                assert!(!words.en.contains('`') && !words.ja.contains('`'), "{}", words.en);
            }
        }
    }
}
