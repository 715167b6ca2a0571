//! Big files for measurements.

use crate::math::slerp;
use crate::random::Rng;

/// Appends to bytes without allocating.
struct Bytes(Vec<u8>);

impl Bytes {
    fn text(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    fn integer(&mut self, mut n: usize) {
        let mut digits = [0; 20];
        let mut start = digits.len();
        loop {
            start -= 1;
            digits[start] = b'0' + (n % 10) as u8;
            n /= 10;
            if n == 0 {
                break;
            }
        }
        self.0.extend_from_slice(&digits[start..]);
    }

    /// A blank and a number of millionths.
    fn millionths(&mut self, n: i64) {
        self.0.push(b' ');
        if n < 0 {
            self.0.push(b'-');
        }
        let n = n.unsigned_abs() as usize;
        self.integer(n / 1_000_000);
        self.0.push(b'.');
        let mut fraction = n % 1_000_000;
        let mut digits = [0; 6];
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (fraction % 10) as u8;
            fraction /= 10;
        }
        self.0.extend_from_slice(&digits);
    }

    fn random(&mut self, rng: &mut Rng, limit: usize) {
        self.millionths(rng.below(2 * limit) as i64 - limit as i64);
    }

    /// The slots of a corner, which are counted from 0.
    fn corner(&mut self, slots: &[usize]) {
        for (slot, index) in slots.iter().enumerate() {
            self.text(if slot == 0 { " " } else { "/" });
            self.integer(index + 1);
        }
    }

    /// A key up to its values, at 30 frames a second.
    fn key(&mut self, keyword: &str, frame: usize, joint: usize) {
        self.text(keyword);
        self.float(frame as f64 / 30.0);
        self.text(" ");
        self.integer(joint + 1);
    }

    fn float(&mut self, x: f64) {
        self.millionths((x * 1e6).round() as i64);
    }
}

const LARGE_JOINTS: usize = 32;

/// Appends `count` vertices: all `v`, all `vt`, all `vn`, and if `rigged` all `vj` and all `vw`.
fn large_vertices(out: &mut Bytes, rng: &mut Rng, count: usize, rigged: bool) {
    for _ in 0..count {
        out.text("v");
        for _ in 0..3 {
            out.random(rng, 10_000_000);
        }
        out.text("\n");
    }
    for _ in 0..count {
        out.text("vt");
        for _ in 0..2 {
            out.millionths(rng.below(1_000_000) as i64);
        }
        out.text("\n");
    }
    for _ in 0..count {
        let normal = rng.direction();
        out.text("vn");
        for x in normal {
            out.float(x);
        }
        out.text("\n");
    }
    if !rigged {
        return;
    }
    // One to four joints in turn; the weights are in the same turn.
    for vertex in 0..count {
        let used = vertex % 4 + 1;
        let first = rng.below(LARGE_JOINTS);
        out.text("vj");
        for slot in 0..4 {
            out.text(" ");
            let joint = (first + 5 * slot) % LARGE_JOINTS + 1;
            out.integer(if slot < used { joint } else { 0 });
        }
        out.text("\n");
    }
    for vertex in 0..count {
        let used = vertex % 4 + 1;
        let mut left = 1_000_000;
        out.text("vw");
        for slot in 0..4 {
            let weight = if slot + 1 == used {
                left
            } else if slot < used {
                rng.below(left + 1)
            } else {
                0
            };
            out.millionths(weight as i64);
            left -= weight;
        }
        out.text("\n");
    }
}

/// How many vertices fit into so many bytes, at least three.
fn large_vertex_count(bytes: usize, rng: &Rng, rigged: bool) -> usize {
    const SAMPLE: usize = 256;
    let mut sample = Bytes(Vec::new());
    large_vertices(&mut sample, &mut rng.clone(), SAMPLE, rigged);
    (bytes * SAMPLE / sample.0.len()).max(3)
}

/// The three vertices (from 0) of the `n`-th triangle: each vertex is used in some six triangles,
/// as in a closed mesh.
fn large_triangle(n: usize, vertices: usize) -> [usize; 3] {
    let width = vertices.isqrt().max(1);
    let first = n / 2 % vertices;
    let step = if n.is_multiple_of(2) { [0, 1, width + 1] } else { [0, width + 1, width] };
    step.map(|step| (first + step) % vertices)
}

/// A file of the specification's dialect of about so many bytes: 45 % `v`, `vt`, `vn`, `vj` and
/// `vw` lines, 45 % triangles with five slots, 10 % keys of 32 joints. Every index is valid.
pub fn large_amo(bytes: usize) -> Vec<u8> {
    let mut rng = Rng::new(bytes as u64);
    let mut out = Bytes(Vec::with_capacity(bytes + 1024));
    out.text("# a large file\nao large\n");
    for joint in 0..LARGE_JOINTS {
        out.text("j joint_");
        out.integer(joint + 1);
        if joint == 0 {
            out.text(" -1\n");
        } else {
            out.text(" ");
            let parent = rng.below(joint) + 1;
            out.integer(parent);
            out.text("\n");
        }
    }
    let target = bytes * 45 / 100;
    let vertices = large_vertex_count(target.saturating_sub(out.0.len()), &rng, true);
    large_vertices(&mut out, &mut rng, vertices, true);

    let target = bytes * 90 / 100;
    let mut n = 0;
    while n == 0 || out.0.len() < target {
        out.text("f");
        for vertex in large_triangle(n, vertices) {
            // A seam: now and then another texture coordinate.
            let texcoord = if rng.below(16) == 0 { (vertex + 1) % vertices } else { vertex };
            out.corner(&[vertex, texcoord, vertex, vertex, vertex]);
        }
        out.text("\n");
        n += 1;
    }

    let turns: Vec<[f64; 4]> = (0..2 * LARGE_JOINTS).map(|_| rng.turn(120.0)).collect();
    let mut frame = 0;
    while frame == 0 || out.0.len() < bytes {
        // Ten seconds to a clip.
        let of_clip = frame % 300;
        if of_clip == 0 {
            out.text("a clip_");
            out.integer(frame / 300 + 1);
            out.text("\n");
        }
        let part = 0.5 - 0.5 * (of_clip as f64 / 30.0).cos();
        for joint in 0..LARGE_JOINTS {
            out.key("ap", of_clip, joint);
            for _ in 0..3 {
                out.random(&mut rng, 500_000);
            }
            out.key("\nar", of_clip, joint);
            for x in slerp(turns[2 * joint], turns[2 * joint + 1], part) {
                out.float(x);
            }
            out.text("\n");
        }
        frame += 1;
    }
    out.0
}

/// A plain OBJ file of about so many bytes: half of it `v`, `vt` and `vn` lines, half triangles
/// `a/b/c`, with some `o`, `g` and `usemtl` lines. Every index is valid.
pub fn large_obj(bytes: usize) -> Vec<u8> {
    let mut rng = Rng::new(bytes as u64 ^ 0x6f62_6a00);
    let mut out = Bytes(Vec::with_capacity(bytes + 1024));
    out.text("# a large file\nmtllib large.mtl\no large\n");
    let vertices = large_vertex_count((bytes / 2).saturating_sub(out.0.len()), &rng, false);
    large_vertices(&mut out, &mut rng, vertices, false);
    let mut n = 0;
    while n == 0 || out.0.len() < bytes {
        if n % 10_000 == 0 {
            out.text("g group_");
            out.integer(n / 10_000 + 1);
            out.text("\nusemtl material_");
            out.integer(n / 10_000 % 4 + 1);
            out.text("\n");
        }
        out.text("f");
        for vertex in large_triangle(n, vertices) {
            out.corner(&[vertex, vertex, (vertex + 1) % vertices]);
        }
        out.text("\n");
        n += 1;
    }
    out.0
}
