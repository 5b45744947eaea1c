//! A prompt without values: each placeholder shows its name and type, as in `‹user.name :string›`.

use super::{
    Expanded, OutputMode, Problem,
    nodes::{self, Node},
};
use crate::model::{Edition, Primitive, Signature, Type, TypeKind};

/// The text that the reference sends for `template`, with names and types for unknown values.
///
/// Sections appear once, inverted sections do not.
pub fn sketch(
    template: &str,
    signature: &Signature,
    mode: OutputMode,
    edition: Edition,
) -> Expanded {
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
        text: String::new(),
        problems: Vec::new(),
    };
    sketcher.nodes(&nodes);
    Expanded {
        text: sketcher.text,
        problems: sketcher.problems,
    }
}

struct Sketcher {
    /// From the parameters to the innermost section.
    frames: Vec<Frame>,
    /// Whether placeholders become references instead of values.
    refers: bool,
    edition: Edition,
    text: String,
    problems: Vec<Problem>,
}

/// The scope of names in a section.
struct Frame {
    /// Its path with a final dot; empty for the parameters.
    path: String,
    ty: Type,
}

impl Sketcher {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Text(text) => self.text.push_str(text),
                Node::Comment => {}
                Node::Variable(path) if self.refers => {
                    self.text.push_str(&format!("~{{data/{}}}", path.join(".")));
                }
                Node::Variable(path) => self.variable(path),
                Node::Current if self.refers => self.text.push_str("~{data/.}"),
                Node::Current => self.current(),
                Node::Section { is_inverted, .. } if *is_inverted => {}
                Node::Section { name, inner, .. } => self.section(name, inner),
            }
        }
    }

    fn variable(&mut self, path: &[String]) {
        let (path, ty) = match self.find(path) {
            Some((path, ty)) => (path, format!(" {ty}")),
            None => (path.join("."), String::new()),
        };
        self.text.push_str(&format!("‹{path}{ty}›"));
    }

    fn current(&mut self) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let shown = match frame.path.strip_suffix('.') {
            Some(path) => format!("‹{path} {}›", frame.ty),
            None => "‹.›".to_owned(),
        };
        self.text.push_str(&shown);
        if matches!(frame.ty.kind, TypeKind::Record(_)) {
            let problem = Problem::NotText(".".to_owned());
            self.problems.push(problem);
        }
    }

    fn section(&mut self, name: &str, inner: &[Node]) {
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
        let depth = self.frames.len();
        self.frames.extend(frame);
        self.nodes(inner);
        self.frames.truncate(depth);
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
