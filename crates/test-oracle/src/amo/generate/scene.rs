//! The content of a random file, independent of the dialect.

use crate::amo::evaluate::Dialect;
use crate::math::{cross, quaternion_product};
use crate::random::Rng;

pub(super) struct Joint {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    /// The rest matrix, column-major.
    pub(super) rest: Option<[f64; 16]>,
}

#[derive(Clone)]
pub(super) struct Corner {
    pub(super) position: usize,
    pub(super) texcoord: Option<usize>,
    pub(super) normal: Option<usize>,
    /// The indices of its `vj` and `vw`.
    pub(super) skin: Option<(usize, usize)>,
}

/// Names of clips.
const NAMES: [&str; 6] =
    ["idle", "Walk", "walk cycle", "Some Other Rig.002Action", "a.b", "Sprung#2"];

#[derive(Clone, Copy)]
pub(super) enum Value {
    Position([f64; 3]),
    Rotation([f64; 4]),
}

/// The keys at one time: one key in D0 and D1, one `k` in D2 and D3.
#[derive(Clone)]
pub(super) struct Keyframe {
    /// The time as text, in the dialect's unit.
    pub(super) time: String,
    pub(super) keys: Vec<(usize, Value)>,
}

pub(super) struct Clip {
    pub(super) name: String,
    /// The duration in milliseconds, if the file has durations.
    pub(super) duration: Option<usize>,
    pub(super) keyframes: Vec<Keyframe>,
}

/// The content to write.
#[derive(Default)]
pub(super) struct Scene {
    pub(super) dialect: Dialect,
    pub(super) joints: Vec<Joint>,
    pub(super) positions: Vec<[f64; 3]>,
    pub(super) texcoords: Vec<[f64; 2]>,
    pub(super) normals: Vec<[f64; 3]>,
    pub(super) vertex_joints: Vec<Vec<Option<usize>>>,
    pub(super) vertex_weights: Vec<Vec<f64>>,
    pub(super) faces: Vec<Vec<Corner>>,
    pub(super) clips: Vec<Clip>,
}

impl Scene {
    pub(super) fn new(dialect: Dialect, rng: &mut Rng) -> Self {
        let rigged = dialect != Dialect::Counted || rng.below(12) != 0;
        let joints = if rigged { random_joints(dialect, rng) } else { Vec::new() };
        let mut scene = Self { dialect, joints, ..Self::default() };
        let pairs = if rigged { scene.add_weights(rng) } else { Vec::new() };
        scene.add_faces(&pairs, rng);
        if dialect == Dialect::Editamo {
            scene.split_corners();
        }
        if rigged {
            for _ in 0..rng.between(1, 3) {
                scene.add_clip(rng);
            }
        }
        scene
    }

    /// Adds `vj` and `vw` rows and returns the matching pairs.
    fn add_weights(&mut self, rng: &mut Rng) -> Vec<(usize, usize)> {
        let loose = matches!(self.dialect, Dialect::Lines | Dialect::Counted);
        let entries = if self.dialect == Dialect::Lines && rng.chance(25) { 5 } else { 4 };
        // The rows are shuffled separately, so the two indices of a pair usually differ.
        let mut joint_rows = Vec::new();
        let mut weight_rows = Vec::new();
        for row in 0..rng.between(1, 6) {
            let used = rng.between(1, entries.min(self.joints.len()));
            let mut joints: Vec<usize> = (0..self.joints.len()).collect();
            rng.shuffle(&mut joints);
            let mut slots: Vec<Option<usize>> = joints.into_iter().take(used).map(Some).collect();
            slots.resize(entries, None);
            if rng.chance(40) {
                rng.shuffle(&mut slots);
            }
            for _ in 0..rng.between(1, 3) {
                let weights = random_weights(&slots, loose, rng);
                weight_rows.push((row, weights));
            }
            joint_rows.push((row, slots));
        }
        rng.shuffle(&mut joint_rows);
        rng.shuffle(&mut weight_rows);
        let all = (0..joint_rows.len()).flat_map(|j| (0..weight_rows.len()).map(move |w| (j, w)));
        let pairs = all.filter(|&(j, w)| joint_rows[j].0 == weight_rows[w].0).collect();
        self.vertex_joints = joint_rows.into_iter().map(|(_, slots)| slots).collect();
        self.vertex_weights = weight_rows.into_iter().map(|(_, row)| row).collect();
        pairs
    }

    fn add_faces(&mut self, pairs: &[(usize, usize)], rng: &mut Rng) {
        for _ in 0..rng.between(1, 8) {
            let uv = [0, 1].map(|_| rng.range(-0.5, 1.5));
            self.texcoords.push(uv);
            let normal = rng.direction();
            self.normals.push(normal);
        }
        for _ in 0..rng.between(2, 8) {
            let again = !self.faces.is_empty() && rng.chance(25);
            let positions: Vec<usize> = if again {
                // Reuse the positions of an earlier face with other attributes (reading 10).
                let face = rng.below(self.faces.len());
                self.faces[face].iter().map(|c| c.position).collect()
            } else {
                self.add_polygon(rng)
            };
            // Faces in the specification have five slots; faces of plain OBJ may have fewer.
            let complete =
                matches!(self.dialect, Dialect::Counted | Dialect::Editamo) || rng.chance(80);
            let mut corner = |position: usize| Corner {
                position,
                texcoord: (complete || rng.chance(70)).then(|| rng.below(self.texcoords.len())),
                normal: (complete || rng.chance(70)).then(|| rng.below(self.normals.len())),
                skin: (!pairs.is_empty() && (complete || rng.chance(70))).then(|| rng.pick(pairs)),
            };
            let face = positions.into_iter().map(&mut corner).collect();
            self.faces.push(face);
        }
    }

    /// Adds the corners of a planar convex polygon and returns their indices.
    fn add_polygon(&mut self, rng: &mut Rng) -> Vec<usize> {
        let corners = if self.dialect == Dialect::Counted { 3 } else { rng.between(3, 6) };
        let centre = [0, 1, 2].map(|_| rng.range(-2.0, 2.0));
        let normal = rng.direction();
        let across = rng.direction_across(normal);
        let along = cross(normal, across);
        let (width, height) = (rng.range(0.4, 1.5), rng.range(0.4, 1.5));
        let start = rng.range(0.0, 6.0);
        let first = self.positions.len();
        for corner in 0..corners {
            let step = corner as f64 + rng.range(-0.3, 0.3);
            let angle = start + std::f64::consts::TAU * step / corners as f64;
            let (x, y) = (width * angle.cos(), height * angle.sin());
            self.positions.push([0, 1, 2].map(|i| centre[i] + across[i] * x + along[i] * y));
        }
        (first..self.positions.len()).collect()
    }

    /// Gives each corner its own index, which is the same in all slots, as editamo does.
    fn split_corners(&mut self) {
        let mut split = Self::default();
        for (number, corner) in self.faces.iter_mut().flatten().enumerate() {
            let (joints, weights) = corner.skin.unwrap();
            split.positions.push(self.positions[corner.position]);
            split.texcoords.push(self.texcoords[corner.texcoord.unwrap()]);
            split.normals.push(self.normals[corner.normal.unwrap()]);
            split.vertex_joints.push(self.vertex_joints[joints].clone());
            split.vertex_weights.push(self.vertex_weights[weights].clone());
            let (same, skin) = (Some(number), Some((number, number)));
            *corner = Corner { position: number, texcoord: same, normal: same, skin };
        }
        let (joints, faces) = (std::mem::take(&mut self.joints), std::mem::take(&mut self.faces));
        *self = Self { dialect: self.dialect, joints, faces, ..split };
    }

    fn add_clip(&mut self, rng: &mut Rng) {
        let name = match self.clips.last() {
            // Give two clips the same name (reading 8).
            Some(clip) if rng.chance(10) => clip.name.clone(),
            _ => rng.pick(&NAMES).to_owned(),
        };
        let clip = if matches!(self.dialect, Dialect::Lines | Dialect::Counted) {
            self.clip_of_poses(name, rng)
        } else {
            self.clip_of_keys(name, rng)
        };
        self.clips.push(clip);
    }

    /// Decides for each joint whether a clip translates it, rotates it, does both or neither. With
    /// `together`, it always does both or neither. At least one joint is animated.
    fn kinds(&self, together: bool, rng: &mut Rng) -> Vec<(bool, bool)> {
        let mut kind = || match rng.below(10) {
            0 | 1 => (false, false),
            2 | 3 if !together => (true, false),
            4 | 5 if !together => (false, true),
            _ => (true, true),
        };
        let mut kinds: Vec<(bool, bool)> = self.joints.iter().map(|_| kind()).collect();
        if kinds.iter().all(|&kind| kind == (false, false)) {
            let joint = rng.below(kinds.len());
            kinds[joint] = (true, true);
        }
        kinds
    }

    /// Generates the keys of D0 and D1. Each joint has its own times, separately for positions and
    /// rotations.
    fn clip_of_keys(&self, name: String, rng: &mut Rng) -> Clip {
        let mut keyframes = Vec::new();
        let kinds = self.kinds(false, rng);
        let from_zero = rng.chance(60);
        for (joint, (moves, turns)) in kinds.into_iter().enumerate() {
            let base = rng.turn(180.0);
            for (wanted, is_position) in [(moves, true), (turns, false)] {
                if !wanted {
                    continue;
                }
                let value = |rng: &mut Rng| {
                    if is_position {
                        let at = [0, 1, 2].map(|_| rng.range(-2.0, 2.0));
                        Value::Position(if rng.chance(20) { at.map(f64::round) } else { at })
                    } else {
                        Value::Rotation(near(base, rng))
                    }
                };
                for time in random_times(from_zero, rng.between(1, 5), 40, rng) {
                    let time = if self.dialect == Dialect::Extobj {
                        (2 * time).to_string()
                    } else if time % 3 == 0 {
                        format!("{}", time as f64 / 8.0)
                    } else {
                        format!("{:.*}", rng.between(4, 8), time as f64 / 12.0)
                    };
                    for _ in 0..if rng.chance(8) { 2 } else { 1 } {
                        let keys = vec![(joint, value(rng))];
                        keyframes.push(Keyframe { time: time.clone(), keys });
                    }
                }
            }
        }
        if rng.chance(40) {
            rng.shuffle(&mut keyframes);
        }
        Clip { name, duration: None, keyframes }
    }

    /// Generates the keys of D2 and D3. Each `k` has all or some joints of the clip.
    fn clip_of_poses(&self, name: String, rng: &mut Rng) -> Clip {
        let counted = self.dialect == Dialect::Counted;
        // All clips of a file use the same unit of time.
        let in_frames = match self.clips.first() {
            Some(clip) => clip.duration.is_none(),
            None => !counted && rng.chance(35),
        };
        let duration = (!in_frames).then(|| rng.between(250, 4000));
        let kinds = self.kinds(counted, rng);
        let leaves_out = rng.chance(50);
        // Omitted joints are at the identity, so rotations must be close to it.
        let mut base = || if leaves_out { [0.0, 0.0, 0.0, 1.0] } else { rng.turn(180.0) };
        let bases: Vec<[f64; 4]> = kinds.iter().map(|_| base()).collect();
        let mut keyframes = Vec::new();
        for step in random_times(rng.chance(60), rng.between(1, 5), 16, rng) {
            let time = match duration {
                Some(_) => format!("{:.6}", step as f64 / 16.0),
                None => format!("{:.4}", (1 + 2 * step) as f64),
            };
            let keyed: Vec<usize> = (0..kinds.len())
                .filter(|&joint| kinds[joint] != (false, false))
                .filter(|_| !leaves_out || rng.chance(65))
                .collect();
            for _ in 0..if rng.chance(8) { 2 } else { 1 } {
                let mut keys = Vec::new();
                for &joint in keyed.iter().filter(|&&joint| kinds[joint].0) {
                    let position = [0, 1, 2].map(|_| rng.range(-0.5, 0.5));
                    keys.push((joint, Value::Position(position)));
                }
                for &joint in keyed.iter().filter(|&&joint| kinds[joint].1) {
                    keys.push((joint, Value::Rotation(near(bases[joint], rng))));
                }
                keyframes.push(Keyframe { time: time.clone(), keys });
            }
        }
        if keyframes.iter().all(|keyframe| keyframe.keys.is_empty()) {
            let joint = (0..kinds.len()).find(|&joint| kinds[joint] != (false, false));
            let joint = joint.unwrap();
            // Make this the last keyframe, so that no other keyframe at its time omits its joints.
            let mut last = keyframes[keyframes.len() - 1].clone();
            last.time = if in_frames { "40.0000" } else { "1.000000" }.to_owned();
            last.keys = vec![
                (joint, Value::Position([0.25, 0.5, -0.125])),
                (joint, Value::Rotation(near(bases[joint], rng))),
            ];
            keyframes.push(last);
        }
        if rng.chance(20) {
            rng.shuffle(&mut keyframes);
        }
        Clip { name, duration, keyframes }
    }
}

/// Returns a rotation within 75° of another rotation, of either sign and sometimes not normalised
/// (reading 7).
fn near(base: [f64; 4], rng: &mut Rng) -> [f64; 4] {
    let turn = quaternion_product(base, rng.turn(75.0));
    let length = if rng.chance(15) { rng.range(0.7, 1.0) } else { 1.0 };
    let sign = if rng.chance(25) { -1.0 } else { 1.0 };
    turn.map(|x| x * length * sign)
}

/// Returns up to `count` distinct integers below `end`, ascending. If `from_zero` is set, the first
/// is 0.
fn random_times(from_zero: bool, count: usize, end: usize, rng: &mut Rng) -> Vec<usize> {
    let mut times: Vec<usize> = (0..count).map(|_| rng.below(end)).collect();
    if from_zero {
        times[0] = 0;
    }
    times.sort_unstable();
    times.dedup();
    times
}

/// Generates weights for the used slots. If `loose` is set, their sum may differ from 1, and unused
/// slots may have weights.
fn random_weights(slots: &[Option<usize>], loose: bool, rng: &mut Rng) -> Vec<f64> {
    if rng.chance(8) {
        return vec![0.0; slots.len()];
    }
    if loose {
        let on_unused = rng.chance(15);
        let mut weight = |used: bool| if used || on_unused { rng.range(0.05, 1.0) } else { 0.0 };
        let mut weights: Vec<f64> = slots.iter().map(|slot| weight(slot.is_some())).collect();
        if rng.chance(60) {
            let length = weights.iter().map(|x| x * x).sum::<f64>().sqrt();
            weights.iter_mut().for_each(|x| *x /= length);
        }
        return weights;
    }
    // Multiples of 1/10000, so the stored values sum to exactly 1.
    let used: Vec<usize> = (0..slots.len()).filter(|&i| slots[i].is_some()).collect();
    let mut weights = vec![0.0; slots.len()];
    let mut left = 10_000;
    for (place, &slot) in used.iter().enumerate() {
        let part = if place + 1 == used.len() {
            left
        } else if rng.chance(10) {
            0
        } else {
            rng.below(left + 1)
        };
        weights[slot] = part as f64 / 10_000.0;
        left -= part;
    }
    weights
}

fn random_joints(dialect: Dialect, rng: &mut Rng) -> Vec<Joint> {
    let count = rng.between(1, 8);
    // First create a list in which joints follow their parents. The order in the file is a
    // permutation of this list, sometimes the identity.
    let mut order: Vec<usize> = (0..count).collect();
    if rng.chance(60) {
        rng.shuffle(&mut order);
    }
    let mut parents = vec![None; count];
    for joint in 1..count {
        if !rng.chance(10) {
            parents[order[joint]] = Some(order[rng.below(joint)]);
        }
    }
    let bare = matches!(dialect, Dialect::Extobj) && rng.chance(40);
    let rest_kind = match dialect {
        Dialect::Lines => rng.between(0, 4).checked_sub(1),
        Dialect::Counted => Some(rng.below(4)),
        Dialect::Extobj | Dialect::Spec | Dialect::Editamo => None,
    };
    let family = rng.below(5);
    parents
        .into_iter()
        .enumerate()
        .map(|(i, parent)| Joint {
            name: match family {
                _ if bare => String::new(),
                0 => format!("Joint_{i}"),
                1 => format!("Bone.{i:03}"),
                2 => format!("left arm.H.{i:03}.L"),
                // A name that ends with a number would be ambiguous if numbers may follow.
                3 if rest_kind.is_none() && dialect != Dialect::Lines => format!("Bone {i}"),
                3 => format!("elbow.{i}.R"),
                _ if dialect == Dialect::Counted => format!("Gelenk.{i}"),
                _ => format!("K\u{f6}rper#{i}"),
            },
            parent,
            rest: rest_kind.map(|kind| random_rest(kind, rng)),
        })
        .collect()
}

/// Generates a matrix. Kind 0 only translates, kind 1 also rotates, kind 2 also scales, and kind 3
/// also shears.
fn random_rest(kind: usize, rng: &mut Rng) -> [f64; 16] {
    let offset = [0, 1, 2].map(|_| rng.range(-0.8, 0.8));
    let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    if kind > 0 {
        let x = rng.direction();
        let y = rng.direction_across(x);
        axes = [x, y, cross(x, y)];
    }
    if kind > 1 {
        for axis in &mut axes {
            let factor = rng.range(0.7, 1.4);
            *axis = axis.map(|c| c * factor);
        }
    }
    if kind > 2 {
        let factor = rng.range(-0.5, 0.5);
        let x = axes[0];
        for (c, along_x) in axes[1].iter_mut().zip(x) {
            *c += factor * along_x;
        }
    }
    let mut matrix = [0.0; 16];
    for (column, values) in axes.iter().chain([&offset]).enumerate() {
        matrix[4 * column..4 * column + 3].copy_from_slice(values);
    }
    matrix[15] = 1.0;
    matrix
}
