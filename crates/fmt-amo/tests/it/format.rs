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
