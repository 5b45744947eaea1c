//! Tests of types inside programs: what is reported, and what is not.

use proptest::prelude::*;

use crate::{
    ide::{Document, Settings, definitions, hover, references, rename, testing::found_in},
    model::Edition,
};
use signature_ls_source::{
    host::HostKind,
    text::{TextEdit, TextRange, TextSize, size},
};

const TOOLS: &str = r#"{:tools {"search" "(query :string, limit :int?) -> [{id :int, title :string, by {name :string, first_seen :datetime?}, tags [:string]}]"
         "user" "(id :int) -> {id :int, name :string, score :float, extra :map, more :any}"
         "mail" "(to :string, lines [:string]) -> :bool"
         "greet" "(who {id :int, name :string}) -> :bool"
         "count" "() -> :int"}}
"#;

/// The diagnostics in a program after the tools.
fn found(code: &str) -> Vec<String> {
    let text = format!("{TOOLS}{code}\n");
    found_in(HostKind::Lisp, &text, Edition::V0_11)
}

const RESULTS: &str = r#"(tool/search {:query "a"})"#;
const USER: &str = "(tool/user {:id 1})";

#[test]
fn keys_that_no_signature_has_are_found() {
    for (code, expected) in [
        ("(map :titel RESULTS)", "titel"),
        ("(mapv :titel RESULTS)", "titel"),
        ("(->> RESULTS (map :titel))", "titel"),
        ("(->> RESULTS (filter :tagz) (sort-by :title))", "tagz"),
        ("(->> RESULTS (sort-by :tittle >) first)", "tittle"),
        (
            "(->> RESULTS (take 2) (map (fn [it] (:titel it))))",
            "titel",
        ),
        ("(map #(:titel %) RESULTS)", "titel"),
        ("(map (fn [{:keys [title taggs]}] title) RESULTS)", "taggs"),
        ("(map (fn [{name :nmae}] name) (map :by RESULTS))", "nmae"),
        ("(-> RESULTS first :by :nmae)", "nmae"),
        ("(get-in (first RESULTS) [:by :nmae])", "nmae"),
        ("(get (first RESULTS) \"titel\")", "titel"),
        ("(let [[a b] RESULTS] (:titel b))", "titel"),
        ("(let [{:keys [id] :as u} USER] (:nmae u))", "nmae"),
        ("(let [u USER, n (:nmae u)] n)", "nmae"),
        ("(let [u USER] (let [v u] (:nmae v)))", "nmae"),
        ("(:titel RESULTS)", "titel"),
        ("(for [x RESULTS :when (:tagz x)] x)", "tagz"),
        ("(for [x RESULTS :let [y (:by x)]] (:nmae y))", "nmae"),
        ("(reduce (fn [acc x] (+ acc (:idd x))) 0 RESULTS)", "idd"),
        ("(group-by :titel RESULTS)", "titel"),
        (
            "(map (fn [[k vs]] (map :titel vs)) (group-by :id RESULTS))",
            "titel",
        ),
        ("(:nmae (if x USER USER))", "nmae"),
        ("(when-let [u USER] (:nmae u))", "nmae"),
        ("(some-> USER :nmae)", "nmae"),
        ("(as-> USER u (:nmae u))", "nmae"),
        ("(let [f (fn [u] (:nmae u))] (f USER))", "nmae"),
        ("(let [f :nmae] f (map (fn [x] (:idd x)) RESULTS))", "idd"),
        ("(do (defn f [u] (:nmae u)) (f USER))", "nmae"),
        ("(do (def u USER) (:nmae u))", "nmae"),
        ("(:first-sen (:by (first RESULTS)))", "first-sen"),
        ("(str (:nmae (dissoc USER :id)) (:nmae USER))", "nmae"),
        ("(mapcat :tagz RESULTS)", "tagz"),
        ("(:length (count [1]))", ""),
        ("(u/f (:nmae USER))", "nmae"),
        ("(fn [x] (:nmae USER))", "nmae"),
        ("(USER :nmae)", ""),
        ("(let [u USER] (u :nmae))", "nmae"),
        ("(select-keys USER [:id :nmae])", "nmae"),
    ] {
        let code = code.replace("RESULTS", RESULTS).replace("USER", USER);
        let expected = match expected {
            "" => Vec::new(),
            name => vec![format!("unknown-field: {name}")],
        };
        assert_eq!(found(&code), expected, "{code}");
    }
}

#[test]
fn what_is_not_certain_is_silent() {
    for code in [
        "(map :title RESULTS)",
        "(:first-seen (:by (first RESULTS)))",
        "(:first_seen (:by (first RESULTS)))",
        "(get (first RESULTS) \"title\")",
        "(:anything (:extra USER))",
        "(:anything (:more USER))",
        "(:nmae (if x USER (first RESULTS)))",
        "(:nmae (or x USER))",
        "(:nmae (cond a USER b nil :else {}))",
        "(let [u USER] (let [u (f)] (:nmae u)))",
        "(let [u USER] (fn [u] (:nmae u)))",
        "(let [u USER] (loop [u u] (:nmae u)))",
        "(let [u USER] (with-open [u (f)] (:nmae u)))",
        "(let [map f] (map :titel RESULTS))",
        "(fn [first] (:titel (first RESULTS)))",
        "(:nmae USER \"none\")",
        "(get USER :nmae \"none\")",
        "(get-in USER [:nmae :x] 1)",
        "(let [{:keys [nmae] :or {nmae 1}} USER] nmae)",
        "(:nmae (assoc USER :nmae 1))",
        "(:nmae (merge USER {:nmae 1}))",
        "(:nmae (merge USER x))",
        "(:nmae (update USER k f))",
        "(:b {:a 1})",
        "(: USER)",
        "(map : RESULTS)",
        "(get USER \"\")",
        "(contains? USER :nmae)",
        "(do (def u USER) (def u (f)) (:nmae u))",
        "(do (when x (def u USER)) (:nmae u))",
        "(:nmae '(tool/user {:id 1}))",
        "(:nmae @u)",
        "(map (fn [[k v]] (:nmae v)) USER)",
        "(let [f (fn [u] (:nmae u))] (f USER) (f {:nmae 1}))",
        "(:nmae (reduce (fn [m x] (assoc m (:id x) x)) {} RESULTS))",
        "(:nmae (reduce (fn [m x] (assoc m :nmae x)) USER RESULTS))",
        "(:nmae (tool/other {}))",
        "(map :title (tool/search {:query \"a\"",
        "(comment (:nmae USER))",
        "(quote (:nmae USER))",
        "#_(:nmae USER)",
        "(catch Exception e (:nmae e))",
        "(:nmae (try USER (catch E e {})))",
    ] {
        let code = code.replace("RESULTS", RESULTS).replace("USER", USER);
        let found = found(&code);
        let found: Vec<_> = found
            .iter()
            .filter(|it| !it.starts_with("unknown-tool"))
            .collect();
        assert!(found.is_empty(), "{code}: {found:?}");
    }
}

#[test]
fn arguments_of_the_wrong_type_are_found() {
    for (code, expected) in [
        (
            "(tool/user {:id (:name USER)})",
            "coerced-value: (:name USER)",
        ),
        ("(tool/user {:id USER})", "value-type: USER"),
        ("(tool/user :id RESULTS)", "value-type: RESULTS"),
        ("(let [s (str 1)] (tool/user {:id s}))", "coerced-value: s"),
        (
            "(let [n (count [])] (tool/search {:query n}))",
            "value-type: n",
        ),
        ("(let [q 5] (tool/search {:query q}))", "value-type: q"),
        (
            "(tool/mail {:to \"a\" :lines (map :id RESULTS)})",
            "value-type: (map :id RESULTS)",
        ),
        (
            "(tool/greet {:who (first RESULTS)})",
            "value-type: (first RESULTS)",
        ),
        (
            "(tool/mail {:to \"a\" :lines [(:id USER)]})",
            "value-type: (:id USER)",
        ),
        (
            "(tool/greet {:who {:id 1 :name (:id USER)}})",
            "value-type: (:id USER)",
        ),
        (
            "(tool/greet {:who (select-keys USER [:id])})",
            "value-type: (select-keys USER [:id])",
        ),
        (
            "(pmap #(tool/search {:query (:id %)}) RESULTS)",
            "value-type: (:id %)",
        ),
        (
            "(map (fn [x] (tool/user {:id (:title x)})) RESULTS)",
            "coerced-value: (:title x)",
        ),
        (
            "(tool/search {:query (tool/count)})",
            "value-type: (tool/count)",
        ),
        ("(tool/user {:id (/ 4 2)})", "value-type: (/ 4 2)"),
        (
            "(-> (:name USER) (tool/user))",
            "positional-arguments: (:name USER)",
        ),
    ] {
        let text = |it: &str| it.replace("RESULTS", RESULTS).replace("USER", USER);
        assert_eq!(found(&text(code)), [text(expected)], "{code}");
    }
    for code in [
        "(tool/user {:id (:id USER)})",
        "(tool/user {:id (:more USER)})",
        "(tool/user {:id (if x 1 \"a\")})",
        "(tool/search {:query (str 1) :limit (count RESULTS)})",
        "(tool/search {:query (name :a) :limit (first (map :id RESULTS))})",
        "(tool/mail {:to (:name USER) :lines (map :title RESULTS)})",
        "(tool/greet {:who USER})",
        "(tool/mail {:to \"a\" :lines (:tags (first RESULTS))})",
        "(tool/greet {:who {:id 1 :name (:name USER)}})",
        "(-> (:more USER) (tool/user))",
        "(tool/user {:id (+ (:id USER) 1)})",
        "(tool/user {:id (reduce + (map :id RESULTS))})",
        "(loop [n 1] (tool/user {:id n}))",
    ] {
        let code = code.replace("RESULTS", RESULTS).replace("USER", USER);
        assert_eq!(found(&code), [""; 0], "{code}");
    }
}

/// A call of the program in Elixir, with its tools and its signature.
fn elixir(program: &str) -> String {
    format!(
        "Lisp.run(~S|{program}|, context: %{{orders: [%{{total: 1.5, id: 7}}], n: 3}},\n  tools: %{{\"user\" => {{&A.user/1, \"(id \
         :int) -> {{id :int, name :string}}\"}}}},\n  signature: \"(who {{mail :string, n :int}}) -> {{total :int, names [:string]}}\")\n"
    )
}

/// The diagnostics in a program in a string, apart from the `context:` beside it. `FITS` is a value of its output.
fn found_in_string(program: &str) -> Vec<String> {
    let text = elixir(&program.replace("FITS", "{:total 1 :names []}"));
    let mut found = found_in(HostKind::Elixir, &text, Edition::V0_11);
    found.retain(|it| !it.starts_with("missing-value") && !it.starts_with("unknown-input"));
    found
}

#[test]
fn programs_in_strings_know_their_context_and_output() {
    for (program, expected) in [
        ("(:mial data/who) FITS", "unknown-field: mial"),
        (
            "(tool/user {:id (:mail data/who)}) FITS",
            "coerced-value: (:mail data/who)",
        ),
        ("(tool/user {:id data/who}) FITS", "value-type: data/who"),
        (
            "{:total (:mail data/who) :names []}",
            "returned-value: (:mail data/who)",
        ),
        (
            "{:total 1 :names (map :id [(tool/user {:id 1})])}",
            "returned-value: (map :id [(tool/user {:id 1})])",
        ),
        ("(def r {:total 1}) r", "returned-value: r"),
        (
            "(let [r {:total 1 :names (str 1)}] r)",
            "returned-value: (let [r {:total 1 :names (str 1)}] r)",
        ),
        (
            "(def u (tool/user {:id 1}))\n{:total 1 :names [(:nmae u)]}",
            "unknown-field: nmae",
        ),
        (
            "{:total (reduce + (map :total data/orders)) :names []}",
            "returned-value: (reduce + (map :total data/orders))",
        ),
        ("(tool/user {:id 1})", "returned-value: (tool/user {:id 1})"),
    ] {
        let found = found_in_string(program);
        assert_eq!(found, [expected], "{program}");
    }
    for program in [
        "(return {:total (:n data/who) :names [(:mail data/who)]})",
        "(return {:total (count data/orders) :names (map str data/orders)})",
        "(map :anything data/orders) FITS",
        "(return (if x {:total 1 :names []} (fail \"no\")))",
        "(if x (return {:total 1 :names []}) (fail \"no\"))",
        "(let [xs (map :id data/orders)] {:total (first xs) :names []})",
    ] {
        let found = found_in_string(program);
        assert!(found.is_empty(), "{program}: {found:?}");
    }
}

#[test]
fn signed_definitions_know_their_parameters() {
    let text = |code: &str| {
        format!(
            "(defn ^{{:signature \"(user {{name :string}}, n :int) -> {{count :int}}\"}} run [user n]\n  {code})\n"
        )
    };
    for (code, expected) in [
        (
            "(return {:count (:name user)})",
            "returned-value: (:name user)",
        ),
        ("(:nmae user)", "unknown-field: nmae"),
        ("(return {:count n})", ""),
        ("(let [user {:nmae 1}] (:nmae user))", ""),
        ("(return user)", "returned-value: user"),
    ] {
        let found = found_in(HostKind::Lisp, &text(code), Edition::V0_11);
        let expected: Vec<_> = Some(expected.to_owned())
            .into_iter()
            .filter(|it| !it.is_empty())
            .collect();
        assert_eq!(found, expected, "{code}");
    }
}

#[test]
fn fences_are_checked_too() {
    let text =
        format!("# Guide\n\n```clojure\n{TOOLS}```\n\n```clojure\n(map :titel {RESULTS})\n```\n");
    let found = found_in(HostKind::Markdown, &text, Edition::V0_11);
    assert_eq!(found, ["unknown-field: titel"]);
}

#[test]
fn definitions_reach_the_forms_after_them() {
    let fence =
        |code: &str| format!("# Guide\n\n```clojure\n{TOOLS}```\n\n```clojure\n{code}\n```\n");
    for (code, expected) in [
        (
            "(def rows RESULTS)\n(map :titel rows)",
            "unknown-field: titel",
        ),
        (
            "(def rows RESULTS)\n(def row (first rows))\n(:nmae (:by row))",
            "unknown-field: nmae",
        ),
        (
            "(defn top [n] (take n RESULTS))\n(map :titel (top 3))",
            "unknown-field: titel",
        ),
        (
            "(do (def rows RESULTS))\n(count rows)\n(map :titel rows)",
            "unknown-field: titel",
        ),
        (
            "(def who \"a\")\n(tool/user {:id who})",
            "coerced-value: who",
        ),
        ("(def rows RESULTS)\n(def rows 1)\n(map :titel rows)", ""),
        (
            "(def rows RESULTS)\n(when x (def rows 1))\n(map :titel rows)",
            "",
        ),
        ("(map :titel rows)\n(def rows RESULTS)", ""),
        ("(def rows RESULTS)\n(let [rows x] (map :titel rows))", ""),
        ("(def rows RESULTS)\n'(map :titel rows)", ""),
        ("(def rows RESULTS)\n#_(map :titel rows)", ""),
        ("#_(def rows RESULTS)\n(map :titel rows)", ""),
        ("(def rows RESULTS)\n(map :title rows)", ""),
    ] {
        let code = code.replace("RESULTS", RESULTS);
        let expected: Vec<_> = Some(expected)
            .into_iter()
            .filter(|it| !it.is_empty())
            .collect();
        assert_eq!(found(&code), expected, "{code}");
        let found = found_in(HostKind::Markdown, &fence(&code), Edition::V0_11);
        assert_eq!(found, expected, "in a fence: {code}");
    }
}

/// Types the characters one after another.
fn type_in(document: &mut Document, mut at: usize, typed: &str) {
    for it in typed.chars() {
        document.edit(&TextEdit::insert(size(at), it.to_string()));
        at += it.len_utf8();
    }
}

#[test]
fn definitions_follow_what_is_typed() {
    let parts = [
        TOOLS.trim_end(),
        "(def rows (tool/search {:query \"a\"}))",
        "(def row (first rows))",
        "(defn of [x] (map :id rows))",
        "(str (:titel row) (of 1))",
    ];
    for index in 0..parts.len() {
        let mut without = parts.to_vec();
        without.remove(index);
        let before: String = without[..index]
            .iter()
            .map(|it| format!("{it}\n"))
            .collect();
        let text = without
            .iter()
            .map(|it| format!("{it}\n"))
            .collect::<String>();
        let mut document = Document::new(HostKind::Lisp, &text, Settings::default());
        let is_found = |document: &Document| {
            let found = document.diagnostics();
            found.iter().any(|it| it.rule.code == "unknown-field")
        };
        assert_eq!(is_found(&document), index == 3, "without {}", parts[index]);
        type_in(&mut document, before.len(), &format!("{}\n", parts[index]));
        assert!(is_found(&document), "after {}", parts[index]);
        let whole = parts.iter().map(|it| format!("{it}\n")).collect::<String>();
        let fresh = Document::new(HostKind::Lisp, &whole, Settings::default());
        assert_eq!(document.diagnostics(), fresh.diagnostics());
    }
}

#[test]
fn early_editions_fold_no_hyphens() {
    let text = "{:tools {\"user\" \"() -> {first_seen :int}\"}}\n(:first-seen (ctx/user {}))\n";
    let found = found_in(HostKind::Lisp, text, Edition::V0_4);
    assert_eq!(found, ["unknown-field: first-seen"]);
}

fn place(text: &str, before: &str, needle: &str) -> TextSize {
    let start = text.find(before).expect("a place");
    size(start + text[start..].find(needle).expect("a place"))
}

#[test]
fn names_of_programs_have_types_and_definitions() {
    let code = "(let [u (tool/user {:id 1})\n      n (:name u)\n      xs (map :title (tool/search {:query n}))]\n  (return [u n xs]))\n";
    let text = format!("{TOOLS}{code}");
    let document = Document::new(HostKind::Lisp, &text, Settings::default());
    for (before, needle, expected) in [
        ("[u (tool", "u", "u {id :int, name :string"),
        ("(:name u)", "u", "u {id :int"),
        ("(:name u)", "name", "name :string"),
        ("n (:name", "n", "n :string"),
        ("xs (map", "xs", "xs [:string]"),
        ("[u n xs]", "n", "n :string"),
    ] {
        let hover = hover(&document, place(&text, before, needle)).map(|it| it.markdown);
        let hover = hover.unwrap_or_default();
        assert!(hover.contains(expected), "{before}: {hover}");
    }
    for (before, needle, expected) in [
        ("(:name u)", "u", "u (tool/user"),
        ("(:name u)", "name", "name :string, score"),
        ("(map :title", "title", "title :string, by"),
        ("[u n xs]", "n", "n (:name"),
    ] {
        let links = definitions(&document, place(&text, before, needle));
        let target = links
            .first()
            .map(|it| &text[usize::from(it.target.start())..]);
        assert!(
            target.is_some_and(|it| it.starts_with(expected)),
            "{before}: {links:?}"
        );
    }
    let places = references(&document, place(&text, "(map :title", "title"), true);
    assert_eq!(places.len(), 2, "{places:?}");
    let edits = rename(
        &document,
        place(&text, "title :string", "title"),
        "head_line",
    )
    .expect("no refusal");
    let mut renamed = text.clone();
    for edit in edits.expect("edits").iter().rev() {
        renamed.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.insert);
    }
    let expected = text
        .replace("title :string", "head_line :string")
        .replace(":title", ":head-line");
    assert_eq!(renamed, expected);
}

#[test]
fn a_form_that_is_not_closed_is_read_and_not_reported() {
    let code = format!("(let [u {USER}]\n  (:score u) (:nmae u)\n");
    assert_eq!(found(&code), [""; 0]);
    assert_eq!(found(&format!("{code})")).len(), 1);
    // More may follow in the definition.
    assert_eq!(found(&format!("(def u {USER}\n(def v (:nmae u))")), [""; 0]);
    let text = format!("{TOOLS}{code}");
    let document = Document::new(HostKind::Lisp, &text, Settings::default());
    let at = place(&text, "(:score u)", "score");
    let hover = hover(&document, at).map(|it| it.markdown);
    assert!(hover.is_some_and(|it| it.contains("score :float")));
    assert_eq!(definitions(&document, at).len(), 1);
}

#[test]
fn hostile_programs_end() {
    let deep = format!("{}x{}", "(-> ".repeat(300), ")".repeat(300));
    let lets = "(let [a (tool/count)] ".repeat(200) + &")".repeat(200);
    let nested = "(map (fn [x] ".repeat(40) + &") [1])".repeat(40);
    let twice = "(let [f (fn [g] (g g))] (f f))".to_owned();
    let doubled = (1..60).fold("(let [f0 (fn [x] x)".to_owned(), |code, n| {
        format!("{code} f{n} (fn [x] (f{m} (f{m} x)))", m = n - 1)
    }) + "] (f59 (tool/count)))";
    let reduced = "(reduce (fn [a x] ".repeat(30) + "1" + &") 1 [1])".repeat(30);
    let wide = format!("(let [{}] (tool/count))", "a 1 ".repeat(20_000));
    let threaded = format!("(-> 1 {} (tool/count))", "vector ".repeat(5_000));
    for code in [deep, lets, nested, twice, doubled, reduced, wide, threaded] {
        found(&code);
        found(&format!("(do (tool/count) {code})"));
    }
}

proptest! {
    /// The diagnostics after edits equal those of a new document.
    #[test]
    fn edits_come_to_the_same(at in 0usize..200, len in 0usize..6, insert in "[a-z:(){}\\[\\] ]{0,4}") {
        let text = format!("{TOOLS}(def rows {RESULTS})\n(let [u {USER} n (:nmae u)]\n  (tool/mail {{:to n :lines (map :titel rows)}}))\n");
        let mut document = Document::new(HostKind::Lisp, &text, Settings::default());
        let start = text.len().saturating_sub(at + len);
        let range = TextRange::new(size(start), size(start + len.min(text.len() - start)));
        let mut edited = text.clone();
        edited.replace_range(std::ops::Range::<usize>::from(range), &insert);
        document.edit(&TextEdit::replace(range, insert));
        let fresh = Document::new(HostKind::Lisp, &edited, Settings::default());
        prop_assert_eq!(document.diagnostics(), fresh.diagnostics());
    }

    /// The same for edits among definitions.
    #[test]
    fn edits_among_definitions_come_to_the_same(
        forms in proptest::collection::vec(proptest::sample::select(DEFINITIONS), 1..12),
        edits in proptest::collection::vec((0usize..400, 0usize..12, proptest::sample::select(PIECES)), 1..6),
    ) {
        let mut text = forms.concat();
        let mut document = Document::new(HostKind::Lisp, &text, Settings::default());
        for (at, len, insert) in edits {
            let start = at.min(text.len());
            let end = (start + len).min(text.len());
            let range = TextRange::new(size(start), size(end));
            text.replace_range(start..end, insert);
            document.edit(&TextEdit::replace(range, insert));
            let fresh = Document::new(HostKind::Lisp, &text, Settings::default());
            prop_assert_eq!(document.diagnostics(), fresh.diagnostics(), "{}", text);
        }
    }
}

const DEFINITIONS: &[&str] = &[
    TOOLS,
    "(def a (tool/search {:query \"x\"}))\n",
    "(def b (first a))\n",
    "(def a (tool/user {:id 1}))\n",
    "(def c 1)\n",
    "(defn f [x] (:by (first a)))\n",
    "(str (:nmae (f c)))\n",
    "(:titel b)\n",
    "(map :titel a)\n",
    "(tool/user {:id b})\n",
    "(when c (def b 1))\n",
    "; note\n",
    "#_",
    "^:m ",
];

const PIECES: &[&str] = &[
    "",
    "a",
    "b",
    "(",
    ")",
    "\"",
    "\n",
    "#_",
    ":titel ",
    "(def b (first a))",
    "(def a (tool/search {}))",
    "(:titel b)",
    "(map :nmae a)",
    "tool/",
];

/// A program in a string of Elixir is checked like one in a file.
#[test]
fn signatures_in_programs_in_strings_are_checked() {
    let found = |text: &str| {
        let found = Document::new(HostKind::Elixir, text, Settings::default()).diagnostics();
        let found = found.iter();
        let found = found.map(|it| format!("{} {}", it.rule.code, &text[it.range]));
        found.collect::<Vec<_>>()
    };
    for (program, expected) in [
        (
            "(defn f {:signature \"(a :strng) -> :int\"} [a] a)",
            &["unknown-type :strng"][..],
        ),
        ("(defn f {:signature \"(a :string) -> :int\"} [a] a)", &[]),
        (
            "(tool/llm-query {:prompt \"Is it?\" :signature \"{answer :strng}\"})",
            &["unknown-type :strng"],
        ),
        ("(def t {:signature \"J. Doe\"})", &[]),
        (
            "(def t {:signature \"(a :int) => :int\"})",
            &["wrong-arrow =>"],
        ),
    ] {
        for (before, after) in [("~S|", "|"), ("~S\"\"\"\n  ", "\n  \"\"\"")] {
            let text = format!("PtcRunner.Lisp.run({before}{program}{after})\n");
            assert_eq!(found(&text), expected, "{text}");
        }
        let text = format!("PtcRunner.Lisp.run(\"{}\")\n", program.replace('"', "\\\""));
        assert_eq!(found(&text), expected, "{text}");
    }
}

/// The names of such a signature are those of its program.
#[test]
fn signatures_in_programs_in_strings_are_not_renamed_alone() {
    let text =
        "PtcRunner.Lisp.run(~S|(defn f {:signature \"(a :int) -> {b :int}\"} [a] {:b a})|)\n";
    let document = Document::new(HostKind::Elixir, text, Settings::default());
    for name in ["a :int", "b :int"] {
        let at = text.find(name).expect("a name");
        assert!(rename(&document, size(at), "c").is_err(), "{name}");
    }
}

/// The larger of two numbers has its own type, and a sum that of both.
#[test]
fn a_choice_among_numbers_has_the_type_of_one_of_them() {
    for (number, is_float) in [
        ("(max 3 2.5)", false),
        ("(min 3 2.5 1)", false),
        ("(apply max [3 2.5])", false),
        ("(reduce max [3 2.5])", false),
        ("(max 3.5 2.5)", true),
        ("(min 1 2)", false),
        ("(+ 3 2.5)", true),
    ] {
        let found = found(&format!("(tool/user {{:id {number}}})"));
        let expected = is_float.then(|| format!("value-type: {number}"));
        assert_eq!(found, Vec::from_iter(expected), "{number}");
    }
}
