//! Strings of the tree as literals with their content.

use crate::{
    host::{
        object::{self, Literal},
        token_tree::{Element, Kind},
    },
    syntax::fragment::{Escapes, Foreign, ForeignKind},
    text::{TextRange, TextSize},
};

/// The sigils that do not contain text, by name: regular expressions, words, charlists, dates and times. `~T` is
/// missing: it is also the sigil of prompt templates.
const OTHER_SIGILS: [&str; 8] = ["r", "R", "w", "W", "c", "C", "D", "N"];

/// The string that `value` is, with or without parentheses; `None` for anything else.
pub fn only_string<'t>(value: &[Element<'t>]) -> Option<Element<'t>> {
    let mut only = *exactly_one(value.iter())?;
    while only.kind() == Kind::Parens {
        only = only_element(&only)?;
    }
    is_text(&only).then_some(only)
}

/// The only element between parentheses. Reads as few of them as possible, because there may be many.
fn only_element<'t>(parens: &Element<'t>) -> Option<Element<'t>> {
    let mut elements = parens
        .elements()
        .filter(|it| !it.kind().is_trivia())
        .skip(1);
    let only = elements.next()?;
    let rest = elements.next();
    rest.is_none_or(|it| it.kind() == Kind::RParen)
        .then_some(only)
}

/// Whether `element` is a whole string of text.
pub fn is_text(element: &Element) -> bool {
    let is_text = match element.kind() {
        Kind::String | Kind::Heredoc => true,
        Kind::Sigil | Kind::SigilHeredoc => {
            let name = sigil_name(element);
            name != "U" && !OTHER_SIGILS.contains(&name)
        }
        _ => false,
    };
    is_text && element.is_closed()
}

/// Whether `element` is a `~T"…"` or `~PROMPT"…"`, which is always a template. `~T"12:00:00"` is a time, and so is one
/// with other delimiters.
pub fn is_template(element: &Element) -> bool {
    let is_time = || {
        let text = text_of(element);
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.');
        !text.is_empty() && text.chars().all(is_part)
    };
    let is_sigil = is_library_sigil(element) || opens(element, "~T\"") && !is_time();
    is_sigil && is_text(element)
}

/// Whether `element` is a `~PROMPT"…"`, which no other library has.
pub fn is_library_sigil(element: &Element) -> bool {
    opens(element, "~PROMPT\"")
}

fn opens(element: &Element, sigil: &str) -> bool {
    let opener = element.elements().next();
    opener.is_some_and(|it| it.text().starts_with(sigil))
}

/// The literal that a whole string is.
pub fn literal(string: &Element) -> Literal {
    let is_raw = sigil_name(string).starts_with(|name: char| name.is_ascii_uppercase());
    let parts = string.elements().skip(1);
    let start = content_start(string);
    let mut close = None;
    let mut foreign = Vec::new();
    for part in parts {
        close = Some(part.range.start());
        let (range, kind) = match part.kind() {
            Kind::Interpolation => (part.range, ForeignKind::Hole),
            // In a raw sigil, only the backslash before a delimiter is removed.
            Kind::Escape if is_raw => {
                let backslash = TextRange::at(part.range.start(), TextSize::of('\\'));
                (backslash, ForeignKind::Margin)
            }
            _ => continue,
        };
        let range = range - start;
        foreign.push(Foreign { range, kind });
    }
    Literal {
        literal: string.range,
        content: close.map_or(string.range, |close| TextRange::new(start, close)),
        escapes: if is_raw {
            Escapes::None
        } else {
            Escapes::Backslash
        },
        foreign: foreign.into(),
    }
}

/// Where the text in a string begins: after its opening delimiter.
pub fn content_start(string: &Element<'_>) -> TextSize {
    let open = string.elements().next();
    open.map_or(string.range.start(), |open| open.range.end())
}

/// The value of a whole string, with interpolations as written.
pub fn text_of(string: &Element) -> String {
    plain_text(string).unwrap_or_else(|| any_text(string))
}

/// The same for a closed string of plain text, in less time.
fn plain_text(string: &Element) -> Option<String> {
    let mut text = String::with_capacity(string.range.len().into());
    let mut parts = string.elements().skip(1).peekable();
    while let Some(part) = parts.next() {
        match part.kind() {
            Kind::Text => text.push_str(part.text()),
            Kind::StringClose if parts.peek().is_none() => return Some(text),
            _ => return None,
        }
    }
    None
}

fn any_text(string: &Element) -> String {
    let literal = literal(string);
    let text = string.full_text();
    let content = &text[literal.content - string.range.start()];
    object::text_of(content, literal.escapes).into_owned()
}

/// The key and the value in an entry of a map or a keyword list.
pub fn key_and_value<'s, 't>(
    entry: &'s [Element<'t>],
) -> Option<(&'s Element<'t>, &'s [Element<'t>])> {
    match entry {
        [key, value @ ..] if matches!(key.kind(), Kind::Key | Kind::QuotedKey) => {
            Some((key, value))
        }
        [key, arrow, value @ ..] if arrow.text() == "=>" => Some((key, value)),
        _ => None,
    }
}

/// The text of a key: `key:`, `"key":`, `:key`, `:"key"` or `"key"`; `None` with an interpolation.
pub fn key_text<'t>(key: &Element<'t>) -> Option<&'t str> {
    match key.kind() {
        Kind::Key => key.text().strip_suffix(':'),
        Kind::Atom => key.text().strip_prefix(':'),
        Kind::String | Kind::QuotedKey | Kind::QuotedAtom => {
            let is_body = |part: &Element| {
                !matches!(
                    part.kind(),
                    Kind::StringOpen
                        | Kind::CharlistOpen
                        | Kind::QuotedAtomOpen
                        | Kind::StringClose
                        | Kind::KeyClose
                )
            };
            let body = exactly_one(key.elements().filter(is_body))?;
            (body.kind() == Kind::Text).then(|| body.text())
        }
        _ => None,
    }
}

/// The name between a sigil's tilde and its delimiter; `""` for other strings.
fn sigil_name<'t>(string: &Element<'t>) -> &'t str {
    let opener = string.elements().next();
    let name = opener.and_then(|opener| opener.text().strip_prefix('~'));
    let name = name.unwrap_or_default();
    let end = name.find(|char: char| !char.is_ascii_alphanumeric());
    &name[..end.unwrap_or(name.len())]
}

fn exactly_one<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let one = items.next()?;
    items.next().is_none().then_some(one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{elixir::Elixir, token_tree};

    #[test]
    fn plain_text_is_read_as_any_text_is() {
        const BODIES: [&str; 6] = ["", "it's", "a\r\n  b\n", "a \\n b", "{{a}} #{b}", "'\\''"];
        const OPENERS: [(&str, &str); 6] = [
            ("\"", "\""),
            ("\"\"\"\n", "\n  \"\"\""),
            ("~S(", ")"),
            ("~s|", "|"),
            ("~T\"", "\""),
            ("~S\"\"\"\n", "\n\"\"\""),
        ];
        let mut count = 0;
        for (open, close) in OPENERS {
            for body in BODIES {
                let text = format!("{open}{body}{close}");
                let tree = token_tree::parse::<Elixir>(&text);
                let root = Element::node(&tree, TextSize::default());
                let string = root.elements().next().expect("a string");
                if let Some(plain) = plain_text(&string) {
                    count += 1;
                    assert_eq!(plain, any_text(&string), "{text}");
                }
            }
        }
        assert!(count > OPENERS.len());
    }
}
