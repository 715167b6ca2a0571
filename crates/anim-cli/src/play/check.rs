//! Checks a whole script before anything is played.

use std::collections::BTreeSet;

use anim_formats::anim_ir::diag::{quote, seconds};
use anim_formats::anim_ir::{ClipId, Diagnostics, Limits, SkeletonId, Span};
use anim_formats::codes::{PLAY_NAME, PLAY_SYNTAX, PLAY_TIME};

use super::cast::Cast;
use super::problem::Problem;
use super::script::{Command, Line, lines};

/// The number of errors after which the rest of a script is not checked.
pub(super) const MOST: u64 = 1000;

/// What is known about a script after reading it.
pub(super) struct Checked {
    /// Empty if the script can be played.
    pub(super) problems: Diagnostics,
    /// The time of the last line.
    pub(super) end: f64,
    /// The skeleton of the clips that the script plays.
    pub(super) skeleton: Option<SkeletonId>,
}

pub(super) fn check(text: &str, cast: &Cast<'_>) -> Checked {
    let limits = Limits { diagnostics: MOST, ..Limits::default() };
    let mut problems = Diagnostics::within(&limits);
    let mut found = 0;
    let mut so_far = SoFar::default();
    for line in lines(text, cast) {
        let time = match &line {
            Ok(line) => Some((line.time, line.spans[0])),
            Err(problem) => problem.time,
        };
        let at = time.map_or(Ok(()), |(time, span)| so_far.pass(time, span));
        let checked = line.and_then(|line| so_far.add(&line, cast));
        so_far.is_unsure |= checked.is_err();
        for problem in [at, checked].into_iter().filter_map(Result::err) {
            problems.report(problem.code, || problem.into_diagnostic());
            found += 1;
        }
        if found >= MOST {
            break;
        }
    }
    Checked { problems, end: so_far.time, skeleton: so_far.skeleton }
}

/// What has happened before a line.
#[derive(Default)]
struct SoFar {
    time: f64,
    has_ended: bool,
    /// Whether a line before has an error, so that it is unknown what plays.
    is_unsure: bool,
    has_changed_state: bool,
    lowest: Option<ClipId>,
    layers: BTreeSet<ClipId>,
    skeleton: Option<SkeletonId>,
}

impl SoFar {
    /// Passes on to the time of a line.
    fn pass(&mut self, time: f64, span: Span) -> Result<(), Problem> {
        if time < self.time {
            let (own, before) = (seconds(time), seconds(self.time));
            let message = format!("times must not go back: {own} after {before}");
            return Err(Problem::new(&PLAY_TIME, span, message));
        }
        self.time = time;
        Ok(())
    }

    fn add(&mut self, line: &Line, cast: &Cast<'_>) -> Result<(), Problem> {
        let [_, command] = line.spans;
        if self.has_ended {
            return Err(Problem::new(&PLAY_SYNTAX, command, "a command after the end"));
        }
        match &line.command {
            Command::Enter(_) | Command::Request(_) => self.has_changed_state = true,
            Command::Leave if !self.has_changed_state && !self.is_unsure => {
                return Err(Problem::new(&PLAY_SYNTAX, command, "no state to leave for")
                    .help("`leave` requests the state before the current one; use `request`"));
            }
            Command::Leave => {}
            Command::Play(clip, _) => {
                self.in_skeleton(*clip, cast, command)?;
                self.lowest = Some(*clip);
            }
            Command::Crossfade { clip, .. } => {
                self.in_skeleton(*clip, cast, command)?;
                self.needs_lowest(command)?;
                self.lowest = Some(*clip);
            }
            Command::Layer { clip, .. } => {
                self.in_skeleton(*clip, cast, command)?;
                self.layers.insert(*clip);
            }
            Command::Stop { clip, .. } => {
                self.needs(*clip, cast, command)?;
                if !self.layers.remove(clip) {
                    self.lowest = None;
                }
            }
            Command::Speed(_, clip) | Command::Seek(_, clip) => match clip {
                Some(clip) => self.needs(*clip, cast, command)?,
                None => self.needs_lowest(command)?,
            },
            Command::Root { .. } => self.needs_lowest(command)?,
            Command::End => self.has_ended = true,
        }
        Ok(())
    }

    /// All clips must move the same skeleton.
    fn in_skeleton(&mut self, clip: ClipId, cast: &Cast<'_>, span: Span) -> Result<(), Problem> {
        let own = cast.skeleton_of(clip);
        if *self.skeleton.get_or_insert(own.unwrap_or_default()) != own.unwrap_or_default() {
            return Err(Problem::new(
                &PLAY_NAME,
                span,
                "the clip moves another skeleton than those before",
            ));
        }
        Ok(())
    }

    fn needs_lowest(&self, span: Span) -> Result<(), Problem> {
        if self.lowest.is_some() || self.is_unsure {
            return Ok(());
        }
        Err(Problem::new(&PLAY_SYNTAX, span, "no clip is playing").help("start one with `play`"))
    }

    fn needs(&self, clip: ClipId, cast: &Cast<'_>, span: Span) -> Result<(), Problem> {
        if self.lowest == Some(clip) || self.layers.contains(&clip) || self.is_unsure {
            return Ok(());
        }
        let name = cast.scene.clip(clip).map_or("", |clip| &clip.name);
        Err(Problem::new(&PLAY_NAME, span, format!("{} is not playing", quote(name.as_bytes()))))
    }
}
