//! Makes certificates slowly and obviously, with rules of its own, so that the checker is not tested by itself.

use std::collections::HashMap;

/// What stands for 1 in the vectors made here.
pub const UNIT: i64 = 72;

/// A use as the file has it.
#[derive(Clone, Debug)]
pub struct Use {
    pub from: i64,
    pub to: i64,
    pub num: i64,
    pub den: i64,
    pub child: i64,
    pub posterior: Option<i64>,
}

/// An entry; `law` is over b in an upper file and over a in a lower one.
#[derive(Clone, Debug)]
pub struct Entry {
    pub turn: usize,
    pub a: Vec<i64>,
    pub b: Vec<i64>,
    pub law: Vec<i64>,
    pub vector: Vec<i64>,
    pub uses: Vec<Use>,
}

/// A file.
#[derive(Clone, Debug)]
pub struct File {
    pub upper: bool,
    pub entries: Vec<Entry>,
}

impl File {
    /// The file as text.
    pub fn text(&self) -> String {
        let count = self.entries.len();
        let mut out = if self.upper {
            let q = self.entries[0].law.iter().sum::<i64>();
            format!("{{\"qden\":{q},\"bden\":{UNIT},\"entries\":{count}}}\n")
        } else {
            format!("{{\"aden\":{UNIT},\"entries\":{count}}}\n")
        };
        for entry in &self.entries {
            let belief = if self.upper { entry.law[0].to_string() } else { format!("{:?}", entry.law) };
            let uses: Vec<String> = entry
                .uses
                .iter()
                .map(|u| match u.posterior {
                    None => format!("[{},{},{},{},{}]", u.from, u.to, u.num, u.den, u.child),
                    Some(p) => format!("[{},{},{},{},{},{p}]", u.from, u.to, u.num, u.den, u.child),
                })
                .collect();
            let Entry { turn, a, b, vector, .. } = entry;
            out += &format!("[{turn}, {a:?}, {b:?}, {belief}, {vector:?}, [{}]]\n", uses.join(","));
        }
        out
    }
}

impl File {
    /// What an entry needs, with that entry as the first.
    pub fn from(&self, root: usize) -> File {
        let mut order = vec![root];
        let mut index = HashMap::from([(root, 0)]);
        let mut next = 0;
        while let Some(number) = order.get(next).copied() {
            for item in self.entries[number].uses.iter().filter(|u| u.child >= 0) {
                let child = item.child as usize;
                index.entry(child).or_insert_with(|| {
                    order.push(child);
                    order.len() - 1
                });
            }
            next += 1;
        }
        let mut entries: Vec<Entry> = order.iter().map(|number| self.entries[*number].clone()).collect();
        for item in entries.iter_mut().flat_map(|e| &mut e.uses).filter(|u| u.child >= 0) {
            item.child = index[&(item.child as usize)] as i64;
        }
        File { upper: self.upper, entries }
    }
}

/// The squares next to a square.
pub fn near(square: i64) -> Vec<i64> {
    let all = 0..16;
    all.filter(|s| (s / 4 - square / 4).abs() + (s % 4 - square % 4).abs() == 1).collect()
}

fn exit(player: usize, square: i64) -> bool {
    if player == 0 { square == 0 || square == 3 } else { square == 12 || square == 15 }
}

/// Turn, both sides' squares, the belief and how far to look ahead.
type Question = (usize, Vec<i64>, Vec<i64>, Vec<i64>, u32);

/// Looks a few plies ahead and takes the trivial vector beyond.
pub struct Maker {
    upper: bool,
    known: HashMap<Question, usize>,
    entries: Vec<Entry>,
}

/// A way to play on: what is used, and the vector it gives.
type Way = (Vec<Use>, Vec<i64>);

impl Maker {
    /// The certificate for a position.
    pub fn file(upper: bool, turn: usize, a: &[i64], b: &[i64], law: &[i64], depth: u32) -> File {
        let mut maker = Maker { upper, known: HashMap::new(), entries: Vec::new() };
        maker.make(turn, a.to_vec(), b.to_vec(), law.to_vec(), depth);
        File { upper, entries: maker.entries }
    }

    fn worst(&self) -> i64 {
        if self.upper { UNIT } else { -UNIT }
    }

    /// The weaker of two claims.
    fn weaker(&self, x: i64, y: i64) -> i64 {
        if self.upper { x.max(y) } else { x.min(y) }
    }

    /// `above / below`, rounded to the weaker side.
    fn rounded(&self, above: i64, below: i64) -> i64 {
        if self.upper { -(-above).div_euclid(below) } else { above.div_euclid(below) }
    }

    /// The entry after a move and its vector, both in the numbering of the mover; a piece that is gone is −1.
    fn ask(&mut self, turn: usize, a: &[i64], b: &[i64], law: &[i64], depth: u32) -> (i64, Vec<i64>) {
        let seen = |flip: bool, list: &[i64]| -> Vec<i64> {
            list.iter().map(|s| if flip && *s >= 0 { s / 4 * 4 + 3 - s % 4 } else { *s }).collect()
        };
        let sorted = |list: &[i64]| {
            let mut list: Vec<i64> = list.iter().copied().filter(|s| *s >= 0).collect();
            list.sort();
            list
        };
        let key = |flip| (sorted(&seen(flip, a)), sorted(&seen(flip, b)));
        let flip = key(true) < key(false);
        let (a, b) = (seen(flip, a), seen(flip, b));
        let (keeper, other) = if self.upper { (&b, &a) } else { (&a, &b) };
        let mut weights: Vec<(i64, i64)> =
            keeper.iter().copied().zip(law.iter().copied()).filter(|(s, _)| *s >= 0).collect();
        weights.sort();
        let law = weights.iter().map(|w| w.1).collect();
        let index = self.make(turn, sorted(&a), sorted(&b), law, depth);
        let order = sorted(other);
        let vector = other
            .iter()
            .map(|s| order.iter().position(|t| t == s).map_or(UNIT, |i| self.entries[index].vector[i]))
            .collect();
        (index as i64, vector)
    }

    fn make(&mut self, turn: usize, a: Vec<i64>, b: Vec<i64>, law: Vec<i64>, depth: u32) -> usize {
        let key = (turn, a.clone(), b.clone(), law.clone(), depth);
        if let Some(index) = self.known.get(&key) {
            return *index;
        }
        let index = self.entries.len();
        self.known.insert(key, index);
        let entry = Entry { turn, a, b, law, vector: Vec::new(), uses: Vec::new() };
        self.entries.push(entry.clone());
        let keeper = if self.upper { 1 } else { 0 };
        let (uses, vector) =
            if turn == keeper { self.choose(&entry, depth) } else { self.answer(&entry, depth) };
        self.entries[index].uses = uses;
        self.entries[index].vector = vector;
        index
    }

    /// The trivial vector, at a belief.
    fn trivial(&self, from: i64, to: i64, law: &[i64]) -> Vec<Use> {
        let total = law.iter().sum();
        let item = |num, den, posterior| Use { from, to, num, den, child: -1, posterior: Some(posterior) };
        if self.upper {
            return vec![item(1, 1, law[0])];
        }
        let weights = law.iter().enumerate().filter(|(_, w)| **w > 0);
        weights.map(|(i, w)| item(*w, total, i as i64)).collect()
    }

    fn answer(&mut self, entry: &Entry, depth: u32) -> Way {
        let (mover, keeper_count) = (entry.turn, entry.law.len() as i64);
        let (own, others) = if mover == 0 { (&entry.a, &entry.b) } else { (&entry.b, &entry.a) };
        let total: i64 = entry.law.iter().sum();
        let mut vector = vec![-self.worst(); own.len()];
        let mut uses = Vec::new();
        for (k, from) in own.iter().enumerate() {
            if exit(mover, *from) {
                for (i, part) in vector.iter_mut().enumerate() {
                    if i != k {
                        *part = self.worst();
                    }
                }
            }
            for to in near(*from).into_iter().filter(|to| !own.contains(to)) {
                let mut after = own.clone();
                after[k] = to;
                let taken = others.iter().position(|s| *s == to);
                let mut left = others.clone();
                let mut law = entry.law.clone();
                if let Some(m) = taken {
                    left[m] = -1;
                    law[m] = 0;
                }
                let rest: i64 = law.iter().sum();
                if taken.is_some() && (keeper_count == 2 || rest == 0) {
                    // The taken piece is red with probability (total − rest) / total.
                    let red_is_good = if self.upper { -1 } else { 1 };
                    let given = self.rounded(red_is_good * UNIT * (total - 2 * rest), total);
                    vector.iter_mut().for_each(|part| *part = self.weaker(*part, given));
                    continue;
                }
                let gives = if depth == 0 {
                    uses.extend(self.trivial(*from, to, &law));
                    vec![self.worst(); own.len()]
                } else {
                    let (a, b) = if mover == 0 { (&after, &left) } else { (&left, &after) };
                    let (child, gives) = self.ask(1 - mover, a, b, &law, depth - 1);
                    uses.push(Use { from: *from, to, num: 2, den: 2, child, posterior: None });
                    gives
                };
                for (part, given) in vector.iter_mut().zip(gives) {
                    let given = self.rounded((total - rest) * UNIT + rest * given, total);
                    *part = self.weaker(*part, given);
                }
            }
        }
        (uses, vector)
    }

    fn choose(&mut self, entry: &Entry, depth: u32) -> Way {
        let total: i64 = entry.law.iter().sum();
        let mut best = self.single(entry, &entry.law.clone(), depth);
        if entry.law.iter().filter(|w| **w > 0).count() > 1 {
            let mut uses = Vec::new();
            let mut sum = vec![0; best.1.len()];
            for (i, weight) in entry.law.iter().enumerate().filter(|(_, w)| **w > 0) {
                let mut law = vec![0; entry.law.len()];
                law[i] = if self.upper { total } else { 1 };
                let (one, gives) = self.single(entry, &law, depth);
                for item in one {
                    uses.push(Use { num: item.num * weight, den: item.den * total, ..item });
                }
                sum.iter_mut().zip(gives).for_each(|(s, g)| *s += weight * g);
            }
            let vector: Vec<i64> = sum.iter().map(|s| self.rounded(*s, total)).collect();
            let score = |v: &[i64]| v.iter().sum::<i64>() * if self.upper { 1 } else { -1 };
            if score(&vector) <= score(&best.1) {
                best = (uses, vector);
            }
        }
        best
    }

    /// The best move at a belief.
    fn single(&mut self, entry: &Entry, law: &[i64], depth: u32) -> Way {
        let mover = entry.turn;
        let (own, others) = if mover == 0 { (&entry.a, &entry.b) } else { (&entry.b, &entry.a) };
        let types = others.len();
        let mut ways: Vec<Way> = Vec::new();
        let certain = law.iter().filter(|w| **w > 0).count() == 1;
        let ends = certain || self.upper;
        for (k, from) in own.iter().enumerate() {
            if exit(mover, *from) && law[k] == 0 && ends {
                ways.push((self.trivial(*from, -2, law), vec![-self.worst(); types]));
            }
            for to in near(*from).into_iter().filter(|to| !own.contains(to)) {
                let mut after = own.clone();
                after[k] = to;
                let mut left = others.clone();
                if let Some(m) = others.iter().position(|s| *s == to) {
                    if types == 2 {
                        if ends {
                            let gives = (0..2).map(|i| if i == m { self.worst() } else { -self.worst() });
                            ways.push((self.trivial(*from, to, law), gives.collect()));
                        }
                        continue;
                    }
                    left[m] = -1;
                }
                if depth > 0 {
                    let (a, b) = if mover == 0 { (&after, &left) } else { (&left, &after) };
                    let (child, gives) = self.ask(1 - mover, a, b, law, depth - 1);
                    ways.push((vec![Use { from: *from, to, num: 1, den: 1, child, posterior: None }], gives));
                }
            }
        }
        ways.push((self.trivial(-1, -1, law), vec![self.worst(); types]));
        let sign = if self.upper { 1 } else { -1 };
        ways.into_iter().min_by_key(|(_, v)| sign * v.iter().sum::<i64>()).unwrap()
    }
}

/// Two pieces each, P2's colours known: everything P2 can hold to (1, low), where the first number is for the type
/// whose red piece is x and the second for the one whose red piece is y.
pub struct Region {
    low: i64,
    /// By state: the number of rounds after which it was known that P2 gets there in finitely many plies.
    rank: HashMap<State, usize>,
    /// Where P2 can stay for ever or get there.
    inside: HashMap<State, bool>,
}

/// Whose turn it is, and the squares of P1's x and y and of P2's blue and red piece.
type State = (usize, [i64; 4]);

impl Region {
    pub fn new(low: i64) -> Region {
        let mut states = Vec::new();
        for code in 0..16i64.pow(4) {
            let s = [code / 4096, code / 256 % 16, code / 16 % 16, code % 16];
            if (0..4).all(|i| (0..i).all(|j| s[i] != s[j])) {
                states.extend([(0, s), (1, s)]);
            }
        }
        let mut region = Region { low, rank: HashMap::new(), inside: HashMap::new() };
        region.inside = states.iter().map(|s| (*s, true)).collect();
        loop {
            let out: Vec<State> = states
                .iter()
                .copied()
                .filter(|s| region.inside[s] && !region.good(*s, |next| region.inside[&next]))
                .collect();
            if out.is_empty() {
                break;
            }
            out.into_iter().for_each(|s| *region.inside.get_mut(&s).unwrap() = false);
        }
        for round in 0.. {
            let new: Vec<State> = states
                .iter()
                .copied()
                .filter(|s| !region.rank.contains_key(s))
                .filter(|s| region.good(*s, |next| region.rank.contains_key(&next)))
                .collect();
            if new.is_empty() {
                break;
            }
            new.into_iter().for_each(|s| _ = region.rank.insert(s, round));
        }
        region
    }

    /// Quiet moves with their squares.
    fn quiet((turn, s): State) -> Vec<(i64, i64, State)> {
        let own = if turn == 0 { 0..2 } else { 2..4 };
        let mut found = Vec::new();
        for k in own {
            for to in near(s[k]).into_iter().filter(|to| !s.contains(to)) {
                let mut after = s;
                after[k] = to;
                found.push((s[k], to, (1 - turn, after)));
            }
        }
        found
    }

    /// A move of P2 that ends the game well: takes x, or leaves with blue.
    fn ends(s: [i64; 4]) -> Option<(i64, i64)> {
        if exit(1, s[2]) {
            return Some((s[2], -2));
        }
        [s[2], s[3]].into_iter().find(|from| near(*from).contains(&s[0])).map(|from| (from, s[0]))
    }

    fn good(&self, state: State, inside: impl Fn(State) -> bool) -> bool {
        let (turn, s) = state;
        if turn == 1 {
            return Region::ends(s).is_some() || Region::quiet(state).iter().any(|next| inside(next.2));
        }
        let takes_blue = near(s[2]).contains(&s[0]) || near(s[2]).contains(&s[1]);
        !takes_blue && !exit(0, s[0]) && Region::quiet(state).iter().all(|next| inside(next.2))
    }

    /// The certificate of all states: of those P2 gets out of in finitely many plies, or of all that it can stay in,
    /// where it ends the game only if it must.
    pub fn file(&self, finite: bool) -> File {
        let inside = |s: &State| if finite { self.rank.contains_key(s) } else { self.inside[s] };
        let mut states: Vec<State> = self.inside.keys().copied().filter(|s| inside(s)).collect();
        states.sort();
        let index: HashMap<State, i64> = states.iter().copied().zip(0..).collect();
        let entries = states.iter().map(|state| {
            let (turn, s) = *state;
            let (mut a, mut b) = (vec![s[0], s[1]], vec![s[2], s[3]]);
            a.sort();
            b.sort();
            let q = i64::from(b[0] == s[3]);
            let vector = if a[0] == s[0] { vec![UNIT, self.low] } else { vec![self.low, UNIT] };
            let link = |(from, to, next): &(i64, i64, State)| Use {
                from: *from,
                to: *to,
                num: 1,
                den: 1,
                child: index[next],
                posterior: None,
            };
            let quiet = Region::quiet(*state);
            let uses = if turn == 0 {
                quiet.iter().map(link).collect()
            } else {
                let older = |next: &State| !finite || self.rank[next] < self.rank[state];
                let stay = quiet.iter().find(|next| inside(&next.2) && older(&next.2)).map(link);
                let end = Region::ends(s).map(|(from, to)| Use {
                    from,
                    to,
                    num: 1,
                    den: 1,
                    child: -1,
                    posterior: Some(q),
                });
                if finite { end.or(stay) } else { stay.or(end) }.into_iter().collect()
            };
            Entry { turn, a, b, law: vec![q, 1 - q], vector, uses }
        });
        File { upper: true, entries: entries.collect() }
    }
}

/// The lower certificate that an upper one between two pieces each becomes when the board is turned round.
/// Beliefs have to be certain.
pub fn turned(file: &File) -> File {
    let square = |s: i64| if s < 0 { s } else { 15 - s };
    let list = |list: &[i64]| list.iter().rev().map(|s| square(*s)).collect::<Vec<_>>();
    let entries = file.entries.iter().map(|e| Entry {
        turn: 1 - e.turn,
        a: list(&e.b),
        b: list(&e.a),
        law: e.law.iter().rev().copied().collect(),
        vector: e.vector.iter().rev().map(|part| -part).collect(),
        uses: e
            .uses
            .iter()
            // P(b[0] is red) = 1 becomes: the second of a is red.
            .map(|u| Use { from: square(u.from), to: square(u.to), ..u.clone() })
            .collect(),
    });
    File { upper: false, entries: entries.collect() }
}
