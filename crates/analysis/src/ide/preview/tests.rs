use expect_test::{Expect, expect};

use super::*;
use crate::{
    ide::{
        Settings, symbols,
        testing::{document, marked},
    },
    model::Edition,
};
use signature_ls_source::{host::HostKind, text::size};

fn check(kind: HostKind, fixture: &str, sample: Option<usize>, expected: Expect) {
    let (document, offset) = marked(kind, fixture);
    let preview = preview_at(&document, offset, sample).expect("an agent");
    let mut text = format!("{:?}, {} samples\n", preview.name, preview.samples);
    for part in preview.parts {
        text.push_str(&format!("## {}\n{}\n", part.kind.title(), part.text));
        for problem in part.problems {
            text.push_str(&format!("! {problem}\n"));
        }
    }
    expected.assert_eq(&text);
}

/// Agents that share literals are previewed, named and selected each by its own call.
#[test]
fn agents_that_share_a_literal_are_apart() {
    let tool = "tools: %{\"find\" => {&M.find/1, t}}";
    for shared in [
        "p = \"P {{q}}\"\none = SubAgent.new(prompt: p, signature: \"(q :int) -> :int\")\n\
         two = SubAgent.new(prompt: p, signature: \"(q :int) -> :float\")\n",
        "s = \"(q :int) -> :int\"\none = SubAgent.new(prompt: \"1 {{q}}\", signature: s)\n\
         two = SubAgent.new(prompt: \"2 {{q}}\", signature: s)\n",
        &format!(
            "t = \"(id :int) -> :map\"\none = SubAgent.new(prompt: \"1\", signature: \"() -> :int\", {tool})\n\
             two = SubAgent.new(prompt: \"2\", signature: \"() -> :float\", {tool})\n"
        ),
    ] {
        let text = format!("alias PtcRunner.SubAgent\n{shared}");
        let document = document(HostKind::Elixir, &text);
        let symbols = symbols(&document);
        for name in ["one", "two"] {
            let line = text.find(name).expect("an agent");
            let call = line + text[line..].find('(').expect("a call");
            let end = line + text[line..].find('\n').expect("a line");
            let range = TextRange::new(size(call), size(end));
            let agents: Vec<_> = symbols.iter().filter(|it| it.name == name).collect();
            let ranges: Vec<_> = agents.iter().map(|it| it.range).collect();
            assert_eq!(ranges, [range], "{text}");
            assert!(range.contains_range(agents[0].selection), "{text}");
            let mut children = agents[0].children.iter();
            assert!(children.all(|it| range.contains_range(it.range)), "{text}");
            for offset in [call + 1, call + 10, end - 1] {
                let preview = preview_at(&document, size(offset), None).expect("a preview");
                assert_eq!(preview.range, range, "{offset} {text}");
                let shown = format!("{:?}", preview.parts);
                assert!(shown.matches("find").count() <= 2, "{shown}");
            }
        }
    }
}

#[test]
fn an_agent_with_tools() {
    let text = r#"SubAgent.run("Find {{user.name}}$0 by {{topic}}.",
  signature: "(user {name :string}, topic :string) -> {count :int, on :bool?}",
  context: %{user: %{name: "Ada"}, topic: "mail"},
  tools: %{"search" => {&A.search/1, signature: "(query :string) -> [:map]", description: "Finds."}}
)"#;
    check(
        HostKind::Elixir,
        text,
        None,
        expect![[r#"
            None, 1 samples
            ## Prompt
            Find ~{data/user.name} by ~{data/topic}.
            ## Tools
            ;; === tools ===
            tool/search(query string) -> [map]  ; Finds.
            ;; Example: (tool/search {:query ...})
            ## Data
            ;; === data/ ===
            data/topic                    ; string
            data/user                     ; {name string}
            ## Expected output
            # Expected Output

            Your final answer must match this format: `{count :int, on :bool?}`

            Call `(return {:count 42, :on true})` when complete.

        "#]],
    );
    let text = text.replace("tools:", "output: :text, tools:");
    check(
        HostKind::Elixir,
        &text,
        None,
        expect![[r#"
            None, 1 samples
            ## Prompt
            Find ‹user.name :string› by ‹topic :string›.
            ## Tools
            [
              {
                "type": "function",
                "function": {
                  "name": "search",
                  "description": "Finds.",
                  "parameters": {
                    "type": "object",
                    "properties": {
                      "query": {
                        "type": "string"
                      }
                    },
                    "required": [
                      "query"
                    ]
                  }
                }
              }
            ]
            ## Data
            <context_data>
            - topic = ‹topic :string›
            - user = ‹user {name :string}›
            </context_data>
            ## Expected output
            <output_format>
            When you have the final answer, return a JSON object matching this schema:
            {
              "additionalProperties": false,
              "properties": {
                "count": {
                  "type": "integer"
                },
                "on": {
                  "type": "boolean"
                }
              },
              "required": [
                "count"
              ],
              "type": "object"
            }
            </output_format>
        "#]],
    );
    check(
        HostKind::Elixir,
        &text,
        Some(0),
        expect![[r#"
            None, 1 samples
            ## Prompt
            Find Ada by mail.
            ## Tools
            [
              {
                "type": "function",
                "function": {
                  "name": "search",
                  "description": "Finds.",
                  "parameters": {
                    "type": "object",
                    "properties": {
                      "query": {
                        "type": "string"
                      }
                    },
                    "required": [
                      "query"
                    ]
                  }
                }
              }
            ]
            ## Data
            <context_data>
            - topic = "mail"
            - user = %{name: "Ada"}
            </context_data>
            ## Expected output
            <output_format>
            When you have the final answer, return a JSON object matching this schema:
            {
              "additionalProperties": false,
              "properties": {
                "count": {
                  "type": "integer"
                },
                "on": {
                  "type": "boolean"
                }
              },
              "required": [
                "count"
              ],
              "type": "object"
            }
            </output_format>
        "#]],
    );
}

#[test]
fn a_prompt_file_with_samples() {
    let text = "---\nname: greet\nsignature: \"(names [:string]) -> [:string]\"\noutput: text\nexamples:\n  - input: {names: [Ada, Bob]}\n  - input: {nmes: 1}\n---\n{{#names}}$0{{.}} {{/names}}{{names}}\n";
    check(
        HostKind::Prompt,
        text,
        None,
        expect![[r#"
                Some("greet"), 2 samples
                ## Prompt
                ‹names :string› ‹names [:string]›

                ## Expected output
                Return a JSON array:
                (array of string)

                Example:
                ```json
                [
                  "..."
                ]
                ```
                ## JSON Schema
                {
                  "type": "object",
                  "properties": {
                    "items": {
                      "type": "array",
                      "items": {
                        "type": "string"
                      }
                    }
                  },
                  "required": [
                    "items"
                  ],
                  "additionalProperties": false
                }
            "#]],
    );
    check(
        HostKind::Prompt,
        text,
        Some(0),
        expect![[r#"
                Some("greet"), 2 samples
                ## Prompt
                {{#names}}{{.}} {{/names}}{{names}}

                ! `names` is a list or a map; the whole template is sent unexpanded.
                ## Expected output
                Return a JSON array:
                (array of string)

                Example:
                ```json
                [
                  "..."
                ]
                ```
                ## JSON Schema
                {
                  "type": "object",
                  "properties": {
                    "items": {
                      "type": "array",
                      "items": {
                        "type": "string"
                      }
                    }
                  },
                  "required": [
                    "items"
                  ],
                  "additionalProperties": false
                }
            "#]],
    );
    check(
        HostKind::Prompt,
        text,
        Some(1),
        expect![[r#"
                Some("greet"), 2 samples
                ## Prompt
                {{#names}}{{.}} {{/names}}{{names}}

                ! `.` is a list or a map; the whole template is sent unexpanded.
                ## Expected output
                Return a JSON array:
                (array of string)

                Example:
                ```json
                [
                  "..."
                ]
                ```
                ## JSON Schema
                {
                  "type": "object",
                  "properties": {
                    "items": {
                      "type": "array",
                      "items": {
                        "type": "string"
                      }
                    }
                  },
                  "required": [
                    "items"
                  ],
                  "additionalProperties": false
                }
            "#]],
    );
}

#[test]
fn a_broken_prompt_shows_what_can_be_shown() {
    let text = "{\"prompt\": \"{{#a}}$0 {{b\", \"signature\": \"(a :int, b\"}";
    check(
        HostKind::Json,
        text,
        None,
        expect![[r#"
            None, 0 samples
            ## Prompt
            {{#a}} {{b
            ! the template has syntax errors and is sent unexpanded.
            ## Tools
            ;; No tools available
            ## Data
            ;; === data/ ===
            data/a                        ; int
            data/b                        ; any
            ## Expected output
            # Expected Output

            Your final answer must match this format: `:any`

            Call `(return ...)` when complete.

        "#]],
    );
    assert_eq!(previews(&marked(HostKind::Json, "$0{}").0, None), []);
}

/// A schema is sent beside the messages only if the model answers in JSON and has no tools.
#[test]
fn what_is_not_sent_is_not_shown() {
    let kinds = |output: &str, options: &str| {
        let text = format!(
            "SubAgent.new(prompt: \"Go {{{{a}}}}\", signature: \"(a :int) -> {output}\"{options})\n"
        );
        let document = document(HostKind::Elixir, &text);
        let parts = previews(&document, None).remove(0).parts;
        let titles: Vec<_> = parts.iter().map(|it| it.kind.title()).collect();
        titles.join(", ")
    };
    assert_eq!(kinds(":string", ", output: :text"), "Prompt");
    assert_eq!(
        kinds(":string?", ", output: :text"),
        "Prompt, Expected output, JSON Schema"
    );
    assert_eq!(
        kinds("{n :int}", ", output: :text"),
        "Prompt, Expected output, JSON Schema"
    );
    assert_eq!(
        kinds("{n :int}", ""),
        "Prompt, Tools, Data, Expected output"
    );
    assert_eq!(kinds("{n :int}", ", max_turns: 1"), "Prompt");
    let tools = ", output: :text, tools: %{\"t\" => fn _ -> 1 end}";
    assert_eq!(
        kinds(":string", tools),
        "Prompt, Tools, Data, Expected output"
    );
}

/// A model that calls tools itself is sent their definitions, the inputs, and the schema of its answer in a message.
#[test]
fn a_model_that_calls_tools_is_sent_definitions() {
    let text = r#"SubAgent.run("Find {{topic}}.$0", output: :text, signature: "(topic :string) -> :string",
  context: %{topic: "mail", n: 1}, context_descriptions: %{topic: "what"},
  tools: %{"get-user" => {&A.get/1, "(id :int, deep :bool?) -> {name :string}"}, "skip" => {&A.f/1, :skip}})"#;
    check(
        HostKind::Elixir,
        text,
        Some(0),
        expect![[r#"
        None, 1 samples
        ## Prompt
        Find mail.
        ## Tools
        [
          {
            "type": "function",
            "function": {
              "name": "get_user",
              "parameters": {
                "type": "object",
                "properties": {
                  "id": {
                    "type": "integer"
                  },
                  "deep": {
                    "type": "boolean"
                  }
                },
                "required": [
                  "id"
                ]
              }
            }
          },
          {
            "type": "function",
            "function": {
              "name": "skip",
              "parameters": {
                "type": "object",
                "properties": {}
              }
            }
          }
        ]
        ## Data
        <context_data>
        - n = 1
        - topic: what = "mail"
        </context_data>
        ## Expected output
        <output_format>
        When you have the final answer, return it as plain text.
        </output_format>
    "#]],
    );
}

/// Edition 0.4 shows signatures of functions as they are written, and none of agents.
#[test]
fn programs_of_edition_0_4_are_sent_a_table_of_their_inputs() {
    let text = r#"
defmodule M do
  @doc "Of g."
  @spec g(integer()) :: integer()
  def g(n), do: n

  def agent do
    SubAgent.run("Go {{t}}", signature: "(t :string, _h :int) -> :int", context: %{t: "x", _h: 1, more: [1.5]},
      tools: %{
        "s" => {&M.h/1, "(q:string,  n :int?) ->[:int]"},
        "get_user" => {&M.h/1, signature: "(args {id :int}) -> {name :string}", description: "two\nlines"},
        "skip" => {&M.h/1, :skip},
        "agent" => SubAgent.as_tool(SubAgent.new(prompt: "Hi", signature: "() -> :int", description: "D")),
        "g" => &M.g/1,
      })
  end
end
"#;
    let settings = Settings {
        edition: Edition::V0_4,
        ..Settings::default()
    };
    let document = Document::new(HostKind::Elixir, text, settings);
    let previews = previews(&document, Some(0));
    let parts = previews[0].parts.iter();
    let shown: String = parts
        .map(|it| format!("## {}\n{}\n", it.kind.title(), it.text))
        .collect();
    expect![[r###"
        ## Prompt
        Go x
        ## Tools
        # Available Tools

        ## Tools you can call

        ### agent
        ```
        agent(args :map) -> :any
        ```
        User-defined tool. Check implementation for details.


        ### g
        ```
        ctx/g(n :int) -> :int
        ```
        Of g.
        Example: `(ctx/g {:n 10})`


        ### get_user
        ```
        ctx/get_user({id :int}) -> {name :string}
        ```
        two
        lines
        Example: `(ctx/get_user {:id 10})`


        ### s
        ```
        ctx/s(q:string,  n :int?) ->[:int]
        ```
        User-defined tool.
        Example: `(ctx/s {:q "..." :n 10})`


        ### skip
        ```
        skip(args :map) -> :any
        ```
        User-defined tool. Check implementation for details.


        ### return
        ```
        return(data :any) -> :exit-success
        ```
        Complete the mission successfully. Return the required data.


        ### fail
        ```
        fail(error {:reason :keyword, :message :string, :op :string?, :details :map?}) -> :exit-error
        ```
        Terminate with an error. Use when the mission cannot be completed.


        ## Data
        # Data Inventory

        Available in `ctx/`:

        | Key | Type | Sample |
        |-----|------|--------|
        | `ctx/_h` | `:int` | [Hidden] [Firewalled] |
        | `ctx/more` | `[:float]` | [1.5] |
        | `ctx/t` | `:string` | "x" |

        Note: Firewalled fields (prefixed with `_`) are available in your program but hidden from conversation history.
        ## Expected output
        # Expected Output

        Your final answer must match this format: `:int`

        Call `(return 42)` when complete.

    "###]].assert_eq(&shown);
}

/// The values of a call in Elixir have atoms as keys, which are shown as such.
#[test]
fn values_of_calls_are_written_as_elixir_writes_them() {
    let code = "SubAgent.run(\"{{p}}\", context: %{off: false, codes: [72, 105, 300], rows: [%{x: 100000.0, \"a b\": 1}, %{\"s\" => 1.0e20, b: 2}], user: %{}})";
    let sent = |prompt: &str, edition| {
        let settings = Settings {
            edition,
            ..Settings::default()
        };
        let text = code.replace("{{p}}", prompt);
        let document = Document::new(HostKind::Elixir, &text, settings);
        let previews = previews(&document, Some(0));
        let prompt = &previews[0].parts[0];
        format!("{} {}", prompt.text, prompt.problems.join(", "))
    };
    assert_eq!(
        sent("{{rows}}{{x}}", Edition::V0_11),
        "[%{\"a b\": 1, x: 100000.0}, %{:b => 2, \"s\" => 1.0e20}]{{x}} `x` has no value; its placeholder is sent as it is."
    );
    assert_eq!(sent("<{{off}}{{codes}}>", Edition::V0_4), "<Hi\u{12c}> ");
    let raised = sent("{{user}}", Edition::V0_4);
    assert!(raised.contains("the run raises"), "{raised}");
}

#[test]
fn the_agent_on_the_line_is_shown_beside_it() {
    let code = "a = 1\nfinder = SubAgent.new(prompt: \"Find\", signature: \":int\")\nrun(finder)\n";
    let document = document(HostKind::Elixir, code);
    let shown = |at: &str| {
        let offset = size(code.find(at).expect("a place"));
        let preview = preview_at(&document, offset, None)?;
        Some(preview.parts[0].text.clone())
    };
    assert_eq!(shown("finder ="), Some("Find".to_owned()));
    assert_eq!(shown("\nrun"), Some("Find".to_owned()));
    assert_eq!(shown("a ="), None);
    assert_eq!(shown("run("), None);
}

#[test]
fn the_agent_itself_is_listed_with_its_signature() {
    let text = r#"SubAgent.new(prompt: "Split $0{{chunk}}.", signature: "(chunk :string) -> {found [:string]}", tools: %{"worker" => :self})"#;
    let (document, offset) = marked(HostKind::Elixir, text);
    let preview = preview_at(&document, offset, None).expect("an agent");
    expect![[r#"
        ;; === tools ===
        tool/worker(chunk string) -> {found [string]}  ; Recursively invoke this agent on a subset of the input
        ;; Example: (tool/worker {:chunk ...})"#]].assert_eq(&preview.parts[1].text);
}

/// A tool without a signature takes and returns anything, however it is written.
#[test]
fn tools_without_a_signature_are_listed() {
    let text = r#"
defmodule M do
  @doc "Of f."
  def f(x), do: x
  @doc "Of g."
  @spec g(integer()) :: integer()
  def g(n), do: n

  def agent do
    SubAgent.new(prompt: "Go$0", tools: %{
      "skip" => {&M.g/1, :skip},
      "fn_skip" => {fn _ -> 1 end, :skip},
      "told" => {&M.g/1, description: "Just this"},
      "nil" => {&M.g/1, [signature: nil, description: "No more"]},
      "empty" => {&M.g/1, []},
      "fn" => fn _ -> 1 end,
      "f" => &M.f/1,
      "g" => &M.g/1,
      "wrong" => {&M.g/1, signature: "(a :strng) -> :int", description: "No type"},
      "other" => {&M.g/1, signature: text <> more},
    })
  end
end
"#;
    let (document, offset) = marked(HostKind::Elixir, text);
    let preview = preview_at(&document, offset, None).expect("an agent");
    expect![[r#"
        ;; === tools ===
        tool/empty() -> any
        tool/f() -> any  ; Of f.
        tool/fn() -> any
        tool/fn_skip() -> any
        tool/g(n int) -> int  ; Of g.
        tool/nil() -> any  ; No more
        tool/skip() -> any
        tool/told() -> any  ; Just this
        tool/wrong() -> any  ; No type
        ;; Example: (tool/g {:n ...})"#]]
    .assert_eq(&preview.parts[1].text);
}

#[test]
fn the_inputs_of_the_runs_of_an_agent_are_samples_of_it() {
    let text = r#"writer = SubAgent.new(prompt: "Write on {{topic}}.", signature: "(topic :string) -> :string", output: :text)
one = SubAgent.run(writer, context: %{topic: "rain"})
two = SubAgent.run(writer, context: %{topic: "snow"}, max_turns: 2)
other = SubAgent.run(writer, prompt: "Sing of {{topic}}.", output: :text, context: %{topic: "ice"})
alone = SubAgent.new(prompt: "Count {{n}}.", output: :text)
three = SubAgent.run(alone, context: %{n: 3})
"#;
    let document = document(HostKind::Elixir, text);
    let prompt_at = |place: &str, sample| {
        let at = text.find(place).expect("a place");
        let preview = preview_at(&document, size(at), sample).expect("an agent");
        (preview.samples, preview.parts[0].text.clone())
    };
    for place in ["writer =", "SubAgent.run(writer, context", "max_turns"] {
        assert_eq!(
            prompt_at(place, Some(0)),
            (3, "Write on rain.".to_owned()),
            "{place}"
        );
        assert_eq!(
            prompt_at(place, Some(1)),
            (3, "Write on snow.".to_owned()),
            "{place}"
        );
    }
    // Beside an agent, a prompt is ignored.
    assert_eq!(prompt_at("other", Some(2)), (3, "Write on ice.".to_owned()));
    assert_eq!(prompt_at("Count", Some(0)), (1, "Count 3.".to_owned()));
    assert_eq!(prompt_at("three", Some(0)), (1, "Count 3.".to_owned()));
    let all = previews(&document, Some(1));
    assert_eq!(all.len(), 2);
}

/// The only turn of an agent without tools has the values in its prompt, as an LLM tool does.
#[test]
fn a_prompt_that_is_sent_with_its_values_shows_them() {
    let signature = "(a :string, b :string) -> :string";
    for (call, options, expected) in [
        ("SubAgent.new", "", "~{data/a} ~{data/b}"),
        ("SubAgent.new", ", max_turns: 1", "x y"),
        (
            "SubAgent.new",
            ", max_turns: 1, tools: tools",
            "~{data/a} ~{data/b}",
        ),
        ("SubAgent.new", ", max_turns: 2", "~{data/a} ~{data/b}"),
        ("LLMTool.new", "", "x y"),
    ] {
        let text = format!(
            "{call}(prompt: \"{{{{a}}}} {{{{b}}}}\", signature: \"{signature}\", context: %{{a: \"x\", b: \"y\"}}{options})\n"
        );
        let document = document(HostKind::Elixir, &text);
        let previews = previews(&document, Some(0));
        assert_eq!(previews[0].parts[0].text, expected, "{text}");
    }
}

/// The model receives a heredoc without its margin, also where the code is quoted.
#[test]
fn a_prompt_is_the_value_of_its_literal() {
    let code = r#"SubAgent.new(signature: "(a :int) -> :int", prompt: """
    Hello {{a}}
      second \
    line #{1}
    """)
"#;
    let quoted = format!("```elixir\n{code}```\n");
    let quoted: String = quoted.lines().map(|line| format!("> {line}\n")).collect();
    for (kind, text) in [
        (HostKind::Elixir, code),
        (HostKind::Markdown, quoted.as_str()),
    ] {
        let document = Document::new(kind, text, Settings::default());
        let previews = previews(&document, None);
        assert_eq!(
            previews[0].parts[0].text, "Hello ~{data/a}\n  second line #{1}\n",
            "{text}"
        );
    }
}
