//! Strategies for any number of players with any interests, where something is hidden: found by CFR+, put into
//! fractions, and measured exactly.
//!
//! For more than two players, or where payoffs do not add up to 0, a game has no one value: it may have many equilibria,
//! in which players get different things. What is told is one set of strategies with two exact numbers for each player:
//! what it gets, and what it could get by leaving its strategy while the others keep to theirs. Where nobody could gain
//! anything the strategies are a Nash equilibrium, and that is its proof.
//!
//! For two opposed players the best responses are bounds of the value, whatever found the strategies.

use crate::regret::{Exploitability, StrategyProfile, approached};
use crate::tree::{Shape, Tree, weighed};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};
use yomikiri_core::text::grouped;
use yomikiri_core::{Error, Hidden, Number, Rational, Run, Text};

/// Nodes that are looked at in all rounds together: some ten seconds.
const WORK: u64 = 400_000_000;
/// Rounds at least and at most.
const ROUNDS: (u64, u64) = (100, 20_000);
/// What nobody needs to gain less than, in units of the payoffs, before fractions are tried.
const GAIN: f64 = 1e-10;
/// How far a probability is moved to a simple fraction; the strategies that leave the least to gain are taken.
const NEAR: [f64; 7] = [0.0, 1e-6, 1e-4, 1e-3, 1e-2, 0.03, 0.08];
/// Denominators of simple fractions.
const SIMPLE: u32 = 24;
/// Bits of a probability that is no simple fraction.
const BITS: u32 = 30;
/// Bytes that fractions take for a node while they are measured.
const FRACTIONS: u64 = 400;

/// Strategies of all players, and what they are worth.
pub struct Nash<G: Hidden> {
    tree: Tree<G>,
    profile: StrategyProfile<Rational>,
    worth: Exploitability<Rational>,
    /// By player: what each of its actions brings against the others, times the probability that they let it come to it.
    brings: Vec<Vec<Rational>>,
    rounds: u64,
}

impl<G: Hidden> Nash<G> {
    /// Finds strategies for a game.
    ///
    /// # Errors
    /// [`Error::Rules`] with the state that shows it if the game breaks the contract of [`Hidden`];
    /// [`Error::TooManyStates`], [`Error::Memory`], [`Error::Cancelled`], [`Error::Threads`].
    pub fn solve(game: &G, run: &Run<'_>) -> Result<Nash<G>, Error> {
        let tree = Tree::new(game, run)?;
        run.fits(tree.bytes() + tree.nodes() as u64 * FRACTIONS)?;
        let (profile, worth, rounds) = found(&tree, run)?;
        let brings = (0..G::PLAYERS).map(|player| tree.answered(player, &profile).2).collect();
        Ok(Nash { tree, profile, worth, brings, rounds })
    }

    /// What each player gets, and what it could get by leaving its strategy.
    pub fn payoffs(&self) -> &Exploitability<Rational> {
        &self.worth
    }

    /// The value for player 0 lies between these, where there are two opposed players: what the strategies guarantee.
    pub fn bounds(&self) -> (Rational, Rational) {
        (-self.worth.responses[G::PLAYERS - 1].clone(), self.worth.responses[0].clone())
    }

    /// The tree that was solved.
    pub fn tree(&self) -> &Tree<G> {
        &self.tree
    }

    /// What a player that knows this does: its actions and their probabilities. `None` if it cannot come to know it.
    pub fn policy(&self, player: u8, info: &G::Info) -> Option<Vec<(G::Action, Rational)>> {
        let slots = self.tree.find(player, info)?.slots();
        Some(slots.map(|slot| (self.tree.actions()[slot], self.profile.0[slot].clone())).collect())
    }

    /// What each action of a player that knows this brings it on average, if it goes on best and the others keep to their
    /// strategies. `None` if it cannot come to know it, or the others never let it come to that.
    pub fn worth(&self, player: u8, info: &G::Info) -> Option<Vec<(G::Action, Rational)>> {
        let info = self.tree.find(player, info)?;
        let reach = self.tree.reach_of_others(player.into(), &self.profile);
        let here: Rational = self.tree.nodes_of(info).iter().map(|&node| &reach[node as usize]).sum();
        if here.is_zero() {
            return None;
        }
        let first = self.tree.slots_of(player.into()).start;
        let brings = &self.brings[usize::from(player)];
        let one = |slot: usize| (self.tree.actions()[slot], &brings[slot - first] / &here);
        Some(info.slots().map(one).collect())
    }

    /// Lines that prove what the strategies are worth: how all players weigh their actions, for everything they may know,
    /// in the order in which a breadth-first walk through the tree comes to it.
    pub fn proof(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for (_, slots) in self.tree.in_order() {
            let shares = &self.profile.0[slots];
            let denom = shares.iter().fold(BigInt::from(1), |lcm, share| lcm.lcm(share.denom()));
            out.extend(weighed(shares.iter().map(|share| (share * &denom).to_integer())).into_bytes());
        }
        out
    }

    /// What the game was found to be and how strategies were found, in a sentence.
    pub fn why(&self) -> Text {
        let (nodes, infos) = (grouped(self.tree.nodes() as u64), grouped(self.tree.informations() as u64));
        let rounds = grouped(self.rounds);
        let gain = self.worth.gain();
        let players = G::PLAYERS;
        let (en, ja) = match gain.is_positive() {
            false => (
                "nobody gains by leaving them: a Nash equilibrium, proved".to_owned(),
                "誰も離れて得をしない：証明されたナッシュ均衡".to_owned(),
            ),
            true => (
                format!(
                    "nobody gains more than {:.3e} by leaving them, computed in fractions",
                    gain.approx()
                ),
                format!("離れても得は最大 {:.3e}（分数で計算）", gain.approx()),
            ),
        };
        Text::of(
            format!(
                "{players} players, hidden information, {nodes} positions, {infos} pieces of information: \
                 strategies by {rounds} rounds of CFR+; {en}"
            ),
            format!(
                "{players}人、非公開情報あり、{nodes}局面、{infos}情報集合：CFR+ {rounds}回による戦略。{ja}"
            ),
        )
    }

    /// Bytes of memory the solution takes.
    pub fn bytes(&self) -> u64 {
        let of = |numbers: &[Rational]| {
            numbers.iter().map(|r| 64 + (r.numer().bits() + r.denom().bits()) / 8).sum::<u64>()
        };
        self.tree.bytes() + of(&self.profile.0) + self.brings.iter().map(|b| of(b)).sum::<u64>()
    }
}

/// Strategies in fractions, what they are worth, and how many rounds they took.
fn found(
    tree: &Shape,
    run: &Run<'_>,
) -> Result<(StrategyProfile<Rational>, Exploitability<Rational>, u64), Error> {
    let rounds = (WORK / (tree.nodes() * tree.players()) as u64).clamp(ROUNDS.0, ROUNDS.1);
    let (average, rounds) = approached(tree, GAIN, rounds, run)?;
    let mut best: Option<(StrategyProfile<Rational>, Exploitability<Rational>)> = None;
    for near in NEAR {
        run.check()?;
        let profile = fractions(tree, &average, near);
        let worth = tree.worth(&profile);
        let better = best.as_ref().is_none_or(|(_, old)| worth.gain().compare(&old.gain()).is_lt());
        if better {
            best = Some((profile, worth));
        }
    }
    let Some((profile, worth)) = best else { return Err(Error::Bug("no strategies were tried".into())) };
    Ok((profile, worth, rounds))
}

/// A profile in fractions near one in doubles.
fn fractions(tree: &Shape, profile: &StrategyProfile, near: f64) -> StrategyProfile<Rational> {
    let mut shares = Vec::with_capacity(profile.0.len());
    for info in tree.infos() {
        shares.extend(simple(&profile.0[info.slots()], near));
    }
    StrategyProfile(shares)
}

/// Probabilities as fractions: with the smallest denominator that is so near to all of them, else as multiples of 2⁻³⁰.
fn simple(shares: &[f64], near: f64) -> Vec<Rational> {
    let over =
        |denom: u32| -> Vec<i64> { shares.iter().map(|x| (x * f64::from(denom)).round() as i64).collect() };
    let fits = |denom: u32, whole: &[i64]| {
        let apart = shares.iter().zip(whole).map(|(x, &n)| (x - n as f64 / f64::from(denom)).abs());
        whole.iter().sum::<i64>() == i64::from(denom) && apart.fold(0.0, f64::max) <= near
    };
    let found = (1..=SIMPLE).map(|denom| (denom, over(denom))).find(|(denom, whole)| fits(*denom, whole));
    let (denom, whole) = found.unwrap_or_else(|| {
        let denom = 1u32 << BITS;
        let mut whole = over(denom);
        // What rounding left over goes to the likeliest.
        let likeliest = (0..whole.len()).rev().max_by_key(|&a| whole[a]).unwrap_or(0);
        whole[likeliest] += i64::from(denom) - whole.iter().sum::<i64>();
        (denom, whole)
    });
    whole.into_iter().map(|n| Rational::new(n.into(), denom.into())).collect()
}
