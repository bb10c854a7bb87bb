//! The page's files, embedded in the program; from a folder while somebody works on them.

use crate::reply::{Reply, bytes};
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use yomikiri_core::text;

static EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The addresses of the page: each serves the same shell.
pub const PAGES: [&str; 6] = ["/", "/board", "/puzzle", "/results", "/studies", "/check"];

/// Where the page's files come from.
pub struct Assets {
    folder: Option<PathBuf>,
}

impl Assets {
    /// The embedded files, or those of a folder, read anew for every request.
    pub fn new(folder: Option<PathBuf>) -> Assets {
        Assets { folder }
    }

    fn file(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
        if !plain || name.starts_with('.') {
            return None;
        }
        match &self.folder {
            None => EMBEDDED.iter().find(|file| file.0 == name).map(|file| Cow::Borrowed(file.1)),
            Some(folder) => from_folder(folder, name).map(Cow::Owned),
        }
    }

    /// The shell of the page.
    pub fn shell(&self, asked: &HeaderMap) -> Reply {
        self.asset("index.html", asked).unwrap_or_else(nowhere)
    }

    /// A file of the page, or that the client has it already.
    pub fn asset(&self, name: &str, asked: &HeaderMap) -> Option<Reply> {
        let kind = match name.rsplit_once('.')?.1 {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            _ => return None,
        };
        let content = self.file(name)?;
        let tag = format!("\"{}\"", &blake3::hash(&content).to_hex()[..24]);
        let same = asked
            .get_all("if-none-match")
            .iter()
            .filter_map(|v| v.to_str().ok())
            .flat_map(|v| v.split(','))
            .any(|v| v.trim() == "*" || v.trim().trim_start_matches("W/") == tag);
        let mut reply = if same {
            bytes(304, kind, Bytes::new())
        } else {
            bytes(
                200,
                kind,
                match content {
                    Cow::Borrowed(content) => Bytes::from_static(content),
                    Cow::Owned(content) => content.into(),
                },
            )
        };
        let headers = reply.headers_mut();
        // Checked every time: a new program brings a new page.
        headers.insert("cache-control", HeaderValue::from_static("no-cache"));
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            headers.insert("etag", tag);
        }
        Some(reply)
    }
}

fn from_folder(folder: &Path, name: &str) -> Option<Vec<u8>> {
    let path = folder.join(name);
    // Links may lead anywhere.
    let plain = std::fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file());
    if plain { std::fs::read(path).ok() } else { None }
}

/// Nothing is there, said to a person.
pub fn nowhere() -> Reply {
    let words = text("There is no page at this address.", "このアドレスにはページがありません。");
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>404 · yomikiri</title>\n<h1>404</h1>\n<p>{}</p>\n<p lang=\"ja\">{}</p>\n<p><a href=\"/\">yomikiri 読み切り</a></p>\n</html>\n",
        words.en, words.ja
    );
    bytes(404, "text/html; charset=utf-8", page)
}
