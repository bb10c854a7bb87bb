//! What kind of number is shown: every number says so.

use serde::{Deserialize, Serialize};
use yomikiri_core::{Text, text};

/// What kind of number a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// Computed without any error, or to the last digit shown.
    Exact,
    /// Proved to lie on one side.
    Bound,
    /// Estimated from a sample; the interval is shown with it.
    Sampled,
}

impl Certainty {
    /// The word for it.
    pub fn word(self) -> Text {
        match self {
            Certainty::Exact => text("exact", "厳密"),
            Certainty::Bound => text("bound", "上下界"),
            Certainty::Sampled => text("sampled", "標本推定"),
        }
    }
}
