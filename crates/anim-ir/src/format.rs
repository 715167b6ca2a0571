//! The interface shared by all formats, which lets programs handle them uniformly.
//!
//! A format is a marker type, for example `fmt_stt::Stt`, that implements [`Format`], and [`Read`],
//! [`Write`] or both. Programs get all names, options and diagnostics of formats from these traits.

pub mod options;
mod several;

use std::borrow::Cow;
use std::error::Error as StdError;
use std::io;

use crate::file::diag::{Code, Converted, Diagnostics, Parsed, Span};
use crate::file::error::ParseError;
use crate::file::resolver::Resolver;
use crate::file::sniff::Sniff;
use crate::model::extras::Value;
use crate::model::scene::Scene;
use options::{Options, Settings};
pub use several::SeveralClips;

/// A file format.
pub trait Format: 'static {
    /// Names, extensions and diagnostics.
    const INFO: FormatInfo;
}

/// The description of a format. Construct it with [`FormatInfo::text`] or [`FormatInfo::binary`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FormatInfo {
    /// Machine-readable name in lower case, such as `tmd-anm`.
    pub id: &'static str,
    /// Human-readable name, such as `TMD ANM`.
    pub title: &'static str,
    /// File name extensions, in lower case, without a dot.
    pub extensions: &'static [&'static str],
    /// Whether the format is binary. Locations are then byte offsets instead of lines and columns.
    pub is_binary: bool,
    /// Whether the extension alone identifies a file as being in this format.
    pub by_extension: ByExtension,
    /// Names of the dialects, if any.
    pub dialects: &'static [&'static str],
    /// Whether a file can be interpreted without the files it refers to, such as an OBJ without its
    /// material library. If so, checking a file reports the files it refers to that cannot be
    /// opened, but no other problems in them.
    pub is_whole_alone: bool,
    /// All codes that reading and writing can report.
    pub codes: &'static [&'static Code],
}

/// Whether the extension identifies a format if the content does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByExtension {
    /// Always, whatever the content. Problems in the content are reported.
    Always,
    /// Only for text, since many other formats use the same extension for binary files.
    Text,
    /// Never, since the content always identifies the format.
    Never,
}

impl FormatInfo {
    /// Describes a text format.
    pub const fn text(
        id: &'static str,
        title: &'static str,
        extensions: &'static [&'static str],
        codes: &'static [&'static Code],
    ) -> FormatInfo {
        FormatInfo {
            id,
            title,
            extensions,
            is_binary: false,
            by_extension: ByExtension::Always,
            dialects: &[],
            is_whole_alone: false,
            codes,
        }
    }

    /// Describes a binary format with a magic number.
    pub const fn binary(
        id: &'static str,
        title: &'static str,
        extensions: &'static [&'static str],
        codes: &'static [&'static Code],
    ) -> FormatInfo {
        FormatInfo {
            is_binary: true,
            by_extension: ByExtension::Never,
            ..FormatInfo::text(id, title, extensions, codes)
        }
    }

    /// Sets the names of the dialects.
    #[must_use]
    pub const fn with_dialects(self, dialects: &'static [&'static str]) -> FormatInfo {
        FormatInfo { dialects, ..self }
    }

    /// Declares that files of the format can be interpreted without the files they refer to.
    #[must_use]
    pub const fn whole_alone(self) -> FormatInfo {
        FormatInfo { is_whole_alone: true, ..self }
    }

    /// Sets whether the extension alone identifies the format.
    #[must_use]
    pub const fn with_by_extension(self, by_extension: ByExtension) -> FormatInfo {
        FormatInfo { by_extension, ..self }
    }
}

/// A document with its diagnostics, or an error if the file cannot be read at all.
pub type Reading<D> = Result<Parsed<D>, ParseError>;

/// A format that can be read.
pub trait Read: Format {
    /// The full content of a file, as represented in the format.
    type Document<'a>: Document;
    /// Options for parsing a file.
    type ParseOptions: Options;
    /// Options for converting a document to a scene.
    type ToIr: Options;

    /// Determines from the content how likely a file is to be in this format.
    fn sniff(bytes: &[u8]) -> Sniff;

    /// Parses a file. Where the format allows it, a slice is borrowed and a `Vec` is kept without
    /// copying.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read at all. Local problems are reported as
    /// diagnostics.
    fn parse<'a>(
        source: Cow<'a, [u8]>,
        options: &Self::ParseOptions,
    ) -> Reading<Self::Document<'a>>;

    /// Converts a document into an owned document.
    fn into_owned(document: Self::Document<'_>) -> Self::Document<'static>;

    /// Converts a document to a scene. `context` provides the name of the file and access to the
    /// files next to it.
    fn to_ir(
        document: &Self::Document<'_>,
        options: &Self::ToIr,
        context: &mut Context<'_>,
    ) -> Converted<Scene>;

    /// Converts a file of `length` bytes to a scene without holding all of its bytes in memory, for
    /// formats with large files. The scene is the same as that of the whole file. Returns `None` if
    /// the format does not support this, or if the file has problems, or is otherwise unsuitable:
    /// the caller then has to read it as a whole.
    ///
    /// # Errors
    ///
    /// Returns an error if reading fails.
    fn scene_in_blocks(
        file: &mut dyn io::Read,
        length: usize,
        options: (&Self::ParseOptions, &Self::ToIr),
        context: &mut Context<'_>,
    ) -> io::Result<Option<InBlocks>> {
        let _ = (file, length, options, context);
        Ok(None)
    }

    /// Writes a document in its own format without converting it to a scene: unchanged unless an
    /// option requires a change, otherwise with the changes that the format can make to its own
    /// files. Returns `None` if the document has to be converted to a scene.
    fn rewrite(
        document: &Self::Document<'_>,
        request: &Rewrite<'_>,
        context: &mut Context<'_>,
    ) -> Option<Written> {
        let _ = context;
        (request.to == Self::INFO.id && request.is_untouched)
            .then(|| Ok(Converted::lossless(Output::alone(document.to_bytes().into_owned()))))
    }

    /// Returns the number of bytes to read from the start of a large file, for formats whose
    /// offsets cannot reach farther, or `None` to read the whole file. `head` is the start of the
    /// file. `is_named` specifies whether the caller or the extension declares the file to be in
    /// this format.
    fn reach(head: &[u8], is_named: bool) -> Option<usize> {
        let _ = (head, is_named);
        None
    }
}

/// A scene read in blocks ([`Read::scene_in_blocks`]).
#[derive(Debug)]
pub struct InBlocks {
    /// The scene. The spans of its diagnostics are those of the file.
    pub converted: Converted<Scene>,
    /// The dialect of the file, if the format has dialects.
    pub dialect: Option<&'static str>,
}

/// A document of any format. [`document!`](crate::document) generates inherent methods that do not
/// require importing these traits.
pub trait Document: Clone {
    /// Returns the bytes of the file with all edits applied; without edits, the original bytes.
    fn to_bytes(&self) -> Cow<'_, [u8]>;

    /// Returns the file as displayed: for a text format, decompressed and in UTF-8; otherwise the
    /// raw bytes.
    fn text(&self) -> Cow<'_, [u8]> {
        self.to_bytes()
    }

    /// Returns the range in [`Document::text`] that a diagnostic's span refers to.
    fn text_span(&self, span: Span) -> Span {
        span
    }

    /// Returns the file in canonical form, with the same content, including comments. `None` if the
    /// format has no canonical form.
    fn formatted(&self) -> Option<Vec<u8>> {
        None
    }

    /// Returns the dialect, if the format has dialects.
    fn dialect(&self) -> Option<&'static str> {
        None
    }

    /// Facts about a file that are not part of its scene. Lists are abbreviated unless `all` is
    /// set.
    fn facts(&self, all: bool) -> Vec<Fact> {
        let _ = all;
        Vec::new()
    }

    /// Returns the number of frame intervals and the frame rate (frames per second) that the file
    /// states, for formats with frames.
    fn stated_rate(&self) -> Option<(usize, f64)> {
        None
    }

    /// Returns whether the file has a single clip that it does not name, so that the scene's clip
    /// is named after the file.
    fn is_named_after_file(&self) -> bool {
        false
    }

    /// Runs additional checks that are too expensive for [`Read::parse`], which runs all other
    /// checks.
    fn inspect(&self) -> Diagnostics {
        Diagnostics::new()
    }

    /// Whether each known reader of the format accepts the file, for formats whose readers
    /// disagree. Based on the file's diagnostics.
    fn verdicts(&self, diagnostics: &Diagnostics) -> Vec<Verdict> {
        let _ = diagnostics;
        Vec::new()
    }
}

/// Generates the methods shared by all documents from their format's [`Read`] implementation:
/// `document!(Document, Stt)` generates `parse`, `parse_with`, `to_bytes` and `into_owned`.
#[macro_export]
macro_rules! document {
    ($document:ident, $format:ty) => {
        impl<'a> $document<'a> {
            /// Parses a file with default options.
            ///
            /// # Errors
            ///
            /// Returns [`ParseError`](anim_ir::ParseError) if the file cannot be read at all. Local
            /// problems are reported as diagnostics.
            pub fn parse(
                source: impl Into<std::borrow::Cow<'a, [u8]>>,
            ) -> $crate::format::Reading<$document<'a>> {
                $document::parse_with(source, &Default::default())
            }

            /// Parses a file.
            ///
            /// # Errors
            ///
            /// See [`parse`](Self::parse).
            pub fn parse_with(
                source: impl Into<std::borrow::Cow<'a, [u8]>>,
                options: &<$format as $crate::format::Read>::ParseOptions,
            ) -> $crate::format::Reading<$document<'a>> {
                <$format as $crate::format::Read>::parse(source.into(), options)
            }

            /// Returns the bytes of the file with all edits applied; without edits, the original
            /// bytes.
            pub fn to_bytes(&self) -> std::borrow::Cow<'_, [u8]> {
                $crate::format::Document::to_bytes(self)
            }

            /// Converts the document into an owned document.
            pub fn into_owned(self) -> $document<'static> {
                <$format as $crate::format::Read>::into_owned(self)
            }
        }
    };
}

/// Implements the parts of [`Read`] that are the same for all formats: the types, `into_owned`
/// using the field that contains the bytes, and `sniff` using the given function. Usage:
/// `reads!(Document { source }, ParseOptions, ToIr, sniff)`.
#[macro_export]
macro_rules! reads {
    ($document:ident { $bytes:ident }, $options:ty, $to_ir:ty, $sniff:path) => {
        type Document<'a> = $document<'a>;
        type ParseOptions = $options;
        type ToIr = $to_ir;

        fn sniff(bytes: &[u8]) -> $crate::Sniff {
            $sniff(bytes)
        }

        #[allow(clippy::needless_update, reason = "a document may have no other fields")]
        fn into_owned(document: $document<'_>) -> $document<'static> {
            $document { $bytes: document.$bytes.into_owned().into(), ..document }
        }
    };
}

/// A fact about a file that is not part of its scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The name in JSON, in snake case.
    pub key: &'static str,
    /// The index of the clip that the fact is about, or `None` if it is about the file.
    pub clip: Option<usize>,
    /// The machine-readable value.
    pub value: Value,
    /// The human-readable heading of the table: the noun for a row, in the singular and the plural.
    /// `None` if the rows need no heading.
    pub heading: Option<(&'static str, &'static str)>,
    /// The human-readable table: rows of cells. Names are spelled as in the file, and the caller
    /// has to escape terminal control characters.
    pub rows: Vec<Vec<String>>,
}

/// Whether a particular reader of a format accepts a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The name in JSON, in snake case.
    pub key: &'static str,
    /// The human-readable name of the reader.
    pub judge: &'static str,
    /// Whether it accepts the file.
    pub accepts: bool,
    /// The human-readable verdict: `accepted`, or the reason for the rejection.
    pub text: String,
}

/// The context in which a document is converted.
pub struct Context<'a> {
    /// Name of the file without its extension, used to name unnamed clips.
    pub name: &'a str,
    /// Access to the files next to the document.
    pub files: &'a mut dyn Resolver,
    /// The options for all formats, for conversions that involve two formats.
    pub settings: &'a Settings,
}

/// Parameters for writing a document back in its own format.
#[derive(Clone, Copy, Debug)]
pub struct Rewrite<'a> {
    /// The id of the format to write.
    pub to: &'static str,
    /// Whether none of the options for reading and writing the document's format and the format to
    /// write are set.
    pub is_untouched: bool,
    /// The relative path from the folder of the output to the folder of the document, with forward
    /// slashes. Empty if they are the same.
    pub way: &'a str,
    /// Name of the output without its extension, from which the names of companion files are
    /// derived.
    pub stem: &'a str,
}

/// The result of writing.
pub type Written = Result<Converted<Output>, Box<dyn StdError + Send + Sync>>;

/// A format that can be written.
pub trait Write: Format {
    /// Extensions of the files that the format writes, without a dot. The first is the default.
    const EXTENSIONS: &'static [&'static str] = Self::INFO.extensions;
    /// Whether a file can hold only one clip or state.
    const HOLDS_ONE_CLIP: bool = false;
    /// Whether any valid scene within the limits can be written, even if much of it is lost.
    const TAKES_ANY_SCENE: bool = false;
    /// Whether a clip that plays forwards and back can be written.
    const HOLDS_PING_PONG: bool = false;
    /// Whether only a scene with a state machine can be written.
    const NEEDS_STATES: bool = false;
    /// Whether the output can contain images, in which case the caller should read them first
    /// ([`crate::Image::bytes`]).
    const TAKES_IMAGES: bool = false;
    /// Options for writing a scene.
    type FromIr: Options;
    /// The error for a scene that cannot be written.
    type Error: StdError + Send + Sync + 'static;

    /// Returns a hint on how to resolve an error with an option or a command, if there is one,
    /// phrased to complete a sentence: `use --clamp to limit it to the range`.
    fn help(error: &Self::Error) -> Option<&'static str> {
        let _ = error;
        None
    }

    /// Writes a scene. `stem` is the name of the output without its extension, from which the names
    /// of companion files are derived.
    ///
    /// # Errors
    ///
    /// Returns an error if the scene cannot be written at all. Partial losses are part of the
    /// result.
    fn from_ir(
        scene: &Scene,
        options: &Self::FromIr,
        stem: &str,
    ) -> Result<Converted<Output>, Self::Error>;
}

/// A written file and its companion files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// The file itself.
    pub main: Vec<u8>,
    /// The names and contents of the companion files.
    pub companions: Vec<(String, Vec<u8>)>,
}

impl Output {
    /// Creates an output without companion files.
    pub const fn alone(main: Vec<u8>) -> Output {
        Output { main, companions: Vec::new() }
    }
}
