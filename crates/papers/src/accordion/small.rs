//! Small decks, every deal of them: suits and ranks can be renamed, so only deals in which they appear in order are
//! looked at, each for as many as there are renamings. Suits and ranks can change places too, so a deck of 3 suits
//! with 4 ranks is as one of 4 suits with 3 ranks.

use crate::paper::Study;
use crate::stats::clopper_pearson;
use rayon::prelude::*;
use serde_json::json;
use std::sync::atomic::{AtomicU64, Ordering};
use yomikiri_core::cards::Card;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::accordion::method::{Engine, Engines, Winnable};
use yomikiri_games::accordion::notation::line;
use yomikiri_games::accordion::rules::{Rules, deal};
use yomikiri_games::params::{Param, Settings};
use yomikiri_solve::on_threads;
use yomikiri_view::report::{Block, Cell, Certainty, List, Outcome, Record, grouped};

/// Cards that are laid out before the work is cut into pieces.
const CUT: usize = 5;
/// Deals of larger decks that are given to a thread at once.
const BLOCK: u64 = 100;
/// Deals that cannot be won which are shown for each deck.
const KEPT: usize = 2;

/// The study.
pub const STUDY: Study = Study {
    name: "small",
    summary: text(
        "small decks: every deal of them, how many can be won; larger ones sampled",
        "小さいデッキ：全配札のうち成功可能な数（より大きいものは標本）",
    ),
    params: &[
        Param::int(
            "cards",
            4,
            14,
            "10",
            text("decks of up to so many cards are gone through whole", "この枚数までのデッキは全数を調べる"),
        ),
        Param::int(
            "beyond",
            4,
            24,
            "16",
            text(
                "larger decks up to so many cards are sampled",
                "この枚数までのより大きいデッキは標本で調べる",
            ),
        ),
        Param::int(
            "deals",
            100,
            10_000_000,
            "20000",
            text("deals sampled for each larger deck", "標本の配札数"),
        ),
    ],
    rows: &[],
    run: study,
};

/// How many deals of a deck can be won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Suits.
    pub suits: u8,
    /// Ranks.
    pub ranks: u8,
    /// Deals that can be won.
    pub won: u64,
    /// Deals looked at, each for all its renamings.
    pub all: u64,
    /// Some that cannot be won, by the order of cards.
    pub lost: Vec<Vec<Card>>,
}

/// A deal that is being laid out, with suits and ranks in the order they first appear.
#[derive(Clone, Default)]
struct Laid {
    cards: Vec<Card>,
    suits: u8,
    ranks: u8,
}

impl Laid {
    /// The cards that may come next.
    fn next(&self, suits: u8, ranks: u8) -> impl Iterator<Item = Laid> {
        let pairs = (0..suits.min(self.suits + 1))
            .flat_map(move |s| (0..ranks.min(self.ranks + 1)).filter_map(move |r| Card::new(s, r)));
        pairs.filter(|card| !self.cards.contains(card)).map(|card| {
            let mut next = self.clone();
            next.cards.push(card);
            next.suits = next.suits.max(card.suit() + 1);
            next.ranks = next.ranks.max(card.rank() + 1);
            next
        })
    }
}

/// Deals won and not.
#[derive(Default)]
struct Tally {
    won: u64,
    lost: u64,
    kept: Vec<Vec<Card>>,
}

impl Tally {
    fn deal(&mut self, cards: Vec<Card>, engines: &mut Engines, run: &Run<'_>) -> Result<(), Error> {
        if won(engines, cards.clone(), run)? {
            self.won += 1;
            return Ok(());
        }
        self.lost += 1;
        if self.kept.len() < KEPT {
            self.kept.push(cards);
        }
        Ok(())
    }

    /// All deals of a deck that begin so.
    fn complete(
        &mut self,
        laid: &Laid,
        (suits, ranks): (u8, u8),
        engines: &mut Engines,
        run: &Run<'_>,
    ) -> Result<(), Error> {
        if laid.cards.len() == usize::from(suits * ranks) {
            return self.deal(laid.cards.clone(), engines, run);
        }
        laid.next(suits, ranks).try_for_each(|next| self.complete(&next, (suits, ranks), engines, run))
    }
}

/// Whether a deal can be won; that it cannot is proved.
fn won(engines: &mut Engines, cards: Vec<Card>, run: &Run<'_>) -> Result<bool, Error> {
    let row = engines.rules().row(cards);
    let answer = engines.solve(&row, run)?;
    match answer.winnable {
        Winnable::Yes(_) => Ok(true),
        Winnable::No => {
            debug_assert_eq!(answer.engine, Engine::Exact);
            Ok(false)
        }
        Winnable::Unknown(_) => Err(Error::Memory { need: run.memory.saturating_mul(2), limit: run.memory }),
    }
}

fn factorial(n: u8) -> u64 {
    (1..=u64::from(n)).product()
}

/// Does jobs side by side, each with a tally of its own and its share of the memory; what they come to together.
/// `done` says how much is done after so many jobs.
fn tallied(
    what: &Text,
    (jobs, all): (u64, u64),
    run: &Run<'_>,
    done: impl Fn(u64) -> u64 + Sync,
    job: impl Fn(u64, &mut Tally, &mut Engines, &Run<'_>) -> Result<(), Error> + Sync,
) -> Result<Tally, Error> {
    run.observer.begin(what, all);
    let count = AtomicU64::new(0);
    let each = Run { threads: 1, memory: run.memory / run.threads.max(1) as u64, ..*run };
    let one = |engines: &mut Engines, number: u64| {
        run.check()?;
        let mut tally = Tally::default();
        job(number, &mut tally, engines, &each)?;
        run.observer.done(done(1 + count.fetch_add(1, Ordering::Relaxed)));
        Ok(tally)
    };
    let rules = Rules::default();
    let work = || (0..jobs).into_par_iter().map_init(|| Engines::new(&rules), one).collect();
    let tallies: Vec<Tally> = on_threads(run, work).and_then(|made: Result<_, Error>| made)?;
    run.observer.end();
    let (won, lost) = (tallies.iter().map(|t| t.won).sum(), tallies.iter().map(|t| t.lost).sum());
    Ok(Tally { won, lost, kept: tallies.into_iter().flat_map(|t| t.kept).take(KEPT).collect() })
}

/// Goes through every deal of a deck.
///
/// # Errors
/// If a deal cannot be decided within the memory of the run, or it is cancelled.
pub fn whole(suits: u8, ranks: u8, run: &Run<'_>) -> Result<Counted, Error> {
    let cards = usize::from(suits * ranks);
    let mut beginnings = vec![Laid::default()];
    for _ in 0..CUT.min(cards) {
        beginnings = beginnings.iter().flat_map(|laid| laid.next(suits, ranks).collect::<Vec<_>>()).collect();
    }
    let what = Text::of(format!("deck of {suits} x {ranks}"), format!("{suits}×{ranks}のデッキ"));
    let jobs = beginnings.len() as u64;
    let tally = tallied(
        &what,
        (jobs, jobs),
        run,
        |done| done,
        |number, tally, engines, run| {
            tally.complete(&beginnings[number as usize], (suits, ranks), engines, run)
        },
    )?;
    let names = factorial(suits) * factorial(ranks);
    let (won, all) = (tally.won * names, (tally.won + tally.lost) * names);
    Ok(Counted { suits, ranks, won, all, lost: tally.kept })
}

/// Tries random deals of a deck.
///
/// # Errors
/// As [`whole`].
pub fn sampled(suits: u8, ranks: u8, deals: u64, run: &Run<'_>) -> Result<Counted, Error> {
    let what = Text::of(format!("deals of {suits} x {ranks}"), format!("{suits}×{ranks}の配札"));
    let cards = usize::from(suits) * usize::from(ranks);
    let (jobs, done) = (deals.div_ceil(BLOCK), |blocks: u64| (blocks * BLOCK).min(deals));
    let tally = tallied(&what, (jobs, deals), run, done, |block, tally, engines, each| {
        (block * BLOCK..done(block + 1))
            .try_for_each(|number| tally.deal(deal(suits, ranks, cards, run.seed, number), engines, each))
    })?;
    Ok(Counted { suits, ranks, won: tally.won, all: deals, lost: tally.kept })
}

/// The decks of at least two suits and as many ranks with so many cards, by size.
pub fn decks(from: u8, to: u8) -> Vec<(u8, u8)> {
    let pairs = (2..=4).flat_map(|s| (s..=13).map(move |r| (s, r)));
    let mut decks: Vec<(u8, u8)> = pairs.filter(|(s, r)| (from..=to).contains(&(s * r))).collect();
    decks.sort_by_key(|&(s, r)| (s * r, s));
    decks
}

/// The decks; with `true` those that were gone through whole.
pub fn list(counted: &[(Counted, bool)]) -> List {
    let mut list = List::new(text("Small decks", "小さいデッキ"));
    for (c, exact) in counted {
        let certainty = if *exact { Certainty::Exact } else { Certainty::Sampled };
        let share = c.won as f64 / c.all as f64;
        let (low, high) = if *exact { (share, share) } else { clopper_pearson(c.won, c.all) };
        let shown = if *exact {
            format!("{:.6} %", share * 100.0)
        } else {
            format!("{:.3} % ({:.3}–{:.3} %)", share * 100.0, low * 100.0, high * 100.0)
        };
        let lost = c.all - c.won;
        let examples: Vec<String> = c.lost.iter().map(|cards| line(cards)).collect();
        list.push(
            Record::new()
                .show(text("suits x ranks>", "スート×ランク>"), format!("{} x {}", c.suits, c.ranks))
                .count("deals", text("deals>", "配札数>"), c.all)
                .count("won", text("can be won>", "成功可能>"), c.won)
                .show(text("cannot>", "不可能>"), Cell::from(grouped(lost)).warn(lost > 0))
                .field("share", text("share>", "割合>"), shown, share)
                .certainty(certainty)
                .show(
                    text("one that cannot be won", "成功不可能な例"),
                    examples.first().map_or("–", |cards| cards),
                )
                .data("suits", c.suits)
                .data("ranks", c.ranks)
                .data("interval_95", [low, high])
                .data("kind", certainty.word().en.as_ref())
                .data("lost", examples),
        );
    }
    list
}

fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let (cards, beyond) = (settings.int("cards") as u8, settings.int("beyond") as u8);
    let mut counted = Vec::new();
    for (suits, ranks) in decks(4, cards) {
        counted.push((whole(suits, ranks, run)?, true));
    }
    for (suits, ranks) in decks(cards + 1, beyond) {
        counted.push((sampled(suits, ranks, settings.int("deals") as u64, run)?, false));
    }
    let list = list(&counted);
    let note = text(
        "A deck of s suits with r ranks is as one of r suits with s ranks: suit and rank play the same part. Every deal that cannot be won was proved so by the exact engine; intervals are for 95 %.",
        "スートとランクは同じ役割なので s×r と r×s は同じ。成功不可能な配札はすべて厳密探索で証明。区間は95 %。",
    );
    let json = json!({"game": "accordion", "study": "small", "decks": list.json});
    Ok(Outcome { blocks: vec![Block::Table(list.table), Block::Paragraph(note)], json, good: true })
}
