//! Finds import cycles between the files of a crate.
//!
//! A file imports another file if it refers to an item by a path through that file's module.
//! `mod name;` alone is not an import. A path through the crate root counts as an import of the
//! module from which the root re-exports the name.

use std::collections::{BTreeMap, BTreeSet};

use super::items::{Item, items};
use super::source::Source;

/// A module path from the root of a crate.
type Path<'a> = Vec<&'a str>;
/// The files that each file imports from, with the imported names.
type Imports<'a> = BTreeMap<&'a str, BTreeMap<&'a str, BTreeSet<&'a str>>>;

pub(super) fn problems(sources: &[Source]) -> Vec<String> {
    let roots = sources.iter().map(|source| source.path.as_str()).filter(|path| {
        path.ends_with("/src/lib.rs")
            || path.ends_with("/main.rs")
            || path.rsplit_once('/').is_some_and(|(folder, _)| folder.ends_with("/src/bin"))
    });
    roots
        .flat_map(|root| {
            let imports = Modules::below(root, sources).imports();
            let circles = circles(&imports);
            circles.into_iter().map(move |circle| describe(&circle, &imports)).collect::<Vec<_>>()
        })
        .collect()
}

/// The modules of a crate.
struct Modules<'a> {
    root: &'a str,
    /// The file of each module.
    file_of: BTreeMap<Path<'a>, &'a str>,
    /// The module and the items of each file.
    files: BTreeMap<&'a str, (Path<'a>, Vec<Item<'a>>)>,
}

impl<'a> Modules<'a> {
    fn below(root: &'a str, sources: &'a [Source]) -> Modules<'a> {
        let find = |path: &str| sources.iter().find(|source| source.path == path);
        let mut modules = Modules { root, file_of: BTreeMap::new(), files: BTreeMap::new() };
        let mut open: Vec<(Path<'a>, Option<&'a Source>)> = vec![(Path::new(), find(root))];
        while let Some((module, source)) = open.pop() {
            let Some(Source { path, text }) = source else { continue };
            let items = items(text);
            modules.file_of.insert(module.clone(), path);
            for item in &items {
                let Item::Module { scope, name, in_file } = item else { continue };
                let inner = [&module[..], scope, &[name]].concat();
                if *in_file {
                    modules.file_of.insert(inner, path);
                    continue;
                }
                let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
                let stem = format!("{folder}/{}", inner.join("/"));
                let source = find(&format!("{stem}.rs"));
                open.push((inner, source.or_else(|| find(&format!("{stem}/mod.rs")))));
            }
            modules.files.insert(path, (module, items));
        }
        modules
    }

    fn imports(&self) -> Imports<'a> {
        let mut imports = Imports::new();
        for (&file, (module, items)) in self.files.iter().filter(|(file, _)| **file != self.root) {
            for item in items {
                let Item::Path { scope, segments, .. } = item else { continue };
                let scope = [&module[..], scope].concat();
                let Some((found, name)) = self.resolve(&scope, segments) else { continue };
                let (found, name) =
                    if found.is_empty() { self.exported(name) } else { (found, name) };
                let target = self.file_of.get(&found).copied();
                if let Some(target) = target.filter(|target| *target != file) {
                    let named = imports.entry(file).or_default().entry(target).or_default();
                    named.insert(name);
                }
            }
        }
        imports.values_mut().for_each(|targets| _ = targets.remove(self.root));
        imports
    }

    /// Returns the module that a path refers to and the name imported from it, or `None` for paths
    /// to other crates.
    fn resolve(&self, scope: &[&'a str], path: &[&'a str]) -> Option<(Path<'a>, &'a str)> {
        let mut rest = path.iter().copied().peekable();
        let mut module = match *path.first()? {
            "crate" => {
                rest.next();
                Path::new()
            }
            "self" => {
                rest.next();
                scope.to_vec()
            }
            "super" => scope.to_vec(),
            child => {
                let found = [scope, &[child]].concat();
                self.file_of.contains_key(&found).then_some(())?;
                scope.to_vec()
            }
        };
        while rest.next_if_eq(&"super").is_some() {
            module.pop();
        }
        for name in rest {
            module.push(name);
            if !self.file_of.contains_key(&module) {
                module.pop();
                return Some((module, name));
            }
        }
        Some((module, "self"))
    }

    /// Returns the module from which the crate root re-exports a name.
    fn exported(&self, name: &'a str) -> (Path<'a>, &'a str) {
        let of_root = self.files.get(self.root).map(|(_, items)| items.as_slice());
        let found = of_root.unwrap_or_default().iter().find_map(|item| match item {
            Item::Path { scope, segments, import } if *import == Some(name) && scope.is_empty() => {
                self.resolve(&[], segments)
            }
            _ => None,
        });
        found.unwrap_or((Path::new(), name))
    }
}

/// Returns the groups of files that import each other, directly or through others in the group.
fn circles<'a>(imports: &Imports<'a>) -> Vec<BTreeSet<&'a str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        imports.keys().map(|file| (*file, reached_from(file, imports))).collect();
    let mut circles = BTreeSet::new();
    for (file, others) in &reached {
        let back = |other: &&&str| reached.get(**other).is_some_and(|far| far.contains(file));
        let circle: BTreeSet<&str> = others.iter().filter(back).copied().collect();
        circles.extend((circle.len() > 1).then_some(circle));
    }
    circles.into_iter().collect()
}

fn reached_from<'a>(file: &'a str, imports: &Imports<'a>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![file];
    while let Some(file) = open.pop() {
        let targets = imports.get(file).into_iter().flat_map(BTreeMap::keys);
        open.extend(targets.filter(|target| reached.insert(**target)));
    }
    reached
}

/// Describes a cycle: its files, and what each imports from the others.
fn describe(circle: &BTreeSet<&str>, imports: &Imports<'_>) -> String {
    let mut text = format!("import cycle of {} files", circle.len());
    for file in circle {
        text += &format!("\n    {file}");
        let targets = imports.get(file).into_iter().flatten();
        for (target, names) in targets.filter(|(target, _)| circle.contains(*target)) {
            let names: Vec<&str> = names.iter().copied().collect();
            text += &format!("\n        {target}: {}", names.join(", "));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the cycles in a crate, as file names.
    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let source = |(name, text): &(&str, &str)| Source {
            path: format!("crates/a/src/{name}.rs"),
            text: (*text).to_owned(),
        };
        let sources: Vec<Source> = files.iter().map(source).collect();
        let modules = Modules::below("crates/a/src/lib.rs", &sources);
        let short = |file: &str| file.replace("crates/a/src/", "").replace(".rs", "");
        circles(&modules.imports())
            .into_iter()
            .map(|circle| circle.into_iter().map(short).collect::<Vec<_>>().join(" "))
            .collect()
    }

    #[test]
    fn files_that_import_each_other() {
        let lib = ("lib", "mod a; mod b; mod c; mod d;");
        let files = [
            lib,
            ("a", "use crate::b::B;"),
            ("b", "fn f() { super::c::f() }"),
            ("c", "use super::a;"),
            ("d", "use crate::{a::A, b::B};"),
        ];
        assert_eq!(found(&files), ["a b c"]);
        assert_eq!(found(&[lib, files[1], files[2], files[4]]), [""; 0]);
    }

    #[test]
    fn separate_cycles_are_reported_separately() {
        let files = [
            ("lib", "mod a; mod b; mod c; mod d;"),
            ("a", "use crate::b::B; use crate::c::C;"),
            ("b", "use crate::a::A;"),
            ("c", "use crate::d::D;"),
            ("d", "use crate::c::C;"),
        ];
        assert_eq!(found(&files), ["a b", "c d"]);
    }

    #[test]
    fn a_child_and_the_parent_that_uses_it() {
        let child = ("a/b", "use super::A;");
        let lib = ("lib", "mod a;");
        assert_eq!(found(&[lib, ("a", "mod b; pub use b::B; struct A;"), child]), ["a a/b"]);
        assert_eq!(found(&[lib, ("a", "mod b; fn f() { self::b::f() }"), child]), ["a a/b"]);
        assert_eq!(found(&[lib, ("a", "mod b; struct A;"), child]), [""; 0]);
    }

    #[test]
    fn siblings_are_reached_through_their_parent() {
        let files = [
            ("lib", "mod a;"),
            ("a", "mod b; mod c; pub use b::B;"),
            ("a/b", "use super::c::{self, C};"),
            ("a/c", "fn f() {}"),
        ];
        assert_eq!(found(&files), [""; 0]);
        let back = ("a/c", "use super::super::a::b::B;");
        assert_eq!(found(&[files[0], files[1], files[2], back]), ["a/b a/c"]);
    }

    #[test]
    fn reexports_of_the_root_resolve_to_their_modules() {
        let files = [
            ("lib", "mod a; mod b; pub use a::A; use b::B as C; fn root() {}"),
            ("a", "use crate::C;"),
            ("b", "use crate::A;"),
        ];
        assert_eq!(found(&files), ["a b"]);
        assert_eq!(found(&[files[0], files[1], ("b", "use crate::root;")]), [""; 0]);
    }

    #[test]
    fn modules_within_a_file_are_the_file() {
        let files = [
            ("lib", "mod a; mod b;"),
            ("a", "mod inner { use super::A; use crate::b::B; } use inner::f;"),
            ("b", "use crate::a::inner::f;"),
        ];
        assert_eq!(found(&files), ["a b"]);
        assert_eq!(found(&[files[0], files[1], ("b", "")]), [""; 0]);
    }

    #[test]
    fn tests_and_other_crates_do_not_close_a_cycle() {
        let files = [
            ("lib", "mod a; mod b;"),
            ("a", "use crate::b::B; use other::a::A;"),
            ("b", "use other::crate_a::A; #[cfg(test)] mod tests { use crate::a::A; }"),
        ];
        assert_eq!(found(&files), [""; 0]);
    }

    #[test]
    fn a_cycle_is_described_by_its_imports() {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let sources = [
            source("a/src/lib.rs", "mod a; mod b;"),
            source("a/src/a.rs", "use crate::b::{B, C};"),
            source("a/src/b.rs", "use crate::a;"),
        ];
        let expected = "import cycle of 2 files\n    a/src/a.rs\n        a/src/b.rs: B, C\n    \
                        a/src/b.rs\n        a/src/a.rs: self";
        assert_eq!(problems(&sources), [expected]);
    }
}
