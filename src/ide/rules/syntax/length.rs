//! Texts that are too long to be parsed.

use super::{SyntaxRule, say};
use crate::{
    ide::{Rule, Sample, Severity},
    syntax::{error::ErrorKind, signature},
};

pub(super) const TOO_LONG: SyntaxRule = SyntaxRule {
    kind: ErrorKind::TooLong,
    rule: Rule {
        code: "text-too-long",
        severity: Severity::Error,
        summary: "Text too long to be checked",
        explanation: "A signature can be up to 64 KiB long. A longer one is not checked, and nothing is checked \
                      against it.",
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
