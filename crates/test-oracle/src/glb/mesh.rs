//! Meshes and their morph targets.

use gltf::Semantic;
use gltf::material::AlphaMode;
use gltf::mesh::Mode;

use super::accessor::{arrays, read_accessor};

#[derive(Clone, Debug)]
pub(super) struct Primitive {
    pub(super) mode: Mode,
    pub(super) positions: Vec<[f64; 3]>,
    /// For every morph target what it adds to the positions.
    pub(super) targets: Vec<Vec<[f64; 3]>>,
    pub(super) texcoords: Option<Vec<[f64; 2]>>,
    pub(super) normals: Option<Vec<[f64; 3]>>,
    /// Those of the vertices times that of the material.
    pub(super) colours: Vec<[f64; 4]>,
    pub(super) unlit: bool,
    pub(super) double_sided: bool,
    pub(super) blended: bool,
    /// For every vertex its joints, as numbers into the skin's, and their weights as stored.
    pub(super) influences: Option<Vec<[(usize, f64); 4]>>,
    /// The vertices in the order of the indices, or all of them.
    pub(super) indices: Vec<usize>,
}

impl Primitive {
    pub(super) fn new(primitive: &gltf::Primitive<'_>, bin: &[u8]) -> Self {
        let attribute = |semantic: Semantic| {
            let accessor = primitive.get(&semantic)?;
            Some(read_accessor(&accessor, bin))
        };
        let positions: Vec<[f64; 3]> =
            arrays(&attribute(Semantic::Positions).expect("a primitive's positions"));
        let count = positions.len();
        let texcoords = attribute(Semantic::TexCoords(0)).map(|elements| arrays(&elements));
        let normals = attribute(Semantic::Normals).map(|elements| arrays(&elements));
        let material = primitive.material();
        let factor = material.pbr_metallic_roughness().base_color_factor().map(f64::from);
        let colours = match attribute(Semantic::Colors(0)) {
            // Without alpha it is 1.
            Some(elements) => elements
                .iter()
                .map(|e| std::array::from_fn(|i| factor[i] * e.get(i).copied().unwrap_or(1.0)))
                .collect(),
            None => vec![factor; count],
        };
        let influences = match (attribute(Semantic::Joints(0)), attribute(Semantic::Weights(0))) {
            (Some(joints), Some(weights)) => {
                assert_eq!((joints.len(), weights.len()), (count, count));
                let of_vertex = |(joints, weights): ([f64; 4], [f64; 4])| {
                    std::array::from_fn(|i| (joints[i] as usize, weights[i]))
                };
                Some(
                    arrays::<4>(&joints)
                        .into_iter()
                        .zip(arrays::<4>(&weights))
                        .map(of_vertex)
                        .collect(),
                )
            }
            (None, None) => None,
            _ => panic!("joints without weights or weights without joints"),
        };
        assert!(
            primitive.get(&Semantic::Joints(1)).is_none(),
            "more than four joints to a vertex are not supported"
        );
        let targets = primitive
            .morph_targets()
            .map(|target| match target.positions() {
                Some(accessor) => arrays(&read_accessor(&accessor, bin)),
                None => vec![[0.0; 3]; count],
            })
            .collect();
        let indices = match primitive.indices() {
            Some(accessor) => {
                read_accessor(&accessor, bin).iter().map(|index| index[0] as usize).collect()
            }
            None => (0..count).collect(),
        };
        let primitive = Self {
            mode: primitive.mode(),
            positions,
            targets,
            texcoords,
            normals,
            colours,
            unlit: material.unlit(),
            double_sided: material.double_sided(),
            blended: material.alpha_mode() == AlphaMode::Blend,
            influences,
            indices,
        };
        primitive.check();
        primitive
    }

    fn check(&self) {
        let count = self.positions.len();
        assert!(self.indices.iter().all(|&index| index < count), "an index is out of range");
        assert!(
            self.targets.iter().all(|target| target.len() == count),
            "a morph target has not as many vertices as the mesh"
        );
        assert!(
            self.texcoords.as_ref().is_none_or(|t| t.len() == count),
            "not as many texture coordinates as vertices"
        );
        assert!(
            self.normals.as_ref().is_none_or(|n| n.len() == count),
            "not as many normals as vertices"
        );
        assert_eq!(self.colours.len(), count, "not as many colours as vertices");
    }

    /// The corners of every triangle, as numbers into the vertices.
    pub(super) fn triangles(&self) -> Vec<[usize; 3]> {
        let v = &self.indices;
        match self.mode {
            Mode::Triangles => {
                assert_eq!(v.len() % 3, 0, "an incomplete triangle");
                v.chunks(3).map(|t| [t[0], t[1], t[2]]).collect()
            }
            Mode::TriangleStrip => (2..v.len())
                .map(|i| {
                    if i % 2 == 0 { [v[i - 2], v[i - 1], v[i]] } else { [v[i - 2], v[i], v[i - 1]] }
                })
                .collect(),
            Mode::TriangleFan => (2..v.len()).map(|i| [v[i - 1], v[i], v[0]]).collect(),
            _ => Vec::new(),
        }
    }

    /// The ends of every line, as numbers into the vertices.
    pub(super) fn lines(&self) -> Vec<[usize; 2]> {
        let v = &self.indices;
        let along = v.windows(2).map(|w| [w[0], w[1]]);
        match self.mode {
            Mode::Lines => {
                assert_eq!(v.len() % 2, 0, "an incomplete line");
                v.chunks(2).map(|l| [l[0], l[1]]).collect()
            }
            Mode::LineStrip => along.collect(),
            Mode::LineLoop => along.chain([[v[v.len() - 1], v[0]]]).collect(),
            _ => Vec::new(),
        }
    }

    /// The points, as numbers into the vertices.
    pub(super) fn points(&self) -> Vec<[usize; 1]> {
        match self.mode {
            Mode::Points => self.indices.iter().map(|&v| [v]).collect(),
            _ => Vec::new(),
        }
    }

    /// Where a vertex is in the mesh's own space once the morph targets have been added.
    pub(super) fn morphed(&self, vertex: usize, weights: &[f64]) -> [f64; 3] {
        let mut position = self.positions[vertex];
        for (target, weight) in self.targets.iter().zip(weights) {
            for (sum, part) in position.iter_mut().zip(target[vertex]) {
                *sum += weight * part;
            }
        }
        position
    }
}
