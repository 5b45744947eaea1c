//! Builds values from the events of the parser.

use foldhash::HashMap;
use saphyr_parser::{Event, Parser, Span, Tag};

use crate::{
    text::{TextRange, TextSize, size},
    value::{
        Entry, Key, MAX_DEPTH, Value, ValueKind,
        yaml::{Error, ErrorKind, scalar},
    },
};

/// The maximum number of values that all aliases together may add.
const MAX_ALIASED: usize = 100_000;

/// The merge key of YAML 1.1. The core schema of 1.2 dropped it, but most parsers support it.
const MERGE_KEY: &str = "<<";

/// Parses all of `text` as one document. A text without one is null.
pub fn read(text: &str) -> Result<Value, Error> {
    let mut reader = Reader {
        places: Places::new(text),
        open: Vec::new(),
        anchors: HashMap::default(),
        aliased: 0,
        documents: 0,
        root: Value::new(ValueKind::Null, TextRange::default()),
    };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let at = reader.places.offset(error.marker().index());
            let kind = ErrorKind::Syntax(error.info().to_owned());
            Error {
                kind,
                range: TextRange::empty(at),
            }
        })?;
        let range = reader.places.range(span);
        reader
            .event(event, range)
            .map_err(|kind| Error { kind, range })?;
    }
    Ok(reader.root)
}

struct Reader {
    places: Places,
    open: Vec<Open>,
    anchors: HashMap<usize, Anchored>,
    aliased: usize,
    documents: usize,
    root: Value,
}

/// A list or a map that is still open.
struct Open {
    start: TextSize,
    /// 0 if there is none.
    anchor: usize,
    is_dynamic: bool,
    items: Items,
    extent: Extent,
}

enum Items {
    List(Vec<Value>),
    Map(Vec<Entry>, Option<Key>),
}

/// A value and its size.
struct Anchored {
    value: Value,
    extent: Extent,
}

#[derive(Clone, Copy)]
struct Extent {
    /// The number of values in it, including itself.
    values: usize,
    /// The levels of lists and maps in it.
    depth: usize,
}

impl Extent {
    const SCALAR: Self = Self {
        values: 1,
        depth: 0,
    };
}

impl Reader {
    fn event(&mut self, event: Event<'_>, range: TextRange) -> Result<(), ErrorKind> {
        match event {
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(ErrorKind::SecondDocument);
                }
                Ok(())
            }
            Event::Scalar(text, style, anchor, tag) => {
                if self.awaits_key() {
                    return self.key(&text, range);
                }
                let kind = scalar::resolve(&text, style, tag.as_deref())?;
                self.complete(Value::new(kind, range), Extent::SCALAR, anchor)
            }
            Event::SequenceStart(anchor, tag) => {
                self.begin(Items::List(Vec::new()), anchor, tag.as_deref(), range)
            }
            Event::MappingStart(anchor, tag) => {
                self.begin(Items::Map(Vec::new(), None), anchor, tag.as_deref(), range)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(range),
            Event::Alias(anchor) => self.alias(anchor, range),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
        }
    }

    fn awaits_key(&self) -> bool {
        let innermost = self.open.last().map(|open| &open.items);
        matches!(innermost, Some(Items::Map(_, None)))
    }

    fn key(&mut self, text: &str, range: TextRange) -> Result<(), ErrorKind> {
        if let Some(Items::Map(_, key)) = self.open.last_mut().map(|open| &mut open.items) {
            let name = (text != MERGE_KEY).then(|| text.into());
            *key = Some(Key {
                name,
                range,
                is_atom: false,
            });
        }
        Ok(())
    }

    fn begin(
        &mut self,
        items: Items,
        anchor: usize,
        tag: Option<&Tag>,
        range: TextRange,
    ) -> Result<(), ErrorKind> {
        if self.awaits_key() {
            return Err(ErrorKind::CompoundKey);
        }
        if self.open.len() == MAX_DEPTH {
            return Err(ErrorKind::TooDeep);
        }
        self.open.push(Open {
            start: range.start(),
            anchor,
            is_dynamic: tag.is_some_and(|tag| !tag.is_yaml_core_schema()),
            items,
            extent: Extent {
                values: 1,
                depth: 1,
            },
        });
        Ok(())
    }

    fn end(&mut self, range: TextRange) -> Result<(), ErrorKind> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let (last, kind) = match open.items {
            Items::List(items) => (items.last().map(|item| item.range), ValueKind::list(items)),
            Items::Map(entries, _) => {
                let last = entries.last().map(|entry| entry.value.range);
                (last, ValueKind::map(entries))
            }
        };
        let kind = if open.is_dynamic {
            ValueKind::Dynamic
        } else {
            kind
        };
        // A block has no closing mark: its end is reported where the next event begins.
        let end = match last {
            Some(last) if range.is_empty() => last.end(),
            _ => range.end(),
        };
        let range = TextRange::new(open.start, end.max(open.start));
        self.complete(Value::new(kind, range), open.extent, open.anchor)
    }

    fn alias(&mut self, anchor: usize, range: TextRange) -> Result<(), ErrorKind> {
        let anchored = self.anchors.get(&anchor).ok_or(ErrorKind::CyclicAlias)?;
        if self.awaits_key() {
            let ValueKind::String(text) = &anchored.value.kind else {
                return Err(ErrorKind::CompoundKey);
            };
            let text = text.clone();
            return self.key(&text, range);
        }
        let extent = anchored.extent;
        self.aliased += extent.values;
        if self.aliased > MAX_ALIASED {
            return Err(ErrorKind::TooManyAliases);
        }
        if self.open.len() + extent.depth > MAX_DEPTH {
            return Err(ErrorKind::TooDeep);
        }
        let value = Value::new(anchored.value.kind.clone(), range);
        self.complete(value, extent, 0)
    }

    /// Adds a value to the open list or map.
    fn complete(&mut self, value: Value, extent: Extent, anchor: usize) -> Result<(), ErrorKind> {
        if anchor != 0 {
            let value = value.clone();
            self.anchors.insert(anchor, Anchored { value, extent });
        }
        let Some(open) = self.open.last_mut() else {
            self.root = value;
            return Ok(());
        };
        open.extent.values += extent.values;
        open.extent.depth = open.extent.depth.max(extent.depth + 1);
        match &mut open.items {
            Items::List(items) => items.push(value),
            Items::Map(entries, key) => {
                if let Some(key) = key.take() {
                    entries.push(Entry { key, value });
                }
            }
        }
        Ok(())
    }
}

/// Converts the parser's positions, which count characters, to bytes.
struct Places {
    /// The byte offset of each character; empty if the text is ASCII.
    bytes: Vec<TextSize>,
    len: TextSize,
}

impl Places {
    fn new(text: &str) -> Self {
        let bytes = if text.is_ascii() {
            Vec::new()
        } else {
            text.char_indices().map(|(byte, _)| size(byte)).collect()
        };
        Self {
            bytes,
            len: size(text.len()),
        }
    }

    fn offset(&self, char: usize) -> TextSize {
        if self.bytes.is_empty() {
            return size(char).min(self.len);
        }
        self.bytes.get(char).copied().unwrap_or(self.len)
    }

    fn range(&self, span: Span) -> TextRange {
        let start = self.offset(span.start.index());
        let end = self.offset(span.end.index());
        TextRange::new(start, end.max(start))
    }
}
