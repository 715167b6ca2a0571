//! `animfmt render`

use std::fs;

use crate::program::{Folder, Run, animfmt, command, list, pixels, testdata};

/// Returns a folder with the files of the cookbook.
fn cookbook() -> Folder {
    let folder = Folder::new();
    for name in ["lamp.stt", "cuts.anm", "robot.gltf", "reed.amo", "broken.amo"] {
        folder.write(name, fs::read(testdata().join("../cookbook").join(name)).unwrap());
    }
    folder
}

#[test]
fn the_diagram_follows_from_the_name_of_the_output_or_the_content() {
    let folder = cookbook();
    for (line, title) in [
        ("lamp.stt -o a.svg", "States"),
        ("lamp.stt -o lamp_timeline.svg", "Clips and events"),
        ("lamp.stt --diagram timeline -o states.svg", "Clips and events"),
        ("lamp.stt --clip swinging -o b.svg", "Curves of swinging"),
        ("reed.amo -o c.svg", "Curves of sway"),
        ("cuts.anm -o d.SVG", "Clips and events"),
        ("cuts.anm --with robot.gltf --clip walk -o curves.svg", "Curves of Body/walk"),
    ] {
        let output = line.rsplit(' ').next().unwrap();
        folder.run(&format!("render {line}")).exits(0).err_has(format!("wrote {output} ("));
        let svg = folder.text(output);
        assert!(svg.contains(&format!("<title>{title}</title>")), "{line}: {svg}");
    }
}

#[test]
fn standard_input_and_output() {
    let folder = cookbook();
    let stt = folder.read("lamp.stt");
    let piped = Run::fed(&mut command(), "render - --diagram states -o -", &stt).exits(0);
    folder.run("render lamp.stt -o states.svg -q").exits(0).err_lacks("wrote");
    assert_eq!(piped.stdout(), folder.text("states.svg"));
    folder.run("render lamp.stt -o - --json").exits(2).err_has("standard output");
}

#[test]
fn json_names_the_picture() {
    let folder = cookbook();
    let json = folder.run("render reed.amo -o curves.svg --json").exits(0).only("render");
    assert_eq!(
        (json["file"].as_str(), json["output"].as_str()),
        (Some("reed.amo"), Some("curves.svg"))
    );
    assert_eq!(json["bytes"].as_u64(), Some(folder.read("curves.svg").len() as u64));
    let json = folder.run("render reed.amo -o curves.svg --json").exits(2).only("render");
    assert!(json["error"].as_str().unwrap().contains("--force") && json["output"].is_null());
}

#[test]
fn errors_say_what_to_do() {
    let folder = cookbook();
    for (line, status, message) in [
        ("reed.amo -o reed.jpg", 2, "unsupported kind of picture `.jpg`; supported: .png, .apng"),
        ("reed.amo -o reed", 2, "reed has no extension; supported: .png, .apng, .gif, .svg"),
        ("reed.amo -o -", 2, "choose the kind of picture with --to"),
        ("reed.amo --at 3 -o a.png", 2, "--at 3 is outside of the clip: it lasts from 0 s to 2 s"),
        ("lamp.stt --clip swinging --at -1 -o a.png", 2, "--at -1 is outside of the state"),
        ("lamp.stt --at 1 -o a.png", 2, "several states: #1 calm"),
        ("reed.amo --camera frunt -o a.png", 2, "no such camera: `frunt` (did you mean `front`?)"),
        ("reed.amo --fps 10 -o a.png", 2, "--fps is for an .apng or .gif"),
        ("reed.amo --at 1 -o a.gif", 2, "--at is for a .png"),
        ("reed.amo --size 9x9 -o a.svg", 2, "--size is for a .png, .apng or .gif"),
        ("reed.amo --diagram states -o a.png", 2, "--diagram is for an .svg"),
        ("reed.amo --size 20000x10 -o a.png", 2, "the side of a picture must not exceed 16384"),
        ("reed.amo --fps 60 -o a.gif", 2, "--fps is at most 50"),
        ("reed.amo robot.gltf -o a.svg", 2, "a sheet of several files is a .png"),
        ("reed.amo robot.gltf --clip sway -o a.png", 2, "--clip is for a single file"),
        ("reed.amo --clip swey -o a.svg", 2, "no such clip: `swey` (did you mean `sway`?)"),
        ("lamp.stt --clip evening -o a.svg", 2, "--diagram states"),
        ("lamp.stt --clip calm -o states.svg", 2, "--clip is for --diagram curves"),
        ("reed.amo --diagram states -o a.svg", 1, "no state machine to draw"),
        ("lamp.stt -o curves.svg", 2, "several states: #1 calm, #2 swinging, #3 evening"),
        ("none.amo -o a.svg", 2, "error: none.amo: "),
    ] {
        let run = folder.run(&format!("render {line}")).exits(status);
        run.err_starts("error: ").err_has(message);
    }
    let written = folder.names("");
    assert!(written.iter().all(|name| !name.starts_with("a.")), "{written:?}");
    // The status of a file with errors is 1 although it is drawn.
    folder.run("render broken.amo -o timeline.svg").exits(1);
}

#[test]
fn neither_inputs_nor_existing_files_are_overwritten() {
    let folder = cookbook();
    folder.write("reed.svg", "mine");
    folder.run("render reed.amo -o reed.svg").exits(2).err_has("use --force to overwrite it");
    assert_eq!(folder.text("reed.svg"), "mine");
    folder.run("render reed.amo -o reed.svg --force").exits(0);
    let reed = folder.read("reed.amo");
    folder.write("in.svg", &reed);
    folder.run("render in.svg --from amo -o in.svg --force").exits(2).err_has("never overwritten");
    assert_eq!(folder.read("in.svg"), reed);
    animfmt("render ok/spec.amo").exits(2).err_has("--output <OUT>");
}

/// Materials whose base colour image is missing are drawn with a checker pattern, in a scene as
/// well as in a GLB that was converted from it, but not those that lack another image.
#[test]
fn missing_images_are_drawn_as_a_checker_pattern() {
    let shape = |texture: &str| {
        format!(
            "#X3D V4.0 utf8\nPROFILE Full\nShape {{ geometry Box {{ }} appearance Appearance \
             {{ material PhysicalMaterial {{ {texture} ImageTexture {{ url \"no.png\" }} }} }} }}\n"
        )
    };
    let folder = Folder::new();
    folder.write("base.x3dv", shape("baseTexture"));
    folder.write("normal.x3dv", shape("normalTexture"));
    folder.run("convert base.x3dv -o base.glb").exits(0);
    let draw = |name: &str| {
        let run = folder.run(&format!("render {name} -o a.png --force --size 90x90")).exits(0);
        let is_checker =
            |[red, green, blue, _]: &[u8; 4]| red.min(blue).saturating_sub(*green) > 60;
        let (_, pixels) = pixels(&folder.read("a.png"));
        (pixels.iter().filter(|pixel| is_checker(pixel)).count() > 500, run)
    };
    for name in ["base.x3dv", "base.glb"] {
        let (has_checker, run) = draw(name);
        run.err_has("preview-texture").err_has("`no.png` is missing or cannot be used");
        assert!(has_checker, "{name}");
    }
    let (has_checker, run) = draw("normal.x3dv");
    run.err_lacks("preview-texture");
    assert!(!has_checker);
}

#[test]
fn a_picture_has_its_size_and_background() {
    let folder = cookbook();
    let draw = |line: &str| {
        folder.run(&format!("render reed.amo --force -o a.png {line}")).exits(0);
        pixels(&folder.read("a.png"))
    };
    let (size, plain) = draw("--at 0.5");
    assert_eq!((size, plain[0]), ((480, 360), [232, 234, 237, 255]));
    let (size, red) = draw("--at 0.5 --size 60x40 --background #f01");
    assert_eq!((size, red[0]), ((60, 40), [255, 0, 17, 255]));
    let (_, clear) = draw("--at 0.5 --size 60x40 --background transparent");
    assert_eq!(clear[0][3], 0);
    // What is drawn does not depend on the background.
    let is_drawn = |pixel: &[u8; 4]| pixel[3] == 255;
    assert!(clear.iter().filter(|pixel| is_drawn(pixel)).count() > 50);
    assert!(red.iter().zip(&clear).all(|(red, clear)| !is_drawn(clear) || red == clear));
    let view = |options: &str| {
        folder.run(&format!("render robot.gltf --at 0.5 --force -o a.png{options}")).exits(0);
        folder.read("a.png")
    };
    let views = ["", " --camera front", " --camera side", " --camera top"].map(view);
    for (number, view) in views.iter().enumerate() {
        assert!(!views[..number].contains(view), "{number}");
    }
    // A moment of a clip is that of its timeline, as in `sample`.
    let robot = |clip: &str, at: &str| {
        let line = format!("render cuts.anm --with robot.gltf --clip {clip} --at {at} -o b.png");
        folder.run(&format!("{line} --force")).exits(0);
        folder.read("b.png")
    };
    assert!(robot("wave", "2.25") != robot("wave", "2.5"));
    folder.run("render cuts.anm --with robot.gltf --clip wave --at 0 -o c.png").exits(2);
}

#[test]
fn a_sheet_has_a_row_for_each_clip_and_a_column_for_each_time() {
    let folder = cookbook();
    let size = |line: &str| {
        folder.run(&format!("render {line} --size 60x40 --force -o a.png")).exits(0);
        pixels(&folder.read("a.png")).0
    };
    let one = size("reed.amo");
    let two = size("cuts.anm --with robot.gltf");
    assert!(one.0 > 6 * 60 && one.0 < 7 * 60 && two.0 == one.0, "{one:?} {two:?}");
    assert!(two.1 > one.1 + 40 && one.1 > 40, "{one:?} {two:?}");
    assert_eq!(size("cuts.anm --with robot.gltf --clip walk"), one);
}

#[test]
fn loops_have_a_frame_for_each_time() {
    let folder = cookbook();
    folder.run("render reed.amo --size 60x40 --fps 10 -o a.apng").exits(0);
    let bytes = folder.read("a.apng");
    let info = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
    let control = info.info().animation_control().unwrap();
    // Two seconds.
    assert_eq!((control.num_frames, control.num_plays), (20, 0));
    folder.run("render reed.amo --size 60x40 --fps 10 --to gif -o b.apng").exits(0);
    let gif = folder.read("b.apng");
    assert!(gif.starts_with(b"GIF89a"));
    // Each frame is preceded by a control block with its time in hundredths of a second.
    let frames = gif.windows(4).filter(|bytes| *bytes == [0x21, 0xf9, 4, 4]).count();
    assert_eq!(frames, 20);
    folder.run("render lamp.stt --with robot.gltf --clip evening --fps 2 -o c.gif").exits(0);
}

#[test]
fn several_files_are_on_one_sheet() {
    let folder = cookbook();
    let run = folder.run("render . --size 60x40 -o a.png --json").exits(1);
    let json = run.json("render");
    let files = list(&json["files"]);
    assert_eq!(files.len(), 5);
    assert!(files.iter().all(|file| file["output"] == "a.png" && file["error"].is_null()));
    let ((width, _), _) = pixels(&folder.read("a.png"));
    assert!(width > 5 * 60, "{width}");
    let run = folder.run("render reed.amo none.amo -o b.png").exits(1);
    run.err_has("error: none.amo: ").err_has("wrote b.png");
    folder.run("render none.amo nor.amo -o c.png").exits(1).err_has("nothing was written");
    assert!(!folder.names("").contains(&"c.png".to_owned()));
}

/// A file that takes too much work fails like one that is too large; a size that is asked for is a
/// usage error.
#[test]
fn limits_of_drawing_name_what_exceeds_them() {
    let folder = Folder::new();
    let sheet = |number: u32| {
        let z = f64::from(number) / 1000.0;
        format!(
            "<Shape><Appearance><Material transparency='0.5'/></Appearance><IndexedFaceSet \
             coordIndex='0 1 2 3'><Coordinate point='-1 -1 {z} 1 -1 {z} 1 1 {z} -1 1 {z}'/>\
             </IndexedFaceSet></Shape>"
        )
    };
    let sheets: String = (0..300).map(sheet).collect();
    folder.write("a.x3d", format!("<X3D version='3.0'><Scene>{sheets}</Scene></X3D>"));
    let draw = |more: &str| {
        folder.run(&format!("render a.x3d -o a.png --camera front --max-memory 16M {more}"))
    };
    let work = "error: a.x3d: the samples of triangles take too long and need a limit of at least ";
    draw("--size 200x200").exits(1).err_has(work).err_has("the limit is 17 MB (`--max-memory`)");
    draw("--size 2000x2000").exits(2).err_has("the pixels need a memory limit of at least ");
    draw("--size 20x20").exits(0);
    let clips: String = (0..50).map(|number| format!("an 0 10 clip{number}\n")).collect();
    folder.write("a.anm", format!("as A\nbl b\n{clips}"));
    let diagram = folder.run("render a.anm -o a.svg --max-memory 28K").exits(1);
    diagram.err_has("the elements of the diagram need a memory limit of at least ");
}

/// Choosing a palette of thousands of colours takes longer than drawing.
#[test]
fn a_gif_of_many_colors_has_fewer_frames() {
    let folder = Folder::new();
    let (mut points, mut colors, mut faces) = (String::new(), String::new(), String::new());
    for at in 0..900_u32 {
        points += &format!("{} {} 0 ", at % 30, at / 30);
        // All components differ in their high bits.
        colors += &format!("0.{} 0.{} 0.{} ", at * 7 % 10, at * 3 % 100, at * 11 % 97);
        if at % 30 < 29 && at < 870 {
            faces += &format!("{at} {} {} {} -1 ", at + 1, at + 31, at + 30);
        }
    }
    folder.write(
        "colors.x3d",
        format!(
            "<X3D version='3.3' profile='Interchange'><Scene><Transform DEF='T'><Shape>\
             <IndexedFaceSet solid='false' coordIndex='{faces}'><Coordinate point='{points}'/>\
             <Color color='{colors}'/></IndexedFaceSet></Shape></Transform>\
             <TimeSensor DEF='turn' cycleInterval='5' loop='true'/>\
             <OrientationInterpolator DEF='O' key='0 1' keyValue='0 0 1 0 0 0 1 3'/>\
             <ROUTE fromNode='turn' fromField='fraction_changed' \
             toNode='O' toField='set_fraction'/>\
             <ROUTE fromNode='O' fromField='value_changed' toNode='T' toField='set_rotation'/>\
             </Scene></X3D>"
        ),
    );
    let draw = |output: &str| {
        folder.run(&format!("render colors.x3d --size 90x90 --max-memory 20M -o {output}")).exits(0)
    };
    draw("colors.gif").err_has("preview-rate");
    draw("colors.apng").err_lacks("preview-rate");
}
