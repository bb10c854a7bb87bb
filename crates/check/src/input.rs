//! Lines of a file that is plain, xz or zstd, told by its first bytes. A thread of its own reads and
//! decompresses, so that the lines are parsed meanwhile, a read that never returns can be given up, and a
//! decoder that breaks on hostile input ends a thread, not the program. In a browser there is no other thread, and
//! chunks are read when they are needed.

use crate::reason::{Error, Unreadable};
use lzma_rust2::XzReader;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// The longest line that is read.
pub const LINE: usize = 1 << 16;
/// The largest window or dictionary a compressed file may ask for; both compressors stay below it unless told
/// otherwise.
const WINDOW: u64 = 128 << 20;
/// Bytes handed over at a time.
const CHUNK: usize = 1 << 18;
/// Chunks read ahead.
const AHEAD: usize = 8;
/// How soon a wish to stop is noticed.
const NOTICE: Duration = Duration::from_millis(50);

const XZ: [u8; 6] = [0xFD, b'7', b'z', b'X', b'Z', 0];
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// What the reading thread sends; if it ends without the last two, it broke.
enum Part {
    Bytes(Vec<u8>),
    End,
    Failed(io::Error),
}

/// What is found when a line is asked for.
pub enum Next<'a> {
    /// A line without its end.
    Line(&'a [u8]),
    /// A line that is too long; nothing after it can be read.
    TooLong,
    /// There are no more.
    End,
}

/// Where chunks come from.
enum Source {
    Thread(Receiver<Part>),
    Here(Box<dyn Read>),
    /// What is read here has not been opened, or could not be.
    Failed(Option<io::Error>),
}

/// The lines of a file, one after another.
pub struct Lines {
    source: Source,
    chunk: Vec<u8>,
    /// Where the next line begins in the chunk.
    at: usize,
    /// The beginning of a line that the last chunk ended in.
    carried: Vec<u8>,
    ended: bool,
    read: u64,
    limit: u64,
    /// The longest line that is read.
    longest: usize,
    /// A line that was looked at before it was asked for.
    peeked: Option<Vec<u8>>,
}

impl Lines {
    /// Begins to read at most `limit` bytes of text.
    pub fn new(input: impl Read + Send + 'static, limit: u64) -> Lines {
        if cfg!(target_family = "wasm") {
            return Lines::here(input, limit);
        }
        let (sender, parts) = sync_channel(AHEAD);
        // It is left alone when nobody asks for lines any more: its next chunk finds no taker.
        std::thread::spawn(move || {
            let part = send(input, &sender).map_or_else(Part::Failed, |()| Part::End);
            let _ = sender.send(part);
        });
        Lines::from(Source::Thread(parts), limit)
    }

    /// The same without a thread.
    fn here(input: impl Read + 'static, limit: u64) -> Lines {
        let source = decoded(input).map_or_else(|e| Source::Failed(Some(e)), Source::Here);
        Lines::from(source, limit)
    }

    fn from(source: Source, limit: u64) -> Lines {
        Lines {
            source,
            chunk: Vec::new(),
            at: 0,
            carried: Vec::new(),
            ended: false,
            read: 0,
            limit,
            longest: LINE,
            peeked: None,
        }
    }

    /// The same with other limits to the length of a line.
    pub fn longest(self, longest: usize) -> Lines {
        Lines { longest, ..self }
    }

    /// The first line, which is still the next one; nothing if there is none of a good length.
    pub fn peek(&mut self, stopped: &dyn Fn() -> bool) -> Result<Option<&[u8]>, Error> {
        if self.peeked.is_none()
            && let Next::Line(line) = self.next(stopped)?
        {
            self.peeked = Some(line.to_vec());
        }
        Ok(self.peeked.as_deref())
    }

    /// The next line. `stopped` is asked while there is nothing to do but wait.
    pub fn next(&mut self, stopped: &dyn Fn() -> bool) -> Result<Next<'_>, Error> {
        self.carried.clear();
        if let Some(line) = self.peeked.take() {
            self.carried = line;
            return Ok(Next::Line(&self.carried));
        }
        loop {
            let rest = &self.chunk[self.at..];
            let end = rest.iter().take(self.longest + 1).position(|byte| *byte == b'\n');
            let length = end.unwrap_or(rest.len());
            if self.carried.len() + length > self.longest {
                return Ok(Next::TooLong);
            }
            if let Some(length) = end {
                let line = self.at..self.at + length;
                self.at = line.end + 1;
                if self.carried.is_empty() {
                    return Ok(Next::Line(&self.chunk[line]));
                }
                self.carried.extend_from_slice(&self.chunk[line]);
                return Ok(Next::Line(&self.carried));
            }
            self.carried.extend_from_slice(rest);
            self.chunk.clear();
            self.at = 0;
            if self.ended {
                return Ok(if self.carried.is_empty() { Next::End } else { Next::Line(&self.carried) });
            }
            match self.wait(stopped)? {
                Some(chunk) => self.chunk = chunk,
                None => self.ended = true,
            }
        }
    }

    fn wait(&mut self, stopped: &dyn Fn() -> bool) -> Result<Option<Vec<u8>>, Error> {
        loop {
            if stopped() {
                return Err(Error::Stopped);
            }
            let part = match &mut self.source {
                Source::Thread(parts) => match parts.recv_timeout(NOTICE) {
                    Ok(part) => part,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => {
                        Part::Failed(io::Error::other("the decoder gave up"))
                    }
                },
                Source::Here(input) => match chunk(input) {
                    Ok(bytes) if bytes.is_empty() => Part::End,
                    Ok(bytes) => Part::Bytes(bytes),
                    Err(error) => Part::Failed(error),
                },
                Source::Failed(error) => {
                    Part::Failed(error.take().unwrap_or_else(|| ErrorKind::InvalidData.into()))
                }
            };
            return match part {
                Part::Bytes(bytes) => {
                    self.read += bytes.len() as u64;
                    match self.read > self.limit {
                        true => Err(Error::Unreadable(Unreadable::Long { limit: self.limit })),
                        false => Ok(Some(bytes)),
                    }
                }
                Part::End => Ok(None),
                Part::Failed(error) => Err(Error::Unreadable(Unreadable::Read(error))),
            };
        }
    }
}

/// Reads, decompresses and hands over until the end or until nobody takes it.
fn send(input: impl Read + 'static, sender: &SyncSender<Part>) -> io::Result<()> {
    let mut input = decoded(input)?;
    loop {
        let chunk = chunk(&mut input)?;
        if chunk.is_empty() || sender.send(Part::Bytes(chunk)).is_err() {
            return Ok(());
        }
    }
}

/// What a file is when it is not compressed.
fn decoded(input: impl Read + 'static) -> io::Result<Box<dyn Read>> {
    let mut input = BufReader::with_capacity(CHUNK, input);
    let mut first = [0; 6];
    let mut known = 0;
    // A pipe may give one byte at a time.
    while known < first.len() {
        match input.read(&mut first[known..]) {
            Ok(0) => break,
            Ok(n) => known += n,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    let first = first[..known].to_vec();
    let (xz, zstd) = (first == XZ, first.starts_with(&ZSTD));
    let input = BufReader::new(io::Cursor::new(first).chain(input));
    Ok(if xz {
        // In KiB, with some for what else a decoder needs.
        Box::new(XzReader::new_mem_limit(input, true, (WINDOW / 1024 + 1024) as u32))
    } else if zstd {
        Box::new(Frames::Between(Some(input)))
    } else {
        Box::new(input)
    })
}

/// A zstd file: it may be several frames one after another.
enum Frames<R: BufRead> {
    Between(Option<R>),
    Within(Box<StreamingDecoder<R, FrameDecoder>>),
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let wrong = |said: &str| io::Error::new(ErrorKind::InvalidData, said);
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            let input = match self {
                Frames::Within(frame) => {
                    let read = frame.read(out)?;
                    if read > 0 {
                        return Ok(read);
                    }
                    let decoder = &frame.decoder;
                    let (told, found) = (decoder.get_checksum_from_data(), decoder.get_calculated_checksum());
                    if told.is_some() && told != found {
                        return Err(wrong("zstd: the checksum differs"));
                    }
                    match std::mem::replace(self, Frames::Between(None)) {
                        Frames::Within(frame) => Some(frame.into_inner()),
                        Frames::Between(input) => input,
                    }
                }
                Frames::Between(input) => input.take(),
            };
            // A frame that was no good has taken the rest with it.
            let mut input = input.ok_or_else(|| wrong("zstd: nothing follows what is damaged"))?;
            if input.fill_buf()?.is_empty() {
                *self = Frames::Between(Some(input));
                return Ok(0);
            }
            let frame = StreamingDecoder::new_with_max_window_size(input, WINDOW);
            *self = Frames::Within(Box::new(frame.map_err(|e| wrong(&e.to_string()))?));
        }
    }
}

/// The next bytes, as many as a chunk has; none at the end.
fn chunk(input: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut chunk = vec![0; CHUNK];
    let mut filled = 0;
    while filled < CHUNK {
        match input.read(&mut chunk[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    chunk.truncate(filled);
    Ok(chunk)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// Hands out a few bytes at a time.
    struct Drip(Cursor<Vec<u8>>, usize);

    impl Read for Drip {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let most = out.len().min(self.1);
            self.0.read(&mut out[..most])
        }
    }

    /// The lines, read by a thread and without one.
    fn lines(bytes: &[u8], drip: usize) -> Vec<Option<Vec<u8>>> {
        let input = || Drip(Cursor::new(bytes.to_vec()), drip);
        let found = all(Lines::new(input(), u64::MAX));
        assert_eq!(found, all(Lines::here(input(), u64::MAX)));
        found
    }

    fn all(mut lines: Lines) -> Vec<Option<Vec<u8>>> {
        let mut found = Vec::new();
        loop {
            match lines.next(&|| false).unwrap() {
                Next::Line(line) => found.push(Some(line.to_vec())),
                Next::TooLong => {
                    found.push(None);
                    return found;
                }
                Next::End => return found,
            }
        }
    }

    #[test]
    fn law_lines_do_not_depend_on_how_they_arrive() {
        for drip in [1, 2, 3, 1000] {
            let expected: Vec<_> = [b"one".as_slice(), b"", b"two\r"].map(|line| Some(line.to_vec())).into();
            assert_eq!(lines(b"one\n\ntwo\r", drip), expected);
            assert_eq!(lines(b"one\n\ntwo\r\n", drip), expected);
            assert_eq!(lines(b"", drip), []);
        }
        let text: Vec<u8> = (0..100_000).flat_map(|n| format!("{n}\n").into_bytes()).collect();
        let found = lines(&text, usize::MAX);
        assert!(text.len() > 2 * CHUNK && found.len() == 100_000);
        assert!(found.iter().enumerate().all(|(n, line)| *line == Some(n.to_string().into_bytes())));
    }

    #[test]
    fn law_long_lines_and_long_texts_are_not_kept() {
        let mut text = vec![b'x'; LINE];
        text.push(b'\n');
        assert_eq!(lines(&text, 999).len(), 1);
        text.insert(0, b'x');
        assert_eq!(lines(&text, 999), [None]);
        let mut long = Lines::new(Cursor::new(b"a\n".repeat(1 << 20)), 1 << 20);
        let ended = loop {
            match long.next(&|| false) {
                Ok(Next::Line(line)) => assert_eq!(line, b"a"),
                Ok(_) => panic!("it is longer"),
                Err(e) => break e,
            }
        };
        assert!(matches!(ended, Error::Unreadable(Unreadable::Long { limit }) if limit == 1 << 20));
    }

    #[test]
    fn law_waiting_can_be_stopped() {
        struct Never;
        impl Read for Never {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                loop {
                    std::thread::park();
                }
            }
        }
        assert!(matches!(Lines::new(Never, 1).next(&|| true), Err(Error::Stopped)));
    }

    #[test]
    fn law_a_decoder_that_breaks_is_an_error() {
        struct Breaks;
        impl Read for Breaks {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                // As a panic would, without its noise.
                std::panic::resume_unwind(Box::new(()))
            }
        }
        let ended = Lines::new(Breaks, 1).next(&|| false).err().unwrap();
        assert!(matches!(ended, Error::Unreadable(Unreadable::Read(_))));
    }
}
