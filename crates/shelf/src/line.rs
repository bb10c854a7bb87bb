//! Positions of games that hide something, written as the line of play that leads to them: a word for every action of
//! players and of chance, joined by dots, and another word for what a viewer has not seen.

use yomikiri_core::{Game, Refusal, Text, Turn};
use yomikiri_games::describe::Describe;
use yomikiri_view::scene::{Item, Move, Shape, Show, Viewer, Zone};

/// A game whose states know how they came about.
pub trait Line: Describe {
    /// The actions from the start to a state.
    fn line(&self, s: &Self::State) -> Vec<Self::Action>;

    /// Whether a viewer of a state knows an action of its line, which was made in the state `before`.
    fn sees(&self, s: &Self::State, before: &Self::State, a: Self::Action, viewer: Viewer) -> bool;

    /// How an action is written for somebody who has seen it, or who has not; nothing if it leaves no trace.
    fn word(&self, before: &Self::State, a: Self::Action, seen: bool) -> String {
        if seen { self.action(before, a).id } else { UNSEEN.to_owned() }
    }
}

/// The methods of [`Describe`] that follow from the lines of a game, with how they are written.
macro_rules! by_line {
    ($notation:expr) => {
        fn parse(&self, given: &str) -> Result<Self::State, yomikiri_core::Refusal> {
            crate::line::read(self, given, &$notation)
        }
        fn print(&self, s: &Self::State) -> Option<String> {
            crate::line::print(self, s)
        }
        fn written(&self, s: &Self::State, viewer: yomikiri_view::scene::Viewer) -> String {
            crate::line::written(self, s, viewer)
        }
        fn open(&self) -> bool {
            false
        }
    };
}
pub(crate) use by_line;

/// What is written for the start.
const START: &str = "start";
/// What is written for an action of which nothing is known.
const UNSEEN: &str = "?";
/// Lines that are tried before a position with much unseen is given up.
const TRIED: u32 = 100_000;

/// Who looks: whoever is to move, if nobody says.
pub fn eyes<G: Game>(game: &G, s: &G::State, viewer: Viewer) -> Viewer {
    viewer.or(match game.turn(s) {
        Turn::Player(p) => Some(p),
        Turn::Chance | Turn::Terminal => None,
    })
}

/// A position with everything that is hidden.
pub fn print<G: Line>(game: &G, s: &G::State) -> Option<String> {
    Some(write(game, s, |_, _| true))
}

/// A position as a viewer knows it.
pub fn written<G: Line>(game: &G, s: &G::State, viewer: Viewer) -> String {
    let viewer = eyes(game, s, viewer);
    write(game, s, |before, a| game.sees(s, before, a, viewer))
}

fn write<G: Line>(game: &G, s: &G::State, seen: impl Fn(&G::State, G::Action) -> bool) -> String {
    let mut words = Vec::new();
    let mut now = game.start();
    for a in game.line(s) {
        words.push(game.word(&now, a, seen(&now, a)));
        now = game.apply(&now, a);
    }
    words.retain(|word| !word.is_empty());
    if words.is_empty() { START.to_owned() } else { words.join(".") }
}

/// Reads a position; what was not seen may be anything that fits the rest, and lets the game go on if it can: whoever
/// looks would have been told of its end.
///
/// # Errors
/// What is not a line of play is refused with the notation.
pub fn read<G: Line>(game: &G, given: &str, notation: &Text) -> Result<G::State, Refusal> {
    let words: Vec<&str> = match given.trim() {
        START => Vec::new(),
        given => given.split('.').collect(),
    };
    let blank = words.contains(&"") || words == [UNSEEN];
    let find = |over: bool| follow(game, &game.start(), &words, over, &mut TRIED.clone());
    let found = if blank { None } else { find(false).or_else(|| find(true)) };
    found.ok_or_else(|| Refusal::new("position", format!("\"{given}\""), notation.clone()))
}

/// The first state to which some words lead, one in which the game is over only if that is asked for.
fn follow<G: Line>(game: &G, s: &G::State, words: &[&str], over: bool, left: &mut u32) -> Option<G::State> {
    let Some((word, rest)) = words.split_first() else {
        return Some(s.clone()).filter(|s| over || game.turn(s) != Turn::Terminal);
    };
    *left = left.checked_sub(1)?;
    let same = |a: G::Action, seen: bool| game.word(s, a, seen).eq_ignore_ascii_case(word);
    let fits = |a: &G::Action| same(*a, true) || same(*a, false);
    possible(game, s).into_iter().filter(fits).find_map(|a| follow(game, &game.apply(s, a), rest, over, left))
}

/// What a player or chance may do.
fn possible<G: Game>(game: &G, s: &G::State) -> Vec<G::Action> {
    let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
    match game.turn(s) {
        Turn::Player(_) => game.actions(s, &mut actions),
        Turn::Chance => game.chance(s, &mut outcomes),
        Turn::Terminal => {}
    }
    actions.extend(outcomes.into_iter().map(|outcome| outcome.0));
    actions
}

/// A card as a viewer sees it: its face, unless it is hidden, and whether everybody sees that.
pub fn shown(face: impl ToString, seen: bool, all: bool) -> Show {
    match (seen, all) {
        (false, _) => Show::Down,
        (true, false) => Show::Known(face.to_string()),
        (true, true) => Show::Up(face.to_string()),
    }
}

/// A card that chance deals.
pub fn dealt(card: u8) -> Move {
    let label = Text::of(format!("card {card} is dealt"), format!("{card}が配られる"));
    Move::new(card.to_string(), label)
}

/// What a player has in the pot, in words.
pub fn in_pot(chips: i32) -> Text {
    Text::of(format!("{chips} in the pot"), format!("ポットに{chips}"))
}

/// A place for one card, or for one that has not been dealt.
pub fn place(id: &str, label: Text, card: Option<Show>, tag: Text) -> Zone {
    let card = card.map(|show| Item::card(format!("{id}-card"), show).tag(tag));
    Zone::new(id, Shape::Hand, label, card.into_iter().collect())
}
