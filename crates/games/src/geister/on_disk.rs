//! Mini-Geister as tables on disk: one array an analysis, two bytes a position, with the analyses it looks into.

use super::ANALYSES;
use super::analysis::{Kind, Needs, Rules, Solved};
use super::board::{Board, Colour};
use super::kind::{SUITE, materials, table_name};
use super::notation::{self, verdict_text};
use super::space::{self, Material, Space};
use crate::params::{Domain, Param, Settings};
use crate::tables::{self, Array, Bytes, Checked, Extent, Number, Plan, Sink, Tables, Tier, Wrong};
use serde_json::{Value, json};
use std::any::Any;
use std::sync::{Arc, OnceLock};
use yomikiri_core::{Error, Retro, Run, Text, text};
use yomikiri_solve::retrograde::{self, ValueTable};

/// Mini-Geister's tables.
pub struct OnDisk;

/// The parameters of a table: those of the game that decide what is in it, and the analyses that have tables.
static TABLE_PARAMS: [Param; 6] = [
    Param {
        name: "analysis",
        domain: Domain::Choice(ANALYSES.split_at(ANALYSES.len() - 1).0),
        default: SUITE,
        help: text("what is asked", "解析の種類"),
    },
    super::WIDTH,
    super::HEIGHT,
    super::A,
    super::B,
    super::MIRROR,
];

/// One array: an analysis with its materials.
struct Part {
    kind: Kind,
    materials: Vec<Material>,
}

/// What settings ask for.
struct Asked {
    board: Board,
    mirror: bool,
    parts: Vec<Part>,
}

impl Asked {
    fn new(settings: &Settings) -> Result<Asked, Error> {
        let board = Board::new(settings.int("width") as u8, settings.int("height") as u8)?;
        let mirror = settings.word("mirror") == "on";
        let pieces = (settings.int("a"), settings.int("b"));
        let parts = match Kind::read(settings.word("analysis")) {
            Some(kind) => parts_of(kind, materials(kind, pieces.0, pieces.1)?),
            None => {
                // Refuses other numbers of pieces.
                materials(Kind::Open, pieces.0, pieces.1)?;
                Kind::ALL.map(|kind| Part { kind, materials: kind.materials() }).into()
            }
        };
        Ok(Asked { board, mirror, parts })
    }

    /// The rules of a part, given how to get at an earlier one.
    fn rules(
        &self,
        part: &Part,
        earlier: &mut dyn FnMut(usize) -> Result<Arc<Solved>, Error>,
    ) -> Result<Rules, Error> {
        let missing = || Error::Table("an analysis that is looked into is not there".into());
        let needs = Needs::new(part.kind, |of, _| {
            self.parts.iter().position(|p| p.kind == of).ok_or_else(missing).and_then(&mut *earlier)
        })?;
        Ok(Rules::new(part.kind, &self.board, &part.materials, self.mirror, needs))
    }

    /// All parts with their arrays.
    fn solved(&self, arrays: &[Bytes]) -> Result<Vec<Arc<Solved>>, Error> {
        let mut all: Vec<Arc<Solved>> = Vec::new();
        for (part, bytes) in self.parts.iter().zip(arrays) {
            let rules = self.rules(part, &mut |i| Ok(all[i].clone()))?;
            all.push(Arc::new(Solved::new(rules, ValueTable::outside(bytes.clone()))));
        }
        Ok(all)
    }
}

/// An analysis after those it looks into.
fn parts_of(kind: Kind, materials: Vec<Material>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for (kind, materials) in kind.needs() {
        // What is looked into may look into others.
        for part in parts_of(kind, materials) {
            match parts.iter_mut().find(|known| known.kind == part.kind) {
                Some(known) => known.materials.extend(part.materials),
                None => parts.push(part),
            }
        }
    }
    for part in &mut parts {
        // In the order in which takes lead to them.
        let wanted = std::mem::replace(&mut part.materials, part.kind.materials());
        part.materials.retain(|m| wanted.contains(m));
    }
    parts.push(Part { kind, materials });
    parts
}

impl Tables for OnDisk {
    fn params(&self) -> &'static [Param] {
        &TABLE_PARAMS
    }

    fn plan(&self, settings: &Settings, _: &Run<'_>) -> Result<Plan, Error> {
        let asked = Asked::new(settings)?;
        let mut memory = 0;
        let mut tiers = Vec::new();
        for part in &asked.parts {
            let space = Space::new(&asked.board, &part.materials, asked.mirror);
            let rows = part.materials.iter().map(|m| space::memory(&asked.board, m)).sum::<u64>();
            let rows = if asked.mirror { 0 } else { rows };
            memory = memory.max(retrograde::memory(space.places()).saturating_add(rows));
            let list: Vec<Value> = space
                .tiers()
                .map(|(material, offset, count)| {
                    json!({"pieces": material.name(), "material": material.0, "offset": offset, "count": count})
                })
                .collect();
            let about = [("analysis", json!(part.kind.id())), ("materials", Value::Array(list))];
            tiers.push(Tier {
                name: part.kind.id().to_owned(),
                number: Number::Short,
                count: space.places(),
                about: about.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
            });
        }
        let squares: Vec<String> =
            (0..asked.board.squares() as u32).map(|square| asked.board.name(square)).collect();
        Ok(Plan {
            tiers,
            index: json!({
                "kind": "geister-places",
                "squares": squares,
                "colours": Colour::ALL.map(|colour| colour.letter(0).to_string()),
                "mirror": asked.mirror,
                "groups": "player 1 then player 2, each blue, red, hidden; groups without pieces are left out",
                "rank": "sum of C(square, i + 1) over the squares of a group, ascending, i from 0, counted among the squares that the groups before have left",
                "place": "offset of the material + turn * count / 2 + the ranks of the groups as digits, the first group's highest",
                "code": "0: drawn; else 2 * (moves + 1) + winner, where moves lead to a position that decides for its mover and winner is 0 for player 1, 1 for player 2",
            }),
            words: text(
                "A position: who is to move (0 or 1), and the squares of the pieces of each kind. The material chooses the part of the array, the player to move its half. Within it the kinds of pieces are digits of one number, the first kind the highest: each is the rank of its set of squares, in colexicographic order, among the squares that are left by the kinds before it. With the mirror only one of two mirror images has a place: the first kind's sets are numbered by orbits, and of images with the same first set the lower number counts.",
                "局面は、手番（0 か 1）と各種類の駒のマス。駒の構成が配列の部分を、手番がその半分を決める。その中では駒の種類が1つの数の桁（最初の種類が最上位）で、各桁は、前の種類の残したマスの中での、マス集合の余辞書式順位。mirror では左右対称形の一方だけが場所を持つ（最初の種類の集合は軌道の番号で数え、最初の集合が同じなら小さい方の番号）。",
            ),
            objective: text(
                "who forces the end of the analysis: player 1, who owns the strategy, reaches its target; player 2 prevents it; or neither",
                "解析の結末：プレイヤー1（戦略の持ち主）が目標に達する、プレイヤー2が阻止する、どちらでもない",
            ),
            exactness: text(
                "exact: win, loss or draw, and the number of moves under best play of both",
                "厳密：勝ち・負け・引き分けと、双方最善の手数",
            ),
            memory,
        })
    }

    fn build(&self, settings: &Settings, _: &Plan, to: &mut dyn Sink, run: &Run<'_>) -> Result<(), Error> {
        let asked = Asked::new(settings)?;
        let mut all: Vec<Arc<Solved>> = Vec::new();
        for (tier, part) in asked.parts.iter().enumerate() {
            run.check()?;
            let rules = asked.rules(part, &mut |i| Ok(all[i].clone()))?;
            if to.kept(tier)?.is_none() {
                let name = table_name(part.kind, &asked.board, &part.materials, asked.mirror);
                let table = retrograde::solve(&rules, &name, run)?;
                if let Some(error) = all.iter().find_map(|earlier| earlier.table.sound().err()) {
                    // It looked into something that could not be read.
                    run.store.remove(&name);
                    return Err(error);
                }
                to.write(tier, &mut |out| table.write(out))?;
                run.store.remove(&name);
            }
            // From here on it is looked at where it was written, and takes no memory.
            let missing = || Error::Table("an array is gone".into());
            let table = ValueTable::outside(to.kept(tier)?.ok_or_else(missing)?);
            all.push(Arc::new(Solved::new(rules, table)));
        }
        Ok(())
    }

    fn open(
        &self,
        settings: &Settings,
        _: &Plan,
        arrays: Vec<Arc<dyn Array>>,
    ) -> Result<Arc<dyn Any + Send + Sync>, Error> {
        let asked = Asked::new(settings)?;
        let solved = arrays.iter().map(|_| OnceLock::new()).collect();
        Ok(Arc::new(Opened { asked, arrays, solved }))
    }

    fn check(
        &self,
        settings: &Settings,
        plan: &Plan,
        arrays: &[Bytes],
        extent: Extent,
        run: &Run<'_>,
    ) -> Result<Checked, Error> {
        let asked = Asked::new(settings)?;
        let how = text(
            "each verdict and distance derived from those after it by the forward rules",
            "各結果と手数を、後続局面のものから前向きの規則で導いた",
        );
        let mut checked = Checked { positions: 0, how, wrong: None };
        let all = plan.values();
        for (tier, solved) in asked.solved(arrays)?.iter().enumerate() {
            let places = solved.table.places();
            let wrong = match extent {
                Extent::All => {
                    checked.positions += places;
                    retrograde::verify(&solved.rules, &solved.table, run)?
                }
                Extent::Sample(n) => {
                    // Each array gets its share, at least one.
                    let share =
                        (u128::from(n.min(all)) * u128::from(places)).div_ceil(u128::from(all.max(1)));
                    checked.positions += share as u64;
                    retrograde::verify_some(&solved.rules, &solved.table, share as u64, run)?
                }
            };
            if let Some(retrograde::Wrong { place, table, rules }) = wrong {
                let at = solved.rules.at(place);
                checked.wrong = Some(Wrong {
                    tier,
                    place,
                    position: at.map_or_else(String::new, |p| {
                        notation::written(solved.rules.kind.id(), &asked.board, &p)
                    }),
                    table: verdict_text(table),
                    rules: verdict_text(rules),
                });
                break;
            }
        }
        Ok(checked)
    }
}

/// A table that was opened.
struct Opened {
    asked: Asked,
    arrays: Vec<Arc<dyn Array>>,
    solved: Vec<OnceLock<Arc<Solved>>>,
}

impl Opened {
    /// The place of the part that holds an analysis of these materials on a board.
    fn holds(&self, board: &Board, kind: Kind, materials: &[Material]) -> Option<usize> {
        let fits = |part: &Part| part.kind == kind && materials.iter().all(|m| part.materials.contains(m));
        self.asked.parts.iter().position(fits).filter(|_| size(&self.asked.board) == size(board))
    }

    /// A part, whose array is looked at now if it has not been.
    fn part(&self, at: usize) -> Result<Arc<Solved>, Error> {
        if let Some(solved) = self.solved[at].get() {
            return Ok(solved.clone());
        }
        let table = ValueTable::outside(self.arrays[at].bytes()?);
        let rules = self.asked.rules(&self.asked.parts[at], &mut |earlier| self.part(earlier))?;
        Ok(self.solved[at].get_or_init(|| Arc::new(Solved::new(rules, table))).clone())
    }
}

fn size(board: &Board) -> (u8, u8) {
    (board.width, board.height)
}

/// What some analyses on a board are called.
fn described(board: &Board, parts: &[(Kind, &[Material])]) -> Text {
    let each = |(kind, materials): &(Kind, &[Material])| {
        let pieces: Vec<String> = materials.iter().map(Material::name).collect();
        format!("{} ({})", kind.id(), pieces.join(", "))
    };
    let parts: Vec<String> = parts.iter().map(each).collect();
    Text::same(format!("{}x{} {}", board.width, board.height, parts.join(", ")))
}

/// An analysis from the smallest table of the run that holds it: none if there is none, refused if the run has tables of
/// Mini-Geister and is to ask nothing else. Tables with and without the mirror say the same of every position.
///
/// # Errors
/// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
pub fn find(
    board: &Board,
    kind: Kind,
    materials: &[Material],
    run: &Run<'_>,
) -> Result<Option<Arc<Solved>>, Error> {
    let holds = |table: &Opened| {
        let part = &table.asked.parts[table.holds(board, kind, materials)?];
        Some(Space::new(&table.asked.board, &part.materials, table.asked.mirror).places())
    };
    let has = |table: &Opened| {
        let parts = table.asked.parts.iter().map(|part| (part.kind, part.materials.as_slice()));
        described(&table.asked.board, &parts.collect::<Vec<_>>())
    };
    let asked = || described(board, &[(kind, materials)]);
    let Some(table) = tables::holding(run, holds, has, asked)? else { return Ok(None) };
    table.holds(board, kind, materials).map(|at| table.part(at)).transpose()
}

/// Whether the run answers from tables alone.
pub fn alone(run: &Run<'_>) -> bool {
    run.tables.only::<Opened>()
}
