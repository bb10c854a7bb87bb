//! Opponents with hidden colours. As player 1 the machine is the constructed strategy of an analysis, which really does not
//! look at its colours before it must; the person's moves are valued by the exact best response to it. As player 2 it
//! guesses: it plays what would be best on average if all colours were laid open.

use super::analysis::{Kind, distance, value};
use super::board::{Board, Position, Side};
use super::laid_open::{self, Guesses, any_colours, joined, stakes};
use super::notation::{self, fraction};
use super::perfect::{Dealt, Perfect};
use super::real;
use super::response::{Info, Mind, Payoff, Response, after_move, begin};
use super::scene;
use super::strategy::{Intent, Owner, Strategy, follow};
use super::table::{Against, At, Deed, Made, Opponent, State, Table};
use super::tables::Tables;
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
    tables: Arc<Tables>,
}

/// What the machine sees, and what the person knows of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sight {
    /// Which player the machine is.
    machine: u8,
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
        let sight = Sight { machine: 0, view: Some((kind, view)), guess: None, shown: view.sides[0], known };
        let opponent = Blind { board: board.clone(), kind, strategy, tables: Arc::new(tables) };
        Ok(Table { board, opponent, start: State::new(real, sight) })
    }
    fn instead(settings: &Settings) -> Option<&'static dyn Entry> {
        (settings.word("opponent") == "perfect").then_some(&PERFECT as &dyn Entry)
    }
    fn side(&self, sight: &Sight) -> Option<u8> {
        Some(sight.machine)
    }
    /// Against the strategy first.
    fn seats(&self, table: &Table<Blind>) -> Vec<Option<u8>> {
        [1, 0].map(|player| Some(table.seat(player))).into()
    }
    fn sit(&self, start: &At<Blind>, person: u8, _: &mut Random) -> At<Blind> {
        let mind = match person {
            0 => Sight {
                machine: 1,
                shown: hidden(&start.real.sides[0]),
                known: Vec::new(),
                ..start.mind.clone()
            },
            _ => start.mind.clone(),
        };
        State::new(start.real, mind)
    }
    fn guesses(&self, s: &At<Blind>) -> Guesses {
        if s.mind.machine == 1 {
            return any_colours(&s.real, 1);
        }
        let minds = s.mind.known.first().filter(|_| s.real.turn == 1).into_iter();
        let minds = minds.flat_map(|info| info.minds.iter().map(|mind| (mind.own, info.enemy, mind.weight)));
        minds.map(|(own, enemy, weight)| (Position { turn: 1, sides: [own, enemy] }, weight)).collect()
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
        if before.machine == 1 {
            // It remembers nothing but what lies on the board, of which there is no analysis.
            let shown = hidden(&real.sides[0]);
            return Sight { machine: 1, view: None, guess: None, shown, known: Vec::new() };
        }
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
        Sight { machine: 0, view, guess, shown, known }
    }
    fn plans(&self, s: &At<Blind>) -> Vec<Made<Blind>> {
        if s.mind.machine == 1 {
            return real::sensible(&self.board, &s.real)
                .into_iter()
                .map(|step| Deed { step, choice: None })
                .collect();
        }
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
        Measure::Points { name: text("Payoff", "利得") }
    }
    fn record(&self, s: &At<Blind>) -> Vec<(&'static str, Value)> {
        let opponent = if s.mind.machine == 0 { "strategy" } else { "guesser" };
        vec![("analysis", json!(self.kind.id())), ("opponent", json!(opponent))]
    }
}

/// Pieces whose colours nobody but their owner knows.
fn hidden(side: &Side) -> Side {
    Side([0, 0, side.all()])
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

/// Which of moves that guarantee the same is preferred, by what they would pay with open colours.
fn order(worth: Payoff) -> i64 {
    (worth * Payoff::from_integer(ORDER)).to_integer()
}

/// Parts of a payoff that are told apart in an order.
const ORDER: i64 = 1 << 20;

impl Answers {
    /// What moves would pay if all colours were laid open after them: the person's, or the machine's by what it knows.
    fn laid_open(
        &self,
        table: &Table<Blind>,
        s: &At<Blind>,
        run: &Run<'_>,
    ) -> Result<Vec<(Made<Blind>, Payoff)>, Error> {
        let open = laid_open::open(&table.opponent.tables, &s.real, run)?;
        let guesses = any_colours(&s.real, usize::from(1 - s.real.turn));
        let worth = |step| (Deed { step, choice: None }, laid_open::laid_open(&open, &guesses, step));
        Ok(real::sensible(&table.board, &s.real).into_iter().map(worth).collect())
    }

    /// The analysis of the person who plays against a machine that guesses: nobody knows what that is worth, so it is told
    /// what open colours would be worth.
    fn guessed(
        &self,
        table: &Table<Blind>,
        s: &At<Blind>,
        run: &Run<'_>,
    ) -> Result<Analysis<Made<Blind>>, Error> {
        let moves = self.laid_open(table, s, run)?.into_iter();
        let moves = moves.map(|(deed, worth)| (deed, score(worth))).collect();
        let mut analysis = Analysis::new(&table.opponent.measure(), None, moves, 0.0);
        let guesses = table.opponent.guesses(s);
        for m in &mut analysis.moves {
            m.note = stakes(&guesses, m.action.step);
        }
        analysis.of = laid_open::OF;
        analysis.note =
            text("what it is worth with hidden colours is not known", "色が隠れたままの値は知られていない");
        analysis.scale = scene::scale(text("Payoff of player 1", "プレイヤー1の利得"));
        analysis.trust = text(
            "Exact averages over all colours the machine's pieces may have, each as likely, with best play of both sides if all colours were open. The machine chooses its moves by the same measure, without looking at your colours.",
            "機械の駒のありうる色すべて（同じ確率）についての厳密な平均。色を全部公開して双方最善の場合の値。機械もあなたの色を見ずに同じ尺度で手を選ぶ。",
        );
        Ok(analysis)
    }
}

/// What player 2 knows.
fn info(s: &At<Blind>) -> Result<&Info, Error> {
    s.mind.known.first().ok_or_else(|| Error::Bug(format!("player 2 knows nothing at {:?}", s.real)))
}

/// What a move pays.
fn score(worth: Payoff) -> Score {
    let x = *worth.numer() as f64 / *worth.denom() as f64;
    let words = Text::same(picture::signed(worth));
    let sub = match worth.is_integer() {
        true => Text::default(),
        false => Text::same(picture::signed(format!("{x:.4}"))),
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
        if s.mind.machine == 1 {
            return self.guessed(table, s, run);
        }
        let (response, info, blind) = (self.response(table, run)?, info(s)?, &table.opponent);
        let guesses = blind.guesses(s);
        // It only tells equals apart: where it cannot be had, they stay equal.
        let open = match laid_open::open(&blind.tables, &s.real, run) {
            Err(Error::Memory { .. }) => None,
            found => Some(found?),
        };
        let laid = |step| open.as_ref().map(|open| laid_open::laid_open(open, &guesses, step));
        let mut moves = Vec::new();
        for deed in table.deeds(s) {
            let worth = response.worth(&after_move(&blind.strategy, info, deed.step));
            let missing = || Error::Bug(format!("the response does not reach {:?}", deed.step));
            let score = score(worth.ok_or_else(missing)?.0);
            moves.push((deed, Score { order: laid(deed.step).map_or(0, order), ..score }));
        }
        let mut analysis = Analysis::new(&blind.measure(), None, moves, 0.0);
        if let Some(value) = &mut analysis.value {
            value.sub = Text::default();
        }
        let promise = fraction(blind.kind.target());
        for m in &mut analysis.moves {
            // How soon the strategy has what it wants, as long as it is blind.
            let soon = blind.verdict_after(s, m.action).filter(|verdict| value(*verdict) == 1);
            let note = match soon.and_then(distance) {
                Some(d) => Text::of(
                    format!(
                        "the strategy then is sure of {promise} in {}",
                        counted(d.into(), "ply", "plies")
                    ),
                    format!("戦略側はその後{d}手で{promise}を確保"),
                ),
                None => stakes(&guesses, m.action.step),
            };
            m.note = joined([note, laid(m.action.step).map(laid_open::written).unwrap_or_default()]);
        }
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
        if s.mind.machine == 1 {
            return Ok(self.guessed(table, s, run)?.pick());
        }
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
        match (s.mind.machine, s.real.turn) {
            (0, 0) => Ok(random.draw(&table.opponent.lottery(s))),
            (1, 1) => {
                let moves = self.laid_open(table, s, run)?;
                let most = moves.iter().map(|m| m.1).max();
                let best: Vec<(Made<Blind>, u32)> =
                    moves.into_iter().filter(|m| Some(m.1) == most).map(|m| (m.0, 1)).collect();
                Ok(random.draw(&best))
            }
            _ => self.best(table, s, run),
        }
    }

    /// The machine is not judged.
    fn good(&self, _: &Table<Blind>, s: &At<Blind>, _: Made<Blind>, _: &Run<'_>) -> Result<bool, Error> {
        Ok(s.real.turn == s.mind.machine)
    }
}
