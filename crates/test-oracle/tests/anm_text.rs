//! The evaluator of Gillius ANM text on cases computed by hand, on the fixtures, and on what the
//! generator writes.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "test code, which should fail loudly"
)]

use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::path::Path;

use test_oracle::anm_text::{self, Bone, BoundSet, Event, File, Options, Tree};
use test_oracle::generate::Rng;
use test_oracle::generate_anm_text::{self, Layout, Mistake, puppet};

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/anm-text").join(name))
        .unwrap()
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

fn names(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| &*event.name).collect()
}

/// First and last moment in frames, rounded to thousandths.
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
    assert_eq!(
        (walk.keys["knee"].as_slice(), names(&walk.events)),
        (&[0, 1, 2][..], vec!["step", "step"])
    );
}

#[test]
fn children_are_all_descendants_unless_asked_otherwise() {
    assert_eq!(bones(&bound("ok/R2_children_at_any_depth.anm")), ["shoulder elbow hand thumb"; 2]);
    let direct = bound_with(
        "ok/R2_children_at_any_depth.anm",
        Options { direct_children: true, ..Options::default() },
    );
    assert_eq!(bones(&direct), ["shoulder elbow", "shoulder elbow hand"]);
    assert_eq!(bones(&bound("ok/R2_options_in_either_order.anm")), ["spine neck head"; 2]);
}

#[test]
fn bone_lists_add_up() {
    assert_eq!(bones(&bound("ok/R3_union.anm"))[0], "head shoulder elbow hand");
    assert_eq!(bones(&bound("ok/A20_bone_lists_repeat.anm"))[0], "elbow hand thumb");
    let sets = bound("ok/R7_any_bone.anm");
    assert_eq!(bones(&sets), ["", "root spine"]);
    assert_eq!(
        (&sets[0].missing, &sets[1].without_parent),
        (&vec!["third_hand".to_owned()], &vec!["root".to_owned()])
    );
    assert!(sets[0].without_parent.is_empty() && sets[1].missing.is_empty());
}

#[test]
fn a_clip_lasts_from_the_first_to_the_last_that_it_finds() {
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
fn an_animation_takes_the_events_of_its_own_set() {
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
fn borders_have_a_tolerance() {
    assert_eq!(names(&bound("ok/R6_tolerance.anm")[0].clips[0].events), ["in", "in_too"]);
    assert!(bound("warn/R6_outside_tolerance.anm")[0].clips[0].events.is_empty());
    // Model times are often f32: frame 7 is not exactly at 7 / 24 s.
    let key = |frames: f32| Bone {
        name: "b".to_owned(),
        parent: None,
        keys: vec![f64::from(frames / 24.0)],
    };
    let file = anm_text::parse("as s\nbl b\nan 7 7 a");
    let found = |frames: f32| {
        !anm_text::bind(&file, &Tree { bones: vec![key(frames)] }, &Options::default())[0].clips[0]
            .keys["b"]
            .is_empty()
    };
    assert_eq!([6.998, 6.9995, 7.0, 7.0005, 7.002].map(found), [false, true, true, true, false]);
}

#[test]
fn bones_may_stand_before_their_parents() {
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
fn only_blanks_and_tabs_part_fields() {
    let file = read("ok/A18_no_break_space_in_name.anm");
    assert_eq!(
        (&*file.sets[0].name, &*file.sets[0].bones[0].name),
        ("Left\u{a0}Arm", "shoulder\u{a0}+children")
    );
    let set = &read("ok/A14_tabs_and_blanks.anm").sets[0];
    assert_eq!(
        (set.bones[0].children, set.bones[0].parent, &*set.animations[1].name),
        (true, true, "wave")
    );
    let set = &read("ok/hash_is_data.anm").sets[0];
    assert_eq!(
        (&*set.name, &*set.bones[0].name, &*set.events[0].name, &*set.animations[0].name),
        ("#Arm", "#1", "#", "#lift")
    );
}

/// What is in `err/` is refused, all else is read. What is no text is for others.
#[test]
fn fixtures_lie_where_they_belong() {
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

/// Texts for a model, in every layout.
fn generated(odd: bool) -> impl Iterator<Item = (Rng, Tree, generate_anm_text::Options, String)> {
    (0..300).map(move |seed| {
        let mut rng = Rng::new(seed);
        let bones = rng.between(1, 30);
        let tree = generate_anm_text::tree(&mut rng, bones);
        let options = generate_anm_text::Options {
            layout: rng.pick(&Layout::ALL),
            sets: rng.between(1, 6),
            odd,
        };
        let text = generate_anm_text::file(&mut rng, &tree, &options);
        (rng, tree, options, text)
    })
}

#[test]
fn generated_files_are_read_and_fit_their_models() {
    let (mut keys, mut events, mut nothing, mut with_parents) = (0, 0, 0, 0);
    for (_, tree, options, text) in generated(false) {
        let file = anm_text::parse(&text);
        assert_eq!(file.sets.len(), options.sets);
        for (set, bound) in file.sets.iter().zip(anm_text::bind(&file, &tree, &Options::default()))
        {
            assert!(bound.missing.is_empty() && !bound.bones.is_empty());
            with_parents += bound.bones.len().saturating_sub(set.bones.len());
            let taken: BTreeSet<&str> =
                bound.clips.iter().flat_map(|clip| names(&clip.events)).collect();
            assert_eq!(
                taken.len(),
                set.events.len(),
                "each has a name of its own and a range:\n{text}"
            );
            for (animation, clip) in set.animations.iter().zip(&bound.clips) {
                keys += clip.keys.values().map(Vec::len).sum::<usize>();
                events += clip.events.len();
                nothing += usize::from(clip.range.is_none());
                let outside = |[first, last]: [f64; 2]| {
                    first * 24.0 < animation.start - 0.0011 || last * 24.0 > animation.end + 0.0011
                };
                assert!(first_is_not_after_last(clip.range) && !clip.range.is_some_and(outside));
            }
        }
    }
    assert!(
        keys > 1000 && events > 500 && nothing > 50 && with_parents > 500,
        "{keys} {events} {nothing} {with_parents}"
    );
}

fn first_is_not_after_last(range: Option<[f64; 2]>) -> bool {
    range.is_none_or(|[first, last]| first <= last)
}

/// Otherwise a comparison within the tolerance would compare nothing but luck.
#[test]
fn generated_times_are_near_borders_and_on_neither_side_by_luck() {
    let (mut inside, mut outside) = (0, 0);
    for (_, tree, _, text) in generated(false) {
        let file = anm_text::parse(&text);
        let borders = || {
            file.sets
                .iter()
                .flat_map(|set| &set.animations)
                .flat_map(|animation| [animation.start, animation.end])
        };
        let keys = tree.bones.iter().flat_map(|bone| &bone.keys).map(|seconds| seconds * 24.0);
        let times =
            keys.chain(file.sets.iter().flat_map(|set| &set.events).map(|event| event.time));
        for distance in times.flat_map(|time| borders().map(move |border| (time - border).abs())) {
            assert!(!(0.0006..0.009).contains(&distance), "{distance}");
            inside += usize::from(0.0 < distance && distance < 0.001);
            outside += usize::from(distance > 0.001 && distance < 0.02);
        }
    }
    assert!(inside > 300 && outside > 300, "{inside} {outside}");
}

#[test]
fn what_is_odd_is_there_when_asked_for() {
    for odd in [false, true] {
        let texts: Vec<String> = generated(odd).map(|(.., text)| text).collect();
        let files: Vec<File> = texts.iter().map(|text| anm_text::parse(text)).collect();
        let sets = || files.iter().flat_map(|file| &file.sets);
        let indented = texts
            .iter()
            .flat_map(|text| text.split(['\r', '\n']))
            .filter(|line| line.starts_with([' ', '\t']));
        let indented = indented
            .filter(|line| !line.trim_start().is_empty() && !line.trim_start().starts_with('#'))
            .count();
        let lone_cr = texts.iter().filter(|text| text.replace("\r\n", "").contains('\r')).count();
        let negative = sets()
            .flat_map(|set| &set.animations)
            .filter(|animation| animation.start < 0.0)
            .count();
        let twice = files
            .iter()
            .filter(|file| {
                file.sets.iter().map(|set| &set.name).collect::<BTreeSet<_>>().len()
                    < file.sets.len()
            })
            .count();
        let escapes = texts.iter().filter(|text| text.contains('\x1b')).count();
        let inside = |set: &anm_text::Set, event: &Event| {
            set.animations
                .iter()
                .any(|range| range.start - 0.001 <= event.time && event.time <= range.end + 0.001)
        };
        let unused =
            sets().flat_map(|set| set.events.iter().filter(|event| !inside(set, event))).count();
        let found = [indented, lone_cr, negative, twice, escapes, unused];
        assert!(found.iter().all(|&count| (count > 0) == odd), "{found:?}");
    }
}

#[test]
fn layouts_are_what_they_are_called() {
    let text = |layout| {
        let mut rng = Rng::new(7);
        let tree = generate_anm_text::tree(&mut rng, 20);
        generate_anm_text::file(
            &mut rng,
            &tree,
            &generate_anm_text::Options { layout, sets: 20, odd: false },
        )
    };
    let [plain, crlf, mixed] = Layout::ALL.map(text);
    assert!(!plain.contains(['\r', '\t']) && !plain.contains("  ") && !plain.contains("\n\n"));
    assert_eq!(crlf.matches('\n').count(), crlf.matches("\r\n").count());
    assert!(
        ["\t", "  ", "\r\n", "# a comment\n", "E-1 ", "\n\n"]
            .iter()
            .all(|part| mixed.contains(part)),
        "{mixed}"
    );
}

#[test]
fn a_mistake_is_where_it_is_said_to_be() {
    for mistake in Mistake::ALL {
        for odd in [false, true] {
            for (mut rng, tree, options, _) in generated(odd) {
                let broken = generate_anm_text::broken(&mut rng, &tree, &options, mistake);
                assert!(
                    catch_unwind(|| anm_text::parse(&broken.text)).is_err(),
                    "{mistake:?}\n{}",
                    broken.text
                );
                let text = broken.text.replace("\r\n", "\n");
                let line: Vec<char> =
                    text.split(['\n', '\r']).nth(broken.line - 1).unwrap().chars().collect();
                let before = &line[..broken.column - 1];
                let field: String = line[broken.column - 1..]
                    .iter()
                    .take_while(|c| !matches!(c, ' ' | '\t'))
                    .collect();
                let right = match mistake {
                    Mistake::Keyword | Mistake::Order | Mistake::BeforeSets => {
                        before.iter().all(|c| matches!(c, ' ' | '\t')) && !field.is_empty()
                    }
                    Mistake::IncompleteSet => field == "as",
                    Mistake::MissingField => {
                        field.is_empty() && before.last().is_some_and(char::is_ascii_alphanumeric)
                    }
                    Mistake::UnknownOption | Mistake::RepeatedOption | Mistake::NoBone => {
                        field.starts_with('+')
                    }
                    Mistake::ExtraField => !field.is_empty() && !field.starts_with('+'),
                    Mistake::Time => !field.parse::<f32>().is_ok_and(f32::is_finite),
                    Mistake::Backwards => field == "50.25",
                    Mistake::Nul => field.contains('\0'),
                };
                assert!(
                    right,
                    "{mistake:?} at {}:{}: {field:?}\n{}",
                    broken.line, broken.column, broken.text
                );

                let rest = anm_text::parse(&broken.rest);
                assert_eq!(rest.sets.len(), options.sets);
                let repaired: String = match mistake {
                    Mistake::IncompleteSet => continue,
                    Mistake::ExtraField | Mistake::UnknownOption | Mistake::RepeatedOption => {
                        before.iter().collect()
                    }
                    _ => String::new(),
                };
                let lines = text.split(['\n', '\r']).enumerate().map(|(number, line)| {
                    if number + 1 == broken.line { &*repaired } else { line }
                });
                assert_eq!(
                    anm_text::parse(&lines.collect::<Vec<_>>().join("\n")),
                    rest,
                    "{mistake:?}\n{}",
                    broken.text
                );
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_text() {
    let all = || generated(true).map(|(.., text)| text).collect::<Vec<_>>();
    assert_eq!(all(), all());
}

#[test]
fn big_files_are_as_big_as_asked() {
    let bytes = generate_anm_text::large(100_000);
    assert!((100_000..108_192).contains(&bytes.len()), "{}", bytes.len());
    let file = anm_text::parse(&String::from_utf8(bytes).unwrap());
    assert!(
        file.sets.len() > 10
            && file.sets.iter().all(|set| set.events.len() == 100 && set.animations.len() == 100)
    );
}
