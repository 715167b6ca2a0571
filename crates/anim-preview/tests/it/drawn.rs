//! Reads diagrams as a person does: by the labels of their axes.

use roxmltree::{Document, Node};

/// Parses a diagram, and checks what holds for all of them.
pub(crate) fn parsed(svg: &str) -> Document<'_> {
    let document = Document::parse(svg).unwrap();
    let root = document.root_element();
    let size = ["width", "height"].map(|name| number(root, name));
    assert_eq!(root.attribute("viewBox"), Some(&*format!("0 0 {} {}", size[0], size[1])));
    for node in document.descendants() {
        for attribute in node.attributes() {
            let value = attribute.value();
            let is_number = !attribute.name().starts_with("data-");
            assert!(!is_number || !(value.contains("NaN") || value.contains("inf")), "{value}");
            assert!(attribute.name() != "href" && !value.contains("url("), "{value}");
        }
    }
    document
}

pub(crate) fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

/// Returns the group with this attribute.
pub(crate) fn group<'a, 'b>(document: &'a Document<'b>, name: &str, value: &str) -> Node<'a, 'b> {
    document.descendants().find(|node| node.attribute(name) == Some(value)).unwrap()
}

/// The texts below a node, with their places.
pub(crate) fn texts(node: Node<'_, '_>) -> Vec<(String, f64, f64)> {
    let texts = node.descendants().filter(|node| node.has_tag_name("text"));
    texts
        .map(|text| {
            let own = text.last_child().and_then(|child| child.text()).unwrap_or_default();
            (own.to_owned(), number(text, "x"), number(text, "y"))
        })
        .collect()
}

/// Returns a function from values to coordinates, from the labels of the ticks of an axis.
pub(crate) fn axis(ticks: &[(f64, f64)]) -> impl Fn(f64) -> f64 + use<> {
    let (first, last) = (ticks[0], ticks[ticks.len() - 1]);
    assert!(ticks.len() >= 2 && last.0 > first.0, "{ticks:?}");
    move |value| first.1 + (value - first.0) / (last.0 - first.0) * (last.1 - first.1)
}

/// Returns where times are, from the axis of seconds.
pub(crate) fn seconds(document: &Document<'_>) -> impl Fn(f64) -> f64 + use<> {
    scale(document, "s")
}

/// Returns where values are, from the axis of a unit.
pub(crate) fn scale(document: &Document<'_>, unit: &str) -> impl Fn(f64) -> f64 + use<> {
    let ticks: Vec<(f64, f64)> = texts(group(document, "data-scale", unit))
        .iter()
        .filter_map(|(label, x, _)| Some((label.parse().ok()?, *x)))
        .collect();
    axis(&ticks)
}

/// Returns the points of a path that consists of lines.
pub(crate) fn points(path: Node<'_, '_>) -> Vec<(f64, f64)> {
    let data = path.attribute("d").unwrap().replace("h0", "");
    let points = data.split(['M', 'L']).filter(|point| !point.is_empty());
    points
        .map(|point| {
            let (x, y) = point.split('v').next().unwrap().split_once(' ').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        })
        .collect()
}

#[track_caller]
pub(crate) fn assert_near(found: (f64, f64), expected: (f64, f64)) {
    let distance = (found.0 - expected.0).abs().max((found.1 - expected.1).abs());
    assert!(distance < 0.02, "{found:?} is not {expected:?}");
}
