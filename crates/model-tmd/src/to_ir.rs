//! Conversion from documents to scenes.

use anim_ir::diag::plural;
use anim_ir::{
    Axes, Code, Converted, Diagnostics, Extras, Joint, JointRef, Mesh, Node, Scene, Skeleton,
    SkeletonId, Value,
};

use crate::codes;
use crate::document::{Document, Object};
use crate::materials::{Materials, Surface};
use crate::mesh::MeshBuilder;
use crate::packet::Body;

anim_ir::options! {
    /// Options for converting a document to a scene.
    pub struct ToIr {
        /// Factor for positions: finite and greater than 0.
        unit (with_unit): f32 = 1.0, positive("unit-scale", Some("1"), "Factor for positions");
        /// Whether to apply each object's [`scale`](Object::scale) to its vertices. Sony's library
        /// does not.
        apply_scale (with_apply_scale): bool = false,
            flag("tmd-scale", "Scale each object by its stored power of two, which the \
            PlayStation library ignores");
    }
}

/// Exponents for which every position stays in range.
const SCALES: std::ops::RangeInclusive<i32> = -64..=64;

/// Converts the document's objects, each to a joint with a mesh: `object_0`, `object_1`, …
///
/// Axes are those of the file, with y down. Vertex colours are converted from sRGB to linear. Lit
/// polygons have normals; if a mesh also contains unlit polygons, the normals of their vertices are
/// zero. Lines are unlit, and a line from a vertex to itself becomes a point. A material is created
/// for each combination of surface properties; the locations of its texture and palette are stored
/// in its extras, under `tmd`. An object that draws nothing becomes a joint without a mesh. A
/// non-zero [`Object::scale`] is stored in the joint's extras.
///
/// Primitives with invalid vertices are dropped, and invalid normals are zero; the parser has
/// reported them.
pub fn to_ir(document: &Document<'_>, options: &ToIr) -> Converted<Scene> {
    let mut scene = Scene { axes: Axes::YDown, ..Scene::default() };
    let mut skeleton = Skeleton::nodes("objects");
    let mut conversion =
        Conversion { document, materials: Materials::default(), tally: Tally::default() };
    let mut losses = Diagnostics::new();
    for (number, object) in document.objects().iter().enumerate() {
        let name = format!("object_{number}");
        let factor = factor(number, object, options, &mut losses);
        let mesh = Mesh { name: name.clone(), ..conversion.mesh(object, factor) };
        let mut joint = Joint { source_index: number, ..Joint::new(&name, None) };
        if object.scale != 0 {
            joint.extras = Extras::from([(
                "tmd".to_owned(),
                Value::from([("scale", Value::from(f64::from(object.scale)))]),
            )]);
        }
        let joint = skeleton.add_joint(joint);
        if !mesh.primitives.is_empty() {
            let mesh = Some(scene.add_mesh(mesh));
            let parent = Some(JointRef { skeleton: SkeletonId::new(0), joint });
            scene.add_node(Node { name, parent, mesh, ..Node::default() });
        }
    }
    if !skeleton.joints.is_empty() {
        scene.skeletons.push(skeleton);
    }
    conversion.tally.report(&mut losses);
    scene.materials = conversion.materials.list;
    Converted { value: scene, losses }
}

/// The factor for the positions of an object.
fn factor(number: usize, object: &Object, options: &ToIr, losses: &mut Diagnostics) -> f64 {
    let unit = f64::from(options.unit);
    if !options.apply_scale {
        return unit;
    }
    if !SCALES.contains(&object.scale) {
        losses.push(&codes::LOSS_SCALE, object.entry, || {
            format!("object {number} has a scale of 2^{}", object.scale)
        });
        return unit;
    }
    unit * 2_f64.powi(object.scale)
}

struct Conversion<'a> {
    document: &'a Document<'a>,
    materials: Materials,
    tally: Tally,
}

impl Conversion<'_> {
    fn mesh(&mut self, object: &Object, factor: f64) -> Mesh {
        let mut builder = MeshBuilder::new(self.document, object);
        for packet in self.document.packets(object) {
            let surface = Surface::of(&packet);
            let material = || self.materials.id(surface);
            let drawn = match &packet.body {
                Body::Polygon(polygon) => builder.polygon(polygon, material),
                Body::Line(line) => builder.line(line, material),
                Body::Sprite | Body::Unknown => false,
            };
            self.tally.count(&packet.body, surface, drawn);
        }
        builder.finish(factor)
    }
}

/// Counts packets with losses, per type of loss.
#[derive(Default)]
struct Tally {
    sprites: usize,
    unknown: usize,
    textured: usize,
    bright: usize,
    semi_transparent: usize,
}

impl Tally {
    fn count(&mut self, body: &Body, surface: Surface, drawn: bool) {
        let bright = matches!(body, Body::Polygon(polygon) if polygon.is_brightened());
        for (count, more) in [
            (&mut self.sprites, *body == Body::Sprite),
            (&mut self.unknown, *body == Body::Unknown),
            (&mut self.textured, drawn && surface.texture.is_some()),
            (&mut self.bright, drawn && bright),
            (&mut self.semi_transparent, drawn && surface.semi_transparent),
        ] {
            *count = count.saturating_add(usize::from(more));
        }
    }

    fn report(&self, losses: &mut Diagnostics) {
        let mut report = |code: &'static Code, count: usize, noun: &str, what: &str| {
            losses.lost(code, count > 0, || format!("{} {what}", plural(count, noun)));
        };
        report(&codes::LOSS_SPRITES, self.sprites, "sprite", "dropped");
        report(&codes::LOSS_PACKETS, self.unknown, "packet", "of unknown type or length dropped");
        let textured = "textured polygon";
        let what = "whose image is not in the file";
        report(&codes::LOSS_TEXTURES, self.textured, textured, what);
        let what = "with colours above 128, clamped to 128";
        report(&codes::LOSS_BRIGHTNESS, self.bright, textured, what);
        let (count, noun) = (self.semi_transparent, "semi-transparent primitive");
        report(&codes::LOSS_BLENDING, count, noun, "drawn at 50 % opacity");
    }
}
