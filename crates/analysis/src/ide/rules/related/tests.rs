use crate::ide::{Document, Settings};
use signature_ls_source::{
    host::HostKind,
    text::{TextEdit, TextRange},
};

#[track_caller]
fn check(kind: HostKind, text: &str, code: &str, expected: (&str, &str)) {
    // Places move with the text before them.
    let mut document = Document::new(kind, text, Settings::default());
    for _ in 0..2 {
        let found = document.diagnostics();
        let found = found.iter().find(|it| it.rule.code == code);
        let found = found.unwrap_or_else(|| panic!("{code} in {text}"));
        let related: Vec<_> = found.related.iter().collect();
        let [related] = related.as_slice() else {
            panic!("{code}: {related:?}");
        };
        let before = document.text().slice(TextRange::new(
            related
                .range
                .start()
                .checked_sub(6.into())
                .unwrap_or_default(),
            related.range.start(),
        ));
        let place = format!("{before}|{}", document.text().slice(related.range));
        assert_eq!(
            (place.as_str(), related.message.as_str()),
            expected,
            "{text}"
        );
        document.edit(&TextEdit::insert(0.into(), "\n"));
    }
}

#[test]
fn findings_of_calls_lead_to_the_tool_in_another_unit() {
    let calls = |call: &str| {
        let signature = "(page_size :int, at {x :int}) -> :any";
        let tools = format!(
            "{{:tools {{\"other\" \"(page_size :int) -> :any\" \"find\" \"{signature}\"}}}}"
        );
        [
            (HostKind::Lisp, format!("{tools}\n{call}\n")),
            (
                HostKind::Markdown,
                format!("```clojure\n{tools}\n```\n\n```clojure\n{call}\n```\n"),
            ),
            (
                HostKind::Elixir,
                format!(
                    "Lisp.run(~S|{call}|, tools: %{{\"find\" => {{&A.f/1, \"{signature}\"}}}})\n"
                ),
            ),
        ]
    };
    for (call, code, expected) in [
        (
            "(tool/fnd {})",
            "unknown-tool",
            ("find", "The tool `find` is declared here."),
        ),
        (
            "(tool/find {:at {:x 1}})",
            "missing-argument",
            ("page_size", "`page_size :int` is declared here."),
        ),
        (
            "(tool/find {:page-siz 1 :page-size 1 :at {:x 1}})",
            "unknown-argument",
            ("page_size", "`page_size :int` is declared here."),
        ),
        (
            "(tool/find {:page-size \"x\" :at {:x 1}})",
            "value-type",
            ("page_size", "`page_size :int` is declared here."),
        ),
        (
            "(tool/find {:page-size 1 :at {:x \"y\"}})",
            "value-type",
            ("x", "`x :int` is declared here."),
        ),
        (
            "(tool/find {:page-size 1 :at {}})",
            "missing-value",
            ("x", "`x :int` is declared here."),
        ),
    ] {
        for (kind, text) in calls(call) {
            let mut document = Document::new(kind, &text, Settings::default());
            for _ in 0..2 {
                let found = document.diagnostics();
                let found = found.iter().find(|it| it.rule.code == code);
                let found = found.unwrap_or_else(|| panic!("{code} in {text}"));
                let related = found.related.iter();
                let related: Vec<_> = related
                    .map(|it| (document.text().slice(it.range), it.message.as_str()))
                    .collect();
                assert_eq!(related, [(expected.0.into(), expected.1)], "{text}");
                document.edit(&TextEdit::insert(0.into(), "\n"));
            }
        }
    }
}

#[test]
fn a_tool_that_is_given_twice_leads_to_the_first() {
    let first = ("search", "The first `search` is here.");
    for (kind, text) in [
        (
            HostKind::Lisp,
            "{:tools {\"search\" \"() -> :int\" \"search\" \"() -> :int\"}}\n",
        ),
        (
            HostKind::Json,
            "{\"tools\": {\"search\": \"() -> :int\", \"search\": \"() -> :map\"}}",
        ),
        (
            HostKind::Json,
            "{tools: {search: '() -> :int', search: '() -> :map'}}",
        ),
        (
            HostKind::Json,
            "{\"tools\": [{\"name\": \"search\", \"signature\": \"() -> :int\"}, {\"name\": \"search\", \"signature\": \"() -> :int\"}]}",
        ),
        (
            HostKind::Yaml,
            "tools:\n  search: '() -> :int'\n  search: '() -> :map'\n",
        ),
        (
            HostKind::Yaml,
            "tools:\n  - name: search\n    signature: '() -> :int'\n  - name: search\n    signature: '() -> :map'\n",
        ),
    ] {
        // Tools of other agents with the same name are different.
        let before = match kind {
            HostKind::Lisp => "{:tools {\"search\" \"() -> :int\"}}\n",
            _ => "",
        };
        let text = format!("{before}{text}");
        let document = Document::new(kind, &text, Settings::default());
        let found = document.diagnostics();
        let found = found.iter().find(|it| it.rule.code == "duplicate-tool");
        let found = found.unwrap_or_else(|| panic!("duplicate-tool in {text}"));
        let [related] = found.related.as_slice() else {
            panic!("{text}: {:?}", found.related);
        };
        let place = document.text().slice(related.range);
        assert_eq!((&*place, related.message.as_str()), first, "{text}");
        assert!(usize::from(related.range.start()) >= before.len(), "{text}");
        assert!(related.range.start() < found.range.start(), "{text}");
    }
}

#[test]
fn findings_lead_to_the_other_places() {
    check(
        HostKind::Json,
        r#"{"signature": "(user_name :string) -> :int", "prompt": "{{usr_name}}"}"#,
        "unknown-placeholder",
        (
            "e\": \"(|user_name",
            "`user_name :string` is declared here.",
        ),
    );
    check(
        HostKind::Json,
        r#"{"signature": "(user {name :string}) -> :int", "prompt": "{{user.nme}}"}"#,
        "unknown-placeholder",
        ("user {|name", "`name :string` is declared here."),
    );
    check(
        HostKind::Yaml,
        "\nsignature: '(topic :string) -> :int'\nprompt: '{{topic.title}}'\n",
        "placeholder-type",
        ("re: '(|topic", "`topic :string` is declared here."),
    );
    check(
        HostKind::Catalog,
        "\nsearch(id :int, id :string) -> :map\n",
        "duplicate-name",
        ("earch(|id", "The first `id` is here."),
    );
    check(
        HostKind::Catalog,
        "a() -> :int\n\nsearch() -> :map\n\nsearch() -> :int\n",
        "duplicate-tool",
        (":int\n\n|search", "The first `search` is here."),
    );
    check(
        HostKind::Elixir,
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => &A.search/1, \"search\" => &A.find/1})\n",
        "duplicate-tool",
        ("ls: %{|\"search\"", "The first `search` is here."),
    );
    check(
        HostKind::Yaml,
        "\nsignature: '(user {age :int}) -> :int'\nprompt: '{{user.age}}'\ninput:\n  user:\n    age: many\n",
        "value-type",
        ("user {|age", "`age :int` is declared here."),
    );
    check(
        HostKind::Elixir,
        "SubAgent.run(\"{{a}}\", signature: \"(a :int, b :int) -> :int\", context: %{a: 1})\n",
        "missing-value",
        (":int, |b", "`b :int` is declared here."),
    );
    for (context, code) in [("%{a: \"x\"}", "value-type"), ("%{}", "missing-value")] {
        check(
            HostKind::Elixir,
            &format!(
                "agent = SubAgent.new(prompt: \"{{{{a}}}}\", signature: \"(a :int) -> :int\")\nSubAgent.run(agent, context: {context})\n"
            ),
            code,
            ("re: \"(|a", "`a :int` is declared here."),
        );
    }
    check(
        HostKind::Lisp,
        "{:tools {\"f\" \"(page_size :int) -> :any\"}}\n(tool/f {:page-size 1 :page_size 2})\n",
        "duplicate-argument",
        ("ol/f {|:page-size", "The first `page-size` is here."),
    );
    let call = |program: &str| {
        format!(
            "Lisp.run(\"{program}\", tools: %{{\"f\" => {{&A.f/1, \"(page_size :int, at {{x :int}}) -> :any\"}}}}, signature: \"(day :int) -> {{n :int}}\", context: %{{day: 1}})\n"
        )
    };
    for program in ["{:n 1.5}", "{:m 1}"] {
        let place = (") -> {|n", "`n :int` is declared here.");
        check(HostKind::Elixir, &call(program), "returned-value", place);
    }
    check(
        HostKind::Elixir,
        "SubAgent.run(\"{{topic}}\", signature: \"(topic :string) -> :int\", context: %{topic: \"x\", topc: 1})\n",
        "unknown-input",
        ("re: \"(|topic", "`topic :string` is declared here."),
    );
    check(
        HostKind::Yaml,
        "signature: '(items [{name :string}]) -> :int'\nprompt: '{{#items}}{{nam}}{{/items}}'\n",
        "unknown-placeholder",
        ("ems [{|name", "`name :string` is declared here."),
    );
    check(
        HostKind::Json,
        r#"{"signature": "(a :int] -> :int"}"#,
        "wrong-bracket",
        ("re\": \"|(", "`(` opens here."),
    );
    check(
        HostKind::Yaml,
        "signature: '(items [:string]) -> :int'\nprompt: 'List {{#items}}{{.}}{{/item}}'\n",
        "mismatched-section-close",
        ("'List |{{#items}}", "`{{#items}}` opens here."),
    );
}
