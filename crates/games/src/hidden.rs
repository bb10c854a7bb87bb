//! Games that hide something from their players, solved by what each of them knows: strategies that mix, and what every
//! move is worth against the other's.

use crate::analyse::Analyse;
use crate::approach::{Approach, by_method};
use crate::describe::Describe;
use std::collections::HashSet;
use std::sync::Arc;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Hidden, Number, Rational, Refusal, Run, Text, Turn, text};
use yomikiri_proof::{Fault, Lines, Proved, strategies};
use yomikiri_solve::nash::Nash;
use yomikiri_solve::sequence::Equilibrium;
use yomikiri_solve::tree::Tree;
use yomikiri_view::analysis::{Analysis, Score};
use yomikiri_view::report::{Block, Cell, Certainty, Table, Tone};
use yomikiri_view::scene::Viewer;

/// How games that hide something are solved and proved; a family of such a game gives this as its
/// [`Family::approach`](crate::family::Family::approach).
pub struct PartSeen;

impl PartSeen {
    fn solved<G: Describe + Hidden + 'static>(
        name: &str,
        game: &G,
        run: &Run<'_>,
    ) -> Result<Arc<Strategies<G>>, Error> {
        run.cached(&by_method(name, run), || {
            let solved = Strategies::solve(game, run)?;
            let bytes = solved.bytes();
            Ok((solved, bytes))
        })
    }
}

impl<G: Describe + Hidden + 'static> Approach<G> for PartSeen {
    fn solver(
        &self,
        name: &str,
        game: &G,
        _: &G::State,
        run: &Run<'_>,
    ) -> Result<Box<dyn Analyse<G>>, Error> {
        Ok(Box::new(Answers(PartSeen::solved(name, game, run)?)))
    }

    fn kind(&self) -> &'static str {
        "strategies"
    }

    fn proof(&self, name: &str, game: &G, run: &Run<'_>) -> Result<Vec<u8>, Error> {
        PartSeen::solved(name, game, run)?.proof(run)
    }

    fn check(&self, game: &G, lines: &mut dyn Lines, run: &Run<'_>) -> Result<Proved, Fault> {
        strategies::check(game, lines, run)
    }

    fn hidden(&self) -> bool {
        true
    }

    fn info(&self, game: &G, s: &G::State, player: u8) -> Option<String> {
        matches!(game.turn(s), Turn::Player(p) if p == player).then(|| format!("{:?}", game.info(s, player)))
    }
}

/// The words for the methods.
const SEQUENCE: &str = "sequence";
const CFR: &str = "cfr";

/// What all players do, by whatever suits the game.
pub enum Strategies<G: Hidden> {
    /// Two opposed players: exact.
    Opposed(Box<Equilibrium<G>>),
    /// Others, measured exactly.
    Measured(Box<Nash<G>>),
}

impl<G: Hidden> Strategies<G> {
    /// Solves a game by the method that is asked for, or by whatever suits it.
    ///
    /// # Errors
    /// What the solver fails with; a method that does not suit the game is refused.
    pub fn solve(game: &G, run: &Run<'_>) -> Result<Strategies<G>, Error> {
        let methods: &[&str] = if G::PLAYERS == 2 && G::ZERO_SUM { &[SEQUENCE, CFR] } else { &[CFR] };
        if let Some(asked) = run.method.filter(|asked| !methods.contains(asked)) {
            return Err(Refusal::new("method", asked, Text::same(methods.join(", "))).into());
        }
        if run.method.unwrap_or(methods[0]) == SEQUENCE {
            match Equilibrium::solve(game, run) {
                // Chances that are too fine for its numbers.
                Err(Error::NoSolver { .. }) if run.method.is_none() => {}
                solved => return Ok(Strategies::Opposed(Box::new(solved?))),
            }
        }
        Ok(Strategies::Measured(Box::new(Nash::solve(game, run)?)))
    }

    /// The tree that was solved.
    pub fn tree(&self) -> &Tree<G> {
        match self {
            Strategies::Opposed(solved) => solved.tree(),
            Strategies::Measured(solved) => solved.tree(),
        }
    }

    /// What a player that knows this does: its actions and their probabilities; `None` if it cannot come to know it.
    pub fn policy(&self, player: u8, info: &G::Info) -> Option<Vec<(G::Action, Rational)>> {
        match self {
            Strategies::Opposed(solved) => solved.policy(player, info),
            Strategies::Measured(solved) => solved.policy(player, info),
        }
    }

    /// What each action of a player that knows this brings it on average, against the others' strategies.
    pub fn worth(&self, player: u8, info: &G::Info) -> Option<Vec<(G::Action, Rational)>> {
        match self {
            Strategies::Opposed(solved) => solved.worth(player, info),
            Strategies::Measured(solved) => solved.worth(player, info),
        }
    }

    /// The lines of a proof.
    ///
    /// # Errors
    /// [`Error::Memory`], [`Error::Cancelled`].
    pub fn proof(&self, run: &Run<'_>) -> Result<Vec<u8>, Error> {
        match self {
            Strategies::Opposed(solved) => solved.proof(run),
            Strategies::Measured(solved) => Ok(solved.proof()),
        }
    }

    /// The strategies of a game that has no one value.
    pub fn profile(&self) -> Option<&Nash<G>> {
        match self {
            Strategies::Measured(solved) if G::PLAYERS != 2 || !G::ZERO_SUM => Some(solved),
            _ => None,
        }
    }

    /// Bounds of what the first player gets if all play their best; what it gets by the strategies, where the game has no
    /// one value.
    pub fn bounds(&self) -> (Rational, Rational) {
        match self {
            Strategies::Opposed(solved) => (solved.bounds().0.clone(), solved.bounds().1.clone()),
            Strategies::Measured(solved) => match self.profile() {
                Some(_) => (solved.payoffs().values[0].clone(), solved.payoffs().values[0].clone()),
                None => solved.bounds(),
            },
        }
    }

    /// Whether nobody gains by leaving the strategies.
    pub fn settled(&self) -> bool {
        match self {
            Strategies::Opposed(solved) => solved.value().is_some(),
            Strategies::Measured(solved) => solved.payoffs().gain() == Rational::from_int(0),
        }
    }

    /// The word for the method.
    pub fn method(&self) -> &'static str {
        match self {
            Strategies::Opposed(_) => SEQUENCE,
            Strategies::Measured(_) => CFR,
        }
    }

    /// What the game was found to be and how it was solved, in a sentence.
    pub fn why(&self) -> Text {
        match self {
            Strategies::Opposed(solved) => solved.why(),
            Strategies::Measured(solved) => solved.why(),
        }
    }

    /// Bytes of memory it takes.
    pub fn bytes(&self) -> u64 {
        match self {
            Strategies::Opposed(solved) => solved.bytes(),
            Strategies::Measured(solved) => solved.bytes(),
        }
    }
}

/// A solved game, asked by what players know.
struct Answers<G: Hidden>(Arc<Strategies<G>>);

/// Strategies that are told in full.
const TOLD: usize = 64;

const TRUST: Text = text(
    "Exact: both strategies are fractions, and the best responses to them prove the value from both sides.",
    "厳密：両者の戦略は分数で求められ、それぞれへの最適応答が値を上下から証明している。",
);
const BOUNDED: Text = text(
    "Bounds: best responses in fractions prove them from both sides; what moves are worth is against the other's strategy.",
    "上下界：分数による最適応答で証明。手の値は相手の戦略に対するもの。",
);
const NASH: Text = text(
    "Exact for these strategies, which are a Nash equilibrium: nobody gains by leaving them. In others players may get something else.",
    "この戦略について厳密。誰も離れて得をしないナッシュ均衡。ほかの均衡では利得が異なることがある。",
);
const NEAR: Text = text(
    "Exact for these strategies, which are near an equilibrium: beside them stands what each player could gain by leaving.",
    "この戦略について厳密。均衡に近く、離れたときの得も示す。",
);
const NEVER: Text = text(
    "The other player's strategy never lets it come to this, so nothing is known of the moves.",
    "相手の戦略ではこの局面に至らないため、手の値は分からない。",
);
const DEALT: Text =
    text("It is for chance to act; nobody knows more than before.", "偶然の番。誰の知識も変わらない。");
const UNREACHED: Text =
    text("Play from the start never comes to this.", "初期局面からはこの局面に至らない。");

impl<G: Describe + Hidden> Answers<G> {
    /// A value of the whole game, as far as it is known.
    fn whole(&self, game: &G) -> Score {
        let measure = game.measure();
        let (low, high) = self.0.bounds();
        if low == high {
            return measure.score(&low, None);
        }
        let of = |x: &Rational| measure.score(x, None).x;
        let middle = (&low + &high) / Rational::from_int(2);
        Score {
            certainty: Certainty::Bound,
            interval: Some((of(&low), of(&high))),
            exact: None,
            ..measure.score(&middle.approx(), None)
        }
    }

    fn trust(&self) -> Text {
        match (self.0.profile().is_some(), self.0.settled()) {
            (true, true) => NASH,
            (true, false) => NEAR,
            (false, true) => TRUST,
            (false, false) => BOUNDED,
        }
    }

    /// What every player gets by the strategies and could gain by leaving them, where the game has no one value.
    fn payoffs(&self, game: &G) -> Vec<(Text, Cell)> {
        let Some(nash) = self.0.profile() else { return Vec::new() };
        let payoffs = nash.payoffs();
        let lines = game.players().into_iter().zip(payoffs.values.iter().zip(payoffs.gains()));
        let line = |(name, (gets, gain)): (Text, (&Rational, Rational))| {
            let (gets, gain) = (written(gets), written(&gain));
            let says = Text::of(
                format!("gets {gets}, could gain {gain} by leaving its strategy"),
                format!("利得 {gets}、戦略を離れたときの得 {gain}"),
            );
            (name, Cell::from(says))
        };
        lines.map(line).collect()
    }
}

/// A fraction that is short, or about what it is.
fn written(x: &Rational) -> String {
    match (x.to_string(), x.approx()) {
        (short, _) if short.len() <= 12 => short,
        (_, tiny) if tiny.abs() < 1e-4 => format!("{tiny:.1e}"),
        (_, about) => format!("{about:.5}"),
    }
}

/// A share of all cases, in words.
fn often(share: &Rational) -> Text {
    if share.is_integer() {
        return match share.approx() {
            0.0 => text("never played", "指さない"),
            _ => text("always played", "必ず指す"),
        };
    }
    let written = written(share);
    Text::of(format!("played {written}"), format!("確率 {written}"))
}

impl<G: Describe + Hidden> Analyse<G> for Answers<G> {
    fn analyse(&self, game: &G, s: &G::State, _: Viewer, _: &Run<'_>) -> Result<Analysis<G::Action>, Error> {
        let measure = game.measure();
        let Turn::Player(p) = game.turn(s) else {
            let value = match game.turn(s) {
                Turn::Terminal => Some(measure.score(&Rational::from_int(game.utility(s, 0)), None)),
                _ => (*s == game.start()).then(|| self.whole(game)),
            };
            return Ok(match value {
                Some(_) => {
                    let mut analysis = Analysis::new(&measure, value, Vec::new(), 0.0);
                    analysis.of = measure.of_first();
                    analysis.trust = self.trust();
                    if *s == game.start() && self.0.profile().is_some() {
                        analysis.of = text(
                            "The first player gets, by these strategies",
                            "この戦略での最初のプレイヤーの利得",
                        );
                        analysis.facts = self.payoffs(game);
                    }
                    if let Some(nash) = self.0.profile() {
                        let of = |all: &[Rational]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
                        analysis.json.insert("payoffs".into(), of(&nash.payoffs().values).into());
                        analysis.json.insert("gains".into(), of(&nash.payoffs().gains()).into());
                    }
                    analysis
                }
                None => Analysis::unknown(&measure, DEALT),
            });
        };
        let info = game.info(s, p);
        let Some(policy) = self.0.policy(p, &info) else { return Ok(Analysis::unknown(&measure, UNREACHED)) };
        let shares = crate::told::keyed(
            policy.iter().map(|(a, share)| (game.action(s, *a).id, share.to_string().into())),
        );
        let mut analysis = match self.0.worth(p, &info) {
            None => Analysis::unknown(&measure, NEVER),
            Some(worth) => {
                let known = self.0.settled() || self.0.profile().is_some();
                let kind = |score: Score| match known {
                    true => score,
                    false => Score { certainty: Certainty::Bound, ..score },
                };
                let moves = worth.iter().filter(|(a, _)| game.alike(s, *a) == *a);
                let moves = moves.map(|(a, value)| (*a, kind(measure.score(value, None)))).collect();
                let mut analysis = Analysis::new(&measure, None, moves, 0.0);
                for rated in &mut analysis.moves {
                    let share = policy.iter().find(|(a, _)| *a == rated.action);
                    rated.note = share.map(|(_, share)| often(share)).unwrap_or_default();
                }
                analysis.of = text(
                    "On average, by what the player to move knows",
                    "手番側が知っていることに基づく平均",
                );
                Analysis { trust: self.trust(), ..analysis }
            }
        };
        analysis.json.insert("strategy".into(), shares.into());
        Ok(analysis)
    }

    fn detail(
        &self,
        game: &G,
        s: &G::State,
        analysis: &mut Analysis<G::Action>,
        _: bool,
        run: &Run<'_>,
    ) -> Result<(), Error> {
        if *s == game.start() {
            analysis.details.extend(strategies(game, &self.0, run)?);
        }
        Ok(())
    }

    fn machine(
        &self,
        game: &G,
        s: &G::State,
        random: &mut Random,
        _: &Run<'_>,
    ) -> Result<Option<G::Action>, Error> {
        let Turn::Player(p) = game.turn(s) else { return Ok(None) };
        let Some(policy) = self.0.policy(p, &game.info(s, p)) else {
            let mut actions = Vec::new();
            game.actions(s, &mut actions);
            return Ok(actions.first().copied());
        };
        let mut left = (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
        for (a, share) in &policy {
            left -= share.approx();
            if left < 0.0 {
                return Ok(Some(*a));
            }
        }
        Ok(policy.iter().rev().find(|(_, share)| share.approx() > 0.0).map(|(a, _)| *a))
    }

    fn how(&self) -> Text {
        self.0.why()
    }

    fn method(&self) -> Option<&'static str> {
        Some(match *self.0 {
            Strategies::Opposed(_) => SEQUENCE,
            Strategies::Measured(_) => CFR,
        })
    }

    fn positions(&self) -> Option<u64> {
        Some(self.0.tree().nodes() as u64)
    }
}

/// Both players' strategies in a table, one line for everything a player may know, if there are not too many.
fn strategies<G: Describe + Hidden>(
    game: &G,
    solved: &Strategies<G>,
    run: &Run<'_>,
) -> Result<Option<Block>, Error> {
    if solved.tree().informations() > TOLD {
        return Ok(None);
    }
    let heads = [text("player", "手番"), text("knows", "知っていること"), text("plays", "手")];
    let mut table = Table::new(text("best strategies", "最善戦略"), &heads);
    let names = game.players();
    let mut rows = Vec::new();
    let (mut seen, mut open) = (HashSet::new(), vec![game.start()]);
    let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
    while let Some(s) = open.pop() {
        run.check()?;
        actions.clear();
        match game.turn(&s) {
            Turn::Terminal => continue,
            Turn::Chance => {
                outcomes.clear();
                game.chance(&s, &mut outcomes);
                actions.extend(outcomes.iter().map(|o| o.0));
            }
            Turn::Player(p) => {
                game.actions(&s, &mut actions);
                let info = game.info(&s, p);
                if let (true, Some(policy)) = (seen.insert((p, info.clone())), solved.policy(p, &info)) {
                    let told = |pick: fn(&Text) -> &str| {
                        let played = policy.iter().filter(|(_, share)| share.approx() > 0.0);
                        let one = |(a, share): &(G::Action, Rational)| {
                            let label = game.words(&s, *a);
                            match share.is_integer() {
                                true => pick(&label).to_owned(),
                                false => format!("{} {}", pick(&label), written(share)),
                            }
                        };
                        played.map(one).collect::<Vec<_>>().join(", ")
                    };
                    let plays = Text::of(told(|t| &t.en), told(|t| &t.ja).replace(", ", "、"));
                    rows.push((p, game.written(&s, Some(p)), plays));
                }
            }
        }
        open.extend(actions.iter().rev().map(|&a| game.apply(&s, a)));
    }
    fill(&mut table, rows, &names);
    Ok(Some(Block::Table(table)))
}

/// The lines of a table of strategies, in order. Compiled once and not for every game.
fn fill(table: &mut Table, mut rows: Vec<(u8, String, Text)>, names: &[Text]) {
    rows.sort_by_key(|row| (row.0, row.1.len(), row.1.clone()));
    for (p, knows, plays) in rows {
        let name = names.get(usize::from(p)).cloned().unwrap_or_default();
        table.row([Cell::from(name).tone(Tone::Dim), Cell::from(knows), Cell::from(plays)]);
    }
}
