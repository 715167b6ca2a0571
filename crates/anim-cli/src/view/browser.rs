//! Opens the page in the browser.

use std::path::Path;

use crate::status::Failure;
use crate::term::{print_note, show_path};

/// Opens a file. Without a display, prints where it is.
pub(super) fn open_file(path: &Path) -> Result<(), Failure> {
    if !has_display() {
        print_note(format!("no display found; open {} in a browser", show_path(path)));
        return Ok(());
    }
    let cannot = |error| Failure::usage(format!("cannot open the page in a browser: {error}"));
    open::that_detached(path).map_err(cannot)
}

/// Opens an address. Without a display, does nothing.
pub(super) fn open_address(address: &str) -> Result<(), Failure> {
    if !has_display() {
        return Ok(());
    }
    let cannot = |error| Failure::usage(format!("cannot open {address} in a browser: {error}"));
    open::that_detached(address).map_err(cannot)
}

/// Whether a browser can be shown. On Unix systems other than macOS, programs find the display in
/// the environment.
fn has_display() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let needs_one = cfg!(all(unix, not(target_os = "macos")));
    !needs_one
        || ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME"].into_iter().any(is_set)
}
