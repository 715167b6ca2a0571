//! Tests the evaluator with generated files.

use test_oracle::castle::generate::{self, Generated, Options};
use test_oracle::castle::{self, Animation, Movie};
use test_oracle::fixtures;

use super::evaluate::{no_files, only};

const SEEDS: u64 = 100;

fn movie(generated: &Generated) -> Movie {
    castle::read(&generated.text, &|path| generated.file(path))
}

fn options() -> [Options; 3] {
    let off = Options::default();
    [off, Options { varying_matrices: true, ..off }, Options { primitives: true, ..off }]
}

#[test]
fn generated_files_are_read_and_draw_something() {
    for options in options() {
        for seed in 0..fixtures::scale(60, 200) {
            let movie = movie(&generate::castle_with(seed, options));
            let size = movie.size();
            assert!(size > 0.5 && size < 1000.0, "{options:?} {seed}: {size}");
            for animation in &movie.animations {
                for pair in animation.times.windows(2) {
                    let corners = animation.corners_at(pair[0] * 0.4 + pair[1] * 0.6);
                    let are_finite = corners.as_flattened().iter().all(|x| x.is_finite());
                    assert!(!corners.is_empty() && are_finite, "{options:?} {seed}");
                }
            }
        }
    }
}

/// A feature and a predicate for animations with it.
type Feature<'a> = (&'a str, &'a dyn Fn(&Animation) -> bool);

#[test]
fn all_animation_features_occur() {
    let movies: Vec<Movie> = (0..SEEDS).map(|seed| movie(&generate::castle(seed))).collect();
    let animations: Vec<&Animation> = movies.iter().flat_map(|movie| &movie.animations).collect();
    let pairs = |a: &Animation| 0..a.times.len() - 1;
    let pose = |a: &Animation, i: usize| a.corners_at(a.times[i]);
    let repeats = |a: &Animation, i: usize| pose(a, i) == pose(a, i + 1);
    let repeats_earlier =
        |a: &Animation, i: usize| pose(a, i) != pose(a, i - 1) && pose(a, i) == pose(a, i - 2);
    let has_texcoords =
        |a: &Animation| a.corners_with_texcoords(0.0).iter().any(|corner| corner.1.is_some());
    let features: [Feature<'_>; 15] = [
        ("one frame", &|a| a.times.len() == 1),
        ("negative first times", &|a| a.times[0] < 0.0),
        ("late first times", &|a| a.times[0] > 0.0),
        ("steps", &|a| a.step),
        ("loops", &|a| a.loops),
        ("backwards", &|a| a.backwards),
        ("boxes", &|a| a.boxes.iter().any(Option::is_some)),
        ("structurally equal frames", &|a| {
            a.times.len() > 2 && pairs(a).all(|i| a.structurally_equal(i))
        }),
        ("structurally different frames", &|a| pairs(a).any(|i| !a.structurally_equal(i))),
        ("frames that repeat the previous one", &|a| pairs(a).any(|i| repeats(a, i))),
        ("frames that move", &|a| pairs(a).any(|i| a.structurally_equal(i) && !repeats(a, i))),
        ("frames that repeat an earlier one", &|a| {
            (2..a.times.len()).any(|i| repeats_earlier(a, i))
        }),
        ("texture coordinates", &has_texcoords),
        ("lines", &|a| !a.drawn_at(0.0).lines.is_empty()),
        ("points", &|a| !a.drawn_at(0.0).points.is_empty()),
    ];
    for (what, has) in features {
        let count = animations.iter().filter(|animation| has(animation)).count();
        assert!(count >= 5, "{what}: {count}");
    }
    assert!(animations.iter().all(|animation| animation.drawn_at(0.0).primitives.is_empty()));
}

#[test]
fn all_text_features_occur() {
    let generated: Vec<Generated> = (0..SEEDS).map(generate::castle).collect();
    let in_text = |made: &Generated, word: &str| String::from_utf8_lossy(&made.text).contains(word);
    let in_files = |made: &Generated, has: &dyn Fn(&str) -> bool| {
        made.files.iter().any(|(_, content)| has(&String::from_utf8_lossy(content)))
    };
    let count =
        |has: &dyn Fn(&Generated) -> bool| generated.iter().filter(|made| has(made)).count();
    for header in ["<?xml", "#X3D V3.0", "#VRML V2.0", "#VRML V1.0", "\u{1f}\u{fffd}"] {
        let found = count(&|made| in_files(made, &|text| text.starts_with(header)));
        assert!(found >= 5, "{header:?}");
    }
    let words = "scaleOrientation= center= USE= <Inline <Switch containerField=\"proxy\" \
                 creaseAngle= texCoordIndex= &amp; &quot;";
    for word in words.split(' ') {
        assert!(count(&|made| in_text(made, word)) >= 5, "{word}");
    }
    let words = "MatrixTransform,TransformSeparator,WWWInline,separate FALSE,textureCoordIndex,\
                 DEF Part,choice";
    for word in words.split(',') {
        assert!(count(&|made| in_files(made, &|text| text.contains(word))) >= 3, "{word}");
    }
}

#[test]
fn options_enable_their_content() {
    let [_, matrices, primitives] = options();
    let solids = |seed| {
        let movie = movie(&generate::castle_with(seed, primitives));
        movie.animations.iter().any(|animation| !animation.drawn_at(0.0).primitives.is_empty())
    };
    assert!((0..50).filter(|&seed| solids(seed)).count() > 10);
    let mut frames = 0;
    for seed in 0..50 {
        let made = generate::castle_with(seed, matrices);
        assert!(made.files.iter().all(|(_, content)| content.starts_with(b"#VRML V1.0")), "{seed}");
        let matrix = |content: &[u8]| {
            let text = String::from_utf8_lossy(content);
            let lines = text.lines().filter(|line| line.trim_start().starts_with("matrix "));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let all: Vec<Vec<String>> = made.files.iter().map(|(_, content)| matrix(content)).collect();
        frames += usize::from(all.windows(2).any(|pair| !pair[0].is_empty() && pair[0] != pair[1]));
    }
    assert!(frames > 25, "{frames}");
}

/// Returns the lines of each frame of a large file.
fn frames_of(text: &[u8]) -> Vec<Vec<&[u8]>> {
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    let starts = |line: &&[u8]| line.trim_ascii_start().starts_with(b"<frame ");
    lines.split(starts).skip(1).map(<[&[u8]]>::to_vec).collect()
}

#[test]
fn large_files_repeat_as_requested_with_equal_structures() {
    for repeat in [true, false] {
        let text = generate::large(1_000_000, repeat);
        let animation = only(castle::read(&text, &no_files));
        assert!((0..animation.times.len() - 1).all(|i| animation.structurally_equal(i)));
        let faces = animation.drawn_at(0.0).faces;
        assert!(faces.len() >= 100, "{}", faces.len());
        assert!(faces.iter().flatten().all(|corner| corner.texcoord.is_some()));
        let [first, second] = [0, 1].map(|i| animation.corners_at(animation.times[i]));
        assert_ne!(first, second);
        let frames = frames_of(&text);
        for pair in frames.windows(2) {
            let length = |line: &&[u8]| line.len() + 1;
            let same: usize =
                pair[1].iter().filter(|line| pair[0].contains(*line)).map(length).sum();
            let all: usize = pair[1].iter().map(length).sum();
            assert_eq!(same * 10 > all * 7, repeat, "{same} of {all}");
        }
    }
}
