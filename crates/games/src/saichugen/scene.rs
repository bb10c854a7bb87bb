//! The picture of a decision in the last round: what the player sees, and what every card is worth.

use super::kernel::{Kernel, Values, fraction};
use super::notation::{print, read};
use super::rules::{Card, Cards, LAST_ROUND, ROUND, SEATS, TURNS, Table};
use super::summary::entering;
use super::view::{LastRound, Seen as Model, Step, View};
use crate::about::Headline;
use crate::params::Settings;
use yomikiri_core::{Error, Game, Run, Text, text};
use yomikiri_view::report::Certainty;
use yomikiri_view::scene::{
    Item, Legend, Line, LineStep, Mark, Move, Piece, Scale, Scene, Seat, Shape, Show, Tone, VERSION, Value,
    Viewer, Worth, Zone, ranked, signed,
};

/// A card as scenes write it: ten is `0`.
pub fn face(card: Card) -> String {
    card.to_string().replace('T', "0")
}

/// The names of the seats, for the one who looks.
pub fn names(viewer: Viewer) -> [Text; SEATS] {
    match viewer {
        Some(0) => [text("You", "あなた"), text("Opponent 1", "相手1"), text("Opponent 2", "相手2")],
        _ => [text("Seat 1", "席1"), text("Seat 2", "席2"), text("Seat 3", "席3")],
    }
}

fn backs(zone: &str, count: usize) -> Vec<Item> {
    (1..=count).map(|i| Item::card(format!("{zone}{i}"), Show::Down)).collect()
}

fn faces(prefix: &str, cards: Cards, show: fn(String) -> Show) -> Vec<Item> {
    cards.iter().map(|card| Item::card(format!("{prefix}{}", face(card)), show(face(card)))).collect()
}

/// What a viewer sees of a decision of seat 1: its own cards only if it is seat 1.
pub fn picture(view: &View, viewer: Viewer) -> Scene {
    let own = viewer == Some(0);
    let size = view.hand.len();
    let names = names(viewer);
    let hand = |seat: usize| {
        let name = &names[seat];
        Text::of(format!("{}: {size} cards", name.en), format!("{}：{size}枚", name.ja))
    };
    let hidden =
        |id: &str, label: Text, count: usize| Zone::new(id, Shape::Hand, label, backs(id, count)).wide(44);
    let unseen = if own { view.unknown } else { view.hand.and(view.unknown) };
    let count = unseen.len();
    let unseen_label = if own {
        Text::of(
            format!("Unseen: these {count} are in the two hands and the card set aside"),
            format!("未見：この{count}枚は2人の手札と除かれた1枚"),
        )
    } else {
        Text::of(
            format!("Not played yet: these {count} are in the hands and the card set aside"),
            format!("未使用：この{count}枚は3人の手札と除かれた1枚"),
        )
    };
    let mine = if own {
        Zone::new("mine", Shape::Hand, text("Your hand", "あなたの手札"), faces("", view.hand, Show::Up))
            .wide(72)
    } else {
        hidden("mine", hand(0), size)
    };
    let zones = vec![
        hidden("left", hand(1), size),
        hidden("aside", text("Aside", "除外"), 1),
        hidden("right", hand(2), size),
        Zone::new("unseen", Shape::Row { per: 16, narrow: 8 }, unseen_label, faces("u", unseen, Show::Known))
            .wide(44),
        mine,
    ];
    let round = view.round.map(|n| n.to_string()).join(", ");
    let seats = (0..SEATS).map(|seat| Seat {
        name: names[seat].clone(),
        score: Text::same(view.scores[seat].to_string()),
        unit: text("kept", "点"),
    });
    let turn = view.turn;
    Scene {
        v: VERSION,
        game: "saichugen".into(),
        title: text("Saichugen", "最中限"),
        variant: Text::of(format!("turn {turn} of 15, round 5"), format!("第5ラウンド、{turn}ターン目")),
        seats: seats.collect(),
        turn: Some(0),
        say: Text::of(format!("Won in this round: {round}"), format!("このラウンドの得点：{round}")),
        legend: legend(),
        zones,
        layout: vec![
            vec!["left".into(), "aside".into(), "right".into()],
            vec!["unseen".into()],
            vec!["mine".into()],
        ],
        // The notation tells the hand.
        notation: if own { print(view) } else { String::new() },
        ..Scene::default()
    }
}

/// A running game as a seat sees it.
pub struct Seen<'a> {
    /// The table.
    pub table: &'a Table,
    /// Cards put down in this turn, by the first seats.
    pub down: &'a [Card],
    /// Who looks.
    pub viewer: usize,
    /// The names of the seats.
    pub names: [&'a Text; SEATS],
}

impl Seen<'_> {
    /// The picture; with the moves if the viewer is to move.
    pub fn picture(&self) -> Scene {
        let Seen { table, down, viewer, names } = *self;
        let turn = (!table.over()).then_some(down.len());
        let mine = down.get(viewer);
        let hand = mine.map_or(table.hands[viewer], |card| table.hands[viewer].without(*card));
        let back = |id: &str, seat: usize| {
            let count = table.hands[seat].len() - usize::from(seat < down.len());
            let label = Text::of(
                format!("{}: {count} cards", names[seat].en),
                format!("{}：{count}枚", names[seat].ja),
            );
            Zone::new(id, Shape::Hand, label, backs(id, count)).wide(44)
        };
        let (left, right) = ((viewer + 1) % SEATS, (viewer + 2) % SEATS);
        let aside = Zone::new("aside", Shape::Hand, text("Aside", "除外"), backs("aside", 1)).wide(44);
        let mut zones = vec![back("left", left), aside, back("right", right)];
        let mut layout = vec![vec!["left".to_owned(), "aside".into(), "right".into()]];
        // Who sits where: the cards of the others lie on their side.
        let order = [left, viewer, right];
        let name = |seat: usize| names[seat].clone();
        if down.is_empty() {
            if let Some(last) = table.history.last() {
                let card = |seat: usize| {
                    let face = face(last[seat]);
                    Item::card(format!("last{face}"), Show::Up(face)).mark(Mark::Last).tag(name(seat))
                };
                let label = text("The last turn", "直前のターン");
                zones.push(Zone::new("last", Shape::Hand, label, order.map(card).into()).wide(52));
                layout.push(vec!["last".into()]);
            }
        } else {
            let card = |seat: usize| {
                let show = match down.get(seat)? {
                    card if seat == viewer => Show::Known(face(*card)),
                    _ => Show::Down,
                };
                let item = Item::card(format!("down{}", seat + 1), show).tag(name(seat));
                Some(if seat + 1 == down.len() { item.mark(Mark::Last) } else { item })
            };
            let label = text("Put down face down", "伏せたカード");
            let items = order.into_iter().filter_map(card).collect();
            zones.push(Zone::new("down", Shape::Hand, label, items).wide(52));
            layout.push(vec!["down".into()]);
        }
        let unseen = table.unknown(viewer);
        let count = unseen.len();
        let label = Text::of(
            format!("Unseen: these {count} are in the two hands and the card set aside"),
            format!("未見：この{count}枚は2人の手札と除かれた1枚"),
        );
        let shape = Shape::Row { per: 18, narrow: 9 };
        zones.push(Zone::new("unseen", shape, label, faces("u", unseen, Show::Known)).wide(38));
        let label = Text::of(format!("{}: hand", names[viewer].en), format!("{}の手札", names[viewer].ja));
        zones.push(
            Zone::new("mine", Shape::Row { per: 17, narrow: 6 }, label, faces("", hand, Show::Up)).wide(60),
        );
        layout.extend([vec!["unseen".into()], vec!["mine".into()]]);
        let (round, number) = ((table.turn.min(TURNS) + 2) / ROUND, (table.turn.min(TURNS) + 2) % ROUND + 1);
        let won = table.round.map(|n| n.to_string()).join(", ");
        let seats = (0..SEATS).map(|seat| Seat {
            name: name(seat),
            score: Text::same(table.scores[seat].to_string()),
            unit: text("kept", "点"),
        });
        let last_round = (LAST_ROUND..=TURNS).contains(&table.turn);
        let moves = (turn == Some(viewer))
            .then(|| hand.iter().zip(0..).map(|(card, order)| Move { order, ..played(card) }));
        Scene {
            v: VERSION,
            game: "saichugen".into(),
            title: text("Saichugen", "最中限"),
            variant: Text::of(
                format!("round {round} of 5, turn {number} of 3"),
                format!("第{round}ラウンド（全5）、ターン{number}/3"),
            ),
            seats: seats.collect(),
            turn: turn.map(|seat| seat as u8),
            say: Text::of(format!("Won in this round: {won}"), format!("このラウンドの得点：{won}")),
            legend: legend(),
            zones,
            layout,
            moves: moves.into_iter().flatten().collect(),
            // What the viewer knows before putting a card down.
            notation: match last_round && mine.is_none() {
                true => print(&View::of(table, viewer)),
                false => String::new(),
            },
            ..Scene::default()
        }
    }
}

fn legend() -> Vec<Legend> {
    vec![
        Legend { item: Some(Piece::Card(Show::Down)), text: text("not known", "不明") },
        Legend {
            item: Some(Piece::Card(Show::Known("S7".into()))),
            text: text("in somebody's hand or aside", "誰かの手札か除外"),
        },
    ]
}

/// A card that may be played, without its value.
fn played(card: Card) -> Move {
    let face = face(card);
    let label = Text::of(format!("Play {{{face}}}"), format!("{{{face}}} を出す"));
    Move { on: vec![face], ..Move::new(card.to_string(), label) }
}

/// What is said of moves whose values nobody knows.
pub const UNVALUED: Text = text(
    "Rounds 1 to 4 have no values: from round 5 on every card's expectation is exact.",
    "第1～4ラウンドの値は求めていない。第5ラウンドからは各カードの期待値が厳密に分かる。",
);

/// The picture for the player who decides, with what every card is worth.
pub fn valued(view: &View, values: &Values) -> Scene {
    let mut scene = picture(view, Some(0));
    scene.moves = values.cards().zip(0..).map(|((card, _), order)| Move { order, ..played(card) }).collect();
    rated(scene, values)
}

/// A picture with the values of its moves added.
pub fn rated(mut scene: Scene, values: &Values) -> Scene {
    let of = |n: i32| f64::from(n) / f64::from(values.denominator());
    let best = values.best();
    let worth = |m: &Move| values.cards().find(|(card, _)| card.to_string() == m.id).map(|c| c.1);
    let moves = std::mem::take(&mut scene.moves).into_iter().filter_map(|m| {
        let n = worth(&m)?;
        let x = of(n);
        let value = Value {
            x,
            text: Text::same(signed(format!("{x:.5}"))),
            sub: Text::same(fraction(n, values.denominator()).replace('-', "−")),
            tone: Tone::of(x, 0.0),
            cert: Certainty::Exact,
            interval: None,
            mark: None,
        };
        Some((Move { short: Text::same(signed(format!("{x:.3}"))), value: Some(value), ..m }, n))
    });
    scene.moves = ranked(moves.collect(), |n| f64::from(*n), |n| *n == best);
    scene.scale = Some(Scale::around(values.cards().map(|c| of(c.1)), 0.0, text("Payoff", "利得")));
    scene.value = Some(Worth {
        of: text("Expected payoff of the seat to move", "手番の席の利得の期待値"),
        text: Text::same(signed(format!("{:.5}", values.value()))),
        note: Text::of(
            format!("{} against opponents who play any unseen card", fraction(best, values.denominator())),
            format!("{}（相手は未見のカードを無作為に出す）", fraction(best, values.denominator())),
        ),
        cert: Certainty::Exact,
    });
    let row = |en: &'static str, ja: &'static str, sub: &'static str| LineStep {
        text: text(en, ja),
        sub: Text::same(sub),
        seat: None,
    };
    scene.line = Some(Line {
        title: text("Payoff by number of winners", "勝者数ごとの利得"),
        note: text("winner / loser", "勝者／敗者"),
        list: true,
        steps: vec![
            row("one winner: the middle total alone", "1人：中位の合計が単独", "+2 / −1"),
            row("two winners: the middle total shared", "2人：中位の合計が同点", "+1 / −2"),
            row("three winners", "3人とも同点", "0"),
        ],
    });
    let below = yomikiri_view::report::grouped(values.denominator() as u64);
    scene.trust = Text::of(
        format!(
            "Exact: every line is gone through; values are fractions over {below}. The opponents are a model, not best players."
        ),
        format!("厳密：全ての進行を調べた値（分母{below}の分数）。相手はモデルであり最善ではない。"),
    );
    scene
}

/// The scene that is asked for. A position is what seat 1 sees; others see no hand, no value and no move of it.
pub fn asked(
    settings: &Settings,
    position: Option<&str>,
    viewer: Viewer,
    run: &Run<'_>,
) -> Result<Scene, Error> {
    let view = match position {
        Some(given) => read(given)?,
        None => View::of(&entering(settings, run)?, 0),
    };
    Ok(match viewer {
        Some(0) => valued(&view, &Kernel::new().values(&view)),
        _ => picture(&view, viewer),
    })
}

/// A decision to be changed by hand: a card of the hand against one not seen, points kept, one turn further.
pub fn edits(settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Scene, Error> {
    let first = View::of(&entering(settings, run)?, 0);
    let view = position.map_or(Ok(first), read)?;
    let mut changes = Vec::new();
    let mut change = |after: View, m: Move| {
        if after.check().is_ok() {
            changes.push(Move { id: print(&after), ..m });
        }
    };
    for mine in view.hand.iter() {
        for other in view.unknown.iter() {
            let after = View {
                hand: view.hand.without(mine).with(other),
                unknown: view.unknown.without(other).with(mine),
                ..view
            };
            let (a, b) = (face(mine), face(other));
            let label =
                Text::of(format!("{{{b}}} instead of {{{a}}}"), format!("{{{a}}} を {{{b}}} に替える"));
            change(after, Move { from: Some(a), to: Some(format!("u{b}")), ..Move::new("", label) });
        }
    }
    let names = names(Some(0));
    for (seat, name) in names.iter().enumerate() {
        // Not every total can be reached, so the next one that can.
        for (step, en, ja) in [(1i16, "more", "増やす"), (-1, "fewer", "減らす")] {
            let Some(after) = scored(&view, seat, step) else { continue };
            let total = after.scores[seat];
            let label = Text::of(
                format!("{}: {en} points, {total}", name.en),
                format!("{}の点を{ja}：{total}", name.ja),
            );
            change(after, Move::new("", label));
        }
    }
    if view.turn < TURNS {
        let lowest = view.hand.nth(0).zip(view.unknown.nth(0)).zip(view.unknown.nth(1));
        if let Some(((mine, one), other)) = lowest {
            let model = LastRound::new(view)?;
            let after = model.apply(&Model { view, mine: Some(mine) }, Step::Theirs(one, other)).view;
            let label = text(
                "One turn further: everybody plays the lowest card",
                "1ターン進める（全員が最小のカードを出す）",
            );
            change(after, Move::new("", label));
        }
    }
    Ok(picture(&view, Some(0)).editing(&print(&first), changes))
}

/// How far the next total that can be reached is looked for.
const FURTHER: i16 = 12;

/// The decision with the next total of a seat that four rounds can lead to, upwards or downwards.
fn scored(view: &View, seat: usize, step: i16) -> Option<View> {
    let mut after = *view;
    for _ in 0..FURTHER {
        after.scores[seat] = u8::try_from(i16::from(after.scores[seat]) + step).ok()?;
        if after.check().is_ok() {
            return Some(after);
        }
    }
    None
}

/// The example, and what its best card is worth.
pub fn headline(example: &str) -> Result<Headline, Error> {
    let view = read(example)?;
    let values = Kernel::new().values(&view);
    let best: Vec<String> = values.best_cards().map(|card| format!("{{{}}}", face(card))).collect();
    let best = best.join(" ");
    Ok(Headline {
        big: Text::same(signed(format!("{:.5}", values.value()))),
        text: Text::of(
            format!(
                "expected with {best} three turns before the end, exactly {}.",
                fraction(values.best(), values.denominator())
            ),
            format!(
                "残り3ターンで {best} を出すときの期待値（厳密に {}）。",
                fraction(values.best(), values.denominator())
            ),
        ),
        cert: Certainty::Exact,
        scene: picture(&view, Some(0)).small(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_others_do_not_see_the_hand() {
        // Two views that differ only in who holds which of the cards not played.
        let one = read("D3_C5_S5_HT_CK/CA_H2_S2_C4_S6_D7_H8_S9_DT_SJ_HQ/8,11,5").unwrap();
        let other = read("CA_H2_S2_C4_CK/D3_C5_S5_HT_S6_D7_H8_S9_DT_SJ_HQ/8,11,5").unwrap();
        for viewer in [None, Some(1), Some(2)] {
            let [a, b] = [&one, &other].map(|view| serde_json::to_string(&picture(view, viewer)).unwrap());
            assert_eq!(a, b);
        }
        let mine = serde_json::to_string(&picture(&one, Some(0))).unwrap();
        assert_ne!(mine, serde_json::to_string(&picture(&other, Some(0))).unwrap());
        assert!(mine.contains(r#"{"id":"D3","t":"card","show":"up","face":"D3"}"#), "{mine}");
    }
}
