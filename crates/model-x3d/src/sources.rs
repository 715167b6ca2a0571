//! Which file a place is in, where a scene is put together from several.

use anim_ir::{Diagnostics, Span, diag::quote};

/// The files that a scene is put together from. Places in the first one are what they are; every
/// further file has a range of its own after it, as if all were one text.
#[derive(Debug)]
pub struct Sources {
    files: Vec<SourceFile>,
    /// Where the next file goes.
    end: usize,
}

#[derive(Debug)]
struct SourceFile {
    /// As in messages.
    shown: String,
    /// Where its first byte is.
    base: usize,
    /// Where each line starts, relative to `base`.
    line_starts: Vec<u32>,
    /// Where the file is named: a place in one that was added before.
    named_at: Option<Span>,
}

impl Sources {
    /// Only the first file, which is as long as that.
    pub(crate) const fn new(first_len: usize) -> Sources {
        // An empty place at the end of a file is still a place in it.
        Sources { files: Vec::new(), end: first_len.saturating_add(1) }
    }

    /// Adds a file, named at a place. Returns how far its places are moved.
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

    /// Replaces places in further files: the message begins with the file and the line, and the
    /// place is where the first file names it.
    pub fn resolve(&self, diagnostics: &mut Diagnostics) {
        for diagnostic in diagnostics.iter_mut() {
            let Some(file) = diagnostic.span.and_then(|span| self.file_at(span)) else { continue };
            let start = diagnostic.span.map_or(0, |span| span.start.saturating_sub(file.base));
            let line = file.line_starts.partition_point(|line| *line as usize <= start);
            diagnostic.message = format!("{}: line {line}: {}", file.shown, diagnostic.message);
            diagnostic.fix = None;
            let mut named_at = file.named_at;
            // A file is named in one that was added before it.
            while let Some(outer) = named_at.and_then(|span| self.file_at(span)) {
                named_at = outer.named_at;
            }
            diagnostic.span = named_at;
        }
    }

    /// The further file that a place is in.
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
