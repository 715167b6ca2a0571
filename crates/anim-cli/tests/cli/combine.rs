//! Clips that play at once: `convert --combine` and several `--clip` of `sample`.

use serde_json::Value;
use test_oracle::anm_text::{self, BoundSet, FRAMES_PER_SECOND};
use test_oracle::random::Rng;

use crate::program::{Folder, joint, list, numbers};
use crate::puppet::Puppet;

/// Returns an ANM text that divides the bones of a puppet among some sets, each with a clip and
/// two events.
fn sets(rng: &mut Rng, puppet: &Puppet, count: usize) -> String {
    let mut lists = vec![String::new(); count];
    for (number, (bone, _)) in puppet.bones.iter().enumerate() {
        // Every set has a bone.
        let set = if number < count { number } else { rng.below(count) };
        lists[set] += &format!("bl {bone}\n");
    }
    let mut text = String::new();
    for (set, bones) in lists.iter().enumerate() {
        let start = rng.below(60);
        let end = start + 12 + rng.below(40);
        let [early, late] = [start + rng.below(6), end - rng.below(6)];
        text += &format!("as S{set}\n{bones}ev {early} e{set}\nev {late} l{set}\n");
        text += &format!("an {start} {end} clip\n");
    }
    text
}

/// Returns the translation of a bone at a time after the start of the clip of its set: between its
/// keys in the clip, or at rest if it has none.
fn expected(puppet: &Puppet, sets: &[BoundSet], bone: usize, after: f64) -> [f64; 3] {
    let name = &puppet.bones[bone].0;
    let set = sets.iter().find(|set| set.bones.contains(name)).unwrap();
    let clip = &set.clips[0];
    let track = puppet.takes[0].1.iter().find(|track| track.bone == bone).unwrap();
    let Some(kept) = clip.keys.get(name).filter(|kept| !kept.is_empty()) else {
        return [0.0, 1.0, 0.0];
    };
    let tree = puppet.tree();
    let times = &tree.bones[bone].keys;
    let value = |key: usize| -> [f64; 3] {
        std::array::from_fn(|axis| f64::from(track.values[key * 3 + axis]))
    };
    let time = clip.range.unwrap()[0] + after;
    let next = kept.iter().position(|key| times[*key] >= time);
    match next {
        Some(0) => value(kept[0]),
        None => value(kept[kept.len() - 1]),
        Some(next) => {
            let (a, b) = (kept[next - 1], kept[next]);
            let part = (time - times[a]) / (times[b] - times[a]);
            std::array::from_fn(|axis| value(a)[axis] * (1.0 - part) + value(b)[axis] * part)
        }
    }
}

/// Each joint has exactly the value of the clip of its set, and the events of all sets occur.
#[test]
fn sets_that_play_together() {
    let folder = Folder::new();
    let puppet = Puppet::moving("LINEAR", &["translation"]);
    folder.write("puppet.glb", puppet.glb());
    let mut compared = 0;
    for seed in 0..16_u64 {
        let mut rng = Rng::new(seed);
        let text = sets(&mut rng, &puppet, 2 + seed as usize % 4);
        folder.write("cuts.anm", &text);
        let options = anm_text::Options::default();
        let bound = anm_text::bind(&anm_text::parse(&text), &puppet.tree(), &options);
        let names: Vec<String> = bound.iter().map(|set| format!("{}/clip", set.name)).collect();
        folder.run("split puppet.glb cuts.anm -o cut.glb --force").exits(0);
        let all = names.join("+");
        folder.run(&format!("convert cut.glb -o both.glb --force --combine both={all}")).exits(0);
        let clips = names.iter().map(|name| format!(" --clip {name}")).collect::<String>();
        let baked = folder.run("sample both.glb --clip both --fps 20").exits(0);
        let together = folder.run(&format!("sample cut.glb{clips} --fps 20")).exits(0);
        let [baked, together] = [baked, together].map(|run| run.only("sample"));
        let (baked, together) = (list(&baked["samples"]), list(&together["samples"]));
        assert_eq!(baked.len(), together.len(), "{text}");
        for (baked, together) in baked.iter().zip(together) {
            let after = baked["time"].as_f64().unwrap();
            for (bone, (name, _)) in puppet.bones.iter().enumerate() {
                let expected = expected(&puppet, &bound, bone, after);
                for sample in [baked, together] {
                    let found: [f64; 3] = numbers(&joint(sample, name)["translation"]);
                    for (found, expected) in found.iter().zip(expected) {
                        assert!(
                            (found - expected).abs() < 1e-5,
                            "{name} at {after}: {found} is not {expected}\n{text}"
                        );
                    }
                    compared += 1;
                }
            }
        }
        let info = folder.info("both.glb");
        let clip = list(&info["clips"]).iter().find(|clip| clip["name"] == "both").unwrap();
        let event = |event: &Value| {
            let name = event["name"].as_str().unwrap().to_owned();
            (name, (event["time"].as_f64().unwrap() * 1e4).round() as i64)
        };
        let mut events: Vec<_> = list(&clip["events"]).iter().map(event).collect();
        let mut expected: Vec<_> = bound
            .iter()
            .flat_map(|set| {
                let clip = &set.clips[0];
                let start = clip.range.unwrap()[0];
                clip.events.iter().map(move |event| {
                    let time = event.time / FRAMES_PER_SECOND - start;
                    (event.name.clone(), (time * 1e4).round() as i64)
                })
            })
            .collect();
        events.sort();
        expected.sort();
        assert_eq!(events, expected, "{text}");
    }
    assert!(compared > 5_000, "{compared}");
}

#[test]
fn combinations_that_cannot_be_made() {
    let folder = Folder::new();
    folder.write("puppet.glb", Puppet::moving("LINEAR", &["translation"]).glb());
    folder
        .run("convert puppet.glb -o x.glb --combine both=take")
        .exits(2)
        .err_has("NAME=CLIP+CLIP");
    folder
        .run("convert puppet.glb -o x.glb --combine both=take+wlak")
        .exits(2)
        .err_has("no such clip: `wlak`");
    folder
        .run("sample puppet.glb --clip take --clip x --at 0")
        .exits(2)
        .err_has("no such clip: `x`");
    assert_eq!(folder.names(""), ["puppet.glb"]);
}
