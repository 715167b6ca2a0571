//! Verdicts: whether a file conforms to the specification, and whether the engine accepts it.

use anim_ir::format::Verdict;
use anim_ir::{Code, Diagnostics, Severity};

use crate::codes;

/// Codes of problems that violate the specification. Anything it does not mention, such as unknown
/// attributes, is not a violation.
static SPECIFICATION_REFUSES: &[&Code] = &[
    &codes::BOM,
    &codes::NAME_ESCAPE,
    &codes::ELEMENT,
    &codes::NAMESPACE,
    &codes::NO_ANIMATION,
    &codes::NO_FRAME,
    &codes::SCENES_PER_TIME,
    &codes::SCENES_RANGE,
    &codes::SCENES_FORM,
    &codes::EPSILON,
    &codes::EPSILON_RANGE,
    &codes::BOOLEAN,
    &codes::BOOLEAN_NUMBER,
    &codes::TIME_MISSING,
    &codes::TIME,
    &codes::TIME_NOT_FINITE,
    &codes::TIME_ORDER,
    &codes::BOUNDING_BOX,
    &codes::BOX_NOT_FINITE,
    &codes::CONTENT_MISSING,
    &codes::CONTENT,
    &codes::CONTENT_BESIDE,
    &codes::MIME_TYPE,
];

/// Codes of problems for which the engine rejects the file. The engine accepts numbers as booleans,
/// integers in Pascal syntax, NaN and infinity.
static ENGINE_REFUSES: &[&Code] = &[
    // This rejection was not observed, but no XML reader accepts such files.
    &codes::BOM,
    &codes::NAME_ESCAPE,
    &codes::ELEMENT,
    &codes::NO_ANIMATION,
    &codes::NO_FRAME,
    &codes::ANIMATION_ATTRIBUTE,
    &codes::NAME_EMPTY,
    &codes::SCENES_PER_TIME,
    &codes::EPSILON,
    &codes::TRAILING_BLANK,
    &codes::BOOLEAN,
    &codes::TIME_MISSING,
    &codes::TIME,
    &codes::TIME_ORDER,
    &codes::BOUNDING_BOX,
    &codes::CONTENT_MISSING,
    &codes::CONTENT,
    &codes::MIME_TYPE,
    &codes::GLTF_CDATA,
];

/// Codes for frames and companion files that could not be read, which other programs may be able
/// to read. `model-x3d` reports the first, and the facade the others.
const UNREAD: [&str; 3] = ["x3d-file", "castle-frame-kind", "castle-frame-gltf"];

/// Returns the verdict on a file that is not rejected: what it does not cover is said.
fn accepted(diagnostics: &Diagnostics) -> String {
    let errors = || {
        let codes = diagnostics.counts().iter().map(|(code, _)| *code);
        codes.filter(|code| code.severity == Severity::Error && !codes::ALL.contains(code))
    };
    let is_unread = |code: &Code| UNREAD.contains(&code.id);
    let what = match (errors().any(is_unread), !errors().all(is_unread)) {
        (false, false) => return "accepted".to_owned(),
        (true, false) => "content that could not be read",
        (false, true) => "errors in frames",
        (true, true) => "errors in frames and content that could not be read",
    };
    format!("accepted, except for {what}")
}

/// Returns whether a file conforms to the specification and whether Castle Game Engine accepts it,
/// as observed with the tools of its versions 4.2 and 5.2. The verdicts are derived from the
/// diagnostics of the animation file. Errors in frames are mentioned, but do not change them. Files
/// that cannot be read ([`crate::ParseError`]) have no verdict, although the engine reads some of
/// them, such as files whose DTD has declarations.
///
/// ```
/// let odd = "<animation fps='25'><frame time='0' url='a.x3d'/></animation>";
/// let parsed = fmt_castle::Document::parse(odd.as_bytes())?;
/// let accepts = fmt_castle::verdicts(&parsed.diagnostics).map(|verdict| verdict.accepts);
/// assert_eq!(accepts, [true, false]);
/// # Ok::<(), fmt_castle::ParseError>(())
/// ```
pub fn verdicts(diagnostics: &Diagnostics) -> [Verdict; 2] {
    let verdict = |key, judge, refused: &[&Code]| {
        let accepts = refused.iter().all(|code| diagnostics.count(code) == 0);
        let mut reasons = diagnostics.iter().filter(|found| refused.contains(&found.code));
        let text = match reasons.next() {
            _ if accepts => accepted(diagnostics),
            Some(reason) => format!("rejected ({})", reason.message),
            None => "rejected".to_owned(),
        };
        Verdict { key, judge, accepts, text }
    };
    [
        verdict("specification", "specification", SPECIFICATION_REFUSES),
        verdict("engine", "Castle Game Engine", ENGINE_REFUSES),
    ]
}
