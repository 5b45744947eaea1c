//! Links from the codes of rules in comments to their pages.

use crate::ide::{Document, rules};
use signature_ls_source::text::TextRange;

/// A rule named in a comment such as `# signature-ls: ignore unknown-type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleLink {
    /// The rule's code, in bytes of the document.
    pub range: TextRange,
    /// The rule.
    pub rule: &'static super::Rule,
}

/// The rules in comments of the document, in the order of the text.
pub fn rule_links(document: &Document) -> Vec<RuleLink> {
    let directives = document.directives();
    let named = directives.named_rules(document.text());
    let links = named.filter_map(|(range, code)| {
        let rule = rules::by_code(&code)?;
        Some(RuleLink { range, rule })
    });
    links.collect()
}

#[cfg(test)]
mod tests {
    use crate::ide::testing::{document, shown};
    use signature_ls_source::host::HostKind;

    #[test]
    fn known_rules_are_linked() {
        let text = "# signature-ls: ignore unknown-type, no-such-rule hyphen-in-name\n# signature-ls: edition 0.5\n# ignore unknown-type\n";
        let document = document(HostKind::Elixir, text);
        let links = super::rule_links(&document).into_iter();
        let links: Vec<_> = links
            .map(|it| (shown(&document, it.range), it.rule.code))
            .collect();
        let expected = ["unknown-type", "hyphen-in-name"].map(|it| (it.to_owned(), it));
        assert_eq!(links, expected);
    }
}
