//! Conversion from camera animations to scenes.

use std::f64::consts::TAU;

use anim_ir::diag::plural;
use anim_ir::{
    Axes, Camera, Channel, Clip, Converted, Diagnostics, EulerOrder, Interpolation, Joint,
    JointRef, Node, Quat, Scene, Skeleton, SkeletonId, Target, TimeBase, TimelineBuilder,
    TimelineError, Transform, Value,
};

use crate::camera::{CameraDocument, CameraKey};
use crate::codes;
use crate::options::{CameraToIr, asked_rate, positive, scaled};
use crate::times::Times;

/// Aspect ratio of the image, which the PlayStation draws for a television.
const ASPECT: f32 = 4.0 / 3.0;
/// 180°, the exclusive upper bound of a field of view.
const HALF_TURN: i16 = 2048;

/// Converts a document to a camera attached to a joint that moves in steps, frame by frame.
///
/// The camera looks from `eye` to `look_at` and is upright (its right axis is level) except for the
/// roll, which rotates it about its viewing direction. When it looks straight up or down, its right
/// axis is +x. If `eye` and `look_at` coincide, it keeps the direction of the previous frame, or
/// looks into the screen in the first frame.
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
                "the field of view changes between {} and {} (4096 is 360°)",
                least.unwrap_or(0),
                most.unwrap_or(0)
            )
        });
        let values = keys.iter().map(|key| f64::from(key.fov)).collect();
        clip.extras.insert("tmd_anc".to_owned(), Value::from([("fov", values)]));
    }
    let unknown = document.trailing().len();
    losses.lost(&codes::CAMERA_LOSS_UNKNOWN, unknown > 0, || {
        format!("{} outside of records", plural(unknown, "byte"))
    });
    let mut skeleton = Skeleton::nodes("camera");
    // The rest pose is the camera's pose in the first frame, so that clips that do not animate the
    // camera show it there.
    let rest = keys.first().map_or(Transform::IDENTITY, |first| {
        let mut direction = Direction::default();
        direction.look(first);
        let translation = first.eye.map(|number| scaled(number, f64::from(unit))).into();
        Transform { translation, rotation: direction.rotation(first.roll), ..Transform::IDENTITY }
    });
    let joint = skeleton.add_joint(Joint { rest, ..Joint::new("camera", None) });
    // Cannot fail: times ascend, numbers are finite, and each property is only added once.
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
                "the field of view is {}, but must be greater than 0 and less than 2048 (4096 is \
                 360°); {fov} is used instead",
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

/// Adds a key for each frame, and repeats the last key at the end, since players end a clip at its
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
        // If f32 cannot distinguish two times, the first one is kept.
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

/// The viewing direction of a camera: angles in radians about x and then y, relative to looking
/// into the screen.
#[derive(Clone, Copy, Debug, Default)]
struct Direction {
    about_x: f64,
    about_y: f64,
}

impl Direction {
    /// Turns towards the point that the camera looks at. Keeps the direction if that point is the
    /// camera's own position.
    fn look(&mut self, key: &CameraKey) {
        let (eye, look_at) = (key.eye.map(f64::from), key.look_at.map(f64::from));
        let [x, y, z] = [look_at[0] - eye[0], look_at[1] - eye[1], look_at[2] - eye[2]];
        if [x, y, z] != [0.0; 3] {
            // Rotation about x maps z to -y, rotation about y maps z to x.
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
