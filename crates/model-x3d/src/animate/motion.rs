//! Motion of a mesh: its shapes, and the times at which they are shown.

use std::collections::BTreeMap;

use anim_ir::{Budget, Diagnostics, MaterialId, Mesh, MorphTarget, Vec3};

use super::curves::{self, Curves};
use super::pages::{self, Page};
use super::plan::PlannedShape;
use super::shapes::Shapes;
use super::variants::{Keys, Played, Shown, around, changes};
use crate::geometry::Built;
use crate::math::to_f32;
use crate::options::ToIr;

/// A mesh with its shapes and keys.
#[derive(Debug)]
pub(super) struct Motion {
    pub(super) shapes: Shapes,
    pub(super) curves: Curves,
    /// The keys of each take.
    pub(super) keys: Vec<Keys>,
    /// For each take, the page that is shown from each key on.
    pub(super) page_of: Vec<Vec<usize>>,
    pub(super) pages: Vec<Page>,
}

impl Motion {
    pub(super) fn of(
        built: Built,
        shape: &PlannedShape,
        played: &Played<'_>,
        (options, budget): (&ToIr, &Budget),
        problems: &mut Diagnostics,
    ) -> Motion {
        let mut shapes = Shapes::of(built, shape, played, (options, budget), problems);
        let mut keys = played.keys.clone();
        let curves = if shape.baked.is_empty() || options.flip_book {
            Curves::new()
        } else {
            curves::find(&mut shapes, shape, played, &mut keys, (options, budget), problems)
        };
        let (pages, page_of) = pages::find(&shapes, &curves, &keys, &played.takes, options);
        Motion { shapes, curves, keys, page_of, pages }
    }

    /// Whether any page has morph targets.
    pub(super) fn morphs(&self) -> bool {
        self.pages.iter().any(|page| page.target_count() > 0)
    }

    /// Returns the times at which a take shows or hides a page. `mine` are the indices of the keys
    /// that show it.
    pub(super) fn shown(&self, page: usize, take: usize, mine: &[usize]) -> Shown {
        let keys = self.keys.get(take).map_or(&[][..], Vec::as_slice);
        let moments = around(mine).filter_map(|(number, is)| Some((keys.get(number)?.0, is)));
        changes(moments, (0.0, page == 0))
    }

    /// Returns, for each page, the takes that show it, each with the indices of the keys that show
    /// it.
    pub(super) fn keys_of_pages(&self) -> Vec<BTreeMap<usize, Vec<usize>>> {
        let mut pages = vec![BTreeMap::<usize, Vec<usize>>::new(); self.pages.len()];
        for (take, page_of) in self.page_of.iter().enumerate() {
            for (number, page) in page_of.iter().enumerate() {
                if let Some(page) = pages.get_mut(*page) {
                    page.entry(take).or_default().push(number);
                }
            }
        }
        pages
    }

    /// Returns the approximate number of weights of that many keys.
    pub(super) fn number_count(&self, keys: usize) -> usize {
        let most = self.pages.iter().map(Page::target_count).max().unwrap_or(0);
        keys.saturating_mul(most)
    }

    /// Returns the number of keys of each take.
    pub(super) fn key_counts(&self) -> Vec<usize> {
        self.keys.iter().map(Vec::len).collect()
    }

    /// Returns the mesh of a page.
    pub(super) fn mesh(
        &self,
        page: &Page,
        name: &str,
        material: MaterialId,
        morph_normals: bool,
    ) -> Mesh {
        let Shapes { built, positions, normals, labels, .. } = &self.shapes;
        let of = |list: &'_ [Vec<Vec3>], at: usize| list.get(at).cloned().unwrap_or_default();
        let first = page.shapes.first().copied().unwrap_or(0);
        let mut mesh = built.mesh.clone();
        name.clone_into(&mut mesh.name);
        mesh.positions = of(positions, first);
        let first_normals = of(normals, first);
        for part in &mut mesh.primitives {
            part.material = Some(material);
        }
        let target = |at: &usize| MorphTarget {
            name: labels.get(*at).cloned().unwrap_or_default(),
            positions: difference(positions.get(*at), &mesh.positions),
            normals: difference(normals.get(*at), &first_normals),
        };
        mesh.morph_targets = page.shapes.iter().skip(1).map(target).collect();
        for pair in &page.curves {
            let Some(curve) = self.curves.get(pair) else { continue };
            let [from, to] = [pair.0, pair.1].map(|frame| self.shapes.label(frame));
            for (what, positions) in [("bow", &curve.bow), ("late bow", &curve.late)] {
                if !positions.is_empty() {
                    let normals = if morph_normals { positions.len() } else { 0 };
                    mesh.morph_targets.push(MorphTarget {
                        name: format!("{from} to {to} {what}"),
                        positions: positions.clone(),
                        normals: vec![Vec3::ZERO; normals],
                    });
                }
            }
        }
        if morph_normals && first > 0 {
            mesh.normals = first_normals;
        }
        mesh
    }
}

/// Returns the offsets from one list of points to another, clamped to the range of f32.
fn difference(to: Option<&Vec<Vec3>>, from: &[Vec3]) -> Vec<Vec3> {
    let difference = |to: f32, from: f32| to_f32(f64::from(to) - f64::from(from));
    to.into_iter()
        .flatten()
        .zip(from)
        .map(|(to, from)| {
            Vec3::new(difference(to.x, from.x), difference(to.y, from.y), difference(to.z, from.z))
        })
        .collect()
}
