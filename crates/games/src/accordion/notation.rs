//! Rows, moves and rules as people write them, and what the settings ask for.

use super::rules::{MAX_CARDS, MAX_DISTANCES, Row, Rules, Step, check, deal};
use crate::params::Settings;
use yomikiri_core::cards::Card;
use yomikiri_core::{Refusal, Text, text};

/// What a row looks like.
pub const ROW: Text = text(
    "1 to 52 different cards from left to right: suit S H D C, rank A 2–9 0 (or 10, T) J Q K, e.g. S7 S4 S0 D3",
    "1～52枚の異なるカードを左から順に：スート S H D C、ランク A 2–9 0（または 10、T）J Q K、例：S7 S4 S0 D3",
);

/// Says that the saving grace has been used.
const SPENT: &str = "-";

/// The cards of a text: separated by blanks, commas or `_`.
///
/// # Errors
/// What is no card, more cards than a row may have, and a card that stands twice are refused.
pub fn cards(given: &str) -> Result<Vec<Card>, Refusal> {
    let mut cards = Vec::new();
    for word in given.split([' ', ',', '_', '\t', '\n', '\r', '　']).filter(|w| !w.is_empty()) {
        let card = Card::parse(word).map_err(|refusal| Refusal { field: "row".into(), ..refusal })?;
        if cards.len() == MAX_CARDS {
            let got =
                Text::of(format!("more than {MAX_CARDS} cards"), format!("{MAX_CARDS}枚より多いカード"));
            return Err(Refusal::of("row", got, ROW));
        }
        cards.push(card);
    }
    check(&cards)?;
    Ok(cards)
}

/// Whether a text is a row; nothing is none, too.
///
/// # Errors
/// As [`cards`].
pub fn check_row(given: &str) -> Result<(), Refusal> {
    if given.is_empty() { Ok(()) } else { cards(given).map(drop) }
}

/// Cards with a blank between them.
pub fn line(cards: &[Card]) -> String {
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
}

/// Cards in lines of thirteen, as they are drawn for people.
pub fn lines(cards: &[Card]) -> String {
    let line = |cards: &[Card]| {
        let drawn: Vec<String> = cards.iter().map(|card| format!("{:3}", card.drawn())).collect();
        drawn.join(" ").trim_end().to_owned()
    };
    cards.chunks(13).map(line).collect::<Vec<_>>().join("\n")
}

/// A move: the card that goes, and the card it goes onto.
pub fn name(row: &Row, step: Step) -> String {
    let card = |place: u8| row.cards.get(usize::from(place)).map_or_else(|| "?".into(), Card::to_string);
    format!("{}>{}", card(step.x), card(step.y))
}

/// The distances of a text such as `1,3`.
///
/// # Errors
/// Anything but different whole numbers in range is refused.
pub fn distances(given: &str) -> Result<Vec<u8>, Refusal> {
    let refuse = || {
        Refusal::new(
            "distances",
            format!("\"{given}\""),
            Text::of(
                format!("1 to {MAX_DISTANCES} different distances from 1 to 51, e.g. 1,3"),
                format!("1～51の異なる距離を1～{MAX_DISTANCES}個、例：1,3"),
            ),
        )
    };
    let number = |word: &str| word.trim().parse::<u8>().map_err(|_| refuse());
    let listed = given.split(',').map(number).collect::<Result<Vec<u8>, _>>()?;
    Rules::new(&listed, 1, false).map_err(|_| refuse())?;
    Ok(listed)
}

/// Whether a text is a list of distances.
///
/// # Errors
/// As [`distances`].
pub fn check_distances(given: &str) -> Result<(), Refusal> {
    distances(given).map(drop)
}

/// The rules the settings ask for.
///
/// # Errors
/// Settings that no rules go with are refused by the name of one of them.
pub fn rules(settings: &Settings) -> Result<Rules, Refusal> {
    let distances = distances(settings.text("distances"))?;
    Rules::new(&distances, settings.int("piles") as u8, settings.word("grace") == "yes")
}

/// Deal number `number` of a seed as the settings ask for it.
///
/// # Errors
/// More cards than the deck has are refused.
pub fn dealt(settings: &Settings, number: u64, seed: u64) -> Result<Vec<Card>, Refusal> {
    let (suits, ranks) = (settings.int("suits") as u8, settings.int("ranks") as u8);
    let whole = usize::from(suits) * usize::from(ranks);
    let start = match settings.int("start") as usize {
        0 => whole,
        start if start <= whole => start,
        start => {
            let accepts = Text::of(
                format!("0 (the whole deck) to {whole}, the cards of {suits} suits with {ranks} ranks"),
                format!("0（全部）～{whole}（{suits}スート×{ranks}ランクの枚数）"),
            );
            return Err(Refusal::new("start", start, accepts));
        }
    };
    Ok(deal(suits, ranks, start, seed, number))
}

/// The rules in words.
pub fn variant(rules: &Rules) -> Text {
    let far = rules.distances().iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
    let grace = match rules.grace() {
        true => text(", one saving grace", "、セービンググレース1回"),
        false => Text::default(),
    };
    let end = match rules.piles() {
        1 => text("one pile", "1山"),
        piles => Text::of(format!("{piles} piles"), format!("{piles}山")),
    };
    Text::of(
        format!("distances {far}; to be reached: {}{}", end.en, grace.en),
        format!("距離 {far}、目標 {}{}", end.ja, grace.ja),
    )
}

/// A row with the mark for a saving grace that has been used.
///
/// # Errors
/// What is no row under these rules is refused.
pub fn row(rules: &Rules, given: &str) -> Result<Row, Refusal> {
    match given.trim_end().strip_suffix(SPENT).filter(|_| rules.grace()) {
        Some(rest) => Ok(Row { cards: cards(rest)?, grace: false }),
        None => Ok(rules.row(cards(given)?)),
    }
}

/// A row as [`row`] reads it.
pub fn written(rules: &Rules, row: &Row) -> String {
    let spent = if rules.grace() && !row.grace { format!(" {SPENT}") } else { String::new() };
    line(&row.cards) + &spent
}
