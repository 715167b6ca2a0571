//! Every kind of problem: what gets lost or changed on the way to glTF (all of the category
//! `Loss`), and what the reader reports.

anim_ir::codes! {
    // Writing.
    EMPTY_PRIMITIVE = "gltf-empty-primitive", Note, Loss,
        "A part of a mesh has no point, line or triangle, which glTF does not allow.",
        "a material that no face uses",
        "The part is left out.";
    EMPTY_MESH = "gltf-empty-mesh", Warning, Loss,
        "A mesh has no point, line or triangle at all, which glTF does not allow.",
        "vertices without a face",
        "The mesh is left out; its nodes stay.";
    EMPTY_ANIMATION = "gltf-empty-animation", Warning, Loss,
        "Nothing moves in a clip, and glTF does not allow an animation without a channel.",
        "a list of frame ranges that is converted without the model it belongs to",
        "No animation is written; name, range, wrap and events stand in the scene's extras.";
    OUTSIDE_CLIPS = "gltf-outside-clips", Note, Loss,
        "Keys or events of a timeline belong to none of its clips, and glTF has no other place \
         for them.",
        "keys from 0 to 10 s, clips for 0 to 4 s and 5 to 10 s",
        "They are left out.";
    CLIP_BORDER = "gltf-clip-border", Warning, Loss,
        "A clip starts or ends between two keys that differ. Only the keys inside are written, so \
         the motion between the border and the next key inside is lost.",
        "keys at 0, 2 and 4 s, a clip from 1 to 4 s: the way from 1 to 2 s",
        "The nearest key inside holds up to the border; a track without a key inside gets one, \
         with its value at the start.";
    TIME_SHIFT = "gltf-time-shift", Note, Loss,
        "A clip has keys before 0 s, which glTF does not allow.",
        "a first key at -0.5 s",
        "The clip is moved so that its first key is at 0 s; `time_offset` in the animation's \
         extras tells by how much.";
    REST_KEYS = "gltf-rest-keys", Note, Loss,
        "Clips leave open what other clips of the skeleton move, and rest keys for all of it would \
         be most of the file.",
        "10,000 clips that move one joint each",
        "They are left out: Babylon and Blender may show parts of the clip played before.";
    TRACK_TARGET = "gltf-track-target", Warning, Loss,
        "A track moves what cannot be moved that way: morph weights of a joint or of a node whose \
         mesh is left out, or translation, rotation or scale of a node, which hangs from a joint \
         that moves in its stead.",
        "The track is left out.";
    INFLUENCES = "gltf-influences", Warning, Loss,
        "More than four joints move a vertex. Some glTF readers take only four into account.",
        "five weights in a line",
        "The four greatest weights are kept, or the eight greatest with `--influences 8`, and are \
         made to sum to 1.";
    WEIGHTS_SUM = "gltf-weights-sum", Warning, Loss,
        "The weights of a vertex do not sum to 1, or one of them is negative.",
        "0.5 0.4 0 0",
        "Negative weights count as 0; the others are divided by their sum.";
    NO_SKIN = "gltf-no-skin", Note, Loss,
        "Joints are given for the vertices of a mesh, but no node has the mesh with a skin.",
        "The mesh is written without joints and weights.";
    NORMALS = "gltf-normals", Note, Loss,
        "Some normals of a mesh are zero vectors, where glTF wants a direction.",
        "a mesh of which half the faces name no normals",
        "Those vertices get the direction of the faces around them.";
    MORPH_NORMALS = "gltf-morph-normals", Note, Loss,
        "A morph target has normals, but its mesh has none.",
        "The target's normals are left out.";
    COLOR_RANGE = "gltf-color-range", Note, Loss,
        "A colour, or a factor of a material such as its roughness, is outside 0 to 1.",
        "a colour of 255 0 0",
        "It is clamped.";
    IMAGE = "gltf-image", Warning, Loss,
        "An image is neither PNG nor JPEG, the only kinds that glTF allows, or is empty.",
        "map_Kd wood.tga",
        "The output refers to an image that has a path, since some readers support other kinds; \
         an image without a path is left out.";
    IMAGE_CLEANED = "load-image-cleaned", Note, Compatibility,
        "A PNG image has a colour profile, pixels that are not square, or animation. glTF readers \
         ignore these, and the glTF validator warns about them.",
        "a PNG file with an iCCP chunk",
        "The output contains a copy without them, even where images are external; the pixels do \
         not change.";
    NO_TEXCOORDS = "gltf-no-texcoords", Warning, Loss,
        "A material has an image, but a mesh that uses it has no texture coordinates, which glTF \
         does not allow.",
        "faces without a vt index under a usemtl with a picture",
        "The mesh gets a copy of the material without the image.";
    CAMERA = "gltf-camera", Warning, Loss,
        "The angle of view of a camera is not between 0 and half a turn, or its planes or its \
         picture's sides make no sense.",
        "an angle of view of 0",
        "The angle and the near plane are moved into their range; a far plane or an aspect ratio \
         that cannot be is left out.";
    EXTRAS_DEPTH = "gltf-extras-depth", Warning, Loss,
        "Extras are nested more than 64 deep; readers of JSON refuse such files.",
        "The entry is left out.";
    // Reading.
    TRAILING = "gltf-trailing", Warning, Syntax,
        "There are bytes behind the length that the header of a GLB tells.",
        "They are not read.";
    EXTENSION = "gltf-extension", Note, Compatibility,
        "The file uses an extension that this reader does not know, and says that one can do \
         without.",
        "\"extensionsUsed\": [\"KHR_lights_punctual\"]",
        "What the extension says is not read.";
    BUFFER = "gltf-buffer", Error, Reference,
        "A buffer is not there, cannot be decoded, or has fewer bytes than it says.",
        "\"buffers\": [{\"uri\": \"gone.bin\", \"byteLength\": 4}]",
        "What needs bytes that are not there is left out.";
    REFERENCE = "gltf-reference", Error, Reference,
        "An index points at something that is not there.",
        "\"mesh\": 7",
        "What names it does without it.";
    TRANSFORM = "gltf-transform", Error, Value,
        "The transform of a node is not finite, or a matrix whose last row is not 0 0 0 1.",
        "\"matrix\": [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]",
        "The node stays at the place of its parent.";
    PRIMITIVE = "gltf-primitive", Error, Value,
        "A part of a mesh cannot be read: an accessor that is not whole, numbers that are not \
         finite, vertices that are not there.",
        "\"attributes\": {\"NORMAL\": 0}",
        "The part is left out.";
    ELEMENTS = "gltf-elements", Warning, Value,
        "The indices of a part of a mesh do not make whole lines or triangles.",
        "four indices of triangles",
        "Those beyond the last whole one are left out.";
    ATTRIBUTE = "gltf-attribute", Note, Loss,
        "Vertices have something that the model of animation has no word for.",
        "\"TANGENT\": 3, \"TEXCOORD_1\": 4",
        "It is left out.";
    MORPH = "gltf-morph", Error, Value,
        "There are not as many weights as the mesh has morph targets.",
        "\"weights\": [0, 1] of a mesh with one target",
        "The weights are left out.";
    NODE_WEIGHTS = "gltf-node-weights", Warning, Loss,
        "Nodes give one mesh different weights of its morph targets; in the model of animation \
         weights at rest are the mesh's.",
        "two nodes of one mesh, one with \"weights\": [1]",
        "The mesh keeps its own.";
    SKIN = "gltf-skin", Error, Value,
        "A skin cannot be read, or does not fit the mesh: joints that have no common root or are \
         not in the scene, too few matrices, vertices that name joints beyond the last.",
        "\"joints\": [] of vertices with joints",
        "Its meshes stay, without it.";
    MATERIAL = "gltf-material", Note, Loss,
        "A material has an alpha cutoff, or a texture that uses a second set of texture \
         coordinates or is neither PNG nor JPEG.",
        "\"normalTexture\": { \"index\": 0, \"texCoord\": 1 }",
        "The cutoff or the texture is left out.";
    IMAGE_SOURCE = "gltf-image-source", Warning, Reference,
        "An image cannot be read.",
        "a data URI that is no base64",
        "Materials do without it.";
    CAMERA_KIND = "gltf-camera-kind", Warning, Loss,
        "A camera is orthographic, or its numbers make no sense.",
        "\"type\": \"orthographic\"",
        "The camera is left out.";
    CHANNEL = "gltf-channel", Error, Value,
        "What a channel of an animation moves, or its keys, cannot be read.",
        "times that do not increase",
        "The channel is left out.";
    POINTER = "gltf-pointer", Warning, Loss,
        "An animation moves something else than nodes: a property of a material, a camera or a \
         light.",
        "\"pointer\": \"/materials/0/alphaCutoff\"",
        "The channel is left out.";
    SPLIT = "gltf-split-animation", Note, Loss,
        "An animation moves the joints of several skeletons.",
        "two characters that shake hands",
        "There is a clip for each skeleton, of the same name.";
    OUTSIDE_SCENE = "gltf-outside-scene", Note, Loss,
        "Nodes are in no scene, or in another one than the scene that is read.",
        "a file with two scenes",
        "They are left out.";
    EXTRAS = "gltf-extras", Note, Loss,
        "Extras are no object: there is no name to keep them under.",
        "\"extras\": 3",
        "They are left out.";
    NO_SCENE = "load-no-scene", Error, Limit,
        "What a file asks for together with the files beside it is more than the limits allow.",
        "a .gltf of 1 MB whose accessors are 30 GB",
        "There is no scene.";
}
