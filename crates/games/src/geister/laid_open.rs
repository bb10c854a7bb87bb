//! What is behind hidden colours, by what a player knows: how likely a piece is blue, what a take risks and wins, and what
//! a move would be worth if all colours were laid open after it. The last tells moves apart that guarantee the same.

use super::analysis::{Kind, Solved, Step, value};
use super::answer::reached;
use super::board::{Colour, Position, Side, squares};
use super::real::{self, Next};
use super::response::Payoff;
use super::space::Material;
use super::strategy::subsets;
use super::tables::Tables;
use num_traits::Zero;
use std::sync::Arc;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_view::scene::{Item, signed};

/// What the true position may be, with weights: all that a player knows of it.
pub type Guesses = Vec<(Position, u32)>;

/// Every way the pieces of a player may be coloured, all as likely, where nothing is known but how many are blue.
pub fn any_colours(real: &Position, player: usize) -> Guesses {
    let side = real.sides[player];
    let blues = side.of(Colour::Blue).count_ones();
    let ways = subsets(side.all()).filter(|blue| blue.count_ones() == blues);
    let coloured = |blue: u64| {
        let mut sides = real.sides;
        sides[player] = Side([blue, side.all() & !blue, 0]);
        (Position { sides, ..*real }, 1)
    };
    ways.map(coloured).collect()
}

fn share(weight: u32, guesses: &Guesses) -> Payoff {
    Payoff::new(weight.into(), guesses.iter().map(|g| i64::from(g.1)).sum::<i64>().max(1))
}

/// How likely the piece of a player on a square is of a colour.
fn odds(guesses: &Guesses, player: usize, square: u32, colour: Colour) -> Payoff {
    let are = guesses.iter().filter(|(p, _)| p.sides[player].at(square) == Some(colour));
    share(are.map(|g| g.1).sum(), guesses)
}

fn percent(share: Payoff) -> String {
    let percent = 100.0 * *share.numer() as f64 / *share.denom() as f64;
    if percent.fract() == 0.0 { format!("{percent} %") } else { format!("{percent:.1} %") }
}

/// Writes under the hidden pieces of a player how likely they are blue.
pub fn tagged(items: &mut [Item], guesses: &Guesses, player: usize, name: impl Fn(u32) -> String) {
    let Some((first, _)) = guesses.first() else { return };
    for square in squares(first.sides[player].all()) {
        let at = name(square);
        if let Some(item) = items.iter_mut().find(|item| item.at == at) {
            let blue = percent(odds(guesses, player, square, Colour::Blue));
            item.tag = Text::of(format!("blue {blue}"), format!("青 {blue}"));
        }
    }
}

/// What a take risks and wins: the colours the piece may have, and whether that ends the game; empty if nothing is taken.
pub fn stakes(guesses: &Guesses, step: Step) -> Text {
    let mut said: Vec<Text> = Vec::new();
    for (colour, en, ja) in [(Colour::Blue, "blue", "青"), (Colour::Red, "red", "赤")] {
        let mut are = guesses.iter().filter(|(p, _)| real::taken(p, step) == Some(colour)).peekable();
        let Some((first, _)) = are.peek() else { continue };
        let (en_end, ja_end) = match real::play(first, step) {
            Next::Won(winner) if winner == first.turn => (", you win", "なら勝ち"),
            Next::Won(_) => (", you lose", "なら負け"),
            Next::Goes(_) => ("", ""),
        };
        let likely = percent(share(are.map(|g| g.1).sum(), guesses));
        said.push(Text::of(format!("{likely} {en}{en_end}"), format!("{likely}で{ja}{ja_end}")));
    }
    match said.as_slice() {
        [] => Text::default(),
        all => {
            let join = |pick: fn(&Text) -> &str, by: &str| all.iter().map(pick).collect::<Vec<_>>().join(by);
            Text::of(
                format!("takes a piece: {}", join(|t| &t.en, "; ")),
                format!("駒を取る：{}", join(|t| &t.ja, "、")),
            )
        }
    }
}

/// The table of the open game, as far as a position needs it.
///
/// # Errors
/// What the computation fails with: cancelled, does not fit.
pub fn open(tables: &Tables, real: &Position, run: &Run<'_>) -> Result<Arc<Solved>, Error> {
    let materials = reached(&Kind::Open.materials(), &Material::of(real));
    run.fits(tables.memory(Kind::Open, &materials))?;
    tables.get(Kind::Open, &materials, run)
}

/// What a move pays its player on average if all colours are laid open after it and both then play their best.
pub fn laid_open(open: &Solved, guesses: &Guesses, step: Step) -> Payoff {
    let mut all = Payoff::zero();
    for (p, weight) in guesses {
        let first = match real::play(p, step) {
            Next::Won(0) => 1,
            Next::Won(_) => -1,
            Next::Goes(next) => value(open.verdict(&next)),
        };
        let own = if p.turn == 0 { first } else { -first };
        all += share(*weight, guesses) * Payoff::from_integer(own.into());
    }
    all
}

/// The same in words.
pub fn written(worth: Payoff) -> Text {
    let worth = signed(worth);
    Text::of(format!("{worth} if all colours were then open"), format!("その後に色を全部公開すると {worth}"))
}

/// Two notes in one.
pub fn joined(notes: [Text; 2]) -> Text {
    match notes {
        [one, other] if one.is_empty() => other,
        [one, other] if other.is_empty() => one,
        [one, other] => Text::of(format!("{}; {}", one.en, other.en), format!("{}。{}", one.ja, other.ja)),
    }
}

/// Whose numbers they are where nothing better is known.
pub const OF: Text = text("On average if all colours were open now", "今すべての色を公開したときの平均");
