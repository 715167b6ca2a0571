//! The flight of a camera to a scene.

use std::f64::consts::TAU;

use anim_ir::diag::plural;
use anim_ir::{
    Axes, Camera, Channel, Clip, Converted, Diagnostics, EulerOrder, Interpolation, Joint,
    JointRef, Node, Quat, Scene, Skeleton, SkeletonId, Target, TimeBase, TimelineBuilder,
    TimelineError, Transform, Value,
};

use crate::camera::{CameraDocument, CameraKey};
use crate::codes;
use crate::options::CameraToIr;
use crate::to_ir::{Times, asked_rate, positive, scaled};

/// The PlayStation draws for a television.
const ASPECT: f32 = 4.0 / 3.0;
/// Half a turn, of which a field of view is less.
const HALF_TURN: i16 = 2048;

/// A camera on a joint that moves in steps, from frame to frame.
///
/// It looks from the eye to the point and is upright (its right side level) but for the roll, which
/// turns it about the direction it looks in. Looking straight up or down, its right side is +x.
/// Where eye and point are one, it looks in the direction of the frame before, at first into the
/// screen.
pub fn camera_to_ir(document: &CameraDocument<'_>, options: &CameraToIr) -> Converted<Scene> {
    let mut losses = Diagnostics::new();
    let per_second = asked_rate(options.frames_per_second).unwrap_or(document.frames_per_second());
    let unit = positive(Some(options.unit)).unwrap_or(1.0);
    let keys: Vec<CameraKey> = document.keys().collect();
    let mut times = Times::default();
    keys.iter().for_each(|_| times.add_frame(per_second));
    let mut builder =
        TimelineBuilder::new(&options.name).with_time_base(TimeBase::Frames { per_second });
    let mut clip = Clip { name: options.name.clone(), end: times.end(), ..Clip::default() };
    if keys.iter().zip(keys.iter().skip(1)).any(|(a, b)| a.fov != b.fov) {
        losses.push(&codes::LOSS_FOV, None, || {
            let (least, most) =
                (keys.iter().map(|key| key.fov).min(), keys.iter().map(|key| key.fov).max());
            format!(
                "the field of view changes between {} and {} 4096ths of a turn",
                least.unwrap_or(0),
                most.unwrap_or(0)
            )
        });
        let values = keys.iter().map(|key| f64::from(key.fov)).collect();
        clip.extras.insert("tmd_anc".to_owned(), Value::from([("fov", values)]));
    }
    let unknown = document.trailing().len();
    losses.lost(&codes::CAMERA_LOSS_UNKNOWN, unknown > 0, || {
        format!("{} in no record", plural(unknown, "byte"))
    });
    let mut skeleton = Skeleton::nodes("camera");
    // At rest it stands where it starts: clips of other things show it there.
    let rest = keys.first().map_or(Transform::IDENTITY, |first| {
        let mut direction = Direction::default();
        direction.look(first);
        let translation = first.eye.map(|number| scaled(number, f64::from(unit))).into();
        Transform { translation, rotation: direction.rotation(first.roll), ..Transform::IDENTITY }
    });
    let joint = skeleton.add_joint(Joint { rest, ..Joint::new("camera", None) });
    // Times ascend, numbers are finite and no property comes twice.
    let added = add_tracks(&mut builder, joint.into(), &keys, &times, unit);
    debug_assert_eq!(added, Ok(()));
    let mut scene = Scene {
        name: options.name.clone(),
        axes: Axes::YDown,
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips: vec![clip],
        ..Scene::default()
    };
    if let Some(first) = keys.first() {
        let camera = Some(scene.add_camera(camera(*first, unit, &mut losses)));
        let parent = Some(JointRef { skeleton: SkeletonId::default(), joint });
        scene.add_node(Node { name: "camera".to_owned(), parent, camera, ..Node::default() });
    }
    Converted { value: scene, losses }
}

fn camera(first: CameraKey, unit: f32, losses: &mut Diagnostics) -> Camera {
    let fov = first.fov.clamp(1, HALF_TURN - 1);
    if fov != first.fov {
        losses.push(&codes::CAMERA_FOV, None, || {
            format!(
                "the field of view is {} 4096ths of a turn, {fov} is taken: it is between 0 \
                     and half a turn",
                first.fov
            )
        });
    }
    Camera {
        aspect: Some(ASPECT),
        near: unit,
        ..Camera::new("camera", anim_ir::number::narrow(f64::from(fov) * TAU / 4096.0))
    }
}

/// A row for each frame, and at the end the last one once more, since players end a clip at its
/// last key.
fn add_tracks(
    builder: &mut TimelineBuilder,
    camera: Target,
    keys: &[CameraKey],
    times: &Times,
    unit: f32,
) -> Result<(), TimelineError> {
    let (mut moments, mut eyes, mut turns) = (Vec::new(), Vec::new(), Vec::new());
    let mut direction = Direction::default();
    let frames = keys.iter().enumerate().map(|(frame, key)| (times.at(frame), key));
    for (time, key) in frames.chain(keys.last().map(|key| (times.end(), key))) {
        // Of moments that f32 cannot tell apart the first one counts.
        if moments.last().is_some_and(|last| time <= *last) {
            continue;
        }
        direction.look(key);
        moments.push(time);
        eyes.extend(key.eye.map(|number| scaled(number, f64::from(unit))));
        turns.extend(direction.rotation(key.roll).to_array());
    }
    if moments.is_empty() {
        return Ok(());
    }
    builder.keys(camera, Channel::Translation, Interpolation::Step, &moments, &eyes)?;
    builder.keys(camera, Channel::Rotation, Interpolation::Step, &moments, &turns)
}

/// Where a camera looks: how far it is turned about x and then about y, in radians, from looking
/// into the screen.
#[derive(Clone, Copy, Debug, Default)]
struct Direction {
    about_x: f64,
    about_y: f64,
}

impl Direction {
    /// Keeps the direction where eye and point are one.
    fn look(&mut self, key: &CameraKey) {
        let (eye, look_at) = (key.eye.map(f64::from), key.look_at.map(f64::from));
        let [x, y, z] = [look_at[0] - eye[0], look_at[1] - eye[1], look_at[2] - eye[2]];
        if [x, y, z] != [0.0; 3] {
            // Turning about x takes z to -y, turning about y takes z to x.
            *self = Direction { about_x: (-y).atan2(x.hypot(z)), about_y: x.atan2(z) };
        }
    }

    fn rotation(self, roll: i16) -> Quat {
        Quat::from_euler(
            [self.about_x, self.about_y, f64::from(roll) * TAU / 4096.0],
            EulerOrder::Yxz,
        )
    }
}
