//! Advice for people, the paper's last question: simple rules for which move to make, without looking at the row
//! after it or looking one, two or three moves ahead, measured against each other on the same deals.

use crate::paper::Study;
use crate::stats::clopper_pearson;
use crate::sweep::{Sweep, sweep, whole, words};
use serde_json::json;
use yomikiri_core::random::Random;
use yomikiri_core::rows::Column;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::accordion::rules::{Rules, Step, deal};
use yomikiri_games::accordion::sliced::{Done, Machine, Sliced};
use yomikiri_games::params::{Param, Settings};
use yomikiri_solve::search::Puzzle;
use yomikiri_view::report::{Block, Cell, List, Outcome, Record, Tone, grouped};

static COLUMNS: [Column; 4] = [
    words("policy", text("the rule", "方針")),
    whole("plies", text("moves looked ahead", "先読みの手数")),
    whole("deal", text("number of the deal under the seed", "配札の番号")),
    whole("left", text("cards left at the end; 1 is success", "残った枚数（1なら成功）")),
];

/// The study.
pub const STUDY: Study = Study {
    name: "advice",
    summary: text(
        "advice for people: rules for choosing a move, with 0 to 3 moves of looking ahead, compared",
        "人のための助言：手の選び方を先読み0～3手で比べる",
    ),
    params: &[
        Param::int("deals", 10, 1_000_000, "500", text("deals each rule plays", "各方針が遊ぶ配札の数")),
        Param::int("plies", 0, 3, "2", text("moves looked ahead at most", "先読みの最大手数")),
    ],
    rows: &COLUMNS,
    run: study,
};

/// A rule for choosing a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Any move.
    Random,
    /// The paper's: from the left, the next card before the third.
    Greedy,
    /// From the right.
    Rightmost,
    /// Cover the card whose rank, then suit, has the fewest cards left.
    Scarce,
    /// Keep the most moves.
    Mobility,
    /// Keep suits and ranks concentrated: many of few.
    Concentration,
    /// Both.
    Both,
}

impl Policy {
    /// All of them, with the least and the most moves they can look ahead.
    pub const ALL: [(Policy, u8, u8); 7] = [
        (Policy::Random, 0, 0),
        (Policy::Greedy, 0, 0),
        (Policy::Rightmost, 0, 0),
        (Policy::Scarce, 0, 0),
        (Policy::Mobility, 1, 3),
        (Policy::Concentration, 1, 3),
        (Policy::Both, 1, 3),
    ];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Policy::Random => "random",
            Policy::Greedy => "greedy",
            Policy::Rightmost => "rightmost",
            Policy::Scarce => "scarce",
            Policy::Mobility => "mobility",
            Policy::Concentration => "concentration",
            Policy::Both => "both",
        }
    }

    /// The rule in a sentence.
    pub fn rule(self) -> Text {
        match self {
            Policy::Random => text("make any move", "どれでもよい"),
            Policy::Greedy => text(
                "the paper's: the first move from the left, the next card before the third",
                "論文の力まかせ法：左から最初に合うもの、隣を優先",
            ),
            Policy::Rightmost => text("the last move from the left", "最も右の手"),
            Policy::Scarce => text(
                "cover the card whose rank, then whose suit, has the fewest cards left",
                "残りが最も少ないランク（同じならスート）のカードを捨てる",
            ),
            Policy::Mobility => text("keep as many moves as possible", "次の合法手が最も多くなる手"),
            Policy::Concentration => text(
                "keep many cards of few suits and ranks (8Σsuit² + 20Σrank²)",
                "少ないスート・ランクに集める（8Σスート² + 20Σランク²）",
            ),
            Policy::Both => text(
                "keep many moves, and many cards of few suits and ranks (10·moves + 8Σsuit² + 20Σrank²)",
                "合法手を多く保ち、少ないスート・ランクに集める（10·手数 + 8Σスート² + 20Σランク²）",
            ),
        }
    }

    /// How good a row looks.
    fn score(self, machine: &Machine, s: &Sliced) -> i32 {
        let moves = machine.mobility(s) as i32;
        match self {
            Policy::Mobility => moves,
            Policy::Concentration => s.concentration(),
            _ => 10 * moves + s.concentration(),
        }
    }

    /// The best score that so many more moves can come to; a row that is stuck is worse the more cards it has.
    fn ahead(self, machine: &Machine, s: &Sliced, plies: u8) -> i32 {
        if machine.solved(s) {
            return i32::MAX;
        }
        if machine.mobility(s) == 0 {
            return i32::MIN / 2 - s.len() as i32;
        }
        if plies == 0 {
            return self.score(machine, s);
        }
        let mut best = i32::MIN;
        machine.each(s, |step| best = best.max(self.ahead(machine, &machine.apply(s, step), plies - 1)));
        best
    }

    /// The move it makes; `None` when there is none.
    pub fn choose(self, machine: &Machine, s: &Sliced, plies: u8, random: &mut Random) -> Option<Step> {
        let mut moves = Vec::new();
        machine.moves(s, &Done::default(), &mut moves);
        match self {
            Policy::Random if moves.is_empty() => None,
            Policy::Random => Some(moves[random.below(moves.len() as u64) as usize]),
            Policy::Greedy => machine.greedy_move(s),
            Policy::Rightmost => moves.into_iter().max_by_key(|m| (m.y, m.x)),
            Policy::Scarce => moves.into_iter().min_by_key(|m| {
                let (suit, rank) = s.companions(m.y);
                (rank, suit)
            }),
            // The first of those that look best.
            _ => moves
                .into_iter()
                .rev()
                .max_by_key(|&m| self.ahead(machine, &machine.apply(s, m), plies.saturating_sub(1))),
        }
    }

    /// The cards left when it plays a row to the end.
    pub fn play(self, machine: &Machine, s: &Sliced, plies: u8, random: &mut Random) -> usize {
        let mut s = *s;
        while let Some(step) = self.choose(machine, &s, plies, random) {
            s = machine.apply(&s, step);
        }
        s.len()
    }
}

/// What a rule came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The rule.
    pub policy: Policy,
    /// Moves looked ahead.
    pub plies: u8,
    /// Deals played.
    pub deals: u64,
    /// Successes.
    pub won: u64,
    /// Cards left, added up.
    pub left: u64,
}

/// Has every rule play the same deals with up to so many moves of looking ahead.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn measure(deals: u64, plies: u8, run: &Run<'_>) -> Result<Vec<Measured>, Error> {
    let machine = Machine::new(&Rules::default());
    let mut rules: Vec<(Policy, u8)> = Policy::ALL
        .iter()
        .flat_map(|&(policy, from, to)| (from..=to.min(plies)).map(move |n| (policy, n)))
        .collect();
    rules.sort_by_key(|r| r.1);
    let sheet = Sweep {
        what: text("playing by rules", "方針どおりに遊んでいます"),
        columns: &COLUMNS,
        items: deals * rules.len() as u64,
        block: 20,
    };
    let item = |_: &mut (), number: u64| {
        let ((policy, plies), number) = (rules[(number / deals) as usize], number % deals);
        let row = Sliced::of(&Rules::default().row(deal(4, 13, 52, run.seed, number)));
        // A stream of its own beside that of the deal.
        let mut random = Random::stream(!run.seed, number);
        let left = policy.play(&machine, &row, plies, &mut random) as u64;
        Ok(vec![policy.word().to_owned().into(), u64::from(plies).into(), number.into(), left.into()])
    };
    let mut measured: Vec<Measured> =
        rules.iter().map(|&(policy, plies)| Measured { policy, plies, deals, won: 0, left: 0 }).collect();
    sweep(
        run,
        &sheet,
        || (),
        item,
        |number, row| {
            let one = &mut measured[(number / deals) as usize];
            let left = row[3].int() as u64;
            one.won += u64::from(left == 1);
            one.left += left;
        },
    )?;
    Ok(measured)
}

fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let measured = measure(settings.int("deals") as u64, settings.int("plies") as u8, run)?;
    let deals = grouped(measured.first().map_or(0, |m| m.deals));
    let mut list = List::new(Text::of(
        format!("Rules for choosing a move, {deals} deals each"),
        format!("手の選び方（各{deals}配札）"),
    ));
    let best = measured.iter().map(|m| m.won).max().unwrap_or(0);
    for m in &measured {
        let (low, high) = clopper_pearson(m.won, m.deals);
        let (share, left) = (m.won as f64 / m.deals as f64, m.left as f64 / m.deals as f64);
        let tone = if m.won == best { Tone::Strong } else { Tone::Plain };
        let name = Cell::from(m.policy.word()).tone(tone);
        let percent = Cell::from(format!("{:.2} %", share * 100.0)).tone(tone);
        let interval = format!("{:.2}–{:.2} %", low * 100.0, high * 100.0);
        list.push(
            Record::new()
                .field("policy", text("rule", "方針"), name, m.policy.word())
                .count("plies", text("moves ahead>", "先読み>"), m.plies.into())
                .count("won", text("successes>", "成功>"), m.won)
                .field("share", text("share>", "割合>"), percent, share)
                .field("interval_95", text("interval (95 %)>", "区間（95 %）>"), interval, [low, high])
                .field("mean_left", text("cards left, mean>", "残り枚数の平均>"), format!("{left:.2}"), left)
                .show(text("", ""), Cell::from(m.policy.rule()).tone(Tone::Dim))
                .data("deals", m.deals)
                .data("kind", "sampled"),
        );
    }
    // The best that needs no more than a look at the row after the move.
    let simple = measured.iter().filter(|m| m.plies <= 1).max_by_key(|m| m.won);
    let mut blocks = vec![Block::Table(list.table)];
    if let Some(simple) = simple {
        let rule = simple.policy.rule();
        let share = simple.won as f64 / simple.deals as f64 * 100.0;
        let (low, high) = clopper_pearson(simple.won, simple.deals);
        let (low, high) = (low * 100.0, high * 100.0);
        blocks.push(Block::Paragraph(Text::of(
            format!(
                "The best simple rule: {}. It wins {share:.1} % of deals ({low:.1}–{high:.1} %, sampled).",
                rule.en
            ),
            format!("最良の単純な方針：{}。成功率{share:.1} %（{low:.1}–{high:.1} %、標本推定）。", rule.ja),
        )));
    }
    let json = json!({"game": "accordion", "study": "advice", "seed": run.seed, "rules": list.json});
    Ok(Outcome { blocks, json, good: true })
}
