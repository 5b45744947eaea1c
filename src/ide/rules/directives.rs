//! The rules about comments that speak to us. They are looked for in the document, not in its units.

use crate::ide::{Rule, Sample, Severity};

/// A comment that silences nothing.
pub(crate) static UNUSED_SUPPRESSION: Rule = Rule {
    code: "unused-suppression",
    severity: Severity::Warning,
    summary: "A suppression silences something",
    explanation: "`# signature-ls: ignore CODE` silences findings of that rule on the next line, or in the literal that \
                  begins there. One that silences nothing is left over from a fault that is mended, or misspelt.",
    wrong: Sample::Elixir(
        "# signature-ls: ignore unknown-type\n[signature: \"(id :int) -> :map\"]",
    ),
    right: Sample::Elixir(
        "# signature-ls: ignore unknown-type\n[signature: \"(id :uuid) -> :map\"]",
    ),
};

/// A comment that looks like a directive and is none.
pub(crate) static UNKNOWN_DIRECTIVE: Rule = Rule {
    code: "unknown-directive",
    severity: Severity::Warning,
    summary: "A directive is `ignore CODE…` or `edition E`",
    explanation: "Comments that begin with `signature-ls:` are read. They silence rules on the next line (`ignore CODE`) or \
                  name the edition of the document (`edition 0.5`).",
    wrong: Sample::Elixir("# signature-ls: edition 0.6\n[signature: \"(id :int) -> :map\"]"),
    right: Sample::Elixir("# signature-ls: edition 0.5\n[signature: \"(id :int) -> :map\"]"),
};
