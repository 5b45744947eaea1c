//! The kinds of tokens and nodes in the trees of signatures, templates and catalogs.

use crate::syntax::error::ErrorKind;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The kind of a token or a node.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum SyntaxKind {
            $($(#[$doc])* $name,)*
            /// A node around an error, or an empty node if something is missing.
            Error(ErrorKind),
        }

        /// The indices of the plain kinds.
        #[repr(u16)]
        enum Index {
            $($name,)*
        }

        impl SyntaxKind {
            const PLAIN: &[SyntaxKind] = &[$(SyntaxKind::$name,)*];

            fn index(self) -> u16 {
                match self {
                    $(SyntaxKind::$name => Index::$name as u16,)*
                    SyntaxKind::Error(error) => FIRST_ERROR + error.index(),
                }
            }
        }
    };
}

kinds! {
    // Tokens of every language.
    /// White space, white space written as an escape, or a margin of the host.
    Whitespace,
    /// An interpolation of the host.
    Hole,
    /// An escape of the host that is not white space.
    Escape,
    /// A letter or `_`, then letters, digits, `_` and `-`.
    Ident,
    /// Characters that begin no token of the language.
    Unknown,

    // Tokens of signatures.
    /// A word that begins with a digit.
    Number,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// `?`
    Question,
    /// `|`
    Pipe,
    /// `->`
    Arrow,
    /// Common mistakes for an arrow: `=>`, `→`, `-`, `>`.
    WrongArrow,
    /// `; …` or `# …`, which only catalogs support.
    Comment,
    /// A white space character other than the four of the language.
    OddSpace,
    /// `(`
    LParen,
    /// `)`
    RParen,
    /// `[`
    LBracket,
    /// `]`
    RBracket,
    /// `{`
    LBrace,
    /// `}`
    RBrace,

    // Nodes of signatures.
    /// A whole signature.
    Signature,
    /// `(…)` before the arrow.
    ParamList,
    /// A name and a type in a parameter list.
    Param,
    /// A name and a type in a record.
    Field,
    /// The name of a parameter or a field.
    Name,
    /// `:word`
    PrimitiveType,
    /// `[t]`
    ListType,
    /// `{…}`
    RecordType,
    /// A type and its `?`.
    OptionalType,
    /// A type that is an interpolation.
    HoleType,

    // Tokens of templates.
    /// Text outside of tags or in a description, at most one line.
    TextLine,
    /// `{{`
    TagOpen,
    /// `}}`
    TagClose,
    /// `#`, `^`, `/` or `!` at the start of a tag.
    Sigil,
    /// `.`
    Dot,
    /// The text of a comment tag.
    CommentText,

    // Nodes of templates.
    /// A whole template.
    Template,
    /// A run of neighbors in a long template.
    Run,
    /// A run that contains an error or an interpolation.
    MarkedRun,
    /// A run that contains an unclosed section, or a closing tag without a section.
    OpenRun,
    /// `{{name}}` or `{{.}}`
    Placeholder,
    /// A section with its tags and content.
    Section,
    /// `{{#name}}` or `{{^name}}`
    SectionOpen,
    /// `{{/name}}`
    SectionClose,
    /// `{{! … }}`
    CommentTag,
    /// The dotted name in a tag.
    Path,

    // Tokens and nodes of catalogs. Text and comments are tokens of the kinds above.
    /// The name before an entry's parameters.
    EntryName,
    /// A whole catalog.
    Catalog,
    /// A run of neighbors in a catalog, nested so that no list of different names grows with the file.
    Entries,
    /// An entry: a tool with its signature and its description, or lines that are neither.
    Entry,
    /// The indented lines below a signature.
    Description,
}

/// The first raw kind of an error node; there are far fewer plain kinds.
const FIRST_ERROR: u16 = 0x100;

impl From<SyntaxKind> for rowan::SyntaxKind {
    fn from(kind: SyntaxKind) -> Self {
        rowan::SyntaxKind(kind.index())
    }
}

/// The language of these trees, for rowan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FragmentLanguage {}

impl rowan::Language for FragmentLanguage {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        if raw.0 >= FIRST_ERROR {
            return SyntaxKind::Error(ErrorKind::ALL[usize::from(raw.0 - FIRST_ERROR)]);
        }
        SyntaxKind::PLAIN[usize::from(raw.0)]
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        kind.into()
    }
}

impl SyntaxKind {
    /// Whether `raw` is the kind of an error.
    pub(super) fn is_error(raw: rowan::SyntaxKind) -> bool {
        raw.0 >= FIRST_ERROR
    }

    /// Whether this node only groups neighbors in a long template.
    pub fn is_run(self) -> bool {
        matches!(self, Self::Run | Self::MarkedRun | Self::OpenRun)
    }
}

/// A node of such a tree.
pub type SyntaxNode = rowan::SyntaxNode<FragmentLanguage>;
/// A token of such a tree.
pub type SyntaxToken = rowan::SyntaxToken<FragmentLanguage>;
/// A node or a token of such a tree.
pub type SyntaxElement = rowan::SyntaxElement<FragmentLanguage>;
