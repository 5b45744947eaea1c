//! Entries of catalogs.

use super::{Fault, SyntaxRule, arrows::MISSING_PARAMS, catalog_rule, say};
use crate::ide::{Diagnostic, Fix};
use signature_ls_source::{
    syntax::{
        catalog::{ast::Entry, is_name},
        error::ErrorKind,
        kind::SyntaxKind,
    },
    text::{TextEdit, TextRange, size},
};

/// The maximum length of a text, in bytes, that a fix turns into comments: each line is an edit.
const LONGEST_COMMENTED: u32 = 4096;

pub(super) const NOT_AN_ENTRY: SyntaxRule = SyntaxRule {
    kind: ErrorKind::NotAnEntry,
    rule: catalog_rule(
        "not-an-entry",
        "Line that is not an entry, a description or a comment",
        "An entry is `name(params) -> type`, with its description indented below it. Comments begin with `#` or \
         `;`.",
        "The tools of the agent:\nsearch(query :string) -> [:map]\n",
        "# The tools of the agent:\nsearch(query :string) -> [:map]\n",
    ),
    describe: |fault| {
        let said = say(
            "This is not an entry; indent a description, begin a comment with `#`, or write `name(params) -> type`.",
        );
        if u32::from(fault.range().len()) > LONGEST_COMMENTED {
            return said;
        }
        let mut edits = Vec::new();
        let mut indents = Vec::new();
        let mut at = fault.range().start();
        // The source text, because ranges refer to it.
        let text = fault.node.text().to_string();
        for line in text.split_inclusive(['\n', '\r']) {
            if !line.trim().is_empty() {
                // Comments of other languages.
                let slashes = line.len() - line.trim_start_matches('/').len();
                let sign = match slashes > 1 {
                    true => line.len() - line[slashes..].trim_start_matches(' ').len(),
                    false => 0,
                };
                edits.push(TextEdit::replace(TextRange::at(at, size(sign)), "# "));
                indents.push(TextEdit::insert(at, "  "));
            }
            at += size(line.len());
        }
        let comment = Fix::offered("Make it a comment", edits);
        match text.starts_with("//") || text.trim_end().ends_with(':') {
            true => said.fix(comment),
            false => said
                .fix(Fix::offered("Indent the description", indents))
                .fix(comment),
        }
    },
};

pub(super) const STRAY_DESCRIPTION: SyntaxRule = SyntaxRule {
    kind: ErrorKind::StrayDescription,
    rule: catalog_rule(
        "stray-description",
        "Description without an entry",
        "Indented lines describe the entry directly above them. A comment or any other line that is not indented \
         ends the entry.",
        "  Searches for items.\nsearch(query :string) -> [:map]\n",
        "search(query :string) -> [:map]\n  Searches for items.\n",
    ),
    describe: |_| {
        say(
            "There is no entry above this description; move it below one, or remove the indentation.",
        )
    },
};

pub(super) const MISSING_ENTRY_NAME: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MissingEntryName,
    rule: catalog_rule(
        "missing-entry-name",
        "Catalog entry without a name",
        "A tool is called by its name. Write it directly before the parameters.",
        "(query :string) -> [:map]\n",
        "search(query :string) -> [:map]\n",
    ),
    describe: |_| say("This entry has no name; write `name(params) -> type`."),
};

pub(super) const INVALID_ENTRY_NAME: SyntaxRule = SyntaxRule {
    kind: ErrorKind::InvalidEntryName,
    rule: catalog_rule(
        "invalid-entry-name",
        "Invalid tool name",
        "A tool name consists of letters, digits, `_`, `-`, `.` and `/`, and may end with `?` or `!`. It has no \
         quotes around it and no bullet before it.",
        "\"search\"(query :string) -> [:map]\n",
        "search(query :string) -> [:map]\n",
    ),
    describe: |fault| {
        let name = fault.text();
        let description = say(format!(
            "`{name}` is not a tool's name; names are letters, digits, `_`, `-`, `.` and `/`."
        ));
        let is_in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let word = name.trim_matches(|c| !is_in_name(c));
        match is_name(word) {
            true => description.fix(Fix::safe(
                format!("Write `{word}`"),
                vec![fault.replace(word)],
            )),
            false => description,
        }
    },
};

pub(super) const MISSING_ENTRY_SIGNATURE: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MissingEntrySignature,
    rule: catalog_rule(
        "missing-entry-signature",
        "Catalog entry without a signature",
        "Write the parameters after the tool's name, `()` if there are none, then `->` and the output type.",
        "now\n",
        "now() -> :any\n",
    ),
    describe: |fault| {
        let name = name_before(fault);
        let insert = TextEdit::insert(fault.range().start(), "() -> :any");
        say(format!(
            "`{name}` has no signature; write `{name}(params) -> type`."
        ))
        .fix(Fix::offered(
            format!("Write `{name}() -> :any`"),
            vec![insert],
        ))
    },
};

pub(super) const MISSING_ENTRY_PARAMS: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MissingEntryParams,
    rule: catalog_rule(
        "missing-entry-params",
        "Catalog entry without parameters",
        "Elsewhere a signature may be a bare type. In a listing, a tool without parameters is written with `()`.",
        "now :datetime\n",
        "now() -> :datetime\n",
    ),
    describe: |fault| {
        let name = name_before(fault);
        let space = fault
            .token_before()
            .filter(|it| it.kind() == SyntaxKind::Whitespace);
        let space = space.map_or(fault.range(), |it| it.text_range());
        let edit = TextEdit::replace(space, "() -> ");
        say(format!(
            "The parameters of `{name}` are missing; write `{name}() -> type`."
        ))
        .fix(match names_parameters(fault) {
            true => Fix::offered("Write `() ->`", vec![edit]),
            false => Fix::safe("Write `() ->`", vec![edit]),
        })
    },
};

/// The fault of a signature as it is in an entry, where a type alone is no signature.
pub(super) fn in_entry(fault: Diagnostic, entry: &Entry) -> Diagnostic {
    let Some(name) = entry.name() else {
        return fault;
    };
    if fault.rule.code != MISSING_PARAMS.rule.code {
        return fault;
    }
    let range = TextRange::new(name.text_range().end(), fault.range.end());
    let name = name.text();
    Diagnostic {
        message: format!("The parameters of `{name}` are missing; write `{name}() ->`."),
        fixes: vec![Fix::safe(
            format!("Write `{name}() ->`"),
            vec![TextEdit::replace(range, "() ->")],
        )],
        ..fault
    }
}

/// Whether an arrow follows: the text before it may be meant as parameters.
fn names_parameters(fault: &Fault<'_>) -> bool {
    let entry = fault.parent().map(|it| it.text().to_string());
    entry.is_some_and(|it| it.contains("->") || it.contains("=>"))
}

/// The name of the entry with the error.
fn name_before(fault: &Fault<'_>) -> String {
    let entry = fault.parent().and_then(Entry::cast);
    let name = entry.and_then(|it| it.name());
    name.map(|it| it.text().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::ide::testing::{applied, document};
    use signature_ls_source::{
        host::HostKind,
        text::{TextEdit, size},
    };

    #[test]
    fn parameters_are_added_to_the_name_of_an_entry() {
        for (text, fixed) in [
            ("now -> :datetime\n", "now() -> :datetime\n"),
            ("a\t=>:int\n", "a() ->:int\n"),
            ("a -> :int\n  Says.\n", "a() -> :int\n  Says.\n"),
        ] {
            let found = document(HostKind::Catalog, text).diagnostics();
            let [only] = &found[..] else {
                panic!("one finding in {text:?}: {found:?}");
            };
            let [fix] = &only.fixes[..] else {
                panic!("one fix in {text:?}: {only:?}");
            };
            assert_eq!(applied(text, &fix.edits), fixed);
            assert!(!only.message.contains("type"), "{}", only.message);
        }
    }

    #[test]
    fn each_line_becomes_a_comment() {
        let document = document(HostKind::Catalog, "a \\\\ b \\\u{feff}\n`c`\n");
        let found = document.diagnostics();
        let edits = found.iter().flat_map(|it| &it.fixes[1].edits);
        let expected = [0, 12].map(|at| TextEdit::insert(size(at), "# "));
        assert!(edits.eq(&expected), "{found:?}");
    }
}
