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
    /// Gillius ANM text.
    AnmText,
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
    pub const ALL: [Format; 9] = [
        Format::Amo,
        Format::Castle,
        Format::X3d,
        Format::Stt,
        Format::AnmText,
        Format::TmdAnm,
        Format::TmdAnc,
        Format::Tmd,
        Format::Gltf,
    ];

    /// The name that the program uses: `amo`, `castle`, `x3d`, `tmd-anm`, …
    pub const fn name(self) -> &'static str {
        match self {
            Format::Amo => "amo",
            Format::Castle => "castle",
            Format::X3d => "x3d",
            Format::Stt => "stt",
            Format::AnmText => "anm-text",
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
            Format::AnmText => "ANM text",
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
            Format::AnmText | Format::TmdAnm => &["anm"],
            Format::TmdAnc => &["anc"],
            Format::Tmd => &["tmd"],
            Format::Gltf => &["glb", "gltf"],
        }
    }

    /// Whether a name alone makes a file one of this format: not where its files say so themselves,
    /// and of binary files none that is called `.anm`, since many formats have that extension.
    fn may_be_told_by_name(self, bytes: &[u8]) -> bool {
        !self.has_magic() && (self != Format::AnmText || is_text(bytes))
    }

    /// Whether its files say so themselves.
    const fn has_magic(self) -> bool {
        matches!(self, Format::TmdAnm | Format::TmdAnc | Format::Tmd)
    }

    /// Whether its files have no lines: places in them are offsets.
    pub const fn is_binary(self) -> bool {
        self.has_magic()
    }

    /// The formats of files with that extension, without a dot, in upper or lower case: `.anm` is
    /// two.
    pub fn with_extension(extension: &str) -> impl Iterator<Item = Format> {
        let extension = extension.to_ascii_lowercase();
        Format::ALL
            .into_iter()
            .filter(move |format| format.extensions().contains(&extension.as_str()))
    }

    /// Whether a file of that name, or at that path, may be called after this format.
    fn is_named(self, name: Option<&str>) -> bool {
        // `scene.x3d.gz` is an X3D file.
        let name = name.map(|name| name.strip_suffix(".gz").unwrap_or(name));
        let extension = name
            .and_then(|name| name.rsplit_once('.'))
            .map(|(_, extension)| extension.to_ascii_lowercase());
        extension.is_some_and(|extension| self.extensions().contains(&extension.as_str()))
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

/// The formats that a file may be of, the surest first. Content counts before the name: the name
/// decides only between formats whose content says the same, or where it says nothing. Nothing is
/// guessed between equals: where the first two are equally sure, they are.
///
/// `name` is a file name or a path; what stands behind its last dot is looked at.
pub fn detect(bytes: &[u8], name: Option<&str>) -> Vec<Candidate> {
    let mut found = looks(bytes);
    found.retain(|candidate| candidate.confidence > Confidence::No);
    for format in Format::ALL
        .into_iter()
        .filter(|format| format.is_named(name) && format.may_be_told_by_name(bytes))
    {
        if !found.iter().any(|candidate| candidate.format == format) {
            found.push(Candidate {
                format,
                confidence: Confidence::Possible,
                reason: "the file's extension".to_owned(),
            });
        }
    }
    found.sort_by_key(|candidate| {
        (std::cmp::Reverse(candidate.confidence), !candidate.format.is_named(name))
    });
    found
}

/// A format's look at content.
type Look = (Format, fn(&[u8]) -> Sniff);

/// How each format that is built in looks at content.
const LOOKS: &[Look] = &[
    #[cfg(feature = "amo")]
    (Format::Amo, fmt_amo::sniff),
    #[cfg(feature = "castle")]
    (Format::Castle, fmt_castle::sniff),
    #[cfg(feature = "castle")]
    (Format::X3d, model_x3d::sniff),
    #[cfg(feature = "stt")]
    (Format::Stt, fmt_stt::sniff),
    #[cfg(feature = "anm-text")]
    (Format::AnmText, fmt_anm_text::sniff),
    #[cfg(feature = "tmd")]
    (Format::TmdAnm, fmt_tmd_anm::sniff),
    #[cfg(feature = "tmd")]
    (Format::TmdAnc, fmt_tmd_anm::sniff_camera),
    #[cfg(feature = "tmd")]
    (Format::Tmd, model_tmd::sniff),
    #[cfg(feature = "gltf")]
    (Format::Gltf, anim_gltf::sniff),
];

/// What each format says of the content.
fn looks(bytes: &[u8]) -> Vec<Candidate> {
    let candidate = |&(format, sniff): &Look| {
        let Sniff { confidence, reason, .. } = sniff(bytes);
        Candidate { format, confidence, reason: reason.into_owned() }
    };
    LOOKS.iter().map(candidate).collect()
}

/// What to say of a file that [`detect`] knows nothing of: why it is not what its name says, and
/// what else it looks like. Empty where there is nothing to say.
pub fn why_unknown(bytes: &[u8], name: Option<&str>) -> String {
    if bytes.is_empty() {
        return "it is empty".to_owned();
    }
    let mut said = Vec::new();
    for Candidate { format, reason, .. } in
        looks(bytes).into_iter().filter(|candidate| candidate.format.is_named(name))
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
            detect(bytes, Some(name)).first().map(|c| (c.format, c.confidence))
        };
        assert_eq!(
            first(b"glTF\x02\0\0\0", "model.amo"),
            Some((Format::Gltf, Confidence::Certain))
        );
        #[cfg(feature = "amo")]
        {
            assert_eq!(
                first(b"ao x\nvj 1 0 0 0\n", "x.txt"),
                Some((Format::Amo, Confidence::Likely))
            );
            assert_eq!(first(b"", "x.AMO"), Some((Format::Amo, Confidence::Possible)));
        }
        assert_eq!(first(b"\x89PNG", "x.png"), None);
    }
}
