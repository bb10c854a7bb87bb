//! What only tests need. A test that needs a browser finds it in [`browser`], one that starts the program as a shell does
//! finds the way in [`program`]. Nothing of it is in what is shipped.

pub mod browser;
pub mod program;
