//! Draws pictures and loops of a scene, and sheets of its clips.

use std::rc::Rc;

use anim_formats::anim_ir::diag::seconds;
use anim_formats::anim_ir::number::narrow;
use anim_formats::anim_ir::{
    Budget, Diagnostics, LimitError, Limits, Playable, Scene, nearest_name,
};
use anim_preview::{
    Camera, EncodeError, Moment, Picture, PreviewOptions, SheetRow, Stage, View, animated_png,
    contact_sheet, gif,
};

use super::frames::Frames;
use crate::render_arguments::{Kind, RenderArgs};
use crate::status::Failure;
use crate::term::{count as counted, show_name};
use anim_viewer::pick_playable;

/// The size of pictures.
const SIZE: (u32, u32) = (480, 360);
/// The size of pictures on a sheet.
const CELL: (u32, u32) = (240, 180);
/// How many times of a clip a sheet shows.
const TIMES: u8 = 6;
/// The bytes that are charged for the work of reducing a colour to the palette of a GIF.
const WORK_PER_COLOR: usize = 64;
/// The bytes of a pixel on a sheet: in the picture, and on the sheet.
const BYTES_PER_PIXEL: usize = 8;

/// Draws a file: one moment, a sheet of clips, or a loop. Also returns what is not drawn as in the
/// file.
pub(super) fn draw(
    scene: &Scene,
    args: &RenderArgs,
    kind: Kind,
    limits: Limits,
    threads: Option<usize>,
) -> Result<(Vec<u8>, Diagnostics), Failure> {
    let is_loop = matches!(kind, Kind::Apng | Kind::Gif);
    let is_sheet = !is_loop && args.at.is_none() && !scene.playables().is_empty();
    let options = options(args, if is_sheet { CELL } else { SIZE }, limits, threads);
    let mut easel = Easel::new(scene, args, &options)?;
    if is_loop {
        let playable = pick_playable(scene, args.clip.as_deref())?;
        let frames = Frames::of(scene, playable, args.fps, &options)?;
        let (bytes, shown) = easel.animation(playable, frames, kind)?;
        let mut losses = easel.stage.losses().clone();
        losses.append(shown.losses());
        return Ok((bytes, losses));
    }
    let picture = if is_sheet {
        easel.sheet(args.clip.as_deref(), &limits)?
    } else if scene.playables().is_empty() && args.clip.is_none() {
        easel.picture(None, 0.0)?
    } else {
        let playable = pick_playable(scene, args.clip.as_deref())?;
        let at = args.at.unwrap_or_default();
        easel.picture(Some(playable), since_start(scene, playable, at)?)?
    };
    Ok((picture.to_png().map_err(failed)?, easel.stage.losses().clone()))
}

/// Draws a file for a sheet of files: the middle of its first clip, or its rest pose.
pub(super) fn cell(scene: &Scene, args: &RenderArgs, limits: Limits) -> Result<Picture, Failure> {
    let options = options(args, CELL, limits, Some(1));
    let playable = scene.playables().first().map(|(_, playable)| *playable);
    let middle = playable.map_or(0.0, |playable| scene.duration_of(playable) / 2.0);
    Easel::new(scene, args, &options)?.picture(playable, middle)
}

fn options(
    args: &RenderArgs,
    size: (u32, u32),
    limits: Limits,
    threads: Option<usize>,
) -> PreviewOptions {
    let (width, height) = args.size.unwrap_or(size);
    let options = PreviewOptions::default()
        .with_size(width, height)
        .with_threads(threads)
        .with_limits(limits);
    match args.background {
        Some(background) => options.with_background(background),
        None => options,
    }
}

/// Where pictures are taken from.
enum Eye {
    View(View),
    /// A camera of the scene, which may be animated.
    Camera(String),
}

/// A stage with a camera.
struct Easel<'a> {
    scene: &'a Scene,
    stage: Stage<'a>,
    eye: Eye,
    size: (u32, u32),
    /// The budget for drawing all pictures.
    work: Rc<Budget>,
}

impl<'a> Easel<'a> {
    fn new(
        scene: &'a Scene,
        args: &RenderArgs,
        options: &PreviewOptions,
    ) -> Result<Easel<'a>, Failure> {
        // Only the size of the pictures counts.
        let stage = Stage::new(scene, options).map_err(|why| Failure::usage(why.to_string()))?;
        let eye = eye(&stage, args.camera.as_deref())?;
        let work = Rc::new(Budget::for_scene(&options.limits, scene));
        Ok(Easel { scene, stage, eye, size: options.size, work })
    }

    /// Returns the camera for a clip or state.
    fn camera(&self, playable: Option<Playable>, moment: Moment) -> Result<Camera, LimitError> {
        let framed = |view| self.stage.camera_within(view, playable, &self.work);
        match &self.eye {
            Eye::View(view) => framed(*view),
            Eye::Camera(name) => match self.stage.scene_camera(name, moment) {
                Some(camera) => Ok(camera),
                None => framed(View::ThreeQuarter),
            },
        }
    }

    /// Draws a clip or state at a time in seconds from its start.
    fn picture(&mut self, playable: Option<Playable>, seconds: f64) -> Result<Picture, Failure> {
        let moment = playable.map_or(Moment::Rest, |playable| Moment::of(playable, seconds));
        let camera = self.camera(playable, moment).map_err(limited)?;
        self.stage.draw_within(moment, &camera, &self.work).map_err(limited)
    }

    /// Draws a row for each clip or state, or for one of them.
    fn sheet(&mut self, wanted: Option<&str>, limits: &Limits) -> Result<Picture, Failure> {
        let mut playables = self.scene.playables();
        if wanted.is_some() {
            let picked = pick_playable(self.scene, wanted)?;
            playables.retain(|(_, playable)| *playable == picked);
        }
        let times = |(_, playable): &(_, Playable)| {
            if self.scene.duration_of(*playable) > 0.0 { usize::from(TIMES) } else { 1 }
        };
        let count = playables.iter().map(times).fold(0, usize::saturating_add);
        charge_sheet(&Budget::for_scene(limits, self.scene), self.size, count)
            .map_err(Failure::file)?;
        let mut rows = Vec::new();
        for (name, playable) in playables {
            let duration = self.scene.duration_of(playable);
            let start = start(self.scene, playable);
            let framed = self.camera(Some(playable), Moment::of(playable, 0.0)).map_err(limited)?;
            let times = if duration > 0.0 { TIMES } else { 1 };
            let mut pictures = Vec::new();
            for number in 0..times {
                let part = f64::from(number) / f64::from(TIMES.saturating_sub(1).max(1));
                let moment = Moment::of(playable, duration * part);
                let camera = match self.eye {
                    Eye::View(_) => framed,
                    Eye::Camera(_) => self.camera(Some(playable), moment).map_err(limited)?,
                };
                let drawn = self.stage.draw_within(moment, &camera, &self.work);
                let picture = drawn.map_err(limited)?;
                pictures.push((seconds(narrow(start + duration * part)), picture));
            }
            rows.push(SheetRow { label: show_name(name), pictures });
        }
        contact_sheet(&rows, limits).map_err(limited)
    }

    /// Draws a loop. Also returns its frames.
    fn animation(
        &mut self,
        playable: Playable,
        mut frames: Frames,
        kind: Kind,
    ) -> Result<(Vec<u8>, Frames), Failure> {
        let framed = self.camera(Some(playable), Moment::of(playable, 0.0)).map_err(limited)?;
        let work = Rc::clone(&self.work);
        let mut draw = |seconds: f64| {
            let moment = Moment::of(playable, seconds);
            let camera = match self.eye {
                Eye::View(_) => framed,
                Eye::Camera(_) => self.camera(Some(playable), moment)?,
            };
            let picture = self.stage.draw_within(moment, &camera, &self.work)?;
            if kind == Kind::Gif {
                let work = picture.gif_colors().saturating_mul(WORK_PER_COLOR);
                self.work.charge_work("the colours of pictures", work)?;
            }
            Ok(picture)
        };
        let mut error = None;
        let mut first = Some(frames.fit(&work, &mut draw)?);
        let pictures = (0..frames.count).map(|number| {
            let drawn = match first.take() {
                Some(first) => Ok(first),
                None => draw(frames.time(number)),
            };
            // A picture without pixels ends the animation.
            drawn.unwrap_or_else(|why| {
                error = Some(why);
                Picture::default()
            })
        });
        let encoded = match kind {
            Kind::Gif => gif(pictures, frames.rate),
            _ => animated_png(pictures, frames.rate),
        };
        match error {
            Some(error) => Err(limited(error)),
            None => Ok((encoded.map_err(failed)?, frames)),
        }
    }
}

/// Returns where pictures are taken from: a camera of the scene or, if it has none of this name, a
/// view.
fn eye(stage: &Stage<'_>, wanted: Option<&str>) -> Result<Eye, Failure> {
    const VIEWS: [(&str, View); 3] =
        [("front", View::Front), ("side", View::Side), ("top", View::Top)];
    let Some(wanted) = wanted else { return Ok(Eye::View(View::ThreeQuarter)) };
    if stage.scene_cameras().any(|name| name == wanted) {
        return Ok(Eye::Camera(wanted.to_owned()));
    }
    if let Some((_, view)) = VIEWS.iter().find(|(name, _)| *name == wanted) {
        return Ok(Eye::View(*view));
    }
    let names = || stage.scene_cameras().chain(VIEWS.iter().map(|(name, _)| *name));
    let meant = nearest_name(wanted, names());
    let meant =
        meant.map_or(String::new(), |name| format!(" (did you mean `{}`?)", show_name(name)));
    let all: Vec<String> = names().take(20).map(show_name).collect();
    Err(Failure::usage(format!(
        "no such camera: `{}`{meant}; available cameras: {}",
        show_name(wanted),
        all.join(", ")
    )))
}

/// Charges the pictures of a sheet, which are all kept until it is complete.
fn charge_sheet(budget: &Budget, size: (u32, u32), count: usize) -> Result<(), String> {
    let pixels = (size.0 as usize).saturating_mul(size.1 as usize);
    let bytes = pixels.saturating_mul(count).saturating_mul(BYTES_PER_PIXEL);
    budget.charge("the pictures of the sheet", bytes).map_err(|error| {
        let pictures = counted(count, "picture", "pictures");
        format!("{error}; it has {pictures}, which are smaller with --size")
    })
}

/// Charges the pictures of a sheet of files.
pub(super) fn charge_cells(
    args: &RenderArgs,
    limits: &Limits,
    files: usize,
) -> Result<(), Failure> {
    let budget = Budget::for_scene(limits, &Scene::default());
    charge_sheet(&budget, args.size.unwrap_or(CELL), files).map_err(Failure::usage)
}

/// Returns a time in seconds from the start of a clip or state. Times of a clip are those of its
/// timeline, as in `sample`.
fn since_start(scene: &Scene, playable: Playable, at: f64) -> Result<f64, Failure> {
    let start = start(scene, playable);
    let end = start + scene.duration_of(playable);
    // A state continues past the end of its motion. The range of a clip is in f32.
    let is_clip = matches!(playable, Playable::Clip(_));
    if narrow(at) < narrow(start) || (is_clip && narrow(at) > narrow(end)) {
        let range = match is_clip {
            true => format!("it lasts from {} to {}", seconds(start), seconds(end)),
            false => "its times start at 0 s".to_owned(),
        };
        let what = if is_clip { "clip" } else { "state" };
        return Err(Failure::usage(format!("--at {at} is outside of the {what}: {range}")));
    }
    Ok(at - start)
}

/// Returns when a clip starts on its timeline; 0 for a state.
fn start(scene: &Scene, playable: Playable) -> f64 {
    match playable {
        Playable::Clip(clip) => scene.clip(clip).map_or(0.0, |clip| clip.start.into()),
        _ => 0.0,
    }
}

/// A limit that the content of a file exceeds.
pub(super) fn limited(error: LimitError) -> Failure {
    Failure::file(error.to_string())
}

pub(super) fn failed(error: EncodeError) -> Failure {
    Failure::usage(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use anim_formats::anim_ir::{Clip, Skeleton, Timeline};

    #[test]
    fn a_sheet_of_very_many_clips_is_refused_before_it_is_drawn() {
        let mut scene = Scene::default();
        scene.add_skeleton(Skeleton::default());
        scene.add_timeline(Timeline::default());
        scene.clips = vec![Clip { end: 1.0, ..Clip::default() }; 1000];
        let options = PreviewOptions::default().with_size(CELL.0, CELL.1);
        let stage = Stage::new(&scene, &options).unwrap();
        let eye = Eye::View(View::ThreeQuarter);
        let work = Rc::new(Budget::for_scene(&Limits::default(), &scene));
        let mut easel = Easel { scene: &scene, stage, eye, size: CELL, work };
        let error = easel.sheet(None, &Limits::default()).unwrap_err().message;
        assert!(
            error.starts_with("the pictures of the sheet need a memory limit of at least "),
            "{error}"
        );
        assert!(error.ends_with("it has 6000 pictures, which are smaller with --size"), "{error}");
        assert!(easel.sheet(Some("#3"), &Limits::default()).is_ok());
    }

    #[test]
    fn times_outside_of_a_clip_are_refused() {
        let mut scene = Scene::default();
        let clip = Playable::Clip(scene.add_clip(Clip { start: 1.0, end: 3.0, ..Clip::default() }));
        assert_eq!(since_start(&scene, clip, 2.5), Ok(1.5));
        let error = since_start(&scene, clip, 0.5).unwrap_err().message;
        assert_eq!(error, "--at 0.5 is outside of the clip: it lasts from 1 s to 3 s");
    }
}
