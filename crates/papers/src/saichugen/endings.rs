//! The last turns between three who look for their best, for the report: how little is left to gain, round by round of CFR+, beside
//! what the paper's players leave.

use super::last_turns::Turns;
use super::open::last_turns::{Shape, ending};
use super::open::searchers;
use crate::reproduction::{Effort, Piece};
use serde_json::json;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::saichugen::player::House;
use yomikiri_games::saichugen::rules::SEATS;
use yomikiri_solve::regret::Exploitability;
use yomikiri_view::report::{Block, Certainty, Draw, List, Plot, Record, Scale, Series};

/// The last turn and the last two; in the short run two turns with hands of three cards instead of four, and fewer rounds.
fn shapes(effort: Effort) -> [Shape; 2] {
    let (left, rounds) = match effort {
        Effort::Quick => (1, 32),
        Effort::Full => (2, 256),
    };
    [Shape { turns: 1, left: 2, rounds: 256 }, Shape { turns: 2, left, rounds }]
}

/// An ending on the way to an equilibrium.
struct Approach {
    shape: Shape,
    /// Rounds played, and the worth of the average play then.
    worth: Vec<(u64, Exploitability)>,
    /// The worth of three of the paper's players.
    searchers: Exploitability,
}

impl Approach {
    fn new(shape: Shape, run: &Run<'_>) -> Result<Approach, Error> {
        run.fits(4 * Turns::bytes(shape.turns + shape.left, shape.turns))?;
        let mut party = searchers(House::default());
        let mut turns = Turns::new(&ending(&mut party, shape, run.seed, 0), shape.turns);
        let mut worth = Vec::new();
        while turns.rounds() < shape.rounds {
            turns.play(turns.rounds().max(1), run)?;
            worth.push((turns.rounds(), turns.worth(turns.average())));
        }
        Ok(Approach { shape, worth, searchers: turns.worth(&turns.searchers()) })
    }

    fn name(&self) -> Text {
        let hand = self.shape.turns + self.shape.left;
        match self.shape.turns {
            1 => Text::of(format!("last turn, {hand} cards a hand"), format!("最終ターン（手札{hand}枚）")),
            n => Text::of(
                format!("last {n} turns, {hand} cards a hand"),
                format!("最後の{n}ターン（手札{hand}枚）"),
            ),
        }
    }
}

/// The part.
pub(super) fn part(effort: Effort, run: &Run<'_>) -> Result<Piece, Error> {
    let all =
        shapes(effort).into_iter().map(|shape| Approach::new(shape, run)).collect::<Result<Vec<_>, _>>()?;
    let mut plot = Plot::new(
        text("What is left to gain, by rounds of CFR+", "CFR+ の反復回数と、残る利得"),
        text("rounds", "反復回数"),
        text("largest gain of a seat", "席の利得（最大）"),
    );
    (plot.x.scale, plot.y.scale) = (Scale::Log, Scale::Log);
    plot.note = text(
        "One ending of a game of the paper's players; the gain of the exact best response to the average play so far.",
        "論文のプレイヤーの対戦から採った1つの終盤。それまでの平均の打ち方に対する厳密な最適応答の利得。",
    );
    let mut list = List::new(text(
        "Play that was found, and three of the paper's players, in one ending each (exact up to rounding)",
        "得られた打ち方と論文のプレイヤー3人（各1終盤、丸め誤差を除き厳密）",
    ));
    for approach in &all {
        let points = approach.worth.iter().map(|(rounds, worth)| (*rounds as f64, worth.gain()));
        plot.series.push(Series::new(approach.name(), Draw::Line, points));
        let Some((rounds, found)) = approach.worth.last() else { continue };
        for seat in 0..SEATS {
            let real = |x: f64| (format!("{x:+.3}"), x);
            let [(got, value), (kept, left), (search, theirs)] =
                [real(found.values[seat]), real(found.gains()[seat]), real(approach.searchers.gains()[seat])];
            list.push(
                Record::new()
                    .words("ending", text("ending", "終盤"), approach.name())
                    .count("rounds", text("rounds>", "反復>"), *rounds)
                    .count("seat", text("seat>", "席>"), seat as u64 + 1)
                    .field("value", text("gets>", "期待値>"), got, value)
                    .field("gain", text("could gain>", "残る利得>"), kept, left)
                    .field(
                        "search_gain",
                        text("the paper's players leave>", "論文のプレイヤーが残す利得>"),
                        search,
                        theirs,
                    )
                    .certainty(Certainty::Exact),
            );
        }
    }
    let note = match effort {
        Effort::Quick => text(
            "Two turns are shown with hands of three cards here; with --full as they are.",
            "ここでは2ターンを手札3枚で示す。--full では本来の手札で計算する。",
        ),
        Effort::Full => text(
            "Hands are those of the real game; more endings: study saichugen last-turns.",
            "手札は本来の枚数。終盤を増やすには study saichugen last-turns。",
        ),
    };
    let points: Vec<_> =
        all.iter().map(|a| a.worth.iter().map(|(n, w)| json!([n, w.gain()])).collect::<Vec<_>>()).collect();
    let json = list.json.clone();
    Ok(Piece::of([Block::Paragraph(note), Block::Plot(plot), Block::Table(list.table)])
        .with("endings", json)
        .with("gain_by_rounds", points))
}
