//! `animfmt sample`

use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write};

use anim_formats::anim_ir::diag::escape;
use anim_formats::anim_ir::number::narrow;
use anim_formats::anim_ir::{
    Clip, ClipId, LimitError, Limits, MachineId, Motion, Pose, Sampler, Scene, Skeleton, StateId,
    StatePlayer, Transform,
};
use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};

use crate::args::{Common, SampleArgs};
use crate::clips::pick;
use crate::fault;
use crate::input::Input;
use crate::json;
use crate::status::{Failure, Status};
use crate::term::error;
use crate::totals::warn_of_errors;

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
    let prepared = fault::guard(|| {
        let loaded = input.load(&common.load_options())?;
        let choice = Choice::of(&loaded.scene, args, &common.limits())?;
        Ok((loaded, choice))
    });
    let (loaded, choice) = match prepared {
        Ok(prepared) => prepared,
        Err(Failure { status, message, .. }) => {
            error(format_args!("{}: {message}", input.shown()));
            return Ok(status);
        }
    };
    let status = Status::of(&loaded.diagnostics);
    warn_of_errors(input, &loaded.diagnostics);
    let Some(mut player) = Player::new(&loaded.scene, choice.subject) else {
        error(format_args!("{}: the clip has no skeleton", input.shown()));
        return Ok(Status::Usage);
    };
    if args.csv {
        write_csv(&mut player, &choice.times, out)?;
    } else {
        write_json(&mut player, &choice.times, out)?;
    }
    Ok(status)
}

/// What is sampled, and when.
struct Choice {
    subject: Subject,
    times: Times,
}

/// A clip of the scene, or a state of its machine.
#[derive(Clone, Copy)]
enum Subject {
    Clip(ClipId),
    State(StateId),
}

impl Subject {
    /// By its name: a state where there are states, since each clip is one of them.
    fn pick(scene: &Scene, wanted: Option<&str>) -> Result<Subject, Failure> {
        match scene.machines.first() {
            Some(machine) => {
                let names: Vec<&str> =
                    machine.states.iter().map(|state| state.name.as_str()).collect();
                Ok(Subject::State(StateId::new(pick("state", &names, wanted)?)))
            }
            None => {
                let names: Vec<&str> = scene.clips.iter().map(|clip| clip.name.as_str()).collect();
                Ok(Subject::Clip(ClipId::new(pick("clip", &names, wanted)?)))
            }
        }
    }

    /// When it starts and ends; a state goes on.
    fn range(self, scene: &Scene) -> (f64, f64) {
        match self {
            Subject::Clip(clip) => scene
                .clip(clip)
                .map_or((0.0, 0.0), |clip| (f64::from(clip.start), f64::from(clip.end))),
            Subject::State(state) => {
                let motion = scene.machines.first().and_then(|machine| machine.motion(state));
                let length = match motion {
                    Some(Motion::Clip(clip)) => scene.clip(*clip).map(Clip::duration),
                    Some(Motion::Sequence(sequence)) => Some(sequence.duration()),
                    _ => None,
                };
                (0.0, length.unwrap_or(0.0))
            }
        }
    }

    fn skeleton(self, scene: &Scene) -> Option<&Skeleton> {
        match self {
            Subject::Clip(clip) => Some(scene.motion_of(scene.clip(clip)?)?.1),
            Subject::State(_) => scene.skeleton(scene.machines.first()?.skeleton),
        }
    }
}

impl Choice {
    fn of(scene: &Scene, args: &SampleArgs, limits: &Limits) -> Result<Choice, Failure> {
        let subject = Subject::pick(scene, args.clip.as_deref())?;
        let (start, end) = subject.range(scene);
        let times = match args.fps {
            None => Times::Listed(args.at.clone()),
            Some(rate) => Times::Even { start, end, rate, count: frames(start, end, rate) },
        };
        let found = times.len().saturating_mul(
            subject.skeleton(scene).map_or(1, |skeleton| skeleton.joints.len().max(1)),
        );
        if found > limits.samples {
            let error = LimitError {
                what: "the result",
                unit: "poses of joints",
                found,
                most: limits.samples,
            };
            return Err(Failure::usage(error.to_string()));
        }
        Ok(Choice { subject, times })
    }
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

/// Samples a clip or a state.
struct Player<'a> {
    name: &'a str,
    skeleton: &'a Skeleton,
    playing: Playing<'a>,
    pose: Pose,
}

enum Playing<'a> {
    Clip { clip: &'a Clip, sampler: Sampler<'a> },
    State { player: StatePlayer<'a>, state: StateId },
}

impl<'a> Player<'a> {
    fn new(scene: &'a Scene, subject: Subject) -> Option<Player<'a>> {
        let skeleton = subject.skeleton(scene)?;
        let (name, playing) = match subject {
            Subject::Clip(clip) => {
                let clip = scene.clip(clip)?;
                let (timeline, _) = scene.motion_of(clip)?;
                let sampler = Sampler::for_clip(skeleton, timeline, clip);
                (&clip.name, Playing::Clip { clip, sampler })
            }
            Subject::State(state) => (
                &scene.machines.first()?.state(state)?.name,
                Playing::State { player: StatePlayer::new(scene, MachineId::new(0))?, state },
            ),
        };
        Some(Player { name, skeleton, playing, pose: Pose::default() })
    }

    /// The pose at a time: of a clip, before it that at its start, after it that at its end; of a
    /// state, so long after it was entered.
    fn sample(&mut self, time: f64) -> Sample<'a> {
        match &mut self.playing {
            Playing::Clip { clip, sampler } => sampler
                .sample(time.clamp(f64::from(clip.start), f64::from(clip.end)), &mut self.pose),
            Playing::State { player, state } => {
                player.enter(*state);
                player.advance(time);
                player.pose(&mut self.pose);
            }
        }
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
fn write_json(player: &mut Player<'_>, times: &Times, out: &mut dyn Write) -> io::Result<()> {
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

    let name = player.name;
    let mut serializer = json::compact(&mut *out);
    let mut object = serializer.serialize_map(Some(3))?;
    object.serialize_entry("schema", "animfmt.sample/1")?;
    object.serialize_entry("clip", name)?;
    object.serialize_entry("samples", &Samples(player.into(), times))?;
    SerializeMap::end(object)?;
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
