//! What happens in a game of best play, on average: passes, what the second card is, and how often passes end it.

use super::players::Counted;
use crate::golden::{Computed, Golden};
use serde_json::json;
use std::collections::BTreeMap;
use yomikiri_core::{Error, Game, Refusal, Run, Text, Turn, text};
use yomikiri_games::memory::party::asked::terms;
use yomikiri_games::memory::party::rules::{Party, State, Terms};
use yomikiri_games::memory::party::table::{Extent, Keep, Table};
use yomikiri_games::memory::party::worth::{Look, made};
use yomikiri_games::memory::rules::{Action, Counts, Phase};
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::report::{Block, Certainty, Draw, List, Outcome, Plot, Record, Series};

/// What happens in a game, on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Habits {
    /// Passes.
    pub passes: f64,
    /// Second cards that show a known one of another rank.
    pub known: f64,
    /// Second cards that were unknown.
    pub unknown: f64,
    /// How many games of all are ended by passes.
    pub ended: f64,
    /// Pairs taken in those, times that share.
    taken: f64,
    /// Pairs taken, in all games.
    pub pairs: f64,
}

impl Habits {
    /// Pairs taken in games that passes ended; none where there are none.
    pub fn taken_then(&self) -> Option<f64> {
        (self.ended > 0.0).then(|| self.taken / self.ended)
    }
}

/// A position at the start of a turn, the player to move first.
type Key<const K: usize> = (Counts, [u16; K], u8);

/// Follows best play through all positions it can come to, each once: a turn leaves fewer unknown cards, fewer pairs or one
/// pass more.
fn follow<const K: usize>(game: &Party<K>, table: &Table<K>, run: &Run<'_>) -> Result<Habits, Error> {
    let mut habits = Habits::default();
    let cards = game.cards();
    let mut open: BTreeMap<(usize, usize, u8), BTreeMap<Key<K>, f64>> = BTreeMap::new();
    let place = |s: &State<K>| (cards.unknown(&s.counts), cards.remaining(&s.counts), K as u8 - s.passes);
    let key = |s: &State<K>| (s.counts, if game.terms().wins() { s.in_order() } else { [0; K] }, s.passes);
    let start = game.start();
    open.entry(place(&start)).or_default().insert(key(&start), 1.0);
    while let Some((_, positions)) = open.pop_last() {
        run.check()?;
        for ((counts, scores, passes), weight) in positions {
            let first = State { counts, scores, passes, mover: 0, phase: Phase::First };
            let mut ahead = vec![(first, weight)];
            while let Some((s, weight)) = ahead.pop() {
                let next: Vec<(Action, f64)> = match game.turn(&s) {
                    Turn::Terminal => {
                        let pairs = weight * (cards.total_pairs() - cards.remaining(&s.counts)) as f64;
                        habits.pairs += pairs;
                        if s.phase == Phase::Over {
                            habits.ended += weight;
                            habits.taken += pairs;
                        }
                        continue;
                    }
                    Turn::Chance => {
                        let mut outcomes = Vec::new();
                        game.chance(&s, &mut outcomes);
                        let total: u32 = outcomes.iter().map(|o| o.1).sum();
                        outcomes.iter().map(|o| (o.0, f64::from(o.1) / f64::from(total))).collect()
                    }
                    Turn::Player(player) => {
                        let mut look = table;
                        let moves = look.moves(game, &s).ok_or_else(super::players::missing)?;
                        let made = made(game, &moves, player);
                        made.iter().map(|&at| (moves[at].0, 1.0 / made.len() as f64)).collect()
                    }
                };
                for (a, share) in next {
                    let (weight, after) = (weight * share, game.apply(&s, a));
                    match a {
                        Action::Pass => habits.passes += weight,
                        Action::Different => habits.known += weight,
                        Action::Unknown => habits.unknown += weight,
                        _ => {}
                    }
                    if after.phase == Phase::First && game.turn(&after) != Turn::Terminal {
                        *open.entry(place(&after)).or_default().entry(key(&after)).or_default() += weight;
                    } else {
                        ahead.push((after, weight));
                    }
                }
            }
        }
    }
    Ok(habits)
}

fn of<const K: usize>(ranks: usize, terms: Terms, run: &Run<'_>) -> Result<Habits, Error> {
    let game = Party::<K>::new(ranks, 4, terms)?;
    let table = Table::<K>::solve(4, terms, Extent::of(&game, &game.start()), Keep::All, run)?;
    follow(&game, &table, run)
}

/// What happens in a game of so many players and ranks of four cards.
///
/// # Errors
/// As solving fails; another number of players is refused.
pub fn habits(players: usize, ranks: usize, terms: Terms, run: &Run<'_>) -> Result<Habits, Error> {
    match players {
        2 => of::<2>(ranks, terms, run),
        3 => of::<3>(ranks, terms, run),
        4 => of::<4>(ranks, terms, run),
        _ => Err(Refusal::new("players", players, Text::same("2–4")).into()),
    }
}

/// The cells of a golden table with at most so many ranks by what is played for, computed: `k=3 n=13 pairs end: passes`.
///
/// # Errors
/// As solving fails.
pub fn computed(
    golden: &Golden,
    most: impl Fn(&str) -> usize,
    run: &Run<'_>,
) -> Result<Vec<Computed>, Error> {
    let mut all = Vec::new();
    let (mut before, mut found) = (String::new(), Habits::default());
    for cell in golden.read().cells {
        let Some((game, what)) = cell.cell.split_once(": ") else { continue };
        let Some(Counted { players, ranks, words }) = Counted::read(game) else { continue };
        let [objective, pass] = words.as_slice() else { continue };
        if ranks > most(objective) {
            continue;
        }
        if before != game {
            found = habits(players, ranks, terms(objective, pass, "lex")?, run)?;
            before = game.to_owned();
        }
        let x = match what {
            "passes" => found.passes,
            "known second cards" => found.known,
            "unknown second cards" => found.unknown,
            "percent ended by passes" => 100.0 * found.ended,
            _ => found.pairs,
        };
        all.push(Computed::exact(&cell.cell, x, format!("{x:.6}")));
    }
    Ok(all)
}

/// The parameters of the study.
pub static PARAMS: [Param; 4] = [
    Param::int("ranks", 2, 16, "8", text("the largest number of ranks", "ランク数の上限")),
    Param::int("players", 2, 4, "3", text("how many play", "人数")),
    Param {
        name: "objective",
        domain: Domain::Choice(&[
            ("pairs", text("own expected pairs", "自分のペア数の期待値")),
            ("win", text("win rate; equals share a win", "勝率（同数なら等分）")),
        ]),
        default: "pairs",
        help: text("what the players maximise", "最大化する量"),
    },
    super::players::pass("end"),
];

/// What happens in a game by ranks.
///
/// # Errors
/// As solving fails.
pub fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let (most, players) = (settings.int("ranks") as usize, settings.int("players") as usize);
    let terms = terms(settings.word("objective"), settings.word("pass"), "lex")?;
    let mut list = List::new(text(
        "what happens in a game of best play, on average",
        "最善手どうしの1局で起きることの平均",
    ));
    let (mut passes, mut known, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for ranks in 2..=most {
        let found = habits(players, ranks, terms, run)?;
        let told = |x: f64| format!("{x:.4}");
        let n = ranks as f64;
        passes.push((n, found.passes));
        known.push((n, found.known));
        unknown.push((n, found.unknown));
        list.push(
            Record::new()
                .count("ranks", text("ranks>", "ランク>"), ranks as u64)
                .field("passes", text("passes>", "パス>"), told(found.passes), found.passes)
                .field(
                    "known",
                    text("known second cards>", "2枚目が既知（異）>"),
                    told(found.known),
                    found.known,
                )
                .field(
                    "unknown",
                    text("unknown second cards>", "2枚目が未知>"),
                    told(found.unknown),
                    found.unknown,
                )
                .field(
                    "ended_by_passes",
                    text("ended by passes, %>", "パスで終局（%）>"),
                    format!("{:.2}", 100.0 * found.ended),
                    found.ended,
                )
                .field("pairs", text("pairs taken>", "取得ペア>"), told(found.pairs), found.pairs)
                .field(
                    "pairs_then",
                    text("ended so>", "パス終局のとき>"),
                    found.taken_then().map(told).unwrap_or_default(),
                    json!(found.taken_then()),
                )
                .certainty(Certainty::Exact),
        );
    }
    let mut plot = Plot::new(
        text("what happens in a game", "1局で起きること"),
        text("ranks", "ランク数"),
        text("times a game", "1局あたりの回数"),
    );
    plot.series = vec![
        Series::new(text("passes", "パス"), Draw::Line, passes),
        Series::new(text("known second cards", "2枚目が既知（異）"), Draw::Line, known),
        Series::new(text("unknown second cards", "2枚目が未知"), Draw::Line, unknown),
    ];
    let json = json!({"players": players, "objective": settings.word("objective"), "pass": settings.word("pass"),
        "ranks": list.json});
    Ok(Outcome { blocks: vec![Block::Table(list.table), Block::Plot(plot)], json, good: true })
}
