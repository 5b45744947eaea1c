//! Hover in a settings file.

use super::{
    lines::Line,
    table::{Kind, Setting, table},
};
use signature_ls_analysis::ide::Hover;
use signature_ls_source::text::{TextRange, TextSize, size};

/// Describes the setting at `offset` of the settings file `text`.
pub fn hover(text: &str, offset: TextSize) -> Option<Hover> {
    let line = Line::at(text, offset);
    if line.is_in_comment() {
        return None;
    }
    let (path, range) = match (line.header(), line.assignment()) {
        (Some(header), _) => {
            let (range, word) = line.word(false);
            let end = header.iter().position(|it| *it == word)?;
            (header[..=end].to_vec(), range)
        }
        (None, Some((path, value))) if line.at < value => (path, line.word(false).0),
        (None, Some((path, value))) => {
            let start = line.start + value;
            let rest = &line.text[value..];
            let blank = rest.len() - rest.trim_start().len();
            let end = start + rest.trim_end().len();
            (
                path,
                TextRange::new(size((start + blank).min(end)), size(end)),
            )
        }
        (None, None) => return None,
    };
    if range.is_empty() {
        return None;
    }
    let (name, outer) = path.split_last()?;
    let setting = table(outer)?.iter().find(|it| it.name == *name)?;
    Some(Hover {
        range,
        markdown: about(setting, &path),
    })
}

fn about(setting: &Setting, path: &[&str]) -> String {
    let mut markdown = format!("`{}` — {}", path.join("."), setting.about);
    if !matches!(setting.kind, Kind::Table(_)) {
        markdown.push_str(&format!("\n\nValue: {}.", setting.kind.wanted()));
    }
    if let Kind::Word { words, .. } = &setting.kind {
        for word in words {
            markdown.push_str(&format!("\n- `\"{}\"`: {}", word.word, word.about));
        }
    }
    let default = match &setting.kind {
        Kind::Number { default, .. } => Some(default.to_string()),
        Kind::Flag { default } => Some(default.to_string()),
        _ => None,
    };
    if let Some(default) = default {
        markdown.push_str(&format!("\n\nDefault: `{default}`."));
    }
    markdown
}
