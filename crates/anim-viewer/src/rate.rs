//! Notes on playing a file at a frame rate other than its own.

use anim_formats::anim_ir::diag::seconds;
use anim_formats::{AnyDocument, Settings};

/// A note that `--rate` changes the length of the motion of a file that states its own rate.
pub fn changed_length(document: &AnyDocument<'_>, settings: &Settings) -> Option<String> {
    let played: f64 = settings.get("rate")?.text().trim().parse().ok()?;
    let (frames, stated) = document.stated_rate()?;
    let frames = f64::from(u32::try_from(frames).ok()?);
    let is_other = stated > 0.0 && frames > 0.0 && (stated - played).abs() > 1e-6 * stated;
    is_other.then(|| {
        format!(
            "the file states {} frames per second; --rate {} changes its length from {} to {}",
            short(stated),
            short(played),
            seconds(frames / stated),
            seconds(frames / played)
        )
    })
}

/// Rounds to three decimals.
fn short(number: f64) -> f64 {
    format!("{number:.3}").parse().unwrap_or(number)
}
