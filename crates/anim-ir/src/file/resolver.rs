//! Access to companion files. Libraries do no I/O themselves: the caller provides it.

use crate::file::address::is_data;
use crate::{Limits, ResolveError};

/// Opens the files that a file refers to.
///
/// The implementation decides what may be opened, for example only files below the file's own
/// folder. [`address::relative_path`](crate::address::relative_path) turns an address into a path.
///
/// ```
/// use std::collections::HashMap;
/// use anim_ir::{ResolveError, Resolver};
///
/// struct InMemory(HashMap<String, Vec<u8>>);
///
/// impl Resolver for InMemory {
///     fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
///         self.0.get(address).cloned().ok_or(ResolveError::NotFound)
///     }
///
///     fn exists(&mut self, address: &str) -> bool {
///         self.0.contains_key(address)
///     }
/// }
///
/// let mut files = InMemory(HashMap::from([("skin.png".to_owned(), vec![1])]));
/// assert_eq!(files.pick(&["skin.dds", "skin.png"]), 1);
/// assert_eq!(files.read("skin.dds"), Err(ResolveError::NotFound));
/// ```
pub trait Resolver {
    /// Reads a file or a `data:` URI. `address` is as written in the referring file: relative
    /// to that file's folder, percent-encoded.
    ///
    /// # Errors
    ///
    /// [`ResolveError`] if it cannot be read.
    fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError>;

    /// Reads the first bytes of a file, up to a number.
    ///
    /// # Errors
    ///
    /// [`ResolveError`] if they cannot be read.
    fn head(&mut self, address: &str, most: usize) -> Result<Vec<u8>, ResolveError> {
        let mut bytes = self.read(address)?;
        bytes.truncate(most);
        Ok(bytes)
    }

    /// Whether the file exists, as far as that is known without reading it.
    fn exists(&mut self, address: &str) -> bool {
        let _ = address;
        false
    }

    /// The index of the address to use out of several for one image: the first that exists,
    /// otherwise 0.
    fn pick(&mut self, addresses: &[&str]) -> usize {
        let usable = |address: &&str| is_data(address) || self.exists(address);
        addresses.iter().position(usable).unwrap_or(0)
    }

    /// The most bytes that [`Resolver::read`] should return.
    fn limit(&self) -> usize {
        Limits::default().input_bytes
    }
}

/// A resolver without any files.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Resolver for NoFiles {
    fn read(&mut self, _: &str) -> Result<Vec<u8>, ResolveError> {
        Err(ResolveError::NoFiles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Only(&'static str);

    impl Resolver for Only {
        fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
            if self.exists(address) { Ok(vec![7]) } else { Err(ResolveError::NotFound) }
        }

        fn exists(&mut self, address: &str) -> bool {
            address == self.0
        }
    }

    #[test]
    fn the_first_that_exists_is_picked() {
        let mut files = Only("b.png");
        assert_eq!(files.pick(&["a.png", "b.png", "data:,x"]), 1);
        assert_eq!(files.pick(&["a.png", "DATA:,x"]), 1);
        assert_eq!(files.pick(&["a.png", "c.png"]), 0);
        assert_eq!(NoFiles.read("b.png"), Err(ResolveError::NoFiles));
    }
}
