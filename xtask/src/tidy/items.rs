//! Lists the modules declared in a Rust file and the paths it contains, except in test-only code.

use super::tokens::tokens;

#[derive(Debug, PartialEq)]
pub(super) enum Item<'a> {
    /// `mod name;` or, if `in_file`, `mod name { … }`, inside the file's modules `scope`.
    Module { scope: Vec<&'a str>, name: &'a str, in_file: bool },
    /// `a::b::c`, inside the file's modules `scope`. In a `use`, `import` is the imported name.
    Path { scope: Vec<&'a str>, segments: Vec<&'a str>, import: Option<&'a str> },
}

/// Returns the items of a file, in order.
pub(super) fn items(text: &str) -> Vec<Item<'_>> {
    let mut reader = Reader { tokens: tokens(text), at: 0, scope: Vec::new(), depth: 0 };
    let mut items = Vec::new();
    while reader.at < reader.tokens.len() {
        reader.step(&mut items);
    }
    items
}

struct Reader<'a> {
    tokens: Vec<&'a str>,
    at: usize,
    /// The names of the enclosing modules, each with its brace depth.
    scope: Vec<(&'a str, usize)>,
    depth: usize,
}

impl<'a> Reader<'a> {
    /// Returns the token `by` positions ahead, or an empty string at the end.
    fn ahead(&self, by: usize) -> &'a str {
        self.tokens.get(self.at.saturating_add(by)).copied().unwrap_or_default()
    }

    fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }

    fn scope(&self) -> Vec<&'a str> {
        self.scope.iter().map(|(name, _)| *name).collect()
    }

    fn step(&mut self, items: &mut Vec<Item<'a>>) {
        match self.ahead(0) {
            "#" if self.ahead(1) == "[" => {
                if self.attribute_is_for_tests() {
                    self.skip_item();
                }
                return;
            }
            "{" => self.depth = self.depth.saturating_add(1),
            "}" => {
                self.depth = self.depth.saturating_sub(1);
                self.scope.pop_if(|(_, depth)| *depth == self.depth);
            }
            "mod" if matches!(self.ahead(2), ";" | "{") => {
                let (name, in_file) = (self.ahead(1), self.ahead(2) == "{");
                items.push(Item::Module { scope: self.scope(), name, in_file });
                if in_file {
                    self.scope.push((name, self.depth));
                }
                self.skip(2);
                return;
            }
            // Excludes `use<…>` in a type.
            "use" if self.ahead(1) != "<" => return self.imports(items),
            word if self.ahead(1) == "::" && is_word(word) => return self.path(items),
            // Skips the rest of a path that does not start with a word, such as `<T as
            // Trait>::Type`.
            "::" => self.skip(1),
            _ => {}
        }
        self.skip(1);
    }

    /// Skips an attribute and returns whether it is for tests.
    fn attribute_is_for_tests(&mut self) -> bool {
        let mut words = Vec::new();
        let mut open = 0_usize;
        while self.at < self.tokens.len() {
            let token = self.ahead(0);
            self.skip(1);
            match token {
                "[" => open = open.saturating_add(1),
                "]" => open = open.saturating_sub(1),
                _ if is_word(token) => words.push(token),
                _ => {}
            }
            if token == "]" && open == 0 {
                break;
            }
        }
        words.first() == Some(&"cfg") && words.contains(&"test") && !words.contains(&"not")
    }

    /// Skips an item, up to its `;` or closing brace.
    fn skip_item(&mut self) {
        let mut open = 0_usize;
        while self.at < self.tokens.len() {
            match self.ahead(0) {
                "{" | "(" | "[" => open = open.saturating_add(1),
                // The closing brace of the enclosing block: the item was a field or a variant.
                "}" if open == 0 => return,
                "}" if open == 1 => {
                    self.skip(1);
                    return;
                }
                "}" | ")" | "]" => open = open.saturating_sub(1),
                ";" if open == 0 => {
                    self.skip(1);
                    return;
                }
                _ => {}
            }
            self.skip(1);
        }
    }

    /// Adds the paths in a `use …;`.
    fn imports(&mut self, items: &mut Vec<Item<'a>>) {
        let scope = self.scope();
        let mut path: Vec<&str> = Vec::new();
        let mut prefixes: Vec<usize> = Vec::new();
        let mut alias = None;
        self.skip(1);
        while self.at < self.tokens.len() {
            let token = self.ahead(0);
            self.skip(1);
            match token {
                "{" => prefixes.push(path.len()),
                "as" => {
                    alias = Some(self.ahead(0));
                    self.skip(1);
                }
                "," | "}" | ";" => {
                    if path.len() > prefixes.last().copied().unwrap_or_default() {
                        let mut segments = path.clone();
                        segments.pop_if(|last| *last == "self");
                        let import = alias.take().or(segments.last().copied());
                        items.push(Item::Path { scope: scope.clone(), segments, import });
                    }
                    if token == "}" {
                        prefixes.pop();
                    }
                    path.truncate(prefixes.last().copied().unwrap_or_default());
                }
                "*" => path.push(token),
                word if is_word(word) => path.push(word),
                _ => {}
            }
            if token == ";" {
                return;
            }
        }
    }

    fn path(&mut self, items: &mut Vec<Item<'a>>) {
        let mut segments = vec![self.ahead(0)];
        self.skip(1);
        while self.ahead(0) == "::" && is_word(self.ahead(1)) {
            segments.push(self.ahead(1));
            self.skip(2);
        }
        items.push(Item::Path { scope: self.scope(), segments, import: None });
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists modules, and paths as `scope: path` with the names of imports.
    fn listed(text: &str) -> Vec<String> {
        let of = |item: Item<'_>| match item {
            Item::Module { scope, name, in_file } => {
                format!("{}: mod {name}{}", scope.join("/"), if in_file { " {}" } else { "" })
            }
            Item::Path { scope, segments, import } => {
                let import = import.map(|name| format!(" as {name}")).unwrap_or_default();
                format!("{}: {}{import}", scope.join("/"), segments.join("::"))
            }
        };
        items(text).into_iter().map(of).collect()
    }

    #[test]
    fn trees_of_imports() {
        let text = "use a::{b::{C, d::*}, self, E as F}; pub use g; use h::{i,};";
        let expected = [": a::b::C as C", ": a::b::d::* as *", ": a as a", ": a::E as F"];
        assert_eq!(listed(text), [&expected[..], &[": g as g", ": h::i as i"]].concat());
    }

    #[test]
    fn paths_within_items() {
        let text = "fn f(a: b::C<d::E>) -> impl G + use<'_> { <H as i::J>::k(); l::<m::N>::o() }";
        assert_eq!(listed(text), [": b::C", ": d::E", ": i::J", ": l", ": m::N"]);
    }

    #[test]
    fn modules_and_their_contents() {
        let text = "mod a; mod b { fn f() { c::d() } mod e { mod g; } use h::i; } use j::k;";
        let expected = [
            ": mod a",
            ": mod b {}",
            "b: c::d",
            "b: mod e {}",
            "b/e: mod g",
            "b: h::i as i",
            ": j::k as k",
        ];
        assert_eq!(listed(text), expected);
    }

    #[test]
    fn test_only_code_is_ignored() {
        let text = "#[cfg(test)] mod tests { use a::b; } #[cfg(test)] #[allow(x)] mod more;\n\
                    #[cfg(test)] use c::{d, e}; #[cfg(not(test))] use f::g;\n\
                    #[cfg(feature = \"h\")] use i::j; struct S { #[cfg(test)] k: l::M } n::o";
        assert_eq!(listed(text), [": f::g as g", ": i::j as j", ": n::o"]);
    }
}
