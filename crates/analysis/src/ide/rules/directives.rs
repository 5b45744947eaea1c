//! The rules about directives in comments. They apply to the document, not to its units.

use crate::ide::{Rule, Sample, Severity};

/// A comment that ignores nothing.
pub(crate) static UNUSED_SUPPRESSION: Rule = Rule {
    code: "unused-suppression",
    severity: Severity::Warning,
    summary: "Unused suppression",
    explanation: "`# signature-ls: ignore CODE` ignores that rule on the next line, or at the end of a line on that \
                  line, and in the literal that begins there. A comment that ignores nothing is reported: the problem is fixed, or the code is \
                  misspelled.",
    wrong: Sample::elixir(
        "# signature-ls: ignore unknown-type\n[signature: \"(id :int) -> :map\"]",
    ),
    right: Sample::elixir(
        "# signature-ls: ignore unknown-type\n[signature: \"(id :uuid) -> :map\"]",
    ),
};

/// An invalid directive.
pub(crate) static UNKNOWN_DIRECTIVE: Rule = Rule {
    code: "unknown-directive",
    severity: Severity::Warning,
    summary: "Unknown directive",
    explanation: "Comments that begin with `signature-ls:` ignore rules on the next line, or at the end of a line on \
                  that line (`ignore CODE`), or set the edition of the document (`edition 0.5`).",
    wrong: Sample::elixir("# signature-ls: edition 0.6\n[signature: \"(id :int) -> :map\"]"),
    right: Sample::elixir("# signature-ls: edition 0.5\n[signature: \"(id :int) -> :map\"]"),
};
