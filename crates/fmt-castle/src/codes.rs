//! Every kind of problem this crate reports: what it means, how it looks, what the reader or writer
//! does about it.
//!
//! A file is judged twice: by the specification and by the engine, which differ.
//! `verdicts` tells which of the codes here makes which of the two refuse a file.

anim_ir::codes! {
    NAME_ESCAPE = "castle-name-escape", Error, Syntax,
        "The name of an animation has a bare `&` or `<`, as an exporter for Blender writes them.",
        "<animation name=\"jump & run\">",
        "The character is taken for itself.";
    ELEMENT = "castle-element", Error, Syntax,
        "An element stands where the format has none.",
        "<animations><frame time=\"0\"/></animations>",
        "The element is ignored.";
    NAMESPACE = "castle-namespace", Error, Compatibility,
        "The root element is in a namespace; the format has none. Castle Game Engine does not \
         mind.",
        "<animations xmlns=\"http://example.org/\">",
        "The namespace is ignored.";
    NO_ANIMATION = "castle-no-animation", Error, Value,
        "There is no animation; the specification wants one at least.",
        "<animations/>",
        "The document is empty.";
    NO_FRAME = "castle-no-frame", Error, Value,
        "An animation has no frame; the specification wants one at least.",
        "<animation name=\"walk\"/>",
        "The animation is left out.";
    ANIMATION_ATTRIBUTE = "castle-animation-attribute", Warning, Compatibility,
        "An `animation` has an attribute that the format does not know, which makes Castle Game \
         Engine refuse the whole file.",
        "<animation fps=\"25\">",
        "The attribute is ignored.";
    ATTRIBUTE = "castle-attribute", Warning, Syntax,
        "An element has an attribute that the format does not know.",
        "<frame time=\"0\" index=\"1\">",
        "The attribute is ignored.";
    NAME_EMPTY = "castle-name-empty", Warning, Compatibility,
        "An animation has an empty name, which Castle Game Engine refuses.",
        "<animation name=\"\">",
        "The name is kept.";
    NAME_DUPLICATE = "castle-name-duplicate", Warning, Compatibility,
        "Two animations have one name. One generation of Castle Game Engine renames the second, \
         another one cannot play it.",
        "<animation name=\"walk\">…</animation><animation name=\"walk\">",
        "Both names are kept.";
    SCENES_PER_TIME = "castle-scenes-per-time", Error, Value,
        "`scenes_per_time` is no whole number.",
        "scenes_per_time=\"2.5\"",
        "The default of 30 is used.";
    SCENES_RANGE = "castle-scenes-range", Error, Compatibility,
        "`scenes_per_time` is a whole number, but not one from 0 to 2147483647. Castle Game \
         Engine takes it.",
        "scenes_per_time=\"-1\"",
        "The default of 30 is used.";
    SCENES_FORM = "castle-scenes-form", Error, Compatibility,
        "`scenes_per_time` is a number in a form that only Castle Game Engine reads: hexadecimal, \
         or with a plus sign.",
        "scenes_per_time=\"$1E\"",
        "The number is used.";
    EPSILON = "castle-equality-epsilon", Error, Value,
        "`equality_epsilon` is no number.",
        "equality_epsilon=\"0,001\"",
        "The default of 0.001 is used.";
    EPSILON_RANGE = "castle-epsilon-range", Error, Compatibility,
        "`equality_epsilon` is negative, NaN or infinite. Castle Game Engine takes it, and makes \
         nothing of it.",
        "equality_epsilon=\"nan\"",
        "The default of 0.001 is used.";
    TRAILING_BLANK = "castle-trailing-blank", Note, Engine,
        "A number has blanks behind it, for which Castle Game Engine refuses the file. Blanks \
         before it do no harm.",
        "<frame time=\"1 \" url=\"a.x3d\"/>",
        "The number is read.";
    BOOLEAN = "castle-boolean", Error, Value,
        "A value that must be `true` or `false`, in upper or lower case, is something else.",
        "loop=\"yes\"",
        "The default, false, is used.";
    BOOLEAN_NUMBER = "castle-boolean-number", Error, Compatibility,
        "A value that must be `true` or `false` is a number, which only Castle Game Engine takes.",
        "loop=\"1\"",
        "It is read as the engine does: 0 is false, all else is true.";
    TIME_MISSING = "castle-time-missing", Error, Value,
        "A frame has no `time`.",
        "<frame url=\"a.x3d\"/>",
        "The frame is left out.";
    TIME = "castle-time", Error, Value,
        "The time of a frame is no number.",
        "<frame time=\"1,0\" url=\"a.x3d\"/>",
        "The frame is left out.";
    TIME_NOT_FINITE = "castle-time-not-finite", Error, Value,
        "The time of a frame is NaN, infinite, or greater than 32 bits of floating point hold. \
         Castle Game Engine takes it.",
        "<frame time=\"nan\" url=\"a.x3d\"/>",
        "The frame is left out.";
    TIME_ORDER = "castle-time-order", Error, Value,
        "The time of a frame is not greater than that of the frame before, as 32 bits of floating \
         point hold them.",
        "<frame time=\"1\" url=\"a.x3d\"/><frame time=\"1\" url=\"b.x3d\"/>",
        "The later frame is left out.";
    TIME_NEGATIVE = "castle-time-negative", Warning, Compatibility,
        "An animation begins before time 0. Formats such as glTF cannot say that.",
        "<frame time=\"-1\" url=\"a.x3d\"/>",
        "The time is kept.";
    BOUNDING_BOX = "castle-bounding-box", Error, Value,
        "The centre or the size of a bounding box is not three numbers with blanks between them.",
        "bounding_box_size=\"1 1\"",
        "The frame has no bounding box.";
    BOX_NOT_FINITE = "castle-box-not-finite", Error, Compatibility,
        "The centre or the size of a bounding box has a number that is NaN or infinite. Castle \
         Game Engine takes it.",
        "bounding_box_size=\"1 nan 1\"",
        "The frame has no bounding box.";
    NO_BOUNDING_BOX = "castle-no-bounding-box", Note, Engine,
        "No frame of an animation has a bounding box. In Castle Game Engine nothing collides with \
         it.",
        "<animation><frame time=\"0\" url=\"a.x3d\"/></animation>",
        "Nothing.";
    FILE_NAME = "castle-file-name", Note, Engine,
        "`file_name` is the old spelling of `url`.",
        "<frame time=\"0\" file_name=\"a.wrl\"/>",
        "It is read as `url`.";
    CONTENT_MISSING = "castle-content-missing", Error, Value,
        "A frame has neither a `url` nor content of its own.",
        "<frame time=\"0\"/>",
        "The frame is kept, without content.";
    CONTENT_TWICE = "castle-content-twice", Warning, Compatibility,
        "A frame says in more than one way what its content is.",
        "<frame time=\"0\" url=\"a.x3d\" file_name=\"b.x3d\"/>",
        "`url` is used before `file_name`, and both before content inside the frame.";
    CONTENT_BESIDE = "castle-content-beside", Error, Compatibility,
        "An element stands beside the `X3D` of a frame. Castle Game Engine does not mind.",
        "<frame time=\"0\"><X3D/><event/></frame>",
        "The element is ignored.";
    CONTENT = "castle-content", Error, Syntax,
        "Content inside a frame is not exactly one element `X3D`, or text in JSON where \
         `mime_type` says so.",
        "<frame time=\"0\"><Scene/></frame>",
        "The first `X3D` is used; without one the frame has no content.";
    MIME_TYPE = "castle-mime-type", Error, Value,
        "Content inside a frame is of a type that the format does not have: it has \
         `model/x3d+xml` and `model/gltf+json`.",
        "<frame time=\"0\" mime_type=\"text/html\">",
        "The frame is kept, without content.";
    GLTF_CDATA = "castle-gltf-cdata", Warning, Compatibility,
        "JSON inside a frame stands in a CDATA section, which Castle Game Engine cannot read.",
        "<frame time=\"0\" mime_type=\"model/gltf+json\"><![CDATA[{}]]></frame>",
        "The text is used.";
    LOSS_FRAMES = "castle-loss-frames", Note, Loss,
        "The frames of an animation are scenes in formats of their own, which this crate does not \
         read.",
        "The scene has the animations' names, times and attributes, and no geometry.";
    MERGE_NAME = "castle-merge-name", Note, Value,
        "Two animations that are put into one file have one name.",
        "The later one gets a number behind its name.";
    LOSS_NAME = "castle-loss-name", Note, Loss,
        "A name is one that the format or the engine cannot hold.",
        "It is written with other characters, or with a number behind it.";
    LOSS_SAMPLED = "castle-loss-sampled", Note, Loss,
        "Frames are stills: between two of them readers draw a straight line, whatever the \
         scene's curves do.",
        "The clip is sampled at the rate that was asked for.";
    LOSS_JOINTS = "castle-loss-joints", Note, Loss,
        "The format has no bones and no skins.",
        "Skinned vertices are written where the bones put them.";
    LOSS_NORMALS = "castle-loss-normals", Note, Loss,
        "Normals are not written: readers compute them.",
        "Meshes with normals of their own are written to be shaded smoothly.";
    LOSS_MATERIAL = "castle-loss-material", Note, Loss,
        "A property of a material has no counterpart in X3D 3.0.",
        "It is left out.";
    LOSS_IMAGE = "castle-loss-image", Warning, Loss,
        "A picture is inside the scene, not in a file that could be named.",
        "The texture is left out.";
    LOSS_EVENTS = "castle-loss-events", Warning, Loss,
        "The format has no events.",
        "They are left out.";
    LOSS_VISIBILITY = "castle-loss-visibility", Note, Loss,
        "Something is hidden at times.",
        "It is left out of the frames in which it is hidden, so that readers switch between these \
         frames and the others.";
    LOSS_CAMERA = "castle-loss-camera", Note, Loss,
        "Cameras are not written: an animation is seen from where the game looks.",
        "They are left out.";
    LOSS_EXTRAS = "castle-loss-extras", Note, Loss,
        "Extras of the source format are left out.",
        "They are left out.";
}
