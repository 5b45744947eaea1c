//! Diagnostics of a settings file.

use toml::{
    Spanned,
    de::{DeTable, DeValue, Error},
};

use super::{
    Mistake,
    table::{Kind, SETTINGS, Setting},
};
use crate::workspace::config::{MOST_NAMES, NamesProblem, read_names};
use signature_ls_analysis::{
    ide::{Fix, rules},
    model::spelling::nearest,
};
use signature_ls_source::{
    order,
    text::{TextEdit, TextRange, size},
};

/// The errors in the settings file `text`, in order.
pub fn check(text: &str) -> Vec<Mistake> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut found: Vec<_> = errors.iter().map(|it| syntax(it, text)).collect();
    let is_toml = found.is_empty();
    check_table(table.get_ref(), &SETTINGS, "", &mut found);
    if is_toml && found.is_empty() {
        found.extend(names(table.get_ref(), text));
    }
    order::by_start(&mut found, |it| it.range.start());
    found
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

/// The first error that the parser of settings reports about names.
fn names(table: &DeTable<'_>, text: &str) -> Option<Mistake> {
    let problem = problem_with_names(text)?;
    let range = place_of(&problem, table).unwrap_or_default();
    Some(Mistake {
        range,
        message: format!("{}.", problem.message.trim_end_matches('.')),
        fixes: Vec::new(),
    })
}

fn problem_with_names(text: &str) -> Option<NamesProblem> {
    let table: toml::Table = text.parse().ok()?;
    let value = serde_json::to_value(table).ok()?;
    read_names(value.as_object()?).err()
}

/// The name at fault, or else the value of the setting.
fn place_of(problem: &NamesProblem, table: &DeTable<'_>) -> Option<TextRange> {
    let (before, last) = match problem.path.rsplit_once('.') {
        Some((before, last)) => (Some(before), last),
        None => (None, problem.path.as_str()),
    };
    let mut table = table;
    for key in before.into_iter().flat_map(|it| it.split('.')) {
        table = table.get(key)?.get_ref().as_table()?;
    }
    let value = table.get(last)?;
    let Some(name) = &problem.name else {
        return Some(range_of(value.span()));
    };
    let mut items = value.get_ref().as_array()?.iter();
    let item = items.find(|it| it.get_ref().as_str() == Some(name))?;
    Some(range_of(item.span()))
}

fn check_table(table: &DeTable<'_>, settings: &[Setting], before: &str, found: &mut Vec<Mistake>) {
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        match settings.iter().find(|it| it.name == name) {
            Some(setting) => check_value(value, setting, &format!("{before}{name}"), found),
            None => found.push(unknown(key, settings, before)),
        }
    }
}

fn unknown(
    key: &Spanned<std::borrow::Cow<'_, str>>,
    settings: &[Setting],
    before: &str,
) -> Mistake {
    let name = key.get_ref().as_ref();
    let range = range_of(key.span());
    let near = nearest(name, settings.iter().map(|it| it.name));
    let what = match before {
        "rules." => "rule",
        _ => "setting",
    };
    let instead = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None if what == "rule" => rules::instead_of(name),
        None => {
            let known: Vec<_> = settings.iter().map(|it| format!("`{}`", it.name)).collect();
            format!("there are {}.", known.join(", "))
        }
    };
    let write = near.map(|near| {
        let edits = vec![TextEdit::replace(range, near)];
        Fix::offered(format!("Write `{near}`"), edits)
    });
    Mistake {
        range,
        message: format!("There is no {what} `{before}{name}`; {instead}"),
        fixes: write.into_iter().collect(),
    }
}

fn check_value(
    value: &Spanned<DeValue<'_>>,
    setting: &Setting,
    path: &str,
    found: &mut Vec<Mistake>,
) {
    let range = range_of(value.span());
    let wrong = |fixes| Mistake {
        range,
        message: format!("`{path}` has to be {}.", setting.kind.wanted()),
        fixes,
    };
    match (&setting.kind, value.get_ref()) {
        (Kind::Table(settings), DeValue::Table(table)) => {
            check_table(table, settings, &format!("{path}."), found);
        }
        (Kind::Word(words), value) => {
            let written = written(value);
            let is_string = matches!(value, DeValue::String(_));
            // An empty edition means that of the project.
            let is_known = words.iter().any(|it| it.word == written) || written.is_empty();
            if !(is_string && is_known) {
                let near = nearest(&written, words.iter().map(|it| it.word));
                found.push(wrong(
                    near.map(|it| write(range, format!("\"{it}\"")))
                        .into_iter()
                        .collect(),
                ));
            }
        }
        (
            Kind::Number {
                least,
                most,
                default,
            },
            DeValue::Integer(number),
        ) => {
            let number = i64::from_str_radix(number.as_str(), number.radix());
            match number {
                Ok(number) if (*least..=*most).contains(&number) => {}
                Ok(number) => {
                    let near = number.clamp(*least, *most);
                    found.push(wrong(vec![write(range, near.to_string())]));
                }
                Err(_) => found.push(wrong(vec![write(range, default.to_string())])),
            }
        }
        (
            Kind::Number {
                least,
                most,
                default,
            },
            other,
        ) => {
            let number = written(other).trim().parse().ok();
            let number = number
                .filter(|it| (*least..=*most).contains(it))
                .unwrap_or(*default);
            found.push(wrong(vec![write(range, number.to_string())]));
        }
        (Kind::Flag { .. }, DeValue::Boolean(_)) => {}
        (Kind::Flag { default }, other) => {
            let flag = match written(other).to_ascii_lowercase().as_str() {
                "true" | "yes" | "on" | "1" => true,
                "false" | "no" | "off" | "0" => false,
                _ => *default,
            };
            found.push(wrong(vec![write(range, flag.to_string())]));
        }
        (Kind::Names { .. }, DeValue::Array(items)) if items.len() > MOST_NAMES => {
            found.push(Mistake {
                message: format!("`{path}` has to be a list of at most {MOST_NAMES} names."),
                ..wrong(Vec::new())
            });
        }
        (Kind::Names { .. }, DeValue::Array(items)) => {
            let others = items.iter().filter(|it| !it.get_ref().is_str());
            found.extend(others.map(|it| Mistake {
                range: range_of(it.span()),
                ..wrong(Vec::new())
            }));
        }
        (Kind::Names { .. }, DeValue::String(name)) => {
            found.push(wrong(vec![write(range, format!("[\"{name}\"]"))]));
        }
        (Kind::Table(_) | Kind::Names { .. }, _) => found.push(wrong(Vec::new())),
    }
}

/// A value without its quotes.
fn written(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => "?".to_owned(),
    }
}

fn write(range: TextRange, text: String) -> Fix {
    Fix::offered(
        format!("Write `{text}`"),
        vec![TextEdit::replace(range, text)],
    )
}

fn range_of(span: std::ops::Range<usize>) -> TextRange {
    TextRange::new(size(span.start), size(span.end))
}
