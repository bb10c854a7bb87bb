//! The server over real sockets, with a game made for it.

mod clients;
mod contract;
mod jobs;
mod play;
mod support;
