//! The joins: code that combines two formats. Each has its own module; this module dispatches to
//! them.

#[cfg(feature = "load")]
use anim_ir::format::InBlocks;
use anim_ir::format::options::OptionInfo;
use anim_ir::format::{Context, Rewrite, Written};
use anim_ir::{Converted, Diagnostics, Normals, Parsed, Scene};

use crate::parts::{AssembleError, AssembleOptions, Assembled, Merged, Part, Pieces};
use crate::registry::{AnyDocument, Format};
use crate::scene_options::{self, SceneOptions};

impl AnyDocument<'_> {
    /// Converts the document to a scene, including the files it refers to, with [`SceneOptions`]
    /// applied.
    pub fn to_scene(&self, context: &mut Context<'_>) -> Converted<Scene> {
        let made = match self {
            #[cfg(feature = "castle")]
            AnyDocument::Castle(document) => crate::frames::to_scene(document, context),
            #[cfg(feature = "castle")]
            AnyDocument::X3d(document) => crate::frames::still_to_scene(document, context),
            #[cfg(all(feature = "gltf", feature = "stt"))]
            AnyDocument::Gltf(document) => crate::states::to_scene(document, context),
            other => other.own_scene(context),
        };
        scene_options::apply(self.format().usual_normals(), context.settings, made)
    }

    /// Writes the document in its own format without going through a scene, if the format supports
    /// that.
    pub(crate) fn rewrite(
        &self,
        request: &Rewrite<'_>,
        context: &mut Context<'_>,
    ) -> Option<Written> {
        match self {
            #[cfg(feature = "castle")]
            AnyDocument::Castle(document) => {
                crate::castle_output::rewrite(document, request, context)
            }
            other => other.own_rewrite(request, context),
        }
    }
}

impl Format {
    /// Returns whether documents in this format may refer to frames in other files
    /// ([`frame_files`]).
    pub fn plays_frames(self) -> bool {
        #[cfg(feature = "castle")]
        return self.is::<fmt_castle::Castle>();
        #[cfg(not(feature = "castle"))]
        false
    }

    /// Returns whether files in this format define clips on the take of a model
    /// (`animfmt split`).
    pub fn defines_clips(self) -> bool {
        #[cfg(feature = "anm-text")]
        return self.is::<fmt_anm_text::AnmText>();
        #[cfg(not(feature = "anm-text"))]
        false
    }

    /// Returns the options for converting a document in this format to a scene, including options
    /// of other formats that affect the result.
    pub fn reading_options(self) -> Vec<&'static OptionInfo> {
        #[allow(unused_mut, reason = "unused in builds without joined formats")]
        let mut options = self.own_reading_options();
        #[cfg(feature = "castle")]
        if self.is::<fmt_castle::Castle>() {
            options.extend(infos::<model_x3d::ToIr>());
        }
        #[cfg(all(feature = "gltf", feature = "stt"))]
        if self.is::<anim_gltf::Gltf>() {
            options.extend(infos::<fmt_stt::ToIr>());
        }
        if self.has_meshes() {
            options.extend(infos::<SceneOptions>());
        }
        options
    }

    /// Converts a file of `length` bytes to a scene in blocks ([`Read::scene_in_blocks`]), with
    /// [`SceneOptions`] applied.
    ///
    /// [`Read::scene_in_blocks`]: anim_ir::format::Read::scene_in_blocks
    #[cfg(feature = "load")]
    pub(crate) fn scene_in_blocks(
        self,
        file: &mut dyn std::io::Read,
        length: usize,
        context: &mut Context<'_>,
    ) -> std::io::Result<Option<InBlocks>> {
        let Some(made) = self.own_scene_in_blocks(file, length, context)? else { return Ok(None) };
        let InBlocks { converted, dialect } = made;
        let converted = scene_options::apply(self.usual_normals(), context.settings, converted);
        Ok(Some(InBlocks { converted, dialect }))
    }

    /// Returns the default treatment of normals for this format.
    fn usual_normals(self) -> Normals {
        #[cfg(feature = "amo")]
        if self.is::<fmt_amo::Amo>() {
            return Normals::Fix;
        }
        Normals::Keep
    }

    /// Returns whether files of this format are motion for models in files of the other format.
    pub fn animates(self, model: Format) -> bool {
        let pairs = [
            #[cfg(feature = "stt")]
            (self.is::<fmt_stt::Stt>() && model.has_meshes()),
            #[cfg(feature = "tmd")]
            (self.is::<fmt_tmd_anm::TmdAnm>() && model.is::<model_tmd::Tmd>()),
            #[cfg(feature = "tmd")]
            (self.is::<fmt_tmd_anm::TmdAnc>() && model.is::<model_tmd::Tmd>()),
            false,
        ];
        let _ = model;
        pairs.contains(&true)
    }

    /// Returns whether files in this format may have meshes.
    fn has_meshes(self) -> bool {
        let formats = [
            #[cfg(feature = "amo")]
            self.is::<fmt_amo::Amo>(),
            #[cfg(feature = "castle")]
            self.is::<fmt_castle::Castle>(),
            #[cfg(feature = "castle")]
            self.is::<model_x3d::X3d>(),
            #[cfg(feature = "tmd")]
            self.is::<model_tmd::Tmd>(),
            #[cfg(feature = "gltf")]
            self.is::<anim_gltf::Gltf>(),
            false,
        ];
        formats.contains(&true)
    }
}

#[allow(dead_code, reason = "unused in builds without joined formats")]
fn infos<T: anim_ir::Options>() -> impl Iterator<Item = &'static OptionInfo> {
    T::infos()
}

/// Combines several files, or converts a single file, if one of the joins handles that input.
/// Otherwise returns `None`.
pub(crate) fn together(
    parts: &mut Vec<Part<'_>>,
    options: &AssembleOptions,
) -> Result<Option<Assembled>, AssembleError> {
    #[cfg(feature = "tmd")]
    if let Some(assembled) = crate::tmd_files::together(parts, options)? {
        return Ok(Some(assembled));
    }
    if options.join.is_some() {
        return Err(AssembleError::NotJoined);
    }
    #[cfg(feature = "stt")]
    if let Some(assembled) = crate::motion::together(parts, options)? {
        return Ok(Some(assembled));
    }
    let _ = (parts, options);
    Ok(None)
}

/// Returns the files that a document refers to as frames, as paths relative to the document, with
/// forward slashes.
pub fn frame_files(document: &AnyDocument<'_>) -> Vec<String> {
    match document {
        #[cfg(feature = "castle")]
        AnyDocument::Castle(document) => crate::frames::frame_files(document),
        _ => Vec::new(),
    }
}

/// Returns the files that a scene includes, as paths relative to the document, with forward
/// slashes.
pub fn inlined_files(document: &AnyDocument<'_>) -> Vec<String> {
    match document {
        #[cfg(feature = "castle")]
        AnyDocument::X3d(document) => crate::frames::inlined_files(document),
        _ => Vec::new(),
    }
}

/// Reports motion that is written without the model it animates, if the output could contain a
/// model.
pub(crate) fn report_alone<'d>(
    mut documents: impl Iterator<Item = &'d AnyDocument<'static>>,
    to: Format,
    losses: &mut Diagnostics,
) {
    let is_motion = |document: &AnyDocument<'_>| match document {
        #[cfg(feature = "stt")]
        AnyDocument::Stt(_) => true,
        #[cfg(feature = "tmd")]
        AnyDocument::TmdAnm(_) => true,
        _ => false,
    };
    let shows_models = [
        #[cfg(feature = "gltf")]
        (to.is::<anim_gltf::Glb>() || to.is::<anim_gltf::Gltf>()),
        #[cfg(feature = "amo")]
        to.is::<fmt_amo::Amo>(),
        #[cfg(feature = "castle")]
        to.is::<fmt_castle::Castle>(),
        // Unused in builds without these formats.
        to.id().is_empty(),
    ]
    .contains(&true);
    losses.lost(&crate::codes::MOTION_ALONE, shows_models && documents.all(is_motion), || {
        "the input has motion but no model; use `--with MODEL` to add the model that it animates"
            .to_owned()
    });
}

/// Merges the animations of several files into one document, if their format supports that without
/// going through scenes. Also returns which file each part of the result comes from.
pub(crate) fn merge_documents<'f>(
    parts: &mut Vec<Part<'f>>,
    options: &AssembleOptions,
) -> Result<Option<Merged<'f>>, AssembleError> {
    #[cfg(feature = "castle")]
    if crate::frames::can_merge(parts) {
        return crate::frames::merge(std::mem::take(parts), options).map(Some);
    }
    let _ = (parts, options);
    Ok(None)
}

/// Returns a file with frames and a file of another format, if there are both.
pub(crate) fn frames_and_other<'p>(parts: &'p [Part<'_>]) -> Option<[&'p Part<'p>; 2]> {
    #[cfg(feature = "castle")]
    {
        let is_frames = |part: &&Part<'_>| matches!(part.parsed.value, AnyDocument::Castle(_));
        Some([parts.iter().find(is_frames)?, parts.iter().find(|part| !is_frames(part))?])
    }
    #[cfg(not(feature = "castle"))]
    {
        let _ = parts;
        None
    }
}

/// Returns the animation with this index as a document of its own; `None` if its format does not
/// support that without going through a scene. Problems in the file belong to its first animation.
///
/// # Errors
///
/// Returns [`AssembleError`] if the document has no such animation, or it cannot be written on its
/// own.
pub fn only_animation(
    parsed: &Parsed<AnyDocument<'_>>,
    number: usize,
) -> Result<Option<Parsed<AnyDocument<'static>>>, AssembleError> {
    #[cfg(feature = "castle")]
    if let AnyDocument::Castle(document) = &parsed.value {
        let value = AnyDocument::Castle(crate::frames::one_animation(document, number)?);
        let mut diagnostics = Diagnostics::new();
        if number == 0 {
            // The spans do not apply to the new document.
            diagnostics = parsed.diagnostics.clone();
            diagnostics.forget_spans();
        }
        return Ok(Some(Parsed { value, diagnostics }));
    }
    let _ = (parsed, number);
    Ok(None)
}

/// Returns the parts of files that are written to separate files; `None` if the output format can
/// hold all of them, or if they cannot be separated.
pub fn pieces(
    documents: &[(&str, &AnyDocument<'_>)],
    to: Format,
    join: Option<&str>,
) -> Option<Pieces> {
    #[cfg(feature = "tmd")]
    if let Some(pieces) = crate::tmd_files::pieces(documents, to, join) {
        return Some(pieces);
    }
    #[cfg(feature = "castle")]
    if let [(_, AnyDocument::Castle(document))] = documents {
        let names = document.animations().iter().map(|animation| animation.name.clone());
        return Some(Pieces::Each(names.collect()));
    }
    let _ = (documents, to, join);
    None
}
