//! Scenes that Castle Game Engine's converter has made of an animation.

use anim_ir::{Channel, Converted, Limits, Scene, Wrap};
use model_x3d::{Document, ToIr, codes, to_ir, to_ir_with};

use crate::frames::{assert_near, seen_at};
use crate::prototypes::Files;
use crate::sensors::{made, times};

/// A `Switch` of scenes that a sensor with these fields shows in this order.
fn baked(sensor: &str, scenes: &[String], order: &str) -> String {
    let count = order.split_whitespace().count();
    let keys: Vec<String> = (0..count).map(|n| format!("{}", n as f32 / count as f32)).collect();
    format!(
        "DEF Walk TimeSensor {{ {sensor} }}
         DEF Steps IntegerSequencer {{ key [ {} ] keyValue [ {order} ] }}
         DEF Walk_Switch_ChooseAnimationFrame Switch {{ whichChoice 0 children [ {} ] }}
         ROUTE Walk.fraction_changed TO Steps.set_fraction
         ROUTE Steps.value_changed TO Walk_Switch_ChooseAnimationFrame.set_whichChoice",
        keys.join(" "),
        scenes.join("\n")
    )
}

/// A triangle at x.
fn at(x: f64, appearance: &str) -> String {
    format!(
        "Transform {{ translation {x} 0 0 children Shape {{ {appearance}
         geometry IndexedFaceSet {{ coordIndex [ 0 1 2 ]
           coord Coordinate {{ point [ 0 0 0 1 0 0 0 1 0 ] }} }} }} }}"
    )
}

fn line(count: u8) -> Vec<String> {
    (0..count).map(|n| at(f64::from(n), "")).collect()
}

fn x(made: &Converted<Scene>, time: f64) -> f32 {
    seen_at(&made.value, 0, time)[0].x
}

#[test]
fn scenes_that_run_forth_and_back_once() {
    let made = made(&baked("cycleInterval 4 loop FALSE", &line(3), "0 1 2 2 1 0"));
    let clip = &made.value.clips[0];
    assert_eq!((clip.wrap, clip.end), (Wrap::PingPongOnce, 2.0));
    assert_eq!([0.0, 1.0, 2.0].map(|time| x(&made, time)), [0.0, 1.0, 2.0]);
}

/// The standard rules out cycles of no length. The default is used.
#[test]
fn a_cycle_of_no_length_takes_a_second() {
    let made = made(&baked("cycleInterval 0", &line(3), "0 1 2"));
    assert_eq!(made.losses.count(&codes::CYCLE_INTERVAL), 1);
    assert_eq!((made.value.clips[0].end, x(&made, 0.5)), (1.0, 1.0));
}

/// A flip book that was made by hand holds each scene, from the time of its key.
#[test]
fn a_flip_book_without_the_marks_of_the_converter_is_stepped() {
    let text = baked("cycleInterval 3 loop TRUE", &line(3), "0 1 2");
    let made = made(&text.replace("Walk_Switch_ChooseAnimationFrame", "Book"));
    assert_eq!((made.value.clips[0].wrap, made.value.clips[0].end), (Wrap::Loop, 3.0));
    let at = [0.0, 0.5, 0.99, 1.01, 1.5, 2.01, 2.9];
    assert_eq!(at.map(|time| x(&made, time)), [0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0]);
}

/// Colours are not animated, so they are no reason to keep a scene.
#[test]
fn scenes_that_differ_in_colours_are_left_out() {
    let red = |red: f64| {
        format!("appearance Appearance {{ material Material {{ diffuseColor {red} 0 0 }} }}")
    };
    let scenes: Vec<String> =
        (0..3_u8).map(|n| at(f64::from(n), &red([1.0, 0.25, 0.5][usize::from(n)]))).collect();
    let colored = made(&baked("cycleInterval 2", &scenes, "0 1 2"));
    assert_eq!(times(&colored.value, 0, Channel::Translation), [0.0, 2.0]);
    let alpha = |n: u8| {
        let coord = "coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] }";
        let color = format!(
            "{coord} color ColorRGBA {{ color [ 1 0 0 {}, 0 1 0 1, 0 0 1 1 ] }}",
            [1.0, 0.25, 0.5][usize::from(n)]
        );
        at(f64::from(n), "").replace(coord, &color)
    };
    let translucent = made(&baked("cycleInterval 2", &[alpha(0), alpha(1), alpha(2)], "0 1 2"));
    assert_eq!(times(&translucent.value, 0, Channel::Translation), [0.0, 2.0]);
    assert_near(&seen_at(&translucent.value, 0, 1.0)[..1], &[[1.0, 0.0, 0.0]]);
}

/// On a flat curve, each scene is nearly in the middle of those beside it.
#[test]
fn small_deviations_add_up() {
    let scenes: Vec<String> =
        (0..11_u8).map(|n| at(f64::from(n) * f64::from(n) * 1e-4, "")).collect();
    let made = made(&baked("cycleInterval 10", &scenes, "0 1 2 3 4 5 6 7 8 9 10"));
    assert_near(&seen_at(&made.value, 0, 5.0)[..1], &[[0.0025, 0.0, 0.0]]);
    assert_near(&seen_at(&made.value, 0, 10.0)[..1], &[[0.01, 0.0, 0.0]]);
}

#[test]
fn a_scene_may_use_a_node_twice() {
    let scene = |n: u8| {
        let shape = at(0.0, "").replace("Transform", &format!("DEF T{n} Transform"));
        format!(
            "Group {{ children [ {shape} Transform {{ translation {n} 0 5 children USE T{n} }} ] }}"
        )
    };
    let made = made(&baked("cycleInterval 2", &[scene(0), scene(1), scene(3)], "0 1 2"));
    let firsts = |time| [0, 3].map(|at| seen_at(&made.value, 0, time)[at].to_array());
    assert_eq!(firsts(0.0), [[0.0; 3], [0.0, 0.0, 5.0]]);
    assert_eq!(firsts(2.0), [[0.0; 3], [3.0, 0.0, 5.0]]);
}

/// The content of an `Inline` belongs to the scene, and its images are beside its own file.
#[test]
fn scenes_may_be_in_other_files() {
    let texture = "appearance Appearance { texture ImageTexture { url \"skin.png\" } }";
    let file = |x: f64| format!("#X3D V3.3 utf8\n{}", at(x, texture));
    let inline = |name: &str| format!("Group {{ children Inline {{ url \"{name}\" }} }}");
    let scenes = ["parts/a.x3dv", "parts/b.x3dv"].map(inline);
    let text = format!("#X3D V3.3 utf8\n{}", baked("cycleInterval 2", &scenes, "0 1"));
    let document = Document::parse(text.as_bytes()).unwrap().value;
    let mut files = Files::from([("parts/a.x3dv", file(0.0)), ("parts/b.x3dv", file(2.0))]);
    let made = to_ir_with(&document, &ToIr::default(), &mut files, &[]);
    assert!(made.losses.is_empty(), "{:?}", made.losses);
    assert_eq!([0.0, 1.0, 2.0].map(|time| x(&made, time)), [0.0, 1.0, 2.0]);
    assert_eq!(made.value.images[0].path.as_deref(), Some("parts/skin.png"));
}

/// Nodes of VRML 1.0 have an order. Where types do not match, it stays.
#[test]
fn children_of_other_types_stay_in_order() {
    let scene = |nodes: &str| {
        format!(
            "<Separator>{nodes}<Coordinate3 point='0 0 0, 1 0 0, 0 1 0'/>\
             <IndexedFaceSet coordIndex='0 1 2 -1'/></Separator>"
        )
    };
    let [turn, step] =
        ["<Rotation rotation='0 0 1 1.5707964'/>", "<Translation translation='2 0 0'/>"];
    let scenes = scene(&[turn, step, turn].concat()) + &scene(&[step, step, turn].concat());
    let text = format!(
        "<X3D><Scene><TimeSensor DEF='walk'/>\
         <IntegerSequencer DEF='steps' key='0 0.5' keyValue='0 1'/>\
         <Switch DEF='walk_Switch_ChooseAnimationFrame' whichChoice='0'>{scenes}</Switch>\
         <ROUTE fromNode='walk' fromField='fraction_changed' toNode='steps' \
         toField='set_fraction'/><ROUTE fromNode='steps' fromField='value_changed' \
         toNode='walk_Switch_ChooseAnimationFrame' toField='whichChoice'/></Scene></X3D>"
    );
    let document = Document::parse(text.as_bytes()).unwrap();
    let made = to_ir(&document.value, &ToIr::default());
    assert_eq!(made.losses.count(&codes::FRAMES_DIFFER), 1, "{:?}", made.losses);
    // A half turn about (0, 2, 0), then a quarter turn about (4, 0, 0).
    assert_near(&seen_at(&made.value, 0, 0.0)[..2], &[[0.0, 2.0, 0.0], [-1.0, 2.0, 0.0]]);
    assert_near(&seen_at(&made.value, 0, 1.0)[..2], &[[4.0, 0.0, 0.0], [4.0, 1.0, 0.0]]);
}

/// Scenes that share nodes are copies of them.
#[test]
fn scenes_that_share_nodes_are_limited() {
    let shapes = (0..50).map(|n| at(f64::from(n), "")).collect::<String>();
    let mut scenes = vec![format!("DEF All Group {{ children [ {shapes} ] }}")];
    scenes.extend((0..400).map(|_| "Group { children USE All }".to_owned()));
    let order: String = (0..401).map(|n| format!("{n} ")).collect();
    let text = format!("#X3D V3.3 utf8\n{}", baked("cycleInterval 2", &scenes, &order));
    let document = Document::parse(text.as_bytes()).unwrap().value;
    let limits = Limits { memory: Some(1_000_000), ..Limits::default() };
    let made = to_ir(&document, &ToIr::default().with_limits(limits));
    let first = made.losses.iter().next().unwrap();
    assert_eq!(first.code.id, "x3d-expansion");
    assert!(first.message.contains("the scenes of a Switch"), "{}", first.message);
}
