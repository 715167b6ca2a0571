//! The diagnostics of this crate: what each means, an example, and what the reader or writer does
//! about it.
//!
//! The specification and the engine reject different files. `verdicts` lists the codes that make
//! a file invalid for each of them.

anim_ir::codes! {
    BOM = "castle-byte-order-mark", Error, Syntax,
        "The file begins with more than one byte order mark. XML allows one.",
        "The extra marks are ignored. `animfmt check --fix` removes them.";
    NAME_ESCAPE = "castle-name-escape", Error, Syntax,
        "The name of an animation contains an unescaped `&` or `<`, as written by one \
         Blender exporter.",
        "<animation name=\"jump & run\">",
        "The character is read literally. `animfmt check --fix` repairs it.";
    ELEMENT = "castle-element", Error, Syntax,
        "Unexpected element.",
        "<animations><frame time=\"0\"/></animations>",
        "The element is ignored.";
    NAMESPACE = "castle-namespace", Error, Compatibility,
        "The root element is in a namespace, but the format has no namespace. Castle Game Engine \
         accepts it.",
        "<animations xmlns=\"http://example.org/\">",
        "The namespace is ignored.";
    NO_ANIMATION = "castle-no-animation", Error, Value,
        "The file has no animations; the specification requires at least one.",
        "<animations/>",
        "The document is empty.";
    NO_FRAME = "castle-no-frame", Error, Value,
        "An animation has no frames; the specification requires at least one.",
        "<animation name=\"walk\"/>",
        "The animation is skipped.";
    ANIMATION_ATTRIBUTE = "castle-animation-attribute", Warning, Compatibility,
        "An `animation` has an unknown attribute. Castle Game Engine rejects such files.",
        "<animation fps=\"25\">",
        "The attribute is ignored. `animfmt check --fix` repairs it if the repair is certain.";
    ATTRIBUTE = "castle-attribute", Warning, Syntax,
        "An element has an unknown attribute.",
        "<frame time=\"0\" index=\"1\">",
        "The attribute is ignored. `animfmt check --fix` repairs it if the repair is certain.";
    NAME_EMPTY = "castle-name-empty", Warning, Compatibility,
        "An animation has an empty name, which Castle Game Engine rejects.",
        "<animation name=\"\">",
        "The name is kept.";
    NAME_DUPLICATE = "castle-name-duplicate", Warning, Compatibility,
        "Two animations have the same name. Older versions of Castle Game Engine rename the \
         second; newer versions cannot play it.",
        "<animation name=\"walk\">…</animation><animation name=\"walk\">",
        "Both names are kept.";
    SCENES_PER_TIME = "castle-scenes-per-time", Error, Value,
        "`scenes_per_time` is not a whole number.",
        "scenes_per_time=\"2.5\"",
        "The default of 30 is used.";
    SCENES_RANGE = "castle-scenes-range", Error, Compatibility,
        "`scenes_per_time` is a whole number outside the range 0 to 2147483647. Castle Game \
         Engine accepts it.",
        "scenes_per_time=\"-1\"",
        "The default of 30 is used.";
    SCENES_FORM = "castle-scenes-form", Error, Compatibility,
        "`scenes_per_time` is written in a form that only Castle Game Engine accepts: hexadecimal, \
         or with a plus sign.",
        "scenes_per_time=\"$1E\"",
        "The value is read as Castle Game Engine reads it. `animfmt check --fix` repairs it.";
    EPSILON = "castle-equality-epsilon", Error, Value,
        "`equality_epsilon` is not a number.",
        "equality_epsilon=\"0,001\"",
        "The default of 0.001 is used.";
    EPSILON_RANGE = "castle-epsilon-range", Error, Compatibility,
        "`equality_epsilon` is negative, NaN or infinite. Castle Game Engine accepts and ignores \
         it.",
        "equality_epsilon=\"nan\"",
        "The default of 0.001 is used.";
    TRAILING_BLANK = "castle-trailing-blank", Note, Engine,
        "A number is followed by whitespace. Castle Game Engine rejects such files, but accepts \
         whitespace before a number.",
        "<frame time=\"1 \" url=\"a.x3d\"/>",
        "The whitespace is ignored. `animfmt check --fix` repairs it.";
    BOOLEAN = "castle-boolean", Error, Value,
        "A boolean is neither `true` nor `false` (in upper or lower case).",
        "loop=\"yes\"",
        "The default, false, is used.";
    BOOLEAN_NUMBER = "castle-boolean-number", Error, Compatibility,
        "A boolean is a number instead of `true` or `false`. Only Castle Game Engine accepts it.",
        "loop=\"1\"",
        "As in the engine, 0 is read as false and any other number as true. `animfmt check --fix` \
         repairs it.";
    TIME_MISSING = "castle-time-missing", Error, Value,
        "A frame has no `time`.",
        "<frame url=\"a.x3d\"/>",
        "The frame is skipped.";
    TIME = "castle-time", Error, Value,
        "The time of a frame is not a number.",
        "<frame time=\"1,0\" url=\"a.x3d\"/>",
        "The frame is skipped.";
    TIME_NOT_FINITE = "castle-time-not-finite", Error, Value,
        "The time of a frame is NaN, infinite, or too large for a 32-bit float. Castle Game Engine \
         accepts it.",
        "<frame time=\"nan\" url=\"a.x3d\"/>",
        "The frame is skipped.";
    TIME_ORDER = "castle-time-order", Error, Value,
        "The time of a frame is not later than that of the previous frame, compared as 32-bit \
         floats.",
        "<frame time=\"1\" url=\"a.x3d\"/><frame time=\"1\" url=\"b.x3d\"/>",
        "The later frame is skipped. Either the frames are in the wrong order or one of the times \
         is wrong, so `--fix` leaves them alone.";
    TIME_NEGATIVE = "castle-time-negative", Warning, Compatibility,
        "An animation starts before time 0, which formats such as glTF cannot store.",
        "<frame time=\"-1\" url=\"a.x3d\"/>",
        "The time is kept.";
    BOUNDING_BOX = "castle-bounding-box", Error, Value,
        "The centre or size of a bounding box is not three numbers separated by spaces.",
        "bounding_box_size=\"1 1\"",
        "The bounding box is ignored.";
    BOX_NOT_FINITE = "castle-box-not-finite", Error, Compatibility,
        "The centre or size of a bounding box contains NaN or infinity. Castle Game Engine \
         accepts it.",
        "bounding_box_size=\"1 nan 1\"",
        "The bounding box is ignored.";
    NO_BOUNDING_BOX = "castle-no-bounding-box", Note, Engine,
        "No frame of an animation has a bounding box, so nothing collides with it in Castle Game \
         Engine.",
        "<animation><frame time=\"0\" url=\"a.x3d\"/></animation>",
        "The animation is read without a bounding box.";
    FILE_NAME = "castle-file-name", Note, Engine,
        "`file_name` is the old spelling of `url`.",
        "<frame time=\"0\" file_name=\"a.wrl\"/>",
        "The attribute is read as `url`. `animfmt check --fix` repairs it if the repair is \
         certain.";
    CONTENT_MISSING = "castle-content-missing", Error, Value,
        "A frame has neither a `url` nor inline content.",
        "<frame time=\"0\"/>",
        "The frame is kept without content.";
    CONTENT_TWICE = "castle-content-twice", Warning, Compatibility,
        "A frame has more than one source of content.",
        "<frame time=\"0\" url=\"a.x3d\" file_name=\"b.x3d\"/>",
        "`url` takes precedence over `file_name`, and both take precedence over inline content.";
    CONTENT_BESIDE = "castle-content-beside", Error, Compatibility,
        "A frame contains another element next to its `X3D` element. Castle Game Engine \
         accepts it.",
        "<frame time=\"0\"><X3D/><event/></frame>",
        "The other element is ignored.";
    CONTENT = "castle-content", Error, Syntax,
        "The inline content of a frame must be a single `X3D` element, or JSON if `mime_type` says \
        so.",
        "<frame time=\"0\"><Scene/></frame>",
        "The first `X3D` element is used. If there is none, the frame has no content.";
    MIME_TYPE = "castle-mime-type", Error, Value,
        "The content of a frame has an unsupported MIME type. Supported types: `model/x3d+xml` \
         and `model/gltf+json`.",
        "<frame time=\"0\" mime_type=\"text/html\">",
        "The frame is kept without content.";
    GLTF_CDATA = "castle-gltf-cdata", Warning, Compatibility,
        "The JSON content of a frame is in a CDATA section, which Castle Game Engine cannot read.",
        "<frame time=\"0\" mime_type=\"model/gltf+json\"><![CDATA[{}]]></frame>",
        "The text in the section is used as the content.";
    LOSS_FRAMES = "castle-loss-frames", Note, Loss,
        "The frames of an animation are scenes in other formats, which this crate does not read.",
        "The scene has the names, times and attributes of the animations, but no geometry.";
    MERGE_NAME = "castle-merge-name", Note, Value,
        "Two of the merged animations have the same name.",
        "The later animation gets a numeric suffix.";
    LOSS_NAME = "castle-loss-name", Note, Loss,
        "The format or the engine cannot store a name.",
        "Invalid characters are replaced, or a numeric suffix is added. Materials have no names.";
    LOSS_SAMPLED = "castle-loss-sampled", Note, Loss,
        "Frames are stills, and readers interpolate linearly between them regardless of the \
         scene's curves.",
        "The clip is sampled; `--fps` sets the rate.";
    LOSS_JOINTS = "castle-loss-joints", Note, Loss,
        "The format has no bones or skins.",
        "Skinned vertices are written at their deformed positions. Convert to glTF to keep the \
         skeleton.";
    LOSS_NORMALS = "castle-loss-normals", Note, Loss,
        "Normals are not written, since readers compute them.",
        "Meshes with smooth normals are marked for smooth shading.";
    LOSS_MATERIAL = "castle-loss-material", Note, Loss,
        "A material property has no counterpart in X3D 3.0.",
        "The property is not written.";
    LOSS_IMAGE = "castle-loss-image", Warning, Loss,
        "An image is embedded in the scene, but the format can only refer to image files.",
        "The texture is not written. Convert to glTF to keep it.";
    LOSS_EVENTS = "castle-loss-events", Warning, Loss,
        "The format has no events.",
        "Events are not written. Convert to glTF to keep them.";
    LOSS_VISIBILITY = "castle-loss-visibility", Note, Loss,
        "An object is hidden for all or part of the animation.",
        "Frames in which the object is hidden do not contain it, so readers switch between frames \
        with and without it instead of blending them.";
    LOSS_CAMERA = "castle-loss-camera", Note, Loss,
        "The scene has cameras. The game controls the view, so the format does not need them.",
        "Cameras are not written. Convert to glTF to keep them.";
    LOSS_EXTRAS = "castle-loss-extras", Note, Loss,
        "The format cannot store extras of the source format.",
        "Extras are not written. Convert to glTF to keep them.";
}
