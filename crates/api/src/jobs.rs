//! Studies and reproductions: work that goes on without anybody looking.

use crate::answer::{Body, Bytes, CSV, Content, JSON, written};
use crate::counted::Counted;
use crate::fault::text_json;
use crate::job::{Job, State, Task, Title, Until, Wanted, joined};
use crate::request::{Fields, LARGEST};
use crate::rows::{Asked, write_csv};
use crate::wait::Wait;
use crate::{Answer, Api, Fault, Reply, Request, report};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use yomikiri_core::rows::Unkept;
use yomikiri_core::{Error, Observer, Refusal, Text, text};
use yomikiri_games::Entry;
use yomikiri_papers::Effort;
use yomikiri_papers::reproduction::{Label, Piece, accepted, conclusion};

/// The longest that a request waits for news, in milliseconds.
const WAIT: u64 = 10_000;
/// Seconds after which a job may find a place.
const RETRY: u64 = 10;
/// How long who stops a job waits to see it stopped: most do at once.
const STOPPING: Duration = Duration::from_millis(300);

/// A part that has been computed, for whoever asks again.
pub struct PartDone {
    label: Label,
    piece: Piece,
    seconds: f64,
}

fn found(api: &Api, ask: &Request) -> Result<Arc<Job>, Fault> {
    let id = ask.part("id");
    let job = api.work.find(id);
    job.ok_or_else(|| {
        let accepts = text("a job of this server that is still kept", "このサーバに残っているジョブ");
        Fault::unknown(Refusal::new("job", format!("\"{id}\""), accepts))
    })
}

/// `GET /api/jobs`
pub fn list(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    ask.only(&[])?;
    let mut body = b"{\"jobs\":[".to_vec();
    for (at, job) in api.work.lasting().iter().enumerate() {
        if at > 0 {
            body.push(b',');
        }
        body.extend_from_slice(&job.to_json(false));
    }
    body.extend_from_slice(b"]}");
    Ok(Answer::of(200, JSON, body).into())
}

/// `GET /api/jobs/{id}`
pub fn show(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    ask.only(&["wait", "seen"])?;
    let job = found(api, &ask)?;
    job.asked();
    let seen = ask.number("seen", LARGEST)?;
    let Some(most) = ask.number("wait", WAIT)? else {
        return Ok(Answer::of(200, JSON, job.to_json(true)).into());
    };
    let (until, most) = (Until::News(seen.unwrap_or_else(|| job.news())), Duration::from_millis(most));
    let asked = Arc::clone(&job);
    let then = move || {
        asked.asked();
        Answer::of(200, JSON, asked.to_json(true))
    };
    Ok(Reply::Wait(Wait { job, until, most, then: Box::new(then) }))
}

/// `DELETE /api/jobs/{id}`
pub fn stop(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    ask.only(&[])?;
    let job = found(api, &ask)?;
    if job.state().over() {
        api.work.forget(&job.id);
        if let Task::Study(asked) = &job.task {
            api.config.rows.forget(asked);
        }
        return Ok(Answer::of(200, JSON, job.to_json(false)).into());
    }
    job.stop(None);
    let stopped = Arc::clone(&job);
    let then = move || Answer::of(200, JSON, stopped.to_json(false));
    Ok(Reply::Wait(Wait { job, until: Until::Over, most: STOPPING, then: Box::new(then) }))
}

/// `POST /api/jobs`
pub fn start(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    ask.only(&[])?;
    let mut fields = Fields::new(&ask.body)?;
    let kinds = &["study", "reproduce"];
    let kind = fields.needed("kind")?;
    if !kinds.contains(&kind.as_str()) {
        return Err(Refusal::new("kind", format!("\"{kind}\""), Text::same(kinds.join(", "))).into());
    }
    let game = api.game(&fields.needed("game")?)?;
    let (title, task) =
        if kind == "study" { study(api, game, &mut fields)? } else { reproduction(api, game, &mut fields)? };
    let again = kind == "reproduce" && fields.flag("again")?;
    fields.end()?;
    // What is to be verified again is not taken from what was found before.
    if let (true, Task::Reproduce(wanted)) = (again, &task) {
        let labels = (wanted.paper.reproduction)(wanted.effort).parts();
        let full = wanted.effort == Effort::Full;
        wanted.parts.iter().for_each(|at| drop(api.parts().remove(&(game.about().id, labels[*at].id, full))));
    }
    // The same work is done once and shared; what was stopped goes on.
    let same = api.work.lasting().into_iter().rev();
    let same = same.filter(|job| job.title.kind == title.kind).find(|job| job.title.command == title.command);
    if let Some(same) = &same
        && (matches!(same.state(), State::Waiting | State::Running) || same.state() == State::Done && !again)
    {
        return Ok(Answer::of(200, JSON, same.to_json(false)).into());
    }
    room(api)?;
    if let Some(same) = same
        && same.again()
    {
        go(api, &same);
        return Ok(Answer::of(200, JSON, same.to_json(false)).into());
    }
    let (number, job) = api.job(title, task);
    api.work.publish(number, &job);
    go(api, &job);
    let answer = Answer::of(201, JSON, job.to_json(false));
    Ok(answer.with("location", format!("/api/jobs/{}", job.id)).into())
}

/// `POST /api/jobs/{id}/resume`
pub fn resume(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    ask.only(&[])?;
    let job = found(api, &ask)?;
    room(api)?;
    if matches!(job.task, Task::Request) || !job.again() {
        let accepts = text("a study or reproduction that was stopped", "中断した実験または再現");
        let refusal = Refusal::new("job", format!("\"{}\"", job.id), accepts);
        return Err(Fault { status: 409, code: "state", ..Fault::from(refusal) });
    }
    go(api, &job);
    Ok(Answer::of(200, JSON, job.to_json(false)).into())
}

/// Whether there is a place for one more.
fn room(api: &Api) -> Result<(), Fault> {
    let limits = &api.config.limits;
    let full = api.work.unfinished() >= limits.jobs + limits.waiting_jobs;
    if full { Err(Fault::busy(RETRY)) } else { Ok(()) }
}

fn study(api: &Api, game: &'static dyn Entry, fields: &mut Fields) -> Result<(Title, Task), Fault> {
    let about = game.about();
    let name = fields.needed("study")?;
    let studies = api.config.papers.studies(about.id);
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
    let seed = fields.number("seed", LARGEST)?.unwrap_or(api.config.seed);
    let flags = crate::flags(study.params, &settings);
    let command = format!("yomikiri study {} {name}{flags} --seed {seed}", about.id);
    let title = Text::of(
        format!("{}: {}", about.name.en, study.summary.en),
        format!("{}：{}", about.name.ja, study.summary.ja),
    );
    let title = Title { kind: "study", game: about.id, title, command, seed };
    Ok((title, Task::Study(Asked { game, study, settings, seed })))
}

fn reproduction(api: &Api, game: &'static dyn Entry, fields: &mut Fields) -> Result<(Title, Task), Fault> {
    let about = game.about();
    let full = fields.flag("full")?;
    let effort = if full { Effort::Full } else { Effort::Quick };
    let paper = api.config.papers.of(about.id).ok_or_else(|| {
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
    let seed = api.config.seed;
    let ids: Vec<&str> = parts.iter().map(|at| labels[*at].id).collect();
    let command = reproduce_command(about.id, &ids, effort, seed);
    if parts.is_empty() {
        parts = (0..labels.len()).collect();
    }
    let title = Title { kind: "reproduce", game: about.id, title: paper.citation.clone(), command, seed };
    Ok((title, Task::Reproduce(Wanted { paper, parts, effort })))
}

/// What to type to compute these parts of a paper again; without parts, all of them.
pub fn reproduce_command(game: &str, parts: &[&str], effort: Effort, seed: u64) -> String {
    let only = if parts.is_empty() { String::new() } else { format!(" --only {}", parts.join(",")) };
    let full = if effort == Effort::Full { " --full" } else { "" };
    // The seed is left out where it is the default.
    let seed = if seed == 1 { String::new() } else { format!(" --seed {seed}") };
    format!("yomikiri reproduce {game}{only}{full}{seed}")
}

/// Runs a job when its turn comes.
fn go(api: &Arc<Api>, job: &Arc<Job>) {
    api.go(job, |api, job| match &job.task {
        Task::Study(asked) => run_study(api, job, asked),
        Task::Reproduce(wanted) => run_reproduction(api, job, wanted),
        Task::Request => Err(Fault::panic()),
    });
}

fn run_study(api: &Api, job: &Job, asked: &Asked) -> Result<Content, Fault> {
    let of = |e: Error| Fault::of(asked.game.about().id, e);
    let memory = api.grants.grant();
    let outcome = if asked.study.rows.is_empty() {
        (asked.study.run)(&asked.settings, &api.run(job, &Unkept, asked.seed, &memory))
    } else {
        let keeper = api.config.rows.open(asked, job).map_err(of)?;
        let keeper = Counted { keeper: keeper.as_ref(), job };
        (asked.study.run)(&asked.settings, &api.run(job, &keeper, asked.seed, &memory))
    };
    let outcome = outcome.map_err(of)?;
    api.config.tables.sound(asked.game.about().id).map_err(of)?;
    let (blocks, tables) = report::blocks(&job.id, 0, &outcome.blocks);
    job.set_tables(tables.into_iter().map(Bytes::from).collect());
    Ok(Content::json(&json!({"good": outcome.good, "blocks": blocks, "json": outcome.json})))
}

fn run_reproduction(api: &Api, job: &Job, wanted: &Wanted) -> Result<Content, Fault> {
    let about = wanted.paper.about();
    let all = (wanted.paper.reproduction)(wanted.effort);
    let labels = all.parts();
    let memory = api.grants.grant();
    let run = api.run(job, &Unkept, api.config.seed, &memory);
    job.no_parts();
    let mut done = Vec::new();
    Observer::begin(job, &text("parts", "部分"), wanted.parts.len() as u64);
    for &at in &wanted.parts {
        let key = (about.id, labels[at].id, wanted.effort == Effort::Full);
        let known = api.parts().get(&key).cloned();
        let part = match known {
            Some(part) => part,
            None => {
                let begun = api.host.now();
                let piece = all.run(at, &run).map_err(|e| Fault::of(about.id, e))?;
                run.tables.sound(about.id).map_err(|e| Fault::of(about.id, e))?;
                let seconds = api.host.now().saturating_sub(begun).as_secs_f64();
                let part = Arc::new(PartDone { label: labels[at].clone(), piece, seconds });
                api.parts().insert(key, Arc::clone(&part));
                part
            }
        };
        let (json, tables) = part_json(job, wanted, &part);
        job.part(json, tables.into_iter().map(Bytes::from).collect());
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
    Ok(Content { kind: JSON, body: body.into() })
}

fn part_json(job: &Job, wanted: &Wanted, part: &PartDone) -> (Bytes, Vec<Vec<u8>>) {
    let game = wanted.paper.about().id;
    let PartDone { label, piece, seconds } = part;
    let (blocks, tables) = report::blocks(&job.id, job.count_tables(), &piece.blocks);
    let json = written(&json!({
        "id": label.id, "title": text_json(&label.title),
        "command": reproduce_command(game, &[label.id], wanted.effort, job.title.seed), "seconds": seconds,
        "tally": piece.tally.json(piece.faults),
        "report": {"good": piece.good(), "blocks": blocks}, "errata": piece.errata,
    }));
    (json, tables)
}

fn attachment(answer: Answer, name: &str) -> Reply {
    answer.with("content-disposition", format!("attachment; filename=\"{name}\"")).into()
}

/// `GET /api/jobs/{id}/tables/{file}`
pub fn table(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    ask.only(&[])?;
    let job = found(api, &ask)?;
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
    Ok(attachment(Answer::of(200, CSV, table), &name))
}

/// `GET /api/jobs/{id}/rows.csv`
pub fn rows(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    ask.only(&[])?;
    let job = found(api, &ask)?;
    let name = match &job.task {
        Task::Study(asked) if !asked.study.rows.is_empty() => {
            format!("{}-{}.csv", asked.game.about().id, asked.study.name)
        }
        _ => {
            let accepts = text("a study that makes rows", "行を出力する実験");
            return Err(Fault::unknown(Refusal::new("job", format!("\"{}\"", job.id), accepts)));
        }
    };
    let place = Download::begin(api).ok_or_else(|| Fault::busy(RETRY))?;
    let api = Arc::clone(api);
    let write = move |out: &mut dyn std::io::Write| {
        let _held = place;
        match &job.task {
            Task::Study(asked) => write_csv(api.config.rows.as_ref(), asked, job.count_rows(), out),
            _ => Ok(()),
        }
    };
    let answer = Answer { status: 200, kind: CSV, headers: Vec::new(), body: Body::Written(Box::new(write)) };
    Ok(attachment(answer, &name))
}

/// A file that is being written.
struct Download(Arc<AtomicUsize>);

impl Download {
    /// One more, unless there are too many.
    fn begin(api: &Api) -> Option<Download> {
        let most = api.config.limits.downloads;
        let one_more = |n: usize| (n < most).then_some(n + 1);
        api.downloads.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).ok()?;
        Some(Download(Arc::clone(&api.downloads)))
    }
}

impl Drop for Download {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
