//! Format detection.

use anim_ir::format::ByExtension;
use anim_ir::{Confidence, Sniff, sort_by};

use crate::registry::Format;

/// A possible format of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate {
    /// The format.
    pub format: Format,
    /// The confidence in this format.
    pub confidence: Confidence,
    /// The reason, for use in messages.
    pub reason: String,
    /// Whether the file has one of the format's extensions, ignoring `.gz`.
    pub is_named: bool,
}

/// Returns the possible formats of a file, most likely first. Content takes precedence over the
/// name: the extension only decides between formats that are equally likely by content, or if the
/// content is inconclusive. If the first two candidates have the same confidence, and both or
/// neither have the file's extension, the file is ambiguous.
///
/// `name` is a file name or a path; only its extension is used.
pub fn detect(bytes: &[u8], name: Option<&str>) -> Vec<Candidate> {
    let is_other = !is_text(bytes) && other_kind(bytes).is_some();
    let is_gzip = bytes.starts_with(GZIP);
    let by_extension = |format: Format| match format.info().by_extension {
        _ if is_other && !(is_gzip && format.may_be_compressed()) => false,
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
    sort_by(&mut found, |a, b| {
        let key = |found: &Candidate| (std::cmp::Reverse(found.confidence), !found.is_named);
        key(a).cmp(&key(b))
    });
    found
}

/// Returns each format's verdict on the content.
fn looks(bytes: &[u8], name: Option<&str>) -> impl Iterator<Item = Candidate> {
    Format::readable().filter_map(move |format| {
        let Sniff { confidence, reason, .. } = format.sniff(bytes)?;
        let is_named = is_named(format, name);
        Some(Candidate { format, confidence, reason: reason.into_owned(), is_named })
    })
}

/// Returns whether a file name or path has one of a format's extensions.
fn is_named(format: Format, name: Option<&str>) -> bool {
    // `scene.x3d.gz` is an X3D file.
    let name = name.map(|name| name.strip_suffix(".gz").unwrap_or(name));
    let extension = name
        .and_then(|name| name.rsplit_once('.'))
        .map(|(_, extension)| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| format.info().extensions.contains(&extension.as_str()))
}

/// Describes a file for which [`detect`] finds no format: why it does not match its extension, and
/// what kind of file it appears to be. Returns an empty string if neither is known.
pub fn why_unknown(bytes: &[u8], name: Option<&str>) -> String {
    if bytes.is_empty() {
        return "the file is empty".to_owned();
    }
    let mut said = Vec::new();
    for Candidate { format, reason, .. } in
        looks(bytes, name).filter(|candidate| candidate.is_named)
    {
        said.push(format!("not {} ({reason})", format.title()));
    }
    // Text in UTF-16 is decoded by the formats that allow it.
    let wide = [&b"\xff\xfe"[..], b"\xfe\xff"].iter().any(|mark| bytes.starts_with(mark));
    let kind = other_kind(bytes).or_else(|| wide.then_some("text in UTF-16"));
    if let Some(kind) = kind.or_else(|| is_text(bytes).then_some("plain text")) {
        said.push(format!("the content looks like {kind}"));
    }
    said.join("; ")
}

/// Returns the kind of a file that is in no format of this project, by its magic number.
fn other_kind(bytes: &[u8]) -> Option<&'static str> {
    OTHER_KINDS.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, kind)| *kind)
}

/// Returns whether the start of a file looks like text.
fn is_text(bytes: &[u8]) -> bool {
    let head = bytes.get(..bytes.len().min(4096)).unwrap_or_default();
    let text = match std::str::from_utf8(head) {
        // The last character may be truncated.
        Err(error) if error.error_len().is_none() => {
            head.get(..error.valid_up_to()).unwrap_or_default()
        }
        Err(_) => return false,
        Ok(_) => head,
    };
    !text.is_empty() && !text.contains(&0)
}

const GZIP: &[u8] = b"\x1f\x8b";

/// Magic numbers of other file types.
const OTHER_KINDS: [(&[u8], &str); 16] = [
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"PK\x03\x04", "a ZIP archive"),
    (GZIP, "a gzip file, which is read only if it contains X3D or VRML; unpack it first"),
    (b"BLENDER", "a Blender file"),
    (b"Kaydara FBX Binary", "an FBX file"),
    (b"; FBX", "an FBX file"),
    (b"#Inventor", "an Open Inventor file"),
    (b"#usda", "a USD file"),
    (b"PXR-USDC", "a USD file"),
    (b"ply", "a PLY file"),
    (b"xof ", "a DirectX model"),
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
        assert_eq!(first(b"\x1f\x8b\x08\0", "x.bvh"), None);
    }

    #[test]
    fn other_files_are_named() {
        for (bytes, kind) in [
            (&b"#Inventor V2.1 ascii\n"[..], "an Open Inventor file"),
            (b"\xff\xfev\0 \0", "text in UTF-16"),
            (b"hello", "plain text"),
        ] {
            assert_eq!(why_unknown(bytes, None), format!("the content looks like {kind}"));
        }
    }
}
