//! What scenes cost that ask for much: hostile ones are bounded, all others take linear time.

use std::fmt::Write as _;

use anim_ir::{Clip, Converted, Scene, Severity, diag::plural};
use model_x3d::{Document, Frame, Take, ToIr};
use test_oracle::growth::assert_linear;

use crate::common;
use crate::frames::{clean, graph, make, restless, scene, still, take};

#[test]
fn ten_thousand_frames_take_linear_time() {
    let animate = |texts: &[String]| {
        let (frames, made) = (texts.len(), make(vec![take("long", texts)], &ToIr::default()));
        let meshes = &made.value.meshes;
        let targets: usize = meshes.iter().map(|mesh| mesh.morph_targets.len()).sum();
        assert!(
            targets >= frames - meshes.len() && meshes.len() <= frames / 200 + 1,
            "{} meshes, {targets} targets",
            meshes.len()
        );
    };
    animate(&restless(10_000));
    assert_linear("frames", restless, |texts| animate(texts), 1250);
}

/// All frames are unequal: each is a scene of its own.
#[test]
fn frames_that_all_differ_take_linear_time() {
    let boxes = |count: usize| {
        let shape = |n| format!("<Shape DEF='s{n}'><Box/></Shape>");
        let texts: Vec<String> = (0..count).map(|n| scene(&shape(n).repeat(n % 7 + 1))).collect();
        take("odd", &texts)
    };
    let animate = |taken: &Take| {
        let made = make(vec![taken.clone()], &ToIr::default());
        let count = taken.frames.len() as u64;
        assert_eq!(made.losses.count(&model_x3d::codes::FRAMES_DIFFER), count - 1);
        assert_eq!(made.value.meshes.len(), 1);
    };
    animate(&boxes(8000));
    assert_linear("frames", boxes, animate, 1000);
}

/// A scene in which the last of
/// `levels` groups uses the one before it twice, and so on down to `leaf`.
fn doubling(levels: usize, leaf: &str) -> String {
    let mut text = format!("#VRML V2.0 utf8\nSwitch {{ choice [ DEF g0 {leaf}\n");
    for level in 1..=levels {
        writeln!(text, "DEF g{level} Group {{ children [ USE g{0} USE g{0} ] }}", level - 1)
            .unwrap();
    }
    write!(text, "] }} USE g{levels}").unwrap();
    text
}

#[track_caller]
fn is_bounded(made: &Converted<Scene>) {
    assert!(made.losses.count(&model_x3d::codes::EXPANSION) > 0, "{:?}", made.losses);
    assert_eq!(made.losses.worst(), Some(Severity::Error));
}

/// Row C16: a billion uses of one box.
#[test]
fn uses_that_double_thirty_times() {
    let made = make(vec![still(doubling(30, "Shape { geometry Box { } }"))], &ToIr::default());
    is_bounded(&made);
    assert_eq!(made.value.meshes.len(), 1);
    assert!((100_000..=1_000_100).contains(&made.value.nodes.len()), "{}", made.value.nodes.len());
    // Ten times are fine.
    let made = clean(vec![still(doubling(10, "Shape { geometry Box { } }"))], &ToIr::default());
    assert_eq!((made.nodes.len(), made.meshes.len()), (1024, 1));
}

/// Each use has keys of its own: uses times frames are bounded as well.
#[test]
fn uses_that_double_and_move() {
    let frames = |leaf: &dyn Fn(usize) -> String| {
        let frames = (0..300).map(|n| Frame {
            time: n as f32,
            graph: graph(doubling(16, &leaf(n))),
            in_file: true,
            span: None,
        });
        Take { clip: Clip { end: 299.0, ..Clip::default() }, frames: frames.collect(), step: false }
    };
    let shape = |n: usize| {
        format!(
            "Shape {{ geometry IndexedFaceSet {{ coordIndex [0 1 2] coord Coordinate {{ point [{n} \
             0 0 1 0 0 0 1 0] }} }} }}"
        )
    };
    let moving = make(
        vec![frames(&|n| format!("Transform {{ translation {n} 0 0 children {} }}", shape(0)))],
        &ToIr::default(),
    );
    is_bounded(&moving);
    let morphing = make(vec![frames(&shape)], &ToIr::default());
    is_bounded(&morphing);
    for made in [moving, morphing] {
        let keys = made.value.timelines[0].key_count();
        assert!(keys <= 2_000_000, "{keys}");
    }
}

/// A mesh is made once, however often it is used.
#[test]
fn a_great_mesh_is_used_often() {
    let points: String = (0..60_000).map(|n| format!("{n} 0 1 ")).collect();
    let index: String = (0..60_000).map(|n| format!("{n} ")).collect();
    let leaf = format!(
        "Shape {{ geometry IndexedTriangleSet {{ index [{index}] coord Coordinate \
         {{ point [{points}] }} }} }}"
    );
    let made = clean(vec![still(doubling(17, &leaf))], &ToIr::default());
    assert_eq!((made.nodes.len(), made.meshes.len()), (1 << 17, 1));
}

/// Names, and transforms that each shape has a list of, are repeated with each use.
#[test]
fn uses_that_repeat_much() {
    let name = "n".repeat(4000);
    let leaf = format!("Group {{ children DEF {name} Shape {{ geometry Box {{ }} }} }}");
    is_bounded(&make(vec![still(doubling(18, &leaf))], &ToIr::default()));

    let mut text = String::from("#VRML V1.0 ascii\nSeparator { Texture2 { filename \"a.png\" }\n");
    (0..100_000).for_each(|_| text.push_str("Texture2Transform { } Cube { }\n"));
    is_bounded(&make(vec![still(text + "}")], &ToIr::default()));

    // Below a matrix that changes, all transforms go into the vertices.
    let frame = |n: usize| {
        let mut text = String::from("#VRML V1.0 ascii\nSwitch { DEF s0 Separator { Cube { } }\n");
        (1..=20_000).for_each(|level| {
            writeln!(text, "DEF s{level} Separator {{ Translation {{ }} USE s{} }}", level - 1)
                .unwrap()
        });
        write!(
            text,
            "}} MatrixTransform {{ matrix 1 0 0 {n} 0 1 0 0 0 0 1 0 0 0 0 1 }} USE s20000"
        )
        .unwrap();
        Frame { time: n as f32, graph: graph(text), in_file: true, span: None }
    };
    is_bounded(&make(
        vec![Take {
            clip: Clip { end: 1.0, ..Clip::default() },
            frames: vec![frame(0), frame(1)],
            step: false,
        }],
        &ToIr::default(),
    ));
}

/// Deep by use, since a file may not nest that deep: no recursion anywhere.
#[test]
fn a_hundred_thousand_transforms_in_each_other() {
    let mut text =
        String::from("#VRML V2.0 utf8\nSwitch { choice [ DEF t0 Shape { geometry Box { } }\n");
    for level in 1..=100_000 {
        writeln!(
            text,
            "DEF t{level} Transform {{ translation 0 0 1 children USE t{} }}",
            level - 1
        )
        .unwrap();
    }
    let made = clean(vec![still(text + "] } USE t100000")], &ToIr::default());
    assert_eq!(made.skeletons[0].joints.len(), 100_000);
    assert_eq!(common::Measures::of(&made).bounds().unwrap()[5], 100_001.0);

    for (header, node) in
        [("#VRML V2.0 utf8\n", "Group { children "), ("#VRML V1.0 ascii\n", "Separator { ")]
    {
        let parsed =
            Document::parse(format!("{header}{}", node.repeat(100_000)).into_bytes()).unwrap();
        assert_eq!(parsed.diagnostics.count(&model_x3d::codes::DEPTH), 1);
    }
    assert!(Document::parse(scene(&"<Group>".repeat(100_000)).into_bytes()).is_err());
}

#[test]
fn a_million_nodes() {
    let groups = |count: usize| {
        let groups = "Group { } ".repeat(count);
        format!("#VRML V2.0 utf8\n{groups} Shape {{ geometry Box {{ }} }}")
    };
    let boxes = |count: usize| scene(&"<Shape><Box/></Shape>".repeat(count));
    let made = |text: &String| clean(vec![still(text.clone())], &ToIr::default());
    assert_eq!(made(&groups(1_000_000)).nodes.len(), 1);
    let many = made(&boxes(200_000));
    assert_eq!(
        (many.nodes.len(), plural(many.meshes.len(), "mesh")),
        (200_000, "1 mesh".to_owned())
    );
    assert_linear("groups", groups, |text| drop(made(text)), 20_000);
    assert_linear("boxes", boxes, |text| drop(made(text)), 10_000);
}

/// What the numbers of a file overflow to is never NaN or infinite.
#[test]
fn huge_numbers() {
    let huge = |sign: &str| {
        let values = format!("{sign}3e38 {sign}3e38 {sign}3e38");
        let transform = format!(
            "translation='{values}' center='{values}' scale='{values}' rotation='{values} 3e38' \
             scaleOrientation='{values} 1'"
        );
        let shape = "<Shape><Appearance><ImageTexture url='a.png'/><TextureTransform scale='3e38 \
                     3e38' translation='3e38 3e38'/></Appearance>";
        let mesh = format!(
            "<IndexedFaceSet creaseAngle='3' coordIndex='0 1 2 3 -1 0 2 4'><Coordinate \
             point='{values} 0 0 0 {sign}3e38 0 0 1 2 3 0 {sign}1 0'/></IndexedFaceSet>"
        );
        scene(&format!(
            "<Transform {transform}><Transform \
             {transform}>{shape}{mesh}</Shape></Transform></Transform>"
        ))
    };
    for options in [
        ToIr::default(),
        ToIr::default().with_morph_normals(true),
        ToIr::default().with_flip_book(true),
    ] {
        make(vec![take("huge", &[huge(""), huge("-"), huge("")])], &options);
    }
    let matrix = |sign: &str| {
        let numbers = vec![format!("{sign}3e38"); 16].join(" ");
        let text = format!(
            "#VRML V1.0 ascii\nMatrixTransform {{ matrix {numbers} }} Rotation \
             {{ rotation 1 {sign}1 0 {sign}2 }} MatrixTransform {{ matrix {numbers} }} Cube \
             {{ width 3e38 }}"
        );
        Frame {
            time: if sign.is_empty() { 0.0 } else { 1.0 },
            graph: graph(text),
            in_file: true,
            span: None,
        }
    };
    for morph_normals in [false, true] {
        let take = Take {
            clip: Clip { end: 1.0, ..Clip::default() },
            frames: vec![matrix(""), matrix("-")],
            step: false,
        };
        make(vec![take], &ToIr::default().with_morph_normals(morph_normals));
    }
}
