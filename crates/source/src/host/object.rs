//! Units from objects: maps of keys to values in JSON, YAML, front matter and Lisp.
//!
//! A host reads its syntax and passes the entries of one object at a time. The meaning of keys is the same for all
//! hosts.

use std::{borrow::Cow, sync::Arc};

use crate::{
    host::{
        Argument, Notation, PlacedUnit, Role, Site, Unit,
        evidence::{self, Evidence},
        roles::{KeyRole, RolesIn, misspelled},
        values::yaml::MERGE_KEY,
    },
    rare::Rare,
    syntax::{
        decode::decode,
        fragment::{Escapes, Foreign, Fragment},
    },
    text::TextRange,
    value,
};

/// A string literal of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal {
    /// The literal with its delimiters, in bytes of the document.
    pub literal: TextRange,
    /// The content between the delimiters, in bytes of the document.
    pub content: TextRange,
    /// Its escapes.
    pub escapes: Escapes,
    /// Margins and interpolations, in bytes from the content's start, sorted and disjoint.
    pub foreign: Rare<Vec<Foreign>>,
}

/// The value of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A string that is the whole value.
    Literal(Literal),
    /// Anything else.
    Other(TextRange),
}

impl Value {
    /// Where it is.
    pub fn range(&self) -> TextRange {
        match self {
            Self::Literal(literal) => literal.literal,
            Self::Other(range) => *range,
        }
    }
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Property<'a> {
    /// The key, without colons and quotes.
    pub key: &'a str,
    /// The key as written, in bytes of the document.
    pub key_range: TextRange,
    /// The value, in bytes of the document.
    pub value: Value,
    /// The value itself, if the key is one of [`reads_value`]; its ranges are relative to its start.
    pub read: Option<Arc<value::Value>>,
}

/// Whether the value of `key` is compared with signatures: samples, descriptions of fields and modes.
pub fn reads_value(key: &str) -> bool {
    VALUES.contains(&key)
}

const VALUES: [&str; 9] = [
    "input",
    "inputs",
    "context",
    "context_descriptions",
    "output",
    "examples",
    "field_descriptions",
    "signature_validation",
    "validation",
];

/// Other options of agents that rules and features look up.
const OPTIONS: [&str; 8] = [
    "completion_mode",
    "json_signature",
    "max_turns",
    "program",
    "ptc_transport",
    "retry_turns",
    "runtime_prelude",
    MERGE_KEY,
];

/// Whether `key` is an option that is only looked up.
pub fn is_option(key: &str) -> bool {
    OPTIONS.contains(&key)
}

/// Whether something depends on what is under `key` of an object. An object may have thousands of other keys.
pub fn matters(key: &str, roles: RolesIn<'_>) -> bool {
    roles.of_key(key).is_some() || reads_value(key) || is_option(key) || misspelled(key).is_some()
}

/// The role of an object, by the keys around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// An agent, or irrelevant.
    Free,
    /// The value of a `tools` key: a list of tools, or tools by name.
    Tools,
    /// One tool, with its name if the key before it is one.
    Tool(Option<String>),
}

impl Place {
    /// The role of the value of `key` in an object with this role.
    pub fn under(&self, key: &str, roles: RolesIn<'_>) -> Self {
        match (self, roles.of_key(key)) {
            (Place::Tools, _) => Place::Tool(Some(key.to_owned())),
            (_, Some(KeyRole::Tools)) => Place::Tools,
            _ => Place::Free,
        }
    }

    /// The role of an item of a list with this role.
    pub fn item(&self) -> Self {
        match self {
            Place::Tools => Place::Tool(None),
            _ => Place::Free,
        }
    }
}

/// The owner of the literals in an object or a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Owner<'a> {
    /// Whether it is a tool; otherwise it is an agent.
    pub is_tool: bool,
    /// Its name, if it is known.
    pub name: Option<&'a str>,
}

impl<'a> Owner<'a> {
    /// The owner of the literals in an object at `place`. `name` is the value of its `name` key if that is a plain
    /// string; the key of a tool in a map of tools takes precedence.
    pub fn of_object(place: &'a Place, name: Option<&'a str>) -> Self {
        match place {
            Place::Tool(key) => Self {
                is_tool: true,
                name: key.as_deref().or(name),
            },
            Place::Free | Place::Tools => Self {
                is_tool: false,
                name,
            },
        }
    }
}

/// The unit of the object at `range`, or `None` if it has neither a signature nor a prompt.
pub fn object_unit(
    range: TextRange,
    entries: Vec<Property<'_>>,
    owner: Owner<'_>,
    notation: Notation,
    roles: RolesIn<'_>,
    evidence: Evidence,
) -> Option<PlacedUnit> {
    let mut unit = Unit {
        len: range.len(),
        notation,
        evidence,
        ..Unit::default()
    };
    for entry in entries {
        add_entry(&mut unit, range, entry, owner, roles);
    }
    let checked = unit.sites.iter().any(|site| site.role != Role::Description);
    checked.then(|| placed(range, unit))
}

/// The unit of a tool in the form `name: signature`.
pub fn tool_unit(
    range: TextRange,
    name: &str,
    literal: &Literal,
    notation: Notation,
    evidence: Evidence,
) -> PlacedUnit {
    let unit = Unit {
        len: range.len(),
        evidence,
        sites: vec![site(range, literal, Role::Tool, Some(name))],
        notation,
        ..Unit::default()
    };
    placed(range, unit)
}

/// The unit of a signature alone.
pub fn signature_unit(literal: &Literal, notation: Notation) -> PlacedUnit {
    let range = literal.literal;
    let unit = Unit {
        len: range.len(),
        evidence: Evidence::Likely,
        sites: vec![site(range, literal, Role::Signature, None)],
        notation,
        ..Unit::default()
    };
    placed(range, unit)
}

/// Adds the contents of `entry` to the `unit` at `range`, which describes the tool or agent `owner`.
pub fn add_entry(
    unit: &mut Unit,
    range: TextRange,
    entry: Property<'_>,
    owner: Owner<'_>,
    roles: RolesIn<'_>,
) {
    let role = match roles.of_key(entry.key) {
        Some(KeyRole::Signature) if owner.is_tool => Some(Role::Tool),
        Some(KeyRole::Signature) => Some(Role::Signature),
        Some(KeyRole::Prompt) => Some(Role::Prompt),
        Some(KeyRole::Description) => Some(Role::Description),
        Some(KeyRole::Tools | KeyRole::Name | KeyRole::Program) | None => None,
    };
    match (&entry.value, role) {
        (Value::Literal(literal), Some(role)) => {
            unit.sites.push(site(range, literal, role, owner.name));
        }
        (Value::Literal(Literal { literal: value, .. }) | Value::Other(value), _) => {
            let mut argument = Argument::new(entry.key, entry.key_range, *value, entry.read);
            argument.map_ranges(|it| it - range.start());
            unit.arguments.push(argument);
        }
    }
}

/// Turns the literals of an object that do not count into plain values, and returns the evidence of the others.
/// `text_of` returns the literal of an entry.
pub fn judge<'t>(
    entries: &mut [Property<'_>],
    place: &Place,
    roles: RolesIn<'_>,
    text_of: impl Fn(usize) -> Option<Cow<'t, str>>,
) -> Evidence {
    let is_prompt = |(index, entry): (usize, &Property<'_>)| {
        roles.of_key(entry.key) == Some(KeyRole::Prompt)
            && matches!(entry.value, Value::Literal(_))
            && evidence::is_prompt(&text_of(index).unwrap_or_default())
    };
    // Most signatures are sure without another text.
    let beside = |entries: &[Property<'_>], text: &str| {
        let is_beside =
            || matches!(place, Place::Tool(_)) || entries.iter().enumerate().any(is_prompt);
        evidence::of_signature_beside(text).filter(|_| is_beside())
    };
    let signed = judge_role(entries, KeyRole::Signature, &beside, roles, &text_of);
    // A prompt beside a signature counts with it.
    if signed >= Some(Evidence::Likely) {
        return signed.unwrap_or_default();
    }
    let prompted = judge_role(entries, KeyRole::Prompt, &|_, _| None, roles, &text_of);
    // A prompt beside a possible signature of another language may belong to another engine.
    signed.or(prompted).unwrap_or_default()
}

/// Evaluates the literals with one role; the strongest evidence counts. `beside` is the evidence of a text that has none of
/// its own.
fn judge_role<'t>(
    entries: &mut [Property<'_>],
    role: KeyRole,
    beside: &dyn Fn(&[Property<'_>], &str) -> Option<Evidence>,
    roles: RolesIn<'_>,
    text_of: impl Fn(usize) -> Option<Cow<'t, str>>,
) -> Option<Evidence> {
    let mut surest = None;
    for index in 0..entries.len() {
        let entry = &entries[index];
        let Value::Literal(literal) = &entry.value else {
            continue;
        };
        if roles.of_key(entry.key) != Some(role) {
            continue;
        }
        let text = text_of(index).unwrap_or_default();
        match evidence_in(role, entry.key, &text, roles).or_else(|| beside(entries, &text)) {
            None => entries[index].value = Value::Other(literal.literal),
            evidence => surest = surest.max(evidence),
        }
    }
    surest
}

/// The evidence of `text`, the value of `key`; `None` if it does not count.
pub fn evidence_in(role: KeyRole, key: &str, text: &str, roles: RolesIn<'_>) -> Option<Evidence> {
    if roles.is_added_key(key) {
        return Some(Evidence::Certain);
    }
    match role {
        KeyRole::Signature => evidence::of_signature(text),
        KeyRole::Prompt => evidence::is_prompt(text).then_some(Evidence::Likely),
        _ => None,
    }
}

/// The value of a string with `escapes` and the content `raw`.
pub fn text_of(raw: &str, escapes: Escapes) -> Cow<'_, str> {
    let is_folded = escapes.folds_lines() && raw.contains('\n');
    if escapes == Escapes::None || !is_folded && !raw.contains(['\\', '\'']) {
        return Cow::Borrowed(raw);
    }
    let fragment = Fragment {
        escapes,
        ..Fragment::plain(raw)
    };
    decode(fragment).map_or(Cow::Borrowed(raw), Cow::Owned)
}

/// The site of `literal` in the unit at `unit`.
pub fn site(unit: TextRange, literal: &Literal, role: Role, name: Option<&str>) -> Site {
    Site {
        role,
        name: name.map(Arc::from),
        literal: literal.literal - unit.start(),
        content: literal.content - unit.start(),
        escapes: literal.escapes,
        foreign: literal.foreign.clone(),
    }
}

fn placed(range: TextRange, mut unit: Unit) -> PlacedUnit {
    unit.shrink();
    PlacedUnit::new(range.start(), unit)
}
