//! Both players' best plans at once, in doubles: an interior-point method on the linear programs of the sequence form.
//! Unlike a method that goes from corner to corner it comes to the middle of all optimal plans, so that what is ever
//! played in any of them is told from what never is.
//!
//! Player 0 chooses a plan x, player 1 a plan y; p bounds what any sequence of player 0 gets against y from above,
//! q what player 1 concedes against x from below. With the slacks s = Eᵀp − Ay and t = Aᵀx − Fᵀq, both at least 0, the
//! plans are optimal where x·s = 0 and y·t = 0. Each step solves for a point where all these products are equal and
//! smaller, by one symmetric sparse factor.

use super::factor::{Factor, Pattern};
use super::form::{Form, Side};
use yomikiri_core::{Error, Run, text};

/// A plan of a player with what the other player's bounds leave it: one of the two is 0 where the plans are optimal.
pub struct Plan {
    /// The weight of every sequence.
    pub plan: Vec<f64>,
    /// How far each sequence is from being a best response.
    pub slack: Vec<f64>,
    /// The value of every branch, that of the empty sequence first.
    pub bounds: Vec<f64>,
}

/// Where the method has come to.
pub struct Interior<'a> {
    form: &'a Form,
    /// Payoffs as doubles, the largest 1 or less.
    payoffs: Vec<f64>,
    /// What the payoffs were divided by.
    unit: f64,
    pattern: Pattern,
    factor: Factor,
    entries: Vec<(u32, u32)>,
    values: Vec<f64>,
    pub sides: [Plan; 2],
    steps: u32,
}

/// What keeps the matrix away from singular ones; steps are corrected for it.
const REGULAR: f64 = 1e-7;
/// Corrections of a solution at most.
const CORRECTIONS: u32 = 8;
/// Steps after which it will not come closer.
const MOST: u32 = 120;

impl<'a> Interior<'a> {
    /// Entries the factor of a form has, with what it takes to find them.
    pub fn new(form: &'a Form, run: &Run<'_>) -> Result<Interior<'a>, Error> {
        let [a, b] = [0, 1].map(|p| &form.sides[p]);
        let at = Places::of(form);
        let (mut entries, mut values) = (Vec::new(), Vec::new());
        for (side, first, rows) in [(a, at.plans[0], at.bounds[0]), (b, at.plans[1], at.bounds[1])] {
            let mut put = |row: usize, sequence: u32, value: f64| {
                entries.push(((rows + row) as u32, first as u32 + sequence));
                values.push(value);
            };
            put(0, 0, 1.0);
            for (row, branch) in (1..).zip(&side.branches) {
                put(row, branch.parent, -1.0);
                branch.next.clone().for_each(|sequence| put(row, sequence, 1.0));
            }
        }
        let largest = form.payoffs.iter().map(|p| p.2.unsigned_abs()).max().unwrap_or(1).max(1);
        // Chances make entries small; the value is of the size of what all of them give together.
        let unit = largest as f64;
        let payoffs: Vec<f64> = form.payoffs.iter().map(|p| p.2 as f64 / unit).collect();
        for (&(i, j, _), value) in form.payoffs.iter().zip(&payoffs) {
            entries.push((i + at.plans[0] as u32, j + at.plans[1] as u32));
            values.push(-value);
        }
        run.fits(120 * entries.len() as u64)?;
        run.check()?;
        let pattern = Pattern::new(at.size, &entries, run)?;
        run.fits(120 * entries.len() as u64 + 12 * pattern.entries() as u64)?;
        let factor = Factor::new(&pattern, &entries);
        let mut sides = [a, b].map(|side| Plan {
            plan: uniform(side),
            slack: vec![0.0; side.sequences],
            bounds: vec![0.0; side.branches.len() + 1],
        });
        for player in [0, 1] {
            let gains = gains(form, &payoffs, player, &sides[1 - player].plan);
            let sign = if player == 0 { 1.0 } else { -1.0 };
            let own = &mut sides[player];
            let side = &form.sides[player];
            // Bounds from the last branches to the first, each a margin past the best that can be had there.
            let mut got: Vec<f64> = gains.iter().map(|gain| sign * gain).collect();
            let spread = got.iter().fold(0.0, |most: f64, g| most.max(g.abs())).max(1e-6);
            for (at, branch) in side.branches.iter().enumerate().rev() {
                let next = branch.next.start as usize..branch.next.end as usize;
                let best = got[next.clone()].iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let bound = best + spread;
                next.for_each(|j| own.slack[j] = bound - got[j]);
                own.bounds[at + 1] = sign * bound;
                got[branch.parent as usize] += bound;
            }
            own.bounds[0] = sign * (got[0] + spread);
            own.slack[0] = spread;
        }
        Ok(Interior { form, payoffs, unit, pattern, factor, entries, values, sides, steps: 0 })
    }

    /// What payoffs, plans and bounds are measured in: so many of the form's whole numbers.
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// Goes on until the gap is below a share of the payoffs, or nothing more is gained. Whether it was reached.
    pub fn approach(&mut self, gap: f64, run: &Run<'_>) -> Result<bool, Error> {
        run.observer.begin(&text("linear program", "線形計画"), u64::from(MOST));
        let mut last = f64::INFINITY;
        let mut stuck = 0;
        while self.measure() > gap && self.steps < MOST && stuck < 4 {
            run.check()?;
            run.observer.done(u64::from(self.steps));
            if !self.step(run)? {
                break;
            }
            self.steps += 1;
            let now = self.measure();
            stuck = if now < 0.9 * last { 0 } else { stuck + 1 };
            last = last.min(now);
        }
        run.observer.end();
        Ok(self.measure() <= gap)
    }

    /// The sum of all products of plans and slacks.
    fn measure(&self) -> f64 {
        self.sides.iter().flat_map(|side| side.plan.iter().zip(&side.slack)).map(|(x, s)| x * s).sum()
    }

    /// One step; `false` if rounding has the last word.
    fn step(&mut self, run: &Run<'_>) -> Result<bool, Error> {
        let at = Places::of(self.form);
        let count = (self.sides[0].plan.len() + self.sides[1].plan.len()) as f64;
        let mean = self.measure() / count;
        let mut diagonal = vec![0.0; at.size];
        for (player, sign) in [(0, 1.0), (1, -1.0)] {
            let side = &self.sides[player];
            for (j, (x, s)) in side.plan.iter().zip(&side.slack).enumerate() {
                diagonal[at.plans[player] + j] = sign * (s / x);
            }
        }
        let mut regular = diagonal.clone();
        for (player, sign) in [(0, -1.0), (1, 1.0)] {
            let rows = at.bounds[player]..at.bounds[player] + self.sides[player].bounds.len();
            regular[rows].fill(sign * REGULAR);
            let plans = at.plans[player]..at.plans[player] + self.sides[player].plan.len();
            regular[plans].iter_mut().for_each(|d| *d -= sign * REGULAR);
        }
        self.factor.compute(&self.pattern, &regular, &self.values, run)?;
        // First straight to 0, to see how far that leads; then to where that suggests, bent as the products are.
        let straight = self.direction(&diagonal, &|_, _, x, s| -x * s);
        let (primal, dual) = (self.reach(&straight, 1.0, false), self.reach(&straight, 1.0, true));
        let hoped: f64 = [0, 1]
            .iter()
            .map(|&p| {
                let (side, go) = (&self.sides[p], &straight[p]);
                let (with_plan, with_slack) = if p == 0 { (primal, dual) } else { (dual, primal) };
                let all = side.plan.iter().zip(&side.slack).zip(go.plan.iter().zip(&go.slack));
                all.map(|((x, s), (dx, ds))| (x + with_plan * dx) * (s + with_slack * ds)).sum::<f64>()
            })
            .sum();
        let centring = (hoped / (mean * count)).clamp(0.0, 1.0).powi(3);
        let bent = self.direction(&diagonal, &|p, j, x, s| {
            centring * mean - x * s - straight[p].plan[j] * straight[p].slack[j]
        });
        let (primal, dual) = (self.reach(&bent, 0.995, false), self.reach(&bent, 0.995, true));
        if !(primal.is_finite() && dual.is_finite()) {
            return Ok(false);
        }
        for (p, side) in self.sides.iter_mut().enumerate() {
            let (with_plan, with_slack) = if p == 0 { (primal, dual) } else { (dual, primal) };
            side.plan.iter_mut().zip(&bent[p].plan).for_each(|(x, d)| *x += with_plan * d);
            side.slack.iter_mut().zip(&bent[p].slack).for_each(|(s, d)| *s += with_slack * d);
            side.bounds.iter_mut().zip(&bent[p].bounds).for_each(|(b, d)| *b += with_slack * d);
        }
        Ok(true)
    }

    /// How far a direction can be gone, at most 1, before a plan or a slack falls below 0: with `dual`, for the plan of
    /// player 1 and what bounds it; else for that of player 0.
    fn reach(&self, go: &[Plan; 2], share: f64, dual: bool) -> f64 {
        let limit = |now: &[f64], go: &[f64]| {
            now.iter().zip(go).filter(|(_, d)| **d < 0.0).map(|(x, d)| -x / d).fold(f64::INFINITY, f64::min)
        };
        let (plans, slacks) = if dual { (1, 0) } else { (0, 1) };
        let most = limit(&self.sides[plans].plan, &go[plans].plan)
            .min(limit(&self.sides[slacks].slack, &go[slacks].slack));
        (share * most).min(1.0)
    }

    /// The direction in which the products of plans and slacks change by what `wanted` says of a player, a sequence,
    /// its plan and its slack, and in which everything else comes to hold.
    fn direction(&self, diagonal: &[f64], wanted: &dyn Fn(usize, usize, f64, f64) -> f64) -> [Plan; 2] {
        let at = Places::of(self.form);
        let mut right = vec![0.0; at.size];
        let mut missing: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
        for (player, sign) in [(0, 1.0), (1, -1.0)] {
            let (side, own) = (&self.form.sides[player], &self.sides[player]);
            // The slack that is there less the one that the bounds leave.
            let mut left = gains(self.form, &self.payoffs, player, &self.sides[1 - player].plan);
            left[0] -= own.bounds[0];
            right[at.bounds[player]] = 1.0 - own.plan[0];
            for (row, branch) in (1..).zip(&side.branches) {
                left[branch.parent as usize] += own.bounds[row];
                let mut sum = own.plan[branch.parent as usize];
                let next = branch.next.start as usize..branch.next.end as usize;
                left[next.clone()].iter_mut().for_each(|l| *l -= own.bounds[row]);
                sum -= own.plan[next].iter().sum::<f64>();
                right[at.bounds[player] + row] = sum;
            }
            for (j, l) in left.iter_mut().enumerate() {
                *l = sign * *l + own.slack[j];
                right[at.plans[player] + j] =
                    sign * (*l + wanted(player, j, own.plan[j], own.slack[j]) / own.plan[j]);
            }
            missing[player] = left;
        }
        let found = self.refined(diagonal, &right);
        [0, 1].map(|player| {
            let own = &self.sides[player];
            let plan = found[at.plans[player]..][..own.plan.len()].to_vec();
            let bounds = found[at.bounds[player]..][..own.bounds.len()].to_vec();
            let slack = (0..plan.len())
                .map(|j| {
                    (wanted(player, j, own.plan[j], own.slack[j]) - own.slack[j] * plan[j]) / own.plan[j]
                })
                .collect();
            Plan { plan, slack, bounds }
        })
    }

    /// Solves with the factor, which is of a matrix nearby, and corrects.
    fn refined(&self, diagonal: &[f64], right: &[f64]) -> Vec<f64> {
        let size = |left: &[f64]| left.iter().fold(0.0, |most: f64, l| most.max(l.abs()));
        let mut x = vec![0.0; right.len()];
        let mut left = right.to_vec();
        let mut error = size(&left);
        for _ in 0..CORRECTIONS {
            let mut better = left.clone();
            self.factor.solve(&self.pattern, &mut better);
            better.iter_mut().zip(&x).for_each(|(b, x)| *b += x);
            left.copy_from_slice(right);
            left.iter_mut().zip(diagonal.iter().zip(&better)).for_each(|(l, (d, x))| *l -= d * x);
            for (&(a, b), value) in self.entries.iter().zip(&self.values) {
                let (a, b) = (a as usize, b as usize);
                left[a] -= value * better[b];
                left[b] -= value * better[a];
            }
            let now = size(&left);
            // Not a number is no better either.
            match now < error {
                true => (x, error) = (better, now),
                false => break,
            }
        }
        x
    }
}

/// Where plans and bounds stand among all unknowns.
struct Places {
    plans: [usize; 2],
    bounds: [usize; 2],
    size: usize,
}

impl Places {
    fn of(form: &Form) -> Places {
        let [a, b] = [0, 1].map(|p| (form.sides[p].sequences, form.sides[p].branches.len() + 1));
        Places { plans: [0, a.0], bounds: [a.0 + b.0, a.0 + b.0 + a.1], size: a.0 + b.0 + a.1 + b.1 }
    }
}

/// The plan in which all actions are equally likely everywhere.
fn uniform(side: &Side) -> Vec<f64> {
    let mut plan = vec![1.0; side.sequences];
    for branch in &side.branches {
        let each = plan[branch.parent as usize] / branch.next.len() as f64;
        branch.next.clone().for_each(|j| plan[j as usize] = each);
    }
    plan
}

/// What every sequence of a player brings player 0 in the ends it leads to, against a plan of the other.
fn gains(form: &Form, payoffs: &[f64], player: usize, other: &[f64]) -> Vec<f64> {
    let mut gains = vec![0.0; form.sides[player].sequences];
    for (&(i, j, _), value) in form.payoffs.iter().zip(payoffs) {
        let (mine, theirs) = if player == 0 { (i, j) } else { (j, i) };
        gains[mine as usize] += value * other[theirs as usize];
    }
    gains
}
