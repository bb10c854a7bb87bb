//! Sets of guarantees as convex sets that go down without end: in one, two or three dimensions, given by
//! their corners. Corners are whole numbers small enough for every product here to be exact in an `f64`.

/// A vector of guarantees, one number for each type of the opponent; unused components are 0.
pub type Vector = [i32; 3];

/// Corners stay within this in absolute value, so that determinants of differences are exact in an `f64`.
pub const LARGEST: i32 = 55_440;

/// In a facet: the direction in which the set has no end, by component.
const IDEAL: u16 = u16::MAX - 2;

/// Three corners, or two in the plane, or one on a line, and the endless directions.
pub type Facet = [u16; 3];

/// A half-space: no point of the set has `normal · point > offset`; no component of the normal is negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Whole numbers.
    pub normal: [f64; 3],
    /// The largest product with a point of the set.
    pub offset: f64,
}

/// The product of two vectors.
#[inline]
pub fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A corner as floating point numbers.
#[inline]
pub fn real(v: &Vector) -> [f64; 3] {
    [f64::from(v[0]), f64::from(v[1]), f64::from(v[2])]
}

fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The plane through the points of a facet. The normal's sign is chosen so that it points upwards.
fn through(points: &[[f64; 3]], facet: &Facet) -> Plane {
    let (mut at, mut spans, mut known, mut first) = ([0.0; 3], [[0.0; 3]; 2], 0, true);
    for &f in facet {
        if f >= IDEAL {
            spans[known][usize::from(f - IDEAL)] = 1.0;
            known += 1;
        } else if first {
            at = points[usize::from(f)];
            first = false;
        } else {
            let p = points[usize::from(f)];
            spans[known] = [p[0] - at[0], p[1] - at[1], p[2] - at[2]];
            known += 1;
        }
    }
    let mut normal = cross(&spans[0], &spans[1]);
    if normal[0] + normal[1] + normal[2] < 0.0 {
        normal = [-normal[0], -normal[1], -normal[2]];
    }
    Plane { normal, offset: dot(&normal, &at) }
}

/// The set below some points of space, one point after the other. Also used on the polar set, whose points
/// are not whole.
#[derive(Clone, Debug, Default)]
pub struct Hull {
    points: Vec<[f64; 3]>,
    facets: Vec<(Facet, Plane)>,
    edges: Vec<(u16, u16)>,
    used: Vec<bool>,
}

impl Hull {
    /// Forgets all points, but not the room they took.
    fn clear(&mut self) {
        self.points.clear();
        self.facets.clear();
    }

    /// Becomes the set below some points.
    pub fn over(&mut self, points: &[Vector]) {
        self.clear();
        let sum = |p: &Vector| p.iter().sum::<i32>();
        // The largest first: fewer facets come and go.
        let first = (0..points.len()).max_by_key(|&i| sum(&points[i])).unwrap_or(0);
        points[first..].iter().chain(&points[..first]).for_each(|p| self.add(real(p), 0.0));
    }

    /// The points that are corners, in the order in which they were added.
    pub fn corners(&mut self) -> impl Iterator<Item = Vector> {
        self.used.clear();
        self.used.resize(self.points.len(), false);
        for (f, _) in &self.facets {
            f.iter().filter(|f| **f < IDEAL).for_each(|f| self.used[usize::from(*f)] = true);
        }
        let corners = self.points.iter().zip(&self.used).filter(|(_, used)| **used);
        corners.map(|(p, _)| [p[0] as i32, p[1] as i32, p[2] as i32])
    }

    /// Adds a point; one that is not above a facet by more than `slack` is taken to be in the set.
    pub fn add(&mut self, point: [f64; 3], slack: f64) {
        let i = self.points.len() as u16;
        if i == 0 {
            self.points.push(point);
            for k in 0..3 {
                let facet = [0, IDEAL + (k + 1) % 3, IDEAL + (k + 2) % 3];
                self.facets.push((facet, through(&self.points, &facet)));
            }
            return;
        }
        let seen = |plane: &Plane| {
            let scale = slack * (plane.normal[0] + plane.normal[1] + plane.normal[2]);
            dot(&plane.normal, &point) > plane.offset + scale
        };
        if !self.facets.iter().any(|(_, plane)| seen(plane)) {
            return;
        }
        self.points.push(point);
        let edges = &mut self.edges;
        edges.clear();
        self.facets.retain(|(f, plane)| {
            if !seen(plane) {
                return true;
            }
            for (a, b) in [(f[0], f[1]), (f[1], f[2]), (f[0], f[2])] {
                let edge = (a.min(b), a.max(b));
                // An edge between two facets that go is gone itself.
                match edges.iter().position(|e| *e == edge) {
                    Some(at) => {
                        edges.swap_remove(at);
                    }
                    None => edges.push(edge),
                }
            }
            false
        });
        for &(a, b) in edges.iter() {
            let facet = [i, a, b];
            self.facets.push((facet, through(&self.points, &facet)));
        }
    }
}

/// The upper right chain of some points of the plane, from the left to the right.
fn chain(points: &[[f64; 3]], slack: f64, order: &mut Vec<u16>, out: &mut Vec<u16>) {
    out.clear();
    order.clear();
    order.extend(0..points.len() as u16);
    let p = |i: u16| points[usize::from(i)];
    // From the right: of equal ones the highest first.
    order.sort_unstable_by(|&a, &b| {
        p(b)[0].total_cmp(&p(a)[0]).then(p(b)[1].total_cmp(&p(a)[1])).then(a.cmp(&b))
    });
    for &i in order.iter() {
        if out.last().is_some_and(|&l| p(i)[1] <= p(l)[1] + slack) {
            continue;
        }
        while let [.., a, b] = out[..] {
            let (u, v) = ([p(b)[0] - p(a)[0], p(b)[1] - p(a)[1]], [p(i)[0] - p(a)[0], p(i)[1] - p(a)[1]]);
            let size = (u[0].abs() + u[1].abs() + v[0].abs() + v[1].abs()) * slack;
            // b stays only if the chain turns left there.
            if u[0] * v[1] - u[1] * v[0] > size {
                break;
            }
            out.pop();
        }
        out.push(i);
    }
    out.reverse();
}

/// Leaves of some whole points of the plane the upper right chain, from the left to the right.
fn upper_right(points: &mut Vec<Vector>) {
    // From the right: of equal ones the highest first.
    points.sort_unstable_by_key(|p| (-p[0], -p[1]));
    let mut kept = 0;
    for i in 0..points.len() {
        let p = points[i];
        if kept > 0 && p[1] <= points[kept - 1][1] {
            continue;
        }
        while kept >= 2 {
            let (a, b) = (points[kept - 2], points[kept - 1]);
            let span = |to: &Vector| [i64::from(to[0] - a[0]), i64::from(to[1] - a[1])];
            let (u, v) = (span(&b), span(&p));
            // b stays only if the chain turns left there.
            if u[0] * v[1] > u[1] * v[0] {
                break;
            }
            kept -= 1;
        }
        points[kept] = p;
        kept += 1;
    }
    points.truncate(kept);
    points.reverse();
}

/// Leaves of some points only the corners of the set below them.
pub fn corners(dimensions: usize, points: &mut Vec<Vector>, hull: &mut Hull) {
    match dimensions {
        1 => {
            let best = points.iter().max_by_key(|p| p[0]).copied().unwrap_or_default();
            points.clear();
            points.push(best);
        }
        2 => upper_right(points),
        _ => {
            hull.over(points);
            points.clear();
            points.extend(hull.corners());
        }
    }
}

/// A convex set that goes down without end: its corners and the half-spaces that bound it.
#[derive(Clone, Debug, Default)]
pub struct Convex {
    /// The corners; in the plane from the left to the right.
    pub corners: Vec<Vector>,
    /// The half-spaces in space; on a line and in the plane they follow from the corners at once.
    facets: Vec<Plane>,
    dimensions: u8,
}

fn axis(component: usize, offset: i32) -> Plane {
    let mut normal = [0.0; 3];
    normal[component] = 1.0;
    Plane { normal, offset: f64::from(offset) }
}

impl Convex {
    /// The set below some points.
    pub fn new(dimensions: usize, points: &[Vector]) -> Convex {
        Convex::with(dimensions, points, &mut Hull::default())
    }

    /// The same, in the room of a hull.
    pub fn with(dimensions: usize, points: &[Vector], hull: &mut Hull) -> Convex {
        let mut set = Convex { dimensions: dimensions as u8, ..Convex::default() };
        if dimensions == 3 {
            hull.over(points);
            set.read(hull);
        } else {
            let mut points = points.to_vec();
            corners(dimensions, &mut points, hull);
            points.shrink_to_fit();
            set.corners = points;
        }
        set
    }

    /// The half-spaces that bound it.
    pub fn planes(&self) -> impl Iterator<Item = Plane> {
        let flat = if self.dimensions < 3 { self.corners.as_slice() } else { &[] };
        let plane = if self.dimensions == 2 { flat } else { &[] };
        let side = |w: &[Vector]| {
            let normal = [f64::from(w[0][1] - w[1][1]), f64::from(w[1][0] - w[0][0]), 0.0];
            Plane { normal, offset: dot(&normal, &real(&w[0])) }
        };
        let first = plane.first().map(|first| axis(1, first[1]));
        let last = flat.last().map(|last| axis(0, last[0]));
        first.into_iter().chain(plane.windows(2).map(side)).chain(last).chain(self.facets.iter().copied())
    }

    /// Bytes beside the set itself, roughly.
    pub fn bytes(&self) -> usize {
        self.corners.capacity() * size_of::<Vector>() + self.facets.capacity() * size_of::<Plane>()
    }

    /// The same set with its corners in order: made of its corners it is the same to the last bit.
    pub fn tidy(self, hull: &mut Hull) -> Convex {
        if self.dimensions < 3 {
            return self;
        }
        let mut corners = self.corners;
        loop {
            corners.sort_unstable();
            // A point inside a facet may or may not be taken for a corner, as the order has it.
            let mut tidy = Convex::with(3, &corners, hull);
            tidy.corners.sort_unstable();
            if tidy.corners == corners {
                return tidy;
            }
            corners = tidy.corners;
        }
    }

    /// Becomes what a hull has grown to.
    pub fn read(&mut self, hull: &mut Hull) {
        self.facets.clear();
        self.facets.reserve_exact(hull.facets.len());
        self.facets.extend(hull.facets.iter().map(|(_, plane)| *plane));
        self.corners.clear();
        self.corners.extend(hull.corners());
        self.corners.shrink_to_fit();
    }

    /// Whether a point is outside by more than `least` lattice steps.
    pub fn misses(&self, v: &Vector, least: f64) -> bool {
        let v = real(v);
        let size = |n: &[f64; 3]| n[0] + n[1] + n[2];
        self.planes().any(|p| dot(&p.normal, &v) > p.offset + least * size(&p.normal))
    }
}

/// Room to find out where half-spaces meet.
#[derive(Default)]
pub struct Meeting {
    points: Vec<[f64; 3]>,
    order: Vec<u16>,
    chain: Vec<u16>,
    hull: Hull,
}

/// Where the half-spaces meet: the corners of what lies in all of them, not yet whole. Points of interest
/// are above `floor` in every component, and for every component there is a plane that bounds it.
pub fn meet(dimensions: usize, planes: &[Plane], floor: f64, room: &mut Meeting, out: &mut Vec<[f64; 3]>) {
    out.clear();
    let Meeting { points, order, chain: corners, hull } = room;
    // The polar set about a point below everything: planes become points, corners become facets.
    let polar = |plane: &Plane| {
        let n = plane.normal;
        let reach = plane.offset - (n[0] + n[1] + n[2]) * floor;
        [n[0] / reach, n[1] / reach, n[2] / reach]
    };
    let scale = -floor;
    let single = |p: &Plane| p.normal.iter().filter(|n| **n != 0.0).count() == 1;
    if planes.iter().all(single) {
        let mut corner = [0.0; 3];
        for (i, c) in corner.iter_mut().enumerate().take(dimensions) {
            let bounds = planes.iter().filter(|p| p.normal[i] != 0.0);
            *c = bounds.map(|p| p.offset / p.normal[i]).fold(f64::INFINITY, f64::min);
        }
        out.push(corner);
        return;
    }
    match dimensions {
        1 => {
            let least = planes.iter().map(|p| p.offset / p.normal[0]).fold(f64::INFINITY, f64::min);
            out.push([least, 0.0, 0.0]);
        }
        2 => {
            outermost(planes.iter().map(polar).map(|z| z.map(|c| c * scale)), points);
            chain(points, 1e-11, order, corners);
            for w in corners.windows(2) {
                let (a, b) = (points[usize::from(w[0])], points[usize::from(w[1])]);
                let det = a[0] * b[1] - a[1] * b[0];
                if det.abs() > 1e-13 {
                    let y = [(b[1] - a[1]) / det * scale, (a[0] - b[0]) / det * scale];
                    out.push([y[0] + floor, y[1] + floor, 0.0]);
                }
            }
        }
        _ => {
            outermost(planes.iter().map(polar).map(|z| z.map(|c| c * scale)), points);
            hull.clear();
            points.iter().for_each(|p| hull.add(*p, 1e-11));
            for (facet, plane) in &hull.facets {
                if facet.iter().all(|f| *f < IDEAL) && plane.offset > 0.0 {
                    out.push(plane.normal.map(|n| n / plane.offset * scale + floor));
                }
            }
        }
    }
}

/// The points, those farthest out first: most others then turn out to be inside at once.
fn outermost(points: impl Iterator<Item = [f64; 3]>, all: &mut Vec<[f64; 3]>) {
    all.clear();
    all.extend(points);
    all.sort_unstable_by(|a, b| {
        let sum = |p: &[f64; 3]| p[0] + p[1] + p[2];
        sum(b).total_cmp(&sum(a)).then(a[0].total_cmp(&b[0])).then(a[1].total_cmp(&b[1]))
    });
    all.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_core::random::Random;

    fn vectors(dimensions: usize, count: u64, size: u64, random: &mut Random) -> Vec<Vector> {
        let mut one = || {
            let mut v = [0; 3];
            v.iter_mut().take(dimensions).for_each(|c| *c = random.below(2 * size + 1) as i32 - size as i32);
            v
        };
        (0..count).map(|_| one()).collect()
    }

    /// Whether some mixture of the points is at least `v`: by trying every direction that two or three of them
    /// or the axes single out, which is where a mixture could first fail.
    fn below(dimensions: usize, points: &[Vector], v: &Vector) -> bool {
        let mut spans: Vec<[i64; 3]> = Vec::new();
        for i in 0..dimensions {
            let mut e = [0; 3];
            e[i] = 1;
            spans.push(e);
        }
        for (i, a) in points.iter().enumerate() {
            for b in &points[i + 1..] {
                spans.push([0, 1, 2].map(|c| i64::from(a[c]) - i64::from(b[c])));
            }
        }
        let mut normals: Vec<[i64; 3]> = spans[..dimensions].to_vec();
        for (i, a) in spans.iter().enumerate() {
            if dimensions == 2 {
                normals.push([-a[1], a[0], 0]);
            } else {
                for b in &spans[i + 1..] {
                    normals.push([
                        a[1] * b[2] - a[2] * b[1],
                        a[2] * b[0] - a[0] * b[2],
                        a[0] * b[1] - a[1] * b[0],
                    ]);
                }
            }
        }
        let value = |n: &[i64; 3], p: &Vector| (0..3).map(|c| n[c] * i64::from(p[c])).sum::<i64>();
        normals.iter().flat_map(|n| [*n, n.map(|c| -c)]).all(|n| {
            let up = n.iter().all(|c| *c >= 0) && n.iter().any(|c| *c > 0);
            !up || points.iter().map(|p| value(&n, p)).max() >= Some(value(&n, v))
        })
    }

    #[test]
    fn law_a_set_holds_what_mixtures_reach_and_nothing_else() {
        let mut random = Random::new(1);
        for round in 0..300 {
            let dimensions = 2 + round % 2;
            let size = [2, 6, 1000][round % 3];
            let points = vectors(dimensions, 1 + random.below(7), size, &mut random);
            let set = Convex::new(dimensions, &points);
            assert!(set.corners.iter().all(|c| points.contains(c)));
            for v in vectors(dimensions, 20, size, &mut random).iter().chain(&points) {
                assert_eq!(!set.misses(v, 0.0), below(dimensions, &points, v), "{points:?} {v:?}");
            }
            let tidy = set.tidy(&mut Hull::default());
            let again = Convex::new(dimensions, &tidy.corners).tidy(&mut Hull::default());
            assert_eq!(tidy.corners, again.corners);
            assert!(tidy.planes().eq(again.planes()));
        }
    }

    #[test]
    fn law_products_of_the_largest_corners_are_exact() {
        let l = LARGEST;
        let points = [[l, -l, -l], [-l, l, -l], [-l, -l, l], [l - 1, -l + 1, -l + 2], [0, 1, -l + 3]];
        let set = Convex::new(3, &points);
        for plane in set.planes() {
            let n = plane.normal.map(|c| c as i128);
            for p in &points {
                let exact: i128 = (0..3).map(|c| n[c] * i128::from(p[c])).sum();
                assert_eq!(dot(&plane.normal, &real(p)) as i128, exact);
                assert!(exact <= plane.offset as i128);
            }
        }
    }

    #[test]
    fn law_corners_of_a_meeting_lie_in_all_half_spaces_and_miss_nothing() {
        let mut random = Random::new(2);
        for round in 0..200 {
            let dimensions = 2 + round % 2;
            let sets: Vec<Convex> = (0..2 + random.below(2))
                .map(|_| {
                    let points = vectors(dimensions, 1 + random.below(4), 50, &mut random);
                    Convex::new(dimensions, &points)
                })
                .collect();
            let planes: Vec<Plane> = sets.iter().flat_map(Convex::planes).collect();
            let mut corners = Vec::new();
            meet(dimensions, &planes, -100.0, &mut Meeting::default(), &mut corners);
            for c in &corners {
                for p in &planes {
                    let size: f64 = p.normal.iter().sum();
                    assert!(dot(&p.normal, c) <= p.offset + 1e-6 * size, "{c:?} {p:?}");
                }
            }
            // Whatever lies in all sets is below a mixture of the corners, here in a few directions.
            for v in vectors(dimensions, 50, 50, &mut random) {
                if sets.iter().all(|s| !s.misses(&v, 0.0)) {
                    for d in vectors(dimensions, 5, 9, &mut random).iter().map(|d| real(d).map(f64::abs)) {
                        let top = corners.iter().map(|c| dot(&d, c)).fold(f64::NEG_INFINITY, f64::max);
                        assert!(dot(&d, &real(&v)) <= top + 1e-6, "{v:?} {d:?}");
                    }
                }
            }
        }
    }
}
