//! Cost of demanding scenes: hostile scenes are bounded, and all others take linear time.

use std::fmt::Write as _;
use std::sync::Arc;

use anim_ir::{Converted, Scene, Severity};
use model_x3d::{Document, Take, ToIr};
use test_oracle::growth::assert_linear;

use crate::common;
use crate::frames::{clean, files, make, of_graphs, restless, scene, seen_at, take};
use crate::sensors;

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

/// All frames differ in structure, so each is a separate subtree.
#[test]
fn frames_of_different_structure_take_linear_time() {
    let boxes = |count: usize| {
        let shape = |n, part| format!("<Shape DEF='s{n}_{part}'><Box/></Shape>");
        let shapes = |n| (0..=n % 7).map(|part| shape(n, part)).collect::<String>();
        let texts: Vec<String> = (0..count).map(|n| scene(&shapes(n))).collect();
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

/// Frames that show the same file again are charged: a file may contain thousands of them.
#[test]
fn repeated_frames_are_limited() {
    let graph = |kind: &str| {
        let text = scene(&format!("<Shape><{kind}/></Shape>").repeat(1000));
        Arc::new(Document::parse(text.as_bytes()).unwrap().value.into_graph())
    };
    let graphs = [graph("Box"), graph("Cone")];
    let made = |frames: usize| {
        let frames = (0..frames).map(|number| Arc::clone(&graphs[number % 2]));
        make(vec![of_graphs("many", frames)], &ToIr::default())
    };
    let keys = |made: &Converted<Scene>| {
        let tables = made.value.timelines[0].tables().iter();
        tables.map(|table| table.times().len()).max().unwrap()
    };
    let few = made(100);
    assert!(few.losses.worst() < Some(Severity::Error) && keys(&few) >= 99, "{}", keys(&few));
    let many = made(4000);
    is_bounded(&many);
    assert!((99..1000).contains(&keys(&many)), "{}", keys(&many));
}

/// Each take has a separate node hierarchy. It shows its own part, hides the part that is visible
/// at rest, and does not animate the parts of other takes.
#[test]
fn takes_of_different_structure_have_few_tracks() {
    let takes = (0..50_usize).map(|number| {
        let boxes = (0..number + 1).map(|n| format!("<Shape DEF='s{n}'><Box/></Shape>"));
        take(&number.to_string(), &[scene(&boxes.collect::<String>())])
    });
    let made = clean(takes.collect(), &ToIr::default());
    let tracks = made.timelines.iter().map(|timeline| timeline.tracks().len());
    assert_eq!(tracks.collect::<Vec<_>>(), [vec![0], vec![2; 49]].concat());
    for number in [0, 1, 49] {
        assert_eq!(seen_at(&made, number, 0.0).len(), (number + 1) * 24, "{number}");
    }
}

/// Converts these files to a scene, with one frame per file.
fn made(frames: impl IntoIterator<Item = String>) -> Converted<Scene> {
    make(vec![files(frames)], &ToIr::default())
}

/// Reads the scene of a file without errors.
fn still(text: String) -> Scene {
    clean(vec![files([text])], &ToIr::default())
}

/// Returns a scene in which each of `levels` nodes uses the previous node, and the first uses
/// `leaf`.
fn nested(levels: usize, leaf: &str, node: impl Fn(usize) -> String) -> String {
    let nodes = (0..levels).map(|inner| format!("DEF g{} {}\n", inner + 1, node(inner)));
    let nodes: String = nodes.collect();
    format!("#VRML V2.0 utf8\nSwitch {{ choice [ DEF g0 {leaf}\n{nodes}] }} USE g{levels}")
}

/// Returns a scene of groups that each use the previous group twice.
fn doubling(levels: usize, leaf: &str) -> String {
    nested(levels, leaf, |inner| format!("Group {{ children [ USE g{inner} USE g{inner} ] }}"))
}

#[track_caller]
fn is_bounded(made: &Converted<Scene>) {
    assert!(made.losses.count(&model_x3d::codes::EXPANSION) > 0, "{:?}", made.losses);
    assert_eq!(made.losses.worst(), Some(Severity::Error));
}

/// Once a sphere exceeds the memory limit, others are refused without building them, unless they
/// share the mesh of one that is drawn. Other shapes are still drawn.
#[test]
fn shapes_without_memory_are_not_built() {
    let sphere = |radius: usize| format!("<Shape><Sphere radius='{radius}'/></Shape>");
    let spheres: String = (1..=4000).chain([1]).map(sphere).collect();
    let made = made([scene(&format!("{spheres}<Shape><Box/></Shape>"))]);
    is_bounded(&made);
    let drawn = made.value.meshes.len();
    assert_eq!(made.value.nodes.len(), drawn + 1);
    // With a share of the budget for what writers make of them.
    assert!((1000..2500).contains(&drawn), "{drawn}");
    let refused = made.losses.count(&model_x3d::codes::EXPANSION);
    assert_eq!(refused + drawn as u64 + 1, 4002);
    assert_eq!(made.value.meshes.last().unwrap().positions.len(), 24);
}

/// Equal shapes share what is made of the first, unless their nodes have names of their own.
/// Problems are reported at each.
#[test]
fn equal_shapes_are_made_once() {
    let look = |name: &str| {
        format!(
            "<Appearance><Material {name}/><ImageTexture url='a.png' repeatS='false'/>\
             </Appearance>"
        )
    };
    let shape = |name: &str| format!("<Shape>{}<Sphere/></Shape>\n", look(name));
    let shapes: String = (0..30).map(|_| shape("")).collect();
    let made = made([scene(&(shapes + &shape("DEF='other'")))]);
    assert_eq!((made.value.nodes.len(), made.value.meshes.len()), (31, 2));
    assert!(!made.losses.counts().is_empty());
    for (code, count) in made.losses.counts() {
        assert_eq!(*count, 31, "{code:?}");
        let spans: Vec<_> = made.losses.iter().filter(|it| it.code == *code).collect();
        assert!(spans.windows(2).all(|pair| pair[0].span < pair[1].span), "{spans:?}");
    }
}

/// Row C16: a file cannot use a box a billion times.
#[test]
fn exponential_reuse_is_limited() {
    let much = made([doubling(30, "Shape { geometry Box { } }")]);
    is_bounded(&much);
    assert_eq!(much.value.meshes.len(), 1);
    // The default budget pays for the memory of some 100,000 uses, with what writers add.
    assert!((100_000..=110_000).contains(&much.value.nodes.len()), "{}", much.value.nodes.len());
    // Ten levels are accepted.
    let made = still(doubling(10, "Shape { geometry Box { } }"));
    assert_eq!((made.nodes.len(), made.meshes.len()), (1024, 1));
}

/// Each use has separate keys, so the product of uses and frames is also bounded.
#[test]
fn exponential_reuse_of_moving_nodes_is_limited() {
    let shape = |n: usize| {
        format!(
            "Shape {{ geometry IndexedFaceSet {{ coordIndex [0 1 2] coord Coordinate {{ point [{n} \
             0 0 1 0 0 0 1 0] }} }} }}"
        )
    };
    let moved = |n: usize| format!("Transform {{ translation {n} 0 0 children {} }}", shape(0));
    for leaf in [&shape as &dyn Fn(usize) -> String, &moved] {
        let made = made((0..300).map(|n| doubling(16, &leaf(n))));
        is_bounded(&made);
        let keys = made.value.timelines[0].key_count();
        assert!(keys <= 2_000_000, "{keys}");
    }
}

/// Returns a `CoordinateInterpolator` with this many keys, and a shape whose points it sets.
fn swaying(keys: usize) -> String {
    let times: String = (0..keys).map(|n| format!("{} ", n as f64 / keys as f64)).collect();
    let points: String = (0..keys).map(|n| format!("0 0 0, {} 0 0, 0 1 0,", n % 17)).collect();
    format!(
        "DEF I CoordinateInterpolator {{ key [ {times} ] keyValue [ {points} ] }}
        Shape {{ geometry IndexedFaceSet {{ coordIndex [ 0 1 2 -1 ]
        coord DEF C Coordinate {{ point [ 0 0 0, 1 0 0, 0 1 0 ] }} }} }}
        ROUTE I.value_changed TO C.point\n"
    )
}

fn sensor(number: usize, interpolator: &str) -> String {
    format!(
        "DEF S{number} TimeSensor {{ }} ROUTE S{number}.fraction_changed TO \
         {interpolator}.set_fraction\n"
    )
}

/// Asserts that the keys of a scene fit into its budget, and that not every one of the keys that do
/// not is reported.
#[track_caller]
fn keys_are_bounded(made: &Converted<Scene>, most_reports: u64, most_keys: usize) {
    is_bounded(made);
    let reports = made.losses.count(&model_x3d::codes::EXPANSION);
    assert!(reports <= most_reports, "{reports}");
    let keys: usize = made.value.timelines.iter().map(anim_ir::Timeline::key_count).sum();
    assert!((1000..most_keys).contains(&keys), "{keys}");
}

/// Each sensor plays all poses.
#[test]
fn many_sensors_of_one_interpolator_of_points_are_limited() {
    let text =
        |count: usize| swaying(count) + &(0..count).map(|n| sensor(n, "I")).collect::<String>();
    keys_are_bounded(&sensors::made(&text(1000)), 4, 200_000);
    assert_eq!(sensors::made(&text(100)).value.timelines[99].key_count(), 101);
}

/// Each shape has poses of its own.
#[test]
fn many_shapes_with_the_same_moving_points_are_limited() {
    let text = |count: usize| {
        let shape = "Shape { geometry IndexedFaceSet { coord USE C coordIndex [ 0 1 2 -1 ] } }\n";
        swaying(count) + &sensor(0, "I") + &shape.repeat(count)
    };
    keys_are_bounded(&sensors::made(&text(2000)), 2000, 200_000);
    assert_eq!(sensors::made(&text(100)).value.timelines[0].tracks().len(), 101);
}

/// Once the keys of one target exceed the memory limit, those of the other targets are not made.
#[test]
fn many_targets_of_one_long_interpolator_are_limited() {
    let text = |kind: &str, values: &str, target: &str, field: &str, count: usize| {
        let times: String = (0..count).map(|n| format!("{} ", n as f64 / count as f64)).collect();
        let value =
            |n: usize| values.replace('$', &format!("{n}")).replace('?', &format!("{}", n % 2));
        let values: String = (0..count).map(value).collect();
        let mut text =
            format!("DEF I {kind} {{ key [ {times} ] keyValue [ {values} ] }}\n{}", sensor(0, "I"));
        for n in 0..count {
            writeln!(text, "DEF T{n} {target}\nROUTE I.value_changed TO T{n}.{field}").unwrap();
        }
        text
    };
    let moved = "Transform { children Shape { geometry Box { } } }";
    let path = text("PositionInterpolator", "0 $ 1 ", moved, "translation", 3000);
    keys_are_bounded(&sensors::made(&path), 3000, 2_000_000);
    let turns = text("OrientationInterpolator", "0 1 0 0.$ ", moved, "rotation", 3000);
    keys_are_bounded(&sensors::made(&turns), 3000, 2_000_000);
    let choice = "Switch { whichChoice 0 children [ Shape { geometry Box { } } Group { } ] }";
    let choices = text("IntegerSequencer", "? ", choice, "whichChoice", 3000);
    is_bounded(&sensors::made(&choices));
}

/// A reused mesh is built only once.
#[test]
fn a_reused_huge_mesh_is_built_once() {
    let points: String = (0..60_000).map(|n| format!("{n} 0 1 ")).collect();
    let index: String = (0..60_000).map(|n| format!("{n} ")).collect();
    let leaf = format!(
        "Shape {{ geometry IndexedTriangleSet {{ index [{index}] coord Coordinate \
         {{ point [{points}] }} }} }}"
    );
    let made = still(doubling(16, &leaf));
    assert_eq!((made.nodes.len(), made.meshes.len()), (1 << 16, 1));
}

/// Names, and the lists of transforms that each shape stores, are repeated with each use.
#[test]
fn reuse_of_long_names_and_lists_is_limited() {
    let name = "n".repeat(4000);
    let leaf = format!("Group {{ children DEF {name} Shape {{ geometry Box {{ }} }} }}");
    is_bounded(&made([doubling(18, &leaf)]));

    let mut text = String::from("#VRML V1.0 ascii\nSeparator { Texture2 { filename \"a.png\" }\n");
    (0..100_000).for_each(|_| text.push_str("Texture2Transform { } Cube { }\n"));
    is_bounded(&made([text + "}"]));

    // Below a changing matrix, all transforms are baked into the vertices.
    let frame = |n: usize| {
        let mut text = String::from("#VRML V1.0 ascii\nSwitch { DEF s0 Separator { Cube { } }\n");
        (1..=20_000).for_each(|level| {
            let inner = level - 1;
            writeln!(text, "DEF s{level} Separator {{ Translation {{ }} USE s{inner} }}").unwrap()
        });
        let matrix = format!("matrix 1 0 0 {n} 0 1 0 0 0 0 1 0 0 0 0 1");
        text + "} MatrixTransform { " + &matrix + " } USE s20000"
    };
    is_bounded(&made([frame(0), frame(1)]));
}

/// Deep nesting with `USE`, beyond the nesting limit of files, does not cause recursion.
#[test]
fn a_hundred_thousand_nested_transforms() {
    let made = still(nested(100_000, "Shape { geometry Box { } }", |inner| {
        format!("Transform {{ translation 0 0 1 children USE g{inner} }}")
    }));
    assert_eq!(made.skeletons[0].joints.len(), 100_000);
    assert_eq!(common::Measures::of(&made).bounds().unwrap()[5], 100_001.0);

    for (header, node) in
        [("#VRML V2.0 utf8\n", "Group { children "), ("#VRML V1.0 ascii\n", "Separator { ")]
    {
        let text = format!("{header}{}", node.repeat(100_000));
        let parsed = Document::parse(text.into_bytes()).unwrap();
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
    assert_eq!(still(groups(1_000_000)).nodes.len(), 1);
    let many = still(boxes(200_000));
    assert_eq!((many.nodes.len(), many.meshes.len()), (200_000, 1));
    assert_linear("groups", groups, |text| drop(still(text.clone())), 20_000);
    assert_linear("boxes", boxes, |text| drop(still(text.clone())), 10_000);
}

/// Shapes that share long lists take time only for what they use of them.
#[test]
fn many_shapes_with_the_same_points() {
    let lists = |count: usize| {
        let numbers = |scale: f64| -> String {
            (0..count).map(|at| format!("{} 0 {} ", at as f64 * scale, at % 7)).collect()
        };
        [numbers(1.0), numbers(0.0), format!("{} ", "0 0.5 ".repeat(count))]
    };
    let x3d = |count: usize| {
        let [points, normals, texcoords] = lists(count);
        let colors = normals.replace('7', "1");
        let geometry = |point: &str, color: &str, normal: &str, texcoord: &str| {
            format!(
                "<Shape><Appearance><ImageTexture url='a.png'/></Appearance><IndexedFaceSet \
                 coordIndex='0 1 2 -1'><Coordinate {point}/><Color {color}/><Normal {normal}/>\
                 <TextureCoordinate {texcoord}/></IndexedFaceSet></Shape>"
            )
        };
        let first = geometry(
            &format!("DEF='p' point='{points}'"),
            &format!("DEF='c' color='{colors}'"),
            &format!("DEF='n' vector='{normals}'"),
            &format!("DEF='t' point='{texcoords}'"),
        );
        scene(&(first + &geometry("USE='p'", "USE='c'", "USE='n'", "USE='t'").repeat(count)))
    };
    let vrml = |count: usize| {
        let [points, ..] = lists(count);
        let faces = "IndexedFaceSet { coordIndex [0, 1, 2, -1] }\n".repeat(count);
        format!(
            "#VRML V1.0 ascii\nSeparator {{ Texture2 {{ filename \"a.png\" }} Coordinate3 {{ point \
             [{points}] }} {faces} }}"
        )
    };
    assert_linear("X3D", x3d, |text| drop(still(text.clone())), 1_500);
    assert_linear("VRML 1.0", vrml, |text| drop(still(text.clone())), 2_000);
}

/// Overflow never results in NaN or infinity.
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
        ToIr::default().with_no_morph_normals(true),
        ToIr::default().with_flip_book(true),
    ] {
        make(vec![take("huge", &[huge(""), huge("-"), huge("")])], &options);
    }
    let matrix = |sign: &str| {
        let numbers = vec![format!("{sign}3e38"); 16].join(" ");
        format!(
            "#VRML V1.0 ascii\nMatrixTransform {{ matrix {numbers} }} Rotation \
             {{ rotation 1 {sign}1 0 {sign}2 }} MatrixTransform {{ matrix {numbers} }} Cube \
             {{ width 3e38 }}"
        )
    };
    for no_morph_normals in [false, true] {
        let take = files(["", "-"].map(matrix));
        make(vec![take], &ToIr::default().with_no_morph_normals(no_morph_normals));
    }
}

/// Each child of a `Switch` has only the keys at which it appears or disappears.
#[test]
fn children_of_a_sequencer_take_linear_time() {
    let book = |count: usize| {
        let mut text = String::from("DEF S Switch { whichChoice 0 children [");
        for at in 0..count {
            let _ = write!(text, " Transform {{ translation {at} 0 0 children Shape {{ ");
            text += "geometry PointSet { coord Coordinate { point [ 0 0 0 ] } } } }";
        }
        let list = |number: &dyn Fn(usize) -> String| {
            (0..count).map(|at| number(at) + " ").collect::<String>()
        };
        let _ = write!(
            text,
            " ] }} DEF T TimeSensor {{ cycleInterval 10 }} DEF Q IntegerSequencer {{
             key [ {} ] keyValue [ {} ] }}
             ROUTE T.fraction_changed TO Q.set_fraction
             ROUTE Q.value_changed TO S.whichChoice",
            list(&|at| (at as f64 / count as f64).to_string()),
            list(&|at| at.to_string())
        );
        text
    };
    let animate = |text: &String| {
        let made = sensors::made(text);
        assert!(made.losses.is_empty(), "{:?}", made.losses);
        made
    };
    let made = animate(&book(2000));
    let tables = made.value.timelines[0].tables().iter();
    assert!(tables.map(|table| table.times().len()).max() <= Some(4));
    for (time, x) in [(0.001, 0.0), (2.501, 500.0), (9.999, 1999.0)] {
        let seen = seen_at(&made.value, 0, time);
        assert_eq!(seen.iter().map(|point| point.x).collect::<Vec<_>>(), [x], "{time}");
    }
    assert_linear("children", book, |text| drop(animate(text)), 500);
}
