//! Front matter without a closing line.

use crate::ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView};
use signature_ls_source::text::{TextEdit, TextRange, TextSize, size};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "unclosed-front-matter",
    severity: Severity::Error,
    summary: "Front matter without a closing line",
    explanation: "The front matter of a prompt file ends with a line `---`. Without it, the whole file is front \
                  matter, and there is no prompt.",
    wrong: Sample::prompt_file("---\nsignature: \"(n :int) -> :int\"\n\nDouble {{n}}.\n"),
    right: Sample::prompt_file("---\nsignature: \"(n :int) -> :int\"\n---\n\nDouble {{n}}.\n"),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    if !unit.is_open_front_matter() {
        return;
    }
    let text = unit.code(TextRange::up_to(unit.len()));
    let Some(opening) = text.find("---").map(size) else {
        return;
    };
    let Some(closing) = before_prose(&text) else {
        return;
    };
    let message = "This front matter is not closed; write `---` in a line below it.";
    let range = TextRange::at(opening, TextSize::of("---"));
    let edits = vec![TextEdit::insert(closing, "---\n")];
    let fix = Fix::offered("Close the front matter", edits);
    found.push(Diagnostic::new(&RULE, range, message).with_fix(fix));
}

/// The end of the last line before the first one that is plainly not YAML; `None` if there is no such line, because the
/// front matter may still be typed.
fn before_prose(text: &str) -> Option<TextSize> {
    let mut end = 0;
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        at += line.len();
        if index == 0 || may_be_yaml(line) {
            end = at;
        } else if !line.trim().is_empty() {
            let is_unfinished = is_name(line.trim_end()) && text[at..].trim().is_empty();
            return (!is_unfinished).then(|| size(end));
        }
    }
    None
}

/// Whether `line` may be a line of a mapping: an entry, an item, a comment, or a line in one of them.
fn may_be_yaml(line: &str) -> bool {
    if line.starts_with([' ', '\t']) {
        return !line.trim().is_empty();
    }
    let key = line
        .split_once(':')
        .map(|(key, _)| key.trim_matches(['"', '\'']));
    line.starts_with(['#', '-']) || key.is_some_and(is_name)
}

/// Whether `key` is a word that may be a key.
fn is_name(key: &str) -> bool {
    !key.is_empty() && !key.contains(|c: char| c.is_whitespace() || c == '{')
}

#[cfg(test)]
mod tests {
    use crate::ide::{Document, Settings, ignored_on_lines, quick_fixes, testing::applied};
    use signature_ls_source::{host::HostKind, text::TextRange};

    /// The codes that are reported in a prompt file, and the text after the fix.
    fn found(text: &str) -> (Vec<&'static str>, String) {
        let document = Document::new(HostKind::Prompt, text, Settings::default());
        let found = document.diagnostics();
        let codes = found.iter().map(|it| it.rule.code).collect();
        let fix = found.first().map(|it| &it.fixes[0]);
        let edits = fix.map_or(&[][..], |it| it.edits.as_slice());
        (codes, applied(text, edits))
    }

    #[test]
    fn the_closing_line_goes_below_the_front_matter() {
        let head =
            "---\nsignature: |\n  (n :int) -> :int\ntools:\n- 'f(x :int) -> :int'\n# Ours.\n";
        for body in [
            "\nDouble {{n}}.\n",
            "\n\nNote this: {{n}}\n\nkey: value\n",
            "Double {{n}}\n",
            "{{n}}: double it\n",
        ] {
            for bom in ["", "\u{feff}"] {
                let (codes, fixed) = found(&format!("{bom}{head}{body}"));
                assert_eq!(codes, ["unclosed-front-matter"], "{body}");
                assert_eq!(fixed, format!("{bom}{head}---\n{body}"));
            }
        }
    }

    #[test]
    fn it_is_closed_whatever_else_is_wrong() {
        for (signature, body) in [
            ("(a int) -> :int", "{{b}}"),
            ("(a :int) -> :int", "{{b}} {{#c}}"),
        ] {
            let head = format!("---\nsignature: {signature}\n");
            let text = format!("{head}\n{body}\n");
            let document = Document::new(HostKind::Prompt, &text, Settings::default());
            let all = TextRange::up_to(document.text().len());
            let found = quick_fixes(&document, all);
            let unclosed = { found.iter() }.find(|it| it.rule.code == "unclosed-front-matter");
            let fix = unclosed.and_then(|it| it.fixes.first()).expect("a fix");
            assert_eq!(applied(&text, &fix.edits), format!("{head}---\n\n{body}\n"));
            let ignored = ignored_on_lines(&document, &found);
            let mut ignored = ignored.iter().map(|(it, _)| it.rule.code);
            assert!(ignored.all(|it| it != "unclosed-front-matter"), "{text}");
        }
    }

    #[test]
    fn other_files_are_left_alone() {
        for text in [
            "---\nmodel: x\n\nHello\n",
            "---\n\nHello {{n}}\n",
            "---\nsignature: '(n :int) -> :int'\n...\nDouble {{n}}.\n",
            "---\nsignature: '(n :int) -> :int'\n",
            "---\nsignature: '(n :int) -> :int'\n\nname: a\n--",
            "---\nsignature: '(n :int) -> :int'\ndescription",
            "---\nsignature: '(n :int) -> :int'\nd\n\n",
        ] {
            assert_eq!(found(text).0, [""; 0], "{text}");
        }
    }
}
