//! The games and what they get from their rules and names, from outside: solvers against their twins, faces, laws for all.

mod accordion_faces;
mod accordion_solvers;
mod classics;
mod contract;
mod figure_3;
mod fuzz;
mod geister_belief;
mod geister_eval;
mod geister_play;
mod geister_suite;
mod geister_twin;
mod hidden;
mod memory_solvers;
mod memory_table;
mod page;
mod running;
mod saichugen_play;
mod saichugen_rules;
mod saichugen_solvers;
mod sixtysix_faces;
mod sixtysix_solvers;
