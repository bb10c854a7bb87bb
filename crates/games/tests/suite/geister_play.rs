//! Mini-Geister at the table: nothing leaks, nothing is rerolled, and averages are what they must be.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;
use yomikiri_core::cache::Lru;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Run, Text};
use yomikiri_games::Entry;
use yomikiri_games::geister::GEISTER;
use yomikiri_games::geister::analysis::{Kind, distance};
use yomikiri_games::geister::board::{Board, Colour, Position};
use yomikiri_games::geister::notation;
use yomikiri_games::geister::real::{Next, legal, play};
use yomikiri_games::geister::tables::Tables;
use yomikiri_games::params::Settings;
use yomikiri_games::play::Play;
use yomikiri_view::scene::Scene;

static CACHE: LazyLock<Lru> = LazyLock::new(|| Lru::new(1 << 30));

/// As one program that goes on: what was solved is at hand.
fn run() -> Run<'static> {
    Run { cache: &*CACHE, ..Run::default() }
}

/// A game from a position as it is written.
fn game(written: &str, opponent: &str, seed: u64) -> Result<Box<dyn Play>, Error> {
    let settings = Settings::new(GEISTER.params(), [("opponent", opponent)])?;
    GEISTER.play(&settings, Some(written), &Run { seed, ..run() })
}

/// Everything a face can see.
fn seen(play: &dyn Play) -> String {
    let mistakes = [play.mistakes(0, &run()).unwrap(), play.mistakes(1, &run()).unwrap()];
    format!(
        "{:?} {:?} {:?} {mistakes:?} {}",
        play.table(),
        play.turn(),
        play.moves(&run()).unwrap(),
        play.record(&run()).unwrap()
    )
}

/// A move of the person, any.
fn any(play: &dyn Play, random: &mut Random) -> String {
    let moves = play.moves(&run()).unwrap();
    moves[random.below(moves.len() as u64) as usize].input.clone()
}

/// Where the person sits: player 2.
fn person(written: &str) -> u8 {
    u8::from(written.contains("_1_"))
}

const STARTS: [&str; 6] = [
    "2v2-extended_2_.pp./..../..../.PP.",
    "2v2-basic_1_.br./..../..../.PP.",
    "rrb-three_1_.pp./..../.R../.PP.",
    "rrb-two_2_.pp./.p../..../.PP.",
    "bbr-three-third_2_.pp./..../.P../.PP.",
    "bbr-two-half_1_.pp./.p../..../.PP.",
];

#[test]
fn law_undo_and_the_same_again_changes_nothing() {
    for written in STARTS {
        let seat = person(written);
        for seed in 0..2 {
            let mut random = Random::new(seed);
            let mut play = game(written, "strategy", seed).unwrap();
            let fresh = seen(play.as_ref());
            for _ in 0..60 {
                let Some(turn) = play.turn() else { break };
                if turn != seat {
                    play.best(&run()).unwrap();
                    continue;
                }
                let (before, input) = (seen(play.as_ref()), any(play.as_ref(), &mut random));
                // The strategy's answer, chance and all, must come again too.
                let both = |play: &mut dyn Play| {
                    let said = play.input(&input).unwrap();
                    let answer = play.turn().map(|_| play.best(&run()).unwrap());
                    (said, answer, seen(play))
                };
                let once = both(play.as_mut());
                assert!(play.undo(seat));
                assert_eq!(seen(play.as_ref()), before);
                assert_eq!(both(play.as_mut()), once);
            }
            while play.undo(0) || play.undo(1) {}
            assert_eq!(seen(play.as_ref()), fresh);
        }
    }
}

/// All the page gets: what every viewer sees, with values and without, and the last move.
fn page(play: &dyn Play, seat: u8) -> String {
    let run = run();
    [None, Some(0), Some(1)]
        .map(|viewer| {
            let scene = play.scene(viewer, &run).unwrap();
            let board = play.board(viewer);
            if viewer != Some(seat) && (viewer.is_some() || play.turn() != Some(seat)) {
                let json = serde_json::to_string(&scene).unwrap();
                assert!(!json.contains("\"secret\""), "{viewer:?}: {json}");
            }
            let made = play.made(viewer);
            let [scene, board] = [scene, board].map(|s| serde_json::to_string(&s).unwrap());
            format!("{scene} {board} {made:?} {:?}", play.result())
        })
        .join("\n")
}

/// Plays a game by seeded random moves of the person; what was said and shown before the end, turn by turn, and if
/// asked all that the page gets.
fn transcript(play: &mut dyn Play, seat: u8, moves: u64, all: bool) -> Vec<String> {
    let mut random = Random::new(moves);
    let mut lines = Vec::new();
    while let Some(turn) = play.turn() {
        if turn == seat {
            let moves: Vec<String> = play
                .moves(&run())
                .unwrap()
                .iter()
                .map(|m| format!("{} {} {}", m.input, m.value.text.en, m.best))
                .collect();
            lines.push(format!(
                "{}\n{moves:?} {}{}",
                play.table().en,
                play.record(&run()).unwrap()["moves"],
                if all { page(play, seat) } else { String::new() }
            ));
            let input = any(play, &mut random);
            lines.push(play.input(&input).unwrap().en.into_owned());
        } else {
            assert!(play.moves(&run()).unwrap().is_empty(), "it tells nobody what it thinks");
            if all {
                lines.push(format!("{}\n{}", play.table().en, page(play, seat)));
            }
            lines.push(play.best(&run()).unwrap().en.into_owned());
        }
    }
    lines
}

/// The board of a game that is over, on which everything is seen: as people see it, and as programs do.
fn shown_at_the_end(play: &dyn Play) -> String {
    let result = play.result().unwrap();
    assert!(result.en.contains(": ") && result.ja.contains('（'), "no reason: {result:?}");
    let board = play.record(&run()).unwrap()["board"].as_str().unwrap().to_owned();
    let table = play.table().en;
    assert!(board.chars().filter(|c| "BRbr".contains(*c)).all(|c| table.contains(c)), "{table}");
    board
}

#[test]
fn law_nothing_tells_the_hidden_colours_before_they_are_looked_at() {
    let (mut looked, mut blind) = (0, 0);
    // The person's colours are told, so that the seed decides the strategy's alone.
    for written in ["2v2-extended_2_.br./..../..../.PP.", "bbr-three-third_1_.rb./..../.P../.PP."] {
        for moves in 0..15 {
            // What was said so far decides what is shown and hinted now, whatever the colours are.
            let mut next: HashMap<Vec<String>, (String, u64)> = HashMap::new();
            for seed in 0..8 {
                let mut play = game(written, "strategy", seed).unwrap();
                let lines = transcript(play.as_mut(), person(written), moves, true);
                for (i, line) in lines.iter().enumerate() {
                    let board = line.split("capitals").next().unwrap_or_default();
                    if line.contains('\n') {
                        assert!(!board.contains(['B', 'R']), "{line}");
                        blind += 1;
                        let (first, by) = next.entry(lines[..i].to_vec()).or_insert((line.clone(), seed));
                        assert_eq!(first, line, "seeds {by} and {seed}");
                    }
                }
                // At the end everything is shown.
                let shown = shown_at_the_end(play.as_ref());
                assert!(shown.contains('B') && shown.contains('R'), "{shown}");
                looked += 1;
            }
        }
    }
    assert!(looked == 240 && blind > 500);
}

/// Mean and standard error of what the person gets.
fn mean(scores: &[f64]) -> (f64, f64) {
    let n = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / n;
    (mean, (scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>().max(0.01) / n / n).sqrt())
}

#[test]
fn law_scores_average_to_the_exact_value_and_random_play_gets_no_more() {
    for (written, value) in STARTS.into_iter().zip([0.0, 0.0, 0.0, 0.0, -1.0 / 3.0, 0.5]) {
        let seat = person(written);
        let score = |seed: u64, random: Option<u64>| {
            let mut play = game(written, "strategy", seed).unwrap();
            match random {
                Some(moves) => drop(transcript(play.as_mut(), seat, moves, false)),
                None => {
                    while play.turn().is_some() {
                        play.best(&run()).unwrap();
                    }
                    assert!(play.mistakes(seat, &run()).unwrap().is_empty());
                }
            }
            assert_eq!(play.score(0).unwrap() + play.score(1).unwrap(), 0.0);
            play.score(seat).unwrap()
        };
        let games = if written.starts_with("2v2") { 100 } else { 30 };
        let best: Vec<f64> = (0..games).map(|seed| score(seed, None)).collect();
        let (got, error) = mean(&best);
        assert!((got - value).abs() < 5.0 * error, "{written}: {got} ± {error}, {value}");
        let any: Vec<f64> = (0..games).map(|seed| score(seed, Some(seed + 1000))).collect();
        let (got, error) = mean(&any);
        assert!(got < value + 5.0 * error, "{written}: {got} ± {error}, {value}");
    }
}

#[test]
fn law_colours_and_choices_are_fair_over_the_seeds() {
    let mut colours: BTreeMap<String, u32> = BTreeMap::new();
    // The strategy, to move, has a piece on an exit: it leaves, and looks for the first time.
    for seed in 0..400 {
        let mut play = game("2v2-extended_1_P.../..pp/..../..P.", "strategy", seed).unwrap();
        let said = play.best(&run()).unwrap().en.into_owned();
        assert!(said.starts_with("a4 leaves; it was "), "{said}");
        assert!(play.turn().is_none());
        *colours.entry(shown_at_the_end(play.as_ref())).or_default() += 1;
    }
    // Colours of both sides: four ways, 100 expected with standard deviation 9.
    assert_eq!(colours.len(), 4);
    assert!(colours.values().all(|n| n.abs_diff(100) < 45), "{colours:?}");
}

#[test]
fn law_perfect_play_gets_what_the_table_says_and_repetition_is_a_draw() {
    let board = Board::new(4, 4).unwrap();
    let open = Tables::new(board.clone(), false).solve(Kind::Open, &run()).unwrap();
    let mut draws = 0;
    for start in open.rules.starts() {
        for turn in [0, 1] {
            let start = Position { turn, ..start };
            let written = notation::written(Kind::Open.id(), &board, &start);
            let mut play = game(&written, "perfect", 0).unwrap();
            assert_eq!(play.turn(), Some(0));
            let mut moves = 0;
            while play.turn().is_some() {
                play.best(&run()).unwrap();
                moves += 1;
            }
            // Seat 0 moves first.
            let seat = u8::from(turn != 0);
            assert_eq!(play.score(seat), Some(f64::from(open.value(&start))));
            match distance(open.verdict(&start)) {
                Some(distance) => assert_eq!(moves, distance),
                None => {
                    draws += 1;
                    assert!(play.result().unwrap().en.starts_with("a draw"));
                }
            }
            assert!(
                play.mistakes(0, &run()).unwrap().is_empty() && play.mistakes(1, &run()).unwrap().is_empty()
            );
        }
    }
    assert!(draws > 0);
}

#[test]
fn law_mistakes_are_recorded_with_what_they_cost() {
    // Player 2 may leave at once. If its blue piece steps aside instead, it can be taken.
    let mut play = game("open_2_R.../..../B..r/b...", "perfect", 1).unwrap();
    let moves = play.moves(&run()).unwrap();
    let value =
        |input: &str| moves.iter().find(|m| m.input == input).map(|m| (m.value.text.en.to_string(), m.best));
    assert_eq!(value("a1exit"), Some(("+1 (1)".to_owned(), true)));
    assert_eq!(value("a1a2"), Some(("+1 (1)".to_owned(), true)));
    assert_eq!(value("d2d3"), Some(("−1 (2)".to_owned(), false)));
    play.input("d2d3").unwrap();
    let mistakes = play.mistakes(0, &run()).unwrap();
    assert_eq!((mistakes.len(), mistakes[0].decision, mistakes[0].lost), (1, 1, 2.0));
    assert!(play.undo(0) && play.mistakes(0, &run()).unwrap().is_empty());
    play.input("a1exit").unwrap();
    assert_eq!((play.score(0), play.score(1)), (Some(1.0), Some(-1.0)));
}

#[test]
fn law_other_input_is_refused_in_both_languages_and_changes_nothing() {
    let mut play = game(STARTS[0], "strategy", 1).unwrap();
    let before = seen(play.as_ref());
    for bad in ["", "b4", "b4b2", "b1b2", "a1exit", "b4exit", "…", "左", "b4b3b2"] {
        let refusal = play.input(bad).unwrap_err();
        assert_eq!((refusal.field.as_str(), seen(play.as_ref())), ("move", before.clone()), "{bad}");
        assert_eq!(refusal.accepts, Text::same("b4b3, b4a4, c4c3, c4d4"));
    }
    assert!(play.input(" B4-b3 ").is_ok());
    // The strategy's seat is taken.
    let refusal = play.input("b1b2").unwrap_err();
    assert!(refusal.accepts.en.contains("seat 1") && refusal.accepts.ja.contains("席 1"));
    assert!(!refusal.accepts.en.contains("--"), "games know no flags");
    for bad in [
        "2v2-extended_2_.bb./..../..../.PP.",
        "2v2-extended_2_.pp./..../..../.BR.",
        "2v2-extended_2_.pp./.p../..../.PP.",
        "rrb-two_2_.bb./.r../..../.PP.",
        "open_2_.pp./..../..../.PP.",
    ] {
        for opponent in ["strategy", "perfect"] {
            assert!(matches!(game(bad, opponent, 1), Err(Error::Refused(_))), "{bad}");
        }
    }
    while play.turn().is_some() {
        play.best(&run()).unwrap();
    }
    assert!(play.input("b4b3").is_err_and(|r| r.accepts.en.contains("over")));
    assert!(play.moves(&run()).unwrap().is_empty() && play.best(&run()).unwrap().en.is_empty());
}

/// What a move would pay with open colours, looked up in the plainest way: all colours the machine's pieces may have, in
/// the table of the open game.
fn laid_open(tables: &Tables, sides: &[Position], step: &str) -> f64 {
    let open = tables.solve(Kind::Open, &run()).unwrap();
    let pays = |p: &Position| {
        let step = legal(tables.board(), p).into_iter().find(|s| notation::step(tables.board(), *s) == step);
        let first = match play(p, step.unwrap()) {
            Next::Won(0) => 1.0,
            Next::Won(_) => -1.0,
            Next::Goes(next) => f64::from(open.value(&next)),
        };
        if p.turn == 0 { first } else { -first }
    };
    sides.iter().map(pays).sum::<f64>() / sides.len() as f64
}

/// A person may be either player where colours are hidden; as player 1 it plays against a machine that guesses.
#[test]
fn law_moves_that_guarantee_the_same_are_told_apart_by_open_colours() {
    let tables = Tables::new(Board::new(4, 4).unwrap(), false);
    let (mut apart, mut random) = (0, Random::new(2));
    for seed in 0..6 {
        for seat in 0..2 {
            let settings = Settings::new(GEISTER.params(), [("analysis", "2v2-basic")]).unwrap();
            let mut play = GEISTER.play(&settings, None, &Run { seed, ..run() }).unwrap();
            assert_eq!(play.seats(), [Some(0), Some(1)]);
            play.sit(seat);
            for _ in 0..24 {
                let Some(turn) = play.turn() else { break };
                if turn != seat {
                    play.best(&run()).unwrap();
                    continue;
                }
                let scene = play.scene(Some(seat), &run()).unwrap();
                let odds: Vec<&str> = tags(&scene);
                // Two pieces of which one is blue: until something is learned, both are as likely.
                let even = odds.iter().filter(|odds| **odds == "blue 50 %").count();
                let sure = odds.iter().all(|odds| ["blue 100 %", "blue 0 %"].contains(odds));
                assert!(even == 2 || sure, "{odds:?}");
                // Nobody else is told how likely colours are.
                assert!(tags(&play.board(Some(1 - seat))).is_empty());
                let blind = scene.notation.starts_with("2v2-basic") && even == 2;
                if blind || seat == 1 && even == 2 {
                    apart += usize::from(told_apart(&tables, play.as_ref(), seat));
                }
                play.input(&any(play.as_ref(), &mut random)).unwrap();
            }
        }
    }
    assert!(apart > 20, "{apart}");
}

fn tags(scene: &Scene) -> Vec<&str> {
    let items = scene.zones.iter().flat_map(|zone| &zone.items);
    items.map(|item| item.tag.en.as_ref()).filter(|tag: &&str| !tag.is_empty()).collect()
}

/// Whether moves of the same value differ by what they would pay with open colours, and stand in that order.
fn told_apart(tables: &Tables, play: &dyn Play, seat: u8) -> bool {
    // The colours of the machine, both ways.
    let record = play.record(&run()).unwrap();
    let written = record["board"].as_str().unwrap();
    let person = 1 - usize::from(seat);
    let ways: Vec<Position> = [["b", "r"], ["r", "b"]]
        .iter()
        .filter_map(|colours| {
            let mut colours = colours.iter();
            let hidden = if person == 1 { 'P' } else { 'p' };
            let board: String = written
                .chars()
                .map(|c| match c {
                    c if c == hidden && person == 1 => colours.next().unwrap().to_uppercase(),
                    c if c == hidden => (*colours.next().unwrap()).to_owned(),
                    c => c.to_string(),
                })
                .collect();
            let read = notation::read(&format!("open_{}_{board}", person + 1)).ok()?;
            Some(Position { turn: person as u8, sides: read.sides })
        })
        .collect();
    if ways.len() != 2 || colours_left(&ways[0]) != 4 {
        return false;
    }
    let scene = play.scene(Some(seat), &run()).unwrap();
    let moves: Vec<(u32, f64, f64)> = scene
        .moves
        .iter()
        .map(|m| (m.rank.unwrap(), m.value.as_ref().unwrap().x, laid_open(tables, &ways, &m.id)))
        .collect();
    let mut apart = false;
    for pair in moves.windows(2) {
        let [(rank, value, open), (next, other, less)] = [pair[0], pair[1]];
        assert!(value >= other, "{moves:?}");
        if value == other {
            assert!(open >= less && (open > less) == (rank < next), "{written} {moves:?}");
            apart |= open > less;
        }
    }
    apart
}

fn colours_left(p: &Position) -> u32 {
    p.sides.iter().map(|side| side.of(Colour::Blue).count_ones() + side.of(Colour::Red).count_ones()).sum()
}

/// The machine that guesses does the same whatever the person's colours are, also where a look would win at once: taking the
/// blue piece wins, taking the red one loses.
#[test]
fn law_the_guesser_does_not_look() {
    let mut made: BTreeMap<String, BTreeMap<String, u32>> = BTreeMap::new();
    for seed in 0..400 {
        let mut play = game("2v2-basic_2_..../.pp./.PP./....", "strategy", seed).unwrap();
        play.sit(1);
        let table = play.table().en;
        let colours: String = table.chars().filter(|c| ['B', 'R'].contains(c)).take(2).collect();
        let said = play.best(&run()).unwrap().en;
        *made.entry(colours).or_default().entry(said[..8].to_owned()).or_default() += 1;
    }
    let all: Vec<_> = made.values().collect();
    assert_eq!(made.keys().collect::<Vec<_>>(), ["BR", "RB"]);
    assert!(all[0].keys().eq(all[1].keys()) && all[0].len() > 1, "{made:?}");
    assert!(all.iter().all(|moves| moves.values().all(|times| *times > 5)), "{made:?}");
}
