//! The budget of several files that are made of one input.

use std::sync::{Mutex, PoisonError};

use anim_formats::anim_ir::{Budget, Limits};

use crate::status::Failure;
use crate::term::size;

/// The budget for all files that one input is split into, since each can be much larger than its
/// share of the input.
#[derive(Debug)]
pub(crate) struct SharedBudget {
    limits: Limits,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The most bytes that were read for one of the files: the input and its companions.
    read: usize,
    written: usize,
    is_exceeded: bool,
}

impl SharedBudget {
    /// Creates the budget for files that are made of `read` bytes.
    pub(crate) fn of(limits: &Limits, read: usize) -> SharedBudget {
        let state = State { read, written: 0, is_exceeded: false };
        SharedBudget { limits: *limits, state: Mutex::new(state) }
    }

    /// Fails if a file has exceeded the budget, so that the others need not be made.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_exceeded { Err(self.refusal(&state)) } else { Ok(()) }
    }

    /// Charges the bytes of a file, for which `read` bytes were read, before it is written.
    pub(crate) fn charge(&self, bytes: usize, read: usize) -> Result<(), Failure> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.read = state.read.max(read);
        let written = state.written.saturating_add(bytes);
        let budget = self.budget(&state);
        if budget.charge("files", written).is_err() {
            state.is_exceeded = true;
            return Err(self.refusal(&state));
        }
        state.written = written;
        Ok(())
    }

    fn budget(&self, state: &State) -> Budget {
        Budget::for_files(&self.limits, state.read)
    }

    fn refusal(&self, state: &State) -> Failure {
        let most = size(self.budget(state).left());
        Failure::file(format!(
            "not written, since the files of --split exceed {most} together; choose clips with \
             --clip, or raise --max-memory"
        ))
    }
}
