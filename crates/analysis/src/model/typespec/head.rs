//! The names of parameters in the head of a function, as Elixir's documentation shows them.

use foldhash::HashMap;

use crate::model::elixir::{Token, TokenKind, tokens};

/// The names in `def name(pattern, …)`. A pattern without a name is named after its kind, as in `map`, with a number
/// if there are several.
pub(super) fn parameter_names(head: &str) -> Vec<String> {
    let tokens: Vec<Token<'_>> = tokens(head).collect();
    let Some(open) = tokens.iter().position(|it| it.kind == TokenKind::LeftParen) else {
        return Vec::new();
    };
    let names: Vec<Name> = split_arguments(&tokens[open + 1..])
        .into_iter()
        .map(name)
        .collect();
    numbered(names)
}

enum Name {
    /// A variable.
    Given(String),
    /// The kind of a pattern.
    Described(String),
}

fn numbered(names: Vec<Name>) -> Vec<String> {
    let mut totals: HashMap<String, usize> = HashMap::default();
    for name in &names {
        if let Name::Described(what) = name {
            *totals.entry(what.clone()).or_default() += 1;
        }
    }
    let mut counts: HashMap<String, usize> = HashMap::default();
    let mut number = |what: String| {
        if totals.get(&what) == Some(&1) {
            return what;
        }
        let count = counts.entry(what.clone()).or_default();
        *count += 1;
        format!("{what}{count}")
    };
    let names = names.into_iter().map(|name| match name {
        Name::Given(name) => name,
        Name::Described(what) => number(what),
    });
    names.collect()
}

/// The tokens of each argument, up to the closing parenthesis of the list.
fn split_arguments<'t, 'a>(tokens: &'t [Token<'a>]) -> Vec<&'t [Token<'a>]> {
    let mut arguments = Vec::new();
    let mut start = 0;
    let mut open = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        let is_end = open == 0 && token.kind == TokenKind::RightParen;
        if is_end || (open == 0 && token.kind == TokenKind::Comma) {
            arguments.push(&tokens[start..index]);
            start = index + 1;
        }
        if is_end {
            break;
        }
        open = token.kind.depth_after(open);
    }
    arguments.retain(|argument| !argument.is_empty());
    arguments
}

fn name(argument: &[Token<'_>]) -> Name {
    let default = argument.iter().position(|it| it.kind == TokenKind::Default);
    let pattern = &argument[..default.unwrap_or(argument.len())];
    let Some((left, right)) = split_match(pattern) else {
        return variable(pattern).unwrap_or_else(|| Name::Described(description(pattern)));
    };
    variable(left)
        .or_else(|| variable(right))
        .unwrap_or_else(|| Name::Described("arg".to_owned()))
}

/// The tokens before and after the first `=` outside of brackets.
fn split_match<'t, 'a>(pattern: &'t [Token<'a>]) -> Option<(&'t [Token<'a>], &'t [Token<'a>])> {
    let mut open = 0_usize;
    for (index, token) in pattern.iter().enumerate() {
        if open == 0 && token.kind == TokenKind::Equals {
            return Some((&pattern[..index], &pattern[index + 1..]));
        }
        open = token.kind.depth_after(open);
    }
    None
}

fn variable(pattern: &[Token<'_>]) -> Option<Name> {
    let [only] = pattern else { return None };
    let is_variable = only.kind == TokenKind::Ident && !is_word_value(only.text);
    is_variable.then(|| Name::Given(without_underscore(only.text).to_owned()))
}

/// The underscore of an unused variable is not part of its name.
fn without_underscore(name: &str) -> &str {
    match name.strip_prefix('_') {
        Some("") | None => name,
        Some(rest) => rest,
    }
}

fn is_word_value(text: &str) -> bool {
    matches!(text, "nil" | "true" | "false")
}

fn description(pattern: &[Token<'_>]) -> String {
    let what = match pattern {
        [
            Token {
                kind: TokenKind::Percent,
                ..
            },
            Token {
                kind: TokenKind::LeftBrace,
                ..
            },
            ..,
        ] => "map",
        [
            Token {
                kind: TokenKind::Percent,
                ..
            },
            rest @ ..,
        ] => return struct_name(rest),
        [
            Token {
                kind: TokenKind::At,
                ..
            },
            ..,
        ] => "module_attribute",
        [
            Token {
                kind: TokenKind::LeftBracket,
                ..
            },
            ..,
        ] => "list",
        [only] => match only.kind {
            TokenKind::Int => "int",
            TokenKind::Float => "float",
            TokenKind::String => "binary",
            TokenKind::Charlist => "list",
            TokenKind::Atom => "atom",
            TokenKind::Ident if only.text == "nil" => "atom",
            TokenKind::Ident => "bool",
            _ => "arg",
        },
        _ => "arg",
    };
    what.to_owned()
}

/// `user_name` for `%MyApp.UserName{}`.
fn struct_name(rest: &[Token<'_>]) -> String {
    let path = rest.iter().take_while(|it| it.kind != TokenKind::LeftBrace);
    let Some(last) = path.filter(|it| it.kind == TokenKind::Alias).last() else {
        return "struct".to_owned();
    };
    let mut name = String::new();
    let mut after_lower = false;
    for char in last.text.chars() {
        if char.is_ascii_uppercase() && after_lower {
            name.push('_');
        }
        after_lower = !char.is_ascii_uppercase();
        name.push(char.to_ascii_lowercase());
    }
    name
}
