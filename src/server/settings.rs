//! What a client sends as settings.
//!
//! They come as `initializationOptions`, with `workspace/didChangeConfiguration`, or as the answer to
//! `workspace/configuration`; `docs/protocol.md` lists them.

use serde::Deserialize;
use serde_json::Value;

use crate::{ide::Settings, project::Config};

/// The section under which a client keeps the settings.
pub(super) const SECTION: &str = "signature-ls";

/// Reads `value`, either the settings themselves or an object with them in [`SECTION`]. The error is for
/// the user.
pub(super) fn read(value: &Value) -> Result<Config, String> {
    let value = value.get(SECTION).unwrap_or(value);
    if value.is_null() {
        return Ok(Config::default());
    }
    let config = Config::deserialize(value).map_err(|error| error.to_string())?;
    config.apply(&Settings::default())?;
    Ok(config)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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
    fn wrong_settings_are_told() {
        for value in [
            json!({"edition": "0.6"}),
            json!({"edition": 5}),
            json!("0.5"),
        ] {
            assert!(read(&value).is_err(), "{value}");
        }
    }
}
