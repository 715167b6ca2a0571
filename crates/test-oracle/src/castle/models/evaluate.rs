//! What a movie shows at any time.

use super::scene::{Frame, Kind, Movie, Node, Primitive, Scene};
use crate::math::{
    IDENTITY, Mat4, lerp, mul, rotation, scaling, slerp, transform_point, translation, weighted_sum,
};

/// Geometry in scene space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    pub triangles: Vec<[[f64; 3]; 3]>,
    pub lines: Vec<[[f64; 3]; 2]>,
    pub points: Vec<[f64; 3]>,
}

impl Movie {
    /// Whether the frames `first` and `first + 1` are blended.
    pub fn blends(&self, first: usize) -> bool {
        let (a, b) = (&self.frames[first], &self.frames[first + 1]);
        a.kind == b.kind && a.scene.structure() == b.scene.structure()
    }

    /// Whether all frames are blended with the next.
    pub fn is_even(&self) -> bool {
        (1..self.frames.len()).all(|next| self.blends(next - 1))
    }

    /// Returns the number of primitives that the first frame shows.
    pub fn parts(&self) -> usize {
        let scene = &self.frames[0].scene;
        let primitives = scene.visible().into_iter().filter_map(|node| scene.nodes[node].mesh);
        primitives.map(|mesh| scene.meshes[mesh].primitives.len()).sum()
    }

    /// Returns the geometry at a time in seconds, as in the file.
    pub fn shown_at(&self, time: f64) -> Shown {
        let started = self.times.iter().filter(|start| **start <= time).count();
        let first = started.saturating_sub(1);
        let last = first + 1 == self.frames.len();
        if started == 0 || last || !self.blends(first) {
            return self.frames[first].shown(&self.frames[first], 0.0);
        }
        let u = (time - self.times[first]) / (self.times[first + 1] - self.times[first]);
        self.frames[first].shown(&self.frames[first + 1], u)
    }

    /// Returns the largest coordinate of any frame.
    pub fn size(&self) -> f64 {
        let all = self.frames.iter().map(|frame| frame.shown(frame, 0.0));
        let places = all.flat_map(|shown| {
            [shown.triangles.into_flattened(), shown.lines.into_flattened(), shown.points].concat()
        });
        places.flatten().fold(0.0, |most: f64, x| most.max(x.abs()))
    }
}

impl Frame {
    /// Returns the geometry part of the way to the next frame, which has the same structure.
    fn shown(&self, next: &Frame, u: f64) -> Shown {
        let (scene, after) = (&self.scene, &next.scene);
        let blended = scene.nodes.iter().zip(&after.nodes).map(|(a, b)| Node {
            translation: lerp(a.translation, b.translation, u),
            rotation: slerp(a.rotation, b.rotation, u),
            scale: lerp(a.scale, b.scale, u),
            ..a.clone()
        });
        let worlds = Scene { nodes: blended.collect(), ..scene.clone() }.worlds();
        let (from, to) = (scene.worlds(), after.worlds());
        let mut shown = Shown::default();
        for node in scene.visible() {
            let Some(mesh) = scene.nodes[node].mesh else { continue };
            for number in 0..scene.meshes[mesh].primitives.len() {
                let a = scene.rest(node, number, &from);
                let b = after.rest(node, number, &to);
                let world = if scene.nodes[node].skinned { IDENTITY } else { worlds[node] };
                let places: Vec<[f64; 3]> = a
                    .iter()
                    .zip(&b)
                    .map(|(a, b)| transform_point(&world, lerp(*a, *b, u)))
                    .collect();
                shown.add(&scene.meshes[mesh].primitives[number], &places);
            }
        }
        shown
    }
}

impl Shown {
    fn add(&mut self, primitive: &Primitive, places: &[[f64; 3]]) {
        let all: Vec<usize> = (0..places.len()).collect();
        let corners: Vec<[f64; 3]> =
            primitive.indices.as_ref().unwrap_or(&all).iter().map(|i| places[*i]).collect();
        match primitive.mode {
            0 => self.points.extend(corners),
            1 => self.lines.extend(corners.chunks_exact(2).map(|c| [c[0], c[1]])),
            2 | 3 => {
                self.lines.extend(corners.windows(2).map(|c| [c[0], c[1]]));
                if primitive.mode == 2 {
                    self.lines.push([corners[corners.len() - 1], corners[0]]);
                }
            }
            4 => self.triangles.extend(corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]])),
            5 => self.triangles.extend(corners.windows(3).map(|c| [c[0], c[1], c[2]])),
            _ => self.triangles.extend(corners[1..].windows(2).map(|c| [corners[0], c[0], c[1]])),
        }
    }
}

impl Scene {
    /// Everything that must be equal for two scenes to be blended.
    fn structure(&self) -> String {
        let mut text = format!("{:?}", self.roots);
        for node in &self.nodes {
            text += &format!("{:?}", (&node.name, &node.children, node.mesh, node.skinned));
        }
        for primitive in self.meshes.iter().flat_map(|mesh| &mesh.primitives) {
            text += &format!(
                "{:?}",
                (primitive.mode, primitive.points.len(), primitive.normals, &primitive.indices)
            );
        }
        text
    }

    /// Returns the nodes below the roots.
    pub(super) fn visible(&self) -> Vec<usize> {
        let mut found = self.roots.clone();
        let mut next = 0;
        while let Some(node) = found.get(next) {
            found.extend(self.nodes[*node].children.clone());
            next += 1;
        }
        found
    }

    /// Returns the matrix of each node to scene space.
    pub(super) fn worlds(&self) -> Vec<Mat4> {
        let mut worlds = vec![IDENTITY; self.nodes.len()];
        let mut open: Vec<(usize, Mat4)> =
            self.roots.iter().map(|root| (*root, IDENTITY)).collect();
        while let Some((node, above)) = open.pop() {
            worlds[node] = mul(&above, &self.nodes[node].local());
            open.extend(self.nodes[node].children.iter().map(|child| (*child, worlds[node])));
        }
        worlds
    }

    /// Returns the points of a primitive of a node's mesh at rest: in scene space if the mesh is
    /// skinned, otherwise relative to the node.
    pub(super) fn rest(&self, node: usize, primitive: usize, worlds: &[Mat4]) -> Vec<[f64; 3]> {
        let node = &self.nodes[node];
        let mesh = &self.meshes[node.mesh.unwrap()];
        let primitive = &mesh.primitives[primitive];
        let weights = node.weights.as_ref().unwrap_or(&mesh.weights);
        let morphed = |point: usize| {
            let targets = primitive.targets.iter().zip(weights);
            let parts = targets.map(|(target, weight)| (target[point], *weight));
            weighted_sum(parts.chain([(primitive.points[point], 1.0)]))
        };
        let points: Vec<[f64; 3]> = (0..primitive.points.len()).map(morphed).collect();
        let (Some(joints), Some(skin), true) = (&primitive.joints, &self.skin, node.skinned) else {
            return points;
        };
        let matrix = |joint: usize| {
            let inverse = skin.inverses.as_ref().map_or(IDENTITY, |all| all[joint]);
            mul(&worlds[skin.joints[joint]], &inverse)
        };
        let skinned = |(point, joints): (&[f64; 3], &[(usize, u8); 4])| {
            let part = |(joint, weight): &(usize, u8)| {
                (transform_point(&matrix(*joint), *point), f64::from(*weight) / 255.0)
            };
            weighted_sum(joints.iter().map(part))
        };
        points.iter().zip(joints).map(skinned).collect()
    }

    /// Returns a scene with one node for each primitive that is shown, without transforms: what an
    /// OBJ file holds.
    pub(super) fn flat(&self) -> Scene {
        let worlds = self.worlds();
        let mut flat = Scene::default();
        for node in self.visible() {
            let Some(mesh) = self.nodes[node].mesh else { continue };
            for (number, primitive) in self.meshes[mesh].primitives.iter().enumerate() {
                let world = if self.nodes[node].skinned { IDENTITY } else { worlds[node] };
                let places = self.rest(node, number, &worlds);
                let points = places.iter().map(|place| transform_point(&world, *place)).collect();
                let primitive =
                    Primitive { points, targets: Vec::new(), joints: None, ..primitive.clone() };
                let mut only = Node::new(format!("{}p{number}", self.nodes[node].name));
                only.mesh = Some(flat.meshes.len());
                flat.roots.push(flat.nodes.len());
                flat.nodes.push(only);
                flat.meshes
                    .push(super::scene::Mesh { primitives: vec![primitive], weights: Vec::new() });
            }
        }
        flat
    }
}

impl Node {
    pub(super) fn new(name: String) -> Node {
        Node {
            name,
            children: Vec::new(),
            translation: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            scale: [1.0; 3],
            mesh: None,
            skinned: false,
            weights: None,
        }
    }

    pub(super) fn local(&self) -> Mat4 {
        let turned = mul(&rotation(self.rotation), &scaling(self.scale));
        mul(&translation(self.translation), &turned)
    }
}

impl Kind {
    /// Returns the scene as a frame of this kind holds it.
    pub(super) fn held(self, scene: &Scene) -> Scene {
        if self == Kind::Obj { scene.flat() } else { scene.clone() }
    }
}
