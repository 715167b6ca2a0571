//! Every kind of problem this crate reports: what it means, how it looks, what the reader does
//! about it.

anim_ir::codes! {
    FLAGS = "tmd-flags", Warning, Value,
        "The flags have a bit of unknown meaning.",
        "41 00 00 00  04 00 00 00",
        "It is kept without effect.";
    OFFSET = "tmd-offset", Error, Reference,
        "An offset in the object table points to where the file does not reach.",
        "The object has none of what would be there. What uses its vertices is not drawn.";
    CUT_OFF = "tmd-cut-off", Error, Syntax,
        "The file ends before the vertices, normals or packets of an object do.",
        "The object has those that are whole.";
    KIND = "tmd-packet-kind", Warning, Value,
        "A packet's mode is none that is known.",
        "04 03 00 80",
        "The packet is kept as it is and not drawn.";
    LENGTH = "tmd-packet-length", Warning, Syntax,
        "A packet has more or fewer words than its mode and flag ask for.",
        "04 05 00 20",
        "The packet is kept as it is and not drawn. The next one begins where its length says.";
    VERTEX = "tmd-vertex", Error, Reference,
        "A packet uses a vertex that its object does not have.",
        "The packet is not drawn.";
    NORMAL = "tmd-normal", Error, Reference,
        "A packet uses a normal that its object does not have.",
        "The packet is drawn, without the normal.";
    LOSS_SPRITES = "tmd-loss-sprites", Warning, Loss,
        "Sprites are rectangles of the screen, which no mesh can be.",
        "They are left out.";
    LOSS_PACKETS = "tmd-loss-packets", Warning, Loss,
        "Packets that are not understood cannot be drawn.",
        "They are left out.";
    LOSS_TEXTURES = "tmd-loss-textures", Note, Loss,
        "Pictures are no part of a TMD file, which names places in video memory only.",
        "Texture coordinates are kept, and the places in the materials' extras. There is no \
         picture.";
    LOSS_BRIGHTNESS = "tmd-loss-brightness", Note, Loss,
        "Colours above 128 make a picture brighter than it is, for which materials have no word.",
        "They count as 128, which leaves the picture as it is.";
    LOSS_BLENDING = "tmd-loss-blending", Note, Loss,
        "What is semi-transparent is mixed with what is behind it in one of four ways. Materials \
         know one, and where there is no texture the file does not say which.",
        "It is mixed half and half.";
    LOSS_SCALE = "tmd-loss-scale", Warning, Loss,
        "An object is to be scaled by two to a power beyond -64 to 64.",
        "It is not scaled.";
}
