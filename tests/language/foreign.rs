//! Texts of other programs under our keys, in every host: no diagnostics, hovers or lists.

use signature_ls_analysis::ide::{Document, Settings, hover};
use signature_ls_source::{
    host::{HostDocument, HostKind, Roles},
    text::{Text, size},
};

/// What other programs write under `signature`.
const SIGNATURES: &[&str] = &[
    // Webhooks, tokens, checksums.
    "sha256=7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069",
    "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    "t=1492774577,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N",
    "ed25519:deadbeef",
    "sig1=:K2qGT5srn2OGbOIDzQ6kYT+ruaycnDAAUpKv+ePFfD0=:",
    "keyId=\\\"a\\\",algorithm=\\\"rsa-sha256\\\",headers=\\\"(request-target) date\\\"",
    "MEUCIQDx+/9k=",
    "0x1f8b0800",
    "-----BEGIN PGP SIGNATURE-----",
    "[REDACTED]",
    "[4/4]",
    "[ ]",
    "[]",
    "{}",
    "()",
    "(none)",
    "(unsigned)",
    "{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=",
    "{ 6A 40 68 00 30 00 00 }",
    "[1, 2, 3]",
    // Mails.
    "-- \\nJohn Doe\\nAcme Inc.",
    "- Jane, sent from my phone",
    "J. Doe <j@x.org>",
    ": Jane",
    // Templates.
    "{{ .Values.signature }}",
    "{{signature}}",
    "{{ item.sig | default('') }}",
    "${{ secrets.SIGNATURE }}",
    "{% include 'sig.txt' %}",
    "{name} - {title}",
    // Functions of other languages.
    "(self, x: int) -> str",
    "(self) -> None",
    "(x: int, y: str = 'a') -> dict[str, int]",
    "(*args, **kwargs)",
    "(obj, /, *, key=None)",
    "(limit: int = 10) -> list[str]",
    "def search(query: str) -> list",
    "()V",
    "(Ljava/lang/String;I)Z",
    "([B)V",
    "[Ljava/lang/Object;",
    "(i32) -> ()",
    "(i32, i64) -> (f32)",
    "(param i32) (result i32)",
    "() => void",
    "list(:a, :b) -> :any",
    "get :user, :id -> :ok",
    "name :: string -> :: int",
    "greet(name) -> :ok",
    "f(x :: Int) -> Int",
    "(a: string, b?: number) => boolean",
    "(x: number): string",
    "<T>(items: T[]) => T",
    "{ a: string; b: number }",
    "[string, number]",
    "(number) -> number",
    "(number)->number",
    "(string) -> string",
    "func(a int) error",
    "func (s *Server) Get(ctx context.Context, id string) (*User, error)",
    "fn foo(a: i32) -> Result<(), Error>",
    "(&self, x: &str) -> bool",
    ":: Int -> Int -> Int",
    "(a -> b) -> [a] -> [b]",
    "Int -> Maybe String",
    "[Int] -> Int",
    "(Int, String) -> Bool",
    "(Integer, ?limit: Integer) -> Array[String]",
    "() -> void",
    "(String name, int age)",
    "(string $a, int $b): bool",
    "(?string $x): ?array",
    "(a :: integer) :: integer",
    "start_link(opts \\\\\\\\ []) :: GenServer.on_start()",
    "(atom(), list()) -> ok | {error, term()}",
    "(id: ID!): User",
    "query($id: ID!) { user(id: $id) { name } }",
    "(integer, text) -> boolean",
    "(name, :asc)",
    "[:user, :edit]",
    ":ok",
    ":rsa",
    ":smile:",
    "{:ok, term}",
    "{:array, :string}",
    "[:=> [:cat :int :string] :int]",
    "[:map [:a :int] [:b :string]]",
    "[:vector :int]",
    "{:name => :string, :age => :int}",
    "v24@0:8@16",
    "a{sv}",
    "- (void)setName:(NSString *)name",
    "transfer(address,uint256)",
    "std::vector<int>(int a, int b)",
    "int main(int argc, char **argv)",
    "procedure Foo(const A: Integer): Boolean;",
    "(x: Int): Int",
    "(defn f [x] (:int x))",
    "val map : ('a -> 'b) -> 'a list -> 'b list",
    // DSPy.
    "question -> answer",
    "question: str -> answer: str",
    "context, question -> answer: list[str]",
    "question, context: list[str] -> answer: bool, score: float",
    // Versions.
    ">=1.2.0 <2.0.0",
    "[1.0,2.0)",
    "(,1.0]",
    "~> 1.2",
    "^3.4",
    "=1.2.3",
    // Prose.
    "",
    "string",
    "Signed by the author",
    "The signature: see below (PDF)",
    "=========",
    "---",
    "→ next page",
];

/// What other programs write under `prompt`.
const PROMPTS: &[&str] = &[
    "Do you want to continue? [y/N]",
    "$ ",
    "\\\\u@\\\\h:\\\\w\\\\$ ",
    "%n@%m %# ",
    "Enter your name:",
    "iex(%counter)>",
    "{{#if user}}Hi {{user}}{{else}}Hi{{/if}}",
    "{{#each items}}- {{this}}{{/each}}",
    "{{> header}} {{name}}",
    "{{{raw}}}",
    "{{ name | upper }}",
    "{% if a %}{{ a }}{% endif %}",
    "{{- range .Items }}{{ .Name }}{{ end }}",
    "{{ .Values.prompt }}",
    "{{ greet(name) }}",
    "{{@index}} {{../name}}",
    "\\\\boxed{{answer}}",
    "\\\\frac{{a}}{{b}}",
    "int a[2][2] = {{1, 2}, {3, 4}};",
    "[]point{{1, 2}, {3, 4}}",
    "struct s x = {{0}};",
    "Return {{\\\"key\\\": 1}}",
    "Write {{}} where it is empty",
    "Use {{1}} and {{2}}",
    "Escape `{{` as `\\\\{{`",
    "{{",
    "A set {{ of braces",
    "{{< figure src=a >}}",
    "{{role \\\"system\\\"}} Hi",
    "${input:name} and ${selection}",
    "#file:a.ts explain @workspace",
];

/// What other programs write as names in `tools`.
const TOOLS: &[&str] = &[
    ">=1.2",
    "[1.0,2.0)",
    "(1.0,2.0]",
    "^1.18.0",
    "latest",
    "bash -c 'echo {a}'",
    "{version}",
    "[core] 3",
    "mcp://search",
    "(deprecated)",
    ":latest",
    "search(query)",
    "() => run()",
    "(args: object) => Promise<void>",
    "=> next",
    "-v",
];

/// The text with `value`, which is escaped as in JSON, in every host that has keys.
fn hosts(key: &str, value: &str) -> Vec<(HostKind, String)> {
    vec![
        (
            HostKind::Json,
            format!("{{\"id\": 1, \"{key}\": \"{value}\"}}"),
        ),
        (
            HostKind::Json,
            format!("[{{\"tools\": {{\"a\": {{\"{key}\": \"{value}\"}}}}}}]"),
        ),
        (
            HostKind::Yaml,
            format!("id: 1\n{key}: \"{value}\"\nname: x\n"),
        ),
        (
            HostKind::Yaml,
            format!("a:\n  - b: {{{key}: \"{value}\"}}\n"),
        ),
        (HostKind::Lisp, format!("{{:id 1 :{key} \"{value}\"}}")),
        (
            HostKind::Lisp,
            format!("(defn f {{:{key} \"{value}\"}} [x] x)"),
        ),
        (
            HostKind::Elixir,
            format!("def a, do: %{{id: 1, {key}: \"{value}\"}}\n"),
        ),
        (
            HostKind::Elixir,
            format!("call(opts, {key}: \"{value}\")\n"),
        ),
        (HostKind::Elixir, format!("@{key} \"{value}\"\n")),
        (
            HostKind::Markdown,
            format!("---\ntitle: x\n{key}: \"{value}\"\n---\n\n# {{{{title}}}} {{{{\n"),
        ),
        (
            HostKind::Markdown,
            format!("# A\n\n```json\n{{\"{key}\": \"{value}\"}}\n```\n"),
        ),
    ]
}

/// What is reported, shown or listed in a foreign document; empty if all is well.
fn seen(kind: HostKind, text: &str) -> Vec<String> {
    let document = Document::new(kind, text, Settings::default());
    let found = document.diagnostics().into_iter();
    let found = found.map(|it| format!("{} {}", it.rule.code, it.message));
    let host = HostDocument::parse(kind, &Text::from(text), &Roles::default());
    let sites = host.our_units(false).flat_map(|placed| {
        let sites = placed.unit.sites.iter();
        sites.map(|site| format!("{:?} at {:?}", site.role, site.literal + placed.start))
    });
    let boundaries = (0..text.len()).filter(|at| text.is_char_boundary(*at));
    let hovers = boundaries.filter_map(|at| hover(&document, size(at)).map(|it| it.markdown));
    found.chain(sites).chain(hovers.take(1)).collect()
}

#[track_caller]
fn check_all(key: &str, values: &[&str]) {
    let mut wrong = Vec::new();
    for value in values {
        for (kind, text) in hosts(key, value) {
            let seen = seen(kind, &text);
            if !seen.is_empty() {
                wrong.push(format!("{kind:?}: {text}\n    {seen:?}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} seen:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn signatures_of_others_are_left_alone() {
    check_all("signature", SIGNATURES);
}

#[test]
fn prompts_of_others_are_left_alone() {
    check_all("prompt", PROMPTS);
}

#[test]
fn tools_of_others_are_left_alone() {
    let mut wrong = Vec::new();
    for value in TOOLS.iter().chain(SIGNATURES) {
        for (kind, text) in [
            (
                HostKind::Json,
                format!("{{\"tools\": {{\"node\": \"{value}\"}}}}"),
            ),
            (HostKind::Yaml, format!("tools:\n  node: \"{value}\"\n")),
            (HostKind::Lisp, format!("{{:tools {{:node \"{value}\"}}}}")),
            (
                HostKind::Elixir,
                format!("tools = %{{bash: &f/3, node: \"{value}\", x: nil, n: 1}}\n"),
            ),
            (HostKind::Elixir, format!("{{&validate/2, \"{value}\"}}\n")),
            (
                HostKind::Elixir,
                format!("Enum.map(names, &{{&1, \"{value}\"}})\n"),
            ),
        ] {
            let seen = seen(kind, &text);
            if !seen.is_empty() {
                wrong.push(format!("{kind:?}: {text}\n    {seen:?}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} seen:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn fences_of_others_are_left_alone() {
    for value in SIGNATURES {
        let text = format!("```signature\n{value}\n```\n\n```sig\n{value}\n```\n");
        assert_eq!(seen(HostKind::Markdown, &text), [] as [String; 0], "{text}");
    }
}

#[test]
fn prompt_files_of_others_are_left_alone() {
    for body in PROMPTS {
        let text = format!("---\nmodel: x\ninput:\n  schema:\n    name: string\n---\n{body}\n");
        let document = Document::new(HostKind::Prompt, &text, Settings::default());
        assert_eq!(document.diagnostics().len(), 0, "{text}");
    }
}

#[test]
fn whole_files_of_others_are_left_alone() {
    let files: &[(HostKind, &str)] = &[
        (
            HostKind::Elixir,
            "defmodule MyApp.Crypto.Signature do\n  def parse!(text), do: text\nend\nMyApp.Crypto.Signature.parse!(\"ed25519:deadbeef\")\n",
        ),
        (
            HostKind::Elixir,
            "alias MyApp.Crypto.Signature\nSignature.parse!(\"ed25519:deadbeef\")\n",
        ),
        (
            HostKind::Elixir,
            "alias MyApp.{Crypto.Signature, SubAgent, Lisp}\nSignature.parse(\"(x\")\nSubAgent.run(\"{{}}\", signature: \"x\")\nLisp.run(\"(tool/x 1)\")\n",
        ),
        (
            HostKind::Elixir,
            "alias Other.Thing, as: SubAgent\nSubAgent.new(prompt: \"{{}}\", tools: %{a: 1})\n",
        ),
        (
            HostKind::Elixir,
            "defmodule MyApp do\n  defmodule Signature do\n    def parse(x), do: x\n  end\n\n  def f, do: Signature.parse(\"x\")\nend\n",
        ),
        (
            HostKind::Elixir,
            "MyApp.SubAgent.run(\"{{}}\")\nMyApp.PtcRunner.Lisp.run(\"(tool/x 1)\")\n",
        ),
        (
            HostKind::Elixir,
            "validate_change(c, {&</2, \"must be less than %{number}\"})\nx = &{&1, \"\"}\n",
        ),
        (
            HostKind::Elixir,
            "%{prompt: \"Q: question\", signature: \"question -> answer\"}\n",
        ),
        (
            HostKind::Elixir,
            "tools = %{bash: &f/3, python: {M, :run}, x: nil, n: 1}\n@build_tools %{mix: &Mix.run/1, npm: \"npm run build\"}\n",
        ),
        (HostKind::Elixir, "noon = ~T\"12:00:00\"\n"),
        (
            HostKind::Markdown,
            "---\nsignature: \"func(a int) error\"\ntitle: Go\n---\n# {{ }} {{#if}}\n",
        ),
        (
            HostKind::Json,
            "{\"openapi\": \"3.0.0\", \"tools\": {\"a\": {\"signature\": \"(a: string) => void\"}}, \"prompt\": \"consent\"}",
        ),
        (
            HostKind::Yaml,
            "name: CI\non: push\njobs:\n  a:\n    steps:\n      - prompt: ${{ github.event.issue.body }}\n        signature: ${{ secrets.SIG }}\n",
        ),
    ];
    for (kind, text) in files {
        assert_eq!(seen(*kind, text), [] as [String; 0], "{text}");
    }
}

#[test]
fn small_files_of_others_are_left_alone() {
    let mut wrong = Vec::new();
    for (kind, text) in crate::foreign_files::FILES {
        let found = Document::new(*kind, text, Settings::default()).diagnostics();
        if !found.is_empty() {
            wrong.push(format!("{kind:?}: {text}\n    {found:?}"));
        }
    }
    assert_eq!(wrong, [] as [String; 0]);
}

/// Texts that are clearly meant as signatures, with a mistake.
const MISTAKEN: &[&str] = &[
    "(a :int) => :int",
    "(a :int) → :int",
    "{count :int",
    "[{:id :int}]",
    "{:id :int, :name :string}",
    "(q :strng) -> {n :int}",
    "(q :strng) -> :integer",
    "(ids: list[string]) -> :int",
    "(a :int b :string) -> :int",
    "(a :int,, b :string) -> :int",
    "(a :int",
    "-> {count :int}",
    "count :int",
    "(id :integer) -> :map",
    "(a :int) -> count :int",
    "(a :enum[x y]) -> :int",
    "search(query :string) -> :int",
    "(user {name :string, age int}) -> :map",
    "(id :",
    "(id :in",
    "(id :in)",
    "{name :s",
    "(a :Int) -> {b :string}",
    ":int??",
    "{'name' :string}",
    "() -> :int or more",
    "((a :int)) -> :int",
];

#[test]
fn mistakes_in_signatures_are_reported_in_every_host() {
    let mut missed = Vec::new();
    for value in MISTAKEN {
        for (kind, text) in hosts("signature", value) {
            let document = Document::new(kind, &text, Settings::default());
            if document.diagnostics().is_empty() {
                missed.push(format!("{kind:?}: {text}"));
            }
        }
        let tools = [
            (
                HostKind::Json,
                format!("{{\"tools\": {{\"node\": \"{value}\"}}}}"),
            ),
            (HostKind::Yaml, format!("tools:\n  node: \"{value}\"\n")),
            (HostKind::Lisp, format!("{{:tools {{:node \"{value}\"}}}}")),
            (
                HostKind::Elixir,
                format!("x = %{{\"node\" => {{&run/1, \"{value}\"}}}}\n"),
            ),
            (HostKind::Markdown, format!("```signature\n{value}\n```\n")),
        ];
        // In a block of signatures, a name before the parentheses is that of a tool.
        let is_sound = |kind| kind == HostKind::Markdown && value.starts_with("search(");
        for (kind, text) in tools.into_iter().filter(|(kind, _)| !is_sound(*kind)) {
            let document = Document::new(kind, &text, Settings::default());
            if document.diagnostics().is_empty() {
                missed.push(format!("{kind:?}: {text}"));
            }
        }
    }
    assert!(
        missed.is_empty(),
        "{} missed:\n{}",
        missed.len(),
        missed.join("\n")
    );
}

#[test]
fn a_certain_place_needs_no_reading() {
    let cases: &[(&str, usize)] = &[
        ("Signature.parse(\"invalid\")\n", 1),
        ("Lisp.run(\"42\", signature: \"invalid syntax\")\n", 1),
        (
            "SubAgent.new(tools: %{\"x\" => {&T.x/1, \"not a valid signature\"}})\n",
            1,
        ),
        (
            "alias PtcRunner.SubAgent, as: SA\nSA.run(\"Hi\", signature: \"x y\")\n",
            1,
        ),
        (
            "alias PtcRunner.SubAgent.Signature, as: Sig\nSig.parse!(\"x y\")\n",
            1,
        ),
        (
            "alias PtcRunner.{SubAgent, Lisp}\nLisp.run(\"1\", signature: \"x y\")\n",
            1,
        ),
        (
            "import PtcRunner.SubAgent\nrun(\"Hi\", signature: \"x y\")\n",
            1,
        ),
        (
            "require PtcRunner.Lisp, as: L\nL.run(\"1\", signature: \"x y\")\n",
            1,
        ),
        ("PtcRunner.SubAgent.Signature.parse(\"x y\")\n", 1),
        ("%PtcRunner.SubAgent{signature: \"x y\"}\n", 1),
        ("SubAgent.run \"Hi\", signature: \"x y\"\n", 1),
    ];
    for (text, least) in cases {
        let document = Document::new(HostKind::Elixir, text, Settings::default());
        let found = document.diagnostics();
        assert!(found.len() >= *least, "{text}: {found:?}");
    }
}

/// In a file that defines modules and never names the library, its names refer to other modules, unless something else
/// in the file says otherwise.
#[test]
fn names_that_no_alias_gives_are_those_of_other_modules() {
    let module = |body: &str| format!("defmodule MyApp.A do\n  def f do\n    {body}\n  end\nend\n");
    let foreign = [
        "Signature.parse!(\"ed25519:beef\")",
        "\"v1=abc\" |> Signature.parse()",
        "Signature.parse \"hmac:md5\"",
        "Lisp.run(\"(message 1)\", signature: \"rsa\")",
        "Lisp.run(\"(tool/open 1)\")",
        "SubAgent.run(\"Go {{}} {{1}}\", tools: %{a: 1}, signature_validation: :maybe)",
        "%SubAgent{prompt: \"{{#if x}}y{{/if}}\", signature: \"J. Doe\"}",
        "SubAgent.new(prompt: \"x\", tools: %{\"a\" => {&f/1, \"takes a string\"}})",
    ];
    let certain = "Signature.parse!(\"not one\")";
    let evidence = [
        "alias PtcRunner.{Lisp, Signature, SubAgent}",
        "import PtcRunner.SubAgent",
        "use PtcRunner.Agents",
        "defmodule PtcRunner.Inner do\nend",
        "x = PtcRunner.SubAgent.new(prompt: \"x\")",
        "%{signature: \"(a :int) -> :int\", prompt: \"{{a}}\"}",
    ];
    let count = |text: &str| {
        let document = Document::new(HostKind::Elixir, text, Settings::default());
        document.diagnostics().len()
    };
    for body in foreign {
        assert_eq!(count(&module(body)), 0, "{body}");
    }
    for line in evidence {
        let text = module(&format!("{line}\n    {certain}"));
        assert_eq!(count(&text), 1, "{text}");
    }
    for mistake in [
        "Signature.parse!(\"(a :int) -> :strng\")",
        "SubAgent.run(\"Go {{nme}}\", signature: \"(name :string) -> :int\", llm: llm)",
        "\"Go {{nme}}\" |> SubAgent.run(signature: \"(name :string) -> :int\", llm: llm)",
        "sig = \"(name :string) -> :int\"\n    SubAgent.run(\"Go {{nme}}\", signature: sig)",
        "Lisp.run(\"(tool/get {:idd 1})\", tools: %{\"get\" => {&f/1, \"(id :int) -> :int\"}})",
        "SubAgent.run \"Go {{nme}}\", signature: \"(name :string) -> :int\"",
    ] {
        assert!(count(&module(mistake)) > 0, "{mistake}");
    }
    assert_eq!(count(certain), 1, "a script");
}

/// A block leaves most of its program out, so that `Signature` and `Lisp` may be anybody's.
#[test]
fn common_names_in_blocks_count_where_something_shows_that_they_are_ours() {
    let block = |code: &str| format!("# A\n\n```elixir\n{code}\n```\n");
    for (code, expected) in [
        ("Signature.parse!(\"ed25519:beef\")", 0),
        ("{:ok, it} = Signature.parse(\"t=1,v1=5257a8\")", 0),
        ("Lisp.run(\"(open 1)\", signature: \"rsa-sha256\")", 0),
        ("Signature.parse!(\"(a :int) -> :strng\")", 1),
        (
            "Lisp.run(\"(+ 1 a)\", signature: \"(a :int) -> :strng\")",
            1,
        ),
        (
            "alias PtcRunner.Signature\nSignature.parse!(\"invalid\")",
            1,
        ),
        ("PtcRunner.Lisp.run(\"1\", signature: \"invalid\")", 1),
        ("SubAgent.run(\"Hi\", signature: \"not one\")", 0),
        ("PtcRunner.SubAgent.run(\"Hi\", signature: \"not one\")", 1),
        (
            "Signature.parse(\"() -> :int\")\nSignature.parse(\"invalid\")",
            1,
        ),
    ] {
        let document = Document::new(HostKind::Markdown, &block(code), Settings::default());
        assert_eq!(document.diagnostics().len(), expected, "{code}");
    }
}

/// Code in Clojure has its own namespaces, with and without an `ns` form.
#[test]
fn calls_in_clojure_count_where_something_shows_that_they_are_ours() {
    let call = "(tool/run \"x\")\n";
    for (text, expected) in [
        (call.to_owned(), 0),
        (format!("(tool/run {{:command \"x\"}})\n{call}"), 1),
        ("(def x (return (tool/run \"x\")))\n".to_owned(), 1),
        (format!("(ns a.b)\n{call}"), 0),
        (
            format!("(ns a.b)\n(tool/run {{:command \"x\"}})\n{call}"),
            1,
        ),
        (
            format!("(ns a.b)\n(def f {{:signature \"(a :int) -> :int\"}})\n{call}"),
            1,
        ),
        (
            format!("(ns a.b (:require [c.d :as tool]))\n(tool/run {{:a 1}})\n{call}"),
            0,
        ),
    ] {
        let document = Document::new(HostKind::Lisp, &text, Settings::default());
        assert_eq!(document.diagnostics().len(), expected, "{text}");
    }
}

#[test]
fn snippets_of_lisp_count_where_something_shows_that_they_are_ours() {
    let call = "```clojure\n(tool/run \"x\")\n```\n";
    for (text, expected) in [
        (call.to_owned(), 0),
        (
            format!("```clojure\n(tool/run {{:command \"x\"}})\n```\n\n{call}"),
            1,
        ),
        (format!("```signature\n(a :int) -> :int\n```\n\n{call}"), 1),
        (call.replace("clojure", "ptc-lisp"), 1),
        (
            format!("```clojure\n(require '[b.tool :as tool])\n(tool/run {{:a 1}})\n```\n\n{call}"),
            0,
        ),
    ] {
        let document = Document::new(HostKind::Markdown, &text, Settings::default());
        assert_eq!(document.diagnostics().len(), expected, "{text}");
    }
}

#[test]
fn directives_count_after_the_margin_of_a_quote() {
    let agent = "SubAgent.new(prompt: \"{{#a}}{{.}}{{/a}}\", signature: \"(a [:int]) -> :int\")";
    for text in [
        format!("> <!-- signature-ls: edition 0.4 -->\n\n```elixir\n{agent}\n```\n"),
        format!("> ```elixir\n> # signature-ls: edition 0.4\n> {agent}\n> ```\n"),
    ] {
        let document = Document::new(HostKind::Markdown, &text, Settings::default());
        let codes: Vec<_> = document
            .diagnostics()
            .iter()
            .map(|it| it.rule.code)
            .collect();
        assert_eq!(codes, ["unsupported-section"], "{text}");
    }
}
