//! Mini-Geister at the table: a person against the constructed strategy of an analysis, which really does not
//! look at its colours before it must, or against perfect play with all colours known.

use super::analysis::{Kind, Solved, Step, distance, value};
use super::board::{Board, Colour, Position, Side};
use super::drawing;
use super::kind::hide;
use super::notation;
use super::real::{self, Next};
use super::response::{Info, Payoff, Response, after_move, begin};
use super::scene;
use super::strategy::{Owner, Plan, Strategy, follow, truths};
use super::summary;
use super::tables::Tables;
use crate::params::{Kind as Takes, Param, Settings};
use crate::play::{self, Judged, Made, Mistake, Play, Shown, mistakes_json};
use serde_json::{Value, json};
use std::sync::Arc;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_solve::retrograde::GameValue;
use yomikiri_view::report::Certainty;
use yomikiri_view::scene::{Move, Scene, Tone, Value as Drawn, Viewer, Worth, ranked, signed};

/// Who sits on the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// The constructed strategy as player 1, with hidden colours; the person is player 2.
    Strategy,
    /// Perfect play with all colours known, on either side.
    Perfect,
}

/// A position that comes so often is a draw: endless play pays 0.
const REPETITIONS: usize = 3;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// This player won.
    Won(u8),
    /// It would have gone on for ever.
    Drawn,
}

/// Where a game stands.
#[derive(Clone)]
struct State {
    /// With true colours.
    real: Position,
    /// How the strategy sees it, until it has looked at its colours.
    view: Option<(Kind, Position)>,
    /// What it takes the enemy to have, once it has.
    guess: Option<Side>,
    /// The pieces of player 1 as everyone knows them.
    shown: Side,
    /// What player 2 knows, or at the turn of player 1 what it may know afterwards.
    known: Vec<Info>,
    end: Option<End>,
}

/// What the moves are valued by.
enum Values {
    /// The exact best response to the strategy.
    Response(Arc<Response>, Strategy),
    /// The table of the open game.
    Open(Arc<Solved>),
}

/// A running game.
pub struct AtTable {
    board: Board,
    values: Values,
    kind: Kind,
    seed: u64,
    /// The player who moved first: seat 0.
    first: u8,
    past: Vec<(State, Step)>,
    now: State,
    judged: Judged,
}

/// A game from a position of an analysis. Colours that the position does not tell are drawn by the seed; those
/// of player 2 may be told in analyses that hide them.
pub fn play(
    tables: &Tables,
    kind: Kind,
    start: Position,
    opponent: Opponent,
    run: &Run<'_>,
) -> Result<Box<dyn Play>, Error> {
    Ok(Box::new(AtTable::new(tables, kind, start, opponent, run)?))
}

/// The best response to the strategy from a position, from the cache or solved now.
fn respond(
    board: &Board,
    kind: Kind,
    strategy: &Strategy,
    view: &Position,
    root: &Info,
    run: &Run<'_>,
) -> Result<Arc<Response>, Error> {
    let [seen, truth] = [view.sides, [view.sides[0], root.enemy]].map(|s| notation::board_text(board, &s));
    let name = format!("geister/response-{}-{}-{seen}-{truth}", kind.id(), view.turn + 1);
    run.cached(&name, || {
        let response = Response::new(strategy, board, std::slice::from_ref(root), run)?;
        let bytes = response.bytes();
        Ok((response, bytes))
    })
}

/// The parameter that chooses the opponent.
pub const OPPONENT: Param = Param {
    name: "opponent",
    kind: Takes::Choice(&[
        (
            "strategy",
            text(
                "player 1 is the constructed strategy, its colours hidden",
                "構成した戦略（プレイヤー1、色は非公開）",
            ),
        ),
        ("perfect", text("perfect play, all colours known", "全ての色が既知の完全プレイ")),
    ]),
    default: "strategy",
    help: text("who is played against (play only)", "対戦相手（play のみ）"),
};

/// The game that settings and a written position ask for. Without a position it is the start, with the
/// person's side to move first unless it may be either.
pub fn asked(settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Box<dyn Play>, Error> {
    let summary::Asked { kind, tables, .. } = summary::asked(settings)?;
    let opponent =
        if settings.word("opponent") == "perfect" { Opponent::Perfect } else { Opponent::Strategy };
    let written = position.map(notation::read).transpose()?;
    let kind = summary::agreed(kind, written.as_ref())?.unwrap_or(Kind::Extended);
    let first = u8::from(opponent == Opponent::Strategy);
    match written {
        Some(w) => {
            let start = Position { turn: w.turn.unwrap_or(first), sides: w.sides };
            // The text tells its own size.
            play(&Tables::new(w.board, settings.word("mirror") == "on"), kind, start, opponent, run)
        }
        None => {
            let rules = tables.rules(kind, &kind.materials(), run)?;
            let found = rules.starts().first().copied();
            let start = found.ok_or_else(|| summary::too_low(tables.board()))?;
            play(&tables, kind, Position { turn: first, ..start }, opponent, run)
        }
    }
}

impl AtTable {
    /// A game from a position of an analysis, as [`play()`] has it.
    pub fn new(
        tables: &Tables,
        kind: Kind,
        start: Position,
        opponent: Opponent,
        run: &Run<'_>,
    ) -> Result<AtTable, Error> {
        let (view, told) = hide(kind, &start);
        notation::check(kind, &view.sides, &kind.materials())?;
        let mut random = Random::new(run.seed);
        let mut draw = |sides: Vec<Side>| -> Option<Side> {
            let weighted: Vec<(Side, u32)> = sides.into_iter().map(|side| (side, 1)).collect();
            random.draw(&weighted)
        };
        let [own, enemy] = truths(kind, &view).map(&mut draw);
        let own = own.unwrap_or(view.sides[0]);
        let enemy = match told {
            // What is told must be colours the analysis allows.
            Some(told) if truths(kind, &view)[1].contains(&told) => told,
            Some(_) => {
                notation::check(kind, &start.sides, &kind.materials())?;
                enemy.unwrap_or(view.sides[1])
            }
            None => enemy.unwrap_or(view.sides[1]),
        };
        let real = Position { turn: start.turn, sides: [own, enemy] };
        let mut now = State { real, view: None, guess: None, shown: own, known: Vec::new(), end: None };
        let values = match opponent {
            Opponent::Perfect => Values::Open(tables.solve(Kind::Open, run)?),
            Opponent::Strategy => {
                let strategy = Strategy::new(tables, kind, run)?;
                let root = Info::start(kind, &view, enemy);
                let response = respond(tables.board(), kind, &strategy, &view, &root, run)?;
                now.known = begin(&strategy, &root).next.into_iter().map(|next| next.1).collect();
                now.view = Some((kind, view));
                now.shown = view.sides[0];
                Values::Response(response, strategy)
            }
        };
        Ok(AtTable {
            board: tables.board().clone(),
            values,
            kind,
            seed: run.seed,
            first: start.turn,
            past: Vec::new(),
            now,
            judged: Judged::default(),
        })
    }

    fn seat(&self, player: u8) -> u8 {
        u8::from(player != self.first)
    }

    /// Whether the player to move is the strategy.
    fn strategy_moves(&self) -> bool {
        self.now.real.turn == 0 && matches!(self.values, Values::Response(..))
    }

    /// The moves of a player who knows its colours: a red piece does not leave.
    fn steps(&self, state: &State) -> Vec<Step> {
        if state.end.is_some() {
            return Vec::new();
        }
        let real = &state.real;
        let own = &real.sides[usize::from(real.turn)];
        let mut steps = real::legal(&self.board, real);
        steps.retain(|s| s.from != s.to || own.at(u32::from(s.from)) == Some(Colour::Blue));
        steps
    }

    fn name(&self, step: Step) -> String {
        let from = self.board.name(u32::from(step.from));
        if step.from == step.to {
            format!("{from}exit")
        } else {
            format!("{from}{}", self.board.name(u32::from(step.to)))
        }
    }

    /// The pieces as the person sees them: player 1's as everyone knows them, and at the end as they are.
    fn seen(&self, state: &State) -> Position {
        let real = state.real;
        let own = if state.end.is_some() { real.sides[0] } else { state.shown };
        Position { turn: real.turn, sides: [own, real.sides[1]] }
    }

    /// The position as a viewer sees it, and which sides' colours are hidden from the other.
    fn viewed(&self, viewer: Viewer) -> (Position, [bool; 2]) {
        let mut p = self.seen(&self.now);
        if matches!(self.values, Values::Open(_)) || self.now.end.is_some() {
            return (p, [false; 2]);
        }
        let own = viewer.or(self.turn()) == Some(self.seat(1));
        if !own {
            // What the strategy knows of player 2, and so what everybody does.
            p.sides[1] = hide(self.kind, &p).0.sides[1];
        }
        (p, [false, own])
    }

    /// What is seen, as it is typed; empty where it cannot be.
    fn written(&self, seen: &Position) -> String {
        let (kind, p) = match (&self.values, &self.now.view) {
            (Values::Open(_), _) => (Kind::Open, *seen),
            (_, Some((kind, view))) => {
                (*kind, Position { turn: seen.turn, sides: [view.sides[0], seen.sides[1]] })
            }
            _ => return String::new(),
        };
        let (plain, _) = hide(kind, &p);
        match notation::check(kind, &plain.sides, &kind.materials()) {
            Ok(()) => format!("{}_{}_{}", kind.id(), p.turn + 1, notation::board_text(&self.board, &p.sides)),
            Err(_) => String::new(),
        }
    }

    /// What a move is, in words.
    fn label(&self, state: &State, step: Step) -> Text {
        let (from, to) = (self.board.name(u32::from(step.from)), self.board.name(u32::from(step.to)));
        let enemy = self.seen(state).sides[usize::from(1 - state.real.turn)];
        let takes = enemy.at(u32::from(step.to)).map(|colour| match colour {
            Colour::Blue => text("blue", "青駒"),
            Colour::Red => text("red", "赤駒"),
            Colour::Purple => text("hidden", "紫駒"),
        });
        match takes {
            _ if step.from == step.to => Text::of(format!("{from} leaves"), format!("{from}から脱出")),
            Some(colour) => Text::of(
                format!("{from} to {to}, takes a {} piece", colour.en),
                format!("{from}から{to}、{}を取る", colour.ja),
            ),
            None => Text::of(format!("{from} to {to}"), format!("{from}から{to}")),
        }
    }

    /// What a move is worth to the player to move, and how good it is with its distance.
    fn valued(&self, state: &State, step: Step) -> Option<(Shown, i64)> {
        let turn = state.real.turn;
        match &self.values {
            Values::Open(open) => {
                let verdict = AtTable::open_verdict(open, state, step);
                let sign = if turn == 0 { 1 } else { -1 };
                let own = sign * value(verdict);
                let text = match distance(verdict) {
                    Some(distance) => format!("{own:+} ({distance})"),
                    None => "0".to_owned(),
                };
                Some((
                    Shown { text: Text::same(text), value: Some(f64::from(own)) },
                    i64::from(verdict.rank(turn)),
                ))
            }
            Values::Response(response, strategy) => {
                let info = state.known.first()?;
                let worth = self.payoff(response, strategy, info, step)?;
                let text = match AtTable::verdict_after(state, strategy, step) {
                    Some(verdict) => {
                        let distance = distance(verdict).map_or(String::new(), |d| format!(" ({d})"));
                        format!("{worth} [{:+}{distance}]", value(verdict))
                    }
                    None => worth.to_string(),
                };
                // The response's own move among equals, so that it makes headway.
                let chosen = response.best(info)?.action;
                let chosen = info.moves(&self.board).get(usize::from(chosen)) == Some(&step);
                let value = approx(worth);
                Some((
                    Shown { text: Text::same(text), value: Some(value) },
                    (value * 1e6).round() as i64 * 2 + i64::from(chosen),
                ))
            }
        }
    }

    /// The verdict of the open game after a move.
    fn open_verdict(open: &Solved, state: &State, step: Step) -> GameValue {
        match real::play(&state.real, step) {
            Next::Won(by) => GameValue::Won { by, plies: 0 },
            Next::Goes(p) => open.verdict(&p).before(),
        }
    }

    /// What the best response pays player 2 with a move.
    fn payoff(&self, response: &Response, strategy: &Strategy, info: &Info, step: Step) -> Option<Payoff> {
        Some(response.worth(&after_move(strategy, info, step))?.0)
    }

    /// The verdict of the strategy's analysis after a quiet move of the person, while the strategy is blind.
    fn verdict_after(state: &State, strategy: &Strategy, step: Step) -> Option<GameValue> {
        let (kind, view) = state.view.as_ref()?;
        let quiet = step.from != step.to && view.occupied() >> step.to & 1 == 0;
        let (kind, after) = follow(*kind, view, step, None);
        let solved = strategy.table(kind).filter(|_| quiet)?;
        Some(solved.verdict(&after))
    }

    /// All moves with their values, and which is to be played.
    fn listed(&self, state: &State) -> (Vec<(Step, play::Move)>, Option<Step>) {
        let valued: Vec<(Step, Shown, i64)> = self
            .steps(state)
            .into_iter()
            .filter_map(|step| self.valued(state, step).map(|(shown, rank)| (step, shown, rank)))
            .collect();
        let top = valued.iter().filter_map(|v| v.1.value).fold(f64::NEG_INFINITY, f64::max);
        // The first of equals.
        let play = valued.iter().rev().max_by_key(|v| v.2).map(|v| v.0);
        let quickest = valued.iter().map(|v| v.2).max();
        let moves = valued.into_iter().map(|(step, value, rank)| {
            // With colours open a quick win is better than a slow one, here as on the page.
            let best = match self.values {
                Values::Open(_) => Some(rank) == quickest,
                Values::Response(..) => value.value >= Some(top),
            };
            (
                step,
                play::Move { input: self.name(step), label: self.label(state, step), order: 0, value, best },
            )
        });
        (moves.collect(), play)
    }

    /// What the strategy does now; chance depends on the seed and the number of moves so far.
    fn planned(&self, strategy: &Strategy) -> Option<(Step, Option<Side>)> {
        let own = &self.now.real.sides[0];
        if let Some(guess) = self.now.guess {
            return Some((strategy.open(own, &guess), Some(guess)));
        }
        let (kind, view) = self.now.view.as_ref()?;
        let plans = strategy.blind(*kind, view);
        let weighted: Vec<(usize, u32)> = plans.iter().enumerate().map(|(i, plan)| (i, plan.0)).collect();
        let drawn = Random::stream(self.seed, 1 + self.past.len() as u64).draw(&weighted)?;
        Some(match plans[drawn].1 {
            Plan::Move(step) => (step, None),
            Plan::Guess(guess) => (strategy.open(own, &guess), Some(guess)),
        })
    }

    /// Makes a move; says what happened.
    fn perform(&mut self, step: Step, guess: Option<Side>) -> Text {
        let before = self.now.clone();
        let mover = before.real.turn;
        let mut said = vec![self.label(&before, step)];
        let colour = real::taken(&before.real, step);
        let (from, to) = (u32::from(step.from), u32::from(step.to));
        let was_hidden = self.seen(&self.now).sides[usize::from(1 - mover)].at(to) == Some(Colour::Purple);
        let looked_at = if from == to { before.real.sides[usize::from(mover)].at(from) } else { colour };
        if let Some(colour) = looked_at.filter(|_| was_hidden || from == to) {
            said.push(match colour {
                Colour::Blue => text("it was blue", "青でした"),
                _ => text("it was red", "赤でした"),
            });
        }
        let now = &mut self.now;
        match real::play(&before.real, step) {
            Next::Won(player) => now.end = Some(End::Won(player)),
            Next::Goes(real) => {
                now.real = real;
                now.guess =
                    guess.map(|side| if mover == 1 { side.step(from, to) } else { side.without(1 << to) });
                now.view =
                    before.view.filter(|_| guess.is_none()).map(|(kind, v)| follow(kind, &v, step, colour));
                now.shown = match (&now.view, mover) {
                    (Some((_, view)), _) => view.sides[0],
                    (None, 0) => before.shown.step(from, to),
                    (None, _) => before.shown.without(1 << to),
                };
                if let Values::Response(_, strategy) = &self.values {
                    if mover == 1 {
                        let next = before.known.first().map(|info| after_move(strategy, info, step).next);
                        now.known = next.unwrap_or_default().into_iter().map(|n| n.1).collect();
                    } else {
                        let guess = now.guess;
                        now.known.retain(|info| {
                            let mind = |m: &super::response::Mind| m.own == real.sides[0] && m.guess == guess;
                            info.enemy == real.sides[1] && info.minds.iter().any(mind)
                        });
                    }
                }
                let same = |s: &State| s.real == real && s.guess == now.guess;
                let times = 1 + self.past.iter().filter(|(s, _)| same(s)).count();
                if times >= REPETITIONS {
                    now.end = Some(End::Drawn);
                    said.push(text("the same position for the third time", "同一局面3回目"));
                }
            }
        }
        self.past.push((before, step));
        Text::of(
            said.iter().map(|t| t.en.as_ref()).collect::<Vec<_>>().join("; "),
            said.iter().map(|t| t.ja.as_ref()).collect::<Vec<_>>().join("、"),
        )
    }

    /// The mistake that a past move was, if it was one; the strategy is not judged.
    fn judge(&self, at: usize, decision: usize) -> Option<Mistake> {
        let (state, step) = &self.past[at];
        if matches!(self.values, Values::Response(..)) && state.real.turn == 0 {
            return None;
        }
        let (moves, _) = self.listed(state);
        let (_, best) = moves.iter().find(|m| m.1.best)?;
        let lost = |m: &&(Step, play::Move)| m.1.value.value < best.value.value;
        let (_, played) = moves.iter().find(|m| m.0 == *step).filter(lost)?;
        Some(Mistake {
            decision,
            at,
            played: played.label.clone(),
            best: best.label.clone(),
            lost: best.value.value.unwrap_or(0.0) - played.value.value.unwrap_or(0.0),
        })
    }
}

fn approx(payoff: Payoff) -> f64 {
    *payoff.numer() as f64 / *payoff.denom() as f64
}

impl Play for AtTable {
    fn table(&self) -> Text {
        let seen = self.seen(&self.now);
        let exits = self.board.exits[0] | self.board.exits[1];
        let board = drawing::lines(&self.board, &seen, exits & !seen.occupied()).join("\n");
        let (en, ja) = match self.values {
            Values::Open(_) => (
                "capitals: player 1, going up; small letters: player 2, going down; B blue, R red, * exit",
                "大文字：プレイヤー1（上へ）、小文字：プレイヤー2（下へ）。B 青、R 赤、* 脱出口",
            ),
            Values::Response(..) => (
                "capitals: the strategy, going up; small letters: you, going down; b blue, r red, P hidden, * exit",
                "大文字：戦略側（上へ）、小文字：あなた（下へ）。b 青、r 赤、P 紫、* 脱出口",
            ),
        };
        Text::of(format!("{board}\n{en}"), format!("{board}\n{ja}"))
    }

    fn turn(&self) -> Option<u8> {
        self.now.end.is_none().then(|| self.seat(self.now.real.turn))
    }

    fn prompt(&self) -> Text {
        text("from and to, such as b4b3, or a1exit to leave", "元と先（例 b4b3）、脱出は a1exit")
    }

    fn seats(&self) -> Vec<Option<u8>> {
        match self.values {
            Values::Open(_) => vec![None, Some(0), Some(1)],
            // The strategy is player 1.
            Values::Response(..) => vec![Some(self.seat(1))],
        }
    }

    fn board(&self, viewer: Viewer) -> Scene {
        let (p, secret) = self.viewed(viewer);
        let mut scene = scene::picture(&self.board, &p, secret);
        // Seats are in the order of the first moves.
        if self.first == 1 {
            scene.seats.swap(0, 1);
        }
        scene.turn = self.turn();
        scene.notation = self.written(&p);
        if let Some((_, step)) = self.past.last() {
            scene::mark_last(&mut scene, &self.board.name(u32::from(step.to)));
        }
        if let Some(result) = self.result() {
            scene.end(result);
        } else if !self.strategy_moves() {
            let steps = self.steps(&self.now).into_iter().zip(0..);
            scene.moves = steps.map(|(s, order)| Move { order, ..scene::step(&self.name(s)) }).collect();
        }
        scene
    }

    fn scene(&self, viewer: Viewer, _: &Run<'_>) -> Result<Scene, Error> {
        let mut scene = self.board(viewer);
        if scene.moves.is_empty() {
            return Ok(scene);
        }
        let (moves, state) = (std::mem::take(&mut scene.moves), &self.now);
        let takes = |step: Step| {
            let enemy = self.seen(state).sides[usize::from(1 - state.real.turn)];
            match enemy.at(u32::from(step.to)) {
                Some(_) => text("takes a piece", "駒を取る"),
                None => Text::default(),
            }
        };
        let steps = self.steps(state).into_iter().zip(moves);
        match &self.values {
            Values::Open(open) => {
                let (turn, longest) = (state.real.turn, open.longest());
                let rated = steps.map(|(step, m)| {
                    let verdict = AtTable::open_verdict(open, state, step);
                    let (value, short) = scene::worth(verdict, longest);
                    (Move { note: takes(step), short, value: Some(value), ..m }, verdict.rank(turn))
                });
                let rated: Vec<_> = rated.collect();
                let top = rated.iter().map(|m| m.1).max();
                scene.moves = ranked(rated, |rank| f64::from(*rank), |rank| Some(*rank) == top);
                scene.scale = Some(scene::first_scale());
                scene.value = Some(scene::verdict(open, &state.real));
                scene.line = scene::best_play(open, &state.real);
                if let Some(line) = &mut scene.line {
                    line.steps.iter_mut().for_each(|s| s.seat = s.seat.map(|player| self.seat(player)));
                }
                scene.trust = scene::trust(open);
            }
            Values::Response(response, strategy) => {
                let Some(info) = state.known.first() else { return Ok(scene) };
                let rated = steps.filter_map(|(step, m)| {
                    let worth = self.payoff(response, strategy, info, step)?;
                    let (x, text) = (approx(worth), signed(worth));
                    let value = Drawn {
                        x,
                        sub: match worth.is_integer() {
                            true => Text::default(),
                            false => Text::same(signed(format!("{x:.4}"))),
                        },
                        text: Text::same(text.clone()),
                        tone: Tone::of(x, 0.0),
                        cert: Certainty::Exact,
                        interval: None,
                        mark: None,
                    };
                    // How soon the strategy has what it wants, as long as it is blind.
                    let note = match AtTable::verdict_after(state, strategy, step) {
                        Some(verdict @ GameValue::Won { by: 0, .. }) => match distance(verdict) {
                            Some(d) => Text::of(
                                format!("the strategy then has its payoff in {d} plies"),
                                format!("戦略側はその後{d}手で目標を確保"),
                            ),
                            None => takes(step),
                        },
                        _ => takes(step),
                    };
                    Some((Move { note, short: Text::same(text), value: Some(value), ..m }, worth))
                });
                let rated: Vec<_> = rated.collect();
                let Some(top) = rated.iter().map(|m| m.1).max() else { return Ok(scene) };
                scene.moves = ranked(rated, |worth| approx(*worth), |worth| *worth == top);
                scene.scale = Some(scene::scale(text("Payoff of player 2", "プレイヤー2の利得")));
                let promise = summary::fraction(self.kind.target());
                scene.value = Some(Worth {
                    of: text(
                        "Player 2 gets on average, with best play",
                        "プレイヤー2の平均利得（最善を尽くすと）",
                    ),
                    text: Text::same(signed(top)),
                    note: Text::of(
                        format!("the strategy of player 1 is sure of {promise} from the start"),
                        format!("プレイヤー1の戦略は初期配置から{promise}を保証する"),
                    ),
                    cert: Certainty::Exact,
                });
                let nodes = yomikiri_view::report::grouped(response.nodes() as u64);
                scene.trust = Text::of(
                    format!(
                        "Exact: the best response to the strategy, over all {nodes} things player 2 may know at its turns."
                    ),
                    format!("厳密：プレイヤー2が知りうる全{nodes}通りにわたる、この戦略への最適応答。"),
                );
            }
        }
        Ok(scene)
    }

    fn made(&self, _: Viewer) -> Option<Made> {
        let (_, step) = self.past.last()?;
        let place = |square: u8| Some(format!("board/{}", self.board.name(u32::from(square))));
        Some(Made { input: Some(self.name(*step)), from: place(step.from), to: place(step.to) })
    }

    fn moves(&self, _: &Run<'_>) -> Result<Vec<play::Move>, Error> {
        if self.now.end.is_none() && self.strategy_moves() {
            // It tells nobody what it thinks.
            let value = Shown { text: Text::same("?"), value: None };
            return Ok(vec![play::Move {
                order: 0,
                input: "–".to_owned(),
                label: text("the strategy moves", "戦略の手番"),
                value,
                best: true,
            }]);
        }
        Ok(self.listed(&self.now).0.into_iter().map(|m| m.1).collect())
    }

    fn input(&mut self, typed: &str) -> Result<Text, Refusal> {
        let typed = typed.trim();
        let plain: String = typed.chars().filter(|c| c.is_alphanumeric()).collect();
        let refuse = |accepts: Text| Err(Refusal::new("move", format!("\"{typed}\""), accepts));
        if self.now.end.is_some() {
            return refuse(text("nothing, the game is over", "なし（終局しています）"));
        }
        if self.strategy_moves() {
            let seat = 1 + self.seat(1);
            return refuse(Text::of(
                format!("nothing: player 1 is the strategy; the person plays in seat {seat}"),
                format!("なし：プレイヤー1は戦略です。人は席 {seat} に座ります"),
            ));
        }
        let steps = self.steps(&self.now);
        match steps.iter().find(|step| self.name(**step).eq_ignore_ascii_case(&plain)) {
            Some(step) => Ok(self.perform(*step, self.now.guess)),
            None => {
                refuse(Text::same(steps.iter().map(|step| self.name(*step)).collect::<Vec<_>>().join(", ")))
            }
        }
    }

    fn best(&mut self, _: &Run<'_>) -> Result<Text, Error> {
        if self.now.end.is_some() {
            return Ok(Text::same(""));
        }
        let planned = match &self.values {
            Values::Response(_, strategy) if self.strategy_moves() => self.planned(strategy),
            _ => self.listed(&self.now).1.map(|step| (step, self.now.guess)),
        };
        Ok(planned.map_or_else(|| Text::same(""), |(step, guess)| self.perform(step, guess)))
    }

    fn undo(&mut self, seat: u8) -> bool {
        let Some(at) = self.past.iter().rposition(|(s, _)| self.seat(s.real.turn) == seat) else {
            return false;
        };
        self.now = self.past[at].0.clone();
        self.past.truncate(at);
        self.judged.truncate(at);
        true
    }

    fn mistakes(&self, seat: u8, run: &Run<'_>) -> Result<Vec<Mistake>, Error> {
        let own = (0..self.past.len()).filter(|&at| self.seat(self.past[at].0.real.turn) == seat);
        let mut mistakes = Vec::new();
        for (decided, at) in own.enumerate() {
            mistakes.extend(self.judged.of(at, || {
                run.check()?;
                Ok(self.judge(at, decided + 1))
            })?);
        }
        Ok(mistakes)
    }

    fn result(&self) -> Option<Text> {
        let words = match self.now.end? {
            End::Won(player) => {
                Text::of(format!("player {} wins", player + 1), format!("プレイヤー{}の勝ち", player + 1))
            }
            End::Drawn => text("a draw: it would go on for ever", "引き分け（千日手）"),
        };
        let board = notation::board_text(&self.board, &self.now.real.sides);
        Some(Text::of(format!("{} ({board})", words.en), format!("{}（{board}）", words.ja)))
    }

    fn score(&self, seat: u8) -> Option<f64> {
        Some(match self.now.end? {
            End::Won(player) if self.seat(player) == seat => 1.0,
            End::Won(_) => -1.0,
            End::Drawn => 0.0,
        })
    }

    fn record(&self, run: &Run<'_>) -> Result<Value, Error> {
        let moves: Vec<Value> = self
            .past
            .iter()
            .map(|(s, step)| json!({"seat": self.seat(s.real.turn), "move": self.name(*step)}))
            .collect();
        let mistakes = mistakes_json(self, run)?;
        let opponent = match self.values {
            Values::Open(_) => "perfect",
            Values::Response(..) => "strategy",
        };
        let seen = self.seen(&self.now);
        Ok(json!({
            "seed": self.seed,
            "analysis": self.kind.id(),
            "opponent": opponent,
            "board": notation::board_text(&self.board, &seen.sides),
            "turn": seen.turn + 1,
            "moves": moves,
            "mistakes": mistakes,
            "score": self.score(0),
            "result": self.result().map(|t| t.en),
        }))
    }
}
