//! Small files of other programs, in which nothing is ours.

use signature_ls::host::HostKind::{self, Elixir, Json, Lisp, Markdown, Prompt, Yaml};

/// Webhooks, signatures of functions in other languages, templates of other engines, workflows, playbooks, charts,
/// translations, validations, schemas.
pub const FILES: &[(HostKind, &str)] = &[
    (
        Json,
        "{\"event\":\"push\",\"signature\":\"sha256=7f83\",\"payload\":{\"prompt\":\"none\"}}",
    ),
    (
        Json,
        "{\"headers\":{\"x-hub-signature\":\"sha1=abc\"},\"signature\":\"t=14,v1=52\"}",
    ),
    (
        Json,
        "{\"kind\":\"npm\",\"signature\":\"(a, b) => a + b\",\"tools\":{\"node\":\">=18\",\"npm\":\"9\"}}",
    ),
    (
        Json,
        "{\"name\":\"x\",\"version\":\"1.0.0\",\"scripts\":{\"prompt\":\"node cli.js\"},\"tools\":{\"yarn\":\"^3\"}}",
    ),
    (
        Json,
        "{\"signatures\":[{\"keyid\":\"a\",\"sig\":\"b\"}],\"signature\":\"[object Object]\"}",
    ),
    (
        Json,
        "{\"name\":\"get_weather\",\"description\":\"Get weather\",\"parameters\":{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}}},\"signature\":\"get_weather(city: string, units?: string): Promise<Weather>\"}",
    ),
    (
        Json,
        "{\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"search\",\"description\":\"d\",\"parameters\":{}}}],\"prompt\":\"Use {{tool}} to {{#if x}}y{{/if}}\"}",
    ),
    (
        Json,
        "{\"openapi\":\"3.1.0\",\"paths\":{\"/a\":{\"get\":{\"parameters\":[{\"name\":\"signature\",\"schema\":{\"type\":\"string\"},\"example\":\"{id}:{ts}\"}]}}}}",
    ),
    (
        Json,
        "{\"prompt\":\"Enter {{your name}} please\",\"default\":\"{{user.name | default: x}}\"}",
    ),
    (
        Json,
        "{\"signature\":\"fn(x: int) -> int\",\"lang\":\"python\"}",
    ),
    (
        Json,
        "{\"signature\":\"def f(a: int, b: str = \\\"x\\\") -> dict[str, Any]\",\"doc\":\"d\"}",
    ),
    (
        Json,
        "{\"label\":\"add\",\"signature\":\"(x: int, y: int) -> int\"}",
    ),
    (
        Json,
        "{\"signatures\":[{\"label\":\"foo(a: number, b: string): void\",\"parameters\":[]}],\"signature\":\"(a: number) => string\"}",
    ),
    (
        Json,
        "{\"signature\":\"(query: str, limit: int = 10) -> list[dict]\"}",
    ),
    (Json, "{\"signature\":\"(name: string, age: number)\"}"),
    (Json, "{\"signature\":\"(x: Number, y: Number) -> Number\"}"),
    (Json, "{\"signature\":\"{name: string, age: number}\"}"),
    (Json, "{\"signature\":\"(String) -> Int\"}"),
    (Json, "{\"signature\":\"[Int] -> [String]\"}"),
    (Json, "{\"signature\":\"map :: (a -> b) -> [a] -> [b]\"}"),
    (
        Json,
        "{\"signature\":\"(id integer, name text) returns boolean\"}",
    ),
    (Json, "{\"signature\":\"add(integer, integer) -> integer\"}"),
    (Json, "{\"signature\":\":erlang.term_to_binary/1\"}"),
    (Json, "{\"signature\":\"@spec run(map) :: any\"}"),
    (Json, "{\"signature\":\"#(Int, String) -> Nil\"}"),
    (
        Json,
        "{\"signature\":\"(i32, i32) -> i32\",\"type\":\"wasm\"}",
    ),
    (Json, "{\"signature\":\"(Ljava/lang/String;)V\"}"),
    (
        Json,
        "{\"signature\":\"<T extends object>(obj: T, key: keyof T) => T[keyof T]\"}",
    ),
    (
        Json,
        "{\"signature\":\"fn parse(input: &str) -> Result<Ast, ParseError>\"}",
    ),
    (
        Json,
        "{\"signature\":\"func (c *Client) Do(req *Request) (*Response, error)\"}",
    ),
    (
        Json,
        "{\"signature\":\"public static void main(String[] args)\"}",
    ),
    (
        Json,
        "{\"signature\":\"List<String> find(int id, boolean deep)\"}",
    ),
    (Json, "{\"signature\":\"(int id, string name)\"}"),
    (Json, "{\"signature\":\"(a:int,b:int)->int\"}"),
    (Json, "{\"signature\":\"Callable[[int], str]\"}"),
    (Json, "{\"signature\":\"{int, string}\"}"),
    (Json, "{\"signature\":\"(map)\"}"),
    (Json, "{\"signature\":\"[any]\"}"),
    (Json, "{\"signature\":\"(list, map) -> bool\"}"),
    (Yaml, "signature: \"(x: int) -> int\"\nlanguage: python\n"),
    (Yaml, "signature: (a, b)\nversion: 1\n"),
    (
        Yaml,
        "name: CI\non: [push]\njobs:\n  b:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.sha }}\n        env:\n          SIGNATURE: ${{ secrets.S }}\n          prompt: \"${{ inputs.prompt }}\"\n",
    ),
    (
        Yaml,
        "prompt: ${{ github.event.comment.body }}\nsignature: none\n",
    ),
    (
        Yaml,
        "- name: Ask\n  hosts: all\n  vars_prompt:\n    - name: x\n      prompt: \"Enter {{ item }}\"\n  vars:\n    signature: \"{{ lookup('file', 'sig') }}\"\n",
    ),
    (
        Yaml,
        "- hosts: web\n  tasks:\n    - debug: msg=\"{{ ansible_host }}\"\n      vars: {prompt: \"{{ prompt_text }} [y/N]\"}\n",
    ),
    (
        Yaml,
        "apiVersion: v1\nkind: ConfigMap\ndata:\n  signature: {{ .Values.sig | quote }}\n  prompt: \"{{ .Values.prompt }}\"\n",
    ),
    (
        Yaml,
        "{{- if .Values.x }}\nsignature: \"{{ include \"a.b\" . }}\"\n{{- end }}\nprompt: {{ tpl .Values.p $ }}\n",
    ),
    (
        Yaml,
        "en:\n  prompt: \"Hello, %{name}\"\n  signature: \"Regards, %{team}\"\n  tools:\n    hammer: Hammer\n",
    ),
    (
        Yaml,
        "en:\n  mail:\n    signature: \"--\\nThe {{team}} team\"\n    prompt: \"Dear {{name}}, click {{link}}\"\n",
    ),
    (
        Yaml,
        "rules:\n  - id: x\n    signature: \"['a', 'b']\"\n    prompt: no\n",
    ),
    (Yaml, "signature: [a, b]\nprompt: {x: 1}\n"),
    (Yaml, "signature: {alg: rsa, value: abc}\n"),
    (Yaml, "signature: [sha256, 0abc]\n"),
    (Yaml, "signature: {}\n"),
    (Yaml, "signature: []\n"),
    (Yaml, "signature: {name: string, age: int}\n"),
    (Yaml, "signature: [string, int]\n"),
    (Yaml, "signature: [:user, :edit]\n"),
    (
        Yaml,
        "schema:\n  signature: {:name: :string, :age: :integer}\n",
    ),
    (Yaml, ":signature: :string\n:prompt: :text\n"),
    (
        Yaml,
        "columns:\n  - {name: id, type: :integer}\n  - {name: signature, type: :string}\nsignature: :string\n",
    ),
    (
        Yaml,
        "model:\n  signature: question -> answer\n  prompt: \"Answer {question}\"\n",
    ),
    (
        Yaml,
        "dspy:\n  signature: \"question: str, context: list[str] -> answer: str\"\n",
    ),
    (
        Yaml,
        "functions:\n  transfer:\n    signature: transfer(address,uint256)\n",
    ),
    (
        Yaml,
        "---\nfunctions:\n  - name: f\n    signature: \"(a: i32, b: &str) -> Option<i32>\"\n    prompt: \"x {% if y %}{% endif %}\"\n",
    ),
    (
        Elixir,
        "def changeset(c, p), do: c |> validate_length(:signature, min: 1) |> validate_format(:prompt, ~r/{{/)\n",
    ),
    (
        Elixir,
        "schema \"docs\" do\n  field :signature, :string\n  field :prompt, :string\n  field :tools, {:array, :string}\nend\n",
    ),
    (
        Elixir,
        "%{signature: \"(x)\", prompt: \"{{}}\", tools: %{a: 1, b: \"x\"}}\n",
    ),
    (
        Elixir,
        "attr :signature, :string, default: \"(none)\"\nslot :prompt\n~H\"\"\"\n<p prompt=\"{{x}}\">{@signature}</p>\n\"\"\"\n",
    ),
    (
        Elixir,
        "validate :x, {&<=/2, \"must be at most %{n}\"}\nvalidates(:y, by: {&is_binary/1, \"must be a string\"})\n",
    ),
    (
        Elixir,
        "rules = %{\"age\" => {&is_integer/1, \"must be :int\"}, \"n\" => {&valid?/1, \"expected: string\"}}\n",
    ),
    (
        Elixir,
        "NimbleOptions.new!(signature: [type: :string, doc: \"The `:string` to sign\"], prompt: [type: :string, default: \"> \"])\n",
    ),
    (
        Elixir,
        "use Vex.Struct\nvalidates :name, presence: true, format: [with: ~r/a/, message: \"bad\"]\n",
    ),
    (
        Elixir,
        "defmodule MyApp.Lisp do\n  def run(x), do: Lisp.run(x, signature: \"x y\")\n  alias MyApp.Lisp\nend\n",
    ),
    (
        Elixir,
        "alias Crypto.Signature\nSignature.parse(\"a b c\")\nSignature.parse!(\"{x\")\n",
    ),
    (
        Elixir,
        "tools = %{lookup: &Foo.bar/1, x: nil}\nFoo.run(tools: %{lookup: 1, y: :z})\n",
    ),
    (
        Elixir,
        "LangChain.Function.new!(%{name: \"x\", description: \"d\", function: fn _, _ -> \"x\" end})\nLLMChain.new!(%{prompt: \"Hi <%= @name %>\"})\n",
    ),
    (
        Elixir,
        "Mix.shell().prompt(\"Continue? {{y}}\")\nIO.gets(\"prompt: \")\n",
    ),
    (
        Elixir,
        "@signature \"HMAC\"\n@prompt \"> \"\n@tools [:a, :b]\n",
    ),
    (
        Elixir,
        "defmodule X do\n  @doc \"\"\"\n  ```json\n  {\"signature\": \"abc\"}\n  ```\n  \"\"\"\n  def f(signature: s), do: s\nend\n",
    ),
    (
        Elixir,
        "Swoosh.Email.new(signature: \"-- \\nJane\", prompt: \"{{name}}, hello\")\n",
    ),
    (
        Elixir,
        "spec = %{signature: \"(x :: integer) :: integer\", tools: [\"a\", \"b\"]}\n",
    ),
    (
        Elixir,
        "t = ~T[12:00:00]\nu = ~T\"23:59:59.001\"\nv = ~T|01:02:03|\n",
    ),
    (Elixir, "Enum.map(xs, &{&1, \"(a :string) of #{&1}\"})\n"),
    (
        Elixir,
        "%Phoenix.Token{signature: \"(x :y)\", prompt: \"{{{a}}}\"}\n",
    ),
    (
        Elixir,
        "type = {:map, signature: :string, prompt: :int}\nquery = from d in Doc, where: d.signature == ^\"x\", select: %{signature: d.signature}\n",
    ),
    (
        Elixir,
        "Application.put_env(:app, :signature, \"{a, b}\")\nconfig :app, signature: \"{sig}\", prompt: \"{{\", tools: %{\"git\" => \"2.0\"}\n",
    ),
    (
        Lisp,
        "(s/def ::signature string?)\n(s/fdef f :args (s/cat :prompt string?))\n{:signature \"[a b] -> c\" :prompt \"{{name|upper}}\"}\n",
    ),
    (
        Lisp,
        "(defn sign {:signature \"HmacSHA256\" :added \"1.0\"} [x] x)\n",
    ),
    (
        Lisp,
        "(defn f {:signature \"(string, int) -> bool\"} [a b] (tools/x a))\n",
    ),
    (
        Lisp,
        "(m/=> f [:=> [:cat :int :string] :int])\n{:signature \"[:=> [:cat :int] :int]\"}\n",
    ),
    (
        Lisp,
        "(selmer/render \"Hello {{name}} {% if x %}y{% endif %}\" {:prompt \"{{x|safe}}\"})\n",
    ),
    (Lisp, "{:signature \"[:map [:id :int] [:name :string]]\"}\n"),
    (
        Lisp,
        "(ns a (:require [tool.core :as tool]))\n(tool/x 1 2)\n(tool/y :k)\n",
    ),
    (
        Lisp,
        "{:deps {a/b {:mvn/version \"1\"}} :aliases {:x {:signature \"(-> a b)\"}}}",
    ),
    (
        Lisp,
        "{:signature (fn [x] x) :prompt \"=> \" :tools [\"a\" \"b\"]}",
    ),
    (
        Lisp,
        "(tool/search \"x\")\n(require (quote [my.tool :as tool]))\n",
    ),
    (
        Markdown,
        "# Title\n\n{{< figure src=\"a\" >}} {{% note %}}\n\n```sig\nint f(int a);\n```\n",
    ),
    (
        Markdown,
        "---\nlayout: default\nsignature: \"{{ page.sig }}\"\nprompt: \"{{ x }}\"\n---\n\n{{ content }} {% include a %}\n",
    ),
    (
        Markdown,
        "---\ntitle: Sign\nsignature: (a, b) -> c\n---\n# {{title}}\n",
    ),
    (
        Markdown,
        "---\nmode: agent\ntools: [\"codebase\", \"search\"]\ndescription: x\n---\nUse ${selection} and {{name}} `{{`\n",
    ),
    (
        Prompt,
        "---\nmode: agent\ntools: [codebase, search]\n---\nExplain ${input:name} in #file:a.ts {{\n",
    ),
    (
        Prompt,
        "---\nname: x\ndescription: y\nmodel: gpt\n---\nSay hi to {{user name}} and {{#each items}}{{this}}{{/each}}\n",
    ),
    (
        Prompt,
        "---\nmodel: googleai/gemini\ninput:\n  schema:\n    name: string\n---\nHello {{name}}! {{#if x}}{{else}}{{/if}} {{>p}} {{media url=u}}\n",
    ),
    (
        Prompt,
        "---\ninput:\n  schema:\n    q: string\noutput:\n  schema: {a: string}\n---\n{{role \"system\"}} {{history}} {{q}}\n",
    ),
    (
        Markdown,
        "```signature\n-----BEGIN PGP SIGNATURE-----\niQ==\n-----END PGP SIGNATURE-----\n```\n",
    ),
    (
        Markdown,
        "```signature\ndef f(x: int) -> int\n```\n```sig\nval x : int -> string\n```\n",
    ),
    (
        Markdown,
        "```json\n{\"signature\": \"(a: string) => void\"}\n```\n```yaml\nsignature: (x: int) -> str\n```\n",
    ),
    (
        Markdown,
        "iex> Signature.verify(\"x y\")\n:ok\n\n    iex> Foo.run(\"{{x\")\n",
    ),
    (
        Markdown,
        "$\\boxed{{answer}}$ and $\\frac{{a}}{{b}}$ `{{x}}`\n",
    ),
    (
        Markdown,
        "---\nsignature: Jane Doe <j@x.org>\nprompt: What is {{x}}?\n---\nText\n",
    ),
    (
        Markdown,
        "---\nsignature: \"(x: int, y: str) -> list[str]\"\n---\n{{ cookiecutter.name }}\n",
    ),
    (
        Json,
        "{\"prompt\": \"Translate {{text}} to {{lang}}\", \"temperature\": 1}",
    ),
    (Json, "{\"prompt\": \"int a[2][2] = {{1,2},{3,4}}; {{x}\"}"),
    (
        Json,
        "{\"prompt\": \"{{#system~}}You{{~/system}} {{gen 'x'}}\"}",
    ),
    (
        Json,
        "{\"prompt\": \"Hello {{first_name}}\", \"choices\": [\"{{a}}\", \"{{\"]}",
    ),
    (
        Yaml,
        "prompt: |\n  {{#each people}}\n  {{name}}\n  {{/each}}\n",
    ),
    (Yaml, "prompt: \"{{system}} {{user}}\"\ntemplate: jinja\n"),
    (
        Yaml,
        "template: |\n  {{prompt}}\nprompt: \"{{context}}\\n\\n{{question}}\"\n",
    ),
    (
        Lisp,
        "(call \"x\" 1)\n(call \"y\" :k)\n(return 1)\n(defn data/x [] 1)\n",
    ),
    (
        Markdown,
        "# Guide\n\n```clojure\n(tool/run \"x\")\n(tool/deploy :prod)\n(data/fetch 1)\n```\n",
    ),
    (
        Markdown,
        "```clojure\n(require '[build.tool :as tool])\n(tool/run \"x\")\n```\n\n```clojure\n(tool/run \"y\")\n```\n",
    ),
    (
        Json,
        "[{\"class\": \"Foo\", \"signature\": \"([[I)Ljava/util/List;\"}, {\"signature\": \"(Ljava/util/Map<Ljava/lang/String;Ljava/lang/Integer;>;)Z\"}]",
    ),
    (
        Json,
        "{\"exports\": {\"memcpy\": {\"signature\": \"(i32 i32 i32) -> (i32)\"}, \"f\": {\"signature\": \"[i32 i64] -> [f32]\"}}}",
    ),
    (
        Json,
        "{\"name\": \"f\", \"signature\": \"(fn: Callable[[int], str], /) -> None\", \"prompt\": \"Explain this\"}",
    ),
    (
        Yaml,
        "predictor:\n  signature: \"comment -> toxic: Literal['yes','no']\"\n  prompt: \"{question}\"\n",
    ),
    (
        Yaml,
        "blocks:\n  - type: prompt\n    prompt: \"{{ .UserName }}@{{ .HostName }}{{ if .SSH }} ssh{{ end }}\"\n",
    ),
    (
        Yaml,
        "signature: |\n  -----BEGIN PGP SIGNATURE-----\n\n  iQIzBAABCAAdFiEE:abc+/=\n  =9kAb\n  -----END PGP SIGNATURE-----\n",
    ),
    (
        Yaml,
        "mail:\n  signature: \"John: Sales, int. Relations (EU): string quartet\"\n",
    ),
    (
        Prompt,
        "---\nmode: agent\ntools: [\"codebase\", \"search/textSearch\"]\n---\nReview ${file}, use `{{`, write `{{#if x}}`. {{> partial}}\n",
    ),
    (
        Elixir,
        "defmodule H do\n  @callbacks %{\"on\" => {&__MODULE__.on/1, \"called (when :on)\"}}\n  validates :age, [{&is_integer/1, \"must be an integer\"}]\nend\n",
    ),
];
