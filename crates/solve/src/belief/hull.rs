//! Sets of guarantees as convex sets that go down without end: in one, two or three dimensions, given by
//! their corners. Corners are whole numbers small enough for every product here to be exact in an `f64`.

/// A vector of guarantees, one number for each type of the opponent; unused components are 0.
pub type Vector = [i32; 3];

/// Corners stay below this in absolute value, so that determinants of differences are exact in an `f64`.
pub const LARGEST: i32 = 1 << 16;

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
    let (mut at, mut spans) = ([0.0; 3], Vec::<[f64; 3]>::with_capacity(2));
    let mut first = true;
    for &f in facet {
        if f >= IDEAL {
            let mut e = [0.0; 3];
            e[usize::from(f - IDEAL)] = 1.0;
            spans.push(e);
        } else if first {
            at = points[usize::from(f)];
            first = false;
        } else {
            let p = points[usize::from(f)];
            spans.push([p[0] - at[0], p[1] - at[1], p[2] - at[2]]);
        }
    }
    let mut normal = cross(&spans[0], &spans[1]);
    if normal[0] + normal[1] + normal[2] < 0.0 {
        normal = [-normal[0], -normal[1], -normal[2]];
    }
    Plane { normal, offset: dot(&normal, &at) }
}

/// The facets of the set below some points of space; a point that is not above a facet by more than
/// `slack` is taken to be in it. Also used on the polar set, whose points are not whole.
pub fn below(points: &[[f64; 3]], slack: f64, out: &mut Vec<(Facet, Plane)>) {
    out.clear();
    let Some(first) = (0..points.len()).max_by(|&a, &b| {
        let sum = |i: usize| points[i].iter().sum::<f64>();
        sum(a).total_cmp(&sum(b)).then(b.cmp(&a))
    }) else {
        return;
    };
    for k in 0..3 {
        let facet = [first as u16, IDEAL + (k + 1) % 3, IDEAL + (k + 2) % 3];
        out.push((facet, through(points, &facet)));
    }
    let mut edges: Vec<(u16, u16)> = Vec::new();
    for i in 0..points.len() {
        if i == first {
            continue;
        }
        edges.clear();
        out.retain(|(f, plane)| {
            let scale = slack * (plane.normal[0] + plane.normal[1] + plane.normal[2]);
            let seen = dot(&plane.normal, &points[i]) > plane.offset + scale;
            if seen {
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
            }
            !seen
        });
        for &(a, b) in &edges {
            let facet = [i as u16, a, b];
            out.push((facet, through(points, &facet)));
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

/// The corners of the set below some points, as places among them in ascending order, and its facets in
/// terms of places among the corners.
pub fn front(dimensions: usize, points: &[Vector]) -> (Vec<u16>, Vec<Facet>) {
    let reals: Vec<[f64; 3]> = points.iter().map(real).collect();
    let mut facets: Vec<Facet> = Vec::new();
    match dimensions {
        1 => {
            if let Some(best) = (0..points.len()).max_by(|&a, &b| points[a][0].cmp(&points[b][0]).then(b.cmp(&a)))
            {
                facets.push([best as u16, IDEAL + 1, IDEAL + 2]);
            }
        }
        2 => {
            let mut corners = Vec::new();
            chain(&reals, 0.0, &mut corners);
            if let [first, .., last] | [first @ last] = corners[..] {
                facets.push([first, IDEAL, IDEAL + 2]);
                facets.extend(corners.windows(2).map(|w| [w[0], w[1], IDEAL + 2]));
                facets.push([last, IDEAL + 1, IDEAL + 2]);
            }
        }
        _ => {
            let mut planes = Vec::new();
            below(&reals, 0.0, &mut planes);
            facets.extend(planes.iter().map(|(f, _)| *f));
        }
    }
    let mut place = vec![u16::MAX; points.len()];
    facets.iter().flatten().filter(|f| **f < IDEAL).for_each(|&f| place[usize::from(f)] = 0);
    let corners: Vec<u16> = (0..points.len() as u16).filter(|&i| place[usize::from(i)] == 0).collect();
    corners.iter().enumerate().for_each(|(at, &i)| place[usize::from(i)] = at as u16);
    for f in facets.iter_mut().flatten().filter(|f| **f < IDEAL) {
        *f = place[usize::from(*f)];
    }
    (corners, facets)
}

/// The plane of a facet.
pub fn plane(corners: &[Vector], facet: &Facet) -> Plane {
    let mut points = [[0.0; 3]; 3];
    let (mut named, mut at) = (*facet, 0);
    for f in &mut named {
        if *f < IDEAL {
            points[at] = real(&corners[usize::from(*f)]);
            *f = at as u16;
            at += 1;
        }
    }
    let mut plane = through(&points, &named);
    let shrink = common(&plane.normal);
    if shrink > 1.0 {
        plane.normal.iter_mut().for_each(|n| *n /= shrink);
        plane.offset /= shrink;
    }
    plane
}

/// The greatest common divisor of whole numbers.
fn common(normal: &[f64; 3]) -> f64 {
    let gcd = |mut a: u64, mut b: u64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    normal.iter().fold(0, |g, n| gcd(g, n.abs() as u64)) as f64
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
            let mut facets = Vec::new();
            below(&points, 1e-11, &mut facets);
            for (facet, plane) in &facets {
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
