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
            animfmt(["sample", "warn/O24_two_clips_one_name.amo", "--clip", "flutter", "--at", "0"]),
            animfmt(["sample", "warn/O24_two_clips_one_name.amo", "--clip", "flutter#2", "--at", "1", "--csv"]),
            animfmt(["sample", "warn/O24_two_clips_one_name.amo", "--clip", "#2", "--at", "1", "--csv"]),
            animfmt(["sample", "err/O21_nan_time.amo", "--at", "0", "--csv"]),
            animfmt(["sample", "ok/spec.amo", "--clip", "tip", "--fps", "1e9"]),
            animfmt(["sample", "none.amo", "--at", "0"]),
        ]
    );
}

#[test]
fn every_clip_of_the_good_files() {
    for name in crate::names_in(&testdata().join("ok")).into_iter().filter(|name| name.ends_with(".amo") || name.ends_with(".hnd")) {
        let file = format!("ok/{name}");
        let info = animfmt(["info", "--json", &file]).exits(0).json("info");
        let joints = info["skeletons"].as_array().unwrap().iter().map(|skeleton| skeleton["joints"].as_array().unwrap().len()).sum::<usize>();
        for number in 1..=info["clips"].as_array().unwrap().len() {
            let sample = animfmt(["sample", &file, "--clip", &format!("#{number}"), "--fps", "10"]).exits(0).json("sample");
            let clip = &info["clips"][number - 1];
            assert_eq!(sample["clip"], clip["name"]);
            let samples = sample["samples"].as_array().unwrap();
            assert_eq!(samples.first().unwrap()["time"], clip["start"]);
            assert!(samples.iter().all(|sample| sample["joints"].as_array().unwrap().len() == joints));
        }
    }
}
