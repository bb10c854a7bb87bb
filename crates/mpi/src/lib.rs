//! Tables of games that no machine alone can hold: retrograde analysis by ranks, each with a part of the table.
//!
//! What a rank does is here and knows no MPI: it is given a [`Ranks`], threads in tests, MPI in the program `yomikiri-mpi`
//! (feature `mpi`). The first rank writes the table; each keeps the state of its part.

mod asked;
mod kept;
mod told;
#[cfg(feature = "mpi")]
pub mod world;

pub use asked::{Asked, HELP};

use kept::Kept;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;
use told::Told;
use yomikiri_core::error::bytes;
use yomikiri_core::run::NoStore;
use yomikiri_core::{Error, Game, Lang, Refusal, Retro, Run, Store, Text, text};
use yomikiri_games::geister::analysis::{Needs, Rules};
use yomikiri_games::geister::kind::table_name;
use yomikiri_games::geister::on_disk::OnDisk;
use yomikiri_games::tables::{Plan, Sink, Tables};
use yomikiri_solve::retrograde::GameValue;
use yomikiri_solve::retrograde::ranks::{self, Part, Ranks};
use yomikiri_tables::{Builder, Fault, Manifest, Wishes};

/// Done.
pub const YES: u8 = 0;
/// Something was not accepted or did not work.
pub const ERROR: u8 = 2;

/// Does what a command line asks for, as one of several ranks; the exit code. The first rank says what came out.
pub fn run(words: &[String], ranks: &dyn Ranks, lang: Lang, out: &mut dyn Write) -> u8 {
    let first = ranks.rank() == 0;
    if words.iter().any(|word| word == "--help" || word == "-h") {
        return if !first || out.write_all(HELP.get(lang).as_bytes()).is_ok() { YES } else { ERROR };
    }
    let done = Asked::read(words).map_err(Fault::from).and_then(|asked| solve(&asked, ranks, lang));
    match done {
        Ok(answer) => {
            let said = match &answer {
                Some(answer) if words.iter().any(|word| word == "--json") => writeln!(out, "{answer}"),
                Some(answer) => out.write_all(in_words(answer, lang).as_bytes()),
                None => Ok(()),
            };
            if said.and_then(|()| out.flush()).is_ok() { YES } else { ERROR }
        }
        Err(fault) => {
            // What is wrong with the command is wrong everywhere, and of what happens to one rank the others only hear.
            let common =
                matches!(fault, Fault::Refused(_) | Fault::Game(Error::Refused(_) | Error::Memory { .. }));
            if (first || !common) && !elsewhere(&fault) {
                let _ = writeln!(io::stderr(), "{} {}", pick(lang, "error:", "エラー:"), why(&fault, lang));
            }
            ERROR
        }
    }
}

fn elsewhere(fault: &Fault) -> bool {
    matches!(fault, Fault::Game(error) if ranks::elsewhere(error))
}

fn pick(lang: Lang, en: &'static str, ja: &'static str) -> &'static str {
    match lang {
        Lang::En => en,
        Lang::Ja => ja,
    }
}

fn why(fault: &Fault, lang: Lang) -> String {
    match fault {
        Fault::NotATable { path, why } => format!("{path}: {}", why.get(lang)),
        Fault::Refused(refusal) => refusal.say(lang),
        Fault::Output { path, why } => {
            format!("{path}{}{why}", pick(lang, ": cannot be written: ", "：書けません："))
        }
        Fault::Game(error) => error.say(lang),
    }
}

/// Builds the table; what the first rank says of it.
fn solve(asked: &Asked, ranks: &dyn Ranks, lang: Lang) -> Result<Option<Value>, Fault> {
    let started = Instant::now();
    let first = ranks.rank() == 0;
    let told = Told::new(lang, first && !asked.quiet);
    let rules = Rules::new(asked.kind, &asked.board, &asked.materials, asked.mirror, Needs::default());
    let need = ranks::memory(rules.places(), ranks.size());
    let store: Box<dyn Store> = match asked.checkpoint {
        Some(_) => Box::new(Kept::new(asked.checkpoints())),
        None => Box::new(NoStore),
    };
    let run = Run {
        observer: &told,
        store: &*store,
        memory: asked.memory.unwrap_or_else(|| free_memory(ranks)),
        checkpoint: asked.checkpoint.unwrap_or(std::time::Duration::MAX),
        ..Run::default()
    };
    run.fits(need)?;
    let run_plan = Run { observer: &yomikiri_core::run::Silent, ..run };
    let plan = Plan { memory: need, ..OnDisk.plan(&asked.settings, &run_plan)? };
    let mut builder = if first {
        let begun = begin(asked, &plan, ranks.size(), &run);
        if ranks.sum(u64::from(begun.is_err())) > 0 {
            return begun.map(|_| None);
        }
        Some(begun?)
    } else if ranks.sum(0) > 0 {
        // The first has said why.
        return Ok(None);
    } else {
        None
    };

    let there = match &mut builder {
        Some(builder) => builder.kept(0).is_ok_and(|kept| kept.is_some()),
        None => false,
    };
    let mut answer = json!({"ranks": ranks.size(), "places": rules.places(), "memory": need});
    if ranks.sum(u64::from(there)) == 0 {
        let mut name = table_name(asked.kind, &asked.board, &asked.materials, asked.mirror);
        name = name.replace('/', "-");
        let begun = Instant::now();
        let part = ranks::solve(&rules, &name, ranks, &run)?;
        answer["solving"] = json!(begun.elapsed().as_secs_f64());
        write(&part, builder.as_mut(), ranks)?;
        let tally = part.tally(ranks);
        let start = part.get(rules.place(&rules.start()), ranks);
        answer["won"] = json!(tally.won);
        answer["other_places"] = json!(tally.rest);
        answer["longest"] = json!(tally.farthest);
        answer["bytes_sent"] = json!(tally.sent);
        answer["exchanges"] = json!(tally.rounds);
        answer["start"] = match start {
            GameValue::Won { by, plies } => json!({"winner": by + 1, "moves": plies + 1}),
            GameValue::Drawn => json!({"winner": null}),
        };
    }
    let finished = builder.map(Builder::finish).transpose();
    if ranks.sum(u64::from(finished.is_err())) > 0 && finished.is_ok() {
        return Ok(None);
    }
    Ok(finished?.map(|manifest| described(answer, asked, &manifest, started)))
}

fn described(mut answer: Value, asked: &Asked, manifest: &Manifest, started: Instant) -> Value {
    answer["table"] = json!(asked.out.display().to_string());
    answer["parameters"] = json!(manifest.parameters);
    answer["bytes"] = json!(manifest.bytes());
    answer["blake3"] = json!(manifest.files.iter().map(|file| file.blake3.as_str()).collect::<Vec<_>>());
    answer["seconds"] = json!(started.elapsed().as_secs_f64());
    answer
}

/// The answer for people: a line for each thing.
fn in_words(answer: &Value, lang: Lang) -> String {
    let names: [(&str, Text); 15] = [
        ("table", text("table", "表")),
        ("parameters", text("parameters", "パラメータ")),
        ("ranks", text("ranks", "ランク数")),
        ("places", text("places", "場所の数")),
        ("start", text("start", "初期局面")),
        ("won", text("won by player 1, by player 2", "プレイヤー1の勝ち、2の勝ち")),
        ("other_places", text("drawn places and gaps", "引き分けと空き")),
        ("longest", text("longest distance", "最長手数")),
        ("bytes", text("bytes", "バイト数")),
        ("blake3", text("digests", "ダイジェスト")),
        ("memory", text("memory a rank, at most", "1ランクのメモリ（最大）")),
        ("bytes_sent", text("bytes sent", "送信バイト数")),
        ("exchanges", text("exchanges", "通信回数")),
        ("solving", text("seconds of solving", "解くのにかかった秒数")),
        ("seconds", text("seconds in all", "全体の秒数")),
    ];
    let mut out = String::new();
    for (key, name) in names {
        if let Some(value) = answer.get(key) {
            out.push_str(&format!("{}: {value}\n", name.get(lang)));
        }
    }
    out
}

/// Looks at what is there and at what it takes, and makes or opens the folder.
fn begin<'a>(asked: &'a Asked, plan: &'a Plan, size: usize, run: &Run<'_>) -> Result<Builder<'a>, Fault> {
    let table: u64 = plan.tiers.iter().map(|tier| tier.count * tier.number.bytes()).sum();
    // What is kept stays until what follows is whole, too.
    let room = if asked.checkpoint.is_some() { 3 * table } else { table };
    let folder = asked.checkpoints();
    let there = asked.part();
    if let Some(free) = yomikiri_tables::free(&folder)
        && room > free.saturating_add(stored(&there))
    {
        let (free, need) = (bytes(free), bytes(room));
        let got = Text::of(format!("a disk with {free} free"), format!("空きが {free} のディスク"));
        let accepts = Text::of(
            format!(
                "{need} free, for the table and two checkpoints of it; --checkpoint off does without them"
            ),
            format!(
                "空きが {need} 以上（表とチェックポイント2つ分）。--checkpoint off ならチェックポイントなし"
            ),
        );
        return Err(Refusal::of("--out", got, accepts).into());
    }
    let need = bytes(plan.memory);
    run.observer.note(&Text::of(
        format!("{size} ranks, each with up to {need} of memory"),
        format!("{size} ランク、それぞれ最大 {need} のメモリ"),
    ));
    let wishes = Wishes { force: asked.force, resume: true };
    Builder::begin(&asked.out, "geister", &asked.settings, plan, wishes, run)
}

/// Brings the table to the first rank, which writes it.
fn write(part: &Part, builder: Option<&mut Builder<'_>>, ranks: &dyn Ranks) -> Result<(), Fault> {
    let Some(builder) = builder else {
        return part.collect(ranks, None).map_err(|why| Fault::Game(why.into()));
    };
    let mut asked = false;
    let written = builder.write(0, &mut |out| {
        asked = true;
        part.collect(ranks, Some(out))
    });
    if !asked {
        // The others have begun to send: they hear that nothing is written.
        let _ = part.collect(ranks, Some(&mut Shut));
    }
    Ok(written?)
}

/// Bytes of all files below a folder.
fn stored(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let of = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => stored(&entry.path()),
        Ok(meta) => meta.len(),
        Err(_) => 0,
    };
    entries.flatten().map(of).sum()
}

/// Takes nothing.
struct Shut;

impl Write for Shut {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::WriteZero.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A rank's share of three quarters of the memory that is free on its machine, where the system tells.
fn free_memory(ranks: &dyn Ranks) -> u64 {
    let beside = ["OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"];
    let beside = beside.iter().find_map(|name| std::env::var(name).ok()?.parse::<u64>().ok());
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let free = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    free.map_or(4 << 30, |kib| 1024 * kib / 4 * 3) / beside.unwrap_or(ranks.size() as u64).max(1)
}
