use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::model::{Edition, parse_signature};

fn declared(types: &[&str]) -> DeclaredTypes {
    let mut declared = DeclaredTypes::default();
    for text in types {
        declared.declare(text);
    }
    declared
}

fn text(spec: &str, head: &str, types: &[&str]) -> Option<String> {
    extract(spec, Some(head), &declared(types)).map(|extracted| extracted.text())
}

/// A module may declare tens of thousands of types.
#[test]
fn expressions_are_small() {
    assert!(size_of::<expr::Expr>() <= 32, "{}", size_of::<expr::Expr>());
}

#[test]
fn agrees_with_the_reference() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/vectors/typespecs.jsonl"
    );
    let vectors = std::fs::read_to_string(path).unwrap();
    let types = ["@type user :: %{id: integer(), name: String.t()}"];
    let mut checked = 0;
    for line in vectors.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let (spec, head) = (
            vector["spec"].as_str().unwrap(),
            vector["def"].as_str().unwrap(),
        );
        assert_eq!(
            text(spec, head, &types).as_deref(),
            vector["signature"].as_str(),
            "{spec}"
        );
        checked += 1;
    }
    assert_eq!(checked, 120);
}

/// Cases beyond the vectors; each signature is the reference's own answer.
#[test]
fn agrees_with_the_reference_on_rarer_forms() {
    let cases: &[(&str, &str, &[&str], Option<&str>)] = &[
        (
            "@spec f([a: integer()]) :: any",
            "def f(x)",
            &[],
            Some("(x [:any]) -> :any"),
        ),
        (
            "@spec f([ok: integer(), error: atom()]) :: any",
            "def f(x)",
            &[],
            Some("(x [{result :int, error :keyword?}]) -> :any"),
        ),
        (
            "@spec f([a: integer(), b: atom()]) :: any",
            "def f(x)",
            &[],
            Some("(x [:any]) -> :any"),
        ),
        (
            "@spec f(name :: String.t()) :: integer",
            "def f(x)",
            &[],
            Some("(x :any) -> :int"),
        ),
        (
            "@spec f(integer) :: String.t",
            "def f(_query)",
            &[],
            Some("(query :int) -> :string"),
        ),
        ("@spec f(a) :: a when a: integer()", "def f(x)", &[], None),
        (
            "@spec f(%{a: integer, b: String.t}) :: %{:c => atom, required(:d) => float, optional(:e) => map}",
            "def f(%{} = args)",
            &[],
            Some("(args {a :int, b :string}) -> {c :keyword, d :float}"),
        ),
        (
            "@spec f(map, map, map) :: map",
            r#"def f(%{}, %{"q" => q}, %{a: a})"#,
            &[],
            Some("(map1 :map, map2 :map, map3 :map) -> :map"),
        ),
        (
            "@spec f(map, map) :: map",
            "def f(%{}, {a, b})",
            &[],
            Some("(map :map, arg :map) -> :map"),
        ),
        (
            "@spec f(any, any, any, any, any, any) :: map",
            r#"def f(1, :a, "s", [h | t], 1.0, true)"#,
            &[],
            Some("(int :any, atom :any, binary :any, list :any, float :any, bool :any) -> :map"),
        ),
        (
            "@spec f(any, any) :: map",
            "def f(_, _)",
            &[],
            Some("(_ :any, _ :any) -> :map"),
        ),
        (
            "@spec f(any, any) :: map",
            "def f({:ok, x} = y, z = %{a: 1})",
            &[],
            Some("(y :any, z :any) -> :map"),
        ),
        (
            "@spec f(integer | nil | atom) :: (integer | nil) | atom",
            "def f(x)",
            &[],
            Some("(x :any) -> :any"),
        ),
        (
            "@spec f({:error, atom} | {:ok, map}) :: {:ok, map} | :error",
            "def f(x)",
            &[],
            Some("(x {result :map, error :keyword?}) -> :any"),
        ),
        (
            "@spec f(nil | integer) :: nil",
            "def f(x)",
            &[],
            Some("(x :int?) -> :any"),
        ),
        (
            "@spec f((integer | nil) | nil) :: ({:ok, a :: integer} | {:error, atom})",
            "def f(x)",
            &[],
            Some("(x :int??) -> {result :any, error :keyword?}"),
        ),
        (
            "@spec f(user() | nil) :: user() | nil",
            "def f(x)",
            &["@type user :: integer | nil"],
            Some("(x :int??) -> :int??"),
        ),
        (
            "@spec f(p()) :: o()",
            "def f(x)",
            &["@typep p :: integer", "@opaque o :: integer"],
            Some("(x :any) -> :any"),
        ),
        (
            "@spec f(list(integer), maybe_improper_list, nonempty_list(integer), [...], []) :: [integer, ...]",
            "def f(a, b, c, d, e)",
            &[],
            Some("(a [:int], b :any, c :any, d :any, e :any) -> :any"),
        ),
        (
            "@spec f(1..10, -1, <<>>, <<_::8>>, <<_::_*8>>, %{}) :: bitstring",
            "def f(a, b, c, d, e, g)",
            &[],
            Some("(a :any, b :any, c :any, d :any, e :any, g :map) -> :any"),
        ),
        (
            "@spec f((... -> any), (-> integer), fun, (integer, atom -> any)) :: function",
            "def f(a, b, c, d)",
            &[],
            Some("(a :any, b :any, c :any, d :any) -> :any"),
        ),
        (
            "@spec f(byte, char, charlist, neg_integer, node, timeout, mfa, arity, module) :: number",
            "def f(a, b, c, d, e, g, h, i, j)",
            &[],
            Some(
                "(a :any, b :any, c :any, d :any, e :any, g :any, h :any, i :any, j :any) -> :float",
            ),
        ),
        (
            "@spec f(Elixir.String.t(), :string.t()) :: Enumerable.t(integer)",
            "def f(a, b)",
            &[],
            Some("(a :string, b :any) -> :any"),
        ),
        (
            "@spec f(g(integer)) :: g(atom)",
            "def f(a)",
            &["@type g(x) :: [x]"],
            Some("(a :any) -> :any"),
        ),
        (
            "@spec f(valid? :: boolean) :: boolean",
            "def f(valid?)",
            &[],
            Some("(valid? :any) -> :bool"),
        ),
        (
            "@spec f(boolean | nil) :: true | nil",
            "def f(valid?)",
            &[],
            Some("(valid? :bool?) -> :any?"),
        ),
        (
            "@spec f(%{atom => integer}) :: %{required(atom) => integer, a: integer}",
            "def f(x)",
            &[],
            Some("(x :map) -> {a :int}"),
        ),
        (
            "@spec f(struct) :: struct()",
            "def f(x)",
            &[],
            Some("(x :any) -> :any"),
        ),
        (
            "@spec f(String.t | nil, String.t() | :none) :: as_boolean(integer)",
            "def f(x, y)",
            &[],
            Some("(x :string?, y :any) -> :any"),
        ),
        (
            r#"@spec f(%{a: integer, c?: atom, "d-e": atom, F: atom}) :: any"#,
            "def f(x)",
            &[],
            Some("(x {a :int, c? :keyword, d-e :keyword, F :keyword}) -> :any"),
        ),
        (
            "@spec f(x :: integer | nil) :: integer",
            "def f(x)",
            &[],
            Some("(x :any) -> :int"),
        ),
        (
            "@spec f({integer, atom}) :: {}",
            "def f(x)",
            &[],
            Some("(x :any) -> :any"),
        ),
        (
            "@spec f({:ok, integer, atom} | {:error, any}) :: {:ok} | {:error, any}",
            "def f(x)",
            &[],
            Some("(x :any) -> :any"),
        ),
        (
            "@spec f([integer | nil]) :: [{:ok, integer} | {:error, atom} | nil]",
            "def f(x)",
            &[],
            Some("(x [:int?]) -> [:any]"),
        ),
        (
            "@spec f(unknown_in_spec :: any) :: DateTime.t() | Date.t()",
            "def f(x)",
            &[],
            Some("(x :any) -> :any"),
        ),
        (
            "@spec f(list(any())) :: list()",
            "def f(x)",
            &[],
            Some("(x [:any]) -> [:any]"),
        ),
        (
            "@spec f(Keyword.t()) :: keyword(integer)",
            "def f(x)",
            &[],
            Some("(x :any) -> :any"),
        ),
        (
            "@spec f(l1) :: l1",
            "def f(x)",
            &[
                "@type l1 :: [l2]",
                "@type l2 :: [l3]",
                "@type l3 :: %{a: l4, b: [l4]}",
                "@type l4 :: integer",
            ],
            Some("(x [[{a :any, b [:any]}]]) -> [[{a :any, b [:any]}]]"),
        ),
        (
            "@spec f(any) :: any",
            "def f(x) when is_integer(x)",
            &[],
            Some("(x :any) -> :any"),
        ),
        ("@spec f() :: :ok", "def f", &[], Some("() -> :any")),
        (
            "@spec f(any, any) :: :ok",
            "def f(a_b, %Range{first: f})",
            &[],
            Some("(a_b :any, range :any) -> :any"),
        ),
        (
            "@spec f(any, any) :: :ok",
            r#"def f("pre" <> rest, <<x::8>>)"#,
            &[],
            Some("(arg1 :any, arg2 :any) -> :any"),
        ),
        (
            "@spec f(nonempty_binary) :: nonempty_charlist",
            "def f(x)",
            &[],
            Some("(x :any) -> :any"),
        ),
        (
            "@spec f(float) :: non_neg_integer | float",
            "def f(x)",
            &[],
            Some("(x :float) -> :any"),
        ),
        (
            "@spec f(number | nil) :: pos_integer | nil",
            "def f(x)",
            &[],
            Some("(x :float?) -> :int?"),
        ),
        (
            "@spec f([{:a, integer} | {:b, atom}]) :: [{atom, any}]",
            "def f(x)",
            &[],
            Some("(x [:any]) -> [:any]"),
        ),
        (
            "@spec f([integer()] | nil) :: %{optional(String.t()) => any, a: integer}",
            "def f(x)",
            &[],
            Some("(x [:int]?) -> {a :int}"),
        ),
        (
            "@spec f(?a) :: [?,] | nil",
            r"def f(?\\)",
            &[],
            Some("(int :any) -> [:any]?"),
        ),
        (
            "@spec f(any(), any(), any(), any(), any()) :: any",
            "def f(nil = x, %{} = a = b, {:ok, _} = r, 0o17, [] = [])",
            &[],
            Some("(x :any, arg1 :any, r :any, int :any, arg2 :any) -> :any"),
        ),
        (
            "@spec f(any()) :: %{a: %{b: %{c: %{d: %{e: integer}}}}}",
            "def f(x)",
            &[],
            Some("(x :any) -> {a {b {c {d {e :int}}}}}"),
        ),
    ];
    for (spec, head, types, signature) in cases {
        assert_eq!(text(spec, head, types).as_deref(), *signature, "{spec}");
    }
}

#[test]
fn where_the_reference_errs() {
    let cases: &[(&str, &str, &[&str], &str)] = &[
        // It treats every local type called `t` as `String.t()`.
        (
            "@spec f(t()) :: t",
            "def f(x)",
            &["@type t :: %{a: integer}"],
            "(x {a :int}) -> {a :int}",
        ),
        ("@spec f(t()) :: t", "def f(x)", &[], "(x :any) -> :any"),
        // It cuts the head at every comma and at the first closing parenthesis.
        (
            "@spec f(any, any) :: map",
            r#"def f(opts \\ [a: f(1), b: 2], limit \\ 10) do"#,
            &[],
            "(opts :any, limit :any) -> :map",
        ),
        // It shows the internal fields of structs.
        (
            "@spec f(%User{id: integer}) :: %__MODULE__{}",
            "def f(x)",
            &[],
            "(x :any) -> :any",
        ),
    ];
    for (spec, head, types, signature) in cases {
        assert_eq!(
            text(spec, head, types).as_deref(),
            Some(*signature),
            "{spec}"
        );
    }
}

/// The examples of the table in the documentation.
#[test]
fn every_word_has_its_type() {
    let cases = [
        ("String.t()", ":string"),
        ("binary()", ":string"),
        ("integer()", ":int"),
        ("non_neg_integer()", ":int"),
        ("pos_integer()", ":int"),
        ("float()", ":float"),
        ("number()", ":float"),
        ("boolean()", ":bool"),
        ("atom()", ":keyword"),
        ("map()", ":map"),
        ("any()", ":any"),
        ("term()", ":any"),
        ("list(integer())", "[:int]"),
        ("[integer()]", "[:int]"),
        ("list()", "[:any]"),
        ("%{key: integer()}", "{key :int}"),
        ("%{}", ":map"),
        (
            "%{key: integer(), other: [integer(),],}",
            "{key :int, other [:int]}",
        ),
        (
            "{:ok, integer(),} | {:error, atom(),}",
            "{result :int, error :keyword?}",
        ),
        ("[ok: integer(),\n]", "[:any]"),
        ("%{String.t() => integer()}", ":map"),
        ("integer() | nil", ":int?"),
        (
            "{:ok, map()} | {:error, atom()}",
            "{result :map, error :keyword?}",
        ),
        ("DateTime.t()", ":string"),
        ("Date.t()", ":string"),
        ("Time.t()", ":string"),
        ("NaiveDateTime.t()", ":string"),
        ("pid()", ":any"),
        ("reference()", ":any"),
    ];
    for (ty, expected) in cases {
        let spec = format!("@spec f() :: {ty}");
        let extracted = extract(&spec, None, &DeclaredTypes::default()).unwrap();
        assert_eq!(extracted.text(), format!("() -> {expected}"), "{ty}");
        let (signature, problems) = parse_signature(&extracted.text(), Edition::V0_5);
        assert_eq!(
            signature.as_ref(),
            Some(&*extracted.signature),
            "{problems:?}"
        );
    }
}

#[test]
fn types_of_the_module_are_looked_into_three_times() {
    let types = [
        "@type level1 :: %{data: level2()}\n@type level2 :: %{data: level3()}",
        "@type level3 :: %{data: level4()} @type level4 :: %{value: String.t()}",
        "@type tree :: %{value: integer(), children: [tree()]}",
        "@typedoc \"no type\" @opaque secret() :: binary @typep hidden :: binary @type box(a) :: a",
    ];
    let cases = [
        ("level1()", "{data {data {data :any}}}"),
        ("level2()", "{data {data {value :string}}}"),
        ("__MODULE__.level4()", "{value :string}"),
        (
            "tree()",
            "{value :int, children [{value :int, children [{value :int, children [:any]}]}]}",
        ),
        ("secret()", ":any"),
        ("hidden()", ":any"),
        ("box(integer)", ":any"),
    ];
    for (ty, expected) in cases {
        let text = text(&format!("@spec f() :: {ty}"), "def f", &types);
        assert_eq!(text, Some(format!("() -> {expected}")));
    }
}

#[test]
fn parameters_without_a_head_are_numbered() {
    let extracted = extract(
        "@spec f(integer, atom) :: any",
        None,
        &DeclaredTypes::default(),
    );
    assert_eq!(
        extracted.unwrap().text(),
        "(arg0 :int, arg1 :keyword) -> :any"
    );
    let fewer = text("@spec f(integer, atom) :: any", "def f(a), do: a", &[]);
    assert_eq!(fewer.unwrap(), "(a :int, arg1 :keyword) -> :any");
}

#[test]
fn a_type_that_becomes_any_is_reported_with_its_place() {
    let types = declared(&["@type user :: %{id: pid(), name: port()}"]);
    let cases: &[(&str, &[&str])] = &[
        ("@spec f(any, term(), [any]) :: map", &[]),
        ("@spec f(pid()) :: reference()", &["pid()", "reference()"]),
        (
            "@spec f([a | b | c]) :: {:ok, x}",
            &["a | b | c", "{:ok, x}"],
        ),
        ("@spec f(user()) :: %{a: user | nil}", &["user()", "user"]),
        (
            "@spec f(Foo.t(), name :: atom) :: (-> any)",
            &["Foo.t()", "name :: atom", "(-> any)"],
        ),
    ];
    for (spec, parts) in cases {
        let extracted = extract(spec, None, &types).unwrap();
        let ranges = extracted.unmapped.into_iter();
        let found: Vec<&str> = ranges
            .map(|range| &spec[std::ops::Range::<usize>::from(range)])
            .collect();
        assert_eq!(found, *parts, "{spec}");
    }
}

#[test]
fn other_texts_are_not_specs() {
    let cases = [
        "",
        "@spec",
        "@spec f",
        "@spec f(integer)",
        "@spec f(integer ::",
        "@spec f(integer) :: ",
        "@spec f(integer) :: integer integer",
        "@spec f(integer, ) :: integer",
        "@spec f(list(integer, )) :: integer",
        "@spec f(%{a: integer,, }) :: integer",
        "@spec f({,}) :: integer",
        "@spec f(, integer) :: integer",
        "@spec f([integer) :: integer",
        "@spec f(%{a: }) :: integer",
        "@spec f(%{a integer}) :: integer",
        "@spec f(a) :: a when a: var",
        "@spec unquote(name)(integer) :: integer",
        "@spec a + b :: integer",
        "@type f :: integer",
        "@spec f(\"é) :: integer",
        "spec f() :: integer",
    ];
    for spec in cases {
        assert_eq!(text(spec, "def f(a)", &[]), None, "{spec}");
    }
}

#[test]
fn size_is_bounded() {
    let lists =
        |depth: usize| format!("@spec f() :: {}any{}", "[".repeat(depth), "]".repeat(depth));
    let work = move || {
        let types = declared(&[
            &format!("@type deep :: {}deep{}", "[".repeat(200), "]".repeat(200)),
            &format!(
                "@type wide :: {{:ok, %{{{}}}}} | nil",
                "a: wide, ".repeat(500) + "b: wide"
            ),
            &format!(
                "@type wider :: %{{{}}}",
                "a: wider, ".repeat(500) + "b: wider"
            ),
        ]);
        for name in ["deep", "wide", "wider"] {
            assert!(extract(&format!("@spec f() :: {name}"), None, &types).is_some());
        }
        assert!(extract(&lists(255), None, &types).is_some());
        assert!(extract(&lists(10_000), None, &types).is_none());
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work);
    thread.unwrap().join().unwrap();
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in r#"[a-cA:|(){}\[\],.%é"@=><\\ \n-]{0,30}"#) {
        let types = declared(&[&text, &format!("@type a :: {text}")]);
        for spec in [text.clone(), format!("@spec f({text}) :: a"), format!("@spec f() :: {text}")] {
            extract(&spec, Some(&format!("def f({text})")), &types);
        }
    }
}

/// A long type of the module is kept once for all functions, and whether a parser accepts it is known for all.
#[test]
fn long_types_are_shared() {
    let fields: String = (0..40).map(|it| format!("p{it}: integer(), ")).collect();
    for (ty, spec, is_accepted) in [
        (
            "t :: %{FIELDS, z: integer()}",
            "@spec f(t(), integer()) :: [t()]",
            true,
        ),
        (
            "t :: %{FIELDS, z: integer()}",
            "@spec f(t() | nil) :: t()",
            false,
        ),
        (
            "t :: %{FIELDS, z: integer()} | nil",
            "@spec f(t()) :: integer()",
            false,
        ),
        (
            "t :: %{FIELDS, z: pid()}",
            "@spec f(%{a: t()}) :: {:ok, t()} | {:error, atom()}",
            true,
        ),
        (
            "t :: %{FIELDS, valid?: integer()}",
            "@spec f(t()) :: t()",
            false,
        ),
        ("t :: [%{FIELDS, z: u()}]", "@spec f(t()) :: t()", true),
    ] {
        let ty = ty.replace("FIELDS, ", &fields);
        let types = [
            &*format!("@type {ty}"),
            "@type u :: %{a: integer(), b: nil | integer()}",
        ];
        let types = declared(&types);
        let read = || extract(spec, None, &types).unwrap();
        let (one, other) = (read(), read());
        assert_eq!(
            (one.text(), &one.signature),
            (other.text(), &other.signature)
        );
        let text = one.text();
        assert_eq!(one.beginning(20), text[..21]);
        let (written, _) = parse_signature(&text, Edition::V0_5);
        assert_eq!(one.is_accepted(Edition::V0_5), written.is_some(), "{text}");
        assert_eq!(written.is_some(), is_accepted, "{text}");
        assert_eq!(one.unmapped.is_empty(), !ty.contains("pid"), "{ty}");
        if let Some(written) = written {
            assert_eq!(written, *one.signature);
        }
    }
}
