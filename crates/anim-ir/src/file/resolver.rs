//! Access to companion files. The libraries do no I/O themselves; the caller provides it.

use crate::file::address::is_data;
use crate::{Limits, ResolveError, Span};

/// Opens the files that another file refers to.
///
/// The implementation decides which files may be opened, for example only those in the file's own
/// folder. [`address::relative_path`](crate::address::relative_path) converts a URI reference to a
/// path.
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
    /// Reads a file or a `data:` URI. `address` is a percent-encoded URI reference, as written in
    /// the referring file and relative to its folder.
    ///
    /// # Errors
    ///
    /// Returns [`ResolveError`] if the file cannot be read.
    fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError>;

    /// Reads up to `most` bytes from the start of a file.
    ///
    /// # Errors
    ///
    /// Returns [`ResolveError`] if the file cannot be read.
    fn head(&mut self, address: &str, most: usize) -> Result<Vec<u8>, ResolveError> {
        let mut bytes = self.read(address)?;
        bytes.truncate(most);
        Ok(bytes)
    }

    /// Whether the file exists, as far as can be determined without reading it.
    fn exists(&mut self, address: &str) -> bool {
        let _ = address;
        false
    }

    /// Returns the path to a file from the folder of the referring file, for an address that is not
    /// relative to that folder, such as a `castle-data:` URI. Returns `None` if there is none.
    fn way(&mut self, address: &str) -> Option<String> {
        let _ = address;
        None
    }

    /// Returns the span that stands for the file that refers to an image, in a document that
    /// several files were merged into. `path` is that of the image
    /// ([`Image::path`](crate::Image::path)). Returns `None` if this is not known.
    fn origin(&self, path: &str) -> Option<Span> {
        let _ = path;
        None
    }

    /// Picks one of several alternative URI references: returns the index of the first that exists,
    /// or 0 if none does.
    fn pick(&mut self, addresses: &[&str]) -> usize {
        let usable = |address: &&str| is_data(address) || self.exists(address);
        addresses.iter().position(usable).unwrap_or(0)
    }

    /// Returns the maximum number of bytes that [`Resolver::read`] should return.
    fn limit(&self) -> usize {
        Limits::default().input_bytes
    }
}

/// A resolver that opens no files.
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
    fn the_first_existing_file_is_picked() {
        let mut files = Only("b.png");
        assert_eq!(files.pick(&["a.png", "b.png", "data:,x"]), 1);
        assert_eq!(files.pick(&["a.png", "DATA:,x"]), 1);
        assert_eq!(files.pick(&["a.png", "c.png"]), 0);
        assert_eq!(files.head("b.png", 0), Ok(Vec::new()));
        assert_eq!(files.read("c.png"), Err(ResolveError::NotFound));
        assert_eq!(NoFiles.read("b.png"), Err(ResolveError::NoFiles));
        assert_eq!(NoFiles.limit(), Limits::default().input_bytes);
    }
}
