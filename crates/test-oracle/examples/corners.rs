//! Prints the positions of the corners of all faces, lines and points in a file, for comparison
//! with other programs: `corners KIND FILE TIME…`.
//!
//! `KIND` is `glb`, `glb-shown` (without geometry hidden by a scale of 0), `amo-DIALECT`, `castle`,
//! `bvh` or `tmd` (the `.anm`, followed by its `.tmd`). `TIME` is `CLIP@SECONDS`, or `@` for the
//! rest pose. Prints node positions for a GLB without geometry, and joint positions for BVH.
//!
//! For each time, writes the number of points as a little-endian `u32` to standard output,
//! followed by x, y and z of each point as `f64`. Points of a GLB are in the order of nodes,
//! primitives and indices, so the results of two programs can be compared point by point.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test tool, which may panic"
)]

use std::io::Write;
use std::path::Path;

use test_oracle::math::{Mat4, transform_point};
use test_oracle::{amo, bvh, castle, glb, tmd};

type Points = Vec<[f64; 3]>;

/// A clip's index and a time in seconds.
type Time = Option<(usize, f64)>;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, file, rest @ ..] = arguments.as_slice() else { usage() };
    let bytes = std::fs::read(file).unwrap();
    let (companions, times): (Vec<&String>, Vec<&String>) =
        rest.iter().partition(|argument| !argument.contains('@'));
    let times: Vec<Time> = times.into_iter().map(|text| time(text)).collect();
    let evaluate: Box<dyn Fn(Time) -> Points> = match kind.as_str() {
        "glb" => of_glb(&bytes, false),
        "glb-shown" => of_glb(&bytes, true),
        "castle" => of_castle(&bytes, Path::new(file).parent().unwrap()),
        "bvh" => of_bvh(&bytes),
        "tmd" => of_tmd(&bytes, companions.first().map(std::fs::read).unwrap().unwrap()),
        other => match other.strip_prefix("amo-").map(dialect) {
            Some(dialect) => of_amo(&bytes, dialect),
            None => usage(),
        },
    };
    let mut out = std::io::stdout().lock();
    for time in times {
        let points = evaluate(time);
        out.write_all(&(points.len() as u32).to_le_bytes()).unwrap();
        for number in points.iter().flatten() {
            out.write_all(&number.to_le_bytes()).unwrap();
        }
    }
}

fn usage() -> ! {
    eprintln!("usage: corners glb|glb-shown|amo-DIALECT|castle|bvh|tmd FILE [TMD] CLIP@SECONDS…");
    std::process::exit(2)
}

fn time(text: &str) -> Time {
    let (clip, seconds) = text.split_once('@').unwrap();
    (!clip.is_empty()).then(|| (clip.parse().unwrap(), seconds.parse().unwrap()))
}

fn dialect(name: &str) -> amo::Dialect {
    let of_name = |dialect: &amo::Dialect| format!("{dialect:?}").eq_ignore_ascii_case(name);
    amo::Dialect::ALL.into_iter().find(of_name).unwrap_or_else(|| usage())
}

fn of_glb(bytes: &[u8], shown_only: bool) -> Box<dyn Fn(Time) -> Points> {
    let model = glb::read(bytes);
    Box::new(move |time| {
        let (animation, t) = (time.map(|time| time.0), time.map_or(0.0, |time| time.1));
        let drawn = model.drawn_at(animation, t);
        if drawn.is_empty() {
            return model.node_worlds(animation, t).iter().map(origin).collect();
        }
        let mut points = Points::new();
        for part in drawn.iter().filter(|part| part.shown || !shown_only) {
            points.extend(part.triangles.iter().flatten().map(|vertex| vertex.place));
            points.extend(part.lines.iter().flatten().map(|vertex| vertex.place));
            points.extend(part.points.iter().map(|vertex| vertex.place));
        }
        points
    })
}

fn origin(matrix: &Mat4) -> [f64; 3] {
    transform_point(matrix, [0.0; 3])
}

/// Reads an AMO file. Uses four influences, as most programs do. Clips without keys are skipped.
fn of_amo(bytes: &[u8], dialect: amo::Dialect) -> Box<dyn Fn(Time) -> Points> {
    let mut model = amo::read(bytes, dialect);
    model.limit_influences(4);
    let has_keys = |clip: &usize| !model.clips[*clip].key_times.is_empty();
    let clips: Vec<usize> = (0..model.clips.len()).filter(has_keys).collect();
    Box::new(move |time| match time {
        Some((clip, t)) => model.face_corners_at(clips[clip], t).concat(),
        None => model.rest_corners().concat(),
    })
}

fn of_castle(bytes: &[u8], folder: &Path) -> Box<dyn Fn(Time) -> Points> {
    let movie = castle::read(bytes, &|path| std::fs::read(folder.join(path)).unwrap());
    Box::new(move |time| {
        let (clip, t) = time.unwrap_or((0, f64::MIN));
        let drawn = movie.animations[clip].drawn_at(t);
        assert!(drawn.primitives.is_empty(), "analytic solids have no corners");
        drawn.all_points()
    })
}

fn of_bvh(bytes: &[u8]) -> Box<dyn Fn(Time) -> Points> {
    let file = bvh::parse(&String::from_utf8_lossy(bytes));
    Box::new(move |time| {
        let frame = time.map_or(0.0, |(_, t)| t / file.frame_time);
        file.model_matrices(frame, false).iter().map(origin).collect()
    })
}

/// Reads an animation and its model. Objects without a key in a frame are hidden.
fn of_tmd(motion: &[u8], model: Vec<u8>) -> Box<dyn Fn(Time) -> Points> {
    let (motion, model) = (tmd::anm(motion), tmd::model(&model));
    Box::new(move |time| {
        let seconds = time.map_or(0.0, |time| time.1);
        let last = motion.frames.len().saturating_sub(1);
        let frame = ((seconds * motion.rate).floor() as usize).min(last);
        let mut points = Points::new();
        for (number, object) in model.objects.iter().enumerate() {
            let options = tmd::Options::default();
            let Some(matrix) = motion.matrix(frame, number as u8, &options) else { continue };
            let mut add = |place: [f64; 3]| {
                points.push(tmd::point_to_gltf(transform_point(&matrix, place)));
            };
            let triangles = object.triangles.iter().flat_map(|triangle| triangle.corners);
            triangles.for_each(|corner| add(corner.position));
            object.lines.iter().flat_map(|line| line.ends).for_each(|end| add(end.0));
            object.dots.iter().for_each(|dot| add(dot.place));
        }
        points
    })
}
