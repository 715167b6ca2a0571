//! Parser entry point: decompresses and decodes bytes, and parses them in the language indicated by
//! the first line.

use std::borrow::Cow;
use std::io::Read;

use anim_ir::encoding::first_beyond_utf8;
use anim_ir::format::Reading;
use anim_ir::source::locate;
use anim_ir::text::Text;
use anim_ir::{Budget, Diagnostics, LimitError, Limits, ParseError, Parsed, Span};

use crate::document::Document;
use crate::graph::{Graph, NodeId};
use crate::version::{Version, multiplies_textures};
use crate::{classic, codes, xml as x3d_xml};

/// Magic bytes of a gzip file.
pub(crate) const GZIP: &[u8] = &[0x1f, 0x8b];

/// The memory charged for each unpacked byte.
const UNPACKED_BYTES: usize = 2;
/// The memory charged for each unpacked `<` and `{` that begins a node. A node takes far more
/// memory than its text, which compresses several hundredfold if nodes are alike.
const UNPACKED_NODE_BYTES: usize = 128;
/// The memory charged for each unpacked quotation mark: a short string takes more than its text.
const UNPACKED_QUOTE_BYTES: usize = 2;

/// Parses a file whose decompressed text is charged to a budget. The file size limit also applies
/// to the decompressed size.
pub(crate) fn parse<'a>(source: Cow<'a, [u8]>, budget: &Budget) -> Reading<Document<'a>> {
    let limits = budget.limits();
    limits.check_input(source.len())?;
    let mut diagnostics = Diagnostics::within(limits);
    let (text, compressed) = if source.starts_with(GZIP) {
        (unpack(&source, budget)?.into(), Some(source.into_owned()))
    } else {
        (source, None)
    };
    let text = decode(text, &mut diagnostics)?;
    let (version, graph) = read(text.as_str(), limits, &mut diagnostics)?;
    Ok(Parsed { value: Document { text, compressed, version, graph }, diagnostics })
}

fn read(
    text: &str,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
) -> Result<(Version, Graph), ParseError> {
    let version = Version::of_header(text).ok_or_else(|| {
        ParseError::format(
            None,
            "this is neither X3D nor VRML: such files start with an XML element, or with `#VRML \
             V1.0 ascii`, `#VRML V2.0 utf8` or `#X3D V3.0 utf8`",
        )
    })?;
    let broken = |span: Span, message: String| {
        ParseError::structure(span, message).at(locate(text.as_bytes(), span.start))
    };
    let graph = match version {
        Version::X3dXml => {
            let (graph, _) = x3d_xml::read(text, 0, &[], diagnostics)
                .map_err(|(span, message)| broken(span, message))?;
            graph
        }
        other => {
            let mut graph = classic::read(text, other, limits, diagnostics);
            let number = text.trim_start().strip_prefix("#X3D V").unwrap_or_default();
            graph.multiplying = vec![(NodeId(0), multiplies_textures(number))];
            graph
        }
    };
    Ok((version, graph))
}

/// Returns the unpacked size at the end of a gzip file (RFC 1952), which may be wrong, or right
/// only for its last part.
fn unpacked_size(bytes: &[u8]) -> usize {
    let size = bytes.last_chunk().map_or(0, |size| u32::from_le_bytes(*size));
    usize::try_from(size).unwrap_or(usize::MAX)
}

/// Decompresses a file and charges the text, since the file as stored does not contain it.
fn unpack(bytes: &[u8], budget: &Budget) -> Result<Vec<u8>, ParseError> {
    let most = budget.limits().input_bytes.min(budget.left() / UNPACKED_BYTES);
    let mut out = Vec::new();
    let bound = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    flate2::read::MultiGzDecoder::new(bytes).take(bound).read_to_end(&mut out).map_err(
        |error| {
            let message = format!("the compressed file is corrupt: {error}");
            ParseError::structure(Span::new(0, bytes.len()), message)
        },
    )?;
    // Unpacking stops at the limit; the file says how much it holds.
    let unpacked = if out.len() > most { out.len().max(unpacked_size(bytes)) } else { out.len() };
    let most = budget.limits().input_bytes;
    if unpacked > most {
        let what = "the unpacked file";
        return Err(LimitError { what, unit: "bytes", found: unpacked, most }.into());
    }
    budget.charge("the unpacked bytes", unpacked.saturating_mul(UNPACKED_BYTES))?;
    let next = out.iter().skip(1).chain([&0]);
    let begins = |byte, next| byte == b'{' || byte == b'<' && next != b'/';
    let nodes = out.iter().zip(next).filter(|(byte, next)| begins(**byte, **next)).count();
    budget.charge("the unpacked nodes", nodes.saturating_mul(UNPACKED_NODE_BYTES))?;
    let quotes = out.iter().filter(|byte| matches!(byte, b'"' | b'\'')).count();
    budget.charge("the unpacked strings", quotes.saturating_mul(UNPACKED_QUOTE_BYTES))?;
    Ok(out)
}

/// Decodes the text of a file according to its XML declaration or byte order mark, otherwise as
/// UTF-8. In the classic encodings, text that is not UTF-8, usually in comments, is read as
/// Latin-1.
fn decode<'a>(bytes: Cow<'a, [u8]>, diagnostics: &mut Diagnostics) -> Result<Text<'a>, ParseError> {
    if !bytes.trim_ascii_start().starts_with(b"#") {
        return Ok(Text::of_xml(bytes)?);
    }
    if let Some(span) = first_beyond_utf8(&bytes) {
        diagnostics.push(&codes::ENCODING, span, || "the file is not UTF-8".to_owned());
        return Ok(Text::of_latin1(&bytes));
    }
    Ok(Text::of_utf8(bytes)?)
}
