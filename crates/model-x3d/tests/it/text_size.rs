//! What the text of a scene is charged.

use anim_ir::format::Write as _;
use anim_ir::{
    Bake, Channel, Clip, Joint, Limits, Scene, Skeleton, TimelineBuilder, Wave, WaveShape,
};
use model_x3d::{FromIr, X3d, from_ir};

/// A joint that swings for a hundred seconds, which takes 10,000 keys.
fn swinging() -> Scene {
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::new("");
    let joint = skeleton.add_joint(Joint::new("pendulum", None));
    let skeleton = scene.add_skeleton(skeleton);
    let mut builder = TimelineBuilder::new("").with_skeleton(skeleton);
    let end = [1.0, 2.0, 3.0];
    let wave = Wave { shape: WaveShape::Sine, end, period: 1.0, ..Wave::default() };
    builder.wave(joint.into(), Channel::Translation, wave).unwrap();
    let timeline = scene.add_timeline(builder.finish());
    scene.add_clip(Clip { name: "swing".into(), timeline, end: 100.0, ..Clip::default() });
    scene
}

/// Returns the memory with which a scene can be converted to nodes, written, and written with
/// compression, to within 1 kB, and the length of the text.
fn needed(scene: &Scene) -> ([usize; 3], usize) {
    let options = |memory: usize, gzip: bool| {
        let limits = Limits { memory: Some(memory), ..Limits::default() };
        FromIr::default().with_gzip(gzip).with_limits(limits)
    };
    let least = |is_enough: &dyn Fn(usize) -> bool| {
        let (mut low, mut high) = (0, 64 << 20);
        while high - low > 1000 {
            let middle = (low + high) / 2;
            *if is_enough(middle) { &mut high } else { &mut low } = middle;
        }
        high
    };
    let write = |memory, gzip| X3d::from_ir(scene, &options(memory, gzip), "");
    let needed = [
        least(&|memory| from_ir(scene, &options(memory, false)).is_ok()),
        least(&|memory| write(memory, false).is_ok()),
        least(&|memory| write(memory, true).is_ok()),
    ];
    (needed, write(usize::MAX, false).unwrap().value.main.len())
}

/// An operation may take half of the memory. Compressing a byte takes twice as long as
/// formatting it.
#[test]
fn the_text_of_sampled_keys_is_charged() {
    let ([nodes, text, compressed], length) = needed(&swinging());
    assert!(length > 400_000);
    assert!((2 * length..3 * length).contains(&(text - nodes)), "{nodes} {text} {length}");
    let compression = compressed - text;
    assert!((7 * length / 2..4 * length).contains(&compression), "{text} {compressed} {length}");
}

#[test]
fn a_scene_pays_for_the_text_of_its_keys() {
    let baked = swinging().baked(&Bake::default()).unwrap().value.into_owned();
    let ([nodes, text, compressed], length) = needed(&baked);
    assert!(length > 400_000);
    assert_eq!([text, compressed], [nodes; 2]);
}
