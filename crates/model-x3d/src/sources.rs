//! Source map of a scene assembled from several files.

use anim_ir::{Diagnostics, Span, diag::quote};

/// The files that a scene is assembled from. Positions are as if all files were concatenated, so
/// positions in the first file are unchanged.
#[derive(Debug)]
pub struct Sources {
    files: Vec<SourceFile>,
    /// The offset at which the next file will start.
    end: usize,
}

#[derive(Debug)]
struct SourceFile {
    /// The name shown in messages.
    shown: String,
    /// The offset of its first byte.
    base: usize,
    /// The offset of each line, relative to `base`.
    line_starts: Vec<u32>,
    /// The reference to the file: a span in an earlier file.
    named_at: Option<Span>,
}

impl Sources {
    /// Creates a source map of only the first file, with this length.
    pub(crate) const fn new(first_len: usize) -> Sources {
        // An empty span at the end of a file is still part of that file.
        Sources { files: Vec::new(), end: first_len.saturating_add(1) }
    }

    /// Adds a file that is referenced at a span. Returns the offset of the file's first byte.
    pub(crate) fn add(&mut self, address: &str, text: &str, named_at: Option<Span>) -> usize {
        let base = self.end;
        let after_lines =
            memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at.saturating_add(1));
        let line_starts = std::iter::once(0).chain(after_lines);
        self.files.push(SourceFile {
            shown: if anim_ir::address::is_data(address) {
                "`data:…`".to_owned()
            } else {
                quote(address.as_bytes())
            },
            base,
            line_starts: line_starts.filter_map(|start| u32::try_from(start).ok()).collect(),
            named_at,
        });
        self.end = base.saturating_add(text.len()).saturating_add(1);
        base
    }

    /// Maps diagnostics in other files to the first file: the message is prefixed with the file and
    /// line, the span becomes that of the reference in the first file, and any fix is removed.
    pub fn resolve(&self, diagnostics: &mut Diagnostics) {
        for diagnostic in diagnostics.iter_mut() {
            let Some(file) = diagnostic.span.and_then(|span| self.file_at(span)) else { continue };
            let start = diagnostic.span.map_or(0, |span| span.start.saturating_sub(file.base));
            let line = file.line_starts.partition_point(|line| *line as usize <= start);
            diagnostic.message = format!("{}: line {line}: {}", file.shown, diagnostic.message);
            diagnostic.fix = None;
            let mut named_at = file.named_at;
            // A file is always referenced by a file added before it.
            while let Some(outer) = named_at.and_then(|span| self.file_at(span)) {
                named_at = outer.named_at;
            }
            diagnostic.span = named_at;
        }
    }

    /// Returns the file, other than the first, that contains the start of a span.
    fn file_at(&self, span: Span) -> Option<&SourceFile> {
        let after = self.files.partition_point(|file| file.base <= span.start);
        after.checked_sub(1).and_then(|at| self.files.get(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes;

    #[test]
    fn places_in_further_files_name_the_file_and_the_line() {
        let mut sources = Sources::new(10);
        let a = sources.add("a.x3d", "one\ntwo\n", Some(Span::new(4, 5)));
        let b = sources.add("b.wrl", "x\ny\nz", Some(Span::new(a + 4, a + 7)));
        let mut found = Diagnostics::new();
        for at in [3, 10, a, a + 4, a + 8, b + 4, b + 5] {
            found.push(&codes::INDEX, Span::new(at, at), || "oh".to_owned());
        }
        found.push(&codes::INDEX, None, || "nowhere".to_owned());
        sources.resolve(&mut found);
        let found: Vec<_> = found
            .iter()
            .map(|found| (found.message.as_str(), found.span.map(|span| span.start)))
            .collect();
        assert_eq!(
            found,
            [
                ("oh", Some(3)),
                ("oh", Some(10)),
                ("`a.x3d`: line 1: oh", Some(4)),
                ("`a.x3d`: line 2: oh", Some(4)),
                ("`a.x3d`: line 3: oh", Some(4)),
                ("`b.wrl`: line 3: oh", Some(4)),
                ("`b.wrl`: line 3: oh", Some(4)),
                ("nowhere", None),
            ]
        );
    }
}
