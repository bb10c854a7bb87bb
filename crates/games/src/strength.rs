//! How well the machine plays: its best, its best with traps, or with mistakes that cost so much on average.

use crate::analyse::Analyse;
use crate::describe::Describe;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Run, Text, Turn, text};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::Scale;

/// The word for playing one's best.
pub const PERFECT: &str = "perfect";

/// A way for the machine to play.
#[derive(Clone, Debug, PartialEq)]
pub struct Strength {
    /// The word for it.
    pub id: &'static str,
    /// What it is called.
    pub name: Text,
    /// What it does.
    pub note: Text,
}

/// The share of what there is to win that a move of these strengths gives away on average.
const LOSES: [(&str, f64); 3] = [("strong", 0.01), ("fair", 0.04), ("weak", 0.12)];
/// Moves that are as good as any and are looked at for traps.
const LURES: usize = 24;
/// Outcomes of chance after a move that are looked at for traps.
const OUTCOMES: usize = 64;

const BEST: Strength = Strength {
    id: PERFECT,
    name: text("Perfect", "最善"),
    note: text("never gives anything away", "一度も損をしない"),
};
const TRAPS: Strength = Strength {
    id: "traps",
    name: text("Perfect, sets traps", "最善＋わな"),
    note: text(
        "of moves that are equally good it makes the one after which most answers are mistakes",
        "同じ値の手のうち、相手が間違えやすい手を選ぶ",
    ),
};
const RANDOM: Strength = Strength {
    id: "random",
    name: text("Any move", "でたらめ"),
    note: text("makes any move, all as likely", "どの手も同じ確率で選ぶ"),
};

/// The strengths of a game with more than one player. Where something is hidden there are no traps: what the other does not
/// know must not be looked at.
pub fn strengths(open: bool) -> Vec<Strength> {
    let loses = LOSES.map(|(id, share)| {
        let percent = (share * 100.0).round();
        let (en, ja) = match id {
            "strong" => ("Strong", "強い"),
            "fair" => ("Fair", "ふつう"),
            _ => ("Weak", "弱い"),
        };
        Strength {
            id,
            name: Text::of(format!("{en}: loses {percent} % a move"), format!("{ja}（1手平均{percent} %の損）")),
            note: Text::of(
                format!("its mistakes cost {percent} % of what there is to win on average, small ones being likelier"),
                format!("勝ち幅の平均{percent} %を1手ごとに損する。小さな間違いほど多い"),
            ),
        }
    });
    let traps = open.then_some(TRAPS);
    [BEST].into_iter().chain(traps).chain(loses).chain([RANDOM]).collect()
}

/// What there is to win: the length of the ruler.
fn range(measure: &Measure, scale: &Scale) -> f64 {
    match measure {
        Measure::Result => 2.0,
        Measure::WinRate => 1.0,
        Measure::Points { .. } => scale.max - scale.min,
    }
}

/// How likely each move is made that costs so much, if they are to cost `target` on average: best moves share what the
/// mistakes leave, and a mistake is the likelier the less it costs. Where even mistakes alone cost less, it is mistakes
/// alone.
pub fn shares(losses: &[f64], target: f64) -> Vec<f64> {
    let best = losses.iter().filter(|loss| **loss <= 0.0).count();
    let wrong: f64 = losses.iter().filter(|loss| **loss > 0.0).map(|loss| 1.0 / loss).sum();
    if wrong == 0.0 || best == 0 {
        return vec![1.0 / losses.len() as f64; losses.len()];
    }
    // Likelihoods of one over the loss cost the harmonic mean on average.
    let mean = (losses.len() - best) as f64 / wrong;
    let mistakes = (target / mean).min(1.0);
    let share = |loss: &f64| match *loss > 0.0 {
        true => mistakes / (loss * wrong),
        false => (1.0 - mistakes) / best as f64,
    };
    losses.iter().map(share).collect()
}

/// The mistake that is made now, by its number, if moves cost so much; none where a best move is made. It knows no game, so
/// that it is compiled once.
fn mistake(losses: &[f64], target: f64, random: &mut Random) -> Option<usize> {
    let mut left = (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
    for (at, share) in shares(losses, target).into_iter().enumerate() {
        left -= share;
        if left < 0.0 {
            return Some(at).filter(|at| losses[*at] > 0.0);
        }
    }
    None
}

/// How much answers to a move cost on average, if any answer is as likely: the traps it sets.
fn lure<G: Describe>(
    solver: &dyn Analyse<G>,
    game: &G,
    s: &G::State,
    mover: u8,
    run: &Run<'_>,
) -> Result<f64, Error> {
    run.check()?;
    match game.turn(s) {
        Turn::Player(p) if p != mover => {
            let answers = solver.analyse(game, s, Some(p), run)?.moves;
            let cost: f64 = answers.iter().map(|m| m.loss).sum();
            Ok(if answers.is_empty() { 0.0 } else { cost / answers.len() as f64 })
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chance(s, &mut outcomes);
            outcomes.truncate(OUTCOMES);
            let all: f64 = outcomes.iter().map(|o| f64::from(o.1)).sum();
            let mut cost = 0.0;
            for (a, weight) in outcomes {
                let after = game.apply(s, a);
                // Chance after chance is too far away to see.
                if game.turn(&after) != Turn::Chance {
                    cost += f64::from(weight) / all * lure(solver, game, &after, mover, run)?;
                }
            }
            Ok(cost)
        }
        _ => Ok(0.0),
    }
}

/// What the machine plays at a strength; none where the strength is not one of the game.
///
/// # Errors
/// What the computation of the values fails with.
pub fn played<G: Describe>(
    strength: &str,
    solver: &dyn Analyse<G>,
    game: &G,
    s: &G::State,
    random: &mut Random,
    run: &Run<'_>,
) -> Result<Option<G::Action>, Error> {
    let Turn::Player(mover) = game.turn(s) else { return Ok(None) };
    if strength == PERFECT {
        return solver.machine(game, s, random, run);
    }
    if strength == RANDOM.id {
        let mut actions = Vec::new();
        game.actions(s, &mut actions);
        let any: Vec<(G::Action, u32)> = actions.into_iter().map(|a| (a, 1)).collect();
        return Ok(random.draw(&any));
    }
    if strength == TRAPS.id {
        let analysis = solver.analyse(game, s, Some(mover), run)?;
        let mut chosen = None;
        for m in analysis.best().take(LURES) {
            let lure = lure(solver, game, &game.apply(s, m.action), mover, run)?;
            if chosen.is_none_or(|(_, most)| lure > most) {
                chosen = Some((m.action, lure));
            }
        }
        return Ok(chosen.map(|c| c.0));
    }
    let Some((_, share)) = LOSES.iter().find(|(id, _)| *id == strength) else {
        return solver.plays(strength, game, s, random, run);
    };
    let analysis = solver.analyse(game, s, Some(mover), run)?;
    let losses: Vec<f64> = analysis.moves.iter().map(|m| m.loss).collect();
    let target = share * range(&game.measure(), &analysis.scale);
    match mistake(&losses, target, random) {
        Some(at) => Ok(Some(analysis.moves[at].action)),
        // By the game's own way of mixing, where that is what best moves are.
        None => solver.machine(game, s, random, run),
    }
}
