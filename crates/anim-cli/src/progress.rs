//! The progress bar of a batch.

use std::io::{self, IsTerminal as _, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::input::Input;
use crate::status::{Fail as _, Failure, Status};
use crate::term::{Verbosity, verbosity};

/// A progress bar on standard error; hidden if standard error is not a terminal.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Returns a bar for this number of files. `wanted` is false if only errors are printed.
    pub(crate) fn new(files: usize, wanted: bool) -> Progress {
        if files < 2 || !wanted || verbosity() != Verbosity::Normal || !io::stderr().is_terminal() {
            return Progress(ProgressBar::hidden());
        }
        let bar =
            ProgressBar::with_draw_target(u64::try_from(files).ok(), ProgressDrawTarget::stderr());
        // The bar has no colours, so NO_COLOR is irrelevant.
        let style =
            ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} files, {eta} left");
        Progress(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())))
    }

    /// Returns whether results can be printed while the bar is shown: only if standard output is
    /// not a terminal.
    pub(crate) fn has_place() -> bool {
        !io::stdout().is_terminal()
    }

    /// Advances by one file. May be called from any thread.
    pub(crate) fn step(&self) {
        self.0.inc(1);
    }

    /// Runs `say` while the bar is hidden.
    pub(crate) fn aside<T>(&self, say: impl FnOnce() -> T) -> T {
        self.0.suspend(say)
    }

    /// Reports the failure of a file. Flushes standard output first, which keeps both streams in
    /// order on a terminal.
    pub(crate) fn report_failure(
        &self,
        failure: &Failure,
        input: Input<'_>,
        out: &mut dyn Write,
    ) -> io::Result<Status> {
        out.flush()?;
        Ok(self.aside(|| failure.report_for(&input.shown())))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
