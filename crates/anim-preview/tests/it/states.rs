use anim_ir::{
    Clip, ClipId, Motion, Scene, Sequence, SequenceKey, SequenceOrder, Skeleton, State, StateId,
    StateMachine, Timeline, Transition,
};
use anim_preview::{DiagramError, DiagramOptions, states};
use roxmltree::Document;

use crate::drawn::{group, number, parsed, texts};

/// A machine with states that play a clip, and with sequences: their names, orders, and the states
/// that their keys play.
pub(crate) fn machine(clips: &[&str], sequences: &[(&str, SequenceOrder, &[usize])]) -> Scene {
    let mut scene = Scene::default();
    let skeleton = scene.add_skeleton(Skeleton::new("s"));
    let timeline = scene.add_timeline(Timeline::default());
    let mut machine = StateMachine { skeleton, ..StateMachine::default() };
    for (number, name) in clips.iter().enumerate() {
        let clip = Clip { name: (*name).to_owned(), timeline, end: 2.0, ..Clip::default() };
        let clip: ClipId = scene.add_clip(clip);
        assert_eq!(clip.index(), number);
        machine.add_state(State { name: (*name).to_owned(), motion: Motion::Clip(clip) });
    }
    for (name, order, played) in sequences {
        let key = |number: usize, state: usize| SequenceKey {
            state: Some(StateId::new(state)),
            exit: number == 1,
            forward: Transition { seconds: 1.5, morph: number == 0 },
            backward: Transition { seconds: 0.5, morph: false },
        };
        let keys = played.iter().enumerate().map(|(number, state)| key(number, *state)).collect();
        let motion = Motion::Sequence(Sequence::new(*order, 0, keys));
        machine.add_state(State { name: (*name).to_owned(), motion });
    }
    scene.add_machine(machine);
    scene
}

fn drawn(scene: &Scene) -> String {
    states(scene, &DiagramOptions::default()).unwrap()
}

/// The box of a state: left, top, right and bottom.
fn area(document: &Document<'_>, name: &str) -> [f64; 4] {
    let area = group(document, "data-state", name).first_element_child().unwrap();
    let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| number(area, name));
    [x, y, x + width, y + height]
}

fn tour() -> Scene {
    let order = SequenceOrder::PingPongForwards;
    machine(&["low", "high"], &[("tour", order, &[0, 1]), ("all", SequenceOrder::Stay, &[2])])
}

#[test]
fn states_and_transitions_are_named() {
    let svg = drawn(&tour());
    let document = parsed(&svg);
    let texts = |name: &str| {
        let texts = texts(group(&document, "data-state", name)).into_iter();
        texts.map(|text| text.0).collect::<Vec<_>>()
    };
    assert_eq!(texts("low"), ["low", "2 s"]);
    assert_eq!(
        texts("tour"),
        [
            "tour",
            "ping-pong forwards",
            "low",
            "exit from 1.5 s to 2 s, again every 2 s",
            "high",
            "↓ morph over 1.5 s",
            "↑ switch after 0.5 s"
        ]
    );
    assert_eq!(texts("all"), ["all", "stay, never left", "tour"]);
}

#[test]
fn arrows_lead_from_each_key_to_the_state_that_it_plays() {
    let svg = drawn(&tour());
    let document = parsed(&svg);
    let [all, tour, low, high] = ["all", "tour", "low", "high"].map(|name| area(&document, name));
    assert!(all[2] < tour[0] && tour[2] < low[0] && low[0] == high[0], "from left to right");
    assert!(low[3] < high[1], "in the order of the keys");
    let arrows: Vec<Vec<f64>> = document
        .descendants()
        .filter(|node| node.attribute("class") == Some("plays"))
        .map(|path| {
            let data = path.attribute("d").unwrap();
            let numbers = data.split(['M', 'L', 'C', ' ']).filter(|part| !part.is_empty());
            numbers.map(|part| part.parse().unwrap()).collect()
        })
        .collect();
    let ends = [(tour, low), (tour, high), (all, tour)];
    assert_eq!(arrows.len(), ends.len());
    for (arrow, (from, to)) in arrows.iter().zip(ends) {
        let (x, y) = (arrow[0], arrow[1]);
        assert!(from[0] < x && x < from[2] && from[1] < y && y < from[3], "{arrow:?} {from:?}");
        let (x, y) = (arrow[arrow.len() - 2], arrow[arrow.len() - 1]);
        assert!((to[0] - x - 6.0).abs() < 0.02 && to[1] < y && y < to[3], "{arrow:?} {to:?}");
    }
}

#[test]
fn boxes_do_not_overlap_even_in_cycles() {
    let order = SequenceOrder::LoopForwards;
    let scene = machine(
        &["a", "b", "c", "alone"],
        &[
            ("one", order, &[0, 5, 1]),
            ("two", order, &[4, 6]),
            ("three", order, &[6, 2, 4]),
            ("four", SequenceOrder::LoopBackwards, &[0, 1, 2]),
        ],
    );
    let svg = drawn(&scene);
    let document = parsed(&svg);
    let names = ["a", "b", "c", "alone", "one", "two", "three", "four"];
    let areas = names.map(|name| area(&document, name));
    for (number, a) in areas.iter().enumerate() {
        for b in &areas[..number] {
            assert!(a[2] < b[0] || b[2] < a[0] || a[3] < b[1] || b[3] < a[1], "{a:?} {b:?}");
        }
    }
    let root = document.root_element();
    assert!(areas.iter().all(|area| area[2] < number(root, "width")));
    assert!(areas.iter().all(|area| area[3] < number(root, "height")));
}

#[test]
fn a_scene_without_states_is_an_error() {
    let error = states(&Scene::default(), &DiagramOptions::default()).unwrap_err();
    assert_eq!(error, DiagramError::NoMachine);
}

#[test]
fn a_small_fixture() {
    insta::assert_snapshot!(drawn(&tour()));
}
