//! In a signature: type words, brackets and arrows, and beside a prompt its missing parameters.

use super::{
    Completion, CompletionKind, Completions, Documentation, Place, is_name_part, last_name,
};
use crate::{
    ide::{
        Document,
        fragment::Tree,
        inference,
        place::{self, Literal},
        scan::open_brackets,
    },
    model::{Edition, Primitive, Type, TypeKind, type_words},
};
use signature_ls_source::{
    host::{Notation, Role},
    order,
    syntax::{
        catalog::{ends_in_comment, without_comment},
        kind::SyntaxNode,
    },
    text::{TextRange, size},
};

/// The completions in the signature around the place.
pub(super) fn complete(document: &Document, place: &Place<'_>) -> Option<Completions> {
    let literal = place::literal_at(document, place.offset)?;
    if !matches!(literal.site.role, Role::Signature | Role::Tool) {
        return None;
    }
    let before = place.after(literal.start);
    if before.rsplit('\n').next().is_some_and(ends_in_comment) {
        return None;
    }
    let word = last_name(&before);
    let rest = &before[..before.len() - word.len()];
    let edition = document.edition();
    // The colon belongs to the type, also if a blank follows it.
    if let Some(rest) = rest.trim_end_matches(' ').strip_suffix(':') {
        let name = last_name(rest.trim_end());
        let typed = &before[rest.len()..];
        let mut items = types(edition, name);
        if typed.len() > 1 + word.len() {
            let is_separate = name.is_empty() || !rest.ends_with(name);
            let blank = if is_separate { "" } else { " " };
            let colon = &typed[..typed.len() - word.len()];
            for item in &mut items {
                let word = item.label.strip_prefix(':').unwrap_or(&item.label);
                item.filter = format!("{colon}{word}");
                item.text.insert_str(0, blank);
            }
        }
        return Some(Completions {
            replaced: place.word(typed.len()),
            items,
        });
    }
    let mut replaced = place.word(word.len());
    let following = place.rest();
    let next = following.trim_start_matches(is_name_part).trim_start();
    let items = match expected(&without_comments(rest)) {
        // What is there already is not written twice.
        Expected::Type { .. } if next.starts_with(['(', '[', '{']) => Vec::new(),
        Expected::Type { .. } if next.starts_with(':') && !following.starts_with(':') => Vec::new(),
        Expected::Arrow if next.starts_with(['>', '-']) => Vec::new(),
        Expected::Type { name } => {
            if let Some(written) = following.strip_prefix(':') {
                let written = written.trim_start_matches(is_name_part);
                let len = size(following.len() - written.len());
                replaced = TextRange::new(replaced.start(), place.offset + len);
            }
            let (words, lists) = (types(edition, &name), structures());
            let mut items: Vec<_> = match is_plural(&name) {
                true => lists.into_iter().chain(words).collect(),
                false => words.into_iter().chain(lists).collect(),
            };
            let is_start = rest.trim().is_empty();
            if is_start {
                items.push(parameters());
            }
            let meant = type_words::suggest(word, edition).replacements;
            for item in &mut items {
                if meant.contains(&&*item.text) && !item.label[1..].starts_with(word) {
                    item.filter = format!("{word} {}", item.label);
                }
                if is_start && is_plain(&literal) && item.text.starts_with(['[', '{']) {
                    item.quote();
                }
            }
            items
        }
        // The fields of the output are not those of the inputs.
        Expected::Name if open_brackets(rest).first() != Some(&'(') => Vec::new(),
        Expected::Name => {
            let mut items = missing(document, &literal, &around(rest));
            if word.is_empty() && following.starts_with(is_name_part) {
                // The name that is there stays.
                replaced = TextRange::empty(place.offset);
                items.iter_mut().for_each(|it| it.text.push_str(", "));
            }
            items
        }
        Expected::Arrow => vec![arrow(rest.ends_with(char::is_whitespace))],
        Expected::Nothing => Vec::new(),
    };
    Some(Completions { replaced, items })
}

/// `text` without the comments at the ends of its lines.
fn without_comments(text: &str) -> String {
    let lines = text.split('\n').map(without_comment);
    lines.collect::<Vec<_>>().join("\n")
}

/// What can follow in a signature.
enum Expected {
    /// A type, that of `name` if it has one.
    Type {
        name: String,
    },
    /// The name of a parameter or a field.
    Name,
    Arrow,
    Nothing,
}

/// What is expected after `text`, which ends before a word.
fn expected(text: &str) -> Expected {
    let blank = |c: char| c.is_whitespace();
    let trimmed = text.trim_end_matches(blank);
    let has_blank = trimmed.len() < text.len();
    let name = last_name(trimmed);
    let open = open_brackets(trimmed);
    let is_typed = trimmed[..trimmed.len() - name.len()].ends_with(':');
    match (open.last(), trimmed.chars().next_back()) {
        (_, None) => Expected::Type {
            name: String::new(),
        },
        (None, Some('>')) | (Some('['), Some('[')) => Expected::Type {
            name: String::new(),
        },
        (None, Some(')')) => Expected::Arrow,
        (Some('(' | '{'), Some('(' | '{' | ',')) => Expected::Name,
        (Some('(' | '{'), Some(_)) if has_blank && !name.is_empty() && !is_typed => {
            Expected::Type {
                name: name.to_owned(),
            }
        }
        _ => Expected::Nothing,
    }
}

/// The type words of `edition`, starting with those that fit a field called `name`.
fn types(edition: Edition, name: &str) -> Vec<Completion> {
    let all = Primitive::ALL.into_iter();
    let known = all.filter(|it| type_words::primitive(it.word(), edition).is_some());
    let mut known: Vec<_> = known.collect();
    if let Some(likely) = likely(name) {
        order::by_number(&mut known, |it| *it != likely);
    }
    let item = |primitive: Primitive| {
        Completion::new(format!(":{}", primitive.word()), CompletionKind::Type)
            .documentation(Documentation::Type(primitive, edition))
    };
    known.into_iter().map(item).collect()
}

/// The usual type of a field of this name.
fn likely(name: &str) -> Option<Primitive> {
    let last = name.rsplit(['_', '-']).next()?;
    let first = name.split(['_', '-']).next()?;
    match (first, last) {
        ("is" | "has" | "can" | "should", _) | (_, "enabled" | "flag") => Some(Primitive::Bool),
        (_, "at" | "date" | "time" | "since" | "until") => Some(Primitive::Datetime),
        (
            _,
            "id" | "count" | "limit" | "n" | "size" | "index" | "number" | "total" | "offset"
            | "page" | "age" | "year",
        ) => Some(Primitive::Int),
        (_, "price" | "amount" | "score" | "rate" | "ratio" | "lat" | "lon" | "weight") => {
            Some(Primitive::Float)
        }
        (_, "status" | "kind" | "category" | "level") => Some(Primitive::Keyword),
        (_, "metadata" | "options" | "opts" | "data" | "meta") => Some(Primitive::Map),
        _ => None,
    }
}

fn is_plural(name: &str) -> bool {
    name.len() > 2 && name.ends_with('s') && !name.ends_with("ss") && !name.ends_with("us")
}

fn structures() -> [Completion; 2] {
    [
        Completion::new("[…]", CompletionKind::Structure)
            .detail("a list")
            .text("[:any]")
            .snippet("[${1::string}]$0"),
        Completion::new("{…}", CompletionKind::Structure)
            .detail("a record")
            .text("{}")
            .snippet("{${1:name} ${2::string}}$0"),
    ]
}

fn parameters() -> Completion {
    Completion::new("(…) -> …", CompletionKind::Structure)
        .detail("parameters and a result")
        .text("() -> :any")
        .snippet("(${1:name} ${2::string}) -> ${3::any}")
}

fn arrow(has_blank: bool) -> Completion {
    let blank = if has_blank { "" } else { " " };
    Completion::new("->", CompletionKind::Structure)
        .detail("the type of the result")
        .text(format!("{blank}-> "))
        .snippet(format!("{blank}-> ${{1::any}}"))
}

/// Whether a literal has no quotes in YAML, where a bracket at its start would begin a list or a map.
fn is_plain(literal: &Literal<'_>) -> bool {
    literal.placed.unit.notation == Notation::Yaml && literal.site.literal == literal.site.content
}

/// The names of the parameter and the fields whose brackets are open at the end of `text`, outermost first.
fn around(text: &str) -> Vec<&str> {
    let mut open = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => open.push(last_name(text[..at].trim_end())),
            ')' | ']' | '}' => drop(open.pop()),
            _ => {}
        }
    }
    open.retain(|it| !it.is_empty());
    open
}

/// The missing parameters that placeholders beside the signature use, with the types that their use implies; in the
/// record at `path`, its missing fields.
fn missing(document: &Document, literal: &Literal<'_>, path: &[&str]) -> Vec<Completion> {
    if literal.site.role != Role::Signature {
        return Vec::new();
    }
    let Tree::Signature { lowered, .. } = &literal.fragment.tree else {
        return Vec::new();
    };
    if literal.analysis.knows_all_names(&lowered.signature) {
        return Vec::new();
    }
    let templates = literal.analysis.fragments.iter();
    let templates = templates.filter_map(|it| match &it.tree {
        Tree::Template { green, .. } => Some(SyntaxNode::new_root(green.clone())),
        Tree::Signature { .. } | Tree::Text => None,
    });
    let templates: Vec<_> = templates.collect();
    let edition = document.edition();
    let signature = &lowered.signature;
    let missing = match path {
        [] => inference::missing(&templates, signature, edition),
        path => inference::missing_fields(&templates, signature, path, edition),
    };
    let kind = match path {
        [] => CompletionKind::Parameter,
        _ => CompletionKind::Field,
    };
    let item = |(name, ty): (String, Type)| {
        let text = format!("{name} {ty}");
        let detail = match ty.kind {
            TypeKind::List(_) => "a section goes over it",
            _ => "a placeholder asks for it",
        };
        Completion::new(text, kind).detail(detail)
    };
    missing.into_iter().map(item).collect()
}
