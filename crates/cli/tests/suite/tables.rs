//! Tables as a shell sees them: built, killed and resumed, on a disk that fills up, asked instead of solving, and read
//! by numpy.

use crate::{program, run, served};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use yomikiri_testkit::program::{err, fed, out};

/// What a command says when it is given something to read.
fn asked(folder: &Path, line: &str, input: &str) -> Output {
    fed(&mut program(folder, line), input)
}

/// Every file of a folder with its bytes, by name.
fn content(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    all.sort();
    all
}

fn names(folder: &Path) -> Vec<String> {
    let mut all: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "cache")
        .collect();
    all.sort();
    all
}

#[test]
fn law_build_info_verify_and_their_exit_codes() {
    let dir = tempfile::tempdir().unwrap();
    let built = run(dir.path(), "table build memory --ranks 5 --out m --json");
    assert_eq!(built.status.code(), Some(0), "{}", err(&built));
    assert!(err(&built).contains("values in 20 files; disk: "), "{}", err(&built));
    assert!(out(&built).contains("\"files\":20"));
    let info = out(&run(dir.path(), "table info m --json"));
    assert!(info.contains("\"patterns\":[[4,0],[3,1],[2,2],[2,0],[1,1]]"), "{info}");
    let japanese = out(&run(dir.path(), "table info m --lang ja"));
    assert!(japanese.contains("手番側の値：勝ち+1"), "{japanese}");
    for line in ["table verify m", "table verify m --sample 100 --seed 7"] {
        let output = run(dir.path(), line);
        assert_eq!(output.status.code(), Some(0), "{}", out(&output));
        assert!(out(&output).contains("sound"));
    }
    // One flipped byte.
    let file = dir.path().join("m/unknown-0007.npy");
    let mut bytes = fs::read(&file).unwrap();
    bytes[200] ^= 4;
    fs::write(&file, bytes).unwrap();
    let output = run(dir.path(), "table verify m --json");
    assert_eq!(output.status.code(), Some(1));
    assert!(out(&output).contains("\"file\":\"unknown-0007.npy\""), "{}", out(&output));
    for line in
        ["table verify nothing", "table info cache", "table verify m --sample 0", "table build memory"]
    {
        assert_eq!(run(dir.path(), line).status.code(), Some(2), "{line}");
    }
    let refused = run(dir.path(), "table build memory --ranks 5 --out m");
    assert!(refused.status.code() == Some(2) && err(&refused).contains("which exists"), "{}", err(&refused));
    for (game, why) in [("accordion", "every deal"), ("saichugen", "too many"), ("sixtysix", "every deal")] {
        let refused = run(dir.path(), &format!("table build {game}"));
        assert_eq!(refused.status.code(), Some(2));
        assert!(err(&refused).contains("has no tables") && err(&refused).contains(why), "{}", err(&refused));
        let refused = run(dir.path(), &format!("show {game} --table m"));
        assert!(
            refused.status.code() == Some(2) && err(&refused).contains("has no tables"),
            "{}",
            err(&refused)
        );
    }
    assert_eq!(names(dir.path()), ["m"]);
}

/// Lines of positions and a memory that no solver could work with.
const LITTLE: &str = "--memory 1K --no-cache";

#[test]
fn law_answers_from_a_table_are_those_of_the_solver_and_nothing_is_solved() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    assert!(run(at, "table build memory --ranks 9 --out m").status.success());
    assert!(run(at, "table build geister --out g").status.success());
    let positions = concat!(
        r#"{"id":1,"counts":[9,0,0,0,0,0,0,0,0]}"#,
        "\n",
        r#"{"id":2,"counts":[2,1,1,1,0,1,1,1,1],"diff":1}"#,
        "\n",
        r#"{"id":3,"counts":[0,0,2,0,0,0,0,0,0]}"#,
        "\n",
    );
    let solved = asked(at, "eval memory --no-cache", positions);
    assert!(solved.status.success(), "{}", err(&solved));
    let tabled = asked(at, &format!("eval memory --table m {LITTLE}"), positions);
    assert_eq!(out(&tabled), out(&solved), "{}", err(&tabled));
    assert_eq!(
        asked(at, "eval memory --memory 1K --no-cache", positions).status.code(),
        Some(2),
        "too little"
    );
    let boards = concat!(
        r#"{"analysis":"2v2-basic","turn":1,"board":".pp./..../..../.PP."}"#,
        "\n",
        r#"{"analysis":"bbr-three-third","turn":2,"board":".pp./..../.P../.PP."}"#,
        "\n",
        r#"{"analysis":"open","turn":1,"board":".br./..../..../.BR."}"#,
        "\n",
    );
    let solved = asked(at, "eval geister --no-cache", boards);
    assert!(solved.status.success(), "{}", err(&solved));
    let tabled = asked(at, &format!("eval geister --table g {LITTLE}"), boards);
    assert_eq!(out(&tabled), out(&solved), "{}", err(&tabled));
    assert_eq!(asked(at, &format!("eval geister {LITTLE}"), boards).status.code(), Some(2), "too little");
    // The table's parameters are the defaults.
    let shown = run(at, &format!("show memory --table m --json {LITTLE}"));
    assert!(shown.status.success(), "{}", err(&shown));
    let plain = out(&run(at, "show memory --ranks 9 --json"));
    let value = |text: &str| {
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        (json["value"].clone(), json["moves"].clone(), json["line"].clone())
    };
    assert_eq!(value(&out(&shown)), value(&plain));
    let shown = run(at, &format!("show geister 2v2-basic_1_.pp./..../..../.PP. --table g {LITTLE}"));
    assert_eq!(out(&shown), out(&run(at, "show geister 2v2-basic_1_.pp./..../..../.PP.")), "{}", err(&shown));
    let played = asked(at, &format!("play memory --table m {LITTLE}"), "hint\nquit\n");
    assert!(played.status.success() && out(&played).contains("0.4"), "{}{}", out(&played), err(&played));
    // What the table does not have.
    for (line, why) in [
        ("show memory --table g", "a table of geister"),
        ("show geister --table m", "a table of memory"),
        ("show memory --table m --ranks 12", "ranks=9,copies=4,objective=win"),
        ("show memory --table m --copies 2", "copies=2"),
        ("show memory --table m --objective cards", "objective=cards"),
        ("show geister --table g --width 5", "5x4"),
        ("show memory --table nothing", "cannot be read"),
        ("play memory --table g", "a table of geister"),
    ] {
        let refused = run(at, line);
        assert_eq!(refused.status.code(), Some(2), "{line}");
        assert!(err(&refused).contains(why), "{line}: {}", err(&refused));
        let japanese = err(&run(at, &format!("{line} --lang ja")));
        assert!(japanese.contains("受け付け") || japanese.contains("読めません"), "{japanese}");
    }
    // The face says how to have it solved; in a line of answers the field is named.
    let refused = err(&run(at, "show memory --table m --ranks 12"));
    assert!(
        refused.contains("--table: got m, a table of") && refused.contains("without --table"),
        "{refused}"
    );
    // Several answer together; the parameters are those of the first that agrees with what is typed.
    assert!(run(at, "table build memory --ranks 4 --objective cards --out c").status.success());
    for (flags, plain) in
        [("", "--ranks 9"), ("--objective cards", "--ranks 4 --objective cards"), ("--ranks 3", "--ranks 3")]
    {
        let shown = run(at, &format!("show memory --table m --table c {flags} --json {LITTLE}"));
        assert!(shown.status.success(), "{flags}: {}", err(&shown));
        let solved = out(&run(at, &format!("show memory {plain} --json")));
        assert_eq!(value(&out(&shown)).0, value(&solved).0, "{flags}");
    }
    let both = concat!(
        r#"{"counts":[9,0,0,0,0,0,0,0,0]}"#,
        "\n",
        r#"{"counts":[4,0,0,0,0,0,0,0,0],"objective":"cards"}"#,
        "\n"
    );
    let tabled = asked(at, &format!("eval memory --table c --table m {LITTLE}"), both);
    assert_eq!(out(&tabled), out(&asked(at, "eval memory --no-cache", both)), "{}", err(&tabled));
    let refused = asked(at, "eval memory --exact --table m", positions);
    assert!(refused.status.code() == Some(2) && out(&refused).contains("fractions"), "{}", out(&refused));
}

#[cfg(unix)]
mod stopped {
    use super::*;
    use crate::BINARY;
    use std::time::Duration;
    use yomikiri_core::random::Random;
    use yomikiri_testkit::program::{cramped, signal};

    #[test]
    fn law_killed_at_any_moment_it_goes_on_to_the_same_bytes() {
        for (seed, table) in [(1, "memory --ranks 22"), (2, "geister --width 4 --height 4")] {
            let dir = tempfile::tempdir().unwrap();
            let at = dir.path();
            assert!(run(at, &format!("table build {table} --threads 1 --out whole")).status.success());
            let mut random = Random::new(seed);
            let (mut kills, mut kept) = (0, 0);
            let finished = || {
                let files = fs::read_dir(at.join("killed.part")).into_iter().flatten().flatten();
                files.filter(|file| file.path().extension().is_some_and(|end| end == "npy")).count()
            };
            loop {
                let line = format!("table build {table} --threads 2 --out killed --resume");
                let mut child = program(at, &line).spawn().unwrap();
                // Every other time at any moment, else soon after another file is finished, so that it comes forward but is
                // killed ten times at least; then later and later.
                let more = if kills < 10 { kills % 2 } else { kills - 8 };
                let wanted = finished() + more;
                let early = random.below(40);
                while child.try_wait().unwrap().is_none() && more > 0 && finished() < wanted {
                    std::thread::sleep(Duration::from_millis(1));
                }
                std::thread::sleep(Duration::from_millis(if more > 0 { early / 10 } else { early }));
                if child.try_wait().unwrap().is_none() {
                    kills += 1;
                    signal(&child, "-KILL");
                }
                let output = child.wait_with_output().unwrap();
                let resumed = err(&output);
                kept += u32::from(resumed.contains("resumed: ") && !resumed.contains("resumed: 0 of"));
                if output.status.success() {
                    break;
                }
                if output.status.code() == Some(2) {
                    // The last kill came after the table was whole and in its place.
                    assert!(
                        at.join("killed").is_dir() && err(&output).contains("which exists"),
                        "{}",
                        err(&output)
                    );
                    break;
                }
                assert_eq!(output.status.code(), None, "killed, not failed: {}", err(&output));
                assert!(kills < 300, "it does not come forward");
            }
            assert!(kills >= 10, "{kills} kills");
            assert!(kept >= 1, "nothing was ever kept over {kills} kills");
            assert!(content(&at.join("killed")) == content(&at.join("whole")), "{table}: {kills} kills");
            assert_eq!(names(at), ["killed", "whole"], "nothing else is left");
        }
    }

    #[test]
    fn law_a_signal_stops_it_and_says_how_to_go_on() {
        for kind in ["-INT", "-TERM"] {
            let dir = tempfile::tempdir().unwrap();
            let at = dir.path();
            let child = program(at, "table build memory --ranks 60 --out m").spawn().unwrap();
            while !at.join("m.part/unknown-0002.npy").exists() {
                std::thread::sleep(Duration::from_millis(5));
            }
            signal(&child, kind);
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(130), "{}", err(&output));
            assert!(err(&output).contains("run the same command with --resume"), "{}", err(&output));
            assert!(err(&output).contains("of 240 files are finished"), "{}", err(&output));
            assert_eq!(names(at), ["m.part"], "no half table");
        }
    }

    #[test]
    fn law_a_full_disk_is_said_and_costs_nothing_that_is_finished() {
        let dir = tempfile::tempdir().unwrap();
        let at = dir.path();
        // No file may be larger than this: the system refuses to write on, as a full disk does.
        let line = "table build memory --ranks 20 --out m";
        let output = cramped(BINARY, at, line, 50 << 10).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", err(&output));
        assert!(
            err(&output).contains("cannot be written") && err(&output).contains(".npy"),
            "{}",
            err(&output)
        );
        assert!(err(&output).contains("files are finished and kept in m.part"), "{}", err(&output));
        assert_eq!(names(at), ["m.part"]);
        assert!(!names(&at.join("m.part")).iter().any(|name| name.ends_with(".writing")), "nothing torn");
        let output = run(at, &format!("{line} --resume"));
        assert!(output.status.success() && !err(&output).contains("resumed: 0 of"), "{}", err(&output));
        assert!(run(at, "table build memory --ranks 20 --out whole").status.success());
        assert!(content(&at.join("m")) == content(&at.join("whole")));
    }
}

/// Lines that ask for positions all over the largest array of Mini-Geister's table.
fn positions() -> Vec<String> {
    let mut random = yomikiri_core::random::Random::new(1);
    let line = |_| {
        let mut squares: Vec<char> = ".".repeat(12).chars().chain("brBR".chars()).collect();
        random.shuffle(&mut squares);
        let board: Vec<String> = squares.chunks(4).map(|rank| rank.iter().collect()).collect();
        format!(
            "{{\"analysis\":\"open\",\"turn\":{},\"board\":\"{}\"}}\n",
            1 + random.below(2),
            board.join("/")
        )
    };
    (0..3000).map(line).collect()
}

/// Cuts a file that is in use.
fn cut(file: &Path) {
    let file = fs::OpenOptions::new().write(true).open(file).unwrap();
    // What is asked lies near its beginning.
    file.set_len(file.metadata().unwrap().len() / 100).unwrap();
}

#[test]
fn law_a_file_that_is_cut_while_it_is_read_is_an_error_by_its_name_and_never_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    assert!(run(at, "table build geister --out g").status.success());
    let file = at.join("g/open.npy");
    let whole = fs::read(&file).unwrap();
    assert!(whole.len() > 2 << 20, "it would be held in memory");
    let lines = positions();
    let answers = out(&asked(at, &format!("eval geister --table g {LITTLE}"), &lines.concat()));
    let answers: Vec<&str> = answers.lines().collect();

    // While lines are answered: every answer is the right one, or says which file is damaged.
    let mut eval = program(at, &format!("eval geister --table g {LITTLE}"));
    let mut child = eval.stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    input.write_all(lines[0].as_bytes()).unwrap();
    assert_eq!(output.next().unwrap().unwrap(), answers[0]);
    cut(&file);
    std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(lines[1..].concat().as_bytes()).unwrap());
        let mut damaged = 0;
        for (line, right) in output.map(|line| line.unwrap()).zip(&answers[1..]) {
            assert!(line == *right || line.contains("g/open.npy"), "{line} instead of {right}");
            damaged += u32::from(line != *right);
        }
        assert!(damaged > 0, "it was never noticed");
    });
    assert_eq!(child.wait().unwrap().code(), Some(2));
    // When it is opened.
    let refused = run(at, "show geister --table g");
    assert!(refused.status.code() == Some(2) && err(&refused).contains("open.npy"), "{}", err(&refused));

    // Between the requests of a server.
    fs::write(&file, whole).unwrap();
    let server = served(at, "--table g --quiet");
    let lines = positions();
    let ask = |i: usize| server.ask("POST", "/api/eval/geister", "", lines[i].trim()).unwrap();
    let read = |i: usize| String::from_utf8(ask(i).body).unwrap();
    assert_eq!(read(0).trim(), answers[0]);
    cut(&file);
    let mut damaged = 0;
    for (i, right) in answers.iter().enumerate().take(300) {
        let said = read(i);
        assert!(said.trim() == *right || said.contains("g/open.npy"), "{said} instead of {right}");
        damaged += u32::from(said.trim() != *right);
    }
    assert!(damaged > 0, "it was never noticed");
    assert!(read(0).contains("g/open.npy"), "nothing is answered from it any more");
    let shown = server.ask("GET", "/api/show/geister", "", "").unwrap();
    assert!(shown.status != 200 && String::from_utf8(shown.body).unwrap().contains("g/open.npy"));
    assert_eq!(server.ask("GET", "/api/show/memory?ranks=3", "", "").unwrap().status, 200);
}

/// The cells of the notebook, run one after the other by Python; what they print is what the program says.
#[test]
fn law_numpy_reads_a_table_as_the_notebook_says() {
    let has = |code: &str| {
        let done = Command::new("python3").args(["-c", code]).stderr(Stdio::null()).status();
        done.is_ok_and(|status| status.success())
    };
    if !has("import numpy") {
        assert!(std::env::var_os("YOMIKIRI_NEEDS_NUMPY").is_none(), "numpy was there a moment ago");
        eprintln!(
            "\n!! There is no python3 with numpy: THE NOTEBOOK IS NOT TESTED. `pip install numpy` helps.\n"
        );
        return;
    }
    let notebook = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../notebooks/tables.ipynb");
    let notebook: serde_json::Value = serde_json::from_slice(&fs::read(notebook).unwrap()).unwrap();
    let mut code = String::new();
    for cell in notebook["cells"].as_array().unwrap().iter().filter(|cell| cell["cell_type"] == "code") {
        cell["source"].as_array().unwrap().iter().for_each(|line| code.push_str(line.as_str().unwrap()));
        code.push('\n');
    }
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    assert!(run(at, "table build memory --ranks 13 --out memory13").status.success());
    assert!(run(at, "table build geister --analysis 2v2-basic --out geister-basic").status.success());
    let output = Command::new("python3").args(["-c", &code]).current_dir(at).output().unwrap();
    assert!(output.status.success(), "{}", err(&output));
    let said = out(&output);
    let solved: serde_json::Value =
        serde_json::from_str(&out(&run(at, "show memory --ranks 13 --json"))).unwrap();
    let value = solved["value"].as_f64().unwrap();
    assert!(said.contains(&format!("{value:.12}")), "{said} without {value:.12}");
    let asked = r#"{"analysis":"2v2-basic","turn":1,"board":".pp./..../..../.PP."}"#;
    let answer: serde_json::Value = serde_json::from_str(&out(&eval_geister(at, asked))).unwrap();
    let (value, distance) = (answer["value"].as_i64().unwrap(), answer["distance"].as_u64().unwrap());
    assert!(said.contains(&format!("value {value:+} in {distance} moves")), "{said}");
}

fn eval_geister(at: &Path, line: &str) -> Output {
    asked(at, "eval geister", &format!("{line}\n"))
}
