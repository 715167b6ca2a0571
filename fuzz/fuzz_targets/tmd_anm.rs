//! Everything that can be done with the bytes of a TMD ANM or ANC file.
#![no_main]

use anim_formats::anim_ir::{Limits, Pose, Sampler, Severity, validate};
use anim_formats::tmd_anm::{
    CameraDocument, CameraSequence, CameraToIr, Document, FromIr, Sequence, ToIr, camera_to_ir,
    from_ir, to_ir,
};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(parsed) = CameraDocument::parse(bytes) {
        assert_eq!(parsed.value.to_bytes(), bytes);
        assert!(validate(&camera_to_ir(&parsed.value, &CameraToIr::default()).value).is_empty());
        CameraSequence::of(&parsed.value).write().expect("no more records than were read");
    }
    let Ok(parsed) = Document::parse(bytes) else { return };
    assert_eq!(parsed.value.to_bytes(), bytes);
    let sequence = Sequence::of(&parsed.value);
    if let Ok(parts) = sequence.split() {
        let parts: Vec<&Document<'_>> = parts.iter().collect();
        assert_eq!(Sequence::join(&parts, None).expect("parts have one rate").value, sequence);
    }
    // Small limits: what a small file can blow up to is to be found in little time.
    let limits = Limits { samples: 10_000, ..Limits::default() };
    let scene = to_ir(&[&parsed.value], &ToIr { limits, ..ToIr::default() }).value;
    assert!(validate(&scene).is_empty());
    if let (Some(timeline), Some(skeleton)) = (scene.timelines.first(), scene.skeletons.first()) {
        Sampler::new(skeleton, timeline).sample(0.5, &mut Pose::default());
    }
    if let Ok(written) = from_ir(&scene, &FromIr { split: true, limits, ..FromIr::default() }) {
        for file in &written.value {
            let again = Document::parse(file.document.to_bytes())
                .expect("what is written is read")
                .diagnostics;
            assert!(again.total(Severity::Error) == 0);
        }
    }
});
