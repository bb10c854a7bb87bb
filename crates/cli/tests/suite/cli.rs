//! The program as a shell sees it: arguments, pipes, signals and exit codes.

use crate::BINARY;
use serde_json::Value;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Output, Stdio};
use yomikiri_testkit::program::{alone, err, fed, out};

/// The program with an environment of its own: English, and a cache that is thrown away.
struct Program {
    cache: tempfile::TempDir,
}

impl Program {
    fn new() -> Program {
        Program { cache: tempfile::tempdir().unwrap() }
    }

    fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = alone(BINARY, self.cache.path());
        command.args(args);
        command
    }

    fn run(&self, line: &str) -> Output {
        self.command(line.split_whitespace()).output().unwrap()
    }

    fn feed(&self, line: &str, input: &[u8]) -> Output {
        fed(&mut self.command(line.split_whitespace()), input)
    }
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

/// A line that the game takes.
const GOOD: &str = "{\"id\":1,\"counts\":[2,0,0,0,0,0,0,0,0]}";

#[test]
fn law_exit_codes_say_how_it_went() {
    let program = Program::new();
    for (line, expected) in [
        ("games", 0),
        ("rules memory", 0),
        ("rules memory --json --lang ja", 0),
        ("rules", 2),
        ("rules chess", 2),
        ("--version", 0),
        ("--help", 0),
        ("solve memory --ranks 3", 0),
        ("show memory --ranks 2", 0),
        ("study memory", 0),
        ("cache", 0),
        ("cache path", 0),
        ("cache clear", 0),
        ("", 2),
        ("fly", 2),
        ("solve", 2),
        ("solve chess", 2),
        ("solve memory --ranks 0", 2),
        ("solve memory --ranks -1", 2),
        ("solve memory --objective luck", 2),
        ("solve memory --ranks 200 --memory 1M", 2),
        ("show memory nonsense", 2),
        ("reproduce chess", 2),
        ("play memory --seat 3", 2),
        ("completions tcl", 2),
        ("man fly", 2),
        ("eval memory no/such/file", 2),
        ("check", 2),
        ("check no/such/file", 2),
        ("check .", 2),
        ("check Cargo.toml", 2),
        ("check Cargo.toml --bound x", 2),
        ("check Cargo.toml --about four", 2),
        ("games --threads 0", 2),
        ("games --memory nonsense", 2),
        ("games --lang fr", 2),
    ] {
        let output = program.run(line);
        assert_eq!(code(&output), expected, "{line}: {}", err(&output));
        if expected == 2 {
            assert!(output.stdout.is_empty(), "{line}: errors are no data");
            assert!(!output.stderr.is_empty(), "{line}: an error is told");
        }
    }
}

#[test]
fn law_refusals_name_game_field_given_and_accepted() {
    let program = Program::new();
    assert_eq!(
        err(&program.run("solve memory --ranks 0")),
        "error: memory: ranks: got \"0\"; accepted: a whole number from 1 to 200\n"
    );
    assert_eq!(
        err(&program.run("solve memory --ranks 0 --lang ja")),
        "エラー: memory: ranks：\"0\" は受け付けられません。受け付けるもの：1～200の整数\n"
    );
    let english = err(&program.run("solve memory --rank 3"));
    assert!(english.contains("--rank: got an unknown option; accepted: --ranks, "), "{english}");
    let japanese = err(&program.run("--lang ja solve memory --rank 3"));
    assert!(japanese.contains("--rank：未知のオプション は受け付けられません"), "{japanese}");
    assert!(japanese.contains("（もしかして：--ranks）"), "{japanese}");
    let limit = program.command(["cache"]).env("YOMIKIRI_CACHE_LIMIT", "much").output().unwrap();
    assert_eq!(code(&limit), 2);
    assert!(err(&limit).contains("YOMIKIRI_CACHE_LIMIT: got \"much\""));
}

#[test]
fn law_every_game_says_how_it_is_played() {
    let program = Program::new();
    let games: Value = serde_json::from_str(&out(&program.run("games --json"))).unwrap();
    for game in games.as_array().unwrap() {
        let id = game["id"].as_str().unwrap();
        let told: Value = serde_json::from_str(&out(&program.run(&format!("rules {id} --json")))).unwrap();
        for part in ["goal", "play", "end", "values"] {
            for lang in ["en", "ja"] {
                let said = told["rules"][part][lang].as_str().unwrap_or_default();
                assert!(said.ends_with(['.', '。']), "{id}: {part} in {lang}: {said:?}");
            }
        }
        for (lang, heads) in [
            ("en", ["Goal", "Moves", "End", "Values", "The start", "Example: "]),
            ("ja", ["目的", "手", "終わり", "値の読み方", "初期局面", "例："]),
        ] {
            let said = out(&program.run(&format!("rules {id} --lang {lang}")));
            let places: Vec<Option<usize>> = heads.iter().map(|head| said.find(head)).collect();
            assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{id}: {places:?} in {said}");
        }
    }
}

#[test]
fn law_japanese_help_has_no_english_headings() {
    let program = Program::new();
    for line in [
        "",
        "games",
        "rules",
        "rules memory",
        "solve",
        "solve memory",
        "show memory",
        "eval memory",
        "play memory",
        "reproduce",
        "study",
        "study memory",
        "check",
        "cache",
        "cache clear",
        "completions",
        "man",
    ] {
        let help = out(&program.run(&format!("{line} --help --lang ja")));
        for english in ["Usage", "Options", "Commands", "Arguments", "default", "Possible values", "Print"] {
            assert!(!help.contains(english), "{line}: {english} in {help}");
        }
        for japanese in ["使い方: yomikiri", "共通オプション:", "このヘルプを表示する"] {
            assert!(help.contains(japanese), "{line}: no {japanese} in {help}");
        }
        assert!(!help.contains('\u{1b}'), "{line}: colours without a terminal");
        let english = out(&program.run(&format!("{line} -h")));
        assert!(english.contains("Usage: yomikiri") && english.contains("Global options:"), "{english}");
        // A German name is not Japanese.
        let latin = |c: char| c.is_ascii() || matches!(c, '\u{c0}'..='\u{24f}');
        assert!(english.chars().all(latin) || line.contains("memory"), "{line}: {english}");
    }
}

#[test]
fn law_the_locale_decides_where_no_flag_does() {
    let program = Program::new();
    let japanese = program.command(["games"]).env("LANG", "ja_JP.UTF-8").output().unwrap();
    assert!(out(&japanese).contains("神経衰弱"));
    let english = program.command(["games"]).env("LANG", "ja_JP.UTF-8").env("LC_ALL", "C").output().unwrap();
    assert!(out(&english).contains("Memory"));
}

#[test]
fn law_colours_follow_the_flag() {
    let program = Program::new();
    assert!(out(&program.run("games --color always")).contains("\x1b["));
    assert!(!out(&program.run("games")).contains("\x1b["));
    assert!(out(&program.run("--help --color always")).contains("\x1b["));
}

#[test]
fn law_json_is_one_line() {
    let program = Program::new();
    for line in
        ["games", "solve memory --ranks 3", "show memory --ranks 2", "study memory", "cache", "cache path"]
    {
        let output = program.run(&format!("{line} --json"));
        let text = out(&output);
        assert_eq!((code(&output), text.lines().count()), (0, 1), "{line}: {text}");
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
    }
}

#[test]
fn law_a_closed_pipe_is_no_error() {
    let program = Program::new();
    for line in ["man", "completions bash", "solve memory --ranks 3", "games --json", "--help", "eval memory"]
    {
        let mut child = program.command(line.split(' ')).stdin(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut input = child.stdin.take().unwrap();
        let lines = format!("{GOOD}\n").repeat(20_000);
        let writer = std::thread::spawn(move || {
            let _ = input.write_all(lines.as_bytes());
        });
        let mut told = String::new();
        child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{line}: {told}");
        assert_eq!(told, "", "{line}");
        writer.join().unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn law_a_full_disk_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Program::new().command(["man"]).stdout(full).output().unwrap();
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("standard output cannot be written"));
}

#[test]
fn law_eval_answers_what_it_can() {
    let program = Program::new();
    let mut input = format!("{GOOD}\r\n\n").into_bytes();
    input.extend_from_slice(b"\xff\xfe\n{\"id\":\"two\",\"counts\":\"many\"}\nnonsense\n");
    input.extend_from_slice(GOOD.replace("\"id\":1", "\"id\":[3]").as_bytes());
    let output = program.feed("eval memory", &input);
    let text = out(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((code(&output), lines.len()), (2, 6), "{text}");
    assert!(lines[0].starts_with("{\"id\":1,\"value\":"), "{text}");
    assert_eq!(lines[1], r#"{"id":null,"error":"line: got an empty line; accepted: a JSON object"}"#);
    assert!(lines[2].contains("bytes that are not UTF-8"), "{text}");
    assert!(lines[3].starts_with(r#"{"id":"two","error":"memory: counts: got "#), "{text}");
    assert!(lines[4].starts_with(r#"{"id":null,"error":"line: got nonsense; "#), "{text}");
    assert_eq!(lines[5].replace("[3]", "1"), lines[0]);
    assert!(err(&output).contains("4 of 6 lines"));
    assert_eq!(err(&program.feed("eval memory -q", &input)), "");

    let file = program.cache.path().join("lines.jsonl");
    std::fs::write(&file, format!("{GOOD}\n")).unwrap();
    let output =
        program.command([OsStr::new("eval"), OsStr::new("memory"), file.as_os_str()]).output().unwrap();
    assert_eq!((code(&output), out(&output).lines().next()), (0, Some(lines[0])));
    assert_eq!(code(&program.feed("eval memory -", GOOD.as_bytes())), 0);
    assert_eq!(code(&program.feed("eval memory", b"")), 0);
}

#[test]
fn law_eval_does_not_depend_on_the_number_of_threads() {
    let program = Program::new();
    let input: String = (0..5000)
        .map(|n| format!("{{\"id\":{n},\"counts\":[{},{},0,0,0,0,0,0,0]}}\n", n % 3, n % 4))
        .collect();
    let one = program.feed("eval memory --threads 1", input.as_bytes());
    let four = program.feed("eval memory --threads 4", input.as_bytes());
    assert_eq!(one.stdout, four.stdout);
    assert_eq!(out(&one).lines().count(), 5000);
}

#[test]
fn law_eval_answers_before_the_input_ends() {
    let program = Program::new();
    let mut child = program.command(["eval", "memory"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..3 {
        writeln!(input, "{GOOD}").unwrap();
        assert!(answers.next().unwrap().unwrap().starts_with("{\"id\":1,\"value\":"));
    }
    drop(input);
    assert!(answers.next().is_none());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn law_play_follows_a_script() {
    let program = Program::new();
    let output = program.feed("play memory --ranks 2", b"hint\nmoves\nno such move\nquit\n");
    let text = out(&output);
    assert_eq!(code(&output), 0);
    for part in ["best", "move: got \"no such move\"", "stopped before the end"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let output = program.feed("play memory --ranks 2 --seat 2 --json --lang ja", b"");
    serde_json::from_str::<serde_json::Value>(&out(&output)).unwrap();
    assert!(err(&output).contains("あなたは後手です"), "{}", err(&output));
}

#[test]
fn law_a_solitaire_is_played_alone() {
    let program = Program::new();
    let line = "play accordion --position S7_S4_S0_D3_S3_C9_S9_SA";
    let output = program.feed(line, b"hint\nSA>S3\nundo\nS10>S4\nquit\n");
    let said = out(&output);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(said.contains("can be won") && said.contains("cannot be won"), "{said}");
    assert!(said.contains("S0>S4, 7 left") && said.contains("none: every move was best"), "{said}");
    assert!(!said.contains("you move first") && !said.contains("your turn"), "{said}");
    let output = program.feed(&format!("{line} --seat 2"), b"");
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("one player"), "{}", err(&output));
}

#[test]
fn law_three_players_sit_at_one_table() {
    let program = Program::new();
    let line = "play saichugen --seats search,random,search --position D3_C5_S5_HT_CK/CA_H2_S2_C4_S6_D7_H8_S9_DT_SJ_HQ/8,11,5";
    let output = program.feed(&format!("{line} --seat 1"), b"hint\nD3\nundo\nSA\nD3\nC5\nS5\n");
    let said = out(&output);
    assert_eq!(code(&output), 0, "{}", err(&output));
    for part in
        ["you are in seat 1", "is in the middle", "best", "move: got \"SA\"", "the middle is", "your score"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    let output = program.feed(&format!("{line} --seat 3 --json --lang ja"), b"quit\n");
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(err(&output).contains("あなたの席： 3"), "{}", err(&output));
    let record: serde_json::Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!(record["moves"].as_array().map(Vec::len), Some(2), "the others have put down their cards");
}

#[test]
fn law_completions_know_the_flags_of_games() {
    let program = Program::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = out(&program.run(&format!("completions {shell}")));
        for word in ["ranks", "objective", "reproduce", "threads", "cards"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    for shell in ["bash", "zsh"] {
        assert!(out(&program.run(&format!("completions {shell}"))).contains("--ranks"), "{shell}");
    }
    assert!(out(&program.run("completions fish")).contains("-l ranks"));
}

#[test]
fn law_the_manual_has_every_verb() {
    let program = Program::new();
    let page = out(&program.run("man"));
    for verb in [
        "games",
        "rules",
        "solve",
        "show",
        "eval",
        "play",
        "reproduce",
        "study",
        "check",
        "cache",
        "completions",
        "man",
    ] {
        assert!(page.contains(&format!(".SS \"yomikiri {verb}\"")), "{verb}");
        let own = out(&program.run(&format!("man {verb}")));
        assert!(own.contains(&format!(".TH yomikiri-{verb} 1")), "{verb}: {own}");
    }
    assert!(page.contains("\\-\\-ranks") && page.contains("\\-\\-threads"));
    let japanese = out(&program.run("man --lang ja"));
    assert!(japanese.contains(".SH \"名前\"") && !japanese.contains("OPTIONS"));
}

/// P2 to move at the start: no play is worth more than 1.
const AT_MOST_ONE: &str =
    "{\"qden\":2,\"bden\":6,\"entries\":1}\n[1,[9,13,14],[1,2],1,[6,6,6],[[-1,-1,1,1,-1,1]]]\n";

#[test]
fn law_check_accepts_what_is_proved_and_what_follows() {
    let program = Program::new();
    let other = "{\"aden\":1,\"entries\":1}\n[0,[0,13,14],[1,2],[0,1,0],[1,1],[[0,-2,1,1,-1,1]]]\n";
    for (input, flags, expected, said) in [
        (AT_MOST_ONE, "", 0, "≤ 1 (≤ 1.000000)"),
        (AT_MOST_ONE, "--bound 1", 0, "accepted"),
        (AT_MOST_ONE, "--bound 3/2 --about two-first", 0, "accepted"),
        (AT_MOST_ONE, "--bound 1/3", 1, "the claim ≤ 1/3 does not follow from ≤ 1"),
        (
            AT_MOST_ONE,
            "--about three-first",
            1,
            "the claim is about three-first, and the certificate is about two-first",
        ),
        (AT_MOST_ONE, "--bound 1/3 --lang ja", 1, "≤ 1 から主張 ≤ 1/3 は導けません"),
        (other, "", 1, "nothing is proved on the start"),
        (other, "--lang ja", 1, "初期局面については何も証明されていません"),
        (other, "--bound -1", 1, "nothing is proved on the start"),
        (other, "--bound -1 --about three-first", 1, "rejected"),
        (other, "--about any", 0, "nothing is proved on the start"),
        (other, "--bound -1 --about any", 0, "accepted"),
        (other, "--bound 1 --about any", 0, "accepted"),
        (AT_MOST_ONE, "--bound 1/3 --about any", 1, "does not follow"),
    ] {
        let output = program.feed(&format!("check - {flags}"), input.as_bytes());
        assert_eq!(code(&output), expected, "{flags}: {}", err(&output));
        assert!(out(&output).contains(said), "{flags}: {}", out(&output));
    }
}

#[test]
fn law_check_tells_the_place_and_the_reason() {
    let program = Program::new();
    let wrong = AT_MOST_ONE.replace("[6,6,6]", "[6,5,6]");
    let output = program.feed("check -", wrong.as_bytes());
    let reason = "line 2 (entry 0): the lottery: component 1 claims 5/6, but only 1 is proved";
    assert!(code(&output) == 1 && out(&output).contains(reason), "{}", out(&output));
    let japanese = out(&program.feed("check - --lang ja", wrong.as_bytes()));
    assert!(japanese.contains("2 行目（項目 0）") && japanese.contains("不合格"), "{japanese}");
    let json = out(&program.feed("check - --json", wrong.as_bytes()));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["accepted"], &json["line"], &json["entry"]), (&false.into(), &2.into(), &0.into()));
    assert_eq!(json["reason"]["code"], "vector");
    let json = out(&program.feed("check - --json --bound 1 --about two-first", AT_MOST_ONE.as_bytes()));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let expected = serde_json::json!({"side": "upper", "about": "two-first", "bound": "1", "start": true, "entries": 1, "uses": 1});
    assert_eq!((&json["accepted"], &json["proved"]), (&true.into(), &expected));
    assert_eq!(json["claim"], serde_json::json!({"bound": "1", "about": "two-first"}));
    // What is no certificate is an error, not a verdict.
    for (input, said) in
        [("", "not a certificate"), ("{}\n", "not a certificate"), ("\u{1b}[31m", "not a certificate")]
    {
        let output = program.feed("check -", input.as_bytes());
        assert!(code(&output) == 2 && output.stdout.is_empty() && err(&output).contains(said), "{input}");
        assert!(!err(&output).contains('\u{1b}'));
    }
    let broken = program.feed("check - --lang ja", b"\xFD7zXZ\0 and nothing more");
    assert!(code(&broken) == 2 && err(&broken).contains("標準入力：読めません"), "{}", err(&broken));
}

#[test]
fn law_results_are_kept_and_cleared() {
    let program = Program::new();
    let first = out(&program.run("show memory --ranks 4 --json"));
    let kept = || -> serde_json::Value { serde_json::from_str(&out(&program.run("cache --json"))).unwrap() };
    let list = kept();
    assert_eq!(list["directory"].as_str(), program.cache.path().to_str());
    assert_eq!(out(&program.run("show memory --ranks 4 --json")), first);
    program.run("cache clear");
    assert_eq!(kept()["files"].as_array().map(Vec::len), Some(0));
    program.run("show memory --ranks 4 --no-cache");
    assert_eq!(kept()["files"].as_array().map(Vec::len), Some(0));
    assert_eq!(out(&program.run("cache path")).trim_end(), program.cache.path().to_str().unwrap());
}

#[test]
fn law_a_missing_home_is_no_reason_to_fail() {
    let program = Program::new();
    let homeless = |line: &str| {
        let mut command = program.command(line.split(' '));
        command.env_remove("YOMIKIRI_CACHE").env_remove("XDG_CACHE_HOME").env_remove("HOME");
        command.env_remove("LOCALAPPDATA").output().unwrap()
    };
    let solved = homeless("solve memory --ranks 3");
    assert_eq!((code(&solved), err(&solved).as_str()), (0, ""));
    assert!(err(&homeless("solve memory --ranks 3 -v")).contains("without a cache"));
    assert_eq!(code(&homeless("cache")), 2);
    let nowhere = program
        .command(["solve", "memory", "--ranks", "3"])
        .env("YOMIKIRI_CACHE", "/dev/null/cache")
        .output()
        .unwrap();
    assert_eq!(code(&nowhere), 0, "{}", err(&nowhere));
}

/// Waits for the first byte, so that the program is up.
fn started(child: &mut Child) {
    let mut byte = [0];
    child.stdout.as_mut().unwrap().read_exact(&mut byte).unwrap();
}

#[cfg(unix)]
#[test]
fn law_signals_end_it_with_130() {
    for signal in ["INT", "TERM"] {
        let program = Program::new();
        let mut child =
            program.command(["play", "memory", "--ranks", "2"]).stdin(Stdio::piped()).spawn().unwrap();
        // Kept open: the end of the input would end the game as well.
        let input = child.stdin.take();
        started(&mut child);
        let id = child.id().to_string();
        assert!(Command::new("kill").args([format!("-{signal}"), id]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        drop(input);
        assert_eq!(code(&output), 130, "{signal}");
        assert!(err(&output).contains("run the same command again"), "{}", err(&output));
        assert!(out(&output).contains("stopped before the end"), "the record is shown");
    }
}

/// What a run found, without how long it took.
fn found(output: &Output) -> serde_json::Value {
    let mut json: serde_json::Value = serde_json::from_str(&out(output)).unwrap();
    for passing in ["seconds", "cached"] {
        json[passing] = serde_json::Value::Null;
    }
    json
}

#[cfg(unix)]
#[test]
fn law_an_interrupted_solve_goes_on_to_the_same_result() {
    let program = Program::new();
    let line = "solve memory --ranks 44 --json --threads 1";
    let (mut stops, mut gone_on) = (0, false);
    // Stopped again and again, by signals that ask and by one that does not.
    for (i, signal) in ["TERM", "INT", "KILL", "TERM"].into_iter().enumerate() {
        let child = program.command(line.split(' ')).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(250 + 50 * i as u64));
        let kill = || Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
        // Twice at once, as `timeout` does: that is still one wish to stop.
        let _ = (kill(), kill());
        let output = child.wait_with_output().unwrap();
        gone_on |= err(&output).contains("resumed at");
        if output.status.code() == Some(130) {
            stops += 1;
            assert!(err(&output).contains("run the same command again"), "{}", err(&output));
            let kept = out(&program.run("cache --json"));
            assert!(kept.contains("f64-checkpoint"), "{kept}");
        }
    }
    assert!(stops > 0, "it was never interrupted in time");
    let resumed = program.run(line);
    // A machine may be so fast that it came to its end between two stops.
    assert!(gone_on || err(&resumed).contains("resumed at"), "{}", err(&resumed));
    let whole = program.run(&format!("{line} --no-cache"));
    assert_eq!(found(&resumed), found(&whole));
    // The checkpoint has gone, and asking again needs no solving.
    let again = program.run(line);
    assert!(out(&again).contains("\"cached\":true"));
    assert_eq!(found(&again), found(&whole));
    assert!(!out(&program.run("cache --json")).contains("f64-checkpoint"));
}

#[test]
fn law_a_method_is_chosen_where_there_is_a_choice_and_changes_no_value() {
    let program = Program::new();
    let json = |line: &str| -> serde_json::Value {
        let output = program.run(&format!("{line} --json"));
        assert_eq!(code(&output), 0, "{line}: {}", err(&output));
        serde_json::from_str(&out(&output)).unwrap()
    };
    for (line, methods) in [
        ("solve chomp --rows 3 --cols 3", &["induction", "retrograde", "stochastic"][..]),
        ("solve dots --rows 1 --cols 2", &["induction", "retrograde", "stochastic"]),
        ("solve pig --target 6", &["stochastic"]),
        ("solve kuhn", &["sequence"]),
    ] {
        let usual = json(line);
        for method in methods {
            let other = json(&format!("{line} --method {method}"));
            assert_eq!(other["method"], *method, "{line}");
            assert_eq!(
                (&usual["value"], &usual["moves"]),
                (&other["value"], &other["moves"]),
                "{line} {method}"
            );
        }
    }
    // Approached from both sides: bounds that hold the value, unless they meet.
    for (line, value) in [("solve kuhn", -1.0 / 18.0), ("solve kuhn --cards 5", -1.0 / 15.0)] {
        let found = json(&format!("{line} --method cfr"));
        let ends = match found["kind"].as_str() {
            Some("exact") => vec![found["value"].as_f64().unwrap(); 2],
            _ => found["interval"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect(),
        };
        let close = |x: f64| (x - value).abs() < 1e-3;
        assert!(ends[0] <= value + 1e-15 && value <= ends[1] + 1e-15, "{found}");
        assert!(close(ends[0]) && close(ends[1]), "{found}");
    }
    for (line, says) in [
        ("solve pig --target 6 --method induction", "accepted: stochastic"),
        ("solve kuhn3 --method sequence", "accepted: cfr"),
        ("solve kuhn --method guess", "accepted: sequence, cfr"),
        ("solve memory --method induction", "--method"),
    ] {
        let output = program.run(line);
        assert!(code(&output) == 2 && err(&output).contains(says), "{line}: {}", err(&output));
    }
}
