//! Tests that every kind of difference between shapes and materials is found, and that changes that
//! are not visible in a renderer are ignored.

use anim_ir::diff::{Attribute, Difference, Options, Side, diff};
use anim_ir::{
    Axes, Image, Influences, Joint, JointId, JointRef, Limits, Mat4, Material, MaterialId, Mesh,
    MeshId, MorphTarget, Node, Primitive, Quat, Scene, Skeleton, SkeletonId, Skin, SkinId,
    Topology, Transform, Vec3,
};

use crate::diff::{changes, found};

fn point(x: f32, y: f32) -> Vec3 {
    Vec3::new(x, y, 0.0)
}

/// Returns a square of two triangles, red and blue, skinned to two joints, with a morph target that
/// lifts a corner.
fn mesh() -> Mesh {
    let part = |indices: [u32; 3], material| Primitive {
        indices: indices.to_vec(),
        material: Some(MaterialId::new(material)),
        ..Primitive::default()
    };
    let mut lifted = vec![Vec3::ZERO; 4];
    lifted[2] = Vec3::new(0.0, 0.0, 0.5);
    Mesh {
        name: "square".into(),
        positions: vec![point(0.0, 0.0), point(2.0, 0.0), point(2.0, 2.0), point(0.0, 2.0)],
        normals: vec![Vec3::new(0.0, 0.0, 1.0); 4],
        texcoords: vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]],
        colors: vec![[1.0, 0.5, 0.0, 1.0]; 4],
        influences: Influences {
            per_vertex: 2,
            joints: vec![0, 1, 0, 1, 0, 1, 0, 1],
            weights: vec![1.0, 0.0, 0.5, 0.5, 0.25, 0.75, 0.0, 1.0],
        },
        morph_targets: vec![MorphTarget {
            name: "lift".into(),
            positions: lifted,
            normals: vec![],
        }],
        primitives: vec![part([0, 1, 2], 0), part([0, 2, 3], 1)],
        ..Mesh::default()
    }
}

fn scene() -> Scene {
    let joints = vec![Joint::new("hip", None), Joint::new("knee", Some(JointId::new(0)))];
    let material = |name: &str, base_color| Material { base_color, ..Material::new(name) };
    Scene {
        skeletons: vec![Skeleton { joints, ..Skeleton::default() }],
        meshes: vec![mesh()],
        skins: vec![Skin {
            skeleton: SkeletonId::new(0),
            joints: vec![JointId::new(0), JointId::new(1)],
            inverse_bind: vec![Mat4::IDENTITY; 2],
        }],
        nodes: vec![Node {
            name: "body".into(),
            mesh: Some(MeshId::new(0)),
            skin: Some(SkinId::new(0)),
            ..Node::default()
        }],
        materials: vec![
            material("red", [1.0, 0.0, 0.0, 1.0]),
            material("blue", [0.0, 0.0, 1.0, 1.0]),
        ],
        ..Scene::default()
    }
}

#[track_caller]
fn changed(change: impl FnOnce(&mut Scene)) -> Vec<Difference> {
    changes(&scene(), change)
}

#[track_caller]
fn only(change: impl FnOnce(&mut Scene)) -> Difference {
    crate::diff::only(changed(change))
}

/// Asserts that one attribute differs at one vertex.
#[track_caller]
fn assert_vertex(found: Difference, expected: Attribute, on: Option<&str>, at: usize, size: f64) {
    let Difference::Vertices { shape, attribute, target, count, vertex, at: place, by } = found
    else {
        panic!("{found:?}")
    };
    assert_eq!((shape.as_str(), attribute, target.as_deref()), ("body", expected, on));
    assert_eq!((count, vertex), (1, at));
    let corners = mesh().positions;
    assert_eq!(place, corners[at]);
    assert!((by - size).abs() < 1e-6, "{by}");
}

#[test]
fn nothing_differs() {
    let same = found(&scene(), &scene());
    assert_eq!((same.shapes, same.materials, same.is_same()), (1, 2, true));
}

/// Shapes are compared even if the scenes have no skeletons.
#[test]
fn static_shapes_are_compared() {
    let still = Scene { skeletons: vec![], skins: vec![], ..scene() };
    assert!(found(&still, &still).is_same());
    let mut moved = still.clone();
    moved.meshes[0].positions[2].x = 2.1;
    assert_eq!(found(&still, &moved).counts["positions"], 1);
}

#[test]
fn one_vertex_of_each_attribute() {
    let moved = only(|scene| scene.meshes[0].positions[1].y = 0.25);
    assert_vertex(moved, Attribute::Positions, None, 1, 0.25);
    let turned = only(|scene| scene.meshes[0].normals[3] = Vec3::new(1.0, 0.0, 1.0));
    assert_vertex(turned, Attribute::Normals, None, 3, std::f64::consts::FRAC_PI_4);
    let slid = only(|scene| scene.meshes[0].texcoords[0][1] = 0.5);
    assert_vertex(slid, Attribute::TextureCoordinates, None, 0, 0.5);
    let painted = only(|scene| scene.meshes[0].colors[2] = [1.0, 0.5, 1.0, 1.0]);
    assert_vertex(painted, Attribute::Colors, None, 2, 1.0);
    let weighted = only(|scene| {
        let weights = &mut scene.meshes[0].influences.weights;
        (weights[4], weights[5]) = (0.5, 0.5);
    });
    assert_vertex(weighted, Attribute::Influences, None, 2, 0.25);
    let other_joint = only(|scene| scene.meshes[0].influences.joints[0] = 1);
    assert_vertex(other_joint, Attribute::Influences, None, 0, 1.0);
    let bent = only(|scene| scene.meshes[0].morph_targets[0].positions[2].z = 0.75);
    assert_vertex(bent, Attribute::Positions, Some("lift"), 2, 0.25);
    let mut normals = vec![Vec3::ZERO; 4];
    normals[1] = Vec3::new(1.0, 0.0, 0.0);
    let turned = only(|scene| scene.meshes[0].morph_targets[0].normals = normals);
    assert_vertex(turned, Attribute::Normals, Some("lift"), 1, std::f64::consts::FRAC_PI_4);
}

/// The tolerance for positions is relative to the size of the shape, regardless of other shapes.
#[test]
fn position_tolerance_is_relative_to_the_shape() {
    // The tolerance is 0.001 of the largest coordinate, which is 2.
    assert_eq!(changed(|scene| scene.meshes[0].positions[0].x = 0.0019), []);
    assert_eq!(changed(|scene| scene.meshes[0].positions[0].x = 0.0021).len(), 1);
    assert_eq!(changed(|scene| scene.meshes[0].colors[0][0] = 0.9995), []);
    let far = |mut scene: Scene| {
        let meadow = Mesh {
            positions: vec![point(1e6, 0.0); 3],
            primitives: vec![Primitive { indices: vec![0, 1, 2], ..Primitive::default() }],
            ..Mesh::default()
        };
        let mesh = Some(scene.add_mesh(meadow));
        scene.add_node(Node { name: "meadow".into(), mesh, ..Node::default() });
        scene
    };
    let mut moved = scene();
    moved.meshes[0].positions[0].x = 0.0021;
    assert_eq!(found(&far(scene()), &far(moved)).counts["positions"], 1);
}

#[test]
fn attributes_in_only_one_scene_are_reported() {
    let shape = || "body".to_owned();
    let plain = only(|scene| scene.meshes[0].normals = vec![]);
    let (attribute, side) = (Attribute::Normals, Side::A);
    assert_eq!(plain, Difference::AttributeOnly { shape: shape(), attribute, side });
    let bare = only(|scene| scene.meshes[0].texcoords = vec![]);
    let attribute = Attribute::TextureCoordinates;
    assert_eq!(bare, Difference::AttributeOnly { shape: shape(), attribute, side });
    let white = |scene: &mut Scene| scene.meshes[0].colors = vec![[1.0; 4]; 4];
    let [mut a, mut b] = [scene(), scene()];
    white(&mut a);
    b.meshes[0].colors = vec![];
    assert!(found(&a, &b).is_same(), "without colours, vertices are white");
}

#[test]
fn elements_and_targets() {
    let more = only(|scene| scene.meshes[0].primitives[1].indices.extend([3, 2, 0]));
    let (shape, topology) = ("body".to_owned(), Topology::Triangles);
    assert_eq!(more, Difference::Elements { shape, topology, counts: [2, 3] });
    let none = only(|scene| scene.meshes[0].morph_targets.clear());
    assert_eq!(none, Difference::Targets { shape: "body".into(), counts: [1, 0] });
    let named = only(|scene| scene.meshes[0].morph_targets[0].name = "rise".into());
    let names = ["lift".into(), "rise".into()];
    assert_eq!(named, Difference::TargetName { shape: "body".into(), names });
    let (shape, target) = ("body".to_owned(), "lift".to_owned());
    let weight = only(|scene| scene.meshes[0].morph_weights = vec![0.5]);
    assert_eq!(weight, Difference::TargetWeight { shape, target, weights: [0.0, 0.5] });
    let mut half = scene();
    half.meshes[0].morph_weights = vec![0.5];
    assert!(found(&half, &half).is_same());
}

/// Compares the shape with a copy that has one vertex per face corner.
#[test]
fn split_vertices_are_not_a_difference() {
    let split = changed(|scene| {
        let mesh = &mut scene.meshes[0];
        let corners: Vec<usize> = vec![0, 1, 2, 0, 2, 3];
        fn pick<T: Clone>(list: &[T], corners: &[usize]) -> Vec<T> {
            corners.iter().map(|corner| list[*corner].clone()).collect()
        }
        mesh.positions = pick(&mesh.positions, &corners);
        mesh.normals = pick(&mesh.normals, &corners);
        mesh.texcoords = pick(&mesh.texcoords, &corners);
        mesh.colors = pick(&mesh.colors, &corners);
        let influences = &mut mesh.influences;
        let rows: Vec<[u32; 2]> = influences.joints.chunks(2).map(|row| [row[0], row[1]]).collect();
        influences.joints = pick(&rows, &corners).concat();
        let rows: Vec<[f32; 2]> =
            influences.weights.chunks(2).map(|row| [row[0], row[1]]).collect();
        influences.weights = pick(&rows, &corners).concat();
        let target = &mut mesh.morph_targets[0];
        target.positions = pick(&target.positions, &corners);
        mesh.primitives[0].indices = vec![0, 1, 2];
        mesh.primitives[1].indices = vec![3, 4, 5];
    });
    assert_eq!(split, []);
}

/// Compares the shape with itself under a different parent with different local coordinates, in
/// different axes, with a different name, and with a different bind pose.
#[test]
fn different_placements_of_the_same_shape_are_equal() {
    let rigid = |transform: Transform, own: Vec3| {
        let mut scene = scene();
        scene.skins.clear();
        scene.nodes[0].skin = None;
        scene.nodes[0].transform = transform;
        scene.meshes[0].influences = Influences::default();
        scene.meshes[0].positions.iter_mut().for_each(|position| *position -= own);
        scene
    };
    let up = Vec3::new(0.0, 3.0, 0.0);
    let moved = Transform { translation: up, ..Transform::IDENTITY };
    let plain = rigid(Transform::IDENTITY, Vec3::ZERO);
    assert!(found(&plain, &rigid(moved, up)).is_same());
    assert_eq!(found(&plain, &rigid(moved, Vec3::ZERO)).counts["positions"], 1);
    let turned = plain.in_axes(Axes::YDown).into_owned();
    assert!(found(&plain, &turned).is_same());

    assert_eq!(
        changed(|scene| scene.nodes[0].name = "corpse".into()),
        [],
        "the only unmatched shape"
    );
    let bound = changed(|scene| {
        scene.meshes[0].positions.iter_mut().for_each(|position| *position += up);
        let back = Transform { translation: Vec3::ZERO - up, ..Transform::IDENTITY }.to_matrix();
        scene.skins[0].inverse_bind = vec![back; 2];
    });
    assert_eq!(bound, []);
}

/// One of two nodes with the same mesh has moved, and a colour has changed. The order of the nodes
/// does not matter.
#[test]
fn instances_in_any_order_differ_alike() {
    let instances = |nodes: [(&str, f32); 2], red: f32| {
        let mut scene = scene();
        scene.skins.clear();
        scene.meshes[0].influences = Influences::default();
        scene.meshes[0].colors[0][0] = red;
        scene.nodes = nodes
            .map(|(name, height)| Node {
                name: name.into(),
                transform: Transform { translation: point(0.0, height), ..Transform::IDENTITY },
                mesh: Some(MeshId::new(0)),
                ..Node::default()
            })
            .into();
        scene
    };
    let a = instances([("near", 0.0), ("far", 0.0)], 1.0);
    let b = instances([("far", 0.0), ("near", 5.0)], 0.0);
    let (there, back) = (found(&a, &b), found(&b, &a));
    assert_eq!(there.counts["colours"], 2);
    assert_eq!(there.counts, back.counts);
}

/// A joint may be in a skin twice. What counts is the sum of its weights, in every bind pose.
#[test]
fn weights_of_the_same_joint_are_added() {
    let bound = |weights: [f32; 2], up: Vec3| {
        let mut scene = scene();
        scene.skins[0].joints = vec![JointId::new(0); 2];
        let back = Transform { translation: Vec3::ZERO - up, ..Transform::IDENTITY };
        scene.skins[0].inverse_bind = vec![back.to_matrix(); 2];
        scene.meshes[0].influences.weights = weights.repeat(4);
        scene.meshes[0].positions.iter_mut().for_each(|position| *position += up);
        scene
    };
    let half = bound([0.5, 0.5], Vec3::ZERO);
    assert!(found(&half, &bound([0.0, 1.0], Vec3::ZERO)).is_same());
    assert!(found(&half, &bound([0.25, 0.75], Vec3::new(0.0, 3.0, 0.0))).is_same());
}

/// The angle is found by which one scene is rotated about x relative to the other.
#[test]
fn rotated_scenes() {
    let still = Scene { skeletons: vec![], skins: vec![], ..scene() };
    let mut turned = still.clone();
    let x = Vec3::new(1.0, 0.0, 0.0);
    turned.nodes[0].transform.rotation = Quat::from_axis_angle(x, std::f64::consts::FRAC_PI_2);
    assert_eq!(found(&still, &turned).rotated, Some(90));
    assert_eq!(found(&turned, &still).rotated, Some(-90));
    assert_eq!(found(&still, &still).rotated, None);
}

/// A normal of zero has no direction that could differ.
#[test]
fn zero_normals_are_counted() {
    let mut zero = Scene { skeletons: vec![], skins: vec![], ..scene() };
    let x = Vec3::new(1.0, 0.0, 0.0);
    let mut turned = zero.clone();
    turned.nodes[0].transform.rotation = Quat::from_axis_angle(x, std::f64::consts::PI);
    zero.meshes[0].normals[2] = Vec3::ZERO;
    let same = found(&zero, &zero);
    assert_eq!((same.is_same(), same.zero_normals), (true, 0));
    let found = found(&zero, &turned);
    assert_eq!((found.rotated, found.zero_normals), (Some(180), 1));
}

/// Files with different clips have different morph targets, and use any frame as the mesh. Only
/// their shapes at the start of the clip matter then.
#[test]
fn shapes_at_the_start_of_a_clip() {
    let mut other = scene();
    let mesh = &mut other.meshes[0];
    mesh.positions[2].z = 0.5;
    mesh.morph_targets[0].positions[2].z = -0.5;
    mesh.morph_weights = vec![1.0];
    mesh.morph_targets.push(MorphTarget::default());
    other.skeletons[0].joints.push(Joint::new("still", None));
    let parts = Options::default().with_whole(false);
    let found = |other: &Scene| diff(&scene(), other, &parts).unwrap().counts;
    assert!(!diff(&scene(), &other, &Options::default()).unwrap().is_same());
    assert_eq!(found(&other).len(), 0);
    other.meshes[0].texcoords[0][1] = 0.5;
    other.meshes[0].morph_weights = vec![0.5];
    assert!(found(&other).into_keys().eq(["positions", "texture coordinates"]));
}

/// A joint with a different rest pose is a single difference, not one per attached shape.
#[test]
fn a_moved_joint_is_not_reported_for_its_shapes() {
    let with_rest = |x: f32| {
        let mut scene = scene();
        scene.skeletons[0].joints[0].rest.translation = Vec3::new(x, 0.0, 0.0);
        let mesh = Mesh { influences: Influences::default(), ..mesh() };
        let node = Node {
            name: "hat".into(),
            mesh: Some(scene.add_mesh(mesh)),
            parent: Some(JointRef::default()),
            ..Node::default()
        };
        scene.add_node(node);
        scene
    };
    assert!(found(&with_rest(0.0), &with_rest(1.0)).counts.into_keys().eq(["rest pose"]));
    let mut elsewhere = with_rest(0.0);
    elsewhere.nodes[1].parent = Some(JointRef { joint: JointId::new(1), ..JointRef::default() });
    let found = found(&with_rest(0.0), &elsewhere);
    assert!(found.counts.into_keys().eq(["joint weights"]), "attached to a different joint");
}

#[test]
fn shapes_in_only_one_scene_are_reported() {
    let added = only(|scene| {
        let mesh = Mesh {
            positions: vec![Vec3::ZERO],
            primitives: vec![Primitive {
                topology: Topology::Points,
                indices: vec![0],
                material: None,
            }],
            ..Mesh::default()
        };
        let mesh = Some(scene.add_mesh(mesh));
        scene.add_node(Node { name: "dot".into(), mesh, ..Node::default() });
    });
    assert_eq!(added, Difference::ShapeOnly { shape: "dot".into(), side: Side::B });
}

#[test]
fn shapes_of_the_same_name_are_paired_by_size() {
    let twins = |order: [usize; 2]| {
        let mut scene = scene();
        let mut half = mesh();
        half.primitives.truncate(1);
        scene.meshes.push(half);
        let node = |mesh: usize| Node { mesh: Some(MeshId::new(mesh)), ..scene.nodes[0].clone() };
        scene.nodes = order.map(node).into();
        scene
    };
    assert!(found(&twins([0, 1]), &twins([1, 0])).is_same());
}

/// A format may name shapes after their joints, their meshes, or not at all, and in any order; of
/// shapes with the same size, those in the same place belong together.
#[test]
fn shapes_of_the_same_size_are_paired_by_place() {
    let placed = |shapes: &[(&str, f32)]| {
        let mut scene = scene();
        scene.nodes = Vec::new();
        for (name, at) in shapes {
            let mut mesh = mesh();
            mesh.positions.iter_mut().for_each(|position| position.x += at);
            let (name, mesh) = ((*name).to_owned(), Some(scene.add_mesh(mesh)));
            let parent = JointRef { skeleton: SkeletonId::new(0), joint: JointId::new(0) };
            scene.add_node(Node { name, mesh, parent: Some(parent), ..Node::default() });
        }
        scene
    };
    let a = placed(&[("S.1", 5.0), ("S", 0.0), ("", 9.0), ("", 7.0)]);
    let b = placed(&[("M", 5.0), ("", 7.0), ("", 9.0), ("S.1.001", 0.0)]);
    assert!(found(&a, &b).is_same() && found(&b, &a).is_same());
    // Noise at the border of a cell of either grid. The center of a shape is at 1.
    let border = 16.0 / 4096.0;
    for at in [border, 1.5 * border] {
        let a = placed(&[("", at - 1.0 + 1e-5), ("", 15.0)]);
        let b = placed(&[("", 15.0), ("", at - 1.0 - 1e-5)]);
        assert!(found(&a, &b).is_same(), "{at}");
    }
}

/// Shapes without a name are numbered.
#[test]
fn unnamed_shapes_in_only_one_scene_are_numbered() {
    let added = only(|scene| {
        let part = Primitive { topology: Topology::Points, indices: vec![0], material: None };
        let dot = Mesh { positions: vec![Vec3::ZERO], primitives: vec![part], ..Mesh::default() };
        let mesh = Some(scene.add_mesh(dot));
        scene.add_node(Node { mesh, ..Node::default() });
    });
    assert_eq!(added, Difference::ShapeOnly { shape: "#2".into(), side: Side::B });
}

#[test]
fn properties_of_materials() {
    let red = |change: fn(&mut Material)| {
        let found = only(|scene| change(&mut scene.materials[0]));
        let Difference::Material { material, what, values } = found else { panic!("{found:?}") };
        assert_eq!(material, "red");
        (what, values)
    };
    let values = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
    assert_eq!(
        red(|material| material.base_color[1] = 0.5),
        ("base colour", values("1 0 0 1", "1 0.5 0 1"))
    );
    assert_eq!(
        red(|material| material.emissive[2] = 1.0),
        ("emissive colour", values("0 0 0", "0 0 1"))
    );
    assert_eq!(red(|material| material.roughness = 0.5), ("roughness", values("1", "0.5")));
    let both_sides = red(|material| material.double_sided = false);
    assert_eq!(both_sides, ("double-sided", values("yes", "no")));
    assert_eq!(red(|material| material.unlit = true), ("unlit", values("no", "yes")));
    assert_eq!(red(|material| material.name = "crimson".into()).0, "name");
}

#[test]
fn textures() {
    let with = |image: Image| {
        let mut scene = scene();
        let image = scene.add_image(Image { name: "skin.png".into(), ..image });
        scene.materials[1].base_color_image = Some(image);
        scene
    };
    let path = |path: &str| with(Image::at(path));
    let bytes = |bytes: &[u8]| with(Image::embedded(bytes));
    assert!(found(&path("skin.png"), &path("../images/skin.png")).is_same(), "different folders");
    assert!(found(&path("skin.png"), &bytes(&[1])).is_same(), "only one image has bytes");
    for (a, b, shown) in [
        (path("skin.png"), path("fur.png"), ["skin.png", "fur.png"]),
        (bytes(&[1]), bytes(&[2]), ["skin (embedded)", "skin (embedded) with other content"]),
        (path("skin.png"), scene(), ["skin.png", "none"]),
    ] {
        let found = found(&a, &b).differences;
        let [Difference::Material { what: "base colour texture", values, .. }] = found.as_slice()
        else {
            panic!("{found:?}")
        };
        assert_eq!(*values, shown);
    }
}

/// Some triangles use a different material of the scene.
#[test]
fn changed_material_assignments_are_reported() {
    let swapped =
        changed(|scene| scene.meshes[0].primitives[1].material = Some(MaterialId::new(0)));
    let materials = [Some("blue".to_owned()), Some("red".to_owned())];
    let [only, assigned] = swapped.as_slice() else { panic!("{swapped:?}") };
    assert_eq!(*only, Difference::MaterialOnly { material: "blue".into(), side: Side::A });
    assert_eq!(*assigned, Difference::Assignment { shape: "body".into(), elements: 1, materials });
    // If elements cannot be matched, materials are matched by name.
    let found = changed(|scene| {
        scene.meshes[0].primitives[1].indices.extend([3, 2, 0]);
        scene.materials[1].roughness = 0.0;
    });
    assert_eq!(
        found.iter().map(Difference::kind).collect::<Vec<_>>(),
        ["elements", "property of a material"]
    );
}

#[test]
fn comparisons_can_be_disabled() {
    let mut other = scene();
    other.skeletons[0].joints[1].name = "foot".into();
    other.meshes[0].positions[0].x = 1.0;
    other.materials[0].unlit = true;
    let kinds = |motion, shapes, materials| {
        let options =
            Options::default().with_motion(motion).with_shapes(shapes).with_materials(materials);
        diff(&scene(), &other, &options).unwrap().counts.into_keys().collect::<Vec<_>>()
    };
    assert_eq!(kinds(true, false, false), ["joint"]);
    assert!(kinds(false, true, false).contains(&"positions"));
    assert!(!kinds(false, true, false).contains(&"property of a material"));
    assert_eq!(kinds(false, false, true), ["property of a material"]);
}

/// Comparisons that would exceed the limits are skipped, and the result reports this. A mesh that
/// is reused with the same placement is only counted once.
#[test]
fn limits() {
    let limited = |a: &Scene, samples: usize| {
        let limits = Limits { memory: Some(80 * samples), ..Limits::default() };
        diff(a, a, &Options::default().with_limits(limits)).unwrap()
    };
    for (samples, in_part) in [(100, 0), (1, 1), (0, 1)] {
        let found = limited(&scene(), samples);
        assert_eq!((found.shapes_in_part, found.is_same()), (in_part, in_part == 0), "{samples}");
    }
    let mut many = scene();
    many.nodes = vec![many.nodes[0].clone(); 200];
    assert_eq!(limited(&many, 100).shapes_in_part, 0);
}

#[test]
fn only_materials_of_both_are_counted() {
    let mut other = scene();
    other.meshes[0].primitives.iter_mut().for_each(|part| part.material = None);
    assert_eq!((found(&scene(), &other).materials, found(&other, &other).materials), (0, 0));
}

/// A matrix that mirrors reverses the winding of triangles when it is baked into vertices.
#[test]
fn baked_mirror_equals_mirroring_transform() {
    let shape = |scale: f32, points: [Vec3; 3], indices: [u32; 3]| {
        let mut scene = Scene::default();
        let mesh = scene.add_mesh(Mesh {
            positions: points.to_vec(),
            primitives: vec![Primitive { indices: indices.to_vec(), ..Primitive::default() }],
            ..Mesh::default()
        });
        let transform = Transform { scale: Vec3::new(scale, 1.0, 1.0), ..Transform::IDENTITY };
        scene.add_node(Node { mesh: Some(mesh), transform, ..Node::default() });
        scene
    };
    let mirrored = shape(-1.0, [Vec3::ZERO, point(1.0, 0.0), point(0.0, 1.0)], [0, 1, 2]);
    let points = [Vec3::ZERO, point(-1.0, 0.0), point(0.0, 1.0)];
    assert!(found(&mirrored, &shape(1.0, points, [0, 2, 1])).is_same());
    assert!(!found(&mirrored, &shape(1.0, points, [0, 1, 2])).is_same());
}
