//! Which request goes where: the page and its files, and the API behind `/api`.

use crate::reply::{Reply, answered, refused};
use crate::{Server, assets};
use axum::Router;
use axum::body::Body;
use axum::extract::RawPathParams;
use axum::http::{HeaderMap, Method, Request};
use axum::routing::{MethodFilter, MethodRouter};
use http_body_util::BodyExt;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use yomikiri_api::{Fault, Reply as Told};
use yomikiri_core::{Text, text};

/// What is read of bodies that are too large, so that the client hears why they are refused.
const DRAINED: usize = 64 << 20;

/// The router: the page, with the API beside it.
pub fn router(server: &Arc<Server>) -> Router {
    let mut router = Router::new();
    let only_get = |methods: MethodRouter| {
        methods.fallback(|| std::future::ready(refused(&Fault::method(vec!["GET", "HEAD"]))))
    };
    for page in assets::PAGES {
        let server = Arc::clone(server);
        let shell = move |headers: HeaderMap| std::future::ready(server.assets.shell(&headers));
        router = router.route(page, only_get(MethodRouter::new().on(MethodFilter::GET, shell)));
    }
    let of = Arc::clone(server);
    let asset = move |params: RawPathParams, headers: HeaderMap| {
        let name = params.iter().next().map_or("", |(_, value)| value);
        std::future::ready(of.assets.asset(name, &headers).unwrap_or_else(assets::nowhere))
    };
    let router = router.route("/assets/{file}", only_get(MethodRouter::new().on(MethodFilter::GET, asset)));
    let server = Arc::clone(server);
    router.fallback(move |request: Request<Body>| {
        let server = Arc::clone(&server);
        async move {
            let path = request.uri().path();
            if path != "/api" && !path.starts_with("/api/") {
                return assets::nowhere();
            }
            ask(&server, request).await.unwrap_or_else(|fault| refused(&fault))
        }
    })
}

/// Reads a request, asks the API, and waits as long as that is worth it. If the client goes away, so does the wait, and
/// with it the work.
async fn ask(server: &Server, request: Request<Body>) -> Result<Reply, Fault> {
    let (uri, method) = (request.uri(), request.method());
    let mut question = yomikiri_api::Request::url(method.as_str(), uri.path(), uri.query().unwrap_or(""))?;
    if method == Method::POST {
        let kind = request.headers().get("content-type").and_then(|v| v.to_str().ok()).unwrap_or("");
        question.kind = kind.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
        // Read first: a refusal that nobody hears helps nobody.
        question.body = body(request.into_body(), server.api.limits().body, server.limits.sending).await?;
    }
    // A job is written with its result, which may be large; everything else is there when it is asked for.
    let large = question.route == "job";
    let api = Arc::clone(&server.api);
    let told = if large { aside(move || api.ask(question)).await? } else { api.ask(question) };
    Ok(answered(match told {
        Told::Now(answer) => answer,
        Told::Wait(wait) => {
            let _ = timeout(wait.most(), wait.news()).await;
            if large { aside(move || wait.answer()).await? } else { wait.answer() }
        }
    }))
}

/// Does something that may take a moment on a thread where nobody waits for other requests.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Fault> {
    tokio::task::spawn_blocking(work).await.map_err(|_| Fault::panic())
}

/// The body of a request; one that is too large is read to its end, within reason, and refused.
async fn body(mut body: Body, largest: usize, most: Duration) -> Result<Vec<u8>, Fault> {
    let mut held = Vec::new();
    let mut size = 0usize;
    let read = timeout(most, async {
        while let Some(frame) = body.frame().await {
            let Ok(frame) = frame else { return false };
            if let Ok(data) = frame.into_data() {
                size += data.len();
                if size <= largest {
                    held.extend_from_slice(&data);
                } else {
                    held = Vec::new();
                }
                if size > DRAINED {
                    return true;
                }
            }
        }
        true
    })
    .await;
    match read {
        Err(_) => Err(Fault::new(
            408,
            "slow",
            Text::of(
                format!("the body did not arrive within {} s", most.as_secs()),
                format!("本文が {} 秒以内に届きませんでした", most.as_secs()),
            ),
        )),
        Ok(false) => Err(Fault::new(400, "broken", text("the body broke off", "本文が途中で切れました"))),
        Ok(true) if size > largest => Err(Fault::size(largest)),
        Ok(true) => Ok(held),
    }
}
