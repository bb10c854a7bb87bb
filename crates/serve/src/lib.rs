//! The page of yomikiri and its API on this machine: sockets, their limits, who may ask, and the threads that compute.
//! What is answered is the business of `yomikiri-api`. It knows no game.

mod assets;
mod guard;
mod listen;
mod reply;
mod router;
mod threads;
pub mod token;

pub use listen::serve;

use assets::Assets;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use token::{Meter, Rate};
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
    /// How often a client may ask who is not on this machine.
    pub rate: Rate,
    /// Whether that holds for clients on this machine, too.
    pub everybody: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 512,
            reading: Duration::from_secs(20),
            sending: Duration::from_secs(30),
            writing: Duration::from_secs(30),
            // Hints and pictures of a game played fast by a whole classroom behind one address.
            rate: Rate { burst: 400.0, steady: 40.0 },
            everybody: false,
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
    /// What requests for the API must know, if anything.
    pub token: Option<String>,
    /// A folder with the page's files, while somebody works on them.
    pub assets: Option<PathBuf>,
}

/// What all requests share.
struct Server {
    api: Arc<Api>,
    host: String,
    limits: Limits,
    token: Option<String>,
    meter: Meter,
    assets: Assets,
}
