//! Format-specific data that the model has no field for, stored under the name of the format.

use std::collections::BTreeMap;

use crate::insert_all;

/// A JSON-like value. Numbers must be finite.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// A finite number.
    Number(f64),
    /// Text.
    Text(String),
    /// A list of values.
    List(Vec<Value>),
    /// A map from names to values.
    Map(BTreeMap<String, Value>),
}

/// Named values. The top-level names are the names of formats (`amo`, `castle`, …), to avoid
/// collisions.
pub type Extras = BTreeMap<String, Value>;

impl Value {
    /// Returns whether all numbers in the value are finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Value::Number(number) => number.is_finite(),
            Value::Bool(_) | Value::Text(_) => true,
            Value::List(values) => values.iter().all(Value::is_finite),
            Value::Map(values) => values.values().all(Value::is_finite),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Number(number)
    }
}

impl From<f32> for Value {
    /// Converts via the shortest decimal representation of the f32, so 0.1 remains 0.1.
    fn from(number: f32) -> Value {
        Value::Number(format!("{number}").parse().unwrap_or(f64::from(number)))
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Value {
        Value::Number(f64::from(number))
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl<V: Into<Value>> FromIterator<V> for Value {
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> Value {
        Value::List(values.into_iter().map(Into::into).collect())
    }
}

impl<const N: usize> From<[(&str, Value); N]> for Value {
    fn from(entries: [(&str, Value); N]) -> Value {
        Value::Map(named(&mut entries.into_iter()))
    }
}

/// Collects entries: one function for arrays of all lengths.
fn named(entries: &mut dyn Iterator<Item = (&str, Value)>) -> Extras {
    insert_all(entries.map(|(name, value)| (name.to_owned(), value)))
}
