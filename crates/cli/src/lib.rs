//! The command line of yomikiri: the only part that reads and writes. It knows no game; flags, help and
//! completions come from the registry.
//!
//! It is a library only for those who try it with whatever they like (`crates/fuzz`): the program is [`main`].

mod args;
mod fail;
#[cfg(test)]
mod fake;
mod html;
mod lang;
mod lines;
mod progress;
mod render;
pub mod rows;
mod signal;
pub mod store;
mod usage;
mod verbs;

use args::Globals;
use clap::error::ErrorKind;
use fail::{ERROR, Failure, INTERRUPTED, YES, printable};
use progress::Progress;
use render::{Look, When};
use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use store::Files;
use tracing::level_filters::LevelFilter;
use verbs::Session;
use yomikiri_core::rows::Unkept;
use yomikiri_core::run::NoStore;
use yomikiri_core::{Lang, Run, Store, text};
use yomikiri_papers::PAPERS;
use yomikiri_shelf::GAMES;
use yomikiri_view::report::Tone;

/// The commit the program was built from, or `unknown`.
const COMMIT: &str = env!("YOMIKIRI_COMMIT");

/// The program: its arguments, its environment, its signals, and how it ends.
pub fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    let around = Around { env: &|name| std::env::var_os(name), stop: &signal::listen };
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let code = ended(&args, &around, &mut out);
    // What could not be flushed must not be tried again on the way out.
    let _ = out.into_parts();
    ExitCode::from(code)
}

/// What a command line meets around it.
pub struct Around<'a> {
    /// The variables of the environment.
    pub env: &'a dyn Fn(&str) -> Option<OsString>,
    /// Begins to listen for whoever wants it to stop, whom it answers in a language; the flag that is raised then.
    pub stop: &'a dyn Fn(Lang) -> &'a AtomicBool,
}

/// Everything that can be said to the program.
pub fn description(lang: Lang) -> clap::Command {
    args::command(GAMES, PAPERS, lang)
}

/// Does what a command line asks for, with the name of the program as its first word; the exit code.
pub fn ended(args: &[OsString], around: &Around<'_>, out: &mut dyn Write) -> u8 {
    let lang = lang::detect(args, |name| (around.env)(name)?.into_string().ok());
    // Help is coloured before the flags are read.
    let color = lang::flag_value(args, "--color").and_then(When::parse).unwrap_or(When::Auto);
    let done = command(args, around, lang, color, out).and_then(|code| {
        out.flush()?;
        Ok(code)
    });
    match done {
        Ok(code) => code,
        Err(failure) => {
            // What was answered before the failure is still an answer.
            let _ = out.flush();
            complain(&failure, lang, color);
            failure.code()
        }
    }
}

/// Parses, sets the run up and does what is asked for; the exit code.
fn command(
    args: &[OsString],
    around: &Around<'_>,
    lang: Lang,
    color: When,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let mut description = description(lang);
    let matches = match description.try_get_matches_from_mut(args) {
        Ok(matches) => matches,
        Err(error) => return unparsed(&error, &description, args, lang, color, out),
    };
    let globals = Globals::read(&matches)?;
    let limit = match (around.env)("YOMIKIRI_CACHE_LIMIT").and_then(|given| given.into_string().ok()) {
        None => store::DEFAULT_LIMIT,
        Some(given) => {
            args::size(&given).ok_or_else(|| fail::refuse("YOMIKIRI_CACHE_LIMIT", &given, args::SIZE))?
        }
    };

    let checkpoint = match (around.env)("YOMIKIRI_CHECKPOINT").and_then(|given| given.into_string().ok()) {
        None => yomikiri_core::run::CHECKPOINT,
        Some(given) => seconds(&given).ok_or_else(|| {
            fail::refuse(
                "YOMIKIRI_CHECKPOINT",
                &given,
                text("seconds from 0, such as 60 or 0.5", "0以上の秒数（例：60、0.5）"),
            )
        })?,
    };

    let progress = Progress::new(lang, globals.quiet);
    let level = match globals.verbose {
        0 => LevelFilter::ERROR,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let log = tracing_subscriber::fmt().with_writer(progress.log()).with_max_level(level);
    let log = log.without_time().with_target(false).with_ansi(false).log_internal_errors(false);
    // Whoever asks more than once in a process has it already.
    let _ = tracing::subscriber::set_global_default(log.finish());

    let files =
        store::directory(|name| (around.env)(name).map(PathBuf::from)).map(|root| Files::new(root, limit));
    let store: &dyn Store = match &files {
        Some(files) if globals.cache => files,
        Some(_) => &NoStore,
        None => {
            tracing::warn!("going on without a cache: there is no home directory");
            &NoStore
        }
    };
    let run = Run {
        observer: &progress,
        cancel: (around.stop)(lang),
        store,
        rows: &Unkept,
        cache: &yomikiri_core::cache::NoCache,
        tables: &yomikiri_core::OpenTables::beside(),
        seed: globals.seed,
        threads: globals.threads,
        memory: globals.memory,
        checkpoint,
        method: None,
    };
    tracing::info!(
        "{} threads, {} of memory, seed {}, cache {}",
        run.threads,
        yomikiri_core::error::bytes(run.memory),
        run.seed,
        files
            .as_ref()
            .filter(|_| globals.cache)
            .map_or("off".into(), |files| files.root().display().to_string()),
    );
    let look = Look::of_stdout(lang, globals.color);
    let session =
        Session { games: GAMES, papers: PAPERS, globals: &globals, look, run, files: files.as_ref() };
    let done = verbs::dispatch(&session, &matches, out);
    progress.clear();
    done
}

/// A number of seconds from 0.
fn seconds(given: &str) -> Option<Duration> {
    given.trim().parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

/// Help, the version, or what is wrong with the arguments.
fn unparsed(
    error: &clap::Error,
    description: &clap::Command,
    args: &[OsString],
    lang: Lang,
    color: When,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let help = error.render();
            if color.holds(&io::stdout()) {
                write!(out, "{}", help.ansi())?
            } else {
                write!(out, "{help}")?
            }
            Ok(YES)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = write!(io::stderr(), "{}", error.render());
            Ok(ERROR)
        }
        _ => {
            say_error(&usage::explain(error, description, args, lang), lang, color);
            Ok(ERROR)
        }
    }
}

/// Tells the user why something failed.
fn complain(failure: &Failure, lang: Lang, color: When) {
    let Some(words) = failure.say(lang) else { return };
    if failure.code() == INTERRUPTED {
        let _ = writeln!(io::stderr(), "{words}");
    } else {
        say_error(&words, lang, color);
    }
}

fn say_error(words: &str, lang: Lang, color: When) {
    let look = Look { lang, color: color.holds(&io::stderr()), width: None };
    let error = look.paint(lang::pick(lang, "error:", "エラー:"), Tone::Bad);
    // Nobody to tell: the exit code still says it.
    let _ = writeln!(io::stderr(), "{error} {}", printable(words));
}
