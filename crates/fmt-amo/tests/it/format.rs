//! The format traits: material libraries in the same folder, and rewriting.

use anim_ir::format::{Context, Read, Rewrite};
use anim_ir::{NoFiles, Options, ResolveError, Resolver, Settings};
use fmt_amo::{Amo, Document, FromIr, ToIr};

const FILE: &[u8] =
    b"mtllib sub/a%41.mtl none.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";

/// Provides a single library. Its path contains a percent sign, which is encoded in the URI.
struct OneLibrary;

impl Resolver for OneLibrary {
    fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
        match address {
            "sub/a%2541.mtl" => Ok(b"newmtl red\nKd x\nKd 1 0 0\nmap_Kd a.png\n".to_vec()),
            _ => Err(ResolveError::NotFound),
        }
    }
}

fn scene(files: &mut dyn Resolver) -> String {
    let document = Document::parse(FILE).unwrap().value;
    let settings = Settings::default();
    let mut context = Context { name: "", files, settings: &settings };
    let made = Amo::to_ir(&document, &ToIr::default(), &mut context);
    let losses = made.losses.iter().map(|loss| format!("{}: {}\n", loss.code.id, loss.message));
    let material = &made.value.materials[0];
    format!("{}{:?} {:?}", losses.collect::<String>(), material.base_color, made.value.images)
}

#[test]
fn material_libraries_in_the_same_folder_are_read() {
    insta::assert_snapshot!(scene(&mut OneLibrary), @r#"
    amo-material-line: `sub/a%41.mtl`: line 2: `x` in `Kd` is not a number
    load-library-missing: cannot read the material library `none.mtl`: no such file
    [1.0, 0.0, 0.0, 1.0] [Image { name: "", path: Some("sub/a.png"), bytes: None }]
    "#);
    assert_eq!(scene(&mut NoFiles), "[1.0, 1.0, 1.0, 1.0] []");
}

#[test]
fn a_single_animation_without_a_name_is_named_after_the_file() {
    let names = |file: &[u8]| {
        let document = Document::parse(file).unwrap().value;
        let settings = Settings::default();
        let mut context = Context { name: "walk", files: &mut NoFiles, settings: &settings };
        let scene = Amo::to_ir(&document, &ToIr::default(), &mut context).value;
        scene.clips.into_iter().map(|clip| clip.name).collect::<Vec<_>>()
    };
    let keys = "ap 0 1 0 0 0\nap 1 1 0 2 0\n";
    let named = |first: &str, more: &str| format!("ao o\nj hip -1\n{first}{keys}{more}");
    assert_eq!(names(named("", "").as_bytes()), ["walk"]);
    assert_eq!(names(named("a wave\n", "").as_bytes()), ["wave"]);
    assert_eq!(names(named("", &format!("a wave\n{keys}")).as_bytes()), ["", "wave"]);
}

#[test]
fn a_file_is_kept_unchanged_unless_options_require_a_change() {
    let stays = |file: &[u8], to, options: &[(&str, &str)]| {
        let document = Document::parse(file).unwrap().value;
        let mut settings = Settings::default();
        for (name, value) in options {
            let mut infos = ToIr::infos().chain(FromIr::infos());
            settings.set(infos.find(|info| info.name == *name).unwrap(), value).unwrap();
        }
        let is_untouched = options.is_empty();
        let request = Rewrite { to, is_untouched, way: "", stem: "" };
        let mut context = Context { name: "", files: &mut NoFiles, settings: &settings };
        let written = Amo::rewrite(&document, &request, &mut context);
        written.is_some_and(|written| written.unwrap().value.main == file)
    };
    assert!(stays(FILE, "amo", &[]) && !stays(FILE, "glb", &[]));
    assert!(stays(FILE, "amo", &[("to-dialect", "spec")]));
    assert!(!stays(FILE, "amo", &[("to-dialect", "spec"), ("fps", "30")]));
    assert!(!stays(FILE, "amo", &[("amo-keys", "delta")]));
    assert!(!stays(b"ao x\nv 0 0 0\njp -1\n", "amo", &[("to-dialect", "spec")]));
}

/// The losses of a file next to its libraries, each with the text of its span.
fn losses(file: &str, files: &mut dyn Resolver) -> Vec<String> {
    let document = Document::parse(file.as_bytes()).unwrap().value;
    let settings = Settings::default();
    let mut context = Context { name: "", files, settings: &settings };
    let losses = Amo::to_ir(&document, &ToIr::default(), &mut context).losses;
    let text = |span: anim_ir::Span| &file[span.start..span.end];
    let shown = |loss: &anim_ir::Diagnostic| {
        format!("{}: {} ({})", loss.code.id, loss.message, loss.span.map_or("", text))
    };
    losses.iter().map(shown).collect()
}

/// Only if all libraries were opened: otherwise the material may be in the one that is missing.
#[test]
fn materials_that_no_library_defines_are_reported() {
    let file = |libraries: &str| {
        let faces = "usemtl red\nf 1 2 3\nusemtl skni\nf 1 2 3\nusemtl\nf 1 2 3\nusemtl skni\n";
        format!("{libraries}v 0 0 0\nv 1 0 0\nv 0 1 0\n{faces}")
    };
    let missing = |libraries: &str, files: &mut dyn Resolver| {
        let mut losses = losses(&file(libraries), files);
        losses.retain(|loss| loss.starts_with("amo-material-missing"));
        losses
    };
    assert_eq!(
        missing("mtllib sub/a%41.mtl\n", &mut OneLibrary),
        ["amo-material-missing: no material library defines `skni` (skni)"]
    );
    assert_eq!(missing("mtllib sub/a%41.mtl none.mtl\n", &mut OneLibrary), [""; 0]);
    assert_eq!(missing("", &mut OneLibrary), [""; 0]);
    assert_eq!(missing("mtllib sub/a%41.mtl\n", &mut NoFiles), [""; 0]);
}

/// Opens all libraries, which are empty.
struct EmptyLibraries;

impl Resolver for EmptyLibraries {
    fn read(&mut self, _: &str) -> Result<Vec<u8>, ResolveError> {
        Ok(Vec::new())
    }
}

#[test]
fn libraries_beyond_the_limit_are_reported() {
    let file = |count: usize| {
        let libraries: String = (1..=count).map(|n| format!("mtllib {n}.mtl\n")).collect();
        format!("{libraries}v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    };
    assert_eq!(losses(&file(100), &mut EmptyLibraries), [""; 0]);
    assert_eq!(
        losses(&file(103), &mut EmptyLibraries),
        ["load-library-missing: only the first 100 of 103 material libraries are opened; \
          `101.mtl` is the first that is not (101.mtl)"]
    );
}

/// Groups are listed by the meshes that have faces in them.
#[test]
fn groups_without_faces_are_not_counted_as_listed() {
    let file = |groups: &str| format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{groups}");
    let message = |groups: &str| losses(&file(groups), &mut NoFiles);
    assert_eq!(
        message("g a\nf 1 2 3\no x\ng b\nf 1 2 3\ng a\nf 1 2 3\n"),
        ["amo-loss-groups: 2 groups (`g`) listed by name in the meshes' extras ()"]
    );
    assert_eq!(
        message("g a\ng b\nf 1 2 3\ng c\n"),
        ["amo-loss-groups: 3 groups (`g`), 1 of them listed by name in the meshes' extras ()"]
    );
    assert_eq!(
        message("f 1 2 3\ng a\n"),
        ["amo-loss-groups: 1 group (`g`) without faces dropped ()"]
    );
}
