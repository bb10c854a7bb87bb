//! Half-spaces in whole numbers, by which proposed corners are confirmed.

use super::hull::{Plane, Vector};

/// A half-space in whole numbers: `scale · normal · point` is at most `most`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Half {
    pub normal: [i64; 3],
    pub scale: i64,
    pub most: i128,
}

impl Half {
    pub fn of(plane: &Plane) -> Half {
        Half { normal: plane.normal.map(|n| n as i64), scale: 1, most: i128::from(plane.offset as i64) }
    }

    pub fn axis(component: usize, most: i64, scale: i64) -> Half {
        let mut normal = [0; 3];
        normal[component] = 1;
        Half { normal, scale, most: i128::from(most) }
    }

    pub fn holds(&self, v: &Vector) -> bool {
        let sum: i64 = (0..3).map(|i| self.normal[i] * i64::from(v[i])).sum();
        // Nearly always; and then these are small: see `hull`.
        if self.scale == 1 {
            return sum <= self.most as i64;
        }
        i128::from(sum) * i128::from(self.scale) <= self.most
    }

    /// The component it bounds, if it bounds only one.
    fn single(&self) -> Option<usize> {
        let n = &self.normal;
        (0..3).find(|&i| n[i] != 0 && n[(i + 1) % 3] == 0 && n[(i + 2) % 3] == 0)
    }

    pub fn plane(&self) -> Plane {
        Plane { normal: self.normal.map(|n| n as f64), offset: self.most as f64 / self.scale as f64 }
    }
}

/// Half-spaces, of those that bound a single component only the tightest.
#[derive(Clone, Debug, Default)]
pub(super) struct Halves {
    axes: [Option<Half>; 3],
    rest: Vec<Half>,
}

impl Halves {
    pub fn clear(&mut self) {
        self.axes = [None; 3];
        self.rest.clear();
    }

    pub fn push(&mut self, half: Half) {
        let Some(i) = half.single() else {
            self.rest.push(half);
            return;
        };
        let size = |h: &Half| i128::from(h.scale) * i128::from(h.normal[i]);
        match &self.axes[i] {
            Some(old) if old.most * size(&half) <= half.most * size(old) => {}
            _ => self.axes[i] = Some(half),
        }
    }

    pub fn extend(&mut self, halves: impl IntoIterator<Item = Half>) {
        halves.into_iter().for_each(|h| self.push(h));
    }

    pub fn iter(&self) -> impl Iterator<Item = &Half> {
        self.axes.iter().flatten().chain(&self.rest)
    }

    pub fn hold(&self, v: &Vector) -> bool {
        self.iter().all(|h| h.holds(v))
    }
}
