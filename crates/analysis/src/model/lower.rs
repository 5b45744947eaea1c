//! Lowers trees to signatures, by the type words of an edition.

use std::sync::Arc;

use foldhash::HashSet;

use crate::model::{
    Edition, Field, Names, Signature, Type, TypeKind,
    gaps::{self, Gaps},
    is_prose, meant, type_words,
    wide::{FirstNames, Wide},
};
use signature_ls_source::{
    later::Later,
    order,
    syntax::{
        decode::unescaped,
        error::{self, ErrorKind},
        fragment::Fragment,
        green::Node,
        kind::{SyntaxKind, SyntaxNode},
        signature::{self, ast},
        too_long::is_too_long,
    },
    text::{TextRange, TextSize},
};

/// Why a signature is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProblemKind {
    /// A syntax error.
    Syntax(ErrorKind),
    /// The word after a colon is not a type of the edition.
    UnknownType,
    /// Two fields of a record, or two parameters, have the same name.
    DuplicateName,
}

/// An error and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// The place, in bytes of the fragment; empty if something is missing.
    pub range: TextRange,
}

impl Problem {
    /// Whether `edition` rejects a signature with it.
    pub fn is_refused_by(&self, edition: Edition) -> bool {
        self.kind != ProblemKind::DuplicateName || !edition.allows_same_name_twice()
    }
}

/// A signature as far as it could be read, and its errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lowered {
    /// The signature, with [`TypeKind::Unknown`] for parts that could not be read.
    pub signature: Arc<Signature>,
    /// Its names.
    pub names: Names,
    /// The names that it may have beside these.
    pub gaps: Arc<Gaps>,
    /// The errors, in the order of the text.
    pub problems: Vec<Problem>,
    /// An index of its long lists.
    wide: Later<Wide>,
}

impl Lowered {
    /// Whether the text has syntax errors.
    pub(crate) fn has_syntax_errors(&self) -> bool {
        let is_of_syntax = |it: &Problem| matches!(it.kind, ProblemKind::Syntax(_));
        self.problems.iter().any(is_of_syntax)
    }

    /// The first of `fields`, a list of the signature, whose name is `name`. `edition` is the one that it was lowered for,
    /// as in what follows.
    pub fn field<'f>(
        &self,
        fields: &'f [Field],
        name: &str,
        edition: Edition,
    ) -> Option<&'f Field> {
        self.wide(edition).field(fields, name, edition)
    }

    /// The names of `fields`, a list of the signature, that a misspelled name is compared with.
    pub fn first_names(&self, fields: &[Field], edition: Edition) -> FirstNames<'_> {
        self.wide(edition).first_names(fields, edition)
    }

    fn wide(&self, edition: Edition) -> &Wide {
        self.wide.get_or_init(|| Wide::of(&self.signature, edition))
    }

    /// The signature, if it has no error that the edition rejects.
    pub fn accepted(&self, edition: Edition) -> Option<&Signature> {
        let mut problems = self.problems.iter();
        let is_refused = problems.any(|problem| problem.is_refused_by(edition));
        (!is_refused).then_some(&*self.signature)
    }
}

/// Lowers `text`, a fragment without escapes.
pub fn lower_text(text: &str, edition: Edition) -> Lowered {
    let root = SyntaxNode::new_root(signature::parse(Fragment::plain(text)));
    lower(&root, edition)
}

/// Parses `text`, a fragment without escapes. Returns the signature if it has no errors, and the errors that the
/// edition rejects.
pub fn parse_signature(text: &str, edition: Edition) -> (Option<Signature>, Vec<Problem>) {
    let Lowered {
        signature,
        mut problems,
        ..
    } = lower_text(text, edition);
    problems.retain(|problem| problem.is_refused_by(edition));
    (
        problems.is_empty().then(|| Arc::unwrap_or_clone(signature)),
        problems,
    )
}

/// A text with more syntax errors is not a signature, and none of its names is known.
const MOST_ERRORS: usize = 256;

/// A text with more problems may have any names beside those that are known.
const MOST_PROBLEMS: usize = 32;

/// Lowers the tree of a signature. Duplicate names are reported in every edition.
pub fn lower(root: &SyntaxNode, edition: Edition) -> Lowered {
    let mut lowering = Lowering {
        edition,
        problems: Vec::new(),
    };
    let marks = error::Marks::of(root.green());
    let errors = match marks.has_errors {
        true => error::errors(root),
        false => Vec::new(),
    };
    let is_signature =
        errors.is_empty() || !(errors.len() > MOST_ERRORS || is_too_long(root) || is_prose(root));
    // Borrowed, as a collected `into_iter` would keep the room of all errors.
    let of_syntax = errors.iter().take(MOST_ERRORS).map(|it| Problem {
        kind: ProblemKind::Syntax(it.kind),
        range: it.range,
    });
    if !is_signature {
        return Lowered {
            signature: Arc::new(Signature::unknown()),
            names: Names::default(),
            gaps: Arc::new(Gaps::open()),
            problems: of_syntax.collect(),
            wide: Later::default(),
        };
    }
    let signature = lowering.signature(root);
    let mut problems = lowering.problems;
    problems.extend(of_syntax);
    order::by_range(&mut problems, |problem| problem.range);
    problems.shrink_to_fit();
    Lowered {
        names: Names::new(&signature),
        gaps: Arc::new(match problems.len() {
            0 if !marks.has_holes => Gaps::default(),
            0..=MOST_PROBLEMS => Gaps::of(root, edition),
            _ => Gaps::everywhere(),
        }),
        signature: Arc::new(signature),
        problems,
        wide: Later::default(),
    }
}

/// The type in `text`, if there is no error.
pub(super) fn sound_type(text: &str, edition: Edition) -> Option<Type> {
    let root = SyntaxNode::new_root(signature::parse(Fragment::plain(text)));
    if !error::errors(&root).is_empty() {
        return None;
    }
    let mut lowering = Lowering {
        edition,
        problems: Vec::new(),
    };
    let signature = lowering.signature(&root);
    let is_type = lowering.problems.is_empty() && gaps::params(&root).is_none();
    is_type.then_some(signature.output)
}

struct Lowering {
    edition: Edition,
    problems: Vec<Problem>,
}

impl Lowering {
    fn signature(&mut self, root: &SyntaxNode) -> Signature {
        if root.kind() != SyntaxKind::Signature {
            return Signature::unknown();
        }
        let node = Node::of(root);
        let params = match ast::params(node) {
            Some(list) => self.fields(list),
            None => match gaps::params(root) {
                Some(record) => self.fields(Node::of(&record)),
                None => Vec::new(),
            },
        };
        Signature {
            params,
            output: self.ty(ast::output(node)),
        }
    }

    fn fields(&mut self, list: Node<'_>) -> Vec<Field> {
        let mut fields = Vec::with_capacity(ast::items(list).count());
        for item in ast::items(list) {
            let parts = item.parts();
            let mut ty = self.ty(parts.ty);
            ty.optional |= parts.has_misplaced_question;
            if let Some((name, name_range)) = name(&parts) {
                fields.push(Field {
                    name,
                    name_range,
                    ty,
                });
            }
        }
        let repeated = repeated(&fields, self.edition);
        self.problems.extend(repeated.map(|field| Problem {
            kind: ProblemKind::DuplicateName,
            range: field.name_range,
        }));
        fields
    }

    fn ty(&mut self, ty: Option<ast::Type<'_>>) -> Type {
        let Some(ty) = ty else {
            return Type::new(TypeKind::Unknown);
        };
        let range = ty.text_range();
        let (kind, optional) = match ty {
            ast::Type::Primitive(primitive) => {
                let question = SyntaxKind::Error(ErrorKind::QuestionBeforeType);
                let optional = primitive.children().any(|it| it.kind() == question);
                (self.primitive(primitive, range), optional)
            }
            ast::Type::List(list) => {
                let element = self.ty(ast::inner_type(list));
                (TypeKind::List(Box::new(element)), false)
            }
            ast::Type::Record(record) => (TypeKind::Record(self.fields(record)), false),
            ast::Type::Optional(optional) => (self.ty(ast::inner_type(optional)).kind, true),
            ast::Type::Unreadable(node) => {
                if let Some(meant) = meant::ty(&node.to_root(), self.edition) {
                    return meant.moved(TextSize::default(), range.start());
                }
                (TypeKind::Unknown, false)
            }
        };
        Type {
            kind,
            optional,
            range,
        }
    }

    fn primitive(&mut self, primitive: Node<'_>, range: TextRange) -> TypeKind {
        let Some(word) = ast::type_word(primitive) else {
            return TypeKind::Unknown;
        };
        let word = unescaped(word.text());
        if let Some(primitive) = type_words::primitive(&word, self.edition) {
            return TypeKind::Primitive(primitive);
        }
        self.problems.push(Problem {
            kind: ProblemKind::UnknownType,
            range,
        });
        let meant = meant::certain_word(&word, self.edition);
        let meant = meant.and_then(|ty| sound_type(&ty, self.edition));
        meant.map_or(TypeKind::Unknown, |ty| ty.in_other_words(range, None).kind)
    }
}

/// The name of an item and its place, without quotes around it and signs before it.
fn name(item: &ast::ItemParts<'_>) -> Option<(String, TextRange)> {
    if let Some(name) = item.name {
        return Some((unescaped(name.text()).into_owned(), name.text_range()));
    }
    let node = item.invalid_name?;
    let text = node.to_root().text().to_string();
    let name = meant::certain_name(&unescaped(&text))?;
    Some((name, node.text_range()))
}

/// Lists of up to this length are compared pair by pair, which is faster than hashing.
const SHORT: usize = 8;

/// The fields whose name is that of an earlier one.
fn repeated(fields: &[Field], edition: Edition) -> impl Iterator<Item = &Field> {
    let mut seen = HashSet::default();
    fields
        .iter()
        .enumerate()
        .filter(move |&(index, field)| {
            if fields.len() > SHORT {
                return !seen.insert(edition.normal_name(&field.name));
            }
            let mut earlier = fields[..index].iter();
            earlier.any(|it| edition.is_same_name(&it.name, &field.name))
        })
        .map(|(_, field)| field)
}

#[cfg(test)]
mod tests;
