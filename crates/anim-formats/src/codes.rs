//! What is reported here and in no format's crate: of the files beside a file, and of what is put
//! together from several.

anim_ir::codes! {
    THROUGH_SCENE = "convert-through-scene", Note, Loss,
        "A file is written in its own format, and an option asks for a change that the format's \
         writer can only make by way of a scene.",
        "animfmt convert walk.amo -o run.amo --clip run",
        "The file is written anew: comments, order and spelling are those of the writer.";
    NORMALS_FIXED = "convert-normals-fixed", Warning, Compatibility,
        "The normals of a mesh disagreed with its faces, and a single turn, or reversing the \
         faces, explained at least 95 % of them. Nothing else about the mesh is changed.",
        "animfmt convert player.amo -o player.glb",
        "The output has normals that agree with the faces. The option `normals` (`--normals keep`) \
         leaves them as they are in the file.";
    NORMALS_ODD = "convert-normals-odd", Warning, Compatibility,
        "The normals of a mesh point away from more than a tenth of its faces, and no single turn \
         explains it.",
        "animfmt convert cube.amo -o cube.glb",
        "They are kept. The option `normals` (`--normals recompute`) makes new ones of the faces: \
         smooth where faces share vertices, hard where the file splits them.";
    Z_UP = "convert-z-up", Note, Compatibility,
        "The format of the input does not say which axis points up, and its dialect, its bones or \
         its bounds suggest z. The output has y up.",
        "animfmt convert player.amo -o player.glb",
        "Nothing is turned, unless the option `up` asks for it: `--up z`, or `--up auto`, which \
         turns only where the dialect or the bones tell.";
    IMAGE_MISSING = "load-image-missing", Warning, Reference,
        "A texture image cannot be opened. Only files in the file's own folder or below are \
         opened; `--root FOLDER` allows more.",
        "map_Kd skin.png",
        "The material goes without it; the path is kept in the material's extras.";
    IMAGE_KIND = "load-image-kind", Warning, Compatibility,
        "glTF allows PNG and JPEG images only.",
        "map_Kd skin.tga",
        "The material goes without it; the path is kept in the material's extras.";
    FRAME_KIND = "castle-frame-kind", Error, Compatibility,
        "Castle Game Engine accepts frames in many formats. Only X3D and VRML are supported here.",
        "<frame url=\"walk_1.obj\" time=\"0\"/>",
        "The frame is left out.";
    NOT_INLINED = "castle-not-inlined", Warning, Loss,
        "A frame in a file of its own cannot be embedded: the file cannot be read, or is not X3D \
         in XML.",
        "<frame url=\"walk_1.wrl\" time=\"0\"/>",
        "The frame keeps its URL.";
    MOVED_TEXTURES = "castle-moved-textures", Warning, Loss,
        "A document with embedded frames is written to a different folder. The content of frames \
         is copied verbatim, with its texture paths.",
        "<ImageTexture url='\"skin.png\"'/>",
        "The paths are not adjusted; copy the textures next to the new file.";
    NOT_READ = "load-not-read", Warning, Limit,
        "A file is longer than anything that its format can refer to.",
        "an ANM file of 10 GB: its frames end before byte 131,071",
        "What lies behind is not read, and not kept where the file is written again.";
    BACKWARDS = "castle-backwards", Note, Loss,
        "An animation plays forwards and then backwards. glTF cannot express that, and most \
         players only play it forwards.",
        "<animation backwards=\"true\">",
        "It is recorded in the extras; the option `bake_backwards` (`--bake-backwards`) appends \
         the way back.";
    MOTION_ALONE = "motion-without-model", Note, Compatibility,
        "The input moves the nodes of a model that is in a file of its own, and that file was not \
         given.",
        "animfmt convert WALK.ANM -o walk.glb",
        "The output has nodes that move and nothing to see. The option `--with MODEL` adds the \
         model: a TMD for TMD ANM, any model with the same node names for STT.";
    NODE_UNKNOWN = "motion-node-unknown", Warning, Reference,
        "The motion is for nodes of a model, by their names, and the model has no node of this \
         one.",
        "What moves it is left out.";
    NODE_FIXED = "motion-node-fixed", Warning, Loss,
        "The model has a node of that name which cannot be moved here: its mesh follows a skin, it \
         stands above bones, or it belongs to another skeleton than the other nodes that move.",
        "What moves it is left out.";
    NODE_AMBIGUOUS = "motion-node-ambiguous", Warning, Reference,
        "Several nodes of the model have the name of a node that moves.",
        "The first of them moves.";
    SPLIT_OPEN = "split-open", Warning, Loss,
        "A clip has the keys that are in its range. Tracks with keys before and behind it, but \
         none at its border, start later than the clip, end earlier, or are at rest throughout.",
        "an 10 20 wave, on a take with keys at frames 0, 15 and 30",
        "The clip is as the file says; the option `borders` (`--borders`) adds keys at its start \
         and end.";
    SPLIT_ELSEWHERE = "split-elsewhere", Warning, Loss,
        "The take moves several skeletons, and the cuts name bones of more than one. A cut is for \
         one skeleton.",
        "The skeleton with the most of the bones is cut; the take stays whole for the others.";
    SPLIT_SAMPLED = "split-sampled", Note, Loss,
        "A clip is to look as the take does at its borders, and begins or ends between the keys \
         of a rotation on a cubic curve, which has no key for that.",
        "The track has straight lines instead, as many as it takes to be near the curve.";
    STATES_ONLY = "diagram-states-only", Note, Loss,
        "A drawing of a state machine has its states, the ways between them, and when they may be \
         left.",
        "How the states move is left out.";
}
