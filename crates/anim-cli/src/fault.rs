//! A panic is a fault of this program. It costs the file at hand, not the whole batch.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::status::Failure;

/// How many calls of [`guard`] are running.
static GUARDED: AtomicUsize = AtomicUsize::new(0);
/// What the first panic under a guard said, and where.
static FIRST: Mutex<Option<String>> = Mutex::new(None);

/// Keeps what a guarded panic says for the message about the file; other panics are printed as usual.
pub(crate) fn install() {
    let default = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if GUARDED.load(Ordering::SeqCst) == 0 {
            return default(info);
        }
        let place = info.location().map_or(String::new(), |place| format!(" ({}:{})", place.file(), place.line()));
        if let Ok(mut first) = FIRST.lock() {
            // A thread that panics makes the one that waits for it panic: the first says what it was.
            first.get_or_insert_with(|| format!("{}{place}", info.payload_as_str().unwrap_or("a panic")));
        }
    }));
}

/// Does the work; a panic in it becomes a failure.
pub(crate) fn guard<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    GUARDED.fetch_add(1, Ordering::SeqCst);
    // Nothing that the work leaves half done is looked at afterwards.
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.fetch_sub(1, Ordering::SeqCst);
    result.unwrap_or_else(|_| {
        let said = FIRST.lock().ok().and_then(|mut first| first.take()).unwrap_or_default();
        Err(Failure::file(format!("a fault of animfmt itself, please report it: {said}")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::Status;

    #[test]
    fn a_panic_costs_one_file() {
        install();
        let results: Vec<Result<u32, Failure>> = (0..3)
            .map(|file| {
                guard(|| {
                    let work = || if file == 1 { panic!("file {file}") } else { Ok(file) };
                    std::thread::scope(|scope| scope.spawn(work).join().unwrap_or_else(|_| panic!("the thread panicked")))
                })
            })
            .collect();
        assert_eq!((results[0].clone(), results[2].clone()), (Ok(0), Ok(2)));
        let failure = results[1].clone().unwrap_err();
        assert_eq!(failure.status, Status::Errors);
        assert!(failure.message.starts_with("a fault of animfmt itself, please report it: file 1 ("), "{}", failure.message);
    }
}
