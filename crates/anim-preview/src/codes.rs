//! The codes of what pictures do not show.

anim_ir::codes! {
    TEXTURE = "preview-texture", Warning, Loss,
        "An image of a material is missing, or is not a PNG or JPEG file that can be decoded \
         within the memory limit.",
        "a PNG file that is cut off",
        "Pictures show a checker pattern instead.";
}
