//! Everything that can be done with the bytes of an ANM text, alone and with a model.
#![no_main]

use anim_formats::anim_ir::{
    Channel, Interpolation, Joint, Scene, Skeleton, Target, Timeline, TimelineBuilder, validate,
};
use anim_formats::anm_text::{
    BindOptions, Children, Document, EventScope, FromIr, ToIr, bind, from_ir, sniff, to_ir,
};

/// A chain of bones with the names that the fixtures use.
fn model() -> (Skeleton, Timeline) {
    let mut skeleton = Skeleton::new("model");
    let mut builder = TimelineBuilder::new("take");
    for (joint, name) in ["root", "shoulder", "elbow", "neck", "head"].into_iter().enumerate() {
        skeleton.joints.push(Joint::new(name, joint.checked_sub(1)));
        let times: Vec<f32> = (0..20_u8).map(|key| f32::from(key) / 8.0).collect();
        builder
            .keys(Target::Joint(joint), Channel::Scale, Interpolation::Linear, &times, &[1.0; 60])
            .expect("keys in order");
    }
    (skeleton, builder.finish())
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sniff(bytes);
    let Ok(parsed) = Document::parse(bytes) else { return };
    let document = parsed.value;
    assert_eq!(document.to_bytes(), bytes);
    let scene = to_ir(&document, &ToIr::default()).value;
    assert!(validate(&scene).is_empty());
    if let Ok(built) = Document::build(&document.data()) {
        assert_eq!(built.data(), document.data());
        from_ir(&scene, &FromIr::default()).expect("what can be built can be written");
    }
    let (skeleton, timeline) = model();
    for (children, events) in
        [(Children::AllDescendants, EventScope::OwnSet), (Children::Direct, EventScope::All)]
    {
        let options = BindOptions { children, events, ..BindOptions::default() };
        let Ok(bound) = bind(&document, &skeleton, &timeline, &options) else { continue };
        let mut scene = Scene {
            skeletons: vec![skeleton.clone()],
            timelines: vec![timeline.clone()],
            ..Scene::default()
        };
        bound.value.put_on(&mut scene, 0);
        assert!(validate(&scene).is_empty());
        if let Ok(written) = from_ir(&scene, &FromIr::default()) {
            Document::parse(written.value.to_bytes()).expect("what is written is read");
        }
    }
    let mut document = document.into_owned();
    let sets = document.sets().len().min(8);
    for set in (0..sets).rev() {
        // The last set cannot go.
        let _ = document.remove_set(set);
    }
});
