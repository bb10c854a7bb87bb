//! What is shown of games, and how: what positions and moves are worth ([`analysis`]), pictures of positions ([`scene`]), reports ([`report`]), and both
//! as SVG ([`svg`]). Nothing here knows a game.

pub mod analysis;
mod certainty;
pub mod report;
pub mod scene;
pub mod svg;
