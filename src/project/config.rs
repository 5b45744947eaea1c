//! Settings as they are written, in a project's `signature-ls.toml` or in an editor's JSON.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::ide::{Level, Settings, Severity, rules};

/// What a settings file may set.
const KEYS: &[&str] = &["edition", "rules"];

/// Settings as written. What is not set is left to whoever is asked next.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Config {
    /// The name of an edition; empty or `auto` sets nothing.
    edition: Option<String>,
    /// `off`, `hint`, `warning` or `error` for the code of a rule.
    rules: BTreeMap<String, String>,
}

impl Config {
    /// Reads a settings file.
    ///
    /// # Errors
    /// A sentence for the user where it is no TOML, or has a key that does not exist.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        let table: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| error.to_string())?;
        if let Some(unknown) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(format!(
                "there is no setting `{unknown}`; there are {}",
                KEYS.join(", ")
            ));
        }
        Self::deserialize(table).map_err(|error| error.to_string())
    }

    /// `base` with what is set here.
    ///
    /// # Errors
    /// A sentence for the user where an edition, a rule or a level does not exist.
    pub fn apply(&self, base: &Settings) -> Result<Settings, String> {
        let mut settings = base.clone();
        match self.edition.as_deref() {
            None | Some("" | "auto") => {}
            Some(name) => settings.edition = name.parse()?,
        }
        for (code, level) in &self.rules {
            if rules::by_code(code).is_none() {
                return Err(format!(
                    "there is no rule `{code}`; `signature-ls explain` knows the codes"
                ));
            }
            settings.levels.insert(code.clone(), self::level(level)?);
        }
        Ok(settings)
    }
}

fn level(name: &str) -> Result<Level, String> {
    match name {
        "off" => Ok(Level::Off),
        "hint" => Ok(Level::At(Severity::Hint)),
        "warning" => Ok(Level::At(Severity::Warning)),
        "error" => Ok(Level::At(Severity::Error)),
        _ => Err(format!(
            "`{name}` is no severity; write off, hint, warning or error"
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::Edition;

    fn apply(config: serde_json::Value) -> Result<Settings, String> {
        let config: Config = serde_json::from_value(config).map_err(|error| error.to_string())?;
        config.apply(&Settings {
            edition: Edition::V0_5,
            ..Settings::default()
        })
    }

    #[test]
    fn what_is_set_counts_and_the_rest_stays() {
        for (config, edition) in [
            (json!({}), Edition::V0_5),
            (json!({"edition": null}), Edition::V0_5),
            (json!({"edition": "auto", "other": 1}), Edition::V0_5),
            (json!({"edition": "next"}), Edition::Next),
        ] {
            assert_eq!(apply(config).map(|settings| settings.edition), Ok(edition));
        }
        let settings =
            apply(json!({"rules": {"hyphen-in-name": "off", "unused-parameter": "error"}}))
                .unwrap();
        assert_eq!(settings.levels["hyphen-in-name"], Level::Off);
        assert_eq!(
            settings.levels["unused-parameter"],
            Level::At(Severity::Error)
        );
    }

    #[test]
    fn what_does_not_exist_is_told() {
        for config in [
            json!({"edition": "0.6"}),
            json!({"edition": 5}),
            json!({"rules": {"no-such-rule": "off"}}),
            json!({"rules": {"hyphen-in-name": "loud"}}),
        ] {
            assert!(apply(config.clone()).is_err(), "{config}");
        }
    }
}
