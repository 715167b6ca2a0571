//! Reads large files in blocks.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::path::Path;

use anim_ir::format::{Context, InBlocks};
use anim_ir::{Converted, Diagnostics, Scene};

use super::bytes::format_of;
use super::error::LoadError;
use super::options::LoadOptions;
use crate::document::losses_and_problems;
use crate::images::check_images;
use crate::registry::Format;

/// The number of bytes at the start of a file from which its format is detected.
const HEAD: u64 = 256 << 10;

/// The minimum size in bytes of a file that is read in blocks. Smaller ones would gain little.
const LARGE: u64 = 2 << 20;

/// A scene read in blocks.
#[derive(Debug)]
#[non_exhaustive]
pub struct LoadedInBlocks {
    /// The format of the file.
    pub format: Format,
    /// The dialect of the file, if the format has dialects.
    pub dialect: Option<&'static str>,
    /// The scene, as in [`Loaded`](crate::Loaded).
    pub scene: Scene,
    /// Content that the scene cannot represent. Spans are those of the file.
    pub losses: Diagnostics,
}

/// Converts a large file to a scene, without holding all of its bytes in memory: like
/// [`read_file`](crate::read_file), [`parse_bytes`](crate::parse_bytes) and
/// [`scene_of`](crate::scene_of), but without a document. Returns `None` if the file has to be read
/// as a whole, because it is small or has problems, because its format is not read in blocks (only
/// Animated OBJ is), or because it is in the format `to`, to which it need not be converted.
///
/// # Errors
///
/// Returns an error if reading fails, or if the format is unknown.
pub fn scene_in_blocks(
    path: impl AsRef<Path>,
    to: Format,
    options: &LoadOptions,
    context: &mut Context<'_>,
) -> Result<Option<LoadedInBlocks>, LoadError> {
    let path = path.as_ref();
    let metadata = path.metadata()?;
    if !metadata.is_file() || metadata.len() < LARGE {
        return Ok(None);
    }
    let Ok(length) = usize::try_from(metadata.len()) else { return Ok(None) };
    options.on_read.call(path);
    let mut file = File::open(path)?;
    let format = {
        let mut head = Vec::new();
        file.by_ref().take(HEAD).read_to_end(&mut head)?;
        format_of(&head, path.file_name().and_then(OsStr::to_str), options)?
    };
    if format == to {
        return Ok(None);
    }
    file.rewind()?;
    let mut file = file.take(metadata.len());
    let Some(made) = format.scene_in_blocks(&mut file, length, context)? else { return Ok(None) };
    let InBlocks { converted: Converted { value: mut scene, losses }, dialect } = made;
    let (mut losses, problems) = losses_and_problems(losses, format);
    if !problems.is_empty() {
        return Ok(None);
    }
    check_images(&mut scene, context.files, &mut losses);
    Ok(Some(LoadedInBlocks { format, dialect, scene, losses }))
}
