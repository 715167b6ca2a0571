//! Assembles points, lines and triangles from indices.

use anim_ir::Topology;

use crate::json::gl;

/// Assembles vertices according to the mode (glTF 2.0, section 3.7.2.1). Converts strips, loops and
/// fans to individual lines and triangles.
pub(crate) fn assemble(mode: u32, indices: Vec<u32>) -> Option<(Topology, Vec<u32>)> {
    Some(match mode {
        gl::POINTS => (Topology::Points, indices),
        gl::LINES => (Topology::Lines, indices),
        gl::LINE_LOOP => {
            let closing = indices
                .last()
                .copied()
                .zip(indices.first().copied())
                .map(|(last, first)| [last, first]);
            let pairs = windows::<2>(&indices).chain(closing.filter(|_| indices.len() > 1));
            (Topology::Lines, pairs.flatten().collect())
        }
        gl::LINE_STRIP => (Topology::Lines, windows::<2>(&indices).flatten().collect()),
        gl::TRIANGLES => (Topology::Triangles, indices),
        gl::TRIANGLE_STRIP => {
            // Every other triangle of a strip is flipped.
            let turned = |(number, [a, b, c]): (usize, [u32; 3])| {
                if number % 2 == 0 { [a, b, c] } else { [a, c, b] }
            };
            let triangles = windows::<3>(&indices).enumerate().flat_map(turned);
            (Topology::Triangles, triangles.collect())
        }
        gl::TRIANGLE_FAN => {
            let (first, rest) = indices.split_first().unwrap_or((&0, &[]));
            let triangles = windows::<2>(rest).flat_map(|[a, b]| [a, b, *first]);
            (Topology::Triangles, triangles.collect())
        }
        _ => return None,
    })
}

/// Returns all windows of `N` consecutive indices.
fn windows<const N: usize>(indices: &[u32]) -> impl Iterator<Item = [u32; N]> {
    indices.windows(N).filter_map(|window| window.try_into().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode() {
        let of = |mode| {
            assemble(mode, vec![5, 6, 7, 8])
                .map(|(topology, indices)| (topology.corners(), indices))
        };
        assert_eq!(of(2), Some((2, vec![5, 6, 6, 7, 7, 8, 8, 5])));
        assert_eq!(of(3), Some((2, vec![5, 6, 6, 7, 7, 8])));
        assert_eq!(of(5), Some((3, vec![5, 6, 7, 6, 8, 7])));
        assert_eq!(of(6), Some((3, vec![6, 7, 5, 7, 8, 5])));
        assert_eq!(
            (of(0), of(1), of(4), of(7)),
            (
                Some((1, vec![5, 6, 7, 8])),
                Some((2, vec![5, 6, 7, 8])),
                Some((3, vec![5, 6, 7, 8])),
                None
            )
        );
        assert_eq!((2..=6).map(|mode| assemble(mode, vec![]).unwrap().1.len()).sum::<usize>(), 0);
    }
}
