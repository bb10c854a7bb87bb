//! Beyond the paper: how theorem 1 grows, and first steps into what it leaves open: several scoring cards, a deck
//! with one scoring card, a card that costs points. Everything here is counted, nothing sampled except where a
//! table says so.

use super::deck::{SMALL, every_deal, told};
use super::endings::{Owners, Wish, deals, larger, nothing, spelled};
use super::ladder;
use super::referee::Cases;
use crate::stats::clopper_pearson;
use serde_json::json;
use std::collections::BTreeMap;
use yomikiri_core::clock::Instant;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Run, Text, text};
use yomikiri_games::params::Settings;
use yomikiri_games::sixtysix::closed::{holder_takes, owners, reach};
use yomikiri_games::sixtysix::dense::Endgame;
use yomikiri_games::sixtysix::rules::{Deal, Objective, Sixtysix, shuffled};
use yomikiri_games::sixtysix::solver::a_takes;
use yomikiri_solve::layers::Layers;
use yomikiri_solve::minimax::Minimax as Plain;
use yomikiri_view::report::{
    Block, Cell, Certainty, Draw, List, Outcome, Plot, Record, Scale, Series, Tone, grouped,
};

fn percent(n: u64, of: u64) -> String {
    if of == 0 { "–".into() } else { format!("{:.2} %", 100.0 * n as f64 / of as f64) }
}

/// Cases in which something said was put to the test, all of them, as the end of a row.
fn tested(row: Record, cases: Cases) -> Record {
    let error = percent(cases.failures, cases.instances);
    told_of(row, cases, error).certainty(Certainty::Exact)
}

/// Some of them, drawn at random.
fn sampled(row: Record, cases: Cases) -> Record {
    let (low, high) = clopper_pearson(cases.failures, cases.instances);
    let error = format!("{:.3}–{:.3} %", 100.0 * low, 100.0 * high);
    told_of(row.data("interval", [low, high]), cases, error).certainty(Certainty::Sampled)
}

fn told_of(row: Record, cases: Cases, error: String) -> Record {
    let Cases { instances, failures, smallest } = cases;
    let tone = if failures == 0 { Tone::Good } else { Tone::Warn };
    row.count("positions", text("positions>", "局面数>"), instances)
        .field("wrong", text("wrong>", "誤り>"), Cell::from(grouped(failures)).tone(tone), failures)
        .show(text("error>", "誤り率>"), error)
        .show(text("smallest failure", "最小の反例"), smallest.as_deref().unwrap_or("–"))
        .data("smallest", smallest)
}

/// The slope of a line through points by least squares.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    if points.len() < 2 {
        return None;
    }
    let (x, y) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let up: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let along: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
    Some(up / along)
}

/// Positions and time of theorem 1 for constant hands against n, with the fitted exponent.
pub fn growth(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let most = settings.int("positions") as u64;
    let max_hand = settings.int("max-hand") as usize;
    let quiet = Run { observer: &yomikiri_core::run::Silent, ..*run };
    let mut rows = List::new(text(
        "positions between tricks (both leaders) of one random deal, and the time to value them all",
        "ランダムな配札のトリック間局面数（先手を区別）と全局面の計算時間",
    ));
    let mut fits = List::new(text(
        "positions ~ n^x, fitted to the larger half of n; while n is close to h, x is above 2h − 1",
        "局面数 ~ n^x（nの大きい半分から。nがhに近い間は 2h − 1 を上回る）",
    ));
    let mut json = Vec::new();
    let mut plot =
        Plot::new(text("positions against n", "局面数と n"), text("n", "n"), text("positions", "局面数"));
    (plot.x.scale, plot.y.scale) = (Scale::Log, Scale::Log);
    run.observer.begin(&text("hands", "手札の枚数"), max_hand as u64);
    for hand in 2..=max_hand {
        let (mut by_n, mut last) = (Vec::new(), 0u64);
        let mut n = hand + 1;
        // The next size is tried while it is likely to stay within the limit.
        while 2 * n <= yomikiri_games::sixtysix::rules::MAX_CARD && last < most {
            let mut random = Random::stream(run.seed, (hand * 1000 + n) as u64);
            let deal = shuffled(hand, 2 * (n - hand), 0, &mut random);
            let points: Vec<i32> = (0..2 * n).map(|_| random.below(11) as i32).collect();
            let game = Sixtysix::new(deal, &points, Objective::Difference)?;
            let started = Instant::now();
            let solved = Layers::solve(&game, &game.start(), &quiet)?;
            let seconds = started.elapsed().as_secs_f64();
            last = solved.positions();
            rows.push(
                Record::new()
                    .count("hand", text("h>", "h>"), hand as u64)
                    .count("n", text("n>", "n>"), n as u64)
                    .count("positions", text("positions>", "局面数>"), last)
                    .field("seconds", text("time, s>", "時間（秒）>"), format!("{seconds:.3}"), seconds)
                    .certainty(Certainty::Exact),
            );
            by_n.push((n as f64, last as f64, seconds));
            n += (n / 5).max(1);
        }
        let half = &by_n[by_n.len() / 2..];
        let of = |pick: fn(&(f64, f64, f64)) -> f64| {
            slope(&half.iter().map(|p| (p.0.ln(), pick(p).max(1e-9).ln())).collect::<Vec<_>>())
        };
        let (positions, time) = (of(|p| p.1), of(|p| p.2));
        let shown = |x: Option<f64>| x.map_or("–".to_owned(), |x| format!("{x:.2}"));
        fits.push(
            Record::new()
                .count("hand", text("h>", "h>"), hand as u64)
                .field("exponent", text("x, positions>", "x（局面数）>"), shown(positions), positions)
                .field("exponent_time", text("x, time>", "x（時間）>"), shown(time), time)
                .show(text("2h − 1>", "2h − 1>"), (2 * hand - 1).to_string())
                .show(text("kind", "種別"), Cell::from(text("fitted", "あてはめ")).tone(Tone::Dim)),
        );
        json.append(&mut rows.json);
        json.append(&mut fits.json);
        let points = by_n.iter().map(|p| (p.0, p.1));
        plot.series.push(Series::new(Text::same(format!("h = {hand}")), Draw::Line, points));
        run.observer.done(hand as u64);
    }
    run.observer.end();
    let blocks = vec![Block::Table(rows.table), Block::Table(fits.table), Block::Plot(plot)];
    let json = json!({"game": "sixtysix", "study": "growth", "seed": run.seed, "rows": json});
    Ok(Outcome { blocks, json, good: true })
}

/// A deal of [`Owners`] as cards from 1.
fn cards(owners: Owners, hand: usize, leader: u8) -> Deal {
    let of = |a: u32| (0..2 * hand as u32).filter(|k| owners >> k & 1 == a).map(|k| k + 1).collect();
    Deal { hands: [of(1), of(0)], deck: Vec::new(), leader }
}

/// Several scoring cards of one point each, deck empty: how often the answers for each card alone add up to the
/// truth.
pub fn several(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let max_hand = settings.int("max-hand") as usize;
    let mut rows = List::new(text(
        "all deals, both leaders, every choice of m scoring cards: does the sum of the single answers predict the difference?",
        "全配札・両先手・得点札m枚の全ての選び方：1枚ずつの答えの和は得点差に等しいか",
    ));
    run.observer.begin(&text("hands", "手札の枚数"), max_hand as u64);
    let quiet = Run { observer: &yomikiri_core::run::Silent, ..*run };
    for hand in 1..=max_hand {
        let n = 2 * hand;
        // By number of scoring cards: whether the sum is right, and how often it is in sign.
        let mut found: Vec<(Cases, u64)> = vec![Default::default(); n + 1];
        for deal in deals(hand) {
            run.check()?;
            let owners: Vec<u8> = (0..n).map(|k| u8::from(deal >> k & 1 == 0)).collect();
            let alone: Vec<[i32; 2]> = (0..n)
                .map(|q| [0, 1].map(|leader| if a_takes(&owners, q, leader) { 1 } else { -1 }))
                .collect();
            for scoring in 0u32..1 << n {
                let points: Vec<i32> = (0..n).map(|k| (scoring >> k & 1) as i32).collect();
                let game = Sixtysix::new(cards(deal, hand, 0), &points, Objective::Difference)?;
                let end = Endgame::solve(&game, &game.start(), &quiet)?;
                let at = &mut found[scoring.count_ones() as usize];
                for leader in 0..2u8 {
                    let truth = end.difference(leader);
                    let sum: i32 =
                        (0..n).filter(|k| scoring >> k & 1 == 1).map(|k| alone[k][usize::from(leader)]).sum();
                    at.1 += u64::from(sum.signum() == truth.signum());
                    at.0.case(sum == truth, || {
                        let marks: String = spelled(deal, hand, None)
                            .chars()
                            .enumerate()
                            .map(|(k, c)| if scoring >> k & 1 == 1 { format!("{c}*") } else { c.to_string() })
                            .collect();
                        let who = if leader == 0 { "A" } else { "B" };
                        format!("{marks} ({who}): {truth:+}, not {sum:+}")
                    });
                }
            }
        }
        for (m, (Cases { instances, failures, smallest }, sign)) in found.into_iter().enumerate().skip(1) {
            let right = instances - failures;
            rows.push(
                Record::new()
                    .count("hand", text("h>", "h>"), hand as u64)
                    .count("scoring", text("m>", "m>"), m as u64)
                    .count("positions", text("positions>", "局面数>"), instances)
                    .count("right", text("the sum is right>", "和が正しい>"), right)
                    .show(text("share>", "割合>"), percent(right, instances))
                    .field(
                        "sign",
                        text("its sign names the winner>", "符号が勝者と一致>"),
                        percent(sign, instances),
                        sign,
                    )
                    .show(
                        text("smallest failure (* scores)", "最小の反例（*は得点札）"),
                        smallest.as_deref().unwrap_or("–"),
                    )
                    .data("smallest", smallest)
                    .certainty(Certainty::Exact),
            );
        }
        run.observer.done(hand as u64);
    }
    run.observer.end();
    let note = text(
        "One scoring card is the closed form itself, so m = 1 must be right everywhere. Cards of equal worth pull at each other: a card that is lost alone can be saved when the other must guard another one.",
        "m = 1 は閉じた式そのものなので全て正しい。得点札どうしは独立ではなく、1枚なら失う札も、相手が他の札を守る間に取れることがある。",
    );
    let json = json!({"game": "sixtysix", "study": "several", "rows": rows.json});
    Ok(Outcome { blocks: vec![Block::Table(rows.table), Block::Paragraph(note)], json, good: true })
}

/// A guess who takes the scoring card of a deal with a deck: whether A does; `None` where it does not apply.
type Guess = fn(&Deal, u32) -> Option<bool>;

fn held(deal: &Deal, q: u32) -> Option<u8> {
    (0..).zip(&deal.hands).find(|(_, hand)| hand.contains(&q)).map(|(player, _)| player)
}

static GUESSES: [(Text, Guess); 6] = [
    (
        text("q in a hand: the classifier, as if there were no deck", "q が手札：山札を無視した判定器"),
        |deal, q| {
            held(deal, q)?;
            let bare = Deal { deck: Vec::new(), ..deal.clone() };
            let (owners, at) = owners(&bare, q)?;
            Some(a_takes(&owners, at, deal.leader))
        },
    ),
    (
        text(
            "q in a hand, stronger than all others that can come before the next trick: the holder",
            "q が手札にあり両手札で最強：持つ側",
        ),
        |deal, q| {
            let holder = held(deal, q)?;
            deal.hands.iter().flatten().all(|&c| c <= q).then_some(holder == 0)
        },
    ),
    (
        text("q in a hand and the weakest of all: the other", "q が手札にあり全体で最弱：相手側"),
        |deal, q| {
            let holder = held(deal, q)?;
            (q == 1).then_some(holder == 1)
        },
    ),
    (
        text("q in the deck: who can force to draw it", "q が山札：引くことを強制できる側"),
        |deal, q| {
            let g = deal.deck.iter().position(|&c| c == q)? + 1;
            Some(reach(deal, g).acquire)
        },
    ),
    (
        text(
            "q in the deck, strongest of all it can meet (lemma 3): who can force to draw it",
            "q が山札で補題3の条件：引くことを強制できる側",
        ),
        |deal, q| {
            let g = deal.deck.iter().position(|&c| c == q)? + 1;
            let seen = &deal.deck[..g.div_ceil(2) * 2];
            let strongest = deal.hands.iter().flatten().chain(seen).all(|&c| c <= q);
            strongest.then(|| reach(deal, g).acquire)
        },
    ),
    (
        text(
            "q in the deck, weakest of all (lemma 4): who can force the other to draw it",
            "q が山札で補題4の条件：相手に引かせることを強制できる側",
        ),
        |deal, q| {
            let g = deal.deck.iter().position(|&c| c == q)? + 1;
            (q == 1).then(|| reach(deal, g).avoid)
        },
    ),
];

/// Hands, the scoring card and who leads.
type Spot = ([Vec<u32>; 2], u32, u8);

/// One scoring card with a deck: how often the closed forms at hand are wrong, and whether hands alone could
/// decide at all.
pub fn with_deck(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let mut shapes = SMALL.to_vec();
    if settings.word("size") == "large" {
        shapes.extend([(4, 2), (3, 4)]);
    }
    let mut rows = List::new(text(
        "one scoring card anywhere, every deal and both leaders: guesses against the truth",
        "得点札1枚（どこにあっても）、全配札・両先手：予想と真値",
    ));
    let mut decide = List::new(text(
        "does the deck matter? hands and places of q (in a hand) for which the winner depends on the order of the deck",
        "山札は効くか：q が手札にあるとき、勝者が山札の順に左右される手札の数",
    ));
    let mut json = Vec::new();
    run.observer.begin(&text("deals", "配札"), shapes.len() as u64);
    for (i, &(hand, deck)) in shapes.iter().enumerate() {
        let mut found = vec![Cases::default(); GUESSES.len()];
        // By hands, q and leader: whether A takes it in some order, and in some other not.
        let mut orders: BTreeMap<Spot, [bool; 2]> = BTreeMap::new();
        every_deal(hand, deck, run, |deal| {
            for q in 1..=deal.cards() as u32 {
                let mut points = vec![0; q as usize];
                points[q as usize - 1] = 1;
                let game = Sixtysix::new(deal.clone(), &points, Objective::Difference)?;
                let truth = Plain::new(&game, run).value(&game.start(), run)? > 0;
                for ((_, guess), found) in GUESSES.iter().zip(&mut found) {
                    if let Some(said) = guess(&deal, q) {
                        found.case(said == truth, || format!("q={q} {}", told(&deal, None)));
                    }
                }
                if held(&deal, q).is_some() {
                    let at = orders.entry((deal.hands.clone(), q, deal.leader)).or_default();
                    at[usize::from(truth)] = true;
                }
            }
            Ok(())
        })?;
        let shape = || {
            Record::new().count("hand", text("h>", "h>"), hand as u64).count(
                "deck",
                text("deck>", "山札>"),
                deck as u64,
            )
        };
        for ((guess, _), found) in GUESSES.iter().zip(found) {
            rows.push(tested(shape().words("guess", text("guess", "予想"), guess.clone()), found));
        }
        let (all, mixed) = (orders.len() as u64, orders.values().filter(|x| x[0] && x[1]).count() as u64);
        decide.push(
            shape()
                .count("hands", text("hands with q and leader>", "手札・q・先手>"), all)
                .count("order_decides", text("the order decides>", "順に左右される>"), mixed)
                .show(text("share>", "割合>"), percent(mixed, all))
                .certainty(Certainty::Exact),
        );
        json.append(&mut rows.json);
        json.append(&mut decide.json);
        run.observer.done(i as u64 + 1);
    }
    run.observer.end();
    let note = text(
        "No closed form in the hands alone exists: the order of the deck decides in a large share of the cases. Lemmas 3 and 4 with the deck algorithm are right wherever they speak.",
        "手札だけからの閉じた式はない（多くの場合、山札の順が勝敗を左右する）。補題3・4と山札探索は当てはまる範囲で正しい。",
    );
    let mut blocks = vec![Block::Table(rows.table), Block::Table(decide.table), Block::Paragraph(note)];
    let (more, good) =
        climbed(if settings.word("size") == "large" { &LARGE } else { &SECONDS }, &mut json, run)?;
    blocks.extend(more);
    Ok(Outcome { blocks, json: json!({"game": "sixtysix", "study": "deck", "rows": json}), good })
}

/// How far one scoring card with a deck is gone through.
pub(super) struct Extent {
    /// Hands up to which all last draws are, and positions of larger ones.
    hands: u32,
    sampled: u64,
    /// Hands and decks of the ladder.
    shapes: &'static [(u32, u32)],
}

/// What takes a part of a second.
pub(super) const BRIEF: Extent = Extent { hands: 4, sampled: 0, shapes: &[(2, 2), (3, 2)] };
/// Seconds.
pub(super) const SECONDS: Extent =
    Extent { hands: 4, sampled: 2_000, shapes: &[(2, 2), (3, 2), (4, 2), (2, 4)] };
/// Minutes.
pub(super) const LARGE: Extent =
    Extent { hands: 6, sampled: 200_000, shapes: &[(2, 2), (3, 2), (4, 2), (2, 4), (3, 4)] };

/// The last draw by five answers, and the ladder of quantities; whether the last draw is as it should be.
pub(super) fn climbed(
    extent: &Extent,
    json: &mut Vec<serde_json::Value>,
    run: &Run<'_>,
) -> Result<(Vec<Block>, bool), Error> {
    let mut draw = List::new(text(
        "the last draw (deck of two): every lead with five answers, then the closed form, against everything played out",
        "最後の引き（山札2枚）：全リードに5通りの応手だけを調べ閉じた式で判定したものと全探索",
    ));
    let mut rules = List::new(text(
        "the same rule trick by trick with more cards to come: five answers, and seven",
        "山札がさらにあるとき、同じ規則をトリックごとに：応手5通りと7通り",
    ));
    let mut steps = List::new(text(
        "what a rule must know: positions with the same quantities and different winners, and the least that any rule in them gets wrong",
        "規則に必要な量：同じ量で勝者の異なる局面と、その量だけの規則が避けられない誤り",
    ));
    let quiet = Run { observer: &yomikiri_core::run::Silent, ..*run };
    let shape = |hand: u32, deck: u32| {
        Record::new().count("hand", text("h>", "h>"), hand.into()).count(
            "deck",
            text("deck>", "山札>"),
            deck.into(),
        )
    };
    let mut good = true;
    for hand in 1..=extent.hands {
        let cases = ladder::last_draw(hand, &quiet)?;
        good &= cases.failures == 0;
        draw.push(tested(shape(hand, 2), cases));
    }
    for hand in [7, 9, 12, 15].into_iter().filter(|_| extent.sampled > 0) {
        let cases = ladder::last_draw_sampled(hand, extent.sampled, &quiet)?;
        good &= cases.failures == 0;
        draw.push(sampled(shape(hand as u32, 2), cases));
    }
    run.observer.begin(&text("quantities", "量"), extent.shapes.len() as u64);
    for (i, &(hand, deck)) in extent.shapes.iter().enumerate() {
        let (found, cases) = ladder::climb(hand, deck, &quiet)?;
        for (answers, cases) in [5u64, 7].into_iter().zip(cases) {
            let row = shape(hand, deck).count("answers", text("answers>", "応手>"), answers);
            rules.push(tested(row, cases));
        }
        for step in found {
            let (all, least) = step.least;
            let [a, b] = match &step.pair {
                Some(pair) => pair.clone().map(|spot| spot.told()),
                None => ["–".to_owned(), "–".to_owned()],
            };
            steps.push(
                shape(hand, deck)
                    .words("knows", text("a rule that knows", "規則が知る量"), step.knows)
                    .count("classes", text("cases told apart>", "区別できる場合>"), step.classes)
                    .count("least", text("at least wrong>", "最小の誤り>"), least)
                    .show(text("of all>", "割合>"), percent(least, all))
                    .field("a_takes", text("A takes q", "Aが取る"), a.clone(), a)
                    .field("b_takes", text("the same, but B does", "同じ量でBが取る"), b.clone(), b)
                    .certainty(Certainty::Exact),
            );
        }
        run.observer.done(i as u64 + 1);
    }
    run.observer.end();
    json.append(&mut draw.json);
    json.append(&mut rules.json);
    json.append(&mut steps.json);
    let note = text(
        "Five answers: q if it wins; the strongest other card that wins, of all and of those below q; the strongest that loses, of all and of those below q. Even who knows the order of both hands and between which of their cards every card of the deck lies cannot always tell the winner: two neighbouring cards of the deck may only be exchanged.",
        "5通りの応手：勝てるなら q、q 以外で勝つ最強の札（全体と q より弱い札の中）、負ける最強の札（同様）。両手札の順と、山札の各札がどの札の間にあるかを知っても勝者は決まらない。隣り合う山札2枚の順を入れ替えるだけで勝者が変わることがある。",
    );
    let tables = [draw, rules, steps].map(|list| Block::Table(list.table));
    Ok((tables.into_iter().chain([Block::Paragraph(note)]).collect(), good))
}

/// A rule for the card that costs points: `None` where it says nothing, else whether the holder is rid of it.
type Rule = fn(&[u8], usize, u8) -> Option<bool>;

static HEARTS: [(Text, Rule); 8] = [
    (text("q is the weakest card: rid of it", "q が最弱：必ず渡せる"), |_, q, _| {
        (q == 0).then_some(true)
    }),
    (
        text("B has nothing stronger than q: never", "Bに q より強い札がない：渡せない"),
        |owners, q, _| owners[q..].iter().all(|&o| o == 0).then_some(false),
    ),
    (
        text("B has nothing weaker than q: rid of it", "Bに q より弱い札がない：必ず渡せる"),
        |owners, q, _| owners[..q].iter().all(|&o| o == 0).then_some(true),
    ),
    (
        text("q is the second weakest and B leads: rid of it", "q が2番目に弱くB先手：必ず渡せる"),
        |_, q, leader| (q == 1 && leader == 1).then_some(true),
    ),
    (
        text("B leads and has something stronger: rid of it", "B先手でBに q より強い札がある：渡せる"),
        |owners, q, leader| (leader == 1 && owners[q..].contains(&1)).then_some(true),
    ),
    (
        text("one card of B stronger, A leads: never", "Bの q より強い札が1枚、A先手：渡せない"),
        |owners, q, leader| {
            let stronger = owners[q..].iter().filter(|&&o| o == 1).count();
            let weaker = owners[..q].contains(&1);
            (leader == 0 && stronger == 1 && weaker).then_some(false)
        },
    ),
    (
        text(
            "just where the closed form says that the card, if worth a point, is not taken",
            "得点札なら取れない、と閉じた式が言うとき、かつそのときに限る",
        ),
        |owners, q, leader| Some(!holder_takes(owners, q, leader)),
    ),
    (
        text(
            "just where the closed form takes the card in the deal turned upside down",
            "強さを逆順にした配札で閉じた式が取れると言うとき、かつそのときに限る",
        ),
        |owners, q, leader| {
            let turned: Vec<u8> = owners.iter().rev().copied().collect();
            Some(holder_takes(&turned, owners.len() - 1 - q, leader))
        },
    ),
];

/// One card that costs a point, deck empty: how often its holder is rid of it, and how far simple rules go.
pub fn hearts(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let max_hand = settings.int("max-hand") as usize;
    let mut rows = List::new(text(
        "how often the holder A of the card that costs points is rid of it",
        "失点札を持つAが相手に取らせられる割合",
    ));
    let mut found = vec![Cases::default(); HEARTS.len()];
    let mut size = nothing(Wish::Shed);
    for hand in 1..=max_hand {
        size = larger(&size, run)?;
        let mut rid = [0u64; 2];
        let mut all = 0u64;
        for (i, deal) in deals(hand).enumerate() {
            if i.is_multiple_of(1 << 10) {
                run.check()?;
            }
            let owners: Vec<u8> = (0..2 * hand).map(|k| u8::from(deal >> k & 1 == 0)).collect();
            for q in (0..2 * hand).filter(|q| deal >> q & 1 == 1) {
                all += 1;
                for leader in 0..2u8 {
                    let truth = size.holder_gets(deal, q, leader);
                    rid[usize::from(leader)] += u64::from(truth);
                    for ((_, rule), found) in HEARTS.iter().zip(&mut found) {
                        if let Some(said) = rule(&owners, q, leader) {
                            let who = if leader == 0 { "A" } else { "B" };
                            found.case(said == truth, || format!("{} ({who})", spelled(deal, hand, Some(q))));
                        }
                    }
                }
            }
        }
        rows.push(
            Record::new()
                .count("hand", text("h>", "h>"), hand as u64)
                .count("positions", text("positions>", "局面数>"), all)
                .field("rid_a_leads", text("A leads>", "A先手>"), percent(rid[0], all), rid[0])
                .field("rid_b_leads", text("B leads>", "B先手>"), percent(rid[1], all), rid[1])
                .certainty(Certainty::Exact),
        );
    }
    let mut tried = List::new(Text::of(
        format!("rules tried on all deals, h ≤ {max_hand}"),
        format!("全配札（h ≤ {max_hand}）で試した規則"),
    ));
    let head = || text("rule (Q costs points, A holds it)", "規則（Qは失点札、Aが持つ）");
    for ((name, _), found) in HEARTS.iter().zip(found) {
        tried.push(tested(Record::new().words("rule", head(), name.clone()), found));
    }
    let json = json!({"game": "sixtysix", "study": "hearts", "rows": rows.json, "rules": tried.json});
    let blocks = vec![Block::Table(rows.table), Block::Table(tried.table)];
    Ok(Outcome { blocks, json, good: true })
}
