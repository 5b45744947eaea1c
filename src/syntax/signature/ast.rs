//! Typed views of a signature's tree. Every accessor may return nothing, because the text may be unfinished.

use crate::{
    syntax::{
        error::ErrorKind,
        kind::{SyntaxKind, SyntaxNode, SyntaxToken},
    },
    text::TextRange,
};

/// The root of a signature's tree.
#[derive(Debug, Clone)]
pub struct Signature(SyntaxNode);

/// A parameter or a field.
#[derive(Debug, Clone)]
pub struct Item(SyntaxNode);

/// A type as written.
#[derive(Debug, Clone)]
pub enum Type {
    /// `:word`
    Primitive(PrimitiveType),
    /// `[t]`
    List(ListType),
    /// `{…}`
    Record(RecordType),
    /// A type and its `?`
    Optional(OptionalType),
    /// An error in place of a type.
    Unreadable(SyntaxNode),
}

/// `:word`
#[derive(Debug, Clone)]
pub struct PrimitiveType(SyntaxNode);

/// `[t]`
#[derive(Debug, Clone)]
pub struct ListType(SyntaxNode);

/// `{…}`
#[derive(Debug, Clone)]
pub struct RecordType(SyntaxNode);

/// A type and its `?`
#[derive(Debug, Clone)]
pub struct OptionalType(SyntaxNode);

impl Signature {
    /// The view of a signature's root.
    pub fn cast(node: SyntaxNode) -> Option<Self> {
        (node.kind() == SyntaxKind::Signature).then_some(Self(node))
    }

    /// The type after the arrow, or the bare type.
    pub fn output(&self) -> Option<Type> {
        self.0.children().filter_map(Type::cast).last()
    }
}

/// The parameters or fields in `list`.
pub fn items(list: &SyntaxNode) -> impl Iterator<Item = Item> + use<> {
    let is_item = |it: &SyntaxNode| matches!(it.kind(), SyntaxKind::Param | SyntaxKind::Field);
    list.children().filter(is_item).map(Item)
}

impl Item {
    /// The name, if one could be read.
    pub fn name(&self) -> Option<SyntaxToken> {
        let name = self
            .0
            .descendants()
            .find(|it| it.kind() == SyntaxKind::Name)?;
        let is_this_items = name
            .ancestors()
            .skip(1)
            .find(|it| !matches!(it.kind(), SyntaxKind::Error(_)));
        if is_this_items.as_ref() != Some(&self.0) {
            return None;
        }
        name.first_token().filter(|token| {
            token.kind() == SyntaxKind::Ident && token.text_range() == name.text_range()
        })
    }

    /// The error in place of the name.
    pub fn invalid_name(&self) -> Option<SyntaxNode> {
        let invalid = SyntaxKind::Error(ErrorKind::InvalidName);
        self.0.children().find(|it| it.kind() == invalid)
    }

    /// Whether a `?` is after the name or before the type.
    pub fn has_misplaced_question(&self) -> bool {
        use ErrorKind::*;
        let mut children = self.0.children();
        children.any(|it| {
            let kind = it.kind();
            matches!(
                kind,
                SyntaxKind::Error(QuestionAfterName | QuestionBeforeType)
            )
        })
    }

    /// The type after the name.
    pub fn ty(&self) -> Option<Type> {
        self.0.children().filter_map(Type::cast).last()
    }

    /// The item's node.
    pub fn syntax(&self) -> &SyntaxNode {
        &self.0
    }
}

impl Type {
    /// The view of a node in the place of a type.
    pub fn cast(node: SyntaxNode) -> Option<Self> {
        use ErrorKind::*;
        match node.kind() {
            SyntaxKind::PrimitiveType => Some(Self::Primitive(PrimitiveType(node))),
            SyntaxKind::ListType => Some(Self::List(ListType(node))),
            SyntaxKind::RecordType => Some(Self::Record(RecordType(node))),
            SyntaxKind::OptionalType => Some(Self::Optional(OptionalType(node))),
            SyntaxKind::HoleType => Some(Self::Unreadable(node)),
            SyntaxKind::Error(
                MissingType | BareTypeWord | MalformedTypeWord | LoneColon | GenericType
                | ParenthesizedType | ReservedEnum | ReservedUnion | TooDeep | MissingOutput
                | Unexpected,
            ) => Some(Self::Unreadable(node)),
            _ => None,
        }
    }

    /// Its place, in bytes of the fragment.
    pub fn text_range(&self) -> TextRange {
        self.syntax().text_range()
    }

    /// Its node.
    pub fn syntax(&self) -> &SyntaxNode {
        match self {
            Self::Primitive(PrimitiveType(node))
            | Self::List(ListType(node))
            | Self::Record(RecordType(node))
            | Self::Optional(OptionalType(node))
            | Self::Unreadable(node) => node,
        }
    }
}

impl PrimitiveType {
    /// The word after the colon.
    pub fn word(&self) -> Option<SyntaxToken> {
        self.0
            .children_with_tokens()
            .filter_map(|it| it.into_token())
            .find(|it| it.kind() == SyntaxKind::Ident)
    }
}

impl ListType {
    /// The type of the elements.
    pub fn element(&self) -> Option<Type> {
        self.0.children().find_map(Type::cast)
    }
}

impl RecordType {
    /// The fields in order.
    pub fn fields(&self) -> impl Iterator<Item = Item> + use<> {
        items(&self.0)
    }
}

impl OptionalType {
    /// The type before the `?`.
    pub fn inner(&self) -> Option<Type> {
        self.0.children().find_map(Type::cast)
    }
}
