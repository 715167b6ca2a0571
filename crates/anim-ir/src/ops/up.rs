//! Detection of a scene's up axis, for files that do not state it.

use std::borrow::Cow;

use crate::names::named;
use crate::{
    Axes, Clip, Deformer, Mat4, Mesh, Node, Pose, Quat, Sampler, Scene, Skeleton, StatedUp, Vec3,
};

/// Minimum ratio of two distances at which one counts as clearly larger than the other.
const CLEARLY: f64 = 2.0;
/// Maximum distance of the bottom of a shape from the ground, relative to its height, at which it
/// counts as standing on the ground.
const GROUND: f64 = 0.02;
/// Maximum distance of the centre of a shape from 0 along an axis, relative to its size, at which
/// it counts as centred.
const CENTRED: f64 = 0.1;

/// Prefixes of words in the names of joints in the upper part of a body.
const HIGH: [&str; 8] =
    ["head", "neck", "chest", "spine", "shoulder", "collar", "clavicle", "torso"];
/// Prefixes of words in the names of joints in the lower part of a body.
const LOW: [&str; 8] = ["foot", "feet", "toe", "ankle", "heel", "shin", "calf", "knee"];

/// The axis that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    /// +y, as in glTF.
    #[default]
    Y,
    /// +z, as in Blender.
    Z,
    /// -y, as on the PlayStation.
    MinusY,
}

named!(UpAxis, "axis", { Y => "y", Z => "z", MinusY => "-y" });

/// The evidence for an up axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpEvidence {
    /// The format prescribes the axis.
    Format,
    /// Files of this dialect use the axis.
    Dialect,
    /// The positions of joints.
    Bones,
    /// The bounding box of the meshes.
    Bounds,
    /// No evidence. The axis is the default that most programs expect.
    Nothing,
}

named!(UpEvidence, "evidence kind", {
    Format => "format",
    Dialect => "dialect",
    Bones => "bones",
    Bounds => "bounds",
    Nothing => "nothing",
});

impl UpEvidence {
    /// Whether the evidence is conclusive.
    pub const fn decides(self) -> bool {
        matches!(self, UpEvidence::Format | UpEvidence::Dialect | UpEvidence::Bones)
    }
}

/// The likely up axis, and the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpGuess {
    /// The axis.
    pub axis: UpAxis,
    /// The kind of evidence.
    pub evidence: UpEvidence,
    /// The reason, as a clause without a full stop: `the format is y-up`.
    pub reason: String,
}

/// The axis that points up in a scene to be written in a y-up format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// y, as in glTF.
    #[default]
    Y,
    /// z, which is rotated to y by 90° about x.
    Z,
    /// z if the scene's dialect or bones indicate it ([`Scene::guess_up`]), otherwise y.
    Auto,
}

named!(Up, "axis", { Y => "y", Z => "z", Auto => "auto" });

impl Up {
    /// Describes the option `up` of formats that are y-up.
    pub const HELP: &str = "Up axis of the input, for y-up outputs; auto: z if the dialect or the \
        bones indicate it";

    /// Rotates a scene to y up. Its motion must be keys, as made by [`Scene::in_keys`].
    pub fn apply(self, scene: &mut Cow<'_, Scene>) {
        if let Some(rotation) = self.rotation(scene) {
            let is_rotated = scene.to_mut().rotate(rotation);
            debug_assert!(is_rotated, "keys have no Euler angles");
        }
    }

    /// Returns the rotation to y up; `None` if the scene is y-up.
    pub fn rotation(self, scene: &Scene) -> Option<Quat> {
        let is_z = match self {
            Up::Y => false,
            Up::Z => true,
            Up::Auto => {
                let guess = scene.guess_up();
                guess.axis == UpAxis::Z && guess.evidence.decides()
            }
        };
        let x = Vec3::new(1.0, 0.0, 0.0);
        is_z.then(|| Quat::from_axis_angle(x, -std::f64::consts::FRAC_PI_2).normalized())
    }
}

/// An axis-aligned bounding box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The minimum coordinates.
    pub min: [f64; 3],
    /// The maximum coordinates.
    pub max: [f64; 3],
}

impl Bounds {
    /// Returns the bounding box of all finite points, or `None` if no point is finite.
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Option<Bounds> {
        let mut points = points.into_iter().filter(|point| point.is_finite()).map(Vec3::to_f64);
        let first = points.next()?;
        Some(points.fold(Bounds { min: first, max: first }, |mut bounds, point| {
            for (low, at) in bounds.min.iter_mut().zip(point) {
                *low = low.min(at);
            }
            for (high, at) in bounds.max.iter_mut().zip(point) {
                *high = high.max(at);
            }
            bounds
        }))
    }

    /// Returns the size of the box along each axis.
    pub fn size(&self) -> [f64; 3] {
        let [x, y, z] = self.max;
        [x - self.min[0], y - self.min[1], z - self.min[2]]
    }

    /// Returns the eight corners of the box.
    pub fn corners(&self) -> impl Iterator<Item = Vec3> {
        let Bounds { min, max } = *self;
        [min[2], max[2]].into_iter().flat_map(move |z| {
            [min[1], max[1]].into_iter().flat_map(move |y| {
                [min[0], max[0]].into_iter().map(move |x| Vec3::from_f64([x, y, z]))
            })
        })
    }

    /// Whether the box stands on the ground along axis `up` and is centred at 0 along `other`.
    fn stands(&self, up: usize, other: usize) -> bool {
        let at = |numbers: [f64; 3], axis: usize| numbers.get(axis).copied().unwrap_or_default();
        let (height, width) = (at(self.size(), up), at(self.size(), other));
        let middle = f64::midpoint(at(self.min, other), at(self.max, other));
        height > 0.0
            && width > 0.0
            && at(self.min, up).abs() <= GROUND * height
            && middle.abs() <= CENTRED * width
    }
}

impl Scene {
    /// Returns the bounding box of all meshes in the rest pose, with morph targets at their default
    /// weights, or of the joints if no node has a mesh with vertices. Coordinates are in the
    /// scene's axes and length unit. `None` if the scene has neither vertices nor joints.
    ///
    /// If several nodes share a mesh, only the first node is measured exactly. For the other nodes,
    /// the mesh's bounding box is transformed, which keeps the cost linear in the scene's size.
    pub fn rest_bounds(&self) -> Option<Bounds> {
        let rest: Vec<Vec<Mat4>> =
            self.skeletons.iter().map(Skeleton::rest_model_matrices).collect();
        let mut boxes: Vec<Option<Bounds>> = vec![None; self.meshes.len()];
        let mut points = Vec::new();
        for node in &self.nodes {
            let found = node.mesh.and_then(|id| Some((self.mesh(id)?, boxes.get_mut(id.index())?)));
            let Some((mesh, own)) = found else { continue };
            if let Some(own) = own {
                let place = place_of(node, &rest);
                points.extend(own.corners().map(|corner| place.transform_point(corner)));
            } else {
                *own = Bounds::of(mesh.positions.iter().copied());
                points.extend(self.points_of(node, mesh, &rest));
            }
        }
        Bounds::of(points).or_else(|| {
            Bounds::of(rest.iter().flatten().map(|matrix| matrix.transform_point(Vec3::ZERO)))
        })
    }

    /// Returns the vertices of a node's mesh in the rest pose.
    fn points_of(&self, node: &Node, mesh: &Mesh, rest: &[Vec<Mat4>]) -> Vec<Vec3> {
        let (mut deformer, mut skinning) = (Deformer::default(), Vec::new());
        let skin = node.skin.and_then(|skin| self.skin(skin));
        if let Some((skin, model)) =
            skin.and_then(|skin| Some((skin, rest.get(skin.skeleton.index())?)))
        {
            skin.matrices(model, &mut skinning);
        }
        deformer.deform(mesh, &mesh.morph_weights, &skinning);
        let place = if skin.is_some() { Mat4::IDENTITY } else { place_of(node, rest) };
        deformer.positions().iter().map(|point| place.transform_point(*point)).collect()
    }

    /// Returns the up axis, as defined by the format or the dialect, otherwise as suggested by
    /// bones and shapes.
    pub fn guess_up(&self) -> UpGuess {
        let guess =
            |axis, evidence, reason: &str| UpGuess { axis, evidence, reason: reason.into() };
        match (self.axes, self.up) {
            (Axes::YDown, _) => {
                return guess(UpAxis::MinusY, UpEvidence::Format, "the format is y-down");
            }
            (_, StatedUp::ByFormat) => {
                return guess(UpAxis::Y, UpEvidence::Format, "the format is y-up");
            }
            (_, StatedUp::Z(reason)) => return guess(UpAxis::Z, UpEvidence::Dialect, reason),
            (_, StatedUp::Nowhere) => {}
        }
        self.up_of_bones().or_else(|| self.up_of_shapes()).unwrap_or_else(|| {
            guess(UpAxis::Y, UpEvidence::Nothing, "assumed, since the file does not state it")
        })
    }

    /// Guesses from the joints in the rest pose and in the first pose, which must not contradict
    /// each other.
    fn up_of_bones(&self) -> Option<UpGuess> {
        self.enumerate_skeletons().find_map(|(id, skeleton)| {
            let moves = |clip: &&Clip| {
                self.timeline(clip.timeline).is_some_and(|timeline| timeline.skeleton == id)
            };
            let mut pose = Pose::default();
            let mut first = Vec::new();
            if let Some(clip) = self.clips.iter().find(moves)
                && let Some((timeline, _)) = self.motion_of(clip)
            {
                Sampler::for_clip(skeleton, timeline, clip).sample(clip.start.into(), &mut pose);
                pose.model_matrices(skeleton, &mut first);
            }
            let rest = up_of_joints(skeleton, &skeleton.rest_model_matrices(), &first);
            let moved = up_of_joints(skeleton, &first, &first);
            match (rest, moved) {
                (Some(rest), Some(moved)) => (rest.axis == moved.axis).then_some(rest),
                (rest, moved) => rest.or(moved),
            }
        })
    }

    /// Guesses from the bounding box of the shapes in the rest pose.
    fn up_of_shapes(&self) -> Option<UpGuess> {
        if self.meshes.is_empty() {
            return None;
        }
        let bounds = self.rest_bounds()?;
        let (axis, name, other) = match (bounds.stands(1, 2), bounds.stands(2, 1)) {
            (true, false) => (UpAxis::Y, "y", "z"),
            (false, true) => (UpAxis::Z, "z", "y"),
            _ => return None,
        };
        let reason = format!("the shape starts at {name} = 0 and is centred at {other} = 0");
        Some(UpGuess { axis, evidence: UpEvidence::Bounds, reason })
    }
}

/// Returns the rest matrix of a node without a skin.
fn place_of(node: &Node, rest: &[Vec<Mat4>]) -> Mat4 {
    let own = node.transform.to_matrix();
    let Some(parent) = node.parent else { return own };
    let model = rest.get(parent.skeleton.index());
    model.and_then(|model| model.get(parent.joint.index())).map_or(own, |joint| *joint * own)
}

/// Guesses from the names of joints, otherwise from the extent of the skeleton and the height of
/// its root. `at` contains the model matrices of the joints in the pose to examine, and `first`
/// those in the first pose, if there is one.
fn up_of_joints(skeleton: &Skeleton, at: &[Mat4], first: &[Mat4]) -> Option<UpGuess> {
    let place = |matrix: &Mat4| matrix.transform_point(Vec3::ZERO);
    let named = |names: &[&str]| -> Vec<Vec3> {
        let joints = skeleton.joints.iter().zip(at).filter(|(joint, _)| {
            words(&joint.name)
                .any(|word| names.iter().any(|name| word.to_ascii_lowercase().starts_with(name)))
        });
        joints.map(|(_, matrix)| place(matrix)).collect()
    };
    let (high, low) = (named(&HIGH), named(&LOW));
    if let (Some(top), Some(bottom)) = (mean(&high), mean(&low)) {
        let [_, y, z] = (top - bottom).to_f64();
        let (axis, length) = upright(y, z)?;
        // The head of a quadruped is far in front of the mean of its feet, but so are its forefeet.
        let [_, y, z] = Bounds::of(low)?.size();
        let spread = if axis == UpAxis::Z { z } else { y };
        return (spread < length).then(|| UpGuess {
            axis,
            evidence: UpEvidence::Bones,
            reason: format!(
                "the joints of the upper body are {} above those of the legs along {axis}",
                rounded(length)
            ),
        });
    }
    // In BVH files, for example, the root is at the hips, above the ground.
    let (root, rest) = at.split_first()?;
    let around_root = rest.iter().chain([root]).map(place);
    let [_, y, z] = Bounds::of(around_root)?.size();
    let [_, root_y, root_z] = place(first.first()?).to_f64();
    let (axis, _) = upright(y, z)?;
    let (root_up, root_across, length) =
        if axis == UpAxis::Z { (root_z, root_y, z) } else { (root_y, root_z, y) };
    (root_up > CLEARLY * root_across.abs() && root_up > length / 4.0).then(|| UpGuess {
        axis,
        evidence: UpEvidence::Bones,
        reason: format!(
            "the skeleton measures {} along z and {} along y, and its root is above the ground",
            rounded(z),
            rounded(y)
        ),
    })
}

/// Returns the dominant axis of an upward offset, and the length along this axis.
fn upright(y: f64, z: f64) -> Option<(UpAxis, f64)> {
    if z > CLEARLY * y.abs() {
        Some((UpAxis::Z, z))
    } else if y > CLEARLY * z.abs() {
        Some((UpAxis::Y, y))
    } else {
        None
    }
}

/// Splits a name such as `mixamorig:LeftToeBase` or `heel.02.L` into words.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_alphabetic()).flat_map(|part| {
        let bytes = part.as_bytes();
        let is_start = |at: &usize| {
            let is_upper = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_uppercase);
            let is_lower = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_lowercase);
            let before = at.saturating_sub(1);
            is_upper(*at) && (is_lower(before) || is_lower(at.saturating_add(1)))
        };
        let starts = (1..part.len()).filter(is_start).collect::<Vec<_>>();
        let ends = starts.clone().into_iter().chain([part.len()]);
        let starts = [0].into_iter().chain(starts);
        starts.zip(ends).filter_map(move |(start, end)| part.get(start..end))
    })
}

fn mean(points: &[Vec3]) -> Option<Vec3> {
    let mut count = 0.0;
    let sum = points.iter().fold([0.0; 3], |[x, y, z], point| {
        count += 1.0;
        let [dx, dy, dz] = point.to_f64();
        [x + dx, y + dy, z + dz]
    });
    (count > 0.0).then(|| Vec3::from_f64(sum.map(|part| part / count)))
}

/// Rounds a number for display.
fn rounded(number: f64) -> String {
    if number.abs() >= 100.0 { format!("{number:.0}") } else { format!("{number:.2}") }
}

#[cfg(test)]
mod tests;
