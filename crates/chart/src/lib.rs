//! The charts of reports as SVG, and the numbers behind them as CSV. Apart from `view`, because games use that and are
//! to stay light.

mod data;
#[cfg(feature = "draw")]
mod draw;

#[cfg(feature = "draw")]
pub use data::picture;
pub use data::{csv, has_data};
