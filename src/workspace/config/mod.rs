//! Settings in a project's `signature-ls.toml` or in an editor's JSON.

mod names;

pub(super) use names::MOST_NAMES;

use std::collections::BTreeMap;

use serde_json::Value;

use super::settings_file::{self, Mistake};
use signature_ls_analysis::{
    ide::{Level, Settings, Severity},
    model::Edition,
};
use signature_ls_source::host::AddedName;

/// Settings as written. A missing one is taken from the next source of settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// The edition, if the project does not decide.
    edition: Option<Edition>,
    /// The levels of rules by their codes.
    rules: BTreeMap<String, Level>,
    /// The additional keys and calls.
    names: Vec<AddedName>,
    /// The maximum width of a formatted line.
    line_width: Option<usize>,
    /// Whether signatures from specs are shown.
    signature_hints: Option<bool>,
    /// Whether the types of placeholders are shown.
    placeholder_hints: Option<bool>,
    /// Whether the types of steps are shown.
    step_hints: Option<bool>,
}

impl Config {
    /// Reads a settings file.
    ///
    /// # Errors
    /// The mistakes in it.
    pub fn from_toml(text: &str) -> Result<Self, Vec<Mistake>> {
        let mistakes = settings_file::check_file(text);
        match mistakes.is_empty() {
            true => Ok(Self::from_json(&settings_file::read(text))),
            false => Err(mistakes),
        }
    }

    /// Reads settings that were [checked](settings_file::check); wrong ones set nothing.
    pub fn from_json(settings: &Value) -> Self {
        let hint = |name| settings["hints"][name].as_bool();
        let rules = settings["rules"].as_object().into_iter().flatten();
        let width = settings_file::whole(&settings["format"]["line_width"]);
        Self {
            edition: settings["edition"].as_str().and_then(|it| it.parse().ok()),
            rules: rules
                .filter_map(|(code, level)| Some((code.clone(), self::level(level.as_str()?)?)))
                .collect(),
            names: names::read(settings),
            line_width: width.and_then(|it| usize::try_from(it).ok()),
            signature_hints: hint("signatures"),
            placeholder_hints: hint("placeholders"),
            step_hints: hint("steps"),
        }
    }

    /// `base`, overridden by these settings.
    pub fn apply(&self, base: &Settings) -> Settings {
        let mut settings = base.clone();
        if let Some(edition) = self.edition {
            settings.edition = edition;
            settings.is_edition_chosen = true;
        }
        let levels = self
            .rules
            .iter()
            .map(|(code, level)| (code.clone(), *level));
        settings.levels.extend(levels);
        settings.roles = settings.roles.with(&self.names);
        settings.line_width = self.line_width.or(settings.line_width);
        let hints = &mut settings.hints;
        hints.signatures = self.signature_hints.unwrap_or(hints.signatures);
        hints.placeholders = self.placeholder_hints.unwrap_or(hints.placeholders);
        hints.steps = self.step_hints.unwrap_or(hints.steps);
        settings
    }
}

fn level(name: &str) -> Option<Level> {
    match name {
        "off" => Some(Level::Off),
        "hint" => Some(Level::At(Severity::Hint)),
        "warning" => Some(Level::At(Severity::Warning)),
        "error" => Some(Level::At(Severity::Error)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn apply(config: &Value) -> Settings {
        Config::from_json(config).apply(&Settings {
            edition: Edition::V0_5,
            ..Settings::default()
        })
    }

    #[test]
    fn what_is_set_counts_and_the_rest_stays() {
        for (config, edition) in [
            (json!({}), Edition::V0_5),
            (json!(null), Edition::V0_5),
            (
                json!({"edition": null, "rules": null, "lisp": null}),
                Edition::V0_5,
            ),
            (json!({"edition": "auto", "other": 1}), Edition::V0_5),
            (json!({"edition": ""}), Edition::V0_5),
            (json!({"edition": "next"}), Edition::Next),
        ] {
            assert_eq!(apply(&config).edition, edition);
        }
        let settings =
            apply(&json!({"rules": {"hyphen-in-name": "off", "unused-parameter": "error"}}));
        assert_eq!(settings.levels["hyphen-in-name"], Level::Off);
        assert_eq!(
            settings.levels["unused-parameter"],
            Level::At(Severity::Error)
        );
    }
}
