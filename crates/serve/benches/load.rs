//! How many questions the server answers: `show` of positions of Memory with 13 ranks, over loopback, each connection
//! asking one after another. First one position again and again; then for a minute positions that have not been asked
//! before, so that kept answers do not explain the figure. The server is a process of its own, so that its memory is
//! its own. Run it with `cargo xtask bench`; a number of seconds shortens the minute.
//!
//! With other builds of the program on its command line, by their paths, all are asked in turns instead, each afresh, the
//! same positions in the same order: `cargo bench -p yomikiri-serve --bench load -- 10 path/to/yomikiri`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use yomikiri_serve::{Config, Limits};
use yomikiri_testkit::bench::line;

/// Connections that ask at once.
const CLIENTS: usize = 8;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|w| w == "as-server") {
        return serve();
    }
    let seconds = words.iter().find_map(|w| w.parse().ok()).unwrap_or(60);
    let others: Vec<&String> = words.iter().filter(|w| w.contains('/')).collect();
    if !others.is_empty() {
        return in_turns(&others, Duration::from_secs(seconds));
    }
    let (mut server, port) = start(None);
    let positions = positions();
    println!("The server: show of Memory, 13 ranks, {CLIENTS} connections  measured  target");

    // Solved once, then from memory.
    let mut first = Connection::new(port);
    while first.ask("9x40,2x31,22,11,d1").0 != 200 {
        std::thread::sleep(Duration::from_millis(100));
    }
    let same = load(port, Duration::from_secs(seconds.min(10)), |_| Some("9x40,2x31,22,11,d1".to_owned()));
    line("the same position", &same.to_string(), "", None);

    let next = AtomicUsize::new(0);
    let fresh = |_| {
        let n = next.fetch_add(1, Ordering::Relaxed);
        positions.get(n).cloned()
    };
    // Until the cache of kept answers is full.
    let warm = load(port, Duration::from_secs((seconds / 4).max(1)), fresh);
    let over = AtomicBool::new(false);
    let (load, held) = std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut held = Vec::new();
            while !over.load(Ordering::Relaxed) {
                held.extend(memory(&server));
                std::thread::sleep(Duration::from_millis(250));
            }
            held
        });
        let load = load(port, Duration::from_secs(seconds), fresh);
        over.store(true, Ordering::Relaxed);
        (load, watch.join().expect("a watch"))
    });
    line("positions never asked before", &load.to_string(), "", None);
    line(
        "  answers",
        &format!("{:.0} a second", load.rate()),
        "at least 2,000 a second",
        Some(load.rate() >= 2000.0),
    );
    let p99 = load.quantile(0.99);
    line("  99 % within", &format!("{:.2} ms", p99 * 1e3), "20 ms", Some(p99 < 0.020));
    line(
        "  errors",
        &(load.errors + same.errors + warm.errors).to_string(),
        "0",
        Some(load.errors + same.errors + warm.errors == 0),
    );
    if held.len() > 4 {
        let most = |some: &[f64]| some.iter().copied().fold(0.0, f64::max);
        let quarter = held.len() / 4;
        let quarters: Vec<f64> = held.chunks(quarter).take(4).map(most).collect();
        let shown: Vec<String> = quarters.iter().map(|mib| format!("{mib:.1}")).collect();
        let flat = quarters[3] <= quarters[0] * 1.1;
        line(
            &format!("  memory, quarters of {seconds} s"),
            &format!("{} MiB", shown.join(", ")),
            "flat: at most 10 % more",
            Some(flat),
        );
    }
    let _ = server.kill();
    let _ = server.wait();
}

/// The server, as the program runs it.
fn serve() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    println!("{}", listener.local_addr().expect("an address").port());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let config = Config {
        api: yomikiri_api::Config::new(yomikiri_shelf::GAMES, yomikiri_papers::PAPERS, threads, 4 << 30),
        host: "127.0.0.1".into(),
        limits: Limits::default(),
        token: None,
        assets: None,
    };
    yomikiri_serve::serve(listener, config, &AtomicBool::new(false)).expect("it serves");
}

/// This server, or that of another build, and its port.
fn start(other: Option<&str>) -> (Child, u16) {
    let own = std::env::current_exe().expect("a program");
    let mut command = other.map_or_else(|| Command::new(own), Command::new);
    let command = match other {
        None => command.arg("as-server"),
        Some(_) => command.args(["serve", "--port", "0", "--json", "--no-cache", "--memory", "4G"]),
    };
    let mut child = command.stdout(Stdio::piped()).spawn().expect("a server");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("its port");
    let port = line.split_once("\"port\":").map_or(line.as_str(), |(_, port)| port);
    let port = port.split(|c: char| !c.is_ascii_digit()).next().and_then(|port| port.parse().ok());
    (child, port.expect("a port"))
}

/// Asks this build and others in turns, three times each, and compares the best of each.
fn in_turns(others: &[&String], time: Duration) {
    let positions = positions();
    let mut builds: Vec<Option<&str>> = others.iter().map(|path| Some(path.as_str())).collect();
    builds.push(None);
    let mut best = vec![(0.0f64, f64::INFINITY); builds.len()];
    for _ in 0..3 {
        for (build, best) in builds.iter().zip(&mut best) {
            let (mut server, port) = start(*build);
            let mut first = Connection::new(port);
            while first.ask("9x40,2x31,22,11,d1").0 != 200 {
                std::thread::sleep(Duration::from_millis(100));
            }
            let (next, before) = (AtomicUsize::new(0), processor(&server));
            let load = load(port, time, |_| positions.get(next.fetch_add(1, Ordering::Relaxed)).cloned());
            let spent = processor(&server).zip(before).map_or(f64::NAN, |(after, before)| after - before);
            assert_eq!(load.errors, 0, "every position is answered");
            *best = (best.0.max(load.rate()), best.1.min(spent / load.times.len() as f64));
            let _ = server.kill();
            let _ = server.wait();
        }
    }
    for (build, (rate, spent)) in builds.iter().zip(&best) {
        let name = build.unwrap_or("this build");
        line(
            name,
            &format!("{rate:.0} a second, {:.0} µs of its processor time each", spent * 1e6),
            "",
            None,
        );
    }
    let (ours, first) = (best[best.len() - 1], best[0]);
    line(
        "this build against the first",
        &format!("{:.2} times the answers, {:.2} of the processor time", ours.0 / first.0, ours.1 / first.1),
        "",
        None,
    );
}

/// The processor time a process has taken, in seconds, where the system tells.
fn processor(child: &Child) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // Behind the name, which may have blanks: user and system time are the 12th and 13th from there, in hundredths.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some((fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?) / 100.0)
}

/// The memory a process holds, in MiB, where the system tells.
fn memory(child: &Child) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|l| l.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

/// Positions of 13 ranks: what each rank shows and holds, with the difference. Every one is asked once.
fn positions() -> Vec<String> {
    const PATTERNS: [&str; 8] = ["40", "31", "22", "13", "04", "20", "11", "02"];
    let mut all = Vec::new();
    let mut counts = [0usize; 8];
    fn fill(at: usize, left: usize, counts: &mut [usize; 8], all: &mut Vec<String>) {
        if at == counts.len() {
            if left == 0 {
                let parts = counts.iter().zip(PATTERNS).filter(|(n, _)| **n > 0);
                let parts: Vec<String> = parts.map(|(n, pattern)| format!("{n}x{pattern}")).collect();
                // An even number of pairs has been taken so far, or the difference would be odd.
                let taken: usize = counts[5..].iter().sum();
                for d in (taken % 2..=taken).step_by(2) {
                    all.push(if d == 0 { parts.join(",") } else { format!("{},d{d}", parts.join(",")) });
                }
            }
            return;
        }
        for n in 0..=left {
            counts[at] = n;
            fill(at + 1, left - n, counts, all);
        }
        counts[at] = 0;
    }
    fill(0, 13, &mut counts, &mut all);
    // In an order that has nothing to do with how they were made.
    let mut state = 1u64;
    for i in (1..all.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        all.swap(i, (state >> 33) as usize % (i + 1));
    }
    all
}

/// What came of asking for a while.
struct Load {
    seconds: f64,
    times: Vec<f64>,
    errors: usize,
}

impl Load {
    fn rate(&self) -> f64 {
        self.times.len() as f64 / self.seconds
    }
    fn quantile(&self, share: f64) -> f64 {
        let at = (share * self.times.len() as f64) as usize;
        self.times.get(at.min(self.times.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
    }
}

impl std::fmt::Display for Load {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ms = |share| self.quantile(share) * 1e3;
        write!(
            f,
            "{:.0} a second; {:.2} / {:.2} / {:.2} ms (50, 99, 100 %)",
            self.rate(),
            ms(0.5),
            ms(0.99),
            ms(1.0)
        )
    }
}

/// Asks for a while, on all connections.
fn load(port: u16, time: Duration, position: impl Fn(usize) -> Option<String> + Sync) -> Load {
    let begun = Instant::now();
    let all = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let position = &position;
                scope.spawn(move || {
                    let mut connection = Connection::new(port);
                    let (mut times, mut errors) = (Vec::new(), 0);
                    while begun.elapsed() < time {
                        let Some(position) = position(client) else { break };
                        let asked = Instant::now();
                        let (status, _) = connection.ask(&position);
                        times.push(asked.elapsed().as_secs_f64());
                        errors += usize::from(status != 200);
                    }
                    (times, errors)
                })
            })
            .collect();
        clients.into_iter().map(|client| client.join().expect("a client")).collect::<Vec<_>>()
    });
    let seconds = begun.elapsed().as_secs_f64();
    let errors = all.iter().map(|(_, errors)| errors).sum();
    let mut times: Vec<f64> = all.into_iter().flat_map(|(times, _)| times).collect();
    times.sort_by(f64::total_cmp);
    Load { seconds, times, errors }
}

/// A connection that is kept.
struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    fn new(port: u16) -> Connection {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        Connection { stream, buffer: Vec::new() }
    }

    /// The status and the length of the answer.
    fn ask(&mut self, position: &str) -> (u16, usize) {
        let request = format!("GET /api/show/memory?position={position} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        self.stream.write_all(request.as_bytes()).expect("sent");
        self.buffer.clear();
        let mut chunk = [0; 16 << 10];
        loop {
            let n = self.stream.read(&mut chunk).expect("an answer");
            assert!(n > 0, "the connection was closed");
            self.buffer.extend_from_slice(&chunk[..n]);
            let Some(head) = self.buffer.windows(4).position(|w| w == b"\r\n\r\n") else { continue };
            let text = String::from_utf8_lossy(&self.buffer[..head]).to_ascii_lowercase();
            let status = text.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
            let length =
                text.lines().find_map(|l| l.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
            while self.buffer.len() < head + 4 + length {
                let n = self.stream.read(&mut chunk).expect("the rest");
                assert!(n > 0, "the connection was closed");
                self.buffer.extend_from_slice(&chunk[..n]);
            }
            return (status, length);
        }
    }
}
