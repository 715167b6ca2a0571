//! `animfmt diff`

use std::collections::BTreeMap;
use std::io::{self, Write};

use anim_formats::anim_ir::diag::{escape, plural, quote};
use anim_formats::anim_ir::diff::{Diff, Difference, Gap, Options, Side, diff};
use serde::Serialize;

use crate::args::{Common, DiffArgs};
use crate::fault;
use crate::input::Input;
use crate::status::{Failure, Status};
use crate::term::{FAINT, HEADING, counts, print_json, show_path, styled, thousands};
use crate::totals::warn_of_errors;

/// Differences of a kind that are told without `--all`.
const SHOWN: usize = 10;
/// Most that are kept with `--all`: a bound, not a wish.
const ALL: usize = 1_000_000;
/// What a gap may be without being told: what a wobble in the last digit makes.
const NOTHING: f64 = 1e-6;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    /// Both, in the order of the command line.
    files: [FileReport; 2],
    same: bool,
    differences: Vec<DifferenceReport>,
    /// How many there are of each kind; of the differences the first ten of each are listed, with
    /// --all every one.
    counts: BTreeMap<&'static str, usize>,
    compared: Compared,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
}

/// What is in both files.
#[derive(Serialize)]
struct Compared {
    joints: usize,
    clips: usize,
    states: usize,
    events: usize,
    clips_in_part: usize,
}

#[derive(Default, Serialize)]
struct DifferenceReport {
    kind: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    clip: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    /// A joint, or a node with morph weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<String>,
    /// Which file has it; absent where both have something.
    #[serde(skip_serializing_if = "Option::is_none")]
    only_in: Option<&'static str>,
    /// Seconds from the clip's start.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
    /// Keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<GapReport>,
}

#[derive(Serialize)]
struct GapReport {
    /// In the unit of the files.
    translation: f64,
    /// Radians.
    rotation: f64,
    /// Difference of a factor.
    scale: f64,
}

pub(crate) fn run(args: &DiffArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let inputs @ [a, b] = [&args.a, &args.b].map(|path| Input::new(path));
    if let [Input::Stdin, Input::Stdin] = inputs {
        return Ok(Failure::usage("standard input can be read once only").tell());
    }
    let compared = fault::guard(|| {
        let load = |input: Input<'_>| {
            input.load(&common.load_options()).map_err(|failure| failure.about(input.shown()))
        };
        let [a, b] = [load(a)?, load(b)?];
        let options = Options::default()
            .with_seconds(args.seconds)
            .with_tolerance(args.tolerance)
            .with_kept(if args.all { ALL } else { SHOWN })
            .with_limits(common.limits());
        let found =
            diff(&a.scene, &b.scene, &options).map_err(|error| Failure::file(error.to_string()))?;
        Ok((found, [a.diagnostics, b.diagnostics]))
    });
    let (found, diagnostics) = match compared {
        Ok(compared) => compared,
        Err(failure) => return Ok(failure.tell_of(&a.shown())),
    };
    let status = if found.is_same() { Status::Fine } else { Status::Errors };
    for (input, diagnostics) in inputs.iter().zip(&diagnostics) {
        warn_of_errors(*input, diagnostics);
    }
    let names = names(inputs);
    let differences: Vec<DifferenceReport> = found
        .differences
        .iter()
        .map(|difference| DifferenceReport::of(difference, &names))
        .collect();
    if common.json {
        let report = Report {
            schema: "animfmt.diff/2",
            files: inputs.map(|input| FileReport { file: input.given().into_owned() }),
            same: found.is_same(),
            differences,
            counts: found.counts,
            compared: Compared {
                joints: found.joints,
                clips: found.clips,
                states: found.states,
                events: found.events,
                clips_in_part: found.clips_in_part,
            },
        };
        print_json(out, &report)?;
    } else {
        print(&found, &differences, &names, out)?;
    }
    Ok(status)
}

/// What the files are called: their names without the folders, where that tells them apart.
fn names(inputs: [Input<'_>; 2]) -> [String; 2] {
    let short = inputs.map(|input| match input {
        Input::File(path) => {
            path.file_name().map_or_else(|| input.shown(), |name| show_path(name.as_ref()))
        }
        Input::Stdin => input.shown(),
    });
    let [a, b] = &short;
    if a == b { inputs.map(Input::shown) } else { short }
}

fn print(
    found: &Diff,
    differences: &[DifferenceReport],
    names: &[String; 2],
    out: &mut dyn Write,
) -> io::Result<()> {
    for difference in differences {
        writeln!(out, "{}", difference.message)?;
    }
    for (kind, count) in &found.counts {
        let told = differences.iter().filter(|difference| difference.kind == *kind).count();
        let more = count.saturating_sub(told);
        if more > 0 {
            let more = format_args!("… and {} more of: {kind}", thousands(more));
            writeln!(out, "{}", styled(FAINT, more))?;
        }
    }
    let total = found.counts.values().fold(0_usize, |sum, count| sum.saturating_add(*count));
    let [a, b] = names;
    let what = match total {
        0 if !found.is_same() => "no difference found".to_owned(),
        0 => "no difference".to_owned(),
        1 => "1 difference".to_owned(),
        many => format!("{} differences", thousands(many)),
    };
    let parts = counts([
        (found.joints, "joint", "joints"),
        (found.clips, "clip", "clips"),
        (found.states, "state", "states"),
        (found.events, "event", "events"),
    ]);
    let in_both = if parts.is_empty() {
        "nothing is in both that could be compared".to_owned()
    } else {
        format!("{parts} in both")
    };
    let between = if found.differences.is_empty() { "" } else { "\n" };
    writeln!(out, "{between}{}: {what}; {in_both}", styled(HEADING, format_args!("{a} and {b}")))?;
    if found.clips_in_part > 0 {
        let clips = plural(found.clips_in_part, "clip");
        let unsure = format_args!(
            "{clips} not compared at every key, so that this is not certain: it would take more \
             than the limits allow"
        );
        writeln!(out, "{}", styled(FAINT, unsure))?;
    }
    Ok(())
}

/// A number with four digits that mean something.
fn short(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}

impl DifferenceReport {
    fn of(difference: &Difference, names: &[String; 2]) -> DifferenceReport {
        let mut report =
            DifferenceReport { kind: difference.kind(), ..DifferenceReport::default() };
        let how = report.fill(difference, names);
        let name = |text: &String| quote(text.as_bytes());
        report.message = match &report {
            DifferenceReport { clip: Some(clip), target: Some(target), .. } => {
                format!("clip {}: {}: {how}", name(clip), name(target))
            }
            DifferenceReport { clip: Some(clip), .. } => format!("clip {}: {how}", name(clip)),
            DifferenceReport { state: Some(state), .. } => format!("state {}: {how}", name(state)),
            DifferenceReport { target: Some(joint), .. } => format!("joint {}: {how}", name(joint)),
            DifferenceReport { event: Some(_), .. } => format!("in no clip: {how}"),
            _ => how,
        };
        report
    }

    /// Takes over what differs, and says for people how it does.
    fn fill(&mut self, difference: &Difference, names @ [a, b]: &[String; 2]) -> String {
        match difference {
            Difference::JointOnly { joint, side } => {
                self.target = Some(joint.clone());
                self.only(*side, names)
            }
            Difference::Parent { joint, parents } => {
                self.target = Some(joint.clone());
                let name = |parent: &Option<String>| {
                    parent.as_ref().map_or("nothing".to_owned(), |name| quote(name.as_bytes()))
                };
                let [x, y] = parents.each_ref().map(name);
                format!("hangs from {x} in {a}, from {y} in {b}")
            }
            Difference::Rest { joint, gap } => {
                self.target = Some(joint.clone());
                format!("another rest pose ({})", self.by(gap))
            }
            Difference::RestVisible { joint, seen_in } => {
                self.target = Some(joint.clone());
                format!("at rest {}", self.seen(*seen_in, names))
            }
            Difference::StateOnly { state, side } => {
                self.state = Some(state.clone());
                self.only(*side, names)
            }
            Difference::State { state, what } => {
                self.state = Some(state.clone());
                format!("another {what}")
            }
            Difference::Extras { of, format } => {
                format!("{}: differs in what only {format} knows", escape(of))
            }
            _ => self.fill_clip(difference, names),
        }
    }

    /// The same for differences between clips.
    fn fill_clip(&mut self, difference: &Difference, names @ [a, b]: &[String; 2]) -> String {
        match difference {
            Difference::ClipOnly { clip, side } => {
                self.clip = Some(clip.clone());
                self.only(*side, names)
            }
            Difference::Start { clip, starts: [x, y] } => {
                self.clip = Some(clip.clone());
                format!("starts at {x} s in {a}, at {y} s in {b}")
            }
            Difference::Length { clip, lengths: [x, y] } => {
                self.clip = Some(clip.clone());
                format!("{} s long in {a}, {} s in {b}", short(*x), short(*y))
            }
            Difference::Wrap { clip, wraps: [x, y] } => {
                self.clip = Some(clip.clone());
                format!("wrap is {} in {a}, {} in {b}", x.name(), y.name())
            }
            Difference::EventOnly { clip, event, time, side } => {
                (self.clip, self.event) = (clip.clone(), Some(event.clone()));
                let name = quote(event.as_bytes());
                format!("event {name} at {} {}", self.at(*time), self.only(*side, names))
            }
            Difference::KeysOnly { clip, target, count, first, side } => {
                (self.clip, self.target) = (Some(clip.clone()), Some(target.clone()));
                self.count = Some(*count);
                let (keys, only) = (plural(*count, "key"), self.only(*side, names));
                let at = if *count == 1 { "at" } else { "first at" };
                format!("{keys} {only}, {at} {}", self.at(*first))
            }
            Difference::Pose { clip, joint, time, gap } => {
                (self.clip, self.target) = (Some(clip.clone()), Some(joint.clone()));
                format!("another pose, most at {} ({})", self.at(*time), self.by(gap))
            }
            Difference::Visible { clip, joint, time, seen_in } => {
                (self.clip, self.target) = (Some(clip.clone()), Some(joint.clone()));
                format!("from {} on {}", self.at(*time), self.seen(*seen_in, names))
            }
            Difference::Weights { clip, node, time, by } => {
                (self.clip, self.target) = (Some(clip.clone()), Some(node.clone()));
                format!("other morph weights, most at {} (by {})", self.at(*time), short(*by))
            }
            _ => difference.kind().to_owned(),
        }
    }

    fn only(&mut self, side: Side, [a, b]: &[String; 2]) -> String {
        self.only_in = Some(side.of(["a", "b"]));
        format!("only in {}", side.of([a, b]))
    }

    fn seen(&mut self, side: Side, [a, b]: &[String; 2]) -> String {
        self.only_in = Some(side.of(["a", "b"]));
        format!("seen in {} only", side.of([a, b]))
    }

    fn at(&mut self, time: f64) -> String {
        self.time = Some(time);
        format!("{} s", short(time))
    }

    fn by(&mut self, &Gap { translation, rotation, scale, .. }: &Gap) -> String {
        self.gap = Some(GapReport { translation, rotation, scale });
        let parts = [
            (translation, format!("moved by {}", short(translation))),
            (rotation, format!("turned by {}°", short(rotation.to_degrees()))),
            (scale, format!("scaled by {}", short(scale))),
        ];
        let parts: Vec<String> =
            parts.into_iter().filter(|(by, _)| *by > NOTHING).map(|(_, text)| text).collect();
        parts.join(", ")
    }
}
