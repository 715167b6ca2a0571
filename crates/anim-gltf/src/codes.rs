//! Every kind of problem that this crate reports: what is lost or changed when writing glTF (all
//! of the category `Loss`), and what the reader finds.

anim_ir::codes! {
    // Writer.
    EMPTY_PRIMITIVE = "gltf-empty-primitive", Note, Loss,
        "A primitive has no points, lines or triangles, which glTF does not allow.",
        "a material that no face uses",
        "The primitive is left out.";
    EMPTY_MESH = "gltf-empty-mesh", Warning, Loss,
        "A mesh has no points, lines or triangles at all, which glTF does not allow.",
        "vertices without a face",
        "The mesh is left out; its nodes stay.";
    EMPTY_ANIMATION = "gltf-empty-animation", Warning, Loss,
        "Nothing moves in a clip, and glTF does not allow animations without channels.",
        "a list of frame ranges that is converted without the model it belongs to",
        "No animation is written; name, range, wrap mode and events are in the scene's extras.";
    OUTSIDE_CLIPS = "gltf-outside-clips", Note, Loss,
        "Keys or events of a timeline do not belong to any of its clips, and glTF has no other \
         place for them.",
        "keys from 0 to 10 s, clips for 0 to 4 s and 5 to 10 s",
        "They are left out.";
    CLIP_BORDER = "gltf-clip-border", Warning, Loss,
        "A clip starts or ends between two keys that differ. Only the keys inside are written, so \
         the motion between the border and the next key inside is lost.",
        "keys at 0, 2 and 4 s, a clip from 1 to 4 s: the motion from 1 to 2 s",
        "The nearest key inside holds up to the border; a track without keys inside gets one, with \
         its value at the start.";
    TIME_SHIFT = "gltf-time-shift", Note, Loss,
        "A clip has keys before 0 s, which glTF does not allow.",
        "a first key at -0.5 s",
        "The clip is moved so that its first key is at 0 s; `time_offset` in the animation's \
         extras is the offset.";
    REST_KEYS = "gltf-rest-keys", Note, Loss,
        "Clips do not animate channels that other clips of the skeleton do, and rest keys for all \
         of them would make up most of the file.",
        "10,000 clips that move one joint each",
        "The rest keys are left out: Babylon and Blender may show parts of the previous clip.";
    TRACK_TARGET = "gltf-track-target", Warning, Loss,
        "A track has an unsupported target: morph weights of a joint or of a node whose mesh is \
         left out, or translation, rotation or scale of a node (its parent joint can be animated \
         instead).",
        "The track is left out.";
    INFLUENCES = "gltf-influences", Warning, Loss,
        "More than four joints move a vertex. Some glTF readers take only four into account.",
        "five weights for one vertex",
        "The four largest weights are kept, or the eight largest with `--influences 8`, and \
         normalised to sum to 1.";
    WEIGHTS_SUM = "gltf-weights-sum", Warning, Loss,
        "The weights of a vertex do not sum to 1, or one of them is negative.",
        "0.5 0.4 0 0",
        "Negative weights count as 0; the others are divided by their sum.";
    NO_SKIN = "gltf-no-skin", Note, Loss,
        "The vertices of a mesh have joints, but no node uses the mesh with a skin.",
        "The mesh is written without joints and weights.";
    NORMALS = "gltf-normals", Note, Loss,
        "Some normals of a mesh are zero vectors; glTF requires unit vectors.",
        "a mesh with normals on half of its faces only",
        "Those vertices get the average normal of the adjacent faces.";
    MORPH_NORMALS = "gltf-morph-normals", Note, Loss,
        "A morph target has normals, but its mesh has none.",
        "The target's normals are left out.";
    COLOR_RANGE = "gltf-color-range", Note, Loss,
        "A colour, or a material factor such as roughness, is outside 0 to 1.",
        "a colour of 255 0 0",
        "It is clamped.";
    IMAGE = "gltf-image", Warning, Loss,
        "An image is empty, or neither PNG nor JPEG, the only formats that glTF allows.",
        "map_Kd wood.tga",
        "An image with a path is referenced anyway, since some readers support other formats; an \
         image without a path is left out.";
    IMAGE_CLEANED = "load-image-cleaned", Note, Compatibility,
        "A PNG image has a colour profile, non-square pixels or animation. glTF readers ignore \
         these, and the glTF validator warns about them.",
        "a PNG file with an iCCP chunk",
        "The output contains a copy without them, even if images are external; the pixels do not \
         change.";
    NO_TEXCOORDS = "gltf-no-texcoords", Warning, Loss,
        "A material has an image, but a mesh that uses it has no texture coordinates, which glTF \
         does not allow.",
        "faces without vt indices after a usemtl with a texture",
        "The mesh gets a copy of the material without the image.";
    CAMERA = "gltf-camera", Warning, Loss,
        "The field of view of a camera is not between 0° and 180°, or its clipping planes or \
         aspect ratio are invalid.",
        "a field of view of 0",
        "The field of view and the near plane are clamped; an invalid far plane or aspect ratio is \
         left out.";
    EXTRAS_DEPTH = "gltf-extras-depth", Warning, Loss,
        "Extras are nested more than 64 levels deep; JSON parsers refuse such files.",
        "The entry is left out.";
    // Reader.
    TRAILING = "gltf-trailing", Warning, Syntax,
        "There are bytes after the end of the GLB, according to the length in its header.",
        "They are ignored.";
    EXTENSION = "gltf-extension", Note, Compatibility,
        "The file uses an extension that this reader does not support, but does not require it.",
        "\"extensionsUsed\": [\"KHR_lights_punctual\"]",
        "The extension's data is ignored.";
    BUFFER = "gltf-buffer", Error, Reference,
        "A buffer is missing, cannot be decoded, or is shorter than its `byteLength`.",
        "\"buffers\": [{\"uri\": \"gone.bin\", \"byteLength\": 4}]",
        "Whatever needs the missing bytes is left out.";
    REFERENCE = "gltf-reference", Error, Reference,
        "An index refers to an item that does not exist.",
        "\"mesh\": 7",
        "The reference is ignored.";
    TRANSFORM = "gltf-transform", Error, Value,
        "The transform of a node is not finite, or is a matrix whose last row is not 0 0 0 1.",
        "\"matrix\": [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]",
        "The node's local transform is the identity.";
    PRIMITIVE = "gltf-primitive", Error, Value,
        "A primitive cannot be read: an accessor is incomplete, numbers are not finite, or indices \
         refer to missing vertices.",
        "\"attributes\": {\"NORMAL\": 0}",
        "The primitive is left out.";
    ELEMENTS = "gltf-elements", Warning, Value,
        "The number of indices of a primitive leaves its last line or triangle incomplete.",
        "four indices for triangles",
        "The surplus indices are left out.";
    ATTRIBUTE = "gltf-attribute", Note, Loss,
        "Vertices have an attribute that the scene model does not support.",
        "\"TANGENT\": 3, \"TEXCOORD_1\": 4",
        "It is left out.";
    MORPH = "gltf-morph", Error, Value,
        "The number of weights is not the number of the mesh's morph targets.",
        "\"weights\": [0, 1] of a mesh with one target",
        "The weights are left out.";
    NODE_WEIGHTS = "gltf-node-weights", Warning, Loss,
        "Nodes give one mesh different morph weights; in the scene model, weights at rest belong \
         to the mesh.",
        "two nodes with the same mesh, one with \"weights\": [1]",
        "The mesh keeps its own weights.";
    SKIN = "gltf-skin", Error, Value,
        "A skin cannot be read, or does not fit the mesh: its joints have no common root or are \
         not in the scene, it has too few matrices, or vertices refer to joints beyond the last.",
        "\"joints\": [] for vertices with joints",
        "Its meshes are kept without the skin.";
    MATERIAL = "gltf-material", Note, Loss,
        "A material has an alpha cutoff, or a texture that uses a second set of texture \
         coordinates or is neither PNG nor JPEG.",
        "\"normalTexture\": { \"index\": 0, \"texCoord\": 1 }",
        "The cutoff or the texture is left out.";
    IMAGE_SOURCE = "gltf-image-source", Warning, Reference,
        "An image cannot be read.",
        "a data URI that is not valid base64",
        "Materials are read without it.";
    CAMERA_KIND = "gltf-camera-kind", Warning, Loss,
        "A camera is orthographic or has invalid parameters.",
        "\"type\": \"orthographic\"",
        "The camera is left out.";
    CHANNEL = "gltf-channel", Error, Value,
        "The target or the keys of an animation channel cannot be read.",
        "times that do not increase",
        "The channel is left out.";
    POINTER = "gltf-pointer", Warning, Loss,
        "An animation targets something other than nodes: a property of a material, a camera or a \
         light.",
        "\"pointer\": \"/materials/0/alphaCutoff\"",
        "The channel is left out.";
    SPLIT = "gltf-split-animation", Note, Loss,
        "An animation moves the joints of several skeletons.",
        "two characters shaking hands",
        "Each skeleton gets a clip, all with the same name.";
    OUTSIDE_SCENE = "gltf-outside-scene", Note, Loss,
        "Nodes are not in any scene, or not in the scene that is read.",
        "a file with two scenes",
        "They are left out.";
    EXTRAS = "gltf-extras", Note, Loss,
        "Extras are not an object, so there is no name to keep them under.",
        "\"extras\": 3",
        "They are left out.";
    NO_SCENE = "load-no-scene", Error, Limit,
        "The data that a file and its companion files describe exceeds the limits.",
        "a 1 MB .gltf with 30 GB of accessors",
        "The scene is empty.";
}
