//! Combines TMD models and their motion. `model-tmd` reads the objects, `fmt-tmd-anm` their motion
//! and that of the camera.

use anim_ir::format::options::{Options as _, Settings};
use anim_ir::{
    CameraId, Converted, Diagnostics, JointRef, Normals, Output, Scene, SkeletonId, TimelineId,
};
use fmt_tmd_anm::{CameraDocument, Document, JoinOptions, TmdAnm};
use model_tmd::Tmd;

use crate::document::sort_losses;
use crate::error::ConvertError;
use crate::parts::{
    AssembleError, AssembleOptions, Assembled, Content, Part, Pieces, keep, report_through_scene,
};
use crate::registry::{AnyDocument, Format};
use crate::scene_options;

/// One motion: a file, or several in sequence.
#[derive(Clone, Debug)]
pub struct TmdMotion<'a> {
    /// Name of the clip.
    pub name: String,
    /// The parts of the motion, in chronological order.
    pub documents: Vec<&'a Document<'a>>,
}

/// A model and its motions and cameras.
#[derive(Clone, Debug, Default)]
pub struct TmdFiles<'a> {
    /// The model.
    pub model: Option<&'a model_tmd::Document<'a>>,
    /// The motions, each of which becomes a clip.
    pub motions: Vec<TmdMotion<'a>>,
    /// The cameras with their names, each of which becomes a clip.
    pub cameras: Vec<(String, &'a CameraDocument<'a>)>,
}

impl<'a> TmdFiles<'a> {
    /// Adds a file under a name and returns whether its format is supported here. If there are
    /// several models, the last is used.
    pub fn add(&mut self, name: &str, document: &'a AnyDocument<'_>) -> bool {
        match document {
            AnyDocument::Tmd(model) => self.model = Some(model),
            AnyDocument::TmdAnm(motion) => {
                self.motions.push(TmdMotion { name: name.to_owned(), documents: vec![motion] })
            }
            AnyDocument::TmdAnc(camera) => self.cameras.push((name.to_owned(), camera)),
            #[allow(unreachable_patterns, reason = "other formats may not be built in")]
            _ => return false,
        }
        true
    }
}

/// Combines a model and its motions into one scene. The model's objects become joints, which all
/// motions share.
pub fn tmd_scene(files: &TmdFiles<'_>, settings: &Settings) -> Converted<Scene> {
    let mut losses = Diagnostics::new();
    let mut scene = files.model.map(|model| {
        let made = model_tmd::to_ir(model, &settings.apply());
        let made = scene_options::apply(Normals::Keep, settings, made);
        losses.append(made.losses);
        made.value
    });
    let named = files
        .motions
        .iter()
        .flat_map(|motion| &motion.documents)
        .map(|document| document.objects())
        .max();
    let mut options: fmt_tmd_anm::ToIr = settings.apply();
    // Keys of objects that are not in the model are dropped. Without a model, all keyed objects
    // become joints.
    options.objects = files.model.map(|model| model.objects().len()).or(named);
    for motion in &files.motions {
        options.name.clone_from(&motion.name);
        let made = fmt_tmd_anm::parts_to_ir(&motion.documents, &options);
        losses.append(made.losses);
        match &mut scene {
            None => scene = Some(made.value),
            Some(scene) => add_motion(scene, made.value),
        }
    }
    let mut options: fmt_tmd_anm::CameraToIr = settings.apply();
    for (name, camera) in &files.cameras {
        options.name.clone_from(name);
        let made = fmt_tmd_anm::camera_to_ir(camera, &options);
        losses.append(made.losses);
        match &mut scene {
            None => scene = Some(made.value),
            Some(scene) => add_camera(scene, made.value),
        }
    }
    Converted { value: scene.unwrap_or_default(), losses }
}

/// Combines a model and its motions, several motions, or the parts of one motion. Returns `None` if
/// the inputs include files in other formats.
pub(crate) fn together(
    parts: &mut Vec<Part<'_>>,
    options: &AssembleOptions,
) -> Result<Option<Assembled>, AssembleError> {
    let is_tmd = |part: &Part<'_>| {
        matches!(
            part.parsed.value,
            AnyDocument::Tmd(_) | AnyDocument::TmdAnm(_) | AnyDocument::TmdAnc(_)
        )
    };
    if !parts.iter().all(is_tmd) {
        return Ok(None);
    }
    let is_motion = |part: &Part<'_>| matches!(part.parsed.value, AnyDocument::TmdAnm(_));
    let to_motion = options.to.is::<TmdAnm>();
    if (to_motion || options.join.is_some()) && !parts.iter().any(is_motion) {
        return Err(AssembleError::NoMotion);
    }
    let models = parts.iter().filter(|part| part.parsed.value.format().is::<Tmd>()).count();
    if models > 1 {
        return Err(AssembleError::Models(models));
    }
    let all_motion = parts.iter().all(is_motion);
    let whole =
        !options.needs_scene && options.animation.is_none() && is_joined_only(&options.settings);
    let mut losses = Diagnostics::new();
    let mut read = Vec::with_capacity(parts.len());
    let mut names = Vec::with_capacity(parts.len());
    for part in parts.drain(..) {
        read.push((part.parsed.value, part.parsed.diagnostics));
        names.push(part.name);
    }
    let mut files = TmdFiles::default();
    for (name, (document, _)) in names.iter().zip(&read) {
        files.add(name, document);
    }
    if to_motion && all_motion && whole {
        let documents: Vec<&Document<'_>> =
            files.motions.iter().flat_map(|motion| motion.documents.iter().copied()).collect();
        let written = join_tmd(&documents, &options.settings, &options.stem).map(|made| {
            losses.append(made.losses);
            made.value
        });
        let content = Content::Written(written);
        return Ok(Some(Assembled::new(content, read, losses)));
    }
    if to_motion && all_motion {
        report_through_scene(&mut losses);
    }
    if let Some(name) = &options.join {
        let documents =
            files.motions.iter().flat_map(|motion| motion.documents.iter().copied()).collect();
        files.motions = vec![TmdMotion { name: name.clone(), documents }];
    }
    let made = tmd_scene(&files, &options.settings);
    let (lost, wrong) = sort_losses(made.losses);
    losses.append(lost);
    let mut scene = made.value;
    keep(&mut scene, options.animation, &options.settings)?;
    // Mismatches between a model and its motion are reported as problems of the first motion.
    let place = read.iter().position(|(document, _)| matches!(document, AnyDocument::TmdAnm(_)));
    if let Some((_, diagnostics)) = read.get_mut(place.unwrap_or(0)) {
        diagnostics.append(wrong);
    }
    let content = Content::Scene(scene.into());
    Ok(Some(Assembled::new(content, read, losses)))
}

/// Returns whether all options set for the format are supported when joining.
fn is_joined_only(settings: &Settings) -> bool {
    let all = fmt_tmd_anm::ToIr::infos().chain(fmt_tmd_anm::FromIr::infos());
    let joins = |name: &str| JoinOptions::infos().any(|option| option.name == name);
    all.filter(|option| settings.get(option.name).is_some()).all(|option| joins(option.name))
}

/// Returns the files that `--split` writes: one per motion, or a single motion in as many as
/// needed.
pub(crate) fn pieces(
    documents: &[(&str, &AnyDocument<'_>)],
    to: Format,
    join: Option<&str>,
) -> Option<Pieces> {
    if !to.is::<TmdAnm>() {
        return None;
    }
    let (first, _) = documents.first()?;
    let motions: Vec<&str> = documents
        .iter()
        .filter(|(_, document)| document.format().is::<TmdAnm>())
        .map(|(name, _)| *name)
        .collect();
    if motions.is_empty() {
        return None;
    }
    if motions.len() == documents.len() || join.is_some() {
        return Some(Pieces::Packed(join.unwrap_or(first).to_owned()));
    }
    Some(Pieces::Each(motions.into_iter().map(str::to_owned).collect()))
}

/// Adds the clips and timelines of another scene. Their skeletons must have the same indices in
/// `scene`.
fn add_motion(scene: &mut Scene, motion: Scene) {
    let first = scene.timelines.len();
    scene.timelines.extend(motion.timelines);
    scene.clips.extend(motion.clips.into_iter().map(|mut clip| {
        clip.timeline = TimelineId::new(clip.timeline.index().saturating_add(first));
        clip
    }));
}

/// Adds the cameras of another scene, with their skeletons and clips.
fn add_camera(scene: &mut Scene, mut other: Scene) {
    let (skeletons, cameras) = (scene.skeletons.len(), scene.cameras.len());
    let moved = |skeleton: SkeletonId| SkeletonId::new(skeleton.index().saturating_add(skeletons));
    scene.skeletons.append(&mut other.skeletons);
    scene.cameras.append(&mut other.cameras);
    scene.nodes.extend(other.nodes.drain(..).map(|mut node| {
        node.parent = node
            .parent
            .map(|JointRef { skeleton, joint }| JointRef { skeleton: moved(skeleton), joint });
        node.camera =
            node.camera.map(|camera| CameraId::new(camera.index().saturating_add(cameras)));
        node
    }));
    for timeline in &mut other.timelines {
        timeline.skeleton = moved(timeline.skeleton);
    }
    add_motion(scene, other);
}

/// Joins TMD ANM files into one packed file, or into as few files as possible if the option `split`
/// is set. A single file without options is written unchanged. Additional files are named after
/// `stem`.
///
/// # Errors
///
/// Returns a [`ConvertError`] if the files have different rates, or their frames do not fit into
/// one file.
pub fn join_tmd(
    documents: &[&Document<'_>],
    settings: &Settings,
    stem: &str,
) -> Result<Converted<Output>, ConvertError> {
    let options: JoinOptions = settings.apply();
    if let ([only], true) = (documents, options.is_default()) {
        return Ok(Converted::lossless(Output::alone(only.to_bytes().to_vec())));
    }
    fmt_tmd_anm::join(documents, &options, stem).map_err(|error| {
        let help = error.help();
        ConvertError::new::<TmdAnm>(error, help)
    })
}
