//! The languages of scene files.

use crate::nodes::Family;

/// A scene language, detected by the first line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Version {
    /// VRML 1.0: `#VRML V1.0 ascii`.
    Vrml1,
    /// VRML 97 (ISO/IEC 14772-1): `#VRML V2.0 utf8`.
    Vrml97,
    /// X3D in the classic encoding (ISO/IEC 19776-2): `#X3D V3.0 utf8` and later versions.
    X3dClassic,
    /// X3D in XML (ISO/IEC 19776-1).
    X3dXml,
}

impl Version {
    /// The names of all languages as dialects of X3D.
    pub(crate) const DIALECTS: &'static [&'static str] = &[
        Version::Vrml1.dialect(),
        Version::Vrml97.dialect(),
        Version::X3dClassic.dialect(),
        Version::X3dXml.dialect(),
    ];

    /// Returns the name of the language as a dialect of X3D.
    pub(crate) const fn dialect(self) -> &'static str {
        match self {
            Version::X3dClassic => "classic",
            Version::X3dXml => "XML",
            vrml => vrml.name(),
        }
    }

    /// Returns the name of the language.
    pub const fn name(self) -> &'static str {
        match self {
            Version::Vrml1 => "VRML 1.0",
            Version::Vrml97 => "VRML 97",
            Version::X3dClassic => "X3D classic",
            Version::X3dXml => "X3D XML",
        }
    }

    /// Detects the language of a text by its header line. Text that starts with an element or an
    /// XML declaration is XML.
    pub(crate) fn of_header(text: &str) -> Option<Version> {
        let text = text.trim_start_matches('\u{feff}');
        [
            ("#VRML V1.0 ", Version::Vrml1),
            ("#VRML V2.0 ", Version::Vrml97),
            ("#X3D V", Version::X3dClassic),
        ]
        .into_iter()
        .find_map(|(header, version)| text.starts_with(header).then_some(version))
        .or_else(|| text.trim_ascii_start().starts_with('<').then_some(Version::X3dXml))
    }

    /// Returns the family of the language's node types.
    pub(crate) const fn family(self) -> Family {
        match self {
            Version::Vrml1 => Family::Vrml1,
            Version::Vrml97 | Version::X3dClassic | Version::X3dXml => Family::X3d,
        }
    }
}

/// Returns whether textures are multiplied by the colour of their material in a version of X3D,
/// such as `4.0`. Text may follow.
pub(crate) fn multiplies_textures(number: &str) -> bool {
    let major = number.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    major.parse::<u32>().is_ok_and(|major| major >= 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        for (text, version) in [
            ("#VRML V1.0 ascii\n", Some(Version::Vrml1)),
            ("#VRML V2.0 utf8 a comment\r\n", Some(Version::Vrml97)),
            ("\u{feff}#X3D V3.3 utf8", Some(Version::X3dClassic)),
            ("\u{feff}\u{feff}#X3D V3.3 utf8", Some(Version::X3dClassic)),
            ("\n <?xml version='1.0'?>", Some(Version::X3dXml)),
            ("<X3D>", Some(Version::X3dXml)),
            ("#VRML V3.0 utf8", None),
            ("# VRML V2.0 utf8", None),
            ("#X3D", None),
            ("", None),
        ] {
            assert_eq!(Version::of_header(text), version, "{text:?}");
        }
    }
}
