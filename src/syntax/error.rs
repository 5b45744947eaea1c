//! Syntax errors: kinds of nodes in the tree, and their texts in one place.
//!
//! One mistake makes one error node. It holds just the tokens at fault, or nothing where something is
//! missing, so that the errors of a tree are a function of the tree.

use rowan::{GreenNodeData, NodeOrToken, WalkEvent};

use crate::{
    syntax::kind::{SyntaxKind, SyntaxNode},
    text::TextRange,
};

macro_rules! error_kinds {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What is wrong.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ErrorKind {
            $($(#[$doc])* $name,)*
        }

        impl ErrorKind {
            /// Every kind, in the order of their indices.
            pub const ALL: &[ErrorKind] = &[$(ErrorKind::$name,)*];
        }
    };
}

error_kinds! {
    // Signatures as a whole.
    /// Nothing but white space.
    EmptySignature,
    /// An arrow with nothing before it.
    MissingParams,
    /// More text than is parsed.
    TooLong,
    /// Parameters without their parentheses.
    MissingParens,
    /// `a :int, b :int` where a type is due: fields without their braces.
    MissingBraces,
    /// No arrow between the parameters and the output.
    MissingArrow,
    /// Something else for `->`.
    WrongArrow,
    /// Parameters without an output.
    MissingOutput,
    /// A name before the parameter list, as listings have it.
    NamedSignature,
    /// What follows a complete signature.
    TrailingText,
    /// A second arrow.
    SecondArrow,

    // Brackets.
    /// An opening bracket that is never closed.
    Unclosed,
    /// A closing bracket that nothing opened.
    StrayCloser,
    /// A closing bracket of the wrong kind.
    WrongCloser,
    /// Brackets nested deeper than the parser goes.
    TooDeep,

    // Items and separators.
    /// No comma between two items.
    MissingComma,
    /// More than one comma, or one before the first item.
    ExtraComma,
    /// A comma after the last item.
    TrailingComma,
    /// `;` or another character for a comma.
    WrongSeparator,

    // Names.
    /// A type without a name where a parameter or field is due.
    MissingName,
    /// A name with characters that names do not have.
    InvalidName,
    /// `:id :int`: a key with a colon before it.
    ColonBeforeName,
    /// `id: :int`: a colon after the name.
    ColonAfterName,
    /// `id? :int`
    QuestionAfterName,

    // Types.
    /// A name without a type, or nothing where a type is due.
    MissingType,
    /// `string` for `:string`.
    BareTypeWord,
    /// A type word with characters that no type word has.
    MalformedTypeWord,
    /// `: int`
    SpaceAfterColon,
    /// `::int`
    DoubledColon,
    /// `:{…}` or `:[…]`
    ColonBeforeCompound,
    /// A colon with nothing after it.
    LoneColon,
    /// `list[string]`
    GenericType,
    /// `[]`
    EmptyList,
    /// More than one type in a list.
    ListOfSeveral,
    /// `(…)` where a type is due.
    ParenthesizedType,
    /// `[…]?` or `{…}?`
    OptionalCompound,
    /// `:int ?`
    SpaceBeforeQuestion,
    /// `:int??`
    DoubledQuestion,
    /// `?:int`
    QuestionBeforeType,

    // What a later version may bring.
    /// `:enum[…]`
    ReservedEnum,
    /// `:a|:b`
    ReservedUnion,
    /// `:int[…]`
    ReservedRefinement,

    // Characters.
    /// A comment.
    CommentInSignature,
    /// A space that is not ASCII.
    OddSpace,
    /// Anything else.
    Unexpected,

    // Templates.
    /// `{{` without `}}`.
    UnclosedTag,
    /// `{{}}`
    EmptyPlaceholder,
    /// `{{#}}`
    EmptySectionName,
    /// A placeholder whose name no parameter can have.
    InvalidPlaceholder,
    /// `{{#a}}` without `{{/a}}`.
    UnclosedSection,
    /// `{{/a}}` that closes nothing.
    StraySectionClose,
    /// `{{/b}}` where `{{/a}}` is due.
    MismatchedSectionClose,

    // Catalogs.
    /// A line that is neither an entry nor anything else.
    NotAnEntry,
    /// An indented line without an entry before it.
    StrayDescription,
    /// An entry that begins with its parameters.
    MissingEntryName,
    /// A name with characters that names of tools do not have.
    InvalidEntryName,
    /// A name and nothing after it.
    MissingEntrySignature,
    /// A name and a type.
    MissingEntryParams,
}

impl ErrorKind {
    /// Whether it is a fault of one type, which ends where it seems to end.
    pub fn is_of_whole_type(self) -> bool {
        matches!(
            self,
            Self::OptionalCompound
                | Self::EmptyList
                | Self::SpaceBeforeQuestion
                | Self::DoubledQuestion
                | Self::ReservedEnum
                | Self::ReservedUnion
                | Self::ReservedRefinement
        )
    }
}

/// A syntax error and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SyntaxError {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Just the fault, in bytes of the fragment; empty where something is missing.
    pub range: TextRange,
}

impl ErrorKind {
    pub(super) fn index(self) -> u16 {
        self as u16
    }

    /// Whether the error is certain although an interpolation is elsewhere in the same text, whose
    /// value may bring brackets, arrows and commas of its own.
    fn survives_holes(self) -> bool {
        use ErrorKind::*;
        matches!(
            self,
            WrongArrow
                | TooLong
                | InvalidName
                | ColonAfterName
                | QuestionAfterName
                | MalformedTypeWord
                | SpaceAfterColon
                | DoubledColon
                | ColonBeforeCompound
                | GenericType
                | EmptyList
                | OptionalCompound
                | SpaceBeforeQuestion
                | DoubledQuestion
                | ReservedEnum
                | ReservedUnion
                | ReservedRefinement
                | OddSpace
                | EmptyPlaceholder
                | EmptySectionName
                | InvalidPlaceholder
        )
    }
}

/// The errors below `root`, in the order of the text. Where an interpolation may be their cause they are
/// left out.
pub fn errors(root: &SyntaxNode) -> Vec<SyntaxError> {
    error_nodes(root)
        .into_iter()
        .map(|(kind, node)| SyntaxError {
            kind,
            range: node.text_range(),
        })
        .collect()
}

/// The error nodes below `root`, under the same conditions as [`errors`].
pub fn error_nodes(root: &SyntaxNode) -> Vec<(ErrorKind, SyntaxNode)> {
    let mut nodes = Vec::new();
    if !has_error_nodes(root.green()) {
        return nodes;
    }
    let mut has_hole = false;
    let mut elements = root.preorder_with_tokens();
    while let Some(event) = elements.next() {
        let WalkEvent::Enter(element) = event else {
            continue;
        };
        match element.kind() {
            SyntaxKind::Run => elements.skip_subtree(),
            SyntaxKind::Hole => has_hole = true,
            SyntaxKind::Error(kind) => nodes.extend(element.into_node().map(|node| (kind, node))),
            _ => {}
        }
    }
    if has_hole {
        nodes.retain(|(kind, node)| {
            let is_sure = kind.survives_holes() || is_wrong_close_without_holes(*kind, node);
            is_sure && !touches_hole(node)
        });
    }
    nodes
}

/// Whether an error node is in `node`. Most trees have none, and without cursors that is found out soon.
fn has_error_nodes(node: &GreenNodeData) -> bool {
    any_kind(node, SyntaxKind::is_error)
}

/// Whether an interpolation is in `node`.
pub fn has_holes(node: &GreenNodeData) -> bool {
    any_kind(node, |kind| kind == SyntaxKind::Hole.into())
}

/// Whether a node or token in `node` has a kind that is meant, those in runs of a template left out.
fn any_kind(node: &GreenNodeData, is_meant: fn(rowan::SyntaxKind) -> bool) -> bool {
    let run = SyntaxKind::Run.into();
    is_meant(node.kind())
        || node.children().any(|child| match child {
            NodeOrToken::Node(node) if node.kind() != run => any_kind(node, is_meant),
            child => is_meant(child.kind()),
        })
}

/// Whether a section is closed by another name, and no interpolation between its tags may have closed it.
fn is_wrong_close_without_holes(kind: ErrorKind, node: &SyntaxNode) -> bool {
    let section = node
        .parent()
        .filter(|_| kind == ErrorKind::MismatchedSectionClose);
    section.is_some_and(|section| {
        let mut elements = section.descendants_with_tokens();
        !elements.any(|it| it.kind() == SyntaxKind::Hole)
    })
}

/// Whether an interpolation is in `node` or directly beside it.
pub fn touches_hole(node: &SyntaxNode) -> bool {
    let inside = node
        .descendants_with_tokens()
        .any(|it| it.kind() == SyntaxKind::Hole);
    let before = node.first_token().and_then(|token| token.prev_token());
    let after = node.last_token().and_then(|token| token.next_token());
    inside
        || [before, after]
            .into_iter()
            .flatten()
            .any(|token| token.kind() == SyntaxKind::Hole)
}
