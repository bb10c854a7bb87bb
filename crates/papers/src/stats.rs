//! Statistics for sampled figures: intervals that hold what they promise for any sample size, and tests of
//! whether two samples can be of the same kind. All intervals are for 95 %.

/// The share of intervals that may miss.
const MISS: f64 = 0.05;
/// The normal quantile for it, both sides.
pub const Z: f64 = 1.959_963_984_540_054;

/// Both ends of an interval.
pub type Interval = (f64, f64);

/// The exact interval of Clopper and Pearson for a probability after `k` of `n`: it misses at most as often
/// as promised, whatever the probability is.
pub fn clopper_pearson(k: u64, n: u64) -> Interval {
    let (k, n) = (k.min(n) as f64, n as f64);
    let low = if k == 0.0 { 0.0 } else { beta_quantile(MISS / 2.0, k, n - k + 1.0) };
    let high = if k == n { 1.0 } else { beta_quantile(1.0 - MISS / 2.0, k + 1.0, n - k) };
    (low, high)
}

/// How likely two samples of the same probability are to lie at least as far apart as `k1` of `n1` and `k2`
/// of `n2`: Fisher's exact test, two-sided.
pub fn same_probability((k1, n1): (u64, u64), (k2, n2): (u64, u64)) -> f64 {
    let successes = k1 + k2;
    let (least, most) = (successes.saturating_sub(n2), successes.min(n1));
    // The likelihood that x of all successes fall into the first sample, relative to that of the mode.
    let ratio = |x: u64| {
        let up = (n1 - x) as f64 * (successes - x) as f64;
        // From x to x + 1; n2 >= successes - x for every x above the least.
        up / ((x + 1) as f64 * ((n2 + x + 1) as f64 - successes as f64))
    };
    let mode = ((successes + 1) as f64 * (n1 + 1) as f64 / (n1 + n2 + 2) as f64) as u64;
    let mode = mode.clamp(least, most);
    const NOTHING: f64 = 1e-40;
    let mut terms = vec![(mode, 1.0)];
    let mut weight = 1.0;
    for x in mode..most {
        weight *= ratio(x);
        if weight < NOTHING {
            break;
        }
        terms.push((x + 1, weight));
    }
    weight = 1.0;
    for x in (least..mode).rev() {
        weight /= ratio(x);
        if weight < NOTHING {
            break;
        }
        terms.push((x, weight));
    }
    let all: f64 = terms.iter().map(|t| t.1).sum();
    let observed = terms.iter().find(|t| t.0 == k1).map_or(0.0, |t| t.1);
    let far: f64 = terms.iter().map(|t| t.1).filter(|&w| w <= observed * (1.0 + 1e-7)).sum();
    (far / all).min(1.0)
}

/// How likely a standard normal number is to lie at least as far from 0 as `z`.
pub fn normal_tails(z: f64) -> f64 {
    let z = z.abs();
    if z.is_nan() {
        return f64::NAN;
    }
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z < 3.0 {
        // The series of the distribution function.
        let (mut term, mut sum, mut n) = (z, z, 1.0);
        while term > sum * 1e-17 {
            n += 2.0;
            term *= z * z / n;
            sum += term;
        }
        return (1.0 - 2.0 * density * sum).clamp(0.0, 1.0);
    }
    // The continued fraction of the tail, from its far end.
    let mut fraction = z;
    for n in (1..=100).rev() {
        fraction = z + f64::from(n) / fraction;
    }
    2.0 * density / fraction
}

/// Numbers of a sample, in order.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    sorted: Vec<u64>,
    mean: f64,
    variance: f64,
}

impl Sample {
    /// A sample of counts.
    pub fn new(mut numbers: Vec<u64>) -> Sample {
        numbers.sort_unstable();
        // Sums of sorted numbers do not depend on the order they came in.
        let n = numbers.len() as f64;
        let mean = numbers.iter().map(|&x| x as f64).sum::<f64>() / n;
        let variance = numbers.iter().map(|&x| (x as f64 - mean).powi(2)).sum::<f64>() / (n - 1.0);
        Sample { sorted: numbers, mean, variance }
    }

    /// How many numbers.
    pub fn len(&self) -> u64 {
        self.sorted.len() as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// The smallest.
    pub fn min(&self) -> Option<u64> {
        self.sorted.first().copied()
    }

    /// The largest.
    pub fn max(&self) -> Option<u64> {
        self.sorted.last().copied()
    }

    /// The same without the largest of them.
    #[must_use]
    pub fn without_largest(&self) -> Sample {
        let rest = self.sorted.len().saturating_sub(1);
        Sample::new(self.sorted[..rest].to_vec())
    }

    /// The same with so many more that are larger than all of them: for what only hangs on their order.
    #[must_use]
    pub fn with_larger(&self, more: u64) -> Sample {
        let above = self.max().unwrap_or(0).saturating_add(1);
        let more = std::iter::repeat_n(above, more as usize);
        Sample::new(self.sorted.iter().copied().chain(more).collect())
    }

    /// The number that a share of all is at or below.
    pub fn quantile(&self, share: f64) -> Option<u64> {
        let at = (share * self.sorted.len() as f64).ceil() as usize;
        self.sorted.get(at.clamp(1, self.sorted.len().max(1)) - 1).copied()
    }

    /// The one in the middle, or between the two in the middle.
    pub fn median(&self) -> Option<f64> {
        let n = self.sorted.len();
        let above = *self.sorted.get(n / 2)? as f64;
        Some(if n.is_multiple_of(2) { (self.sorted[n / 2 - 1] as f64 + above) / 2.0 } else { above })
    }

    /// An interval for the median of what was sampled, from ranks alone; none for fewer than six numbers.
    pub fn median_interval(&self) -> Option<(u64, u64)> {
        let n = self.sorted.len();
        // The largest l for which fewer than l of n numbers lie below the median at most so often.
        let below = |l: usize| incomplete_beta(0.5, (n - l + 1) as f64, l as f64) <= MISS / 2.0;
        let (mut good, mut bad) = (0, n / 2 + 1);
        while bad - good > 1 {
            let l = good.midpoint(bad);
            if below(l) { good = l } else { bad = l }
        }
        (good > 0).then(|| (self.sorted[good - 1], self.sorted[n - good]))
    }

    /// The mean; not a number if there are none.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The standard error of the mean; not a number for fewer than two.
    pub fn mean_error(&self) -> f64 {
        (self.variance / self.sorted.len() as f64).sqrt()
    }

    /// How likely a sample of `n` others of the same kind is to have a median at least as far from ours as
    /// this one: the share of our numbers below it against one half. Ties count for agreement.
    pub fn same_median(&self, median: f64, n: u64) -> f64 {
        let ours = self.sorted.len() as f64;
        let below = self.sorted.partition_point(|&x| (x as f64) < median) as f64 / ours;
        let at_most = self.sorted.partition_point(|&x| x as f64 <= median) as f64 / ours;
        let off = if below > 0.5 {
            below - 0.5
        } else if at_most < 0.5 {
            0.5 - at_most
        } else {
            return 1.0;
        };
        normal_tails(off / (0.25 / ours + 0.25 / n as f64).sqrt())
    }

    /// How likely a sample of `n` others of the same kind is to have a mean at least as far from ours as this
    /// one. By the normal law, which heavy tails break: take a small one as a hint.
    pub fn same_mean(&self, mean: f64, n: u64) -> f64 {
        let error = (self.variance / self.sorted.len() as f64 + self.variance / n as f64).sqrt();
        if mean == self.mean { 1.0 } else { normal_tails((mean - self.mean) / error) }
    }
}

/// The logarithm of the gamma function of a positive number (Lanczos, g = 7).
fn ln_gamma(x: f64) -> f64 {
    const C: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let sum = C[1..].iter().enumerate().fold(C[0], |sum, (i, c)| sum + c / (x + i as f64 + 1.0));
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

/// The regularised incomplete beta function by its continued fraction (Lentz).
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction is quick on this side of the mean.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    let front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p();
    const TINY: f64 = 1e-300;
    let not_zero = |v: f64| if v.abs() < TINY { TINY } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / not_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for m in 1..100_000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / not_zero(1.0 + even * d);
        c = not_zero(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / not_zero(1.0 + odd * d);
        c = not_zero(1.0 + odd / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    (front.exp() * fraction / a).clamp(0.0, 1.0)
}

/// Where the incomplete beta function takes a value, by bisection.
fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high || high - low < 1e-15 * low {
            return middle;
        }
        if incomplete_beta(middle, a, b) < p { low = middle } else { high = middle }
    }
}
