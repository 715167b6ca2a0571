//! Tests loading of companion files, and that other files are not accessible.

use std::fs;
use std::io::Read;
use std::path::Path;

use anim_formats::anim_ir::Diagnostics;
use anim_formats::anim_ir::format::Context;
use anim_formats::{
    Format, LoadError, LoadOptions, Loaded, folder_of, load, open_folder, read_stream,
    rebase_images, scene_in_blocks,
};
use test_oracle::amo;

use crate::{assert_said, format, settings, written};

/// A PNG file without pixels. The reader checks only its beginning and its end.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\0IEND....";

fn model(material: &str) -> String {
    format!("{material}\nao x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl skin\nf 1/1 2/1 3/1\n")
}

fn load_in(folder: &Path, material: &str, library: &str) -> Loaded {
    fs::write(folder.join("x.amo"), model(material)).unwrap();
    fs::write(folder.join("x.mtl"), library).unwrap();
    load(folder.join("x.amo"), &LoadOptions::default()).unwrap()
}

fn losses(loaded: &Loaded) -> Vec<String> {
    loaded.losses.iter().map(|loss| format!("{}: {}", loss.code.id, loss.message)).collect()
}

#[test]
fn colours_and_textures_are_loaded() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("out")).unwrap();
    fs::write(folder.path().join("a skin.png"), PNG).unwrap();
    let mut loaded =
        load_in(folder.path(), "mtllib x.mtl", "newmtl skin\nKd 1 0 0\nmap_Kd a skin.png\n");
    assert_eq!(losses(&loaded), Vec::<String>::new());
    assert_eq!(loaded.scene.materials[0].base_color, [1.0, 0.0, 0.0, 1.0]);
    // Writing the scene does not read the file again.
    fs::remove_file(folder.path().join("a skin.png")).unwrap();
    let glb = written(&loaded.scene, "glb", &[]).unwrap().value.main;
    assert!(glb.windows(PNG.len()).any(|window| window == PNG));

    rebase_images(&mut loaded.scene, folder.path(), &folder.path().join("out")).unwrap();
    assert_eq!(loaded.scene.images[0].path.as_deref(), Some("../a skin.png"));
    for (format, set, refers) in [
        ("gltf", &[][..], true),
        ("gltf", &[("embed", "true")], false),
        ("glb", &[("external-images", "true")], true),
        ("castle", &[], true),
    ] {
        let file = written(&loaded.scene, format, set).unwrap().value.main;
        let path = b"../a%20skin.png";
        assert_eq!(file.windows(path.len()).any(|window| window == path), refers, "{format}");
    }
}

#[test]
fn images_are_read_once_and_within_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let png = [PNG, &[0; 4000]].concat();
    fs::write(folder.path().join("a.png"), &png).unwrap();
    fs::write(folder.path().join("b.png"), &png).unwrap();
    let gltf = r#"{"asset":{"version":"2.0"},"images":[{"uri":"a.png"},{"uri":"a.png"},
        {"uri":"./a.png"},{"uri":"b.png"}]}"#;
    fs::write(folder.path().join("x.gltf"), gltf).unwrap();
    let mut settings = settings(&[]);
    settings.limits.input_bytes = 2 * png.len();
    let options = LoadOptions::default().with_settings(settings);
    let loaded = load(folder.path().join("x.gltf"), &options).unwrap();
    let read: Vec<bool> = loaded.scene.images.iter().map(|image| image.bytes.is_some()).collect();
    assert_eq!(read, [true, true, true, false], "the first three images are one file, read once");
    let [loss] = &losses(&loaded)[..] else { panic!("{:?}", loaded.losses) };
    assert!(loss.starts_with("load-image-missing: the image `b.png` cannot be read: "), "{loss}");
    // Identical images share their bytes in the output; an image that was not read remains a
    // reference.
    let glb = written(&loaded.scene, "glb", &[]).unwrap().value.main;
    assert_eq!(glb.windows(png.len()).filter(|window| *window == png).count(), 2);
    assert_eq!(glb.windows(5).filter(|window| window == b"b.png").count(), 1);
}

#[test]
fn colour_profiles_are_not_written_to_gltf() {
    let folder = tempfile::tempdir().unwrap();
    let chunk = |kind: &[u8; 4], data: &[u8]| {
        [&(data.len() as u32).to_be_bytes()[..], kind, data, b"sum!"].concat()
    };
    let png =
        [&PNG[..8], &chunk(b"iCCP", b"profile"), &chunk(b"IDAT", b"pixels"), &chunk(b"IEND", b"")]
            .concat();
    fs::create_dir(folder.path().join("maps")).unwrap();
    fs::write(folder.path().join("maps/skin.png"), png).unwrap();
    let loaded = load_in(folder.path(), "mtllib x.mtl", "newmtl skin\nmap_Kd maps/skin.png\n");
    assert_eq!(losses(&loaded), Vec::<String>::new());
    for format in ["glb", "gltf"] {
        let made = written(&loaded.scene, format, &[]).unwrap();
        let codes: Vec<_> = made.losses.iter().map(|loss| loss.code.id).collect();
        assert_eq!(codes, ["load-image-cleaned"]);
        assert_said(&made.losses, codes[0], "image `skin.png` has chunks that glTF readers ignore");
        let all = [made.value.main, made.value.companions.into_iter().flat_map(|c| c.1).collect()];
        let has = |part: &[u8]| all.concat().windows(part.len()).any(|window| window == part);
        assert_eq!([has(b"profile"), has(b"pixels"), has(b"skin.png")], [false, true, false]);
    }
    let castle = written(&loaded.scene, "castle", &[]).unwrap();
    assert!(!castle.losses.iter().any(|loss| loss.code.id.contains("image")));
    assert!(String::from_utf8_lossy(&castle.value.main).contains("skin.png"));
}

/// A truncated image is omitted instead of embedded.
#[test]
fn truncated_images_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("skin.png"), &PNG[..PNG.len() - 1]).unwrap();
    let loaded = load_in(folder.path(), "mtllib x.mtl", "newmtl skin\nmap_Kd skin.png\n");
    let lost = ["load-image-truncated: the end of the image `skin.png` is missing"];
    assert_eq!(losses(&loaded), lost);
    assert!(loaded.scene.images.is_empty() && loaded.scene.materials[0].base_color_image.is_none());
}

#[test]
fn missing_files_are_reported_and_the_rest_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("skin.tga"), b"not an image for glTF").unwrap();
    let loaded = load_in(
        folder.path(),
        "mtllib x.mtl\nmtllib gone.mtl",
        "newmtl skin\nKd nope\nmap_Kd skin.tga\n",
    );
    assert_eq!(
        losses(&loaded),
        [
            "amo-material-line: `x.mtl`: line 2: `nope` in `Kd` is not a number",
            "load-library-missing: cannot read the material library `gone.mtl`: no such file",
            "load-image-kind: the image `skin.tga` is neither PNG nor JPEG",
        ]
    );
    assert!(loaded.scene.images.is_empty() && loaded.scene.materials[0].base_color_image.is_none());
}

#[test]
fn nothing_outside_the_folder_is_opened() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.mtl"), "newmtl skin\nKd 0 1 0\n").unwrap();
    fs::write(outside.path().join("secret.png"), PNG).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret.mtl");
    // An absolute path, a path to a parent folder, and a path through a symbolic link inside the
    // folder.
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
    let upwards =
        format!("../{}/secret.mtl", outside.path().file_name().unwrap().to_string_lossy());
    for path in [secret.to_str().unwrap(), &upwards, "link/secret.mtl"] {
        let loaded = load_in(folder.path(), &format!("mtllib {path}"), "");
        assert_eq!(loaded.scene.materials[0].base_color, [1.0; 4], "{path}");
        let said = loaded.diagnostics.iter().chain(&loaded.losses);
        let said: Vec<&str> = said.map(|one| one.code.id).collect();
        assert!(
            said == ["amo-library-path"] || said == ["load-library-missing"],
            "{path}: {said:?}"
        );
    }
    for path in
        [outside.path().join("secret.png").to_str().unwrap(), "../secret.png", "link/secret.png"]
    {
        let loaded =
            load_in(folder.path(), "mtllib x.mtl", &format!("newmtl skin\nmap_Kd {path}\n"));
        assert!(loaded.scene.images.is_empty(), "{path}");
        let [loss] = &losses(&loaded)[..] else { panic!("{path}: {:?}", loaded.losses) };
        let is_absolute = path.starts_with('/');
        let code = if is_absolute { "load-image-missing: " } else { "load-image-outside: " };
        assert!(loss.starts_with(code), "{path}: {loss}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_as_a_companion_file_does_not_block() {
    let folder = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe.mtl")).status();
    if made.is_ok_and(|status| status.success()) {
        let loaded = load_in(folder.path(), "mtllib pipe.mtl", "");
        assert_eq!(
            losses(&loaded),
            ["load-library-missing: cannot read the material library `pipe.mtl`: it is not a \
                 regular file"]
        );
    }
}

#[test]
fn files_that_cannot_be_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = settings(&[]);
    settings.limits.input_bytes = 100;
    let options = LoadOptions::default().with_settings(settings);
    for (name, bytes, says) in [
        ("a.txt", b"hello".as_slice(), "unsupported format: the content looks like plain text"),
        ("a.amo", b"", "the file is empty"),
        ("a.amo", b"# a\n", "no line starts with an Animated OBJ keyword"),
        ("a.amo", b"glTF", "invalid GLB: the header is incomplete"),
        ("a.amo", &[b'#'; 101], "the input must not exceed 100 bytes (found 101)"),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
        assert_eq!(load(folder.path().join(name), &options).unwrap_err().to_string(), says);
    }
    assert!(matches!(load(folder.path(), &options), Err(LoadError::Io(_))));
    assert!(matches!(load(folder.path().join("none.amo"), &options), Err(LoadError::Io(_))));
    assert_eq!(folder_of(Path::new("x.amo")), Path::new("."));
    // Reading endless input stops at the limit.
    if Path::new("/dev/zero").exists() {
        assert!(matches!(load("/dev/zero", &options), Err(LoadError::Limit(_))));
    }
}

#[test]
fn a_scene_read_in_blocks_is_that_of_the_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.amo");
    let large = amo::generate::large_amo(2_500_000);
    let options = LoadOptions::default();
    let glb = format("glb");
    let read = |text: &[u8], to: Format| {
        fs::write(&path, text).unwrap();
        let mut files = open_folder(folder.path(), &options).unwrap();
        let settings = &options.settings;
        let mut context = Context { name: "large", files: files.as_mut(), settings };
        scene_in_blocks(&path, to, &options, &mut context)
    };
    let found = read(&large, glb).unwrap().unwrap();
    let whole = load(&path, &options).unwrap();
    assert_eq!((found.format, found.dialect), (format("amo"), Some("spec")));
    assert_eq!(found.scene, whole.scene);
    let shown = |found: &Diagnostics| format!("{found:?}");
    assert!(whole.diagnostics.is_empty());
    assert_eq!(shown(&found.losses), shown(&whole.losses));

    assert!(read(&large, format("amo")).unwrap().is_none(), "it need not be converted");
    assert!(read(&large[..large.len() - 1], glb).unwrap().is_none(), "the last line has no end");
    assert!(read(&large[..1_000_000], glb).unwrap().is_none(), "it is small");
    assert!(read(&vec![b'-'; 3_000_000], glb).unwrap().is_none(), "nothing in it is known");
}

/// A stream is not read beyond what the memory limit permits.
#[test]
fn streams_end_at_the_memory_limit() {
    let mut options = LoadOptions::default();
    options.settings.limits.memory = Some(10 << 20);
    let mut read = 0;
    let stream = std::io::repeat(b'v').take(1 << 30);
    let error = read_stream(Counted(stream, &mut read), &options).unwrap_err();
    let message =
        "the contents of the input need too much memory; the limit is 11 MB (`--max-memory`)";
    assert_eq!(error.to_string(), message);
    assert!((5 << 20..6 << 20).contains(&read), "{read}");
}

struct Counted<'a, R>(R, &'a mut usize);

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.0.read(buffer)?;
        *self.1 += count;
        Ok(count)
    }
}
