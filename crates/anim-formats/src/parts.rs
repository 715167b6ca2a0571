//! Files that become one output, and what becomes of them.

use anim_ir::format::Context;
use anim_ir::format::options::Settings;
use anim_ir::{Bake, Diagnostics, LimitError, Output, Parsed, Resolver, Scene, Span};
use thiserror::Error;

use crate::codes;
use crate::document::{Loaded, scene_of};
use crate::error::ConvertError;
use crate::images::read_images;
use crate::registry::{AnyDocument, Format};

/// A file, read, and what lies beside it.
pub struct Part<'f> {
    /// Its name without the extension.
    pub name: String,
    /// What it says.
    pub parsed: Parsed<AnyDocument<'static>>,
    /// The files beside it.
    pub files: Box<dyn Resolver + 'f>,
    /// The way from the folder of the first part to this one's, with forward slashes; empty where
    /// they are the same.
    pub way: String,
}

/// What is to be made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AssembleOptions {
    /// The format of the output.
    pub to: Format,
    /// What was set of the formats' options.
    pub settings: Settings,
    /// The way from the folder of the output to that of the first part.
    pub way: String,
    /// Name of the output without its extension.
    pub stem: String,
    /// Whether a scene is needed even where the file could stay as it is.
    pub needs_scene: bool,
    /// Only the animation, clip or state of this number ([`Scene::playables`]).
    pub animation: Option<usize>,
    /// Frames of several files become the animations of one.
    pub merge: bool,
    /// The motions become one of this name.
    pub join: Option<String>,
}

impl AssembleOptions {
    /// Makes a file of that format with what was set.
    pub fn new(to: Format, settings: Settings) -> AssembleOptions {
        AssembleOptions {
            to,
            settings,
            way: String::new(),
            stem: String::new(),
            needs_scene: false,
            animation: None,
            merge: false,
            join: None,
        }
    }
}

/// What was made of the parts.
#[derive(Debug)]
#[non_exhaustive]
pub struct Assembled {
    /// What to write.
    pub content: Content,
    /// The part beside which the images of the scene are.
    pub images_of: usize,
    /// What is wrong with each part, and the document that the places are in.
    pub parts: Vec<(AnyDocument<'static>, Diagnostics)>,
    /// What was lost.
    pub losses: Diagnostics,
    /// For files that were merged: which places of `losses` come from which part, in order.
    pub origins: Vec<(Span, usize)>,
}

/// Several files as one.
pub(crate) struct Merged<'f> {
    pub(crate) part: Part<'f>,
    pub(crate) losses: Diagnostics,
    /// Places in the merged document, and the number of the file that they come from.
    pub(crate) origins: Vec<(Span, usize)>,
}

/// What to write.
#[derive(Debug)]
pub enum Content {
    /// A document stays what it is, or is changed without passing through a scene; or that failed.
    Written(Result<Output, ConvertError>),
    /// A scene, to be written in any format.
    Scene(Box<Scene>),
}

/// Why several files are not one output.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AssembleError {
    /// No rule says what they would be together.
    #[error(
        "{0} inputs need a folder to be written into; only a TMD model and its TMD ANM make one \
         file"
    )]
    Apart(usize),
    /// Files of other formats cannot be merged.
    #[error("{} cannot be merged: only castle-anim-frames can", .0.title())]
    NotMergeable(Format),
    /// Motion is for one model.
    #[error("{0} of the inputs are models; a motion is for one")]
    Models(usize),
    /// Nothing to join or to write.
    #[error("none of the inputs has motion to write; add a TMD ANM with `--with MOTION.ANM`")]
    NoMotion,
    /// There is no animation of that number.
    #[error("there is no such animation")]
    NoAnimation,
    /// A document cannot be changed as was asked.
    #[error(transparent)]
    Edit(#[from] anim_ir::EditError),
    /// More than the limits allow.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

impl AssembleError {
    /// Whether other files or other options are needed, rather than other content.
    pub const fn is_usage(&self) -> bool {
        matches!(
            self,
            AssembleError::Apart(_) | AssembleError::NotMergeable(_) | AssembleError::Models(_)
        )
    }
}

/// What parts of files can be written to files of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// Each to one file; these are their names.
    Each(Vec<String>),
    /// All together, under one name, in as many files as it takes.
    Packed(String),
}

/// The scene of a part, with the content of its images where the output can contain it.
pub(crate) fn load_part(part: Part<'_>, options: &AssembleOptions) -> Loaded {
    let Part { name, parsed, mut files, .. } = part;
    let settings = &options.settings;
    let mut loaded =
        scene_of(parsed, &mut Context { name: &name, files: files.as_mut(), settings });
    if options.to.takes_images() {
        loaded.losses.append(read_images(&mut loaded.scene, files.as_mut()));
    }
    loaded
}

/// Reports that a file of the output's format is written anew.
pub(crate) fn report_through_scene(losses: &mut Diagnostics) {
    losses.push(&codes::THROUGH_SCENE, None, || {
        "an option asks for a change that goes through a scene, so the file is written anew"
            .to_owned()
    });
}

/// Leaves only the clip or state of that number.
pub(crate) fn keep(
    scene: &mut Scene,
    number: Option<usize>,
    settings: &Settings,
) -> Result<(), AssembleError> {
    let Some(number) = number else { return Ok(()) };
    let playables = scene.playables();
    let (_, playable) = playables.get(number).copied().ok_or(AssembleError::NoAnimation)?;
    Ok(scene.keep(playable, &bake_of(settings))?)
}

/// How states become keys.
pub fn bake_of(settings: &Settings) -> Bake {
    let mut bake = Bake::default();
    bake.limits = settings.limits;
    if let Some(tolerance) = settings.get("tolerance") {
        bake.tolerance = tolerance.number();
    }
    bake
}
