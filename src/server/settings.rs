//! Parses the settings that a client sends.
//!
//! The client sends them in `initializationOptions`, with `workspace/didChangeConfiguration`, or as the answer to
//! `workspace/configuration`; `docs/protocol.md` lists them.

use serde_json::{Value, json};

use super::log::{self, LogSettings};
use crate::workspace::{Config, settings_file};

/// The section of the settings in a client.
pub(super) const SECTION: &str = "signature-ls";

/// Settings that are not about documents: how to start the server, and its log.
const OF_SERVER: [&str; 3] = ["server", "trace", log::SETTING];

/// The settings in `value`: either all of it, or its [`SECTION`].
pub(super) fn own(value: &Value) -> &Value {
    value.get(SECTION).unwrap_or(value)
}

/// The client's answer to a request for our section.
pub(super) fn in_section(value: &Value) -> Value {
    match value.get(SECTION) {
        Some(_) => value.clone(),
        None => json!({ SECTION: value }),
    }
}

/// Whether `value` has settings for this server.
pub(super) fn has_own(value: &Value) -> bool {
    let is_own = |name: &String| name == SECTION || settings_file::names().any(|own| own == name);
    value.as_object().is_some_and(|all| all.keys().any(is_own))
}

/// The settings in `value`, unless one is wrong, and sentences for the user about its mistakes. A value without a section
/// may contain settings of other servers.
pub(super) fn read(value: &Value) -> (Option<Config>, Vec<String>) {
    let own = own(value);
    let is_section = value.get(SECTION).is_some();
    let mut problems = settings_file::check(own);
    problems.retain(|it| !it.is_unknown || (is_section && !OF_SERVER.contains(&&*it.path[0])));
    let is_wrong = problems.iter().any(|it| !it.is_unknown);
    let config = (!is_wrong).then(|| Config::from_json(own));
    let sentences = problems.into_iter().map(|it| it.message);
    let of_log = is_section.then(|| LogSettings::unknown(own)).flatten();
    (config, sentences.chain(of_log).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::settings_file::tests::tables;
    use signature_ls_analysis::{ide::Settings, model::Edition};

    #[test]
    fn settings_are_found_with_and_without_their_section() {
        for (value, edition) in [
            (Value::Null, Edition::V0_11),
            (json!({}), Edition::V0_11),
            (json!({"edition": null}), Edition::V0_11),
            (json!({"edition": "auto"}), Edition::V0_11),
            (json!({"edition": "0.5"}), Edition::V0_5),
            (json!({"signature-ls": {"edition": "next"}}), Edition::Next),
            (json!({"signature-ls": null}), Edition::V0_11),
            (json!({"other": {"edition": "0.4"}}), Edition::V0_11),
            // Settings of the servers for these languages.
            (
                json!({"edition": "0.4", "yaml": {"schemas": {}}}),
                Edition::V0_4,
            ),
        ] {
            let (config, problems) = read(&value);
            assert_eq!(problems, [] as [&str; 0], "{value}");
            let settings = config.expect("settings").apply(&Settings::default());
            assert_eq!(settings.edition, edition, "{value}");
        }
    }

    /// An unknown name is reported in whatever table of our section it is, and the other settings apply.
    #[test]
    fn unknown_names_are_reported_in_our_section() {
        let tables = tables().chain([vec!["log"]]);
        for path in tables {
            let inner = json!({"zzz": true});
            let inner = path
                .iter()
                .rev()
                .fold(inner, |it, name| json!({ *name: it }));
            let (config, problems) = read(&in_section(&inner));
            let name: String = path.iter().map(|it| format!("{it}.")).collect();
            let name = name.strip_prefix("rules.").unwrap_or(&name);
            let [problem] = problems.as_slice() else {
                panic!("{inner}: {problems:?}");
            };
            assert!(problem.contains(&format!("`{name}zzz`")), "{problem}");
            assert_eq!(config, Some(Config::default()), "{inner}");
            assert_eq!(read(&inner).1, [] as [&str; 0], "{inner}");
        }
        for (value, expected) in [
            (
                json!({"edtion": "0.4"}),
                "There is no setting `edtion`; did you mean `edition`?",
            ),
            (
                json!({"edition": "0.4", "rule": {}}),
                "There is no setting `rule`; did you mean `rules`?",
            ),
            (
                json!({"log": {"levle": "off"}}),
                "There is no setting `log.levle`; did you mean `level`?",
            ),
            (
                json!({"colour": 1}),
                "There is no setting `colour`; the settings are `edition`, `rules`, `format`, `hints`, `signature`, \
                 `prompt`, `elixir`, `lisp`, `json` and `yaml`.",
            ),
        ] {
            assert_eq!(read(&in_section(&value)).1, [expected], "{value}");
        }
        let of_editor = json!({"edition": "0.4", "trace": {"server": "off"}, "server": {}});
        assert_eq!(read(&in_section(&of_editor)).1, [] as [&str; 0]);
    }

    #[test]
    fn wrong_settings_are_reported() {
        for value in [
            json!({"edition": "0.6"}),
            json!({"edition": 5}),
            json!({"rules": ["hyphen-in-name"]}),
            json!({"prompt": {"keys": [""]}}),
            json!("0.5"),
            json!([]),
        ] {
            let (config, problems) = read(&value);
            assert_eq!(config, None, "{value}");
            assert_eq!(problems.len(), 1, "{value}");
        }
    }
}
