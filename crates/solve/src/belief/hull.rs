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
}

impl Hull {
    /// The set below some points.
    pub fn over(points: &[Vector]) -> Hull {
        let mut hull = Hull::default();
        let sum = |p: &Vector| p.iter().sum::<i32>();
        // The largest first: fewer facets come and go.
        let first = (0..points.len()).max_by_key(|&i| sum(&points[i])).unwrap_or(0);
        points[first..].iter().chain(&points[..first]).for_each(|p| hull.add(real(p), 0.0));
        hull
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
pub fn chain(points: &[[f64; 3]], slack: f64, out: &mut Vec<u16>) {
    out.clear();
    let mut order: Vec<u16> = (0..points.len() as u16).collect();
    let p = |i: u16| points[usize::from(i)];
    // From the right: of equal ones the highest first.
    order.sort_unstable_by(|&a, &b| {
        p(b)[0].total_cmp(&p(a)[0]).then(p(b)[1].total_cmp(&p(a)[1])).then(a.cmp(&b))
    });
    for i in order {
        if out.last().is_some_and(|&l| p(i)[1] <= p(l)[1] + slack) {
            continue;
        }
        while let [.., a, b] = out[..] {
            let (u, v) =
                ([p(b)[0] - p(a)[0], p(b)[1] - p(a)[1]], [p(i)[0] - p(a)[0], p(i)[1] - p(a)[1]]);
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

/// A convex set that goes down without end: its corners and the half-spaces that bound it.
#[derive(Clone, Debug, Default)]
pub struct Convex {
    /// The corners.
    pub corners: Vec<Vector>,
    /// The half-spaces.
    pub planes: Vec<Plane>,
}

fn axis(component: usize, offset: i32) -> Plane {
    let mut normal = [0.0; 3];
    normal[component] = 1.0;
    Plane { normal, offset: f64::from(offset) }
}

impl Convex {
    /// The set below some points.
    pub fn new(dimensions: usize, points: &[Vector]) -> Convex {
        let mut set = Convex::default();
        match dimensions {
            1 => {
                let best = points.iter().max_by_key(|p| p[0]).copied().unwrap_or_default();
                set.planes.push(axis(0, best[0]));
                set.corners.push(best);
            }
            2 => {
                let reals: Vec<[f64; 3]> = points.iter().map(real).collect();
                let mut places = Vec::new();
                chain(&reals, 0.0, &mut places);
                set.corners.extend(places.iter().map(|&i| points[usize::from(i)]));
                if let [first, .., last] | [first @ last] = set.corners[..] {
                    set.planes.push(axis(1, first[1]));
                    for w in set.corners.windows(2) {
                        let normal = [f64::from(w[0][1] - w[1][1]), f64::from(w[1][0] - w[0][0]), 0.0];
                        set.planes.push(Plane { normal, offset: dot(&normal, &real(&w[0])) });
                    }
                    set.planes.push(axis(0, last[0]));
                }
            }
            _ => {
                set.read(&Hull::over(points));
            }
        }
        set
    }

    /// The same set with its corners in order: made of its corners it is the same to the last bit.
    pub fn tidy(&self, dimensions: usize) -> Convex {
        let mut corners = self.corners.clone();
        corners.sort_unstable();
        let tidy = Convex::new(dimensions, &corners);
        Convex { corners, planes: tidy.planes }
    }

    /// Becomes what a hull has grown to.
    pub fn read(&mut self, hull: &Hull) {
        self.corners.clear();
        self.planes.clear();
        let mut used = vec![false; hull.points.len()];
        for (f, plane) in &hull.facets {
            self.planes.push(*plane);
            f.iter().filter(|f| **f < IDEAL).for_each(|f| used[usize::from(*f)] = true);
        }
        let corners = hull.points.iter().zip(used).filter(|(_, used)| *used);
        self.corners.extend(corners.map(|(p, _)| [p[0] as i32, p[1] as i32, p[2] as i32]));
    }

    /// Whether a point is outside by more than `least` lattice steps.
    pub fn misses(&self, v: &Vector, least: f64) -> bool {
        let v = real(v);
        let size = |n: &[f64; 3]| n[0] + n[1] + n[2];
        self.planes.iter().any(|p| dot(&p.normal, &v) > p.offset + least * size(&p.normal))
    }
}

/// Where the half-spaces meet: the corners of what lies in all of them, not yet whole. Points of interest
/// are above `floor` in every component, and for every component there is a plane that bounds it.
pub fn meet(dimensions: usize, planes: &[Plane], floor: f64, out: &mut Vec<[f64; 3]>) {
    out.clear();
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
            let points: Vec<[f64; 3]> = outermost(planes.iter().map(polar).map(|z| z.map(|c| c * scale)));
            let mut corners = Vec::new();
            chain(&points, 1e-11, &mut corners);
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
            let points: Vec<[f64; 3]> = outermost(planes.iter().map(polar).map(|z| z.map(|c| c * scale)));
            let mut hull = Hull::default();
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
fn outermost(points: impl Iterator<Item = [f64; 3]>) -> Vec<[f64; 3]> {
    let mut all: Vec<[f64; 3]> = points.collect();
    all.sort_unstable_by(|a, b| {
        let sum = |p: &[f64; 3]| p[0] + p[1] + p[2];
        sum(b).total_cmp(&sum(a)).then(a[0].total_cmp(&b[0])).then(a[1].total_cmp(&b[1]))
    });
    all.dedup();
    all
}
