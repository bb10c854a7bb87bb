//! Points as people write them, any fraction, and as the solvers want them: whole numbers of a common unit.

use super::rules::{MAX_POINTS, too_fine};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use serde_json::Value;
use yomikiri_core::{Rational, Refusal, Text, text};

/// Digits a number may have.
const DIGITS: usize = 40;
/// The largest power of ten a number may have.
const EXPONENT: i32 = 40;

/// Reads `3`, `-0.25`, `1e3` or `-2/3` exactly.
pub fn read(given: &str) -> Option<Rational> {
    let given = given.trim();
    if let Some((p, q)) = given.split_once('/') {
        let (p, q) = (decimal(p)?, decimal(q)?);
        return (!q.is_zero()).then(|| p / q);
    }
    decimal(given)
}

fn decimal(given: &str) -> Option<Rational> {
    let (digits, exponent) = match given.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (given, 0),
    };
    let (sign, digits) = match digits.strip_prefix(['-', '+']) {
        Some(rest) if digits.starts_with('-') => (-1, rest),
        Some(rest) => (1, rest),
        None => (1, digits),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all: String = [whole, part].concat();
    if all.is_empty() || all.len() > DIGITS || !all.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let power = exponent.checked_sub(part.len() as i32)?;
    if power.abs() > EXPONENT {
        return None;
    }
    let number = Rational::from_integer(all.parse::<BigInt>().ok()? * sign);
    let ten = Rational::from_integer(num_traits::pow(BigInt::from(10), power.unsigned_abs() as usize));
    Some(if power >= 0 { number * ten } else { number / ten })
}

/// What a field of numbers takes.
pub fn accepts() -> Text {
    text(
        "numbers of up to 40 digits: 3, -0.25, or \"2/3\" in quotes",
        "40桁以内の数：3、-0.25、または引用符つきの \"2/3\"",
    )
}

/// Reads a number of a request.
///
/// # Errors
/// What is no number is refused by the name of the field.
pub fn from_json(field: &str, value: &Value) -> Result<Rational, Refusal> {
    let refuse = || Refusal::new(field, value, accepts());
    match value {
        // The shortest decimal of a double is what was written.
        Value::Number(n) => read(&n.to_string()).ok_or_else(refuse),
        Value::String(s) => read(s).ok_or_else(refuse),
        _ => Err(refuse()),
    }
}

/// Points over a common unit: card `r` is worth `whole[r - 1]` units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points {
    /// Worth of the cards in units; without a common divisor.
    pub whole: Vec<i32>,
    /// What one unit is worth.
    pub unit: Rational,
}

impl Points {
    /// The unit is the largest that divides all points.
    ///
    /// # Errors
    /// Points whose common unit is too fine for whole numbers are refused.
    pub fn new(points: &[Rational]) -> Result<Points, Refusal> {
        let denominator = points.iter().fold(BigInt::one(), |all, p| all.lcm(p.denom()));
        let numbers: Vec<BigInt> = points.iter().map(|p| p.numer() * (&denominator / p.denom())).collect();
        let divisor = numbers.iter().fold(BigInt::zero(), |all, n| all.gcd(n));
        let divisor = if divisor.is_zero() { denominator.clone() } else { divisor };
        let mut sum = BigInt::zero();
        let mut whole = Vec::with_capacity(points.len());
        for n in &numbers {
            let n = n / &divisor;
            sum += n.abs();
            whole.push(n.to_i32().ok_or_else(too_fine)?);
        }
        if sum >= BigInt::from(MAX_POINTS) {
            return Err(too_fine());
        }
        Ok(Points { whole, unit: Rational::new(divisor, denominator) })
    }

    /// Whole points.
    pub fn of(whole: Vec<i32>) -> Points {
        Points { whole, unit: Rational::one() }
    }

    /// So many units in points.
    pub fn real(&self, units: i32) -> Rational {
        &self.unit * BigInt::from(units)
    }

    /// The limit a player must be above, in units won from now on, to pass a target; beyond all points it is
    /// only told that it is beyond.
    pub fn limit(&self, target: &Rational, held: &Rational, reaches: bool) -> i32 {
        let missing = (target - held) / &self.unit;
        let limit = if reaches { missing.ceil().to_integer() - 1 } else { missing.floor().to_integer() };
        let most = BigInt::from(MAX_POINTS);
        limit.clamp(-&most, most).to_i32().unwrap_or(0)
    }
}
