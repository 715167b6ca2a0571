//! Documents: a file's bytes and its parsed JSON.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use anim_ir::address::is_data;
use anim_ir::diag::{escape, quote};
use anim_ir::source::locate;
use anim_ir::{Budget, Diagnostics, ParseError, Parsed, Span};
use serde::Deserialize as _;

use crate::json::strict::Strict;
use crate::json::{self, extension};
use crate::read::order::Order;
use crate::{codes, glb};

/// Supported extensions.
const KNOWN: [&str; 4] = [
    extension::ANIMATION_POINTER,
    extension::MATERIALS_UNLIT,
    extension::MESH_QUANTIZATION,
    extension::NODE_VISIBILITY,
];
/// The beginnings of the names of extensions without which a scene has other lights, looks or
/// metadata, but the same shapes and motion. Exporters often require them nevertheless.
const WITHOUT_SHAPE: [&str; 6] =
    ["KHR_lights_", "EXT_lights_", "KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_xmp"];
/// Maximum number of extension names to report.
const NAMES_TOLD: usize = 8;

anim_ir::options! {
    /// Options for reading a file.
    pub struct ParseOptions {}
}

/// The charge for each object of the JSON, in bytes. A node takes eight times as much until it is
/// written; the budget of a document counts an eighth of the memory.
const OBJECT: usize = 64;
/// The additional charge for a material, which is larger than a node.
const MATERIAL: usize = 32;

/// A GLB or `.gltf` file with a valid structure: the JSON properties that this crate reads have the
/// types required by the glTF schema, and the nodes form trees. Mesh data and keys have not been
/// checked.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(crate) bytes: Cow<'a, [u8]>,
    pub(crate) json: Range<usize>,
    /// The binary chunk of a GLB.
    pub(crate) bin: Option<Range<usize>>,
    pub(crate) root: Arc<json::Root<'static>>,
    pub(crate) order: Arc<Order>,
}

impl<'a> Document<'a> {
    /// Reads the structure of a GLB or `.gltf` file; the kind is detected from the content.
    pub(crate) fn read(
        bytes: Cow<'a, [u8]>,
        options: &ParseOptions,
    ) -> Result<Parsed<Document<'a>>, ParseError> {
        options.limits.check_input(bytes.len())?;
        let mut diagnostics = Diagnostics::within(&options.limits);
        let glb::Parts { json, bin } = glb::split(&bytes, &mut diagnostics)?;
        // Most objects are longer than `{}`, and pay for themselves.
        let budget = Budget::new(&options.limits, bytes.len());
        let text = bytes.get(json.clone()).unwrap_or_default();
        let objects = memchr::memchr_iter(b'{', text).count();
        budget.charge("the objects of the JSON", objects.saturating_mul(OBJECT))?;
        let root = parse(&bytes, json.clone())?;
        budget.charge("materials", root.materials.len().saturating_mul(MATERIAL))?;
        let broken = |message: String| ParseError::structure(Span::new(0, bytes.len()), message);
        check_extensions(&root, &mut diagnostics).map_err(broken)?;
        let order = Order::of(&root).map_err(|fault| broken(fault.to_string()))?;
        let (root, order) = (Arc::new(root), Arc::new(order));
        Ok(Parsed { value: Document { bytes, json, bin, root, order }, diagnostics })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the JSON, unchanged.
    pub fn json(&self) -> &[u8] {
        self.bytes.get(self.json.clone()).unwrap_or_default()
    }

    /// Returns the binary chunk of a GLB, or `None` if missing.
    pub fn bin(&self) -> Option<&[u8]> {
        self.bytes.get(self.bin.clone()?)
    }

    /// Returns the parsed JSON.
    pub(crate) fn root(&self) -> &json::Root<'static> {
        &self.root
    }

    /// Returns the node hierarchy.
    pub(crate) fn order(&self) -> &Order {
        &self.order
    }

    /// Whether the file is a GLB, as opposed to plain JSON.
    pub fn is_glb(&self) -> bool {
        glb::is_glb(&self.bytes)
    }

    /// Whether the file refers to companion files: buffers or images.
    pub fn has_companions(&self) -> bool {
        let buffers = self.root.buffers.iter().filter_map(|buffer| buffer.uri.as_deref());
        let mut uris =
            buffers.chain(self.root.images.iter().filter_map(|image| image.uri.as_deref()));
        uris.any(|uri| !is_data(uri))
    }
}

fn parse(bytes: &[u8], place: Range<usize>) -> Result<json::Root<'static>, ParseError> {
    let json = bytes.get(place.clone()).unwrap_or_default();
    // Some writers pad with zeros instead of the required spaces.
    let end = json
        .iter()
        .rposition(|byte| !matches!(byte, 0 | b' ' | b'\t' | b'\r' | b'\n'))
        .map_or(0, |last| last.saturating_add(1));
    let mut reader = serde_json::Deserializer::from_slice(json.get(..end).unwrap_or_default());
    let root = json::Root::deserialize(Strict(&mut reader))
        .and_then(|root| reader.end().map(|()| root))
        .map_err(|error| {
            if let Some(version) = first_version(json) {
                return glb::wrong_version(None, &quote(version.as_bytes()));
            }
            let message = if error.is_eof() {
                "unexpected end of the JSON: the file looks cut off".to_owned()
            } else {
                escape(&in_words_of_json(&without_place(&error.to_string())))
            };
            let (line, column) = (error.line(), error.column());
            let at = place.start.saturating_add(offset(json, line, column));
            let span = Span::new(at, at.saturating_add(1).min(place.end));
            if glb::is_glb(bytes) {
                let message = format!("line {line}, column {column} of the JSON: {message}");
                return ParseError::structure(span, message);
            }
            ParseError::structure(span, message).at(locate(bytes, at))
        })?;
    let Some(asset) = &root.asset else {
        return Err(ParseError::format(None, "missing `asset` property"));
    };
    let version = asset.min_version.as_deref().unwrap_or(&asset.version);
    let known =
        if asset.min_version.is_some() { version == "2.0" } else { version.starts_with("2.") };
    if known { Ok(root) } else { Err(glb::wrong_version(None, &quote(version.as_bytes()))) }
}

/// Returns the version of a file of glTF 1, which has objects where glTF 2 has arrays.
fn first_version(json: &[u8]) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Root {
        asset: Asset,
    }
    #[derive(serde::Deserialize)]
    struct Asset {
        version: String,
    }
    let root: Root = serde_json::from_slice(json).ok()?;
    Some(root.asset.version).filter(|version| version.starts_with("1."))
}

/// Converts a line and column from `serde_json` to a byte offset. Columns are 1-based byte counts;
/// an error at a line break has column 0 of the next line.
fn offset(json: &[u8], line: usize, column: usize) -> usize {
    let before = json.split_inclusive(|byte| *byte == b'\n').take(line.saturating_sub(1));
    let start: usize = before.map(<[u8]>::len).sum();
    start.saturating_add(column.saturating_sub(1)).min(json.len())
}

/// Strips the position from a `serde_json` message, since it is reported separately.
fn without_place(message: &str) -> String {
    message
        .split_once(" at line ")
        .map_or(message, |(message, _)| message)
        .chars()
        .take(200)
        .collect()
}

/// Rewrites a `serde_json` message about a wrong value, which has words for the types of Rust.
fn in_words_of_json(message: &str) -> String {
    let Some((found, expected)) = message.rsplit_once(", expected ") else {
        let known = match message {
            "expected value" => "expected a value",
            "expected ident" => "expected a value, such as `true`, `false` or `null`",
            "key must be a string" => "expected the name of a property, in double quotes",
            "trailing characters" => "unexpected text after the end of the JSON",
            other => other,
        };
        return known.to_owned();
    };
    // "invalid type: map", "invalid value: integer `-1`" and "invalid length 2".
    let found = match found.split_once(": ") {
        Some((_, value)) => json_word(value),
        None => found.strip_prefix("invalid ").unwrap_or(found),
    };
    format!("expected {}, found {found}", json_word(expected))
}

/// Returns what JSON calls a type or value.
fn json_word(word: &str) -> &str {
    match word {
        "sequence" | "a sequence" => "an array",
        "map" | "a map" => "an object",
        "usize" | "u32" => "a whole number from 0",
        "f32" => "a number",
        _ => {
            let mut kinds = ["integer ", "floating point ", "boolean "].into_iter();
            kinds.find_map(|kind| word.strip_prefix(kind)).unwrap_or(word)
        }
    }
}

fn check_extensions(root: &json::Root<'_>, found: &mut Diagnostics) -> Result<(), String> {
    fn unknown<'a>(names: &'a [Cow<'_, str>]) -> impl Iterator<Item = &'a str> {
        names.iter().map(|name| &**name).filter(|name| !KNOWN.contains(name))
    }
    let is_harmless =
        |name: &&str| WITHOUT_SHAPE.into_iter().any(|beginning| name.starts_with(beginning));
    let refused = unknown(&root.extensions_required).filter(|name| !is_harmless(name));
    let refused: Vec<String> =
        refused.take(NAMES_TOLD).map(|name| quote(name.as_bytes())).collect();
    if !refused.is_empty() {
        return Err(format!("the file requires unsupported extensions: {}", refused.join(", ")));
    }
    for name in unknown(&root.extensions_required).take(NAMES_TOLD) {
        let name = quote(name.as_bytes());
        found.push(&codes::EXTENSION_REQUIRED, None, || {
            format!("/extensionsRequired: {name} is not supported")
        });
    }
    let only_used = unknown(&root.extensions_used)
        .filter(|name| !root.extensions_required.iter().any(|required| required == name));
    for name in only_used.take(NAMES_TOLD) {
        let name = quote(name.as_bytes());
        found.push(&codes::EXTENSION, None, || format!("/extensionsUsed: {name} is not supported"));
    }
    Ok(())
}
