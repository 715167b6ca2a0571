//! What is played.

use crate::model::clip::Clip;
use crate::model::ids::ClipId;
use crate::model::machine::StateMachine;
use crate::model::sequence::Sequence;
use crate::model::timeline::Timeline;

/// What is played.
pub(super) enum Source<'a> {
    Clip { id: ClipId, clip: &'a Clip, timeline: &'a Timeline },
    Sequence { machine: &'a StateMachine, sequence: &'a Sequence },
}
