//! Every kind of problem that this crate reports: what it means, an example, and what the reader
//! does.

anim_ir::codes! {
    FLAGS = "tmd-flags", Warning, Value,
        "Unknown bits are set in the flags.",
        "41 00 00 00  04 00 00 00",
        "The reader keeps them and ignores them.";
    OFFSET = "tmd-offset", Error, Reference,
        "An offset in the object table points beyond the end of the file.",
        "The object is read without that data. Packets that use its vertices are not drawn.";
    CUT_OFF = "tmd-cut-off", Error, Syntax,
        "The file ends before the vertices, normals or packets of an object do.",
        "Those that are complete are read.";
    KIND = "tmd-packet-kind", Warning, Value,
        "Unknown packet mode.",
        "04 03 00 80",
        "The packet is kept and not drawn.";
    LENGTH = "tmd-packet-length", Warning, Syntax,
        "The length of a packet does not match its mode and flag.",
        "04 05 00 20",
        "The packet is kept and not drawn. The next one starts where its length says.";
    VERTEX = "tmd-vertex", Error, Reference,
        "A packet refers to a vertex that its object does not have.",
        "The packet is not drawn.";
    NORMAL = "tmd-normal", Error, Reference,
        "A packet refers to a normal that its object does not have.",
        "The packet is drawn, without the normal.";
    LOSS_SPRITES = "tmd-loss-sprites", Warning, Loss,
        "Sprites always face the screen, which meshes cannot do.",
        "They are left out.";
    LOSS_PACKETS = "tmd-loss-packets", Warning, Loss,
        "Packets of unknown kinds cannot be drawn.",
        "They are left out.";
    LOSS_TEXTURES = "tmd-loss-textures", Note, Loss,
        "A TMD file has no images: it refers to areas of video memory.",
        "Texture coordinates are kept, and the areas are in the materials' extras. The materials \
         have no image.";
    LOSS_BRIGHTNESS = "tmd-loss-brightness", Note, Loss,
        "Colours above 128 brighten a texture, which materials cannot express.",
        "They are used as 128, which leaves the texture as it is.";
    LOSS_BLENDING = "tmd-loss-blending", Note, Loss,
        "The PlayStation has four blend modes for semi-transparency. Materials have one, and \
         without a texture the file does not say which mode it is.",
        "They are blended half and half.";
    LOSS_SCALE = "tmd-loss-scale", Warning, Loss,
        "The scale of an object, an exponent of 2, is outside -64 to 64.",
        "It is not scaled.";
}
