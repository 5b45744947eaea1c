//! What a name is bound to.

use super::{
    super::{
        contract::options,
        flow::{
            expr::Expr,
            reader::{LONGEST_LIST, Reader},
        },
        literal::{content_start, literal, only_string, text_of},
        tools::form,
    },
    Says,
};
use crate::{
    host::{
        evidence::{self, Evidence},
        flow::SharedText,
        object::Literal,
        token_tree::{Element, Kept, Kind},
    },
    later::Later,
    text::{TextRange, TextSize},
};

/// What a name is bound to: a string, a map of tools, or what makes a tool or an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// What it is, counted from where it begins.
    pub(super) elements: Box<[Kept]>,
    /// How sure it is that it is a signature.
    pub signature: Option<Evidence>,
    /// Whether it reads as a prompt.
    pub is_prompt: bool,
    /// The expression of agents and steps that it is, counted from where it begins.
    pub(super) flow: Option<Box<Expr>>,
    /// The text of the string that it is, once that is read.
    pub(super) text: Later<SharedText>,
}

/// What a name is bound to and where that begins.
#[derive(Debug, Clone, Copy)]
pub struct BoundAt<'n> {
    /// What it is.
    pub bound: &'n Bound,
    /// Where it begins.
    pub start: TextSize,
}

impl Bound {
    /// Keeps `value`, if it is of interest.
    pub(super) fn of(value: &[Element<'_>], reader: Reader<'_>) -> Option<Box<Self>> {
        let start = value.first()?.range.start();
        let text = only_string(value).map(|string| text_of(&string));
        let flow = match text {
            Some(_) => None,
            None => reader.whole(value),
        };
        let is_group = |it: &Element<'_>| matches!(it.kind(), Kind::Braces | Kind::Parens);
        let is_kept = flow.is_some()
            || value.last().is_some_and(is_group)
            || form::is_function(value)
            || matches!(value, [list] if is_options(list));
        if text.is_none() && !is_kept {
            return None;
        }
        Some(Box::new(Self {
            elements: value.iter().map(|it| Kept::new(it, start)).collect(),
            signature: text.as_deref().and_then(evidence::of_signature),
            is_prompt: text.as_deref().is_some_and(evidence::is_prompt),
            flow: flow.map(|it| Box::new(it.rebased(start))),
            text: Later::default(),
        }))
    }

    /// What a pattern binds a name to: a part of the value that begins at `start`.
    pub(super) fn part(expr: &Expr, start: TextSize) -> Box<Self> {
        Box::new(Self {
            elements: Box::default(),
            signature: None,
            is_prompt: false,
            flow: Some(Box::new(expr.rebased(start))),
            text: Later::default(),
        })
    }

    /// What it says to those who call the function that returns it.
    pub(super) fn says(&self) -> Says<'_> {
        let first = self
            .elements
            .first()
            .map(|it| it.element(TextSize::default()));
        let is_map = first.is_some_and(|it| it.text() == "%");
        (self.flow(), is_map.then_some(&self.elements))
    }

    /// The expression of agents and steps that it is, counted from where it begins.
    pub fn flow(&self) -> Option<&Expr> {
        self.flow.as_deref()
    }
}

impl BoundAt<'_> {
    /// Where it is.
    pub fn range(&self) -> TextRange {
        let last = self.value().last().map(|it| it.range);
        last.map_or(TextRange::empty(self.start), |last| {
            TextRange::new(self.start, last.end())
        })
    }

    /// The elements that it is.
    pub fn value(&self) -> Vec<Element<'_>> {
        let elements = self.bound.elements.iter();
        elements.map(|it| it.element(self.start)).collect()
    }

    /// The string that it is.
    pub fn literal(&self) -> Option<Literal> {
        only_string(&self.value()).map(|string| literal(&string))
    }

    /// What is between the delimiters of the string that it is, and where that begins. All who ask share it.
    pub fn shared_text(&self) -> Option<(TextSize, SharedText)> {
        let string = only_string(&self.value())?;
        let text = self.bound.text.get_or_init(|| {
            let literal = literal(&string);
            let text = string.full_text();
            SharedText::new(&text[literal.content - string.range.start()], literal)
        });
        Some((content_start(&string), text.clone()))
    }
}

/// Whether `list` may be the options of a run.
fn is_options(list: &Element<'_>) -> bool {
    list.range.len() <= LONGEST_LIST && options(list).is_some()
}
