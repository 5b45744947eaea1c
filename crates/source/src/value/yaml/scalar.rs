//! The meaning of a scalar: the core schema of YAML 1.2 (section 10.3).

use saphyr_parser::{ScalarStyle, Tag};

use crate::value::{ValueKind, float, yaml::ErrorKind};

/// The value of a scalar.
pub fn resolve(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Result<ValueKind, ErrorKind> {
    let string = || ValueKind::String(text.into());
    let Some(tag) = tag else {
        return match style {
            ScalarStyle::Plain => Ok(plain(text)?.unwrap_or_else(string)),
            _ => Ok(string()),
        };
    };
    if tag.handle.is_empty() && tag.suffix == "!" {
        return Ok(string());
    }
    if !tag.is_yaml_core_schema() {
        return Ok(ValueKind::Dynamic);
    }
    let value = plain(text)?;
    match (tag.suffix.as_str(), value) {
        ("str", _) => Ok(string()),
        ("null", Some(value @ ValueKind::Null))
        | ("bool", Some(value @ ValueKind::Bool(_)))
        | ("int", Some(value @ (ValueKind::Int(_) | ValueKind::BigInt(_))))
        | ("float", Some(value @ ValueKind::Float(_))) => Ok(value),
        ("float", Some(ValueKind::Int(int))) => Ok(ValueKind::Float(int as f64)),
        ("float", Some(ValueKind::BigInt(int))) => {
            let float = int.to_f64().ok_or(ErrorKind::NumberOutOfRange)?;
            Ok(ValueKind::Float(float))
        }
        ("null" | "bool" | "int" | "float" | "map" | "seq", _) => Err(ErrorKind::TagMismatch),
        _ => Ok(ValueKind::Dynamic),
    }
}

/// The value of a plain scalar, unless it is a string.
fn plain(text: &str) -> Result<Option<ValueKind>, ErrorKind> {
    let value = match text {
        "" | "~" | "null" | "Null" | "NULL" => ValueKind::Null,
        "true" | "True" | "TRUE" => ValueKind::Bool(true),
        "false" | "False" | "FALSE" => ValueKind::Bool(false),
        _ => return number(text),
    };
    Ok(Some(value))
}

fn number(text: &str) -> Result<Option<ValueKind>, ErrorKind> {
    if let Some(digits) = text.strip_prefix("0x") {
        return based_integer(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return based_integer(digits, 8);
    }
    if let Some(integer) = ValueKind::integer(text) {
        return Ok(Some(integer));
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Err(ErrorKind::NumberOutOfRange);
    }
    if !float::is_unsigned(unsigned) {
        return Ok(None);
    }
    match float::parse(text) {
        Some(float) => Ok(Some(ValueKind::Float(float))),
        None => Err(ErrorKind::NumberOutOfRange),
    }
}

fn based_integer(digits: &str, base: u32) -> Result<Option<ValueKind>, ErrorKind> {
    if digits.is_empty() || !digits.chars().all(|char| char.is_digit(base)) {
        return Ok(None);
    }
    match i64::from_str_radix(digits, base) {
        Ok(int) => Ok(Some(ValueKind::Int(int))),
        Err(_) => Err(ErrorKind::NumberOutOfRange),
    }
}
