//! `animfmt sample`

use crate::program::{Folder, animfmt, assert_runs, list, names_in, testdata};

#[test]
fn csv_and_json() {
    assert_runs!(
        "sample",
        [
            "sample ok/spec.amo --clip tip --at=-1,0.5,1.5,9",
            "sample ok/spec.amo --clip tip --at -1,0 --csv",
            "sample ok/spec.amo --clip tip --fps 4 --csv",
            "sample ok/spec.amo --at 0",
            "sample ok/spec.amo --clip jump --at 0",
            "sample ok/static.amo --at 0",
            "sample warn/O24_two_clips_one_name.amo --clip flutter --at 0",
            "sample warn/O24_two_clips_one_name.amo --clip flutter#2 --at 1 --csv",
            "sample warn/O24_two_clips_one_name.amo --clip #2 --at 1 --csv",
            "sample err/O21_nan_time.amo --at 0 --csv",
            "sample ok/spec.amo --clip tip --fps 1e9",
            "sample none.amo --at 0"
        ]
        .map(animfmt)
    );
}

#[test]
fn every_clip_of_the_valid_files() {
    let mut names = names_in(&testdata().join("ok"));
    names.retain(|name| name.ends_with(".amo") || name.ends_with(".hnd"));
    for name in names {
        let info = animfmt(format!("info --json ok/{name}")).exits(0).only("info");
        let skeletons = list(&info["skeletons"]).iter();
        let joints: usize = skeletons.map(|skeleton| list(&skeleton["joints"]).len()).sum();
        for (number, clip) in (1..).zip(list(&info["clips"])) {
            let line = format!("sample ok/{name} --clip #{number} --fps 10");
            let sample = animfmt(line).exits(0).only("sample");
            assert_eq!(sample["clip"], clip["name"]);
            let samples = list(&sample["samples"]);
            assert_eq!(samples[0]["time"], clip["start"]);
            assert!(samples.iter().all(|sample| list(&sample["joints"]).len() == joints));
        }
    }
}

/// Prints the weights of morph targets for a clip that animates nothing else.
#[test]
fn morph_weights() {
    let folder = Folder::new();
    let frame = |time: u8, x: u8| {
        format!(
            "<frame time='{time}'><X3D><Scene><Shape DEF='jaw'>\
             <IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate point='0 0 0 {x} 0 0 0 1 0'/>\
             </IndexedFaceSet></Shape></Scene></X3D></frame>"
        )
    };
    let frames = [frame(0, 1), frame(1, 2), frame(2, 1)].concat();
    folder.write("a.kanim", format!("<animation name='bite'>{frames}</animation>"));
    let run = folder.run("sample a.kanim --at 0,0.5,1").exits(0);
    run.err_has("note: `bite` animates only morph weights, no joints");
    let sample = &run.json("sample")["files"][0];
    let [only] = list(&sample["morph_targets"]) else { panic!("{sample}") };
    assert_eq!(list(&only["targets"]).len(), 1);
    let weights: Vec<f64> = list(&sample["samples"])
        .iter()
        .map(|sample| sample["morphs"][0]["weights"][0].as_f64().unwrap())
        .collect();
    assert!((weights[1] - weights[0] - 0.5).abs() < 1e-6, "{weights:?}");
    assert!((weights[2] - weights[0] - 1.0).abs() < 1e-6, "{weights:?}");
    let csv = folder.run("sample a.kanim --at 1 --csv").exits(0);
    let row = csv.stdout().lines().last().unwrap();
    assert!(row.starts_with("1,,") && row.ends_with(",1"), "{row}");
    let columns = csv.stdout().lines().map(|line| line.split(',').count());
    assert!(columns.eq([16, 16]), "{}", csv.stdout());
}

/// The head of the file is 4 above the hips, which move and turn.
#[test]
fn joints_relative_to_the_model() {
    let folder = Folder::new();
    folder.write(
        "nod.bvh",
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation \
         Xrotation Yrotation\nJOINT Head\n{\nOFFSET 0 4 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 1 \
         0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 1\n10 0 0 0 0 0\n10 2 0 90 0 0\n",
    );
    let run = folder.run("sample nod.bvh --joint Head --world --at 0,1 --csv").exits(0);
    let rows: Vec<Vec<f64>> = run
        .stdout()
        .lines()
        .skip(1)
        .map(|row| {
            let cells = row.split(',').skip(3).take(7);
            cells.map(|cell| cell.parse().unwrap()).collect()
        })
        .collect();
    let half = 0.5_f64.sqrt();
    let expected = [[10.0, 4.0, 0.0, 0.0, 0.0, 0.0, 1.0], [6.0, 2.0, 0.0, 0.0, 0.0, half, half]];
    for (row, expected) in rows.iter().zip(expected) {
        let apart = row.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-6, "{row:?}");
    }
    assert_eq!(rows.len(), 2);
    let json = folder.run("sample nod.bvh --joint Head --joint #1 --at 1").exits(0).json("sample");
    let file = &json["files"][0];
    assert_eq!(file["relative_to"], "parent");
    let joints = list(&file["samples"][0]["joints"]);
    assert_eq!([&joints[0]["name"], &joints[1]["name"]], ["Head", "Hips"]);
    assert_eq!(joints[0]["translation"], serde_json::json!([0.0, 4.0, 0.0]));
    folder.run("sample nod.bvh --joint Hed --at 1").exits(2).err_has("did you mean `Head`?");
}
