//! Completion in `# signature-ls:` comments: directives, the codes of rules, and editions.

use super::{Completion, CompletionKind, Completions, Documentation, Place, last_name};
use crate::{
    ide::{
        directives::{self, WORDS},
        rules,
    },
    model::Edition,
};

/// The completions in a comment that begins with `signature-ls:`.
pub(super) fn complete(place: &Place<'_>) -> Option<Completions> {
    let line = place.line();
    let directive = directives::on_line(&line)?;
    let typed = directive[WORDS.len()..].trim_start();
    let word = last_name(typed);
    let mut given = typed[..typed.len() - word.len()].split([' ', '\t', ',']);
    let items = match given.next() {
        Some("ignore") => {
            let given: Vec<_> = given.collect();
            let rules = rules::all().filter(|it| !given.contains(&it.code));
            rules.map(rule).collect()
        }
        Some("edition") => Edition::ALL
            .into_iter()
            .rev()
            .map(|it| Completion::new(it.name(), CompletionKind::Keyword))
            .collect(),
        None | Some("") => vec![
            Completion::new("ignore", CompletionKind::Keyword)
                .detail("do not report these rules on this or the next line")
                .text("ignore "),
            Completion::new("edition", CompletionKind::Keyword)
                .detail("the edition of this document")
                .text("edition "),
        ],
        Some(_) => return None,
    };
    // Editions contain dots, unlike names.
    let before = match items.first() {
        Some(first) if first.kind == CompletionKind::Keyword => {
            typed.rsplit([' ', '\t']).next().unwrap_or_default().len()
        }
        _ => word.len(),
    };
    Some(Completions {
        replaced: place.word(before),
        items,
    })
}

fn rule(rule: &'static crate::ide::Rule) -> Completion {
    Completion::new(rule.code, CompletionKind::Rule)
        .detail(rule.summary)
        .documentation(Documentation::Rule(rule.code))
}
