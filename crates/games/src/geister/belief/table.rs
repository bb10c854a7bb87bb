//! Three against two at the table: a person on either side against the strategy of a proof. The strategy
//! never looks at the person's colours.

use super::ask::{self, ID};
use super::both::{Both, View, fraction};
use super::plan::{Mind, Part, Plan, legal};
use super::rules::Public;
use crate::geister::board::{Board, Side};
use crate::geister::scene::{mark_last, picture, scale, step};
use crate::geister::{drawing, notation};
use crate::params::Settings;
use crate::play::{Made, Mistake, Move, Play, Shown};
use serde_json::{Value, json};
use std::sync::Arc;
use yomikiri_core::number::{Rational, approx};
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_solve::belief::{ENDED, PublicMove as Step, Rules};
use yomikiri_view::report::Certainty;
use yomikiri_view::scene::{Move as Drawn, Scene, Tone, Value as Valued, Viewer, Worth, ranked};

/// A position that comes so often with the strategy at the same place of its proof is a draw: endless play pays
/// 0. A place at which the strategy hopes for more never comes twice, so this costs it nothing.
const REPETITIONS: usize = 3;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Won(u8),
    Drawn,
}

/// Where a game stands.
#[derive(Clone, Debug)]
struct State {
    view: View,
    /// The number of each side's red piece.
    types: [u8; 2],
    /// Where the strategy stands; only it knows.
    mind: Mind,
    /// Where it may stand as far as the person can tell.
    minds: Vec<(Mind, f64)>,
    end: Option<End>,
}

/// A running game.
pub struct AtTable {
    both: Arc<Both>,
    /// The strategies of both sides; the one of the person's is not used.
    plans: [Arc<Plan>; 2],
    start: View,
    /// Red pieces that are told, as the tables number them.
    told: [Option<u8>; 2],
    seed: u64,
    person: u8,
    past: Vec<(State, u32)>,
    now: State,
}

/// The game that settings and a written position ask for; the three move first unless it is told.
pub fn asked(settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Box<dyn Play>, Error> {
    let grid = ask::grid(settings)?;
    if settings.given("opponent") && settings.word("opponent") != "strategy" {
        let accepts = Text::of(format!("strategy, with {ID}"), format!("{ID} では strategy"));
        return Err(Refusal::new("opponent", settings.word("opponent"), accepts).into());
    }
    let spot = position.map(ask::read).transpose()?;
    if spot.as_ref().is_some_and(|s| s.beliefs.iter().any(Option::is_some)) {
        let accepts = text("none: each side chooses its colours", "なし（色は各自が選ぶ）");
        return Err(Refusal::of("beliefs", text("beliefs", "信念"), accepts).into());
    }
    let board = match &spot {
        Some(s) => s.board.clone(),
        None => Board::new(settings.int("width") as u8, settings.int("height") as u8)?,
    };
    let both = Both::new(&board, grid, run)?;
    let (public, told) = spot.map_or((both.open.starts[0], [None; 2]), |s| (s.public(), s.told));
    Ok(Box::new(AtTable::new(both, public, told, run)?))
}

impl AtTable {
    /// A game from a position on the table; red pieces may be told by their numbers there.
    pub fn new(
        both: Arc<Both>,
        on_table: Public,
        told: [Option<u8>; 2],
        run: &Run<'_>,
    ) -> Result<AtTable, Error> {
        let start = View::of(&both.open.rules, on_table);
        let at = both.find(&start)?;
        let plans = [Plan::shared(&both, at, 0, run)?, Plan::shared(&both, at, 1, run)?];
        let board = &both.open.rules.board;
        let told = [0, 1].map(|side| {
            let order = start.order(board, side);
            told[side].and_then(|n| order.iter().position(|place| *place == usize::from(n))).map(|n| n as u8)
        });
        let person = start.public.turn;
        let now = State { view: start, types: [0; 2], mind: Mind::Entry(0), minds: Vec::new(), end: None };
        let mut table = AtTable { both, plans, start, told, seed: run.seed, person, past: Vec::new(), now };
        table.begin();
        Ok(table)
    }

    /// Begins again with other colours and other chance.
    pub fn deal(&mut self, seed: u64) {
        self.seed = seed;
        self.begin();
    }

    /// What the strategy is sure of, for its own side.
    pub fn promise(&self) -> Rational {
        let plan = self.plan();
        let others = self.start.public.sides[usize::from(self.person)].count_ones() as usize;
        let least = (0..others).map(|j| plan.promise(0, j)).min();
        least.unwrap_or_else(|| plan.promise(0, 0))
    }

    /// Deals the colours: the strategy's as its proof says, the person's evenly, unless they are told.
    fn begin(&mut self) {
        let machine = usize::from(1 - self.person);
        let plan = &self.plans[machine];
        let mut random = Random::new(self.seed);
        let types = [0, 1].map(|side| {
            let pieces = self.start.public.sides[side].count_ones() as usize;
            let weights = if side == machine { plan.entry(0).belief } else { ask::even(pieces) };
            let weighted: Vec<(u8, u32)> =
                (0..pieces as u8).map(|k| (k, weights[usize::from(k)] as u32)).collect();
            let drawn = random.draw(&weighted).unwrap_or(0);
            self.told[side].unwrap_or(drawn)
        });
        let own = types[machine];
        // Colours that the strategy never has, if they are told: it makes the best of them.
        let planned = plan.entry(0).belief[usize::from(own)] > 0;
        let mind = if planned { Mind::Entry(0) } else { Mind::Free(own) };
        self.past.clear();
        self.now = State { view: self.start, types, mind, minds: vec![(mind, 1.0)], end: None };
    }

    fn field(&self) -> &Board {
        &self.both.open.rules.board
    }

    fn plan(&self) -> &Plan {
        &self.plans[usize::from(1 - self.person)]
    }

    fn seat(&self, player: u8) -> u8 {
        u8::from(player != self.start.public.turn)
    }

    fn moves_here(&self) -> Vec<Step<Public>> {
        let mut moves = Vec::new();
        self.both.open.rules.moves(&self.now.view.public, &mut moves);
        moves
    }

    fn steps(&self) -> Vec<(u32, Option<u32>)> {
        self.both.open.rules.steps(&self.now.view.public)
    }

    /// The moves of the player to move: numbers with their names.
    fn legal(&self) -> Vec<(u32, String)> {
        if self.now.end.is_some() {
            return Vec::new();
        }
        let (view, kind) = (&self.now.view, self.now.types[usize::from(self.now.view.public.turn)]);
        let steps = self.steps().into_iter().zip(0..).filter(|(step, _)| legal(view, *step, kind));
        steps.map(|(step, number)| (number, view.name(self.field(), step))).collect()
    }

    fn person_moves(&self) -> bool {
        self.now.view.public.turn == self.person
    }

    /// A part of a lottery, drawn as the strategy's type has it; chance depends on the seed and the number
    /// of moves so far.
    fn draw<'p>(&self, parts: &'p [Part]) -> Option<&'p Part> {
        let kind = usize::from(self.now.types[usize::from(1 - self.person)]);
        let weights: Vec<f64> = parts.iter().map(|part| approx(&part.with(kind))).collect();
        let bits = Random::stream(self.seed, 1 + self.past.len() as u64).bits() >> 11;
        let mut left = bits as f64 / (1u64 << 53) as f64 * weights.iter().sum::<f64>();
        let mut last = None;
        for (part, weight) in parts.iter().zip(weights).filter(|(_, w)| *w > 0.0) {
            last = Some(part);
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
        last
    }

    /// What the strategy does: a move, and where it stands afterwards if that is decided with the move.
    fn planned(&self) -> (u32, Option<Mind>) {
        let (plan, view) = (self.plan(), &self.now.view);
        let own = self.now.types[usize::from(1 - self.person)];
        let free = |kind: u8| (plan.free(view, kind), None);
        match self.now.mind {
            Mind::Free(_) => free(own),
            Mind::Entry(entry) => {
                let parts = plan.lottery(entry, None);
                match self.draw(&parts) {
                    Some(Part { number: Some(number), mind, .. }) => (*number, *mind),
                    _ => free(own),
                }
            }
        }
    }

    fn label(&self, step: (u32, Option<u32>)) -> Text {
        let (board, view) = (self.field(), &self.now.view);
        let name = |s: u32| board.name(view.square(board, s));
        let from = name(step.0);
        let Some(to) = step.1 else {
            return Text::of(format!("{from} leaves"), format!("{from}から脱出"));
        };
        let other = view.public.sides[usize::from(1 - view.public.turn)];
        if other >> to & 1 == 0 {
            return Text::of(format!("{from} to {}", name(to)), format!("{from}から{}", name(to)));
        }
        Text::of(
            format!("{from} to {}, takes a piece", name(to)),
            format!("{from}から{}、駒を取る", name(to)),
        )
    }

    /// Makes a move; says what happened.
    fn perform(&mut self, number: u32, decided: Option<Mind>) -> Text {
        let before = self.now.clone();
        let (m, step) = (self.moves_here()[number as usize], self.steps()[number as usize]);
        let mut said = vec![self.label(step)];
        let (mover, types) = (before.view.public.turn, before.types);
        if let Some(to) = step.1 {
            let other = usize::from(1 - mover);
            let enemy = before.view.public.sides[other];
            if enemy >> to & 1 == 1 {
                let gone = (enemy & ((1 << to) - 1)).count_ones();
                let red = gone == u32::from(types[other]);
                said.push(if red {
                    text("it was red", "赤でした")
                } else {
                    text("it was blue", "青でした")
                });
            }
        }
        let next = m.next.filter(|n| (0..2).all(|side| n.types[side][usize::from(types[side])] != ENDED));
        match next {
            None => {
                let paid = m.pay[usize::from(types[0])][usize::from(types[1])];
                self.now.end = Some(End::Won(u8::from(paid < 0)));
            }
            Some(next) => {
                let plan = self.plan();
                let own = next.types[plan.holder][usize::from(types[plan.holder])];
                let (mind, minds) = if mover == self.person {
                    let mind = match before.mind {
                        Mind::Free(_) => Mind::Free(own),
                        Mind::Entry(entry) => {
                            let parts = plan.lottery(entry, Some(number));
                            self.draw(&parts).and_then(|part| part.mind).unwrap_or(Mind::Free(own))
                        }
                    };
                    (mind, plan.answered(&before.view, &before.minds, number))
                } else {
                    (decided.unwrap_or(Mind::Free(own)), plan.seen(&before.view, &before.minds, number))
                };
                let view = before.view.after(&self.both.open.rules, step);
                let types = [0, 1].map(|side| next.types[side][usize::from(types[side])]);
                // What the person may think is never wrong.
                debug_assert!(minds.iter().any(|m| m.0 == mind), "{mind:?} is not among {minds:?}");
                self.now = State { view, types, mind, minds, end: None };
                let same =
                    |s: &State| s.view.public == view.public && s.types == types && s.mind == self.now.mind;
                let times = 1 + self.past.iter().filter(|(s, _)| same(s)).count();
                if times >= REPETITIONS {
                    self.now.end = Some(End::Drawn);
                    said.push(text("the same again for the third time", "同じ状態が3回目"));
                }
            }
        }
        self.past.push((before, number));
        Text::of(
            said.iter().map(|t| t.en.as_ref()).collect::<Vec<_>>().join("; "),
            said.iter().map(|t| t.ja.as_ref()).collect::<Vec<_>>().join("、"),
        )
    }

    /// The person's moves with what they can bring.
    fn listed(&self) -> Vec<(u32, Move)> {
        let (all, steps) = (self.moves_here(), self.steps());
        let own = usize::from(self.now.types[usize::from(self.person)]);
        let valued: Vec<(u32, String, f64)> = self
            .legal()
            .into_iter()
            .map(|(number, name)| {
                let most = self.plan().at_most(&self.now.minds, &all[number as usize], number, own);
                (number, name, most)
            })
            .collect();
        let top = valued.iter().map(|v| v.2).fold(f64::NEG_INFINITY, f64::max);
        valued
            .into_iter()
            .map(|(number, input, value)| {
                let m = &all[number as usize];
                let text = match m.next {
                    // What ends the game is an average over the colours; anything else is a bound.
                    None => format!("{value:.4}"),
                    Some(_) => format!("≤ {:.4}", (value * 1e4 - 1e-6).ceil() / 1e4 + 0.0),
                };
                let text = Text::same(text.replace('-', "−"));
                let (label, best) = (self.label(steps[number as usize]), value >= top - 1e-9);
                (number, Move { input, label, order: 0, value: Shown { text, value: Some(value) }, best })
            })
            .collect()
    }

    /// The pieces as a viewer sees them: the strategy's colours only at the end.
    fn seen(&self, state: &State) -> crate::geister::board::Position {
        let all = self.now.end.is_some();
        let red = [0, 1].map(|side| (all || side == self.person).then_some(state.types[usize::from(side)]));
        state.view.position(self.field(), red)
    }
}

impl Play for AtTable {
    fn sit(&mut self, seat: u8) {
        let first = self.start.public.turn;
        self.person = if seat == 0 { first } else { 1 - first };
        self.begin();
    }

    fn table(&self) -> Text {
        let seen = self.seen(&self.now);
        let exits = self.field().exits[0] | self.field().exits[1];
        let board = drawing::lines(self.field(), &seen, exits & !seen.occupied()).join("\n");
        let promise = fraction(&self.promise());
        let (en, ja) = if self.person == 1 {
            (
                "capitals: the strategy, going up; small letters: you, going down; b blue, r red, P hidden, * exit",
                "大文字：戦略側（上へ）、小文字：あなた（下へ）。b 青、r 赤、P 紫、* 脱出口",
            )
        } else {
            (
                "capitals: you, going up; small letters: the strategy, going down; B blue, R red, p hidden, * exit",
                "大文字：あなた（上へ）、小文字：戦略側（下へ）。B 青、R 赤、p 紫、* 脱出口",
            )
        };
        Text::of(
            format!("{board}\n{en}\nit is sure of {promise} on average, whatever you do [proved]"),
            format!("{board}\n{ja}\n戦略側は相手が何をしても平均{promise}以上［証明済み］"),
        )
    }

    fn turn(&self) -> Option<u8> {
        self.now.end.is_none().then(|| self.seat(self.now.view.public.turn))
    }

    fn prompt(&self) -> Text {
        text("from and to, such as b1a1, or a4exit to leave", "元と先（例 b1a1）、脱出は a4exit")
    }

    fn seats(&self) -> Vec<Option<u8>> {
        // The strategy sits on the other side.
        vec![Some(0), Some(1)]
    }

    fn board(&self, viewer: Viewer) -> Scene {
        let mut p = self.seen(&self.now);
        let playing = self.now.end.is_none();
        let own = playing && viewer.or(self.turn()) == Some(self.seat(self.person));
        let person = usize::from(self.person);
        if playing && !own {
            p.sides[person] = Side([0, 0, p.sides[person].all()]);
        }
        let mut scene = picture(self.field(), &p, [own && person == 0, own && person == 1]);
        if self.start.public.turn == 1 {
            scene.seats.swap(0, 1);
        }
        scene.turn = self.turn();
        scene.notation = format!("{ID}_{}_{}", p.turn + 1, notation::board_text(self.field(), &p.sides));
        if let Some(Made { to: Some(to), .. }) = self.made(viewer) {
            mark_last(&mut scene, to.trim_start_matches("board/"));
        }
        if let Some(result) = self.result() {
            scene.end(result);
        } else if self.person_moves() {
            let legal = self.legal().into_iter().zip(0..);
            scene.moves = legal.map(|((_, name), order)| Drawn { order, ..step(&name) }).collect();
        }
        scene
    }

    fn scene(&self, viewer: Viewer, _: &Run<'_>) -> Result<Scene, Error> {
        let mut scene = self.board(viewer);
        if scene.moves.is_empty() {
            return Ok(scene);
        }
        let ends = self.moves_here();
        let rated =
            std::mem::take(&mut scene.moves).into_iter().zip(self.listed()).map(|(m, (number, listed))| {
                let (x, exact) = (listed.value.value.unwrap_or(0.0), ends[number as usize].next.is_none());
                let value = Valued {
                    x,
                    text: listed.value.text.clone(),
                    sub: Text::default(),
                    tone: Tone::of(x, 0.0),
                    cert: if exact { Certainty::Exact } else { Certainty::Bound },
                    interval: (!exact).then_some((-1.0, x.max(-1.0))),
                    mark: None,
                };
                (Drawn { short: listed.value.text, value: Some(value), ..m }, (x, listed.best))
            });
        scene.moves = ranked(rated.collect(), |m| m.0, |m| m.1);
        scene.scale = Some(scale(text("Your payoff, at most", "あなたの利得（上界）")));
        let promise = fraction(&self.promise());
        scene.value = Some(Worth {
            of: text("The strategy is sure of, on average", "戦略側の保証（平均）"),
            text: Text::same(promise),
            note: text("whatever the other side does, from the start", "相手が何をしても（初期配置から）"),
            cert: Certainty::Bound,
        });
        let entries = yomikiri_view::report::grouped(self.plan().proof.entries.len() as u64);
        scene.trust = Text::of(
            format!("Bounds: the strategy plays by a proof of {entries} entries that anybody can check."),
            format!("上下界：戦略側は、誰でも検証できる{entries}項目の証明に従う。"),
        );
        Ok(scene)
    }

    fn made(&self, _: Viewer) -> Option<Made> {
        let (state, number) = self.past.last()?;
        let (board, view) = (self.field(), &state.view);
        let step = self.both.open.rules.steps(&view.public)[*number as usize];
        let place = |square: u32| Some(format!("board/{}", board.name(view.square(board, square))));
        let (from, to) = (place(step.0), place(step.1.unwrap_or(step.0)));
        Some(Made { input: Some(view.name(board, step)), from, to })
    }

    fn moves(&self, _: &Run<'_>) -> Result<Vec<Move>, Error> {
        if self.now.end.is_some() {
            return Ok(Vec::new());
        }
        if !self.person_moves() {
            // It tells nobody what it thinks.
            let value = Shown { text: Text::same("?"), value: None };
            let label = text("the strategy moves", "戦略の手番");
            return Ok(vec![Move { input: "–".to_owned(), label, order: 0, value, best: true }]);
        }
        Ok(self.listed().into_iter().map(|m| m.1).collect())
    }

    fn input(&mut self, typed: &str) -> Result<Text, Refusal> {
        let typed = typed.trim();
        let plain: String = typed.chars().filter(|c| c.is_alphanumeric()).collect();
        let refuse = |accepts: Text| Err(Refusal::new("move", format!("\"{typed}\""), accepts));
        if self.now.end.is_some() {
            return refuse(text("nothing, the game is over", "なし（終局しています）"));
        }
        if !self.person_moves() {
            return refuse(text("nothing: the strategy is to move", "なし（戦略の手番です）"));
        }
        let legal = self.legal();
        match legal.iter().find(|(_, name)| name.eq_ignore_ascii_case(&plain)) {
            Some((number, _)) => Ok(self.perform(*number, None)),
            None => refuse(Text::same(legal.into_iter().map(|m| m.1).collect::<Vec<_>>().join(", "))),
        }
    }

    fn best(&mut self, _: &Run<'_>) -> Result<Text, Error> {
        if self.now.end.is_some() {
            return Ok(Text::same(""));
        }
        if !self.person_moves() {
            let (number, mind) = self.planned();
            return Ok(self.perform(number, mind));
        }
        let best = self.listed().into_iter().find(|m| m.1.best);
        Ok(best.map_or_else(|| Text::same(""), |(number, _)| self.perform(number, None)))
    }

    fn undo(&mut self, seat: u8) -> bool {
        let own = |s: &State| self.seat(s.view.public.turn) == seat;
        let Some(at) = self.past.iter().rposition(|(s, _)| own(s)) else { return false };
        self.now = self.past[at].0.clone();
        self.past.truncate(at);
        true
    }

    fn mistakes(&self, _: u8, _: &Run<'_>) -> Result<Vec<Mistake>, Error> {
        Ok(Vec::new())
    }

    fn flawless(&self) -> Text {
        text(
            "not judged: with hidden colours only bounds are known",
            "判定なし（色が見えない局面では上下界しか分からない）",
        )
    }

    fn result(&self) -> Option<Text> {
        let words = match self.now.end? {
            End::Won(player) if player == self.person => text("you win", "あなたの勝ち"),
            End::Won(_) => text("the strategy wins", "戦略側の勝ち"),
            End::Drawn => text("a draw: it would go on for ever", "引き分け（千日手）"),
        };
        let board = notation::board_text(self.field(), &self.seen(&self.now).sides);
        Some(Text::of(format!("{} ({board})", words.en), format!("{}（{board}）", words.ja)))
    }

    fn score(&self, seat: u8) -> Option<f64> {
        Some(match self.now.end? {
            End::Won(player) if self.seat(player) == seat => 1.0,
            End::Won(_) => -1.0,
            End::Drawn => 0.0,
        })
    }

    fn record(&self, _: &Run<'_>) -> Result<Value, Error> {
        let rules = &self.both.open.rules;
        let moves: Vec<Value> = self
            .past
            .iter()
            .map(|(s, number)| {
                let step = rules.steps(&s.view.public)[*number as usize];
                json!({"seat": self.seat(s.view.public.turn), "move": s.view.name(&rules.board, step)})
            })
            .collect();
        let text = |state: &State| notation::board_text(&rules.board, &self.seen(state).sides);
        let first = self.past.first().map_or(&self.now, |p| &p.0);
        Ok(json!({
            "seed": self.seed,
            "analysis": ID,
            "grid": self.both.grid.id(),
            "opponent": "strategy",
            "seat": self.seat(self.person),
            "promise": self.promise().to_string(),
            "entries": self.plan().proof.entries.len(),
            "start": text(first),
            "board": text(&self.now),
            "turn": self.now.view.public.turn + 1,
            "moves": moves,
            "mistakes": [],
            "score": self.score(0),
            "result": self.result().map(|t| t.en),
        }))
    }
}
