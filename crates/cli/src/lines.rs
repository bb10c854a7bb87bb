//! Lines of standard input as they come: read on a thread of their own, so that whoever waits for them
//! can answer what is there and can be interrupted.

use std::io::{self, BufRead, ErrorKind};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;
use yomikiri_games::eval::LONGEST;

/// Bytes looked at in one go.
const PIECE: usize = 1 << 20;
/// Chunks read ahead.
const AHEAD: usize = 4;
/// How soon an interruption is noticed.
const NOTICE: Duration = Duration::from_millis(50);

/// Some whole lines.
#[derive(Default)]
pub struct Chunk {
    bytes: Vec<u8>,
    lines: Vec<Option<Range<usize>>>,
}

impl Chunk {
    /// The lines without their ends; `None` for one that was too long to keep.
    pub fn lines(&self) -> impl Iterator<Item = Option<&[u8]>> {
        self.lines.iter().map(|line| line.clone().map(|range| &self.bytes[range]))
    }
}

/// What there is when someone waits.
pub enum Next {
    /// Lines.
    Lines(Chunk),
    /// No more lines will come.
    End,
    /// The cancel flag was raised.
    Interrupted,
}

/// The reading end.
pub struct Lines {
    chunks: Receiver<io::Result<Chunk>>,
    failed: Option<io::Error>,
}

impl Lines {
    /// Begins to read. The thread is left alone when nobody waits any more: it may sit in a read that
    /// never returns.
    pub fn new(input: impl BufRead + Send + 'static) -> Lines {
        let (sender, chunks) = sync_channel(AHEAD);
        std::thread::spawn(move || read(input, &sender));
        Lines { chunks, failed: None }
    }

    /// Waits for lines.
    pub fn wait(&mut self, cancel: &AtomicBool) -> io::Result<Next> {
        if let Some(e) = self.failed.take() {
            return Err(e);
        }
        loop {
            if cancel.load(Ordering::Relaxed) {
                return Ok(Next::Interrupted);
            }
            match self.chunks.recv_timeout(NOTICE) {
                Ok(chunk) => return chunk.map(Next::Lines),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(Next::End),
            }
        }
    }

    /// Lines that are there already. An error is left to the next wait.
    pub fn ready(&mut self) -> Option<Chunk> {
        match self.chunks.try_recv() {
            Ok(Ok(chunk)) => Some(chunk),
            Ok(Err(e)) => {
                self.failed = Some(e);
                None
            }
            Err(_) => None,
        }
    }
}

fn read(mut input: impl BufRead, sender: &SyncSender<io::Result<Chunk>>) {
    let mut chunk = Chunk::default();
    // Where the unfinished line begins; nowhere while the rest of one too long is skipped.
    let mut begun = Some(0);
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => &buffer[..buffer.len().min(PIECE)],
            Err(e) if e.kind() == ErrorKind::Interrupted => continue,
            Err(e) => {
                let _ = sender.send(Err(e));
                return;
            }
        };
        let read = buffer.len();
        let mut rest = buffer;
        let mut ended = read == 0;
        if ended && begun == Some(chunk.bytes.len()) {
            return;
        }
        while !rest.is_empty() || ended {
            let line = rest.split_inclusive(|b| *b == b'\n').next().unwrap_or(&[]);
            rest = &rest[line.len()..];
            let whole = ended || line.ends_with(b"\n");
            ended = false;
            let text = line.strip_suffix(b"\n").unwrap_or(line);
            if let Some(start) = begun {
                if chunk.bytes.len() - start + text.len() > LONGEST {
                    chunk.bytes.truncate(start);
                    begun = None;
                } else {
                    chunk.bytes.extend_from_slice(text);
                }
            }
            if whole {
                let mut end = chunk.bytes.len();
                if let Some(start) = begun
                    && chunk.bytes[start..].ends_with(b"\r")
                {
                    end -= 1;
                }
                chunk.lines.push(begun.map(|start| start..end));
                begun = Some(chunk.bytes.len());
            }
        }
        input.consume(read);
        // The next look at the input may have to wait: hand over what is whole.
        if !chunk.lines.is_empty() {
            let carried = begun.map_or(Vec::new(), |start| chunk.bytes[start..].to_vec());
            begun = begun.map(|_| 0);
            let ready = std::mem::replace(&mut chunk, Chunk { bytes: carried, lines: Vec::new() });
            if sender.send(Ok(ready)).is_err() {
                return;
            }
        }
        if read == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Cursor};

    /// All lines read with a buffer of some size.
    fn all(input: &[u8], buffer: usize) -> Vec<Option<Vec<u8>>> {
        let mut lines = Lines::new(BufReader::with_capacity(buffer, Cursor::new(input.to_vec())));
        let mut found = Vec::new();
        while let Next::Lines(chunk) = lines.wait(&AtomicBool::new(false)).unwrap() {
            found.extend(chunk.lines().map(|line| line.map(<[u8]>::to_vec)));
        }
        found
    }

    #[test]
    fn law_lines_do_not_depend_on_how_they_arrive() {
        let input = b"one\r\n\ntwo\xff\n\r\nlast";
        let expected: Vec<Option<Vec<u8>>> =
            [b"one".as_slice(), b"", b"two\xff", b"", b"last"].map(|l| Some(l.to_vec())).to_vec();
        for buffer in 1..30 {
            assert_eq!(all(input, buffer), expected, "{buffer}");
        }
        assert_eq!(all(b"", 8), []);
        assert_eq!(all(b"\n", 8), [Some(Vec::new())]);
    }

    #[test]
    fn law_lines_too_long_are_skipped_not_kept() {
        let long = vec![b'x'; LONGEST + 1];
        let fits = vec![b'y'; LONGEST];
        let input = [b"a\n".as_slice(), &long, b"\nb\n", &fits, b"\n", &long].concat();
        for buffer in [4096, 1 << 16, 1 << 22] {
            let found = all(&input, buffer);
            assert_eq!(found, [Some(b"a".to_vec()), None, Some(b"b".to_vec()), Some(fits.clone()), None]);
        }
    }

    #[test]
    fn law_waiting_can_be_interrupted() {
        let (reader, _writer) = io::pipe().unwrap();
        let mut lines = Lines::new(BufReader::new(reader));
        assert!(matches!(lines.wait(&AtomicBool::new(true)), Ok(Next::Interrupted)));
    }

    #[test]
    fn law_what_is_there_is_not_held_back() {
        use std::io::Write;
        let (reader, mut writer) = io::pipe().unwrap();
        let mut lines = Lines::new(BufReader::new(reader));
        writer.write_all(b"one\ntw").unwrap();
        let Ok(Next::Lines(chunk)) = lines.wait(&AtomicBool::new(false)) else { panic!("no lines") };
        assert_eq!(chunk.lines().collect::<Vec<_>>(), [Some(b"one".as_slice())]);
    }
}
