//! Whether the value of a key reads like a signature.

use super::Evidence;

/// The type words of all editions.
pub(super) const TYPES: &[&str] = &[
    "string", "int", "float", "bool", "keyword", "any", "map", "datetime", "boolean",
];

/// Common mistakes for type words. Other languages have them too.
pub(super) const GUESSES: &[&str] = &[
    "str",
    "text",
    "integer",
    "number",
    "num",
    "long",
    "double",
    "decimal",
    "list",
    "array",
    "tuple",
    "object",
    "dict",
    "hash",
    "atom",
    "symbol",
    "date",
    "time",
    "timestamp",
    "json",
    "enum",
    "uuid",
    "struct",
    "record",
    "option",
    "optional",
    "maybe",
];

/// Words that only occur in the signatures of other languages.
const FOREIGN_WORDS: &[&str] = &[
    "self",
    "cls",
    "this",
    "void",
    "func",
    "fn",
    "def",
    "function",
    "var",
    "const",
    "let",
    "return",
    "public",
    "static",
    "async",
    "param",
    "result",
    "unit",
    "undefined",
    "unknown",
    "never",
    "i32",
    "i64",
    "f32",
    "f64",
    "u8",
    "u32",
    "u64",
    "usize",
    "ok",
    "error",
];

/// The evidence that `text`, without escapes, is a signature; `None` if it is not.
///
/// It reads like one if one of our types is in the place of a type: `:int` after a name and a space, a bracket or an
/// arrow, or at the start. It may be one if it has the form of a signature with type words that other languages have
/// too, and no type that only they have.
pub fn of_signature(text: &str) -> Option<Evidence> {
    let is_ours = |it: &Evidence| *it > Evidence::Possible || !has_foreign_types(text);
    of_signature_beside(text).filter(is_ours)
}

/// The evidence that `text`, without escapes, is a signature where another text is evidence too: beside a prompt, or in a
/// list of tools. There, a type of another language is a habit of the author.
pub fn of_signature_beside(text: &str) -> Option<Evidence> {
    let text = text.trim();
    if has_template_tag(text) || text.contains(":=>") {
        return None;
    }
    let is_whole = opens(text) || has_parameters(text);
    let mut types = marks(text).filter(|mark| mark.is_type(is_whole)).peekable();
    let is_typed = types.peek().is_some();
    let has_own_type = types.any(|mark| !mark.is_alone() && !mark.is_guess());
    if has_own_type && is_whole || is_typed && !has_unknown_types(text) || is_being_typed(text) {
        return Some(Evidence::Likely);
    }
    may_be_meant(text).then_some(Evidence::Possible)
}

/// Whether `text` has a `{{` that is not the start of a record.
fn has_template_tag(text: &str) -> bool {
    // Most texts have none, and this finds none faster.
    if !text.contains("{{") {
        return false;
    }
    let mut tags = text.split("{{").skip(1);
    let is_record = |tag: &str| {
        let inside = &tag[..tag.find("}}").unwrap_or(tag.len())];
        let mut after_colons = inside.split(" :").skip(1);
        after_colons.any(|it| TYPES.contains(&&it[..word_len(it)]))
    };
    tags.any(|tag| !is_record(tag))
}

/// A colon with a word after it.
struct Mark<'t> {
    text: &'t str,
    /// Where the colon is.
    at: usize,
    word: &'t str,
    /// Whether there is no colon before it.
    is_first: bool,
}

fn marks(text: &str) -> impl Iterator<Item = Mark<'_>> {
    let colons = memchr::memchr_iter(b':', text.as_bytes());
    colons.enumerate().filter_map(|(index, at)| {
        let rest = &text[at + 1..];
        let word = &rest[..word_len(rest)];
        let is_own = !text[..at].ends_with(':') && !word.is_empty();
        is_own.then_some(Mark {
            text,
            at,
            word,
            is_first: index == 0,
        })
    })
}

/// What precedes a type.
enum Before {
    /// A name and a space.
    Name,
    /// A keyword and a space, inside braces or parentheses.
    Keyword,
    /// A bracket, a name in quotes, an arrow after what an arrow may follow, or nothing.
    Place,
    /// An arrow after parameters.
    Params,
}

impl<'t> Mark<'t> {
    /// Whether it is a type; `is_whole` tells whether the whole text has the form of a signature.
    fn is_type(&self, is_whole: bool) -> bool {
        let Some(before) = self.before() else {
            return false;
        };
        let is_exact = TYPES.contains(&self.word);
        let is_closed = self.is_followed_by_an_end();
        match before {
            Before::Place => {
                let is_misspelt = self.text.starts_with('(') && is_slip(self.word);
                is_closed && (is_exact || is_misspelt) && !self.is_atom()
            }
            Before::Keyword => is_exact,
            Before::Params => is_exact || is_closed && is_slip(self.word),
            Before::Name => {
                let is_known = is_exact || is_slip(self.word) || GUESSES.contains(&self.word);
                let is_written_as_one = is_whole || self.is_early() && is_closed;
                let is_opened = is_exact || opens(self.text);
                is_known && is_opened && is_written_as_one
            }
        }
    }

    /// Whether it is the first in parentheses, where a name is expected before it.
    fn is_alone(&self) -> bool {
        self.text[..self.at].trim_end().ends_with('(')
    }

    /// Whether it is an atom in code: the first argument of a call, as in `cast(:string, value)`, or the first of several
    /// elements of a tuple.
    fn is_atom(&self) -> bool {
        let before = self.text[..self.at].trim_end();
        let rest = &self.text[self.at + 1 + self.word.len()..];
        match before.strip_suffix('(') {
            Some(called) => called.ends_with(is_word_char),
            None => before.ends_with('{') && rest.trim_start().starts_with(','),
        }
    }

    /// Whether its word is a type of other languages, and not similar to one of ours.
    fn is_guess(&self) -> bool {
        !TYPES.contains(&self.word) && !is_slip(self.word)
    }

    fn before(&self) -> Option<Before> {
        let touching = &self.text[..self.at];
        let before = touching.trim_end();
        let has_space = before.len() < touching.len();
        let Some(last) = before.chars().next_back() else {
            return Some(Before::Place);
        };
        match last {
            '(' | '[' | '{' | '<' => Some(Before::Place),
            '>' | '→' => after_arrow(before),
            '"' | '\'' | '`' if has_space => Some(Before::Place),
            last if has_space && is_word_char(last) => {
                let name = &before[before.len() - last_word_len(before)..];
                let ahead = &before[..before.len() - name.len()];
                let is_name = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
                match ahead.ends_with(':') {
                    _ if !is_name || is_in_keyword(ahead) => None,
                    true => (innermost_bracket(ahead) != Some('[')).then_some(Before::Keyword),
                    false => Some(Before::Name),
                }
            }
            '?' if has_space => Some(Before::Name),
            _ => None,
        }
    }

    /// Whether the text after the word may follow a type.
    fn is_followed_by_an_end(&self) -> bool {
        let rest = &self.text[self.at + 1 + self.word.len()..];
        let rest = rest.trim_start_matches('?').trim_start();
        let is_end = rest.starts_with([',', ')', ']', '}', '>', '|', '-', '=', '→']);
        rest.is_empty() || is_end
    }

    /// Whether only names, types and separators precede it.
    fn is_early(&self) -> bool {
        let is_part =
            |c: char| is_word_char(c) || c.is_whitespace() || matches!(c, ',' | '(' | '?');
        if !self.is_first {
            return false;
        }
        let before = &self.text[..self.at];
        let item = before.rsplit([',', '(']).next().unwrap_or(before);
        let is_one_word = item.split_whitespace().count() == 1;
        let words = before.split_whitespace().count();
        before.chars().all(is_part) && words <= 3 && is_one_word
    }
}

/// Whether an unknown word is in the place of a type: `-> row`, `-> :row`, `id :serial`.
fn has_unknown_types(text: &str) -> bool {
    let arrows = ["->", "=>", "→"].into_iter();
    let outputs = arrows.flat_map(|arrow| text.split(arrow).skip(1));
    let mut outputs = outputs.map(|it| {
        let rest = it.trim_start();
        &rest[..word_len(rest)]
    });
    let is_unknown = |word: &str| !word.is_empty() && !is_type_word(word);
    outputs.any(is_unknown) || marks(text).any(|mark| is_unknown(mark.word))
}

/// Whether `text` ends within a type that is being typed, as in `(id :` and `(id :in`.
fn is_being_typed(text: &str) -> bool {
    let written = text.trim_end_matches([')', ']', '}', ' ']);
    let Some(at) = written.rfind(':').filter(|_| opens(text)) else {
        return false;
    };
    let word = &written[at + 1..];
    let mark = Mark {
        text: written,
        at,
        word,
        is_first: false,
    };
    matches!(mark.before(), Some(Before::Name)) && TYPES.iter().any(|ty| ty.starts_with(word))
}

/// Whether `text` begins like a signature: with a bracket, a type or an arrow.
fn opens(text: &str) -> bool {
    let rest = text.strip_prefix(':').unwrap_or(text);
    rest.starts_with(['(', '[', '{'])
        || ["->", "=>", "→"]
            .iter()
            .any(|arrow| text.starts_with(arrow))
        || rest.len() < text.len() && rest.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Whether `text` has a name before its parameters, or parameters without parentheses: `search(q :string) -> :any`, `q
/// :string, n :int -> :any`. Its types are after names and spaces, its output after an arrow, and there is nothing
/// else.
fn has_parameters(text: &str) -> bool {
    let is_part = |c: char| is_word_char(c) || c.is_whitespace() || "(){}[],?:->".contains(c);
    let Some((params, output)) = text.split_once("->") else {
        return false;
    };
    let output = output.trim_start();
    // The hyphen of an arrow next to a name would belong to the name.
    let name_len = params.find(|c| !is_word_char(c)).unwrap_or(params.len());
    let is_output = output.starts_with('{') || {
        let word = output.trim_start_matches('[').strip_prefix(':');
        word.is_some_and(|word| TYPES.contains(&&word[..word_len(word)]))
    };
    let is_list = params[name_len..].starts_with('(') && params.trim_end().ends_with(')')
        || !params.contains(['(', ')']);
    // Atoms as arguments are code.
    let is_list = is_list && !params.contains("(:") && !params.contains(", :");
    name_len > 0 && is_output && is_list && text.chars().all(is_part)
}

/// What precedes the type after `before`, which ends as an arrow does; an arrow follows parameters, a type or nothing.
fn after_arrow(before: &str) -> Option<Before> {
    let mut arrows = ["->", "=>", "→"].iter();
    let ahead = arrows.find_map(|it| before.strip_suffix(it))?.trim_end();
    match ahead.chars().next_back() {
        Some(')') => Some(Before::Params),
        None | Some(']' | '}' | '?') => Some(Before::Place),
        Some(_) => None,
    }
}

/// Whether `before` ends within a keyword that has a namespace, as in `:user/name`.
fn is_in_keyword(before: &str) -> bool {
    let namespace = before.strip_suffix('/');
    namespace.is_some_and(|it| it[..it.len() - last_word_len(it)].ends_with(':'))
}

/// So many characters before a type are searched for the bracket that it is in.
const MOST_BEFORE: usize = 1024;

fn innermost_bracket(before: &str) -> Option<char> {
    let mut closed = 0;
    before.chars().rev().take(MOST_BEFORE).find(|c| {
        match c {
            ')' | ']' | '}' => closed += 1,
            '(' | '[' | '{' if closed == 0 => return true,
            '(' | '[' | '{' => closed -= 1,
            _ => {}
        }
        false
    })
}

/// Whether `word` is a type with one letter too many, missing, wrong or swapped.
pub(super) fn is_slip(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    // Shorter words are similar to too many others.
    let long = TYPES.iter().filter(|ty| ty.len() > 3);
    TYPES.contains(&word.as_str())
        || word.len() > 3 && long.into_iter().any(|ty| is_one_apart(&word, ty))
        || word.len() == 3 && TYPES.iter().any(|ty| is_swapped(&word, ty))
}

/// Whether `word` is `ty` with two neighbors swapped: `itn`.
fn is_swapped(word: &str, ty: &str) -> bool {
    let same = word
        .bytes()
        .zip(ty.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    word.len() == ty.len()
        && is_one_apart(word, ty)
        && word.as_bytes()[same + 1..] != ty.as_bytes()[same + 1..]
}

fn is_one_apart(a: &str, b: &str) -> bool {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a.as_bytes()[same..], &b.as_bytes()[same..]);
    match (a, b) {
        ([a0, a1, a_rest @ ..], [b0, b1, b_rest @ ..])
            if a0 == b1 && a1 == b0 && a_rest == b_rest =>
        {
            true
        }
        ([_, a_rest @ ..], [_, b_rest @ ..]) if a_rest == b_rest => true,
        ([_, a_rest @ ..], b) if a_rest == b => true,
        (a, [_, b_rest @ ..]) => a == b_rest,
        _ => false,
    }
}

/// Whether `text` has the form of a signature, without anything that only other languages have.
fn may_be_meant(text: &str) -> bool {
    let is_part =
        |c: char| c.is_alphanumeric() || c.is_whitespace() || "_-:,?()[]{}<>|=→.…!".contains(c);
    if !opens(text) || !text.chars().all(is_part) || has_foreign_signs(text) || is_lisp(text) {
        return false;
    }
    let words = || {
        text.split(|c: char| !is_word_char(c))
            .filter(|it| !it.is_empty())
    };
    let start = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    // With a colon, as other types here, it is only an unknown type.
    let is_foreign =
        |word: &str| FOREIGN_WORDS.contains(&word) && !ends_with_mark(&text[..start(word)]);
    if words().any(is_foreign) {
        return false;
    }
    let types = words().filter(|word| is_type_word(word));
    let mut places = types.map(start);
    // While it is being typed, a bracket is unpaired.
    places.any(|at| is_named(&text[..at]))
        || !text.contains(|c: char| c.is_alphanumeric() || c == '.')
}

/// Whether `text`, which has the form of a signature, can only be one of another language: it has a class (`None`), a type
/// with parameters (`list[str]`, `Promise<T>`) or alternatives, a parameter of one word, or no output, as in `(id uuid)`.
/// Types with colons before them, `a :Row`, are meant to be ours.
fn has_foreign_types(text: &str) -> bool {
    if marks(text).any(|mark| ends_with_mark(&text[..=mark.at])) {
        return false;
    }
    let is_class = |(at, first): (usize, char)| {
        let is_start = first.is_uppercase() && !text[..at].ends_with(is_word_char);
        let rest = text[at..].trim_start_matches(is_word_char);
        is_start && !rest.trim_start_matches(['?', ' ']).starts_with(':')
    };
    let is_applied = |(at, _): (usize, &str)| text[..at].ends_with(is_word_char);
    let is_alone = |it: &str| !it.trim().is_empty() && it.trim().chars().all(is_word_char);
    // A bracket alone is being typed.
    let is_begun = || text.trim().len() == 1 || text.contains(':') && !text.contains('(');
    !text.contains(['>', '→']) && !is_begun()
        || text.split(['(', ',', ')']).any(is_alone)
        || text.contains(['<', '|'])
        || text.match_indices('[').any(is_applied)
        || text.char_indices().any(is_class)
}

/// Whether `text` begins with the arguments of a function in Lisp: several bare words in a bracket, as in `[id date] -> map`.
fn is_lisp(text: &str) -> bool {
    let inside = text.strip_prefix('[').and_then(|it| it.split_once(']'));
    let Some((words, _)) = inside.filter(|(_, it)| it.trim_start().starts_with("->")) else {
        return false;
    };
    let mut words = words.split_whitespace();
    let is_list = words.clone().nth(1).is_some() && words.all(|it| it.chars().all(is_word_char));
    is_list && !text.contains(':')
}

/// Whether `text` has a default, `= 10`, a type after `):`, or a type with `!`, as in `[User!]!`.
fn has_foreign_signs(text: &str) -> bool {
    let has_default = text.split('=').skip(1).any(|it| !it.starts_with('>'));
    has_default
        || ["):", "!)", "!]", "!,", "]!"]
            .iter()
            .any(|it| text.contains(it))
}

fn is_type_word(word: &str) -> bool {
    TYPES.contains(&word) || GUESSES.contains(&word) || is_slip(word)
}

/// Whether `before` ends with the colon of a type: `a :void`, but not `a:void`.
fn ends_with_mark(before: &str) -> bool {
    let ahead = before.strip_suffix(':');
    ahead.is_some_and(|it| !it.ends_with(is_word_char))
}

/// Whether a name precedes the type at the end of `before`, as in `limit: int` and `limit :int`, or the bracket of a
/// list. The keywords in a vector, as in `[:map [:a :int]]`, are none.
fn is_named(before: &str) -> bool {
    let name = before.trim_end_matches([':', ' ']);
    let has_name = name.len() < before.len() && name.ends_with(is_word_char);
    let (ahead, word) = name.split_at(name.len() - last_word_len(name));
    let is_word = !is_type_word(word);
    let is_keyword = || ends_with_mark(ahead) && innermost_bracket(ahead) == Some('[');
    has_name && is_word && !is_keyword() || before.ends_with('[')
}

pub(super) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// The length of the word at the start of `text`; 0 if it does not begin with a letter.
pub(super) fn word_len(text: &str) -> usize {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return 0;
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

fn last_word_len(text: &str) -> usize {
    let start = text.rfind(|c| !is_word_char(c));
    let start = start.map_or(0, |at| {
        at + text[at..].chars().next().map_or(0, char::len_utf8)
    });
    text.len() - start
}

#[cfg(test)]
mod tests {
    /// The arguments of a function in Lisp, of which one may have the name of a type.
    #[test]
    fn a_vector_of_words_before_an_arrow_is_lisp() {
        for text in [
            "[location date] -> map",
            "[workflow-id worker-id] -> map",
            "[a string] -> [b]",
            "[x map number]->int",
        ] {
            assert_eq!(super::of_signature(text), None, "{text}");
            assert_eq!(super::of_signature_beside(text), None, "{text}");
        }
        for text in [
            "[query :string] -> :int",
            "[int] -> int",
            "[q string, n int] -> map",
        ] {
            assert!(super::of_signature_beside(text).is_some(), "{text}");
        }
    }

    use proptest::prelude::*;

    use super::*;

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
}
