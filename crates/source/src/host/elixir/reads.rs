//! Finds the places that read results of agents, in statements and lists.

use std::{convert::identity, sync::Arc};

use super::{
    call::binds_weaker_than_pipe,
    contract::items,
    find::Finder,
    flow::{
        access::{PUT, put_at_end},
        expr::Expr,
        facts::{How, Uses},
        pattern::Pattern,
        reader::is_accessor,
    },
    links::Use,
    names::{Drawn, asserted, drawn_by, first_argument, is_clauses_word, parameters, subject},
};
use crate::{
    host::{
        Notation, Unit,
        evidence::Evidence,
        token_tree::{Element, Kind},
    },
    text::TextRange,
};

impl<'t, 'r: 't> Finder<'t, 'r> {
    /// Adds what the patterns in the head of a private function read and bind.
    pub(super) fn parameters(&mut self, statement: &[Element<'t>]) {
        for (pattern, given) in parameters(statement) {
            self.add_pattern(&pattern, &given);
        }
    }

    /// Adds the expressions in one item of a list that read results.
    pub(super) fn reads(&mut self, item: &[Element<'t>]) {
        self.matched(item);
        self.compared(item);
        if !may_read(item) {
            return;
        }
        let mut at = 0;
        while at < item.len() {
            let is_inside = at > 0 && item[at - 1].text() == ".";
            let mut mapped = Vec::new();
            let parsed = match is_inside {
                true => None,
                false => self.reader().chain_with(item, at, |it| mapped.push(it)),
            };
            let Some(parsed) = parsed else {
                at += 1;
                continue;
            };
            let range = item[at].range.cover(item[parsed.end - 1].range);
            match &*parsed.expr {
                Expr::Other(_) if is_doubted(item, at, parsed.end) => {}
                Expr::Other(parts) => self.add_parts(parts),
                _ => {
                    // `put_in step.return["count"], 1`
                    let is_put = at > 0 && item[at - 1].text() == PUT;
                    let expr = match is_put {
                        true => put_at_end(parsed.expr),
                        false => parsed.expr,
                    };
                    self.add_runs(&expr, Some(range));
                }
            }
            for list in mapped {
                self.add_runs(&list, None);
            }
            at = parsed.end;
        }
    }

    /// Adds what is read in the path at the end of which a call puts a value.
    pub(super) fn put(&mut self, path: &[Element<'t>]) {
        match self.reader().whole(path).map(put_at_end) {
            Some(path) => self.add_runs(&path, None),
            None => self.reads(path),
        }
    }

    /// Adds what the patterns in `match?(pattern, value)` read.
    fn matched(&mut self, item: &[Element<'t>]) {
        for pair in item.windows(2) {
            let [name, arguments] = pair else {
                continue;
            };
            if name.text() != "match?" || arguments.kind() != Kind::Parens {
                continue;
            }
            if let [pattern, value] = items(arguments).as_slice()
                && let Some(value) = self.reader().whole(value)
            {
                self.add_pattern(pattern, &value);
            }
        }
    }

    /// Adds the keys in the map or list of `assert value == %{…}`, which are those of the value, as in a pattern.
    fn compared(&mut self, item: &[Element<'t>]) {
        let [word, compared @ ..] = item else {
            return;
        };
        if word.text() != "assert" {
            return;
        }
        let mut sides = compared.split(|it| matches!(it.text(), "==" | "==="));
        let (Some(left), Some(right), None) = (sides.next(), sides.next(), sides.next()) else {
            return;
        };
        for (value, literal) in [(left, right), (right, left)] {
            let is_literal = matches!(literal, [first, ..] if first.text() == "%")
                || matches!(literal, [list] if list.kind() == Kind::Brackets);
            if is_literal && let Some(value) = self.reader().whole(value) {
                self.add_keys(Pattern::of(literal, &value).reads);
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
        for clause in elements.split(|it| it.kind() == Kind::Comma) {
            let Some(at) = clause.iter().rposition(is_match) else {
                continue;
            };
            let value = clause[at + 1..]
                .split(|it| it.kind() == Kind::DoBlock)
                .next();
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
        self.add_keys(pattern.reads);
        for (name, expr) in pattern.names {
            if !matches!(
                *expr,
                Expr::Name { .. } | Expr::Local { .. } | Expr::Agent(_) | Expr::Parameter(_)
            ) {
                self.add_read(name.range, expr, How::Bound);
            }
        }
    }

    /// Adds parts of a value that are under a key at its place.
    fn add_keys(&mut self, parts: impl IntoIterator<Item = Arc<Expr>>) {
        for part in parts {
            if let Expr::Get(_, key) = &*part {
                self.add_read(key.range, part, How::Matched);
            }
        }
    }

    /// Adds the parts of a value that a call reads.
    fn add_parts(&mut self, parts: &[Expr]) {
        let Some((first, others)) = parts.split_first() else {
            return;
        };
        self.add_runs(&Arc::new(first.clone()), None);
        // One is enough for what leads to all of them.
        self.add_keys(others.iter().map(|it| Arc::new(it.clone())));
    }

    /// Adds the runs of keys in an expression at `range`. Each key follows another one in a run; from a list, another run
    /// leads on.
    fn add_runs(&mut self, expr: &Arc<Expr>, mut range: Option<TextRange>) {
        let mut left = expr;
        loop {
            match &**left {
                Expr::Get(of, last) => {
                    let mut keys = last.range;
                    let mut before = of;
                    while let Expr::Get(of, key) = &**before {
                        keys = keys.cover(key.range);
                        before = of;
                    }
                    self.add_read(range.take().unwrap_or(keys), Arc::clone(left), How::Read);
                    left = before;
                }
                Expr::Wrapped(of) | Expr::Element(of) | Expr::All(of) => left = of,
                _ => return,
            }
        }
    }

    fn add_read(&mut self, range: TextRange, expr: Arc<Expr>, how: How) {
        if self.failing.contains(range.end()) {
            return;
        }
        let flows = Uses::read(range, expr, how);
        let start = flows.start().unwrap_or(range.start()).min(range.start());
        let len = range.end() - start;
        let unit = self.shared(Unit {
            len,
            notation: Notation::Elixir,
            evidence: Evidence::Likely,
            is_linked: true,
            ..Unit::default()
        });
        self.parts.push_use(Use {
            start,
            unit,
            references: Box::default(),
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

/// Whether what an expression in `item` reads may be missing: the code around it says so, or it asks for that and is not
/// what a test asserts.
fn is_doubted(item: &[Element<'_>], at: usize, end: usize) -> bool {
    let before = at.checked_sub(1).map(|it| item[it].text());
    let after = item.get(end).map(Element::text);
    let mut elements = item[at..end].iter();
    let asks = elements.any(|it| matches!(it.text(), "has_key?" | "is_map_key"));
    let is_asserted = before == Some("assert") && after.is_none();
    let is_compared = |it| matches!(it, Some("==" | "===" | "!=" | "!==" | "||" | "or"));
    asks && !is_asserted
        || matches!(before, Some("refute" | "!" | "not"))
        || is_compared(before)
        || is_compared(after)
}

/// Whether an expression in an item of a list may be an access: `a[key]`, `a.key`, or a call that evaluates to one. Most items
/// have none, and need not be parsed.
fn may_read(item: &[Element<'_>]) -> bool {
    let follows = |at: usize| at > 0 && item[at - 1].range.end() == item[at].range.start();
    let is_called = |at: usize| at < item.len() && item[at].kind() == Kind::Parens && follows(at);
    item.iter().enumerate().any(|(at, it)| match it.kind() {
        Kind::Brackets => at > 0,
        Kind::Parens => !(follows(at) && item[at - 1].kind() == Kind::Symbol),
        Kind::Operator if it.text() == "." => !is_called(at + 2),
        Kind::Alias | Kind::Symbol => is_accessor(it.text()),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        host::{
            elixir::{Elixir, flow::reader::Reader, modules::Modules},
            token_tree,
        },
        text::TextSize,
    };

    const PIECES: &[&str] = &[
        "a",
        "b",
        ".",
        ".c",
        "[\"k\"]",
        "[:k]",
        "(a.c)",
        "(a[\"k\"], 1)",
        "()",
        "(b)",
        " ",
        " |> ",
        "Map.get",
        "Map.fetch!",
        "Map.has_key?",
        "Access.get",
        "is_map_key",
        "hd",
        "List.first",
        "Enum.filter",
        "tap",
        "dbg",
        "IO.inspect",
        "get_in",
        "([\"k\", Access.all(), :k])",
        "put_in",
        "(a, [\"k\"], 1)",
        "Stream.map(& &1)",
        "Stream.chunk_every(2)",
        "elem",
        "SubAgent.run",
        "@a",
        "M.f",
        "!",
    ];

    fn reads_of(item: &[Element<'_>], modules: &Modules) -> usize {
        // The arguments of a call are items of their own.
        let is_argument = |at: &usize| {
            item[*at].kind() == Kind::Parens && *at > 0 && item[at - 1].kind() == Kind::Symbol
        };
        let places = (0..item.len()).filter(|at| !is_argument(at));
        let chains = places.filter_map(|at| Reader::new(modules).chain(item, at));
        let reads = chains.filter(|it| {
            let mut expr = &it.expr;
            while let Expr::Wrapped(of) | Expr::Element(of) | Expr::All(of) = &**expr {
                expr = of;
            }
            matches!(**expr, Expr::Get(..) | Expr::Other(_))
        });
        reads.count()
    }

    proptest! {
        #[test]
        fn items_that_are_not_parsed_read_nothing(
            pieces in proptest::collection::vec(proptest::sample::select(PIECES), 1..8),
        ) {
            let text = pieces.concat();
            let tree = token_tree::parse::<Elixir>(&text);
            let root = Element::node(&tree, TextSize::default());
            let item: Vec<_> = root.elements().filter(|it| !it.kind().is_trivia()).collect();
            prop_assert!(may_read(&item) || reads_of(&item, &Modules::default()) == 0, "{}", text);
        }
    }
}
