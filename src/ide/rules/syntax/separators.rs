//! Commas.

use super::{SyntaxRule, say, signature_rule};
use crate::{ide::Fix, syntax::error::ErrorKind};

pub(super) const MISSING_COMMA: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MissingComma,
    rule: signature_rule(
        "missing-comma",
        "Commas stand between fields and between parameters",
        "Unlike in Clojure, a comma is not white space here: it separates.",
        "{id :int name :string}",
        "{id :int, name :string}",
    ),
    describe: |fault| {
        say("A comma is missing here; write `,` before the next name.")
            .fix(Fix::safe("Add the comma", vec![fault.replace(",")]))
    },
};

pub(super) const EXTRA_COMMA: SyntaxRule = SyntaxRule {
    kind: ErrorKind::ExtraComma,
    rule: signature_rule(
        "extra-comma",
        "One comma is enough",
        "A comma stands only between two fields or parameters, and only once.",
        "{id :int,, name :string}",
        "{id :int, name :string}",
    ),
    describe: |fault| {
        say("This comma is one too many; remove it.")
            .fix(Fix::safe("Remove it", vec![fault.delete_with_space()]))
    },
};

pub(super) const TRAILING_COMMA: SyntaxRule = SyntaxRule {
    kind: ErrorKind::TrailingComma,
    rule: signature_rule(
        "trailing-comma",
        "No comma behind the last one",
        "A comma stands only between two fields or parameters.",
        "{id :int, name :string,}",
        "{id :int, name :string}",
    ),
    describe: |fault| {
        say("No comma stands behind the last one; remove it.")
            .fix(Fix::safe("Remove it", vec![fault.delete_with_space()]))
    },
};

pub(super) const WRONG_SEPARATOR: SyntaxRule = SyntaxRule {
    kind: ErrorKind::WrongSeparator,
    rule: signature_rule(
        "wrong-separator",
        "Commas separate, nothing else does",
        "Fields and parameters are separated by commas.",
        "{id :int; name :string}",
        "{id :int, name :string}",
    ),
    describe: |fault| {
        say(format!("`{}` does not separate; write `,`.", fault.text()))
            .fix(Fix::safe("Write `,`", vec![fault.replace(",")]))
    },
};
