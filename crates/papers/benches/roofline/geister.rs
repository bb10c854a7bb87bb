//! Mini-Geister by retrograde analysis.

use crate::kernel::Kernel;

pub fn kernels() -> Vec<Kernel> {
    Vec::new()
}
