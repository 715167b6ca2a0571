//! Animation files in the browser: a [`Session`] holds the files that a user dropped on a page, and
//! checks, shows, repairs and converts them. It does no I/O.
//!
//! All answers are JSON, and failures are answers too: `{"error": "…", "file": "…"}`. On
//! WebAssembly, the module `bindings` offers the same to JavaScript.

mod answer;
#[cfg(target_arch = "wasm32")]
mod bindings;
mod convert;
mod formats;
mod listing;
mod open;
mod options;
mod repair;
mod session;
mod view;

pub use formats::formats;
pub use session::Session;

/// Returns the version of the module.
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
