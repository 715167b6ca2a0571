//! Tests the evaluator with handwritten texts and the fixtures.

use std::panic::catch_unwind;

use test_oracle::anm_text::generate::puppet;
use test_oracle::anm_text::{self, Bone, BoundSet, Event, File, Options, Tree};
use test_oracle::fixtures;

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(fixtures::folder("anm-text").join(name)).unwrap()
}

fn read(name: &str) -> File {
    anm_text::parse(&String::from_utf8(fixture(name)).unwrap())
}

fn bound_with(name: &str, options: Options) -> Vec<BoundSet> {
    anm_text::bind(&read(name), &puppet(), &options)
}

fn bound(name: &str) -> Vec<BoundSet> {
    bound_with(name, Options::default())
}

fn bones(sets: &[BoundSet]) -> Vec<String> {
    sets.iter().map(|set| set.bones.join(" ")).collect()
}

pub(super) fn names(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| &*event.name).collect()
}

/// Returns the first and last times in frames, rounded to thousandths.
fn frames(range: Option<[f64; 2]>) -> Option<[f64; 2]> {
    range.map(|range| range.map(|seconds| (seconds * 24_000.0).round() / 1000.0))
}

#[test]
fn the_example_has_three_sets() {
    let file = read("ok/example.anm");
    let counts: Vec<_> = file
        .sets
        .iter()
        .map(|set| (&*set.name, set.bones.len(), set.events.len(), set.animations.len()))
        .collect();
    assert_eq!(counts, [("Arm", 1, 1, 2), ("Head", 2, 0, 1), ("Legs", 2, 2, 3)]);
    assert_eq!(
        bones(&bound("ok/example.anm")),
        ["shoulder elbow hand thumb", "neck head", "root hip knee"]
    );
    let walk = &bound("ok/example.anm")[2].clips[0];
    assert_eq!(walk.keys["knee"], [0, 1, 2]);
    assert_eq!(names(&walk.events), ["step", "step"]);
}

#[test]
fn children_include_all_descendants_by_default() {
    assert_eq!(bones(&bound("ok/R2_children_at_any_depth.anm")), ["shoulder elbow hand thumb"; 2]);
    let direct = bound_with(
        "ok/R2_children_at_any_depth.anm",
        Options { direct_children: true, ..Options::default() },
    );
    assert_eq!(bones(&direct), ["shoulder elbow", "shoulder elbow hand"]);
    assert_eq!(bones(&bound("ok/R2_options_in_either_order.anm")), ["spine neck head"; 2]);
}

#[test]
fn bone_lists_are_combined() {
    assert_eq!(bones(&bound("ok/R3_union.anm"))[0], "head shoulder elbow hand");
    assert_eq!(bones(&bound("ok/A20_bone_lists_repeat.anm"))[0], "elbow hand thumb");
    let sets = bound("ok/R7_any_bone.anm");
    assert_eq!(bones(&sets), ["", "root spine"]);
    assert_eq!(sets[0].missing, ["third_hand"]);
    assert_eq!(sets[1].without_parent, ["root"]);
    assert!(sets[0].without_parent.is_empty() && sets[1].missing.is_empty());
}

#[test]
fn a_clip_lasts_from_its_first_to_its_last_key_or_event() {
    let sets = bound("ok/R4_borders.anm");
    let found: Vec<_> = sets[0]
        .clips
        .iter()
        .map(|clip| {
            (&*clip.name, clip.keys["shoulder"].clone(), names(&clip.events), frames(clip.range))
        })
        .collect();
    let expected = [
        ("at_keys", vec![1, 2, 3, 4], vec!["early", "late"], Some([10.0, 40.0])),
        ("between_keys", vec![2, 3], vec!["early", "late"], Some([12.0, 38.0])),
        ("only_event", vec![], vec!["early"], Some([12.0, 12.0])),
        ("nothing", vec![], vec![], None),
    ];
    assert_eq!(found, expected);
    assert_eq!(sets[0].clips[0].keys.keys().collect::<Vec<_>>(), ["shoulder"]);
    assert_eq!(frames(sets[1].clips[0].range), Some([50.0, 100.0]));
    assert_eq!(frames(bound("ok/R1_frames.anm")[0].clips[0].range), Some([24.0, 40.0]));
}

#[test]
fn an_animation_has_the_events_of_its_own_set() {
    let events = |name, events_of_all_sets| {
        let sets = bound_with(name, Options { events_of_all_sets, ..Options::default() });
        sets.iter().map(|set| names(&set.clips[0].events).join(" ")).collect::<Vec<_>>()
    };
    let both = "ok/R6_events_of_the_own_set.anm";
    assert_eq!(events(both, false), ["arm_up", "look"]);
    assert_eq!(events(both, true), ["arm_up look"; 2]);
    let other = "warn/A23_event_in_another_sets_range.anm";
    assert_eq!(events(other, false), [""; 2]);
    assert_eq!(events(other, true), ["", "wave_begins"]);
}

#[test]
fn range_limits_have_a_tolerance() {
    assert_eq!(names(&bound("ok/R6_tolerance.anm")[0].clips[0].events), ["in", "in_too"]);
    assert!(bound("warn/R6_outside_tolerance.anm")[0].clips[0].events.is_empty());
    // Model times are often f32, so frame 7 is not exactly at 7 / 24 s.
    let file = anm_text::parse("as s\nbl b\nan 7 7 a");
    let found = |frames: f32| {
        let (name, keys) = ("b".to_owned(), vec![f64::from(frames / 24.0)]);
        let tree = Tree { bones: vec![Bone { name, parent: None, keys }] };
        !anm_text::bind(&file, &tree, &Options::default())[0].clips[0].keys["b"].is_empty()
    };
    assert_eq!([6.998, 6.9995, 7.0, 7.0005, 7.002].map(found), [false, true, true, true, false]);
}

#[test]
fn bones_may_precede_their_parents() {
    let bone = |name: &str, parent| Bone { name: name.to_owned(), parent, keys: Vec::new() };
    let tree = Tree { bones: vec![bone("c", Some(1)), bone("b", Some(2)), bone("a", None)] };
    let sets = anm_text::bind(
        &anm_text::parse("as s\nbl b +children\nan 0 1 x\nas t\nbl b +parent\nan 0 1 x"),
        &tree,
        &Options::default(),
    );
    assert_eq!(bones(&sets), ["c b", "b a"]);
}

#[test]
fn numbers_have_many_forms() {
    let set = &read("ok/A07_forms_of_numbers.anm").sets[0];
    let times: Vec<f64> = set.events.iter().map(|event| event.time).collect();
    assert_eq!(times, [5.0, 5.0, 5.0, 0.5, 50.0, 5.0, 5.0, 0.0, f64::from(0.1_f32), 0.0]);
    assert_eq!((set.animations[0].start, set.animations[0].end), (0.0, 50.0));
}

#[test]
fn only_spaces_and_tabs_separate_fields() {
    let set = &read("ok/A18_no_break_space_in_name.anm").sets[0];
    assert_eq!([&*set.name, &*set.bones[0].name], ["Left\u{a0}Arm", "shoulder\u{a0}+children"]);
    let set = &read("ok/A14_tabs_and_blanks.anm").sets[0];
    assert!(set.bones[0].children && set.bones[0].parent);
    assert_eq!(set.animations[1].name, "wave");
    let set = &read("ok/hash_is_data.anm").sets[0];
    let names = [&set.name, &set.bones[0].name, &set.events[0].name, &set.animations[0].name];
    assert_eq!(names, ["#Arm", "#1", "#", "#lift"]);
}

/// Files in `err/` are rejected, and all other files are read. Non-text files are skipped.
#[test]
fn fixtures_are_in_the_right_folder() {
    let table = String::from_utf8(fixture("EXPECTED.tsv")).unwrap();
    let (mut good, mut bad) = (0, 0);
    for row in table.lines().skip(1) {
        let name = row.split('\t').next().unwrap().strip_prefix("anm-text/").unwrap();
        let Ok(text) = String::from_utf8(fixture(name)) else { continue };
        let read = catch_unwind(|| anm_text::parse(&text)).is_ok();
        assert_eq!(read, !name.starts_with("err/"), "{name}");
        if read { good += 1 } else { bad += 1 }
    }
    assert!(good > 35 && bad > 90, "{good} {bad}");
}
