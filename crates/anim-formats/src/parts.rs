//! The files that are combined into one output, and the result.

use anim_ir::diag::quote;
use anim_ir::format::Context;
use anim_ir::format::options::Settings;
use anim_ir::{Bake, Diagnostics, LimitError, MergeError, Output, Parsed, Resolver, Scene, Span};
use thiserror::Error;

use crate::codes;
use crate::document::{Loaded, scene_of};
use crate::error::ConvertError;
use crate::images::read_images;
use crate::registry::{AnyDocument, Format};

/// A parsed file and its companion files.
pub struct Part<'f> {
    /// The name of the file, without its extension.
    pub name: String,
    /// The document, and the problems found while parsing it.
    pub parsed: Parsed<AnyDocument<'static>>,
    /// The resolver for companion files.
    pub files: Box<dyn Resolver + 'f>,
    /// The path from the folder of the first part to that of this part, with forward slashes; empty
    /// if they are the same.
    pub way: String,
}

/// Options for [`assemble`](crate::assemble).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AssembleOptions {
    /// The format of the output.
    pub to: Format,
    /// Format-specific options.
    pub settings: Settings,
    /// The path from the folder of the output to that of the first part.
    pub way: String,
    /// Name of the output without its extension.
    pub stem: String,
    /// Whether to go through a scene even if the file could be written unchanged.
    pub needs_scene: bool,
    /// The index of the only animation, clip or state to write ([`Scene::playables`]).
    pub animation: Option<usize>,
    /// Whether to merge the clips of several files with the same skeleton into one file.
    pub merge: bool,
    /// With `merge`: the name of each part's clip; empty to keep the names. If a part has several
    /// clips, it is their prefix.
    pub clip_names: Vec<String>,
    /// The name of the motion to join all motions into; `None` to keep them separate. Only TMD ANM
    /// files can be joined.
    pub join: Option<String>,
}

impl AssembleOptions {
    /// Creates options for writing this format, with defaults for everything else.
    pub fn new(to: Format, settings: Settings) -> AssembleOptions {
        AssembleOptions {
            to,
            settings,
            way: String::new(),
            stem: String::new(),
            needs_scene: false,
            animation: None,
            merge: false,
            clip_names: Vec::new(),
            join: None,
        }
    }
}

/// The result of combining the parts.
#[derive(Debug)]
#[non_exhaustive]
pub struct Assembled {
    /// The content to write.
    pub content: Content,
    /// The part that image paths of the scene are relative to.
    pub images_of: usize,
    /// The problems of each part, and the document that their spans refer to.
    pub parts: Vec<(AnyDocument<'static>, Diagnostics)>,
    /// Losses of the conversion so far.
    pub losses: Diagnostics,
    /// For merged scenes, the losses of each individual part, which are not included in `losses`.
    pub losses_of: Vec<Diagnostics>,
    /// For merged documents, the span of each animation in the merged document and the index of the
    /// part it comes from, in file order. Maps the spans of problems to parts.
    pub origins: Vec<(Span, usize)>,
}

impl Assembled {
    /// Returns the result of combining parts that are not merged.
    pub(crate) fn new(
        content: Content,
        parts: Vec<(AnyDocument<'static>, Diagnostics)>,
        losses: Diagnostics,
    ) -> Assembled {
        let (losses_of, origins) = (Vec::new(), Vec::new());
        Assembled { content, images_of: 0, parts, losses, losses_of, origins }
    }
}

/// Several files merged into a single file.
pub(crate) struct Merged<'f> {
    pub(crate) part: Part<'f>,
    pub(crate) losses: Diagnostics,
    /// Spans of the merged document, and the index of the file each comes from.
    pub(crate) origins: Vec<(Span, usize)>,
    /// The problems that are found by converting each file to a scene.
    pub(crate) in_frames: Diagnostics,
}

/// The content to write.
#[derive(Debug)]
pub enum Content {
    /// A document, unchanged or changed without going through a scene, or the error from the
    /// change.
    Written(Result<Output, ConvertError>),
    /// A scene, to be written in any format.
    Scene(Box<Scene>),
}

/// An error that prevents files from being combined into one output.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AssembleError {
    /// The inputs cannot be combined.
    #[error(
        "{0} inputs need a folder as output; merge the clips of one model with `--merge`; only a \
         TMD model with its TMD ANM, or a model with an STT, are combined without it"
    )]
    Apart(usize),
    /// The skeletons of the inputs differ, so they cannot be merged.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// Frames and files of another format cannot be merged without losing the motion of some.
    #[error(
        "the frames of {} can only be merged with other castle-anim-frames, but {} is {format}; \
         leave it out, or use --from castle to merge only the castle-anim-frames of a folder",
        quote(.frames.as_bytes()),
        quote(.other.as_bytes())
    )]
    Frames {
        /// The name of an input with frames.
        frames: String,
        /// The name of an input in another format.
        other: String,
        /// The format of that input.
        format: &'static str,
    },
    /// Several inputs are models, but motion can only be applied to one.
    #[error("{0} of the inputs are models, but motion can only be applied to one model")]
    Models(usize),
    /// The inputs have no motion to join or write.
    #[error("none of the inputs has motion to write; add a TMD ANM with `--with MOTION.ANM`")]
    NoMotion,
    /// Inputs other than TMD ANM files were to be joined, or files were to be joined and merged.
    #[error(
        "only TMD ANM files can be joined (`--join`); use `--merge` instead to write the clips of \
         other files to one file"
    )]
    NotJoined,
    /// No animation has this index.
    #[error("no such animation")]
    NoAnimation,
    /// A requested change to a document cannot be made.
    #[error(transparent)]
    Edit(#[from] anim_ir::EditError),
    /// The limits are exceeded.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

impl AssembleError {
    /// Returns whether this is a usage error, to be fixed by choosing other files or options.
    pub const fn is_usage(&self) -> bool {
        matches!(
            self,
            AssembleError::Apart(_)
                | AssembleError::Merge(_)
                | AssembleError::Models(_)
                | AssembleError::Frames { .. }
                | AssembleError::NotJoined
        )
    }
}

/// The parts of files that can be written to separate files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// One file for each of these names.
    Each(Vec<String>),
    /// All parts under one name, in as many files as needed.
    Packed(String),
}

/// Loads the scene of a part, including the content of its images if the output can embed them.
pub(crate) fn load_part(part: Part<'_>, options: &AssembleOptions) -> Loaded {
    let Part { name, parsed, mut files, .. } = part;
    let settings = &options.settings;
    let mut loaded =
        scene_of(parsed, &mut Context { name: &name, files: files.as_mut(), settings });
    if options.to.holds_ping_pong() {
        loaded.losses = loaded.losses.partition(|code| code.id == codes::BACKWARDS.id).1;
    }
    if options.to.takes_images() {
        loaded.losses.append(read_images(&mut loaded.scene, files.as_mut()));
    }
    loaded
}

/// Reports that a file is converted through a scene although it is already in the output format.
pub(crate) fn report_through_scene(losses: &mut Diagnostics) {
    losses.push(&codes::THROUGH_SCENE, None, || {
        "an option may change the content, so the file is rewritten, without its comments and \
         layout"
            .to_owned()
    });
}

/// Reports that a file is converted through a scene because the paths in it change.
pub(crate) fn report_elsewhere(losses: &mut Diagnostics) {
    losses.push(&codes::THROUGH_SCENE, None, || {
        "the output is in another folder, so its paths change and the file is rewritten, without \
         its comments and layout"
            .to_owned()
    });
}

/// Keeps only the clip or state with this index.
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

/// Returns the options for converting states to keys.
pub fn bake_of(settings: &Settings) -> Bake {
    let mut bake = Bake::default();
    bake.limits = settings.limits;
    if let Some(tolerance) = settings.get("tolerance") {
        bake.tolerance = tolerance.number();
    }
    bake
}
