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

/// Wilson's interval for a probability after `k` of `n`: shorter than the exact one, right on average.
pub fn wilson(k: u64, n: u64) -> Interval {
    if n == 0 {
        return (0.0, 1.0);
    }
    let (p, n, z2) = (k as f64 / n as f64, n as f64, Z * Z);
    let middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
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

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_core::random::Random;

    fn close(a: f64, b: f64, digits: f64) -> bool {
        (a - b).abs() <= digits * b.abs().max(1e-300)
    }

    #[test]
    fn golden_clopper_pearson() {
        for (k, n, low, high) in KNOWN_INTERVALS {
            let (l, h) = clopper_pearson(k, n);
            assert!((l == low || close(l, low, 1e-7)) && close(h, high, 1e-7), "{k}/{n}: {l} {h}");
        }
        let (low, high) = clopper_pearson(0, 0);
        assert_eq!((low, high), (0.0, 1.0));
    }

    #[test]
    fn golden_wilson() {
        let (low, high) = wilson(5, 10);
        assert!(close(low, 0.236_593_09, 1e-7) && close(high, 0.763_406_91, 1e-7), "{low} {high}");
        let (low, high) = wilson(0, 10);
        assert!(low == 0.0 && close(high, 0.277_532_8, 1e-6), "{high}");
        assert_eq!(wilson(0, 0), (0.0, 1.0));
    }

    #[test]
    fn golden_fisher() {
        for (first, second, p) in KNOWN_TESTS {
            let found = same_probability(first, second);
            assert!(close(found, p, 1e-6), "{first:?} {second:?}: {found}");
            assert!(close(same_probability(second, first), p, 1e-6));
        }
        assert_eq!(same_probability((0, 10), (0, 10)), 1.0);
        assert_eq!(same_probability((10, 10), (7, 7)), 1.0);
        assert!(same_probability((0, 1_000_000), (900_000, 1_000_000)) < 1e-30);
        assert_eq!(same_probability((0, 0), (3, 7)), 1.0);
    }

    #[test]
    fn golden_normal_tails() {
        for (z, p) in [
            (0.0, 1.0),
            (Z, 0.05),
            (1.0, 0.317_310_507_862_914_1),
            (2.999, 0.002_708_672_154_1),
            (3.0, 0.002_699_796_063_260_19),
            (6.0, 1.973_175_290_075_4e-9),
            (-10.0, 1.523_970_604_832_1e-23),
        ] {
            assert!(close(normal_tails(z), p, 1e-6), "{z}: {}", normal_tails(z));
        }
        assert_eq!(normal_tails(1e9), 0.0);
    }

    #[test]
    fn law_intervals_hold_what_they_promise() {
        // Exactly: the chance of all k whose interval misses p.
        for (n, p) in [(20u64, 0.03f64), (20, 0.5), (50, 0.9), (7, 0.2)] {
            let mut weight = (1.0 - p).powi(n as i32);
            let mut missed = 0.0;
            for k in 0..=n {
                let (low, high) = clopper_pearson(k, n);
                if p < low || p > high {
                    missed += weight;
                }
                weight *= (n - k) as f64 / (k + 1) as f64 * p / (1.0 - p);
            }
            assert!(missed <= MISS, "{n} {p}: {missed}");
        }
    }

    #[test]
    fn law_a_sample_says_what_is_in_it() {
        let sample = Sample::new(vec![5, 1, 9, 7]);
        assert_eq!(
            (sample.min(), sample.max(), sample.median(), sample.mean()),
            (Some(1), Some(9), Some(6.0), 5.5)
        );
        assert!(close(sample.mean_error(), (35.0f64 / 3.0 / 4.0).sqrt(), 1e-12));
        assert_eq!([0.0, 0.25, 0.26, 1.0].map(|q| sample.quantile(q)), [1, 1, 5, 9].map(Some));
        assert_eq!(sample.median_interval(), None);
        assert_eq!(Sample::new(vec![3, 1, 2]).median(), Some(2.0));
        let none = Sample::new(vec![]);
        assert_eq!(
            (none.min(), none.median(), none.quantile(0.5), none.median_interval()),
            (None, None, None, None)
        );
        // The known ranks: 1 and 6 of 6, 2 and 9 of 10, 40 and 61 of 100.
        for (n, ends) in [(6, (1, 6)), (10, (2, 9)), (100, (40, 61))] {
            assert_eq!(Sample::new((1..=n).collect()).median_interval(), Some(ends));
        }
    }

    #[test]
    fn law_samples_of_one_kind_are_seldom_told_apart() {
        let mut random = Random::new(11);
        let mut draw = |n: usize| Sample::new((0..n).map(|_| random.below(1000).pow(2)).collect());
        let (mut medians, mut means) = (0, 0);
        for _ in 0..400 {
            let (ours, theirs) = (draw(300), draw(200));
            medians += u32::from(ours.same_median(theirs.median().unwrap(), 200) < MISS);
            means += u32::from(ours.same_mean(theirs.mean(), 200) < MISS);
        }
        // 20 expected with standard deviation 4.4.
        assert!((5..=38).contains(&medians) && (5..=38).contains(&means), "{medians} {means}");
        let ours = draw(300);
        assert!(ours.same_median(640_000.0, 200) < 1e-6 && ours.same_mean(600_000.0, 200) < 1e-6);
        // Ties on the median agree.
        assert_eq!(Sample::new(vec![1, 1, 1, 5]).same_median(1.0, 10), 1.0);
    }

    /// By summing the binomial law in 50 digits.
    const KNOWN_INTERVALS: [(u64, u64, f64, f64); 6] = [
        (0, 10, 0.0, 0.30849710781876083),
        (5, 10, 0.18708602844739852, 0.8129139715526015),
        (18, 10000, 0.0010671320583655686, 0.002843289841054156),
        (9999, 10000, 0.9994429630020529, 0.9999974682224065),
        (0, 1000000, 0.0, 3.688872650206489e-06),
        (4640, 10000, 0.45418729688639864, 0.47383368019560584),
    ];

    type Counts = (u64, u64);

    /// By summing the hypergeometric law in 50 digits.
    const KNOWN_TESTS: [(Counts, Counts, f64); 5] = [
        ((8, 10), (1, 6), 0.03496503496503497),
        ((3, 4), (1, 4), 0.4857142857142857),
        ((18, 10000), (40, 20000), 0.7814207101625494),
        ((4640, 10000), (4522, 10000), 0.09681734195416912),
        ((0, 10), (10, 10), 1.082508822446903e-05),
    ];
}
