//! Ends the program on a signal without leaving temporary files.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Returns the paths of temporary files. While they are locked, signals do not end the program.
pub(crate) fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// On SIGHUP, SIGINT, SIGTERM and SIGXCPU (the limit on processor time), removes temporary files
/// and exits with the status that shells give to programs that these signals terminate, such as 130
/// for SIGINT. A file that becomes too large
/// for the limit of the system (SIGXFSZ) is an error like a full disk.
#[cfg(unix)]
pub(crate) fn install() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU, SIGXFSZ};
    use signal_hook::iterator::Signals;

    let mut handled = vec![SIGINT, SIGTERM, SIGXCPU, SIGXFSZ];
    handled.extend(Some(SIGHUP).filter(|_| may_hang_up()));
    // Without a handler, the signals end the program as usual.
    let Ok(mut signals) = Signals::new(handled) else { return };
    let wait = move || {
        // Where SIGXFSZ is handled, writing fails.
        if let Some(signal) = signals.forever().find(|signal| *signal != SIGXFSZ) {
            let unfinished = unfinished();
            for path in unfinished.iter() {
                let _ = std::fs::remove_file(path);
            }
            std::process::exit(signal.saturating_add(128));
        }
    };
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
}

/// Whether the end of the terminal session ends the program. `nohup` has SIGHUP ignored, which a
/// handler would undo. Where this is unknown, the signal is not handled.
#[cfg(unix)]
fn may_hang_up() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // The lowest bit is that of signal 1.
    ignored
        .and_then(|mask| u128::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & 1 == 0)
}

#[cfg(not(unix))]
pub(crate) fn install() {}
