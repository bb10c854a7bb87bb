//! The program as a shell starts it: with a cache, a folder and a language of its own.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// What a person's surroundings could tell the program.
const SURROUNDINGS: [&str; 7] = [
    "LC_ALL",
    "LC_MESSAGES",
    "LANG",
    "NO_COLOR",
    "YOMIKIRI_CACHE_LIMIT",
    "YOMIKIRI_CHECKPOINT",
    "YOMIKIRI_WEB",
];

/// A program that reads nothing, whose output is kept, and to which only the cache is told. Cargo knows where the program
/// is, and tells it to tests of its own package alone: `env!("CARGO_BIN_EXE_yomikiri")`.
pub fn alone(binary: impl AsRef<OsStr>, cache: &Path) -> Command {
    let mut command = Command::new(binary);
    for name in SURROUNDINGS {
        command.env_remove(name);
    }
    command.env("YOMIKIRI_CACHE", cache);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A line of words in a folder, where the cache is `cache`.
pub fn line(binary: impl AsRef<OsStr>, folder: &Path, line: &str) -> Command {
    let mut command = alone(binary, &folder.join("cache"));
    command.current_dir(folder).args(line.split_whitespace());
    command
}

/// The same where no file may grow beyond so many bytes, as on a disk that is full.
pub fn cramped(binary: &str, folder: &Path, line: &str, bytes: usize) -> Command {
    let mut command = alone("sh", &folder.join("cache"));
    // Blocks of 512 bytes, by POSIX; the signal that would end it is ignored, so that the write fails.
    let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" {line}", bytes / 512);
    command.args(["-c", &script, binary]).current_dir(folder);
    command
}

/// What a command says when it is given something to read. It may stop reading before the end.
pub fn fed(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the program starts");
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_ref());
    child.wait_with_output().expect("the program ends")
}

/// Sends a signal, such as `-TERM`; the program may have ended by itself.
pub fn signal(child: &Child, signal: &str) {
    let _ = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
}

/// What it wrote to standard output.
pub fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// What it wrote to standard error.
pub fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}
