//! Handles panics, which are bugs in this program. A panic fails the current file, not the whole
//! batch.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::status::Failure;

/// The number of active calls of [`guard`].
static GUARDED: AtomicUsize = AtomicUsize::new(0);
/// The message and location of the first panic on a thread that the libraries started. They start
/// threads only when files are read one at a time, so the panic concerns the current file.
static ELSEWHERE: Mutex<Option<String>> = Mutex::new(None);

thread_local! {
    /// `Some` while this thread is in [`guard`]: the message of the panic, if it panicked.
    static HERE: RefCell<Option<Option<String>>> = const { RefCell::new(None) };
}

/// Installs a panic hook that stores the message of a guarded panic, so that it can be reported for
/// the file. Other panics are printed as usual. Must be called on the main thread.
pub(crate) fn install() {
    let default = panic::take_hook();
    let main = thread::current().id();
    panic::set_hook(Box::new(move |info| {
        let said = || {
            let place = info
                .location()
                .map_or(String::new(), |place| format!(" ({}:{})", place.file(), place.line()));
            let payload = info.payload();
            let message = payload
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| payload.downcast_ref().copied())
                .unwrap_or("a panic");
            Some(format!("{message}{place}"))
        };
        let is_here =
            HERE.with_borrow_mut(|here| here.as_mut().map(|here| *here = said()).is_some());
        if is_here {
            return;
        }
        if GUARDED.load(Ordering::SeqCst) == 0 || thread::current().id() == main {
            return default(info);
        }
        if let Ok(mut first) = ELSEWHERE.lock()
            && first.is_none()
        {
            *first = said();
        }
    }));
}

/// Runs `work`, and turns a panic into a failure.
pub(crate) fn guard<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    GUARDED.fetch_add(1, Ordering::SeqCst);
    HERE.set(Some(None));
    // State left inconsistent by a panic is not used afterwards.
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.fetch_sub(1, Ordering::SeqCst);
    let here = HERE.take().flatten();
    result.unwrap_or_else(|_| {
        // A panic on a worker thread makes the waiting thread panic as well. The worker's message
        // describes the original problem.
        let elsewhere = ELSEWHERE.lock().ok().and_then(|mut first| first.take());
        let said = elsewhere.or(here).unwrap_or_default();
        Err(Failure::file(format!("internal error in animfmt, please report it: {said}")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::in_order;
    use crate::status::Status;

    #[test]
    fn a_panic_fails_only_one_file() {
        install();
        let results: Vec<Result<u32, Failure>> = (0..3)
            .map(|file| {
                guard(|| {
                    let work = || if file == 1 { panic!("file {file}") } else { Ok(file) };
                    std::thread::scope(|scope| {
                        scope.spawn(work).join().unwrap_or_else(|_| panic!("the thread panicked"))
                    })
                })
            })
            .collect();
        assert_eq!((results[0].clone(), results[2].clone()), (Ok(0), Ok(2)));
        let failure = results[1].clone().unwrap_err();
        assert_eq!(failure.status, Status::Errors);
        assert!(
            failure.message.starts_with("internal error in animfmt, please report it: file 1 ("),
            "{}",
            failure.message
        );

        // Not a separate test: panics of concurrent tests could overlap, which cannot happen in the
        // program.
        let items: Vec<usize> = (0..200).collect();
        let work = |item: &usize| {
            guard(|| if item.is_multiple_of(2) { panic!("in file {item}.") } else { Ok(*item) })
        };
        in_order(&items, 4, work, |item, result| {
            match result {
                Ok(result) => assert_eq!(result, *item),
                Err(failure) => assert!(
                    failure.message.contains(&format!(": in file {item}. (")),
                    "{item}: {}",
                    failure.message
                ),
            }
            Ok(())
        })
        .unwrap();
    }
}
