//! Pictures as SVG whose text stays text and whose colours follow the page.

pub mod scene;
