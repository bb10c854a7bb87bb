//! Three against two with hidden colours: bounds that hold, beliefs that follow their pieces, and a strategy that
//! keeps at the table what its proof promises.

use serde_json::Value;
use std::collections::HashMap;
use std::io::{self, Cursor, Read, Write};
use std::sync::{Arc, LazyLock, Mutex};
use yomikiri_core::cache::Lru;
use yomikiri_core::number::approx;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Run, Store, Text};
use yomikiri_games::Entry;
use yomikiri_games::geister::GEISTER;
use yomikiri_games::geister::analysis::Kind;
use yomikiri_games::geister::belief::both::{Both, View, memory, sizes};
use yomikiri_games::geister::belief::rules::Public;
use yomikiri_games::geister::belief::{Grid, Match, Open, ask};
use yomikiri_games::geister::board::{Board, squares};
use yomikiri_games::geister::tables::Tables;
use yomikiri_games::params::Settings;
use yomikiri_games::play::Play;
use yomikiri_solve::belief::{Bound, ENDED, Rules};
use yomikiri_view::report::Outcome;

/// Keeps what was computed, so that every test may ask for it as a person would.
#[derive(Default)]
struct Kept(Mutex<HashMap<String, Arc<[u8]>>>);

impl Store for Kept {
    fn load(&self, name: &str) -> Option<Box<dyn Read>> {
        let kept = self.0.lock().unwrap().get(name).cloned();
        kept.map(|bytes| Box::new(Cursor::new(bytes)) as Box<dyn Read>)
    }
    fn save(&self, name: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        self.0.lock().unwrap().insert(name.to_owned(), bytes.into());
        Ok(())
    }
    fn remove(&self, name: &str) {
        self.0.lock().unwrap().remove(name);
    }
}

static KEPT: LazyLock<Kept> = LazyLock::new(Kept::default);
static CACHE: LazyLock<Lru> = LazyLock::new(|| Lru::new(4 << 30));

/// As one program that goes on: what was computed is at hand.
fn run() -> Run<'static> {
    Run { cache: &*CACHE, ..anew() }
}

/// As a program started again: what was computed is in the store.
fn anew() -> Run<'static> {
    Run { store: &*KEPT, threads: 2, ..Run::default() }
}

/// A board on which the laws are tried, and positions on it.
#[derive(Clone, Copy)]
struct Field {
    width: &'static str,
    height: &'static str,
    /// Where the pieces start.
    start: &'static str,
    /// Positions as they are asked and as they are told.
    told: &'static [(&'static str, &'static str)],
    /// Positions with the colours of a side, and where a person sits.
    coloured: &'static [(&'static str, u8)],
    /// The colours of a side that a person at seat 0 has chosen, for each side to move.
    chosen: [&'static str; 2],
    /// Games against the strategy for every way to play.
    games: u64,
}

/// Small enough to be tried every time.
const SMALL: Field = Field {
    width: "3",
    height: "4",
    start: "p.p/.../P../P.P",
    told: &[
        ("bbr-belief_1_p.p/.../P../P.P_3:2:1_1:4", "bbr-belief_1_p.p/.../P../P.P_3:2:1_1:4"),
        ("bbr-belief_2_p.p/.../..P/P.P 3:2:1", "bbr-belief_2_p.p/.../..P/P.P_3:2:1_1:1"),
        ("pp./.../.../.PP", "bbr-belief_1_pp./.../.../.PP_1:1_1:1"),
    ],
    coloured: &[("bbr-belief_1_b.r/.../P../P.P", 1), ("bbr-belief_2_p.p/.../R../B.B", 0)],
    chosen: ["bbr-belief_1_p.p/.../B../R.B", "bbr-belief_2_b.r/.../P../P.P"],
    games: 40,
};

/// The paper's.
const WHOLE: Field = Field {
    width: "4",
    height: "4",
    start: ".pp./..../.P../.PP.",
    told: &[
        ("bbr-belief_1_.pp./..../.P../.PP._3:2:1_1:4", "bbr-belief_1_.pp./..../.P../.PP._3:2:1_1:4"),
        ("bbr-belief_2_.pp./..../..P./.PP. 3:2:1", "bbr-belief_2_.pp./..../..P./.PP._3:2:1_1:1"),
        (".pp./..../..../PP..", "bbr-belief_1_.pp./..../..../PP.._1:1_1:1"),
        ("2 p..p/..../..P./P..._0:100_7:0", "bbr-belief_2_p..p/..../..P./P..._0:100_7:0"),
    ],
    coloured: &[
        ("bbr-belief_1_.br./..../.P../.PP.", 1),
        ("bbr-belief_2_.pp./..../.B../.RB.", 1),
        // A side whose colours are told may also be the strategy's.
        ("bbr-belief_2_.pp./..../..R./.BB.", 0),
        ("bbr-belief_2_.rb./..../..../P.P.", 0),
        ("bbr-belief_1_p..p/..../..../.P.P", 1),
    ],
    chosen: ["bbr-belief_1_.pp./..../.B../.RB.", "bbr-belief_2_.br./..../.P../.PP."],
    games: 150,
};

impl Field {
    fn board(&self) -> Board {
        Board::new(self.width.parse().unwrap(), self.height.parse().unwrap()).unwrap()
    }

    /// The coarse bounds, computed once.
    fn both(&self) -> Arc<Both> {
        Both::new(&self.board(), Grid::Coarse, &run()).unwrap()
    }

    fn settings(&self) -> Settings {
        settings(&[("width", self.width), ("height", self.height)])
    }

    fn show(&self, position: &str) -> Result<Outcome, Error> {
        GEISTER.show(&self.settings(), Some(position), &run())
    }

    /// A game from a start, with the person at a seat.
    fn table(&self, turn: u8, seat: u8, seed: u64) -> Box<dyn Play> {
        let start = format!("bbr-belief_{}_{}", turn + 1, self.start);
        let mut table = GEISTER.play(&self.settings(), Some(&start), &Run { seed, ..run() }).unwrap();
        table.sit(seat);
        table
    }
}

fn settings(given: &[(&str, &str)]) -> Settings {
    let all = [("analysis", "bbr-belief")].into_iter().chain(given.iter().copied());
    Settings::new(GEISTER.params(), all).unwrap()
}

fn fraction(v: &Value) -> &str {
    v["fraction"].as_str().unwrap()
}

/// A law by its name.
type Law = (&'static str, fn(&Field));

/// All that holds of the coarse bounds, in one test: tests may be processes of their own, and each would compute the
/// bounds again. Every law is tried, and those that fail are named.
fn all(field: Field, laws: &[Law]) {
    let mut failed = Vec::new();
    for (name, law) in laws {
        eprintln!("{name}");
        if std::panic::catch_unwind(|| law(&field)).is_err() {
            failed.push(*name);
        }
    }
    assert!(failed.is_empty(), "these fail: {}", failed.join(", "));
}

macro_rules! laws {
    ($($law:ident),* $(,)?) => { &[$((stringify!($law), $law as fn(&Field))),*] };
}

/// The laws of every board.
const ANYWHERE: &[Law] = laws![
    law_lower_bounds_are_at_most_upper_bounds_and_mirror_images_agree,
    law_known_colours_give_the_value_of_the_open_game,
    law_positions_are_told_as_they_were_asked,
    law_the_strategy_gets_on_average_what_it_promises_against_anyone,
    law_undo_and_the_same_again_changes_nothing_and_nothing_tells_hidden_colours,
    law_a_person_may_choose_colours_and_any_position_can_be_played,
    law_the_estimate_of_memory_covers_the_sets,
    law_nothing_on_the_page_tells_the_strategys_colours,
    law_bounds_have_a_picture_and_can_be_changed_by_hand,
];

#[test]
fn law_bounds_are_told_shown_and_played() {
    all(SMALL, ANYWHERE);
}

/// What takes longer: the paper's board.
mod full {
    use super::*;

    #[test]
    fn law_bounds_are_told_shown_and_played() {
        all(WHOLE, ANYWHERE);
        all(
            WHOLE,
            laws![
                law_both_bounds_are_told_with_their_strategies,
                law_a_position_that_cannot_come_up_is_refused
            ],
        );
    }

    #[test]
    fn law_matches_of_known_value_come_out_0_from_both_sides() {
        come_out_0(Match::RrbBr);
    }

    #[test]
    fn law_bounds_of_three_against_three_do_not_cross_anywhere() {
        let open = Open::of(&SMALL.board(), Match::BbrRrb, &run()).unwrap();
        let [lower, upper] = [0, 1].map(|holder| open.bound(holder, Grid::Coarse, &run()).unwrap());
        for at in 0..open.graph.positions.len() as u32 {
            let sure = |bound: &Bound<Public>| f64::from(bound.best(at).1) / f64::from(bound.lattice());
            assert!(sure(&lower) <= -sure(&upper) + 1e-12, "{:?}", open.graph.positions[at as usize]);
        }
    }
}

#[test]
fn law_strategies_are_told_with_chances_that_add_up() {
    // A board on which a strategy also gives in.
    let small = GEISTER.solve(&settings(&[("width", "3"), ("height", "3")]), &run()).unwrap().json;
    chances(&small);
    course(&small);
    assert!(small.to_string().contains("\"move\":null") && small["starts"][0]["lower"]["certify"].is_null());
}

fn law_both_bounds_are_told_with_their_strategies(field: &Field) {
    field.both();
    let json = GEISTER.solve(&field.settings(), &anew()).unwrap().json;
    let [three, two] = [0, 1].map(|i| &json["starts"][i]);
    // The theorem, and what the coarse grid gives for the other start: within the paper's interval.
    assert_eq!([&two["lower"], &two["upper"]].map(fraction), ["1/3", "1/3"]);
    assert_eq!((&two["kind"], &three["kind"]), (&"exact".into(), &"bound".into()));
    let value = |v: &Value| v["value"].as_f64().unwrap();
    assert!(value(&three["lower"]) >= 1.0 / 3.0 && value(&three["upper"]) <= 0.5);
    for start in [three, two] {
        for bound in ["lower", "upper"] {
            assert!(start[bound]["entries"].as_u64().unwrap() > 1000);
            assert!(start[bound]["certify"].as_str().unwrap().contains(bound));
        }
    }
    chances(&json);
    course(&json);
    // Red on b2 for certain, and b4 red: b2 to b3 offers it; taking b3 then loses.
    let json = field.show("bbr-belief_2_..p./.p../.P../.PP._0:0:1_1:1").unwrap().json;
    let take = json["moves"].as_array().unwrap().iter().find(|m| m["move"] == "b3b2").unwrap();
    assert_eq!([&take["lower"], &take["upper"]].map(fraction), ["1", "1"]);
    assert_eq!(take["kind"], "exact");
}

/// Both strategies against each other: all that may happen adds up to 1, and neither side gets less than it is sure of. The
/// fractions that are left are all simple ones between the bounds.
fn course(json: &Value) {
    let start = &json["starts"][0];
    let told = &start["course"];
    let number = |v: &Value| v.as_f64().unwrap();
    let sum = |list: &Value| list.as_array().unwrap().iter().map(|v| number(&v["weight"])).sum::<f64>();
    let undecided = number(&told["undecided"]);
    assert!((sum(&told["endings"]) + undecided - 1.0).abs() < 1e-9, "{told}");
    let won = |v: &&Value| v["three_win"] == true;
    let wins: f64 =
        told["endings"].as_array().unwrap().iter().filter(won).map(|v| number(&v["weight"])).sum();
    let payoff = number(&told["payoff"]);
    assert!((2.0 * wins - (1.0 - undecided) - payoff).abs() < 1e-9, "{told}");
    let [lower, upper] = ["lower", "upper"].map(|bound| number(&start[bound]["value"]));
    assert!(lower - undecided - 1e-9 <= payoff && payoff <= upper + undecided + 1e-9, "{payoff} {start}");
    let line = told["line"].as_array().unwrap();
    assert_eq!((&line[0]["reach"], &line[0]["turn"]), (&1.0.into(), &1.into()));
    for stop in line {
        assert!((sum(&stop["moves"]) - 1.0).abs() < 1e-9, "{stop}");
        for side in ["three", "two"] {
            let law: f64 = stop["red"][side].as_object().unwrap().values().map(number).sum();
            assert!((law - 1.0).abs() < 1e-9, "{stop}");
        }
    }
    assert!(told["dwellings"].as_array().unwrap().iter().all(|d| number(&d["visits"]) > 0.0));
    if start["kind"] == "exact" {
        assert!(start["fractions"].is_null());
        return;
    }
    let within = |num: &i64, den: i64| {
        lower - 1e-12 <= *num as f64 / den as f64 && *num as f64 / den as f64 <= upper + 1e-12
    };
    let common = |a: i64, b: i64| (2..=b).any(|d| a % d == 0 && b % d == 0);
    let all: Vec<String> = (1..=60)
        .flat_map(|den| (-den..=den).filter(move |num| within(num, den)).map(move |num| (num, den)))
        .filter(|(num, den)| !common(*num, *den))
        .map(|(num, den)| if den == 1 { num.to_string() } else { format!("{num}/{den}") })
        .collect();
    assert_eq!(start["fractions"], serde_json::json!(all));
}

/// Chances add up to 1: in all and by each place of the red piece, after every move of the other side.
fn chances(json: &Value) {
    let share = |v: &Value| {
        let text = v.as_str().unwrap();
        let (num, den) = text.split_once('/').unwrap_or((text, "1"));
        num.parse::<f64>().unwrap() / den.parse::<f64>().unwrap()
    };
    for start in json["starts"].as_array().unwrap() {
        for (bound, own) in [("lower", "three"), ("upper", "two")] {
            let mut sums: HashMap<(String, String), f64> = HashMap::new();
            for part in start[bound]["lottery"].as_array().unwrap() {
                assert_eq!(part["after"].is_null(), start["first"] == own);
                *sums.entry((part["after"].to_string(), String::new())).or_default() +=
                    share(&part["weight"]);
                for (square, p) in part["by_red"].as_object().unwrap() {
                    *sums.entry((part["after"].to_string(), square.clone())).or_default() += share(p);
                }
            }
            assert!(sums.len() > 2 && sums.values().all(|sum| (sum - 1.0).abs() < 1e-12), "{sums:?}");
        }
    }
}

/// A position on the table with random beliefs.
fn any(field: &Field, random: &mut Random, certain: bool) -> (Public, [[i64; 3]; 2]) {
    let mut all: Vec<u32> = (0..field.board().squares() as u32).collect();
    random.shuffle(&mut all);
    let own = 2 + random.below(2) as usize;
    let set = |of: &[u32]| of.iter().fold(0u64, |s, q| s | 1 << q);
    let public = Public { turn: random.below(2) as u8, sides: [set(&all[..own]), set(&all[own..own + 2])] };
    let beliefs = [own, 2].map(|pieces| {
        let mut b = [0; 3];
        if certain {
            b[random.below(pieces as u64) as usize] = 1;
        } else {
            b[..pieces].fill_with(|| random.below(8) as i64);
            b[0] += i64::from(b == [0; 3]);
        }
        b
    });
    (public, beliefs)
}

fn law_lower_bounds_are_at_most_upper_bounds_and_mirror_images_agree(field: &Field) {
    let both = field.both();
    let board = &both.open.rules.board;
    let mut random = Random::new(3);
    let mut exact = 0;
    for _ in 0..400 {
        let (public, given) = any(field, &mut random, false);
        let mirror = Public { turn: public.turn, sides: public.sides.map(|s| board.mirror(s)) };
        // The belief of a piece goes with its square.
        let turned = [0, 1].map(|side| {
            let mut pieces: Vec<(u32, i64)> = squares(public.sides[side])
                .zip(given[side])
                .map(|(s, w)| (board.mirror(1 << s).trailing_zeros(), w))
                .collect();
            pieces.sort_unstable();
            let mut b = [0; 3];
            pieces.iter().zip(&mut b).for_each(|(p, b)| *b = p.1);
            b
        });
        if both.find(&View::of(&both.open.rules, public)).is_err() {
            continue;
        }
        let ask = |public: Public, given: [[i64; 3]; 2]| {
            let view = View::of(&both.open.rules, public);
            let beliefs = both.beliefs(&view, &given.map(Some));
            both.at(&view, &beliefs).unwrap()
        };
        let (here, after) = ask(public, given);
        assert!(here.lower <= here.upper, "{public:?} {given:?}: {here:?}");
        assert!(after.iter().all(|b| b.lower <= b.upper), "{public:?} {given:?}: {after:?}");
        exact += u32::from(here.exact());
        if mirror != public {
            assert_eq!(ask(mirror, turned).0, here, "{public:?} {given:?}");
        }
    }
    assert!(exact > 50, "{exact}");
}

fn law_known_colours_give_the_value_of_the_open_game(field: &Field) {
    let both = field.both();
    let board = &both.open.rules.board;
    let open = Tables::new(board.clone(), false).solve(Kind::Open, &Run::default()).unwrap();
    let mut random = Random::new(5);
    let mut met = 0;
    for _ in 0..400 {
        let (public, given) = any(field, &mut random, true);
        let view = View::of(&both.open.rules, public);
        let beliefs = both.beliefs(&view, &given.map(Some));
        let Ok((here, _)) = both.at(&view, &beliefs) else { continue };
        let red = beliefs.map(|b| b.iter().position(|w| *w > 0).map(|n| n as u8));
        let value = f64::from(open.value(&view.position(board, red)));
        let [low, high] = [approx(&here.lower), approx(&here.upper)];
        assert!(low <= value && value <= high, "{public:?} {given:?}: {value} not in [{low}, {high}]");
        met += u32::from(here.exact());
    }
    // The solver hopes for certain beliefs first: nearly all are exact.
    assert!(met > 300, "{met}");
}

fn law_positions_are_told_as_they_were_asked(field: &Field) {
    // Mirror images, beliefs left out, 2v2; every one comes back as it is written in full.
    for (asked, told) in field.told {
        let outcome = field.show(asked).unwrap();
        assert_eq!(outcome.json["position"], *told);
        assert!(!outcome.json["moves"].as_array().unwrap().is_empty());
    }
}

#[test]
fn law_what_is_wrong_is_refused_by_name_in_both_languages() {
    let start = "bbr-belief_1_.pp./..../.P../.PP.";
    let of = |rest: &str| format!("{start}{rest}");
    for (bad, field) in [
        (of("_1:1"), "beliefs"),
        (of("_1:1:1:1"), "beliefs"),
        (of("_1:1:1_1:1:1"), "beliefs"),
        (of("_1:1:1_1:1_1:1"), "beliefs"),
        (of("_0:0:0"), "beliefs"),
        (of("_1:1:-1"), "beliefs"),
        (of("_1:1:+1"), "beliefs"),
        (of("_1:1:101"), "beliefs"),
        (of("_1:1:99999999999999999999"), "beliefs"),
        (of("_1:1:1.5"), "beliefs"),
        (of("_1:1:x"), "beliefs"),
        (of("_1:1:"), "beliefs"),
        (of("_::"), "beliefs"),
        (of(&format!("_{}", ":".repeat(5000))), "beliefs"),
        (of("_２:1:1"), "beliefs"),
        (of("_3"), "turn"),
        (of("_open"), "analysis"),
        (of("_.pp./..../.P../.PP."), "board"),
        ("bbr-belief".to_owned(), "board"),
        ("bbr-belief_.pp./..../..../.P..".to_owned(), "board"),
        ("bbr-belief_.pp./.p../..../.PP.".to_owned(), "board"),
        ("bbr-belief_.pp./.p../.P../.PP.".to_owned(), "board"),
        ("bbr-belief_.pp./..../.PP./.PP.".to_owned(), "board"),
        ("bbr-belief_.pp./..../.B../.BR.".to_owned(), "board"),
        ("bbr-belief_.pp./..../.B../.PP.".to_owned(), "board"),
        ("bbr-belief_.bb./..../.P../.PP.".to_owned(), "board"),
    ] {
        // Before anything is computed.
        match GEISTER.show(&settings(&[]), Some(&bad), &Run { memory: 0, ..Run::default() }) {
            Err(Error::Refused(r)) => {
                assert_eq!(r.field, field, "{bad}");
                assert!(
                    !r.accepts.en.is_empty() && !r.accepts.ja.is_empty() && r.got.en.len() < 500,
                    "{r:?}"
                );
            }
            Err(e) => panic!("{bad}: {e}"),
            Ok(_) => panic!("{bad} was accepted"),
        }
    }
    let plain = |given: &[(&str, &str)]| Settings::new(GEISTER.params(), given.iter().copied()).unwrap();
    let refused = |result: Result<Outcome, Error>| match result {
        Err(Error::Refused(r)) => r.field,
        _ => "accepted".to_owned(),
    };
    let quick = Run::default();
    let elsewhere = plain(&[("analysis", "2v2-basic")]);
    let two = "2v2-basic_1_.pp./..../..../.PP._1:1";
    assert_eq!(refused(GEISTER.show(&elsewhere, Some(two), &quick)), "beliefs");
    assert_eq!(refused(GEISTER.show(&elsewhere, Some(start), &quick)), "analysis");
    assert_eq!(refused(GEISTER.show(&plain(&[("grid", "fine")]), Some(two), &quick)), "grid");
    assert_eq!(refused(GEISTER.solve(&plain(&[("grid", "coarse")]), &quick)), "grid");
    assert_eq!(refused(GEISTER.solve(&settings(&[("b", "3")]), &quick)), "b");
    for (given, position, field) in [
        (("opponent", "perfect"), start.to_owned(), "opponent"),
        (("grid", "coarse"), of("_1:1:1"), "beliefs"),
    ] {
        match GEISTER.play(&settings(&[given]), Some(&position), &quick) {
            Err(Error::Refused(r)) => assert_eq!(r.field, field),
            _ => panic!("{position} was not refused"),
        }
    }
    // What does not fit is said before anything is computed.
    let large = settings(&[("width", "6"), ("height", "6")]);
    assert!(matches!(GEISTER.solve(&large, &quick), Err(Error::Memory { need, .. }) if need > 1 << 33));
}

fn law_a_position_that_cannot_come_up_is_refused(field: &Field) {
    let both = field.both();
    let sets = |n: u32| (0..1u64 << 16).filter(move |s| s.count_ones() == n);
    let mut refused = Vec::new();
    for own in sets(3) {
        for other in sets(2).filter(|o| o & own == 0) {
            for turn in [0, 1] {
                let view = View::of(&both.open.rules, Public { turn, sides: [own, other] });
                if let Err(refusal) = both.find(&view) {
                    assert_eq!(refusal.field, "board");
                    refused.push((turn, own, other));
                }
            }
        }
    }
    // Player 2 has just moved, but is shut in on both sides of every such corner.
    assert!(!refused.is_empty() && refused.len() < 20, "{refused:?}");
    for (turn, own, other) in refused {
        assert_eq!(turn, 0);
        let board = &both.open.rules.board;
        let around = board.spread(other) & !other;
        assert_eq!(around & !own, 0, "a piece could have come from there");
    }
    let shut = field.show("bbr-belief_1_..../P.../pP../pP..");
    assert!(matches!(shut, Err(Error::Refused(r)) if r.accepts.en.contains("come up")));
}

/// What the strategy is sure of.
fn promise(play: &dyn Play) -> f64 {
    let record = play.record(&Run::default()).unwrap();
    let (num, den) = record["promise"].as_str().unwrap().split_once('/').unwrap();
    num.parse::<f64>().unwrap() / den.parse::<f64>().unwrap()
}

/// Ways for a person to play.
const PEOPLE: [&str; 4] = ["any", "first", "taker", "best"];

/// Plays a game; what the person got.
fn game(play: &mut dyn Play, seat: u8, person: &str, random: &mut Random) -> f64 {
    let mut moves = 0;
    while let Some(turn) = play.turn() {
        moves += 1;
        assert!(moves < 5000, "a game without an end");
        if turn != seat || person == "best" {
            assert!(!play.best(&Run::default()).unwrap().en.is_empty());
            continue;
        }
        let all = play.moves(&Run::default()).unwrap();
        let takes = all.iter().position(|m| m.label.en.contains("takes"));
        let leaves = all.iter().position(|m| m.label.en.contains("leaves"));
        let any = random.below(all.len() as u64) as usize;
        let chosen = match person {
            "first" => leaves.unwrap_or(0),
            "taker" => leaves.or(takes).unwrap_or(any),
            _ => any,
        };
        play.input(&all[chosen].input).unwrap();
    }
    assert_eq!(play.score(0).unwrap() + play.score(1).unwrap(), 0.0);
    play.score(seat).unwrap()
}

fn law_the_strategy_gets_on_average_what_it_promises_against_anyone(field: &Field) {
    for (turn, seat) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let promise = promise(field.table(turn, seat, 0).as_ref());
        for person in PEOPLE {
            let games = if person == "best" { field.games * 2 / 5 } else { field.games };
            let mut random = Random::new(11);
            let scores: Vec<f64> = (0..games)
                .map(|seed| -game(field.table(turn, seat, seed).as_mut(), seat, person, &mut random))
                .collect();
            let n = scores.len() as f64;
            let mean = scores.iter().sum::<f64>() / n;
            let error = (scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>().max(0.01) / n / n).sqrt();
            // Four standard errors: once in 30,000 by chance, and the seeds are fixed.
            assert!(mean > promise - 4.0 * error, "{turn} {seat} {person}: {mean} ± {error}, {promise}");
        }
    }
}

/// Everything a person can see.
fn seen(play: &dyn Play) -> String {
    format!(
        "{:?} {:?} {:?} {}",
        play.table(),
        play.turn(),
        play.moves(&Run::default()).unwrap(),
        play.record(&Run::default()).unwrap()
    )
}

/// A move of the person and the strategy's answer, with what can be seen then.
fn answered(play: &mut dyn Play, input: &str) -> (Text, Option<Text>, String) {
    let said = play.input(input).unwrap();
    let answer = play.turn().map(|_| play.best(&Run::default()).unwrap());
    (said, answer, seen(play))
}

fn law_undo_and_the_same_again_changes_nothing_and_nothing_tells_hidden_colours(field: &Field) {
    for (turn, seat) in [(0, 1), (1, 1), (1, 0)] {
        let mut random = Random::new(17);
        for seed in 0..4 {
            let mut play = field.table(turn, seat, seed);
            for _ in 0..40 {
                let Some(turn) = play.turn() else { break };
                if turn != seat {
                    assert!(play.moves(&Run::default()).unwrap().is_empty());
                    assert!(play.input("b1a1").is_err_and(|r| r.field == "move"));
                    play.best(&Run::default()).unwrap();
                    continue;
                }
                let table = play.table().en.into_owned();
                // The strategy has capitals if the person has small letters.
                let (own, hidden) =
                    if table.contains("small letters: you") { ("br", "BR") } else { ("BR", "br") };
                let board = table.split("capitals").next().unwrap();
                let files = board.rfind("a b c").unwrap();
                let pieces = &board[..files];
                assert!(
                    !pieces.contains(|c| hidden.contains(c)) && pieces.contains(|c| own.contains(c)),
                    "{table}"
                );
                let before = seen(play.as_ref());
                let all = play.moves(&Run::default()).unwrap();
                let input = all[random.below(all.len() as u64) as usize].input.clone();
                let once = answered(play.as_mut(), &input);
                assert!(play.undo(seat));
                assert_eq!(seen(play.as_ref()), before);
                let twice = answered(play.as_mut(), &input);
                assert_eq!(once, twice);
            }
            if let Some(result) = play.result() {
                let board = play.record(&Run::default()).unwrap()["board"].to_string();
                assert!(board.contains(['B', 'R']) && board.contains(['b', 'r']), "{result:?}: {board}");
                assert!(play.input("b1a1").is_err_and(|r| r.accepts.en.contains("over")));
                assert!(
                    play.moves(&Run::default()).unwrap().is_empty()
                        && play.best(&Run::default()).unwrap().en.is_empty()
                );
            }
        }
    }
}

fn law_a_person_may_choose_colours_and_any_position_can_be_played(field: &Field) {
    let mut random = Random::new(23);
    for &(position, seat) in field.coloured {
        let mut play = GEISTER.play(&field.settings(), Some(position), &run()).unwrap();
        play.sit(seat);
        let start = play.record(&Run::default()).unwrap()["start"].as_str().unwrap().to_owned();
        // The person's own colours, which the first position tells, are shown as they were chosen.
        assert!(position != field.coloured[0].0 || position.ends_with(&start), "{start}");
        game(play.as_mut(), seat, "any", &mut random);
        let record = play.record(&Run::default()).unwrap();
        assert_eq!(record["seat"], seat);
        let moves = record["moves"].as_array().unwrap();
        assert!(moves.iter().all(|m| m["move"].as_str().unwrap().len() >= 4));
    }
}

fn law_the_estimate_of_memory_covers_the_sets(field: &Field) {
    // What the solver asks for at the least must not come as a surprise.
    let both = field.both();
    let positions = both.open.graph.positions.len() as u64;
    let need = memory(&both.open.rules.board, Grid::Coarse);
    assert!(need >= positions * 1024 && need < 1 << 30, "{need}");
    for holder in 0..2 {
        let sizes = sizes(Grid::Coarse, holder);
        for (i, p) in both.open.graph.positions.iter().enumerate() {
            let pieces = both.open.rules.types(p)[holder];
            let expected = if pieces == 3 || (holder == 1 && p.sides[0].count_ones() == 3) {
                sizes[0]
            } else {
                sizes[1]
            };
            assert_eq!(both.sure[holder].beliefs(i as u32).len(), expected);
        }
    }
    assert_eq!(ask::even(2), [1, 1, 0]);
}

#[test]
fn law_matches_of_known_value_come_out_0_from_both_sides() {
    come_out_0(Match::BrBr);
}

/// The red pieces of a side by its type, the plain way: of two one is red, of three the odd one is red or it is blue.
fn reds(set: u64, kind: usize, mostly_red: bool) -> u64 {
    let odd = 1 << squares(set).nth(kind).unwrap();
    if set.count_ones() == 3 && mostly_red { set & !odd } else { odd }
}

#[test]
fn law_every_match_plays_by_the_colours() {
    let board = SMALL.board();
    for game in Match::ALL {
        let open = Open::of(&board, game, &run()).unwrap();
        let rules = &open.rules;
        let (mut ended, mut went_on) = ([0, 0], 0);
        for p in open.graph.positions.iter().step_by(23) {
            let (me, you) = (usize::from(p.turn), usize::from(1 - p.turn));
            let kinds = p.sides.map(|set| set.count_ones() as usize);
            for ((from, to), m) in rules.steps(p).into_iter().zip(rules.all(p)) {
                for (i, j) in (0..kinds[0]).flat_map(|i| (0..kinds[1]).map(move |j| (i, j))) {
                    let types = [i, j];
                    let red = [0, 1].map(|side| reds(p.sides[side], types[side], rules.mostly_red[side]));
                    let taken = to.map_or(0, |to| p.sides[you] & 1 << to);
                    let left = p.sides[you] & !taken;
                    // Who wins, if the move ends the game: of three against two both of a colour must be gone.
                    let mover_wins = match to {
                        None => Some(red[me] >> from & 1 == 0),
                        _ if taken & red[you] != 0 && left & red[you] == 0 => Some(false),
                        _ if taken & !red[you] != 0 && left & !red[you] == 0 => Some(true),
                        _ => None,
                    };
                    let on = m.next.filter(|n| n.types[0][i] != ENDED && n.types[1][j] != ENDED);
                    assert_eq!(mover_wins.is_none(), on.is_some(), "{game:?} {p:?} {from} {to:?} {types:?}");
                    if let Some(wins) = mover_wins {
                        assert_eq!(m.pay[i][j], if wins == (me == 0) { 1 } else { -1 }, "{game:?} {p:?}");
                        ended[usize::from(wins)] += 1;
                    }
                    let (Some(next), Some(to)) = (on, to) else { continue };
                    // The same pieces are red afterwards, perhaps in the mirror.
                    let go = |set: u64| if set >> from & 1 == 1 { set & !(1 << from) | 1 << to } else { set };
                    let mut after = [0; 2];
                    (after[me], after[you]) = (go(red[me]), red[you] & !taken);
                    let straight =
                        next.position.sides[me] == go(p.sides[me]) && next.position.sides[you] == left;
                    for side in 0..2 {
                        let kind = usize::from(next.types[side][types[side]]);
                        let told = reds(next.position.sides[side], kind, rules.mostly_red[side]);
                        let told = if straight { told } else { board.mirror(told) };
                        assert_eq!(told, after[side], "{game:?} {p:?} {from} {to} {types:?}");
                    }
                    went_on += 1;
                }
            }
        }
        assert!(ended[0] > 100 && ended[1] > 100 && went_on > 1000, "{game:?} {ended:?} {went_on}");
    }
}

#[test]
fn law_a_board_too_low_for_a_match_is_refused_by_its_height() {
    let refused = Open::of(&Board::new(3, 3).unwrap(), Match::BbrRrb, &run());
    assert!(matches!(refused, Err(Error::Refused(why)) if why.field == "height"));
}

fn come_out_0(game: Match) {
    let open = Open::of(&Board::new(4, 4).unwrap(), game, &run()).unwrap();
    for holder in 0..2 {
        let bound = open.bound(holder, Grid::Coarse, &run()).unwrap();
        for start in &open.starts {
            let at = open.graph.find(start).unwrap();
            assert_eq!(bound.best(at).1, 0, "{game:?}, side {holder}");
        }
    }
}

fn law_nothing_on_the_page_tells_the_strategys_colours(field: &Field) {
    let seat = 0;
    // The person's colours are told, so that the seed decides the strategy's alone.
    for position in field.chosen {
        // What was said so far decides what is shown now, whatever the colours are.
        let mut next: HashMap<String, (String, u64)> = HashMap::new();
        let (mut ends, mut shared) = (0, 0);
        for seed in 0..10 {
            let run = Run { seed, ..run() };
            let mut play = GEISTER.play(&field.settings(), Some(position), &run).unwrap();
            assert_eq!(play.seats(), [Some(0), Some(1)]);
            play.sit(seat);
            let (mut random, mut said) = (Random::new(3), String::new());
            for _ in 0..60 {
                let Some(turn) = play.turn() else { break };
                let mut page = String::new();
                for viewer in [None, Some(0), Some(1)] {
                    let (scene, board) = (play.scene(viewer, &run).unwrap(), play.board(viewer));
                    assert_eq!(scene.faults(), Vec::<String>::new());
                    let mut plain = scene.clone();
                    plain.without_values();
                    assert_eq!(plain, board);
                    let own = viewer.unwrap_or(turn) == seat;
                    let json = serde_json::to_string(&scene).unwrap();
                    assert_eq!(json.contains("\"secret\":true"), own, "{viewer:?}: {json}");
                    assert!(own || !(json.contains("\"blue\"") || json.contains("\"red\"")), "{json}");
                    page += &format!("{json} {:?} {:?}\n", play.made(viewer), play.result());
                }
                let (first, by) = next.entry(said.clone()).or_insert((page.clone(), seed));
                assert_eq!(*first, page, "seeds {by} and {seed}");
                shared += u32::from(*by != seed);
                let told = if turn == seat {
                    let moves = play.board(Some(seat)).moves;
                    assert!(!moves.is_empty());
                    play.input(&moves[random.below(moves.len() as u64) as usize].id).unwrap()
                } else {
                    assert!(play.board(Some(seat)).moves.is_empty(), "only the strategy can move");
                    play.best(&run).unwrap()
                };
                said += &told.en;
            }
            if play.result().is_some() {
                // At the end everything is shown.
                let json = serde_json::to_string(&play.scene(Some(seat), &run).unwrap()).unwrap();
                assert!(!json.contains("\"purple\"") && json.contains("\"red\""), "{json}");
                ends += 1;
            }
        }
        assert!(ends > 0 && shared > 20, "{ends} {shared}");
    }
}

fn law_bounds_have_a_picture_and_can_be_changed_by_hand(field: &Field) {
    let run = run();
    let mut now = None;
    let mut random = Random::new(5);
    for _ in 0..8 {
        let scene = GEISTER.scene(&field.settings(), now.as_deref(), None, &run).unwrap();
        assert_eq!(scene.faults(), Vec::<String>::new());
        let shown = GEISTER.show(&field.settings(), now.as_deref(), &run).unwrap().json;
        assert_eq!(shown["position"], scene.notation.as_str());
        assert_eq!(shown["moves"].as_array().unwrap().len(), scene.moves.len());
        for m in shown["moves"].as_array().unwrap() {
            let drawn = scene.moves.iter().find(|d| m["move"] == d.id.as_str()).unwrap();
            assert_eq!(m["best"] == true, drawn.rank == Some(1), "{m} {drawn:?}");
        }
        let edits = GEISTER.edits(&field.settings(), now.as_deref(), &run).unwrap();
        assert_eq!(edits.faults(), Vec::<String>::new());
        now = Some(edits.moves[random.below(edits.moves.len() as u64) as usize].id.clone());
    }
}
