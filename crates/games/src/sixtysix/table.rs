//! The game as people set it up and play it: points in their own units, points held, a target, both hands and
//! the deck open on the table; the notation for all of it; and advice from the search.
//!
//! Notation: parts separated by `_` (or blanks), in any order: `A:1,4,6_B:2,3,5_D:7,8_Q:4=3,7=1/2_L:B_W:3,2_T:9`.
//! `A` and `B` are the hands, `D` the deck, next card first; `Q` says what cards are worth (`Q:7` that only card 7
//! scores, `Q:all=1` that all are worth as much); `L` who leads; `W` the points A and B hold already; `T` the
//! target to exceed or `R` the target to reach, without which the players play for points.

use super::points::{self, Points};
use super::rules::{Deal, MAX_CARD, MAX_POINTS, Objective, Sixtysix, State, bit, cards_of};
use super::scene;
use super::solver::NODES;
use crate::play::{Adviser, Past, Shown, Tabletop};
use num_traits::ToPrimitive;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use yomikiri_core::{Canonical, Error, Game, Notation, Number, Rational, Refusal, Run, Text, Turn, text};
use yomikiri_solve::minimax::{Contest, NullWindow, bytes};
use yomikiri_solve::solution::{Solution, Stored};
use yomikiri_view::scene::{Scene, Viewer};

/// A game with everything that is said about it in words.
#[derive(Clone, Debug)]
pub struct Table {
    game: Sixtysix,
    points: Points,
    held: [Rational; 2],
    target: Option<(Rational, bool)>,
}

/// What a position says, before the rules have looked at it.
struct Written {
    hands: [Vec<u32>; 2],
    deck: Vec<u32>,
    leader: u8,
    worth: Option<Worth>,
    held: [Rational; 2],
    target: Option<(Rational, bool)>,
}

/// What cards are worth.
enum Worth {
    All(Rational),
    Cards(BTreeMap<u32, Rational>),
}

fn refuse(part: &str) -> Refusal {
    Refusal::new(
        "position",
        format!("\"{part}\""),
        text(
            "hands, deck, points, leader, points held, target: e.g. A:1,4,6_B:2,3,5_D:7,8_Q:4=3,7=1/2_L:B_W:3,2_T:9",
            "手札、山札、得点、先手、既得点、目標：例 A:1,4,6_B:2,3,5_D:7,8_Q:4=3,7=1/2_L:B_W:3,2_T:9",
        ),
    )
}

fn read(given: &str) -> Result<Written, Refusal> {
    let zero = || Rational::from_int(0);
    let mut written = Written {
        hands: [Vec::new(), Vec::new()],
        deck: Vec::new(),
        leader: 0,
        worth: None,
        held: [zero(), zero()],
        target: None,
    };
    let mut seen = Vec::new();
    for part in given.split(['_', ' ']).filter(|p| !p.is_empty()) {
        let (name, value) = part.split_once(':').ok_or_else(|| refuse(part))?;
        let number = |n: &str| points::read(n).ok_or_else(|| refuse(part));
        let cards = || -> Result<Vec<u32>, Refusal> {
            let items = value.split(',').filter(|c| !c.is_empty());
            let card = |c: &str| c.parse::<u32>().ok().filter(|n| (1..=MAX_CARD as u32).contains(n));
            items.map(|c| card(c).ok_or_else(|| refuse(part))).collect()
        };
        let name = name.to_ascii_uppercase();
        match name.as_str() {
            "A" => written.hands[0] = cards()?,
            "B" => written.hands[1] = cards()?,
            "D" => written.deck = cards()?,
            "L" => match value {
                "A" | "a" => written.leader = 0,
                "B" | "b" => written.leader = 1,
                _ => return Err(refuse(part)),
            },
            "Q" => {
                let mut worth = BTreeMap::new();
                if let Some(all) = value.strip_prefix("all=") {
                    written.worth = Some(Worth::All(number(all)?));
                } else {
                    for item in value.split(',').filter(|i| !i.is_empty()) {
                        let (card, n) = item.split_once('=').unwrap_or((item, "1"));
                        let card = card.parse::<u32>().map_err(|_| refuse(part))?;
                        if worth.insert(card, number(n)?).is_some() {
                            return Err(refuse(part));
                        }
                    }
                    written.worth = Some(Worth::Cards(worth));
                }
            }
            "W" => {
                let (a, b) = value.split_once(',').ok_or_else(|| refuse(part))?;
                written.held = [number(a)?, number(b)?];
            }
            "T" | "R" => written.target = Some((number(value)?, name == "R")),
            _ => return Err(refuse(part)),
        }
        let place = if name == "R" { "T".to_owned() } else { name };
        if seen.contains(&place) {
            return Err(refuse(part));
        }
        seen.push(place);
    }
    if seen.is_empty() {
        return Err(refuse(given));
    }
    Ok(written)
}

impl Table {
    /// A game with its points, what is held before it, and its target if there is one.
    pub fn new(
        deal: Deal,
        points: Points,
        held: [Rational; 2],
        target: Option<(Rational, bool)>,
    ) -> Result<Table, Refusal> {
        let objective = match &target {
            None => Objective::Difference,
            Some((target, reaches)) => {
                Objective::Race([0, 1].map(|p| points.limit(target, &held[p], *reaches)))
            }
        };
        let game = Sixtysix::new(deal, &points.whole, objective)?;
        Ok(Table { game, points, held, target })
    }

    /// The game a text describes, from the position it describes.
    pub fn read(given: &str) -> Result<Table, Refusal> {
        let written = read(given)?;
        let deal = Deal::new(written.hands, written.deck, written.leader)
            // Fields of a request are parts of a notation here.
            .map_err(|r| Refusal { field: format!("position, {}", r.field), ..r })?;
        let all = deal.ascending();
        let largest = all.last().copied().unwrap_or(0) as usize;
        let mut worth = vec![Rational::from_int(0); largest];
        match written.worth {
            None => all.iter().for_each(|&c| worth[c as usize - 1] = Rational::from_int(1)),
            Some(Worth::All(n)) => all.iter().for_each(|&c| worth[c as usize - 1] = n.clone()),
            Some(Worth::Cards(cards)) => {
                for (card, n) in cards {
                    if !all.contains(&card) {
                        return Err(refuse(&format!("Q:{card}")));
                    }
                    worth[card as usize - 1] = n;
                }
            }
        }
        Table::new(deal, Points::new(&worth)?, written.held, written.target)
    }

    /// The rules below.
    pub fn game(&self) -> &Sixtysix {
        &self.game
    }
    /// The points and their unit.
    pub fn points(&self) -> &Points {
        &self.points
    }
    /// The target, and whether reaching it is enough.
    pub fn target(&self) -> Option<&(Rational, bool)> {
        self.target.as_ref()
    }
    /// The points a player has in all.
    pub fn score(&self, s: &State, player: usize) -> Rational {
        &self.held[player] + self.points.real(s.won[player])
    }
    /// What a card is worth.
    pub fn worth(&self, card: u8) -> Rational {
        self.points.real(self.game.points(card))
    }

    /// The same with another player to lead.
    pub fn with_leader(&self, leader: u8) -> Result<Table, Refusal> {
        let deal = Deal { leader, ..self.game.deal().clone() };
        Table::new(deal, self.points.clone(), self.held.clone(), self.target.clone())
    }

    /// The same with two cards that have changed places; what they are worth goes with them.
    pub fn with_swapped(&self, x: u32, y: u32) -> Result<Table, Refusal> {
        let deal = self.game.deal();
        let swapped = |cards: &[u32]| -> Vec<u32> {
            let other = |&c: &u32| {
                if c == x {
                    y
                } else if c == y {
                    x
                } else {
                    c
                }
            };
            cards.iter().map(other).collect()
        };
        let hands = [swapped(&deal.hands[0]), swapped(&deal.hands[1])];
        let deal = Deal::new(hands, swapped(&deal.deck), deal.leader)?;
        Table::new(deal, self.points.clone(), self.held.clone(), self.target.clone())
    }

    /// The same with a card that is worth something else.
    pub fn with_worth(&self, card: u32, worth: Rational) -> Result<Table, Refusal> {
        let deal = self.game.deal().clone();
        let largest = deal.ascending().last().copied().unwrap_or(0);
        let all: Vec<Rational> =
            (1..=largest).map(|c| if c == card { worth.clone() } else { self.worth(c as u8) }).collect();
        Table::new(deal, Points::new(&all)?, self.held.clone(), self.target.clone())
    }

    fn worth_part(&self, s: &State) -> String {
        let cards: Vec<u8> = cards_of(s.hands[0] | s.hands[1] | self.game.undrawn(s.drawn)).collect();
        let first = cards.first().map(|&c| self.worth(c));
        if let Some(first) = first.filter(|f| cards.len() > 1 && cards.iter().all(|&c| self.worth(c) == *f)) {
            return format!("Q:all={first}");
        }
        let one = Rational::from_int(1);
        let scoring = cards.iter().filter(|&&c| self.game.points(c) != 0);
        let items: Vec<String> = scoring
            .map(|&c| if self.worth(c) == one { c.to_string() } else { format!("{c}={}", self.worth(c)) })
            .collect();
        format!("Q:{}", items.join(","))
    }
}

fn listed(cards: impl IntoIterator<Item = u32>) -> String {
    cards.into_iter().map(|c| c.to_string()).collect::<Vec<_>>().join(",")
}

fn set(cards: &[u32]) -> u128 {
    cards.iter().fold(0, |set, &c| set | bit(c as u8))
}

impl Notation for Table {
    /// A position of this very game: the deck must be what is left of its deck, and points and target its own.
    fn parse(&self, given: &str) -> Result<State, Refusal> {
        let there = Table::read(given)?;
        let s = there.game.start();
        let (deck, mine) = (&there.game.deal().deck, &self.game.deal().deck);
        let wrong = |part: &str| refuse(part);
        if !mine.ends_with(deck) || there.target != self.target {
            return Err(wrong(given));
        }
        let drawn = mine.len() - deck.len();
        let known = set(&self.game.deal().ascending());
        let hands = s.hands[0] | s.hands[1];
        let size = self.game.deal().hand();
        let full = there.game.deal().hand() == size || (deck.is_empty() && there.game.deal().hand() < size);
        if hands & !known != 0 || hands & self.game.undrawn(drawn as u8) != 0 || !full {
            return Err(wrong(given));
        }
        let cards = hands | there.game.undrawn(0);
        if cards_of(cards).any(|c| there.worth(c) != self.worth(c)) {
            return Err(wrong(given));
        }
        let won = |p: usize| {
            let units = (&there.held[p] - &self.held[p]) / &self.points.unit;
            let whole = units.is_integer().then(|| units.to_integer().to_i32()).flatten();
            whole.filter(|n| i64::from(*n).abs() < MAX_POINTS).ok_or_else(|| wrong(given))
        };
        let won = [won(0)?, won(1)?];
        Ok(State { hands: s.hands, drawn: drawn as u8, leader: s.leader, led: None, won })
    }

    fn print(&self, s: &State) -> Option<String> {
        if s.led.is_some() || s.hands[0] == 0 {
            return None;
        }
        let mut parts = vec![
            format!("A:{}", listed(cards_of(s.hands[0]).map(u32::from))),
            format!("B:{}", listed(cards_of(s.hands[1]).map(u32::from))),
        ];
        let deck = &self.game.deal().deck[usize::from(s.drawn)..];
        if !deck.is_empty() {
            parts.push(format!("D:{}", listed(deck.iter().copied())));
        }
        parts.push(self.worth_part(s));
        if s.leader == 1 {
            parts.push("L:B".into());
        }
        let held = [self.score(s, 0), self.score(s, 1)];
        if held.iter().any(|h| *h != Rational::from_int(0)) {
            parts.push(format!("W:{},{}", held[0], held[1]));
        }
        if let Some((target, reaches)) = &self.target {
            parts.push(format!("{}:{target}", if *reaches { "R" } else { "T" }));
        }
        Some(parts.join("_"))
    }
}

impl Game for Table {
    type State = State;
    type Action = u8;
    const PLAYERS: usize = 2;

    fn start(&self) -> State {
        self.game.start()
    }
    fn turn(&self, s: &State) -> Turn {
        self.game.turn(s)
    }
    fn actions(&self, s: &State, out: &mut Vec<u8>) {
        self.game.actions(s, out);
    }
    fn chance(&self, s: &State, out: &mut Vec<(u8, u32)>) {
        self.game.chance(s, out);
    }
    fn apply(&self, s: &State, a: u8) -> State {
        self.game.apply(s, a)
    }
    fn utility(&self, s: &State, player: u8) -> i32 {
        self.game.utility(s, player)
    }
}

impl Canonical for Table {
    type Key = State;
    fn key(&self, s: &State) -> Option<State> {
        self.game.key(s)
    }
    fn symmetric(&self, s: &State, out: &mut Vec<State>) {
        self.game.symmetric(s, out);
    }
}

/// A player as people call them.
pub fn player(seat: u8) -> &'static str {
    if seat == 0 { "A" } else { "B" }
}

impl Tabletop for Table {
    fn draw(&self, s: &State) -> Text {
        let card = |c: u8| match self.game.points(c) {
            0 => c.to_string(),
            _ => format!("{c}({})", self.worth(c)),
        };
        let line = |cards: Vec<u8>| {
            let cards: Vec<String> = cards.into_iter().map(card).collect();
            if cards.is_empty() { "–".to_owned() } else { cards.join(" ") }
        };
        let deck: Vec<u8> = self.game.deal().deck[usize::from(s.drawn)..].iter().map(|&c| c as u8).collect();
        let hands = [0, 1].map(|p| line(cards_of(s.hands[p]).collect()));
        let deck = line(deck);
        let scores = [self.score(s, 0), self.score(s, 1)];
        let led = s.led.map(|led| (player(s.leader), card(led)));
        let (en, ja) = match &led {
            Some((who, card)) => (format!("; {who} led {card}"), format!("。{who}のリード：{card}")),
            None => (String::new(), String::new()),
        };
        let target = match &self.target {
            None => (String::new(), String::new()),
            Some((t, false)) => (format!("; wins who is above {t}"), format!("。{t}を超えれば勝ち")),
            Some((t, true)) => (format!("; wins who has {t}"), format!("。{t}に達すれば勝ち")),
        };
        Text::of(
            format!(
                "A: {}\nB: {}\ndeck: {deck}\npoints: A {}, B {}{}{en}",
                hands[0], hands[1], scores[0], scores[1], target.0
            ),
            format!(
                "A：{}\nB：{}\n山札：{deck}\n得点：A {}、B {}{}{ja}",
                hands[0], hands[1], scores[0], scores[1], target.1
            ),
        )
    }

    fn ask(&self, s: &State) -> Text {
        match (self.turn(s), s.led) {
            (Turn::Player(p), None) => Text::of(
                format!("{}: which card to lead?", player(p)),
                format!("{}：リードする札は？", player(p)),
            ),
            (Turn::Player(p), Some(led)) => Text::of(
                format!("{}: which card to answer {led} with?", player(p)),
                format!("{}：{led}に出す札は？", player(p)),
            ),
            _ => text("", ""),
        }
    }

    fn name(&self, s: &State, a: u8) -> (String, Text) {
        let what = match s.led {
            None => Text::of(format!("lead {a}"), format!("{a}をリード")),
            Some(led) if a > led => Text::of(format!("take {led} with {a}"), format!("{a}で{led}を取る")),
            Some(led) => {
                Text::of(format!("leave the trick, playing {a}"), format!("{a}を出して{led}に負ける"))
            }
        };
        (a.to_string(), what)
    }

    fn happened(&self, before: &State, a: u8, after: &State) -> Text {
        let Some(_) = before.led else {
            let who = player(before.leader);
            return Text::of(format!("{who} leads {a}"), format!("{who}が{a}をリード"));
        };
        let (follower, winner) = (player(1 - before.leader), usize::from(after.leader));
        let gained = self.points.real(after.won[winner] - before.won[winner]);
        let who = player(after.leader);
        let mut drawn = (String::new(), String::new());
        if after.drawn > before.drawn {
            let at = usize::from(before.drawn);
            let deck = &self.game.deal().deck;
            let loser = player(1 - after.leader);
            drawn = (
                format!(", {who} draws {}, {loser} draws {}", deck[at], deck[at + 1]),
                format!("、{who}は{}、{loser}は{}を引く", deck[at], deck[at + 1]),
            );
        }
        Text::of(
            format!("{follower} plays {a}: {who} takes the trick, {gained} points{}", drawn.0),
            format!("{follower}は{a}：{who}が取り{gained}点{}", drawn.1),
        )
    }

    fn outcome(&self, s: &State) -> Text {
        let scores = [self.score(s, 0), self.score(s, 1)];
        let points = format!("A {}, B {}", scores[0], scores[1]);
        let winner = if self.target.is_some() {
            self.game.utility(s, 0)
        } else {
            // Without a target the points held count as well.
            i32::from(scores[0] > scores[1]) - i32::from(scores[0] < scores[1])
        };
        match (winner, self.target.is_some()) {
            (1, _) => Text::of(format!("A wins ({points})"), format!("Aの勝ち（{points}）")),
            (-1, _) => Text::of(format!("B wins ({points})"), format!("Bの勝ち（{points}）")),
            (_, true) => Text::of(format!("nobody wins ({points})"), format!("勝者なし（{points}）")),
            (_, false) => Text::of(format!("a draw ({points})"), format!("引き分け（{points}）")),
        }
    }

    fn shown<N: Number>(&self, value: &N) -> Shown {
        let value = value.approx();
        if self.target.is_some() {
            let words = if value > 0.5 {
                text("win", "勝ち")
            } else if value < -0.5 {
                text("loss", "負け")
            } else {
                text("none", "勝者なし")
            };
            return Shown { text: words, value };
        }
        let points = value * self.points.unit.approx();
        Shown { text: Text::same(format!("{:+}", (points * 1e6).round() / 1e6 + 0.0)), value: points }
    }

    fn understand(&self, _: &State, text: &str) -> Option<u8> {
        // What a Japanese keyboard types counts too.
        let plain: String = text
            .chars()
            .map(|c| match c {
                '０'..='９' => char::from(b'0' + (c as u32 - '０' as u32) as u8),
                other => other,
            })
            .collect();
        plain.trim_start_matches("lead ").trim_start_matches("play ").trim().parse().ok()
    }
}

/// Values of any position of a table, found by a search that remembers what it has seen.
pub struct Advice {
    search: Arc<Mutex<NullWindow<Sixtysix>>>,
    memory: u64,
}

impl Advice {
    /// Advice for a table, from the cache or new; the first position is solved now, within the means of the run.
    pub fn new(table: &Table, s: &State, run: &Run<'_>) -> Result<Advice, Error> {
        let game = table.game();
        let start = table.start();
        let name = format!("sixtysix/search-{}", table.print(&start).unwrap_or_default());
        let search = run.cached(&name, || {
            super::solver::within_reach(game, &start, run)?;
            let mut search = NullWindow::new(NODES, run);
            search.value(game, &start, run).map_err(|e| super::solver::named(game, run, e))?;
            let bytes = search.places() * bytes::<Sixtysix>();
            Ok((Mutex::new(search), bytes))
        })?;
        let advice = Advice { search, memory: run.memory };
        advice.value(table, s, run)?;
        Ok(advice)
    }

    /// What a position is worth to A: the difference at the end without what was held, or the winner.
    pub fn value(&self, table: &Table, s: &State, run: &Run<'_>) -> Result<i32, Error> {
        let game = table.game();
        if game.turn(s) == Turn::Terminal {
            return Ok(game.utility(s, 0));
        }
        let mut search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        search.allow(NODES);
        let value = search.value(game, s, run).map_err(|e| super::solver::named(game, run, e))?;
        // The search counts A's points; the table wants the difference at the end.
        Ok(match game.objective() {
            Objective::Difference => 2 * value - s.won[0] - s.won[1] - rest(game, s),
            Objective::Race(_) => value,
        })
    }
}

impl Solution<Table> for Advice {
    type Number = f64;

    fn stored(&self, table: &Table, s: &State) -> Stored<f64> {
        let Turn::Player(p) = table.turn(s) else { return Stored::Missing };
        match self.value(table, s, &Run { memory: self.memory, ..Run::default() }) {
            Ok(value) => Stored::Value(f64::from(if p == 0 { value } else { -value })),
            Err(_) => Stored::Missing,
        }
    }
}

impl Adviser<Table> for Advice {
    type Number = f64;

    fn values(&self, table: &Table, s: &State, run: &Run<'_>) -> Result<Vec<(u8, Option<f64>)>, Error> {
        let Turn::Player(p) = table.turn(s) else { return Ok(Vec::new()) };
        let mut actions = Vec::new();
        table.actions(s, &mut actions);
        let worth = |a: u8| {
            let value = self.value(table, &table.apply(s, a), run)?;
            Ok((a, Some(f64::from(if p == 0 { value } else { -value }))))
        };
        actions.into_iter().map(worth).collect()
    }

    fn board(&self, table: &Table, s: &State, past: &Past<Table>, viewer: Viewer) -> Scene {
        scene::board(table, s, past, viewer)
    }

    fn scene(&self, table: &Table, s: &State, board: Scene, run: &Run<'_>) -> Result<Scene, Error> {
        scene::rated(table, s, board, self, run)
    }

    fn ends(&self, table: &Table, s: &State, a: u8) -> (Option<String>, Option<String>) {
        let Turn::Player(p) = table.turn(s) else { return (None, None) };
        (Some(scene::id(p, a)), None)
    }
}

/// The points still to be won from a position.
fn rest(game: &Sixtysix, s: &State) -> i32 {
    let table = s.led.map_or(0, bit);
    debug_assert!(game.banked(s) == 0 || game.objective() == Objective::Difference);
    game.worth(s.hands[0] | s.hands[1] | table | game.undrawn(s.drawn))
}
