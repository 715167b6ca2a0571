//! How far a batch is, on a terminal.

use std::io::{self, IsTerminal as _, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::input::Input;
use crate::status::{Failure, Status};
use crate::term::{Verbosity, verbosity};

/// A bar on standard error while files are worked on; nothing where that is no terminal.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// For so many files. `wanted` is false where only errors are printed.
    pub(crate) fn new(files: usize, wanted: bool) -> Progress {
        if files < 2 || !wanted || verbosity() != Verbosity::Normal || !io::stderr().is_terminal() {
            return Progress(ProgressBar::hidden());
        }
        let bar =
            ProgressBar::with_draw_target(u64::try_from(files).ok(), ProgressDrawTarget::stderr());
        // It has no colours, and so needs no look at NO_COLOR.
        let style =
            ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} files, {eta} left");
        Progress(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())))
    }

    /// Whether there is a place for a bar beside what goes to standard output.
    pub(crate) fn has_place() -> bool {
        !io::stdout().is_terminal()
    }

    /// One more file is done. May be called from any thread.
    pub(crate) fn step(&self) {
        self.0.inc(1);
    }

    /// Says something with the bar out of the way.
    pub(crate) fn aside<T>(&self, say: impl FnOnce() -> T) -> T {
        self.0.suspend(say)
    }

    /// Says why nothing came of a file, after what was told before, also on a terminal.
    pub(crate) fn tell_failure(
        &self,
        failure: &Failure,
        input: Input<'_>,
        out: &mut dyn Write,
    ) -> io::Result<Status> {
        out.flush()?;
        Ok(self.aside(|| failure.tell_of(&input.shown())))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
