//! Which format is it?

use anim_ir::Confidence;

/// A format that this project knows, whether this build reads it or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Animated OBJ.
    Amo,
    /// castle-anim-frames.
    Castle,
    /// X3D and VRML scenes.
    X3d,
    /// glTF 2.0, as `.gltf` or `.glb`.
    Gltf,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 4] = [Format::Amo, Format::Castle, Format::X3d, Format::Gltf];

    /// The name that the program uses: `amo`, `castle`, `x3d`, `gltf`.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Amo => "amo",
            Format::Castle => "castle",
            Format::X3d => "x3d",
            Format::Gltf => "gltf",
        }
    }

    /// For people.
    pub const fn title(self) -> &'static str {
        match self {
            Format::Amo => "Animated OBJ",
            Format::Castle => "castle-anim-frames",
            Format::X3d => "X3D",
            Format::Gltf => "glTF 2.0",
        }
    }

    /// Extensions of its files, in lower case without a dot.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Amo => &["amo", "hnd"],
            Format::Castle => &["castle-anim-frames", "kanim"],
            Format::X3d => &["x3d", "x3dz", "x3dv", "x3dvz", "wrl", "wrz", "vrml"],
            Format::Gltf => &["glb", "gltf"],
        }
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// A format that a file may be of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Which.
    pub format: Format,
    /// How sure.
    pub confidence: Confidence,
    /// Why.
    pub reason: String,
}

/// The formats that a file may be of, the surest first. Content counts before the name: the name decides only between formats whose
/// content says the same, or where it says nothing. Nothing is guessed between equals: where the first two are equally sure, they are.
///
/// `name` is a file name or a path; what stands behind its last dot is looked at.
pub fn detect(bytes: &[u8], name: Option<&str>) -> Vec<Candidate> {
    let mut found = Vec::new();
    #[cfg(feature = "amo")]
    {
        let sniff = fmt_amo::sniff(bytes);
        found.push(Candidate { format: Format::Amo, confidence: sniff.confidence, reason: sniff.reason.into_owned() });
    }
    #[cfg(feature = "castle")]
    for (format, sniff) in [(Format::Castle, fmt_castle::sniff(bytes)), (Format::X3d, model_x3d::sniff(bytes))] {
        found.push(Candidate { format, confidence: sniff.confidence, reason: sniff.reason.into_owned() });
    }
    if let Some(reason) = sniff_gltf(bytes) {
        found.push(Candidate { format: Format::Gltf, confidence: Confidence::Certain, reason: reason.to_owned() });
    }
    // `scene.x3d.gz` is an X3D file.
    let name = name.map(|name| name.strip_suffix(".gz").unwrap_or(name));
    let extension = name.and_then(|name| name.rsplit_once('.')).map(|(_, extension)| extension.to_ascii_lowercase());
    let by_name = extension.and_then(|extension| Format::ALL.into_iter().find(|format| format.extensions().contains(&extension.as_str())));
    if let Some(format) = by_name
        && !found.iter().any(|candidate| candidate.format == format && candidate.confidence > Confidence::No)
    {
        found.retain(|candidate| candidate.format != format);
        found.push(Candidate { format, confidence: Confidence::Possible, reason: "the file's extension".to_owned() });
    }
    found.retain(|candidate| candidate.confidence > Confidence::No);
    found.sort_by_key(|candidate| (std::cmp::Reverse(candidate.confidence), Some(candidate.format) != by_name));
    found
}

fn sniff_gltf(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"glTF") {
        return Some("starts with the magic of GLB");
    }
    let head = bytes.get(..bytes.len().min(4096)).unwrap_or_default().trim_ascii_start();
    let json = head.first() == Some(&b'{') && head.windows(7).any(|window| window == b"\"asset\"");
    json.then_some("is a JSON object with an asset")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_before_name() {
        let first = |bytes: &[u8], name: &str| detect(bytes, Some(name)).first().map(|c| (c.format, c.confidence));
        assert_eq!(first(b"glTF\x02\0\0\0", "model.amo"), Some((Format::Gltf, Confidence::Certain)));
        #[cfg(feature = "amo")]
        {
            assert_eq!(first(b"ao x\nvj 1 0 0 0\n", "x.txt"), Some((Format::Amo, Confidence::Likely)));
            assert_eq!(first(b"", "x.AMO"), Some((Format::Amo, Confidence::Possible)));
        }
        assert_eq!(first(b"\x89PNG", "x.png"), None);
    }
}
