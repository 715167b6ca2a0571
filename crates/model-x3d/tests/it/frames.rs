//! Test helpers: frame-by-frame scenes, and their visible vertices.

use std::sync::Arc;

use anim_ir::{
    Budget, Clip, Converted, Deformer, Diagnostics, NoFiles, Pose, Sampler, Scene, SkeletonId,
    Vec3, validate,
};
use model_x3d::{Document, Frame, FrameReader, Graph, Take, ToIr, animate};

/// Returns an X3D scene.
pub(crate) fn scene(content: &str) -> String {
    format!("<X3D><Scene>{content}</Scene></X3D>")
}

/// Returns a triangle with these points, in a separate transform.
pub(crate) fn triangle(translation: &str, points: &str) -> String {
    let shape = format!(
        "<Shape><IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate \
         point='{points}'/></IndexedFaceSet></Shape>"
    );
    scene(&format!("<Transform translation='{translation}'>{shape}</Transform>"))
}

/// Reads frames from one file, one per second starting at 0.
pub(crate) fn take(name: &str, texts: &[String]) -> Take {
    let mut reader = FrameReader::default();
    let mut diagnostics = Diagnostics::new();
    let mut start = 0;
    let graphs = texts.iter().map(|text| {
        let graph = reader.read(text, start, &[], &mut diagnostics).unwrap();
        start += text.len();
        Arc::new(graph)
    });
    let take = of_graphs(name, graphs);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    take
}

/// Builds a scene, which must be valid.
pub(crate) fn make(takes: Vec<Take>, options: &ToIr) -> Converted<Scene> {
    let budget = Budget::new(&options.limits, 8 << 20);
    let made = animate(takes, options, &budget, &mut NoFiles);
    let problems = validate(&made.value);
    assert!(problems.is_empty(), "{problems:?}");
    made
}

pub(crate) fn clean(takes: Vec<Take>, options: &ToIr) -> Scene {
    let made = make(takes, options);
    assert!(made.losses.is_empty(), "{:?}", made.losses);
    made.value
}

/// Returns the visible vertices at a time in a clip, in scene space, node by node.
pub(crate) fn seen_at(scene: &Scene, clip: usize, time: f64) -> Vec<Vec3> {
    let clip = &scene.clips[clip];
    let (timeline, skeleton) = scene.motion_of(clip).unwrap();
    let (mut pose, mut matrices, mut deformer) = (Pose::default(), Vec::new(), Deformer::default());
    Sampler::for_clip(skeleton, timeline, clip).sample(time, &mut pose);
    let seen = pose.effective_visibility(skeleton);
    pose.model_matrices(skeleton, &mut matrices);
    let mut vertices = Vec::new();
    for (id, node) in scene.enumerate_nodes() {
        let joint = node.parent.map(|at| at.joint.index());
        if joint.is_some_and(|joint| !seen[joint]) {
            continue;
        }
        assert!(deformer.deform_node(scene, id, SkeletonId::default(), &pose));
        // A skin places its mesh by itself.
        let joint = joint.filter(|_| node.skin.is_none());
        let place = |point: &Vec3| joint.map_or(*point, |at| matrices[at].transform_point(*point));
        vertices.extend(deformer.positions().iter().map(place));
    }
    vertices
}

#[track_caller]
pub(crate) fn assert_near(found: &[Vec3], expected: &[[f32; 3]]) {
    let near = |(a, b): (&Vec3, &[f32; 3])| {
        a.to_array().iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-5 * (1.0 + b.abs()))
    };
    assert!(
        found.len() == expected.len() && found.iter().zip(expected).all(near),
        "found {found:?}, expected {expected:?}"
    );
}

/// Builds frames of a mesh with a different shape in each frame.
pub(crate) fn restless(count: usize) -> Vec<String> {
    (0..count).map(|n| triangle("0 0 0", &format!("{n} 0 0 1 0 0 0 1 {n}"))).collect()
}

/// Reads frames from separate files, one per second starting at 0.
pub(crate) fn files(texts: impl IntoIterator<Item = String>) -> Take {
    let graphs = texts.into_iter().map(|text| Document::parse(text.into_bytes()).unwrap().value);
    of_graphs("", graphs.map(|document| Arc::new(document.into_graph())))
}

pub(crate) fn of_graphs(name: &str, graphs: impl Iterator<Item = Arc<Graph>>) -> Take {
    let frame = |(number, graph)| Frame { time: number as f32, graph, span: None };
    let frames: Vec<Frame> = graphs.enumerate().map(frame).collect();
    let end = frames.last().map_or(0.0, |frame| frame.time);
    Take {
        clip: Clip { name: name.to_owned(), end, ..Clip::default() },
        frames,
        step: false,
        tolerance: 0.0,
    }
}
