//! What is said about a mistake, and the titles of its fixes.

use crate::ide::testing::document;
use signature_ls_source::host::HostKind;

/// The messages and titles of all findings that are not hints.
fn said(kind: HostKind, text: &str) -> Vec<String> {
    let found = document(kind, text).diagnostics().into_iter();
    let found = found.filter(|it| it.severity != crate::ide::Severity::Hint);
    let said = found.map(|it| {
        let titles = it.fixes.iter().map(|it| format!(" [{}]", it.title));
        format!("{}{}", it.message, titles.collect::<String>())
    });
    said.collect()
}

#[track_caller]
fn check(kind: HostKind, text: &str, expected: &[&str]) {
    assert_eq!(said(kind, text), expected, "{text}");
}

#[test]
fn mistakes_in_signatures() {
    for (signature, expected) in [
        (
            "(user: {name :string}) -> :int",
            &["Names take no colon; remove it. [Remove the colon]"][..],
        ),
        (
            "(name: string) -> :int",
            &["The colon belongs to the type: write `name :type`. [Move the colon to the type]"],
        ),
        (
            "(x nil) -> :int",
            &["`nil` is not a type; `?` after a type allows nil, as in `:any?`. [Write `:any?`]"],
        ),
        (
            "(x :int) -> None",
            &["`None` is not a type; `?` after a type allows nil, as in `:any?`. [Write `:any?`]"],
        ),
        (
            "(a Union[str, int]) -> :int",
            &["Types have no parameters, as in `Union[str, int]`; write `:any`. [Write `:any`]"],
        ),
        (
            "(a Promise<string>) -> :int",
            &["Types have no parameters, as in `Promise<string>`; write `:any`. [Write `:any`]"],
        ),
        (
            "(a :int) -> {:ok, :int}",
            &["There are no tuples; write a record with names, `{name :type}`."],
        ),
        (
            "(a [{:ok, {id :int}}]) -> {:ok, :map, :done}",
            &["There are no tuples; write a record with names, `{name :type}`."; 2],
        ),
        (
            "returns the total",
            &["This is not a signature; write `(name :type) -> :type`."],
        ),
    ] {
        let text = format!("SubAgent.new(signature: \"{signature}\")\n");
        check(HostKind::Elixir, &text, expected);
    }
}

#[test]
fn names_in_prompts() {
    for (tag, expected) in [
        (
            "user.",
            "A field is missing after `user.`; write its name, or remove the dot.",
        ),
        (
            "1",
            "`1` is not the name of an input; names begin with a letter or `_`, also after a dot.",
        ),
        (
            "rows.0.id",
            "`rows.0.id` is not the name of an input; names begin with a letter or `_`, also after a dot.",
        ),
        (
            "a + b",
            "`a + b` is not the name of an input; names are letters, digits, `_`, `-` and dots.",
        ),
    ] {
        let text = format!(
            "---\nsignature: '(user {{name :string}}, rows [{{id :int}}]) -> :int'\n---\n{{{{user.name}}}} {{{{#rows}}}}{{{{id}}}}{{{{/rows}}}} {{{{{tag}}}}}\n"
        );
        check(HostKind::Prompt, &text, &[expected]);
    }
    let section =
        "---\nsignature: '(tags [:string]) -> :int'\n---\n{{#tags}}{{.}} {{tag}}{{/tags}}\n";
    check(
        HostKind::Prompt,
        section,
        &[
            "`tag` is not an input, and the section's elements are :string; write `{{.}}`. [Write `{{.}}`]",
        ],
    );
}

/// Nothing is said about a name that is not written yet.
#[test]
fn data_without_a_name() {
    let run = |program: &str| format!("Lisp.run(\"{program}\", context: %{{a: 1}})\n");
    check(HostKind::Elixir, &run("(str data/)"), &[]);
    check(
        HostKind::Elixir,
        &run("(str data/other)"),
        &["The context has no `other`; add it there or to the signature."],
    );
}

#[test]
fn options_of_calls() {
    let call = |options: &str| {
        format!("SubAgent.run(\"{{{{at}}}}\", signature: \"(at :datetime) -> :int\", {options})\n")
    };
    let date = "write a date and a time with an offset, such as \"2026-05-03T09:14:00Z\"";
    for (options, expected) in [
        (
            "context: %{at: \"2026-01-01\"}",
            format!("at: expected datetime, got string \"2026-01-01\"; {date}."),
        ),
        (
            "signature_validation: :on",
            "There is no mode `:on`; use `:enabled`, `:warn_only`, `:disabled` or `:strict`."
                .to_owned(),
        ),
        (
            "tools: [x]",
            "`tools:` takes a map, not a list; write `%{\"name\" => …}`.".to_owned(),
        ),
        (
            "tools: %{\"a\" => {&A.b/1}}",
            "This is not a tool; write `{function, signature: \"…\", description: \"…\"}`."
                .to_owned(),
        ),
        (
            "tools: %{\"a\" => 1}",
            "This is not a tool; write a function, or `{function, \"(name :type) -> :type\"}`."
                .to_owned(),
        ),
    ] {
        let said = said(HostKind::Elixir, &call(options));
        assert!(said.iter().any(|it| it.starts_with(&expected)), "{said:?}");
    }
}

#[test]
fn lines_of_catalogs() {
    const MESSAGE: &str = "This is not an entry; indent a description, begin a comment with `#`, or write `name(params) -> type`.";
    for (line, fixes, fixed) in [
        ("Gets it.", 2, "  Gets it."),
        ("// Gets it.", 1, "# Gets it."),
        ("//Gets it.", 1, "# Gets it."),
        ("The others:", 1, "# The others:"),
    ] {
        let text = format!("get(id :int) -> :map\n{line}\n");
        let document = document(HostKind::Catalog, &text);
        let found = document.diagnostics();
        let [only] = found.as_slice() else {
            panic!("{text}: {found:?}");
        };
        assert_eq!(only.message, MESSAGE);
        assert_eq!(only.fixes.len(), fixes, "{line}");
        let fixed_text = crate::ide::testing::applied(&text, &only.fixes[0].edits);
        let expected = format!("get(id :int) -> :map\n{fixed}\n");
        assert_eq!(fixed_text, expected);
    }
}
