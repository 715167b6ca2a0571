//! Describes a single difference, as text and as JSON.

use anim_formats::anim_ir::Topology;
use anim_formats::anim_ir::diag::{escape, plural, quote};
use anim_formats::anim_ir::diff::{Attribute, Difference, Gap, Side};

use super::report::{DifferenceReport, GapReport};
use crate::term::{show_name, thousands};

/// Components of a gap up to this size are not shown, since they are rounding errors.
const NOTHING: f64 = 1e-6;

/// Rounds a number to four significant digits.
fn short(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}

/// Formats a number of vertices: `1 vertex`, `2 vertices`.
fn vertices(count: usize) -> String {
    format!("{} {}", thousands(count), if count == 1 { "vertex" } else { "vertices" })
}

impl DifferenceReport {
    pub(super) fn of(difference: &Difference, names: &[String; 2]) -> DifferenceReport {
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
                (self.vertex, self.by) = (Some(*vertex), Some(*by));
                self.at = Some(at.to_array());
                let place = at.to_f64().map(|number| short(number).to_string()).join(" ");
                let vertices = vertices(*count);
                let by = match attribute {
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
                let shown = if *what == "name" { show_name } else { escape };
                format!("{what} is {} in {a}, {} in {b}", shown(x), shown(y))
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
