use anim_ir::{Clip, Event, Scene};
use anim_preview::{DiagramError, DiagramOptions, timeline};

use crate::curves::scene;
use crate::drawn::{group, number, parsed, points, seconds, texts};

fn drawn(scene: &Scene) -> String {
    timeline(scene, &DiagramOptions::default()).unwrap()
}

/// The scene of the curves with two groups, each with an event.
fn grouped() -> Scene {
    let mut scene = scene();
    for (clip, group) in scene.clips.iter_mut().zip(["Leg", "Foot", "Leg"]) {
        clip.group = Some(group.to_owned());
        clip.name = format!("{group}/{}", clip.name);
    }
    for (event, group) in scene.timelines[0].events.iter_mut().zip(["Leg", "Foot"]) {
        event.group = Some(group.to_owned());
    }
    scene
}

#[test]
fn each_clip_has_a_bar_from_its_start_to_its_end() {
    let svg = drawn(&grouped());
    let document = parsed(&svg);
    let x = seconds(&document);
    for (name, start, end) in
        [("Leg/walk", 0.0, 2.0), ("Foot/part", 1.0, 3.0), ("Leg/next", 2.0, 3.0)]
    {
        let bar = group(&document, "data-clip", name).first_element_child().unwrap();
        let (left, width) = (number(bar, "x"), number(bar, "width"));
        assert!((left - x(start)).abs() < 0.02, "{name}");
        assert!((left + width - x(end)).abs() < 0.03, "{name}");
    }
    let all = texts(document.root_element());
    let y = |wanted: &str| all.iter().find(|(text, ..)| text == wanted).unwrap().2;
    assert!(y("Leg") < y("walk") && y("walk") < y("next"), "clips of a group are together");
    assert!(y("next") < y("step") && y("step") < y("Foot") && y("Foot") < y("part"));
    assert!(y("part") < y("last") && y("last") < y("later"), "events without a group are last");
}

#[test]
fn events_and_keys_are_at_their_times() {
    let svg = drawn(&grouped());
    let document = parsed(&svg);
    let x = seconds(&document);
    let events = document.descendants().filter(|node| node.attribute("class") == Some("event"));
    let titled: Vec<(f64, String)> = events
        .filter_map(|event| {
            let title = event.first_element_child()?.text()?.to_owned();
            Some((points(event)[0].0, title))
        })
        .collect();
    assert_eq!(titled.len(), 3);
    for ((found, title), (time, expected)) in
        titled.iter().zip([(0.5, "step at 0.5 s"), (2.0, "last at 2 s"), (2.5, "later at 2.5 s")])
    {
        assert_eq!(title, expected);
        assert!((found - x(time)).abs() < 0.02, "{title}");
    }
    let keys = document.descendants().find(|node| node.attribute("class") == Some("keys"));
    let keys: Vec<f64> = points(keys.unwrap()).iter().map(|point| point.0).collect();
    assert_eq!(keys.len(), 3);
    for (found, time) in keys.iter().zip([0.0, 0.5, 2.0]) {
        assert!((found - x(time)).abs() <= 0.51, "to the pixel");
    }
}

#[test]
fn labels_of_events_do_not_overlap() {
    let mut scene = scene();
    scene.timelines[0].events = (0..60_u8)
        .map(|number| Event {
            time: f32::from(number) / 20.0,
            name: format!("event {number}"),
            ..Event::default()
        })
        .collect();
    let svg = drawn(&scene);
    let document = parsed(&svg);
    let labels: Vec<(String, f64, f64)> = texts(document.root_element())
        .into_iter()
        .filter(|(text, ..)| text.starts_with("event "))
        .collect();
    assert!(labels.len() > 30, "{}", labels.len());
    for (number, a) in labels.iter().enumerate() {
        for b in &labels[..number] {
            // At 10 pixels, these names are 40 pixels wide or more.
            assert!(a.2 != b.2 || (a.1 - b.1).abs() > 38.0, "{a:?} overlaps {b:?}");
        }
    }
}

#[test]
fn a_scene_without_clips_is_an_error() {
    let error = timeline(&Scene::default(), &DiagramOptions::default()).unwrap_err();
    assert_eq!(error, DiagramError::NoClips);
    assert_eq!(error.to_string(), "the input has no clips to draw");
}

#[test]
fn a_small_fixture() {
    let mut scene = grouped();
    scene.clips.push(Clip { name: "still".to_owned(), start: 1.0, end: 1.0, ..Clip::default() });
    insta::assert_snapshot!(drawn(&scene));
}
