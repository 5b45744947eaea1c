//! Mistakes in a settings file, each at its place.

use serde_json::{Map, Value, json};
use toml::de::{DeTable, DeValue, Error};

use super::{
    Mistake,
    check::{Problem, check},
};
use signature_ls_analysis::ide::Fix;
use signature_ls_source::{
    order,
    text::{TextEdit, TextRange, size},
};

/// The mistakes in the settings file `text`, in order.
pub fn check_file(text: &str) -> Vec<Mistake> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let table = table.get_ref();
    let mut found: Vec<_> = errors.iter().map(|it| syntax(it, text)).collect();
    let problems = check(&Value::Object(settings_in(table)));
    found.extend(problems.into_iter().map(|it| placed(it, table)));
    order::by_start(&mut found, |it| it.range.start());
    found
}

/// The settings in the file `text`, without what cannot be read.
pub fn read(text: &str) -> Value {
    let (table, _) = DeTable::parse_recoverable(text);
    Value::Object(settings_in(table.get_ref()))
}

fn syntax(error: &Error, text: &str) -> Mistake {
    let span = error.span().unwrap_or(0..0);
    let message = error.message().lines().next().unwrap_or_default();
    Mistake {
        range: TextRange::new(
            size(span.start.min(text.len())),
            size(span.end.min(text.len())),
        ),
        message: format!("This is not TOML: {message}."),
        fixes: Vec::new(),
    }
}

fn placed(problem: Problem, table: &DeTable<'_>) -> Mistake {
    let range = range_of(&problem, table).unwrap_or_default();
    let fix = problem.instead.map(|instead| {
        let title = format!("Write `{instead}`");
        Fix::offered(title, vec![TextEdit::replace(range, instead)])
    });
    Mistake {
        range,
        message: problem.message,
        fixes: fix.into_iter().collect(),
    }
}

/// The place of an unknown name or of a wrong value.
fn range_of(problem: &Problem, table: &DeTable<'_>) -> Option<TextRange> {
    let (first, rest) = problem.path.split_first()?;
    let (mut key, mut value) = table.get_key_value(first.as_str())?;
    for name in rest {
        match value.get_ref() {
            DeValue::Table(table) => (key, value) = table.get_key_value(name.as_str())?,
            DeValue::Array(items) => value = items.get(name.parse::<usize>().ok()?)?,
            _ => return None,
        }
    }
    let span = match problem.is_unknown {
        true => key.span(),
        false => value.span(),
    };
    Some(TextRange::new(size(span.start), size(span.end)))
}

fn settings_in(table: &DeTable<'_>) -> Map<String, Value> {
    let entries = table.iter();
    entries
        .map(|(key, value)| (key.get_ref().to_string(), json_of(value.get_ref())))
        .collect()
}

/// The value in JSON. What JSON does not have becomes a number that is no value of a setting.
fn json_of(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => json!(text),
        DeValue::Integer(number) => {
            let number = i64::from_str_radix(number.as_str(), number.radix());
            json!(number.unwrap_or(i64::MAX))
        }
        DeValue::Float(number) => json!(
            number
                .as_str()
                .parse::<f64>()
                .ok()
                .filter(|it| it.is_finite())
                .unwrap_or(-1.0)
        ),
        DeValue::Boolean(flag) => json!(flag),
        DeValue::Datetime(_) => json!(-1),
        DeValue::Array(items) => items.iter().map(|it| json_of(it.get_ref())).collect(),
        DeValue::Table(table) => Value::Object(settings_in(table)),
    }
}
