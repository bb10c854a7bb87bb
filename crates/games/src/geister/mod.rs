//! Mini-Geister (ミニガイスター): hidden colours on a small board, by retrograde analysis.

pub mod analysis;
pub mod board;
pub mod exploit;
pub mod real;
pub mod response;
pub mod space;
pub mod start;
pub mod strategy;
pub mod tables;
