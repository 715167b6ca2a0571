//! Which meshes are written, with which skins, and which joints those have.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, Mat4, Mesh, Scene, Skin};

use crate::codes;
use crate::error::WriteError;
use crate::influences::{Numbering, Prepared};

/// How many joints a number of 16 bits tells apart.
const MOST_JOINTS: usize = 1 << 16;

/// A mesh of the glTF file: a mesh of the scene, with the joint numbers of one skin or without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Variant {
    pub(crate) mesh: usize,
    pub(crate) skin: Option<usize>,
}

/// The meshes of the glTF file in order.
#[derive(Debug)]
pub(crate) struct Variants {
    pub(crate) list: Vec<Variant>,
    /// For each node of the scene the index in `list`.
    pub(crate) of_node: Vec<Option<usize>>,
}

impl Variants {
    /// One for each mesh that draws anything and each skin that it has on a node; a mesh that no
    /// node has is written all the same.
    pub(crate) fn of(scene: &Scene, losses: &mut Diagnostics) -> Variants {
        let drawn: Vec<bool> = scene.meshes.iter().map(draws).collect();
        let variant = |node: &anim_ir::Node| {
            let mesh = node.mesh.filter(|mesh| drawn.get(*mesh) == Some(&true))?;
            let skinned = scene.meshes.get(mesh).is_some_and(|mesh| mesh.influences.per_vertex > 0);
            Some(Variant { mesh, skin: node.skin.filter(|_| skinned) })
        };
        let mut all: BTreeSet<Variant> = scene.nodes.iter().filter_map(variant).collect();
        for (index, (mesh, drawn)) in scene.meshes.iter().zip(&drawn).enumerate() {
            if !drawn {
                losses.push(&codes::EMPTY_MESH, None, || {
                    format!("mesh {} draws nothing", quote(mesh.name.as_bytes()))
                });
                continue;
            }
            let mut variants = all
                .range(
                    Variant { mesh: index, skin: None }..=Variant {
                        mesh: index,
                        skin: Some(usize::MAX),
                    },
                )
                .peekable();
            let unused = variants.peek().is_none();
            let skinned = variants.any(|variant| variant.skin.is_some());
            if unused {
                all.insert(Variant { mesh: index, skin: None });
            }
            if !skinned && mesh.influences.weights.iter().any(|weight| *weight != 0.0) {
                losses.push(&codes::NO_SKIN, None, || {
                    format!(
                        "mesh {} has influences, but is nowhere used with a skin",
                        quote(mesh.name.as_bytes())
                    )
                });
            }
        }
        let list: Vec<Variant> = all.into_iter().collect();
        let of_node = scene
            .nodes
            .iter()
            .map(|node| variant(node).and_then(|variant| list.binary_search(&variant).ok()))
            .collect();
        Variants { list, of_node }
    }
}

/// Whether there is anything to draw: glTF allows no mesh without a primitive and no primitive
/// without a vertex.
fn draws(mesh: &Mesh) -> bool {
    mesh.primitives.iter().any(|part| !part.indices.is_empty())
}

/// A joint of a glTF skin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    /// A joint of the skeleton.
    Joint(usize),
    /// A node at a joint's place: the scene's skin names the joint more than once, with different
    /// matrices.
    Again {
        /// The joint.
        joint: usize,
        /// 1 for the second time.
        time: u32,
    },
    /// The joint that never moves, for vertices without influences.
    AtRest,
}

/// A skin of the glTF file.
#[derive(Debug)]
pub(crate) struct SkinPlan {
    pub(crate) skeleton: usize,
    pub(crate) slots: Vec<Slot>,
    /// As many matrices as slots, 16 numbers each.
    pub(crate) inverse_bind: Vec<f32>,
}

/// The skins of the glTF file, and the influences of the meshes that use them.
#[derive(Debug, Default)]
pub(crate) struct Skins<'a> {
    pub(crate) list: Vec<SkinPlan>,
    /// For each skin of the scene the index in `list`.
    pub(crate) of_scene: Vec<Option<usize>>,
    /// For each variant that has a skin its influences.
    pub(crate) influences: Vec<Option<Rc<Prepared<'a>>>>,
}

impl<'a> Skins<'a> {
    pub(crate) fn plan(
        scene: &'a Scene,
        variants: &Variants,
        losses: &mut Diagnostics,
    ) -> Result<Skins<'a>, WriteError> {
        let mut skins = Skins::default();
        let mut users: HashMap<usize, Vec<(usize, &'a Mesh)>> = HashMap::new();
        for (index, variant) in variants.list.iter().enumerate() {
            skins.influences.push(None);
            if let (Some(skin), Some(mesh)) = (variant.skin, scene.meshes.get(variant.mesh)) {
                users.entry(skin).or_default().push((index, mesh));
            }
        }
        for (index, skin) in scene.skins.iter().enumerate() {
            let users = users.get(&index).map_or(&[][..], Vec::as_slice);
            let (mut plan, places) = distinct(scene, skin, users);
            let slots = plan.slots.len();
            let mut at_rest = false;
            for (variant, mesh) in users {
                let number = u32::try_from(slots).unwrap_or(u32::MAX);
                let numbering = Numbering { places: places.as_deref(), at_rest: number };
                let (prepared, changes) =
                    Prepared::new(&mesh.influences, mesh.positions.len(), numbering);
                if let Some(slot) = skins.influences.get_mut(*variant) {
                    *slot = Some(Rc::new(prepared));
                }
                at_rest |= changes.at_rest > 0;
                let name = || quote(mesh.name.as_bytes());
                if changes.cut > 0 {
                    losses.push(&codes::INFLUENCES, None, || {
                        format!(
                            "{} vertices of mesh {} have more than four joints",
                            changes.cut,
                            name()
                        )
                    });
                }
                if changes.scaled > 0 {
                    let message = || {
                        format!(
                            "weights of {} vertices of mesh {} do not sum to 1 or are negative",
                            changes.scaled,
                            name()
                        )
                    };
                    losses.push(&codes::WEIGHTS_SUM, None, message);
                }
            }
            if at_rest {
                plan.slots.push(Slot::AtRest);
                plan.inverse_bind.extend(Mat4::IDENTITY.to_columns());
            }
            if !users.is_empty() && plan.slots.len() > MOST_JOINTS {
                return Err(WriteError::TooManyJoints { skin: index, joints: plan.slots.len() });
            }
            let written = (!plan.slots.is_empty()).then_some(skins.list.len());
            skins.of_scene.push(written);
            if written.is_some() {
                skins.list.push(plan);
            }
        }
        skins.add_bare_skeletons(scene);
        Ok(skins)
    }

    /// Whether a skin has the joint that never moves, for each skeleton.
    pub(crate) fn at_rest(&self, skeletons: usize) -> Vec<bool> {
        let mut found = vec![false; skeletons];
        for skin in self.list.iter().filter(|skin| skin.slots.last() == Some(&Slot::AtRest)) {
            if let Some(found) = found.get_mut(skin.skeleton) {
                *found = true;
            }
        }
        found
    }

    /// A skeleton that no skin uses gets one: to Blender and others joints are bones only where a
    /// skin says so.
    fn add_bare_skeletons(&mut self, scene: &Scene) {
        let with_skin: BTreeSet<usize> = self.list.iter().map(|skin| skin.skeleton).collect();
        for (index, skeleton) in scene.skeletons.iter().enumerate() {
            if with_skin.contains(&index) || skeleton.joints.is_empty() || !skeleton.bones {
                continue;
            }
            let rest = skeleton.rest_model_matrices();
            let inverse_bind =
                rest.iter().flat_map(|matrix| bind(matrix.inverse().unwrap_or_default())).collect();
            self.list.push(SkinPlan {
                skeleton: index,
                slots: (0..skeleton.joints.len()).map(Slot::Joint).collect(),
                inverse_bind,
            });
        }
    }
}

/// A matrix as the skin has it: the validator takes no last row but 0 0 0 1, not even rounded.
fn bind(matrix: Mat4) -> [f32; 16] {
    let mut columns = matrix.columns;
    for (column, last) in columns.iter_mut().zip([0.0, 0.0, 0.0, 1.0]) {
        let [.., bottom] = column;
        *bottom = last;
    }
    Mat4 { columns }.to_columns()
}

/// The joints of a skin without repetition (glTF allows none), and for each place in the scene's
/// skin the slot; `None` where those are the same. Where there are more joints than fit, those that
/// no vertex uses are left out.
fn distinct(scene: &Scene, skin: &Skin, users: &[(usize, &Mesh)]) -> (SkinPlan, Option<Vec<u32>>) {
    let joints = scene.skeletons.get(skin.skeleton).map_or(0, |skeleton| skeleton.joints.len());
    let mut seen = vec![false; joints];
    let again = skin
        .joints
        .iter()
        .any(|joint| seen.get_mut(*joint).is_some_and(|seen| std::mem::replace(seen, true)));
    let crowded = !users.is_empty() && skin.joints.len() >= MOST_JOINTS;
    if !again && !crowded {
        let slots = skin.joints.iter().copied().map(Slot::Joint).collect();
        let inverse_bind = skin.inverse_bind.iter().copied().flat_map(bind).collect();
        return (SkinPlan { skeleton: skin.skeleton, slots, inverse_bind }, None);
    }
    let used = crowded.then(|| {
        let mut used = vec![false; skin.joints.len()];
        for (_, mesh) in users {
            for (joint, _) in mesh
                .influences
                .joints
                .iter()
                .zip(&mesh.influences.weights)
                .filter(|(_, weight)| **weight > 0.0)
            {
                if let Some(used) =
                    usize::try_from(*joint).ok().and_then(|joint| used.get_mut(joint))
                {
                    *used = true;
                }
            }
        }
        used
    });
    let mut plan =
        SkinPlan { skeleton: skin.skeleton, slots: Vec::new(), inverse_bind: Vec::new() };
    let mut known: HashMap<(usize, [u32; 16]), u32> = HashMap::new();
    let mut times: HashMap<usize, u32> = HashMap::new();
    let mut places = Vec::with_capacity(skin.joints.len());
    for (place, (joint, matrix)) in skin.joints.iter().zip(&skin.inverse_bind).enumerate() {
        if used.as_ref().is_some_and(|used| used.get(place) != Some(&true)) {
            places.push(0);
            continue;
        }
        let matrix = bind(*matrix);
        let slot = *known.entry((*joint, matrix.map(f32::to_bits))).or_insert_with(|| {
            let slot = u32::try_from(plan.slots.len()).unwrap_or(u32::MAX);
            let time = times.entry(*joint).or_insert(0);
            plan.slots.push(if *time == 0 {
                Slot::Joint(*joint)
            } else {
                Slot::Again { joint: *joint, time: *time }
            });
            plan.inverse_bind.extend(matrix);
            *time = time.saturating_add(1);
            slot
        });
        places.push(slot);
    }
    (plan, Some(places))
}
