//! A Rust source file.

/// A Rust file.
pub(super) struct Source {
    /// Its path from the root of the repository, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

impl Source {
    /// Whether it is part of a library or a program, as opposed to an integration test, benchmark
    /// or example.
    pub(super) fn is_compiled_in(&self) -> bool {
        self.path.contains("/src/")
    }
}
