//! Kinds of problems.

/// How serious a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing, but not a problem.
    Note,
    /// Accepted, although it is questionable.
    Warning,
    /// An item was skipped; the rest is kept.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// The category of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    /// The text or the bytes do not follow the format's syntax.
    Syntax,
    /// A reference to something that does not exist.
    Reference,
    /// A value is out of range or contradicts another.
    Value,
    /// The file asks for more than the limits allow.
    Limit,
    /// Accepted here, but maybe not by other readers.
    Compatibility,
    /// Only relevant to the program that the format was made for, not to a conversion.
    Engine,
    /// A conversion could not carry something over.
    Loss,
}

impl Category {
    /// `syntax`, `reference`, `value`, `limit`, `compatibility`, `engine` or `loss`.
    pub const fn name(self) -> &'static str {
        match self {
            Category::Syntax => "syntax",
            Category::Reference => "reference",
            Category::Value => "value",
            Category::Limit => "limit",
            Category::Compatibility => "compatibility",
            Category::Engine => "engine",
            Category::Loss => "loss",
        }
    }
}

/// A kind of problem: one `static` per kind, in the `codes` module of the crate that reports it.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Stable name, such as `amo-face-index`. Never reused for something else.
    pub id: &'static str,
    /// How serious a problem is.
    pub severity: Severity,
    /// The category of the problem.
    pub category: Category,
    /// What it means, in a sentence or two.
    pub meaning: &'static str,
    /// An excerpt of a file that shows it; empty if none helps.
    pub example: &'static str,
    /// What the reader or writer does in this case.
    pub action: &'static str,
}

/// The codes of a crate: a public `static` for each, and `ALL` of them. Examples may be missing.
///
/// ```
/// anim_ir::codes! {
///     NUMBER = "demo-number", Error, Syntax,
///         "A number is expected, and something else is there.",
///         "v 1 2 x",
///         "The line is left out.";
/// }
/// assert_eq!((NUMBER.severity, ALL.len()), (anim_ir::Severity::Error, 1));
/// ```
#[macro_export]
macro_rules! codes {
    (@example $action:literal) => { "" };
    (@example $example:literal, $action:literal) => { $example };
    (@action $action:literal) => { $action };
    (@action $example:literal, $action:literal) => { $action };
    ($($name:ident = $id:literal, $severity:ident, $category:ident,
        $meaning:literal, $($more:literal),+;)*) => {
        $(
            #[doc = $meaning]
            pub static $name: $crate::Code = $crate::Code {
                id: $id,
                severity: $crate::Severity::$severity,
                category: $crate::Category::$category,
                meaning: $meaning,
                example: $crate::codes!(@example $($more),+),
                action: $crate::codes!(@action $($more),+),
            };
        )*

        /// All codes of this crate.
        pub static ALL: &[&$crate::Code] = &[$(&$name),*];
    };
}
