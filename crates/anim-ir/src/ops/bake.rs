//! Keys for motion without keys: waves, angles, offsets and states.

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
    Axes, Category, Clip, ClipId, Code, Converted, Diagnostics, LimitError, Motion, Playable,
    Scene, Severity, State, Timeline, TimelineId,
};

pub use baker::Bake;
use baker::Baker;
use tracks::is_not_plain;

/// Motion without keys was sampled.
pub static BAKED: Code = Code {
    id: "ir-baked",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "Waves, three angles or states of states have no counterpart in the format that is \
              written.",
    example: "a sine about the y axis",
    action: "They become keys, close enough for straight lines between them to stay within a \
             stated part of what moves.",
};

impl Scene {
    /// The scene with translations, rotations and scales as keys, for formats that have nothing
    /// else: a clip for each state of its machines, from 0 s to the end of its clip or of one
    /// round. Where it has nothing else already, it is as it is.
    ///
    /// # Errors
    ///
    /// [`LimitError`] where that takes more moments than the limits allow.
    pub fn baked(&self, options: &Bake) -> Result<Converted<Cow<'_, Scene>>, LimitError> {
        let has_more = |timeline: &Timeline| timeline.tracks().iter().any(is_not_plain);
        let to_bake: Vec<bool> = self.timelines.iter().map(has_more).collect();
        let states = || self.machines.iter().flat_map(|machine| &machine.states);
        let sequences = states().any(|state| matches!(state.motion, Motion::Sequence(_)));
        let mut losses = Diagnostics::new();
        if !sequences && !to_bake.contains(&true) {
            return Ok(Converted { value: Cow::Borrowed(self), losses });
        }
        let needs_keys = |timeline: TimelineId| to_bake.get(timeline.index());
        let mut baker = Baker::new(self, options);
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
        let clips = made.len();
        let mut keys = 0_usize;
        for (clip, timeline) in made {
            keys = keys.saturating_add(timeline.key_count());
            let timeline = scene.add_timeline(timeline);
            if let Some(clip) = scene.clip_mut(clip) {
                clip.timeline = timeline;
            }
        }
        scene.forget_timelines(|timeline| needs_keys(timeline) != Some(&false));
        losses.push(&BAKED, None, || {
            let (clips, keys) = (plural(clips, "clip"), plural(keys, "key"));
            let part = options.tolerance * 100.0;
            format!("{clips} made of waves or states: {keys}, within {part} % of what moves")
        });
        Ok(Converted { value: Cow::Owned(scene), losses })
    }

    /// Leaves nothing of what is played but one thing: a clip as it is, a state that plays a clip
    /// as that clip, and a sequence as a clip of one round.
    ///
    /// # Errors
    ///
    /// [`LimitError`] where the keys of a sequence take more moments than the limits allow; the
    /// scene is then as it was.
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
                let (clip, timeline) = Baker::new(self, options).sequence(machine, sequence)?;
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

    /// What writers of formats with axes of their own and nothing but keys start from:
    /// [`Scene::in_axes`], then [`Scene::baked`]. The scene must be valid.
    ///
    /// # Errors
    ///
    /// As [`Scene::baked`].
    pub fn in_keys(
        &self,
        axes: Axes,
        options: &Bake,
    ) -> Result<Converted<Cow<'_, Scene>>, LimitError> {
        match self.in_axes(axes) {
            Cow::Borrowed(scene) => scene.baked(options),
            Cow::Owned(turned) => {
                let Converted { value, losses } = turned.baked(options)?;
                let baked = if let Cow::Owned(baked) = value { Some(baked) } else { None };
                Ok(Converted { value: Cow::Owned(baked.unwrap_or(turned)), losses })
            }
        }
    }
}
