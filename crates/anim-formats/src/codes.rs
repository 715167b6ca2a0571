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

/// An image that is not referred to but put into the output, without what glTF forbids.
pub static IMAGE_CLEANED: Code = Code {
    id: "load-image-cleaned",
    severity: Severity::Note,
    category: Category::Compatibility,
    meaning: "A PNG image has a colour profile, pixels that are not square, or animation. glTF has its readers ignore these, and its validator warns \
              of them.",
    example: "a PNG file with an iCCP chunk",
    action: "A copy without them is put into the output instead of a reference; the pixels stay as they are.",
};

/// A frame that is a file of a kind that no reader here takes for a frame.
pub static FRAME_KIND: Code = Code {
    id: "castle-frame-kind",
    severity: Severity::Error,
    category: Category::Compatibility,
    meaning: "The engine takes files of many kinds as frames. Here X3D and VRML are read.",
    example: "<frame url=\"walk_1.obj\" time=\"0\"/>",
    action: "The frame is left out.",
};

/// A frame that cannot be put into the document.
pub static NOT_INLINED: Code = Code {
    id: "castle-not-inlined",
    severity: Severity::Warning,
    category: Category::Loss,
    meaning: "A frame in a file of its own was to be put into the document, and cannot be: the file cannot be read, or it is no X3D in XML.",
    example: "<frame url=\"walk_1.wrl\" time=\"0\"/>",
    action: "The frame keeps its address.",
};

/// Textures of frames that were moved to another folder.
pub static MOVED_TEXTURES: Code = Code {
    id: "castle-moved-textures",
    severity: Severity::Warning,
    category: Category::Loss,
    meaning: "A document with frames in it is written to another folder than it was read from. What stands in frames is copied as it is, with its \
              addresses of textures.",
    example: "<ImageTexture url='\"skin.png\"'/>",
    action: "The addresses stay; put the textures beside the new file.",
};

/// A file of which the end was not read.
pub static NOT_READ: Code = Code {
    id: "load-not-read",
    severity: Severity::Warning,
    category: Category::Limit,
    meaning: "A file is longer than anything that its format can refer to.",
    example: "an ANM file of 10 GB: its frames end before byte 131,071",
    action: "What lies behind is not read, and not kept where the file is written again.",
};

/// A document of which no scene can be made.
pub static NO_SCENE: Code = Code {
    id: "load-no-scene",
    severity: Severity::Error,
    category: Category::Limit,
    meaning: "What a file asks for together with the files beside it is more than the limits allow.",
    example: "a .gltf of 1 MB whose accessors are 30 GB",
    action: "There is no scene.",
};

/// An animation that plays back after forth.
pub static BACKWARDS: Code = Code {
    id: "castle-backwards",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "An animation plays back after it has played forth. glTF has no word for that, and most players play forth only.",
    example: "<animation backwards=\"true\">",
    action: "It is told in the extras; the option `bake_backwards` (`--bake-backwards`) writes the way back.",
};

/// All codes of this crate.
pub static ALL: [&Code; 10] =
    [&LIBRARY_MISSING, &IMAGE_MISSING, &IMAGE_KIND, &IMAGE_CLEANED, &FRAME_KIND, &NOT_INLINED, &MOVED_TEXTURES, &NOT_READ, &NO_SCENE, &BACKWARDS];
