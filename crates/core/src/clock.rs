//! How long something took. In a browser the system's clock cannot be asked from here: the program around says once what
//! to ask instead.

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;

#[cfg(target_family = "wasm")]
pub use told::{Instant, ask};

#[cfg(target_family = "wasm")]
mod told {
    use std::sync::OnceLock;
    use std::time::Duration;

    /// What tells the time; as natively, there is one for the whole program.
    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Says what tells the time since some moment. Before, no time passes.
    pub fn ask(clock: fn() -> Duration) {
        // Whoever comes first has said it.
        let _ = CLOCK.set(clock);
    }

    /// A moment, of which only the time since can be asked: as `std::time::Instant`.
    #[derive(Clone, Copy, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        pub fn now() -> Instant {
            Instant(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        /// The time since then.
        pub fn elapsed(&self) -> Duration {
            Instant::now().0.saturating_sub(self.0)
        }
    }
}
