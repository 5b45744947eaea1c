//! The names that settings add to the table of roles: `signature.keys`, `elixir.prompt.calls` and the like.

use foldhash::HashMap;
use serde_json::{Map, Value};

use signature_ls_source::host::{AddedName, KeyRole, NameKind, Notation, fixed_role};

/// The maximum number of names in a list.
pub(in crate::workspace) const MOST_NAMES: usize = 1_000;

/// The settings that contain the names of one role each.
const ROLES: [(&str, KeyRole); 2] = [
    ("signature", KeyRole::Signature),
    ("prompt", KeyRole::Prompt),
];

/// The settings that contain those settings for one language.
const LANGUAGES: [(&str, Notation); 4] = [
    ("elixir", Notation::Elixir),
    ("lisp", Notation::Lisp),
    ("json", Notation::Json),
    ("yaml", Notation::Yaml),
];

/// The settings that contain names.
pub(super) fn settings() -> impl Iterator<Item = &'static str> {
    let roles = ROLES.iter().map(|(name, _)| *name);
    roles.chain(LANGUAGES.iter().map(|(name, _)| *name))
}

/// Why names cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::workspace) struct Problem {
    /// The path of the setting, such as `yaml.prompt.keys`.
    pub(in crate::workspace) path: String,
    /// The name in its list that is at fault, if it is one.
    pub(in crate::workspace) name: Option<String>,
    /// A sentence for the user.
    pub(in crate::workspace) message: String,
}

impl Problem {
    fn of_list(path: &str, message: String) -> Self {
        Self {
            path: path.to_owned(),
            name: None,
            message,
        }
    }

    fn of_name(path: &str, name: &str, message: String) -> Self {
        Self {
            name: Some(name.to_owned()),
            ..Self::of_list(path, message)
        }
    }
}

/// Reads the names in `settings`, those for one language before those for all, so that they take precedence.
///
/// # Errors
/// If a value is not a list of names.
pub(in crate::workspace) fn read(settings: &Map<String, Value>) -> Result<Vec<AddedName>, Problem> {
    let mut names = Vec::new();
    for (language, notation) in LANGUAGES {
        let Some(of_language) = table(settings.get(language), language)? else {
            continue;
        };
        let known = ROLES.map(|(name, _)| name);
        refuse_others(of_language, &format!("{language}."), &known)?;
        names.extend(read_roles(of_language, Some((language, notation)))?);
    }
    names.extend(read_roles(settings, None)?);
    Ok(names)
}

fn read_roles(
    settings: &Map<String, Value>,
    language: Option<(&str, Notation)>,
) -> Result<Vec<AddedName>, Problem> {
    let before = language.map_or_else(String::new, |(name, _)| format!("{name}."));
    let notation = language.map(|(_, notation)| notation);
    let mut names = Vec::new();
    let mut known_roles = HashMap::default();
    for (setting, role) in ROLES {
        let path = format!("{before}{setting}");
        let Some(lists) = table(settings.get(setting), &path)? else {
            continue;
        };
        let has_calls = notation.is_none_or(|it| it == Notation::Elixir);
        let known: &[&str] = if has_calls {
            &["keys", "calls"]
        } else {
            &["keys"]
        };
        refuse_others(lists, &format!("{path}."), known)?;
        for (list, kind) in [("keys", NameKind::Key), ("calls", NameKind::Call)] {
            let path = format!("{path}.{list}");
            for name in list_of_names(lists.get(list), &path)? {
                check(name, kind, role, &path)?;
                let other = known_roles.insert((kind, name), role);
                if other.is_some_and(|other| other != role) {
                    let message = format!(
                        "`{name}` cannot be both a signature and a prompt; take it out of `{path}` or of the other list"
                    );
                    return Err(Problem::of_name(&path, name, message));
                }
                names.push(AddedName {
                    name: name.to_owned(),
                    kind,
                    role,
                    notation,
                });
            }
        }
    }
    Ok(names)
}

/// The settings below `path`; `None` if nothing is set.
fn table<'v>(
    value: Option<&'v Value>,
    path: &str,
) -> Result<Option<&'v Map<String, Value>>, Problem> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(table)) => Ok(Some(table)),
        Some(_) => {
            let message = format!(
                "`{path}` holds no settings; write the names in a list such as `{path}.keys`"
            );
            Err(Problem::of_list(path, message))
        }
    }
}

fn refuse_others(table: &Map<String, Value>, before: &str, known: &[&str]) -> Result<(), Problem> {
    let unknown = table.keys().find(|key| !known.contains(&key.as_str()));
    unknown.map_or(Ok(()), |unknown| {
        let known: Vec<_> = known.iter().map(|it| format!("`{before}{it}`")).collect();
        let path = format!("{before}{unknown}");
        let message = format!("there is no setting `{path}`; write {}", known.join(" or "));
        Err(Problem::of_list(&path, message))
    })
}

fn list_of_names<'v>(value: Option<&'v Value>, path: &str) -> Result<Vec<&'v str>, Problem> {
    let names = match value {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(Value::Array(items)) if items.len() > MOST_NAMES => {
            let message = format!("`{path}` has to be a list of at most {MOST_NAMES} names");
            return Err(Problem::of_list(path, message));
        }
        Some(Value::Array(items)) => items.iter().map(Value::as_str).collect(),
        Some(_) => None,
    };
    names.ok_or_else(|| {
        let message =
            format!("`{path}` has to be a list of names in quotes, such as [\"contract\"]");
        Problem::of_list(path, message)
    })
}

/// Checks that `name` can occur in a document and has no other meaning.
fn check(name: &str, kind: NameKind, role: KeyRole, path: &str) -> Result<(), Problem> {
    let message = match kind {
        _ if name.trim().is_empty() => {
            format!("a name in `{path}` is empty; write the name or take it out")
        }
        NameKind::Call if !is_call(name) => format!(
            "`{name}` in `{path}` is no call; write a function with its module, such as `Contracts.parse`"
        ),
        NameKind::Key if name != bare(name) => {
            format!("write `{}` instead of `{name}` in `{path}`", bare(name))
        }
        _ if fixed_role(kind, name).is_some_and(|fixed| fixed != role) => {
            format!("`{name}` in `{path}` already has another meaning; take it out")
        }
        _ => return Ok(()),
    };
    Err(Problem::of_name(path, name, message))
}

/// A key without punctuation.
fn bare(key: &str) -> &str {
    key.trim_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '"' | '@'))
}

fn is_call(name: &str) -> bool {
    let is_part = |part: &str| {
        let part = part.strip_suffix(['!', '?']).unwrap_or(part);
        !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    name.split('.').all(is_part)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use signature_ls_source::host::Roles;

    fn read_value(value: Value) -> Result<Vec<AddedName>, String> {
        read(value.as_object().expect("an object")).map_err(|it| it.message)
    }

    #[test]
    fn names_are_added_for_all_languages_or_for_one() {
        let names = read_value(json!({
            "signature": {"keys": ["contract"], "calls": ["Contracts.parse!"]},
            "prompt": {"keys": ["template", "instructions"], "calls": null},
            "yaml": {"prompt": {"keys": ["contract"]}, "signature": null},
            "elixir": {"signature": {"calls": ["sig"]}},
            "json": null,
        }));
        let roles = Roles::default().with(&names.expect("names"));
        let of_key = |notation, key| roles.of(notation).of_key(key);
        let of_call = |notation, call: &str| roles.of(notation).of_added_call(call.split('.'));
        for notation in [Notation::Elixir, Notation::Lisp, Notation::Json] {
            assert_eq!(of_key(notation, "contract"), Some(KeyRole::Signature));
            assert_eq!(of_key(notation, "instructions"), Some(KeyRole::Prompt));
        }
        assert_eq!(of_key(Notation::Yaml, "contract"), Some(KeyRole::Prompt));
        assert_eq!(
            of_key(Notation::Yaml, "signature"),
            Some(KeyRole::Signature)
        );
        let call = of_call(Notation::Elixir, "MyApp.Contracts.parse!");
        assert_eq!(call, Some(KeyRole::Signature));
        assert_eq!(of_call(Notation::Elixir, "sig"), Some(KeyRole::Signature));
        assert_eq!(of_call(Notation::Elixir, "Contracts.parse"), None);
        assert_eq!(of_call(Notation::Elixir, "SubAgent.run"), None);
    }

    #[test]
    fn what_is_added_later_counts_first() {
        let add = |roles: &Roles, value| roles.with(&read_value(value).expect("names"));
        let project = add(
            &Roles::default(),
            json!({"signature": {"keys": ["a", "b"]}}),
        );
        let user = add(&project, json!({"prompt": {"keys": ["b"]}}));
        assert_eq!(
            user.of(Notation::Json).of_key("a"),
            Some(KeyRole::Signature)
        );
        assert_eq!(user.of(Notation::Json).of_key("b"), Some(KeyRole::Prompt));
        assert_eq!(add(&user, json!({})), user);
    }

    #[test]
    fn every_list_is_limited() {
        let names = |count: usize| (0..count).map(|it| format!("k{it}")).collect::<Vec<_>>();
        for path in [
            "signature.keys",
            "signature.calls",
            "prompt.keys",
            "prompt.calls",
            "elixir.prompt.calls",
            "yaml.signature.keys",
        ] {
            let read = |count| {
                let list = json!(names(count));
                read_value(
                    path.rsplit('.')
                        .fold(list, |value, key| json!({key: value})),
                )
            };
            assert_eq!(read(MOST_NAMES).map(|it| it.len()), Ok(MOST_NAMES));
            let message = format!("`{path}` has to be a list of at most 1000 names");
            assert_eq!(read(MOST_NAMES + 1), Err(message));
        }
    }

    #[test]
    fn what_is_wrong_is_reported_in_a_sentence() {
        for (value, message) in [
            (
                json!({"signature": ["contract"]}),
                "`signature` holds no settings; write the names in a list such as `signature.keys`",
            ),
            (
                json!({"signature": {"names": ["contract"]}}),
                "there is no setting `signature.names`; write `signature.keys` or `signature.calls`",
            ),
            (
                json!({"lisp": {"signature": {"calls": ["f"]}}}),
                "there is no setting `lisp.signature.calls`; write `lisp.signature.keys`",
            ),
            (
                json!({"lisp": {"keys": ["f"]}}),
                "there is no setting `lisp.keys`; write `lisp.signature` or `lisp.prompt`",
            ),
            (
                json!({"prompt": {"keys": "template"}}),
                "`prompt.keys` has to be a list of names in quotes, such as [\"contract\"]",
            ),
            (
                json!({"json": {"prompt": {"keys": [1]}}}),
                "`json.prompt.keys` has to be a list of names in quotes, such as [\"contract\"]",
            ),
            (
                json!({"prompt": {"keys": [" "]}}),
                "a name in `prompt.keys` is empty; write the name or take it out",
            ),
            (
                json!({"prompt": {"keys": [":template"]}}),
                "write `template` instead of `:template` in `prompt.keys`",
            ),
            (
                json!({"prompt": {"calls": ["Agent."]}}),
                "`Agent.` in `prompt.calls` is no call; write a function with its module, such as \
                 `Contracts.parse`",
            ),
            (
                json!({"prompt": {"keys": ["tools"]}}),
                "`tools` in `prompt.keys` already has another meaning; take it out",
            ),
            (
                json!({"signature": {"calls": ["SubAgent.run"]}}),
                "`SubAgent.run` in `signature.calls` already has another meaning; take it out",
            ),
            (
                json!({"prompt": {"keys": ["a"]}, "signature": {"keys": ["a"]}}),
                "`a` cannot be both a signature and a prompt; take it out of `prompt.keys` or of the \
                 other list",
            ),
        ] {
            assert_eq!(read_value(value), Err(message.to_owned()));
        }
    }
}
