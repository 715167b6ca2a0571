//! Bakes waves, Euler angles, offsets and states to keys.

mod baker;
mod corners;
mod joint_player;
mod place;
#[cfg(test)]
mod tests;
mod tracks;

use std::borrow::Cow;

use crate::file::diag::plural;
use crate::{
    Axes, Budget, Category, Clip, ClipId, Code, Converted, Diagnostics, LimitError, Motion,
    Playable, Scene, Severity, State, Timeline, TimelineId,
};

pub use baker::Bake;
pub(super) use baker::Baker;
use tracks::is_not_plain;

/// Waves, Euler angles or states were sampled.
pub static BAKED: Code = Code {
    id: "ir-baked",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "The target format has no equivalent of waves, Euler angles or nested states.",
    example: "a sine about the y axis",
    action: "The motion is baked to keys, dense enough for linear interpolation to stay within \
the reported fraction of the range of motion.",
};

impl Scene {
    /// Bakes waves, Euler angles, offsets and sequences of states to translation, rotation and
    /// scale keys, for formats that only support keys. Each state that plays a sequence becomes an
    /// additional clip of one round, from 0 s. A scene without any of these is returned unchanged.
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if the keys exceed the budget of the scene.
    pub fn baked(&self, options: &Bake) -> Result<Converted<Cow<'_, Scene>>, LimitError> {
        self.baked_within(options, &Budget::for_scene(&options.limits, self))
    }

    fn baked_within(
        &self,
        options: &Bake,
        budget: &Budget,
    ) -> Result<Converted<Cow<'_, Scene>>, LimitError> {
        let has_more = |timeline: &Timeline| timeline.tracks().iter().any(is_not_plain);
        let to_bake: Vec<bool> = self.timelines.iter().map(has_more).collect();
        let states = || self.machines.iter().flat_map(|machine| &machine.states);
        let sequences = states().any(|state| matches!(state.motion, Motion::Sequence(_)));
        let mut losses = Diagnostics::new();
        if !sequences && !to_bake.contains(&true) {
            return Ok(Converted { value: Cow::Borrowed(self), losses });
        }
        let needs_keys = |timeline: TimelineId| to_bake.get(timeline.index());
        let mut baker = Baker::new(self, options, budget);
        let mut made = Vec::new();
        let mut scene = self.clone();
        for (id, clip) in self.enumerate_clips() {
            if needs_keys(clip.timeline) == Some(&true)
                && let Some(timeline) = self.timeline(clip.timeline)
            {
                made.push((id, baker.clip(id, clip, timeline)?));
            }
        }
        for machine in &self.machines {
            for state in &machine.states {
                let Motion::Sequence(sequence) = &state.motion else { continue };
                let (clip, baked) = baker.sequence(machine, sequence)?;
                made.push((scene.add_clip(Clip { name: state.name.clone(), ..clip }), baked));
            }
        }
        let (mut moving, mut still) = (0_usize, 0_usize);
        let mut keys = 0_usize;
        for (clip, timeline) in made {
            let count = if timeline.tracks().is_empty() { &mut still } else { &mut moving };
            *count = count.saturating_add(1);
            keys = keys.saturating_add(timeline.key_count());
            let timeline = scene.add_timeline(timeline);
            if let Some(clip) = scene.clip_mut(clip) {
                clip.timeline = timeline;
            }
        }
        scene.forget_timelines(|timeline| needs_keys(timeline) != Some(&false));
        losses.lost(&BAKED, moving > 0, || {
            let (clips, keys) = (plural(moving, "clip"), plural(keys, "key"));
            let part = options.tolerance * 100.0;
            let without = match still {
                0 => String::new(),
                still => format!("; {} without motion", plural(still, "other")),
            };
            format!(
                "{clips} of waves or states baked to {keys}, within {part} % of the range of \
                 motion{without}"
            )
        });
        Ok(Converted { value: Cow::Owned(scene), losses })
    }

    /// Removes all clips and states except one. A clip is kept unchanged, a state that plays a clip
    /// is replaced with that clip, and a sequence becomes a clip of one round.
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if the keys of a sequence exceed the budget of the scene. The scene
    /// is then unchanged.
    pub fn keep(&mut self, playable: Playable, options: &Bake) -> Result<(), LimitError> {
        let (machine, state) = match playable {
            Playable::Clip(clip) => {
                self.keep_clip(clip);
                return Ok(());
            }
            Playable::State { machine, state } => (machine, state),
        };
        let found =
            self.machine(machine).and_then(|machine| Some((machine, machine.state(state)?)));
        match found {
            Some((machine, State { name, motion: Motion::Sequence(sequence) })) => {
                let budget = Budget::for_scene(&options.limits, self);
                let mut baker = Baker::new(self, options, &budget);
                let (clip, timeline) = baker.sequence(machine, sequence)?;
                let clip = Clip { name: name.clone(), timeline: TimelineId::default(), ..clip };
                self.machines.clear();
                self.clips = vec![clip];
                self.timelines = vec![timeline];
            }
            Some((_, State { motion: Motion::Clip(clip), .. })) => self.keep_clip(*clip),
            None => self.keep_clip(ClipId::new(usize::MAX)),
        }
        Ok(())
    }

    /// Prepares a scene for writers of formats that have fixed axes and only support keys:
    /// [`Scene::in_axes`], then [`Scene::baked`]. The scene must be valid.
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if the keys exceed the writer's budget.
    pub fn in_keys(
        &self,
        axes: Axes,
        options: &Bake,
        budget: &Budget,
    ) -> Result<Converted<Cow<'_, Scene>>, LimitError> {
        match self.in_axes(axes) {
            Cow::Borrowed(scene) => scene.baked_within(options, budget),
            Cow::Owned(turned) => {
                let Converted { value, losses } = turned.baked_within(options, budget)?;
                let baked = if let Cow::Owned(baked) = value { Some(baked) } else { None };
                Ok(Converted { value: Cow::Owned(baked.unwrap_or(turned)), losses })
            }
        }
    }
}
