use super::super::tests::{Desk, Walk};
use super::*;
use std::sync::atomic::Ordering;

/// What a table is on disk, by one process.
fn alone(walk: &Walk) -> Vec<u8> {
    let mut bytes = Vec::new();
    super::super::solve(walk, "walk", &Run::default()).unwrap().write(&mut bytes).unwrap();
    bytes
}

/// What ranks come to: the bytes that the first one writes, or why the first one that failed did, and what they tell.
fn together(
    walk: &Walk,
    size: usize,
    alter: impl Fn(&mut Deal) + Sync,
    desks: Option<&[Desk]>,
) -> Result<(Vec<u8>, Tally), Error> {
    let ended: Vec<Result<(Vec<u8>, Tally), Error>> = std::thread::scope(|scope| {
        let alter = &alter;
        let threads: Vec<_> = ThreadRank::several(size)
            .into_iter()
            .enumerate()
            .map(|(r, rank)| {
                scope.spawn(move || {
                    let run = match desks {
                        None => Run::default(),
                        Some(desks) => Run {
                            store: &desks[r],
                            observer: &desks[r],
                            cancel: &desks[r].cancel,
                            checkpoint: std::time::Duration::ZERO,
                            ..Run::default()
                        },
                    };
                    let mut deal = Deal::new(walk.places(), &rank);
                    alter(&mut deal);
                    let part = solve_dealt(walk, "walk", &rank, &run, deal)?;
                    let mut bytes = Vec::new();
                    part.collect(&rank, if r == 0 { Some(&mut bytes) } else { None })?;
                    Ok((bytes, part.tally(&rank)))
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut ended = ended.into_iter();
    let (bytes, tally) = ended.next().unwrap()?;
    for other in ended {
        let (none, same) = other?;
        assert!(none.is_empty());
        assert_eq!(Tally { rounds: 0, ..same }, Tally { rounds: 0, ..tally });
    }
    Ok((bytes, tally))
}

#[test]
fn law_ranks_find_every_code_of_one_process() {
    for seed in 0..12 {
        let walk = Walk::new(2 + 97 * seed * seed, seed);
        let bytes = alone(&walk);
        for size in 1..=7 {
            // As it would be, and in batches, blocks and windows so small that everything happens.
            let (usual, tally) = together(&walk, size, |_| {}, None).unwrap();
            assert!(usual == bytes, "seed {seed}, {size} ranks");
            assert_eq!(tally.won[0] + tally.won[1] + tally.rest, walk.places());
            let small = |deal: &mut Deal| (deal.batch, deal.block, deal.window) = (8, 3, 8);
            let (cramped, same) = together(&walk, size, small, None).unwrap();
            assert!(cramped == bytes, "seed {seed}, {size} ranks, in small batches");
            assert_eq!((tally.won, tally.rest, tally.farthest), (same.won, same.rest, same.farthest));
            assert_eq!(tally.sent > 0, size > 1 && seed > 0);
        }
    }
}

#[test]
fn law_places_are_dealt_out_once_each() {
    for (places, size, block) in [(1, 3, 0), (1000, 7, 3), (4096, 4, 4), (777, 1, 5), (5, 6, 2)] {
        let deals: Vec<Deal> =
            (0..size).map(|rank| Deal { places, rank, size, block, window: 30, batch: 8 }).collect();
        assert_eq!(deals.iter().map(|deal| deal.count(deal.rank)).sum::<u64>(), places);
        for place in 0..places {
            let (owner, local) = deals[0].owner(place);
            assert!(local < deals[owner].count(owner as u64) && local <= deals[0].count(0));
            assert_eq!(deals[owner].place(local), place);
        }
    }
}

#[test]
fn law_ranks_that_were_stopped_go_on_from_what_all_have_kept() {
    let walk = Walk::new(4000, 5);
    let bytes = alone(&walk);
    let small = |deal: &mut Deal| (deal.batch, deal.block) = (16, 5);
    for size in [1, 2, 4] {
        let mut resumed = 0;
        for patience in (1..60).step_by(6) {
            let desks: Vec<Desk> = (0..size).map(|_| Desk::default()).collect();
            let mut stops = 0;
            loop {
                for (r, desk) in desks.iter().enumerate() {
                    // One of them is asked to stop; patience grows, so that it ends some day.
                    let left = if r == stops % size { patience + 9 * stops } else { usize::MAX };
                    desk.left.store(left as u64, Ordering::Relaxed);
                    desk.cancel.store(false, Ordering::Relaxed);
                }
                match together(&walk, size, small, Some(&desks)) {
                    Ok((there, _)) => {
                        assert!(there == bytes, "{size} ranks, patience {patience}, {stops} stops");
                        break;
                    }
                    Err(Error::Cancelled) => {
                        stops += 1;
                        resumed += usize::from(!desks[0].kept.lock().unwrap().is_empty());
                        lose(&desks, stops);
                    }
                    Err(e) => panic!("{e}"),
                }
            }
        }
        assert!(resumed > 3, "{size} ranks: {resumed}");
    }
}

/// What a crash may leave behind: the newest state of a rank is not there, or all are older.
fn lose(desks: &[Desk], how: usize) {
    let generation = |bytes: &Vec<u8>| u64::from_le_bytes(bytes[16..24].try_into().unwrap());
    let desk = &desks[how % desks.len()];
    let mut kept = desk.kept.lock().unwrap();
    let newest = kept.iter().max_by_key(|(_, bytes)| generation(bytes)).map(|(name, _)| name.clone());
    if let Some(name) = newest.filter(|_| how % 3 == 1) {
        kept.remove(&name);
    } else if how % 7 == 2 {
        // Nothing is left of one of them: all start over.
        kept.clear();
    }
}

#[test]
fn law_what_does_not_fit_a_rank_is_said_first() {
    assert_eq!(memory(1_000_000, 4), 750_000 + BESIDE);
    let walk = Walk::new(1000, 1);
    let rank = ThreadRank::several(1).remove(0);
    let need = memory(1000, 1);
    let run = Run { memory: need - 1, ..Run::default() };
    assert!(matches!(solve(&walk, "walk", &rank, &run), Err(Error::Memory { .. })));
    assert!(solve(&walk, "walk", &rank, &Run { memory: need, ..run }).is_ok());
}

/// Takes nothing.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn law_all_hear_of_a_disk_that_is_full() {
    let walk = Walk::new(3000, 2);
    std::thread::scope(|scope| {
        for rank in ThreadRank::several(3) {
            let walk = &walk;
            scope.spawn(move || {
                let mut deal = Deal::new(walk.places(), &rank);
                deal.batch = 48;
                let part = solve_dealt(walk, "walk", &rank, &Run::default(), deal).unwrap();
                let mut full = Full;
                let out: Option<&mut dyn Write> = if rank.rank() == 0 { Some(&mut full) } else { None };
                assert!(part.collect(&rank, out).is_err());
            });
        }
    });
}
