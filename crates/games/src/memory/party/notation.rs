//! Positions in words: `4x20,02,s1-0-2,pass`.
//!
//! As for two players, but `s1-0-2` are the pairs of all players in order of play, those of the player to move first, and
//! there is one `pass` for every player who has just passed. Scores that are left out are 0: pairs that are gone and in no
//! score belong to nobody. Two players may also write the difference, `d1`.

use super::super::notation::{Written, read};
use super::super::rules::{MAX_PATTERNS, Memory, Objective};
use super::rules::{Party, State};
use yomikiri_core::{Refusal, Text, text};

/// A position as written, before the rules have looked at it.
pub struct Told<const K: usize> {
    cards: Written,
    /// In order of play.
    scores: Option<[u16; K]>,
    /// For two: what the player to move has more.
    diff: Option<i64>,
    passes: usize,
}

fn accepts(players: usize) -> Text {
    let scores = (0..players).map(|n| n.to_string()).collect::<Vec<_>>().join("-");
    Text::of(
        format!(
            "ranks by unknown and known cards, scores in order of play, a pass for everybody who has just passed: e.g. 4x20,02,s{scores},pass"
        ),
        format!(
            "未知・既知枚数ごとのランク数、手番順のペア数、続いたパスの数だけpass：例 4x20,02,s{scores},pass"
        ),
    )
}

fn refuse(got: &str, players: usize) -> Refusal {
    Refusal::new("position", format!("\"{got}\""), accepts(players))
}

impl<const K: usize> Told<K> {
    /// Reads a position of a game with so many cards a rank, whatever its number of ranks.
    ///
    /// # Errors
    /// Anything that is no position is refused with the part at fault.
    pub fn read(text: &str, cards: &Memory) -> Result<Told<K>, Refusal> {
        let (mut scores, mut passes, mut rest) = (None, 0, Vec::new());
        for token in text.split([',', ' ']).filter(|t| !t.is_empty()) {
            let wrong = || refuse(token, K);
            if token == "pass" {
                passes += 1;
            } else if let Some(list) = token.strip_prefix('s') {
                let list: Result<Vec<u16>, _> = list.split('-').map(str::parse).collect();
                scores = Some(list.map_err(|_| wrong())?.try_into().map_err(|_| wrong())?);
            } else if token.starts_with('d') && (K > 2 || scores.is_some()) {
                return Err(wrong());
            } else {
                rest.push(token);
            }
        }
        let none = Written { counts: [0; MAX_PATTERNS], listed: 0, diff: 0, passed: false };
        let cards = match (rest.is_empty(), scores.is_some()) {
            (true, true) => none,
            (true, false) => return Err(refuse(text, K)),
            // Whoever asks for many players is told how those are written.
            (false, _) => read(&rest.join(","), cards.patterns()).map_err(|refusal| match rest[..] {
                [one] if one == text => Refusal { accepts: accepts(K), ..refusal },
                _ => refusal,
            })?,
        };
        let diff = rest.iter().any(|token| token.starts_with('d')).then_some(cards.diff);
        Ok(Told { cards, scores, diff, passes })
    }

    /// Ranks that are listed.
    pub fn listed(&self) -> usize {
        self.cards.listed
    }
}

impl<const K: usize> Party<K> {
    /// The position that was written, if it is legal in this game.
    ///
    /// # Errors
    /// A position of another game is refused.
    pub fn settle(&self, told: &Told<K>) -> Result<State<K>, Refusal> {
        let cards = self.cards();
        let mut counts = told.cards.counts;
        if told.listed() > cards.ranks() {
            return Err(Refusal::of(
                "position",
                Text::of(format!("{} ranks", told.listed()), format!("{}ランク", told.listed())),
                Text::of(format!("at most {} ranks", cards.ranks()), format!("{}ランクまで", cards.ranks())),
            ));
        }
        counts[cards.patterns().len() - 1] += (cards.ranks() - told.listed()) as u8;
        let mut scores = told.scores.unwrap_or([0; K]);
        if let (Some(diff), [own, other, ..]) = (told.diff, &mut scores[..]) {
            cards.legal(counts, diff, false)?;
            let gone = (cards.total_pairs() - cards.remaining(&counts)) as i64;
            (*own, *other) = (((gone + diff) / 2) as u16, ((gone - diff) / 2) as u16);
        }
        self.legal(counts, scores, told.passes)
    }

    /// Reads a position.
    ///
    /// # Errors
    /// Anything that is not a legal position is refused with the part at fault.
    pub fn parse(&self, text: &str) -> Result<State<K>, Refusal> {
        self.settle(&Told::read(text, self.cards())?)
    }

    /// Writes a position so that [`Party::parse`] gives it back; `None` in the middle of a move.
    pub fn print(&self, s: &State<K>) -> Option<String> {
        let cards = self.cards().print(&Self::between_two(s))?;
        // What the players have is said by their scores.
        let mut tokens: Vec<String> = cards.split(',').filter(|t| *t != "d0").map(str::to_owned).collect();
        let scores = s.in_order();
        if tokens.is_empty() || scores.iter().any(|&n| n > 0) {
            tokens.push(format!("s{}", scores.map(|n| n.to_string()).join("-")));
        }
        tokens.extend((0..s.passes).map(|_| "pass".to_owned()));
        Some(tokens.join(","))
    }
}

/// The cards alone of a game with so many ranks, for whoever has to read before the rules are known.
///
/// # Errors
/// Numbers out of range are refused by the name of the field.
pub fn cards(ranks: usize, copies: usize) -> Result<Memory, Refusal> {
    Memory::new(ranks, copies, Objective::Cards)
}

/// How positions are written, for help texts.
pub const NOTATION: Text = text(
    "ranks by unknown and known cards with their number, the pairs of all players in order of play (s1-0-2, the player to move first), and a pass for everybody who has just passed; ranks not listed are gone",
    "（未知枚数・既知枚数）ごとのランク数、手番順の各プレイヤーのペア数（s1-0-2、手番が先頭）、続いたパスの数だけpass。書かれないランクは取得済み",
);
