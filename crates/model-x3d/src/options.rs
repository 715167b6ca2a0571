//! Options for building a scene.

anim_ir::options! {
    /// Options for converting stills to motion.
    pub struct ToIr {
        /// Writes each shape of a mesh as a separate mesh, for players without morph target
        /// support. The meshes are shown one after another instead of blended.
        flip_book (with_flip_book): bool = false,
            flag("flip-book",
                "Show the shapes of a mesh one after another instead of blending between them");
        /// Omits the normals of morph targets. A smooth-shaded mesh then keeps the shading of its
        /// first shape, and its targets are half as large.
        no_morph_normals (with_no_morph_normals): bool = false,
            flag("no-morph-normals", "Omit the normals of morph targets to make files smaller");
        /// Maximum number of morph targets per mesh. A mesh that needs more is split into several
        /// meshes, shown one after another. Bevy supports 256.
        morph_targets (with_morph_targets): usize = 256,
            integer("morph-targets", (4, u32::MAX), Some("256"),
                "Maximum number of morph targets per mesh; meshes with more are split into \
                several, shown one after another");
        /// If the angle of a rotation about one axis changes by more than 180° between two frames,
        /// rotates by that angle, as Castle Game Engine did before 2017. By default, objects rotate
        /// along the shorter arc, as in current versions and as X3D prescribes for interpolators.
        long_turns (with_long_turns): bool = false,
            flag("long-turns",
                "Between two frames, rotate by more than 180° if the angle changes by more");
    }
}
