//! The reader never panics, and its cost is linear in input size. In addition to the common suite,
//! these tests use random words and files designed to be slow.

use std::collections::BTreeSet;

use anim_ir::{
    Channel, Clip, Diagnostics, Event, Interpolation, Joint, JointId, Limits, Mesh, ParseErrorKind,
    Scene, Severity, Skeleton, Timeline, TimelineBuilder, TimelineId, fix, validate,
};
use conformance::Growth;
use fmt_anm_text::{
    BindOptions, Children, Document, EventScope, FromIr, ParseError, ParseOptions, ToIr, bind,
    codes, from_ir, to_ir,
};
use proptest::prelude::*;
use test_oracle::growth::assert_linear;

/// A chain of joints, each with its own key table.
fn model(names: &[&str], keys: usize) -> (Skeleton, Timeline) {
    let mut skeleton = Skeleton::new("model");
    let mut builder = TimelineBuilder::new("take");
    for (index, name) in names.iter().enumerate() {
        let joint = skeleton.add_joint(Joint::new(*name, index.checked_sub(1).map(JointId::new)));
        let times: Vec<f32> = (0..keys).map(|key| key as f32 / 24.0 + index as f32).collect();
        let (line, zeros) = (Interpolation::Linear, vec![0.0; keys * 3]);
        builder.keys(joint.into(), Channel::Translation, line, &times, &zeros).unwrap();
    }
    (skeleton, builder.finish())
}

/// Only what is in the scene is reported as not written.
#[test]
fn models_are_reported_as_not_written() {
    let document = Document::parse(&b"as Arm\nbl shoulder\nan 0 50 lift\n"[..]).unwrap().value;
    let ranges = to_ir(&document, &ToIr::default()).value;
    let losses = |change: &dyn Fn(&mut Scene)| {
        let mut scene = ranges.clone();
        change(&mut scene);
        from_ir(&scene, &FromIr::default()).unwrap().losses.count(&codes::LOSS_MOTION)
    };
    let (skeleton, timeline) = model(&["root", "shoulder"], 2);
    assert_eq!(losses(&|_| {}), 0);
    assert_eq!(losses(&|scene| scene.skeletons.push(skeleton.clone())), 1);
    assert_eq!(losses(&|scene| scene.meshes.push(Mesh::default())), 1);
    assert_eq!(
        losses(&|scene| {
            scene.skeletons.push(skeleton.clone());
            scene.timelines.push(timeline.clone());
        }),
        1
    );
}

/// Additional checks: the canonical form and a document built from the data have the same data; the
/// document can be bound to a model, and the result can be written.
pub(crate) fn also(bytes: &[u8]) {
    let Ok(parsed) = Document::parse(bytes) else { return };
    let document = parsed.value;
    let again = Document::parse(document.formatted()).unwrap().value;
    assert_eq!(again.data(), document.data(), "the canonical form has the same data");
    let mut scene = to_ir(&document, &ToIr::default()).value;
    if let Ok(built) = Document::build(&document.data()) {
        assert_eq!(built.data(), document.data());
        let written = from_ir(&scene, &FromIr::default()).unwrap().value;
        assert_eq!(written.sets().map(|set| set.clips().len()).sum::<usize>(), scene.clips.len());
    }
    let (skeleton, timeline) = model(&["root", "shoulder", "elbow", "neck", "head"], 50);
    for (children, events) in
        [(Children::AllDescendants, EventScope::OwnSet), (Children::Direct, EventScope::All)]
    {
        let options = BindOptions::default().with_children(children).with_events(events);
        let bound = bind(&document, &skeleton, &timeline, &options).unwrap();
        assert!(bound.losses.iter().all(|found| found.span.unwrap().end <= bytes.len()));
        scene.skeletons = vec![skeleton.clone()];
        scene.timelines = vec![timeline.clone()];
        bound.value.put_on(&mut scene, TimelineId::new(0));
        assert!(validate(&scene).is_empty());
        let is_masked = |clip: &Clip| clip.joints.as_ref().is_some_and(BTreeSet::is_empty);
        let moves_bones = !scene.clips.iter().all(is_masked);
        assert_eq!(from_ir(&scene, &FromIr::default()).is_ok(), moves_bones);
    }
}

/// Keywords, bone names and other words.
const WORDS: [&str; 18] = [
    "as",
    "bl",
    "ev",
    "an",
    "root",
    "neck",
    "+children",
    "+parent",
    "0",
    "5",
    "-1e30",
    "\n",
    "\n",
    "\r",
    "\t",
    "#",
    "\0",
    "é",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Random words.
    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..80)) {
        crate::conformance().exercise(words.join(" ").as_bytes());
        let in_set = format!("as a\nbl root\n{}", words.concat());
        crate::conformance().exercise(in_set.as_bytes());
    }

    /// Each fix resolves its own problem.
    #[test]
    fn fixes_are_certain(word in prop::sample::select(vec!["AS", "Bl", "eV", "AN"])) {
        let text = format!("as a\nbl b +chidren\nbl c +PARENT\nev 0 e\nan 0 1 c\n{word} 0 1 d\n");
        let parsed = Document::parse(text.as_bytes()).unwrap();
        let fixes = parsed.diagnostics.iter().filter_map(|found| found.fix.as_ref());
        let fixes: Vec<_> = fixes.collect();
        prop_assert_eq!(fixes.len(), 3);
        let fixed = fix::apply(text.as_bytes(), fixes);
        let expected = text
            .replace("+chidren", "+children")
            .replace("+PARENT", "+parent")
            .replace(word, &word.to_lowercase());
        prop_assert_eq!(String::from_utf8(fixed).unwrap(), expected);
    }
}

/// Files that are slow to read with backtracking.
pub(crate) fn growth() -> Vec<Growth> {
    fn set(lines: &str) -> Vec<u8> {
        format!("as A\n{lines}").into_bytes()
    }
    fn numbered(count: usize, line: fn(usize) -> String) -> String {
        (0..count).map(line).collect()
    }
    vec![
        ("A20: one bone", 20_000, |count| set(&"bl root +children\n".repeat(count))),
        ("sets", 10_000, |count| {
            numbered(count, |number| format!("as {number}\nbl a\nan 0 1 b\n")).into_bytes()
        }),
        ("sets with the same name", 10_000, |count| {
            "as a\nbl a\nan 0 1 b\n".repeat(count).into_bytes()
        }),
        ("animations", 10_000, |count| {
            set(&("bl a\n".to_owned() + &numbered(count, |number| format!("an 0 1 {number}\n"))))
        }),
        ("animations with the same name", 10_000, |count| {
            set(&format!("bl a\n{}", "an 0 1 x\n".repeat(count)))
        }),
        ("events outside all animations", 10_000, |count| {
            set(&format!("bl a\n{}{}", "ev 9 x\n".repeat(count), "an 0 1 x\n".repeat(count)))
        }),
        ("errors", 20_000, |count| set(&"zz 9 x\nev\nan 1\n".repeat(count))),
        ("words on one line", 50_000, |count| set(&format!("bl a {}", "+parent ".repeat(count)))),
        ("carriage returns", 1_000_000, |count| set(&"\r".repeat(count))),
    ]
}

/// A21: events are stored once, and animations are ranges.
#[test]
fn all_events_in_all_animations_take_linear_time() {
    let text = |count| {
        format!("as A\nbl root\n{}{}", "ev 5 x\n".repeat(count), "an 0 1e9 a\n".repeat(count))
    };
    let (skeleton, timeline) = model(&["root", "leaf"], 1_000);
    let bind_all = |text: &String| {
        let document = Document::parse(text.as_bytes()).unwrap().value;
        let bound = bind(&document, &skeleton, &timeline, &BindOptions::default()).unwrap().value;
        assert_eq!(bound.events.len(), bound.clips.len());
    };
    assert_linear("events and animations", text, bind_all, 4_000);
}

/// A22: sets with the same bones share their joints; too many sets with different bones exceed a
/// limit.
#[test]
fn all_bones_in_all_sets_are_shared_or_limited() {
    let names: Vec<String> = (0..100_000).map(|number| number.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (skeleton, timeline) = model(&names, 1);
    let sets = |bone: &dyn Fn(usize) -> usize| -> Vec<u8> {
        (0..100_000)
            .map(|number| format!("as {number}\nbl {} +children\nan 0 1 a\n", bone(number)))
            .collect::<String>()
            .into_bytes()
    };
    let run = |bytes: &[u8], children| {
        let document = Document::parse(bytes).unwrap().value;
        bind(&document, &skeleton, &timeline, &BindOptions::default().with_children(children))
    };
    // Searching 100,000 tables for each animation exceeds the limit. Without animations, the
    // joints are collected only once for all sets.
    assert!(run(&sets(&|_| 0), Children::AllDescendants).is_err());
    let no_clips: String =
        (0..100_000).map(|number| format!("as {number}\nbl 0 +children\n")).collect();
    let bound = run(no_clips.as_bytes(), Children::AllDescendants).unwrap().value;
    assert!(bound.sets.iter().all(|set| set.joints.len() == 100_000));
    let error = run(&sets(&|number| number), Children::AllDescendants).unwrap_err();
    assert!(error.is_about_memory());
    assert_eq!(run(&sets(&|number| number), Children::Direct).unwrap().value.sets.len(), 100_000);
}

fn is_limit(error: ParseError) -> bool {
    matches!(error.kind(), ParseErrorKind::Limit(_))
}

/// Asserts that one name is too long, and that there are no other errors.
fn assert_too_long(found: &Diagnostics) {
    assert_eq!((found.count(&codes::NAME_LENGTH), found.total(Severity::Error)), (1, 1));
}

#[test]
fn limits_hold() {
    let bytes = b"as name\nbl bone\nan 0 1 clip\nan 2 3 x\nas x\nbl y\nan 0 1 z\n";
    let parse =
        |limits| Document::parse_with(&bytes[..], &ParseOptions::default().with_limits(limits));
    let (input_bytes, limits) = (bytes.len(), Limits::default());
    assert!(is_limit(parse(Limits { input_bytes: input_bytes - 1, ..limits }).unwrap_err()));
    assert!(is_limit(parse(Limits { line_bytes: 10, ..limits }).unwrap_err()));
    let enough = parse(Limits { input_bytes, line_bytes: 11, name_bytes: 4, ..limits }).unwrap();
    assert!(enough.diagnostics.is_empty());
    let short = parse(Limits { name_bytes: 3, ..limits }).unwrap();
    // The rest of the set is not reported.
    assert_too_long(&short.diagnostics);
    assert_eq!(short.value.sets().len(), 1);
}

/// A24: a name of 10 MB is a single error and is shown abbreviated.
#[test]
fn a_name_of_ten_megabytes_is_one_error() {
    let bytes = format!("as a\nbl {}\nan 0 1 a\n", "x".repeat(10 << 20)).into_bytes();
    let parsed = Document::parse(&bytes[..]).unwrap();
    assert_too_long(&parsed.diagnostics);
    assert!(parsed.diagnostics.iter().all(|found| found.message.len() <= 500));
    let line = vec![b' '; (16 << 20) + 1];
    assert!(is_limit(Document::parse(line).unwrap_err()));
}

#[test]
fn timelines_that_each_move_one_joint_take_linear_time() {
    let scene = |count: usize| {
        let mut scene = Scene { skeletons: vec![Skeleton::new("rig")], ..Scene::default() };
        for number in 0..count {
            let joint = scene.skeletons[0].add_joint(Joint::new(format!("j{number}"), None));
            let mut builder = TimelineBuilder::new("take");
            let line = Interpolation::Linear;
            builder.keys(joint.into(), Channel::Translation, line, &[0., 1.], &[0.; 6]).unwrap();
            scene.timelines.push(builder.finish());
            let timeline = TimelineId::new(number);
            scene.clips.push(Clip { timeline, end: 1.0, ..Clip::default() });
        }
        scene
    };
    let write = |scene: &Scene| drop(from_ir(scene, &FromIr::default()).unwrap());
    assert_linear("timelines", scene, write, 1000);
}

/// A bone is the joint with the same name: the first of several. Another spelling is suggested.
#[test]
fn bones_are_joints_of_the_same_name() {
    let document = Document::parse(&b"as Arm\nbl hand\nbl Root\nan 0 50 lift\n"[..]).unwrap().value;
    let (skeleton, timeline) = model(&["root", "hand", "hand"], 2);
    let bound = bind(&document, &skeleton, &timeline, &BindOptions::default()).unwrap();
    let said: Vec<(&str, &str, Option<&str>)> = bound
        .losses
        .iter()
        .map(|loss| (loss.code.id, &*loss.message, loss.help.as_deref()))
        .collect();
    assert_eq!(
        said,
        [
            (
                codes::BONE_AMBIGUOUS.id,
                "the model has 2 bones named `hand`; the first is used",
                None
            ),
            (codes::BONE_UNKNOWN.id, "the model has no bone `Root`", Some("did you mean `root`?")),
        ]
    );
    assert_eq!(bound.value.sets[0].joints, [JointId::new(1)].into());
}

/// Values that the format has no place for: the data of an event, a bone name that would be read as
/// an option.
#[test]
fn data_without_a_place_is_reported() {
    let (skeleton, timeline) = model(&["+children"], 2);
    let mut scene = Scene {
        skeletons: vec![skeleton],
        timelines: vec![timeline],
        clips: vec![Clip { name: "lift".to_owned(), end: 1.0, ..Clip::default() }],
        ..Scene::default()
    };
    let payload = [("loud".to_owned(), true.into())].into();
    scene.timelines[0].events =
        vec![Event { time: 0.5, name: "clap".to_owned(), payload, ..Event::default() }];
    let written = from_ir(&scene, &FromIr::default()).unwrap();
    assert_eq!(written.losses.count(&codes::LOSS_EVENT), 1, "{:?}", written.losses);
    assert_eq!(written.value.sets().next().unwrap().bones().next().unwrap().name(), "_children");
}

/// `info` lists eight bones of a set, or all of them.
#[test]
fn many_bones_are_abbreviated() {
    let bones: String = (0..10).map(|number| format!("bl b{number}\n")).collect();
    let text = format!("as Arm\n{bones}an 0 50 lift\n");
    let document = Document::parse(text.as_bytes()).unwrap().value;
    assert!(!document.is_latin1());
    let shown = |all| document.facts(all)[0].rows[0][3].clone();
    assert!(shown(false).ends_with("b7, … 2 more"), "{}", shown(false));
    assert!(shown(true).ends_with("b8, b9"), "{}", shown(true));
}
