//! The data folder of a Castle Game Engine project, which `castle-data:` URIs refer to.

use anim_ir::ResolveError;
use anim_ir::address::{join, relative_path};

/// The file that marks the root of a project.
pub(super) const MANIFEST: &str = "CastleEngineManifest.xml";
/// The folder of a project that `castle-data:` URIs refer to.
pub(super) const DATA: &str = "data";

const OUTSIDE_DATA: &str = "`castle-data:` URIs stay below the project's data folder";

/// Returns the path of a file in the data folder of a project, which it must not leave.
pub(super) fn project_path(below: &str) -> Result<String, ResolveError> {
    let path = join("", &relative_path(below)?);
    if path == ".." || path.starts_with("../") {
        return Err(ResolveError::Outside { hint: OUTSIDE_DATA });
    }
    Ok(path)
}

/// The error for a file that belongs to no project. `within` says which folders were searched.
pub(super) fn no_project(within: &str) -> ResolveError {
    let why = format!(
        "no folder above this file{within} has a `{MANIFEST}` and a folder `{DATA}`, which \
         `castle-data:` URIs refer to"
    );
    ResolveError::Unsupported(why.into())
}
