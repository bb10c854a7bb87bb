//! Three against two at the table: a person on either side against the strategy of a proof, which never looks at the
//! person's colours.

use super::ask::{self, ID};
use super::both::{Both, View, fraction};
use super::plan::{Mind, Part, Plan};
use crate::analyse::Analyse;
use crate::erased::Erased;
use crate::geister::board::{Position, Side};
use crate::geister::table::{Against, At, Deed, Made, Opponent, State, Table};
use crate::geister::{asked, notation, scene};
use crate::params::Settings;
use serde_json::{Value, json};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use yomikiri_core::number::{Rational, approx};
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_solve::belief::ENDED;
use yomikiri_view::analysis::{Analysis, Measure, Score};
use yomikiri_view::report::{Certainty, grouped};
use yomikiri_view::scene::Viewer;

/// Games against the strategy of a proof.
pub static PROVED: Erased<Against<Proved>> = Erased(&Against::new());

/// How close bounds count as equal: the error of their sums.
const TOLERANCE: f64 = 1e-9;

/// The strategy of a proof.
pub struct Proved {
    both: Arc<Both>,
    /// The strategies of both sides; the one of the person's is not used.
    plans: [Arc<Plan>; 2],
    /// Red pieces that are told, as the tables number them.
    told: [Option<u8>; 2],
}

/// Minds with weights that add up to 1.
#[derive(Clone, Debug, PartialEq)]
struct Minds(Vec<(Mind, f64)>);

// Weights are sums and products of numbers above 0: never anything that is not equal to itself.
impl Eq for Minds {}

impl Hash for Minds {
    fn hash<H: Hasher>(&self, to: &mut H) {
        self.0.iter().for_each(|(mind, weight)| (mind, weight.to_bits()).hash(to));
    }
}

/// What the strategy has in mind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thought {
    /// The side of the person.
    person: u8,
    view: View,
    /// The number of each side's red piece.
    types: [u8; 2],
    /// Where the strategy stands; only it knows.
    mind: Mind,
    /// A move of the person that it has not yet thought about, and its own type before it.
    asked: Option<(u32, u8)>,
    /// Where it may stand as far as the person can tell.
    minds: Minds,
}

impl Proved {
    fn plan(&self, person: u8) -> &Plan {
        &self.plans[usize::from(1 - person)]
    }

    /// What the strategy is sure of, for its own side.
    fn sure(&self, t: &Thought) -> Rational {
        let plan = self.plan(t.person);
        let others = plan.public(0).sides[usize::from(t.person)].count_ones() as usize;
        let least = (0..others).map(|j| plan.promise(0, j)).min();
        least.unwrap_or_else(|| plan.promise(0, 0))
    }

    /// The beginning with the person on a side. Colours are dealt: the strategy's as its proof says, the person's evenly,
    /// unless they are told.
    fn begin(&self, view: View, person: u8, random: &mut Random) -> At<Proved> {
        let (machine, plan) = (usize::from(1 - person), self.plan(person));
        let types = [0, 1].map(|side| {
            let pieces = view.public.sides[side].count_ones() as usize;
            let weights = if side == machine { plan.entry(0).belief } else { ask::even(pieces) };
            let weighted: Vec<(u8, u32)> =
                (0..pieces as u8).map(|k| (k, weights[usize::from(k)] as u32)).collect();
            let drawn = random.draw(&weighted).unwrap_or(0);
            self.told[side].unwrap_or(drawn)
        });
        let own = types[machine];
        // Colours that the strategy never has, if they are told: it makes the best of them.
        let planned = plan.entry(0).belief[usize::from(own)] > 0;
        let mind = if planned { Mind::Entry(0) } else { Mind::Free(own) };
        let minds = Minds(vec![(mind, 1.0)]);
        let real = view.position(&self.both.open.rules.board, types.map(Some));
        State::new(real, Thought { person, view, types, mind, asked: None, minds })
    }

    /// What the strategy may do, with weights: first it settles where it stands after the person's move, then it moves.
    fn lottery(&self, t: &Thought) -> Vec<(Made<Proved>, f64)> {
        let (plan, rules) = (self.plan(t.person), &self.both.open.rules);
        let own = t.types[plan.holder];
        let steps = rules.steps(&t.view.public);
        let deed = |number: u32, choice: Option<Mind>| Deed {
            step: t.view.step(&rules.board, steps[number as usize]),
            choice,
        };
        let minds = match (t.mind, t.asked) {
            (Mind::Entry(entry), Some((number, was))) => {
                let parts = shares(plan.lottery(entry, Some(number)), was);
                parts.into_iter().map(|(part, w)| (part.mind.unwrap_or(Mind::Free(own)), w)).collect()
            }
            (mind, _) => vec![(mind, 1.0)],
        };
        let mut all = Vec::new();
        for (mind, weight) in minds {
            let parts = match mind {
                Mind::Entry(entry) => shares(plan.lottery(entry, None), own),
                Mind::Free(_) => Vec::new(),
            };
            if parts.is_empty() {
                all.push((deed(plan.free(&t.view, own), None), weight));
            }
            for (part, share) in parts {
                let made = match part.number {
                    Some(number) => deed(number, part.mind),
                    None => deed(plan.free(&t.view, own), None),
                };
                all.push((made, weight * share));
            }
        }
        all
    }
}

/// The parts of a lottery that a type may draw, with weights that add up to 1.
fn shares(parts: Vec<Part>, kind: u8) -> Vec<(Part, f64)> {
    let weight = |part: &Part| approx(&part.with(usize::from(kind)));
    let sum: f64 = parts.iter().map(weight).sum();
    let likely = parts.into_iter().map(|part| (weight(&part) / sum, part)).filter(|(w, _)| *w > 0.0);
    likely.map(|(w, part)| (part, w)).collect()
}

impl Opponent for Proved {
    type Mind = Thought;
    /// Where it stands in its proof.
    type Choice = Option<Mind>;

    /// The three move first unless it is told.
    fn set_up(settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Table<Proved>, Error> {
        let grid = ask::grid(settings)?;
        if settings.given("opponent") && settings.word("opponent") != "strategy" {
            let accepts = Text::of(format!("strategy, with {ID}"), format!("{ID} では strategy"));
            return Err(Refusal::new("opponent", settings.word("opponent"), accepts).into());
        }
        let spot = position.map(ask::read).transpose()?;
        if spot.as_ref().is_some_and(|s| s.beliefs.iter().any(Option::is_some)) {
            let accepts = text("none: each side chooses its colours", "なし（色は各自が選ぶ）");
            return Err(Refusal::of("beliefs", text("beliefs", "信念"), accepts).into());
        }
        let board = spot.as_ref().map_or_else(|| asked::board(settings), |spot| Ok(spot.board.clone()))?;
        let both = Both::new(&board, grid, run)?;
        let (public, told) = spot.map_or((both.open.starts[0], [None; 2]), |s| (s.public(), s.told));
        let view = View::of(&both.open.rules, public);
        let at = both.find(&view)?;
        let plans = [Plan::shared(&both, at, 0, run)?, Plan::shared(&both, at, 1, run)?];
        let told = [0, 1].map(|side| {
            let order = view.order(&board, side);
            told[side].and_then(|n| order.iter().position(|place| *place == usize::from(n))).map(|n| n as u8)
        });
        let opponent = Proved { both, plans, told };
        let start = opponent.begin(view, view.public.turn, &mut Random::new(run.seed));
        Ok(Table { board, opponent, start })
    }
    fn side(&self, t: &Thought) -> Option<u8> {
        Some(1 - t.person)
    }
    fn seats(&self, _: &Table<Proved>) -> Vec<Option<u8>> {
        // The strategy sits on the other side.
        vec![Some(0), Some(1)]
    }
    fn sit(&self, start: &At<Proved>, person: u8, random: &mut Random) -> At<Proved> {
        self.begin(start.mind.view, person, random)
    }
    fn known(&self, s: &At<Proved>) -> [Side; 2] {
        s.real.sides.map(|side| Side([0, 0, side.all()]))
    }
    fn choice(&self, t: &Thought) -> Option<Mind> {
        Some(t.mind)
    }
    fn after(&self, s: &At<Proved>, deed: Made<Proved>, _: &Position) -> Thought {
        let (t, rules) = (&s.mind, &self.both.open.rules);
        let plan = self.plan(t.person);
        let number = t.view.number(rules, deed.step).unwrap_or(0);
        let next = rules.all(&t.view.public)[number].next.map_or([[ENDED; 3]; 2], |next| next.types);
        let types = [0, 1].map(|side| next[side][usize::from(t.types[side])]);
        let view = t.view.after(rules, rules.steps(&t.view.public)[number]);
        let (own, number) = (types[plan.holder], number as u32);
        let (mind, asked, minds) = if s.real.turn == t.person {
            let minds = plan.answered(&t.view, &t.minds.0, number);
            match t.mind {
                Mind::Free(_) => (Mind::Free(own), None, minds),
                entry => (entry, Some((number, t.types[plan.holder])), minds),
            }
        } else {
            let mind = deed.choice.unwrap_or(Mind::Free(own));
            let minds = plan.seen(&t.view, &t.minds.0, number);
            // What the person may think is never wrong.
            debug_assert!(minds.iter().any(|m| m.0 == mind), "{mind:?} is not among {minds:?}");
            (mind, None, minds)
        };
        Thought { person: t.person, view, types, mind, asked, minds: Minds(minds) }
    }
    fn plans(&self, s: &At<Proved>) -> Vec<Made<Proved>> {
        self.lottery(&s.mind).into_iter().map(|plan| plan.0).collect()
    }
    /// Without anybody's colours, so that it can be asked about everywhere.
    fn written(&self, s: &At<Proved>, seen: &Position) -> String {
        let sides = if s.end.is_some() { seen.sides } else { self.known(s) };
        notation::written(ID, &self.both.open.rules.board, &Position { turn: seen.turn, sides })
    }
    fn values(&self, _: &Table<Proved>) -> Box<dyn Analyse<Table<Proved>>> {
        Box::new(AtMost)
    }
    fn measure(&self) -> Measure {
        Measure::Points { name: text("Your payoff, at most", "あなたの利得（上界）") }
    }
    fn promise(&self, t: &Thought) -> Text {
        let promise = fraction(&self.sure(t));
        Text::of(
            format!("it is sure of {promise} on average, whatever you do [proved]"),
            format!("戦略側は相手が何をしても平均{promise}以上［証明済み］"),
        )
    }
    fn flawless(&self) -> Text {
        text(
            "not judged: with hidden colours only bounds are known",
            "判定なし（色が見えない局面では上下界しか分からない）",
        )
    }
    fn record(&self, s: &At<Proved>) -> Vec<(&'static str, Value)> {
        vec![
            ("analysis", json!(ID)),
            ("grid", json!(self.both.grid.id())),
            ("opponent", json!("strategy")),
            ("promise", json!(self.sure(&s.mind).to_string())),
            ("entries", json!(self.plan(s.mind.person).proof.entries.len())),
        ]
    }
}

/// What the person can get at most, by the strategy's proof.
struct AtMost;

impl Analyse<Table<Proved>> for AtMost {
    fn analyse(
        &self,
        table: &Table<Proved>,
        s: &At<Proved>,
        _: Viewer,
        _: &Run<'_>,
    ) -> Result<Analysis<Made<Proved>>, Error> {
        let (proved, t) = (&table.opponent, &s.mind);
        let (plan, all) = (proved.plan(t.person), proved.both.open.rules.all(&t.view.public));
        let own = usize::from(t.types[usize::from(t.person)]);
        let score = |deed: Made<Proved>| {
            let number = t.view.number(&proved.both.open.rules, deed.step)?;
            let x = plan.at_most(&t.minds.0, &all[number], number as u32, own);
            // What ends the game is an average over the colours; anything else is a bound.
            let ends = all[number].next.is_none();
            let written = match ends {
                true => format!("{x:.4}"),
                false => format!("≤ {:.4}", (x * 1e4 - 1e-6).ceil() / 1e4 + 0.0),
            };
            let words = Text::same(written.replace('-', "−"));
            let score = Score { short: words.clone(), ..Score::new(x, words) };
            Some(match ends {
                true => score,
                false => {
                    let interval = Some((-1.0, x.max(-1.0)));
                    Score { certainty: Certainty::Bound, interval, ..score }
                }
            })
        };
        let moves = table.deeds(s).into_iter().filter_map(|deed| Some((deed, score(deed)?))).collect();
        let promise = Text::same(fraction(&proved.sure(t)));
        let value = Score { certainty: Certainty::Bound, ..Score::new(approx(&proved.sure(t)), promise) };
        let mut analysis = Analysis::new(&proved.measure(), Some(value), moves, TOLERANCE);
        for m in &mut analysis.moves {
            m.note = table.note(s, m.action.step);
        }
        analysis.of = text("The strategy is sure of, on average", "戦略側の保証（平均）");
        analysis.note =
            text("whatever the other side does, from the start", "相手が何をしても（初期配置から）");
        analysis.scale = scene::scale(text("Your payoff, at most", "あなたの利得（上界）"));
        let entries = grouped(plan.proof.entries.len() as u64);
        analysis.trust = Text::of(
            format!("Bounds: the strategy plays by a proof of {entries} entries that anybody can check."),
            format!("上下界：戦略側は、誰でも検証できる{entries}項目の証明に従う。"),
        );
        Ok(analysis)
    }

    fn machine(
        &self,
        table: &Table<Proved>,
        s: &At<Proved>,
        random: &mut Random,
        run: &Run<'_>,
    ) -> Result<Option<Made<Proved>>, Error> {
        if s.real.turn == s.mind.person {
            return self.best(table, s, run);
        }
        let all = table.opponent.lottery(&s.mind);
        let bits = random.bits() >> 11;
        let mut left = bits as f64 / (1u64 << 53) as f64 * all.iter().map(|(_, w)| w).sum::<f64>();
        let mut drawn = None;
        for (deed, weight) in all {
            drawn = Some(deed);
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
        Ok(drawn)
    }

    /// Bounds do not tell mistakes.
    fn good(&self, _: &Table<Proved>, _: &At<Proved>, _: Made<Proved>, _: &Run<'_>) -> Result<bool, Error> {
        Ok(true)
    }
}
