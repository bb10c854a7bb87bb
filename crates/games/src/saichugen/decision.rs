//! A decision of the last round as people read it: what the player sees, and how it is changed by hand.

use super::notation::{print, read};
use super::rules::TURNS;
use super::scene::{Sight, face, framed, measure, names, played, words};
use super::view::{LastRound, Seen, Step, View};
use crate::describe::{Describe, Past};
use yomikiri_core::{Refusal, Text, text};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Move, Viewer, unbraced};

/// A view belongs to seat 1: the others see no hand, no move and no value of it. Whoever asks without a seat has the
/// view itself.
fn own(viewer: Viewer) -> bool {
    viewer.is_none_or(|viewer| viewer == 0)
}

impl Describe for LastRound {
    fn parse(&self, given: &str) -> Result<Seen, Refusal> {
        Ok(Seen { view: read(given)?, mine: None })
    }

    fn print(&self, s: &Seen) -> Option<String> {
        (s.mine.is_none() && s.view.turn <= TURNS).then(|| print(&s.view))
    }

    fn written(&self, s: &Seen, viewer: Viewer) -> String {
        // The notation tells the hand.
        self.print(s).filter(|_| own(viewer)).unwrap_or_default()
    }

    fn action(&self, _: &Seen, a: Step) -> Move {
        match a {
            Step::Mine(card) => played(card),
            Step::Theirs(one, other) => {
                let (a, b) = (face(one), face(other));
                let label =
                    Text::of(format!("The others play {{{a}}} {{{b}}}"), format!("相手が {{{a}}} {{{b}}}"));
                Move::new(format!("{one} {other}"), label)
            }
        }
    }

    fn words(&self, s: &Seen, a: Step) -> Text {
        match a {
            Step::Mine(card) => words(card),
            Step::Theirs(..) => unbraced(&self.action(s, a).label),
        }
    }

    fn open(&self) -> bool {
        false
    }

    fn board(&self, s: &Seen, _: &Past<LastRound>, viewer: Viewer) -> Board {
        let (view, own) = (s.view, own(viewer));
        let names = names(Some(0).filter(|_| own));
        let sight = Sight {
            holders: names.each_ref(),
            held: [view.hand.len(); 3],
            hand: own.then(|| (view.hand, text("Your hand", "あなたの手札"))),
            unseen: if own { view.unknown } else { view.hand.and(view.unknown) },
            table: None,
            names: &names,
            scores: view.scores,
            round: view.round,
        };
        sight.board()
    }

    fn draw(&self, s: &Seen, _: Viewer) -> Text {
        Text::same(framed(s.view.hand))
    }

    fn measure(&self) -> Measure {
        measure()
    }

    fn scores(&self, s: &Seen) -> Option<Vec<i64>> {
        Some(s.view.scores.map(i64::from).into())
    }

    fn rescored(&self, s: &Seen, scores: &[i64]) -> Option<String> {
        let scores: Option<Vec<u8>> = scores.iter().map(|score| u8::try_from(*score).ok()).collect();
        let after = View { scores: scores?.try_into().ok()?, ..s.view };
        after.check().ok().map(|()| print(&after))
    }

    /// A card of the hand against one not seen, points kept, one turn further.
    fn edits(&self, s: &Seen) -> Vec<Move> {
        let view = s.view;
        let mut changes = Vec::new();
        let mut change = |after: View, m: Move| {
            if after.check().is_ok() {
                changes.push(Move { id: print(&after), ..m });
            }
        };
        for mine in view.hand.iter() {
            for other in view.unknown.iter() {
                let after = View {
                    hand: view.hand.without(mine).with(other),
                    unknown: view.unknown.without(other).with(mine),
                    ..view
                };
                let (a, b) = (face(mine), face(other));
                let label =
                    Text::of(format!("{{{b}}} instead of {{{a}}}"), format!("{{{a}}} を {{{b}}} に替える"));
                change(after, Move { from: Some(a), to: Some(format!("u{b}")), ..Move::new("", label) });
            }
        }
        for (seat, name) in names(Some(0)).iter().enumerate() {
            // Not every total can be reached, so the next one that can.
            for (step, en, ja) in [(1i16, "more", "増やす"), (-1, "fewer", "減らす")] {
                let Some(after) = rescored(&view, seat, step) else { continue };
                let total = after.scores[seat];
                let label = Text::of(
                    format!("{}: {en} points, {total}", name.en),
                    format!("{}の点を{ja}：{total}", name.ja),
                );
                change(after, Move::new("", label));
            }
        }
        let lowest = view.hand.nth(0).zip(view.unknown.nth(0)).zip(view.unknown.nth(1));
        if let Some(((mine, one), other)) = lowest.filter(|_| view.turn < TURNS) {
            let label = text(
                "One turn further: everybody plays the lowest card",
                "1ターン進める（全員が最小のカードを出す）",
            );
            change(view.after([mine, one, other]), Move::new("", label));
        }
        changes
    }
}

/// How far the next total that can be reached is looked for.
const FURTHER: i16 = 12;

/// The decision with the next total of a seat that four rounds can lead to, upwards or downwards.
fn rescored(view: &View, seat: usize, step: i16) -> Option<View> {
    let mut after = *view;
    for _ in 0..FURTHER {
        after.scores[seat] = u8::try_from(i16::from(after.scores[seat]) + step).ok()?;
        if after.check().is_ok() {
            return Some(after);
        }
    }
    None
}
