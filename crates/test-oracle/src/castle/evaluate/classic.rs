//! X3D in its classic encoding (ISO/IEC 19776-2), VRML 97 (ISO/IEC 14772-1) and VRML 1.0.

use std::collections::HashMap;

use super::nodes::{Base, FieldType, Inlined, Node, Value, node_type, quoted_string};

/// Parses the scene in a text from a file in folder `base`.
pub(super) fn scene(text: &str, vrml1: bool, base: &str, inlined: Inlined<'_>) -> Node {
    let mut reader =
        Reader { tokens: tokens(text), at: 0, vrml1, base, inlined, named: HashMap::new() };
    let mut scene = Node::new("Scene", vrml1, base);
    let mut children = Vec::new();
    while reader.at < reader.tokens.len() {
        if vrml1 || !reader.skip_statement() {
            children.push(reader.read_node());
        }
    }
    scene.fields.insert("children".to_owned(), Value::Nodes(children));
    scene
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// A bracket: `{`, `}`, `[` or `]`.
    Bracket(char),
    Quoted(String),
    Word(String),
}

/// Splits a text into tokens. Commas are whitespace; `#` starts a comment that extends to the end
/// of the line.
fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '#' => {
                chars.by_ref().find(|c| matches!(c, '\n' | '\r'));
            }
            '{' | '}' | '[' | ']' => tokens.push(Token::Bracket(c)),
            '"' => {
                tokens.push(Token::Quoted(quoted_string(&mut chars)));
            }
            c if c.is_whitespace() || c == ',' => {}
            c => {
                let mut word = String::from(c);
                while let Some(c) = chars.next_if(|c| {
                    !c.is_whitespace() && !matches!(c, ',' | '{' | '}' | '[' | ']' | '"' | '#')
                }) {
                    word.push(c);
                }
                tokens.push(Token::Word(word));
            }
        }
    }
    tokens
}

struct Reader<'a> {
    tokens: Vec<Token>,
    at: usize,
    vrml1: bool,
    base: &'a str,
    inlined: Inlined<'a>,
    /// The most recent node for each DEF name.
    named: HashMap<String, Node>,
}

impl Reader<'_> {
    fn next(&mut self) -> Token {
        let token = self.tokens.get(self.at).expect("more text").clone();
        self.at += 1;
        token
    }

    fn word(&mut self) -> String {
        match self.next() {
            Token::Word(word) => word,
            other => panic!("{other:?} instead of a word"),
        }
    }

    /// Consumes the next token if it is the given bracket or word. Returns whether it was consumed.
    fn takes(&mut self, text: &str) -> bool {
        let found = match self.tokens.get(self.at) {
            Some(Token::Bracket(bracket)) => text.len() == 1 && text.starts_with(*bracket),
            Some(Token::Word(word)) => word == text,
            _ => false,
        };
        self.at += usize::from(found);
        found
    }

    /// Skips a statement between nodes. Returns false if the next token does not start one.
    fn skip_statement(&mut self) -> bool {
        let Some(Token::Word(word)) = self.tokens.get(self.at) else {
            return false;
        };
        let length = match &**word {
            "PROFILE" => 2,
            "META" => 3,
            _ => return false,
        };
        self.at += length;
        true
    }

    fn read_node(&mut self) -> Node {
        let first = self.word();
        match &*first {
            "USE" => {
                let name = self.word();
                self.named.get(&name).unwrap_or_else(|| panic!("no node {name}")).clone()
            }
            "DEF" => {
                let name = self.word();
                let kind = self.word();
                let mut node = self.read_body(&kind);
                node.def = Some(name.clone());
                self.named.insert(name, node.clone());
                node
            }
            kind => self.read_body(kind),
        }
    }

    fn read_body(&mut self, kind: &str) -> Node {
        assert!(self.takes("{"), "{kind} without an opening brace");
        let mut node = Node::new(kind, self.vrml1, self.base);
        let known = node_type(kind, self.vrml1).unwrap_or_else(|| panic!("a {kind}"));
        let mut children = Vec::new();
        while !self.takes("}") {
            if !self.vrml1 && self.skip_statement() {
                continue;
            }
            let Some(Token::Word(word)) = self.tokens.get(self.at) else {
                panic!("expected a field of {kind} at {:?}", self.tokens.get(self.at));
            };
            // In VRML 1.0, the children of grouping nodes are not in a field.
            let field = known.field(kind, word);
            match field.filter(|(_, field)| !self.vrml1 || field.base != Base::Node) {
                Some((name, field)) => {
                    self.at += 1;
                    let value = self.read_value(&field);
                    node.fields.insert(name.to_owned(), value);
                }
                None if self.vrml1 && known.fields.contains_key("children") => {
                    children.push(self.read_node())
                }
                None => panic!("{kind} has no field {word}"),
            }
        }
        if self.vrml1 && known.fields.contains_key("children") {
            node.fields.insert("children".to_owned(), Value::Nodes(children));
        }
        node.fill_inline(self.inlined);
        node
    }

    fn read_value(&mut self, field: &FieldType) -> Value {
        let list = field.many && self.takes("[");
        let mut count = 0;
        let (mut words, mut texts, mut nodes) = (Vec::new(), Vec::new(), Vec::new());
        while if list { !self.takes("]") } else { count == 0 } {
            count += 1;
            match field.base {
                Base::Node if self.takes("NULL") => {}
                Base::Node => nodes.push(self.read_node()),
                Base::Text => texts.push(self.read_text()),
                Base::Numbers(size) => words.extend((0..size).map(|_| self.word())),
                Base::Rotation => words.extend((0..4).map(|_| self.word())),
                Base::Integer | Base::Flag => words.push(self.word()),
                Base::Enumerated => words.push(self.read_enumerated()),
            }
        }
        match field.base {
            Base::Node => Value::Nodes(nodes),
            Base::Text => Value::Texts(texts),
            _ => field.value_of_words(&words.iter().map(String::as_str).collect::<Vec<_>>()),
        }
    }

    /// Reads a string, which may be unquoted in VRML 1.0.
    fn read_text(&mut self) -> String {
        match self.next() {
            Token::Quoted(text) => text,
            Token::Word(word) if self.vrml1 => word,
            other => panic!("{other:?} instead of a string"),
        }
    }

    /// Reads a word, or words such as `(SIDES | TOP)`, which become `SIDES|TOP`.
    fn read_enumerated(&mut self) -> String {
        let mut text = self.word();
        while text.starts_with('(') && !text.ends_with(')') {
            text += &self.word();
        }
        text.trim_matches(['(', ')']).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_split_at_whitespace_brackets_and_comments() {
        let word = |text: &str| Token::Word(text.to_owned());
        let found = tokens("point[1,2 # not this: {\n-.5]\"a # \\\" b\"x{");
        let b = Token::Bracket;
        let expected = [
            word("point"),
            b('['),
            word("1"),
            word("2"),
            word("-.5"),
            b(']'),
            Token::Quoted("a # \" b".to_owned()),
            word("x"),
            b('{'),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn words_in_parentheses_are_one_value() {
        let parts = |text: &str| {
            let text = format!("Cone {{ parts {text} height 3 }}");
            let scene = scene(&text, true, "", &|_| panic!("unexpected inlined file"));
            assert_eq!(scene.nodes("children")[0].number("height"), 3.0);
            scene.nodes("children")[0].texts("parts")[0].clone()
        };
        assert_eq!(parts("ALL"), "ALL");
        assert_eq!(parts("(SIDES)"), "SIDES");
        assert_eq!(parts("( SIDES | BOTTOM )"), "SIDES|BOTTOM");
        assert_eq!(parts("(SIDES|BOTTOM)"), "SIDES|BOTTOM");
    }
}
