//! Problems that concern the files beside a file.

use anim_ir::{Category, Code, Severity};

/// A material library that is not there or cannot be read.
pub static LIBRARY_MISSING: Code = Code {
    id: "load-library-missing",
    severity: Severity::Warning,
    category: Category::Reference,
    meaning: "A material library that the file names cannot be opened. Only files in the file's own folder or below are opened.",
    example: "mtllib colours.mtl",
    action: "Materials keep their names only.",
};

/// An image that is not there or cannot be read.
pub static IMAGE_MISSING: Code = Code {
    id: "load-image-missing",
    severity: Severity::Warning,
    category: Category::Reference,
    meaning: "A texture image cannot be opened. Only files in the file's own folder or below are opened.",
    example: "map_Kd skin.png",
    action: "The material goes without it; the path is kept in the material's extras.",
};

/// An image of a kind that glTF does not allow.
pub static IMAGE_KIND: Code = Code {
    id: "load-image-kind",
    severity: Severity::Warning,
    category: Category::Compatibility,
    meaning: "glTF allows PNG and JPEG images only.",
    example: "map_Kd skin.tga",
    action: "The material goes without it; the path is kept in the material's extras.",
};

/// All codes of this crate.
pub static ALL: [&Code; 3] = [&LIBRARY_MISSING, &IMAGE_MISSING, &IMAGE_KIND];
