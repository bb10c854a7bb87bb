//! The command line: one description, built from the registry, that parsing, help, completions and the
//! manual page all come from. No game is named here.

use crate::fail::{Failure, refuse};
use crate::lang::{self, pick};
use crate::render::When;
use clap::builder::{PossibleValue, TypedValueParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Command};
use clap_complete::Shell;
use std::ffi::OsStr;
use yomikiri_core::rows::Column;
use yomikiri_core::{Error, Lang, Refusal, Text, text};
use yomikiri_games::Entry;
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_papers::Papers;
use yomikiri_papers::reproduction::{Effort, accepted};

/// The name of the program.
pub const NAME: &str = "yomikiri";

/// The games a command line is about.
pub type Games = [&'static dyn Entry];

/// The verbs and what they do; the order is that of the help.
pub const VERBS: [(&str, Text); 17] = [
    ("games", text("list the games", "ゲームの一覧")),
    ("rules", text("how a game is played, with pictures", "ゲームのルールを図とともに示す")),
    ("solve", text("solve a game and say what came out", "ゲームを解いて結果を示す")),
    (
        "show",
        text("the value of a position and of every move in it", "局面の値と、そこでのすべての手の値を示す"),
    ),
    (
        "eval",
        text(
            "answer positions, one JSON object a line, in the order they came",
            "1行1つの JSON で与えた局面に、来た順に答える",
        ),
    ),
    ("play", text("play against the optimal player", "最適プレイヤーと対局する")),
    (
        "puzzle",
        text(
            "find the only best move: a puzzle a day from the solver",
            "ただ一つの最善手を探す日替わりの問題を出す",
        ),
    ),
    ("reproduce", text("recompute the published tables and compare", "論文の表を再計算して比べる")),
    ("study", text("run a named experiment of a game", "ゲームごとの実験を行う")),
    (
        "merge",
        text(
            "put the shards of a study or a reproduction together (--shard)",
            "実験や再現のシャード（--shard）を1つにまとめる",
        ),
    ),
    ("serve", text("the page and its API, on this machine", "このマシンでページと API を提供する")),
    ("certify", text("prove a value or a bound and write the proof", "値や限界値を証明し、証明書を書き出す")),
    (
        "check",
        text(
            "check the certificate of a bound, trusting no solver",
            "ソルバーを信用せずに限界値の証明書を検査する",
        ),
    ),
    (
        "table",
        text(
            "a solved game as files: build, describe and check them",
            "解いたゲームをファイルにする：作成、表示、検査",
        ),
    ),
    ("cache", text("what is kept between runs", "保存してある計算結果を扱う")),
    ("completions", text("a completion script for a shell", "シェルの補完スクリプトを出力する")),
    ("man", text("the manual page, as roff", "マニュアルページを roff で出力する")),
];

/// What every verb is told.
#[derive(Clone, Debug)]
pub struct Globals {
    /// For programs rather than people.
    pub json: bool,
    /// Threads to use.
    pub threads: usize,
    /// Seed of everything random.
    pub seed: u64,
    /// Bytes of memory to stay below.
    pub memory: u64,
    /// Whether that was said.
    pub memory_given: bool,
    /// Whether results are kept between runs.
    pub cache: bool,
    /// When to use colours.
    pub color: When,
    /// How much to log.
    pub verbose: u8,
    /// Whether to keep progress and notes back.
    pub quiet: bool,
}

impl Globals {
    /// Reads and checks the flags; the language has been read before.
    pub fn read(matches: &ArgMatches) -> Result<Globals, Refusal> {
        let word = |id: &str| matches.get_one::<String>(id).map(String::as_str);
        if let Some(given) = word("lang")
            && lang::parse(given).is_none()
        {
            return Err(refuse("--lang", given, Text::same("ja, en")));
        }
        let color = match word("color") {
            None => When::Auto,
            Some(given) => When::parse(given)
                .ok_or_else(|| refuse("--color", given, Text::same("auto, always, never")))?,
        };
        let threads = match word("threads") {
            None => std::thread::available_parallelism().map_or(1, usize::from),
            Some(given) => match given.trim().parse() {
                Ok(n @ 1..=1024) => n,
                _ => {
                    let accepts = text("a whole number from 1 to 1024", "1～1024の整数");
                    return Err(refuse("--threads", given, accepts));
                }
            },
        };
        let seed = match word("seed") {
            None => 1,
            Some(given) => given.trim().parse().map_err(|_| {
                let most = u64::MAX;
                let accepts =
                    Text::of(format!("a whole number from 0 to {most}"), format!("0～{most}の整数"));
                refuse("--seed", given, accepts)
            })?,
        };
        let memory = match word("memory") {
            None => default_memory(),
            Some(given) => size(given).ok_or_else(|| refuse("--memory", given, SIZE))?,
        };
        Ok(Globals {
            json: matches.get_flag("json"),
            threads,
            seed,
            memory,
            memory_given: word("memory").is_some(),
            cache: !matches.get_flag("no-cache"),
            color,
            verbose: matches.get_count("verbose"),
            quiet: matches.get_flag("quiet"),
        })
    }
}

/// What [`size`] accepts.
pub const SIZE: Text = text(
    "a size above 0 such as 4GiB, 512M or 1500000 (bytes)",
    "0 より大きいサイズ、例：4GiB、512M、1500000（バイト）",
);

/// A number of bytes as people write it. `M` and `MiB` are 1024², `MB` is 1000².
pub fn size(text: &str) -> Option<u64> {
    let text = text.trim();
    let unit = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = (text[..unit].trim_end(), text[unit..].to_ascii_lowercase());
    let factor: u64 = match unit.as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        _ => return None,
    };
    if number.is_empty() || !number.chars().all(|c| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let bytes = match number.parse::<u64>() {
        Ok(whole) => whole.checked_mul(factor)?,
        Err(_) => {
            let bytes = number.parse::<f64>().ok()? * factor as f64;
            // Beyond this, doubles are no longer whole bytes, nor is it a size of anything.
            if bytes < 9e15 { bytes as u64 } else { return None }
        }
    };
    (bytes > 0).then_some(bytes)
}

/// Three quarters of the memory that is free now, where the system tells; in a container, of what it may have.
fn default_memory() -> u64 {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|info| available(&info));
    let container = group_left(read, "memory.max", "memory.current", "")
        .or_else(|| group_left(read, "memory.limit_in_bytes", "memory.usage_in_bytes", "memory/"));
    let free = [machine, container].into_iter().flatten().min();
    free.map_or(4 << 30, |bytes| (bytes / 4 * 3).max(64 << 20))
}

/// What the control group of the process may still take; none where it has no limit.
fn group_left(read: impl Fn(&str) -> Option<String>, limit: &str, used: &str, kind: &str) -> Option<u64> {
    let number = |name: &str| read(&format!("/sys/fs/cgroup/{kind}{name}"))?.trim().parse::<u64>().ok();
    let limit = number(limit).filter(|limit| *limit < 1 << 60)?;
    Some(limit.saturating_sub(number(used).unwrap_or(0)))
}

fn available(info: &str) -> Option<u64> {
    let line = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Takes every text: what is accepted is checked by us, in our words, and the words that would be
/// accepted are only there for completions.
#[derive(Clone)]
struct Anything(Vec<PossibleValue>);

impl TypedValueParser for Anything {
    type Value = String;
    fn parse_ref(&self, _: &Command, _: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        Ok(value.to_string_lossy().into_owned())
    }
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        if self.0.is_empty() { None } else { Some(Box::new(self.0.iter().cloned())) }
    }
}

fn words<'a>(words: impl IntoIterator<Item = &'a str>) -> ValueParser {
    ValueParser::new(Anything(words.into_iter().map(|w| PossibleValue::new(w.to_owned())).collect()))
}

/// Builds commands in one language.
struct Builder {
    lang: Lang,
    papers: Papers,
}

impl Builder {
    fn say(&self, en: &'static str, ja: &'static str) -> &'static str {
        pick(self.lang, en, ja)
    }

    /// A command with our headings. `path` is what is typed to reach it, `takes` what may follow.
    fn command(&self, path: &str, takes: &str, about: &str) -> Command {
        let name = path.rsplit(' ').next().unwrap_or(path).to_owned();
        let options = self.say("[options]", "[オプション]");
        let usage =
            [path, options, takes].into_iter().filter(|s| !s.is_empty()).collect::<Vec<_>>().join(" ");
        let template = format!(
            "{{before-help}}{{about-with-newline}}\n\x1b[1;4m{}\x1b[0m {{usage}}\n\n{{all-args}}{{after-help}}",
            self.say("Usage:", "使い方:")
        );
        Command::new(name)
            .about(about.to_owned())
            .override_usage(usage)
            .help_template(template)
            .subcommand_help_heading(self.say("Commands", "コマンド"))
            .disable_help_flag(true)
            .disable_help_subcommand(true)
            .disable_version_flag(true)
    }

    /// A command whose subcommands are games.
    fn of_games(
        &self,
        verb: &str,
        takes: &str,
        about: &str,
        each: impl Fn(&str, &'static dyn Entry) -> Command,
        games: &Games,
    ) -> Command {
        let path = format!("{NAME} {verb}");
        let mut command = self
            .command(&path, format!("<GAME> {takes}").trim_end(), about)
            .subcommand_required(true)
            .subcommand_help_heading(self.say("Games", "ゲーム"))
            .subcommand_value_name(self.say("game", "ゲーム"));
        for game in games {
            command = command.subcommand(each(&format!("{path} {}", game.about().id), *game));
        }
        command
    }

    fn option(&self, name: &'static str, value: &'static str, help: &str) -> Arg {
        Arg::new(name)
            .long(name)
            .value_name(value)
            .help(help.to_owned())
            .help_heading(self.say("Options", "オプション"))
            .value_parser(words([]))
            // A negative number is a value, which is then refused by name.
            .allow_negative_numbers(true)
            .hide_possible_values(true)
    }

    fn flag(&self, name: &'static str, help: &str) -> Arg {
        Arg::new(name)
            .long(name)
            .help(help.to_owned())
            .help_heading(self.say("Options", "オプション"))
            .action(ArgAction::SetTrue)
    }

    fn argument(&self, name: &'static str, value: &'static str, help: &str) -> Arg {
        Arg::new(name)
            .value_name(value)
            .help(help.to_owned())
            .help_heading(self.say("Arguments", "引数"))
            .value_parser(words([]))
            .hide_possible_values(true)
    }

    fn globals(&self) -> Vec<Arg> {
        let heading = self.say("Global options", "共通オプション");
        let args = [
            self.flag(
                "json",
                self.say("JSON on standard output, for programs", "標準出力に JSON を出す（プログラム用）"),
            ),
            self.option(
                "threads",
                "N",
                self.say("threads to use [default: all cores]", "使うスレッド数［既定：全コア］"),
            ),
            self.option(
                "seed",
                "N",
                self.say("seed of everything random [default: 1]", "乱数の種［既定：1］"),
            ),
            self.option(
                "memory",
                "SIZE",
                self.say(
                    "memory to stay below, e.g. 4GiB or 512M [default: 3/4 of what is free]",
                    "メモリの上限、例：4GiB、512M［既定：空きメモリの3/4］",
                ),
            ),
            self.flag(
                "no-cache",
                self.say(
                    "keep nothing between runs and use nothing kept",
                    "保存済みの結果を使わず、保存もしない",
                ),
            ),
            self.option(
                "lang",
                "LANG",
                self.say(
                    "language: ja, en [default: from the locale]",
                    "言語：ja、en［既定：ロケールに従う］",
                ),
            )
            .value_parser(words(["ja", "en"])),
            self.option(
                "color",
                "WHEN",
                self.say(
                    "colours: auto, always, never [default: auto]",
                    "色：auto、always、never［既定：auto］",
                ),
            )
            .value_parser(words(["auto", "always", "never"])),
            self.flag(
                "verbose",
                self.say(
                    "log to standard error; twice or thrice for more",
                    "標準エラーにログを出す（重ねると詳しくなる）",
                ),
            )
            .short('v')
            .action(ArgAction::Count),
            self.flag("quiet", self.say("no progress bars, no notes", "進捗や通知を出さない")).short('q'),
            self.flag("help", self.say("print this help", "このヘルプを表示する"))
                .short('h')
                .action(ArgAction::Help),
        ];
        args.into_iter().map(|arg| arg.global(true).help_heading(heading)).collect()
    }

    fn param(&self, param: &Param) -> Arg {
        let mut help = param.help.get(self.lang).to_owned();
        let default = param.default;
        let mut values = Vec::new();
        match &param.domain {
            Domain::Int { min, max } => match self.lang {
                Lang::En => help.push_str(&format!(" [{min} to {max}; default: {default}]")),
                Lang::Ja => help.push_str(&format!("［{min}～{max}、既定：{default}］")),
            },
            Domain::Text { accepts, .. } => {
                match self.lang {
                    _ if default.is_empty() => {}
                    Lang::En => help.push_str(&format!(" [default: {default}]")),
                    Lang::Ja => help.push_str(&format!("［既定：{default}］")),
                }
                help.push_str(&format!("\n  {}", accepts.get(self.lang)));
            }
            Domain::Choice(choices) => {
                match self.lang {
                    Lang::En => help.push_str(&format!(" [default: {default}]")),
                    Lang::Ja => help.push_str(&format!("［既定：{default}］")),
                }
                let widest = choices.iter().map(|c| c.0.len()).max().unwrap_or(0);
                for (word, meaning) in *choices {
                    let meaning = meaning.get(self.lang);
                    help.push_str(&format!("\n  {word:widest$}  {meaning}"));
                    values.push(PossibleValue::new(*word).help(meaning.to_owned()));
                }
            }
        }
        let letter = match param.domain {
            Domain::Int { .. } => "N",
            Domain::Choice(_) => "WORD",
            Domain::Text { .. } => "TEXT",
        };
        self.option(param.name, letter, &help).value_parser(ValueParser::new(Anything(values)))
    }

    fn params(&self, params: &[Param]) -> Vec<Arg> {
        params.iter().map(|param| self.param(param)).collect()
    }

    /// The option that chooses how a game is solved, where there is a choice.
    fn method(&self, game: &dyn Entry) -> Option<Arg> {
        let help = self.say(
            "how to solve it: induction, retrograde or stochastic; search on boards of Connect Four, Othello, Hex and Domineering; sequence or cfr where something is hidden [default: what suits it]",
            "解法：induction、retrograde、stochastic。四目並べ・オセロ・ヘックス・ドミナリングの盤では search も。非公開情報があれば sequence、cfr［既定：自動］",
        );
        game.provable().then(|| self.option("method", "METHOD", help))
    }

    /// A share of what there is to do.
    fn shard(&self) -> Arg {
        self.option(
            "shard",
            "I/N",
            self.say(
                "make only share I of N (from 0), into a .shard file for yomikiri merge",
                "N 分割の I 番目（0から）だけを作り、yomikiri merge 用の .shard ファイルに書く",
            ),
        )
        .requires("out")
    }

    /// A file to be written.
    fn file(&self, help: &str) -> Arg {
        self.option("out", "FILE", help)
            .value_parser(clap::value_parser!(std::path::PathBuf))
            .value_hint(clap::ValueHint::FilePath)
    }

    /// Throws away what was kept.
    fn fresh(&self) -> Arg {
        self.flag(
            "fresh",
            self.say(
                "start over: throw away what a run that was stopped has kept",
                "中断した実行の記録を捨てて最初から始める",
            ),
        )
    }

    /// The options of studies that make rows.
    fn rows(&self) -> [Arg; 4] {
        [
            self.file(self.say(
                "write the rows to a .csv or .parquet file; while it runs they are kept in FILE.part",
                "行を .csv か .parquet のファイルに書く（実行中は FILE.part に保存）",
            )),
            self.flag("force", self.say("replace FILE if it exists", "FILE が既にあれば置き換える")),
            self.fresh(),
            self.shard(),
        ]
    }

    /// What scripts say to go on; it is the default.
    fn resume(&self) -> Arg {
        self.flag(
            "resume",
            self.say(
                "go on from what a run that was stopped has kept (the default)",
                "中断した実行の続きから始める（既定）",
            ),
        )
    }

    /// A folder for a report.
    fn html(&self) -> Arg {
        self.option(
            "html",
            "DIR",
            self.say(
                "write a report: pages in both languages, with the data beside them",
                "レポートを書く（日英両方のページと、そのデータ）",
            ),
        )
        .value_parser(clap::value_parser!(std::path::PathBuf))
        .value_hint(clap::ValueHint::DirPath)
    }

    /// Shards put together.
    fn merge(&self, about: &str) -> Command {
        self.command(&format!("{NAME} merge"), "<FILE>...", about)
            .arg(
                self.argument(
                    "file",
                    "FILE",
                    self.say(
                        "the files of all shards of one run, in any order",
                        "1つの実行の全シャードのファイル（順序は自由）",
                    ),
                )
                .required(true)
                .num_args(1..)
                .action(ArgAction::Append)
                .value_parser(clap::value_parser!(std::path::PathBuf))
                .value_hint(clap::ValueHint::FilePath),
            )
            .arg(self.file(self.say(
                "of a study: write the rows to a .csv or .parquet file",
                "実験：行を .csv か .parquet のファイルに書く",
            )))
            .arg(self.html().help(self.say("of a reproduction: write a report", "再現：レポートを書く")))
            .arg(self.flag(
                "force",
                self.say(
                    "replace FILE if it exists; write to DIR even if it holds other files",
                    "FILE が既にあれば置き換える。DIR に他のファイルがあっても書く",
                ),
            ))
            .after_help(self.say(
                "The answer, the file and the exit code are those of one run on one machine.\n",
                "答えもファイルも終了コードも、1台で実行したときと同じになります。\n",
            ))
    }

    /// The parts of every reproduction.
    fn parts(&self) -> String {
        let mut out = self.notes(&[("Parts", "部分", self.say("what --only takes", "--only で選べるもの"))]);
        for paper in self.papers.0 {
            let parts = (paper.reproduction)(Effort::Quick).parts();
            out.push_str(&format!("  {}: {}\n", paper.about().id, accepted(&parts).get(self.lang)));
        }
        out
    }

    /// Where certificates go.
    fn proofs(&self) -> [Arg; 3] {
        [
            self.option(
                "out",
                "DIR",
                self.say(
                    "the folder to write to (default: here)",
                    "書き出すフォルダ（既定：現在のフォルダ）",
                ),
            )
            .value_parser(clap::value_parser!(std::path::PathBuf))
            .value_hint(clap::ValueHint::DirPath),
            self.option(
                "format",
                "FORMAT",
                self.say("plain, xz, zstd (default: zstd)", "plain、xz、zstd（既定：zstd）"),
            )
            .value_parser(words(["plain", "xz", "zstd"])),
            self.flag("force", self.say("replace files that exist", "既にあるファイルを置き換える")),
        ]
    }

    /// A table to answer from.
    fn table(&self) -> Arg {
        self.option(
            "table",
            "DIR",
            self.say(
                "answer from a table that was built before (yomikiri table), without solving; may be repeated",
                "作成済みの表（yomikiri table）から、解かずに答える（繰り返し可）",
            ),
        )
        .action(ArgAction::Append)
        .value_parser(clap::value_parser!(std::path::PathBuf))
        .value_hint(clap::ValueHint::DirPath)
    }

    /// Where a table goes.
    fn building(&self) -> [Arg; 3] {
        [
            self.option(
                "out",
                "DIR",
                self.say(
                    "the folder to make; while it is built it is called DIR.part",
                    "作るフォルダ（作成中の名前は DIR.part）",
                ),
            )
            .value_parser(clap::value_parser!(std::path::PathBuf))
            .value_hint(clap::ValueHint::DirPath),
            self.flag(
                "resume",
                self.say(
                    "go on with what a build that was stopped has left in DIR.part",
                    "中断した作成を DIR.part から続ける",
                ),
            ),
            self.flag(
                "force",
                self.say(
                    "replace a table that is there; without --resume, start over",
                    "既にある表を置き換える。--resume がなければ最初から作り直す",
                ),
            ),
        ]
    }

    /// What is done with tables.
    fn tables(&self, about: &str, games: &Games) -> Command {
        let path = format!("{NAME} table");
        let dir = || {
            self.argument("dir", "DIR", self.say("the folder of a table", "表のフォルダ"))
                .required(true)
                .value_parser(clap::value_parser!(std::path::PathBuf))
                .value_hint(clap::ValueHint::DirPath)
        };
        let build = self.of_games(
            "table build",
            "--out DIR",
            self.say("solve a game and write it as a table", "ゲームを解いて表を書く"),
            |path, game| match game.tables() {
                Ok(tables) => {
                    let a = game.about();
                    let summary = format!("{}: {}", a.name.get(self.lang), a.summary.get(self.lang));
                    let command = self.command(path, "--out DIR", &summary);
                    command.args(self.params(tables.params())).args(self.building())
                }
                Err(why) => self.command(path, "", why.get(self.lang)),
            },
            games,
        );
        let info = self
            .command(&format!("{path} info"), "<DIR>", self.say("what a table is", "表の内容を示す"))
            .arg(dir());
        let verify = self
            .command(
                &format!("{path} verify"),
                "<DIR>",
                self.say(
                    "whether a table is whole and right, by digests and by the rules",
                    "表が完全で正しいかを、ダイジェストと規則で検査する",
                ),
            )
            .arg(dir())
            .arg(self.option(
                "sample",
                "N",
                self.say(
                    "check N positions drawn by the seed [default: every position]",
                    "乱数の種で抽出した N 局面だけを検査する［既定：全局面］",
                ),
            ))
            .after_help(self.say(
                "Exit codes: 0 sound; 1 damaged or wrong; 2 not a table.\n",
                "終了コード：0 合格、1 破損または誤り、2 表ではない\n",
            ));
        self.command(&path, "<ACTION>", about)
            .subcommand_required(true)
            .subcommand_help_heading(self.say("Actions", "操作"))
            .subcommand_value_name(self.say("action", "操作"))
            .subcommands([build, info, verify])
    }

    /// What is in the rows of a study.
    fn columns(&self, columns: &[Column]) -> String {
        let mut out = self.notes(&[("Rows", "行", self.say("one an item, with", "1件につき1行、列は"))]);
        let widest = columns.iter().map(|c| c.name.len()).max().unwrap_or(0);
        for column in columns {
            out.push_str(&format!("  {:widest$}  {}\n", column.name, column.help.get(self.lang)));
        }
        out
    }

    /// The lines on a game below its help; those without text are left out.
    fn notes(&self, lines: &[(&'static str, &'static str, &str)]) -> String {
        let mut out = String::new();
        for (en, ja, words) in lines.iter().filter(|line| !line.2.is_empty()) {
            out.push_str(&format!("\x1b[1;4m{}:\x1b[0m {words}\n", self.say(en, ja)));
        }
        out
    }

    fn citation(&self, game: &dyn Entry) -> &'static str {
        self.papers.of(game.about().id).map_or("", |paper| paper.citation.get(self.lang))
    }

    fn about_positions(&self, game: &dyn Entry) -> String {
        let about = game.about();
        self.notes(&[
            ("Rules", "ルール", about.rules.whole().get(self.lang)),
            ("Positions", "局面の書き方", about.notation.get(self.lang)),
            ("Example", "例", about.example),
            ("Paper", "論文", self.citation(game)),
        ])
    }

    fn root(&self, games: &Games) -> Command {
        let about = |verb: &str| {
            VERBS
                .iter()
                .find(|v| v.0 == verb)
                .map_or("", |v| match self.lang {
                    Lang::En => v.1.en.as_ref(),
                    Lang::Ja => v.1.ja.as_ref(),
                })
                .to_owned()
        };
        let summary = |game: &dyn Entry| {
            let a = game.about();
            format!("{}: {}", a.name.get(self.lang), a.summary.get(self.lang))
        };
        let position = || {
            self.argument(
                "position",
                "POSITION",
                self.say("a position [default: the start]", "局面［既定：初期局面］"),
            )
        };

        let rules = self.of_games(
            "rules",
            "",
            &about("rules"),
            |path, game| self.command(path, "", &summary(game)).after_help(self.about_positions(game)),
            games,
        );
        let solve = self.of_games(
            "solve",
            "",
            &about("solve"),
            |path, game| {
                self.command(path, "", &summary(game))
                    .args(self.params(game.params()))
                    .args(self.method(game))
                    .arg(self.resume())
                    .after_help(self.notes(&[
                        ("Rules", "ルール", game.about().rules.whole().get(self.lang)),
                        ("Paper", "論文", self.citation(game)),
                    ]))
            },
            games,
        );
        let show = self.of_games(
            "show",
            "[POSITION]",
            &about("show"),
            |path, game| {
                self.command(path, "[POSITION]", &summary(game))
                    .arg(position())
                    .args(self.params(game.params()))
                    .args(self.method(game))
                    .arg(self.table())
                    .after_help(self.about_positions(game))
            },
            games,
        );
        let eval = self.of_games(
            "eval",
            "[FILE]",
            &about("eval"),
            |path, game| {
                self.command(path, "[FILE]", &summary(game))
                    .arg(
                        self.argument(
                            "file",
                            "FILE",
                            self.say(
                                "lines to answer [default: standard input]",
                                "入力ファイル［既定：標準入力］",
                            ),
                        )
                        .value_parser(clap::value_parser!(std::path::PathBuf))
                        .value_hint(clap::ValueHint::FilePath),
                    )
                    .arg(self.flag("exact", self.say("answer in exact fractions", "厳密な分数で答える")))
                    .arg(self.table())
                    .after_help(self.notes(&[
                        ("Fields", "フィールド", game.about().eval.get(self.lang)),
                        ("Positions", "局面の書き方", game.about().notation.get(self.lang)),
                    ]))
            },
            games,
        );
        let play = self.of_games(
            "play",
            "",
            &about("play"),
            |path, game| {
                self.command(path, "", &summary(game))
                    .arg(self.option(
                        "position",
                        "POSITION",
                        self.say("the position to start from", "開始局面"),
                    ))
                    .arg(
                        self.option(
                            "seat",
                            "SEAT",
                            self.say(
                                "the seat to play; 1 moves first [default: 1]",
                                "担当する席。1が最初に動く［既定：1］",
                            ),
                        )
                        .value_parser(words(
                            (1..=game.about().players)
                                .map(|seat| seat.to_string())
                                .collect::<Vec<_>>()
                                .iter()
                                .map(String::as_str),
                        )),
                    )
                    .args((game.about().players > 1).then(|| {
                        self.option(
                            "strength",
                            "STRENGTH",
                            self.say(
                                "how well the machine plays: perfect, traps, strong, fair, weak, random, or a way of the game's own [default: perfect]",
                                "機械の強さ：perfect、traps、strong、fair、weak、random、またはゲーム独自のもの［既定：perfect］",
                            ),
                        )
                    }))
                    .args(self.params(game.params()))
                    .args(self.method(game))
                    .arg(self.table())
                    .after_help(self.about_positions(game))
            },
            games,
        );
        let puzzle = self.of_games(
            "puzzle",
            "",
            &about("puzzle"),
            |path, game| {
                self.command(path, "", &summary(game))
                    .arg(
                        self.option(
                            "date",
                            "DATE",
                            self.say(
                                "the puzzle of a day, like 2026-01-31 [default: today]",
                                "2026-01-31 のような日付の問題［既定：今日］",
                            ),
                        )
                        .conflicts_with("number"),
                    )
                    .arg(self.option(
                        "number",
                        "NUMBER",
                        self.say("the puzzle with a number", "番号で選ぶ問題"),
                    ))
                    .args(self.params(game.params()))
            },
            games,
        );
        let mut part_ids: Vec<String> = Vec::new();
        for paper in self.papers.0 {
            let parts = (paper.reproduction)(Effort::Quick).parts();
            part_ids.extend(parts.into_iter().map(|part| part.id.to_owned()));
        }
        part_ids.sort();
        part_ids.dedup();
        let reproduce = self
            .command(&format!("{NAME} reproduce"), "[GAME]...", &about("reproduce"))
            .arg(
                self.argument("game", "GAME", self.say("games [default: all]", "ゲーム［既定：すべて］"))
                    .num_args(0..)
                    .action(ArgAction::Append)
                    .value_parser(words(self.papers.0.iter().map(|paper| paper.about().id))),
            )
            .arg(
                self.flag(
                    "quick",
                    self.say("what takes seconds (the default)", "数秒で済むものだけ（既定）"),
                )
                .conflicts_with("full"),
            )
            .arg(self.flag(
                "full",
                self.say(
                    "the papers' own sizes and beyond, hours; parts that are finished survive an interruption",
                    "論文の規模とそれ以上まで（数時間。中断しても終わった部分は残る）",
                ),
            ))
            .arg(
                self.option(
                    "only",
                    "PART",
                    self.say(
                        "only these tables and figures, e.g. table-2,figure-5; may be repeated",
                        "この表や図だけ、例：table-2,figure-5（繰り返し可）",
                    ),
                )
                .action(ArgAction::Append)
                .value_delimiter(',')
                .value_parser(words(part_ids.iter().map(String::as_str))),
            )
            .arg(self.html())
            .arg(
                self.flag(
                    "force",
                    self.say(
                        "write to DIR even if it holds other files; replace FILE if it exists",
                        "DIR に他のファイルがあっても書く。FILE が既にあれば置き換える",
                    ),
                )
                .requires("written"),
            )
            .arg(self.shard().conflicts_with("html"))
            .arg(
                self.file(self.say("with --shard: the .shard file to write", "--shard で書く .shard ファイル"))
                    .requires("shard"),
            )
            .arg(self.fresh().requires("shard").conflicts_with("resume"))
            .group(clap::ArgGroup::new("written").args(["html", "out"]))
            .arg(self.resume())
            .after_help(self.parts());
        let study = self.of_games(
            "study",
            "[STUDY]",
            &about("study"),
            |path, game| {
                let mut command = self
                    .command(path, "[STUDY]", &summary(game))
                    .subcommand_help_heading(self.say("Studies", "実験"))
                    .subcommand_value_name(self.say("study", "実験"));
                for study in self.papers.studies(game.about().id) {
                    let path = format!("{path} {}", study.name);
                    let about = study.summary.get(self.lang);
                    let experiment = self.command(&path, "", about).args(self.params(study.params));
                    let experiment = if study.rows.is_empty() {
                        experiment.arg(self.resume())
                    } else {
                        let resume = self.resume().conflicts_with("fresh");
                        experiment.args(self.rows()).arg(resume).after_help(self.columns(study.rows))
                    };
                    command = command.subcommand(experiment);
                }
                command
            },
            games,
        );
        let certifier = |game: &dyn Entry| self.papers.of(game.about().id).and_then(|paper| paper.certifier);
        let provable: Vec<&'static dyn Entry> =
            games.iter().copied().filter(|game| certifier(*game).is_some() || game.provable()).collect();
        let certify = self.of_games(
            "certify",
            "",
            &about("certify"),
            |path, game| match certifier(game) {
                Some(c) => {
                    let command = self.command(path, "", c.summary.get(self.lang));
                    command.args(self.params(c.params)).args(self.proofs()).arg(self.resume())
                }
                None => {
                    let about = self.say(
                        "solve it and write a proof of its value that `check` verifies from the rules alone",
                        "解いて、規則だけから検査できる値の証明を書き出す",
                    );
                    self.command(path, "", about)
                        .args(self.params(game.params()))
                        .args(self.method(game))
                        .args(self.proofs())
                }
            },
            &provable,
        );
        let subjects = yomikiri_check::subjects().collect::<Vec<_>>().join(", ");
        let check = self
            .command(&format!("{NAME} check"), "<FILE>", &about("check"))
            .arg(
                self.argument(
                    "file",
                    "FILE",
                    self.say(
                        "a certificate, plain or compressed with xz or zstd; - is standard input",
                        "証明書（無圧縮、xz、zstd）。- は標準入力",
                    ),
                )
                .required(true)
                .value_parser(clap::value_parser!(std::path::PathBuf))
                .value_hint(clap::ValueHint::FilePath),
            )
            .arg(
                self.option(
                "bound",
                "P/Q",
                self.say(
                    "accept only if this bound on the start follows; its direction is that of the file",
                    "初期局面のこの限界値が導けるときだけ合格とする（上界か下界かはファイルに従う）",
                ),
            )
                // −2/5 is a fraction, not an option.
                .allow_hyphen_values(true),
            )
            .arg(
                self.option(
                    "about",
                    "WORD",
                    &match self.lang {
                        Lang::En => format!(
                            "accept only if the certificate is about this: {subjects}; any: whatever it is about [default: a start of the game]"
                        ),
                        Lang::Ja => format!(
                            "証明書の対象がこれのときだけ合格とする：{subjects}。any なら何でもよい［既定：ゲームの初期局面］"
                        ),
                    },
                )
                .value_parser(words(yomikiri_check::subjects().chain(["any"]))),
            )
            .after_help(self.say(
                "Exit codes: 0 accepted; 1 rejected; 2 not readable as a certificate.\n",
                "終了コード：0 合格、1 不合格、2 証明書として読めない\n",
            ));
        let serve = self
            .command(&format!("{NAME} serve"), "", &about("serve"))
            .arg(self.option(
                "port",
                "PORT",
                self.say(
                    "the port; 0 picks a free one [default: 8066]",
                    "ポート番号。0 なら空いているものを選ぶ［既定：8066］",
                ),
            ))
            .arg(self.option(
                "host",
                "HOST",
                self.say(
                    "the address to listen on, and the name to be called by; others than this machine can reach only other addresses than 127.0.0.1 [default: 127.0.0.1]",
                    "待ち受けるアドレスと名前。127.0.0.1 以外なら他のマシンからも届く［既定：127.0.0.1］",
                ),
            ))
            .arg(self.option(
                "token",
                "WORD",
                self.say(
                    "what clients must know to ask [default: none on this machine alone, else one is made and printed]",
                    "利用者に求めるトークン［既定：このマシンだけなら不要、そうでなければ作って表示する］",
                ),
            ))
            .arg(self.option(
                "jobs",
                "N",
                self.say(
                    "studies and reproductions at once [default: 2]",
                    "同時に実行する実験・再現の数［既定：2］",
                ),
            ))
            .arg(self.table().help(self.say(
                "answer from a table that was built before where it has the answer; may be repeated",
                "作成済みの表に答えがあればそこから答える（繰り返し可）",
            )))
            .arg(self.flag("open", self.say("open the page in a browser", "ブラウザでページを開く")));
        let path = format!("{NAME} cache");
        let cache = self
            .command(&path, "[ACTION]", &about("cache"))
            .subcommand_help_heading(self.say("Actions (without one: list)", "操作（なければ一覧）"))
            .subcommand_value_name(self.say("action", "操作"))
            .subcommand(self.command(
                &format!("{path} clear"),
                "",
                self.say("remove everything kept", "保存した結果をすべて消す"),
            ))
            .subcommand(self.command(
                &format!("{path} path"),
                "",
                self.say("print the directory", "保存先のディレクトリを表示する"),
            ))
            .after_help(self.notes(&[
                ("YOMIKIRI_CACHE", "YOMIKIRI_CACHE", self.say("the directory", "保存先のディレクトリ")),
                (
                    "YOMIKIRI_CACHE_LIMIT",
                    "YOMIKIRI_CACHE_LIMIT",
                    self.say("the most it may hold [default: 4GiB]", "上限［既定：4GiB］"),
                ),
                (
                    "YOMIKIRI_CHECKPOINT",
                    "YOMIKIRI_CHECKPOINT",
                    self.say(
                        "seconds after which long work is kept again [default: 60]",
                        "長い計算の途中経過を保存する間隔（秒）［既定：60］",
                    ),
                ),
            ]));
        let shells =
            <Shell as clap::ValueEnum>::value_variants().iter().map(Shell::to_string).collect::<Vec<_>>();
        let completions = self.command(&format!("{NAME} completions"), "<SHELL>", &about("completions")).arg(
            self.argument("shell", "SHELL", &shells.join(", "))
                .required(true)
                .value_parser(words(shells.iter().map(String::as_str))),
        );
        let man = self.command(&format!("{NAME} man"), "[COMMAND]", &about("man")).arg(
            self.argument(
                "verb",
                "COMMAND",
                self.say("a command [default: all in one page]", "コマンド［既定：全部を1ページに］"),
            )
            .value_parser(words(VERBS.iter().map(|v| v.0))),
        );

        self.command(
            NAME,
            "<COMMAND>",
            self.say(
                "solves games exactly and shows the value of every move",
                "ゲームを厳密に解き、すべての手の値を示す",
            ),
        )
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand_value_name(self.say("command", "コマンド"))
        .args(self.globals())
        .arg(
            self.flag("version", self.say("print the version", "バージョンを表示する"))
                .short('V')
                .action(ArgAction::Version)
                .help_heading(self.say("Global options", "共通オプション")),
        )
        .subcommand(self.command(&format!("{NAME} games"), "", &about("games")))
        .subcommands([
            rules,
            solve,
            show,
            eval,
            play,
            puzzle,
            reproduce,
            study,
            self.merge(&about("merge")),
            serve,
            certify,
            check,
            self.tables(&about("table"), games),
            cache,
            completions,
            man,
        ])
        .after_help(self.say(
            "Exit codes: 0 done or yes; 1 no, or a figure differs; 2 error; 130 interrupted.\n",
            "終了コード：0 完了・はい、1 いいえ・数値の不一致、2 エラー、130 中断\n",
        ))
    }
}

/// The whole command line in a language.
pub fn command(games: &Games, papers: Papers, lang: Lang) -> Command {
    Builder { lang, papers }.root(games)
}

/// The checked parameters of a game or study from its flags.
pub fn settings(game: &'static str, params: &[Param], matches: &ArgMatches) -> Result<Settings, Failure> {
    let given = params
        .iter()
        .filter_map(|param| matches.get_one::<String>(param.name).map(|value| (param.name, value.as_str())));
    Settings::new(params, given).map_err(|refusal| Failure::Game(game, Error::Refused(refusal)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{ONLY, PAPERS};

    #[test]
    fn law_the_command_line_is_consistent() {
        for lang in [Lang::En, Lang::Ja] {
            command(yomikiri_shelf::GAMES, yomikiri_papers::PAPERS, lang).debug_assert();
            command(ONLY, PAPERS, lang).debug_assert();
        }
    }

    #[test]
    fn law_sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("4GiB", 4 << 30),
            ("512M", 512 << 20),
            ("512 MB", 512_000_000),
            ("1.5k", 1536),
            ("1500000", 1_500_000),
            ("7B", 7),
            ("2tib", 2 << 40),
        ] {
            assert_eq!(size(text), Some(bytes), "{text}");
        }
        let nonsense = [
            "",
            "0",
            "0G",
            "G",
            "-1G",
            "1X",
            "1GiBs",
            "1e9",
            "inf",
            "NaN",
            "4 4G",
            "99999999999999999999",
            "9T9",
            "四G",
        ];
        for text in nonsense {
            assert_eq!(size(text), None, "{text}");
        }
        assert_eq!(size("99999999999T"), None);
    }

    #[test]
    fn law_free_memory_is_read_where_it_is_told() {
        assert_eq!(available("MemTotal: 10 kB\nMemAvailable:     1024 kB\n"), Some(1 << 20));
        assert_eq!(available("MemTotal: 10 kB\n"), None);
        assert!(default_memory() > 0);
        let files = |max: &'static str| {
            move |path: &str| match path {
                "/sys/fs/cgroup/memory.max" => Some(format!("{max}\n")),
                "/sys/fs/cgroup/memory.current" => Some("1000\n".to_owned()),
                _ => None,
            }
        };
        let left = |max| group_left(files(max), "memory.max", "memory.current", "");
        assert_eq!(left("5000"), Some(4000));
        assert_eq!(left("500"), Some(0));
        assert_eq!(left("max"), None);
        assert_eq!(left("9223372036854771712"), None);
    }

    #[test]
    fn law_global_flags_work_on_both_sides_of_the_verb() {
        for line in [
            "yomikiri --threads 3 --json solve fake",
            "yomikiri solve fake --json --threads 3",
            "yomikiri solve --threads=3 fake --json",
        ] {
            let matches = command(ONLY, PAPERS, Lang::En).try_get_matches_from(line.split(' ')).unwrap();
            let globals = Globals::read(&matches).unwrap();
            assert_eq!((globals.threads, globals.json, globals.seed), (3, true, 1), "{line}");
        }
    }

    #[test]
    fn law_bad_flags_are_refused_by_name() {
        for (flag, value) in [
            ("--threads", "0"),
            ("--threads", "many"),
            ("--threads", "-1"),
            ("--seed", "-1"),
            ("--memory", "lots"),
            ("--lang", "fr"),
            ("--color", "red"),
        ] {
            let matches = command(ONLY, PAPERS, Lang::En)
                .try_get_matches_from(["yomikiri", "games", flag, value])
                .unwrap();
            let refusal = Globals::read(&matches).unwrap_err();
            assert_eq!((refusal.field.as_str(), refusal.got.en.into_owned()), (flag, format!("\"{value}\"")));
        }
    }
}
