//! Scenes written as stills, compared with two implementations that share no code with the writer:
//! the IR sampling the scene, and the oracle reading the file.

use anim_ir::Interpolation::{Linear, Step};
use anim_ir::PoseSpace::{DeltaFromRest, ParentRelative};
use anim_ir::{
    Channel, Clip, Diagnostics, Image, ImageId, Joint, JointId, Limits, Mat4, Material, MaterialId,
    Pose, Primitive, Sampler, Scene, Severity, Skeleton, TimelineBuilder, Topology, Vec3, Wrap,
};
use fmt_castle::{Document, FromIr, FromIrError, clip_of_file, codes, finish, from_ir};
use test_oracle::growth::assert_linear;
use test_oracle::{castle, compare};

use crate::scenes::{arm, morphing, on_joint, skinned, track, turning};

/// Returns the positions of all face corners, line ends and points, according to the IR.
fn corners_of(scene: &Scene, clip: usize, t: f32) -> Vec<[f64; 3]> {
    let clip = &scene.clips[clip];
    let (timeline, skeleton) = scene.motion_of(clip).unwrap();
    let (mut pose, mut model, mut matrices) = (Pose::default(), Vec::new(), Vec::new());
    Sampler::for_clip(skeleton, timeline, clip).sample(f64::from(t), &mut pose);
    pose.model_matrices(skeleton, &mut model);
    let mut corners = Vec::new();
    for (id, node) in scene.enumerate_nodes() {
        let mesh = scene.mesh(node.mesh.unwrap()).unwrap();
        let weights = pose.weights_of(id).unwrap_or(&mesh.morph_weights);
        let place = |vertex: usize| {
            let targets = mesh.morph_targets.iter().zip(weights);
            targets.fold(mesh.positions[vertex], |place, (target, weight)| {
                place + target.positions[vertex] * *weight
            })
        };
        let carrier = node.parent.map_or(Mat4::IDENTITY, |at| model[at.joint.index()])
            * node.transform.to_matrix();
        if let Some(skin) = node.skin {
            scene.skin(skin).unwrap().matrices(&model, &mut matrices);
        }
        for vertex in mesh.primitives.iter().flat_map(|part| &part.indices) {
            let vertex = *vertex as usize;
            let (mesh_place, width) = (place(vertex), mesh.influences.per_vertex);
            if node.skin.is_none() {
                corners.push(carrier.transform_point(mesh_place).to_f64());
                continue;
            }
            let moved = (vertex * width..(vertex + 1) * width).map(|slot| {
                let joint = mesh.influences.joints[slot] as usize;
                matrices[joint].transform_point(mesh_place) * mesh.influences.weights[slot]
            });
            corners.push(moved.fold(Vec3::ZERO, |sum, part| sum + part).to_f64());
        }
    }
    corners
}

/// Returns the maximum distance of the face corners from their positions in the scene.
fn distance(animation: &castle::Animation, scene: &Scene, clip: usize, t: f64) -> f64 {
    let expected = corners_of(scene, clip, t as f32);
    compare::max_distance_between_sets(&animation.corners_at(t), &expected)
}

fn write(scene: &Scene, options: &FromIr) -> (castle::Movie, Diagnostics, String) {
    let written = from_ir(scene, options).unwrap();
    let bytes = finish(&written.value, options, "").unwrap().main;
    let found = Document::parse(&bytes[..]).unwrap().diagnostics;
    assert!(found.worst() < Some(Severity::Warning), "{found:?}");
    let movie = castle::read(&bytes, &|url| panic!("no companion files: {url}"));
    (movie, written.losses, String::from_utf8(bytes).unwrap())
}

/// Checks that all face corners match the scene and lie within the bounding box at every frame, and
/// stay close to the scene between frames.
fn check(scene: &Scene, rate: f64, label: &str) -> (castle::Movie, Diagnostics, String) {
    let (movie, losses, text) = write(scene, &FromIr::default().with_frames_per_second(Some(rate)));
    assert_eq!(movie.animations.len(), scene.clips.len());
    for (index, (animation, clip)) in movie.animations.iter().zip(&scene.clips).enumerate() {
        let ends = [animation.times[0], *animation.times.last().unwrap()].map(|time| time as f32);
        assert_eq!(ends, [clip.start, clip.end], "{label}");
        for (frame, t) in animation.times.iter().enumerate() {
            let castle::Drawn { lines, points, .. } = animation.drawn_at(*t);
            let lines = lines.into_flattened();
            let found = [animation.corners_at(*t), lines, points].concat();
            let expected = corners_of(scene, index, *t as f32);
            assert!(!expected.is_empty());
            let distance = compare::max_distance_between_sets(&found, &expected);
            assert!(distance < 2e-5, "{label} at {t}: {distance}");
            let [center, size] = animation.boxes[frame].unwrap();
            for axis in 0..3 {
                let along = || expected.iter().map(|corner| corner[axis]);
                let low = along().fold(f64::MAX, f64::min) - (center[axis] - size[axis] / 2.0);
                let high = along().fold(f64::MIN, f64::max) - (center[axis] + size[axis] / 2.0);
                let is_around = low.abs() < 1e-4 && high.abs() < 1e-4;
                assert!(is_around, "{label} at {t}: {center:?} {size:?}");
            }
        }
        for i in 0..animation.times.len() - 1 {
            assert!(animation.structurally_equal(i), "{label}: {:?}", animation.difference(i));
            let t = (animation.times[i] + animation.times[i + 1]) / 2.0;
            let distance = distance(animation, scene, index, t);
            assert!(distance < 0.1, "{label} between frames at {t}: {distance}");
        }
    }
    (movie, losses, text)
}

#[test]
fn meshes_on_joints_keep_their_hierarchy() {
    for joint in [0, 1] {
        let scene = on_joint(arm(false, ParentRelative), joint);
        let (movie, losses, text) = check(&scene, 25.0, "nodes");
        assert_eq!(movie.animations[0].times.len(), 39, "38 steps at 25 per second, rounded up");
        assert!(movie.animations[0].loops && !movie.animations[0].backwards);
        // The joint's transform is animated; the vertices are not.
        assert_eq!(text.matches("point=\"0 0 0 1 0 0.25 0 1 0 1 1 0.5\"").count(), 39);
        assert!(text.contains("DEF=\"upper_arm\""));
        assert_eq!(text.contains("DEF=\"upper_arm_001\""), joint == 1);
        assert_eq!(losses.count(&codes::LOSS_JOINTS), u64::from(joint == 0));
        assert_eq!(losses.count(&codes::LOSS_SAMPLED), 1);
        let normals = scene.meshes.iter().any(|mesh| !mesh.normals.is_empty());
        assert_eq!(losses.count(&codes::LOSS_NORMALS), u64::from(normals));
    }
}

#[test]
fn rotations_stay_rotations() {
    // The two frames are 80° apart. The joint's rotation between them is exact, which linear vertex
    // motion could not achieve.
    let mut scene = on_joint(arm(false, ParentRelative), 0);
    scene.clips[0].end = 2.0;
    let (movie, ..) = write(&scene, &FromIr::default().with_frames_per_second(Some(1.0)));
    assert_eq!(movie.animations[0].times, [1.0, 2.0]);
    let distance = distance(&movie.animations[0], &scene, 0, 1.5);
    assert!(distance < 1e-5, "{distance}");
}

#[test]
fn skins_and_morph_targets_become_vertices() {
    check(&skinned(arm(true, ParentRelative)), 50.0, "skin");
    check(&skinned(arm(true, DeltaFromRest)), 50.0, "skin, deltas");
    let scene = morphing(skinned(arm(true, ParentRelative)));
    let (_, losses, text) = check(&scene, 50.0, "skin and morph targets");
    assert_eq!(losses.count(&codes::LOSS_JOINTS), 1);
    assert!(!text.contains("upper_arm"));
    let scene = morphing(on_joint(arm(false, ParentRelative), 1));
    let (_, losses, text) = check(&scene, 50.0, "morph targets on a joint");
    assert!(text.contains("upper_arm_001"));
    assert_eq!(losses.count(&codes::LOSS_JOINTS), 0);
}

/// Covers shear, deltas before a non-uniform rest pose, and joints nested deeper than XML readers
/// accept.
#[test]
fn transforms_that_nodes_cannot_express_become_vertices() {
    let mut shear = on_joint(arm(false, ParentRelative), 1);
    let mut matrix = Mat4::IDENTITY;
    matrix.columns[1][0] = 0.5;
    shear.skeletons[0].joints[0].exact_rest = Some(matrix);
    shear.timelines = vec![turning(1, 90.0)];
    check(&shear, 50.0, "shear");

    let mut deltas = on_joint(arm(false, DeltaFromRest), 1);
    deltas.skeletons[0].joints[1].rest.scale = Vec3::new(1.0, 2.0, 3.0);
    check(&deltas, 50.0, "uneven rest");

    let mut deep = Scene::default();
    let mut skeleton = Skeleton::nodes("chain");
    for n in 0..5_000_usize {
        skeleton.add_joint(Joint::new("", n.checked_sub(1).map(JointId::new)));
        skeleton.joints[n].rest.translation = Vec3::new(0.001, 0.0, 0.0);
    }
    deep.skeletons.push(skeleton);
    deep.timelines.push(turning(3, 40.0));
    deep.clips.push(Clip { start: 1.0, end: 2.5, ..Clip::default() });
    let (_, losses, text) = check(&on_joint(deep.clone(), 4_999), 10.0, "deep");
    assert_eq!((losses.count(&codes::LOSS_JOINTS), text.contains("joint")), (1, false));
    assert!(!check(&on_joint(deep.clone(), 200), 10.0, "too deep").2.contains("joint"));
    assert!(check(&on_joint(deep, 199), 10.0, "the maximum depth").2.contains("joint_199"));
}

#[test]
fn texture_coordinates_lines_points_and_materials_are_written() {
    let mut scene = on_joint(arm(false, ParentRelative), 1);
    // One image was read from a file and keeps its path; the other has no path.
    scene.images = vec![
        Image { bytes: Some([0; 4].into()), ..Image::at("a b/c's.png") },
        Image { name: "inside".into(), ..Image::embedded([]) },
    ];
    let red = Material {
        base_color: [1.0, 0.5, 0.25, 0.75],
        base_color_image: Some(ImageId::new(0)),
        normal_image: Some(ImageId::new(0)),
        emissive: [0.0, 0.125, 0.0],
        double_sided: false,
        ..Material::new("red")
    };
    let glow = Material {
        unlit: true,
        base_color_image: Some(ImageId::new(1)),
        roughness: 0.5,
        ..Material::new("glow")
    };
    scene.materials = vec![red, glow];
    let mesh = &mut scene.meshes[0];
    mesh.normals = vec![Vec3::new(0.0, 0.0, 1.0); 6];
    mesh.primitives[0].material = Some(MaterialId::new(0));
    for (topology, indices, material) in [
        (Topology::Triangles, &[0, 1, 4][..], Some(1)),
        (Topology::Lines, &[0, 4, 4, 2], Some(0)),
        (Topology::Points, &[5, 1], None),
        (Topology::Points, &[], None),
    ] {
        let (indices, material) = (indices.to_vec(), material.map(MaterialId::new));
        mesh.primitives.push(Primitive { topology, indices, material });
    }
    let (movie, losses, text) = check(&scene, 10.0, "all kinds");
    // In X3D, v points up.
    let drawn = movie.animations[0].corners_with_texcoords(1.0);
    let expected = corners_of(&scene, 0, 1.0);
    let mesh = &scene.meshes[0];
    for (corner, vertex) in [0_usize, 1, 2, 3, 4, 5, 0, 1, 4].into_iter().enumerate() {
        let [u, v] = mesh.texcoords[vertex].map(f64::from);
        let is_at = |[s, t]: [f64; 2]| (s - u).abs() < 1e-6 && (1.0 - t - v).abs() < 1e-6;
        let near = |(place, texcoord): &([f64; 3], Option<[f64; 2]>)| {
            let mut pairs = place.iter().zip(&expected[corner]);
            pairs.all(|(a, b)| (a - b).abs() < 1e-5) && texcoord.is_some_and(is_at)
        };
        assert!(drawn.iter().any(near), "{corner}: {drawn:?}");
    }
    for piece in [
        "<X3D version=\"4.0\"",
        "<Material diffuseColor=\"1 0.735357 0.5370987\" emissiveColor=\"0 0.38857287 0\" \
         transparency=\"0.25\"/><ImageTexture url='\"a%20b/c%27s.png\"'/>",
        "<UnlitMaterial emissiveColor=\"1 1 1\"/></Appearance><IndexedFaceSet solid=\"false\"",
        "<Coordinate USE=\"quad_coordinates\"/>",
        "<Material emissiveColor=\"1 0.735357 0.5370987\" transparency=\"0.25\"/>",
        "<PointSet><Coordinate point=\"0 1 0 1 0 0.25\"/></PointSet>",
    ] {
        assert!(text.contains(piece), "{piece} is not in {:?}", text.split("</frame>").next());
    }
    assert!(!text.contains("creaseAngle"), "all normals are flat");
    for code in [&codes::LOSS_IMAGE, &codes::LOSS_MATERIAL, &codes::LOSS_NORMALS] {
        assert_eq!(losses.count(code), 1, "{}", code.id);
    }
}

#[test]
fn colours_and_smooth_normals_are_written() {
    let mut scene = on_joint(arm(false, ParentRelative), 0);
    let mesh = &mut scene.meshes[0];
    mesh.normals = (0..6).map(|n| Vec3::new(n as f32, 1.0, 0.0)).collect();
    mesh.colors = vec![[0.5, 1.0, 0.0, 1.0]; 6];
    let (_, _, text) = check(&scene, 1.0, "colours");
    assert!(text.contains(
        "creaseAngle=\"4\" coordIndex=\"0 1 2 -1 1 3 2 -1\" texCoordIndex=\"0 1 \
                           2 -1 3 4 5 -1\" colorIndex=\"0 1 2 -1 3 4 5 -1\""
    ));
    assert!(text.contains("<Color color=\"0.735357 1 0 0.735357 1 0"));
    scene.meshes[0].colors[3][3] = 0.5;
    assert!(check(&scene, 1.0, "colours").2.contains(
        "<ColorRGBA color=\"0.735357 1 0 1 0.735357 1 0 1 0.735357 1 0 1 0.735357 1 0 0.5 "
    ));
}

/// In X3D, the colours of vertices replace that of the material, which they multiply in a scene.
#[test]
fn colours_are_multiplied_by_that_of_the_material() {
    let mut scene = on_joint(arm(false, ParentRelative), 0);
    scene.materials =
        vec![Material { base_color: [1.0, 0.5, 0.25, 0.5], ..Material::new("paint") }];
    scene.meshes[0].primitives[0].material = Some(MaterialId::new(0));
    scene.meshes[0].colors = vec![[0.5, 0.5, 1.0, 0.5]; 6];
    let (_, _, text) = check(&scene, 1.0, "tint");
    assert!(text.contains("<ColorRGBA color=\"0.735357 0.5370987 0.5370987 0.25 "), "{text}");
}

/// Primitives share a list of colours if their materials have the same colour. Each list has only
/// the vertices that are used, so many materials do not multiply the colours.
#[test]
fn colours_are_written_once_for_each_colour_of_a_material() {
    let mut scene = on_joint(arm(false, ParentRelative), 0);
    let blue = Material { base_color: [0.0, 0.0, 1.0, 1.0], ..Material::new("blue") };
    scene.materials = vec![Material::new("white"), blue];
    let mesh = &mut scene.meshes[0];
    mesh.colors = [
        [1., 0., 0., 1.],
        [0., 1., 0., 1.],
        [0., 0., 1., 1.],
        [1., 1., 0., 1.],
        [1., 0., 1., 1.],
        [0., 1., 1., 1.],
    ]
    .to_vec();
    mesh.primitives = [(vec![0, 1, 2], None), (vec![1, 4, 5], Some(1)), (vec![4, 2, 0], Some(0))]
        .map(|(indices, material)| {
            let material = material.map(MaterialId::new);
            Primitive { topology: Topology::Triangles, indices, material }
        })
        .to_vec();
    let (_, _, text) = check(&scene, 1.0, "shared colours");
    let still = text.split("</frame>").next().unwrap();
    for piece in [
        "colorIndex=\"0 1 2 -1\"><Coordinate DEF=\"quad_coordinates\"",
        "<Color DEF=\"quad_colors\" color=\"1 0 0 0 1 0 0 0 1 1 0 1\"/>",
        "colorIndex=\"0 1 2 -1\"><Coordinate USE=\"quad_coordinates\"/>\
         <Color color=\"0 0 0 0 0 1 0 0 1\"/><TextureCoordinate USE=\"quad_texcoords\"/>",
        "colorIndex=\"3 2 0 -1\"><Coordinate USE=\"quad_coordinates\"/>\
         <Color USE=\"quad_colors\"/>",
    ] {
        assert!(still.contains(piece), "{piece} is not in {still}");
    }
}

#[test]
fn lost_properties_of_materials() {
    let mut scene = on_joint(arm(false, ParentRelative), 0);
    let plain = Material { metallic: 0.0, roughness: 1.0, ..Material::new("plain") };
    let steel = Material { metallic: 0.5, roughness: 0.5, ..Material::new("steel") };
    scene.materials = vec![plain, steel];
    let (_, losses, _) = write(&scene, &FromIr::default());
    let lost = losses.iter().filter(|loss| loss.code.id == codes::LOSS_MATERIAL.id);
    let lost: Vec<&str> = lost.map(|loss| loss.message.as_str()).collect();
    let expected = ["roughness", "metalness"]
        .map(|what| format!("the {what} of material `steel` is not written"));
    assert_eq!(lost, expected);
}

#[test]
fn stepped_clips_have_a_frame_for_each_key() {
    let mut scene = on_joint(arm(false, ParentRelative), 0);
    let values = [0., 0., 0., 1., 0., 0., 2., 0., 0., 3., 0., 0.];
    let steps = [0.0, 1.25, 1.5, 4.0];
    scene.timelines = vec![track(JointId::new(0), Channel::Translation, Step, &steps, &values)];
    scene.clips[0].wrap = Wrap::PingPong;
    let (movie, losses, _) = write(&scene, &FromIr::default());
    let animation = &movie.animations[0];
    assert_eq!(animation.times, [1.0, 1.25, 1.5, 2.5]);
    assert!(animation.step && animation.loops && animation.backwards);
    assert_eq!(losses.count(&codes::LOSS_SAMPLED), 0);
    for t in [1.0, 1.125, 1.25, 1.49, 1.5, 2.0, 2.5] {
        assert!(distance(animation, &scene, 0, t) < 1e-5, "{t}");
    }
}

/// Between frames, translations, scales and vertices move along straight lines and rotations along
/// arcs, as linear tracks do. So the frames at the times of the keys show the same motion, unless
/// vertices are moved by rotating joints.
#[test]
fn linear_clips_have_a_frame_for_each_key() {
    let exact = [
        (on_joint(arm(false, ParentRelative), 0), &[1.0, 2.0, 2.5][..]),
        (on_joint(arm(false, ParentRelative), 1), &[1.0, 2.0, 2.5]),
        (on_joint(arm(false, DeltaFromRest), 1), &[1.0, 2.0, 2.5]),
        (morphing(on_joint(arm(false, ParentRelative), 1)), &[1.0, 2.5]),
    ];
    for (scene, times) in exact {
        let (movie, losses, _) = write(&scene, &FromIr::default());
        let animation = &movie.animations[0];
        assert_eq!(animation.times, times);
        assert!(!animation.step);
        assert_eq!(losses.count(&codes::LOSS_SAMPLED), 0);
        for t in 0..=60 {
            let t = 1.0 + f64::from(t) / 40.0;
            assert!(distance(animation, &scene, 0, t) < 2e-5, "{t}");
        }
        // A rate that is given is used.
        let (movie, losses, _) =
            write(&scene, &FromIr::default().with_frames_per_second(Some(25.0)));
        assert_eq!(movie.animations[0].times.len(), 39);
        assert_eq!(losses.count(&codes::LOSS_SAMPLED), 1);
    }
    let mut one_steps = on_joint(arm(false, ParentRelative), 1);
    let mut steps = TimelineBuilder::new("");
    let (times, places) = ([1.0, 2.0], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    steps.keys(JointId::new(0).into(), Channel::Translation, Step, &times, &places).unwrap();
    steps.keys(JointId::new(1).into(), Channel::Translation, Linear, &times, &places).unwrap();
    one_steps.timelines = vec![steps.finish()];
    for sampled in [skinned(arm(true, ParentRelative)), one_steps] {
        let (movie, losses, _) = write(&sampled, &FromIr::default());
        assert_eq!(movie.animations[0].times.len(), 39);
        assert_eq!(losses.count(&codes::LOSS_SAMPLED), 1);
    }
}

#[test]
fn a_clip_without_motion_has_two_frames() {
    let mut scene = on_joint(arm(false, ParentRelative), 0);
    scene.timelines[0] = anim_ir::Timeline::default();
    let (movie, ..) = write(&scene, &FromIr::default());
    let Clip { start, end, .. } = scene.clips[0];
    assert_eq!(movie.animations[0].times, [f64::from(start), f64::from(end)]);
    assert!(distance(&movie.animations[0], &scene, 0, f64::from(start)) < 1e-5);
}

/// Hidden joints and all their descendants are omitted.
#[test]
fn hidden_joints() {
    let mut scene = on_joint(arm(false, ParentRelative), 1);
    scene.timelines =
        vec![track(JointId::new(0), Channel::Visibility, Step, &[1.0, 2.0], &[1.0, 0.0])];
    let (movie, losses, _) = write(&scene, &FromIr::default());
    let animation = &movie.animations[0];
    assert_eq!((animation.corners_at(1.5).len(), animation.corners_at(2.25).len()), (6, 0));
    assert_eq!(losses.count(&codes::LOSS_VISIBILITY), 1);

    scene.timelines[0] = track(JointId::new(1), Channel::Translation, Step, &[1.0, 2.0], &[0.0; 6]);
    scene.skeletons[0].joints[0].visible = false;
    let (movie, ..) = write(&scene, &FromIr::default());
    assert_eq!(movie.animations[0].corners_at(1.5).len(), 0, "hidden at rest");
}

/// An animation without a name is named after its file, and has no name again when it is written.
#[test]
fn a_clip_is_named_after_its_file() {
    let mut scene = on_joint(arm(false, ParentRelative), 0);
    let mut named = |name: &str, file: &str| {
        scene.clips[0].name = name.into();
        let written = from_ir(&scene, &FromIr::default()).unwrap().value;
        clip_of_file(&written.animations()[0], file)
    };
    assert_eq!(named("walk", "file").name, "walk");
    assert_eq!(named("", "").name, "animation");
    let mut clip = named("", "file");
    assert_eq!(clip.name, "file");
    let mut again = |clip: &Clip| {
        let timed = scene.clips[0].clone();
        scene.clips[0] = Clip { name: clip.name.clone(), extras: clip.extras.clone(), ..timed };
        let written = from_ir(&scene, &FromIr::default()).unwrap().value;
        written.animations()[0].name.clone()
    };
    assert_eq!(again(&clip), "animation");
    clip.name = "run".into();
    assert_eq!(again(&clip), "run", "it was renamed");
}

/// XML names cannot start with a digit.
#[test]
fn names_of_nodes_start_with_a_letter_or_underscore() {
    let mut scene = on_joint(arm(false, ParentRelative), 0);
    scene.skeletons[0].joints[0].name = "1st".to_owned();
    let (_, _, text) = write(&scene, &FromIr::default());
    assert!(text.contains("DEF=\"_1st\""), "{text}");
}

#[test]
fn names_and_stills() {
    let mut scene = on_joint(arm(false, ParentRelative), 0);
    scene.clips = ["", "a\u{1b}", "a_", "<&>", "<&>"]
        .map(|name| Clip { name: name.into(), ..scene.clips[0].clone() })
        .to_vec();
    let (movie, losses, _) = write(&scene, &FromIr::default().with_frames_per_second(Some(1.0)));
    let names = movie.animations.iter().map(|animation| &*animation.name);
    assert!(names.eq(["animation", "a_", "a_.001", "<&>", "<&>.001"]));
    assert_eq!(losses.count(&codes::LOSS_NAME), 4);

    scene.clips.clear();
    let still = from_ir(&scene, &FromIr::default()).unwrap().value;
    assert_eq!((still.animations().len(), still.animations()[0].frames.len()), (1, 1));
    assert_eq!(from_ir(&Scene::default(), &FromIr::default()).unwrap_err(), FromIrError::Empty);
}

/// Rounding errors stay within the chosen decimals; limits are checked before anything is built.
#[test]
fn decimals_and_limits() {
    let scene = skinned(arm(true, ParentRelative));
    let (movie, ..) = write(&scene, &FromIr::default().with_minify(true).with_decimals(2));
    let animation = &movie.animations[0];
    for t in &animation.times {
        let distance = distance(animation, &scene, 0, *t);
        assert!(distance < 0.0051 * 3_f64.sqrt(), "{distance}");
    }
    let options =
        FromIr::default().with_limits(Limits { memory: Some(1 << 20), ..Limits::default() });
    assert!(from_ir(&scene, &options).is_ok());
    let mut long = scene.clone();
    long.clips[0].end = 1e30;
    let error = |scene: &Scene, rate: f64| {
        from_ir(scene, &options.clone().with_frames_per_second(Some(rate))).unwrap_err()
    };
    for (scene, rate) in [(&scene, 1e30), (&scene, 1_000.0), (&long, 25.0)] {
        assert!(matches!(error(scene, rate), FromIrError::Limit(_)), "{rate}");
    }
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(error(&scene, rate), FromIrError::Rate(_)), "{rate}");
    }
}

#[test]
fn meshes_on_a_chain_of_joints_take_linear_time() {
    let chain = |count: usize| {
        let mut scene = Scene { skeletons: vec![Skeleton::new("rig")], ..Scene::default() };
        for joint in 0..count {
            let parent = joint.checked_sub(1).map(JointId::new);
            scene.skeletons[0].add_joint(Joint::new(format!("j{joint}"), parent));
            scene = on_joint(scene, joint);
        }
        scene
    };
    let write = |scene: &Scene| drop(from_ir(scene, &FromIr::default()).unwrap());
    assert_linear("chain", chain, write, 1000);
}
