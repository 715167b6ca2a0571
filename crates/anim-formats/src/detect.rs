//! Which format is it?

use anim_ir::format::ByExtension;
use anim_ir::{Confidence, Sniff};

use crate::registry::Format;

/// A format that a file may be of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate {
    /// Which.
    pub format: Format,
    /// How sure.
    pub confidence: Confidence,
    /// Why.
    pub reason: String,
    /// Whether the file's extension is one of the format's.
    pub is_named: bool,
}

/// The formats that a file may be of, the surest first. Content counts before the name: the name
/// decides only between formats whose content says the same, or where it says nothing. Nothing is
/// guessed between equals: where the first two are equally sure, they are.
///
/// `name` is a file name or a path; what stands behind its last dot is looked at.
pub fn detect(bytes: &[u8], name: Option<&str>) -> Vec<Candidate> {
    let by_extension = |format: Format| match format.info().by_extension {
        ByExtension::Always => true,
        ByExtension::Text => is_text(bytes),
        ByExtension::Never => false,
    };
    let mut found: Vec<Candidate> = looks(bytes, name)
        .filter_map(|candidate| match candidate.confidence {
            Confidence::No if candidate.is_named && by_extension(candidate.format) => {
                let reason = "the file's extension".to_owned();
                Some(Candidate { confidence: Confidence::Possible, reason, ..candidate })
            }
            Confidence::No => None,
            _ => Some(candidate),
        })
        .collect();
    found.sort_by_key(|candidate| (std::cmp::Reverse(candidate.confidence), !candidate.is_named));
    found
}

/// What each format says of the content.
fn looks(bytes: &[u8], name: Option<&str>) -> impl Iterator<Item = Candidate> {
    Format::readable().filter_map(move |format| {
        let Sniff { confidence, reason, .. } = format.sniff(bytes)?;
        let is_named = is_named(format, name);
        Some(Candidate { format, confidence, reason: reason.into_owned(), is_named })
    })
}

/// Whether a file of that name, or at that path, may be called after a format.
fn is_named(format: Format, name: Option<&str>) -> bool {
    // `scene.x3d.gz` is an X3D file.
    let name = name.map(|name| name.strip_suffix(".gz").unwrap_or(name));
    let extension = name
        .and_then(|name| name.rsplit_once('.'))
        .map(|(_, extension)| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| format.info().extensions.contains(&extension.as_str()))
}

/// What to say of a file that [`detect`] knows nothing of: why it is not what its name says, and
/// what else it looks like. Empty where there is nothing to say.
pub fn why_unknown(bytes: &[u8], name: Option<&str>) -> String {
    if bytes.is_empty() {
        return "it is empty".to_owned();
    }
    let mut said = Vec::new();
    for Candidate { format, reason, .. } in
        looks(bytes, name).filter(|candidate| candidate.is_named)
    {
        said.push(format!("it is no {} ({reason})", format.title()));
    }
    let kind =
        OTHER_KINDS.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, kind)| *kind);
    if let Some(kind) = kind.or_else(|| is_text(bytes).then_some("text")) {
        said.push(format!("it looks like {kind}"));
    }
    said.join("; ")
}

/// Whether bytes begin like a text.
fn is_text(bytes: &[u8]) -> bool {
    let head = bytes.get(..bytes.len().min(4096)).unwrap_or_default();
    let text = match std::str::from_utf8(head) {
        // The end may cut a character.
        Err(error) if error.error_len().is_none() => {
            head.get(..error.valid_up_to()).unwrap_or_default()
        }
        Err(_) => return false,
        Ok(_) => head,
    };
    !text.is_empty() && !text.contains(&0)
}

/// How files of other kinds start, for messages.
const OTHER_KINDS: [(&[u8], &str); 10] = [
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip file"),
    (b"BLENDER", "a Blender file"),
    (b"Kaydara FBX Binary", "an FBX file"),
    (b"FORM", "an IFF file"),
    (b"LPF ", "a DeluxePaint animation"),
    (b"RIFF", "a RIFF file"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_before_name() {
        let first = |bytes: &[u8], name: &str| {
            detect(bytes, Some(name)).first().map(|c| (c.format.id(), c.confidence))
        };
        assert_eq!(first(b"glTF\x02\0\0\0", "model.amo"), Some(("gltf", Confidence::Certain)));
        assert_eq!(first(b"ao x\nvj 1 0 0 0\n", "x.txt"), Some(("amo", Confidence::Likely)));
        assert_eq!(first(b"", "x.AMO"), Some(("amo", Confidence::Possible)));
        assert_eq!(first(b"\x89PNG", "x.png"), None);
    }
}
