//! Lists of primitives, used to compare what both evaluations draw.

use test_oracle::glb;
use test_oracle::math::{Mat4, transform_point};
use test_oracle::tmd::{self, Corner, Object, Style};

/// A triangle, a line or a dot in glTF's axes and colours.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    corners: Vec<Vertex>,
    unlit: bool,
    double_sided: bool,
    blended: bool,
}

#[derive(Clone, Copy, Debug)]
struct Vertex {
    place: [f64; 3],
    colour: [f64; 4],
    /// The unit normal in object space.
    normal: Option<[f64; 3]>,
    uv: Option<[f64; 2]>,
}

/// Returns the primitives of a TMD object, transformed by a matrix in the file's axes. `factor`
/// scales its points.
pub(crate) fn expected(object: &Object, matrix: &Mat4, factor: f64) -> Vec<Element> {
    let place =
        |point: [f64; 3]| tmd::point_to_gltf(transform_point(matrix, point.map(|x| x * factor)));
    let mut elements = Vec::new();
    for triangle in &object.triangles {
        let Style { unlit, double_sided, semi_transparent, .. } = triangle.style;
        let alpha = alpha(semi_transparent);
        let vertex = |corner: &Corner| Vertex {
            place: place(corner.position),
            colour: with_alpha(
                corner.colour.map_or([1.0; 3], |colour| {
                    linear(colour, if corner.uv.is_some() { 128.0 } else { 255.0 })
                }),
                alpha,
            ),
            normal: corner.normal.filter(|_| !unlit).map(|normal| tmd::point_to_gltf(unit(normal))),
            uv: corner.uv.map(|uv| uv.map(|texel| f64::from(texel) / 256.0)),
        };
        // Front faces are clockwise in the file and counter-clockwise in glTF.
        let [a, b, c] = &triangle.corners;
        elements.push(Element {
            corners: [a, c, b].map(vertex).to_vec(),
            unlit,
            double_sided,
            blended: semi_transparent,
        });
    }
    let lines = object.lines.iter().map(|line| (line.ends.to_vec(), line.semi_transparent));
    let dots = object.dots.iter().map(|dot| (vec![(dot.place, dot.colour)], dot.semi_transparent));
    for (ends, blended) in lines.chain(dots) {
        let vertex = |(point, colour)| Vertex {
            place: place(point),
            colour: with_alpha(linear(colour, 255.0), alpha(blended)),
            normal: None,
            uv: None,
        };
        elements.push(Element {
            corners: ends.into_iter().map(vertex).collect(),
            unlit: true,
            double_sided: false,
            blended,
        });
    }
    elements
}

/// Returns the primitives of a part of a GLB.
pub(crate) fn found(drawn: &glb::Drawn) -> Vec<Element> {
    let vertex = |vertex: &glb::Vertex| Vertex {
        place: vertex.place,
        colour: vertex.colour,
        normal: vertex.normal.filter(|_| !drawn.unlit),
        uv: vertex.texcoord,
    };
    let element = |corners: &[glb::Vertex]| Element {
        corners: corners.iter().map(vertex).collect(),
        unlit: drawn.unlit,
        double_sided: drawn.double_sided,
        blended: drawn.blended,
    };
    let triangles = drawn.triangles.iter().map(|corners| element(corners));
    let lines = drawn.lines.iter().map(|ends| element(ends));
    triangles.chain(lines).chain(drawn.points.iter().map(|point| element(&[*point]))).collect()
}

/// Asserts that both lists have the same elements, in any order.
#[track_caller]
pub(crate) fn assert_same(found: &[Element], expected: &[Element], tolerance: f64, label: &str) {
    let mut left: Vec<&Element> = found.iter().collect();
    for element in expected {
        let Some(same) = left.iter().position(|other| other.is(element, tolerance)) else {
            panic!("{label}: {element:#?} is missing; found {left:#?}");
        };
        left.swap_remove(same);
    }
    assert!(left.is_empty(), "{label}: unexpected {left:#?}");
}

impl Element {
    /// Returns whether two elements are equal. Triangles are equal regardless of which corner is
    /// listed first.
    fn is(&self, other: &Element, tolerance: f64) -> bool {
        let count = self.corners.len();
        let turned = |by: usize| {
            (0..count).all(|i| self.corners[(i + by) % count].is(&other.corners[i], tolerance))
        };
        let same_style = (self.unlit, self.double_sided, self.blended)
            == (other.unlit, other.double_sided, other.blended);
        // The first point of a line is fixed.
        same_style
            && count == other.corners.len()
            && (0..if count == 3 { 3 } else { 1 }).any(turned)
    }

    pub(crate) fn corners(&self) -> usize {
        self.corners.len()
    }
}

impl Vertex {
    fn is(&self, other: &Vertex, tolerance: f64) -> bool {
        let near =
            |a: &[f64], b: &[f64], bound: f64| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= bound);
        // Primitives without a normal or texture in the file may have any normal or texture in the
        // GLB, if the rest of their mesh has them.
        near(&self.place, &other.place, tolerance)
            && near(&self.colour, &other.colour, 1e-5)
            && other
                .normal
                .is_none_or(|normal| self.normal.is_some_and(|found| near(&found, &normal, 1e-5)))
            && other.uv.is_none_or(|uv| self.uv.is_some_and(|found| near(&found, &uv, 1e-6)))
    }
}

fn alpha(semi_transparent: bool) -> f64 {
    if semi_transparent { 0.5 } else { 1.0 }
}

fn with_alpha([r, g, b]: [f64; 3], alpha: f64) -> [f64; 4] {
    [r, g, b, alpha]
}

/// Converts sRGB to linear (IEC 61966-2-1); `white` and above become 1.
fn linear(colour: [u8; 3], white: f64) -> [f64; 3] {
    colour.map(|byte| {
        let value = (f64::from(byte) / white).min(1.0);
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    })
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| x / length)
}
