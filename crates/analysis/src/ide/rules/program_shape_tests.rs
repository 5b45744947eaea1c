//! Tests of programs that take a value for one of another shape, and of forms that no release reads.

use crate::{ide::testing::found_in, model::Edition};
use signature_ls_source::host::HostKind;

const ALL: [Edition; 4] = [Edition::V0_4, Edition::V0_5, Edition::V0_11, Edition::Next];

/// The diagnostics in the program of an agent. `T/` is the namespace of tools.
fn found(code: &str, edition: Edition) -> Vec<String> {
    let code = code.replace("T/", &format!("{}/", edition.tool_namespace()));
    let text = format!(
        "{{:tools {{\"rec\" \"() -> {{id :int, rows [{{id :int, ok :bool}}]}}\"\n         \"take\" \"(id :any, n :int?) -> \
         :int\"}}}}\n(defn ^{{:signature \"() -> :any\"}} run [] {code})\n"
    );
    found_in(HostKind::Lisp, &text, edition)
}

const READS: [&str; 9] = [
    "(:key VALUE)",
    "(get VALUE :key)",
    "(get VALUE \"key\")",
    "(get-in VALUE [:key])",
    "(-> VALUE :key)",
    "(some-> VALUE (get :key))",
    "(let [x VALUE] (x :key))",
    "(let [{:keys [key]} VALUE] key)",
    "(map :key [VALUE])",
];

/// Checks that each of `codes` is reported so in all editions.
#[track_caller]
fn check(codes: &[&str], expected: &[&str]) {
    for code in codes {
        for edition in ALL {
            assert_eq!(found(code, edition), expected, "{edition}: {code}");
        }
    }
}

#[test]
fn what_is_no_map_has_no_keys() {
    for value in [
        "(filter :ok (:rows (T/rec)))",
        "(sort-by :id (:rows (T/rec)))",
        "(map :id (:rows (T/rec)))",
        "(:rows (T/rec))",
        "(vals (group-by :id (:rows (T/rec))))",
        "(keys (T/rec))",
        "[(T/rec)]",
        "(last (seq (T/rec)))",
        "(str (T/rec))",
        "(count (T/rec))",
        "(:id (T/rec))",
    ] {
        for read in READS {
            let code = read.replace("VALUE", value);
            check(&[&code], &["unknown-field: key"]);
        }
    }
}

#[test]
fn entries_of_a_record_have_no_keys() {
    check(
        &[
            "(map :id (T/rec))",
            "(->> (T/rec) (filter :id))",
            "(sort-by :id (T/rec))",
            "(for [it (T/rec)] (:id it))",
            "(mapv #(:id %) (T/rec))",
            "(map (fn [it] (:id it)) (group-by :ok (:rows (T/rec))))",
            "(:id (last (seq (group-by :ok (:rows (T/rec))))))",
        ],
        &["unknown-field: id"],
    );
}

#[test]
fn what_may_be_a_map_has_keys() {
    check(
        &[
            "(map first (T/rec))",
            "(map (fn [[k v]] (map :id v)) (group-by :id (:rows (T/rec))))",
            "(map :id (vals {:a (T/rec)}))",
            "(map :id (:rows (T/rec)))",
            "(:key (into {} (map (fn [it] [(:id it) it]) (:rows (T/rec)))))",
            "(:key (filter :ok (:rows (T/rec))) 1)",
            "(get (str 1) :key 1)",
            "(let [{:keys [key] :or {key 1}} (keys (T/rec))] key)",
            "(:key (if (T/take {:id 1}) [1] {:key 1}))",
            "(:key (or (first (:rows (T/rec))) {}) 1)",
            "(contains? (keys (T/rec)) :key)",
        ],
        &[],
    );
}

#[test]
fn a_default_may_be_of_another_type() {
    let run = |code: &str, edition: Edition| {
        let text = format!(
            "Lisp.run(~S|{code}|, context: %{{ints: [1]}}, signature: \"(ints [:int]) -> :string\")\n"
        );
        found_in(HostKind::Elixir, &text, edition)
    };
    for edition in [Edition::V0_5, Edition::V0_11, Edition::Next] {
        for code in [
            "(get data/ints 9 \"none\")",
            "(get-in data/ints [9] \"none\")",
        ] {
            assert_eq!(run(code, edition), [""; 0], "{code}");
        }
        assert_eq!(run("(get data/ints 0)", edition).len(), 1);
    }
}

#[test]
fn a_map_has_a_value_for_each_key() {
    check(
        &[
            "(T/take {:id 1 :key})",
            "(T/take {:id {:key}})",
            "(return {:id 1 :key})",
            "(let [it {:id 1 :key}] it)",
            "(map (fn [it] {:id it :key}) [1 2])",
            "(return [{:id 1 :key}])",
        ],
        &["argument-without-value: :key"],
    );
    check(
        &[
            "(T/take {:id 1 #_:key})",
            "(return {})",
            "(let [{:keys [id]} (T/rec)] id)",
            "'{:id 1 :key}",
            "(comment {:key})",
            "(T/take {:id 1 :n",
        ],
        &[],
    );
}

#[test]
fn return_takes_one_value() {
    check(
        &[
            "(return :id 1)",
            "(return {:id 1} 1)",
            "(if 1 (return 2 1))",
        ],
        &["returned-value: 1"],
    );
    check(
        &[
            "(return 1)",
            "(return)",
            "(-> 1 (return))",
            "(return #_1 2)",
            "(return 1 #_2)",
        ],
        &[],
    );
}
