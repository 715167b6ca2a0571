//! Rust source files.

/// A Rust source file.
pub(super) struct Source {
    /// The path of the file, relative to the root of the repository, with forward slashes.
    pub(super) path: String,
    pub(super) text: String,
}

impl Source {
    /// Returns whether the file is part of a library or a program, as opposed to an integration
    /// test, benchmark or example.
    pub(super) fn is_compiled_in(&self) -> bool {
        self.path.contains("/src/")
    }
}
