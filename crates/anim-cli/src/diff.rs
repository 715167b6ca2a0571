//! `animfmt diff`

use std::collections::BTreeMap;
use std::io::{self, Write};

use anim_formats::Loaded;
use anim_formats::anim_ir::diag::{escape, plural, quote};
use anim_formats::anim_ir::diff::{Diff, Difference, Gap, Options, Side, diff};
use serde::Serialize;

use crate::args::{Common, DiffArgs};
use crate::fault;
use crate::input::Input;
use crate::status::{Failure, Status};
use crate::term::{FAINT, HEADING, error, print_json, show_path, styled, thousands};
use crate::totals::warn_of_errors;

/// Differences of a kind that are told without `--all`.
const SHOWN: usize = 10;
/// Most that are kept with `--all`: a bound, not a wish.
const ALL: usize = 1_000_000;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    a: String,
    b: String,
    same: bool,
    differences: Vec<DifferenceReport>,
    /// How many there are of each kind; of the differences the first ten of each are listed, with
    /// --all every one.
    counts: BTreeMap<&'static str, usize>,
    compared: Compared,
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
    let inputs = [&args.a, &args.b].map(|path| Input::new(path));
    if let [Input::Stdin, Input::Stdin] = inputs {
        return Ok(Failure::usage("standard input can be read once only").tell());
    }
    let compared = fault::guard(|| {
        let mut loaded = Vec::new();
        for input in inputs {
            loaded.push(
                input
                    .load(&common.load_options())
                    .map_err(|failure| failure.about(input.shown()))?,
            );
        }
        let [a, b] = loaded.as_slice() else {
            return Err(Failure::usage("there are two files to compare"));
        };
        let options = Options::default()
            .with_seconds(args.seconds)
            .with_tolerance(args.tolerance)
            .with_kept(if args.all { ALL } else { SHOWN })
            .with_limits(common.limits());
        let found =
            diff(&a.scene, &b.scene, &options).map_err(|error| Failure::file(error.to_string()))?;
        Ok((found, [a, b].map(|Loaded { diagnostics, .. }| diagnostics.clone())))
    });
    let [a, b] = inputs;
    let (found, diagnostics) = match compared {
        Ok(compared) => compared,
        Err(failure) => {
            error(format_args!("{}: {}", failure.file_or(|| a.shown()), failure.message));
            return Ok(failure.status);
        }
    };
    let status = if found.is_same() { Status::Fine } else { Status::Errors };
    for (input, diagnostics) in inputs.iter().zip(&diagnostics) {
        warn_of_errors(*input, diagnostics);
    }
    let names = names(inputs);
    if common.json {
        let report = Report {
            schema: "animfmt.diff/1",
            a: a.given().into_owned(),
            b: b.given().into_owned(),
            same: found.is_same(),
            differences: found
                .differences
                .iter()
                .map(|difference| DifferenceReport::of(difference, &names))
                .collect(),
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
        print(&found, &names, out)?;
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

fn print(found: &Diff, names: &[String; 2], out: &mut dyn Write) -> io::Result<()> {
    let mut told: BTreeMap<&str, usize> = BTreeMap::new();
    for difference in &found.differences {
        let count = told.entry(difference.kind()).or_default();
        *count = count.saturating_add(1);
        writeln!(out, "{}", message(difference, names))?;
    }
    for (kind, count) in &found.counts {
        let more = count.saturating_sub(told.get(kind).copied().unwrap_or_default());
        if more > 0 {
            writeln!(
                out,
                "{}",
                styled(FAINT, format_args!("… and {} more of: {kind}", thousands(more)))
            )?;
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
    let parts = [
        (found.joints, "joint"),
        (found.clips, "clip"),
        (found.states, "state"),
        (found.events, "event"),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, noun)| plural(*count, noun))
        .collect();
    let in_both = if parts.is_empty() {
        "nothing is in both that could be compared".to_owned()
    } else {
        format!("{} in both", parts.join(", "))
    };
    let between = if found.differences.is_empty() { "" } else { "\n" };
    writeln!(out, "{between}{}: {what}; {in_both}", styled(HEADING, format_args!("{a} and {b}")))?;
    if found.clips_in_part > 0 {
        let clips = plural(found.clips_in_part, "clip");
        writeln!(
            out,
            "{}",
            styled(
                FAINT,
                format_args!(
                    "{clips} not compared at every key, so that this is not certain: it would \
                     take more than the limits allow"
                )
            )
        )?;
    }
    Ok(())
}

/// A difference, for people.
fn message(difference: &Difference, names: &[String; 2]) -> String {
    let [a, b] = names;
    let name = |text: &str| quote(text.as_bytes());
    let file = |side: Side| side.of([a, b]);
    match difference {
        Difference::JointOnly { joint, side } => {
            format!("joint {}: only in {}", name(joint), file(*side))
        }
        Difference::Parent { joint, parents } => {
            let [x, y] = parents
                .each_ref()
                .map(|parent| parent.as_deref().map_or("nothing".to_owned(), name));
            format!("joint {}: hangs from {x} in {a}, from {y} in {b}", name(joint))
        }
        Difference::Rest { joint, gap } => {
            format!("joint {}: another rest pose ({})", name(joint), gap_text(gap))
        }
        Difference::RestVisible { joint, seen_in } => {
            format!("joint {}: at rest seen in {} only", name(joint), file(*seen_in))
        }
        Difference::StateOnly { state, side } => {
            format!("state {}: only in {}", name(state), file(*side))
        }
        Difference::State { state, what } => format!("state {}: another {what}", name(state)),
        Difference::Extras { of, format } => {
            format!("{}: differs in what only {format} knows", escape(of))
        }
        _ => clip_message(difference, names),
    }
}

/// A difference between clips, for people.
fn clip_message(difference: &Difference, names: &[String; 2]) -> String {
    let [a, b] = names;
    let name = |text: &str| quote(text.as_bytes());
    let file = |side: Side| side.of([a, b]);
    match difference {
        Difference::ClipOnly { clip, side } => {
            format!("clip {}: only in {}", name(clip), file(*side))
        }
        Difference::Start { clip, starts: [x, y] } => {
            format!("clip {}: starts at {x} s in {a}, at {y} s in {b}", name(clip))
        }
        Difference::Length { clip, lengths: [x, y] } => {
            format!("clip {}: {} s long in {a}, {} s in {b}", name(clip), short(*x), short(*y))
        }
        Difference::Wrap { clip, wraps: [x, y] } => {
            format!("clip {}: wrap is {} in {a}, {} in {b}", name(clip), x.name(), y.name())
        }
        Difference::EventOnly { clip, event, time, side } => {
            let clip = clip
                .as_deref()
                .map_or("in no clip".to_owned(), |clip| format!("clip {}", name(clip)));
            format!("{clip}: event {} at {} s only in {}", name(event), short(*time), file(*side))
        }
        Difference::KeysOnly { clip, target, count, first, side } => {
            let keys = plural(*count, "key");
            let first = if *count == 1 {
                format!("at {} s", short(*first))
            } else {
                format!("first at {} s", short(*first))
            };
            format!(
                "clip {}: {}: {keys} only in {}, {first}",
                name(clip),
                name(target),
                file(*side)
            )
        }
        Difference::Pose { clip, joint, time, gap } => {
            format!(
                "clip {}: {}: another pose, most at {} s ({})",
                name(clip),
                name(joint),
                short(*time),
                gap_text(gap)
            )
        }
        Difference::Visible { clip, joint, time, seen_in } => {
            format!(
                "clip {}: {}: from {} s on seen in {} only",
                name(clip),
                name(joint),
                short(*time),
                file(*seen_in)
            )
        }
        Difference::Weights { clip, node, time, by } => {
            format!(
                "clip {}: {}: other morph weights, most at {} s (by {})",
                name(clip),
                name(node),
                short(*time),
                short(*by)
            )
        }
        _ => difference.kind().to_owned(),
    }
}

/// `moved by 0.12, turned by 3°`: what there is of it.
fn gap_text(gap: &Gap) -> String {
    // No more than what a wobble in the last digit makes.
    const NOTHING: f64 = 1e-6;
    let parts = [
        (gap.translation, format!("moved by {}", short(gap.translation))),
        (gap.rotation, format!("turned by {}°", short(gap.rotation.to_degrees()))),
        (gap.scale, format!("scaled by {}", short(gap.scale))),
    ];
    parts
        .into_iter()
        .filter(|(by, _)| *by > NOTHING)
        .map(|(_, text)| text)
        .collect::<Vec<_>>()
        .join(", ")
}

/// A number with four digits that mean something.
fn short(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}

impl DifferenceReport {
    fn of(difference: &Difference, names: &[String; 2]) -> DifferenceReport {
        let base = DifferenceReport {
            kind: difference.kind(),
            message: message(difference, names),
            ..DifferenceReport::default()
        };
        let some = |text: &String| Some(text.clone());
        let side = |side: &Side| Some(side.of(["a", "b"]));
        let gap = |gap: &Gap| {
            Some(GapReport {
                translation: gap.translation,
                rotation: gap.rotation,
                scale: gap.scale,
            })
        };
        match difference {
            Difference::JointOnly { joint, side: of } => {
                DifferenceReport { target: some(joint), only_in: side(of), ..base }
            }
            Difference::Parent { joint, .. } => DifferenceReport { target: some(joint), ..base },
            Difference::Rest { joint, gap: of } => {
                DifferenceReport { target: some(joint), gap: gap(of), ..base }
            }
            Difference::RestVisible { joint, seen_in } => {
                DifferenceReport { target: some(joint), only_in: side(seen_in), ..base }
            }
            Difference::ClipOnly { clip, side: of } => {
                DifferenceReport { clip: some(clip), only_in: side(of), ..base }
            }
            Difference::Start { clip, .. }
            | Difference::Length { clip, .. }
            | Difference::Wrap { clip, .. } => DifferenceReport { clip: some(clip), ..base },
            Difference::EventOnly { clip, event, time, side: of } => DifferenceReport {
                clip: clip.clone(),
                event: some(event),
                time: Some(*time),
                only_in: side(of),
                ..base
            },
            Difference::KeysOnly { clip, target, count, first, side: of } => DifferenceReport {
                clip: some(clip),
                target: some(target),
                count: Some(*count),
                time: Some(*first),
                only_in: side(of),
                ..base
            },
            Difference::Pose { clip, joint, time, gap: of } => DifferenceReport {
                clip: some(clip),
                target: some(joint),
                time: Some(*time),
                gap: gap(of),
                ..base
            },
            Difference::Visible { clip, joint, time, seen_in } => DifferenceReport {
                clip: some(clip),
                target: some(joint),
                time: Some(*time),
                only_in: side(seen_in),
                ..base
            },
            Difference::Weights { clip, node, time, .. } => {
                DifferenceReport { clip: some(clip), target: some(node), time: Some(*time), ..base }
            }
            Difference::StateOnly { state, side: of } => {
                DifferenceReport { state: some(state), only_in: side(of), ..base }
            }
            Difference::State { state, .. } => DifferenceReport { state: some(state), ..base },
            Difference::Extras { .. } => base,
            _ => base,
        }
    }
}
