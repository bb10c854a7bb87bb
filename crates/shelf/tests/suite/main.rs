//! All games: what they get from their rules and names, laws for all, and values of the classics.

mod classics;
mod contract;
mod dobutsu;
mod fuzz;
mod hidden;
mod page;
mod puzzles;
mod running;
mod schnapsen;
mod solitaire;
mod strengths;
mod watched;
