use proptest::prelude::*;

use super::{foreign::FOREIGN_WORDS, *};

/// The arguments of a function in Lisp, of which one may have the name of a type.
#[test]
fn a_vector_of_words_before_an_arrow_is_lisp() {
    for text in [
        "[location date] -> map",
        "[workflow-id worker-id] -> map",
        "[a string] -> [b]",
        "[x map number]->int",
    ] {
        assert_eq!(of_signature(text), None, "{text}");
        assert_eq!(of_signature_beside(text), None, "{text}");
    }
    for text in [
        "[query :string] -> :int",
        "[int] -> int",
        "[q string, n int] -> map",
    ] {
        assert!(of_signature_beside(text).is_some(), "{text}");
    }
}

/// What precedes a type is looked at once, not again for each type.
#[test]
fn a_long_text_is_judged_at_once() {
    let word = "a".repeat(1 << 18);
    for types in ["b: c :int ", " :x", "?:int", ") :int "] {
        let text = format!("{word}{}", types.repeat(1 << 15));
        assert_eq!(of_signature(&text), None, "{types}");
    }
}

proptest! {
    #[test]
    fn any_text_is_judged(pieces in proptest::collection::vec(
        proptest::sample::select(vec![
            "a", "a-", "->", "-", " ", "(", ")", "[", "{", ":", ":int", "string", ",", "?", "é", "=>", "→", "\n",
        ]),
        0..10,
    )) {
        of_signature(&pieces.concat());
    }
}

#[test]
fn a_misspelt_type_is_meant() {
    for text in [
        "{answer :itn}",
        "(q :string) -> :nay",
        "() -> :stirng",
        "() -> [:ayn]",
        "{a :mpa, b :int}",
    ] {
        assert_eq!(of_signature(text), Some(Evidence::Likely), "{text}");
    }
    for text in [
        "{answer :ant}",
        "() -> :ok",
        "(a) -> :row",
        "f(x) -> :éan",
        "{a :éan}",
    ] {
        assert_ne!(of_signature(text), Some(Evidence::Likely), "{text}");
    }
}

#[test]
fn a_type_may_touch_its_arrow() {
    for text in [
        "() ->:int",
        "()->:int",
        "(a:int)->:int",
        "()→:strng",
        "->:map",
    ] {
        assert_eq!(of_signature(text), Some(Evidence::Likely), "{text}");
    }
    for text in [
        "(number)->number",
        "(a:number)->row",
        "{:name=>:string}",
        "{'name'=>:string}",
        "list(:a, :b)->:any",
        "greet(name)->:ok",
    ] {
        assert_ne!(of_signature(text), Some(Evidence::Likely), "{text}");
    }
}

#[test]
fn an_arrow_may_be_next_to_a_name() {
    for text in ["a->", "a-b->", "-->", "s->:int"] {
        of_signature(text);
    }
}

/// A word of another language counts against a text only in the notation of that language.
#[test]
fn a_colon_makes_a_word_one_of_our_types() {
    for word in FOREIGN_WORDS {
        for (text, expected) in [
            (format!("(a :number) -> :{word}"), Some(Evidence::Possible)),
            (
                format!("(a :number, b :{word}) -> row"),
                Some(Evidence::Possible),
            ),
            (format!("[:{word}, :number]"), None),
            (format!("(a: number) -> {word}"), None),
            (format!("(a:number, b:{word}) -> row"), None),
            (format!("({word} x, a: number) -> row"), None),
        ] {
            assert_eq!(of_signature(&text), expected, "{text}");
        }
    }
}

/// One type that only another language has is enough, unless another text shows that its author means ours.
#[test]
fn types_of_other_languages_are_foreign() {
    for text in [
        "(p: str) -> Dict[str, Any]",
        "(a: int, b: Optional[str]) -> int",
        "(x: str) -> None",
        "(a: number) => Promise<string>",
        "(a: string[]) => number",
        "(p: str | Path) -> str",
        "(a: number) => map<string>",
        "(user_id uuid)",
        "(limit: int)",
        "(order: number, number) -> number",
        "(id integer, name text)",
        "()",
    ] {
        assert_eq!(of_signature(text), None, "{text}");
        let beside = of_signature_beside(text);
        assert_eq!(beside, Some(Evidence::Possible), "{text}");
    }
    for (text, evidence) in [
        ("(limit: int) -> int", Evidence::Possible),
        ("(userName: str) -> list", Evidence::Possible),
        ("{count: integer}", Evidence::Possible),
        ("(", Evidence::Possible),
        ("(ID: int) -> int", Evidence::Possible),
        ("(name :text) -> row", Evidence::Possible),
        ("(name :text, of :Row) -> row", Evidence::Possible),
        ("(x :string) -> Dict[str, Any]", Evidence::Likely),
        ("(q :String) -> None", Evidence::Likely),
    ] {
        assert_eq!(of_signature(text), Some(evidence), "{text}");
        assert_eq!(of_signature_beside(text), Some(evidence), "{text}");
    }
    for text in [
        "(self, x: int) -> str",
        "(a: int = 100) -> int",
        "(a: number) => void",
    ] {
        assert_eq!(of_signature_beside(text), None, "{text}");
    }
}

/// The words of a vector are no names.
#[test]
fn schemas_in_vectors_are_foreign() {
    for text in [
        "[:map [:a :int]]",
        "[:map [:a :int] [:b :string]]",
        "[:vector :int]",
        "[:=> [:cat :int] :int]",
    ] {
        assert_eq!(of_signature(text), None, "{text}");
    }
    assert_eq!(of_signature("[{:id :int}]"), Some(Evidence::Likely));
    assert_eq!(of_signature("[{:id :number}]"), Some(Evidence::Possible));
}
