//! The strategies the analyses construct, as behaviour: how the owner moves without looking at its colours,
//! when it looks, and how it goes on then.

use super::analysis::{Kind, Rules, Solved, Step, Test, colourings};
use super::board::{Colour, Position, Side, squares};
use super::space::Material;
use super::tables::Tables;
use std::sync::Arc;
use yomikiri_core::{Error, Run};

/// What the owner does at its turn as long as it has not looked at its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Makes a move; leaving is a step from a square to itself.
    Move(Step),
    /// Takes the enemy's colours to be these, looks at its own, and plays the open game from now on.
    Guess(Side),
}

/// A behaviour of the owner, player 1. What it does before it looks cannot depend on its hidden colours: they
/// are not among what it is given. It acts at random only where it takes, leaves or guesses, so that its quiet
/// moves are a function of the position.
pub trait Owner: Sync {
    /// What it does, with weights, in a position of an analysis, hidden pieces shown as such.
    fn blind(&self, kind: Kind, view: &Position) -> Vec<(u32, Intent)>;
    /// The move after it has looked at its own colours and guessed the enemy's.
    fn open(&self, own: &Side, guess: &Side) -> Step;
}

/// The constructed strategy of an analysis.
pub struct Strategy {
    /// The tables of the analysis and of those that takes lead to.
    tables: Vec<Arc<Solved>>,
    /// Tables of the open game, for guesses.
    open: Vec<Arc<Solved>>,
}

impl Strategy {
    /// The strategy of an analysis on the board of the tables, which are built as needed.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    pub fn new(tables: &Tables, kind: Kind, run: &Run<'_>) -> Result<Strategy, Error> {
        Ok(Strategy::of(tables.solve(kind, run)?))
    }

    /// The strategy by a finished table.
    pub fn of(main: Arc<Solved>) -> Strategy {
        let mut strategy = Strategy { tables: vec![main], open: Vec::new() };
        let mut next = 0;
        while let Some(solved) = strategy.tables.get(next).cloned() {
            let needs = solved.rules.needs();
            strategy.tables.extend(needs.extended.iter().chain(&needs.win).cloned());
            strategy.open.extend(needs.open.iter().cloned());
            next += 1;
        }
        strategy
    }

    /// The analysis it was constructed for.
    pub fn kind(&self) -> Kind {
        self.main().rules.kind
    }

    /// The table it was constructed from.
    pub fn main(&self) -> &Arc<Solved> {
        &self.tables[0]
    }

    /// The table of an analysis this one leads to.
    pub fn table(&self, kind: Kind) -> Option<&Arc<Solved>> {
        self.tables.iter().find(|solved| solved.rules.kind == kind)
    }
}

/// One move for every square of `to` that some move goes to: the first.
fn one_each(moves: &[(u32, u32)]) -> Vec<Step> {
    let mut sorted = moves.to_vec();
    sorted.sort_unstable_by_key(|m| (m.1, m.0));
    sorted.dedup_by_key(|m| m.1);
    sorted.into_iter().map(|(from, to)| Step::new(from, to)).collect()
}

/// Each move as likely as the others.
fn evenly(moves: impl IntoIterator<Item = Step>) -> Vec<(u32, Intent)> {
    moves.into_iter().map(|step| (1, Intent::Move(step))).collect()
}

impl Owner for Strategy {
    fn blind(&self, kind: Kind, view: &Position) -> Vec<(u32, Intent)> {
        let Some(solved) = self.table(kind) else { return Vec::new() };
        let rules = &solved.rules;
        match rules.test(view) {
            Some(Test::Exit) => {
                // A piece known to be blue wins; of hidden ones any is as good.
                let leavers = rules.leavers(view);
                let blue = leavers & view.sides[0].of(Colour::Blue);
                let from = squares(if blue != 0 { blue } else { leavers }).next();
                evenly(from.map(|from| Step::new(from, from)))
            }
            Some(Test::TakeAny) => evenly(one_each(&rules.takes(view))),
            Some(Test::TakeBlue) => {
                let blue = view.sides[1].of(Colour::Blue);
                let takes = one_each(&rules.takes(view));
                evenly(takes.into_iter().find(|step| blue >> step.to & 1 == 1))
            }
            Some(Test::Take) => {
                let pieces = kind.pieces_to_take() as usize;
                evenly(one_each(&rules.safe_takes(view)).into_iter().take(pieces))
            }
            Some(Test::Guess) => colourings(&view.sides[1]).map(|guess| (1, Intent::Guess(guess))).collect(),
            Some(Test::TakeSpoils) | None => match solved.best(view) {
                Some(step) => evenly([step]),
                // Shut in: the analysis has no move and calls it 0, but the rules know no pass. It takes whatever
                // it can. Only two pieces against three come to this; from the starts no promise breaks by it.
                None => evenly(one_each(&rules.takes(view))),
            },
        }
    }

    fn open(&self, own: &Side, guess: &Side) -> Step {
        let p = Position { turn: 0, sides: [*own, *guess] };
        let material = Material::of(&p);
        let table = self.open.iter().find(|open| open.rules.space.materials().any(|m| m == material));
        let step = table.and_then(|open| {
            // Leaving first: it wins even if the guess is wrong.
            let decides = open.rules.deciding(&p).into_iter().find_map(|(act, _)| act.step());
            decides.or_else(|| open.best(&p))
        });
        // A guess is made only where the open game has a table and a move; other behaviours may go astray.
        let any = || super::real::legal(&self.main().rules.board, &p)[0];
        step.unwrap_or_else(any)
    }
}

/// The analysis and the view of it after a move that did not end the game; `colour` is that of the piece it took.
pub fn follow(kind: Kind, view: &Position, step: Step, colour: Option<Colour>) -> (Kind, Position) {
    let after = super::analysis::after_take(view, u32::from(step.from), u32::from(step.to));
    let hidden = |side: Side| Side([0, 0, side.all()]);
    match (kind, colour) {
        (_, None) | (Kind::Open | Kind::OpenWin | Kind::OpenDraw, _) => (kind, after),
        // The hidden piece that was taken was red, so the other is blue, and everyone knows.
        (Kind::RrbThree, Some(_)) if view.sides[0].of(Colour::Purple) >> step.to & 1 == 1 => {
            let left = after.sides[0];
            let known = Side([left.of(Colour::Purple), left.of(Colour::Red), 0]);
            (Kind::OpenWin, Position { turn: after.turn, sides: [known, after.sides[1]] })
        }
        _ => (Kind::Extended, Position { turn: after.turn, sides: after.sides.map(hidden) }),
    }
}

/// Every way the colours of both sides may truly lie in a position of an analysis: the owner's, all equally
/// likely, and the enemy's, of which it chooses one.
pub fn truths(kind: Kind, view: &Position) -> [Vec<Side>; 2] {
    let reds = |side: &Side, reds: u32| -> Vec<Side> {
        let (known, hidden) = (side.of(Colour::Red), side.of(Colour::Purple));
        let missing = reds.saturating_sub(known.count_ones());
        let picks = subsets(hidden).filter(|set| set.count_ones() == missing);
        picks.map(|red| Side([side.of(Colour::Blue) | (hidden & !red), known | red, 0])).collect()
    };
    let [own, enemy] = &view.sides;
    // Sides without hidden pieces are what they are.
    let all =
        |side: &Side, count: u32| if side.of(Colour::Purple) == 0 { vec![*side] } else { reds(side, count) };
    match kind {
        Kind::RrbThree => [all(own, 2), all(enemy, 1)],
        Kind::RrbTwo => [all(own, 1), all(enemy, 2)],
        // What is taken to be blue need not be.
        Kind::BbrTwoGuess => [all(own, 1), all(&Side([0, 0, enemy.all()]), 1)],
        _ => [all(own, 1), all(enemy, 1)],
    }
}

/// The subsets of a set of squares, ascending.
pub fn subsets(set: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let this = next?;
        let after = this.wrapping_sub(set) & set;
        next = (after != 0).then_some(after);
        Some(this)
    })
}

impl Rules {
    /// The payoff the analysis promises the owner at a position of this value; `None` where it promises nothing.
    pub fn promised(&self, value: i8) -> Option<(i32, i32)> {
        let target = self.kind.target();
        match value {
            1 => Some(target),
            // Endless play pays 0.
            0 => Some(if target.0 > 0 { (0, 1) } else { target }),
            _ => None,
        }
    }
}
