//! Pictures of reports as SVG: text stays text, fonts are named by family, and colours are CSS variables, so that one
//! picture serves a light and a dark page.

pub mod scene;
