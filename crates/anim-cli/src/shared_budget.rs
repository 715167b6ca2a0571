//! The budget of several files that are made of one input.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use anim_formats::anim_ir::{Budget, Limits};

use crate::status::Failure;
use crate::term::size;

/// The budget for all files that one input is split into, since each can be much larger than its
/// share of the input.
#[derive(Debug)]
pub(crate) struct SharedBudget {
    budget: Mutex<Budget>,
    most: usize,
    is_exceeded: AtomicBool,
}

impl SharedBudget {
    /// Creates the budget for files that are made of `read` bytes.
    pub(crate) fn of(limits: &Limits, read: usize) -> SharedBudget {
        let budget = Budget::for_files(limits, read);
        let (most, is_exceeded) = (budget.left(), AtomicBool::new(false));
        SharedBudget { budget: Mutex::new(budget), most, is_exceeded }
    }

    /// Fails if an output has exceeded the budget, so that the others need not be made.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.is_exceeded.load(Ordering::Relaxed) {
            return Err(self.refusal());
        }
        Ok(())
    }

    /// Charges the bytes of an output before it is written.
    pub(crate) fn charge(&self, bytes: usize) -> Result<(), Failure> {
        let budget = self.budget.lock().unwrap_or_else(PoisonError::into_inner);
        budget.charge("files", bytes).map_err(|_| {
            self.is_exceeded.store(true, Ordering::Relaxed);
            self.refusal()
        })
    }

    fn refusal(&self) -> Failure {
        let most = size(self.most);
        let why = format!(
            "not written, since the files of --split exceed {most} together; choose clips with \
             --clip, or raise --max-memory"
        );
        Failure::file(why)
    }
}
