//! Small files of other programs, without any signatures or prompts.

use signature_ls_source::host::HostKind::{self, Elixir, Json, Lisp, Markdown, Prompt, Yaml};

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
        "- pause:\n    prompt: \"Remove {{ item.0.name }} from {{ item.1 }}?\"\n",
    ),
    (
        Json,
        "{\"prompt\":\"Read {{items.0.title}} of {{name}}\",\"template\":true}",
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
        "assert %{signature: \"cast(:string, value)\"} = Docs.fetch(Foo, :cast)\nassert %{signature: \"{:map, t}\"} = Docs.x()\n",
    ),
    (
        Json,
        "[{\"signature\":\"Ash.Type.cast_input(:string, 10)\"},{\"signature\":\"new(:map, opts \\\\\\\\ [])\"},{\"signature\":\"{:datetime, _}\"}]",
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
    (
        Yaml,
        "on: workflow_dispatch\njobs:\n  a:\n    runs-on: ubuntu-latest\n    env:\n      prompt: ${{ inputs.prompt }}\n      signature: ${{ steps.sign.outputs.signature }}\n    steps:\n      - uses: a/b@v1\n        with:\n          prompt: \"Review ${{ github.event.number }} {{ x }}\"\n          tools: \"Bash(git:*),Read\"\n",
    ),
    (
        Markdown,
        "---\nname: reviewer\ndescription: Reviews code\ntools: Read, Grep, Bash\nmodel: opus\nprompt: \"Review {{}}\"\n---\nYou are a reviewer. {{ args }} {{#x}}\n",
    ),
    (
        Yaml,
        "- hosts: all\n  vars_prompt:\n    - name: pw\n      prompt: \"Password for {{ inventory_hostname }}\"\n  tasks:\n    - apt_key: {signature: \"{{ key_sig }}\"}\n",
    ),
    (
        Json,
        "{\"prompt\":\"int a[2][2] = {{1, 2}, {3, 4}};\",\"signature\":\"int f(int a, map<string,int> b)\"}",
    ),
    (
        Prompt,
        "---\nmode: agent\ntools: [\"codebase\", \"githubRepo\"]\ndescription: Generate a React form\n---\nYour goal is to generate `${input:formName}` using {{#each fields}}{{this.name}}{{/each}}.\n",
    ),
    (
        Yaml,
        "signatures:\n  - keyid: \"\"\n    signature: MEUCIQ:any==\n  - signature: [rsa, \":int\"]\n",
    ),
    (
        Markdown,
        "---\nsignature: \"func(a int) error\"\nglobs: \"*.go\"\n---\nUse {{x}} {{/y}}\n",
    ),
    (
        Yaml,
        "methods:\n  - {name: Get, signature: \"ss\", out: \"v\"}\n  - {name: All, signature: \"a{sv}\"}\n  - {name: Map, signature: \"(a{ss}i)\"}\n",
    ),
    (
        Prompt,
        "---\nmodel: googleai/gemini-1.5-pro\ninput:\n  schema:\n    name: string\n    items(array): string\n---\n{{role \"system\"}}\nHi {{#if name}}{{name}}{{else}}there{{/if}} {{>card}} {{json items}}\n",
    ),
    (
        Yaml,
        "modules:\n  qa:\n    signature: \"context: list[str], question: str -> answer: str, confidence: float\"\n    prompt: \"Given {context}, answer {question}\"\n",
    ),
    (
        Json,
        "{\"predict\":{\"signature\":\"text -> label: Literal[\\\"a\\\", \\\"b\\\"]\",\"instructions\":\"Classify.\"}}",
    ),
    (
        Elixir,
        "defmodule A.Repo do\n  def up do\n    create table(:docs) do\n      add :signature, :string\n      add :prompt, :text\n    end\n    execute \"CREATE FUNCTION f(name text, id uuid) RETURNS row\"\n  end\n  def q, do: %{signature: \"(name :text, id :uuid) -> row\", name: \"f\"}\nend\n",
    ),
    (
        Lisp,
        "{:signature \"ed25519:abc\" :prompt \"{{\" :tools {:clj \"1.11\" :map \"x\"} :deps {a/b {:mvn/version \"1\"}}}\n",
    ),
    (
        Json,
        "{\"name\":\"map\",\"signature\":\"(a -> b) -> List a -> List b\"}",
    ),
    (
        Elixir,
        "defmodule Doc do\n  @doc \"\"\"\n  signature: `(atom(), list()) -> ok`\n\n      iex> Sig.parse(\"(a)\")\n  \"\"\"\n  def a, do: %{signature: \"fun((integer()) -> boolean())\", prompt: \"1> \"}\n  @signature \"rsa:2048\"\n  @prompt \"{{\"\n  @tools %{mix: \"1.15\", list: &Enum.map/2}\nend\n",
    ),
    (
        Json,
        "{\"abi\":[{\"name\":\"transfer\",\"signature\":\"transfer(address,uint256)\"},{\"signature\":\"0xa9059cbb\"},{\"signature\":\"(uint256 id, string[] names) returns (bool)\"}]}",
    ),
    (
        Lisp,
        "(ns ffi.core)\n(def sigs {:open {:signature \"(:string, :int) :pointer\"} :map {:signature \"[:pointer :int] -> :void\"}})\n(def prompt \"user=> \")\n(call \"open\")\n",
    ),
    (
        Json,
        "{\"action\":\"opened\",\"signature\":\"sha1=deadbeef\",\"tools\":{\"gh\":\"2.40.0\",\"git\":\">=2.30\"}}",
    ),
    (
        Yaml,
        "signature: \"func (s *S) Do(ctx context.Context, m map[string]int) error\"\nprompt: \"v := [][]int{{1}, {2}}\"\n",
    ),
    (
        Yaml,
        "signature: \"(id: ID!, first: Int = 10): [User!]!\"\nprompt: \"query($id: ID!) { user(id: $id) {{ name }} }\"\n",
    ),
    (
        Json,
        "{\"signature\":\"map :: (a -> b) -> [a] -> [b]\",\"prompt\":\"ghci> :t map\"}",
    ),
    (
        Yaml,
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: {{ include \"x.name\" . }}\ndata:\n  signature: {{ .Values.signature | b64enc }}\n  prompt: {{ .Values.prompt | quote }}\n",
    ),
    (
        Markdown,
        "---\ntitle: Post\nsignature: \"{{ .Site.Author }}\"\nprompt: \"{{ partial \\\"x\\\" . }}\"\n---\n{{< figure src=\"a.png\" >}}\n{{ .Title }} {{}} {{#if}}\n",
    ),
    (
        Yaml,
        "de:\n  prompt: \"Hallo {{name}}, {{count}} neu\"\n  signature: \"Grüße, :team\"\n  tools:\n    save: Speichern\n    map: Karte\n",
    ),
    (
        Json,
        "{\"en\":{\"prompt\":\"Delete {{count}} items?\",\"signature\":\"Yours, {{sender}}\",\"tools\":{\"list\":\"List\",\"map\":\"Map :)\"}}}",
    ),
    (
        Yaml,
        "prompt: \"{% for m in messages %}{{ m.role }}: {{ m.content|trim }}{% endfor %}\"\nsignature: \"{{ signature }}\"\n",
    ),
    (
        Json,
        "{\"methods\":[{\"name\":\"open\",\"signature\":\"(Ljava/lang/String;[I)J\"},{\"name\":\"get\",\"signature\":\"()[Ljava/lang/Object;\"}]}",
    ),
    (
        Yaml,
        "signature: \"(list: List<Int>, map: Map<String, Any>) -> Unit\"\n",
    ),
    (
        Json,
        "{\"_type\":\"prompt\",\"input_variables\":[\"a\"],\"template\":\"Say {{a}}\",\"prompt\":{\"template\":\"{a} {{literal}}\"},\"tools\":[{\"name\":\"search\",\"signature\":\"search(query: str) -> str\"}]}",
    ),
    (
        Json,
        "{\"prompt\":\"Solve \\\\frac{{a}}{{b}} and box it with \\\\boxed{{answer}}\",\"signature\":\"none\"}",
    ),
    (
        Yaml,
        "prompt: \"Hello {{ user.name | default: 'x' }} {{ product.price | money }}\"\nsignature: \"{{ shop.name }}\"\n",
    ),
    (
        Yaml,
        "tools:\n  - name: add\n    description: Adds\n    fn_schema: {a: int}\n    signature: \"add(a: int, b: int) -> int\"\nprompt: \"{query_str} {{context}} {% raw %}\"\n",
    ),
    (
        Yaml,
        "signature: \"--\\nJane Doe\\nTel: 123\\n(she/her)\"\nprompt: \"[Y/n]\"\n",
    ),
    (
        Json,
        "{\"from\":\"a@b.c\",\"signature\":\"Best,\\nJ. :string quartet manager\"}",
    ),
    (
        Lisp,
        "(ns app.schema)\n(def Sig [:map [:signature :string] [:prompt {:optional true} :string] [:tools [:vector :int]]])\n(def f {:signature \"[:=> [:cat :int] :string]\"})\n(return \"x\")\n",
    ),
    (Yaml, "time: 4/4\nkey: C\nsignature: [4/4]\nprompt: \"♪\"\n"),
    (
        Json,
        "{\"template\":{\"prompt\":\"{{{html}}} {{&raw}} {{=<% %>=}}\",\"signature\":\"<%name%>\"}}",
    ),
    (
        Json,
        "{\"signature\":\"{ pkgs ? import <nixpkgs> {}, lib, ... }: pkgs.mkShell {}\",\"prompt\":\"nix-repl> \"}",
    ),
    (
        Json,
        "{\"ufunc\":\"matmul\",\"signature\":\"(n?,k),(k,m?)->(n?,m?)\"}",
    ),
    (
        Yaml,
        "signature: \"val map : ('a -> 'b) -> 'a list -> 'b list\"\n",
    ),
    (
        Yaml,
        "openapi: 3.0.0\npaths:\n  /verify:\n    post:\n      parameters:\n        - {name: signature, in: header, schema: {type: string}}\n      requestBody:\n        content:\n          application/json:\n            example: {signature: \"{id}:{ts}:int\", prompt: none}\ncomponents:\n  schemas:\n    A:\n      properties:\n        signature: {type: string}\n        prompt: {type: string, default: \"{{name}\"}\n",
    ),
    (
        Json,
        "{\"prompt\":\"PS {{cwd}}> {{\",\"tools\":{\"docker\":{\"version\":\"24\"},\"map\":\"[1,2)\"}}",
    ),
    (
        Elixir,
        "defmodule Emacs.Runner do\n  def go do\n    Lisp.run(\"(message \\\"hi\\\")\", timeout: 5)\n    Lisp.run(\"(tool/open \\\"x\\\")\")\n    SubAgent.run(\"Book a flight\", signature_validation: :maybe, tools: %{a: 1})\n    SubAgent.new(prompt: \"{{}} {{1}}\", name: \"x\")\n    %SubAgent{prompt: \"{{#if x}}y{{/if}}\"}\n  end\nend\n",
    ),
    (
        Yaml,
        "signature: |\n  -----BEGIN PGP SIGNATURE-----\n  iQEzBAABCAAdFiEE:map\n  -----END PGP SIGNATURE-----\nprompt: passphrase\n",
    ),
    (
        Elixir,
        "defmodule Plug.Sig do\n  use Plug.Builder\n  @tools %{hex: {Hex, :run}, list: \"list tools\"}\n  def init(o), do: Keyword.put(o, :signature, \"(none)\")\n  def msgs, do: [{&is_map/1, \"must be a map\"}, {&is_list/1, \"must be a list\"}]\n  def m(x), do: Enum.map(x, &{&1, \"list\"})\nend\n",
    ),
    (
        Json,
        "{\"signature\":\"rpc Get(GetRequest) returns (stream Item)\",\"tools\":[{\"name\":\"protoc\",\"version\":\"3\"}]}",
    ),
    (
        Yaml,
        "functions:\n  - name: open\n    signature: \"(file: str, mode: str = 'r') -> IO[Any]\"\n  - name: map\n    signature: \"(fn, *iterables) -> map object\"\n",
    ),
    (
        Json,
        "{\"label\":\"fetch\",\"signature\":\"(url: str, *, timeout: float | None = None) -> Response\",\"kind\":\"function\"}",
    ),
    (
        Json,
        "{\"sig\":\"(::String) -> ::Integer\",\"signature\":\"(::String name, ::Integer) -> bool\"}",
    ),
    (
        Markdown,
        "# Tool\n\n```clojure\n(ns demo)\n(tool/run \"x\")\n(data/get 1)\n```\n\n```sig\nval x : int\n```\n\n```signature\nsha256:abcdef\n```\n\n```json\n{\"signature\": \"(a, b) => a\", \"tools\": {\"a\": \"1.0\"}}\n```\n\n```yaml\nprompt: \"{{ x | y }}\"\n```\n\nUse {{ handlebars }} and `{{}}`.\n",
    ),
    (
        Yaml,
        "signature: \"(Integer id, ?name: String) -> Hash[Symbol, untyped]\"\nprompt: \"irb(main):001:0> \"\n:tools:\n  :a: :b\n",
    ),
    (
        Json,
        "{\"signature\":\"pub fn map<B, F>(self, f: F) -> Map<Self, F> where F: FnMut(Self::Item) -> B\"}",
    ),
    (
        Json,
        "{\"signature\":\"(xs: List[Int])(implicit o: Ordering[Int]): Option[Int]\"}",
    ),
    (
        Yaml,
        "prompt: \"%(!.%F{red}.%F{green})%n@%m%f $ \"\nsignature: \"$(gpg --sign)\"\ntools:\n  node: \">=18 <21\"\n  rust: \"1.75\"\n",
    ),
    (
        Json,
        "{\"signing\":{\"signature\":\"v0=a2114d57\",\"timestamp\":\"1531420618\"},\"prompt\":\"Approve {{user}} ? :thumbsup:\"}",
    ),
    (
        Lisp,
        "(ns app.spec (:require [clojure.spec.alpha :as s]))\n(s/def ::signature string?)\n(s/fdef run :args (s/cat :signature string? :prompt string?) :ret map?)\n(defn sign [{:keys [signature prompt]}] {:signature \"sha256=00\" :prompt \"Continue? [y/N]\"})\n",
    ),
    (
        Json,
        "{\"functions\":[{\"name\":\"f\",\"signature\":\"(name :text, id :uuid) -> row\"},{\"name\":\"g\",\"signature\":\"(id :serial, at :timestamp) -> void\"}]}",
    ),
    (
        Yaml,
        "query:\n  signature: \"(name :text, id :uuid) -> row\"\n  prompt: \"SELECT {{ columns }} FROM {{ table }}\"\n",
    ),
    (
        Json,
        "{\"type\":\"invoice.paid\",\"headers\":{\"stripe-signature\":\"t=1712,v1=ab12\"},\"signature\":\"v1=9f:int\",\"prompt\":null}",
    ),
    (
        Json,
        "{\"signature\":\"(_ x: Int, label y: String) -> [String: Any]\"}",
    ),
    (
        Json,
        "{\"resource\":{\"aws_lambda\":{\"f\":{\"signature\":\"${var.signature}\",\"prompt\":\"${jsonencode({a = 1})}\",\"tools\":{\"x\":\"~> 1.2\"}}}}}",
    ),
    (
        Lisp,
        "(ns build.core (:require [clojure.java.shell :as shell]))\n(tool/run \"x\")\n(tool/install {} \"y\")\n(data/load \"a.csv\")\n(ctx/init)\n(call \"init\")\n",
    ),
    (
        Lisp,
        "(ns app.ui)\n(def tools {:hammer \"Hammer\" :saw \"Saw\"})\n(tool/select :hammer)\n(tool/draw! canvas 1 2)\n",
    ),
    (
        Yaml,
        "api:\n  - signature: \"<K extends string>(key: K, map: Map<K, any>) => boolean\"\n  - signature: \"(list: string[], map?: object): void\"\n",
    ),
    (
        Elixir,
        "defmodule Crypto.Signature do\n  @moduledoc \"Signature handling: `(a :int)`.\"\n  @typedoc \"A signature, `{:ok, sig}`\"\n  @type signature :: binary()\n  @spec parse!(String.t()) :: t()\n  def parse!(s), do: s\n  def run, do: Signature.parse!(\"ed25519:beef\")\nend\n",
    ),
    (
        Elixir,
        "defmodule MyApp.Webhook do\n  def call(conn, _) do\n    \"v1=abc\" |> Signature.parse!() |> Signature.verify(conn)\n    Signature.parse \"hmac:md5\"\n    with {:ok, s} <- Signature.parse(\"t=1\"), do: s\n  end\nend\n",
    ),
    (
        Json,
        "{\"exports\":[{\"name\":\"add\",\"signature\":\"(i32, i32) -> i32\"},{\"name\":\"log\",\"signature\":\"(f64) -> ()\"},{\"name\":\"mem\",\"signature\":\"[i32] -> [i64 i64]\"}]}",
    ),
    (
        Json,
        "{\"signature\":\"[:find ?e :where [?e :user/name :string]]\"}",
    ),
    (
        Json,
        "{\"rbs\":{\"signature\":\"(Integer) -> :sym\",\"doc\":\"() -> :int_or_nil\"}}",
    ),
    (
        Json,
        "{\"signature\":\"(::String name, ?::Integer age) -> void\"}",
    ),
    (Json, "{\"signature\":\"deploy :env, :branch -> :ok\"}"),
    (
        Json,
        "{\"signature\":\"handle_call(:get, from, state) -> {:reply, :ok, state}\"}",
    ),
    (
        Json,
        "{\"signature\":\"select :id, :name from t where x = :int\"}",
    ),
    (Json, "{\"signature\":\"(a:Person)-[:KNOWS]->(b:Person)\"}"),
    (Json, "{\"signature\":\":keyword: :map: :datetime:\"}"),
    (Json, "{\"signature\":\"(x :: Int) -> (y :: String)\"}"),
    (Json, "{\"signature\":\"f : (n : Nat) -> Vect n a\"}"),
    (
        Json,
        "{\"signature\":\"{:db/ident :user/name, :db/valueType :db.type/string}\"}",
    ),
    (Yaml, "signature: \"/:int/:string\"\n"),
    (Yaml, "signature: \"GET /users/:int -> :map\"\n"),
    (
        Yaml,
        "signature: \"Cheers :keyboard: :map: (:any questions?)\"\n",
    ),
    (
        Yaml,
        "signature: \"- (void)setValue:(id)value forKey:(NSString *)key\"\n",
    ),
    (Yaml, "signature: \"proc f(a: int, b = 1): string\"\n"),
    (Yaml, "signature: \":(Int $a, Str :$b --> Bool)\"\n"),
    (Yaml, "signature: \"at: index put: value -> any\"\n"),
    (
        Yaml,
        "signature: \"{ name : String, age : Int } -> Html msg\"\n",
    ),
    (Yaml, "signature: \"?limit:int -> string -> t list\"\n"),
    (
        Yaml,
        "signature: \"(~name: string, ~age: int=?, unit) => string\"\n",
    ),
    (
        Elixir,
        "defmodule Pay.Signature do\n  def parse!(s), do: s\n  def t, do: Pay.Signature.parse!(\"v1 :any\")\nend\n",
    ),
    (
        Lisp,
        "(schema/defn f :- schema/Int [a :- schema/Str])\n{:signature \"a :- Str -> :- Int\"}\n",
    ),
    (
        Markdown,
        "```signature\n// cosign\nMEUCIQ== :sha256\n```\n\n```sig\n(x : int) -> int\n```\n",
    ),
    (
        Markdown,
        "```elixir\nSignature.parse!(\"t=1,v1=abc\")\nLisp.run(\"(car x)\")\n```\n",
    ),
];
