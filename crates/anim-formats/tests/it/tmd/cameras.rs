//! Tests the conversion of ANC to GLB: a camera with stepped motion.

use test_oracle::fixtures::scale;
use test_oracle::random::Rng;
use test_oracle::tmd::generate::{self, AncCase, AncOptions, AnmOptions};
use test_oracle::tmd::{self, Anc, Record};
use test_oracle::{glb, math};

use super::{Files, assert_near, moments, start};
use crate::glb_of;

/// Compares the cameras at three moments in every frame. Returns the number of moments at which the
/// file determines the camera's direction.
fn check(glb: &glb::Model, name: &str, anc: &Anc, (rate, unit): (f64, f64), label: &str) -> usize {
    let animation = glb.animation_names().iter().position(|found| found == name);
    let keys = glb.key_times(animation.unwrap());
    assert_eq!(keys.last(), Some(&start(anc.records.len(), rate)), "{label}");
    // glTF has one field of view for all frames: the first or, if that is invalid, the nearest
    // valid value.
    let fov = Record { fov: anc.records[0].fov.clamp(1, 2047), ..anc.records[0] }.vertical_fov();
    let mut seen = 0;
    for (frame, record) in anc.records.iter().enumerate() {
        for t in moments(frame, rate) {
            let label = format!("{label}, frame {frame} at {t}");
            let cameras = glb.cameras_at(animation, t);
            let [camera] = cameras[..] else { panic!("{label}: {cameras:?}") };
            assert!(camera.shown, "{label}");
            assert!((camera.vertical_fov - fov).abs() < 1e-6, "{label}: {camera:?}");
            assert!((camera.aspect.unwrap() - 4.0 / 3.0).abs() < 1e-6, "{label}");
            let eye = tmd::point_to_gltf(record.eye.map(|x| f64::from(x) * unit));
            assert!(
                (0..3).all(|i| (camera.world[3][i] - eye[i]).abs() <= 1e-6 * 32_768.0 * unit),
                "{label}: {camera:?} {eye:?}"
            );
            if let Some(mut matrix) = record.gltf_matrix() {
                matrix[3][..3].iter_mut().for_each(|x| *x *= unit);
                assert_near(&camera.world, &matrix, 32_768.0 * unit, &label);
                seen += 1;
            } else {
                // If the file does not determine the direction, the axes are still perpendicular
                // and have unit length.
                let m = camera.world;
                let dot = |a: usize, b: usize| (0..3).map(|i| m[a][i] * m[b][i]).sum::<f64>();
                let is_unit = |a, b| (dot(a, b) - f64::from(u8::from(a == b))).abs() < 1e-6;
                let all = (0..3).all(|a| (0..3).all(|b| is_unit(a, b)));
                assert!(all, "{label}: {m:?}");
                let looks_along_y = record.eye != record.look_at;
                assert!(
                    !looks_along_y || (m[2][1].abs() - 1.0).abs() < 1e-6,
                    "{label}: the camera must look straight up or down: {m:?}"
                );
            }
        }
    }
    seen
}

#[test]
fn every_kind_of_file() {
    let mut seen = 0;
    for case in AncCase::ALL {
        for seed in 0..scale(8, 25) {
            let options = AncOptions { case, records: 9 };
            let bytes = generate::anc(&mut Rng::new(1000 * seed + case as u64), &options);
            let label = format!("camera {case:?} {seed}");
            let made = Files::default().camera("FLY", &bytes).scene(&[]);
            let anc = tmd::anc(&bytes);
            if anc.records.is_empty() {
                continue;
            }
            let varies = anc.records.iter().any(|record| record.fov != anc.records[0].fov);
            assert_eq!(
                made.losses.iter().any(|loss| loss.code.id == "tmd-anc-loss-fov"),
                varies,
                "{label}"
            );
            seen += check(&glb_of(&made.value), "FLY", &anc, (anc.rate, 1.0), &label);
        }
    }
    assert!(seen > scale(1_300, 4_000), "{seen}");
}

/// Combines a camera and an animated model with different units and rates.
#[test]
fn a_camera_and_a_model() {
    for seed in 0..10 {
        let mut rng = Rng::new(seed);
        let model = generate::model(&mut rng, &generate::ModelOptions::default());
        let anm = generate::anm(&mut rng, &AnmOptions { frames: 4, ..AnmOptions::default() });
        let anc = generate::anc(&mut rng, &AncOptions::default());
        let files = Files::new(Some(model)).motion("WALK", &[&anm]).camera("FLY", &anc);
        let label = format!("camera and model {seed}");
        let glb = glb_of(&files.scene(&[("rate", "24"), ("unit-scale", "0.5")]).value);
        assert_eq!(glb.animation_names(), ["WALK", "FLY"], "{label}");
        assert!(check(&glb, "FLY", &tmd::anc(&anc), (24.0, 0.5), &label) > 0);
        let anm = tmd::anm(&anm);
        let oracle = tmd::Options { position_factor: 0.5, ..tmd::Options::default() };
        let shown =
            (0..anm.frames.len()).filter_map(|frame| Some((frame, anm.matrix(frame, 0, &oracle)?)));
        for (frame, matrix) in shown {
            let [_, middle, _] = moments(frame, 24.0);
            let found = glb.node_world(Some(0), "object_0", middle);
            assert_near(&found, &tmd::to_gltf(&matrix), 16_384.0, &label);
        }
    }
}

/// Checks a camera by hand: it is in front of the model and looks into the screen, rolled by
/// 90°.
#[test]
fn one_camera() {
    let numbers: [i16; 11] = [i16::MIN, 30, 1, 0, -100, -500, 0, -100, 0, 1024, 512];
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let made = Files::default().camera("FLY", &bytes).scene(&[]);
    assert!(made.losses.is_empty(), "{:?}", made.losses);
    let glb = glb_of(&made.value);
    let camera = glb.cameras_at((!glb.animation_names().is_empty()).then_some(0), 0.0)[0];
    assert!((camera.vertical_fov - std::f64::consts::FRAC_PI_4).abs() < 1e-6);
    let point = |p| math::transform_point(&camera.world, p).map(f64::round);
    assert_eq!(point([0.0; 3]), [0.0, 100.0, 500.0], "above and in front of the model");
    assert_eq!(point([0.0, 0.0, -500.0]), [0.0, 100.0, 0.0], "a point straight ahead");
    // The roll is from x to y, which is down, so the camera's right side points down.
    assert_eq!(point([10.0, 0.0, 0.0]), [0.0, 90.0, 500.0]);
}
