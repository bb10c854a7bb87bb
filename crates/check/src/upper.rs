//! Upper bounds. An entry (position, q, β) claims: P2 has a strategy such that, its type drawn from q, type i of
//! P1 gets at most β_i on average, whatever P1 does. Here the claim is derived from those of the entries it uses.

use crate::board::{Move, Place, Player};
use crate::lottery::{Item, Law, Mean, Stop, child, either_way, mean, numbers};
use crate::number::{Number, fraction};
use crate::parse::{Certificate, Entry, Then, Use};
use crate::reason::{Reason, Step};

/// Checks one entry.
pub fn entry<N: Number>(certificate: &Certificate, entry: &Entry) -> Result<(), Stop> {
    let here = Upper {
        certificate,
        place: &entry.place,
        uses: certificate.uses(entry),
        law: Law::of(entry)?,
        beta: numbers(&entry.vector)?,
        unit: N::of(&certificate.header.unit)?,
    };
    match entry.place.turn {
        Player::One => here.answers(),
        Player::Two => here.chooses(),
    }
}

struct Upper<'a, N> {
    certificate: &'a Certificate,
    place: &'a Place,
    uses: &'a [Use],
    law: Law<N>,
    beta: [N; 3],
    /// What stands for 1 in vectors.
    unit: N,
}

impl<N: Number> Upper<'_, N> {
    /// P1 to move: P2 needs an answer to everything P1 can do.
    fn answers(&self) -> Result<(), Stop> {
        for (index, used) in self.uses.iter().enumerate() {
            let item = index + 1;
            match self.place.find(used.from, used.to) {
                Some(Move::Quiet { .. }) => {}
                // What these are worth is known; nothing is to be used.
                Some(Move::Take { .. } | Move::Leave { .. }) => return Err(Reason::Ended { item }.into()),
                None => return Err(Reason::NoMove { item }.into()),
            }
        }
        for action in self.place.moves() {
            match action {
                Move::Quiet { piece, to } => self.answers_quiet(action, self.place.from(piece), to)?,
                // Taking m: −1 if it is red, else +1, whatever P1's type.
                Move::Take { piece, to, taken } => {
                    let step = Some(Step { from: self.place.from(piece), to: Some(to) });
                    let red = &self.law.weights[taken];
                    let worth = self.law.total.minus(red)?.minus(red)?;
                    let given = worth.times(&self.unit)?;
                    for component in 0..self.place.count() {
                        self.at_least(component, &given, &self.law.total, step)?;
                    }
                }
                // Leaving with k: +1 for the types whose piece k is blue; the other may not.
                Move::Leave { piece } => {
                    let step = Some(Step { from: self.place.from(piece), to: None });
                    for component in (0..self.place.count()).filter(|i| *i != piece) {
                        self.at_least(component, &self.unit, &N::small(1), step)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn answers_quiet(&self, action: Move, from: u8, to: u8) -> Result<(), Stop> {
        let named = Step { from, to: Some(to) };
        let Some(after) = self.place.after(action) else { return Ok(()) };
        either_way(|mirrored, symmetric| {
            let mut items = Vec::with_capacity(4);
            for (index, used) in self.uses.iter().enumerate() {
                if (used.from, used.to) != (from as i8, to as i8) {
                    continue;
                }
                items.push(match &used.then {
                    Then::Entry(number) => {
                        self.follow(&after, used, *number, index + 1, mirrored, symmetric)?
                    }
                    Then::Posterior(_) => self.ends(used, [1, 1, 1])?,
                });
            }
            if items.is_empty() {
                return Err(Reason::Unanswered { step: named }.into());
            }
            self.holds(&mean(&items, &self.law, Some(named))?, Some(named))
        })
    }

    /// P2 to move: one lottery over its moves and what follows them.
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
            // No play gives P1 more than 1: what P2 does is left open.
            return match used.then {
                Then::Posterior(_) => self.ends(used, [1, 1, 1]),
                Then::Entry(_) => Err(Reason::NoMove { item }.into()),
            };
        }
        let action = self.place.find(used.from, used.to).ok_or(Reason::NoMove { item })?;
        match (self.place.after(action), &used.then) {
            (Some(after), Then::Entry(number)) => {
                self.follow(&after, used, *number, item, mirrored, symmetric)
            }
            (Some(_), Then::Posterior(_)) => Err(Reason::GoesOn { item }.into()),
            (None, Then::Entry(_)) => Err(Reason::Ended { item }.into()),
            (None, Then::Posterior(_)) => match action {
                // P2 leaves with a piece that is blue for certain.
                Move::Leave { piece } => {
                    let left = self.ends(used, [-1, -1, -1])?;
                    if left.law.weights[piece] != N::small(0) {
                        return Err(Reason::PosteriorRed { item, piece }.into());
                    }
                    Ok(left)
                }
                // One of the last two is taken: if it was red P1 has won, else lost.
                Move::Take { taken, .. } => {
                    self.ends(used, std::array::from_fn(|i| if i == taken { 1 } else { -1 }))
                }
                // A quiet move never ends the game.
                Move::Quiet { .. } => Err(Reason::GoesOn { item }.into()),
            },
        }
    }

    /// A use of another entry, seen from here. A piece of P1 that was taken on the way is worth 1 if it was red.
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
        let mut vector = [self.unit.clone(), self.unit.clone(), self.unit.clone()];
        for (part, found) in vector.iter_mut().zip(view.a) {
            if let Some(piece) = found {
                *part = N::of(&entry.vector[piece])?;
            }
        }
        let weights = [N::of(&entry.law[view.b[0]])?, N::of(&entry.law[view.b[1]])?, N::small(0)];
        Ok(Item {
            numerator: N::of(&used.numerator)?,
            denominator: N::of(&used.denominator)?,
            law: Law { weights, total: N::of(&entry.total)? },
            vector,
        })
    }

    /// A use without an entry: its posterior, and what P1's types get.
    fn ends(&self, used: &Use, worth: [i64; 3]) -> Result<Item<N>, Stop> {
        let weights = match &used.then {
            Then::Posterior(q) => self.certificate.posterior(q.clone()),
            Then::Entry(_) => None,
        };
        let mut vector = [N::small(0), N::small(0), N::small(0)];
        for (part, worth) in vector.iter_mut().zip(worth) {
            *part = self.unit.times(&N::small(worth))?;
        }
        Ok(Item {
            numerator: N::of(&used.numerator)?,
            denominator: N::of(&used.denominator)?,
            // The posterior was required to be a distribution when it was read.
            law: Law { weights: numbers(&weights.ok_or(Reason::Belief)?)?, total: self.law.total.clone() },
            vector,
        })
    }

    /// What a lottery gives is at most β.
    fn holds(&self, mean: &Mean<N>, step: Option<Step>) -> Result<(), Stop> {
        for component in 0..self.place.count() {
            self.at_least(component, &mean.vector[component], &mean.scale, step)?;
        }
        Ok(())
    }

    /// β is at least `given / scale`, both over the unit.
    fn at_least(&self, component: usize, given: &N, scale: &N, step: Option<Step>) -> Result<(), Stop> {
        let beta = &self.beta[component];
        if beta.times(scale)? >= *given {
            return Ok(());
        }
        let claimed = fraction(beta, &self.unit)?;
        let gives = fraction(given, &scale.times(&self.unit)?)?;
        Err(Reason::Vector { step, component, claimed, gives }.into())
    }
}
