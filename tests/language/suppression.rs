//! Comments that ignore a rule or set the edition, in the form of each host.

use signature_ls_analysis::model::Edition;
use signature_ls_source::host::HostKind;

use crate::harness::codes;

/// A document of each kind in which `unknown-type` is reported, with `COMMENT` in place of the comment on the line
/// above.
const DOCUMENTS: &[(HostKind, &str, &str)] = &[
    (
        HostKind::Elixir,
        "# {}",
        "COMMENT\n[signature: \"(id :uuid) -> :map\"]\n",
    ),
    (
        HostKind::Elixir,
        "# {}",
        "f(\n  COMMENT\n  signature: \"\"\"\n  (id :uuid) -> :map\n  \"\"\"\n)\n",
    ),
    (
        HostKind::Lisp,
        "; {}",
        "COMMENT\n{:signature \"(id :uuid) -> :map\"}\n",
    ),
    (
        HostKind::Lisp,
        ";; {}",
        "{:a 1\n COMMENT\n :signature \"(id :uuid) -> :map\"}\n",
    ),
    (
        HostKind::Yaml,
        "# {}",
        "COMMENT\nsignature: \"(id :uuid) -> :map\"\n",
    ),
    (
        HostKind::Json,
        "// {}",
        "{\n  COMMENT\n  \"signature\": \"(id :uuid) -> :map\"\n}\n",
    ),
    (
        HostKind::Json,
        "/* {} */",
        "{\n  COMMENT\n  \"signature\": \"(id :uuid) -> :map\"\n}\n",
    ),
    (
        HostKind::Prompt,
        "# {}",
        "---\nCOMMENT\nsignature: \"(id :uuid) -> :map\"\n---\n{{id}}\n",
    ),
    (
        HostKind::Prompt,
        "{{! {} }}",
        "---\nsignature: \":map\"\n---\nHi.\n\nCOMMENT\n{{}}\n",
    ),
    (
        HostKind::Markdown,
        "<!-- {} -->",
        "# Guide\n\nCOMMENT\n```sig\n(id :uuid) -> :map\n```\n",
    ),
    (
        HostKind::Markdown,
        "# {}",
        "```elixir\nCOMMENT\n[signature: \"(id :uuid) -> :map\"]\n```\n",
    ),
    (
        HostKind::Markdown,
        "; {}",
        "```sig\nCOMMENT\n(id :uuid) -> :map\n```\n",
    ),
];

fn with(document: &str, form: &str, words: &str) -> String {
    let comment = form.replacen("{}", &format!("signature-ls: {words}"), 1);
    document.replacen("COMMENT", &comment, 1)
}

#[test]
fn each_host_has_a_comment_that_ignores_a_rule() {
    for (kind, form, document) in DOCUMENTS {
        let without = document.replacen("COMMENT", "", 1);
        let found = codes(*kind, Edition::V0_11, &without);
        let [code] = found.as_slice() else {
            panic!("{without}: {found:?}");
        };
        let silenced = with(document, form, &format!("ignore {code}"));
        let found = codes(*kind, Edition::V0_11, &silenced);
        assert_eq!(found, [] as [&str; 0], "{silenced}");
        let other = with(document, form, "ignore deep-nesting");
        let found = codes(*kind, Edition::V0_11, &other);
        assert!(found.contains(&"unused-suppression"), "{other}: {found:?}");
        assert!(found.contains(code), "{other}: {found:?}");
    }
}

#[test]
fn each_host_has_a_comment_that_names_the_edition() {
    for (kind, form, document) in DOCUMENTS {
        let dated = document.replacen(":uuid", ":datetime", 1);
        if dated == *document {
            continue;
        }
        for (edition, expected) in [("0.5", &["unknown-type"][..]), ("0.11", &[])] {
            let text = with(&dated, form, &format!("edition {edition}"));
            for set in Edition::ALL {
                assert_eq!(codes(*kind, set, &text), expected, "{text}");
            }
        }
    }
}

#[test]
fn a_comment_that_is_no_directive_is_reported() {
    for (kind, form, document) in DOCUMENTS {
        let text = with(document, form, "ignored");
        let found = codes(*kind, Edition::V0_11, &text);
        assert!(found.contains(&"unknown-directive"), "{text}: {found:?}");
    }
}

#[test]
fn directives_count_in_comments_of_the_host_only() {
    let call = "SubAgent.new(prompt: \"x\", signature: \"(a :datetime) -> :any\")\n";
    let json = "{\"signature\": \"(a :datetime) -> :any\"}\n";
    let yaml = "signature: '(a :datetime) -> :any'\n";
    let lisp = "{:signature \"(a :datetime) -> :any\"}\n";
    let cases = [
        (
            HostKind::Elixir,
            format!("# signature-ls: edition 0.4\n{call}"),
            true,
        ),
        (
            HostKind::Elixir,
            format!("x = \"\"\"\n# signature-ls: edition 0.4\n\"\"\"\n{call}"),
            false,
        ),
        (
            HostKind::Elixir,
            format!("x = \"\n# signature-ls: edition 0.4\n\"\n{call}"),
            false,
        ),
        (
            HostKind::Json,
            format!("// signature-ls: edition 0.4\n{json}"),
            true,
        ),
        (
            HostKind::Yaml,
            format!("# signature-ls: edition 0.4\n{yaml}"),
            true,
        ),
        (
            HostKind::Yaml,
            format!("a: |\n  # signature-ls: edition 0.4\n  x\n{yaml}"),
            false,
        ),
        (
            HostKind::Yaml,
            format!("a: b\n# signature-ls: edition 0.4\n{yaml}"),
            true,
        ),
        (
            HostKind::Lisp,
            format!(";; signature-ls: edition 0.4\n{lisp}"),
            true,
        ),
        (
            HostKind::Lisp,
            format!("(def x \"\n;; signature-ls: edition 0.4\n\")\n{lisp}"),
            false,
        ),
        (
            HostKind::Markdown,
            format!("<!-- signature-ls: edition 0.4 -->\n\n```elixir\n{call}```\n"),
            true,
        ),
        (
            HostKind::Markdown,
            format!("# signature-ls: edition 0.4\n\n```elixir\n{call}```\n"),
            false,
        ),
        (
            HostKind::Markdown,
            format!("```sh\n# signature-ls: edition 0.4\n```\n\n```elixir\n{call}```\n"),
            false,
        ),
        (
            HostKind::Markdown,
            format!("```elixir\n# signature-ls: edition 0.4\n{call}```\n"),
            true,
        ),
        (
            HostKind::Prompt,
            format!("---\n# signature-ls: edition 0.4\n{yaml}---\nHi\n"),
            true,
        ),
        (
            HostKind::Prompt,
            format!("---\n{yaml}---\n# signature-ls: edition 0.4\n"),
            false,
        ),
    ];
    for (kind, text, counts) in cases {
        let found = codes(kind, Edition::V0_11, &text).contains(&"unknown-type");
        assert_eq!(found, counts, "{text}");
    }
}
