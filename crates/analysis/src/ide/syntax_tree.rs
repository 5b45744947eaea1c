//! The syntax trees of signatures, prompts and catalogs, for display.

use crate::ide::{Document, place};
use signature_ls_source::{
    syntax::kind::{SyntaxElement, SyntaxKind},
    text::{TextRange, TextSize},
};

/// A node or a token of a syntax tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeNode {
    /// Its kind: for a string its role, for nodes and tokens their kind.
    pub kind: String,
    /// Its place, in bytes of the document.
    pub range: TextRange,
    /// The text of a token.
    pub text: Option<String>,
    /// Whether it is an error node.
    pub is_error: bool,
    /// Its children.
    pub children: Vec<TreeNode>,
}

/// The trees of the strings of the unit around `offset`, in the order of the text; without one, those of the next
/// unit, or else the previous one.
pub fn syntax_trees(document: &Document, offset: TextSize) -> Vec<TreeNode> {
    let all = place::literals(document);
    let after = all.partition_point(|it| it.literal().end() < offset);
    let Some(nearest) = all.get(after).or(all.last()) else {
        return Vec::new();
    };
    let literal = place::literal_at(document, offset).unwrap_or(*nearest);
    let unit = (literal.placed.start, literal.placed.unit.len);
    let belonging = all
        .iter()
        .filter(|it| (it.placed.start, it.placed.unit.len) == unit);
    belonging
        .filter_map(|literal| {
            let root = literal.root()?;
            Some(TreeNode {
                kind: format!("{:?}", literal.site.role),
                range: literal.literal(),
                text: None,
                is_error: false,
                children: vec![tree(SyntaxElement::Node(root), literal.start)],
            })
        })
        .collect()
}

/// The depth of every tree is bounded, so this may recurse.
fn tree(element: SyntaxElement, start: TextSize) -> TreeNode {
    let (kind, range) = (element.kind(), element.text_range() + start);
    let (text, children) = match element {
        SyntaxElement::Token(token) => (Some(token.text().to_owned()), Vec::new()),
        SyntaxElement::Node(node) => {
            let children = node.children_with_tokens();
            (None, children.map(|it| tree(it, start)).collect())
        }
    };
    TreeNode {
        kind: format!("{kind:?}"),
        range,
        text,
        is_error: matches!(kind, SyntaxKind::Error(_)),
        children,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::ide::testing::marked;
    use signature_ls_source::host::HostKind;

    fn shown(node: &TreeNode, depth: usize, out: &mut String) {
        let error = if node.is_error { " !" } else { "" };
        let text = node.text.as_ref().map(|it| format!(" {it:?}"));
        let line = format!("{}{}{error}", "  ".repeat(depth), node.kind);
        out.push_str(&format!("{line}{}\n", text.unwrap_or_default()));
        for child in &node.children {
            assert!(node.range.contains_range(child.range), "{node:?}");
            shown(child, depth + 1, out);
        }
    }

    fn trees(kind: HostKind, fixture: &str) -> String {
        let (document, offset) = marked(kind, fixture);
        let mut out = String::new();
        for tree in syntax_trees(&document, offset) {
            shown(&tree, 0, &mut out);
        }
        out
    }

    #[test]
    fn the_trees_of_a_unit_follow_the_cursor() {
        let text = "---\nsignature: \"(a :int\"\n---\n{{a}}$0\n";
        expect![[r#"
            Signature
              Signature
                ParamList
                  Error(Unclosed) !
                    LParen "("
                  Param
                    Name
                      Ident "a"
                    Whitespace " "
                    PrimitiveType
                      Colon ":"
                      Ident "int"
                Error(MissingOutput) !
            Prompt
              Template
                Placeholder
                  TagOpen "{{"
                  Path
                    Ident "a"
                  TagClose "}}"
                TextLine "\n"
        "#]]
        .assert_eq(&trees(HostKind::Prompt, text));
    }

    #[test]
    fn outside_of_strings_the_next_one_counts() {
        let all = "a: 1\nsignature: \"(a :int) -> :int\"\nb: 2\n";
        let first = trees(HostKind::Yaml, &format!("$0{all}"));
        assert!(first.contains("\"int\""), "{first}");
        assert_eq!(trees(HostKind::Yaml, &format!("{all}$0")), first);
        assert_eq!(trees(HostKind::Yaml, "a: 1$0\n"), "");
    }
}
