//! Parses the settings that a client sends.
//!
//! The client sends them in `initializationOptions`, with `workspace/didChangeConfiguration`, or as the answer to
//! `workspace/configuration`; `docs/protocol.md` lists them.

use serde_json::{Value, json};

use super::log;
use crate::workspace::Config;
use signature_ls_analysis::ide::Settings;

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

/// The errors in the names of our section of `value`, for the user. A value without a section may contain settings of
/// other servers.
pub(super) fn unknown(value: &Value) -> Option<String> {
    let section = value.get(SECTION)?.as_object()?;
    let names = section.keys().map(String::as_str);
    Config::unknown(names.filter(|name| !OF_SERVER.contains(name)))
}

/// Whether `value` has settings for this server.
pub(super) fn has_own(value: &Value) -> bool {
    let is_own = |name: &String| name == SECTION || Config::settings().any(|own| own == name);
    value.as_object().is_some_and(|all| all.keys().any(is_own))
}

/// Parses the settings in `value`. The error is for the user.
pub(super) fn read(value: &Value) -> Result<Config, String> {
    let config = Config::from_json(own(value))?;
    config.apply(&Settings::default())?;
    Ok(config)
}

#[cfg(test)]
mod tests {
    use super::*;
    use signature_ls_analysis::model::Edition;

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
        ] {
            let settings = read(&value).and_then(|config| config.apply(&Settings::default()));
            assert_eq!(
                settings.map(|settings| settings.edition),
                Ok(edition),
                "{value}"
            );
        }
    }

    #[test]
    fn unknown_names_are_reported_in_our_section() {
        for (value, expected) in [
            (
                json!({"signature-ls": {"edtion": "0.4"}}),
                Some("there is no setting `edtion`; did you mean `edition`?"),
            ),
            (
                in_section(&json!({"edition": "0.4", "rule": {}})),
                Some("there is no setting `rule`; did you mean `rules`?"),
            ),
            (
                json!({"signature-ls": {"colour": 1}}),
                Some(
                    "there is no setting `colour`; there are edition, rules, format, hints, signature, prompt, elixir, lisp, json, yaml",
                ),
            ),
            (
                json!({"signature-ls": {"edition": "0.4", "trace": {"server": "off"}, "server": {}}}),
                None,
            ),
            (json!({"signature-ls": null}), None),
            (json!({"edtion": "0.4"}), None),
        ] {
            assert_eq!(unknown(&value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn wrong_settings_are_reported() {
        for value in [
            json!({"edition": "0.6"}),
            json!({"edition": 5}),
            json!("0.5"),
        ] {
            assert!(read(&value).is_err(), "{value}");
        }
    }
}
