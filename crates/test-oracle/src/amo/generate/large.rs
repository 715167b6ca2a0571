//! Large files for benchmarks.

use std::fmt::Write as _;

use crate::math::slerp;
use crate::random::Rng;

/// Appends a space and a number given in millionths.
fn millionths(out: &mut String, n: i64) {
    let (sign, n) = (if n < 0 { "-" } else { "" }, n.unsigned_abs());
    write!(out, " {sign}{}.{:06}", n / 1_000_000, n % 1_000_000).unwrap();
}

fn random(out: &mut String, rng: &mut Rng, limit: usize) {
    millionths(out, rng.below(2 * limit) as i64 - limit as i64);
}

fn float(out: &mut String, x: f64) {
    millionths(out, (x * 1e6).round() as i64);
}

/// Appends the slots of a corner, given as 0-based indices.
fn corner(out: &mut String, slots: &[usize]) {
    let slots: Vec<String> = slots.iter().map(|index| (index + 1).to_string()).collect();
    write!(out, " {}", slots.join("/")).unwrap();
}

/// Appends the start of a key up to its values, at 30 frames per second.
fn key(out: &mut String, keyword: &str, frame: usize, joint: usize) {
    *out += keyword;
    float(out, frame as f64 / 30.0);
    write!(out, " {}", joint + 1).unwrap();
}

const LARGE_JOINTS: usize = 32;

/// Appends `count` vertices: all `v`, all `vt`, all `vn`, and if `rigged` all `vj` and all `vw`.
fn large_vertices(out: &mut String, rng: &mut Rng, count: usize, rigged: bool) {
    for _ in 0..count {
        *out += "v";
        for _ in 0..3 {
            random(out, rng, 10_000_000);
        }
        *out += "\n";
    }
    for _ in 0..count {
        *out += "vt";
        for _ in 0..2 {
            millionths(out, rng.below(1_000_000) as i64);
        }
        *out += "\n";
    }
    for _ in 0..count {
        *out += "vn";
        for x in rng.direction() {
            float(out, x);
        }
        *out += "\n";
    }
    if !rigged {
        return;
    }
    // Vertices have one to four joints, in turn. The weights are in the same order.
    for vertex in 0..count {
        let used = vertex % 4 + 1;
        let first = rng.below(LARGE_JOINTS);
        *out += "vj";
        for slot in 0..4 {
            let joint = (first + 5 * slot) % LARGE_JOINTS + 1;
            write!(out, " {}", if slot < used { joint } else { 0 }).unwrap();
        }
        *out += "\n";
    }
    for vertex in 0..count {
        let used = vertex % 4 + 1;
        let mut left = 1_000_000;
        *out += "vw";
        for slot in 0..4 {
            let weight = match slot + 1 {
                last if last == used => left,
                number if number < used => rng.below(left + 1),
                _ => 0,
            };
            millionths(out, weight as i64);
            left -= weight;
        }
        *out += "\n";
    }
}

/// Returns the number of vertices that fit into the given number of bytes, at least three.
fn large_vertex_count(bytes: usize, rng: &Rng, rigged: bool) -> usize {
    const SAMPLE: usize = 256;
    let mut sample = String::new();
    large_vertices(&mut sample, &mut rng.clone(), SAMPLE, rigged);
    (bytes * SAMPLE / sample.len()).max(3)
}

/// Returns the three 0-based vertices of the `n`-th triangle of a grid. If there are two triangles
/// per vertex, each vertex is used in six of them, as in a closed mesh.
fn large_triangle(n: usize, vertices: usize) -> [usize; 3] {
    let width = vertices.isqrt().max(1);
    let first = n / 2 % vertices;
    let step = if n.is_multiple_of(2) { [0, 1, width + 1] } else { [0, width + 1, width] };
    step.map(|step| (first + step) % vertices)
}

/// Generates a file in the specification's dialect of approximately the given size in bytes: 45 %
/// `v`, `vt`, `vn`, `vj` and `vw` lines, 45 % triangles with five slots, and 10 % keys of 32
/// joints. All indices are valid.
pub fn large_amo(bytes: usize) -> Vec<u8> {
    let mut rng = Rng::new(bytes as u64);
    let mut out = String::with_capacity(bytes + 1024);
    out += "# a large file\nao large\n";
    for joint in 0..LARGE_JOINTS {
        let parent = if joint == 0 { -1 } else { rng.below(joint) as i64 + 1 };
        writeln!(out, "j joint_{} {parent}", joint + 1).unwrap();
    }
    let target = bytes * 45 / 100;
    let vertices = large_vertex_count(target.saturating_sub(out.len()), &rng, true);
    large_vertices(&mut out, &mut rng, vertices, true);

    let target = bytes * 90 / 100;
    let mut n = 0;
    while n == 0 || out.len() < target {
        out += "f";
        for vertex in large_triangle(n, vertices) {
            // Some vertices are on a seam, with different texture coordinates.
            let texcoord = if rng.below(16) == 0 { (vertex + 1) % vertices } else { vertex };
            corner(&mut out, &[vertex, texcoord, vertex, vertex, vertex]);
        }
        out += "\n";
        n += 1;
    }

    let turns: Vec<[f64; 4]> = (0..2 * LARGE_JOINTS).map(|_| rng.turn(120.0)).collect();
    let mut frame = 0;
    while frame == 0 || out.len() < bytes {
        // Each clip lasts ten seconds.
        let of_clip = frame % 300;
        if of_clip == 0 {
            writeln!(out, "a clip_{}", frame / 300 + 1).unwrap();
        }
        let part = 0.5 - 0.5 * (of_clip as f64 / 30.0).cos();
        for joint in 0..LARGE_JOINTS {
            key(&mut out, "ap", of_clip, joint);
            for _ in 0..3 {
                random(&mut out, &mut rng, 500_000);
            }
            key(&mut out, "\nar", of_clip, joint);
            for x in slerp(turns[2 * joint], turns[2 * joint + 1], part) {
                float(&mut out, x);
            }
            out += "\n";
        }
        frame += 1;
    }
    out.into_bytes()
}

/// Generates a plain OBJ file of approximately the given size in bytes: half `v`, `vt` and `vn`
/// lines, half `a/b/c` triangles, with some `o`, `g` and `usemtl` lines. All indices are valid.
pub fn large_obj(bytes: usize) -> Vec<u8> {
    let mut rng = Rng::new(bytes as u64 ^ 0x6f62_6a00);
    let mut out = String::with_capacity(bytes + 1024);
    out += "# a large file\nmtllib large.mtl\no large\n";
    let vertices = large_vertex_count((bytes / 2).saturating_sub(out.len()), &rng, false);
    large_vertices(&mut out, &mut rng, vertices, false);
    let mut n = 0;
    while n == 0 || out.len() < bytes {
        if n % 10_000 == 0 {
            let (group, material) = (n / 10_000 + 1, n / 10_000 % 4 + 1);
            writeln!(out, "g group_{group}\nusemtl material_{material}").unwrap();
        }
        out += "f";
        for vertex in large_triangle(n, vertices) {
            corner(&mut out, &[vertex, vertex, (vertex + 1) % vertices]);
        }
        out += "\n";
        n += 1;
    }
    out.into_bytes()
}
