//! The form of a tool: whether its value is a function, a tuple, an agent or something else.

use std::sync::Arc;

use super::{Capture, Form, NamedFunction};
use crate::host::{
    elixir::{call::Argument, contract::items, tool_forms},
    token_tree::{Element, Kind},
};

/// What `value` is as a tool.
pub(super) fn form(value: &[Element<'_>]) -> Form {
    match value {
        [tuple] if tuple.kind() == Kind::Braces => match tool_forms::has_wrong_signature(value) {
            true => Form::Invalid,
            false => form_of_tuple(tuple),
        },
        value if is_function(value) => Form::Function(capture(value)),
        [atom] if atom.text() == ":self" => Form::Itself,
        [atom] if BUILT_IN.contains(&atom.text()) => Form::Unknown,
        value if is_other_literal(value) => Form::Invalid,
        value if tool_forms::is_undescribed(value) => Form::Undescribed,
        _ => Form::Unknown,
    }
}

/// Atoms that stand for tools of the library itself.
const BUILT_IN: [&str; 3] = [":builtin_grep", ":builtin_grep_n", ":builtin_llm_query"];

fn form_of_tuple(tuple: &Element<'_>) -> Form {
    let elements = inside(tuple);
    let items: Vec<_> = elements.split(|it| it.kind() == Kind::Comma).collect();
    let (function, second) = match items.as_slice() {
        _ if !tuple.is_closed() => return Form::Unknown,
        [function, [key, ..], ..] if matches!(key.kind(), Kind::Key | Kind::QuotedKey) => {
            (*function, None)
        }
        [function, second] => (*function, Some(*second)),
        _ => return Form::Invalid,
    };
    if is_other_literal(function) {
        return Form::Invalid;
    }
    let is_description = match second {
        None => true,
        Some([only]) => {
            only.kind().is_string() && only.kind() != Kind::Charlist
                || only.kind() == Kind::Brackets
                || only.text() == ":skip"
        }
        Some(_) => false,
    };
    match second {
        _ if is_description && is_function(function) => Form::Described(capture(function)),
        Some([second]) if second.kind() == Kind::Braces => Form::Invalid,
        Some(second) if !is_description && is_other_literal(second) => Form::Invalid,
        _ => Form::Unknown,
    }
}

/// The `fn … end` that `value` is, or that is the first in it.
pub(super) fn function<'t>(value: &[Element<'t>]) -> Option<Element<'t>> {
    let function = match value {
        [tuple] if tuple.kind() == Kind::Braces => inside(tuple).first().copied(),
        [only] => Some(*only),
        _ => None,
    };
    function.filter(|it| it.kind() == Kind::FnBlock)
}

/// The name in place of the function that `value` is, or that is the first in it.
pub(super) fn named_function(value: &[Element<'_>]) -> Option<NamedFunction> {
    let (function, is_described) = match value {
        [tuple] if tuple.kind() == Kind::Braces => (items(tuple).into_iter().next()?, true),
        value => (value.to_vec(), false),
    };
    match Argument::of(&function)? {
        Argument::Name(_, "nil" | "true" | "false") | Argument::String(_) => None,
        Argument::Name(binder, name) => Some(NamedFunction {
            binder,
            name: name.to_owned(),
            is_described,
        }),
    }
}

/// Whether `value` is a `fn` or begins with `&`.
pub(in crate::host::elixir) fn is_function(value: &[Element<'_>]) -> bool {
    match value {
        [only] => only.kind() == Kind::FnBlock,
        [first, ..] => first.text() == "&",
        [] => false,
    }
}

/// Whether `value` is a literal that is no function.
pub(in crate::host::elixir) fn is_other_literal(value: &[Element<'_>]) -> bool {
    match value {
        [only] => match only.kind() {
            Kind::Symbol => matches!(only.text(), "nil" | "true" | "false"),
            Kind::String | Kind::Heredoc | Kind::Charlist => only.is_closed(),
            kind => matches!(
                kind,
                Kind::Number | Kind::Atom | Kind::Alias | Kind::Brackets
            ),
        },
        [percent, map] => percent.text() == "%" && map.kind() == Kind::Braces,
        [.., last] => {
            let is_part = |it: &Element<'_>| it.kind() == Kind::Alias || it.text() == ".";
            last.kind() == Kind::Alias && value.iter().all(is_part)
        }
        [] => false,
    }
}

/// The function that `value` captures by its name.
pub(super) fn capture(value: &[Element<'_>]) -> Option<Arc<Capture>> {
    let [and, path @ .., slash, arity] = value else {
        return None;
    };
    if and.text() != "&" || slash.text() != "/" {
        return None;
    }
    let arity = arity.text().parse().ok()?;
    let (name, module) = path.split_last()?;
    let module = match module {
        [] => None,
        [module @ .., dot] if dot.text() == "." => {
            let is_part = |it: &Element<'_>| {
                it.kind() == Kind::Alias || matches!(it.text(), "." | "__MODULE__")
            };
            if module.is_empty() || !module.iter().all(is_part) {
                return None;
            }
            Some(module.iter().map(Element::text).collect())
        }
        _ => return None,
    };
    let is_name = name.kind() == Kind::Symbol;
    let name = name.text().to_owned();
    let capture = || {
        Arc::new(Capture {
            module,
            name,
            arity,
        })
    };
    is_name.then(capture)
}

/// The code between the brackets of a tuple, without a last comma.
fn inside<'t>(group: &Element<'t>) -> Vec<Element<'t>> {
    let is_code = |it: &Element<'_>| {
        !it.kind().is_trivia() && !matches!(it.kind(), Kind::LBrace | Kind::RBrace)
    };
    let mut elements: Vec<_> = group.elements().filter(is_code).collect();
    if elements.last().is_some_and(|it| it.kind() == Kind::Comma) {
        elements.pop();
    }
    elements
}
