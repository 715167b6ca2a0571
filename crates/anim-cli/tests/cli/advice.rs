//! Warnings, notes and advice about the command line itself.

use crate::program::{Folder, animfmt, list};

/// A take of one bone with keys at 0 s, 1 s and 2 s.
const TAKE: &str = "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation \
                    Yrotation\n}\nMOTION\nFrames: 3\nFrame Time: 1\n0 0 0\n9 0 0\n18 0 0\n";

fn takes() -> Folder {
    let folder = Folder::new();
    folder.write("a.bvh", TAKE);
    folder.write("b.bvh", TAKE);
    folder.write("in/a.bvh", TAKE);
    folder.write("in/b.bvh", TAKE);
    folder.write("cuts.anm", "as Body\nbl Hips\nan 0 24 walk\nan 24 48 run\n");
    folder
}

#[test]
fn options_without_effect() {
    let folder = takes();
    let run = folder.convert("a.bvh walk.glb --bvh-exact --hold --rate 2").exits(0);
    run.err_has("warning: `--bvh-exact` has no effect here: it applies to writing BVH\n")
        .err_has("warning: `--hold` has no effect here: it applies to reading TMD ANM\n")
        .err_lacks("`--rate`");
    // An option that the output has, and one that only the second input has.
    let used = folder.convert("a.bvh walk.amo --fps 30 --bvh-positions add").exits(0);
    used.err_lacks("has no effect");
    let batch = folder.convert("in -o out --to glb --minify").exits(0);
    assert_eq!(batch.stderr().matches("`--minify` has no effect").count(), 1);
    folder.convert("a.bvh q.glb --hold -q").exits(0).err_lacks("--hold");
    // `--split` of `convert` is not the format option of the same name.
    folder.convert("a.bvh -o parts --to tmd-anm --split").exits(0).err_lacks("has no effect");
    let dialect = folder.run("sample a.bvh --at 0 --dialect spec").exits(0);
    dialect.err_has("`--dialect` has no effect here: it applies to reading Animated OBJ\n");
    folder.run("diff a.bvh in/a.bvh --hold").exits(0).err_has("`--hold` has no effect");
    folder.run("diff a.bvh in/a.bvh --rate 9").exits(0).err_lacks("has no effect");
    // Commands for several files warn once.
    let warning = "`--dialect` has no effect here: it applies to reading Animated OBJ\n";
    folder.write("o.amo", "v 0 0 0\n");
    for command in ["info FILES", "check FILES", "fmt --check FILES", "check FILES --explain"] {
        let useless = command.replace("FILES", "in/a.bvh in/b.bvh") + " --dialect spec";
        let run = folder.run(&useless);
        assert_eq!(run.stderr().matches(warning).count(), 1, "{}", run.shown());
        let used = command.replace("FILES", "in/a.bvh o.amo") + " --dialect spec";
        folder.run(&used).err_lacks("has no effect");
    }
}

/// The short help lists the most frequently used options first.
#[test]
fn the_short_help_is_ordered_by_need() {
    let help = animfmt("convert -h").exits(0);
    let needed = [
        "-o, --output",
        "--to ",
        "--clip ",
        "--merge",
        "--split",
        "--force",
        "--normals",
        "--fps",
        "--up ",
        "--clip-names",
        "--json",
    ];
    let places = needed.map(|option| help.stdout().find(option).expect(option));
    assert!(places.is_sorted(), "{places:?}\n{}", help.stdout());
    help.out_lacks("--bvh-decimals").out_lacks("Body_walk");
    animfmt("convert --help").exits(0).out_has("--bvh-decimals").out_has("Body_walk");
}

#[test]
fn help_tells_inputs_from_outputs() {
    let help = animfmt("convert --help").exits(0);
    let help: Vec<&str> = help.stdout().split_whitespace().collect();
    let help = help.join(" ");
    for part in [
        "writing Animated OBJ, ANM text, BVH, castle-anim-frames, TMD ANM, X3D, X3D classic, GLB, \
         glTF 2.0, Cast: sampling rate",
        "reading BVH: whether position channels",
        "reading MindRender STT, TMD ANM, glTF 2.0; writing MindRender STT, TMD ANM: order",
        "With --to, an OUT without an extension is a file for one output, and a folder for several",
    ] {
        assert!(help.contains(part), "{part}\n{help}");
    }
}

#[test]
fn another_rate_changes_the_length() {
    let folder = takes();
    let note = "the file states 1 frames per second; --rate 4 changes its length from 2 s to 0.5 s";
    let run = folder.convert("a.bvh fast.glb --rate 4").exits(0);
    run.err_has(format!("note[convert-other-rate]: {note}\n"));
    let json = folder.convert("a.bvh json.glb --rate 4 --json").exits(0).json("convert");
    let of = |field: &str| json["files"][0]["diagnostics"][0][field].clone();
    assert_eq!([of("code"), of("message")], ["convert-other-rate", note]);
    assert_eq!(folder.info("fast.glb")["clips"][0]["end"], 0.5);
    folder.convert("a.bvh same.glb --rate 1").exits(0).err_lacks("convert-other-rate");
}

#[test]
fn a_model_with_cuts_is_for_split() {
    let folder = takes();
    folder.convert("a.bvh model.glb").exits(0);
    for args in [
        "model.glb cuts.anm -o o.glb",
        "model.glb o.glb --with cuts.anm",
        "cuts.anm o.glb --with model.glb",
    ] {
        let run = folder.convert(args).exits(2);
        run.err_has("use `animfmt split model.glb cuts.anm o.glb`");
    }
}

#[test]
fn files_that_cannot_be_merged() {
    let folder = takes();
    folder.write("c.bvh", TAKE.replace("OFFSET 0 0 0", "OFFSET 0 5 0"));
    folder.write("d.bvh", TAKE.replace("Hips", "Root"));
    for (other, why) in [
        ("c.bvh", "joint `Hips` has a different rest pose: translation differs by 5.0000"),
        ("d.bvh", "joint `Root` exists only in this file"),
    ] {
        let run = folder.convert(&format!("a.bvh b.bvh {other} -o x.glb --merge")).exits(2);
        let because = "cannot be merged with a.bvh, because the skeletons differ: ";
        run.err_starts(format!("error: {other}: {because}{why}\nfiles that can be merged "));
        run.err_has(format!(
            "\n  2 files: a.bvh, b.bvh\n  1 file: {other} (compared with a.bvh: {why})\n"
        ));
    }
    assert!(!folder.names(".").contains(&"x.glb".to_owned()));
}

#[test]
fn verbose_runs_do_not_advise_verbose() {
    let folder = takes();
    let shorter = folder.convert("in -o amo --to amo").exits(0);
    shorter.err_has("use --verbose to list each problem, and `animfmt check --explain CODE`");
    let verbose = folder.convert("in -o again --to amo -v").exits(0);
    verbose.err_lacks("--verbose").err_has("use `animfmt check --explain CODE`");
}

#[test]
fn one_clip_of_a_split() {
    let folder = takes();
    folder.convert("a.bvh model.glb").exits(0);
    folder.run("split model.glb cuts.anm cut.glb").exits(0);
    let wrong = folder.run("split model.glb cuts.anm one.glb --clip walk").exits(2);
    wrong.err_has("animfmt convert OUT --clip NAME").err_lacks("similar argument");
    folder.convert("cut.glb walk.glb --clip walk").exits(0);
    let info = folder.info("walk.glb");
    assert_eq!((list(&info["clips"]).len(), &info["clips"][0]["name"]), (1, &"Body/walk".into()));
}

#[test]
fn unknown_options_are_not_said_to_be_values() {
    let run = animfmt("info ok/spec.amo --hold").exits(2);
    run.err_has("unexpected argument '--hold'").err_lacks("as a value").err_lacks("tip");
    animfmt("convert ok/spec.amo o.glb --forse").exits(2).err_has("'--force'");
}

#[test]
fn quiet_diffs_print_nothing() {
    let run = animfmt("diff ok/spec.amo ok/static.amo -q").exits(1);
    assert_eq!(run.output(), "");
}

#[test]
fn the_codes_in_a_file_are_explained() {
    let whole = animfmt("check --explain amo-duplicate-animation").exits(0);
    let file = "warn/O24_two_clips_one_name.amo";
    let run = animfmt(format!("check {file} --explain")).exits(0);
    run.out_has(whole.stdout());
    run.out_lacks(file);
    let json = animfmt(format!("check {file} --explain --json")).exits(0).json("explain");
    assert!(list(&json["codes"]).iter().any(|code| code["code"] == "amo-duplicate-animation"));
    let none = animfmt("check ok/spec.amo --explain").exits(0);
    assert_eq!(none.stdout(), "no problems to explain\n");
}

#[test]
fn times_outside_a_clip() {
    let folder = takes();
    let note = "note: `a` lasts from 0 s to 2 s; times outside it get its nearest pose\n";
    folder.run("sample a.bvh --at 1,9").exits(0).err_has(note);
    folder.run("sample a.bvh --at 0,2").exits(0).err_lacks("note");
    folder.run("sample a.bvh --at 9 -q").exits(0).err_lacks("note");
}

#[test]
fn options_that_would_have_no_effect_are_refused_or_reported() {
    let folder = Folder::with(&[
        ("reed.amo", "../cookbook/reed.amo"),
        ("W.ANM", "../cookbook/WALK.ANM"),
        ("R.ANM", "../cookbook/RUN.ANM"),
    ]);
    let why = "only TMD ANM files can be joined";
    folder.convert("reed.amo x.glb --join A").exits(2).err_has(why);
    folder.convert("W.ANM R.ANM -o x.glb --join A --merge").exits(2).err_has("--merge");
    assert!(!folder.path("x.glb").exists());
    folder.convert("W.ANM R.ANM -o x.glb --join A").exits(0);
    assert_eq!(folder.model("x.glb").animation_names(), ["A"]);
    let run = folder.convert("reed.amo x.bvh --bvh-exact --bvh-decimals 3").exits(2);
    run.err_has("'--bvh-exact' cannot be used with '--bvh-decimals");
    let run = folder.shell("animfmt convert - -o y.glb --root . < reed.amo").exits(0);
    run.err_has("--root has no effect on standard input");
    folder.shell("animfmt convert - -o z.glb < reed.amo").exits(0).err_lacks("--root");
}
