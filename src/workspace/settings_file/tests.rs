//! Compares the table of settings with everything that depends on it.

use std::{fs, path::Path};

use expect_test::{expect, expect_file};
use serde_json::{Map, Value, json};

use super::{
    table::{Kind, SETTINGS, Setting},
    *,
};
use crate::workspace::Config;
use signature_ls_source::text::{TextRange, size};

fn shown(text: &str) -> String {
    let shown = check_file(text).into_iter().map(|it| {
        let fixes: Vec<_> = it.fixes.iter().map(|fix| fix.title.as_str()).collect();
        format!("{:?} {} {fixes:?}\n", &text[it.range], it.message)
    });
    shown.collect()
}

#[test]
fn mistakes_are_found_where_they_are() {
    expect![[r#"
        "edtion" There is no setting `edtion`; did you mean `edition`? ["Write `edition`"]
        "12" `format.line_width` has to be a whole number from 20 to 1000. ["Write `20`"]
        "\"yes\"" `hints.signatures` has to be true or false. ["Write `true`"]
        "placeholder" There is no setting `hints.placeholder`; did you mean `placeholders`? ["Write `placeholders`"]
        "unknwn-type" There is no rule `unknwn-type`; did you mean `unknown-type`? ["Write `unknown-type`"]
        "\"eror\"" `rules.unused-parameter` has to be one of "off", "hint", "warning", "error". ["Write `\"error\"`"]
        "\"contract\"" `signature.keys` has to be a list of names in quotes, such as ["contract"]. ["Write `[\"contract\"]`"]
        "calls" There is no setting `yaml.prompt.calls`; the only one here is `keys`. []
    "#]]
    .assert_eq(&shown(
        "edtion = \"0.5\"\n[format]\nline_width = 12\n[hints]\nsignatures = \"yes\"\nplaceholder = true\n[rules]\nunknwn-type = \"off\"\nunused-parameter = \"eror\"\n[signature]\nkeys = \"contract\"\n[yaml.prompt]\ncalls = []\n",
    ));
    expect![[r#"
        "0.5" `edition` has to be one of "auto", "next", "0.11", "0.5", "0.4". ["Write `\"0.5\"`"]
    "#]]
    .assert_eq(&shown("edition = 0.5\n"));
    expect![[r#"
        "\":contract\"" Write `contract` instead of `:contract` in `signature.keys`. ["Write `\"contract\"`"]
    "#]]
    .assert_eq(&shown("[signature]\nkeys = [\":contract\"]\n"));
    expect![[r#"
        "99999999999999999999" `format.line_width` has to be a whole number from 20 to 1000. ["Write `1000`"]
    "#]].assert_eq(&shown("format.line_width = 99999999999999999999\n"));
    assert_eq!(
        shown("edition = \"auto\"\n[rules]\nunknown-type = \"off\"\n"),
        ""
    );
    assert!(
        shown("edition = \n").contains("not TOML"),
        "{}",
        shown("edition = \n")
    );
}

/// The marked text is the name in its list, whatever else contains the same text.
#[test]
fn a_name_is_marked_in_its_own_list() {
    for (list, name) in [
        ("[signature]\nkeys = [«\":contract\"»]\n", ":contract"),
        (
            "[signature]\nkeys = [\"contract\", «':contract'»]\n",
            ":contract",
        ),
        (
            "[yaml]\nprompt = { keys = [«\"signature\"»] }\n",
            "signature",
        ),
        (
            "[signature]\nkeys = [\"a b\"]\n[elixir.prompt]\ncalls = [«\"a b\"»]\n",
            "a b",
        ),
        (
            "[prompt]\nkeys = [«\"a\"»]\n[signature]\nkeys = [\"a\"]\n",
            "a",
        ),
        ("[signature]\nkeys = [\"a\", «\" \"»]\n", " "),
        ("[signature]\nkeys = [«\"\\u003acontract\"»]\n", ":contract"),
    ] {
        for before in [
            String::new(),
            format!("# not \"{name}\"\n"),
            format!("edition = \"\" # \"{name}\"\n"),
            format!("[json.prompt]\nkeys = [\"x\"] # \"{name}\"\n"),
        ] {
            let marked = format!("{before}{list}");
            let (start, end) = (marked.find('«'), marked.find('»'));
            let text = marked.replace(['«', '»'], "");
            let found = check_file(&text);
            let [mistake] = found.as_slice() else {
                panic!("{text}: {found:?}");
            };
            let start = start.expect("a mark");
            let end = end.expect("a mark") - '«'.len_utf8();
            assert_eq!(
                mistake.range,
                TextRange::new(size(start), size(end)),
                "{text}"
            );
        }
    }
}

/// Files with at most one mistake.
const FILES: &[&str] = &[
    "",
    "edition = \"0.5\"\n",
    "edition = \"\"\n",
    "edition = \"0.6\"\n",
    "edition = 5\n",
    "edition = 0.5\n",
    "edition = 1979-05-27\n",
    "colour = 1\n",
    "edtion = \"0.5\"\n",
    "log = { level = \"off\" }\n",
    "[rules]\nnothing = \"off\"\n",
    "[rules]\nunknwn-type = \"off\"\n",
    "[rules]\nunknown-type = \"loud\"\n",
    "[rules]\nunknown-type = \"\"\n",
    "[rules]\nunknown-type = \"eror\"\n",
    "[rules]\nunknown-type = 1\n",
    "[rules]\nunknown-type = \"hint\"\n",
    "rules = []\n",
    "[format]\nline_width = 80\n",
    "[format]\nline_width = 20.0\n",
    "[format]\nline_width = 20.5\n",
    "[format]\nline_width = nan\n",
    "[format]\nline_width = 1979-05-27\n",
    "[format]\nline_width = 5000\n",
    "[format]\nline_width = \"80\"\n",
    "[format]\nlines = 80\n",
    "format = 1\n",
    "[hints]\nplaceholders = 1\n",
    "[hints]\nplaceholders = true\n",
    "[hints]\nsignatures = \"on\"\n",
    "[signature]\nkeys = \"contract\"\n",
    "[signature]\nkeys = 1979-05-27\n",
    "[signature]\nkeys = [1979-05-27]\n",
    "[signature]\nkeys = [\"\"]\n",
    "[signature]\nkeys = [\" \"]\n",
    "[signature]\nkeys = [\":\"]\n",
    "[signature]\nkeys = [1]\n",
    "[signature]\nkeys = [\"a\", \"a\"]\n",
    "[signature]\nkeys = [\"contract:\"]\n",
    "[signature]\nkeys = [\"@contract\"]\n",
    "[signature]\nkeys = [\" a\"]\n",
    "[signature]\nkeys = [\"a b\", \"a:b\", \"é\", \"a\\nb\", \"-\"]\n",
    "[signature]\nother = []\n",
    "[signature]\ncalls = [\"a b\"]\n",
    "[signature]\ncalls = [\" \"]\n",
    "[signature]\ncalls = [\"A.b!\", \"a?\", \"é_1\", \"MyApp.Über.x\"]\n",
    "[signature]\ncalls = [\"a!!\"]\n",
    "[signature]\ncalls = [\"a-b\"]\n",
    "[signature]\ncalls = [\"a^\"]\n",
    "[signature]\ncalls = [\"a`\"]\n",
    "[signature]\ncalls = [\"a[\"]\n",
    "[signature]\ncalls = [\"a/1\"]\n",
    "[prompt]\ncalls = [\"Agent.\"]\n",
    "[lisp.prompt]\nkeys = [\"a\"]\n",
    "[lisp.prompt]\ncalls = [\"a\"]\n",
    "[lisp]\nkeys = [\"a\"]\n",
];

/// Files whose mistake is in the meaning of a name, which the schema does not know.
const MEANINGS: &[&str] = &[
    "[prompt]\nkeys = [\"tools\"]\n",
    "[signature]\ncalls = [\"SubAgent.run\"]\n",
    "[prompt]\nkeys = [\"a\"]\n[signature]\nkeys = [\"a\"]\n",
    "[yaml.prompt]\nkeys = [\"a\"]\n[yaml.signature]\nkeys = [\"a\"]\n",
];

#[test]
fn the_schema_accepts_what_the_program_accepts() {
    let schema = jsonschema::validator_for(&schema()).expect("a schema");
    for text in FILES {
        let settings: toml::Table = text.parse().expect("TOML");
        let settings = serde_json::to_value(settings).expect("plain data");
        let settings = match text.contains("nan") {
            true => json!({"format": {"line_width": "nan"}}),
            false => settings,
        };
        assert_eq!(
            schema.is_valid(&settings),
            check_file(text).is_empty(),
            "{text}"
        );
    }
    for text in MEANINGS {
        assert_eq!(check_file(text).len(), 1, "{text}");
    }
}

/// A message is a sentence, and what it says to write is a fix.
#[test]
fn what_a_message_says_to_write_is_a_fix() {
    for text in FILES.iter().chain(MEANINGS) {
        let before = check_file(text);
        assert!(before.len() <= 1, "{text}: {before:?}");
        for mistake in &before {
            let message = &mistake.message;
            let start = message.trim_start_matches('`');
            assert!(
                start.len() < message.len() || start.starts_with(char::is_uppercase),
                "{message}"
            );
            assert!(message.ends_with(['.', '?']), "{message}");
            assert!(!mistake.range.is_empty(), "{text}");
            let says_it = message.contains("Write `") || message.contains("did you mean `");
            assert!(!says_it || !mistake.fixes.is_empty(), "{message}");
            for fix in &mistake.fixes {
                let mut fixed = (*text).to_owned();
                fix.edits[0].apply(&mut fixed);
                assert_eq!(check_file(&fixed), [], "{fixed}");
            }
        }
    }
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let text = "colour = 1\n[rules]\nfoo = \"off\"\n[format]\nlines = 3\n[signature]\nkeys = [\"contract:\", \"\", \"a\"]\ncalls = [\"a b\"]\n[prompt]\nkeys = [\"a\"]\n[log]\nlevel = \"off\"\n";
    expect![[r#"
        "colour" There is no setting `colour`; the settings are `edition`, `rules`, `format`, `hints`, `signature`, `prompt`, `elixir`, `lisp`, `json` and `yaml`. []
        "foo" There is no rule `foo`; `signature-ls explain` lists them. []
        "lines" There is no setting `format.lines`; the only one here is `line_width`. []
        "\"contract:\"" Write `contract` instead of `contract:` in `signature.keys`. ["Write `\"contract\"`"]
        "\"\"" A name in `signature.keys` is empty; write the name or take it out. []
        "\"a b\"" `a b` in `signature.calls` is not a call; write a function with its module, such as `Contracts.parse`. []
        "\"a\"" `a` cannot be both a signature and a prompt; take it out of `signature.keys` or `prompt.keys`. []
        "log" Only the editor's settings have `log`. []
    "#]].assert_eq(&shown(text));
    let places = check_file(text).into_iter().map(|it| it.place_in(text));
    let lines: Vec<_> = places.map(|(line, _)| line).collect();
    assert_eq!(lines, [1, 3, 5, 7, 7, 8, 10, 11]);
}

/// The settings of an editor and those of a file have the same mistakes.
#[test]
fn json_and_toml_have_the_same_mistakes() {
    for text in FILES.iter().chain(MEANINGS) {
        let of_json = check(&read(text));
        let of_json: Vec<_> = of_json.iter().map(|it| it.message.as_str()).collect();
        let of_toml = check_file(text);
        let of_toml: Vec<_> = of_toml.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(of_json, of_toml, "{text}");
    }
}

#[test]
fn a_list_that_is_too_long_is_one_mistake() {
    let list = |count: usize| format!("[{}]", vec!["\"k\""; count].join(", "));
    for path in ["signature.keys", "prompt.calls", "elixir.prompt.calls"] {
        let text = |count| format!("{path} = {}\n", list(count));
        assert_eq!(check_file(&text(1_000)), []);
        let found = check_file(&text(1_001));
        let message = format!("`{path}` has to be a list of at most 1000 names.");
        let messages: Vec<_> = found.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(messages, [message]);
        assert_eq!(&text(1_001)[found[0].range], list(1_001));
    }
}

#[test]
fn settings_are_described() {
    let text = "edition = \"0.5\"\n[format]\nline_width = 80\n";
    for (at, range, about) in [
        ("dition", "edition", "`edition` — The edition"),
        ("0.5", "\"0.5\"", "`edition` — The edition"),
        (
            "ormat",
            "format",
            "`format` — How signatures are formatted.",
        ),
        (
            "width",
            "line_width",
            "`format.line_width` — The maximum width",
        ),
    ] {
        let offset = text.find(at).expect("a place");
        let hover = hover(text, size(offset)).expect(at);
        assert_eq!(&text[hover.range], range);
        assert!(hover.markdown.starts_with(about), "{}", hover.markdown);
    }
    assert_eq!(hover("# edition\n", size(4)), None);
    assert_eq!(hover("colour = 1\n", size(2)), None);
}

/// The paths of all tables of settings.
pub(crate) fn tables() -> impl Iterator<Item = Vec<&'static str>> {
    let mut found = vec![Vec::new()];
    let mut next = 0;
    while let Some(path) = found.get(next).cloned() {
        for setting in super::table::table(&path).into_iter().flatten() {
            if matches!(setting.kind, Kind::Table(_)) {
                found.push([path.as_slice(), &[setting.name]].concat());
            }
        }
        next += 1;
    }
    found.into_iter()
}

#[test]
fn the_reader_knows_the_settings_of_the_table() {
    for path in tables() {
        for setting in super::table::table(&path).into_iter().flatten() {
            let value = match &setting.kind {
                Kind::Table(_) => continue,
                Kind::Word { words, .. } => json!(words[1].word),
                Kind::Number { most, .. } => json!(most),
                Kind::Flag { default } => json!(!default),
                Kind::Names { example, .. } => json!([example]),
            };
            let names = path.iter().rev();
            let settings = json!({ setting.name: value });
            let settings = names.fold(settings, |it, name| json!({ *name: it }));
            assert_eq!(check(&settings), [], "{settings}");
            let changed = Config::from_json(&settings).apply(&Default::default());
            assert_ne!(changed, Default::default(), "{settings}");
        }
    }
}

#[test]
fn the_shipped_schema_is_that_of_the_table() {
    let schema = serde_json::to_string_pretty(&schema()).expect("plain data");
    expect_file!["../../../docs/signature-ls.schema.json"].assert_eq(&format!("{schema}\n"));
}

/// The settings of the VS Code extension are those of the table, and those that only an editor has.
#[test]
fn the_extension_has_the_same_settings() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/vscode/package.json");
    let package = fs::read_to_string(path).expect("the extension");
    let package: Value = serde_json::from_str(&package).expect("JSON");
    let properties = package["contributes"]["configuration"]["properties"].as_object();
    let properties = properties.expect("settings");
    for setting in SETTINGS.iter() {
        hold(
            setting,
            &format!("signature-ls.{}", setting.name),
            properties,
        );
    }
    let known: Vec<_> = properties
        .keys()
        .filter_map(|it| it.strip_prefix("signature-ls."))
        .map(|it| it.split('.').next().unwrap_or(it))
        .filter(|it| !["log", "server", "trace"].contains(it))
        .collect();
    for name in known {
        assert!(SETTINGS.iter().any(|it| it.name == name), "{name}");
    }
}

fn hold(setting: &Setting, name: &str, properties: &Map<String, Value>) {
    let schema = &super::schema::property(setting);
    match (properties.get(name), &setting.kind) {
        // The rules would fill the page of settings.
        (Some(property), Kind::Table(rules)) if name.ends_with(".rules") => {
            let Kind::Word { words: levels, .. } = &rules[0].kind else {
                panic!("rules have levels");
            };
            let mut allowed: Vec<_> = levels.iter().map(|it| it.word).collect();
            allowed.reverse();
            assert_eq!(
                property["additionalProperties"]["enum"],
                serde_json::json!(allowed)
            );
        }
        (Some(property), _) => same(property, schema, name),
        (None, Kind::Table(inner)) => {
            for setting in inner {
                hold(setting, &format!("{name}.{}", setting.name), properties);
            }
        }
        (None, _) => panic!("package.json has no {name}"),
    }
}

/// Whether two schemas accept the same values.
fn same(property: &Value, schema: &Value, name: &str) {
    for key in [
        "type",
        "minimum",
        "maximum",
        "items",
        "maxItems",
        "uniqueItems",
    ] {
        assert_eq!(property.get(key), schema.get(key), "{name}: {key}");
    }
    let words = |it: &Value| {
        let words = it.get("enum").and_then(Value::as_array).cloned();
        let mut words: Vec<_> = words
            .unwrap_or_default()
            .iter()
            // An editor does not offer the empty edition.
            .filter(|it| *it != "")
            .map(ToString::to_string)
            .collect();
        words.sort();
        words
    };
    assert_eq!(words(property), words(schema), "{name}");
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        let written = property["properties"].as_object().expect(name);
        assert!(
            written.keys().all(|it| properties.contains_key(it)),
            "{name}"
        );
        for (key, schema) in properties {
            let inner = written
                .get(key)
                .unwrap_or_else(|| panic!("package.json: {name}.{key}"));
            if schema["type"] == "array" {
                assert_eq!(inner["items"], schema["items"], "{name}.{key}");
                assert_eq!(inner["maxItems"], schema["maxItems"], "{name}.{key}");
            } else {
                same(inner, schema, &format!("{name}.{key}"));
            }
        }
    }
}
