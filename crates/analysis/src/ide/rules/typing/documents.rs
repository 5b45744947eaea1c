//! The documents that the tests type.

use super::Typed;
use signature_ls_source::host::HostKind;

/// Typical agents, tools and programs, in every host.
#[rustfmt::skip]
pub(super) const DOCUMENTS: &[Typed] = &[
    Typed {
        kind: HostKind::Elixir,
        before: "defmodule A do\n  alias PtcRunner.{Lisp, LLMTool, Signature, SubAgent}\n\n  def one, do: SubAgent.new(prompt: \"About {{topic}}\", signature: \"(topic :string) -> :int\")\n\n",
        typed: "  @sig \"(q :string, limit :int) -> [{id :int}]\"\n  def find(llm) do\n    prompt = \"\"\"\n    Find {{q}}, {{limit}} at most.\n    \"\"\"\n    SubAgent.run(prompt, signature: @sig, llm: llm)\n  end\n",
        after: "\n  @doc \"Last.\"\n  def last, do: Signature.parse(\"(name :string) -> :int\")\nend\n",
    },
    Typed {
        kind: HostKind::Elixir,
        before: "defmodule A do\n  alias PtcRunner.{Lisp, LLMTool, Signature, SubAgent}\n\n  def one, do: SubAgent.new(prompt: \"About {{topic}}\", signature: \"(topic :string) -> :int\")\n\n",
        typed: "  def count do\n    Lisp.run(~S|(return {:n (tool/count {:q data/q})})|,\n      signature: \"(q :string) -> {n :int}\",\n      context: %{q: \"a\"},\n      tools: %{\"count\" => {&C.run/1, \"(q :string) -> :int\"}}\n    )\n  end\n",
        after: "\n  @doc \"Last.\"\n  def last, do: Signature.parse(\"(name :string) -> :int\")\nend\n",
    },
    Typed {
        kind: HostKind::Elixir,
        before: "defmodule A do\n  alias PtcRunner.{Lisp, LLMTool, Signature, SubAgent}\n\n  def one, do: SubAgent.new(prompt: \"About {{topic}}\", signature: \"(topic :string) -> :int\")\n\n",
        typed: "  def sum do\n    \"Sum {{a}} and {{b}}\"\n    |> SubAgent.run!(signature: \"(a :int, b [:int]) -> :int\", context: %{a: 1, b: [2]})\n    |> Map.get(:return)\n  end\n",
        after: "\n  @doc \"Last.\"\n  def last, do: Signature.parse(\"(name :string) -> :int\")\nend\n",
    },
    Typed {
        kind: HostKind::Elixir,
        before: "defmodule A do\n  alias PtcRunner.{Lisp, LLMTool, Signature, SubAgent}\n\n  def one, do: SubAgent.new(prompt: \"About {{topic}}\", signature: \"(topic :string) -> :int\")\n\n",
        typed: "  @doc \"\"\"\n  Parses.\n\n      iex> Signature.parse(\"(a :int) -> {b :int}\")\n      iex> SubAgent.new(prompt: \"{{a}}\", signature: \"(a :int) -> :int\")\n  \"\"\"\n  @spec parse(String.t()) :: term()\n  def parse(text), do: text\n",
        after: "\n  @doc \"Last.\"\n  def last, do: Signature.parse(\"(name :string) -> :int\")\nend\n",
    },
    Typed {
        kind: HostKind::Elixir,
        before: "defmodule A do\n  alias PtcRunner.{Lisp, LLMTool, Signature, SubAgent}\n\n  def one, do: SubAgent.new(prompt: \"About {{topic}}\", signature: \"(topic :string) -> :int\")\n\n",
        typed: "  def agent do\n    SubAgent.new(\n      prompt: ~S\"\"\"\n      {{#users}}- {{name}} of {{city}}\n      {{/users}}\n      \"\"\",\n      signature: \"(users [{name :string, city :string}]) -> {best :string}\",\n      tools: %{\n        \"judge\" => LLMTool.new(prompt: \"Is {{x}} good?\", signature: \"(x :string) -> :bool\"),\n        \"now\" => fn _ -> 1 end\n      }\n    )\n  end\n",
        after: "\n  @doc \"Last.\"\n  def last, do: Signature.parse(\"(name :string) -> :int\")\nend\n",
    },
    Typed {
        kind: HostKind::Lisp,
        before: "(def one {:signature \"(topic :string) -> :int\" :prompt \"About {{topic}}\"})\n\n",
        typed: "(defn total {:signature \"(orders [{amount :float}]) -> :float\"} [orders]\n  (reduce + (map :amount orders)))\n",
        after: "\n(defn last-one {:signature \"(a :int, b :int) -> :int\"} [a b]\n  (+ a b))\n",
    },
    Typed {
        kind: HostKind::Lisp,
        before: "(def one {:signature \"(topic :string) -> :int\" :prompt \"About {{topic}}\"})\n\n",
        typed: "(let [found (tool/search {:query \"a \\\"b\\\"\" :limit 3})\n      ids (map :id found)]\n  (doseq [id ids]\n    (tool/fetch {:id id}))\n  {:ids ids :n (count ids)})\n",
        after: "\n(defn last-one {:signature \"(a :int, b :int) -> :int\"} [a b]\n  (+ a b))\n",
    },
    Typed {
        kind: HostKind::Lisp,
        before: "(def one {:signature \"(topic :string) -> :int\" :prompt \"About {{topic}}\"})\n\n",
        typed: "(def agents\n  [{:name \"a\" :signature \"(q :string) -> {n :int}\" :prompt \"Find {{q}}\"\n    :input {:q \"x\"} :output {:n 1}}\n   {:name \"b\" :signature \"(n :int) -> :string\" :prompt \"Say {{n}}\"}])\n",
        after: "\n(defn last-one {:signature \"(a :int, b :int) -> :int\"} [a b]\n  (+ a b))\n",
    },
    Typed {
        kind: HostKind::Lisp,
        before: "(def one {:signature \"(topic :string) -> :int\" :prompt \"About {{topic}}\"})\n\n",
        typed: "(def registry\n  {:tools {\"get\" {:signature \"(id :int) -> :map\" :description \"Gets it.\"}\n           \"put\" \"(id :int, value :any) -> :bool\"}})\n\n(tool/put {:id 2 :value (tool/get {:id 1})})\n",
        after: "\n(defn last-one {:signature \"(a :int, b :int) -> :int\"} [a b]\n  (+ a b))\n",
    },
    Typed {
        kind: HostKind::Json,
        before: "{\n  \"one\": {\"signature\": \"(topic :string) -> :int\", \"prompt\": \"About {{topic}}\"},\n",
        typed: "  \"tools\": [\n    {\"name\": \"get\", \"signature\": \"(id :int) -> {name :string}\", \"description\": \"Gets.\"},\n    {\"name\": \"put\", \"signature\": \"(id :int, v :any) -> :bool\"}\n  ],\n",
        after: "  \"last\": {\"signature\": \"(name :string) -> :int\", \"prompt\": \"Hi {{name}}\"}\n}\n",
    },
    Typed {
        kind: HostKind::Json,
        before: "{\n  \"one\": {\"signature\": \"(topic :string) -> :int\", \"prompt\": \"About {{topic}}\"},\n",
        typed: "  \"agents\": {\n    \"a\": {\n      \"prompt\": \"{{#rows}}{{id}}: {{text}}\\n{{/rows}}\",\n      \"signature\": \"(rows [{id :int, text :string}]) -> {n :int}\",\n      \"examples\": [{\"input\": {\"rows\": [{\"id\": 1, \"text\": \"a\"}]}, \"output\": {\"n\": 1}}]\n    }\n  },\n",
        after: "  \"last\": {\"signature\": \"(name :string) -> :int\", \"prompt\": \"Hi {{name}}\"}\n}\n",
    },
    Typed {
        kind: HostKind::Json,
        before: "{\n  \"one\": {\"signature\": \"(topic :string) -> :int\", \"prompt\": \"About {{topic}}\"},\n",
        typed: "  \"map\": {\"get\": \"(id :int) -> :map\", \"all\": {\"tools\": {\"x\": \"() -> [:string]\"}}},\n  \"n\": [1, {\"signature\": \"{a :int, b [:float]}\", \"output\": {\"a\": 1, \"b\": [0.5]}}],\n",
        after: "  \"last\": {\"signature\": \"(name :string) -> :int\", \"prompt\": \"Hi {{name}}\"}\n}\n",
    },
    Typed {
        kind: HostKind::Yaml,
        before: "one:\n  signature: \"(topic :string) -> :int\"\n  prompt: \"About {{topic}}\"\n",
        typed: "two:\n  tools:\n    get: \"(id :int) -> {name :string}\"\n    put:\n      signature: (id :int, v :any) -> :bool\n      description: Puts it.\n",
        after: "last:\n  signature: \"(name :string) -> :int\"\n  prompt: \"Hi {{name}}\"\n",
    },
    Typed {
        kind: HostKind::Yaml,
        before: "one:\n  signature: \"(topic :string) -> :int\"\n  prompt: \"About {{topic}}\"\n",
        typed: "two:\n  - name: a\n    signature: '(rows [{id :int}]) -> {n :int}'\n    prompt: >\n      {{#rows}}\n      {{id}}\n      {{/rows}}\n    output: {n: 1}\n  - {name: b, signature: \"(n :int) -> :int\", prompt: \"Say {{n}}\"}\n",
        after: "last:\n  signature: \"(name :string) -> :int\"\n  prompt: \"Hi {{name}}\"\n",
    },
    Typed {
        kind: HostKind::Yaml,
        before: "one:\n  signature: \"(topic :string) -> :int\"\n  prompt: \"About {{topic}}\"\n",
        typed: "two: &two\n  signature: |\n    (user {name :string, age :int},\n     n :int) -> :int\n  prompt: |\n    Hi {{user.name}} of {{user.age}}\n    and {{n}}\n  input:\n    user: {name: a, age: 1}\n    n: 2\n",
        after: "last:\n  signature: \"(name :string) -> :int\"\n  prompt: \"Hi {{name}}\"\n",
    },
    Typed {
        kind: HostKind::Markdown,
        before: "# A\n\nText `{{x}}`.\n\n```signature\n(a :int) -> :int\n```\n\n",
        typed: "- item\n\n  ```clojure\n  (defn f {:signature \"(a :int) -> :int\"} [a]\n    (tool/search {:q \"x\"}))\n  ```\n\n> quote\n> ```yaml\n> signature: \"(q :string) -> :int\"\n> prompt: \"{{q}}\"\n> ```\n",
        after: "\n# B\n\n```json\n{\"signature\": \"(name :string) -> :int\", \"prompt\": \"Hi {{name}}\"}\n```\n",
    },
    Typed {
        kind: HostKind::Markdown,
        before: "# A\n\nText `{{x}}`.\n\n```signature\n(a :int) -> :int\n```\n\n",
        typed: "```elixir\niex> Signature.parse(\"(a :int) -> {b [:string]}\")\n{:ok, _}\niex> SubAgent.run(\"Go {{a}}\",\n...>   signature: \"(a :int) -> :int\")\n```\n\nAnd then:\n\n    iex> Signature.parse(\"() -> :int\")\n",
        after: "\n# B\n\n```json\n{\"signature\": \"(name :string) -> :int\", \"prompt\": \"Hi {{name}}\"}\n```\n",
    },
    Typed {
        kind: HostKind::Markdown,
        before: "# A\n\nText `{{x}}`.\n\n```signature\n(a :int) -> :int\n```\n\n",
        typed: "~~~signature\n# Users\n(user {name :string,\n       tags [:string]}) -> :bool\n\n() -> [{id :int}]\n~~~\n",
        after: "\n# B\n\n```json\n{\"signature\": \"(name :string) -> :int\", \"prompt\": \"Hi {{name}}\"}\n```\n",
    },
    Typed {
        kind: HostKind::Prompt,
        before: "",
        typed: "---\nname: rank\nsignature: |\n  (users [{name :string}], top :int) -> [{name :string}]\noutput: [{name: a}]\n---\n# Task\n\nTake {{top}} of these:\n\n{{#users}}\n- {{name}}\n{{/users}}\n{{^users}}\nNobody.\n{{/users}}\n",
        after: "",
    },
    Typed {
        kind: HostKind::Prompt,
        before: "",
        typed: "---\nsignature: (q :string) -> {n :int}\ntools:\n  search: \"(q :string) -> [:map]\"\n---\nFind {{q}}.\n\n```clojure\n(return {:n (count (tool/search {:q data/q}))})\n```\n\nBe quick: {{! no more}} done.\n",
        after: "",
    },
    Typed {
        kind: HostKind::Catalog,
        before: "# Tools\nget(id :int) -> :map\n  Gets.\n\n",
        typed: "search(\n  query :string, # what\n  limit :int?,\n  opts {sort :keyword, fields [:string]}\n) -> [{id :int, title :string}]\n  Finds items.\n\n  Sorted (by id).\n",
        after: "\nlast() -> :any\n  Last.\n",
    },
    Typed {
        kind: HostKind::Catalog,
        before: "# Tools\nget(id :int) -> :map\n  Gets.\n\n",
        typed: "now() -> :datetime\nput(id :int, value :any) -> :bool\n  Puts it.\n# more\ndelete(id :int) ->\n  {ok :bool}\n",
        after: "\nlast() -> :any\n  Last.\n",
    },
];

/// More of them, each a file.
pub(super) const FILES: &[(HostKind, &str)] = &[
    (
        HostKind::Elixir,
        include_str!("documents/program_and_tools.exs.txt"),
    ),
    (HostKind::Elixir, include_str!("documents/sigils.ex.txt")),
    (HostKind::Elixir, include_str!("documents/tests.exs.txt")),
    (HostKind::Json, include_str!("documents/nested.json.txt")),
    (HostKind::Markdown, include_str!("documents/fences.md.txt")),
    (HostKind::Markdown, include_str!("documents/chain.md.txt")),
    (
        HostKind::Yaml,
        include_str!("documents/nested_sample.yaml.txt"),
    ),
    (
        HostKind::Prompt,
        include_str!("documents/nested_sections.prompt.txt"),
    ),
];
