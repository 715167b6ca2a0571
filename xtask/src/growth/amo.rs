//! Animated OBJ and its material libraries.

use super::family::Content::Text;
use super::family::Family;
use super::family::Part::{Each, Once};
use super::family::Row;

const MODEL: &str = "ao x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n";
const FACE: &str = "f 1 2 3\n";
const JOINT: &str = "j b -1\n";

const ROWS: [Row; 38] = [
    ("amo vertices", "amo", &[Once("ao x\n"), Each("v $i 0 $j\n"), Once(FACE)]),
    ("amo faces", "amo", &[Once(MODEL), Each(FACE)]),
    ("amo quads", "amo", &[Once(MODEL), Once("v 1 1 0\n"), Each("f 1 2 4 3\n")]),
    ("amo one polygon", "amo", &[Once(MODEL), Once("f"), Each(" 1 2 3"), Once("\n")]),
    ("amo faces without vertices", "amo", &[Once(MODEL), Each("f 1 2 9$i\n")]),
    ("amo lines and points", "amo", &[Once(MODEL), Each("l 1 2\np 3\n")]),
    ("amo texture coordinates", "amo", &[Once(MODEL), Each("vt 0.$i 0\nf 1/-1 2/-1 3/-1\n")]),
    ("amo normals", "amo", &[Once(MODEL), Each("vn 0 0 1\nf 1//-1 2//-1 3//-1\n")]),
    ("amo groups", "amo", &[Once(MODEL), Each("g g$i\nf 1 2 3\n")]),
    ("amo smoothing groups", "amo", &[Once(MODEL), Each("s $i\nf 1 2 3\n")]),
    ("amo objects", "amo", &[Each("ao x$i\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n")]),
    ("amo equal objects", "amo", &[Each("ao x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n")]),
    ("amo materials", "amo", &[Once(MODEL), Each("usemtl m$i\nf 1 2 3\n")]),
    ("amo two materials", "amo", &[Once(MODEL), Each("usemtl a\nf 1 2 3\nusemtl b\nf 3 2 1\n")]),
    ("amo libraries", "amo", &[Once(MODEL), Each("mtllib m$i.mtl\n"), Once(FACE)]),
    ("amo joint chain", "amo", &[Once(MODEL), Once(FACE), Each("j b$i $p\n")]),
    ("amo joint star", "amo", &[Once(MODEL), Once(FACE), Once("j r -1\n"), Each("j b$i 1\n")]),
    ("amo joint trees", "amo", &[Once(MODEL), Once(FACE), Each("j b$i $q\n")]),
    ("amo equal joints", "amo", &[Once(MODEL), Once(FACE), Each("j b $q\n")]),
    (
        "amo joints and keys",
        "amo",
        &[
            Once(MODEL),
            Once(FACE),
            Each("j b$i $q\n"),
            Once("a c\n"),
            Each("ap 0 $j 0 0 0\nap 1 $j 1 0 0\n"),
        ],
    ),
    (
        "amo weights",
        "amo",
        &[
            Once(MODEL),
            Once(JOINT),
            Each("vj 1 0 0 0\nvw 1 0 0 0\nf 1/1/1/-1/-1 2/1/1/-1/-1 3/1/1/-1/-1\n"),
        ],
    ),
    (
        "amo weights of joints",
        "amo",
        &[
            Once(MODEL),
            Each("vj $j 0 0 0\nvw 1 0 0 0\nf 1/1/1/-1/-1 2/1/1/-1/-1 3/1/1/-1/-1\n"),
            Each("j b$i -1\n"),
        ],
    ),
    ("amo positions", "amo", &[Once(MODEL), Once(JOINT), Once("a c\n"), Each("ap $i 1 $i 0 0\n")]),
    ("amo rotations", "amo", &[Once(MODEL), Once(JOINT), Once("a c\n"), Each("ar $i 1 0 0 0 1\n")]),
    (
        "amo keys backwards",
        "amo",
        &[Once(MODEL), Once(JOINT), Once("a c\n"), Each("ap $r 1 0 0 0\n")],
    ),
    (
        "amo keys at one time",
        "amo",
        &[Once(MODEL), Once(JOINT), Once("a c\n"), Each("ap 1 1 $i 0 0\n")],
    ),
    (
        "amo animations",
        "amo",
        &[Once(MODEL), Once(FACE), Once(JOINT), Each("a c$i\nap 0 1 0 0 0\nap 1 1 1 0 0\n")],
    ),
    (
        "amo equal animations",
        "amo",
        &[Once(MODEL), Once(FACE), Once(JOINT), Each("a c\nap 0 1 0 0 0\nap 1 1 1 0 0\n")],
    ),
    (
        "amo animations of joints",
        "amo",
        &[
            Once(MODEL),
            Once(FACE),
            Each("j b$i -1\n"),
            Each("a c$i\nap 0 $j 0 0 0\nap 1 $j 1 0 0\n"),
        ],
    ),
    (
        "amo keys of one animation in turn",
        "amo",
        &[Once(MODEL), Each("j b$i -1\n"), Once("a c\n"), Each("ap $i $j 0 0 0\n")],
    ),
    ("amo comments", "amo", &[Once(MODEL), Each("# comment $i\n"), Once(FACE)]),
    ("amo blank lines", "amo", &[Once(MODEL), Each("\n \n"), Once(FACE)]),
    ("amo long line", "amo", &[Once(MODEL), Once("# "), Each("x$i "), Once("\n")]),
    ("amo long name", "amo", &[Once(MODEL), Once(FACE), Once("j "), Each("x$i"), Once(" -1\n")]),
    ("amo unknown statements", "amo", &[Once(MODEL), Each("frob $i\n"), Once(FACE)]),
    ("amo too many words", "amo", &[Once(MODEL), Each("v 0 0 0 0 0 0 0\n"), Once(FACE)]),
    ("amo counted vertices", "amo", &[Once("ao x\nv $n\n"), Each("0 0 $i\n")]),
    (
        "amo engine keys",
        "amo",
        &[
            Once("ao x\nv 0 0 0\nj b -1 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\na c 1000\n"),
            Each("k $i 1\nap 1 0 0 0\nar 1 1 0 0 0\n"),
        ],
    ),
];

pub(super) fn families() -> Vec<Family> {
    let library = |name, library, input| {
        Family::of((name, "amo", input)).with_companion("m.mtl", Text(library))
    };
    let libraries = [
        library(
            "mtl materials",
            &[Each("newmtl m$i\nKd 1 0 0\nmap_Kd t$i.png\n")],
            &[Once("mtllib m.mtl\n"), Once(MODEL), Each("usemtl m$i\nf 1 2 3\n")],
        ),
        library(
            "mtl equal materials",
            &[Each("newmtl m\nKd 1 0 0\n")],
            &[Once("mtllib m.mtl\n"), Once(MODEL), Each("usemtl m\nf 1 2 3\n")],
        ),
        library(
            "mtl statements",
            &[Once("newmtl m\n"), Each("Kd 0.$i 0 0\nillum 2\n")],
            &[Once("mtllib m.mtl\n"), Once(MODEL), Once("usemtl m\nf 1 2 3\n")],
        ),
    ];
    ROWS.map(Family::of).into_iter().chain(libraries).collect()
}
