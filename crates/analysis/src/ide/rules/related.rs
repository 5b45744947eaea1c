//! The related places of diagnostics: the declaration of a parameter, the first of two names, the opening bracket or
//! tag.

mod values;

use values::{declared_for, fields_of_value};
pub(super) use values::{declared_in, missing_in};

use crate::{
    contract::{Value, ValueKind},
    ide::{
        Diagnostic, Related,
        diagnostic::{Elsewhere, Outside},
        unit::{SignatureView, UnitView},
    },
    model::{
        Field, Lowered, Signature,
        names::record_in,
        placeholders::{Meaning, Use},
        spelling::nearest,
    },
};
use signature_ls_source::{
    host::lisp::{Arguments, NamedArgument},
    syntax::kind::{SyntaxKind, SyntaxNode},
    text::{TextRange, TextSize},
};

/// How to find the places for the diagnostics of some rules.
type Find = fn(&UnitView<'_>, &Diagnostic) -> Option<Related>;

const TABLE: &[(&[&str], Find)] = &[
    (
        &[
            "placeholder-type",
            "optional-placeholder",
            "firewalled-placeholder",
        ],
        of_placeholder,
    ),
    (&["unknown-placeholder"], meant_by_placeholder),
    (&["unknown-input"], meant_by_key),
    (&["duplicate-name"], first_name),
    (&["duplicate-tool"], first_tool),
    (&["duplicate-key"], first_key),
    (&["duplicate-argument"], first_argument),
    (&["wrong-bracket", "mismatched-section-close"], opening),
];

/// Rules about values whose parameter or field is declared somewhere.
const OF_VALUES: &[&str] = &["value-type", "coerced-value", "missing-value"];

/// The maximum number of missing values whose declarations are shown.
pub(super) const MOST_DECLARATIONS: usize = 3;

/// With more diagnostics in a unit, the places are not searched.
const MOST_FINDINGS: usize = 64;

/// Adds the related places to the diagnostics of a unit.
pub(super) fn add(unit: &UnitView<'_>, found: &mut [Diagnostic]) {
    for diagnostic in found.iter_mut().take(MOST_FINDINGS) {
        let code = diagnostic.rule.code;
        let find = TABLE.iter().find(|(codes, _)| codes.contains(&code));
        let related = find.and_then(|(_, find)| find(unit, diagnostic));
        diagnostic.related.extend(related);
        if code == "unknown-input" && diagnostic.related.is_empty() {
            let meant = meant_of_agent(unit, diagnostic);
            diagnostic.elsewhere.extend(meant);
        } else if code == "returned-value" {
            diagnostic.related.extend(of_returned(unit, diagnostic));
        } else if OF_VALUES.contains(&code) {
            add_declarations(unit, diagnostic);
        }
    }
}

fn declared(field: &Field, start: TextSize) -> Related {
    Related {
        range: field.name_range + start,
        message: declaration(field),
    }
}

/// The text for the declaration of `field`.
pub(super) fn declaration(field: &Field) -> String {
    format!("`{}` is declared here.", field.short())
}

fn first(name: &str, range: TextRange) -> Related {
    Related {
        range,
        message: format!("The first `{name}` is here."),
    }
}

/// The signature of the unit's prompts.
fn signature<'a>(unit: &UnitView<'a>) -> Option<SignatureView<'a>> {
    unit.signatures().next()
}

/// The name in a prompt that the diagnostic is about, its segment, and the start of its prompt.
fn placeholder<'u>(unit: &'u UnitView<'_>, range: TextRange) -> Option<(&'u Use, usize)> {
    unit.placeholders().iter().find_map(|(start, it)| {
        let mut segments = it.segments.iter();
        let segment = segments.position(|(_, own)| (*own + *start).contains_range(range))?;
        Some((&**it, segment))
    })
}

fn of_placeholder(unit: &UnitView<'_>, found: &Diagnostic) -> Option<Related> {
    let (it, segment) = placeholder(unit, found.range)?;
    let range = it.declared.get(..=segment).unwrap_or(&it.declared).last()?;
    let signature = signature(unit)?;
    let names = &signature.lowered.names;
    let field = names.field(&signature.lowered.signature, names.at(*range)?)?;
    Some(declared(field, signature.start))
}

/// The parameter or field with the most similar name.
fn meant_by_placeholder(unit: &UnitView<'_>, found: &Diagnostic) -> Option<Related> {
    let (it, segment) = placeholder(unit, found.range)?;
    let Meaning::Unknown { candidates, .. } = &it.meaning else {
        return None;
    };
    let candidates = candidates.iter().flat_map(|it| it.iter());
    let meant = nearest(&it.segments[segment].0, candidates.map(String::as_str))?;
    let signature = signature(unit)?;
    let params = &signature.lowered.signature.params;
    let outer = segment.checked_sub(1).and_then(|at| it.declared.get(at));
    let fields = match outer {
        None => params.as_slice(),
        Some(outer) => {
            let names = &signature.lowered.names;
            let outer = names.field(&signature.lowered.signature, names.at(*outer)?)?;
            record_in(&outer.ty)?
        }
    };
    let field = fields.iter().find(|it| it.name == meant);
    let field = field.or_else(|| only_field(&signature, meant))?;
    Some(declared(field, signature.start))
}

/// The field with a name, at any depth, if it is unique.
fn only_field<'a>(signature: &SignatureView<'a>, name: &str) -> Option<&'a Field> {
    let Lowered {
        names, signature, ..
    } = signature.lowered;
    let fields = names
        .iter()
        .filter_map(|(id, _)| names.field(signature, id));
    let mut fields = fields.filter(|it| it.name == name);
    fields.next().filter(|_| fields.next().is_none())
}

/// The key at `range`, in normal form.
fn key_at(unit: &UnitView<'_>, range: TextRange) -> String {
    let code = unit.code(range);
    let name = code.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
    unit.edition.normal_name(name)
}

/// The parameter with the name most similar to the key.
fn meant_by_key(unit: &UnitView<'_>, found: &Diagnostic) -> Option<Related> {
    let signature = agents_signature(unit)?;
    let field = nearest_param(unit, found, &signature.lowered.signature)?;
    Some(declared(field, signature.start))
}

/// The parameter with the most similar name, where the agent that the unit runs is elsewhere.
fn meant_of_agent(unit: &UnitView<'_>, found: &Diagnostic) -> Option<Elsewhere> {
    let source = unit.flow().agent.as_ref()?.source;
    let field = nearest_param(unit, found, &unit.source(source)?.signature)?;
    Some(Elsewhere {
        outside: Outside::Source(source),
        range: field.name_range,
        message: declaration(field),
    })
}

/// The parameter with the name most similar to the key that `found` is about.
fn nearest_param<'s>(
    unit: &UnitView<'_>,
    found: &Diagnostic,
    signature: &'s Signature,
) -> Option<&'s Field> {
    let params = signature.params.iter();
    let names = params.clone().map(|it| it.name.as_str());
    let meant = nearest(&key_at(unit, found.range), names)?;
    params.clone().find(|it| it.name == meant)
}

/// The signature of the unit's agent.
fn agents_signature<'a>(unit: &UnitView<'a>) -> Option<SignatureView<'a>> {
    let own = unit.agents_signature()?;
    { unit.signatures() }.find(|it| std::ptr::eq(&*it.lowered.signature, own))
}

/// The missing fields of the output in what a program returns, or the field of a value in it.
fn of_returned(unit: &UnitView<'_>, found: &Diagnostic) -> Vec<Related> {
    let Some(own) = agents_signature(unit) else {
        return Vec::new();
    };
    let returned = unit.program().returns.iter().filter_map(|it| it.value);
    let mut around = returned.filter(|it| it.contains_range(found.range));
    let fields = record_in(&own.lowered.signature.output).unwrap_or_default();
    let found = around
        .next()
        .and_then(|it| declared_for(unit, it, fields, found));
    let found = found.unwrap_or_default().into_iter();
    found.map(|it| declared(it, own.start)).collect()
}

fn first_name(unit: &UnitView<'_>, found: &Diagnostic) -> Option<Related> {
    unit.signatures().find_map(|it| {
        let (names, signature) = (&it.lowered.names, &it.lowered.signature);
        let id = names.at(found.range.checked_sub(it.start)?)?;
        let normal = |name: &str| unit.edition.normal_name(name);
        let own = normal(&names.field(signature, id)?.name);
        let mut fields = names.siblings(signature, id)?.iter();
        let other = fields.find(|it| normal(&it.name) == own)?;
        Some(first(&other.name, other.name_range + it.start))
    })
}

fn first_tool(unit: &UnitView<'_>, found: &Diagnostic) -> Option<Related> {
    let tools = unit.tools_registered()?;
    let own = tools.iter().find(|it| it.key.contains_range(found.range))?;
    let other = tools.iter().find(|it| it.name == own.name)?;
    Some(first(other.name.as_deref()?, other.key))
}

fn first_key(unit: &UnitView<'_>, found: &Diagnostic) -> Option<Related> {
    let (map, range, start) = unit.samples().find_map(|it| {
        let range = found.range.checked_sub(it.start)?;
        Some((map_with_key(it.value, range)?, range, it.start))
    })?;
    let ValueKind::Map(entries) = &map.kind else {
        return None;
    };
    let normal = |name: &Option<Box<str>>| Some(unit.edition.normal_name(name.as_deref()?));
    let own = entries.iter().find(|it| it.key.range == range)?;
    let own = normal(&own.key.name)?;
    let other = entries
        .iter()
        .find(|it| normal(&it.key.name).as_ref() == Some(&own))?;
    Some(first(other.key.name.as_deref()?, other.key.range + start))
}

/// The innermost map in `value` with a key at `range`.
fn map_with_key(value: &Value, range: TextRange) -> Option<&Value> {
    if !value.range.contains_range(range) {
        return None;
    }
    match &value.kind {
        ValueKind::Map(entries) if entries.iter().any(|it| it.key.range == range) => Some(value),
        ValueKind::Map(entries) => entries.iter().find_map(|it| map_with_key(&it.value, range)),
        ValueKind::List(items) => items.iter().find_map(|it| map_with_key(it, range)),
        _ => None,
    }
}

fn first_argument(unit: &UnitView<'_>, found: &Diagnostic) -> Option<Related> {
    let arguments = unit.program().calls.iter().find_map(|it| {
        let arguments = named(&it.arguments);
        arguments
            .iter()
            .any(|it| it.key == found.range)
            .then_some(arguments)
    })?;
    let normal = |it: &NamedArgument| unit.edition.normal_name(&it.name);
    let own = arguments
        .iter()
        .find(|it| it.key == found.range)
        .map(normal)?;
    let other = arguments.iter().find(|it| normal(it) == own)?;
    Some(first(&other.name, other.key))
}

fn named(arguments: &Arguments) -> &[NamedArgument] {
    match arguments {
        Arguments::Pairs(entries) | Arguments::Map { entries, .. } => entries,
        _ => &[],
    }
}

/// Adds the declaration of the parameter or field of a sample value: in the signature beside it, or in that of the
/// agent that the unit runs.
fn add_declarations(unit: &UnitView<'_>, found: &mut Diagnostic) {
    if let Some(own) = signature(unit) {
        let fields = fields_of_value(unit, &own.lowered.signature, found);
        let declared = fields.iter().map(|it| declared(it, own.start));
        found.related.extend(declared);
        return;
    }
    let Some(source) = unit.flow().agent.as_ref().map(|it| it.source) else {
        return;
    };
    let Some(agents) = unit.source(source) else {
        return;
    };
    let fields = fields_of_value(unit, &agents.signature, found);
    let elsewhere = fields.iter().map(|it| {
        let Related { range, message } = declared(it, TextSize::default());
        Elsewhere {
            outside: Outside::Source(source),
            range,
            message,
        }
    });
    found.elsewhere.extend(elsewhere);
}

/// The bracket or the tag that opens what the diagnostic's range closes.
fn opening(unit: &UnitView<'_>, found: &Diagnostic) -> Option<Related> {
    let (root, start) = unit.tree_around(found.range)?;
    let group = group_around(&root, found.range - start)?;
    let opening = match group.kind() {
        SyntaxKind::Section => group.first_child()?.into(),
        _ => rowan::SyntaxElement::from(group.first_token()?),
    };
    Some(Related {
        range: opening.text_range() + start,
        message: format!("`{opening}` opens here."),
    })
}

/// The parent of the error node at `range`.
fn group_around(root: &SyntaxNode, range: TextRange) -> Option<SyntaxNode> {
    let element = root.covering_element(range);
    let node = match element {
        rowan::NodeOrToken::Node(node) => node,
        rowan::NodeOrToken::Token(token) => token.parent()?,
    };
    let fault = node
        .ancestors()
        .find(|it| matches!(it.kind(), SyntaxKind::Error(_)))?;
    fault.parent()
}

#[cfg(test)]
mod tests;
