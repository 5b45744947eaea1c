use super::*;
use crate::ide::{Fix, Rule, Settings, Severity, refactorings, rules, testing};
use signature_ls_source::{host::HostKind, text::TextRange};

fn rule() -> &'static Rule {
    rules::all().next().unwrap()
}

fn diagnostic(fixes: &[(u32, u32, bool)]) -> Diagnostic {
    let fix = |&(start, end, safe): &(u32, u32, bool)| Fix {
        title: String::new(),
        edits: vec![TextEdit::delete(range(start, end))],
        safe,
    };
    Diagnostic {
        severity: Severity::Error,
        fixes: fixes.iter().map(fix).collect(),
        ..Diagnostic::new(rule(), TextRange::default(), "")
    }
}

fn range(start: u32, end: u32) -> TextRange {
    TextRange::new(start.into(), end.into())
}

#[test]
fn fewer_fixes_are_tried_where_each_trial_reads_much() {
    let few_of = |kind, text: String| {
        let document = Document::new(kind, &text, Settings::default());
        let all = TextRange::up_to(document.text().len());
        quick_fixes(&document, all).len()
    };
    let prompt = format!(
        "---\nsignature: '() -> :int'\n---\n{}",
        "{{/b}}\n".repeat(60_000)
    );
    assert_eq!(few_of(HostKind::Prompt, prompt), 2);
    let block = "1. a\n   ```signature\n   (a :strng) -> :int\n   ```\n";
    assert!(few_of(HostKind::Markdown, block.repeat(10_000)) < MOST_FIXED);
    assert_eq!(
        few_of(
            HostKind::Markdown,
            format!("# A\n\n{block}\n").repeat(1_000)
        ),
        MOST_FIXED
    );
    // A long line is read again around each edit.
    let call = "(tool/t {:b 1})";
    let program = |between: &str| {
        let calls = [call].repeat(40_000).join(between);
        format!("{{:tools {{\"t\" \"(a :int) -> :int\"}}}}\n{calls}\n")
    };
    assert_eq!(few_of(HostKind::Lisp, program(" ")), 1);
    assert_eq!(few_of(HostKind::Lisp, program("\n")), MOST_FIXED);
    let reads = "s.return[\"b\"]\n".repeat(10_000);
    let step = "{:ok, s} = SubAgent.run(\"x\", signature: \"() -> {a :strng}\")\n";
    let reads = format!("def f do\n{step}{reads}end\n");
    assert_eq!(few_of(HostKind::Elixir, reads), 1);
    let item = "{signature: '(a :strng) -> :int'}";
    let in_brackets = format!("[\n{}]\n", format!("  {item},\n").repeat(20_000));
    assert_eq!(few_of(HostKind::Yaml, in_brackets), 1);
    let list = format!("- {item}\n").repeat(20_000);
    assert_eq!(few_of(HostKind::Yaml, list), MOST_FIXED);
    // The value of an anchor may count in all that follows.
    let entry = |index| format!("a{index}: &a{index} {item}\nb{index}: *a{index}\n");
    let web: String = (0..10_000).map(entry).collect();
    assert!(few_of(HostKind::Yaml, web) <= 3);
}

/// Each fix reads all of a plain scalar.
#[test]
fn nothing_is_fixed_in_a_plain_scalar_that_is_too_long_for_one() {
    let fixes_of = |lines: usize| {
        let text = format!(
            "signature: \"(name :int) -> :int\"\nprompt: a\n{}  {{{{nme}}}}\n",
            "  some words\n".repeat(lines)
        );
        let document = Document::new(HostKind::Yaml, &text, Settings::default());
        let found = document.diagnostics().into_iter();
        let mut found = found.filter(|it| it.rule.code == "unknown-placeholder");
        let fixes = found.next().expect("a diagnostic").fixes;
        fixes.iter().any(|it| it.edits[0].insert.contains("name"))
    };
    assert!(fixes_of(100));
    assert!(!fixes_of(2_000));
}

/// A parameter that was forgotten can be added whatever gives the others their values, and literal values follow.
#[test]
fn a_parameter_is_added_with_its_values() {
    let call = |signature: &str, context: &str| {
        format!(
            "SubAgent.run(\"{{{{a}}}} {{{{b}}}}\", signature: \"({signature}) -> :int\"{context})\n"
        )
    };
    let yaml = |signature: &str, input: &str| {
        format!(
            "prompt: \"{{{{a}}}} {{{{b}}}}\"\nsignature: \"({signature}) -> :int\"\ninput:{input}\n"
        )
    };
    let elsewhere = |signature: &str| {
        format!(
            "agent = SubAgent.new(prompt: \"{{{{a}}}} {{{{b}}}}\", signature: \"({signature}) -> :int\")\nSubAgent.run(agent, context: %{{a: 1}})\n"
        )
    };
    let (one, two) = ("a :int", "a :int, b :any");
    let elixir = |given, expected| (HostKind::Elixir, call(one, given), call(two, expected));
    for (kind, text, expected) in [
        elixir("", ""),
        elixir(", context: %{a: 1}", ", context: %{a: 1, b: \"\"}"),
        elixir(
            ", context: %{\"a\" => 1}",
            ", context: %{\"a\" => 1, \"b\" => \"\"}",
        ),
        elixir(", context: given", ", context: given"),
        (HostKind::Elixir, elsewhere(one), elsewhere(two)),
        (
            HostKind::Yaml,
            yaml(one, " {a: 1}"),
            yaml(two, " {a: 1, b: \"\"}"),
        ),
        (
            HostKind::Yaml,
            yaml(one, "\n  a: 1"),
            yaml(two, "\n  b: \"\"\n  a: 1"),
        ),
    ] {
        let document = Document::new(kind, &text, Settings::default());
        let all = TextRange::up_to(document.text().len());
        let found = quick_fixes(&document, all);
        let mut fixes = found.iter().flat_map(|it| &it.fixes);
        let fix = fixes.find(|it| it.title.starts_with("Add `b :any` to the signature"));
        let fix = fix.expect(&text);
        assert!(!fix.safe);
        assert_eq!(testing::applied(&text, &fix.edits), expected);
        let at = text.find("a :int").expect("a signature");
        let found = refactorings(&document, u32::try_from(at).expect("short").into());
        let mut found = found
            .iter()
            .filter(|it| it.title == "Add the parameter `b :any`");
        let edits = &found.next().expect(&text).edits;
        assert_eq!(testing::applied(&text, edits), expected);
    }
}

/// A value that is added has all that its type requires, in the form of those beside it; a parameter has a line of
/// its own if the others have. So nothing is reported about what was added.
#[test]
fn what_is_added_is_complete_and_looks_like_its_surroundings() {
    let ty = "{id :int, at {x :float, note :string?}, tags [:string]}";
    for (kind, text, title, expected) in [
        (
            HostKind::Elixir,
            format!(
                "SubAgent.run(\"{{{{a}}}} {{{{b.id}}}}\", signature: \"(a :int, b {ty}) -> :int\", context: %{{\"a\" => 1}})\n"
            ),
            "Add `b`",
            "%{\"a\" => 1, \"b\" => %{\"id\" => 0, \"at\" => %{\"x\" => 0.0}, \"tags\" => []}}",
        ),
        (
            HostKind::Json,
            format!(
                "{{\"signature\": \"(b {ty}) -> :int\", \"prompt\": \"{{{{b.id}}}}\", \"input\": {{}}}}\n"
            ),
            "Add `b`",
            "{\"b\": {\"id\": 0, \"at\": {\"x\": 0.0}, \"tags\": []}}",
        ),
        (
            HostKind::Yaml,
            format!(
                "signature: \"(a :int, b {ty}) -> :int\"\nprompt: \"{{{{a}}}} {{{{b.id}}}}\"\ninput:\n  a: 1\n"
            ),
            "Add `b`",
            "\n  b: {id: 0, at: {x: 0.0}, tags: []}\n  a: 1\n",
        ),
        (
            HostKind::Lisp,
            format!("{{:tools {{\"t\" \"(b {ty}) -> :int\"}}}}\n(tool/t {{}})\n"),
            "Add `:b {:id 0 :at {:x 0.0} :tags []}`",
            "(tool/t {:b {:id 0 :at {:x 0.0} :tags []}})",
        ),
        (
            HostKind::Elixir,
            "SubAgent.run(\"{{a}} {{b.id}}\", signature: \"\"\"\n  (\n    a :int\n  ) -> :int\n  \"\"\", context: %{a: 1})\n".to_owned(),
            "Add `b {id :any}` to the signature and a value to the sample",
            "(\n    a :int,\n    b {id :any}\n  ) -> :int\n  \"\"\", context: %{a: 1, b: %{id: \"\"}})",
        ),
        (
            HostKind::Json,
            "{\n\t\"signature\": \"(a :int, b :int, c :int) -> :int\",\n\t\"prompt\": \"{{a}} {{b}} {{c}}\",\n\t\"input\": {\n\t\t\"a\": 1\n\t}\n}\n".to_owned(),
            "Add `b` and `c`",
            "{\n\t\t\"a\": 1,\n\t\t\"b\": 0,\n\t\t\"c\": 0\n\t}",
        ),
        (
            HostKind::Elixir,
            "SubAgent.run(\"{{a}} {{b}}\", signature: \"(a :int, b :int) -> :int\", context: %{\n  \"a\" => 1,\n})\n".to_owned(),
            "Add `b`",
            "%{\n  \"a\" => 1,\n  \"b\" => 0,\n})",
        ),
        (
            HostKind::Lisp,
            "{:signature \"(a :int, b :int) -> :int\" :prompt \"{{a}} {{b}}\"\n :input {\n  :a 1}}\n".to_owned(),
            "Add `b`",
            "{\n  :a 1\n  :b 0}}",
        ),
        (
            HostKind::Yaml,
            "signature: \"(\n    a :int,\n    c :int\n  ) -> :int\"\nprompt: '{{a}} {{c}} {{b}}'\n".to_owned(),
            "Add `b :any` to the signature",
            "    c :int, b :any\n  ) -> :int",
        ),
        (
            HostKind::Yaml,
            "signature: |\n  (\n    a :int,\n    c :int\n  ) -> :int\nprompt: '{{a}} {{c}} {{b}}'\n".to_owned(),
            "Add `b :any` to the signature",
            "    c :int,\n    b :any\n  ) -> :int",
        ),
        (
            HostKind::Yaml,
            "signature: '(a :int,\n    c :int) -> :int'\nprompt: '{{a}} {{c}} {{b}}'\n".to_owned(),
            "Add `b :any` to the signature",
            "    c :int, b :any) -> :int",
        ),
        (
            HostKind::Json,
            "{\"signature\": \"(\\n  a :int,\\n  c :int\\n) -> :int\", \"prompt\": \"{{a}} {{c}} {{b}}\"}\n".to_owned(),
            "Add `b :any` to the signature",
            "(\\n  a :int,\\n  c :int, b :any\\n) -> :int",
        ),
    ] {
        let document = Document::new(kind, &text, Settings::default());
        let all = TextRange::up_to(document.text().len());
        let found = quick_fixes(&document, all);
        let mut fixes = found.iter().flat_map(|it| &it.fixes);
        let fix = fixes.find(|it| it.title == title).expect(&text);
        let after = testing::applied(&text, &fix.edits);
        assert!(after.contains(expected), "{after}");
        let left = Document::new(kind, &after, Settings::default()).diagnostics();
        assert!(left.iter().all(|it| it.severity == Severity::Hint), "{left:?}");
    }
}

/// A key that is there already is not offered for another one.
#[test]
fn no_fix_gives_a_key_twice() {
    for (kind, text) in [
        (
            HostKind::Elixir,
            "SubAgent.run(\"{{topic}}\", signature: \"(topic :string) -> :int\", context: %{topic: \"a\", topc: \"b\"})\n",
        ),
        (
            HostKind::Lisp,
            "{:tools {\"t\" \"(topic :string) -> :int\"}}\n(tool/t {:topic \"a\" :topc \"b\"})\n",
        ),
    ] {
        let document = Document::new(kind, text, Settings::default());
        let all = TextRange::up_to(document.text().len());
        let found = quick_fixes(&document, all);
        assert_eq!(found.len(), 1, "{text}");
        assert!(!found[0].message.contains("did you mean"), "{text}");
        let mut fixes = found.iter().flat_map(|it| &it.fixes);
        assert!(!fixes.any(|it| it.title == "Write `topic`"), "{text}");
    }
}

/// In a text with so many fixes that one run does not apply them all, it applies some, and always the same ones.
#[test]
fn some_of_very_many_fixes_are_applied() {
    let wrong = "SubAgent.run(\"Find {{usr}}\", signature: \"(user :string) -> :int\")\n";
    let text = wrong.repeat(8_192);
    let document = Document::new(HostKind::Elixir, &text, Settings::default());
    let edits = fix_all(&document);
    assert!(!edits.is_empty());
    assert_eq!(edits, fix_all(&document));
    let right = wrong.replace("usr", "user");
    let fixed = document.with_edits(&edits);
    let fixed = fixed.text().whole();
    assert!(
        fixed
            .split_inclusive('\n')
            .all(|it| it == wrong || it == right)
    );
}

#[test]
fn only_safe_first_fixes_that_do_not_touch_are_chosen() {
    for (diagnostics, chosen) in [
        (vec![diagnostic(&[])], vec![]),
        (vec![diagnostic(&[(0, 1, false)])], vec![]),
        (vec![diagnostic(&[(0, 1, false), (0, 1, true)])], vec![]),
        (
            vec![
                diagnostic(&[(4, 5, true), (8, 9, true)]),
                diagnostic(&[(0, 1, true)]),
            ],
            vec![range(0, 1), range(4, 5)],
        ),
        (
            vec![diagnostic(&[(0, 2, true)]), diagnostic(&[(1, 3, true)])],
            vec![range(0, 2)],
        ),
        (
            vec![diagnostic(&[(2, 2, true)]), diagnostic(&[(2, 2, true)])],
            vec![range(2, 2)],
        ),
    ] {
        let edits = safe_edits(diagnostics.clone());
        let ranges: Vec<_> = edits.iter().map(|edit| edit.range).collect();
        assert_eq!(ranges, chosen, "{diagnostics:?}");
    }
}

/// The text after the first fix whose title begins like `title`.
#[track_caller]
fn fixed(kind: HostKind, text: &str, title: &str) -> String {
    let document = testing::document(kind, text);
    let found = quick_fixes(&document, TextRange::up_to(document.text().len()));
    let mut fixes = found.iter().flat_map(|it| &it.fixes);
    let fix = fixes.find(|it| it.title.starts_with(title)).expect(text);
    testing::applied(text, &fix.edits)
}

/// A field that was forgotten gets a value in each record of that type, however deep it is.
#[test]
fn a_field_is_added_with_its_values() {
    let elixir = |fields: &str, context: &str| {
        format!(
            "SubAgent.run(\"{{{{u.id}}}} {{{{u.more}}}}\", signature: \"(u {{{fields}}}) -> :int\", context: {context})\n"
        )
    };
    let section = |fields: &str, rows: &str| {
        format!(
            "---\nsignature: \"(at {{rows [{{{fields}}}]}}) -> :int\"\ninput: {{at: {{rows: [{rows}]}}}}\n---\n{{{{#at.rows}}}}{{{{id}}}} {{{{more}}}}{{{{/at.rows}}}}\n"
        )
    };
    let json = |fields: &str, one: &str| {
        format!(
            "{{\"signature\": \"(u {{{fields}}}, n :int) -> :int\", \"prompt\": \"{{{{u.id}}}} {{{{u.more}}}} {{{{n}}}}\", \"input\": {{\"u\": {{{one}}}, \"n\": 1}}}}\n"
        )
    };
    let lines = |fields: &str, one: &str| {
        format!(
            "prompt: '{{{{u.id}}}} {{{{u.more}}}}'\nsignature: |\n  (\n    u {{\n      {fields}\n    }}\n  ) -> :int\ninput:\n  u:\n{one}"
        )
    };
    let (one, two) = ("id :int", "id :int, more :any");
    for (kind, before, after) in [
        (
            HostKind::Elixir,
            elixir(one, "%{u: %{id: 1}}"),
            elixir(two, "%{u: %{id: 1, more: \"\"}}"),
        ),
        (
            HostKind::Elixir,
            elixir(one, "%{\"u\" => %{\"id\" => 1}}"),
            elixir(two, "%{\"u\" => %{\"id\" => 1, \"more\" => \"\"}}"),
        ),
        (
            HostKind::Elixir,
            elixir(one, "%{u: %{id: 1, more: 2}}"),
            elixir(two, "%{u: %{id: 1, more: 2}}"),
        ),
        (
            HostKind::Elixir,
            elixir(one, "%{u: u}"),
            elixir(two, "%{u: u}"),
        ),
        (
            HostKind::Prompt,
            section(one, "{id: 1}, {id: 2}"),
            section(two, "{id: 1, more: \"\"}, {id: 2, more: \"\"}"),
        ),
        (
            HostKind::Json,
            json(one, "\"id\": 1"),
            json(two, "\"id\": 1, \"more\": \"\""),
        ),
        (
            HostKind::Yaml,
            lines(one, "    id: 1\n"),
            lines("id :int,\n      more :any", "    more: \"\"\n    id: 1\n"),
        ),
    ] {
        let title = match after.contains("more: 2") || after.contains("u: u") {
            true => "Add `more :any` to the record",
            false => "Add `more :any` to the record and a value to the sample",
        };
        assert_eq!(fixed(kind, &before, title), after);
        let found = testing::document(kind, &after).diagnostics();
        assert!(
            found.iter().all(|it| it.severity == Severity::Hint),
            "{found:?}"
        );
    }
}

/// A value that is given for a new record gets the fields that it lacks.
#[test]
fn a_value_of_a_new_record_is_completed() {
    let call = |params: &str, value: &str| {
        format!(
            "SubAgent.run(\"{{{{b.c}}}} {{{{b.d.e}}}}\", signature: \"({params}) -> :int\", context: %{{b: {value}}})\n"
        )
    };
    for (value, expected) in [
        ("%{x: 1}", "%{x: 1, c: \"\", d: %{e: \"\"}}"),
        ("%{c: 1, d: %{x: 2}}", "%{c: 1, d: %{x: 2, e: \"\"}}"),
        ("%{c: 1, d: %{e: 2}}", "%{c: 1, d: %{e: 2}}"),
        ("given", "given"),
    ] {
        let after = fixed(HostKind::Elixir, &call("", value), "Add `b {");
        assert_eq!(after, call("b {c :any, d {e :any}}", expected));
    }
}

/// A key that two fields of one name lack is added once.
#[test]
fn a_key_of_duplicate_names_is_added_once() {
    let text = |input: &str| {
        format!("prompt: Go\nsignature: \"(a :int, b :int, a :int) -> :int\"\ninput: {{{input}}}\n")
    };
    let after = fixed(HostKind::Yaml, &text("b: 1"), "Add `a`");
    assert_eq!(after, text("b: 1, a: 0"));
    let program = |arguments: &str| {
        format!("{{:tools {{\"t\" \"(a :int, a :int) -> :int\"}}}}\n(tool/t {{{arguments}}})\n")
    };
    let after = fixed(HostKind::Lisp, &program(""), "Add `:a 0`");
    assert_eq!(after, program(":a 0"));
}

/// Wherever a bracket is in the place of a comma, the comma goes behind it, and removing the bracket restores the text.
#[test]
fn a_comma_follows_the_brackets_before_it() {
    let whole = "f(a {x :int, y [:int], z {n :int}, v :int}, b :int) -> {c [{d :int}], e :int}\n";
    let (mut tried, mut restored) = (0, 0);
    for (at, _) in whole.match_indices(", ") {
        for strays in [")", "]", "}", " )", ")]"] {
            let broken = format!("{}{strays}{}", &whole[..at], &whole[at + 1..]);
            let document = testing::document(HostKind::Catalog, &broken);
            let is_there = |it: &Diagnostic| usize::from(it.range.start()) == at;
            let found = document.diagnostics();
            if !found
                .iter()
                .any(|it| it.rule.code == "missing-comma" && is_there(it))
            {
                continue;
            }
            let after = fixed(HostKind::Catalog, &broken, "Add the comma");
            let dense = after.replace(' ', "");
            let brackets = [",)", ",]", ",}"];
            assert!(!brackets.iter().any(|it| dense.contains(it)), "{after}");
            tried += 1;
            let mut text = after;
            for _ in strays.trim().chars() {
                text = fixed(HostKind::Catalog, &text, "Remove it");
            }
            restored += usize::from(text.replace(" ,", ",") == whole);
        }
    }
    assert!(tried > 8 && restored > 8, "{tried} {restored}");
}

/// However many names are missing, adding them one by one leaves nothing to report about names.
#[test]
fn names_that_are_added_are_unused() {
    for list in [
        ":int",
        "name :int, :int",
        ":int, name_2 :int, :int",
        "name-2 :int, \"name\" :int, :int, :int",
    ] {
        for text in [
            format!("f({list}) -> :int\n"),
            format!("f(x {{y :int, {list}}}) -> :int\n"),
        ] {
            let mut text = text;
            for _ in 0..list.matches(":int").count() {
                let found = testing::document(HostKind::Catalog, &text).diagnostics();
                if found.iter().any(|it| it.rule.code == "missing-name") {
                    text = fixed(HostKind::Catalog, &text, "Add a name");
                }
            }
            let found = testing::document(HostKind::Catalog, &text).diagnostics();
            let of_names = ["missing-name", "duplicate-name"];
            assert!(
                !found.iter().any(|it| of_names.contains(&it.rule.code)),
                "{text} {found:?}"
            );
        }
    }
}
