//! The fixtures against what `EXPECTED.tsv` says of them, which was worked out by hand before there
//! was a reader.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    reason = "tests fail loudly"
)]

mod common;

use anim_ir::{Severity, Vec3, source};
use common::{Loaded, Measures};

#[test]
fn every_fixture_is_judged_and_measured_as_expected() {
    let table = std::fs::read_to_string(common::testdata().join("EXPECTED.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(1)
        .filter(|row| !row.trim().is_empty())
        .map(|row| row.split('\t').collect())
        .collect();
    let fixtures = common::fixtures();
    assert_eq!(rows.len(), fixtures.len(), "each fixture has its line");
    let mut wrong = Vec::new();
    for row in &rows {
        let [file, _, severity, place, _, says, numbers @ ..] = row.as_slice() else {
            panic!("{row:?}")
        };
        let name = file.strip_prefix("x3d/").unwrap();
        let (_, bytes) = fixtures.iter().find(|(fixture, _)| fixture == name).unwrap();
        match common::load(name, bytes) {
            Ok(loaded) => {
                let mut problems = judged(&loaded, severity, place);
                problems.extend(measured(&Measures::of(&loaded.scene), says, numbers));
                if !problems.is_empty() {
                    wrong.push(format!(
                        "{file}: {}\n{}",
                        problems.join("; "),
                        anim_ir::listing(loaded.text.as_bytes(), &loaded.diagnostics)
                    ));
                }
            }
            // Nothing can be read: an error, at no place.
            Err(_) if (*severity, *place, numbers[0]) == ("error", "-", "-") => {}
            Err(error) => wrong
                .push(format!("{file}: expected {severity} at {place}, found nothing: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// What is said of a file, against the expected severity and place.
fn judged(loaded: &Loaded, severity: &str, place: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let expected = match severity {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => Severity::Note,
    };
    let worst = loaded.diagnostics.worst().unwrap_or(Severity::Note);
    if worst != expected {
        problems.push(format!("expected {severity}, found {}", worst.name()));
    }
    let places: Vec<String> = (loaded.diagnostics.iter())
        .filter(|diagnostic| diagnostic.severity() == expected)
        .filter_map(|diagnostic| {
            Some(source::locate(loaded.text.as_bytes(), diagnostic.span?.start))
        })
        .map(|at| at.to_string())
        .collect();
    if place != "-" && !places.iter().any(|found| found == place) {
        problems.push(format!("expected {severity} at {place}, found it at {places:?}"));
    }
    problems
}

/// What is to be seen, against the expected numbers of triangles, lines and points, the box, the
/// area, and corners that `says` names.
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

/// `(0, 1, 0), (0, 2, 0)`.
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
