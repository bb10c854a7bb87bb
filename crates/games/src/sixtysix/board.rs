//! How people read the game: what its positions, cards and results are called, the picture with both hands and the deck
//! open, and deals changed by hand.

use super::rules::{State, cards_of};
use super::table::{Table, player};
use crate::describe::{Describe, Past};
use yomikiri_core::{Game, Number, Rational, Refusal, Text, Turn, text};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Item, Legend, Mark, Move, Seat, Shape, Viewer, Zone, signed};

/// Cards of a hand that still lie in one line.
const HAND: usize = 14;
/// Changes that are offered at most; those of the deck among itself go first.
const CHANGES: usize = 1200;

/// What wins, if there is a target.
pub fn goal(table: &Table) -> Option<Text> {
    Some(match table.target()? {
        (t, false) => Text::of(format!("wins who is above {t}"), format!("{t}を超えれば勝ち")),
        (t, true) => Text::of(format!("wins who has {t}"), format!("{t}に達すれば勝ち")),
    })
}

/// A card as an item.
fn card(table: &Table, prefix: &str, card: u8) -> Item {
    let pts = (table.game().points(card) != 0).then(|| signed(table.worth(card)));
    Item::num(format!("{prefix}{card}"), u32::from(card), pts)
}

fn zone(id: &str, label: Text, items: Vec<Item>, w: u16) -> Zone {
    let shape = match items.len() {
        n if n > HAND => Shape::Row { per: HAND as u16, narrow: 7 },
        _ => Shape::Hand,
    };
    Zone::new(id, shape, label, items).wide(w)
}

/// The zone of a hand, and what its cards are called by.
fn hand(seat: u8) -> &'static str {
    if seat == 0 { "a" } else { "b" }
}

impl Table {
    fn deck(&self, s: &State) -> impl Iterator<Item = u8> {
        self.game().deal().deck[usize::from(s.drawn)..].iter().map(|&c| c as u8)
    }

    fn hand_zone(&self, s: &State, seat: u8, w: u16) -> Zone {
        let (id, name) = (hand(seat), player(seat));
        let items = cards_of(s.hands[usize::from(seat)]).map(|c| card(self, id, c)).collect();
        zone(id, Text::of(format!("{name}: open hand"), format!("{name}：公開手札")), items, w)
    }

    /// The card led, or the last trick.
    fn trick_zone(&self, s: &State, past: &Past<Table>) -> Option<Zone> {
        let cards = |prefix: &str, cards: &[u8]| -> Vec<Item> {
            cards.iter().map(|&c| card(self, prefix, c).mark(Mark::Last)).collect()
        };
        let who = player(s.leader);
        if let Some(led) = s.led {
            let label = Text::of(format!("{who} led"), format!("{who}のリード"));
            return Some(zone("led", label, cards("led", &[led]), 54));
        }
        let (before, answer) = past.last()?;
        let label =
            Text::of(format!("The last trick: {who} took it"), format!("直前のトリック：{who}が取った"));
        Some(zone("trick", label, cards("trick", &[before.led?, *answer]), 42))
    }

    fn deck_zone(&self, s: &State) -> Option<Zone> {
        let items: Vec<Item> = self.deck(s).map(|c| card(self, "d", c)).collect();
        let label = text("Deck, in drawing order: the winner draws first", "山札（引く順）：勝者が先に引く");
        let shape = match items.len() {
            0 => return None,
            n if n > HAND => Shape::Row { per: HAND as u16, narrow: 8 },
            _ => Shape::Pile { spread: true },
        };
        Some(Zone::new("deck", shape, label, items).wide(42))
    }
}

impl Describe for Table {
    fn parse(&self, given: &str) -> Result<State, Refusal> {
        self.reached(given)
    }

    fn print(&self, s: &State) -> Option<String> {
        self.notation(s)
    }

    fn action(&self, s: &State, card: u8) -> Move {
        let label = match s.led {
            None => Text::of(format!("Lead {card}"), format!("{card} をリード")),
            Some(led) if card > led => {
                Text::of(format!("Take {led} with {card}"), format!("{card} で {led} を取る"))
            }
            Some(_) => Text::of(format!("Play {card}"), format!("{card} を出す")),
        };
        let seat = if s.led.is_some() { 1 - s.leader } else { s.leader };
        Move { on: vec![format!("{}{card}", hand(seat))], ..Move::new(card.to_string(), label) }
    }

    /// The viewer sits nearer; who led first does for everybody else.
    fn board(&self, s: &State, past: &Past<Table>, viewer: Viewer) -> Board {
        let near = viewer.filter(|seat| *seat < 2).unwrap_or(self.game().deal().leader);
        let mut zones = vec![self.hand_zone(s, 1 - near, 54)];
        zones.extend(self.trick_zone(s, past));
        zones.extend(self.deck_zone(s));
        zones.push(self.hand_zone(s, near, 66));
        let seats = [0u8, 1].map(|seat| {
            let score = self.score(s, usize::from(seat)).to_string().replace('-', "−");
            Seat::scoring(Text::same(player(seat)), score, text("points", "点"))
        });
        let say = match (self.turn(s), s.led) {
            (Turn::Player(p), None) => {
                Text::of(format!("{} leads", player(p)), format!("{}のリード", player(p)))
            }
            (Turn::Player(p), Some(_)) => {
                Text::of(format!("{} answers", player(p)), format!("{}が応じる番", player(p)))
            }
            _ => text("The game is over", "終局"),
        };
        let foot = text("The foot of a card: the points it scores.", "カードの下の帯：得点。");
        let legend = vec![Legend { item: None, text: foot }];
        Board { seats: seats.into(), legend, say, ..Board::new(zones) }
    }

    fn draw(&self, s: &State, _: Viewer) -> Text {
        let card = |c: u8| match self.game().points(c) {
            0 => c.to_string(),
            _ => format!("{c}({})", self.worth(c)),
        };
        let line = |cards: &mut dyn Iterator<Item = u8>| {
            let cards: Vec<String> = cards.map(card).collect();
            if cards.is_empty() { "–".to_owned() } else { cards.join(" ") }
        };
        let [a, b] = s.hands.map(|hand| line(&mut cards_of(hand)));
        let deck = line(&mut self.deck(s));
        let scores = [self.score(s, 0), self.score(s, 1)];
        let led = s.led.map(|led| {
            let (who, card) = (player(s.leader), card(led));
            Text::of(format!("{who} led {card}"), format!("{who}のリード：{card}"))
        });
        let more: Vec<Text> = goal(self).into_iter().chain(led).collect();
        let join = |between: &str, pick: fn(&Text) -> &str| -> String {
            more.iter().map(|t| format!("{between}{}", pick(t))).collect()
        };
        Text::of(
            format!(
                "A: {a}\nB: {b}\ndeck: {deck}\npoints: A {}, B {}{}",
                scores[0],
                scores[1],
                join("; ", |t| &t.en)
            ),
            format!(
                "A：{a}\nB：{b}\n山札：{deck}\n得点：A {}、B {}{}",
                scores[0],
                scores[1],
                join("。", |t| &t.ja)
            ),
        )
    }

    fn players(&self) -> Vec<Text> {
        vec![Text::same("A"), Text::same("B")]
    }

    fn measure(&self) -> Measure {
        match self.target() {
            Some(_) => Measure::Result,
            None => Measure::Points { name: text("points", "点") },
        }
    }

    fn prompt(&self, s: &State) -> Text {
        match (self.turn(s), s.led) {
            (Turn::Player(p), None) => Text::of(
                format!("{}: which card to lead?", player(p)),
                format!("{}：リードする札は？", player(p)),
            ),
            (Turn::Player(p), Some(led)) => Text::of(
                format!("{}: which card to answer {led} with?", player(p)),
                format!("{}：{led}に出す札は？", player(p)),
            ),
            _ => Text::default(),
        }
    }

    fn understand(&self, _: &State, typed: &str) -> Option<u8> {
        // What a Japanese keyboard types counts too.
        let plain: String = typed
            .chars()
            .map(|c| match c {
                '０'..='９' => char::from(b'0' + (c as u32 - '０' as u32) as u8),
                other => other,
            })
            .collect();
        plain.trim_start_matches("lead ").trim_start_matches("play ").trim().parse().ok()
    }

    fn happened(&self, before: &State, a: u8, after: &State) -> Text {
        let Some(_) = before.led else {
            let who = player(before.leader);
            return Text::of(format!("{who} leads {a}"), format!("{who}が{a}をリード"));
        };
        let (follower, winner) = (player(1 - before.leader), usize::from(after.leader));
        let gained = self.points().real(after.won[winner] - before.won[winner]);
        let points = if gained.to_string() == "1" { "point" } else { "points" };
        let who = player(after.leader);
        let mut drawn = Text::default();
        if after.drawn > before.drawn {
            let at = usize::from(before.drawn);
            let deck = &self.game().deal().deck;
            let loser = player(1 - after.leader);
            drawn = Text::of(
                format!(", {who} draws {}, {loser} draws {}", deck[at], deck[at + 1]),
                format!("、{who}は{}、{loser}は{}を引く", deck[at], deck[at + 1]),
            );
        }
        Text::of(
            format!("{follower} plays {a}: {who} takes the trick, {gained} {points}{}", drawn.en),
            format!("{follower}は{a}：{who}が取り{gained}点{}", drawn.ja),
        )
    }

    fn result(&self, s: &State) -> Text {
        let scores = [self.score(s, 0), self.score(s, 1)];
        let points = format!("A {}, B {}", scores[0], scores[1]);
        let race = self.target().is_some();
        // Without a target the points held count as well.
        let by_points = i32::from(scores[0] > scores[1]) - i32::from(scores[0] < scores[1]);
        match (if race { self.utility(s, 0) } else { by_points }, race) {
            (1, _) => Text::of(format!("A wins ({points})"), format!("Aの勝ち（{points}）")),
            (-1, _) => Text::of(format!("B wins ({points})"), format!("Bの勝ち（{points}）")),
            (_, true) => Text::of(format!("nobody wins ({points})"), format!("勝者なし（{points}）")),
            (_, false) => Text::of(format!("a draw ({points})"), format!("引き分け（{points}）")),
        }
    }

    fn payoff(&self, s: &State, player: u8) -> f64 {
        let utility = self.utility(s, player);
        if self.target().is_some() { f64::from(utility) } else { self.points().real(utility).approx() }
    }

    fn scores(&self, s: &State) -> Option<Vec<i64>> {
        let whole =
            |player| self.score(s, player).is_integer().then(|| self.score(s, player).approx() as i64);
        [0, 1].into_iter().map(whole).collect()
    }

    fn rescored(&self, _: &State, scores: &[i64]) -> Option<String> {
        let &[first, second] = scores else { return None };
        let table = self.with_held([i32::try_from(first).ok()?, i32::try_from(second).ok()?]).ok()?;
        table.notation(&table.start())
    }

    /// Changes of the deal: the other player leads, a card scores a point more or less, two cards change places.
    fn edits(&self, _: &State) -> Vec<Move> {
        let deal = self.game().deal();
        let held = |seat: u8| deal.hands[usize::from(seat)].iter().map(move |c| (hand(seat), *c));
        let cards: Vec<(String, u32)> = held(0)
            .chain(held(1))
            .chain(deal.deck.iter().map(|c| ("d", *c)))
            .map(|(prefix, card)| (format!("{prefix}{card}"), card))
            .collect();
        let mut changes = Vec::new();
        let mut change = |after: Result<Table, Refusal>, m: Move| {
            let id = after.ok().and_then(|table| table.notation(&table.start()));
            changes.extend(id.map(|id| Move { id, ..m }));
        };
        let label = if deal.leader == 0 {
            text("B leads", "Bを先手にする")
        } else {
            text("A leads", "Aを先手にする")
        };
        change(self.with_leader(1 - deal.leader), Move::new("", label));
        let ways = [(1, "a point more", "1点増やす"), (-1, "a point less", "1点減らす")];
        for (id, card) in &cards {
            for (more, en, ja) in ways {
                let worth = self.worth(*card as u8) + Rational::from_int(more);
                let label = Text::of(format!("{card}: {en}"), format!("{card}：{ja}"));
                change(self.with_worth(*card, worth), Move { on: vec![id.clone()], ..Move::new("", label) });
            }
        }
        // Between the hands, between a hand and the deck, and in the deck, nearer cards first.
        let size = deal.hand();
        let mut swaps: Vec<(usize, usize)> =
            (0..size).flat_map(|i| (size..2 * size).map(move |j| (i, j))).collect();
        swaps.extend((2 * size..cards.len()).flat_map(|j| (0..2 * size).map(move |i| (i, j))));
        swaps.extend((2 * size..cards.len()).flat_map(|j| (2 * size..j).map(move |i| (i, j))));
        for (i, j) in swaps.into_iter().take(CHANGES) {
            let ((from, x), (to, y)) = (&cards[i], &cards[j]);
            let label = Text::of(format!("{x} and {y} change places"), format!("{x} と {y} を入れ替える"));
            let m = Move { from: Some(from.clone()), to: Some(to.clone()), ..Move::new("", label) };
            change(self.with_swapped(*x, *y), m);
        }
        changes
    }
}
