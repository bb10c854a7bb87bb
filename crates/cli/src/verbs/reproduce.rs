//! `reproduce`: the published tables and figures, computed again.

use super::Session;
use super::lanes::{self, Share};
use crate::fail::{ERROR, Failure, INTERRUPTED, NO, YES, printable, refuse};
use crate::html::{Done, Folder, Recomputed, Report};
use crate::render;
use crate::rows::merge::Shards;
use crate::rows::shard::{Shard, ShardFile};
use clap::ArgMatches;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use yomikiri_api::reproduce_command;
use yomikiri_core::rows::Block as Rows;
use yomikiri_core::{Error, Observer, Refusal, Run, Text, text};
use yomikiri_papers::reproduction::{Label, Piece, Reproduction, accepted, conclusion, to_json};
use yomikiri_papers::{Effort, Paper};
use yomikiri_view::report::{Block, Cell, Outcome, Tone};

/// A paper to be computed again, with the parts that are asked for.
struct Chosen {
    paper: &'static Paper,
    all: Box<dyn Reproduction>,
    parts: Vec<(usize, Label)>,
}

/// What the command line asks for.
fn chosen(session: &Session<'_>, matches: &ArgMatches, effort: Effort) -> Result<Vec<Chosen>, Failure> {
    let mut papers: Vec<&'static Paper> = Vec::new();
    for id in matches.get_many::<String>("game").into_iter().flatten() {
        let paper = session.papers.of(id).ok_or_else(|| {
            let ids: Vec<&str> = session.papers.0.iter().map(|paper| paper.about().id).collect();
            refuse(session.pick("game", "ゲーム"), id, Text::same(ids.join(", ")))
        })?;
        papers.push(paper);
    }
    if papers.is_empty() {
        papers = session.papers.0.to_vec();
    }
    let only: Option<Vec<&str>> =
        matches.get_many::<String>("only").map(|words| words.map(|w| w.trim()).collect());
    let mut chosen: Vec<Chosen> = Vec::new();
    for paper in papers {
        let all = (paper.reproduction)(effort);
        let parts = all.parts().into_iter().enumerate();
        let parts = parts.filter(|(_, l)| only.as_ref().is_none_or(|only| only.contains(&l.id))).collect();
        chosen.push(Chosen { paper, all, parts });
    }
    for &word in only.iter().flatten() {
        if !chosen.iter().any(|c| c.parts.iter().any(|(_, label)| label.id == word)) {
            let lists: Vec<String> = chosen
                .iter()
                .map(|c| {
                    let list = accepted(&c.all.parts());
                    if chosen.len() > 1 {
                        format!("{}: {}", c.paper.about().id, list.en)
                    } else {
                        list.en.into_owned()
                    }
                })
                .collect();
            return Err(refuse("--only", word, Text::same(lists.join("; "))).into());
        }
    }
    chosen.retain(|c| !c.parts.is_empty());
    Ok(chosen)
}

/// A part as it is kept while a long run goes on.
#[derive(Serialize, Deserialize)]
struct Kept {
    piece: Piece,
    seconds: f64,
}

/// Where a finished part of a full run is kept until all are finished.
fn place(game: &str, part: &str, seed: u64) -> String {
    format!("reproduce/{game}/{part}-seed={seed}-{}", crate::COMMIT)
}

/// Runs a part, or takes it from a run that was interrupted.
fn run_part(
    paper: &Paper,
    all: &dyn Reproduction,
    (at, label): (usize, &Label),
    effort: Effort,
    run: &Run<'_>,
) -> Result<Done, Failure> {
    let game = paper.about().id;
    let name = place(game, label.id, run.seed);
    if effort == Effort::Full
        && let Some(reader) = run.store.load(&name)
        && let Ok(Kept { piece, seconds }) = serde_json::from_reader(reader)
    {
        run.observer.note(&Text::of(
            format!("{game} {}: done in an earlier run", label.id),
            format!("{game} {}：前回の実行で完了", label.id),
        ));
        return Ok(Done { label: label.clone(), piece, seconds });
    }
    let begun = Instant::now();
    let piece = all.run(at, run).map_err(|error| Failure::Game(game, error))?;
    let seconds = begun.elapsed().as_secs_f64();
    if effort == Effort::Full {
        let kept = Kept { piece, seconds };
        // What cannot be kept is only computed again.
        let _ = run.store.save(&name, &mut |out| Ok(serde_json::to_writer(out, &kept)?));
        return Ok(Done { label: label.clone(), piece: kept.piece, seconds });
    }
    Ok(Done { label: label.clone(), piece, seconds })
}

/// Runs the parts of a paper that are asked for, each with the means there are when it begins, and tells of each.
fn run_parts(
    paper: &Paper,
    all: &dyn Reproduction,
    parts: &[(usize, Label)],
    effort: Effort,
    share: &Share<'_>,
    observer: &dyn Observer,
    tell: &(impl Fn() + Sync),
) -> Result<Vec<Done>, Failure> {
    let one = |(at, label): &(usize, Label)| {
        let done = run_part(paper, all, (*at, label), effort, &Run { observer, ..share.run() })?;
        tell();
        Ok(done)
    };
    parts.iter().map(one).collect()
}

/// Hears notes alone: how far each of several pieces of work is would be told as of one.
struct Notes<'a>(&'a dyn Observer);

impl Observer for Notes<'_> {
    fn begin(&self, _: &Text, _: u64) {}
    fn done(&self, _: u64) {}
    fn end(&self) {}
    fn note(&self, what: &Text) {
        self.0.note(what);
    }
}

/// Reproduces the papers of the named games, or of all. A game that fails does not keep the others back.
pub fn reproduce(session: &Session<'_>, matches: &ArgMatches, out: &mut dyn Write) -> Result<u8, Failure> {
    let effort = if matches.get_flag("full") { Effort::Full } else { Effort::Quick };
    let chosen = chosen(session, matches, effort)?;
    if let Some(given) = matches.get_one::<String>("shard") {
        return share(session, matches, &chosen, effort, Shard::read(given)?, out);
    }
    let run = &session.run;
    let html = matches.get_one::<PathBuf>("html");
    let folder = html.map(|dir| Folder::prepare(dir, matches.get_flag("force"))).transpose()?;
    let mut papers = Vec::new();
    let total: usize = chosen.iter().map(|c| c.parts.len()).sum();
    run.observer.begin(&text("parts", "部分"), total as u64);
    let mut code = YES;
    let finished = Mutex::new(0);
    let tell = || {
        let mut finished = finished.lock().unwrap_or_else(PoisonError::into_inner);
        *finished += 1;
        run.observer.done(*finished);
    };
    let mut take = |paper: &'static Paper, done: Result<Vec<Done>, Failure>| -> Result<(), Failure> {
        let done = match done {
            Ok(done) => done,
            Err(failure) if failure.code() == INTERRUPTED => return Err(failure),
            Err(failure) => {
                session.complain(&failure);
                code = ERROR;
                return Ok(());
            }
        };
        code = code.max(if done.iter().all(|d| d.piece.good()) { YES } else { NO });
        if folder.is_some() {
            papers.push(Recomputed { paper, parts: done });
            return Ok(());
        }
        show(session, paper, effort, done, out)?;
        // What is done is shown while the next is computed.
        Ok(out.flush()?)
    };
    let costs: Vec<u32> = chosen.iter().map(|c| c.paper.cost).collect();
    if effort == Effort::Quick && lanes::worth(run, &costs) {
        // A reproduction stays on the thread that made it.
        let wanted: Vec<_> = chosen.iter().map(|c| (c.paper, c.parts.as_slice())).collect();
        let notes = Notes(run.observer);
        let alone = |at: usize, share: &Share<'_>| {
            let (paper, parts): (&'static Paper, _) = wanted[at];
            run_parts(paper, &*(paper.reproduction)(effort), parts, effort, share, &notes, &tell)
        };
        let mut held = Vec::new();
        lanes::side_by_side(run, &costs, alone, |at, done| {
            // What has not enough memory beside others may have enough alone, and is told in its order all the same.
            if held.is_empty() && !matches!(done, Err(Failure::Game(_, Error::Memory { .. }))) {
                return take(wanted[at].0, done);
            }
            held.push((at, done));
            Ok(())
        })?;
        for (at, done) in held {
            let again = matches!(done, Err(Failure::Game(_, Error::Memory { .. })));
            take(wanted[at].0, if again { alone(at, &Share::whole(run)) } else { done })?;
        }
    } else {
        for chosen in &chosen {
            let (all, parts, share) = (&*chosen.all, &chosen.parts, Share::whole(run));
            let done = run_parts(chosen.paper, all, parts, effort, &share, run.observer, &tell);
            take(chosen.paper, done)?;
        }
    }
    run.observer.end();
    if let (Some(folder), Some(dir)) = (folder, html) {
        let report = Report { papers, effort, seed: run.seed, threads: run.threads };
        write(session, &report, &folder, dir, out)?;
    }
    if effort == Effort::Full && code != ERROR {
        for chosen in &chosen {
            for (_, label) in &chosen.parts {
                run.store.remove(&place(chosen.paper.about().id, label.id, run.seed));
            }
        }
    }
    Ok(code)
}

/// Everything that parts depend on, one thing a line.
fn describe(effort: Effort, parts: &[(&str, &str)], seed: u64) -> String {
    let parts: Vec<String> = parts.iter().map(|(game, part)| format!("{game} {part}")).collect();
    format!(
        "version={}\ncommit={}\nreproduce={}\nparts={}\nseed={seed}\n",
        env!("CARGO_PKG_VERSION"),
        crate::COMMIT,
        if effort == Effort::Full { FULL } else { "quick" },
        parts.join(", ")
    )
}

/// What a description calls a full run.
const FULL: &str = "full";

/// Runs a share of the parts, for `merge`: whole parts, in their order.
fn share(
    session: &Session<'_>,
    matches: &ArgMatches,
    chosen: &[Chosen],
    effort: Effort,
    shard: Shard,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let run = &session.run;
    let path = matches.get_one::<PathBuf>("out").cloned().unwrap_or_default();
    let all: Vec<(&Chosen, usize, &Label)> =
        chosen.iter().flat_map(|c| c.parts.iter().map(move |(at, label)| (c, *at, label))).collect();
    let names: Vec<(&str, &str)> = all.iter().map(|(c, _, label)| (c.paper.about().id, label.id)).collect();
    let range = shard.range(all.len() as u64);
    let what = shard.describe(&describe(effort, &names, run.seed));
    let unkept = |error| Failure::Game("reproduce", error);
    let (fresh, force) = (matches.get_flag("fresh"), matches.get_flag("force"));
    let mut file = ShardFile::open(&path, &what, fresh, force).map_err(unkept)?;
    let ours = &all[range.start as usize..range.end as usize];
    run.observer.begin(&text("parts", "部分"), ours.len() as u64);
    let mut done = 0;
    while file.block().map_err(unkept)?.is_some() {
        done += 1;
    }
    run.observer.done(done as u64);
    for (chosen, at, label) in ours.iter().skip(done) {
        let Done { piece, seconds, .. } = run_part(chosen.paper, &*chosen.all, (*at, label), effort, run)?;
        let bytes = serde_json::to_vec(&Kept { piece, seconds })
            .map_err(|e| unkept(Error::Bug(format!("a part that cannot be kept: {e}"))))?;
        file.append(&Rows { rows: 1, bytes }).map_err(unkept)?;
        run.store.remove(&place(chosen.paper.about().id, label.id, run.seed));
        done += 1;
        run.observer.done(done as u64);
    }
    run.observer.end();
    let (_, earlier) = file.finish().map_err(unkept)?;
    let parts: Vec<String> = names[range.start as usize..range.end as usize]
        .iter()
        .map(|(game, part)| format!("{game} {part}"))
        .collect();
    let listed = if parts.is_empty() { "–".to_owned() } else { parts.join(", ") };
    let mut facts = vec![
        (text("shard", "シャード"), Cell::from(shard.to_string()).tone(Tone::Strong)),
        (text("parts", "部分"), listed.into()),
        (text("file", "ファイル"), printable(&path.display().to_string()).into()),
    ];
    if earlier {
        facts.push((text("made", "作成"), text("by an earlier run", "以前の実行").into()));
    }
    let json = json!({"shard": shard.number, "of": shard.of, "parts": parts, "items": all.len(),
        "file": path.display().to_string(), "earlier": earlier});
    session.show(&Outcome { blocks: vec![Block::Facts(facts)], json, good: true }, out)
}

/// Puts the parts of all shares together and shows them as one run would have.
pub fn merge(
    session: &Session<'_>,
    matches: &ArgMatches,
    shards: &Shards,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    if matches.get_one::<PathBuf>("out").is_some() {
        let accepts =
            text("shards of a study; --html writes a report", "実験のシャード。レポートは --html で書きます");
        return Err(Refusal::of("--out", text("shards of a reproduction", "再現のシャード"), accepts).into());
    }
    let effort = if shards.said("reproduce") == Some(FULL) { Effort::Full } else { Effort::Quick };
    let names: Vec<(&str, &str)> =
        shards.said("parts").unwrap_or("").split(", ").filter_map(|part| part.split_once(' ')).collect();
    let ours = describe(effort, &names, session.run.seed);
    let other = || shards.foreign(&ours);
    if ours != shards.what() {
        return Err(other().into());
    }
    let html = matches.get_one::<PathBuf>("html");
    let folder = html.map(|dir| Folder::prepare(dir, matches.get_flag("force"))).transpose()?;
    let mut blocks = shards.blocks();
    let mut papers: Vec<Recomputed> = Vec::new();
    for (game, part) in names {
        let paper = session.papers.of(game).ok_or_else(other)?;
        let label = (paper.reproduction)(effort).parts().into_iter().find(|label| label.id == part);
        let label = label.ok_or_else(other)?;
        let block = blocks.block().map_err(|e| Failure::Game("merge", e.into()))?.ok_or_else(other)?;
        let Kept { piece, seconds } = serde_json::from_slice(&block.bytes).map_err(|_| other())?;
        let done = Done { label, piece, seconds };
        match papers.last_mut().filter(|last| last.about().id == game) {
            Some(last) => last.parts.push(done),
            None => papers.push(Recomputed { paper, parts: vec![done] }),
        }
    }
    let good = papers.iter().all(|paper| paper.parts.iter().all(|part| part.piece.good()));
    match (folder, html) {
        (Some(folder), Some(dir)) => {
            let report = Report { papers, effort, seed: session.run.seed, threads: session.run.threads };
            write(session, &report, &folder, dir, out)?;
        }
        _ => papers.into_iter().try_for_each(|paper| show(session, paper.paper, effort, paper.parts, out))?,
    }
    Ok(if good { YES } else { NO })
}

/// Writes a report and says how it came out.
fn write(
    session: &Session<'_>,
    report: &Report,
    folder: &Folder,
    dir: &Path,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let index = dir.join("index.html").display().to_string();
    let summary = report.summary(&index);
    folder.write(&report.files(), &summary)?;
    if session.globals.json {
        session.json(&summary, out)?;
        return Ok(());
    }
    for paper in &report.papers {
        let pieces: Vec<(Label, Piece)> =
            paper.parts.iter().map(|p| (p.label.clone(), p.piece.clone())).collect();
        let line = conclusion(&paper.about().name, &pieces);
        writeln!(out, "{}", line.get(session.look.lang))?;
    }
    writeln!(out, "{} {index}", session.pick("report:", "レポート："))?;
    writeln!(out, "{} {}", session.pick("digest:", "ダイジェスト："), report.digest())?;
    Ok(())
}

/// Shows what a paper came to, for people or for programs.
fn show(
    session: &Session<'_>,
    paper: &Paper,
    effort: Effort,
    done: Vec<Done>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (about, seed) = (paper.about(), session.run.seed);
    let times: Vec<f64> = done.iter().map(|d| d.seconds).collect();
    let pieces: Vec<(Label, Piece)> = done.into_iter().map(|d| (d.label, d.piece)).collect();
    if session.globals.json {
        session.json(&to_json(about.id, paper.key, effort, seed, &pieces), out)?;
        return Ok(());
    }
    let heading = Text::of(
        format!("{}: {}", about.name.en, paper.citation.en),
        format!("{}：{}", about.name.ja, paper.citation.ja),
    );
    out.write_all(render::report(&[Block::Heading(heading)], &session.look).as_bytes())?;
    for ((label, piece), seconds) in pieces.iter().zip(times) {
        let again = reproduce_command(about.id, &[label.id], effort, seed);
        let line = session.look.paint(&format!("{again}  ({seconds:.2} s)"), Tone::Dim);
        write!(out, "\n{}{line}\n", render::report(&piece.blocks, &session.look))?;
    }
    let last = Block::Paragraph(conclusion(&about.name, &pieces));
    write!(out, "\n{}", render::report(&[last], &session.look))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::PAPER;
    use std::collections::BTreeMap;
    use std::io::{self, Read};
    use std::sync::Mutex;
    use yomikiri_core::Store;

    /// A store in memory.
    #[derive(Default)]
    struct Cache(Mutex<BTreeMap<String, Vec<u8>>>);

    impl Store for Cache {
        fn load(&self, name: &str) -> Option<Box<dyn Read>> {
            Some(Box::new(io::Cursor::new(self.0.lock().unwrap().get(name)?.clone())))
        }
        fn save(
            &self,
            name: &str,
            write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
        ) -> io::Result<()> {
            let mut bytes = Vec::new();
            write(&mut bytes)?;
            self.0.lock().unwrap().insert(name.to_owned(), bytes);
            Ok(())
        }
        fn remove(&self, name: &str) {
            self.0.lock().unwrap().remove(name);
        }
    }

    fn part(effort: Effort, run: &Run<'_>) -> Done {
        let all = (PAPER.reproduction)(effort);
        let label = all.parts()[0].clone();
        run_part(&PAPER, &*all, (0, &label), effort, run).unwrap()
    }

    #[test]
    fn law_a_part_of_a_full_run_is_taken_from_the_run_before() {
        let cache = Cache::default();
        let run = Run { store: &cache, ..Run::default() };
        part(Effort::Quick, &run);
        assert!(cache.0.lock().unwrap().is_empty(), "quick runs keep nothing");
        let first = part(Effort::Full, &run);
        let name = place("fake", "one", run.seed);
        assert_eq!(cache.0.lock().unwrap().keys().collect::<Vec<_>>(), [&name]);
        // What is kept is what is used: a changed copy shows.
        let kept = String::from_utf8(cache.0.lock().unwrap()[&name].clone()).unwrap();
        cache.0.lock().unwrap().insert(name.clone(), kept.replace("first", "again").into_bytes());
        let second = part(Effort::Full, &run);
        assert_eq!((second.seconds, second.piece.json.clone()), (first.seconds, first.piece.json));
        assert!(matches!(&second.piece.blocks[0], Block::Paragraph(words) if words.en == "again"));
        // One that cannot be read, and one of another seed, are computed again.
        cache.0.lock().unwrap().insert(name, b"{".to_vec());
        let third = part(Effort::Full, &run);
        assert!(matches!(&third.piece.blocks[0], Block::Paragraph(words) if words.en == "first"));
        assert_eq!(part(Effort::Full, &Run { seed: 2, ..run }).piece.json["seed"], 2);
    }
}
