//! What the generator writes, the evaluator reads.

use std::collections::BTreeSet;
use std::panic::catch_unwind;

use test_oracle::anm_text::generate::{self, Layout, Mistake};
use test_oracle::anm_text::{self, Event, File, Options, Tree};
use test_oracle::fixtures;
use test_oracle::random::Rng;

use super::evaluate::names;

/// Texts for a model, in every layout.
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
        let tree = generate::tree(&mut rng, 20);
        generate::file(&mut rng, &tree, &generate::Options { layout, sets: 20, odd: false })
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
            for (mut rng, tree, options, _) in generated(odd).take(fixtures::scale(30, 300)) {
                let broken = generate::broken(&mut rng, &tree, &options, mistake);
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
    let bytes = generate::large(100_000);
    assert!((100_000..108_192).contains(&bytes.len()), "{}", bytes.len());
    let file = anm_text::parse(&String::from_utf8(bytes).unwrap());
    assert!(
        file.sets.len() > 10
            && file.sets.iter().all(|set| set.events.len() == 100 && set.animations.len() == 100)
    );
}
