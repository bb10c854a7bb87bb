//! Mixtures near an equilibrium of the last turn brought to it. With three players CFR+ may circle around an
//! equilibrium for ever, and the average of a circle is not its middle. Where it is known which cards are mixed, an
//! equilibrium is a solution of equations: all cards that a hand mixes give the same. They are solved by damped Gauss–Newton
//! steps from the best mixture met; which cards are mixed is corrected on the way. Whether the result is any good is
//! for exact best responses to say.

use super::last_turn::{HAND, Mixture, Solver};
use yomikiri_core::{Error, Run};
use yomikiri_games::saichugen::rules::SEATS;

/// Probabilities below this are taken for none at the beginning: from cautious to bold.
const FLOORS: [f64; 4] = [1e-3, 1e-2, 1e-4, 5e-2];
/// Steps before another beginning is tried.
const STEPS: usize = 150;
/// How much steps are damped in the beginning, and when they are so short that there is no more to be hoped for.
const DAMPING: (f64, f64) = (1e-3, 1e5);
/// A card that gives so much more than those played is worth mixing in.
const BETTER: f64 = 1e-6;
/// Most unknowns of a system.
const MOST: usize = 700;

/// What is mixed: for every seat and hand the cards that may be played, as bits.
pub type Support = [Vec<u8>; SEATS];

/// The best mixture found near `start`, at least as good as it; none better is looked for when a gain of `enough` is
/// reached.
///
/// # Errors
/// If the run is cancelled.
pub fn balanced(solver: &Solver, start: &Mixture, enough: f64, run: &Run<'_>) -> Result<Mixture, Error> {
    let mut best = (start.clone(), solver.worth(start).gain());
    for floor in FLOORS {
        let mut mixture = start.clone();
        let mut support: Support =
            std::array::from_fn(|seat| mixture[seat].iter().map(|p| bits(|a| p[a] > floor)).collect());
        restrict(&mut mixture, &support);
        let mut gain = solver.worth(&mixture).gain();
        let mut damping = DAMPING.0;
        for _ in 0..STEPS {
            run.check()?;
            if gain < best.1 {
                best = (mixture.clone(), gain);
            }
            if best.1 <= enough || damping > DAMPING.1 {
                break;
            }
            let mut wider = support.clone();
            widen(solver, &mixture, &mut wider);
            let unknowns = Unknowns::of(&wider);
            if unknowns.0.len() > MOST {
                break;
            }
            let (residuals, jacobian) = unknowns.equations(solver, &mixture, &wider);
            let Some(step) = step(&jacobian, &residuals, damping) else { break };
            let mut next = mixture.clone();
            unknowns.take(&step, &mut next);
            narrow(&mut next, &mut wider);
            let left = solver.worth(&next).gain();
            if left < gain {
                (mixture, support, gain) = (next, wider, left);
                damping /= 4.0;
            } else {
                damping *= 4.0;
            }
        }
        if best.1 <= enough {
            break;
        }
    }
    Ok(best.0)
}

/// The cards of a hand for which something holds, as bits.
pub fn bits(holds: impl Fn(usize) -> bool) -> u8 {
    (0..HAND).filter(|a| holds(*a)).map(|a| 1 << a).sum()
}

/// Plays nothing outside the support.
fn restrict(mixture: &mut Mixture, support: &Support) {
    for (hands, masks) in mixture.iter_mut().zip(support) {
        for (p, mask) in hands.iter_mut().zip(masks) {
            for (a, p) in p.iter_mut().enumerate() {
                *p = if mask >> a & 1 == 1 { p.max(0.0) } else { 0.0 };
            }
            let sum: f64 = p.iter().sum();
            p.iter_mut().for_each(|p| *p /= sum);
        }
    }
}

/// Cards that would be better than those played may be played.
fn widen(solver: &Solver, mixture: &Mixture, support: &mut Support) {
    for seat in 0..SEATS {
        for hand in 0..mixture[seat].len() {
            let values = solver.expectations(seat, hand, mixture);
            let here: f64 = values.iter().zip(mixture[seat][hand]).map(|(v, p)| v * p).sum();
            for (a, value) in values.iter().enumerate().take(solver.size()) {
                if *value > here + BETTER {
                    support[seat][hand] |= 1 << a;
                }
            }
        }
    }
}

/// Cards that came to be played with less than nothing are not played.
fn narrow(mixture: &mut Mixture, support: &mut Support) {
    for (hands, masks) in mixture.iter_mut().zip(support.iter_mut()) {
        for (p, mask) in hands.iter().zip(masks) {
            let kept = *mask & bits(|a| p[a] > 0.0);
            if kept != 0 {
                *mask = kept;
            }
        }
    }
    restrict(mixture, support);
}

/// The unknowns: a seat, a hand, a card of it, and the last card of its support, which takes what is left. There is an
/// equation for each: the card gives as much as that last one.
pub struct Unknowns(Vec<(usize, usize, usize, usize)>);

impl Unknowns {
    /// Those of what is mixed.
    pub fn of(support: &Support) -> Unknowns {
        let mut list = Vec::new();
        for (seat, masks) in support.iter().enumerate() {
            for (hand, mask) in masks.iter().enumerate() {
                let cards: Vec<usize> = (0..HAND).filter(|a| mask >> a & 1 == 1).collect();
                if let Some((&last, others)) = cards.split_last() {
                    list.extend(others.iter().map(|&a| (seat, hand, a, last)));
                }
            }
        }
        Unknowns(list)
    }

    /// By how much the equations fail, and how that changes with every unknown, row by row.
    pub fn equations(
        &self,
        solver: &Solver,
        mixture: &Mixture,
        support: &Support,
    ) -> (Vec<f64>, Vec<Vec<f64>>) {
        let n = self.0.len();
        // Where the unknowns of a hand begin.
        let mut first: [Vec<usize>; SEATS] =
            std::array::from_fn(|seat| vec![usize::MAX; support[seat].len()]);
        for (at, (seat, hand, _, _)) in self.0.iter().enumerate().rev() {
            first[*seat][*hand] = at;
        }
        let (mut residuals, mut jacobian) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for &(seat, hand, a, last) in &self.0 {
            let values = solver.expectations(seat, hand, mixture);
            residuals.push(values[a] - values[last]);
            let mut row = vec![0.0; n];
            solver.slopes(seat, hand, [a, last], mixture, |other, its_hand, slopes| {
                let mut at = first[other][its_hand];
                while let Some(&(s, h, b, its_last)) =
                    self.0.get(at).filter(|u| (u.0, u.1) == (other, its_hand))
                {
                    debug_assert_eq!((s, h), (other, its_hand));
                    row[at] += slopes[b] - slopes[its_last];
                    at += 1;
                }
            });
            jacobian.push(row);
        }
        (residuals, jacobian)
    }

    /// Changes a mixture by a step.
    pub fn take(&self, step: &[f64], mixture: &mut Mixture) {
        for (&(seat, hand, a, last), d) in self.0.iter().zip(step) {
            mixture[seat][hand][a] += d;
            mixture[seat][hand][last] -= d;
        }
    }
}

/// The damped Gauss–Newton step: (JᵀJ + λ)x = −Jᵀr, by Cholesky.
pub fn step(jacobian: &[Vec<f64>], residuals: &[f64], damping: f64) -> Option<Vec<f64>> {
    let n = residuals.len();
    let mut normal = vec![vec![0.0; n]; n];
    let mut right = vec![0.0; n];
    for (row, r) in jacobian.iter().zip(residuals) {
        let used: Vec<usize> = (0..n).filter(|i| row[*i] != 0.0).collect();
        for &i in &used {
            right[i] -= row[i] * r;
            for &j in used.iter().take_while(|j| **j <= i) {
                normal[i][j] += row[i] * row[j];
            }
        }
    }
    for (i, row) in normal.iter_mut().enumerate() {
        row[i] += damping;
    }
    for i in 0..n {
        for j in 0..=i {
            let (above, below) = normal.split_at_mut(i);
            let row = &mut below[0];
            let sum: f64 = if i == j {
                row[..j].iter().map(|x| x * x).sum()
            } else {
                row[..j].iter().zip(&above[j][..j]).map(|(x, y)| x * y).sum()
            };
            if i == j {
                let square = row[i] - sum;
                if square <= 0.0 {
                    return None;
                }
                row[i] = square.sqrt();
            } else {
                row[j] = (row[j] - sum) / above[j][j];
            }
        }
    }
    for i in 0..n {
        let sum: f64 = normal[i][..i].iter().zip(&right).map(|(x, y)| x * y).sum();
        right[i] = (right[i] - sum) / normal[i][i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| normal[k][i] * right[k]).sum();
        right[i] = (right[i] - sum) / normal[i][i];
    }
    right.iter().all(|x| x.is_finite()).then_some(right)
}
