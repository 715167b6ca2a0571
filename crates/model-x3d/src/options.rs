//! What can be asked of making a scene.

anim_ir::options! {
    /// How to make motion of stills.
    pub struct ToIr {
        /// Shows each shape of a mesh as a separate mesh, one after the other, instead of blending
        /// between them: for players without morph targets.
        flip_book (with_flip_book): bool = false,
            flag("flip-book",
                "Show the shapes of a mesh one after the other instead of blending between them");
        /// Gives morph targets no normals: a mesh that is shaded smoothly keeps the shading of its
        /// first shape, and its targets are half as large.
        no_morph_normals (with_no_morph_normals): bool = false,
            flag("no-morph-normals", "Give morph targets no normals, which makes files smaller");
        /// Most morph targets that a mesh gets; what needs more becomes several meshes, shown one
        /// after the other. Bevy takes 256.
        morph_targets (with_morph_targets): usize = 256,
            integer("morph-targets", (4, u32::MAX), Some("256"),
                "Most morph targets of a mesh; more become several meshes, shown one after the \
                 other");
    }
}
