//! Classic games that hide something from their players, against reference values that other programs have computed.

use std::collections::{HashMap, HashSet, VecDeque};
use yomikiri_core::random::Random;
use yomikiri_core::{Game, Hidden, Number, Rational, Run, Turn};
use yomikiri_games::describe::Describe;
use yomikiri_games::family::Family;
use yomikiri_games::params::Settings;
use yomikiri_proof::strategies;
use yomikiri_shelf::find;
use yomikiri_shelf::{darkhex, goofspiel, inspection, kuhn, leduc, liarsdice, matrix, vonneumann};

/// A game with settings as words, its value, and the pieces of information of both players together.
type Case = (&'static str, &'static str, &'static str, usize);

fn compare(cases: &[Case]) {
    for (id, given, fraction, informations) in cases {
        let game = find(id).unwrap_or_else(|| panic!("{id} is registered"));
        let given = given.split_whitespace().map(|word| word.split_once('=').unwrap());
        let settings = Settings::new(game.params(), given).unwrap();
        let json = game.solve(&settings, &Run::default()).unwrap().json;
        assert_eq!(json["fraction"].as_str(), Some(*fraction), "{id} {settings:?}: {json}");
        let how = json["how"].as_str().unwrap().replace(',', "");
        if *informations > 0 {
            let told = format!(" {informations} pieces of information");
            assert!(how.contains(&told), "{id} {settings:?}: {informations}, but {how}");
        }
    }
}

#[test]
fn golden_poker() {
    compare(&[
        ("leduc", "", "-1454920850547486749701863871533/16995463438839962469905132501930", 288),
        ("leduc", "ranks=4", "-750825476006594814550891332665/7343544839349721554468972176184", 504),
        ("leduc", "ranks=2", "0", 132),
        ("kuhn", "", "-1/18", 12),
        ("kuhn", "cards=4", "-1/24", 16),
        ("kuhn", "cards=9", "-7/108", 36),
        ("kuhn", "cards=13", "-5/78", 52),
        ("kuhn", "cards=4 bet=2", "-1/12", 16),
        ("kuhn", "bet=3", "0", 12),
        ("vonneumann", "cards=3", "2/27", 6),
        ("vonneumann", "", "1/10", 20),
        ("vonneumann", "bet=2", "11/100", 20),
        ("vonneumann", "cards=20", "1/10", 40),
        ("vonneumann", "cards=5 bet=2 deck=one", "1/10", 10),
    ]);
}

#[test]
fn golden_liars_dice() {
    compare(&[
        ("liarsdice", "sides=2 joker=last", "1/2", 32),
        ("liarsdice", "joker=last", "1/9", 192),
        ("liarsdice", "sides=2", "0", 32),
        ("liarsdice", "", "-1/9", 192),
        ("liarsdice", "sides=2 joker=first", "1", 32),
        ("liarsdice", "joker=first", "1/3", 192),
        ("liarsdice", "sides=2 first=2", "1/4", 160),
        ("liarsdice", "sides=2 first=2 joker=first", "1", 160),
        ("liarsdice", "sides=2 second=2", "0", 160),
        ("liarsdice", "sides=2 second=2 joker=first", "1", 160),
        ("liarsdice", "first=2", "1/9", 2304),
        ("liarsdice", "second=2 joker=first", "-1/27", 2304),
    ]);
}

#[test]
fn golden_goofspiel() {
    compare(&[
        ("goofspiel", "", "0", 546),
        ("goofspiel", "order=descending bids=hidden", "0", 0),
        ("goofspiel", "first=1,2,3 second=2,3,4", "-161291/43560", 546),
        ("goofspiel", "second=2,3,4 order=descending", "-1337/363", 92),
        ("goofspiel", "second=2,3,4 order=ascending", "-19/5", 92),
        ("goofspiel", "first=1,3,5 second=2,4,6 order=descending", "-159/65", 92),
        ("goofspiel", "first=1,3,5 second=2,4,6 order=descending goal=win", "-17/26", 92),
        ("goofspiel", "cards=4 second=2,3,4,5 order=ascending", "-1504038/285103", 1474),
        ("goofspiel", "first=1,3,5,7 second=2,4,6,8 order=descending", "-13443406318549/4150755533340", 1474),
        ("goofspiel", "second=2,3,4 order=descending bids=hidden", "-27/7", 54),
        ("goofspiel", "second=2,3,4 order=ascending bids=hidden", "-19/5", 54),
        ("goofspiel", "first=1,3,5 second=2,4,6 order=descending bids=hidden goal=win", "-17/26", 44),
    ]);
}

#[test]
fn golden_dark_hex() {
    compare(&[("darkhex", "", "1", 70), ("darkhex", "collision=abrupt", "1/2", 94)]);
}

#[test]
fn golden_simultaneous_moves() {
    // Blotto by posts: rows and columns are the troops at the first of two posts.
    compare(&[
        ("matrix", "", "0", 2),
        ("matrix", "payoffs=0,-1,2/1,0,-1/-1,1,0", "1/12", 2),
        ("matrix", "payoffs=0,-1,1/1,0,-1", "-1/3", 2),
        ("matrix", "payoffs=2,-1/-1,1", "1/5", 2),
        ("matrix", "payoffs=4,2,1,0/1,3,0,-1/-2,2,2,-2/-1,0,3,1/0,1,2,4", "14/9", 2),
        ("inspection", "periods=2", "-1/3", 0),
        ("inspection", "", "-1/2", 0),
        ("inspection", "periods=4", "-3/5", 0),
        ("inspection", "periods=4 inspections=2", "-3/11", 0),
    ]);
}

/// All ways to put troops on some fields.
fn armies(troops: i32, fields: usize) -> Vec<Vec<i32>> {
    if fields == 1 {
        return vec![vec![troops]];
    }
    let rest = |here: i32| {
        armies(troops - here, fields - 1).into_iter().map(move |more| [vec![here], more].concat())
    };
    (0..=troops).flat_map(rest).collect()
}

/// The value of a game of which every pair of choices has a payoff.
fn value<C>(rows: &[C], cols: &[C], payoff: impl Fn(&C, &C) -> i32) -> String {
    let row = |a: &C| cols.iter().map(|b| payoff(a, b).to_string()).collect::<Vec<_>>().join(",");
    let typed = rows.iter().map(row).collect::<Vec<_>>().join("/");
    let game = find("matrix").unwrap();
    let settings = Settings::new(game.params(), [("payoffs", typed.as_str())]).unwrap();
    game.solve(&settings, &Run::default()).unwrap().json["fraction"].as_str().unwrap().to_owned()
}

#[test]
fn golden_blotto_and_morra() {
    let fields = |a: &Vec<i32>, b: &Vec<i32>| a.iter().zip(b).map(|(x, y)| (x - y).signum()).sum::<i32>();
    let sign = |a: &Vec<i32>, b: &Vec<i32>| fields(a, b).signum();
    let post = |(x, y): (&i32, &i32)| (x - y).signum() * (1 + *x.min(y));
    let posts = |a: &Vec<i32>, b: &Vec<i32>| a.iter().zip(b).map(post).sum::<i32>();
    assert_eq!(value(&armies(4, 2), &armies(3, 2), posts), "14/9");
    assert_eq!(value(&armies(5, 2), &armies(4, 2), posts), "2");
    assert_eq!(value(&armies(6, 3), &armies(5, 3), sign), "4/9");
    assert_eq!(value(&armies(6, 3), &armies(5, 3), fields), "4/9");
    assert_eq!(value(&armies(6, 3), &armies(4, 3), sign), "1");
    assert_eq!(value(&armies(6, 3), &armies(4, 3), fields), "1");
    for fingers in 2..=4 {
        // Fingers that are shown, and the guess of the other's.
        let all: Vec<(i32, i32)> = (1..=fingers).flat_map(|n| (1..=fingers).map(move |m| (n, m))).collect();
        let won =
            |a: &(i32, i32), b: &(i32, i32)| (i32::from(a.1 == b.0) - i32::from(b.1 == a.0)) * (a.0 + b.0);
        assert_eq!(value(&all, &all, won), "0", "{fingers}");
    }
}

/// Whoever is to move knows from the position as it may write it down, and from the board it sees, exactly what it knows
/// by the rules: it reads back as the same information, and where the information is the same, nothing looks different.
fn tells<F: Family>(family: &F, given: &[(&str, &str)])
where
    F::Game: Hidden,
{
    let game = family.game(&Settings::new(family.params(), given.iter().copied()).unwrap(), 0).unwrap();
    let mut seen: HashMap<_, (String, String)> = HashMap::new();
    let mut met = 0;
    for playout in 0..400 {
        let (mut random, mut s) = (Random::stream(7, playout), game.start());
        loop {
            let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
            match game.turn(&s) {
                Turn::Terminal => break,
                Turn::Chance => game.chance(&s, &mut outcomes),
                Turn::Player(p) => {
                    game.actions(&s, &mut actions);
                    let (info, written) = (game.info(&s, p), game.written(&s, Some(p)));
                    let back = game.parse(&written).unwrap_or_else(|e| panic!("{written}: {e}"));
                    assert_eq!(
                        (game.turn(&back), game.info(&back, p)),
                        (Turn::Player(p), info.clone()),
                        "{written}"
                    );
                    let drawn = format!("{:?}", game.board(&s, &[], Some(p)));
                    let first = seen.entry((p, info)).or_insert_with(|| (written.clone(), drawn.clone()));
                    assert_eq!(*first, (written, drawn));
                    met += 1;
                }
            }
            actions.extend(random.draw(&outcomes));
            s = game.apply(&s, actions[random.below(actions.len() as u64) as usize]);
        }
    }
    assert!(met >= 2 * seen.len() && seen.len() > 1, "{met} of {}", seen.len());
}

#[test]
fn law_what_is_shown_is_what_is_known() {
    tells(&kuhn::OneCard::<2>, &[("cards", "4")]);
    tells(&kuhn::OneCard::<3>, &[]);
    tells(&leduc::TwoRounds, &[]);
    tells(&vonneumann::OneBet, &[]);
    tells(&liarsdice::UnderCups, &[("first", "2"), ("joker", "first")]);
    for bids in ["open", "hidden"] {
        tells(&goofspiel::Prizes, &[("bids", bids)]);
        tells(&goofspiel::Prizes, &[("bids", bids), ("order", "descending")]);
    }
    for collision in ["classic", "abrupt"] {
        tells(&darkhex::Blind, &[("cols", "3"), ("collision", collision)]);
    }
    tells(&inspection::Control, &[("periods", "4"), ("inspections", "2")]);
    tells(&matrix::AtOnce, &[]);
}

#[test]
fn law_three_players_of_kuhn_poker_gain_next_to_nothing_by_leaving_their_strategies() {
    let gains = |settings: &[(&str, &str)]| -> Vec<f64> {
        let game = find("kuhn3").unwrap();
        let settings = Settings::new(game.params(), settings.iter().copied()).unwrap();
        let json = game.solve(&settings, &Run::default()).unwrap().json;
        let numbers = |field: &str| -> Vec<Rational> {
            let written = json[field].as_array().unwrap().iter();
            written.map(|x| x.as_str().unwrap().parse().unwrap()).collect()
        };
        // Nothing is lost or won by all together.
        assert_eq!(numbers("payoffs").iter().sum::<Rational>(), Rational::from_int(0));
        numbers("gains").iter().map(Number::approx).collect()
    };
    assert!(gains(&[]).iter().all(|gain| (0.0..1e-6).contains(gain)));
    // With three cards everybody knows more.
    assert!(gains(&[("cards", "3")]).iter().all(|gain| (0.0..1e-3).contains(gain)));
}

#[test]
fn law_the_known_equilibrium_of_three_is_one() {
    // Nobody bets before the third player, who bets the highest card, and the second lowest in half of all cases. The
    // highest calls; the second highest does in half of all cases if it would be the last to fold.
    let game =
        kuhn::OneCard::<3>.game(&Settings::new(find("kuhn3").unwrap().params(), []).unwrap(), 0).unwrap();
    let half = |often: bool| if often { "[1,1]" } else { "[1,0]" };
    let mut lines = Vec::new();
    let mut seen = HashSet::new();
    let mut open = VecDeque::from([game.start()]);
    while let Some(s) = open.pop_front() {
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        match game.turn(&s) {
            Turn::Terminal => {}
            Turn::Chance => game.chance(&s, &mut outcomes),
            Turn::Player(p) => {
                game.actions(&s, &mut actions);
                let knows = game.written(&s, Some(p));
                if seen.insert((p, game.info(&s, p))) {
                    let words: Vec<&str> = knows.split('.').collect();
                    let card: u8 = words[usize::from(p)].parse().unwrap();
                    let acts = words[3..].join(".");
                    lines.push(match (card, acts.as_str()) {
                        (4, "c.c") => "[0,1]",
                        (2, "c.c") => half(true),
                        (_, "" | "c" | "c.c") => "[1,0]",
                        (4, _) => "[0,1]",
                        (3, "c.b.f" | "c.c.b.f" | "b.f") => half(true),
                        _ => half(false),
                    });
                }
            }
        }
        actions.extend(outcomes.iter().map(|o| o.0));
        open.extend(actions.into_iter().map(|a| game.apply(&s, a)));
    }
    let check = |lines: &[&str]| {
        let lines: Vec<Vec<u8>> = lines.iter().map(|line| line.as_bytes().to_vec()).collect();
        strategies::check(&game, &mut lines.iter(), &Run::default()).unwrap()
    };
    let proved = check(&lines);
    let gets: Vec<String> = proved.bounds.iter().map(|bound| bound.0.to_string()).collect();
    assert_eq!((gets.join(" ").as_str(), proved.exact()), ("-1/48 -1/48 1/24", true));
    // Whoever always calls a bet invites another.
    lines.iter_mut().filter(|line| **line == "[1,1]").for_each(|line| *line = "[0,1]");
    assert!(!check(&lines).exact());
}
