//! Writing arbitrary scenes.

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{
    Axes, Camera, Clip, Image, JointRef, NoFiles, Quat, Scene, Transform, Vec3, Wrap, validate,
};
use anim_formats::{AnyDocument, Format, convert};

use crate::{assert_printable, comparison, played, settings, written};

#[path = "../../crates/anim-gltf/tests/it/scenes.rs"]
#[allow(dead_code, reason = "not all scenes and parts are used")]
mod handwritten;

/// The most changes to a scene.
const CHANGES: usize = 24;

/// Makes a scene, changes it, and writes it. The bytes determine all three.
pub fn exercise(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let formats: Vec<Format> = Format::writable().collect();
    let to = formats[bytes.below(formats.len())];
    let scene = any(&mut bytes);
    let mut changed = scene.clone();
    for _ in 0..CHANGES {
        if !bytes.0.is_empty() {
            change(&mut changed, &mut bytes);
        }
    }
    if !validate(&changed).is_empty() {
        // Invalid scenes are rejected, or written as well as possible.
        if let Err(error) = convert(&changed, to, &settings(), "name") {
            assert_printable(&error.to_string());
        }
        return;
    }
    played::exercise(&changed);
    comparison::equals_itself(&changed);
    comparison::both_ways(&scene, &changed);
    written::exercise(&changed, to, &settings(), None);
}

fn any(bytes: &mut Bytes<'_>) -> Scene {
    let kind = bytes.below(10);
    let seed = u64::from(bytes.next()) << 8 | u64::from(bytes.next());
    match kind {
        6 | 7 => handwritten::waving(),
        8 | 9 => handwritten::sheared([bytes.finite(), bytes.finite(), 1.0]),
        _ => {
            let (format, file) = test_oracle::random_file(kind, seed);
            let format = format.parse().expect("a format of this project");
            let settings = settings();
            let document = AnyDocument::parse(&file[..], format, &settings);
            let document = document.expect("generated files can be read").value;
            let mut context = Context { name: "name", files: &mut NoFiles, settings: &settings };
            document.to_scene(&mut context).value
        }
    }
}

/// Choices made by the fuzzer; zeros after the last.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn below(&mut self, end: usize) -> usize {
        usize::from(self.next()) % end
    }

    /// Returns an item, if there are any.
    fn of<'i, T>(&mut self, items: &'i mut [T]) -> Option<&'i mut T> {
        let count = items.len();
        items.get_mut(self.below(count.max(1)))
    }

    fn number(&mut self) -> f32 {
        const UNUSUAL: [f32; 8] = [0.0, -0.0, 1e-30, -1e-6, 1e9, -3.0e38, f32::INFINITY, f32::NAN];
        match self.next() {
            choice @ 0..8 => UNUSUAL[usize::from(choice)],
            choice => (f32::from(choice) - 128.0) / 16.0,
        }
    }

    fn finite(&mut self) -> f32 {
        let number = self.number();
        if number.is_finite() { number } else { 1.0 }
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    /// Returns a name that formats may not be able to store, or may read as something else.
    fn name(&mut self) -> String {
        const NAMES: [&str; 24] = [
            "", "a", "a", "b", "B", " ", "a b", "End Site", "SINGLE", "{x}", "}", "#", "\"", "<&>",
            "a/b", "../a", "%20", "\\", "\n", "\0", "\u{e9}", "1 0 0 0", "nan", "-1",
        ];
        NAMES[self.below(NAMES.len())].to_owned()
    }

    fn transform(&mut self) -> Transform {
        let rotation = Quat::new(self.number(), self.number(), self.number(), 1.0);
        Transform {
            translation: self.vector(),
            rotation: rotation.normalized(),
            scale: if self.below(2) == 0 { Vec3::ONE } else { self.vector() },
        }
    }
}

fn change(scene: &mut Scene, bytes: &mut Bytes<'_>) {
    match bytes.below(8) {
        0 => change_skeleton(scene, bytes),
        1 => change_clip(scene, bytes),
        2 => change_mesh(scene, bytes),
        3 => change_material(scene, bytes),
        4 => change_node(scene, bytes),
        5 => scene.axes = if bytes.below(2) == 0 { Axes::YUp } else { Axes::YDown },
        6 => {
            scene.cameras.push(Camera::new(bytes.name(), bytes.number()));
            scene.images.push(Image::at(bytes.name()));
        }
        _ => {
            scene.extras.insert(bytes.name(), bytes.number().into());
        }
    }
}

fn change_skeleton(scene: &mut Scene, bytes: &mut Bytes<'_>) {
    let Some(skeleton) = bytes.of(&mut scene.skeletons) else { return };
    match bytes.below(6) {
        0 => skeleton.name = bytes.name(),
        1 => skeleton.bones = !skeleton.bones,
        what => {
            let Some(joint) = bytes.of(&mut skeleton.joints) else { return };
            match what {
                2 => joint.rest = bytes.transform(),
                3 => joint.visible = !joint.visible,
                _ => joint.name = bytes.name(),
            }
        }
    }
}

fn change_clip(scene: &mut Scene, bytes: &mut Bytes<'_>) {
    let Some(clip) = bytes.of(&mut scene.clips) else { return };
    match bytes.below(6) {
        0 => clip.start = bytes.number(),
        1 => clip.end = bytes.number(),
        2 => clip.wrap = [Wrap::Once, Wrap::Loop, Wrap::PingPong][bytes.below(3)],
        3 => clip.group = Some(bytes.name()),
        4 => clip.name = bytes.name(),
        _ => {
            let copy = Clip { name: bytes.name(), ..clip.clone() };
            scene.clips.push(copy);
        }
    }
}

fn change_mesh(scene: &mut Scene, bytes: &mut Bytes<'_>) {
    let Some(mesh) = bytes.of(&mut scene.meshes) else { return };
    let count = mesh.positions.len();
    match bytes.below(8) {
        0 => mesh.name = bytes.name(),
        1 => mesh.positions.iter_mut().take(1).for_each(|position| *position = bytes.vector()),
        2 => mesh.normals = vec![bytes.vector(); count],
        3 => mesh.texcoords = vec![[bytes.number(), bytes.number()]; count],
        4 => mesh.colors = vec![[bytes.number(), 0.5, 1.0, bytes.number()]; count],
        5 => mesh.morph_weights.iter_mut().for_each(|weight| *weight = bytes.number()),
        6 => {
            let weight = bytes.below(mesh.influences.weights.len().max(1));
            if let Some(weight) = mesh.influences.weights.get_mut(weight) {
                *weight = bytes.number();
            }
        }
        _ => {
            let Some(primitive) = bytes.of(&mut mesh.primitives) else { return };
            let index = bytes.below(primitive.indices.len().max(1));
            if let Some(index) = primitive.indices.get_mut(index) {
                *index = u32::from(bytes.next());
            }
        }
    }
}

fn change_material(scene: &mut Scene, bytes: &mut Bytes<'_>) {
    let images = scene.images.len();
    let Some(material) = bytes.of(&mut scene.materials) else { return };
    match bytes.below(7) {
        0 => material.name = bytes.name(),
        1 => material.base_color = [bytes.number(), bytes.number(), 0.5, bytes.number()],
        2 => material.emissive = [bytes.number(), 0.0, bytes.number()],
        3 => (material.metallic, material.roughness) = (bytes.number(), bytes.number()),
        4 => material.double_sided = !material.double_sided,
        5 => material.unlit = !material.unlit,
        _ => {
            let image = bytes.below(images.max(1));
            material.base_color_image = Some(anim_formats::anim_ir::ImageId::new(image));
        }
    }
}

fn change_node(scene: &mut Scene, bytes: &mut Bytes<'_>) {
    let parent = JointRef {
        skeleton: anim_formats::anim_ir::SkeletonId::new(bytes.below(2)),
        joint: anim_formats::anim_ir::JointId::new(bytes.below(4)),
    };
    let Some(node) = bytes.of(&mut scene.nodes) else { return };
    match bytes.below(5) {
        0 => node.name = bytes.name(),
        1 => node.transform = bytes.transform(),
        2 => node.parent = Some(parent).filter(|_| bytes.below(3) > 0),
        3 => node.skin = None,
        _ => {
            let copy = node.clone();
            scene.nodes.push(copy);
        }
    }
}
