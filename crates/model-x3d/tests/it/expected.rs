//! Compares the scenes of the fixtures with `EXPECTED.tsv`, which was computed by hand before the
//! reader existed.

use anim_ir::Vec3;

use crate::common::{self, Measures};
use test_oracle::fixtures;

#[test]
fn fixtures_have_the_expected_measurements() {
    let table = std::fs::read_to_string(fixtures::folder("x3d").join("EXPECTED.tsv")).unwrap();
    let fixtures = fixtures::all("x3d", &["x3d", "x3dv", "wrl"], 200);
    let (mut seen, mut wrong) = (0, Vec::new());
    for row in table.lines().skip(1).filter(|row| !row.trim().is_empty()) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [file, _, _, _, _, says, numbers @ ..] = fields.as_slice() else { panic!("{row}") };
        let name = file.strip_prefix("x3d/").unwrap();
        let (_, bytes) = fixtures.iter().find(|(fixture, _)| fixture == name).unwrap();
        seen += 1;
        match common::load(name, bytes) {
            Some(scene) => {
                let problems = measured(&Measures::of(&scene), says, numbers);
                wrong.extend(problems.iter().map(|problem| format!("{file}: {problem}")));
            }
            None => assert_eq!(numbers[0], "-", "{file} cannot be read"),
        }
    }
    assert_eq!(seen, fixtures.len(), "each fixture has a line");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Compares a scene with the expected number of triangles, lines and points, the bounding box, the
/// area, and the corners listed in `says`.
fn measured(measures: &Measures, says: &str, numbers: &[&str]) -> Vec<String> {
    let [triangles, lines, points, bounds, area] = numbers else { panic!("{numbers:?}") };
    let mut problems = Vec::new();
    for (what, expected, found) in [
        ("triangles", triangles, measures.triangles),
        ("lines", lines, measures.lines),
        ("points", points, measures.points),
    ] {
        if *expected != "-" && expected.parse() != Ok(found) {
            problems.push(format!("expected {expected} {what}, found {found}"));
        }
    }
    if *bounds != "-" {
        let expected: Vec<f32> = bounds.split(' ').map(|number| number.parse().unwrap()).collect();
        let found = measures.bounds();
        if !found
            .is_some_and(|found| found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-5))
        {
            problems.push(format!("expected the box {bounds}, found {found:?}"));
        }
    }
    if *area != "-" && (measures.area - area.parse::<f64>().unwrap()).abs() > 1e-5 {
        problems.push(format!("expected the area {area}, found {}", measures.area));
    }
    for corner in says.strip_prefix("corners at ").map(points_in).unwrap_or_default() {
        let near =
            |found: &Vec3| found.to_array().iter().zip(corner).all(|(a, b)| (a - b).abs() < 1e-5);
        if !measures.corners.iter().any(near) {
            problems.push(format!("expected a corner at {corner:?}, found {:?}", measures.corners));
        }
    }
    problems
}

/// Parses points such as `(0, 1, 0), (0, 2, 0)`.
fn points_in(text: &str) -> Vec<[f32; 3]> {
    let lists = text.split('(').skip(1).map(|list| list.split(')').next().unwrap());
    lists
        .map(|list| {
            list.split(", ")
                .map(|number| number.parse().unwrap())
                .collect::<Vec<f32>>()
                .try_into()
                .unwrap()
        })
        .collect()
}
