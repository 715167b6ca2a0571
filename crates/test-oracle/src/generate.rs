//! Deterministic random files: small ones of every dialect that use all that the notes' table and
//! readings list, and big ones for measurements.
//!
//! The same arguments always give the same bytes. What the notes leave open is not written: a clip
//! without keys, a comment behind a name, a joint that a `k` gives a position but no rotation
//! although it has rotations elsewhere, two `k` of one time that leave out different joints, two
//! rotations of a joint that are half a turn apart.

use crate::amo::{Dialect, has_cycle};
use crate::math::slerp;

/// A small generator of pseudo-random numbers (splitmix64).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator that gives the same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Any 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A whole number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next_u64()) * end as u128) >> 64) as usize
    }

    /// A whole number from `start` to `end`, both included.
    pub fn between(&mut self, start: usize, end: usize) -> usize {
        start + self.below(end - start + 1)
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A number from `start` to below `end`.
    pub fn range(&mut self, start: f64, end: f64) -> f64 {
        let unit = (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        start + (end - start) * unit
    }

    /// One of the items.
    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// Puts the items in a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// A direction as a vector of length 1.
    fn direction(&mut self) -> [f64; 3] {
        loop {
            let v = [0, 1, 2].map(|_| self.range(-1.0, 1.0));
            let length = dot(v, v).sqrt();
            if length > 0.1 && length <= 1.0 {
                return v.map(|x| x / length);
            }
        }
    }

    /// A quaternion x y z w that turns by up to `degrees` about any axis.
    fn turn(&mut self, degrees: f64) -> [f64; 4] {
        let [x, y, z] = self.direction();
        let (sin, cos) = (self.range(0.0, degrees).to_radians() / 2.0).sin_cos();
        [x * sin, y * sin, z * sin, cos]
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn quaternion_product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let (va, vb) = ([a[0], a[1], a[2]], [b[0], b[1], b[2]]);
    let c = cross(va, vb);
    [
        a[3] * vb[0] + b[3] * va[0] + c[0],
        a[3] * vb[1] + b[3] * va[1] + c[1],
        a[3] * vb[2] + b[3] * va[2] + c[2],
        a[3] * b[3] - dot(va, vb),
    ]
}

struct Joint {
    name: String,
    parent: Option<usize>,
    /// Column-major.
    rest: Option<[f64; 16]>,
}

#[derive(Clone)]
struct Corner {
    position: usize,
    texcoord: Option<usize>,
    normal: Option<usize>,
    /// Which `vj` and which `vw`.
    skin: Option<(usize, usize)>,
}

#[derive(Clone, Copy)]
enum Value {
    Position([f64; 3]),
    Rotation([f64; 4]),
}

/// What a file says of one moment: one key in D0 and D1, one `k` in D2 and D3.
#[derive(Clone)]
struct Moment {
    /// As text, in the dialect's unit.
    time: String,
    keys: Vec<(usize, Value)>,
}

struct Clip {
    name: String,
    /// Milliseconds, where the file has them.
    duration: Option<usize>,
    moments: Vec<Moment>,
}

/// What is written, before it is known how.
struct Scene {
    dialect: Dialect,
    joints: Vec<Joint>,
    positions: Vec<[f64; 3]>,
    texcoords: Vec<[f64; 2]>,
    normals: Vec<[f64; 3]>,
    vertex_joints: Vec<Vec<Option<usize>>>,
    vertex_weights: Vec<Vec<f64>>,
    faces: Vec<Vec<Corner>>,
    clips: Vec<Clip>,
}

/// A random well-formed file of a dialect, different for every seed.
///
/// All features of the notes' table and readings occur, each in some of the files: one to eight
/// joints (none in one of twelve [`Dialect::Counted`] files) in any order, several clips, keys of
/// either kind at their own times or of one kind only, unsorted and doubled ones, unused joints,
/// weights that do not sum to 1 (D2, D3) or are all 0, rest matrices with scale and shear (D2, D3),
/// five weights (D2), polygons of three to six corners and negative indices (not in D3), the other
/// lines of D2 and D3, comments, all line ends.
pub fn amo(dialect: Dialect, seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed.wrapping_mul(8).wrapping_add(dialect as u64));
    let scene = Scene::new(dialect, &mut rng);
    let mut writer = Writer::new(dialect, &mut rng);
    if dialect == Dialect::Counted {
        writer.counted(&scene);
    } else {
        writer.lines(&scene);
    }
    writer.finish()
}

impl Scene {
    fn new(dialect: Dialect, rng: &mut Rng) -> Self {
        let rigged = dialect != Dialect::Counted || rng.below(12) != 0;
        let joints = if rigged { random_joints(dialect, rng) } else { Vec::new() };
        let mut scene = Self {
            dialect,
            joints,
            positions: Vec::new(),
            texcoords: Vec::new(),
            normals: Vec::new(),
            vertex_joints: Vec::new(),
            vertex_weights: Vec::new(),
            faces: Vec::new(),
            clips: Vec::new(),
        };
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

    /// Adds `vj` and `vw` and gives the pairs of them that fit together.
    fn add_weights(&mut self, rng: &mut Rng) -> Vec<(usize, usize)> {
        let loose = matches!(self.dialect, Dialect::Lines | Dialect::Counted);
        let entries = if self.dialect == Dialect::Lines && rng.chance(25) { 5 } else { 4 };
        // In random order, so that a pair's two numbers differ.
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
        let mut pairs = Vec::new();
        for (joint_row, (row, _)) in joint_rows.iter().enumerate() {
            for (weight_row, (of, _)) in weight_rows.iter().enumerate() {
                if row == of {
                    pairs.push((joint_row, weight_row));
                }
            }
        }
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
                // The positions of an earlier face with other attributes (reading 10).
                let face = rng.below(self.faces.len());
                self.faces[face].iter().map(|c| c.position).collect()
            } else {
                self.add_polygon(rng)
            };
            // The specification's faces all have five slots; those of plain OBJ may have fewer.
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

    /// Adds the corners of a plane convex polygon and gives their numbers.
    fn add_polygon(&mut self, rng: &mut Rng) -> Vec<usize> {
        let corners = if self.dialect == Dialect::Counted { 3 } else { rng.between(3, 6) };
        let centre = [0, 1, 2].map(|_| rng.range(-2.0, 2.0));
        let normal = rng.direction();
        let across = loop {
            let across = cross(normal, rng.direction());
            let length = dot(across, across).sqrt();
            if length > 0.2 {
                break across.map(|x| x / length);
            }
        };
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

    /// Editamo gives every corner its own number, the same one in all slots.
    fn split_corners(&mut self) {
        let (mut positions, mut texcoords, mut normals) = (Vec::new(), Vec::new(), Vec::new());
        let (mut vertex_joints, mut vertex_weights) = (Vec::new(), Vec::new());
        for (number, corner) in self.faces.iter_mut().flatten().enumerate() {
            let (joints, weights) = corner.skin.unwrap();
            positions.push(self.positions[corner.position]);
            texcoords.push(self.texcoords[corner.texcoord.unwrap()]);
            normals.push(self.normals[corner.normal.unwrap()]);
            vertex_joints.push(self.vertex_joints[joints].clone());
            vertex_weights.push(self.vertex_weights[weights].clone());
            *corner = Corner {
                position: number,
                texcoord: Some(number),
                normal: Some(number),
                skin: Some((number, number)),
            };
        }
        self.positions = positions;
        self.texcoords = texcoords;
        self.normals = normals;
        self.vertex_joints = vertex_joints;
        self.vertex_weights = vertex_weights;
    }

    fn add_clip(&mut self, rng: &mut Rng) {
        let name = match self.clips.last() {
            // Two clips of one name (reading 8).
            Some(clip) if rng.chance(10) => clip.name.clone(),
            _ => rng
                .pick(&[
                    "idle",
                    "Walk",
                    "walk cycle",
                    "Some Other Rig.002Action",
                    "a.b",
                    "Sprung#2",
                ])
                .to_owned(),
        };
        let clip = if matches!(self.dialect, Dialect::Lines | Dialect::Counted) {
            self.clip_of_poses(name, rng)
        } else {
            self.clip_of_keys(name, rng)
        };
        self.clips.push(clip);
    }

    /// For every joint whether a clip moves and whether it turns it; at least one of them.
    fn kinds(&self, together: bool, rng: &mut Rng) -> Vec<(bool, bool)> {
        let mut kinds: Vec<(bool, bool)> = self
            .joints
            .iter()
            .map(|_| match rng.below(10) {
                0 | 1 => (false, false),
                2 | 3 if !together => (true, false),
                4 | 5 if !together => (false, true),
                _ => (true, true),
            })
            .collect();
        if kinds.iter().all(|&kind| kind == (false, false)) {
            let joint = rng.below(kinds.len());
            kinds[joint] = (true, true);
        }
        kinds
    }

    /// D0 and D1: every joint has its own times, and both kinds of keys have theirs.
    fn clip_of_keys(&self, name: String, rng: &mut Rng) -> Clip {
        let mut moments = Vec::new();
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
                        let position = [0, 1, 2].map(|_| rng.range(-2.0, 2.0));
                        Value::Position(if rng.chance(20) {
                            position.map(f64::round)
                        } else {
                            position
                        })
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
                        moments
                            .push(Moment { time: time.clone(), keys: vec![(joint, value(rng))] });
                    }
                }
            }
        }
        if rng.chance(40) {
            rng.shuffle(&mut moments);
        }
        Clip { name, duration: None, moments }
    }

    /// D2 and D3: every `k` has all joints of the clip, or leaves some out.
    fn clip_of_poses(&self, name: String, rng: &mut Rng) -> Clip {
        let counted = self.dialect == Dialect::Counted;
        // All clips of a file count their time in the same way.
        let in_frames = match self.clips.first() {
            Some(clip) => clip.duration.is_none(),
            None => !counted && rng.chance(35),
        };
        let duration = (!in_frames).then(|| rng.between(250, 4000));
        let kinds = self.kinds(counted, rng);
        let leaves_out = rng.chance(50);
        let bases: Vec<[f64; 4]> = kinds
            .iter()
            // What is left out is the identity: nothing may be far from it then.
            .map(|_| if leaves_out { [0.0, 0.0, 0.0, 1.0] } else { rng.turn(180.0) })
            .collect();
        let mut moments = Vec::new();
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
                moments.push(Moment { time: time.clone(), keys });
            }
        }
        if moments.iter().all(|moment| moment.keys.is_empty()) {
            let joint = (0..kinds.len()).find(|&joint| kinds[joint] != (false, false));
            let joint = joint.unwrap();
            // A new last moment, so that no other of its time leaves out what it has.
            let mut last = moments[moments.len() - 1].clone();
            last.time = if in_frames { "40.0000" } else { "1.000000" }.to_owned();
            last.keys = vec![
                (joint, Value::Position([0.25, 0.5, -0.125])),
                (joint, Value::Rotation(near(bases[joint], rng))),
            ];
            moments.push(last);
        }
        if rng.chance(20) {
            rng.shuffle(&mut moments);
        }
        Clip { name, duration, moments }
    }
}

/// A rotation at most 75 degrees from another one, of any sign and sometimes too short (reading 7).
fn near(base: [f64; 4], rng: &mut Rng) -> [f64; 4] {
    let turn = quaternion_product(base, rng.turn(75.0));
    let length = if rng.chance(15) { rng.range(0.7, 1.0) } else { 1.0 };
    let sign = if rng.chance(25) { -1.0 } else { 1.0 };
    turn.map(|x| x * length * sign)
}

/// Up to `count` different whole numbers below `end`, ascending.
fn random_times(from_zero: bool, count: usize, end: usize, rng: &mut Rng) -> Vec<usize> {
    let mut times: Vec<usize> = (0..count).map(|_| rng.below(end)).collect();
    if from_zero {
        times[0] = 0;
    }
    times.sort_unstable();
    times.dedup();
    times
}

/// Weights for the used slots; `loose` ones need not sum to 1 and may stand on unused slots as
/// well.
fn random_weights(slots: &[Option<usize>], loose: bool, rng: &mut Rng) -> Vec<f64> {
    if rng.chance(8) {
        return vec![0.0; slots.len()];
    }
    if loose {
        let on_unused = rng.chance(15);
        let mut weights: Vec<f64> = slots
            .iter()
            .map(|slot| if slot.is_some() || on_unused { rng.range(0.05, 1.0) } else { 0.0 })
            .collect();
        if rng.chance(60) {
            let length = weights.iter().map(|x| x * x).sum::<f64>().sqrt();
            weights.iter_mut().for_each(|x| *x /= length);
        }
        return weights;
    }
    // In steps of 1/10000, so that the sum is 1 as written.
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
    // Every joint of a first list has its parent before it; the file's order is another one,
    // sometimes the same.
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
            name: if bare {
                String::new()
            } else {
                match family {
                    0 => format!("Joint_{i}"),
                    1 => format!("Bone.{i:03}"),
                    2 => format!("left arm.H.{i:03}.L"),
                    // Numbers would be ambiguous where numbers may follow.
                    3 if rest_kind.is_none() && dialect != Dialect::Lines => format!("Bone {i}"),
                    3 => format!("elbow.{i}.R"),
                    _ if dialect == Dialect::Counted => format!("Gelenk.{i}"),
                    _ => format!("K\u{f6}rper#{i}"),
                }
            },
            parent,
            rest: rest_kind.map(|kind| random_rest(kind, rng)),
        })
        .collect()
}

/// 0: nothing but a translation, 1: rotated, 2: scaled as well, 3: sheared as well.
fn random_rest(kind: usize, rng: &mut Rng) -> [f64; 16] {
    let offset = [0, 1, 2].map(|_| rng.range(-0.8, 0.8));
    let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    if kind > 0 {
        let x = rng.direction();
        let y = loop {
            let y = cross(x, rng.direction());
            let length = dot(y, y).sqrt();
            if length > 0.2 {
                break y.map(|c| c / length);
            }
        };
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

/// How numbers look.
#[derive(Clone, Copy)]
enum Decimals {
    /// Always so many digits behind the point, as `printf` has them.
    Fixed(usize),
    /// As many as it takes, at most six.
    Short,
    /// As before, and now and then in a form that is rare but allowed.
    Any,
}

struct Writer<'a> {
    dialect: Dialect,
    rng: &'a mut Rng,
    text: String,
    decimals: Decimals,
    /// How many lines of a hundred get a comment, a blank line or blanks.
    noise: usize,
}

impl<'a> Writer<'a> {
    fn new(dialect: Dialect, rng: &'a mut Rng) -> Self {
        let decimals = match dialect {
            Dialect::Extobj | Dialect::Spec => Decimals::Any,
            Dialect::Editamo => Decimals::Short,
            Dialect::Lines => Decimals::Fixed(rng.pick(&[4, 6])),
            Dialect::Counted => Decimals::Fixed(6),
        };
        let noise = if dialect == Dialect::Counted { 0 } else { rng.pick(&[0, 5, 30]) };
        Self { dialect, rng, text: String::new(), decimals, noise }
    }

    fn number(&mut self, x: f64) -> String {
        let short = |x: f64| format!("{}", (x * 1e6).round() / 1e6);
        match self.decimals {
            Decimals::Fixed(digits) => format!("{x:.digits$}"),
            Decimals::Short => short(x),
            Decimals::Any => match self.rng.below(20) {
                0 => format!("{:e}", (x * 1e4).round() / 1e4),
                1 if x > 0.0 => format!("+{x:.5}"),
                2 if x > 0.0 && x < 1.0 => format!("{x:.4}").trim_start_matches('0').to_owned(),
                3 => format!("{x:.6}"),
                _ => short(x),
            },
        }
    }

    fn numbers(&mut self, values: &[f64]) -> String {
        let texts: Vec<String> = values.iter().map(|&x| self.number(x)).collect();
        texts.join(" ")
    }

    /// Weights keep all their digits: they have to sum to 1.
    fn weights(&mut self, values: &[f64]) -> String {
        let text = |&x: &f64| match self.decimals {
            Decimals::Fixed(digits) => format!("{x:.digits$}"),
            Decimals::Short | Decimals::Any => format!("{x}"),
        };
        values.iter().map(text).collect::<Vec<_>>().join(" ")
    }

    fn quaternion(&mut self, [x, y, z, w]: [f64; 4]) -> String {
        // One digit behind the point would make it another rotation.
        let decimals = self.decimals;
        if matches!(decimals, Decimals::Any) {
            self.decimals = Decimals::Short;
        }
        let text = match self.dialect {
            Dialect::Lines | Dialect::Counted => self.numbers(&[w, x, y, z]),
            Dialect::Extobj | Dialect::Spec | Dialect::Editamo => self.numbers(&[x, y, z, w]),
        };
        self.decimals = decimals;
        text
    }

    /// A line that may get a comment and other blanks.
    fn line(&mut self, line: &str) {
        if self.rng.chance(self.noise) {
            match self.rng.below(6) {
                0 => self.text.push('\n'),
                1 => self.text.push_str("# a comment, v 1 2 3\n"),
                2 => self.text.push_str("  "),
                3 => self.text.push('\t'),
                4 => {
                    // Not in lines whose rest is a name.
                    let keyword = line.split(' ').next().unwrap();
                    if matches!(keyword, "v" | "vt" | "vn" | "vj" | "vw" | "f" | "ap" | "ar") {
                        self.text.push_str(line);
                        self.text.push_str(" # 1 2 3\n");
                        return;
                    }
                }
                _ => {
                    if let Some(vertex) = line.strip_prefix("f ") {
                        self.text.push_str("f \\\n");
                        self.text.push_str(&vertex.replacen(' ', " \\\n  ", 1));
                        self.text.push('\n');
                        return;
                    }
                    if line.starts_with("v ") {
                        self.text.push_str(&line.replace(' ', "\t "));
                        self.text.push('\n');
                        return;
                    }
                }
            }
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A number of D1's `vj` or key, or of another dialect's.
    fn vertex_joint(&self, joint: Option<usize>, unused: i64) -> i64 {
        let first = match self.dialect {
            Dialect::Spec | Dialect::Editamo => 1,
            Dialect::Extobj | Dialect::Lines | Dialect::Counted => 0,
        };
        joint.map_or(unused, |joint| joint as i64 + first)
    }

    fn vertex_joints(&mut self, slots: &[Option<usize>]) -> String {
        let unused = match self.dialect {
            Dialect::Editamo => 1,
            Dialect::Spec if self.rng.chance(50) => 0,
            Dialect::Spec | Dialect::Extobj | Dialect::Lines | Dialect::Counted => -1,
        };
        let text = |&slot: &Option<usize>| self.vertex_joint(slot, unused).to_string();
        slots.iter().map(text).collect::<Vec<_>>().join(" ")
    }

    /// Everything but D3.
    fn lines(&mut self, scene: &Scene) {
        if self.dialect == Dialect::Editamo {
            self.text.push_str("#Generated by editamo\n");
        }
        if self.dialect == Dialect::Lines && self.rng.chance(15) {
            self.hand();
        }
        let bare = scene.joints.iter().all(|joint| joint.name.is_empty());
        let name = match self.dialect {
            Dialect::Extobj if self.rng.chance(50) => "o cube",
            Dialect::Lines => self.rng.pick(&["ao figure", "ao figure 3", "ao figure 1234"]),
            _ => self.rng.pick(&["ao cube", "ao my cube.001"]),
        };
        self.line(name);
        if self.dialect == Dialect::Extobj && (!bare || self.rng.chance(50)) {
            // With `jp` or `t` no face needs a 0 for the dialect to be known.
            self.line("t image.png");
        }
        if matches!(self.dialect, Dialect::Extobj | Dialect::Spec) && self.rng.chance(20) {
            self.line("mtllib cube.mtl");
        }
        let mut sections = ["mesh", "joints", "clips"];
        if self.rng.chance(25) {
            self.rng.shuffle(&mut sections);
        }
        for section in sections {
            match section {
                "mesh" => self.mesh_lines(scene),
                "joints" => self.joint_lines(scene),
                _ => self.clip_lines(scene),
            }
        }
        if self.dialect == Dialect::Lines {
            self.other_lines(scene);
        }
    }

    fn mesh_lines(&mut self, scene: &Scene) {
        let mut pending = Pending {
            counts: [
                scene.positions.len(),
                scene.texcoords.len(),
                scene.normals.len(),
                scene.vertex_joints.len(),
                scene.vertex_weights.len(),
            ],
            written: [0; 5],
        };
        // All elements first; or each face right after what it needs; or the faces first.
        let layout = self.rng.pick(&["first", "first", "first", "between", "behind"]);
        if layout == "first" {
            self.elements(scene, &mut pending, None);
        }
        if self.rng.chance(15) {
            let group = self.rng.pick(&["g all", "s off", "usemtl red"]);
            self.line(group);
        }
        for face in &scene.faces {
            if layout == "between" {
                self.elements(scene, &mut pending, Some(face));
            }
            self.face_line(face, &pending);
        }
        self.elements(scene, &mut pending, None);
    }

    /// Writes the elements up to those of a face, or all.
    fn elements(&mut self, scene: &Scene, pending: &mut Pending, face: Option<&[Corner]>) {
        let needed = |kind: usize| match face {
            None => pending.counts[kind],
            Some(face) => {
                let ends = face.iter().filter_map(|corner| Some(slots(corner)[kind]? + 1));
                ends.max().unwrap_or(0)
            }
        };
        let ends = [0, 1, 2, 3, 4].map(needed);
        let mut kinds = [0, 1, 2, 3, 4];
        if self.rng.chance(20) {
            self.rng.shuffle(&mut kinds);
        }
        for kind in kinds {
            while pending.written[kind] < ends[kind] {
                let line = self.element(scene, kind, pending.written[kind]);
                self.line(&line);
                pending.written[kind] += 1;
            }
        }
    }

    fn element(&mut self, scene: &Scene, kind: usize, i: usize) -> String {
        let plain = !matches!(self.dialect, Dialect::Extobj | Dialect::Spec);
        match kind {
            0 => {
                let more = if plain || self.rng.chance(90) {
                    ""
                } else {
                    self.rng.pick(&[" 1.0", " 0.5 0.25 1"])
                };
                format!("v {}{more}", self.numbers(&scene.positions[i]))
            }
            1 => {
                let more = if plain || self.rng.chance(90) { "" } else { " 0.5" };
                format!("vt {}{more}", self.numbers(&scene.texcoords[i]))
            }
            2 => format!("vn {}", self.numbers(&scene.normals[i])),
            3 => format!("vj {}", self.vertex_joints(&scene.vertex_joints[i])),
            _ => format!("vw {}", self.weights(&scene.vertex_weights[i])),
        }
    }

    fn face_line(&mut self, face: &[Corner], pending: &Pending) {
        let negative = self.rng.chance(20);
        let mut line = "f".to_owned();
        for corner in face {
            let slots = slots(corner);
            let last = slots.iter().rposition(Option::is_some).unwrap();
            let mut text = Vec::new();
            for (slot, index) in slots.iter().enumerate().take(last + 1) {
                let first = usize::from(self.dialect != Dialect::Extobj || slot < 3);
                let written = pending.written[slot];
                text.push(match *index {
                    None => String::new(),
                    Some(index) if negative && index < written && self.rng.chance(70) => {
                        format!("-{}", written - index)
                    }
                    Some(index) => (index + first).to_string(),
                });
            }
            line.push(' ');
            line.push_str(&text.join("/"));
        }
        if self.dialect == Dialect::Lines {
            line.push(' ');
        }
        self.line(&line);
    }

    fn joint_lines(&mut self, scene: &Scene) {
        let one_based = match self.dialect {
            Dialect::Lines => true,
            // 0-based parents are recognised where one of them is 0, or the 1-based reading goes in
            // a circle.
            Dialect::Spec => {
                let parents = scene.joints.iter().map(|joint| joint.parent);
                let one_based: Vec<Option<usize>> =
                    parents.clone().map(|p| p?.checked_sub(1)).collect();
                let recognised = parents.flatten().any(|p| p == 0) || has_cycle(&one_based);
                !recognised || self.rng.chance(70)
            }
            Dialect::Extobj | Dialect::Editamo | Dialect::Counted => false,
        };
        // For some days the exporter wrote a point behind the matrix. It is told from the matrix by
        // counting, which works for names without blanks.
        let point =
            scene.joints.iter().all(|joint| !joint.name.contains(' ')) && self.rng.chance(10);
        for joint in &scene.joints {
            let parent = joint.parent.map_or(-1, |parent| parent as i64 + i64::from(one_based));
            let mut line = if joint.name.is_empty() {
                format!("jp {parent}")
            } else {
                format!("j {} {parent}", joint.name)
            };
            if let Some(rest) = &joint.rest {
                line.push_str(&format!(" {} ", joined(rest)));
                if point {
                    line.push_str("0.250000 -0.500000 1.000000 ");
                }
            }
            self.line(&line);
        }
    }

    fn clip_lines(&mut self, scene: &Scene) {
        // Keys before the first `a` make an unnamed clip (reading 8).
        let unnamed = match self.dialect {
            Dialect::Extobj => self.rng.chance(30),
            Dialect::Spec => self.rng.chance(5),
            Dialect::Editamo | Dialect::Lines | Dialect::Counted => false,
        };
        let counted = self.rng.chance(50);
        for (i, clip) in scene.clips.iter().enumerate() {
            if i > 0 || !unnamed {
                match clip.duration {
                    Some(duration) => self.line(&format!("a {} {duration}", clip.name)),
                    None => self.line(&format!("a {}", clip.name)),
                }
            }
            for moment in &clip.moments {
                self.moment_lines(moment, counted);
            }
        }
    }

    fn moment_lines(&mut self, moment: &Moment, counted: bool) {
        let time = &moment.time;
        let in_lines = self.dialect == Dialect::Lines;
        if in_lines {
            let mut joints: Vec<usize> = moment.keys.iter().map(|key| key.0).collect();
            joints.sort_unstable();
            joints.dedup();
            if counted {
                self.line(&format!("k {time} {}", joints.len()));
            } else {
                self.line(&format!("k {time}"));
            }
        }
        for &(joint, value) in &moment.keys {
            let joint = match self.dialect {
                Dialect::Extobj | Dialect::Counted => joint,
                Dialect::Spec | Dialect::Editamo | Dialect::Lines => joint + 1,
            };
            let (keyword, value) = match value {
                Value::Position(position) => ("ap", self.numbers(&position)),
                Value::Rotation(rotation) => ("ar", self.quaternion(rotation)),
            };
            if in_lines {
                self.line(&format!("{keyword} {joint} {value}"));
            } else {
                self.line(&format!("{keyword} {time} {joint} {value}"));
            }
        }
    }

    /// What D2 has besides, none of which moves anything.
    fn other_lines(&mut self, scene: &Scene) {
        if self.rng.chance(40) {
            let keyword = self.rng.pick(&["bb", "bp", "bc"]);
            self.extra_line(keyword, 6);
        }
        if self.rng.chance(40) {
            self.extra_line("ne", 6);
        }
        if self.rng.chance(30) {
            for position in scene.positions.iter().take(3) {
                let row = joined(position);
                self.line(&format!("cv {row}"));
            }
            self.line("ci 3 2 1 ");
        }
        if self.rng.chance(30) {
            self.extra_line("rb 1", 15);
        }
        if self.rng.chance(20) {
            self.line("hh 2");
            self.extra_line("ih 0 1", 6);
        }
        if self.rng.chance(50) {
            self.line("end");
        }
    }

    fn extra_line(&mut self, head: &str, count: usize) {
        let line = self.extra(head, count);
        self.line(&line);
    }

    /// A keyword or a number, and so many numbers behind it.
    fn extra(&mut self, head: &str, count: usize) -> String {
        let mut line = head.to_owned();
        for _ in 0..count {
            line.push_str(&format!(" {:.6}", self.rng.range(-2.0, 2.0)));
        }
        line
    }

    /// The block of a `.hnd` file.
    fn hand(&mut self) {
        self.text.push_str("hnd tool\nphk 0\n");
        for keyword in ["pos", "hok 1", "hok 0", "apo", "adi", "bof"] {
            let line = self.extra(keyword, 3);
            self.text.push_str(&line);
            self.text.push_str(" \n");
        }
        self.text.push_str("end\n");
    }

    /// D3.
    fn counted(&mut self, scene: &Scene) {
        if self.rng.chance(15) {
            self.hand();
        }
        self.line("ao figure 4321");
        for (keyword, count) in [
            ("v", scene.positions.len()),
            ("vt", scene.texcoords.len()),
            ("vn", scene.normals.len()),
            ("vj", scene.vertex_joints.len()),
            ("vw", scene.vertex_weights.len()),
        ] {
            if count == 0 {
                continue;
            }
            self.line(&format!("{keyword} {count}"));
            for i in 0..count {
                let row = match keyword {
                    "v" => joined(&scene.positions[i]),
                    "vt" => joined(&scene.texcoords[i]),
                    "vn" => joined(&scene.normals[i]),
                    "vj" => self.vertex_joints(&scene.vertex_joints[i]),
                    _ => joined(&scene.vertex_weights[i]),
                };
                self.line(&row);
            }
        }
        self.line(&format!("f {}", scene.faces.len()));
        for face in &scene.faces {
            let mut row = String::new();
            for index in face.iter().flat_map(slots).flatten() {
                row.push_str(&format!("{index} "));
            }
            self.line(&row);
        }
        if !scene.joints.is_empty() {
            self.line(&format!("j {}", scene.joints.len()));
            for joint in &scene.joints {
                let parent = joint.parent.map_or(-1, |parent| parent as i64);
                let rest = joined(&joint.rest.unwrap());
                self.line(&format!("{} {parent} {rest} ", joint.name));
            }
            self.line(&format!("a {}", scene.clips.len()));
            for clip in &scene.clips {
                self.counted_clip(clip);
            }
        }
        self.other_blocks(scene);
        self.line("end");
    }

    fn counted_clip(&mut self, clip: &Clip) {
        let duration = clip.duration.unwrap();
        self.line(&format!("an {} {duration} {}", clip.name, clip.moments.len()));
        for moment in &clip.moments {
            // Both kinds of a joint are in one row.
            let mut rows = Vec::new();
            for &(joint, value) in &moment.keys {
                let Value::Position(position) = value else {
                    continue;
                };
                let rotation = moment.keys.iter().find_map(|&(of, value)| match value {
                    Value::Rotation(rotation) if of == joint => Some(rotation),
                    _ => None,
                });
                let rotation = self.quaternion(rotation.unwrap());
                rows.push(format!("{joint} {} {rotation}", joined(&position)));
            }
            self.line(&format!("k {} {}", moment.time, rows.len()));
            for row in rows {
                self.line(&row);
            }
        }
    }

    /// What D3 has besides, none of which moves anything.
    fn other_blocks(&mut self, scene: &Scene) {
        if self.rng.chance(30) && !scene.joints.is_empty() {
            self.line("hk 1");
            self.extra_line("0 0", 22);
        }
        if self.rng.chance(40) {
            self.extra_line("bb", 6);
        }
        if self.rng.chance(40) {
            self.extra_line("ne", 6);
        }
        if self.rng.chance(30) {
            self.line("cv 3");
            for position in scene.positions.iter().take(3) {
                self.line(&joined(position));
            }
            self.line("ci 1");
            self.line("2 1 0 ");
        }
        if self.rng.chance(30) && !scene.joints.is_empty() {
            self.line("rb 1");
            self.extra_line("0", 15);
        }
    }

    /// The text with one of the allowed line ends and encodings.
    fn finish(self) -> Vec<u8> {
        let Self { dialect, rng, mut text, .. } = self;
        if rng.chance(10) {
            text.truncate(text.trim_end().len());
        }
        match rng.below(40) {
            0..4 => text = text.replace('\n', "\r\n"),
            4 => text = text.replace('\n', "\r"),
            5 if dialect != Dialect::Editamo => text.insert(0, '\u{feff}'),
            // What is in the names fits into Latin-1.
            6..9 => return text.chars().map(|c| c as u32 as u8).collect(),
            _ => {}
        }
        text.into_bytes()
    }
}

/// Which elements of a line dialect are written already: v, vt, vn, vj, vw.
struct Pending {
    counts: [usize; 5],
    written: [usize; 5],
}

fn slots(corner: &Corner) -> [Option<usize>; 5] {
    [
        Some(corner.position),
        corner.texcoord,
        corner.normal,
        corner.skin.map(|skin| skin.0),
        corner.skin.map(|skin| skin.1),
    ]
}

/// Numbers with six digits behind the point and blanks between them.
fn joined(values: &[f64]) -> String {
    let texts: Vec<String> = values.iter().map(|x| format!("{x:.6}")).collect();
    texts.join(" ")
}

/// Appends to bytes without allocating.
struct Bytes(Vec<u8>);

impl Bytes {
    fn text(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    fn integer(&mut self, mut n: usize) {
        let mut digits = [0; 20];
        let mut start = digits.len();
        loop {
            start -= 1;
            digits[start] = b'0' + (n % 10) as u8;
            n /= 10;
            if n == 0 {
                break;
            }
        }
        self.0.extend_from_slice(&digits[start..]);
    }

    /// A blank and a number of millionths.
    fn millionths(&mut self, n: i64) {
        self.0.push(b' ');
        if n < 0 {
            self.0.push(b'-');
        }
        let n = n.unsigned_abs() as usize;
        self.integer(n / 1_000_000);
        self.0.push(b'.');
        let mut fraction = n % 1_000_000;
        let mut digits = [0; 6];
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (fraction % 10) as u8;
            fraction /= 10;
        }
        self.0.extend_from_slice(&digits);
    }

    fn random(&mut self, rng: &mut Rng, limit: usize) {
        self.millionths(rng.below(2 * limit) as i64 - limit as i64);
    }

    fn float(&mut self, x: f64) {
        self.millionths((x * 1e6).round() as i64);
    }
}

const LARGE_JOINTS: usize = 32;

/// Appends `count` vertices: all `v`, all `vt`, all `vn`, and if `rigged` all `vj` and all `vw`.
fn large_vertices(out: &mut Bytes, rng: &mut Rng, count: usize, rigged: bool) {
    for _ in 0..count {
        out.text("v");
        for _ in 0..3 {
            out.random(rng, 10_000_000);
        }
        out.text("\n");
    }
    for _ in 0..count {
        out.text("vt");
        for _ in 0..2 {
            out.millionths(rng.below(1_000_000) as i64);
        }
        out.text("\n");
    }
    for _ in 0..count {
        let normal = rng.direction();
        out.text("vn");
        for x in normal {
            out.float(x);
        }
        out.text("\n");
    }
    if !rigged {
        return;
    }
    // One to four joints in turn; the weights are in the same turn.
    for vertex in 0..count {
        let used = vertex % 4 + 1;
        let first = rng.below(LARGE_JOINTS);
        out.text("vj");
        for slot in 0..4 {
            out.text(" ");
            let joint = (first + 5 * slot) % LARGE_JOINTS + 1;
            out.integer(if slot < used { joint } else { 0 });
        }
        out.text("\n");
    }
    for vertex in 0..count {
        let used = vertex % 4 + 1;
        let mut left = 1_000_000;
        out.text("vw");
        for slot in 0..4 {
            let weight = if slot + 1 == used {
                left
            } else if slot < used {
                rng.below(left + 1)
            } else {
                0
            };
            out.millionths(weight as i64);
            left -= weight;
        }
        out.text("\n");
    }
}

/// How many vertices fit into so many bytes, at least three.
fn large_vertex_count(bytes: usize, rng: &Rng, rigged: bool) -> usize {
    const SAMPLE: usize = 256;
    let mut sample = Bytes(Vec::new());
    large_vertices(&mut sample, &mut rng.clone(), SAMPLE, rigged);
    (bytes * SAMPLE / sample.0.len()).max(3)
}

/// The three vertices (from 0) of the `n`-th triangle: each vertex is used in some six triangles,
/// as in a closed mesh.
fn large_triangle(n: usize, vertices: usize) -> [usize; 3] {
    let width = vertices.isqrt().max(1);
    let first = n / 2 % vertices;
    let step = if n.is_multiple_of(2) { [0, 1, width + 1] } else { [0, width + 1, width] };
    step.map(|step| (first + step) % vertices)
}

/// A file of the specification's dialect of about so many bytes: 45 % `v`, `vt`, `vn`, `vj` and
/// `vw` lines, 45 % triangles with five slots, 10 % keys of 32 joints. Every index is valid.
pub fn large_amo(bytes: usize) -> Vec<u8> {
    let mut rng = Rng::new(bytes as u64);
    let mut out = Bytes(Vec::with_capacity(bytes + 1024));
    out.text("# a large file\nao large\n");
    for joint in 0..LARGE_JOINTS {
        out.text("j joint_");
        out.integer(joint + 1);
        if joint == 0 {
            out.text(" -1\n");
        } else {
            out.text(" ");
            let parent = rng.below(joint) + 1;
            out.integer(parent);
            out.text("\n");
        }
    }
    let target = bytes * 45 / 100;
    let vertices = large_vertex_count(target.saturating_sub(out.0.len()), &rng, true);
    large_vertices(&mut out, &mut rng, vertices, true);

    let target = bytes * 90 / 100;
    let mut n = 0;
    while n == 0 || out.0.len() < target {
        out.text("f");
        for vertex in large_triangle(n, vertices) {
            // A seam: now and then another texture coordinate.
            let texcoord = if rng.below(16) == 0 { (vertex + 1) % vertices } else { vertex };
            out.text(" ");
            for (slot, index) in [vertex, texcoord, vertex, vertex, vertex].iter().enumerate() {
                if slot > 0 {
                    out.text("/");
                }
                out.integer(index + 1);
            }
        }
        out.text("\n");
        n += 1;
    }

    let turns: Vec<[f64; 4]> = (0..2 * LARGE_JOINTS).map(|_| rng.turn(120.0)).collect();
    let mut frame = 0;
    while frame == 0 || out.0.len() < bytes {
        // Ten seconds to a clip.
        let of_clip = frame % 300;
        if of_clip == 0 {
            out.text("a clip_");
            out.integer(frame / 300 + 1);
            out.text("\n");
        }
        let part = 0.5 - 0.5 * (of_clip as f64 / 30.0).cos();
        for joint in 0..LARGE_JOINTS {
            out.text("ap");
            out.float(of_clip as f64 / 30.0);
            out.text(" ");
            out.integer(joint + 1);
            for _ in 0..3 {
                out.random(&mut rng, 500_000);
            }
            out.text("\nar");
            out.float(of_clip as f64 / 30.0);
            out.text(" ");
            out.integer(joint + 1);
            for x in slerp(turns[2 * joint], turns[2 * joint + 1], part) {
                out.float(x);
            }
            out.text("\n");
        }
        frame += 1;
    }
    out.0
}

/// A plain OBJ file of about so many bytes: half of it `v`, `vt` and `vn` lines, half triangles
/// `a/b/c`, with some `o`, `g` and `usemtl` lines. Every index is valid.
pub fn large_obj(bytes: usize) -> Vec<u8> {
    let mut rng = Rng::new(bytes as u64 ^ 0x6f62_6a00);
    let mut out = Bytes(Vec::with_capacity(bytes + 1024));
    out.text("# a large file\nmtllib large.mtl\no large\n");
    let vertices = large_vertex_count((bytes / 2).saturating_sub(out.0.len()), &rng, false);
    large_vertices(&mut out, &mut rng, vertices, false);
    let mut n = 0;
    while n == 0 || out.0.len() < bytes {
        if n % 10_000 == 0 {
            out.text("g group_");
            out.integer(n / 10_000 + 1);
            out.text("\nusemtl material_");
            out.integer(n / 10_000 % 4 + 1);
            out.text("\n");
        }
        out.text("f");
        for vertex in large_triangle(n, vertices) {
            out.text(" ");
            for (slot, index) in [vertex, vertex, (vertex + 1) % vertices].iter().enumerate() {
                if slot > 0 {
                    out.text("/");
                }
                out.integer(index + 1);
            }
        }
        out.text("\n");
        n += 1;
    }
    out.0
}
