//! Figure 1: a position without a deck, the cards in the order of their strength.

use super::referee::View;
use yomikiri_core::{Text, text};
use yomikiri_view::report::Block;
use yomikiri_view::scene::{Item, Legend, Mark, Scene, Shape, Show, VERSION, Zone, signed};

/// The hands of a deal written weakest card first, B's over A's, each card in the column of its strength, with v(k)
/// under it.
pub fn picture(deal: &str, view: &View) -> Scene {
    let cards = deal.len() as u16;
    let hand = |id: &str, label: Text, holds: &dyn Fn(char) -> bool, tags: bool| {
        let items = deal.chars().enumerate().map(|(k, holder)| {
            let name = format!("{id}{}", k + 1);
            let pts = (holder == 'Q').then(|| "+1".to_owned());
            let item =
                if holds(holder) { Item::num(name, k as u32 + 1, pts) } else { Item::card(name, Show::Gone) };
            let item = if holder == 'Q' && holds('Q') { item.mark(Mark::Best) } else { item };
            if tags { item.tag(Text::same(format!("v {}", signed(view.v[k])))) } else { item }
        });
        Zone::new(id, Shape::Grid { cols: cards, narrow: cards }, label, items.collect()).wide(54)
    };
    let marks: Vec<String> = [(view.j, "j"), (view.l, "l"), (Some(view.q), "i")]
        .into_iter()
        .filter_map(|(k, name)| Some(format!("{name} = {}", k? + 1)))
        .collect();
    let said = format!("{}, w_b = {}", marks.join(", "), view.w_b);
    Scene {
        v: VERSION,
        game: "sixtysix".into(),
        title: text("Generalised 66", "一般化66"),
        variant: Text::of(
            format!("{cards} cards, no deck, one scoring card"),
            format!("{cards}枚、山札なし、得点札1枚"),
        ),
        say: Text::same(said),
        zones: vec![
            hand("b", text("B's hand", "Bの手札"), &|holder| holder == 'B', false),
            hand("a", text("A's hand", "Aの手札"), &|holder| holder != 'B', true),
        ],
        layout: vec![vec!["b".into()], vec!["a".into()]],
        legend: vec![Legend {
            item: None,
            text: text(
                "Weakest card at the left. v: A's cards up to this strength minus B's, the scoring card not counted.",
                "左ほど弱い。v：この強さまでのAの枚数からBの枚数を引いたもの（得点札を除く）。",
            ),
        }],
        ..Scene::default()
    }
}

pub fn block(deal: &str, view: &View) -> Block {
    Block::Scene {
        caption: text(
            "Figure 1, a position of its kind: the scoring card is A's, v(k) under the columns",
            "図1に相当する盤面の例：得点札はAの手札、各列の下は v(k)",
        ),
        scenes: vec![picture(deal, view)],
        plain: Text::same(deal),
    }
}
