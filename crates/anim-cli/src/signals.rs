//! Ends the program on a signal without leaving temporary files.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Returns the paths of temporary files. While they are locked, signals do not end the program.
pub(crate) fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// On SIGINT and SIGTERM, removes temporary files and exits with the status that shells give to
/// programs that these signals terminate: 130 and 143.
#[cfg(unix)]
pub(crate) fn install() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    // Without a handler, the signals end the program as usual.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            let unfinished = unfinished();
            for path in unfinished.iter() {
                let _ = std::fs::remove_file(path);
            }
            std::process::exit(signal.saturating_add(128));
        }
    };
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
}

#[cfg(not(unix))]
pub(crate) fn install() {}
