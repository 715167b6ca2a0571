//! Two judges: the specification and the engine.

use anim_ir::{Code, Diagnostics};

use crate::codes;

/// Whether a file is accepted. What cannot be read at all ([`crate::ParseError`]) has no verdict:
/// the engine reads some of it, such as files with a DTD of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// By the specification.
    pub specification: bool,
    /// By Castle Game Engine, as the tools of its versions 4.2 and 5.2 were seen to do.
    pub engine: bool,
}

/// What is against the specification. What it does not speak of, such as unknown attributes, is
/// not.
pub static SPECIFICATION_REFUSES: &[&Code] = &[
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

/// What makes the engine refuse the file. It takes numbers for truth values, integers as Pascal
/// writes them, and numbers that are NaN or infinite.
pub static ENGINE_REFUSES: &[&Code] = &[
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

impl Verdicts {
    /// The verdicts on a file by what was said of it when it was read.
    ///
    /// ```
    /// let verdicts = |file: &'static str| fmt_castle::Document::parse(file.as_bytes()).map(|parsed| fmt_castle::Verdicts::of(&parsed.diagnostics));
    /// let odd = verdicts("<animation fps='25'><frame time='0' url='a.x3d'/></animation>")?;
    /// assert_eq!((odd.specification, odd.engine), (true, false));
    /// let number = verdicts("<animation loop='1'><frame time='0' url='a.x3d'/></animation>")?;
    /// assert_eq!((number.specification, number.engine), (false, true));
    /// # Ok::<(), fmt_castle::ParseError>(())
    /// ```
    pub fn of(diagnostics: &Diagnostics) -> Verdicts {
        let none_of = |codes: &[&Code]| codes.iter().all(|code| diagnostics.count(code) == 0);
        Verdicts { specification: none_of(SPECIFICATION_REFUSES), engine: none_of(ENGINE_REFUSES) }
    }
}
