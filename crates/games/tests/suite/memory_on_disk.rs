//! Tables of Memory for many players: what is kept, found again and checked, without files.

use serde_json::Value;
use std::io::{self, Write};
use std::sync::Arc;
use yomikiri_core::{ByteSource, Error, OpenTable, OpenTables, Run};
use yomikiri_games::Entry;
use yomikiri_games::memory::MEMORY;
use yomikiri_games::params::Settings;
use yomikiri_games::tables::{Array, Bytes, Extent, Plan, Sink};

#[derive(Clone)]
struct Held(Arc<Vec<u8>>);

impl ByteSource for Held {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }
    fn read(&self, from: u64, part: &mut [u8]) -> bool {
        let from = from as usize;
        let found = self.0.get(from..from + part.len());
        found.map(|found| part.copy_from_slice(found)).is_some()
    }
    fn sound(&self) -> Result<(), Error> {
        Ok(())
    }
}

impl Array for Held {
    fn bytes(&self) -> Result<Bytes, Error> {
        Ok(Arc::new(self.clone()))
    }
}

/// Arrays in memory; after so many have been written, the next one fails.
#[derive(Default)]
struct Kept {
    arrays: Vec<Option<Held>>,
    most: Option<usize>,
}

impl Sink for Kept {
    fn kept(&mut self, tier: usize) -> Result<Option<Bytes>, Error> {
        Ok(self.arrays.get(tier).cloned().flatten().map(|held| Arc::new(held) as Bytes))
    }
    fn write(
        &mut self,
        tier: usize,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        if self.most.is_some_and(|most| tier >= most) {
            return Err(Error::Cancelled);
        }
        let mut bytes = Vec::new();
        write(&mut bytes).map_err(|e| Error::Table(e.to_string()))?;
        self.arrays.resize(self.arrays.len().max(tier + 1), None);
        self.arrays[tier] = Some(Held(Arc::new(bytes)));
        Ok(())
    }
}

impl Kept {
    fn all(&self) -> Vec<Held> {
        self.arrays.iter().flatten().cloned().collect()
    }
}

fn settings(given: &[(&str, &str)]) -> Settings {
    Settings::new(MEMORY.params(), given.iter().copied()).unwrap()
}

fn built(settings: &Settings) -> (Plan, Vec<Held>) {
    let (tables, run, mut kept) = (MEMORY.tables().unwrap(), Run::default(), Kept::default());
    let plan = tables.plan(settings, &run).unwrap();
    tables.build(settings, &plan, &mut kept, &run).unwrap();
    let all = kept.all();
    assert_eq!(all.len(), plan.tiers.len());
    for (held, tier) in all.iter().zip(&plan.tiers) {
        assert_eq!(held.len(), tier.count * tier.number.bytes(), "{}", tier.name);
    }
    (plan, all)
}

fn bytes(all: &[Held]) -> Vec<Bytes> {
    all.iter().map(|held| Arc::new(held.clone()) as Bytes).collect()
}

/// A run that answers from one table alone, and can compute nothing.
fn alone(settings: &Settings, plan: &Plan, all: &[Held]) -> OpenTables {
    let arrays = all.iter().map(|held| Arc::new(held.clone()) as Arc<dyn Array>).collect();
    let solution = MEMORY.tables().unwrap().open(settings, plan, arrays).unwrap();
    let mut tables = OpenTables::alone();
    let (variant, name) = (String::new(), "kept".to_owned());
    tables.add(OpenTable { game: "memory", variant, name, solution, sound: Arc::new(|| Ok(())) }).unwrap();
    tables
}

/// The parts of an answer that are values.
fn values(answer: &Value) -> Value {
    let part = |name: &str| answer.get(name).cloned().unwrap_or_default();
    ["value", "values", "best", "moves", "by_move", "second"].map(part).into_iter().collect()
}

#[test]
fn law_tables_of_all_terms_are_sound_and_answer_as_the_solver_does() {
    let mut n = 0;
    for pass in ["end", "must", "none"] {
        for objective in ["win", "pairs", "margin"] {
            for tie in ["lex", "order", "last", "friendly", "hostile", "mix"] {
                n += 1;
                let players = ["3", "4", "5", "2"][n % 4];
                let copies = if n % 3 == 0 { ("2", "4") } else { ("4", "2") };
                let given = [
                    ("players", players),
                    ("pass", pass),
                    ("objective", objective),
                    ("tie", tie),
                    ("copies", copies.0),
                    ("ranks", copies.1),
                ];
                let settings = settings(&given);
                let (plan, all) = built(&settings);
                let tables = MEMORY.tables().unwrap();
                let run = Run::default();
                let checked = tables.check(&settings, &plan, &bytes(&all), Extent::All, &run).unwrap();
                assert_eq!(checked.wrong, None, "{given:?}");
                let opened = alone(&settings, &plan, &all);
                let run = Run { memory: 1 << 20, tables: &opened, ..Run::default() };
                let others = "-0".repeat(players.parse::<usize>().unwrap() - 2);
                // Two players who pass to the end and do not play for their own pairs are those of the other solver, whose
                // positions have no scores.
                let other = players == "2" && pass == "end" && objective != "pairs";
                let with_scores = if other { &[][..] } else { &["20,11,s1-1", "2x11,s0-2", "20,s2-1"] };
                for cards in [""].iter().chain(with_scores) {
                    let position = (!cards.is_empty()).then(|| format!("{cards}{others}"));
                    let show = |run: &Run<'_>| MEMORY.show(&settings, position.as_deref(), run);
                    let (shown, solved) = (show(&run).unwrap().json, show(&Run::default()).unwrap().json);
                    assert_eq!(values(&shown), values(&solved), "{given:?} {position:?}");
                    assert!(shown["fractions"].is_null());
                }
            }
        }
    }
}

#[test]
fn law_a_table_for_many_players_goes_on_where_it_was_stopped() {
    let settings = settings(&[("ranks", "3"), ("players", "3"), ("pass", "must")]);
    let (plan, whole) = built(&settings);
    let tables = MEMORY.tables().unwrap();
    for most in 0..whole.len() {
        let mut kept = Kept { most: Some(most), ..Kept::default() };
        let run = Run::default();
        assert!(matches!(tables.build(&settings, &plan, &mut kept, &run), Err(Error::Cancelled)));
        assert_eq!(kept.all().len(), most);
        kept.most = None;
        tables.build(&settings, &plan, &mut kept, &run).unwrap();
        let same = kept.all().iter().zip(&whole).all(|(a, b)| a.0 == b.0);
        assert!(same && kept.all().len() == whole.len(), "stopped after {most}");
    }
}

#[test]
fn law_what_a_table_for_many_players_does_not_hold_is_refused() {
    let three = settings(&[("ranks", "3"), ("players", "3"), ("pass", "must")]);
    let (plan, all) = built(&three);
    let opened = alone(&three, &plan, &all);
    let run = Run { tables: &opened, ..Run::default() };
    // Only differences of scores matter: three pairs less in all are as good.
    for (position, held) in [("40,20,s2-1-0", true), ("40,20", true), ("40,20,s1-0-0", false)] {
        let shown = MEMORY.show(&three, Some(position), &run);
        assert_eq!(shown.is_ok(), held, "{shown:?}");
    }
    for given in [
        [("ranks", "4"), ("players", "3"), ("pass", "must")],
        [("ranks", "3"), ("players", "4"), ("pass", "must")],
        [("ranks", "3"), ("players", "3"), ("pass", "end")],
        [("ranks", "3"), ("players", "2"), ("pass", "must")],
        [("ranks", "3"), ("players", "2"), ("pass", "end")],
    ] {
        let Err(Error::Refused(refusal)) = MEMORY.show(&settings(&given), None, &run) else {
            panic!("{given:?} is answered");
        };
        let said = refusal.to_string();
        assert!(refusal.field == "table" && said.contains("players=3,ranks=3"), "{said}");
    }
    // A table has doubles.
    let request =
        serde_json::from_str::<Value>(r#"{"counts":[3,0,0,0,0,0,0,0,0],"players":3,"pass":"must"}"#);
    let request = request.unwrap().as_object().unwrap().clone();
    let exact = MEMORY.evaluator(true).answer(&request, &run);
    assert!(matches!(&exact, Err(Error::Refused(refusal)) if refusal.field == "table"), "{exact:?}");
    let answered = |run: &Run<'_>| MEMORY.evaluator(false).answer(&request, run).unwrap();
    assert_eq!(answered(&run), answered(&Run::default()));
}
