//! What only tests need. A test that needs a browser finds it in [`browser`], one that starts the program as a shell does
//! finds the way in [`program`], one that asks a server in `server`, one that opens a folder as a host of files serves it in `files`, one that stops a run and goes on with it uses
//! `interrupted`, and the laws that every game obeys are in `contract`. Benches say what they have measured by [`mod@bench`]. Nothing of it is in what is shipped.

pub mod bench;
pub mod browser;
#[cfg(feature = "contract")]
pub mod contract;
#[cfg(feature = "browser")]
pub mod files;
#[cfg(feature = "interrupted")]
pub mod interrupted;
pub mod program;
#[cfg(feature = "server")]
pub mod server;
