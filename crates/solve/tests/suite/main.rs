//! The solver families against slow, obvious twins.

mod auto;
mod belief;
mod desk;
mod fullwidth;
mod minimax;
mod program;
mod regret;
mod search;
mod sequence;
mod toy;
