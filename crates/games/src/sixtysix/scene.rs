//! The picture of a deal: both hands and the deck open, and what every card the leader may lead is worth.

use super::answer::of_table;
use super::rules::{State, cards_of};
use super::summary::{line, table};
use super::table::{Table, player};
use crate::params::Settings;
use crate::report::{Certainty, grouped};
use crate::scene::{
    Answer, Item, Legend, Line, LineStep, Mark, Move, Scale, Scene, Seat, Shape, Tone, VERSION, Value,
    Verdict, Viewer, Zone, ranked, signed,
};
use yomikiri_core::{Error, Game, Notation, Number, Rational, Run, Text, Turn, text};

/// Cards of a hand that still lie in one line.
const HAND: usize = 14;

/// A card as an item.
pub fn card(table: &Table, prefix: &str, card: u8) -> Item {
    let pts = (table.game().points(card) != 0).then(|| signed(table.worth(card)));
    Item::num(format!("{prefix}{card}"), u32::from(card), pts)
}

fn zone(id: &str, label: Text, items: Vec<Item>, w: u16) -> Zone {
    let shape = match items.len() {
        n if n > HAND => Shape::Row { per: HAND as u16, narrow: 7 },
        _ => Shape::Hand,
    };
    Zone::new(id, shape, label, items).wide(w)
}

/// The cards as they lie.
pub fn picture(table: &Table, s: &State) -> Scene {
    let deal = table.game().deal();
    let deck = &deal.deck[usize::from(s.drawn)..];
    let to_move = match table.turn(s) {
        Turn::Player(p) => Some(p),
        _ => None,
    };
    let hand = |seat: u8, id: &str, w: u16| {
        let name = player(seat);
        let items = cards_of(s.hands[usize::from(seat)]).map(|c| card(table, id, c)).collect();
        zone(id, Text::of(format!("{name}: open hand"), format!("{name}：公開手札")), items, w)
    };
    // Who is to move sits nearer.
    let near = to_move.unwrap_or(s.leader);
    let (top, bottom) = if near == 0 { ((1, "b"), (0, "a")) } else { ((0, "a"), (1, "b")) };
    let mut zones = vec![hand(top.0, top.1, 54)];
    if let Some(led) = s.led {
        let who = player(s.leader);
        let item = card(table, "led", led).mark(Mark::Last);
        zones.push(zone("led", Text::of(format!("{who} led"), format!("{who}のリード")), vec![item], 54));
    }
    if !deck.is_empty() {
        let items: Vec<Item> = deck.iter().map(|&c| card(table, "d", c as u8)).collect();
        let label = text("Deck, in drawing order: the winner draws first", "山札（引く順）：勝者が先に引く");
        let shape = match items.len() {
            n if n > HAND => Shape::Row { per: HAND as u16, narrow: 8 },
            _ => Shape::Pile { spread: true },
        };
        zones.push(Zone::new("deck", shape, label, items).wide(42));
    }
    zones.push(hand(bottom.0, bottom.1, 66));
    let seats = [0u8, 1].map(|seat| Seat {
        name: Text::same(player(seat)),
        score: Text::same(table.score(s, usize::from(seat)).to_string().replace('-', "−")),
        unit: text("points", "点"),
    });
    let (cards, size, left) = (deal.cards(), deal.hand(), deal.deck.len());
    let target = match table.target() {
        None => Text::default(),
        Some((t, false)) => Text::of(format!(", wins who is above {t}"), format!("、{t}を超えれば勝ち")),
        Some((t, true)) => Text::of(format!(", wins who has {t}"), format!("、{t}に達すれば勝ち")),
    };
    Scene {
        v: VERSION,
        game: "sixtysix".into(),
        title: text("Generalised 66", "一般化66"),
        variant: Text::of(
            format!("{cards} cards, hands of {size}, open deck of {left}{}", target.en),
            format!("{cards}枚、手札{size}枚、公開の山札{left}枚{}", target.ja),
        ),
        seats: seats.into(),
        turn: to_move,
        say: match (to_move, s.led) {
            (None, _) => text("The game is over", "終局"),
            (Some(p), None) => Text::of(format!("{} leads", player(p)), format!("{}のリード", player(p))),
            (Some(p), Some(_)) => {
                Text::of(format!("{} answers", player(p)), format!("{}が応じる番", player(p)))
            }
        },
        layout: zones.iter().map(|zone| vec![zone.id.clone()]).collect(),
        legend: vec![Legend {
            item: None,
            text: text("The foot of a card: the points it scores.", "カードの下の帯：得点。"),
        }],
        zones,
        notation: table.print(s).unwrap_or_default(),
        ..Scene::default()
    }
}

/// A number as people read it.
fn written(x: &Rational) -> String {
    if x.is_integer() { signed(x) } else { signed(format!("{:.4}", x.approx())) }
}

/// The picture of a deal before a trick with what every lead is worth.
pub fn valued(table: &Table, run: &Run<'_>) -> Result<Scene, Error> {
    let s = table.start();
    let mut scene = picture(table, &s);
    let answer = of_table(table, &s, run)?;
    let leader = table.game().deal().leader;
    let sign = if leader == 0 { 1.0 } else { -1.0 };
    let Some((difference, leads)) = &answer.difference else { return Ok(scene) };
    let race = answer.race.as_ref();
    let won = |card: u32| race.and_then(|r| r.1.iter().find(|l| l.0 == card)).map(|l| l.1);
    // What the leader plays for: the race if there is one, else points.
    let good = |card: u32, d: &Rational| won(card).map_or(d.approx(), f64::from) * sign;
    let top = leads.iter().map(|(card, d)| good(*card, d)).fold(f64::NEG_INFINITY, f64::max);
    let prefix = if leader == 0 { "a" } else { "b" };
    let moves = leads.iter().map(|(card, d)| {
        let x = won(*card).map_or(d.approx(), f64::from);
        let (words, sub, mark) = match won(*card) {
            None => {
                let best = good(*card, d) >= top;
                let sub = if best { text("best", "最善") } else { Text::default() };
                (Text::same(written(d)), sub, None)
            }
            Some(value) => {
                let words = match value.signum() {
                    1 => text("A wins", "Aの勝ち"),
                    -1 => text("B wins", "Bの勝ち"),
                    _ => text("nobody", "勝者なし"),
                };
                let mark = match value.signum() * if leader == 0 { 1 } else { -1 } {
                    1 => Some(Answer::Ok),
                    -1 => Some(Answer::No),
                    _ => None,
                };
                (words, Text::same(written(d)), mark)
            }
        };
        let value = Value {
            x,
            text: words,
            sub,
            tone: Tone::of(x, 0.0),
            cert: Certainty::Exact,
            interval: None,
            mark,
        };
        let m = Move {
            on: vec![format!("{prefix}{card}")],
            short: if race.is_some() { Text::same(winner(x)) } else { Text::same(written(d)) },
            value: Some(value),
            ..Move::new(card.to_string(), Text::of(format!("Lead {card}"), format!("{card} をリード")))
        };
        (m, good(*card, d))
    });
    scene.moves = ranked(moves.collect(), |x| *x, |x| *x >= top);
    scene.scale = Some(match race {
        Some(_) => Scale {
            min: -1.0,
            mid: 0.0,
            max: 1.0,
            name: text("Winner", "勝者"),
            ticks: vec![(-1.0, Text::same("B")), (0.0, Text::same("–")), (1.0, Text::same("A"))],
        },
        None => Scale::around(leads.iter().map(|l| l.1.approx()), 0.0, Text::same("A − B")),
    });
    let points = text("Points still to come, A − B", "今後の得点差（A − B）");
    scene.value = Some(match race {
        None => Verdict {
            of: points,
            text: Text::same(written(difference)),
            note: Text::default(),
            cert: Certainty::Exact,
        },
        Some((value, _)) => Verdict {
            of: text("With best play", "最善を尽くすと"),
            text: match value.signum() {
                1 => text("A wins", "Aの勝ち"),
                -1 => text("B wins", "Bの勝ち"),
                _ => text("Nobody gets there", "勝者なし"),
            },
            note: Text::of(
                format!("{}: {}", points.en, written(difference)),
                format!("{}：{}", points.ja, written(difference)),
            ),
            cert: Certainty::Exact,
        },
    });
    scene.line = tricks(table, run);
    let positions = grouped(answer.positions);
    scene.trust = Text::of(
        format!("Exact: {positions} positions looked at."),
        format!("厳密：{positions}局面を調べた。"),
    );
    Ok(scene)
}

fn winner(x: f64) -> &'static str {
    if x > 0.0 {
        "A"
    } else if x < 0.0 {
        "B"
    } else {
        "–"
    }
}

/// A line of best play, trick by trick.
fn tricks(table: &Table, run: &Run<'_>) -> Option<Line> {
    let played = line(table, run);
    let mut s = table.start();
    let mut steps = Vec::new();
    for trick in played.chunks(2) {
        let [(who, led, _), (_, answer, _)] = trick else { break };
        let before = [table.score(&s, 0), table.score(&s, 1)];
        s = table.apply(&table.apply(&s, *led), *answer);
        let gained = (table.score(&s, 0) - &before[0]) - (table.score(&s, 1) - &before[1]);
        steps.push(LineStep {
            text: Text::same(format!("{}{led}×{answer}", player(*who))),
            sub: Text::same(written(&gained)),
            seat: Some(*who),
        });
    }
    (!steps.is_empty()).then(|| Line {
        title: text("Best play", "最善手順"),
        note: text("lead × answer, points to A", "リード×応手、Aの得点"),
        list: false,
        steps,
    })
}

/// The scene that is asked for. All cards are open.
pub fn asked(settings: &Settings, position: Option<&str>, _: Viewer, run: &Run<'_>) -> Result<Scene, Error> {
    valued(&table(settings, position, run)?, run)
}
