//! Writes state machines as resources of game engines, for use beside a GLB of the same scene.
//!
//! - [`Godot`]: an `AnimationNodeStateMachine` for the `AnimationTree` of Godot 3 (`.tres`).
//! - [`Unity`]: an Animator Controller (`.controller`).
//!
//! ```
//! use anim_ir::{Clip, Joint, Motion, Scene, Skeleton, State, StateMachine, Timeline};
//!
//! let mut skeleton = Skeleton::new("lamp");
//! skeleton.add_joint(Joint::new("eye", None));
//! let clip = Clip { name: "blink".to_owned(), end: 1.0, ..Clip::default() };
//! let mut scene = Scene::default();
//! scene.add_skeleton(skeleton);
//! scene.add_timeline(Timeline::default());
//! let motion = Motion::Clip(scene.add_clip(clip));
//! let states = vec![State { name: "blink".to_owned(), motion }];
//! scene.machines.push(StateMachine { states, ..StateMachine::default() });
//!
//! let written = anim_engines::godot(&scene, &anim_engines::ToGodot::default())?;
//! assert!(written.value.contains("animation = \"blink\""));
//! # Ok::<(), anim_engines::FromIrError>(())
//! ```
//!
//! # What is written
//!
//! Each state that plays a clip refers to the animation of that clip in the GLB, and each sequence
//! becomes a state machine within the machine, with a state for each key in the order of play.
//! What an engine cannot express is reported; [`codes`] lists it.

pub mod codes;
mod error;
mod format;
mod godot;
mod kept;
mod machine;
mod moving;
mod names;
mod phase;
mod quoted;
mod unity;
mod visits;

pub use error::FromIrError;
pub use format::{Godot, Unity};
pub use godot::{ToGodot, godot};
pub use unity::{ToUnity, unity};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
