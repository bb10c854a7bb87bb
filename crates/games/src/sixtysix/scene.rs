//! The picture of a deal: both hands and the deck open, and what every card the leader may lead is worth.

use super::answer::shared;
use super::rules::{State, cards_of};
use super::summary::table;
use super::table::{Advice, Table, player};
use crate::entry::Headline;
use crate::params::Settings;
use crate::play::{Adviser, Past};
use yomikiri_core::{Error, Game, Notation, Number, Rational, Refusal, Run, Text, Turn, text};
use yomikiri_view::report::{Certainty, grouped};
use yomikiri_view::scene::{
    Item, Legend, Line, LineStep, Mark, Move, Scale, Scene, Seat, Shape, Tick, Tone, VERSION, Value, Viewer,
    Worth, Zone, ranked, signed,
};

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

/// The name of a card in a hand.
pub fn id(seat: u8, card: u8) -> String {
    format!("{}{card}", if seat == 0 { "a" } else { "b" })
}

/// The cards as they lie; who is to move sits nearer.
pub fn picture(table: &Table, s: &State) -> Scene {
    let near = match table.turn(s) {
        Turn::Player(p) => p,
        _ => s.leader,
    };
    seen_from(table, s, near, None)
}

/// The cards as they lie, a seat nearer; between tricks with the last one.
fn seen_from(table: &Table, s: &State, near: u8, trick: Option<(&State, u8)>) -> Scene {
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
    let (top, bottom) = if near == 0 { ((1, "b"), (0, "a")) } else { ((0, "a"), (1, "b")) };
    let mut zones = vec![hand(top.0, top.1, 54)];
    if let Some(led) = s.led {
        let who = player(s.leader);
        let item = card(table, "led", led).mark(Mark::Last);
        zones.push(zone("led", Text::of(format!("{who} led"), format!("{who}のリード")), vec![item], 54));
    } else if let Some((before, answer)) = trick {
        let who = player(s.leader);
        let cards = before.led.into_iter().chain([answer]);
        let items = cards.map(|c| card(table, "trick", c).mark(Mark::Last)).collect();
        let label =
            Text::of(format!("The last trick: {who} took it"), format!("直前のトリック：{who}が取った"));
        zones.push(zone("trick", label, items, 42));
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

/// The picture of a running game with every card that may be played; who looks sits nearer.
pub fn board(table: &Table, s: &State, past: &Past<Table>, viewer: Viewer) -> Scene {
    let trick = past.last().filter(|(before, _)| before.led.is_some()).map(|(before, a)| (before, *a));
    let mut scene = seen_from(table, s, viewer.unwrap_or(0), trick);
    let Turn::Player(p) = table.turn(s) else { return scene };
    let mut actions = Vec::new();
    table.actions(s, &mut actions);
    let moves = actions.into_iter().zip(0..).map(|(card, order)| {
        let label = match s.led {
            None => Text::of(format!("Lead {card}"), format!("{card} をリード")),
            Some(led) if card > led => {
                Text::of(format!("Take {led} with {card}"), format!("{card} で {led} を取る"))
            }
            Some(_) => Text::of(format!("Play {card}"), format!("{card} を出す")),
        };
        Move { on: vec![id(p, card)], order, ..Move::new(card.to_string(), label) }
    });
    scene.moves = moves.collect();
    scene
}

/// A picture of a running game with what every card is worth.
pub fn rated(
    table: &Table,
    s: &State,
    mut scene: Scene,
    advice: &Advice,
    run: &Run<'_>,
) -> Result<Scene, Error> {
    let Turn::Player(mover) = table.turn(s) else { return Ok(scene) };
    let race = table.target().is_some();
    let sign = if mover == 0 { 1 } else { -1 };
    // Points still to come, or the winner.
    let banked = if race { 0 } else { s.won[0] - s.won[1] };
    let mut found = Vec::new();
    for m in std::mem::take(&mut scene.moves) {
        run.check()?;
        let Ok(card) = m.id.parse::<u8>() else { continue };
        let after = table.apply(s, card);
        let value = advice.value(table, &after, run)?;
        let note = match after.led {
            Some(_) => answered(table, &after, advice, run)?,
            None => Text::default(),
        };
        found.push((Move { note, ..m }, value - banked));
    }
    let top = found.iter().map(|f| sign * f.1).max().unwrap_or(0);
    let moves = found.into_iter().map(|(m, units)| {
        let points = table.points().real(units);
        let best = sign * units >= top;
        let (x, words, sub, mark) = match race {
            true => (f64::from(units), won(units), Text::default(), mark(sign * units)),
            false => {
                let sub = if best { text("best", "最善") } else { Text::default() };
                (points.approx(), Text::same(written(&points)), sub, None)
            }
        };
        let short = if race { Text::same(winner(x)) } else { words.clone() };
        let value = Value {
            x,
            text: words,
            sub,
            tone: Tone::of(x, 0.0),
            cert: Certainty::Exact,
            interval: None,
            mark,
        };
        (Move { short, value: Some(value), ..m }, sign * units)
    });
    scene.moves = ranked(moves.collect(), |x| f64::from(*x), |x| *x >= top);
    scene.scale = Some(match race {
        true => winners(),
        false => {
            let values = scene.moves.iter().filter_map(|m| Some(m.value.as_ref()?.x));
            Scale::around(values, 0.0, Text::same("A − B"))
        }
    });
    let units = sign * top;
    scene.value = Some(match race {
        true => Worth { of: BEST_PLAY, text: outcome(units), note: Text::default(), cert: Certainty::Exact },
        false => {
            let points = written(&table.points().real(units));
            Worth { of: TO_COME, text: Text::same(points), note: Text::default(), cert: Certainty::Exact }
        }
    });
    scene.line = tricks(table, s, advice, run)?;
    scene.trust = text("Exact: found by a search that proves every value.", "厳密：値を証明する探索による。");
    Ok(scene)
}

/// What the other player best answers a lead with.
fn answered(table: &Table, led: &State, advice: &Advice, run: &Run<'_>) -> Result<Text, Error> {
    let who = 1 - led.leader;
    let mut actions = Vec::new();
    table.actions(led, &mut actions);
    let mut best: Option<(i32, u8)> = None;
    for card in actions {
        let value = advice.value(table, &table.apply(led, card), run)?;
        let value = if who == 0 { value } else { -value };
        if best.is_none_or(|b| value > b.0) {
            best = Some((value, card));
        }
    }
    Ok(best.map_or_else(Text::default, |(_, card)| {
        Text::of(format!("{} answers {card}", player(who)), format!("{}の応手 {card}", player(who)))
    }))
}

const TO_COME: Text = text("Points still to come, A − B", "今後の得点差（A − B）");
const BEST_PLAY: Text = text("With best play", "最善を尽くすと");

/// The winner of a race in words, short.
fn won(value: i32) -> Text {
    match value.signum() {
        1 => text("A wins", "Aの勝ち"),
        -1 => text("B wins", "Bの勝ち"),
        _ => text("nobody", "勝者なし"),
    }
}

/// The same for the whole position.
fn outcome(value: i32) -> Text {
    if value == 0 { text("Nobody gets there", "勝者なし") } else { won(value) }
}

/// Whether that is good for who moves.
fn mark(own: i32) -> Option<Tick> {
    match own.signum() {
        1 => Some(Tick::Ok),
        -1 => Some(Tick::No),
        _ => None,
    }
}

fn winners() -> Scale {
    let ticks = vec![(-1.0, Text::same("B")), (0.0, Text::same("–")), (1.0, Text::same("A"))];
    Scale { min: -1.0, mid: 0.0, max: 1.0, name: text("Winner", "勝者"), ticks }
}

/// The picture of a deal before a trick with what every lead is worth.
pub fn valued(table: &Table, run: &Run<'_>) -> Result<Scene, Error> {
    let s = table.start();
    let mut scene = picture(table, &s);
    let answer = shared(table, run)?;
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
                let mark = mark(value * if leader == 0 { 1 } else { -1 });
                (self::won(value), Text::same(written(d)), mark)
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
        Some(_) => winners(),
        None => Scale::around(leads.iter().map(|l| l.1.approx()), 0.0, Text::same("A − B")),
    });
    let points = TO_COME;
    scene.value = Some(match race {
        None => Worth {
            of: points,
            text: Text::same(written(difference)),
            note: Text::default(),
            cert: Certainty::Exact,
        },
        Some((value, _)) => Worth {
            of: BEST_PLAY,
            text: outcome(*value),
            note: Text::of(
                format!("{}: {}", points.en, written(difference)),
                format!("{}：{}", points.ja, written(difference)),
            ),
            cert: Certainty::Exact,
        },
    });
    if let Ok(advice) = Advice::new(table, &s, run) {
        scene.line = tricks(table, &s, &advice, run)?;
    }
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

/// Cards left up to which a line of best play is shown.
const LINE_CARDS: u32 = 20;

/// A line of best play from a position, trick by trick; the first of the best cards is played.
fn tricks(table: &Table, from: &State, advice: &Advice, run: &Run<'_>) -> Result<Option<Line>, Error> {
    let mut s = *from;
    let left = s.hands[0].count_ones() + s.hands[1].count_ones() + table.game().undrawn(s.drawn).count_ones();
    if left > LINE_CARDS {
        return Ok(None);
    }
    let mut steps = Vec::new();
    while let Turn::Player(who) = table.turn(&s) {
        run.check()?;
        let values = Adviser::values(advice, table, &s, run)?;
        let top = values.iter().filter_map(|v| v.1).fold(f64::NEG_INFINITY, f64::max);
        let Some(&(card, _)) = values.iter().find(|v| v.1 == Some(top)) else { break };
        let next = table.apply(&s, card);
        if let Some(led) = s.led {
            let gained = |p: usize| table.score(&next, p) - table.score(&s, p);
            steps.push(LineStep {
                text: Text::same(format!("{}{led}×{card}", player(1 - who))),
                sub: Text::same(written(&(gained(0) - gained(1)))),
                seat: Some(1 - who),
            });
        }
        s = next;
    }
    Ok((!steps.is_empty()).then(|| Line {
        title: text("Best play", "最善手順"),
        note: text("lead × answer, points to A", "リード×応手、Aの得点"),
        list: false,
        steps,
    }))
}

/// Changes that are offered at most; those of the deck among itself go first.
const CHANGES: usize = 1200;

/// A deal to be changed by hand: two cards change places, a card scores a point more or less, the other player leads.
pub fn edits(settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Scene, Error> {
    let shown = table(settings, position, run)?;
    let first = table(settings, None, run)?;
    let start = first.print(&first.start()).unwrap_or_default();
    let deal = shown.game().deal();
    let [a, b] = [&deal.hands[0], &deal.hands[1]];
    let mut cards: Vec<(String, u32)> = a.iter().map(|c| (format!("a{c}"), *c)).collect();
    cards.extend(b.iter().map(|c| (format!("b{c}"), *c)));
    cards.extend(deal.deck.iter().map(|c| (format!("d{c}"), *c)));
    let hand = deal.hand();
    let one = Rational::from_int(1);
    let mut changes = Vec::new();
    let mut change = |after: Result<Table, Refusal>, m: Move| {
        if let Some(id) = after.ok().and_then(|table| table.print(&table.start())) {
            changes.push(Move { id, ..m });
        }
    };
    let label = if deal.leader == 0 {
        text("B leads", "Bを先手にする")
    } else {
        text("A leads", "Aを先手にする")
    };
    change(shown.with_leader(1 - deal.leader), Move::new("", label));
    for (id, card) in &cards {
        for (more, en, ja) in [(true, "a point more", "1点増やす"), (false, "a point less", "1点減らす")]
        {
            let worth = shown.worth(*card as u8);
            let worth = if more { worth + &one } else { worth - &one };
            let label = Text::of(format!("{card}: {en}"), format!("{card}：{ja}"));
            change(shown.with_worth(*card, worth), Move { on: vec![id.clone()], ..Move::new("", label) });
        }
    }
    // Between the hands, between a hand and the deck, and in the deck, nearer cards first.
    let mut swaps: Vec<(usize, usize)> =
        (0..hand).flat_map(|i| (hand..2 * hand).map(move |j| (i, j))).collect();
    swaps.extend((2 * hand..cards.len()).flat_map(|j| (0..2 * hand).map(move |i| (i, j))));
    swaps.extend((2 * hand..cards.len()).flat_map(|j| (2 * hand..j).map(move |i| (i, j))));
    for (i, j) in swaps.into_iter().take(CHANGES) {
        let ((from, x), (to, y)) = (&cards[i], &cards[j]);
        let label = Text::of(format!("{x} and {y} change places"), format!("{x} と {y} を入れ替える"));
        let m = Move { from: Some(from.clone()), to: Some(to.clone()), ..Move::new("", label) };
        change(shown.with_swapped(*x, *y), m);
    }
    Ok(picture(&shown, &shown.start()).editing(&start, changes))
}

/// A small deal, and what it comes to.
pub fn headline(run: &Run<'_>) -> Result<Headline, Error> {
    let table = Table::read("A:3,4,5,6,10_B:2,7,9,11,13_Q:2=2,4=11,6=3,10=4")?;
    let answer = shared(&table, run)?;
    let difference = answer.difference.as_ref().map(|d| d.0.clone()).unwrap_or_else(|| Rational::from_int(0));
    Ok(Headline {
        big: Text::same(written(&difference)),
        text: text(
            "points for A against B from these open hands, if A leads and both play best.",
            "この公開手札でAが先手、双方最善のときの得点差（A − B）。",
        ),
        cert: Certainty::Exact,
        scene: picture(&table, &table.start()).small(),
    })
}

/// The scene that is asked for. All cards are open.
pub fn asked(settings: &Settings, position: Option<&str>, _: Viewer, run: &Run<'_>) -> Result<Scene, Error> {
    valued(&table(settings, position, run)?, run)
}
