//! How fast any game is solved from its rules alone: expansion and induction against plain recursion with a hash map,
//! retrograde analysis on the graph against the kernel with an index, hidden information in fractions. Values are asserted,
//! so that a fast wrong solver does not pass for a fast one. Run it with `cargo xtask bench`.

use std::collections::HashMap;
use std::time::Instant;
use yomikiri_core::{Game, Rational, Run, Turn};
use yomikiri_games::family::Family;
use yomikiri_games::geister::analysis::Kind;
use yomikiri_games::geister::board::Board;
use yomikiri_games::geister::tables::Tables;
use yomikiri_games::params::Settings;
use yomikiri_shelf::{connectfour, leduc, liarsdice};
use yomikiri_solve::graph::Graph;
use yomikiri_solve::regret::Regret;
use yomikiri_solve::sequence::Equilibrium;
use yomikiri_solve::{Auto, retrograde};
use yomikiri_testkit::bench::{head, line};

fn run(threads: usize) -> Run<'static> {
    Run { threads, memory: 8 << 30, ..Run::default() }
}

/// What something gives, and the seconds it takes.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let started = Instant::now();
    let done = work();
    (done, started.elapsed().as_secs_f64())
}

fn game<F: Family>(family: &F, given: &[(&str, &str)]) -> F::Game {
    let settings = Settings::new(family.params(), given.iter().copied()).expect("they are accepted");
    family.game(&settings, 1).expect("there is such a game")
}

/// Plain recursion: the value for player 0.
fn plain<G: Game>(game: &G, s: &G::State, known: &mut HashMap<G::State, i32>) -> i32 {
    if let Some(&value) = known.get(s) {
        return value;
    }
    let mut actions = Vec::new();
    let value = match game.turn(s) {
        Turn::Player(p) => {
            game.actions(s, &mut actions);
            let values = actions.into_iter().map(|a| plain(game, &game.apply(s, a), known));
            if p == 0 { values.max() } else { values.min() }.expect("players have moves")
        }
        _ => game.utility(s, 0),
    };
    known.insert(s.clone(), value);
    value
}

fn open() {
    let four = game(&connectfour::Columns, &[("cols", "5"), ("rows", "4")]);
    let (graph, seconds) = timed(|| Graph::expand(&four, &[four.start()], &run(1)).expect("it fits"));
    let (states, edges) = (graph.len() as f64, graph.edges() as f64);
    let rate = states / seconds / 1e6;
    line(
        &format!("expansion of {:.1} M edges, one thread", edges / 1e6),
        &format!("{rate:.2} M states/s, {seconds:.1} s"),
        "at least 5 M states/s",
        Some(rate >= 5.0),
    );
    let bytes = graph.bytes() as f64;
    let measured = format!("{:.1} B an edge, {:.0} a state", bytes / edges, bytes / states);
    line("its memory, states included", &measured, "at most 20 B an edge", Some(bytes / edges <= 20.0));
    drop(graph);
    let (solved, one) = timed(|| Auto::solve(&four, &run(1)).expect("it fits"));
    let (_, two) = timed(|| Auto::solve(&four, &run(2)).expect("it fits"));
    let mut known = HashMap::new();
    let (value, slow) = timed(|| plain(&four, &four.start(), &mut known));
    assert_eq!(known.len() as u64, solved.features().states);
    assert_eq!(solved.value_of(&four, &four.start(), 0), Some(Rational::from_integer(value.into())));
    line("expansion and induction against recursion", &format!("{:.2} x, {one:.1} s", slow / one), "", None);
    line("two threads against one", &format!("{:.2} x", one / two), "", None);

    let board = Board::new(4, 4).expect("a legal board");
    let tables = Tables::new(board, false);
    let rules = tables.rules(Kind::OpenWin, &Kind::OpenWin.materials(), &run(1)).expect("it fits");
    let (table, kernel) = timed(|| retrograde::solve(&rules, "bench", &run(1)).expect("it fits"));
    let (graph, seconds) = timed(|| Auto::solve(&rules, &run(1)).expect("it fits"));
    assert_eq!(graph.method().word(), "retrograde");
    let kernel = kernel / table.places() as f64 * 1e9;
    let graph = seconds / graph.features().states as f64 * 1e9;
    line(
        "retrograde analysis on a graph against an index",
        &format!("{:.2} x slower, {graph:.0} and {kernel:.0} ns", graph / kernel),
        "at most 4 x",
        Some(graph <= 4.0 * kernel),
    );
}

fn hidden() {
    let poker = game(&leduc::TwoRounds, &[]);
    let (solved, exact) = timed(|| Equilibrium::solve(&poker, &run(1)).expect("it fits"));
    let value = solved.value().expect("it is exact").to_string();
    assert_eq!(value, "-1454920850547486749701863871533/16995463438839962469905132501930");
    line("Leduc hold'em, the exact fraction", &format!("{exact:.2} s"), "at most 60 s", Some(exact <= 60.0));
    let mut regret = Regret::new(&poker, &run(1)).expect("it fits");
    let (_, seconds) = timed(|| regret.play(2000, &run(1)).expect("not cancelled"));
    let nodes = regret.tree().nodes() as f64;
    let gain = regret.tree().worth(&regret.average()).gain();
    let measured = format!("{:.0} rounds/s, {:.0} M nodes/s", 2000.0 / seconds, nodes * 4e-3 / seconds);
    line("CFR+ on it", &measured, "", None);
    line("what is to be gained after 2000 rounds", &format!("{gain:.1e}"), "", None);
    for (joker, fraction) in [("none", "-1/9"), ("first", "-7/327"), ("last", "-7/258")] {
        let dice = game(&liarsdice::UnderCups, &[("sides", "6"), ("joker", joker)]);
        let (solved, seconds) = timed(|| Equilibrium::solve(&dice, &run(1)).expect("it fits"));
        assert_eq!(solved.value().expect("it is exact").to_string(), fraction);
        line(
            &format!("liar's dice, 6 sides, joker {joker}"),
            &format!("{fraction} in {seconds:.1} s"),
            "at most 120 s",
            Some(seconds <= 120.0),
        );
    }
}

fn main() {
    head("Any game");
    open();
    hidden();
}
