//! Scripts: commands at times.
//!
//! A script is read twice: first to report all of its errors, then to play it. Commands are not
//! kept in memory, so that a script costs no more than its text.

use anim_formats::anim_ir::number::narrow;
use anim_formats::anim_ir::{ClipId, JointId, Span, StateId, Vec3, Wrap};
use anim_formats::anim_ir::{diag::quote, nearest_name};
use anim_formats::codes::{PLAY_NAME, PLAY_SYNTAX, PLAY_TIME};

use super::cast::Cast;
use super::problem::Problem;
use super::words::{Word, words};

/// A line of a script.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// In seconds.
    pub(super) time: f64,
    pub(super) command: Command,
    /// The time, and the command with its arguments.
    pub(super) spans: [Span; 2],
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    /// Enters a state at once.
    Enter(StateId),
    Request(StateId),
    /// Requests the state before the current one.
    Leave,
    /// Plays a clip on the lowest layer.
    Play(ClipId, How),
    /// Crossfades the lowest layer to a clip.
    Crossfade {
        clip: ClipId,
        seconds: f64,
        is_synchronised: bool,
        how: How,
    },
    /// Plays a clip on a layer of its own, or changes its weight.
    Layer {
        clip: ClipId,
        weight: Option<f32>,
        fade: f64,
        on: On,
        how: How,
    },
    Stop {
        clip: ClipId,
        fade: f64,
    },
    /// Of a clip, or of the lowest layer.
    Speed(f64, Option<ClipId>),
    Seek(f64, Option<ClipId>),
    /// Takes the motion of a joint out of the poses, with its rotation about an axis.
    Root {
        joint: JointId,
        name: String,
        yaw: Option<Vec3>,
    },
    End,
}

/// How to play a clip; `None` for the default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct How {
    pub(super) wrap: Option<Wrap>,
    pub(super) speed: Option<f64>,
    pub(super) from: Option<f64>,
}

/// What a layer changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct On {
    pub(super) is_additive: bool,
    pub(super) mask: Option<JointId>,
}

/// The commands for files with states, and for others.
const FOR_STATES: [&str; 4] = ["enter", "request", "leave", "end"];
const FOR_CLIPS: [&str; 8] = ["play", "crossfade", "layer", "stop", "speed", "seek", "root", "end"];

/// Reads the lines of a script that contain commands.
pub(super) fn lines<'t>(
    text: &'t str,
    cast: &'t Cast<'_>,
) -> impl Iterator<Item = Result<Line, Problem>> + 't {
    let mut start = text.len().saturating_sub(text.trim_start_matches('\u{feff}').len());
    std::iter::from_fn(move || {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let line = rest.split_inclusive('\n').next().unwrap_or(rest);
        let from = start;
        start = start.saturating_add(line.len());
        Some(line_of(line, from, cast).transpose())
    })
    .flatten()
}

/// Reads a line; `None` if it has no command.
fn line_of(line: &str, start: usize, cast: &Cast<'_>) -> Result<Option<Line>, Problem> {
    let words = words(line, start)?;
    let [time, after @ ..] = words.as_slice() else { return Ok(None) };
    let seconds = number(time).map_err(|problem| {
        problem.help("a line is `TIME COMMAND ARGUMENTS`, with the time in seconds")
    })?;
    if seconds < 0.0 {
        return Err(Problem::new(&PLAY_TIME, time.span, "playback starts at 0 s"));
    }
    let [name, arguments @ ..] = after else {
        return Err(Problem::new(&PLAY_SYNTAX, time.span, "a time without a command"));
    };
    let mut arguments = Arguments { command: name, rest: arguments, cast };
    let command = arguments.whole_command();
    let command = command.map_err(|problem| problem.at((seconds, time.span)))?;
    let end = words.last().unwrap_or(name).span.end;
    let spans = [time.span, Span::new(name.span.start, end)];
    Ok(Some(Line { time: seconds, command, spans }))
}

fn number(word: &Word<'_>) -> Result<f64, Problem> {
    let parsed = word.text.parse::<f64>().ok().filter(|_| !word.is_quoted);
    let number = parsed.ok_or_else(|| {
        let message = format!("expected a number, found {}", quote(word.text.as_bytes()));
        Problem::new(&PLAY_SYNTAX, word.span, message)
    })?;
    if number.is_finite() {
        return Ok(number);
    }
    let message = format!("{} is not finite", quote(word.text.as_bytes()));
    Err(Problem::new(&PLAY_TIME, word.span, message))
}

struct Arguments<'l, 'a> {
    command: &'l Word<'l>,
    rest: &'l [Word<'l>],
    cast: &'l Cast<'a>,
}

impl<'l> Arguments<'l, '_> {
    /// Reads the command, which nothing may follow.
    fn whole_command(&mut self) -> Result<Command, Problem> {
        let command = self.command()?;
        let [extra, ..] = self.rest else { return Ok(command) };
        let message = format!("unexpected argument {}", quote(extra.text.as_bytes()));
        Err(Problem::new(&PLAY_SYNTAX, extra.span, message))
    }

    fn command(&mut self) -> Result<Command, Problem> {
        let name = if self.command.is_quoted { "" } else { &*self.command.text };
        let (own, others): (&[&str], &[&str]) = match self.cast.machine {
            Some(_) => (&FOR_STATES, &FOR_CLIPS),
            None => (&FOR_CLIPS, &FOR_STATES),
        };
        if !own.contains(&name) {
            return Err(self.unknown(own, others));
        }
        Ok(match name {
            "enter" => Command::Enter(self.state()?),
            "request" => Command::Request(self.state()?),
            "leave" => Command::Leave,
            "play" => Command::Play(self.clip()?, self.how(|_| Ok(false))?),
            "crossfade" => {
                let (clip, seconds) = (self.clip()?, self.duration("the duration of the fade")?);
                let mut is_synchronised = false;
                let how = self.how(|arguments| {
                    let is_sync = arguments.keyword("sync");
                    is_synchronised |= is_sync;
                    Ok(is_sync)
                })?;
                Command::Crossfade { clip, seconds, is_synchronised, how }
            }
            "layer" => self.layer()?,
            "stop" => {
                let clip = self.clip()?;
                let fade = if self.keyword("fade") {
                    self.duration("the duration of the fade")?
                } else {
                    0.0
                };
                Command::Stop { clip, fade }
            }
            "speed" => {
                let speed = self.number("a speed")?;
                Command::Speed(speed, self.maybe_clip()?)
            }
            "seek" => {
                let time = self.duration("a time")?;
                Command::Seek(time, self.maybe_clip()?)
            }
            "root" => {
                let name = self.rest.first().map_or(String::new(), |word| word.text.to_string());
                let cast = self.cast;
                let joint = self.named("a joint", |name| cast.joint(cast.skeleton(), name))?;
                let yaw = if self.keyword("yaw") { Some(self.axis()) } else { None };
                Command::Root { joint, name, yaw }
            }
            _ => Command::End,
        })
    }

    fn unknown(&self, own: &[&str], others: &[&str]) -> Problem {
        let given = &*self.command.text;
        let what = quote(given.as_bytes());
        let problem = |message| Problem::new(&PLAY_SYNTAX, self.command.span, message);
        if others.contains(&given) {
            let kind = if self.cast.machine.is_some() {
                "which has states; its commands are"
            } else {
                "which has no states; its commands are"
            };
            let all = own.join(", ");
            return problem(format!("{what} does not apply to this file, {kind} {all}"));
        }
        match nearest_name(given, own.iter().copied()) {
            Some(nearest) => problem(format!("unknown command {what}"))
                .help(format!("did you mean `{nearest}`?")),
            None => problem(format!("unknown command {what}"))
                .help(format!("the commands for this file are {}", own.join(", "))),
        }
    }

    fn word(&mut self, what: &str) -> Result<&'l Word<'l>, Problem> {
        let [word, rest @ ..] = self.rest else {
            let message = format!("{} needs {what}", quote(self.command.text.as_bytes()));
            return Err(Problem::new(&PLAY_SYNTAX, self.command.span, message));
        };
        self.rest = rest;
        Ok(word)
    }

    /// Takes a keyword, if it is next.
    fn keyword(&mut self, keyword: &str) -> bool {
        let [word, rest @ ..] = self.rest else { return false };
        let is_next = !word.is_quoted && word.text == keyword;
        if is_next {
            self.rest = rest;
        }
        is_next
    }

    fn number(&mut self, what: &str) -> Result<f64, Problem> {
        number(self.word(what)?)
    }

    fn duration(&mut self, what: &str) -> Result<f64, Problem> {
        let word = self.word(what)?;
        let seconds = number(word)?;
        if seconds < 0.0 {
            return Err(Problem::new(&PLAY_TIME, word.span, format!("{what} cannot be negative")));
        }
        Ok(seconds)
    }

    fn named<T>(
        &mut self,
        what: &str,
        find: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<T, Problem> {
        let word = self.word(what)?;
        find(&word.text).map_err(|why| Problem::new(&PLAY_NAME, word.span, why))
    }

    fn state(&mut self) -> Result<StateId, Problem> {
        let cast = self.cast;
        self.named("a state", |name| cast.state(name))
    }

    fn clip(&mut self) -> Result<ClipId, Problem> {
        let cast = self.cast;
        self.named("a clip", |name| cast.clip(name))
    }

    fn maybe_clip(&mut self) -> Result<Option<ClipId>, Problem> {
        if self.rest.is_empty() { Ok(None) } else { Ok(Some(self.clip()?)) }
    }

    /// Returns the axis that follows, or y.
    fn axis(&mut self) -> Vec3 {
        if self.keyword("x") {
            Vec3::new(1.0, 0.0, 0.0)
        } else if self.keyword("z") {
            Vec3::new(0.0, 0.0, 1.0)
        } else {
            self.keyword("y");
            Vec3::new(0.0, 1.0, 0.0)
        }
    }

    fn layer(&mut self) -> Result<Command, Problem> {
        let clip = self.clip()?;
        let skeleton = self.cast.skeleton_of(clip);
        let (mut weight, mut fade, mut on) = (None, 0.0, On::default());
        let how = self.how(|arguments| {
            if arguments.keyword("weight") {
                let place = arguments.rest.first().map_or(arguments.command.span, |word| word.span);
                let number = arguments.number("a weight")?;
                if !(0.0..=1.0).contains(&number) {
                    let why = format!("a weight must be from 0 to 1, not {number}");
                    return Err(Problem::new(&PLAY_TIME, place, why));
                }
                weight = Some(narrow(number));
            } else if arguments.keyword("fade") {
                fade = arguments.duration("the duration of the fade")?;
            } else if arguments.keyword("additive") {
                on.is_additive = true;
            } else if arguments.keyword("mask") {
                let cast = arguments.cast;
                let find =
                    |name: &str| cast.joint(skeleton.ok_or("the clip has no skeleton")?, name);
                on.mask = Some(arguments.named("a joint", find)?);
            } else {
                return Ok(false);
            }
            Ok(true)
        })?;
        Ok(Command::Layer { clip, weight, fade, on, how })
    }

    /// Reads how to play a clip, and other options in any order.
    fn how(
        &mut self,
        mut other: impl FnMut(&mut Self) -> Result<bool, Problem>,
    ) -> Result<How, Problem> {
        let mut how = How::default();
        loop {
            if self.keyword("speed") {
                how.speed = Some(self.number("a speed")?);
            } else if self.keyword("from") {
                how.from = Some(self.duration("a time")?);
            } else if let Some((_, wrap)) =
                WRAPS.into_iter().find(|(keyword, _)| self.keyword(keyword))
            {
                how.wrap = Some(wrap);
            } else if !other(self)? {
                return Ok(how);
            }
        }
    }
}

const WRAPS: [(&str, Wrap); 5] = [
    ("once", Wrap::Once),
    ("clamp", Wrap::Once),
    ("loop", Wrap::Loop),
    ("ping-pong", Wrap::PingPong),
    ("ping-pong-once", Wrap::PingPongOnce),
];
