//! Converting a file to its own format keeps its bytes, unless an option requests a change.

use anim_formats::anim_ir::format::options::{OptionInfo, OptionKind};
use anim_formats::anim_ir::{Diagnostics, NoFiles, Parsed};
use anim_formats::{
    AnyDocument, AssembleOptions, Assembled, Content, Format, Output, Part, Settings, assemble,
    castle, detect,
};

use crate::{Set, format, good_fixtures, scene_of, settings, testdata, written};

/// Returns the valid fixtures of each format that can be read and written, and the output format
/// according to the extension.
fn fixtures() -> Vec<(String, AnyDocument<'static>, Format)> {
    good_fixtures().into_iter().filter_map(|(name, bytes)| fixture(name, bytes)).collect()
}

fn fixture(name: String, bytes: Vec<u8>) -> Option<(String, AnyDocument<'static>, Format)> {
    let format = detect(&bytes, Some(&name)).first()?.format;
    let (_, extension) = name.rsplit_once('.')?;
    let candidates: Vec<Format> = Format::writing_extension(extension).collect();
    let to = Format::fitting(&candidates, &[format])?;
    let document = AnyDocument::parse(bytes, format, &Settings::default()).ok()?.value;
    Some((name, document, to))
}

/// Returns the fixture with the given path in `testdata`.
fn read(path: &str) -> (String, AnyDocument<'static>, Format) {
    fixture(path.to_owned(), std::fs::read(testdata(path)).unwrap()).unwrap()
}

/// Converts a document to a format.
fn made(document: &AnyDocument<'static>, to: Format, settings: Settings) -> Assembled {
    let parsed = Parsed { value: document.clone(), diagnostics: Diagnostics::new() };
    let part = Part { name: "a".into(), parsed, files: Box::new(NoFiles), way: String::new() };
    assemble(vec![part], &AssembleOptions::new(to, settings)).unwrap()
}

fn is_reported(made: &Assembled) -> bool {
    made.losses.iter().any(|loss| loss.code.id == "convert-through-scene")
}

#[test]
fn without_options_the_bytes_are_unchanged() {
    let fixtures = fixtures();
    for (name, document, to) in &fixtures {
        let made = made(document, *to, Settings::default());
        let Content::Written(Ok(output)) = &made.content else { panic!("{name}: {made:?}") };
        assert_eq!(output, &Output::alone(document.to_bytes().into_owned()), "{name}");
        assert!(made.losses.is_empty(), "{name}: {:?}", made.losses);
    }
    for format in Format::all().filter(|format| format.can_read() && format.can_write()) {
        let count = fixtures.iter().filter(|(_, document, _)| document.format() == format).count();
        assert!(count > 10, "{format}: {count}");
    }
}

/// Returns a value other than the default.
fn other_value(option: &OptionInfo) -> &'static str {
    match option.kind {
        OptionKind::Flag => "true",
        OptionKind::Choice(names) => names[names.len() - 1],
        _ => "7",
    }
}

/// Each option either changes the document directly, or the file goes through a scene, which is
/// reported.
#[test]
fn every_option_causes_a_change() {
    let fixtures = fixtures();
    for format in Format::all().filter(|format| format.can_read() && format.can_write()) {
        let (name, document, to) =
            fixtures.iter().find(|(_, document, _)| document.format() == format).unwrap();
        for option in format.reading_options().into_iter().chain(format.writing_options()) {
            let mut settings = Settings::default();
            settings.set(option, other_value(option)).unwrap();
            let made = made(document, *to, settings);
            let is_scene = matches!(made.content, Content::Scene(_));
            assert_eq!(is_scene, is_reported(&made), "{name} with {}", option.name);
        }
    }
}

/// Rewrites a fixture. Returns `None` if it goes through a scene.
fn rewritten(path: &str, options: Set<'_>) -> Option<Vec<u8>> {
    let (name, document, to) = read(path);
    let made = made(&document, to, settings(options));
    match made.content {
        Content::Written(written) => {
            assert!(made.losses.is_empty(), "{name}: {:?}", made.losses);
            Some(written.unwrap().main)
        }
        Content::Scene(_) => None,
    }
}

#[test]
fn changes_that_formats_make_themselves() {
    // The requested dialect is already that of the file, so nothing changes.
    let spec = std::fs::read(testdata("amo/ok/spec.amo")).unwrap();
    assert_eq!(rewritten("amo/ok/spec.amo", &[("to-dialect", "spec")]), Some(spec));
    assert_eq!(rewritten("amo/ok/extobj.amo", &[("to-dialect", "spec")]), None);
    // castle-anim-frames can be minified, and TMD ANM can get a different rate.
    let turning = "castle/ok/turning.castle-anim-frames";
    let length = |options: Set<'_>| rewritten(turning, options).unwrap().len();
    assert!(length(&[("minify", "true")]) < length(&[]));
    let walk = rewritten("cookbook/WALK.ANM", &[]).unwrap();
    let slower = rewritten("cookbook/WALK.ANM", &[("rate", "7")]).unwrap();
    assert_eq!((slower[2..4].to_vec(), &slower[4..]), (vec![7, 0], &walk[4..]));
}

#[test]
fn changes_that_need_a_scene() {
    for (path, option) in [
        ("amo/ok/spec.amo", ("fps", "7")),
        ("anm-text/ok/example.anm", ("rate", "7")),
        ("stt/ok/published_3.stt", ("rotation-order", "xyz")),
        ("cookbook/lamp.gltf", ("node-visibility", "true")),
    ] {
        assert!(rewritten(path, &[]).is_some() && rewritten(path, &[option]).is_none(), "{path}");
    }
}

/// A GLB is a single glTF file, so converting it to `.gltf` rewrites it.
#[test]
fn a_glb_stays_a_glb() {
    let (_, document, gltf) = read("cookbook/lamp.gltf");
    let glb = written(&scene_of(&document, &[]).value, "glb", &[]).unwrap().value.main;
    let parsed = AnyDocument::parse(glb.clone(), gltf, &Settings::default()).unwrap();
    let made = |to: &str, options| made(&parsed.value, format(to), settings(options));
    let stays = made("glb", &[]);
    assert!(matches!(stays.content, Content::Written(Ok(output)) if output.main == glb));
    let changed = made("glb", &[("up", "z")]);
    assert!(matches!(changed.content, Content::Scene(_)) && is_reported(&changed));
    let converted = made("gltf", &[]);
    assert!(matches!(converted.content, Content::Scene(_)) && !is_reported(&converted));
}

/// Blanks before what looks like a byte order mark are not lost from the canonical form: without
/// them, the text after the mark would be read.
#[test]
fn a_byte_order_mark_after_blanks_stays_there() {
    for (to, text) in [
        ("amo", " \u{feff}v 0 0 0\n"),
        ("anm-text", "\n\u{feff}as A\nbl b\nan 0 1 c\n"),
        ("bvh", " \u{feff}HIERARCHY\nROOT a\n{\n}\n"),
        ("stt", "\n\u{feff}#MINDRENDER 1.1\n0\n"),
    ] {
        let parse = |bytes: Vec<u8>| AnyDocument::parse(bytes, format(to), &Settings::default());
        let Ok(parsed) = parse(text.into()) else { continue };
        let formatted = parsed.value.formatted().unwrap();
        assert!(!formatted.starts_with("\u{feff}".as_bytes()), "{to}");
        let again = parse(formatted.clone()).unwrap().value.formatted();
        assert_eq!(again.as_ref(), Some(&formatted), "{to}");
    }
}

/// Written files are already in the canonical form that `fmt` produces.
#[test]
fn castle_anim_frames_are_written_in_canonical_form() {
    let (mut count, mut with_frames) = (0, 0);
    let mut check = |label: &str, bytes: &[u8]| {
        let document = castle::Document::parse(bytes).unwrap().value;
        let formatted = document.formatted();
        assert_eq!(String::from_utf8_lossy(bytes), String::from_utf8_lossy(&formatted), "{label}");
        count += 1;
        with_frames += usize::from(document.text().contains("<Scene>"));
    };
    for (name, bytes) in good_fixtures() {
        let Some(found) = detect(&bytes, Some(&name)).into_iter().next() else { continue };
        let Ok(parsed) = AnyDocument::parse(bytes, found.format, &Settings::default()) else {
            continue;
        };
        if let AnyDocument::Castle(document) = &parsed.value {
            let folder = std::path::Path::new(&name).parent().unwrap();
            let inlined = castle::inline(document, |url| {
                let text = std::fs::read_to_string(folder.join(url)).ok()?;
                let is_xml = text.trim_start().starts_with('<');
                is_xml.then(|| castle::NewContent::X3d(text.replace('\n', "\r\n").into()))
            });
            let inputs = [
                castle::Merge { document, folder: "other" },
                castle::Merge { document, folder: "" },
            ];
            let merged = castle::merge(&inputs).map(|merged| merged.value);
            let extracted = castle::extract(document, "").map(|extracted| extracted.document);
            for (made, what) in [(inlined, "inlined"), (merged, "merged"), (extracted, "extracted")]
            {
                // An animation without a name cannot be written.
                let Ok(made) = made else { continue };
                check(&format!("{name} {what}"), &made.to_bytes());
            }
        }
        let scene = scene_of(&parsed.value, &[]).value;
        if let Ok(output) = written(&scene, "castle", &[("fps", "2")]) {
            check(&name, &output.value.main);
        }
    }
    assert!(count > 300 && with_frames > 200, "{count}, {with_frames}");
}
