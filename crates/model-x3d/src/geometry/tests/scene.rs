//! Test helpers: geometries to build, and properties of meshes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use anim_ir::{Budget, Diagnostics, Limits, Mesh, Span, Topology, Vec3};

use crate::geometry::{Built, Source, build};
use crate::graph::{Graph, Node, NodeId, Value};
use crate::nodes::{self, Family};

#[derive(Clone, Default)]
pub(super) struct Scene {
    pub(super) graph: Graph,
    pub(super) source: Source,
}

pub(super) fn ints(numbers: &[i32]) -> Value {
    Value::Ints(numbers.to_vec().into())
}

pub(super) fn floats(numbers: &[f32]) -> Value {
    Value::Floats(numbers.to_vec().into())
}

pub(super) fn word(word: &str) -> Value {
    Value::Strings([word.to_owned()].into())
}

impl Scene {
    pub(super) fn node(&mut self, family: Family, name: &str, fields: &[(&str, Value)]) -> NodeId {
        let kind = nodes::find(name, family).unwrap_or_else(|| panic!("no node {name}"));
        let fields = fields.iter().map(|(field, value)| {
            let index =
                kind.field_index(field).unwrap_or_else(|| panic!("no field {name}.{field}"));
            (index, value.clone())
        });
        let start = self.graph.nodes.len();
        self.graph.nodes.push(Arc::new(Node {
            kind,
            name: None,
            fields: fields.collect(),
            span: Span::new(start * 10, start * 10 + 5),
        }));
        NodeId(start as u32)
    }

    pub(super) fn of(family: Family, name: &str, fields: &[(&str, Value)]) -> Scene {
        let mut scene = Scene::default();
        scene.source.geometry = scene.node(family, name, fields);
        scene
    }

    pub(super) fn x3d(name: &str, fields: &[(&str, Value)]) -> Scene {
        Scene::of(Family::X3d, name, fields)
    }

    pub(super) fn vrml1(name: &str, fields: &[(&str, Value)]) -> Scene {
        Scene::of(Family::Vrml1, name, fields)
    }

    /// Returns an X3D `IndexedFaceSet`.
    pub(super) fn faces(index: &[i32], fields: &[(&str, Value)]) -> Scene {
        Scene::x3d("IndexedFaceSet", &[&[("coordIndex", ints(index))], fields].concat())
    }

    /// Returns the square, split into two triangles.
    pub(super) fn halves(fields: &[(&str, Value)]) -> Scene {
        Scene::faces(&[0, 1, 2, -1, 0, 2, 3, -1], fields).points(&SQUARE)
    }

    /// Adds a node used by the geometry, in the geometry's language.
    pub(super) fn with(mut self, name: &str, fields: &[(&str, Value)]) -> Scene {
        let family = self.graph.node(self.source.geometry).unwrap().kind.family;
        let id = self.node(family, name, fields);
        let source = &mut self.source;
        match name {
            "Coordinate" | "Coordinate3" => source.coordinates = Some(id),
            "Normal" => source.normals = Some(id),
            "Color" | "ColorRGBA" => source.colors = Some(id),
            "TextureCoordinate" | "TextureCoordinate2" => source.texcoords = Some(id),
            "TextureTransform" | "Texture2Transform" => source.texture_transform.push(id),
            "Material" => source.material = Some(id),
            "MaterialBinding" => source.material_binding = Some(id),
            "NormalBinding" => source.normal_binding = Some(id),
            "ShapeHints" => source.shape_hints = Some(id),
            _ => panic!("{name} goes nowhere"),
        }
        self
    }

    /// Adds a node with a list of numbers.
    pub(super) fn values(self, name: &str, field: &str, numbers: &[f32]) -> Scene {
        self.with(name, &[(field, floats(numbers))])
    }

    pub(super) fn points(self, points: &[[f32; 3]]) -> Scene {
        self.values("Coordinate", "point", points.as_flattened())
    }

    pub(super) fn points_1(self, points: &[[f32; 3]]) -> Scene {
        self.values("Coordinate3", "point", points.as_flattened())
    }

    pub(super) fn textured(mut self) -> Scene {
        self.source.textured = true;
        self
    }

    pub(super) fn build(&self) -> (Option<Built>, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let built =
            build(&self.graph, &self.source, &Budget::new(&Limits::default(), 0), &mut diagnostics);
        if let Some(built) = &built {
            check(&built.mesh);
            // The functions for other frames must reproduce the first frame.
            let positions = built.positions(&self.graph, &self.source);
            assert_eq!(positions, built.mesh.positions);
            let normals = built.normals(&self.graph, &self.source, &positions);
            assert_eq!(normals, built.mesh.normals);
        }
        (built, diagnostics)
    }

    /// Builds a geometry without errors.
    pub(super) fn clean(&self) -> Built {
        let (built, diagnostics) = self.build();
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        built.unwrap()
    }

    pub(super) fn mesh(&self) -> Mesh {
        self.clean().mesh
    }

    /// Returns the reported codes.
    pub(super) fn codes(&self) -> Vec<(&'static str, u64)> {
        self.build().1.counts().iter().map(|(code, count)| (code.id, *count)).collect()
    }
}

/// Checks invariants of all meshes.
pub(super) fn check(mesh: &Mesh) {
    let vertices = mesh.positions.len();
    assert!(
        [0, vertices].contains(&mesh.normals.len())
            && [0, vertices].contains(&mesh.colors.len())
            && [0, vertices].contains(&mesh.texcoords.len())
    );
    assert_eq!(mesh.primitives.len(), 1);
    let primitive = &mesh.primitives[0];
    assert_eq!(primitive.indices.len() % primitive.topology.corners(), 0);
    let used: HashSet<u32> = primitive.indices.iter().copied().collect();
    assert_eq!(used.len(), vertices, "every vertex is used");
    assert!(used.iter().all(|index| (*index as usize) < vertices));
}

pub(super) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

pub(super) fn dot(a: Vec3, b: Vec3) -> f32 {
    a.x * b.x + a.y * b.y + a.z * b.z
}

pub(super) fn near(a: f32, b: f32) -> bool {
    (a - b).abs() <= 1e-4 * (1.0 + b.abs())
}

/// Returns the values at the corners of the mesh, looked up by vertex.
pub(super) fn at_corners<T: Copy>(mesh: &Mesh, values: &[T]) -> Vec<T> {
    mesh.primitives[0].indices.iter().map(|index| values[*index as usize]).collect()
}

pub(super) fn triangles(mesh: &Mesh) -> Vec<[Vec3; 3]> {
    assert_eq!(mesh.primitives[0].topology, Topology::Triangles);
    at_corners(mesh, &mesh.positions).as_chunks().0.to_vec()
}

pub(super) fn area_vector([a, b, c]: [Vec3; 3]) -> Vec3 {
    cross(b - a, c - a) * 0.5
}

pub(super) fn area(mesh: &Mesh) -> f32 {
    triangles(mesh).into_iter().map(|triangle| area_vector(triangle).length() as f32).sum()
}

/// Returns the volume, computed with the divergence theorem; negative if faces point inwards.
pub(super) fn volume(mesh: &Mesh) -> f32 {
    triangles(mesh).into_iter().map(|triangle| dot(triangle[0], area_vector(triangle)) / 3.0).sum()
}

/// Vertices - edges + faces, with vertices distinguished by position. Every edge must be shared by
/// two faces, in opposite directions.
pub(super) fn euler(mesh: &Mesh) -> i64 {
    let mut places: HashMap<[i64; 3], usize> = HashMap::new();
    let mut place = |p: Vec3| {
        let next = places.len();
        *places.entry(p.to_array().map(|c| (c * 1e5).round() as i64)).or_insert(next)
    };
    let faces: Vec<[usize; 3]> =
        triangles(mesh).into_iter().map(|triangle| triangle.map(&mut place)).collect();
    let edges: HashSet<(usize, usize)> =
        faces.iter().flat_map(|[a, b, c]| [(*a, *b), (*b, *c), (*c, *a)]).collect();
    assert_eq!(edges.len(), faces.len() * 3, "no edge occurs twice in the same direction");
    assert!(edges.iter().all(|(a, b)| edges.contains(&(*b, *a))), "the mesh is closed");
    places.len() as i64 - edges.len() as i64 / 2 + faces.len() as i64
}

/// Checks that normals point to the side from which triangles are counter-clockwise.
pub(super) fn normals_agree(mesh: &Mesh) {
    assert!(!mesh.normals.is_empty());
    let normals = at_corners(mesh, &mesh.normals);
    for (triangle, normals) in triangles(mesh).into_iter().zip(normals.as_chunks::<3>().0) {
        for normal in normals {
            assert!((normal.length() - 1.0).abs() < 1e-5);
            assert!(dot(*normal, area_vector(triangle)) > 0.0);
        }
    }
}

pub(super) const SQUARE: [[f32; 3]; 4] =
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
