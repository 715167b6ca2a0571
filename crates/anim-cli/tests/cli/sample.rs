//! `animfmt sample`

use crate::program::{animfmt, assert_runs, list, names_in, testdata};

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
