//! Determines which tracks have to be baked, and copies all other tracks.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Channel, Curve, JointId, Scene, Timeline, TimelineBuilder, TimelineId, Track, insert_all,
};

/// Whether a track has to be sampled because formats that only support keys cannot store it.
pub(super) fn is_not_plain(track: &Track) -> bool {
    matches!(track.curve, Curve::Wave(_))
        || matches!(track.channel, Channel::Euler(_) | Channel::Offset)
}

/// The tracks of each joint, by timeline. They are indexed because searching a timeline for each
/// joint would be slow in a scene with a hundred thousand joints and tracks.
#[derive(Default)]
pub(super) struct Tracks<'a>(Vec<BTreeMap<JointId, Vec<&'a Track>>>);

impl<'a> Tracks<'a> {
    pub(super) fn of(scene: &'a Scene) -> Tracks<'a> {
        Tracks(scene.timelines.iter().map(Timeline::tracks_by_joint).collect())
    }

    pub(super) fn joints(&self, timeline: TimelineId) -> impl Iterator<Item = JointId> {
        self.0.get(timeline.index()).into_iter().flat_map(BTreeMap::keys).copied()
    }

    pub(super) fn of_joint(&self, timeline: TimelineId, joint: JointId) -> &[&'a Track] {
        let tracks = self.0.get(timeline.index()).and_then(|joints| joints.get(&joint));
        tracks.map_or(&[], Vec::as_slice)
    }

    pub(super) fn has_more_than_keys(&self, timeline: TimelineId, joint: JointId) -> bool {
        self.of_joint(timeline, joint).iter().any(|track| is_not_plain(track))
    }
}

/// Copies the tracks of nodes and of the given joints. If a joint has a track that has to be baked,
/// only its visibility is copied, since all its other tracks are baked together.
pub(super) fn copy_plain(
    timeline: &Timeline,
    joints: &BTreeSet<JointId>,
    builder: &mut TimelineBuilder,
) {
    let special = timeline.tracks().iter().filter(|track| is_not_plain(track));
    let special: BTreeSet<JointId> = insert_all(special.filter_map(Track::joint));
    for track in timeline.tracks() {
        let is_copied = track.joint().is_none_or(|joint| {
            joints.contains(&joint)
                && (!special.contains(&joint) || track.channel == Channel::Visibility)
        });
        if is_copied {
            copy_track(timeline, track, builder);
        }
    }
}

fn copy_track(timeline: &Timeline, track: &Track, builder: &mut TimelineBuilder) {
    let target = track.target;
    let copied = match &track.curve {
        Curve::Constant(value) => builder.constant(target, track.channel, value),
        Curve::Wave(wave) => builder.wave(target, track.channel, *wave),
        Curve::Keys { .. } => {
            let keys = timeline.keys(track);
            let values: Vec<f32> = keys.values().flatten().copied().collect();
            builder.keys(target, track.channel, keys.interpolation, keys.times, values)
        }
    };
    // Cannot fail: the track was already valid.
    debug_assert_eq!(copied, Ok(()));
}
