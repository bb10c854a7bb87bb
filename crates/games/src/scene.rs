//! What to draw of a position.

use serde::{Deserialize, Serialize};

/// A picture of a position, as data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {}
