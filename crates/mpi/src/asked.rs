//! What is asked for: the words of the command line, checked.

use std::path::PathBuf;
use std::time::Duration;
use yomikiri_core::{Refusal, Text, text};
use yomikiri_games::geister::analysis::Kind;
use yomikiri_games::geister::board::Board;
use yomikiri_games::geister::kind::materials;
use yomikiri_games::geister::on_disk::OnDisk;
use yomikiri_games::geister::space::Material;
use yomikiri_games::params::Settings;
use yomikiri_games::tables::Tables;

/// Seconds between two checkpoints, unless others are asked for.
const CHECKPOINT: u64 = 600;

/// How it is used.
pub const HELP: Text = text(
    "solves a game with the memory of many machines and writes a table, as `yomikiri table build` does

Usage: mpirun -n RANKS yomikiri-mpi solve geister --out DIR [options]

  --board WxH           the board, such as 6x6 [default: 4x4]; also --width N --height N
  --a N, --b N          pieces of player 1 and of player 2 [default: 2]
  --analysis WORD       2v2-basic or open: those that look into no other [default: 2v2-basic]
  --mirror on|off       whether mirror images share a place [default: off]
  --out DIR             the folder to make; while it is built it is called DIR.part
  --force               replace a table that is there
  --memory SIZE         memory of a rank, such as 8G [default: its share of 3/4 of what is free]
  --checkpoint SECONDS  how often all ranks keep their state, or off [default: 600]
  --checkpoints FOLDER  where they keep it [default: DIR.part/checkpoints, on a file system that all see]
  --json, --quiet, --lang ja|en, --help

The same command with the same number of ranks goes on with what was stopped or killed.
",
    "多数のマシンのメモリでゲームを解き、`yomikiri table build` と同じ表を書く

使い方: mpirun -n ランク数 yomikiri-mpi solve geister --out DIR [オプション]

  --board WxH           盤、例：6x6［既定：4x4］。--width N --height N でも可
  --a N, --b N          プレイヤー1と2の駒数［既定：2］
  --analysis WORD       2v2-basic、open（他の解析を参照しないもの）［既定：2v2-basic］
  --mirror on|off       左右対称形をまとめるか［既定：off］
  --out DIR             作るフォルダ（作成中の名前は DIR.part）
  --force               既にある表を置き換える
  --memory SIZE         1ランクのメモリ、例：8G［既定：空きの3/4の割り当て分］
  --checkpoint 秒       全ランクが状態を保存する間隔、off で保存しない［既定：600］
  --checkpoints FOLDER  保存先［既定：DIR.part/checkpoints（全ランクから見えるファイルシステム）］
  --json、--quiet、--lang ja|en、--help

中断・強制終了しても、同じランク数で同じコマンドを実行すれば続きから始めます。
",
);

/// What is asked for.
#[derive(Debug)]
pub struct Asked {
    /// The parameters of the table.
    pub settings: Settings,
    /// The analysis.
    pub kind: Kind,
    /// The board.
    pub board: Board,
    /// The pieces.
    pub materials: Vec<Material>,
    /// Whether mirror images share a place.
    pub mirror: bool,
    /// The folder to make.
    pub out: PathBuf,
    /// Whether a table that is there may be replaced.
    pub force: bool,
    /// Bytes that a rank may use.
    pub memory: Option<u64>,
    /// How often the state is kept, if it is.
    pub checkpoint: Option<Duration>,
    /// Where, if somebody says so.
    pub kept: Option<PathBuf>,
    /// Whether nothing is said while it works.
    pub quiet: bool,
}

fn refuse(field: &str, got: &str, accepts: Text) -> Refusal {
    Refusal::new(field, format!("\"{got}\""), accepts)
}

impl Asked {
    /// Reads the words after the name of the program.
    ///
    /// # Errors
    /// What is not accepted, by its name.
    pub fn read(words: &[String]) -> Result<Asked, Refusal> {
        let mut words = words.iter().map(String::as_str);
        for (field, known) in [("command", "solve"), ("game", "geister")] {
            match words.next() {
                Some(word) if word == known => {}
                other => return Err(refuse(field, other.unwrap_or(""), Text::same(known))),
            }
        }
        let mut given: Vec<(&str, String)> = vec![("analysis", Kind::Basic.id().to_owned())];
        let (mut out, mut kept, mut memory, mut checkpoint) =
            (None, None, None, Some(Duration::from_secs(CHECKPOINT)));
        let (mut force, mut quiet) = (false, false);
        while let Some(word) = words.next() {
            match word {
                "--force" => force = true,
                "--quiet" => quiet = true,
                "--json" => {}
                _ => {
                    let name = word.strip_prefix("--").filter(|name| OPTIONS.contains(name));
                    let name = name.ok_or_else(|| {
                        let accepted: Vec<String> = OPTIONS
                            .iter()
                            .chain(&["force", "json", "quiet"])
                            .map(|name| format!("--{name}"))
                            .collect();
                        refuse("option", word, Text::same(accepted.join(", ")))
                    })?;
                    let nothing = || Refusal::of(word, text("nothing", "値なし"), text("a value", "値"));
                    let value = words.next().ok_or_else(nothing)?;
                    match name {
                        "out" => out = Some(PathBuf::from(value)),
                        "checkpoints" => kept = Some(PathBuf::from(value)),
                        "memory" => memory = Some(size(value)?),
                        "checkpoint" => checkpoint = seconds(value)?,
                        "lang" if !["ja", "en"].contains(&value) => {
                            return Err(refuse("--lang", value, Text::same("ja, en")));
                        }
                        "lang" => {}
                        "board" => {
                            let sides = value.split_once('x');
                            let (width, height) = sides.ok_or_else(|| {
                                refuse(
                                    "--board",
                                    value,
                                    text("width x height, such as 6x6", "幅x高さ、例：6x6"),
                                )
                            })?;
                            given.extend([("width", width.to_owned()), ("height", height.to_owned())]);
                        }
                        name => given.push((name, value.to_owned())),
                    }
                }
            }
        }
        let out = out.ok_or_else(|| {
            Refusal::of(
                "--out",
                text("nothing", "値なし"),
                text("the name of a folder to make", "作るフォルダの名前"),
            )
        })?;
        if out.file_name().is_none() {
            let accepts = text("the name of a folder to make", "作るフォルダの名前");
            return Err(refuse("--out", &out.to_string_lossy(), accepts));
        }
        let settings =
            Settings::new(OnDisk.params(), given.iter().map(|(name, value)| (*name, value.as_str())))?;
        let alone = |kind: &Kind| kind.needs().is_empty();
        let kind = Kind::read(settings.word("analysis")).filter(alone).ok_or_else(|| {
            let accepted: Vec<&str> =
                Kind::ALL.iter().filter(|kind| alone(kind)).map(|kind| kind.id()).collect();
            refuse("--analysis", settings.word("analysis"), Text::same(accepted.join(", ")))
        })?;
        let board = Board::new(settings.int("width") as u8, settings.int("height") as u8)?;
        let materials = materials(kind, settings.int("a"), settings.int("b"))?;
        let mirror = settings.word("mirror") == "on";
        Ok(Asked { settings, kind, board, materials, mirror, out, force, memory, checkpoint, kept, quiet })
    }

    /// The folder that the table is built in.
    pub fn part(&self) -> PathBuf {
        let mut name = self.out.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        self.out.with_file_name(name)
    }

    /// Where the state is kept.
    pub fn checkpoints(&self) -> PathBuf {
        self.kept.clone().unwrap_or_else(|| self.part().join("checkpoints"))
    }
}

/// The options that take a value.
const OPTIONS: [&str; 12] = [
    "board",
    "width",
    "height",
    "a",
    "b",
    "analysis",
    "mirror",
    "out",
    "memory",
    "checkpoint",
    "checkpoints",
    "lang",
];

/// A number of bytes: `8G`, `512M`, or plain.
fn size(given: &str) -> Result<u64, Refusal> {
    let (number, factor) = match given.char_indices().last() {
        Some((at, unit)) if unit.is_ascii_alphabetic() => {
            let shift = "kmgt".find(unit.to_ascii_lowercase()).map(|i| 10 * (i as u32 + 1));
            (&given[..at], shift.map(|shift| 1u64 << shift))
        }
        _ => (given, Some(1)),
    };
    let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let bytes = number.parse::<u64>().ok().filter(|n| digits && *n > 0).zip(factor);
    bytes.and_then(|(n, factor)| n.checked_mul(factor)).ok_or_else(|| {
        refuse(
            "--memory",
            given,
            text(
                "a size above 0 such as 8G, 512M or 1500000 (bytes)",
                "0 より大きいサイズ、例：8G、512M、1500000（バイト）",
            ),
        )
    })
}

fn seconds(given: &str) -> Result<Option<Duration>, Refusal> {
    if given == "off" {
        return Ok(None);
    }
    let seconds = given.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.map(Some).ok_or_else(|| {
        refuse(
            "--checkpoint",
            given,
            text("seconds from 0, such as 600 or 0.5, or off", "0以上の秒数（例：600、0.5）、または off"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Asked, Refusal> {
        Asked::read(&line.split_whitespace().map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn law_the_command_is_read_and_what_is_wrong_is_named() {
        let asked =
            read("solve geister --board 6x6 --a 4 --b 4 --out d/t --memory 8G --checkpoint 0.5").unwrap();
        assert_eq!((asked.settings.int("width"), asked.settings.int("a")), (6, 4));
        assert_eq!((asked.memory, asked.checkpoint), (Some(8 << 30), Some(Duration::from_millis(500))));
        assert_eq!(asked.checkpoints(), PathBuf::from("d/t.part/checkpoints"));
        assert_eq!(read("solve geister --out t --checkpoint off").unwrap().checkpoint, None);
        for (line, field) in [
            ("", "command"),
            ("solve memory --out t", "game"),
            ("solve geister", "--out"),
            ("solve geister --out ..", "--out"),
            ("solve geister --out", "--out"),
            ("solve geister --out t --board 6", "--board"),
            ("solve geister --out t --board 6xsix", "height"),
            ("solve geister --out t --board 60x6", "width"),
            ("solve geister --out t --a nine", "a"),
            ("solve geister --out t --analysis suite", "--analysis"),
            ("solve geister --out t --analysis open --a 3", "a"),
            ("solve geister --out t --memory 0", "--memory"),
            ("solve geister --out t --memory 99999999999T", "--memory"),
            ("solve geister --out t --checkpoint never", "--checkpoint"),
            ("solve geister --out t --checkpoint -1", "--checkpoint"),
            ("solve geister --out t --lang fr", "--lang"),
            ("solve geister --out t --tier 3", "option"),
            ("solve geister --out t extra", "option"),
        ] {
            assert_eq!(read(line).unwrap_err().field, field, "{line}");
        }
    }
}
