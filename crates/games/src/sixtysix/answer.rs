//! The `eval` interface: one deal a line, who wins it, by how much, and what every lead is worth.

use super::closed::{owners, reach};
use super::points::{Points, accepts, from_json};
use super::rules::{Deal, Objective, Sixtysix, State};
use super::solver::{Algorithm, LEADS, Solved, a_takes, classified_leads, follows, race_from, solve};
use super::table::Table;
use crate::about::Evaluator;
use serde_json::{Map, Value};
use std::fmt::Write;
use std::sync::Arc;
use yomikiri_core::{Error, Game, Number, Rational, Refusal, Run, Text, text};

/// Most cards a request may have, whatever is asked.
const MAX_CARDS: usize = 2_000_000;

const FIELDS: [&str; 13] =
    ["hand_a", "hand_b", "deck", "points", "leader", "pa", "pb", "tp", "rule", "q", "g", "objective", "id"];

/// A request that was understood.
#[derive(Clone, Debug)]
pub struct Request {
    /// The cards.
    pub deal: Deal,
    /// What cards are worth, if that was said.
    pub points: Option<Points>,
    /// Points held before the first trick.
    pub held: [Rational; 2],
    /// The target, and whether reaching it is enough.
    pub target: Option<(Rational, bool)>,
    /// The only card that scores, if one was named.
    pub q: Option<u32>,
    /// The card of the deck that was asked about, from 1.
    pub g: Option<usize>,
}

fn cards(request: &Map<String, Value>, field: &'static str, must: bool) -> Result<Vec<u32>, Refusal> {
    let accepts = || text("a list of card numbers from 1", "1以上のカード番号のリスト");
    match request.get(field).filter(|v| !v.is_null()) {
        None if must => Err(Refusal::of(field, text("nothing", "なし"), accepts())),
        None => Ok(Vec::new()),
        Some(value) => {
            let list = value.as_array().ok_or_else(|| Refusal::new(field, value, accepts()))?;
            if list.len() > MAX_CARDS {
                let most = Text::of(format!("at most {MAX_CARDS} cards"), format!("{MAX_CARDS}枚まで"));
                return Err(Refusal::new(field, list.len(), most));
            }
            let number = |n: &Value| n.as_u64().filter(|&n| n >= 1).and_then(|n| u32::try_from(n).ok());
            list.iter().map(|n| number(n).ok_or_else(|| Refusal::new(field, n, accepts()))).collect()
        }
    }
}

fn word<'a>(
    request: &'a Map<String, Value>,
    field: &'static str,
    words: &[&'a str],
) -> Result<Option<&'a str>, Refusal> {
    match request.get(field).filter(|v| !v.is_null()) {
        None => Ok(None),
        Some(value) => match value.as_str().filter(|w| words.contains(w)) {
            Some(word) => Ok(Some(word)),
            None => {
                let words: Vec<String> = words.iter().map(|w| format!("\"{w}\"")).collect();
                Err(Refusal::new(field, value, Text::same(words.join(", "))))
            }
        },
    }
}

/// Reads a request.
///
/// # Errors
/// What is not accepted is refused by the name of the field.
pub fn read(request: &Map<String, Value>) -> Result<Request, Refusal> {
    if let Some(field) = request.keys().find(|k| !FIELDS.contains(&k.as_str())) {
        return Err(Refusal::of(
            field.as_str(),
            text("an unknown field", "未知のフィールド"),
            Text::same(FIELDS.join(", ")),
        ));
    }
    let hands = [cards(request, "hand_a", true)?, cards(request, "hand_b", true)?];
    let deck = cards(request, "deck", false)?;
    let leader = u8::from(word(request, "leader", &["A", "B"])? == Some("B"));
    let listed = [("hand_a", hands[0].clone()), ("hand_b", hands[1].clone()), ("deck", deck.clone())];
    let deal = Deal::new(hands, deck, leader)?;
    let all = deal.cards();
    for (field, cards) in &listed {
        // With no card twice, one missing is one too many elsewhere.
        if let Some(card) = cards.iter().find(|&&c| c as usize > all) {
            return Err(Refusal::new(
                *field,
                card,
                Text::of(
                    format!("each card from 1 to {all} once, in a hand or the deck: none may be missing"),
                    format!("1～{all}の各カードを手札か山札に1回ずつ（欠けは不可）"),
                ),
            ));
        }
    }
    let number = |field: &'static str| {
        let value = request.get(field).filter(|v| !v.is_null());
        value.map(|v| from_json(field, v)).transpose()
    };
    let place =
        |field: &'static str, most: usize, what: Text| match request.get(field).filter(|v| !v.is_null()) {
            None => Ok(None),
            Some(value) => match value.as_u64().filter(|n| (1..=most as u64).contains(n)) {
                Some(n) => Ok(Some(n as usize)),
                None => Err(Refusal::new(field, value, what)),
            },
        };
    let q = place(
        "q",
        all,
        Text::of(
            format!("a card of a hand or the deck, 1 to {all}"),
            format!("手札か山札のカード、1～{all}"),
        ),
    )?;
    let g = place(
        "g",
        deal.deck.len(),
        Text::of(
            format!("a place in the deck, 1 to {}", deal.deck.len()),
            format!("山札の位置、1～{}", deal.deck.len()),
        ),
    )?;
    let objective = word(request, "objective", &["target", "difference", "tricks"])?;
    let points = match request.get("points").filter(|v| !v.is_null()) {
        None if objective == Some("tricks") => Some(Points::of(vec![1; all])),
        None => None,
        Some(value) => {
            let list = value.as_array().ok_or_else(|| Refusal::new("points", value, accepts()))?;
            if list.len() != all {
                return Err(Refusal::of(
                    "points",
                    Text::of(format!("{} numbers", list.len()), format!("{}個", list.len())),
                    Text::of(format!("{all} numbers, one a card"), format!("カードごとに{all}個の数")),
                ));
            }
            if objective == Some("tricks") {
                return Err(Refusal::new(
                    "points",
                    value,
                    text(
                        "none with objective tricks: every card is one point",
                        "tricks では指定不可（全カード1点）",
                    ),
                ));
            }
            let list: Vec<Rational> =
                list.iter().map(|v| from_json("points", v)).collect::<Result<_, _>>()?;
            Some(Points::new(&list)?)
        }
    };
    let reaches = word(request, "rule", &["exceeds", "reaches"])? == Some("reaches");
    let zero = || Rational::from_int(0);
    let held = [number("pa")?.unwrap_or_else(zero), number("pb")?.unwrap_or_else(zero)];
    let target = number("tp")?.map(|tp| (tp, reaches));
    if points.is_none() && q.is_none() && (g.is_none() || target.is_some()) {
        return Err(Refusal::of(
            "points",
            text("nothing", "なし"),
            text(
                "the worth of every card; or q, the only card that scores; or g",
                "各カードの得点、または q（唯一の得点札）か g",
            ),
        ));
    }
    if objective == Some("target") && target.is_none() && q.is_none() {
        return Err(Refusal::of("tp", text("nothing", "なし"), accepts()));
    }
    let target = if objective == Some("difference") { None } else { target };
    Ok(Request { deal, points, held, target, q: q.map(|q| q as u32), g })
}

/// The name of the winner of a race.
pub fn winner(value: i32) -> &'static str {
    match value.signum() {
        1 => "A",
        -1 => "B",
        _ => "none",
    }
}

/// What is known of a request.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// 1 if A wins, 0 if nobody, −1 if B; of every lead too.
    pub race: Option<(i32, Vec<(u32, i32)>)>,
    /// The difference in points still to come; of every lead too.
    pub difference: Option<(Rational, Vec<(u32, Rational)>)>,
    /// How it was found.
    pub method: Option<Algorithm>,
    /// Positions valued or visited.
    pub positions: u64,
    /// Whether A can force to draw the card asked about, and to have B draw it.
    pub reach: Option<(bool, bool)>,
}

fn leads(solved: &Solved) -> Vec<(u32, i32)> {
    solved.leads.iter().map(|&(card, value)| (u32::from(card), value)).collect()
}

/// The value, that of every lead, how it was found, and positions.
type Scorer = (i32, Vec<(u32, i32)>, Algorithm, u64);

/// Who takes the only scoring card.
fn one_scorer(deal: &Deal, q: u32, run: &Run<'_>) -> Result<Scorer, Error> {
    let sign = |a: bool| if a { 1 } else { -1 };
    if deal.deck.is_empty()
        && let Some((owners, at)) = owners(deal, q)
    {
        let cards = deal.ascending();
        let listed =
            if deal.hand() <= LEADS { classified_leads(&owners, at, deal.leader) } else { Vec::new() };
        let listed = listed.into_iter().map(|(k, a)| (cards[k], sign(a))).collect();
        return Ok((sign(a_takes(&owners, at, deal.leader)), listed, Algorithm::Classifier, 1));
    }
    let mut points = vec![0; q as usize];
    points[q as usize - 1] = 1;
    let game = Sixtysix::new(deal.clone(), &points, Objective::Difference)?;
    let solved = solve(&game, &game.start(), run)?;
    Ok((solved.value, leads(&solved), solved.method, solved.positions))
}

/// Works out a position of a table before a trick.
fn of_table(table: &Table, s: &State, run: &Run<'_>) -> Result<Answer, Error> {
    let points = table.points();
    let game = table.game().with(Objective::Difference);
    let solved = solve(&game, s, run)?;
    let real = leads(&solved).into_iter().map(|(card, d)| (card, points.real(d))).collect();
    let mut answer = Answer {
        difference: Some((points.real(solved.value), real)),
        method: Some(solved.method),
        positions: solved.positions,
        ..Answer::default()
    };
    if table.target().is_some() {
        let over = table.game().passed(s).is_some();
        let race = if !over && follows(table.game(), s) {
            race_from(table.game(), s, &solved)
        } else {
            solve(table.game(), s, run)?
        };
        answer.race = Some((race.value, leads(&race)));
        if !over {
            answer.method = Some(race.method);
            answer.positions = answer.positions.max(race.positions);
        }
    }
    Ok(answer)
}

/// The answer for the first position of a table, from the cache or worked out now.
///
/// # Errors
/// As [`solve`].
pub fn shared(table: &Table, run: &Run<'_>) -> Result<Arc<Answer>, Error> {
    let s = table.start();
    let name = format!("sixtysix/answer-{}", table.notation(&s).unwrap_or_default());
    run.cached(&name, || {
        let answer = of_table(table, &s, run)?;
        let leads = answer.difference.as_ref().map_or(0, |d| d.1.len()) as u64;
        Ok((answer, 500 + 200 * leads))
    })
}

/// Works out a request.
///
/// # Errors
/// As [`solve`]; points that go with no game are refused by the name of the field.
pub fn answer(request: &Request, run: &Run<'_>) -> Result<Answer, Error> {
    let mut answer = Answer::default();
    if let Some(g) = request.g {
        let reach = reach(&request.deal, g);
        answer.reach = Some((reach.acquire, reach.avoid));
    }
    if let Some(points) = &request.points {
        // With q the winner is who takes that card.
        let target = request.target.clone().filter(|_| request.q.is_none());
        let table = Table::new(request.deal.clone(), points.clone(), request.held.clone(), target)?;
        answer = Answer { reach: answer.reach, ..of_table(&table, &table.start(), run)? };
    }
    if let Some(q) = request.q {
        let (value, leads, method, positions) = one_scorer(&request.deal, q, run)?;
        if answer.difference.is_none() {
            let real = |n: i32| Rational::from_int(n);
            answer.difference = Some((real(value), leads.iter().map(|l| (l.0, real(l.1))).collect()));
        }
        answer.race = Some((value, leads));
        answer.method = Some(method);
        answer.positions = answer.positions.max(positions);
    }
    Ok(answer)
}

fn number(out: &mut String, x: &Rational, exact: bool) {
    let _ = if exact {
        write!(out, "\"{x}\"")
    } else if x.is_integer() {
        write!(out, "{x}")
    } else {
        write!(out, "{:?}", yomikiri_core::number::approx(x))
    };
}

/// The answer as the text of a JSON object.
pub fn to_json(answer: &Answer, exact: bool) -> String {
    let mut parts = Vec::new();
    if let Some((value, _)) = &answer.race {
        parts.push(format!("\"winner\":\"{}\"", winner(*value)));
    }
    if let Some((difference, moves)) = &answer.difference {
        let mut out = String::from("\"difference\":");
        number(&mut out, difference, exact);
        out.push_str(",\"moves\":{");
        for (i, (card, value)) in moves.iter().enumerate() {
            let _ = write!(out, "{}\"{card}\":", if i > 0 { "," } else { "" });
            number(&mut out, value, exact);
        }
        out.push('}');
        parts.push(out);
    }
    if let Some((_, leads)) = &answer.race {
        let leads: Vec<String> = leads.iter().map(|(c, v)| format!("\"{c}\":\"{}\"", winner(*v))).collect();
        parts.push(format!("\"winners\":{{{}}}", leads.join(",")));
    }
    if let Some(method) = answer.method {
        parts.push(format!("\"method\":\"{}\"", method.word()));
    }
    if let Some((acquire, avoid)) = answer.reach {
        parts.push(format!("\"a_can_acquire\":{acquire},\"a_can_avoid\":{avoid}"));
    }
    format!("{{{}}}", parts.join(","))
}

/// Answers requests, each on its own.
pub struct Requests {
    exact: bool,
}

impl Requests {
    /// Answers in doubles, or in fractions.
    pub fn new(exact: bool) -> Requests {
        Requests { exact }
    }
}

impl Evaluator for Requests {
    fn answer(&self, request: &Map<String, Value>, run: &Run<'_>) -> Result<String, Error> {
        Ok(to_json(&answer(&read(request)?, run)?, self.exact))
    }
}
