//! The joints to write and their motion in each frame.

use std::collections::HashSet;

use anim_ir::number::narrow;
use anim_ir::{Diagnostics, EulerOrder, JointId, Skeleton, Track, Transform, UniqueNames, Value};

use super::local::{Local, locals};
use super::source::Source;
use super::{angles, ends};
use crate::channel::ChannelType;
use crate::codes;
use crate::to_ir::{BVH, end_name};
use crate::writer::{Decimals, NewJoint};

/// A joint to be written.
struct Bone {
    id: JointId,
    name: String,
    /// Index of the parent among the bones.
    parent: Option<usize>,
    is_end: bool,
    has_children: bool,
    order: EulerOrder,
    offset: [f64; 3],
    /// The angles in the previous frame.
    angles: Option<[f64; 3]>,
    /// The largest deviation from the joint's offset along any axis, in any frame.
    farthest: f64,
    /// The position of the End Site added to the joint.
    end: [f64; 3],
}

/// All joints in depth-first order, and their values in the frames added so far.
pub(super) struct Bones {
    bones: Vec<Bone>,
    /// The position and the angles in degrees, for each frame and bone.
    values: Vec<[f32; 6]>,
}

impl Bones {
    pub(super) fn new(
        source: &Source<'_>,
        order: Option<EulerOrder>,
        losses: &mut Diagnostics,
    ) -> Bones {
        let skeleton = source.skeleton;
        let moving: HashSet<JointId> = source.tracks().iter().filter_map(Track::joint).collect();
        let transforms: Vec<Transform> = skeleton.joints.iter().map(|joint| joint.rest).collect();
        let matrices = skeleton.rest_model_matrices();
        let rest = locals(skeleton, &transforms, source.has_scale().then_some(matrices.as_slice()));
        let ends = ends::farthest(source, &matrices, &rest);
        let (sequence, has_children) = depth_first(skeleton);
        let mut places: Vec<usize> = vec![0; skeleton.joints.len()];
        let mut bones: Vec<Bone> = Vec::with_capacity(sequence.len());
        let mut names = Names { names: UniqueNames::new(), changed: 0 };
        for id in sequence {
            let (Some(joint), Some(local)) = (skeleton.joint(id), rest.get(id.index())) else {
                continue;
            };
            if let Some(place) = places.get_mut(id.index()) {
                *place = bones.len();
            }
            let has_children = has_children.get(id.index()).copied().unwrap_or(false);
            let parent = joint.parent.and_then(|parent| places.get(parent.index()).copied());
            let said = joint.extras.get(BVH);
            let is_end = is_end(said) && !has_children && parent.is_some() && !moving.contains(&id);
            let above = parent.and_then(|parent| bones.get(parent));
            let name = match above {
                Some(above) if is_end && joint.name == end_name(&above.name) => String::new(),
                _ => names.claim(&joint.name),
            };
            let further = local.translation.map(|along| along / 10.0);
            let end = ends.get(id.index()).copied().flatten();
            let end = end.or(Some(further).filter(|end| *end != [0.0; 3]));
            bones.push(Bone {
                id,
                name,
                parent,
                is_end,
                has_children,
                order: order.or(own_order(said)).unwrap_or(EulerOrder::Zxy),
                offset: local.translation,
                angles: None,
                farthest: 0.0,
                end: end.unwrap_or([0.0, 1.0, 0.0]),
            });
        }
        losses.lost_some(&codes::LOSS_NAMES, names.changed, "renamed joints");
        Bones { bones, values: Vec::new() }
    }

    /// Adds a frame.
    pub(super) fn add(&mut self, locals: &[Local]) {
        for bone in &mut self.bones {
            let Some(local) = locals.get(bone.id.index()) else { continue };
            let angles = angles::nearest(local.rotation, bone.order, bone.angles);
            bone.angles = Some(angles);
            let mut apart = 0.0_f64;
            for (at, offset) in local.translation.iter().zip(bone.offset) {
                // Ignore differences within f32 rounding error.
                let hair = 4.0 * f64::from(f32::EPSILON) * at.abs().max(offset.abs());
                let error = (at - offset).abs();
                apart = apart.max(if error > hair { error } else { 0.0 });
            }
            bone.farthest = bone.farthest.max(apart);
            let [x, y, z] = local.translation.map(narrow);
            let [a, b, c] = angles.map(|angle| narrow(angle.to_degrees()));
            self.values.push([x, y, z, a, b, c]);
        }
    }

    /// Returns the joints to write, and the rows.
    pub(super) fn finish(self, decimals: Decimals) -> (Vec<NewJoint>, Vec<f32>) {
        let Bones { bones, values } = self;
        let least = match decimals {
            Decimals::Fixed(places) => {
                0.5 * 10_f64.powi(-i32::try_from(places).unwrap_or(i32::MAX))
            }
            Decimals::Exact => 0.0,
        };
        let moves: Vec<bool> =
            bones.iter().map(|bone| bone.parent.is_none() || bone.farthest > least).collect();
        let rows = rows(&bones, &moves, &values);
        let mut joints: Vec<NewJoint> = Vec::with_capacity(bones.len());
        // Added End Sites shift the indices of later joints.
        let mut places: Vec<usize> = Vec::with_capacity(bones.len());
        for (bone, moves) in bones.into_iter().zip(moves) {
            places.push(joints.len());
            let parent = bone.parent.and_then(|parent| places.get(parent).copied());
            let own = joints.len();
            joints.push(NewJoint {
                name: bone.name,
                parent,
                is_end_site: bone.is_end,
                offset: bone.offset.map(narrow),
                channels: if bone.is_end { Vec::new() } else { channels(bone.order, moves) },
            });
            if !bone.is_end && !bone.has_children {
                joints.push(NewJoint {
                    parent: Some(own),
                    is_end_site: true,
                    offset: bone.end.map(narrow),
                    ..NewJoint::default()
                });
            }
        }
        (joints, rows)
    }
}

fn rows(bones: &[Bone], moves: &[bool], values: &[[f32; 6]]) -> Vec<f32> {
    let mut rows = Vec::with_capacity(values.len().saturating_mul(3));
    for frame in values.chunks_exact(bones.len().max(1)) {
        for ((bone, moves), [x, y, z, angles @ ..]) in bones.iter().zip(moves).zip(frame) {
            if bone.is_end {
                continue;
            }
            if *moves {
                rows.extend([x, y, z]);
            }
            rows.extend(angles::axes(bone.order).iter().filter_map(|axis| angles.get(*axis)));
        }
    }
    rows
}

fn channels(order: EulerOrder, moves: bool) -> Vec<ChannelType> {
    let (positions, rotations) = ChannelType::ALL.split_at(3);
    let rotations = angles::axes(order).into_iter().filter_map(|axis| rotations.get(axis));
    positions.iter().filter(|_| moves).chain(rotations).copied().collect()
}

/// Whether the joint was an End Site.
fn is_end(said: Option<&Value>) -> bool {
    matches!(said, Some(Value::Map(said)) if said.get("end") == Some(&Value::Bool(true)))
}

/// The joint's original rotation order.
fn own_order(said: Option<&Value>) -> Option<EulerOrder> {
    let Some(Value::Map(said)) = said else { return None };
    let Value::Text(order) = said.get("order")? else { return None };
    order.parse().ok()
}

/// Returns all joints in depth-first order, and whether each has children.
fn depth_first(skeleton: &Skeleton) -> (Vec<JointId>, Vec<bool>) {
    let count = skeleton.joints.len();
    // The first child and the next sibling of each joint.
    let mut first: Vec<Option<JointId>> = vec![None; count];
    let mut next: Vec<Option<JointId>> = vec![None; count];
    let mut roots = Vec::new();
    for (id, joint) in skeleton.enumerate_joints().rev() {
        match joint.parent.and_then(|parent| first.get_mut(parent.index())) {
            Some(slot) => {
                if let Some(next) = next.get_mut(id.index()) {
                    *next = slot.replace(id);
                }
            }
            None => roots.push(id),
        }
    }
    let mut order = Vec::with_capacity(count);
    let mut open = roots;
    while let Some(id) = open.pop() {
        order.push(id);
        open.extend(next.get(id.index()).copied().flatten());
        open.extend(first.get(id.index()).copied().flatten());
    }
    (order, first.iter().map(Option::is_some).collect())
}

/// The maximum number of characters kept in a name.
const LONGEST_NAME: usize = 1000;

/// Generates unique names that are valid in a file.
struct Names {
    names: UniqueNames<'static>,
    changed: usize,
}

impl Names {
    fn claim(&mut self, name: &str) -> String {
        let is_odd = |c: char| c.is_control() || matches!(c, '{' | '}');
        let fitting = name.trim().chars().map(|c| if is_odd(c) { '_' } else { c });
        // A character is at most four bytes long. Leave room for a number.
        let fitted: String = fitting.take(LONGEST_NAME).collect();
        let mut fitted = fitted.trim_end().to_owned();
        if fitted.is_empty() {
            fitted.push_str("joint");
        }
        let claimed = self.names.claim(fitted).into_owned();
        if claimed != name {
            self.changed = self.changed.saturating_add(1);
        }
        claimed
    }
}
