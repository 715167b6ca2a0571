//! Expectations described in `EXPECTED.tsv`, which were derived from the format documentation
//! before the parser existed.

use model_tmd::{Document, ToIr, to_ir};
use test_oracle::fixtures;

/// The number of triangles, lines and dots that the table specifies for some files.
#[test]
fn primitives_match_the_table() {
    use anim_ir::Topology::{Lines, Points, Triangles};
    let drawn = |file: &str| {
        let bytes = std::fs::read(fixtures::folder("tmd").join(file)).unwrap();
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
