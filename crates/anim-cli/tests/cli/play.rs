//! `animfmt play`

use std::fmt::Write as _;

use serde_json::Value;

use crate::program::{Folder, Run, animfmt, assert_runs, command, list, numbers, testdata};

/// Runs `play` on the files of the cookbook, with a script from standard input.
fn play(line: &str, script: &str) -> Run {
    let line = format!("play {line} --script -");
    Run::fed(command().current_dir(testdata().join("../cookbook")), &line, script.as_bytes())
}

/// Returns a folder with a file and a script.
fn with_script(file: &str, content: &str, script: &str) -> Folder {
    let folder = Folder::new();
    folder.write(file, content);
    folder.write("walk.txt", script);
    folder
}

/// The first: a single state without motion. It may be left at any time, for itself as well.
const FIRST: &str = "1 request my_first_state\n2.5 enter my_first_state\n4 end\n";

/// The second: a single state with motion.
const SECOND: &str = "0 enter my_second_state\n1 request my_second_state\n1.5 leave\n2 end\n";

/// The third: the keyframe state plays, from its starting key, key 2 for 4 s, key 1 for 4 s, and so
/// on. Both keys have an exit, so that it may be left at any time, because a key is always held.
const THIRD: &str = "\
0 enter my_keyframe_state
9 request my_second_state  # held: key 2 again, since 8 s
11 leave
12 request my_keyframe_state
15.5 enter my_first_state
20 leave
24.25 end
";

#[test]
fn the_published_examples_of_stt() {
    let folder = Folder::new();
    for (number, script) in [(1, FIRST), (2, SECOND), (3, THIRD)] {
        folder.write(&format!("{number}.txt"), script);
    }
    let run = |number: u8, more: &str| {
        let script = folder.path(&format!("{number}.txt"));
        let line = format!(
            "play ../stt/ok/published_{number}.stt --script {}{more}",
            script.to_str().unwrap()
        );
        animfmt(line).exits(0)
    };
    let text = [1, 2, 3].map(|number| run(number, "").stdout().to_owned()).join("\n");
    insta::assert_snapshot!("play_published", text);
    // The y of the node in the frames of the log.
    let heights = |number: u8, rate: u8| {
        let json = run(number, &format!(" --json --fps {rate}")).only("play");
        let frames = list(&json["log"]).iter().filter(|entry| entry["what"] == "frame");
        let height = |frame: &Value| {
            let [_, y, _] = numbers::<3>(&frame["pose"]["joints"][0]["translation"]);
            y
        };
        frames.map(height).collect::<Vec<f64>>()
    };
    // `my_second_state` moves between -50 and 50 and back in 2 s. The clock starts at 0 when the
    // state is entered, at 0 s and again at 1 s.
    assert_eq!(heights(2, 2), [-50.0, 0.0, -50.0, 0.0, 50.0]);
    // `my_first_state` holds 50. In the keyframe state, the clock has run since it was entered, so
    // `my_second_state` begins after two rounds, at -50.
    // Entered at 9 s, it is at 50 a second later.
    let still = [50.0; 4];
    let (moving, left) = ([-50.0, 50.0, -50.0, 50.0], [50.0, -50.0, 50.0]);
    let expected = [&still[..], &moving, &left, &[50.0; 14]].concat();
    assert_eq!(heights(3, 1)[..25], [&expected[..24], &[-50.0]].concat());
}

/// States that can be left only at one key, or only before their last.
const GUARD: &str = "#MINDRENDER 1.1 5
{still} SINGLE 1 {n} STATIC 1 0 0  0 0 0  0 0 0
{look} SINGLE 1 {n} STATIC 3 0 0  0 0 0  0 0 0
{patrol} KEYFRAME 2 1 {still}
  0 2 2 1 0 {still}
  1 3 3 0 0 {look}
{once} KEYFRAME 3 5 {still}
  1 1 1 0 0 {still}
  0 2 2 1 1 {look}
  0 1 1 0 0 {still}
{for ever} KEYFRAME 2 3 {look}
  0 0 0 0 0 {still}
  0 0 0 0 0 {look}
";

#[test]
fn requests_wait_for_an_exit_or_are_refused() {
    let folder = with_script(
        "guard.stt",
        GUARD,
        "0 enter patrol\n\
         1 request look     # leaves at key 2, at 2 s\n\
         1.5 request once   # instead of look\n\
         3.5 request patrol # past the only exit\n\
         4.5 leave\n\
         6 enter patrol\n\
         9 request \"for ever\" # key 2 is held\n\
         11 request still\n\
         12 leave\n\
         13 end\n",
    );
    let runs = ["", " --csv", " --fps 1"];
    let runs = runs.map(|more| folder.run(&format!("play guard.stt --script walk.txt{more}")));
    assert_runs!("play_guard", runs);
    let json = folder.run("play guard.stt --script walk.txt --json").exits(0).only("play");
    let requests: Vec<(&Value, &Value, &Value)> = list(&json["log"])
        .iter()
        .filter(|entry| entry["answer"].is_string())
        .map(|entry| (&entry["answer"], &entry["key"], &entry["seconds"]))
        .collect();
    let (none, two) = (&Value::Null, &Value::from(2));
    assert_eq!(
        requests,
        [
            (&Value::from("waiting"), two, &Value::from(1.0)),
            (&Value::from("waiting"), two, &Value::from(0.5)),
            (&Value::from("no exit ahead"), none, none),
            (&Value::from("no exit ahead"), none, none),
            (&Value::from("granted"), none, none),
            (&Value::from("no exit"), none, none),
            (&Value::from("no exit"), none, none),
        ]
    );
}

/// The sets of an ANM text file play over each other, with the events of both.
#[test]
fn layers_of_an_anm_text_file() {
    let script = "\
0 play walk loop
0.25 layer wave fade 0.5 speed 2
0.75 layer wave weight 0.5
2 crossfade Arm/wave 0.5 sync ping-pong
3 speed 0.5
3.25 seek 1.75
5 stop \"Arm/wave\" fade 0.25
6 end
";
    let with = "cuts.anm --with robot.gltf";
    let runs = ["", " --csv", " --fps 1"].map(|more| play(&format!("{with}{more}"), script));
    // The model and the file may change places.
    assert_eq!(play("robot.gltf --with cuts.anm", script).stdout(), runs[0].stdout());
    assert_runs!("play_layers", runs);
    play(&format!("{with} --fps 1 --json"), script).exits(0).json("play");
    play("cuts.anm", script).exits(2).err_has("add the model with the take with --with MODEL");
}

/// Each joint follows the layer that moves it, and only that.
#[test]
fn poses_of_layers_are_those_of_their_clips() {
    let folder = Folder::with(&[
        ("cuts.anm", "../cookbook/cuts.anm"),
        ("robot.gltf", "../cookbook/robot.gltf"),
    ]);
    folder.write("both.txt", "0 play walk\n0 layer wave\n1 end\n");
    folder.write("walk.txt", "0 play walk\n1 end\n");
    let rows = |line: &str| {
        let run = folder.run(&format!("{line} --csv")).exits(0);
        let row = |row: &str| row.split_once(',').unwrap().1.to_owned();
        run.stdout().lines().skip(1).map(row).collect::<Vec<_>>()
    };
    let both = rows("play cuts.anm --with robot.gltf --script both.txt --fps 1");
    // The walk starts at 0 s of the take, and the wave at 2.25 s.
    let [walk, wave] = ["1", "3.25"].map(|at| rows(&format!("sample robot.gltf --at {at}")));
    let names = |row: &String| row.split(',').nth(1).unwrap().to_owned();
    let (_, last) = both.split_at(5);
    assert_eq!(last.iter().map(names).collect::<Vec<_>>()[1], "arm_l");
    for (number, row) in last.iter().enumerate() {
        let expected = if names(row) == "arm_l" { &wave } else { &walk };
        assert_eq!(row, &expected[number]);
    }
}

#[test]
fn clips_of_a_glb() {
    let folder = Folder::with(&[
        ("cuts.anm", "../cookbook/cuts.anm"),
        ("robot.gltf", "../cookbook/robot.gltf"),
    ]);
    folder.run("split robot.gltf cuts.anm --rebase -o robot.glb").exits(0);
    folder.write(
        "walk.txt",
        "0 root hip\n0 play walk loop from 0.25 # the root needs a clip\n1 end\n",
    );
    folder.run("play robot.glb --script walk.txt").exits(1).err_has("no clip is playing");
    folder.write("walk.txt", "0 play walk loop from 0.25\n0 root hip yaw\n1.5 end\n");
    assert_runs!("play_glb", [folder.run("play robot.glb --script walk.txt --fps 2")]);
    let json = folder.run("play robot.glb --script walk.txt --json").exits(0).only("play");
    let last = list(&json["log"]).last().unwrap();
    assert_eq!((&last["what"], &last["clock"]), (&Value::from("end"), &Value::from(1.75)));
    assert!(last["root"].is_object(), "{last}");
}

/// A joint that rises by 2 per round.
const RISE: &str = "ao x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvj 1 0 0 0\nvw 1 0 0 0\n\
                    f 1///1/1 2///1/1 3///1/1\nj hip -1\na walk\nap 0 1 0 0 0\nap 1 1 0 2 0\n";

/// There and back at half speed takes 4 s; forwards from the middle, 0.5 s.
#[test]
fn clips_finish_when_they_have_reached_their_end() {
    let folder = with_script(
        "rise.amo",
        RISE,
        "0.5 play walk ping-pong-once speed 0.5\n5 play walk from 0.5\n6 play walk loop\n\
         7 crossfade walk 1e300 sync once\n8 speed -1e300\n9 play walk from 9\n10 end\n",
    );
    let run = folder.run("play rise.amo --script walk.txt").exits(0);
    let finished = run.stdout().lines().filter(|line| line.ends_with("  finished walk"));
    assert_eq!(
        finished.collect::<Vec<_>>(),
        ["4.500 s  finished walk", "5.500 s  finished walk"],
        "{}",
        run.stdout()
    );
}

/// After two and a half rounds, the object has risen by 5, and the joint has not moved in it.
#[test]
fn root_motion_goes_on_over_all_rounds() {
    let script = "0 play walk loop\n0 root hip\n2.5 end\n";
    let folder = with_script("rise.amo", RISE, script);
    let json = folder.run("play rise.amo --script walk.txt --fps 2 --json").exits(0).only("play");
    let frames = list(&json["log"]).iter().filter(|entry| entry["what"] == "frame");
    for (half, frame) in (0_u8..).zip(frames) {
        let [_, moved, _] = numbers::<3>(&frame["root"]["translation"]);
        let [_, y, _] = numbers::<3>(&frame["pose"]["joints"][0]["translation"]);
        assert!((moved - f64::from(half)).abs() < 1e-5 && y.abs() < 1e-5, "{frame}");
    }
    let last = list(&json["log"]).last().unwrap();
    assert!(last["text"].as_str().unwrap().ends_with("moved by 0.000, 5.000, 0.000"), "{last}");
}

#[test]
fn all_errors_of_a_script_are_reported_at_once() {
    let states = with_script(
        "guard.stt",
        GUARD,
        "leave\n0 leave\n0 enter\n1 enter patroll\n2 request \"for  ever\"\n1.5 request still\n\
         nan request still\n2 entre still\n3 play walk\n3 enter still now\n4 enter \"still\n\
         4 enter \"st\\ill\"\n-1 end\n5\n6 end\n7 end\n",
    );
    let clips = with_script(
        "walk.amo",
        RISE,
        "0 crossfade walk\n0 stop walk\n0 play wlak\n1 play walk twice\n\
         2 layer walk weight 2\n2 layer walk mask hop\n2 layer walk fade -1\n3 speed fast\n\
         3 root hips\n4 enter walk\n4 crossfade walk inf\n",
    );
    let runs = [
        states.run("play guard.stt --script walk.txt"),
        clips.run("play walk.amo --script walk.txt"),
    ];
    assert_runs!("play_errors", runs);
    let json = states.run("play guard.stt --script walk.txt --json").exits(1).only("play");
    let problems = list(&json["diagnostics"]);
    assert_eq!((problems.len(), json["log"].is_null()), (14, true), "{json}");
    assert_eq!(
        (&problems[2]["code"], &problems[2]["line"], &problems[2]["column"]),
        (&Value::from("play-name"), &Value::from(4), &Value::from(9))
    );
    states.run("play guard.stt --script none.txt").exits(2).err_starts("error: none.txt: ");
    states.run("play none.stt --script walk.txt").exits(2).err_starts("error: none.stt: ");
    states.run("play - --script -").exits(2).err_has("standard input can be read only once");
    states.run("play guard.stt").exits(2).err_has("--script <FILE>");
    states.run("play guard.stt --script walk.txt --max-input 10").exits(1);
    states.write("walk.txt", b"0 enter \xff\n");
    states.run("play guard.stt --script walk.txt").exits(1).err_has("walk.txt: not UTF-8");
    states.write("walk.txt", "\u{feff}# nothing\r\n\r\n  0.5  end # here\r\n");
    states
        .run("play guard.stt --script walk.txt")
        .exits(0)
        .out_has("0.500 s  end: still for 0.5 s");
}

/// Playback that would print without end is cut off, and says so.
#[test]
fn hostile_scripts_take_bounded_work() {
    let folder = with_script("guard.stt", GUARD, "1e300 end\n");
    let small = "--max-memory 1M";
    let run = |line: &str| folder.run(line);
    // Keys without a duration are held.
    folder.write("ring.txt", "0 enter \"for ever\"\n1e300 end\n");
    run("play guard.stt --script ring.txt").exits(0).out_has("key 2 (look): stays");
    folder.write("round.txt", "0 enter patrol\n1e300 end\n");
    let cut = run(&format!("play guard.stt --script round.txt {small} --json")).exits(2);
    let json = cut.only("play");
    assert!(list(&json["log"]).len() > 1000, "what was played is printed");
    assert!(json["error"].as_str().unwrap().starts_with("playback is cut off: "), "{json}");
    run("play guard.stt --script walk.txt --fps 1e9").exits(2).err_has("--max-memory");

    let lines = |count: usize, line: &str| line.repeat(count);
    folder.write("wrong.txt", lines(200_000, "0 enter nowhere\n"));
    run("play guard.stt --script wrong.txt").exits(1).err_has("the first 1000 errors");
    folder.write("long.txt", lines(200_000, "0 enter patrol\n"));
    run(&format!("play guard.stt --script long.txt {small}")).exits(1).err_has("--max-memory");
    run("play guard.stt --script long.txt --max-memory 8M").exits(2).err_has("is cut off");

    for file in ["cuts.anm", "robot.gltf"] {
        folder.write(file, crate::program::fixture(&format!("../cookbook/{file}")));
    }
    let mut script = String::from("0 play walk loop speed 1e30\n0 layer wave ping-pong\n");
    writeln!(script, "1e30 end").unwrap();
    folder.write("fast.txt", script);
    run(&format!("play cuts.anm --with robot.gltf --script fast.txt {small}"))
        .exits(2)
        .err_has("is cut off");
}
