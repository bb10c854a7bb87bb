//! Views as people write them, `hand/unknown/scores/round`: `D3_C5_S5_HT_CK/CA_…/8,11,5/0,0,0`. The turn follows
//! from the hand; a round without points may be left out.

use super::rules::{Card, Cards, LAST_ROUND, SEATS, TURNS};
use super::view::{View, hand_size};
use yomikiri_core::{Refusal, Text, text};

/// What a view looks like.
pub const VIEW: Text = text(
    "hand/unknown/scores/round: 5, 4 or 3 cards, 11, 9 or 7 cards joined by _, then points of me and both opponents",
    "手札/不明なカード/点数/このラウンドの点数：カード5・4・3枚と11・9・7枚を _ で区切り、点数は自分と相手2人",
);

/// Different cards of a list.
///
/// # Errors
/// Anything else is refused by the name of the field it stands in.
pub fn cards<'a>(field: &'static str, words: impl IntoIterator<Item = &'a str>) -> Result<Cards, Refusal> {
    let mut cards = Cards::NONE;
    for word in words {
        let card = Card::parse(word).map_err(|refusal| Refusal { field: field.into(), ..refusal })?;
        if cards.has(card) {
            let got = Text::of(format!("{card} twice"), format!("{card} が2枚"));
            return Err(Refusal::of(field, got, text("different cards", "異なるカード")));
        }
        cards = cards.with(card);
    }
    Ok(cards)
}

fn points(field: &'static str, given: &str) -> Result<[u8; SEATS], Refusal> {
    let numbers: Option<Vec<u8>> = given.split([',', '_', ' ']).map(|n| n.trim().parse().ok()).collect();
    numbers.and_then(|n| n.try_into().ok()).ok_or_else(|| {
        Refusal::new(
            field,
            format!("\"{given}\""),
            text(
                "three whole numbers: me, opponent 1, opponent 2, e.g. 8,11,5",
                "3つの整数（自分、相手1、相手2）、例：8,11,5",
            ),
        )
    })
}

/// Reads a view.
///
/// # Errors
/// Anything that is no view of the last round is refused by the part at fault.
pub fn read(given: &str) -> Result<View, Refusal> {
    let parts: Vec<&str> = given.split('/').map(str::trim).collect();
    let (hand, unknown, scores, round) = match parts[..] {
        [hand, unknown, scores] => (hand, unknown, scores, "0,0,0"),
        [hand, unknown, scores, round] => (hand, unknown, scores, round),
        _ => return Err(Refusal::new("position", format!("\"{given}\""), VIEW)),
    };
    let words = |list: &'_ str| -> Vec<String> {
        list.split([' ', ',', '_', '　']).filter(|w| !w.is_empty()).map(str::to_owned).collect()
    };
    let hand = cards("hand", words(hand).iter().map(String::as_str))?;
    let unknown = cards("unknown", words(unknown).iter().map(String::as_str))?;
    let turn = (LAST_ROUND..=TURNS).find(|&turn| hand_size(turn) == hand.len()).ok_or_else(|| {
        let n = hand.len();
        let got = Text::of(format!("{n} cards"), format!("{n}枚"));
        Refusal::of("hand", got, text("5, 4 or 3 cards (turns 13, 14, 15)", "5・4・3枚（ターン13・14・15）"))
    })?;
    let view =
        View { turn, hand, unknown, scores: points("scores", scores)?, round: points("round", round)? };
    view.check()?;
    Ok(view)
}

/// Writes a view.
pub fn print(view: &View) -> String {
    let cards = |cards: Cards| cards.iter().map(|c| c.to_string()).collect::<Vec<_>>().join("_");
    let points = |points: [u8; SEATS]| points.map(|p| p.to_string()).join(",");
    format!("{}/{}/{}/{}", cards(view.hand), cards(view.unknown), points(view.scores), points(view.round))
}
