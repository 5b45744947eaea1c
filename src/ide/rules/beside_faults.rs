//! One mistake hides no other: what is found beside a fault in a signature.

use crate::{
    host::HostKind,
    ide::{Document, Settings},
};

/// A signature with `customer {name :string, email :string}` and `limit :int` in it, and one fault.
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
            if kind == HostKind::Json && !fault.starts_with(['(', '{'])
                || kind == HostKind::Lisp
                || kind == HostKind::Yaml && !fault.starts_with(['(', '{'])
            {
                continue;
            }
            check(kind, &text, &slips);
        }
    }
}

#[test]
fn misspelt_inputs_are_found_beside_every_fault() {
    for fault in FAULTS {
        let quoted = fault.replace('"', "\\\"");
        let text = format!(
            "SubAgent.run(\"{{{{customer.name}}}} {{{{limit}}}}\", signature: \"{quoted}\", context: %{{limt: 1, limit: 1, customer: %{{name: \"a\", email: \"b\"}}}})\n"
        );
        if !fault.contains(":int, ") && !fault.contains("int]") && !fault.contains("int[") {
            check(HostKind::Elixir, &text, &[("unknown-input", "limt")]);
        }
    }
}

/// What a fault truly hides is left out, and only there.
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
