//! `yomikiri-mpi`: started by `mpirun`, once for each rank.

use std::process::ExitCode;
use yomikiri_core::Lang;
use yomikiri_mpi::world::World;

fn main() -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let said = words.iter().position(|word| word == "--lang").and_then(|at| words.get(at + 1).cloned());
    let around = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(|name| std::env::var(name).ok());
    let japanese = said.or(around).is_some_and(|word| word.starts_with("ja"));
    let lang = if japanese { Lang::Ja } else { Lang::En };
    let Some(universe) = mpi::initialize() else {
        eprintln!("error: MPI does not start");
        return ExitCode::from(yomikiri_mpi::ERROR);
    };
    let code = yomikiri_mpi::run(&words, &World::new(universe.world()), lang, &mut std::io::stdout());
    ExitCode::from(code)
}
