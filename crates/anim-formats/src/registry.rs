//! The one list of formats. Dispatch, detection, options, codes and every table of formats in the
//! program and the documentation come from it.

use std::borrow::Cow;
use std::fmt;

#[allow(unused_imports, reason = "a build without formats uses few of them")]
use anim_ir::format::options::{OptionInfo, Options as _, Settings};
#[allow(unused_imports, reason = "a build without formats uses few of them")]
use anim_ir::format::{Context, Document as _, Output, Read, Rewrite, Write, Written};
use anim_ir::{Code, Converted, FormatInfo, ParseError, Parsed, Scene, Sniff};

use crate::error::ConvertError;

// Each line: how the format is used, the cargo feature, the name of its documents, its type. Lists
// shown to users have this order.
formats! {
    read write "amo" Amo fmt_amo::Amo;
    read write "anm-text" AnmText fmt_anm_text::AnmText;
    read write "bvh" Bvh fmt_bvh::Bvh;
    read write "castle" Castle fmt_castle::Castle;
    read write "stt" Stt fmt_stt::Stt;
    read write "tmd" TmdAnm fmt_tmd_anm::TmdAnm;
    read "tmd" TmdAnc fmt_tmd_anm::TmdAnc;
    read "tmd" Tmd model_tmd::Tmd;
    read "castle" X3d model_x3d::X3d;
    write "gltf" Glb anim_gltf::Glb;
    read write "gltf" Gltf anim_gltf::Gltf;
    write "cast" Cast anim_cast::Cast;
    write "diagram" Dot crate::diagram::Dot;
    write "diagram" Mermaid crate::diagram::Mermaid;
}

/// A handle to a format of this build. Its name is [`Format::id`].
#[derive(Clone, Copy)]
pub struct Format(&'static Entry);

/// The registry's entry for a format.
struct Entry {
    info: FormatInfo,
    /// The cargo feature; related formats share one.
    family: &'static str,
    read: Option<Reading>,
    write: Option<Writing>,
}

/// A placeholder for the format of an empty document; it reads and writes nothing.
static EMPTY: Entry =
    Entry { info: FormatInfo::text("", "", &[], &[]), family: "", read: None, write: None };

/// A type with a line in the registry.
#[allow(dead_code, reason = "a build without formats has none")]
trait Registered {
    const ENTRY: Entry;
}

/// The result of parsing.
type Parsing<'a> = Result<Parsed<AnyDocument<'a>>, ParseError>;

/// The functions for reading a format.
struct Reading {
    sniff: fn(&[u8]) -> Sniff,
    parse: for<'a> fn(Cow<'a, [u8]>, &Settings) -> Parsing<'a>,
    #[allow(dead_code, reason = "only what opens files asks")]
    reach: fn(&[u8], bool) -> Option<usize>,
    parsing_options: fn() -> Vec<&'static OptionInfo>,
    options: fn() -> Vec<&'static OptionInfo>,
}

/// The functions for writing a format.
struct Writing {
    extensions: &'static [&'static str],
    holds_one_clip: bool,
    takes_any_scene: bool,
    takes_images: bool,
    write: fn(&Scene, &Settings, &str) -> Converting,
    options: fn() -> Vec<&'static OptionInfo>,
}

/// The result of writing.
type Converting = Result<Converted<Output>, ConvertError>;

#[allow(dead_code, reason = "a build without formats has none")]
fn write<F: Write>(scene: &Scene, settings: &Settings, stem: &str) -> Converting {
    F::from_ir(scene, &settings.apply(), stem).map_err(|error| {
        let help = F::help(&error);
        ConvertError::new::<F>(error, help)
    })
}

impl Format {
    /// All formats of this build, in the order in which they are listed to users.
    pub fn all() -> impl Iterator<Item = Format> + Clone {
        ENTRIES.iter().map(Format)
    }

    /// The formats that can be read.
    pub fn readable() -> impl Iterator<Item = Format> + Clone {
        Format::all().filter(|format| format.0.read.is_some())
    }

    /// The formats that can be written.
    pub fn writable() -> impl Iterator<Item = Format> + Clone {
        Format::all().filter(|format| format.0.write.is_some())
    }

    /// The format with this name.
    pub fn from_id(id: &str) -> Option<Format> {
        Format::all().find(|format| format.id() == id)
    }

    /// The readable formats with this file extension, without a dot, in upper or lower case; there
    /// are two for `anm`.
    pub fn with_extension(extension: &str) -> impl Iterator<Item = Format> {
        let extension = extension.to_ascii_lowercase();
        Format::readable()
            .filter(move |format| format.info().extensions.contains(&extension.as_str()))
    }

    /// The writable formats with this file extension; there are two for `anm`.
    pub fn writing_extension(extension: &str) -> impl Iterator<Item = Format> {
        let extension = extension.to_ascii_lowercase();
        Format::writable()
            .filter(move |format| format.written_extensions().contains(&extension.as_str()))
    }

    /// Whether this is the format of a type.
    pub fn is<F: anim_ir::format::Format>(self) -> bool {
        self.id() == F::INFO.id
    }

    /// The identifier, such as `tmd-anm`.
    pub const fn id(self) -> &'static str {
        self.0.info.id
    }

    /// The display name, such as `TMD ANM`.
    pub const fn title(self) -> &'static str {
        self.0.info.title
    }

    /// The name of the cargo feature, which related formats share.
    pub const fn family(self) -> &'static str {
        self.0.family
    }

    /// Names, extensions and diagnostic codes.
    pub const fn info(self) -> &'static FormatInfo {
        &self.0.info
    }

    /// File extensions for writing, the preferred one first; empty for formats that are only read.
    pub fn written_extensions(self) -> &'static [&'static str] {
        self.0.write.as_ref().map_or(&[], |write| write.extensions)
    }

    /// Whether it can be read.
    pub const fn can_read(self) -> bool {
        self.0.read.is_some()
    }

    /// Whether it can be written.
    pub const fn can_write(self) -> bool {
        self.0.write.is_some()
    }

    /// Whether a written file holds at most one clip or state.
    pub fn holds_one_clip(self) -> bool {
        self.0.write.as_ref().is_some_and(|write| write.holds_one_clip)
    }

    /// Whether every valid scene within the limits can be written, even if most of it is lost.
    pub fn takes_any_scene(self) -> bool {
        self.0.write.as_ref().is_some_and(|write| write.takes_any_scene)
    }

    /// Whether written files can contain images, which must then be read first
    /// ([`read_images`](crate::read_images)).
    pub fn takes_images(self) -> bool {
        self.0.write.as_ref().is_some_and(|write| write.takes_images)
    }

    /// Chooses among several output formats with the same extension: one related to the input's
    /// format, or else the first.
    pub fn fitting(candidates: &[Format], inputs: &[Format]) -> Option<Format> {
        let belongs =
            |format: &&Format| inputs.iter().any(|input| input.family() == format.family());
        candidates.iter().find(belongs).or(candidates.first()).copied()
    }

    /// The options for parsing bytes into a document.
    pub fn parsing_options(self) -> Vec<&'static OptionInfo> {
        self.0.read.as_ref().map_or_else(Vec::new, |read| (read.parsing_options)())
    }

    /// The format's own options for converting a document to a scene.
    pub(crate) fn own_reading_options(self) -> Vec<&'static OptionInfo> {
        self.0.read.as_ref().map_or_else(Vec::new, |read| (read.options)())
    }

    /// The options for writing this format.
    pub fn writing_options(self) -> Vec<&'static OptionInfo> {
        self.0.write.as_ref().map_or_else(Vec::new, |write| (write.options)())
    }

    /// The format's verdict on the content; `None` for formats that are only written.
    pub(crate) fn sniff(self, bytes: &[u8]) -> Option<Sniff> {
        Some((self.0.read.as_ref()?.sniff)(bytes))
    }

    /// How many bytes of a long file can be relevant.
    #[cfg(feature = "load")]
    pub(crate) fn reach(self, head: &[u8], is_named: bool) -> Option<usize> {
        (self.0.read.as_ref()?.reach)(head, is_named)
    }

    /// Writes a scene; `None` for formats that are only read.
    pub(crate) fn write(
        self,
        scene: &Scene,
        settings: &Settings,
        stem: &str,
    ) -> Option<Converting> {
        Some((self.0.write.as_ref()?.write)(scene, settings, stem))
    }

    /// Whether none of the format's options are set.
    pub(crate) fn is_untouched(self, settings: &Settings) -> bool {
        let mut options = self.reading_options().into_iter().chain(self.writing_options());
        options.all(|option| settings.get(option.name).is_none())
    }

    /// The options that `of` returns for all formats, each once, with the formats that have it. The
    /// default is included if it is the same for all of them.
    pub fn options(
        of: impl Fn(Format) -> Vec<&'static OptionInfo>,
    ) -> Vec<(OptionInfo, Vec<Format>)> {
        let mut found: Vec<(OptionInfo, Vec<Format>)> = Vec::new();
        for format in Format::all() {
            for option in of(format) {
                match found.iter_mut().find(|(known, _)| known.name == option.name) {
                    Some((_, formats)) if formats.contains(&format) => {}
                    Some((known, formats)) => {
                        known.default = known.default.filter(|_| known.default == option.default);
                        formats.push(format);
                    }
                    None => found.push((*option, vec![format])),
                }
            }
        }
        found
    }

    /// The option with this name, of any format.
    pub fn option(name: &str) -> Option<&'static OptionInfo> {
        let all = Format::all().flat_map(|format| {
            let [parsing, reading, writing] =
                [format.parsing_options(), format.reading_options(), format.writing_options()];
            parsing.into_iter().chain(reading).chain(writing)
        });
        all.into_iter().find(|option| option.name == name)
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Format) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Format {}

impl std::hash::Hash for Format {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.id().hash(state);
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Format").field(&self.id()).finish()
    }
}

impl fmt::Display for Format {
    /// The identifier.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A name that is not a format of this build.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown format `{0}`")]
pub struct UnknownFormat(String);

impl std::str::FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(id: &str) -> Result<Format, UnknownFormat> {
        Format::from_id(id).ok_or_else(|| UnknownFormat(id.to_owned()))
    }
}

/// All codes that the crates of this build can report.
pub fn all_codes() -> Vec<&'static Code> {
    let own = anim_ir::VALIDATION_CODES.iter().chain(crate::codes::ALL).copied();
    let own = own.chain([&anim_ir::BAKED]);
    let mut all: Vec<&'static Code> =
        own.chain(Format::all().flat_map(|format| format.info().codes).copied()).collect();
    // Formats of one crate share its codes.
    all.sort_by_key(|code| code.id);
    all.dedup_by_key(|code| code.id);
    all
}
