//! `animfmt sample`

use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write};

use anim_formats::anim_ir::diag::escape;
use anim_formats::anim_ir::number::narrow;
use anim_formats::anim_ir::{
    Clip, ClipId, LimitError, Limits, MachineId, Motion, Playable, Pose, Sampler, Scene, Skeleton,
    StateId, StatePlayer, Transform,
};
use serde::Serialize;
use serde::ser::{SerializeSeq, Serializer};

use crate::args::{Common, SampleArgs};
use crate::clips::pick_playable;
use crate::fault;
use crate::input::Input;
use crate::json;
use crate::status::{Failure, Status};
use crate::totals::warn_of_errors;

#[derive(Serialize)]
struct Report<'a, S> {
    schema: &'static str,
    files: [FileReport<'a, S>; 1],
}

#[derive(Serialize)]
struct FileReport<'a, S> {
    file: Cow<'a, str>,
    clip: &'a str,
    samples: S,
}

#[derive(Serialize)]
struct Sample<'a> {
    time: f32,
    joints: Vec<JointSample<'a>>,
}

#[derive(Serialize)]
struct JointSample<'a> {
    name: &'a str,
    translation: [f32; 3],
    rotation: [f32; 4],
    scale: [f32; 3],
    visible: bool,
}

pub(crate) fn run(args: &SampleArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let input = Input::new(&args.file);
    let loaded = match fault::guard(|| input.load(&common.load_options())) {
        Ok(loaded) => loaded,
        Err(failure) => return Ok(failure.tell_of(&input.shown())),
    };
    let prepared = fault::guard(|| {
        let player = Player::of(&loaded.scene, args.clip.as_deref())?;
        let times = player.times(args, &common.limits())?;
        Ok((player, times))
    });
    let (mut player, times) = match prepared {
        Ok(prepared) => prepared,
        Err(failure) => return Ok(failure.tell_of(&input.shown())),
    };
    warn_of_errors(input, &loaded.diagnostics);
    if args.csv {
        write_csv(&mut player, &times, out)?;
    } else {
        write_json(input, &mut player, &times, out)?;
    }
    Ok(Status::of(&loaded.diagnostics))
}

/// When to sample.
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
            // Numbers of samples are far below 2^53. The last one may be past the end by a rounding
            // error.
            #[expect(clippy::cast_precision_loss, reason = "see above")]
            Times::Even { start, end, rate, .. } => (start + number as f64 / rate).min(*end),
        })
    }
}

/// How many samples there are from start to end, both included where they are hit.
fn frames(start: f64, end: f64, rate: f64) -> usize {
    // Ends are f32: a thousandth of a frame is for what was rounded off.
    let last = ((end - start) * rate + 1e-3).floor();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates, which the limit catches"
    )]
    let last = last.max(0.0) as usize;
    last.saturating_add(1)
}

/// Makes the pose at a time.
type Play<'a> = Box<dyn FnMut(f64, &mut Pose) + 'a>;

/// Samples a clip or a state.
struct Player<'a> {
    name: &'a str,
    skeleton: &'a Skeleton,
    /// When it starts and ends; a state goes on.
    range: (f64, f64),
    play: Play<'a>,
    pose: Pose,
}

impl<'a> Player<'a> {
    fn of(scene: &'a Scene, wanted: Option<&str>) -> Result<Player<'a>, Failure> {
        match pick_playable(scene, wanted)? {
            Playable::Clip(clip) => Player::of_clip(scene, clip),
            Playable::State { machine, state } => Player::of_state(scene, machine, state),
            _ => None,
        }
        .ok_or_else(|| Failure::usage("the clip has no skeleton"))
    }

    /// Before it starts a clip is as at its start, after it as at its end.
    fn of_clip(scene: &'a Scene, clip: ClipId) -> Option<Player<'a>> {
        let clip = scene.clip(clip)?;
        let (timeline, skeleton) = scene.motion_of(clip)?;
        let range = (f64::from(clip.start), f64::from(clip.end));
        let mut sampler = Sampler::for_clip(skeleton, timeline, clip);
        let play =
            move |time: f64, pose: &mut Pose| sampler.sample(time.clamp(range.0, range.1), pose);
        Some(Player {
            name: &clip.name,
            skeleton,
            range,
            play: Box::new(play),
            pose: Pose::default(),
        })
    }

    /// The time of a state is since it was entered.
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
            skeleton: scene.skeleton(machine.skeleton)?,
            range: (0.0, length.unwrap_or(0.0)),
            play: Box::new(play),
            pose: Pose::default(),
        })
    }

    /// The times that are asked for, unless these are too many poses.
    fn times(&self, args: &SampleArgs, limits: &Limits) -> Result<Times, Failure> {
        let (start, end) = self.range;
        let times = match args.fps {
            None => Times::Listed(args.at.clone()),
            Some(rate) => Times::Even { start, end, rate, count: frames(start, end, rate) },
        };
        let (found, most) =
            (times.len().saturating_mul(self.skeleton.joints.len().max(1)), limits.samples);
        if found > most {
            let error = LimitError { what: "the result", unit: "poses of joints", found, most };
            return Err(Failure::usage(error.to_string()));
        }
        Ok(times)
    }

    fn sample(&mut self, time: f64) -> Sample<'a> {
        (self.play)(time, &mut self.pose);
        let seen = self.pose.effective_visibility(self.skeleton);
        let joints = self.skeleton.enumerate_joints().map(|(id, joint)| {
            let Transform { translation, rotation, scale } = self.pose.local_transform(joint, id);
            JointSample {
                name: &joint.name,
                translation: translation.to_array(),
                rotation: rotation.to_array(),
                scale: scale.to_array(),
                visible: seen.get(id.index()).copied().unwrap_or(true),
            }
        });
        Sample { time: narrow(time), joints: joints.collect() }
    }
}

/// One sample after the other: however many there are, one is in memory.
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

    let clip = player.name;
    let samples = Samples(player.into(), times);
    let files = [FileReport { file: input.given(), clip, samples }];
    Report { schema: "animfmt.sample/2", files }.serialize(&mut json::compact(&mut *out))?;
    writeln!(out)
}

fn write_csv(player: &mut Player<'_>, times: &Times, out: &mut dyn Write) -> io::Result<()> {
    let on_terminal = io::stdout().is_terminal();
    writeln!(out, "time,joint,name,tx,ty,tz,rx,ry,rz,rw,sx,sy,sz,visible")?;
    for time in times.iter() {
        let sample = player.sample(time);
        for (index, JointSample { name, translation, rotation, scale, visible }) in
            sample.joints.iter().enumerate()
        {
            // CSV cannot escape what acts on a terminal; programs get the name as it is.
            let name = if on_terminal { Cow::Owned(escape(name)) } else { Cow::Borrowed(*name) };
            write!(out, "{},{index},{}", sample.time, quoted(&name))?;
            for number in translation.iter().chain(rotation).chain(scale) {
                write!(out, ",{number}")?;
            }
            writeln!(out, ",{visible}")?;
        }
    }
    Ok(())
}

/// A cell of CSV.
fn quoted(name: &str) -> String {
    if name.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
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

    #[test]
    fn cells() {
        assert_eq!(
            ["hip", "a,b", "say \"x\""].map(quoted),
            ["hip", "\"a,b\"", "\"say \"\"x\"\"\""]
        );
    }
}
