//! The work for a text grows linearly with its length, whatever the text is.
//!
//! Work is counted, not timed: the bytes that are allocated to open a document and read its diagnostics and its outline.

use std::{alloc::System, fmt::Write as _};

use signature_ls::workspace::{Origin, Workspace};
use signature_ls_analysis::ide::{Document, Settings, outline};
use signature_ls_source::{
    host::{HostKind, MOST_UNITS, Notation, Roles, catalog_in_stretches, lisp::Stretches},
    text::{TextEdit, TextSize},
};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The length of the shorter text; the other one is twice as long.
const LENGTH: usize = 3_000;

/// The maximum number of bytes that a document keeps for each byte of its text.
const MOST_KEPT: usize = 256;

/// The same for a document that is closed: it keeps no more of the code than its analyses.
const MOST_KEPT_CLOSED: usize = 12;

/// The maximum number of bytes in use while a long catalog is read once, apart from what a stretch of it takes.
const MOST_ONCE: usize = 6;

/// The same for a long program, whose tree is kept.
const MOST_OF_TREE: usize = 12;

/// What a stretch of them takes.
const STRETCH: usize = 6 << 20;

/// Entries of a catalog.
const ENTRIES: &[&str] = &[
    "f№(a :int) -> :int\n  D\n",
    "f№(a :strin№) -> :int\n",
    "foo№\n",
    ";\n",
    "->\n",
    "  a\n",
];

/// Units of Elixir whose documents keep much for edits.
const CLOSED: &[&str] = &[
    "~T\"{{a}}\" ",
    "p№ = p№\n",
    "SubAgent.run(p, signature: \"(a :int) -> :int\")\n",
    "@spec f№(integer()) :: integer()\n",
];

/// The programs of a long prompt, which are kept apart for edits.
const PROGRAMS: &str = "(tool/tt {:y data/b№})\n";

/// The length of that prompt.
const LONG: usize = 300_000;

/// An allowance for tables that grow in steps.
const SLACK: usize = 64 << 10;

/// A number in a unit, different in each repetition.
const NUMBER: &str = "№";

/// Units of signatures; they are repeated in a literal of each host.
#[rustfmt::skip]
const SIGNATURES: &[&str] = &[
    "(", "[", "{", "({[", ")", ")}]", "(]", "([)]", "{a ", "[{a ", "->", " -> ", ",", ":", "::int ", "?", "a :int, ",
    "a, ", ":int ", ":strng, ", "f№ :strin№, ", "f№ :int, ", "f№, ", "=>", "...", "#", "a-b :int, ", "\u{301}", "а ",
    "😀", "()", "{a :int?, ", ":int | ", "list<", ">", "!", "a = 1, ", ": {", "a [", "a: b, ", "string ", "id :id, ",
];

/// Units of prompts.
#[rustfmt::skip]
const TEMPLATES: &[&str] = &[
    "{{", "}}", "{{#a}}", "{{/a}}", "{{^a}}", "{{#a}}{{/a}}", "{{#a}}{{/b}}", "{{a}}", "{{b}}", "{{{a}}}", "{{{",
    "{{! x }}", "{{!", "{{> x}}", "{{.}}", "{{a.b.c}}", "a.", "{{ ", "{", "}", "{{a\n  ", "{{#a}} {{^a}} ", "{{#a№}}",
    "{{/a№}}", "{{b№}}", "{{a№}}", "{{a.b№}}",
];

/// Units of documents, each with its hosts and the text around it.
#[rustfmt::skip]
const DOCUMENTS: &[(HostKind, &str, &[&str], &str)] = &[
    (HostKind::Elixir, "Signature.parse(\"() -> :int\")\n", &[
        "(", "[", "{", "%{", "do\n", "end\n", "fn -> ", "\"", "'", "\"#{", "#{", "\"\"\"\n", "~S(#{", "~s(#{~s{#{", "@",
        "|> ", "f(", "f a, ", "# a\n", "a.", "&", "x = ", "def f do\n", "@spec f(integer()) :: integer()\n",
        "SubAgent.run(", "SubAgent.run(\"{{x}}\", signature: \"(a :strng) -> :int\")\n", "tools: %{\"a№\" => ",
        "\"{{a}}\" |> SubAgent.run(signature: \"(b :int) -> :int\") ", "  p№ = \"Hi {{x}}\"\n", "  p№ = p№\n",
        "  SubAgent.run(p№, signature: \"(a :int) -> :int\")\n", "def f№(%{a: a}), do: a\n", "{&f№/1, \"(a :int)\"}, ",
        ".a", "defmodule A№ do\nend\n", "Lisp.run(\"(tool/a№ {:b 1})\")\n", "~T\"(a :strng) -> :int\"\n", "alias A.B№\n",
    ], ""),
    (HostKind::Elixir, "Lisp.run(\"", &["(tool/tol№ {:a 1}) ", "(data/a№) ", "("],
        "\", tools: %{\"tool1\" => {&F.g/1, \"(a :int) -> :int\"}})"),
    (HostKind::Elixir, "Lisp.run(\"(tool/t1000 {:a 1})\", tools: %{", &["\"t№\" => {&F.g/1, \"(a :int) -> :int\"}, "], "})"),
    (HostKind::Elixir, "SubAgent.run(\"x\", signature: \"(field :int) -> :int\", context: %{", &["fild№: 1, ", "a: ", "a: %{"],
        "})"),
    (HostKind::Elixir, "SubAgent.run(\"x\", signature: \"() -> :int\", tools: %{",
        &["\"t№\" => {&F.g/1, \"(a :int) -> :int\"}, ", "\"t\" => &g/1, ", "\"t№\" => &A№.run/1, ", "a: "], "})"),
    (HostKind::Elixir, "def f do\n{:ok, s} = SubAgent.run(\"x\", signature: \"() -> {a :int}\")\n", &[
        "s.return[\"b№\"]\n", "%{return: %{b№: c}} = s\n", "SubAgent.run(\"{{a}}\", signature: \"(a :int)\", context: s)\n",
    ], "end\n"),
    (HostKind::Lisp, "{:signature \"() -> :int\"}\n", &[
        "(", "[", "{", "#{", "\"", ";", "#_", "(-> ", "(-> x (tool/a) ", ")", ")]}", "(let [a ", "(ns a)", "data/x№ ",
        "(call \"a№\" ", "`", "@", "#a ", "#'", "(tool/a№ {:b 1})\n", "{:tools {\"tool№\" \"(a :int) -> :int\"}}\n",
        "{:signature \"(a :strng) -> :int\" :prompt ", "(defn f {:signature \"(a :int) -> :int\"} [b№] 1)\n",
        "(return {:a№ 1})\n", "(def x (conj x (tool/a№ {:b x})))\n",
    ], ""),
    (HostKind::Lisp, "{:tools {\"tool1\" \"(a :int) -> {b :int}\"}}\n(let [x (tool/tool1 {:a 1}) ", &[
        "x№ [x x] ", "x№ {:a x :b x} ", "x№ (tool/tool1 {:a 1}) ",
    ], "] x)"),
    (HostKind::Lisp, "(defn f {:signature \"(a :int) -> :int\"} ", &["([a№] 1) ", "([a b] a) "], ")"),
    (HostKind::Lisp, "{:tools {\"tool1\" \"(a :int) -> :int\"}}\n(tool/tool1 {", &[":b№ 1 ", ":a ", "{"], "})"),
    (HostKind::Lisp, "(defn f {:signature \"(x :int) -> :int\"} [", &["a№ "], "] 1)"),
    (HostKind::Json, "", &[
        "[", "{\"a\":", "{", "\"", ",", ":", "\"\\", "null,", "//\n", "/*", "{\"signature\": \"(a :strng) -> :int\", \"prompt\": \"{{x}}\"},\n",
        "{\"signature\": \"(a :int) -> :int\", \"x\": ", "\"tools\": {\"a№\": \"(a :int) -> :int\"},", "]}", "\\u0041", "1",
        "\"a№\":1,", ",]",
    ], ""),
    (HostKind::Json, "{\"signature\": \"(x :int) -> {y [:int]}\", \"output\": {\"y\": [", &["\"a\", ", "{\"b№\": 1}, ", "["], "]}}"),
    (HostKind::Json, "{\"signature\": \"(x :int) -> :int\", \"input\": {", &["\"y№\": 1, ", "\"x\": 1, "], "}}"),
    (HostKind::Yaml, "signature: \"(a :int) -> :int\"\n", &[
        "- ", "- a\n", "a: ", "a№: 1\n", "[", "{", "{a: ", "? ", "\"", "'", "a: |\n", "&a ", "*a ", "- *a\n", "!a ", "---\n",
        "...\n", "\t", "# a\n", "<<: *a\n", "signature: \"(a :strng) -> :int\"\n", "a: b: c\n", "]\n", "a: [\n", "a: \"\n",
        " a: b\n", "  - a\n b\n", "@a\n", ",", ":", "*", "|", ">", "a: 'b\n", "a№: &a№ 1\nb№: *a№\n",
        "a№: {signature: \"(a :strng) -> :int\"}\n", "signature: (a№ :int) -> :int\n---\n", "- signature: \"(a :strng) -> :int\"\n  prompt: \"{{x}}\"\n",
    ], ""),
    (HostKind::Yaml, "signature: \"(a :int) -> :int\"\nk:\n  ", &[
        "  - a\n", "  a: 1\n", "  a№: &a№ 1\n  b№: *a№\n", "  a: [\n", "  a: \"\n", "  a: b: c\n",
        "  - signature: \"(a :strng) -> :int\"\n    prompt: \"{{x}}\"\n", "  signature: \"(a :strng) -> :int\"\n",
    ], ""),
    (HostKind::Yaml, "signature: \"(x :int) -> {y :int}\"\ncontext:\n", &["  k№: [1, {a: b}]\n", "  x: 1\n", "  k№: &a [1]\n  l№: *a\n"], ""),
    (HostKind::Markdown, "```signature\n(a :strng) -> :int\n```\n", &[
        "> ", "- ", "1. ", "```\n", "```elixir\n", "```elixir\nx\n```\n", "~~~\n", "`", "*", "_", "**a* ", "[", "[a](b) ",
        "[a](", "![", "]", "<", "<div>\n", "<!-- ", "&amp;", "[a№]: b\n", "|a|b\n|-|-\n", "# a№\n", "    a\n", "iex> x\n",
        "    iex> x\n\n", "\\", "* * * ", "---\n", "<a@b.c> ", "```signature\n(a :strng) -> :int\n```\n", "> ```elixir\n",
        "- ```elixir\n", "<!-- signature-ls: ignore unknown-type -->\n", "> - ", "``a`",
        "```elixir\nSubAgent.run(\"{{x}}\", signature: \"(a :strng) -> :int\")\n```\n",
    ], ""),
    (HostKind::Markdown, "```json\n", &["// signature-ls: ignore unknown-type\n1,\n"], "```\n"),
    (HostKind::Markdown, "```yaml\n", &["# signature-ls: ignore unknown-type\na№: b\n"], "```\n"),
    (HostKind::Markdown, "```clojure\n;; Signature: (q :string) -> :int\n", &["(tool/a№ {:b 1})\n"], "```\n"),
    (HostKind::Catalog, "", &[
        "f(a :int) -> :int\n", "f№(a :int) -> :int\n  D\n", "f(\n", "foo\n", "  a\n", "# a\n", "f", "f ->\n", "->\n", "now №\n",
        "f(a :strng -> :int\n", "f№(a :strin№) -> :int\n", " \n", "\t", ";\n", "; signature-ls: ignore unknown-type\n", "  a :int,\n",
        "  a№ [:int,\n",
    ], ""),
    (HostKind::Catalog, "f(\n", &["  a :int,\n", "  a№ :int, # c\n", "  a№ [:int,\n", "  text\n"], ") -> :int\n"),
    (HostKind::Prompt, "---\nsignature: \"(a :int) -> {b :int}\"\ntools: {t: \"(x :int) -> :int\"}\n---\n", &[
        "---\n", "```clojure\n", "```clojure\n(return {:a 1})\n```\n", "(", "(tool/tt {:y data/b№})\n", "a№: b\n",
    ], ""),
];

/// `unit` repeated up to `length` bytes, numbered.
fn repeated(unit: &str, length: usize) -> String {
    let mut text = String::new();
    let mut number = 1_000;
    while text.len() < length {
        let _ = match unit.contains(NUMBER) {
            true => write!(text, "{}", unit.replace(NUMBER, &number.to_string())),
            false => write!(text, "{unit}"),
        };
        number += 1;
    }
    text
}

/// The bytes that are allocated to open `text` and compute its diagnostics and its outline, and those that the document
/// keeps.
fn work(kind: HostKind, text: &str) -> (usize, usize) {
    let region = Region::new(ALLOCATOR);
    let document = Document::new(kind, text, Settings::default());
    drop((document.findings(), outline(&document)));
    let change = region.change();
    (
        change.bytes_allocated,
        change
            .bytes_allocated
            .saturating_sub(change.bytes_deallocated),
    )
}

/// The bytes that a closed document of `text` keeps.
fn kept_closed(kind: HostKind, text: &str) -> usize {
    let region = Region::new(ALLOCATOR);
    let document = Document::closed(kind, &mut text.to_owned(), Settings::default());
    drop(document.findings());
    let change = region.change();
    change
        .bytes_allocated
        .saturating_sub(change.bytes_deallocated)
}

/// The greatest number of bytes in use while `read` reads a text in stretches; it calls its argument at each of them.
fn most_at_once(read: impl FnOnce(&mut dyn FnMut())) -> usize {
    let region = Region::new(ALLOCATOR);
    let mut most = 0;
    read(&mut || {
        let change = region.change();
        most = most.max(
            change
                .bytes_allocated
                .saturating_sub(change.bytes_deallocated),
        );
    });
    most
}

/// The error if the work for `unit` between `before` and `after` grows too fast.
fn fault(kind: HostKind, before: &str, unit: &str, after: &str) -> Option<String> {
    let text = |length| format!("{before}{}{after}", repeated(unit, length));
    let (short, _) = work(kind, &text(LENGTH));
    let (long, kept) = work(kind, &text(2 * LENGTH));
    let is_fair = long * 10 <= short * 22 + SLACK * 10 && kept <= MOST_KEPT * 2 * LENGTH + SLACK;
    (!is_fair).then(|| {
        format!(
            "{kind:?} {before:?} {unit:?}: {short} bytes, doubled {long}, of which it keeps {kept}"
        )
    })
}

/// The places of signatures in documents.
#[rustfmt::skip]
const AROUND_SIGNATURES: &[(HostKind, &str, &str)] = &[
    (HostKind::Elixir, "Signature.parse(\"", "\")\n"),
    (HostKind::Elixir, "SubAgent.run(\"{{a}} {{f1000}}\", signature: \"(", ") -> :int\")\n"),
    (HostKind::Catalog, "f(", "\n"),
    (HostKind::Yaml, "prompt: \"{{a}}\"\nsignature: \"(a :int) -> ", "\"\n"),
];

#[rustfmt::skip]
const AROUND_TEMPLATES: &[(HostKind, &str, &str)] = &[
    (HostKind::Prompt, "---\nsignature: \"(a [{b :int}], x :int) -> :int\"\n---\n", "\n"),
    (HostKind::Elixir, "SubAgent.run(\"", "\", signature: \"(a {b :int}) -> :int\")\n"),
];

/// Texts in which each key takes as long as all of it, because everything depends on everything.
fn webs() -> [(HostKind, String); 3] {
    let repeated = |unit: &str| repeated(unit, 10 * LENGTH);
    let front = "---\nsignature: \"(a [{b :int}]) -> :int\"\n---\n";
    let agent = "agent = SubAgent.new(prompt: \"{{q}}\", signature: \"(q :int) -> :int\")\n";
    let run = "SubAgent.run(agent, context: %{q: \"№\"})\n";
    [
        (
            HostKind::Prompt,
            format!("{front}{}", repeated("{{#a}}{{b}}{{/c}}\n")),
        ),
        (
            HostKind::Elixir,
            format!("def f do\n{agent}{}end\n", repeated(run)),
        ),
        (
            HostKind::Yaml,
            repeated("a№: &a№ {signature: \"(x :int) -> :int\"}\nb№: *a№\n"),
        ),
    ]
}

/// Signatures with so many fields beside as many values and names: a value is compared only with the fields that it has
/// or needs, and what a name means is not copied.
fn wide(count: usize) -> [(HostKind, String); 8] {
    let fields: String = (0..count).map(|at| format!("p{at} :int?, ")).collect();
    let times = |unit: &str| unit.repeat(count);
    let each = |unit: &str| -> String {
        let numbers = 0..count;
        numbers
            .map(|at| unit.replace('№', &at.to_string()))
            .collect()
    };
    let run = format!("SubAgent.run(\"x\", signature: \"() -> {{{fields}x :int}}\")\n");
    let agent = "a = SubAgent.new(prompt: \"x\", signature: @sig)\n";
    let items = format!("---\nsignature: \"(a [{{{fields}x :int}}]) -> :int\"\n---\n");
    let front = format!("---\nsignature: \"() -> {{{fields}x :int}}\"\n---\n");
    let tools = format!("{{:tools {{\"t\" \"() -> {{{fields}x :int}}\"}}}}\n");
    [
        (
            HostKind::Json,
            format!(
                "{{\"signature\": \"() -> [{{{fields}x :int}}]\", \"output\": [{}{{\"x\": 1}}]}}",
                times("{\"x\": 2}, ")
            ),
        ),
        (
            HostKind::Prompt,
            front + &times("```clojure\n(return {:x 1})\n```\n"),
        ),
        (
            HostKind::Yaml,
            format!(
                "x: &a \"({fields}x :int) -> :int\"\nl:\n{}",
                times("- signature: *a\n  prompt: \"{{x}}\"\n")
            ),
        ),
        (
            HostKind::Prompt,
            items + &each("{{#a}}{{q№}}{{/a}} {{#a}}{{p№}}{{/a}}\n"),
        ),
        (
            HostKind::Elixir,
            format!(
                "def f do\n{{:ok, s}} = {run}{}end\n",
                each("s.return[\"q№\"]\ns.return[\"p№\"]\n")
            ),
        ),
        (
            HostKind::Elixir,
            format!(
                "def f do\n{{:ok, s}} = {run}{}end\n",
                each("SubAgent.run(\"x\", signature: \"(p№ :int) -> :int\", context: s)\n")
            ),
        ),
        (
            HostKind::Elixir,
            format!(
                "@sig \"() -> {{{fields}x :int}}\"\ndef f do\n{agent}{}end\n",
                each("SubAgent.run!(a).return[\"p№\"]\n")
            ),
        ),
        (HostKind::Lisp, tools + &each("(:q№ (tool/t))\n")),
    ]
}

/// Tools of functions that so many declarations concern: imports, the fields of a type, the keys of a head, modules.
fn declared(count: usize) -> [String; 6] {
    let all = |unit: &str| -> String {
        let numbers = 0..count;
        numbers
            .map(|it| unit.replace(NUMBER, &it.to_string()))
            .collect()
    };
    let agents = |tool: &str| {
        all(&format!(
            "SubAgent.new(prompt: \"x\", tools: %{{\"a\" => {tool}}})\n"
        ))
    };
    let typed = |end: &str| {
        let fields = all("p№: integer(), ");
        let functions = all("@spec f№(t(), integer()) :: t()\ndef f№(a, b№), do: a\n");
        format!(
            "@type t :: %{{{fields}z: {end}}}\n{functions}{}",
            agents("&f№/2")
        )
    };
    let head = format!("def f(%{{{}\"z\" => z}}), do: z\n", all("\"p№\" => p№, "));
    let bodies = [
        all("import A№\n") + &agents("&f№/1"),
        typed("integer()"),
        typed("pid()"),
        format!("{head}{}", agents("{&f/1, \"(q№ :int) -> :int\"}")),
        head + &agents("&f/1"),
        all("alias B№.SubAgent\n") + &agents("&f№/1"),
    ];
    bodies.map(|body| format!("defmodule A do\n{body}end\n"))
}

/// The bytes that are allocated to open `text`, and to follow 24 keys at places apart that are typed faster than that.
fn burst(kind: HostKind, text: &str) -> (usize, usize) {
    let mut workspace = Workspace::default();
    let file = workspace.new_file(Origin::Nowhere);
    let region = Region::new(ALLOCATOR);
    workspace.open(file, kind, text);
    let opened = region.change().bytes_allocated;
    let keys: Vec<usize> = (0..24).map(|key| key * 7 % 24).collect();
    let region = Region::new(ALLOCATOR);
    workspace.change(file, keys, |text, key| {
        let at = u32::from(text.len()) / 25 * (key as u32 + 1);
        TextEdit::insert(text.line_range(at.into()).start(), "{")
    });
    (opened, region.change().bytes_allocated)
}

/// A single test, because all allocations in the meantime count.
#[test]
fn twice_the_text_is_twice_the_work() {
    let mut faults = Vec::new();
    // One-time initialization happens here.
    work(HostKind::Elixir, "x");
    for (units, around) in [
        (SIGNATURES, AROUND_SIGNATURES),
        (TEMPLATES, AROUND_TEMPLATES),
    ] {
        for &(kind, before, after) in around {
            faults.extend(
                units
                    .iter()
                    .filter_map(|unit| fault(kind, before, unit, after)),
            );
        }
    }
    for &(kind, before, units, after) in DOCUMENTS {
        faults.extend(
            units
                .iter()
                .filter_map(|unit| fault(kind, before, unit, after)),
        );
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    for ((kind, short), (_, long)) in wide(250).into_iter().zip(wide(500)) {
        let (short, long) = (work(kind, &short).0, work(kind, &long).0);
        assert!(
            long * 10 <= short * 22 + SLACK * 10,
            "{kind:?} with a wide type: {short} bytes, doubled {long}"
        );
    }
    for (short, long) in declared(250).into_iter().zip(declared(500)) {
        let begin = short[..60].to_owned();
        let (short, long) = (
            work(HostKind::Elixir, &short).0,
            work(HostKind::Elixir, &long).0,
        );
        assert!(
            long * 10 <= short * 22 + SLACK * 10,
            "{begin:?}: {short} bytes, doubled {long}"
        );
    }
    for unit in CLOSED {
        let text = format!(
            "defmodule A do\ndef f(%{{a: a}}), do: a\nSubAgent.run(\"x\", signature: \"() -> :int\")\n{}end\n",
            repeated(unit, 20 * LENGTH)
        );
        let kept = kept_closed(HostKind::Elixir, &text);
        assert!(
            kept <= MOST_KEPT_CLOSED * text.len() + SLACK,
            "{unit:?}: {} bytes of text, closed it keeps {kept}",
            text.len()
        );
    }
    let front = "---\nsignature: \"(a :int) -> {b :int}\"\n---\n```clojure\n";
    let text = format!("{front}{}", repeated(PROGRAMS, LONG));
    let closed = kept_closed(HostKind::Prompt, &text);
    let (_, open) = work(HostKind::Prompt, &text);
    assert!(
        4 * closed <= 3 * open,
        "open, a prompt keeps {open} bytes, closed {closed}"
    );
    let sample = repeated("\"k№\": [1, {\"a\": 2}], ", 1 << 20);
    let text = format!("{{\"signature\": \"(x :int) -> :int\", \"input\": {{{sample}}}}}");
    let kept = kept_closed(HostKind::Json, &text);
    assert!(
        kept <= MOST_KEPT_CLOSED * text.len() + SLACK,
        "{} bytes of JSON, closed they keep {kept}",
        text.len()
    );
    for unit in ENTRIES {
        let text = repeated(unit, 1 << 20);
        let most = most_at_once(|note| {
            catalog_in_stretches(&text, TextSize::from(1 << 16), &mut |_| {
                note();
                Some(TextSize::from(1 << 16))
            });
        });
        assert!(
            most <= MOST_ONCE * text.len() + STRETCH,
            "{unit:?}: {} bytes of text, read once it takes {most}",
            text.len()
        );
    }
    let text = repeated("(tool/t№ {:y data/b№})\n", 1 << 20);
    let most = most_at_once(|note| {
        let program = Stretches::of(&text).expect("a program of many calls");
        let roles = Roles::default();
        program.find_each(roles.of(Notation::Lisp), 0, &mut |_| {
            note();
            true
        });
    });
    assert!(
        most <= MOST_OF_TREE * text.len() + STRETCH,
        "{} bytes of a program, read once they take {most}",
        text.len()
    );
    let text = repeated("(def d№ (tool/t {:y 1}))\n(tool/t {:y d№})\n", 1 << 20);
    let most = most_at_once(|note| {
        let mut program = Stretches::of(&text).expect("a program of many calls");
        let roles = Roles::default();
        program.read_each(roles.of(Notation::Lisp), &mut |_| true);
        program.find_each(roles.of(Notation::Lisp), 0, &mut |_| {
            note();
            true
        });
    });
    assert!(
        most <= MOST_OF_TREE * text.len() + STRETCH,
        "{} bytes of definitions, read once they take {most}",
        text.len()
    );
    for (kind, text) in webs() {
        let (opened, typed) = burst(kind, &text);
        assert!(
            typed < 6 * opened,
            "{kind:?}: {opened} bytes, for 24 keys {typed}"
        );
    }
    // An alias is short, whatever it stands for.
    for items in [100, 250, 15_000] {
        let list = "1, ".repeat(items);
        let agents = "  - signature: \"(a [:int]) -> :int\"\n    context: {a: *big}\n".repeat(400);
        let text = format!("big: &big [{list}]\nagents:\n{agents}");
        let (_, kept) = work(HostKind::Yaml, &text);
        assert!(
            kept <= MOST_KEPT * text.len() + SLACK,
            "{items} items: {} bytes of text, it keeps {kept}",
            text.len()
        );
    }
    // What has too many entries is refused before it is parsed.
    let catalog = "f(\n".repeat(MOST_UNITS + 1);
    let (bytes, _) = work(HostKind::Catalog, &catalog);
    assert!(bytes < 8 * catalog.len(), "{bytes} bytes");
}
