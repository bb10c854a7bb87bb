//! As much of JSON Schema as the description of the API uses; what it does not know is a fault.

use serde_json::Value;

/// What is wrong with a value by a schema of a description; nothing if it is as described.
pub fn faults(description: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(description, schema, value, "", &mut found);
    found
}

fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no such type: {other}"),
    }
}

fn check(all: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let schema = match schema {
        Value::Bool(true) => return,
        Value::Bool(false) => return found.push(format!("{at}: must not be there")),
        Value::Object(schema) => schema,
        other => panic!("no schema: {other}"),
    };
    let matching = |list: &Value| -> usize {
        let list = list.as_array().unwrap();
        list.iter().filter(|one| faults(all, one, value).is_empty()).count()
    };
    for (word, of) in schema {
        let good = match word.as_str() {
            "description" => true,
            "$ref" => {
                let place = of.as_str().unwrap().trim_start_matches('#');
                check(all, all.pointer(place).unwrap(), value, at, found);
                true
            }
            "type" => match of {
                Value::String(kind) => is(kind, value),
                kinds => kinds.as_array().unwrap().iter().any(|k| is(k.as_str().unwrap(), value)),
            },
            "const" => value == of,
            "enum" => of.as_array().unwrap().contains(value),
            "oneOf" => matching(of) == 1,
            "anyOf" => matching(of) > 0,
            "allOf" => matching(of) == of.as_array().unwrap().len(),
            "required" => of.as_array().unwrap().iter().all(|name| {
                let there = value.as_object().is_none_or(|map| map.contains_key(name.as_str().unwrap()));
                if !there {
                    found.push(format!("{at}: {name} is missing"));
                }
                there
            }),
            "properties" => {
                for (name, property) in of.as_object().unwrap() {
                    if let Some(value) = value.get(name) {
                        check(all, property, value, &format!("{at}/{name}"), found);
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object);
                for (name, value) in value.as_object().into_iter().flatten() {
                    if known.is_none_or(|known| !known.contains_key(name)) {
                        check(all, of, value, &format!("{at}/{name}"), found);
                    }
                }
                true
            }
            "prefixItems" => {
                let items = value.as_array().into_iter().flatten();
                for (n, (value, item)) in items.zip(of.as_array().unwrap()).enumerate() {
                    check(all, item, value, &format!("{at}/{n}"), found);
                }
                true
            }
            "items" => {
                for (n, value) in value.as_array().into_iter().flatten().enumerate() {
                    check(all, of, value, &format!("{at}/{n}"), found);
                }
                true
            }
            "minItems" => value.as_array().is_none_or(|list| list.len() as u64 >= of.as_u64().unwrap()),
            "maxItems" => value.as_array().is_none_or(|list| list.len() as u64 <= of.as_u64().unwrap()),
            "minimum" => value.as_f64().is_none_or(|n| n >= of.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|n| n <= of.as_f64().unwrap()),
            other => panic!("{at}: {other} is not known here"),
        };
        if !good {
            found.push(format!("{at}: {value} is not {word} {of}"));
        }
    }
}

#[test]
fn law_the_validator_finds_what_is_wrong() {
    use serde_json::json;
    let all = json!({"s": {"type": "object", "properties": {"n": {"type": "integer", "minimum": 0}}, "required": ["n"], "additionalProperties": false}});
    let schema = json!({"$ref": "#/s"});
    assert!(faults(&all, &schema, &json!({"n": 1})).is_empty());
    for bad in
        [json!({}), json!({"n": -1}), json!({"n": 1.5}), json!({"n": 1, "m": 2}), json!([1]), json!(null)]
    {
        assert!(!faults(&all, &schema, &bad).is_empty(), "{bad}");
    }
    let one = json!({"oneOf": [{"const": 1}, {"enum": [1, 2]}]});
    assert!(faults(&all, &one, &json!(2)).is_empty());
    assert!(!faults(&all, &one, &json!(1)).is_empty(), "two of one");
    let pair = json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "null"}], "minItems": 2, "maxItems": 2});
    assert!(faults(&all, &pair, &json!(["a", null])).is_empty());
    for bad in [json!(["a"]), json!([1, null]), json!(["a", null, 1])] {
        assert!(!faults(&all, &pair, &bad).is_empty(), "{bad}");
    }
}
