//! Figures 1 and 2: how a turn and a round are scored. The paper's cards are in its pictures alone; these are ours,
//! scored by the rules.

use yomikiri_core::{Refusal, Text, text};
use yomikiri_games::saichugen::rules::{
    Card, SEATS, explain_round, explain_turn, kept, sum, turn_winner, winners,
};
use yomikiri_games::saichugen::scene::{face, names};
use yomikiri_view::report::Block;
use yomikiri_view::scene::{Item, Legend, Mark, Piece, Scene, Shape, Show, VERSION, Zone};

/// A round: the cards of the three seats in each of three turns.
const ROUND: [[&str; SEATS]; 3] = [["C7", "H3", "DQ"], ["S5", "HJ", "D9"], ["CK", "S8", "D2"]];

fn scene(what: Text, zones: Vec<Zone>, say: Text) -> Scene {
    Scene {
        v: VERSION,
        game: "saichugen".into(),
        title: text("Saichugen", "最中限"),
        variant: what,
        layout: vec![zones.iter().map(|zone| zone.id.clone()).collect()],
        zones,
        say,
        ..Scene::default()
    }
}

fn points(n: u8) -> Text {
    Text::of(format!("{n} points"), format!("{n}点"))
}

/// The cards of a turn as they lie before, while and after they are compared.
fn turn(played: [Card; SEATS]) -> Vec<Scene> {
    let seats = names(None);
    let winner = turn_winner(played);
    let zones = |stage: &str, item: &dyn Fn(usize) -> Item| {
        (0..SEATS)
            .map(|seat| {
                Zone::new(format!("{stage}{seat}"), Shape::Hand, seats[seat].clone(), vec![item(seat)])
                    .wide(64)
            })
            .collect::<Vec<_>>()
    };
    let down = zones("a", &|seat| Item::card(format!("a{seat}c"), Show::Down));
    let up = zones("b", &|seat| {
        let item = Item::card(format!("b{seat}c"), Show::Up(face(played[seat])));
        if seat == winner { item.mark(Mark::Best) } else { item }
    });
    let after = zones("c", &|seat| match seat == winner {
        true => {
            Item::card(format!("c{seat}c"), Show::Up(face(played[seat]))).tag(points(played[seat].points()))
        }
        false => Item::card(format!("c{seat}c"), Show::Down).tag(Text::same("–")),
    });
    let names = seats.each_ref();
    vec![
        scene(
            text("a turn: cards put down", "1ターン：伏せて出す"),
            down,
            text("1. Everybody puts a card face down.", "1. 各自1枚を裏向きに出す。"),
        ),
        scene(text("a turn: compared", "1ターン：比較"), up, {
            let told = explain_turn(names, played);
            Text::of(format!("2. {}.", told.en), format!("2. {}。", told.ja))
        }),
        scene(
            text("a turn: kept", "1ターン：得点"),
            after,
            text(
                "3. The winner's card stays face up; the others are turned over.",
                "3. 勝者のカードは表のまま、敗者は裏返す。",
            ),
        ),
    ]
}

/// The cards of a round by seat: what was won lies face up.
fn round(played: &[[Card; SEATS]]) -> Vec<Scene> {
    let seats = names(None);
    let mut totals = [0; SEATS];
    for cards in played {
        let winner = turn_winner(*cards);
        let mut won = [0; SEATS];
        won[winner] = cards[winner].points();
        totals = sum(totals, won);
    }
    let keeps = kept(totals);
    let zones = |stage: &str, shown: &dyn Fn(usize, [Card; SEATS]) -> bool, score: &[u8; SEATS]| {
        (0..SEATS)
            .map(|seat| {
                let items = played.iter().enumerate().map(|(i, cards)| {
                    let id = format!("{stage}{seat}c{}", i + 1);
                    match shown(seat, *cards) {
                        true => Item::card(id, Show::Up(face(cards[seat]))),
                        false => Item::card(id, Show::Down),
                    }
                });
                let (name, score) = (&seats[seat], points(score[seat]));
                let label =
                    Text::of(format!("{}: {}", name.en, score.en), format!("{}：{}", name.ja, score.ja));
                Zone::new(format!("{stage}{seat}"), Shape::Hand, label, items.collect()).wide(54)
            })
            .collect::<Vec<_>>()
    };
    let before = zones("a", &|seat, cards| turn_winner(cards) == seat, &totals);
    let won = winners(totals);
    let after = zones("b", &|seat, cards| turn_winner(cards) == seat && won[seat], &keeps);
    let told = explain_round(seats.each_ref(), totals);
    let first = scene(
        text("a round: three turns", "1ラウンド：3ターン"),
        before,
        text("1. After three turns: cards that won lie face up.", "1. 3ターン後：勝ったカードは表。"),
    );
    vec![
        first,
        scene(
            text("a round: scored", "1ラウンド：得点"),
            after,
            Text::of(format!("2. {}.", told.en), format!("2. {}。", told.ja)),
        ),
    ]
}

/// Both figures.
pub fn blocks() -> Result<[Block; 2], Refusal> {
    let mut played = Vec::new();
    for turn in ROUND {
        let [a, b, c] = turn.map(Card::parse);
        played.push([a?, b?, c?]);
    }
    let legend = |mut scenes: Vec<Scene>| {
        if let Some(last) = scenes.last_mut() {
            last.legend = vec![Legend {
                item: Some(Piece::Card(Show::Down)),
                text: text("turned over: scores nothing", "裏返し：得点なし"),
            }];
        }
        scenes
    };
    Ok([
        Block::pictures(
            text("Figure 1, of its kind: how a turn is scored", "図1に相当する例：ターンの点数の計算方法"),
            legend(turn(played[0])),
        ),
        Block::pictures(
            text("Figure 2, of its kind: how a round is scored", "図2に相当する例：ラウンドの点数の計算方法"),
            legend(round(&played)),
        ),
    ])
}
