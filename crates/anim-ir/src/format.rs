//! What is true of every format, so that programs can treat them alike.
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
    /// The name that programs use, in lower case: `tmd-anm`.
    pub id: &'static str,
    /// The name that people use: `TMD ANM`.
    pub title: &'static str,
    /// Extensions of its files, in lower case, without a dot.
    pub extensions: &'static [&'static str],
    /// Whether its files have no lines, so that places in them are offsets.
    pub is_binary: bool,
    /// Whether an extension alone makes a file one of this format.
    pub by_extension: ByExtension,
    /// Names of its dialects; empty where it has none.
    pub dialects: &'static [&'static str],
    /// Whether a file means the same without the files that it names, as an OBJ without its
    /// material library: then they are not opened to check it.
    pub is_whole_alone: bool,
    /// Every problem that reading and writing it can report.
    pub codes: &'static [&'static Code],
}

/// Whether an extension alone makes a file one of a format, where its content does not say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByExtension {
    /// Any content; what is wrong with it is reported.
    Always,
    /// Only text: binary files of many other formats have the same extension.
    Text,
    /// Never: every file of the format says so itself.
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

    /// The same with dialects.
    #[must_use]
    pub const fn with_dialects(self, dialects: &'static [&'static str]) -> FormatInfo {
        FormatInfo { dialects, ..self }
    }

    /// The same for a format whose files mean the same without the files that they name.
    #[must_use]
    pub const fn whole_alone(self) -> FormatInfo {
        FormatInfo { is_whole_alone: true, ..self }
    }

    /// The same with another rule for extensions.
    #[must_use]
    pub const fn with_by_extension(self, by_extension: ByExtension) -> FormatInfo {
        FormatInfo { by_extension, ..self }
    }
}

/// A document and what is wrong with it, or why nothing can be read at all.
pub type Reading<D> = Result<Parsed<D>, ParseError>;

/// A format that can be read.
pub trait Read: Format {
    /// Everything a file says, in the file's own terms.
    type Document<'a>: Document;
    /// How to read bytes.
    type ParseOptions: Options;
    /// How to make a scene of a document.
    type ToIr: Options;

    /// Looks at the content: is a file of this format?
    fn sniff(bytes: &[u8]) -> Sniff;

    /// Reads a file. A slice is borrowed where the format allows it, a `Vec` is kept.
    ///
    /// # Errors
    ///
    /// Where nothing can be read at all; what is wrong in places is a diagnostic.
    fn parse<'a>(
        source: Cow<'a, [u8]>,
        options: &Self::ParseOptions,
    ) -> Reading<Self::Document<'a>>;

    /// A document that owns its bytes.
    fn into_owned(document: Self::Document<'_>) -> Self::Document<'static>;

    /// The scene that a document describes. `context` has its name and what lies beside it.
    fn to_ir(
        document: &Self::Document<'_>,
        options: &Self::ToIr,
        context: &mut Context<'_>,
    ) -> Converted<Scene>;

    /// Writes a document in its own format without passing through a scene: unchanged where no
    /// option asks for a change, or with those changes that the format can make to its own files.
    /// `None` where it takes a scene.
    fn rewrite(
        document: &Self::Document<'_>,
        request: &Rewrite<'_>,
        context: &mut Context<'_>,
    ) -> Option<Written> {
        let _ = context;
        (request.to == Self::INFO.id && request.is_untouched)
            .then(|| Ok(Converted::lossless(Output::alone(document.to_bytes().into_owned()))))
    }

    /// How many bytes of a long file can matter, where offsets in the format reach no farther.
    /// `head` is the start of the file; `is_named` tells whether the caller or the extension says
    /// that it is of this format. `None`: all of them.
    fn reach(head: &[u8], is_named: bool) -> Option<usize> {
        let _ = (head, is_named);
        None
    }
}

/// A document of any format. [`document!`](crate::document) makes what users call without these
/// traits.
pub trait Document: Clone {
    /// The file as it was read, with the edits made since. Unedited: the same bytes.
    fn to_bytes(&self) -> Cow<'_, [u8]>;

    /// What people see of the file: where it is compressed or in another encoding, the text in
    /// UTF-8; otherwise its bytes.
    fn text(&self) -> Cow<'_, [u8]> {
        self.to_bytes()
    }

    /// The place in [`Document::text`] of a diagnostic's span.
    fn text_span(&self, span: Span) -> Span {
        span
    }

    /// The file in canonical form: it says the same, comments included. `None` where the format has
    /// no such form.
    fn formatted(&self) -> Option<Vec<u8>> {
        None
    }

    /// The dialect, where the format has dialects.
    fn dialect(&self) -> Option<&'static str> {
        None
    }

    /// What a program shows of a file beyond its scene; `all` is for whole lists, which are cut
    /// short otherwise.
    fn facts(&self, all: bool) -> Vec<Fact> {
        let _ = all;
        Vec::new()
    }

    /// What only a closer look finds, which takes more than reading the file: [`Read::parse`]
    /// reports everything else.
    fn inspect(&self) -> Diagnostics {
        Diagnostics::new()
    }

    /// Whether those who read such files accept this one, where several do and differ. Judged by
    /// the file's diagnostics.
    fn verdicts(&self, diagnostics: &Diagnostics) -> Vec<Verdict> {
        let _ = diagnostics;
        Vec::new()
    }
}

/// Gives a type of documents the methods that all of them have, by [`Read`] of its format:
/// `document!(Document, Stt)` makes `parse`, `parse_with`, `to_bytes` and `into_owned`.
#[macro_export]
macro_rules! document {
    ($document:ident, $format:ty) => {
        impl<'a> $document<'a> {
            /// Reads a file with default options.
            ///
            /// # Errors
            ///
            /// [`ParseError`](anim_ir::ParseError) where nothing can be read at all; what is wrong
            /// in places is a diagnostic.
            pub fn parse(
                source: impl Into<std::borrow::Cow<'a, [u8]>>,
            ) -> $crate::format::Reading<$document<'a>> {
                $document::parse_with(source, &Default::default())
            }

            /// Reads a file.
            ///
            /// # Errors
            ///
            /// As [`parse`](Self::parse).
            pub fn parse_with(
                source: impl Into<std::borrow::Cow<'a, [u8]>>,
                options: &<$format as $crate::format::Read>::ParseOptions,
            ) -> $crate::format::Reading<$document<'a>> {
                <$format as $crate::format::Read>::parse(source.into(), options)
            }

            /// The file as it was read, with the edits made since. Unedited: the same bytes.
            pub fn to_bytes(&self) -> std::borrow::Cow<'_, [u8]> {
                $crate::format::Document::to_bytes(self)
            }

            /// A document that owns its bytes.
            pub fn into_owned(self) -> $document<'static> {
                <$format as $crate::format::Read>::into_owned(self)
            }
        }
    };
}

/// The parts of an implementation of [`Read`] that are the same for all formats: its types,
/// `into_owned` by the field with the bytes, and `sniff` by the function of that name.
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

        #[allow(clippy::needless_update, reason = "a document may be nothing but its bytes")]
        fn into_owned(document: $document<'_>) -> $document<'static> {
            $document { $bytes: document.$bytes.into_owned().into(), ..document }
        }
    };
}

/// Something that a format says of a file beyond its scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// Its name in JSON, in snake case.
    pub key: &'static str,
    /// The clip that it is about, by its number in the scene; `None`: the file.
    pub clip: Option<usize>,
    /// The fact for programs.
    pub value: Value,
    /// A heading for people: what a row is, singular and plural.
    pub heading: Option<(&'static str, &'static str)>,
    /// The fact for people: rows of cells. Names are as in the file; whoever prints them escapes
    /// what acts on a terminal.
    pub rows: Vec<Vec<String>>,
}

/// What one reader of a format says of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Its name in JSON, in snake case.
    pub key: &'static str,
    /// Who judges, for people.
    pub judge: &'static str,
    /// Whether the file is accepted.
    pub accepts: bool,
    /// The verdict for people: `accepted`, or why not.
    pub text: String,
}

/// What surrounds a document when something is made of it.
pub struct Context<'a> {
    /// Name of the file without its extension: what a clip is called where the file does not say.
    pub name: &'a str,
    /// The files beside it.
    pub files: &'a mut dyn Resolver,
    /// What was set of all formats' options, for what joins two formats.
    pub settings: &'a Settings,
}

/// A document that is to be written in its own format again.
#[derive(Clone, Copy, Debug)]
pub struct Rewrite<'a> {
    /// The format to write, by its name.
    pub to: &'static str,
    /// Whether nothing was set that this format has for reading or writing.
    pub is_untouched: bool,
    /// The way from the folder of the output to that of the document, with forward slashes; empty
    /// where they are the same.
    pub way: &'a str,
    /// Name of the output without its extension, which files beside it are named after.
    pub stem: &'a str,
}

/// A result of writing, or why there is none.
pub type Written = Result<Converted<Output>, Box<dyn StdError + Send + Sync>>;

/// A scene with several clips or states, where a file holds one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the scene has {} clips, and a file holds one: {}", .0.len(), .0.join(", "))]
pub struct SeveralClips(pub Vec<String>);

impl SeveralClips {
    /// Checks that there is not more than one.
    ///
    /// # Errors
    ///
    /// With their names.
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
    /// Extensions of the files that are written, without a dot; the first is the usual one.
    const EXTENSIONS: &'static [&'static str] = Self::INFO.extensions;
    /// Whether a file holds one clip or state, and no more.
    const HOLDS_ONE_CLIP: bool = false;
    /// Whether every valid scene can be written, limits aside, however little of it is kept.
    const TAKES_ANY_SCENE: bool = false;
    /// Whether the content of images can be part of what is written, so that it must be read first
    /// ([`crate::Image::bytes`]).
    const TAKES_IMAGES: bool = false;
    /// How to write a scene.
    type FromIr: Options;
    /// Why a scene cannot be written.
    type Error: StdError + Send + Sync + 'static;

    /// What to do about an error, where an option or a command helps: the end of a sentence, such
    /// as `--clamp moves it into the range`.
    fn help(error: &Self::Error) -> Option<&'static str> {
        let _ = error;
        None
    }

    /// Writes a scene. `stem` is the name of the output without its extension, which files beside
    /// it are named after.
    ///
    /// # Errors
    ///
    /// Where the format cannot hold the scene at all; what is lost on the way is in the result.
    fn from_ir(
        scene: &Scene,
        options: &Self::FromIr,
        stem: &str,
    ) -> Result<Converted<Output>, Self::Error>;
}

/// A written file and what lies beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// The file itself.
    pub main: Vec<u8>,
    /// Names and contents of the files beside it.
    pub companions: Vec<(String, Vec<u8>)>,
}

impl Output {
    /// A file with nothing beside it.
    pub const fn alone(main: Vec<u8>) -> Output {
        Output { main, companions: Vec::new() }
    }
}
