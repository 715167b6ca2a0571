//! Limits on the resources that reading a file may use.

use thiserror::Error;

/// The memory that an input needs, as a multiple of its size.
const INPUT: usize = 2;

/// Limits that are checked before any allocation not bounded by the size of the input.
///
/// The defaults are generous enough for any real file. A server that processes untrusted files may
/// want to lower them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of the input in bytes. Capped at 4 GiB - 1, since offsets are stored in 32
    /// bits.
    pub input_bytes: usize,
    /// Maximum length of a line in bytes, for text formats.
    pub line_bytes: usize,
    /// Maximum length of a name in bytes.
    pub name_bytes: usize,
    /// Maximum number of vertices of a concave polygon, since triangulation can take quadratic
    /// time.
    pub concave_corners: usize,
    /// The memory in bytes that reading, converting and writing a file together may take: for its
    /// content ([`Limits::check_input`], [`Scene::check_size`](crate::Scene::check_size)), and for
    /// what it implies but does not contain ([`Budget`](crate::Budget)). `None` derives the budget
    /// of each operation from the size of its input.
    pub memory: Option<usize>,
    /// The size in bytes of the files, as stored, that a scene was read from, if it is known. What
    /// is made of the scene then takes at most 16 times as much memory, in addition to the budget
    /// for an empty scene: a small file may stand for a large scene. If [`Limits::memory`] is
    /// set, it is the bound instead.
    pub stored: Option<usize>,
    /// How many diagnostics with a repair are kept in total, in addition to the first
    /// [`Limits::diagnostics`] of each code: 0 by default, or a high value to collect all repairs
    /// together. If it is not 0, readers treat an error as repaired where necessary to find the
    /// errors after it.
    pub fixes: usize,
    /// How many diagnostics of each code are kept. The default and the minimum are
    /// [`KEPT_PER_CODE`](crate::Diagnostics::KEPT_PER_CODE).
    pub diagnostics: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            input_bytes: 1 << 30,
            line_bytes: 16 << 20,
            name_bytes: 4096,
            concave_corners: 1 << 14,
            memory: None,
            stored: None,
            fixes: 0,
            diagnostics: 10,
        }
    }
}

impl Limits {
    /// Checks the size of an input.
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if the size exceeds [`Limits::input_bytes`], 4 GiB - 1, or half of
    /// [`Limits::memory`].
    pub fn check_input(&self, bytes: usize) -> Result<(), LimitError> {
        let most = self.input_bytes.min(u32::MAX as usize);
        if bytes > most {
            return Err(LimitError { what: "the input", unit: "bytes", found: bytes, most });
        }
        self.check_memory("the contents of the input", bytes.saturating_mul(INPUT))
    }

    /// Returns the size in bytes of the largest input that [`check_input`](Self::check_input)
    /// permits.
    pub fn largest_input(&self) -> usize {
        let memory = self.memory.map_or(usize::MAX, |memory| memory / INPUT);
        self.input_bytes.min(u32::MAX as usize).min(memory)
    }

    /// Checks memory that is already taken.
    pub(crate) fn check_memory(&self, what: &'static str, found: usize) -> Result<(), LimitError> {
        match self.memory {
            Some(most) if found > most => {
                Err(LimitError { what, unit: LimitError::MEMORY, found, most })
            }
            _ => Ok(()),
        }
    }
}

/// The error for a file or an operation that exceeds a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub struct LimitError {
    /// The item that is too large.
    pub what: &'static str,
    /// The unit of the counts. [`LimitError::MEMORY`] for a [`Budget`](crate::Budget).
    pub unit: &'static str,
    /// The actual count, or `usize::MAX` if it is too large to represent.
    pub found: usize,
    /// The limit.
    pub most: usize,
}

impl LimitError {
    /// The unit of errors about budgets.
    pub const MEMORY: &'static str = "bytes of memory";

    /// The unit of errors about the work of a [`Budget`](crate::Budget).
    pub const WORK: &'static str = "bytes of work";

    /// Whether the error is about a [`Budget`](crate::Budget), so that a higher
    /// [`Limits::memory`] may help.
    pub fn is_about_memory(&self) -> bool {
        [LimitError::MEMORY, LimitError::WORK].contains(&self.unit)
    }

    fn message(&self) -> String {
        let LimitError { what, unit, found, most } = self;
        if self.is_about_memory() {
            let most = size(*most);
            let is_work = *unit == LimitError::WORK;
            // What is charged in small steps exceeds the limit by one step, even if the total
            // would be far larger.
            if *found != usize::MAX && size(*found) == most {
                let more = if is_work { "take longer" } else { "need more memory" };
                return format!("{what} {more} than the limit of {most} allows (`--max-memory`)");
            }
            let needs = match (is_work, *found) {
                (false, usize::MAX) => "need too much memory".to_owned(),
                (false, found) => format!("need a memory limit of at least {}", size(found)),
                (true, usize::MAX) => "take too long".to_owned(),
                (true, found) => {
                    format!("take too long and need a limit of at least {}", size(found))
                }
            };
            return format!("{what} {needs}; the limit is {most} (`--max-memory`)");
        }
        let actual = if *found == usize::MAX { String::new() } else { format!(" (found {found})") };
        format!("{what} must not exceed {most} {unit}{actual}")
    }
}

/// Formats a number of bytes with at most four digits, rounded up.
fn size(bytes: usize) -> String {
    let mut size = bytes;
    for unit in ["bytes", "kB", "MB", "GB", "TB"] {
        if size < 10_000 {
            return format!("{size} {unit}");
        }
        size = size.div_ceil(1000);
    }
    format!("{size} PB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_counts_towards_the_memory() {
        let limits = |memory| Limits { memory: Some(memory), ..Limits::default() };
        assert!(limits(200).check_input(100).is_ok());
        let error = limits(199).check_input(100).unwrap_err();
        assert_eq!((error.found, error.most), (200, 199));
    }

    #[test]
    fn messages_name_the_memory_and_the_limit() {
        let message = |found, most| {
            LimitError { what: "the keys", unit: LimitError::MEMORY, found, most }.to_string()
        };
        assert_eq!(
            message(9999, 20),
            "the keys need a memory limit of at least 9999 bytes; the limit is 20 bytes \
             (`--max-memory`)"
        );
        assert_eq!(
            message(20_000_002, 20_000_001),
            "the keys need more memory than the limit of 21 MB allows (`--max-memory`)"
        );
        assert_eq!(
            message(10_001, 0),
            "the keys need a memory limit of at least 11 kB; the limit is 0 bytes (`--max-memory`)"
        );
        assert_eq!(
            message(5_760_000_000_000, 134_217_728),
            "the keys need a memory limit of at least 5760 GB; the limit is 135 MB \
             (`--max-memory`)"
        );
        assert_eq!(
            message(10_000_000_000_000_000, 20),
            "the keys need a memory limit of at least 10 PB; the limit is 20 bytes (`--max-memory`)"
        );
        assert_eq!(
            message(usize::MAX, 0),
            "the keys need too much memory; the limit is 0 bytes (`--max-memory`)"
        );
        let work = |found| {
            LimitError { what: "the samples", unit: LimitError::WORK, found, most: 1000 }
                .to_string()
        };
        assert_eq!(
            work(9_000_000),
            "the samples take too long and need a limit of at least 9000 kB; the limit is 1000 \
             bytes \
             (`--max-memory`)"
        );
        assert_eq!(
            work(usize::MAX),
            "the samples take too long; the limit is 1000 bytes (`--max-memory`)"
        );
    }
}
