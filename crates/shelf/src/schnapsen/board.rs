//! How people read a deal: what cards and acts are called, the picture, and lines of play where a hand is hidden.

use super::notation::{NOTATION, letters, read_cards, sorted, written};
use super::rules::{Act, One, Table, Why, set};
use super::{Schnapsen, State};
use crate::line::{self, Line};
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Item, Mark, Move, Seat, Shape, Show, Viewer, Zone};

/// What a player is called.
fn name(player: u8) -> &'static str {
    ["A", "B"][usize::from(player)]
}

/// A card in a text.
fn braced(one: One) -> String {
    format!("{{{}}}", letters(one))
}

/// What the zone and the items of a hand are called by.
fn hand(player: u8) -> &'static str {
    ["a", "b"][usize::from(player)]
}

impl Line for Schnapsen {
    fn line(&self, s: &State) -> Vec<Act> {
        s.line.clone()
    }
    fn sees(&self, s: &State, _: &State, act: Act, viewer: Viewer) -> bool {
        let owner = u8::from(self.hidden[1]);
        !matches!(act, Act::Deal(..)) || viewer == Some(owner) || self.turn(s) == Turn::Terminal
    }
}

impl Schnapsen {
    /// Whether a viewer sees a hand, and whether everybody does.
    fn seen(&self, s: &State, player: u8, viewer: Viewer) -> (bool, bool) {
        let all = !self.hidden[usize::from(player)] || self.turn(s) == Turn::Terminal;
        (all || viewer == Some(player), all)
    }

    fn hand_zone(&self, s: &State, player: u8, viewer: Viewer) -> Zone {
        let (seen, all) = self.seen(s, player, viewer);
        let id = hand(player);
        let item = |(at, one): (usize, One)| match seen {
            true => Item::card(format!("{id}-{}", letters(one)), line::shown(letters(one), true, all)),
            false => Item::card(format!("{id}-hidden{at}"), Show::Down),
        };
        let mut items: Vec<Item> = sorted(s.table.hands[usize::from(player)]).enumerate().map(item).collect();
        if self.undealt(s) && self.hidden[usize::from(player)] {
            items = (0..self.size).map(|at| Item::card(format!("{id}-hidden{at}"), Show::Down)).collect();
        }
        Zone::new(
            id,
            Shape::Hand,
            Text::of(format!("Hand of {}", name(player)), format!("{}の手札", name(player))),
            items,
        )
    }

    fn talon_zone(&self, s: &State) -> Option<Zone> {
        let table = &s.table;
        let (last, hidden) = (usize::from(table.left).checked_sub(1)?, self.conceals_cards());
        let item = |(at, one): (usize, &One)| match (at == last, hidden) {
            (true, _) => Item::card("up", Show::Up(letters(*one))),
            (false, true) => Item::card(format!("down{at}"), Show::Down),
            (false, false) => Item::card(format!("down{at}"), Show::Up(letters(*one))),
        };
        let label = match table.closed {
            Some(closed) => Text::of(
                format!("Talon, closed by {}", name(closed.by)),
                format!("山札（{}が閉じた）", name(closed.by)),
            ),
            None => text("Talon, next card first; the last is turned up", "山札（引く順。最後が表向きの札）"),
        };
        let items = table.talon().iter().enumerate().map(item).collect();
        Some(Zone::new("talon", Shape::Pile { spread: true }, label, items))
    }

    /// The card led, or the last trick.
    fn trick_zone(&self, s: &State, past: &Past<Schnapsen>) -> Option<Zone> {
        let item =
            |one: One| Item::card(format!("trick-{}", letters(one)), Show::Up(letters(one))).mark(Mark::Last);
        let who = name(s.table.leader);
        if let Some(led) = s.table.led {
            let label = Text::of(format!("{who} led"), format!("{who}のリード"));
            return Some(Zone::new("trick", Shape::Hand, label, vec![item(led)]));
        }
        let (before, Act::Play(answer)) = past.last()? else { return None };
        let label =
            Text::of(format!("The last trick: {who} took it"), format!("直前のトリック：{who}が取った"));
        Some(Zone::new("trick", Shape::Hand, label, vec![item(before.table.led?), item(*answer)]))
    }
}

/// The points of a player, with those that wait for a trick.
fn score(table: &Table, player: u8) -> Text {
    let (counted, all) = (table.counted(player), table.points[usize::from(player)]);
    if counted == all { Text::same(counted.to_string()) } else { Text::same(format!("0 (+{all})")) }
}

impl Describe for Schnapsen {
    fn parse(&self, given: &str) -> Result<State, Refusal> {
        let (root, line) = given.split_once('/').unwrap_or((given, ""));
        let read = super::notation::read(self.kind, root.trim())?;
        if !self.conceals_cards() {
            let open = !read.conceals_cards() && line.is_empty();
            return if open { Ok(read.start()) } else { Err(Refusal::new("position", given, NOTATION)) };
        }
        if read.start != self.start || read.pool != self.pool {
            let accepts = Text::same(self.letters(&self.start));
            return Err(Refusal::new("position", given, accepts));
        }
        // Cards as people write them, hands in any order.
        let word = |word: &str| {
            let (hand, down) = word.split_once('~').map_or((word, None), |(hand, down)| (hand, Some(down)));
            let read = |cards: &str| read_cards(self.kind, "/", &cards.replace('+', ","));
            match (read(hand), down.map(read)) {
                (Ok(cards), None) if !cards.is_empty() => written(set(&cards), "+"),
                (Ok(cards), Some(Ok(down))) => {
                    let down: Vec<String> = down.into_iter().map(letters).collect();
                    format!("{}~{}", written(set(&cards), "+"), down.join("+"))
                }
                _ => word.to_owned(),
            }
        };
        let words: Vec<String> = line.split('.').map(word).collect();
        let line = if line.is_empty() { "start".to_owned() } else { words.join(".") };
        // A hand that is not told may be any that fits.
        if line == "?" {
            let mut hands = Vec::new();
            self.chance(&self.start(), &mut hands);
            let first = hands.first().ok_or_else(|| Refusal::new("position", given, NOTATION))?;
            return Ok(self.apply(&self.start(), first.0));
        }
        line::read(self, &line, &NOTATION)
    }
    fn print(&self, s: &State) -> Option<String> {
        if !self.conceals_cards() {
            return Some(self.letters(&s.table));
        }
        let root = self.letters(&self.start);
        if s.line.is_empty() { Some(root) } else { Some(format!("{root}/{}", line::print(self, s)?)) }
    }
    fn written(&self, s: &State, viewer: Viewer) -> String {
        if s.line.is_empty() {
            return self.print(s).unwrap_or_default();
        }
        format!("{}/{}", self.letters(&self.start), line::written(self, s, viewer))
    }
    fn open(&self) -> bool {
        !self.conceals_cards()
    }
    fn action(&self, s: &State, act: Act) -> Move {
        let (table, seat) = (&s.table, hand(s.table.mover()));
        match act {
            Act::Deal(cards, down) => {
                let (mut id, owner) = (written(cards, "+"), name(u8::from(self.hidden[1])));
                // One card face down follows from the hand.
                if self.face_down() > 1 {
                    id += &format!("~{}", down.map(letters).join("+"));
                }
                let hand: Vec<String> = sorted(cards).map(braced).collect();
                let hand = hand.join(" ");
                Move::new(id, Text::of(format!("{owner} has {hand}"), format!("{owner}の手札は{hand}")))
            }
            Act::Exchange => {
                let (own, up) = (table.exchange(self.kind).unwrap_or(0), table.up().unwrap_or(0));
                let label = Text::of(
                    format!("Exchange {} for {}", braced(own), braced(up)),
                    format!("{}を{}と交換", braced(own), braced(up)),
                );
                let from = Some(format!("{seat}-{}", letters(own)));
                Move { from, to: Some("up".into()), ..Move::new("exchange", label) }
            }
            Act::Close => Move {
                on: vec!["up".into()],
                ..Move::new("close", text("Close the talon", "山札を閉じる"))
            },
            Act::Play(one) => {
                let card = braced(one);
                let label = match (table.led, table.marriage(self.kind, one)) {
                    (None, Some(points)) => Text::of(
                        format!("Declare {points} and lead {card}"),
                        format!("{points}を宣言して{card}をリード"),
                    ),
                    (None, None) => Text::of(format!("Lead {card}"), format!("{card}をリード")),
                    (Some(led), _) if table.beats(led, one) => Text::of(
                        format!("Take {} with {card}", braced(led)),
                        format!("{card}で{}を取る", braced(led)),
                    ),
                    _ => Text::of(format!("Give {card}"), format!("{card}を捨てる")),
                };
                Move { on: vec![format!("{seat}-{}", letters(one))], ..Move::new(letters(one), label) }
            }
        }
    }
    fn board(&self, s: &State, past: &Past<Schnapsen>, viewer: Viewer) -> Board {
        let viewer = line::eyes(self, s, viewer);
        let near = viewer.filter(|p| *p < 2 && self.conceals_cards()).unwrap_or(0);
        let mut zones = vec![self.hand_zone(s, 1 - near, viewer)];
        zones.extend(self.talon_zone(s));
        zones.extend(self.trick_zone(s, past));
        zones.push(self.hand_zone(s, near, viewer));
        let seats = [0, 1].map(|p| Seat {
            score: score(&s.table, p),
            ..Seat::scoring(Text::same(name(p)), String::new(), text("points", "点"))
        });
        let trump = ["♠", "♥", "♦", "♣"][usize::from(s.table.trump)];
        let say = match self.turn(s) {
            Turn::Player(p) => {
                let (does, ja) = if s.table.led.is_some() {
                    ("answers", "が応じる番")
                } else {
                    ("leads", "のリード")
                };
                Text::of(
                    format!("{} {does}, trumps {trump}", name(p)),
                    format!("{}{ja}、切り札{trump}", name(p)),
                )
            }
            Turn::Chance => Text::of(format!("Trumps {trump}"), format!("切り札{trump}")),
            Turn::Terminal => text("The deal is over", "終局"),
        };
        Board { seats: seats.into(), say, ..Board::new(zones) }
    }
    fn draw(&self, s: &State, viewer: Viewer) -> Text {
        let viewer = line::eyes(self, s, viewer);
        let table = &s.table;
        let drawn = |one: One| super::rules::card(one).map(|card| card.drawn()).unwrap_or_default();
        let hand =
            |p: u8| match self.seen(s, p, viewer).0 && !(self.undealt(s) && self.hidden[usize::from(p)]) {
                true => sorted(table.hands[usize::from(p)]).map(drawn).collect::<Vec<_>>().join(" "),
                false => "?".to_owned(),
            };
        let talon = |closed: &str, none: &str| {
            let hidden = self.conceals_cards();
            let last = usize::from(table.left).saturating_sub(1);
            let one =
                |(at, one): (usize, &One)| if hidden && at < last { "?".to_owned() } else { drawn(*one) };
            let cards = table.talon().iter().enumerate().map(one).collect::<Vec<_>>().join(" ");
            let cards = if cards.is_empty() { none.to_owned() } else { cards };
            if table.closed.is_some() { format!("{cards} {closed}") } else { cards }
        };
        let led = table.led.map(|led| (name(table.leader), drawn(led)));
        let trump = ["♠", "♥", "♦", "♣"][usize::from(table.trump)];
        let points = [0, 1].map(|p| score(table, p).en);
        Text::of(
            format!(
                "B: {}\ntalon: {}\nA: {}\ntrumps {trump}; points: A {}, B {}{}",
                hand(1),
                talon("(closed)", "–"),
                hand(0),
                points[0],
                points[1],
                led.as_ref().map(|(who, card)| format!("; {who} led {card}")).unwrap_or_default()
            ),
            format!(
                "B：{}\n山札：{}\nA：{}\n切り札{trump}、得点：A {}、B {}{}",
                hand(1),
                talon("（閉じた）", "–"),
                hand(0),
                points[0],
                points[1],
                led.map(|(who, card)| format!("。{who}のリード：{card}")).unwrap_or_default()
            ),
        )
    }
    fn players(&self) -> Vec<Text> {
        vec![Text::same("A"), Text::same("B")]
    }
    fn measure(&self) -> Measure {
        Measure::Points { name: text("game points", "ゲーム点") }
    }
    fn understand(&self, _: &State, typed: &str) -> Option<Act> {
        match typed.trim().to_ascii_lowercase().as_str() {
            "x" | "exchange" => Some(Act::Exchange),
            "c" | "close" => Some(Act::Close),
            card => Some(Act::Play(*read_cards(self.kind, "", card).ok()?.first()?)),
        }
    }
    fn happened(&self, before: &State, act: Act, after: &State) -> Text {
        let words = match act {
            // A deal is seen by whoever gets the cards.
            Act::Deal(..) => return Text::default(),
            _ => self.words(before, act),
        };
        let who = name(before.table.mover());
        let mut told = Text::of(format!("{who}: {}", words.en), format!("{who}：{}", words.ja));
        if let (Act::Play(_), Some(_)) = (act, before.table.led) {
            let taker = usize::from(after.table.leader);
            let points = after.table.points[taker] - before.table.points[taker];
            let who = name(after.table.leader);
            told = Text::of(
                format!("{}; {who} takes the trick, {points} points", told.en),
                format!("{}。{who}が取って{points}点", told.ja),
            );
        }
        told
    }
    fn conceals(&self, before: &State, act: Act, viewer: Viewer) -> bool {
        !self.sees(before, before, act, viewer)
    }
    fn why(&self, s: &State) -> Text {
        let [a, b] = [0, 1].map(|p| s.table.counted(p));
        let points = Text::of(format!("{a} points to {b}"), format!("{a}点対{b}点"));
        let Some(end) = s.table.end else {
            return text(
                "the last cards are drawn and both know everything; the rest is counted as best play",
                "最後の札が引かれ双方すべてを知る。以後は最善として数える",
            );
        };
        let closer = s.table.closed.map_or("", |closed| name(closed.by));
        match end.why {
            Why::Enough => points,
            Why::LastTrick => Text::of(
                format!("{}, and {} took the last trick", points.en, name(end.winner)),
                format!("{}、最後のトリックは{}", points.ja, name(end.winner)),
            ),
            Why::Failed => Text::of(
                format!("{}: {closer} closed and did not reach 66", points.en),
                format!("{}：閉じた{closer}が66点に届かず", points.ja),
            ),
            Why::Nobody => Text::of(
                format!("{}: nobody has 66", points.en),
                format!("{}：66点に達した人なし", points.ja),
            ),
        }
    }
}
