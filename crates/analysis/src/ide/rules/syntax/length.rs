//! Texts that are too long to be parsed.

use super::{SyntaxRule, say};
use crate::ide::{Diagnostic, Rule, Sample, Severity};
use signature_ls_source::{
    host::MOST_UNITS,
    syntax::{error::ErrorKind, signature},
    text::TextRange,
};

pub(super) const TOO_LONG: SyntaxRule = SyntaxRule {
    kind: ErrorKind::TooLong,
    rule: Rule {
        code: "text-too-long",
        severity: Severity::Error,
        summary: "Text too long to be checked",
        explanation: "A signature can be up to 64 KiB long. A longer one is not checked, and nothing is checked \
                      against it. A file with more than 100,000 signatures and prompts is not checked either.",
        wrong: Sample::ManyParameters(10_000),
        right: Sample::signature("(a :int) -> :int"),
    },
    describe: |_| {
        let kibibytes = signature::LONGEST >> 10;
        say(format!(
            "This signature is longer than {kibibytes} KiB and is not checked; write `:any` for parts of it."
        ))
    },
};

/// The diagnostic about a file that is not checked, because it has too many signatures and prompts.
pub fn too_many_units() -> Diagnostic {
    let message = format!(
        "This file has more than {MOST_UNITS} signatures and prompts and is not checked; split it."
    );
    Diagnostic::new(&TOO_LONG.rule, TextRange::default(), message)
}
