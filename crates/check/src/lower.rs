//! Lower bounds. An entry (position, p, α) claims: P1 has a strategy such that, its type drawn from p, it gets at
//! least α_j on average against type j of P2, whatever P2 does. The mirror image of the upper bounds, except that
//! P2 taking one of three pieces tells P1's opponent something: the belief is conditioned.

use crate::board::{Move, Place, Player};
use crate::lottery::{Item, Law, Mean, Stop, child, either_way, mean, numbers};
use crate::number::{Number, Whole, fraction};
use crate::parse::{Certificate, Entry, Then, Use};
use crate::reason::{Reason, Step};

/// Checks one entry.
pub fn entry<N: Number>(certificate: &Certificate, entry: &Entry) -> Result<(), Stop> {
    let here = Lower {
        certificate,
        place: &entry.place,
        uses: certificate.uses(entry),
        law: Law::of(entry)?,
        alpha: numbers(&entry.vector)?,
        unit: N::of(&certificate.header.unit)?,
    };
    match entry.place.turn {
        Player::One => here.chooses(),
        Player::Two => here.answers(),
    }
}

struct Lower<'a, N> {
    certificate: &'a Certificate,
    place: &'a Place,
    uses: &'a [Use],
    law: Law<N>,
    alpha: [N; 3],
    /// What stands for 1 in vectors.
    unit: N,
}

impl<N: Number> Lower<'_, N> {
    /// P2 to move: P1 needs an answer to everything P2 can do.
    fn answers(&self) -> Result<(), Stop> {
        for (index, used) in self.uses.iter().enumerate() {
            let item = index + 1;
            let action = self.place.find(used.from, used.to).ok_or(Reason::NoMove { item })?;
            let ended = match action {
                Move::Quiet { .. } => false,
                Move::Take { taken, .. } => {
                    self.place.count() == 2 || self.law.weights[taken] == self.law.total
                }
                Move::Leave { .. } => true,
            };
            if ended {
                return Err(Reason::Ended { item }.into());
            }
        }
        for action in self.place.moves() {
            match action {
                Move::Quiet { piece, to } => {
                    let step = Step { from: self.place.from(piece), to: Some(to) };
                    self.answers_with(action, step, &self.law, None, |mean| self.holds(mean, Some(step)))?;
                }
                Move::Take { piece, to, taken } => {
                    let step = Step { from: self.place.from(piece), to: Some(to) };
                    self.answers_take(action, step, taken)?;
                }
                // P2 leaves with m: −1 against the types whose piece m is blue; the other may not.
                Move::Leave { piece } => {
                    let step = Some(Step { from: self.place.from(piece), to: None });
                    let lost = N::small(0).minus(&self.unit)?;
                    for component in (0..2).filter(|j| *j != piece) {
                        self.at_most(component, &lost, &N::small(1), step)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// P2 takes k: +1 if it was red; else P1 has lost its last blue piece, or goes on with two.
    fn answers_take(&self, action: Move, step: Step, taken: usize) -> Result<(), Stop> {
        let Law { weights, total } = &self.law;
        let red = &weights[taken];
        let blue = total.minus(red)?;
        let won = red.times(&self.unit)?;
        if self.place.count() == 2 || *red == *total {
            let given = won.minus(&blue.times(&self.unit)?)?;
            return self.both_at_most(|_| Ok((given.clone(), total.clone())), step);
        }
        let mut rest = weights.clone();
        rest[taken] = N::small(0);
        let given_blue = Law { weights: rest, total: blue.clone() };
        // p_k + (1 − p_k) · what the lottery gives.
        self.answers_with(action, step, &given_blue, Some(taken), |mean| {
            let scale = mean.scale.times(total)?;
            let won = won.times(&mean.scale)?;
            self.both_at_most(|j| Ok((won.plus(&blue.times(&mean.vector[j])?)?, scale.clone())), step)
        })
    }

    /// The lottery that answers a move; it must average to `law`.
    fn answers_with(
        &self,
        action: Move,
        step: Step,
        law: &Law<N>,
        taken: Option<usize>,
        proves: impl Fn(&Mean<N>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let Some(after) = self.place.after(action) else { return Ok(()) };
        either_way(|mirrored, symmetric| {
            let mut items = Vec::with_capacity(4);
            for (index, used) in self.uses.iter().enumerate() {
                let item = index + 1;
                if (used.from, Some(used.to)) != (step.from as i8, step.to.map(|to| to as i8)) {
                    continue;
                }
                items.push(match &used.then {
                    Then::Entry(number) => self.follow(&after, used, *number, item, mirrored, symmetric)?,
                    Then::Posterior(red) => {
                        let red = piece(red);
                        // The piece that is gone was blue.
                        if Some(red) == taken {
                            return Err(Reason::PosteriorRed { item, piece: red }.into());
                        }
                        self.ends(used, red, [-1, -1])?
                    }
                });
            }
            if items.is_empty() {
                return Err(Reason::Unanswered { step }.into());
            }
            proves(&mean(&items, law, Some(step))?)
        })
    }

    /// P1 to move: one lottery over its moves and what follows them.
    fn chooses(&self) -> Result<(), Stop> {
        either_way(|mirrored, symmetric| {
            let mut items = Vec::with_capacity(4);
            for (index, used) in self.uses.iter().enumerate() {
                items.push(self.choice(used, index + 1, mirrored, symmetric)?);
            }
            self.holds(&mean(&items, &self.law, None)?, None)
        })
    }

    fn choice(&self, used: &Use, item: usize, mirrored: bool, symmetric: &mut bool) -> Result<Item<N>, Stop> {
        if used.from == -1 {
            // No play gives P1 less than −1: what P1 does is left open.
            return match &used.then {
                Then::Posterior(red) => self.ends(used, piece(red), [-1, -1]),
                Then::Entry(_) => Err(Reason::NoMove { item }.into()),
            };
        }
        let action = self.place.find(used.from, used.to).ok_or(Reason::NoMove { item })?;
        match (action, &used.then) {
            (Move::Quiet { .. }, Then::Entry(number)) => {
                let after = self.place.after(action).ok_or(Reason::Ended { item })?;
                self.follow(&after, used, *number, item, mirrored, symmetric)
            }
            (Move::Quiet { .. }, Then::Posterior(_)) => Err(Reason::GoesOn { item }.into()),
            (_, Then::Entry(_)) => Err(Reason::Ended { item }.into()),
            // Taking m: −1 if it is red, else +1.
            (Move::Take { taken, .. }, Then::Posterior(red)) => {
                self.ends(used, piece(red), std::array::from_fn(|j| if j == taken { -1 } else { 1 }))
            }
            // P1 leaves with a piece that is blue for certain.
            (Move::Leave { piece: left }, Then::Posterior(red)) => {
                if piece(red) == left {
                    return Err(Reason::PosteriorRed { item, piece: left }.into());
                }
                self.ends(used, piece(red), [1, 1])
            }
        }
    }

    /// A use of another entry, seen from here. A piece of P1 that was taken on the way was blue.
    fn follow(
        &self,
        after: &Place,
        used: &Use,
        number: usize,
        item: usize,
        mirrored: bool,
        symmetric: &mut bool,
    ) -> Result<Item<N>, Stop> {
        let (entry, view) = child(self.certificate, after, number, item, mirrored, symmetric)?;
        let mut weights = [N::small(0), N::small(0), N::small(0)];
        for (weight, found) in weights.iter_mut().zip(view.a) {
            if let Some(piece) = found {
                *weight = N::of(&entry.law[piece])?;
            }
        }
        let vector = [N::of(&entry.vector[view.b[0]])?, N::of(&entry.vector[view.b[1]])?, N::small(0)];
        Ok(Item {
            numerator: N::of(&used.numerator)?,
            denominator: N::of(&used.denominator)?,
            law: Law { weights, total: N::of(&entry.total)? },
            vector,
        })
    }

    /// A use without an entry: which piece is red, and what P1 gets against P2's types.
    fn ends(&self, used: &Use, red: usize, worth: [i64; 2]) -> Result<Item<N>, Stop> {
        let worth = |j: usize| self.unit.times(&N::small(worth[j]));
        Ok(Item {
            numerator: N::of(&used.numerator)?,
            denominator: N::of(&used.denominator)?,
            law: Law::certain(red),
            vector: [worth(0)?, worth(1)?, N::small(0)],
        })
    }

    /// What a lottery gives is at least α.
    fn holds(&self, mean: &Mean<N>, step: Option<Step>) -> Result<(), Stop> {
        for component in 0..2 {
            self.at_most(component, &mean.vector[component], &mean.scale, step)?;
        }
        Ok(())
    }

    fn both_at_most(&self, given: impl Fn(usize) -> Result<(N, N), Stop>, step: Step) -> Result<(), Stop> {
        for component in 0..2 {
            let (given, scale) = given(component)?;
            self.at_most(component, &given, &scale, Some(step))?;
        }
        Ok(())
    }

    /// α is at most `given / scale`, both over the unit.
    fn at_most(&self, component: usize, given: &N, scale: &N, step: Option<Step>) -> Result<(), Stop> {
        let alpha = &self.alpha[component];
        if alpha.times(scale)? <= *given {
            return Ok(());
        }
        let claimed = fraction(alpha, &self.unit)?;
        let gives = fraction(given, &scale.times(&self.unit)?)?;
        Err(Reason::Vector { step, component, claimed, gives }.into())
    }
}

/// The piece a posterior names; it was required to be one when it was read.
fn piece(red: &Whole) -> usize {
    match red {
        Whole::Small(n) => *n as usize,
        Whole::Big(_) => usize::MAX,
    }
}
