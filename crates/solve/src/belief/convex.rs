//! Sets of guarantees as convex sets that go down without end, in one, two or three dimensions. Most have one corner only and
//! are as small as that.

use super::hull::{Hull, Plane, Vector, dot, real};

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
pub struct Convex(Shape);

#[derive(Clone, Debug, Default)]
enum Shape {
    /// No set.
    #[default]
    None,
    /// Everything below a point. The half-spaces follow from it.
    Below { point: Vector, dimensions: u8 },
    /// In the plane, from the left to the right: two corners or more, from which the half-spaces follow.
    Flat(Box<[Vector]>),
    /// In space.
    Solid(Box<Solid>),
}

#[derive(Clone, Debug)]
struct Solid {
    corners: Box<[Vector]>,
    facets: Box<[Plane]>,
}

/// Room to put the corners of a set in order.
#[derive(Default)]
pub struct Tidying {
    /// A hull, also for others.
    pub hull: Hull,
    corners: Vec<Vector>,
    again: Vec<Vector>,
}

impl Tidying {
    /// The set in space with the corners that are in the room.
    fn in_order(&mut self) -> Convex {
        let Tidying { hull, corners, again } = self;
        loop {
            if let &[point] = corners.as_slice() {
                return Convex(Shape::Below { point, dimensions: 3 });
            }
            corners.sort_unstable();
            // A point inside a facet may or may not be taken for a corner, as the order has it.
            hull.over(corners);
            again.clear();
            again.extend(hull.corners());
            again.sort_unstable();
            if again == corners {
                let facets = hull.planes().collect();
                return Convex(Shape::Solid(Box::new(Solid { corners: corners.as_slice().into(), facets })));
            }
            std::mem::swap(corners, again);
        }
    }
}

fn axis(component: usize, offset: i32) -> Plane {
    let mut normal = [0.0; 3];
    normal[component] = 1.0;
    Plane { normal, offset: f64::from(offset) }
}

/// The half-spaces that bound a set, one after the other.
pub struct Planes<'a> {
    from: Bounding<'a>,
    next: usize,
}

/// What half-spaces follow from.
enum Bounding<'a> {
    /// A single corner, in so many dimensions.
    Point(&'a Vector, usize),
    /// Corners in the plane, none or at least two.
    Chain(&'a [Vector]),
    Facets(&'a [Plane]),
}

/// The half-spaces of a set on a line or in the plane, by its corners.
pub fn flat_planes(dimensions: usize, corners: &[Vector]) -> Planes<'_> {
    let from = match corners {
        [point] => Bounding::Point(point, dimensions),
        _ => Bounding::Chain(corners),
    };
    Planes { from, next: 0 }
}

impl Iterator for Planes<'_> {
    type Item = Plane;

    #[inline]
    fn next(&mut self) -> Option<Plane> {
        let at = self.next;
        self.next += 1;
        match self.from {
            Bounding::Point(point, dimensions) => {
                // In the plane the one above comes first, as with more corners.
                let component = if dimensions == 2 { 1usize.wrapping_sub(at) } else { at };
                (at < dimensions).then(|| axis(component, point[component]))
            }
            Bounding::Chain(corners) => match at {
                0 => corners.first().map(|corner| axis(1, corner[1])),
                _ if at < corners.len() => {
                    let (a, b) = (&corners[at - 1], &corners[at]);
                    let normal = [f64::from(a[1] - b[1]), f64::from(b[0] - a[0]), 0.0];
                    Some(Plane { normal, offset: dot(&normal, &real(a)) })
                }
                _ if at == corners.len() => corners.last().map(|corner| axis(0, corner[0])),
                _ => None,
            },
            Bounding::Facets(facets) => facets.get(at).copied(),
        }
    }
}

impl Convex {
    /// The set below some points.
    pub fn new(dimensions: usize, points: &[Vector]) -> Convex {
        Convex::with(dimensions, points, &mut Hull::default())
    }

    /// The same, in the room of a hull.
    pub fn with(dimensions: usize, points: &[Vector], hull: &mut Hull) -> Convex {
        if let &[point] = points {
            return Convex(Shape::Below { point, dimensions: dimensions as u8 });
        }
        if dimensions == 3 {
            hull.over(points);
            let corners: Box<[Vector]> = hull.corners().collect();
            if let &[point] = &*corners
                && hull.planes().eq((0..3).map(|i| axis(i, point[i])))
            {
                return Convex(Shape::Below { point, dimensions: 3 });
            }
            return Convex(Shape::Solid(Box::new(Solid { corners, facets: hull.planes().collect() })));
        }
        let mut points = points.to_vec();
        corners(dimensions, &mut points, hull);
        Convex::flat(dimensions, &points)
    }

    /// A set on a line or in the plane with these corners, which are in their order.
    pub fn flat(dimensions: usize, corners: &[Vector]) -> Convex {
        Convex(match corners {
            &[point] => Shape::Below { point, dimensions: dimensions as u8 },
            _ => Shape::Flat(corners.into()),
        })
    }

    /// The corners; in the plane from the left to the right.
    #[inline]
    pub fn corners(&self) -> &[Vector] {
        match &self.0 {
            Shape::None => &[],
            Shape::Below { point, .. } => std::slice::from_ref(point),
            Shape::Flat(corners) => corners,
            Shape::Solid(solid) => &solid.corners,
        }
    }

    /// The half-spaces that bound it.
    #[inline]
    pub fn planes(&self) -> Planes<'_> {
        let from = match &self.0 {
            Shape::None => Bounding::Facets(&[]),
            Shape::Below { point, dimensions } => Bounding::Point(point, usize::from(*dimensions)),
            Shape::Flat(corners) => Bounding::Chain(corners),
            Shape::Solid(solid) => Bounding::Facets(&solid.facets),
        };
        Planes { from, next: 0 }
    }

    /// Bytes beside the set itself, with what the allocator adds, roughly.
    pub fn bytes(&self) -> usize {
        let block = |bytes: usize| (bytes + 8).next_multiple_of(16).max(32);
        match &self.0 {
            Shape::None | Shape::Below { .. } => 0,
            Shape::Flat(corners) => block(size_of_val(&**corners)),
            Shape::Solid(solid) => {
                block(size_of::<Solid>())
                    + block(size_of_val(&*solid.corners))
                    + block(size_of_val(&*solid.facets))
            }
        }
    }

    /// The set below some points, with its corners in order: made of its corners it is the same to the last bit.
    pub fn tidy(dimensions: usize, points: &[Vector], room: &mut Tidying) -> Convex {
        if dimensions < 3 || points.len() == 1 {
            return Convex::with(dimensions, points, &mut room.hull);
        }
        room.hull.over(points);
        room.corners.clear();
        room.corners.extend(room.hull.corners());
        room.in_order()
    }

    /// The same, if these are its corners.
    pub fn tidy_of(dimensions: usize, corners: &[Vector], room: &mut Tidying) -> Convex {
        if dimensions < 3 {
            return Convex::flat(dimensions, corners);
        }
        room.corners.clear();
        room.corners.extend(corners);
        room.in_order()
    }

    /// Whether a point is outside by more than `least` lattice steps.
    pub fn misses(&self, v: &Vector, least: f64) -> bool {
        if let Shape::Below { point, dimensions } = &self.0 {
            let beyond = |i: usize| f64::from(v[i]) > f64::from(point[i]) + least;
            return (0..usize::from(*dimensions)).any(beyond);
        }
        let v = real(v);
        self.planes().any(|p| p.misses(&v, least))
    }
}

#[cfg(test)]
mod tests {
    use super::super::hull::{LARGEST, tests::vectors};
    use super::*;
    use yomikiri_core::random::Random;

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
            assert!(set.corners().iter().all(|c| points.contains(c)));
            for v in vectors(dimensions, 20, size, &mut random).iter().chain(&points) {
                assert_eq!(!set.misses(v, 0.0), below(dimensions, &points, v), "{points:?} {v:?}");
            }
            let mut room = Tidying::default();
            let tidy = Convex::tidy(dimensions, &points, &mut room);
            let of_corners = Convex::tidy_of(dimensions, set.corners(), &mut room);
            assert_eq!(tidy.corners(), of_corners.corners());
            let again = Convex::tidy(dimensions, tidy.corners(), &mut room);
            assert_eq!(tidy.corners(), again.corners());
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
}
