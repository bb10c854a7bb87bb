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

impl Plane {
    /// Whether a point is beyond it by more than `least` lattice steps.
    #[inline]
    pub fn misses(&self, v: &[f64; 3], least: f64) -> bool {
        let n = &self.normal;
        dot(n, v) > self.offset + least * (n[0] + n[1] + n[2])
    }
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

/// The plane through the points of a facet, the endless directions last. The normal's sign is chosen so that it points upwards.
#[inline]
fn through(points: &[[f64; 3]], facet: &Facet) -> Plane {
    let at = &points[usize::from(facet[0])];
    let span = |f: u16| {
        if f >= IDEAL {
            let mut span = [0.0; 3];
            span[usize::from(f - IDEAL)] = 1.0;
            return span;
        }
        let p = &points[usize::from(f)];
        [p[0] - at[0], p[1] - at[1], p[2] - at[2]]
    };
    let mut normal = cross(&span(facet[1]), &span(facet[2]));
    if normal[0] + normal[1] + normal[2] < 0.0 {
        normal = [-normal[0], -normal[1], -normal[2]];
    }
    Plane { normal, offset: dot(&normal, at) }
}

/// A facet of a hull.
#[derive(Clone, Copy, Debug)]
struct Side {
    plane: Plane,
    /// How far out a point must be to be above it.
    limit: f64,
    facet: Facet,
}

impl Side {
    #[inline]
    fn below(&self, point: &[f64; 3]) -> bool {
        dot(&self.plane.normal, point) > self.limit
    }
}

/// The set below some points of space, one point after the other. Also used on the polar set, whose points
/// are not whole.
#[derive(Clone, Debug, Default)]
pub struct Hull {
    points: Vec<[f64; 3]>,
    sides: Vec<Side>,
    /// A point that is not above a facet by more than this is taken to be in the set.
    slack: f64,
    edges: Vec<u32>,
    used: Vec<bool>,
}

impl Hull {
    /// Forgets all points, but not the room they took.
    fn clear(&mut self, slack: f64) {
        self.points.clear();
        self.sides.clear();
        self.slack = slack;
    }

    /// Becomes the set below some points.
    pub fn over(&mut self, points: &[Vector]) {
        self.clear(0.0);
        let sum = |p: &Vector| p.iter().sum::<i32>();
        // The largest first: fewer facets come and go.
        let first = (0..points.len()).max_by_key(|&i| sum(&points[i])).unwrap_or(0);
        points[first..].iter().chain(&points[..first]).for_each(|p| self.add(real(p)));
    }

    /// The points that are corners, in the order in which they were added.
    pub fn corners(&mut self) -> impl Iterator<Item = Vector> {
        self.used.clear();
        self.used.resize(self.points.len(), false);
        for side in &self.sides {
            side.facet.iter().filter(|f| **f < IDEAL).for_each(|f| self.used[usize::from(*f)] = true);
        }
        let corners = self.points.iter().zip(&self.used).filter(|(_, used)| **used);
        corners.map(|(p, _)| [p[0] as i32, p[1] as i32, p[2] as i32])
    }

    /// The half-spaces of its facets.
    pub fn planes(&self) -> impl ExactSizeIterator<Item = Plane> {
        self.sides.iter().map(|side| side.plane)
    }

    /// Whether a point is outside by more than `least` lattice steps.
    pub fn misses(&self, v: &Vector, least: f64) -> bool {
        let v = real(v);
        self.planes().any(|p| p.misses(&v, least))
    }

    fn push(&mut self, facet: Facet) {
        let plane = through(&self.points, &facet);
        let n = &plane.normal;
        let limit = plane.offset + self.slack * (n[0] + n[1] + n[2]);
        self.sides.push(Side { plane, limit, facet });
    }

    /// Adds a point.
    pub fn add(&mut self, point: [f64; 3]) {
        let i = self.points.len() as u16;
        if i == 0 {
            self.points.push(point);
            for k in 0..3 {
                self.push([0, IDEAL + (k + 1) % 3, IDEAL + (k + 2) % 3]);
            }
            return;
        }
        let Some(first) = self.sides.iter().position(|side| side.below(&point)) else { return };
        self.points.push(point);
        let edges = &mut self.edges;
        edges.clear();
        let mut kept = first;
        for at in first..self.sides.len() {
            let side = self.sides[at];
            if at > first && !side.below(&point) {
                self.sides[kept] = side;
                kept += 1;
                continue;
            }
            let f = &side.facet;
            for (a, b) in [(f[0], f[1]), (f[1], f[2]), (f[0], f[2])] {
                let edge = u32::from(a.min(b)) << 16 | u32::from(a.max(b));
                // An edge between two facets that go is gone itself.
                match edges.iter().position(|e| *e == edge) {
                    Some(at) => {
                        edges.swap_remove(at);
                    }
                    None => edges.push(edge),
                }
            }
        }
        self.sides.truncate(kept);
        for e in 0..self.edges.len() {
            let edge = self.edges[e];
            self.push([i, (edge >> 16) as u16, edge as u16]);
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
            hull.clear(1e-11);
            points.iter().for_each(|p| hull.add(*p));
            for Side { facet, plane, .. } in &hull.sides {
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
pub(super) mod tests {
    use super::super::convex::Convex;
    use super::*;
    use yomikiri_core::random::Random;

    /// Some points within a cube.
    pub fn vectors(dimensions: usize, count: u64, size: u64, random: &mut Random) -> Vec<Vector> {
        let mut one = || {
            let mut v = [0; 3];
            v.iter_mut().take(dimensions).for_each(|c| *c = random.below(2 * size + 1) as i32 - size as i32);
            v
        };
        (0..count).map(|_| one()).collect()
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
