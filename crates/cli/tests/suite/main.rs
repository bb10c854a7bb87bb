//! The program from outside: as a shell, a browser and a signal meet it. One binary, because each one more is linked again.

#[cfg(unix)]
mod certify;
mod cli;
mod hands;
mod learn;
mod newcomers;
mod page;
mod phone;
mod proofs;
mod record;
mod report;
#[cfg(unix)]
mod serve;
#[cfg(unix)]
mod shards;
mod site;
#[cfg(unix)]
mod strangers;
#[cfg(unix)]
mod sweeps;
mod tables;

use std::path::Path;
use std::process::{Command, Output};
use yomikiri_testkit::server::Server;

/// The program, built by cargo before these tests.
const BINARY: &str = env!("CARGO_BIN_EXE_yomikiri");

/// A line of words as a shell starts it in a folder, which holds the cache.
fn program(folder: &Path, line: &str) -> Command {
    yomikiri_testkit::program::line(BINARY, folder, line)
}

/// What it says and how it ends.
fn run(folder: &Path, line: &str) -> Output {
    program(folder, line).output().unwrap()
}

/// A server in a folder, which holds the cache.
fn served(folder: &Path, flags: &str) -> Server {
    Server::start(&mut program(folder, &format!("serve --port 0 --json {flags}"))).unwrap()
}
