//! Studies and reproductions: work that goes on without anybody looking.

use crate::Server;
use crate::ask::{Ask, Fields, LARGEST};
use crate::fault::{Fault, text_json};
use crate::job::{Answer, Job, State, Task, Title, joined};
use crate::reply::{CSV, JSON, Reply, bytes, written};
use crate::rows::{Asked, Counted, write_csv};
use crate::{report, work};
use axum::body::{Body, Bytes};
use axum::http::HeaderValue;
use http_body_util::channel::{Channel, Sender};
use serde_json::json;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::time::timeout;
use yomikiri_core::rows::Unkept;
use yomikiri_core::{Error, Observer, Refusal, Text, text};
use yomikiri_games::Entry;
use yomikiri_papers::reproduction::{Label, Piece, accepted, command, conclusion};
use yomikiri_papers::{Effort, Paper};

/// The longest that a request waits for news, in milliseconds.
const WAIT: u64 = 10_000;
/// Seconds after which a job may find a place.
const RETRY: u64 = 10;
/// Bytes of rows sent at a time.
const CHUNK: usize = 64 << 10;

/// A paper to be computed again.
pub struct Wanted {
    paper: &'static Paper,
    /// The places of the parts in the list; all if none are named.
    parts: Vec<usize>,
    effort: Effort,
}

/// A part that has been computed, for whoever asks again.
pub struct PartDone {
    label: Label,
    piece: Piece,
    seconds: f64,
}

fn found(server: &Server, ask: &Ask) -> Result<Arc<Job>, Fault> {
    let id = ask.part("id");
    let job = server.work.find(id);
    job.ok_or_else(|| {
        let accepts = text("a job of this server that is still kept", "このサーバに残っているジョブ");
        Fault::unknown(Refusal::new("job", format!("\"{id}\""), accepts))
    })
}

/// `GET /api/jobs`
pub async fn list(server: Arc<Server>, ask: Ask) -> Result<Reply, Fault> {
    ask.only(&[])?;
    let mut body = b"{\"jobs\":[".to_vec();
    for (at, job) in server.work.lasting().iter().enumerate() {
        if at > 0 {
            body.push(b',');
        }
        body.extend_from_slice(&job.to_json(false));
    }
    body.extend_from_slice(b"]}");
    Ok(bytes(200, JSON, body))
}

/// `GET /api/jobs/{id}`
pub async fn show(server: Arc<Server>, ask: Ask) -> Result<Reply, Fault> {
    ask.only(&["wait", "seen"])?;
    let job = found(&server, &ask)?;
    job.asked();
    let seen = ask.number("seen", LARGEST)?;
    if let Some(wait) = ask.number("wait", WAIT)? {
        let _ = timeout(Duration::from_millis(wait), job.news(seen)).await;
        job.asked();
    }
    Ok(bytes(200, JSON, job.to_json(true)))
}

/// `DELETE /api/jobs/{id}`
pub async fn stop(server: Arc<Server>, ask: Ask) -> Result<Reply, Fault> {
    ask.only(&[])?;
    let job = found(&server, &ask)?;
    if job.state().over() {
        server.work.forget(&job.id);
        if let Task::Study(asked) = &job.task {
            server.config.rows.forget(asked);
        }
    } else {
        job.stop(None);
        // Most jobs stop at once; whoever asked sees it.
        let _ = timeout(Duration::from_millis(300), job.over()).await;
    }
    Ok(bytes(200, JSON, job.to_json(false)))
}

/// `POST /api/jobs`
pub async fn start(server: Arc<Server>, ask: Ask) -> Result<Reply, Fault> {
    ask.only(&[])?;
    let mut fields = Fields::new(&ask.body)?;
    let kinds = &["study", "reproduce"];
    let kind = fields.needed("kind")?;
    if !kinds.contains(&kind.as_str()) {
        return Err(Refusal::new("kind", format!("\"{kind}\""), Text::same(kinds.join(", "))).into());
    }
    let game = server.game(&fields.needed("game")?)?;
    let (title, task) = if kind == "study" {
        study(&server, game, &mut fields)?
    } else {
        reproduction(&server, game, &mut fields)?
    };
    fields.end()?;
    // The same work is done once and shared; what was stopped goes on.
    let same = server.work.lasting().into_iter().rev();
    let same = same.filter(|job| job.title.kind == title.kind).find(|job| job.title.command == title.command);
    if let Some(same) = &same
        && matches!(same.state(), State::Waiting | State::Running | State::Done)
    {
        return Ok(bytes(200, JSON, same.to_json(false)));
    }
    room(&server)?;
    if let Some(same) = same
        && same.again()
    {
        go(&server, &same);
        return Ok(bytes(200, JSON, same.to_json(false)));
    }
    let (number, job) = server.work.job(title, task);
    server.work.publish(number, &job);
    go(&server, &job);
    let mut reply = bytes(201, JSON, job.to_json(false));
    if let Ok(place) = HeaderValue::from_str(&format!("/api/jobs/{}", job.id)) {
        reply.headers_mut().insert("location", place);
    }
    Ok(reply)
}

/// `POST /api/jobs/{id}/resume`
pub async fn resume(server: Arc<Server>, ask: Ask) -> Result<Reply, Fault> {
    ask.only(&[])?;
    let job = found(&server, &ask)?;
    room(&server)?;
    if matches!(job.task, Task::Request) || !job.again() {
        let accepts = text("a study or reproduction that was stopped", "中断した実験または再現");
        let refusal = Refusal::new("job", format!("\"{}\"", job.id), accepts);
        return Err(Fault { status: 409, code: "state", ..Fault::from(refusal) });
    }
    go(&server, &job);
    Ok(bytes(200, JSON, job.to_json(false)))
}

/// Whether there is a place for one more.
fn room(server: &Server) -> Result<(), Fault> {
    let limits = &server.config.limits;
    let full = server.work.unfinished() >= limits.jobs + limits.waiting_jobs;
    if full { Err(Fault::busy(RETRY)) } else { Ok(()) }
}

fn study(server: &Server, game: &'static dyn Entry, fields: &mut Fields) -> Result<(Title, Task), Fault> {
    let about = game.about();
    let name = fields.needed("study")?;
    let studies = server.config.papers.studies(about.id);
    let study = studies.iter().find(|s| s.name == name).ok_or_else(|| {
        let names: Vec<&str> = studies.iter().map(|s| s.name).collect();
        let accepts = match names.is_empty() {
            true => text("nothing: this game has no studies", "なし（このゲームに実験はありません）"),
            false => Text::same(names.join(", ")),
        };
        let refusal = Refusal::new("study", format!("\"{name}\""), accepts);
        Fault::of(about.id, refusal.into())
    })?;
    let settings = fields.settings("settings", about.id, study.params)?;
    let seed = fields.number("seed", LARGEST)?.unwrap_or(server.config.seed);
    let flags = crate::flags(study.params, &settings);
    let command = format!("yomikiri study {} {name}{flags} --seed {seed}", about.id);
    let title = Text::of(
        format!("{}: {}", about.name.en, study.summary.en),
        format!("{}：{}", about.name.ja, study.summary.ja),
    );
    let title = Title { kind: "study", game: about.id, title, command, seed };
    Ok((title, Task::Study(Asked { game, study, settings, seed })))
}

fn reproduction(
    server: &Server,
    game: &'static dyn Entry,
    fields: &mut Fields,
) -> Result<(Title, Task), Fault> {
    let about = game.about();
    let full = fields.flag("full")?;
    let effort = if full { Effort::Full } else { Effort::Quick };
    let paper = server.config.papers.of(about.id).ok_or_else(|| {
        let accepts = text("a game with a paper", "論文のあるゲーム");
        Refusal::new("game", format!("\"{}\"", about.id), accepts)
    })?;
    let labels = (paper.reproduction)(effort).parts();
    let names = fields.texts("parts", labels.len())?.unwrap_or_default();
    let mut parts = Vec::new();
    for name in &names {
        let at = labels.iter().position(|label| label.id == name).ok_or_else(|| {
            Fault::of(about.id, Refusal::new("parts", format!("\"{name}\""), accepted(&labels)).into())
        })?;
        parts.push(at);
    }
    parts.sort_unstable();
    parts.dedup();
    let seed = server.config.seed;
    let mut command = format!("yomikiri reproduce {}", about.id);
    if parts.is_empty() {
        parts = (0..labels.len()).collect();
    } else {
        let ids: Vec<&str> = parts.iter().map(|at| labels[*at].id).collect();
        command.push_str(&format!(" --only {}", ids.join(",")));
    }
    if full {
        command.push_str(" --full");
    }
    if seed != 1 {
        command.push_str(&format!(" --seed {seed}"));
    }
    let title = Title { kind: "reproduce", game: about.id, title: paper.citation.clone(), command, seed };
    Ok((title, Task::Reproduce(Wanted { paper, parts, effort })))
}

/// Runs a job when there is a place for it.
fn go(server: &Arc<Server>, job: &Arc<Job>) {
    let (server, job) = (Arc::clone(server), Arc::clone(job));
    tokio::spawn(async move {
        let bench = server.work.benches.clone().acquire_owned().await;
        tokio::task::spawn_blocking(move || {
            let _held = bench;
            work::run(&job, || match &job.task {
                Task::Study(asked) => run_study(&server, &job, asked),
                Task::Reproduce(wanted) => run_reproduction(&server, &job, wanted),
                Task::Request => Err(Fault::panic()),
            });
        });
    });
}

fn run_study(server: &Server, job: &Job, asked: &Asked) -> Result<Answer, Fault> {
    let of = |e: Error| Fault::of(asked.game.about().id, e);
    let outcome = if asked.study.rows.is_empty() {
        (asked.study.run)(&asked.settings, &server.run(job, &Unkept, asked.seed))
    } else {
        let keeper = server.config.rows.open(asked, job).map_err(of)?;
        let keeper = Counted { keeper: keeper.as_ref(), job };
        (asked.study.run)(&asked.settings, &server.run(job, &keeper, asked.seed))
    };
    let outcome = outcome.map_err(of)?;
    let (blocks, tables) = report::blocks(&job.id, 0, &outcome.blocks);
    job.set_tables(tables);
    Ok(Answer::json(&json!({"good": outcome.good, "blocks": blocks, "json": outcome.json})))
}

fn run_reproduction(server: &Server, job: &Job, wanted: &Wanted) -> Result<Answer, Fault> {
    let about = wanted.paper.game.about();
    let all = (wanted.paper.reproduction)(wanted.effort);
    let labels = all.parts();
    let run = server.run(job, &Unkept, server.config.seed);
    job.no_parts();
    let mut done = Vec::new();
    Observer::begin(job, &text("parts", "部分"), wanted.parts.len() as u64);
    for &at in &wanted.parts {
        let key = (about.id, labels[at].id, wanted.effort == Effort::Full);
        let known = server.parts().get(&key).cloned();
        let part = match known {
            Some(part) => part,
            None => {
                let begun = Instant::now();
                let piece = all.run(at, &run).map_err(|e| Fault::of(about.id, e))?;
                let seconds = begun.elapsed().as_secs_f64();
                let part = Arc::new(PartDone { label: labels[at].clone(), piece, seconds });
                server.parts().insert(key, Arc::clone(&part));
                part
            }
        };
        let (json, tables) = part_json(job, about.id, wanted.effort, &part);
        job.part(json, tables);
        done.push((part.label.clone(), part.piece.clone()));
        Observer::done(job, done.len() as u64);
    }
    Observer::end(job);
    let good = done.iter().all(|(_, piece)| piece.good());
    let mut body = joined(about.id, &job.parts());
    body.pop();
    let rest = json!({"good": good, "text": text_json(&conclusion(&about.name, &done))});
    body.push(b',');
    body.extend_from_slice(&written(&rest)[1..]);
    Ok(Answer { kind: JSON, body: body.into() })
}

fn part_json(job: &Job, game: &str, effort: Effort, part: &PartDone) -> (Bytes, Vec<Vec<u8>>) {
    let PartDone { label, piece, seconds } = part;
    let (blocks, tables) = report::blocks(&job.id, job.count_tables(), &piece.blocks);
    let tally = piece.tally;
    let json = written(&json!({
        "id": label.id, "title": text_json(&label.title),
        "command": command(game, label.id, effort, job.title.seed), "seconds": seconds,
        "tally": {"match": tally.matches, "erratum": tally.errata, "open": tally.open,
            "differing": tally.differing + piece.faults},
        "report": {"good": piece.good(), "blocks": blocks}, "errata": piece.errata,
    }));
    (json, tables)
}

fn attachment(mut reply: Reply, name: &str) -> Reply {
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        reply.headers_mut().insert("content-disposition", value);
    }
    reply
}

/// `GET /api/jobs/{id}/tables/{file}`
pub async fn table(server: Arc<Server>, ask: Ask) -> Result<Reply, Fault> {
    ask.only(&[])?;
    let job = found(&server, &ask)?;
    let file = ask.part("file");
    let number = file.strip_suffix(".csv").and_then(|n| n.parse::<usize>().ok());
    let table = number.and_then(|n| job.table(n)).ok_or_else(|| {
        let most = job.count_tables();
        let accepts = match most {
            0 => text("nothing: there are no tables yet", "なし（表はまだありません）"),
            _ => Text::of(format!("1.csv to {most}.csv"), format!("1.csv～{most}.csv")),
        };
        Fault::unknown(Refusal::new("file", format!("\"{file}\""), accepts))
    })?;
    let name = format!("{}-{}-{file}", job.title.game, job.title.kind);
    Ok(attachment(bytes(200, CSV, Bytes::copy_from_slice(&table)), &name))
}

/// `GET /api/jobs/{id}/rows.csv`
pub async fn rows(server: Arc<Server>, ask: Ask) -> Result<Reply, Fault> {
    ask.only(&[])?;
    let job = found(&server, &ask)?;
    let name = match &job.task {
        Task::Study(asked) if !asked.study.rows.is_empty() => {
            format!("{}-{}.csv", asked.game.about().id, asked.study.name)
        }
        _ => {
            let accepts = text("a study that makes rows", "行を出力する実験");
            return Err(Fault::unknown(Refusal::new("job", format!("\"{}\"", job.id), accepts)));
        }
    };
    let place = server.downloads.clone().try_acquire_owned().map_err(|_| Fault::busy(RETRY))?;
    let (sender, body) = Channel::new(2);
    let handle = Handle::current();
    tokio::task::spawn_blocking(move || {
        let _held = place;
        let Task::Study(asked) = &job.task else { return };
        let chunks = Chunks { sender, handle };
        let mut out = BufWriter::with_capacity(CHUNK, chunks);
        let written = write_csv(server.config.rows.as_ref(), asked, job.count_rows(), &mut out);
        match (written, out.into_inner()) {
            (Ok(()), Ok(_)) => {}
            (Err(e), Ok(chunks)) => {
                // A client that has gone needs no word; for others the answer breaks off rather than looks whole.
                chunks.sender.abort(e);
            }
            (_, Err(e)) => tracing::debug!("rows: {e}"),
        }
    });
    Ok(attachment(bytes(200, CSV, Body::new(body)), &name))
}

/// Sends what is written to it.
struct Chunks {
    sender: Sender<Bytes, io::Error>,
    handle: Handle,
}

impl Write for Chunks {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let sent = self.handle.block_on(self.sender.send_data(Bytes::copy_from_slice(buf)));
        sent.map(|()| buf.len()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
