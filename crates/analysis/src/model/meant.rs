//! The intended meaning of faulty words in a signature, so that other diagnostics need not wait for a fix.

use crate::model::{Edition, Type, lower, type_words};
use signature_ls_source::{
    syntax::{
        decode::unescaped,
        error::ErrorKind,
        kind::{SyntaxElement, SyntaxKind, SyntaxNode},
    },
    text::{TextEdit, TextRange, TextSize, size},
};

/// Longer texts are not examined.
const LONGEST: u32 = 400;

/// The type that the error node `node` certainly means.
pub(super) fn ty(node: &SyntaxNode, edition: Edition) -> Option<Type> {
    let text = type_text(node, edition)?;
    let ty = lower::sound_type(&text, edition)?;
    // Replacing parentheses by braces moves nothing.
    let is_in_place = node.kind() == SyntaxKind::Error(ErrorKind::ParenthesizedType)
        && TextSize::of(text.as_str()) == node.text_range().len();
    Some(match is_in_place {
        true => ty.moved(TextSize::default(), node.text_range().start()),
        false => ty.in_other_words(node.text_range(), same_record(node, &text)),
    })
}

/// Where the record in `meant` begins, there and around `node`, if `node` has it in the same words.
fn same_record(node: &SyntaxNode, meant: &str) -> Option<(TextSize, TextSize)> {
    let text = node.text().to_string();
    let here = record_in(meant)?;
    let there = record_in(&text)?;
    let is_same = meant[here] == text[there];
    is_same.then(|| (here.start(), node.text_range().start() + there.start()))
}

fn record_in(text: &str) -> Option<TextRange> {
    let (start, end) = (text.find('{')?, text.rfind('}')? + 1);
    (start < end).then(|| TextRange::new(size(start), size(end)))
}

/// The type that the error node `node` certainly means, in the correct notation.
pub fn type_text(node: &SyntaxNode, edition: Edition) -> Option<String> {
    if node.text_range().len() > LONGEST.into() {
        return None;
    }
    let text = unescaped(&node.text().to_string()).into_owned();
    let meant = match node.kind() {
        SyntaxKind::Error(ErrorKind::BareTypeWord) => certain_word(&text, edition),
        SyntaxKind::Error(ErrorKind::MalformedTypeWord) => {
            certain_word(&letters(&text), edition).map(|ty| marked_as(&text, &ty))
        }
        SyntaxKind::Error(ErrorKind::GenericType) => plain_type(&text, edition),
        SyntaxKind::Error(ErrorKind::ParenthesizedType) => {
            let edits = without_parentheses(node)?;
            Some(edited(node, &edits))
        }
        _ => None,
    };
    meant.filter(|ty| lower::sound_type(ty, edition).is_some())
}

/// The type that `word`, without its colon, certainly means.
pub fn certain_word(word: &str, edition: Edition) -> Option<String> {
    if type_words::primitive(word, edition).is_some() {
        return Some(format!(":{word}"));
    }
    let suggestion = type_words::suggest(word, edition);
    let first = suggestion.replacements.first()?;
    suggestion.certain.then(|| (*first).to_owned())
}

/// `ty`, optional if the type word `text` is.
pub fn marked_as(text: &str, ty: &str) -> String {
    match text.contains('?') {
        true => format!("{}?", ty.trim_end_matches('?')),
        false => ty.to_owned(),
    }
}

/// The letters of a type word that has other characters in it.
pub fn letters(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphabetic).collect()
}

/// A name without quotes around it.
pub fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`', '\\'])
}

/// The name in `text` if its only errors are quotes around it or a variable sign of another language.
pub(super) fn certain_name(text: &str) -> Option<String> {
    let name = name(text);
    let bare = unquoted(text).trim_start_matches(['$', '*', '&', '@']);
    (!name.is_empty() && name == bare).then_some(name)
}

/// The closest valid name to `text`; empty if none of it can be kept.
pub fn name(text: &str) -> String {
    let mut kept = String::new();
    for c in unquoted(text).chars() {
        match c {
            // A mark on the letter before it.
            '\u{300}'..='\u{36f}' => {}
            '-' => kept.push(c),
            _ if c.is_ascii_alphanumeric() => kept.push(c),
            _ => kept.push_str(latin(c)),
        }
    }
    let trimmed = kept.trim_matches('_');
    match trimmed.chars().next() {
        None => String::new(),
        Some(first) if first.is_ascii_alphabetic() => trimmed.to_owned(),
        Some(_) => format!("_{trimmed}"),
    }
}

/// The letters of ASCII for a lower-case Latin letter; `_` for any other character.
fn latin(c: char) -> &'static str {
    let found = LATIN.iter().find(|(letters, _)| letters.contains(c));
    found.map_or("_", |(_, ascii)| ascii)
}

const LATIN: [(&str, &str); 18] = [
    ("àáâãåā", "a"),
    ("äæ", "ae"),
    ("çćč", "c"),
    ("ďđ", "d"),
    ("èéêëēęě", "e"),
    ("ìíîïī", "i"),
    ("ł", "l"),
    ("ñńň", "n"),
    ("òóôõōø", "o"),
    ("öœ", "oe"),
    ("ř", "r"),
    ("śšş", "s"),
    ("ß", "ss"),
    ("ťţ", "t"),
    ("ùúûūů", "u"),
    ("ü", "ue"),
    ("ýÿ", "y"),
    ("źżž", "z"),
];

/// The type that the parameters of a type may mean, in text form.
pub fn generic_text(text: &str, edition: Edition) -> Option<String> {
    if text.len() > LONGEST as usize {
        return None;
    }
    plain_type(text, edition)
}

/// The type that `list[string]`, `list<string>`, `int[]`, `{id :int}[]` and the like mean, in text form.
fn plain_type(text: &str, edition: Edition) -> Option<String> {
    let text = text.trim();
    if text.starts_with('{') && !text.ends_with('}') {
        let element = text.strip_suffix("[]")?;
        return Some(format!("[{element}]"));
    }
    if text.starts_with(['{', '[']) {
        return Some(text.to_owned());
    }
    if let Some((word, ty)) = phrase(text) {
        let ty = plain_type(ty, edition)?;
        return Some(match word {
            "of" => format!("[{ty}]"),
            _ => optional(&ty),
        });
    }
    let Some(bracket) = text.find(['[', '<', '(', '{']) else {
        return plain_word(text, edition);
    };
    let (word, rest) = text.split_at(bracket);
    let inner = ["[]", "<>", "()", "{}"].iter().find_map(|pair| {
        let (open, close) = pair.split_at(1);
        rest.strip_prefix(open)?.strip_suffix(close)
    })?;
    let word = without_colons(word);
    let name = word.to_ascii_lowercase();
    match name.as_str() {
        "list" | "array" | "vector" | "seq" | "set" | "sequence" if inner.trim().is_empty() => {
            Some("[:any]".to_owned())
        }
        "list" | "array" | "vector" | "seq" | "set" | "sequence" => {
            Some(format!("[{}]", plain_type(inner, edition)?))
        }
        "map" | "dict" | "record" | "object" | "hash" => {
            Some(match rest.starts_with('{') && !inner.trim().is_empty() {
                true => rest.to_owned(),
                false => ":map".to_owned(),
            })
        }
        "optional" | "maybe" => Some(optional(&plain_type(inner, edition)?)),
        "" => plain_type(inner, edition),
        _ if !inner.trim().is_empty() => None,
        _ => {
            let ty = plain_word(word, edition)?;
            Some(match rest.starts_with('[') {
                true => format!("[{ty}]"),
                false => ty,
            })
        }
    }
}

/// Whether `text` is a type in words, such as `list of int` or `optional int`.
pub fn is_phrase(text: &str) -> bool {
    phrase(text.trim()).is_some()
}

/// The last word before the type in `list of int` or `optional int`, and the type.
fn phrase(text: &str) -> Option<(&'static str, &str)> {
    let (word, rest) = without_colons(text).split_once(|c: char| c.is_ascii_whitespace())?;
    let rest = rest.trim_start();
    let of = rest.split_once(|c: char| c.is_ascii_whitespace());
    match word.to_ascii_lowercase().as_str() {
        "optional" | "maybe" | "nullable" => Some(("optional", rest)),
        _ => of.and_then(|(of, ty)| of.eq_ignore_ascii_case("of").then_some(("of", ty))),
    }
}

/// `ty` with a `?`; no list or record takes one.
fn optional(ty: &str) -> String {
    match ty.starts_with(':') {
        true => format!("{}?", ty.trim_end_matches('?')),
        false => ":any?".to_owned(),
    }
}

/// A word without the colons before it, as those of specs in `:: String.t()`.
fn without_colons(text: &str) -> &str {
    text.trim_start_matches(|c: char| c == ':' || c.is_ascii_whitespace())
}

/// The type that a word means, with or without its colon.
fn plain_word(text: &str, edition: Edition) -> Option<String> {
    let text = match text.ends_with(".t") {
        true => without_colons(text),
        false => text,
    };
    if text.starts_with(':') {
        return Some(text.to_owned());
    }
    let word = text.trim_end_matches('?');
    // A name with its type, as in `a :string`, is more than one word.
    if word.contains(|c: char| c.is_whitespace() || c == ':') {
        return None;
    }
    let ty = match (
        word.strip_suffix(".t"),
        type_words::primitive(word, edition),
    ) {
        (Some(module), _) => type_words::is_text_module(module).then(|| ":string".to_owned())?,
        (None, Some(_)) => format!(":{word}"),
        (None, None) => (*type_words::suggest(word, edition).replacements.first()?).to_owned(),
    };
    Some(match word == text {
        true => ty,
        false => format!("{}?", ty.trim_end_matches('?')),
    })
}

/// The text of `node` after `edits` of its tree.
pub fn edited(node: &SyntaxNode, edits: &[TextEdit]) -> String {
    let mut text = node.text().to_string();
    for edit in edits.iter().rev() {
        let range = edit.range - node.text_range().start();
        TextEdit::replace(range, edit.insert.as_str()).apply(&mut text);
    }
    text
}

/// The edits that replace the parentheses around names by braces, and remove those around a type; `None` if they are
/// empty or not closed.
pub fn without_parentheses(node: &SyntaxNode) -> Option<Vec<TextEdit>> {
    let tokens = node
        .children_with_tokens()
        .filter_map(SyntaxElement::into_token)
        .filter(|token| token.kind() != SyntaxKind::Whitespace);
    let tokens: Vec<_> = tokens.collect();
    let [open, first, rest @ .., close] = tokens.as_slice() else {
        return None;
    };
    let is_type_word = first.kind() == SyntaxKind::Ident && rest.is_empty();
    let (opening, closing) = match first.kind() == SyntaxKind::Ident && !is_type_word {
        true => ("{", "}"),
        false => ("", ""),
    };
    Some(vec![
        TextEdit::replace(open.text_range(), opening),
        TextEdit::replace(close.text_range(), closing),
    ])
}
