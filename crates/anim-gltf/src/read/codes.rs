//! Every kind of problem that the reader reports: what it means, how it looks, what the reader does
//! about it.

anim_ir::codes! {
    TRAILING = "gltf-trailing", Warning, Syntax,
        "There are bytes behind the length that the header of a GLB tells.",
        "",
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
        "A material is more than a base colour with an image, the light it gives off and a \
         roughness.",
        "a metallic factor, a normal map, a second set of texture coordinates",
        "The rest is left out.";
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
}
