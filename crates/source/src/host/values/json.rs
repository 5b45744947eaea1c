//! Values of JSON and JSON5, without comments and trailing commas.
//!
//! Unfinished values are [`ValueKind::Dynamic`]: servers for JSON report the errors.

use crate::{
    host::{
        json::each_entry,
        token_tree::{Element, Kind, range_of},
    },
    syntax::{
        decode::decode,
        fragment::{Escapes, Fragment},
        room::make_room,
    },
    value::{Entry, Key, Value, ValueKind, json},
};

use super::MAX_DEPTH;

/// The value in `elements`; `None` if there are none.
pub fn value(elements: &[Element<'_>]) -> Option<Value> {
    let range = range_of(elements)?;
    Some(Value::new(kind(elements, 0), range))
}

fn kind(elements: &[Element<'_>], depth: usize) -> ValueKind {
    let known = match elements {
        [group] if matches!(group.kind(), Kind::Brackets | Kind::Braces) => match group.kind() {
            _ if depth == MAX_DEPTH => None,
            Kind::Brackets => list(group, depth),
            _ => map(group, depth),
        },
        [only] => match only.full_text() {
            text if text.starts_with('\'') => single_quoted(&text).map(ValueKind::String),
            text => json::read(&text).ok().map(|it| it.kind),
        },
        _ => None,
    };
    known.unwrap_or(ValueKind::Dynamic)
}

fn list(group: &Element<'_>, depth: usize) -> Option<ValueKind> {
    if !group.is_closed() {
        return None;
    }
    let mut items = Vec::new();
    let mut item = Vec::new();
    let (start, len) = (group.range.start(), group.range.len().into());
    let mut elements = group.elements().filter(|it| !it.kind().is_trivia()).skip(1);
    let mut next = elements.next();
    while let Some(element) = next {
        next = elements.next();
        if element.kind() != Kind::Comma && next.is_some() {
            item.push(element);
        } else if let Some(range) = range_of(&item) {
            make_room(&mut items, usize::from(range.start() - start), len);
            items.push(Value::new(kind(&item, depth + 1), range));
            item.clear();
        }
    }
    Some(ValueKind::list(items))
}

fn map(group: &Element<'_>, depth: usize) -> Option<ValueKind> {
    if !group.is_closed() {
        return None;
    }
    let mut entries = Vec::new();
    each_entry(group.elements(), &mut |entry| {
        let read = entry.read_of(group.range);
        make_room(&mut entries, read, group.range.len().into());
        entries.push(Entry {
            key: Key {
                name: name(&entry.key_element.full_text()),
                range: entry.key_range(),
                is_atom: false,
            },
            value: Value::new(kind(&entry.value, depth + 1), entry.value_range()),
        });
    });
    Some(ValueKind::map(entries))
}

/// The name that a key of an object is.
fn name(key: &str) -> Option<Box<str>> {
    match key.chars().next()? {
        '\'' => single_quoted(key),
        '"' => match json::read(key).ok()?.kind {
            ValueKind::String(name) => Some(name),
            _ => None,
        },
        _ => Some(key.into()),
    }
}

/// The text of a string in single quotes, if it is closed.
fn single_quoted(string: &str) -> Option<Box<str>> {
    let text = string.strip_prefix('\'')?.strip_suffix('\'')?;
    let decoded = decode(Fragment {
        escapes: Escapes::Backslash,
        ..Fragment::plain(text)
    });
    decoded.map(Into::into)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::value::testing::json_values;
    use crate::{
        host::{json::Json, token_tree},
        text::TextSize,
    };

    fn read(text: &str) -> Option<Value> {
        let tree = token_tree::parse::<Json>(text);
        let root = Element::node(&tree, TextSize::default());
        let elements: Vec<_> = root
            .elements()
            .filter(|it| !it.kind().is_trivia())
            .collect();
        value(&elements)
    }

    #[test]
    fn comments_and_trailing_commas_are_passed_over() {
        let text = "{\n  // a note\n  \"limit\": \"m\\u0061ny\", /* more */\n  \"all\": [1, 2.5, null,],\n}";
        let same = json::read(r#"{"limit": "many", "all": [1, 2.5, null]}"#).expect("JSON");
        assert_eq!(read(text), Some(same));
    }

    #[test]
    fn keys_and_strings_of_json5_are_read() {
        let text = "{limit: 'm\\'any', 'a-b': \"x\", $id: [1], \"c\": {d: true}}";
        let same = "{\"limit\": \"m'any\", \"a-b\": \"x\", \"$id\": [1], \"c\": {\"d\": true}}";
        assert_eq!(read(text), json::read(same).ok());
    }

    /// Or a sample in a sample would be read with each of those around it.
    #[test]
    fn what_is_deep_is_unknown() {
        let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(
            read(&nested(MAX_DEPTH)),
            json::read(&nested(MAX_DEPTH)).ok()
        );
        let deeper = read(&nested(MAX_DEPTH + 1)).expect("a value");
        let mut kind = &deeper.kind;
        while let ValueKind::List(items) = kind {
            kind = &items[0].kind;
        }
        assert_eq!(*kind, ValueKind::Dynamic);
    }

    #[test]
    fn what_is_not_finished_is_unknown() {
        for text in [
            "{\"a\": 1",
            "{a: 1",
            "'open",
            "'",
            "{a: ',}",
            "[1",
            "{\"a\": }",
            "\"open",
            "1 2",
            "+1",
            "nil",
        ] {
            let value = read(text).expect(text);
            let unknown = match &value.kind {
                ValueKind::Map(entries) => entries[0].value.kind.clone(),
                kind => kind.clone(),
            };
            assert_eq!(unknown, ValueKind::Dynamic, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_a_strict_reader_reads_is_read_alike(value in json_values()) {
            let text = json::write(&value);
            let strict = json::read(&text).expect("JSON");
            let ours = read(&text).expect("a value");
            prop_assert_eq!(format!("{ours:?}"), format!("{strict:?}"));
        }
    }
}
