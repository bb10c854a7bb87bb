//! Memory between two players who do not remember everything.

pub mod alone;
pub mod classes;
pub mod model;
pub mod rules;
pub mod summary;
