//! Puzzles from the solver: positions of played games in which one move keeps what the position is worth and every other
//! gives something away. A number tells which puzzle, so that everybody finds the same one on the same day.

use crate::entry::Entry;
use crate::params::Settings;
use crate::play::{MACHINE, Move, Play};
use serde_json::{Map, Value, json};
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Refusal, Run, Text, text};

/// Games that are played in search of a puzzle.
const GAMES: u64 = 24;
/// Puzzles among which one is drawn.
const ENOUGH: usize = 4;
/// Decisions that are valued in search of a puzzle: some games take their time for each.
const VALUED: usize = 120;
/// Of so many moves on the way to a puzzle one is drawn, and the others are best.
const DRAWN: u64 = 3;
/// Moves below which nothing is to be found.
const FEWEST: usize = 2;
/// Differences of values that are none: doubles may differ in their last bits.
const NOTHING: f64 = 1e-9;

/// A puzzle: a game up to a decision.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// What the game is dealt by.
    pub seed: u64,
    /// Where the person sits; none where one plays alone.
    pub seat: Option<u8>,
    /// The moves before it, [`MACHINE`] for those of the machine.
    pub moves: Vec<String>,
    /// The moves there are, best first; the first is the answer.
    pub choices: Vec<Move>,
    /// What the next best move gives away, in the values people read.
    pub price: f64,
    /// How hard it is to find, in bits.
    pub bits: f64,
}

/// How hard a puzzle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Few moves, or the others are plainly worse.
    Easy,
    /// In between.
    Medium,
    /// Many moves, and one of them nearly as good.
    Hard,
}

impl Level {
    /// The word for it, for programs.
    pub fn id(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
        }
    }

    /// The word for it.
    pub fn word(self) -> Text {
        match self {
            Level::Easy => text("easy", "やさしい"),
            Level::Medium => text("medium", "ふつう"),
            Level::Hard => text("hard", "難しい"),
        }
    }
}

impl Puzzle {
    /// How hard it is: the more moves there are, and the nearer the next best is to the best, the harder.
    pub fn level(&self) -> Level {
        match self.bits {
            bits if bits < 2.5 => Level::Easy,
            bits if bits < 4.5 => Level::Medium,
            _ => Level::Hard,
        }
    }

    /// What is to be done.
    pub fn task(&self) -> Text {
        let n = self.choices.len();
        Text::of(
            format!("Find the only best of {n} moves."),
            format!("{n}通りの手から、ただ一つの最善手を見つけてください。"),
        )
    }

    /// Everything about it for programs, the answer included.
    pub fn json(&self, game: &dyn Entry, settings: &Settings, number: u64) -> Value {
        let words: Map<String, Value> =
            settings.pairs().map(|(name, value)| (name.to_owned(), value.to_string().into())).collect();
        let choices: Vec<Value> = self
            .choices
            .iter()
            .map(|m| json!({"move": m.input, "label": m.label.en, "value": m.value.value, "text": m.value.text.en}))
            .collect();
        json!({"game": game.about().id, "number": number, "settings": words, "seed": self.seed, "seat": self.seat,
            "moves": self.moves, "answer": self.choices.first().map(|m| &m.input), "price": self.price,
            "bits": self.bits, "level": self.level().id(), "choices": choices})
    }

    /// The game as it stands when the puzzle is asked.
    ///
    /// # Errors
    /// As [`Entry::play`], and what the machine's moves fail with.
    pub fn begin(
        &self,
        game: &dyn Entry,
        settings: &Settings,
        run: &Run<'_>,
    ) -> Result<Box<dyn Play>, Error> {
        let mut play = game.play(settings, None, &Run { seed: self.seed, ..*run })?;
        if let Some(seat) = self.seat {
            play.sit(seat);
        }
        for made in &self.moves {
            if made == MACHINE {
                play.best(run)?;
            } else {
                play.input(made)?;
            }
        }
        Ok(play)
    }
}

/// The settings that puzzles of a game are made with where nobody says.
///
/// # Errors
/// Settings that the game itself does not accept.
pub fn settings(game: &dyn Entry) -> Result<Settings, Refusal> {
    Settings::new(game.params(), game.puzzles().unwrap_or_default().iter().copied())
}

/// What makes a decision a puzzle: one move holds the value, and all values are exact. The price of the next best, and how
/// hard it is to find.
fn puzzling(choices: &[Move]) -> Option<(f64, f64)> {
    let values: Option<Vec<f64>> = choices.iter().map(|m| m.value.value.filter(|_| m.value.exact)).collect();
    let values = values.filter(|values| values.len() >= FEWEST)?;
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let worst = values.iter().copied().fold(f64::INFINITY, f64::min);
    let others: Vec<f64> = values.iter().copied().filter(|value| best - value > NOTHING).collect();
    if others.len() + 1 != values.len() {
        return None;
    }
    let price = best - others.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Guessing among so many, and telling apart what is nearly the same.
    Some((price, (values.len() as f64).log2() + ((best - worst) / price).log2()))
}

/// The puzzle with a number.
///
/// # Errors
/// A number is refused where the games that were looked through have no such decision, and a game that never has one; as
/// [`Entry::play`], and what the computation of values fails with.
pub fn puzzle(game: &dyn Entry, settings: &Settings, number: u64, run: &Run<'_>) -> Result<Puzzle, Error> {
    if game.puzzles().is_none() {
        let accepts =
            text("a game in whose positions one move can be best", "最善手が一つに決まる局面のあるゲーム");
        return Err(Refusal::new("game", game.about().id, accepts).into());
    }
    let mut random = Random::new(number);
    let mut found: Vec<Puzzle> = Vec::new();
    let mut valued = 0;
    // What is plain to see is no fun, but better than nothing.
    let fun = |puzzle: &Puzzle| puzzle.level() > Level::Easy;
    for played in 0.. {
        let enough = found.iter().filter(|puzzle| fun(puzzle)).count() >= ENOUGH;
        // Where nothing was found yet, it is tried for longer.
        let patience = if found.is_empty() { 3 } else { 1 };
        if enough || played >= GAMES * patience || valued >= VALUED * patience as usize {
            break;
        }
        found.extend(in_a_game(game, settings, &mut random, &mut valued, run)?);
    }
    if found.iter().any(fun) {
        found.retain(fun);
    }
    let drawn = random.below(found.len().max(1) as u64) as usize;
    if drawn < found.len() {
        return Ok(found.swap_remove(drawn));
    }
    let accepts = text(
        "another number or other settings: this leads to no decision whose values are all exact and one of which is best",
        "別の番号か別の設定（値がすべて厳密で最善手が一つに決まる局面が見つかりません）",
    );
    Err(Refusal::new("number", number, accepts).into())
}

/// Plays a game, and takes the hardest of its puzzles.
fn in_a_game(
    game: &dyn Entry,
    settings: &Settings,
    random: &mut Random,
    valued: &mut usize,
    run: &Run<'_>,
) -> Result<Option<Puzzle>, Error> {
    // As large as an address and a double can carry.
    let seed = random.below(1 << 32);
    let mut play = game.play(settings, None, &Run { seed, ..*run })?;
    let seats: Vec<u8> = play.seats().into_iter().flatten().collect();
    let seat = seats.get(random.below(seats.len().max(1) as u64) as usize).copied();
    if let Some(seat) = seat {
        play.sit(seat);
    }
    let (mut moves, mut hardest): (Vec<String>, Option<Puzzle>) = (Vec::new(), None);
    let most = *valued + VALUED;
    while let Some(turn) = play.turn() {
        run.check()?;
        if *valued >= most {
            break;
        }
        if seat.is_some_and(|seat| seat != turn) {
            if play.best(run)?.is_empty() && play.turn() == Some(turn) {
                break;
            }
            moves.push(MACHINE.to_owned());
            continue;
        }
        *valued += 1;
        let choices = play.moves(run)?;
        let Some(best) = choices.first().map(|m| m.input.clone()) else { break };
        let next = match random.below(DRAWN) {
            0 => choices[random.below(choices.len() as u64) as usize].input.clone(),
            _ => best,
        };
        if let Some((price, bits)) = puzzling(&choices).filter(|_| !moves.is_empty())
            && hardest.as_ref().is_none_or(|known| known.bits < bits)
        {
            hardest = Some(Puzzle { seed, seat, moves: moves.clone(), choices, price, bits });
        }
        play.input(&next)?;
        moves.push(next);
    }
    Ok(hardest)
}

/// The number of the puzzle of a day: days since the beginning of 1970.
///
/// # Errors
/// What is no date from then to the end of 9999 is refused.
pub fn of_day(date: &str) -> Result<u64, Refusal> {
    let refuse = || {
        let accepts = text(
            "a date like 2026-01-31, from 1970 to 9999",
            "1970年から9999年までの 2026-01-31 のような日付",
        );
        Refusal::new("date", format!("\"{date}\""), accepts)
    };
    let parts: Vec<&str> = date.split('-').collect();
    let &[year, month, day] = &parts[..] else { return Err(refuse()) };
    let number = |word: &str, digits: usize| -> Option<u64> {
        (word.len() == digits && word.bytes().all(|b| b.is_ascii_digit())).then(|| word.parse().ok())?
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return Err(refuse());
    };
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = |month: u64| match month {
        2 if leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if year < 1970 || !(1..=12).contains(&month) || !(1..=days(month)).contains(&day) {
        return Err(refuse());
    }
    let years: u64 = (1970..year).map(|year| if leap(year) { 366 } else { 365 }).sum();
    Ok(years + (1..month).map(days).sum::<u64>() + day - 1)
}
