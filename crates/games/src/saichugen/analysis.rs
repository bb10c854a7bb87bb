//! What cards are worth: exact expectations in the last round against opponents who play at random. Before it they are
//! sampled, and say so.

use super::kernel::{Kernel, Values, fraction};
use super::rules::{Card, LAST_ROUND, joined};
use super::sample::{ESTIMATES, Sampled, estimated};
use super::scene::measure;
use super::seats::{Party, drawn};
use super::view::{LastRound, Seen, Step, View};
use super::whole::{Midturn, STREAM, Saichugen};
use crate::analyse::Analyse;
use serde_json::{Map, Value};
use std::sync::{Mutex, PoisonError};
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Number, Rational, Run, Text, Turn, text};
use yomikiri_view::analysis::{Analysis, Score};
use yomikiri_view::report::{Certainty, grouped};
use yomikiri_view::scene::{Line, LineStep, Viewer, signed};

/// Random numbers of values that are sampled, apart from those of play.
const SAMPLED: u64 = STREAM + (1 << 32);

/// Analyses decisions of the last round.
#[derive(Default)]
pub struct Analyst(Mutex<Kernel>);

impl Analyst {
    fn values(&self, view: &View) -> Values {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values(view)
    }
}

/// A payoff that is a fraction, as people read it.
fn score(total: i32, denominator: i32) -> Score {
    let exact = Rational::new(total.into(), denominator.into());
    let x = f64::from(total) / f64::from(denominator);
    let written = |digits: usize| Text::same(signed(format!("{x:.digits$}")));
    Score { x, short: written(3), long: written(6), ..measure().score(&exact, None) }
}

/// What the cards of a hand are worth.
fn analysis<A: Copy + PartialEq>(values: &Values, action: fn(Card) -> A) -> Analysis<A> {
    let moves = values.cards().map(|(card, total)| (action(card), score(total, values.denominator())));
    let mut analysis = Analysis::new(&measure(), None, moves.collect(), 0.0);
    analysis.of = text("Expected payoff of the seat to move", "手番の席の利得の期待値");
    analysis.note = text("against opponents who play any unseen card", "相手は未見のカードを無作為に出す");
    analysis.aside = Some(payoffs());
    let below = grouped(values.denominator() as u64);
    analysis.trust = Text::of(
        format!(
            "Exact: every line is gone through; values are fractions over {below}. The opponents are a model, not best players."
        ),
        format!("厳密：全ての進行を調べた値（分母{below}の分数）。相手はモデルであり最善ではない。"),
    );
    analysis
}

/// What the cards of a hand in rounds 1 to 4 are worth. Cards that luck alone may tell apart are equally good.
fn estimate(sampled: &Sampled) -> Analysis<Card> {
    let score = |x: f64, half: f64| {
        let written = |digits: usize| Text::same(signed(format!("{x:.digits$}")));
        Score {
            text: written(2),
            short: written(2),
            long: written(3),
            sub: Text::same(format!("±{half:.2}")),
            certainty: Certainty::Sampled,
            interval: Some((x - half, x + half)),
            ..Score::new(x, Text::default())
        }
    };
    let games = grouped(ESTIMATES.into());
    let moves = sampled.cards.iter().map(|&(card, x, half)| (card, score(x, half))).collect();
    let (value, half) = sampled.value;
    let mut analysis = Analysis::new(&measure(), Some(score(value, half)), moves, sampled.noise);
    analysis.of = text("Expected payoff of the seat to move", "手番の席の利得の期待値");
    analysis.note = text("if everybody goes on at random", "以後は全員が無作為に出す場合");
    analysis.aside = Some(payoffs());
    analysis.trust = Text::of(
        format!(
            "Sampled: {games} random games from here, the same for every card; ± is the 95 % interval. Cards that luck alone may tell apart count as equal. Mistakes are judged in round 5 only, where values are exact."
        ),
        format!(
            "標本推定：ここから無作為に{games}局（全カード共通）。±は95 %信頼区間。偶然の範囲の差は同じとみなす。間違いの判定は値が厳密な第5ラウンドだけ。"
        ),
    );
    analysis
}

/// What the game pays, beside the cards.
fn payoffs() -> Line {
    let row = |en: &'static str, ja: &'static str, sub: &'static str| LineStep {
        text: text(en, ja),
        sub: Text::same(sub),
        seat: None,
    };
    Line {
        title: text("Payoff by number of winners", "勝者数ごとの利得"),
        note: text("winner / loser", "勝者／敗者"),
        list: true,
        steps: vec![
            row("one winner: the middle total alone", "1人：中位の合計が単独", "+2 / −1"),
            row("two winners: the middle total shared", "2人：中位の合計が同点", "+1 / −2"),
            row("three winners", "3人とも同点", "0"),
        ],
    }
}

/// What a game that is over paid a player.
fn paid<G: Game>(game: &G, s: &G::State) -> Analysis<G::Action> {
    let value = measure().score(&Rational::from_int(game.utility(s, 0)), None);
    Analysis::new(&measure(), Some(value), Vec::new(), 0.0)
}

impl Analyse<LastRound> for Analyst {
    fn analyse(&self, game: &LastRound, s: &Seen, _: Viewer, _: &Run<'_>) -> Result<Analysis<Step>, Error> {
        if game.turn(s) == Turn::Terminal {
            return Ok(paid(game, s));
        }
        let view = &s.view;
        let values = self.values(view);
        let mut analysis = analysis(&values, Step::Mine);
        if let Some(card) = s.mine {
            analysis.value = analysis.of_move(Step::Mine(card)).map(|m| m.score.clone());
            analysis.moves.clear();
        }
        analysis.facts = vec![
            (text("turn", "ターン"), view.turn.to_string().into()),
            (text("cards not seen", "不明なカード"), view.unknown.drawn().into()),
            (text("kept: me, opponents", "点数：自分、相手"), joined(view.scores).into()),
            (text("this round", "このラウンド"), joined(view.round).into()),
            (text("opponents", "相手"), text("play any unseen card", "未見のカードを無作為に出す").into()),
        ];
        let fraction = |total: i32| fraction(total, values.denominator()).into();
        let fractions: Map<String, Value> =
            values.cards().map(|(card, total)| (card.to_string(), fraction(total))).collect();
        analysis.json.insert("turn".into(), view.turn.into());
        analysis.json.insert("values".into(), fractions.into());
        analysis.json.insert("approx".into(), values.value().into());
        Ok(analysis)
    }
}

/// Analyses a running game, and plays the seats that no person takes.
pub struct Players {
    analyst: Analyst,
    party: Mutex<Party>,
}

impl Players {
    /// Those of a game.
    pub fn new(game: &Saichugen) -> Players {
        Players { analyst: Analyst::default(), party: Mutex::new(Party::new(game.lineup, game.house)) }
    }
}

impl Analyse<Saichugen> for Players {
    fn analyse(
        &self,
        game: &Saichugen,
        s: &Midturn,
        _: Viewer,
        run: &Run<'_>,
    ) -> Result<Analysis<Card>, Error> {
        Ok(match game.turn(s) {
            Turn::Player(seat) if s.table.turn >= LAST_ROUND => {
                analysis(&self.analyst.values(&View::of(&s.table, usize::from(seat))), |card| card)
            }
            Turn::Terminal => paid(game, s),
            Turn::Player(seat) => {
                let seat = usize::from(seat);
                let stream = SAMPLED + 4 * u64::from(s.table.turn) + seat as u64;
                let view = View::of(&s.table, seat);
                // Every face asks for the same position several times.
                let name = format!("saichugen/sampled {} {stream} {view:?}", game.seed);
                let sampled = run.cached(&name, || {
                    let sampled = estimated(&view, &mut Random::stream(game.seed, stream), run)?;
                    Ok((sampled, 1 << 10))
                })?;
                estimate(&sampled)
            }
            Turn::Chance => Analysis::unknown(&measure(), Text::default()),
        })
    }

    /// Samples judge nobody.
    fn good(&self, _: &Saichugen, s: &Midturn, _: Card, _: &Run<'_>) -> Result<bool, Error> {
        Ok(s.table.turn < LAST_ROUND)
    }

    /// What the player of the seat chooses, or the model where that leaves it open. What the model draws in a turn is the
    /// same for all seats, so random numbers come from the seed of the game and the turn.
    fn machine(
        &self,
        game: &Saichugen,
        s: &Midturn,
        _: &mut Random,
        _: &Run<'_>,
    ) -> Result<Option<Card>, Error> {
        let (table, seat) = (&s.table, s.seat());
        let step = STREAM + 4 * u64::from(table.turn);
        let mut own = Random::stream(game.seed, step + 1 + seat as u64);
        let chosen = self.party.lock().unwrap_or_else(PoisonError::into_inner).choice(table, seat, &mut own);
        let model = || drawn(game.house.model, table, &mut Random::stream(game.seed, step))[seat];
        Ok(Some(chosen.unwrap_or_else(model)))
    }
}
