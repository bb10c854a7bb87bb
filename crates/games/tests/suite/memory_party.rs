//! Memory for two to five players: the table against its slow twin, and laws of the game.

use yomikiri_core::{Game, Number, Rational, Run};
use yomikiri_games::memory::party::rules::{Aim, Party, Passes, Terms, Tie};
use yomikiri_games::memory::party::table::{Extent, Keep, Table};
use yomikiri_games::memory::party::worth::{Look, Twin, Worth};

fn start<const K: usize>(ranks: usize, copies: usize, terms: Terms) -> (Party<K>, Table<K>) {
    let game = Party::<K>::new(ranks, copies, terms).unwrap();
    let extent = Extent::of(&game, &game.start());
    let table = Table::solve(copies, terms, extent, Keep::All, &Run::default()).unwrap();
    (game, table)
}

#[test]
fn try_values() {
    for aim in [Aim::Pairs, Aim::Win] {
        for passes in [Passes::End, Passes::Must, Passes::Never] {
            for n in [3, 4, 6] {
                let terms = Terms { aim, passes, tie: Tie::Lex };
                let (game, table) = start::<3>(n, 4, terms);
                let w = (&table).worth(&game, &game.start()).unwrap();
                println!("{aim:?} {passes:?} {n} {:?} {:?}", w.values(aim, 0), table.tally);
            }
        }
    }
}
#[test]
fn try_large() {
    for (aim, passes) in [(Aim::Pairs, Passes::End), (Aim::Win, Passes::End), (Aim::Win, Passes::Must)] {
        let terms = Terms { aim, passes, tie: Tie::Lex };
        let game = Party::<3>::new(13, 4, terms).unwrap();
        let extent = Extent::of(&game, &game.start());
        let table = Table::<3>::solve(4, terms, extent, Keep::Near, &Run::default()).unwrap();
        let w = (&table).worth(&game, &game.start()).unwrap();
        println!("3 {aim:?} {passes:?} {:?} {:?} {}", w.values(aim, 0), table.tally, table.seconds);
        let game = Party::<4>::new(13, 4, terms).unwrap();
        let extent = Extent::of(&game, &game.start());
        let table = Table::<4>::solve(4, terms, extent, Keep::Near, &Run::default()).unwrap();
        let w = (&table).worth(&game, &game.start()).unwrap();
        println!("4 {aim:?} {passes:?} {:?} {:?} {}", w.values(aim, 0), table.tally, table.seconds);
    }
}
