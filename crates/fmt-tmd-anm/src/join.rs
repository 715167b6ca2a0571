//! Joins several files into one.

use anim_ir::{Converted, Output};

use crate::document::Document;
use crate::error::JoinError;
use crate::options::JoinOptions;
use crate::quantize::whole_rate;
use crate::sequence::Sequence;

impl JoinOptions {
    /// Whether no option that could change a file is set, apart from limits.
    pub const fn is_default(&self) -> bool {
        self.frames_per_second.is_none() && !self.split
    }
}

/// Joins documents by concatenating and packing their frames. If this requires several files, all
/// but the first are named after `stem`.
///
/// # Errors
///
/// Returns a [`JoinError`] if there are no documents, their rates differ and none is specified, the
/// specified rate is invalid, or the frames do not fit.
pub fn join(
    documents: &[&Document<'_>],
    options: &JoinOptions,
    stem: &str,
) -> Result<Converted<Output>, JoinError> {
    let rate = options.frames_per_second.map(whole_rate).transpose()?;
    let joined = Sequence::join(documents, rate)?;
    let files = joined.value.files(options.split)?;
    Ok(Converted { value: output(files, stem), losses: joined.losses })
}

/// Returns the first file as the main output; the others are numbered from 2.
pub(crate) fn output(files: Vec<Document<'static>>, stem: &str) -> Output {
    let mut files = files.into_iter().map(|file| file.source.into_owned());
    let main = files.next().unwrap_or_default();
    let further = (2_usize..).zip(files);
    let companions = further.map(|(number, file)| (format!("{stem}_{number}.anm"), file)).collect();
    Output { main, companions }
}
