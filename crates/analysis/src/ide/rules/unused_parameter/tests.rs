use crate::{
    ide::{Document, Settings, quick_fixes, testing::applied},
    model::Edition,
};
use signature_ls_source::{
    host::HostKind,
    text::{TextRange, TextSize},
};

#[test]
fn a_parameter_without_a_type_is_removed() {
    let text = "SubAgent.new(prompt: \"{{a}}\", signature: \"(a :int, *n) -> :int\")\n";
    let document = Document::new(HostKind::Elixir, text, Settings::default());
    let found = document.diagnostics();
    let codes: Vec<_> = found.iter().map(|it| it.rule.code).collect();
    assert_eq!(codes, ["invalid-name", "unused-parameter"]);
}

/// In text mode, the reference takes every name in a tag for a use of the parameter, and raises if there is none.
#[test]
fn text_mode_requires_the_name_of_each_parameter() {
    let signature = "(items [{name :string}], name :string) -> :string";
    for (prompt, in_text, otherwise) in [
        ("{{#items}}{{name}}{{/items}} {{name}}", None, None),
        ("{{#items}}{{name}}{{/items}}", Some("name"), Some("name")),
        ("{{#items}}x{{/items}}", Some("name!"), Some("name")),
        ("{{^items}}{{name}}{{/items}}", None, None),
    ] {
        for (call, options, is_text) in [
            ("SubAgent.new", ", output: :text", true),
            ("LLMTool.new", "", true),
            ("SubAgent.new", "", false),
        ] {
            let text =
                format!("{call}(prompt: \"{prompt}\", signature: \"{signature}\"{options})\n");
            let document = Document::new(HostKind::Elixir, &text, Settings::default());
            let found = document.diagnostics();
            let mut unused = found.iter().filter(|it| it.rule.code == "unused-parameter");
            let found = unused.next().map(|it| {
                let is_error = it.severity == crate::ide::Severity::Error;
                format!("{}{}", &text[it.range], if is_error { "!" } else { "" })
            });
            let expected = if is_text { in_text } else { otherwise };
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}

/// In text mode, the reference requires hidden parameters too.
#[test]
fn text_mode_requires_hidden_parameters() {
    let hidden = |name: &str| {
        format!(
            "`{name}` is hidden from models, but `output: :text` requires a placeholder for each parameter; remove it."
        )
    };
    for (signature, prompt, options, edition, expected) in [
        ("(_x :int)", "Hi", ", output: :text", Edition::V0_5, vec![hidden("_x")]),
        (
            "(a :int)",
            "Hi",
            ", output: :json",
            Edition::V0_5,
            vec!["No placeholder uses `a`, which `output: :json` requires; write `{{a}}` in the prompt.".to_owned()],
        ),
        (
            "(_x :int, a :int)",
            "Hi",
            ", output: :text",
            Edition::V0_5,
            vec![
                hidden("_x"),
                "No placeholder uses `a`, which `output: :text` requires; write `{{a}}` in the prompt.".to_owned(),
            ],
        ),
        ("(_x :int, a :int)", "{{a}}{{_x}}", ", output: :text", Edition::V0_5, vec![]),
        ("(_x :int)", "Hi", "", Edition::V0_5, vec![]),
        ("(_x :int)", "Hi", ", output: :text", Edition::V0_4, vec![]),
        (
            "(_x :int)",
            "Hi",
            ", output: :text",
            Edition::V0_11,
            vec![
                "No placeholder uses `_x`, which `output: :text` requires; write `{{_x}}` in the prompt.".to_owned(),
            ],
        ),
    ] {
        let text = format!(
            "SubAgent.new(prompt: \"{prompt}\", signature: \"{signature} -> :int\"{options})\n"
        );
        let settings = Settings {
            edition,
            ..Settings::default()
        };
        let document = Document::new(HostKind::Elixir, &text, settings);
        let found = document.diagnostics();
        let found = found.iter().filter(|it| it.rule.code == "unused-parameter");
        let messages: Vec<_> = found.map(|it| it.message.clone()).collect();
        assert_eq!(messages, expected, "{text}");
    }
}

/// In edition 0.4, no option makes the model answer in text.
#[test]
fn edition_0_4_requires_no_parameters() {
    let text = "SubAgent.new(prompt: \"Hi\", signature: \"(x :int) -> :int\", output: :text)\n";
    let settings = Settings {
        edition: Edition::V0_4,
        ..Settings::default()
    };
    let document = Document::new(HostKind::Elixir, text, settings);
    let severities: Vec<_> = document
        .diagnostics()
        .iter()
        .map(|it| it.severity)
        .collect();
    assert_eq!(severities, [crate::ide::Severity::Hint]);
}

/// No release with string keys calls such a tool. In edition 0.4 none runs.
#[test]
fn an_llm_tool_requires_its_parameters_in_every_edition_that_runs_it() {
    for (answer, code) in [
        ("", "unused-parameter"),
        (", json_signature: \"{n :int}\"", "unknown-placeholder"),
    ] {
        let prompt = if answer.is_empty() { "Go" } else { "{{q}}" };
        let text = format!(
            "LLMTool.new(prompt: \"{prompt}\", signature: \"(q :string) -> :any\"{answer})\n"
        );
        for edition in [Edition::V0_4, Edition::V0_5, Edition::V0_11, Edition::Next] {
            let settings = Settings {
                edition,
                ..Settings::default()
            };
            let document = Document::new(HostKind::Elixir, &text, settings);
            let found = document.diagnostics();
            let mut errors = found
                .iter()
                .filter(|it| it.severity == crate::ide::Severity::Error);
            let expected = (edition != Edition::V0_4).then_some(code);
            assert_eq!(
                errors.next().map(|it| it.rule.code),
                expected,
                "{edition} {text}"
            );
        }
    }
}

/// Whatever the type and the prompt, what the first fix writes is not reported again.
#[test]
fn the_first_fix_shows_the_parameter_for_good() {
    for ty in [
        ":int",
        "[:int]",
        "[{id :int}]",
        "[{ids [:int], id :int}]",
        "[[:int]]",
        "{id :int}",
        "{ids [:int]}",
        ":map",
        "[:map]",
        ":any",
        ":string?",
        ":any?",
        ":map?",
        ":bool?",
    ] {
        for (prompt, options) in [
            ("Go {{a}}", ""),
            ("Go {{a}}", ", output: :text"),
            ("Go {{#b}}{{.}}{{/b}} {{a}}", ""),
            ("Go {{#b}}{{.}}{{/b}} {{a}}", ", output: :text"),
        ] {
            let list = if prompt.contains('#') {
                ", b [:int]"
            } else {
                ""
            };
            let text = format!(
                "SubAgent.new(prompt: \"{prompt}\", signature: \"(a :int{list}, x {ty}) -> :string\"{options})\n"
            );
            let document = Document::new(HostKind::Elixir, &text, Settings::default());
            let all = TextRange::up_to(document.text().len());
            let found = quick_fixes(&document, all);
            let [found] = found.as_slice() else {
                panic!("{found:?} in {text}");
            };
            let is_write = |title: &str| title.starts_with("Write");
            let Some(fix) = found.fixes.iter().find(|it| is_write(&it.title)) else {
                assert!(found.message.contains('…'), "{}", found.message);
                continue;
            };
            let fixed = applied(&text, &fix.edits);
            let after = Document::new(HostKind::Elixir, &fixed, Settings::default());
            assert_eq!(after.diagnostics(), [], "{fixed}");
        }
    }
}

/// A default after the type is not left over.
#[test]
fn all_of_a_parameter_is_removed() {
    for (params, rest, prompt) in [
        ("x: int = 5", "", "Hi"),
        ("a :int, x: int = 5", "a :int", "{{a}}"),
        ("x: int = 5, a :int", "a :int", "{{a}}"),
    ] {
        let text = |params: &str| {
            format!("SubAgent.new(prompt: \"{prompt}\", signature: \"({params}) -> :int\")\n")
        };
        let before = text(params);
        let document = Document::new(HostKind::Elixir, &before, Settings::default());
        let found = quick_fixes(&document, TextRange::up_to(document.text().len()));
        let mut fixes = found.iter().flat_map(|it| &it.fixes);
        let fix = fixes.find(|it| it.title == "Remove `x` from the signature");
        assert_eq!(applied(&before, &fix.expect(params).edits), text(rest));
    }
}

#[test]
fn the_values_of_samples_are_not_left_over() {
    for (sample, is_offered) in [("", true), (", \"input\": {\"b\": 1}", false)] {
        let text = format!(
            "{{\"signature\": \"(a :int, b :int) -> :int\", \"prompt\": \"{{{{a}}}}\"{sample}}}"
        );
        let document = Document::new(HostKind::Json, &text, Settings::default());
        let all = TextRange::up_to(TextSize::of(text.as_str()));
        let found = quick_fixes(&document, all);
        let mut fixes = found.iter().flat_map(|it| &it.fixes);
        let is_removed = fixes.any(|it| it.title == "Remove `b` from the signature");
        assert_eq!(is_removed, is_offered, "{text}");
    }
}

#[test]
fn the_values_of_a_call_elsewhere_are_not_left_over() {
    for (given, is_offered) in [("", true), (", style: \"x\"", false)] {
        let text = format!(
            "agent = SubAgent.new(prompt: \"Sum {{{{numbers}}}}\", signature: \"(numbers [:int], style :string?) -> {{sum :int}}\")\nSubAgent.run(agent, context: %{{numbers: [1]{given}}}, llm: llm)\n"
        );
        let document = Document::new(HostKind::Elixir, &text, Settings::default());
        let all = TextRange::up_to(TextSize::of(text.as_str()));
        let found = quick_fixes(&document, all);
        let mut fixes = found.iter().flat_map(|it| &it.fixes);
        let is_removed = fixes.any(|it| it.title == "Remove `style` from the signature");
        assert_eq!(is_removed, is_offered, "{text}");
    }
}

/// A fence, a list or a listing of tools would be another one with a placeholder at its end.
#[test]
fn a_placeholder_goes_below_what_is_no_prose() {
    let yaml = |body: &str| {
        format!(
            "signature: \"(b :int) -> :int\"\nprompt: |\n  {}\n",
            body.replace('\n', "\n  ")
        )
    };
    let elixir = |body: &str| {
        format!(
            "SubAgent.new(\n  prompt: \"\"\"\n  {}\n  \"\"\",\n  signature: \"(b :int) -> :int\"\n)\n",
            body.replace('\n', "\n  ")
        )
    };
    let prompt = |body: &str| format!("---\nsignature: \"(b :int) -> :int\"\n---\n{body}\n");
    let json = |body: &str| {
        let body = body.replace('\n', "\\n");
        format!("{{\"prompt\": \"{body}\", \"signature\": \"(b :int) -> :int\"}}")
    };
    for (body, separator) in [
        ("Do it.", " "),
        ("- a\n\nDo it.", " "),
        ("```\nx\n```", "\n\n"),
        ("Do it:\n- a\n  b", "\n\n"),
        ("Do it:\n1. a", "\n\n"),
        ("# Task", "\n\n"),
        ("search(q :string) -> [:map]\n  Finds.", "\n\n"),
    ] {
        for (kind, file) in [
            (HostKind::Prompt, &prompt as &dyn Fn(&str) -> String),
            (HostKind::Elixir, &elixir),
            (HostKind::Yaml, &yaml),
            (HostKind::Json, &json),
        ] {
            let text = file(body);
            let document = Document::new(kind, &text, Settings::default());
            let found = quick_fixes(&document, TextRange::up_to(document.text().len()));
            let mut fixes = found.iter().flat_map(|it| &it.fixes);
            let title = "Write `{{b}}` at the end of the prompt";
            let fix = fixes.find(|it| it.title == title);
            let fix = fix.unwrap_or_else(|| panic!("no fix: {text}"));
            let fixed = applied(&text, &fix.edits);
            let expected = file(&format!("{body}{separator}{{{{b}}}}"));
            assert_eq!(
                fixed.replace("\n  \n", "\n\n"),
                expected.replace("\n  \n", "\n\n")
            );
        }
    }
}

/// A parenthesis on a line of its own stays there, and no line is left of nothing.
#[test]
fn removed_parameters_leave_the_lines_of_the_others() {
    for (unused, left) in [
        (
            "\n    a :int,\n    b :int,\n    c :int\n  ",
            "\n    a :int\n  ",
        ),
        ("\n    b :int,\n    c :int\n  ", ""),
        ("a :int, b :int, c :int", "a :int"),
    ] {
        let prompt = if left.is_empty() { "Go." } else { "{{a}}" };
        let agent = |params: &str| {
            format!(
                "SubAgent.new(\n  prompt: \"{prompt}\",\n  signature: \"\"\"\n  ({params}) -> :int\n  \"\"\"\n)\n"
            )
        };
        let text = agent(unused);
        let document = Document::new(HostKind::Elixir, &text, Settings::default());
        let found = document.diagnostics();
        let mut fixes = found.iter().flat_map(|it| &it.fixes);
        let fix = fixes
            .find(|it| it.title.starts_with("Remove"))
            .expect(&text);
        assert_eq!(applied(&text, &fix.edits), agent(left));
    }
}

/// The refactoring also removes what describes a parameter, the fix would leave it behind.
#[test]
fn a_parameter_that_is_described_is_left_to_the_refactoring() {
    for (descriptions, count) in [("", 1), (", context_descriptions: %{b: \"B.\"}", 0)] {
        let text = format!(
            "SubAgent.new(prompt: \"{{{{a}}}}\", signature: \"(a :int, b :int) -> :int\"{descriptions})\n"
        );
        let document = Document::new(HostKind::Elixir, &text, Settings::default());
        let found = document.diagnostics();
        let fixes = found.iter().flat_map(|it| &it.fixes);
        let removals = fixes.filter(|it| it.title.starts_with("Remove"));
        assert_eq!(removals.count(), count, "{text}");
    }
}

/// The first section of a prompt has all values filled in: what is written beside it fits that, the title says so, and
/// there is no fix if a placeholder does not fit.
#[test]
fn tags_that_are_written_together_fit_each_other() {
    let params = "items [:string], rows [{id :int}], user {name :string}, n :int, note :string?";
    let all = ["items", "rows", "user", "n", "note"];
    for mode in ["", ", output: :text"] {
        for prompt in [
            "Go",
            "Go {{#items}}{{.}}{{/items}}",
            "Go {{n}}",
            "Go {{items}}",
            "Go {{user}} {{note}}",
        ] {
            for mask in 1..32 {
                let has =
                    |name: &&str| mask & (1 << all.iter().position(|it| it == name).unwrap()) != 0;
                let kept = params.split(", ").filter(|it| {
                    let name = it.split(' ').next().unwrap();
                    has(&name)
                        || prompt.contains(&format!("{{{{{name}}}}}"))
                        || prompt.contains(&format!("#{name}"))
                });
                let kept = kept.collect::<Vec<_>>().join(", ");
                let text = format!(
                    "SubAgent.new(prompt: \"{prompt}\", signature: \"({kept}) -> :any\"{mode})\n"
                );
                let document = Document::new(HostKind::Elixir, &text, Settings::default());
                let found = quick_fixes(&document, TextRange::up_to(document.text().len()));
                let warnings = |found: &[crate::ide::Diagnostic]| {
                    let mut found = found.iter();
                    found.any(|it| it.rule.code == "compound-placeholder")
                };
                let fixes = found.iter().flat_map(|it| &it.fixes);
                for fix in fixes.filter(|it| it.title.contains("at the end of the prompt")) {
                    let fixed = applied(&text, &fix.edits);
                    let after = Document::new(HostKind::Elixir, &fixed, Settings::default());
                    assert_eq!(warnings(&after.diagnostics()), warnings(&found), "{fixed}");
                    let fills = mode.is_empty() && !text.contains("{{#") && fixed.contains("{{#");
                    assert_eq!(
                        fix.title.ends_with("fill in all values"),
                        fills,
                        "{}",
                        fix.title
                    );
                }
            }
        }
    }
}
