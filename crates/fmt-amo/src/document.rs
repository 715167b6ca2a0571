//! Documents: the bytes of a file, its content, and views of it.

use std::borrow::Cow;

use anim_ir::Edits;

use crate::content::{Animation, Content, ElementKind, Joint, Kept, Library, Object, with_corners};
use crate::corners::Corner;
use crate::dialect::Dialect;

anim_ir::options! {
    /// Options for reading a file.
    pub struct ParseOptions {
        /// The dialect of the file; `None` to detect it.
        dialect (with_dialect): Option<Dialect> = None,
            choice("dialect", Dialect::NAMES, None,
                "Read inputs as this dialect instead of detecting it");
        /// Number of threads used for reading. More than one helps for files larger than about 1
        /// MB.
        threads (with_threads): usize = 1,
            integer("threads", (1, 65535), None,
                "Number of threads; the program also uses them for several files");
    }
}

/// A parsed file. Borrows its bytes if parsed from a slice, owns them if parsed from a `Vec`.
///
/// An unedited document is written back byte for byte. An edit changes only the tokens it targets.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(crate) source: Cow<'a, [u8]>,
    pub(crate) edits: Edits<'static>,
    pub(crate) content: Content,
}

impl<'a> Document<'a> {
    /// The original bytes.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// The detected or requested dialect.
    pub fn dialect(&self) -> Dialect {
        self.content.dialect
    }

    /// The objects in file order.
    pub fn objects(&self) -> &[Object] {
        &self.content.objects
    }

    /// Vertex positions.
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.content.vertices.positions
    }

    /// Texture coordinates as written in the file: v up, except in files from editamo, where v is
    /// down.
    pub fn texcoords(&self) -> &[[f32; 2]] {
        &self.content.vertices.texcoords
    }

    /// Normals as written in the file, not normalised.
    pub fn normals(&self) -> &[[f32; 3]] {
        &self.content.vertices.normals
    }

    /// Faces, lines and points in file order, except invalid ones.
    pub fn elements(
        &self,
    ) -> impl Iterator<Item = (ElementKind, impl ExactSizeIterator<Item = Corner> + Clone)> {
        let corners = &self.content.corners;
        with_corners(&self.content.elements, corners.len())
            .map(|(element, range)| (element.kind, corners.range(range)))
    }

    /// A `vj` row: zero-based joint indices, `None` if unused; four entries, or five if the file
    /// has five.
    pub fn vertex_joints(&self, row: usize) -> impl Iterator<Item = Option<usize>> {
        let fifth = sparse(&self.content.vertices.fifth_joints, row);
        let first = self.content.vertices.joints.get(row).into_iter().flatten().copied();
        first.chain(fifth).map(|joint| usize::try_from(joint).ok())
    }

    /// A `vw` row as written in the file; four entries, or five if the file has five.
    pub fn vertex_weights(&self, row: usize) -> impl Iterator<Item = f32> {
        let fifth = sparse(&self.content.vertices.fifth_weights, row);
        self.content.vertices.weights.get(row).into_iter().flatten().copied().chain(fifth)
    }

    /// Joints in file order, followed by those that the reader created.
    pub fn joints(&self) -> &[Joint] {
        &self.content.joints
    }

    /// Animations in file order.
    pub fn animations(&self) -> &[Animation] {
        &self.content.animations
    }

    /// Names of the materials in `usemtl` statements, in order of first use.
    pub fn materials(&self) -> &[String] {
        &self.content.materials
    }

    /// The material libraries (`mtllib`) with relative paths.
    pub fn material_libraries(&self) -> &[Library] {
        &self.content.libraries
    }

    /// Lines that are neither geometry nor animation.
    pub fn kept(&self) -> &[Kept] {
        &self.content.kept
    }

    /// Converts a key's time to seconds.
    pub fn seconds(&self, animation: &Animation, time: f32) -> f32 {
        self.dialect().seconds(animation.duration_ms, time)
    }
}

fn sparse<T: Copy>(rows: &[(u32, T)], row: usize) -> Option<T> {
    let at = rows.binary_search_by_key(&row, |(index, _)| *index as usize).ok()?;
    rows.get(at).map(|(_, value)| *value)
}
