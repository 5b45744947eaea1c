//! The table of all settings: names, values and descriptions.

use std::sync::LazyLock;

use signature_ls_analysis::{
    ide::{Rule, rules},
    model::Edition,
};
use signature_ls_source::host::{KeyRole, NameKind};

/// A setting, or a table of settings.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) about: String,
    pub(super) kind: Kind,
}

/// The type of a setting.
#[derive(Debug)]
pub(super) enum Kind {
    Table(Vec<Setting>),
    /// One of these words.
    Word {
        words: Vec<Word>,
        /// Whether an empty text sets nothing.
        can_be_empty: bool,
    },
    /// An integer in this range.
    Number {
        least: i64,
        most: i64,
        default: i64,
    },
    Flag {
        default: bool,
    },
    /// A list of names with this role, such as the example.
    Names {
        names: NameKind,
        role: KeyRole,
        example: &'static str,
    },
}

/// A value of a setting, with its meaning.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) word: &'static str,
    pub(super) about: &'static str,
}

/// The top-level settings.
pub(super) static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| {
    let mut all = vec![
        setting(
            "edition",
            "The edition of the signature language. `auto` leaves it to the release of `ptc_runner` that the project uses.",
            Kind::Word {
                words: editions(),
                can_be_empty: true,
            },
        ),
        setting(
            "rules",
            "The severity of each rule, by its code.",
            Kind::Table(rules()),
        ),
        setting(
            "format",
            "How signatures are formatted.",
            Kind::Table(vec![setting(
                "line_width",
                "The maximum width of a signature. A longer one is split, one parameter per line.",
                Kind::Number {
                    least: 20,
                    most: 1_000,
                    default: 98,
                },
            )]),
        ),
        setting(
            "hints",
            "Which inlay hints an editor shows.",
            Kind::Table(vec![
                setting(
                    "signatures",
                    "Show the signature that a function in `tools:` gets from its `@spec`.",
                    Kind::Flag { default: true },
                ),
                setting(
                    "placeholders",
                    "Show the type of each placeholder.",
                    Kind::Flag { default: false },
                ),
                setting(
                    "steps",
                    "Show the type of a step's result where it is bound to a name.",
                    Kind::Flag { default: false },
                ),
            ]),
        ),
    ];
    all.extend(names(true));
    for (name, language, has_calls) in [
        ("elixir", "Elixir", true),
        ("lisp", "Clojure, EDN and PTC-Lisp", false),
        ("json", "JSON", false),
        ("yaml", "YAML and front matter", false),
    ] {
        let about = format!("Names only for {language}.");
        all.push(Setting {
            name,
            about,
            kind: Kind::Table(names(has_calls)),
        });
    }
    all
});

fn setting(name: &'static str, about: &str, kind: Kind) -> Setting {
    Setting {
        name,
        about: about.to_owned(),
        kind,
    }
}

fn editions() -> Vec<Word> {
    let about = |edition| match edition {
        Edition::V0_4 | Edition::V0_5_0 => "`ptc_runner` 0.4.0 to 0.5.1.",
        Edition::V0_5 => "`ptc_runner` 0.5.2 to 0.10.",
        Edition::V0_11 => "`ptc_runner` 0.11 to 0.13.",
        Edition::Next => "The release after these.",
    };
    let auto = Word {
        word: "auto",
        about: "The edition of the release that the project uses.",
    };
    let all = Edition::ALL.into_iter().rev().map(|it| Word {
        word: it.name(),
        about: about(it),
    });
    std::iter::once(auto).chain(all).collect()
}

/// The levels of a rule.
fn levels() -> Vec<Word> {
    [
        ("off", "Findings of the rule are not reported."),
        ("hint", "Findings of the rule are hints."),
        ("warning", "Findings of the rule are warnings."),
        ("error", "Findings of the rule are errors."),
    ]
    .map(|(word, about)| Word { word, about })
    .into()
}

fn rules() -> Vec<Setting> {
    let rule = |rule: &'static Rule| Setting {
        name: rule.code,
        about: format!("{}.", rule.summary),
        kind: Kind::Word {
            words: levels(),
            can_be_empty: false,
        },
    };
    rules::all().map(rule).collect()
}

/// The tables of names for signatures and prompts.
fn names(has_calls: bool) -> Vec<Setting> {
    [
        ("signature", KeyRole::Signature, "contract", "Contracts.parse!"),
        ("prompt", KeyRole::Prompt, "template", "Agent.ask"),
    ]
    .map(|(name, role, key, call)| {
        let mut lists = vec![Setting {
            name: "keys",
            about: format!(
                "Keys whose value is a {name}, in addition to `{name}`. Write them without punctuation: `{key}`."
            ),
            kind: Kind::Names {
                names: NameKind::Key,
                role,
                example: key,
            },
        }];
        if has_calls {
            lists.push(Setting {
                name: "calls",
                about: format!(
                    "Elixir functions whose first argument is a {name}, such as `{call}`."
                ),
                kind: Kind::Names {
                    names: NameKind::Call,
                    role,
                    example: call,
                },
            });
        }
        Setting {
            name,
            about: format!("Additional keys and calls for a {name}."),
            kind: Kind::Table(lists),
        }
    })
    .into()
}

/// The settings in the table at `path`; `None` where there is no such table.
pub(super) fn table(path: &[&str]) -> Option<&'static [Setting]> {
    let mut settings: &'static [Setting] = &SETTINGS;
    for name in path {
        settings = match &settings.iter().find(|it| it.name == *name)?.kind {
            Kind::Table(inner) => inner,
            _ => return None,
        };
    }
    Some(settings)
}

impl Kind {
    /// The expected value, as the end of a sentence.
    pub(super) fn wanted(&self) -> String {
        match self {
            Self::Table(settings) => {
                let names: Vec<_> = settings
                    .iter()
                    .take(3)
                    .map(|it| format!("`{}`", it.name))
                    .collect();
                format!("a table with settings such as {}", names.join(", "))
            }
            Self::Word { words, .. } => {
                let words: Vec<_> = words.iter().map(|it| format!("\"{}\"", it.word)).collect();
                format!("one of {}", words.join(", "))
            }
            Self::Number { least, most, .. } => format!("a whole number from {least} to {most}"),
            Self::Flag { .. } => "true or false".to_owned(),
            Self::Names { example, .. } => {
                format!("a list of names in quotes, such as [\"{example}\"]")
            }
        }
    }
}
