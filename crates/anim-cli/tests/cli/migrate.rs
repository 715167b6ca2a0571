//! `animfmt migrate`

use std::fs;

use crate::castle::{animation, still};
use crate::program::{Folder, list, strings};

/// A creature with comments, blanks and attributes that must stay, and old names.
const GHOST: &str = "<?xml version=\"1.0\"?>\n\n<!-- <model url=\"no\"/> -->\n<resource \
                     name=\"Ghost\"  type='WalkAttack'\n  speed=\"25\">\n  <model \
                     pool='3'>\n\t<stand   file_name=\"stand.wrl\"  />\n\t<walk \
                     url=\"moves/walk.kanim\"/> <!-- fast -->\n    <die \
                     url='die.kanim'></die>\n  </model>\n  <attack \
                     url=\"kept.wav\"/>\n</resource>\n";

fn project() -> Folder {
    let folder = Folder::new();
    folder.write("data/ghost/resource.xml", GHOST);
    let still_wrl = "#VRML V2.0 utf8\nShape { geometry IndexedFaceSet { coordIndex [0 1 2 -1 0 2 \
                     3] coord Coordinate { point [0 0 0, 1 0 0, 0 0 1, 0 2 1] } } }\n";
    folder.write("data/ghost/stand.wrl", still_wrl);
    folder.write("data/ghost/moves/walk.kanim", animation(&["a.x3d", "b.x3d"]));
    folder.write("data/ghost/moves/a.x3d", still(0));
    folder.write("data/ghost/moves/b.x3d", still(1));
    let frames = animation(&["d.x3d", "c.x3d", "d.x3d"]);
    folder.write("data/ghost/die.kanim", frames);
    folder.write("data/ghost/c.x3d", still(4));
    folder.write("data/ghost/d.x3d", still(2));
    folder.write(
        "data/items/bow/resource.xml",
        "<resource name='Bow' image='icons/bow.png'><model><base \
         url='bow.x3d'/></model></resource>",
    );
    folder.write("data/items/bow/bow.x3d", still(2));
    folder.write("data/items/bow/icons/bow.png", b"an image");
    folder.write(
        "data/knight/resource.xml",
        "<resource><model url='knight.gltf'><idle animation_name='Idle'/></model></resource>",
    );
    folder
}

#[test]
fn a_project_becomes_one_glb_for_each_resource() {
    let folder = project();
    let before = folder.files("data");
    let run = folder.run("migrate data -o out").exits(0);
    run.err_has("left data/knight/resource.xml as it is: it already uses glTF (`knight.gltf`)");
    run.err_has("\n  walk: walk.kanim, 1 s\n");
    run.err_has("3 resources: 2 migrated, 1 left as it is");
    assert_eq!(
        folder.files("out"),
        [
            "ghost/ghost.glb",
            "ghost/resource.xml",
            "items/bow/bow.glb",
            "items/bow/icons/bow.png",
            "items/bow/resource.xml"
        ]
    );
    assert_eq!(folder.files("data"), before);
    assert_eq!(folder.read("out/items/bow/icons/bow.png"), b"an image");
    assert_eq!(
        folder.text("out/ghost/resource.xml"),
        GHOST
            .replace("<model pool", "<model url=\"ghost.glb\" pool")
            .replace("<stand   file_name=\"stand.wrl\"", "<idle   animation_name=\"idle\"")
            .replace("url=\"moves/walk.kanim\"", "animation_name=\"walk\"")
            .replace("url='die.kanim'", "animation_name=\"die\"")
    );
    assert_eq!(folder.model("out/ghost/ghost.glb").animation_names(), ["idle", "walk", "die"]);
    for (clip, file) in [("walk", "moves/walk"), ("die", "die")] {
        folder
            .run(&format!("diff data/ghost/{file}.kanim out/ghost/ghost.glb --clip {clip}"))
            .exits(0);
    }
    // The still has its own mesh of two triangles, which only its own clip shows.
    let shown = folder.run("convert out/ghost/ghost.glb --clip idle -o idle.glb").exits(0);
    shown.err_lacks("error");
    folder.run("convert data/ghost/stand.wrl -o stand.glb").exits(0);
    folder.run("diff stand.glb idle.glb --only shapes").out_lacks("triangles");
}

/// A second run writes nothing; a changed input is written only with `--force`.
#[test]
fn unchanged_outputs_are_left_alone() {
    let folder = project();
    folder.run("migrate data -o out -q").exits(0);
    let times = |folder: &Folder| -> Vec<_> {
        let files = folder.files("out").into_iter();
        files
            .map(|file| {
                fs::metadata(folder.path(&format!("out/{file}"))).unwrap().modified().unwrap()
            })
            .collect()
    };
    let before = times(&folder);
    let run = folder.run("migrate data -o out").exits(0);
    run.err_has("unchanged out/ghost/ghost.glb").err_has("2 unchanged, 1 left as it is");
    assert_eq!(times(&folder), before);
    folder.write("data/ghost/c.x3d", still(7));
    let run = folder.run("migrate data -o out").exits(1);
    run.err_has("out/ghost/ghost.glb already exists; use --force to overwrite it");
    assert_eq!(times(&folder), before);
    let json = folder.run("migrate data -o out --force --json").exits(0).json("migrate");
    assert_eq!(strings(&json["resources"], "result"), ["migrated", "unchanged", "left"]);
    let ghost = &json["resources"][0];
    assert_eq!(strings(&ghost["clips"], "name"), ["idle", "walk", "die"]);
    assert_eq!(ghost["clips"][2]["duration"], 2.0);
    assert_eq!(list(&ghost["outputs"]).len(), 2);
    // Output folders are not searched for resources.
    folder.run("migrate . -o out --force").exits(0).err_has("3 resources");
}

/// Addresses cannot lead out of the folder, and resources are never overwritten.
#[test]
fn nothing_outside_is_opened_or_written() {
    let folder = project();
    let error = |resource: &str, message: &str| {
        folder.write("one/bat/resource.xml", resource);
        folder.run("migrate one -o new").exits(1).err_has(message);
        assert!(!folder.path("new").exists(), "{resource}");
    };
    let animations = |text: &str| format!("<resource><model>{text}</model></resource>");
    let outside = animations("<fly url='../../data/ghost/die.kanim'/>");
    error(&outside, "cannot open `../../data/ghost/die.kanim`: ");
    folder.run("migrate one -o new --root .").exits(0);
    fs::remove_dir_all(folder.path("new")).unwrap();
    error(&animations("<fly url='fly.kanim'/>"), "cannot open `fly.kanim`");
    error(
        "<resource><model url='a.x3d'><fly url='b.x3d'/></model></resource>",
        "cannot be migrated",
    );
    error("<resource/>", "line 1, column 2: the resource has no `model` element");
    folder.write(
        "one/bat/all.kanim",
        format!(
            "<animations>{}{}</animations>",
            "<animation name='a'><frame time='0' url='a.x3d'/></animation>",
            "<animation name='b'><frame time='0' url='a.x3d'/></animation>"
        ),
    );
    folder.write("one/bat/a.x3d", still(1));
    let sensor = "<TimeSensor DEF='T'/><PositionInterpolator DEF='P' key='0 1' keyValue='0 0 0 1 0 \
                  0'/><Transform DEF='X'/><ROUTE fromNode='T' fromField='fraction_changed' \
                  toNode='P' toField='set_fraction'/><ROUTE fromNode='P' fromField='value_changed' \
                  toNode='X' toField='translation'/></Scene>";
    folder.write("one/bat/t.x3d", still(1).replace("</Scene>", sensor));
    error(&animations("<fly url='t.x3d'/>"), "`TimeSensor` nodes animate this file");
    error(
        &animations("<fly url='all.kanim'/>"),
        "all.kanim: clip `fly`: the file contains 2 animations (`a`, `b`); name one of them",
    );
    error(
        &animations("<fly url='all.kanim' animation_name='c'/>"),
        "clip `fly`: the file has no animation `c`; its 2 animations are `a`, `b`",
    );
    folder.write(
        "one/bat/resource.xml",
        animations("<fly url='all.kanim' animation_name='b'/><fly url='a.x3d'/>"),
    );
    folder.run("migrate one/bat -o new").exits(0);
    assert_eq!(folder.model("new/bat.glb").animation_names(), ["fly", "fly_2"]);
    let run = folder.run("migrate one -o one").exits(2);
    run.err_has("would be overwritten");
    let image = "<resource image='../../data/items/bow/icons/bow.png'><model><fly \
                 url='a.x3d'/></model></resource>";
    folder.write("one/bat/resource.xml", image);
    let run = folder.run("migrate one -o images --root .").exits(0);
    run.err_has("warning[migrate-image]: one/bat/resource.xml: the image");
    run.err_has("outside the folder, so it is not copied");
    assert_eq!(folder.files("images"), ["bat/bat.glb", "bat/resource.xml"]);
    folder.run("migrate new -o x").exits(0);
    let run = folder.run("migrate nothing -o x --json").exits(2);
    run.err_has("nothing: not a folder or resource.xml");
    assert_eq!(run.json("migrate")["error"], "nothing: not a folder or resource.xml");
    folder.run("migrate data/ghost/moves -o x").exits(2).err_has("no resource.xml in data");
}

/// A single file with all animations; the resource may name animations that it lacks.
#[test]
fn a_model_with_all_animations() {
    let folder = Folder::new();
    let frames = |name: &str, more: &str| {
        format!(
            "<animation name='{name}'{more}><frame time='0'>{}</frame><frame \
             time='1'>{}</frame></animation>",
            still(0),
            still(1)
        )
    };
    let file = format!(
        "<animations>{}{}</animations>",
        frames("Idle", " backwards='true' loop='true'"),
        frames("Walk", "")
    );
    folder.write("hero/hero.castle-anim-frames", file);
    let resource = "<resource><model url='hero.castle-anim-frames'><idle \
                    animation_name='Idle'/><die time_sensor='Die'/></model></resource>";
    folder.write("hero/resource.xml", resource);
    let run = folder.run("migrate hero/resource.xml -o out").exits(0);
    run.err_has(
        "[migrate-animation-missing]: hero/resource.xml: `die` plays `Die`, which the model does \
         not contain",
    );
    assert_eq!(folder.files("out"), ["hero.glb", "resource.xml"]);
    // The engine plays `backwards` animations back and forth, which glTF cannot say.
    let info = folder.info("out/hero.glb");
    assert_eq!(strings(&info["clips"], "name"), ["Idle", "Walk"]);
    assert_eq!((&info["clips"][0]["start"], &info["clips"][0]["end"]), (&0.0.into(), &2.0.into()));
    assert_eq!(
        folder.text("out/resource.xml"),
        resource.replace("url='hero.castle-anim-frames'", "url=\"hero.glb\"")
    );
    // As in `convert`, ten problems of a code are listed.
    let unknown: String = (0..12).map(|number| format!("<Unknown{number}/>")).collect();
    let model = still(0).replace("</Scene>", &format!("{unknown}</Scene>"));
    folder.write("tree/tree.x3d", model);
    folder.write("tree/resource.xml", "<resource><model url='tree.x3d'/></resource>");
    let run = folder.run("migrate tree -o wood").exits(0);
    let listed = run.stderr().matches("Unknown").count();
    assert_eq!(listed, 10, "{}", run.stderr());
    run.err_has("… and 2 more x3d-");
    folder.write("hero/hero.castle-anim-frames", frames("Idle", " unknown='1'"));
    let strict = folder.run("migrate hero -o strict --strict").exits(1);
    strict.err_has("nothing was written because of --strict");
    assert!(!folder.path("strict").exists());
}

/// A creature that stands still: its resource names a single file.
fn bat(folder: &Folder, name: &str, resource: &str, animations: &str) {
    folder.write(
        &format!("{name}/resource.xml"),
        format!("<resource{resource}><model>{animations}</model></resource>"),
    );
    folder.write(&format!("{name}/a.kanim"), animation(&["a.x3d"]));
    folder.write(&format!("{name}/a.x3d"), still(1));
}

#[test]
fn a_resource_in_the_current_folder() {
    let folder = Folder::new();
    bat(&folder, "bat", "", "<fly url='a.kanim'/>");
    for (number, input) in ["resource.xml", "./resource.xml", "."].iter().enumerate() {
        let out = format!("out{number}");
        folder.shell(&format!("cd bat && animfmt migrate {input} -o ../{out}")).exits(0);
        assert_eq!(folder.files(&out), ["bat.glb", "resource.xml"], "{input}");
    }
}

/// An image with the name of another output is an error before anything is written.
#[test]
fn an_image_never_overwrites_another_output() {
    let folder = Folder::new();
    for (image, name) in [("c.glb", "c.glb"), ("x/../C.GLB", "C.GLB"), ("resource.xml", "")] {
        bat(&folder, "p/c", &format!(" image='{image}'"), "<fly url='a.kanim'/>");
        if !name.is_empty() {
            folder.write(&format!("p/c/{name}"), b"an image");
        }
        for force in ["", " --force"] {
            let run = folder.run(&format!("migrate p -o o{force}")).exits(2);
            run.err_has("would be written twice: the image in p/c/resource.xml has the name");
            assert!(!folder.path("o").exists(), "{image}");
        }
    }
    // Resources of one folder may share an image; those of two folders would each overwrite it.
    bat(&folder, "q/c", " image='d/i.png'", "<fly url='a.kanim'/>");
    folder.write("q/c/d/i.png", b"an image");
    bat(&folder, "q/c/d", " image='i.png'", "<fly url='a.kanim'/>");
    folder.run("migrate q -o o").exits(0);
    for depth in 0..8 {
        let image = format!(" image='{}i.png'", "d/".repeat(8 - depth));
        bat(&folder, &format!("s{}", "/d".repeat(depth)), &image, "<fly url='a.kanim'/>");
    }
    folder.write("s/d/d/d/d/d/d/d/d/i.png", b"an image");
    folder.run("migrate s -o o3").exits(0).err_has("8 resources: 8 migrated");
    bat(&folder, "r/c/d", " image='i.png'", "<fly url='a.kanim'/>");
    folder.write("r/c/d/i.png", b"another image");
    fs::remove_file(folder.path("q/c/d/resource.xml")).unwrap();
    folder.run("migrate q r -o o2 --force").exits(2).err_has("o2/c/d/i.png would be written twice");
}

/// In the `url` of the model, characters that a URL cannot contain are percent-encoded.
#[test]
fn names_of_folders_become_urls() {
    let folder = Folder::new();
    for (name, url) in [("a b%20#?", "a%20b%2520%23_.glb"), ("géant (1)", "géant%20(1).glb")] {
        bat(&folder, name, "", "<fly url='a.kanim'/>");
        let run = crate::program::command()
            .args(["migrate", name, "-o", "out", "--force"])
            .current_dir(folder.root())
            .output()
            .unwrap();
        assert!(run.status.success());
        assert_eq!(
            folder.text("out/resource.xml"),
            format!(
                "<resource><model url=\"{url}\"><fly animation_name=\"fly\"/></model></resource>"
            )
        );
        assert!(folder.path("out").join(name.replace('?', "_") + ".glb").is_file());
    }
}

/// An animation that its own file does not contain is reported, and the only one is used.
#[test]
fn missing_animations_of_separate_files_are_reported() {
    let folder = Folder::new();
    let named = "<fly url='a.kanim' animation_name='nosuch'/><die url='a.x3d' time_sensor='T'/>";
    bat(&folder, "bat", "", named);
    let frames = "<animation name='a'><frame time='0' url='a.x3d'/></animation>";
    folder.write("bat/a.kanim", format!("<animations>{frames}</animations>"));
    let run = folder.run("migrate bat -o out").exits(0);
    run.err_has("warning[migrate-animation-missing]");
    run.err_has(
        "`a.kanim` does not contain the animation `nosuch`; its only animation `a` is used",
    );
    run.err_has("`a.x3d` does not contain the animation `T`; the still model is used");
    assert_eq!(folder.model("out/bat.glb").animation_names(), ["fly", "die"]);
    folder.run("migrate bat -o strict --strict").exits(1).err_has("migrate-animation-missing");
    bat(&folder, "bat", "", "<fly url='a.kanim' animation_name='a'/>");
    folder.write("bat/a.kanim", format!("<animations>{frames}</animations>"));
    folder.run("migrate bat -o named").exits(0).err_lacks("migrate-animation-missing");
}

/// Each animation is a clip of its own, so thousands of animations in one file are limited.
#[test]
fn files_that_animations_share_are_limited() {
    let folder = Folder::new();
    let shared = |count: usize| -> String {
        (0..count).map(|number| format!("<a{number} url='a.kanim'/>")).collect()
    };
    for (count, status) in [(5, 0), (500, 1)] {
        bat(&folder, "bat", "", &shared(count));
        let padding = "<!-- -->".repeat(4000);
        folder.write("bat/a.kanim", animation(&["a.x3d"]) + &padding);
        let run = folder.run(&format!("migrate bat -o out{count}")).exits(status);
        if status > 0 {
            run.err_has("the files that animations share need a memory limit of at least");
            assert!(!folder.path(&format!("out{count}")).exists());
        }
    }
}

#[cfg(unix)]
#[test]
fn resources_that_are_links_or_pipes_are_reported() {
    let folder = Folder::new();
    bat(&folder, "p/c", "", "<fly url='a.kanim'/>");
    fs::create_dir_all(folder.path("p/d")).unwrap();
    fs::create_dir_all(folder.path("p/e")).unwrap();
    std::os::unix::fs::symlink("../c/resource.xml", folder.path("p/d/resource.xml")).unwrap();
    folder.shell("mkfifo p/e/resource.xml").exits(0);
    let run = folder.run("migrate p -o out").exits(0);
    run.err_has("note: p/d/resource.xml skipped: symbolic link\n");
    run.err_has("note: p/e/resource.xml skipped: not a regular file\n");
    run.err_has("1 resource: 1 migrated");
}

#[test]
fn an_output_folder_is_not_standard_output() {
    let folder = project();
    folder.run("migrate data -o -").exits(2).err_has("- is standard output");
    folder.write("two.kanim", "<animations/>");
    folder
        .run("convert two.kanim -o - --to castle --split")
        .exits(2)
        .err_has("- is standard output");
    assert!(!folder.path("-").exists());
    folder.run("migrate data -o ./-").exits(0);
    assert!(folder.path("-/ghost/ghost.glb").is_file());
}

/// If one of the files of a resource must not be written, none is.
#[cfg(unix)]
#[test]
fn outputs_are_checked_before_the_first_is_written() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    bat(&folder, "p/bow", " image='icons/bow.png'", "<fly url='a.kanim'/>");
    folder.write("p/bow/icons/bow.png", b"an image");
    folder.write("elsewhere/file", b"theirs");
    let refused = |link: &str, target: &str, message: &str| {
        let _ = fs::remove_dir_all(folder.path("o"));
        let link = folder.path(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(target, link).unwrap();
        let before = folder.files("o");
        folder.run("migrate p -o o --force").exits(2).err_has(message);
        assert_eq!(folder.files("o"), before, "{message}");
        assert_eq!(folder.files("elsewhere"), ["file"]);
        assert_eq!(folder.read("elsewhere/file"), b"theirs");
    };
    let file = "../../elsewhere/file";
    refused("o/bow/bow.glb", file, "cannot write o/bow/bow.glb: it is a symbolic link");
    refused("o/bow/resource.xml", file, "cannot write o/bow/resource.xml: it is a symbolic link");
    refused("o/bow/icons/bow.png", "none", "cannot write o/bow/icons/bow.png: it is a symbolic");
    refused("o/bow/icons", "../../elsewhere", "cannot write to o/bow/icons: it is a symbolic link");
    refused("o/bow", "../elsewhere", "cannot write to o/bow: it is a symbolic link");
    fs::remove_dir_all(folder.path("o")).unwrap();
    folder.write("o/bow/resource.xml", b"another");
    folder.run("migrate p -o o").exits(2).err_has("o/bow/resource.xml already exists; use --force");
    folder.write("o/bow/icons", b"a file");
    folder.run("migrate p -o o --force").exits(2).err_has("o/bow/icons: it is not a folder");
    assert_eq!(folder.files("o"), ["bow/icons", "bow/resource.xml"]);
    folder.run("migrate p -o p/bow/icons/../../new --force").exits(0);
    assert_eq!(folder.files("p/new"), ["bow/bow.glb", "bow/icons/bow.png", "bow/resource.xml"]);
}

/// The resource names the clips, so they keep their names; options of other formats have no effect.
#[test]
fn only_options_for_the_models_are_offered() {
    let folder = project();
    let run = folder.run("migrate data -o out --clip-names {set}_{clip}").exits(2);
    run.err_has("unexpected argument '--clip-names'");
    let help = folder.run("migrate --help").exits(0);
    for other in ["--clip-names", "--gzip", "--bvh-order", "--split", "--to-dialect"] {
        help.out_lacks(other);
    }
    help.out_has("--fps").out_has("--embed").out_has("--flip-book");
}

/// Addresses in the data folder of the project, whose manifest is above the folder to migrate.
#[test]
fn addresses_below_the_data_folder_of_a_project() {
    let folder = project();
    folder.write("CastleEngineManifest.xml", "<project/>");
    folder.write("secret.kanim", animation(&["data/ghost/a.x3d"]));
    folder.write("data/low.x3d", still(1));
    folder.write("data/icons/bat.png", b"an image");
    folder.write("data/bats/bat/fly.kanim", animation(&["castle-data:/low.x3d", "high.x3d"]));
    folder.write("data/bats/bat/high.x3d", still(2));
    let resource = "<resource image='castle-data:/icons/bat.png'><model><fly url='fly.kanim'/>\
                    <die url='castle-data:/ghost/die.kanim'/></model></resource>";
    folder.write("data/bats/bat/resource.xml", resource);
    for input in ["data/bats", "data/bats/bat/resource.xml", "data/bats --root ."] {
        let run = folder.run(&format!("migrate {input} -o out --force")).exits(0);
        run.err_lacks("warning").err_lacks("error");
        let path = if input.ends_with("xml") { "out" } else { "out/bat" };
        assert_eq!(folder.model(&format!("{path}/bat.glb")).animation_names(), ["fly", "die"]);
        let expected = resource
            .replace("<model>", "<model url=\"bat.glb\">")
            .replace("url='fly.kanim'", "animation_name=\"fly\"")
            .replace("url='castle-data:/ghost/die.kanim'", "animation_name=\"die\"");
        assert_eq!(folder.text(&format!("{path}/resource.xml")), expected);
        folder.run(&format!("diff data/ghost/die.kanim {path}/bat.glb --clip die")).exits(0);
    }
    folder.run("convert data/bats -o glb --to glb").exits(0).err_lacks("error");
    folder.run("diff data/bats/bat/fly.kanim glb/bat/fly.glb").exits(0);
    // `--root` limits what is opened, and nothing outside of the data folder is.
    folder.run("migrate data/bats -o new --root data/bats").exits(1).err_has("castle-data:");
    for outside in ["castle-data:/../secret.kanim", "../../../secret.kanim"] {
        let resource = format!("<resource><model><fly url='{outside}'/></model></resource>");
        folder.write("data/bats/bat/resource.xml", resource);
        folder.run("migrate data/bats -o new").exits(1).err_has("outside the folder");
        assert!(!folder.path("new").exists());
    }
}
