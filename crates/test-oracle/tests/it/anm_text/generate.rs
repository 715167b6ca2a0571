//! Tests the evaluator with generated files.

use std::collections::BTreeSet;
use std::panic::catch_unwind;

use test_oracle::anm_text::generate::{self, Layout, Mistake};
use test_oracle::anm_text::{self, Event, File, Options, Tree};
use test_oracle::fixtures;
use test_oracle::random::Rng;

use super::evaluate::names;

/// Generates models, each with a matching text in a random layout.
fn generated(odd: bool) -> impl Iterator<Item = (Rng, Tree, generate::Options, String)> {
    (0..300).map(move |seed| {
        let mut rng = Rng::new(seed);
        let bones = rng.between(1, 30);
        let tree = generate::tree(&mut rng, bones);
        let options =
            generate::Options { layout: rng.pick(&Layout::ALL), sets: rng.between(1, 6), odd };
        let text = generate::file(&mut rng, &tree, &options);
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
            // Event names are unique, and every event is in the range of a clip.
            assert_eq!(taken.len(), set.events.len(), "{text}");
            for (animation, clip) in set.animations.iter().zip(&bound.clips) {
                keys += clip.keys.values().map(Vec::len).sum::<usize>();
                events += clip.events.len();
                nothing += usize::from(clip.range.is_none());
                let outside = |[first, last]: [f64; 2]| {
                    first * 24.0 < animation.start - 0.0011 || last * 24.0 > animation.end + 0.0011
                };
                assert!(clip.range.is_none_or(|range| range[0] <= range[1] && !outside(range)));
            }
        }
    }
    assert!(
        keys > 1000 && events > 500 && nothing > 50 && with_parents > 500,
        "{keys} {events} {nothing} {with_parents}"
    );
}

/// Times near the tolerance would make comparisons sensitive to rounding.
#[test]
fn generated_times_are_clearly_inside_or_outside_a_range() {
    let (mut inside, mut outside) = (0, 0);
    for (_, tree, _, text) in generated(false) {
        let file = anm_text::parse(&text);
        let animations = || file.sets.iter().flat_map(|set| &set.animations);
        let borders = || animations().flat_map(|animation| [animation.start, animation.end]);
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
fn odd_content_is_generated_on_request() {
    for odd in [false, true] {
        let texts: Vec<String> = generated(odd).map(|(.., text)| text).collect();
        let files: Vec<File> = texts.iter().map(|text| anm_text::parse(text)).collect();
        let sets = || files.iter().flat_map(|file| &file.sets);
        let mut lines = texts.iter().flat_map(|text| text.split(['\r', '\n']));
        let is_indented = |line: &str| {
            let start = line.trim_start();
            start.len() < line.len() && !start.is_empty() && !start.starts_with('#')
        };
        let has_lone_cr = |text: &String| text.replace("\r\n", "").contains('\r');
        let repeats_a_name = |file: &File| {
            let names: BTreeSet<&str> = file.sets.iter().map(|set| &*set.name).collect();
            names.len() < file.sets.len()
        };
        let is_unused = |set: &anm_text::Set, event: &Event| {
            let is_after = |start: f64| start - 0.001 <= event.time;
            !set.animations.iter().any(|an| is_after(an.start) && event.time <= an.end + 0.001)
        };
        let mut animations = sets().flat_map(|set| &set.animations);
        for (what, is_there) in [
            ("indented", lines.any(is_indented)),
            ("lone CR", texts.iter().any(has_lone_cr)),
            ("negative", animations.any(|animation| animation.start < 0.0)),
            ("twice", files.iter().any(repeats_a_name)),
            ("escapes", texts.iter().any(|text| text.contains('\x1b'))),
            ("unused", sets().any(|set| set.events.iter().any(|event| is_unused(set, event)))),
        ] {
            assert_eq!(is_there, odd, "{what}");
        }
    }
}

#[test]
fn layouts_match_their_names() {
    let text = |layout| {
        let mut rng = Rng::new(7);
        let tree = generate::tree(&mut rng, 20);
        generate::file(&mut rng, &tree, &generate::Options { layout, sets: 20, odd: false })
    };
    let [plain, crlf, mixed] = Layout::ALL.map(text);
    assert!(!plain.contains(['\r', '\t']) && !plain.contains("  ") && !plain.contains("\n\n"));
    assert_eq!(crlf.matches('\n').count(), crlf.matches("\r\n").count());
    for part in ["\t", "  ", "\r\n", "# a comment\n", "E-1 ", "\n\n"] {
        assert!(mixed.contains(part), "{part:?}: {mixed}");
    }
}

#[test]
fn an_error_is_at_its_reported_position() {
    for mistake in Mistake::ALL {
        for odd in [false, true] {
            for (mut rng, tree, options, _) in generated(odd).take(fixtures::scale(30, 300)) {
                let broken = generate::broken(&mut rng, &tree, &options, mistake);
                let is_refused = catch_unwind(|| anm_text::parse(&broken.text)).is_err();
                assert!(is_refused, "{mistake:?}\n{}", broken.text);
                let text = broken.text.replace("\r\n", "\n");
                let lines: Vec<&str> = text.split(['\n', '\r']).collect();
                let line: Vec<char> = lines[broken.line - 1].chars().collect();
                let (before, from) = line.split_at(broken.column - 1);
                let field: String = from.iter().take_while(|c| !matches!(c, ' ' | '\t')).collect();
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
                assert!(right, "{mistake:?}: {field:?}\n{broken:?}");

                let rest = anm_text::parse(&broken.rest);
                assert_eq!(rest.sets.len(), options.sets);
                let repaired: String = match mistake {
                    Mistake::IncompleteSet => continue,
                    Mistake::ExtraField | Mistake::UnknownOption | Mistake::RepeatedOption => {
                        before.iter().collect()
                    }
                    _ => String::new(),
                };
                let mut lines = lines;
                lines[broken.line - 1] = &repaired;
                let repaired = anm_text::parse(&lines.join("\n"));
                assert_eq!(repaired, rest, "{mistake:?}\n{}", broken.text);
            }
        }
    }
}

#[test]
fn large_files_are_read() {
    let file = anm_text::parse(&String::from_utf8(generate::large(100_000)).unwrap());
    assert!(file.sets.len() > 10);
    assert!(file.sets.iter().all(|set| (set.events.len(), set.animations.len()) == (100, 100)));
}
