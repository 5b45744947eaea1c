//! The text that a literal holds, for what is shown and not checked.
//!
//! What is checked is never decoded: it is lexed as it stands in the file.

use crate::syntax::fragment::{Escapes, ForeignKind, Fragment};

/// The text that `fragment` holds: without margins, every escape replaced by its character. `None` where an
/// interpolation stands in it.
pub fn decode(fragment: Fragment<'_>) -> Option<String> {
    let mut text = String::with_capacity(fragment.text.len());
    let mut start = 0;
    for foreign in fragment.foreign {
        if foreign.kind == ForeignKind::Hole {
            return None;
        }
        let before = fragment.text.get(start..foreign.range.start().into())?;
        push(before, fragment.escapes, &mut text);
        start = foreign.range.end().into();
    }
    push(fragment.text.get(start..)?, fragment.escapes, &mut text);
    Some(text)
}

fn push(raw: &str, escapes: Escapes, text: &mut String) {
    match escapes {
        Escapes::None => text.push_str(raw),
        Escapes::DoubledApostrophe => text.push_str(&raw.replace("''", "'")),
        Escapes::Backslash => push_unescaped(raw, text),
    }
}

fn push_unescaped(raw: &str, text: &mut String) {
    let mut rest = raw;
    while let Some((plain, escaped)) = rest.split_once('\\') {
        text.push_str(plain);
        rest = push_escape(escaped, text);
    }
    text.push_str(rest);
}

/// Adds the character whose backslash stands before `escaped`, and answers what follows it.
fn push_escape<'a>(escaped: &'a str, text: &mut String) -> &'a str {
    let mut chars = escaped.chars();
    match chars.next() {
        // A line that goes on.
        Some('\n') | None => {}
        Some('n') => text.push('\n'),
        Some('t') => text.push('\t'),
        Some('r') => text.push('\r'),
        Some('s') => text.push(' '),
        Some('u' | 'x') => return push_code_point(chars.as_str(), text),
        Some(other) => text.push(other),
    }
    chars.as_str()
}

/// `00e9` or `{1F388}`; what is none is left out.
fn push_code_point<'a>(digits: &'a str, text: &mut String) -> &'a str {
    let (digits, rest) = match digits.strip_prefix('{') {
        Some(braced) => braced.split_once('}').unwrap_or((braced, "")),
        None => {
            let is_digit = |byte: &u8| byte.is_ascii_hexdigit();
            digits.split_at(digits.bytes().take(4).take_while(is_digit).count())
        }
    };
    let code_point = u32::from_str_radix(digits, 16).ok();
    text.extend(code_point.and_then(char::from_u32));
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{syntax::fragment::Foreign, text::TextRange};

    fn decoded(text: &str, escapes: Escapes, foreign: &[Foreign]) -> Option<String> {
        decode(Fragment {
            text,
            escapes,
            foreign,
        })
    }

    #[test]
    fn escapes_become_their_characters() {
        let cases = [
            (r"plain é", Escapes::None, r"plain é"),
            (r"a\nb", Escapes::None, r"a\nb"),
            ("it''s", Escapes::DoubledApostrophe, "it's"),
            (r#"a\n\tb\s\"c\"\\"#, Escapes::Backslash, "a\n\tb \"c\"\\"),
            ("one \\\ntwo", Escapes::Backslash, "one two"),
            (r"\u00e9\x{1F388}\x41", Escapes::Backslash, "é🎈A"),
            (r"\u{zz}\u\ud83d!\", Escapes::Backslash, "!"),
        ];
        for (raw, escapes, text) in cases {
            assert_eq!(decoded(raw, escapes, &[]).as_deref(), Some(text), "{raw}");
        }
    }

    #[test]
    fn margins_are_left_out_and_holes_are_unknown() {
        let foreign = |start: u32, end: u32, kind| Foreign {
            range: TextRange::new(start.into(), end.into()),
            kind,
        };
        let margins = [foreign(2, 4, ForeignKind::Margin)];
        let text = decoded("a\n> b", Escapes::None, &margins);
        assert_eq!(text.as_deref(), Some("a\nb"));
        let hole = [foreign(1, 5, ForeignKind::Hole)];
        assert_eq!(decoded("a#{b}", Escapes::Backslash, &hole), None);
    }
}
