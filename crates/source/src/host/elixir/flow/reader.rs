//! Reads expressions from the elements of a statement or a list.

mod calls;
mod key;

pub use key::key_of;
pub(super) use key::keys_in;

use std::sync::Arc;

use super::{
    call::{Call, slices},
    expr::{Expr, MapKey},
    facts::EXECUTE,
};
use crate::{
    host::{
        elixir::{
            contract::{items, only_item, options, split},
            modules::Modules,
            names::{Binder, CAPTURED},
            statement::{ends_between, is_separator},
        },
        flow::{Key, KeyForm},
        token_tree::{Element, Kind},
    },
    text::TextSize,
};

/// The module of the library whose agents are followed.
pub const AGENTS: &str = "SubAgent";

/// How deep groups and calls in one another are read.
const MAX_DEPTH: usize = 16;

/// How many keys, calls and pipes may follow one another. Whoever follows an expression recurses.
const MAX_LINKS: usize = 64;

/// The elements of a list or map with more bytes are not followed.
pub const LONGEST_LIST: TextSize = TextSize::new(4096);

/// Whether a call that begins with `word` may read what is under a key.
pub fn is_accessor(word: &str) -> bool {
    matches!(
        word,
        "Map"
            | "Access"
            | "is_map_key"
            | "get_in"
            | "put_in"
            | "update_in"
            | "get_and_update_in"
            | "pop_in"
            | "hd"
            | "List"
            | "Enum"
            | "Stream"
            | "tap"
            | "dbg"
            | "IO"
    )
}

/// An expression and the index of the first element after it.
pub struct Parsed {
    /// The expression.
    pub expr: Arc<Expr>,
    /// The index.
    pub end: usize,
}

/// Reads expressions.
#[derive(Clone, Copy)]
pub struct Reader<'m> {
    modules: &'m Modules,
    depth: usize,
}

impl<'m> Reader<'m> {
    /// A reader of code in which modules mean what `modules` say.
    pub fn new(modules: &'m Modules) -> Self {
        Self { modules, depth: 0 }
    }

    /// The expression that all of `elements` is.
    pub fn whole(self, elements: &[Element<'_>]) -> Option<Arc<Expr>> {
        let parsed = self.chain(elements, 0)?;
        (parsed.end == elements.len()).then_some(parsed.expr)
    }

    /// The longest expression that begins at `at` of `elements`.
    pub fn chain(self, elements: &[Element<'_>], at: usize) -> Option<Parsed> {
        self.chain_with(elements, at, |_| {})
    }

    /// The same. Calls `mapped` with the lists in it that are piped into `Enum.map` and the like: the expression does not
    /// contain them.
    pub fn chain_with(
        self,
        elements: &[Element<'_>],
        at: usize,
        mut mapped: impl FnMut(Arc<Expr>),
    ) -> Option<Parsed> {
        let mut parsed = self.primary(elements, at)?;
        let mut links = 0;
        while let Some(next) = self.postfix(elements, &parsed) {
            links += 1;
            if links > MAX_LINKS {
                return None;
            }
            if matches!(*next.expr, Expr::Each(_)) {
                mapped(parsed.expr);
            }
            parsed = next;
        }
        Some(parsed)
    }

    fn deeper(self) -> Option<Self> {
        (self.depth < MAX_DEPTH).then_some(Self {
            depth: self.depth + 1,
            ..self
        })
    }

    fn primary(self, elements: &[Element<'_>], at: usize) -> Option<Parsed> {
        let first = elements.get(at)?;
        let expr = match first.kind() {
            Kind::Operator => return self.after_sign(elements, at),
            Kind::Symbol | Kind::Alias => match call_at(elements, at) {
                Some((name, parens)) => {
                    let arguments = items(&elements[parens]);
                    let call = Call {
                        path: &elements[at..=name],
                        arguments: slices(&arguments),
                        piped: None,
                    };
                    let expr = self.call(&call)?;
                    let end = parens + 1;
                    return Some(Parsed { expr, end });
                }
                None if first.kind() == Kind::Symbol && is_variable(first.text()) => {
                    named(Binder::Variable, first.text(), first)
                }
                None => return None,
            },
            Kind::FnBlock => {
                let body = self.deeper()?.whole(&returned(first)?)?;
                Arc::new(Expr::Function(body))
            }
            Kind::Brackets => {
                // What follows does not depend on the elements, if it gives each to a function.
                let is_piped = elements.get(at + 1).is_some_and(|it| it.text() == "|>");
                let unknown = || is_piped.then(|| Expr::List(Arc::new([])));
                Arc::new(self.list(first).or_else(unknown)?)
            }
            Kind::Parens => self.deeper()?.whole(&only_item(first)?)?,
            _ => return None,
        };
        let end = at + 1;
        Some(Parsed { expr, end })
    }

    /// What begins with an operator, the element at `at`: a captured argument, a module attribute or a map.
    fn after_sign(self, elements: &[Element<'_>], at: usize) -> Option<Parsed> {
        let (sign, next) = (elements.get(at)?, elements.get(at + 1)?);
        let expr = match (sign.text(), next.kind()) {
            ("&", _) if next.text() == "1" && touch(sign, next) => {
                named(Binder::Variable, CAPTURED, sign)
            }
            ("@", Kind::Symbol) => named(Binder::Attribute, next.text(), sign),
            ("%", Kind::Braces) if next.range.len() <= LONGEST_LIST => {
                Arc::new(self.map(next, items(next))?)
            }
            _ => return None,
        };
        let end = at + 2;
        Some(Parsed { expr, end })
    }

    fn list(self, list: &Element<'_>) -> Option<Expr> {
        let reader = self.deeper()?;
        if list.range.len() > LONGEST_LIST {
            return None;
        }
        if let Some(entries) = options(list) {
            return self.map(list, split(entries));
        }
        let mut elements = Vec::new();
        for item in items(list) {
            elements.push(Expr::clone(&*reader.whole(&item)?));
        }
        (!elements.is_empty()).then(|| Expr::List(elements.into()))
    }

    /// The values that are expressions of ours in a map or keyword list of these `entries`.
    fn map(self, map: &Element<'_>, entries: Vec<Vec<Element<'_>>>) -> Option<Expr> {
        let reader = self.deeper()?;
        let is_update = || entries.iter().flatten().any(|it| it.text() == "|");
        if !map.is_closed() || is_update() {
            return None;
        }
        let mut known = Vec::new();
        for item in entries {
            if let Some((key, value)) = MapKey::of(&item)
                && let Some(value) = reader.whole(value)
            {
                known.push(Expr::Entry(Box::new(key), value));
            }
        }
        (!known.is_empty()).then(|| Expr::List(known.into()))
    }

    fn postfix(self, elements: &[Element<'_>], base: &Parsed) -> Option<Parsed> {
        let next = elements.get(base.end)?;
        let last = elements.get(base.end.checked_sub(1)?)?;
        if next.kind() == Kind::Brackets && touch(last, next) {
            let items = items(next);
            let mut key = match items.as_slice() {
                [item] => key_of(item)?,
                _ => return None,
            };
            let after = elements.get(base.end + 1);
            key.may_be_atom = after.is_some_and(|it| it.text() == "||");
            return Some(Parsed {
                expr: Arc::new(base.expr.get(key)),
                end: base.end + 1,
            });
        }
        match next.text() {
            "." => self.after_dot(elements, base),
            "|>" => self.after_pipe(elements, base),
            _ => None,
        }
    }

    fn after_dot(self, elements: &[Element<'_>], base: &Parsed) -> Option<Parsed> {
        let name = elements.get(base.end + 1)?;
        if name.kind() == Kind::Parens {
            let expr = match &*base.expr {
                // `compiled.execute.(arguments)`
                Expr::Get(agent, key) => {
                    let is_execute =
                        key.form == KeyForm::Dot && key.name.as_deref() == Some(EXECUTE);
                    is_execute.then(|| Expr::Execute(Arc::clone(agent)))?
                }
                _ => Expr::Called(Arc::clone(&base.expr)),
            };
            return Some(Parsed {
                expr: Arc::new(expr),
                end: base.end + 2,
            });
        }
        let after = elements.get(base.end + 2);
        let is_called = after.is_some_and(|it| it.kind() == Kind::Parens && touch(name, it));
        if name.kind() != Kind::Symbol || is_called {
            return None;
        }
        let key = Key {
            name: Some(name.text().to_owned()),
            name_range: name.range,
            range: name.range,
            form: KeyForm::Dot,
            may_be_atom: false,
            may_be_missing: false,
        };
        Some(Parsed {
            expr: Arc::new(base.expr.get(key)),
            end: base.end + 2,
        })
    }

    fn after_pipe(self, elements: &[Element<'_>], base: &Parsed) -> Option<Parsed> {
        let at = base.end + 1;
        let (name, parens) = match call_at(elements, at) {
            Some((name, parens)) => (name, Some(parens)),
            None => (name_at(elements, at)?, None),
        };
        let arguments = parens.map_or(Vec::new(), |it| items(&elements[it]));
        let call = Call {
            path: &elements[at..=name],
            arguments: slices(&arguments),
            piped: Some(Arc::clone(&base.expr)),
        };
        Some(Parsed {
            expr: self.call(&call)?,
            end: parens.unwrap_or(name) + 1,
        })
    }
}

/// The last statement of a function of one clause, `fn … -> … end`, which is what it returns.
fn returned<'t>(function: &Element<'t>) -> Option<Vec<Element<'t>>> {
    let mut statement: Vec<Element<'t>> = Vec::new();
    let mut arrows = 0;
    let mut is_line_end = false;
    for element in function.elements() {
        if element.kind().is_trivia() {
            is_line_end |= element.kind() == Kind::Newline;
            continue;
        }
        arrows += usize::from(element.text() == "->");
        let after = (element.kind(), element.text());
        let ends =
            |last: &Element<'_>| ends_between((last.kind(), last.text()), after, is_line_end);
        // What closes the function ends the last statement.
        if statement.last().is_some_and(ends) && element.kind() != Kind::End {
            statement.clear();
        }
        if !is_separator(after) {
            statement.push(element);
        }
        is_line_end = false;
    }
    (arrows == 1 && !statement.is_empty()).then_some(statement)
}

/// A name that begins with `first`.
fn named(binder: Binder, name: &str, first: &Element<'_>) -> Arc<Expr> {
    Arc::new(Expr::Name {
        binder,
        name: name.to_owned(),
        at: first.range.start(),
    })
}

/// The index of the last name of a path that begins at `at`.
fn name_at(elements: &[Element<'_>], at: usize) -> Option<usize> {
    let mut name = at;
    loop {
        match elements.get(name)?.kind() {
            Kind::Symbol => return Some(name),
            Kind::Alias if elements.get(name + 1)?.text() == "." => name += 2,
            _ => return None,
        }
    }
}

/// The indices of a function's name and its parentheses, where a call begins at `at`.
fn call_at(elements: &[Element<'_>], at: usize) -> Option<(usize, usize)> {
    let name = name_at(elements, at)?;
    let parens = elements.get(name + 1)?;
    (parens.kind() == Kind::Parens && touch(&elements[name], parens)).then_some((name, name + 1))
}

fn touch(before: &Element<'_>, after: &Element<'_>) -> bool {
    before.range.end() == after.range.start()
}

fn is_variable(word: &str) -> bool {
    !matches!(
        word,
        "nil"
            | "true"
            | "false"
            | "not"
            | "and"
            | "or"
            | "in"
            | "when"
            | "case"
            | "cond"
            | "if"
            | "unless"
            | "with"
            | "for"
            | "try"
            | "receive"
            | "quote"
            | "do"
            | "else"
            | "rescue"
            | "after"
            | "catch"
    )
}
