//! Finding the places that read what agents return, in statements and lists.

use std::sync::Arc;

use super::{
    call::binds_weaker_than_pipe,
    find::Finder,
    flow::{
        expr::Expr,
        facts::{How, Uses},
        pattern::Pattern,
    },
    links::Use,
    names::subject,
};
use crate::{
    host::{
        Notation, Unit,
        evidence::Evidence,
        token_tree::{Element, Kind},
    },
    text::TextRange,
};

impl<'t> Finder<'t, '_> {
    /// Adds the expressions in one item of a list that read results.
    pub(super) fn reads(&mut self, item: &[Element<'t>]) {
        if !may_read(item) {
            return;
        }
        let mut at = 0;
        while at < item.len() {
            let is_inside = at > 0 && item[at - 1].text() == ".";
            let parsed = match is_inside {
                true => None,
                false => self.reader().chain(item, at),
            };
            let Some(parsed) = parsed else {
                at += 1;
                continue;
            };
            let range = item[at].range.cover(item[parsed.end - 1].range);
            let expr = match &*parsed.expr {
                Expr::Wrapped(it) => Arc::clone(it),
                _ => parsed.expr,
            };
            if matches!(*expr, Expr::Get(..)) {
                self.add_read(range, expr, How::Read);
            }
            at = parsed.end;
        }
    }

    /// Adds what the patterns of a statement read and bind.
    pub(super) fn patterns(&mut self, elements: &[Element<'t>]) {
        let is_match = |it: &Element<'_>| matches!(it.text(), "=" | "<-");
        if !elements.iter().any(is_match) {
            return;
        }
        let elements = match elements {
            [word, rest @ ..] if word.text() == "with" => rest,
            elements => elements,
        };
        for clause in elements.split(|it| it.kind == Kind::Comma) {
            let Some(at) = clause.iter().rposition(is_match) else {
                continue;
            };
            let value = clause[at + 1..].split(|it| it.kind == Kind::DoBlock).next();
            if let Some(value) = value.and_then(|it| self.reader().whole(it)) {
                self.add_pattern(&clause[..at], &value);
            }
        }
    }

    /// Adds what the head of a clause reads and binds.
    pub(super) fn head(&mut self, elements: &[Element<'t>]) {
        let Some(first) = elements.first() else {
            return;
        };
        self.add_pattern(elements, &subject(first.range.start()));
    }

    fn add_pattern(&mut self, elements: &[Element<'t>], value: &Arc<Expr>) {
        let pattern = Pattern::of(elements, value);
        for expr in pattern.reads {
            if let Expr::Get(_, key) = &*expr {
                self.add_read(key.range, expr, How::Matched);
            }
        }
        for (name, expr) in pattern.names {
            if !matches!(
                *expr,
                Expr::Name { .. } | Expr::Local { .. } | Expr::Agent(_)
            ) {
                self.add_read(name.range, expr, How::Bound);
            }
        }
    }

    fn add_read(&mut self, range: TextRange, expr: Arc<Expr>, how: How) {
        let flows = Uses::read(range, expr, how);
        let start = flows.start().unwrap_or(range.start()).min(range.start());
        let end = range.end();
        let unit = Unit {
            len: end - start,
            notation: Notation::Elixir,
            evidence: Evidence::Likely,
            is_linked: true,
            ..Unit::default()
        };
        self.parts.uses.push(Use {
            start,
            unit: Arc::new(unit),
            references: Vec::new(),
            flows: flows.rebased(start),
        });
    }

    /// What the clauses of the block after `elements` are matched with.
    pub(super) fn subject(&self, elements: &[Element<'t>]) -> Option<Arc<Expr>> {
        let case = elements.iter().rposition(|it| it.text() == "case")?;
        let after = &elements[case + 1..];
        if !after.is_empty() {
            return self.reader().whole(after);
        }
        let (pipe, before) = elements[..case].split_last()?;
        let start = before.iter().rposition(binds_weaker_than_pipe);
        let value = &before[start.map_or(0, |at| at + 1)..];
        (pipe.text() == "|>").then(|| self.reader().whole(value))?
    }
}

/// Whether there may be an access in an item of a list: `a[key]`, `a.key`, `Map.get(…)` or `get_in(…)`, in parentheses
/// too. Most items have none, and need not be parsed.
fn may_read(item: &[Element<'_>]) -> bool {
    let follows = |at: usize| at > 0 && item[at - 1].range.end() == item[at].range.start();
    let is_called = |at: usize| at < item.len() && item[at].kind == Kind::Parens && follows(at);
    item.iter().enumerate().any(|(at, it)| match it.kind {
        Kind::Brackets => at > 0,
        Kind::Parens => !(follows(at) && item[at - 1].kind == Kind::Symbol),
        Kind::Operator if it.text() == "." => !is_called(at + 2),
        Kind::Alias => it.text() == "Map",
        Kind::Symbol => it.text() == "get_in",
        _ => false,
    })
}
