//! Files that castle-anim-frames and scenes refer to: opened only if allowed, and within limits.

use std::fmt::Write as _;
use std::fs::{self, File};

use crate::castle::{animation, inline, still, triangles, x3d};
use crate::program::{Folder, Run, command, fixture, numbers};

/// C04: no file outside the folder is opened, unless `--root` allows it.
#[test]
fn frames_outside_the_folder() {
    let folder = Folder::new();
    folder.write("frames/low.x3d", still(1));
    folder.write("walks/a/walk.kanim", animation(&["../../frames/low.x3d"]));
    folder.write("walks/a/encoded.kanim", animation(&["%2e%2e/..%2fframes/low.x3d"]));
    let inline = inline("../../frames/low.x3d");
    folder.write(
        "walks/a/inline.kanim",
        format!("<animation><frame time='0'>{inline}</frame></animation>"),
    );
    for path in ["walks/a/walk.kanim", "walks/a/encoded.kanim", "walks/a/inline.kanim"] {
        let run = folder.run(&format!("check {path}")).exits(1);
        run.out_has("it is outside the folder that may be read").out_has("--root FOLDER");
        assert_eq!(triangles(&folder, path), 0);
        for root in [".", "walks/..", folder.root().to_str().unwrap()] {
            let args = format!("{path} --root {root}");
            folder.run(&format!("check {args}")).exits(0);
            assert_eq!(triangles(&folder, &args), 1, "{args}");
        }
        // This root does not contain the frames.
        folder.run(&format!("check {path} --root walks")).exits(1);
    }
    // The root has no effect on inputs outside of it.
    let run = folder.run("check walks/a/walk.kanim --root frames").exits(1);
    run.out_has("it is outside the folder that may be read");
    folder.run("check walks/a/walk.kanim --root nowhere").exits(2);
}

/// The URLs of frames are adjusted to another folder. Frames that are then outside of it are
/// reported, since the output is only readable with `--root`.
#[test]
fn frames_outside_the_folder_of_the_output() {
    let folder = Folder::new();
    folder.write("a/low.x3d", still(1));
    folder.write("a/walk.kanim", animation(&["low.x3d"]));
    fs::create_dir(folder.path("b")).unwrap();
    let run = folder.run("convert a/walk.kanim -o b/walk.kanim").exits(0);
    run.err_has("loss[castle-frames-outside]: the frame `../a/low.x3d` is outside the output's");
    folder.run("check b/walk.kanim").exits(1);
    assert_eq!(triangles(&folder, "b/walk.kanim --root ."), 1);
    for args in ["a/walk.kanim -o a/other.kanim", "a/walk.kanim --inline -o b/whole.kanim"] {
        folder.run(&format!("convert {args}")).exits(0).err_lacks("castle-frames-outside");
    }
}

/// C04: URIs other than relative paths are rejected.
#[test]
fn uris_other_than_relative_paths() {
    let folder = Folder::new();
    for (url, why) in [
        ("http://127.0.0.1:9/a.x3d", "only local files are supported, not `http:` URIs"),
        ("HTTPS://127.0.0.1:9/a.x3d", "only local files are supported, not `HTTPS:` URIs"),
        ("file:///etc/passwd", "only local files are supported, not `file:` URIs"),
        ("castle-data:/a.x3d", "no folder above this file has a `CastleEngineManifest.xml`"),
        ("/etc/passwd", "only relative paths with forward slashes"),
        ("%2fetc%2fpasswd", "only relative paths with forward slashes"),
        ("//host/a.x3d", "only relative paths with forward slashes"),
        ("..\\..\\etc\\passwd", "only relative paths with forward slashes"),
        ("%5c%5chost%5ca.x3d", "only relative paths with forward slashes"),
        ("C:/a.x3d", "only relative paths with forward slashes"),
        ("C%3A/a.x3d", "only relative paths with forward slashes"),
        ("%ff.x3d", "its URI is not valid UTF-8"),
        ("a.x3d%00", "its URI contains a null byte"),
        ("../../etc/passwd", "it is outside the folder"),
        ("data:,nothing", "this is neither X3D nor VRML"),
        ("data:;base64,!", "its base64 data is invalid"),
        ("data:", "no comma before its data"),
    ] {
        folder.write("a.kanim", animation(&[url]));
        folder.run("check a.kanim").exits(1).out_has("error[x3d-file]").out_has(why);
    }
    let data = still(1).replace('\'', "%22").replace('<', "%3C");
    folder.write("a.kanim", animation(&[&format!("data:model/x3d+xml,{data}")]));
    assert_eq!(triangles(&folder, "a.kanim"), 1);
    // Standard input has no folder.
    let frames = fixture("../castle/ok/frames_x3dv.castle-anim-frames");
    let run = Run::fed(&mut command(), "check -", &frames).exits(1);
    run.out_has("companion files are opened only if the input is a file");
}

/// The kind of a `data:` URI is that of its media type, or else that of its content.
#[test]
fn models_in_data_uris() {
    let folder = Folder::new();
    folder.write("t.x3d", still(1));
    folder.convert("t.x3d -o t.gltf").exits(0);
    let obj = "data:MEDIA,v%200%200%200%0Av%201%200%200%0Av%200%201%202.5%0Af%201%202%203%0A";
    let positions =
        "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],
        "max":[1,1,0]}}],"bufferViews":[{{"buffer":0,"byteLength":36}}],
        "buffers":[{{"byteLength":36,"uri":"{positions}"}}]}}"#
    );
    let gltf = format!("data:MEDIA,{}", json.replace('"', "%22"));
    let castle = format!("<animation><frame time='0'>{}</frame></animation>", still(2));
    let castle = format!("data:MEDIA,{}", castle.replace('<', "%3C").replace('\'', "%27"));
    for (uri, media_types) in [
        (obj, ["model/obj", "Model/OBJ;charset=utf-8", ""]),
        (&gltf, ["model/gltf+json", "application/json", "text/plain.stl"]),
        (&castle, ["application/x-castle-anim-frames", "text/xml", ""]),
    ] {
        for media_type in media_types {
            folder.write("a.kanim", animation(&[&uri.replace("MEDIA", media_type)]));
            let run = folder.run("check a.kanim");
            run.out_lacks("error");
            assert_eq!(triangles(&folder, "a.kanim"), 1, "{media_type}");
        }
    }
    // glTF in JSON can also be embedded.
    folder.write("a.kanim", animation(&[&gltf.replace("MEDIA", "model/gltf+json")]));
    folder.convert("a.kanim -o whole.kanim --inline").exits(0).err_lacks("castle-not-inlined");
    assert!(folder.text("whole.kanim").contains("mime_type=\"model/gltf+json\""));
    assert_eq!(triangles(&folder, "whole.kanim"), 1);
    // The media type is believed, like the extension of a file.
    folder.write("a.kanim", animation(&["data:model/gltf+json,nothing"]));
    folder.run("check a.kanim").exits(1).out_has("the frame `data:…` cannot be used");
}

/// Addresses inside frames are adjusted to the folder of the output, and to that of the animation
/// if a frame in another folder is embedded.
#[test]
fn addresses_inside_frames_are_adjusted() {
    let folder = Folder::new();
    folder.write("in/a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder.write("in/frames/b.x3d", inline("../a.obj"));
    let frames = format!("<frame time='0'>{}</frame>", inline("a.obj"));
    folder.write("in/inside.kanim", format!("<animation>{frames}</animation>"));
    folder.write("in/beside.kanim", animation(&["frames/b.x3d"]));
    fs::create_dir(folder.path("out")).unwrap();
    let advice = "`../in/a.obj`, which a frame refers to, is outside the output's folder: pass \
                  `--root FOLDER`";
    for (args, file) in [
        ("in/inside.kanim -o out/inside.kanim", "out/inside.kanim"),
        ("in/inside.kanim --inline -o out/again.kanim", "out/again.kanim"),
        ("in/beside.kanim --inline -o out/beside.kanim", "out/beside.kanim"),
        ("in/inside.kanim --extract -o out/files.kanim", "out/files.kanim"),
    ] {
        let run = folder.convert(args).exits(0);
        run.err_has(advice).err_lacks("castle-moved-textures");
        assert_eq!(triangles(&folder, &format!("{file} --root .")), 1, "{args}");
    }
    // Below the output, nothing is lost.
    folder.convert("in/beside.kanim --inline -o in/whole.kanim").exits(0).err_lacks("loss[");
    folder.convert("in/inside.kanim -o above.kanim").exits(0).err_lacks("loss[");
    assert!(folder.text("above.kanim").contains("<Inline url='\"in/a.obj\"'/>"));
    for file in ["in/whole.kanim", "above.kanim"] {
        assert_eq!(triangles(&folder, file), 1);
    }
    // The frames of merged files are relative to their own folders.
    folder.write("other/a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n");
    folder.write("other/x.kanim", folder.read("in/inside.kanim"));
    let merged = "in/inside.kanim other/x.kanim --merge -o all.kanim";
    folder.convert(merged).exits(0).err_lacks("loss[castle");
    let all = folder.text("all.kanim");
    assert!(all.contains("\"in/a.obj\"") && all.contains("\"other/a.obj\""), "{all}");
    // A frame that cannot be embedded is not advised to be.
    folder.write("in/obj.kanim", animation(&["a.obj"]));
    let run = folder.convert("in/obj.kanim --inline -o out/obj.kanim").exits(0);
    run.err_has("castle-not-inlined")
        .err_has("is outside the output's folder: pass `--root FOLDER`");
    // Values of prototypes are not adjusted.
    let frames = frames.replace("<Inline", "<fieldValue name='url' value='a.png'/><Inline");
    folder.write("in/proto.kanim", format!("<animation>{frames}</animation>"));
    folder.convert("in/proto.kanim -o out/proto.kanim").exits(0).err_has("castle-moved-textures");
}

/// `castle-data:` URIs are relative to the folder `data` of the project, whose root has a manifest.
#[test]
fn uris_below_the_data_folder_of_a_project() {
    let folder = Folder::new();
    let manifest = "<?xml version=\"1.0\"?>\n<project name=\"game\"/>\n";
    folder.write("game/data/creatures/ghost/walk.kanim", animation(&["castle-data:/low.x3d"]));
    folder.write("game/data/low.x3d", still(1));
    folder.write("game/data/high.x3d", still(2));
    folder.write("game/secret.x3d", still(1));
    let walk = "game/data/creatures/ghost/walk.kanim";
    let why = "no folder above this file has a `CastleEngineManifest.xml`";
    folder.run(&format!("check {walk}")).exits(1).out_has(why);
    folder.write("game/CastleEngineManifest.xml", manifest);
    assert_eq!(triangles(&folder, walk), 1);
    // `--root` limits what is opened.
    assert_eq!(triangles(&folder, &format!("{walk} --root game")), 1);
    let within = folder.run(&format!("check {walk} --root game/data/creatures")).exits(1);
    within.out_has("no folder above this file, up to the folder of `--root`, has");
    // A file of the project refers to others by itself.
    let two = "<Inline url='\"../low.x3d\"'/><Inline url='\"castle-data:high.x3d\"'/>";
    folder.write("game/data/props/all.x3d", x3d(two));
    folder.write(walk, animation(&["castle-data:/props/all.x3d"]));
    assert_eq!(triangles(&folder, walk), 2);
    for outside in
        ["castle-data:/../secret.x3d", "castle-data:/a/../../secret.x3d", "castle-data:/../.."]
    {
        folder.write(walk, animation(&[outside]));
        let run = folder.run(&format!("check {walk}")).exits(1);
        run.out_has("it is outside the folder that may be read; `castle-data:` URIs stay below");
    }
    folder.write("game/data/props/all.x3d", inline("../../secret.x3d"));
    folder.write(walk, animation(&["castle-data:/props/all.x3d"]));
    let run = folder.run(&format!("check {walk}")).exits(1);
    run.out_has("it is outside the folder that may be read");
}

#[test]
fn textures_below_the_data_folder_of_a_project() {
    let folder = Folder::new();
    folder.write("game/CastleEngineManifest.xml", "<project/>");
    folder.write("game/data/skins/a.png", fixture("../castle/ok/textures/stripe.png"));
    let textured = still(1).replace(
        "<Shape>",
        "<Shape><Appearance><ImageTexture url='\"castle-data:/skins/a.png\"'/></Appearance>",
    );
    folder.write("game/data/props/box.x3d", textured);
    fs::create_dir(folder.path("game/out")).unwrap();
    folder.convert("game/data/props/box.x3d -o game/out/box.glb").exits(0);
    let glb = folder.read("game/out/box.glb");
    assert!(String::from_utf8_lossy(&glb).contains("\"mimeType\":\"image/png\""));
    folder.convert("game/data/props/box.x3d -o game/out/box.gltf --external-images").exits(0);
    let json = String::from_utf8(folder.read("game/out/box.gltf")).unwrap();
    assert!(json.contains("\"../data/skins/a.png\""), "{json}");
}

/// A manifest that is not a file, and a data folder that leads elsewhere, are not followed.
#[cfg(unix)]
#[test]
fn projects_that_are_none() {
    let folder = Folder::new();
    folder.write("elsewhere/low.x3d", still(1));
    folder.write("game/walk.kanim", animation(&["castle-data:/low.x3d"]));
    std::os::unix::fs::symlink("../elsewhere", folder.path("game/data")).unwrap();
    fs::create_dir(folder.path("game/CastleEngineManifest.xml")).unwrap();
    let why = "no folder above this file has a `CastleEngineManifest.xml`";
    folder.run("check game/walk.kanim").exits(1).out_has(why);
    fs::remove_dir(folder.path("game/CastleEngineManifest.xml")).unwrap();
    folder.write("game/CastleEngineManifest.xml", "<project/>");
    folder.run("check game/walk.kanim").exits(1).out_has(why);
}

/// C05: links are followed only inside the folder.
#[cfg(unix)]
#[test]
fn links_out_of_the_folder() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    folder.write("secret/low.x3d", still(1));
    folder.write("in/sub/deep/high.x3d", still(2));
    symlink("../secret/low.x3d", folder.path("in/link.x3d")).unwrap();
    symlink(folder.path("secret/low.x3d"), folder.path("in/absolute.x3d")).unwrap();
    symlink("../secret", folder.path("in/out")).unwrap();
    symlink("../out", folder.path("in/sub/twice")).unwrap();
    symlink("sub/deep/high.x3d", folder.path("in/inside.x3d")).unwrap();
    folder.write("in/taking_in.x3d", inline("link.x3d"));
    let urls = [
        "link.x3d",
        "%6cink.x3d",
        "sub/../link.x3d",
        "absolute.x3d",
        "out/low.x3d",
        "%6Fut/low.x3d",
        "out%2Flow.x3d",
        "sub/twice/low.x3d",
        "sub/deep/../twice/low.x3d",
        "taking_in.x3d",
    ];
    for url in urls {
        folder.write("in/walk.kanim", animation(&[url]));
        folder
            .run("check in/walk.kanim")
            .exits(1)
            .out_has("it is outside the folder that may be read");
        assert_eq!(triangles(&folder, "in/walk.kanim"), 0, "{url}");
    }
    // With `--root`, the targets can be opened. Absolute links always count as pointing outside.
    for url in urls.into_iter().filter(|url| !url.starts_with("absolute")) {
        folder.write("in/walk.kanim", animation(&[url]));
        assert_eq!(triangles(&folder, "in/walk.kanim --root ."), 1, "{url}");
    }
    folder.write("in/walk.kanim", animation(&["inside.x3d"]));
    assert_eq!(triangles(&folder, "in/walk.kanim"), 1);
}

/// C07: frames must be regular files, and not too large.
#[cfg(unix)]
#[test]
fn frames_that_are_not_regular_files() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    fs::create_dir(folder.path("folder.x3d")).unwrap();
    symlink("/dev/zero", folder.path("zero.x3d")).unwrap();
    folder.shell("mkfifo pipe.x3d").exits(0);
    let _socket = std::os::unix::net::UnixListener::bind(folder.path("socket.x3d")).unwrap();
    File::create(folder.path("huge.x3d")).unwrap().set_len(10 << 30).unwrap();
    folder.write("large.x3d", still(1) + &" ".repeat(1 << 20));
    for (url, why) in [
        ("folder.x3d", "it is not a regular file"),
        ("folder.x3d/", "it is not a regular file"),
        ("zero.x3d", "it is outside the folder"),
        ("pipe.x3d", "it is not a regular file"),
        ("socket.x3d", "it is not a regular file"),
        ("huge.x3d", "bytes (found 10737418240)"),
        ("large.x3d", "must not exceed "),
    ] {
        folder.write("a.kanim", animation(&[url]));
        folder.run("check a.kanim --max-input 1M").exits(1).out_has(why);
    }
    // Even if the whole file system is allowed, a device is not a regular file.
    let up = "../".repeat(folder.root().canonicalize().unwrap().components().count() - 1);
    symlink(format!("{up}dev/zero"), folder.path("device.x3d")).unwrap();
    folder.write("a.kanim", animation(&["device.x3d"]));
    folder.run("check a.kanim --root /").exits(1).out_has("it is not a regular file");
}

/// C06: files that include each other cause no endless recursion.
#[test]
fn cycles() {
    let folder = Folder::new();
    folder.write("a.x3d", inline("b.x3d"));
    folder.write("b.x3d", inline("sub/../a.x3d"));
    folder.write("self.wrl", "#VRML V2.0 utf8\nInline { url \"self.wrl\" }\n");
    folder.write("cycle.kanim", animation(&["a.x3d", "self.wrl"]));
    let run = folder.run("check cycle.kanim").exits(1);
    assert_eq!(run.stdout().matches("includes itself").count(), 2, "{}", run.stdout());
    folder.write("a.kanim", animation(&["b.kanim"]));
    folder.write("b.kanim", animation(&["a.kanim"]));
    folder.run("check a.kanim").exits(1).out_has("`b.kanim`");
    // Each file includes the next file twice, which makes 2^40 inclusions in total.
    for depth in 0..40 {
        let next = format!("<Inline url='\"{}.x3d\"'/>", depth + 1);
        folder.write(&format!("{depth}.x3d"), x3d(&next.repeat(2)));
    }
    folder.write("40.x3d", still(1));
    folder.write("tree.kanim", animation(&["0.x3d"]));
    folder.run("check tree.kanim").exits(1);
}

#[test]
fn an_included_animation_shows_its_first_frame() {
    let folder = Folder::new();
    folder.write("walks/low.x3d", still(1));
    folder.write("walks/high.x3d", still(2));
    folder.write("walks/files.kanim", animation(&["low.x3d", "high.x3d"]));
    let element = format!("<animation><frame time='0'>{}</frame></animation>", inline("low.x3d"));
    folder.write("walks/element.castle-anim-frames", element);
    folder.write("walks/nested.KANIM", animation(&["files.kanim", "high.x3d"]));
    for name in ["files.kanim", "element.castle-anim-frames", "nested.KANIM"] {
        folder.write("scene.x3d", inline(&format!("walks/{name}")));
        // A scene, and a scene in the frame of an animation.
        for input in ["scene.x3d", "outer.kanim"] {
            folder.write("outer.kanim", animation(&["scene.x3d"]));
            let run = folder.convert(&format!("{input} -o {input}.glb --force")).exits(0);
            run.err_has(format!("only the first frame of `walks/{name}` is shown"));
            let json = folder.glb_json(&format!("{input}.glb"));
            let positions = &json["meshes"][0]["primitives"][0]["attributes"]["POSITION"];
            let corner = &json["accessors"][positions.as_u64().unwrap() as usize]["max"];
            assert_eq!(numbers(corner), [1.0, 1.0, 1.0], "{name}");
        }
    }
    // The reasons why an included animation cannot be shown.
    for (content, why) in [
        ("<animation/>", "it has no frames"),
        ("<animation><frame time='0'><X3D></frame></animation>", "expected the closing tag"),
        ("<animation><frame time='0' url='broken.kanim'/></animation>", "includes itself"),
        ("<animation><frame time='0' url='no.x3d'/></animation>", "`no.x3d` cannot be used"),
    ] {
        folder.write("broken.kanim", content);
        folder.write("scene.x3d", inline("broken.kanim"));
        let run = folder.convert("scene.x3d -o scene.glb --force").exits(1);
        run.err_has("error[x3d-file]").err_has(why).err_lacks("only the first frame");
    }
}

/// C07, X10: a large number of problems is counted, not listed.
#[test]
fn a_hundred_thousand_missing_frames() {
    let folder = Folder::new();
    let mut text = String::from("<animation>\n");
    for frame in 0..100_000 {
        writeln!(text, "<frame time='{frame}' url='frames/{frame}.x3d'/>").unwrap();
    }
    text.push_str("</animation>\n");
    folder.write("many.kanim", text);
    for command in ["check many.kanim", "convert many.kanim -o many.glb"] {
        let output = folder.run(command).exits(1).output();
        assert!(output.contains("… and 99990 more x3d-file in many.kanim"), "{output}");
        assert!(output.len() < 20_000, "{}", output.len());
    }
}

/// The limit on file sizes also applies to the uncompressed size.
#[test]
fn compressed_bombs() {
    let folder = Folder::new();
    folder.shell("head -c 10000000 /dev/zero | gzip -9 > bomb.x3d.gz").exits(0);
    assert!(fs::metadata(folder.path("bomb.x3d.gz")).unwrap().len() < 20_000);
    folder.write("a.kanim", animation(&["bomb.x3d.gz"]));
    let limit = "the unpacked file must not exceed 1048576 bytes (found 10000000)";
    folder.run("check a.kanim --max-input 1M").exits(1).out_has(limit);
    folder.run("check bomb.x3d.gz --max-input 1M").exits(1).err_has(limit);
}

/// C01 to C03: entities are neither resolved nor fetched.
#[test]
fn entities() {
    let folder = Folder::new();
    let document = |dtd: &str, name: &str| {
        let frame = format!("<frame time='0'>{}</frame>", still(1));
        format!("<!DOCTYPE animation {dtd}>\n<animation name='{name}'>{frame}</animation>")
    };
    let laughs: String = (1..10)
        .map(|i| format!("<!ENTITY a{i} '{}'>", format!("&a{};", i - 1).repeat(10)))
        .collect();
    for (dtd, name) in [
        (format!("[<!ENTITY a0 'ha'>{laughs}]"), "&a9;".to_owned()),
        (format!("[<!ENTITY x '{}'>]", "x".repeat(10_000)), "&x;".repeat(10_000)),
        ("[<!ENTITY x SYSTEM 'file:///etc/passwd'>]".to_owned(), "&x;".to_owned()),
        ("[<!ENTITY % x SYSTEM 'http://127.0.0.1:9/x.dtd'> %x;]".to_owned(), "a".to_owned()),
    ] {
        folder.write("a.kanim", document(&dtd, &name));
        let run = folder.run("check a.kanim").exits(1);
        run.err_has("error: a.kanim: line 1, column 1: ");
        assert!(run.stderr().len() < 600 && run.stdout().is_empty(), "{}", run.stderr());
    }
    // A document type without an internal subset is allowed, but not fetched.
    folder.write("a.kanim", document("SYSTEM 'http://127.0.0.1:9/a.dtd'", "a"));
    folder.run("check a.kanim").exits(0);
}

/// A trace of system calls shows that no files other than the inputs and their frames are opened,
/// and that there are no network connections.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_opened_or_connected() {
    let folder = Folder::new();
    folder.write(
        "low.x3d",
        "<!DOCTYPE X3D SYSTEM 'http://127.0.0.1:9/x3d.dtd'>".to_owned() + &still(1),
    );
    let urls = [
        "low.x3d",
        "http://127.0.0.1:9/a.x3d",
        "file:///etc/passwd",
        "/etc/passwd",
        "../../../../../../etc/passwd",
    ];
    folder.write(
        "a.kanim",
        animation(&urls).replace(
            "<animation>",
            "<!DOCTYPE animation SYSTEM 'http://127.0.0.1:9/a.dtd'><animation>",
        ),
    );
    folder.write(
        "b.kanim",
        "<!DOCTYPE animation [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><animation name='&x;'/>",
    );
    // One trace per thread: in a shared trace, a call and its result could be on separate lines.
    let strace = std::process::Command::new("strace")
        .args(["-ff", "-e", "trace=%network,%file", "-o", "trace", env!("CARGO_BIN_EXE_animfmt")])
        .args(["check", "a.kanim", "b.kanim"])
        .current_dir(folder.root())
        .output();
    let files = fs::read_dir(folder.root()).unwrap().map(|entry| entry.unwrap().path());
    let traces = files.filter(|path| path.file_stem().is_some_and(|stem| stem == "trace"));
    let trace: String = traces.map(|path| fs::read_to_string(path).unwrap()).collect();
    if !trace.contains("a.kanim") {
        eprintln!("skipped: no working strace ({:?})", strace.map(|output| output.status));
        return;
    }
    let lines = |word: &str| trace.lines().filter(|line| line.contains(word)).collect::<Vec<_>>();
    assert!(lines("\"low.x3d\"").iter().any(|line| !line.contains("= -1")), "frames are opened");
    // The program tries to open a path below the folder, which fails.
    assert!(
        lines("passwd").iter().all(|line| line.contains("../etc/passwd") && line.contains("= -1")),
        "{:?}",
        lines("passwd")
    );
    for never in [".dtd", "connect(", "socket(", "AF_INET"] {
        assert_eq!(lines(never), Vec::<&str>::new());
    }
}

/// C17 to C20, and C30: excessive nesting and counts are rejected in the animation file and inside
/// its frames.
#[test]
fn excessive_nesting_and_counts_are_rejected() {
    let folder = Folder::new();
    let inside =
        |content: &str| format!("<animation><frame time='0'>{}</frame></animation>", x3d(content));
    let nested = "<a>".repeat(1_000_000) + &"</a>".repeat(1_000_000);
    let attributes: String = (0..1_000_000).map(|number| format!(" a{number}=''")).collect();
    let namespaces: String =
        (0..2_000).map(|number| format!("<g xmlns:n{number}='urn:{number}'/>")).collect();
    let nested_namespaces = (0..2_000)
        .fold(String::new(), |text, number| text + &format!("<g xmlns:n{number}='urn:{number}'>"));
    for (name, text, why) in [
        ("deep", nested.clone(), "256"),
        ("deep_inside", inside(&nested), "256"),
        ("attributes", format!("<animation{attributes}/>"), "256"),
        ("attributes_inside", inside(&format!("<Group{attributes}/>")), "256"),
        ("namespaces", inside(&namespaces), "256"),
        ("namespaces_nested", inside(&nested_namespaces), "256"),
        // C30: the file is rejected because of its size.
        (
            "attribute",
            format!("<animation name='{}'/>", "x".repeat(4 << 20)),
            "must not exceed 3145728",
        ),
    ] {
        folder.write("a.kanim", text);
        let limit = if name == "attribute" { " --max-input 3M" } else { "" };
        let output = folder.run(&format!("check a.kanim --from castle{limit}")).exits(1).output();
        assert!(output.contains(why) && output.len() < 2_000, "{name}: {output}");
    }
    // Invalid JSON is refused at its first bracket.
    let gltf =
        format!("<frame time='0' mime_type='model/gltf+json'>{}</frame>", "[".repeat(100_000));
    folder.write("a.kanim", format!("<animation>{gltf}</animation>"));
    folder.run("check a.kanim").exits(1).out_has("castle-frame-gltf");
    // A name of 64 MB is valid, and uses memory proportional to its length.
    let (name, frame) = ("x".repeat(64 << 20), format!("<frame time='0'>{}</frame>", still(1)));
    folder.write("a.kanim", format!("<animation name='{name}'>{frame}</animation>"));
    assert!(folder.run("check a.kanim").exits(0).stdout().len() < 2_000);
    File::create(folder.path("huge.kanim")).unwrap().set_len(5 << 30).unwrap();
    folder
        .run("check huge.kanim")
        .exits(1)
        .err_has("must not exceed 1073741824 bytes (found 5368709120)");
}

/// With `--root`, images outside the file's folder keep their short relative paths.
#[test]
fn paths_of_images_have_no_detours() {
    let folder = Folder::with(&[("data/skins/skin.png", "ok/octopus_arm.png")]);
    let texture = "texture ImageTexture { url \"../skins/skin.png\" }";
    let still = format!(
        "#VRML V2.0 utf8\nShape {{ appearance Appearance {{ {texture} }} geometry Box {{ }} }}\n"
    );
    folder.write("data/models/box.wrl", still);
    folder.run("convert data/models/box.wrl -o box.gltf --root data -q").exits(0);
    let written: serde_json::Value = serde_json::from_slice(&folder.read("box.gltf")).unwrap();
    assert_eq!(written["images"][0]["uri"], "data/skins/skin.png");
    let shown = |line: &str| folder.info(line)["materials"][0]["image"].clone();
    assert_eq!(shown("data/models/box.wrl --root data"), "../skins/skin.png", "as in the file");
    assert_eq!(shown("box.gltf"), "data/skins/skin.png");
}
