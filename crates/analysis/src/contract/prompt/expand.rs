//! Expands placeholders like releases of the reference with sections.

use foldhash::HashSet;

use super::{
    Expanded, Problem,
    nodes::Node,
    text::{inspect, to_text},
};
use crate::contract::{Entry, Key, Value, ValueKind};

/// The maximum depth of sections in the reference.
const MAX_DEPTH: usize = 20;

/// The prompt of an agent that writes a program: references to the values. `None` if the template has sections or a
/// placeholder without a value: then the reference inserts the values.
pub(super) fn refer(nodes: &[Node], context: &Value) -> Option<String> {
    let mut text = String::new();
    for node in nodes {
        match node {
            Node::Text(it) => text.push_str(it),
            Node::Variable(path) if lookup(context, path).is_some() => {
                text.push_str(&format!("~{{data/{}}}", path.join(".")));
            }
            Node::Current => text.push_str("~{data/.}"),
            Node::Comment => {}
            Node::Variable(_) | Node::Section { .. } => return None,
        }
    }
    Some(text)
}

/// The template with values filled in.
pub(super) fn expand(template: &str, nodes: &[Node], context: &Value) -> Expanded {
    let has_sections = nodes.iter().any(|it| matches!(it, Node::Section { .. }));
    let missing = missing(nodes, context);
    let context = with_placeholders(context, &missing);
    let mut expander = Expander {
        writes_lists: !has_sections,
        text: String::new(),
    };
    match expander.nodes(nodes, &mut vec![&context], 0) {
        Ok(()) => Expanded {
            text: expander.text,
            problems: missing.into_iter().map(Problem::Missing).collect(),
        },
        Err(problem) => Expanded::unchanged(template, problem),
    }
}

/// The placeholders outside of sections without a value, without duplicates.
fn missing(nodes: &[Node], context: &Value) -> Vec<String> {
    let mut missing = Vec::new();
    let mut known = HashSet::default();
    for node in nodes {
        if let Node::Variable(path) = node
            && lookup(context, path).is_none()
        {
            let name = path.join(".");
            if known.insert(name.clone()) {
                missing.push(name);
            }
        }
    }
    missing
}

/// The values, and for each `missing` name its placeholder as text. A section over such a name therefore appears, as
/// in the reference.
fn with_placeholders(context: &Value, missing: &[String]) -> Value {
    let mut context = context.clone();
    if let ValueKind::Map(entries) = &mut context.kind {
        let range = context.range;
        let missing = missing.iter().map(|name| Entry {
            key: Key {
                name: Some(name.as_str().into()),
                range,
                is_atom: false,
            },
            value: Value::new(ValueKind::string(format!("{{{{{name}}}}}")), range),
        });
        let known = std::mem::take(entries).into_iter();
        *entries = known.chain(missing).collect();
    }
    context
}

struct Expander {
    /// Whether a placeholder may expand to a list: only in templates without sections.
    writes_lists: bool,
    text: String,
}

impl Expander {
    fn nodes(
        &mut self,
        nodes: &[Node],
        frames: &mut Vec<&Value>,
        depth: usize,
    ) -> Result<(), Problem> {
        nodes
            .iter()
            .try_for_each(|node| self.node(node, frames, depth))
    }

    fn node(&mut self, node: &Node, frames: &mut Vec<&Value>, depth: usize) -> Result<(), Problem> {
        match node {
            Node::Text(text) => self.text.push_str(text),
            Node::Comment => {}
            Node::Variable(path) => self.variable(path, frames)?,
            Node::Current => {
                let current = frames.last().and_then(|it| to_text(it));
                self.text
                    .push_str(&current.ok_or_else(|| Problem::NotText(".".to_owned()))?);
            }
            Node::Section { .. } if depth >= MAX_DEPTH => return Err(Problem::TooDeep),
            Node::Section {
                name,
                is_inverted,
                inner,
            } => {
                let value = resolve(frames, std::slice::from_ref(name));
                match value.filter(|it| !is_falsy(it)) {
                    Some(_) if *is_inverted => {}
                    Some(value) => self.section(value, inner, frames, depth + 1)?,
                    None if *is_inverted => self.nodes(inner, frames, depth + 1)?,
                    None => {}
                }
            }
        }
        Ok(())
    }

    fn section<'v>(
        &mut self,
        value: &'v Value,
        inner: &[Node],
        frames: &mut Vec<&'v Value>,
        depth: usize,
    ) -> Result<(), Problem> {
        let elements = match &value.kind {
            ValueKind::List(elements) => &elements[..],
            ValueKind::Map(_) => std::slice::from_ref(value),
            _ => return self.nodes(inner, frames, depth),
        };
        for element in elements {
            frames.push(element);
            self.nodes(inner, frames, depth)?;
            frames.pop();
        }
        Ok(())
    }

    fn variable(&mut self, path: &[String], frames: &[&Value]) -> Result<(), Problem> {
        let name = path.join(".");
        let Some(value) = resolve(frames, path) else {
            return Err(Problem::MissingPath(name));
        };
        let text = match &value.kind {
            ValueKind::List(_) if self.writes_lists => Some(inspect(value)),
            _ => to_text(value),
        };
        self.text.push_str(&text.ok_or(Problem::NotText(name))?);
        Ok(())
    }
}

/// The value at `path` in the innermost frame that has it.
fn resolve<'v>(frames: &[&'v Value], path: &[String]) -> Option<&'v Value> {
    frames.iter().rev().find_map(|frame| lookup(frame, path))
}

/// The value at `path` below `value`.
pub(super) fn lookup<'v>(value: &'v Value, path: &[String]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, name| value.get(name))
}

fn is_falsy(value: &Value) -> bool {
    match &value.kind {
        ValueKind::Null | ValueKind::Bool(false) => true,
        ValueKind::String(text) => text.is_empty(),
        ValueKind::List(elements) => elements.is_empty(),
        _ => false,
    }
}
