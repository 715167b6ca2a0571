//! Compares scenes of generated models with an independent implementation that shares no code with
//! this crate.

use anim_ir::{
    Axes, JointId, JointRef, Material, Mesh, Scene, Severity, SkeletonId, Topology, Value,
};
use model_tmd::{Document, Fixp, ToIr, codes, to_ir};
use test_oracle::random::Rng;
use test_oracle::tmd::generate::{self, Addresses, Content, ModelCase, ModelOptions};
use test_oracle::{fixtures, tmd};

/// Material properties: unlit, double-sided, semi-transparent, clut and page.
type Style = (bool, bool, bool, Option<(u16, u16)>);

/// A corner: position, normal, RGBA, UV.
#[derive(Clone, Copy, Debug)]
struct Corner([f64; 12]);

/// All elements of one topology, sorted by style and, within a style, in file order, which the
/// conversion preserves.
type Elements = Vec<(Style, Vec<Corner>)>;

fn style_of(material: &Material) -> Style {
    let tmd = material.extras.get("tmd").map(|extras| {
        let Value::Map(map) = extras else { panic!("{extras:?}") };
        let number = |name: &str| {
            if let Value::Number(number) = map[name] { number as u16 } else { panic!("{map:?}") }
        };
        (number("clut"), number("page"))
    });
    assert!([1.0, 0.5].contains(&material.base_color[3]));
    (material.unlit, material.double_sided, material.base_color[3] < 1.0, tmd)
}

fn elements(scene: &Scene, mesh: &Mesh, topology: Topology) -> Elements {
    let wide =
        |numbers: &[f32]| -> Vec<f64> { numbers.iter().map(|number| f64::from(*number)).collect() };
    let corner = |index: &u32| {
        let at = *index as usize;
        let normal = mesh.normals.get(at).copied().unwrap_or_default();
        let color = mesh.colors.get(at).copied().unwrap_or([1.0; 4]);
        let texcoord = mesh.texcoords.get(at).copied().unwrap_or_default();
        let place = mesh.positions[at].to_array();
        let numbers = [wide(&place), wide(&normal.to_array()), wide(&color), wide(&texcoord)];
        Corner(numbers.concat().try_into().unwrap())
    };
    let parts = mesh.primitives.iter().filter(|part| part.topology == topology);
    let mut found: Elements = parts
        .flat_map(|part| {
            let style = style_of(scene.material(part.material.unwrap()).unwrap());
            part.indices
                .chunks(topology.corners())
                .map(move |corners| (style, corners.iter().map(corner).collect()))
        })
        .collect();
    found.sort_by_key(|(style, _)| *style);
    found
}

/// The sRGB transfer function, IEC 61966-2-1.
fn light(component: f64) -> f64 {
    if component <= 0.04045 { component / 12.92 } else { ((component + 0.055) / 1.055).powf(2.4) }
}

fn expected_corner(
    place: [f64; 3],
    normal: Option<[f64; 3]>,
    color: Option<[u8; 3]>,
    uv: Option<[u8; 2]>,
    factor: f64,
) -> Corner {
    let [nx, ny, nz] = normal.unwrap_or_default();
    let length = (nx * nx + ny * ny + nz * nz).sqrt();
    let normal = [nx, ny, nz].map(|component| if length > 0.0 { component / length } else { 0.0 });
    // 128 leaves a texture unchanged.
    let white = if uv.is_some() { 128.0 } else { 255.0 };
    let [r, g, b] = color.map_or([1.0; 3], |color| {
        color.map(|component| light((f64::from(component) / white).min(1.0)))
    });
    let [u, v] = uv.unwrap_or_default().map(|texel| f64::from(texel) / 256.0);
    let [x, y, z] = place.map(|component| component * factor);
    Corner([x, y, z, normal[0], normal[1], normal[2], r, g, b, 1.0, u, v])
}

fn expected_elements(object: &tmd::Object, topology: Topology, factor: f64) -> Elements {
    let plain = |semi_transparent| (true, false, semi_transparent, None);
    let mut all: Elements = match topology {
        Topology::Triangles => {
            let corner = |corner: tmd::Corner| {
                expected_corner(corner.position, corner.normal, corner.colour, corner.uv, factor)
            };
            let triangle = |triangle: &tmd::Triangle| {
                let tmd::Style { unlit, double_sided, semi_transparent, clut, tpage } =
                    triangle.style;
                let [a, b, c] = triangle.corners.map(corner);
                // Triangles are clockwise in the file and counter-clockwise in the scene.
                ((unlit, double_sided, semi_transparent, clut.zip(tpage)), vec![a, c, b])
            };
            object.triangles.iter().map(triangle).collect()
        }
        Topology::Lines => {
            let end = |(place, color)| expected_corner(place, None, Some(color), None, factor);
            let line =
                |line: &tmd::Line| (plain(line.semi_transparent), line.ends.map(end).to_vec());
            object.lines.iter().map(line).collect()
        }
        Topology::Points => {
            let dot = |dot: &tmd::Dot| {
                let corner = expected_corner(dot.place, None, Some(dot.colour), None, factor);
                (plain(dot.semi_transparent), vec![corner])
            };
            object.dots.iter().map(dot).collect()
        }
    };
    all.sort_by_key(|(style, _)| *style);
    all
}

fn compare(bytes: &[u8], options: &ToIr, what: &str) {
    let document = Document::parse(bytes).unwrap().value;
    let expected = tmd::model(bytes);
    let scene = to_ir(&document, options).value;
    assert!(anim_ir::validate(&scene).is_empty(), "{what}");
    assert_eq!((scene.axes, scene.skeletons.len()), (Axes::YDown, 1));
    assert!(!scene.skeletons[0].bones);
    assert_eq!(scene.skeletons[0].joints.len(), expected.objects.len());
    let mut nodes = scene.nodes.iter().peekable();
    for (number, object) in expected.objects.iter().enumerate() {
        let joint = &scene.skeletons[0].joints[number];
        assert_eq!(joint.name, format!("object_{number}"));
        assert_eq!((joint.source_index, joint.parent), (number, None));
        assert_eq!(document.vertices(&document.objects()[number]).len(), object.vertices);
        let of_joint = JointRef { skeleton: SkeletonId::new(0), joint: JointId::new(number) };
        let node = nodes.next_if(|node| node.parent == Some(of_joint));
        let is_empty =
            object.triangles.is_empty() && object.lines.is_empty() && object.dots.is_empty();
        assert_eq!(node.is_none(), is_empty, "{what} {number}");
        let Some(node) = node else { continue };
        let mesh = scene.mesh(node.mesh.unwrap()).unwrap();
        assert_eq!((&mesh.name, &node.name), (&joint.name, &joint.name));
        let scale = if options.apply_scale { object.scale_factor() } else { 1.0 };
        let factor = f64::from(options.unit) * scale;
        for topology in [Topology::Triangles, Topology::Lines, Topology::Points] {
            let found = elements(&scene, mesh, topology);
            let expected = expected_elements(object, topology, factor);
            assert_eq!(found.len(), expected.len(), "{what} {number} {topology:?}");
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found.0, expected.0, "{what} {number}");
                assert_eq!(found.1.len(), expected.1.len());
                for (Corner(a), Corner(b)) in found.1.iter().zip(&expected.1) {
                    assert!(
                        a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-6 * b.abs().max(1.0)),
                        "{what} {number}: expected {b:?}, found {a:?}"
                    );
                }
            }
        }
        // Every vertex is used, without duplicates.
        let mut used: Vec<u32> =
            mesh.primitives.iter().flat_map(|part| part.indices.iter().copied()).collect();
        used.sort_unstable();
        used.dedup();
        assert_eq!(used.len(), mesh.positions.len(), "{what} {number}");
    }
    assert_eq!(nodes.next(), None);
}

#[test]
fn generated_models_match_the_oracle() {
    let mut checked = 0;
    for seed in 0..20 {
        for addresses in Addresses::ALL {
            for content in [Content::All, Content::Lines] {
                for case in ModelCase::ALL {
                    let options =
                        ModelOptions { addresses, content, case, objects: 1 + seed as usize % 7 };
                    let bytes = generate::model(&mut Rng::new(seed), &options);
                    let what = format!("{options:?} {seed}");
                    compare(&bytes, &ToIr::default(), &what);
                    compare(&bytes, &ToIr::default().with_unit(0.01).with_apply_scale(true), &what);
                    checked += 1;
                }
            }
        }
    }
    assert_eq!(checked, 20 * 3 * 2 * 4);
}

#[test]
fn each_problem_is_counted() {
    for seed in 0..20 {
        for case in ModelCase::ALL {
            for addresses in Addresses::ALL {
                let options = ModelOptions { addresses, case, ..ModelOptions::default() };
                let bytes = generate::model(&mut Rng::new(seed), &options);
                let expected = tmd::model(&bytes).objects;
                let sum = |count: fn(&tmd::Object) -> usize| {
                    expected.iter().map(count).sum::<usize>() as u64
                };
                let parsed = Document::parse(&bytes[..]).unwrap();
                let count = |code| parsed.diagnostics.count(code);
                assert_eq!(count(&codes::VERTEX), sum(|object| object.outside));
                let unknown = count(&codes::KIND) + count(&codes::LENGTH);
                assert_eq!(unknown, sum(|object| object.unknown));
                let worst = match case {
                    ModelCase::Good | ModelCase::EmptyObjects => None,
                    ModelCase::UnknownPackets => Some(Severity::Warning),
                    ModelCase::OutsideVertices => Some(Severity::Error),
                };
                assert_eq!(parsed.diagnostics.worst(), worst);
                let losses = to_ir(&parsed.value, &ToIr::default()).losses;
                let says = |code: &'static anim_ir::Code| {
                    let found = losses.iter().find(|found| std::ptr::eq(found.code, code));
                    found.map_or(0, |found| {
                        found.message.split(' ').next().unwrap().parse::<u64>().unwrap()
                    })
                };
                assert_eq!(says(&codes::LOSS_SPRITES), sum(|object| object.sprites));
                assert_eq!(says(&codes::LOSS_PACKETS), sum(|object| object.unknown));
                assert!(sum(|object| object.sprites) > 0);
                match (addresses, parsed.value.fixp()) {
                    (Addresses::Offsets, Fixp::Relative)
                    | (Addresses::File, Fixp::AbsoluteInFile) => {}
                    (Addresses::Memory, Fixp::AbsoluteInMemory { base }) => {
                        assert!(base >= 0x8001_0000)
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}

fn fixture(name: &str) -> Document<'static> {
    let path = fixtures::folder("tmd").join(format!("ok/{name}.tmd"));
    Document::parse(std::fs::read(path).unwrap()).unwrap().value
}

/// A triangle that is clockwise on the screen is visible, so the mesh's triangle faces the viewer,
/// who looks along +z.
#[test]
fn front_faces_face_the_viewer() {
    let document = fixture("flat_unlit_quad");
    let object = document.objects()[0];
    let places: Vec<[i16; 3]> = document.vertices(&object).map(|vertex| vertex.xyz).collect();
    assert_eq!(places, [[0, 0, 0], [100, 0, 0], [0, 100, 0], [100, 100, 0]]);
    let scene = to_ir(&document, &ToIr::default()).value;
    let mesh = &scene.meshes[0];
    assert_eq!(mesh.count(Topology::Triangles), 2);
    for corners in mesh.primitives[0].indices.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|corner| mesh.positions[corners[corner] as usize]);
        let z = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        assert!(z < 0.0, "{corners:?}");
    }
}

/// `scale` is the exponent of a power of two. It is stored in the extras, and only applied on
/// request, unless positions would be out of range.
#[test]
fn scales_are_only_applied_on_request() {
    for (file, scale, applied) in [
        ("scale_1", 1.0, 200.0),
        ("scale_minus_1", -1.0, 50.0),
        ("scale_highest", 2_147_483_647.0, 100.0),
    ] {
        let document = fixture(file);
        let greatest = |scene: &Scene| {
            scene.meshes[0].positions.iter().map(|position| position.x).fold(0.0, f32::max)
        };
        let plain = to_ir(&document, &ToIr::default());
        let expected = Value::from([("scale", Value::Number(scale))]);
        assert_eq!(plain.value.skeletons[0].joints[0].extras["tmd"], expected);
        assert_eq!((greatest(&plain.value), plain.losses.is_empty()), (100.0, true));
        let scaled = to_ir(&document, &ToIr::default().with_apply_scale(true));
        let lost = scaled.losses.count(&codes::LOSS_SCALE);
        assert_eq!((greatest(&scaled.value), lost), (applied, u64::from(scale > 64.0)), "{file}");
    }
}
