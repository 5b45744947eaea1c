//! Tests that a mistake in a signature does not hide other mistakes.

use crate::ide::{Document, Settings};
use signature_ls_source::host::HostKind;

/// A signature with `customer {name :string, email :string}` and `limit :int`, and one error.
const FAULTS: &[&str] = &[
    "(customer {name :string, email :string}, limit: int) -> {id :int}",
    "(customer {name: string, email :string}, limit :int) -> {id :int}",
    "(customer {name :string, email :string}, limit int) -> {id :int}",
    "(customer {name :string, email :string} limit :int) -> {id :int}",
    "(customer {name :string email :string}, limit :int) -> {id :int}",
    "(customer {name :string, email :string},, limit :int) -> {id :int}",
    "(customer {name :string, email :string}, limit :int,) -> {id :int}",
    "(customer {name :string, :email :string}, limit :int) -> {id :int}",
    "(customer {:name :string :email :string}, limit :int) -> {id :int}",
    "(customer {name :string, email}, limit :int) -> {id :int}",
    "(customer {name :string, email :string}, limit) -> {id :int}",
    "(customer {name :string, email :string}, limit :int) ->",
    "(customer {name :string, email :string}, limit :int)",
    "(customer {name :string, email :string}, limit :int) {id :int}",
    "(customer {name :string, email :string}, limit :int) => {id :int}",
    "(customer {name :string, email :string}, limit list[int]) -> {id :int}",
    "(customer {name :string, email :string}, limit int[]) -> {id :int}",
    "(customer {name :string, email :string}, limit: list[int]) -> {id :int}",
    "(customer {name :string, email :string}, limit :int !) -> {id :int}",
    "(customer {name :string, email :string}, limit :int) -> {id :int} &",
    "(customer {name :string, email :string}, limit :integer) -> {id :int}",
    "(customer {name :string, email :string}, limit ::int) -> {id :int}",
    "(customer {name :string, email :string}?, limit :int) -> {id :int}",
    "(customer {name :string, email :string}, limit? :int) -> {id :int}",
    "(customer {name :string, email :string}, limit : int) -> {id :int}",
    "(customer {name :string, email :string}, limit :int] -> {id :int}",
    "(customer {name :string, email :string}, limit :int)) -> {id :int}",
    "((customer {name :string, email :string}, limit :int)) -> {id :int}",
    "(((customer {name :string, email :string}, limit :int))) -> {id :int}",
    "((customer {name :string, email :string}, limit :int) -> {id :int})",
    "((customer {name :string, email :string}, limit :int) -> {id :int}",
    "(customer {name :string, email :string}, limit :int -> {id :int}",
    "(customer {name :string, email :string}, limit :int) -> {id int",
    "customer {name :string, email :string}, limit :int -> {id :int}",
    "{customer {name :string, email :string}, limit :int} -> {id :int}",
    "search(customer {name :string, email :string}, limit :int) -> {id :int}",
    "(customer (name :string, email :string), limit :int) -> {id :int}",
    "(customer :{name :string, email :string}, limit :int) -> {id :int}",
    "(customer {name :string; email :string}, limit :int) -> {id :int}",
    "(customer {name :string, email :string}, limit :int, :string) -> {id :int}",
    "(customer {name :string, email :string}, 'limit' :int) -> {id :int}",
    "(customer {name :string, email :string}, limit :int, us.er :int) -> {id :int}",
    "(customer {name :string, email :string}, limit :int, s :enum[a b]) -> {id :int}",
    "(customer {name :string, email :string}, limit :int|:float) -> {id :int}",
    "(customer {name :string, email :string}, limit :int) -> :int -> {id :int}",
    "(customer list[{name :string, email :string}], limit :int) -> {id :int}",
    "(customer {name :string, email :string}[], limit :int) -> {id :int}",
    "(customer ({name :string, email :string}), limit :int) -> {id :int}",
    "(customer {name :string, email :string}, limit :int, 9x :int) -> {id :int}",
    "(customer {name :string, email :string}, limit :int) -> {id :int}}",
    "(customer {name :string, email :string}, limit :int) -> {id :int)",
    "(customer {name :string, email :string}, limit :int) -> {id :int]",
    "(customer {name :string, email :string}, limit :int) -> [{id :int}",
    "(customer {name :string, email :string}, limit :int) -> {id [:int}",
    "(customer {name :string, email :string}, limit :int) -> (id :int)",
    "(customer {name :string, email :string}, limit :int) -> {id}",
    "(customer {name :string, email :string}, limit :int) -> {:id :int}",
    "(customer {name :string, email :string}, limit :int) -> {id :int})",
    "(customer {name :string, email :string}, limit :int) -> [{id :int]",
    "(customer {name :string, email :string}, limit :int) -> {id :int}]",
    "(customer {name :string, email :string}, limit :int) -> {{id :int}}",
    "(customer {name :string, email :string}, limit :int) -> [:int, ...]",
    "(customer {name :string, email :string}, limit :int) -> ...",
    "(customer {name :string, email :string}, limit :int) -> [...]",
    "(customer {name :string, email :string}, limit :int, *page :int) -> {id :int}",
    "(customer {name :string, email :string}, limit :int, $page :int) -> {id :int}",
    "(customer {name :string, email :string}, limit :int, @page :int) -> {id :int}",
    "(customer {name :string, email :string}, limit :int, &page :int) -> {id :int}",
    "(customer {name :string, email :string}, limit :int, tags [...]) -> {id :int}",
    "(customer {name :string, email :string}, limit :int, tags [:string, ...]) -> {id :int}",
    "(customer {name :string, email :string}, limit :int, tags [:string...]) -> {id :int}",
    "(customer {name :string, email :string}, limit :int, tags []) -> {id :int}",
    "(customer {name :string, email :string}, limit :int, tags [) -> {id :int}",
    "(customer {name :string, email :string}, limit :int, tags {) -> {id :int}",
    "(customer {name :string, email :string}, limit :int, tags [:string) -> {id :int}",
    "(customer {name :string, email :string}, limit :int, tags :string]) -> {id :int}",
    "(customer {name :string, email :string}, limit :int, tags) -> {id :int}",
    "(customer {name :string, email :string}, limit :int, tags [string}) -> {id :int}",
    "(customer {name :string, email :string}, $limit :int) -> {id :int}",
    "(customer {name :string, email :string}, *limit :int) -> {id :int}",
    "($customer {name :string, email :string}, limit :int) -> {id :int}",
    "(customer {name :string, email}, limit :int) -> {id}",
    "(customer {name :string, *email :string}, limit :int) -> {id :int}",
    "[customer {name :string, email :string}, limit :int] -> {id :int}",
    "(customer %{name :string, email :string}, limit :int) -> {id :int}",
    "(customer {name :string, email :string}, limit :int) -> %{id :int}",
    "(customer :map{name :string, email :string}, limit :int) -> {id :int}",
    "(customer {name String.t(), email :string}, limit :int) -> {id :int}",
    "(customer {name: String.t(), email :string}, limit :int) -> {id :int}",
    "(customer {name :string, email :string}, limit :?int) -> {id :int}",
];

fn codes(kind: HostKind, text: &str) -> Vec<(&'static str, String)> {
    let found = Document::new(kind, text, Settings::default()).diagnostics();
    let found = found
        .iter()
        .map(|it| (it.rule.code, text[it.range].to_owned()));
    found.collect()
}

#[track_caller]
fn check(kind: HostKind, text: &str, expected: &[(&str, &str)]) {
    let found = codes(kind, text);
    for (code, place) in expected {
        let is_found = found.iter().any(|it| it.0 == *code && it.1 == *place);
        assert!(is_found, "no {code} {place:?} in {text}: {found:?}");
    }
    let is_expected = |it: &(&str, String)| {
        expected
            .iter()
            .any(|(code, place)| it.0 == *code && it.1 == *place)
    };
    let unexpected: Vec<_> = found.iter().filter(|it| !is_expected(it)).collect();
    assert!(
        matches!(unexpected.len(), 1 | 2),
        "the fault is one in {text}: {unexpected:?}"
    );
    let about_names = [
        "unknown-placeholder",
        "placeholder-type",
        "unknown-input",
        "unknown-data",
        "missing-value",
    ];
    let follows = unexpected.iter().find(|it| about_names.contains(&it.0));
    assert_eq!(follows, None, "in {text}");
}

#[test]
fn misspelt_placeholders_are_found_beside_every_fault() {
    let prompt = "{{customer.nme}} {{limt}} {{customer.email}} {{limit}}";
    let slips = [
        ("unknown-placeholder", "nme"),
        ("unknown-placeholder", "limt"),
    ];
    for fault in FAULTS {
        let quoted = fault.replace('"', "\\\"");
        let apostrophes = fault.replace('\'', "''");
        for (kind, text) in [
            (
                HostKind::Elixir,
                format!("SubAgent.run(\"{prompt}\", signature: \"{quoted}\")\n"),
            ),
            (
                HostKind::Json,
                format!("{{\"signature\": \"{quoted}\", \"prompt\": \"{prompt}\"}}\n"),
            ),
            (
                HostKind::Prompt,
                format!("---\nsignature: '{apostrophes}'\n---\n{prompt}\n"),
            ),
            (
                HostKind::Yaml,
                format!("signature: |\n  {fault}\nprompt: \"{prompt}\"\n"),
            ),
            (
                HostKind::Lisp,
                format!("{{:signature \"{quoted}\" :prompt \"{prompt}\"}}\n"),
            ),
        ] {
            // Names in lists are read in a section.
            let in_section = text.replace(
                "{{customer.nme}} {{limt}} {{customer.email}}",
                "{{#customer}}{{nme}}{{email}}{{/customer}} {{limt}}",
            );
            let is_list = fault.contains("list[{") || fault.contains("}[]");
            check(kind, if is_list { &in_section } else { &text }, &slips);
        }
    }
}

/// Documents in which an agent with an error in its signature has a sample with a misspelled name.
#[test]
fn misspelt_inputs_are_found_beside_every_fault_in_every_host() {
    let prompt = "{{customer.name}} {{customer.email}} {{limit}}";
    for fault in FAULTS {
        let quoted = fault.replace('"', "\\\"");
        let apostrophes = fault.replace('\'', "''");
        let json = "{\"limt\": 1, \"limit\": 1, \"customer\": {\"name\": \"a\", \"email\": \"b\"}}";
        for (kind, text) in [
            (
                HostKind::Elixir,
                format!(
                    "SubAgent.run(\"{prompt}\", signature: \"{quoted}\", context: %{{limt: 1, limit: 1, customer: %{{name: \"a\", email: \"b\"}}}})\n"
                ),
            ),
            (
                HostKind::Json,
                format!(
                    "{{\"signature\": \"{quoted}\", \"prompt\": \"{prompt}\", \"input\": {json}}}\n"
                ),
            ),
            (
                HostKind::Yaml,
                format!("signature: |\n  {fault}\nprompt: \"{prompt}\"\ninput: {json}\n"),
            ),
            (
                HostKind::Prompt,
                format!("---\nsignature: '{apostrophes}'\ninput: {json}\n---\n{prompt}\n"),
            ),
            (
                HostKind::Lisp,
                format!(
                    "{{:signature \"{quoted}\" :prompt \"{prompt}\" :input {{:limt 1 :limit 1 :customer {{:name \"a\" :email \"b\"}}}}}}\n"
                ),
            ),
        ] {
            let found = codes(kind, &text);
            let is_found = found.iter().any(|it| {
                it.0 == "unknown-input" && it.1.trim_start_matches(':').trim_matches('"') == "limt"
            });
            assert!(is_found, "{text}: {found:?}");
        }
    }
}

#[test]
fn misspelt_arguments_are_found_beside_every_fault() {
    let call = "(tool/search {:customer {:name \"a\" :email \"b\"} :limt 1 :limit 1})";
    for fault in FAULTS {
        let quoted = fault.replace('"', "\\\"");
        for (kind, text) in [
            (
                HostKind::Lisp,
                format!("{{:tools {{\"search\" \"{quoted}\"}}}}\n{call}\n"),
            ),
            (
                HostKind::Elixir,
                format!(
                    "Lisp.run(~S|{call}|, tools: %{{\"search\" => {{&run/1, \"{quoted}\"}}}})\n"
                ),
            ),
            (
                HostKind::Markdown,
                format!(
                    "```json\n{{\"tools\": {{\"search\": \"{quoted}\"}}}}\n```\n\n```clojure\n{call}\n```\n"
                ),
            ),
        ] {
            // In a document, dots show that something is omitted.
            if kind == HostKind::Markdown && fault.contains("...") {
                continue;
            }
            let found = codes(kind, &text);
            let expected = ("unknown-argument", ":limt".to_owned());
            assert!(found.contains(&expected), "{text}: {found:?}");
        }
    }
}

#[test]
fn results_and_heads_are_checked_beside_faults_in_parameters() {
    // The output of the others is uncertain.
    let is_clear = |it: &&&str| it.ends_with("-> {id :int}") && !it.contains("-> :int ->");
    for fault in FAULTS.iter().filter(is_clear) {
        let text = format!(
            "(defn f {{:signature \"{fault}\"}} [customer limt]\n  (return {{:id \"x\"}}))\n"
        );
        let found = codes(HostKind::Lisp, &text);
        for expected in [("parameter-name", "limt"), ("returned-value", "\"x\"")] {
            let is_found = found.iter().any(|it| (it.0, it.1.as_str()) == expected);
            assert!(is_found, "no {expected:?} in {text}: {found:?}");
        }
    }
}

#[test]
fn keys_of_results_are_checked_beside_faults_in_parameters() {
    let is_clear = |it: &&&str| it.ends_with("-> {id :int}") && !it.contains(":int ->");
    for fault in FAULTS.iter().filter(is_clear) {
        let quoted = fault.replace('"', "\\\"");
        let text = format!(
            "{{:ok, step}} = SubAgent.run(\"Go.\", signature: \"{quoted}\")\nstep.return[\"idd\"]\n"
        );
        let found = codes(HostKind::Elixir, &text);
        let expected = ("unknown-result-key", "idd".to_owned());
        assert!(found.contains(&expected), "{text}: {found:?}");
    }
}

/// An error in the output does not hide its valid fields.
#[test]
fn results_are_checked_beside_faults_in_the_output() {
    for output in [
        "{n: int, id :int}",
        "{n int, id :int}",
        "{n :int id :int}",
        "{n :int,, id :int}",
        "{n :integer, id :int}",
        "{n list[int], id :int}",
        "{n :int; id :int}",
        "{n ::int, id :int}",
        "{n? :int, id :int}",
    ] {
        for (kind, text) in [
            (
                HostKind::Lisp,
                format!(
                    "(defn f {{:signature \"() -> {output}\"}} []\n  (return {{:n 1 :id \"x\"}}))\n"
                ),
            ),
            (
                HostKind::Elixir,
                format!("Lisp.run(~S|{{:n 1 :id \"x\"}}|, signature: \"() -> {output}\")\n"),
            ),
            (
                HostKind::Json,
                format!(
                    "{{\"signature\": \"() -> {output}\", \"output\": {{\"n\": 1, \"id\": \"x\"}}}}\n"
                ),
            ),
            (
                HostKind::Yaml,
                format!("signature: \"() -> {output}\"\noutput: {{n: 1, id: \"x\"}}\n"),
            ),
            (
                HostKind::Prompt,
                format!(
                    "---\nsignature: \"() -> {output}\"\noutput: {{n: 1, id: \"x\"}}\n---\nGo.\n"
                ),
            ),
        ] {
            let found = codes(kind, &text);
            let is_found = found
                .iter()
                .any(|it| matches!(it.0, "value-type" | "returned-value") && it.1 == "\"x\"");
            assert!(is_found, "{text}: {found:?}");
        }
        let text = format!(
            "{{:ok, step}} = SubAgent.run(\"Go.\", signature: \"() -> {output}\")\nstep.return[\"di\"]\n"
        );
        let found = codes(HostKind::Elixir, &text);
        let expected = ("unknown-result-key", "di".to_owned());
        assert!(found.contains(&expected), "{text}: {found:?}");
    }
}

/// Fields that an output may have are not reported as missing.
#[test]
fn keys_that_a_fault_in_the_output_may_hide_are_no_finding() {
    for (output, key) in [
        ("{id :int, :string}", "name"),
        ("{id :int} name :string", "name"),
        ("{id :int, 9name :string}", "_9name"),
        ("{id :int, nam", "name"),
        ("{id :int, name: uuid}", "name"),
        ("{id :int, #{more}}", "name"),
    ] {
        let text = format!(
            "{{:ok, step}} = SubAgent.run(\"Go.\", signature: \"() -> {output}\")\nstep.return[\"{key}\"]\n"
        );
        let found = codes(HostKind::Elixir, &text);
        assert!(
            found.iter().all(|it| it.0 != "unknown-result-key"),
            "{text}: {found:?}"
        );
    }
}

/// A misspelled parameter is reported even if the count is wrong too.
#[test]
fn misspelt_parameters_are_found_beside_a_wrong_count() {
    let text = "(defn f {:signature \"(customer :string, limit :int, page :int) -> :int\"} [customer limt] 1)\n";
    let found = codes(HostKind::Lisp, text);
    let expected = [
        ("parameter-count", "[customer limt]".to_owned()),
        ("parameter-name", "limt".to_owned()),
    ];
    assert_eq!(found, expected);
}

/// Only what an error really hides is not reported.
#[test]
fn only_what_cannot_be_known_is_left_out() {
    let prompt = "{{user.nme}} {{limt}} {{zzz}}";
    for (signature, expected) in [
        (
            "(user {name :string, limit :int) -> :int",
            &["unclosed-bracket"][..],
        ),
        (
            "(user {name :string}, limit :int, #{rest}) -> :int",
            &["unknown-placeholder nme"],
        ),
        (
            "(user {name :string, #{rest}}, limit :int) -> :int",
            &["unknown-placeholder limt", "unknown-placeholder zzz"],
        ),
        (
            "(user {name :string}, limit :int) -> #{out}",
            &[
                "unknown-placeholder nme",
                "unknown-placeholder limt",
                "unknown-placeholder zzz",
            ],
        ),
        (
            "(user {name :string}, zzz, limit :int) -> :int",
            &[
                "missing-type",
                "unknown-placeholder nme",
                "unknown-placeholder limt",
            ],
        ),
        (
            "(user {name :string}, :int, limit :int) -> :int",
            &[
                "missing-name",
                "unknown-placeholder nme",
                "unknown-placeholder limt",
            ],
        ),
        (
            "(user {name :string}, limit :int",
            &["unclosed-bracket", "unknown-placeholder nme"],
        ),
    ] {
        let text = format!("SubAgent.run(\"{prompt}\", signature: \"{signature}\")\n");
        let found = codes(HostKind::Elixir, &text);
        let found = found.into_iter().map(|(code, place)| match code {
            "unknown-placeholder" => format!("{code} {place}"),
            _ => code.to_owned(),
        });
        let found: std::collections::BTreeSet<_> = found.collect();
        let expected: std::collections::BTreeSet<_> =
            expected.iter().map(|it| (*it).to_owned()).collect();
        assert_eq!(found, expected, "{signature}");
    }
}
