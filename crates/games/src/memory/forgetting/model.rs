//! What players remember: everything, or less.

use super::super::rules::{Counts, MAX_PATTERNS, Memory, Pattern};
use std::fmt;
use yomikiri_core::combin::binomial;
use yomikiri_core::text::counted;
use yomikiri_core::{Refusal, Text, text};

/// The largest denominator of a chance to forget: six cards of a rank then still have whole weights.
const DENOMINATOR: u32 = 40;
/// Cards that may be remembered at most.
const SLOTS: usize = 1000;

/// What players remember when the turn changes. Both know the same cards, but for the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// Everything.
    Perfect,
    /// Every known card is forgotten with a chance, on its own.
    Forget {
        /// Its numerator.
        of: u32,
        /// Its denominator.
        out_of: u32,
    },
    /// At most so many cards; which are forgotten is left to chance.
    Slots(usize),
    /// The two cards shown last.
    LastTurn,
    /// One player remembers everything, the other nothing: that one turns cards at random.
    Asymmetric,
}

/// What is accepted, in words.
pub const ACCEPTS: Text = text(
    "perfect, forget:P (a chance such as 0.05 or 1/3, up to nine digits), slots:M (1 to 1000 cards), last-turn, asymmetric",
    "perfect、forget:P（0.05や1/3などの確率、9桁まで）、slots:M（1～1000枚）、last-turn、asymmetric",
);

impl Model {
    /// Reads a model.
    ///
    /// # Errors
    /// What is none is refused.
    pub fn read(word: &str) -> Result<Model, Refusal> {
        let refuse = || Refusal::new("memory-model", format!("\"{word}\""), ACCEPTS);
        match word.split_once(':') {
            None => match word {
                "perfect" => Ok(Model::Perfect),
                "last-turn" => Ok(Model::LastTurn),
                "asymmetric" => Ok(Model::Asymmetric),
                _ => Err(refuse()),
            },
            Some(("slots", n)) => {
                let n = n.parse().ok().filter(|n| (1..=SLOTS).contains(n)).ok_or_else(refuse)?;
                Ok(Model::Slots(n))
            }
            Some(("forget", p)) => {
                let (of, out_of) = chance(p).ok_or_else(refuse)?;
                Ok(if of == 0 { Model::Perfect } else { Model::Forget { of, out_of } })
            }
            Some(_) => Err(refuse()),
        }
    }

    /// In words.
    pub fn told(self) -> Text {
        match self {
            Model::Perfect => text("everything", "すべて"),
            Model::Forget { of, out_of } => Text::of(
                format!("when the turn changes, every known card is forgotten with chance {of}/{out_of}"),
                format!("番が替わるとき、既知カードをそれぞれ確率{of}/{out_of}で忘れる"),
            ),
            Model::Slots(most) => Text::of(
                format!(
                    "{} at most; which are forgotten is left to chance",
                    counted(most as u64, "card", "cards")
                ),
                format!("{most}枚まで（どれを忘れるかは偶然）"),
            ),
            Model::LastTurn => text("the two cards shown last", "最後に見せた2枚だけ"),
            Model::Asymmetric => text(
                "the first player remembers everything, the second nothing and turns two cards at random",
                "先手はすべて覚え、後手は何も覚えず2枚を無作為にめくる",
            ),
        }
    }

    /// Whether a player's memory of a position can be this, at the start of a turn.
    pub(super) fn fits(self, patterns: &[Pattern], x: &Counts) -> bool {
        let known: usize = patterns.iter().zip(x).map(|(p, &n)| usize::from(p.known) * usize::from(n)).sum();
        let single = patterns.iter().zip(x).all(|(p, &n)| p.known < 2 || n == 0);
        match self {
            Model::Slots(most) => known <= most,
            Model::LastTurn => known <= 2 && single,
            _ => true,
        }
    }

    /// What may be left of the known cards when the turn changes, with its chance; `shown` are the patterns of the ranks
    /// of the two cards shown last, as they lie there now.
    pub(super) fn left(self, cards: &Memory, y: &Counts, shown: [u8; 2]) -> Vec<(f64, Counts)> {
        match self {
            Model::Perfect | Model::Asymmetric => vec![(1.0, *y)],
            Model::LastTurn => vec![(1.0, only_shown(cards, y, shown))],
            Model::Slots(most) => slots(cards, y, most),
            Model::Forget { of, out_of } => forget(cards, y, f64::from(of) / f64::from(out_of)),
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Model::Perfect => f.write_str("perfect"),
            Model::Forget { of, out_of } => write!(f, "forget:{of}/{out_of}"),
            Model::Slots(n) => write!(f, "slots:{n}"),
            Model::LastTurn => f.write_str("last-turn"),
            Model::Asymmetric => f.write_str("asymmetric"),
        }
    }
}

/// Reads a chance: 0.05, 1/3.
fn chance(word: &str) -> Option<(u32, u32)> {
    let (of, out_of): (u64, u64) = match word.split_once('/') {
        Some((of, out_of)) => (of.parse().ok()?, out_of.parse().ok()?),
        None => {
            let (whole, part) = word.split_once('.').unwrap_or((word, ""));
            let scale = 10u64.checked_pow(part.len() as u32).filter(|_| part.len() <= 9)?;
            let digits = |text: &str| match text {
                "" => Some(0),
                text if text.bytes().all(|c| c.is_ascii_digit()) => text.parse::<u64>().ok(),
                _ => None,
            };
            if whole.is_empty() && part.is_empty() {
                return None;
            }
            (digits(whole)?.checked_mul(scale)?.checked_add(digits(part)?)?, scale)
        }
    };
    if out_of == 0 || of > out_of {
        return None;
    }
    let common = num_integer::gcd(of, out_of);
    Some(((of / common).try_into().ok()?, (out_of / common).try_into().ok()?))
}

/// Whether the chances of a model have whole weights that a game of fractions can take.
pub fn whole(model: Model) -> bool {
    !matches!(model, Model::Forget { out_of, .. } if out_of > DENOMINATOR)
}

/// All forgotten but the cards shown.
pub(super) fn only_shown(cards: &Memory, y: &Counts, shown: [u8; 2]) -> Counts {
    let mut x = [0; MAX_PATTERNS];
    for (i, p) in cards.patterns().iter().enumerate() {
        x[usize::from(cards.place(p.unknown + p.known, 0))] += y[i];
    }
    for i in shown {
        let p = cards.patterns()[usize::from(i)];
        let all = p.unknown + p.known;
        x[usize::from(cards.place(all, 0))] -= 1;
        x[usize::from(cards.place(all - 1, 1))] += 1;
    }
    x
}

/// Adds up equal outcomes.
fn gathered(all: Vec<(f64, Counts)>) -> Vec<(f64, Counts)> {
    let mut sums: std::collections::BTreeMap<Counts, f64> = std::collections::BTreeMap::new();
    for (chance, x) in all {
        *sums.entry(x).or_default() += chance;
    }
    sums.into_iter().map(|(x, chance)| (chance, x)).collect()
}

fn slots(cards: &Memory, y: &Counts, most: usize) -> Vec<(f64, Counts)> {
    let known: usize =
        cards.patterns().iter().zip(y).map(|(p, &n)| usize::from(p.known) * usize::from(n)).sum();
    let mut now = vec![(1.0, *y)];
    // One after another, each of those still known equally likely.
    for left in (most + 1..=known).rev() {
        let mut next = Vec::new();
        for (chance, x) in &now {
            for (i, p) in cards.patterns().iter().enumerate().filter(|(i, p)| p.known > 0 && x[*i] > 0) {
                let mut after = *x;
                after[i] -= 1;
                after[usize::from(cards.place(p.unknown + 1, p.known - 1))] += 1;
                let weight = f64::from(x[i]) * f64::from(p.known) / left as f64;
                next.push((chance * weight, after));
            }
        }
        now = gathered(next);
    }
    now
}

fn forget(cards: &Memory, y: &Counts, p: f64) -> Vec<(f64, Counts)> {
    let ranks = cards.patterns().iter().zip(y).map(|(&pattern, &n)| (pattern, pattern.known, n));
    some_forgotten(cards, &ranks.collect::<Vec<_>>(), p)
}

/// What may be left where some known cards of ranks may be forgotten: for each pattern how many of its known cards, and how
/// many such ranks there are.
pub(super) fn some_forgotten(cards: &Memory, ranks: &[(Pattern, u8, u8)], p: f64) -> Vec<(f64, Counts)> {
    let mut now = vec![(1.0, [0; MAX_PATTERNS])];
    for &(pattern, doubtful, n) in ranks {
        for _ in 0..n {
            let mut next = Vec::with_capacity(now.len() * (usize::from(doubtful) + 1));
            for gone in 0..=doubtful {
                let ways = binomial(doubtful.into(), gone.into()) as f64;
                let chance = ways * p.powi(gone.into()) * (1.0 - p).powi((doubtful - gone).into());
                if chance > 0.0 {
                    let to = usize::from(cards.place(pattern.unknown + gone, pattern.known - gone));
                    next.extend(now.iter().map(|(before, x)| {
                        let mut x = *x;
                        x[to] += 1;
                        (before * chance, x)
                    }));
                }
            }
            now = gathered(next);
        }
    }
    now
}
