//! X3D in its XML encoding (ISO/IEC 19776-1).

use std::collections::HashMap;

use super::nodes::{Base, FieldType, Inlined, Node, Value, node_type, quoted_string};

/// Parses the scene of an `X3D` element from a file in folder `base`.
pub(super) fn scene(x3d: roxmltree::Node<'_, '_>, base: &str, inlined: Inlined<'_>) -> Node {
    assert_eq!(x3d.tag_name().name(), "X3D");
    let mut reader = Reader { base, inlined, named: HashMap::new() };
    let mut scene = Node::new("Scene", false, base);
    if let Some(element) = x3d.children().find(|child| child.tag_name().name() == "Scene") {
        reader.read_children(element, &mut scene);
    }
    scene
}

struct Reader<'a> {
    base: &'a str,
    inlined: Inlined<'a>,
    /// The nodes with DEF names so far.
    named: HashMap<String, Node>,
}

impl Reader<'_> {
    fn read_children(&mut self, element: roxmltree::Node<'_, '_>, node: &mut Node) {
        for child in element.children().filter(roxmltree::Node::is_element) {
            let kind = child.tag_name().name();
            let by_type = node_type(kind, false).map_or("children", |known| known.container);
            let container = child.attribute("containerField").unwrap_or(by_type).to_owned();
            let child = self.read_node(child);
            match node.fields.entry(container).or_insert(Value::Nodes(Vec::new())) {
                Value::Nodes(nodes) => nodes.push(child),
                other => panic!("a node in a field of {other:?}"),
            }
        }
    }

    fn read_node(&mut self, element: roxmltree::Node<'_, '_>) -> Node {
        let kind = element.tag_name().name();
        if let Some(name) = element.attribute("USE") {
            let node = self.named.get(name).unwrap_or_else(|| panic!("no node {name}")).clone();
            assert_eq!(node.kind, kind, "the type of {name}");
            return node;
        }
        let mut node = Node::new(kind, false, self.base);
        let known = node_type(kind, false);
        for attribute in element.attributes() {
            match attribute.name() {
                "DEF" => node.def = Some(attribute.value().to_owned()),
                "containerField" => {}
                name => {
                    let text = attribute.value();
                    let (name, value) = match known.and_then(|known| known.field(kind, name)) {
                        Some((name, field)) => (name, value(text, &field)),
                        // Unknown attributes can only be compared as text.
                        None => {
                            let words = text.split_whitespace().map(str::to_owned);
                            (name, Value::Texts(words.collect()))
                        }
                    };
                    node.fields.insert(name.to_owned(), value);
                }
            }
        }
        self.read_children(element, &mut node);
        node.fill_inline(self.inlined);
        if let Some(name) = &node.def {
            self.named.insert(name.clone(), node.clone());
        }
        node
    }
}

fn value(text: &str, field: &FieldType) -> Value {
    match field.base {
        Base::Text if field.many => Value::Texts(quoted(text)),
        Base::Text => Value::Texts(vec![text.to_owned()]),
        Base::Node => panic!("a node in an attribute"),
        _ => {
            let words = text.split(|c: char| c.is_whitespace() || c == ',');
            field.value_of_words(&words.filter(|word| !word.is_empty()).collect::<Vec<_>>())
        }
    }
}

/// Returns the strings of a list. A text without quotation marks is a single string.
fn quoted(text: &str) -> Vec<String> {
    if !text.contains('"') {
        return Some(text.trim().to_owned()).into_iter().filter(|text| !text.is_empty()).collect();
    }
    let mut strings = Vec::new();
    let mut chars = text.chars();
    while chars.by_ref().any(|c| c == '"') {
        strings.push(quoted_string(&mut chars));
    }
    strings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_strings_are_quoted() {
        assert_eq!(quoted(r#""EXAMINE", "ANY""#), ["EXAMINE", "ANY"]);
        assert_eq!(quoted(r#" "a \"b\" \\ c" "" "#), [r#"a "b" \ c"#, ""]);
        assert_eq!(quoted("plain.png"), ["plain.png"]);
        assert!(quoted(" ").is_empty());
    }
}
