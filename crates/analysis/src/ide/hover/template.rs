//! Hover over placeholders and section tags: each name of a path on its own.

use super::{Hover, code, presence};
use crate::model::{
    Edition, Lowered,
    placeholders::{self, Meaning, Use},
};
use signature_ls_source::{
    syntax::kind::SyntaxNode,
    text::{TextRange, TextSize},
};

/// Describes the name at `at` of the template at `root`.
pub(super) fn hover(
    root: &SyntaxNode,
    lowered: &Lowered,
    at: TextSize,
    edition: Edition,
) -> Option<Hover> {
    let it = placeholders::resolve_at(root, &lowered.signature, edition, at)?;
    let (index, range) = segment_at(&it, at)?;
    match it.declared.get(index) {
        Some(&declared) if !it.segments.is_empty() => {
            about_segment(&it, index, range, declared, lowered)
        }
        _ => about_whole(&it, at, lowered),
    }
}

/// The name of a path at `at`, in an opening or a closing tag; the first one for `{{.}}`.
fn segment_at(it: &Use, at: TextSize) -> Option<(usize, TextRange)> {
    let opening = it.segments.iter().map(|(_, range)| *range).enumerate();
    let closing = it.closing.iter().copied().enumerate();
    let mut all = opening.chain(closing);
    let found = all.find(|(_, range)| range.contains_inclusive(at));
    found.or_else(|| it.range.contains_inclusive(at).then_some((0, it.range)))
}

fn about_segment(
    it: &Use,
    index: usize,
    range: TextRange,
    declared: TextRange,
    lowered: &Lowered,
) -> Option<Hover> {
    let id = lowered.names.at(declared)?;
    let field = lowered.names.field(&lowered.signature, id)?;
    let names = it.segments[..=index].iter();
    let path: Vec<_> = names.map(|(name, _)| name.as_str()).collect();
    let mut markdown = code(&format!("{} {}", path.join("."), field.ty));
    let is_last = index + 1 == it.segments.len();
    let what = match it.is_section && is_last {
        true => "section over",
        false => "value of",
    };
    let param = it.param.and_then(|it| lowered.signature.params.get(it));
    let origin = match (index, param) {
        (0, Some(param)) => format!("{what} parameter `{}`{}", param.name, presence(&param.ty)),
        (0, None) => format!("{what} the element of the section around it"),
        (_, Some(param)) => format!(
            "{what} field `{}` in parameter `{}`{}",
            field.name,
            param.name,
            presence(&field.ty)
        ),
        (_, None) => format!("{what} field `{}`{}", field.name, presence(&field.ty)),
    };
    markdown.push_str(&format!("\n{origin}"));
    if it.nil_segment().is_some_and(|nil| nil <= index) {
        markdown.push_str("\n\nIt may be nil when the prompt is rendered.");
    }
    Some(Hover { range, markdown })
}

/// Names that are not declared: `{{.}}`, and names in a map with unknown keys.
fn about_whole(it: &Use, at: TextSize, lowered: &Lowered) -> Option<Hover> {
    if !it.range.contains_inclusive(at) {
        return None;
    }
    let markdown = match &it.meaning {
        Meaning::Value { ty, .. } if it.segments.is_empty() => format!(
            "{}\nvalue of the element of the section around it",
            code(&format!(". {ty}"))
        ),
        Meaning::Anything { .. } => {
            let param = lowered.signature.params.get(it.param?)?;
            format!(
                "{}\nvalue in parameter `{}`, whose keys are not known",
                code(&param.to_string()),
                param.name
            )
        }
        _ => return None,
    };
    Some(Hover {
        range: it.range,
        markdown,
    })
}
