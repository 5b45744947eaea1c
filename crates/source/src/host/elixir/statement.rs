//! Where one statement ends and the next begins.

use crate::host::token_tree::Kind;

/// A token or node as far as it decides where statements end: its kind and, for tokens, its text.
pub type Part<'t> = (Kind, &'t str);

/// Whether a statement ends between two neighbors in a block, white space and comments apart, and
/// `is_line_end` whether a line ends between them.
pub fn ends_between(before: Part, after: Part, is_line_end: bool) -> bool {
    is_separator(before)
        || is_separator(after)
        || (is_line_end && !goes_on(before) && !continues(after))
}

/// Whether `after` is the key of an entry that lacks a comma before it: no expression goes on with a key after `before`.
pub fn lacks_comma((before, _): Part, (after, _): Part) -> bool {
    use Kind::*;
    matches!(after, Key | QuotedKey)
        && (before.is_string()
            || matches!(
                before,
                Braces | Brackets | Parens | Number | Atom | QuotedAtom
            ))
}

/// Whether it makes an entry of the item of a list in which it is.
pub fn is_entry((kind, text): Part) -> bool {
    matches!(kind, Kind::Key | Kind::QuotedKey) || text == "=>"
}

/// Whether a token separates statements and belongs to none: `;`, `->`, and what opens or closes
/// something.
pub fn is_separator((kind, text): Part) -> bool {
    is_delimiter(kind) || (kind == Kind::Operator && matches!(text, ";" | "->"))
}

/// Whether a token only begins or ends the list in which it is.
pub fn is_delimiter(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        LParen | RParen | LBracket | RBracket | LBrace | RBrace | LAngles | RAngles | Do | Fn | End
    ) || matches!(kind, InterpolationOpen | InterpolationClose)
}

/// Whether what follows belongs to the same statement, on the next line too.
fn goes_on((kind, text): Part) -> bool {
    match kind {
        Kind::Comma | Kind::Key | Kind::QuotedKey => true,
        Kind::Operator => !matches!(text, ".." | "..."),
        Kind::Symbol => matches!(text, "and" | "or" | "not" | "in" | "when"),
        _ => false,
    }
}

/// Whether it belongs to the statement on the line before.
fn continues((kind, text): Part) -> bool {
    match kind {
        Kind::Comma | Kind::DoBlock => true,
        Kind::Operator => !matches!(
            text,
            "@" | "&" | "+" | "-" | "!" | "^" | "~~~" | "%" | ".." | "..." | ";" | "->" | ":"
        ),
        Kind::Symbol => matches!(text, "and" | "or" | "in" | "when"),
        _ => false,
    }
}
