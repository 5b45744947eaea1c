//! The same places in every host: in complete text, without the rest of the line, and without everything after.

use super::*;
use signature_ls_source::text::TextEdit;

/// A signature and a prompt in a document of some host.
struct Host {
    name: &'static str,
    kind: HostKind,
    written: fn(&str, &str) -> String,
}

fn escaped(text: &str) -> String {
    text.replace('\n', "\\n")
}

fn indented(text: &str, indent: usize) -> String {
    text.replace('\n', &format!("\n{}", " ".repeat(indent)))
}

const HOSTS: &[Host] = &[
    Host {
        name: "Elixir",
        kind: HostKind::Elixir,
        written: |signature, prompt| {
            format!(
                "defmodule A do\n  def run(x) do\n    SubAgent.run(\"{}\", signature: \"{signature}\", llm: x)\n  end\n\n  def other(y), do: y\nend\n",
                escaped(prompt)
            )
        },
    },
    Host {
        name: "a heredoc",
        kind: HostKind::Elixir,
        written: |signature, prompt| {
            format!(
                "defmodule A do\n  def run(x) do\n    SubAgent.run(\"\"\"\n    {}\n    \"\"\", signature: \"{signature}\", llm: x)\n  end\n\n  def other(y), do: y\nend\n",
                indented(prompt, 4)
            )
        },
    },
    Host {
        name: "attributes",
        kind: HostKind::Elixir,
        written: |signature, prompt| {
            format!(
                "defmodule A do\n  @signature \"{signature}\"\n  @prompt \"{}\"\n  def run(x), do: SubAgent.run(@prompt, signature: @signature, llm: x)\nend\n",
                escaped(prompt)
            )
        },
    },
    Host {
        name: "sigils",
        kind: HostKind::Elixir,
        written: |signature, prompt| {
            format!(
                "defmodule A do\n  def run(x) do\n    SubAgent.run(~S|{prompt}|, signature: ~S|{signature}|, llm: x)\n  end\nend\n"
            )
        },
    },
    Host {
        name: "Lisp",
        kind: HostKind::Lisp,
        written: |signature, prompt| {
            format!(
                "(ns a)\n(def agent {{:signature \"{signature}\"\n            :prompt \"{}\"}})\n\n(defn f [x] (inc x))\n",
                escaped(prompt)
            )
        },
    },
    Host {
        name: "a fence of Elixir",
        kind: HostKind::Markdown,
        written: |signature, prompt| {
            format!(
                "# T\n\n```elixir\nSubAgent.run(\"{}\", signature: \"{signature}\")\n```\n\nText.\n",
                escaped(prompt)
            )
        },
    },
    Host {
        name: "a fence of JSON",
        kind: HostKind::Markdown,
        written: |signature, prompt| {
            format!(
                "# T\n\n```json\n{{\"signature\": \"{signature}\", \"prompt\": \"{}\"}}\n```\n\nText.\n",
                escaped(prompt)
            )
        },
    },
    Host {
        name: "a fence of Lisp",
        kind: HostKind::Markdown,
        written: |signature, prompt| {
            format!(
                "# T\n\n```clojure\n{{:signature \"{signature}\" :prompt \"{}\"}}\n```\n\nText.\n",
                escaped(prompt)
            )
        },
    },
    Host {
        name: "a fence of YAML",
        kind: HostKind::Markdown,
        written: |signature, prompt| {
            format!(
                "# T\n\n```yaml\nsignature: \"{signature}\"\nprompt: |\n  {}\n```\n\nText.\n",
                indented(prompt, 2)
            )
        },
    },
    Host {
        name: "quoted YAML",
        kind: HostKind::Yaml,
        written: |signature, prompt| {
            format!(
                "agents:\n  one:\n    signature: \"{signature}\"\n    prompt: \"{}\"\n  two:\n    x: 1\n",
                escaped(prompt)
            )
        },
    },
    Host {
        name: "plain YAML",
        kind: HostKind::Yaml,
        written: |signature, prompt| {
            format!(
                "agents:\n  one:\n    signature: {signature}\n    prompt: |\n      {}\n  two:\n    x: 1\n",
                indented(prompt, 6)
            )
        },
    },
    Host {
        name: "JSON",
        kind: HostKind::Json,
        written: |signature, prompt| {
            format!(
                "{{\n  \"agents\": [\n    {{\"signature\": \"{signature}\", \"prompt\": \"{}\"}}\n  ]\n}}\n",
                escaped(prompt)
            )
        },
    },
    Host {
        name: "a prompt file",
        kind: HostKind::Prompt,
        written: |signature, prompt| format!("---\nsignature: \"{signature}\"\n---\n{prompt}\n"),
    },
    Host {
        name: "a prompt file without quotes",
        kind: HostKind::Prompt,
        written: |signature, prompt| format!("---\nsignature: {signature}\n---\n{prompt}\n"),
    },
];

const SIGNATURE: &str = "(user {name :string, home {city :string}}, items [{id :int, tags [:string]}], flag :bool?) -> {n :int}";

/// Places in a signature, the prompt beside it, and the expected completions.
const IN_SIGNATURES: &[(&str, &str, &[&str])] = &[
    ("(a :$0) -> :int", "{{a}}", &[":string", ":int"]),
    ("(a :st$0) -> :int", "{{a}}", &[":string"]),
    ("(a $0) -> :int", "{{a}}", &[":string", "{…}", "[…]"]),
    ("(a [{b :$0}]) -> :int", "{{a}}", &[":string"]),
    ("(a [$0]) -> :int", "{{a}}", &[":string"]),
    ("(a :int) -> :$0", "{{a}}", &[":string"]),
    ("(a :int) -> $0", "{{a}}", &[":string", "{…}"]),
    ("(a :int) $0", "{{a}}", &["->"]),
    ("$0", "{{a}}", &[":string", "(…) -> …"]),
    (
        "($0) -> :int",
        "{{#items}}{{id}}{{/items}}",
        &["items [{id :any}]"],
    ),
    ("(a :int, $0) -> :int", "{{a}} {{b}}", &["b :any"]),
    ("(a :int, us$0) -> :int", "{{a}} {{user}}", &["user :any"]),
];

/// Places in a prompt under [`SIGNATURE`], and the expected completions.
const IN_PROMPTS: &[(&str, &[&str])] = &[
    ("Hi {{$0}} x", &["user", "items", "flag"]),
    ("Hi {{$0 x", &["user", "items"]),
    ("Hi {{us$0", &["user"]),
    ("Hi {{ $0 }}", &["user"]),
    ("Hi {{user.$0}}", &["name", "home"]),
    ("Hi {{user.home.$0", &["city"]),
    ("{{#$0}}", &["items", "user", "flag"]),
    ("{{^$0", &["items"]),
    ("{{#user.$0}}", &["home"]),
    ("{{#items}}{{$0}}{{/items}}", &["id", "user"]),
    ("{{#items}}\n- {{$0\n{{/items}}", &["id"]),
    ("{{#items}}{{#tags}}{{$0}}{{/tags}}{{/items}}", &["."]),
    ("{{#items}}{{id}}{{/$0}}", &["items"]),
    ("{{#items}}{{#tags}}{{.}}{{/$0", &["tags"]),
    ("Use data/$0 now", &["data/user", "data/items"]),
    ("Use\ndata/it$0", &["data/items"]),
    ("Use metadata/$0", &["!data/user"]),
];

/// The text as it is, without the rest of the line, and without everything after.
fn unfinished(text: &str) -> [String; 3] {
    let (before, after) = text.split_once("$0").expect("a place");
    let (_, lines) = after.split_once('\n').unwrap_or_default();
    [
        text.to_owned(),
        format!("{before}$0\n{lines}"),
        format!("{before}$0"),
    ]
}

#[track_caller]
fn offers(kind: HostKind, fixture: &str, expected: &[&str]) {
    let (document, offset) = marked(kind, fixture);
    let found = completion(&document, &[], offset);
    let found = found.map(|it| it.items).unwrap_or_default();
    let labels: Vec<_> = found.iter().map(|it| it.label.as_str()).collect();
    for label in expected {
        match label.strip_prefix('!') {
            Some(label) => assert!(
                !labels.contains(&label),
                "{label}: {labels:?} in\n{fixture}"
            ),
            None => assert!(labels.contains(label), "{label}: {labels:?} in\n{fixture}"),
        }
    }
}

#[test]
fn signatures_are_completed_in_every_host() {
    for host in HOSTS {
        for (signature, prompt, expected) in IN_SIGNATURES {
            let text = (host.written)(signature, prompt);
            for text in unfinished(&text) {
                let asks_prompt = !expected[0].starts_with([':', '-']);
                let has_prompt = text.contains(&escaped(prompt)) || text.contains(prompt);
                if has_prompt || !asks_prompt {
                    offers(host.kind, &text, expected);
                }
            }
        }
    }
}

#[test]
fn prompts_are_completed_in_every_host() {
    for host in HOSTS {
        for (prompt, expected) in IN_PROMPTS {
            let text = (host.written)(SIGNATURE, prompt);
            for text in unfinished(&text) {
                // A string is a prompt if something says so.
                let is_known = host.name != "attributes" || text.contains("SubAgent");
                if text.contains(SIGNATURE) && is_known {
                    offers(host.kind, &text, expected);
                }
            }
        }
    }
}

const TOOLS: &str = "\"get_user\" => {&M.f/1, \"(user_id :int, verbose :bool?, home {zip_code :string, n :int}) -> {name :string}\"}, \"list_all\" => {&M.g/1, \"() -> [:map]\"}";

/// Writes a program into a document.
type Written = fn(&str) -> String;

/// A program beside [`TOOLS`] in a document of some host.
const PROGRAMS: &[(HostKind, Written)] = &[
    (HostKind::Lisp, |program| {
        format!(
            "{{:tools {{\"get_user\" \"(user_id :int, verbose :bool?, home {{zip_code :string, n :int}}) -> {{name :string}}\" \"list_all\" \"() -> [:map]\"}}}}\n\n{program}\n\n(defn f [x] (inc x))\n"
        )
    }),
    (HostKind::Markdown, |program| {
        format!(
            "# Doc\n\n```elixir\nLisp.run(\"1\", tools: %{{{TOOLS}}})\n```\n\nThen:\n\n```clojure\n{program}\n```\n\nText (more) here.\n"
        )
    }),
    (HostKind::Prompt, |program| {
        format!(
            "---\nsignature: '(xs [:map]) -> :any'\ntools:\n  get_user: \"(user_id :int, verbose :bool?, home {{zip_code :string, n :int}}) -> {{name :string}}\"\n  list_all: \"() -> [:map]\"\n---\nAnswer {{{{xs}}}} with:\n\n```ptc-lisp\n{program}\n```\n\nText (more) here.\n"
        )
    }),
    (HostKind::Elixir, |program| {
        let program = program.replace('"', "\\\"");
        format!(
            "defmodule A do\n  def run do\n    Lisp.run(\"{program}\", tools: %{{{TOOLS}}})\n  end\nend\n"
        )
    }),
    (HostKind::Elixir, |program| {
        format!(
            "defmodule A do\n  def run do\n    Lisp.run(~S|{program}|, tools: %{{{TOOLS}}})\n  end\nend\n"
        )
    }),
    (HostKind::Elixir, |program| {
        let program = indented(program, 4);
        format!(
            "defmodule A do\n  def run do\n    program = ~S\"\"\"\n    {program}\n    \"\"\"\n    Lisp.run(program, tools: %{{{TOOLS}}})\n  end\nend\n"
        )
    }),
];

const IN_PROGRAMS: &[(&str, &[&str])] = &[
    ("(tool/$0)", &["tool/get_user", "tool/list_all"]),
    ("(tool/get$0)", &["tool/get_user"]),
    ("(let [u (tool/$0", &["tool/get_user"]),
    ("(map (fn [x] (tool/$0)) data/xs)", &["tool/get_user"]),
    ("(tool/get_user {$0})", &[":user-id", ":verbose", ":home"]),
    ("(tool/get_user {:us$0})", &[":user-id"]),
    ("(tool/get_user {:user-id 1 :$0})", &[":home", "!:user-id"]),
    ("(tool/get_user {:user_id 1 :$0})", &[":home", "!:user-id"]),
    (
        "(tool/get_user {:user-id 1 :home {$0}})",
        &[":zip-code", ":n"],
    ),
    (
        "(tool/get_user {:user-id 1 :home {:zip-code \"x\" :$0}})",
        &[":n", "!:zip-code"],
    ),
    ("(tool/get_user :$0)", &[":user-id"]),
    ("(tool/get_user :user-id 1 :$0)", &[":home", "!:user-id"]),
    ("(tool/get_user\n  {:user-id 1\n   :$0})", &[":home"]),
    ("(tool/get_user {:user-id $0})", &["!:verbose"]),
    ("(str \"tool/$0\")", &["!tool/get_user"]),
    ("; (tool/$0)", &["!tool/get_user"]),
];

#[test]
fn programs_are_completed_in_every_host() {
    for (kind, written) in PROGRAMS {
        for (program, expected) in IN_PROGRAMS {
            let text = written(program);
            for text in unfinished(&text) {
                if text.contains("list_all") {
                    offers(*kind, &text, expected);
                }
            }
        }
    }
}

#[test]
fn keys_that_follow_are_given_too() {
    const SIGNATURE: &str = "(limit :int, user {name :string}) -> {total :int, rows [{id :int}]}";
    for (kind, before, fixture, expected) in [
        (
            HostKind::Elixir,
            "SubAgent.run(\"{{limit}}\", signature: \"",
            "\", context: %{$0, limit: 1})",
            &["user", "!limit"][..],
        ),
        (
            HostKind::Json,
            "{\"signature\": \"",
            "\", \"prompt\": \"{{limit}}\", \"input\": {\"$0\", \"limit\": 1}}",
            &["\"user\"", "!\"limit\""],
        ),
        (
            HostKind::Yaml,
            "signature: '",
            "'\nprompt: '{{limit}}'\ninput:\n  $0\n  limit: 1\n",
            &["user", "!limit"],
        ),
        (
            HostKind::Lisp,
            "{:signature \"",
            "\" :prompt \"{{limit}}\" :input {:$0 :limit 1}}",
            &[":user", "!:limit"],
        ),
        (
            HostKind::Json,
            "{\"signature\": \"",
            "\", \"prompt\": \"{{limit}}\", \"examples\": [{\"input\": {\"$0\"}, \"output\": {}}]}",
            &["\"limit\""],
        ),
        (
            HostKind::Json,
            "{\"signature\": \"",
            "\", \"prompt\": \"{{limit}}\", \"examples\": [{\"input\": {}, \"output\": {\"$0\"}}]}",
            &["\"total\""],
        ),
        (
            HostKind::Json,
            "{signature: '",
            "', prompt: '{{limit}}', input: {$0, limit: 1}}",
            &["user", "!limit"],
        ),
        (
            HostKind::Json,
            "{signature: '",
            "', prompt: '{{limit}}', 'input': {'$0', limit: 1}}",
            &["'user'", "!'limit'"],
        ),
    ] {
        offers(kind, &format!("{before}{SIGNATURE}{fixture}"), expected);
    }
    offers(
        HostKind::Lisp,
        "{:tools {\"f\" \"(a :int, b :int) -> :int\"}}\n(tool/f {:$0 :b 1})\n",
        &[":a", "!:b"],
    );
}

#[test]
fn parameters_are_offered_in_brackets_that_are_still_empty() {
    for (kind, around) in [
        (
            HostKind::Json,
            r#"{"signature": "§", "prompt": "Hi {{x}}"}"#,
        ),
        (HostKind::Yaml, "signature: \"§\"\nprompt: Hi {{x}}\n"),
        (HostKind::Yaml, "signature: §\nprompt: Hi {{x}}\n"),
        (HostKind::Lisp, r#"{:signature "§" :prompt "Hi {{x}}"}"#),
        (
            HostKind::Elixir,
            r#"SubAgent.run("Hi {{x}}", signature: "§")"#,
        ),
        (HostKind::Prompt, "---\nsignature: \"§\"\n---\nHi {{x}}\n"),
    ] {
        for signature in ["($0", "($0)"] {
            offers(kind, &around.replace('§', signature), &["x :any"]);
        }
    }
}

#[test]
fn names_of_outside_are_not_offered_in_the_element_of_a_list() {
    const TEXT: &str = "---\nsignature: '(user {name :string, tags [{id :int, $0}]}) -> :int'\n---\n{{#user.tags}}{{id}} {{user.name}}{{/user.tags}}\n";
    let (document, offset) = marked(HostKind::Prompt, TEXT);
    assert_eq!(completion(&document, &[], offset), None);
}

#[test]
fn nothing_is_offered_in_comments() {
    for fixture in [
        "f(\n  id :int, # the $0\n  b :int) -> :int\n",
        "f(\n  id :int, # the id :$0\n  b :int) -> :int\n",
        "f(\n  id :int,\n  # see id:$0\n  b :int) -> :int\n",
        "f(\n  id :int,\n#see id:$0\n  b :int) -> :int\n",
        "f(id :int) -> :int # see :$0\n",
    ] {
        let (document, offset) = marked(HostKind::Catalog, fixture);
        let found = completion(&document, &[], offset);
        assert_eq!(found, None, "{fixture}");
    }
}

#[test]
fn catalogs_and_fences_are_completed_line_by_line() {
    for (kind, fixture, expected) in [
        (HostKind::Catalog, "search(q :$0)\n", ":string"),
        (HostKind::Catalog, "search(q $0) -> :int\n", ":string"),
        (
            HostKind::Catalog,
            "search(q :int) $0\nother(a :int) -> :int\n",
            "->",
        ),
        (
            HostKind::Catalog,
            "search(q :int) -> $0\nother(a :int) -> :int\n",
            ":string",
        ),
        (
            HostKind::Catalog,
            "search(q {a :$0\nother(a :int) -> :int\n",
            ":string",
        ),
        (
            HostKind::Catalog,
            "search(\n  q :int,\n  b :$0\n) -> :int\n",
            ":string",
        ),
        (HostKind::Catalog, "f(\n  a :int\n) -> $0", ":string"),
        (HostKind::Catalog, "f(a :int)\n  -> $0\n", ":string"),
        (
            HostKind::Catalog,
            "f(\n  a $0\n\ng(a :int) -> :int\n",
            ":string",
        ),
        (HostKind::Catalog, "f(\n  a :int\n) -> {n $0", ":string"),
        (HostKind::Catalog, "f(\n  a :int\n) $0", "->"),
        (
            HostKind::Markdown,
            "- x\n\n  ```sig\n  f(\n    a :int\n  ) -> $0\n  ```\n",
            ":string",
        ),
        (
            HostKind::Markdown,
            "```signature\n(a :int, b :$0\n```\n",
            ":string",
        ),
        (
            HostKind::Markdown,
            "```signature\n(a :int) -> $0\n```\n",
            ":string",
        ),
        (HostKind::Markdown, "```signature\n(a :int) $0\n```\n", "->"),
        (HostKind::Yaml, "tools:\n  search: (q :$0\n", ":string"),
        (HostKind::Yaml, "tools:\n  search: \"(q :$0\n", ":string"),
        (
            HostKind::Json,
            "{\"tools\": {\"search\": \"(q :$0\n",
            ":string",
        ),
    ] {
        offers(kind, fixture, &[expected]);
    }
}

/// The text after accepting the first completion at `$0`, in an editor that keeps the rest of the word and in one that
/// replaces it.
fn accepted(kind: HostKind, fixture: &str) -> [String; 2] {
    let (document, offset) = marked(kind, fixture);
    let found = completion(&document, &[], offset).expect("completions");
    let text = &found.items[0].text;
    let ranges = [found.inserted(document.text(), offset), found.replaced];
    ranges.map(|range| {
        let mut accepted = document.text().rope().to_string();
        TextEdit::replace(range, text.as_str()).apply(&mut accepted);
        accepted
    })
}

#[test]
fn text_after_the_place_is_not_repeated() {
    let values = [
        (
            HostKind::Elixir,
            "SubAgent.run(\"{{limit}}\", signature: \"(limit :int) -> :int\", context: %{$})\n",
            [
                ("\"lim\" => 1", "\"limit\" => 1"),
                ("lim: 1", "limit: 1"),
                ("lim:1", "limit:1"),
                ("\"\"", "\"limit\" => "),
            ],
        ),
        (
            HostKind::Json,
            "{\"prompt\": \"{{limit}}\", \"signature\": \"(limit :int) -> :int\", \"input\": {$}}",
            [
                ("\"lim\": 1", "\"limit\": 1"),
                ("\"lim\" : 1", "\"limit\" : 1"),
                ("\"lim\"", "\"limit\": "),
                ("\"\"", "\"limit\": "),
            ],
        ),
        (
            HostKind::Yaml,
            "prompt: '{{limit}}'\nsignature: '(limit :int) -> :int'\ninput: {$}\n",
            [
                ("\"lim\": 1", "\"limit\": 1"),
                ("lim: 1", "limit: 1"),
                ("lim : 1", "limit : 1"),
                ("\"\"", "\"limit\": "),
            ],
        ),
        (
            HostKind::Lisp,
            "{:prompt \"{{limit}}\" :signature \"(limit :int) -> :int\" :input {$}}",
            [
                (":lim 1", ":limit 1"),
                (":lim  1", ":limit  1"),
                (":lim\n1", ":limit \n1"),
                (":", ":limit "),
            ],
        ),
    ];
    for (kind, around, keys) in values {
        for (before, after) in keys {
            let name = before.find("lim").map_or(1, |it| it + 3);
            let marked = format!("{}$0{}", &before[..name], &before[name..]);
            let expected = around.replace('$', after);
            for accepted in accepted(kind, &around.replace('$', &marked)) {
                assert_eq!(accepted, expected, "{marked}");
            }
        }
    }
    let signature = "SubAgent.run(\"{{topic}}\", signature: \"($) -> :int\")\n";
    for (before, after) in [("top$0 :string", "topic :string"), ("$0", "topic :any")] {
        let expected = signature.replace('$', after);
        let (head, tail) = signature.split_once('$').expect("a place");
        let accepted = accepted(HostKind::Elixir, &format!("{head}{before}{tail}"));
        assert_eq!(accepted, [expected.clone(), expected], "{before}");
    }
}

/// Places of the other kinds.
const ELSEWHERE: &[(HostKind, &str)] = &[
    (
        HostKind::Elixir,
        "SubAgent.run(\"{{x_y}}\", signature: \"(x_y :int, z :int) -> :int\", context: %{$0})\n",
    ),
    (
        HostKind::Elixir,
        "SubAgent.run(\"{{x_y}}\", signature: \"(x_y :int, z :int) -> :int\", context: %{\"$0\" => 1})\n",
    ),
    (
        HostKind::Elixir,
        "defmodule M do\n  @spec find_all(map()) :: map()\n  def find_all(q), do: q\n  def agent, do: SubAgent.new(prompt: \"a\", tools: %{\"find\" => &$0})\nend\n",
    ),
    (
        HostKind::Elixir,
        "defmodule M do\n  @spec find_all(map()) :: map()\n  def find_all(q), do: q\nend\nSubAgent.new(prompt: \"a\", tools: %{\"find\" => &M.$0})\n",
    ),
    (HostKind::Elixir, "# signature-ls: ignore $0\n"),
    (HostKind::Elixir, "# signature-ls: edition $0\n"),
    (HostKind::Elixir, "# signature-ls: $0\n"),
    (
        HostKind::Elixir,
        "agent = SubAgent.new(prompt: \"Find.\", signature: \"{full_count :int}\")\n{:ok, step} = SubAgent.run(agent)\nstep.return[\"$0\"]\n",
    ),
    (
        HostKind::Json,
        "{\"signature\": \"(x_y :int) -> :int\", \"input\": {\"$0\"}}",
    ),
    (
        HostKind::Json,
        "{signature: '(x_y :int) -> :int', input: {$0}}",
    ),
    (
        HostKind::Yaml,
        "signature: '(x_y :int) -> :int'\ninput:\n  $0\n",
    ),
    (
        HostKind::Yaml,
        "signature: '(x_y :int) -> :int'\ninput: {$0}\n",
    ),
    (
        HostKind::Lisp,
        "{:signature \"(x_y :int) -> :int\" :prompt \"{{x_y}}\" :input {$0}}",
    ),
    (
        HostKind::Markdown,
        "```sig\nget() -> {full_name :string}\n```\n\n```clojure\n(let [u (tool/get)] (:$0 u))\n```\n",
    ),
    (HostKind::Prompt, "---\nsignature: ':int'\n$0\n---\n"),
    (HostKind::Catalog, "search(q :$0\n"),
    (HostKind::Catalog, "search(q $0) -> :int\n"),
];

/// All places in complete texts.
fn places() -> Vec<(HostKind, String)> {
    let mut places = Vec::new();
    for host in HOSTS {
        let kind = host.kind;
        let signatures = IN_SIGNATURES.iter();
        places.extend(signatures.map(|(it, prompt, _)| (kind, (host.written)(it, prompt))));
        let prompts = IN_PROMPTS.iter();
        places.extend(prompts.map(|(it, _)| (kind, (host.written)(SIGNATURE, it))));
    }
    for (kind, written) in PROGRAMS {
        places.extend(IN_PROGRAMS.iter().map(|(it, _)| (*kind, written(it))));
    }
    places.extend(ELSEWHERE.iter().map(|(kind, it)| (*kind, (*it).to_owned())));
    places
}

/// Whether `filter` contains the characters of `typed` in their order, as editors compare them.
fn matches(filter: &str, typed: &str) -> bool {
    let mut rest = filter.chars();
    typed.chars().all(|c| rest.any(|it| it == c))
}

/// While a label is typed, its item stays and matches what is typed.
#[test]
fn what_is_typed_matches_its_item_in_every_host() {
    let mut count = 0;
    for (kind, fixture) in places() {
        let (document, offset) = marked(kind, &fixture);
        let Some(found) = completion(&document, &[], offset) else {
            continue;
        };
        let (_, after) = fixture.split_once("$0").expect("a place");
        let before = document
            .text()
            .slice(TextRange::up_to(found.replaced.start()));
        let least = usize::from(offset - found.replaced.start()).max(1);
        for item in &found.items {
            let ends = match item.kind {
                CompletionKind::Function => [' ', '/'],
                _ => [' '; 2],
            };
            let name = item.label.split(ends).next().unwrap_or_default();
            if !name.is_ascii() || name == "." {
                continue;
            }
            let mut typed: Vec<_> = [least, least + 1, name.len() - 1]
                .map(|it| name[..it.min(name.len() - 1)].to_owned())
                .into();
            if matches!(
                item.kind,
                CompletionKind::Parameter | CompletionKind::Field | CompletionKind::Key
            ) && !name.contains('/')
            {
                typed.push(name[..name.len() - 1].replace('_', "-"));
                typed.push(name[..name.len() - 1].replace('-', "_"));
            }
            typed.retain(|it| it.len() >= least);
            for typed in typed {
                let text = format!("{before}{typed}$0{after}");
                let (document, offset) = marked(kind, &text);
                let again = completion(&document, &[], offset).unwrap_or_else(|| panic!("{text}"));
                let again_item = again.items.iter().find(|it| it.label == item.label);
                let again_item = again_item.unwrap_or_else(|| panic!("no {name}: {text}"));
                let replaced = TextRange::new(again.replaced.start(), offset);
                let replaced = document.text().slice(replaced);
                assert!(
                    matches(&again_item.filter, &replaced),
                    "{replaced}: {again_item:?} in {text}"
                );
                count += 1;
            }
        }
    }
    assert!(count > 3_000, "{count}");
}

#[test]
fn parameters_of_a_prompt_are_no_fields_of_the_output() {
    for host in HOSTS {
        for signature in [
            "(topic :string) -> {$0}",
            "(topic :string) -> {n :int, $0}",
            "(topic :string) -> {rows [{$0}]}",
            "{$0}",
        ] {
            let text = (host.written)(signature, "Hi {{topic}} {{#rows}}{{id}}{{/rows}}");
            offers(
                host.kind,
                &text,
                &["!rows [{id :any}]", "!id :any", "!topic :any"],
            );
        }
    }
}

/// The colon belongs to the type.
#[test]
fn types_are_offered_after_a_separate_colon() {
    for host in HOSTS {
        if host.name.contains("plain") || host.name.contains("without quotes") {
            // `: ` is an error there.
            continue;
        }
        for (signature, expected) in [
            ("(topic: $0) -> :int", "(topic :string) -> :int"),
            ("(topic : $0) -> :int", "(topic :string) -> :int"),
            ("(topic: st$0) -> :int", "(topic :string) -> :int"),
        ] {
            let text = (host.written)(signature, "{{topic}}");
            let found = super::accepted(host.kind, &text, ":string");
            let (found, _) = found.unwrap_or_else(|| panic!("{text}"));
            let (document, offset) = marked(host.kind, &text);
            let items = completion(&document, &[], offset).map(|it| it.items);
            let matching = items
                .iter()
                .flatten()
                .filter(|it| matches(&it.filter, ": st"));
            assert_eq!(matching.count(), 1, "{text}");
            assert_eq!(found, (host.written)(expected, "{{topic}}"));
        }
    }
}

/// In YAML, a bracket at the start of a value begins a list or a map.
#[test]
fn brackets_that_begin_a_plain_scalar_are_quoted() {
    for (kind, before, after) in [
        (HostKind::Yaml, "prompt: a\nsignature: ", "\n"),
        (HostKind::Prompt, "---\nsignature: ", "\n---\nHi\n"),
    ] {
        let text = format!("{before}$0{after}");
        for (label, expected) in [
            ("{…}", ["\"{}\"", "\"{${1:name} ${2::string}}$0\""]),
            ("[…]", ["\"[:any]\"", "\"[${1::string}]$0\""]),
            (":int", [":int", ":int"]),
            (
                "(…) -> …",
                ["() -> :any", "(${1:name} ${2::string}) -> ${3::any}"],
            ),
        ] {
            let (plain, snippet) =
                super::accepted(kind, &text, label).unwrap_or_else(|| panic!("{text} {label}"));
            assert_eq!(
                [plain, snippet],
                expected.map(|it| format!("{before}{it}{after}"))
            );
        }
    }
    for quoted in ["signature: '$0'\n", "signature: (a :int) -> $0\n"] {
        let found = super::accepted(HostKind::Yaml, quoted, "{…}");
        assert_eq!(found.map(|it| it.0), Some(quoted.replace("$0", "{}")));
    }
}

#[test]
fn words_of_other_languages_match_the_types_that_are_meant() {
    for host in HOSTS {
        for (word, expected) in [
            ("list", &["[…]"][..]),
            ("number", &[":float", ":int"]),
            ("object", &[":map", "{…}"]),
            ("strng", &[":string"]),
        ] {
            let text = (host.written)(&format!("(a {word}$0) -> :int"), "{{a}}");
            let (document, offset) = marked(host.kind, &text);
            let found = completion(&document, &[], offset).expect("completions");
            let matching = found.items.iter().filter(|it| matches(&it.filter, word));
            let mut labels: Vec<_> = matching.map(|it| it.label.as_str()).collect();
            labels.sort_unstable();
            let mut expected = expected.to_vec();
            expected.sort_unstable();
            assert_eq!(labels, expected, "{text}");
        }
    }
}

#[test]
fn an_arrow_is_separate_from_the_parameters() {
    for (signature, expected) in [
        ("(a :int)$0", "(a :int) -> "),
        ("(a :int) $0", "(a :int) -> "),
        ("(a :int)-$0", "(a :int) -> "),
    ] {
        let text = format!("SubAgent.run(\"{{{{a}}}}\", signature: \"{signature}\")\n");
        let (after, _) = super::accepted(HostKind::Elixir, &text, "->").expect(signature);
        assert!(after.contains(&format!("\"{expected}\"")), "{after}");
    }
}

/// A tool takes one argument, and another module cannot call private functions.
#[test]
fn functions_that_cannot_be_tools_are_not_offered() {
    const FUNCTIONS: &str = "  @spec open(map()) :: map()\n  def open(q), do: q\n  @spec two(map(), map()) :: map()\n  def two(q, r), do: q\n  @spec priv(map()) :: map()\n  defp priv(q), do: q\n";
    let inside = format!(
        "defmodule A do\n{FUNCTIONS}  def agent, do: SubAgent.new(prompt: \"a\", tools: %{{\"t\" => &$0}})\nend\n"
    );
    let outside = format!(
        "defmodule A do\n{FUNCTIONS}end\nSubAgent.new(prompt: \"a\", tools: %{{\"t\" => &A.$0}})\n"
    );
    offers(HostKind::Elixir, &inside, &["open/1", "priv/1", "!two/2"]);
    offers(
        HostKind::Elixir,
        &outside,
        &["A.open/1", "!A.priv/1", "!A.two/2"],
    );
}
