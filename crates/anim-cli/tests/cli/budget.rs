//! Small files that expand to a lot of data. Each exceeds the limit derived from its file size,
//! uses little memory, and gets a message about it.

#![cfg(unix)]

use std::fmt::Write as _;

use crate::program::{Folder, Run};

/// The address space of each run in kB. The program is given one thread, since each thread reserves
/// memory.
const KILOBYTES: usize = 400_000;

fn run(folder: &Folder, command: &str) -> Run {
    folder.shell(&format!("ulimit -v {KILOBYTES}; animfmt {command} -j 1"))
}

fn x3d(content: &str) -> String {
    format!("<X3D version='3.3' profile='Interchange'><Scene>{content}</Scene></X3D>")
}

/// Fifteen files that each include the next file three times. Repeated includes share their nodes,
/// but each use is placed in the scene separately.
#[test]
fn fans_of_includes() {
    let folder = Folder::new();
    for level in 0..15 {
        let include = format!("<Inline url='\"e{}.x3d\"'/>", level + 1);
        folder.write(&format!("e{level}.x3d"), x3d(&include.repeat(3)));
    }
    folder.write("e15.x3d", x3d("<Shape><Box/></Shape>"));
    for command in ["check e0.x3d", "info e0.x3d", "convert e0.x3d -o e0.glb"] {
        run(&folder, command).exits(1);
    }
    run(&folder, "check e0.x3d").exits(1).out_has("reused nodes need");
    run(&folder, "check e6.x3d").exits(0);
}

#[test]
fn long_spines_with_large_sections() {
    let folder = Folder::new();
    let points = |of: fn(usize) -> String| (0..3000).map(of).collect::<String>();
    let spine = points(|n| format!("{n} 0 0,"));
    let section = points(|n| format!("{n} {} ", n % 7));
    let extrusion = format!("<Extrusion spine='{spine}' crossSection='{section}'/>");
    folder.write("wall.x3d", x3d(&format!("<Shape>{extrusion}</Shape>").repeat(4)));
    let needs =
        "the points of an Extrusion need a memory limit of at least 9216 MB; the limit is 275 MB";
    run(&folder, "check wall.x3d").exits(1).out_has(needs);
}

/// Every range contains every event.
#[test]
fn ranges_and_events() {
    let folder = Folder::new();
    let mut text = String::from("as A\nbl b\n");
    (0..1000).for_each(|n| writeln!(text, "ev {n} e{n}").unwrap());
    (0..1000).for_each(|n| writeln!(text, "an 0 1000 c{n}").unwrap());
    folder.write("cuts.anm", text);
    let run = run(&folder, "convert cuts.anm -o cuts.glb").exits(1);
    run.err_has("the events of clips need").err_has("; the limit is 270 MB");
    folder.run("check cuts.anm").exits(0);
}

/// The castle-anim-frames writer repeats a mesh at each use.
#[test]
fn uses_of_a_mesh() {
    let folder = Folder::new();
    let index: String = (0..4000).map(|n| format!("{n} {} {} -1 ", n + 1, n + 2)).collect();
    let points: String = (0..4002).map(|n| format!("{n} {} 0 ", n % 2)).collect();
    let set = format!("<IndexedFaceSet coordIndex='{index}'><Coordinate point='{points}'/>");
    let first = format!("<Shape DEF='s'>{set}</IndexedFaceSet></Shape>");
    folder.write("many.x3d", x3d(&(first + &"<Shape USE='s'/>".repeat(2000))));
    run(&folder, "convert many.x3d -o many.glb").exits(0);
    run(&folder, "convert many.x3d -o many.kanim").exits(1).err_has("the stills need");
    assert!(!folder.path("many.kanim").exists());
}

/// Each state of an STT file stores all nodes.
#[test]
fn joints_and_keys() {
    let folder = Folder::new();
    let mut text = String::from("ao flag\nv 0 0 0\n");
    (0..900).for_each(|n| writeln!(text, "j b{n} -1").unwrap());
    text.push_str("a wave\n");
    (0..900).for_each(|n| writeln!(text, "ap {n} 1 {} 0 0", n % 5).unwrap());
    folder.write("flag.amo", text);
    let needs = "the nodes of static states need";
    run(&folder, "convert flag.amo -o flag.stt").exits(1).err_has(needs);
    folder.run("convert flag.amo -o flag.stt --max-memory 4G").exits(0);
}

/// With `--split`, the input is read again for each file.
#[test]
fn clips_that_become_files() {
    let folder = Folder::new();
    let clips = |count: usize| -> String {
        (0..count).map(|number| format!("an 0 10 clip{number}\n")).collect()
    };
    folder.write("some.anm", format!("as A\nbl b\n{}", clips(100)));
    folder.write("many.anm", format!("as A\nbl b\n{}", clips(8000)));
    let refused = "the files of --split take too long and need a limit of at least ";
    let run = folder.run("convert many.anm --split --to bvh -o out").exits(1);
    run.err_has(refused).err_has("(`--max-memory`); choose one of the clips with --clip");
    assert!(!folder.path("out").exists());
    folder.run("convert some.anm --split --to bvh -o out --max-memory 200K").err_lacks(refused);
    // Of a state that plays others, there is little in the scene but its extras.
    let states: String = (0..1000)
        .map(|number| format!("{{s{number}}} KEYFRAME 1 1 {{z}} 1 0.5 0.3 0 1 {{z}}\n"))
        .collect();
    let last = "{z} SINGLE 1 {x} STATIC 0 0 0 1 2 3 4 5 6\n";
    folder.write("states.stt", format!("#MINDRENDER 1.1\n1001\n{states}{last}"));
    folder.run("convert states.stt --split --to bvh -o out").exits(1).err_has(refused);
}

/// Each file may be far larger than its share of the input, so all of them together have a budget.
#[test]
fn files_of_split_together() {
    let folder = Folder::new();
    let mut text = String::from("ao flag\nv 0 0 0\nj b -1\n");
    for clip in 0..20 {
        writeln!(text, "a wave{clip}\nap 0 1 0 0 0\nap 9 1 1 0 0").unwrap();
    }
    folder.write("flag.amo", text);
    let split = "convert flag.amo --split --to bvh --fps 500";
    let one = folder.run(&format!("{split} -o all")).exits(0);
    one.err_has("20 files: 20 converted");
    let bytes = folder.read("all/wave0.bvh").len();
    // Half of the limit is for the files: enough for 7 of them.
    let limit = bytes * 15;
    let run = folder.run(&format!("{split} -o few --max-memory {limit} --threads 1")).exits(1);
    run.err_has("error: few/wave7.bvh: not written, since the files of --split exceed ");
    run.err_has("error: few/wave19.bvh: not written, ");
    run.err_has("20 files: 7 converted, 13 failed");
    assert_eq!(folder.names("few").len(), 7);
}

/// Writing a file takes far longer than its text.
#[test]
fn thousands_of_extracted_frames() {
    let folder = Folder::with(&[("a.amo", "ok/spec.amo")]);
    run(&folder, "convert a.amo -o a.kanim --fps 5000").exits(0);
    let extracted = run(&folder, "convert a.amo -o b.kanim --fps 5000 --extract");
    extracted.exits(1).err_has("--max-memory");
    assert_eq!(folder.names(""), ["a.amo", "a.kanim"]);
}

/// Each frame turns, shears and bends the shape: its way becomes splines between morph targets, of
/// which every key has the weights of all.
#[test]
fn splines_through_hundreds_of_frames() {
    let folder = Folder::new();
    let frames = |count: usize| -> String {
        let frame = |number: usize| {
            let (shear, turn) = (number as f32 * 0.3, number as f32 * 0.4);
            let (x, y) = (number * 37 % 100, number * 57 % 100);
            format!(
                "<frame time='{number}'><X3D><Scene><MatrixTransform matrix='1 {shear} 0 0 0 1 0 0 \
                 0 0 1 0 0 0 0 1'><Transform rotation='0 0 1 {turn}'><Shape><IndexedFaceSet \
                 coordIndex='0 1 2 -1'><Coordinate point='{x} {y} 0 1 1 0 0 2 1'/></IndexedFaceSet>\
                 </Shape></Transform></MatrixTransform></Scene></X3D></frame>"
            )
        };
        let frames: String = (0..count).map(frame).collect();
        format!("<animations><animation name='a'>{frames}</animation></animations>")
    };
    folder.write("some.kanim", frames(40));
    folder.write("many.kanim", frames(700));
    run(&folder, "check some.kanim").exits(0);
    run(&folder, "check many.kanim").exits(1).out_has("the keys of blended shapes need");
    run(&folder, "convert many.kanim -o many.glb").exits(1);
}

/// A joint that a clip moves, as X3D.
fn moving(name: &str, seconds: &str) -> String {
    format!(
        "<Transform DEF='of_{name}'/>\
         <TimeSensor DEF='{name}' cycleInterval='{seconds}' loop='true'/>\
         <PositionInterpolator DEF='p_{name}' key='0 0.5 1' keyValue='0 0 0 1 0 0 0 0 0'/>\
         <ROUTE fromNode='{name}' fromField='fraction_changed' \
         toNode='p_{name}' toField='set_fraction'/>\
         <ROUTE fromNode='p_{name}' fromField='value_changed' \
         toNode='of_{name}' toField='set_translation'/>"
    )
}

/// A loop of a millisecond is repeated for minutes. All combinations share a budget, and leave
/// memory for writing.
#[test]
fn combinations_of_short_and_long_loops() {
    let folder = Folder::new();
    folder.write("loops.x3d", x3d(&(moving("short", "0.001") + &moving("long", "600"))));
    let convert = "convert loops.x3d -o both.x3d --combine a=short+long";
    run(&folder, convert).exits(0);
    let again = format!("{convert} --combine b=short+long --force");
    run(&folder, &again)
        .exits(1)
        .err_has("the keys of combined clips need a memory limit of at least");
}

/// The arrow from a sequence to a state in a later layer passes through all layers between.
#[test]
fn diagrams_of_sequences_that_play_all_others() {
    let folder = Folder::new();
    const SEQUENCES: usize = 300;
    let vectors = "0 0 0\n".repeat(3);
    let mut text = format!("#MINDRENDER 1.1\n{}\n", SEQUENCES + 1);
    write!(text, "{{s0}}\nSINGLE\n1\n{{n}}\nSTATIC\n{vectors}").unwrap();
    for number in 1..=SEQUENCES {
        write!(text, "{{s{number}}}\nKEYFRAME\n{number}\n2\n").unwrap();
        for other in 0..number {
            let start = u8::from(other == 0);
            write!(text, "{{s{other}}}\n{start}\n1 1\n{start} 0\n").unwrap();
        }
    }
    folder.write("all.stt", text);
    let needs = "the arrows of the diagram need";
    run(&folder, "render all.stt -o all.states.svg").exits(1).err_has(needs);
}

/// Keys of combined clips are written as text, and read back.
#[test]
fn combined_keys_in_text() {
    let folder = Folder::new();
    folder.write("loops.x3d", x3d(&(moving("short", "0.001") + &moving("long", "500"))));
    let convert = "convert loops.x3d -o both.amo --combine a=short+long";
    run(&folder, convert).exits(1).err_has("the keys need a memory limit of at least");
    assert!(!folder.path("both.amo").exists());
}
