//! A game of your own, solved: Nim. Players take stones from one heap at a time; whoever takes the last one wins.

use yomikiri_core::{Game, Number, Run, Turn};
use yomikiri_solve::{Auto, Solution};

struct Nim;

impl Game for Nim {
    type State = ([u8; 3], u8); // stones in each heap, who is to move
    type Action = (u8, u8); // the heap, the stones to take

    fn start(&self) -> Self::State {
        ([3, 4, 5], 0)
    }
    fn turn(&self, &(heaps, player): &Self::State) -> Turn {
        if heaps == [0; 3] { Turn::Terminal } else { Turn::Player(player) }
    }
    fn actions(&self, &(heaps, _): &Self::State, out: &mut Vec<Self::Action>) {
        for heap in 0..3 {
            out.extend((1..=heaps[usize::from(heap)]).map(|stones| (heap, stones)));
        }
    }
    fn apply(&self, &(mut heaps, player): &Self::State, (heap, stones): Self::Action) -> Self::State {
        heaps[usize::from(heap)] -= stones;
        (heaps, 1 - player)
    }
    fn utility(&self, &(_, player): &Self::State, of: u8) -> i32 {
        if of == player { -1 } else { 1 } // who is to move did not take the last stone
    }
}

fn main() -> Result<(), yomikiri_core::Error> {
    let solved = Auto::solve(&Nim, &Run::default())?;
    println!("{}", solved.why().en);
    let start = Nim.start();
    let value = solved.value(&Nim, &start).unwrap();
    println!("{start:?} is worth {value} to player 0, in {:?} moves", solved.distance(&Nim, &start));
    for ((heap, stones), worth) in solved.moves(&Nim, &start) {
        if worth == Some(value.clone()) {
            println!("best: take {stones} from heap {heap}");
        }
    }
    assert_eq!(value.approx(), 1.0); // 3 xor 4 xor 5 is not 0
    Ok(())
}
