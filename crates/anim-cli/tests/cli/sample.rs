//! `animfmt sample`

use crate::{animfmt, assert_runs, testdata};

#[test]
fn for_people_and_programs() {
    assert_runs!(
        "sample",
        None,
        [
            animfmt(["sample", "ok/spec.amo", "--clip", "tip", "--at=-1,0.5,1.5,9"]),
            animfmt(["sample", "ok/spec.amo", "--clip", "tip", "--at", "-1,0", "--csv"]),
            animfmt(["sample", "ok/spec.amo", "--clip", "tip", "--fps", "4", "--csv"]),
            animfmt(["sample", "ok/spec.amo", "--at", "0"]),
            animfmt(["sample", "ok/spec.amo", "--clip", "jump", "--at", "0"]),
            animfmt(["sample", "ok/static.amo", "--at", "0"]),
            animfmt([
                "sample",
                "warn/O24_two_clips_one_name.amo",
                "--clip",
                "flutter",
                "--at",
                "0"
            ]),
            animfmt([
                "sample",
                "warn/O24_two_clips_one_name.amo",
                "--clip",
                "flutter#2",
                "--at",
                "1",
                "--csv"
            ]),
            animfmt([
                "sample",
                "warn/O24_two_clips_one_name.amo",
                "--clip",
                "#2",
                "--at",
                "1",
                "--csv"
            ]),
            animfmt(["sample", "err/O21_nan_time.amo", "--at", "0", "--csv"]),
            animfmt(["sample", "ok/spec.amo", "--clip", "tip", "--fps", "1e9"]),
            animfmt(["sample", "none.amo", "--at", "0"]),
        ]
    );
}

#[test]
fn every_clip_of_the_good_files() {
    for name in crate::names_in(&testdata().join("ok"))
        .into_iter()
        .filter(|name| name.ends_with(".amo") || name.ends_with(".hnd"))
    {
        let file = format!("ok/{name}");
        let info = animfmt(["info", "--json", &file]).exits(0).json("info");
        let joints = info["skeletons"]
            .as_array()
            .unwrap()
            .iter()
            .map(|skeleton| skeleton["joints"].as_array().unwrap().len())
            .sum::<usize>();
        for number in 1..=info["clips"].as_array().unwrap().len() {
            let sample = animfmt(["sample", &file, "--clip", &format!("#{number}"), "--fps", "10"])
                .exits(0)
                .json("sample");
            let clip = &info["clips"][number - 1];
            assert_eq!(sample["clip"], clip["name"]);
            let samples = sample["samples"].as_array().unwrap();
            assert_eq!(samples.first().unwrap()["time"], clip["start"]);
            assert!(
                samples.iter().all(|sample| sample["joints"].as_array().unwrap().len() == joints)
            );
        }
    }
}

/// The oracle reads the same file from the format notes, in f64, with no code of ours.
#[test]
fn poses_are_those_of_the_oracle() {
    let folder = tempfile::tempdir().unwrap();
    let mut compared = 0;
    for dialect in test_oracle::amo::Dialect::ALL {
        for seed in 0..12 {
            let text = test_oracle::amo::generate::amo(dialect, seed);
            let path = folder.path().join("generated.amo");
            std::fs::write(&path, &text).unwrap();
            let expected = test_oracle::amo::read(&text, dialect);
            for (number, clip) in
                expected.clips.iter().enumerate().filter(|(_, clip)| !clip.key_times.is_empty())
            {
                let (first, last) = (clip.key_times[0], clip.key_times[clip.key_times.len() - 1]);
                // Outside, at keys, and between them.
                let times = [
                    first - 1.0,
                    first,
                    first * 0.7 + last * 0.3,
                    (first + last) / 2.0,
                    last,
                    last + 1.0,
                ];
                let at = times.map(|time| time.to_string()).join(",");
                let clip_name = format!("#{}", number + 1);
                let file = path.to_str().unwrap();
                let sampled =
                    animfmt(["sample", file, "--clip", &clip_name, &format!("--at={at}")])
                        .exits(0)
                        .json("sample");
                for (time, sample) in times.into_iter().zip(sampled["samples"].as_array().unwrap())
                {
                    for (joint, name) in expected.joint_names.iter().enumerate() {
                        // A transform cannot say what a rest matrix with shear or uneven scale
                        // does.
                        if expected.joint_rests[joint].is_some_and(|rest| !is_even(rest)) {
                            continue;
                        }
                        let name =
                            if name.is_empty() { format!("joint_{joint}") } else { name.clone() };
                        let found = sample["joints"]
                            .as_array()
                            .unwrap()
                            .iter()
                            .find(|found| found["name"] == name.as_str())
                            .unwrap();
                        let wanted = expected.joint_local(number, joint, time);
                        let difference = matrix(found)
                            .iter()
                            .flatten()
                            .zip(wanted.iter().flatten())
                            .map(|(a, b)| (a - b).abs())
                            .fold(0.0, f64::max);
                        assert!(
                            difference < 1e-4 * expected.size().max(1.0),
                            "{dialect:?} {seed}, {} {name} at {time}: {difference}",
                            clip.name
                        );
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// Whether a matrix turns, moves and scales all axes alike.
fn is_even(rest: [[f64; 4]; 4]) -> bool {
    let dot = |a: [f64; 4], b: [f64; 4]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let [x, y, z, _] = rest;
    let size = dot(x, x);
    [dot(y, y) - size, dot(z, z) - size, dot(x, y), dot(y, z), dot(z, x)]
        .iter()
        .all(|error| error.abs() < 1e-4 * size)
}

/// `T · R · S` of a joint in the program's JSON, columns first.
fn matrix(joint: &serde_json::Value) -> [[f64; 4]; 4] {
    let numbers = |name: &str| {
        joint[name]
            .as_array()
            .unwrap()
            .iter()
            .map(|number| number.as_f64().unwrap())
            .collect::<Vec<_>>()
    };
    let (t, r, s) = (numbers("translation"), numbers("rotation"), numbers("scale"));
    let (x, y, z, w) = (r[0], r[1], r[2], r[3]);
    [
        [
            (1.0 - 2.0 * (y * y + z * z)) * s[0],
            2.0 * (x * y + z * w) * s[0],
            2.0 * (x * z - y * w) * s[0],
            0.0,
        ],
        [
            2.0 * (x * y - z * w) * s[1],
            (1.0 - 2.0 * (x * x + z * z)) * s[1],
            2.0 * (y * z + x * w) * s[1],
            0.0,
        ],
        [
            2.0 * (x * z + y * w) * s[2],
            2.0 * (y * z - x * w) * s[2],
            (1.0 - 2.0 * (x * x + y * y)) * s[2],
            0.0,
        ],
        [t[0], t[1], t[2], 1.0],
    ]
}
