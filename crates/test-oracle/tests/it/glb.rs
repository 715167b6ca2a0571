//! Tests the glTF evaluator with handwritten files.

use test_oracle::glb::{Model, read, read_parts};
use test_oracle::math::transform_point;

const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    // Rotations are stored as f32.
    assert!(a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-6), "{a:?} is not {b:?}");
}

/// A buffer, and the JSON of its views and accessors.
#[derive(Default)]
struct Content {
    bin: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
}

impl Content {
    fn add(&mut self, bytes: &[u8], shape: &str, count: usize) -> usize {
        let (offset, length, view) = (self.bin.len(), bytes.len(), self.views.len());
        self.views.push(format!(r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{length}}}"#));
        self.accessors.push(format!(r#"{{"bufferView":{view},"count":{count},{shape}}}"#));
        self.bin.extend(bytes);
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        self.accessors.len() - 1
    }

    fn floats(&mut self, kind: &str, width: usize, values: &[f32]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let bounds = |of: fn(f32, f32) -> f32| {
            let column = |c| values.iter().skip(c).step_by(width).copied().reduce(of);
            let columns: Vec<f32> = (0..width).map(|c| column(c).unwrap()).collect();
            format!("{columns:?}")
        };
        let (low, high) = (bounds(f32::min), bounds(f32::max));
        let shape = format!(r#""componentType":5126,"type":"{kind}","min":{low},"max":{high}"#);
        self.add(&bytes, &shape, values.len() / width)
    }

    fn json(&self, rest: &str) -> String {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{}}}],
                "bufferViews":[{}],"accessors":[{}],{rest}}}"#,
            self.bin.len(),
            self.views.join(","),
            self.accessors.join(",")
        )
    }

    fn glb(&self, rest: &str) -> Vec<u8> {
        let mut json = self.json(rest).into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut glb = b"glTF".to_vec();
        for n in [2, 12 + 8 + json.len() + 8 + self.bin.len(), json.len()] {
            glb.extend((n as u32).to_le_bytes());
        }
        glb.extend(b"JSON");
        glb.extend(&json);
        glb.extend((self.bin.len() as u32).to_le_bytes());
        glb.extend(b"BIN\0");
        glb.extend(&self.bin);
        glb
    }
}

/// A mesh with the points of the first accessor, on the only node.
const MESH: &str =
    r#""nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]"#;

const TRIANGLE: [f32; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

#[test]
fn parents_translate_rotate_and_scale_their_children() {
    let mut content = Content::default();
    content.floats("VEC3", 3, &TRIANGLE);
    let model = read(&content.glb(
        r#""meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
           "nodes":[{"name":"child","mesh":0,"translation":[0,2,0]},
                    {"name":"root","children":[0],"rotation":[0,0,1,1],"scale":[2,1,1],
                     "translation":[0,0,5]},
                    {"mesh":0,"matrix":[1,0,0,0, 0.5,1,0,0, 0,0,1,0, 10,0,0,1]}]"#,
    ));
    let triangles = model.triangles_at(None, 0.0);
    assert_eq!(triangles.len(), 2);
    // (1 2 0) is scaled to (2 2 0), rotated to (-2 2 0), and translated.
    close(&triangles[0][0], &[-2.0, 2.0, 5.0]);
    close(&triangles[1][1], &[10.5, 1.0, 0.0]);
    close(&model.node_world(None, "child", 0.0)[3], &[-2.0, 0.0, 5.0, 1.0]);
    assert_eq!(model.node_names(), ["child", "root", ""]);
    assert_eq!(model.node_parents(), [Some(1), None, None]);
    assert!(model.weights_sum_ok());
    assert_eq!(model.triangle_texcoords(), [None, None]);
}

fn animated(interpolation: &str, path: &str, values: (&str, usize, &[f32])) -> Model {
    let mut content = Content::default();
    content.floats("VEC3", 3, &TRIANGLE);
    content.floats("SCALAR", 1, &[1.0, 3.0]);
    content.floats(values.0, values.1, values.2);
    read(&content.glb(&format!(
        r#""meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
           "nodes":[{{"mesh":0,"name":"n","translation":[0,0,7]}}],
           "animations":[{{"name":"a",
             "samplers":[{{"input":1,"output":2,"interpolation":"{interpolation}"}}],
             "channels":[{{"sampler":0,"target":{{"node":0,"path":"{path}"}}}}]}}]"#
    )))
}

fn corner(model: &Model, t: f64) -> [f64; 3] {
    model.triangles_at(Some(0), t)[0][0]
}

#[test]
fn linear_rotations_take_the_shortest_arc() {
    let half = HALF as f32;
    let model =
        animated("LINEAR", "rotation", ("VEC4", 4, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -half, -half]));
    close(&corner(&model, 0.0), &[1.0, 0.0, 7.0]);
    close(&corner(&model, 2.0), &[HALF, HALF, 7.0]);
    close(&corner(&model, 5.0), &[0.0, 1.0, 7.0]);
    close(&model.triangles_at(None, 2.0)[0][0], &[1.0, 0.0, 7.0]);
    assert_eq!(model.key_times(0), [1.0, 3.0]);
    assert_eq!(model.animation_names(), ["a"]);
}

#[test]
fn tracks_override_the_node() {
    let line: &[f32] = &[0.0, 0.0, 0.0, 4.0, 0.0, 0.0];
    let spline: &[f32] = &[
        9.0, 9.0, 9.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, // the first key
        0.0, 2.0, 0.0, 1.0, 0.0, 0.0, 9.0, 9.0, 9.0, // the second key
    ];
    let turns: &[f32] = &[
        0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, // the first key
        0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, // the second key
    ];
    let sizes: &[f32] = &[1.0, 1.0, 1.0, 3.0, 1.0, 1.0];
    for (interpolation, path, values, t, expected) in [
        ("LINEAR", "translation", ("VEC3", 3, line), 2.5, [4.0, 0.0, 0.0]),
        ("STEP", "translation", ("VEC3", 3, line), 2.5, [1.0, 0.0, 0.0]),
        ("STEP", "translation", ("VEC3", 3, line), 3.0, [5.0, 0.0, 0.0]),
        // Halfway through 2 seconds: 0 + 2·0.125·1 + 0.5·1 and 2·(-0.125)·2.
        ("CUBICSPLINE", "translation", ("VEC3", 3, spline), 2.0, [1.75, -0.5, 0.0]),
        ("CUBICSPLINE", "translation", ("VEC3", 3, spline), 1.0, [1.0, 0.0, 0.0]),
        ("CUBICSPLINE", "translation", ("VEC3", 3, spline), 3.5, [2.0, 0.0, 0.0]),
        // Interpolated quaternions are normalised.
        ("CUBICSPLINE", "rotation", ("VEC4", 4, turns), 2.0, [0.0, 1.0, 7.0]),
        ("LINEAR", "scale", ("VEC3", 3, sizes), 2.0, [2.0, 0.0, 7.0]),
    ] {
        close(&corner(&animated(interpolation, path, values), t), &expected);
    }
}

fn skinned(weights: &[u8]) -> Content {
    let mut content = Content::default();
    content.floats("VEC3", 3, &TRIANGLE);
    content.add(&[0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], r#""componentType":5121,"type":"VEC4""#, 3);
    content.add(weights, r#""componentType":5121,"type":"VEC4","normalized":true"#, 3);
    let mut matrices = [0.0; 32];
    for i in [0, 5, 10, 15, 16, 21, 26, 31] {
        matrices[i] = 1.0;
    }
    matrices[16 + 12] = -3.0;
    content.floats("MAT4", 16, &matrices);
    content
}

const SKINNED: &str = r#""meshes":[{"primitives":[
        {"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]}],
    "skins":[{"joints":[2,1],"inverseBindMatrices":3}],
    "nodes":[{"mesh":0,"skin":0,"translation":[100,0,0]},
             {"translation":[3,0,1],"rotation":[0,0,1,1]},
             {"children":[1],"translation":[0,10,0]}]"#;

#[test]
fn joints_place_the_vertices_by_their_weights() {
    let content = skinned(&[51, 204, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]);
    let model = read(&content.glb(SKINNED));
    let [a, b, c] = model.triangles_at(None, 0.0)[0];
    // The first joint maps it to (1 10 0). The second joint maps it to (-2 0 0), rotated to (0 -2
    // 0) and translated to (3 8 1).
    close(&a, &[0.2 + 0.8 * 3.0, 0.2 * 10.0 + 0.8 * 8.0, 0.8]);
    // The second joint maps it to (-3 1 0), rotated to (-1 -3 0), and translated.
    close(&b, &[2.0, 7.0, 1.0]);
    close(&c, &[0.0, 10.0, 1.0]);
    assert!(model.weights_sum_ok());
}

#[test]
fn weights_are_used_as_stored() {
    let content = skinned(&[255, 51, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]);
    let model = read(&content.glb(SKINNED));
    close(&model.triangles_at(None, 0.0)[0][0], &[1.0 + 0.2 * 3.0, 10.0 + 0.2 * 8.0, 0.2]);
    assert!(!model.weights_sum_ok());
}

#[test]
fn morph_targets_add_to_the_positions() {
    let mut content = Content::default();
    content.floats("VEC3", 3, &TRIANGLE);
    content.floats("VEC3", 3, &[0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    content.floats("VEC3", 3, &[0.0, 0.0, 8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    content.floats("SCALAR", 1, &[0.0, 1.0]);
    content.floats("SCALAR", 1, &[0.0, 0.0, 1.0, 0.5]);
    let model = read(&content.glb(
        r#""meshes":[{"weights":[0.5,0.25],
             "primitives":[{"attributes":{"POSITION":0},
               "targets":[{"POSITION":1},{"POSITION":2}]}]}],
           "nodes":[{"mesh":0}],
           "animations":[{"samplers":[{"input":3,"output":4}],
             "channels":[{"sampler":0,"target":{"node":0,"path":"weights"}}]}]"#,
    ));
    close(&model.triangles_at(None, 0.0)[0][0], &[1.0, 2.0, 2.0]);
    close(&corner(&model, 0.5), &[1.0, 2.0, 2.0]);
    close(&corner(&model, 1.0), &[1.0, 4.0, 4.0]);
}

#[test]
fn all_modes_produce_their_elements() {
    let mut content = Content::default();
    content.floats("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
    content.add(&[3, 0, 2, 0, 1, 0, 0, 0], r#""componentType":5123,"type":"SCALAR""#, 4);
    content.floats("VEC2", 2, &[0.0, 0.5, 1.0, 0.5, 2.0, 0.5, 3.0, 0.5]);
    let mode = |mode: usize| {
        let json = content.json(&format!(
            r#""nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[
               {{"mode":{mode},"indices":1,"attributes":{{"POSITION":0,"TEXCOORD_0":2}}}}]}}]"#
        ));
        let json = json.replace(r#""buffers":[{"#, r#""buffers":[{"uri":"a.bin","#);
        read_parts(json.as_bytes(), &content.bin)
    };
    fn xs<const N: usize>(elements: &[[[f64; 3]; N]]) -> Vec<[f64; N]> {
        elements.iter().map(|e| e.map(|p| p[0])).collect()
    }
    assert_eq!(mode(0).points_at(None, 0.0).len(), 4);
    assert_eq!(mode(0).points_at(None, 0.0)[0], [3.0, 0.0, 0.0]);
    assert_eq!(xs(&mode(1).lines_at(None, 0.0)), [[3.0, 2.0], [1.0, 0.0]]);
    assert_eq!(xs(&mode(2).lines_at(None, 0.0)), [[3.0, 2.0], [2.0, 1.0], [1.0, 0.0], [0.0, 3.0]]);
    assert_eq!(mode(3).lines_at(None, 0.0).len(), 3);
    assert_eq!(xs(&mode(5).triangles_at(None, 0.0)), [[3.0, 2.0, 1.0], [2.0, 0.0, 1.0]]);
    assert_eq!(xs(&mode(6).triangles_at(None, 0.0)), [[2.0, 1.0, 3.0], [1.0, 0.0, 3.0]]);
    assert!(mode(6).points_at(None, 0.0).is_empty());
    assert_eq!(mode(5).triangle_texcoords()[0], Some([[3.0, 0.5], [2.0, 0.5], [1.0, 0.5]]));
}

#[test]
fn drawn_primitives_have_colours_and_may_be_hidden() {
    let mut content = Content::default();
    content.floats("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    content.add(
        &[255, 0, 51, 0, 255, 255, 255, 0],
        r#""componentType":5121,"type":"VEC3","normalized":true"#,
        2,
    );
    content.views[1] = content.views[1].replace('}', r#","byteStride":4}"#);
    content.floats("SCALAR", 1, &[0.0, 1.0]);
    content.floats("VEC3", 3, &[2.0, 2.0, 2.0, 0.0, 0.0, 0.0]);
    let model = read(&content.glb(
        r#""extensionsUsed":["KHR_materials_unlit"],
           "materials":[{"doubleSided":true,
             "pbrMetallicRoughness":{"baseColorFactor":[0.5,1,1,0.25]},
             "extensions":{"KHR_materials_unlit":{}}}],
           "meshes":[{"primitives":[{"mode":1,"material":0,"attributes":{"POSITION":0,"COLOR_0":1}},
                                    {"mode":0,"attributes":{"POSITION":0}}]}],
           "nodes":[{"translation":[0,5,0]},{"name":"a","mesh":0},{"mesh":0}],
           "animations":[{"samplers":[{"input":2,"output":3,"interpolation":"STEP"}],
             "channels":[{"sampler":0,"target":{"node":1,"path":"scale"}}]}]"#,
    ));
    let drawn = model.drawn_at(Some(0), 0.5);
    let of_nodes = drawn.iter().map(|d| (d.node, d.shown, d.unlit, d.double_sided));
    let plain = |node| (node, true, false, false);
    let unlit = |node| (node, true, true, true);
    assert_eq!(of_nodes.collect::<Vec<_>>(), [unlit(1), plain(1), unlit(2), plain(2)]);
    let counts: Vec<_> = drawn.iter().map(|d| (d.lines.len(), d.points.len())).collect();
    assert_eq!(counts, [(1, 0), (0, 2), (1, 0), (0, 2)]);
    let [a, b] = drawn[0].lines[0];
    close(&a.colour, &[0.5, 0.0, 0.2, 0.25]);
    close(&b.colour, &[0.5, 1.0, 1.0, 0.25]);
    assert_eq!((b.place, drawn[1].points[1].colour), ([2.0, 0.0, 0.0], [1.0; 4]));
    let shown: Vec<bool> = model.drawn_at(Some(0), 1.0).iter().map(|d| d.shown).collect();
    assert_eq!(shown, [false, false, true, true]);
}

#[test]
fn cameras_are_placed() {
    let model = read(&Content::default().glb(
        r#""cameras":[{"type":"perspective",
             "perspective":{"yfov":0.5,"aspectRatio":1.5,"znear":1}}],
           "nodes":[{"children":[1],"translation":[1,2,3]},{"camera":0,"rotation":[0,1,0,0]},{}]"#,
    ));
    let [camera] = model.cameras_at(None, 0.0).try_into().unwrap();
    assert!(camera.node == 1 && camera.shown);
    assert_eq!((camera.vertical_fov, camera.aspect), (0.5, Some(1.5)));
    // Rotated by 180° about y, so it looks along +z.
    close(&transform_point(&camera.world, [0.0, 1.0, -1.0]), &[1.0, 3.0, 4.0]);
}

#[test]
fn sparse_and_missing_content_is_read() {
    let mut content = Content::default();
    content.floats("VEC3", 3, &[5.0, 6.0, 7.0]);
    content.add(&[2], r#""componentType":5121,"type":"SCALAR""#, 1);
    content.accessors.push(
        r#"{"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[5,6,7],
            "sparse":{"count":1,"indices":{"bufferView":1,"componentType":5121},
             "values":{"bufferView":0}}}"#
            .to_owned(),
    );
    let model = read(&content.glb(&MESH.replace("POSITION\":0", "POSITION\":2")));
    assert_eq!(model.triangles_at(None, 0.0), [[[0.0; 3], [0.0; 3], [5.0, 6.0, 7.0]]]);
}

#[test]
#[should_panic(expected = "out of range")]
fn an_index_out_of_range_panics() {
    let mut content = Content::default();
    content.floats("VEC3", 3, &TRIANGLE);
    content.add(&[0, 1, 3], r#""componentType":5121,"type":"SCALAR""#, 3);
    read(&content.glb(&MESH.replace("[{\"attributes", "[{\"indices\":1,\"attributes")));
}

#[test]
#[should_panic(expected = "range end index")]
fn an_accessor_longer_than_its_view_panics() {
    let mut content = Content::default();
    content.floats("VEC3", 3, &TRIANGLE);
    content.accessors[0] = content.accessors[0].replace(r#""count":3"#, r#""count":4"#);
    read(&content.glb(MESH));
}

#[test]
#[should_panic(expected = "not strictly ascending")]
fn two_keys_at_the_same_time_panic() {
    let mut content = Content::default();
    content.floats("SCALAR", 1, &[1.0, 1.0]);
    content.floats("VEC3", 3, &[0.0; 6]);
    read(&content.glb(
        r#""nodes":[{}],"animations":[{"samplers":[{"input":0,"output":1}],
           "channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]}]"#,
    ));
}
