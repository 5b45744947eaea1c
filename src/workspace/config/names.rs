//! The names that settings add to the table of roles: `signature.keys`, `elixir.prompt.calls` and the like.

use serde_json::Value;

use signature_ls_source::host::{AddedName, KeyRole, NameKind, Notation};

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

/// Reads the names in `settings`, those for one language before those for all, so that they take precedence.
pub(super) fn read(settings: &Value) -> Vec<AddedName> {
    let of_languages = LANGUAGES.map(|(name, notation)| (&settings[name], Some(notation)));
    let tables = of_languages.into_iter().chain([(settings, None)]);
    tables
        .flat_map(|(table, notation)| read_roles(table, notation))
        .collect()
}

fn read_roles(table: &Value, notation: Option<Notation>) -> Vec<AddedName> {
    let mut names = Vec::new();
    for (setting, role) in ROLES {
        for (list, kind) in [("keys", NameKind::Key), ("calls", NameKind::Call)] {
            let items = table[setting][list].as_array().into_iter().flatten();
            names.extend(items.filter_map(Value::as_str).map(|name| AddedName {
                name: name.to_owned(),
                kind,
                role,
                notation,
            }));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use signature_ls_source::host::Roles;

    #[test]
    fn names_are_added_for_all_languages_or_for_one() {
        let names = read(&json!({
            "signature": {"keys": ["contract"], "calls": ["Contracts.parse!"]},
            "prompt": {"keys": ["template", "instructions"], "calls": null},
            "yaml": {"prompt": {"keys": ["contract"]}, "signature": null},
            "elixir": {"signature": {"calls": ["sig"]}},
            "json": null,
        }));
        let roles = Roles::default().with(&names);
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
        let add = |roles: &Roles, value| roles.with(&read(&value));
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
}
