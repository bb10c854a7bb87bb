//! Writes the seeds of every target, each into a folder of its own: `cargo run -p yomikiri-fuzz --example seeds DIR`.

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        return Err(std::io::Error::other("usage: seeds DIR"));
    };
    for target in &yomikiri_fuzz::TARGETS {
        let place = folder.join(target.name);
        std::fs::create_dir_all(&place)?;
        for (number, seed) in (target.seeds)().into_iter().enumerate() {
            std::fs::write(place.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}
