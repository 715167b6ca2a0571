//! Cameras.

use anim_ir::{Axes, Mat4, Scene, UpAxis, Vec3, double};

use crate::View;

/// The vertical field of view of framed cameras.
const FOV: f64 = 35.0;
/// The part of the picture that a framed scene may fill.
const FILLED: f64 = 0.9;

/// A perspective camera in scene space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The axes of the picture in scene space: right, up, towards the viewer.
    axes: [[f64; 3]; 3],
    eye: [f64; 3],
    /// The tangent of half the vertical field of view.
    tangent: f64,
    pub(crate) near: f64,
    pub(crate) far: Option<f64>,
}

impl Camera {
    /// Creates a camera at a point that looks at another one. `up` points up in the picture. The
    /// vertical field of view is in radians, and `near` is the distance of the near plane. If
    /// the points coincide, or `up` is parallel to the view, another direction is used.
    pub fn looking_at(eye: Vec3, target: Vec3, up: Vec3, vertical_fov: f64, near: f64) -> Camera {
        let [eye, target, up] = [eye, target, up].map(Vec3::to_f64);
        let back = double::unit(subtract(eye, target)).unwrap_or([0.0, 0.0, 1.0]);
        let aside = |up| double::unit(double::cross(up, back));
        let right = aside(up)
            .or_else(|| aside([0.0, 1.0, 0.0]))
            .or_else(|| aside([1.0, 0.0, 0.0]))
            .unwrap_or([1.0, 0.0, 0.0]);
        let axes = [right, double::cross(back, right), back];
        Camera { axes, eye, tangent: tangent_of(vertical_fov), near: positive(near), far: None }
    }

    /// Creates the camera of a node with this matrix. Returns `None` if the matrix has no inverse.
    pub(crate) fn of_node(camera: &anim_ir::Camera, place: Mat4, axes: Axes) -> Option<Camera> {
        // Cameras are not scaled.
        let column = |axis| double::unit(place.transform_vector(axis).to_f64());
        let right = column(Vec3::new(1.0, 0.0, 0.0))?;
        let (y, z) = (column(Vec3::new(0.0, 1.0, 0.0))?, column(Vec3::new(0.0, 0.0, 1.0))?);
        let axes = match axes {
            Axes::YDown => [right, y.map(|c| -c), z.map(|c| -c)],
            _ => [right, y, z],
        };
        let eye = place.transform_point(Vec3::ZERO);
        Some(Camera {
            axes,
            eye: eye.is_finite().then(|| eye.to_f64())?,
            tangent: tangent_of(camera.vertical_fov.into()),
            near: positive(camera.near.into()),
            far: camera.far.map(f64::from).filter(|far| far.is_finite()),
        })
    }

    /// Transforms a point to camera space: x right, y up, z towards the viewer.
    pub(crate) fn to_view(self, point: Vec3) -> [f64; 3] {
        self.turn(subtract(point.to_f64(), self.eye))
    }

    /// Transforms a direction to camera space.
    pub(crate) fn turn(self, direction: [f64; 3]) -> [f64; 3] {
        self.axes.map(|axis| double::dot(axis, direction))
    }

    /// Returns the factors from view coordinates at distance 1 to the range -1 to 1 of the picture.
    pub(crate) fn factors(self, (width, height): (u32, u32)) -> [f64; 2] {
        let aspect = f64::from(width.max(1)) / f64::from(height.max(1));
        [1.0 / (self.tangent * aspect), 1.0 / self.tangent]
    }
}

fn tangent_of(vertical_fov: f64) -> f64 {
    let fov = if vertical_fov.is_finite() { vertical_fov } else { std::f64::consts::FRAC_PI_2 };
    (fov.clamp(1e-3, std::f64::consts::PI - 1e-3) / 2.0).tan()
}

fn positive(near: f64) -> f64 {
    if near.is_finite() && near > 0.0 { near.max(1e-9) } else { 1e-3 }
}

/// The directions of a scene: up, to the front, to the right of the viewer in front of it.
pub(crate) fn directions(scene: &Scene) -> [[f64; 3]; 3] {
    let (up, front) = match scene.guess_up().axis {
        UpAxis::Y => ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0]),
        UpAxis::Z => ([0.0, 0.0, 1.0], [0.0, -1.0, 0.0]),
        UpAxis::MinusY => ([0.0, -1.0, 0.0], [0.0, 0.0, -1.0]),
    };
    [up, front, double::cross(up, front)]
}

/// Finds the nearest place of a camera from which all points are in the picture.
pub(crate) struct Framing {
    camera: Camera,
    /// The tangents of half the fields of view that points may fill, horizontal and vertical.
    tangents: [f64; 2],
    /// For each axis of the picture, how far points reach towards the planes at both of its sides.
    reach: [[f64; 2]; 2],
    nearest: f64,
    farthest: f64,
}

impl Framing {
    /// Starts a view from a side.
    pub(crate) fn new(scene: &Scene, (width, height): (u32, u32), view: View) -> Framing {
        let [up, front, right] = directions(scene);
        let (aside, down) = view.turn();
        let (aside, down) = (aside.to_radians(), down.to_radians());
        let level = sum(front.map(|c| c * aside.cos()), right.map(|c| c * aside.sin()));
        let back = sum(level.map(|c| c * down.cos()), up.map(|c| c * down.sin()));
        let across = double::unit(double::cross(up, back)).unwrap_or(right);
        let axes = [across, double::cross(back, across), back];
        let tangent = tangent_of(FOV.to_radians());
        let aspect = f64::from(width.max(1)) / f64::from(height.max(1));
        Framing {
            camera: Camera { axes, eye: [0.0; 3], tangent, near: 1.0, far: None },
            tangents: [tangent * aspect * FILLED, tangent * FILLED],
            reach: [[f64::NEG_INFINITY; 2]; 2],
            nearest: f64::NEG_INFINITY,
            farthest: f64::INFINITY,
        }
    }

    pub(crate) fn add(&mut self, point: Vec3) {
        if !point.is_finite() {
            return;
        }
        let [x, y, z] = self.camera.turn(point.to_f64());
        for ((reach, tangent), at) in self.reach.iter_mut().zip(self.tangents).zip([x, y]) {
            let [right, left] = reach;
            *right = right.max(at + tangent * z);
            *left = left.max(tangent * z - at);
        }
        self.nearest = self.nearest.max(z);
        self.farthest = self.farthest.min(z);
    }

    pub(crate) fn finish(mut self) -> Camera {
        if self.nearest < self.farthest {
            for corner in [Vec3::new(-1.0, -1.0, -1.0), Vec3::ONE] {
                self.add(corner);
            }
        }
        let distance = |(reach, tangent): (&[f64; 2], f64)| (reach[0] + reach[1]) / 2.0 / tangent;
        let away = self.reach.iter().zip(self.tangents).map(distance);
        let depth = self.nearest - self.farthest;
        let size = self.nearest.abs().max(depth).max(f64::MIN_POSITIVE);
        let away = away.fold(self.nearest, f64::max);
        // A single point has no size.
        let gap = if away - self.nearest <= size * 1e-9 { size.max(1e-3) } else { 0.0 };
        let away = away + gap;
        let [x, y] = self.reach.map(|[right, left]| (right - left) / 2.0);
        let [right, up, back] = self.camera.axes;
        let eye = [(right, x), (up, y), (back, away)]
            .map(|(axis, length)| axis.map(|c| c * length))
            .into_iter()
            .fold([0.0; 3], sum);
        let near = (away - self.nearest) / 2.0;
        let near = near.max((away - self.farthest) * 1e-4);
        Camera { eye, near: positive(near), ..self.camera }
    }
}

fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn subtract(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
