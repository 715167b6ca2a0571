//! The diagnostic codes of this crate, each with the problem, an example, and how the reader
//! handles it.

anim_ir::codes! {
    FLAGS = "tmd-flags", Warning, Value,
        "Unknown bits are set in the flags.",
        "41 00 00 00  04 00 00 00",
        "The bits are kept and ignored.";
    OFFSET = "tmd-offset", Error, Reference,
        "An offset in the object table points outside the file.",
        "The object is read without that data. Packets that use missing vertices are not drawn.";
    CUT_OFF = "tmd-cut-off", Error, Syntax,
        "The file ends in the middle of an object's vertices, normals or packets.",
        "Only complete items are read.";
    KIND = "tmd-packet-kind", Warning, Value,
        "The mode of a packet is unknown.",
        "04 03 00 80",
        "The packet is kept but not drawn.";
    LENGTH = "tmd-packet-length", Warning, Syntax,
        "The length of a packet does not match its mode and flag.",
        "04 05 00 20",
        "The packet is kept but not drawn. The next packet is located using the declared length.";
    VERTEX = "tmd-vertex", Error, Reference,
        "A packet refers to a vertex that does not exist in its object.",
        "The packet is not drawn.";
    NORMAL = "tmd-normal", Error, Reference,
        "A packet refers to a normal that does not exist in its object.",
        "The packet is drawn without the normal.";
    LOSS_SPRITES = "tmd-loss-sprites", Warning, Loss,
        "Sprites always face the screen, which meshes cannot represent.",
        "The sprites are dropped.";
    LOSS_PACKETS = "tmd-loss-packets", Warning, Loss,
        "Packets of unknown types cannot be drawn.",
        "The packets are dropped.";
    LOSS_TEXTURES = "tmd-loss-textures", Note, Loss,
        "A TMD file does not contain images; it refers to regions of video memory.",
        "Texture coordinates are kept, and the regions are stored in the materials' extras. The \
         materials have no image.";
    LOSS_BRIGHTNESS = "tmd-loss-brightness", Note, Loss,
        "Colours above 128 brighten a texture, which materials cannot represent.",
        "The colours are clamped to 128, which leaves the texture unchanged.";
    LOSS_BLENDING = "tmd-loss-blending", Note, Loss,
        "The PlayStation has four blend modes for semi-transparency. Materials support only one, \
         and the file does not specify the mode of untextured primitives.",
        "The primitives are drawn at 50 % opacity.";
    LOSS_SCALE = "tmd-loss-scale", Warning, Loss,
        "The scale of an object, an exponent of 2, is outside the range -64 to 64.",
        "The object is not scaled.";
}
