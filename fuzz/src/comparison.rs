//! Comparing scenes.

use anim_formats::anim_ir::diff::{self, Diff, diff};
use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{NoFiles, Scene};
use anim_formats::{AnyDocument, Format};
use conformance::mutations::mutate;

use crate::choice::Choices;
use crate::settings;

/// Compares a file with itself and with a file that differs in a few tokens.
pub fn exercise(format: Format, bytes: &[u8]) {
    let seed = Choices::of(bytes).number();
    let Some(a) = scene(format, bytes) else { return };
    equals_itself(&a);
    if let Some(b) = scene(format, &mutate(bytes, seed)) {
        both_ways(&a, &b);
    }
}

fn scene(format: Format, bytes: &[u8]) -> Option<Scene> {
    let settings = settings();
    let document = AnyDocument::parse(bytes, format, &settings).ok()?.value;
    let mut context = Context { name: "name", files: &mut NoFiles, settings: &settings };
    Some(document.to_scene(&mut context).value)
}

fn compare(a: &Scene, b: &Scene) -> Option<Diff> {
    diff(a, b, &diff::Options::default().with_limits(settings().limits)).ok()
}

/// Checks that comparing a scene with itself finds no differences.
pub(crate) fn equals_itself(scene: &Scene) {
    if let Some(found) = compare(scene, scene) {
        assert!(found.counts.is_empty(), "{:?}", found.differences);
    }
}

/// Checks that the order of two scenes does not affect the number of differences.
pub(crate) fn both_ways(a: &Scene, b: &Scene) {
    let Some((there, back)) = compare(a, b).zip(compare(b, a)) else { return };
    let matched = |found: &Diff| {
        [found.joints, found.clips, found.states, found.events, found.shapes, found.materials]
    };
    let same = there.counts == back.counts && matched(&there) == matched(&back);
    assert!(same, "the order matters:\n{there:#?}\n{back:#?}");
    assert_eq!(there.rotated.map(i16::abs), back.rotated.map(i16::abs));
}
