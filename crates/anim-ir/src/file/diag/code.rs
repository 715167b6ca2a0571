//! The kinds of problems.

/// Why a truncated file is not repaired.
pub(crate) const WITHHELD: &str = "a file that looks truncated is not repaired";

/// How serious a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Information, not a problem.
    Note,
    /// The content is accepted but questionable.
    Warning,
    /// An item is invalid. Readers skip it and keep the rest.
    Error,
}

impl Severity {
    /// Returns `note`, `warning` or `error`.
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
    /// The file does not follow the format's syntax.
    Syntax,
    /// A reference to an item that does not exist.
    Reference,
    /// A value is out of range or contradicts another.
    Value,
    /// The file exceeds a limit.
    Limit,
    /// The file is accepted here, but other readers may reject it.
    Compatibility,
    /// The problem only affects the program that the format was designed for, not conversions.
    Engine,
    /// A conversion lost or changed something.
    Loss,
}

impl Category {
    /// All categories.
    pub const ALL: [Category; 7] = [
        Category::Syntax,
        Category::Reference,
        Category::Value,
        Category::Limit,
        Category::Compatibility,
        Category::Engine,
        Category::Loss,
    ];

    /// Returns `syntax`, `reference`, `value`, `limit`, `compatibility`, `engine` or `loss`.
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

    /// Returns a short description of the problems in this category.
    pub const fn meaning(self) -> &'static str {
        match self {
            Category::Syntax => "does not follow the syntax of the format",
            Category::Reference => "refers to something that does not exist",
            Category::Value => "a value is out of range or contradicts another",
            Category::Limit => "more than the limits allow",
            Category::Compatibility => "accepted here, but other programs may reject it",
            Category::Engine => "only matters to the program that the format was made for",
            Category::Loss => "a conversion lost or changed something",
        }
    }
}

/// A kind of problem. Each is a `static` of the crate that reports it, usually in its `codes`
/// module.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Stable name, such as `amo-face-index`. Names are never reused.
    pub id: &'static str,
    /// How serious a problem is.
    pub severity: Severity,
    /// The category of the problem.
    pub category: Category,
    /// An explanation in one or two sentences.
    pub meaning: &'static str,
    /// An excerpt of a file with this problem, or an empty string.
    pub example: &'static str,
    /// How the reader or writer handles the problem.
    pub action: &'static str,
}

/// Defines the codes of a crate: a public `static` for each, and `ALL`. Examples are optional.
///
/// ```
/// anim_ir::codes! {
///     NUMBER = "demo-number", Error, Syntax,
///         "Expected a number.",
///         "v 1 2 x",
///         "The line is skipped.";
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

        /// All codes declared in this module.
        pub static ALL: &[&$crate::Code] = &[$(&$name),*];
    };
}
