//! The games of the papers from outside: solvers against their twins, and faces.

mod accordion_faces;
mod accordion_notation;
mod accordion_solvers;
mod figure_3;
mod geister_belief;
mod geister_board;
mod geister_eval;
mod geister_play;
mod geister_suite;
mod geister_twin;
mod given;
mod memory_forgetting;
mod memory_levels;
mod memory_lines;
mod memory_notation;
mod memory_party;
mod memory_solvers;
mod memory_table;
mod saichugen_kernel;
mod saichugen_play;
mod saichugen_rules;
mod saichugen_solvers;
mod sixtysix_faces;
mod sixtysix_points;
mod sixtysix_solvers;
mod strengths;
