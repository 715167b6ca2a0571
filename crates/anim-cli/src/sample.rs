//! `animfmt sample`

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::LazyLock;

use anim_formats::anim_ir::diag::{quote, seconds};
use anim_formats::anim_ir::number::narrow;
use anim_formats::anim_ir::{
    Budget, Clip, ClipId, Limits, MachineId, Motion, Playable, Pose, Sampler, Scene, Skeleton,
    StateId, StatePlayer, Target,
};
use serde::Serialize;
use serde::ser::{SerializeSeq, Serializer};

use crate::args::{Common, SampleArgs};
use crate::fault;
use crate::input::Input;
use crate::json;
use crate::options::warn_of_useless;
use crate::poses::{Morphing, Poses, Sample, frames};
use crate::status::{Fail as _, Failure, Status};
use crate::tally::warn_of_errors;
use crate::term::{print_json, print_note};
use anim_viewer::Combination;
use anim_viewer::pick_playable;

/// The skeleton for clips of scenes without joints.
static NO_SKELETON: LazyLock<Skeleton> = LazyLock::new(Skeleton::default);

#[derive(Serialize)]
struct Report<F> {
    schema: &'static str,
    files: [F; 1],
}

/// A file that could not be sampled.
#[derive(Serialize)]
struct FailedFile<'a> {
    file: Cow<'a, str>,
    error: &'a str,
}

#[derive(Serialize)]
struct FileReport<'a, S> {
    file: Cow<'a, str>,
    clip: &'a str,
    /// What the transforms are relative to: `parent` or `model`.
    relative_to: &'static str,
    morph_targets: Vec<Morphing<'a>>,
    samples: S,
}

pub(crate) fn run(args: &SampleArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let input = Input::new(&args.file);
    let mut loaded = match fault::guard(|| input.load(&common.load_options())) {
        Ok(loaded) => loaded,
        Err(failure) => return fail(&failure, input, args, common, out),
    };
    let combined = fault::guard(|| combine(&mut loaded.scene, &args.clip, &common.limits()));
    let prepared = fault::guard(|| {
        let playable = match combined? {
            Some(clip) => Playable::Clip(clip),
            None => pick_playable(&loaded.scene, args.clip.first().map(String::as_str))?,
        };
        let mut player = Player::of(&loaded.scene, playable)?;
        player.poses.show(&args.joint, args.world)?;
        let times = player.times(args, &Budget::for_scene(&common.limits(), &loaded.scene))?;
        Ok((player, times))
    });
    warn_of_errors(input, &loaded.diagnostics);
    let read = Status::of(&loaded.diagnostics);
    let (mut player, times) = match prepared {
        Ok(prepared) => prepared,
        Err(failure) => {
            let failed = fail(&failure, input, args, common, out)?;
            // Errors in the file may be the cause, so they determine the status.
            return Ok(if read == Status::Fine { failed } else { read });
        }
    };
    if let Some(note) = player.still.note(player.name) {
        print_note(note);
    }
    warn_of_useless(common.given(), &HashSet::from([loaded.document.format()]), None);
    if let Some(note) = player.note_outside(&times) {
        print_note(note);
    }
    if args.csv {
        write_csv(&mut player, &times, out)?;
    } else {
        write_json(input, &mut player, &times, out)?;
    }
    Ok(read)
}

/// Adds a clip that plays several clips at once.
fn combine(
    scene: &mut Scene,
    clips: &[String],
    limits: &Limits,
) -> Result<Option<ClipId>, Failure> {
    if clips.len() < 2 {
        return Ok(None);
    }
    let combination = Combination { name: clips.join("+"), clips: clips.to_vec() };
    let budget = Combination::budget(limits, scene);
    combination.add_to(scene, &budget).map(Some)
}

/// Reports that there are no samples, with --json also as JSON.
fn fail(
    failure: &Failure,
    input: Input<'_>,
    args: &SampleArgs,
    common: &Common,
    out: &mut dyn Write,
) -> io::Result<Status> {
    if common.json && !args.csv {
        let files = [FailedFile { file: input.given(), error: &failure.message }];
        print_json(out, &Report { schema: "animfmt.sample/2", files })?;
    }
    Ok(failure.report_for(&input.shown()))
}

/// The times to sample.
enum Times {
    Listed(Vec<f64>),
    Even { start: f64, end: f64, rate: f64, count: usize },
}

impl Times {
    fn len(&self) -> usize {
        match self {
            Times::Listed(times) => times.len(),
            Times::Even { count, .. } => *count,
        }
    }

    fn iter(&self) -> impl Iterator<Item = f64> {
        (0..self.len()).map(move |number| match self {
            Times::Listed(times) => times.get(number).copied().unwrap_or_default(),
            // The number of samples is far below 2^53. A rounding error may put the last sample
            // past the end.
            #[expect(clippy::cast_precision_loss, reason = "see above")]
            Times::Even { start, end, rate, .. } => (start + number as f64 / rate).min(*end),
        })
    }
}

/// Computes the pose at a given time.
type Play<'a> = Box<dyn FnMut(f64, &mut Pose) + 'a>;

/// The parts of a clip that do not move.
#[derive(Clone, Copy)]
enum Still {
    /// Joints move, or it is unknown whether they do.
    Nothing,
    Joints,
    All,
}

impl Still {
    fn of(scene: &Scene, clip: &Clip) -> Still {
        let tracks = scene.timeline(clip.timeline).into_iter().flat_map(|found| found.tracks());
        let moved: Vec<Target> =
            tracks.map(|track| track.target).filter(|target| clip.has_target(*target)).collect();
        if moved.is_empty() {
            Still::All
        } else if moved.iter().any(|target| matches!(target, Target::Joint(_))) {
            Still::Nothing
        } else {
            Still::Joints
        }
    }

    fn note(self, clip: &str) -> Option<String> {
        let clip = shown_clip(clip);
        match self {
            Still::Nothing => None,
            Still::Joints => Some(format!("{clip} animates only morph weights, no joints")),
            Still::All => Some(format!("{clip} animates nothing; printing the rest pose")),
        }
    }
}

/// The name of a clip for messages.
fn shown_clip(name: &str) -> String {
    if name.is_empty() { "this clip".to_owned() } else { quote(name.as_bytes()) }
}

/// Samples a clip or a state.
struct Player<'a> {
    name: &'a str,
    still: Still,
    /// The start and end, in seconds; a state can be sampled past its end.
    range: (f64, f64),
    /// Whether times are clamped to the range.
    is_clamped: bool,
    play: Play<'a>,
    pose: Pose,
    poses: Poses<'a>,
}

impl<'a> Player<'a> {
    fn of(scene: &'a Scene, playable: Playable) -> Result<Player<'a>, Failure> {
        match playable {
            Playable::Clip(clip) => Player::of_clip(scene, clip),
            Playable::State { machine, state } => Player::of_state(scene, machine, state),
            _ => None,
        }
        .ok_or_else(|| Failure::usage("the state has no skeleton"))
    }

    /// Returns a player for a clip. Times are clamped to the clip's range.
    fn of_clip(scene: &'a Scene, clip: ClipId) -> Option<Player<'a>> {
        let clip = scene.clip(clip)?;
        let timeline = scene.timeline(clip.timeline)?;
        let skeleton = scene.skeleton(timeline.skeleton).unwrap_or(&NO_SKELETON);
        let range = (f64::from(clip.start), f64::from(clip.end));
        let mut sampler = Sampler::for_clip(skeleton, timeline, clip);
        let play =
            move |time: f64, pose: &mut Pose| sampler.sample(time.clamp(range.0, range.1), pose);
        Some(Player {
            name: &clip.name,
            still: Still::of(scene, clip),
            range,
            is_clamped: true,
            play: Box::new(play),
            pose: Pose::default(),
            poses: Poses::new(scene, skeleton),
        })
    }

    /// Returns a player for a state. Times are measured from when the state is entered.
    fn of_state(scene: &'a Scene, machine: MachineId, state: StateId) -> Option<Player<'a>> {
        let mut player = StatePlayer::new(scene, machine)?;
        let machine = scene.machine(machine)?;
        let length = match machine.motion(state) {
            Some(Motion::Clip(clip)) => scene.clip(*clip).map(Clip::duration),
            Some(Motion::Sequence(sequence)) => Some(sequence.duration()),
            _ => None,
        };
        let play = move |time: f64, pose: &mut Pose| {
            player.enter(state);
            player.advance(time);
            player.pose(pose);
        };
        Some(Player {
            name: &machine.state(state)?.name,
            still: Still::Nothing,
            range: (0.0, length.unwrap_or(0.0)),
            is_clamped: false,
            play: Box::new(play),
            pose: Pose::default(),
            poses: Poses::new(scene, scene.skeleton(machine.skeleton)?),
        })
    }

    /// Returns the requested times, unless sampling them would exceed the limits.
    fn times(&self, args: &SampleArgs, budget: &Budget) -> Result<Times, Failure> {
        let (start, end) = self.range;
        let times = match args.fps {
            None => Times::Listed(args.at.clone()),
            Some(rate) => Times::Even { start, end, rate, count: frames(start, end, rate) },
        };
        self.poses.charge(times.len(), budget)?;
        Ok(times)
    }

    /// Notes that times outside a clip give its first or last pose.
    fn note_outside(&self, times: &Times) -> Option<String> {
        let Times::Listed(times) = times else { return None };
        let (start, end) = self.range;
        // The range is in f32.
        let is_outside = |time: f64| narrow(time) < narrow(start) || narrow(time) > narrow(end);
        let is_clamped = self.is_clamped && times.iter().copied().any(is_outside);
        is_clamped.then(|| {
            let name = shown_clip(self.name);
            format!(
                "{name} lasts from {} to {}; times outside it get its nearest pose",
                seconds(start),
                seconds(end)
            )
        })
    }

    fn sample(&mut self, time: f64) -> Sample<'a> {
        (self.play)(time, &mut self.pose);
        self.poses.sample(time, &self.pose)
    }
}

/// Writes the samples as JSON, holding only one sample in memory at a time.
fn write_json(
    input: Input<'_>,
    player: &mut Player<'_>,
    times: &Times,
    out: &mut dyn Write,
) -> io::Result<()> {
    struct Samples<'p, 'a>(std::cell::RefCell<&'p mut Player<'a>>, &'p Times);

    impl Serialize for Samples<'_, '_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut list = serializer.serialize_seq(Some(self.1.len()))?;
            for time in self.1.iter() {
                list.serialize_element(&self.0.borrow_mut().sample(time))?;
            }
            SerializeSeq::end(list)
        }
    }

    let (clip, morph_targets) = (player.name, player.poses.morphing.clone());
    let relative_to = player.poses.relative_to();
    let samples = Samples(player.into(), times);
    let files = [FileReport { file: input.given(), clip, relative_to, morph_targets, samples }];
    Report { schema: "animfmt.sample/2", files }.serialize(&mut json::compact(&mut *out))?;
    writeln!(out)
}

fn write_csv(player: &mut Player<'_>, times: &Times, out: &mut dyn Write) -> io::Result<()> {
    player.poses.write_csv_head(out)?;
    for time in times.iter() {
        let sample = player.sample(time);
        player.poses.write_csv(&sample, out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_from_start_to_end() {
        let even = |start: f32, end: f32, rate: f64| {
            let (start, end) = (f64::from(start), f64::from(end));
            let times = Times::Even { start, end, rate, count: frames(start, end, rate) };
            times.iter().map(narrow).collect::<Vec<f32>>()
        };
        assert_eq!(even(0.0, 0.7, 10.0), [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
        assert_eq!(even(-0.5, 0.6, 2.0), [-0.5, 0.0, 0.5]);
        assert_eq!(even(1.0, 1.0, 24.0), [1.0]);
        assert_eq!(frames(0.0, 3e38, 1e300), usize::MAX);
    }
}
