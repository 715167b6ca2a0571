//! Every kind of problem of geometry.

use anim_ir::{Category, Code, Severity};

/// A geometry, or a node that describes it, is of a kind that is not understood here.
pub static GEOMETRY_KIND: Code = Code {
    id: "x3d-geometry-kind",
    severity: Severity::Warning,
    category: Category::Compatibility,
    meaning: "A geometry, or a node that describes it, is of a kind that is not understood here.",
    example: "geometry Text { string \"hello\" }",
    action: "A geometry is left out; of other nodes the geometry makes do without.",
};

/// A geometry has nothing to show.
pub static GEOMETRY_EMPTY: Code = Code {
    id: "x3d-geometry-empty",
    severity: Severity::Warning,
    category: Category::Value,
    meaning: "A geometry has nothing to show: faces without coordinates, coordinates without \
              faces, or no face that is valid.",
    example: "IndexedFaceSet { coord Coordinate { point [] } coordIndex [] }",
    action: "The shape is left out.",
};

/// An index is not -1 and names no value.
pub static INDEX: Code = Code {
    id: "x3d-index",
    severity: Severity::Error,
    category: Category::Reference,
    meaning: "An index is not -1 and names no value: it is too great or negative.",
    example: "coord Coordinate { point [0 0 0, 1 0 0, 0 1 0] } coordIndex [0 1 3 -1]",
    action: "The face, line or point is dropped.",
};

/// A face has fewer than three corners, or a line fewer than two.
pub static FACE_CORNERS: Code = Code {
    id: "x3d-face-corners",
    severity: Severity::Warning,
    category: Category::Value,
    meaning: "A face has fewer than three corners, or a line fewer than two.",
    example: "coordIndex [0 1 -1]",
    action: "The face or line is left out.",
};

/// There are fewer values of a kind than the geometry needs.
pub static TOO_FEW_VALUES: Code = Code {
    id: "x3d-too-few-values",
    severity: Severity::Warning,
    category: Category::Value,
    meaning: "There are fewer normals, colours or texture coordinates, or fewer indices of them, \
              than the geometry needs.",
    example: "coordIndex [0 1 2 -1] color Color { color [1 0 0] }",
    action: "The geometry makes do without this kind of values.",
};

/// A geometry's numbers of rows, columns or vertices do not fit what it has.
pub static GEOMETRY_COUNT: Code = Code {
    id: "x3d-geometry-count",
    severity: Severity::Error,
    category: Category::Value,
    meaning: "A geometry's numbers of rows, columns or vertices do not fit what it has.",
    example: "ElevationGrid { xDimension 100 zDimension 100 height [0 0 0 0] }",
    action: "What has too few values is left out: the grid, the fan, the strip or the line.",
};

/// A geometry would take more time or memory than the limits allow.
pub static GEOMETRY_LIMIT: Code = Code {
    id: "x3d-geometry-limit",
    severity: Severity::Error,
    category: Category::Limit,
    meaning: "A geometry would take more time or memory than the limits allow: a face that is not convex with thousands of corners, or an \
              Extrusion of a long cross-section along a long spine.",
    example: "Extrusion { crossSection [100,000 points] spine [100,000 points] }",
    action: "The face or the geometry is left out.",
};
