//! Semantic tokens of signatures and prompts.

use crate::{
    ide::{
        Document,
        place::{self, Literal},
    },
    model::placeholders,
};
use signature_ls_source::{
    cancel,
    host::Role,
    order,
    syntax::kind::{SyntaxKind, SyntaxNode, SyntaxToken},
    text::{TextRange, TextSize},
};

/// A token; it does not span lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SemanticToken {
    /// Its place, in bytes of the document.
    pub range: TextRange,
    /// Its kind.
    pub kind: TokenKind,
    /// Whether it is a declaration.
    pub is_declaration: bool,
}

/// The kinds of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// The name of a tool.
    Function,
    /// A parameter, in its declaration or in a placeholder.
    Parameter,
    /// A field of a record.
    Property,
    /// A type word with its colon.
    Type,
    /// `->`, `?` and the braces of a tag.
    Operator,
    /// `#`, `^` and `/` of a section.
    Keyword,
    /// A comment.
    Comment,
}

impl TokenKind {
    /// Every kind, in the order of the legend.
    pub const ALL: [Self; 7] = [
        Self::Function,
        Self::Parameter,
        Self::Property,
        Self::Type,
        Self::Operator,
        Self::Keyword,
        Self::Comment,
    ];
}

/// The tokens in `range` of the document, disjoint and in order.
///
/// Those of the whole document are kept per literal.
pub fn semantic_tokens(document: &Document, range: TextRange) -> Vec<SemanticToken> {
    let is_whole = range.contains_range(TextRange::up_to(document.text().len()));
    let mut tokens = Vec::new();
    for literal in place::literals_in(document, range) {
        let mut add = |token: &SemanticToken| {
            let range = token.range + literal.start;
            tokens.push(SemanticToken { range, ..*token });
        };
        match is_whole {
            true => kept(document, &literal).iter().for_each(add),
            false => of_literal(document, &literal, range, &mut add),
        }
    }
    for (placed, _) in document.units_in(range) {
        let name = placed.unit.catalog_entry().and_then(|it| it.name());
        tokens.extend(name.map(|name| SemanticToken {
            range: name.text_range() + placed.start,
            kind: TokenKind::Function,
            is_declaration: true,
        }));
    }
    tokens.retain(|it| it.range.intersect(range).is_some_and(|it| !it.is_empty()));
    order::by_range(&mut tokens, |it| it.range);
    let mut end = TextSize::default();
    tokens.retain(|it| {
        let is_after = end <= it.range.start();
        end = end.max(it.range.end());
        is_after
    });
    tokens
}

/// The tokens of a literal.
fn kept<'a>(document: &Document, literal: &Literal<'a>) -> &'a [SemanticToken] {
    literal.fragment.kept().tokens.get_or_init(|| {
        let mut tokens = Vec::new();
        let range = literal.content();
        of_literal(document, literal, range, &mut |it| tokens.push(*it));
        tokens.into()
    })
}

/// Adds the tokens of a literal in `range` of the document and possibly more, in bytes from the start of the literal's
/// content.
fn of_literal(
    document: &Document,
    literal: &Literal<'_>,
    range: TextRange,
    add: &mut impl FnMut(&SemanticToken),
) {
    let Some(root) = literal.root() else { return };
    let mut add = |range, kind, is_declaration| {
        add(&SemanticToken {
            range,
            kind,
            is_declaration,
        });
    };
    if literal.site.role != Role::Prompt {
        return in_signature(&root, &mut add);
    }
    let within = range
        .intersect(literal.content())
        .map(|it| it - literal.start);
    let within = within.unwrap_or_default();
    let parameters = parameters_named(document, literal, &root, within);
    for token in tokens_in(&root, within) {
        in_template(&token, &parameters, &mut add);
    }
}

fn tokens_in(root: &SyntaxNode, range: TextRange) -> impl Iterator<Item = SyntaxToken> {
    let first = root.token_at_offset(range.start()).left_biased();
    let tokens = std::iter::successors(first, |it| {
        cancel::check();
        it.next_token()
    });
    tokens.take_while(move |it| it.text_range().start() < range.end())
}

fn in_signature(root: &SyntaxNode, add: &mut impl FnMut(TextRange, TokenKind, bool)) {
    for node in root.descendants_with_tokens() {
        let range = node.text_range();
        match node.kind() {
            SyntaxKind::Name => {
                let is_param = node
                    .parent()
                    .is_some_and(|it| it.kind() == SyntaxKind::Param);
                let kind = match is_param {
                    true => TokenKind::Parameter,
                    false => TokenKind::Property,
                };
                add(range, kind, true);
            }
            // There may be a line break after its colon, which is an error.
            SyntaxKind::PrimitiveType => {
                let text = node.to_string();
                let lines = lines(&text, range.start());
                lines.for_each(|range| add(range, TokenKind::Type, false));
            }
            SyntaxKind::Arrow | SyntaxKind::Question => add(range, TokenKind::Operator, false),
            _ => {}
        }
    }
}

/// Where the names in `range` of a template start with a parameter's name.
fn parameters_named(
    document: &Document,
    literal: &Literal<'_>,
    root: &SyntaxNode,
    range: TextRange,
) -> Option<Vec<TextRange>> {
    let signature = &literal.analysis.prompts_lowered()?.signature;
    let uses = placeholders::resolve_in(root, signature, document.edition(), range);
    let mut named = Vec::new();
    for it in uses.iter().filter(|it| it.param.is_some()) {
        named.extend(it.segments.first().map(|(_, range)| *range));
        named.extend(it.closing.first());
    }
    order::by_start(&mut named, |it| it.start());
    Some(named)
}

fn in_template(
    token: &SyntaxToken,
    parameters: &Option<Vec<TextRange>>,
    add: &mut impl FnMut(TextRange, TokenKind, bool),
) {
    let range = token.text_range();
    let is_in = |kind| token.parent_ancestors().any(|it| it.kind() == kind);
    match token.kind() {
        SyntaxKind::TagOpen
        | SyntaxKind::TagClose
        | SyntaxKind::Sigil
        | SyntaxKind::CommentText
            if is_in(SyntaxKind::CommentTag) =>
        {
            let lines = lines(token.text(), range.start());
            lines.for_each(|range| add(range, TokenKind::Comment, false));
        }
        SyntaxKind::TagOpen | SyntaxKind::TagClose => add(range, TokenKind::Operator, false),
        SyntaxKind::Sigil => add(range, TokenKind::Keyword, false),
        SyntaxKind::Ident if is_in(SyntaxKind::Path) => {
            let is_parameter = match parameters {
                Some(named) => named
                    .binary_search_by_key(&range.start(), |it| it.start())
                    .is_ok(),
                None => token
                    .prev_token()
                    .is_none_or(|it| it.kind() != SyntaxKind::Dot),
            };
            let kind = match is_parameter {
                true => TokenKind::Parameter,
                false => TokenKind::Property,
            };
            add(range, kind, false);
        }
        _ => {}
    }
}

/// The lines of `text`, which begins at `at`, without their ends.
fn lines(text: &str, mut at: TextSize) -> impl Iterator<Item = TextRange> {
    const BREAKS: [char; 2] = ['\r', '\n'];
    let lines = text.split_inclusive(BREAKS).map(move |line| {
        let start = at;
        at += TextSize::of(line);
        TextRange::at(start, TextSize::of(line.trim_end_matches(BREAKS)))
    });
    lines.filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::{prelude::*, sample::select};

    use super::*;
    use crate::ide::testing::{document, shown};
    use signature_ls_source::host::HostKind;

    #[track_caller]
    fn check(kind: HostKind, text: &str, expected: &Expect) {
        let document = document(kind, text);
        let all = semantic_tokens(&document, TextRange::up_to(document.text().len()));
        let lines = all.iter().map(|it| {
            let mark = if it.is_declaration { "!" } else { "" };
            format!("{} {:?}{mark}\n", shown(&document, it.range), it.kind)
        });
        expected.assert_eq(&lines.collect::<String>());
        for token in &all {
            assert_eq!(semantic_tokens(&document, token.range), [*token], "alone");
        }
    }

    const SIGNATURE: &str = "( a : int , b { c :? string , d :any } ) -> : bool ?";
    const PROMPT: &str = "{{! a b }} {{# b }} {{ c }} {{/ b }} {{ a . x }}";

    proptest! {
        #[test]
        fn no_token_spans_lines(
            gaps in prop::collection::vec(select(&["", " ", "\n", "\r\n", "\r", "\t\n  "][..]), 1..40),
        ) {
            let mut gaps = gaps.iter().cycle();
            let mut spaced = |text: &str| {
                let words = text.split(' ');
                words.fold(String::new(), |all, it| all + it + gaps.next().unwrap())
            };
            let (signature, prompt) = (spaced(SIGNATURE), spaced(PROMPT));
            let text = format!(
                "SubAgent.new(signature: \"\"\"\n{signature}\n\"\"\", prompt: \"\"\"\n{prompt}\n\"\"\")\n"
            );
            let document = document(HostKind::Elixir, &text);
            for token in semantic_tokens(&document, TextRange::up_to(document.text().len())) {
                let shown = document.text().slice(token.range);
                prop_assert!(!shown.contains(['\n', '\r']), "{shown:?} in {text:?}");
            }
        }
    }

    #[test]
    fn a_type_over_two_lines_is_two_tokens() {
        check(
            HostKind::Elixir,
            "SubAgent.new(signature: \"\"\"\n(a :\n  int) -> :any\n\"\"\")\n",
            &expect![[r#"
                a Parameter!
                : Type
                  int Type
                -> Operator
                :any Type
            "#]],
        );
    }

    #[test]
    fn tokens_have_kinds() {
        check(
            HostKind::Prompt,
            "---\nsignature: '(user {name :string}, items [{id :int}]) -> :bool?'\n---\nHi {{user.name}}\n{{#items}}{{id}}{{/items}}{{! a\n  b }}\n",
            &expect![[r#"
                user Parameter!
                name Property!
                :string Type
                items Parameter!
                id Property!
                :int Type
                -> Operator
                :bool Type
                ? Operator
                {{ Operator
                user Parameter
                name Property
                }} Operator
                {{ Operator
                # Keyword
                items Parameter
                }} Operator
                {{ Operator
                id Property
                }} Operator
                {{ Operator
                / Keyword
                items Parameter
                }} Operator
                {{ Comment
                ! Comment
                 a Comment
                  b  Comment
                }} Comment
            "#]],
        );
    }

    #[test]
    fn only_signature_strings_are_colored() {
        check(
            HostKind::Elixir,
            "def f(x), do: SubAgent.run(x, signature: \"(q :string) -> :int\", name: \"{{q}}\")\n",
            &expect![[r#"
                q Parameter!
                :string Type
                -> Operator
                :int Type
            "#]],
        );
        check(
            HostKind::Catalog,
            "# tools\nsearch(query :string) -> :any\n  Finds {{it}}.\n",
            &expect![[r#"
                search Function!
                query Parameter!
                :string Type
                -> Operator
                :any Type
            "#]],
        );
    }
}
