//! Tests of what programs evaluate to, as the reference does.

use crate::{ide::testing::found_in, model::Edition};
use signature_ls_source::host::HostKind;

/// The diagnostics in a program that has some tools and gives `output`: of an agent if it says what it returns, and
/// otherwise in a string. `T/` is the namespace of tools.
fn found(program: &str, output: &str, edition: Edition) -> Vec<String> {
    match program.contains("(return") {
        true => found_of_agent(program, output, edition),
        false => found_in_run(program, output, edition),
    }
}

fn found_of_agent(program: &str, output: &str, edition: Edition) -> Vec<String> {
    let program = program.replace("T/", &format!("{}/", edition.tool_namespace()));
    let text = format!(
        "{{:tools {{\"rec\" \"() -> {{id :int, name :string, ok :bool}}\" \"ints\" \"() -> [:int]\" \"floats\" \"() -> [:float]\" \
         \"want\" \"(v :int) -> :int\" \"each\" \"(v [:int]) -> :any\"}}}}\n(defn ^{{:signature \"() -> {output}\"}} run [] {program})\n"
    );
    found_in(HostKind::Lisp, &text, edition)
}

fn found_in_run(program: &str, output: &str, edition: Edition) -> Vec<String> {
    let program = program.replace("T/", &format!("{}/", edition.tool_namespace()));
    let text = format!(
        "Lisp.run(~S|{program}|, tools: %{{\"rec\" => {{&A.rec/1, \"() -> {{id :int, name :string, ok :bool}}\"}}, \"ints\" => \
         {{&A.ints/1, \"() -> [:int]\"}}, \"floats\" => {{&A.floats/1, \"() -> [:float]\"}}, \"want\" => {{&A.want/1, \"(v :int) -> \
         :int\"}}, \"each\" => {{&A.each/1, \"(v [:int]) -> :any\"}}}}, signature: \"() -> {output}\")\n"
    );
    found_in(HostKind::Elixir, &text, edition)
}

const ALL: [Edition; 3] = [Edition::V0_4, Edition::V0_5, Edition::V0_11];

/// Programs that succeed in these editions.
fn succeed(editions: &[Edition], programs: &[(&str, &str)]) {
    for edition in editions {
        for (program, output) in programs {
            for found in [found, found_in_run] {
                let found = found(program, output, *edition);
                assert!(found.is_empty(), "{edition}: {program}: {found:?}");
            }
        }
    }
}

/// Programs that fail in these editions, with all of the code after `return`, or all of it.
fn fail(editions: &[Edition], programs: &[(&str, &str)]) {
    for edition in editions {
        for (program, output) in programs {
            let found = found(program, output, *edition);
            let inner = program.strip_prefix("(return ");
            let value = inner.and_then(|it| it.strip_suffix(')')).unwrap_or(program);
            let value = value.replace("T/", &format!("{}/", edition.tool_namespace()));
            assert_eq!(
                found,
                [format!("returned-value: {value}")],
                "{edition}: {program}"
            );
        }
    }
}

/// A map may have a keyword and a string of one name. What tools give has strings for keys.
#[test]
fn keywords_and_strings_are_two_keys_of_a_map() {
    succeed(
        &ALL,
        &[
            ("(return (:name (merge {:name 5} (T/rec))))", ":int"),
            ("(return (merge {:name 5} (T/rec)))", "{name :int}"),
            ("(return (dissoc (T/rec) :id))", "{id :int, name :string}"),
            (
                "(return (dissoc {:id 1 :name \"x\"} \"name\"))",
                "{id :int, name :string}",
            ),
            ("(return (get (assoc (T/rec) :name 5) \"name\"))", ":string"),
            ("(return (:name (assoc (T/rec) :name 5)))", ":int"),
            ("(return (:a (assoc {:a 1} \"a\" \"x\")))", ":int"),
            ("(return (get (assoc {:a 1} \"a\" \"x\") \"a\"))", ":string"),
            ("(return (:a (update {:a 1} \"a\" (fn [x] \"x\"))))", ":int"),
            (
                "(return {:id 1 :name \"x\" \"name\" 5})",
                "{id :int, name :string}",
            ),
            (
                "(return {:id 1 :name (name :a) \"name\" (count [])})",
                "{id :int, name :string}",
            ),
            (
                "(let [r {:id 1 :name \"x\" \"name\" 5}] r)",
                "{id :int, name :string}",
            ),
            (
                "(return (assoc (select-keys (T/rec) [:id]) :id \"x\"))",
                "{id :string}",
            ),
            (
                "(return (update (T/rec) :name (fn [x] (:y x))))",
                "{id :int}",
            ),
        ],
    );
    fail(
        &ALL,
        &[
            ("(return (assoc {:n 1} :n :a))", "{n :int}"),
            ("(return (dissoc {:n 1 :m 2} :n))", "{n :int}"),
            ("(return (merge {:n 1} {:n 2.5}))", "{n :int}"),
            ("(return (update {:n 1} :n double))", "{n :int}"),
            ("(return (assoc (T/rec) :n 1))", "{ok :int}"),
            ("(return (assoc {:n 1} :a :b))", "{a :int}"),
        ],
    );
}

/// In edition 0.4, `and` gives `true` and `str` keeps a value; a number divides itself from edition 0.11 on.
#[test]
fn functions_follow_the_edition() {
    let early = [
        ("(let [b (and 5 7)] b)", ":bool"),
        ("(return (str 5))", ":int"),
        ("(return (map str (T/ints)))", "[:int]"),
        ("(return (apply str (T/ints)))", ":int"),
    ];
    succeed(&[Edition::V0_4], &early);
    succeed(&[Edition::V0_4], &[("(return (str 1 2))", ":string")]);
    fail(
        &[Edition::V0_4],
        &[
            ("(return (and 5 7))", ":int"),
            ("(return (str 1 2))", ":int"),
        ],
    );
    let late = [
        ("(return (and 5 7))", ":bool"),
        ("(return (str 5))", ":int"),
        ("(return (apply str (T/ints)))", ":int"),
    ];
    fail(&[Edition::V0_5, Edition::V0_11], &late);
    succeed(
        &[Edition::V0_4, Edition::V0_5],
        &[("(return (/ 3))", ":int")],
    );
    fail(&[Edition::V0_11], &[("(return (/ 3))", ":int")]);
    fail(&ALL, &[("(return (/ 6 3))", ":int")]);
}

/// Some functions return an argument as it is, or what is in none of them.
#[test]
fn functions_are_as_lax_as_they_are() {
    succeed(
        &ALL,
        &[
            ("(return (range 3.0))", "[:int]"),
            ("(return (concat {:a 1}))", "{a :int}"),
            ("(return (concat \"\"))", ":string"),
            ("(return (apply concat [{:a 1}]))", "{a :int}"),
            ("(return (apply concat {:a 1} []))", "{a :int}"),
            ("(return (reduce str [1]))", ":int"),
            ("(return (reduce str 1 []))", ":int"),
            ("(return (reduce + 0 []))", ":int"),
            ("(return (reduce (fn [a x] \"x\") 1 []))", ":int"),
            ("(return (mapcat (fn [x] {:k x}) [1 2]))", "[:any]"),
            ("(return (mapcat (fn [x] {:k x}) []))", "[:int]"),
        ],
    );
    fail(
        &ALL,
        &[
            ("(return (range 3))", "[:string]"),
            ("(return (concat [1] [2]))", "[:string]"),
            ("(return (apply concat [[1] [2]]))", "[:string]"),
            ("(return (reduce + [1 2]))", ":string"),
            ("(return (reduce + (T/floats)))", ":int"),
            ("(return (reduce conj [] (T/ints)))", "[:string]"),
            ("(return (reduce (fn [a x] (+ a x)) (T/ints)))", ":string"),
            ("(return (mapcat (fn [x] [x]) [1 2]))", "[:string]"),
        ],
    );
}

/// What comes after a `return` that may run is not what the program gives.
#[test]
fn a_return_may_be_anywhere() {
    succeed(
        &ALL,
        &[
            ("(map (fn [x] (return {:n x})) [1 2])", "{n :int}"),
            ("(or (return {:n 1}) 1)", "{n :int}"),
            ("(return (or (return {:n 1}) 1))", "{n :int}"),
            (
                "(filter (complement (fn [x] (return {:n x}))) [1 2])",
                "{n :int}",
            ),
            (
                "(let [f (fn [x] (return {:n x}))] (map (juxt f) [1 2]))",
                "{n :int}",
            ),
            ("(for [x [1]] (return {:n x}))", "{n :int}"),
            ("[(return {:n 1})]", "{n :int}"),
            ("(return [(return {:n 1})])", "{n :int}"),
            ("{:n \"x\" :m (return {:n 1})}", "{n :int}"),
        ],
    );
    fail(
        &ALL,
        &[
            ("(map (fn [x] {:n x}) [1 2])", "{n :int}"),
            ("(let [x (T/rec)] (count x))", "{n :int}"),
        ],
    );
}

/// `as->` puts the value into no step, and the tests of `cond->` are no steps.
#[test]
fn only_steps_of_threads_get_a_value() {
    for (program, expected) in [
        ("(as-> 5 x (T/want {}))", true),
        ("(as-> 5 x (T/want {:v x}))", false),
        ("(cond-> 7 (T/want {}) inc)", true),
        ("(cond->> 7 true inc (T/want {}) inc)", true),
        ("(cond-> {:v 7} true (T/want))", false),
        ("(-> {:v 7} (T/want))", false),
        ("(-> {:v 7} (-> (T/want)))", false),
        ("(-> {:v 7} (cond-> true (T/want)))", false),
        ("(-> (T/want {}) inc)", true),
    ] {
        let found = found(program, ":int", Edition::V0_11);
        let expected: &[_] = if expected {
            &["missing-argument: tool/want"]
        } else {
            &[]
        };
        assert_eq!(found, expected, "{program}");
    }
}

/// A string in a result is no number, wherever it is.
#[test]
fn strings_in_results_are_not_coerced() {
    fail(
        &ALL,
        &[
            ("(return (assoc {:n 1} :n \"x\"))", "{n :int}"),
            ("(return (map name (T/ints)))", "[:int]"),
            ("(let [s (str 1 2)] [s])", "[:float]"),
            ("(return (select-keys (T/rec) [:name]))", "{name :bool}"),
        ],
    );
    succeed(
        &ALL,
        &[("(return (assoc {:n 1} :n \"x\"))", "{n :keyword}")],
    );
}

#[test]
fn a_thread_may_end_with_return() {
    for edition in ALL {
        for (program, value) in [
            ("(-> {:n \"x\"} (return))", "{:n \"x\"}"),
            ("(->> {:n \"x\"} (return))", "{:n \"x\"}"),
            ("(-> {:n 1} (assoc :n \"x\") (return))", "(return)"),
        ] {
            let expected = [format!("returned-value: {value}")];
            assert_eq!(found(program, "{n :int}", edition), expected, "{program}");
        }
    }
    succeed(
        &ALL,
        &[
            ("(-> {:n 1} (return))", "{n :int}"),
            ("(-> {:n 1} (assoc :n 2) (return))", "{n :int}"),
            ("(-> (or (return {:n 1}) 1) (return))", "{n :int}"),
        ],
    );
}

#[test]
fn numbers_searches_and_questions_have_types() {
    fail(
        &ALL,
        &[
            ("(return (floor 2.5))", ":string"),
            ("(return (ceil 2.5))", ":string"),
            ("(return (round 2.5))", ":string"),
            ("(return (trunc 2.5))", ":string"),
            ("(return (index-of \"abc\" \"c\"))", ":string"),
            ("(return (last-index-of \"abc\" \"c\"))", ":string"),
            ("(return (sqrt 4))", ":int"),
            ("(return (pow 2 3))", ":int"),
            ("(return (re-split (re-pattern \",\") \"a,b\"))", "[:int]"),
            ("(return (parse-boolean \"true\"))", ":int"),
            ("(return (pos-int? 5))", ":int"),
            ("(return (double? 5))", ":string"),
        ],
    );
    let groups = "(return (re-seq (re-pattern \"(a)\") \"a\"))";
    succeed(&ALL, &[(groups, "[[:string]]"), (groups, "[:string]")]);
}

/// Releases 0.4.1, 0.5.1, 0.10.0 and 0.13.0 validate what the last form of `Lisp.run` evaluates to, and not what `return`
/// gives. They validate what agents return.
#[test]
fn a_run_validates_its_last_form() {
    for edition in ALL {
        for program in [
            "(return \"a\")",
            "(return (count []))",
            "(-> {:n 1} (return))",
            "(let [x 5] (return x))",
        ] {
            let none: [String; 0] = [];
            assert_eq!(found_in_run(program, ":bool", edition), none, "{program}");
            let found = found_of_agent(program, ":bool", edition);
            assert_eq!(found.len(), 1, "{edition}: {program}: {found:?}");
        }
    }
    fail(&ALL, &[("\"a\"", ":int"), ("(count [])", ":bool")]);
}

/// Asked of releases 0.4.1, 0.10.0 and 0.13.0.
#[test]
fn nil_is_one_of_any_optional_type() {
    succeed(
        &ALL,
        &[
            ("(and nil 1)", ":string?"),
            ("(when-let [x nil] 1)", ":string?"),
            ("(some->> nil (map inc))", ":string?"),
            ("(if (T/ints) 1)", ":string?"),
            ("(if (T/ints) nil 1)", ":string?"),
            ("(let [x (T/ints)] (when x 1))", ":string?"),
            ("{:a (and nil 1)}", "{a :string?}"),
        ],
    );
    fail(
        &ALL,
        &[
            ("(if (T/ints) 1 2)", ":string?"),
            ("(count [])", ":string?"),
            ("(when-let [x (T/ints)] 1)", ":string"),
        ],
    );
}

/// Asked of release 0.13.0.
#[test]
fn a_program_returns_no_string_for_a_datetime() {
    for edition in [Edition::V0_11, Edition::Next] {
        let literal = "\"2026-05-03T09:14:00Z\"";
        let found = found(&format!("{{:at {literal}}}"), "{at :datetime}", edition);
        assert_eq!(found, [format!("returned-value: {literal}")]);
        fail(
            &[edition],
            &[("(str 1)", ":datetime"), ("(return (str 1))", ":datetime")],
        );
        // The function of the tool may give another value.
        succeed(&[edition], &[("(return (:name (T/rec)))", ":datetime")]);
    }
}

/// Asked of releases 0.4.1, 0.5.1, 0.10.0 and 0.13.0.
#[test]
fn a_set_is_no_list() {
    fail(
        &ALL,
        &[
            ("#{1 2}", "[:int]"),
            ("(set [1 2])", "[:int]"),
            ("(return #{1 2})", "[:int]"),
            ("(let [s #{1}] s)", "[:int]"),
            ("#{1}", ":string"),
        ],
    );
    succeed(
        &ALL,
        &[
            ("#{1 2}", ":any"),
            ("(set [1])", ":any"),
            ("(vec #{1 2})", "[:int]"),
            ("#{(return [1])}", "[:int]"),
        ],
    );
    for edition in ALL {
        let nested = found("{:a #{1 2}}", "{a [:int]}", edition);
        assert_eq!(nested, ["returned-value: #{1 2}"], "{edition}");
        // Releases before 0.5.2 pass it on.
        let argument = found("(T/each {:v #{1 2}})", ":any", edition);
        let expected: &[_] = match edition < Edition::V0_5 {
            true => &[],
            false => &["value-type: #{1 2}"],
        };
        assert_eq!(argument, expected, "{edition}");
    }
}

/// Releases 0.4.1, 0.5.0 and 0.5.1 reject it; 0.10.0 and 0.13.0 accept it.
#[test]
fn an_integer_is_a_float_from_edition_0_5_on() {
    let programs = [
        ("5", ":float"),
        ("(+ 1 2)", ":float"),
        ("(return 5)", ":float"),
        ("(return (count []))", ":float"),
    ];
    fail(&[Edition::V0_4, Edition::V0_5_0], &programs);
    succeed(&[Edition::V0_5, Edition::V0_11], &programs);
    succeed(
        &[Edition::V0_4],
        &[("2.5", ":float"), ("(/ 4 2)", ":float")],
    );
}

/// Releases 0.4.1, 0.5.1 and 0.10.0 reject it; 0.13.0 accepts it.
#[test]
fn a_string_is_a_keyword_from_edition_0_11_on() {
    let programs = [
        ("\"a\"", ":keyword"),
        ("(str 1 2)", ":keyword"),
        ("(return \"a\")", ":keyword"),
    ];
    fail(&[Edition::V0_4, Edition::V0_5], &programs);
    succeed(&[Edition::V0_11], &programs);
}
