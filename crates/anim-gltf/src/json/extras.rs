//! Extras as JSON. The entries that this crate adds share a namespace; the crate documentation
//! lists them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use anim_ir::number::narrow;
use anim_ir::{Extras, Value, insert_all};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::marks;

/// Name of the entry for this crate's additions to extras.
pub(crate) const NAMESPACE: &str = "anim_formats";

/// The entries that this crate writes in its namespace: see the crate documentation.
const ENTRIES: [&str; 18] = [
    "name",
    "role",
    "start",
    "end",
    "timeline",
    "partial",
    "wrap",
    "group",
    "time_base",
    "time_offset",
    "events",
    "clips",
    "animations",
    FLAT_NORMALS,
    marks::REST,
    marks::HELD,
    marks::CUBIC,
    marks::EMPTY,
];

/// The entry that lists the vertices of a mesh that were duplicated for flat normals.
pub(crate) const FLAT_NORMALS: &str = "flat_normals";

/// The conventional entry for names of morph targets in a mesh's extras.
pub(crate) const TARGET_NAMES: &str = "targetNames";

/// The entry of a scene's extras for what glTF stores in its `asset`.
pub(crate) const GLTF: &str = "gltf";

/// The entry in it for the copyright notice.
pub(crate) const COPYRIGHT: &str = "copyright";

/// Largest value up to which f64 represents every integer exactly.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// The extras of one object.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct JsonExtras<'a> {
    /// The scene's entries.
    pub(crate) own: Cow<'a, Extras>,
    /// Entries that this crate writes to describe the scene, in its namespace.
    pub(crate) ours: Ours,
    /// Whether the extras were neither an object nor null.
    pub(crate) is_odd: bool,
}

/// Entries that this crate writes. There are few, but many objects may have them, and a map takes
/// more memory than a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ours(Vec<(Cow<'static, str>, Value)>);

impl Ours {
    pub(crate) fn of(map: Extras) -> Ours {
        Ours(map.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    pub(crate) fn new(entries: Vec<(&'static str, Value)>) -> Ours {
        Ours(entries.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(entry, _)| entry == name).map(|(_, value)| value)
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        if let Some(Value::Text(text)) = self.get(name) { Some(text) } else { None }
    }

    /// Returns a number that is finite as f32.
    pub(crate) fn number(&self, name: &str) -> Option<f32> {
        if let Some(Value::Number(number)) = self.get(name) {
            Some(narrow(*number)).filter(|number| number.is_finite())
        } else {
            None
        }
    }

    pub(crate) fn list(&self, name: &str) -> &[Value] {
        if let Some(Value::List(list)) = self.get(name) { list } else { &[] }
    }

    pub(crate) fn is_true(&self, name: &str) -> bool {
        self.get(name) == Some(&Value::Bool(true))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(crate) fn map(&self, name: &str) -> Option<&Extras> {
        if let Some(Value::Map(map)) = self.get(name) { Some(map) } else { None }
    }
}

impl<'a> From<Cow<'a, Extras>> for JsonExtras<'a> {
    fn from(own: Cow<'a, Extras>) -> JsonExtras<'a> {
        JsonExtras { own, ..JsonExtras::default() }
    }
}

impl JsonExtras<'_> {
    /// Returns the name in the scene: from the extras if present, otherwise from the file.
    pub(crate) fn name(&self, in_file: &str) -> String {
        self.ours.text("name").unwrap_or(in_file).to_owned()
    }
}

impl<'de> Deserialize<'de> for JsonExtras<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match AnyJson::deserialize(deserializer)?.0 {
            None => JsonExtras::default(),
            Some(Value::Map(mut own)) => {
                let Some(Value::Map(beside)) = own.remove(NAMESPACE) else {
                    return Ok(JsonExtras::from(Cow::Owned(own)));
                };
                let (ours, others): (Extras, Extras) =
                    beside.into_iter().partition(|(name, _)| ENTRIES.contains(&name.as_str()));
                if !others.is_empty() {
                    own.insert(NAMESPACE.to_owned(), Value::Map(others));
                }
                JsonExtras { own: Cow::Owned(own), ours: Ours::of(ours), is_odd: false }
            }
            Some(_) => JsonExtras { is_odd: true, ..JsonExtras::default() },
        })
    }
}

/// Any JSON value; `None` for null, which the scene model cannot represent. `serde_json` limits
/// nesting to fewer than 128 levels, counted from the document's root.
struct AnyJson(Option<Value>);

impl<'de> Deserialize<'de> for AnyJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AnyJson, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = AnyJson;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("any JSON")
    }

    fn visit_unit<E>(self) -> Result<AnyJson, E> {
        Ok(AnyJson(None))
    }

    fn visit_bool<E>(self, value: bool) -> Result<AnyJson, E> {
        Ok(AnyJson(Some(value.into())))
    }

    fn visit_f64<E>(self, value: f64) -> Result<AnyJson, E> {
        Ok(AnyJson(Some(value.into())))
    }

    fn visit_i64<E>(self, value: i64) -> Result<AnyJson, E> {
        #[expect(clippy::cast_precision_loss, reason = "most JSON parsers read numbers as f64")]
        Ok(AnyJson(Some((value as f64).into())))
    }

    fn visit_u64<E>(self, value: u64) -> Result<AnyJson, E> {
        #[expect(clippy::cast_precision_loss, reason = "most JSON parsers read numbers as f64")]
        Ok(AnyJson(Some((value as f64).into())))
    }

    fn visit_str<E>(self, value: &str) -> Result<AnyJson, E> {
        Ok(AnyJson(Some(value.into())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<AnyJson, A::Error> {
        let mut list = Vec::new();
        while let Some(AnyJson(value)) = access.next_element()? {
            list.extend(value);
        }
        Ok(AnyJson(Some(Value::List(list))))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<AnyJson, A::Error> {
        let mut map = BTreeMap::new();
        while let Some((name, AnyJson(value))) = access.next_entry::<String, AnyJson>()? {
            map.extend(value.map(|value| (name, value)));
        }
        Ok(AnyJson(Some(Value::Map(map))))
    }
}

impl Serialize for JsonExtras<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let own = self.own.iter().map(|(name, value)| (name.as_str(), Entry::Own(value)));
        if self.ours.is_empty() {
            return serializer.collect_map(own);
        }
        let mut all: BTreeMap<&str, Entry<'_>> = insert_all(own);
        all.insert(NAMESPACE, Entry::Namespace(self));
        serializer.collect_map(all)
    }
}

/// The value of an entry at the top level.
enum Entry<'a> {
    Own(&'a Value),
    /// The entries that this crate writes, and those that the scene has in the same namespace.
    Namespace(&'a JsonExtras<'a>),
}

impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Entry::Own(value) => Json(value).serialize(serializer),
            Entry::Namespace(JsonExtras { own, ours, .. }) => {
                let mut all: BTreeMap<&str, Json<'_>> = BTreeMap::new();
                // A scene read from a glTF file may already have the entry.
                if let Some(Value::Map(map)) = own.get(NAMESPACE) {
                    all.extend(map.iter().map(|(name, value)| (name.as_str(), Json(value))));
                }
                all.extend(ours.0.iter().map(|(name, value)| (&**name, Json(value))));
                serializer.collect_map(all)
            }
        }
    }
}

struct Json<'a>(&'a Value);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Bool(value) => serializer.serialize_bool(*value),
            // Write whole numbers as integers, since they may be counts or indices. JSON cannot
            // represent non-finite numbers; the serialiser writes null.
            Value::Number(number) if number.fract() == 0.0 && number.abs() <= LARGEST_WHOLE =>
            {
                #[expect(clippy::cast_possible_truncation, reason = "a whole number in range")]
                serializer.serialize_i64(*number as i64)
            }
            Value::Number(number) => serializer.serialize_f64(*number),
            Value::Text(text) => serializer.serialize_str(text),
            Value::List(values) => serializer.collect_seq(values.iter().map(Json)),
            Value::Map(map) => {
                let mut entries = serializer.serialize_map(Some(map.len()))?;
                for (name, value) in map {
                    entries.serialize_entry(name, &Json(value))?;
                }
                entries.end()
            }
        }
    }
}
