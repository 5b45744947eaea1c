use expect_test::{Expect, expect};

use super::*;
use crate::ide::Settings;
use signature_ls_source::{host::HostKind, text::size};

#[track_caller]
fn check_in(edition: Edition, fixture: &str, expected: &Expect) {
    check_kind(HostKind::Prompt, edition, fixture, expected);
}

/// `$0` in a document marks the place; the hover is shown with the text of its range.
#[track_caller]
fn check_kind(kind: HostKind, edition: Edition, fixture: &str, expected: &Expect) {
    let offset = fixture.find("$0").expect("the fixture marks a place");
    let text = fixture.replacen("$0", "", 1);
    let document = Document::new(
        kind,
        &text,
        Settings {
            edition,
            ..Settings::default()
        },
    );
    let shown = match hover(&document, size(offset)) {
        Some(hover) => format!("`{}`\n{}\n", &text[hover.range], hover.markdown),
        None => "nothing\n".to_owned(),
    };
    expected.assert_eq(&shown);
}

#[track_caller]
fn check(signature: &str, prompt: &str, expected: &Expect) {
    check_in(
        Edition::V0_11,
        &format!("---\nsignature: \"{signature}\"\n---\n{prompt}\n"),
        expected,
    );
}

#[test]
fn type_words_are_explained() {
    check(
        "(limit :i$0nt?) -> :any",
        "",
        &expect![[r#"
        `:int`
        ```signature
        :int
        ```
        integer (a boolean is none)

        Examples: `42`, `-1`, `0`

        As input: `"42"` becomes `42`, with a warning.
    "#]],
    );
    check(
        "(limit :int?$0) -> :any",
        "",
        &expect![[r#"
            `?`
            `?` — may be nil, and as a field or a parameter may be left out.
        "#]],
    );
    check(
        "(at :datetime$0) -> :any",
        "",
        &expect![[r#"
        `:datetime`
        ```signature
        :datetime
        ```
        UTC date-time; on the wire ISO 8601 with an offset

        Examples: `"2026-05-03T09:14:00Z"`

        As input: a string with an offset is shifted to UTC, with a warning where it is not UTC; one without is an error.
    "#]],
    );
    check(
        "(at :nothing$0) -> :any",
        "",
        &expect![[r#"
            `:nothing`
            `:nothing` is not a type; did you mean `:string`?
        "#]],
    );
}

#[test]
fn names_show_their_types() {
    check(
        "(us$0er {name :string, tags [:string]}) -> :any",
        "",
        &expect![[r#"
            `user`
            ```signature
            user {name :string, tags [:string]}
            ```
            parameter, required
        "#]],
    );
    check(
        "(user {na$0me :string?}) -> :any",
        "",
        &expect![[r#"
        `name`
        ```signature
        name :string?
        ```
        field, may be left out
    "#]],
    );
    check(
        "() -> {_i$0ds [:int]}",
        "",
        &expect![[r#"
        `_ids`
        ```signature
        _ids [:int]
        ```
        field, required

        Firewalled until 0.10; in this edition `_` is part of the name and hides nothing.
    "#]],
    );
    check_in(
        Edition::V0_5,
        "---\nsignature: \"{_i$0ds [:int]}\"\n---\n",
        &expect![[r#"
            `_ids`
            ```signature
            _ids [:int]
            ```
            field, required

            Firewalled: hidden from prompts and from a parent's view of the tool, until edition 0.11.
        "#]],
    );
}

#[test]
fn brackets_show_what_they_hold() {
    check(
        "(user {name :string}) -> $0[{id :int}]",
        "",
        &expect![[r#"
        `[{id :int}]`
        ```signature
        [{id :int}]
        ```
        a list
    "#]],
    );
    check(
        "(user {name :string}) -> [$0{id :int}]",
        "",
        &expect![[r#"
        `{id :int}`
        ```signature
        {id :int}
        ```
        a map with these fields; other keys are allowed, except in strict mode
    "#]],
    );
    check(
        "(user {name :string}) $0-> [{id :int}]",
        "",
        &expect![[r#"
            `(user {name :string}) -> [{id :int}]`
            ```signature
            (user {name :string}) -> [{id :int}]
            ```
            A signature, edition 0.11

            <details>
            <summary>JSON Schema of the arguments</summary>

            ```json
            {
              "type": "object",
              "properties": {
                "user": {
                  "type": "object",
                  "properties": {
                    "name": {
                      "type": "string"
                    }
                  },
                  "required": [
                    "name"
                  ],
                  "additionalProperties": false
                }
              },
              "required": [
                "user"
              ],
              "additionalProperties": false
            }
            ```

            </details>

            <details>
            <summary>JSON Schema of the result</summary>

            ```json
            {
              "type": "object",
              "properties": {
                "items": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": {
                      "id": {
                        "type": "integer"
                      }
                    },
                    "required": [
                      "id"
                    ],
                    "additionalProperties": false
                  }
                }
              },
              "required": [
                "items"
              ],
              "additionalProperties": false
            }
            ```

            </details>
        "#]],
    );
}

#[test]
fn placeholders_show_their_parameter() {
    let signature =
        "(user {name :string, note :string?}, items [{id :int}], tags [:string]) -> :any";
    check(
        signature,
        "Greet {{us$0er.name}}",
        &expect![[r#"
            `user`
            ```signature
            user {name :string, note :string?}
            ```
            value of parameter `user`, required
        "#]],
    );
    check(
        signature,
        "Greet {{user.no$0te}}",
        &expect![[r#"
            `note`
            ```signature
            user.note :string?
            ```
            value of field `note` in parameter `user`, may be left out

            It may be nil when the prompt is rendered.
        "#]],
    );
    check(
        signature,
        "{{#ite$0ms}}{{id}}{{/items}}",
        &expect![[r#"
        `items`
        ```signature
        items [{id :int}]
        ```
        section over parameter `items`, required
    "#]],
    );
    check(
        signature,
        "{{#items}}{{$0id}}{{/items}}",
        &expect![[r#"
        `id`
        ```signature
        id :int
        ```
        value of the element of the section around it
    "#]],
    );
    check(
        signature,
        "{{#tags}}{{.$0}}{{/tags}}",
        &expect![[r#"
        `.`
        ```signature
        . :string
        ```
        value of the element of the section around it
    "#]],
    );
    check(
        signature,
        "Gr$0eet",
        &expect![[r#"
        nothing
    "#]],
    );
    check(
        "(meta :map) -> :any",
        "{{meta.a$0.b}}",
        &expect![[r#"
            `meta.a.b`
            ```signature
            meta :map
            ```
            value in parameter `meta`, whose keys are not known
        "#]],
    );
    check(
        signature,
        "{{us$0r}}",
        &expect![[r#"
        nothing
    "#]],
    );
}

#[test]
fn a_tool_without_a_signature_has_the_one_of_its_spec() {
    let fixture = r#"
defmodule MyApp.Search do
  @doc "Finds items."
  @spec run(String.t(), integer()) :: [%{id: integer()}]
  def run(query, limit), do: []

  def agent do
    SubAgent.new(prompt: "Go.", tools: %{"search" => &__MODULE__.r$0un/2, "other" => &other/1})
  end
end
"#;
    let offset = fixture.find("$0").expect("the fixture marks a place");
    let text = fixture.replacen("$0", "", 1);
    let document = Document::new(HostKind::Elixir, &text, Settings::default());
    let shown = hover(&document, size(offset)).expect("a hover");
    expect![[r#"
        `"search" => &__MODULE__.run/2`
        ```signature
        search(query :string, limit :int) -> [{id :int}]
          Finds items.
        ```
        from the `@spec` of `MyApp.Search.run/2`

        In the listing of tools it is 19 tokens (`o200k_base`).

        <details>
        <summary>JSON Schema of the arguments</summary>

        ```json
        {
          "type": "object",
          "properties": {
            "query": {
              "type": "string"
            },
            "limit": {
              "type": "integer"
            }
          },
          "required": [
            "query",
            "limit"
          ],
          "additionalProperties": false
        }
        ```

        </details>

        <details>
        <summary>JSON Schema of the result</summary>

        ```json
        {
          "type": "object",
          "properties": {
            "items": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "id": {
                    "type": "integer"
                  }
                },
                "required": [
                  "id"
                ],
                "additionalProperties": false
              }
            }
          },
          "required": [
            "items"
          ],
          "additionalProperties": false
        }
        ```

        </details>
    "#]]
    .assert_eq(&format!("`{}`\n{}\n", &text[shown.range], shown.markdown));
    let other = text.find("&other").expect("the other tool");
    assert_eq!(hover(&document, size(other)), None);
}

#[test]
fn entries_of_a_catalog_show_their_signatures() {
    let check =
        |fixture, expected| check_kind(HostKind::Catalog, Edition::V0_11, fixture, expected);
    check(
        "# 😀\nsea$0rch(\n  query :string, # what\n  limit :int\n) -> :map\n  Search.\n",
        &expect![[r#"
            `search`
            ```signature
            search(query :string, limit :int) -> :map
              Search.
            ```
            The signature of a tool, edition 0.11

            In the listing of tools it is 16 tokens (`o200k_base`).

            <details>
            <summary>JSON Schema of the arguments</summary>

            ```json
            {
              "type": "object",
              "properties": {
                "query": {
                  "type": "string"
                },
                "limit": {
                  "type": "integer"
                }
              },
              "required": [
                "query",
                "limit"
              ],
              "additionalProperties": false
            }
            ```

            </details>

            <details>
            <summary>JSON Schema of the result</summary>

            ```json
            {
              "type": "object"
            }
            ```

            </details>
        "#]],
    );
    check(
        "a() -> :map\nb(\n  query :string, # what\n  li$0mit :int?\n) -> :map\n",
        &expect![[r#"
            `limit`
            ```signature
            limit :int?
            ```
            parameter, may be left out
        "#]],
    );
    check(
        "a() -> :map\n  The que$0ry.\n",
        &expect![[r#"
        nothing
    "#]],
    );
    check(
        "sea$0rch\n",
        &expect![[r#"
        nothing
    "#]],
    );
}

#[test]
fn each_name_of_a_path_has_its_own_hover() {
    let signature = "(user {address {city :string?}}, items [{id :int}]) -> :any";
    check(
        signature,
        "{{user.addr$0ess.city}}",
        &expect![[r#"
        `address`
        ```signature
        user.address {city :string?}
        ```
        value of field `address` in parameter `user`, required
    "#]],
    );
    check(
        signature,
        "{{#user.address}}{{city}}{{/us$0er.address}}",
        &expect![[r#"
            `user`
            ```signature
            user {address {city :string?}}
            ```
            value of parameter `user`, required
        "#]],
    );
    check(
        signature,
        "{{#items}}{{id}}{{/it$0ems}}",
        &expect![[r#"
        `items`
        ```signature
        items [{id :int}]
        ```
        section over parameter `items`, required
    "#]],
    );
}

#[test]
fn an_unknown_type_shows_the_suggestion() {
    check(
        "(id :strin$0g2) -> :any",
        "",
        &expect![[r#"
        `:string2`
        `:string2` is not a type; did you mean `:string`?
    "#]],
    );
    check(
        "(i$0d :uuid) -> :any",
        "",
        &expect![[r#"
        `id`
        ```signature
        id :uuid
        ```
        parameter, required
    "#]],
    );
    check(
        "(id :uuid) $0-> :any",
        "",
        &expect![[r#"
        `(id :uuid) -> :any`
        ```signature
        (id :uuid) -> :any
        ```
        A signature, edition 0.11
    "#]],
    );
}

#[test]
fn an_output_does_not_say_what_is_taken_as_input() {
    check(
        "() -> :i$0nt",
        "",
        &expect![[r#"
        `:int`
        ```signature
        :int
        ```
        integer (a boolean is none)

        Examples: `42`, `-1`, `0`
    "#]],
    );
    check(
        "() -> {n [:i$0nt]}",
        "",
        &expect![[r#"
        `:int`
        ```signature
        :int
        ```
        integer (a boolean is none)

        Examples: `42`, `-1`, `0`
    "#]],
    );
}

#[test]
fn values_show_their_parameters() {
    let agent = r#"SubAgent.run("{{user.name}}",
  signature: "(user {name :string}) -> :any",
  context: %{user: %{"na$0me" => 1}})"#;
    let elixir =
        |fixture: &str, expected| check_kind(HostKind::Elixir, Edition::V0_11, fixture, expected);
    elixir(
        agent,
        &expect![[r#"
        `name`
        ```signature
        user.name :string
        ```
        field in `user`, required
    "#]],
    );
    let program = r#"Lisp.run("(return {:n data/lim$0it})",
  signature: "(limit :int?) -> {n :int}",
  context: %{limit: 1})"#;
    elixir(
        program,
        &expect![[r#"
        `limit`
        ```signature
        limit :int?
        ```
        parameter, may be left out
    "#]],
    );
    elixir(
        &program.replace("$0", "").replace("{:n", "{:n$0"),
        &expect![[r#"
            `n`
            ```signature
            n :int
            ```
            field of the output, required
        "#]],
    );
    elixir(
        "Lisp.run(\"data/lim$0it\", context: %{limit: 1})",
        &expect![[r#"
            `limit`
            `limit` — a value of the context; no signature declares it.
        "#]],
    );
}

#[test]
fn tools_show_what_a_model_sees_of_them() {
    let tools = r#"
defmodule MyApp do
  @doc "Stops it."
  @spec stop(integer()) :: :ok
  def stop(id), do: id

  def run do
    Lisp.run("(tool/search {:query \"x\"}) (tool/stop {:id 1})",
      tools: %{"search" => {&MyApp.search/1, signature: "(query :string) -> [:map]", description: "Finds it."},
        "stop" => &MyApp.stop/1})
  end
end
"#;
    for (place, expected) in [
        (
            "sea$0rch {",
            expect![[r#"
                `search`
                ```signature
                search(query :string) -> [:map]
                  Finds it.
                ```
                The signature of a tool, edition 0.11

                In the listing of tools it is 13 tokens (`o200k_base`).

                <details>
                <summary>JSON Schema of the arguments</summary>

                ```json
                {
                  "type": "object",
                  "properties": {
                    "query": {
                      "type": "string"
                    }
                  },
                  "required": [
                    "query"
                  ],
                  "additionalProperties": false
                }
                ```

                </details>

                <details>
                <summary>JSON Schema of the result</summary>

                ```json
                {
                  "type": "object",
                  "properties": {
                    "items": {
                      "type": "array",
                      "items": {
                        "type": "object"
                      }
                    }
                  },
                  "required": [
                    "items"
                  ],
                  "additionalProperties": false
                }
                ```

                </details>
            "#]],
        ),
        (
            "que$0ry \\\"",
            expect![[r#"
            `query`
            ```signature
            query :string
            ```
            parameter of the tool `search`, required
        "#]],
        ),
        (
            "st$0op {",
            expect![[r#"
                `stop`
                ```signature
                stop(id :int) -> :any
                  Stops it.
                ```
                from the `@spec` of `MyApp.stop/1`

                In the listing of tools it is 13 tokens (`o200k_base`).

                <details>
                <summary>JSON Schema of the arguments</summary>

                ```json
                {
                  "type": "object",
                  "properties": {
                    "id": {
                      "type": "integer"
                    }
                  },
                  "required": [
                    "id"
                  ],
                  "additionalProperties": false
                }
                ```

                </details>

                <details>
                <summary>JSON Schema of the result</summary>

                ```json
                {
                  "type": "object"
                }
                ```

                </details>
            "#]],
        ),
        (
            "i$0d 1",
            expect![[r#"
            `id`
            ```signature
            id :int
            ```
            parameter of the tool `stop`, required
        "#]],
        ),
        (
            "sea$0rch\" =>",
            expect![[r#"
                `search`
                ```signature
                search(query :string) -> [:map]
                  Finds it.
                ```
                The signature of a tool, edition 0.11

                In the listing of tools it is 13 tokens (`o200k_base`).

                <details>
                <summary>JSON Schema of the arguments</summary>

                ```json
                {
                  "type": "object",
                  "properties": {
                    "query": {
                      "type": "string"
                    }
                  },
                  "required": [
                    "query"
                  ],
                  "additionalProperties": false
                }
                ```

                </details>

                <details>
                <summary>JSON Schema of the result</summary>

                ```json
                {
                  "type": "object",
                  "properties": {
                    "items": {
                      "type": "array",
                      "items": {
                        "type": "object"
                      }
                    }
                  },
                  "required": [
                    "items"
                  ],
                  "additionalProperties": false
                }
                ```

                </details>
            "#]],
        ),
    ] {
        let fixture = tools.replacen(&place.replace("$0", ""), place, 1);
        check_kind(HostKind::Elixir, Edition::V0_11, &fixture, &expected);
    }
}

#[test]
fn an_agent_that_is_a_tool_shows_its_signature() {
    let text = "inner = SubAgent.new(prompt: \"{{a}}\", signature: \"(a :int) -> :map\")\nSubAgent.new(prompt: \"x\", tools: %{\"inner\" => SubAgent.as_tool(inner)})\n";
    for place in ["as_tool", "inner)})", "inner\" =>"] {
        let offset = text.find(place).expect("a place");
        let document = Document::new(HostKind::Elixir, text, Settings::default());
        let shown = hover(&document, size(offset)).expect(place);
        let entry = "```signature\ninner(a :int) -> :map\n```";
        assert!(
            shown.markdown.starts_with(entry),
            "{place}: {}",
            shown.markdown
        );
    }
}
