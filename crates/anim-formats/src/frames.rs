//! Converts castle-anim-frames to scenes. `fmt-castle` reads the frames and their times, and
//! `model-x3d` reads their content.

#[cfg(feature = "amo")]
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use anim_ir::address::{is_data, join, relative_path};
use anim_ir::diag::quote;
use anim_ir::format::{Context, Format as _};
use anim_ir::{
    Budget, Clip, Converted, Diagnostics, Limits, Parsed, ResolveError, Resolver, Scene, Span,
    Wrap, merged_name, sort_by,
};
use fmt_castle::{Animation, Content, Document, Merge};
use model_x3d::{FileKind, Frame, FrameReader, Graph, Loader, Still, Take, animate, to_ir_with};

use crate::castle_output::moved_content;
use crate::codes;
use crate::document::problems_of;
use crate::parts::{AssembleError, AssembleOptions, Merged, Part};
use crate::registry::AnyDocument;

/// The extensions of files that the engine accepts as frames but this crate does not support.
const OTHER_KINDS: [&str; 5] = [".3ds", ".dae", ".md3", ".stl", ".iqm"];

/// The files that frames and `Inline` nodes may refer to, besides X3D and VRML.
const KINDS: &[FileKind] = &[
    FileKind {
        extensions: fmt_castle::Castle::INFO.extensions,
        media_types: &["application/x-castle-anim-frames"],
        sniff: fmt_castle::sniff,
        read: first_frame,
    },
    #[cfg(feature = "gltf")]
    FileKind {
        extensions: &["gltf", "glb"],
        media_types: &["model/gltf+json", "model/gltf-binary"],
        sniff: anim_gltf::sniff,
        read: gltf,
    },
    #[cfg(feature = "amo")]
    FileKind {
        extensions: &["obj"],
        media_types: &["model/obj"],
        sniff: fmt_amo::sniff,
        read: obj,
    },
];

/// Returns the first frame of the first animation in a file.
fn first_frame(bytes: Vec<u8>, files: &mut dyn Resolver, limits: &Limits) -> Result<Still, String> {
    let document = Document::parse(bytes).map_err(|error| error.to_string())?.value;
    let first = document.animations().first().and_then(|animation| animation.frames.first());
    match first.map(|frame| &frame.content) {
        Some(Content::Url(url)) => Ok(Still::File(url.clone())),
        Some(Content::X3d(span)) => Ok(Still::X3d {
            text: document.text().to_owned(),
            span: *span,
            namespaces: document.namespaces().to_owned(),
        }),
        Some(Content::Gltf(json)) => gltf(json.clone().into_bytes(), files, limits),
        Some(Content::Missing) | None => Err("it has no frames".to_owned()),
    }
}

#[cfg(feature = "gltf")]
fn gltf(bytes: Vec<u8>, files: &mut dyn Resolver, limits: &Limits) -> Result<Still, String> {
    // Whether a node is a joint must not depend on its transform, which differs between frames.
    let options = anim_gltf::ToIr::default().with_every_node(true);
    // The indices are part of the scene.
    model::<anim_gltf::Gltf>("glTF", bytes, (files, limits), options, |_| 0)
}

#[cfg(not(feature = "gltf"))]
fn gltf(_: Vec<u8>, _: &mut dyn Resolver, _: &Limits) -> Result<Still, String> {
    Err("this program was built without glTF".to_owned())
}

/// Reads an OBJ model, which is an Animated OBJ file without joints.
#[cfg(feature = "amo")]
fn obj(bytes: Vec<u8>, files: &mut dyn Resolver, limits: &Limits) -> Result<Still, String> {
    let options = fmt_amo::ToIr::default();
    model::<fmt_amo::Amo>("OBJ", bytes, (files, limits), options, obj_structure)
}

/// Returns a hash of the numbers of vertices and of the indices in a file. The vertices of a scene
/// are numbered in the order of their use.
#[cfg(feature = "amo")]
fn obj_structure(document: &fmt_amo::Document<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    let counts = [document.positions().len(), document.texcoords().len(), document.normals().len()];
    counts.hash(&mut hasher);
    for (kind, corners) in document.elements() {
        kind.hash(&mut hasher);
        corners.len().hash(&mut hasher);
        corners.for_each(|corner| corner.hash(&mut hasher));
    }
    hasher.finish()
}

/// Reads a model.
#[cfg(any(feature = "gltf", feature = "amo"))]
fn model<F: anim_ir::format::Read>(
    format: &'static str,
    bytes: Vec<u8>,
    (files, limits): (&mut dyn Resolver, &Limits),
    mut options: F::ToIr,
    structure: impl Fn(&F::Document<'_>) -> u64,
) -> Result<Still, String> {
    use anim_ir::Options as _;
    use anim_ir::format::Document as _;
    let mut settings = anim_ir::Settings::default();
    settings.limits = *limits;
    let parsed = F::parse(bytes.into(), &settings.apply()).map_err(|error| error.to_string())?;
    let mut context = Context { name: "", files, settings: &settings };
    *options.limits_mut() = *limits;
    let Converted { value: scene, losses } = F::to_ir(&parsed.value, &options, &mut context);
    let mut problems = parsed.diagnostics;
    problems.append(losses);
    let is_placed = problems.iter().any(|problem| problem.span.is_some());
    let text = if is_placed {
        String::from_utf8_lossy(&parsed.value.text()).into_owned()
    } else {
        String::new()
    };
    let structure = structure(&parsed.value);
    Ok(Still::Model(Box::new(model_x3d::Model { format, scene, structure, problems, text })))
}

/// Converts a scene, including the first frames of the animations that it includes.
pub(crate) fn still_to_scene(
    document: &model_x3d::Document<'_>,
    context: &mut Context<'_>,
) -> Converted<Scene> {
    to_ir_with(document, &context.settings.apply(), context.files, KINDS)
}

/// Converts a document to a scene, including frames in separate files.
pub(crate) fn to_scene(document: &Document<'_>, context: &mut Context<'_>) -> Converted<Scene> {
    let options: fmt_castle::ToIr = context.settings.apply();
    let mut problems = Diagnostics::within(&options.limits);
    let budget = Budget::new(&options.limits, document.text().len());
    let mut reader = Reader {
        document,
        frames: FrameReader::default(),
        loader: Loader::new(context.files, &budget, document.text().len()).with_kinds(KINDS),
        problems: &mut problems,
    };
    let mut takes = Vec::with_capacity(document.animations().len());
    let is_alone = document.animations().len() == 1;
    for animation in document.animations() {
        let frames = animation.frames.iter().filter_map(|frame| {
            let graph = reader.scene(&frame.content, frame.span)?;
            Some(Frame { time: frame.time, graph, span: Some(frame.span) })
        });
        let mut take = Take {
            clip: if is_alone {
                fmt_castle::clip_of_file(animation, context.name)
            } else {
                fmt_castle::clip(animation)
            },
            frames: frames.collect(),
            step: animation.scenes_per_time == 0,
            tolerance: if options.equality_epsilon { animation.equality_epsilon } else { 0.0 },
        };
        match (animation.backwards, options.bake_backwards) {
            (true, true) => bake_backwards(&mut take, animation),
            (true, false) => reader.problems.push(&codes::BACKWARDS, animation.span, || {
                format!(
                    "{} is a ping-pong clip, which most programs play only forwards; append the \
                     way back with `--bake-backwards`",
                    quote(take.clip.name.as_bytes())
                )
            }),
            (false, _) => {}
        }
        takes.push(take);
    }
    let sources = reader.loader.into_sources();
    let made = animate(takes, &context.settings.apply(), &budget, context.files);
    problems.append(made.losses);
    sources.resolve(&mut problems);
    problems.map_spans(|span| document.source_span(span));
    Converted { value: made.value, losses: problems }
}

/// Appends the frames in reverse order, so that the clip no longer needs to be played as ping-pong:
/// it loops or plays once.
fn bake_backwards(take: &mut Take, animation: &Animation) {
    let Some(end) = take.frames.last().map(|frame| frame.time) else { return };
    let back: Vec<Frame> = take
        .frames
        .iter()
        .rev()
        .skip(1)
        .map(|frame| Frame { time: end + (end - frame.time), ..frame.clone() })
        .collect();
    let Clip { start, wrap, extras, .. } = &mut take.clip;
    *wrap = if animation.loops { Wrap::Loop } else { Wrap::Once };
    if let Some(anim_ir::Value::Map(castle)) = extras.get_mut("castle") {
        castle.insert("baked_backwards".to_owned(), true.into());
    }
    take.clip.end = end + (end - *start);
    take.frames.extend(back);
}

struct Reader<'d, 'f> {
    document: &'d Document<'d>,
    frames: FrameReader<'d>,
    loader: Loader<'f>,
    problems: &'d mut Diagnostics,
}

impl Reader<'_, '_> {
    /// Returns the scene of a frame, or `None` if it cannot be read, which is reported.
    fn scene(&mut self, content: &Content, span: anim_ir::Span) -> Option<Arc<Graph>> {
        match content {
            Content::Url(url) => {
                let lower = url.to_ascii_lowercase();
                let mut others = OTHER_KINDS.into_iter().filter(|_| !is_data(url));
                if let Some(kind) = others.find(|kind| lower.ends_with(kind)) {
                    self.problems.push(&codes::FRAME_KIND, span, || {
                        format!(
                            "the frame {} is a {kind} file, but only X3D, VRML, glTF and OBJ \
                             frames are supported",
                            quote(url.as_bytes())
                        )
                    });
                    return None;
                }
                self.loader.load(url, "the frame", Some(span), self.problems)
            }
            Content::X3d(span) => {
                let text = self.document.text().get(span.start..span.end)?;
                let mut graph = self.frames.read(
                    text,
                    span.start,
                    self.document.namespaces(),
                    self.problems,
                )?;
                self.loader.fill(&mut graph, "", self.problems);
                Some(Arc::new(graph))
            }
            Content::Gltf(json) => match self.loader.read_inline(gltf, json.clone().into_bytes()) {
                Ok(model) => self.loader.add_model(model, ("", None), Some(span), self.problems),
                Err(error) => {
                    self.problems.push(&codes::FRAME_GLTF, span, || {
                        format!("the frame's glTF cannot be read: {error}")
                    });
                    None
                }
            },
            Content::Missing => None,
        }
    }
}

/// Returns the files that contain the frames of a document.
pub(crate) fn frame_files(document: &Document<'_>) -> Vec<String> {
    let frames = document.animations().iter().flat_map(|animation| &animation.frames);
    let urls = frames.filter_map(|frame| match &frame.content {
        Content::Url(url) => relative_path(url).ok(),
        _ => None,
    });
    urls.collect()
}

/// Returns the files that a scene includes.
pub(crate) fn inlined_files(document: &model_x3d::Document<'_>) -> Vec<String> {
    let addresses = document.graph().ids().flat_map(|(_, node)| node.inlined());
    addresses.filter_map(|address| relative_path(address).ok()).collect()
}

/// Whether the animations of these files can be merged into one document. A folder of animations
/// often also contains stills, which have nothing to merge.
pub(crate) fn can_merge(parts: &[Part<'_>]) -> bool {
    let is_animation = |part: &Part<'_>| matches!(part.parsed.value, AnyDocument::Castle(_));
    let is_still = |part: &Part<'_>| match &part.parsed.value {
        AnyDocument::X3d(document) => !document.graph().has_sensors(),
        _ => false,
    };
    parts.iter().any(is_animation) && parts.iter().all(|part| is_animation(part) || is_still(part))
}

/// Merges the animations of several files into one document. Also returns which file each part of
/// the result comes from. Stills are reported and skipped.
pub(crate) fn merge<'f>(
    parts: Vec<Part<'f>>,
    options: &AssembleOptions,
) -> Result<Merged<'f>, AssembleError> {
    let settings = &options.settings;
    let mut found = Vec::new();
    let mut documents = Vec::new();
    let mut stills = Diagnostics::new();
    let (mut first, mut files, mut images) = (None, Vec::new(), Vec::new());
    for (number, mut part) in parts.into_iter().enumerate() {
        let mut context = Context { name: &part.name, files: part.files.as_mut(), settings };
        let (scene, _, wrong) = problems_of(&part.parsed.value, &mut context);
        let AnyDocument::Castle(mut document) = part.parsed.value else {
            stills.push(&codes::MERGED_STILL, None, || {
                format!("{} has no motion, so it is not merged", quote(part.name.as_bytes()))
            });
            continue;
        };
        let paths = scene.images.into_iter().filter_map(|image| image.path);
        let paths = paths.filter(|path| !is_data(path));
        images.extend(paths.map(|path| (join(&part.way, &path), number)));
        let mut moves = Diagnostics::new();
        match options.clip_names.get(number) {
            Some(name) => rename(&mut document, name)?,
            None => name_after_file(&mut document, &part.name),
        }
        if !part.way.is_empty() {
            let moved = moved_content(&document, &part.way)?;
            moves = moved.losses;
            document = moved.document.unwrap_or(document);
        }
        found.push((number, [part.parsed.diagnostics, wrong, moves]));
        first.get_or_insert(part.name);
        files.push((part.way.clone(), part.files));
        documents.push((number, document, part.way));
    }
    let inputs: Vec<Merge<'_>> =
        documents.iter().map(|(_, document, folder)| Merge { document, folder }).collect();
    let merged = fmt_castle::merge(&inputs)?;
    let name = first.ok_or(AssembleError::Apart(0))?;
    let numbers = documents.iter().flat_map(|(number, document, _)| {
        std::iter::repeat_n(*number, document.animations().len())
    });
    let animations = merged.value.animations().iter();
    let origins: Vec<(Span, usize)> =
        animations.map(|animation| animation.span).zip(numbers).collect();
    // The first animation of a file in the merged document stands for the file.
    let place_of = |number| {
        let first = origins.partition_point(|(_, of)| *of < number);
        origins.get(first).filter(|(_, of)| *of == number).map(|(place, _)| *place)
    };
    let [mut diagnostics, mut in_frames] = [Diagnostics::new(), Diagnostics::new()];
    let mut losses = stills;
    for (number, problems) in found {
        let [own, wrong, moves] = problems.map(|mut problems| {
            problems.forget_fixes();
            problems.iter_mut().for_each(|problem| problem.span = place_of(number));
            problems
        });
        diagnostics.append(own);
        in_frames.append(wrong);
        losses.append(moves);
    }
    losses.append(merged.losses);
    let images = images.into_iter().filter_map(|(path, of)| Some((path, place_of(of)?)));
    let mut files = MergedFiles { files, images: images.collect() };
    sort_by(&mut files.images, |(a, _), (b, _)| a.cmp(b));
    let parsed = Parsed { value: AnyDocument::Castle(merged.value), diagnostics };
    let part = Part { name, parsed, files: Box::new(files), way: String::new() };
    Ok(Merged { part, losses, origins, in_frames })
}

/// The companion files of merged files.
struct MergedFiles<'f> {
    /// Opens files of several folders, each as allowed for its own folder. Addresses begin with the
    /// path to the folder.
    files: Vec<(String, Box<dyn Resolver + 'f>)>,
    /// The path of each image, sorted, with the span that stands for the file that refers to it.
    images: Vec<(String, Span)>,
}

impl MergedFiles<'_> {
    /// Returns the resolver for an address, and the address relative to its folder.
    fn of<'a>(&mut self, address: &'a str) -> Result<(&mut dyn Resolver, &'a str), ResolveError> {
        let inside = |way: &str| match way {
            "" => Some(address),
            _ => address.strip_prefix(way)?.strip_prefix('/'),
        };
        let found = self.files.iter().enumerate();
        let found = found.filter_map(|(number, (way, _))| Some((number, inside(way)?)));
        // The deepest folder, if one is inside another. Otherwise, the address was in no file's
        // folder to begin with, so any resolver refuses it.
        let (number, address) = found.min_by_key(|(_, rest)| rest.len()).unwrap_or((0, address));
        let (_, files) = self.files.get_mut(number).ok_or(ResolveError::NoFiles)?;
        Ok((files.as_mut(), address))
    }
}

impl Resolver for MergedFiles<'_> {
    fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
        let (files, address) = self.of(address)?;
        files.read(address)
    }

    fn head(&mut self, address: &str, most: usize) -> Result<Vec<u8>, ResolveError> {
        let (files, address) = self.of(address)?;
        files.head(address, most)
    }

    fn exists(&mut self, address: &str) -> bool {
        self.of(address).is_ok_and(|(files, address)| files.exists(address))
    }

    fn way(&mut self, address: &str) -> Option<String> {
        let (files, address) = self.of(address).ok()?;
        files.way(address)
    }

    fn origin(&self, path: &str) -> Option<Span> {
        let place = self.images.partition_point(|(image, _)| image.as_str() < path);
        self.images.get(place).filter(|(image, _)| image == path).map(|(_, span)| *span)
    }

    fn limit(&self) -> usize {
        let limits = self.files.iter().map(|(_, files)| files.limit());
        limits.min().unwrap_or_default()
    }
}

/// Names an animation after its file, if it is the only one in the file and has no name.
fn name_after_file(document: &mut Document<'_>, name: &str) {
    if let [only] = document.animations()
        && only.name == fmt_castle::UNNAMED
        && !name.is_empty()
    {
        // If the name cannot be written, the animation stays unnamed.
        let _ = document.rename(0, name);
    }
}

/// Gives a name to the only animation of a document, or a prefix to several.
fn rename(document: &mut Document<'_>, name: &str) -> Result<(), AssembleError> {
    let old: Vec<String> =
        document.animations().iter().map(|animation| animation.name.clone()).collect();
    for (number, animation) in old.iter().enumerate() {
        document.rename(number, &merged_name(name, animation, old.len()))?;
    }
    Ok(())
}

/// Extracts a single animation of a file as a separate document.
pub(crate) fn one_animation(
    document: &Document<'_>,
    number: usize,
) -> Result<Document<'static>, AssembleError> {
    let part = fmt_castle::single(document, number).ok_or(AssembleError::NoAnimation)?;
    Ok(part?)
}
