//! The laws of positions that are changed by hand.

use super::Contract;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Run};
use yomikiri_games::about::Headline;
use yomikiri_games::entry::Entry;
use yomikiri_games::params::Settings;
use yomikiri_view::scene::{Scene, Seat};

/// Changes made one after another.
const CHANGES: usize = 12;
/// Changes of a position whose own are looked at.
const TRIED: usize = 6;

impl Contract {
    /// Walks by hand from a position: every change leads to a legal position that is written as it says, goes on from
    /// there or back, and the start is always one of them.
    pub fn edits(&mut self, entry: &dyn Entry, given: &[(&str, &str)], position: Option<&str>) {
        let Ok(settings) = Settings::new(entry.params(), given.iter().copied()) else {
            self.check("positions can be changed", false, || format!("{given:?} is refused"));
            return;
        };
        let cache = self.cache.clone();
        let run = Run { cache: &*cache, ..Run::default() };
        let start = match entry.edits(&settings, None, &run) {
            Ok(scene) => scene.notation,
            Err(e) => {
                self.check("positions can be changed", false, || format!("{given:?}: {e}"));
                return;
            }
        };
        let mut random = Random::new(4);
        let mut now = position.map(str::to_owned);
        for _ in 0..CHANGES {
            let told = || format!("{} {given:?} at {now:?}", entry.about().id);
            let scene = match entry.edits(&settings, now.as_deref(), &run) {
                Ok(scene) => scene,
                Err(e) => {
                    self.check("positions can be changed", false, || format!("{}: {e}", told()));
                    return;
                }
            };
            let faults = scene.faults();
            self.check("positions to be changed have pictures", faults.is_empty(), || {
                format!("{}: {faults:?}", told())
            });
            let plain = scene.moves.iter().all(|m| m.value.is_none() && m.rank.is_none() && !m.id.is_empty());
            let each = scene.moves.iter().all(|m| m.each.iter().all(|each| each.id == m.id));
            self.check("changes have no values", plain && each, told);
            let leads = |id: &str| scene.moves.iter().any(|m| m.id == id);
            self.check("the start can be reached", scene.notation == start || leads(&start), told);
            let moved = !scene.moves.is_empty() && !leads(&scene.notation);
            self.check("changes change the position", moved, told);
            self.scores(entry, &settings, &scene, &run);
            for _ in 0..TRIED.min(scene.moves.len()) {
                let change = &scene.moves[random.below(scene.moves.len() as u64) as usize];
                let after = entry.edits(&settings, Some(&change.id), &run);
                let same = after.as_ref().is_ok_and(|after| after.notation == change.id);
                self.check("changes lead to legal positions", same, || {
                    let got = after.as_ref().map(|a| a.notation.clone()).map_err(ToString::to_string);
                    format!("{}: {} is {got:?}", told(), change.id)
                });
                let on = after.is_ok_and(|after| !after.moves.is_empty());
                self.check("changes lead on", on, || format!("{}: {}", told(), change.id));
            }
            if scene.moves.is_empty() {
                return;
            }
            now = Some(scene.moves[random.below(scene.moves.len() as u64) as usize].id.clone());
        }
        // What was made by hand is a position like any other.
        let shown = entry.scene(&settings, now.as_deref(), Some(0), &run);
        self.check("changed positions have values", shown.is_ok(), || {
            format!("{} {given:?} at {now:?}: {:?}", entry.about().id, shown.err())
        });
    }

    /// Scores that may be typed: those that stand there change nothing, and others lead to a position or are refused.
    fn scores(&mut self, entry: &dyn Entry, settings: &Settings, scene: &Scene, run: &Run<'_>) {
        let typed = scene.seats.iter().any(|seat| seat.typed);
        let now: Option<Vec<i64>> =
            scene.seats.iter().map(|seat| seat.score.en.replace('−', "-").parse().ok()).collect();
        let told = || format!("{} at {}", entry.about().id, scene.notation);
        let at = Some(scene.notation.as_str());
        let Some(now) = now.filter(|_| typed) else {
            self.check("scores that may be typed are numbers", !typed, told);
            return;
        };
        let same = entry.rescored(settings, at, &now, run);
        self.check(
            "the same scores are the same position",
            same.as_ref().is_ok_and(|s| *s == scene.notation),
            || format!("{}: {now:?} is {same:?}", told()),
        );
        let mut others: Vec<Vec<i64>> = vec![vec![], vec![0; 9]];
        for (more, less) in
            [(1, 1), (-1, -1), (1 << 40, 1 << 40), (i64::MAX, i64::MAX), (i64::MIN, 0), (1 << 31, 1)]
        {
            let mut other = now.clone();
            other[0] = other[0].saturating_add(more);
            if let Some(last) = other.last_mut() {
                *last = last.saturating_sub(less);
            }
            others.push(other);
        }
        for other in others {
            match entry.rescored(settings, at, &other, run) {
                Ok(after) => {
                    let seats = entry.edits(settings, Some(&after), run).map(|scene| scene.seats);
                    let shown = |seats: &[Seat]| {
                        seats
                            .iter()
                            .zip(&other)
                            .all(|(seat, n)| seat.score.en.replace('−', "-") == n.to_string())
                    };
                    let right = seats.as_ref().is_ok_and(|seats| shown(seats));
                    self.check("typed scores are shown", right, || {
                        format!("{}: {after} of {other:?}", told())
                    });
                }
                Err(error) => self.check(
                    "scores are refused by their name",
                    matches!(&error, Error::Refused(refusal) if refusal.field == "scores"),
                    || format!("{}: {error}", told()),
                ),
            }
        }
    }

    /// What a game shows where all games are shown.
    pub fn headline(&mut self, entry: &dyn Entry) {
        let cache = self.cache.clone();
        match entry.headline(&Run { cache: &*cache, ..Run::default() }) {
            Ok(headline) => {
                let faults = headline.scene.faults();
                self.check("headlines have pictures", faults.is_empty(), || format!("{faults:?}"));
                let claim = &headline.claim;
                let said = [&claim.big, &claim.text].iter().all(|t| !t.en.is_empty() && !t.ja.is_empty());
                self.check("headlines say something", said, || format!("{:?} {:?}", claim.big, claim.text));
                let small = headline.scene.moves.is_empty() && headline.scene.value.is_none();
                self.check("headlines are small", small, || entry.about().id.to_owned());
                self.promise(entry, &headline);
            }
            Err(e) => self.check("headlines say something", false, || e.to_string()),
        }
    }

    /// The board that a headline leads to is the one in its picture, and it shows the value that was claimed.
    fn promise(&mut self, entry: &dyn Entry, headline: &Headline) {
        let (cache, claim) = (self.cache.clone(), &headline.claim);
        let run = Run { cache: &*cache, ..Run::default() };
        let opened = entry.play(&claim.settings, claim.position.as_deref(), &run).and_then(|play| {
            let viewer = play.seats().first().copied().flatten();
            Ok((play.board(viewer), play.scene(viewer, &run)?))
        });
        let (board, scene) = match opened {
            Ok(opened) => opened,
            Err(e) => return self.check("headlines lead to their board", false, || e.to_string()),
        };
        let same = board.small() == headline.scene;
        self.check("headlines lead to their board", same, || entry.about().id.to_owned());
        let Some(worth) = &scene.value else {
            return self.check("boards show what headlines claim", false, || "no value".to_owned());
        };
        for (claimed, shown, note) in
            [(&claim.big.en, &worth.text.en, &worth.note.en), (&claim.big.ja, &worth.text.ja, &worth.note.ja)]
        {
            let said = format!("{shown} {note}");
            self.check("boards show what headlines claim", said.contains(claimed.as_ref()), || {
                format!("{claimed} is not in {said}")
            });
        }
    }
}
