//! Everything an Animated OBJ file says, in its own terms, with the bytes it was read from.

use std::borrow::Cow;

use anim_ir::Edits;

use crate::content::{Animation, Content, Corner, ElementKind, Joint, Kept, Object, with_corners};
use crate::dialect::Dialect;

anim_ir::options! {
    /// How to read a file.
    pub struct ParseOptions {
        /// The dialect to read, instead of detecting it.
        dialect (with_dialect): Option<Dialect> = None,
            choice("dialect", Dialect::NAMES, None,
                "Read inputs as this dialect instead of detecting it");
        /// Threads to read with; more than one helps from a megabyte on.
        threads (with_threads): usize = 1,
            integer("threads", (1, 65535), None, "Threads for one file");
    }
}

/// A file, read. Borrows the bytes where they are given as a slice, owns them where they are given
/// as a `Vec`.
///
/// Written back without an edit it gives the same bytes. An edit changes the tokens it names and
/// nothing else.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(crate) source: Cow<'a, [u8]>,
    pub(crate) edits: Edits<'static>,
    pub(crate) content: Content,
}

impl<'a> Document<'a> {
    /// The bytes that were read.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// The dialect that was found, or the one that was asked for.
    pub fn dialect(&self) -> Dialect {
        self.content.dialect
    }

    /// Objects in the order of the file.
    pub fn objects(&self) -> &[Object] {
        &self.content.objects
    }

    /// Vertex positions.
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.content.vertices.positions
    }

    /// Texture coordinates as the file has them: v up, but v down in files of editamo.
    pub fn texcoords(&self) -> &[[f32; 2]] {
        &self.content.vertices.texcoords
    }

    /// Normals as the file has them, of any length.
    pub fn normals(&self) -> &[[f32; 3]] {
        &self.content.vertices.normals
    }

    /// Faces, lines and points in the order of the file. What could not be read is missing.
    pub fn elements(&self) -> impl Iterator<Item = (ElementKind, &[Corner])> {
        let corners = &self.content.corners;
        with_corners(&self.content.elements, corners.len())
            .map(|(element, range)| (element.kind, corners.get(range).unwrap_or_default()))
    }

    /// A `vj` row: joint indices from 0, `None` where unused; five entries where the file has five.
    pub fn vertex_joints(&self, row: usize) -> impl Iterator<Item = Option<usize>> {
        let fifth = sparse(&self.content.vertices.fifth_joints, row);
        let first = self.content.vertices.joints.get(row).into_iter().flatten().copied();
        first.chain(fifth).map(|joint| usize::try_from(joint).ok())
    }

    /// A `vw` row as the file has it; five entries where the file has five.
    pub fn vertex_weights(&self, row: usize) -> impl Iterator<Item = f32> {
        let fifth = sparse(&self.content.vertices.fifth_weights, row);
        self.content.vertices.weights.get(row).into_iter().flatten().copied().chain(fifth)
    }

    /// Joints in the order of the file, those that were made up behind them.
    pub fn joints(&self) -> &[Joint] {
        &self.content.joints
    }

    /// Animations in the order of the file.
    pub fn animations(&self) -> &[Animation] {
        &self.content.animations
    }

    /// Names of the materials that faces use.
    pub fn materials(&self) -> &[String] {
        &self.content.materials
    }

    /// Paths of the material libraries (`mtllib`) that lie below the file's own folder.
    pub fn material_libraries(&self) -> &[String] {
        &self.content.libraries
    }

    /// Lines that are kept without a meaning for geometry or animation.
    pub fn kept(&self) -> &[Kept] {
        &self.content.kept
    }

    /// A key's time in seconds.
    pub fn seconds(&self, animation: &Animation, time: f32) -> f32 {
        self.dialect().seconds(animation.duration_ms, time)
    }
}

fn sparse<T: Copy>(rows: &[(u32, T)], row: usize) -> Option<T> {
    let at = rows.binary_search_by_key(&row, |(index, _)| *index as usize).ok()?;
    rows.get(at).map(|(_, value)| *value)
}
