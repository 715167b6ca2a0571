//! Evaluates the positions of all geometry in a scene with the scene model.

use anim_ir::{
    Clip, Deformer, Mat4, NodeId, Pose, Sampler, Scene, Skeleton, TimelineBuilder, Topology, Vec3,
};

/// The matrices of a skeleton's joints and their own visibility, ignoring their parents'
/// visibility.
#[derive(Clone, Debug, Default)]
pub(crate) struct Posed {
    pub(crate) model: Vec<Mat4>,
    pub(crate) visible: Vec<bool>,
}

/// Evaluates all skeletons and animated node weights at a time of the clips with a given name.
pub(crate) fn pose(
    scene: &Scene,
    clip: Option<&str>,
    time: f64,
) -> (Vec<Posed>, Vec<(NodeId, Vec<f32>)>) {
    let clips: Vec<&Clip> =
        scene.clips.iter().filter(|found| Some(found.name.as_str()) == clip).collect();
    assert!(clip.is_none() || !clips.is_empty(), "no clip {clip:?}");
    let still = TimelineBuilder::new("").finish();
    let mut weights = Vec::new();
    let mut skeletons = Vec::new();
    for (id, skeleton) in scene.enumerate_skeletons() {
        let timeline = clips
            .iter()
            .filter_map(|clip| scene.timeline(clip.timeline))
            .find(|timeline| timeline.skeleton == id)
            .unwrap_or(&still);
        let (mut pose, mut model) = (Pose::default(), Vec::new());
        Sampler::new(skeleton, timeline).sample(time, &mut pose);
        pose.model_matrices(skeleton, &mut model);
        weights.append(&mut pose.morph_weights);
        skeletons.push(Posed { model, visible: pose.visible });
    }
    if scene.skeletons.is_empty()
        && let Some(clip) = clips.first()
    {
        let mut pose = Pose::default();
        Sampler::new(&Skeleton::default(), scene.timeline(clip.timeline).unwrap())
            .sample(time, &mut pose);
        weights = pose.morph_weights;
    }
    (skeletons, weights)
}

/// Points, lines and triangles in scene space, node by node and primitive by primitive.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawn {
    pub(crate) points: Vec<Vec3>,
    pub(crate) lines: Vec<[Vec3; 2]>,
    pub(crate) triangles: Vec<[Vec3; 3]>,
}

pub(crate) fn draw(scene: &Scene, clip: Option<&str>, time: f64) -> Drawn {
    let (skeletons, weights) = pose(scene, clip, time);
    let (mut drawn, mut deformer) = (Drawn::default(), Deformer::default());
    for (id, node) in scene.enumerate_nodes() {
        let Some(mesh) = node.mesh.and_then(|mesh| scene.mesh(mesh)) else { continue };
        let weights = weights
            .iter()
            .find(|(node, _)| *node == id)
            .map_or(&mesh.morph_weights, |(_, weights)| weights);
        let mut matrices = Vec::new();
        if let Some(skin) = node.skin.and_then(|skin| scene.skin(skin)) {
            skin.matrices(&skeletons[skin.skeleton.index()].model, &mut matrices);
        }
        let parent = node.parent.map_or(Mat4::IDENTITY, |parent| {
            skeletons[parent.skeleton.index()].model[parent.joint.index()]
        });
        deformer.deform(mesh, weights, &matrices);
        let to_scene =
            if node.skin.is_none() { parent * node.transform.to_matrix() } else { Mat4::IDENTITY };
        let places: Vec<Vec3> =
            deformer.positions().iter().map(|place| to_scene.transform_point(*place)).collect();
        for part in &mesh.primitives {
            let corners: Vec<Vec3> =
                part.indices.iter().map(|index| places[*index as usize]).collect();
            match part.topology {
                Topology::Points => drawn.points.extend(corners),
                Topology::Lines => drawn.lines.extend(corners.as_chunks().0),
                Topology::Triangles => drawn.triangles.extend(corners.as_chunks().0),
            }
        }
    }
    drawn
}
