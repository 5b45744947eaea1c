//! Finding the places that read what agents return, in statements and lists.

use std::{convert::identity, sync::Arc};

use super::{
    call::binds_weaker_than_pipe,
    contract::items,
    find::Finder,
    flow::{
        expr::Expr,
        facts::{How, Uses},
        pattern::Pattern,
    },
    links::Use,
    names::{Drawn, asserted, drawn_by, first_argument, is_clauses_word, subject},
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
        self.matched(item);
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
            let mut expr = parsed.expr;
            while let Expr::Wrapped(of) | Expr::Element(of) = &*expr {
                expr = Arc::clone(of);
            }
            if matches!(*expr, Expr::Get(..)) {
                self.add_read(range, expr, How::Read);
            }
            at = parsed.end;
        }
    }

    /// Adds what the patterns in `match?(pattern, value)` read.
    fn matched(&mut self, item: &[Element<'t>]) {
        for pair in item.windows(2) {
            let [name, arguments] = pair else {
                continue;
            };
            if name.text() != "match?" || arguments.kind != Kind::Parens {
                continue;
            }
            if let [pattern, value] = items(arguments).as_slice()
                && let Some(value) = self.reader().whole(value)
            {
                self.add_pattern(pattern, &value);
            }
        }
    }

    /// Adds what the patterns of a statement read and bind.
    pub(super) fn patterns(&mut self, elements: &[Element<'t>]) {
        let is_match = |it: &Element<'_>| matches!(it.text(), "=" | "<-");
        if !elements.iter().any(is_match) {
            return;
        }
        let word = elements.iter().position(is_clauses_word);
        let drawn = word.map_or(identity as Drawn, |at| drawn_by(&elements[at]));
        let elements = &elements[word.map_or(0, |at| at + 1)..];
        for clause in elements.split(|it| it.kind == Kind::Comma) {
            let Some(at) = clause.iter().rposition(is_match) else {
                continue;
            };
            let value = clause[at + 1..].split(|it| it.kind == Kind::DoBlock).next();
            if let Some(mut value) = value.and_then(|it| self.reader().whole(it)) {
                if clause[at].text() == "<-" {
                    value = drawn(value);
                }
                self.add_pattern(asserted(&clause[..at]), &value);
            }
        }
    }

    /// Adds what the head of a clause reads and binds.
    pub(super) fn head(&mut self, elements: &[Element<'t>]) {
        let Some(first) = elements.first() else {
            return;
        };
        let pattern = first_argument(elements);
        self.add_pattern(pattern, &subject(first.range.start()));
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
