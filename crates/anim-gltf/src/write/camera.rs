//! Cameras.

use std::borrow::Cow;
use std::f32::consts::PI;

use anim_ir::diag::quote;
use anim_ir::{Camera, Diagnostics, Scene};

use crate::codes;
use crate::json;
use crate::write::extras::extras;

/// Minimum field of view in radians and minimum near plane distance, since glTF requires both to be
/// greater than 0. The field of view is also at least this much less than π.
const LEAST: f32 = 1e-4;

/// Returns the cameras of the glTF file, in scene order.
pub(crate) fn plan<'a>(scene: &'a Scene, losses: &mut Diagnostics) -> Vec<json::Camera<'a>> {
    scene.cameras.iter().map(|camera| plan_camera(camera, losses)).collect()
}

fn plan_camera<'a>(camera: &'a Camera, losses: &mut Diagnostics) -> json::Camera<'a> {
    let yfov = camera.vertical_fov.clamp(LEAST, PI - LEAST);
    let znear = camera.near.max(LEAST);
    let aspect_ratio = camera.aspect.filter(|aspect| *aspect > 0.0);
    let zfar = camera.far.filter(|far| *far > znear);
    let kept = (yfov, znear, aspect_ratio, zfar)
        == (camera.vertical_fov, camera.near, camera.aspect, camera.far);
    if !kept {
        losses.push(&codes::CAMERA, None, || {
            format!("camera {} has invalid parameters", quote(camera.name.as_bytes()))
        });
    }
    json::Camera {
        name: Cow::Borrowed(&camera.name),
        perspective: Some(json::Perspective { aspect_ratio, yfov, zfar, znear }),
        kind: "perspective",
        extras: extras(&camera.extras, Vec::new(), losses, || {
            format!("camera {}", quote(camera.name.as_bytes()))
        }),
    }
}
