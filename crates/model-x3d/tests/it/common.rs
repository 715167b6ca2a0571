//! Test helpers: access to the fixtures' companion files, and measurements of scenes.

use std::path::PathBuf;

use anim_ir::{Mat4, ResolveError, Resolver, Scene, Topology, Vec3};
use model_x3d::{Document, ToIr, to_ir_with};
use test_oracle::fixtures::folder;

/// Files in a fixture folder.
pub(crate) struct Beside(PathBuf);

impl Resolver for Beside {
    fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
        std::fs::read(self.0.join(address)).map_err(|_| ResolveError::NotFound)
    }

    fn exists(&mut self, address: &str) -> bool {
        self.0.join(address).exists()
    }
}

/// Returns the scene of a fixture with its companion files; `None` if it cannot be read.
pub(crate) fn load(name: &str, bytes: &[u8]) -> Option<Scene> {
    let document = Document::parse(bytes).ok()?.value;
    let mut files = Beside(folder("x3d").join(name).parent().unwrap().to_owned());
    Some(to_ir_with(&document, &ToIr::default(), &mut files, &[]).value)
}

/// Measurements of a scene at rest, in scene space.
#[derive(Default)]
pub(crate) struct Measures {
    pub(crate) triangles: usize,
    pub(crate) lines: usize,
    pub(crate) points: usize,
    /// The vertices, repeated for each use of a mesh.
    pub(crate) corners: Vec<Vec3>,
    /// The total area of all triangles.
    pub(crate) area: f64,
}

impl Measures {
    pub(crate) fn of(scene: &Scene) -> Measures {
        let matrices =
            scene.skeletons.first().map(anim_ir::Skeleton::rest_model_matrices).unwrap_or_default();
        let mut measures = Measures::default();
        for node in &scene.nodes {
            let parent = node.parent.map_or(Mat4::IDENTITY, |at| matrices[at.joint.index()]);
            let place = parent * node.transform.to_matrix();
            let mesh = scene.mesh(node.mesh.unwrap()).unwrap();
            for part in &mesh.primitives {
                let corners: Vec<Vec3> = part
                    .indices
                    .iter()
                    .map(|at| place.transform_point(mesh.positions[*at as usize]))
                    .collect();
                match part.topology {
                    Topology::Points => measures.points += corners.len(),
                    Topology::Lines => measures.lines += corners.len() / 2,
                    Topology::Triangles => {
                        measures.triangles += corners.len() / 3;
                        measures.area += corners.chunks(3).map(area).sum::<f64>();
                    }
                }
                measures.corners.extend(corners);
            }
        }
        measures
    }

    /// Minimum x, y, z and maximum x, y, z; `None` if there are no vertices.
    pub(crate) fn bounds(&self) -> Option<[f32; 6]> {
        self.corners
            .iter()
            .map(|corner| corner.to_array())
            .map(|[x, y, z]| [x, y, z, x, y, z])
            .reduce(|[a, b, c, d, e, f], [x, y, z, ..]| {
                [a.min(x), b.min(y), c.min(z), d.max(x), e.max(y), f.max(z)]
            })
    }
}

fn area(corners: &[Vec3]) -> f64 {
    let [a, b, c] = [0, 1, 2].map(|at| corners[at].to_array().map(f64::from));
    let edge = |to: [f64; 3]| [to[0] - a[0], to[1] - a[1], to[2] - a[2]];
    let (u, v) = (edge(b), edge(c));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    cross.iter().map(|c| c * c).sum::<f64>().sqrt() / 2.0
}
