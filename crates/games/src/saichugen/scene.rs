//! The picture of a decision in the last round: what the player sees, and what every card is worth.

use super::kernel::{Kernel, Values, fraction};
use super::notation::{print, read};
use super::rules::{Card, Cards, SEATS};
use super::summary::entering;
use super::view::View;
use crate::params::Settings;
use crate::report::Certainty;
use crate::scene::{
    Item, Legend, Line, LineStep, Move, Piece, Scale, Scene, Seat, Shape, Show, Tone, VERSION, Value,
    Verdict, Viewer, Zone, ranked, signed,
};
use yomikiri_core::{Error, Run, Text, text};

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
        legend: vec![
            Legend { item: Some(Piece::Card(Show::Down)), text: text("not known", "不明") },
            Legend {
                item: Some(Piece::Card(Show::Known("S7".into()))),
                text: text("in somebody's hand or aside", "誰かの手札か除外"),
            },
        ],
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

/// The picture for the player who decides, with what every card is worth.
pub fn valued(view: &View, values: &Values) -> Scene {
    let mut scene = picture(view, Some(0));
    let of = |n: i32| f64::from(n) / f64::from(values.denominator());
    let best = values.best();
    let moves = values.cards().map(|(card, n)| {
        let (x, face) = (of(n), face(card));
        let value = Value {
            x,
            text: Text::same(signed(format!("{x:.5}"))),
            sub: Text::same(fraction(n, values.denominator()).replace('-', "−")),
            tone: Tone::of(x, 0.0),
            cert: Certainty::Exact,
            interval: None,
            mark: None,
        };
        let m = Move {
            on: vec![face.clone()],
            short: Text::same(signed(format!("{x:.3}"))),
            value: Some(value),
            ..Move::new(card.to_string(), Text::of(format!("Play {{{face}}}"), format!("{{{face}}} を出す")))
        };
        (m, n)
    });
    scene.moves = ranked(moves.collect(), |n| f64::from(*n), |n| *n == best);
    scene.scale = Some(Scale::around(values.cards().map(|c| of(c.1)), 0.0, text("Payoff", "利得")));
    scene.value = Some(Verdict {
        of: text("Your expected payoff", "あなたの利得の期待値"),
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
    let below = crate::report::grouped(values.denominator() as u64);
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
