//! `resource.xml`: the file that names the animations of a creature or an item.
//!
//! Elements and attributes: `https://castle-engine.io/creating_resources.php`.

use anim_ir::diag::quote;
use anim_ir::source::locate;
use anim_ir::text::{EncodingError, Text};
use anim_ir::{EditError, ParseError, Span, sort_by, xml};
use roxmltree::{Attribute, Document as Tree, Node, ParsingOptions};

use crate::tags::slice;
use crate::writer::escape;

/// Former names of animations, and their current names.
const RENAMED: [(&str, &str); 4] = [
    ("stand", "idle"),
    ("stand_to_walk", "idle_to_walk"),
    ("dying", "die"),
    ("dying_back", "die_back"),
];

/// A parsed `resource.xml` of Castle Game Engine.
///
/// ```
/// let file = br#"<resource name="Ghost" type="WalkAttack">
///   <model>
///     <stand file_name="stand.kanim"/> <!-- was idle -->
///   </model>
/// </resource>"#;
/// let resource = fmt_castle::Resource::parse(&file[..])?;
/// let idle = &resource.animations()[0];
/// assert_eq!((idle.name(), idle.url()), ("idle", Some("stand.kanim")));
///
/// let with_one_model = resource.with_model("ghost.glb", &[Some("idle".to_owned())])?;
/// assert_eq!(with_one_model, br#"<resource name="Ghost" type="WalkAttack">
///   <model url="ghost.glb">
///     <idle animation_name="idle"/> <!-- was idle -->
///   </model>
/// </resource>"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Resource<'a> {
    text: Text<'a>,
    name: String,
    image: Option<String>,
    model: Element,
    animations: Vec<ResourceAnimation>,
}

/// An animation of a [`Resource`]: a child element of `model`.
#[derive(Clone, Debug)]
pub struct ResourceAnimation {
    element: Element,
}

/// An element that can name a file and an animation in it.
#[derive(Clone, Debug)]
struct Element {
    /// The current name of the element.
    name: String,
    /// The names in the opening and the closing tag.
    names: Vec<Span>,
    url: Option<Value>,
    animation: Option<Value>,
}

/// An attribute.
#[derive(Clone, Debug)]
struct Value {
    /// The whole attribute.
    span: Span,
    text: String,
}

impl<'a> Resource<'a> {
    /// Parses a file.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError`] if the file is not well-formed XML in a supported encoding, if its
    /// root element is not `resource`, or if it does not have a single `model` element.
    pub fn parse(source: &'a [u8]) -> Result<Resource<'a>, ParseError> {
        let text = Text::of_xml(source).map_err(|error| {
            let span = match &error {
                EncodingError::Invalid { offset, .. } => Span::new(*offset, *offset + 1),
                EncodingError::Unsupported { span, .. } => *span,
                _ => Span::new(0, 0),
            };
            ParseError::encoding(span, error.to_string())
        })?;
        let whole = text.as_str();
        let place = |span: Span| (text.source_span(span), locate(whole.as_bytes(), span.start));
        let broken = |span: Span, problem: String| {
            let (span, at) = place(span);
            ParseError::structure(span, problem).at(at)
        };
        xml::check(whole).map_err(|error| broken(error.span, error.message))?;
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        // The tree has no byte order mark.
        let mark = whole.len() - whole.trim_start_matches('\u{feff}').len();
        let tree = Tree::parse_with_options(slice(whole, Span::new(mark, whole.len())), options)
            .map_err(|error| broken(Span::new(0, 0), error.to_string()))?;
        let root = tree.root_element();
        let tag = |node: Node<'_, '_>| tag_names(whole, node, mark).into_iter().next();
        let at = tag(root).unwrap_or_default();
        if !root.has_tag_name("resource") {
            let name = quote(root.tag_name().name().as_bytes());
            let (span, at) = place(at);
            let message = format!("the root element is {name}, not `resource`");
            return Err(ParseError::format(span, message).at(at));
        }
        let mut models = root.children().filter(|node| node.has_tag_name("model"));
        let model = models
            .next()
            .ok_or_else(|| broken(at, "the resource has no `model` element".to_owned()))?;
        if let Some(second) = models.next() {
            let span = tag(second).unwrap_or_default();
            return Err(broken(span, "a second `model` element".to_owned()));
        }
        let element = |node: Node<'_, '_>| Element::of(whole, node, mark);
        let animations = model.children().filter(Node::is_element).map(element);
        let is_animation = |it: &Element| it.url.is_some() || it.animation.is_some();
        let animations = animations.filter(is_animation);
        Ok(Resource {
            name: root.attribute("name").unwrap_or_default().to_owned(),
            image: root.attribute("image").map(str::to_owned),
            model: element(model),
            animations: animations.map(|element| ResourceAnimation { element }).collect(),
            text: text.clone(),
        })
    }

    /// Returns the name of the resource; empty if it has none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the address of the image that represents an item.
    pub fn image(&self) -> Option<&str> {
        self.image.as_deref()
    }

    /// Returns the address of the model that contains the animations without an address.
    pub fn url(&self) -> Option<&str> {
        self.model.url.as_ref().map(|url| url.text.as_str())
    }

    /// Returns the animations, in file order.
    pub fn animations(&self) -> &[ResourceAnimation] {
        &self.animations
    }

    /// Returns the file with all animations in one model: its address is set on `model`, and those
    /// of the animations with a new name are replaced by that name. Everything else stays as it
    /// is; former names of elements and attributes become the current ones only where an attribute
    /// is replaced.
    ///
    /// `names` contains the new name for each animation, or `None` to leave it unchanged.
    ///
    /// # Errors
    ///
    /// Returns [`EditError`] if the address or a name cannot be represented in XML.
    pub fn with_model(&self, url: &str, names: &[Option<String>]) -> Result<Vec<u8>, EditError> {
        let attribute = |name: &str, value: &str| {
            Ok::<_, EditError>(format!("{name}=\"{}\"", escape("the value", value)?))
        };
        let url = attribute("url", url)?;
        let start = self.model.names.first().map_or(0, |name| name.end);
        let mut edits = vec![match &self.model.url {
            Some(old) => (old.span, url),
            None => (Span::new(start, start), format!(" {url}")),
        }];
        for (ResourceAnimation { element }, name) in self.animations.iter().zip(names) {
            let Some(name) = name else { continue };
            let animation = attribute("animation_name", name)?;
            let Some(replaced) = element.animation.as_ref().or(element.url.as_ref()) else {
                continue;
            };
            if let (Some(url), Some(_)) = (&element.url, &element.animation) {
                edits.push((self.with_blanks(url.span), String::new()));
            }
            edits.push((replaced.span, animation));
            edits.extend(element.names.iter().map(|span| (*span, element.name.clone())));
        }
        sort_by(&mut edits, |(a, _), (b, _)| (a.start, a.end).cmp(&(b.start, b.end)));
        let whole = self.text.as_str();
        let mut new = String::with_capacity(whole.len());
        let mut at = 0;
        for (span, replacement) in &edits {
            new.push_str(slice(whole, Span::new(at, span.start)));
            new.push_str(replacement);
            at = span.end;
        }
        new.push_str(slice(whole, Span::new(at, whole.len())));
        let mut text = self.text.clone();
        text.splice(Span::new(0, whole.len()), &new);
        Ok(text.to_bytes().into_owned())
    }

    /// Extends the span of an attribute to the whitespace before it.
    fn with_blanks(&self, span: Span) -> Span {
        let before = slice(self.text.as_str(), Span::new(0, span.start));
        Span::new(before.trim_end().len(), span.end)
    }
}

impl ResourceAnimation {
    /// Returns the current name of the element, such as `idle`, which replaces the former name
    /// `stand`.
    pub fn name(&self) -> &str {
        &self.element.name
    }

    /// Returns the address of the file that contains the animation, if it is not in the model.
    pub fn url(&self) -> Option<&str> {
        self.element.url.as_ref().map(|url| url.text.as_str())
    }

    /// Returns the name of the animation in its file.
    pub fn animation(&self) -> Option<&str> {
        self.element.animation.as_ref().map(|name| name.text.as_str())
    }
}

impl Element {
    fn of(text: &str, node: Node<'_, '_>, mark: usize) -> Element {
        let name = node.tag_name().name();
        let current = RENAMED.iter().find_map(|(old, new)| (*old == name).then_some(*new));
        let attribute = |names: [&str; 2]| {
            let found = names.into_iter().find_map(|name| {
                node.attributes().find(|it| it.namespace().is_none() && it.name() == name)
            })?;
            let range = Attribute::range(&found);
            let span = Span::new(range.start + mark, range.end + mark);
            Some(Value { span, text: found.value().to_owned() })
        };
        Element {
            name: current.unwrap_or(name).to_owned(),
            names: tag_names(text, node, mark),
            url: attribute(["url", "file_name"]),
            animation: attribute(["animation_name", "time_sensor"]),
        }
    }
}

/// Returns the spans of an element's name in its tags, without its prefix.
fn tag_names(text: &str, node: Node<'_, '_>, mark: usize) -> Vec<Span> {
    let range = node.range();
    let element = Span::new(range.start + mark, range.end + mark);
    let inside = slice(text, element);
    let name = |start: usize| {
        let rest = inside.get(start..).unwrap_or_default();
        let end = rest.find([' ', '\t', '\r', '\n', '/', '>']).unwrap_or(rest.len());
        let prefix = rest.get(..end).and_then(|name| name.find(':')).map_or(0, |colon| colon + 1);
        Span::new(element.start + start + prefix, element.start + start + end)
    };
    let close = (!inside.ends_with("/>")).then(|| inside.rfind("</")).flatten();
    std::iter::once(name(1)).chain(close.map(|at| name(at + 2))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn migrated(file: &str, names: &[Option<&str>]) -> String {
        let resource = Resource::parse(file.as_bytes()).unwrap();
        let names: Vec<Option<String>> = names.iter().map(|name| name.map(str::to_owned)).collect();
        String::from_utf8(resource.with_model("x.glb", &names).unwrap()).unwrap()
    }

    #[test]
    fn encodings_that_are_not_supported_are_errors() {
        let span = |file: &[u8]| Resource::parse(file).unwrap_err().span();
        let file = b"<?xml version='1.0' encoding='EBCDIC'?><resource><model/></resource>";
        let declared = span(file).unwrap();
        assert_eq!(&file[declared.start..declared.end], b"EBCDIC");
        assert_eq!(span(b"<resource>\xff</resource>"), Some(Span::new(10, 11)));
    }

    #[test]
    fn attributes_are_replaced_in_place() {
        let file = "\u{feff}<?xml version='1.0'?>\n<!-- kept: <model url='no'/> -->\n<resource \
                    name='A&amp;B'  image=\"i.png\">\n<model\tpool='3' >\n  <walk \
                    file_name = 'w.kanim' time_sensor='W' >x</walk >\n  <dying url='d.wrl' \
                    /><dying/>\n<stand animation_name=\"S\"/></model><model2 url='x'/></resource>";
        let resource = Resource::parse(file.as_bytes()).unwrap();
        assert_eq!((resource.name(), resource.image()), ("A&B", Some("i.png")));
        let animations: Vec<_> =
            resource.animations().iter().map(|it| (it.name(), it.url(), it.animation())).collect();
        assert_eq!(
            animations,
            [
                ("walk", Some("w.kanim"), Some("W")),
                ("die", Some("d.wrl"), None),
                ("idle", None, Some("S"))
            ]
        );
        assert_eq!(
            migrated(file, &[Some("walk"), Some("a\"b"), None]),
            file.replace("<model\t", "<model url=\"x.glb\"\t")
                .replace(" file_name = 'w.kanim' time_sensor='W'", " animation_name=\"walk\"")
                .replace("<dying url='d.wrl'", "<die animation_name=\"a&quot;b\"")
        );
        // The name in the closing tag follows that in the opening tag.
        let open = "<resource><model file_name='a'><stand url='b'>\n</stand ></model></resource>";
        assert_eq!(
            migrated(open, &[Some("idle")]),
            "<resource><model url=\"x.glb\"><idle animation_name=\"idle\">\n</idle \
             ></model></resource>"
        );
    }

    #[test]
    fn prefixes_are_kept() {
        let file = "<r:resource xmlns:r='u'><r:model><a:stand xmlns:a='v' url='b'>\n</a:stand \
                    ></r:model></r:resource>";
        assert_eq!(
            migrated(file, &[Some("idle")]),
            file.replace("<r:model>", "<r:model url=\"x.glb\">")
                .replace("a:stand", "a:idle")
                .replace("url='b'", "animation_name=\"idle\"")
        );
    }

    #[test]
    fn encodings_are_kept() {
        let file = "<?xml version='1.0' encoding='ISO-8859-1'?><resource name='\u{e9}'><model>\
                    <a url='\u{e9}'/></model></resource>";
        let latin: Vec<u8> = file.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        let resource = Resource::parse(&latin).unwrap();
        assert_eq!(resource.animations()[0].url(), Some("\u{e9}"));
        let out = resource.with_model("\u{e9}\u{142}.glb", &[Some("a".to_owned())]).unwrap();
        let expected = file
            .replace("<model>", "<model url=\"\u{e9}&#322;.glb\">")
            .replace("url='\u{e9}'/>", "animation_name=\"a\"/>");
        assert_eq!(out, expected.chars().map(|c| c as u8).collect::<Vec<u8>>());
    }

    #[test]
    fn other_files_are_refused() {
        for (file, message) in [
            ("", "missing root element"),
            ("<resource>", "not closed"),
            ("<animations/>", "the root element is `animations`, not `resource`"),
            ("<resource/>", "no `model` element"),
            ("<resource><model/>\n<model/></resource>", "a second `model` element"),
            ("<!DOCTYPE r [<!ENTITY a 'b'>]><resource/>", "DTD not allowed"),
        ] {
            let error = Resource::parse(file.as_bytes()).unwrap_err();
            assert!(error.to_string().contains(message), "{file}: {error}");
        }
        let error = Resource::parse(b"<resource><model/>\n<model/></resource>").unwrap_err();
        assert_eq!(error.location().map(|at| (at.line, at.column)), Some((2, 2)));
        assert!(Resource::parse(&[0xff, 0x80]).is_err());
    }
}
