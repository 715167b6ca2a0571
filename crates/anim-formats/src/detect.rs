//! Which format is it?

use anim_ir::{Confidence, Sniff};

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
    /// MindRender STT.
    Stt,
    /// TMD ANM: motion of a PlayStation model.
    TmdAnm,
    /// TMD ANC: motion of a camera.
    TmdAnc,
    /// TMD: a PlayStation model.
    Tmd,
    /// glTF 2.0, as `.gltf` or `.glb`.
    Gltf,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 8] = [Format::Amo, Format::Castle, Format::X3d, Format::Stt, Format::TmdAnm, Format::TmdAnc, Format::Tmd, Format::Gltf];

    /// The name that the program uses: `amo`, `castle`, `x3d`, `tmd-anm`, …
    pub const fn name(self) -> &'static str {
        match self {
            Format::Amo => "amo",
            Format::Castle => "castle",
            Format::X3d => "x3d",
            Format::Stt => "stt",
            Format::TmdAnm => "tmd-anm",
            Format::TmdAnc => "tmd-anc",
            Format::Tmd => "tmd",
            Format::Gltf => "gltf",
        }
    }

    /// For people.
    pub const fn title(self) -> &'static str {
        match self {
            Format::Amo => "Animated OBJ",
            Format::Castle => "castle-anim-frames",
            Format::X3d => "X3D",
            Format::Stt => "MindRender STT",
            Format::TmdAnm => "TMD ANM",
            Format::TmdAnc => "TMD ANC",
            Format::Tmd => "TMD",
            Format::Gltf => "glTF 2.0",
        }
    }

    /// Extensions of its files, in lower case without a dot.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Amo => &["amo", "hnd"],
            Format::Castle => &["castle-anim-frames", "kanim"],
            Format::X3d => &["x3d", "x3dz", "x3dv", "x3dvz", "wrl", "wrz", "vrml"],
            Format::Stt => &["stt"],
            Format::TmdAnm => &["anm"],
            Format::TmdAnc => &["anc"],
            Format::Tmd => &["tmd"],
            Format::Gltf => &["glb", "gltf"],
        }
    }

    /// Whether its files say so themselves. Where they do, a name alone makes no file one of them.
    const fn has_magic(self) -> bool {
        matches!(self, Format::TmdAnm | Format::TmdAnc | Format::Tmd)
    }

    /// Whether its files have no lines: places in them are offsets.
    pub const fn is_binary(self) -> bool {
        self.has_magic()
    }

    /// The format of files with that extension, without a dot, in upper or lower case.
    pub fn from_extension(extension: &str) -> Option<Format> {
        let extension = extension.to_ascii_lowercase();
        Format::ALL.into_iter().find(|format| format.extensions().contains(&extension.as_str()))
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
    let mut found = looks(bytes);
    let by_name = by_name(name);
    if let Some(format) = by_name
        && !format.has_magic()
        && !found.iter().any(|candidate| candidate.format == format && candidate.confidence > Confidence::No)
    {
        found.retain(|candidate| candidate.format != format);
        found.push(Candidate { format, confidence: Confidence::Possible, reason: "the file's extension".to_owned() });
    }
    found.retain(|candidate| candidate.confidence > Confidence::No);
    found.sort_by_key(|candidate| (std::cmp::Reverse(candidate.confidence), Some(candidate.format) != by_name));
    found
}

/// What each format says of the content.
fn looks(bytes: &[u8]) -> Vec<Candidate> {
    let mut found: Vec<(Format, Sniff)> = Vec::new();
    #[cfg(feature = "amo")]
    found.push((Format::Amo, fmt_amo::sniff(bytes)));
    #[cfg(feature = "castle")]
    found.extend([(Format::Castle, fmt_castle::sniff(bytes)), (Format::X3d, model_x3d::sniff(bytes))]);
    #[cfg(feature = "stt")]
    found.push((Format::Stt, fmt_stt::sniff(bytes)));
    #[cfg(feature = "tmd")]
    found.extend([
        (Format::TmdAnm, fmt_tmd_anm::sniff(bytes)),
        (Format::TmdAnc, fmt_tmd_anm::sniff_camera(bytes)),
        (Format::Tmd, model_tmd::sniff(bytes)),
    ]);
    if let Some(reason) = sniff_gltf(bytes) {
        found.push((Format::Gltf, Sniff::new(Confidence::Certain, reason)));
    }
    found.into_iter().map(|(format, sniff)| Candidate { format, confidence: sniff.confidence, reason: sniff.reason.into_owned() }).collect()
}

/// The format that a file is called after.
fn by_name(name: Option<&str>) -> Option<Format> {
    // `scene.x3d.gz` is an X3D file.
    let name = name.map(|name| name.strip_suffix(".gz").unwrap_or(name));
    name.and_then(|name| name.rsplit_once('.')).and_then(|(_, extension)| Format::from_extension(extension))
}

/// What to say of a file that [`detect`] knows nothing of: why it is not what its name says, and what else it looks like. Empty where there is nothing
/// to say.
pub fn why_unknown(bytes: &[u8], name: Option<&str>) -> String {
    if bytes.is_empty() {
        return "it is empty".to_owned();
    }
    let mut said = Vec::new();
    if let Some(format) = by_name(name)
        && let Some(candidate) = looks(bytes).into_iter().find(|candidate| candidate.format == format)
    {
        said.push(format!("it is no {} ({})", format.title(), candidate.reason));
    }
    let kind = OTHER_KINDS.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, kind)| *kind);
    let text = || std::str::from_utf8(bytes.get(..bytes.len().min(4096)).unwrap_or_default()).is_ok_and(|text| !text.contains('\0'));
    if let Some(kind) = kind.or_else(|| text().then_some("text")) {
        said.push(format!("it looks like {kind}"));
    }
    said.join("; ")
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
