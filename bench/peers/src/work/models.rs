//! Readers of OBJ and AMO.

use std::thread;

use anim_formats::amo::{Document, ParseOptions, ToIr, to_ir};
use anim_formats::anim_ir::Scene;
use obj::raw::object::Polygon;

use crate::contender::{Found, Work, found, work};

fn document(input: &'static [u8], threads: usize) -> Document<'static> {
    let options = ParseOptions::default().with_threads(threads);
    Document::parse_with(input, &options).expect("a valid file").value
}

fn in_document(document: &Document<'_>) -> Found {
    let positions = document.positions();
    sums(document.elements().flat_map(|(_, corners)| corners).map(|at| positions[at.position()]))
}

pub fn document_1(input: &'static [u8]) -> Work {
    work(move || document(input, 1), in_document)
}

pub fn document_2(input: &'static [u8]) -> Work {
    work(move || document(input, 2), in_document)
}

fn scene(input: &'static [u8], threads: usize) -> Scene {
    to_ir(&document(input, threads), &ToIr::default()).value
}

pub fn in_scene(scene: &Scene) -> Found {
    sums(scene.meshes.iter().flat_map(|mesh| {
        let indices = mesh.primitives.iter().flat_map(|part| &part.indices);
        indices.map(|index| mesh.positions[*index as usize].to_array())
    }))
}

pub fn scene_1(input: &'static [u8]) -> Work {
    work(move || scene(input, 1), in_scene)
}

pub fn scene_2(input: &'static [u8]) -> Work {
    work(move || scene(input, 2), in_scene)
}

/// Does the same on two threads at once: how much a second thread can help on this machine. If it
/// takes as long as once, the second one is free.
fn twice<T: Send>(run: impl Fn() -> T + Sync) -> T {
    thread::scope(|scope| {
        let other = scope.spawn(&run);
        let result = run();
        other.join().expect("no panic");
        result
    })
}

pub fn document_twice(input: &'static [u8]) -> Work {
    work(move || twice(|| document(input, 1)), in_document)
}

pub fn scene_twice(input: &'static [u8]) -> Work {
    work(move || twice(|| scene(input, 1)), in_scene)
}

fn with_tobj(input: &'static [u8], options: tobj::LoadOptions) -> Work {
    let load = move || {
        let materials = |_: &std::path::Path| Ok((Vec::new(), Default::default()));
        tobj::load_obj_buf(&mut &input[..], &options, materials).expect("a valid file").0
    };
    work(load, |models| {
        sums(models.iter().flat_map(|model| {
            let at = |index: &u32| {
                let first = *index as usize * 3;
                std::array::from_fn(|axis| model.mesh.positions[first + axis])
            };
            model.mesh.indices.iter().map(at)
        }))
    })
}

pub fn tobj(input: &'static [u8]) -> Work {
    with_tobj(input, tobj::LoadOptions::default())
}

pub fn tobj_for_gpus(input: &'static [u8]) -> Work {
    with_tobj(input, tobj::GPU_LOAD_OPTIONS)
}

pub fn obj_rs(input: &'static [u8]) -> Work {
    work(
        move || obj::raw::parse_obj(input).expect("a valid file"),
        |file| {
            let at = |index: usize| {
                let (x, y, z, _) = file.positions[index];
                [x, y, z]
            };
            sums(file.polygons.iter().flat_map(|polygon| match polygon {
                Polygon::P(corners) => corners.iter().map(|corner| at(*corner)).collect::<Vec<_>>(),
                Polygon::PT(corners) | Polygon::PN(corners) => {
                    corners.iter().map(|corner| at(corner.0)).collect()
                }
                Polygon::PTN(corners) => corners.iter().map(|corner| at(corner.0)).collect(),
            }))
        },
    )
}

pub fn ufbx(input: &'static [u8]) -> Work {
    let options = || ufbx::LoadOpts {
        file_format: ufbx::FileFormat::Obj,
        ignore_missing_external_files: true,
        ..ufbx::LoadOpts::default()
    };
    work(
        move || ufbx::load_memory(input, options()).expect("a valid file"),
        |scene| {
            let meshes = scene.meshes.iter();
            sums(meshes.flat_map(|mesh| {
                let position = &mesh.vertex_position;
                (0..mesh.num_indices).map(move |at| {
                    let [x, y, z] = [position[at].x, position[at].y, position[at].z];
                    [x as f32, y as f32, z as f32]
                })
            }))
        },
    )
}

/// Returns the number of corners and the sum of the absolute values of their coordinates.
pub fn sums(corners: impl Iterator<Item = [f32; 3]>) -> Found {
    let (count, sum) = corners.fold((0.0, 0.0), |(count, sum), corner| {
        (count + 1.0, sum + corner.iter().map(|value| f64::from(value.abs())).sum::<f64>())
    });
    found([("corners", count), ("positions", sum)])
}
