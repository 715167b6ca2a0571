//! Checks the invariants of the list of formats.

use std::collections::{BTreeMap, BTreeSet};

use anim_formats::anim_ir::Confidence;
use anim_formats::anim_ir::format::ByExtension;
use anim_formats::anim_ir::format::options::OptionInfo;
use anim_formats::{Candidate, Format, all_codes, detect};

use crate::good_fixtures;

/// Returns the options of a format, including duplicates.
fn options(format: Format) -> Vec<&'static OptionInfo> {
    let mut all = format.parsing_options();
    all.extend(format.reading_options());
    all.extend(format.writing_options());
    all
}

#[test]
fn every_format_has_a_unique_name() {
    let (mut ids, mut titles) = (BTreeSet::new(), BTreeSet::new());
    for format in Format::all() {
        assert!(ids.insert(format.id()) && titles.insert(format.title()), "{format}");
        assert_eq!(format.to_string().parse(), Ok(format));
        assert!(format.can_read() || format.can_write(), "{format}");
        assert_eq!(format.can_write(), !format.written_extensions().is_empty(), "{format}");
    }
    let error = "no-such".parse::<Format>().unwrap_err();
    assert_eq!(error.to_string(), "unknown format `no-such`");
}

/// Of the formats that share an extension, at most one accepts a file by its name alone.
#[test]
fn an_extension_alone_means_one_format() {
    let extensions: BTreeSet<&str> =
        Format::readable().flat_map(|format| format.info().extensions).copied().collect();
    for extension in extensions {
        let takes = |format: &Format| format.info().by_extension != ByExtension::Never;
        let takers: Vec<Format> = Format::with_extension(extension).filter(takes).collect();
        assert!(takers.len() <= 1, "{extension}: {takers:?}");
        let upper = extension.to_ascii_uppercase();
        assert!(Format::with_extension(extension).eq(Format::with_extension(&upper)));
    }
    for format in Format::writable() {
        let extension = format.written_extensions()[0];
        assert!(Format::writing_extension(extension).any(|other| other == format), "{format}");
    }
}

/// Options with the same name are the same in all formats.
#[test]
fn options_with_the_same_name_are_the_same_option() {
    let mut known: BTreeMap<&str, (&OptionInfo, Format)> = BTreeMap::new();
    for format in Format::all() {
        for option in options(format) {
            let (first, other) = *known.entry(option.name).or_insert((option, format));
            assert_eq!(
                (first.kind, first.help),
                (option.kind, option.help),
                "{} of {other} and {format}",
                option.name
            );
            if let Some(default) = option.default {
                assert!(option.parse(default).is_ok(), "{format}: {} = {default}", option.name);
            }
            for name in option.requires.into_iter().chain(option.conflicts) {
                assert!(options(format).iter().any(|other| other.name == name), "{name}");
            }
        }
    }
    for (name, (option, _)) in known {
        assert_eq!(Format::option(name), Some(option));
    }
    assert_eq!(Format::option("no-such"), None);
}

#[test]
fn every_code_has_one_meaning() {
    let all = all_codes();
    for format in Format::all() {
        for code in format.info().codes {
            let known = all.iter().find(|other| other.id == code.id);
            assert_eq!(known, Some(code), "{format}");
        }
    }
}

#[test]
fn good_files_are_detected() {
    let mut seen = 0;
    for (name, bytes) in good_fixtures() {
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        if Format::with_extension(extension).next().is_none() {
            continue;
        }
        seen += 1;
        let found = detect(&bytes, Some(&name));
        let [first, others @ ..] = &found[..] else {
            // The file is empty, and no format accepts its extension without content.
            let needs_content = |format: Format| format.info().by_extension == ByExtension::Never;
            assert!(Format::with_extension(extension).all(needs_content), "{name}");
            continue;
        };
        assert!(first.is_named && first.format.info().extensions.contains(&extension), "{name}");
        let is_equal =
            |other: &Candidate| (other.confidence, other.is_named) == (first.confidence, true);
        assert!(!others.iter().any(is_equal), "{name}: {found:?}");
        if first.confidence == Confidence::Certain {
            // Detection does not depend on the file name.
            for format in Format::readable() {
                let name = format!("x.{}", format.info().extensions[0]);
                assert_eq!(detect(&bytes, Some(&name))[0].format, first.format, "{name}");
            }
        }
    }
    assert!(seen > 400, "{seen}");
}

/// For an empty file, the candidates are the formats that always accept files by extension.
#[test]
fn empty_files_are_detected_by_name() {
    for format in Format::readable() {
        for extension in format.info().extensions {
            let found = detect(b"", Some(&format!("x.{extension}")));
            let is_found = found.iter().any(|candidate| candidate.format == format);
            let always = format.info().by_extension == ByExtension::Always;
            assert_eq!(is_found, always, "{format}");
        }
        assert!(detect(b"", None).is_empty());
    }
}
