//! Converts a scene to nodes, sensors and routes.

mod binds;
mod clips;
mod error;
mod humanoids;
mod joints;
mod keys;
mod moving;
mod order;
mod skinned;
mod stretch;
mod vertices;

use anim_ir::diag::{plural, quote};
use anim_ir::{
    Axes, Bake, Budget, Converted, Diagnostics, EventIndex, MaterialId, Mesh, Node, Scene, Span,
    Topology, Up, require_valid,
};

use crate::codes;
use crate::graph::Graph;
use crate::make::Maker;
use crate::writer::Names;
use clips::Clips;
pub use error::FromIrError;
use joints::{Tree, shape_name};
use moving::Moving;
use order::Order;

/// The name of the option that compresses files.
pub(crate) const GZIP: &str = "gzip";

anim_ir::options! {
    /// Options for writing a scene.
    pub struct FromIr {
        /// The axis that points up in the scene.
        up (with_up): Up = Up::Y,
            choice("up", Up::NAMES, Some("y"), Up::HELP);
        /// Writes skinned meshes as `CoordinateInterpolator` nodes instead of `HAnimHumanoid`
        /// nodes, for players without skins.
        coordinates (with_coordinates): bool = false,
            flag("coordinates",
                "Write skinned meshes as the positions of their vertices (CoordinateInterpolator) \
                 instead of skins (HAnimHumanoid), for players without skins");
        /// Compresses the file with gzip.
        gzip (with_gzip): bool = false,
            flag(GZIP,
                "Compress the file; implied by the extensions .x3dz, .x3dvz, .x3d.gz and .x3dv.gz");
        /// Resamples linear and cubic keys at this many frames per second, greater than 0
        /// ([`Scene::resample`]), and skins that are written as `CoordinateInterpolator` nodes.
        /// `None`: keys keep their times, and skins are sampled as often as necessary to stay
        /// within a 1,000th of the size of the mesh.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("fps", None,
                "Sampling rate, for targets that cannot store the source's keys exactly. glTF \
                 and X3D keys keep their times unless a rate is given");
    }
}

/// Converts a scene to nodes, and reports losses.
///
/// Joints become `Transform` nodes and meshes `Shape` nodes below them. Each clip becomes a
/// `TimeSensor`, with interpolators for its tracks. A skinned mesh is part of an `HAnimHumanoid` if
/// its joints are bound without shear; otherwise, its vertices are sampled.
///
/// # Errors
///
/// [`FromIrError`] if the scene is invalid ([`anim_ir::validate`]) or exceeds the limits, if its
/// joints are nested too deeply, or if the frame rate is invalid.
pub fn from_ir(scene: &Scene, options: &FromIr) -> Result<Converted<Graph>, FromIrError> {
    from_ir_within(scene, options, &Budget::for_scene(&options.limits, scene))
}

pub(crate) fn from_ir_within(
    scene: &Scene,
    options: &FromIr,
    budget: &Budget,
) -> Result<Converted<Graph>, FromIrError> {
    require_valid(scene)?;
    let rate = options.frames_per_second;
    if let Some(rate) = rate.filter(|rate| !(rate.is_finite() && *rate > 0.0)) {
        return Err(FromIrError::Rate(rate));
    }
    let keyed = scene.in_keys(Axes::YUp, &Bake::default(), budget)?;
    let (mut scene, mut losses) = (keyed.value, keyed.losses);
    if let Some(rate) = rate {
        losses.append(scene.to_mut().resample(rate, budget)?);
    }
    options.up.apply(&mut scene);
    report(&scene, &mut losses);
    let mut maker = Maker::new(&scene, Span::default(), budget, "the nodes");
    maker.embeds = true;
    let moving = Moving::of(&scene);
    let mut tree = Tree::new(&moving, Order::of(&scene), options.coordinates);
    tree.build(&mut maker)?;
    let mut clips = Clips::new(maker, &tree, rate, losses);
    let mut sensors = Vec::new();
    for (number, clip) in scene.clips.iter().enumerate() {
        sensors.extend(clips.clip(clip, number == 0)?);
    }
    let Clips { maker, routes, mut losses, .. } = clips;
    tree.report(&mut losses);
    let mut roots = tree.roots;
    roots.append(&mut sensors);
    let mut graph = maker.finish(roots, routes, "");
    // Reported when the graph is written.
    Names::of(&graph, &mut Diagnostics::new()).keep_originals(&mut graph, budget)?;
    Ok(Converted { value: graph, losses })
}

/// Reports what X3D has no place for.
fn report(scene: &Scene, losses: &mut Diagnostics) {
    let events = EventIndex::of(scene);
    for clip in &scene.clips {
        let count = events.count_in(clip);
        losses.lost(&codes::LOSS_EVENTS, count > 0, || {
            format!("{} has {}", quote(clip.name.as_bytes()), plural(count, "event"))
        });
    }
    report_meshes(scene, losses);
    let referred = scene.images.iter().filter(|image| image.bytes.is_none());
    referred.for_each(|image| image.report_outside(losses));
    losses.lost(&codes::LOSS_STATES, !scene.machines.is_empty(), || {
        format!("{} not written", plural(scene.machines.len(), "state machine"))
    });
    losses.lost(&codes::LOSS_CAMERA, !scene.cameras.is_empty(), || {
        let cameras = plural(scene.cameras.len(), "camera");
        format!("the near and far planes of {cameras}")
    });
    losses.lost_extras(&codes::LOSS_EXTRAS, scene.all_extras().count());
}

fn report_meshes(scene: &Scene, losses: &mut Diagnostics) {
    for (number, mesh) in (1_usize..).zip(&scene.meshes) {
        let name = || match &*mesh.name {
            "" => format!("mesh #{number}"),
            name => quote(name.as_bytes()).to_string(),
        };
        let count = mesh.morph_targets.len();
        losses.lost(&codes::LOSS_MORPH, count > 0, || {
            format!("{} has {}", name(), plural(count, "morph target"))
        });
        let material = |id: Option<MaterialId>| id.and_then(|id| scene.material(id));
        let is_lit = |id| material(id).is_none_or(|material| !material.unlit);
        let has_sides = |id| material(id).is_some_and(|material| material.double_sided);
        let others = || mesh.primitives.iter().filter(|it| it.topology != Topology::Triangles);
        losses.lost(&codes::LOSS_LIGHT, others().any(|part| is_lit(part.material)), || {
            format!("{} has lit lines or points", name())
        });
        losses.lost(&codes::LOSS_LIGHT, others().any(|part| has_sides(part.material)), || {
            format!("{} has double-sided lines or points", name())
        });
    }
    report_names(scene, losses);
}

/// Reports the names of meshes that neither a shape nor the joint above it has.
fn report_names(scene: &Scene, losses: &mut Diagnostics) {
    let mut kept = vec![true; scene.meshes.len()];
    let shown = || {
        let mesh = |node: &'_ Node| node.mesh.and_then(|id| Some((id, scene.mesh(id)?)));
        scene.nodes.iter().filter_map(move |node| mesh(node).map(|mesh| (node, mesh)))
    };
    let has_name = |node: &Node, mesh: &Mesh| {
        let joint = node.parent.and_then(|joint| scene.joint(joint));
        shape_name(scene, node, mesh) == mesh.name || joint.is_some_and(|it| it.name == mesh.name)
    };
    for is_kept in [false, true] {
        for (node, (id, mesh)) in shown() {
            if let Some(kept) = kept.get_mut(id.index())
                && (has_name(node, mesh) || mesh.name.is_empty()) == is_kept
            {
                *kept = is_kept;
            }
        }
    }
    for (mesh, _) in scene.meshes.iter().zip(kept).filter(|(_, kept)| !kept) {
        losses.push(&codes::LOSS_NAME, None, || {
            format!("mesh {} is written with the name of its node", quote(mesh.name.as_bytes()))
        });
    }
}
