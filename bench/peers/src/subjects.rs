//! The list of subjects.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::contender::{Asked, Contender, How, Subject, Work};
use crate::inputs::Input;
use crate::versions::Version;
use crate::work::sampling::{Bevy, Blend, Naive, Ours, at_random, playing};
use crate::work::{self, frames, gltf, models, numbers, texts};

const OURS: &str = "anim-formats";
pub const MEMCPY: &str = "memcpy";
const NAIVE: &str = "binary search and slerp";
const TWO: &str = "anim-formats, two threads";
const TWICE: &str = "anim-formats, two files at once";

/// The naive sampler is its stand-in: elsewhere, ozz-animation in C++ was measured at 4.2 times the
/// speed of a naive sampler in play order, and at 0.1 times its speed at random times.
const OZZ: &str = "it only builds with nightly compilers older than 1.95";

type Run = fn(&'static [u8]) -> Work;

pub fn subjects() -> Vec<Subject> {
    let krate = |name| Version::Crate(name);
    let ours = |run| Contender::library(OURS, Version::This, run);
    let ours_2 = |run| Contender::library(TWO, Version::This, run).on_threads();
    let memcpy = || Contender::library(MEMCPY, Version::Std, work::copy);
    let roxmltree = || Contender::library("roxmltree", krate("roxmltree"), frames::roxmltree);
    let twice = |run| Contender::library(TWICE, Version::This, run).on_threads();
    let threads = || Asked::Faster(TWO, 1.8, OURS);
    vec![
        Subject {
            name: "OBJ to a document",
            input: Input::Obj,
            megabytes: 50,
            contenders: vec![
                ours(models::document_1),
                ours_2(models::document_2),
                twice(models::document_twice),
                Contender::library("tobj", krate("tobj"), models::tobj),
                Contender::library("tobj, one index", krate("tobj"), models::tobj_for_gpus),
                Contender::library("obj-rs", krate("obj-rs"), models::obj_rs),
                Contender::cpp("tinyobjloader", Version::Debian("libtinyobjloader-dev"), &[]),
                memcpy(),
            ],
            asked: vec![Asked::Faster(OURS, 5.1, "tobj"), threads()],
        },
        Subject {
            name: "OBJ to a scene",
            input: Input::Obj,
            megabytes: 50,
            contenders: vec![
                ours(models::scene_1),
                ours_2(models::scene_2),
                twice(models::scene_twice),
                Contender::library("tobj", krate("tobj"), models::tobj),
                Contender::library("ufbx", krate("ufbx"), models::ufbx),
            ],
            asked: vec![Asked::Faster(OURS, 4.2, "tobj"), threads()],
        },
        Subject {
            name: "AMO to a document",
            input: Input::Amo,
            megabytes: 50,
            contenders: vec![
                ours(models::document_1),
                ours_2(models::document_2),
                twice(models::document_twice),
                memcpy(),
            ],
            asked: vec![threads()],
        },
        Subject {
            name: "AMO to a scene",
            input: Input::Amo,
            megabytes: 50,
            contenders: vec![
                ours(models::scene_1),
                ours_2(models::scene_2),
                twice(models::scene_twice),
            ],
            asked: vec![threads()],
        },
        Subject {
            name: "OBJ to GLB, whole process",
            input: Input::Obj,
            megabytes: 50,
            contenders: vec![
                Contender::program("animfmt convert", Version::This, |input, output| {
                    let mut command = Command::new(animfmt()?);
                    command.args(["convert", "--force"]).arg(input).arg("-o").arg(output);
                    Ok(command)
                }),
                Contender::program(
                    "gltfpack -noq",
                    Version::Debian("gltfpack"),
                    |input, output| {
                        let mut command = Command::new("gltfpack");
                        command.arg("-noq").arg("-i").arg(input).arg("-o").arg(output);
                        Ok(command)
                    },
                ),
                Contender::program("assimp", Version::Debian("assimp-utils"), |input, output| {
                    let mut command = Command::new("assimp");
                    command.arg("export").arg(input).arg(output).arg("-fglb2");
                    Ok(command)
                }),
                Contender::program("obj2gltf", Version::Npm("obj2gltf"), |input, output| {
                    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules");
                    let mut command = Command::new(modules.join(".bin/obj2gltf"));
                    command.arg("-i").arg(input).arg("-o").arg(output);
                    Ok(command)
                }),
            ],
            asked: vec![Asked::Costs {
                who: "animfmt convert",
                time: 0.75,
                memory: 1.5,
                than: "gltfpack -noq",
            }],
        },
        Subject {
            name: "castle-anim-frames to a scene, nothing repeats",
            input: Input::Changing,
            megabytes: 50,
            contenders: vec![
                ours(frames::scenes),
                roxmltree(),
                Contender::library("quick-xml", krate("quick-xml"), frames::quick_xml),
                Contender::library("simdxml", krate("simdxml"), frames::simdxml),
                Contender::cpp("pugixml", Version::Debian("libpugixml-dev"), &["-lpugixml"]),
                memcpy(),
            ],
            asked: vec![Asked::Rate(OURS, 700.0)],
        },
        Subject {
            name: "castle-anim-frames to a scene, most repeats",
            input: Input::Repeating,
            megabytes: 50,
            contenders: vec![
                ours(frames::scenes),
                roxmltree(),
                Contender::cpp("pugixml", Version::Debian("libpugixml-dev"), &["-lpugixml"]),
            ],
            asked: Vec::new(),
        },
        Subject {
            name: "numbers to f32",
            input: Input::Numbers,
            megabytes: 50,
            contenders: vec![
                ours(numbers::ours),
                Contender::library("fast-float2", krate("fast-float2"), numbers::fast_float2),
                Contender::library("lexical", krate("lexical-core"), numbers::lexical),
                Contender::library("standard library", Version::Std, numbers::std),
                memcpy(),
            ],
            asked: vec![Asked::Faster(OURS, 1.4, "fast-float2")],
        },
        sampling(
            "sampling 64 joints in play order",
            [playing::<Ours>, playing::<Naive>, playing::<Bevy>, playing::<Blend>],
            vec![Asked::Rate(OURS, 120.0), Asked::Faster(OURS, 13.0, NAIVE)],
        ),
        sampling(
            "sampling 64 joints at random times",
            [at_random::<Ours>, at_random::<Naive>, at_random::<Bevy>, at_random::<Blend>],
            vec![Asked::Rate(OURS, 100.0)],
        ),
        Subject {
            name: "GLB to a scene",
            input: Input::Glb,
            megabytes: 50,
            contenders: vec![
                ours(gltf::scenes),
                Contender::library("gltf", krate("gltf"), gltf::gltf_crate),
                memcpy(),
            ],
            asked: vec![Asked::Faster(OURS, 2.0, "gltf")],
        },
        Subject {
            name: "STT to a document",
            input: Input::Stt,
            megabytes: 50,
            contenders: vec![
                ours(texts::stt_document),
                Contender::library("words and std numbers", Version::Std, texts::stt_words),
                memcpy(),
            ],
            asked: vec![Asked::Rate(OURS, 700.0)],
        },
        Subject {
            name: "ANM text to a document",
            input: Input::AnmText,
            megabytes: 50,
            contenders: vec![
                ours(texts::anm_document),
                Contender::library("words and std numbers", Version::Std, texts::anm_words),
                memcpy(),
            ],
            asked: vec![Asked::Rate(OURS, 700.0)],
        },
    ]
}

fn sampling(name: &'static str, runs: [Run; 4], asked: Vec<Asked>) -> Subject {
    let [ours, naive, bevy, blend] = runs;
    let ozz = "ozz-animation-rs";
    Subject {
        name,
        input: Input::Keys,
        megabytes: 0,
        contenders: vec![
            Contender::library(OURS, Version::This, ours),
            Contender::library(NAIVE, Version::Std, naive),
            Contender::library("bevy_math", Version::Crate("bevy_math"), bevy),
            Contender::library("blending as vectors", Version::Std, blend),
            Contender::missing(ozz, Version::Crate(ozz), OZZ),
        ],
        asked,
    }
}

/// The release build of the program, which `cargo xtask bench --peers` builds.
fn animfmt() -> Result<PathBuf, Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release");
    let program = root.join("animfmt").with_extension(std::env::consts::EXE_EXTENSION);
    if program.exists() { Ok(program) } else { Err("not built".into()) }
}

/// Prepares a library to process a file.
pub fn work(subject: &str, contender: &str, path: &Path) -> Result<Work, Failure> {
    let subject = subjects().into_iter().find(|one| one.name == subject).ok_or("no subject")?;
    let contender = subject.contenders.iter().find(|one| one.name == contender);
    match contender.ok_or("no contender")?.how {
        How::Library(run) => Ok(run(Box::leak(fs::read(path)?.into_boxed_slice()))),
        _ => Err("not a library".into()),
    }
}
