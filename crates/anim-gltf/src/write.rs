//! Conversion of scene objects to glTF objects.

pub(crate) mod accessor;
pub(crate) mod animation;
pub(crate) mod buffer;
pub(crate) mod bytes;
pub(crate) mod camera;
pub(crate) mod extras;
pub(crate) mod flat;
pub(crate) mod hierarchy;
pub(crate) mod influences;
pub(crate) mod keys;
pub(crate) mod material;
pub(crate) mod mesh;
pub(crate) mod skin;
pub(crate) mod summary;
pub(crate) mod variants;

use anim_ir::diag::quote;

/// Returns how messages refer to a mesh.
fn shown_mesh(name: &str) -> String {
    if name.is_empty() {
        "an unnamed mesh".to_owned()
    } else {
        format!("mesh {}", quote(name.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_in_messages() {
        assert_eq!(shown_mesh("arm"), "mesh `arm`");
        assert_eq!(shown_mesh(""), "an unnamed mesh");
    }
}
