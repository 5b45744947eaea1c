//! Typed views of a signature's tree. Every accessor may return nothing, because the text may be unfinished.

use rowan::NodeOrToken;

use crate::{
    syntax::{
        error::ErrorKind,
        green::{Node, Token},
        kind::SyntaxKind,
    },
    text::TextRange,
};

/// A parameter or a field.
#[derive(Debug, Clone, Copy)]
pub struct Item<'a>(Node<'a>);

/// A type as written.
#[derive(Debug, Clone, Copy)]
pub enum Type<'a> {
    /// `:word`
    Primitive(Node<'a>),
    /// `[t]`
    List(Node<'a>),
    /// `{…}`
    Record(Node<'a>),
    /// A type and its `?`
    Optional(Node<'a>),
    /// An error in place of a type.
    Unreadable(Node<'a>),
}

/// The type after the arrow, or the bare type, of the signature `root`.
pub fn output(root: Node<'_>) -> Option<Type<'_>> {
    root.children().filter_map(Type::cast).last()
}

/// The list of parameters of the signature `root`.
pub fn params(root: Node<'_>) -> Option<Node<'_>> {
    root.children()
        .find(|it| it.kind() == SyntaxKind::ParamList)
}

/// The parameters or fields in `list`.
pub fn items(list: Node<'_>) -> impl Iterator<Item = Item<'_>> {
    let is_item = |it: &Node| matches!(it.kind(), SyntaxKind::Param | SyntaxKind::Field);
    list.children().filter(is_item).map(Item)
}

/// The parts of a parameter or field.
#[derive(Debug, Default)]
pub struct ItemParts<'a> {
    /// The name, if one could be read.
    pub name: Option<Token<'a>>,
    /// The error in place of the name.
    pub invalid_name: Option<Node<'a>>,
    /// Whether a `?` is after the name or before the type.
    pub has_misplaced_question: bool,
    /// The type after the name.
    pub ty: Option<Type<'a>>,
}

impl<'a> Item<'a> {
    /// Its parts.
    pub fn parts(self) -> ItemParts<'a> {
        use ErrorKind::*;
        let mut parts = ItemParts::default();
        let mut name = Found::Nothing;
        for child in self.0.children() {
            let kind = child.kind();
            match kind {
                SyntaxKind::Error(InvalidName) => {
                    parts.invalid_name = parts.invalid_name.or(Some(child))
                }
                SyntaxKind::Error(QuestionAfterName | QuestionBeforeType) => {
                    parts.has_misplaced_question = true;
                }
                _ => parts.ty = Type::cast(child).or(parts.ty),
            }
            if let Found::Nothing = name {
                name = name_in(child, MOST_LEVELS);
            }
        }
        if let Found::Name(node) = name {
            parts.name = identifier(node);
        }
        parts
    }
}

/// The first name below an item.
enum Found<'a> {
    Nothing,
    /// The item's own name.
    Name(Node<'a>),
    /// The name of an item in its type.
    Inner,
}

/// The number of levels below an item that are searched for a name: otherwise each item of nested records would read
/// all that are in it.
const MOST_LEVELS: usize = 16;

/// The first name in a part of an item. A name in an error is the item's own.
fn name_in(part: Node<'_>, levels: usize) -> Found<'_> {
    match part.kind() {
        SyntaxKind::Name => Found::Name(part),
        SyntaxKind::PrimitiveType | SyntaxKind::HoleType => Found::Nothing,
        _ if levels == 0 => Found::Inner,
        kind => {
            let mut found = part.children().map(|it| name_in(it, levels - 1));
            let first = found.find(|it| !matches!(it, Found::Nothing));
            match (first, kind) {
                (None, _) => Found::Nothing,
                (Some(found), SyntaxKind::Error(_)) => found,
                (Some(_), _) => Found::Inner,
            }
        }
    }
}

/// The only token of a name, unless it has interpolations or escapes.
fn identifier(name: Node<'_>) -> Option<Token<'_>> {
    let mut tokens = name.children_with_tokens();
    let token = tokens.next().and_then(NodeOrToken::into_token)?;
    let is_whole = token.kind() == SyntaxKind::Ident && tokens.next().is_none();
    is_whole.then_some(token)
}

impl<'a> Type<'a> {
    /// The view of a node in the place of a type.
    pub fn cast(node: Node<'a>) -> Option<Self> {
        match node.kind() {
            SyntaxKind::PrimitiveType => Some(Self::Primitive(node)),
            SyntaxKind::ListType => Some(Self::List(node)),
            SyntaxKind::RecordType => Some(Self::Record(node)),
            SyntaxKind::OptionalType => Some(Self::Optional(node)),
            kind => is_unreadable_type(kind).then_some(Self::Unreadable(node)),
        }
    }

    /// Its place, in bytes of the fragment.
    pub fn text_range(self) -> TextRange {
        match self {
            Self::Primitive(node)
            | Self::List(node)
            | Self::Record(node)
            | Self::Optional(node)
            | Self::Unreadable(node) => node.text_range(),
        }
    }
}

/// Whether a node of `kind` is a type, or an error in place of one.
pub fn is_type(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SyntaxKind::PrimitiveType
            | SyntaxKind::ListType
            | SyntaxKind::RecordType
            | SyntaxKind::OptionalType
    ) || is_unreadable_type(kind)
}

/// Whether a node of `kind` is an error in place of a type.
pub fn is_unreadable_type(kind: SyntaxKind) -> bool {
    use ErrorKind::*;
    matches!(
        kind,
        SyntaxKind::HoleType
            | SyntaxKind::Error(
                MissingType
                    | BareTypeWord
                    | MalformedTypeWord
                    | LoneColon
                    | GenericType
                    | ParenthesizedType
                    | ReservedEnum
                    | ReservedUnion
                    | TooDeep
                    | MissingOutput
                    | Unexpected,
            )
    )
}

/// The word after the colon of a primitive type.
pub fn type_word(primitive: Node<'_>) -> Option<Token<'_>> {
    let tokens = primitive.children_with_tokens();
    let mut tokens = tokens.filter_map(NodeOrToken::into_token);
    tokens.find(|it| it.kind() == SyntaxKind::Ident)
}

/// The type in a list or before a `?`, after any text that has no meaning.
pub fn inner_type(node: Node<'_>) -> Option<Type<'_>> {
    node.children().filter_map(Type::cast).last()
}
