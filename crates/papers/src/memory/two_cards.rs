//! Two cards a rank, as many pairs as possible: the rule of Zwick and Paterson checked in exact
//! fractions. With n pairs on the table and k single known cards, a 2-move turns two unknown cards, a
//! 1-move turns one and then shows a known card unless it matches, and a 0-move is a pass.

use yomikiri_core::{Error, Run};
use yomikiri_games::memory::answer::{answer, best};
use yomikiri_games::memory::levels::{Factorials, Keep, Levels};
use yomikiri_games::memory::rules::{Action, MAX_PATTERNS, Memory, Objective};

/// How many unknown cards a player turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cards {
    /// A pass.
    None,
    /// One, then a known card.
    One,
    /// Two.
    Two,
}

/// What the rule says.
pub fn rule(n: usize, k: usize) -> Cards {
    match (n, k) {
        (_, 0) => Cards::Two,
        (6, 1) => Cards::One,
        _ if (n + k).is_multiple_of(2) => Cards::One,
        _ if k >= 2 && 3 * k >= 2 * (n + 1) => Cards::None,
        _ => Cards::Two,
    }
}

/// What the rule comes to with so many pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Check {
    /// Positions, one for every k.
    pub positions: u64,
    /// Those where what the rule says is not best.
    pub broken: u64,
    /// Those where it is best and nothing else is.
    pub unique: u64,
}

/// Checks the rule for every number of known cards at n pairs, exactly.
///
/// # Errors
/// If the game is too large for the memory of the run, or it is cancelled.
pub fn check(n: usize, run: &Run<'_>) -> Result<Check, Error> {
    let game = Memory::new(n, 2, Objective::Cards)?;
    let table = Levels::solve(&game, Factorials::new(2 * n), Keep::All, &run.afresh())?;
    let mut check = Check::default();
    for k in 0..=n {
        let mut counts = [0; MAX_PATTERNS];
        counts[usize::from(game.place(2, 0))] = (n - k) as u8;
        counts[usize::from(game.place(1, 1))] = k as u8;
        let Some(found) = answer(&game, &table, &game.position(counts, 0, false)) else { continue };
        check.positions += 1;
        let first = best(&found.moves);
        // The second card is a decision only if the first one was not seen before.
        let second = found.second.iter().find(|c| c.0.known == 0).map(|c| best(&c.2));
        let can = |a: Action| second.as_ref().is_none_or(|s| s.contains(&a));
        let good: Vec<Cards> = [Cards::None, Cards::One, Cards::Two]
            .into_iter()
            .filter(|cards| match cards {
                Cards::None => first.contains(&Action::Pass),
                Cards::One => first.contains(&Action::Flip) && can(Action::Different),
                Cards::Two => first.contains(&Action::Flip) && can(Action::Unknown),
            })
            .collect();
        check.broken += u64::from(!good.contains(&rule(n, k)));
        check.unique += u64::from(good == [rule(n, k)]);
    }
    Ok(check)
}
