//! Mistakes on the command line, in our words and both languages: the field, what it got, what it takes.

use crate::fail::refuse;
use crate::lang::pick;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use std::ffi::OsString;
use yomikiri_core::{Lang, Refusal, Text, text};

/// What to say about arguments that could not be parsed.
pub fn explain(error: &clap::Error, root: &Command, args: &[OsString], lang: Lang) -> String {
    // What parsing did not reach is only half made: arguments without the values they take, commands without the global
    // options.
    let mut root = root.clone();
    root.build();
    let command = reached(&root, args);
    let given = |kind| match error.get(kind) {
        Some(ContextValue::String(s)) => Some(s.clone()),
        Some(ContextValue::Strings(all)) => all.first().cloned(),
        Some(ContextValue::StyledStr(s)) => Some(s.to_string()),
        _ => None,
    };
    // Clap names an option with its value: `--lang <LANG>`.
    let argument = given(ContextKind::InvalidArg).unwrap_or_default();
    let name = argument.split([' ', '=']).next().unwrap_or("").to_owned();
    let nothing = || pick(lang, "nothing", "値なし").to_owned();
    let mut suggested = None;
    let refusal = match error.kind() {
        ErrorKind::UnknownArgument => {
            suggested = given(ContextKind::SuggestedArg);
            let own =
                command.get_arguments().filter_map(Arg::get_long).any(|long| name == format!("--{long}"));
            if own {
                // It is an option of the command, and was met before it.
                let command = command.get_name();
                let got = text("this option before the command it belongs to", "コマンドより前のオプション");
                let accepts =
                    Text::of(format!("the same after {command}"), format!("{command} の後に同じもの"));
                suggested = None;
                Refusal::of(name, got, accepts)
            } else if name.starts_with('-') {
                let got = pick(lang, "an unknown option", "未知のオプション");
                Refusal::new(name, got, Text::same(options(command)))
            } else {
                let accepts = text("no further argument", "これ以上の引数はありません");
                refuse(pick(lang, "argument", "引数"), &argument, accepts)
            }
        }
        ErrorKind::InvalidSubcommand => {
            suggested = given(ContextKind::SuggestedSubcommand);
            let got = given(ContextKind::InvalidSubcommand).unwrap_or_default();
            refuse(&kind(command), &got, Text::same(subcommands(command)))
        }
        ErrorKind::MissingSubcommand => {
            Refusal::new(kind(command), nothing(), Text::same(subcommands(command)))
        }
        ErrorKind::MissingRequiredArgument => {
            let wanted = name.trim_matches(['<', '>', '[', ']', '.']).to_owned();
            Refusal::new(wanted, nothing(), accepted(command, &argument))
        }
        ErrorKind::InvalidValue
        | ErrorKind::ValueValidation
        | ErrorKind::WrongNumberOfValues
        | ErrorKind::TooFewValues
        | ErrorKind::TooManyValues
        | ErrorKind::NoEquals => {
            let got = given(ContextKind::InvalidValue).filter(|value| !value.is_empty());
            let got = got.map_or_else(nothing, |value| format!("\"{value}\""));
            let takes_none = error.kind() == ErrorKind::TooManyValues;
            let accepts = if takes_none {
                text("no value", "値は取りません")
            } else {
                accepted(command, &argument)
            };
            Refusal::new(name, got, accepts)
        }
        ErrorKind::ArgumentConflict => {
            let other = given(ContextKind::PriorArg).unwrap_or_default();
            if other == argument || other.is_empty() {
                Refusal::new(name, pick(lang, "two values", "2つの値"), text("one value", "1つの値"))
            } else {
                let got = match lang {
                    Lang::En => format!("{other} as well"),
                    Lang::Ja => format!("{other} との同時指定"),
                };
                Refusal::new(name, got, text("one of the two", "どちらか一方"))
            }
        }
        _ => return error.to_string().trim().to_owned(),
    };
    let mut said = refusal.say(lang);
    if let Some(word) = suggested {
        said.push_str(&match lang {
            Lang::En => format!(" (did you mean {word}?)"),
            Lang::Ja => format!("（もしかして：{word}）"),
        });
    }
    said
}

/// The command that the arguments lead to.
fn reached<'a>(root: &'a Command, args: &[OsString]) -> &'a Command {
    let mut command = root;
    for arg in args.iter().skip(1) {
        command = command.find_subcommand(arg).unwrap_or(command);
    }
    command
}

/// What the subcommands of a command are called together.
fn kind(command: &Command) -> String {
    command.get_subcommand_value_name().unwrap_or("command").to_owned()
}

fn subcommands(command: &Command) -> String {
    command.get_subcommands().map(Command::get_name).collect::<Vec<_>>().join(", ")
}

fn options(command: &Command) -> String {
    let long = command.get_arguments().filter_map(Arg::get_long);
    long.map(|long| format!("--{long}")).collect::<Vec<_>>().join(", ")
}

/// What an argument takes: its words if it has some, else what its help says.
fn accepted(command: &Command, argument: &str) -> Text {
    let Some(arg) = command.get_arguments().find(|arg| arg.to_string() == argument) else {
        return text("a value", "値");
    };
    let words: Vec<String> = arg.get_possible_values().iter().map(|v| v.get_name().to_owned()).collect();
    if !words.is_empty() {
        return Text::same(words.join(", "));
    }
    // The command was built in one language, and so is its help.
    Text::same(arg.get_help().map_or_else(String::new, |help| help.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::command;
    use crate::fake::{ONLY, PAPERS};

    fn said(line: &str, lang: Lang) -> String {
        let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let mut root = command(ONLY, PAPERS, lang);
        let error = root.try_get_matches_from_mut(&args).unwrap_err();
        explain(&error, &root, &args, lang)
    }

    #[test]
    fn regression_an_option_before_its_command_is_not_called_unknown() {
        let line = "yomikiri --size 4 solve fake";
        assert_eq!(
            said(line, Lang::En),
            "--size: got this option before the command it belongs to; accepted: the same after fake"
        );
        assert!(said(line, Lang::Ja).contains("fake の後に同じもの"));
        assert!(said("yomikiri --sise 4 solve fake", Lang::En).contains("an unknown option"));
    }

    /// Parses every so-manyth line of three words, wherever they stand, and explains what cannot be parsed.
    fn in_any_place(every: usize) {
        const WORDS: [&str; 23] = [
            "--lang",
            "--lang=",
            "--lang=fr",
            "ja",
            "--threads",
            "-1",
            "--seed",
            "--memory",
            "4G",
            "--color",
            "--json",
            "--json=1",
            "--no-cache",
            "-v",
            "-q",
            "-h",
            "--",
            "-",
            "games",
            "solve",
            "eval",
            "fake",
            "--size",
        ];
        let n = WORDS.len();
        let root = command(ONLY, PAPERS, Lang::En);
        let mut mistakes = 0;
        for line in (0..n.pow(3)).step_by(every) {
            let words = [line / n / n, line / n % n, line % n].map(|at| WORDS[at]);
            let args: Vec<OsString> = std::iter::once("yomikiri").chain(words).map(OsString::from).collect();
            let mut root = root.clone();
            if let Err(error) = root.try_get_matches_from_mut(&args) {
                assert!(!explain(&error, &root, &args, Lang::Ja).is_empty(), "{words:?}");
                mistakes += 1;
            }
        }
        assert!(mistakes * every > 8_000, "{mistakes}");
    }

    #[test]
    fn law_options_in_any_order_and_place_are_parsed_or_explained() {
        in_any_place(17);
    }

    mod full {
        #[test]
        fn law_options_in_any_order_and_place_are_parsed_or_explained() {
            super::in_any_place(1);
        }
    }

    #[test]
    fn law_mistakes_name_field_given_and_accepted() {
        for (line, en, ja) in [
            (
                "yomikiri solve fake --size3 4",
                "--size3: got an unknown option; accepted: --size, --kind, ",
                "--size3：未知のオプション は受け付けられません。受け付けるもの：--size, --kind, ",
            ),
            ("yomikiri solve chess", "game: got \"chess\"; accepted: fake", "ゲーム：\"chess\" は"),
            (
                "yomikiri solv fake",
                "command: got \"solv\"; accepted: games, rules, solve, ",
                "コマンド：\"solv\" は",
            ),
            ("yomikiri solve", "game: got nothing; accepted: fake", "ゲーム：値なし は"),
            ("yomikiri cache burn", "action: got \"burn\"; accepted: clear, path", "操作：\"burn\" は"),
            (
                "yomikiri study fake nothing",
                "study: got \"nothing\"; accepted: count",
                "実験：\"nothing\" は",
            ),
            ("yomikiri completions", "SHELL: got nothing; accepted: bash, ", "SHELL：値なし は"),
            ("yomikiri games --lang", "--lang: got nothing; accepted: ja, en", "--lang：値なし は"),
            ("yomikiri --lang -v games", "--lang: got nothing; accepted: ja, en", "--lang：値なし は"),
            (
                "yomikiri --threads --json solve fake",
                "--threads: got nothing; accepted: threads",
                "--threads：値なし は",
            ),
            (
                "yomikiri eval --lang fake --lang",
                "--lang: got nothing; accepted: ja, en",
                "--lang：値なし は",
            ),
            ("yomikiri games --seed", "--seed: got nothing; accepted: seed of", "--seed：値なし は"),
            ("yomikiri games more", "argument: got \"more\"; accepted: no further", "引数：\"more\" は"),
            ("yomikiri games --json=1", "--json: got \"1\"; accepted: no value", "--json：\"1\" は"),
            (
                "yomikiri solve fake --size 1 --size 2",
                "--size: got two values; accepted: one value",
                "--size：2つの値 は",
            ),
            (
                "yomikiri reproduce --full --quick",
                "; accepted: one of the two",
                "受け付けるもの：どちらか一方",
            ),
        ] {
            let english = said(line, Lang::En);
            assert!(english.contains(en), "{line}: {english}");
            let japanese = said(line, Lang::Ja);
            assert!(japanese.contains(ja), "{line}: {japanese}");
        }
        assert!(said("yomikiri solv fake", Lang::En).ends_with("(did you mean solve?)"));
        assert!(said("yomikiri solve fake --siz 3", Lang::Ja).ends_with("（もしかして：--size）"));
    }
}
