//! No input makes the reader panic, and none costs more than its size: cut files, flipped bytes,
//! files made to be slow.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "tests fail loudly"
)]

use std::time::{Duration, Instant};

use anim_ir::{
    Channel, Diagnostics, Interpolation, Joint, Limits, Severity, Skeleton, Target, Timeline,
    TimelineBuilder, validate,
};
use fmt_anm_text::{
    BindOptions, Children, Document, EventScope, FromIr, ParseError, ParseOptions, ToIr, bind,
    codes, from_ir, sniff, to_ir,
};
use proptest::prelude::*;
use test_oracle::fixtures;

/// A chain of joints, each with keys of its own table.
fn model(names: &[&str], keys: usize) -> (Skeleton, Timeline) {
    let mut skeleton = Skeleton::new("model");
    let mut builder = TimelineBuilder::new("take");
    for (index, name) in names.iter().enumerate() {
        skeleton.joints.push(Joint::new(*name, index.checked_sub(1)));
        let times: Vec<f32> = (0..keys).map(|key| key as f32 / 24.0 + index as f32).collect();
        builder
            .keys(
                Target::Joint(index),
                Channel::Translation,
                Interpolation::Linear,
                &times,
                &vec![0.0; keys * 3],
            )
            .unwrap();
    }
    (skeleton, builder.finish())
}

/// Everything that can be done with a file: read, write back, build anew, make a scene, bind it to
/// a model, write that.
fn exercise(bytes: &[u8], (skeleton, timeline): &(Skeleton, Timeline)) {
    sniff(bytes);
    let Ok(parsed) = Document::parse(bytes) else { return };
    let document = parsed.value;
    assert_eq!(document.to_bytes(), bytes, "unedited, every byte");
    check_diagnostics(&parsed.diagnostics, bytes);
    let formatted = document.formatted();
    let again = Document::parse(&formatted[..]).unwrap().value;
    assert_eq!(again.data(), document.data(), "the canonical form says the same");
    assert_eq!(again.formatted(), formatted);
    let mut scene = to_ir(&document, &ToIr::default()).value;
    assert!(validate(&scene).is_empty());
    if let Ok(built) = Document::build(&document.data()) {
        assert_eq!(built.data(), document.data());
        let written = from_ir(&scene, &FromIr::default()).unwrap().value;
        assert_eq!(written.sets().map(|set| set.clips().len()).sum::<usize>(), scene.clips.len());
    }
    for (children, events) in
        [(Children::AllDescendants, EventScope::OwnSet), (Children::Direct, EventScope::All)]
    {
        let bound = bind(
            &document,
            skeleton,
            timeline,
            &BindOptions { children, events, ..BindOptions::default() },
        )
        .unwrap();
        check_diagnostics(&bound.losses, bytes);
        scene.skeletons = vec![skeleton.clone()];
        scene.timelines = vec![timeline.clone()];
        bound.value.put_on(&mut scene, 0);
        assert!(validate(&scene).is_empty());
        let moves_bones = scene
            .clips
            .iter()
            .any(|clip| clip.joints.as_ref().is_none_or(|joints| !joints.is_empty()));
        assert_eq!(from_ir(&scene, &FromIr::default()).is_ok(), moves_bones);
    }
}

fn check_diagnostics(diagnostics: &Diagnostics, bytes: &[u8]) {
    for diagnostic in diagnostics {
        let span = diagnostic.span.unwrap();
        assert!(span.start <= span.end && span.end <= bytes.len(), "{diagnostic:?}");
        assert!(
            diagnostic.message.len() <= 500 && !diagnostic.message.contains(char::is_control),
            "{}",
            diagnostic.message
        );
    }
}

fn small_fixtures() -> Vec<Vec<u8>> {
    let small: Vec<Vec<u8>> = fixtures::all("anm-text", &["anm"], 100)
        .into_iter()
        .map(|(_, bytes)| bytes)
        .filter(|bytes| bytes.len() < 1 << 10)
        .collect();
    assert!(small.len() > 100);
    small
}

const NAMES: [&str; 5] = ["root", "shoulder", "elbow", "neck", "head"];

/// A26.
#[test]
fn every_truncation_of_every_small_file() {
    let model = model(&NAMES, 50);
    for bytes in small_fixtures() {
        for length in 0..=bytes.len() {
            exercise(&bytes[..length], &model);
        }
    }
}

#[test]
fn every_byte_flipped() {
    let model = model(&NAMES, 50);
    for mut bytes in small_fixtures() {
        for at in 0..bytes.len() {
            for mask in [0x01, 0x10, 0xff] {
                bytes[at] ^= mask;
                exercise(&bytes, &model);
                bytes[at] ^= mask;
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Words of the format in any order.
    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(vec!["as", "bl", "ev", "an", "root", "neck", "+children", "+parent", "0", "5", "-1e30", "\n", "\n", "\r", "\t", "#", "\0", "é"]), 0..80)) {
        let model = model(&NAMES, 5);
        exercise(words.join(" ").as_bytes(), &model);
        exercise(format!("as a\nbl root\n{}", words.concat()).as_bytes(), &model);
    }

    /// What is fixed is no more wrong.
    #[test]
    fn fixes_are_certain(word in prop::sample::select(vec!["AS", "Bl", "eV", "AN"])) {
        let text = format!("as a\nbl b +chidren\nbl c +PARENT\nev 0 e\nan 0 1 c\n{word} 0 1 d\n");
        let parsed = Document::parse(text.as_bytes()).unwrap();
        let mut fixes: Vec<_> = parsed.diagnostics.iter().filter_map(|found| found.fix.clone()).collect();
        prop_assert_eq!(fixes.len(), 3);
        fixes.sort_by_key(|fix| std::cmp::Reverse(fix.span.start));
        let mut fixed = text.clone();
        fixes.iter().for_each(|fix| fixed.replace_range(fix.span.start..fix.span.end, &fix.replacement));
        let expected = text.replace("+chidren", "+children").replace("+PARENT", "+parent").replace(word, &word.to_lowercase());
        prop_assert_eq!(fixed, expected);
    }
}

fn best_of_three(mut run: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..3).map(time).min().unwrap()
}

/// Four times as much takes about four times as long, where it would be sixteen times for what is
/// quadratic.
#[track_caller]
fn assert_linear(what: &str, make: impl Fn(usize) -> String, count: usize) {
    let time = |count| {
        let bytes = make(count).into_bytes();
        best_of_three(|| drop(Document::parse(&bytes[..])))
    };
    let (once, fourfold) = (time(count), time(4 * count));
    // Short times are noise.
    assert!(
        fourfold < once.max(Duration::from_millis(50)) * 12,
        "{what}: {once:?}, four times as much {fourfold:?}"
    );
}

#[test]
fn time_is_linear() {
    let set = |lines: String| format!("as A\n{lines}");
    assert_linear("A20: one bone", |count| set("bl root +children\n".repeat(count)), 100_000);
    assert_linear(
        "sets",
        |count| (0..count).map(|number| format!("as {number}\nbl a\nan 0 1 b\n")).collect(),
        50_000,
    );
    assert_linear("sets of one name", |count| "as a\nbl a\nan 0 1 b\n".repeat(count), 50_000);
    assert_linear(
        "animations",
        |count| {
            set("bl a\n".to_owned()
                + &(0..count).map(|number| format!("an 0 1 {number}\n")).collect::<String>())
        },
        50_000,
    );
    assert_linear(
        "animations of one name",
        |count| set("bl a\n".to_owned() + &"an 0 1 x\n".repeat(count)),
        50_000,
    );
    assert_linear(
        "events outside",
        |count| set("bl a\n".to_owned() + &"ev 9 x\n".repeat(count) + &"an 0 1 x\n".repeat(count)),
        50_000,
    );
    assert_linear("errors", |count| set("zz 9 x\nev\nan 1\n".repeat(count)), 50_000);
    assert_linear(
        "words of one line",
        |count| set("bl a ".to_owned() + &"+parent ".repeat(count)),
        50_000,
    );
    assert_linear("carriage returns", |count| set("\r".repeat(count)), 1_000_000);
}

/// A21: events are stored once, and animations are ranges.
#[test]
fn every_event_in_every_animation() {
    let text =
        format!("as A\nbl root\n{}{}", "ev 5 x\n".repeat(4_000), "an 0 1e9 a\n".repeat(4_000));
    let (skeleton, timeline) = model(&["root", "leaf"], 1_000);
    let start = Instant::now();
    let document = Document::parse(text.as_bytes()).unwrap().value;
    let bound = bind(&document, &skeleton, &timeline, &BindOptions::default()).unwrap().value;
    assert_eq!((bound.events.len(), bound.clips.len()), (4_000, 4_000));
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

/// A22: sets of the same bones share them; what cannot be shared meets a limit.
#[test]
fn every_bone_in_every_set() {
    let names: Vec<String> = (0..100_000).map(|number| number.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (skeleton, timeline) = model(&names, 1);
    let sets = |bone: &dyn Fn(usize) -> usize| -> Vec<u8> {
        (0..100_000)
            .map(|number| format!("as {number}\nbl {} +children\nan 0 1 a\n", bone(number)))
            .collect::<String>()
            .into_bytes()
    };
    let start = Instant::now();
    let run = |bytes: &[u8], children| {
        let document = Document::parse(bytes).unwrap().value;
        bind(&document, &skeleton, &timeline, &BindOptions { children, ..BindOptions::default() })
    };
    // A search of 100,000 tables for each animation is too much; without animations it would be
    // one.
    assert!(run(&sets(&|_| 0), Children::AllDescendants).is_err());
    let no_clips: String =
        (0..100_000).map(|number| format!("as {number}\nbl 0 +children\n")).collect();
    let bound = run(no_clips.as_bytes(), Children::AllDescendants).unwrap().value;
    assert!(bound.sets.iter().all(|set| set.joints.len() == 100_000));
    let error = run(&sets(&|number| number), Children::AllDescendants).unwrap_err();
    assert_eq!(error.most, Limits::default().samples);
    assert_eq!(run(&sets(&|number| number), Children::Direct).unwrap().value.sets.len(), 100_000);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn limits_hold() {
    let bytes = b"as name\nbl bone\nan 0 1 clip\nan 2 3 x\nas x\nbl y\nan 0 1 z\n";
    let parse = |limits| Document::parse_with(&bytes[..], &ParseOptions { limits });
    assert!(matches!(
        parse(Limits { input_bytes: bytes.len() - 1, ..Limits::default() }),
        Err(ParseError::Limit(_))
    ));
    assert!(matches!(
        parse(Limits { line_bytes: 10, ..Limits::default() }),
        Err(ParseError::Limit(_))
    ));
    assert!(
        parse(Limits {
            input_bytes: bytes.len(),
            line_bytes: 11,
            name_bytes: 4,
            ..Limits::default()
        })
        .unwrap()
        .diagnostics
        .is_empty()
    );
    let short = parse(Limits { name_bytes: 3, ..Limits::default() }).unwrap();
    assert_eq!(
        (short.diagnostics.count(&codes::NAME_LENGTH), short.diagnostics.total(Severity::Error)),
        (1, 1),
        "nothing is said of the rest of the set"
    );
    assert_eq!(short.value.sets().len(), 1);
}

/// A24: a name of ten megabytes is one error and shown cut short.
#[test]
fn a_name_of_ten_megabytes() {
    let bytes = format!("as a\nbl {}\nan 0 1 a\n", "x".repeat(10 << 20)).into_bytes();
    let parsed = Document::parse(&bytes[..]).unwrap();
    assert_eq!(
        (parsed.diagnostics.count(&codes::NAME_LENGTH), parsed.diagnostics.total(Severity::Error)),
        (1, 1)
    );
    check_diagnostics(&parsed.diagnostics, &bytes);
    let line = vec![b' '; (16 << 20) + 1];
    assert!(matches!(Document::parse(line), Err(ParseError::Limit(_))));
}
