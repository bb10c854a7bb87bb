//! The page of yomikiri and its API on this machine: sockets, their limits, who may ask, and the threads that compute.
//! What is answered is the business of `yomikiri-api`. It knows no game.

mod assets;
mod guard;
mod listen;
mod reply;
mod router;
mod threads;

pub use listen::serve;

use assets::Assets;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use yomikiri_api::Api;

/// How many connections there may be, and how slow.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections at once.
    pub connections: usize,
    /// How long a client may take to send the head of a request, or nothing.
    pub reading: Duration,
    /// How long it may take to send the body.
    pub sending: Duration,
    /// How long it may read nothing of its answer.
    pub writing: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 512,
            reading: Duration::from_secs(20),
            sending: Duration::from_secs(30),
            writing: Duration::from_secs(30),
        }
    }
}

/// What a server is given.
pub struct Config {
    /// What is asked.
    pub api: yomikiri_api::Config,
    /// The name it was asked to listen as.
    pub host: String,
    /// The limits of connections.
    pub limits: Limits,
    /// A folder with the page's files, while somebody works on them.
    pub assets: Option<PathBuf>,
}

/// What all requests share.
struct Server {
    api: Arc<Api>,
    host: String,
    limits: Limits,
    assets: Assets,
}
