//! Syntax errors: kinds of nodes in the tree.
//!
//! One mistake is one error node. It contains only the tokens at fault, or nothing if something is missing, so the
//! errors are a function of the tree.

use rowan::{GreenNodeData, NodeOrToken, WalkEvent};

use crate::{
    syntax::{
        green::Node,
        kind::{SyntaxKind, SyntaxNode},
    },
    text::TextRange,
};

macro_rules! error_kinds {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The kinds of syntax errors.
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
    /// Only white space.
    EmptySignature,
    /// An arrow without parameters.
    MissingParams,
    /// More text than the parser accepts.
    TooLong,
    /// Parameters without parentheses.
    MissingParens,
    /// `a :int, b :int` where a type is expected: fields without braces.
    MissingBraces,
    /// No arrow between the parameters and the output.
    MissingArrow,
    /// Another word or sign in place of `->`.
    WrongArrow,
    /// Parameters without an output.
    MissingOutput,
    /// A name before the parameter list, as in listings.
    NamedSignature,
    /// Text after a complete signature.
    TrailingText,
    /// A second arrow.
    SecondArrow,

    // Brackets.
    /// An opening bracket without its closing one.
    Unclosed,
    /// A closing bracket without its opening one.
    StrayCloser,
    /// A closing bracket of the wrong kind.
    WrongCloser,
    /// `((a :int)) -> …` or `((a :int) -> …)`: parentheses around parentheses.
    ExtraParens,
    /// Brackets nested deeper than the limit.
    TooDeep,

    // Items and separators.
    /// No comma between two items.
    MissingComma,
    /// More than one comma, or one before the first item.
    ExtraComma,
    /// A comma after the last item.
    TrailingComma,
    /// `;` or another character in place of a comma.
    WrongSeparator,

    // Names.
    /// A type without a name where a parameter or field is expected.
    MissingName,
    /// A name with invalid characters.
    InvalidName,
    /// `:id :int`: a key with a colon before it.
    ColonBeforeName,
    /// `id: :int`: a colon after the name.
    ColonAfterName,
    /// `id? :int`
    QuestionAfterName,
    /// `id => :int` or `id = :int`: a sign between a name and its type.
    SignAfterName,

    // Types.
    /// A name without a type, or nothing where a type is expected.
    MissingType,
    /// `string` for `:string`.
    BareTypeWord,
    /// A type word with invalid characters.
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
    /// `(…)` where a type is expected.
    ParenthesizedType,
    /// `[…]?` or `{…}?`
    OptionalCompound,
    /// `:int ?`
    SpaceBeforeQuestion,
    /// `:int??`
    DoubledQuestion,
    /// `?:int`
    QuestionBeforeType,

    // Reserved for later versions.
    /// `:enum[…]`
    ReservedEnum,
    /// `:a|:b`
    ReservedUnion,
    /// `:int[…]`
    ReservedRefinement,

    // Characters.
    /// A comment.
    CommentInSignature,
    /// A white space character that is not ASCII.
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
    /// A placeholder with an invalid name.
    InvalidPlaceholder,
    /// `{{#a}}` without `{{/a}}`.
    UnclosedSection,
    /// `{{/a}}` without `{{#a}}`.
    StraySectionClose,
    /// `{{/b}}` where `{{/a}}` is expected.
    MismatchedSectionClose,

    // Catalogs.
    /// A line that is not an entry.
    NotAnEntry,
    /// An indented line without an entry before it.
    StrayDescription,
    /// An entry that begins with its parameters.
    MissingEntryName,
    /// A name with characters that are invalid for tools.
    InvalidEntryName,
    /// A name without a signature.
    MissingEntrySignature,
    /// A name and a type.
    MissingEntryParams,
}

/// A syntax error and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SyntaxError {
    /// The kind.
    pub kind: ErrorKind,
    /// Its place, in bytes of the fragment; empty if something is missing.
    pub range: TextRange,
}

impl ErrorKind {
    /// Whether it is an error in one type, which ends where it seems to end.
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

    pub(super) fn index(self) -> u16 {
        self as u16
    }

    /// Whether the error is certain even if an interpolation is elsewhere in the same text. The value of an
    /// interpolation may contain brackets, arrows and commas.
    fn survives_holes(self) -> bool {
        use ErrorKind::*;
        matches!(
            self,
            WrongArrow
                | TooLong
                | InvalidName
                | ColonAfterName
                | QuestionAfterName
                | SignAfterName
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

/// The errors below `root`, in the order of the text, without those that an interpolation may cause.
pub fn errors(root: &SyntaxNode) -> Vec<SyntaxError> {
    let marks = Marks::of(root.green());
    match (marks.has_errors, marks.has_holes) {
        (false, _) => Vec::new(),
        (true, false) => errors_below(Node::of(root)),
        (true, true) => {
            let nodes = error_nodes(root).into_iter();
            let errors = nodes.map(|(kind, node)| SyntaxError {
                kind,
                range: node.text_range(),
            });
            errors.collect()
        }
    }
}

/// The errors at and below `root`, which has no interpolations.
fn errors_below(root: Node<'_>) -> Vec<SyntaxError> {
    let mut errors = Vec::new();
    let mut left = vec![root];
    while let Some(node) = left.pop() {
        match node.kind() {
            SyntaxKind::Run => continue,
            SyntaxKind::Error(kind) => errors.push(SyntaxError {
                kind,
                range: node.text_range(),
            }),
            _ => {}
        }
        let first = left.len();
        left.extend(node.children());
        left[first..].reverse();
    }
    errors
}

/// The maximum number of error nodes of a tree: many times as many as are reported.
const MOST_NODES: usize = 2_000;

/// The first error nodes below `root`, under the same conditions as [`errors`].
pub fn error_nodes(root: &SyntaxNode) -> Vec<(ErrorKind, SyntaxNode)> {
    let mut nodes = Vec::new();
    let Marks {
        has_errors,
        has_holes,
    } = Marks::of(root.green());
    if !has_errors {
        return nodes;
    }
    let is_sure = |kind: ErrorKind, node: &SyntaxNode| {
        !has_holes
            || (kind.survives_holes() || is_wrong_close_without_holes(kind, node))
                && !touches_hole(node)
    };
    let mut elements = root.preorder_with_tokens();
    while let Some(event) = elements.next() {
        let WalkEvent::Enter(element) = event else {
            continue;
        };
        match element.kind() {
            SyntaxKind::Run => elements.skip_subtree(),
            SyntaxKind::Error(kind) => {
                let node = element.into_node().filter(|node| is_sure(kind, node));
                nodes.extend(node.map(|node| (kind, node)));
                if nodes.len() == MOST_NODES {
                    break;
                }
            }
            _ => {}
        }
    }
    nodes
}

/// What a tree contains outside of runs of a template.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Marks {
    /// Whether it contains an error node.
    pub has_errors: bool,
    /// Whether it contains an interpolation.
    pub has_holes: bool,
}

impl Marks {
    /// The marks of `node`. Most trees have none, and this is fast without cursors. Trees nest too deeply for a
    /// recursion on any stack.
    pub fn of(node: &GreenNodeData) -> Self {
        let (hole, run) = (SyntaxKind::Hole.into(), SyntaxKind::Run.into());
        let mut marks = Self::default();
        let mut mark = |kind| {
            marks.has_errors |= SyntaxKind::is_error(kind);
            marks.has_holes |= kind == hole;
        };
        mark(node.kind());
        let mut left = Vec::with_capacity(16);
        left.push(node);
        while let Some(node) = left.pop() {
            for child in node.children() {
                mark(child.kind());
                if let NodeOrToken::Node(node) = child
                    && node.kind() != run
                {
                    left.push(node);
                }
            }
        }
        marks
    }
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

/// Whether an interpolation is in `node` or next to it.
fn touches_hole(node: &SyntaxNode) -> bool {
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
