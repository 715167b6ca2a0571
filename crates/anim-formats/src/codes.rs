//! Diagnostic codes that are not specific to a format: problems with companion files and with
//! combining several files.

anim_ir::codes! {
    RESOURCE_ANIMATION = "migrate-animation-missing", Warning, Reference,
        "A `resource.xml` names an animation that the model, or the file of the animation, does \
         not contain.",
        "<die animation_name=\"Die\"/>",
        "If the animation has its own file, the only animation in it becomes the clip. Otherwise \
         the name is kept, and the engine does not play the animation.";
    RESOURCE_IMAGE = "migrate-image", Warning, Reference,
        "The image that a `resource.xml` names could not be read, or is outside its folder.",
        "<resource name=\"Bow\" image=\"../bow.png\">",
        "The image is not copied, and its address is kept.";
    THROUGH_SCENE = "convert-through-scene", Note, Compatibility,
        "A file is written in its own format, but an option requests a change that requires \
         converting it to a scene, or the paths in it change because the output is in another \
         folder.",
        "animfmt convert walk.amo -o run.amo --clip run",
        "The file is rewritten. Its comments, order and spelling are not preserved.";
    NORMALS_FIXED = "convert-normals-fixed", Warning, Compatibility,
        "The normals of a mesh disagreed with its faces, and a single rotation, or reversing the \
         faces, made at least 95 % of them agree. Nothing else in the mesh is changed.",
        "animfmt convert player.amo -o player.glb",
        "The output has normals that agree with the faces. Use `--normals keep` to keep the \
         normals of the file.";
    NORMALS_ODD = "convert-normals-odd", Warning, Compatibility,
        "The normals of a mesh point away from more than a tenth of its faces, and no single \
         rotation explains it.",
        "animfmt convert cube.amo -o cube.glb",
        "The normals are kept. Use `--normals recompute` to compute new normals \
         from the faces: smooth where faces share vertices, hard where the file splits them.";
    Z_UP = "convert-z-up", Note, Compatibility,
        "The input format does not specify the up axis, and the dialect, bones or bounds of the \
         input suggest z. The output is y-up.",
        "animfmt convert player.amo -o player.glb",
        "The scene is not rotated by default. Use `--up z` to rotate it, or `--up auto`, \
         which rotates only if the dialect or the bones are conclusive.";
    TURNED_UP = "convert-rotated-up", Note, Compatibility,
        "The input format does not specify the up axis. The dialect or the bones of the input show \
         that it is z, and the output is y-up.",
        "animfmt convert player.amo -o player.glb --up auto",
        "The scene is rotated from z up to y up. Without `--up auto`, it is not.";
    OTHER_RATE = "convert-other-rate", Note, Compatibility,
        "The file states its frame rate, and `--rate` plays its frames at another.",
        "animfmt convert walk.bvh -o walk.glb --rate 60",
        "The motion becomes shorter or longer. Without `--rate`, the rate of the file is used.";
    EMPTY = "convert-empty", Warning, Loss,
        "The output has neither meshes nor motion, nor bones, cameras or states: nothing in the \
         input could be converted. The input may only contain unsupported content.",
        "an X3D scene that consists of unknown nodes, converted to GLB",
        "The empty file is written. Run `animfmt check` to see why the content was skipped.";
    IMAGE_MISSING = "load-image-missing", Warning, Reference,
        "A texture image cannot be opened. Only files in the file's own folder or below are \
         opened; `--root FOLDER` allows more.",
        "map_Kd skin.png",
        "The material is written without the texture; the path is kept in the material's extras.";
    IMAGE_OUTSIDE = "load-image-outside", Warning, Reference,
        "A texture image is outside the file's own folder, so it is not opened.",
        "map_Kd ../../textures/skin.png",
        "The material is written without the texture; the path is kept in the material's extras. \
         Use `--root FOLDER` to allow images below a folder that contains both.";
    IMAGE_KIND = "load-image-kind", Warning, Compatibility,
        "glTF allows PNG and JPEG images only.",
        "map_Kd skin.tga",
        "The material is written without the texture; the path is kept in the material's extras.";
    IMAGE_TRUNCATED = "load-image-truncated", Warning, Compatibility,
        "The end of a PNG or JPEG file is missing, so glTF viewers reject the image. Only \
         images whose content is read are checked: those to embed, and those embedded in the \
         input.",
        "map_Kd skin.png, of which only the first half was copied",
        "The material is written without the texture; the path is kept in the material's extras.";
    FRAME_KIND = "castle-frame-kind", Error, Compatibility,
        "Castle Game Engine accepts frames in many formats. Only X3D, VRML, glTF and OBJ are \
         supported here.",
        "<frame url=\"walk_1.stl\" time=\"0\"/>",
        "The frame is skipped.";
    FRAME_GLTF = "castle-frame-gltf", Error, Syntax,
        "The glTF inside a frame cannot be read.",
        "<frame time=\"0\" mime_type=\"model/gltf+json\">{}</frame>",
        "The frame is skipped.";
    NOT_INLINED = "castle-not-inlined", Warning, Loss,
        "A frame in a separate file cannot be embedded: the file cannot be read, or is neither \
         X3D in XML nor glTF in JSON without companion files.",
        "<frame url=\"walk_1.wrl\" time=\"0\"/>",
        "The frame keeps its URL.";
    FRAMES_OUTSIDE = "castle-frames-outside", Warning, Loss,
        "A file written to another folder refers to a frame above that folder, or has frames that \
         refer to files there. Such files are opened only with `--root FOLDER`, and are lost if \
         only the output's folder is passed on.",
        "animfmt convert walk.kanim web/walk.kanim",
        "The URL is kept. Use `--inline` to embed a frame of X3D in XML or of glTF.";
    MOVED_TEXTURES = "castle-moved-textures", Warning, Loss,
        "A document is written to a different folder, and its embedded frames refer to files in \
         values of prototypes or in glTF. Other relative addresses are adjusted.",
        "<fieldValue name='url' value='\"skin.png\"'/>",
        "The addresses are not adjusted; copy the files next to the new file.";
    NOT_READ = "load-not-read", Warning, Limit,
        "A file is longer than its format can address.",
        "an ANM file of 10 GB: its frames end before byte 131,071",
        "The rest of the file is not read, and is lost if the file is written again.";
    BACKWARDS = "castle-backwards", Note, Loss,
        "An animation is a ping-pong clip. The output format, such as glTF, cannot represent that, \
         and most programs play it only forwards.",
        "<animation backwards=\"true\">",
        "glTF records the wrap mode in the extras. Use `--bake-backwards` to append the way back.";
    MOTION_ALONE = "motion-without-model", Note, Compatibility,
        "The input animates the nodes of a model in another file, which was not provided.",
        "animfmt convert WALK.ANM -o walk.glb",
        "The output has animated nodes, but nothing visible. Use `--with MODEL` to add \
         the model: a TMD file for TMD ANM, or any model with the same node names for STT.";
    MERGED_NAME = "merge-clip-name", Note, Compatibility,
        "Several of the merged files have a clip with the same name.",
        "animfmt convert walk.glb run.glb --merge -o all.glb",
        "A file's only clip is named after the file; several clips get the file's name as a \
         prefix.";
    MERGED_MESHES = "merge-meshes", Warning, Loss,
        "The meshes, materials or cameras of a merged file differ from those of the first file \
         that has any. The output has a single set of meshes.",
        "animfmt convert walk.glb run.glb --merge -o all.glb",
        "Only the file's clips are merged.";
    MERGED_WEIGHTS = "merge-weights", Warning, Loss,
        "A clip animates the morph weights of a node that is missing from the output, or has other \
         morph targets there: a different number, or different names.",
        "The weights are not animated.";
    MERGED_VISIBILITY = "merge-visibility", Warning, Loss,
        "A joint is hidden at rest in one of the merged files and visible in another. The clips of \
         a file show it as in that file, except those that do not move it, or if there are very \
         many clips and such joints.",
        "animfmt convert walk.glb run.glb --merge -o all.glb",
        "In these clips, the joint is visible or hidden as in the first file.";
    MERGED_STILL = "merge-still", Warning, Loss,
        "A file without motion is merged with castle-anim-frames. A merged file has only \
         animations.",
        "animfmt convert walk.kanim statue.x3d --merge -o all.glb",
        "The still is not written; convert it separately.";
    MERGED_APART = "merge-nothing-in-common", Warning, Loss,
        "Merged castle-anim-frames show different meshes: one animation shows none of those that \
         another shows. They may be animations of different models.",
        "animfmt convert ghost/walk.kanim bow/attack.kanim --merge -o all.glb",
        "All are written to one file, in which each clip hides the meshes of the others. Merge the \
         animations of each model separately.";
    MERGED_STATES = "merge-states", Warning, Loss,
        "A merged file has a state machine, which cannot refer to the clips of the other files.",
        "animfmt convert lamp.stt walk.glb --merge -o all.glb",
        "Each state becomes a clip.";
    MERGED_EXTRAS = "merge-extras", Note, Loss,
        "Format-specific data, such as a file header, differs between the merged files.",
        "The data of the first file is kept.";
    STATES_EDITED = "states-edited", Note, Compatibility,
        "A glTF file has the waves and states of an STT file in its extras, but an animation of a \
         state is missing or renamed, or its keys are not those that the state was baked to: \
         another program has changed them, the file has been rotated, or it was written with \
         another `--tolerance`.",
        "a GLB converted from an STT file, then edited in Blender",
        "The animations are read as they are. The waves and states are not restored.";
    NODE_UNKNOWN = "motion-node-unknown", Warning, Reference,
        "The motion refers to nodes by name, and the model has no node with this name.",
        "The motion of this node is not written.";
    NODE_FIXED = "motion-node-fixed", Warning, Loss,
        "The model has a node with this name that cannot be animated: its mesh is skinned, it is \
         an ancestor of bones, or it is in a different skeleton than the other animated nodes.",
        "The motion of this node is not written.";
    NODE_AMBIGUOUS = "motion-node-ambiguous", Warning, Reference,
        "Several nodes of the model have the same name as an animated node.",
        "The first node with the name is animated.";
    SPLIT_LATE = "split-starts-late", Note, Compatibility,
        "A clip starts later than 0 s because its keys keep their times in the take. Most players \
         of single clips show a still pose until then.",
        "an 54 102 wave, which starts at 2.25 s",
        "The times are kept. Use `--rebase` to start each clip at 0 s.";
    SPLIT_OPEN = "split-open", Warning, Loss,
        "A clip has only the keys in its range. Tracks with keys before and after it, but none at \
         its start or end, start later than the clip, end earlier, or are at rest throughout.",
        "an 10 20 wave, on a take with keys at frames 0, 15 and 30",
        "No keys are added. Use `--borders` to add keys at the clip's \
         start and end.";
    SPLIT_ELSEWHERE = "split-elsewhere", Warning, Loss,
        "The take animates several skeletons, and the ANM text refers to bones of more than one. \
         The take can only be split for one skeleton.",
        "The take is split for the skeleton with most of the bones, and kept unchanged for the \
         other skeletons.";
    SPLIT_SAMPLED = "split-sampled", Note, Loss,
        "With `--borders`, a clip starts or ends between the keys of a cubic rotation \
         curve, which cannot be split there exactly.",
        "The track is sampled: it becomes linear, with as many keys as needed to approximate the \
         curve.";
    PLAY_SYNTAX = "play-syntax", Error, Syntax,
        "A line of a script for `animfmt play` is not a time and a command with its arguments.",
        "0 enter",
        "Nothing is played.";
    PLAY_TIME = "play-time", Error, Value,
        "A time or another number in a script for `animfmt play` is invalid, or a time is earlier \
         than that of the line before.",
        "2 request scan, after a line at 3 s",
        "Nothing is played.";
    PLAY_NAME = "play-name", Error, Reference,
        "A script for `animfmt play` names a state, clip, layer or joint that does not exist.",
        "0 enter patroll",
        "Nothing is played.";
}
