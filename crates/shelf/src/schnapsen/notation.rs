//! How positions are written and read: `A:SA,S0,HK,DQ,CJ_B:…_D:…,HJ_P:20,11_L:B`.

use super::Schnapsen;
use super::rules::{Act, Cards, Closed, ENOUGH, Kind, One, Table, card, each, number, set};
use yomikiri_core::cards::{Card, SUITS};
use yomikiri_core::{Refusal, Text, text};

/// What is accepted, for people.
pub const NOTATION: Text = text(
    "parts joined by _: hands A: and B: (cards like SA,H0), talon D: (next card first, the one turned up last), trump suit T: where there is no talon, leader L:, card led E:, points P:20,11, who has won a trick N:1,0 (whoever has points, if left out), closed C:A2 (by A, who would win 2). A hand that the other does not see is ?, with X: the cards it may be of; then / and what was done, joined by dots, e.g. /?.close.SA",
    "_ で区切る：手札 A: と B:（SA,H0 のような札）、山札 D:（上から。最後が表向きの札）、山札がないときは切り札 T:、リード L:、出された札 E:、得点 P:20,11、トリックを取ったか N:1,0（省略時は得点があれば取ったとみなす）、閉じた C:A2（Aが閉じ、勝てば2点）。相手に見えない手札は ?、その候補の札を X: に。続けて / と行動をドットで区切る。例：/?.close.SA",
);

/// A card in letters.
pub fn letters(one: One) -> String {
    card(one).map(|card| card.to_string()).unwrap_or_default()
}

/// Cards in letters, suits apart and the strongest of each first.
pub fn written(cards: Cards, between: &str) -> String {
    sorted(cards).map(letters).collect::<Vec<_>>().join(between)
}

/// Cards as a hand is held: suit by suit, the strongest first.
pub fn sorted(cards: Cards) -> impl Iterator<Item = One> {
    (0..4)
        .flat_map(move |suit| (0..6).rev().map(move |rank| 6 * suit + rank))
        .filter(move |one| cards & (1 << one) != 0)
}

fn refuse(part: &str, got: impl std::fmt::Display, accepts: Text) -> Refusal {
    Refusal::new("position", format!("{part}:{got}"), accepts)
}

/// The player of a letter.
fn player(part: &str, given: &str) -> Result<u8, Refusal> {
    match given {
        "A" => Ok(0),
        "B" => Ok(1),
        _ => Err(refuse(part, given, text("A or B", "A か B"))),
    }
}

/// Reads cards one after another.
pub fn read_cards(kind: Kind, part: &str, given: &str) -> Result<Vec<One>, Refusal> {
    let one = |word: &str| {
        let found = number(Card::parse(word.trim())?).filter(|one| kind.deck() & (1 << one) != 0);
        found.ok_or_else(|| {
            refuse(part, word, text("A 10 K Q J, and with 24 cards 9", "A 10 K Q J（24枚のときは 9 も）"))
        })
    };
    if given.is_empty() { Ok(Vec::new()) } else { given.split(',').map(one).collect() }
}

/// Two numbers.
fn pair(part: &str, given: &str, most: u8) -> Result<[u8; 2], Refusal> {
    let read: Option<Vec<u8>> = given.split(',').map(|n| n.parse().ok().filter(|n| *n <= most)).collect();
    read.and_then(|pair| pair.try_into().ok()).ok_or_else(|| {
        let accepts = Text::of(
            format!("two numbers up to {most}, A's and B's, e.g. 1,0"),
            format!("{most}以下の数2つ（A、Bの順）。例：1,0"),
        );
        refuse(part, given, accepts)
    })
}

/// The parts of a text, each by its letter.
fn parts(given: &str) -> Result<Vec<(char, &str)>, Refusal> {
    let mut parts: Vec<(char, &str)> = Vec::new();
    for part in given.split(['_', ' ']).filter(|part| !part.is_empty()) {
        let found = part.split_once(':').and_then(|(key, value)| Some((key.parse::<char>().ok()?, value)));
        let found = found.filter(|(key, _)| "ABDTLEPNCX".contains(*key) && parts.iter().all(|p| p.0 != *key));
        parts.push(found.ok_or_else(|| Refusal::new("position", format!("\"{part}\""), NOTATION))?);
    }
    Ok(parts)
}

/// Reads the table of a position, and the hands that are not seen with what they may be of.
pub fn read(kind: Kind, given: &str) -> Result<Schnapsen, Refusal> {
    let parts = parts(given)?;
    let part = |key: char| parts.iter().find(|part| part.0 == key).map(|part| part.1);
    let of = |key: char| part(key).unwrap_or_default();
    let list = |key: char| read_cards(kind, &key.to_string(), of(key));
    let hidden = [of('A') == "?", of('B') == "?"];
    let mut seen: Vec<One> = Vec::new();
    let mut hands = [0; 2];
    for (p, key) in ['A', 'B'].into_iter().enumerate().filter(|(p, _)| !hidden[*p]) {
        let cards = list(key)?;
        hands[p] = set(&cards);
        seen.extend(cards);
    }
    let unseen = list('X')?;
    let face_up = of('D').trim_start_matches("?,");
    let down = (of('D').len() - face_up.len()) / 2;
    let talon = read_cards(kind, "D", face_up)?;
    let led = list('E')?;
    seen.extend(unseen.iter().chain(&talon).chain(&led));
    if set(&seen).count_ones() as usize != seen.len() {
        return Err(Refusal::new("position", given, text("every card once", "同じ札は1枚だけ")));
    }
    if led.len() > 1 {
        return Err(refuse("E", of('E'), text("one card", "札1枚")));
    }
    let suit = |given: &str| SUITS.iter().position(|s| given.chars().eq([*s])).map(|suit| suit as u8);
    let up = talon.last().map(|one| one / 6);
    let trump = match (part('T'), up) {
        (Some(given), up) => suit(given).filter(|suit| up.is_none_or(|up| up == *suit)),
        (None, up) => up,
    };
    let wanted = text(
        "the suit of trumps, S H D or C: that of the card turned up",
        "切り札のスート S H D C（表向きの札のスート）",
    );
    let trump = trump.ok_or_else(|| refuse("T", of('T'), wanted))?;
    let leader = part('L').map_or(Ok(0), |given| player("L", given))?;
    let points = part('P').map_or(Ok([0; 2]), |given| pair("P", given, 200))?;
    let tricks = match part('N') {
        Some(given) => pair("N", given, 1)?.map(|n| n == 1),
        None => points.map(|points| points > 0),
    };
    let waiting = (0..2).any(|p| !tricks[p] && (points[p] % 20 != 0 || points[p] > 100));
    if waiting || (0..2).all(|p| tricks[p] && points[p] >= ENOUGH) {
        let accepts = text(
            "points of one player only above 65; before the first trick none but those of marriages",
            "66以上は1人だけ。トリックを取る前はマリッジの点だけ",
        );
        return Err(refuse("P", of('P'), accepts));
    }
    let closed = part('C').map(closing).transpose()?;
    let mut table = Table {
        hands,
        talon: [0; 12],
        left: (talon.len() + down) as u8,
        trump,
        leader,
        led: led.first().copied(),
        points,
        tricks,
        closed,
        end: None,
    };
    if table.left > 12 {
        return Err(refuse("D", of('D'), NOTATION));
    }
    table.talon[down..down + talon.len()].copy_from_slice(&talon);
    let over = (0..2).any(|p| table.counted(p) >= ENOUGH);
    let held = |p: usize| {
        hands[p].count_ones() as usize + usize::from(table.led.is_some() && p == usize::from(leader))
    };
    // A hand that is not seen has as many cards as the other one.
    let conceals = hidden.contains(&true);
    let size = held(usize::from(hidden[0]));
    let full = !table.strict() && !over;
    let least = if full { kind.hand() } else { usize::from(conceals) };
    let same = conceals || held(0) == held(1);
    if !(least..=kind.hand()).contains(&size) || !same || full && !table.left.is_multiple_of(2) {
        let accepts = Text::of(
            format!(
                "hands of the same size, {} cards each and an even talon while cards are drawn",
                kind.hand()
            ),
            format!("両者同数の手札。札を引く間は各{}枚で、山札は偶数枚", kind.hand()),
        );
        return Err(Refusal::new("position", given, accepts));
    }
    // One card or three lie face down, or the talon is closed.
    let down_cards = unseen.len().saturating_sub(size);
    let wrong = match conceals {
        false => down > 0 || !unseen.is_empty(),
        true if hidden == [true; 2] || over || table.led.is_some() || unseen.len() < size => true,
        true if full => !matches!(down, 1 | 3) || talon.len() != 1 || down_cards != down,
        true => closed.is_none() || table.left > 0,
    };
    if wrong {
        let accepts = text(
            "one hand as ?, D: a ? for each card face down (one or three) and the card turned up (or, if closed, T: and no D:), and in X: all cards that are not seen: those of the hand and those face down; before a card is led",
            "片方の手札だけを ?、山札は D: に伏せ札1枚か3枚をそれぞれ ? で、続けて表向きの札（閉じた後は D: なしで T:）、X: に見えない札すべて（手札と伏せ札）。リードの前に限る",
        );
        return Err(Refusal::new("position", given, accepts));
    }
    if !conceals {
        table.settle(kind);
    }
    Ok(Schnapsen { kind, start: table, hidden, pool: set(&unseen), size: size as u8, forced: Vec::new() })
}

/// Who closed, and what is at stake.
fn closing(given: &str) -> Result<Closed, Refusal> {
    let accepts = text(
        "who closed and the game points that player would win, e.g. A1, A2, B3",
        "閉じた側と、その側が勝ったときの点。例：A1、A2、B3",
    );
    let read = || {
        let by = player("C", given.get(..1)?).ok()?;
        let wins = given.get(1..)?.parse().ok().filter(|wins| (1..=3).contains(wins))?;
        Some(Closed { by, wins, loses: if wins == 3 { 3 } else { 2 } })
    };
    read().ok_or_else(|| refuse("C", given, accepts))
}

impl Schnapsen {
    /// A table in letters, with `?` for what is hidden.
    pub fn letters(&self, table: &Table) -> String {
        let mut out = String::new();
        for (p, key) in ["A", "_B"].into_iter().enumerate() {
            let hand = if self.hidden[p] { "?".to_owned() } else { written(table.hands[p], ",") };
            out += &format!("{key}:{hand}");
        }
        let talon = table.talon();
        let down =
            if self.conceals_cards() && table.closed.is_none() { talon.len().saturating_sub(1) } else { 0 };
        let talon: Vec<String> = talon
            .iter()
            .enumerate()
            .map(|(n, one)| if n < down { "?".to_owned() } else { letters(*one) })
            .collect();
        if table.left > 0 {
            out += &format!("_D:{}", talon.join(","));
        } else {
            out += &format!("_T:{}", SUITS[usize::from(table.trump)]);
        }
        if self.pool != 0 {
            out += &format!("_X:{}", written(self.pool, ","));
        }
        if table.points != [0, 0] {
            out += &format!("_P:{},{}", table.points[0], table.points[1]);
        }
        if table.tricks != table.points.map(|points| points > 0) {
            let [a, b] = table.tricks.map(u8::from);
            out += &format!("_N:{a},{b}");
        }
        if let Some(closed) = table.closed {
            out += &format!("_C:{}{}", ["A", "B"][usize::from(closed.by)], closed.wins);
        }
        if table.leader == 1 {
            out += "_L:B";
        }
        if let Some(led) = table.led {
            out += &format!("_E:{}", letters(led));
        }
        out
    }
}

impl Schnapsen {
    /// All deals: hands of the player who is not seen, and orders of the cards that will be drawn.
    pub fn deals(&self) -> Vec<Act> {
        let down = self.face_down();
        let orders = |hand: Cards| {
            let rest: Vec<One> = each(self.pool & !hand).collect();
            match (down, &rest[..]) {
                (1, [one, ..]) => vec![[*one, 0, 0]],
                (3, &[a, b, c]) => vec![[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]],
                _ => vec![[0; 3]],
            }
        };
        let hands = choices(self.pool, self.size).into_iter();
        hands.flat_map(|hand| orders(hand).into_iter().map(move |order| Act::Deal(hand, order))).collect()
    }
}

/// All ways to take so many cards of a set.
fn choices(pool: Cards, size: u8) -> Vec<Cards> {
    let mut found = vec![(0, 0)];
    for one in each(pool) {
        let with: Vec<_> = found.iter().filter(|f| f.1 < size).map(|f| (f.0 | 1 << one, f.1 + 1)).collect();
        found.extend(with);
    }
    let mut all: Vec<Cards> = found.into_iter().filter(|f| f.1 == size).map(|f| f.0).collect();
    all.sort_unstable();
    all
}
