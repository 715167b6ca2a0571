//! `Up::Z` turns what is drawn, not what the keys say.
#![allow(clippy::unwrap_used, reason = "tests fail loudly")]
#![cfg(all(feature = "amo", feature = "gltf"))]

use anim_formats::{ConvertOptions, Target, Up, amo, convert};
use test_oracle::{amo as amo_oracle, compare, generate, glb};

#[test]
fn z_becomes_y_for_skinned_and_rigid_meshes() {
    for (dialect, seeds) in
        [(amo_oracle::Dialect::Lines, 0..20), (amo_oracle::Dialect::Counted, 0..20)]
    {
        for seed in seeds {
            let text = generate::amo(dialect, seed);
            let scene =
                amo::to_ir(&amo::Document::parse(&text[..]).unwrap().value, &amo::ToIr::default())
                    .value;
            let model = |up| {
                glb::read(
                    &convert(
                        &scene,
                        Target::Glb,
                        &ConvertOptions { up, ..ConvertOptions::default() },
                    )
                    .unwrap()
                    .value
                    .main,
                )
            };
            let (kept, turned) = (model(Up::Keep), model(Up::Z));
            let animation = (!kept.animation_names().is_empty()).then_some(0);
            let points = |model: &glb::Model| {
                model.triangles_at(animation, 0.3).into_iter().flatten().collect::<Vec<_>>()
            };
            let expected: Vec<[f64; 3]> =
                points(&kept).into_iter().map(|[x, y, z]| [x, z, -y]).collect();
            assert!(
                compare::max_distance_between_sets(&points(&turned), &expected) < 1e-5,
                "{dialect:?} {seed}"
            );
        }
    }
}
