//! Compares the table of settings with everything that depends on it.

use std::{fs, path::Path};

use expect_test::{expect, expect_file};
use serde_json::{Map, Value};

use super::{
    table::{Kind, SETTINGS, Setting},
    *,
};
use crate::workspace::Config;
use signature_ls_source::text::{TextRange, size};

fn shown(text: &str) -> String {
    let shown = check(text).into_iter().map(|it| {
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
        "unknwn-type" There is no rule `rules.unknwn-type`; did you mean `unknown-type`? ["Write `unknown-type`"]
        "\"eror\"" `rules.unused-parameter` has to be one of "off", "hint", "warning", "error". ["Write `\"error\"`"]
        "\"contract\"" `signature.keys` has to be a list of names in quotes, such as ["contract"]. ["Write `[\"contract\"]`"]
        "calls" There is no setting `yaml.prompt.calls`; there are `keys`. []
    "#]]
    .assert_eq(&shown(
        "edtion = \"0.5\"\n[format]\nline_width = 12\n[hints]\nsignatures = \"yes\"\nplaceholder = true\n[rules]\nunknwn-type = \"off\"\nunused-parameter = \"eror\"\n[signature]\nkeys = \"contract\"\n[yaml.prompt]\ncalls = []\n",
    ));
    expect![[r#"
        "0.5" `edition` has to be one of "auto", "next", "0.11", "0.5", "0.4". ["Write `\"0.5\"`"]
    "#]]
    .assert_eq(&shown("edition = 0.5\n"));
    expect![[r#"
        "\":contract\"" write `contract` instead of `:contract` in `signature.keys`. []
    "#]]
    .assert_eq(&shown("[signature]\nkeys = [\":contract\"]\n"));
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
            "[signature]\ncalls = [\"a b\"]\n[elixir.prompt]\ncalls = [«\"a b\"»]\n",
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
            let found = check(&text);
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

/// Exactly the values that the parser rejects are reported.
#[test]
fn reported_values_are_those_that_the_parser_rejects() {
    for text in [
        "",
        "edition = \"0.5\"\n",
        "edition = \"\"\n",
        "edition = \"0.6\"\n",
        "edition = 5\n",
        "edition = [\n",
        "colour = 1\n",
        "[rules]\nnothing = \"off\"\n",
        "[rules]\nunknown-type = \"loud\"\n",
        "[rules]\nunknown-type = 1\n",
        "rules = []\n",
        "[format]\nline_width = 80\n",
        "[format]\nline_width = 5000\n",
        "[format]\nline_width = \"80\"\n",
        "format = 1\n",
        "[hints]\nplaceholders = 1\n",
        "[hints]\nplaceholders = true\n",
        "[signature]\nkeys = [\"\"]\n",
        "[signature]\nkeys = [1]\n",
        "[signature]\nother = []\n",
        "[prompt]\ncalls = [\"Agent.\"]\n",
        "[prompt]\nkeys = [\"tools\"]\n",
        "[lisp.prompt]\nkeys = [\"a\"]\n",
        "[lisp.prompt]\ncalls = [\"a\"]\n",
        "[lisp]\nkeys = [\"a\"]\n",
    ] {
        let read = Config::from_toml(text).and_then(|it| it.apply(&Default::default()));
        assert_eq!(read.is_err(), !check(text).is_empty(), "{text}: {read:?}");
    }
}

#[test]
fn a_list_that_is_too_long_is_one_mistake() {
    let list = |count: usize| format!("[{}]", vec!["\"k\""; count].join(", "));
    for path in ["signature.keys", "prompt.calls", "elixir.prompt.calls"] {
        let text = |count| format!("{path} = {}\n", list(count));
        assert_eq!(check(&text(1_000)), []);
        let found = check(&text(1_001));
        let message = format!("`{path}` has to be a list of at most 1000 names.");
        let messages: Vec<_> = found.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(messages, [message]);
        assert_eq!(&text(1_001)[found[0].range], list(1_001));
    }
}

#[test]
fn a_fix_leaves_one_mistake_less() {
    for text in [
        "edtion = \"0.5\"\n",
        "edition = 0.5\n",
        "[format]\nline_width = 12\n",
        "[format]\nline_width = \"80\"\n",
        "[hints]\nsignatures = \"on\"\n",
        "[rules]\nunknwn-type = \"off\"\n",
        "[signature]\nkeys = \"contract\"\n",
    ] {
        let before = check(text);
        let fix = before[0].fixes.first().expect("a fix");
        let mut fixed = text.to_owned();
        fix.edits[0].apply(&mut fixed);
        assert_eq!(check(&fixed).len(), before.len() - 1, "{fixed}");
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

#[test]
fn the_reader_knows_the_settings_of_the_table() {
    let table: Vec<_> = SETTINGS.iter().map(|it| it.name).collect();
    let known: Vec<_> = Config::settings().collect();
    assert_eq!(table, known);
    for setting in SETTINGS.iter() {
        let Kind::Table(settings) = &setting.kind else {
            continue;
        };
        for inner in settings.iter() {
            let file = format!("[{}]\n{} = 0\n", setting.name, inner.name);
            let error = Config::from_toml(&file).err().unwrap_or_default();
            assert!(!error.starts_with("there is no setting"), "{error}");
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
            let Kind::Word(levels) = &rules[0].kind else {
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
    for key in ["type", "minimum", "maximum", "items", "maxItems"] {
        assert_eq!(property.get(key), schema.get(key), "{name}: {key}");
    }
    let words = |it: &Value| {
        let words = it.get("enum").and_then(Value::as_array).cloned();
        let mut words: Vec<_> = words
            .unwrap_or_default()
            .iter()
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
