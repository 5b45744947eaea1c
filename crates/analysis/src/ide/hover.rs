//! Hover texts, in Markdown.

mod flow;
mod names;
mod program;
mod template;
mod tools;

pub(super) use tools::description as tool_description;

use crate::{
    ide::{
        Diagnostic, Document,
        analysis::UnitAnalysis,
        fragment::{Fragment, Tree},
        unfinished::finished,
    },
    model::{
        Edition, Lowered, Primitive, ProblemKind, Signature, Type, TypeKind,
        json_schema::{input_schema, output_schema},
        type_words,
    },
};
use signature_ls_source::{
    host::Role,
    syntax::{
        green::Node,
        kind::{SyntaxKind, SyntaxNode, SyntaxToken},
        signature::ast,
    },
    text::{TextRange, TextSize},
};

/// A hover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// Its range, in bytes of the document.
    pub range: TextRange,
    /// The text, in Markdown.
    pub markdown: String,
}

/// Describes the name or token at `offset`, a byte of the document; `None` outside of signatures and prompts.
pub fn hover(document: &Document, offset: TextSize) -> Option<Hover> {
    hover_finished(document, offset).or_else(|| {
        let finished = finished(document, offset)?;
        let mut hover = hover_finished(&finished.document, offset)?;
        hover.range = finished.original(hover.range);
        Some(hover)
    })
}

fn hover_finished(document: &Document, offset: TextSize) -> Option<Hover> {
    let edition = document.edition();
    let mut units: Vec<_> = document.units_at(offset).collect();
    units.reverse();
    let in_literal = units.iter().find_map(|(placed, analysis)| {
        let at = offset - placed.start;
        let found = document.diagnostics_of(placed, analysis);
        let mut hover = hover_unit(analysis, found, at, edition)?;
        hover.range += placed.start;
        Some(hover)
    });
    let hover = in_literal.or_else(|| names::hover(document, offset));
    let hover = hover.or_else(|| flow::hover(document, offset));
    let hover = hover.or_else(|| program::hover(document, offset));
    hover.or_else(|| {
        units.iter().find_map(|(placed, _)| {
            let mut hover = tools::hover(document, placed, offset - placed.start)?;
            hover.range += placed.start;
            Some(hover)
        })
    })
}

fn hover_unit(
    analysis: &UnitAnalysis,
    found: &[Diagnostic],
    offset: TextSize,
    edition: Edition,
) -> Option<Hover> {
    let fragment = analysis.fragments.iter().find(|it| it.contains(offset))?;
    let at = offset - fragment.start;
    let mut hover = match &fragment.tree {
        Tree::Signature { green, lowered, .. } => {
            let root = SyntaxNode::new_root(green.clone());
            hover_fault(found, fragment, at)
                .or_else(|| hover_signature(&root, lowered, fragment, at, edition))
        }
        Tree::Template { green, .. } => {
            let lowered = analysis.prompts_lowered()?;
            template::hover(&SyntaxNode::new_root(green.clone()), lowered, at, edition)
        }
        Tree::Text => None,
    }?;
    hover.range += fragment.start;
    Some(hover)
}

/// The suggestion for an unknown type word.
fn hover_fault(found: &[Diagnostic], fragment: &Fragment, at: TextSize) -> Option<Hover> {
    let at = at + fragment.start;
    let is_meant =
        |it: &&Diagnostic| it.rule.code == "unknown-type" && it.range.contains_inclusive(at);
    let found = found.iter().find(is_meant)?;
    Some(Hover {
        range: found.range - fragment.start,
        markdown: found.message.clone(),
    })
}

/// The token at a place; of two adjacent ones, the more informative one.
fn token_at(root: &SyntaxNode, at: TextSize) -> Option<SyntaxToken> {
    let weight = |token: &SyntaxToken| match token.kind() {
        SyntaxKind::Ident => 3,
        SyntaxKind::Question => 2,
        SyntaxKind::Whitespace | SyntaxKind::TextLine => 0,
        _ => 1,
    };
    root.token_at_offset(at).max_by_key(weight)
}

fn hover_signature(
    root: &SyntaxNode,
    lowered: &Lowered,
    fragment: &Fragment,
    at: TextSize,
    edition: Edition,
) -> Option<Hover> {
    let signature = &lowered.signature;
    let token = token_at(root, at)?;
    let node = token.parent()?;
    match (node.kind(), token.kind()) {
        (SyntaxKind::Name, _) => hover_name(&node, lowered, edition),
        (SyntaxKind::PrimitiveType, _) => {
            let word = ast::type_word(Node::of(&node))?;
            let word = type_words::primitive(word.text(), edition)?;
            let is_output = signature.output.range.contains_range(node.text_range());
            Some(Hover {
                range: node.text_range(),
                markdown: about_primitive(word, is_output, edition),
            })
        }
        (SyntaxKind::OptionalType, SyntaxKind::Question) => {
            let markdown =
                "`?` — may be nil, and as a field or a parameter may be left out.".to_owned();
            Some(Hover {
                range: token.text_range(),
                markdown,
            })
        }
        (_, SyntaxKind::Whitespace) => None,
        (SyntaxKind::ListType | SyntaxKind::RecordType, _) => hover_compound(&node, lowered),
        (SyntaxKind::Signature | SyntaxKind::ParamList, _) => Some(Hover {
            range: root.text_range(),
            markdown: about_signature(root, lowered, fragment, edition),
        }),
        _ => None,
    }
}

/// The meaning of the name of a parameter or field.
fn hover_name(name: &SyntaxNode, lowered: &Lowered, edition: Edition) -> Option<Hover> {
    let signature = &lowered.signature;
    let range = name.text_range();
    let is_param = name
        .ancestors()
        .any(|it| it.kind() == SyntaxKind::Param && it.first_child().as_ref() == Some(name));
    let ty = type_of_name(signature, range)?;
    let what = if is_param { "parameter" } else { "field" };
    let root = name.ancestors().last()?;
    let mut markdown = code(&format!("{} {}", name.text(), written(&root, lowered, ty)));
    markdown.push_str(&format!("\n{what}{}", presence(ty)));
    markdown.push_str(firewall_note(&name.text().to_string(), edition));
    Some(Hover { range, markdown })
}

/// The meaning of a leading `_`.
fn firewall_note(name: &str, edition: Edition) -> &'static str {
    match (name.starts_with('_'), edition.has_firewall()) {
        (false, _) => "",
        (true, true) => {
            "\n\nFirewalled: hidden from prompts and from a parent's view of the tool, until edition 0.11."
        }
        (true, false) => {
            "\n\nFirewalled until 0.10; in this edition `_` is part of the name and hides nothing."
        }
    }
}

fn presence(ty: &Type) -> &'static str {
    if ty.optional {
        ", may be left out"
    } else {
        ", required"
    }
}

fn type_of_name(signature: &Signature, name: TextRange) -> Option<&Type> {
    let in_params = fields_type(&signature.params, name);
    in_params.or_else(|| type_within(&signature.output, name))
}

fn fields_type(fields: &[crate::model::Field], name: TextRange) -> Option<&Type> {
    fields
        .iter()
        .find_map(|field| match field.name_range == name {
            true => Some(&field.ty),
            false => type_within(&field.ty, name),
        })
}

fn type_within(ty: &Type, name: TextRange) -> Option<&Type> {
    match &ty.kind {
        TypeKind::List(element) => type_within(element, name),
        TypeKind::Record(fields) => fields_type(fields, name),
        TypeKind::Primitive(_) | TypeKind::Unknown => None,
    }
}

/// A type as text; the source text if it is invalid.
fn written(root: &SyntaxNode, lowered: &Lowered, ty: &Type) -> String {
    match has_unknown_type(lowered, ty.range) {
        true => text_at(root, ty.range),
        false => ty.to_string(),
    }
}

fn has_unknown_type(lowered: &Lowered, range: TextRange) -> bool {
    let mut problems = lowered.problems.iter();
    problems.any(|it| it.kind == ProblemKind::UnknownType && range.contains_range(it.range))
}

fn text_at(root: &SyntaxNode, range: TextRange) -> String {
    let text = root.text().slice(range).to_string();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn hover_compound(node: &SyntaxNode, lowered: &Lowered) -> Option<Hover> {
    let signature = &lowered.signature;
    let range = node.text_range();
    let params = signature.params.iter().map(|param| &param.ty);
    let ty = params
        .chain([&signature.output])
        .find_map(|ty| type_at(ty, range))?;
    let what = match &ty.kind {
        TypeKind::List(_) => "a list",
        TypeKind::Record(fields) if fields.is_empty() => "a map without required fields",
        _ => "a map with these fields; other keys are allowed, except in strict mode",
    };
    Some(Hover {
        range,
        markdown: format!(
            "{}\n{what}",
            code(&written(&node.ancestors().last()?, lowered, ty))
        ),
    })
}

fn type_at(ty: &Type, range: TextRange) -> Option<&Type> {
    if ty.range == range || (ty.optional && ty.range.start() == range.start()) {
        return Some(ty);
    }
    match &ty.kind {
        TypeKind::List(element) => type_at(element, range),
        TypeKind::Record(fields) => fields.iter().find_map(|field| type_at(&field.ty, range)),
        TypeKind::Primitive(_) | TypeKind::Unknown => None,
    }
}

fn about_signature(
    root: &SyntaxNode,
    lowered: &Lowered,
    fragment: &Fragment,
    edition: Edition,
) -> String {
    let name = fragment.name.as_deref().unwrap_or_default();
    let what = match fragment.role {
        Role::Tool => "The signature of a tool",
        _ => "A signature",
    };
    let is_certain = !has_unknown_type(lowered, root.text_range());
    let text = match is_certain {
        true => lowered.signature.to_string(),
        false => text_at(root, root.text_range()),
    };
    let mut about = format!(
        "{}\n{what}, edition {edition}",
        code(&format!("{name}{text}"))
    );
    if is_certain {
        about.push_str(&schemas(&lowered.signature.visible(edition)));
    }
    about
}

/// The JSON Schemas of the inputs and the output of `signature`, folded.
pub(super) fn schemas(signature: &Signature) -> String {
    let mut folds = String::new();
    if !signature.params.is_empty() {
        folds = json_fold("JSON Schema of the arguments", &input_schema(signature));
    }
    folds + &json_fold("JSON Schema of the result", &output_schema(signature))
}

/// `json`, folded.
fn json_fold(summary: &str, json: &serde_json::Value) -> String {
    // Values that consist of texts and numbers can be written as JSON.
    let json = serde_json::to_string_pretty(json).unwrap_or_default();
    format!("\n\n<details>\n<summary>{summary}</summary>\n\n```json\n{json}\n```\n\n</details>")
}

/// The meaning of a type word, with examples and the values that are coerced to it.
pub(super) fn about_primitive(primitive: Primitive, is_output: bool, edition: Edition) -> String {
    let facts = primitive.facts();
    let mut about = format!(
        "{}\n{}\n\nExamples: {}",
        code(facts.written),
        facts.meaning,
        facts.examples,
    );
    if !is_output {
        let coercion = primitive.coercion(edition);
        about.push_str(&format!("\n\nAs input: {coercion}."));
    }
    about
}

pub(super) fn code(text: &str) -> String {
    format!("```signature\n{text}\n```")
}

#[cfg(test)]
mod tests;
