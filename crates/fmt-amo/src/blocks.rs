//! Reads a large file in blocks, so that its bytes are never all in memory.
//!
//! A block consists of whole lines, which continue the part of the file that has been read before.
//! Of the text, only the recorded statements and the last line are kept, since the second pass
//! needs them. Messages, repairs and counted blocks need more of it: files with these are refused,
//! and the caller reads them as a whole. So are files that end within a line, or have lines longer
//! than a block.
//!
//! One thread is enough: without page faults for the bytes, reading takes about as long as on two
//! threads from memory, which would wait for each other after each block.

use std::io::{self, Read};

use anim_ir::encoding::{first_beyond_utf8, refuse_wide, text_start};
use anim_ir::number::index32;
use anim_ir::{Edits, Limits, Span};

use crate::dialect::Dialect;
use crate::document::{Document, ParseOptions};
use crate::lines::{self, Blocks, Part};
use crate::parser::{known, resolve_within};
use crate::tokens::{continues, last_line};

/// The maximum size of a block in bytes: small enough for the cache.
const BLOCK: usize = 256 << 10;

/// A document whose source consists only of the recorded statements of its file. Its lists are
/// complete, but the lines of faces, vertices and keys are not those of the source.
#[derive(Debug)]
pub(crate) struct Excerpt {
    pub(crate) document: Document<'static>,
    lines: Lines,
}

/// Lines of a file.
#[derive(Debug, Default)]
struct Lines {
    text: Vec<u8>,
    /// The offset of each line in the text and in the file.
    starts: Vec<(usize, usize)>,
}

impl Excerpt {
    /// Converts a span of a statement to a span of the file.
    pub(crate) fn in_file(&self, span: Span) -> Span {
        let starts = &self.lines.starts;
        let after = starts.partition_point(|(start, _)| *start <= span.start);
        let line = after.checked_sub(1).and_then(|line| starts.get(line));
        let (start, in_file) = line.copied().unwrap_or_default();
        let moved = |at: usize| in_file + at.saturating_sub(start);
        Span::new(moved(span.start), moved(span.end))
    }
}

/// Reads a file of `length` bytes. Returns `None` if it has to be read as a whole.
pub(crate) fn read(
    file: &mut dyn Read,
    length: usize,
    options: &ParseOptions,
) -> io::Result<Option<Excerpt>> {
    read_blocks_of(BLOCK, file, length, options)
}

fn read_blocks_of(
    size: usize,
    file: &mut dyn Read,
    length: usize,
    options: &ParseOptions,
) -> io::Result<Option<Excerpt>> {
    let limits = &options.limits;
    if options.dialect == Some(Dialect::Counted) || limits.check_input(length).is_err() {
        return Ok(None);
    }
    let blocks = if options.dialect.is_some() { Blocks::Ignore } else { Blocks::Detect };
    let (mut part, mut lines) = (Part::within(limits), Lines::default());
    let (mut text, mut offset, mut last) = (Vec::new(), 0, Vec::new());
    loop {
        // The buffer starts with the beginning of a line that the last block did not contain.
        let room = u64::try_from(size.saturating_sub(text.len())).unwrap_or(u64::MAX);
        (&mut *file).take(room).read_to_end(&mut text)?;
        let end = end_of_lines(&text);
        let block = text.get(..end).unwrap_or_default();
        if offset == 0 && (text_start(block) > 0 || refuse_wide(block).is_err()) {
            return Ok(None);
        }
        if block.is_empty() {
            break;
        }
        let room_for = length.saturating_sub(offset);
        let Some(next) = read_block(block, offset, room_for, blocks, limits, part, &mut lines)
        else {
            return Ok(None);
        };
        part = next;
        if let found @ [_, ..] = last_line(block) {
            last = found.to_owned();
        }
        text.drain(..end);
        offset += end;
    }
    if !text.is_empty() || part.known_lines == 0 {
        return Ok(None);
    }
    lines.text.append(&mut last);
    lines.text.push(b'\n');
    let known = known(&part, options, false, false);
    let resolved = resolve_within(&lines.text, part, known, length, limits);
    let Ok((content, diagnostics)) = resolved else { return Ok(None) };
    if !diagnostics.is_empty() || content.cut_off {
        return Ok(None);
    }
    let source = std::mem::take(&mut lines.text);
    let document = Document { edits: Edits::of(&source), source: source.into(), content };
    Ok(Some(Excerpt { document, lines }))
}

/// Returns where the last complete line ends.
fn end_of_lines(text: &[u8]) -> usize {
    let mut breaks = memchr::memrchr_iter(b'\n', text);
    breaks.find(|at| !continues(text, *at)).map_or(0, |at| at + 1)
}

/// Reads a block at an offset of the file, and keeps the lines of its statements. Returns `None` if
/// the file has to be read as a whole.
fn read_block(
    block: &[u8],
    offset: usize,
    room_for: usize,
    blocks: Blocks,
    limits: &Limits,
    before: Part,
    lines: &mut Lines,
) -> Option<Part> {
    let (known, has_header) = (before.statements.len(), before.evidence.editamo_header);
    let read = lines::read(block, 0..block.len(), room_for, blocks, limits, before);
    let mut part = read.ok().flatten()?;
    if offset > 0 {
        // Only the first line of a file can be a header.
        part.evidence.editamo_header = has_header;
    }
    let is_latin1 = part.beyond_ascii && first_beyond_utf8(block).is_some();
    if is_latin1 || !part.diagnostics.is_empty() {
        return None;
    }
    for statement in part.statements.iter_mut().skip(known) {
        let line = statement.line();
        let start = lines.text.len();
        lines.starts.push((start, offset + line.start));
        lines.text.extend_from_slice(block.get(line.start..line.end).unwrap_or_default());
        lines.text.push(b'\n');
        *statement = statement.moved_to(index32(start));
    }
    Some(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    use anim_ir::{Converted, Diagnostics, ResolveError, Resolver, Scene};
    use proptest::prelude::*;
    use test_oracle::{amo, fixtures};

    use crate::mtl::MaterialLibrary;
    use crate::to_ir::{ToIr, to_ir};

    /// A folder without files, so that every library is missing, and reported with its place.
    struct Empty;

    impl Resolver for Empty {
        fn read(&mut self, _: &str) -> Result<Vec<u8>, ResolveError> {
            Err(ResolveError::NotFound)
        }
    }

    fn converted(document: &Document<'_>) -> Converted<Scene> {
        let (mut library, mut losses) = (MaterialLibrary::default(), Diagnostics::new());
        library.open(document.material_libraries(), &mut Empty, &mut losses);
        let mut converted = to_ir(document, &ToIr::default().with_materials(library));
        converted.losses.append(losses);
        converted
    }

    /// Compares the result with that of the whole file. Returns whether the file was read in
    /// blocks.
    fn is_read(source: &[u8], size: usize, options: &ParseOptions) -> bool {
        let (mut file, length) = (source, source.len());
        let Some(excerpt) = read_blocks_of(size, &mut file, length, options).unwrap() else {
            return false;
        };
        let whole = Document::parse_with(source, options).unwrap();
        assert!(whole.diagnostics.is_empty(), "{:?}", whole.diagnostics);
        let (mut read, whole) = (converted(&excerpt.document), converted(&whole.value));
        read.losses.map_spans(|span| excerpt.in_file(span));
        assert_eq!(format!("{:?}", read.losses), format!("{:?}", whole.losses));
        assert!(read.value == whole.value, "blocks of {size}: {:?}", excerpt.document);
        true
    }

    #[test]
    fn a_file_without_problems_is_read_in_blocks_of_any_size() {
        let fixtures = fixtures::files("amo", &["ok", "warn", "err"], |_| true, 50);
        let (mut in_blocks, mut in_parts) = (0, 0);
        for (name, source) in fixtures {
            let options = ParseOptions::default();
            let parsed = Document::parse_with(&source[..], &options);
            let is_plain = parsed.is_ok_and(|parsed| {
                parsed.diagnostics.is_empty() && parsed.value.dialect() != Dialect::Counted
            });
            let is_whole = source.ends_with(b"\n");
            assert_eq!(is_read(&source, BLOCK, &options), is_plain && is_whole, "{name}");
            in_blocks += u32::from(is_plain && is_whole);
            for size in [64, 100, 777] {
                in_parts += u32::from(is_read(&source, size, &options));
            }
        }
        assert!(in_blocks > 15 && in_parts > 30, "{in_blocks}, {in_parts}");
    }

    #[test]
    fn large_files_are_read_in_blocks() {
        let large = [amo::generate::large_obj(200_000), amo::generate::large_amo(200_000)];
        for source in large {
            for size in [400, 5000, 70_000, BLOCK] {
                assert!(is_read(&source, size, &ParseOptions::default()), "{size}");
            }
        }
    }

    #[test]
    fn a_header_counts_only_at_the_start_of_the_file() {
        let header = "#Generated by editamo\n";
        let rest = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n".repeat(4);
        let read = |source: &str| is_read(source.as_bytes(), 32, &ParseOptions::default());
        assert!(read(&(header.to_owned() + &rest)));
        for filler in 1..31 {
            let comment = format!("#{}\n", "-".repeat(filler));
            assert!(read(&(comment + header + &rest)), "{filler}");
        }
    }

    /// Lines that can be read in blocks, in some order.
    const FINE: [&[u8]; 19] = [
        b"v 1 2.5 -3 \n",
        b"v 0 1 0 1 0.5 0\r\n",
        b"v 1 \\\n 2 \\\r\n 3\n",
        b"vt 0.5 1\n",
        b"vn 0 0 1\n",
        b"f 1 1 1\n",
        b"f 1/1/1 1/1/1 1/1/1 1/1/1\n",
        b"f -1 -1 -1\n",
        b"l 1 1\n",
        b"p 1\r",
        b"o one\n",
        b"g some thing\n",
        b"s 1\n",
        b"usemtl red\n",
        b"usemtl bl\xc3\xa4u\n",
        b"mtllib none.mtl\n",
        b"# a comment \\\n",
        b"# \xc3\xa4\r",
        b"\n",
    ];
    /// Lines that often have problems.
    const OTHERS: [&[u8]; 9] = [
        b"vj 1 0 0 0\n",
        b"vw 1 0 0 0\n",
        b"f 1///1/1 1///1/1 1///1/1\n",
        b"ao two \n",
        b"usemtl \xe4\n",
        b"hk a 1 2 3\n",
        b"ar 1 1 0 0 0 1\n",
        b"ap 0 1 0 0 0\n",
        b"v 2\n",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(fixtures::scale(256, 20_000)))]
        #[test]
        fn any_file_is_read_as_if_whole(
            lines in prop::collection::vec(
                prop_oneof![
                    50 => prop::sample::select(&FINE[..]),
                    1 => prop::sample::select(&OTHERS[..]),
                ],
                0..40,
            ),
            size in 20..300_usize,
            dialect in prop::option::of(prop::sample::select(vec![
                Dialect::Spec, Dialect::Lines, Dialect::Extobj, Dialect::Counted,
            ])),
        ) {
            let start = b"v 0 0 0\nvt 0 0\nvn 0 0 1\nj hip -1\na walk\nap 0 1 0 0 0\n";
            let source = [&start[..], &lines.concat()].concat();
            is_read(&source, size, &ParseOptions::default().with_dialect(dialect));
        }
    }
}
