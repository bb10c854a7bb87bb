//! Every analysis against a slow and obvious twin: boards as maps from coordinates to letters, rules as the
//! paper words them, and values found by going over all positions again and again.

use std::collections::{BTreeMap, HashMap};
use yomikiri_core::Run;
use yomikiri_games::geister::analysis::{Kind, Rules, Solved, distance, value};
use yomikiri_games::geister::board::Board;
use yomikiri_games::geister::notation::{board, board_text};
use yomikiri_games::geister::tables::Tables;

type Pieces = BTreeMap<(i8, i8), char>;

/// Whose turn it is, 1 or 2, and the pieces.
type Place = (u8, Pieces);

struct Twin {
    width: i8,
    height: i8,
    open: HashMap<Place, (i8, u16)>,
    extended: HashMap<Place, (i8, u16)>,
    win: HashMap<Place, (i8, u16)>,
}

fn mine(turn: u8, c: char) -> bool {
    (turn == 1) == c.is_uppercase()
}

fn count(pieces: &Pieces, c: char) -> usize {
    pieces.values().filter(|x| **x == c).count()
}

impl Twin {
    fn read(&self, turn: u8, text: &str) -> Place {
        let ranks: Vec<&str> = text.split('/').collect();
        let mut pieces = Pieces::new();
        for (i, rank) in ranks.iter().enumerate() {
            for (file, c) in rank.chars().enumerate().filter(|(_, c)| *c != '.') {
                pieces.insert((file as i8, self.height - 1 - i as i8), c);
            }
        }
        (turn, pieces)
    }

    fn exit(&self, turn: u8, (x, y): (i8, i8)) -> bool {
        (x == 0 || x == self.width - 1) && y == if turn == 1 { self.height - 1 } else { 0 }
    }

    /// Every step of the player to move: from, to.
    fn steps(&self, (turn, pieces): &Place) -> Vec<((i8, i8), (i8, i8))> {
        let mut all = Vec::new();
        for (&(x, y), &c) in pieces {
            for (dx, dy) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                let to = (x + dx, y + dy);
                let on = (0..self.width).contains(&to.0) && (0..self.height).contains(&to.1);
                let blocked = pieces.get(&to).is_some_and(|other| mine(*turn, *other));
                if mine(*turn, c) && on && !blocked {
                    all.push(((x, y), to));
                }
            }
        }
        all
    }

    fn after(&self, (turn, pieces): &Place, from: (i8, i8), to: (i8, i8)) -> Place {
        let mut next = pieces.clone();
        let piece = next.remove(&from).unwrap();
        next.insert(to, piece);
        (3 - turn, next)
    }

    /// The position with all pieces hidden.
    fn hidden((turn, pieces): &Place) -> Place {
        let hide = |c: &char| if c.is_uppercase() { 'P' } else { 'p' };
        (*turn, pieces.iter().map(|(at, c)| (*at, hide(c))).collect())
    }

    /// Every way to make one of two hidden pieces of each side blue and the other red.
    fn colourings((turn, pieces): &Place) -> Vec<Place> {
        let mut all = vec![pieces.clone()];
        for (hidden, blue, red) in [('P', 'B', 'R'), ('p', 'b', 'r')] {
            let at: Vec<(i8, i8)> = pieces.iter().filter(|(_, c)| **c == hidden).map(|(at, _)| *at).collect();
            if let [one, other] = at[..] {
                let give = |pieces: &Pieces, x: (i8, i8), y: (i8, i8)| {
                    let mut coloured = pieces.clone();
                    coloured.insert(x, blue);
                    coloured.insert(y, red);
                    coloured
                };
                all = all.iter().flat_map(|p| [give(p, one, other), give(p, other, one)]).collect();
            }
        }
        all.into_iter().map(|pieces| (*turn, pieces)).collect()
    }

    /// Whether the analysis ends here, for the player to move.
    fn ends(&self, kind: Kind, place: &Place) -> bool {
        let (turn, pieces) = place;
        let leaves =
            |(at, c): (&(i8, i8), &char)| mine(*turn, *c) && "BPbp".contains(*c) && self.exit(*turn, *at);
        if pieces.iter().any(leaves) {
            return true;
        }
        let takes: Vec<_> = self.steps(place).into_iter().filter(|(_, to)| pieces.contains_key(to)).collect();
        let only_blue =
            |blue: char| count(pieces, blue) == 1 && takes.iter().any(|(_, to)| pieces[to] == blue);
        let left = |from, to| self.extended[&Twin::hidden(&self.after(place, from, to))].0;
        let guess = || Twin::colourings(place).iter().all(|known| self.open[known].0 == 1);
        let distinct = |keep: &dyn Fn(char) -> bool| {
            let mut safe: Vec<_> =
                takes.iter().filter(|(f, t)| keep(pieces[t]) && left(*f, *t) >= 0).map(|t| t.1).collect();
            safe.sort();
            safe.dedup();
            safe.len()
        };
        if *turn == 1 {
            match kind {
                Kind::Basic => pieces
                    .iter()
                    .filter(|(_, c)| c.is_lowercase())
                    .all(|(at, _)| takes.iter().any(|(_, to)| to == at)),
                Kind::Open => only_blue('b'),
                Kind::OpenWin | Kind::BbrThreeThird => false,
                Kind::Extended | Kind::OpenDraw | Kind::RrbThree => guess(),
                Kind::RrbTwo => distinct(&|_| true) >= 1,
                Kind::BbrTwoHalf => distinct(&|_| true) >= 2,
                Kind::BbrTwoThird => distinct(&|_| true) >= 3,
                Kind::BbrTwoGuess => distinct(&|c| c == 'b') >= 1 || guess(),
            }
        } else {
            match kind {
                Kind::Open | Kind::OpenWin | Kind::OpenDraw => only_blue('B'),
                Kind::BbrThreeThird => takes.iter().any(|(f, t)| left(*f, *t) == -1),
                Kind::RrbThree => takes.iter().any(|(f, t)| {
                    if pieces[t] == 'R' {
                        return left(*f, *t) == -1;
                    }
                    let (turn, after) = self.after(place, *f, *t);
                    let known = after.iter().map(|(at, c)| (*at, if *c == 'P' { 'B' } else { *c })).collect();
                    self.win[&(turn, known)].0 != 1
                }),
                _ => false,
            }
        }
    }

    /// The value and distance of every position that has one.
    fn solve(&self, kind: Kind, places: Vec<Place>) -> HashMap<Place, (i8, u16)> {
        let mut values: HashMap<Place, (i8, u16)> = HashMap::new();
        let mut edges: Vec<(Place, Vec<Place>)> = Vec::new();
        for place in places {
            let sign = if place.0 == 1 { 1 } else { -1 };
            if self.ends(kind, &place) {
                values.insert(place, (sign, 1));
                continue;
            }
            let quiet = |to: &(i8, i8)| match place.1.get(to) {
                None => true,
                Some(c) => "BRbr".contains(*c) && count(&place.1, *c) > 1,
            };
            let next = self.steps(&place).into_iter().filter(|(_, to)| quiet(to));
            let next = next.map(|(from, to)| self.after(&place, from, to)).collect();
            values.insert(place.clone(), (0, 0));
            edges.push((place, next));
        }
        for moves in 2.. {
            let mut found = Vec::new();
            for (place, next) in &edges {
                let sign = if place.0 == 1 { 1 } else { -1 };
                if values[place].0 != 0 {
                    continue;
                }
                if next.iter().any(|n| values[n].0 == sign) {
                    found.push((place.clone(), (sign, moves)));
                } else if !next.is_empty() && next.iter().all(|n| values[n].0 == -sign) {
                    found.push((place.clone(), (-sign, moves)));
                }
            }
            if found.is_empty() {
                return values;
            }
            values.extend(found);
        }
        unreachable!()
    }
}

fn places(twin: &Twin, solved: &Solved) -> Vec<(u64, Place)> {
    let all = (0..solved.table.places()).filter_map(|at| Some((at, solved.rules.space.at(at)?)));
    all.map(|(at, p)| {
        let text = board_text(&solved.rules.board, &p.sides);
        assert_eq!(board(&text).unwrap().1, p.sides);
        (at, twin.read(p.turn + 1, &text))
    })
    .collect()
}

fn every_analysis(width: u8, height: u8) -> u64 {
    let run = Run { threads: 2, ..Run::default() };
    let tables = Tables::new(Board::new(width, height).unwrap(), false);
    let mut twin = Twin {
        width: width as i8,
        height: height as i8,
        open: HashMap::new(),
        extended: HashMap::new(),
        win: HashMap::new(),
    };
    let mut checked = 0;
    for kind in Kind::ALL {
        let solved = tables.solve(kind, &run).unwrap();
        let places = places(&twin, &solved);
        let values = twin.solve(kind, places.iter().map(|p| p.1.clone()).collect());
        for (at, place) in &places {
            let verdict = solved.table.get(*at);
            let ours = (value(verdict), distance(verdict).unwrap_or(0));
            assert_eq!(ours, values[place], "{} on {width}x{height}: {place:?}", kind.id());
            checked += 1;
        }
        match kind {
            Kind::Open => twin.open = values,
            Kind::Extended => twin.extended = values,
            Kind::OpenWin => twin.win = values,
            _ => {}
        }
    }
    checked
}

#[test]
fn law_every_analysis_is_the_papers_on_3x3() {
    let board = Board::new(3, 3).unwrap();
    let all = Kind::ALL.into_iter().flat_map(Kind::materials).map(|m| Rules::positions(&board, &m));
    assert_eq!(every_analysis(3, 3), all.sum::<u64>());
}

#[test]
fn law_the_basic_analysis_is_the_papers_on_4x4() {
    let tables = Tables::new(Board::new(4, 4).unwrap(), false);
    let solved = tables.solve(Kind::Basic, &Run::default()).unwrap();
    let twin =
        Twin { width: 4, height: 4, open: HashMap::new(), extended: HashMap::new(), win: HashMap::new() };
    let places = places(&twin, &solved);
    let values = twin.solve(Kind::Basic, places.iter().map(|p| p.1.clone()).collect());
    for (at, place) in places {
        let verdict = solved.table.get(at);
        assert_eq!((value(verdict), distance(verdict).unwrap_or(0)), values[&place], "{place:?}");
    }
}
