//! The codes of what pictures do not show.

anim_ir::codes! {
    TEXTURE = "preview-texture", Warning, Loss,
        "An image of a material is missing, or is not a PNG or JPEG file that can be decoded \
         within the memory limit.",
        "a PNG file that is cut off",
        "Pictures show a checker pattern instead.";
    RATE = "preview-rate", Warning, Loss,
        "A loop is drawn with fewer frames per second, since drawing it would exceed the limit for \
         work or memory.",
        "a loop of a minute, of which a second has 12 frames instead of 24",
        "`--fps` sets the rate, and `--max-memory` raises the limit.";
}
