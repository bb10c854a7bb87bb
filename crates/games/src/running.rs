//! A running game of any registered game: open, hidden or simultaneous, one move at a time, with undo, hints and an
//! honest record of mistakes. Nothing is solved before a value is asked for.

use crate::about::Primer;
use crate::analyse::Analyse;
use crate::describe::Describe;
use crate::family::Family;
use crate::params::Settings;
use crate::picture::{self, Painter};
use crate::play::{Judged, Made, Mistake, Move, Play, Shown, mistakes_json};
use crate::strength::{self, Strength};
use serde_json::{Value, json};
use std::sync::OnceLock;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Refusal, Run, Text, Turn, text};
use yomikiri_view::analysis::{Analysis, Score};
use yomikiri_view::report::Certainty;
use yomikiri_view::scene::{Scene, Viewer};

type State<F> = <<F as Family>::Game as Game>::State;
type Action<F> = <<F as Family>::Game as Game>::Action;

/// A running game of a family.
pub struct Match<F: Family> {
    family: &'static F,
    settings: Settings,
    game: F::Game,
    /// What values come from, once they are asked for.
    solver: OnceLock<Box<dyn Analyse<F::Game>>>,
    seed: u64,
    /// Where the person sits, if that was said.
    seat: Option<u8>,
    start: State<F>,
    past: Vec<(State<F>, Action<F>)>,
    now: State<F>,
    /// By the number of steps before.
    judged: Judged,
}

/// What a move is, with what else there is to say of it.
fn noted(label: &Text, note: &Text) -> Text {
    if note.is_empty() {
        return label.clone();
    }
    Text::of(format!("{} ({})", label.en, note.en), format!("{}（{}）", label.ja, note.ja))
}

/// Two notes in one.
fn joined(one: &Text, other: &Text) -> Text {
    if one.is_empty() {
        return other.clone();
    }
    Text::of(format!("{}; {}", one.en, other.en), format!("{}。{}", one.ja, other.ja))
}

/// A value with what stands beside it; a dash where nobody knows it.
fn shown(score: Option<&Score>) -> Shown {
    let Some(score) = score else { return Shown { text: Text::same("–"), value: None, exact: false } };
    let beside =
        |text: &str, sub: &str| if sub.is_empty() { text.to_owned() } else { format!("{text} {sub}") };
    let text = Text::of(beside(&score.text.en, &score.sub.en), beside(&score.text.ja, &score.sub.ja));
    Shown { text, value: Some(score.x), exact: score.certainty == Certainty::Exact }
}

/// Moves by their places; those whose values nobody knows come last. Compiled once and not for every game.
fn best_first(mut moves: Vec<(Option<usize>, Move)>) -> Vec<Move> {
    moves.sort_by_key(|(place, _)| place.unwrap_or(usize::MAX));
    moves.into_iter().map(|(_, m)| m).collect()
}

/// Random numbers of the machine are apart from those of chance.
const MACHINE: u64 = 1 << 32;

impl<F: Family> Match<F> {
    /// A game from a position; chance follows the seed.
    pub fn new(
        family: &'static F,
        settings: Settings,
        game: F::Game,
        start: State<F>,
        seed: u64,
    ) -> Match<F> {
        let mut play = Match {
            family,
            settings,
            game,
            solver: OnceLock::new(),
            seed,
            seat: None,
            past: Vec::new(),
            now: start.clone(),
            start,
            judged: Judged::default(),
        };
        play.chance();
        play
    }

    fn solver(&self, run: &Run<'_>) -> Result<&dyn Analyse<F::Game>, Error> {
        if self.solver.get().is_none() {
            let solver = self.family.hints(&self.settings, &self.game, &self.start, run)?;
            let _ = self.solver.set(solver);
        }
        self.solver.get().map(AsRef::as_ref).ok_or_else(|| Error::Bug("the solver is gone".into()))
    }

    fn step(&mut self, a: Action<F>) -> Text {
        let next = self.game.apply(&self.now, a);
        let said = self.game.happened(&self.now, a, &next);
        let before = std::mem::replace(&mut self.now, next);
        self.past.push((before, a));
        said
    }

    /// Lets chance act until a player is to move. What it does depends on the seed and the number of steps so far, so
    /// that taking a move back and playing it again shows the same.
    fn chance(&mut self) -> Vec<Text> {
        let mut said = Vec::new();
        while self.game.turn(&self.now) == Turn::Chance {
            let mut outcomes = Vec::new();
            self.game.chance(&self.now, &mut outcomes);
            let mut random = Random::stream(self.seed, self.past.len() as u64);
            let Some(a) = random.draw(&outcomes) else { break };
            said.push(self.step(a));
        }
        said
    }

    fn perform(&mut self, a: Action<F>) -> Text {
        let mut said = vec![self.step(a)];
        said.extend(self.chance());
        said.retain(|t| !t.is_empty());
        let join = |pick: fn(&Text) -> &str, by: &str| said.iter().map(pick).collect::<Vec<_>>().join(by);
        Text::of(join(|t| &t.en, "; "), join(|t| &t.ja, "、"))
    }

    /// The player to move in a state.
    fn player(&self, s: &State<F>) -> Option<u8> {
        match self.game.turn(s) {
            Turn::Player(p) => Some(p),
            _ => None,
        }
    }

    /// Whether the position has come so often that nobody makes headway.
    fn repeated(&self) -> bool {
        self.game
            .repetitions()
            .is_some_and(|most| 1 + self.past.iter().filter(|(s, _)| *s == self.now).count() >= most)
    }

    /// The table as a viewer sees it, with moves or without.
    fn pictured(&self, picture: Painter<F::Game>, viewer: Viewer) -> Scene {
        let viewer = viewer.or(self.turn()).filter(|_| !self.game.open()).or(viewer);
        let title = self.family.title(&self.settings, &self.game);
        let mut scene = picture(title, &self.game, &self.now, &self.past, viewer);
        if let Some(result) = self.result() {
            scene.end(result);
        }
        scene
    }

    /// What the game is worth before chance has acted, as long as nobody else has.
    fn whole(&self, run: &Run<'_>) -> Result<Option<Text>, Error> {
        let opening = self.game.turn(&self.start) == Turn::Chance
            && self.past.iter().all(|(s, _)| self.player(s).is_none());
        if !opening {
            return Ok(None);
        }
        let whole = self.solver(run)?.analyse(&self.game, &self.start, None, run)?;
        let Shown { text, .. } = shown(whole.value.as_ref());
        Ok(whole.value.map(|_| {
            Text::of(format!("before chance: {}", text.en), format!("偶然が働く前の値：{}", text.ja))
        }))
    }

    /// What the player to move knows of the values.
    fn analysis(&self, s: &State<F>, run: &Run<'_>) -> Result<Analysis<Action<F>>, Error> {
        let analysis = self.solver(run)?.analyse(&self.game, s, self.player(s), run)?;
        run.tables.sound(self.family.about().id)?;
        Ok(analysis)
    }

    /// The mistake that a past step was, if it was one; `decision` is its number for its seat.
    fn judge(&self, step: usize, decision: usize, run: &Run<'_>) -> Result<Option<Mistake>, Error> {
        run.check()?;
        let (s, a) = &self.past[step];
        if self.solver(run)?.good(&self.game, s, *a, run)? {
            run.tables.sound(self.family.about().id)?;
            return Ok(None);
        }
        let analysis = self.analysis(s, run)?;
        let played = analysis.of_move(self.game.alike(s, *a)).filter(|m| m.loss > 0.0);
        Ok(played.zip(analysis.pick()).map(|(played, best)| Mistake {
            decision,
            at: self.past[..step].iter().filter(|(s, _)| self.player(s).is_some()).count(),
            played: self.game.words(s, *a),
            best: self.game.words(s, best),
            lost: played.loss,
        }))
    }
}

impl<F: Family> Play for Match<F> {
    fn rules(&self) -> &'static Primer {
        &self.family.about().rules
    }

    fn players(&self) -> usize {
        F::Game::PLAYERS
    }

    fn seats(&self) -> Vec<Option<u8>> {
        self.game.seats()
    }

    fn sit(&mut self, seat: u8) {
        self.seat = Some(seat);
        if self.past.is_empty() {
            self.start = self.game.sit(&self.start, seat, &mut Random::new(self.seed));
            self.now = self.start.clone();
            self.chance();
        }
    }

    fn table(&self) -> Text {
        self.game.draw(&self.now, self.seat.or(self.turn()))
    }

    fn board(&self, viewer: Viewer) -> Scene {
        self.pictured(picture::board, viewer)
    }

    fn scene(&self, viewer: Viewer, run: &Run<'_>) -> Result<Scene, Error> {
        let told = picture::told_to(&self.game, &self.now, viewer) && !self.game.machine_moves(&self.now);
        if self.turn().is_none() || !told {
            return Ok(self.board(viewer));
        }
        let sight = self.pictured(picture::sight, viewer);
        let mut scene = picture::rated(&self.game, &self.now, sight, &self.analysis(&self.now, run)?);
        if let (Some(worth), Some(whole)) = (&mut scene.value, self.whole(run)?) {
            worth.note = joined(&worth.note, &whole);
        }
        Ok(scene)
    }

    fn made(&self, viewer: Viewer) -> Option<Made> {
        let (s, a) = self.past.iter().rev().find(|(s, _)| self.player(s).is_some())?;
        if self.game.conceals(s, *a, viewer) {
            return Some(Made::default());
        }
        let m = self.game.action(s, *a);
        // A move with two items goes from one to the other.
        let item = |nth: usize| m.on.get(nth).or(m.on.first()).cloned();
        let (from, to) = (m.from.clone().or_else(|| item(0)), m.to.clone().or_else(|| item(1)));
        Some(Made { from, to, input: Some(m.id) })
    }

    fn turn(&self) -> Option<u8> {
        self.player(&self.now).filter(|_| !self.repeated())
    }

    fn prompt(&self) -> Text {
        self.game.prompt(&self.now)
    }

    fn moves(&self, run: &Run<'_>) -> Result<Vec<Move>, Error> {
        if self.turn().is_none() || self.game.machine_moves(&self.now) {
            return Ok(Vec::new());
        }
        let analysis = self.analysis(&self.now, run)?;
        let moves = picture::listed(&self.game, &self.now).into_iter().map(|m| {
            let place = analysis.moves.iter().position(|rated| rated.action == m.action);
            let rated = place.map(|at| &analysis.moves[at]);
            let listed = Move {
                input: m.shown.id.clone(),
                label: noted(&self.game.words(&self.now, m.action), &m.note()),
                note: rated.map(|rated| rated.note.clone()).unwrap_or_default(),
                order: m.shown.order,
                value: shown(rated.map(|rated| &rated.score)),
                best: rated.is_some_and(|rated| rated.rank == 1),
            };
            (place, listed)
        });
        Ok(best_first(moves.collect()))
    }

    fn input(&mut self, typed: &str) -> Result<Text, Refusal> {
        let typed = typed.trim();
        let mut actions = Vec::new();
        if self.turn().is_some() && !self.game.machine_moves(&self.now) {
            self.game.actions(&self.now, &mut actions);
        }
        let named =
            actions.iter().copied().find(|&a| self.game.action(&self.now, a).id.eq_ignore_ascii_case(typed));
        let action = named.or_else(|| self.game.understand(&self.now, typed).filter(|a| actions.contains(a)));
        action.map(|a| self.perform(a)).ok_or_else(|| {
            let accepts = match self.turn() {
                Some(_) => self.game.accepts(&self.now),
                None => text("nothing, the game is over", "なし（終局しています）"),
            };
            Refusal::new("move", format!("\"{typed}\""), accepts)
        })
    }

    fn strengths(&self) -> Vec<Strength> {
        if F::Game::PLAYERS < 2 { Vec::new() } else { self.family.strengths(&self.game) }
    }

    fn answer(&mut self, strength: &str, run: &Run<'_>) -> Result<Text, Error> {
        if strength != strength::PERFECT && !self.strengths().iter().any(|known| known.id == strength) {
            let mut known: Vec<&str> = self.strengths().iter().map(|known| known.id).collect();
            known.extend(known.is_empty().then_some(strength::PERFECT));
            return Err(
                Refusal::new("strength", format!("\"{strength}\""), Text::same(known.join(", "))).into()
            );
        }
        if self.turn().is_none() {
            return Ok(Text::default());
        }
        let mut random = Random::stream(self.seed, MACHINE + self.past.len() as u64);
        let chosen = strength::played(strength, self.solver(run)?, &self.game, &self.now, &mut random, run)?;
        run.tables.sound(self.family.about().id)?;
        Ok(chosen.map_or_else(Text::default, |a| self.perform(a)))
    }

    fn undo(&mut self, seat: u8) -> bool {
        let Some(at) = self.past.iter().rposition(|(s, _)| self.player(s) == Some(seat)) else {
            return false;
        };
        self.now = self.past[at].0.clone();
        self.past.truncate(at);
        self.judged.truncate(at);
        true
    }

    fn mistakes(&self, seat: u8, run: &Run<'_>) -> Result<Vec<Mistake>, Error> {
        let own = (0..self.past.len()).filter(|&i| self.player(&self.past[i].0) == Some(seat));
        let mut mistakes = Vec::new();
        for (decided, step) in own.enumerate() {
            mistakes.extend(self.judged.of(step, || self.judge(step, decided + 1, run))?);
        }
        Ok(mistakes)
    }

    fn flawless(&self) -> Text {
        self.game.flawless()
    }

    fn moment(&self, viewer: Viewer) -> Option<Scene> {
        let board = self.game.moment(&self.past, viewer)?;
        let (before, _) = self.past.iter().rev().find(|(s, _)| self.player(s).is_some())?;
        let title = self.family.title(&self.settings, &self.game);
        Some(picture::laid_out(title, &self.game, before, board, viewer))
    }

    fn result(&self) -> Option<Text> {
        if self.game.turn(&self.now) == Turn::Terminal {
            let (result, why) = (self.game.result(&self.now), self.game.why(&self.now));
            return Some(match why.is_empty() {
                true => result,
                false => Text::of(format!("{}: {}", result.en, why.en), format!("{}：{}", result.ja, why.ja)),
            });
        }
        self.repeated()
            .then(|| text("a draw: the position has come too often", "引き分け（同一局面の繰り返し）"))
    }

    fn score(&self, seat: u8) -> Option<f64> {
        match self.game.turn(&self.now) {
            Turn::Terminal => Some(self.game.payoff(&self.now, seat)),
            _ => self.repeated().then(|| self.game.measure().middle()),
        }
    }

    fn rest(&mut self) {
        self.solver.take();
    }

    fn bytes(&self) -> usize {
        // States may hold lists that are not counted in their size.
        (1 << 12) + self.past.len() * (size_of::<(State<F>, Action<F>)>() + (1 << 10))
    }

    fn record(&self, run: &Run<'_>) -> Result<Value, Error> {
        let moves: Vec<Value> = self
            .past
            .iter()
            .map(|(s, a)| json!({"seat": self.player(s), "move": self.game.action(s, *a).id}))
            .collect();
        let mistakes = mistakes_json(self, run)?;
        let mut record = self.game.record(&self.start, &self.now, self.seat);
        record.insert("seed".into(), self.seed.into());
        record.insert("moves".into(), moves.into());
        record.insert("mistakes".into(), mistakes.into());
        record.insert("score".into(), json!(self.score(0)));
        record.insert("result".into(), json!(self.result().map(|t| t.en)));
        if F::Game::PLAYERS > 2 {
            // What one player gets does not tell what the others do.
            let payoffs: Option<Vec<f64>> = (0..F::Game::PLAYERS as u8).map(|p| self.score(p)).collect();
            record.insert("payoffs".into(), json!(payoffs));
        }
        Ok(Value::Object(record))
    }
}
