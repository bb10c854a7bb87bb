//! Generalised 66: exact differences.

use crate::kernel::Kernel;

pub fn kernels() -> Vec<Kernel> {
    Vec::new()
}
