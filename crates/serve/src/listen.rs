//! Connections: how many, how slow they may be, how they end.

use crate::assets::Assets;
use crate::reply::refused;
use crate::threads::Threads;
use crate::token::Meter;
use crate::{Config, Server, guard, router, token};
use axum::Router;
use axum::body::{Body, HttpBody};
use axum::http::Request;
use hyper::body::Incoming;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::time::{Sleep, sleep, timeout};
use tower_service::Service;
use yomikiri_api::{Api, Fault};
use yomikiri_core::text;

/// How often the server looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(50);
/// How often it looks for jobs that nobody waits for.
const TIDY: Duration = Duration::from_millis(500);
/// How long requests and jobs have to end when it stops; together they are well below five seconds.
const FAREWELL: [Duration; 3] =
    [Duration::from_millis(1500), Duration::from_millis(1500), Duration::from_millis(500)];
/// The most a connection holds of a request that is being read.
const BUFFER: usize = 128 << 10;
/// Headers of a request.
const HEADERS: usize = 100;

/// Serves until it is told to stop, then ends within five seconds: no new requests, jobs stopped with what they have
/// kept.
pub fn serve(listener: std::net::TcpListener, config: Config, stop: &AtomicBool) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let limits = &config.api.limits;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(config.api.threads.clamp(2, 16))
        .max_blocking_threads(limits.computing + limits.jobs + 32)
        .thread_name("yomikiri")
        .enable_all()
        .build()?;
    let done = runtime.block_on(accept(listener, config, stop));
    runtime.shutdown_timeout(FAREWELL[2]);
    done
}

async fn accept(listener: std::net::TcpListener, config: Config, stop: &AtomicBool) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    let Config { api, host, limits, token, assets } = config;
    let api = Api::new(api, Arc::new(Threads::new(Handle::current())));
    let server = Arc::new(Server {
        api,
        host,
        meter: Meter::new(limits.rate),
        limits,
        token,
        assets: Assets::new(assets),
    });
    let router = router::router(&server);
    let limits = server.limits.clone();
    let places = Arc::new(Semaphore::new(limits.connections));
    let graceful = GracefulShutdown::new();
    let mut tidied = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        if tidied.elapsed() > TIDY {
            server.api.tidy();
            tidied = Instant::now();
        }
        let (stream, peer) = match timeout(LOOK, listener.accept()).await {
            Err(_) => continue,
            Ok(Ok(accepted)) => accepted,
            Ok(Err(e)) => {
                // Out of files, most likely: those that are open will end.
                tracing::warn!("a connection cannot be accepted: {e}");
                sleep(LOOK).await;
                continue;
            }
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            tokio::spawn(turn_away(stream));
            continue;
        };
        // Answers are small: they go out at once.
        let _ = stream.set_nodelay(true);
        let local = stream.local_addr().unwrap_or(peer);
        let io = Patient { io: TokioIo::new(stream), most: limits.writing, stuck: None };
        let (server, router) = (Arc::clone(&server), router.clone());
        let service = service_fn(move |request| answer(server.clone(), router.clone(), peer, local, request));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.reading)
            .max_buf_size(BUFFER)
            .max_headers(HEADERS)
            .serve_connection(io, service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // Broken, slow and gone clients all end here; there is nobody to tell.
            if let Err(e) = connection.await {
                tracing::debug!("{peer}: {e}");
            }
            drop(place);
        });
    }
    drop(listener);
    server.api.stop();
    let _ = timeout(FAREWELL[0], graceful.shutdown()).await;
    let ended = async {
        while !server.api.idle() {
            sleep(Duration::from_millis(5)).await;
        }
    };
    let _ = timeout(FAREWELL[1], ended).await;
    Ok(())
}

/// There are too many connections: says so to one more, if it listens.
async fn turn_away(stream: TcpStream) {
    let _ = timeout(Duration::from_secs(1), async {
        stream.readable().await?;
        let _ = stream.try_read(&mut [0; 4096]);
        stream.writable().await?;
        let full = text("there are too many connections; try again soon", "接続が多すぎます。しばらくしてからもう一度どうぞ");
        let body = Fault::new(503, "connections", full).answer().bytes()?;
        let head = format!(
            "HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.try_write(&[head.as_bytes(), &body].concat())
    })
    .await;
}

/// Whether a request may be answered.
fn allowed(server: &Server, request: &Request<Incoming>, peer: IpAddr, local: IpAddr) -> Result<(), Fault> {
    let metered = server.limits.everybody || !peer.is_loopback();
    if metered {
        server.meter.count(peer)?;
    }
    guard::check(request, &server.host, local)?;
    let known = token::check(server.token.as_deref(), request.uri().path(), request.headers());
    if known.is_err() && metered {
        server.meter.wrong(peer);
    }
    known
}

/// Answers a request; whatever happens in it, the connection goes on.
async fn answer(
    server: Arc<Server>,
    mut router: Router,
    peer: SocketAddr,
    local: SocketAddr,
    request: Request<Incoming>,
) -> Result<axum::response::Response, Infallible> {
    let begun = Instant::now();
    let what =
        tracing::enabled!(tracing::Level::INFO).then(|| format!("{} {}", request.method(), request.uri()));
    let mut reply = match allowed(&server, &request, peer.ip(), local.ip()) {
        Err(fault) => refused(&fault),
        Ok(()) => {
            let answer = Unpanicked(Box::pin(router.call(request.map(Body::new))));
            match answer.await {
                Some(Ok(reply)) => reply,
                None => refused(&Fault::panic()),
            }
        }
    };
    guard::protect(&mut reply);
    if let Some(what) = what {
        let size = reply.body().size_hint().exact().map_or("-".to_owned(), |n| n.to_string());
        let time = begun.elapsed().as_secs_f64() * 1e3;
        tracing::info!("{} {what} {} {size} B {time:.1} ms", peer.ip(), reply.status().as_u16());
    }
    Ok(reply)
}

/// A future whose panic is an answer of its own.
struct Unpanicked<F>(Pin<Box<F>>);

impl<F: Future> Future for Unpanicked<F> {
    type Output = Option<F::Output>;
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<F::Output>> {
        match catch_unwind(AssertUnwindSafe(|| self.0.as_mut().poll(cx))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(output)) => Poll::Ready(Some(output)),
            Err(_) => Poll::Ready(None),
        }
    }
}

/// A stream whose other end may be slow to read, but not for ever.
struct Patient {
    io: TokioIo<TcpStream>,
    most: Duration,
    stuck: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn watch<T>(&mut self, cx: &mut Context<'_>, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.stuck = None;
            return polled;
        }
        let most = self.most;
        let stuck = self.stuck.get_or_insert_with(|| Box::pin(sleep(most)));
        match stuck.as_mut().poll(cx) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
        }
    }
}

impl Read for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(cx, buf)
    }
}

impl Write for Patient {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.io).poll_write(cx, buf);
        self.watch(cx, polled)
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }
    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.io).poll_write_vectored(cx, bufs);
        self.watch(cx, polled)
    }
}
