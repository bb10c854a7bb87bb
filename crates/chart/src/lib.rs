//! The charts of reports as SVG, and the numbers behind them as CSV. Apart from `view`, because games use that and are
//! to stay light.

mod data;
mod draw;
mod frame;

pub use data::{csv, has_data, picture};
