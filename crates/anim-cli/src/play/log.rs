//! The log of what happens: as text, JSON or CSV, written as it happens.

use std::io::{self, Write};

use anim_formats::anim_ir::diag::escape;
use anim_formats::anim_ir::{Budget, LimitError, Pose, Quat, Vec3};
use serde::Serialize;

use crate::json;
use crate::poses::{Poses, ROW_BYTES, Sample, cell};
use crate::status::Failure;

/// Something that happens.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Happening<'a> {
    /// Seconds since playback started.
    pub(super) time: f64,
    pub(super) what: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clip: Option<&'a str>,
    /// The number of a key of the state, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<usize>,
    /// During a morph, the next key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<usize>,
    /// How much of the morph has passed, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) progress: Option<f64>,
    /// The time on the clock of the state or clip, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock: Option<f64>,
    /// The answer to a request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<&'static str>,
    /// How long it takes until a request is granted, a key ends or a fade ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) event: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) weight: Option<f32>,
    /// The root motion so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) root: Option<Moved>,
    /// The line of the log.
    pub(super) text: String,
}

/// How the object has moved.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Moved {
    translation: [f32; 3],
    rotation: [f32; 4],
}

impl Moved {
    pub(super) fn new(translation: Vec3, rotation: Quat) -> Moved {
        Moved { translation: translation.to_array(), rotation: rotation.to_array() }
    }
}

/// A frame, with its pose.
#[derive(Serialize)]
struct Frame<'a> {
    #[serde(flatten)]
    happening: &'a Happening<'a>,
    #[serde(flatten)]
    pose: Posed<'a>,
}

/// A pose, without its time.
#[derive(Serialize)]
struct Posed<'a> {
    pose: Sample<'a>,
}

/// Why playback stops early.
#[derive(Debug)]
pub(super) enum Stop {
    Io(io::Error),
    Limit(LimitError),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Io(error)
    }
}

impl From<LimitError> for Stop {
    fn from(error: LimitError) -> Stop {
        Stop::Limit(error)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Text,
    Json,
    /// A row for each happening.
    Csv,
    /// A row for each joint in each frame.
    CsvPoses,
}

pub(super) struct Log<'o, 'a> {
    out: &'o mut dyn Write,
    style: Style,
    poses: Poses<'a>,
    pose: Pose,
    /// Pays for lines, so that playback ends even if very much happens.
    budget: Budget,
    is_first: bool,
}

/// What surrounds the log in JSON.
#[derive(Serialize)]
pub(super) struct Head<'a> {
    pub(super) file: &'a str,
    pub(super) script: &'a str,
}

/// How many items cost as much as formatting a line.
const LINE: usize = 4;

const SCHEMA: &str = "animfmt.play/1";

impl<'o, 'a> Log<'o, 'a> {
    pub(super) fn start(
        out: &'o mut dyn Write,
        style: Style,
        head: &Head<'_>,
        (poses, budget): (Poses<'a>, Budget),
    ) -> io::Result<Log<'o, 'a>> {
        match style {
            Style::Text => {}
            Style::Json => {
                write!(out, "{{\"schema\":\"{SCHEMA}\",\"files\":[{{\"file\":")?;
                head.file.serialize(&mut json::compact(&mut *out))?;
                write!(out, ",\"script\":")?;
                head.script.serialize(&mut json::compact(&mut *out))?;
                write!(out, ",\"relative_to\":\"{}\",\"morph_targets\":", poses.relative_to())?;
                poses.morphing.serialize(&mut json::compact(&mut *out))?;
                write!(out, ",\"log\":[")?;
            }
            Style::Csv => writeln!(
                out,
                "time,what,state,clip,key,next,progress,clock,answer,seconds,event,weight,text"
            )?,
            Style::CsvPoses => poses.write_csv_head(out)?,
        }
        Ok(Log { out, style, poses, pose: Pose::default(), budget, is_first: true })
    }

    /// Writes what happens.
    pub(super) fn write(&mut self, happening: &Happening<'_>) -> Result<(), Stop> {
        self.charge(LINE)?;
        match self.style {
            Style::Text => self.line(happening)?,
            Style::Json => self.entry(happening)?,
            Style::Csv => self.row(happening)?,
            Style::CsvPoses => {}
        }
        Ok(())
    }

    /// Writes a frame. `pose` computes its pose.
    pub(super) fn frame(
        &mut self,
        happening: &Happening<'_>,
        pose: impl FnOnce(&mut Pose),
    ) -> Result<(), Stop> {
        // Frames have been paid for.
        match self.style {
            Style::Text => self.line(happening)?,
            Style::Csv => self.row(happening)?,
            Style::Json => {
                pose(&mut self.pose);
                let pose = Posed { pose: self.poses.sample(happening.time, &self.pose) };
                self.entry(&Frame { happening, pose })?;
            }
            Style::CsvPoses => {
                pose(&mut self.pose);
                let sample = self.poses.sample(happening.time, &self.pose);
                self.poses.write_csv(&sample, self.out)?;
            }
        }
        Ok(())
    }

    /// Charges the work for a number of items.
    pub(super) fn charge(&self, items: usize) -> Result<(), Stop> {
        Ok(self.budget.charge("the happenings", items.saturating_mul(ROW_BYTES))?)
    }

    fn line(&mut self, happening: &Happening<'_>) -> io::Result<()> {
        // Texts contain names from the file.
        writeln!(self.out, "{:.3} s  {}", happening.time, escape(&happening.text))
    }

    fn entry(&mut self, entry: &impl Serialize) -> io::Result<()> {
        write!(self.out, "{}", if self.is_first { "\n" } else { ",\n" })?;
        self.is_first = false;
        Ok(entry.serialize(&mut json::compact(&mut *self.out))?)
    }

    fn row(&mut self, happening: &Happening<'_>) -> io::Result<()> {
        fn shown(value: Option<impl ToString>) -> String {
            value.map_or(String::new(), |value| value.to_string())
        }
        let Happening { time, what, state, clip, key, next, progress, clock, .. } = happening;
        let Happening { answer, seconds, event, weight, text, .. } = happening;
        let [state, clip, event] = [state, clip, event].map(|name| cell(name.unwrap_or_default()));
        writeln!(
            self.out,
            "{time},{what},{state},{clip},{},{},{},{},{},{},{event},{},{}",
            shown(*key),
            shown(*next),
            shown(*progress),
            shown(*clock),
            shown(*answer),
            shown(*seconds),
            shown(*weight),
            cell(text)
        )
    }

    /// Ends the log, or reports why it is incomplete.
    pub(super) fn end(self, stopped: Result<(), Stop>) -> io::Result<Result<(), Failure>> {
        let result = match stopped {
            Ok(()) => Ok(()),
            Err(Stop::Io(error)) => return Err(error),
            Err(Stop::Limit(error)) => Err(Failure::usage(format!("playback is cut off: {error}"))),
        };
        if self.style == Style::Json {
            write!(self.out, "\n]")?;
            if let Err(failure) = &result {
                write!(self.out, ",\"error\":")?;
                failure.message.serialize(&mut json::compact(&mut *self.out))?;
            }
            writeln!(self.out, "}}]}}")?;
        }
        Ok(result)
    }
}

/// The JSON for a script that was not played.
#[derive(Serialize)]
pub(super) struct Failed<'a, D> {
    pub(super) schema: &'static str,
    pub(super) files: [FailedFile<'a, D>; 1],
}

#[derive(Serialize)]
pub(super) struct FailedFile<'a, D> {
    file: &'a str,
    script: &'a str,
    error: &'a str,
    /// The errors of the script.
    diagnostics: D,
}

impl<'a, D> Failed<'a, D> {
    pub(super) fn new(head: &Head<'a>, error: &'a str, diagnostics: D) -> Failed<'a, D> {
        let Head { file, script } = *head;
        Failed { schema: SCHEMA, files: [FailedFile { file, script, error, diagnostics }] }
    }
}
