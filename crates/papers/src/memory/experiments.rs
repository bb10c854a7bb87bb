//! The paper's tables recomputed.

use super::policies::{Follow, NoSecondUnknown, Normal, PaperSearch};
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use yomikiri_core::{Error, Game, Run, Text, text};
use yomikiri_games::memory::answer::{Answer, answer, best};
use yomikiri_games::memory::levels::{Doubles, Keep, Levels, store_name};
use yomikiri_games::memory::rules::{Action, Key, MAX_PATTERNS, Memory, Objective, State};
use yomikiri_solve::Solver;
use yomikiri_solve::memo::Memo;
use yomikiri_solve::on_threads;
use yomikiri_solve::reach::{Expanded, reachable};
use yomikiri_solve::restrict::{Free, Policy, Restricted};
use yomikiri_solve::solution::Solution;
use yomikiri_view::report::grouped;

/// What the positions of the paper's game tree look like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// All positions.
    pub positions: u64,
    /// Those with a known pair on the table.
    pub with_pair: u64,
    /// Positions where taking a known pair, turning an unknown card and passing is best.
    pub first: [u64; 3],
    /// Where turning is best although a known pair could be taken.
    pub leave: u64,
    /// By pattern of the turned card, where turning is best: same, different, unknown.
    pub second: [[u64; 3]; MAX_PATTERNS],
}

/// The tier of a position for the expansion: unknown cards, then known ones.
fn tier(game: &Memory, s: &State) -> u64 {
    let unknown = game.unknown(&s.counts) as u64;
    unknown * 1000 + (2 * game.remaining(&s.counts) as u64 - unknown)
}

/// Visits the positions of the paper's game tree by expanding it, and counts them.
fn expand(
    game: &Memory,
    progress: Option<Expanded<(u8, Key)>>,
    keep: impl FnMut(&Expanded<(u8, Key)>, bool) -> Result<(), Error> + Send,
    run: &Run<'_>,
    visit: impl FnMut(&State) + Send,
) -> Result<u64, Error> {
    let tree = Restricted::both(game, &PaperSearch);
    let mut keep = keep;
    on_threads(run, || {
        let progress = progress.unwrap_or_else(|| Expanded::new(&tree, |s| tier(game, s)));
        let state = |(_, key): (u8, Key)| key.state(game);
        reachable(&tree, |s| tier(game, s), state, progress, &mut keep, run, visit)
    })?
}

/// Bytes that expanding the paper's game tree takes at least, roughly. Measured, it takes 94 to 133 times the fourth power
/// of the ranks for 4 to 16 of them, and there are ever more positions of each rank's kind.
fn least(ranks: usize) -> u64 {
    64 * (ranks as u64).pow(4)
}

/// Counts the positions of the paper's game tree. If the run is interrupted, the next one goes on.
///
/// # Errors
/// If the memory of the run is too small, the checkpoint cannot be kept, or the run is cancelled.
pub fn count_tree(game: &Memory, run: &Run<'_>) -> Result<u64, Error> {
    run.fits(least(game.ranks()))?;
    let name = store_name(game, "tree", "checkpoint");
    let before = run.store.load(&name).and_then(|mut stored| read_progress(game, &mut stored).ok());
    if let Some(progress) = &before {
        run.observer.note(&Text::of(
            format!("resumed after {} positions", grouped(progress.count)),
            format!("{}局面の後から再開", grouped(progress.count)),
        ));
    }
    let mut checkpoints = run.checkpoints();
    let keep = |progress: &Expanded<(u8, Key)>, cancelled: bool| {
        if cancelled || checkpoints.due() {
            checkpoints.keep(|| run.store.save(&name, &mut |to| write_progress(progress, to)))?;
        }
        Ok(())
    };
    let count = expand(game, before, keep, run, |_| {})?;
    run.store.remove(&name);
    Ok(count)
}

/// More positions than any game tree that can be counted has.
const MOST: u64 = 1 << 48;

fn write_progress(progress: &Expanded<(u8, Key)>, to: &mut dyn Write) -> io::Result<()> {
    let mut bytes = Vec::new();
    for n in [progress.count, progress.open.len() as u64] {
        bytes.extend_from_slice(&n.to_le_bytes());
    }
    for (tier, keys) in &progress.open {
        bytes.extend_from_slice(&tier.to_le_bytes());
        bytes.extend_from_slice(&(keys.len() as u64).to_le_bytes());
        for (_, key) in keys {
            bytes.extend_from_slice(&key.to_bytes());
        }
        to.write_all(&bytes)?;
        bytes.clear();
    }
    to.write_all(&bytes)
}

/// Reads a checkpoint; positions that the game does not have are not taken from it.
fn read_progress(game: &Memory, from: &mut dyn Read) -> io::Result<Expanded<(u8, Key)>> {
    fn number(from: &mut dyn Read) -> io::Result<u64> {
        let mut bytes = [0; 8];
        from.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
    let wrong = || io::Error::from(io::ErrorKind::InvalidData);
    let count = Some(number(from)?).filter(|count| *count <= MOST).ok_or_else(wrong)?;
    let mut progress = Expanded { count, open: BTreeMap::new() };
    for _ in 0..number(from)? {
        let (tier, len) = (number(from)?, number(from)?);
        let keys = progress.open.entry(tier).or_default();
        for _ in 0..len {
            let mut bytes = [0; Key::BYTES];
            from.read_exact(&mut bytes)?;
            let key = Key::from_bytes(bytes);
            if !key.belongs(game) || self::tier(game, &key.state(game)) != tier {
                return Err(wrong());
            }
            keys.insert((0, key));
        }
    }
    Ok(progress)
}

/// Expands the paper's game tree and finds the best move of each position among those it expands.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn tree(game: &Memory, table: &Levels<Doubles>, run: &Run<'_>) -> Result<Tree, Error> {
    let mut tree = Tree::default();
    tree.positions = expand(
        game,
        None,
        |_, _| Ok(()),
        run,
        |s| {
            if let Some(found) = answer(game, table, s) {
                tree.add(game, s, &found);
            }
        },
    )?;
    Ok(tree)
}

impl Tree {
    fn add(&mut self, game: &Memory, s: &State, found: &Answer<f64>) {
        let pair = matches!(found.moves[0].0, Action::Take(_));
        self.with_pair += u64::from(pair);
        let mut allowed = Vec::new();
        game.actions(s, &mut allowed);
        PaperSearch.restrict(game, s, &mut allowed);
        let values: Vec<(Action, f64)> =
            found.moves.iter().copied().filter(|m| allowed.contains(&m.0)).collect();
        match best(&values)[0] {
            Action::Take(_) => self.first[0] += 1,
            Action::Flip => {
                self.first[1] += 1;
                self.leave += u64::from(pair);
                for (pattern, _, values) in &found.second {
                    let column = match best(values)[0] {
                        Action::Same => 0,
                        Action::Different => 1,
                        _ => 2,
                    };
                    self.second[usize::from(game.place(pattern.unknown, pattern.known))][column] += 1;
                }
            }
            _ => self.first[2] += 1,
        }
    }
}

/// The win rate of the first player when both are bound to policies.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn rate(
    game: &Memory,
    first: &dyn Policy<Memory>,
    second: &dyn Policy<Memory>,
    run: &Run<'_>,
) -> Result<f64, Error> {
    let bound = Restricted::new(game, first, second);
    let solved = Memo::<f64>::new().solve(&bound, run)?;
    let value = solved.value(&bound, &bound.start()).unwrap_or(f64::NAN);
    Ok((1.0 + value) / 2.0)
}

/// Table 4 under a reading of "optimal": the first player's win rate against a normal player, and of a
/// normal player against it.
pub struct Reading {
    /// A short name.
    pub name: Text,
    /// Optimal first, normal second.
    pub first: f64,
    /// Normal first, optimal second.
    pub second: f64,
}

/// The reading that is closest to what the paper says it does.
pub(super) const PAPERS_MOVES: Text = text("best response, the paper's moves", "最適応答（論文の手）");

/// Table 4 under all readings.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn readings(game: &Memory, table: &Levels<Doubles>, run: &Run<'_>) -> Result<Vec<Reading>, Error> {
    let follow = Follow(table);
    let policies: [(Text, &dyn Policy<Memory>); 4] = [
        (text("equilibrium", "均衡戦略"), &follow),
        (PAPERS_MOVES, &PaperSearch),
        (text("best response, any move", "最適応答（全ての手）"), &Free),
        (
            text("best response, no second unknown after (3,1)", "最適応答（(3,1)の後に2枚目の未知なし）"),
            &NoSecondUnknown,
        ),
    ];
    policies
        .into_iter()
        .map(|(name, policy)| {
            Ok(Reading {
                name,
                first: rate(game, policy, &Normal, run)?,
                second: rate(game, &Normal, policy, run)?,
            })
        })
        .collect()
}

/// A table of all positions of a game with four copies, computed now.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn solved(ranks: usize, run: &Run<'_>) -> Result<(Memory, Levels<Doubles>), Error> {
    let game = Memory::new(ranks, 4, Objective::Win)?;
    let table = Levels::solve(&game, Doubles, Keep::All, &run.afresh())?;
    Ok((game, table))
}
