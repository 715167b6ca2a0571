//! Tests the detection of TMD files, and of other files with the same extensions.

use anim_formats::anim_ir::Confidence;
use anim_formats::{LoadError, LoadOptions, detect, parse_bytes, why_unknown};
use test_oracle::random::Rng;
use test_oracle::tmd::generate::{self, AncOptions, AnmCase, AnmOptions, ModelOptions};

fn first(bytes: &[u8], name: &str) -> Option<(&'static str, Confidence)> {
    detect(bytes, Some(name)).first().map(|candidate| (candidate.format.id(), candidate.confidence))
}

/// Content takes precedence over the name.
#[test]
fn by_content() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        for name in ["a.anm", "a.anc", "a.tmd", "a.amo", "a.bin", "a"] {
            let (anm, anc, model) = (
                generate::anm(&mut rng, &AnmOptions::default()),
                generate::anc(&mut rng, &AncOptions::default()),
                generate::model(&mut rng, &ModelOptions::default()),
            );
            // A motion that is exactly as long as a camera file with as many frames is ambiguous.
            let sure =
                if anm.len() == 6 + 16 * 12 { Confidence::Likely } else { Confidence::Certain };
            let format =
                if name == "a.anc" && sure < Confidence::Certain { "tmd-anc" } else { "tmd-anm" };
            assert_eq!(first(&anm, name), Some((format, sure)), "{seed} {name}");
            assert_eq!(first(&anc, name), Some(("tmd-anc", Confidence::Certain)), "{seed} {name}");
            assert_eq!(first(&model, name), Some(("tmd", Confidence::Certain)), "{seed} {name}");
        }
    }
}

/// With the right extension, the magic number is sufficient, whatever follows. Without the magic
/// number, the file is not detected.
#[test]
fn files_that_are_not_canonical() {
    for case in AnmCase::ALL {
        for seed in 0..20 {
            let bytes =
                generate::anm(&mut Rng::new(seed), &AnmOptions { case, ..AnmOptions::default() });
            let found = first(&bytes, "A.ANM").map(|(format, _)| format);
            assert_eq!(
                found,
                Some("tmd-anm").filter(|_| case != AnmCase::BadMagic),
                "{case:?} {seed}"
            );
        }
    }
}

/// X11: a file that is valid in both formats. The file extension decides; without one, the user
/// must specify the format.
#[test]
fn both_at_once() {
    // As a motion, the file has one frame, which starts at half-word 5; as a camera, it has one
    // record of 16 bytes.
    let words: [u16; 11] = [0x8000, 30, 1, 5, 11, 0x0100, 0, 0, 1024, 1, 200];
    let bytes: Vec<u8> = words.into_iter().flat_map(u16::to_le_bytes).collect();
    assert_eq!(first(&bytes, "x.anm"), Some(("tmd-anm", Confidence::Likely)));
    assert_eq!(first(&bytes, "x.ANC"), Some(("tmd-anc", Confidence::Likely)));
    for name in [None, Some("x.bin")] {
        let picked = parse_bytes(bytes.clone(), name, &LoadOptions::default());
        assert!(
            matches!(picked, Err(LoadError::Ambiguous(candidates)) if candidates.len() == 2),
            "{name:?}"
        );
    }
}

/// T25: other files with the extension `.anm` are not detected as TMD ANM.
#[test]
fn other_files() {
    for (bytes, says) in [
        (b"\x89PNG\r\n\x1a\n....".as_slice(), "PNG"),
        (b"FORM\0\0\x10\0ANIMFORM", "IFF"),
        (b"", "empty"),
        (b"\x80\0\0\x1e\0\x01", "swapped"),
        (b"\x41\0\0\0\0\0\0\0", "0x0041"),
        (b"\x00", "shorter than"),
    ] {
        for name in ["walk.anm", "WALK.ANM"] {
            assert_eq!(first(bytes, name), None, "{says}");
            let why = why_unknown(bytes, Some(name));
            assert!(why.contains(says) && (bytes.is_empty() || why.contains("TMD ANM")), "{why}");
        }
    }
    let mut rng = Rng::new(7);
    for length in 2..500 {
        let random: Vec<u8> = (0..length).map(|_| rng.below(256) as u8).collect();
        let is_ours = random.starts_with(&[0, 0x80]);
        assert_eq!(
            first(&random, "x.anm").is_some_and(|(format, _)| format == "tmd-anm"),
            is_ours,
            "{random:?}"
        );
    }
}
