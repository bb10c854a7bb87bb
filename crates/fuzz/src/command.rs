//! Command lines that get past the parser: put together of the very description the parser has.

use crate::Target;
use crate::bounded::within;
use crate::input::{Input, ODD, text};
use std::ffi::OsString;
use std::path::Path;
use std::sync::LazyLock;
use yomikiri::{Around, description, ended};
use yomikiri_core::Lang;
use yomikiri_shelf::GAMES;

/// The target.
pub const TARGET: Target = Target {
    name: "command",
    about: "command lines of every verb, in a folder of their own, stopped soon: exit 0, 1, 2 or 130, and JSON where it was asked for",
    run,
    seeds,
};

/// A command without a command below it that has to be named.
struct Leaf {
    path: Vec<String>,
    args: Vec<Word>,
}

/// An argument.
struct Word {
    name: String,
    /// As it is typed; none for one that has its place.
    flag: Option<String>,
    takes: bool,
    /// Values that are likely to be accepted.
    values: Vec<String>,
}

/// Names of files and folders; all in the folder of the run.
const PATHS: [&str; 16] = [
    "a.csv",
    "b.parquet",
    "t",
    "table",
    "lines",
    "upper",
    "lower",
    "nothing",
    "folder",
    "folder/x.csv",
    "a.csv.part",
    "a.shard",
    "whole.shard",
    "x",
    "",
    "-",
];
/// What an option that takes anything may be given.
const VALUES: [&str; 17] = [
    "1",
    "2",
    "3",
    "4",
    "5",
    "0",
    "-1",
    "12",
    "100",
    "1/3",
    "0/1",
    "-2/5",
    "two-first",
    "1,2",
    "all",
    "x",
    "",
];

static LEAVES: LazyLock<Vec<Leaf>> = LazyLock::new(|| {
    let mut all = description(Lang::En);
    all.build();
    let mut leaves = Vec::new();
    collect(&all, &mut Vec::new(), &mut leaves);
    leaves
});

fn collect(command: &clap::Command, path: &mut Vec<String>, leaves: &mut Vec<Leaf>) {
    if !command.is_subcommand_required_set() {
        let words = command.get_arguments().map(|arg| {
            let name = arg.get_id().to_string();
            let takes = arg.get_action().takes_values();
            let mut values: Vec<String> =
                arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
            if is_path(&name) {
                values = PATHS.map(String::from).to_vec();
            } else if name == "position" {
                let examples = GAMES.iter().filter(|game| path.iter().any(|word| word == game.about().id));
                values = examples.map(|game| game.about().example.to_owned()).collect();
            }
            if takes {
                values.extend(VALUES.map(String::from));
            }
            let flag = arg.get_long().map(|long| format!("--{long}"));
            Word { name, flag, takes, values }
        });
        // What the bounds of the run need is set by us.
        let words = words.filter(|word| !["memory", "threads"].contains(&word.name.as_str()));
        // A server would open a port, and has tests of its own.
        if path.first().is_none_or(|verb| verb != "serve") {
            leaves.push(Leaf { path: path.clone(), args: words.collect() });
        }
    }
    for below in command.get_subcommands() {
        path.push(below.get_name().to_owned());
        collect(below, path, leaves);
        path.pop();
    }
}

fn is_path(name: &str) -> bool {
    ["out", "table", "file", "html", "dir", "folder"].contains(&name)
}

/// The words of a command line.
fn line(bytes: &[u8]) -> Vec<String> {
    let mut input = Input(bytes);
    let leaf = &LEAVES[(usize::from(input.byte()) * 256 + usize::from(input.byte())) % LEAVES.len()];
    let memory = *input.pick(&["16M", "64M", "1M", "4K", "1"]);
    let threads = *input.pick(&["1", "2", "3"]);
    let mut words = vec!["yomikiri".to_owned()];
    let mut after = vec!["--memory".to_owned(), memory.to_owned(), format!("--threads={threads}")];
    let mut used: Vec<&String> = Vec::new();
    while !input.ended() && after.len() < 24 {
        let how = input.byte();
        let arg = input.pick(&leaf.args);
        // Twice the same, or help instead of an answer, only now and then: the parser's part is soon seen.
        let dull = used.contains(&&arg.name) || arg.name == "help";
        if dull && how & 0x30 != 0x30 {
            continue;
        }
        used.push(&arg.name);
        let value = if !arg.takes {
            None
        } else if how & 7 == 7 && !is_path(&arg.name) {
            // Nothing typed here may lead out of the folder.
            Some(text(input.piece(), &ODD).replace(['/', '\0'], "."))
        } else {
            Some(input.pick(&arg.values).clone())
        };
        let to = if how & 0xc0 == 0xc0 { &mut words } else { &mut after };
        match (&arg.flag, value) {
            (Some(flag), Some(value)) if how & 8 == 8 => to.push(format!("{flag}={value}")),
            (Some(flag), Some(value)) => to.extend([flag.clone(), value]),
            (Some(flag), None) => to.push(flag.clone()),
            (None, value) => to.extend(value),
        }
        if how & 0x38 == 0x38 {
            after.pop();
        }
    }
    words.extend(leaf.path.iter().cloned());
    words.extend(after);
    words
}

fn run(bytes: &[u8]) {
    let words = line(bytes);
    // A word that leads elsewhere could only have come of the name of an option.
    assert!(words.iter().all(|word| !word.starts_with('/') && !word.starts_with("--out=/")));
    let folder = tempfile::tempdir().expect("a folder");
    furnish(folder.path());
    // `certify` writes where it stands unless it is told otherwise.
    std::env::set_current_dir(folder.path()).expect("the folder");
    let args: Vec<OsString> = words.iter().map(OsString::from).collect();
    let mut out = Vec::new();
    let code = within(30, |cancel| {
        let env =
            |name: &str| (name == "YOMIKIRI_CACHE").then(|| folder.path().join("cache").into_os_string());
        ended(&args, &Around { env: &env, stop: &|_| cancel }, &mut out)
    });
    std::env::set_current_dir(std::env::temp_dir()).expect("a folder");
    assert!([0, 1, 2, 130].contains(&code), "{words:?}: {code}");
    let said = String::from_utf8(out).unwrap_or_else(|e| panic!("{words:?}: {e}"));
    let prose = ["completions", "man", "--help", "-h", "--version"];
    if code <= 1 && words.iter().any(|w| w == "--json") && !words.iter().any(|w| prose.contains(&w.as_str()))
    {
        for value in serde_json::Deserializer::from_str(&said).into_iter::<serde_json::Value>() {
            value.unwrap_or_else(|e| panic!("{words:?}: {e}: {said}"));
        }
    }
}

/// What the names of files lead to.
fn furnish(folder: &Path) {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    let questions: Vec<&str> = GAMES.iter().map(|game| game.about().question).collect();
    write("lines", &questions.join("\n"));
    write(
        "upper",
        "{\"qden\":2,\"bden\":1,\"entries\":1}\n[1,[9,13,14],[1,2],1,[1,1,1],[[-1,-1,1,1,-1,1]]]\n",
    );
    write("lower", "{\"aden\":1,\"entries\":1}\n[0,[0,13,14],[1,2],[0,1,0],[1,1],[[0,-2,1,1,-1,1]]]");
    std::fs::write(folder.join("whole.shard"), shard()).expect("a file");
    std::fs::create_dir(folder.join("folder")).expect("a folder");
    let table = folder.join("table");
    std::fs::create_dir(&table).expect("a folder");
    for (name, bytes) in crate::table::files() {
        std::fs::write(table.join(name), bytes).expect("a file");
    }
}

/// A shard of one that is whole.
fn shard() -> Vec<u8> {
    static SHARD: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.shard");
        let line = "yomikiri study accordion lookahead --deals 1 --from 8 --to 8 --limit 10 --quiet --shard 0/1 --out";
        let mut args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        args.push(path.clone().into_os_string());
        let cancel = std::sync::atomic::AtomicBool::new(false);
        let stop = |_| &cancel;
        let code = ended(&args, &Around { env: &|_| None, stop: &stop }, &mut Vec::new());
        assert_eq!(code, 0, "a shard");
        std::fs::read(path).expect("a shard")
    });
    SHARD.clone()
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (number, leaf) in LEAVES.iter().enumerate() {
        let head = [(number >> 8) as u8, number as u8, 0, 0];
        seeds.push(head.to_vec());
        // Each with one option, and with its argument.
        let mut bytes = head.to_vec();
        if let Some(place) = leaf.args.iter().position(|arg| arg.flag.is_none()) {
            bytes.extend([0, place as u8, 0]);
        }
        if let Some(place) = leaf.args.iter().position(|arg| arg.name == "json") {
            bytes.extend([0, place as u8]);
        }
        seeds.push(bytes);
    }
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_core::Run;
    use yomikiri_games::params::Settings;

    #[test]
    fn law_most_command_lines_get_past_the_parser() {
        let (mut parsed, mut all) = (0, 0);
        let mut description = description(Lang::En);
        for number in 0..LEAVES.len() {
            for seed in 0..20u8 {
                let bytes: Vec<u8> =
                    (0..9u8).map(|at| blake3::hash(&[number as u8, seed, at]).as_bytes()[0] & 0x2f).collect();
                let words = line(&[&[(number >> 8) as u8, number as u8, 0, 0][..], &bytes].concat());
                parsed += usize::from(description.try_get_matches_from_mut(&words).is_ok());
                all += 1;
            }
        }
        assert!(2 * parsed > all, "{parsed} of {all}");
    }

    #[test]
    fn law_the_table_of_the_folder_is_one() {
        let folder = tempfile::tempdir().expect("a folder");
        furnish(folder.path());
        let opened = yomikiri_tables::Opened::new(&folder.path().join("table"), GAMES, &Run::default())
            .expect("a table");
        let settings = Settings::new(opened.tables().params(), []).expect("settings");
        assert_ne!(opened.settings, settings);
        assert!(opened.arrays(&Run::default()).expect("arrays").is_ok());
    }
}
