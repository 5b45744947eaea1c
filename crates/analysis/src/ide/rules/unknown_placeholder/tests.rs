use super::RULE;
use crate::ide::{Document, Settings, Severity, quick_fixes, refactorings, testing::applied};
use signature_ls_source::{
    host::HostKind,
    text::{TextRange, TextSize},
};

#[track_caller]
fn check(prompt: &str, output: &str, expected: &[&str]) {
    let signature = "(tags [:string], users [{id :int}], user {id :int}, name :any) -> :string";
    let all = "{{#users}}{{id}}{{/users}}{{#tags}}{{.}}{{/tags}}{{user.id}}{{name}}";
    let text = format!(
        "SubAgent.new(prompt: \"{prompt} {all}\", signature: \"{signature}\", output: {output})\n"
    );
    let document = Document::new(HostKind::Elixir, &text, Settings::default());
    let found = document.diagnostics();
    let messages: Vec<_> = found.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(messages, expected, "{text}");
}

#[test]
fn with_text_only_a_section_has_the_names_of_its_elements() {
    let outside = "With `output: :text`, names in a section are those of its elements;";
    let prompts = [
        ("{{#tags}}{{name}}{{/tags}}", "write `{{.}}`."),
        ("{{#users}}{{name}}{{/users}}", "they have `id`."),
        ("{{#user}}{{name}}{{/user}}", "they have `id`."),
        ("{{#users}}{{#tags}}x{{/tags}}{{/users}}", "they have `id`."),
    ];
    for (prompt, instead) in prompts {
        check(prompt, ":text", &[&format!("{outside} {instead}")]);
        check(prompt, ":ptc_lisp", &[]);
    }
    check("{{#users}}{{user.id}}{{/users}}", ":text", &[]);
}

/// What the reference compares in text mode: sections alike whether inverted or not, nested ones only in lists.
#[test]
fn with_text_only_names_are_compared_as_deep_as_the_reference_does() {
    let signature = "(flag :bool, tags [:string], topic :string, user {id :int, tags [:string], sub {n :int}}, items [{id :int, sub {n :int}, subs [{n :int}], on :bool, words [:string]}])";
    let all = "{{flag}}{{#tags}}{{.}}{{/tags}}{{topic}}{{user.id}}{{#items}}{{id}}{{/items}}";
    for (prompt, is_found) in [
        (
            "{{#flag}}{{#tags}}{{.}} for {{topic}}{{/tags}}{{/flag}}",
            false,
        ),
        ("{{#user}}{{#tags}}{{.}} of {{id}}{{/tags}}{{/user}}", false),
        ("{{#user}}{{#sub}}{{n}} {{id}}{{/sub}}{{/user}}", false),
        ("{{#user}}{{#sub}}{{n}} {{topic}}{{/sub}}{{/user}}", false),
        ("{{#user}}{{#flag}}{{id}}{{/flag}}{{/user}}", false),
        ("{{#user}}{{topic}}{{/user}}", true),
        ("{{#tags}}{{#flag}}{{topic}}{{/flag}}{{/tags}}", false),
        ("{{#items}}{{#sub}}{{id}}{{/sub}}{{/items}}", true),
        ("{{#items}}{{#subs}}{{id}}{{/subs}}{{/items}}", true),
        ("{{#items}}{{#words}}{{id}}{{/words}}{{/items}}", true),
        ("{{#items}}{{#on}}{{topic}}{{/on}}{{/items}}", false),
        (
            "{{#items}}{{#sub}}{{#flag}}{{id}}{{/flag}}{{/sub}}{{/items}}",
            false,
        ),
        ("{{#items}}{{^subs}}{{topic}}{{/subs}}{{/items}}", true),
        ("{{^items}}none for {{topic}}{{/items}}", true),
        ("{{^items}}{{#flag}}{{topic}}{{/flag}}{{/items}}", true),
        ("{{^flag}}{{topic}}{{/flag}}", false),
        ("{{^tags}}{{topic}}{{/tags}}", true),
        ("{{^user}}{{topic}}{{/user}}", true),
    ] {
        for (prefix, arguments) in [
            ("SubAgent", ", output: :text"),
            ("LLMTool", ""),
            ("SubAgent", ""),
        ] {
            let text = format!(
                "{prefix}.new(prompt: \"{prompt} {all}\", signature: \"{signature} -> :string\"{arguments})\n"
            );
            let document = Document::new(HostKind::Elixir, &text, Settings::default());
            let found = document.diagnostics();
            let codes: Vec<_> = found.iter().map(|it| it.rule.code).collect();
            let is_text = prefix == "LLMTool" || !arguments.is_empty();
            let expected: &[&str] = match is_found && is_text {
                true => &["unknown-placeholder"],
                false => &[],
            };
            assert_eq!(codes, expected, "{text}");
        }
    }
}

/// In text mode, the reference takes `{}` for a record without fields and `:any` for a single value.
#[test]
fn with_text_only_undeclared_names_are_no_names_of_elements() {
    for (ty, prompt, in_text, otherwise) in [
        ("[:any]", "{{#b}}{{x}}{{/b}}", "unknown-placeholder x", ""),
        ("[:any?]", "{{#b}}{{z}}{{/b}}", "unknown-placeholder z", ""),
        ("[:any]", "{{^b}}{{x}}{{/b}}", "unknown-placeholder x", ""),
        ("[{}]", "{{#b}}{{z}}{{/b}}", "unknown-placeholder z", ""),
        ("[{}]", "{{^b}}{{x}}{{/b}}", "unknown-placeholder x", ""),
        (
            "[{}]",
            "{{#b}}{{#x}}1{{/x}}{{/b}}",
            "unknown-placeholder x",
            "",
        ),
        ("{}", "{{#b}}{{x}}{{/b}}", "unknown-placeholder x", ""),
        ("{}", "{{^b}}{{x}}{{/b}}", "unknown-placeholder x", ""),
        (
            "[{b [:any]}]",
            "{{#b}}{{#b}}{{x}}{{/b}}{{/b}}",
            "unknown-placeholder x",
            "",
        ),
        (
            "{}",
            "{{#b}}{{.}}{{/b}}",
            "placeholder-type .",
            "placeholder-type .",
        ),
        ("[:any]", "{{#b}}{{.}}{{x.y}}{{/b}}", "", ""),
        ("[:any]", "{{#b}}{{#x}}1{{/x}}{{/b}}", "", ""),
        ("[:map]", "{{#b}}{{x}}{{z}}{{/b}}", "", ""),
        ("[{}]", "{{#b}}{{x.y}}{{/b}}", "", ""),
        ("{}", "{{#b}}{{x.y}}{{#z}}1{{/z}}{{/b}}", "", ""),
        (":map", "{{#b}}{{x}}{{/b}}", "", ""),
        (":any", "{{#b}}{{x}}{{/b}}", "", ""),
        ("{b {}}", "{{#b}}{{#b}}{{x}}{{/b}}{{/b}}", "", ""),
        ("{}", "{{#b}}{{x#{y}}}{{/b}}", "", ""),
        ("[:any]", "{{#b#{y}}}{{x}}{{/b#{y}}}", "", ""),
        ("[:any]", "{{#b}}{{x}}", "", ""),
    ] {
        for (call, options, expected) in [
            ("SubAgent.new", ", output: :text", in_text),
            ("LLMTool.new", "", in_text),
            ("SubAgent.new", "", otherwise),
        ] {
            let text = format!(
                "{call}(prompt: \"{prompt} {{{{x}}}}\", signature: \"(b {ty}, x :int) -> :string\"{options})\n"
            );
            let document = Document::new(HostKind::Elixir, &text, Settings::default());
            let found = document.diagnostics();
            let names = ["unknown-placeholder", "placeholder-type"];
            let found = found.iter().filter(|it| names.contains(&it.rule.code));
            let found: Vec<_> = found
                .map(|it| format!("{} {}", it.rule.code, &text[it.range]))
                .collect();
            assert_eq!(found.join(", "), expected, "{text}");
        }
    }
}

#[test]
fn elements_with_undeclared_names_become_maps() {
    for ty in ["[:any]", "[{}]", "{}"] {
        let text = |ty: &str| {
            format!(
                "LLMTool.new(prompt: \"{{{{#b}}}}{{{{x}}}}{{{{/b}}}}\", signature: \"(b {ty}) -> :int\")\n"
            )
        };
        let before = text(ty);
        let document = Document::new(HostKind::Elixir, &before, Settings::default());
        let all = TextRange::up_to(TextSize::of(before.as_str()));
        let found = quick_fixes(&document, all);
        let mut fixes = found.iter().flat_map(|it| &it.fixes);
        let fix = fixes.find(|it| it.title.contains(":map")).expect(ty);
        let map = ty.replace(":any", ":map").replace("{}", ":map");
        assert_eq!(applied(&before, &fix.edits), text(&map));
    }
}

/// Other template languages write `this.name`, and programs `ctx.name`.
#[test]
fn a_name_before_one_in_scope_is_removed() {
    for (prompt, expected) in [
        (
            "{{#users}}{{this.id}}{{/users}}",
            "{{#users}}{{id}}{{/users}}",
        ),
        (
            "{{#users}}{{user.id}}{{/users}}",
            "{{#users}}{{id}}{{/users}}",
        ),
        ("{{ctx.name}}", "{{name}}"),
        (
            "{{#input.users}}{{id}}{{/input.users}}",
            "{{#users}}{{id}}{{/users}}",
        ),
        ("{{data/name}}", "{{name}}"),
    ] {
        let text = |prompt: &str| {
            format!(
                "SubAgent.new(prompt: \"{prompt}\", signature: \"(users [{{id :int}}], name :any) -> :int\")\n"
            )
        };
        let before = text(prompt);
        let document = Document::new(HostKind::Elixir, &before, Settings::default());
        let all = TextRange::up_to(TextSize::of(before.as_str()));
        let found = quick_fixes(&document, all);
        let first = found.iter().flat_map(|it| &it.fixes).next();
        let fixed = applied(&before, &first.expect(prompt).edits);
        assert_eq!(fixed, text(expected));
    }
}

#[test]
fn a_field_can_be_added_to_its_record() {
    for (prompt, signature) in [
        (
            "{{#users}}{{id}}{{other}}{{/users}}",
            "(users [{id :int, other :any}]) -> :int",
        ),
        (
            "{{user.id}}{{user.other.more}}",
            "(user {id :int, other :any}) -> :int",
        ),
        (
            "{{user.in.id}}{{user.in.other}}",
            "(user {in {id :int, other :any}, n :int}) -> :int",
        ),
    ] {
        let before = signature.replace(", other :any", "");
        let text = format!("SubAgent.new(prompt: \"{prompt}\", signature: \"{before}\")\n");
        let document = Document::new(HostKind::Elixir, &text, Settings::default());
        let all = TextRange::up_to(TextSize::of(text.as_str()));
        let found = quick_fixes(&document, all);
        let mut fixes = found.iter().flat_map(|it| &it.fixes);
        let fix = fixes.find(|it| it.title == "Add `other :any` to the record");
        let fixed = applied(&text, &fix.expect(prompt).edits);
        assert!(fixed.contains(signature), "{fixed}");
    }
}

/// The text after the first fix of the only diagnostic, which is no hint.
fn first_fixed(prompt: &str, signature: &str) -> Option<String> {
    let text =
        |prompt: &str| format!("SubAgent.new(prompt: \"{prompt}\", signature: \"{signature}\")\n");
    let before = text(prompt);
    let document = Document::new(HostKind::Elixir, &before, Settings::default());
    let found = quick_fixes(&document, TextRange::up_to(document.text().len()));
    let mut found = found.iter().filter(|it| it.severity > Severity::Hint);
    let (found, None) = (found.next()?, found.next()) else {
        panic!("{prompt}: more than one");
    };
    let fixed = applied(&before, &found.fixes.first()?.edits);
    let after = Document::new(HostKind::Elixir, &fixed, Settings::default());
    let mut after = after.diagnostics().into_iter();
    assert!(after.all(|it| it.severity == Severity::Hint), "{fixed}");
    let start = fixed.find('"')? + 1;
    let len = fixed[start..].find('"')?;
    Some(fixed[start..][..len].to_owned())
}

/// A name in a section over the list of that name means the element or a field of it.
#[test]
fn the_list_of_a_section_is_not_named_in_it() {
    let signature = "(tags [:string], rows [{title :string, parts [{n :int}]}]) -> :string";
    for (prompt, expected) in [
        ("{{#tags}}{{tag}}{{/tags}}", "{{#tags}}{{.}}{{/tags}}"),
        ("{{#tags}}{{tags}}{{/tags}}", "{{#tags}}{{.}}{{/tags}}"),
        ("{{#tags}}{{this}}{{/tags}}", "{{#tags}}{{.}}{{/tags}}"),
        (
            "{{#rows}}{{rows.title}}{{/rows}}",
            "{{#rows}}{{title}}{{/rows}}",
        ),
        ("{{#rows}}{{rows}}{{/rows}}", "{{#rows}}{{title}}{{/rows}}"),
        (
            "{{#rows}}{{#rows.parts}}{{n}}{{/rows.parts}}{{/rows}}",
            "{{#rows}}{{#parts}}{{n}}{{/parts}}{{/rows}}",
        ),
    ] {
        assert_eq!(first_fixed(prompt, signature).as_deref(), Some(expected));
    }
}

/// Names that are not alike are not confused, and a section is not suggested over a value that has none.
#[test]
fn only_similar_names_that_fit_are_suggested() {
    let signature = "(topic :string, tags [:string], note :string, rows [{id :int}], user {name :string}) -> :int";
    for (prompt, expected) in [
        ("{{user.age}}", None),
        ("{{this}}", None),
        ("{{#rows}}{{name}}{{/rows}}", None),
        ("{{#topics}}x{{/topics}}", None),
        ("{{topics}}", Some("topic")),
        ("{{#tag}}x{{/tag}}", Some("tags")),
        ("{{user.nme}}", Some("name")),
    ] {
        let text = format!("SubAgent.new(prompt: \"{prompt}\", signature: \"{signature}\")\n");
        let document = Document::new(HostKind::Elixir, &text, Settings::default());
        let found = document.diagnostics();
        let message = &{ found.iter() }
            .find(|it| it.rule.code == RULE.code)
            .expect(prompt)
            .message;
        let near = message
            .split_once("; did you mean `")
            .map(|(_, it)| it.trim_end_matches("`?"));
        assert_eq!(near, expected, "{message}");
    }
}

/// The parameter that is added has the type that its uses or its value show, in all that offers it.
#[test]
fn what_is_added_has_the_type_of_its_uses() {
    for (prompt, context, expected) in [
        ("{{#items}}{{name}}{{/items}}", "", "items [{name :any}]"),
        ("{{rows}}", ", context: %{rows: [%{id: 1}]}", "rows [:any]"),
        ("{{n}}", ", context: %{n: 1}", "n :int"),
        ("{{user-name}}", "", "user_name :any"),
        ("{{#note}}{{note}}{{/note}}", "", "note :any?"),
    ] {
        let text = format!("SubAgent.run(\"{prompt}\", signature: \"() -> :int\"{context})\n");
        let document = Document::new(HostKind::Elixir, &text, Settings::default());
        let all = TextRange::up_to(document.text().len());
        let found = quick_fixes(&document, all);
        let added = format!("Add `{expected}` to the signature");
        let fixes = found.iter().flat_map(|it| &it.fixes);
        let titles: Vec<_> = fixes.map(|it| it.title.as_str()).collect();
        assert_eq!(titles, [added]);
        assert!(
            found[0]
                .message
                .ends_with(&format!("add `{expected}` to it."))
        );
        let refactored = refactorings(&document, TextSize::of("SubAgent.run(\"{{"));
        let title = format!("Add the parameter `{expected}`");
        assert!(
            refactored.iter().any(|it| it.title == title),
            "{refactored:?}"
        );
    }
}
