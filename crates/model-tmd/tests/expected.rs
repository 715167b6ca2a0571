//! The fixtures against what `EXPECTED.tsv` says of them, which was written from the format notes
//! before there was a parser.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    reason = "tests fail loudly"
)]

mod common;

use anim_ir::Severity;
use model_tmd::{Document, ToIr, to_ir};

#[test]
fn every_fixture_is_judged_as_the_notes_say() {
    let table = std::fs::read_to_string(common::testdata().join("tmd/EXPECTED.tsv")).unwrap();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for row in table.lines().skip(1).filter(|row| !row.trim().is_empty()) {
        let [file, _, severity, place, _, says] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let bytes = std::fs::read(common::testdata().join(file)).unwrap();
        seen += 1;
        let (found, places, text) = match Document::parse(&bytes[..]) {
            Ok(parsed) => {
                let worst = parsed.diagnostics.worst();
                let of_worst = parsed
                    .diagnostics
                    .iter()
                    .filter(|diagnostic| Some(diagnostic.severity()) == worst);
                let places = of_worst
                    .map(|diagnostic| format!("0x{:02X}", diagnostic.span.unwrap().start))
                    .collect();
                (
                    worst.map_or("ok", Severity::name),
                    places,
                    common::render(&bytes, &parsed.diagnostics),
                )
            }
            Err(error) => ("refused", Vec::new(), error.to_string()),
        };
        if found != severity || !(place == "-" || places.iter().any(|at| at == place)) {
            wrong.push(format!(
                "{file}: expected {severity} at {place} ({says}), found {found} at \
                                {places:?}\n{text}"
            ));
        }
    }
    assert!(seen > 90, "{seen}");
    assert!(wrong.is_empty(), "{} of {seen}:\n{}", wrong.len(), wrong.join("\n"));
}

/// What the table says in words of some files.
#[test]
fn as_much_is_drawn_as_the_notes_say() {
    use anim_ir::Topology::{Lines, Points, Triangles};
    let drawn = |file: &str| {
        let bytes = std::fs::read(common::testdata().join("tmd").join(file)).unwrap();
        let scene = to_ir(&Document::parse(&bytes[..]).unwrap().value, &ToIr::default()).value;
        [Triangles, Lines, Points]
            .map(|topology| scene.meshes.iter().map(|mesh| mesh.count(topology)).sum::<usize>())
    };
    for (file, expected) in [
        ("ok/lines_with_occluder.tmd", [2, 4, 1]),
        ("ok/ten_objects.tmd", [0, 10, 0]),
        ("ok/two_objects.tmd", [2, 0, 0]),
        ("ok/fixp_1_in_file.tmd", [2, 0, 0]),
        ("ok/fixp_1_memory.tmd", [2, 0, 0]),
        ("ok/fixp_1_memory_empty_object.tmd", [1, 0, 0]),
        ("ok/fixp_1_memory_no_normals.tmd", [1, 0, 0]),
        ("ok/shared_packets.tmd", [2, 0, 0]),
        ("ok/sprite_free.tmd", [1, 0, 0]),
        ("ok/dot.tmd", [0, 0, 1]),
        ("ok/vertices_only.tmd", [0, 0, 0]),
        ("warn/unknown_between.tmd", [2, 0, 0]),
        ("warn/ilen_0.tmd", [1, 0, 0]),
        ("err/index_is_count.tmd", [1, 0, 0]),
        ("err/index_of_line.tmd", [0, 1, 0]),
        ("err/normal_is_count.tmd", [2, 0, 0]),
        ("err/normals_past_file.tmd", [1, 0, 0]),
        ("err/packet_cut.tmd", [1, 0, 0]),
        ("err/vertices_cut.tmd", [1, 0, 0]),
        ("err/vertices_past_file.tmd", [0, 0, 0]),
    ] {
        assert_eq!(drawn(file), expected, "{file}");
    }
}
