//! Syntax errors: the rule, the message and the fixes for each kind of error node.

mod arrows;
mod brackets;
mod broken_sections;
mod catalogs;
mod characters;
mod compounds;
mod leftovers;
pub(crate) mod length;
mod maps;
mod names;
mod other_languages;
pub(crate) mod prose;
mod reserved;
mod sections;
mod separators;
mod templates;
mod types;
mod unfinished;

pub(super) use leftovers::is_torn;
pub(super) use names::{COLON_AFTER_NAME, INVALID_NAME, is_in_tuple};
pub(super) use reserved::UNION;
pub(super) use sections::{MISMATCHED_SECTION_CLOSE, UNCLOSED_SECTION};
pub(super) use templates::INVALID_PLACEHOLDER;

use foldhash::HashMap;

use crate::{
    ide::{Diagnostic, Fix, Rule, Sample, Severity, unit::UnitView},
    model::{Edition, is_prose},
};
use signature_ls_source::{
    host::Role,
    syntax::{
        decode::unescaped,
        error::{ErrorKind, error_nodes},
        kind::{SyntaxKind, SyntaxNode, SyntaxToken},
        signature::ast::is_type,
    },
    text::{TextEdit, TextRange},
};

/// The description of one kind of error node.
pub(crate) struct SyntaxRule {
    pub(crate) kind: ErrorKind,
    pub(crate) rule: Rule,
    pub(crate) describe: fn(&Fault<'_>) -> Description,
}

/// The message, and the fixes.
pub(crate) struct Description {
    message: String,
    fixes: Vec<Fix>,
}

/// An error node with the context of its message.
pub(crate) struct Fault<'a> {
    node: &'a SyntaxNode,
    edition: Edition,
    /// Whether the signature has text left over; see [`leftovers`].
    has_leftovers: bool,
}

/// Every kind of error node, one per line.
pub(crate) const RULES: &[SyntaxRule] = &[
    arrows::EMPTY_SIGNATURE,
    arrows::MISSING_PARAMS,
    arrows::MISSING_PARENS,
    arrows::MISSING_ARROW,
    arrows::WRONG_ARROW,
    arrows::MISSING_OUTPUT,
    arrows::NAMED_SIGNATURE,
    arrows::TRAILING_TEXT,
    arrows::SECOND_ARROW,
    brackets::MISSING_BRACES,
    brackets::UNCLOSED,
    brackets::STRAY_CLOSER,
    brackets::WRONG_CLOSER,
    brackets::EXTRA_PARENS,
    brackets::TOO_DEEP,
    length::TOO_LONG,
    separators::MISSING_COMMA,
    separators::EXTRA_COMMA,
    separators::TRAILING_COMMA,
    separators::WRONG_SEPARATOR,
    names::MISSING_NAME,
    names::INVALID_NAME,
    names::COLON_BEFORE_NAME,
    names::COLON_AFTER_NAME,
    names::QUESTION_AFTER_NAME,
    maps::SIGN_AFTER_NAME,
    types::MISSING_TYPE,
    types::BARE_TYPE_WORD,
    types::MALFORMED_TYPE_WORD,
    types::SPACE_AFTER_COLON,
    types::DOUBLED_COLON,
    compounds::COLON_BEFORE_COMPOUND,
    types::LONE_COLON,
    compounds::GENERIC_TYPE,
    compounds::EMPTY_LIST,
    compounds::LIST_OF_SEVERAL,
    compounds::PARENTHESIZED_TYPE,
    compounds::OPTIONAL_COMPOUND,
    types::SPACE_BEFORE_QUESTION,
    types::DOUBLED_QUESTION,
    types::QUESTION_BEFORE_TYPE,
    reserved::ENUM,
    reserved::UNION,
    reserved::REFINEMENT,
    characters::COMMENT,
    characters::ODD_SPACE,
    characters::UNEXPECTED,
    templates::UNCLOSED_TAG,
    templates::EMPTY_PLACEHOLDER,
    templates::EMPTY_SECTION_NAME,
    templates::INVALID_PLACEHOLDER,
    sections::UNCLOSED_SECTION,
    sections::STRAY_SECTION_CLOSE,
    sections::MISMATCHED_SECTION_CLOSE,
    catalogs::NOT_AN_ENTRY,
    catalogs::STRAY_DESCRIPTION,
    catalogs::MISSING_ENTRY_NAME,
    catalogs::INVALID_ENTRY_NAME,
    catalogs::MISSING_ENTRY_SIGNATURE,
    catalogs::MISSING_ENTRY_PARAMS,
];

/// The maximum number of errors of one kind in a literal. A description of one may read all of the literal.
const MOST_OF_KIND: usize = 32;

/// The syntax errors of a unit: those of a catalog's entry, and those in all fragments.
pub(super) fn check(unit: &UnitView<'_>) -> Vec<Diagnostic> {
    let entry = unit.catalog_entry();
    let fragments = unit.fragments().filter(|it| it.has_errors);
    let fragments = fragments.map(|it| (it.start, it.root(), it.role));
    // A text of only words is one mistake, with its own rule.
    let fragments = fragments.filter(|(_, root, _)| !is_prose(root));
    let faults = fragments.flat_map(|(start, root, role)| {
        let mut faults = describe_all(&root, unit.edition);
        other_languages::forgive(&mut faults, unit, &root);
        if role == Role::Tool {
            arrows::accept_arrow_of_tool(&mut faults, unit);
        }
        let moved = faults.into_iter().map(move |it| it.moved_by(start));
        moved.map(|it| match &entry {
            Some(entry) => catalogs::in_entry(it, entry),
            None => it,
        })
    });
    let of_entry = entry.as_ref().map(|it| describe(it.errors(), unit.edition));
    of_entry.into_iter().flatten().chain(faults).collect()
}

/// The syntax errors of one tree, with ranges in bytes of its text.
pub(crate) fn describe_all(root: &SyntaxNode, edition: Edition) -> Vec<Diagnostic> {
    let mut nodes = error_nodes(root);
    if nodes.is_empty() {
        return Vec::new();
    }
    unfinished::keep_one(root, &mut nodes);
    reserved::leave_types_to_union(&mut nodes, edition);
    arrows::leave_brackets_to_params(&mut nodes);
    names::keep_one_of_tuple(&mut nodes);
    sections::leave_closing_to_name(&mut nodes);
    let mut faults = describe(nodes, edition);
    sections::join_open(root, &mut faults);
    broken_sections::join(root, &mut faults);
    maps::join_keys(root, &mut faults);
    faults
}

fn describe(nodes: Vec<(ErrorKind, SyntaxNode)>, edition: Edition) -> Vec<Diagnostic> {
    let has_leftovers = leftovers::any_in(&nodes, edition);
    let mut counts = HashMap::default();
    let described = nodes.into_iter().filter(move |(kind, _)| {
        let count: &mut usize = counts.entry(*kind).or_default();
        *count += 1;
        *count <= MOST_OF_KIND
    });
    let faults = described.filter_map(|(kind, node)| {
        let rule = RULES.iter().find(|it| it.kind == kind)?;
        let Description { message, fixes } = (rule.describe)(&Fault {
            node: &node,
            edition,
            has_leftovers,
        });
        Some(Diagnostic {
            fixes,
            ..Diagnostic::new(&rule.rule, node.text_range(), message)
        })
    });
    faults.collect()
}

/// A rule with the severity error.
const fn error_rule(
    code: &'static str,
    summary: &'static str,
    explanation: &'static str,
    wrong: Sample,
    right: Sample,
) -> Rule {
    Rule {
        code,
        severity: Severity::Error,
        summary,
        explanation,
        wrong,
        right,
    }
}

/// An error in signatures: its samples are signatures.
const fn signature_rule(
    code: &'static str,
    summary: &'static str,
    explanation: &'static str,
    wrong: &'static str,
    right: &'static str,
) -> Rule {
    let (wrong, right) = (Sample::signature(wrong), Sample::signature(right));
    error_rule(code, summary, explanation, wrong, right)
}

/// An error in templates: its samples are a prompt under `signature`.
const fn template_rule(
    code: &'static str,
    summary: &'static str,
    explanation: &'static str,
    signature: &'static str,
    wrong: &'static str,
    right: &'static str,
) -> Rule {
    let wrong = Sample::prompt(signature, wrong);
    let right = Sample::prompt(signature, right);
    error_rule(code, summary, explanation, wrong, right)
}

/// An error in catalogs.
const fn catalog_rule(
    code: &'static str,
    summary: &'static str,
    explanation: &'static str,
    wrong: &'static str,
    right: &'static str,
) -> Rule {
    let (wrong, right) = (Sample::catalog(wrong), Sample::catalog(right));
    error_rule(code, summary, explanation, wrong, right)
}

fn say(message: impl Into<String>) -> Description {
    Description {
        message: message.into(),
        fixes: Vec::new(),
    }
}

/// Whether the character has no width. Copied text has such characters where lines or words may be broken.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}'
    )
}

impl Description {
    fn fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }
}

impl Fault<'_> {
    fn range(&self) -> TextRange {
        self.node.text_range()
    }

    fn text(&self) -> String {
        let text = self.node.text().to_string();
        unescaped(&text).into_owned()
    }

    fn replace(&self, insert: impl Into<String>) -> TextEdit {
        TextEdit::replace(self.range(), insert)
    }

    /// A fix that inserts what is missing. It is safe if nothing is left over that may be the missing part.
    fn fix_missing(&self, title: impl Into<String>, edits: Vec<TextEdit>) -> Fix {
        match self.has_leftovers {
            true => Fix::offered(title, edits),
            false => Fix::safe(title, edits),
        }
    }

    fn delete(&self) -> TextEdit {
        TextEdit::delete(self.range())
    }

    /// The deletion of the error and of the white space before it.
    fn delete_with_space(&self) -> TextEdit {
        self.replace_with_space("")
    }

    /// `insert` for the fault and the white space before it.
    fn replace_with_space(&self, insert: &str) -> TextEdit {
        let space = self
            .token_before()
            .filter(|token| token.kind() == SyntaxKind::Whitespace);
        let start = space.map_or(self.range().start(), |token| token.text_range().start());
        TextEdit::replace(TextRange::new(start, self.range().end()), insert)
    }

    /// `insert` for the fault, with a space before it if the fault touches a name.
    fn after_name(&self, insert: &str) -> String {
        let touches_name = self
            .token_before()
            .and_then(|token| token.parent())
            .is_some_and(|it| {
                let kind = it.kind();
                matches!(
                    kind,
                    SyntaxKind::Name | SyntaxKind::Error(ErrorKind::InvalidName)
                )
            });
        match touches_name {
            true => format!(" {insert}"),
            false => insert.to_owned(),
        }
    }

    /// The token before the error, including white space.
    fn token_before(&self) -> Option<SyntaxToken> {
        match self.node.first_token() {
            Some(token) => token.prev_token(),
            None => token_ending_at(self.node),
        }
    }

    /// The text before and after `range`.
    fn around(&self, range: TextRange) -> (String, String) {
        let Some(root) = self.node.ancestors().last() else {
            return Default::default();
        };
        let all = root.text();
        let before = all.slice(..range.start()).to_string();
        (before, all.slice(range.end()..).to_string())
    }

    fn parent(&self) -> Option<SyntaxNode> {
        self.node.parent()
    }

    /// The last type among the siblings before the end of the error, or after it.
    fn sibling_type(&self) -> Option<SyntaxNode> {
        let siblings = self.parent()?.children();
        siblings.filter(|it| is_type(it.kind())).last()
    }
}

/// The token that ends at the empty `node`.
fn token_ending_at(node: &SyntaxNode) -> Option<SyntaxToken> {
    let root = node.ancestors().last()?;
    root.token_at_offset(node.text_range().start())
        .left_biased()
}
