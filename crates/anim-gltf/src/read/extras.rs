//! Extras: the file's own, and what [`to_glb`](crate::to_glb) put beside them.

use std::collections::BTreeMap;

use anim_ir::number::narrow;
use anim_ir::{Extras, Value};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::extras::NAMESPACE;

/// The entries that this crate writes under its name: see the documentation of the crate.
const ENTRIES: [&str; 11] = [
    "name",
    "role",
    "start",
    "end",
    "timeline",
    "partial",
    "wrap",
    "time_base",
    "time_offset",
    "events",
    "clips",
];

/// The extras of one object.
#[derive(Clone, Debug, Default)]
pub(crate) struct JsonExtras {
    /// What is kept.
    pub(crate) own: Extras,
    /// What this crate wrote, which says more of the scene.
    pub(crate) ours: Ours,
    /// Whether there were extras that are no object.
    pub(crate) is_odd: bool,
}

/// Entries that this crate wrote.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ours(Extras);

impl Ours {
    pub(crate) fn of(map: Extras) -> Ours {
        Ours(map)
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        if let Some(Value::Text(text)) = self.0.get(name) { Some(text) } else { None }
    }

    /// A number that f32 can hold.
    pub(crate) fn number(&self, name: &str) -> Option<f32> {
        if let Some(Value::Number(number)) = self.0.get(name) {
            Some(narrow(*number)).filter(|number| number.is_finite())
        } else {
            None
        }
    }

    pub(crate) fn list(&self, name: &str) -> &[Value] {
        if let Some(Value::List(list)) = self.0.get(name) { list } else { &[] }
    }

    pub(crate) fn is_true(&self, name: &str) -> bool {
        self.0.get(name) == Some(&Value::Bool(true))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(crate) fn map(&self, name: &str) -> Option<&Extras> {
        if let Some(Value::Map(map)) = self.0.get(name) { Some(map) } else { None }
    }
}

impl JsonExtras {
    /// The scene's name of something: where the one in the file is another, the extras tell.
    pub(crate) fn name(&self, in_file: &str) -> String {
        self.ours.text("name").unwrap_or(in_file).to_owned()
    }
}

impl<'de> Deserialize<'de> for JsonExtras {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JsonExtras, D::Error> {
        Ok(match Json::deserialize(deserializer)?.0 {
            None => JsonExtras::default(),
            Some(Value::Map(mut own)) => {
                let Some(Value::Map(beside)) = own.remove(NAMESPACE) else {
                    return Ok(JsonExtras { own, ..JsonExtras::default() });
                };
                let (ours, others): (Extras, Extras) =
                    beside.into_iter().partition(|(name, _)| ENTRIES.contains(&name.as_str()));
                if !others.is_empty() {
                    own.insert(NAMESPACE.to_owned(), Value::Map(others));
                }
                JsonExtras { own, ours: Ours(ours), is_odd: false }
            }
            Some(_) => JsonExtras { is_odd: true, ..JsonExtras::default() },
        })
    }
}

/// Any JSON;
/// `None` for null, which the model of animation has no word for. The depth is bounded by `serde_json`,
/// at 128.
struct Json(Option<Value>);

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("any JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json(None))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json(Some(value.into())))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json(Some(value.into())))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        #[expect(
            clippy::cast_precision_loss,
            reason = "numbers of JSON are f64 to most of its readers"
        )]
        Ok(Json(Some((value as f64).into())))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        #[expect(
            clippy::cast_precision_loss,
            reason = "numbers of JSON are f64 to most of its readers"
        )]
        Ok(Json(Some((value as f64).into())))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json(Some(value.into())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(Json(value)) = access.next_element()? {
            list.extend(value);
        }
        Ok(Json(Some(Value::List(list))))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut map = BTreeMap::new();
        while let Some((name, Json(value))) = access.next_entry::<String, Json>()? {
            map.extend(value.map(|value| (name, value)));
        }
        Ok(Json(Some(Value::Map(map))))
    }
}
