//! `animfmt diff`

mod report;

use std::collections::HashSet;
use std::io::{self, Write};

use anim_formats::anim_ir::diag::{escape, plural, quote};
use anim_formats::anim_ir::diff::{Attribute, Diff, Difference, Gap, Options, Side, diff};
use anim_formats::anim_ir::{Diagnostics, Topology};
use anim_formats::codes::NORMALS_FIXED;
use anim_formats::{Format, Loaded, read_images};

use self::report::{Compared, DifferenceReport, Failed, FileReport, GapReport, Report, Unread};
use crate::args::{Aspect, Common, DiffArgs};
use crate::fault;
use crate::input::{Input, short_names};
use crate::options::warn_of_useless;
use crate::status::{Failure, Status};
use crate::term::{
    FAINT, HEADING, Verbosity, count, counts, print_json, print_note, styled, thousands, verbosity,
};
use crate::totals::warn_of_errors;

/// The number of differences of each kind that are shown without `--all`.
const SHOWN: usize = 10;
/// The maximum number of differences of each kind that are kept with `--all`.
const ALL: usize = 1_000_000;
/// Components of a gap up to this size are not shown, since they are rounding errors.
const NOTHING: f64 = 1e-6;

pub(crate) fn run(args: &DiffArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let inputs @ [a, b] = [&args.a, &args.b].map(|path| Input::new(path));
    if let [Input::Stdin, Input::Stdin] = inputs {
        return Ok(Failure::usage("standard input can be read only once").report());
    }
    let compared = fault::guard(|| compare(inputs, args, common));
    let Comparison { found, diagnostics, repaired, unread, formats } = match compared {
        Ok(compared) => compared,
        Err(failure) => {
            let status = failure.report_for(&a.shown());
            if common.json {
                print_json(out, &Failed::of(inputs, failure))?;
            }
            return Ok(status);
        }
    };
    let formats = HashSet::from(formats);
    warn_of_useless(common.given(), &formats, None);
    let is_rotated = args.ignore_rotation && found.rotated.is_some();
    let same = (found.is_same() || is_rotated)
        && !is_nothing(&found)
        && unread.iter().all(|unread| !unread.has_errors());
    let status = if same { Status::Fine } else { Status::Errors };
    for (input, diagnostics) in inputs.iter().zip(&diagnostics) {
        warn_of_errors(*input, diagnostics);
    }
    let [of_a, of_b] = repaired;
    note_repairs(a, of_a);
    note_repairs(b, of_b);
    let names =
        <[String; 2]>::try_from(short_names(&inputs)).unwrap_or_else(|_| inputs.map(Input::shown));
    let differences: Vec<DifferenceReport> = found
        .differences
        .iter()
        .map(|difference| DifferenceReport::of(difference, &names))
        .collect();
    if common.json {
        let report = Report {
            schema: "animfmt.diff/2",
            files: {
                let [unread_a, unread_b] = unread;
                [FileReport::of(a, of_a, unread_a), FileReport::of(b, of_b, unread_b)]
            },
            same,
            rotated: found.rotated,
            tolerance: args.tolerance,
            seconds: args.seconds,
            differences,
            compared: Compared::of(&found),
            counts: found.counts,
        };
        print_json(out, &report)?;
    } else if verbosity() > Verbosity::Quiet {
        print(&found, &differences, (&names, args), out)?;
        for (name, unread) in names.iter().zip(&unread) {
            if let Some(line) = unread.line(name) {
                writeln!(out, "{line}")?;
            }
        }
    }
    Ok(status)
}

/// The result of a comparison, and what was found on reading the files.
struct Comparison {
    found: Diff,
    diagnostics: [Diagnostics; 2],
    /// The number of meshes whose normals were repaired.
    repaired: [u64; 2],
    unread: [Unread; 2],
    formats: [Format; 2],
}

fn compare(
    inputs: [Input<'_>; 2],
    args: &DiffArgs,
    common: &Common,
) -> Result<Comparison, Failure> {
    let compares = |aspect| args.only.is_empty() || args.only.contains(&aspect);
    let load = |input: Input<'_>| -> Result<Loaded, Failure> {
        let about = |failure: Failure| failure.about(input.shown());
        let load_options = common.load_options();
        let mut loaded = input.load(&load_options).map_err(about)?;
        if compares(Aspect::Materials) {
            let mut files = input.files(&load_options).map_err(about)?;
            loaded.losses.append(read_images(&mut loaded.scene, files.as_mut()));
        }
        Ok(loaded)
    };
    let [a, b] = inputs;
    let [a, b] = [load(a)?, load(b)?];
    let options = Options::default()
        .with_motion(compares(Aspect::Motion))
        .with_shapes(compares(Aspect::Shapes))
        .with_materials(compares(Aspect::Materials))
        .with_seconds(args.seconds)
        .with_tolerance(args.tolerance)
        .with_kept(if args.all { ALL } else { SHOWN })
        .with_limits(common.limits());
    let found =
        diff(&a.scene, &b.scene, &options).map_err(|error| Failure::file(error.to_string()))?;
    Ok(Comparison {
        found,
        repaired: [&a, &b].map(|loaded| loaded.losses.count(&NORMALS_FIXED)),
        formats: [&a, &b].map(|loaded| loaded.document.format()),
        unread: [&a, &b].map(Unread::of),
        diagnostics: [a.diagnostics, b.diagnostics],
    })
}

/// Notes that meshes of a file are compared with repaired normals.
fn note_repairs(input: Input<'_>, repaired: u64) {
    if repaired > 0 {
        print_note(format_args!(
            "{}: the normals of {} were repaired for the comparison, as `convert` does; use \
             --normals keep to compare the original normals",
            input.shown(),
            count(repaired, "mesh", "meshes")
        ));
    }
}

fn print(
    found: &Diff,
    differences: &[DifferenceReport],
    (names, args): (&[String; 2], &DiffArgs),
    out: &mut dyn Write,
) -> io::Result<()> {
    let [a, b] = names;
    // A rotation explains all differences, so they are not listed.
    if let Some(angle) = found.rotated {
        let how = if angle == 180 { "" } else { ", as between y up and z up" };
        return writeln!(
            out,
            "{b} equals {a} rotated by {angle}° about x{how}; nothing else differs"
        );
    }
    for difference in differences {
        writeln!(out, "{}", difference.message)?;
    }
    for (kind, count) in &found.counts {
        let shown = differences.iter().filter(|difference| difference.kind == *kind).count();
        let more = count.saturating_sub(shown);
        if more > 0 {
            let more = format_args!("… and {} more ({kind})", thousands(more));
            writeln!(out, "{}", styled(FAINT, more))?;
        }
    }
    let tolerance = args.tolerance;
    let total = found.counts.values().fold(0_usize, |sum, count| sum.saturating_add(*count));
    let what = match total {
        0 if !found.is_same() => "no differences found".to_owned(),
        0 => "no differences".to_owned(),
        1 => "1 difference".to_owned(),
        many => format!("{} differences", thousands(many)),
    };
    let parts = counts([
        (found.joints, "joint", "joints"),
        (found.clips, "clip", "clips"),
        (found.states, "state", "states"),
        (found.events, "event", "events"),
        (found.shapes, "shape", "shapes"),
        (found.materials, "material", "materials"),
    ]);
    let mut in_both = if parts.is_empty() {
        "nothing in common to compare".to_owned()
    } else {
        format!("{parts} in both")
    };
    match found.joints_as_nodes {
        0 => {}
        1 => in_both.push_str("; 1 other joint is a mesh node in the other file"),
        many => in_both.push_str(&format!(
            "; {} other joints are mesh nodes in the other file",
            thousands(many)
        )),
    }
    if is_nothing(found) {
        return writeln!(
            out,
            "{}: nothing to compare: neither file has {}",
            styled(HEADING, format_args!("{a} and {b}")),
            aspects(&args.only)
        );
    }
    let between = if found.differences.is_empty() { "" } else { "\n" };
    writeln!(
        out,
        "{between}{}: {what} (tolerance {tolerance}); {in_both}",
        styled(HEADING, format_args!("{a} and {b}"))
    )?;
    for (number, thing, how) in [
        (found.clips_in_part, "clip", "only partly compared"),
        (found.shapes_in_part, "shape", "not compared"),
    ] {
        if number > 0 {
            let things = plural(number, thing);
            let unsure = format_args!("{things} {how}: a full comparison would exceed the limits");
            writeln!(out, "{}", styled(FAINT, unsure))?;
        }
    }
    Ok(())
}

/// Whether neither file has anything that was to be compared.
fn is_nothing(found: &Diff) -> bool {
    let Diff { joints, joints_as_nodes, clips, states, events, shapes, materials, .. } = *found;
    let sizes = [joints, joints_as_nodes, clips, states, events, shapes, materials];
    found.is_same() && sizes == [0; 7]
}

/// Lists what is compared: `motion, shapes or materials`.
fn aspects(only: &[Aspect]) -> String {
    let all =
        [(Aspect::Motion, "motion"), (Aspect::Shapes, "shapes"), (Aspect::Materials, "materials")];
    let compared = all.iter().filter(|(aspect, _)| only.is_empty() || only.contains(aspect));
    let names: Vec<&str> = compared.map(|(_, name)| *name).collect();
    match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        names => names.concat(),
    }
}

/// Rounds a number to four significant digits.
fn short(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}

/// Formats a number of vertices: `1 vertex`, `2 vertices`.
fn vertices(count: usize) -> String {
    format!("{} {}", thousands(count), if count == 1 { "vertex" } else { "vertices" })
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
            DifferenceReport { shape: Some(shape), target: Some(target), .. } => {
                format!("shape {}: morph target {}: {how}", name(shape), name(target))
            }
            DifferenceReport { shape: Some(shape), .. } => format!("shape {}: {how}", name(shape)),
            DifferenceReport { material: Some(material), .. } => {
                format!("material {}: {how}", name(material))
            }
            DifferenceReport { target: Some(joint), .. } => format!("joint {}: {how}", name(joint)),
            DifferenceReport { event: Some(_), .. } => format!("outside all clips: {how}"),
            _ => how,
        };
        report
    }

    /// Fills in the fields for a difference, and returns its description.
    fn fill(&mut self, difference: &Difference, names @ [a, b]: &[String; 2]) -> String {
        match difference {
            Difference::JointOnly { joint, side } => {
                self.target = Some(joint.clone());
                self.only(*side, names)
            }
            Difference::Parent { joint, parents } => {
                self.target = Some(joint.clone());
                let name = |parent: &Option<String>| {
                    parent.as_ref().map_or("none".to_owned(), |name| quote(name.as_bytes()))
                };
                let [x, y] = parents.each_ref().map(name);
                format!("parent is {x} in {a}, {y} in {b}")
            }
            Difference::Rest { joint, gap } => {
                self.target = Some(joint.clone());
                format!("rest pose differs ({})", self.gap(gap))
            }
            Difference::RestVisible { joint, seen_in } => {
                self.target = Some(joint.clone());
                format!("{} in the rest pose", self.visible(*seen_in, names))
            }
            Difference::StateOnly { state, side } => {
                self.state = Some(state.clone());
                self.only(*side, names)
            }
            Difference::State { state, what } => {
                self.state = Some(state.clone());
                format!("{what} differs")
            }
            Difference::Extras { of, format } => {
                format!("{}: {format} data differs", escape(of))
            }
            _ => self.fill_clip(difference, names),
        }
    }

    /// Implements [`fill`](Self::fill) for differences between clips.
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
                format!("event {name} at {} {}", self.moment(*time), self.only(*side, names))
            }
            Difference::KeysOnly { clip, target, count, first, side } => {
                (self.clip, self.target) = (Some(clip.clone()), Some(target.clone()));
                self.count = Some(*count);
                let (keys, only) = (plural(*count, "key"), self.only(*side, names));
                let at = if *count == 1 { "at" } else { "first at" };
                format!("{keys} {only}, {at} {}", self.moment(*first))
            }
            Difference::Pose { clip, joint, time, gap } => {
                (self.clip, self.target) = (Some(clip.clone()), Some(joint.clone()));
                format!("pose differs most at {} ({})", self.moment(*time), self.gap(gap))
            }
            Difference::Visible { clip, joint, time, seen_in } => {
                (self.clip, self.target) = (Some(clip.clone()), Some(joint.clone()));
                format!("{} from {} on", self.visible(*seen_in, names), self.moment(*time))
            }
            Difference::Weights { clip, node, time, by } => {
                (self.clip, self.target) = (Some(clip.clone()), Some(node.clone()));
                format!("morph weights differ most at {} (by {})", self.moment(*time), short(*by))
            }
            Difference::Morphed { clip, node, time, by } => {
                (self.clip, self.target) = (Some(clip.clone()), Some(node.clone()));
                let (at, part) = (self.moment(*time), short(by * 100.0));
                format!("morphed shape differs most at {at} (by {part} % of its size)")
            }
            _ => self.fill_shape(difference, names),
        }
    }

    /// Implements [`fill`](Self::fill) for differences between shapes and materials.
    fn fill_shape(&mut self, difference: &Difference, names @ [a, b]: &[String; 2]) -> String {
        let called = |name: &Option<String>| {
            name.as_ref().map_or("none".to_owned(), |name| quote(name.as_bytes()))
        };
        match difference {
            Difference::ShapeOnly { shape, side } => {
                self.shape = Some(shape.clone());
                self.only(*side, names)
            }
            Difference::Elements { shape, topology, counts } => {
                self.shape = Some(shape.clone());
                self.what = Some(topology.name());
                let noun = match topology {
                    Topology::Triangles => "triangle",
                    Topology::Lines => "line",
                    Topology::Points => "point",
                };
                self.differ_in_count(*counts, names, noun)
            }
            Difference::Diagonals { shape, count } => {
                (self.shape, self.count) = (Some(shape.clone()), Some(*count));
                let are = if *count == 1 { "is" } else { "are" };
                format!("{} {are} split along the other diagonal", plural(*count, "quad"))
            }
            Difference::AttributeOnly { shape, attribute, side } => {
                (self.shape, self.what) = (Some(shape.clone()), Some(attribute.name()));
                format!("{attribute} {}", self.only(*side, names))
            }
            Difference::Vertices { shape, attribute, target, count, vertex, at, by } => {
                (self.shape, self.what) = (Some(shape.clone()), Some(attribute.name()));
                (self.target, self.count) = (target.clone(), Some(*count));
                (self.vertex, self.by) = (Some(*vertex), Some(*by).filter(|by| by.is_finite()));
                self.at = Some(at.to_array());
                let place = at.to_f64().map(|number| short(number).to_string()).join(" ");
                let vertices = vertices(*count);
                let by = match attribute {
                    Attribute::Normals if by.is_infinite() => "where one of them is zero".into(),
                    Attribute::Normals => format!("by {}°", short(by.to_degrees())),
                    _ => format!("by {}", short(*by)),
                };
                format!("{attribute} differ at {vertices}, most at ({place}), {by}")
            }
            Difference::Targets { shape, counts } => {
                self.shape = Some(shape.clone());
                self.differ_in_count(*counts, names, "morph target")
            }
            Difference::TargetName { shape, names: called } => {
                self.shape = Some(shape.clone());
                let [x, y] = called.each_ref().map(|name| quote(name.as_bytes()));
                self.values = Some(called.clone());
                format!("morph target is named {x} in {a}, {y} in {b}")
            }
            Difference::TargetWeight { shape, target, weights: [x, y] } => {
                (self.shape, self.target) = (Some(shape.clone()), Some(target.clone()));
                self.values = Some([x, y].map(|weight| weight.to_string()));
                format!("default weight is {} in {a}, {} in {b}", short(*x), short(*y))
            }
            Difference::MaterialOnly { material, side } => {
                self.material = Some(material.clone());
                self.only(*side, names)
            }
            Difference::Assignment { shape, elements, materials } => {
                (self.shape, self.count) = (Some(shape.clone()), Some(*elements));
                let [x, y] = materials.each_ref().map(called);
                self.values = Some(materials.clone().map(Option::unwrap_or_default));
                let elements = plural(*elements, "element");
                format!("material of {elements} is {x} in {a}, {y} in {b}")
            }
            Difference::Material { material, what, values: [x, y] } => {
                (self.material, self.what) = (Some(material.clone()), Some(*what));
                self.values = Some([x.clone(), y.clone()]);
                format!("{what} is {} in {a}, {} in {b}", escape(x), escape(y))
            }
            _ => difference.kind().to_owned(),
        }
    }

    /// Stores two counts and describes them: `12 triangles in a, 13 in b`.
    fn differ_in_count(&mut self, counts: [usize; 2], [a, b]: &[String; 2], noun: &str) -> String {
        self.values = Some(counts.map(|count| count.to_string()));
        let [x, y] = counts;
        format!("{} in {a}, {} in {b}", plural(x, noun), thousands(y))
    }

    fn only(&mut self, side: Side, [a, b]: &[String; 2]) -> String {
        self.only_in = Some(side.of(["a", "b"]));
        format!("only in {}", side.of([a, b]))
    }

    fn visible(&mut self, side: Side, [a, b]: &[String; 2]) -> String {
        self.only_in = Some(side.of(["a", "b"]));
        format!("visible only in {}", side.of([a, b]))
    }

    fn moment(&mut self, time: f64) -> String {
        self.time = Some(time);
        format!("{} s", short(time))
    }

    fn gap(&mut self, &Gap { translation, rotation, scale, .. }: &Gap) -> String {
        self.gap = Some(GapReport { translation, rotation, scale });
        let parts = [
            (translation, format!("moved by {}", short(translation))),
            (rotation, format!("rotated by {}°", short(rotation.to_degrees()))),
            (scale, format!("scaled by {}", short(scale))),
        ];
        let parts: Vec<String> =
            parts.into_iter().filter(|(by, _)| *by > NOTHING).map(|(_, text)| text).collect();
        parts.join(", ")
    }
}
