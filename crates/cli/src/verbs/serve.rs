//! `serve`: the page and its API.

use super::{Session, table};
use crate::fail::{Failure, YES, refuse};
use crate::rows::Kept;
use crate::store::Files;
use clap::ArgMatches;
use serde_json::json;
use std::io::Write;
use std::net::{IpAddr, TcpListener, ToSocketAddrs};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use yomikiri_api::{InMemory, Limits, Rows};
use yomikiri_core::run::NoStore;
use yomikiri_core::{Run, Store, Text, text};
use yomikiri_serve::{Config, token};

const PORT: u16 = 8066;
const JOBS: usize = 2;

/// Serves until a signal comes.
pub fn serve(session: &Session<'_>, matches: &ArgMatches, out: &mut dyn Write) -> Result<u8, Failure> {
    let word = |name: &str| matches.get_one::<String>(name).map(|w| w.trim());
    let port = match word("port") {
        None => PORT,
        Some(given) => given
            .parse()
            .map_err(|_| refuse("--port", given, text("a whole number from 0 to 65535", "0～65535の整数")))?,
    };
    let jobs = match word("jobs") {
        None => JOBS,
        Some(given) => match given.parse() {
            Ok(n @ 1..=64) => n,
            _ => {
                return Err(
                    refuse("--jobs", given, text("a whole number from 1 to 64", "1～64の整数")).into()
                );
            }
        },
    };
    let host = word("host").unwrap_or("127.0.0.1");
    let accepts = text("an address or name of this machine", "このマシンのアドレスまたは名前");
    let found = (host, port).to_socket_addrs().ok().and_then(|mut all| all.next());
    let address = found.ok_or_else(|| refuse("--host", host, accepts))?;
    let tables = table::beside(session, matches)?;
    let listener = TcpListener::bind(address).map_err(|e| Failure::Listen(address.to_string(), e))?;
    let address = listener.local_addr().map_err(|e| Failure::Listen(address.to_string(), e))?;
    let token = match word("token") {
        Some(given) if token::usable(given) => Some(given.to_owned()),
        Some(given) => {
            let accepts = text("16 to 128 letters, digits, - and _", "英数字・-・_ の16～128文字");
            return Err(refuse("--token", given, accepts).into());
        }
        None if address.ip().is_loopback() => None,
        None => Some(token::random()),
    };
    // A wildcard is nowhere to go to.
    let shown = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => format!("127.0.0.1:{}", address.port()),
        IpAddr::V6(ip) if ip.is_unspecified() => format!("[::1]:{}", address.port()),
        _ => address.to_string(),
    };
    // The token stands behind the sign that browsers keep to themselves.
    let url = match &token {
        Some(token) => format!("http://{shown}/#token={token}"),
        None => format!("http://{shown}/"),
    };
    if !address.ip().is_loopback() {
        session.run.observer.note(&Text::of(
            "others can reach this server; whoever has the address with its token may ask",
            "他のマシンからも届きます。トークン付きのアドレスを知っている人だけが使えます",
        ));
    }
    if session.globals.json {
        let mut said = json!({"url": url, "host": address.ip().to_string(), "port": address.port()});
        if let Some(token) = &token {
            said["token"] = token.as_str().into();
        }
        writeln!(out, "{said}")?;
    } else {
        writeln!(out, "{url}")?;
    }
    out.flush()?;
    if matches.get_flag("open") {
        open(&url);
    }
    let files = session.files.filter(|_| session.globals.cache);
    let files = || files.map(|files| Files::new(files.root().to_owned(), files.limit()));
    let store: Arc<dyn Store + Send + Sync> = match files() {
        Some(files) => Arc::new(files),
        None => Arc::new(NoStore),
    };
    let rows: Arc<dyn Rows> = match files() {
        Some(files) => Arc::new(Kept::new(files)),
        None => Arc::new(InMemory::default()),
    };
    let Run { threads, memory, checkpoint, seed, .. } = session.run;
    let api = yomikiri_api::Config {
        store,
        rows,
        tables,
        seed,
        checkpoint,
        limits: Limits::of(threads, jobs),
        ..yomikiri_api::Config::new(session.games, session.papers, threads, memory)
    };
    let config = Config {
        api,
        host: host.to_owned(),
        limits: yomikiri_serve::Limits::default(),
        token,
        assets: std::env::var_os("YOMIKIRI_WEB").map(PathBuf::from),
    };
    yomikiri_serve::serve(listener, config, session.run.cancel)
        .map_err(|e| Failure::Listen(address.to_string(), e))?;
    Ok(YES)
}

/// Asks the system to show an address; whoever has no browser still has the line that was printed.
fn open(url: &str) {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut browser = Command::new(program);
    browser.args(before).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(e) = browser.spawn() {
        tracing::warn!("no browser: {program}: {e}");
    }
}
