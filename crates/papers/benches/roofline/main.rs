//! How far every kernel is from what one core of this machine can do, both measured in this run: what the kernel must
//! compute and move for each of its units, counted from the algorithm, how long that would take at the machine's own speeds,
//! and how long the kernel takes; and how much faster two threads are than one, where the cores have memory and more in
//! common. Run it with `cargo xtask bench roofline`, or `bench roofline KERNEL...`.

mod accordion;
mod geister;
mod kernel;
mod machine;
mod memory;
mod saichugen;
mod sixtysix;

use kernel::Kernel;
use machine::Machine;

/// The kernels of a game, measured.
type Kernels = fn() -> Vec<Kernel>;

const GAMES: [(&str, Kernels); 5] = [
    ("memory", memory::kernels),
    ("geister", geister::kernels),
    ("saichugen", saichugen::kernels),
    ("accordion", accordion::kernels),
    ("sixtysix", sixtysix::kernels),
];

fn main() {
    // `cargo bench` passes flags of its own.
    let asked: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let unknown = asked.iter().find(|word| GAMES.iter().all(|(name, _)| name != word));
    assert!(unknown.is_none(), "{unknown:?}; accepted: {}", GAMES.map(|(name, _)| name).join(", "));
    let machine = Machine::measured();
    println!("{machine}\n");
    kernel::head();
    for (name, kernels) in GAMES {
        if asked.is_empty() || asked.iter().any(|word| word == name) {
            kernels().iter().for_each(|kernel| println!("{}", kernel.line(&machine)));
        }
    }
}
