//! Parses the settings that a client sends.
//!
//! They come as `initializationOptions`, with `workspace/didChangeConfiguration`, or as the answer to
//! `workspace/configuration`; `docs/protocol.md` lists them.

use serde_json::{Value, json};

use super::log;
use crate::{ide::Settings, workspace::Config};

/// The section under which a client keeps the settings.
pub(super) const SECTION: &str = "signature-ls";

/// What is no setting of documents: how to start the server, and what to log of it.
const OF_SERVER: [&str; 3] = ["server", "trace", log::SETTING];

/// The settings in `value`, which are either all of it or are in its [`SECTION`].
pub(super) fn own(value: &Value) -> &Value {
    value.get(SECTION).unwrap_or(value)
}

/// What the client answered that was asked for the settings in our section.
pub(super) fn in_section(value: &Value) -> Value {
    match value.get(SECTION) {
        Some(_) => value.clone(),
        None => json!({ SECTION: value }),
    }
}

/// What is wrong with the names in our section of `value`, for the user. A value without a section may hold
/// the settings of others.
pub(super) fn unknown(value: &Value) -> Option<String> {
    let section = value.get(SECTION)?.as_object()?;
    let names = section.keys().map(String::as_str);
    Config::unknown(names.filter(|name| !OF_SERVER.contains(name)))
}

/// Whether `value` has settings of ours.
pub(super) fn has_own(value: &Value) -> bool {
    let is_own = |name: &String| name == SECTION || Config::settings().any(|own| own == name);
    value.as_object().is_some_and(|all| all.keys().any(is_own))
}

/// Reads the settings in `value`. The error is for the user.
pub(super) fn read(value: &Value) -> Result<Config, String> {
    let config = Config::from_json(own(value))?;
    config.apply(&Settings::default())?;
    Ok(config)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Edition;

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
    fn names_that_are_no_settings_are_reported_where_the_section_is_ours() {
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
