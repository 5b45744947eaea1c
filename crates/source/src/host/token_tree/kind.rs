//! The kinds of tokens and nodes that all bracketed hosts share.

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What a token or a node is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Kind {
            $($(#[$doc])* $name,)*
        }

        const ALL: &[Kind] = &[$(Kind::$name,)*];
    };
}

kinds! {
    // Tokens of ordinary code.
    /// White space without a line end, or a line continuation.
    Whitespace,
    /// A line end with all white space after it: blank lines and indentation.
    Newline,
    /// A comment without its line end.
    Comment,
    /// A name: an identifier, a keyword of the language, a Lisp symbol.
    Symbol,
    /// A capitalized name (Elixir's `SubAgent`).
    Alias,
    /// A literal name (`:ok`).
    Atom,
    /// A key with its colon (`signature:`).
    Key,
    /// A number.
    Number,
    /// A character (`?a`, `\a`).
    Char,
    /// A comma.
    Comma,
    /// Any other punctuation.
    Operator,
    /// Anything that the host's language does not know.
    Unknown,

    // Tokens that open a group.
    /// `(`
    LParen,
    /// `[`
    LBracket,
    /// `{`, or `#{` of a Lisp set.
    LBrace,
    /// `<<`
    LAngles,
    /// The word `do`.
    Do,
    /// The word `fn`.
    Fn,

    // Tokens that close a group.
    /// `)`
    RParen,
    /// `]`
    RBracket,
    /// `}`
    RBrace,
    /// `>>`
    RAngles,
    /// The word `end`.
    End,

    // The parts of strings.
    /// The opening delimiter of a [`Kind::String`].
    StringOpen,
    /// What opens a [`Kind::Heredoc`], up to and with the line end.
    HeredocOpen,
    /// What opens a [`Kind::Sigil`]: tilde, name and delimiter.
    SigilOpen,
    /// What opens a [`Kind::SigilHeredoc`], up to and with the line end.
    SigilHeredocOpen,
    /// What opens a [`Kind::Charlist`].
    CharlistOpen,
    /// What opens a [`Kind::CharlistHeredoc`], up to and with the line end.
    CharlistHeredocOpen,
    /// What opens a [`Kind::QuotedAtom`].
    QuotedAtomOpen,
    /// What opens a [`Kind::Regex`].
    RegexOpen,
    /// Plain text of a string; at most one line.
    Text,
    /// An escape in a string.
    Escape,
    /// What opens an [`Kind::Interpolation`].
    InterpolationOpen,
    /// What closes an [`Kind::Interpolation`].
    InterpolationClose,
    /// What closes a string of any kind, with a sigil's modifiers or a heredoc's indentation.
    StringClose,
    /// What closes a string and makes a [`Kind::QuotedKey`] of it (`":`).
    KeyClose,

    // Nodes.
    /// A whole document.
    Root,
    /// A run of elements in a longer list.
    Lines,
    /// `( … )`
    Parens,
    /// `[ … ]`
    Brackets,
    /// `{ … }`
    Braces,
    /// `<< … >>`
    Angles,
    /// `do … end`
    DoBlock,
    /// `fn … end`
    FnBlock,
    /// `"…"`
    String,
    /// `"""` … `"""`
    Heredoc,
    /// `~s(…)` and the like.
    Sigil,
    /// `~S"""` … `"""` and the like.
    SigilHeredoc,
    /// `'…'` as a charlist.
    Charlist,
    /// `'''` … `'''` as a charlist.
    CharlistHeredoc,
    /// `:"…"`
    QuotedAtom,
    /// `"…":`
    QuotedKey,
    /// A literal of a regular expression (`#"…"`).
    Regex,
    /// `#{ … }` in a string.
    Interpolation,
}

/// The effect of a token on the nesting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It opens a node of that kind.
    Opens(Kind),
    /// It closes a node.
    Closes,
    /// It is in the current node.
    Stands,
}

impl Kind {
    /// The effect of a token of this kind on the nesting.
    pub fn role(self) -> Role {
        match self {
            Kind::LParen => Role::Opens(Kind::Parens),
            Kind::LBracket => Role::Opens(Kind::Brackets),
            Kind::LBrace => Role::Opens(Kind::Braces),
            Kind::LAngles => Role::Opens(Kind::Angles),
            Kind::Do => Role::Opens(Kind::DoBlock),
            Kind::Fn => Role::Opens(Kind::FnBlock),
            Kind::StringOpen => Role::Opens(Kind::String),
            Kind::HeredocOpen => Role::Opens(Kind::Heredoc),
            Kind::SigilOpen => Role::Opens(Kind::Sigil),
            Kind::SigilHeredocOpen => Role::Opens(Kind::SigilHeredoc),
            Kind::CharlistOpen => Role::Opens(Kind::Charlist),
            Kind::CharlistHeredocOpen => Role::Opens(Kind::CharlistHeredoc),
            Kind::QuotedAtomOpen => Role::Opens(Kind::QuotedAtom),
            Kind::RegexOpen => Role::Opens(Kind::Regex),
            Kind::InterpolationOpen => Role::Opens(Kind::Interpolation),
            Kind::RParen
            | Kind::RBracket
            | Kind::RBrace
            | Kind::RAngles
            | Kind::End
            | Kind::InterpolationClose
            | Kind::StringClose
            | Kind::KeyClose => Role::Closes,
            _ => Role::Stands,
        }
    }

    /// Whether a token of this kind closes a node of the kind `node`.
    pub fn closes(self, node: Kind) -> bool {
        match self {
            Kind::RParen => node == Kind::Parens,
            Kind::RBracket => node == Kind::Brackets,
            Kind::RBrace => node == Kind::Braces,
            Kind::RAngles => node == Kind::Angles,
            Kind::End => node.is_block(),
            Kind::InterpolationClose => node == Kind::Interpolation,
            Kind::StringClose | Kind::KeyClose => node.is_string(),
            _ => false,
        }
    }

    /// Whether this is a closing bracket.
    pub fn is_closing_bracket(self) -> bool {
        (Kind::RParen..=Kind::RAngles).contains(&self)
    }

    /// Whether this is a node with code between a pair of brackets or block words.
    pub fn is_group(self) -> bool {
        matches!(
            self,
            Kind::Parens | Kind::Brackets | Kind::Braces | Kind::Angles
        ) || self.is_block()
    }

    /// Whether this is a node between block words.
    pub fn is_block(self) -> bool {
        matches!(self, Kind::DoBlock | Kind::FnBlock)
    }

    /// Whether this is a node with a body of text between two delimiters.
    pub fn is_string(self) -> bool {
        (Kind::String..=Kind::Regex).contains(&self)
    }

    /// Whether this is a token inside a string, except for its opening one.
    pub fn is_string_part(self) -> bool {
        matches!(
            self,
            Kind::Text
                | Kind::Escape
                | Kind::InterpolationOpen
                | Kind::StringClose
                | Kind::KeyClose
        )
    }

    /// Whether this is a token without meaning, such as white space.
    pub fn is_trivia(self) -> bool {
        matches!(self, Kind::Whitespace | Kind::Newline | Kind::Comment)
    }

    /// The kind that rowan calls `raw`.
    pub fn from_raw(raw: rowan::SyntaxKind) -> Self {
        ALL.get(usize::from(raw.0))
            .copied()
            .unwrap_or(Self::Unknown)
    }
}

impl From<Kind> for rowan::SyntaxKind {
    fn from(kind: Kind) -> Self {
        Self(kind as u16)
    }
}

/// The name of token trees for rowan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Host {}

impl rowan::Language for Host {
    type Kind = Kind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> Kind {
        Kind::from_raw(raw)
    }

    fn kind_to_raw(kind: Kind) -> rowan::SyntaxKind {
        kind.into()
    }
}
