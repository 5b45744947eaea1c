//! Inputs that the text of a prompt tells a program to read, as in "look at `data/chunk`".

use super::{AgentsSignature, Name, NameKind, Target};
use crate::{ide::unit::UnitView, model::Edition};
use signature_ls_source::text::{TextRange, TextSize, size};

impl UnitView<'_> {
    /// The names of inputs in the text of a prompt at `range`, as they are written, in bytes from the unit's start. A
    /// prompt for which no program is written names none.
    pub(crate) fn mentioned_in(&self, range: TextRange) -> Vec<(TextRange, String)> {
        if self.text_mode().is_some() {
            return Vec::new();
        }
        let found = mentioned(&self.code(range), self.edition).into_iter();
        found.map(|(it, name)| (it + range.start(), name)).collect()
    }
}

impl AgentsSignature<'_> {
    /// The parameters in the text of a prompt at `range` whose target `is_meant`, in bytes from the unit's start.
    pub(super) fn mentioned(
        &self,
        view: &UnitView<'_>,
        range: TextRange,
        is_meant: impl Fn(&Target) -> bool,
    ) -> Vec<Name> {
        let names = view.mentioned_in(range).into_iter();
        let names = names.filter_map(|(range, name)| {
            let param = self.params.get(&self.edition.normal_name(&name))?;
            let target = self.target(param.name_range).filter(|it| is_meant(it))?;
            Some(Name {
                range,
                kind: NameKind::Data,
                target,
            })
        });
        names.collect()
    }
}

fn mentioned(text: &str, edition: Edition) -> Vec<(TextRange, String)> {
    let namespace = format!("{}/", edition.context_namespace());
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let is_of_path = |c: char| is_of_name(c) || matches!(c, '/' | '.');
    let found = text.match_indices(&namespace).filter_map(|(at, _)| {
        let start = at + namespace.len();
        let following = &text[start..];
        let len = following
            .find(|c| !is_of_name(c))
            .unwrap_or(following.len());
        let name = following[..len].trim_end_matches('-');
        let is_path = text[..at].ends_with(is_of_path);
        let range = TextRange::at(size(start), TextSize::of(name));
        (!is_path && !name.is_empty()).then(|| (range, name.to_owned()))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_mentions_inputs() {
        for (text, expected) in [
            (
                "Look at data/chunk-one, then `data/n`.",
                &["chunk-one", "n"][..],
            ),
            ("(count data/rows)\ndata/é", &["rows", "é"]),
            ("metadata/a /data/b my.data/c data/ data", &[]),
        ] {
            let found = mentioned(text, Edition::default()).into_iter();
            let found: Vec<_> = found.map(|(range, _)| &text[range]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
