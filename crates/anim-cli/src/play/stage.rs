//! What a script controls.

use anim_formats::anim_ir::Pose;

use super::log::{Happening, Log, Stop};
use super::script::{Command, Line};

/// A state machine or a mixer of clips that a script plays. Times are in seconds since playback
/// started, and never go back.
pub(super) trait Stage<'a> {
    /// Starts at 0 s. `first` is the first line of the script.
    fn start(&mut self, first: Option<&Line>, log: &mut Log<'_, 'a>) -> Result<(), Stop>;

    /// Carries out a command at the current time.
    fn command(&mut self, command: &Command, log: &mut Log<'_, 'a>) -> Result<(), Stop>;

    /// Plays up to a time.
    fn step(&mut self, to: f64, log: &mut Log<'_, 'a>) -> Result<(), Stop>;

    /// Describes the current time.
    fn place(&mut self, what: &'static str) -> Happening<'a>;

    /// Computes the current pose.
    fn pose(&mut self, pose: &mut Pose);
}

/// Plays a script up to its end, with `frames` poses per second.
pub(super) fn play<'a>(
    stage: &mut dyn Stage<'a>,
    lines: impl Iterator<Item = Line>,
    mut frames: impl Iterator<Item = f64>,
    log: &mut Log<'_, 'a>,
) -> Result<(), Stop> {
    let mut lines = lines.peekable();
    let mut frame = frames.next();
    let mut now = 0.0;
    stage.start(lines.peek(), log)?;
    for line in lines {
        // A frame at the time of a command shows what it changes.
        while let Some(time) = frame.filter(|time| *time < line.time) {
            show(stage, time, log)?;
            frame = frames.next();
        }
        stage.step(line.time, log)?;
        now = line.time;
        stage.command(&line.command, log)?;
    }
    while let Some(time) = frame {
        show(stage, time.min(now), log)?;
        frame = frames.next();
    }
    log.write(&stage.place("end"))
}

fn show<'a>(stage: &mut dyn Stage<'a>, time: f64, log: &mut Log<'_, 'a>) -> Result<(), Stop> {
    stage.step(time, log)?;
    let place = stage.place("frame");
    log.frame(&place, |pose| stage.pose(pose))
}
