//! Keywords that are not converted: those kept under their own names, Wavefront OBJ keywords that
//! are ignored, and unknown keywords with suggestions.

use anim_ir::number::parse_integer;
use anim_ir::{Diagnostic, Span, diag::quote};

use crate::codes;
use crate::lines::reader::Reader;
use crate::tokens::{Input, spans, starts_like_number};

impl<'a> Reader<'a> {
    pub(crate) fn unknown(&mut self, keyword: &'a [u8], token: Input<'a>) {
        self.part.known_lines -= 1;
        let start = self.end - token.len();
        let span = Span::new(start, start + keyword.len());
        let new = |message| Diagnostic::new(&codes::KEYWORD, span, message);
        let known = KNOWN.iter().find(|known| known.as_bytes().eq_ignore_ascii_case(keyword));
        if starts_like_number(token) {
            self.stray_row(span);
            return;
        }
        self.part.has_upper_joints |= known == Some(&"j");
        let diagnostics = &mut self.part.diagnostics;
        if matches!(keyword, b"call" | b"csh") {
            let message =
                || format!("{} is ignored: no command is run and no file is read", quote(keyword));
            diagnostics.push(&codes::COMMAND, span, message);
        } else if FREE_FORM.iter().any(|known| known.as_bytes() == keyword) {
            let help = "curves, surfaces and display settings of Wavefront OBJ are kept in the \
                        document, but not converted";
            let make = || new(format!("{} is not supported", quote(keyword))).help(help);
            diagnostics.report(&codes::KEYWORD, make);
        } else if let Some(known) = known {
            let make = || {
                new(format!("unknown keyword {}", quote(keyword)))
                    .help(format!("keywords are lower case: `{known}`"))
            };
            if is_certain(known, token.get(keyword.len()..).unwrap_or_default()) {
                diagnostics.report_fix(&codes::KEYWORD, || make().fix(span, *known));
            } else {
                diagnostics.report(&codes::KEYWORD, make);
            }
        } else {
            let message = || format!("unknown keyword {}", quote(keyword));
            diagnostics.push(&codes::KEYWORD, span, message);
        }
    }
}

/// Vasall engine keywords whose lines are kept unchanged under their own names.
pub(crate) fn kept(keyword: &[u8]) -> Option<&'static str> {
    const KEPT: [&str; 18] = [
        "bb", "bc", "bp", "ne", "cv", "ci", "rb", "ih", "hh", "hk", "hnd", "phk", "hok", "pos",
        "apo", "adi", "bof", "end",
    ];
    KEPT.into_iter().find(|known| known.as_bytes() == keyword)
}

/// Keywords for the hint about letter case.
const KNOWN: [&str; 19] = [
    "v", "vt", "vn", "vj", "vw", "f", "l", "p", "o", "ao", "g", "s", "usemtl", "mtllib", "j", "a",
    "ap", "ar", "k",
];

/// Whether a word is a keyword of any dialect.
pub(crate) fn is_keyword(word: &[u8]) -> bool {
    const OTHERS: [&str; 4] = ["an", "cl", "t", "jp"];
    KNOWN.iter().chain(&OTHERS).chain(&FREE_FORM).any(|known| known.as_bytes() == word)
        || kept(word).is_some()
}

/// Statements of Wavefront OBJ that are ignored.
const FREE_FORM: [&str; 31] = [
    "vp",
    "deg",
    "bmat",
    "step",
    "cstype",
    "curv",
    "curv2",
    "surf",
    "parm",
    "trim",
    "hole",
    "scrv",
    "sp",
    "con",
    "mg",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "maplib",
    "usemap",
    "shadow_obj",
    "trace_obj",
    "ctech",
    "stech",
    "bsp",
    "bzp",
    "cdc",
    "cdp",
    "res",
    "fo",
];

/// Whether an upper-case word with these arguments must be the keyword. A remark may begin with
/// `A`, but does not continue with only numbers.
fn is_certain(keyword: &str, arguments: &[u8]) -> bool {
    let arguments = arguments.split(|byte| *byte == b'#').next().unwrap_or_default();
    let words: Vec<&[u8]> = spans(arguments).filter_map(|span| arguments.get(span)).collect();
    match (keyword, words.as_slice()) {
        ("usemtl" | "mtllib", words) => !words.is_empty(),
        ("j", [_, parent]) => parse_integer(parent).is_ok(),
        (_, words) => !words.is_empty() && words.iter().all(|word| starts_like_number(word)),
    }
}
