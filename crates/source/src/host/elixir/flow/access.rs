//! Paths into values: those of `get_in` in a list, and those along which `put_in` and the like change a value.

use std::sync::Arc;

use super::{
    call::Call,
    expr::Expr,
    reader::{Reader, key_of, keys_in},
    takers::piped,
};
use crate::{
    host::{
        elixir::{call::Callee, contract::items},
        flow::{Key, KeyForm},
        token_tree::{Element, Kind},
    },
    text::TextSize,
};

/// The function that reads what is at the end of a path.
pub(super) const GET: &str = "get_in";

/// The function that puts a value at the end of a path.
pub const PUT: &str = "put_in";

/// A step of a path in a list.
enum Step {
    /// To what is under a key.
    Key(Key),
    /// To one element of a list.
    Element,
    /// To all elements of a list, or some.
    Elements,
}

/// The call with which a step is written, as in `Access.key!("count")`.
struct Written {
    step: Step,
    /// Whether the value must have the key, even where something is put there.
    is_needed: bool,
    /// Whether another value takes the place of a missing one.
    has_default: bool,
    /// Where the function begins that chooses elements.
    chooser: Option<TextSize>,
}

impl Reader<'_> {
    /// `get_in(value, path)`
    pub(super) fn get_in(self, call: &Call<'_, '_>) -> Option<Arc<Expr>> {
        let mut expr = self.argument(call, 0)?;
        let mut lists = 0;
        for item in keys_in(call.after_first(0)?)? {
            let step = Written::of(&item)?.step;
            lists += usize::from(matches!(step, Step::Elements));
            expr = step.applied_to(expr);
        }
        Some((0..lists).fold(expr, |expr, _| Arc::new(Expr::All(expr))))
    }

    /// What is read along the path in a call of the function `name` that changes a value.
    pub(super) fn change_in(self, name: &str, call: &Call<'_, '_>) -> Option<Arc<Expr>> {
        let is_path = name == "pop_in" || call.after_first(1).is_some();
        let puts = name == PUT || call.after_first(1).is_some_and(|it| ignores_value(it));
        let mut expr = self.argument(call, 0)?;
        let mut path = keys_in(call.after_first(0).filter(|_| is_path)?)?
            .into_iter()
            .peekable();
        while let Some(item) = path.next() {
            let mut written = Written::of(&item)?;
            let is_put = puts && path.peek().is_none() && !written.is_needed;
            if let Step::Key(key) = &mut written.step
                && (is_put || written.has_default)
            {
                put_at(key);
            }
            expr = written.step.applied_to(expr);
        }
        Some(Arc::new(Expr::Other([Expr::clone(&expr)].into())))
    }
}

/// What is read in `path` where a value is put at its end, as in `put_in(step.return["count"], 1)`.
pub fn put_at_end(path: Arc<Expr>) -> Arc<Expr> {
    match &*path {
        // What is put after a dot takes the place of something.
        Expr::Get(of, key) if key.form != KeyForm::Dot => {
            let mut key = key.clone();
            put_at(&mut key);
            Arc::new(Expr::Get(Arc::clone(of), key))
        }
        _ => path,
    }
}

/// Whether the function of that name changes what is at the end of a path.
pub(super) fn changes(name: &str) -> bool {
    matches!(name, PUT | "update_in" | "get_and_update_in" | "pop_in")
}

/// A call of `get_in`, or of a function that changes what is at the end of a path.
pub struct PathCall<'t> {
    name: &'t str,
    /// What is piped into it; `None` where the first argument is written in the call.
    piped: Option<Arc<Expr>>,
}

impl<'t> PathCall<'t> {
    /// The one that `callee` calls.
    pub fn of(callee: &Callee<'_, 't>, reader: Reader<'_>) -> Option<Self> {
        let mut segments = callee.segments();
        let is_ours = |it: &&str| *it == GET || changes(it);
        let name = segments.next().filter(is_ours)?;
        let is_alone = segments.next().is_none();
        let piped = is_alone.then(|| piped(callee, reader))??;
        Some(Self { name, piped })
    }

    /// Whether a value is put at the end of the path that is the first of `arguments`, and nothing is read there.
    pub fn puts(&self, arguments: &[&[Element<'_>]]) -> bool {
        match arguments {
            [_, last] if self.piped.is_none() => self.name == PUT || ignores_value(last),
            _ => false,
        }
    }

    /// The functions in the path that choose elements, as in `Access.filter(& &1["ok"])`: where they begin, and what they
    /// are given.
    pub fn choosers(
        &self,
        arguments: &[&[Element<'_>]],
        reader: Reader<'_>,
    ) -> Option<Vec<(TextSize, Arc<Expr>)>> {
        let (mut expr, path) = match (&self.piped, arguments) {
            (Some(piped), [path, ..]) => (Arc::clone(piped), path),
            (None, [value, path, ..]) => (reader.whole(value)?, path),
            _ => return None,
        };
        let mut choosers = Vec::new();
        for item in keys_in(path)? {
            let written = Written::of(&item)?;
            expr = written.step.applied_to(expr);
            choosers.extend(written.chooser.map(|at| (at, Arc::clone(&expr))));
        }
        Some(choosers)
    }
}

/// Whether `function` is `fn _ -> … end`.
fn ignores_value(function: &[Element<'_>]) -> bool {
    let [block] = function else {
        return false;
    };
    let mut elements = block.elements().filter(|it| !it.kind().is_trivia()).skip(1);
    let mut next_is = |is: fn(&Element<'_>) -> bool| elements.next().is_some_and(|it| is(&it));
    block.kind() == Kind::FnBlock
        && next_is(|it| it.text().starts_with('_'))
        && next_is(|it| it.text() == "->")
}

fn put_at(key: &mut Key) {
    key.may_be_missing = true;
    key.may_be_atom = true;
}

impl Step {
    /// Where it leads from `expr`; from a list, to any of its elements.
    fn applied_to(self, expr: Arc<Expr>) -> Arc<Expr> {
        Arc::new(match self {
            Self::Key(key) => expr.get(key),
            Self::Element | Self::Elements => Expr::Element(expr),
        })
    }
}

impl Written {
    fn of(item: &[Element<'_>]) -> Option<Self> {
        let (name, arguments) = match item {
            [module, dot, name, arguments]
                if module.text() == "Access"
                    && dot.text() == "."
                    && arguments.kind() == Kind::Parens =>
            {
                (name.text(), items(arguments))
            }
            _ => ("", Vec::new()),
        };
        let step = match (name, arguments.first()) {
            ("at" | "at!" | "find", Some(_)) => Step::Element,
            ("all", None) | ("filter" | "slice", Some(_)) => Step::Elements,
            ("key" | "key!", Some(key)) => Step::Key(key_of(key)?),
            _ => Step::Key(key_of(item)?),
        };
        Some(Self {
            step,
            is_needed: name == "key!",
            has_default: name == "key" && arguments.len() > 1,
            chooser: arguments
                .first()
                .filter(|_| matches!(name, "filter" | "find"))
                .and_then(|function| Some(function.first()?.range.start())),
        })
    }
}
