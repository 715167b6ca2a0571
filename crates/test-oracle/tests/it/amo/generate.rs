//! Tests the evaluator with generated files.

use test_oracle::amo::{self, Corner, Dialect, Model, generate};

const SEEDS: u64 = 200;

fn models(dialect: Dialect) -> impl Iterator<Item = (u64, Vec<u8>, Model)> {
    (0..SEEDS).map(move |seed| {
        let text = generate::amo(dialect, seed);
        let model = amo::read(&text, dialect);
        (seed, text, model)
    })
}

/// Returns times before, at, between and after the keys.
fn times(key_times: &[f64]) -> Vec<f64> {
    let mut times = vec![-1.0];
    times.extend(key_times);
    times.extend(key_times.windows(2).map(|w| 0.3 * w[0] + 0.7 * w[1]));
    times.push(key_times.last().unwrap() + 1.0);
    times
}

#[test]
fn every_dialect_is_read_and_has_finite_positions() {
    for dialect in Dialect::ALL {
        for (seed, _, model) in models(dialect) {
            assert!(!model.faces.is_empty(), "{dialect:?} {seed}");
            assert!(model.size() > 0.1, "{dialect:?} {seed}");
            assert!(model.faces.iter().all(|face| face.len() >= 3));
            assert_eq!(model.clips.is_empty(), model.joint_names.is_empty());
            for (i, clip) in model.clips.iter().enumerate() {
                assert!(!clip.key_times.is_empty(), "{dialect:?} {seed}");
                for t in times(&clip.key_times) {
                    let corners = model.face_corners_at(i, t).concat();
                    assert!(corners.iter().flatten().all(|x| x.abs() < 1e4), "{dialect:?} {seed}");
                }
            }
        }
    }
}

#[test]
fn neighbouring_rotations_are_not_180_degrees_apart() {
    for dialect in Dialect::ALL {
        for (seed, _, model) in models(dialect) {
            for keys in model.clips.iter().flat_map(|clip| &clip.rotation_keys) {
                for pair in keys.windows(2) {
                    let (a, b) = (pair[0].1, pair[1].1);
                    let dot: f64 = (0..4).map(|i| a[i] * b[i]).sum();
                    assert!(dot.abs() > 0.05, "{dialect:?} {seed}");
                }
            }
        }
    }
}

fn has_line(text: &[u8], has: fn(&str) -> bool) -> bool {
    String::from_utf8_lossy(text).split(['\r', '\n']).any(|line| has(line.trim()))
}

const ALL: [Dialect; 5] = Dialect::ALL;
const LINES: [Dialect; 4] = [Dialect::Extobj, Dialect::Spec, Dialect::Editamo, Dialect::Lines];
const WITH_UNUSED_JOINTS: [Dialect; 4] =
    [Dialect::Extobj, Dialect::Spec, Dialect::Lines, Dialect::Counted];

/// A feature, the dialects in which it occurs, and a predicate for files with it.
type Feature = (&'static str, &'static [Dialect], fn(&[u8], &Model) -> bool);

#[track_caller]
fn assert_occur(features: &[Feature]) {
    for dialect in ALL {
        let models: Vec<_> = models(dialect).collect();
        for (feature, dialects, has) in features {
            if dialects.contains(&dialect) {
                let having = models.iter().filter(|(_, text, model)| has(text, model));
                let count = having.count();
                assert!(count >= 4, "{feature} in {count} files of {dialect:?}");
            }
        }
    }
}

type Keys<const N: usize> = [(f64, [f64; N])];

/// Whether the position and rotation keys of any joint in any clip meet a condition.
fn has_keys(model: &Model, such: impl Fn(&Keys<3>, &Keys<4>) -> bool) -> bool {
    model.clips.iter().any(|clip| {
        let mut both = clip.position_keys.iter().zip(&clip.rotation_keys);
        both.any(|(positions, rotations)| such(positions, rotations))
    })
}

#[test]
fn all_joint_and_clip_features_occur() {
    assert_occur(&[
        ("forward parents", &ALL, |_, m| {
            let mut parents = m.joint_parents.iter().enumerate();
            parents.any(|(joint, parent)| parent.is_some_and(|p| p > joint))
        }),
        ("several roots", &ALL, |_, m| m.joint_parents.iter().filter(|p| p.is_none()).count() > 1),
        ("0-based parents", &[Dialect::Spec], |text, _| {
            has_line(text, |line| line.starts_with("j ") && line.ends_with(" 0"))
        }),
        ("names with spaces", &ALL, |_, m| m.joint_names.iter().any(|name| name.contains(' '))),
        ("names with dots", &ALL, |_, m| m.joint_names.iter().any(|name| name.contains('.'))),
        ("unnamed joints", &[Dialect::Extobj], |_, m| m.joint_names.iter().all(String::is_empty)),
        ("rest matrices", &ALL[3..], |_, m| m.joint_rests.iter().any(Option::is_some)),
        ("missing rest matrices", &ALL[..4], |_, m| m.joint_rests.iter().all(Option::is_none)),
        ("sheared rest matrices", &ALL[3..], |_, m| {
            m.joint_rests.iter().flatten().any(|rest| {
                let dot: f64 = (0..3).map(|i| rest[0][i] * rest[1][i]).sum();
                dot.abs() > 0.05
            })
        }),
        ("several clips", &ALL, |_, m| m.clips.len() > 1),
        ("clip names with spaces", &ALL, |_, m| m.clips.iter().any(|clip| clip.name.contains(' '))),
        ("late first keys", &ALL, |_, m| m.clips.iter().any(|c| c.key_times[0] > 0.0)),
        ("only positions", &LINES, |_, m| has_keys(m, |p, r| !p.is_empty() && r.is_empty())),
        ("only rotations", &LINES, |_, m| has_keys(m, |p, r| p.is_empty() && !r.is_empty())),
        ("no keys", &ALL, |_, m| has_keys(m, |p, r| p.is_empty() && r.is_empty())),
        ("different times", &LINES[..3], |_, m| {
            has_keys(m, |p, r| p.len() > 1 && r.len() > 1 && p[0].0 != r[0].0)
        }),
        ("omitted joints", &ALL[3..], |_, m| {
            has_keys(m, |_, r| r.iter().any(|key| key.1 == [0.0, 0.0, 0.0, 1.0]))
        }),
        ("short quaternions", &ALL, |_, m| {
            let short = |q: [f64; 4]| q.iter().map(|x| x * x).sum::<f64>() < 0.9;
            has_keys(m, |_, r| r.iter().any(|key| short(key.1)))
        }),
        ("quaternions of either sign", &ALL, |_, m| {
            let dot = |p: &Keys<4>| (0..4).map(|i| p[0].1[i] * p[1].1[i]).sum::<f64>();
            has_keys(m, |_, r| r.windows(2).any(|pair| dot(pair) < 0.0))
        }),
    ]);
}

#[test]
fn all_mesh_and_text_features_occur() {
    assert_occur(&[
        ("polygons", &LINES, |_, m| m.faces.iter().any(|face| face.len() > 3)),
        ("negative indices", &LINES, |text, _| {
            has_line(text, |line| line.starts_with("f ") && line.contains('-'))
        }),
        ("comments", &LINES, |text, _| has_line(text, |line| line.contains("# "))),
        ("blank lines", &LINES, |text, _| has_line(text, |line| line.is_empty())),
        ("hands", &ALL[3..], |text, _| has_line(text, |l| l == "hnd tool")),
        ("other lines", &ALL[3..], |text, _| {
            has_line(text, |l| l.starts_with("ne ")) && has_line(text, |l| l.starts_with("rb "))
        }),
        ("unused joints", &WITH_UNUSED_JOINTS, |_, m| {
            m.vertex_joints.iter().flatten().any(Option::is_none)
        }),
        ("all weights zero", &ALL, |_, m| {
            let mut corners = m.faces.iter().flatten();
            corners.any(|c| c.weights.is_some() && m.influences(c).is_empty())
        }),
        ("unnormalised weights", &ALL[3..], |_, m| {
            let mut rows = m.vertex_weights.iter();
            rows.any(|row| row.iter().sum::<f64>() > 1.01)
        }),
        ("weights on unused joints", &ALL[3..], |_, m| {
            let mut corners = m.faces.iter().flatten();
            corners.any(|c| {
                let (Some(j), Some(w)) = (c.joints, c.weights) else { return false };
                let mut both = m.vertex_joints[j].iter().zip(&m.vertex_weights[w]);
                both.any(|(joint, &weight)| joint.is_none() && weight > 0.0)
            })
        }),
        ("corners without joints", &[Dialect::Spec, Dialect::Lines], |_, m| {
            m.faces.iter().flatten().any(|c| c.joints.is_none())
        }),
        ("five weights", &[Dialect::Lines], |_, m| {
            m.faces.iter().flatten().any(|corner| m.influences(corner).len() == 5)
        }),
    ]);
}

#[test]
fn large_files_are_valid() {
    for bytes in [0, 5_000, 300_000] {
        let text = generate::large_amo(bytes);
        let model = amo::read(&text, Dialect::Spec);
        let corners = model.face_corners_at(0, 0.5);
        assert!(corners.iter().flatten().flatten().all(|x| x.is_finite()));
        assert_eq!(model.joint_names.len(), 32);
        // Check that no faces or attributes were dropped.
        let text = String::from_utf8(text).unwrap();
        let bytes_of = |keywords: &[&str]| -> (usize, usize) {
            let of_keyword = |line: &&str| keywords.contains(&line.split(' ').next().unwrap());
            let lines = text.lines().filter(of_keyword);
            (lines.clone().count(), lines.map(|line| line.len() + 1).sum())
        };
        let (faces, face_bytes) = bytes_of(&["f"]);
        assert_eq!(faces, model.faces.len());
        for corner in model.faces.iter().flatten() {
            assert!(corner.texcoord.is_some() && corner.normal.is_some());
            assert!(corner.joints.is_some() && !model.influences(corner).is_empty());
            let sum: f64 = model.vertex_weights[corner.weights.unwrap()].iter().sum();
            assert!((sum - 1.0).abs() < 1e-9);
        }
        if bytes > 100_000 {
            let percent = |part: usize| 100 * part / text.len();
            assert!((43..=47).contains(&percent(bytes_of(&["v", "vt", "vn", "vj", "vw"]).1)));
            assert!((43..=47).contains(&percent(face_bytes)));
            assert!((8..=12).contains(&percent(bytes_of(&["ap", "ar", "a"]).1)));
        }

        let obj = generate::large_obj(bytes);
        let model = amo::read(&obj, Dialect::Spec);
        let faces = String::from_utf8_lossy(&obj).matches("\nf ").count();
        assert_eq!(model.faces.len(), faces);
        let is_whole =
            |c: &Corner| c.texcoord.is_some() && c.normal.is_some() && c.joints.is_none();
        assert!(model.faces.iter().flatten().all(is_whole));
    }
}
