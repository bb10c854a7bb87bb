//! A piece of work that may take long, as its watchers see it: how far it is, what it has found so far, how it ended.

use crate::answer::{Bytes, Content, JSON};
use crate::elsewhere::Told;
use crate::fault::{text_json, text_of};
use crate::rows::Asked;
use crate::{Fault, Host};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Poll, Waker};
use std::time::Duration;
use yomikiri_core::run::Estimate;
use yomikiri_core::{Observer, Text};
use yomikiri_papers::{Effort, Paper};

/// Notes that are kept; the oldest go first.
const NOTES: usize = 50;

/// How a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Others are before it.
    Waiting,
    /// It runs.
    Running,
    /// It is finished.
    Done,
    /// It could not be finished.
    Failed,
    /// Somebody stopped it.
    Cancelled,
}

impl State {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Running => "running",
            State::Done => "done",
            State::Failed => "failed",
            State::Cancelled => "cancelled",
        }
    }

    /// Whether nothing more happens.
    pub fn over(self) -> bool {
        !matches!(self, State::Waiting | State::Running)
    }
}

/// What a job is called.
#[derive(Clone, Debug)]
pub struct Title {
    /// What kind of work: `request`, `study`, `reproduce`.
    pub kind: &'static str,
    /// The game it is about.
    pub game: &'static str,
    /// In words.
    pub title: Text,
    /// The command that does the same, where there is one.
    pub command: String,
    /// The seed.
    pub seed: u64,
}

/// A paper to be computed again.
pub struct Wanted {
    /// The paper.
    pub paper: &'static Paper,
    /// The places of the parts in the list; all if none are named.
    pub parts: Vec<usize>,
    /// How thoroughly.
    pub effort: Effort,
}

/// What a job does.
pub enum Task {
    /// It answers a request.
    Request,
    /// It runs a study.
    Study(Asked),
    /// It computes a paper again.
    Reproduce(Wanted),
}

/// What a wait is for.
#[derive(Clone, Copy)]
pub enum Until {
    /// The job is over.
    Over,
    /// The job is over, or has other news than these.
    News(u64),
}

/// A step of progress within others.
struct Piece {
    what: Text,
    total: u64,
    done: u64,
    /// When steps were first told and how many: those were done before, or belong to the beginning.
    first: Option<(Duration, u64)>,
}

/// A job.
pub struct Job {
    /// What it is asked for by.
    pub id: String,
    /// What it is called.
    pub title: Title,
    /// What it does.
    pub task: Task,
    /// Raised to stop it.
    pub cancel: AtomicBool,
    host: Arc<dyn Host>,
    inner: Mutex<Inner>,
}

struct Inner {
    state: State,
    /// Counts changes that are worth waiting for.
    news: u64,
    /// Who waits for them.
    wakers: BTreeMap<u64, Waker>,
    /// How many have waited.
    waited: u64,
    began: Option<Duration>,
    /// Time spent before it was stopped and taken up again, or all of it in the end.
    spent: Duration,
    /// When somebody last asked for it.
    asked: Duration,
    pieces: Vec<Piece>,
    notes: VecDeque<Text>,
    live: Vec<Estimate>,
    rows: Option<u64>,
    fault: Option<Fault>,
    /// Why it was stopped, if not because somebody wanted it.
    reason: Option<Fault>,
    /// The parts of the result that are there: JSON each. The result of a job without parts is one.
    parts: Vec<Bytes>,
    answer: Option<Content>,
    /// All of it as JSON, once it is over and somebody has asked: written once, for all who ask.
    written: Option<Bytes>,
    /// The tables of the result as CSV, in order.
    tables: Vec<Bytes>,
}

impl Job {
    /// A job that waits to be run.
    pub fn new(id: String, title: Title, task: Task, host: Arc<dyn Host>) -> Job {
        let inner = Inner {
            state: State::Waiting,
            news: 0,
            wakers: BTreeMap::new(),
            waited: 0,
            began: None,
            spent: Duration::ZERO,
            asked: host.now(),
            pieces: Vec::new(),
            notes: VecDeque::new(),
            live: Vec::new(),
            rows: None,
            fault: None,
            reason: None,
            parts: Vec::new(),
            answer: None,
            written: None,
            tables: Vec::new(),
        };
        Job { id, title, task, cancel: AtomicBool::new(false), host, inner: Mutex::new(inner) }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // Whoever panicked has at most left a progress bar half told.
        self.inner.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Tells whoever waits that something has changed.
    fn tell(&self, mut inner: MutexGuard<'_, Inner>) {
        inner.news += 1;
        let wakers = std::mem::take(&mut inner.wakers);
        drop(inner);
        wakers.into_values().for_each(Waker::wake);
    }

    /// Whether what somebody waits for is there; if not, they are woken when there is news. `place` is where their waker
    /// stands.
    pub fn poll(&self, until: Until, place: &mut Option<u64>, waker: &Waker) -> Poll<()> {
        let mut inner = self.inner();
        let there = match until {
            Until::Over => inner.state.over(),
            Until::News(seen) => inner.state.over() || inner.news != seen,
        };
        if there {
            return Poll::Ready(());
        }
        let at = *place.get_or_insert_with(|| {
            inner.waited += 1;
            inner.waited
        });
        inner.wakers.insert(at, waker.clone());
        Poll::Pending
    }

    /// Forgets who waits no longer.
    pub fn forget_waker(&self, place: u64) {
        self.inner().wakers.remove(&place);
    }

    /// The number of its news so far.
    pub fn news(&self) -> u64 {
        self.inner().news
    }

    /// How it stands.
    pub fn state(&self) -> State {
        self.inner().state
    }

    /// Sets it going if it waits.
    pub fn begin(&self) -> bool {
        let mut inner = self.inner();
        if inner.state != State::Waiting {
            return false;
        }
        inner.state = State::Running;
        inner.began = Some(self.host.now());
        self.tell(inner);
        true
    }

    /// Puts it back in line; false if it is not over, or done.
    pub fn again(&self) -> bool {
        let mut inner = self.inner();
        if !matches!(inner.state, State::Failed | State::Cancelled) {
            return false;
        }
        inner.state = State::Waiting;
        inner.written = None;
        (inner.fault, inner.reason) = (None, None);
        inner.pieces.clear();
        self.cancel.store(false, Ordering::Relaxed);
        self.tell(inner);
        true
    }

    /// Ends it.
    pub fn end(&self, outcome: Result<Content, Fault>) {
        let mut inner = self.inner();
        let spent = inner.began.take().map_or(Duration::ZERO, |began| self.since(began));
        inner.spent += spent;
        inner.state = match outcome {
            Ok(answer) => {
                inner.answer = Some(answer);
                State::Done
            }
            Err(fault) if fault.code == "cancelled" => match inner.reason.take() {
                Some(reason) => {
                    inner.fault = Some(reason);
                    State::Failed
                }
                None => {
                    inner.fault = Some(fault);
                    State::Cancelled
                }
            },
            Err(fault) => {
                inner.fault = Some(fault);
                State::Failed
            }
        };
        if let Some(fault) = inner.fault.as_mut().filter(|fault| ["memory", "timeout"].contains(&fault.code))
        {
            // Another machine, or more patience, may do it.
            fault.command = Some(self.title.command.as_str().into());
        }
        inner.pieces.clear();
        self.tell(inner);
    }

    /// Asks it to stop, for a reason of ours if there is one; one that waits is stopped at once.
    pub fn stop(&self, reason: Option<Fault>) {
        let mut inner = self.inner();
        if let Some(reason) = reason {
            inner.reason.get_or_insert(reason);
        }
        self.cancel.store(true, Ordering::Relaxed);
        let (waits, over) = (inner.state == State::Waiting, inner.state.over());
        drop(inner);
        let elsewhere = self.host.elsewhere().filter(|_| !over);
        if let Some(elsewhere) = elsewhere {
            elsewhere.recall(&self.id);
        }
        if waits || elsewhere.is_some() {
            self.end(Err(Fault::cancelled()));
        }
    }

    /// Somebody has asked for it.
    pub fn asked(&self) {
        let now = self.host.now();
        self.inner().asked = now;
    }

    /// How long ago somebody asked for it.
    pub fn unasked(&self) -> Duration {
        let asked = self.inner().asked;
        self.since(asked)
    }

    /// How long it has been running.
    pub fn elapsed(&self) -> Duration {
        let inner = self.inner();
        inner.spent + inner.began.map_or(Duration::ZERO, |began| self.since(began))
    }

    fn since(&self, moment: Duration) -> Duration {
        self.host.now().saturating_sub(moment)
    }

    /// Adds a part of the result, with its tables.
    pub fn part(&self, part: Bytes, tables: Vec<Bytes>) {
        let mut inner = self.inner();
        inner.parts.push(Arc::clone(&part));
        inner.tables.extend(tables.iter().cloned());
        self.tell(inner);
        self.host.told(Told::Part(part, tables));
    }

    /// The tables of the result.
    pub fn set_tables(&self, tables: Vec<Bytes>) {
        self.inner().tables = tables;
    }

    /// Tells the host how far it is, if it wants to know.
    fn course(&self) {
        if self.host.curious() {
            self.host.told(Told::Course(self.to_json(false)));
        }
    }

    /// How far it is, as its JSON says it elsewhere.
    pub fn reflect(&self, course: &Value) {
        let now = self.host.now();
        let list = |name: &str| course[name].as_array().map_or(&[][..], Vec::as_slice);
        let mut inner = self.inner();
        let mut before = std::mem::take(&mut inner.pieces).into_iter();
        for piece in list("progress") {
            let whole = |name: &str| piece[name].as_u64().unwrap_or(0);
            let (what, total, done) =
                (text_of(&piece["what"]).unwrap_or_default(), whole("total"), whole("done"));
            let same = before.next().filter(|old| old.what == what && old.total == total && old.done <= done);
            let first = same.and_then(|old| old.first).or((done > 0).then_some((now, done)));
            inner.pieces.push(Piece { what, total, done, first });
        }
        inner.notes = list("notes").iter().filter_map(text_of).collect();
        inner.live = list("live").iter().filter_map(estimate).collect();
        inner.rows = course["rows"].as_u64().or(inner.rows);
    }

    /// Forgets the parts, before they are made again.
    pub fn no_parts(&self) {
        let mut inner = self.inner();
        inner.parts.clear();
        inner.tables.clear();
    }

    /// The parts so far.
    pub fn parts(&self) -> Vec<Bytes> {
        self.inner().parts.clone()
    }

    /// How many tables there are so far.
    pub fn count_tables(&self) -> usize {
        self.inner().tables.len()
    }

    /// A table of the result as CSV, from 1.
    pub fn table(&self, n: usize) -> Option<Bytes> {
        self.inner().tables.get(n.checked_sub(1)?).cloned()
    }

    /// Says how many rows there are.
    pub fn rows(&self, rows: Option<u64>) {
        self.inner().rows = rows;
    }

    /// How many rows there are.
    pub fn count_rows(&self) -> u64 {
        self.inner().rows.unwrap_or(0)
    }

    /// What it answered, or why not, once it is over.
    pub fn outcome(&self) -> Option<Result<Content, Fault>> {
        let inner = self.inner();
        match (&inner.answer, &inner.fault) {
            _ if !inner.state.over() => None,
            (Some(answer), _) => Some(Ok(answer.clone())),
            (None, Some(fault)) => Some(Err(fault.clone())),
            (None, None) => Some(Err(Fault::panic())),
        }
    }

    /// The job as JSON, with its result if it is wanted and there.
    pub fn to_json(&self, result: bool) -> Bytes {
        let mut inner = self.inner();
        if let Some(written) = inner.written.as_ref().filter(|_| result) {
            return Arc::clone(written);
        }
        let bytes = self.write(&inner, result);
        if result && inner.state.over() {
            inner.written = Some(Arc::clone(&bytes));
        }
        bytes
    }

    /// Bytes of what it has found, and of what is written of it.
    pub fn held(&self) -> usize {
        let inner = self.inner();
        let answer = inner.answer.as_ref().map_or(0, |answer| answer.body.len());
        let lists = inner.parts.iter().chain(&inner.tables).chain(&inner.written);
        answer + lists.map(|bytes| bytes.len()).sum::<usize>()
    }

    fn write(&self, inner: &Inner, result: bool) -> Bytes {
        let elapsed = inner.spent + inner.began.map_or(Duration::ZERO, |began| self.since(began));
        let now = self.host.now();
        let mut job = Map::new();
        job.insert("id".into(), self.id.clone().into());
        job.insert("kind".into(), self.title.kind.into());
        job.insert("game".into(), self.title.game.into());
        job.insert("title".into(), text_json(&self.title.title));
        job.insert("command".into(), self.title.command.clone().into());
        job.insert("seed".into(), self.title.seed.into());
        job.insert("state".into(), inner.state.word().into());
        job.insert("news".into(), inner.news.into());
        job.insert("elapsed".into(), elapsed.as_secs_f64().into());
        job.insert("progress".into(), inner.pieces.iter().map(|piece| piece.to_json(now)).collect());
        job.insert("notes".into(), inner.notes.iter().map(text_json).collect());
        job.insert("live".into(), inner.live.iter().map(estimate_json).collect());
        if let Some(rows) = inner.rows {
            job.insert("rows".into(), rows.into());
        }
        if let Some(fault) = &inner.fault {
            job.insert("error".into(), fault.to_json());
        }
        let answer = inner.answer.as_ref();
        let parts = if answer.is_none() { &inner.parts[..] } else { &[] };
        let mut bytes = serde_json::to_vec(&Value::Object(job)).unwrap_or_default();
        if !result || (answer.is_none() && parts.is_empty()) {
            return bytes.into();
        }
        // Results are large and written already: they are set in as they are.
        bytes.pop();
        bytes.extend_from_slice(b",\"result\":");
        match answer {
            Some(answer) if answer.kind == JSON => bytes.extend_from_slice(&answer.body),
            Some(answer) => {
                let text = Value::from(String::from_utf8_lossy(&answer.body));
                bytes.extend_from_slice(text.to_string().as_bytes());
            }
            None => bytes.extend_from_slice(&joined(self.title.game, parts)),
        }
        bytes.push(b'}');
        bytes.into()
    }
}

/// A reproduction from its parts.
pub fn joined(game: &str, parts: &[Bytes]) -> Vec<u8> {
    let mut out = format!("{{\"game\":{},\"parts\":[", Value::from(game)).into_bytes();
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        out.extend_from_slice(part);
    }
    out.extend_from_slice(b"]}");
    out
}

fn estimate_json(e: &Estimate) -> Value {
    let mut json = json!({"name": text_json(&e.name), "value": e.value, "low": e.low, "high": e.high, "text": text_json(&e.text)});
    if let Some(published) = e.published {
        json["published"] = published.into();
    }
    json
}

fn estimate(json: &Value) -> Option<Estimate> {
    let end = |name: &str| json[name].as_f64();
    let (name, text) = (text_of(&json["name"])?, text_of(&json["text"])?);
    Some(Estimate {
        name,
        value: end("value")?,
        low: end("low")?,
        high: end("high")?,
        text,
        published: end("published"),
    })
}

impl Piece {
    fn to_json(&self, now: Duration) -> Value {
        let mut piece = Map::new();
        piece.insert("what".into(), text_json(&self.what));
        piece.insert("done".into(), self.done.into());
        piece.insert("total".into(), self.total.into());
        let rate = self.first.map_or(0.0, |(when, before)| {
            let seconds = now.saturating_sub(when).as_secs_f64();
            if seconds > 0.0 { self.done.saturating_sub(before) as f64 / seconds } else { 0.0 }
        });
        piece.insert("rate".into(), rate.into());
        if rate > 0.0 && self.total > 0 {
            let left = self.total.saturating_sub(self.done) as f64 / rate;
            piece.insert("left".into(), left.into());
        }
        Value::Object(piece)
    }
}

impl Observer for Job {
    fn begin(&self, what: &Text, total: u64) {
        self.inner().pieces.push(Piece { what: what.clone(), total, done: 0, first: None });
        self.course();
    }
    fn done(&self, steps: u64) {
        if let Some(piece) = self.inner().pieces.last_mut() {
            piece.done = steps;
            piece.first.get_or_insert_with(|| (self.host.now(), steps));
        }
        self.course();
    }
    fn end(&self) {
        self.inner().pieces.pop();
    }
    fn note(&self, what: &Text) {
        let mut inner = self.inner();
        if inner.notes.len() == NOTES {
            inner.notes.pop_front();
        }
        inner.notes.push_back(what.clone());
    }
    fn live(&self, estimates: &[Estimate]) {
        self.inner().live = estimates.to_vec();
        self.course();
    }
}
