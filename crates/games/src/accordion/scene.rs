//! The picture of a row: the cards, and for every move whether the rest can still be won.

use super::known::{Means, Rows};
use super::method::{Answer, Winnable};
use super::notation::{game, name};
use super::rules::{Accordion, Row, Rules, Step, deal};
use super::summary::variant;
use crate::entry::Headline;
use crate::params::Settings;
use crate::play::Past;
use yomikiri_core::cards::Card;
use yomikiri_core::{Error, Game, Notation, Run, Text, text};
use yomikiri_view::report::{Certainty, grouped};
use yomikiri_view::scene::{
    Item, Legend, Line, LineStep, Mark, Move, Scale, Scene, Seat, Shape, Show, Tick, Tone, VERSION, Value,
    Viewer, Worth, Zone, ranked,
};

/// Cards in a line of the row, and where there is little room.
const PER: (u16, u16) = (13, 7);
/// Moves of a winning line that are listed.
const LISTED: usize = 16;

/// The row as it lies.
pub fn picture(accordion: &Accordion, row: &Row) -> Scene {
    let items = row.cards.iter().map(|card| Item::card(card.to_string(), Show::Up(card.to_string())));
    let (left, dealt) = (row.cards.len(), accordion.start().cards.len());
    let count = |n: usize, of: usize, name: Text| Seat {
        name,
        score: Text::same(n.to_string()),
        unit: Text::of(format!("of {of}"), format!("／{of}")),
    };
    // Lines of about the same length.
    let lines = left.div_ceil(usize::from(PER.0)).max(1);
    let per = left.div_ceil(lines).max(1) as u16;
    Scene {
        v: VERSION,
        game: "accordion".into(),
        title: text("Accordion", "アコーディオン"),
        variant: variant(accordion.rules()),
        seats: vec![
            count(left, dealt, text("Cards left", "残り")),
            count(dealt - left, dealt - 1, text("Moves", "手数")),
        ],
        zones: vec![
            Zone::new("row", Shape::Row { per, narrow: per.min(PER.1) }, Text::default(), items.collect())
                .wide(60),
        ],
        layout: vec![vec!["row".into()]],
        notation: accordion.print(row).unwrap_or_default(),
        ..Scene::default()
    }
}

/// A card in a text.
fn braced(card: Card) -> String {
    format!("{{{card}}}")
}

/// A move from card to card, without a value.
pub fn step(row: &Row, step: Step) -> Move {
    let (x, y) = (row.cards[usize::from(step.x)], row.cards[usize::from(step.y)]);
    Move {
        from: Some(x.to_string()),
        to: Some(y.to_string()),
        ..Move::new(
            name(row, step),
            Text::of(
                format!("{} onto {}", braced(x), braced(y)),
                format!("{} を {} に", braced(x), braced(y)),
            ),
        )
    }
}

/// Whether a row can be won: where that is on the scale, in words, and yes or no.
fn verdict(winnable: &Winnable) -> (f64, Text, Option<Tick>) {
    match winnable {
        Winnable::Yes(_) => (1.0, text("solvable", "可"), Some(Tick::Ok)),
        Winnable::No => (-1.0, text("no way", "不可"), Some(Tick::No)),
        Winnable::Unknown(_) => (0.0, text("not known", "不明"), None),
    }
}

fn certainty(winnable: &Winnable) -> Certainty {
    if matches!(winnable, Winnable::Unknown(_)) { Certainty::Bound } else { Certainty::Exact }
}

/// The row of a running game with every move, the card that moved last marked.
pub fn board(accordion: &Accordion, row: &Row, past: &Past<Accordion>) -> Scene {
    let mut scene = picture(accordion, row);
    if let Some((before, last)) = past.last() {
        let moved = before.cards[usize::from(last.x)].to_string();
        let items = scene.zones.iter_mut().flat_map(|zone| &mut zone.items);
        items.filter(|item| item.id == moved).for_each(|item| item.mark = Some(Mark::Last));
    }
    let steps = accordion.rules().steps(row);
    let count = steps.len();
    scene.moves = steps.into_iter().zip(0..).map(|(at, order)| Move { order, ..step(row, at) }).collect();
    scene.say = Text::of(
        format!("{count} legal {}", if count == 1 { "move" } else { "moves" }),
        format!("合法手{count}個"),
    );
    if count > 0 {
        scene.legend = vec![Legend {
            item: None,
            text: text(
                "Under a card: how far left it may jump, and whether the game can still be won.",
                "カードの下：左へ跳ぶ距離と、その後も成功可能かどうか。",
            ),
        }];
    }
    scene
}

/// The row with every move and whether the rest can be won after it.
pub fn valued(accordion: &Accordion, row: &Row, run: &Run<'_>) -> Result<Scene, Error> {
    let rows = Rows::new(accordion.rules(), Means::All, run)?;
    rated(accordion, row, board(accordion, row, &[]), &mut |row| rows.answer(row, run), run)
}

/// A picture of a row with whether the rest can be won after every move; `solve` says whether a row can be.
pub fn rated(
    accordion: &Accordion,
    row: &Row,
    mut scene: Scene,
    solve: &mut dyn FnMut(&Row) -> Result<Answer, Error>,
    run: &Run<'_>,
) -> Result<Scene, Error> {
    let rules = accordion.rules();
    let whole = solve(row)?;
    let steps = rules.steps(row);
    let mut moves = Vec::new();
    run.observer.begin(&text("trying every move", "すべての手を調べています"), steps.len() as u64);
    for (number, (&at, m)) in steps.iter().zip(std::mem::take(&mut scene.moves)).enumerate() {
        let after = match &whole.winnable {
            // What cannot be won cannot be won after a move either.
            Winnable::No => whole.clone(),
            Winnable::Yes(line) if line.first() == Some(&at) => {
                Answer { winnable: Winnable::Yes(line[1..].to_vec()), ..whole.clone() }
            }
            _ => solve(&rules.after(row, at))?,
        };
        let (x, words, mark) = verdict(&after.winnable);
        let value = Value {
            x,
            text: words,
            sub: Text::same(grouped(after.states)),
            tone: Tone::of(x, 0.0),
            cert: certainty(&after.winnable),
            interval: mark.is_none().then_some((-1.0, 1.0)),
            mark,
        };
        let m = Move { short: Text::same((at.x - at.y).to_string()), value: Some(value), ..m };
        moves.push((m, x));
        run.observer.done(number as u64 + 1);
    }
    run.observer.end();
    let alive = moves.iter().filter(|m| m.1 > 0.0).count();
    scene.moves = ranked(moves, |x| *x, |x| *x > 0.0);
    scene.scale = Some(Scale {
        min: -1.0,
        mid: 0.0,
        max: 1.0,
        name: text("Rows searched", "調べた列"),
        ticks: vec![(-1.0, text("no", "不可")), (1.0, text("yes", "可"))],
    });
    let count = steps.len();
    let (words, note) = match &whole.winnable {
        Winnable::Yes(_) if rules.won(row) => {
            (text("Success", "成功"), text("nothing is left to do", "これで終わり"))
        }
        Winnable::Yes(line) => (
            text("Solvable", "成功可能"),
            Text::of(
                format!("{alive} of {count} moves keep it alive; {} moves to the end", line.len()),
                format!("{count}手中{alive}手で可能性が残る。終わりまで{}手", line.len()),
            ),
        ),
        Winnable::No => (
            text("No way", "成功不可能"),
            Text::of(
                format!("all {} rows that can follow were generated", grouped(whole.states)),
                format!("到達可能な全{}列を生成した", grouped(whole.states)),
            ),
        ),
        Winnable::Unknown(limit) => {
            let limit = super::answer::limit_text(*limit);
            (
                text("Not known", "不明"),
                Text::of(
                    format!("the limit of {} was hit", limit.en),
                    format!("上限（{}）に達した", limit.ja),
                ),
            )
        }
    };
    scene.value =
        Some(Worth {
            of: text("This row", "この列"), text: words, note, cert: certainty(&whole.winnable)
        });
    if let Winnable::Yes(line) = &whole.winnable
        && let Ok(rows) = rules.replay(row, line)
        && !line.is_empty()
    {
        let steps = rows.iter().zip(line).take(LISTED).map(|(row, at)| {
            let (x, y) = (row.cards[usize::from(at.x)], row.cards[usize::from(at.y)]);
            LineStep {
                text: Text::same(format!("{}→{}", braced(x), braced(y))),
                sub: Text::default(),
                seat: None,
            }
        });
        let more = line.len().saturating_sub(LISTED);
        let length = line.len();
        scene.line = Some(Line {
            title: text("A winning line", "成功手順"),
            note: match more {
                0 => Text::of(format!("{length} moves"), format!("{length}手")),
                more => Text::of(
                    format!("{length} moves, {more} more not shown"),
                    format!("{length}手（残り{more}手は省略）"),
                ),
            },
            list: false,
            steps: steps.collect(),
        });
    }
    scene.trust = text(
        "“No way” is a proof: every row that can follow was generated. A solution is replayed by the rules.",
        "「不可」は証明：後に続く列をすべて生成した。解は規則で再生して確かめた。",
    );
    Ok(scene)
}

/// A row to be changed by hand: two cards change places, or one goes.
pub fn edits(settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Scene, Error> {
    let accordion = game(settings, position, run)?;
    let first = game(settings, None, run)?;
    let start = first.print(&first.start()).unwrap_or_default();
    let row = accordion.start();
    let mut changes = Vec::new();
    let print = |cards: Vec<Card>| accordion.print(&Row { cards, ..row.clone() }).unwrap_or_default();
    for (i, x) in row.cards.iter().enumerate() {
        for (j, y) in row.cards.iter().enumerate().skip(i + 1) {
            let mut cards = row.cards.clone();
            cards.swap(i, j);
            let label = Text::of(
                format!("{} and {} change places", braced(*x), braced(*y)),
                format!("{} と {} を入れ替える", braced(*x), braced(*y)),
            );
            let (from, to) = (Some(x.to_string()), Some(y.to_string()));
            changes.push(Move { from, to, ..Move::new(print(cards), label) });
        }
    }
    for (i, x) in row.cards.iter().enumerate().filter(|_| row.cards.len() > 1) {
        let mut cards = row.cards.clone();
        cards.remove(i);
        let label = Text::of(format!("{} goes", braced(*x)), format!("{} を除く", braced(*x)));
        changes.push(Move { on: vec![x.to_string()], ..Move::new(print(cards), label) });
    }
    Ok(picture(&accordion, &row).editing(&start, changes))
}

/// A short row, and how it can be won.
pub fn headline(run: &Run<'_>) -> Result<Headline, Error> {
    let accordion = Accordion::new(Rules::default(), deal(4, 13, PICTURED.1, PICTURED.0, 0))?;
    let row = accordion.start();
    let answer = Rows::new(accordion.rules(), Means::Hint, run)?.answer(&row, run)?;
    let cards = row.cards.len();
    let (big, words) = match &answer.winnable {
        Winnable::Yes(line) => (
            Text::of(format!("{} moves", line.len()), format!("{}手", line.len())),
            Text::of(
                format!("turn these {cards} cards into one pile: found by search, replayed by the rules."),
                format!("でこの{cards}枚が1山になる。探索で見つけ、規則で再生して確かめた。"),
            ),
        ),
        Winnable::No => (
            text("No way", "成功不可能"),
            Text::of(
                format!(
                    "leads to one pile: all {} rows that can follow were generated.",
                    grouped(answer.states)
                ),
                format!("1山にする手順はない：到達可能な全{}列を生成した。", grouped(answer.states)),
            ),
        ),
        Winnable::Unknown(_) => {
            (text("Not known", "不明"), text("whether this row can be won.", "この列が成功可能か。"))
        }
    };
    let scene = picture(&accordion, &row).small();
    Ok(Headline { big, text: words, cert: certainty(&answer.winnable), scene })
}

/// The seed and the cards of the row that the headline shows.
const PICTURED: (u64, usize) = (1, 18);

/// The scene that is asked for. All cards are open.
pub fn asked(settings: &Settings, position: Option<&str>, _: Viewer, run: &Run<'_>) -> Result<Scene, Error> {
    let accordion = game(settings, position, run)?;
    valued(&accordion, &accordion.start(), run)
}
