//! Frames in glTF that are broken, or that ask for much memory or for files that they may not open.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use allocation_counter::measure;
use anim_formats::anim_ir::{Diagnostic, Severity};
use anim_formats::{LoadOptions, Loaded, load};
use test_oracle::growth::assert_linear;

/// A triangle. `POINTS` is the accessor of its points, and `BUFFER` the address of its buffer.
const MODEL: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
"nodes":[{"name":"x","mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{POINTS}],"bufferViews":[{"buffer":0,"byteLength":36}],
"buffers":[{"byteLength":36BUFFER}]}"#;

/// Three points in the buffer.
const POINTS: &str = r#""bufferView":0,"componentType":5126,"count":3,"type":"VEC3",
"min":[0,0,0],"max":[1,1,1]"#;

/// The numbers 1 to 9 as floats.
const BYTES: [f32; 9] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];

fn bin() -> Vec<u8> {
    BYTES.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn model(points: &str, uri: Option<&str>) -> String {
    let uri = uri.map_or(String::new(), |uri| format!(r#","uri":"{uri}""#));
    MODEL.replace("POINTS", points).replace("BUFFER", &uri)
}

fn glb() -> Vec<u8> {
    let mut json = model(POINTS, None);
    json += &" ".repeat(json.len().next_multiple_of(4) - json.len());
    let number = |number: usize| (number as u32).to_le_bytes();
    let sizes = [number(2), number(28 + json.len() + 36), number(json.len())].concat();
    let head = [b"glTF".as_slice(), &sizes, b"JSON", json.as_bytes()].concat();
    [&head[..], &number(36), b"BIN\0", &bin()].concat()
}

/// The model with its buffer, 36 bytes of zero, inside.
fn inlined(points: &str) -> String {
    let data = "data:application/octet-stream;base64,";
    model(points, Some(&format!("{data}{}", "A".repeat(48))))
}

/// Returns an animation of a frame for each of these attributes and contents.
fn animation<'a>(frames: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let frame = |(time, (attributes, content)): (usize, (&str, &str))| {
        let content = content.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        format!("<frame time='{time}' {attributes}>{content}</frame>\n")
    };
    let frames: String = frames.into_iter().enumerate().map(frame).collect();
    format!("<animation name='x'>\n{frames}</animation>\n")
}

const GLTF: &str = "mime_type='model/gltf+json'";

/// Loads an animation, and returns the paths that are read.
fn loaded(text: &str, folder: &Path) -> (Loaded, Vec<String>) {
    fs::write(folder.join("x.castle-anim-frames"), text).unwrap();
    let read = Arc::new(Mutex::new(Vec::new()));
    let list = Arc::clone(&read);
    let note = move |path: &Path| list.lock().unwrap().push(path.to_string_lossy().into_owned());
    let options = LoadOptions::default().with_on_read(note);
    let loaded = load(folder.join("x.castle-anim-frames"), &options).unwrap();
    let paths = read.lock().unwrap().clone();
    (loaded, paths)
}

/// Checks that there are errors, all of them in frame `number` of the text.
#[track_caller]
fn assert_errors_in_frame(loaded: &Loaded, text: &str, number: usize) {
    let errors = errors(loaded);
    assert!(!errors.is_empty());
    let frames: Vec<usize> = text.match_indices("<frame ").map(|(start, _)| start).collect();
    for error in errors {
        let span = error.span.unwrap();
        let within = frames.iter().filter(|start| **start <= span.start).count();
        assert_eq!(within, number + 1, "{error:?}");
    }
}

fn errors(loaded: &Loaded) -> Vec<&Diagnostic> {
    let all = loaded.diagnostics.iter().chain(&loaded.losses);
    all.filter(|one| one.code.severity == Severity::Error).collect()
}

#[test]
fn broken_frames() {
    let folder = tempfile::tempdir().unwrap();
    let good = inlined(POINTS);
    let cases = [
        good.replace("\"scene\"", "scene"),
        good[..good.len() / 2].to_owned(),
        "{}".to_owned(),
        "[".repeat(100_000),
        inlined(&POINTS.replace("\"count\":3", "\"count\":4")),
        inlined(&POINTS.replace("\"bufferView\":0", "\"bufferView\":9")),
        inlined(&format!("{POINTS},\"byteOffset\":12")),
        good.replace("\"POSITION\":0", "\"POSITION\":7"),
        good.replace("\"mesh\":0", "\"mesh\":0,\"children\":[0]"),
        good.replace("\"byteLength\":36", "\"byteLength\":4000000000"),
    ];
    for case in &cases {
        let text = animation([(GLTF, &good[..]), (GLTF, case), (GLTF, &good)]);
        let (loaded, _) = loaded(&text, folder.path());
        assert_errors_in_frame(&loaded, &text, 1);
        assert!(!loaded.scene.meshes.is_empty(), "the other frames remain");
    }
}

/// Accessors without content do not cost memory that the file does not pay for.
#[test]
fn large_accessors_in_small_files() {
    let folder = tempfile::tempdir().unwrap();
    let count = "\"componentType\":5126,\"count\":10000000,\"type\":\"VEC3\"";
    let sparse = format!(
        "{count},\"sparse\":{{\"count\":1,\"indices\":{{\"bufferView\":0,\"componentType\":5125}},\
         \"values\":{{\"bufferView\":0}}}}"
    );
    for points in [count, &sparse] {
        let json = inlined(points);
        let text = animation((0..300).map(|_| (GLTF, &json[..])));
        let mut made = None;
        let heap = measure(|| made = Some(loaded(&text, folder.path()))).bytes_max;
        // One frame of ten million points is 120 MB.
        assert!(heap < 100 * text.len() as u64, "{heap} for {}", text.len());
        let (loaded, _) = made.unwrap();
        let errors = errors(&loaded);
        assert!(errors.iter().any(|error| error.span.is_some()), "{errors:?}");
    }
}

#[test]
fn animations_in_circles() {
    let folder = tempfile::tempdir().unwrap();
    let text = animation([("url='x.castle-anim-frames'", ""), ("url='y.castle-anim-frames'", "")]);
    let back = animation([("url='x.castle-anim-frames'", "")]);
    fs::write(folder.path().join("y.castle-anim-frames"), back).unwrap();
    let (loaded, paths) = loaded(&text, folder.path());
    let errors = errors(&loaded);
    assert!(!errors.is_empty() && errors.iter().all(|one| one.span.is_some()), "{errors:?}");
    assert!(paths.len() <= 4, "{paths:?}");
}

#[test]
fn buffers_outside_the_folder() {
    let outside = tempfile::tempdir().unwrap();
    let folder = outside.path().join("a/b");
    fs::create_dir_all(&folder).unwrap();
    fs::write(outside.path().join("x.bin"), bin()).unwrap();
    let absolute = outside.path().join("x.bin").to_string_lossy().into_owned();
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.path().join("x.bin"), folder.join("link.bin")).unwrap();
    let escaped = "%2e%2e/%2e%2e/x.bin";
    for uri in ["../../x.bin", escaped, "c/../../../x.bin", &absolute, "link.bin"] {
        let bad = model(POINTS, Some(uri));
        fs::write(folder.join("bad.gltf"), &bad).unwrap();
        for frame in [("url='bad.gltf'", ""), (GLTF, &bad[..])] {
            let good = inlined(POINTS);
            let text = animation([(GLTF, &good[..]), frame]);
            let (loaded, paths) = loaded(&text, &folder);
            assert_errors_in_frame(&loaded, &text, 1);
            assert!(!paths.iter().any(|path| path.ends_with("x.bin")), "{uri}: {paths:?}");
        }
    }
    // The same file within the folder is opened.
    fs::write(folder.join("x.bin"), bin()).unwrap();
    fs::write(folder.join("good.gltf"), model(POINTS, Some("x.bin"))).unwrap();
    let (loaded, paths) = loaded(&animation([("url='good.gltf'", "")]), &folder);
    assert!(loaded.diagnostics.worst() < Some(Severity::Error), "{:?}", loaded.diagnostics);
    assert!(paths.iter().any(|path| path.ends_with("x.bin")), "{paths:?}");
}

#[test]
fn a_file_that_many_frames_name_is_read_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.glb"), glb()).unwrap();
    let text = animation((0..1000).map(|_| ("url='a.glb'", "")));
    let (loaded, paths) = loaded(&text, folder.path());
    assert!(loaded.diagnostics.worst() < Some(Severity::Error), "{:?}", loaded.diagnostics);
    assert_eq!(paths.iter().filter(|path| path.ends_with("a.glb")).count(), 1);
    assert_eq!((loaded.scene.meshes.len(), loaded.scene.nodes.len()), (1, 1));
    assert!(loaded.scene.meshes[0].morph_targets.is_empty());
}

#[test]
fn an_x3d_frame_that_includes_a_glb() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.glb"), glb()).unwrap();
    fs::write(
        folder.path().join("loop.x3d"),
        "<X3D><Scene><Inline url='\"loop.x3d\"'/></Scene></X3D>",
    )
    .unwrap();
    for url in ["a.glb", "loop.x3d", "x.castle-anim-frames"] {
        let text = format!(
            "<animation name='x'><frame time='0'><X3D><Scene><Inline url='\"{url}\"'/>\
             </Scene></X3D></frame></animation>"
        );
        let (loaded, _) = loaded(&text, folder.path());
        let all: Vec<_> = loaded.diagnostics.iter().chain(&loaded.losses).collect();
        let shown = !loaded.scene.meshes.is_empty();
        let said = all.iter().any(|one| one.code.severity > Severity::Note && one.span.is_some());
        assert!(shown || said, "{url}: {all:?}");
    }
}

#[test]
fn time_is_linear_in_the_number_of_frames() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.glb"), glb()).unwrap();
    let run = |text: &String| drop(loaded(text, folder.path()));
    let same = |count: usize| animation((0..count).map(|_| ("url='a.glb'", "")));
    assert_linear("frames that name one file", same, run, 1000);
    let json = inlined(POINTS);
    // Each frame has another structure.
    let different = |count: usize| {
        let models: Vec<String> =
            (0..count).map(|n| json.replace("\"x\"", &format!("\"x{n}\""))).collect();
        animation(models.iter().map(|model| (GLTF, &model[..])))
    };
    assert_linear("inlined frames", different, run, 100);
}
