//! TMD models and what moves them: `model-tmd` gives the objects, `fmt-tmd-anm` their motion and
//! the camera's.

use anim_ir::{Converted, Diagnostics, EulerOrder, Interpolation, Limits, Scene};
use fmt_tmd_anm::{CameraDocument, CameraToIr, Document, ToIr, camera_to_ir, to_ir};

use crate::convert::{ConvertError, Output};
use crate::document::AnyDocument;

/// How to make a scene of TMD files.
#[derive(Clone, Copy, Debug)]
pub struct TmdOptions {
    /// How the three angles of a rotation are multiplied: Rz · Ry · Rx unless told otherwise.
    pub rotation_order: EulerOrder,
    /// Frames a second, instead of what the file says.
    pub frames_per_second: Option<f32>,
    /// A rotation, scale or position that a key leaves out stays as it was, instead of being none.
    pub hold: bool,
    /// What happens between frames: steps, as in the game, or straight lines.
    pub interpolation: Interpolation,
    /// Positions and vertices are multiplied with this.
    pub unit: f32,
    /// Objects are scaled by the power of two that the model has for each.
    pub apply_scale: bool,
}

impl Default for TmdOptions {
    fn default() -> TmdOptions {
        TmdOptions {
            rotation_order: EulerOrder::Zyx,
            frames_per_second: None,
            hold: false,
            interpolation: Interpolation::Step,
            unit: 1.0,
            apply_scale: false,
        }
    }
}

/// How to write TMD ANM.
#[derive(Clone, Debug)]
pub struct TmdOutput {
    /// The clip to write, by its number; a file holds one.
    pub clip: Option<usize>,
    /// How the three angles of a rotation are multiplied.
    pub rotation_order: EulerOrder,
    /// Positions are divided by this.
    pub unit: f32,
    /// Values that the format cannot hold are moved into its range, instead of refused.
    pub clamp: bool,
    /// A clip that outgrows a file goes to several.
    pub split: bool,
}

impl Default for TmdOutput {
    fn default() -> TmdOutput {
        TmdOutput {
            clip: None,
            rotation_order: EulerOrder::Zyx,
            unit: 1.0,
            clamp: false,
            split: false,
        }
    }
}

/// One motion: a file, or several that are one after the other.
#[derive(Clone, Debug)]
pub struct TmdMotion<'a> {
    /// Name of the clip.
    pub name: String,
    /// In order of time.
    pub documents: Vec<&'a Document<'a>>,
}

/// Files that belong together.
#[derive(Clone, Debug, Default)]
pub struct TmdFiles<'a> {
    /// What is moved.
    pub model: Option<&'a model_tmd::Document<'a>>,
    /// Each is a clip.
    pub motions: Vec<TmdMotion<'a>>,
    /// Names and cameras, each a clip.
    pub cameras: Vec<(String, &'a CameraDocument<'a>)>,
}

impl<'a> TmdFiles<'a> {
    /// Adds a file under a name; tells whether it is one that belongs here. Of several models the
    /// last one is moved.
    pub fn add(&mut self, name: &str, document: &'a AnyDocument<'a>) -> bool {
        match document {
            AnyDocument::Tmd(model) => self.model = Some(model),
            AnyDocument::TmdAnm(motion) => {
                self.motions.push(TmdMotion { name: name.to_owned(), documents: vec![motion] })
            }
            AnyDocument::TmdAnc(camera) => self.cameras.push((name.to_owned(), camera)),
            #[allow(unreachable_patterns, reason = "without other formats there is nothing else")]
            _ => return false,
        }
        true
    }
}

/// One scene of files that belong together: the model's objects are joints, which all motions
/// share.
pub fn tmd_scene(files: &TmdFiles<'_>, options: &TmdOptions, limits: &Limits) -> Converted<Scene> {
    let mut losses = Diagnostics::new();
    let mut scene = files.model.map(|model| {
        let made = model_tmd::to_ir(
            model,
            &model_tmd::ToIr { unit: options.unit, apply_scale: options.apply_scale },
        );
        losses.append(made.losses);
        made.value
    });
    let named = files
        .motions
        .iter()
        .flat_map(|motion| &motion.documents)
        .map(|document| document.objects())
        .max();
    // Keys of what the model lacks are left out; without a model there is what the keys name.
    let objects = files.model.map(|model| model.objects().len()).or(named);
    for motion in &files.motions {
        let made = to_ir(
            &motion.documents,
            &ToIr {
                name: motion.name.clone(),
                objects,
                rotation_order: options.rotation_order,
                frames_per_second: options.frames_per_second,
                hold: options.hold,
                interpolation: options.interpolation,
                unit: options.unit,
                limits: *limits,
            },
        );
        losses.append(made.losses);
        match &mut scene {
            None => scene = Some(made.value),
            Some(scene) => add_motion(scene, made.value),
        }
    }
    for (name, camera) in &files.cameras {
        let options = CameraToIr {
            name: name.clone(),
            frames_per_second: options.frames_per_second,
            unit: options.unit,
        };
        let made = camera_to_ir(camera, &options);
        losses.append(made.losses);
        match &mut scene {
            None => scene = Some(made.value),
            Some(scene) => add_camera(scene, made.value),
        }
    }
    Converted { value: scene.unwrap_or_default(), losses }
}

/// The clips of another scene whose joints are those of this one's first skeleton.
fn add_motion(scene: &mut Scene, motion: Scene) {
    let first = scene.timelines.len();
    scene.timelines.extend(motion.timelines);
    scene.clips.extend(motion.clips.into_iter().map(|mut clip| {
        clip.timeline = clip.timeline.saturating_add(first);
        clip
    }));
}

/// The camera of another scene, on a joint of its own.
fn add_camera(scene: &mut Scene, mut other: Scene) {
    let (skeletons, cameras) = (scene.skeletons.len(), scene.cameras.len());
    scene.skeletons.append(&mut other.skeletons);
    scene.cameras.append(&mut other.cameras);
    scene.nodes.extend(other.nodes.drain(..).map(|mut node| {
        node.parent =
            node.parent.map(|(skeleton, joint)| (skeleton.saturating_add(skeletons), joint));
        node.camera = node.camera.map(|camera| camera.saturating_add(cameras));
        node
    }));
    for timeline in &mut other.timelines {
        timeline.skeleton = timeline.skeleton.saturating_add(skeletons);
    }
    add_motion(scene, other);
}

/// Writes TMD ANM files one after the other as one, packed; as few as it takes where it takes
/// several. The others are named after `stem`.
///
/// # Errors
///
/// [`ConvertError`] where the frames of files of different rates would be one file's, or do not
/// fit.
pub fn join_tmd(
    documents: &[&Document<'_>],
    rate: Option<i16>,
    split: bool,
    stem: &str,
) -> Result<Converted<Output>, ConvertError> {
    let joined = fmt_tmd_anm::Sequence::join(documents, rate)?;
    let parts = if split { joined.value.split()? } else { vec![joined.value.write()?] };
    let parts = parts.iter().map(|part| part.to_bytes().to_owned());
    Ok(Converted { value: numbered(parts, stem), losses: joined.losses })
}

/// The first file is the main one, the others are numbered from 2.
pub(crate) fn numbered(parts: impl Iterator<Item = Vec<u8>>, stem: &str) -> Output {
    let mut parts = parts.enumerate();
    let main = parts.next().map(|(_, bytes)| bytes).unwrap_or_default();
    Output {
        main,
        companions: parts
            .map(|(number, bytes)| (format!("{stem}_{}.anm", number.saturating_add(1)), bytes))
            .collect(),
    }
}
