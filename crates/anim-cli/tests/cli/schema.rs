//! A validator for the subset of JSON Schema that the schemas of this program use.

use serde_json::{Map, Value};
use std::path::Path;

/// Validates a value against `schemas/<name>.json`. Unknown fields are errors here, so that no
/// field is added without documenting it.
#[track_caller]
pub(crate) fn assert_valid(name: &str, value: &Value) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas").join(name).with_extension("json");
    let root: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    if let Err(problem) = check(&root, &root, value, "$") {
        panic!("{name}: {problem}\n{value:#}");
    }
}

fn check(root: &Value, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let Value::Object(rules) = schema else { panic!("{schema}") };
    let fail = |what: String| Err(format!("{place}: {what}, found {value}"));
    for (rule, argument) in rules {
        match (rule.as_str(), argument) {
            ("$schema" | "$id" | "$defs" | "title" | "description" | "required", _) => {}
            ("$ref", Value::String(pointer)) => {
                let target = root
                    .pointer(pointer.trim_start_matches('#'))
                    .unwrap_or_else(|| panic!("{pointer}"));
                check(root, target, value, place)?;
            }
            ("anyOf", Value::Array(choices)) => {
                let problems: Vec<String> = choices
                    .iter()
                    .filter_map(|choice| check(root, choice, value, place).err())
                    .collect();
                if problems.len() == choices.len() {
                    return Err(problems.join("\n  or "));
                }
            }
            ("type", types) => {
                let found = match value {
                    Value::Null => "null",
                    Value::Bool(_) => "boolean",
                    Value::Number(number) if number.is_i64() || number.is_u64() => "integer",
                    Value::Number(_) => "number",
                    Value::String(_) => "string",
                    Value::Array(_) => "array",
                    Value::Object(_) => "object",
                };
                let is =
                    |wanted: &Value| wanted == found || (wanted == "number" && found == "integer");
                if !types.as_array().map_or_else(|| is(types), |types| types.iter().any(is)) {
                    return fail(format!("expected {types}"));
                }
            }
            ("const", wanted) if wanted == value => {}
            ("enum", Value::Array(wanted)) if wanted.contains(value) => {}
            ("const" | "enum", _) => return fail(format!("expected {argument}")),
            ("minimum", bound) if value.is_number() && value.as_f64() < bound.as_f64() => {
                return fail(format!("less than {bound}"));
            }
            ("minItems", least)
                if value
                    .as_array()
                    .is_some_and(|items| (items.len() as u64) < least.as_u64().unwrap()) =>
            {
                return fail("too few".into());
            }
            ("maxItems", most)
                if value
                    .as_array()
                    .is_some_and(|items| items.len() as u64 > most.as_u64().unwrap()) =>
            {
                return fail("too many".into());
            }
            ("minimum" | "minItems" | "maxItems", _) => {}
            ("items", items) => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, items, item, &format!("{place}[{index}]"))?;
                }
            }
            ("properties" | "additionalProperties", _) => {}
            _ => panic!("the schema uses `{rule}`, which this validator does not support"),
        }
    }
    match value {
        Value::Object(fields) if rules.get("type").is_some_and(|kind| kind == "object") => {
            check_fields(root, rules, fields, place)
        }
        _ => Ok(()),
    }
}

fn check_fields(
    root: &Value,
    rules: &Map<String, Value>,
    fields: &Map<String, Value>,
    place: &str,
) -> Result<(), String> {
    for name in rules.get("required").and_then(Value::as_array).into_iter().flatten() {
        if !fields.contains_key(name.as_str().unwrap()) {
            return Err(format!("{place}: {name} is missing"));
        }
    }
    let known = rules.get("properties").and_then(Value::as_object);
    for (name, field) in fields {
        let rule = known.and_then(|known| known.get(name)).or(rules.get("additionalProperties"));
        let Some(rule) = rule else {
            return Err(format!("{place}: {name} is not in the schema"));
        };
        check(root, rule, field, &format!("{place}.{name}"))?;
    }
    Ok(())
}
