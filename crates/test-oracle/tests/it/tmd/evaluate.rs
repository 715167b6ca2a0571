//! Tests the evaluators with handwritten ANM, ANC and TMD files.

use test_oracle::math::{Mat4, transform_point};
use test_oracle::tmd::{self, Anm, Corner, Key, Object, Options, Order, Style, Triangle};

use crate::close;

fn words(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|&value| (value as u16).to_le_bytes()).collect()
}

const MAGIC: i32 = 0x8000;

/// Returns a canonical file at 10 frames per second. Each frame is a list of half-words; the first
/// half-word of a key is flags · 256 + object.
fn packed(frames: &[&[i32]]) -> Vec<u8> {
    let mut at = 4 + frames.len() as i32;
    let mut values = vec![MAGIC, 10, frames.len() as i32, at];
    for frame in frames {
        at += frame.len() as i32;
        values.push(at);
    }
    values.extend(frames.concat());
    words(&values)
}

fn matrix(anm: &Anm, frame: usize) -> Mat4 {
    anm.matrix(frame, 0, &Options::default()).unwrap()
}

/// Asserts the transformed position of a point of the first object.
#[track_caller]
fn moves(anm: &Anm, frame: usize, options: &Options, from: [f64; 3], to: [f64; 3]) {
    close(&transform_point(&anm.matrix(frame, 0, options).unwrap(), from), &to);
}

#[test]
fn keys_have_the_parts_in_their_flags() {
    let anm = tmd::anm(&packed(&[
        &[0x0703, 1, 2, 3, 4, 5, 6, -7, -8, -9, 0x0005],
        &[],
        &[0x0604, 1, 2, 3, 4, 5, 6],
    ]));
    let key =
        |object, flags, rotation, scale, position| Key { object, flags, rotation, scale, position };
    let all = key(3, 7, Some([1, 2, 3]), Some([4, 5, 6]), Some([-7, -8, -9]));
    assert_eq!(anm.frames[0].keys, [all, key(5, 0, None, None, None)]);
    assert_eq!(anm.frames[1].keys, []);
    assert_eq!(anm.frames[2].keys, [key(4, 6, None, Some([1, 2, 3]), Some([4, 5, 6]))]);
    assert_eq!((anm.objects(), anm.magic), (vec![3, 4, 5], 0x8000));
    for (what, is_so) in [
        ("no gap", anm.gap.is_empty()),
        ("no trailing", anm.trailing.is_empty()),
        ("header", !anm.overlaps_header),
        ("whole", !anm.truncated),
    ] {
        assert!(is_so, "{what}");
    }
}

#[test]
fn frames_are_steps() {
    let anm = tmd::anm(&packed(&[&[], &[], &[]]));
    assert_eq!((anm.rate, anm.duration(), anm.start(2)), (10.0, 0.3, 0.2));
    let rate = |field: i32| tmd::anm(&words(&[MAGIC, field, 0, 4])).rate;
    assert_eq!([1, 60, 24, 0, -1, -32768].map(rate), [1.0, 60.0, 24.0, 30.0, 30.0, 30.0]);
}

#[test]
fn x_rotates_first_by_default() {
    // Rotating by 90° about x, then by 90° about y, turns y into z, then into x.
    let anm = tmd::anm(&packed(&[&[0x0100, 1024, 1024, 0]]));
    moves(&anm, 0, &Options::default(), [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]);
    // Rotating about y first leaves y unchanged.
    let xyz = Options { order: Order::Xyz, ..Options::default() };
    moves(&anm, 0, &xyz, [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
}

#[test]
fn each_axis_has_its_direction_of_rotation() {
    let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for (angles, from, to) in [
        ([1024, 0, 0], y, z),
        ([0, 1024, 0], z, x),
        ([0, 0, 1024], x, y),
        // Angles may exceed 360° or be negative.
        ([0, 0, 4096 + 1024], x, y),
        ([0, 0, -1024], x, [0.0, -1.0, 0.0]),
    ] {
        let anm = tmd::anm(&packed(&[&[0x0100, angles[0], angles[1], angles[2]]]));
        moves(&anm, 0, &Options::default(), from, to);
    }
}

#[test]
fn points_are_scaled_then_rotated_then_translated() {
    let anm = tmd::anm(&packed(&[&[0x0700, 0, 0, 1024, 8192, -4096, 0, 10, -20, 30]]));
    // (2 −1 0) is rotated to (1 2 0) and translated.
    moves(&anm, 0, &Options::default(), [1.0; 3], [11.0, -18.0, 30.0]);
    let half = Options { position_factor: 0.5, ..Options::default() };
    moves(&anm, 0, &half, [1.0; 3], [6.0, -8.0, 15.0]);
    let gltf = tmd::to_gltf(&matrix(&anm, 0));
    close(&transform_point(&gltf, [1.0, -1.0, -1.0]), &[11.0, 18.0, -30.0]);
    close(&tmd::point_to_gltf([11.0, -18.0, 30.0]), &[11.0, 18.0, -30.0]);
}

#[test]
fn rotations_about_z_are_reversed_in_gltf() {
    let anm = tmd::anm(&packed(&[&[0x0100, 1024, 0, 0], &[0x0100, 0, 0, 1024]]));
    // Rotations about x keep their direction.
    close(&transform_point(&tmd::to_gltf(&matrix(&anm, 0)), [0.0, 1.0, 0.0]), &[0.0, 0.0, 1.0]);
    close(&transform_point(&tmd::to_gltf(&matrix(&anm, 1)), [1.0, 0.0, 0.0]), &[0.0, -1.0, 0.0]);
}

#[test]
fn missing_parts_are_the_identity_or_held() {
    let frames: [&[i32]; 4] =
        [&[0x0300, 0, 0, 1024, 8192, 8192, 8192], &[], &[0x0400, 1, 2, 3], &[0x0000]];
    let anm = tmd::anm(&packed(&frames));
    let x = |frame, hold| {
        let options = Options { hold, ..Options::default() };
        anm.matrix(frame, 0, &options).map(|m| transform_point(&m, [1.0, 0.0, 0.0]).map(f64::round))
    };
    assert_eq!(
        [0, 1, 2, 3].map(|frame| x(frame, false)),
        [Some([0.0, 2.0, 0.0]), None, Some([2.0, 2.0, 3.0]), Some([1.0, 0.0, 0.0])]
    );
    assert_eq!(
        [0, 1, 2, 3].map(|frame| x(frame, true)),
        [Some([0.0, 2.0, 0.0]), None, Some([1.0, 4.0, 3.0]), Some([1.0, 4.0, 3.0])]
    );
    assert_eq!(anm.matrix(0, 1, &Options::default()), None);
}

#[test]
fn the_last_of_two_keys_is_used() {
    let anm = tmd::anm(&packed(&[
        &[0x0400, 1, 1, 1, 0x0401, 9, 9, 9, 0x0200, 8192, 8192, 8192],
        &[0x0000],
    ]));
    assert_eq!(anm.frames[0].keys.len(), 3);
    moves(&anm, 0, &Options::default(), [1.0; 3], [2.0; 3]);
    // Values of the first key, which is replaced, are not held.
    let hold = Options { hold: true, ..Options::default() };
    moves(&anm, 1, &hold, [1.0; 3], [2.0; 3]);
}

#[test]
fn zero_and_extreme_scales_are_finite() {
    let anm = tmd::anm(&packed(&[
        &[0x0300, -32768, -32768, -32768, 0, 0, 0],
        &[0x0600, -32768, -32768, -32768, -32768, 32767, 0],
    ]));
    moves(&anm, 0, &Options::default(), [5.0, 6.0, 7.0], [0.0; 3]);
    moves(&anm, 1, &Options::default(), [1.0; 3], [-32776.0, 32759.0, -8.0]);
}

/// Returns the objects with a key, by frame.
fn keyed(anm: &Anm) -> Vec<Vec<u8>> {
    anm.frames.iter().map(|frame| frame.keys.iter().map(|key| key.object).collect()).collect()
}

#[test]
fn noncanonical_layouts_are_read() {
    let none = tmd::anm(&words(&[MAGIC, 15, 0, 4]));
    assert_eq!((none.frames.len(), none.trailing.len()), (0, 0));

    let gap = tmd::anm(&words(&[MAGIC, 10, 1, 7, 8, 0x1111, 0x2222, 3]));
    assert_eq!((keyed(&gap), gap.gap), (vec![vec![3]], vec![0x11, 0x11, 0x22, 0x22]));

    // The first frame consists of the rest of the table, 6 and 7, followed by its own content.
    let overlap = tmd::anm(&words(&[MAGIC, 10, 2, 4, 6, 7, 3, 4]));
    assert!(overlap.overlaps_header);
    assert_eq!((keyed(&overlap), overlap.trailing), (vec![vec![6, 7], vec![3]], vec![4, 0]));

    let reversed = tmd::anm(&words(&[MAGIC, 10, 3, 7, 9, 8, 10, 1, 2, 3]));
    assert_eq!(keyed(&reversed), [vec![1, 2], vec![], vec![2, 3]]);
    let is_reversed: Vec<bool> = reversed.frames.iter().map(|frame| frame.reversed).collect();
    assert_eq!(is_reversed, [false, true, false]);

    let mut long = packed(&[&[1, 2]]);
    long.extend([0, 0, 7]);
    assert_eq!(tmd::anm(&long).trailing, [0, 0, 7]);

    let other = tmd::anm(&words(&[0x0080, 10, 0, 4]));
    assert_eq!(other.magic, 0x0080);

    // Unknown flags have no content.
    let flags = tmd::anm(&packed(&[&[0xF802u16 as i32, 0x0C03, 1, 2, 3]]));
    assert_eq!(keyed(&flags), [vec![2, 3]]);
    let [first, last] = flags.frames[0].keys[..].try_into().unwrap();
    assert_eq!((first.flags, last.position), (0xF8, Some([1, 2, 3])));
}

#[test]
fn truncated_keys_end_their_frame() {
    // The key of object 2 requires three half-words but has two. It does not continue in the next
    // frame.
    let crossing = tmd::anm(&words(&[MAGIC, 10, 2, 6, 10, 11, 1, 0x0402, 9, 9, 3]));
    assert_eq!(keyed(&crossing), [vec![1], vec![3]]);
    assert_eq!(crossing.frames[0].rest, words(&[0x0402, 9, 9]));
    assert!(!crossing.truncated);

    let mut file = packed(&[&[1], &[0x0402, 1, 2, 3, 3], &[4]]);
    file.truncate(file.len() - 5);
    let truncated = tmd::anm(&file);
    assert!(truncated.truncated);
    assert_eq!(keyed(&truncated), [vec![1], vec![], vec![]]);
    assert_eq!(truncated.frames[1].rest, [2, 4, 1, 0, 2, 0, 3]);
}

fn camera(values: [i32; 8]) -> tmd::Record {
    let mut bytes = words(&[MAGIC, 20, 1]);
    bytes.extend(words(&values));
    let anc = tmd::anc(&bytes);
    assert_eq!((anc.magic, anc.rate, anc.records.len(), anc.trailing.len()), (0x8000, 20.0, 1, 0));
    anc.records[0]
}

#[test]
fn cameras_look_at_their_target() {
    for (record, columns) in [
        // The right, down and forward directions of the camera, in file axes.
        ([1, 2, 3, 1, 2, 103, 0, 512], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        // The camera looks right, so forward becomes left.
        ([0, 0, 0, 5, 0, 0, 0, 512], [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]),
        // The camera looks forward and down (3 4 5), so lower parts of the image are nearer to it.
        ([0, 0, 0, 0, 30, 40, 0, 512], [[1.0, 0.0, 0.0], [0.0, 0.8, -0.6], [0.0, 0.6, 0.8]]),
        // The camera is rolled clockwise, as seen from behind, so down becomes right.
        ([0, 0, 0, 0, 0, 9, 1024, 512], [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            [0, 0, 0, 0, 0, 9, -1024 - 4096, 512],
            [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        ),
    ] {
        let m = camera(record).matrix().unwrap();
        let eye = [record[0], record[1], record[2]].map(f64::from);
        for (column, expected) in m.iter().zip(columns.iter().chain([&eye])) {
            close(&column[..3], expected);
        }
    }
    let fov = camera([1, 2, 3, 1, 2, 103, 0, 512]).vertical_fov();
    assert!((fov - 45f64.to_radians()).abs() < 1e-12);
}

#[test]
fn cameras_are_converted_to_gltf() {
    // Cameras in glTF look along −z.
    for (record, from, to) in [
        ([1, 2, 3, 1, 2, 103, 0, 512], [0.0, 0.0, -10.0], [1.0, -2.0, -13.0]),
        ([1, 2, 3, 1, 2, 103, 0, 512], [0.0, 1.0, 0.0], [1.0, -1.0, -3.0]),
        ([0, 0, 0, 0, 30, 40, 0, 512], [0.0, 0.0, -1.0], [0.0, -0.6, -0.8]),
        ([0, 0, 0, 0, 30, 40, 0, 512], [0.0, 1.0, 0.0], [0.0, 0.8, -0.6]),
    ] {
        close(&transform_point(&camera(record).gltf_matrix().unwrap(), from), &to);
    }
}

#[test]
fn some_cameras_have_no_up_direction() {
    assert_eq!(camera([1, 2, 3, 1, 90, 3, 0, 512]).matrix(), None);
    assert_eq!(camera([1, 2, 3, 1, 2, 3, 0, 512]).matrix(), None);
}

#[test]
fn only_complete_records_are_read() {
    let mut bytes = words(&[MAGIC, 0, 2]);
    bytes.extend([1; 24]);
    let anc = tmd::anc(&bytes);
    assert_eq!((anc.rate, anc.records.len(), anc.trailing.len()), (30.0, 1, 8));
    bytes.extend([1; 30]);
    assert_eq!((tmd::anc(&bytes).records.len(), tmd::anc(&bytes).trailing.len()), (2, 22));
}

const POINTS: [[i32; 3]; 4] = [[1, 0, 0], [0, 2, 0], [0, 0, 3], [-4, 5, -6]];
const NORMALS: [[i32; 3]; 2] = [[4096, 0, 0], [0, -2048, 0]];

/// Returns a model with one object: packets, four points and two normals.
fn model_of(packets: &[&[u8]]) -> Vec<u8> {
    let body = packets.concat();
    // The data follows the table with one object. Offsets are relative to the start of the table.
    let [primitives, vertices, normals] = [28, 28 + body.len() as u32, 28 + body.len() as u32 + 32];
    let header =
        [0x41, 0, 1, vertices, 4, normals, 2, primitives, packets.len() as u32, -1i32 as u32];
    let mut bytes: Vec<u8> = header.iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
    bytes.extend(body);
    for [x, y, z] in POINTS.into_iter().chain(NORMALS) {
        bytes.extend(words(&[x, y, z, 0]));
    }
    bytes
}

fn object(packets: &[&[u8]]) -> Object {
    let [object] = tmd::model(&model_of(packets)).objects.try_into().unwrap();
    object
}

fn point(i: usize) -> [f64; 3] {
    POINTS[i].map(f64::from)
}

fn corner(
    vertex: usize,
    normal: Option<usize>,
    colour: Option<[u8; 3]>,
    uv: Option<[u8; 2]>,
) -> Corner {
    let normal = normal.map(|i| NORMALS[i].map(|x| f64::from(x) / 4096.0));
    Corner { position: point(vertex), normal, colour, uv }
}

#[test]
fn lit_polygons_have_normals() {
    // A flat packet has a colour, a normal and three points.
    let flat = object(&[&[4, 3, 0, 0x20, 10, 20, 30, 0x20, 1, 0, 0, 0, 1, 0, 2, 0]]);
    let [triangle] = flat.triangles[..].try_into().unwrap();
    assert_eq!(triangle.corners, [0, 1, 2].map(|v| corner(v, Some(1), Some([10, 20, 30]), None)));
    let [unlit, double_sided, semi_transparent] = [false; 3];
    let plain = Style { unlit, double_sided, semi_transparent, clut: None, tpage: None };
    assert_eq!(triangle.style, plain);
    assert_eq!((flat.vertices, flat.scale, flat.scale_factor()), (4, -1, 0.5));

    // Gouraud with one colour per corner: three colours, then the normal and point of each corner.
    let colours = [1, 2, 3, 0x30, 4, 5, 6, 0, 7, 8, 9, 0];
    let gouraud = [&[7, 6, 4, 0x30], &colours[..], &[0, 0, 2, 0, 1, 0, 1, 0, 0, 0, 3, 0]].concat();
    let [triangle] = object(&[&gouraud]).triangles.try_into().unwrap();
    let lit = |vertex, normal, colour| corner(vertex, Some(normal), Some(colour), None);
    let expected = [lit(2, 0, [1, 2, 3]), lit(1, 1, [4, 5, 6]), lit(3, 0, [7, 8, 9])];
    assert_eq!(triangle.corners, expected);
}

#[test]
fn quads_are_two_triangles_in_z_order() {
    // The packet is flat, unlit, two-sided and semi-transparent.
    let quad = object(&[&[4, 3, 3, 0x2B, 9, 9, 9, 0, 3, 0, 2, 0, 1, 0, 0, 0]]);
    let corners: Vec<Vec<[f64; 3]>> =
        quad.triangles.iter().map(|t| t.corners.map(|c| c.position).to_vec()).collect();
    assert_eq!(corners, [[3, 2, 1].map(point), [2, 0, 1].map(point)]);
    for Triangle { corners, style } in quad.triangles {
        assert!(style.unlit && style.double_sided && style.semi_transparent);
        assert!(corners.iter().all(|c| c.normal.is_none() && c.colour == Some([9; 3])));
    }
}

#[test]
fn textured_polygons_have_coordinates() {
    let uvs = [1, 2, 0x34, 0x12, 3, 4, 0x78, 0x56, 5, 6, 0, 0, 7, 8, 0, 0];
    // A flat lit packet has no colour, but a normal, four points and two bytes of padding.
    let lit = [&[8, 7, 0, 0x2C], &uvs[..], &[1, 0, 0, 0, 1, 0, 2, 0, 3, 0, 0, 0]].concat();
    let triangles = object(&[&lit]).triangles;
    let corners =
        [0, 1, 2, 3].map(|i| corner(i, Some(1), None, Some([2 * i as u8 + 1, 2 * i as u8 + 2])));
    assert_eq!(triangles[1].corners, [corners[1], corners[3], corners[2]]);
    assert_eq!((triangles[0].style.clut, triangles[0].style.tpage), (Some(0x1234), Some(0x5678)));

    // An unlit Gouraud packet has one colour per corner and three points.
    let unlit = [
        &[9, 8, 1, 0x35],
        &uvs[..12],
        &[10, 0, 0, 0, 20, 0, 0, 0, 30, 0, 0, 0],
        &[3, 0, 2, 0, 1, 0, 0, 0],
    ]
    .concat();
    let [triangle] = object(&[&unlit]).triangles.try_into().unwrap();
    let unlit = |vertex, red, uv| corner(vertex, None, Some([red, 0, 0]), Some(uv));
    assert_eq!(
        triangle.corners,
        [unlit(3, 10, [1, 2]), unlit(2, 20, [3, 4]), unlit(1, 30, [5, 6])]
    );
}

#[test]
fn lines_dots_and_undrawn_packets() {
    let object = object(&[
        &[3, 2, 1, 0x40, 1, 2, 3, 0x40, 0, 0, 3, 0],
        &[3, 3, 1, 0x52, 1, 2, 3, 0x50, 4, 5, 6, 0, 2, 0, 1, 0],
        &[3, 2, 1, 0x40, 7, 8, 9, 0x40, 2, 0, 2, 0],
        // The packets are sprites of both lengths, a packet of an unknown kind, a line with an
        // extra word, and a line to a missing vertex.
        &[4, 3, 1, 0x64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        &[3, 2, 1, 0x74, 0, 0, 0, 0, 0, 0, 0, 0],
        &[2, 1, 0, 0x80, 0, 0, 0, 0],
        &[3, 3, 1, 0x40, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0],
        &[3, 2, 1, 0x40, 1, 2, 3, 0x40, 0, 0, 4, 0],
        // Parsing continues after the packet.
        &[3, 2, 1, 0x40, 1, 2, 3, 0x40, 3, 0, 0, 0],
    ]);
    let [flat, gouraud, last] = object.lines.try_into().unwrap();
    assert_eq!(flat.ends, [(point(0), [1, 2, 3]), (point(3), [1, 2, 3])]);
    assert_eq!(gouraud.ends, [(point(2), [1, 2, 3]), (point(1), [4, 5, 6])]);
    assert_eq!((flat.semi_transparent, gouraud.semi_transparent), (false, true));
    assert_eq!(last.ends.map(|end| end.0), [point(3), point(0)]);
    let [dot] = object.dots.try_into().unwrap();
    assert_eq!((dot.place, dot.colour), (point(2), [7, 8, 9]));
    assert_eq!((object.sprites, object.unknown, object.outside), (2, 2, 1));
}

#[test]
fn all_kinds_of_addresses_are_read() {
    let offsets = model_of(&[&[3, 2, 1, 0x40, 1, 2, 3, 0x40, 0, 0, 3, 0]]);
    let with = |base: u32| {
        let mut bytes = offsets.clone();
        bytes[4] = 1;
        // Convert the three offsets of the only object.
        for at in [12, 20, 28] {
            let top = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            bytes[at..at + 4].copy_from_slice(&(top + base).to_le_bytes());
        }
        tmd::model(&bytes)
    };
    let expected = tmd::model(&offsets);
    assert_eq!(expected.objects[0].lines[0].ends[1].0, point(3));
    assert_eq!(with(12), expected);
    assert_eq!(with(0x8012_3450), expected);
}
