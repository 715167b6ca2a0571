//! `animfmt sample`

use serde_json::Value;
use test_oracle::amo::{self, Dialect, generate};
use test_oracle::math::{self, Mat4};

use crate::program::{
    Folder, animfmt, assert_runs, distance, joint, list, local, names_in, testdata,
};

#[test]
fn for_people_and_programs() {
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
fn every_clip_of_the_good_files() {
    let mut names = names_in(&testdata().join("ok"));
    names.retain(|name| name.ends_with(".amo") || name.ends_with(".hnd"));
    for name in names {
        let info = animfmt(format!("info --json ok/{name}")).exits(0).json("info");
        let skeletons = list(&info["skeletons"]).iter();
        let joints: usize = skeletons.map(|skeleton| list(&skeleton["joints"]).len()).sum();
        for (number, clip) in (1..).zip(list(&info["clips"])) {
            let line = format!("sample ok/{name} --clip #{number} --fps 10");
            let sample = animfmt(line).exits(0).json("sample");
            assert_eq!(sample["clip"], clip["name"]);
            let samples = list(&sample["samples"]);
            assert_eq!(samples[0]["time"], clip["start"]);
            assert!(samples.iter().all(|sample| list(&sample["joints"]).len() == joints));
        }
    }
}

/// The oracle reads the same file from the format notes, in f64, with no code of ours.
#[test]
fn poses_are_those_of_the_oracle() {
    let mut compared = 0;
    for dialect in Dialect::ALL {
        for seed in 0..12 {
            let text = generate::amo(dialect, seed);
            let expected = amo::read(&text, dialect);
            let folder = Folder::new();
            folder.write("generated.amo", &text);
            let clips = expected.clips.iter().enumerate();
            for (number, clip) in clips.filter(|(_, clip)| !clip.key_times.is_empty()) {
                let (first, last) = (clip.key_times[0], clip.key_times[clip.key_times.len() - 1]);
                // Outside, at keys, and between them.
                let between = [first * 0.7 + last * 0.3, (first + last) / 2.0];
                let times = [first - 1.0, first, between[0], between[1], last, last + 1.0];
                let at = times.map(|time| time.to_string()).join(",");
                let line = format!("sample generated.amo --clip #{} --at={at}", number + 1);
                let sampled = folder.run(&line).exits(0).json("sample");
                for (time, sample) in times.into_iter().zip(list(&sampled["samples"])) {
                    let label = format!("{dialect:?} {seed}, {} at {time}", clip.name);
                    compared += assert_pose(&expected, number, time, sample, &label);
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// Compares the joints of a sample, and says how many there were.
fn assert_pose(file: &amo::Model, clip: usize, time: f64, sample: &Value, label: &str) -> usize {
    let mut compared = 0;
    for (index, name) in file.joint_names.iter().enumerate() {
        // A transform cannot say what a rest matrix with shear or uneven scale does.
        if file.joint_rests[index].is_some_and(|rest| !is_even(rest)) {
            continue;
        }
        let name = if name.is_empty() { format!("joint_{index}") } else { name.clone() };
        let (found, wanted) = (local(joint(sample, &name)), file.joint_local(clip, index, time));
        let difference = distance(&found, &wanted);
        assert!(difference < 1e-4 * file.size().max(1.0), "{label}, {name}: {difference}");
        compared += 1;
    }
    compared
}

/// Whether a matrix turns, moves and scales all axes alike.
fn is_even([x, y, z, _]: Mat4) -> bool {
    let dot = |a: [f64; 4], b: [f64; 4]| math::dot([a[0], a[1], a[2]], [b[0], b[1], b[2]]);
    let size = dot(x, x);
    [dot(y, y) - size, dot(z, z) - size, dot(x, y), dot(y, z), dot(z, x)]
        .iter()
        .all(|error| error.abs() < 1e-4 * size)
}
