//! The list of formats. Dispatch, detection, options, codes and every table of formats in the
//! program and the documentation are derived from it.

use std::borrow::Cow;
use std::fmt;
#[cfg(feature = "load")]
use std::io;

#[cfg(feature = "load")]
use anim_ir::format::InBlocks;
#[allow(unused_imports, reason = "most are unused if no format feature is enabled")]
use anim_ir::format::options::{OptionInfo, Options as _, Settings};
#[allow(unused_imports, reason = "most are unused if no format feature is enabled")]
use anim_ir::format::{Context, Document as _, Output, Read, Rewrite, Write, Written};
use anim_ir::{Code, Converted, FormatInfo, ParseError, Parsed, Scene, Sniff, sort_by};

use crate::error::ConvertError;

// Each line lists the supported operations, the Cargo feature, the name of the document variant and
// the type. Lists shown to users are in this order.
formats! {
    read write "amo" Amo fmt_amo::Amo;
    read write "anm-text" AnmText fmt_anm_text::AnmText;
    read write "bvh" Bvh fmt_bvh::Bvh;
    read write "castle" Castle fmt_castle::Castle;
    read write "stt" Stt fmt_stt::Stt;
    read write "tmd" TmdAnm fmt_tmd_anm::TmdAnm;
    read "tmd" TmdAnc fmt_tmd_anm::TmdAnc;
    read "tmd" Tmd model_tmd::Tmd;
    read write "castle" X3d model_x3d::X3d;
    write "castle" X3dv model_x3d::X3dv;
    write "gltf" Glb anim_gltf::Glb;
    read write "gltf" Gltf anim_gltf::Gltf;
    write "cast" Cast anim_cast::Cast;
    write "engines" Godot anim_engines::Godot;
    write "engines" Unity anim_engines::Unity;
    write "diagram" Dot crate::diagram::Dot;
    write "diagram" Mermaid crate::diagram::Mermaid;
}

/// A handle to a format in this build. Its name is [`Format::id`].
#[derive(Clone, Copy)]
pub struct Format(&'static Entry);

/// The registry's entry for a format.
struct Entry {
    info: FormatInfo,
    /// The Cargo feature, which related formats share.
    family: &'static str,
    read: Option<Reading>,
    write: Option<Writing>,
}

/// A placeholder for the format of an empty document. It can be neither read nor written.
static EMPTY: Entry =
    Entry { info: FormatInfo::text("", "", &[], &[]), family: "", read: None, write: None };

/// A type that is listed in the registry.
#[allow(dead_code, reason = "unused if no format feature is enabled")]
trait Registered {
    const ENTRY: Entry;
}

/// The result of parsing.
type Parsing<'a> = Result<Parsed<AnyDocument<'a>>, ParseError>;

/// The functions for reading a format.
struct Reading {
    sniff: fn(&[u8]) -> Sniff,
    parse: for<'a> fn(Cow<'a, [u8]>, &Settings) -> Parsing<'a>,
    #[cfg(feature = "load")]
    scene_in_blocks: fn(&mut dyn io::Read, usize, &mut Context<'_>) -> io::Result<Option<InBlocks>>,
    #[allow(dead_code, reason = "used only with the feature `load`")]
    reach: fn(&[u8], bool) -> Option<usize>,
    parsing_options: fn() -> Vec<&'static OptionInfo>,
    options: fn() -> Vec<&'static OptionInfo>,
}

/// The functions for writing a format.
struct Writing {
    extensions: &'static [&'static str],
    holds_one_clip: bool,
    takes_any_scene: bool,
    holds_ping_pong: bool,
    needs_states: bool,
    takes_images: bool,
    write: fn(&Scene, &Settings, &str) -> Converting,
    options: fn() -> Vec<&'static OptionInfo>,
}

/// The result of writing.
type Converting = Result<Converted<Output>, ConvertError>;

#[allow(dead_code, reason = "unused if no format feature is enabled")]
fn write<F: Write>(scene: &Scene, settings: &Settings, stem: &str) -> Converting {
    F::from_ir(scene, &settings.apply(), stem).map_err(|error| {
        let help = F::help(&error);
        ConvertError::new::<F>(error, help)
    })
}

impl Format {
    /// Returns all formats in this build, in the order in which they are shown to users.
    pub fn all() -> impl Iterator<Item = Format> + Clone {
        ENTRIES.iter().map(Format)
    }

    /// Returns the formats that can be read.
    pub fn readable() -> impl Iterator<Item = Format> + Clone {
        Format::all().filter(|format| format.0.read.is_some())
    }

    /// Returns the formats that can be written.
    pub fn writable() -> impl Iterator<Item = Format> + Clone {
        Format::all().filter(|format| format.0.write.is_some())
    }

    /// Returns the format with this identifier.
    pub fn from_id(id: &str) -> Option<Format> {
        Format::all().find(|format| format.id() == id)
    }

    /// Returns the readable formats with this file extension (without a dot, case-insensitive). Two
    /// formats have the extension `anm`.
    pub fn with_extension(extension: &str) -> impl Iterator<Item = Format> {
        let extension = extension.to_ascii_lowercase();
        Format::readable()
            .filter(move |format| format.info().extensions.contains(&extension.as_str()))
    }

    /// Returns the writable formats with this file extension. Two formats have the extension `anm`.
    pub fn writing_extension(extension: &str) -> impl Iterator<Item = Format> {
        let extension = extension.to_ascii_lowercase();
        Format::writable()
            .filter(move |format| format.written_extensions().contains(&extension.as_str()))
    }

    /// Returns whether this is the format of the given type.
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

    /// The name of the Cargo feature, which related formats share.
    pub const fn family(self) -> &'static str {
        self.0.family
    }

    /// Names, extensions and diagnostic codes.
    pub const fn info(self) -> &'static FormatInfo {
        &self.0.info
    }

    /// File extensions for writing, with the preferred extension first. Empty for read-only
    /// formats.
    pub fn written_extensions(self) -> &'static [&'static str] {
        self.0.write.as_ref().map_or(&[], |write| write.extensions)
    }

    /// Returns whether the format can be read.
    pub const fn can_read(self) -> bool {
        self.0.read.is_some()
    }

    /// Returns whether the format can be written.
    pub const fn can_write(self) -> bool {
        self.0.write.is_some()
    }

    /// Returns whether a written file contains at most one clip or state.
    pub fn holds_one_clip(self) -> bool {
        self.0.write.as_ref().is_some_and(|write| write.holds_one_clip)
    }

    /// Returns whether every valid scene within the limits can be written, even if most of it is
    /// lost.
    pub fn takes_any_scene(self) -> bool {
        self.0.write.as_ref().is_some_and(|write| write.takes_any_scene)
    }

    /// Returns whether files may be compressed with gzip. Such formats have an option for it.
    pub fn may_be_compressed(self) -> bool {
        self.writing_options().iter().any(|option| option.name == "gzip")
    }

    /// Returns whether written files can contain clips that play forwards and back.
    pub fn holds_ping_pong(self) -> bool {
        self.0.write.as_ref().is_some_and(|write| write.holds_ping_pong)
    }

    /// Returns whether only a scene with a state machine can be written in this format.
    pub fn needs_states(self) -> bool {
        self.0.write.as_ref().is_some_and(|write| write.needs_states)
    }

    /// Returns whether written files can embed images, which must then be read first
    /// ([`read_images`](crate::read_images)).
    pub fn takes_images(self) -> bool {
        self.0.write.as_ref().is_some_and(|write| write.takes_images)
    }

    /// Chooses among output formats with the same extension: the format related to the input's
    /// format, or else the first.
    pub fn fitting(candidates: &[Format], inputs: &[Format]) -> Option<Format> {
        let belongs =
            |format: &&Format| inputs.iter().any(|input| input.family() == format.family());
        candidates.iter().find(belongs).or(candidates.first()).copied()
    }

    /// Returns the options for parsing bytes into a document.
    pub fn parsing_options(self) -> Vec<&'static OptionInfo> {
        self.0.read.as_ref().map_or_else(Vec::new, |read| (read.parsing_options)())
    }

    /// Returns the format's own options for converting a document to a scene.
    pub(crate) fn own_reading_options(self) -> Vec<&'static OptionInfo> {
        self.0.read.as_ref().map_or_else(Vec::new, |read| (read.options)())
    }

    /// Returns the options for writing this format.
    pub fn writing_options(self) -> Vec<&'static OptionInfo> {
        self.0.write.as_ref().map_or_else(Vec::new, |write| (write.options)())
    }

    /// Returns the format's verdict on the content, or `None` for write-only formats.
    pub(crate) fn sniff(self, bytes: &[u8]) -> Option<Sniff> {
        Some((self.0.read.as_ref()?.sniff)(bytes))
    }

    /// Converts a file to a scene in blocks, with the format's own options.
    #[cfg(feature = "load")]
    pub(crate) fn own_scene_in_blocks(
        self,
        file: &mut dyn io::Read,
        length: usize,
        context: &mut Context<'_>,
    ) -> io::Result<Option<InBlocks>> {
        match &self.0.read {
            Some(read) => (read.scene_in_blocks)(file, length, context),
            None => Ok(None),
        }
    }

    /// Returns how many bytes of a long file can be relevant.
    pub(crate) fn reach(self, head: &[u8], is_named: bool) -> Option<usize> {
        (self.0.read.as_ref()?.reach)(head, is_named)
    }

    /// Writes a scene. Returns `None` for read-only formats.
    pub(crate) fn write(
        self,
        scene: &Scene,
        settings: &Settings,
        stem: &str,
    ) -> Option<Converting> {
        Some((self.0.write.as_ref()?.write)(scene, settings, stem))
    }

    /// Returns whether none of the format's options are set.
    pub(crate) fn is_untouched(self, settings: &Settings) -> bool {
        let mut options = self.reading_options().into_iter().chain(self.writing_options());
        options.all(|option| settings.get(option.name).is_none())
    }

    /// Returns the options that `of` returns for any format, without duplicates, and the formats
    /// that have each option. The default is included if it is the same for all formats.
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

    /// Returns the option with this name, from any format.
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

/// The error for a name that is not a format in this build.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown format `{0}`")]
pub struct UnknownFormat(String);

impl std::str::FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(id: &str) -> Result<Format, UnknownFormat> {
        Format::from_id(id).ok_or_else(|| UnknownFormat(id.to_owned()))
    }
}

/// Returns all codes that the crates in this build can report.
pub fn all_codes() -> Vec<&'static Code> {
    let own = anim_ir::VALIDATION_CODES.iter().chain(crate::codes::ALL).copied();
    let own = own.chain([&anim_ir::BAKED, &anim_ir::IMAGE_OUTSIDE, &anim_ir::RESAMPLED]);
    let mut all: Vec<&'static Code> =
        own.chain(Format::all().flat_map(|format| format.info().codes).copied()).collect();
    // Formats in the same crate share its codes.
    sort_by(&mut all, |a, b| a.id.cmp(b.id));
    all.dedup_by_key(|code| code.id);
    all
}
