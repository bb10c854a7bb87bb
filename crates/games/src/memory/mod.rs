//! Memory (神経衰弱): two players with perfect memory, solved completely.

pub mod answer;
pub mod asked;
pub mod levels;
pub mod notation;
pub mod on_disk;
pub mod rules;
pub mod scene;
pub mod summary;
pub mod table;

use crate::contract::Contract;
use crate::entry::{About, Entry, Evaluator, Headline};
use crate::params::{Kind, Param, Settings};
use crate::play::{Match, Play};
use crate::tables::Tables;
use answer::{Requests, table_for};
use levels::{Doubles, TOLERANCE};
use rules::{MAX_RANKS, Memory, Objective};
use table::{Advice, CardTable, Fractions};
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_view::report::Outcome;
use yomikiri_view::scene::{Scene, Viewer};

/// The registered game.
pub static MEMORY: MemoryEntry = MemoryEntry;

/// Memory as the faces see it.
pub struct MemoryEntry;

static ABOUT: About = About {
    id: "memory",
    name: text("Memory", "神経衰弱"),
    summary: text(
        "two players with perfect memory: the value of every position, by induction",
        "完全記憶の2人：全局面の値を後ろ向き帰納で求める",
    ),
    notation: text(
        "ranks by unknown and known cards with their number, the pair difference for the player to move, and whether the other has just passed; ranks not listed are gone",
        "（未知枚数・既知枚数）ごとのランク数、手番側のペア差、直前のパス。書かれないランクは取得済み",
    ),
    example: "9x40,2x31,22,11,d1",
    eval: text(
        "counts (ranks by pattern (4,0) (3,1) (2,2) (1,3) (0,4) (2,0) (1,1) (0,2) (0,0)), diff, prev_pass, copies, objective",
        "counts（パターン (4,0) (3,1) (2,2) (1,3) (0,4) (2,0) (1,1) (0,2) (0,0) のランク数）、diff、prev_pass、copies、objective",
    ),
    question: r#"{"counts":[2,0,0,0,0,0,0,0,0]}"#,
    players: 2,
};

const RANKS: Param = Param {
    name: "ranks",
    kind: Kind::Int { min: 1, max: MAX_RANKS as i64 },
    default: "13",
    help: text("how many ranks there are", "ランクの数"),
};
/// The number of cards of a rank.
pub const COPIES: Param = Param {
    name: "copies",
    kind: Kind::Choice(&[
        ("2", text("two cards a rank", "同ランク2枚")),
        ("4", text("four cards a rank, as in the paper", "同ランク4枚（論文）")),
        ("6", text("six cards a rank", "同ランク6枚")),
    ]),
    default: "4",
    help: text("cards of each rank", "同じランクの枚数"),
};
/// What the players maximise.
pub const OBJECTIVE: Param = Param {
    name: "objective",
    kind: Kind::Choice(&[
        ("win", text("win rate, a draw counts half", "勝率（引き分けは½）")),
        ("cards", text("expected pair difference", "ペア数の差の期待値")),
    ]),
    default: "win",
    help: text("what the players maximise", "最大化する量"),
};
static PARAMS: [Param; 3] = [RANKS, COPIES, OBJECTIVE];

impl Entry for MemoryEntry {
    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
        summary::solve(settings, run)
    }
    fn show(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Outcome, Error> {
        summary::show(settings, position, run)
    }
    fn scene(
        &self,
        settings: &Settings,
        position: Option<&str>,
        viewer: Viewer,
        run: &Run<'_>,
    ) -> Result<Scene, Error> {
        scene::asked(settings, position, viewer, run)
    }
    fn edits(&self, settings: &Settings, position: Option<&str>, _: &Run<'_>) -> Result<Scene, Error> {
        scene::edits(settings, position)
    }
    fn headline(&self, run: &Run<'_>) -> Result<Headline, Error> {
        scene::headline(run)
    }
    fn evaluator(&self, exact: bool) -> Box<dyn Evaluator> {
        if exact { Box::new(Requests::exact()) } else { Box::new(Requests::doubles()) }
    }
    fn play(
        &self,
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<Box<dyn Play>, Error> {
        let (game, start) = summary::position(settings, position)?;
        let levels = table_for(&game, &start, |_| Doubles, run)?;
        let exact = scene::exact_for(&game, &start, run)?;
        let table = CardTable::new(game);
        let layout = table.deal(&start);
        let (advice, tolerance) = (Advice(levels), 2.0 * TOLERANCE);
        Ok(match exact.map(Advice) {
            Some(exact) => {
                Box::new(Match::new(table, Fractions { advice, exact }, layout, run.seed, tolerance))
            }
            None => Box::new(Match::new(table, advice, layout, run.seed, tolerance)),
        })
    }
    fn tables(&self) -> Result<&'static dyn Tables, Text> {
        Ok(&on_disk::OnDisk)
    }
    fn contract(&self, contract: &mut Contract) {
        contract.edits(self, &[("ranks", "3")], None);
        contract.edits(self, &[], Some(ABOUT.example));
        contract.plays(self, &[("ranks", "3")], None, 4);
        contract.plays(self, &[("ranks", "5"), ("copies", "2"), ("objective", "cards")], None, 2);
        contract.plays(self, &[], Some("9x40,2x31,22,11,d1"), 1);
        for (ranks, copies, objective) in
            [(4, 4, Objective::Win), (3, 4, Objective::Cards), (5, 2, Objective::Win), (2, 6, Objective::Win)]
        {
            match Memory::new(ranks, copies, objective) {
                Ok(game) => {
                    contract.rules(&game);
                    contract.keys(&game);
                    contract.notation(&game);
                    contract.index(&game);
                    if (copies, objective) == (4, Objective::Win) {
                        contract.scenes_of(self, &game, 12);
                    }
                    contract.rules(&CardTable::new(game));
                }
                Err(refusal) => contract.failures.push(refusal.to_string()),
            }
        }
    }
}
