//! State transition tables: what the program says of them, plays, draws and converts.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::Value;
use test_oracle::fixtures;
use test_oracle::glb;
use test_oracle::random::Rng;
use test_oracle::stt::generate::{self, Layout, Options};
use test_oracle::stt::{self, Order};

use crate::{Run, animfmt, assert_runs, command, names_in, testdata};

/// A folder with a crane whose states are still, move, and are played one after the other.
struct Crane(tempfile::TempDir);

impl Crane {
    fn new() -> Crane {
        let crane = Crane(tempfile::tempdir().unwrap());
        crane.write("crane.stt", fs::read(testdata().join("../stt/ok/published_3.stt")).unwrap());
        crane
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs the program in the folder, with arguments in one string.
    fn run(&self, args: &str) -> Run {
        let output = command().args(args.split(' ')).current_dir(self.0.path()).output().unwrap();
        Run { line: args.to_owned(), output }
    }

    fn convert(&self, args: &str) -> Run {
        self.run(&format!("convert {args}"))
    }

    fn animations(&self, glb: &str) -> Vec<String> {
        self.model(glb).animation_names()
    }

    fn model(&self, glb: &str) -> glb::Model {
        glb::read(&fs::read(self.path(glb)).unwrap())
    }
}

/// A fixture, as it is called from the folder in which the program runs.
fn fixture(name: &str) -> String {
    format!("../stt/{name}.stt")
}

/// Every kind of problem once.
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
    let runs = names.map(|name| animfmt(["check".to_owned(), fixture(name)]).shown());
    insta::assert_snapshot!("stt_check", runs.join("\n"));
}

#[test]
fn what_is_in_a_file() {
    assert_runs!(
        "stt_info",
        None,
        [
            animfmt(["info", "../stt/ok/published_3.stt"]),
            animfmt(["info", "../stt/ok/dynamic_three_channels.stt"]),
            animfmt(["info", "../stt/err/S21_two_states.stt"]),
            animfmt(["info", "../stt/err/S19_undefined_state.stt"]),
            animfmt(["info", "../stt/warn/S14_keyframe_0.stt"]),
            animfmt(["info", "../stt/err/S01_empty.stt"]),
            animfmt(["info", "--json", "../stt/ok/published_3.stt"]),
        ]
    );
    let info = animfmt(["info", "--json", "../stt/ok/published_3.stt"]).exits(0).json("info");
    let states = info["state_machines"][0]["states"].as_array().unwrap();
    assert_eq!(
        states.iter().map(|state| &state["motion"]).collect::<Vec<_>>(),
        ["ping-pong forwards", "clip", "clip"]
    );
    assert_eq!(
        (&states[0]["duration"], &states[0]["keys"][1]["state"]),
        (&8.0.into(), &"my_first_state".into())
    );
}

/// All fixtures: what is said of them is as the schemas have it, and the exit status is that of
/// their folder.
#[test]
fn every_fixture() {
    let mut seen = 0;
    for (folder, status) in [("ok", 0), ("warn", 0), ("err", 1)] {
        for name in names_in(&testdata().join("../stt").join(folder)) {
            let path = format!("../stt/{folder}/{name}");
            let args = |command: &str| {
                [command, "--json", "--from", "stt", path.as_str()].map(str::to_owned)
            };
            let (check, info) =
                (animfmt(args("check")).exits(status), animfmt(args("info")).exits(status));
            let (check, info) = (check.json("check"), info.json("info"));
            assert_eq!(check["files"][0]["error"].is_string(), info["error"].is_string(), "{path}");
            if folder != "ok" {
                animfmt(["check", "--strict", "--from", "stt", &path]).exits(1);
            }
            seen += 1;
        }
    }
    assert!(seen > 150, "{seen}");
}

/// Graphviz and Mermaid.
#[test]
fn states_are_drawn() {
    let crane = Crane::new();
    let names = "{say \"hi\"}, {a;b}, {näh #1}, {<b>}, {two\\nlines}";
    let singles = "{say \"hi\"} SINGLE 0 {a;b} SINGLE 0 {näh #1} SINGLE 0 {<b>} SINGLE 0 \
                   {two\\nlines} SINGLE 0";
    let keys: String = names.split(", ").map(|name| format!("0 1 0.5 1 0 {name}\n")).collect();
    crane.write(
        "odd.stt",
        format!(
            "#MINDRENDER 1.1 7 {singles} {{all of them}} KEYFRAME 5 3 \
                                    {{a;b}} {keys} {{none}} KEYFRAME 0 0 {{a;b}}"
        ),
    );
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
        assert!(crane.read(file).starts_with(target), "{file}");
    }
    let refused = animfmt(["convert", "ok/spec.amo", "-o", "-", "--to", "dot"]).exits(1);
    assert!(refused.stderr().contains("no state machine"), "{}", refused.stderr());
    assert!(refused.stdout().is_empty());
}

/// Times that are asked for and frames a second; states by name and number, also such as are not
/// there.
#[test]
fn states_are_sampled() {
    assert_runs!(
        "stt_sample",
        None,
        [
            animfmt([
                "sample",
                "../stt/ok/published_3.stt",
                "--clip",
                "my_keyframe_state",
                "--at",
                "0,3.9,4.5,8.5",
                "--csv"
            ]),
            animfmt(["sample", "../stt/ok/published_3.stt", "--clip", "#3", "--fps", "1", "--csv"]),
            animfmt([
                "sample",
                "../stt/ok/dynamic_three_channels.stt",
                "--at",
                "1,1001",
                "--csv",
                "--rotation-order",
                "xyz"
            ]),
            animfmt(["sample", "../stt/ok/published_3.stt", "--at", "0"]),
            animfmt(["sample", "../stt/ok/published_3.stt", "--at", "0", "--clip", "other"]),
            animfmt([
                "sample",
                "../stt/err/S19_undefined_state.stt",
                "--at",
                "0,5",
                "--csv",
                "--clip",
                "#1"
            ]),
        ]
    );
    let sample = animfmt(["sample", "../stt/ok/published_3.stt", "--clip", "#1", "--at", "4.5"])
        .exits(0)
        .json("sample");
    assert_eq!(sample["clip"], "my_keyframe_state");
}

/// The oracle reads the same file from the format notes, in f64, with no code of ours.
#[test]
fn samples_are_those_of_the_oracle() {
    let crane = Crane::new();
    let mut compared = 0;
    for (seed, (option, order)) in
        (0..).zip(["xyz", "xzy", "yxz", "yzx", "zxy", "zyx"].into_iter().zip(Order::ALL))
    {
        let options = Options { layout: Layout::ALL[seed % 4], ..Options::default() };
        let text = generate::file(&mut Rng::new(seed as u64), &options);
        crane.write("generated.stt", &text);
        let file = stt::parse(&text);
        for state in 0..file.states.len() {
            let times = [0.0, 0.3, 1.7, 4.0, 19.9];
            let at = times.map(|time| time.to_string()).join(",");
            let run = crane
                .run(&format!(
                    "sample generated.stt --clip #{} --at {at} --rotation-order {option}",
                    state + 1
                ))
                .exits(0);
            for (time, sample) in
                times.iter().zip(run.json("sample")["samples"].as_array().unwrap())
            {
                for (name, place) in stt::pose_at(&file, state, *time, order) {
                    let joint = sample["joints"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .find(|joint| joint["name"] == name.as_str())
                        .unwrap();
                    let numbers = |field: &str| {
                        joint[field]
                            .as_array()
                            .unwrap()
                            .iter()
                            .map(|number| number.as_f64().unwrap())
                            .collect::<Vec<_>>()
                    };
                    let (found, turn) = (numbers("translation"), numbers("rotation"));
                    let size =
                        place.translation.iter().fold(100.0_f64, |most, x| most.max(x.abs()));
                    let near = found
                        .iter()
                        .zip(place.translation)
                        .all(|(a, b)| (a - b).abs() < 1e-3 * size);
                    let cosine: f64 = turn.iter().zip(place.rotation).map(|(a, b)| a * b).sum();
                    assert!(
                        near && cosine.abs() > 1.0 - 1e-6,
                        "{option}, state {state} at {time}: {joint} is not {place:?}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

/// Each state is an animation of its name; one of them can be chosen, whatever else is in the file.
#[test]
fn states_become_animations() {
    let crane = Crane::new();
    crane.convert("crane.stt -o all.glb").exits(0);
    let mut names = crane.animations("all.glb");
    names.sort();
    assert_eq!(names, ["my_first_state", "my_keyframe_state", "my_second_state"]);
    for name in names {
        let run = crane.convert(&format!("crane.stt --clip {name} -o one.glb --force")).exits(0);
        assert_eq!(crane.animations("one.glb"), [name], "{}", run.stderr());
    }
    let refused = crane.convert("crane.stt --clip nod -o none.glb").exits(2);
    assert!(refused.stderr().contains("my_keyframe_state"), "{}", refused.stderr());
}

/// The state that is asked for is what is written, also as STT: with what it plays, and no others.
#[test]
fn one_state_as_stt() {
    let crane = Crane::new();
    crane.convert("crane.stt --clip my_second_state -o one.stt").exits(0);
    let file = stt::parse(&crane.read("one.stt"));
    assert_eq!(
        file.states.iter().map(|state| state.name.as_str()).collect::<Vec<_>>(),
        ["my_second_state"]
    );
}

/// Nothing that is wrong with a state is in the way of the others.
#[test]
fn one_state_beside_one_that_is_too_long() {
    let crane = Crane::new();
    crane.write(
        "two.stt",
        format!(
            "#MINDRENDER 1.1 2 {} {{good}} SINGLE 1 {{node}} STATIC 1 2 3 4 5 6 7 8 9",
            fast("1e-30")
        ),
    );
    crane.convert("two.stt --clip good -o good.glb").exits(0);
    assert_eq!(crane.animations("good.glb"), ["good"]);
}

/// Files of a state each, called after it.
#[test]
fn split_into_files() {
    let crane = Crane::new();
    crane.convert("crane.stt --to tmd-anm --split -o parts -q").exits(0);
    assert_eq!(
        names_in(&crane.path("parts")),
        ["my_first_state.anm", "my_keyframe_state.anm", "my_second_state.anm"]
    );
    let frames = |name: &str| {
        test_oracle::tmd::anm(&fs::read(crane.path(&format!("parts/{name}.anm"))).unwrap())
            .frames
            .len()
    };
    assert_eq!([frames("my_keyframe_state"), frames("my_second_state")], [240, 120]);
}

/// X01: names of states that are paths, devices or options.
#[test]
fn hostile_names_of_states() {
    let crane = Crane::new();
    crane.write(
        "names.stt",
        fs::read(testdata().join("../stt/ok/X01_hostile_state_names.stt")).unwrap(),
    );
    let states = stt::parse(&crane.read("names.stt")).states;
    crane.convert("names.stt -o names.glb").exits(0);
    assert_eq!(
        crane.animations("names.glb"),
        states.iter().map(|state| state.name.as_str()).collect::<Vec<_>>()
    );
    crane.convert("names.stt --to tmd-anm --split -o parts -q").exits(0);
    let files = names_in(&crane.path("parts"));
    assert_eq!(files.len(), states.len(), "{files:?}");
    assert_eq!(names_in(crane.0.path()), ["crane.stt", "names.glb", "names.stt", "parts"]);
    for state in &states {
        let args = ["sample", "names.stt", "--at", "0", "--csv", &format!("--clip={}", state.name)];
        let output = command().args(args).current_dir(crane.0.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{:?}", state.name);
    }
}

/// Each option changes what it is there to change.
#[test]
fn options_reach_the_files() {
    let crane = Crane::new();
    let text = "#MINDRENDER 1.1 1 {s} SINGLE 1 {n} DYNAMIC 0 0 0 1 0 0 7 0 7  0 0 0 0 1 0 11 0 7  \
                40 50 60 40 50 60 0 0 8";
    crane.write("s.stt", text);
    let made = |options: &str| {
        crane.convert(format!("s.stt -o s.glb --force -q {options}").trim_end()).exits(0);
        crane.model("s.glb")
    };
    let plain = made("");
    let end = |model: &glb::Model| *model.key_times(0).last().unwrap();
    assert_eq!(
        [end(&plain), end(&made("--loop-limit 80")), end(&made("--loop-limit 5"))],
        [11.0, 77.0, 11.0]
    );
    let (coarse, fine) = (
        made("--tolerance 0.05").key_times(0).len(),
        made("--tolerance 0.00001").key_times(0).len(),
    );
    assert!(
        coarse * 2 < plain.key_times(0).len() && plain.key_times(0).len() * 2 < fine,
        "{coarse} {fine}"
    );
    let turned = |model: &glb::Model| model.node_world(Some(0), "n", 0.0);
    assert_eq!(turned(&plain), turned(&made("--rotation-order zyx")));
    assert_ne!(turned(&plain), turned(&made("--rotation-order xyz")));
    for refused in ["--tolerance 0", "--tolerance nan", "--loop-limit -1", "--rotation-order zzz"] {
        crane.convert(&format!("s.stt -o x.glb {refused}")).exits(2);
    }
}

/// What is read with an order of rotations is written with the same one.
#[test]
fn the_order_of_rotations_there_and_back() {
    let crane = Crane::new();
    crane.write("turn.stt", "#MINDRENDER 1.1 1 {s{} SINGLE 1 {n} STATIC 1 2 3 4 5 6 40 50 60");
    crane.convert("turn.stt -o again.stt --rotation-order xyz").exits(0);
    let place = |name: &str, clip: &str| {
        let run = crane
            .run(&format!("sample {name} --clip #{clip} --at 0 --rotation-order xyz"))
            .exits(0);
        let joint = run.json("sample")["samples"][0]["joints"][0].clone();
        let numbers = |field: &str| {
            joint[field]
                .as_array()
                .unwrap()
                .iter()
                .map(|number| (number.as_f64().unwrap() * 1e4).round())
                .collect::<Vec<_>>()
        };
        (numbers("translation"), numbers("rotation"))
    };
    assert_eq!(place("turn.stt", "1"), place("again.stt", "1"));
}

/// A state whose displacement repeats after such a time, and with it a slow wave.
fn fast(period: &str) -> String {
    format!(
        "{{fast}} SINGLE 1 {{node}} DYNAMIC 0 0 0 1 0 0 {period} 0 1  0 0 0 1 0 0 50 0 3  0 0 0 0 \
         0 0 0 0 8"
    )
}

/// S25: more keys than anybody wants are refused before there are any, in little memory; playing
/// and writing do without.
#[cfg(unix)]
#[test]
fn periods_beyond_reason() {
    let crane = Crane::new();
    for (name, period) in [("fast", "1e-30"), ("faster", "1e-6")] {
        crane.write("long.stt", format!("#MINDRENDER 1.1 1 {}", fast(period)));
        let line = format!(
            "ulimit -v 300000; exec '{}' convert long.stt -o {name}.glb",
            env!("CARGO_BIN_EXE_animfmt")
        );
        let output = command_in_shell(&crane, &line);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}: {stderr}");
        assert!(stderr.contains("more than the limit of 10000000"), "{name}: {stderr}");
        assert!(!stderr.contains("18446744073709551615"), "a number that nobody counted: {stderr}");
        assert!(!crane.path(&format!("{name}.glb")).exists());
        crane.run("sample long.stt --at 0,1,1e9 --csv").exits(0);
        crane.convert("long.stt -o same.stt --force -q").exits(0);
        crane.run("info long.stt").exits(0);
    }
    // Alone, any period is a round.
    for (name, period) in [("tiny", "1e-30"), ("huge", "1e30")] {
        crane.write(
            "alone.stt",
            format!(
                "#MINDRENDER 1.1 1 {{s}} SINGLE 1 {{node}} DYNAMIC 0 0 0 \
            1 0 0 {period} 0 7  {STILL} {STILL}"
            ),
        );
        crane.convert(&format!("alone.stt -o {name}.glb")).exits(0);
        assert!(
            (20..400).contains(&crane.model(&format!("{name}.glb")).key_times(0).len()),
            "{name}"
        );
    }
}

const STILL: &str = "0 0 0 0 0 0 0 0 8";

#[cfg(unix)]
fn command_in_shell(crane: &Crane, line: &str) -> std::process::Output {
    std::process::Command::new("sh")
        .args(["-c", line])
        .current_dir(crane.0.path())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// S31, S21: keyframe states that play keyframe states, however deep.
#[test]
fn chains_and_circles() {
    let crane = Crane::new();
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
            "{length}: at rest without a word: {}",
            run.stdout()
        );
    }
    // A long chain, and one that ends where it begins.
    for (last, status) in [(still, 0), ("KEYFRAME 1 1 {s0} 1 1 1 0 0 {s0}", 1)] {
        crane.write("chain.stt", chain(50_000, last));
        for args in [
            "check chain.stt",
            "info chain.stt",
            "convert chain.stt -o chain.dot --force -q",
            "convert chain.stt -o chain.glb --force -q",
        ] {
            let run = crane.run(args).exits(status);
            assert!(run.stdout().len() + run.stderr().len() < 20_000, "{args}");
        }
        let check = crane.run("check chain.stt").exits(status);
        assert_eq!(check.stdout().contains("error[stt-circle]"), status == 1);
    }
}

/// S29: states and nodes without end, on many lines and on one. (A million takes ten times as
/// long.)
#[test]
fn many_states_and_nodes() {
    let count = fixtures::scale(10_000, 100_000);
    let crane = Crane::new();
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
    let info = crane.run("info --json lines.stt").exits(0).json("info");
    assert_eq!(info["state_machines"][0]["states"].as_array().map(Vec::len), Some(count));
    assert_eq!(info["diagnostics"]["warnings"], Value::from(count));
}

/// What is not written is told, with the states by name.
#[test]
fn losses_are_told() {
    let crane = Crane::new();
    let args = [
        "crane.stt -o x.glb",
        "crane.stt -o x.amo",
        "crane.stt -o x.stt",
        "crane.stt -o x.anm --to tmd-anm",
        "crane.stt --to castle -o x.kanim",
    ];
    let runs = args.map(|args| crane.convert(args).shown());
    let other = animfmt(["convert", "ok/octopus_arm.amo", "--to", "stt", "-o", "-"]).exits(0);
    insta::assert_snapshot!("stt_losses", format!("{}\n{}", runs.join("\n"), other.stderr()));
    let refused = crane.convert("crane.stt -o y.anm --to tmd-anm").exits(1);
    assert!(
        refused.stderr().contains("my_keyframe_state"),
        "all three are there to choose: {}",
        refused.stderr()
    );
}

/// Standard input, by its content.
#[test]
fn from_standard_input() {
    let crane = Crane::new();
    let file = fs::File::open(crane.path("crane.stt")).unwrap();
    let output = command().args(["info", "--json", "-"]).stdin(file).output().unwrap();
    let info: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&info["format"], &info["file"]), (&"stt".into(), &"-".into()));
}
