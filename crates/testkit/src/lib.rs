//! What only tests need. A test that needs a browser finds it in [`browser`], one that starts the program as a shell does
//! finds the way in [`program`], and the laws that every game obeys are in `contract`. Nothing of it is in what is shipped.

pub mod browser;
#[cfg(feature = "contract")]
pub mod contract;
pub mod program;
