//! The constructed strategy of an analysis as an opponent: player 1, who really does not look at its colours before it
//! must. The person's moves are valued by the exact best response to it.

use super::analysis::{Kind, distance, value};
use super::board::{Board, Position, Side};
use super::notation::{self, fraction, signed};
use super::perfect::{Dealt, Perfect};
use super::real;
use super::response::{Info, Mind, Payoff, Response, after_move, begin};
use super::scene;
use super::strategy::{Intent, Owner, Strategy, follow};
use super::table::{Against, At, Deed, Made, Opponent, State, Table};
use crate::analyse::Analyse;
use crate::entry::Entry;
use crate::erased::Erased;
use crate::params::{Domain, Param, Settings};
use serde_json::{Value, json};
use std::sync::{Arc, OnceLock};
use yomikiri_core::random::Random;
use yomikiri_core::text::counted;
use yomikiri_core::{Error, Rational, Run, Text, text};
use yomikiri_solve::retrograde::GameValue;
use yomikiri_view::analysis::{Analysis, Measure, Score};
use yomikiri_view::report::grouped;
use yomikiri_view::scene::{self as picture, Viewer};

/// The word for no opponent: an analysis is gone through by hand.
pub const NOBODY: &str = "nobody";

/// The parameter that chooses the opponent.
pub const OPPONENT: Param = Param {
    name: "opponent",
    domain: Domain::Choice(&[
        (
            "strategy",
            text(
                "player 1 is the constructed strategy, its colours hidden",
                "構成した戦略（プレイヤー1、色は非公開）",
            ),
        ),
        ("perfect", text("perfect play, all colours known", "全ての色が既知の完全プレイ")),
        (
            NOBODY,
            text(
                "nobody: both sides by hand, with the values of the analysis",
                "なし（両側を手で動かし、解析の値を見る）",
            ),
        ),
    ]),
    default: "strategy",
    help: text("who is played against (play only)", "対戦相手（play のみ）"),
};

static PERFECT: Erased<Against<Perfect>> = Erased(&Against::new());

/// The strategy of an analysis.
pub struct Blind {
    board: Board,
    kind: Kind,
    strategy: Strategy,
}

/// What the strategy sees, and what the person knows of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sight {
    /// How the strategy sees the position, until it has looked at its colours.
    view: Option<(Kind, Position)>,
    /// What it takes the enemy to have, once it has.
    guess: Option<Side>,
    /// The pieces of player 1 as everyone knows them.
    shown: Side,
    /// What player 2 knows, or at the turn of player 1 what it may know afterwards.
    known: Vec<Info>,
}

impl Blind {
    /// What the strategy may do now, with weights.
    fn lottery(&self, s: &At<Blind>) -> Vec<(Made<Blind>, u32)> {
        let own = &s.real.sides[0];
        let open = |guess: Side| Deed { step: self.strategy.open(own, &guess), choice: Some(guess) };
        match (s.mind.guess, &s.mind.view) {
            (Some(guess), _) => vec![(open(guess), 1)],
            (None, Some((kind, view))) => {
                let plans = self.strategy.blind(*kind, view).into_iter();
                let deed = |plan: Intent| match plan {
                    Intent::Move(step) => Deed { step, choice: None },
                    Intent::Guess(guess) => open(guess),
                };
                plans.map(|(weight, plan)| (deed(plan), weight)).collect()
            }
            (None, None) => Vec::new(),
        }
    }

    /// The verdict of the strategy's analysis after a quiet move of the person, while the strategy is blind.
    fn verdict_after(&self, s: &At<Blind>, deed: Made<Blind>) -> Option<GameValue> {
        let ((kind, view), step) = (s.mind.view.as_ref()?, deed.step);
        let quiet = step.from != step.to && view.occupied() >> step.to & 1 == 0;
        let (kind, after) = follow(*kind, view, step, None);
        Some(self.strategy.table(kind).filter(|_| quiet)?.verdict(&after))
    }
}

impl Opponent for Blind {
    type Mind = Sight;
    /// What it takes the enemy's colours to be, once it has guessed.
    type Choice = Option<Side>;

    fn set_up(settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Table<Blind>, Error> {
        let Dealt { tables, kind, view, real } = Dealt::new(settings, position, 1, run)?;
        let (board, strategy) = (tables.board().clone(), Strategy::new(&tables, kind, run)?);
        let root = Info::start(kind, &view, real.sides[1]);
        let known = begin(&strategy, &root).next.into_iter().map(|next| next.1).collect();
        let sight = Sight { view: Some((kind, view)), guess: None, shown: view.sides[0], known };
        let opponent = Blind { board: board.clone(), kind, strategy };
        Ok(Table { board, opponent, start: State::new(real, sight) })
    }
    fn instead(settings: &Settings) -> Option<&'static dyn Entry> {
        (settings.word("opponent") == "perfect").then_some(&PERFECT as &dyn Entry)
    }
    fn side(&self, _: &Sight) -> Option<u8> {
        Some(0)
    }
    fn seats(&self, table: &Table<Blind>) -> Vec<Option<u8>> {
        vec![Some(table.seat(1))]
    }
    fn known(&self, s: &At<Blind>) -> [Side; 2] {
        let enemy = s.real.sides[1];
        [s.mind.shown, if self.kind == Kind::Open { enemy } else { Side([0, 0, enemy.all()]) }]
    }
    fn choice(&self, sight: &Sight) -> Option<Side> {
        sight.guess
    }
    fn after(&self, s: &At<Blind>, deed: Made<Blind>, real: &Position) -> Sight {
        let (step, mover, before) = (deed.step, s.real.turn, &s.mind);
        let (from, to) = (u32::from(step.from), u32::from(step.to));
        let guess = if mover == 1 { before.guess } else { deed.choice };
        let view = before.view.filter(|_| guess.is_none());
        let view = view.map(|(kind, view)| follow(kind, &view, step, real::taken(&s.real, step)));
        let guess = guess.map(|side| if mover == 1 { side.step(from, to) } else { side.without(1 << to) });
        let shown = match (&view, mover) {
            (Some((_, view)), _) => view.sides[0],
            (None, 0) => before.shown.step(from, to),
            (None, _) => before.shown.without(1 << to),
        };
        let known = if mover == 1 {
            let next = before.known.first().map(|info| after_move(&self.strategy, info, step).next);
            next.unwrap_or_default().into_iter().map(|next| next.1).collect()
        } else {
            let mind = |m: &Mind| m.own == real.sides[0] && m.guess == guess;
            let fits = |info: &&Info| info.enemy == real.sides[1] && info.minds.iter().any(mind);
            before.known.iter().filter(fits).cloned().collect()
        };
        Sight { view, guess, shown, known }
    }
    fn plans(&self, s: &At<Blind>) -> Vec<Made<Blind>> {
        self.lottery(s).into_iter().map(|plan| plan.0).collect()
    }
    fn written(&self, s: &At<Blind>, seen: &Position) -> String {
        let Some((kind, view)) = &s.mind.view else { return String::new() };
        let p = Position { turn: seen.turn, sides: [view.sides[0], seen.sides[1]] };
        // What is left after a take may be no position of the analysis.
        match super::asked::seen(*kind, &p, &kind.materials()) {
            Ok(_) => notation::written(kind.id(), &self.board, &p),
            Err(_) => String::new(),
        }
    }
    fn values(&self, _: &Table<Blind>) -> Box<dyn Analyse<Table<Blind>>> {
        Box::new(Answers(OnceLock::new()))
    }
    fn measure(&self) -> Measure {
        Measure::Points { name: text("Payoff of player 2", "プレイヤー2の利得") }
    }
    fn record(&self, _: &At<Blind>) -> Vec<(&'static str, Value)> {
        vec![("analysis", json!(self.kind.id())), ("opponent", json!("strategy"))]
    }
}

/// The exact best response to the strategy from where the game began, once it is asked.
struct Answers(OnceLock<Arc<Response>>);

impl Answers {
    /// From the cache, or solved now.
    fn response(&self, table: &Table<Blind>, run: &Run<'_>) -> Result<&Response, Error> {
        if let Some(response) = self.0.get() {
            return Ok(response);
        }
        let (Blind { board, strategy, .. }, start) = (&table.opponent, &table.start);
        let nothing = || Error::Bug("the strategy has looked before the game".into());
        let (kind, view) = start.mind.view.ok_or_else(nothing)?;
        let enemy = start.real.sides[1];
        let [seen, truth] = [view.sides, [view.sides[0], enemy]].map(|s| notation::board_text(board, &s));
        let name = format!("geister/response-{}-{}-{seen}-{truth}", kind.id(), view.turn + 1);
        let response = run.cached(&name, || {
            let root = Info::start(kind, &view, enemy);
            let response = Response::new(strategy, board, std::slice::from_ref(&root), run)?;
            let bytes = response.bytes();
            Ok((response, bytes))
        })?;
        Ok(self.0.get_or_init(|| response))
    }
}

/// What player 2 knows.
fn info(s: &At<Blind>) -> Result<&Info, Error> {
    s.mind.known.first().ok_or_else(|| Error::Bug(format!("player 2 knows nothing at {:?}", s.real)))
}

/// What a move pays player 2, with the verdict of the strategy's analysis after it, if there is one.
fn score(worth: Payoff, verdict: Option<GameValue>) -> Score {
    let x = *worth.numer() as f64 / *worth.denom() as f64;
    let words = Text::same(picture::signed(worth));
    let sub = match (verdict, worth.is_integer()) {
        (Some(verdict), _) => {
            let distance = distance(verdict).map_or(String::new(), |d| format!(" ({d})"));
            Text::same(format!("[{}{distance}]", signed(value(verdict))))
        }
        (None, true) => Text::default(),
        (None, false) => Text::same(picture::signed(format!("{x:.4}"))),
    };
    let exact = Rational::new((*worth.numer()).into(), (*worth.denom()).into());
    Score { exact: Some(exact), short: words.clone(), sub, ..Score::new(x, words) }
}

impl Analyse<Table<Blind>> for Answers {
    fn analyse(
        &self,
        table: &Table<Blind>,
        s: &At<Blind>,
        _: Viewer,
        run: &Run<'_>,
    ) -> Result<Analysis<Made<Blind>>, Error> {
        let (response, info, blind) = (self.response(table, run)?, info(s)?, &table.opponent);
        let mut moves = Vec::new();
        for deed in table.deeds(s) {
            let worth = response.worth(&after_move(&blind.strategy, info, deed.step));
            let missing = || Error::Bug(format!("the response does not reach {:?}", deed.step));
            moves.push((deed, score(worth.ok_or_else(missing)?.0, blind.verdict_after(s, deed))));
        }
        let mut analysis = Analysis::new(&blind.measure(), None, moves, 0.0);
        if let Some(value) = &mut analysis.value {
            value.sub = Text::default();
        }
        for m in &mut analysis.moves {
            // How soon the strategy has what it wants, as long as it is blind.
            let soon = blind.verdict_after(s, m.action).filter(|verdict| value(*verdict) == 1);
            m.note = match soon.and_then(distance) {
                Some(d) => Text::of(
                    format!("the strategy then has its payoff in {}", counted(d.into(), "ply", "plies")),
                    format!("戦略側はその後{d}手で目標を確保"),
                ),
                None => table.note(s, m.action.step),
            };
        }
        let promise = fraction(blind.kind.target());
        analysis.of =
            text("Player 2 gets on average, with best play", "プレイヤー2の平均利得（最善を尽くすと）");
        analysis.note = Text::of(
            format!("the strategy of player 1 is sure of {promise} from the start"),
            format!("プレイヤー1の戦略は初期配置から{promise}を保証する"),
        );
        analysis.scale = scene::scale(text("Payoff of player 2", "プレイヤー2の利得"));
        let nodes = grouped(response.nodes() as u64);
        analysis.trust = Text::of(
            format!(
                "Exact: the best response to the strategy, over all {nodes} things player 2 may know at its turns."
            ),
            format!("厳密：プレイヤー2が知りうる全{nodes}通りにわたる、この戦略への最適応答。"),
        );
        Ok(analysis)
    }

    /// The response's own move among equals, so that it makes headway.
    fn best(&self, table: &Table<Blind>, s: &At<Blind>, run: &Run<'_>) -> Result<Option<Made<Blind>>, Error> {
        let (response, info) = (self.response(table, run)?, info(s)?);
        let chosen = response.best(info).map(|best| usize::from(best.action));
        let step = chosen.and_then(|at| info.moves(&table.board).get(at).copied());
        Ok(step.map(|step| Deed { step, choice: None }))
    }

    fn machine(
        &self,
        table: &Table<Blind>,
        s: &At<Blind>,
        random: &mut Random,
        run: &Run<'_>,
    ) -> Result<Option<Made<Blind>>, Error> {
        if s.real.turn == 1 { self.best(table, s, run) } else { Ok(random.draw(&table.opponent.lottery(s))) }
    }

    /// The strategy is not judged.
    fn good(&self, _: &Table<Blind>, s: &At<Blind>, _: Made<Blind>, _: &Run<'_>) -> Result<bool, Error> {
        Ok(s.real.turn == 0)
    }
}
