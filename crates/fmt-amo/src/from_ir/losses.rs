//! What the format cannot say.

use anim_ir::diag::{escape, plural};
use anim_ir::{
    Channel, Clip, Curve, Diagnostic, Interpolation, Material, Mesh, Timeline, Track, Value, Wrap,
};

use crate::codes;
use crate::from_ir::conversion::Conversion;

impl Conversion<'_> {
    pub(crate) fn clip_losses(&mut self, clip: &Clip, timeline: &Timeline) {
        let name = escape(&clip.name);
        let mut note = |code, lost: bool, message: String| {
            if lost {
                self.losses.report(code, || Diagnostic::new(code, None, message));
            }
        };
        let tracks = || {
            let is_used = |track: &&Track| track.joint().is_some_and(|joint| clip.has_joint(joint));
            timeline.tracks().iter().filter(is_used)
        };
        let scales = |track: &Track| {
            track.channel == Channel::Scale
                && timeline
                    .keys(track)
                    .values()
                    .any(|value| value.iter().any(|factor| *factor != 1.0))
        };
        note(&codes::LOSS_SCALE, tracks().any(scales), format!("animation `{name}` scales joints"));
        let smooth = |track: &Track| {
            matches!(track.curve, Curve::Keys { .. })
                && timeline.keys(track).interpolation != Interpolation::Linear
        };
        note(
            &codes::LOSS_INTERPOLATION,
            tracks().any(smooth),
            format!("animation `{name}` has step or cubic keys"),
        );
        let morphs = timeline.tracks().iter().any(|track| track.channel == Channel::MorphWeights);
        note(&codes::LOSS_MORPH, morphs, format!("animation `{name}` moves morph targets"));
        let events = timeline.events_in(clip).count();
        note(
            &codes::LOSS_EVENTS,
            events > 0,
            format!("animation `{name}` has {}", plural(events, "event")),
        );
        note(
            &codes::LOSS_WRAP,
            !matches!(clip.wrap, Wrap::Unspecified | Wrap::Once),
            format!("animation `{name}` repeats ({})", clip.wrap.name()),
        );
        let window =
            timeline.range().is_some_and(|(start, end)| start < clip.start || end > clip.end);
        note(
            &codes::LOSS_WINDOW,
            window,
            format!("animation `{name}` is a part of a longer timeline"),
        );
    }

    pub(crate) fn mesh_losses(&mut self, mesh: &Mesh) {
        let name = escape(&mesh.name);
        if !mesh.colors.is_empty() {
            self.losses
                .push(&codes::LOSS_COLORS, None, || format!("mesh `{name}` has vertex colours"));
        }
        if !mesh.morph_targets.is_empty() {
            self.losses.push(&codes::LOSS_MORPH, None, || {
                format!("mesh `{name}` has {}", plural(mesh.morph_targets.len(), "morph target"))
            });
        }
    }

    pub(crate) fn scene_losses(&mut self) {
        let joints = self.scene.skeletons.iter().flat_map(|skeleton| &skeleton.joints);
        let mut tracks = self.scene.timelines.iter().flat_map(|timeline| timeline.tracks());
        if joints.clone().any(|joint| !joint.visible)
            || tracks.any(|track| track.channel == Channel::Visibility)
        {
            self.losses.push(&codes::LOSS_VISIBILITY, None, || {
                "what is hidden at times is seen at all times".to_owned()
            });
        }
        if !self.scene.cameras.is_empty() {
            self.losses.push(&codes::LOSS_CAMERA, None, || {
                format!("{} left out", plural(self.scene.cameras.len(), "camera"))
            });
        }
        let plain = |material: &Material| *material == Material::new(&material.name);
        let materials = self.scene.materials.iter().filter(|material| !plain(material)).count();
        if materials > 0 {
            self.losses.push(&codes::LOSS_MATERIAL, None, || {
                format!("{} of which only the name is kept", plural(materials, "material"))
            });
        }
        let known = |value: &Value| match value {
            Value::Map(map) => map.keys().all(|key| key == "dialect"),
            _ => false,
        };
        if !self.scene.all_extras().all(|extras| extras.values().all(known)) {
            self.losses.push(&codes::LOSS_EXTRAS, None, || {
                "extras of the source format are left out".to_owned()
            });
        }
    }
}
