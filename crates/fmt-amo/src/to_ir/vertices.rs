//! Deduplicates the corners of a mesh: corners with the same five indices share a vertex.
//!
//! Most positions are used by only a few vertices, so each position has a linked list of its
//! vertices, and corners need not be hashed. A file may use one position in any number of vertices;
//! those beyond the first eight are in a hash map. A test compares the results with a plain map.

use std::collections::HashMap;

use anim_ir::number::index32;

use crate::corners::{Corner, Corners};

/// Maximum length of a position's list.
const LISTED: usize = 8;
/// The end of a list.
const END: u32 = u32::MAX;

/// The vertices of the current mesh. Reused for all meshes of a document.
pub(super) struct VertexSet<'a> {
    corners: &'a Corners,
    /// The first vertex of each position. Entries may be stale after a mesh: an entry is valid only
    /// if the vertex exists and has this position.
    first: Vec<u32>,
    /// For each vertex, the index of its first corner, and the next vertex of its position.
    vertices: Vec<(u32, u32)>,
    unlisted: HashMap<Corner, u32>,
}

impl<'a> VertexSet<'a> {
    pub(super) fn new(corners: &'a Corners, positions: usize) -> VertexSet<'a> {
        // Most meshes have about as many vertices as positions.
        let vertices = Vec::with_capacity(positions);
        VertexSet { corners, first: vec![END; positions], vertices, unlisted: HashMap::new() }
    }

    /// Starts the next mesh.
    pub(super) fn clear(&mut self) {
        self.unlisted.clear();
        self.vertices.clear();
    }

    /// The corners of the vertices.
    pub(super) fn corners(&self) -> impl ExactSizeIterator<Item = Corner> + Clone {
        let corners = self.corners;
        self.vertices.iter().map(|(at, _)| corners.get(*at as usize).unwrap_or(Corner::NONE))
    }

    /// Returns the index of the vertex of the corner with this index.
    #[inline]
    pub(super) fn index(&mut self, at: usize) -> u32 {
        let corners = self.corners;
        let surface = corners.surface(at);
        let new = (index32(at), END);
        let Some(first) = position(surface).and_then(|position| self.first.get_mut(position))
        else {
            return self.in_map(at);
        };
        let (mut vertex, mut last) = (*first, END);
        for _ in 0..LISTED {
            let known = self.vertices.get(vertex as usize);
            let known = known.map(|(other, next)| (*other as usize, *next));
            let known = known.map(|(other, next)| (other, corners.surface(other), next));
            let Some((other, others, next)) =
                known.filter(|(_, others, _)| others[0] == surface[0])
            else {
                // The end of the list, or no list yet.
                let added = index32(self.vertices.len());
                match self.vertices.get_mut(last as usize) {
                    Some((_, next)) => *next = added,
                    None => *first = added,
                }
                self.vertices.push(new);
                return added;
            };
            if others == surface && corners.have_same_binding(other, at) {
                return vertex;
            }
            (last, vertex) = (vertex, next);
        }
        self.in_map(at)
    }

    #[cold]
    fn in_map(&mut self, at: usize) -> u32 {
        let corner = self.corners.get(at).unwrap_or(Corner::NONE);
        *self.unlisted.entry(corner).or_insert_with(|| {
            self.vertices.push((index32(at), END));
            index32(self.vertices.len() - 1)
        })
    }
}

fn position([position, ..]: [i32; 3]) -> Option<usize> {
    usize::try_from(position.checked_sub(1)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::tokens::ABSENT;

    use proptest::prelude::*;

    proptest! {
        #[test]
        fn corners_share_vertices_as_in_a_map(
            meshes in prop::bool::ANY.prop_flat_map(|is_bound| {
                let joints = (0..3).prop_map(move |row| if is_bound { row } else { ABSENT });
                prop::collection::vec(
                // Few positions with many texture coordinates, so that lists overflow.
                prop::collection::vec((1..4_i32, 0..30_i32, -1..2_i32, joints), 0..200),
                1..4,
                )
            })
        ) {
            let all: Vec<Corner> = meshes
                .iter()
                .flatten()
                .map(|(position, texcoord, normal, joints)| Corner {
                    slots: [*position, *texcoord, *normal, *joints, ABSENT],
                })
                .collect();
            let mut corners = Corners::default();
            all.iter().for_each(|corner| corners.push(*corner));
            let mut set = VertexSet::new(&corners, 3);
            let mut at = 0;
            for mesh in meshes {
                let (mut map, mut vertices) = (HashMap::new(), Vec::new());
                for corner in &all[at..at + mesh.len()] {
                    let expected = *map.entry(corner).or_insert_with(|| {
                        vertices.push(*corner);
                        index32(vertices.len() - 1)
                    });
                    prop_assert_eq!(set.index(at), expected);
                    at += 1;
                }
                prop_assert_eq!(set.corners().collect::<Vec<_>>(), vertices);
                set.clear();
            }
        }
    }
}
