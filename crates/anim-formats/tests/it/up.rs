//! The option `up` turns what is drawn, not what the keys say.

use anim_formats::amo;
use test_oracle::amo::generate;
use test_oracle::{amo as amo_oracle, compare, glb};

use crate::written;

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
            let model = |up| glb::read(&written(&scene, "glb", &[("up", up)]).unwrap().value.main);
            let (kept, turned) = (model("y"), model("z"));
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
