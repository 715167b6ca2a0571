//! Where two formats meet. What each join does stands in its own module; here is which there are.

use anim_ir::format::options::OptionInfo;
use anim_ir::format::{Context, Rewrite, Written};
use anim_ir::{Converted, Diagnostics, Normals, Parsed, Scene};

use crate::parts::{AssembleError, AssembleOptions, Assembled, Part, Pieces};
use crate::registry::{AnyDocument, Format};
use crate::scene_options::{self, SceneOptions};

impl AnyDocument<'_> {
    /// The scene that it describes, with what it refers to, and what [`SceneOptions`] ask for.
    pub fn to_scene(&self, context: &mut Context<'_>) -> Converted<Scene> {
        let made = match self {
            #[cfg(feature = "castle")]
            AnyDocument::Castle(document) => crate::frames::to_scene(document, context),
            #[cfg(all(feature = "gltf", feature = "stt"))]
            AnyDocument::Gltf(document) => crate::states::to_scene(document, context),
            other => other.own_scene(context),
        };
        scene_options::apply(self.usual_normals(), context.settings, made)
    }

    /// What is done about normals where nothing is set.
    fn usual_normals(&self) -> Normals {
        match self {
            #[cfg(feature = "amo")]
            AnyDocument::Amo(_) => Normals::Fix,
            _ => Normals::Keep,
        }
    }

    /// Writes it in its own format without passing through a scene, where the format can.
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
    /// The options for making a scene of a document of it, those of other formats that have an
    /// effect on it included.
    pub fn reading_options(self) -> Vec<&'static OptionInfo> {
        #[allow(unused_mut, reason = "without formats that are joined there is nothing to add")]
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

    /// Whether its files may have meshes.
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

#[allow(dead_code, reason = "for builds with formats that are joined")]
fn infos<T: anim_ir::Options>() -> impl Iterator<Item = &'static OptionInfo> {
    T::infos()
}

/// What becomes of several files, or of one that needs no other, where a join knows it.
pub(crate) fn together(
    parts: &mut Vec<Part<'_>>,
    options: &AssembleOptions,
) -> Result<Option<Assembled>, AssembleError> {
    #[cfg(feature = "tmd")]
    if let Some(assembled) = crate::tmd_files::together(parts, options)? {
        return Ok(Some(assembled));
    }
    #[cfg(feature = "stt")]
    if let Some(assembled) = crate::motion::together(parts, options)? {
        return Ok(Some(assembled));
    }
    let _ = (parts, options);
    Ok(None)
}

/// Reports motion that is written without the model that it moves, where the output could show it.
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
        to.is::<anim_gltf::Gltf>(),
        #[cfg(feature = "amo")]
        to.is::<fmt_amo::Amo>(),
        #[cfg(feature = "castle")]
        to.is::<fmt_castle::Castle>(),
        // Builds may have none of them.
        to.id().is_empty(),
    ]
    .contains(&true);
    losses.lost(&crate::codes::MOTION_ALONE, shows_models && documents.all(is_motion), || {
        "the input has motion and no model; add the model that it moves with `--with MODEL`"
            .to_owned()
    });
}

/// The animations of several files as those of one.
pub(crate) fn merge(parts: Vec<Part<'_>>) -> Result<(Part<'_>, Diagnostics), AssembleError> {
    #[cfg(feature = "castle")]
    return crate::frames::merge(parts);
    #[cfg(not(feature = "castle"))]
    Err(match parts.first() {
        Some(part) => AssembleError::NotMergeable(part.parsed.value.format()),
        None => AssembleError::Apart(0),
    })
}

/// Leaves only the animation of that number in a document that can do so without a scene.
pub(crate) fn keep_animation(
    parsed: &mut Parsed<AnyDocument<'static>>,
    number: usize,
) -> Result<bool, AssembleError> {
    #[cfg(feature = "castle")]
    if let AnyDocument::Castle(document) = &parsed.value {
        let part = crate::frames::one_animation(document, number)?;
        // What is wrong with the file is told once, and its places are none in a part of it.
        let mut diagnostics = std::mem::take(&mut parsed.diagnostics);
        diagnostics.forget_spans();
        parsed.value = AnyDocument::Castle(part);
        if number == 0 {
            parsed.diagnostics = diagnostics;
        }
        return Ok(true);
    }
    let _ = (parsed, number);
    Ok(false)
}

/// The pieces of files that are to be written to files of their own; `None` where the format of
/// the output holds all of them, or where they cannot be taken apart.
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
