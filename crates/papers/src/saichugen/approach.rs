//! Play of the last turn brought near an equilibrium: CFR+ where it comes to rest, and the equations of an equilibrium
//! where it does not.

use super::balance::balanced;
use super::last_turn::{Mixture, ORDERS, Solver};
use yomikiri_core::{Error, Run};
use yomikiri_solve::regret::Exploitability;

/// Rounds after which play that has not come to rest goes on from its average.
const LEG: u64 = 300;
/// How often it does so before it begins anew.
const LEGS: u32 = 4;
/// How little must be left to gain before the equations of an equilibrium are tried.
const NEAR: f64 = 0.02;

impl Solver {
    /// Plays until nobody could gain more than so much, but no more than `most` rounds; the best mixture met and its
    /// worth. With three players the play may go round in circles for ever: then it goes on from its average a few
    /// times; after that the equations of an equilibrium are tried; and then it begins anew with another seat first.
    pub(super) fn approach(
        &mut self,
        gain: f64,
        most: u64,
        run: &Run<'_>,
    ) -> Result<(Mixture, Exploitability), Error> {
        let better = |one: Option<(Mixture, Exploitability)>, other: (Mixture, Exploitability)| match one {
            Some(one) if one.1.gain() <= other.1.gain() => one,
            _ => other,
        };
        let mut found = None;
        for attempt in 0.. {
            self.begin(ORDERS[attempt % ORDERS.len()]);
            let mut here = None;
            // Longer when all orders have failed.
            let leg = LEG << (attempt / ORDERS.len()).min(10);
            for _ in 0..LEGS {
                while self.since < leg {
                    let more = (self.since / 2).max(16).min(leg - self.since);
                    self.play(more.min(most.saturating_sub(self.rounds())), run)?;
                    let average = self.average();
                    let worth = self.worth(&average);
                    let enough = worth.gain() <= gain || self.rounds() >= most;
                    let best = better(here.take(), (average, worth));
                    if enough {
                        return Ok(better(found, best));
                    }
                    here = Some(best);
                }
                self.go_on_from_average();
            }
            if let Some((mixture, _)) = here.filter(|here| here.1.gain() < NEAR) {
                let mixture = balanced(self, &mixture, gain, run)?;
                let worth = self.worth(&mixture);
                let best = better(found.take(), (mixture, worth));
                if best.1.gain() <= gain {
                    return Ok(best);
                }
                found = Some(best);
            }
        }
        unreachable!("attempts have no end")
    }
}
