//! A plain host of files, as anybody's: it knows no page, sends no headers but a type, and can be switched off.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// A host of the files of a folder, until it is dropped.
pub struct Files {
    /// Where the folder is.
    pub address: String,
    port: u16,
    over: Arc<AtomicBool>,
}

impl Files {
    /// Serves a folder below a path, which begins and ends with `/`.
    ///
    /// # Errors
    /// There is no port.
    pub fn serve(folder: &Path, below: &str) -> io::Result<Files> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let port = listener.local_addr()?.port();
        let over = Arc::new(AtomicBool::new(false));
        let (folder, path, ended) = (folder.to_owned(), below.to_owned(), Arc::clone(&over));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if ended.load(Ordering::SeqCst) {
                    return;
                }
                let (folder, path) = (folder.clone(), path.clone());
                thread::spawn(move || answer(stream, &folder, &path));
            }
        });
        Ok(Files { address: format!("http://127.0.0.1:{port}{below}"), port, over })
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        // Whoever listens is woken, and goes.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn answer(mut stream: TcpStream, folder: &Path, below: &str) {
    let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
    let asked = lines.next().unwrap_or_default();
    while lines.next().is_some_and(|line| !line.is_empty()) {}
    let place = asked.split(' ').nth(1).and_then(|address| address.split('?').next()).unwrap_or("");
    let found = place.strip_prefix(below).and_then(|name| read(folder, name));
    let (status, kind, body) = match &found {
        Some((kind, body)) => ("200 OK", *kind, body.as_slice()),
        None => ("404 Not Found", "text/plain", b"nothing here".as_slice()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}

fn read(folder: &Path, name: &str) -> Option<(&'static str, Vec<u8>)> {
    let name = if name.is_empty() { "index.html" } else { name };
    if name.contains("..") {
        return None;
    }
    let path: PathBuf = folder.join(name);
    // As little as a host of files knows; WebAssembly is not among it.
    let kind = match path.extension()?.to_str()? {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript",
        "css" => "text/css",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    };
    Some((kind, std::fs::read(path).ok()?))
}
