//! Proofs of solved games are accepted, and whatever is changed in them is refused unless it is still true.

use yomikiri_core::random::Random;
use yomikiri_core::{Game, Hidden, Rational, Run, Turn};
use yomikiri_proof::{Fault, Proved, strategies, values};
use yomikiri_solve::Auto;
use yomikiri_solve::sequence::Equilibrium;

/// A game given by its states.
#[derive(Clone, Debug)]
struct Made<const PLAYERS: usize>(Vec<StateOf>);

/// Who acts, where it leads with which weights, and what the end pays.
type StateOf = (Turn, Vec<(usize, u32)>, i32);

impl<const PLAYERS: usize> Made<PLAYERS> {
    /// Random states; with cycles moves lead anywhere, without only on.
    fn new(seed: u64, states: u64, chance: bool, cycles: bool) -> Self {
        let mut random = Random::new(seed);
        let state = |s: u64, random: &mut Random| {
            let turn = match random.below(6) {
                0 if s > 0 => Turn::Terminal,
                1 | 2 if chance => Turn::Chance,
                _ => Turn::Player(random.below(PLAYERS as u64) as u8),
            };
            let turn = if s + 1 == states { Turn::Terminal } else { turn };
            let to = |random: &mut Random| match cycles {
                true => random.below(states),
                false => s + 1 + random.below(states - s - 1),
            };
            let next = match turn {
                Turn::Terminal => vec![],
                _ => (0..1 + random.below(3))
                    .map(|_| (to(random) as usize, 1 + random.below(3) as u32))
                    .collect(),
            };
            (turn, next, random.below(5) as i32 - 2)
        };
        Made((0..states).map(|s| state(s, &mut random)).collect())
    }
}

impl<const PLAYERS: usize> Game for Made<PLAYERS> {
    type State = usize;
    type Action = usize;
    const PLAYERS: usize = PLAYERS;
    fn start(&self) -> usize {
        0
    }
    fn turn(&self, s: &usize) -> Turn {
        self.0[*s].0
    }
    fn actions(&self, s: &usize, out: &mut Vec<usize>) {
        out.extend(0..self.0[*s].1.len());
    }
    fn chance(&self, s: &usize, out: &mut Vec<(usize, u32)>) {
        out.extend(self.0[*s].1.iter().map(|n| n.1).enumerate());
    }
    fn apply(&self, s: &usize, a: usize) -> usize {
        self.0[*s].1[a].0
    }
    fn utility(&self, s: &usize, player: u8) -> i32 {
        match (PLAYERS, player) {
            (2, 1) => -self.0[*s].2,
            (_, p) => self.0[*s].2 + i32::from(p) * (*s as i32 % 3),
        }
    }
}

fn lines(proof: &[u8]) -> Vec<Vec<u8>> {
    proof.split(|b| *b == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect()
}

fn check<const P: usize>(game: &Made<P>, lines: &[Vec<u8>]) -> Result<Proved, Fault> {
    values::check(game, &mut lines.iter(), &Run::default())
}

/// A line with one of its numbers changed, or another line in its place, or none.
fn spoiled(lines: &[Vec<u8>], random: &mut Random) -> Vec<Vec<u8>> {
    let mut lines = lines.to_vec();
    let at = random.below(lines.len() as u64) as usize;
    match random.below(6) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(at, b"[0]".to_vec()),
        2 => {
            let other = random.below(lines.len() as u64) as usize;
            lines.swap(at, other);
        }
        _ => {
            let text = String::from_utf8(lines[at].clone()).unwrap();
            let mut parts: Vec<String> = text
                .trim_matches(['[', ']'])
                .split(',')
                .map(|part| part.trim_matches('"').to_owned())
                .collect();
            let part = random.below(parts.len() as u64) as usize;
            parts[part] = match random.below(4) {
                0 => "0".to_owned(),
                1 => format!("{}", random.below(7) as i32 - 3),
                2 => parts[part].strip_prefix('-').map_or(format!("-{}", parts[part]), str::to_owned),
                _ => parts[part].split('/').next().unwrap_or("1").to_owned(),
            };
            let parts: Vec<String> =
                parts.iter().map(|p| if p.contains('/') { format!("\"{p}\"") } else { p.clone() }).collect();
            lines[at] = format!("[{}]", parts.join(",")).into_bytes();
        }
    }
    lines
}

/// Accepts the proofs of made-up games, and of spoiled ones only those that still say what is true.
fn proofs<const P: usize>(chance: bool, cycles: bool) -> (u32, u32) {
    let (mut accepted, mut refused) = (0, 0);
    let mut random = Random::new(9);
    for seed in 0..150 {
        let game = Made::<P>::new(seed, 2 + seed % 12, chance, cycles);
        let Ok(solved) = Auto::solve(&game, &Run::default()) else { continue };
        let proof = lines(&solved.proof(&game, &Run::default()).unwrap());
        let proved = check(&game, &proof).unwrap_or_else(|e| panic!("seed {seed} {e:?} {game:?} {proof:?}"));
        assert!(proved.exact());
        let truth: Vec<Rational> = (0..P as u8).map(|p| solved.value_of(&game, &0, p).unwrap()).collect();
        assert_eq!(proved.bounds.iter().map(|b| b.0.clone()).collect::<Vec<_>>(), truth, "seed {seed}");
        accepted += 1;
        for _ in 0..40 {
            match check(&game, &spoiled(&proof, &mut random)) {
                Ok(other) => assert_eq!(other.bounds, proved.bounds, "seed {seed}"),
                Err(Fault::Rejected { .. }) => refused += 1,
                Err(Fault::Failed(error)) => panic!("seed {seed} {error:?}"),
            }
        }
    }
    (accepted, refused)
}

#[test]
fn law_values_are_proved_and_nothing_else_is() {
    for (kind, (accepted, refused)) in [
        proofs::<2>(false, false),
        proofs::<2>(true, false),
        proofs::<2>(false, true),
        proofs::<2>(true, true),
        proofs::<1>(true, true),
        proofs::<3>(true, false),
    ]
    .into_iter()
    .enumerate()
    {
        assert!(accepted > 100 && refused > 1500, "{kind}: {accepted} {refused}");
    }
}

/// Two positions that lead to each other and claim a win: every value follows from the other, and nothing ends.
#[test]
fn law_going_round_in_circles_proves_no_win() {
    let circle = Made::<2>(vec![
        (Turn::Player(0), vec![(1, 1)], 0),
        (Turn::Player(1), vec![(0, 1), (2, 1)], 0),
        (Turn::Terminal, vec![], 1),
    ]);
    let of = |text: &[&str]| check(&circle, &text.iter().map(|t| t.as_bytes().to_vec()).collect::<Vec<_>>());
    assert!(of(&["[0]", "[0]", "[1]"]).is_ok_and(|p| p.bounds[0].0 == Rational::from_integer(0.into())));
    for lie in [["[1]", "[1]", "[1]"], ["[1,2]", "[1,1]", "[1,0]"], ["[1,1]", "[1,2]", "[1,0]"]] {
        assert!(matches!(of(&lie), Err(Fault::Rejected { .. })), "{lie:?}");
    }
}

/// Both players show one of three hands at the same time.
struct Hands([[i32; 3]; 3]);

impl Game for Hands {
    type State = Vec<u8>;
    type Action = u8;
    fn start(&self) -> Vec<u8> {
        vec![]
    }
    fn turn(&self, s: &Vec<u8>) -> Turn {
        if s.len() == 2 { Turn::Terminal } else { Turn::Player(s.len() as u8) }
    }
    fn actions(&self, _: &Vec<u8>, out: &mut Vec<u8>) {
        out.extend([0, 1, 2]);
    }
    fn apply(&self, s: &Vec<u8>, a: u8) -> Vec<u8> {
        [s.as_slice(), &[a]].concat()
    }
    fn utility(&self, s: &Vec<u8>, player: u8) -> i32 {
        let first = self.0[usize::from(s[0])][usize::from(s[1])];
        if player == 0 { first } else { -first }
    }
}

impl Hidden for Hands {
    type Info = ();
    fn info(&self, _: &Vec<u8>, _: u8) {}
}

#[test]
fn law_strategies_prove_what_they_guarantee_and_no_more() {
    let mut random = Random::new(4);
    let of = |game: &Hands, lines: &[Vec<u8>]| strategies::check(game, &mut lines.iter(), &Run::default());
    for _ in 0..200 {
        let game = Hands([(); 3].map(|()| [(); 3].map(|()| random.below(9) as i32 - 4)));
        let solved = Equilibrium::solve(&game, &Run::default()).unwrap();
        let proof = lines(&solved.proof(&Run::default()).unwrap());
        let proved = of(&game, &proof).unwrap();
        assert!(proved.exact());
        assert_eq!(Some(&proved.bounds[0].0), solved.value());
        // Other strategies guarantee what the worst column or row leaves of them.
        let weights = [(); 2].map(|()| [(); 3].map(|()| 1 + random.below(5) as i64));
        let text = |w: &[i64; 3]| format!("{w:?}").into_bytes();
        let other = of(&game, &[text(&weights[0]), text(&weights[1])]).unwrap();
        let total = |w: &[i64; 3]| w.iter().sum::<i64>();
        let column = |j: usize| (0..3).map(|i| weights[0][i] * i64::from(game.0[i][j])).sum::<i64>();
        let row = |i: usize| (0..3).map(|j| weights[1][j] * i64::from(game.0[i][j])).sum::<i64>();
        let low = Rational::new((0..3).map(column).min().unwrap().into(), total(&weights[0]).into());
        let high = Rational::new((0..3).map(row).max().unwrap().into(), total(&weights[1]).into());
        assert_eq!(other.bounds[0], (low.clone(), high.clone()));
        assert!(low <= proved.bounds[0].0 && proved.bounds[0].0 <= high);
    }
    let game = Hands([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]);
    for bad in [
        &["[1,1,1]"][..],
        &["[1,1,1]", "[1,1,1]", "[1]"],
        &["[1,1]", "[1,1,1]"],
        &["[0,0,0]", "[1,1,1]"],
        &["[2,-1,1]", "[1,1,1]"],
        &["[1,1,0.5]", "[1,1,1]"],
        &["{}", "[1,1,1]"],
    ] {
        let bad: Vec<Vec<u8>> = bad.iter().map(|t| t.as_bytes().to_vec()).collect();
        assert!(matches!(of(&game, &bad), Err(Fault::Rejected { .. })), "{bad:?}");
    }
}
