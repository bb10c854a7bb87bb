//! `cache`: what is kept between runs.

use super::Session;
use crate::fail::{Failure, YES};
use crate::store::{Files, Kept};
use clap::ArgMatches;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::time::{Duration, SystemTime};
use yomikiri_core::error::bytes;
use yomikiri_core::{Text, text};
use yomikiri_view::report::{Block, Outcome, Table};

/// Lists, clears or names the cache directory.
pub fn cache(session: &Session<'_>, matches: &ArgMatches, out: &mut dyn Write) -> Result<u8, Failure> {
    let Some(files) = session.files else {
        let error = io::Error::new(io::ErrorKind::NotFound, "YOMIKIRI_CACHE, XDG_CACHE_HOME, HOME");
        return Err(Failure::Read(session.pick("cache directory", "保存先").to_owned(), error));
    };
    let directory = files.root().display().to_string();
    match matches.subcommand_name() {
        Some("path") => {
            if session.globals.json {
                session.json(&json!({"directory": directory}), out)?;
            } else {
                writeln!(out, "{directory}")?;
            }
            Ok(YES)
        }
        Some("clear") => {
            let (count, freed) = files.clear();
            let said = Text::of(
                format!("{count} files removed, {} freed", bytes(freed)),
                format!("{count} 個のファイルを消し、{} を空けました", bytes(freed)),
            );
            let json = json!({"directory": directory, "files": count, "bytes": freed});
            session.show(&Outcome { blocks: vec![Block::Paragraph(said)], json, good: true }, out)
        }
        _ => session.show(&list(files, &directory), out),
    }
}

fn list(files: &Files, directory: &str) -> Outcome {
    let all = files.list();
    let total: u64 = all.iter().map(|f| f.bytes).sum();
    let mut table = Table::new(
        text("", ""),
        &[text("name", "名前"), text("version", "版"), text("size>", "サイズ>"), text("used>", "最終利用>")],
    );
    let mut list = Vec::new();
    // Beside the times that the system has noted of files.
    #[expect(clippy::disallowed_methods)]
    let now = SystemTime::now();
    for file in &all {
        table.row([
            shown(file).into(),
            file.version.as_str().into(),
            bytes(file.bytes).into(),
            ago(now.duration_since(file.used).unwrap_or_default()).into(),
        ]);
        let used = file.used.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        list.push(json!({"name": file.name, "version": file.version, "bytes": file.bytes, "used": used}));
    }
    let facts = vec![
        (text("directory", "ディレクトリ"), directory.into()),
        (text("total", "合計"), bytes(total).into()),
        (text("limit", "上限"), bytes(files.limit()).into()),
    ];
    let mut blocks = vec![Block::Facts(facts)];
    if !all.is_empty() {
        blocks.push(Block::Table(table));
    }
    let json =
        json!({"directory": directory, "limit": files.limit(), "total": total, "files": Value::Array(list)});
    Outcome { blocks, json, good: true }
}

fn shown(file: &Kept) -> Text {
    if file.name.is_empty() {
        text("(being written)", "（書き込み中）")
    } else {
        Text::same(file.name.clone())
    }
}

/// How long ago, in the largest unit that fits.
fn ago(age: Duration) -> Text {
    let seconds = age.as_secs();
    let (n, en, ja) = match seconds {
        0..60 => (seconds, "s", "秒"),
        60..3600 => (seconds / 60, "min", "分"),
        3600..86400 => (seconds / 3600, "h", "時間"),
        _ => (seconds / 86400, "d", "日"),
    };
    Text::of(format!("{n} {en} ago"), format!("{n} {ja}前"))
}
