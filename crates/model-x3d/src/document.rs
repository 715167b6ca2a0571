//! A scene in a file of its own.

use std::borrow::Cow;
use std::io::Read;

use anim_ir::text::{EncodingError, Text};
use anim_ir::xml;
use anim_ir::{Diagnostics, LimitError, Limits, Parsed, Span, source};
use thiserror::Error;

use crate::graph::Graph;
use crate::version::Version;
use crate::{classic, codes, xml as x3d_xml};

/// Why there is no scene.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// More than the limits allow.
    #[error("{0}")]
    Limit(#[from] LimitError),
    /// No language that is known here.
    #[error(
        "this is neither X3D nor VRML: such files start with an element, or with `#VRML V1.0 \
         ascii`, `#VRML V2.0 utf8` or `#X3D V3.0 utf8`"
    )]
    NotX3d,
    /// Compressed, and broken.
    #[error("the compressed file is broken: {0}")]
    Gzip(String),
    /// Not well-formed, or hostile.
    #[error("{message}")]
    Xml {
        /// Where, in the text (of what was unpacked).
        span: Span,
        /// Line of that place, counted from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

/// A file with a scene, and the scene.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    source: Cow<'a, [u8]>,
    text: String,
    version: Version,
    graph: Graph,
}

impl<'a> Document<'a> {
    /// Reads a file, compressed (gzip) or not.
    ///
    /// # Errors
    ///
    /// [`ParseError`] where there is nothing to give.
    pub fn parse(source: impl Into<Cow<'a, [u8]>>) -> Result<Parsed<Document<'a>>, ParseError> {
        Document::parse_with(source, &Limits::default())
    }

    /// The same, with bounds on what the file may ask for. What a compressed file unpacks to is
    /// bounded like a file.
    ///
    /// # Errors
    ///
    /// [`ParseError`] where there is nothing to give.
    pub fn parse_with(
        source: impl Into<Cow<'a, [u8]>>,
        limits: &Limits,
    ) -> Result<Parsed<Document<'a>>, ParseError> {
        let source = source.into();
        limits.check_input(source.len())?;
        let mut diagnostics = Diagnostics::new();
        let unpacked =
            if source.starts_with(&[0x1f, 0x8b]) { Some(unpack(&source, limits)?) } else { None };
        let bytes = unpacked.as_deref().unwrap_or(&source);
        let text = decode(bytes, &mut diagnostics)?;
        let version = Version::of_header(&text).ok_or(ParseError::NotX3d)?;
        let graph = match version {
            Version::X3dXml => {
                let refuse = |span: Span, message: String| ParseError::Xml {
                    span,
                    line: source::locate(text.as_bytes(), span.start).line,
                    message,
                };
                xml::check(&text).map_err(|error| refuse(error.span, error.message))?;
                x3d_xml::read(&text, 0, &[], &mut diagnostics)
                    .map_err(|(span, message)| refuse(span, message))?
                    .0
            }
            other => classic::read(&text, other, limits, &mut diagnostics),
        };
        Ok(Parsed { value: Document { source, text, version, graph }, diagnostics })
    }

    /// The scene.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The scene alone.
    pub fn into_graph(self) -> Graph {
        self.graph
    }

    /// Which language it is written in.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The text, unpacked and decoded: what spans are places of.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The file as it was read.
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.source)
    }

    /// A document that owns its bytes.
    pub fn into_owned(self) -> Document<'static> {
        Document {
            source: Cow::Owned(self.source.into_owned()),
            text: self.text,
            version: self.version,
            graph: self.graph,
        }
    }
}

fn unpack(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, ParseError> {
    let most = limits.input_bytes;
    let mut out = Vec::new();
    let bound = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    flate2::read::MultiGzDecoder::new(bytes)
        .take(bound)
        .read_to_end(&mut out)
        .map_err(|error| ParseError::Gzip(error.to_string()))?;
    if out.len() > most {
        return Err(LimitError {
            what: "what the compressed file unpacks to",
            unit: "bytes",
            found: out.len(),
            most,
        }
        .into());
    }
    Ok(out)
}

/// The text of a file: by its XML declaration or byte order mark, otherwise UTF-8; what is none is
/// taken for Latin-1 in VRML, where it mostly stands in comments.
fn decode(bytes: &[u8], diagnostics: &mut Diagnostics) -> Result<String, ParseError> {
    let start = bytes.trim_ascii_start();
    if !start.starts_with(b"#") {
        let refuse = |error: EncodingError| ParseError::Xml {
            span: error.span(),
            line: 1,
            message: error.to_string(),
        };
        return Ok(Text::of_xml(bytes).map_err(refuse)?.as_str().to_owned());
    }
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(error) => {
            let at = error.valid_up_to();
            diagnostics.push(&codes::ENCODING, Span::new(at, at.saturating_add(1)), || {
                "this is no UTF-8".to_owned()
            });
            bytes.iter().copied().map(char::from).collect()
        }
    })
}
