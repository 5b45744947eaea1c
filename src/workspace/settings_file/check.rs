//! Compares settings, those of an editor or of a file, with the table of all settings.

use foldhash::HashSet;
use serde_json::{Map, Value, json};

use super::{
    names,
    table::{Kind, SETTINGS, Setting},
};
use crate::workspace::config::MOST_NAMES;
use signature_ls_analysis::{ide::rules, model::spelling::nearest};

/// A mistake in settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The names and the indices of items that lead to it.
    pub path: Vec<String>,
    /// Whether its name is that of no setting. It has no effect on the other settings then.
    pub is_unknown: bool,
    /// What is wrong and what to write instead, in one sentence.
    pub message: String,
    /// What to write instead, the name or the value in TOML, if that is known.
    pub instead: Option<String>,
}

/// The mistakes in `settings`. Null sets nothing.
pub fn check(settings: &Value) -> Vec<Problem> {
    let mut found = Vec::new();
    match settings {
        Value::Null => {}
        Value::Object(settings) => Checker::default().table(settings, &SETTINGS, &mut found),
        _ => found.push(Problem {
            path: Vec::new(),
            is_unknown: false,
            message: "The settings have to be an object.".to_owned(),
            instead: None,
        }),
    }
    found
}

/// A sentence for the user that `path` is no setting, whose last name is `name`.
pub fn no_setting(path: &str, name: &str, known: &[&str]) -> String {
    if let Some(near) = nearest(name, known.iter().copied()) {
        return format!("There is no setting `{path}`; did you mean `{near}`?");
    }
    let known: Vec<_> = known.iter().map(|it| format!("`{it}`")).collect();
    match known.split_last() {
        Some((last, [])) => format!("There is no setting `{path}`; the only one here is {last}."),
        Some((last, others)) => {
            let others = others.join(", ");
            format!("There is no setting `{path}`; the settings are {others} and {last}.")
        }
        None => format!("There is no setting `{path}`."),
    }
}

/// The names around the value that is checked.
#[derive(Default)]
struct Checker {
    path: Vec<String>,
}

impl Checker {
    fn problem(&self, message: String, instead: Option<String>) -> Problem {
        Problem {
            path: self.path.clone(),
            is_unknown: false,
            message,
            instead,
        }
    }

    fn table(
        &mut self,
        table: &Map<String, Value>,
        settings: &[Setting],
        found: &mut Vec<Problem>,
    ) {
        for (name, value) in table {
            self.path.push(name.clone());
            match settings.iter().find(|it| it.name == name) {
                Some(_) if value.is_null() => {}
                Some(setting) => self.value(value, &setting.kind, found),
                None => found.push(self.unknown(name, settings)),
            }
            self.path.pop();
        }
        self.clashes(table, found);
    }

    fn unknown(&self, name: &str, settings: &[Setting]) -> Problem {
        let known: Vec<_> = settings.iter().map(|it| it.name).collect();
        let message = match self.path.as_slice() {
            [rules, _] if rules == "rules" => {
                let instead = rules::instead_of(name);
                let end = if instead.ends_with('?') { "" } else { "." };
                format!("There is no rule `{name}`; {instead}{end}")
            }
            [log] if log == "log" => "Only the editor's settings have `log`.".to_owned(),
            path => no_setting(&path.join("."), name, &known),
        };
        Problem {
            is_unknown: true,
            ..self.problem(message, nearest(name, known.into_iter()).map(str::to_owned))
        }
    }

    fn value(&mut self, value: &Value, kind: &Kind, found: &mut Vec<Problem>) {
        let instead = match (kind, value) {
            (Kind::Table(settings), Value::Object(table)) => {
                return self.table(table, settings, found);
            }
            (Kind::Names { .. }, Value::Array(items)) if items.len() > MOST_NAMES => {
                let path = self.path.join(".");
                let message = format!("`{path}` has to be a list of at most {MOST_NAMES} names.");
                return found.push(self.problem(message, None));
            }
            (Kind::Names { .. }, Value::Array(items)) => {
                return self.items(items, kind, found);
            }
            _ if kind.accepts(value) => return,
            _ => kind.nearest_to(value),
        };
        found.push(self.wrong(kind, instead));
    }

    fn wrong(&self, kind: &Kind, instead: Option<String>) -> Problem {
        let path = self.path.join(".");
        self.problem(format!("`{path}` has to be {}.", kind.wanted()), instead)
    }

    fn items(&mut self, items: &[Value], kind: &Kind, found: &mut Vec<Problem>) {
        let Kind::Names { names, role, .. } = kind else {
            return;
        };
        let list = self.path.join(".");
        for (index, item) in items.iter().enumerate() {
            let Some(name) = item.as_str() else {
                let mut wrong = self.wrong(kind, None);
                wrong.path.push(index.to_string());
                found.push(wrong);
                continue;
            };
            if let Err((message, instead)) = names::check(name, *names, *role, &list) {
                let mut wrong = self.problem(message, instead);
                wrong.path.push(index.to_string());
                found.push(wrong);
            }
        }
    }

    /// Finds the names in the lists of both roles.
    fn clashes(&self, table: &Map<String, Value>, found: &mut Vec<Problem>) {
        for list in ["keys", "calls"] {
            let items = |role: &str| table.get(role)?.get(list)?.as_array();
            let (Some(signatures), Some(prompts)) = (items("signature"), items("prompt")) else {
                continue;
            };
            let signatures: HashSet<_> = signatures.iter().filter_map(Value::as_str).collect();
            for (index, name) in prompts.iter().enumerate().take(MOST_NAMES) {
                let Some(name) = name.as_str().filter(|it| signatures.contains(it)) else {
                    continue;
                };
                let before: String = self.path.iter().map(|it| format!("{it}.")).collect();
                let message = format!(
                    "`{name}` cannot be both a signature and a prompt; take it out of `{before}signature.{list}` or `{before}prompt.{list}`."
                );
                let mut problem = self.problem(message, None);
                let item = ["prompt", list, &index.to_string()].map(str::to_owned);
                problem.path.extend(item);
                found.push(problem);
            }
        }
    }
}

impl Kind {
    /// Whether `value` is one of these; tables and lists are checked in part.
    fn accepts(&self, value: &Value) -> bool {
        match self {
            Self::Word {
                words,
                can_be_empty,
            } => value.as_str().is_some_and(|it| {
                words.iter().any(|word| word.word == it) || (*can_be_empty && it.is_empty())
            }),
            Self::Number { least, most, .. } => {
                whole(value).is_some_and(|it| (*least..=*most).contains(&it))
            }
            Self::Flag { .. } => value.is_boolean(),
            Self::Table(_) | Self::Names { .. } => false,
        }
    }

    /// The value in TOML that is probably meant by `value`.
    fn nearest_to(&self, value: &Value) -> Option<String> {
        let written = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        match self {
            Self::Word { words, .. } => {
                let near = nearest(&written, words.iter().map(|it| it.word))?;
                Some(json!(near).to_string())
            }
            Self::Number {
                least,
                most,
                default,
            } => {
                let number = whole(value).map(|it| it.clamp(*least, *most));
                let number = number.or_else(|| written.trim().parse().ok());
                let number = number.filter(|it| (*least..=*most).contains(it));
                Some(number.unwrap_or(*default).to_string())
            }
            Self::Flag { default } => {
                let flag = match written.to_ascii_lowercase().as_str() {
                    "true" | "yes" | "on" | "1" => true,
                    "false" | "no" | "off" | "0" => false,
                    _ => *default,
                };
                Some(flag.to_string())
            }
            Self::Names { .. } if value.is_string() => Some(json!([written]).to_string()),
            Self::Table(_) | Self::Names { .. } => None,
        }
    }
}

/// A whole number, also one that is written `20.0`.
pub(in crate::workspace) fn whole(value: &Value) -> Option<i64> {
    let of_float = || {
        let number = value.as_f64().filter(|it| it.fract() == 0.0)?;
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        let number = number as i64;
        Some(number)
    };
    value.as_i64().or_else(of_float)
}
