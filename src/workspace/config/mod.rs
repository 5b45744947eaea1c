//! Settings in a project's `signature-ls.toml` or in an editor's JSON.

mod names;

pub(super) use names::{MOST_NAMES, Problem as NamesProblem, read as read_names};

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use signature_ls_analysis::{
    ide::{Level, Settings, Severity, rules},
    model::spelling::nearest,
};
use signature_ls_source::host::AddedName;

/// The keys of a settings file, except those for names.
const KEYS: [&str; 4] = ["edition", "rules", "format", "hints"];

/// The settings in a section of a settings file, where a section has a fixed list of them.
const SECTIONS: [(&str, &[&str]); 2] = [
    ("format", &["line_width"]),
    ("hints", &["placeholders", "signatures", "steps"]),
];

/// Settings as written. A missing one is taken from the next source of settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// The name of an edition; empty or `auto` sets nothing.
    edition: Option<String>,
    /// `off`, `hint`, `warning` or `error` for the code of a rule.
    rules: BTreeMap<String, String>,
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
    /// The names of all settings.
    pub fn settings() -> impl Iterator<Item = &'static str> {
        KEYS.into_iter().chain(names::settings())
    }

    /// A sentence for the user about the first of `names` that is unknown.
    pub fn unknown<'a>(mut names: impl Iterator<Item = &'a str>) -> Option<String> {
        let unknown = names.find(|name| Self::settings().all(|known| known != *name))?;
        Some(match nearest(unknown, Self::settings()) {
            Some(near) => format!("there is no setting `{unknown}`; did you mean `{near}`?"),
            None => format!(
                "there is no setting `{unknown}`; there are {}",
                Self::settings().collect::<Vec<_>>().join(", ")
            ),
        })
    }

    /// Parses a settings file.
    ///
    /// # Errors
    /// A sentence for the user if it is not TOML, or has an unknown key.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        let table: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| in_one_line(&error, text))?;
        let problem = Self::unknown(table.keys().map(String::as_str));
        if let Some(problem) = problem.or_else(|| unknown_in_sections(&table)) {
            return Err(problem);
        }
        let value = serde_json::to_value(table).map_err(|error| error.to_string())?;
        Self::from_json(&value)
    }

    /// Parses the settings of an editor, which may contain those of others; null sets nothing.
    ///
    /// # Errors
    /// A sentence for the user if a setting has a value of the wrong type.
    pub fn from_json(value: &Value) -> Result<Self, String> {
        match value {
            Value::Null => Ok(Self::default()),
            Value::Object(settings) => Ok(Self {
                edition: edition(settings)?,
                rules: levels(settings)?,
                names: read_names(settings).map_err(|it| it.message)?,
                line_width: line_width(settings)?,
                signature_hints: hint(settings, "signatures")?,
                placeholder_hints: hint(settings, "placeholders")?,
                step_hints: hint(settings, "steps")?,
            }),
            _ => Err("the settings have to be an object".to_owned()),
        }
    }

    /// `base`, overridden by these settings.
    ///
    /// # Errors
    /// A sentence for the user if an edition, a rule or a level does not exist.
    pub fn apply(&self, base: &Settings) -> Result<Settings, String> {
        let mut settings = base.clone();
        match self.edition.as_deref() {
            None | Some("" | "auto") => {}
            Some(name) => {
                settings.edition = name.parse()?;
                settings.is_edition_chosen = true;
            }
        }
        for (code, level) in &self.rules {
            if rules::by_code(code).is_none() {
                return Err(format!(
                    "there is no rule `{code}`; {}",
                    rules::instead_of(code)
                ));
            }
            settings.levels.insert(code.clone(), self::level(level)?);
        }
        settings.roles = settings.roles.with(&self.names);
        settings.line_width = self.line_width.or(settings.line_width);
        let hints = &mut settings.hints;
        hints.signatures = self.signature_hints.unwrap_or(hints.signatures);
        hints.placeholders = self.placeholder_hints.unwrap_or(hints.placeholders);
        hints.steps = self.step_hints.unwrap_or(hints.steps);
        Ok(settings)
    }
}

/// A sentence for the user about the first unknown setting in a section.
fn unknown_in_sections(table: &toml::Table) -> Option<String> {
    SECTIONS.iter().find_map(|(section, known)| {
        let names = table.get(*section)?.as_table()?.keys();
        let unknown = names.map(String::as_str).find(|it| !known.contains(it))?;
        let known = nearest(unknown, known.iter().copied()).map_or_else(
            || format!("there are {}", known.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        Some(format!(
            "there is no setting `{section}.{unknown}`; {known}"
        ))
    })
}

/// The error in `text` with its line and column, both counted from 1.
fn in_one_line(error: &toml::de::Error, text: &str) -> String {
    let message = error.message().lines().collect::<Vec<_>>().join("; ");
    let start = error.span().map_or(0, |span| span.start);
    let before = text.get(..start).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&it| it != '\n').count() + 1;
    format!("this is not TOML: line {line}, column {column}: {message}")
}

fn edition(settings: &Map<String, Value>) -> Result<Option<String>, String> {
    match settings.get("edition") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) => Ok(Some(name.clone())),
        Some(other) => Err(format!(
            "`edition` has to be a name in quotes, such as \"0.5\", and not {other}"
        )),
    }
}

fn levels(settings: &Map<String, Value>) -> Result<BTreeMap<String, String>, String> {
    let levels = match settings.get("rules") {
        None | Some(Value::Null) => Some(BTreeMap::new()),
        Some(Value::Object(rules)) => {
            let level =
                |(code, level): (&String, &Value)| Some((code.clone(), level.as_str()?.to_owned()));
            rules.iter().map(level).collect()
        }
        Some(_) => None,
    };
    levels.ok_or_else(|| {
        "`rules` has to give each code one of \"off\", \"hint\", \"warning\" or \"error\""
            .to_owned()
    })
}

fn line_width(settings: &Map<String, Value>) -> Result<Option<usize>, String> {
    let width = match section(settings, "format")?.and_then(|it| it.get("line_width")) {
        None | Some(Value::Null) => return Ok(None),
        Some(width) => width.as_u64().and_then(|it| usize::try_from(it).ok()),
    };
    let width = width.filter(|it| (20..=1_000).contains(it));
    width
        .map(Some)
        .ok_or_else(|| "`format.line_width` has to be a number from 20 to 1000".to_owned())
}

fn hint(settings: &Map<String, Value>, name: &str) -> Result<Option<bool>, String> {
    match section(settings, "hints")?.and_then(|it| it.get(name)) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(shown)) => Ok(Some(*shown)),
        Some(_) => Err(format!("`hints.{name}` has to be true or false")),
    }
}

/// The settings under `name`, which must be an object.
fn section<'a>(
    settings: &'a Map<String, Value>,
    name: &str,
) -> Result<Option<&'a Map<String, Value>>, String> {
    match settings.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(section)) => Ok(Some(section)),
        Some(_) => Err(format!("`{name}` has to hold settings by name")),
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
    use signature_ls_analysis::model::Edition;

    fn apply(config: serde_json::Value) -> Result<Settings, String> {
        Config::from_json(&config)?.apply(&Settings {
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
    fn what_is_not_toml_is_reported_in_one_line() {
        let error = Config::from_toml("# é\nrules = \"é\" x\n").expect_err("no TOML");
        assert!(
            error.starts_with("this is not TOML: line 2, column 13: "),
            "{error}"
        );
        assert!(!error.contains('\n'), "{error}");
    }

    #[test]
    fn what_does_not_exist_is_reported() {
        for config in [
            json!({"edition": "0.6"}),
            json!({"edition": 5}),
            json!({"rules": {"no-such-rule": "off"}}),
            json!({"rules": {"hyphen-in-name": "loud"}}),
            json!({"rules": {"hyphen-in-name": 1}}),
            json!({"rules": ["hyphen-in-name"]}),
            json!({"prompt": {"keys": [""]}}),
            json!([]),
        ] {
            assert!(apply(config.clone()).is_err(), "{config}");
        }
    }

    #[test]
    fn an_unknown_setting_of_a_section_is_reported() {
        for (text, expected) in [
            (
                "[format]\nlinewidth = 60\n",
                "there is no setting `format.linewidth`; did you mean `line_width`?",
            ),
            (
                "[hints]\nzzz = true\n",
                "there is no setting `hints.zzz`; there are placeholders, signatures, steps",
            ),
        ] {
            let error = Config::from_toml(text).expect_err("an unknown setting");
            assert_eq!(error, expected);
        }
    }
}
