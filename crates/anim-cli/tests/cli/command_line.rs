//! Command-line arguments, help, colours and verbosity.

use std::fs;

use crate::program::{Folder, Run, animfmt, assert_runs, command, fixture};

/// The full text of all help pages.
const PAGES: [&str; 10] = [
    "--help",
    "info --help",
    "convert --help",
    "check --help",
    "sample --help",
    "diff --help",
    "split --help",
    "fmt --help",
    "completions --help",
    "man --help",
];

#[test]
fn a_file_without_a_command_is_shown() {
    let info = animfmt("info ok/spec.amo").exits(0);
    assert_eq!(animfmt("ok/spec.amo").exits(0).stdout(), info.stdout());
    let json = animfmt("--json ok/spec.amo").exits(0).only("info");
    assert_eq!(json["file"], "ok/spec.amo");
    let source = fixture("ok/spec.amo");
    let piped = Run::fed(&mut command(), "--json -", &source).exits(0).only("info");
    assert_eq!(piped["file"], "-");
    let several = animfmt("ok/spec.amo ok/static.amo").exits(0);
    several.out_has("\n2 files: 2 fine\n");
    animfmt("none.amo").exits(2).err_starts("error: none.amo: ");
    animfmt("chekc ok/spec.amo").exits(2).err_has("a similar subcommand exists: 'check'");
    animfmt("chekc").exits(2).err_has("a similar subcommand exists: 'check'");
}

#[test]
fn help_is_a_command_too() {
    for name in ["info", "convert", "check", "sample", "diff", "split", "fmt", "completions", "man"]
    {
        let help = animfmt(format!("{name} --help")).exits(0);
        assert_eq!(animfmt(format!("help {name}")).exits(0).stdout(), help.stdout());
    }
    assert_eq!(animfmt("help").exits(0).stdout(), animfmt("--help").exits(0).stdout());
    animfmt("help jump").exits(2).err_has("unrecognized subcommand 'jump'");
}

#[test]
fn the_second_of_two_files_is_the_output() {
    let folder = Folder::with(&[("a.amo", "ok/spec.amo"), ("b.amo", "ok/static.amo")]);
    let [a, b] = ["a.amo", "b.amo"].map(|name| folder.read(name));
    folder.convert("a.amo out.glb").exits(0).err_has("wrote out.glb (");
    folder.model("out.glb");
    folder.convert("a.amo out.glb").exits(2).err_has("--force");
    folder.convert("b.amo out.glb --force").exits(0);
    assert!(folder.model("out.glb").animation_names().is_empty());
    folder.convert("a.amo sub --to glb").exits(0);
    folder.convert("a.amo - --to glb").exits(0);
    // Neither inputs nor files that may come from a pattern expanded by the shell are overwritten.
    fs::hard_link(folder.path("a.amo"), folder.path("same.amo")).unwrap();
    for refused in [
        "a.amo a.amo --force",
        "a.amo ./sub/../a.amo --force",
        "a.amo same.amo --force",
        "out.glb a.amo --force --with b.amo --with a.amo",
        "a.amo b.amo --to glb --force",
        "a.amo b.amo out.glb --force",
        "a.amo b.amo",
        "a.amo",
    ] {
        let run = folder.convert(refused).exits(2);
        assert!(run.stderr().starts_with("error: "), "{}", run.shown());
    }
    assert_eq!([a, b], ["a.amo", "b.amo"].map(|name| folder.read(name)));
    folder.convert("a.amo b.amo --force").exits(0);
    assert_eq!(folder.read("a.amo"), folder.read("b.amo"), "explicitly requested, as with `cp`");
}

#[test]
fn split_also_accepts_the_output_as_the_last_argument() {
    let folder = Folder::with(&[("arm.amo", "ok/octopus_arm.amo")]);
    folder.write("cuts.anm", "[Arm]\narm_1\n[/Arm]\n");
    let with_option = folder.run("split arm.amo cuts.anm -o a.glb");
    let plain = folder.run("split arm.amo cuts.anm b.glb");
    assert_eq!(plain.status(), with_option.status());
    assert_eq!(folder.path("a.glb").exists(), folder.path("b.glb").exists());
    folder
        .run("split arm.amo cuts.anm")
        .exits(2)
        .err_has("missing output")
        .err_has("split [OPTIONS]");
    folder.run("split arm.amo cuts.anm c.glb -o d.glb").exits(2).err_has("cannot be used with");
}

#[test]
fn unknown_output_formats() {
    assert_runs!(
        "output_formats",
        [
            "convert ok/spec.amo x.glbb",
            "convert ok/spec.amo x.GLFT",
            "convert ok/spec.amo x.castle-anim-frame",
            "convert ok/spec.amo x.fbx",
            "convert ok/spec.amo x",
            "convert ok/spec.amo",
            "convert ok/spec.amo ok/static.amo ok/two_objects.amo",
            "convert ok/spec.amo ok/static.amo --to glb",
        ]
        .map(animfmt)
    );
}

#[test]
fn help_fits_the_terminal() {
    for (columns, widest) in [("60", 60), ("200", 100), ("", 100)] {
        for page in PAGES {
            let mut command = command();
            let run = Run::of(command.args(page.split(' ')).env("COLUMNS", columns), page, None);
            for line in run.exits(0).stdout().lines() {
                // A single long word cannot be wrapped, and clap does not wrap usage lines.
                let stays = !line.trim().contains(' ') || line.contains("animfmt ");
                assert!(stays || line.chars().count() <= widest, "{page}: {line}");
            }
        }
    }
}

#[test]
fn help_orders_options_by_importance() {
    let help = animfmt("convert --help").exits(0);
    let mut rest = help.stdout();
    for heading in [
        "\nUsage: animfmt convert [OPTIONS] <IN> <OUT>\n",
        "\nArguments:\n",
        "\nOptions:\n",
        "\nOptions for several formats:\n",
        "\nAnimated OBJ options:\n",
        "\nBVH options:\n",
        "\ncastle-anim-frames, X3D and X3D classic options:\n",
        "\nGLB and glTF 2.0 output options:\n",
        "\nCommon options:\n",
        "\nExamples:\n",
    ] {
        let after = rest.split_once(heading);
        rest = after.unwrap_or_else(|| panic!("{heading} in {}", help.stdout())).1;
    }
    animfmt("convert -h").exits(0).out_lacks("Animated OBJ options").out_has("\nExamples:\n");
    for page in PAGES {
        let run = animfmt(page).exits(0);
        let examples = run.stdout().split("\nExamples:\n").nth(1).unwrap();
        assert_eq!(examples.matches("\n    animfmt").count(), 3, "{page}");
    }
}

#[test]
fn quiet_and_verbose() {
    let quiet = animfmt("check -q warn/X10_many_warnings.amo").exits(0);
    assert_eq!((quiet.stdout(), quiet.stderr()), ("", ""));
    let quiet = animfmt("check err/O01_index_zero.amo --quiet").exits(1);
    quiet.out_has("error[amo-position-index]").out_lacks("1 error\n");
    animfmt("info -q ok/spec.amo ok/static.amo").exits(0).out_lacks("2 files");
    animfmt("fmt -q --check ok/spec.amo ok/static.amo").err_lacks("2 files");
    animfmt("sample -q err/O21_nan_time.amo --at 0").exits(1).err_lacks("warning");
    animfmt("sample err/O21_nan_time.amo --at 0").exits(1).err_has("warning");

    let verbose = animfmt("check -v ok/spec.amo").exits(0);
    assert_eq!(verbose.stderr(), "read ok/spec.amo as Animated OBJ (spec)\n");
    assert_eq!(verbose.stdout(), animfmt("check ok/spec.amo").stdout());
    let folder = Folder::with(&[("in/a.amo", "ok/spec.amo"), ("in/b.txt", "")]);
    let verbose = folder.run("convert -v in -o out --to glb").exits(0);
    verbose.err_has("ignored in in, unsupported format: 1 .txt\n").err_has("read in/a.amo as ");
}

#[test]
fn colour_options() {
    let run = |args: &str, variables: &[(&str, &str)]| {
        let mut command = command();
        let command = command.args(args.split(' ')).envs(variables.iter().copied());
        let run = Run::of(command, args, None);
        [run.stdout(), run.stderr()].map(|text| text.contains('\u{1b}'))
    };
    let check = "check err/O01_index_zero.amo";
    for (args, variables, expected) in [
        (check.to_owned(), &[][..], false),
        (format!("{check} --color auto"), &[], false),
        (format!("{check} --color always"), &[], true),
        (format!("--color=always {check}"), &[("NO_COLOR", "1")], true),
        (check.to_owned(), &[("CLICOLOR_FORCE", "1")], true),
        (check.to_owned(), &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        (format!("{check} --color never"), &[("CLICOLOR_FORCE", "1")], false),
        ("--color always --help".to_owned(), &[], true),
    ] {
        assert_eq!(run(&args, variables), [expected, false], "{args} {variables:?}");
    }
    assert_eq!(run("info none.amo --color always", &[]), [false, true]);
    assert_eq!(run("jump --color=always", &[]), [false, true], "usage errors, too");
    assert_eq!(run(&format!("{check} --json --color always"), &[]), [false, false]);
}

#[test]
fn patterns_that_match_nothing_are_reported() {
    let message = "error: none*.amo: no files match this pattern\n";
    assert_eq!(animfmt("check none*.amo").exits(2).stderr(), message);
    assert_eq!(animfmt("none*.amo").exits(2).stderr(), message);
    let several = animfmt("info ok/spec.amo none*.amo").exits(1);
    assert_eq!(several.stderr(), message);
    let folder = Folder::new();
    folder.animfmt("convert none*.amo OUT/x.glb").exits(2).err_has("no files match this pattern");
}
