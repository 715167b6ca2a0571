//! Arbitrary content of documents.

use fmt_stt::{Behaviour, Channel, NewKey, NewMotion, NewNode, NewSequence, NewState, Step};
use proptest::prelude::*;

pub(crate) fn name() -> impl Strategy<Value = String> {
    "[^{}\r\n\0]{0,6}"
}

pub(crate) fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<f32>().prop_filter("finite", |number| number.is_finite()),
        (-1_000_000..1_000_000).prop_map(|number| number as f32 / 1_000.0)
    ]
}

pub(crate) fn channel() -> impl Strategy<Value = Channel> {
    let vector = || prop::array::uniform3(number());
    (vector(), vector(), number(), number(), -2_i32..13).prop_map(
        |(start, end, period, offset, kind)| {
            let kind = kind.into();
            Channel { start, end, period, offset, kind }
        },
    )
}

fn behaviour() -> impl Strategy<Value = Behaviour> {
    let vectors =
        prop::array::uniform3(prop::array::uniform3(number())).prop_map(Behaviour::Static);
    prop_oneof![vectors, prop::array::uniform3(channel()).prop_map(Behaviour::Dynamic)]
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    (number(), any::<bool>()).prop_map(|(seconds, morph)| Step { seconds, morph })
}

pub(crate) fn state() -> impl Strategy<Value = NewState> {
    let key = (name(), any::<bool>(), step(), step())
        .prop_map(|(state, exit, forward, backward)| NewKey { state, exit, forward, backward });
    let sequence = (-2_i32..9, name(), prop::collection::vec(key, 0..4))
        .prop_map(|(kind, start, keys)| NewSequence { kind: kind.into(), start, keys });
    let node = (name(), behaviour()).prop_map(|(name, behaviour)| NewNode { name, behaviour });
    let motion = prop_oneof![
        prop::collection::vec(node, 0..4).prop_map(NewMotion::Single),
        sequence.prop_map(NewMotion::Keyframe)
    ];
    (name(), motion).prop_map(|(name, motion)| NewState { name, motion })
}
