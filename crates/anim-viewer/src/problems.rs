//! All problems of a file.

use anim_formats::AnyDocument;
use anim_formats::anim_ir::{Category, Code, Diagnostics};

/// Returns all problems of a file: those found on parsing, those of other files that it needs
/// (among the losses on reading its scene), and those that a closer look finds. `has_folder` is
/// false for a file without a folder, such as standard input.
#[must_use]
pub fn all_problems(
    document: &AnyDocument<'_>,
    mut diagnostics: Diagnostics,
    losses: Diagnostics,
    has_folder: bool,
) -> Diagnostics {
    // An animation is incomplete without its frames and their textures, so they are checked along
    // with it. An OBJ is complete without its libraries and images: of these, only what cannot be
    // opened, or is wrong in itself, is reported, and nothing if its folder is unknown.
    let of_itself = [Category::Reference, Category::Syntax, Category::Value];
    let of_companions = |code: &Code| match document.format().info().is_whole_alone {
        true => of_itself.contains(&code.category) && has_folder,
        false => code.category != Category::Loss,
    };
    diagnostics.append(losses.partition(of_companions).0);
    look_closer(document, &mut diagnostics);
    diagnostics
}

/// Adds what a closer look at a file finds ([`AnyDocument::inspect`]) to the diagnostics of its
/// parsing.
pub fn look_closer(document: &AnyDocument<'_>, diagnostics: &mut Diagnostics) {
    // What is missing may explain what a closer look would find.
    if diagnostics.is_cut_off() {
        return;
    }
    let closer = document.inspect();
    if !closer.is_empty() {
        diagnostics.append(closer);
        diagnostics.sort_by_place();
    }
}
