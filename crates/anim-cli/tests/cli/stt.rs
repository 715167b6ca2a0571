//! State transition tables: checked, sampled, drawn and converted.

use std::fmt::Write as _;

use test_oracle::fixtures;
use test_oracle::glb;
use test_oracle::stt::{self, generate};
use test_oracle::tmd;

use crate::program::{Folder, Run, animfmt, assert_runs, command, fixture, list, numbers};

/// Returns a folder with a crane that has static, moving and keyframe states.
fn crane() -> Folder {
    Folder::with(&[("crane.stt", "../stt/ok/published_3.stt")])
}

/// Checks one file for every kind of problem.
#[test]
fn problems_are_shown() {
    let names = [
        "err/S02_version_2_0",
        "err/S04_keys_4294967295",
        "err/S08_node_name_without_braces",
        "err/S08_unclosed_up_to_next_brace",
        "err/S11_nul_in_node_name",
        "err/S12_two_states_of_one_name",
        "err/S13_keyword_misspelt",
        "err/S15_static_eight_numbers",
        "err/S16_comma",
        "err/S17_channel_type_10",
        "err/S18_keyframe_type_6",
        "err/S19_undefined_by_case",
        "err/S21_three_states",
        "err/S22_exit_true",
        "err/S23_forward_time_negative",
        "err/S26_one_line_wrong_number",
        "err/S27_utf16_le",
        "err/S28_latin1_before_number",
        "err/S30_cut_in_vector",
        "warn/S06_one_state_more",
        "warn/S20_starting_key_not_in_list",
        "warn/S24_period_negative",
        "warn/S31_names_a_keyframe_state",
        "warn/node_twice",
    ];
    assert_runs!("stt_check", names.map(|name| animfmt(format!("check ../stt/{name}.stt"))));
}

#[test]
fn info_shows_the_contents() {
    assert_runs!(
        "stt_info",
        [
            "info ../stt/ok/published_3.stt",
            "info ../stt/ok/dynamic_three_channels.stt",
            "info ../stt/err/S21_two_states.stt",
            "info ../stt/err/S19_undefined_state.stt",
            "info ../stt/warn/S14_keyframe_0.stt",
            "info ../stt/err/S01_empty.stt",
            "info --json ../stt/ok/published_3.stt"
        ]
        .map(animfmt)
    );
}

/// Draws states as Graphviz and Mermaid diagrams.
#[test]
fn states_are_drawn() {
    let crane = crane();
    let names = "{say \"hi\"}, {a;b}, {näh #1}, {<b>}, {two\\nlines}";
    let singles: String = names.split(", ").map(|name| format!(" {name} SINGLE 0")).collect();
    let keys: String = names.split(", ").map(|name| format!("0 1 0.5 1 0 {name}\n")).collect();
    let states =
        format!("{{all of them}} KEYFRAME 5 3 {{a;b}} {keys} {{none}} KEYFRAME 0 0 {{a;b}}");
    crane.write("odd.stt", format!("#MINDRENDER 1.1 7{singles} {states}"));
    let runs = ["crane", "odd"].map(|name| {
        ["dot", "mermaid"]
            .map(|target| crane.convert(&format!("{name}.stt --to {target} -o -")).exits(0).shown())
    });
    insta::assert_snapshot!("stt_drawn", runs.concat().join("\n"));
    for (file, target) in [
        ("crane.dot", "digraph"),
        ("crane.gv", "digraph"),
        ("crane.mmd", "stateDiagram-v2"),
        ("crane.mermaid", "stateDiagram-v2"),
    ] {
        crane.convert(&format!("crane.stt -o {file}")).exits(0);
        assert!(crane.text(file).starts_with(target), "{file}");
    }
    let refused = animfmt("convert ok/spec.amo -o - --to dot").exits(1);
    refused.err_has("no state machine");
    for target in ["dot", "godot"] {
        let chosen = format!("crane.stt -o - --to {target} --clip #1");
        crane.convert(&chosen).exits(2).err_has("leave out --clip");
    }
    assert!(refused.stdout().is_empty());
}

/// Samples at given times and at a frame rate, and selects states by name and number, including
/// missing states.
#[test]
fn states_are_sampled() {
    assert_runs!(
        "stt_sample",
        [
            "sample ../stt/ok/published_3.stt --clip my_keyframe_state --at 0,3.9,4.5,8.5 --csv",
            "sample ../stt/ok/published_3.stt --clip #3 --fps 1 --csv",
            "sample ../stt/ok/dynamic_three_channels.stt --at 1,1001 --csv --rotation-order xyz",
            "sample ../stt/ok/published_3.stt --at 0",
            "sample ../stt/ok/published_3.stt --at 0 --clip other",
            "sample ../stt/err/S19_undefined_state.stt --at 0,5 --csv --clip #1"
        ]
        .map(animfmt)
    );
    let sample =
        animfmt("sample ../stt/ok/published_3.stt --clip #1 --at 4.5").exits(0).only("sample");
    assert_eq!(sample["clip"], "my_keyframe_state");
}

/// Each state becomes an animation with the same name; a single state can be selected, whatever
/// else the file contains.
#[test]
fn states_become_animations() {
    let crane = crane();
    crane.convert("crane.stt -o all.glb").exits(0);
    let mut names = crane.model("all.glb").animation_names();
    names.sort();
    assert_eq!(names, ["my_first_state", "my_keyframe_state", "my_second_state"]);
    for name in names {
        let run = crane.convert(&format!("crane.stt --clip {name} -o one.glb --force")).exits(0);
        assert_eq!(crane.model("one.glb").animation_names(), [name], "{}", run.stderr());
    }
    crane.convert("crane.stt --clip nod -o none.glb").exits(2).err_has("my_keyframe_state");
}

/// Only the selected state is written; in an STT, also the states that it plays.
#[test]
fn one_state_as_stt() {
    let crane = crane();
    crane.convert("crane.stt --clip my_second_state -o one.stt").exits(0);
    let states = stt::parse(&crane.text("one.stt")).states;
    assert_eq!(states.len(), 1);
    assert_eq!(states[0].name, "my_second_state");
}

/// A problem with a state does not affect the other states.
#[test]
fn a_state_that_is_too_long_does_not_affect_others() {
    let crane = crane();
    let good = "{good} SINGLE 1 {node} STATIC 1 2 3 4 5 6 7 8 9";
    crane.write("two.stt", format!("#MINDRENDER 1.1 2 {} {good}", fast("1e-30")));
    crane.convert("two.stt --clip good -o good.glb").exits(0);
    assert_eq!(crane.model("good.glb").animation_names(), ["good"]);
}

/// Splitting writes one file per state, named after the state.
#[test]
fn split_into_files() {
    let crane = crane();
    crane.convert("crane.stt --to tmd-anm --split -o parts -q").exits(0);
    assert_eq!(
        crane.names("parts"),
        ["my_first_state.anm", "my_keyframe_state.anm", "my_second_state.anm"]
    );
    let frames = |name: &str| tmd::anm(&crane.read(&format!("parts/{name}.anm"))).frames.len();
    assert_eq!([frames("my_keyframe_state"), frames("my_second_state")], [240, 120]);
}

/// X01: state names that look like paths, devices or options become safe file names.
#[test]
fn hostile_state_names() {
    let folder = Folder::with(&[("names.stt", "../stt/ok/X01_hostile_state_names.stt")]);
    let states = stt::parse(&folder.text("names.stt")).states;
    let names: Vec<&str> = states.iter().map(|state| state.name.as_str()).collect();
    folder.convert("names.stt -o names.glb").exits(0);
    assert_eq!(folder.model("names.glb").animation_names(), names);
    folder.convert("names.stt --to tmd-anm --split -o parts -q").exits(0);
    assert_eq!(folder.names("parts").len(), states.len(), "{:?}", folder.names("parts"));
    assert_eq!(folder.names(""), ["names.glb", "names.stt", "parts"]);
    for name in names {
        let mut sample = command();
        sample.args(["sample", "names.stt", "--at", "0", "--csv", &format!("--clip={name}")]);
        Run::of(sample.current_dir(folder.root()), name, None).exits(0);
    }
}

/// Each option affects the output.
#[test]
fn options_affect_the_files() {
    let crane = crane();
    let text = "#MINDRENDER 1.1 1 {s} SINGLE 1 {n} DYNAMIC 0 0 0 1 0 0 7 0 7  0 0 0 0 1 0 11 0 7  \
                40 50 60 40 50 60 0 0 8";
    crane.write("s.stt", text);
    let made = |options: &str| {
        crane.convert(&format!("s.stt -o s.glb --force -q{options}")).exits(0);
        crane.model("s.glb")
    };
    let plain = made("");
    let end = |model: &glb::Model| *model.key_times(0).last().unwrap();
    assert_eq!(
        [end(&plain), end(&made(" --loop-limit 80")), end(&made(" --loop-limit 5"))],
        [11.0, 77.0, 11.0]
    );
    let keys = |model: &glb::Model| model.key_times(0).len();
    let (coarse, fine) = (made(" --tolerance 0.05"), made(" --tolerance 0.00001"));
    let counts = [keys(&coarse), keys(&plain), keys(&fine)];
    assert!(counts[0] * 2 < counts[1] && counts[1] * 2 < counts[2], "{counts:?}");
    let turned = |model: &glb::Model| model.node_world(Some(0), "n", 0.0);
    assert_eq!(turned(&plain), turned(&made(" --rotation-order zyx")));
    assert_ne!(turned(&plain), turned(&made(" --rotation-order xyz")));
    for refused in ["--tolerance 0", "--tolerance nan", "--loop-limit -1", "--rotation-order zzz"] {
        crane.convert(&format!("s.stt -o x.glb {refused}")).exits(2);
    }
}

/// A file read with a rotation order can be written with the same order.
#[test]
fn the_rotation_order_round_trips() {
    let crane = crane();
    crane.write("turn.stt", "#MINDRENDER 1.1 1 {s{} SINGLE 1 {n} STATIC 1 2 3 4 5 6 40 50 60");
    crane.convert("turn.stt -o again.stt --rotation-order xyz").exits(0);
    let place = |name: &str| {
        let line = format!("sample {name} --clip #1 --at 0 --rotation-order xyz");
        let joint = crane.run(&line).exits(0).only("sample")["samples"][0]["joints"][0].clone();
        let rounded = |x: f64| (x * 1e4).round();
        (
            numbers::<3>(&joint["translation"]).map(rounded),
            numbers::<4>(&joint["rotation"]).map(rounded),
        )
    };
    assert_eq!(place("turn.stt"), place("again.stt"));
}

/// Returns a state whose displacement repeats with the given period, together with a slow wave.
fn fast(period: &str) -> String {
    format!(
        "{{fast}} SINGLE 1 {{node}} DYNAMIC 0 0 0 1 0 0 {period} 0 1  0 0 0 1 0 0 50 0 3  0 0 0 0 \
         0 0 0 0 8"
    )
}

/// S25: too many keys are rejected before any are created, so little memory is used; sampling and
/// writing STT do not need keys.
#[cfg(unix)]
#[test]
fn extremely_long_periods() {
    let crane = crane();
    for (name, period) in [("fast", "1e-30"), ("faster", "1e-6")] {
        crane.write("long.stt", format!("#MINDRENDER 1.1 1 {}", fast(period)));
        let line = format!("ulimit -v 300000; animfmt convert long.stt -o {name}.glb");
        let run = crane.shell(&line).exits(1);
        run.err_has("the keys of baked motion need too much memory; the limit is 269 MB");
        assert!(!crane.path(&format!("{name}.glb")).exists());
        crane.run("sample long.stt --at 0,1,1e9 --csv").exits(0);
        crane.convert("long.stt -o same.stt --force -q").exits(0);
        crane.run("info long.stt").exits(0);
    }
    // A single wave of any period is one cycle.
    for period in ["1e-30", "1e30"] {
        let channels = format!("0 0 0 1 0 0 {period} 0 7  {STILL} {STILL}");
        crane.write(
            "alone.stt",
            format!("#MINDRENDER 1.1 1 {{s}} SINGLE 1 {{node}} DYNAMIC {channels}"),
        );
        crane.convert("alone.stt -o alone.glb --force").exits(0);
        assert!((20..400).contains(&crane.model("alone.glb").key_times(0).len()), "{period}");
    }
}

const STILL: &str = "0 0 0 0 0 0 0 0 8";

/// S31, S21: chains of keyframe states are handled at any depth, and cycles are reported.
#[test]
fn chains_and_cycles() {
    let crane = crane();
    let chain = |length: usize, last: &str| {
        let mut text = format!("#MINDRENDER 1.1\n{}\n", length + 1);
        for state in 0..length {
            let next = state + 1;
            writeln!(text, "{{s{state}}} KEYFRAME 1 1 {{s{next}}} 1 1 1 0 0 {{s{next}}}").unwrap();
        }
        writeln!(text, "{{s{length}}} {last}").unwrap();
        text
    };
    let still = "SINGLE 1 {node} STATIC 1 2 3 0 0 0 0 0 0";
    for length in [2, 12] {
        crane.write("chain.stt", chain(length, still));
        let run = crane.run("sample chain.stt --clip s0 --at 0.5 --csv").exits(0);
        let said = run.stdout().contains("0.5,0,node,1,2,3,");
        assert!(
            said || crane.run("info chain.stt").stdout().contains("warning"),
            "{length}: at rest, but nothing is reported: {}",
            run.stdout()
        );
    }
    // Tests a long chain and a cycle.
    for (last, status) in [(still, 0), ("KEYFRAME 1 1 {s0} 1 1 1 0 0 {s0}", 1)] {
        crane.write("chain.stt", chain(50_000, last));
        for args in [
            "check chain.stt",
            "info chain.stt",
            "convert chain.stt -o chain.dot --force -q",
            "convert chain.stt -o chain.glb --force -q",
        ] {
            let run = crane.run(args).exits(status);
            assert!(run.output().len() < 20_000, "{args}");
        }
        let check = crane.run("check chain.stt").exits(status);
        assert_eq!(check.stdout().contains("error[stt-circle]"), status == 1);
    }
}

/// S29: very many states and nodes, on many lines and on a single line. (A million takes ten times
/// as long.)
#[test]
fn many_states_and_nodes() {
    let count = fixtures::scale(10_000, 100_000);
    let crane = crane();
    let states = String::from_utf8(generate::states(count)).unwrap();
    crane.write("lines.stt", &states);
    crane.write("line.stt", states.replace('\n', " "));
    let mut nodes = format!("#MINDRENDER 1.1\n1\n{{all}}\nSINGLE\n{count}\n");
    for node in 0..count {
        writeln!(nodes, "{{n{node}}} DYNAMIC 0 0 0 1 2 3 2 0 3 {STILL} {STILL}").unwrap();
    }
    crane.write("nodes.stt", nodes);
    for name in ["lines", "line", "nodes"] {
        for args in [
            "check X.stt",
            "info X.stt",
            "convert X.stt -o X.glb -q",
            "convert X.stt -o X.dot -q",
            "convert X.stt -o again.stt --force -q",
        ] {
            crane.run(&args.replace('X', name)).exits(0);
        }
    }
    assert_eq!(crane.model("nodes.glb").key_times(0), [0.0, 1.0, 2.0]);
    let info = crane.info("lines.stt");
    assert_eq!(list(&info["state_machines"][0]["states"]).len(), count);
    assert_eq!(info["totals"]["warnings"], count);
}

/// Losses are reported, with the names of the states.
#[test]
fn losses_are_reported() {
    let crane = crane();
    let args = [
        "crane.stt -o x.glb",
        "crane.stt -o x.amo",
        "crane.stt -o x.stt",
        "crane.stt -o x.anm --to tmd-anm",
        "crane.stt --to castle -o x.kanim",
    ];
    let runs = args.map(|args| crane.convert(args).shown());
    let other = animfmt("convert ok/octopus_arm.amo --to stt -o -").exits(0);
    insta::assert_snapshot!("stt_losses", format!("{}\n{}", runs.join("\n"), other.stderr()));
    crane.convert("crane.stt -o y.anm --to tmd-anm").exits(1).err_has("my_keyframe_state");
}

/// An undefined name is an error in every command, with a suggestion.
#[test]
fn undefined_states_are_errors_everywhere() {
    let path = "../stt/err/S19_undefined_by_case.stt";
    let folder = Folder::new();
    animfmt(format!("check {path}")).exits(1).out_has("did you mean `lowered`?");
    animfmt(format!("info {path}")).exits(1);
    let converted = folder.animfmt(&format!("convert {path} -o OUT/x.glb")).exits(1);
    converted.err_has("no state is named `Lowered`; did you mean `lowered`?");
    animfmt(format!("sample {path} --at 0 --clip Raised"))
        .exits(1)
        .err_has("did you mean `raised`?");
}

/// The second of two files is the output, even if it could be the model.
#[test]
fn an_existing_model_as_output_is_not_overwritten() {
    let folder = Folder::with(&[
        ("lamp.stt", "../cookbook/lamp.stt"),
        ("lamp.gltf", "../cookbook/lamp.gltf"),
        ("still.gltf", ""),
    ]);
    let hint = |path: &str, other: &str| {
        format!(
            "error: {path} exists; use `--with {path} -o OUT` to combine it with {other}, or \
             --force to overwrite it\n"
        )
    };
    for [input, output] in [["lamp.stt", "lamp.gltf"], ["lamp.gltf", "lamp.stt"]] {
        let run = folder.convert(&format!("{input} {output}")).exits(2);
        assert_eq!(run.stderr(), hint(output, input));
    }
    // With -o, or if the file is not a model, it can only be an output.
    for output in ["-o lamp.gltf", "still.gltf"] {
        folder.convert(&format!("lamp.stt {output}")).exits(2).err_has("exists; use --force");
    }
    folder.convert("lamp.stt --with lamp.gltf -o out.glb").exits(0);
}

/// For a file of the wrong kind after `--with`, the message names the file and the kind needed.
#[test]
fn the_wrong_kind_of_companion() {
    let folder = Folder::with(&[
        ("lamp.stt", "../cookbook/lamp.stt"),
        ("door.stt", "../cookbook/lamp.stt"),
        ("walk.anm", "../tmd-anm/ok/T04_rate_10.anm"),
        ("cuts.anm", "../cookbook/cuts.anm"),
        ("reed.amo", "ok/spec.amo"),
    ]);
    folder.write("walk.bvh", fixture("../bvh/ok/arm.bvh"));
    for (line, says) in [
        ("lamp.stt --with door.stt", "needs a model for MindRender STT (one of: Animated OBJ, "),
        ("lamp.stt --with walk.bvh", "), but walk.bvh is BVH"),
        ("walk.anm --with lamp.stt", "needs a model for TMD ANM (one of: TMD), but lamp.stt is Mi"),
        ("reed.amo --with walk.anm", "needs motion for Animated OBJ (one of: MindRender STT), but"),
        ("cuts.anm --with reed.amo", "use `animfmt split reed.amo cuts.anm out.glb`"),
    ] {
        folder.convert(&format!("{line} -o out.glb")).exits(2).err_has(says);
        assert!(!folder.path("out.glb").exists());
    }
}

/// Two options are explained with examples in their help, and the examples are correct.
#[test]
fn examples_in_help_hold() {
    let folder = Folder::with(&[("lamp.stt", "../cookbook/lamp.stt")]);
    let help = folder.run("convert --help").exits(0);
    let help = help.stdout().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("waves of 2 s and 3 s do so every 6 s."), "{help}");
    let waves = "#MINDRENDER 1.1 1 {s} SINGLE 1 {n} DYNAMIC 0 0 0 1 0 0 2 0 7  0 0 0 0 1 0 3 0 7  \
                 40 50 60 40 50 60 0 0 8";
    folder.write("waves.stt", waves);
    assert_eq!(folder.info("waves.stt")["clips"][0]["end"], 6.0);
    for (limit, end) in [("6", 6.0), ("5", 3.0)] {
        folder.convert(&format!("waves.stt w.glb --force -q --loop-limit {limit}")).exits(0);
        assert_eq!(folder.model("w.glb").key_times(0).last(), Some(&end), "{limit}");
    }
}

/// What states do is shown, and for a GLB also which animations other programs see.
#[test]
fn info_shows_what_states_do() {
    let folder = Folder::with(&[("lamp.stt", "../cookbook/lamp.stt"), ("a.amo", "ok/spec.amo")]);
    let details = [
        "    shade: rotation z from -15° to 30°, sine, period 6 s\n",
        "    calm → swinging: morph over 2.5 s\n",
    ];
    let heading =
        "3 animations in the file, as other programs see them\n  calm\n  swinging\n  evening\n";
    folder.convert("lamp.stt lamp.glb -q").exits(0);
    for (file, is_glb) in [("lamp.stt", false), ("lamp.glb", true)] {
        let info = folder.run(&format!("info {file}")).exits(0);
        assert!(details.iter().all(|detail| info.stdout().contains(detail)), "{}", info.stdout());
        assert_eq!(info.stdout().contains(heading), is_glb, "{}", info.stdout());
    }
    folder.convert("a.amo a.glb -q").exits(0);
    folder.run("info a.glb").exits(0).out_lacks("as other programs see");
}

/// A drawing of states is what was asked for: nothing is lost.
#[test]
fn drawings_report_no_losses() {
    let folder = Folder::with(&[("lamp.stt", "../cookbook/lamp.stt")]);
    for to in ["dot", "mmd"] {
        folder.convert(&format!("lamp.stt -o lamp.{to}")).exits(0).err_lacks("loss");
    }
}

/// States that have motion, and those that have none, are counted separately.
#[test]
fn states_without_motion_are_not_counted_as_baked() {
    let folder = Folder::with(&[
        ("lamp.stt", "../cookbook/lamp.stt"),
        ("lamp.gltf", "../cookbook/lamp.gltf"),
    ]);
    let run = folder.convert("lamp.stt --with lamp.gltf -o lamp.glb").exits(0);
    run.err_has("loss[ir-baked]: 2 clips of waves or states baked to ");
    run.err_has("; 1 other without motion");
    run.err_lacks("contains no motion");
    // Its joints have rest keys, since another state moves them.
    folder.run("info lamp.glb").exits(0).out_has("  calm\n");
    // Nodes of the model are listed if none has a similar name.
    let text = folder.text("lamp.stt").replace("shade", "parasol");
    folder.write("other.stt", text);
    let other = folder.convert("other.stt --with lamp.gltf -o other.glb").exits(0);
    other.err_has("the model has no node `parasol`; its nodes are ").err_has("`shade`");
}

/// The states of an STT file are not all that a scene has if a model with a clip was added.
#[test]
fn clips_of_the_model_are_written_as_well() {
    let folder = Folder::with(&[("lamp.stt", "../stt/ok/lamp_dynamic.stt")]);
    folder.convert("lamp.stt lamp.glb -q").exits(0);
    let both = folder.run("convert lamp.glb --with lamp.stt -o both.stt").exits(0);
    both.err_lacks("stt-from-extras");
    let [of_one, of_both] = ["lamp.stt", "both.stt"]
        .map(|file| list(&folder.info(file)["state_machines"][0]["states"]).len());
    assert!(of_both > of_one, "{of_both} states");
    folder.run("convert lamp.stt -o same.stt --force --fps 30").exits(0);
}
