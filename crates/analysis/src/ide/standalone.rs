//! Signatures and templates outside of documents, for scripts and for the examples of rules.

use foldhash::HashMap;

use crate::{
    ide::{
        Diagnostic, Severity,
        analysis::UnitAnalysis,
        fixes::safe_edits,
        fragment::Fragment,
        functions::Scope,
        tools::Tools,
        unit::{Input, Known, SharedTrees},
    },
    model::{Edition, Signature},
};
use signature_ls_source::{
    host::{Role, Site, Unit, evidence::Evidence},
    rare::Rare,
    syntax::fragment::Escapes,
    text::{Text, TextRange, TextSize},
};

/// The signature in `text`, unless it has errors, and all diagnostics. Ranges are in bytes.
pub fn check_signature(text: &str, edition: Edition) -> (Option<Signature>, Vec<Diagnostic>) {
    let analysis = analyze(&[(Role::Signature, text)], edition);
    let lowered = analysis.fragments.iter().find_map(Fragment::lowered);
    let signature = lowered.and_then(|it| it.accepted(edition)).cloned();
    (signature, analysis.into_diagnostics())
}

/// The diagnostics of a template without a signature. Ranges are in bytes.
pub fn check_template(text: &str, edition: Edition) -> Vec<Diagnostic> {
    analyze(&[(Role::Prompt, text)], edition).into_diagnostics()
}

/// The diagnostics of a prompt under a signature. Ranges are in bytes of the signature, a line end and the prompt.
pub fn check_prompt(signature: &str, prompt: &str, edition: Edition) -> Vec<Diagnostic> {
    let texts = [(Role::Signature, signature), (Role::Prompt, prompt)];
    analyze(&texts, edition).into_diagnostics()
}

fn analyze(texts: &[(Role, &str)], edition: Edition) -> UnitAnalysis {
    let mut unit = Unit::default();
    unit.evidence = Evidence::Certain;
    let mut document = String::new();
    for &(role, text) in texts {
        let range = TextRange::at(TextSize::of(document.as_str()), TextSize::of(text));
        let (name, escapes, foreign) = (None, Escapes::None, Rare::default());
        unit.sites.push(Site {
            role,
            name,
            literal: range,
            content: range,
            escapes,
            foreign,
        });
        document.push_str(text);
        document.push('\n');
    }
    unit.len = TextSize::of(document.as_str());
    let text = Text::from(document.as_str());
    let known = Known {
        edition,
        scope: &Scope::default(),
        tools: &Tools::unknown(edition),
        is_ours: true,
        shared: &SharedTrees::default(),
    };
    let input = Input {
        unit: &unit,
        text: &text,
        start: TextSize::default(),
        known,
    };
    UnitAnalysis::new(input, None, true)
}

/// The maximum number of rounds in which fixes may uncover further ones, such as nested unclosed brackets; more for a
/// short text than for a long one.
fn rounds(text: &str) -> usize {
    const BYTES: usize = 1 << 20;
    (BYTES / text.len().max(1)).clamp(16, 1024)
}

/// The signature after all safe fixes of its errors, and the codes of the fixed rules in order. If fixes lead back to
/// an earlier text, they end with it; if they never end, none is applied.
pub fn fix_signature(original: &str, edition: Edition) -> (String, Vec<&'static str>) {
    let mut text = original.to_owned();
    let mut applied: Vec<&'static str> = Vec::new();
    let mut seen: HashMap<String, usize> = HashMap::default();
    for _ in 0..rounds(original) {
        if let Some(&applied_before) = seen.get(&text) {
            applied.truncate(applied_before);
            return (text, applied);
        }
        seen.insert(text.clone(), applied.len());
        let (_, mut found) = check_signature(&text, edition);
        found.retain(|it| it.severity == Severity::Error && it.has_safe_fix());
        if found.is_empty() {
            return (text, applied);
        }
        let codes: Vec<_> = found.iter().map(|it| it.rule.code).collect();
        let mut fixed = text.clone();
        for edit in safe_edits(found).iter().rev() {
            edit.apply(&mut fixed);
        }
        // Among many unpaired brackets, added ones may remain unpaired too.
        if unmatched(&fixed) > unmatched(&text) {
            return (text, applied);
        }
        for code in codes {
            if !applied.contains(&code) {
                applied.push(code);
            }
        }
        text = fixed;
    }
    (original.to_owned(), Vec::new())
}

/// The number of unpaired brackets in `text`.
fn unmatched(text: &str) -> usize {
    let mut open = Vec::new();
    let mut stray = 0;
    for c in text.chars() {
        let opener = match c {
            '(' | '[' | '{' => {
                open.push(c);
                continue;
            }
            ')' => '(',
            ']' => '[',
            '}' => '{',
            _ => continue,
        };
        match open.last() == Some(&opener) {
            true => drop(open.pop()),
            false => stray += 1,
        }
    }
    open.len() + stray
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod strays;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::parse_signature;

    #[test]
    fn one_run_applies_all_fixes() {
        for text in [
            "[".repeat(40),
            "{a ".repeat(40),
            ":nt}t}t}t}t}t}t}t}t}t".to_owned(),
            format!("s [{}{{->:", "([".repeat(15)),
            format!("s [{}([([{{->:", "([".repeat(13) + "("),
        ] {
            let (fixed, _) = fix_signature(&text, Edition::Next);
            assert_eq!(fix_signature(&fixed, Edition::Next).0, fixed, "{text}");
        }
    }

    /// Also if the tree ends with an error for what is missing, which has no text.
    #[test]
    fn what_is_open_at_the_end_is_closed_there() {
        for (text, expected) in [
            ("(a :int", "(a :int) -> :any"),
            ("(a [:int", "(a [:int]) -> :any"),
            ("(a :int, b {c :int  ", "(a :int, b {c :int}) -> :any  "),
            ("(a {b", "(a {b :any}) -> :any"),
        ] {
            let found = check_signature(text, Edition::V0_11).1;
            let [only] = found.as_slice() else {
                panic!("{text}: {found:?}");
            };
            let mut fixed = text.to_owned();
            for edit in only.fixes[0].edits.iter().rev() {
                edit.apply(&mut fixed);
            }
            assert_eq!(fixed, expected);
        }
    }

    /// Unpaired closing brackets would be removed again.
    #[test]
    fn brackets_that_cannot_be_paired_are_not_closed() {
        for text in [
            format!("{}{}{}", "a(b".repeat(60), "{".repeat(12), "(c".repeat(4)),
            format!("{{a{}{}{}", "(b".repeat(64), "{".repeat(11), "(c".repeat(4)),
            format!("[{}{{{}", "(b".repeat(64), "(c".repeat(4)),
        ] {
            let (fixed, _) = fix_signature(&text, Edition::Next);
            let closers = |text: &str| text.matches(['}', ']', ')']).count();
            assert_eq!(closers(&fixed), 0, "{text}: {fixed}");
            let again = fix_signature(&fixed, Edition::Next);
            assert_eq!(again, (fixed, vec![]), "{text}");
        }
    }

    /// Every notation in the language's description, fixed.
    #[test]
    fn spellings_are_fixed() {
        let cases = [
            ("{:id :int :name :string}", "{id :int, name :string}"),
            ("{:id :int, :name :string}", "{id :int, name :string}"),
            (
                "{:customer {:id :int :name :string}}",
                "{customer {id :int, name :string}}",
            ),
            ("[{:id :int :name :string?}]", "[{id :int, name :string?}]"),
            ("-> {count :int}", "() -> {count :int}"),
            ("=> {count :int}", "() -> {count :int}"),
            ("(a :int) => :int", "(a :int) -> :int"),
            ("(a :int) → :int", "(a :int) -> :int"),
            ("(a :int) –> :int", "(a :int) -> :int"),
            ("(a :int) — :int", "(a :int) -> :int"),
            ("(xs : [:int]) -> :: {a :int}", "(xs [:int]) -> {a :int}"),
            ("{xs:: [:int], ys: %{a :int}}", "{xs [:int], ys {a :int}}"),
            ("(xs :: String.t()) -> :int", "(xs :string) -> :int"),
            (
                "[{xs:: String.t, y: map{a :int}}]",
                "[{xs :string, y {a :int}}]",
            ),
            (
                "[q :string, n: int?] -> :int",
                "(q :string, n :int?) -> :int",
            ),
            ("{\"xs\": \":int?\"}", "{xs :int?}"),
            ("(xs ':strng') -> [':int']", "(xs :string) -> [:int]"),
            ("() :any", "() -> :any"),
            ("(a :int)", "(a :int) -> :any"),
            ("(a :int) ->", "(a :int) -> :any"),
            ("(name: string) -> :int", "(name :string) -> :int"),
            (
                "(name:string, n: int?) -> :int",
                "(name:string, n :int?) -> :int",
            ),
            ("(count:integer) -> :int", "(count:int) -> :int"),
            (
                "(user: {name: string}) -> :int",
                "(user {name :string}) -> :int",
            ),
            ("list[string]", "[:string]"),
            (
                "(tags list[string]) -> list[{id int}]",
                "(tags [:string]) -> [{id :int}]",
            ),
            ("[string]", "[:string]"),
            ("{name string}", "{name :string}"),
            ("{name string age integer}", "{name :string, age :int}"),
            ("(a :int b :int) -> :int", "(a :int, b :int) -> :int"),
            ("(a :int,, b :int) -> :int", "(a :int, b :int) -> :int"),
            ("(a :int, b :int,) -> :int", "(a :int, b :int) -> :int"),
            ("(a :int, b [:int) -> :int", "(a :int, b [:int]) -> :int"),
            ("(a {b :int) -> :int", "(a {b :int}) -> :int"),
            ("(a :int -> :int", "(a :int) -> :int"),
            ("a :int) -> :int", "(a :int) -> :int"),
            ("(a :int]) -> :int", "(a :int) -> :int"),
            ("(items :list) -> :Bool", "(items [:any]) -> :bool"),
            (
                "(a :number, b :object, c :str) -> :null",
                "(a :float, b :map, c :string) -> :any?",
            ),
            ("[]", "[:any]"),
            ("", ":any"),
            ("(a, b) -> :int", "(a :any, b :any) -> :int"),
            ("search(q :string) -> [:map]", "(q :string) -> [:map]"),
            (
                "(q? string, n :int ?) -> ::int",
                "(q :string?, n :int?) -> :int",
            ),
            (
                "(tags list<string>, ids :Array<int>) -> Optional<int>",
                "(tags [:string], ids [:int]) -> :int?",
            ),
            ("list<list<{id int}>>", "[[{id :int}]]"),
            (
                "(name: String.t(), n integer()) -> list(DateTime.t())",
                "(name :string, n :int) -> [:string]",
            ),
            (
                "{name :String.t(), at Date.t()?}",
                "{name :string, at :string?}",
            ),
            ("String.t()", ":string"),
            ("(a :map{}) -> :map{ }", "(a :map) -> :map"),
            ("(a :int) -> map{b :int}", "(a :int) -> {b :int}"),
            (
                "Notes.search(q :string) -> :map{name :string}",
                "(q :string) -> {name :string}",
            ),
            (
                "(a :?int, b: ?int, c ?int) -> [:?int?]",
                "(a :int?, b :int?, c :int?) -> [:int?]",
            ),
            ("{by Map<string, int>, n Maybe[int]}", "{by :map, n :int?}"),
            ("() -> (a (b :int))", "() -> {a {b :int}}"),
            ("() -> ((a :int))", "() -> {a :int}"),
            ("() -> ([:int])", "() -> [:int]"),
            ("() -> (string)", "() -> :string"),
            (
                "{user {name :string}} -> :int",
                "(user {name :string}) -> :int",
            ),
            ("a :int, b (c :int) -> :int", "(a :int, b {c :int}) -> :int"),
            ("(a :int), {b :int}", "(a :int) -> {b :int}"),
            ("(a :int) ->, {b :int}", "(a :int) -> {b :int}"),
            ("def f(a :int) -> :int", "(a :int) -> :int"),
            ("defp f(a :int) -> :int", "(a :int) -> :int"),
            ("function f(a :int) -> :int", "(a :int) -> :int"),
            ("async def f(a :int) -> :int", "(a :int) -> :int"),
            ("fun f(a :int) -> :int", "(a :int) -> :int"),
            ("(a :list of :int) -> :int", "(a [:int]) -> :int"),
            ("(a list of int) -> :int", "(a [:int]) -> :int"),
            ("{a: set of lists of {b int}}", "{a [[{b :int}]]}"),
            ("{:b => :int, \"c\" => :string}", "{b :int, c :string}"),
            ("{:b => :int :c => int}", "{b :int, c :int}"),
            ("%{a: :int, b: %{\"c\" => \"int\"}}", "{a :int, b {c :int}}"),
            ("(a => %{b = :int}) -> :int", "(a {b :int}) -> :int"),
            ("{\"a\": \"int\"}", "{a :int}"),
            (
                "(a optional int, b maybe :string?) -> :int",
                "(a :int?, b :string?) -> :int",
            ),
        ];
        for (text, expected) in cases {
            let (fixed, applied) = fix_signature(text, Edition::V0_11);
            assert_eq!(fixed, expected, "{text} by {applied:?}");
            assert!(
                parse_signature(&fixed, Edition::V0_11).0.is_some(),
                "{fixed}"
            );
        }
    }

    #[test]
    fn what_is_right_stays() {
        for text in [
            "(a :int, b [:int]) -> {c :any?}",
            ":datetime",
            "(order-count :int) -> :int",
        ] {
            assert_eq!(
                fix_signature(text, Edition::V0_11),
                (text.to_owned(), vec![])
            );
        }
    }
}
