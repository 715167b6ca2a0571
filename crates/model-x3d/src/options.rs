//! Options for building a scene.

anim_ir::options! {
    /// Options for turning stills into motion.
    pub struct ToIr {
        /// Writes each shape of a mesh as a separate mesh, shown one after the other instead of
        /// blended: for players without morph targets.
        flip_book (with_flip_book): bool = false,
            flag("flip-book",
                "Show the shapes of a mesh one after the other instead of blending between them");
        /// Omits the normals of morph targets: a smoothly shaded mesh keeps the shading of its
        /// first shape, and its targets are half as large.
        no_morph_normals (with_no_morph_normals): bool = false,
            flag("no-morph-normals", "Omit the normals of morph targets to make files smaller");
        /// Maximum number of morph targets of a mesh; one that needs more is split into several
        /// meshes, shown one after the other. Bevy supports 256.
        morph_targets (with_morph_targets): usize = 256,
            integer("morph-targets", (4, u32::MAX), Some("256"),
                "Maximum number of morph targets of a mesh; meshes with more are split into \
                several, shown one after the other");
    }
}
