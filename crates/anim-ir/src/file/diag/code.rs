//! Kinds of problems.

/// How serious a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Accepted, although it is not as it should be.
    Warning,
    /// An item was skipped; the rest stands.
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

/// The kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    /// The text or the bytes do not follow the format's syntax.
    Syntax,
    /// Something is named that does not exist.
    Reference,
    /// A value is out of its range or contradicts another.
    Value,
    /// The file asks for more than the limits allow.
    Limit,
    /// Understood, but other readers may not.
    Compatibility,
    /// Of interest to the program that the format was made for, and without effect on a conversion.
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
    /// What kind of problem it is.
    pub category: Category,
    /// What it means, in a sentence or two.
    pub meaning: &'static str,
    /// A piece of a file that shows it; empty where none helps.
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
