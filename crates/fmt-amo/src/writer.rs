//! Writes text in the specification's dialect, statement by statement.

use std::fmt::Write as _;

use anim_ir::number::{push_integer, push_shortest};
use anim_ir::{EditError, Quat, Vec3};

/// The text of a file in the specification's dialect. Numbers are written as the shortest decimals
/// that read back as the same f32.
#[derive(Debug)]
pub(crate) struct SpecText {
    out: String,
}

impl SpecText {
    /// Starts a file with a comment that names the program.
    pub(crate) fn new() -> SpecText {
        SpecText {
            out: concat!(
                "# Animated OBJ, written by anim-formats ",
                env!("CARGO_PKG_VERSION"),
                "\n"
            )
            .to_owned(),
        }
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.out.into_bytes()
    }

    /// Writes a keyword and a name, which must be empty or valid in the format.
    pub(crate) fn named(&mut self, keyword: &str, name: &str) {
        self.out.push_str(keyword);
        if !name.is_empty() {
            self.out.push(' ');
            self.out.push_str(name);
        }
        self.out.push('\n');
    }

    /// Writes a keyword and numbers.
    pub(crate) fn numbers(&mut self, keyword: &str, numbers: &[f32]) {
        self.out.push_str(keyword);
        for number in numbers {
            self.out.push(' ');
            push_shortest(*number, &mut self.out);
        }
        self.out.push('\n');
    }

    /// Writes `vj` with one-based joint numbers, or 0 if unused.
    pub(crate) fn vertex_joints(&mut self, joints: [u32; 4]) {
        let [a, b, c, d] = joints;
        // Writing to a String cannot fail.
        let _ = writeln!(self.out, "vj {a} {b} {c} {d}");
    }

    /// Writes `f`, `l` or `p` with the one-based indices of each corner; those that are `None` are
    /// empty.
    pub(crate) fn element<'a>(
        &mut self,
        keyword: &str,
        corners: impl Iterator<Item = &'a [Option<usize>]>,
    ) {
        self.out.push_str(keyword);
        for slots in corners {
            let last = slots.iter().rposition(Option::is_some).unwrap_or(0);
            for (number, slot) in slots.iter().take(last + 1).enumerate() {
                self.out.push(if number == 0 { ' ' } else { '/' });
                if let Some(index) = slot {
                    push_integer(*index, &mut self.out);
                }
            }
        }
        self.out.push('\n');
    }

    /// Writes `j` with a name and the one-based number of the parent.
    pub(crate) fn joint(&mut self, name: &str, parent: Option<usize>) {
        let parent = parent.map_or("-1".to_owned(), |parent| parent.to_string());
        let _ = writeln!(self.out, "j {name} {parent}");
    }

    /// Writes `ap` with the time in seconds, the one-based joint number and the position.
    pub(crate) fn position_key(&mut self, time: f32, joint: usize, position: Vec3) {
        self.key("ap ", time, joint, &position.to_array());
    }

    /// Writes `ar` with the time in seconds, the one-based joint number and the rotation x y z w.
    pub(crate) fn rotation_key(&mut self, time: f32, joint: usize, rotation: Quat) {
        self.key("ar ", time, joint, &rotation.to_array());
    }

    fn key(&mut self, keyword: &str, time: f32, joint: usize, numbers: &[f32]) {
        self.out.push_str(keyword);
        push_shortest(time, &mut self.out);
        self.out.push(' ');
        push_integer(joint, &mut self.out);
        self.numbers("", numbers);
    }

    /// Writes a blank line between sections.
    pub(crate) fn gap(&mut self) {
        self.out.push('\n');
    }
}

/// Checks that a name on a `j` line can be read back unchanged. In addition to [`check_name`], its
/// last words must not look like a rest matrix of the Vasall engine's dialect.
pub(crate) fn check_joint_name(name: &str) -> Result<(), EditError> {
    check_name(name)?;
    if name.split([' ', '\t']).filter(|word| !word.is_empty()).count() >= MATRIX_WORDS {
        let why = "has so many words that the last ones would be read as a rest matrix";
        return Err(EditError::name(name, why));
    }
    Ok(())
}

/// The total number of words in a parent and a matrix.
const MATRIX_WORDS: usize = 17;

/// Checks that a name can be read back unchanged.
pub(crate) fn check_name(name: &str) -> Result<(), EditError> {
    let refused = |why| Err(EditError::name(name, why));
    if name.is_empty() {
        return refused("is empty");
    }
    if name.contains(['\n', '\r']) {
        return refused("contains a line break");
    }
    if name.starts_with([' ', '\t']) || name.ends_with([' ', '\t']) {
        return refused("starts or ends with a space or tab");
    }
    if name.ends_with('\\') {
        return refused("ends with a backslash, which would join the next line to it");
    }
    if name.split([' ', '\t']).any(|token| token.starts_with('#')) {
        return refused("contains a word that starts with `#`, which would start a comment");
    }
    Ok(())
}
