//! Files of every host with a signature every twelve lines, and the keys that change their structure.

/// A kind of file.
pub struct Host {
    pub name: &'static str,
    pub uri: &'static str,
    head: &'static str,
    /// Twelve lines; `%` is their number.
    block: &'static str,
    tail: &'static str,
    /// The text that is typed at the start of the middle block.
    pub keys: &'static [&'static str],
}

macro_rules! signature {
    () => {
        "(user {name :string, mail :string?}, count :int) -> {greeting :string, tags [:keyword]}"
    };
}

pub static HOSTS: [Host; 7] = [
    Host {
        name: "Elixir",
        uri: "file:///project/lib/agents.ex",
        head: "defmodule Shop.Agents do\n",
        block: concat!(
            "  @doc \"Answers question %.\"\n  def answer_%(user, count) do\n    # looks things up\n    key = {:answer, \
             count, \"part-#{user.name}\"}\n    SubAgent.run(\n      \"Greet {{user.name}}, who has {{count}} orders.\",\n      \
             signature: \"",
            signature!(),
            "\",\n      context: %%{user: user, count: count}\n    )\n    |> Result.unwrap!(key)\n  end\n\n"
        ),
        tail: "end\n",
        keys: &["x", "\"", "(", " do ", "\"\"\""],
    },
    Host {
        name: "Clojure",
        uri: "file:///project/src/agents.clj",
        head: "",
        block: concat!(
            "(defn answer-%\n  {:signature \"",
            signature!(),
            "\"\n   :prompt \"Greet {{user.name}}, who has {{count}} orders.\"}\n  [user count]\n  (let [a (inc count)\n        \
             b (str a (:name user))]\n    (when (pos? a)\n      (println b)\n      (-> user (assoc :x a) (dissoc :name)))\n    \
             (map inc [1 2 3])\n    b))\n\n"
        ),
        tail: "",
        keys: &["x", "\"", "("],
    },
    Host {
        name: "Markdown",
        uri: "file:///project/guide.md",
        head: "",
        block: concat!(
            "# Question %\n\nSome words about it, and some more of them here.\n\n```elixir\nSubAgent.run(\n  \
             \"Greet {{user.name}}, who has {{count}} orders.\",\n  signature: \"",
            signature!(),
            "\")\n```\n\nMore words, with `code`.\n\n"
        ),
        tail: "",
        keys: &["x", "```\n", "> "],
    },
    Host {
        name: "YAML",
        uri: "file:///project/agents.yaml",
        head: "",
        block: concat!(
            "answer_%:\n  signature: \"",
            signature!(),
            "\"\n  prompt: \"Greet {{user.name}}, who has {{count}} orders.\"\n  model: x\n  retries: 3\n  tags:\n    - a\n    \
             - b\n  nested:\n    k: 1.5\n    # c\n\n"
        ),
        tail: "",
        keys: &["x", "\"", "["],
    },
    Host {
        name: "JSON",
        uri: "file:///project/agents.json",
        head: "[\n",
        block: concat!(
            "  {\n    \"id\": %,\n    \"signature\": \"",
            signature!(),
            "\",\n    \"prompt\": \"Greet {{user.name}}, who has {{count}} orders.\",\n    \"tags\": [\n      \"a\",\n      \
             \"b\"\n    ],\n    \"nested\": {\n      \"k\": 1.5\n    }\n  },\n"
        ),
        tail: "  {}\n]\n",
        keys: &[" ", "\"", "{", "}", "[", "]"],
    },
    Host {
        name: "prompt",
        uri: "file:///project/greet.prompt",
        head: concat!("---\nsignature: \"", signature!(), "\"\n---\n"),
        block: "Question %: greet {{user.name}}, who has {{count}} orders.\nGreet {{user.name}}, who has {{count}} orders.\nOne.\nTwo.\n\
                Three.\nFour.\nFive.\nSix.\nSeven.\nEight.\nNine.\nTen.\n",
        tail: "",
        keys: &["x", "{{", "{{#user}}"],
    },
    Host {
        name: "catalog",
        uri: "file:///project/tools.sig",
        head: "",
        block: concat!(
            "answer_%",
            signature!(),
            "\n  Answers a question.\n  One.\n  Two.\n  Three.\n  Four.\n  Five.\n  Six.\n  Seven.\n  Eight.\n  Nine.\n\n"
        ),
        tail: "",
        keys: &["x", "(", "{"],
    },
];

/// Files in which all agents are in one list or map, or all functions or forms use each other's names. The keys are typed
/// everywhere.
pub static SHAPES: [Host; 19] = [
    Host {
        name: "Elixir, one list",
        uri: "file:///project/lib/agents.ex",
        head: "defmodule Shop.Agents do\n  @agents [\n",
        block: concat!(
            "    SubAgent.new(\n      name: \"answer_%\",\n      description: \"Answers a question\",\n      prompt: \"Greet \
             {{user.name}}, who has {{count}} orders.\",\n      signature: \"",
            signature!(),
            "\",\n      max_turns: 3,\n      tools: %%{\"search\" => {&search/1, \"(q :string) -> [:string]\"}},\n      timeout: 1_000,\n      mission_timeout: 9_000\n    ),\n\n"
        ),
        tail: "    nil\n  ]\nend\n",
        keys: &["x", "-", "\n", "\"", "'", "(", ")", "[", "{", "}", "#"],
    },
    Host {
        name: "Elixir, modules",
        uri: "file:///project/lib/shop.ex",
        head: "",
        block: "defmodule Shop.M% do\n  alias Shop.{User, Part%}\n\n  def answer_%(x) do\n    \
             PtcRunner.SubAgent.run(\"Greet {{user}}.\",\n      signature: \"(user :string) -> :any\",\n      \
             tools: %%{\"f\" => &Part%.f/1})\n  end\n\nend\n\n",
        tail: "",
        keys: &["x", "{", ")", " ", "-", "\n", ","],
    },
    Host {
        name: "Elixir, functions that are tools",
        uri: "file:///project/lib/tools.ex",
        head: "defmodule Shop.Tools do\n",
        block: concat!(
            "  @doc \"Searches %\"\n  @spec search_%(%%{q: String.t()}) :: [String.t()]\n  def search_%(%%{\"q\" => q}), do: \
             [q]\n\n  def run_%(user, count) do\n    SubAgent.run(\"Greet {{user.name}}, who has {{count}} \
             orders.\",\n      signature: \"",
            signature!(),
            "\",\n      context: %%{user: user, count: count},\n      tools: %%{\"search\" => &search_%/1}\n    )\n  end\n\n"
        ),
        tail: "end\n",
        keys: &["x", "-", ":", "(", ")", "[", "]", "{", "}", "\"", " "],
    },
    Host {
        name: "Elixir, attributes",
        uri: "file:///project/lib/answers.ex",
        head: "defmodule Shop do\n  alias PtcRunner.SubAgent\n\n",
        block: concat!(
            "  @prompt_% \"Greet {{user.name}}, who has {{count}} orders.\"\n  @signature_% \"",
            signature!(),
            "\"\n\n  def answer_%(args) do\n    SubAgent.run(@prompt_%, signature: @signature_%, context: args)\n  end\n\n  \
             @doc \"Searches.\"\n  def search_%(q), do: q\n\n  def tools_%, do: [tools: %%{\"search\" => &Shop.search_%/1}]\n\n"
        ),
        tail: "end\n",
        keys: &["x", " ", ":", ",", "{", "]"],
    },
    Host {
        name: "EDN, one vector",
        uri: "file:///project/agents.edn",
        head: "{:agents [\n",
        block: concat!(
            "  {:name \"answer-%\"\n   :signature \"",
            signature!(),
            "\"\n   :prompt \"Greet {{user.name}}, who has {{count}} orders.\"\n   :description \"Answers a question\"\n   \
             :model \"x\"\n   :retries 3\n   :tags [:a :b]\n   :nested {:k 1.5\n            :l [1 2 3]}\n   ; more\n   \
             :last true}\n\n"
        ),
        tail: "]}\n",
        keys: &["x", ":", "'", "\"", "(", ")", "[", "{"],
    },
    Host {
        name: "EDN, one map",
        uri: "file:///project/agents.edn",
        head: "{:agents {\n",
        block: concat!(
            "  :answer-%\n  {:signature \"",
            signature!(),
            "\"\n   :prompt \"Greet {{user.name}}, who has {{count}} orders.\"\n   :description \"Answers a question\"\n   \
             :model \"x\"\n   :retries 3\n   :tags [:a :b]\n   :nested {:k 1.5\n            :l [1 2 3]}\n   ; more\n   \
             :last true}\n\n"
        ),
        tail: "}}\n",
        keys: &["x", "'", ")"],
    },
    Host {
        name: "prompt, few tags",
        uri: "file:///project/greet.prompt",
        head: concat!(
            "---\nsignature: \"",
            signature!(),
            "\"\n---\nGreet {{user.name}}, who has {{count}} orders.\n"
        ),
        block: "Question %.\nOne.\nTwo.\nThree.\n\nFour.\nFive.\nSix.\nSeven.\nEight.\nNine.\n\n",
        tail: "",
        keys: &["{{! ", "{{!", "{{", "{{#user}}", "}}", "!", "{{count}}"],
    },
    Host {
        name: "prompt, programs",
        uri: "file:///project/examples.prompt",
        head: concat!(
            "---\nsignature: \"",
            signature!(),
            "\"\ntools:\n  search: \"(q :string, n :int?) -> [{title :string}]\"\n---\nGreet {{user.name}}, who has {{count}} orders.\n"
        ),
        block: "Question %.\n\n```clojure\n(let [rows (tool/search {:q \"a\"})]\n  (map :title rows))\n(tool/search {:q \"b\" \
                :n %})\n```\n\nOne.\nTwo.\nThree.\n\n",
        tail: "",
        keys: &["a", "x", ":", "(", ")", "]", "{", "}", "\"", " "],
    },
    Host {
        name: "PTC-Lisp, names",
        uri: "file:///project/items.ptc",
        head: "(defn label [x] (str (:name x)))\n",
        block: "(def items-% (tool/search {:query \"a\" :limit 3}))\n\n(def names-%\n  (map label\n       (filter (fn [x] (> \
                (:price x) 10)) items-%)))\n\n(defn best-% [a]\n  (let [b (first a)]\n    (label b)))\n\n(println (best-% \
                items-%) names-%)\n\n",
        tail: "",
        keys: &["a", "x", "-", "(", ")", "[", "]", "{", "}", "\"", " "],
    },
    Host {
        name: "YAML, one map",
        uri: "file:///project/agents.yaml",
        head: "agents:\n",
        block: concat!(
            "  answer_%:\n    signature: \"",
            signature!(),
            "\"\n    prompt: >\n      Greet {{user.name}}.\n      They have {{count}} orders.\n    tools:\n      search:\n        \
             signature: \"(q :string) -> :string\"\n        description: 'Searches'\n    model: x\n    last: true\n\n"
        ),
        tail: "",
        keys: &["x", ":", "'", "[", "{", "\"", " "],
    },
    Host {
        name: "YAML, one list under two keys",
        uri: "file:///project/agents.yaml",
        head: "kind: Agents\nspec:\n  version: 1\n  agents:\n",
        block: concat!(
            "    - name: answer_%\n      signature: \"",
            signature!(),
            "\"\n      prompt: >-\n        Greet {{user.name}}.\n        They have {{count}} orders.\n      steps:\n        - \
             run: {a: 1, b: [2, 3]}\n        - signature: \"(q :string) -> :map\"\n          nested:\n            - x\n      last: \
             true\n\n"
        ),
        tail: "",
        keys: &["x", ":", "'", "[", "{", "\"", " ", "-"],
    },
    Host {
        name: "YAML, one map under two keys",
        uri: "file:///project/agents.yaml",
        head: "kind: Agents\nspec:\n  template:\n    agents:\n",
        block: concat!(
            "      answer_%:\n        signature: \"",
            signature!(),
            "\"\n        prompt: >\n          Greet {{user.name}}.\n          They have {{count}} orders.\n        tools:\n          \
             search:\n            signature: \"(q :string) -> :string\"\n            description: 'Searches'\n        model: \
             x\n        last: true\n\n"
        ),
        tail: "",
        keys: &["x", ":", "'", "[", "{", "\"", " "],
    },
    Host {
        name: "YAML, documents",
        uri: "file:///project/agents.yaml",
        head: "",
        block: concat!(
            "---\nname: answer_%\nsignature: \"",
            signature!(),
            "\"\nprompt: |\n  Greet {{user.name}},\n  who has {{count}} orders.\ntools:\n  search: \"(q :string) -> \
             [:map]\"\ntags: [a, b]\nmodel: x\n# c\n\n"
        ),
        tail: "",
        keys: &["x", ":", "'", "[", "{", "\"", " ", "-"],
    },
    Host {
        name: "Elixir, a script",
        uri: "file:///project/agents.exs",
        head: "llm = fn _ -> {:ok, \"\"} end\nalias PtcRunner.SubAgent\n\n",
        block: concat!(
            "agent_% =\n  SubAgent.new(\n    prompt: \"Greet {{user.name}}, who has {{count}} orders.\",\n    signature: \"",
            signature!(),
            "\"\n  )\n\n{:ok, step} = SubAgent.run(agent_%, context: context(), llm: llm)\n\nIO.puts(step.return[\"greeting\"])\n\
             for tag <- step.return[\"tags\"] do\n  IO.inspect(tag)\nend\n"
        ),
        tail: "",
        keys: &["x", "-", ":", "(", ")", "[", "]", "{", "}", " "],
    },
    Host {
        name: "Elixir, tests",
        uri: "file:///project/test/agents_test.exs",
        head: "defmodule Shop.AgentsTest do\n  use ExUnit.Case\n\n",
        block: concat!(
            "  test \"greets %\", %%{llm: llm} do\n    agent = SubAgent.new(prompt: \"Greet {{user.name}}, who has {{count}} \
             orders.\", signature: \"",
            signature!(),
            "\")\n    {:ok, step} = SubAgent.run(agent, context: context(), llm: llm)\n    assert step.return[\"greeting\"] == \
             \"Hi\"\n  end\n\n  describe \"answer %\" do\n    test \"counts\" do\n      assert answer(1) == 2\n    end\n  end\n\n"
        ),
        tail: "end\n",
        keys: &["x", "# ", "#", "-", ":", "(", ")", "}", " "],
    },
    Host {
        name: "Livebook",
        uri: "file:///project/agents.livemd",
        head: "# Notebook\n\n```elixir\nMix.install([{:ptc_runner, \"~> 0.4\"}])\nalias PtcRunner.SubAgent\n```\n\n",
        block: concat!(
            "## Section %\n\n```elixir\nagent_% = SubAgent.new(\n  prompt: \"Greet {{user.name}}, who has {{count}} orders.\",\n  \
             signature: \"",
            signature!(),
            "\")\n{:ok, step} = SubAgent.run(agent_%, context: context())\nstep.return[\"greeting\"]\n```\n\nSome words about it.\n\n"
        ),
        tail: "",
        keys: &["x", "-", "'", "(", ")", "[", "]", "{", "}", "\"", " "],
    },
    Host {
        name: "Livebook, tools",
        uri: "file:///project/tools.livemd",
        head: "# Notebook\n\n```elixir\nalias PtcRunner.SubAgent\n```\n\n",
        block: concat!(
            "## Section %\n\n```elixir\nagent_% = SubAgent.new(\n  prompt: \"Greet {{user.name}}, who has {{count}} orders.\",\n  \
             tools: %%{\"search\" => &Shop.search_%/1},\n  signature: \"",
            signature!(),
            "\")\n{:ok, step} = SubAgent.run(agent_%, context: context())\n```\n\nSome words about it.\n\n"
        ),
        tail: "",
        keys: &["x", "-", "\"", "]", "{", " "],
    },
    Host {
        name: "prompt, programs without blank lines",
        uri: "file:///project/greet.prompt",
        head: concat!("---\nsignature: \"", signature!(), "\"\n---\n"),
        block: "# Example %\nGreet {{user.name}}, who has {{count}} orders.\nCall it like this:\n```clojure\n(let [n data/count]\n  \
             (return {:greeting (str n)\n           :tags [:a]}))\n```\nOr not.\n- one\n- two\nThen answer {{count}}.\n",
        tail: "",
        keys: &["x", " ", "\n", "\"", "(", ")", "-", "#"],
    },
    Host {
        name: "JSON, one object",
        uri: "file:///project/agents.json",
        head: "{\n  \"agents\": {\n",
        block: concat!(
            "    \"answer_%\": {\n      \"signature\": \"",
            signature!(),
            "\",\n      \"prompt\": \"Greet {{user.name}}, who has {{count}} orders.\",\n      \"description\": \
             \"Greets\",\n      \"tools\": {\n        \"search\": {\n          \"signature\": \"(q :string) -> \
             :string\"\n        }\n      },\n      \"retries\": 3,\n      \"on\": true\n    },\n"
        ),
        tail: "    \"last\": {}\n  }\n}\n",
        keys: &["x", "\"", "\n", "[", "]", " "],
    },
];

/// The lines of a block.
const BLOCK: usize = 12;

impl Host {
    /// A file of about `lines` lines.
    pub fn source(&self, lines: usize) -> String {
        let blocks: String = (0..lines / BLOCK)
            .map(|block| self.numbered(block))
            .collect();
        [self.head, &blocks, self.tail].concat()
    }

    /// The block with its number for each `%`, and `%` for each `%%`.
    fn numbered(&self, block: usize) -> String {
        let parts = self.block.split("%%");
        let parts = parts.map(|it| it.replace('%', &block.to_string()));
        parts.collect::<Vec<_>>().join("%")
    }

    /// The first line of the middle block of that file, from 0.
    pub fn middle(&self, lines: usize) -> usize {
        self.head.lines().count() + lines / BLOCK / 2 * BLOCK
    }

    /// The line and the column of a name in the block of `text` at `line`: in its prompt, or in a catalog in its
    /// signature.
    pub fn name_in(&self, text: &str, line: usize) -> (usize, usize) {
        let lines = text.lines().enumerate().skip(line).take(BLOCK);
        let place = |name: &str| {
            let mut lines = lines.clone();
            lines.find_map(|(line, it)| Some((line, it.find(name)? + name.len())))
        };
        let place = place("{{user.na").or_else(|| place("{na"));
        place.expect("a name in each block")
    }

    /// The offsets of the lines of that block in `text`, which is that file, and of the line after them.
    pub fn middle_starts(&self, text: &str, lines: usize) -> Vec<usize> {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
        starts.skip(self.middle(lines)).take(BLOCK + 1).collect()
    }
}
