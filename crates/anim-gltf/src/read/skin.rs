//! Skins: the joints to which vertex joint indices refer.

use anim_ir::{JointRef, LimitError, Mat4, Skin};

use crate::codes;
use crate::json;
use crate::read::fault::Fault;
use crate::read::hierarchy::{Part, Place, Tree};
use crate::read::source::Source;

/// A skin, and the mapping of its joint indices.
#[derive(Clone, Debug)]
pub(crate) struct ReadSkin {
    pub(crate) skin: Skin,
    /// For each joint of the file's skin, its index in this skin, or `None` for the static joint.
    /// The whole list is `None` if all indices are the same in both skins.
    pub(crate) numbers: Option<Vec<Option<u32>>>,
    /// The number of joints of the file's skin.
    pub(crate) joints: usize,
}

/// Converts each skin of the file. The result is `None` for a skin that cannot be read.
pub(crate) fn read(
    source: &mut Source<'_>,
    tree: &Tree,
) -> Result<Vec<Option<ReadSkin>>, LimitError> {
    let mut skins = Vec::with_capacity(source.root.skins.len());
    for (number, skin) in source.root.skins.iter().enumerate() {
        let read = read_skin(source, tree, number, skin);
        skins.push(source.keep(&codes::SKIN, read)?);
    }
    Ok(skins)
}

fn read_skin(
    source: &mut Source<'_>,
    tree: &Tree,
    number: usize,
    skin: &json::Skin<'_>,
) -> Result<ReadSkin, Fault> {
    let joints = skin.joints.len();
    let pointer = || format!("/skins/{number}/inverseBindMatrices");
    let matrices = match skin.inverse_bind_matrices {
        Some(accessor) => source.floats::<Mat4>(accessor, 16)?,
        None => {
            source.spend(joints.saturating_mul(size_of::<Mat4>()))?;
            vec![Mat4::IDENTITY; joints]
        }
    };
    if matrices.len() < joints {
        return Err(Fault::new(
            pointer(),
            format!("{} matrices for {joints} joints", matrices.len()),
        ));
    }
    let mut read = Skin::default();
    let mut skeleton_of_all = None;
    let mut numbers = Vec::with_capacity(joints);
    for (at, (node, matrix)) in skin.joints.iter().zip(matrices).enumerate() {
        let wrong = |message: String| Fault::new(format!("/skins/{number}/joints/{at}"), message);
        let JointRef { skeleton, joint } = match tree.places.get(*node) {
            Some(Place::AtRest) => {
                numbers.push(None);
                continue;
            }
            Some(Place::Joint { joint, part: Part::Whole | Part::Lower | Part::Again }) => *joint,
            Some(_) => return Err(wrong(format!("node {node} is not a joint of the scene"))),
            None => return Err(wrong(format!("node {node} does not exist"))),
        };
        if *skeleton_of_all.get_or_insert(skeleton) != skeleton {
            return Err(wrong(format!("node {node} shares no root with the previous joints")));
        }
        numbers.push(u32::try_from(read.joints.len()).ok());
        read.joints.push(joint);
        read.inverse_bind.push(matrix);
    }
    let Some(skeleton) = skeleton_of_all else {
        return Err(Fault::new(format!("/skins/{number}/joints"), "the skin has no joints"));
    };
    read.skeleton = skeleton;
    let same = read.joints.len() == joints;
    Ok(ReadSkin { skin: read, numbers: (!same).then_some(numbers), joints })
}
