//! What a script can name: states, or clips and joints.

use std::cell::RefCell;
use std::collections::HashMap;

use anim_formats::anim_ir::{ClipId, JointId, MachineId, Scene, SkeletonId, StateId};

use anim_viewer::pick;

/// The number of names whose meaning is remembered.
const KEPT: usize = 4096;

/// The names of one kind of items.
pub(super) struct Names<'a> {
    what: &'static str,
    all: Vec<&'a str>,
    /// What scripts have asked for. A script may ask for the same few names very often.
    asked: RefCell<HashMap<String, Result<usize, String>>>,
}

impl<'a> Names<'a> {
    fn new(what: &'static str, all: impl IntoIterator<Item = &'a str>) -> Names<'a> {
        Names { what, all: all.into_iter().collect(), asked: RefCell::default() }
    }

    /// Finds an item by its name or number, or explains why there is none.
    fn find(&self, wanted: &str) -> Result<usize, String> {
        if let Some(known) = self.asked.borrow().get(wanted) {
            return known.clone();
        }
        let found = pick(self.what, &self.all, Some(wanted)).map_err(|failure| failure.message);
        let mut asked = self.asked.borrow_mut();
        if asked.len() >= KEPT {
            asked.clear();
        }
        asked.insert(wanted.to_owned(), found.clone());
        found
    }
}

/// What is played: the states of the first state machine, or, if there is none, clips.
pub(super) struct Cast<'a> {
    pub(super) scene: &'a Scene,
    pub(super) machine: Option<MachineId>,
    playables: Names<'a>,
    joints: Vec<Names<'a>>,
}

impl<'a> Cast<'a> {
    pub(super) fn of(scene: &'a Scene) -> Cast<'a> {
        let machine = scene.enumerate_machines().next();
        let clips = scene.clips.iter().map(|clip| clip.name.as_str());
        let joints = scene
            .skeletons
            .iter()
            .map(|skeleton| Names::new("joint", skeleton.joints.iter().map(|joint| &*joint.name)));
        Cast {
            scene,
            machine: machine.map(|(id, _)| id),
            playables: match machine {
                Some((_, machine)) => {
                    Names::new("state", machine.states.iter().map(|state| state.name.as_str()))
                }
                None => Names::new("clip", clips),
            },
            joints: joints.collect(),
        }
    }

    pub(super) fn state(&self, name: &str) -> Result<StateId, String> {
        Ok(StateId::new(self.playables.find(name)?))
    }

    pub(super) fn clip(&self, name: &str) -> Result<ClipId, String> {
        Ok(ClipId::new(self.playables.find(name)?))
    }

    /// Finds a joint of the skeleton that a clip moves.
    pub(super) fn joint(&self, skeleton: SkeletonId, name: &str) -> Result<JointId, String> {
        let names = self.joints.get(skeleton.index()).ok_or("the clip has no skeleton")?;
        Ok(JointId::new(names.find(name)?))
    }

    /// Returns the skeleton of the first clip.
    pub(super) fn skeleton(&self) -> SkeletonId {
        self.skeleton_of(ClipId::default()).unwrap_or_default()
    }

    pub(super) fn skeleton_of(&self, clip: ClipId) -> Option<SkeletonId> {
        Some(self.scene.timeline(self.scene.clip(clip)?.timeline)?.skeleton)
    }
}
