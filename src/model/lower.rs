//! From trees to signatures: what the words of a tree mean in an edition.

use std::collections::HashSet;

use crate::{
    model::{Edition, Field, Names, Signature, Type, TypeKind, type_words},
    syntax::{
        error::{self, ErrorKind},
        fragment::Fragment,
        kind::{SyntaxKind, SyntaxNode},
        signature::{self, ast},
    },
    text::TextRange,
};

/// Why a signature is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProblemKind {
    /// It does not follow the grammar.
    Syntax(ErrorKind),
    /// The word behind a colon is no type of the edition.
    UnknownType,
    /// Two fields of one record, or two parameters, have one name.
    DuplicateName,
}

/// A fault and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// Just the fault, in bytes of the fragment; empty where something is missing.
    pub range: TextRange,
}

impl Problem {
    /// Whether a signature with it is none in `edition`.
    pub fn is_refused_by(&self, edition: Edition) -> bool {
        self.kind != ProblemKind::DuplicateName || !edition.allows_same_name_twice()
    }
}

/// A signature as far as it could be read, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lowered {
    /// What could not be read is [`TypeKind::Unknown`] in it.
    pub signature: Signature,
    /// The names of the signature.
    pub names: Names,
    /// In the order of the text.
    pub problems: Vec<Problem>,
}

impl Lowered {
    /// Whether no fault of syntax in the parameters of the tree at `root`, from which it was read, can hide a
    /// name.
    pub fn has_all_params(&self, root: &SyntaxNode) -> bool {
        let mut children = root.children();
        let list = children.find(|it| it.kind() == SyntaxKind::ParamList);
        let hides = |it: &&Problem| match (it.kind, &list) {
            (ProblemKind::Syntax(kind), Some(list)) => {
                list.text_range().contains_range(it.range) && !kind.is_of_whole_type()
            }
            (ProblemKind::Syntax(_), None) => true,
            (ProblemKind::UnknownType | ProblemKind::DuplicateName, _) => false,
        };
        self.problems.iter().find(hides).is_none()
    }
}

/// Parses `text`, in which every character stands for itself, and answers the signature, if there is
/// nothing wrong with it, and the faults that the edition refuses.
pub fn parse_signature(text: &str, edition: Edition) -> (Option<Signature>, Vec<Problem>) {
    let root = SyntaxNode::new_root(signature::parse(Fragment::plain(text)));
    let Lowered {
        signature,
        mut problems,
        ..
    } = lower(&root, edition);
    problems.retain(|problem| problem.is_refused_by(edition));
    (problems.is_empty().then_some(signature), problems)
}

/// Reads the tree of a signature. Names that stand twice are reported in every edition.
pub fn lower(root: &SyntaxNode, edition: Edition) -> Lowered {
    let mut lowering = Lowering {
        edition,
        problems: Vec::new(),
    };
    let signature = lowering.signature(root);
    let syntax = error::errors(root).into_iter();
    let mut problems = lowering.problems;
    problems.extend(syntax.map(|it| Problem {
        kind: ProblemKind::Syntax(it.kind),
        range: it.range,
    }));
    problems.sort_by_key(|problem| (problem.range.start(), problem.range.end()));
    Lowered {
        names: Names::new(&signature),
        signature,
        problems,
    }
}

struct Lowering {
    edition: Edition,
    problems: Vec<Problem>,
}

impl Lowering {
    fn signature(&mut self, root: &SyntaxNode) -> Signature {
        let Some(signature) = ast::Signature::cast(root.clone()) else {
            return Signature {
                params: Vec::new(),
                output: Type::new(TypeKind::Unknown),
            };
        };
        Signature {
            params: self.fields(signature.params()),
            output: self.ty(signature.output()),
        }
    }

    fn fields(&mut self, items: impl Iterator<Item = ast::Item>) -> Vec<Field> {
        let mut seen = HashSet::new();
        let mut fields = Vec::new();
        for item in items {
            let ty = self.ty(item.ty());
            let Some(name) = item.name() else { continue };
            let field = Field {
                name: name.text().to_owned(),
                name_range: name.text_range(),
                ty,
            };
            if !seen.insert(self.edition.normal_name(&field.name)) {
                self.problems.push(Problem {
                    kind: ProblemKind::DuplicateName,
                    range: field.name_range,
                });
            }
            fields.push(field);
        }
        fields
    }

    fn ty(&mut self, ty: Option<ast::Type>) -> Type {
        let Some(ty) = ty else {
            return Type::new(TypeKind::Unknown);
        };
        let range = ty.text_range();
        let (kind, optional) = match ty {
            ast::Type::Primitive(primitive) => (self.primitive(&primitive, range), false),
            ast::Type::List(list) => (TypeKind::List(Box::new(self.ty(list.element()))), false),
            ast::Type::Record(record) => (TypeKind::Record(self.fields(record.fields())), false),
            ast::Type::Optional(optional) => (self.ty(optional.inner()).kind, true),
            ast::Type::Unreadable(node) => (self.unreadable(&node), false),
        };
        Type {
            kind,
            optional,
            range,
        }
    }

    fn primitive(&mut self, primitive: &ast::PrimitiveType, range: TextRange) -> TypeKind {
        let Some(word) = primitive.word() else {
            return TypeKind::Unknown;
        };
        if let Some(primitive) = type_words::primitive(word.text(), self.edition) {
            return TypeKind::Primitive(primitive);
        }
        self.problems.push(Problem {
            kind: ProblemKind::UnknownType,
            range,
        });
        TypeKind::Unknown
    }

    /// A word without its colon is surely meant as the type of that name.
    fn unreadable(&self, node: &SyntaxNode) -> TypeKind {
        if node.kind() != SyntaxKind::Error(ErrorKind::BareTypeWord) {
            return TypeKind::Unknown;
        }
        let word = node.text().to_string();
        type_words::primitive(&word, self.edition).map_or(TypeKind::Unknown, TypeKind::Primitive)
    }
}

#[cfg(test)]
mod tests;
