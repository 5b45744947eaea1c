//! Records in the notation of maps in other languages: `%{a: :int}`, `{"a" => :int}`.

use rowan::Direction;

use super::{Fault, SyntaxRule, characters, names, say, signature_rule};
use crate::{
    ide::{Diagnostic, Fix},
    model::meant,
};
use signature_ls_source::{
    order,
    syntax::{
        error::ErrorKind,
        kind::{SyntaxKind, SyntaxNode},
        signature::ast::is_unreadable_type,
    },
    text::{TextEdit, TextRange},
};

pub(super) const SIGN_AFTER_NAME: SyntaxRule = SyntaxRule {
    kind: ErrorKind::SignAfterName,
    rule: signature_rule(
        "sign-after-name",
        "Sign between a name and its type",
        "Maps of other languages have `=>` or `=` between a key and its value. A signature has a space between a name \
         and its type.",
        "{\"id\" => :int, :name => :string}",
        "{id :int, name :string}",
    ),
    describe: |fault| {
        let text = fault.text();
        let description = say(format!(
            "`{text}` does not belong between a name and its type; remove it."
        ));
        let edits = vec![match has_space_after(fault) {
            true => fault.delete_with_space(),
            false => fault.replace_with_space(" "),
        }];
        description.fix(match is_certain(fault) {
            true => Fix::safe("Remove it", edits),
            false => Fix::offered("Remove it", edits),
        })
    },
};

fn has_space_after(fault: &Fault<'_>) -> bool {
    let after = fault.node.next_sibling_or_token();
    after.is_some_and(|it| it.kind() == SyntaxKind::Whitespace)
}

/// Whether a type follows the sign, and the sign is not the arrow of a signature whose output is missing.
fn is_certain(fault: &Fault<'_>) -> bool {
    let has_type = fault.node.next_sibling().is_some_and(|it| {
        !is_unreadable_type(it.kind()) || meant::type_text(&it, fault.edition).is_some()
    });
    let list = fault.parent().and_then(|item| item.parent());
    has_type && list.is_some_and(|it| it.kind() != SyntaxKind::ParamList || precedes_arrow(&it))
}

fn precedes_arrow(params: &SyntaxNode) -> bool {
    let mut after = params.siblings_with_tokens(Direction::Next);
    after.any(|it| it.kind() == SyntaxKind::Arrow)
}

/// Joins the errors of each record that is written as a map: its keys repeat one mistake.
pub(super) fn join_keys(root: &SyntaxNode, faults: &mut Vec<Diagnostic>) {
    let mut maps: Vec<SyntaxNode> = Vec::new();
    for map in faults.iter().filter_map(|it| map_at(root, it)) {
        if !maps.contains(&map) {
            maps.push(map);
        }
    }
    for map in maps {
        join(root, &map, faults);
    }
}

/// The record or the list of parameters whose key, or whose `%`, has the error.
fn map_at(root: &SyntaxNode, fault: &Diagnostic) -> Option<SyntaxNode> {
    let code = fault.rule.code;
    if code == SIGN_AFTER_NAME.rule.code {
        return error_at(root, fault.range)?.parent()?.parent();
    }
    if code != characters::UNEXPECTED.rule.code {
        return None;
    }
    let node = error_at(root, fault.range)?;
    let record = node.next_sibling().filter(|_| node.text() == "%")?;
    (record.kind() == SyntaxKind::RecordType).then_some(record)
}

/// The error node at `range`.
fn error_at(root: &SyntaxNode, range: TextRange) -> Option<SyntaxNode> {
    let mut around = root.covering_element(range).ancestors();
    around.find(|it| matches!(it.kind(), SyntaxKind::Error(_)) && it.text_range() == range)
}

/// Keeps the first error of a sign in the keys of `map`, with the fixes of all errors in its keys.
fn join(root: &SyntaxNode, map: &SyntaxNode, faults: &mut Vec<Diagnostic>) {
    let is_of_sign = |fault: &Diagnostic| map_at(root, fault).as_ref() == Some(map);
    let (own, mut others): (Vec<_>, Vec<_>) = std::mem::take(faults)
        .into_iter()
        .partition(|it| is_of_sign(it) || is_of_key(root, map, it));
    others.extend(match own.len() {
        0 | 1 => own.into_iter().next(),
        _ => joined(&own, map, is_of_sign),
    });
    order::by_range(&mut others, |it| it.range);
    *faults = others;
}

/// The errors of one map as one.
fn joined(
    own: &[Diagnostic],
    map: &SyntaxNode,
    is_of_sign: impl Fn(&Diagnostic) -> bool,
) -> Option<Diagnostic> {
    let fixes = own.iter().filter_map(|it| it.fixes.first());
    let safe = fixes.clone().all(|fix| fix.safe);
    let mut edits: Vec<TextEdit> = fixes.flat_map(|fix| fix.edits.clone()).collect();
    order::by_range(&mut edits, |edit| edit.range);
    edits.dedup();
    let name = first_name(map);
    let kept = own.iter().find(|it| is_of_sign(it))?;
    Some(Diagnostic {
        message: format!("Names are plain words here, not keys of a map: write `{name} :type`."),
        fixes: vec![Fix {
            title: "Write plain names".to_owned(),
            edits,
            safe,
        }],
        ..kept.clone()
    })
}

/// Whether the error is in the notation of a key of `map`.
fn is_of_key(root: &SyntaxNode, map: &SyntaxNode, fault: &Diagnostic) -> bool {
    let code = fault.rule.code;
    let is_notation = code == names::COLON_BEFORE_NAME.rule.code
        || code == names::COLON_AFTER_NAME.rule.code
        || code == names::INVALID_NAME.rule.code && fault.has_safe_fix();
    let node = is_notation.then(|| error_at(root, fault.range)).flatten();
    let item = node.and_then(|it| {
        let mut around = it.ancestors();
        around.find(|it| matches!(it.kind(), SyntaxKind::Param | SyntaxKind::Field))
    });
    item.and_then(|it| it.parent()).as_ref() == Some(map)
}

/// The name of the first item in `map`, without its quotes.
fn first_name(map: &SyntaxNode) -> String {
    let mut tokens = map.descendants_with_tokens();
    let name = tokens.find(|it| it.kind() == SyntaxKind::Ident);
    name.map_or_else(|| "name".to_owned(), |it| it.to_string())
}
