//! Expands placeholders like releases of the reference with sections.

use foldhash::HashSet;

use super::{
    Expanded, Problem, Room,
    nodes::{MAX_DEPTH, Node},
    text::{inspect, to_text},
};
use crate::contract::{Entry, Key, Value, ValueKind};

/// The prompt of an agent that writes a program: references to the values. `None` if the template has sections or a
/// placeholder without a value: then the reference inserts the values.
pub(super) fn refer(nodes: &[Node], context: &Value, room: &Room) -> Option<String> {
    let mut text = String::new();
    for node in nodes {
        match node {
            Node::Text(it) => text.push_str(it),
            Node::Variable(path) if matches!(room.look_up(context, path), Ok(Some(_))) => {
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
pub(super) fn expand(template: &str, nodes: &[Node], context: &Value, room: &Room) -> Expanded {
    let has_sections = nodes.iter().any(|it| matches!(it, Node::Section { .. }));
    let missing = match missing(nodes, context, room) {
        Ok(missing) => missing,
        Err(problem) => return Expanded::unchanged(template, problem),
    };
    let context = with_placeholders(context, &missing);
    let mut expander = Expander {
        writes_lists: !has_sections,
        room,
        text: String::new(),
    };
    match expander.nodes(nodes, &mut vec![&context], 0) {
        Ok(()) => Expanded {
            text: expander.text,
            problems: missing.into_iter().map(Problem::Missing).collect(),
        },
        Err(Problem::TooLong) => Expanded {
            text: expander.text,
            problems: vec![Problem::TooLong],
        },
        Err(problem) => Expanded::unchanged(template, problem),
    }
}

/// The placeholders outside of sections without a value, without duplicates.
fn missing(nodes: &[Node], context: &Value, room: &Room) -> Result<Vec<String>, Problem> {
    let mut missing = Vec::new();
    let mut known = HashSet::default();
    for node in nodes {
        if let Node::Variable(path) = node
            && room.look_up(context, path)?.is_none()
        {
            let name = path.join(".");
            if known.insert(name.clone()) {
                missing.push(name);
            }
        }
    }
    Ok(missing)
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

struct Expander<'a> {
    /// Whether a placeholder may expand to a list: only in templates without sections.
    writes_lists: bool,
    room: &'a Room,
    text: String,
}

impl Expander<'_> {
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
        self.room.take(1)?;
        match node {
            Node::Text(text) => self.room.write(text, &mut self.text)?,
            Node::Comment => {}
            Node::Variable(path) => self.variable(path, frames)?,
            Node::Current => {
                let current = frames.last().and_then(|it| to_text(it));
                let current = current.ok_or_else(|| Problem::NotText(".".to_owned()))?;
                self.room.write(&current, &mut self.text)?;
            }
            Node::Section { .. } if depth >= MAX_DEPTH => return Err(Problem::TooDeep),
            Node::Section {
                name,
                is_inverted,
                inner,
            } => {
                let value = self.resolve(frames, std::slice::from_ref(name))?;
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
        let Some(value) = self.resolve(frames, path)? else {
            return Err(Problem::MissingPath(name));
        };
        let text = match &value.kind {
            ValueKind::List(_) if self.writes_lists => Some(inspect(value)),
            _ => to_text(value),
        };
        self.room
            .write(&text.ok_or(Problem::NotText(name))?, &mut self.text)
    }

    /// The value at `path` in the innermost frame that has it.
    fn resolve<'v>(
        &self,
        frames: &[&'v Value],
        path: &[String],
    ) -> Result<Option<&'v Value>, Problem> {
        for frame in frames.iter().rev() {
            if let Some(value) = self.room.look_up(frame, path)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}

fn is_falsy(value: &Value) -> bool {
    match &value.kind {
        ValueKind::Null | ValueKind::Bool(false) => true,
        ValueKind::String(text) => text.is_empty(),
        ValueKind::List(elements) => elements.is_empty(),
        _ => false,
    }
}
