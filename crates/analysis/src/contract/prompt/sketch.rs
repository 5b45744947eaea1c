//! A prompt without values: each placeholder shows its name and type, as in `‹user.name :string›`.

use super::{
    Expanded, OutputMode, Problem, Room,
    nodes::{self, MAX_DEPTH, Node},
};
use crate::model::{Edition, Primitive, Signature, Type, TypeKind};

/// The text that the reference sends for `template`, with names and types for unknown values.
///
/// Sections appear once, inverted sections do not. If there is no `room` left, the text is cut off.
pub fn sketch(
    template: &str,
    signature: &Signature,
    mode: OutputMode,
    edition: Edition,
    room: &Room,
) -> Expanded {
    room.add(template.len());
    let Some(nodes) = nodes::read(template) else {
        return Expanded::unchanged(template, Problem::Unreadable);
    };
    let has_sections = nodes.iter().any(|it| matches!(it, Node::Section { .. }));
    let mut sketcher = Sketcher {
        frames: vec![Frame {
            path: String::new(),
            ty: Type::new(TypeKind::Record(signature.params.clone())),
        }],
        refers: mode == OutputMode::PtcLisp && edition.has_sections() && !has_sections,
        edition,
        room,
        text: String::new(),
        problems: Vec::new(),
    };
    match sketcher.nodes(&nodes, 0) {
        Ok(()) => {}
        Err(Problem::TooLong) => sketcher.problems.push(Problem::TooLong),
        Err(problem) => return Expanded::unchanged(template, problem),
    }
    Expanded {
        text: sketcher.text,
        problems: sketcher.problems,
    }
}

struct Sketcher<'a> {
    /// From the parameters to the innermost section.
    frames: Vec<Frame>,
    /// Whether placeholders become references instead of values.
    refers: bool,
    edition: Edition,
    room: &'a Room,
    text: String,
    problems: Vec<Problem>,
}

/// The scope of names in a section.
struct Frame {
    /// Its path with a final dot; empty for the parameters.
    path: String,
    ty: Type,
}

impl Sketcher<'_> {
    fn nodes(&mut self, nodes: &[Node], depth: usize) -> Result<(), Problem> {
        nodes.iter().try_for_each(|node| self.node(node, depth))
    }

    fn node(&mut self, node: &Node, depth: usize) -> Result<(), Problem> {
        let shown = match node {
            Node::Text(text) => return self.room.write(text, &mut self.text),
            Node::Variable(path) if self.refers => format!("~{{data/{}}}", path.join(".")),
            Node::Variable(path) => self.variable(path),
            Node::Current if self.refers => "~{data/.}".to_owned(),
            Node::Current => self.current(),
            Node::Section {
                name,
                inner,
                is_inverted: false,
            } => match depth < MAX_DEPTH {
                true => return self.section(name, inner, depth),
                false => return Err(Problem::TooDeep),
            },
            Node::Comment | Node::Section { .. } => return Ok(()),
        };
        self.room.write(&shown, &mut self.text)
    }

    fn variable(&self, path: &[String]) -> String {
        match self.find(path) {
            Some((path, ty)) => format!("‹{path} {ty}›"),
            None => format!("‹{}›", path.join(".")),
        }
    }

    fn current(&mut self) -> String {
        let Some(frame) = self.frames.last() else {
            return String::new();
        };
        if matches!(frame.ty.kind, TypeKind::Record(_)) {
            let problem = Problem::NotText(".".to_owned());
            self.problems.push(problem);
        }
        match frame.path.strip_suffix('.') {
            Some(path) => format!("‹{path} {}›", frame.ty),
            None => "‹.›".to_owned(),
        }
    }

    fn section(&mut self, name: &str, inner: &[Node], depth: usize) -> Result<(), Problem> {
        let path: Vec<_> = name.split('.').map(str::to_owned).collect();
        let (path, ty) = self
            .find(&path)
            .unwrap_or_else(|| (name.to_owned(), Type::new(TypeKind::Unknown)));
        let element = match ty.kind {
            TypeKind::List(element) => Some(*element),
            TypeKind::Primitive(Primitive::Map | Primitive::Any) => {
                Some(Type::new(TypeKind::Unknown))
            }
            TypeKind::Record(_) | TypeKind::Unknown => Some(ty),
            TypeKind::Primitive(_) => None,
        };
        let frame = element.map(|ty| Frame {
            path: format!("{path}."),
            ty,
        });
        let frames = self.frames.len();
        self.frames.extend(frame);
        self.nodes(inner, depth + 1)?;
        self.frames.truncate(frames);
        Ok(())
    }

    /// The full path and the type of `path`.
    fn find(&self, path: &[String]) -> Option<(String, Type)> {
        self.frames.iter().rev().find_map(|frame| {
            let first = self.field(&frame.ty, path.first()?)?;
            let ty = path[1..]
                .iter()
                .try_fold(first, |ty, name| self.field(&ty, name))?;
            Some((format!("{}{}", frame.path, path.join(".")), ty))
        })
    }

    fn field(&self, ty: &Type, name: &str) -> Option<Type> {
        let TypeKind::Record(fields) = &ty.kind else {
            return None;
        };
        fields.named(name, self.edition).map(|it| it.ty.clone())
    }
}
