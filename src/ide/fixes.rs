//! Which fixes can be applied together.

use crate::{ide::Diagnostic, text::TextEdit};

/// The edits of all safe fixes that leave one another alone, in the order of the text.
///
/// A diagnostic gives its best fix only. Of two fixes that touch, the first one wins; the other finds
/// its turn when the text that comes of it is looked at again.
pub fn safe_edits(diagnostics: impl IntoIterator<Item = Diagnostic>) -> Vec<TextEdit> {
    let mut chosen: Vec<TextEdit> = Vec::new();
    for diagnostic in diagnostics {
        let Some(fix) = diagnostic.fixes.into_iter().next().filter(|fix| fix.safe) else {
            continue;
        };
        let touches = |edit: &TextEdit| {
            chosen
                .iter()
                .any(|other| other.range.intersect(edit.range).is_some())
        };
        if !fix.edits.iter().any(touches) {
            chosen.extend(fix.edits);
        }
    }
    chosen.sort_by_key(|edit| edit.range.start());
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ide::{Fix, Rule, Severity, rules},
        text::TextRange,
    };

    fn rule() -> &'static Rule {
        rules::all().next().unwrap()
    }

    fn diagnostic(fixes: &[(u32, u32, bool)]) -> Diagnostic {
        let fix = |&(start, end, safe): &(u32, u32, bool)| Fix {
            title: String::new(),
            edits: vec![TextEdit::delete(range(start, end))],
            safe,
        };
        Diagnostic {
            rule: rule(),
            severity: Severity::Error,
            range: TextRange::default(),
            message: String::new(),
            fixes: fixes.iter().map(fix).collect(),
        }
    }

    fn range(start: u32, end: u32) -> TextRange {
        TextRange::new(start.into(), end.into())
    }

    #[test]
    fn only_safe_first_fixes_that_do_not_touch_are_chosen() {
        for (diagnostics, chosen) in [
            (vec![diagnostic(&[])], vec![]),
            (vec![diagnostic(&[(0, 1, false)])], vec![]),
            (vec![diagnostic(&[(0, 1, false), (0, 1, true)])], vec![]),
            (
                vec![
                    diagnostic(&[(4, 5, true), (8, 9, true)]),
                    diagnostic(&[(0, 1, true)]),
                ],
                vec![range(0, 1), range(4, 5)],
            ),
            (
                vec![diagnostic(&[(0, 2, true)]), diagnostic(&[(1, 3, true)])],
                vec![range(0, 2)],
            ),
            (
                vec![diagnostic(&[(2, 2, true)]), diagnostic(&[(2, 2, true)])],
                vec![range(2, 2)],
            ),
        ] {
            let edits = safe_edits(diagnostics.clone());
            let ranges: Vec<_> = edits.iter().map(|edit| edit.range).collect();
            assert_eq!(ranges, chosen, "{diagnostics:?}");
        }
    }
}
