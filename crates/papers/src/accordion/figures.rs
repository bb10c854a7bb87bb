//! The paper's rows as pictures.

use super::published::{FIGURE_1, figure_2_corrected};
use yomikiri_core::cards::Card;
use yomikiri_core::{Error, Game, Text, text};
use yomikiri_games::accordion::ACCORDION;
use yomikiri_games::accordion::notation::{cards, lines};
use yomikiri_games::accordion::rules::{Accordion, Rules, Step};
use yomikiri_games::family::Family;
use yomikiri_games::params::Settings;
use yomikiri_games::{Entry, picture};
use yomikiri_view::report::Block;
use yomikiri_view::scene::{Arrow, Scene, Shape};

/// The moves of figure 1 that the text names.
const NAMED: [(&str, &str); 3] = [("S4", "S7"), ("S3", "D3"), ("SA", "S3")];

fn row(cards: Vec<Card>) -> Result<(Accordion, Scene), Error> {
    let accordion = Accordion::new(Rules::default(), cards)?;
    let settings = Settings::new(ACCORDION.params(), [])?;
    let start = accordion.start();
    let mut scene =
        picture::board(ACCORDION.0.title(&settings, &accordion), &accordion, &start, &[], None).small();
    // As the paper prints them: lines of thirteen.
    for zone in &mut scene.zones {
        zone.shape = Shape::Row { per: 13, narrow: 13 };
        zone.w = Some(46);
    }
    Ok((accordion, scene))
}

/// Figure 1 with the moves the text names, and the row after the last of them; figure 2 as it is described.
pub fn blocks() -> Result<Vec<Block>, Error> {
    let (first, mut scene) = row(cards(FIGURE_1)?)?;
    scene.seats.clear();
    let start = first.start();
    let legal = first.rules().steps(&start);
    scene.say = Text::of(
        format!("{} legal moves; arrows: those the text names", legal.len()),
        format!("合法手{}個。矢印は本文にある手", legal.len()),
    );
    scene.arrows = NAMED
        .iter()
        .map(|(x, y)| Arrow { from: (*x).into(), to: (*y).into(), text: Text::default() })
        .collect();
    let place = |name: &str| start.cards.iter().position(|c| c.to_string() == name).unwrap_or(0) as u8;
    let after = first.rules().after(&start, Step { x: place("SA"), y: place("S3") });
    // Around the place, as the text prints it.
    let shown = after.cards.iter().copied().skip(3).take(7).collect::<Vec<_>>();
    let (_, mut part) = row(shown)?;
    part.seats.clear();
    part.say = text(
        "From the fourth card on after SA went onto S3: the row is closed up.",
        "SA を S3 に重ねた後の4枚目から。列は左に詰める。",
    );
    for item in part.zones.iter_mut().flat_map(|zone| &mut zone.items).filter(|item| item.id == "SA") {
        item.mark = Some(yomikiri_view::scene::Mark::Last);
    }
    let (second, mut none) = row(figure_2_corrected())?;
    let moves = second.rules().steps(&second.start());
    none.seats.clear();
    none.say = Text::of(format!("{} legal moves", moves.len()), format!("合法手{}個", moves.len()));
    let plain = |cards: &[Card]| Text::same(lines(cards));
    Ok(vec![
        Block::Scene {
            caption: text(
                "Figure 1: the deal of the paper, the matching cards it names, and the row after the last move",
                "図1：論文の初期状態と本文で挙げられた「合う」カード、最後の手の後の列",
            ),
            scenes: vec![scene, part],
            plain: plain(&start.cards),
        },
        Block::Scene {
            caption: text(
                "Figure 2 as the text describes it (as printed, three cards are there twice): nothing matches",
                "図2（本文の記述どおり。印刷された列には重複が3枚ある）：合うカードがない",
            ),
            scenes: vec![none],
            plain: plain(&second.start().cards),
        },
    ])
}
