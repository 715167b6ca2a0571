//! The diagnostics that this crate reports: losses and changes when writing glTF (all in the
//! category `Loss`), and problems found when reading.

anim_ir::codes! {
    // Reported by the writer.
    EMPTY_PRIMITIVE = "gltf-empty-primitive", Note, Loss,
        "A primitive is empty, which glTF does not allow.",
        "a material that no face uses",
        "The primitive is omitted.";
    EMPTY_MESH = "gltf-empty-mesh", Warning, Loss,
        "A mesh has no points, lines or triangles, which glTF does not allow.",
        "a mesh with vertices but no faces",
        "The mesh is omitted; its nodes are kept. Nothing can be done: glTF draws only points, \
         lines and triangles.";
    EMPTY_ANIMATION = "gltf-empty-animation", Warning, Loss,
        "A clip contains no motion, and there is no node that it could hold in the rest pose: glTF \
         does not allow animations without channels.",
        "a list of frame ranges, converted without its model",
        "No animation is written, nor for a clip of a few joints, or with `--no-rest-keys`. The \
         clip's name, range, wrap mode and events are stored in the scene's extras. If the motion \
         is in another file, give it with `--with`.";
    OUTSIDE_CLIPS = "gltf-outside-clips", Note, Loss,
        "Keys or events lie outside all clips of their timeline, and glTF has nowhere else to \
         store them.",
        "keys from 0 to 10 s, clips for 0 to 4 s and 5 to 10 s",
        "These keys and events are dropped. To keep them, add a clip that covers them to the \
         source.";
    CLIP_BORDER = "gltf-clip-border", Warning, Loss,
        "A clip starts or ends between two different keys. Only the keys within the clip are \
         written, so the motion between its start or end and the nearest key is lost.",
        "keys at 0, 2 and 4 s, a clip from 1 to 4 s: the motion from 1 to 2 s",
        "The nearest key's value is held up to the clip's start or end. A track without keys \
         within the clip gets a key with its value at the clip's start. To keep that motion, add \
         keys at the clip's start and end to the source.";
    TIME_SHIFT = "gltf-time-shift", Note, Loss,
        "A clip has keys before 0 s, which glTF does not allow.",
        "a first key at -0.5 s",
        "The clip is shifted so that its first key is at 0 s. The animation's extras record the \
         offset as `time_offset`. Nothing can be done: glTF cannot store negative times.";
    REST_KEYS = "gltf-rest-keys", Note, Loss,
        "Some clips do not animate all channels that the skeleton's other clips animate, and rest \
         keys for the missing channels would make up most of the file.",
        "10,000 clips that move one joint each",
        "No rest keys are written. Babylon and Blender may show parts of the previous clip's pose. \
         For such programs, write each clip to its own file with `--clip`.";
    TRACK_TARGET = "gltf-track-target", Warning, Loss,
        "A track has an unsupported target: morph weights of a joint or of a node whose mesh is \
         omitted, or the translation, rotation or scale of a node (animate its parent joint \
         instead).",
        "The track is dropped.";
    VISIBILITY = "gltf-visibility", Warning, Loss,
        "A scale of 0 is not enough to hide a joint: it does not hide skinned meshes whose bones \
         are elsewhere, or it collapses cameras or bones of visible meshes.",
        "a hidden group with a skinned mesh whose bones are elsewhere",
        "If no clip shows or hides the joint, `KHR_node_visibility` is used, which few programs \
         support. Otherwise, a scale of 0 hides the other meshes below it, and skinned meshes stay \
         visible. Use `--node-visibility` to write all visibility, including that in clips, with \
         the extension.";
    INFLUENCES = "gltf-influences", Warning, Loss,
        "A vertex has more than four influences, or more than eight with `--influences 8`. Some \
        glTF readers support only four.",
        "a vertex with five weights",
        "The four largest weights (the eight largest with `--influences 8`) are kept and \
         normalised.";
    WEIGHTS_SUM = "gltf-weights-sum", Warning, Loss,
        "The weights of a vertex do not sum to 1 (to within 0.002), or one of them is negative.",
        "0.5 0.4 0 0",
        "Negative weights are set to 0, and the weights are normalised to a sum of 1.";
    NO_SKIN = "gltf-no-skin", Note, Loss,
        "A mesh has joint indices, but no node uses the mesh with a skin.",
        "The mesh is written without joints or weights. Nothing needs to be done: without a skin, \
         they have no effect.";
    NORMALS = "gltf-normals", Note, Loss,
        "Some vertices of a mesh have no normal, or a zero vector; glTF requires a unit vector for \
         each.",
        "a mesh with normals on only half of its faces",
        "The affected vertices get the average normal of their adjacent faces. Use `--normals \
         recompute` to compute all normals from the faces instead.";
    MORPH_NORMALS = "gltf-morph-normals", Note, Loss,
        "A morph target has normals, but its mesh does not.",
        "The target's normals are dropped.";
    COLOR_RANGE = "gltf-color-range", Note, Loss,
        "A colour, or a material factor such as roughness, is outside 0 to 1.",
        "a colour of 255 0 0",
        "The value is clamped to the range 0 to 1.";
    IMAGE = "gltf-image", Warning, Loss,
        "An image is empty, or is not a PNG or JPEG file. glTF allows no other formats.",
        "map_Kd wood.tga",
        "An image with a path is still referenced, since some readers support other formats. An \
         image without a path is dropped. Convert the image to PNG or JPEG to make it visible \
         everywhere.";
    IMAGE_CLEANED = "load-image-cleaned", Note, Compatibility,
        "A PNG image has a colour profile, another gamma or other primaries than sRGB, non-square \
         pixels, or animation. glTF readers ignore these, and the glTF validator warns about them.",
        "a PNG file with an iCCP chunk",
        "The image is written as a copy with this metadata removed, even if images are external. \
         The pixel data is unchanged.";
    NO_TEXCOORDS = "gltf-no-texcoords", Warning, Loss,
        "A mesh uses a textured material but has no texture coordinates, which glTF does not \
         allow.",
        "faces without vt indices after a usemtl with a texture",
        "The mesh gets an untextured copy of the material. To keep the texture, add texture \
         coordinates to the source.";
    CAMERA = "gltf-camera", Warning, Loss,
        "A camera's field of view is not between 0° and 180°, or its clipping planes or aspect \
         ratio are invalid.",
        "a field of view of 0",
        "The field of view and the near plane are clamped; an invalid far plane or aspect ratio is \
         omitted.";
    EXTRAS_DEPTH = "gltf-extras-depth", Warning, Loss,
        "Extras are nested more than 64 levels deep; JSON parsers may reject such files.",
        "The deeply nested entry is dropped.";
    // Reported by the reader.
    TRAILING = "gltf-trailing", Warning, Syntax,
        "Trailing bytes: the file is longer than the GLB header declares.",
        "The trailing bytes are ignored.";
    EXTENSION = "gltf-extension", Note, Compatibility,
        "The file uses, but does not require, an extension that this reader does not support.",
        "\"extensionsUsed\": [\"KHR_lights_punctual\"]",
        "The extension's data is ignored.";
    EXTENSION_REQUIRED = "gltf-extension-required", Warning, Compatibility,
        "The file requires an extension that this reader does not support, but that only affects \
         lights, materials, images or metadata.",
        "\"extensionsRequired\": [\"KHR_lights_punctual\"]",
        "The extension's data is ignored: shapes and motion are complete, but materials may look \
         different.";
    BUFFER = "gltf-buffer", Error, Reference,
        "A buffer is missing, cannot be decoded, or is shorter than its `byteLength`.",
        "\"buffers\": [{\"uri\": \"gone.bin\", \"byteLength\": 4}]",
        "Items that need the missing bytes are skipped.";
    REFERENCE = "gltf-reference", Error, Reference,
        "An index refers to an item that does not exist.",
        "\"mesh\": 7",
        "The reference is ignored.";
    TRANSFORM = "gltf-transform", Error, Value,
        "The transform of a node is not finite, or is a matrix whose last row is not 0 0 0 1.",
        "\"matrix\": [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]",
        "The node's local transform is read as the identity.";
    PRIMITIVE = "gltf-primitive", Error, Value,
        "A primitive cannot be read: an accessor is incomplete, values are not finite, or indices \
         are out of range.",
        "\"attributes\": {\"NORMAL\": 0}",
        "The primitive is skipped.";
    ELEMENTS = "gltf-elements", Warning, Value,
        "A primitive's index count leaves its last line or triangle incomplete.",
        "four indices for triangles",
        "The extra indices at the end are ignored.";
    ATTRIBUTE = "gltf-attribute", Note, Loss,
        "A primitive or a morph target has a vertex attribute that the scene model does not \
         support.",
        "\"TANGENT\": 3, \"TEXCOORD_1\": 4",
        "The attribute is dropped.";
    MORPH = "gltf-morph", Error, Value,
        "The number of weights differs from the number of morph targets, or a weight is not \
        finite.",
        "\"weights\": [0, 1] of a mesh with one target",
        "The weights are ignored.";
    NODE_WEIGHTS = "gltf-node-weights", Warning, Loss,
        "Several nodes use the same mesh with different morph weights. The scene model stores \
         default weights only per mesh.",
        "two nodes with the same mesh, one with \"weights\": [1]",
        "The mesh keeps its own weights, and the node's weights are ignored.";
    SKIN = "gltf-skin", Error, Value,
        "A skin cannot be read or does not match the mesh: its joints have no common root or are \
         not in the scene, matrices are missing, or a vertex has a joint index out of range.",
        "\"joints\": [] for vertices with joint indices",
        "The skin is ignored; meshes that use it are kept.";
    MATERIAL = "gltf-material", Note, Loss,
        "A material has a texture that uses a second set of texture coordinates, is neither PNG \
         nor JPEG, does not repeat in both directions, or has other filters than the usual linear \
         ones.",
        "\"normalTexture\": { \"index\": 0, \"texCoord\": 1 }",
        "The texture, or its wrap modes and filters, are dropped.";
    IMAGE_SOURCE = "gltf-image-source", Warning, Reference,
        "An image cannot be read.",
        "a data URI that is not valid base64",
        "Materials that use the image are read without it.";
    CAMERA_KIND = "gltf-camera-kind", Warning, Loss,
        "A camera is orthographic, or its field of view or near plane is invalid.",
        "\"type\": \"orthographic\"",
        "The camera is dropped.";
    CHANNEL = "gltf-channel", Error, Value,
        "The target or keys of an animation channel cannot be read.",
        "key times that do not increase",
        "The channel is ignored.";
    POINTER = "gltf-pointer", Warning, Loss,
        "An animation targets an object other than a node, such as a material, camera or light.",
        "\"pointer\": \"/materials/0/alphaCutoff\"",
        "The channel is ignored.";
    SPLIT = "gltf-split-animation", Note, Loss,
        "An animation moves joints of several skeletons.",
        "two characters shaking hands",
        "The animation becomes one clip per skeleton, all with the same name.";
    OUTSIDE_SCENE = "gltf-outside-scene", Note, Loss,
        "Some nodes are not part of the scene that is read, or of any scene.",
        "a file with two scenes",
        "These nodes are dropped.";
    EXTRAS = "gltf-extras", Note, Loss,
        "An item's extras are not an object, so there are no names to store them under; or they \
         are those of an item for which the scene model has no extras: the file itself, the \
         asset, a primitive, skin, texture or image, or a channel or sampler of an animation.",
        "\"extras\": 3",
        "The extras are dropped.";
    NO_SCENE = "load-no-scene", Error, Limit,
        "A file and its companion files describe more data than the limits allow.",
        "a 1 MB .gltf with 30 GB of accessors",
        "The scene is empty.";
}
