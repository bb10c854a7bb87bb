//! How fast Saichugen's last round is worked out: a decision of turn 13 by the kernel against the search of the paper's
//! figure 3 as it is written, in the same run with the same answers, and whole games of three searchers. Run it with
//! `cargo xtask bench`.

#[path = "../tests/suite/figure_3/mod.rs"]
mod figure_3;

use figure_3::figure_3;
use std::hint::black_box;
use std::time::Instant;
use yomikiri_games::saichugen::kernel::Kernel;
use yomikiri_games::saichugen::player::{House, Model, Ties};
use yomikiri_games::saichugen::rules::LAST_ROUND;
use yomikiri_games::saichugen::seats::{Lineup, Party};
use yomikiri_games::saichugen::view::View;
use yomikiri_testkit::bench::{head, line};

fn main() {
    head("Saichugen");
    let house = House { ties: Ties::Lowest, model: Model::SameIndex };
    let seats = Lineup::parse("search,search,search").expect("known players");
    let mut party = Party::new(seats, house);
    let views: Vec<View> =
        (0..1000).map(|game| View::of(&party.until(LAST_ROUND, 1, game).table, 0)).collect();

    let mut kernel = Kernel::new();
    for view in &views[..50] {
        black_box(kernel.values(view));
    }
    let started = Instant::now();
    for view in &views {
        black_box(kernel.values(view));
    }
    let fast = started.elapsed().as_secs_f64() / views.len() as f64;

    let started = Instant::now();
    let slow_views = &views[..4];
    for view in slow_views {
        let (sums, _) = figure_3(view);
        let ours = kernel.values(view);
        assert!(ours.cards().map(|(card, n)| (card, i64::from(n))).eq(sums), "{view:?}");
    }
    let slow = started.elapsed().as_secs_f64() / slow_views.len() as f64;
    line("a decision of turn 13, the paper's search", &format!("{:.0} ms", slow * 1e3), "", None);
    line("the same by the kernel, one thread", &format!("{:.3} ms", fast * 1e3), "", None);
    let ratio = slow / fast;
    line("the kernel is faster by", &format!("{ratio:.0} times"), "2,000 times", Some(ratio >= 2000.0));

    let games = 3000;
    let started = Instant::now();
    for game in 0..games {
        black_box(party.game(1, game));
    }
    let seconds = started.elapsed().as_secs_f64();
    let rate = games as f64 / seconds;
    line(
        "games of three searchers, one thread",
        &format!("{rate:.0} a second"),
        "1,500 a second",
        Some(rate >= 1500.0),
    );
    let thousand = 1000.0 / rate;
    line(
        "the paper's 1,000 games (it took 3 days, later 3 hours)",
        &format!("{thousand:.2} s"),
        "1 s",
        Some(thousand < 1.0),
    );
}
