//! The shares of a run, put together again: every one there, once, whole, and of the same run.

use super::log::{Log, Trouble};
use super::shard::{Shard, sealed};
use super::{Format, Target, lacking, same_columns, unwritable, vacant};
use crate::fail::{Failure, printable};
use std::io;
use std::path::{Path, PathBuf};
use yomikiri_core::rows::{Block, Column, Journal, Keeper};
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_view::report::grouped;

/// Missing shares that are named; of more it is said how many.
const NAMED: usize = 20;

/// All shares of a run, in order.
pub struct Shards {
    /// What the run is.
    what: String,
    members: Vec<Member>,
}

/// The file of a share. It is opened when it is read: there may be more of them than may be open at once.
struct Member {
    path: PathBuf,
    shard: Shard,
    rows: u64,
}

impl Shards {
    /// Looks at files in any order: refused by the name of the one that is at fault, or of those that are missing.
    pub fn open(files: &[PathBuf], run: &Run<'_>) -> Result<Shards, Failure> {
        let mut all: Option<Shards> = None;
        for path in files {
            let (what, shard) = described(path)?;
            let member = Member { path: path.clone(), shard, rows: 0 };
            match &mut all {
                None => all = Some(Shards { what, members: vec![member] }),
                Some(all) => {
                    all.fits(path, &what, shard)?;
                    all.members.push(member);
                }
            }
        }
        let Some(mut all) = all else {
            let accepts = text("the files of all shards", "全シャードのファイル");
            return Err(Refusal::of("FILE", text("nothing", "値なし"), accepts).into());
        };
        all.members.sort_by_key(|member| member.shard);
        all.once()?;
        all.read(run)?;
        Ok(all)
    }

    /// What the run is, one thing a line.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// What the description says of something.
    pub fn said(&self, name: &str) -> Option<&str> {
        let mut lines = self.what.lines().filter_map(|line| line.split_once('='));
        lines.find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Refuses shares that this program would not have made: what it would describe them as, if it knows at all.
    pub fn foreign(&self, ours: &str) -> Refusal {
        let version = self.said("version").unwrap_or("?");
        let (there, here) = (lacking(&self.what, ours), lacking(ours, &self.what));
        let got = match ours.is_empty() {
            true => Text::of(
                format!("shards of version {version}, of a study that is not known here"),
                format!("版 {version} の、ここにはない実験のシャード"),
            ),
            false => Text::of(
                format!("shards of another program ({there}; here: {here})"),
                format!("別のプログラムのシャード（{there}、ここでは：{here}）"),
            ),
        };
        let version = env!("CARGO_PKG_VERSION");
        Refusal::of(
            "FILE",
            Text::of(printable(&got.en), printable(&got.ja)),
            Text::of(format!("shards of version {version}"), format!("版 {version} のシャード")),
        )
    }

    /// How many shares there are.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// Refuses a share of another run than the first.
    fn fits(&self, path: &Path, what: &str, shard: Shard) -> Result<(), Refusal> {
        let first = &self.members[0];
        let (mut here, mut there) = (lacking(what, &self.what), lacking(&self.what, what));
        if here.is_empty() && there.is_empty() {
            if shard.of == first.shard.of {
                return Ok(());
            }
            (here, there) = (format!("shard={shard}"), format!("shard={}", first.shard));
        }
        let (file, other) = (shown(path), shown(&first.path));
        Err(Refusal::of(
            "FILE",
            Text::of(
                format!("{file}, a shard of another run ({here}; {other}: {there})"),
                format!("別の実行のシャード {file}（{here}、{other}：{there}）"),
            ),
            text(
                "shards of one study with the same parameters, seed, version and number of shards",
                "同じ実験・パラメータ・乱数の種・版・シャード数のシャード",
            ),
        ))
    }

    /// Refuses shares that are there twice or not at all.
    fn once(&self) -> Result<(), Refusal> {
        let accepts = || text("every shard of a run once", "1つの実行の全シャードを1つずつ");
        for pair in self.members.windows(2) {
            if pair[0].shard == pair[1].shard {
                let (shard, a, b) = (pair[0].shard, shown(&pair[0].path), shown(&pair[1].path));
                let got = Text::of(
                    format!("shard {shard} twice: {a} and {b}"),
                    format!("シャード {shard} が2つ：{a} と {b}"),
                );
                return Err(Refusal::of("FILE", got, accepts()));
            }
        }
        let of = self.members[0].shard.of;
        let missing = of - self.members.len() as u64;
        if missing == 0 {
            return Ok(());
        }
        let there: std::collections::BTreeSet<u64> = self.members.iter().map(|m| m.shard.number).collect();
        let named = (0..of).filter(|number| !there.contains(number)).take(NAMED);
        let mut names = named.map(|number| Shard { number, of }.to_string()).collect::<Vec<_>>().join(", ");
        if missing > NAMED as u64 {
            names.push_str(", …");
        }
        let got = Text::of(
            format!("{} of {of} shards; missing: {names}", self.members.len()),
            format!("{of} 個中 {} 個のシャード。不足：{names}", self.members.len()),
        );
        Err(Refusal::of("FILE", got, accepts()))
    }

    /// Reads all of them once, so that damage is named before anything is made of them.
    fn read(&mut self, run: &Run<'_>) -> Result<(), Failure> {
        run.observer.begin(&text("checking the shards", "シャードの検査"), self.members.len() as u64);
        for (i, member) in self.members.iter_mut().enumerate() {
            run.check().map_err(|_| Failure::Interrupted)?;
            let mut log = opened(&member.path, &member.shard.describe(&self.what))
                .map_err(|e| Failure::Read(shown(&member.path), e))?;
            let sealed = sealed(&mut log).map_err(|e| Failure::Read(shown(&member.path), e))?;
            member.rows = log.rows();
            if !sealed {
                let (n, shard) = (grouped(log.rows()), member.shard);
                let why = if log.damaged() {
                    Text::of(
                        format!("it is damaged after {n} rows; remove it and run shard {shard} again"),
                        format!(
                            "{n} 行より後が壊れています。消してからシャード {shard} を実行し直してください"
                        ),
                    )
                } else {
                    Text::of(
                        format!(
                            "it is not whole: {n} rows and no end; run shard {shard} again (what is called .part is not finished)"
                        ),
                        format!(
                            "完全ではありません（{n} 行で終わりがありません）。シャード {shard} をもう一度実行してください（.part は未完成です）"
                        ),
                    )
                };
                return Err(Failure::Unreadable(shown(&member.path), why));
            }
            run.observer.done(i as u64 + 1);
        }
        run.observer.end();
        Ok(())
    }

    /// The blocks of all shares, in order.
    pub fn blocks(&self) -> Blocks<'_> {
        Blocks { shards: self, next: 0, log: None }
    }
}

/// Reads the blocks of all shares.
pub struct Blocks<'a> {
    shards: &'a Shards,
    next: usize,
    log: Option<Log>,
}

impl Blocks<'_> {
    /// The next block.
    pub fn block(&mut self) -> io::Result<Option<Block>> {
        loop {
            if let Some(log) = &mut self.log {
                if let Some(block) = log.next()? {
                    return Ok(Some(block));
                }
                if log.rows() != self.shards.members[self.next - 1].rows {
                    return Err(io::Error::new(
                        io::ErrorKind::InvalidData,
                        format!("{} has changed while it was read", log.path().display()),
                    ));
                }
            }
            let Some(member) = self.shards.members.get(self.next) else { return Ok(None) };
            self.log = Some(opened(&member.path, &member.shard.describe(&self.shards.what))?);
            self.next += 1;
        }
    }
}

fn opened(path: &Path, what: &str) -> io::Result<Log> {
    Log::read(path, what)?.ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!("{} has changed while it was read", path.display()),
        )
    })
}

fn shown(path: &Path) -> String {
    printable(&path.display().to_string())
}

/// What a file is a share of, and which.
fn described(path: &Path) -> Result<(String, Shard), Failure> {
    let unreadable = |why: Text| Failure::Unreadable(shown(path), why);
    let (_, what) = Log::look(path).map_err(|trouble| match trouble {
        Trouble::Io(why) => Failure::Read(shown(path), why),
        Trouble::Damaged => unreadable(text(
            "its beginning is damaged, so nobody can tell which shard it is; remove it and run that shard again",
            "先頭が壊れていて、どのシャードか分かりません。消してからそのシャードを実行し直してください",
        )),
        _ => unreadable(text("it is no shard of a run", "実行のシャードではありません")),
    })?;
    let whole = text(
        "it is what a run without --shard has kept, not a shard",
        "シャードではなく、--shard のない実行の記録です",
    );
    let at = what.trim_end_matches('\n').rfind('\n').map_or(0, |at| at + 1);
    let shard = what[at..].trim_end().strip_prefix("shard=").and_then(|given| Shard::read(given).ok());
    let shard = shard.filter(|shard| shard.describe(&what[..at]) == what).ok_or_else(|| unreadable(whole))?;
    Ok((what[..at].to_owned(), shard))
}

/// Gives the rows of all shares to a study, in order, and writes them as one.
pub struct Merged<'a> {
    shards: &'a Shards,
    columns: &'static [Column],
    target: Option<Target>,
}

impl<'a> Merged<'a> {
    /// To end in a file, if one is named.
    pub fn new(
        shards: &'a Shards,
        columns: &'static [Column],
        out: Option<PathBuf>,
        force: bool,
    ) -> Result<Merged<'a>, Refusal> {
        let target = match out {
            None => None,
            Some(path) => {
                let format = Format::asked(&path)?;
                vacant(&path, force, || false)?;
                Some(Target { path, format, force })
            }
        };
        Ok(Merged { shards, columns, target })
    }

    /// Writes the file, if there is to be one: how many rows, and its name.
    pub fn finish(&self) -> Result<Option<(u64, String)>, Error> {
        let Some(target) = &self.target else { return Ok(None) };
        let mut blocks = self.shards.blocks();
        let written = target.write(self.columns, &self.shards.what, &mut || blocks.block());
        written.and_then(|_| target.place(Ok(()))).map_err(|why| unwritable(&target.path, why, 0))?;
        let rows = self.shards.members.iter().map(|member| member.rows).sum();
        Ok(Some((rows, target.path.display().to_string())))
    }
}

impl Keeper for Merged<'_> {
    fn open(&self, columns: &'static [Column], rows: u64) -> Result<Box<dyn Journal + '_>, Error> {
        same_columns(columns, self.columns);
        for Member { path, shard, rows: there } in &self.shards.members {
            let range = shard.range(rows);
            if *there != range.end - range.start {
                let expected = range.end - range.start;
                let file = shown(path);
                return Err(Refusal::of(
                    "FILE",
                    Text::of(format!("{file} with {there} rows"), format!("{there} 行の {file}")),
                    Text::of(
                        format!("{expected} rows: that is shard {shard} of this study"),
                        format!("{expected} 行（この実験のシャード {shard}）"),
                    ),
                )
                .into());
            }
        }
        Ok(Box::new(self.shards.blocks()))
    }
}

impl Journal for Blocks<'_> {
    fn next(&mut self) -> Result<Option<Block>, Error> {
        Ok(self.block()?)
    }

    fn append(&mut self, _: &Block) -> Result<(), Error> {
        Err(Error::Bug("a merge made a row".into()))
    }
}
