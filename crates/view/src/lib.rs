//! What is shown of games, and how: positions with the values of their moves ([`scene`]), reports ([`report`]), and both
//! as SVG ([`svg`]). Nothing here knows a game.

pub mod report;
pub mod scene;
pub mod svg;
