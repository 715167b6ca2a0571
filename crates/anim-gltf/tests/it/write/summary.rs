//! The summary of animations in the extras of the scene.

use anim_gltf::{Document, FromIr, ToIr, from_ir, to_ir};
use anim_ir::{Clip, Event, Scene, Wrap};
use serde_json::Value;

use crate::scenes::waving;
use crate::written::write;

/// Returns a scene with three clips of one timeline, two of which have identical events.
fn scene() -> Scene {
    let mut scene = waving();
    let event = |time: f32, name: &str| Event { time, name: name.into(), ..Event::default() };
    scene.timelines[0].events = vec![event(0.025, "step"), event(0.05, "clap")];
    let first = Clip { wrap: Wrap::Loop, ..scene.clips[0].clone() };
    let again = Clip { name: "again".into(), wrap: Wrap::Once, ..first.clone() };
    let quiet = Clip { name: "quiet".into(), start: 0.08, ..first.clone() };
    scene.clips = vec![first, again, quiet];
    scene
}

#[test]
fn the_extras_of_the_scene_also_contain_events_and_wrap_modes() {
    let written = write("summary", &scene());
    let ours = &written.json["scenes"][0]["extras"]["anim_formats"];
    let animations: Vec<String> =
        ours["animations"].as_array().unwrap().iter().map(Value::to_string).collect();
    insta::assert_snapshot!(animations.join("\n"), @r#"
    {"animation":0,"events":0,"name":"wave","wrap":"loop"}
    {"animation":1,"events":0,"name":"again","wrap":"once"}
    {"animation":2,"name":"quiet","wrap":"loop"}
    "#);
    insta::assert_snapshot!(
        ours["events"],
        @r#"[[{"name":"step","time":0.025},{"name":"clap","time":0.05}]]"#
    );
}

/// Writes the scene, changes each animation as another program might, and reads the file.
fn reread(change: impl Fn(usize, &mut Value)) -> Scene {
    let mut json: Value = {
        let glb = from_ir(&scene(), &FromIr::default()).unwrap().value;
        let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
        let mut json: Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
        let bin: String = glb[28 + length..].iter().map(|byte| format!("%{byte:02x}")).collect();
        json["buffers"][0]["uri"] = format!("data:application/octet-stream,{bin}").into();
        json
    };
    let animations = json["animations"].as_array_mut().unwrap();
    animations.iter_mut().enumerate().for_each(|(number, item)| change(number, item));
    let document = Document::parse(serde_json::to_vec(&json).unwrap()).unwrap().value;
    to_ir(&document, &ToIr::default()).value
}

fn said(scene: &Scene) -> Vec<(Wrap, Vec<String>)> {
    let events = |clip: &Clip| &scene.timeline(clip.timeline).unwrap().events;
    let names = |clip: &Clip| events(clip).iter().map(|event| event.name.clone()).collect();
    scene.clips.iter().map(|clip| (clip.wrap, names(clip))).collect()
}

#[test]
fn events_are_restored_without_the_extras_of_animations() {
    let both = || vec!["step".to_owned(), "clap".to_owned()];
    let all = [(Wrap::Loop, both()), (Wrap::Once, both()), (Wrap::Loop, vec![])];
    assert_eq!(said(&reread(|_, _| {})), all);
    assert_eq!(said(&reread(|_, item| drop(item.as_object_mut().unwrap().remove("extras")))), all);
    // Matched by index if the names are lost as well.
    let bare = |_: usize, item: &mut Value| {
        let item = item.as_object_mut().unwrap();
        item.remove("extras");
        item.remove("name");
    };
    assert_eq!(said(&reread(bare)), all);
    // The animation's own extras take precedence. A different name identifies a different
    // animation.
    let changed = reread(|number, item| match number {
        0 => item["extras"]["anim_formats"] = serde_json::json!({"wrap": "ping-pong"}),
        1 => {
            bare(1, item);
            item["name"] = "other".into();
        }
        _ => {}
    });
    let found = said(&changed);
    assert_eq!(found[0], (Wrap::PingPong, vec![]));
    assert_eq!(found[1], (Wrap::Unspecified, vec![]));
}

/// Extras of the wrong type are ignored.
#[test]
fn a_time_base_that_is_no_number_is_ignored() {
    let base = |value: Value| {
        let scene = reread(|_, item| {
            item["extras"]["anim_formats"]["time_base"] =
                serde_json::json!({ "frames_per_second": value });
        });
        scene.timelines[0].time_base
    };
    assert_eq!(base(24.into()), anim_ir::TimeBase::Frames { per_second: 24.0 });
    assert_eq!(base("24".into()), anim_ir::TimeBase::Seconds);
}
