//! Where the pieces start.

use super::board::{Board, Colour, Position, Side, squares};
use super::kind::Kind;
use super::space::{Material, Space};

/// The squares a player starts on, in order: two on the home rank next to the middle, then the same files
/// of the second rank.
pub fn home(board: &Board, player: u8, pieces: usize) -> Vec<u32> {
    let width = u32::from(board.width);
    // The two middle files, or the two beside the middle one.
    let left = width / 2 - 1;
    let right = width - 1 - left;
    let rank = |i: u32| if player == 0 { i } else { u32::from(board.height) - 1 - i };
    let all = [(0, left), (0, right), (1, left), (1, right)];
    all.into_iter().take(pieces).map(|(i, file)| rank(i) * width + file).collect()
}

/// The start positions of an analysis with player 1 to move: one for every way the known colours may lie.
/// On boards that are too low for the pieces there is none.
pub fn positions(board: &Board, kind: Kind, space: &Space) -> Vec<Position> {
    let all = space.materials().flat_map(|material| of_material(board, kind, &material));
    let mut found: Vec<Position> = all.collect();
    // Those of the largest material are asked about most; where colours are known, it has more pieces.
    found.sort_by_key(|p| p.occupied().count_ones());
    found
}

fn of_material(board: &Board, kind: Kind, material: &Material) -> Vec<Position> {
    let [own, enemy] = [0u8, 1].map(|player| {
        let counts = material.0[usize::from(player)];
        let squares = home(board, player, counts.iter().map(|c| usize::from(*c)).sum());
        sides(&squares, counts, kind == Kind::RrbThree && player == 0)
    });
    let mut all = Vec::new();
    for a in &own {
        for b in &enemy {
            if a.all() & b.all() == 0 {
                all.push(Position { turn: 0, sides: [*a, *b] });
            }
        }
    }
    all
}

/// Every way to give pieces of these counts to the squares; `front_red` puts the known red piece last,
/// which is the one in front.
fn sides(on: &[u32], counts: [u8; 3], front_red: bool) -> Vec<Side> {
    fn place(on: &[u32], left: [u8; 3], side: Side, all: &mut Vec<Side>) {
        let Some((square, rest)) = on.split_first() else {
            all.push(side);
            return;
        };
        for colour in Colour::ALL {
            let mut left = left;
            if left[colour as usize] > 0 {
                left[colour as usize] -= 1;
                place(rest, left, side.with(colour, *square), all);
            }
        }
    }
    let mut all = Vec::new();
    place(on, counts, Side::default(), &mut all);
    if front_red {
        let front = on.last().copied().unwrap_or_default();
        all.retain(|side| squares(side.of(Colour::Red)).eq([front]));
    }
    all
}
