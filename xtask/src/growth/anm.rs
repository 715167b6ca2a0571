//! ANM text, BVH and STT.

use super::family::Content::Text;
use super::family::Family;
use super::family::Part::{Each, Once};
use super::family::Row;

const SET: &str = "as A\nbl b\n";
const ROOT: &str = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n";
const STATE: &str = "{s}\nSINGLE\n1\n{boom}\nSTATIC\n0 1 0\n0 0 0\n0 0 3\n";

const ROWS: [Row; 43] = [
    ("anm animations", "anm", &[Once(SET), Each("an $i $j c$i\n")]),
    ("anm equal animations", "anm", &[Once(SET), Each("an $i $j c\n")]),
    ("anm overlapping animations", "anm", &[Once(SET), Each("an 0 $n c$i\n")]),
    ("anm events", "anm", &[Once(SET), Each("ev $i e$i\n"), Once("an 0 $n c\n")]),
    ("anm events at one time", "anm", &[Once(SET), Each("ev 1 e$i\n"), Once("an 0 2 c\n")]),
    ("anm events backwards", "anm", &[Once(SET), Each("ev $r e\n"), Once("an 0 $n c\n")]),
    ("anm animations and events", "anm", &[Once(SET), Each("ev $i e$i\n"), Each("an $i $j c$i\n")]),
    (
        "anm overlapping animations and events",
        "anm",
        &[Once(SET), Each("ev $i e$i\n"), Each("an 0 $n c$i\n")],
    ),
    ("anm bones", "anm", &[Once("as A\n"), Each("bl b$i\n"), Once("an 0 1 c\n")]),
    (
        "anm bones with children",
        "anm",
        &[Once("as A\n"), Each("bl b +children +parent\n"), Once("an 0 1 c\n")],
    ),
    (
        "anm bones and animations",
        "anm",
        &[Once("as A\n"), Each("bl b$i\n"), Each("an $i $j c$i\n")],
    ),
    ("anm sets", "anm", &[Each("as A$i\nbl b\nev 5 e$i\nan 0 10 c\n")]),
    ("anm equal sets", "anm", &[Each("as A\nbl b\nev 5 e$i\nan 0 10 c$i\n")]),
    ("anm sets of bones", "anm", &[Each("as A$i\nbl b$i\nev 5 e$i\nan $i $j c\n")]),
    (
        "anm sets without animations",
        "anm",
        &[Once("as A\nbl b\nan 0 1 c\n"), Each("as A$i\nbl b$i\n")],
    ),
    ("anm comments", "anm", &[Each("# comment $i\n"), Once(SET), Once("an 0 1 c\n")]),
    ("anm blank lines", "anm", &[Once(SET), Each("\n\t\n"), Once("an 0 1 c\n")]),
    ("anm long name", "anm", &[Once(SET), Once("an 0 1 "), Each("x$i"), Once("\n")]),
    ("anm unknown statements", "anm", &[Once(SET), Once("an 0 1 c\n"), Each("xx $i\n")]),
    (
        "bvh chain",
        "bvh",
        &[
            Once(ROOT),
            Each("JOINT j$i\n{\nOFFSET 1 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"),
            Once("End Site\n{\nOFFSET 0 1 0\n}\n"),
            Each("}\n"),
            Once("}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0"),
            Each(" 0 0 0"),
            Once("\n"),
        ],
    ),
    (
        "bvh star",
        "bvh",
        &[
            Once(ROOT),
            Each("JOINT j$i\n{\nOFFSET 1 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n"),
            Once("}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0"),
            Each(" $i 0 0"),
            Once("\n"),
        ],
    ),
    (
        "bvh equal joints",
        "bvh",
        &[
            Once(ROOT),
            Each("JOINT j\n{\nOFFSET 1 0 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n"),
            Once("}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n"),
        ],
    ),
    (
        "bvh roots",
        "bvh",
        &[
            Once("HIERARCHY\n"),
            Each("ROOT r$i\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n"),
            Once("MOTION\nFrames: 1\nFrame Time: 0.1\n"),
            Each("0 0 0 "),
            Once("\n"),
        ],
    ),
    (
        "bvh frames",
        "bvh",
        &[Once(ROOT), Once("}\nMOTION\nFrames: $n\nFrame Time: 0.1\n"), Each("0 $i 1\n")],
    ),
    (
        "bvh too many frames",
        "bvh",
        &[Once(ROOT), Once("}\nMOTION\nFrames: 1\nFrame Time: 0.1\n"), Each("0 1 2\n")],
    ),
    (
        "bvh short frames",
        "bvh",
        &[Once(ROOT), Once("}\nMOTION\nFrames: $n\nFrame Time: 0.1\n"), Each("0 1\n")],
    ),
    (
        "bvh channels",
        "bvh",
        &[
            Once("HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS $n"),
            Each(" Xrotation"),
            Once("\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n"),
            Each("1 "),
            Once("\n"),
        ],
    ),
    (
        "bvh blank lines",
        "bvh",
        &[Once(ROOT), Once("}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n"), Each("\n")],
    ),
    (
        "bvh long name",
        "bvh",
        &[
            Once("HIERARCHY\nROOT "),
            Each("x$i"),
            Once("\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION\nFrames: 0\nFrame Time: 0.1\n"),
        ],
    ),
    (
        "stt states",
        "stt",
        &[
            Once("#MINDRENDER 1.1\n$n\n"),
            Each("{s$i}\nSINGLE\n1\n{boom}\nSTATIC\n0 1 0\n0 0 0\n0 0 3\n"),
        ],
    ),
    ("stt equal states", "stt", &[Once("#MINDRENDER 1.1\n$n\n"), Each(STATE)]),
    (
        "stt states of nodes",
        "stt",
        &[
            Once("#MINDRENDER 1.1\n$n\n"),
            Each("{s$i}\nSINGLE\n1\n{b$i}\nSTATIC\n0 1 0\n0 0 0\n0 0 3\n"),
        ],
    ),
    (
        "stt states without nodes",
        "stt",
        &[Once("#MINDRENDER 1.1\n$n\n"), Each("{s$i}\nSINGLE\n0\n")],
    ),
    (
        "stt nodes",
        "stt",
        &[
            Once("#MINDRENDER 1.1\n1\n{s}\nSINGLE\n$n\n"),
            Each("{b$i}\nSTATIC\n0 1 0\n0 0 0\n0 0 3\n"),
        ],
    ),
    (
        "stt equal nodes",
        "stt",
        &[
            Once("#MINDRENDER 1.1\n1\n{s}\nSINGLE\n$n\n"),
            Each("{b}\nSTATIC\n0 1 0\n0 0 0\n0 0 3\n"),
        ],
    ),
    (
        "stt waves",
        "stt",
        &[
            Once("#MINDRENDER 1.1\n1\n{s}\nSINGLE\n$n\n"),
            Each(
                "{b$i}\nDYNAMIC\n0 0 0\n0 0 0\n0 0 8\n0 0 0\n0 0 0\n0 0 8\n0 -20 0\n0 20 0\n3 0 7\
                \n",
            ),
        ],
    ),
    (
        "stt short waves",
        "stt",
        &[
            Once("#MINDRENDER 1.1\n1\n{s}\nSINGLE\n$n\n"),
            Each(
                "{b$i}\nDYNAMIC\n0 0 0\n0 1 0\n0.00$j 0 1\n0 0 0\n0 0 0\n0 0 8\n0 -20 0\n0 20 0\n\
                0.0$j 0 2\n",
            ),
        ],
    ),
    (
        "stt sines for a long time",
        "stt",
        &[
            Once("#MINDRENDER 1.1\n1\n{s}\nSINGLE\n$n\n"),
            Each(
                "{b$i}\nDYNAMIC\n0 0 0\n0 1 0\n60 0 7\n0 0 0\n1 2 3\n1 0 7\n0 -20 0\n0 20 5\n\
                1 0 7\n",
            ),
        ],
    ),
    (
        "stt keys",
        "stt",
        &[
            Once("#MINDRENDER 1.1\n2\n{c}\nKEYFRAME\n$n\n1\n{s}\n"),
            Each("1\n2 2\n0 1\n{s}\n"),
            Once(STATE),
        ],
    ),
    (
        "stt keys of states",
        "stt",
        &[
            Once("#MINDRENDER 1.1\n$n\n"),
            Each("{s$i}\nSINGLE\n1\n{boom}\nSTATIC\n0 1 0\n0 0 0\n0 0 3\n"),
            Once("{c}\nKEYFRAME\n$n\n1\n{s0}\n"),
            Each("1\n2 2\n1 1\n{s$i}\n"),
        ],
    ),
    (
        "stt ring of sequences",
        "stt",
        &[
            Once("#MINDRENDER 1.1\n$n\n"),
            Each("{c$i}\nKEYFRAME\n1\n1\n{c$p}\n1\n2 2\n0 0\n{c$p}\n"),
        ],
    ),
    (
        "stt nested sequences",
        "stt",
        &[
            Once("#MINDRENDER 1.1\n$n\n"),
            Each("{c$i}\nKEYFRAME\n2\n1\n{c$j}\n1\n2 2\n0 1\n{c$j}\n1\n1 1\n0 0\n{s}\n"),
            Once(STATE),
        ],
    ),
    ("stt long name", "stt", &[Once("#MINDRENDER 1.1\n1\n{"), Each("x$i"), Once("}\nSINGLE\n0\n")]),
];

/// Animations of ANM text, bound to a model.
pub(super) fn families() -> Vec<Family> {
    const MODEL: &str = "HIERARCHY\nROOT b\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation \
                         Yrotation\n}\nMOTION\nFrames: $n\nFrame Time: 0.0416667\n";
    let bound = |name, text| {
        Family::of((name, "bvh", &[Once(MODEL), Each("$i 0 0\n")]))
            .with_input("cuts.anm", Text(text))
    };
    let bound = [
        bound("anm split of a take", &[Once(SET), Each("an $i $j c$i\n")]),
        bound("anm split with events", &[Once(SET), Each("ev $i e\n"), Each("an $i $j c$i\n")]),
        bound("anm split in sets", &[Each("as A$i\nbl b\nan $i $j c\n")]),
    ];
    ROWS.map(Family::of).into_iter().chain(bound).collect()
}
