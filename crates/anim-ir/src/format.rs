//! The interface that all formats share, so that programs can treat them alike.
//!
//! A format is a type without values, for example `fmt_stt::Stt`. It implements [`Format`], and
//! [`Read`] or [`Write`] or both. Everything that programs list — names, extensions, options,
//! diagnostics — is declared here once; nothing outside a format's own crate repeats it.

pub mod options;

use std::borrow::Cow;
use std::error::Error as StdError;

use thiserror::Error;

use crate::file::diag::{Code, Converted, Diagnostics, Parsed, Span};
use crate::file::error::ParseError;
use crate::file::resolver::Resolver;
use crate::file::sniff::Sniff;
use crate::model::extras::Value;
use crate::model::scene::Scene;
use options::{Options, Settings};

/// A file format: what programs need to know before they read or write one.
pub trait Format: 'static {
    /// Names, extensions and diagnostics.
    const INFO: FormatInfo;
}

/// The description of a format. Construct it with [`FormatInfo::text`] or [`FormatInfo::binary`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FormatInfo {
    /// The name used by programs, in lower case: `tmd-anm`.
    pub id: &'static str,
    /// The name shown to people: `TMD ANM`.
    pub title: &'static str,
    /// File name extensions, in lower case, without a dot.
    pub extensions: &'static [&'static str],
    /// Whether files have no lines, so that positions in them are byte offsets.
    pub is_binary: bool,
    /// Whether the extension alone identifies a file as this format.
    pub by_extension: ByExtension,
    /// Names of its dialects; empty if there are none.
    pub dialects: &'static [&'static str],
    /// Whether a file can be interpreted without the files it refers to, like an OBJ without its
    /// material library: those files are then not opened to check it.
    pub is_whole_alone: bool,
    /// All diagnostics that reading and writing can report.
    pub codes: &'static [&'static Code],
}

/// Whether an extension alone identifies a format if the content does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByExtension {
    /// Always, whatever the content; problems in it are reported.
    Always,
    /// Only for text: many other formats have binary files with the same extension.
    Text,
    /// Never: the content of every file identifies the format.
    Never,
}

impl FormatInfo {
    /// A text format.
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

    /// A binary format whose files begin with a magic number.
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

    /// Marks the format as one whose files can be interpreted without the files they refer to.
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

/// A document and its diagnostics, or the reason why nothing can be read at all.
pub type Reading<D> = Result<Parsed<D>, ParseError>;

/// A format that can be read.
pub trait Read: Format {
    /// The full content of a file, in the file's own terms.
    type Document<'a>: Document;
    /// How to parse bytes.
    type ParseOptions: Options;
    /// How to convert a document to a scene.
    type ToIr: Options;

    /// Judges by the content whether a file is in this format.
    fn sniff(bytes: &[u8]) -> Sniff;

    /// Parses a file. A slice is borrowed if the format allows it, a `Vec` is kept.
    ///
    /// # Errors
    ///
    /// If nothing can be read at all; local problems are reported as diagnostics.
    fn parse<'a>(
        source: Cow<'a, [u8]>,
        options: &Self::ParseOptions,
    ) -> Reading<Self::Document<'a>>;

    /// Converts a document to one that owns its bytes.
    fn into_owned(document: Self::Document<'_>) -> Self::Document<'static>;

    /// The scene that a document describes. `context` provides its name and the files next to it.
    fn to_ir(
        document: &Self::Document<'_>,
        options: &Self::ToIr,
        context: &mut Context<'_>,
    ) -> Converted<Scene>;

    /// Writes a document in its own format without converting it to a scene: unchanged if no option
    /// asks for a change, otherwise with those changes that the format can make to its own files.
    /// `None` if it takes a scene.
    fn rewrite(
        document: &Self::Document<'_>,
        request: &Rewrite<'_>,
        context: &mut Context<'_>,
    ) -> Option<Written> {
        let _ = context;
        (request.to == Self::INFO.id && request.is_untouched)
            .then(|| Ok(Converted::lossless(Output::alone(document.to_bytes().into_owned()))))
    }

    /// How many bytes at the start of a long file can matter, for formats whose offsets reach no
    /// farther. `head` is the start of the file; `is_named` is whether the caller or the extension
    /// says that it is in this format. `None`: all of them.
    fn reach(head: &[u8], is_named: bool) -> Option<usize> {
        let _ = (head, is_named);
        None
    }
}

/// A document of any format. [`document!`](crate::document) generates the methods that users call
/// without these traits.
pub trait Document: Clone {
    /// The file as it was read, with any edits since. If unedited: the same bytes.
    fn to_bytes(&self) -> Cow<'_, [u8]>;

    /// The file as people see it: decompressed and in UTF-8 if it is a text format; otherwise its
    /// bytes.
    fn text(&self) -> Cow<'_, [u8]> {
        self.to_bytes()
    }

    /// The range in [`Document::text`] that a diagnostic's span refers to.
    fn text_span(&self, span: Span) -> Span {
        span
    }

    /// The file in canonical form, with the same content including comments. `None` if the format
    /// has no such form.
    fn formatted(&self) -> Option<Vec<u8>> {
        None
    }

    /// The dialect, if the format has dialects.
    fn dialect(&self) -> Option<&'static str> {
        None
    }

    /// Facts about a file beyond its scene; with `all`, lists are complete instead of abbreviated.
    fn facts(&self, all: bool) -> Vec<Fact> {
        let _ = all;
        Vec::new()
    }

    /// Additional checks that are more expensive than reading the file; [`Read::parse`] reports
    /// everything else.
    fn inspect(&self) -> Diagnostics {
        Diagnostics::new()
    }

    /// Whether known readers of the format accept the file, if there are several that differ. Based
    /// on the file's diagnostics.
    fn verdicts(&self, diagnostics: &Diagnostics) -> Vec<Verdict> {
        let _ = diagnostics;
        Vec::new()
    }
}

/// Generates the methods that all documents share, from the [`Read`] implementation of their
/// format: `document!(Document, Stt)` generates `parse`, `parse_with`, `to_bytes` and `into_owned`.
#[macro_export]
macro_rules! document {
    ($document:ident, $format:ty) => {
        impl<'a> $document<'a> {
            /// Parses a file with default options.
            ///
            /// # Errors
            ///
            /// [`ParseError`](anim_ir::ParseError) if nothing can be read at all; local problems
            /// are reported as diagnostics.
            pub fn parse(
                source: impl Into<std::borrow::Cow<'a, [u8]>>,
            ) -> $crate::format::Reading<$document<'a>> {
                $document::parse_with(source, &Default::default())
            }

            /// Parses a file.
            ///
            /// # Errors
            ///
            /// As for [`parse`](Self::parse).
            pub fn parse_with(
                source: impl Into<std::borrow::Cow<'a, [u8]>>,
                options: &<$format as $crate::format::Read>::ParseOptions,
            ) -> $crate::format::Reading<$document<'a>> {
                <$format as $crate::format::Read>::parse(source.into(), options)
            }

            /// The file as it was read, with any edits since. If unedited: the same bytes.
            pub fn to_bytes(&self) -> std::borrow::Cow<'_, [u8]> {
                $crate::format::Document::to_bytes(self)
            }

            /// Converts the document to one that owns its bytes.
            pub fn into_owned(self) -> $document<'static> {
                <$format as $crate::format::Read>::into_owned(self)
            }
        }
    };
}

/// Implements the parts of [`Read`] that are the same for all formats: its types, `into_owned`
/// through the field that holds the bytes, and `sniff` through the function of that name.
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

/// A fact about a file beyond its scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// Its name in JSON, in snake case.
    pub key: &'static str,
    /// The clip it is about, by its index in the scene; `None`: the file.
    pub clip: Option<usize>,
    /// The fact for programs.
    pub value: Value,
    /// The heading for people: the name of a row, singular and plural.
    pub heading: Option<(&'static str, &'static str)>,
    /// The fact for people: rows of cells. Names are spelled as in the file; the caller has to
    /// escape terminal control characters.
    pub rows: Vec<Vec<String>>,
}

/// How one reader of a format judges a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Its name in JSON, in snake case.
    pub key: &'static str,
    /// The name of the reader, for people.
    pub judge: &'static str,
    /// Whether it accepts the file.
    pub accepts: bool,
    /// The verdict for people: `accepted`, or the reason for rejection.
    pub text: String,
}

/// The context in which a document is converted.
pub struct Context<'a> {
    /// Name of the file without its extension: the name of clips that the file does not name.
    pub name: &'a str,
    /// The files next to it.
    pub files: &'a mut dyn Resolver,
    /// The options set for all formats, for conversions that involve two formats.
    pub settings: &'a Settings,
}

/// How to write a document back in its own format.
#[derive(Clone, Copy, Debug)]
pub struct Rewrite<'a> {
    /// The format to write, by its id.
    pub to: &'static str,
    /// Whether no reading or writing option of this format was set.
    pub is_untouched: bool,
    /// The relative path from the folder of the output to that of the document, with forward
    /// slashes; empty if they are the same.
    pub way: &'a str,
    /// Name of the output without its extension, from which names of companion files are derived.
    pub stem: &'a str,
}

/// The result of writing, or why there is none.
pub type Written = Result<Converted<Output>, Box<dyn StdError + Send + Sync>>;

/// The error for a scene with several clips or states when the format holds one per file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the scene has {} clips, but a file holds only one: {}", .0.len(), .0.join(", "))]
pub struct SeveralClips(pub Vec<String>);

impl SeveralClips {
    /// Checks that there is at most one clip or state.
    ///
    /// # Errors
    ///
    /// [`SeveralClips`] with their names.
    pub fn check(scene: &Scene) -> Result<(), SeveralClips> {
        let playables = scene.playables();
        if playables.len() <= 1 {
            return Ok(());
        }
        Err(SeveralClips(playables.iter().map(|(name, _)| (*name).to_owned()).collect()))
    }
}

/// A format that can be written.
pub trait Write: Format {
    /// Extensions of the files it writes, without a dot; the first is the usual one.
    const EXTENSIONS: &'static [&'static str] = Self::INFO.extensions;
    /// Whether a file holds only one clip or state.
    const HOLDS_ONE_CLIP: bool = false;
    /// Whether every valid scene can be written, apart from limits, however much of it is lost.
    const TAKES_ANY_SCENE: bool = false;
    /// Whether the output can contain the content of images, so that it must be read first
    /// ([`crate::Image::bytes`]).
    const TAKES_IMAGES: bool = false;
    /// How to write a scene.
    type FromIr: Options;
    /// Why a scene cannot be written.
    type Error: StdError + Send + Sync + 'static;

    /// A hint on how to resolve an error, if an option or a command helps: the end of a sentence,
    /// such as `use --clamp to limit it to the range`.
    fn help(error: &Self::Error) -> Option<&'static str> {
        let _ = error;
        None
    }

    /// Writes a scene. `stem` is the name of the output without its extension, from which names of
    /// companion files are derived.
    ///
    /// # Errors
    ///
    /// If the format cannot hold the scene at all; partial losses are part of the result.
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
    /// Names and contents of the companion files.
    pub companions: Vec<(String, Vec<u8>)>,
}

impl Output {
    /// A file without companion files.
    pub const fn alone(main: Vec<u8>) -> Output {
        Output { main, companions: Vec::new() }
    }
}
