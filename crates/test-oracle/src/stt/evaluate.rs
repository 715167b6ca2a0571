//! An evaluator and a player of state transition tables (`.stt`), by the project's notes on the
//! format.
//!
//! Numbers are the `f32` that the text rounds to, and are computed with as `f64`. Where the notes
//! are silent:
//!
//! - a word ends at white space or at a `{`; a label is all that is between its braces, blanks at
//!   its ends too,
//! - of two states of one name, and of two nodes of one name in a state, the first one counts,
//! - a node that only one of two blended states has is posed by that state,
//! - a key is reached at the very end of the way to it; while the way to the next key blends, the
//!   player is at no key, but for the moment in which the way begins,
//! - a key that takes no time is reached too, and a state can be left there,
//! - a loop of one key goes from the key to itself,
//! - a keyframe state without keys has an empty pose and can be left at once.

mod file;
mod keyframes;
mod parse;
mod player;
mod pose;

pub use self::file::{Behaviour, Channel, File, Key, Motion, Node, Sequence, State, Way};
pub use self::keyframes::{Moment, moment_at};
pub use self::parse::parse;
pub use self::player::Player;
pub use self::pose::{Order, Pose, Transform, Vectors, channel, pose_at, single};
