//! A document of any format.

use std::borrow::Cow;

#[cfg(feature = "gltf")]
use anim_ir::Diagnostics;
use anim_ir::{Converted, Limits, Parsed, Scene, Span};
use thiserror::Error;

use crate::detect::Format;

/// How to read.
#[derive(Clone, Debug)]
pub struct ParseOptions {
    /// Takes the file for this dialect of its format.
    pub dialect: Option<String>,
    /// Threads for one file, where the format can use them.
    pub threads: usize,
    /// Bounds on what the file may ask for.
    pub limits: Limits,
}

impl Default for ParseOptions {
    fn default() -> ParseOptions {
        ParseOptions { dialect: None, threads: 1, limits: Limits::default() }
    }
}

/// How to make a scene. What a format has no use for has no effect on it.
#[derive(Clone, Debug, Default)]
pub struct SceneOptions {
    /// AMO: what the values of keys are taken for.
    #[cfg(feature = "amo")]
    pub amo_keys: fmt_amo::KeyReading,
    /// AMO: what materials look like.
    #[cfg(feature = "amo")]
    pub amo_materials: Option<fmt_amo::MaterialLibrary>,
    /// castle-anim-frames: what becomes of the frames.
    #[cfg(feature = "castle")]
    pub frames: crate::FramesOptions,
    /// ANM text: what its numbers mean.
    #[cfg(feature = "anm-text")]
    pub anm_text: fmt_anm_text::ToIr,
    /// STT: what its numbers mean, and how long the clips of its states are.
    #[cfg(feature = "stt")]
    pub stt: fmt_stt::ToIr,
    /// TMD files: what their numbers mean.
    #[cfg(feature = "tmd")]
    pub tmd: crate::TmdOptions,
    /// What a clip is called where the file does not say: the file's own name without its
    /// extension.
    pub name: String,
    /// Bounds on what is made.
    pub limits: Limits,
}

/// What lies beside a file. Libraries open nothing themselves: whoever calls them does.
pub trait Companions {
    /// The content of a file that the document refers to, by the address as the document has it.
    ///
    /// # Errors
    ///
    /// Why there is none, in words that go behind a colon.
    fn read(&mut self, address: &str) -> Result<Vec<u8>, String>;

    /// Of several paths of one picture, relative to the document's folder, the place of the one to
    /// use.
    fn pick(&mut self, paths: &[String]) -> usize {
        let _ = paths;
        0
    }
}

/// Nothing lies beside the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCompanions;

impl Companions for NoCompanions {
    fn read(&mut self, _: &str) -> Result<Vec<u8>, String> {
        Err("other files are not opened here".to_owned())
    }
}

/// Why there is no document.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// Not readable as Animated OBJ.
    #[cfg(feature = "amo")]
    #[error(transparent)]
    Amo(#[from] fmt_amo::ParseError),
    /// Not readable as castle-anim-frames.
    #[cfg(feature = "castle")]
    #[error(transparent)]
    Castle(#[from] fmt_castle::ParseError),
    /// Not readable as X3D or VRML.
    #[cfg(feature = "castle")]
    #[error(transparent)]
    X3d(#[from] model_x3d::ParseError),
    /// Not readable as STT.
    #[cfg(feature = "stt")]
    #[error(transparent)]
    Stt(#[from] fmt_stt::ParseError),
    /// Not readable as ANM text.
    #[cfg(feature = "anm-text")]
    #[error(transparent)]
    AnmText(#[from] fmt_anm_text::ParseError),
    /// Not readable as glTF.
    #[cfg(feature = "gltf")]
    #[error(transparent)]
    Gltf(#[from] anim_gltf::ReadError),
    /// Not readable as TMD ANM or ANC.
    #[cfg(feature = "tmd")]
    #[error(transparent)]
    TmdAnm(#[from] fmt_tmd_anm::ParseError),
    /// Not readable as TMD.
    #[cfg(feature = "tmd")]
    #[error(transparent)]
    Tmd(#[from] model_tmd::ParseError),
    /// The format has no such dialect.
    #[error("{format} has no dialect `{dialect}`; it has {known}")]
    Dialect {
        /// The format's title.
        format: &'static str,
        /// What was asked for.
        dialect: String,
        /// What there is.
        known: String,
    },
    /// This build does not read the format.
    #[error("this build cannot read {}", .0.title())]
    Unsupported(Format),
}

/// A document of any format: what the file says, in the file's own terms.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "there is one of it, not a list")]
pub enum AnyDocument<'a> {
    /// Animated OBJ.
    #[cfg(feature = "amo")]
    Amo(fmt_amo::Document<'a>),
    /// castle-anim-frames.
    #[cfg(feature = "castle")]
    Castle(fmt_castle::Document<'a>),
    /// An X3D or VRML scene.
    #[cfg(feature = "castle")]
    X3d(model_x3d::Document<'a>),
    /// States of a model's nodes.
    #[cfg(feature = "stt")]
    Stt(fmt_stt::Document<'a>),
    /// Names for ranges of a model's timeline.
    #[cfg(feature = "anm-text")]
    AnmText(fmt_anm_text::Document<'a>),
    /// A glTF file.
    #[cfg(feature = "gltf")]
    Gltf(anim_gltf::Document<'a>),
    /// Motion of a TMD model.
    #[cfg(feature = "tmd")]
    TmdAnm(fmt_tmd_anm::Document<'a>),
    /// Motion of a camera.
    #[cfg(feature = "tmd")]
    TmdAnc(fmt_tmd_anm::CameraDocument<'a>),
    /// A TMD model.
    #[cfg(feature = "tmd")]
    Tmd(model_tmd::Document<'a>),
    /// No format is compiled in.
    #[cfg(not(any(
        feature = "amo",
        feature = "anm-text",
        feature = "castle",
        feature = "gltf",
        feature = "stt",
        feature = "tmd"
    )))]
    None(std::convert::Infallible, std::marker::PhantomData<&'a ()>),
}

impl<'a> AnyDocument<'a> {
    /// Reads a file of a known format.
    ///
    /// # Errors
    ///
    /// [`ParseError`] where nothing can be read at all.
    pub fn parse(
        source: impl Into<Cow<'a, [u8]>>,
        format: Format,
        options: &ParseOptions,
    ) -> Result<Parsed<AnyDocument<'a>>, ParseError> {
        match format {
            #[cfg(feature = "amo")]
            Format::Amo => {
                let dialect = match &options.dialect {
                    None => None,
                    Some(name) => Some(fmt_amo::Dialect::from_name(name).ok_or_else(|| {
                        ParseError::Dialect {
                            format: format.title(),
                            dialect: name.clone(),
                            known: fmt_amo::Dialect::ALL.map(fmt_amo::Dialect::name).join(", "),
                        }
                    })?),
                };
                let options = fmt_amo::ParseOptions {
                    dialect,
                    threads: options.threads,
                    limits: options.limits,
                };
                let parsed = fmt_amo::Document::parse_with(source, &options)?;
                Ok(Parsed {
                    value: AnyDocument::Amo(parsed.value),
                    diagnostics: parsed.diagnostics,
                })
            }
            #[cfg(feature = "castle")]
            Format::Castle => {
                let parsed = fmt_castle::Document::parse_with(
                    source,
                    &fmt_castle::ParseOptions { limits: options.limits },
                )?;
                Ok(Parsed {
                    value: AnyDocument::Castle(parsed.value),
                    diagnostics: parsed.diagnostics,
                })
            }
            #[cfg(feature = "castle")]
            Format::X3d => {
                let parsed = model_x3d::Document::parse_with(source, &options.limits)?;
                Ok(Parsed {
                    value: AnyDocument::X3d(parsed.value),
                    diagnostics: parsed.diagnostics,
                })
            }
            #[cfg(feature = "stt")]
            Format::Stt => {
                let parsed = fmt_stt::Document::parse_with(
                    source,
                    &fmt_stt::ParseOptions { limits: options.limits },
                )?;
                Ok(Parsed {
                    value: AnyDocument::Stt(parsed.value),
                    diagnostics: parsed.diagnostics,
                })
            }
            #[cfg(feature = "anm-text")]
            Format::AnmText => {
                let parsed = fmt_anm_text::Document::parse_with(
                    source,
                    &fmt_anm_text::ParseOptions { limits: options.limits },
                )?;
                Ok(Parsed {
                    value: AnyDocument::AnmText(parsed.value),
                    diagnostics: parsed.diagnostics,
                })
            }
            #[cfg(feature = "gltf")]
            Format::Gltf => {
                let mut read = anim_gltf::ReadOptions::default();
                read.limits = options.limits;
                let parsed = anim_gltf::Document::parse(source, &read)?;
                Ok(Parsed {
                    value: AnyDocument::Gltf(parsed.value),
                    diagnostics: parsed.diagnostics,
                })
            }
            #[cfg(feature = "tmd")]
            Format::TmdAnm => {
                let parsed = fmt_tmd_anm::Document::parse_with(
                    source,
                    &fmt_tmd_anm::ParseOptions { limits: options.limits },
                )?;
                Ok(Parsed {
                    value: AnyDocument::TmdAnm(parsed.value),
                    diagnostics: parsed.diagnostics,
                })
            }
            #[cfg(feature = "tmd")]
            Format::TmdAnc => {
                let parsed = fmt_tmd_anm::CameraDocument::parse_with(
                    source,
                    &fmt_tmd_anm::ParseOptions { limits: options.limits },
                )?;
                Ok(Parsed {
                    value: AnyDocument::TmdAnc(parsed.value),
                    diagnostics: parsed.diagnostics,
                })
            }
            #[cfg(feature = "tmd")]
            Format::Tmd => {
                let parsed = model_tmd::Document::parse_with(
                    source,
                    &model_tmd::ParseOptions { limits: options.limits },
                )?;
                Ok(Parsed {
                    value: AnyDocument::Tmd(parsed.value),
                    diagnostics: parsed.diagnostics,
                })
            }
            #[cfg(not(all(
                feature = "amo",
                feature = "anm-text",
                feature = "castle",
                feature = "gltf",
                feature = "stt",
                feature = "tmd"
            )))]
            other => {
                let _ = (source, options);
                Err(ParseError::Unsupported(other))
            }
        }
    }

    /// Its format.
    pub fn format(&self) -> Format {
        match self {
            #[cfg(feature = "amo")]
            AnyDocument::Amo(_) => Format::Amo,
            #[cfg(feature = "castle")]
            AnyDocument::Castle(_) => Format::Castle,
            #[cfg(feature = "castle")]
            AnyDocument::X3d(_) => Format::X3d,
            #[cfg(feature = "stt")]
            AnyDocument::Stt(_) => Format::Stt,
            #[cfg(feature = "anm-text")]
            AnyDocument::AnmText(_) => Format::AnmText,
            #[cfg(feature = "gltf")]
            AnyDocument::Gltf(_) => Format::Gltf,
            #[cfg(feature = "tmd")]
            AnyDocument::TmdAnm(_) => Format::TmdAnm,
            #[cfg(feature = "tmd")]
            AnyDocument::TmdAnc(_) => Format::TmdAnc,
            #[cfg(feature = "tmd")]
            AnyDocument::Tmd(_) => Format::Tmd,
            #[cfg(not(any(
                feature = "amo",
                feature = "anm-text",
                feature = "castle",
                feature = "gltf",
                feature = "stt",
                feature = "tmd"
            )))]
            AnyDocument::None(never, _) => match *never {},
        }
    }

    /// Its dialect, where the format has dialects.
    pub fn dialect(&self) -> Option<&'static str> {
        match self {
            #[cfg(feature = "amo")]
            AnyDocument::Amo(document) => Some(document.dialect().name()),
            #[cfg(feature = "castle")]
            AnyDocument::Castle(_) | AnyDocument::X3d(_) => None,
            #[cfg(feature = "stt")]
            AnyDocument::Stt(_) => None,
            #[cfg(feature = "anm-text")]
            AnyDocument::AnmText(_) => None,
            #[cfg(feature = "gltf")]
            AnyDocument::Gltf(_) => None,
            #[cfg(feature = "tmd")]
            AnyDocument::TmdAnm(_) | AnyDocument::TmdAnc(_) | AnyDocument::Tmd(_) => None,
            #[cfg(not(any(
                feature = "amo",
                feature = "anm-text",
                feature = "castle",
                feature = "gltf",
                feature = "stt",
                feature = "tmd"
            )))]
            AnyDocument::None(never, _) => match *never {},
        }
    }

    /// The file as it was read, with the edits made since.
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        match self {
            #[cfg(feature = "amo")]
            AnyDocument::Amo(document) => document.to_bytes(),
            #[cfg(feature = "castle")]
            AnyDocument::Castle(document) => document.to_bytes(),
            #[cfg(feature = "castle")]
            AnyDocument::X3d(document) => document.to_bytes(),
            #[cfg(feature = "stt")]
            AnyDocument::Stt(document) => Cow::Borrowed(document.to_bytes()),
            #[cfg(feature = "anm-text")]
            AnyDocument::AnmText(document) => Cow::Borrowed(document.to_bytes()),
            #[cfg(feature = "gltf")]
            AnyDocument::Gltf(document) => Cow::Borrowed(document.to_bytes()),
            #[cfg(feature = "tmd")]
            AnyDocument::TmdAnm(document) => Cow::Borrowed(document.to_bytes()),
            #[cfg(feature = "tmd")]
            AnyDocument::TmdAnc(document) => Cow::Borrowed(document.to_bytes()),
            #[cfg(feature = "tmd")]
            AnyDocument::Tmd(document) => document.to_bytes(),
            #[cfg(not(any(
                feature = "amo",
                feature = "anm-text",
                feature = "castle",
                feature = "gltf",
                feature = "stt",
                feature = "tmd"
            )))]
            AnyDocument::None(never, _) => match *never {},
        }
    }

    /// The file in canonical form, with its comments: it says the same. `None` for formats that
    /// have no such form.
    pub fn formatted(&self) -> Option<Vec<u8>> {
        match self {
            #[cfg(feature = "amo")]
            AnyDocument::Amo(document) => Some(document.formatted()),
            #[cfg(feature = "castle")]
            AnyDocument::Castle(document) => Some(document.formatted()),
            #[cfg(feature = "stt")]
            AnyDocument::Stt(document) => Some(document.formatted()),
            #[cfg(feature = "anm-text")]
            AnyDocument::AnmText(document) => Some(document.formatted()),
            #[allow(unreachable_patterns, reason = "without the others there is nothing else")]
            _ => None,
        }
    }

    /// What people see of the file: where it is in another encoding, or compressed, the text in
    /// UTF-8.
    pub fn text(&self) -> Cow<'_, [u8]> {
        match self {
            #[cfg(feature = "amo")]
            AnyDocument::Amo(document) => document.to_bytes(),
            #[cfg(feature = "castle")]
            AnyDocument::Castle(document) => Cow::Borrowed(document.text().as_bytes()),
            #[cfg(feature = "castle")]
            AnyDocument::X3d(document) => Cow::Borrowed(document.text().as_bytes()),
            #[cfg(feature = "stt")]
            AnyDocument::Stt(document) => Cow::Borrowed(document.to_bytes()),
            #[cfg(feature = "anm-text")]
            AnyDocument::AnmText(document) => Cow::Borrowed(document.to_bytes()),
            #[cfg(feature = "gltf")]
            AnyDocument::Gltf(document) => Cow::Borrowed(document.to_bytes()),
            #[cfg(feature = "tmd")]
            AnyDocument::TmdAnm(document) => Cow::Borrowed(document.to_bytes()),
            #[cfg(feature = "tmd")]
            AnyDocument::TmdAnc(document) => Cow::Borrowed(document.to_bytes()),
            #[cfg(feature = "tmd")]
            AnyDocument::Tmd(document) => document.to_bytes(),
            #[cfg(not(any(
                feature = "amo",
                feature = "anm-text",
                feature = "castle",
                feature = "gltf",
                feature = "stt",
                feature = "tmd"
            )))]
            AnyDocument::None(never, _) => match *never {},
        }
    }

    /// The place in [`AnyDocument::text`] of a diagnostic's span.
    pub fn text_span(&self, span: Span) -> Span {
        match self {
            #[cfg(feature = "castle")]
            AnyDocument::Castle(document) => document.text_span(span),
            #[allow(unreachable_patterns, reason = "without that format there is nothing else")]
            _ => span,
        }
    }

    /// The scene that it describes. No other files are opened: what a document refers to is
    /// missing.
    pub fn to_scene(&self, options: &SceneOptions) -> Converted<Scene> {
        self.to_scene_with(options, &mut NoCompanions)
    }

    /// The scene that it describes, with what it refers to.
    pub fn to_scene_with(
        &self,
        options: &SceneOptions,
        companions: &mut dyn Companions,
    ) -> Converted<Scene> {
        #[cfg(not(any(feature = "castle", feature = "gltf")))]
        let _ = &companions;
        match self {
            #[cfg(feature = "amo")]
            AnyDocument::Amo(document) => {
                let options = fmt_amo::ToIr {
                    keys: options.amo_keys,
                    materials: options.amo_materials.as_ref(),
                    limits: options.limits,
                };
                fmt_amo::to_ir(document, &options)
            }
            #[cfg(feature = "castle")]
            AnyDocument::Castle(document) => {
                crate::frames::to_scene(document, &options.frames, companions, &options.limits)
            }
            #[cfg(feature = "castle")]
            AnyDocument::X3d(document) => {
                crate::frames::still(document, &options.frames, companions, &options.limits)
            }
            #[cfg(feature = "stt")]
            AnyDocument::Stt(document) => fmt_stt::to_ir(document, &options.stt),
            #[cfg(feature = "anm-text")]
            AnyDocument::AnmText(document) => fmt_anm_text::to_ir(document, &options.anm_text),
            #[cfg(feature = "gltf")]
            AnyDocument::Gltf(document) => {
                let read = anim_gltf::to_ir(document, &mut Opened(companions), &options.limits);
                #[cfg(feature = "stt")]
                let read = read.map(|mut scene| {
                    crate::states::restore(&mut scene.value, &options.stt);
                    scene
                });
                read.unwrap_or_else(|error| {
                    let mut losses = Diagnostics::new();
                    losses.push(&crate::codes::NO_SCENE, None, || error.to_string());
                    Converted { value: Scene::default(), losses }
                })
            }
            #[cfg(feature = "tmd")]
            AnyDocument::TmdAnm(_) | AnyDocument::TmdAnc(_) | AnyDocument::Tmd(_) => {
                let mut files = crate::TmdFiles::default();
                files.add(&options.name, self);
                crate::tmd_scene(&files, &options.tmd, &options.limits)
            }
            #[cfg(not(any(
                feature = "amo",
                feature = "anm-text",
                feature = "castle",
                feature = "gltf",
                feature = "stt",
                feature = "tmd"
            )))]
            AnyDocument::None(never, _) => {
                let _ = (options, companions);
                match *never {}
            }
        }
    }

    /// A document that owns its bytes.
    pub fn into_owned(self) -> AnyDocument<'static> {
        match self {
            #[cfg(feature = "amo")]
            AnyDocument::Amo(document) => AnyDocument::Amo(document.into_owned()),
            #[cfg(feature = "castle")]
            AnyDocument::Castle(document) => AnyDocument::Castle(document.into_owned()),
            #[cfg(feature = "castle")]
            AnyDocument::X3d(document) => AnyDocument::X3d(document.into_owned()),
            #[cfg(feature = "stt")]
            AnyDocument::Stt(document) => AnyDocument::Stt(document.into_owned()),
            #[cfg(feature = "anm-text")]
            AnyDocument::AnmText(document) => AnyDocument::AnmText(document.into_owned()),
            #[cfg(feature = "gltf")]
            AnyDocument::Gltf(document) => AnyDocument::Gltf(document.into_owned()),
            #[cfg(feature = "tmd")]
            AnyDocument::TmdAnm(document) => AnyDocument::TmdAnm(document.into_owned()),
            #[cfg(feature = "tmd")]
            AnyDocument::TmdAnc(document) => AnyDocument::TmdAnc(document.into_owned()),
            #[cfg(feature = "tmd")]
            AnyDocument::Tmd(document) => AnyDocument::Tmd(document.into_owned()),
            #[cfg(not(any(
                feature = "amo",
                feature = "anm-text",
                feature = "castle",
                feature = "gltf",
                feature = "stt",
                feature = "tmd"
            )))]
            AnyDocument::None(never, _) => match never {},
        }
    }
}

/// The files beside a `.gltf`.
#[cfg(feature = "gltf")]
struct Opened<'a>(&'a mut dyn Companions);

#[cfg(feature = "gltf")]
impl anim_gltf::Buffers for Opened<'_> {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, String> {
        // Companions take addresses, in which this sign has a meaning.
        self.0.read(&path.replace('%', "%25"))
    }
}
