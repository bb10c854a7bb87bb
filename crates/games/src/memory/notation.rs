//! Positions and moves in words: `9x40,2x31,22,11,d1,pass`.
//!
//! A token `NxUK` says that N ranks have U unknown and K known cards (`22` is `1x22`), `dN` is the pair
//! difference for the player to move, `pass` says that the other player has just passed. Ranks that are
//! not listed are gone. Tokens are separated by commas or spaces, in any order.

use super::rules::{Action, Counts, MAX_PATTERNS, MAX_RANKS, Memory, Pattern, Phase, State};
use yomikiri_core::{Refusal, Text, text};

/// A position as written, before the rules have looked at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Ranks by pattern; those that are gone may be missing.
    pub counts: Counts,
    /// Ranks listed.
    pub listed: usize,
    /// The pair difference.
    pub diff: i64,
    /// Whether the other player has just passed.
    pub passed: bool,
}

fn refuse(got: &str) -> Refusal {
    Refusal::new(
        "position",
        format!("\"{got}\""),
        text(
            "ranks by unknown and known cards, difference, pass: e.g. 9x40,2x31,22,11,d1,pass",
            "未知・既知枚数ごとのランク数、差、パス：例 9x40,2x31,22,11,d1,pass",
        ),
    )
}

/// Reads a position of a game with so many copies, whatever its number of ranks.
///
/// # Errors
/// Anything that is no position is refused with the part at fault.
pub fn read(text: &str, patterns: &[Pattern]) -> Result<Written, Refusal> {
    let mut written = Written { counts: [0; MAX_PATTERNS], listed: 0, diff: 0, passed: false };
    let mut tokens = 0;
    for token in text.split([',', ' ']).filter(|t| !t.is_empty()) {
        tokens += 1;
        if token == "pass" {
            written.passed = true;
        } else if let Some(diff) = token.strip_prefix('d') {
            written.diff = diff.replace('−', "-").parse::<i16>().map_err(|_| refuse(token))?.into();
        } else {
            let (times, pattern) = token.split_once(['x', '×']).unwrap_or(("1", token));
            let &[u @ b'0'..=b'9', k @ b'0'..=b'9'] = pattern.as_bytes() else { return Err(refuse(token)) };
            let pattern = Pattern { unknown: u - b'0', known: k - b'0' };
            let times: usize = times.parse().map_err(|_| refuse(token))?;
            let place = patterns.iter().position(|&p| p == pattern).ok_or_else(|| {
                let known: Vec<String> = patterns.iter().map(|&p| digits(p)).collect();
                Refusal::new("position", format!("\"{token}\""), Text::same(known.join(" ")))
            })?;
            written.listed = written.listed.saturating_add(times);
            if written.listed > MAX_RANKS {
                let most = format!("{MAX_RANKS}");
                return Err(Refusal::new(
                    "position",
                    format!("\"{token}\""),
                    Text::of(format!("at most {most} ranks in all"), format!("合計{most}ランクまで")),
                ));
            }
            // Within a byte, because the sum is.
            written.counts[place] += times as u8;
        }
    }
    if tokens == 0 {
        return Err(refuse(text));
    }
    Ok(written)
}

impl Memory {
    /// The position that was written, if it is legal in this game.
    ///
    /// # Errors
    /// A position of another game is refused.
    pub fn settle(&self, written: &Written) -> Result<State, Refusal> {
        let mut counts = written.counts;
        if written.listed > self.ranks() {
            return Err(Refusal::of(
                "position",
                Text::of(format!("{} ranks", written.listed), format!("{}ランク", written.listed)),
                Text::of(format!("at most {} ranks", self.ranks()), format!("{}ランクまで", self.ranks())),
            ));
        }
        counts[self.patterns().len() - 1] += (self.ranks() - written.listed) as u8;
        self.legal(counts, written.diff, written.passed)
    }
}

impl Memory {
    /// Reads a position.
    ///
    /// # Errors
    /// Anything that is not a legal position is refused with the part at fault.
    pub fn parse(&self, text: &str) -> Result<State, Refusal> {
        self.settle(&read(text, self.patterns())?)
    }

    /// Writes a position so that [`Memory::parse`] gives it back; `None` in the middle of a move.
    pub fn print(&self, s: &State) -> Option<String> {
        if s.phase != Phase::First {
            return None;
        }
        let mut tokens: Vec<String> = self.patterns()[..self.patterns().len() - 1]
            .iter()
            .zip(s.counts)
            .filter(|&(_, n)| n > 0)
            .map(|(&p, n)| if n == 1 { digits(p) } else { format!("{n}x{}", digits(p)) })
            .collect();
        if s.diff != 0 || tokens.is_empty() {
            tokens.push(format!("d{}", s.diff));
        }
        if s.passed {
            tokens.push("pass".into());
        }
        Some(tokens.join(","))
    }
}

fn digits(p: Pattern) -> String {
    let mut out = String::new();
    push_digits(p, &mut out);
    out
}

fn push_digits(p: Pattern, out: &mut String) {
    out.extend([p.unknown, p.known].map(|n| char::from(b'0' + n)));
}

/// The word for a move in requests and answers.
pub fn word(game: &Memory, a: Action) -> String {
    let mut out = String::new();
    push_word(game, a, &mut out);
    out
}

/// Appends the word for a move.
pub fn push_word(game: &Memory, a: Action, out: &mut String) {
    match a {
        Action::Take(take) => {
            out.push_str("take");
            push_digits(game.taken(take), out);
        }
        Action::Flip => out.push_str("flip"),
        Action::Pass => out.push_str("pass"),
        Action::Same => out.push_str("same"),
        Action::Different => out.push_str("different"),
        Action::Unknown => out.push_str("unknown"),
        Action::Turned(i) => push_digits(game.patterns()[usize::from(i)], out),
        Action::Match => out.push_str("match"),
    }
}

/// What a move is, for people.
pub fn label(game: &Memory, a: Action) -> Text {
    match a {
        Action::Take(take) => {
            let p = game.taken(take);
            Text::of(
                format!("take a known pair of a ({},{}) rank", p.unknown, p.known),
                format!("({},{})の既知ペアを取る", p.unknown, p.known),
            )
        }
        Action::Flip => text("turn an unknown card", "未知カードをめくる"),
        Action::Pass => text("pass: show two known cards", "パス：既知カードを2枚見せる"),
        Action::Same => text("the known card of the same rank", "同じランクの既知カード"),
        Action::Different => text("a known card of another rank", "異なるランクの既知カード"),
        Action::Unknown => text("another unknown card", "もう1枚未知カード"),
        Action::Turned(i) => {
            let p = game.patterns()[usize::from(i)];
            Text::of(
                format!("a card of a ({},{}) rank turns up", p.unknown, p.known),
                format!("({},{})のカードが出る", p.unknown, p.known),
            )
        }
        Action::Match => text("the second card matches", "2枚目が一致する"),
    }
}
