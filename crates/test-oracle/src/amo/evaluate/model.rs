//! What a file says.

use crate::math::Mat4;

/// Which of the incompatible dialects a text is in (the columns of the table).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// D0: `jp parent` or 0-based `j`, times in frames, face slots four and five 0-based.
    Extobj,
    /// D1: as in the specification.
    Spec,
    /// D1e: as D1, but 0-based parents and texture coordinates as in glTF.
    Editamo,
    /// D2: `k` lines before the keys, w x y z quaternions, a rest matrix behind `j`.
    Lines,
    /// D3: counted blocks of bare rows, everything 0-based.
    Counted,
}

impl Dialect {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 5] =
        [Self::Extobj, Self::Spec, Self::Editamo, Self::Lines, Self::Counted];
}

/// One corner of a face: 0-based numbers into the tables of the [`Model`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Corner {
    /// Which of [`Model::positions`].
    pub position: usize,
    /// Which of [`Model::texcoords`].
    pub texcoord: Option<usize>,
    /// Which `vn` of the file.
    pub normal: Option<usize>,
    /// Which of [`Model::vertex_joints`].
    pub joints: Option<usize>,
    /// Which of [`Model::vertex_weights`].
    pub weights: Option<usize>,
}

/// One animation.
#[derive(Clone, Debug)]
pub struct Clip {
    /// The name up to the end of the line (reading 4), empty for keys before the first `a` (reading
    /// 8).
    pub name: String,
    /// All distinct times, in seconds and ascending, at which any joint has a key (reading 6 and
    /// the table's last row but one for the units of the file).
    pub key_times: Vec<f64>,
    /// For every joint its keys as time in seconds and position, times strictly ascending.
    pub position_keys: Vec<Vec<(f64, [f64; 3])>>,
    /// For every joint its keys as time in seconds and x y z w, not normalised (reading 7), times
    /// strictly ascending.
    pub rotation_keys: Vec<Vec<(f64, [f64; 4])>>,
}

/// A whole file.
#[derive(Clone, Debug)]
pub struct Model {
    /// Every joint's name in file order. Joints of `jp` lines and made-up joints (reading 9) have
    /// the empty name.
    pub joint_names: Vec<String>,
    /// Every joint's parent, as a number into the joints.
    pub joint_parents: Vec<Option<usize>>,
    /// Every joint's rest matrix, parent-relative, where the file has one (reading 5).
    pub joint_rests: Vec<Option<Mat4>>,
    /// The animations in file order.
    pub clips: Vec<Clip>,
    /// The polygons in file order, each with three corners or more (reading 10).
    pub faces: Vec<Vec<Corner>>,
    /// The `v` of the file, in the file's own axes and units.
    pub positions: Vec<[f64; 3]>,
    /// The `vt` of the file, as written.
    pub texcoords: Vec<[f64; 2]>,
    /// The `vj` of the file as 0-based joints, `None` where unused (reading 2).
    pub vertex_joints: Vec<Vec<Option<usize>>>,
    /// The `vw` of the file, as written (reading 3).
    pub vertex_weights: Vec<Vec<f64>>,
    pub(super) dialect: Dialect,
    pub(super) influence_limit: usize,
}

/// Whether a joint is its own ancestor. Parents that do not exist have no parent.
pub(crate) fn has_cycle(parents: &[Option<usize>]) -> bool {
    (0..parents.len()).any(|joint| {
        let mut ancestor = Some(joint);
        for _ in 0..=parents.len() {
            ancestor = ancestor.and_then(|a| parents.get(a).copied().flatten());
        }
        ancestor.is_some()
    })
}
