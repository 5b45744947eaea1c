//! Patterns: which names they bind to which parts of a value, and which keys they read.

use std::sync::Arc;

use crate::{
    host::{
        elixir::{
            contract::items,
            flow::{expr::Expr, reader::key_of},
            literal::key_text,
        },
        flow::{Key, KeyForm},
        token_tree::{Element, Kind},
    },
    text::{TextRange, TextSize},
};

/// How deep patterns in one another are read.
const MAX_DEPTH: usize = 16;

/// What a pattern says of the value that it is matched with.
#[derive(Debug, Default)]
pub struct Pattern<'t> {
    /// The names that it binds to parts of the value.
    pub names: Vec<(Element<'t>, Arc<Expr>)>,
    /// The parts that it reads.
    pub reads: Vec<Arc<Expr>>,
}

impl<'t> Pattern<'t> {
    /// Reads the pattern `elements`, which is matched with `value`.
    pub fn of(elements: &[Element<'t>], value: &Arc<Expr>) -> Self {
        let mut pattern = Self::default();
        let guard = elements.iter().position(|it| it.text() == "when");
        pattern.add(&elements[..guard.unwrap_or(elements.len())], value, 0);
        pattern
    }

    /// What the name is bound to.
    pub fn bound(&self, name: &str) -> Option<&Arc<Expr>> {
        let mut found = self.names.iter().filter(|(it, _)| it.text() == name);
        let (_, expr) = found.next()?;
        found.next().is_none().then_some(expr)
    }

    fn add(&mut self, elements: &[Element<'t>], value: &Arc<Expr>, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        match elements {
            [name] if name.kind() == Kind::Symbol => {
                self.names.push((*name, Arc::clone(value)));
            }
            [tuple] if tuple.kind() == Kind::Braces => {
                if let [tag, of] = items(tuple).as_slice()
                    && let [tag] = tag.as_slice()
                    && tag.text() == ":ok"
                {
                    self.add(of, &Arc::new(Expr::Ok(Arc::clone(value))), depth + 1);
                }
            }
            [name, equals, rest @ ..] if equals.text() == "=" => {
                self.add(std::slice::from_ref(name), value, depth + 1);
                self.add(rest, value, depth + 1);
            }
            [rest @ .., equals, name] if equals.text() == "=" => {
                self.add(std::slice::from_ref(name), value, depth + 1);
                self.add(rest, value, depth + 1);
            }
            [list] if list.kind() == Kind::Brackets => self.list(list, value, depth + 1),
            [percent, .., map] if percent.text() == "%" && map.kind() == Kind::Braces => {
                self.map(map, value, depth + 1);
            }
            _ => {}
        }
    }

    fn list(&mut self, list: &Element<'t>, value: &Arc<Expr>, depth: usize) {
        for item in items(list) {
            let mut parts = item.split(|it| it.text() == "|");
            let (first, rest) = (parts.next().unwrap_or_default(), parts.next());
            self.add(first, &Arc::new(Expr::Element(Arc::clone(value))), depth);
            if let Some(rest) = rest {
                self.add(rest, value, depth);
            }
        }
    }

    fn map(&mut self, map: &Element<'t>, value: &Arc<Expr>, depth: usize) {
        for item in items(map) {
            let (key, rest) = match item.as_slice() {
                [key, rest @ ..] if matches!(key.kind(), Kind::Key | Kind::QuotedKey) => {
                    (keyword(key), rest)
                }
                [key, arrow, rest @ ..] if arrow.text() == "=>" => {
                    (key_of(std::slice::from_ref(key)), rest)
                }
                _ => continue,
            };
            let Some(key) = key.filter(|it| it.name.is_some()) else {
                continue;
            };
            let part = Arc::new(value.get(key));
            self.reads.push(Arc::clone(&part));
            self.add(rest, &part, depth);
        }
    }
}

/// `count:`
fn keyword(key: &Element<'_>) -> Option<Key> {
    let name = key_text(key)?;
    let quote = match key.kind() {
        Kind::QuotedKey => TextSize::of('"'),
        _ => TextSize::default(),
    };
    Some(Key {
        name: Some(name.to_owned()),
        name_range: TextRange::at(key.range.start() + quote, TextSize::of(name)),
        range: key.range,
        form: KeyForm::Pattern,
        may_be_atom: false,
        may_be_missing: false,
    })
}
