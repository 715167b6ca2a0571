//! Cameras.

use anim_ir::{Camera, CameraId};

use crate::codes;
use crate::json;
use crate::read::source::Source;

/// Returns the cameras of the scene and, for each camera of the file, its index in the scene. The
/// index is `None` if the camera was dropped.
pub(crate) fn read(source: &mut Source<'_>) -> (Vec<Camera>, Vec<Option<CameraId>>) {
    let (mut cameras, mut number_of) = (Vec::new(), Vec::new());
    for (number, json) in source.root.cameras.iter().enumerate() {
        let camera = read_camera(json);
        if camera.is_none() {
            let what = if json.perspective.is_none() {
                "not a perspective camera"
            } else {
                "invalid parameters"
            };
            source.found.push(&codes::CAMERA_KIND, None, || format!("/cameras/{number}: {what}"));
        }
        if let (Some(camera), Some(given)) = (&camera, &json.perspective)
            && (camera.aspect, camera.far) != (given.aspect_ratio, given.zfar)
        {
            source.found.push(&codes::CAMERA, None, || {
                format!("/cameras/{number}: the aspect ratio or far plane is invalid")
            });
        }
        number_of.push(camera.is_some().then_some(CameraId::new(cameras.len())));
        cameras.extend(camera);
    }
    (cameras, number_of)
}

fn read_camera(json: &json::Camera<'_>) -> Option<Camera> {
    let perspective = json.perspective.as_ref()?;
    let positive = |number: f32| number > 0.0 && number.is_finite();
    let sound = positive(perspective.yfov)
        && perspective.yfov < std::f32::consts::PI
        && positive(perspective.znear);
    sound.then(|| Camera {
        name: json.name.clone().into_owned(),
        vertical_fov: perspective.yfov,
        aspect: perspective.aspect_ratio.filter(|aspect| positive(*aspect)),
        near: perspective.znear,
        far: perspective.zfar.filter(|far| far.is_finite() && *far > perspective.znear),
        extras: json.extras.own.clone().into_owned(),
    })
}
