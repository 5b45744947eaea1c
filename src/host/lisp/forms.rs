//! The forms of a list, as the reader of the language sees them: what is discarded is not among them.

use crate::{
    host::token_tree::{Element, Kind, Level},
    text::{TextRange, TextSize},
};

/// What is in a list.
#[derive(Debug, Clone, Copy)]
pub enum Item<'t> {
    /// A form.
    Form(Form<'t>),
    /// The metadata of the form that comes next.
    Meta(Form<'t>),
}

/// A form with what precedes it: quotes, tags, dereferences.
#[derive(Debug, Clone, Copy)]
pub struct Form<'t> {
    /// The form without its prefixes.
    pub element: Element<'t>,
    /// All of it.
    pub range: TextRange,
    /// The prefix next to it, `^` where that is metadata, empty where it stands for itself.
    pub prefix: &'t str,
}

impl<'t> Form<'t> {
    /// Whether it stands for itself.
    pub fn is_bare(&self) -> bool {
        self.prefix.is_empty()
    }

    /// Whether it is a value that stands for itself: a number, a string, a map and the like.
    pub fn is_literal(&self) -> bool {
        let is_constant = |name| matches!(name, "nil" | "true" | "false");
        match self.element.kind {
            Kind::Symbol => self.as_symbol().is_some_and(is_constant),
            Kind::Parens => false,
            _ => self.is_bare(),
        }
    }

    /// The string that it is.
    pub fn as_string(&self) -> Option<Element<'t>> {
        (self.is_bare() && self.element.kind == Kind::String).then_some(self.element)
    }

    /// The name that it is.
    pub fn as_symbol(&self) -> Option<&'t str> {
        (self.is_bare() && self.element.kind == Kind::Symbol).then_some(self.element.text())
    }

    /// The keyword that it is, without its colon. Keywords of the own namespace (`::a`) are others.
    pub fn as_keyword(&self) -> Option<&'t str> {
        if !self.is_bare() || self.element.kind != Kind::Atom {
            return None;
        }
        let name = self.element.text().strip_prefix(':')?;
        (!name.starts_with(':')).then_some(name)
    }
}

/// Whether braces are those of a map.
pub fn is_map(element: &Element<'_>) -> bool {
    let opening = element.elements().next();
    element.kind == Kind::Braces && opening.is_some_and(|opening| opening.text() == "{")
}

/// The items of a list.
pub struct Items<'t> {
    elements: Level<'t>,
    /// The prefixes that take a whole form before the form that they precede.
    pending: Vec<Pending<'t>>,
    /// How many of them discard their form.
    discards: usize,
    /// What was read of the form that comes next.
    begun: Begun<'t>,
}

/// The prefixes of a form: where the first one begins, and the text of the last.
#[derive(Clone, Copy, Default)]
struct Begun<'t> {
    start: Option<TextSize>,
    prefix: &'t str,
}

/// A prefix that waits for its first form, and the form that goes on after that.
struct Pending<'t> {
    is_discard: bool,
    begun: Begun<'t>,
}

impl<'t> Items<'t> {
    /// The items among `elements`.
    pub fn new(elements: Level<'t>) -> Self {
        Self {
            elements,
            pending: Vec::new(),
            discards: 0,
            begun: Begun::default(),
        }
    }

    fn prefix(&mut self, element: &Element<'t>) {
        let with_prefix = |prefix| Begun {
            start: Some(self.begun.start.unwrap_or(element.range.start())),
            prefix,
        };
        match element.text() {
            "#_" => self.suspend(true, self.begun),
            "^" | "#^" => self.suspend(false, with_prefix("^")),
            other => self.begun = with_prefix(other),
        }
    }

    fn suspend(&mut self, is_discard: bool, begun: Begun<'t>) {
        self.pending.push(Pending { is_discard, begun });
        self.discards += usize::from(is_discard);
        self.begun = Begun::default();
    }

    fn form(&mut self, element: Element<'t>) -> Option<Item<'t>> {
        let Begun { start, prefix } = std::mem::take(&mut self.begun);
        let start = start.unwrap_or(element.range.start());
        let form = Form {
            element,
            range: TextRange::new(start, element.range.end()),
            prefix,
        };
        let Some(pending) = self.pending.pop() else {
            return Some(Item::Form(form));
        };
        self.begun = pending.begun;
        let is_discarded = self.discards > 0;
        self.discards -= usize::from(pending.is_discard);
        (!is_discarded).then_some(Item::Meta(form))
    }
}

impl<'t> Iterator for Items<'t> {
    type Item = Item<'t>;

    fn next(&mut self) -> Option<Item<'t>> {
        loop {
            let element = self.elements.next()?;
            match element.kind {
                kind if is_blank(kind) => {}
                Kind::Operator | Kind::Unknown => self.prefix(&element),
                _ => {
                    if let Some(item) = self.form(element) {
                        return Some(item);
                    }
                }
            }
        }
    }
}

/// Whether a token of this kind says nothing: white space, a bracket, a comma.
pub fn is_blank(kind: Kind) -> bool {
    kind.is_trivia()
        || matches!(
            kind,
            Kind::Comma
                | Kind::LParen
                | Kind::LBracket
                | Kind::LBrace
                | Kind::RParen
                | Kind::RBracket
                | Kind::RBrace
        )
}
