//! Perfect play with all colours known, on either side.

use super::analysis::{Kind, Step, distance};
use super::asked;
use super::board::{Position, Side};
use super::notation;
use super::question::meaning;
use super::real::{self, Next};
use super::strategy::truths;
use super::table::{At, Deed, Made, Opponent, State, Table};
use super::tables::Tables;
use super::{drawing, scene};
use crate::analyse::Analyse;
use crate::params::Settings;
use serde_json::{Value, json};
use std::sync::Arc;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_solve::retrograde::GameValue;
use yomikiri_view::analysis::{Analysis, Measure, Score};
use yomikiri_view::scene::Viewer;

/// A game that is about to begin: colours that are not told are drawn by the seed.
pub struct Dealt {
    /// The tables of its board.
    pub tables: Tables,
    /// The analysis it begins in.
    pub kind: Kind,
    /// The position as that has it.
    pub view: Position,
    /// The true colours.
    pub real: Position,
}

impl Dealt {
    /// The game that settings and a written position ask for. Without a position it is the start; `first` moves unless
    /// it is told who does. The colours of player 2 may be told in analyses that hide them.
    pub fn new(
        settings: &Settings,
        position: Option<&str>,
        first: u8,
        run: &Run<'_>,
    ) -> Result<Dealt, Error> {
        let asked::Asked { kind, tables, written, .. } = asked::asked(settings, position)?;
        let kind = kind.unwrap_or(Kind::Extended);
        let start = match written {
            Some(w) => Position { turn: w.turn.unwrap_or(first), sides: w.sides },
            None => {
                let rules = tables.rules(kind, &kind.materials(), run)?;
                let found = rules.starts().first().copied();
                Position { turn: first, ..found.ok_or_else(|| asked::too_low(tables.board()))? }
            }
        };
        let (view, told) = asked::seen(kind, &start, &kind.materials())?;
        let mut random = Random::new(run.seed);
        let mut draw = |sides: Vec<Side>| -> Option<Side> {
            let weighted: Vec<(Side, u32)> = sides.into_iter().map(|side| (side, 1)).collect();
            random.draw(&weighted)
        };
        let [own, enemy] = truths(kind, &view).map(&mut draw);
        let sides = [own.unwrap_or(view.sides[0]), told.or(enemy).unwrap_or(view.sides[1])];
        Ok(Dealt { tables, kind, view, real: Position { turn: start.turn, sides } })
    }
}

/// Perfect play.
pub struct Perfect {
    tables: Arc<Tables>,
    kind: Kind,
}

impl Opponent for Perfect {
    type Mind = ();
    type Choice = ();

    fn set_up(settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Table<Perfect>, Error> {
        let Dealt { tables, kind, real, .. } = Dealt::new(settings, position, 0, run)?;
        let (board, tables) = (tables.board().clone(), Arc::new(tables));
        Ok(Table { board, opponent: Perfect { tables, kind }, start: State::new(real, ()) })
    }
    fn choice(&self, _: &()) {}
    fn after(&self, _: &At<Perfect>, _: Made<Perfect>, _: &Position) {}
    fn written(&self, _: &At<Perfect>, seen: &Position) -> String {
        notation::written(Kind::Open.id(), self.tables.board(), seen)
    }
    fn values(&self, _: &Table<Perfect>) -> Box<dyn Analyse<Table<Perfect>>> {
        Box::new(Open(self.tables.clone()))
    }
    fn record(&self, _: &At<Perfect>) -> Vec<(&'static str, Value)> {
        vec![("analysis", json!(self.kind.id())), ("opponent", json!("perfect"))]
    }
}

/// The table of the open game, built when it is first asked.
struct Open(Arc<Tables>);

/// A verdict as the player to move reads it.
fn own(verdict: GameValue, mover: u8) -> GameValue {
    match verdict {
        GameValue::Won { by, plies } => GameValue::Won { by: by ^ mover, plies },
        GameValue::Drawn => GameValue::Drawn,
    }
}

impl Analyse<Table<Perfect>> for Open {
    fn analyse(
        &self,
        table: &Table<Perfect>,
        s: &At<Perfect>,
        _: Viewer,
        run: &Run<'_>,
    ) -> Result<Analysis<Made<Perfect>>, Error> {
        let open = self.0.solve(Kind::Open, run)?;
        let mover = s.real.turn;
        let score = |verdict: GameValue| {
            let sub = distance(verdict).map(|d| Text::same(format!("({d})")));
            let score = scene::score(own(verdict, mover), 0);
            Score { sub: sub.unwrap_or_else(|| score.sub.clone()), ..score }
        };
        let after = |step: Step| match real::play(&s.real, step) {
            Next::Won(by) => GameValue::Won { by, plies: 0 },
            Next::Goes(p) => open.verdict(&p).before(),
        };
        let moves: Vec<(Made<Perfect>, Score)> =
            table.deeds(s).into_iter().map(|deed: Deed<()>| (deed, score(after(deed.step)))).collect();
        let verdict = open.verdict(&s.real);
        let mut analysis = Analysis::new(&Measure::Result, Some(score(verdict)), moves, 0.0);
        for m in &mut analysis.moves {
            m.note = table.note(s, m.action.step);
        }
        analysis.note = meaning(verdict);
        analysis.scale = scene::scale(text("Value for the player to move", "手番側の値"));
        analysis.aside = scene::beside(&drawing::line(&open, &s.real), |player| table.seat(player));
        analysis.trust = scene::trust(&open);
        Ok(analysis)
    }
}
