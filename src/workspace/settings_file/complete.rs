//! Completion in a settings file.

use super::{
    Proposal, Proposals,
    lines::Line,
    table::{Kind, Setting, table},
};
use signature_ls_source::text::{TextRange, TextSize};

/// The completions at `offset` of the settings file `text`.
pub fn complete(text: &str, offset: TextSize) -> Option<Proposals> {
    let line = Line::at(text, offset);
    if line.is_in_comment() {
        return None;
    }
    if let Some(mut path) = line.header() {
        path.pop();
        let (replaced, _) = line.word(false);
        let tables = table(&path)?.iter();
        let tables = tables.filter(|it| matches!(it.kind, Kind::Table(_)));
        let items = tables.map(|it| proposal(it, it.name.to_owned()));
        return some(replaced, items.collect());
    }
    match line.assignment() {
        Some((path, value)) if line.at >= value => {
            let (replaced, _) = line.word(true);
            let (name, outer) = path.split_last()?;
            let setting = table(outer)?.iter().find(|it| it.name == *name)?;
            some(replaced, values(&setting.kind))
        }
        _ => {
            let (replaced, _) = line.word(false);
            let before = &line.text[..usize::from(replaced.start()) - line.start];
            let mut path = line.table.clone();
            path.extend(before.trim().split('.').filter(|it| !it.is_empty()));
            let given = given(text, &line.table, &line);
            let settings = table(&path)?.iter();
            let settings = settings.filter(|it| !given.contains(&it.name));
            some(replaced, settings.map(|it| key(it, &path)).collect())
        }
    }
}

fn some(replaced: TextRange, items: Vec<Proposal>) -> Option<Proposals> {
    (!items.is_empty()).then_some(Proposals { replaced, items })
}

/// The keys that the table of `own` line has in other lines.
fn given<'t>(text: &'t str, path: &[&str], own: &Line<'_>) -> Vec<&'t str> {
    let mut current: Vec<&str> = Vec::new();
    let mut start = 0;
    let mut given = Vec::new();
    for line in text.split_inclusive('\n') {
        let at = Line {
            table: Vec::new(),
            start,
            text: line.trim_end(),
            at: 0,
        };
        if let Some(header) = at.header() {
            // Tables of tables are completed by their headers.
            if let Some((name, outer)) = header.split_last()
                && outer == path
            {
                given.push(*name);
            }
            current = header;
        } else if current == path
            && start != own.start
            && let Some((key, _)) = at.assignment()
        {
            given.extend(key.first());
        }
        start += line.len();
    }
    given
}

fn proposal(setting: &Setting, text: String) -> Proposal {
    Proposal {
        label: setting.name.to_owned(),
        text,
        about: setting.about.clone(),
        is_value: false,
    }
}

fn key(setting: &Setting, path: &[&str]) -> Proposal {
    match &setting.kind {
        // A table begins with its header, unless it is inside another one.
        Kind::Table(_) if path.is_empty() => Proposal {
            label: format!("[{}]", setting.name),
            ..proposal(setting, format!("[{}]\n", setting.name))
        },
        Kind::Table(_) => proposal(setting, format!("{}.", setting.name)),
        _ => proposal(setting, format!("{} = ", setting.name)),
    }
}

fn values(kind: &Kind) -> Vec<Proposal> {
    let value = |text: String, about: String| Proposal {
        label: text.clone(),
        text,
        about,
        is_value: true,
    };
    match kind {
        Kind::Word { words, .. } => {
            let words = words.iter();
            words
                .map(|it| value(format!("\"{}\"", it.word), it.about.to_owned()))
                .collect()
        }
        Kind::Number { default, .. } => vec![value(default.to_string(), "The default.".to_owned())],
        Kind::Flag { default } => [*default, !default]
            .map(|flag| {
                let about = if flag == *default { "The default." } else { "" };
                value(flag.to_string(), about.to_owned())
            })
            .into(),
        Kind::Names { example, .. } => vec![value(format!("[\"{example}\"]"), String::new())],
        Kind::Table(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use signature_ls_source::text::size;

    #[track_caller]
    fn check(fixture: &str, expected: &[&str]) {
        let offset = fixture.find("$0").expect("a place");
        let text = fixture.replace("$0", "");
        let found = complete(&text, size(offset));
        let items = found.map(|it| it.items).unwrap_or_default();
        let labels: Vec<_> = items
            .iter()
            .take(expected.len().max(1))
            .map(|it| it.label.as_str())
            .collect();
        assert_eq!(labels, expected, "{fixture}");
    }

    #[test]
    fn keys_and_values_are_offered() {
        check(
            "$0",
            &["edition", "[rules]", "[format]", "[hints]", "[signature]"],
        );
        check("ed$0", &["edition"]);
        check("edition = \"0.5\"\n$0", &["[rules]", "[format]"]);
        check(
            "edition = $0",
            &["\"auto\"", "\"next\"", "\"0.11\"", "\"0.5\"", "\"0.4\""],
        );
        check("edition = \"0.$0\"", &["\"auto\"", "\"next\""]);
        check("[format] # how wide\nli$0", &["line_width"]);
        check("[signature]\nkeys = [\n  ['a', 'b'],\n]\nk$0", &["calls"]);
        check("edition = '#' # $0", &[]);
        check("[format]\n$0", &["line_width"]);
        check("[format]\nline_width = 80\n$0", &[]);
        check("[format]\nline_width = $0", &["98"]);
        check("[hints]\nsignatures = $0", &["true", "false"]);
        check(
            "[rules]\nunknown-type = $0",
            &["\"off\"", "\"hint\"", "\"warning\"", "\"error\""],
        );
        check("rules.unknown-type = \"$0", &["\"off\""]);
        check(
            "[$0]",
            &["rules", "format", "hints", "signature", "prompt", "elixir"],
        );
        check("[elixir.$0", &["signature", "prompt"]);
        check("[elixir.prompt]\n$0", &["keys", "calls"]);
        check("[yaml.prompt]\n$0", &["keys"]);
        check("[unknown]\n$0", &[]);
        check("# $0", &[]);
        check("[signature]\nkeys = $0", &["[\"contract\"]"]);
    }
}
