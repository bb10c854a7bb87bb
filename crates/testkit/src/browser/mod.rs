//! A headless Chromium for tests of pages, over the DevTools protocol: open a page, resize it, click, type, ask it
//! something, look at it, and hear what it complained about, what it asked the network for and what it was told.

#[cfg(feature = "browser")]
mod devtools;

#[cfg(feature = "browser")]
pub use devtools::{Browser, Heard};
use std::path::PathBuf;

/// What the browser may be called, first of all by `YOMIKIRI_CHROMIUM`.
const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// The browser there is, if there is one.
pub fn find() -> Option<PathBuf> {
    if let Some(given) = std::env::var_os("YOMIKIRI_CHROMIUM").filter(|path| !path.is_empty()) {
        return Some(given.into());
    }
    let path = std::env::var_os("PATH")?;
    let mut places = std::env::split_paths(&path).flat_map(|dir| NAMES.map(|name| dir.join(name)));
    places.find(|place| place.is_file())
}
