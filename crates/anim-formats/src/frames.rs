//! Converts castle-anim-frames to scenes. `fmt-castle` reads the frames and their times, and
//! `model-x3d` reads their content.

use std::sync::Arc;

use anim_ir::address::{folder_of, join, relative_path};
use anim_ir::diag::quote;
use anim_ir::format::Context;
use anim_ir::{Clip, Converted, Diagnostics, Parsed, Scene, Span, Wrap};
use fmt_castle::{Animation, Content, Document, Merge};
use model_x3d::graph::NodeId;
use model_x3d::{Frame, FrameReader, Graph, Loader, Take, animate};

use crate::codes;
use crate::parts::{AssembleError, Merged, Part};
use crate::registry::AnyDocument;

/// The extensions of files that the engine accepts as frames but this crate does not support.
const OTHER_KINDS: [&str; 8] = [".gltf", ".glb", ".obj", ".3ds", ".dae", ".md3", ".stl", ".iqm"];

/// Returns whether a frame is itself a castle-anim-frames file, judging by its extension.
fn is_animation(url: &str) -> bool {
    let lower = url.to_ascii_lowercase();
    [".castle-anim-frames", ".kanim"].iter().any(|kind| lower.ends_with(kind))
}

/// Converts a document to a scene, including frames in separate files.
pub(crate) fn to_scene(document: &Document<'_>, context: &mut Context<'_>) -> Converted<Scene> {
    let options: fmt_castle::ToIr = context.settings.apply();
    let mut problems = Diagnostics::within(&options.limits);
    let mut reader = Reader {
        document,
        frames: FrameReader::default(),
        loader: Loader::new(context.files, options.limits, document.text().len()),
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
        };
        match (animation.backwards, options.bake_backwards) {
            (true, true) => bake_backwards(&mut take, animation),
            (true, false) => reader.problems.push(&codes::BACKWARDS, animation.span, || {
                format!(
                    "{} is a ping-pong clip, which glTF players do not loop by themselves; append \
                     the way back with `--bake-backwards`",
                    quote(take.clip.name.as_bytes())
                )
            }),
            (false, _) => {}
        }
        takes.push(take);
    }
    let sources = reader.loader.into_sources();
    let made = animate(takes, &context.settings.apply(), context.files);
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
                if let Some(kind) = OTHER_KINDS.into_iter().find(|kind| lower.ends_with(kind)) {
                    let message = || {
                        format!(
                            "the frame {} is a {kind} file, but only X3D and VRML frames are \
                             supported",
                            quote(url.as_bytes())
                        )
                    };
                    self.problems.push(&codes::FRAME_KIND, span, message);
                    return None;
                }
                if is_animation(url) {
                    return self.first_frame(url, span);
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
            Content::Gltf(_) => {
                self.problems.push(&codes::FRAME_KIND, span, || {
                    "the frame is glTF, but only X3D and VRML frames are supported".to_owned()
                });
                None
            }
            Content::Missing => None,
        }
    }

    /// Reads a frame that is itself an animation file. Returns the first frame of its first
    /// animation. Only one level of nesting is supported.
    fn first_frame(&mut self, url: &str, span: anim_ir::Span) -> Option<Arc<Graph>> {
        let mut refuse = |why: String| {
            self.problems.push(&model_x3d::codes::FILE, span, || {
                format!("the frame {} cannot be used: {why}", quote(url.as_bytes()))
            });
            None
        };
        let read = self.loader.read(url).map_err(|error| error.to_string());
        let document = match read.map(Document::parse) {
            Ok(Ok(parsed)) => parsed.value,
            Ok(Err(error)) => return refuse(error.to_string()),
            Err(why) => return refuse(why),
        };
        let folder = folder_of(url);
        match document
            .animations()
            .first()
            .and_then(|animation| animation.frames.first())
            .map(|frame| &frame.content)
        {
            Some(Content::Url(inner)) if is_animation(inner) => {
                refuse("its first frame is another animation".to_owned())
            }
            Some(Content::Url(inner)) => {
                self.loader.load(&join(folder, inner), "the frame", Some(span), self.problems)
            }
            Some(Content::X3d(place)) => {
                let text = document.text().get(place.start..place.end)?;
                let start = self.loader.add_source(url, document.text(), Some(span));
                let start = start.saturating_add(place.start);
                let mut graph = FrameReader::default().read(
                    text,
                    start,
                    document.namespaces(),
                    self.problems,
                )?;
                graph.folders = vec![(NodeId::default(), folder.into())];
                self.loader.fill(&mut graph, folder, self.problems);
                Some(Arc::new(graph))
            }
            Some(Content::Gltf(_)) => refuse("its first frame is glTF".to_owned()),
            Some(Content::Missing) | None => refuse("it has no frames".to_owned()),
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

/// Merges the animations of several files into one document. Also returns which file each part of
/// the result comes from.
pub(crate) fn merge(parts: Vec<Part<'_>>) -> Result<Merged<'_>, AssembleError> {
    let several = parts.len() > 1;
    let mut found = Vec::new();
    let mut documents = Vec::new();
    let mut first = None;
    for part in parts {
        let AnyDocument::Castle(mut document) = part.parsed.value else {
            return Err(AssembleError::NotMergeable(part.parsed.value.format()));
        };
        found.push(part.parsed.diagnostics);
        name_after_file(&mut document, &part.name);
        documents.push((document, part.way));
        first.get_or_insert((part.name, part.files));
    }
    let inputs: Vec<Merge<'_>> =
        documents.iter().map(|(document, folder)| Merge { document, folder }).collect();
    let merged = fmt_castle::merge(&inputs)?;
    let (name, files) = first.ok_or(AssembleError::Apart(0))?;
    let numbers = documents.iter().enumerate().flat_map(|(number, (document, _))| {
        std::iter::repeat_n(number, document.animations().len())
    });
    let animations = merged.value.animations().iter();
    let origins: Vec<(Span, usize)> =
        animations.map(|animation| animation.span).zip(numbers).collect();
    let mut diagnostics = Diagnostics::new();
    for (number, mut own) in found.into_iter().enumerate() {
        // Maps every span in a file to that of the file's first animation in the merged document.
        if several && let Some((place, _)) = origins.iter().find(|(_, of)| *of == number) {
            own.forget_fixes();
            own.map_spans(|_| *place);
        }
        diagnostics.append(own);
    }
    let parsed = Parsed { value: AnyDocument::Castle(merged.value), diagnostics };
    let part = Part { name, parsed, files, way: String::new() };
    Ok(Merged { part, losses: merged.losses, origins })
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

/// Extracts a single animation of a file as a separate document.
pub(crate) fn one_animation(
    document: &Document<'_>,
    number: usize,
) -> Result<Document<'static>, AssembleError> {
    let parts = fmt_castle::split(document)?;
    let part = parts.into_iter().nth(number).map(|(_, part)| part);
    part.ok_or(AssembleError::NoAnimation)
}
