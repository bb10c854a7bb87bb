//! Intervals and tests against known values, and what they promise.

use yomikiri_core::random::Random;
use yomikiri_papers::stats::{Sample, Z, clopper_pearson, normal_tails, same_probability};

/// The share of intervals that may miss.
const MISS: f64 = 0.05;

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
