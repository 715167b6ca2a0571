//! Scenes written as stills, against two evaluations that share no code with the writer: the IR's
//! sampling of the scene, and the oracle's reading of the file.

use anim_ir::{
    Channel, Clip, Image, ImageId, ImageSource, Interpolation, Joint, JointId, Limits, Mat4,
    Material, MaterialId, Pose, PoseSpace, Primitive, Sampler, Scene, Skeleton, TimelineBuilder,
    Topology, Vec3, Wrap,
};
use fmt_castle::{Document, FromIr, FromIrError, codes, finish, from_ir};
use test_oracle::{castle, compare};

use crate::scenes::{arm, morphing, on_joint, skinned, turn};

/// Where the corners of all triangles, line ends and points are, as the IR says.
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
            let mut place = mesh.positions[vertex].to_array();
            for (target, weight) in mesh.morph_targets.iter().zip(weights) {
                (0..3).for_each(|axis| {
                    place[axis] += target.positions[vertex].to_array()[axis] * weight
                });
            }
            Vec3::from(place)
        };
        let carrier = node.parent.map_or(Mat4::IDENTITY, |at| model[at.joint.index()])
            * node.transform.to_matrix();
        if let Some(skin) = node.skin {
            scene.skin(skin).unwrap().matrices(&model, &mut matrices);
        }
        for vertex in
            mesh.primitives.iter().flat_map(|part| &part.indices).map(|vertex| *vertex as usize)
        {
            let (mesh_place, width) = (place(vertex), mesh.influences.per_vertex);
            if node.skin.is_none() {
                corners.push(carrier.transform_point(mesh_place).to_array().map(f64::from));
                continue;
            }
            let mut sum = [0.0; 3];
            for slot in vertex * width..(vertex + 1) * width {
                let moved = matrices[mesh.influences.joints[slot] as usize]
                    .transform_point(mesh_place)
                    .to_array();
                (0..3).for_each(|axis| {
                    sum[axis] += f64::from(moved[axis]) * f64::from(mesh.influences.weights[slot])
                });
            }
            corners.push(sum);
        }
    }
    corners
}

fn write(scene: &Scene, options: &FromIr) -> (castle::Movie, anim_ir::Diagnostics, String) {
    let written = from_ir(scene, options).unwrap();
    let bytes = finish(&written.value, options).unwrap().main;
    let again = Document::parse(&bytes[..]).unwrap();
    assert!(
        again.diagnostics.worst() < Some(anim_ir::Severity::Warning),
        "{:?}",
        again.diagnostics
    );
    (
        castle::read(&bytes, &|url| panic!("nothing is beside it: {url}")),
        written.losses,
        String::from_utf8(bytes).unwrap(),
    )
}

/// At every frame all corners are where the scene has them, the box is around them, and between
/// frames nothing is far off.
fn check(scene: &Scene, rate: f64, label: &str) -> (castle::Movie, anim_ir::Diagnostics, String) {
    let (movie, losses, text) = write(scene, &FromIr::default().with_frames_per_second(Some(rate)));
    assert_eq!(movie.animations.len(), scene.clips.len());
    for (index, (animation, clip)) in movie.animations.iter().zip(&scene.clips).enumerate() {
        assert_eq!(
            (animation.times[0] as f32, *animation.times.last().unwrap() as f32),
            (clip.start, clip.end),
            "{label}"
        );
        for (frame, t) in animation.times.iter().enumerate() {
            let found =
                [animation.corners_at(*t), animation.line_ends_at(*t), animation.points_at(*t)]
                    .concat();
            let expected = corners_of(scene, index, *t as f32);
            assert!(!expected.is_empty());
            let distance = compare::max_distance_between_sets(&found, &expected);
            assert!(distance < 2e-5, "{label} at {t}: {distance}");
            let [center, size] = animation.boxes[frame].unwrap();
            for axis in 0..3 {
                let bound = |with: fn(f64, f64) -> f64, start: f64| {
                    expected.iter().map(|corner| corner[axis]).fold(start, with)
                };
                assert!(
                    (bound(f64::min, f64::MAX) - (center[axis] - size[axis] / 2.0)).abs() < 1e-4,
                    "{label} at {t}: {center:?} {size:?}"
                );
                assert!(
                    (bound(f64::max, f64::MIN) - (center[axis] + size[axis] / 2.0)).abs() < 1e-4,
                    "{label} at {t}: {center:?} {size:?}"
                );
            }
        }
        for i in 0..animation.times.len() - 1 {
            assert!(animation.structurally_equal(i), "{label}: {:?}", animation.difference(i));
            let t = (animation.times[i] + animation.times[i + 1]) / 2.0;
            let distance = compare::max_distance_between_sets(
                &animation.corners_at(t),
                &corners_of(scene, index, t as f32),
            );
            assert!(distance < 0.1, "{label} between frames at {t}: {distance}");
        }
    }
    (movie, losses, text)
}

#[test]
fn what_hangs_from_joints_keeps_its_tree() {
    for joint in [0, 1] {
        let scene = on_joint(arm(false, PoseSpace::ParentRelative), joint);
        let (movie, losses, text) = check(&scene, 25.0, "nodes");
        assert_eq!(movie.animations[0].times.len(), 39, "38 steps at 25 a second, rounded up");
        assert!(movie.animations[0].loops && !movie.animations[0].backwards);
        // The joint's own transform moves, the vertices do not.
        assert_eq!(text.matches("point=\"0 0 0 1 0 0.25 0 1 0 1 1 0.5\"").count(), 39);
        assert!(
            text.contains("DEF=\"upper_arm\"")
                && text.contains("DEF=\"upper_arm_001\"") == (joint == 1)
        );
        assert_eq!(losses.count(&codes::LOSS_JOINTS), u64::from(joint == 0));
        assert_eq!(losses.count(&codes::LOSS_SAMPLED), 1);
    }
}

#[test]
fn turning_stays_turning() {
    // Two frames 80° apart: between them it turns, to the last bit of what a straight line of
    // vertices could not.
    let mut scene = on_joint(arm(false, PoseSpace::ParentRelative), 0);
    scene.clips[0].end = 2.0;
    let (movie, ..) = write(&scene, &FromIr::default().with_frames_per_second(Some(1.0)));
    assert_eq!(movie.animations[0].times, [1.0, 2.0]);
    let distance = compare::max_distance_between_sets(
        &movie.animations[0].corners_at(1.5),
        &corners_of(&scene, 0, 1.5),
    );
    assert!(distance < 1e-5, "{distance}");
}

#[test]
fn skins_and_morph_targets_become_vertices() {
    check(&skinned(arm(true, PoseSpace::ParentRelative)), 50.0, "skin");
    check(&skinned(arm(true, PoseSpace::DeltaFromRest)), 50.0, "skin, deltas");
    let (_, losses, text) = check(
        &morphing(skinned(arm(true, PoseSpace::ParentRelative))),
        50.0,
        "skin and morph targets",
    );
    assert_eq!(losses.count(&codes::LOSS_JOINTS), 1);
    assert!(!text.contains("upper_arm"));
    let (_, losses, text) = check(
        &morphing(on_joint(arm(false, PoseSpace::ParentRelative), 1)),
        50.0,
        "morph targets on a joint",
    );
    assert!(text.contains("upper_arm_001"));
    assert_eq!(losses.count(&codes::LOSS_JOINTS), 0);
}

/// Places that translation, rotation and scale cannot say: shear, deltas before an uneven rest,
/// more joints than XML bears.
#[test]
fn what_no_transform_holds_becomes_vertices() {
    let mut shear = on_joint(arm(false, PoseSpace::ParentRelative), 1);
    let mut matrix = Mat4::IDENTITY;
    matrix.columns[1][0] = 0.5;
    shear.skeletons[0].joints[0].exact_rest = Some(matrix);
    let keys = |builder: &mut TimelineBuilder| {
        builder
            .keys(
                JointId::new(1).into(),
                Channel::Rotation,
                Interpolation::Linear,
                &[1.0, 2.5],
                &[turn(0.0), turn(90.0)].concat(),
            )
            .unwrap();
    };
    let mut builder = TimelineBuilder::new("");
    keys(&mut builder);
    shear.timelines = vec![builder.finish()];
    check(&shear, 50.0, "shear");

    let mut deltas = on_joint(arm(false, PoseSpace::DeltaFromRest), 1);
    deltas.skeletons[0].joints[1].rest.scale = Vec3::new(1.0, 2.0, 3.0);
    check(&deltas, 50.0, "uneven rest");

    let mut deep = Scene::default();
    let mut skeleton = Skeleton::nodes("chain");
    for n in 0..5_000_usize {
        skeleton.add_joint(Joint::new("", n.checked_sub(1).map(JointId::new)));
        skeleton.joints[n].rest.translation = Vec3::new(0.001, 0.0, 0.0);
    }
    deep.skeletons.push(skeleton);
    let mut builder = TimelineBuilder::new("");
    builder
        .keys(
            JointId::new(3).into(),
            Channel::Rotation,
            Interpolation::Linear,
            &[1.0, 2.5],
            &[turn(0.0), turn(40.0)].concat(),
        )
        .unwrap();
    deep.timelines.push(builder.finish());
    deep.clips.push(Clip { start: 1.0, end: 2.5, ..Clip::default() });
    let (_, losses, text) = check(&on_joint(deep.clone(), 4_999), 10.0, "deep");
    assert_eq!((losses.count(&codes::LOSS_JOINTS), text.contains("joint")), (1, false));
    assert!(check(&on_joint(deep, 199), 10.0, "as deep as goes").2.contains("joint_199"));
}

#[test]
fn texture_coordinates_lines_points_and_looks() {
    let mut scene = on_joint(arm(false, PoseSpace::ParentRelative), 1);
    let path = |path: &str| Image { name: String::new(), source: ImageSource::Path(path.into()) };
    scene.images = vec![
        path("a b/c's.png"),
        Image {
            name: "inside".into(),
            source: ImageSource::Embedded { mime_type: "image/png".into(), bytes: vec![] },
        },
    ];
    scene.materials = vec![Material::new("red"), Material::new("glow")];
    scene.materials[0] = Material {
        base_color: [1.0, 0.5, 0.25, 0.75],
        base_color_image: Some(ImageId::new(0)),
        emissive: [0.0, 0.125, 0.0],
        double_sided: false,
        ..Material::new("red")
    };
    scene.materials[1] = Material {
        unlit: true,
        base_color_image: Some(ImageId::new(1)),
        roughness: 0.5,
        ..Material::new("glow")
    };
    let mesh = &mut scene.meshes[0];
    mesh.normals = vec![Vec3::new(0.0, 0.0, 1.0); 6];
    mesh.primitives[0].material = Some(MaterialId::new(0));
    let part = |topology, indices: &[u32], material| Primitive {
        topology,
        indices: indices.to_vec(),
        material,
    };
    mesh.primitives.push(part(Topology::Triangles, &[0, 1, 4], Some(MaterialId::new(1))));
    mesh.primitives.push(part(Topology::Lines, &[0, 4, 4, 2], Some(MaterialId::new(0))));
    mesh.primitives.push(part(Topology::Points, &[5, 1], None));
    mesh.primitives.push(part(Topology::Points, &[], None));
    let (movie, losses, text) = check(&scene, 10.0, "all kinds");
    // v points up in X3D.
    let drawn = movie.animations[0].corners_with_texcoords(1.0);
    let expected = corners_of(&scene, 0, 1.0);
    let mesh = &scene.meshes[0];
    for (corner, vertex) in [0_usize, 1, 2, 3, 4, 5, 0, 1, 4].into_iter().enumerate() {
        let [u, v] = mesh.texcoords[vertex].map(f64::from);
        let near = |(place, texcoord): &([f64; 3], Option<[f64; 2]>)| {
            let apart =
                (0..3).map(|axis| (place[axis] - expected[corner][axis]).abs()).fold(0.0, f64::max);
            apart < 1e-5
                && texcoord.is_some_and(|[s, t]| (s - u).abs() < 1e-6 && (1.0 - t - v).abs() < 1e-6)
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
        assert!(
            text.contains(piece),
            "{piece} is not in {}",
            text.split("</frame>").next().unwrap()
        );
    }
    assert!(!text.contains("creaseAngle"), "all normals are those of flat faces");
    let lost = |code| losses.count(code);
    assert_eq!(
        (lost(&codes::LOSS_IMAGE), lost(&codes::LOSS_MATERIAL), lost(&codes::LOSS_NORMALS)),
        (1, 1, 1)
    );
}

#[test]
fn colours_and_smooth_normals() {
    let mut scene = on_joint(arm(false, PoseSpace::ParentRelative), 0);
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

#[test]
fn steps_have_a_frame_for_each_key() {
    let mut scene = on_joint(arm(false, PoseSpace::ParentRelative), 0);
    let mut builder = TimelineBuilder::new("");
    let times = [0.0, 1.25, 1.5, 4.0];
    builder
        .keys(
            JointId::new(0).into(),
            Channel::Translation,
            Interpolation::Step,
            &times,
            &[0., 0., 0., 1., 0., 0., 2., 0., 0., 3., 0., 0.],
        )
        .unwrap();
    scene.timelines = vec![builder.finish()];
    scene.clips[0].wrap = Wrap::PingPong;
    let (movie, losses, _) = write(&scene, &FromIr::default());
    let animation = &movie.animations[0];
    assert_eq!(
        (animation.times.as_slice(), animation.step, animation.loops, animation.backwards),
        ([1.0, 1.25, 1.5, 2.5].as_slice(), true, true, true)
    );
    assert_eq!(losses.count(&codes::LOSS_SAMPLED), 0);
    for t in [1.0, 1.125, 1.25, 1.49, 1.5, 2.0, 2.5] {
        let distance = compare::max_distance_between_sets(
            &animation.corners_at(t),
            &corners_of(&scene, 0, t as f32),
        );
        assert!(distance < 1e-5, "{t}");
    }
}

/// What is hidden is not there, with all that hangs from it.
#[test]
fn hidden_joints() {
    let mut scene = on_joint(arm(false, PoseSpace::ParentRelative), 1);
    let mut builder = TimelineBuilder::new("");
    builder
        .keys(
            JointId::new(0).into(),
            Channel::Visibility,
            Interpolation::Step,
            &[1.0, 2.0],
            &[1.0, 0.0],
        )
        .unwrap();
    scene.timelines = vec![builder.finish()];
    let (movie, losses, _) = write(&scene, &FromIr::default());
    let animation = &movie.animations[0];
    assert_eq!((animation.corners_at(1.5).len(), animation.corners_at(2.25).len()), (6, 0));
    assert_eq!(losses.count(&codes::LOSS_VISIBILITY), 1);
}

#[test]
fn names_and_stills() {
    let mut scene = on_joint(arm(false, PoseSpace::ParentRelative), 0);
    scene.clips = ["", "a\u{1b}", "a_", "<&>", "<&>"]
        .map(|name| Clip { name: name.into(), ..scene.clips[0].clone() })
        .to_vec();
    let (movie, losses, _) = write(&scene, &FromIr::default().with_frames_per_second(Some(1.0)));
    let names: Vec<&str> =
        movie.animations.iter().map(|animation| animation.name.as_str()).collect();
    assert_eq!(names, ["animation", "a_", "a_.001", "<&>", "<&>.001"]);
    assert_eq!(losses.count(&codes::LOSS_NAME), 4);

    scene.clips.clear();
    let still = from_ir(&scene, &FromIr::default()).unwrap().value;
    assert_eq!((still.animations().len(), still.animations()[0].frames.len()), (1, 1));
    assert_eq!(from_ir(&Scene::default(), &FromIr::default()).unwrap_err(), FromIrError::Empty);
}

/// Decimals bound the size; the limit is looked at before anything is made.
#[test]
fn decimals_and_limits() {
    let scene = skinned(arm(true, PoseSpace::ParentRelative));
    let (movie, ..) = write(&scene, &FromIr::default().with_minify(true).with_decimals(2));
    let animation = &movie.animations[0];
    for t in &animation.times {
        let distance = compare::max_distance_between_sets(
            &animation.corners_at(*t),
            &corners_of(&scene, 0, *t as f32),
        );
        assert!(distance < 0.0051 * 3_f64.sqrt(), "{distance}");
    }
    let limits = Limits { samples: 1_000, ..Limits::default() };
    assert!(from_ir(&scene, &FromIr::default().with_limits(limits)).is_ok());
    let mut long = scene.clone();
    long.clips[0].end = 1e30;
    for (scene, rate) in [(&scene, 1e30), (&scene, 1_000.0), (&long, 25.0)] {
        assert!(
            matches!(
                from_ir(
                    scene,
                    &FromIr::default().with_frames_per_second(Some(rate)).with_limits(limits)
                ),
                Err(FromIrError::Limit(_))
            ),
            "{rate}"
        );
    }
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            from_ir(&scene, &FromIr::default().with_frames_per_second(Some(rate))),
            Err(FromIrError::Rate(_))
        ));
    }
}
