//! Skins and their joints.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use anim_ir::{Diagnostics, JointId, Mat4, Mesh, Scene, SkeletonId, Skin, SkinId, insert_all};

use crate::codes;
use crate::error::FromIrError;
use crate::write::influences::{Changes, Numbering, Prepared, SLOTS, Wide};
use crate::write::shown_mesh;
use crate::write::variants::Variants;

/// Maximum number of joints that 16-bit indices can address.
const MOST_JOINTS: usize = 1 << 16;

/// A joint of a glTF skin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    /// A joint of the skeleton.
    Joint(JointId),
    /// A duplicate node for a joint that the scene's skin lists more than once with different
    /// matrices.
    Again {
        /// The joint.
        joint: JointId,
        /// 1 for the second occurrence, and so on.
        time: u32,
    },
    /// The joint that never moves, for vertices without influences.
    AtRest,
}

/// A skin of the glTF file.
#[derive(Debug)]
pub(crate) struct SkinPlan {
    pub(crate) skeleton: SkeletonId,
    pub(crate) slots: Vec<Slot>,
    /// One matrix per slot, 16 values each.
    pub(crate) inverse_bind: Vec<f32>,
}

/// The skins of the glTF file, and the influences of the meshes that use them.
#[derive(Debug, Default)]
pub(crate) struct Skins<'a> {
    pub(crate) list: Vec<SkinPlan>,
    /// For each skin of the scene, its index in `list`.
    pub(crate) of_scene: Vec<Option<usize>>,
    /// For each variant with a skin, its influences.
    pub(crate) influences: Vec<Option<Rows<'a>>>,
}

/// The influences of a mesh.
#[derive(Debug)]
pub(crate) enum Rows<'a> {
    /// Up to four per vertex.
    Four(Rc<Prepared<'a>>),
    /// Up to eight per vertex.
    Eight(Wide),
}

impl<'a> Rows<'a> {
    fn new(mesh: &'a Mesh, most: usize, numbering: Numbering<'_>) -> (Rows<'a>, Changes) {
        let (influences, vertices) = (&mesh.influences, mesh.positions.len());
        if most > SLOTS
            && let Some((wide, changes)) = Wide::new(influences, vertices, numbering)
        {
            return (Rows::Eight(wide), changes);
        }
        let (prepared, changes) = Prepared::new(influences, vertices, numbering);
        (Rows::Four(Rc::new(prepared)), changes)
    }
}

impl<'a> Skins<'a> {
    pub(crate) fn plan(
        scene: &'a Scene,
        variants: &Variants,
        most_influences: usize,
        losses: &mut Diagnostics,
    ) -> Result<Skins<'a>, FromIrError> {
        let mut skins = Skins::default();
        let mut users: HashMap<SkinId, Vec<(usize, &'a Mesh)>> = HashMap::new();
        for (index, variant) in variants.list.iter().enumerate() {
            skins.influences.push(None);
            if let (Some(skin), Some(mesh)) = (variant.skin, scene.mesh(variant.mesh)) {
                users.entry(skin).or_default().push((index, mesh));
            }
        }
        for (id, skin) in scene.enumerate_skins() {
            let users = users.get(&id).map_or(&[][..], Vec::as_slice);
            let (mut plan, places) = distinct(scene, skin, users);
            let slots = plan.slots.len();
            let mut at_rest = false;
            for (variant, mesh) in users {
                let number = u32::try_from(slots).unwrap_or(u32::MAX);
                let numbering = Numbering { places: places.as_deref(), at_rest: number };
                let (rows, changes) = Rows::new(mesh, most_influences, numbering);
                if let Some(slot) = skins.influences.get_mut(*variant) {
                    *slot = Some(rows);
                }
                at_rest |= changes.at_rest > 0;
                let name = || shown_mesh(&mesh.name);
                if changes.cut > 0 {
                    losses.push(&codes::INFLUENCES, None, || {
                        let vertices = format!("{} vertices of {}", changes.cut, name());
                        if most_influences > SLOTS {
                            format!("{vertices} have more than eight influences; eight are kept")
                        } else {
                            format!(
                                "{vertices} have more than four influences; four are kept, or up \
                                 to eight with `--influences 8`"
                            )
                        }
                    });
                }
                if changes.scaled > 0 {
                    losses.push(&codes::WEIGHTS_SUM, None, || {
                        let vertices = format!("{} vertices of {}", changes.scaled, name());
                        format!("the weights of {vertices} do not sum to 1, or some are negative")
                    });
                }
            }
            if at_rest {
                plan.slots.push(Slot::AtRest);
                plan.inverse_bind.extend(Mat4::IDENTITY.to_columns());
            }
            if !users.is_empty() && plan.slots.len() > MOST_JOINTS {
                return Err(FromIrError::TooManyJoints { skin: id, joints: plan.slots.len() });
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

    /// Returns, for each skeleton, whether a skin has the joint that never moves.
    pub(crate) fn at_rest(&self, skeletons: usize) -> Vec<bool> {
        let mut found = vec![false; skeletons];
        for skin in self.list.iter().filter(|skin| skin.slots.last() == Some(&Slot::AtRest)) {
            if let Some(found) = found.get_mut(skin.skeleton.index()) {
                *found = true;
            }
        }
        found
    }

    /// Adds a skin for each skeleton without one, since Blender and other programs only recognise
    /// the joints of a skin as bones.
    fn add_bare_skeletons(&mut self, scene: &Scene) {
        let with_skin: BTreeSet<SkeletonId> =
            insert_all(self.list.iter().map(|skin| skin.skeleton));
        for (id, skeleton) in scene.enumerate_skeletons() {
            if with_skin.contains(&id) || skeleton.joints.is_empty() || !skeleton.bones {
                continue;
            }
            let rest = skeleton.rest_model_matrices();
            let inverse_bind =
                rest.iter().flat_map(|matrix| bind(matrix.inverse().unwrap_or_default())).collect();
            self.list.push(SkinPlan {
                skeleton: id,
                slots: skeleton.enumerate_joints().map(|(id, _)| Slot::Joint(id)).collect(),
                inverse_bind,
            });
        }
    }
}

/// Returns the values of a bind matrix. The validator requires a last row of exactly 0 0 0 1.
fn bind(matrix: Mat4) -> [f32; 16] {
    let mut columns = matrix.columns;
    for (column, last) in columns.iter_mut().zip([0.0, 0.0, 0.0, 1.0]) {
        let [.., bottom] = column;
        *bottom = last;
    }
    Mat4 { columns }.to_columns()
}

/// Returns the joints of a skin without duplicates, which glTF does not allow, and the slot for
/// each joint index of the scene's skin, or `None` if they are equal. If there are too many joints,
/// unused joints are omitted.
fn distinct(scene: &Scene, skin: &Skin, users: &[(usize, &Mesh)]) -> (SkinPlan, Option<Vec<u32>>) {
    let joints = scene.skeleton(skin.skeleton).map_or(0, |skeleton| skeleton.joints.len());
    let mut seen = vec![false; joints];
    let mut is_again = |joint: &JointId| {
        seen.get_mut(joint.index()).is_some_and(|seen| std::mem::replace(seen, true))
    };
    let again = skin.joints.iter().any(&mut is_again);
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
    let mut known: HashMap<(JointId, [u32; 16]), u32> = HashMap::new();
    let mut times: HashMap<JointId, u32> = HashMap::new();
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
