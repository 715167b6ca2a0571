//! Editing, building, joining and splitting files: what is preserved, and what does not fit.

use anim_ir::Output;
use fmt_tmd_anm::{
    CameraDocument, CameraKey, CameraSequence, Document, JoinError, JoinOptions, Key, NewFrame,
    RateError, Sequence, WriteError, addressable, codes, join,
};
use test_oracle::random::Rng;
use test_oracle::tmd::generate::{self, AncCase, AncOptions, AnmCase, AnmOptions};

fn files(case: AnmCase) -> impl Iterator<Item = Vec<u8>> {
    (0..10).map(move |seed| {
        generate::anm(&mut Rng::new(seed), &AnmOptions { case, ..AnmOptions::default() })
    })
}

/// Returns a sequence of frames at 30 frames per second.
fn sequence(frames: Vec<NewFrame>, trailing: &[u8]) -> Sequence {
    Sequence { rate: 30, frames, trailing: trailing.to_vec() }
}

/// Returns a sequence of frames without keys.
fn empty(count: usize, trailing: &[u8]) -> Sequence {
    sequence(vec![NewFrame::default(); count], trailing)
}

fn read(bytes: &[u8]) -> Document<'_> {
    Document::parse(bytes).unwrap().value
}

#[test]
fn setting_the_rate_changes_two_bytes() {
    for bytes in AnmCase::ALL.into_iter().flat_map(files) {
        let mut document = read(&bytes);
        document.set_rate(-2);
        let mut expected = bytes.clone();
        expected[2..4].copy_from_slice(&[0xfe, 0xff]);
        assert_eq!(document.to_bytes(), expected);
        assert_eq!((document.rate(), document.frames_per_second()), (-2, 30.0));
    }
    let bytes = generate::anc(&mut Rng::new(1), &AncOptions::default());
    let mut camera = CameraDocument::parse(&bytes[..]).unwrap().value;
    camera.set_rate(60);
    assert_eq!(camera.to_bytes()[..4], [0, 0x80, 60, 0]);
    assert_eq!(camera.to_bytes()[4..], bytes[4..]);
}

/// Packing does not change a packed file, including bytes of unknown meaning.
#[test]
fn a_canonical_file_is_unchanged() {
    use AnmCase::{
        Canonical, DuplicateKeys, EmptyFrames, NoFrames, TrailingByte, TrailingData, TrailingZeros,
        UnknownFlags,
    };
    let plain = [Canonical, NoFrames, EmptyFrames, UnknownFlags, DuplicateKeys];
    for case in plain.into_iter().chain([TrailingZeros, TrailingByte, TrailingData]) {
        for bytes in files(case) {
            let mut document = read(&bytes);
            document.edit(|_| {}).unwrap();
            assert_eq!(document.to_bytes(), bytes, "{case:?}");
        }
    }
}

/// An edit preserves frames, keys and incomplete keys of any file, and the result is canonical.
#[test]
fn an_edit_packs_non_canonical_files() {
    for case in
        [AnmCase::Gap, AnmCase::Overlap, AnmCase::Reversed, AnmCase::CrossingKey, AnmCase::BadMagic]
    {
        for bytes in files(case) {
            let before = read(&bytes);
            let mut document = before.clone();
            document.edit(|sequence| sequence.trailing = vec![1, 2, 3]).unwrap();
            let parsed = Document::parse(document.to_bytes()).unwrap();
            for code in
                [&codes::GAP, &codes::OVERLAP, &codes::REVERSED, &codes::TRUNCATED, &codes::MAGIC]
            {
                assert_eq!(parsed.diagnostics.count(code), 0, "{case:?}");
            }
            assert_eq!(document.trailing(), [1, 2, 3], "{case:?}");
            assert!(document.gap().is_empty(), "{case:?}");
            let [after, before] = [&document, &before].map(|document| document.frames());
            assert!(after.map(|frame| frame.bytes()).eq(before.map(|frame| frame.bytes())));
            assert_eq!(document.table().next(), Some(4 + document.frame_count() as u16));
        }
    }
}

#[test]
fn an_edit_only_changes_its_target() {
    let bytes = files(AnmCase::UnknownFlags).next().unwrap();
    let before = Sequence::of(&read(&bytes));
    let mut document = read(&bytes);
    let key = Key { object: 9, scale: Some([1, -2, 3]), unknown_flags: 0x40, ..Key::default() };
    document.edit(|sequence| sequence.frames[3].keys.insert(0, key)).unwrap();
    let mut after = Sequence::of(&read(&document.to_bytes()));
    assert_eq!(after.frames[3].keys.remove(0), key);
    assert_eq!(after, before);
    // The part bits are derived from the parts.
    document.edit(|sequence| sequence.frames[3].keys[0].unknown_flags = 0xff).unwrap();
    assert_eq!(document.frame(3).unwrap().keys().next().unwrap().flags(), 0xfa);
}

#[test]
fn an_edit_that_does_not_fit_changes_nothing() {
    let bytes = files(AnmCase::Gap).next().unwrap();
    let mut document = read(&bytes);
    let error = document.edit(|sequence| sequence.frames[1].rest = vec![0; 131_062]).unwrap_err();
    assert!(matches!(error, WriteError::Frame { frame: 1, .. }), "{error}");
    let odd = document.edit(|sequence| sequence.frames[2].rest.push(1));
    assert_eq!(odd, Err(WriteError::Odd { frame: 2 }));
    assert_eq!(document.to_bytes(), bytes);
}

/// T26: sequences of exactly the maximum length, and longer sequences.
#[test]
fn sequences_that_are_too_long_are_split() {
    let frames = |count| empty(count, &[7]);
    assert_eq!(frames(65_531).write().unwrap().to_bytes().len(), 131_070 + 1);
    let error = frames(65_532).write().unwrap_err();
    assert_eq!(error, WriteError::Files { frames: 65_532, bytes: 131_072, files: 2 });
    assert!(error.to_string().ends_with("2 files are needed"), "{error}");
    let parts = frames(65_532).split().unwrap();
    assert_eq!(parts.iter().map(Document::frame_count).collect::<Vec<_>>(), [65_531, 1]);
    let trailing: Vec<usize> = parts.iter().map(|part| part.trailing().len()).collect();
    assert_eq!(trailing, [0, 1], "only the last file contains the bytes after the frames");
    assert_eq!(frames(0).split().unwrap().len(), 1);

    // A frame of the maximum size, and a frame with one more key.
    let key = Key { position: Some([1; 3]), ..Key::default() };
    let full = NewFrame { keys: vec![key; 16_382], rest: vec![0; 4] };
    let mut full = sequence(vec![full], &[]);
    let document = full.write().unwrap();
    assert_eq!((document.to_bytes().len(), document.table().last()), (131_070, Some(65_535)));
    let keys = read(&document.to_bytes()).frame(0).unwrap().keys().count();
    assert_eq!(keys, 16_382 + 2);
    full.frames[0].keys.push(Key::default());
    assert_eq!(full.write(), Err(WriteError::Frame { frame: 0, bytes: 131_062 }));

    // With random frames, nothing is lost, every file is canonical, and the first frame of a file
    // does not fit in the file before it.
    let keys =
        |count: usize| NewFrame::new((0..count).map(|n| Key { object: n as u8, ..key }).collect());
    let mut rng = Rng::new(3);
    let random = sequence((0..400).map(|_| keys(rng.below(256))).collect(), &[]);
    let random = Sequence { rate: 15, ..random };
    let parts = random.split().unwrap();
    assert!(parts.len() > 2);
    for part in &parts {
        assert!(Document::parse(part.to_bytes()).unwrap().diagnostics.is_empty());
    }
    let joined = Sequence::join(&parts.iter().collect::<Vec<_>>(), None).unwrap();
    assert!(joined.losses.is_empty());
    assert_eq!(joined.value, random);
    for pair in parts.windows(2) {
        let next = pair[1].frame(0).unwrap().bytes().len();
        assert!(pair[0].to_bytes().len() + 2 + next > 131_070, "as few files as possible");
    }
}

#[test]
fn joined_files_must_have_the_same_rate() {
    let make = |rate, trailing: &[u8]| Sequence { rate, ..empty(1, trailing) }.write().unwrap();
    let (a, b) = (make(30, &[1, 2]), make(60, &[3]));
    assert_eq!(Sequence::join(&[], None).unwrap_err(), JoinError::Empty);
    let rates = JoinError::Rates { first: 30, document: 1, rate: 60 };
    assert_eq!(Sequence::join(&[&a, &b], None).unwrap_err(), rates);
    let joined = Sequence::join(&[&a, &b], Some(20)).unwrap();
    assert_eq!(joined.value, Sequence { rate: 20, ..empty(2, &[3]) });
    assert_eq!(joined.losses.count(&codes::LOSS_JOIN), 1);
    let at = |rate| JoinOptions::default().with_frames_per_second(rate);
    let files = join(&[&a, &b], &at(Some(20.0)), "walk").unwrap();
    assert_eq!(files.value, Output::alone(joined.value.write().unwrap().to_bytes().into_owned()));
    assert_eq!(files.losses, joined.losses);
    let rates = join(&[&a, &b], &at(None), "walk").unwrap_err();
    assert_eq!(rates.help(), Some("set the rate of the result with --rate"));
    for rate in [0.5, 29.97, 32_768.0] {
        let error = join(&[&a], &at(Some(rate)), "walk").unwrap_err();
        assert_eq!(error, JoinError::Rate(RateError(rate)));
    }
    assert!(at(None).is_default() && !at(Some(30.0)).is_default());
}

/// If the result requires several files, the first is the main file, and the others are named after
/// it.
#[test]
fn joining_may_result_in_several_files() {
    let half = empty(40_000, &[]).write().unwrap();
    let error = join(&[&half, &half], &JoinOptions::default(), "walk").unwrap_err();
    assert_eq!(error.help(), Some("use --split with a folder as the output"));
    let options = JoinOptions::default().with_split(true);
    let Output { main, companions } = join(&[&half, &half], &options, "walk").unwrap().value;
    let [(name, rest)] = &companions[..] else { panic!("two files") };
    assert_eq!(name, "walk_2.anm");
    assert_eq!([read(&main), read(rest)].map(|file| file.frame_count()), [65_531, 14_469]);
}

#[test]
fn cameras_are_edited_and_built() {
    for case in AncCase::ALL {
        let bytes = generate::anc(&mut Rng::new(4), &AncOptions { case, ..AncOptions::default() });
        let mut camera = CameraDocument::parse(&bytes[..]).unwrap().value;
        let before = CameraSequence::of(&camera);
        let key =
            CameraKey { eye: [1, 2, 3], look_at: [i16::MIN, 0, i16::MAX], roll: -1, fov: 300 };
        camera.edit(|sequence| sequence.keys.insert(2, key)).unwrap();
        let parsed = CameraDocument::parse(camera.to_bytes()).unwrap();
        for code in [&codes::CAMERA_MAGIC, &codes::CAMERA_TRUNCATED] {
            assert_eq!(parsed.diagnostics.count(code), 0, "{case:?}");
        }
        let mut after = CameraSequence::of(&parsed.value);
        assert_eq!(after.keys.remove(2), key);
        assert_eq!(after, before, "{case:?}");
    }
    let many = |count| {
        CameraSequence { keys: vec![CameraKey::default(); count], ..CameraSequence::default() }
            .write()
    };
    assert_eq!(many(65_535).unwrap().to_bytes().len(), 6 + 16 * 65_535);
    assert_eq!(many(65_536), Err(WriteError::Records(65_536)));
}

/// Reading only the addressable part of a stream affects only the length of the trailing
/// bytes.
#[test]
fn no_frame_is_beyond_the_addressable_part() {
    assert_eq!((addressable(b""), addressable(&[0, 0x80, 30, 0, 1, 0])), (131_070, 131_070));
    assert_eq!(addressable(&[0, 0x80, 30, 0, 0xff, 0xff]), 6 + 16 * 65_535);
    let full = empty(65_531, &[9; 1 << 20]).write().unwrap();
    let (whole, head) = (full.to_bytes(), &full.to_bytes()[..131_071]);
    let (whole, head) = (read(&whole), read(head));
    assert!(whole.frames().eq(head.frames()));
    assert_eq!(head.trailing(), [9]);
}
