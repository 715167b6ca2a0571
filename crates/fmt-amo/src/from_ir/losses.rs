//! Reports what the format cannot store.

use anim_ir::diag::{escape, plural};
use anim_ir::{
    Channel, Clip, Curve, Interpolation, Mat4, Material, Mesh, Timeline, Track, Value, Wrap,
};

use crate::codes;
use crate::from_ir::Conversion;

impl Conversion<'_> {
    pub(crate) fn clip_losses(&mut self, clip: &Clip, timeline: &Timeline) {
        let name = escape(&clip.name);
        let losses = &mut self.losses;
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
        losses.lost(&codes::LOSS_SCALE, tracks().any(scales), || {
            format!("animation `{name}` scales joints")
        });
        let smooth = |track: &Track| {
            matches!(track.curve, Curve::Keys { .. })
                && timeline.keys(track).interpolation != Interpolation::Linear
        };
        losses.lost(&codes::LOSS_INTERPOLATION, tracks().any(smooth), || {
            format!("animation `{name}` has step or cubic keys")
        });
        let morphs = timeline.tracks().iter().any(|track| track.channel == Channel::MorphWeights);
        losses.lost(&codes::LOSS_MORPH, morphs, || {
            format!("animation `{name}` has animated morph targets")
        });
        let events = self.events.count_in(clip);
        losses.lost(&codes::LOSS_EVENTS, events > 0, || {
            format!("animation `{name}` has {}", plural(events, "event"))
        });
        let repeats = !matches!(clip.wrap, Wrap::Unspecified | Wrap::Once);
        losses.lost(&codes::LOSS_WRAP, repeats, || {
            format!("animation `{name}` repeats ({})", clip.wrap.name())
        });
        let window =
            timeline.range().is_some_and(|(start, end)| start < clip.start || end > clip.end);
        losses.lost(&codes::LOSS_WINDOW, window, || {
            format!("animation `{name}` is part of a longer timeline")
        });
    }

    pub(crate) fn mesh_losses(&mut self, mesh: &Mesh) {
        let name = escape(&mesh.name);
        self.losses.lost(&codes::LOSS_COLORS, !mesh.colors.is_empty(), || {
            format!("mesh `{name}` has vertex colours")
        });
        let morphs = mesh.morph_targets.len();
        self.losses.lost(&codes::LOSS_MORPH, morphs > 0, || {
            format!("mesh `{name}` has {}", plural(morphs, "morph target"))
        });
    }

    pub(crate) fn scene_losses(&mut self) {
        let joints = self.scene.skeletons.iter().flat_map(|skeleton| &skeleton.joints);
        let mut tracks = self.scene.timelines.iter().flat_map(|timeline| timeline.tracks());
        let hides = joints.clone().any(|joint| !joint.visible)
            || tracks.any(|track| track.channel == Channel::Visibility);
        self.losses.lost(&codes::LOSS_VISIBILITY, hides, || {
            "hidden objects are written as visible".to_owned()
        });
        let moved =
            joints.filter(|joint| !joint.rest.to_matrix().is_near(Mat4::IDENTITY, 1e-6)).count();
        self.losses.lost(&codes::LOSS_REST, moved > 0, || {
            format!("{} not at the origin at rest", plural(moved, "joint"))
        });
        let cameras = self.scene.cameras.len();
        self.losses.lost(&codes::LOSS_CAMERA, cameras > 0, || {
            format!("{} dropped", plural(cameras, "camera"))
        });
        let plain = |material: &Material| *material == Material::new(&material.name);
        let materials = self.scene.materials.iter().filter(|material| !plain(material)).count();
        self.losses.lost(&codes::LOSS_MATERIAL, materials > 0, || {
            format!("{} written by name only", plural(materials, "material"))
        });
        let known = |value: &Value| match value {
            Value::Map(map) => map.keys().all(|key| key == "dialect"),
            _ => false,
        };
        let extras = self.scene.all_extras().filter(|extras| !extras.values().all(known));
        self.losses.lost_extras(&codes::LOSS_EXTRAS, extras.count());
    }
}
