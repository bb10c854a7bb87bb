//! The checker from outside: certificates that are right, that are wrong, and that are none.

mod adversary;
mod corruptions;
mod fuzz;
mod maker;
mod proofs;
