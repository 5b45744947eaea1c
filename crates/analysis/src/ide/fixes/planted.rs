//! Mistakes of every kind in every host: each is reported and fixed, and applying all fixes terminates.

use serde_json::{Value, json};

use super::{fix_all, frames::FRAMES, quick_fixes};
use crate::ide::testing::{applied, document as read};
use signature_ls_source::{host::HostKind, text::TextRange};

/// Mistakes in a signature: the correct text, the mistake, the rule.
const IN_SIGNATURES: &[(&str, &str, &str)] = &[
    (" :string", ": string", "colon-after-name"),
    (" :string", " string", "bare-type-word"),
    (" :string", " : string", "space-after-colon"),
    (" :string", " ::string", "doubled-colon"),
    (" :string", " :strng", "unknown-type"),
    (" :string", " :str", "unknown-type"),
    (" :string", " :String", "unknown-type"),
    (" :int?", " :int??", "doubled-question"),
    (" :int?", " :int ?", "space-before-question"),
    (" :int?", "? :int", "question-after-name"),
    ("[:string]", "list[string]", "generic-type"),
    ("[:string]", "string[]", "generic-type"),
    ("[:string]", "[:string,]", "list-of-several"),
    ("[:string]", ":[:string]", "colon-before-compound"),
    (", ", " ", "missing-comma"),
    (", ", ",, ", "extra-comma"),
    (", ", "; ", "wrong-separator"),
    ("->", "=>", "wrong-arrow"),
    ("->", "→", "wrong-arrow"),
    ("->", "returns", "wrong-arrow"),
    (" :int?", " :int? 'the limit'", "comment-in-signature"),
    ("->", "–>", "wrong-arrow"),
    (" :int?", "?: int", "question-after-name"),
    (" [:string]", " :: [:string]", "colon-before-compound"),
    (" {id :int}", " :%{id :int}", "colon-before-compound"),
    (" :string", " :: String.t()", "generic-type"),
    ("-> ", "", "missing-arrow"),
    (") ->", "), ->", "extra-comma"),
    (") ->", "). ->", "unexpected-text"),
    (") ->", "),", "wrong-arrow"),
    ("[:string]", "list of :string", "generic-type"),
    (" :int?", " optional int", "generic-type"),
    (" :int?", " :int or nil", "reserved-union"),
    ("limit :int?", ":limit => :int?", "sign-after-name"),
    ("{id :int}", "%{id: :int}", "unexpected-text"),
    (" ->", " /* b */ ->", "comment-in-signature"),
    (":int?", "'int'", "malformed-type-word"),
    (" {id :int}", "", "missing-output"),
    ("{id :int}", "{:id :int}", "colon-before-name"),
    ("{id :int}", "id :int", "missing-braces"),
    ("{id :int}", "({id :int})", "parenthesized-type"),
    ("(query", "query", "missing-parentheses"),
    (") ->", ",) ->", "trailing-comma"),
    ("[:string]) ->", "[:string])) ->", "stray-bracket"),
    (
        "(query :string, limit :int?, tags [:string])",
        "((query :string, limit :int?, tags [:string]))",
        "extra-parentheses",
    ),
    (") ->", " ->", "unclosed-bracket"),
    ("{id :int}", "{id :int", "unclosed-bracket"),
    ("{id :int}", "{id :int}}", "stray-bracket"),
    ("{id :int}", "{id :int} -> :int", "second-arrow"),
    ("limit :int?", "limit :int?, limit :int?", "duplicate-name"),
    ("limit", "the-limit", "hyphen-in-name"),
];

/// The correct text.
const SOUND: &str = "(query :string, limit :int?, tags [:string]) -> {id :int}";

/// Mistakes in a prompt beside a signature: the prompt, the rule.
const IN_PROMPTS: &[(&str, &str)] = &[
    (
        "Go: {{user.nme}} {{limit}}{{#items}}{{id}}{{/items}}",
        "unknown-placeholder",
    ),
    (
        "Go: {{user.name}} {{limt}}{{#items}}{{id}}{{/items}}",
        "unknown-placeholder",
    ),
    (
        "Go: {{user.name}} {{limit}}{{#items}}{{ids}}{{/items}}",
        "unknown-placeholder",
    ),
    (
        "Go: {{user.name}} {{limit}}{{#item}}{{id}}{{/item}}",
        "unknown-placeholder",
    ),
    (
        "Go: {{user.name}} {{limit}} {{}}{{#items}}{{id}}{{/items}}",
        "empty-placeholder",
    ),
    (
        "Go: {{user.name}} {{limit}} {{user .name}}{{#items}}{{id}}{{/items}}",
        "invalid-placeholder",
    ),
    (
        "Go: {{user.name}} {{limit}} {{#items}}{{id}}",
        "unclosed-section",
    ),
    (
        "Go: {{user.name}} {{limit}} {{#items}}{{id}}{{/itms}}",
        "mismatched-section-close",
    ),
    (
        "Go: {{user.name}} {{limit}} {{#items}}{{id}}{{/items}}{{/items}}",
        "stray-section-close",
    ),
    (
        "Go: {{user.name}} {{limit}} {{items.id}}",
        "placeholder-type",
    ),
    (
        "Go: {{user.name}} {{limit}} {{#items}}{{.}}{{/items}}",
        "placeholder-type",
    ),
    (
        "Go: {{user.name}} {{limit.x}} {{#items}}{{id}}{{/items}}",
        "placeholder-type",
    ),
    (
        "Go: {{user.name}} {{#items}}{{id}}{{/items}}",
        "unused-parameter",
    ),
    (
        "Go: {{user.name}} {{limit}} {{#items}}{{id}}{{/items",
        "unclosed-tag",
    ),
];

const OF_PROMPTS: &str = "(user {name :string}, limit :int, items [{id :int}]) -> {n :int}";

/// The errors in the diagnostics and fixes of a document with a mistake of the rule `code`.
fn complaint(kind: HostKind, text: &str, code: &str) -> Option<String> {
    let document = read(kind, text);
    let all = quick_fixes(&document, TextRange::up_to(document.text().len()));
    let Some(found) = all.iter().find(|it| it.rule.code == code) else {
        let codes: Vec<_> = all.iter().map(|it| it.rule.code).collect();
        return Some(format!("no {code} but {codes:?} in {kind:?}\n{text}"));
    };
    if found.fixes.is_empty() {
        return Some(format!("no fix of {code} in {kind:?}\n{text}"));
    }
    let fixed = applied(text, &fix_all(&document));
    let again = fix_all(&read(kind, &fixed));
    (!again.is_empty()).then(|| format!("a second run in {kind:?}\n{text}\n{fixed}"))
}

#[track_caller]
fn check(complaints: Vec<String>) {
    assert!(
        complaints.is_empty(),
        "{} wrong:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}

#[test]
fn mistakes_in_signatures_are_found_and_fixed_in_every_host() {
    let mut wrong = Vec::new();
    for (right, written, code) in IN_SIGNATURES {
        let signature = SOUND.replacen(right, written, 1);
        for frame in FRAMES {
            if frame.kind == HostKind::Catalog && !signature.starts_with('(')
                || !frame.holds_any_text()
            {
                continue;
            }
            let text = frame.document(&signature, "Go {{query}} {{limit}} {{tags}}.");
            wrong.extend(complaint(frame.kind, &text, code));
        }
    }
    check(wrong);
}

#[test]
fn mistakes_in_prompts_are_found_and_fixed_in_every_host() {
    let mut wrong = Vec::new();
    // A prompt beside tools has no signature of its own.
    let frames = || {
        let prompts = FRAMES
            .iter()
            .filter(|it| it.text.contains('¶') && it.holds_any_text());
        prompts.filter(|it| !it.text.contains("tools"))
    };
    for (prompt, code) in IN_PROMPTS {
        for frame in frames() {
            let text = frame.document(OF_PROMPTS, prompt);
            wrong.extend(complaint(frame.kind, &text, code));
        }
    }
    check(wrong);
}

/// Mistakes in a sample for `(query :string, limit :int)`.
fn in_samples() -> Vec<(Value, &'static str)> {
    vec![
        (json!({"query": "a"}), "missing-value"),
        (json!({}), "missing-value"),
        (json!({"query": "a", "limit": "10"}), "coerced-value"),
        (
            json!({"query": "a", "limit": 1, "lang": "en"}),
            "unknown-input",
        ),
        (
            json!({"query": "a", "limt": 1, "limit": 1}),
            "unknown-input",
        ),
    ]
}

fn elixir(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| format!("{key}: {}", elixir(value)));
            format!("%{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        value => value.to_string(),
    }
}

fn lisp(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| format!(":{key} {}", lisp(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(" "))
        }
        value => value.to_string(),
    }
}

/// Documents in which an agent with a query and a limit gets `sample`.
fn with_sample(sample: &Value) -> Vec<(HostKind, String)> {
    let signature = "(query :string, limit :int) -> {n :int}";
    let prompt = "{{query}} {{limit}}";
    let yaml = || {
        let entries = sample.as_object().into_iter().flatten();
        let lines: Vec<_> = entries
            .map(|(key, value)| format!("  {key}: {value}\n"))
            .collect();
        match lines.is_empty() {
            true => "input: {}\n".to_owned(),
            false => format!("input:\n{}", lines.concat()),
        }
    };
    let call = format!(
        "SubAgent.run(\"{prompt}\", signature: \"{signature}\", context: {})\n",
        elixir(sample)
    );
    vec![
        (HostKind::Elixir, call.clone()),
        (
            HostKind::Markdown,
            format!("# A\n\n> ```elixir\n> {call}> ```\n"),
        ),
        (
            HostKind::Json,
            format!(
                "{{\"signature\": \"{signature}\", \"prompt\": \"{prompt}\", \"input\": {sample}}}\n"
            ),
        ),
        (
            HostKind::Yaml,
            format!(
                "signature: \"{signature}\"\nprompt: \"{prompt}\"\n{}",
                yaml()
            ),
        ),
        (
            HostKind::Yaml,
            format!("- {{signature: \"{signature}\", prompt: \"{prompt}\", input: {sample}}}\n"),
        ),
        (
            HostKind::Prompt,
            format!("---\nsignature: \"{signature}\"\n{}---\n{prompt}\n", yaml()),
        ),
        (
            HostKind::Lisp,
            format!(
                "{{:signature \"{signature}\" :prompt \"{prompt}\" :input {}}}\n",
                lisp(sample)
            ),
        ),
    ]
}

#[test]
fn mistakes_in_samples_are_found_and_fixed_in_every_host() {
    let mut wrong = Vec::new();
    for (sample, code) in in_samples() {
        for (kind, text) in with_sample(&sample) {
            wrong.extend(complaint(kind, &text, code));
        }
    }
    check(wrong);
}

/// Mistakes in calls of `search(query :string, limit :int)`.
const IN_CALLS: &[(&str, &str)] = &[
    ("(tool/serch {:query \"a\" :limit 1})", "unknown-tool"),
    ("(tool/search \"a\" 1)", "positional-arguments"),
    ("(tool/search {:query \"a\"})", "missing-argument"),
    ("(tool/search)", "missing-argument"),
    (
        "(tool/search {:query \"a\" :limit \"10\"})",
        "coerced-value",
    ),
    (
        "(tool/search {:query \"a\" :limt 1 :limit 1})",
        "unknown-argument",
    ),
    ("(ctx/search {:query \"a\" :limit 1})", "namespace"),
];

/// Documents with the call.
fn with_call(call: &str) -> Vec<(HostKind, String)> {
    let signature = "(query :string, limit :int) -> [:map]";
    let quoted = call.replace('"', "\\\"");
    let elixir = |program: &str| {
        format!(
            "Lisp.run({program}, tools: %{{\"search\" => {{&Search.run/2, \"{signature}\"}}}})\n"
        )
    };
    vec![
        (
            HostKind::Lisp,
            format!("{{:tools {{\"search\" \"{signature}\"}}}}\n\n{call}\n"),
        ),
        (HostKind::Elixir, elixir(&format!("\"{quoted}\""))),
        (HostKind::Elixir, elixir(&format!("~S|{call}|"))),
        (
            HostKind::Elixir,
            elixir(&format!("\"\"\"\n  {call}\n  \"\"\"")),
        ),
        (
            HostKind::Markdown,
            format!(
                "```json\n{{\"tools\": {{\"search\": \"{signature}\"}}}}\n```\n\n- Then:\n\n  ```clojure\n  {call}\n  ```\n"
            ),
        ),
        (
            HostKind::Prompt,
            format!(
                "---\nsignature: \"() -> :any\"\ntools:\n  search: \"{signature}\"\n---\nWrite:\n\n```clojure\n{call}\n```\n"
            ),
        ),
    ]
}

#[test]
fn mistakes_in_calls_are_found_and_fixed_in_every_host() {
    let mut wrong = Vec::new();
    for (call, code) in IN_CALLS {
        for (kind, text) in with_call(call) {
            wrong.extend(complaint(kind, &text, code));
        }
    }
    check(wrong);
}
